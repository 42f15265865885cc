"""A table that plays and sends what it has to an intake, for tests of what the server makes of it."""

from __future__ import annotations

import asyncio
from typing import Any

from kiosk.books import Library
from kiosk.chain import START
from kiosk.domain.officials import Official, Role
from kiosk.domain.rulebook import Kind
from kiosk.domain.setup import Options, resolve
from kiosk.domain.state import Place
from kiosk.domain.types import NS_PER_S, Instant, Pair, Side, seconds
from kiosk.journal.memory import MemoryJournal
from kiosk.ports import Row
from kiosk.server.intake import Intake
from kiosk.session import Session
from kiosk.session import commands as c
from kiosk.session.carry import adjourned
from kiosk.sync import wire

LEFT, RIGHT = Side.LEFT, Side.RIGHT
REFEREE = Official("Vera", Role.REFEREE)
BOOT_DATE = 1_600_000_000 * NS_PER_S
"""The table's date when its boot began: years behind the server's."""
AHEAD = 1_700_000_000 * NS_PER_S
"""The server's date then."""


class PlayingTable:
    """One table; every instant in seconds of its monotonic clock."""

    def __init__(self, intake: Intake, device: str, boot: str = "boot") -> None:
        self.intake, self.device, self.boot = intake, device, boot
        self.journal = MemoryJournal(boot=boot, wall=lambda: (BOOT_DATE, True))
        self.session = Session(self.journal)
        self.sent = 0

    @property
    def rows(self) -> list[Row]:
        return list(self.journal.rows())

    def open(self, at: float, match: str = "m1", *, length: int | None = 3, place: Place | None = None, **options: Any) -> None:
        players = options.pop("players", Pair(("Ana",), ("Boris",)))
        reserve = Pair(seconds(60), seconds(60))
        setup = resolve(Library().load("ibgf"), Options(length, players, reserve=reserve, **options))
        self.session.command(c.OpenMatch(match, setup, place), _at(at))

    def do(self, command: Any, at: float) -> None:
        self.session.command(command, _at(at))

    def press(self, side: Side, at: float) -> None:
        self.session.press(side, _at(at))

    def game(self, winner: Side, at: float, kind: Kind = Kind.SINGLE) -> None:
        """A game of one press each."""
        self.press(winner, at)
        self.press(winner.other, at + 1)
        self.do(c.RecordGame(winner, kind, 1), at + 2)
        self.do(c.ConfirmGame(winner.other), at + 3)

    def finish(self, at: float, winner: Side = LEFT) -> None:
        """A whole match of three points, and both signatures."""
        for n in range(3):
            self.game(winner, at + 10 * n)
        for side in Side:
            self.do(c.Sign(side, protest=False), at + 40)

    def send(self, at: float, *, received_s: float | None = None) -> wire.SyncAnswer:
        """Send what is new; the intake's clock stands at `received_s` of this table's."""
        clock = getattr(self.intake, "test_clock", None)
        if clock is not None:
            clock[0] = AHEAD + round((at if received_s is None else received_s) * NS_PER_S)
        rows = self.rows
        prev = rows[self.sent - 1].hash if self.sent else START
        new = tuple(rows[self.sent :])
        now = wire.Moment(self.boot, _at(at), BOOT_DATE, True)
        batch = wire.Batch(rows[0].hash if rows else "", self.sent, prev, new, (), now, 0)
        answer = asyncio.run(self.intake.submit(self.device, batch))
        self.sent += len(new)
        assert self.intake.projections.settled(60)
        return answer

    def take_up(self, other: PlayingTable, at: float) -> None:
        """Take up the match that another table has adjourned."""
        self.do(c.SignIn(REFEREE), at)
        self.session.take_up(adjourned("another", other.rows)[0], _at(at))


def _at(at: float) -> Instant:
    return Instant(seconds(at))
