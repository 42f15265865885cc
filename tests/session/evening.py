"""An evening at one table, told in seconds: what every test here plays with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kiosk import codec
from kiosk.books import Library
from kiosk.domain import facts as f
from kiosk.domain.asked import score_of
from kiosk.domain.errors import CommandRefused
from kiosk.domain.rulebook import Kind
from kiosk.domain.setup import MatchSetup, Options, resolve
from kiosk.domain.types import NS_PER_S, Instant, Pair, Side, Span, seconds
from kiosk.journal.memory import MemoryJournal
from kiosk.session import Session, replay
from kiosk.session import commands as c

if TYPE_CHECKING:
    from kiosk.domain.clock import Clock
    from kiosk.domain.rulebook import Rulebook
    from kiosk.domain.state import Table

LEFT, RIGHT = Side.LEFT, Side.RIGHT
NAMES = Pair(("Ann",), ("Bo",))
LIBRARY = Library()


def book(name: str = "ibgf") -> Rulebook:
    return LIBRARY.load(name)


def setup(length: int | None = 7, rulebook: str = "ibgf", **options: Any) -> MatchSetup:
    reserve = options.pop("reserve_s", 60)
    reserve = reserve if isinstance(reserve, tuple | None) else (reserve, reserve)
    if reserve is not None:
        options["reserve"] = Pair(seconds(reserve[0]), seconds(reserve[1]))
    if "delay_s" in options:
        options["delay"] = seconds(options.pop("delay_s"))
    if "score" in options:
        options["score"] = Pair(*options["score"])
    return resolve(book(rulebook), Options(length, options.pop("players", NAMES), **options))


def ns(at_s: float) -> Instant:
    return Instant(seconds(at_s))


class Evening:
    """A session on a journal in memory; every instant in seconds."""

    def __init__(self, made: MatchSetup | None = None, *listeners: Any) -> None:
        self.journal = MemoryJournal(boot="first")
        self.session = Session(self.journal, listeners)
        if made is not None:
            self.session.command(c.OpenMatch("m1", made), Instant(0))

    @property
    def table(self) -> Table:
        return self.session.table

    @property
    def score(self) -> tuple[int, int]:
        score = score_of(self.table)
        return score.left, score.right

    def press(self, side: Side, at_s: float) -> tuple[f.Fact, ...]:
        return self.session.press(side, ns(at_s))

    def do(self, command: c.Command, at_s: float) -> tuple[f.Fact, ...]:
        return self.session.command(command, ns(at_s))

    def refuse(self, command: c.Command, at_s: float) -> str:
        """Send what must be refused; the code. Nothing but due time may have changed anything."""
        self.session.tick(ns(at_s))
        before, rows = self.table, list(self.journal.rows())
        with pytest.raises(CommandRefused) as refused:
            self.do(command, at_s)
        assert refused.value.message.endswith(".")
        assert self.table == before
        assert list(self.journal.rows()) == rows
        return refused.value.code.value

    def clock(self, at_s: float) -> Clock:
        shown = self.session.snapshot(ns(at_s)).clock
        assert shown is not None
        return shown

    def reserve(self, at_s: float) -> tuple[float, float]:
        reserve = self.clock(at_s).reserve
        return reserve.left / NS_PER_S, reserve.right / NS_PER_S

    def delay_left(self, side: Side, at_s: float) -> float:
        return self.clock(at_s).delay_left(side) / NS_PER_S

    def begin(self, at_s: float = 0.0, by: Side = RIGHT) -> Evening:
        """The opening press; by default left is on the clock afterwards."""
        self.press(by, at_s)
        return self

    def play_game(self, at_s: float, winner: Side, kind: Kind = Kind.SINGLE, cube: int | None = None) -> Evening:
        """Record and confirm a game without using the clock."""
        self.do(c.RecordGame(winner, kind, cube), at_s)
        self.do(c.ConfirmGame(winner.other), at_s)
        return self

    def facts(self) -> list[f.Fact]:
        found = [codec.decode(row.type, row.data) for row in self.journal.rows()]
        return [fact for fact in found if not isinstance(fact, codec.UnknownFact)]

    def replayed(self) -> Table:
        return replay(self.journal.rows())

    def power_cut(self, at_s: float, last_beat_s: float | None = None, off_s: float | None = None) -> bool:
        """The process dies; a new boot begins, and at its instant `at_s` the table is on again."""
        self.journal = self.journal.survivor("next")
        self.session = Session(self.journal)
        beat = None if last_beat_s is None else ns(last_beat_s)
        off: Span | None = None if off_s is None else seconds(off_s)
        return self.session.restore(self.journal.rows(), ns(at_s), last_beat=beat, off=off)
