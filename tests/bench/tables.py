"""Tables to measure: a match that never ends by itself, a box in virtual time, and a count of charged time done independently."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hardware import SimulatedBox, SourceKeeper
from kiosk.app.table import RunningTable
from kiosk.books import Library
from kiosk.domain.setup import Options, resolve
from kiosk.domain.types import Instant, Pair, Span
from kiosk.session import Session
from kiosk.session.commands import OpenMatch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hardware import Line
    from kiosk.ports import Journal

MS = 1_000_000
S = 1_000_000_000

RESERVE = 20 * 3600 * S
"""More than any bench plays, so that no flag falls."""


def open_match(delay: int) -> OpenMatch:
    """A 7-point match with a reserve that lasts."""
    options = Options(
        length=7,
        players=Pair(("Marija",), ("Boris",)),
        reserve=Pair(Span(RESERVE), Span(RESERVE)),
        delay=Span(delay),
    )
    return OpenMatch("bench", resolve(Library().load("ibgf"), options))


class VirtualTable:
    """A running table whose clock stands where it is told to."""

    def __init__(self, journal: Journal, delay: int = 8 * S, now: int = 1_000 * S) -> None:
        self.now = now
        self.box = SimulatedBox(now_ns=lambda: self.now)
        keeper = SourceKeeper(self.box.source, now_ns=lambda: self.now)
        keeper.start(now)
        self.session = Session(journal)
        self.table = RunningTable(self.session, keeper, grace=Span(0))
        self.table.start(now)
        self.session.command(open_match(delay), Instant(now))

    def press(self, line: Line, at: int, held: int = 80 * MS) -> None:
        """Close and open a contact, each with a turn of the loop at its stamp."""
        for closed, stamp in ((True, at), (False, at + held)):
            self.now = stamp
            self.box.drive(line, closed, stamp)
            self.table.turn(stamp)


@dataclass
class Account:
    """Time charged by a delay clock, counted from stamps alone and without anything of the product."""

    delay: int
    left: int = 0
    right: int = 0
    turns: int = 0
    _since: int | None = None
    _used: int = 0
    _side: str = ""

    def press(self, line: str, at: int) -> None:
        """The side that presses has finished; the other one runs."""
        if self._since is not None:
            self._charge(at)
            self.turns += 1
        self._side, self._since, self._used = ("right" if line == "left" else "left"), at, 0

    def stop(self, at: int) -> None:
        """Both clocks stand; how much delay was used stays."""
        used = self._used + at - (self._since or at)
        self._charge(at)
        self._used, self._since = used, at

    def resume(self, at: int) -> None:
        """The side to move runs on."""
        self._since = at

    def _charge(self, at: int) -> None:
        spent = at - (self._since or at)
        charged = max(0, spent - max(0, self.delay - self._used))
        if self._side == "left":
            self.left += charged
        else:
            self.right += charged

    def error(self, session: Session) -> int:
        """By how many nanoseconds the table's reserves differ; a turn too many or too few is an hour."""
        clock = session.table.clock
        if clock is None:
            return 3600 * S
        wrong = abs(RESERVE - self.left - clock.reserve.left) + abs(RESERVE - self.right - clock.reserve.right)
        return wrong + 3600 * S * abs(self.turns - clock.turns.left - clock.turns.right)


def alternate(first: Line = "left") -> Iterator[Line]:
    """left, right, left …"""
    other: Line = "right" if first == "left" else "left"
    while True:
        yield first
        yield other


def gaps(count: int, total: int, least: int, seed: int) -> list[int]:
    """`count` seeded spans, none shorter than `least`, that add up to `total`."""
    draw = random.Random(seed)
    weights = [draw.random() for _ in range(count)]
    scale = (total - count * least) / sum(weights)
    spans = [least + int(weight * scale) for weight in weights]
    spans[-1] += total - sum(spans)
    return spans
