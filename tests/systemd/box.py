"""An installation without a system: the installer runs below a folder, with tools that only note what they are asked to do.

The product is a script whose `run` does what a test wants of it: starts, fails, falls over a little later, or changes what is stored.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

SYSTEMD = Path(__file__).parents[2] / "systemd"

SYSTEMCTL = """\
#!/bin/sh
echo "systemctl $*" >>"$FAKE/log"
for word in "$@"; do unit="$word"; done
case "$1" in
restart)
    rm -f "$FAKE/active.$unit"
    program="${unit#tableside-}" && program="${program%.service}"
    [ "$program" = server ] && program=kiosk-server
    "$ROOT/opt/tableside/current/bin/$program" run
    case $? in 0) touch "$FAKE/active.$unit" ;; 3) ;; *) exit 1 ;; esac ;;
stop) shift; for unit in "$@"; do rm -f "$FAKE/active.$unit"; done ;;
is-active) [ -e "$FAKE/active.$unit" ] ;;
get-default) echo graphical.target ;;
esac
"""

PYTHON = """\
#!/bin/sh
case "$1 $2" in
"-m venv") mkdir -p "$3/bin" "$3/lib" && cp "$FAKE/venv-python" "$3/bin/python" ;;
"-V ") echo "Python ${FAKE_PYTHON:-3.11.2}" ;;
"-c import sys"*) [ -z "${FAKE_PYTHON:-}" ] ;;
esac
"""

VENV_PYTHON = """\
#!/bin/sh
here="$(dirname "$0")"
case "$1 $2" in
"-m pip") echo "pip $*" >>"$FAKE/log"; [ -e "$FAKE/product/kiosk" ] && cp "$FAKE/product/"* "$here/" ;;
"-c import sysconfig"*) echo "$here/../lib" ;;
esac
"""

OTHERS = {
    "dpkg": 'echo "${FAKE_MACHINE:-arm64}"',
    "dpkg-query": 'for word in "$@"; do package="$word"; done; grep -qx "$package" "$FAKE/packages" && echo "ii "',
    "apt-cache": 'grep -qx "$2" "$FAKE/known"',
    "apt-get": """echo "apt-get $*" >>"$FAKE/log"
case "$*" in *update*) exit 0 ;; esac
[ -e "$FAKE/offline" ] && exit 1
for word in "$@"; do case "$word" in -*) ;; *) basename "$word" .deb >>"$FAKE/packages" ;; esac; done""",
    "cp": 'case "$*" in *data-before*) [ ! -e "$FAKE/full" ] || exit 1 ;; esac; exec /bin/cp "$@"',
    "mountpoint": 'grep -qxsF "$2" "$FAKE/partition"',
    "systemd-sysusers": 'echo "systemd-sysusers $*" >>"$FAKE/log"',
    "systemd-tmpfiles": 'echo "systemd-tmpfiles $*" >>"$FAKE/log"',
    "udevadm": 'echo "udevadm $*" >>"$FAKE/log"',
}

PACKAGES = ("python3-venv", "libgbm1", "libegl1", "libgles2", "libgl1-mesa-dri", "libdrm2")


class Box:
    """A fresh box, and what has been done to it."""

    def __init__(self, folder: Path) -> None:
        self.root, self.fake, self.source = folder / "root", folder / "fake", folder / "source"
        for made in (self.root / "etc", self.fake / "bin", self.fake / "product", self.source):
            made.mkdir(parents=True)
        shutil.copytree(SYSTEMD, self.source / "systemd")
        for name, text in {
            "systemctl": SYSTEMCTL,
            "python3": PYTHON,
            **{name: f"#!/bin/sh\n{text}\n" for name, text in OTHERS.items()},
        }.items():
            _script(self.fake / "bin" / name, text)
        _script(self.fake / "venv-python", VENV_PYTHON)
        self.have(*PACKAGES)
        (self.fake / "known").write_text("python3-lgpio\n", encoding="ascii")
        (self.fake / "log").touch()
        self.version("1.0.0")

    def have(self, *packages: str) -> None:
        """The system has just these packages."""
        (self.fake / "packages").write_text("".join(f"{package}\n" for package in packages), encoding="ascii")

    def version(self, number: str, run: str = "exit 0") -> None:
        """What lies beside the installer from now on is this version, whose `run` does that."""
        (self.source / "pyproject.toml").write_text(f'[project]\nversion = "{number}"\n', encoding="ascii")
        for name in ("kiosk", "kiosk-server"):
            _script(self.fake / "product" / name, f'#!/bin/sh\ncase "$1" in --version) echo {number} ;; run) {run} ;; esac\n')

    def broken(self) -> None:
        """What lies beside the installer cannot be installed."""
        (self.fake / "product" / "kiosk").unlink()

    def install(self, *words: str, script: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run the installer."""
        plain = {
            "PATH": f"{self.fake}/bin:{os.environ['PATH']}",
            "FAKE": str(self.fake),
            "ROOT": str(self.root),
            "TABLESIDE_SETTLE_S": "0",
            "LC_ALL": "C",
            **environment,
        }
        command = [script or self.source / "systemd/install", *words, "--root", str(self.root)]
        return subprocess.run(command, env=plain, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)

    @property
    def log(self) -> list[str]:
        """What the tools were asked to do."""
        return (self.fake / "log").read_text(encoding="utf-8").splitlines()

    @property
    def opt(self) -> Path:
        """Where the versions are."""
        return self.root / "opt/tableside"

    @property
    def current(self) -> str:
        """The version that is current."""
        return (self.opt / "current").readlink().name

    @property
    def versions(self) -> set[str]:
        """The versions that are there."""
        return {path.parent.name for path in self.opt.glob("*/complete") if not path.parent.is_symlink()}

    def runs(self, part: str = "kiosk") -> bool:
        """Whether a service runs."""
        return (self.fake / f"active.tableside-{part}.service").exists()


def _script(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
