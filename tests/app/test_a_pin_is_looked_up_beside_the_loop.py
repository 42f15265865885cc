"""Stretching a PIN takes long: the loop goes on meanwhile, and hears of it when it is known."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from kiosk.app.panel import Panel
from kiosk.app.roster import FileRoster
from kiosk.domain.errors import RosterUnavailable
from kiosk.domain.officials import Official, Role
from kiosk.domain.types import Side
from kiosk.ui.screens.official.desk import Officials
from kiosk.ui.screens.official.signin import SignPad
from tests.patience import Stopwatch
from tests.ui.moments import Table

VERA = Official("Vera", Role.CHIEF)


@pytest.fixture
def roster(tmp_path: Path) -> FileRoster:
    found = FileRoster(tmp_path / "officials.json")
    found.add(VERA, "2468")
    return found


class Asked:
    """A panel without a window, whose roster waits until it is let go."""

    def __init__(self, roster: FileRoster) -> None:
        self.table = Table().open()
        self.table.desk.roster = roster
        self.woken = threading.Event()
        self.let_go = threading.Event()
        window = cast("Any", SimpleNamespace())
        self.panel = Panel(window, self.table.desk, self.table.chronicle, None)
        real = roster.finder

        def slow(secret: str) -> Any:
            find = real(secret)

            def wait() -> Official | None:
                assert self.let_go.wait(60)
                return find()

            return wait

        roster.finder = slow  # type: ignore[method-assign]
        self.panel.ask(roster, self.woken.set)
        self.table.show(SignPad())

    def type(self, pin: str) -> None:
        for digit in pin:
            self.table.desk.typed(digit, self.table.now)
        self.table.desk.enter(self.table.now)

    def answered(self) -> None:
        self.let_go.set()
        assert self.woken.wait(60)
        self.panel.hear(self.table.now)


@pytest.fixture
def asked(roster: FileRoster) -> Any:
    found = Asked(roster)
    yield found
    found.let_go.set()
    found.panel.close()


def said(asked: Asked) -> str:
    told = asked.table.desk._said
    return "" if told is None else told[0].text


def test_the_clock_runs_and_presses_count_while_a_pin_is_looked_up(asked: Asked) -> None:
    asked.table.press(Side.LEFT, 1)
    watch = Stopwatch()
    asked.type("2468")
    assert watch.seconds() < 5, "the loop waited for the roster"
    assert said(asked) == "Looking it up …"
    asked.table.press(Side.RIGHT, 3)
    assert asked.table.session.table.clock.turn is Side.LEFT  # type: ignore[union-attr]
    asked.answered()
    assert asked.table.session.table.official.official == VERA  # type: ignore[union-attr]
    assert isinstance(asked.table.desk._open[-1], Officials)


def test_a_wrong_pin_is_counted_when_it_is_known(asked: Asked) -> None:
    asked.type("1357")
    assert asked.table.session.table.lockout.count == 0
    asked.answered()
    assert asked.table.session.table.lockout.count == 1
    assert said(asked) == "This PIN is nobody's."


def test_who_has_left_the_pad_signs_in_nowhere(asked: Asked) -> None:
    asked.type("2468")
    asked.table.desk.back(asked.table.now)
    asked.answered()
    assert asked.table.session.table.official is None
    assert asked.table.desk._open == []


def test_a_second_pin_waits_for_the_first(asked: Asked) -> None:
    asked.type("2468")
    asked.type("1357")
    assert said(asked) == "The PIN before is still being looked up."
    asked.answered()
    assert asked.table.session.table.official is not None


def test_a_fault_while_looking_up_is_said_and_the_next_pin_can_be_given(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    def out_of_memory() -> Any:
        raise MemoryError("no room to stretch a PIN")

    with monkeypatch.context() as patched:
        patched.setattr(asked.table.desk.roster, "finder", lambda _secret: out_of_memory)
        asked.type("2468")
        asked.answered()
    assert said(asked) == "This could not be done (MemoryError: no room to stretch a PIN)."
    asked.woken.clear()
    asked.type("2468")
    asked.answered()
    assert asked.table.session.table.official is not None


def test_a_roster_that_cannot_be_read_is_said_and_counts_for_nothing(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_secret: str) -> Any:
        raise RosterUnavailable("The list of officials cannot be read.")

    monkeypatch.setattr(asked.table.desk.roster, "finder", broken)
    asked.type("2468")
    assert said(asked) == "The list of officials cannot be read."
    assert asked.table.session.table.lockout.count == 0
