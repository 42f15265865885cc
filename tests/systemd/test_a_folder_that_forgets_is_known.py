from __future__ import annotations

from pathlib import Path

import pytest

from kiosk.server import cli_run
from kiosk.server.settings import Settings
from kiosk.shell import places

MOUNTS = """\
overlayroot / overlay rw 0 0
/dev/mmcblk0p1 /boot/firmware vfat rw 0 0
/dev/mmcblk0p3 /var/lib/tableside ext4 rw 0 0
tmpfs /var/lib/tableside/scratch tmpfs rw 0 0
/dev/sda1 /media/a\\040stick vfat rw 0 0
tmpfs /var/lib/tableside-server tmpfs rw 0 0
"""


@pytest.fixture(autouse=True)
def _mounts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mounts").write_text(MOUNTS, encoding="utf-8")
    monkeypatch.setattr(places, "MOUNTS", tmp_path / "mounts")


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/var/lib/tableside", None),
        ("/var/lib/tableside/deeper", None),
        ("/var/lib/tableside/scratch/x", "tmpfs"),
        ("/var/lib/tableside-server", "tmpfs"),
        ("/var/lib/tableside-other", "overlay"),
        ("/home/pi/.local/share/tableside", "overlay"),
        ("/media/a stick/tableside", None),
    ],
)
def test_the_innermost_file_system_counts(folder: str, kind: str | None) -> None:
    assert places.forgetful(Path(folder)) == kind


@pytest.mark.parametrize(("folder", "told"), [("/var/lib/tableside-server", True), ("/var/lib/tableside", False)])
def test_a_server_that_would_forget_says_so_in_its_log(folder: str, told: bool, caplog: pytest.LogCaptureFixture) -> None:  # noqa: FBT001
    cli_run._warn_of_forgetting(Settings(Path(folder)))
    assert ("is on tmpfs and forgets everything at the next reboot" in caplog.text) == told


def test_where_the_mounts_cannot_be_read_nothing_is_claimed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(places, "MOUNTS", tmp_path / "missing")
    assert places.forgetful(Path("/var/lib/tableside")) is None
