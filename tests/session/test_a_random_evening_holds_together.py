"""Random evenings at a table: time is conserved, replay equals life, a refused command changes nothing, power cuts lose nothing."""

from __future__ import annotations

from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from kiosk import codec
from kiosk.books import Library
from kiosk.domain import clock as ck
from kiosk.domain.asked import plain_score, score_of
from kiosk.domain.errors import CommandRefused
from kiosk.domain.facts import Fact, StopReason, TimeRefilled
from kiosk.domain.officials import Official, Role
from kiosk.domain.rulebook import FlagPolicy, Kind, Method, OnFlag, Provide
from kiosk.domain.setup import Options, resolve
from kiosk.domain.state import OVER, Hall, Phase
from kiosk.domain.types import NS_PER_MS, SIDES, Instant, Pair, Side, Span, seconds
from kiosk.journal import MemoryJournal, verify
from kiosk.session import Session, last_match, replay, running_match
from kiosk.session import commands as c
from kiosk.session.limits import deadline, due
from tests.often import often

LIBRARY = Library()
SIDE = st.sampled_from(SIDES)
STEP = st.one_of(st.integers(0, 300 * NS_PER_MS), st.integers(0, 40_000 * NS_PER_MS))


def _spent(before: ck.Clock, after: ck.Clock) -> int:
    """What two readings of the same turn say was run, delay included."""
    used = sum(after.used[side] - before.used[side] for side in SIDES)
    taken = sum(before.reserve[side] - after.reserve[side] + after.overrun[side] - before.overrun[side] for side in SIDES)
    assert 0 <= taken <= used
    return used


