"""Random matches, officials and power cuts included: the journal's match as a scenario plays to the same result."""

from __future__ import annotations

import contextlib
import json
import tempfile
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kiosk import codec
from kiosk.app import result
from kiosk.app.carry import from_file, to_file
from kiosk.app.scenario import parse
from kiosk.app.scenario_export import scenario_of
from kiosk.app.simulate import Simulation
from kiosk.app.told import Teller
from kiosk.books import Library
from kiosk.domain.errors import CommandRefused
from kiosk.domain.facts import AppealTo, CheckItem, MatchTakenUp, OfficialFact, OnPaper, Outcome, Permit, StopReason
from kiosk.domain.officials import Official, Role
from kiosk.domain.rulebook import FlagPolicy, Kind, Method, OnFlag, Provide, Sanction
from kiosk.domain.setup import Options, resolve
from kiosk.domain.state import Phase
from kiosk.domain.types import NS_PER_MS, SIDES, Instant, Pair, Side, Span, seconds
from kiosk.journal import MemoryJournal
from kiosk.session import Session, carried
from kiosk.session import commands as c
from kiosk.sheets import sheets
from tests.often import often

LIBRARY = Library()
OFFICIALS = [Official("Ana", Role.REFEREE), Official("Boris", Role.DEPUTY), Official("Vera", Role.CHIEF), Official("ana", Role.ORGANIZER)]
KINDS = [Kind.SINGLE, Kind.GAMMON, Kind.BACKGAMMON]
CODES = ["late", "hand_on_button", "dice_early", "device", "illegal_move", "match_fixing", "disrespect"]


