# Sourced by the scripts beside it: goes to the repository's top and makes the virtual environment `.venv`.

cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore

fail() {
    echo "${0##*/}: $*" >&2
    exit 1
}

# apt_install PACKAGE…: only where this is Debian's apt and we are root.
apt_install() {
    command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || fail "please install $* and run this again."
    echo "Installing $* …" >&2
    {
        apt-get update -qq &&
            DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
    } </dev/null >&2 || fail "$* could not be installed."
}

need_python() {
    python="${PYTHON:-python3}"
    command -v "$python" >/dev/null || fail "Tableside needs Python 3.11 or newer, and there is no $python here."
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        fail "Tableside needs Python 3.11 or newer; $python is $("$python" -V 2>&1). Name another one: PYTHON=python3.12 $0"
}

make_venv() {
    [ -x .venv/bin/python ] && .venv/bin/python -m pip --version >/dev/null 2>&1 && return
    need_python
    "$python" -m venv .venv >/dev/null 2>&1 && return
    rm -rf .venv
    apt_install python3-venv
    "$python" -m venv .venv || fail "$python cannot make a virtual environment."
}

# install_product WHAT: `.` or `.[test]`, once for each state of pyproject.toml.
install_product() {
    make_venv
    local state stamp
    state="$(.venv/bin/python -c 'import hashlib; print(hashlib.sha256(open("pyproject.toml", "rb").read()).hexdigest())') $PWD"
    for stamp in ".venv/installed$1" ".venv/installed.[test]"; do
        [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$state" ] && return
    done
    echo "Installing Tableside into .venv …" >&2
    .venv/bin/python -m pip install -e "$1" </dev/null >.venv/installing.log 2>&1 || {
        tail -n 40 .venv/installing.log >&2
        fail "the installation failed; see above."
    }
    echo "$state" >".venv/installed$1"
}

# compile_tests: as pytest compiles them, once; else each of its processes would, and measured at that. What fails is told by the tests.
compile_tests() {
    (unset PYTHONDONTWRITEBYTECODE && .venv/bin/python -m pytest --collect-only -qq </dev/null >/dev/null 2>&1) || true
}
