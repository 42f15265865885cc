"""Whatever people press and ask for, in any order: time is conserved, replay is the live table, nothing runs that should not."""

from __future__ import annotations

import dataclasses
from typing import Any

from evening import LEFT, RIGHT, Evening, setup
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from kiosk import codec
from kiosk.domain import facts as f
from kiosk.domain.asked import score_of
from kiosk.domain.errors import CommandRefused
from kiosk.domain.facts import CheckItem, StopReason
from kiosk.domain.rulebook import FlagPolicy, Kind, LateRule, LateStart, Method, OnFlag, Provide
from kiosk.domain.state import OVER, Game, Phase, Table
from kiosk.domain.types import NS_PER_MS, NS_PER_S, SIDES, Instant, Side, Span, seconds
from kiosk.session import Session
from kiosk.session import commands as c
from kiosk.session.limits import due
from tests.often import often

sides = st.sampled_from(SIDES)
bys = st.sampled_from(["left", "right"])
spans = st.one_of(
    st.integers(0, 300 * NS_PER_MS),
    st.integers(0, 15 * NS_PER_S),
    st.integers(0, 400 * NS_PER_S),
    st.integers(0, 15).map(lambda s: s * NS_PER_S),
)
cubes = st.sampled_from([None, 1, 2, 4])
kinds = st.sampled_from([Kind.SINGLE, Kind.GAMMON, Kind.BACKGAMMON])

RISES = (f.MatchOpened, f.SeatsSwapped, f.PressPutBack, f.StartSwapped, f.RecordUndone, f.SessionEndUndone, f.TimeRefilled)
"""Facts after which a remaining time may be higher than before; besides them only Fischer's and Bronstein's presses."""


def only_integers(value: Any) -> bool:
    if dataclasses.is_dataclass(value):
        return all(only_integers(getattr(value, field.name)) for field in dataclasses.fields(value))
    if isinstance(value, tuple):
        return all(only_integers(item) for item in value)
    return not isinstance(value, float)


class Ledger:
    """A listener that keeps books of its own: what each fact did to the two reserves, overruns and used spans."""

    def __init__(self) -> None:
        self.last = Table()

    def check(self, fact: f.Fact, after: Table) -> None:
        before, self.last = self.last, after
        if before.clock is None or after.clock is None or isinstance(fact, f.MatchOpened | f.PowerRestored):
            return
        self._rises(fact, before, after)
        self._conserves(fact, before, after)

    @staticmethod
    def _rises(fact: f.Fact, before: Table, after: Table) -> None:
        assert before.clock is not None
        assert after.clock is not None
        granted = before.clock.control.method is not Method.DELAY and isinstance(
            fact, f.GameStarted | f.TurnEnded | f.DoubleOffered | f.DoubleTaken | f.PlayerArrived
        )
        if isinstance(fact, RISES) or granted:
            return
        for side in SIDES:
            assert after.clock.reserve[side] <= before.clock.reserve[side]

    @staticmethod
    def _conserves(fact: f.Fact, before: Table, after: Table) -> None:
        """Elapsed running time = what reserves and overruns paid + what the delay paid, by hand from the stored figures."""
        was, now = before.clock, after.clock
        assert was is not None
        assert now is not None
        same = (f.AlertRaised, f.PressIgnored, f.WallClockTrusted)
        if isinstance(fact, same):
            assert now == was, "a fact that moves nothing moved the clock"
            return
        presses = isinstance(fact, f.TurnEnded | f.DoubleTaken | f.GameStarted) or (isinstance(fact, f.DoubleOffered) and not fact.early)
        halts = isinstance(
            fact, f.ClockStopped | f.RefereeCalled | f.GameRecorded | f.DoublePassed | f.MatchResigned | f.SessionEnded | f.FlagClaimed
        )
        if not (halts or presses) or after.phase is Phase.LATE:
            return
        elapsed = max(0, fact.at - was.since)
        for side in SIDES:
            runs = side in was.running
            free = max(0, was.control.delay - was.used[side]) if was.control.method is Method.DELAY else 0
            due_here = max(0, elapsed - free) if runs and was.control.clocked else 0
            paid = was.reserve[side] - now.reserve[side] + now.overrun[side] - was.overrun[side]
            assert paid == due_here - granted(fact, before, side, elapsed)
            if halts:
                assert now.used[side] - was.used[side] == (elapsed if runs else 0)


