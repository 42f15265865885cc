"""An hour of hands on the screen, in virtual time: memory must not grow with what is touched."""

from __future__ import annotations

import gc
import random
from pathlib import Path

from kiosk.domain.types import Instant, Side
from kiosk.journal import MemoryJournal
from kiosk.say import LANGUAGES, catalogue
from kiosk.session import Session
from kiosk.ui.chronicle import Chronicle
from kiosk.ui.desk import Desk
from kiosk.ui.paint import Painter
from kiosk.ui.window import place_for
from tests.bench.figures import Bench, CannotMeasure
from tests.bench.processes import resident_mb
from tests.bench.tables import MS, S

WARM = 16_000
"""By then each screen has been seen in each of the four languages, and every letter in every size has been drawn once and is kept."""

TOUCHES = 36_000
HOUR = 3600 * S
SEED = 60
PRESS_SHARE = 0.3


class Forgetful(MemoryJournal):
    """A journal whose rows are on some disk, and not in this memory."""

    def append(self, records: object) -> int:
        seq = super().append(records)  # type: ignore[arg-type]
        del self._rows[:-1]
        return seq


class Hands:
    """Somebody who touches anything."""

    def __init__(self) -> None:
        from kiosk.books import Library

        library = Library([])
        books = {name: library.load(name) for name in library.names()}
        self.now = 1000 * S
        self.draw = random.Random(SEED)
        self.chronicle = Chronicle(lambda: "14:03")
        self.session = Session(Forgetful(), [self.chronicle.hear])
        self.place = place_for(800, 480)
        self.desk = Desk(self.session, books, self.chronicle, new_match=lambda: str(self.now), press=self._contact)
        from pygame import Surface  # after the painter, which keeps its greeting quiet

        self.painter = Painter(Surface((800, 480)))
        self.desk.on_fault = _complain

    def _sit_down(self) -> None:
        """At a new table: the old one waits for a referee."""
        self.session = Session(Forgetful(), [self.chronicle.hear])
        self.desk.take_over(self.session)

    def _contact(self, side: Side, closed: bool, at: int) -> None:  # noqa: FBT001 - a level is a truth value
        if closed:
            self.session.press(side, Instant(at))

    def once(self, gap: int) -> None:
        """Let time pass, look, touch."""
        self.now += gap
        waiting = self.session.table.awaiting
        if waiting is not None and waiting.disputed:
            self._sit_down()
        self.session.tick(Instant(self.now))
        scene = self.desk.scene(self.place, self.now)
        self.painter.paint(scene)
        if self.draw.random() < PRESS_SHARE or not scene.controls:
            x, y = self.draw.randrange(800), self.draw.randrange(480)
        else:
            rect = self.draw.choice(scene.controls).rect
            x, y = rect.x + rect.w // 2, rect.y + rect.h // 2
        self.desk.touch(x, y, self.now)
        self.desk.move(x + 5, y + 3, self.now + 20 * MS)
        self.desk.release(self.now + 40 * MS)


def _complain(where: str, fault: Exception) -> None:
    raise CannotMeasure(f"the screen failed at {where}: {fault!r}")


def measure() -> float:
    pid = int(Path("/proc/self").resolve().name)
    for language in LANGUAGES:  # each is read once, when somebody first speaks it, and kept
        catalogue(language)
    hands = Hands()
    before = 0.0
    for touch in range(TOUCHES):
        if touch == WARM:
            gc.collect()
            before = resident_mb(pid)
        hands.once(HOUR // (TOUCHES - WARM) + 300 * MS)
    gc.collect()
    return resident_mb(pid) - before


BENCH = Bench("MB", 2, measure, "memory gained over 20,000 random touches on the screen, once each screen was seen in each language")
