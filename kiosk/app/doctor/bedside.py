"""The doctor of a running table: a part of the loop that has the checks done on a thread of its own, and the buttons tried.

He never works while a clock runs: he is not begun then, and stops between two checks when one begins to run. While the screen for the
buttons is open the table's edges are measured here, and no press of theirs counts; the screen closes when a clock runs.
"""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from hardware import LINES, BounceMeter
from kiosk.app.doctor.buttons import figures
from kiosk.app.doctor.judge_box import judge_button
from kiosk.domain.types import Pair
from kiosk.ports import Sound
from kiosk.say import _, mark
from kiosk.ui.doctor import Trial, Tried

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hardware import Edge, Line
    from kiosk.app.doctor.run import Check
    from kiosk.app.signals import Signals
    from kiosk.app.table import RunningTable
    from kiosk.ports import Finding

BUTTONS = "buttontrial"
"""The name of the screen on which buttons are tried."""


SOUNDS = {
    Sound.PRESS: mark("Sound of a press"),
    Sound.ALERT: mark("Sound of an alert"),
    Sound.LAST_SECONDS: mark("Sound of the last seconds"),
    Sound.FLAG: mark("Sound of the flag"),
}


def trials(working: Signals | None, now: Callable[[], int] = time.monotonic_ns) -> list[tuple[Trial, Callable[[], None]]]:
    """Each lamp and each sound of this box, with what tries it.

    Args:
        working: Lamps and sounder; None where there are none.
        now: The monotonic clock.
    """
    found: list[tuple[Trial, Callable[[], None]]] = []
    if working is not None and working.can_be_seen:
        seen = _("Did the lamp shine?")
        left = Trial("lamp_left", _("Left lamp"), seen), lambda: working.try_lamps(Pair(left=True, right=False), now())
        right = Trial("lamp_right", _("Right lamp"), seen), lambda: working.try_lamps(Pair(left=False, right=True), now())
        found += [left, right]
    if working is not None and working.can_be_heard:
        for sound, label in SOUNDS.items():
            found.append((Trial(f"sound_{sound}", _(label), _("Was the sound heard?")), partial(_try_sound, working, sound, now)))
    return found


def _try_sound(working: Signals, sound: Sound, now: Callable[[], int]) -> None:
    working.try_sound(sound, now())


class Bedside:
    """`kiosk.ui.doctor.Doctor`; all but the thread belongs to the loop."""

    name = "doctor"

    def __init__(self, table: RunningTable, checks: Callable[[], Sequence[Check]], wake: Callable[[], None]) -> None:
        """Nothing is looked at yet.

        Args:
            table: The running table.
            checks: What there is to look at, asked for at each beginning.
            wake: Wakes the loop, from any thread.
        """
        self._table = table
        self._checks = checks
        self._wake = wake
        self._lines: list[tuple[Finding, ...]] = []
        self._own: dict[str, Finding] = {}
        self._meter = BounceMeter()
        self._count = 0
        self._working: threading.Thread | None = None
        self._stop = False
        self.parts: Callable[[], Sequence[tuple[Trial, Callable[[], None]]]] = tuple
        """What can be lit and heard, each with what does it; it returns at once."""
        self.shows: Callable[[str], bool] = lambda _name: False
        """Whether a screen is open."""

    # ── For the screen ───────────────────────────────────────────────────────
    def findings(self) -> tuple[Finding, ...]:
        """A line of each part, what was tried by hand last."""
        return tuple(finding for lines in tuple(self._lines) for finding in lines) + tuple(self._own.values())

    def busy(self) -> bool:
        """Whether he still looks."""
        return self._working is not None and self._working.is_alive()

    def buttons(self) -> Pair[Tried]:
        """What was seen since the trial was opened."""
        left, right = (self._tried(line) for line in LINES)
        return Pair(left, right)

    def _tried(self, line: Line) -> Tried:
        seen = self._meter.measured(line)
        return Tried(seen.presses, seen.edges, seen.last_ns, seen.worst_ns, seen.down)

    def trials(self) -> tuple[Trial, ...]:
        """What can be lit and heard."""
        return tuple(trial for trial, _do in self.parts())

    def count(self) -> int:
        """Goes up with every change."""
        return self._count

    def begin(self) -> None:
        """Look at everything anew; not while a clock runs."""
        if self.busy() or self._clock_runs():
            return
        checks = list(self._checks())
        self._stop, self._own = False, {}
        self._lines = [(check.waiting(),) for check in checks]
        self._count += 1
        self._working = threading.Thread(target=self._look, args=(checks, self._lines), name="doctor", daemon=True)
        self._working.start()

    def _look(self, checks: list[Check], lines: list[tuple[Finding, ...]]) -> None:
        """On the doctor's own thread: each place of the list is filled once."""
        for place, check in enumerate(checks):
            if self._stop:
                lines[place] = (replace(check.waiting(), figure=_("not looked at: a clock runs"), grade="off"),)
            else:
                lines[place] = check.go().findings
            self._count += 1
            self._wake()

    def tried(self, name: str) -> None:
        """Light a lamp, or let a sound be heard."""
        for trial, do in self.parts():
            if trial.name == name:
                do()

    def confirm(self, finding: Finding) -> None:
        """Take a line that somebody has found."""
        self._own[finding.name] = finding
        self._count += 1

    # ── For the loop ─────────────────────────────────────────────────────────
    def turn(self, now: int) -> None:
        """Measure the buttons while their screen is open; stop when a clock runs."""
        del now
        if self._clock_runs():
            self._stop = True
        wanted = self.shows(BUTTONS)
        if wanted and self._table.trial is None:
            self._meter = BounceMeter()
            self._table.trial = self._edge
        elif not wanted and self._table.trial is not None:
            self._table.trial = None
            self._keep()

    def _edge(self, edge: Edge) -> None:
        self._meter.feed(edge)
        self._count += 1

    def _keep(self) -> None:
        """What was pressed in the trial becomes lines of its own."""
        for line in LINES:
            if self._meter.measured(line).edges:
                for finding in judge_button(figures(self._meter, line)):
                    self.confirm(finding)

    def _clock_runs(self) -> bool:
        clock = self._table.session.table.clock
        return clock is not None and bool(clock.running)

    def next_wake(self, now: int) -> int | None:
        """His thread wakes the loop."""
        del now
        return None