class Evening:
    """One match, driven by chance; what it may do where is left to the session."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        self.axis = True  # one clock through the whole match: instants can be compared
        self.boots = 0
        self.now = Instant(self.chance.randrange(10**6, 10**13))
        self.journal = MemoryJournal(boot="boot-0", wall=lambda: (self.now + 10**18, False))
        self.session = Session(self.journal)
        self.last: dict[Side, int] = {}
        for _ in range(self.chance.choice([0, 0, 0, 1, 4])):
            self.command(c.SignIn(self.chance.choice([*OFFICIALS, None])))
        self.first = self.journal.state().accepted
        self.open()

    def open(self) -> None:
        pick, number = self.chance.choice, self.chance.randint
        length = pick([None, 1, 2, 3, 5, 7, 11])
        clocked = length is not None or pick([True, False])
        score = Pair(number(0, length - 1), number(0, length - 1)) if length is not None and number(0, 3) == 0 else None
        options = Options(
            length=length,
            players=Pair(("Ann",), ("Bo", "Cy")),
            reserve=Pair(Span(number(10**9, 90 * 10**9)), seconds(number(1, 90))) if clocked else None,
            delay=Span(number(0, 12 * 10**9)) if clocked else None,
            method=pick(list(Method)),
            provide=pick([Provide.BREAKS, *Provide]),
            crawford=pick([None, True, False]),
            cube=pick([None, True, False]),
            jacoby=pick([None, True]),
            backgammon_counts=pick([None, 2, 3]),
            on_flag=OnFlag(pick(list(FlagPolicy)), extra=seconds(7), refill=pick([None, seconds(3)])),
            score=score,
            round_start=pick([None, self.now, Instant(self.now + 10**9)]),
        )
        setup = resolve(LIBRARY.load(pick(["ibgf", "ibgf", "rus-long", "circle", "yellowclub"])), options)
        if self.session.table.official is not None and self.chance.random() < 0.5:
            kinds = [kind for kind, _ in setup.kinds]
            games = tuple(c.PaperGame(pick(SIDES), pick(kinds), 1) for _ in range(number(0, 4)))
            end = c.PaperEnd(pick(["resignation", "flag", "forfeit"]), (pick(SIDES),))
            signed = Pair(pick(list(OnPaper)), pick(list(OnPaper)))
            for ended in (end, None):  # by the score, if these games come to that
                self.command(c.EnterPaper("m", setup, games, ended, pick(["", "sheet 4"]), signed))
                if self.session.table.match:
                    return
        self.command(c.OpenMatch("m", setup))

    def command(self, command: c.Command) -> None:
        with contextlib.suppress(CommandRefused):
            self.session.command(command, self.now)

    def press(self, side: Side) -> None:
        """A button that is let go for 30 ms between two presses; now and then it is held down."""
        self.now = Instant(max(self.now, self.last.get(side, 0) + 32 * NS_PER_MS))
        self.session.press(side, self.now)
        self.last[side] = self.now
        if self.chance.random() < 0.03:
            since, self.now = self.now, Instant(self.now + seconds(1.05))
            self.session.hold(side, since, seconds(1))
            self.last[side] = self.now

    def power_cut(self) -> None:
        self.boots += 1
        off = self.chance.randrange(0, 10**11)
        self.journal = self.journal.survivor(f"boot-{self.boots}")
        reboot = self.chance.random() < 0.3
        beat = Instant(self.now - self.chance.choice([0, 0, 123_456_789]))
        dead = max(beat, self.session.table.now)
        if reboot:
            self.axis = False
            self.now = Instant(self.chance.randrange(0, 10**12))
        else:
            self.now = Instant(dead + off)
        self.session = Session(self.journal)
        self.session.restore(list(self.journal.rows()), self.now, last_beat=beat, off=Span(off))
        self.last = {}

    def step(self) -> None:
        chance = self.chance
        pace = chance.choice([10**8, 10**9, 4 * 10**9, 4 * 10**10])
        self.now = Instant(self.now + chance.randrange(0, pace))
        for touch in range(chance.randint(0, 3)):
            self.session.touch(Instant(min(self.now, self.session.table.now + (touch + 1) * seconds(25))))
        self.session.tick(self.now)
        side, draw = chance.choice(SIDES), chance.random()
        if draw < 0.35:
            turn = self.session.table.clock.turn if self.session.table.clock is not None else None
            self.press(turn if turn is not None and chance.random() < 0.8 else side)
        elif draw < 0.65:
            self.command(self.by_players(side))
        elif draw < 0.97:
            if self.session.table.official is None:
                self.command(c.SignIn(chance.choice([*OFFICIALS, None])))
            self.command(self.by_officials(side))
        else:
            self.power_cut()
        if self.session.table.phase is Phase.SUSPENDED and chance.random() < 0.3:
            self.move()

    def move(self) -> None:
        """The suspended match goes on, by a file, at another table, whose clock has run for another while."""
        match = from_file(to_file(carried("7", list(self.journal.rows())[self.first :])), "stick")
        self.boots, self.axis, self.last = self.boots + 1, False, {}
        self.journal = MemoryJournal(boot=f"elsewhere-{self.boots}", wall=lambda: (self.now + 10**18, False))
        self.session = Session(self.journal)
        self.now = Instant(self.chance.randrange(0, 10**12))
        self.session.command(c.SignIn(self.chance.choice(OFFICIALS)), self.now)
        self.first = self.journal.state().accepted
        self.session.take_up(match, self.now)

    def by_players(self, side: Side) -> c.Command:
        pick, table = self.chance.choice, self.session.table
        if table.phase is Phase.RECORDING and self.chance.random() < 0.7 and table.awaiting is not None:
            return pick([c.ConfirmGame(table.awaiting.winner.other), c.DisputeGame(table.awaiting.winner.other), c.Undo()])
        if table.phase in {Phase.ENDED, Phase.SIGNED} and self.chance.random() < 0.5:
            return pick([c.Sign(side, protest=pick([True, False]), strokes=(((1, 2), (3, 4)),)), c.CallReferee(side)])
        if table.cube.open_offer and self.chance.random() < 0.7:
            return pick([c.Take(side), c.Pass(side), c.PressBack(side)])
        if table.stop is not None and table.stop.reason is None and self.chance.random() < 0.5:
            return c.StopClock(side, pick(list(StopReason)))
        if table.phase is Phase.OPENING and self.chance.random() < 0.4:
            return pick([c.TakeBreak(side), c.AutomaticDoubling(), c.Undo()])
        commands: list[c.Command] = [
            c.Double(side),
            c.Double(side),
            c.Take(side),
            c.Take(side.other),
            c.Pass(side),
            c.StopClock(pick([side, "referee", None]), pick([None, *StopReason])),
            c.Resume(),
            c.Resume(),
            c.Resume(),
            c.RecordGame(side, pick(KINDS), pick([None, None, 1, 2])),
            c.RecordGame(side, pick([Kind.OIN, Kind.MARS, Kind.SINGLE]), None),
            c.CorrectGame(len(table.games), side, pick(KINDS), pick([None, 1, 2]), pick(["", "misread"])),
            c.TakeBreak(side),
            c.TakeBreak(side),
            c.EndBreak(side),
            c.ClaimFlag(pick([side, "referee"])),
            c.StartLate(pick([(side,), SIDES])),
            c.Arrive(pick([(side,), SIDES])),
            c.PressBack(pick([side, "referee"])),
            c.SwapStart(pick([side, "referee"])),
            c.SwapSeats(),
            c.Check(pick(list(CheckItem)), pick([True, True, False])),
            c.AutomaticDoubling(),
            c.CallReferee(pick([side, None])),
            c.Undo(),
            c.LodgeAppeal(self.chance.randint(1, 1 + len(table.rulings)), side, pick([None, *AppealTo])),
        ]
        if self.chance.random() < 0.05:
            commands = [c.ResignMatch(side), c.EndSession()]
        return pick(commands)

    def by_officials(self, side: Side) -> c.Command:
        pick, number, table = self.chance.choice, self.chance.randint, self.session.table
        sides = pick([(side,), (side,), SIDES])
        if table.phase is Phase.SUSPENDED and self.chance.random() < 0.7:
            return c.ResumeMatch()
        if table.awaiting is not None and table.awaiting.disputed:
            return c.RecordGame(side, pick([Kind.SINGLE, Kind.GAMMON, Kind.OIN]), pick([None, 1, 2]))
        if any(appeal.outcome is None for appeal in table.appeals) and self.chance.random() < 0.5:
            return c.DecideAppeal(len(table.appeals), pick(list(Outcome)), ("Ana", "Vera"))
        if self.chance.random() < 0.3:
            return c.SignOut()
        light = [None, Sanction.REMARK, Sanction.WARNING, Sanction.PENALTY_POINT, Sanction.PENALTY_POINT, Sanction.GAME_LOSS]
        sanction = pick([*light, *light, *light, *Sanction])
        kind = pick([None, Kind.SINGLE, Kind.GAMMON]) if sanction is Sanction.GAME_LOSS else None
        rulings = [
            c.Rule(sides, pick(CODES), sanction, kind, pick(["", "seen"]), pick([(), ("Ana", "Vera")]), pick([None, "keep", "merge"]))
            for _ in range(4)
        ]
        rulings.append(replace(rulings[0], sanction=None, kind=None, record_only=True))
        commands: list[c.Command] = [
            *rulings,
            c.Void(number(1, 1 + len(table.rulings)), "misheard"),
            c.Void(number(1, 1 + len(table.rulings)), "wrong side"),
            c.DecideAppeal(number(1, 1 + len(table.appeals)), pick(list(Outcome)), pick([(), ("Ana", "Vera")])),
            c.DecideAppeal(number(1, 1 + len(table.appeals)), pick(list(Outcome)), ("Ana", "Vera")),
            c.Adjust(side, Span(number(-20 * 10**9, 60 * 10**9)), "dice fell"),
            c.SetReserves(Pair(Span(number(0, 90 * 10**9)), seconds(number(0, 90))), "as noted"),
            c.SetControl(pick([None, Span(number(0, 12 * 10**9))]), pick([None, *Method]), pick(["", "wrong setting"])),
            c.RestartDelay(),
            c.CancelNextDelay(side),
            c.ClearFlag(side, "not agreed"),
            c.SetCube(pick([1, 2, 4]), pick([None, side]), "as it lies"),
            c.RestartGame("wrong setup"),
            c.PressBack("referee"),
            c.SwapStart("referee"),
            c.SwapSeats(),
            c.Suspend(pick(["", "XGID=-b"]), pick(["", "hall closes"])),
            c.ResumeMatch(),
            c.ChangeDice(side),
            c.Allow(side, pick(list(Permit)), pick([None, seconds(300)])),
            c.Back(side, pick(list(Permit))),
            c.SignOut(),
            c.SignIn(pick([*OFFICIALS, *OFFICIALS, None])),
            c.Receive(),
            c.Receive(),
            c.Undo(),
            c.Undo(),
            c.NoteRecovery("Ana", "root", 1, wall_trusted=False),
        ]
        if self.chance.random() < 0.08:
            commands = [c.Forfeit(sides, "absent"), self.whole_table(side)]
        return pick(commands)

    def whole_table(self, side: Side) -> c.Command:
        number = self.chance.randint
        reserve = Pair(Span(number(0, 90 * 10**9)), Span(number(0, 90 * 10**9)))
        turn = self.chance.choice([None, side])
        return c.SetState(
            Pair(number(0, 2), 0), reserve, turn, Span(number(0, 10**10)), 2, side, 3, crawford_played=True, breaks=Pair(0, 0)
        )

    def stop(self) -> None:
        """Go back to the last thing that happened: how long the table stood after it is in no journal."""
        last = self.session.table.now
        for row in reversed(list(self.journal.rows())):
            if row.type in {"power_restored", "match_taken_up"}:
                break
            last = Instant(max(last, row.mono_ns + (row.type == "alert_raised")))  # a limit must be passed
        self.now = last

    def result(self) -> dict[str, Any]:
        rows = list(self.journal.rows())
        return comparable(result.build(self.session.snapshot(self.now), result.Log(), rows[self.first].mono_ns), axis=self.axis)


def comparable(outcome: dict[str, Any], *, axis: bool) -> dict[str, Any]:
    """Without what is not the match's; without instants where the table has had several clocks."""
    for key in ("at_ms", "ignored", "refused"):
        del outcome[key]
    if not axis:
        for one in [*outcome["alerts"], *outcome["clock"]["flagged"]]:
            del one["at_ms"]
        outcome["alerts"].sort(key=lambda alert: (alert["code"], alert["side"] or ""))
    return outcome