def granted(fact: f.Fact, before: Table, side: Side, elapsed: int) -> int:
    """What Fischer's and Bronstein's presses add to a reserve (domain rules 2.6, 3.3)."""
    clock = before.clock
    if clock is None or not clock.control.clocked:
        return 0
    if clock.control.method is Method.BRONSTEIN and isinstance(fact, f.TurnEnded | f.DoubleOffered | f.DoubleTaken):
        return min(clock.used[side] + elapsed, clock.control.delay) if fact.by is side else 0
    if clock.control.method is Method.FISCHER and isinstance(fact, f.GameStarted | f.TurnEnded):
        return clock.control.delay if fact.by is not side and not before.cube.early else 0
    return 0


class TableMachine(RuleBasedStateMachine):
    """One table, any evening."""

    at: int
    table: Evening

    @initialize(
        method=st.sampled_from(Method),
        policy=st.sampled_from(FlagPolicy),
        reserves=st.tuples(st.integers(1, 60), st.integers(1, 60)),
        delay_s=st.sampled_from([0, 3, 12]),
        length=st.sampled_from([None, 1, 2, 3, 7, 11]),
        points=st.booleans(),
    )
    def open(
        self, *, method: Method, policy: FlagPolicy, reserves: tuple[int, int], delay_s: int, length: int | None, points: bool
    ) -> None:
        made = setup(
            length,
            "circle" if length is None else "ibgf",
            reserve_s=reserves,
            delay_s=delay_s,
            method=method,
            on_flag=OnFlag(policy),
            provide=Provide.BREAKS,
        )
        if points:
            made = dataclasses.replace(made, late=LateStart(LateRule.POINTS, seconds(20)))
        self.at = 0
        self.ledger = Ledger()
        self.table = Evening(None, self.ledger.check)
        self._do(c.OpenMatch("m", made))

    # ── Inputs ───────────────────────────────────────────────────────────────
    @rule(span=spans)
    def time_passes(self, span: int) -> None:
        self.at += span
        self.table.session.tick(Instant(self.at))

    @rule(side=sides, span=spans)
    def press(self, side: Side, span: int) -> None:
        self.at += span
        assert self.table.session.press(side, Instant(self.at))

    @rule(span=spans)
    def the_running_side_presses(self, span: int) -> None:
        clock = self.table.table.clock
        self.press(LEFT if clock is None or clock.turn is None else clock.turn, span)

    @rule(by=st.one_of(st.none(), bys), reason=st.one_of(st.none(), st.sampled_from(StopReason)))
    def stop(self, by: str | None, reason: StopReason | None) -> None:
        self._do(c.StopClock(by, reason))

    @rule()
    def resume(self) -> None:
        self._do(c.Resume())

    @rule(side=sides, kind=st.sampled_from([c.Double, c.Take, c.Pass, c.TakeBreak, c.EndBreak, c.ConfirmGame, c.DisputeGame]))
    def one_side_acts(self, side: Side, kind: Any) -> None:
        self._do(kind(side))

    @rule()
    def the_cube_is_offered_and_answered(self) -> None:
        clock = self.table.table.clock
        if clock is not None and clock.turn is not None:
            self._do(c.Double(clock.turn))
            self.at += NS_PER_S
            self._do(c.Take(clock.turn.other))

    @rule(winner=sides, kind=kinds, cube=cubes, confirmed=st.booleans())
    def record(self, *, winner: Side, kind: Kind, cube: int | None, confirmed: bool) -> None:
        self._do(c.RecordGame(winner, kind, cube))
        if confirmed:
            self._do(c.ConfirmGame(winner.other))

    @rule(winner=sides, kind=kinds, cube=cubes)
    def correct(self, winner: Side, kind: Kind, cube: int | None) -> None:
        self._do(c.CorrectGame(len(self.table.table.games), winner, kind, cube, "as agreed"))

    @rule(by=bys, kind=st.sampled_from([c.PressBack, c.SwapStart, c.ClaimFlag, c.CallReferee]))
    def by_name(self, by: str, kind: Any) -> None:
        self._do(kind(by))

    @rule(who=st.sampled_from([(LEFT,), (RIGHT,), SIDES]), kind=st.sampled_from([c.StartLate, c.Arrive]))
    def late(self, who: tuple[Side, ...], kind: Any) -> None:
        self._do(kind(who))

    @rule(
        command=st.sampled_from(
            [
                c.Undo(),
                c.SwapSeats(),
                c.AutomaticDoubling(),
                c.Sign(LEFT, protest=False),
                c.Sign(RIGHT, protest=True, strokes=(((0, 400), (1000, 0)), ((5, 5),))),
            ]
        )
    )
    def other(self, command: c.Command) -> None:
        self._do(command)

    @rule(reopened=st.booleans())
    def end_session(self, *, reopened: bool) -> None:
        self._do(c.EndSession())
        if reopened:
            self.at += NS_PER_S
            self._do(c.Undo())

    @rule(item=st.sampled_from(CheckItem), done=st.booleans())
    def check_in(self, *, item: CheckItem, done: bool) -> None:
        self._do(c.Check(item, done))

    @rule(span=st.integers(0, NS_PER_S), new=st.integers(0, 2000 * NS_PER_S))
    def power_cut(self, span: int, new: int) -> None:
        before = self.table.table
        survivor = self.table.journal.survivor("next")
        session = Session(survivor, [self.ledger.check])
        last = Instant(max(self.at, before.now) + span)
        self.ledger.last = session.table
        restored = session.restore(survivor.rows(), Instant(new), last_beat=last, off=Span(0))
        assert restored
        self.table.journal, self.table.session, self.at = survivor, session, new
        self.ledger.last = session.table
        after = session.table
        assert after.clock is not None
        assert not after.clock.running
        assert after.phase is not Phase.PLAYING
        if before.phase in {Phase.OPENING, Phase.RECORDING, Phase.BREAK} | OVER:
            assert after.phase is before.phase

    def _do(self, command: c.Command) -> None:
        session, at = self.table.session, Instant(self.at)
        session.tick(at)
        before, rows = session.table, session.snapshot(at).journal
        try:
            assert session.command(command, at)
        except CommandRefused:
            assert session.table == before
            assert session.snapshot(at).journal == rows
        self.at = max(self.at, session.table.now)

    # ── What always holds ────────────────────────────────────────────────────
    @invariant()
    def the_journal_holds_the_table(self) -> None:
        assert self.table.replayed() == self.table.table
        for fact in self.table.facts()[-3:]:
            assert codec.decode(*codec.encode(fact)) == fact

    @invariant()
    def the_listener_saw_it_all(self) -> None:
        assert self.table.session.take_faults() == ()

    @invariant()
    def one_side_runs_at_most(self) -> None:
        table = self.table.table
        running = () if table.clock is None else table.clock.running
        if table.phase is Phase.PLAYING:
            assert table.clock is not None
            assert running == (table.clock.turn,)
        elif table.phase is Phase.LATE:
            assert set(running) <= set(table.late.absent)
        else:
            assert running == ()

    @invariant()
    def the_score_is_the_ledgers_sum(self) -> None:
        table = self.table.table
        if table.setup is None:
            return
        total = [sum(e.points for e in table.ledger if (e.winner if isinstance(e, Game) else e.side.other) is side) for side in SIDES]
        score, end = score_of(table), table.ended
        for side, plain in zip(SIDES, total, strict=True):
            raised = end is not None and end.winner is side and end.how != "score" and not end.unplayed and table.setup.length
            assert score[side] == (max(plain, table.setup.length or 0) if raised else plain)

    @invariant()
    def looking_changes_nothing_and_shows_what_is_charged(self) -> None:
        session, before = self.table.session, self.table.table
        for ahead in (0, 1, 30 * NS_PER_S):
            shown = session.snapshot(Instant(self.at + ahead))
            if shown.clock is not None:
                assert all(shown.clock.reserve[side] >= 0 and shown.clock.overrun[side] >= 0 for side in SIDES)
                assert all(shown.clock.reserve[side] == 0 for side in SIDES if shown.clock.overrun[side] and self._plain(side))
        assert session.table == before

    def _plain(self, side: Side) -> bool:
        """Whether nothing can have filled the reserve again after an overrun."""
        table = self.table.table
        return table.clock is not None and table.clock.control.method is Method.DELAY and not table.clock.overtime_given[side]

    @invariant()
    def the_deadline_is_when_something_is_due(self) -> None:
        table, deadline = self.table.table, self.table.session.deadline()
        if deadline is None:
            assert due(table, Instant(10**18)) is None
            return
        assert due(table, deadline) is not None
        assert due(table, Instant(deadline - 1)) is None

    @invariant()
    def everything_is_an_integer(self) -> None:
        assert only_integers(self.table.table)


TableMachine.TestCase.settings = settings(
    max_examples=often(45), stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)
TestTableMachine = TableMachine.TestCase
