"""What the loop's panel does for badge reader and printer: in the background, and told on the screen."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from kiosk import pins
from kiosk.app.panel import Panel
from kiosk.app.roster import FileRoster
from kiosk.domain.errors import RosterError
from kiosk.domain.officials import Official, Role, badge_secret
from kiosk.ui.actions import PrintSheet
from kiosk.ui.view import Health
from tests.ui.moments import MOMENTS, PLAIN, Table

CARD = "0F00184C7B"
VERA = Official("Vera", Role.CHIEF)


class Working:
    """A panel without a window, over a match that is over."""

    def __init__(self, folder: Path) -> None:
        self.match: Table = MOMENTS["ended"](PLAIN)
        self.woken = threading.Event()
        window = SimpleNamespace(next_show=lambda _now, **_changed: None)
        self.panel = Panel(cast("Any", window), self.match.desk, self.match.chronicle, None)
        self.roster = FileRoster(folder / "officials.json")
        self.roster.add(VERA, "2468")
        self.match.desk.roster = self.roster
        self.panel.ask(cast("Any", self.roster), self.woken.set)
        self.panel.work_beside(self.woken.set)
        self.panel.badges(self.roster.path)

    def heard(self) -> str:
        assert self.woken.wait(60)
        self.woken.clear()
        self.panel.hear(self.match.now)
        told = self.match.desk._said
        return "" if told is None else told[0].text


@pytest.fixture
def working(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Working]:
    monkeypatch.setattr(pins, "COST", pins.Cost(n=2**4))
    one = Working(tmp_path)
    yield one
    one.panel.close()


def test_a_badge_is_looked_up_beside_the_loop_and_signs_in(working: Working) -> None:
    working.roster.give_badge("Vera", CARD)
    working.panel.present(CARD, working.match.now)
    assert working.match.session.table.official is None
    assert working.heard() == "Vera is signed in."


def test_a_badge_is_given_to_who_is_entered_here(working: Working) -> None:
    assert working.match.desk.give_badge is not None
    working.match.desk.give_badge("Vera", CARD)
    assert working.roster.find(badge_secret(CARD)) == VERA


def test_of_who_is_entered_at_the_server_the_number_is_told(working: Working) -> None:
    assert working.match.desk.give_badge is not None
    with pytest.raises(RosterError, match=rf"Goran is entered at the tournament server: .* Its number is {CARD}\."):
        working.match.desk.give_badge("Goran", CARD)


def test_a_receipt_is_drawn_beside_the_loop_and_what_came_of_it_is_said(working: Working) -> None:
    handed: list[bytes] = []
    working.panel.prints(lambda: b"dots", handed.append)
    working.match.desk._act(PrintSheet(), 0, 0, working.match.now, 0)
    assert working.heard() == "Printing …"
    assert handed == [b"dots"]
    for low, words in ((False, "The receipt is printed."), (True, "The receipt is printed; the roll is nearly at its end.")):
        working.panel.printed(low, working.match.now)
        told = working.match.desk._said
        assert told is not None
        assert told[0].text == words


def test_what_does_not_work_stands_in_the_header_until_it_does(working: Working) -> None:
    faults = ["The receipt printer is out of paper: put a roll in.", ""]
    for fault in faults:
        working.panel.device_fault = lambda fault=fault: fault
        working.panel.show(working.match.now, working.match.session._journal.state(), Health())
        assert working.match.desk.health.devices == fault