def played_again(evening: Evening) -> dict[str, Any]:
    rows = list(evening.journal.rows())
    (sheet,) = sheets(rows)
    *lines, end = scenario_of(rows, sheet, LIBRARY).splitlines()
    assert json.loads(end)["do"] == "end"
    steps = parse("exported", "\n".join([*lines, end]), LIBRARY.names())
    with tempfile.TemporaryDirectory() as folder:
        simulation = Simulation(steps, LIBRARY, Path(folder) / "journal.db", lambda _done, _all: None)
        try:
            return comparable(simulation.result(simulation.run()), axis=evening.axis)
        finally:
            simulation.close()


@given(seed=st.integers(0, 2**32), steps=st.integers(0, 100))
@settings(max_examples=often(25), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_match_is_exported_as_a_scenario_that_plays_the_same(seed: int, steps: int) -> None:
    evening = Evening(seed)
    for _ in range(steps):
        evening.step()
    evening.stop()
    teller = Teller()
    for row in list(evening.journal.rows())[evening.first :]:
        fact = codec.decode(row.type, row.data)
        assert not isinstance(fact, codec.UnknownFact)
        assert (teller.tell(fact) is not None) is isinstance(fact, OfficialFact | MatchTakenUp)
    assert played_again(evening) == evening.result()