class Evening(RuleBasedStateMachine):
    """One table, driven by chance."""

    def __init__(self) -> None:
        super().__init__()
        self.now = Instant(10**12)
        self.journal = MemoryJournal()
        self.session = Session(self.journal)
        self.boots = 0

    @initialize(
        method=st.sampled_from(Method),
        policy=st.sampled_from(FlagPolicy),
        length=st.sampled_from([1, 2, 3, 5, 7, 11]),
        reserve=st.tuples(st.integers(1, 90), st.integers(1, 90)),
        delay=st.integers(0, 12),
        provide=st.sampled_from(Provide),
    )
    def open(self, method: Method, policy: FlagPolicy, length: int, reserve: tuple[int, int], delay: int, provide: Provide) -> None:
        """A match with a short clock, so that flags fall."""
        options = Options(
            length=length,
            players=Pair(("A",), ("B",)),
            reserve=Pair(seconds(reserve[0]), seconds(reserve[1])),
            delay=seconds(delay),
            method=method,
            provide=provide,
            on_flag=OnFlag(policy, extra=seconds(7)),
        )
        self._command(c.OpenMatch("m", resolve(LIBRARY.load("ibgf"), options)))

    def _pass_time(self, step: int) -> None:
        self.now = Instant(self.now + step)
        table = self.session.table
        while table.clock is not None and (fact := due(self.session.table, self.now)) is not None:
            self._conserves(Instant(min(self.now, deadline(self.session.table) or self.now)), fact)
        self._conserves(self.now, None)

    def _conserves(self, until: Instant, fact: Fact | None) -> None:
        """Between two facts exactly the elapsed time is spent, by whoever runs."""
        before = self.session.table.clock
        assert before is not None
        if before.control.clocked and before.running:
            settled = ck.settle(before, until)
            elapsed = max(0, until - before.since)
            assert _spent(before, settled) == elapsed * len(before.running)
            for side in SIDES:
                assert settled.reserve[side] <= before.reserve[side]
        facts = self.session.tick(until)
        assert fact is None or fact in facts
        for each in facts:
            if isinstance(each, TimeRefilled):
                assert each.policy in {FlagPolicy.OVERTIME, FlagPolicy.PENALTY_POINTS, FlagPolicy.GAME_LOSS}

    def _command(self, command: Any) -> None:
        self.session.tick(self.now)
        before, rows = self.session.table, self.journal.state().accepted
        try:
            self.session.command(command, self.now)
        except CommandRefused as refused:
            assert refused.message.endswith(".")
            assert self.session.table is before
            assert self.journal.state().accepted == rows

    @rule(step=STEP, side=SIDE)
    def press(self, step: int, side: Side) -> None:
        """A clock button."""
        self._pass_time(step)
        self.session.press(side, self.now)

    @rule(step=STEP, side=SIDE, reason=st.sampled_from([None, *StopReason]))
    def stop(self, step: int, side: Side, reason: StopReason | None) -> None:
        """Stop, or give the reason."""
        self._pass_time(step)
        self._command(c.StopClock(side, reason))

    @rule(step=STEP)
    def resume(self, step: int) -> None:
        """Run on."""
        self._pass_time(step)
        self._command(c.Resume())

    @rule(step=STEP, side=SIDE, kind=st.sampled_from([c.Double, c.Take, c.Pass]))
    def cube(self, step: int, side: Side, kind: Any) -> None:
        """Offers and answers."""
        self._pass_time(step)
        self._command(kind(side))

    @rule(step=STEP, side=SIDE, kind=st.sampled_from([Kind.SINGLE, Kind.GAMMON, Kind.BACKGAMMON]))
    def record(self, step: int, side: Side, kind: Kind) -> None:
        """A game ends."""
        self._pass_time(step)
        self._command(c.RecordGame(side, kind, None))

    @rule(step=STEP, side=SIDE, kind=st.sampled_from([c.ConfirmGame, c.ConfirmGame, c.DisputeGame, c.TakeBreak, c.EndBreak]))
    def settle_game(self, step: int, side: Side, kind: Any) -> None:
        """Confirmations, disputes, breaks."""
        self._pass_time(step)
        self._command(kind(side))

    @rule(step=STEP, side=SIDE, kind=st.sampled_from([c.PressBack, c.SwapStart, c.ClaimFlag, c.CallReferee]))
    def claims(self, step: int, side: Side, kind: Any) -> None:
        """Claims and presses put back."""
        self._pass_time(step)
        self._command(kind(side))

    @rule(step=STEP, sides=st.sampled_from([(Side.LEFT,), (Side.RIGHT,), SIDES]), kind=st.sampled_from([c.StartLate, c.Arrive]))
    def late(self, step: int, sides: tuple[Side, ...], kind: Any) -> None:
        """Late starts."""
        self._pass_time(step)
        self._command(kind(sides))

    @rule(
        step=STEP,
        game=st.integers(0, 4),
        side=SIDE,
        kind=st.sampled_from([Kind.SINGLE, Kind.GAMMON]),
        cube=st.sampled_from([None, 1, 2, 4]),
    )
    def correct(self, step: int, game: int, side: Side, kind: Kind, cube: int | None) -> None:
        """Corrections."""
        self._pass_time(step)
        self._command(c.CorrectGame(game, side, kind, cube, "misread"))

    @rule(step=STEP, side=SIDE)
    def sign(self, step: int, side: Side) -> None:
        """Signatures."""
        self._pass_time(step)
        self._command(c.Sign(side, protest=False))

    @precondition(lambda self: self.session.table.awaiting is not None)
    @rule(step=STEP)
    def undo(self, step: int) -> None:
        """Undo of a record is the table before it, times included."""
        self._pass_time(step)
        held = self.session.table.awaiting
        assert held is not None
        if held.disputed:
            return
        before, since = held.before, held.at
        self._command(c.Undo())
        after = self.session.table
        paused = after.hall.pause is not None  # then it comes back stopped
        phase = Phase.STOPPED if paused and before.phase is Phase.PLAYING else before.phase
        assert (after.phase, after.cube, after.ledger, after.game_turns) == (phase, before.cube, before.ledger, before.game_turns)
        assert before.clock is not None
        assert after.clock is not None
        was, now = ck.settle(before.clock, since), ck.settle(after.clock, self.now)
        assert (was.reserve, was.used, was.overrun, was.turn) == (now.reserve, now.used, now.overrun, now.turn)
        assert now.running == (() if paused else was.running)

    @rule(step=STEP, off=st.integers(0, 10**13), reboot=st.booleans())
    def power_cut(self, step: int, off: int, reboot: bool) -> None:  # noqa: FBT001
        """The process dies; a new one takes up the journal, on the same or on a new monotonic clock."""
        self._pass_time(step)
        self.session.beat(self.now)
        before = self.session.table
        self.boots += 1
        self.journal = self.journal.survivor(f"boot-{self.boots}")
        beat = self.journal.last_beat()
        assert beat is not None
        dead = self.now
        self.now = Instant(off) if reboot else Instant(self.now + off)
        self.session = Session(self.journal)
        self.session.restore(list(self.journal.rows()), self.now, last_beat=Instant(beat.mono_ns), off=Span(off))
        after = self.session.table
        assert before.clock is not None
        assert after.clock is not None
        lived = ck.settle(before.clock, dead)
        assert (after.clock.reserve, after.clock.used, after.clock.overrun) == (lived.reserve, lived.used, lived.overrun)
        assert (after.clock.turn, after.clock.running, after.clock.flags) == (lived.turn, (), lived.flags)
        assert (after.cube, after.ledger, score_of(after)) == (before.cube, before.ledger, score_of(before))
        assert after.phase is (Phase.STOPPED if before.phase is Phase.PLAYING else before.phase)

    @rule(
        step=STEP,
        command=st.sampled_from(
            [
                c.PauseHall("Eva", "fire"),
                c.LiftPause("Eva"),
                c.ShowMessage(4, "Eva", "Lunch"),
                c.ReadMessage(4),
                c.MoveRoundStart("Eva", Instant(10**12)),
                c.RefereeComing("Rea"),
            ]
        ),
    )
    def desk(self, step: int, command: Any) -> None:
        """Orders of the hall's desk."""
        self._pass_time(step)
        self._command(command)

    @rule(step=STEP, now=st.integers(0, 10**13), age=st.sampled_from([None, seconds(3)]))
    def fail(self, step: int, now: int, age: Span | None) -> None:
        """The table fails, and a spare one with a clock of its own goes on with what the server has of the match."""
        self._pass_time(step)
        before = self.session.table
        match = running_match("12", last_match(list(self.journal.rows())))
        self.boots += 1
        self.now, self.journal = Instant(now), MemoryJournal(boot=f"spare-{self.boots}")
        self.session = Session(self.journal)
        self.session.command(c.SignIn(Official("Vera", Role.REFEREE)), self.now)
        self.session.take_over(match, age, self.now)
        self.session.command(c.SignOut(), self.now)
        after = self.session.table
        assert before.clock is not None
        assert after.clock is not None
        lived = ck.settle(before.clock, before.now)
        assert (after.clock.reserve, after.clock.used, after.clock.overrun) == (lived.reserve, lived.used, lived.overrun)
        assert (after.clock.turn, after.clock.running, after.clock.flags) == (lived.turn, (), lived.flags)
        assert (after.cube, after.ledger, score_of(after)) == (before.cube, before.ledger, score_of(before))
        assert after.phase is (Phase.STOPPED if before.phase is Phase.PLAYING else before.phase)
        assert after.hall == Hall()

    @invariant()
    def nothing_runs_in_a_pause(self) -> None:
        """Whatever happens in it."""
        table = self.session.table
        assert table.hall.pause is None or table.clock is None or not table.clock.running

    @invariant()
    def replay_equals_life(self) -> None:
        """The journal alone gives the live table, and its chain holds."""
        rows = list(self.journal.rows())
        assert replay(rows) == self.session.table
        assert verify(rows).fault is None

    @invariant()
    def one_side_runs(self) -> None:
        """Both run only in a late start; nobody runs but at play."""
        clock, phase = self.session.table.clock, self.session.table.phase
        if clock is None:
            return
        assert len(clock.running) <= (2 if phase is Phase.LATE else 1)
        assert not clock.running or phase in {Phase.LATE, Phase.PLAYING}
        assert phase is not Phase.PLAYING or clock.running == (clock.turn,)

    @invariant()
    def looking_changes_nothing(self) -> None:
        """A snapshot is a pure reading, in whole nanoseconds, and it agrees with the score's ledger."""
        table = self.session.table
        shot = self.session.snapshot(Instant(self.now + 123_456_789))
        assert self.session.table is table
        if table.setup is not None and table.phase not in OVER:
            assert shot.clock is not None
            assert all(type(shot.clock.reserve[side]) is int for side in SIDES)
            assert score_of(table) == plain_score(table.setup, table.ledger)

    @invariant()
    def facts_survive_the_codec(self) -> None:
        """What was stored last comes back as it was."""
        for row in list(self.journal.rows())[-3:]:
            fact = codec.decode(row.type, row.data)
            assert not isinstance(fact, codec.UnknownFact)
            assert codec.encode(fact) == (row.type, row.data)


Evening.TestCase.settings = settings(
    max_examples=often(25), stateful_step_count=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
TestRandomEvenings = Evening.TestCase
