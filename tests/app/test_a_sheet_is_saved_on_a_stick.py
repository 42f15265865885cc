"""The button on the finished screen: the sheet on a stick, as PDF and JSON, whole or not at all."""

from __future__ import annotations

import errno
import json
import os
from datetime import UTC
from pathlib import Path

import pytest

from kiosk.app import media
from kiosk.app.media import StickFault
from kiosk.app.stick import file_name, save_sheet
from kiosk.domain.errors import CommandRefused, KioskError
from kiosk.domain.rulebook import Kind
from kiosk.domain.setup import Options, resolve
from kiosk.domain.types import Instant, Pair, Side
from kiosk.journal import MemoryJournal
from kiosk.say import speaking
from kiosk.session import Session
from kiosk.session import commands as c
from kiosk.sheets import sheets
from tests.ui.moments import BOOKS, MOMENTS, PLAIN
from tests.ui.test_an_official_signs_in import said

SEEN = 1_700_000_000 * 10**9


def journal(*, trusted: bool = True) -> MemoryJournal:
    made = MemoryJournal(boot="b", wall=lambda: (SEEN, trusted))
    session = Session(made)
    players = Pair(("Ана/Ива", "=cmd()"), ("ნინო",))
    session.command(c.OpenMatch("m1", resolve(BOOKS["ibgf"], Options(1, players))), Instant(0))
    session.command(c.RecordGame(Side.LEFT, Kind.SINGLE, None), Instant(1))
    session.command(c.ConfirmGame(Side.RIGHT), Instant(2))
    return made


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    (tmp_path / "media" / "usb").mkdir(parents=True)
    return tmp_path / "media" / "usb"


def test_both_files_are_on_the_stick_in_the_language_spoken(stick: Path) -> None:
    with speaking("ru"):
        told = save_sheet(journal().rows, "Стол 7", UTC, stick.parent)
    name = "2023-11-14-Стол-7-Ана-Ива-cmd-ნინო-m1-r1"
    assert told == f"usb/{name}.pdf, .json"
    assert sorted(path.name for path in stick.iterdir()) == [f"{name}.json", f"{name}.pdf"]
    assert (stick / f"{name}.pdf").read_bytes().startswith(b"%PDF")
    assert json.loads((stick / f"{name}.json").read_bytes())["match"] == "m1"


def test_a_date_that_nobody_has_set_is_in_no_name() -> None:
    (sheet,) = sheets(list(journal(trusted=False).rows()))
    assert file_name(sheet, "") == "Ана-Ива-cmd-ნინო-m1-r1"


def test_without_a_stick_or_a_match_it_is_said(tmp_path: Path, stick: Path) -> None:
    with pytest.raises(CommandRefused, match="No stick is there"):
        save_sheet(journal().rows, "7", UTC, tmp_path / "none")
    with pytest.raises(CommandRefused, match="no match"):
        save_sheet(MemoryJournal().rows, "7", UTC, stick.parent)


def test_a_full_stick_keeps_what_it_had(stick: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_sheet(journal().rows, "7", UTC, stick.parent)
    before = {path.name: path.read_bytes() for path in stick.iterdir()}

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(media.os, "fsync", full)
    with pytest.raises(StickFault, match="full"):
        save_sheet(journal().rows, "7", UTC, stick.parent)
    assert {path.name: path.read_bytes() for path in stick.iterdir()} == before


def test_the_finished_screen_saves_it_and_says_what_came_of_it() -> None:
    match = MOMENTS["signed"](PLAIN)
    match.touch("Save")
    assert said(match) == "No sheet can be saved here."
    match.desk.save_sheet = lambda: "usb/a.pdf, .json"
    match.wait(5).touch("Save")
    assert said(match) == "Saved: usb/a.pdf, .json. The stick can be pulled out."

    def fails() -> str:
        raise KioskError("The stick usb is full.")

    match.desk.save_sheet = fails
    match.wait(5).touch("Save")
    assert said(match) == "The stick usb is full."
