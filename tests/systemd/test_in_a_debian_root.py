"""The installer in a real Debian, in a root made for it: real packages, wheels, users and folders; only systemctl is a stand-in that starts
the services and waits until they say that they are ready.

By command, as root, with internet, minutes each: `TABLESIDE_DEBIAN="bookworm trixie" pytest tests/systemd/test_in_a_debian_root.py`.
A root is kept in the folder TABLESIDE_DEBIAN_ROOTS, where that is named.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
WANTED = os.environ.get("TABLESIDE_DEBIAN", "").split()
OFFLINE = ("unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "offline")
"""Without any network but the machine's own."""
INCLUDE = "python3,python3-venv,ca-certificates,systemd,udev"

pytestmark = pytest.mark.skipif(not WANTED, reason="a real Debian is made by command only: TABLESIDE_DEBIAN=bookworm")


class Debian:
    """A system of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, *command: str, before: tuple[str, ...] = ()) -> str:
        done = subprocess.run(
            [*before, "chroot", self.root, *command],
            env={"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", "TABLESIDE_SETTLE_S": "2", "LC_ALL": "C.UTF-8"},
            capture_output=True,
            text=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def version(self, number: str, fault: str = "") -> None:
        """The source in /src, as another version; with a fault, one that does not start."""
        shutil.rmtree(self.root / "src", ignore_errors=True)
        for name in ("kiosk", "hardware", "systemd"):
            shutil.copytree(REPOSITORY / name, self.root / "src" / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(REPOSITORY / name, self.root / "src")
        about = self.root / "src/pyproject.toml"
        text = about.read_text(encoding="utf-8")
        old = next(line for line in text.splitlines() if line.startswith("version ="))
        about.write_text(text.replace(old, f'version = "{number}"'), encoding="utf-8")
        if fault:
            loop = self.root / "src/kiosk/app/loop.py"
            loop.write_text(loop.read_text(encoding="utf-8") + f"\nraise RuntimeError({fault!r})\n", encoding="utf-8")


@pytest.fixture(params=WANTED or ["none"])
def debian(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Debian]:
    kept = os.environ.get("TABLESIDE_DEBIAN_ROOTS")
    base = Path(kept) / request.param if kept else tmp_path / "base"
    if not base.exists():
        subprocess.run(
            ["debootstrap", "--variant=minbase", f"--include={INCLUDE}", request.param, base], check=True, stdout=subprocess.DEVNULL
        )
    root = tmp_path / "root"
    subprocess.run(["cp", "-a", "--reflink=auto", base, root], check=True)
    for path in ("/etc/resolv.conf", "/etc/ssl/certs/ca-certificates.crt"):
        shutil.copy(path, f"{root}{path}")
    shutil.copy(Path(__file__).with_name("systemctl.py"), root / "usr/local/sbin/systemctl")
    (root / "usr/local/sbin/systemctl").chmod(0o755)
    subprocess.run(["mount", "-t", "proc", "proc", root / "proc"], check=True)
    subprocess.run(["mount", "-t", "devpts", "devpts", root / "dev/pts", "-o", "ptmxmode=666"], check=True)
    system = Debian(root)
    try:
        yield system
    finally:
        subprocess.run(["chroot", root, "systemctl", "stop", "tableside-kiosk.service", "tableside-server.service"], check=False)
        subprocess.run(["umount", root / "dev/pts", root / "proc"], check=True)


def test_a_fresh_system_is_installed_without_internet_upgraded_brought_back_and_left(debian: Debian) -> None:
    debian.version("1.0.0")
    debian.run("/src/systemd/gather", "/stick", "both")
    debian.run("/stick/systemd/install", "both", "--wheels", "/stick", before=OFFLINE)
    assert debian.run("systemctl", "is-active", "tableside-kiosk.service") == ""
    assert "kiosk" in debian.run("/usr/local/bin/kiosk", "--version")
    journal = debian.root / "var/lib/tableside/journal.db"
    users = (debian.root / "etc/passwd").read_text(encoding="utf-8")
    owner = next(line.split(":")[2] for line in users.splitlines() if line.startswith("tableside:"))
    assert journal.stat().st_uid == int(owner)

    units = [f"/{path.relative_to(debian.root)}" for path in (debian.root / "etc/systemd/system").glob("tableside-*.*") if path.is_file()]
    assert debian.run("systemd-analyze", "verify", "--man=no", *units) == ""
    if "verify" in debian.run("udevadm", "--help"):  # from systemd 254 on
        debian.run("udevadm", "verify", "/etc/udev/rules.d/70-tableside.rules")

    debian.run("/usr/local/bin/kiosk-server", "init", "--password", "correct horse")
    debian.run("systemctl", "restart", "tableside-server.service")
    before = journal.read_bytes()[:100]
    debian.version("1.1.0", fault="a broken version")
    debian.run("/src/systemd/gather", "/stick", "both")
    with pytest.raises(AssertionError, match=r"version 1\.1\.0 did not start and is taken away again; 1\.0\.0 runs as before"):
        debian.run("/stick/systemd/install", "--wheels", "/stick", before=OFFLINE)
    assert (debian.root / "opt/tableside/current").readlink().name == "1.0.0"
    assert journal.read_bytes()[:100] == before
    for service in ("tableside-kiosk.service", "tableside-server.service"):
        debian.run("systemctl", "is-active", service)

    debian.run("/usr/local/sbin/tableside-install", "uninstall")
    assert journal.exists()
    assert not (debian.root / "opt/tableside").exists()
