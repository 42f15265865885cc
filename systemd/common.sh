# shellcheck shell=bash disable=SC2034,SC2154
# Sourced by the scripts beside it: what they say, where everything is, what this machine has and lacks.
# Their own words: `root` (everything below it, or empty), `parts` (kiosk, server or both), `wheels` (a folder, or empty), `display`.

# ── Words and errors ─────────────────────────────────────────────────────────
say() { echo "tableside: $*" || true; } # also where nobody reads it any more
fail() {
    echo "tableside: $*" >&2
    exit 1
}
misused() {
    echo "tableside: $*" >&2
    usage >&2
    exit 2
}

# ── What there is ────────────────────────────────────────────────────────────
places() {
    here="$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"
    source="$(dirname "$here")"
    opt="$root/opt/tableside"
    units="$root/etc/systemd/system"
    config="$root/etc/tableside"
    declare -gA data=([kiosk]="$root/var/lib/tableside" [server]="$root/var/lib/tableside-server")
    declare -gA service=([kiosk]=tableside-kiosk.service [server]=tableside-server.service)
    declare -gA beside=([kiosk]="tableside-prepare.service tableside-join.service" [server]=tableside-backup.timer)
}

# check_machine: refuses what cannot work, before anything is touched.
check_machine() {
    [ -n "$root" ] || [ "$(id -u)" = 0 ] || fail "this changes the system: run it with sudo."
    local machine
    machine="$(dpkg --print-architecture)" || fail "this is neither Raspberry Pi OS nor Debian: there is no dpkg."
    case "$machine" in
    arm64 | amd64) ;;
    armhf | armel | i386) fail "this is a 32-bit system ($machine), for which the screen's library is not made. Install the 64-bit Raspberry Pi OS; a Pi 3, 4, 5 and Zero 2 W can run it." ;;
    *) fail "on this kind of machine ($machine) Tableside was never tried; it runs on arm64 and amd64." ;;
    esac
    command -v python3 >/dev/null || fail "there is no python3; install it: apt-get install python3"
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        fail "Tableside needs Python 3.11 or newer, and this system has $(python3 -V 2>&1). Raspberry Pi OS has it from bookworm (2023) on."
    if [ -z "$root" ] && [ "$(findmnt -n -o FSTYPE / 2>/dev/null || true)" = overlay ]; then
        fail "the root file system is an overlay and forgets everything at the next reboot. Switch that off (raspi-config, Performance, Overlay File System), reboot, install, and switch it on again."
    fi
}

alone() {
    mkdir -p "$opt"
    exec 9>"$opt/lock"
    flock -n 9 || fail "another installation is going on; wait until it has ended."
}

slot_of() { # the version that a link names, or nothing
    if [ -L "$opt/$1" ]; then basename "$(readlink "$opt/$1")"; fi
}

has() { [[ " $parts " == *" $1 "* ]]; }

# ── Packages of the system ───────────────────────────────────────────────────
packages() {
    echo python3-venv
    ! has kiosk || echo libgbm1 libegl1 libgles2 libgl1-mesa-dri libdrm2
    [ "$display" != cage ] || echo cage xwayland seatd
}

wished() { # better had than not, and not on every system: Debian has no lgpio
    ! has kiosk || echo python3-lgpio
}

installed() { [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null | tr -d ' ')" = ii ]; }

known() { apt-cache show "$1" >/dev/null 2>&1; }

missing_packages() {
    local package
    for package in $(packages); do installed "$package" || echo "$package"; done
    for package in $(wished); do installed "$package" || ! known "$package" || echo "$package"; done
}

apt_get() { # what it says is worth reading only where it fails
    local told
    told="$(DEBIAN_FRONTEND=noninteractive apt-get -y -qq "$@" 2>&1 </dev/null)" || {
        echo "$told" | tail -n 20 >&2
        return 1
    }
}

install_packages() {
    local missing package debs=()
    missing="$(missing_packages)"
    [ -n "$missing" ] || return 0
    say "installing the system's packages:" "${missing//$'\n'/ }"
    if [ -n "$wheels" ]; then
        mapfile -t debs < <(compgen -G "$wheels/debs/*.deb" || true)
        [ ${#debs[@]} = 0 ] || apt_get --no-install-recommends install "${debs[@]}" || true
    else
        apt_get update || say "the list of packages could not be brought up to date; going on with the old one."
        # shellcheck disable=SC2046 # names of packages are words
        apt_get --no-install-recommends install $(missing_packages) || true
    fi
    for package in $(packages); do
        installed "$package" || fail "the package $package is missing and could not be installed: apt-get install $package"
    done
}

# copy_source: builds leave files beside the sources and take old ones up again, so they happen in a copy.
copy_source() {
    [ -z "$wheels" ] || return 0
    trash="$(mktemp -d)"
    trap 'rm -rf "$trash"' EXIT
    mkdir "$trash/source"
    local name
    for name in kiosk hardware pyproject.toml README.md LICENSE; do
        [ ! -e "$source/$name" ] || cp -r "$source/$name" "$trash/source/"
    done
}

requirements() { # after copy_source: what pip is asked for
    local product="${trash:-}/source" extras=()
    [ -z "$wheels" ] || product="tableside"
    ! has kiosk || extras+=(discovery)
    ! has server || extras+=(server)
    echo "${product}[$(
        IFS=,
        echo "${extras[*]}"
    )]"
    ! has kiosk || echo "gpiod>=2.5,<3"
}
