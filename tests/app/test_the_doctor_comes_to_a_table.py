"""The doctor of a running table, on a simulated box."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware import SimulatedBox, SourceKeeper
from kiosk.app.doctor.bedside import BUTTONS, Bedside
from kiosk.app.doctor.run import Check, Examination
from kiosk.app.table import RunningTable
from kiosk.books import Library
from kiosk.domain.facts import PressIgnored
from kiosk.domain.officials import Official, Role
from kiosk.domain.setup import Options, resolve
from kiosk.domain.types import NS_PER_MS, NS_PER_S, Instant, Pair, Side
from kiosk.journal import MemoryJournal
from kiosk.ports import Finding
from kiosk.session import Session
from kiosk.session import commands as c
from kiosk.ui.chronicle import Chronicle
from kiosk.ui.desk import Desk
from kiosk.ui.doctor import Trial, Tried
from kiosk.ui.screens.base import Screen
from kiosk.ui.screens.doctor import ButtonTrial, Checkup, PartTrial, TouchTrial
from kiosk.ui.screens.settings import Settings
from tests.ui.moments import BOOKS, SMALL

START = 1000 * NS_PER_S


class Hall:
    """A running table with a doctor, its desk, and a hand on time."""

    def __init__(self) -> None:
        self.now = START
        self.chronicle = Chronicle(lambda: "")
        self.session = Session(MemoryJournal(), [self.chronicle.hear])
        self.box = SimulatedBox(lambda: self.now)
        self.keeper = SourceKeeper(self.box.source, lambda: self.now)
        self.keeper.start(self.now)
        self.table = RunningTable(self.session, self.keeper)
        self.table.start(self.now)
        self.desk = Desk(self.session, BOOKS, self.chronicle, new_match=lambda: "m")
        self.checks: list[Check] = []
        self.woken = threading.Semaphore(0)
        self.doctor = Bedside(self.table, lambda: self.checks, self.woken.release)
        self.doctor.shows = self.desk.shows
        self.desk.doctor = self.doctor

    def turn(self, s: float = 0.2) -> None:
        self.now += round(s * NS_PER_S)
        self.table.turn(self.now)
        self.doctor.turn(self.now)
        self.desk.scene(SMALL, self.now)

    def press(self, line: str, bounce_ms: int = 0) -> None:
        for closed in (True, False):
            self.box.drive(line, closed, self.now)  # type: ignore[arg-type]
            for step in range(bounce_ms):
                self.box.drive(line, closed is (step % 2 == 1), self.now + (step + 1) * NS_PER_MS)  # type: ignore[arg-type]
            self.turn()

    def touch(self, name: str) -> None:
        scene = self.desk.scene(SMALL, self.now)
        control = next(control for control in scene.controls if control.name == name)
        self.turn(1)
        self.desk.touch(control.rect.x + control.rect.w // 2, control.rect.y + control.rect.h // 2, self.now)
        self.desk.release(self.now)
        self.turn(0.01)

    def open(self) -> None:
        setup = resolve(Library([Path("/nonexistent")]).load("ibgf"), Options(length=5, players=Pair(("A",), ("B",))))
        self.session.command(c.OpenMatch("m", setup), Instant(self.now))
        self.turn()

    def words(self) -> list[str]:
        return [str(getattr(op, "text", "")) for op in self.desk.scene(SMALL, self.now).ops]


@pytest.fixture
def hall() -> Iterator[Hall]:
    here = Hall()
    yield here
    here.keeper.close()


def good(name: str, wait: Callable[[], object] = lambda: None) -> Check:
    def go() -> Examination:
        wait()
        return Examination((Finding(name, name, "fine", "good"),))

    return Check(name, name, go)


def settled(hall: Hall, times: int) -> None:
    for _ in range(times):
        assert hall.woken.acquire(timeout=60)
    assert hall.doctor._working is not None
    hall.doctor._working.join(60)


def test_results_come_in_as_they_are_ready(hall: Hall) -> None:
    gate = threading.Event()
    hall.checks = [good("data"), good("disk", gate.wait)]
    hall.desk._open.append(Checkup())
    hall.touch("Look")
    assert hall.woken.acquire(timeout=60)
    assert [finding.grade for finding in hall.doctor.findings()] == ["good", "waits"]
    assert hall.doctor.busy()
    hall.touch("Check again")
    assert "It is being looked at already." in hall.words()
    gate.set()
    settled(hall, 1)
    assert [finding.grade for finding in hall.doctor.findings()] == ["good", "good"]
    hall.turn(5)
    assert "Nothing is wrong with this box" in hall.words()


def test_he_is_not_begun_while_a_clock_runs(hall: Hall) -> None:
    hall.checks = [good("data")]
    hall.open()
    hall.press("left")
    hall.doctor.begin()
    assert hall.doctor.findings() == ()


def test_he_stops_when_a_clock_begins_to_run(hall: Hall) -> None:
    gate = threading.Event()
    hall.checks = [good("data", gate.wait), good("disk")]
    hall.doctor.begin()
    hall.open()
    hall.press("left")
    gate.set()
    settled(hall, 2)
    assert [finding.figure for finding in hall.doctor.findings()] == ["fine", "not looked at: a clock runs"]


def test_while_a_match_is_on_an_official_looks(hall: Hall) -> None:
    hall.open()
    hall.desk._open.append(Settings())
    hall.touch("Check the box")
    assert "A match is on; an official signs in first." in hall.words()
    hall.press("left")
    hall.touch("Check the box")
    assert "A clock runs; the box is looked at when none does." in hall.words()


def test_without_a_match_anybody_may_look(hall: Hall) -> None:
    hall.desk._open.append(Settings())
    hall.touch("Check the box")
    assert hall.desk.shows("checkup")


def test_buttons_are_tried_and_no_press_counts(hall: Hall) -> None:
    hall.open()
    hall.session.command(c.SignIn(None), Instant(hall.now))
    before = hall.chronicle.count
    hall.desk._open.append(ButtonTrial())
    hall.doctor.shows = lambda name: name == BUTTONS
    hall.turn()
    hall.press("left", 3)
    hall.press("left", 8)
    hall.press("right")
    assert hall.doctor.buttons() == Pair(Tried(2, 26, 8 * NS_PER_MS, 8 * NS_PER_MS), Tried(1, 2))
    assert hall.chronicle.count == before
    assert hall.session.table.clock is not None
    assert not hall.session.table.clock.running
    hall.doctor.shows = lambda _name: False
    hall.turn()
    assert [(f.name, f.grade) for f in hall.doctor.findings()] == [("button_left", "good"), ("button_right", "good")]
    hall.press("left")
    assert hall.session.table.clock.running == (Side.RIGHT,), "the trial is over: presses count"


def test_a_press_counts_where_a_clock_runs_in_spite_of_a_trial(hall: Hall) -> None:
    hall.open()
    hall.press("left")
    hall.table.trial = lambda _edge: None
    hall.press("right")
    assert hall.session.table.clock is not None
    assert hall.session.table.clock.running == (Side.LEFT,)
    assert not any(isinstance(entry.fact, PressIgnored) for entry in hall.chronicle.entries)


def test_a_fault_in_the_trial_stops_no_press(hall: Hall) -> None:
    def fail(_edge: object) -> None:
        raise RuntimeError("the meter is broken")

    hall.open()
    hall.press("left")
    hall.table.trial = fail
    hall.box.drive("right", True, hall.now)
    with pytest.raises(RuntimeError, match="the meter is broken"):
        hall.table.turn(hall.now + NS_PER_MS)
    assert hall.session.table.clock is not None
    assert hall.session.table.clock.running == (Side.LEFT,)


def test_a_trial_begins_anew_each_time(hall: Hall) -> None:
    hall.doctor.shows = lambda _name: True
    hall.turn()
    hall.press("left")
    hall.doctor.shows = lambda _name: False
    hall.turn()
    hall.doctor.shows = lambda _name: True
    hall.turn()
    assert hall.doctor.buttons() == Pair(Tried(), Tried())


def test_lamps_and_sounds_are_tried_by_name_and_answered(hall: Hall) -> None:
    done: list[str] = []
    hall.doctor.parts = lambda: [(Trial(name, name, "Seen?"), lambda name=name: done.append(name)) for name in ("one", "two")]  # type: ignore[misc]
    hall.desk._open.append(Checkup())
    hall.touch("Lamps, sounds")
    hall.touch("two")
    assert done == ["two"]
    hall.touch("No")
    assert [(f.name, f.grade) for f in hall.doctor.findings()] == [("two", "wrong")]
    hall.touch("two")
    hall.touch("Yes")
    assert [(f.name, f.grade) for f in hall.doctor.findings()] == [("two", "good")]
    assert hall.doctor.count() == 2
    assert hall.doctor.next_wake(hall.now) is None


@pytest.mark.parametrize("screen", [Checkup(), ButtonTrial(), TouchTrial(), PartTrial()])
def test_his_screens_close_when_a_clock_runs(hall: Hall, screen: Screen) -> None:
    hall.open()
    hall.session.command(c.SignIn(Official("Vera", Role.CHIEF)), Instant(hall.now))
    hall.desk._open.append(screen)
    hall.turn()
    assert hall.desk.shows(screen.name)
    if isinstance(screen, ButtonTrial):
        hall.session.command(c.StartLate((Side.RIGHT,)), Instant(hall.now))
    else:
        hall.press("left")
    hall.turn()
    assert not hall.desk.shows(screen.name)
