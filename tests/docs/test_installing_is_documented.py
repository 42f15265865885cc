from __future__ import annotations

import re
from pathlib import Path

from reference import PATH, rows

from kiosk.app import prepared

SECTION = PATH.read_text(encoding="utf-8").split("\n## Installing\n")[1].split("\n## ")[0]
SYSTEMD = Path(__file__).parents[2] / "systemd"


def test_every_unit_stands_in_the_reference() -> None:
    named = {path.name for path in SYSTEMD.glob("tableside-*.*")} - {"tableside-backup.service"}  # the timer's
    assert {name for name in named if f"`{name}`" not in SECTION} == set()


def test_every_word_of_the_installer_stands_in_the_reference() -> None:
    usage = (SYSTEMD / "install").read_text(encoding="utf-8").split("<<END\n")[1].split("\nEND")[0]
    words = set(re.findall(r"--[a-z]+", usage)) | {"rollback", "uninstall", "kiosk", "server", "both"}
    assert {word for word in words - {"--root"} if word not in SECTION} == set()


def test_every_key_of_a_prepared_file_stands_in_the_reference() -> None:
    assert set(rows("Prepared tables")) == set(prepared.KEYS)
