"""Lawful evenings by chance: steps drawn by Hypothesis, played at a table; whatever the table refuses has done nothing."""

from __future__ import annotations

from typing import Any

from evening import LEFT, RIGHT, Evening, setup
from hypothesis import strategies as st

from kiosk.domain import facts as f
from kiosk.domain.errors import CommandRefused
from kiosk.domain.facts import AppealTo, Outcome, Permit, StopReason
from kiosk.domain.officials import Official, Role
from kiosk.domain.rulebook import FlagPolicy, Kind, Method, OnFlag, Provide, Sanction
from kiosk.domain.types import NS_PER_S, SIDES, Instant, Pair, Side, Span, seconds
from kiosk.session import commands as c

CHIEF, DEPUTY, REFEREE = (Official(name, role) for name, role in (("Cleo", Role.CHIEF), ("Dan", Role.DEPUTY), ("Rea", Role.REFEREE)))

SIDE = st.sampled_from(SIDES)
WAITS = st.sampled_from([0, NS_PER_S // 7, 2 * NS_PER_S, 13 * NS_PER_S, 25 * NS_PER_S])
KIND = st.sampled_from([Kind.SINGLE, Kind.GAMMON])

SCORES = st.sampled_from([None, (0, 0), (3, 1), (4, 2), (4, 4), (2, 3)])
"""Of five points: nothing special, match point, double match point."""

SETUPS = st.builds(
    lambda length, score, method, policy, reserve, delay: setup(
        length,
        "circle" if length is None else "ibgf",
        reserve_s=reserve,
        delay_s=delay,
        method=method,
        on_flag=OnFlag(policy, extra=seconds(7)),
        provide=Provide.BREAKS,
        **({} if score is None or length != 5 else {"score": score}),
    ),
    length=st.sampled_from([1, 3, 5, 5, 7, None]),
    score=SCORES,
    method=st.sampled_from(Method),
    policy=st.sampled_from([FlagPolicy.CLAIM, FlagPolicy.CLAIM, *FlagPolicy]),
    reserve=st.tuples(st.sampled_from([5, 60, 600]), st.sampled_from([5, 60, 600])),
    delay=st.sampled_from([0, 3, 12]),
)

INFRACTIONS = st.sampled_from(["dice_replaced", "eating", "device", "break_unauthorised"])


def rulings(sanctions: st.SearchStrategy[Any]) -> st.SearchStrategy[c.Rule]:
    return st.builds(
        lambda sides, code, sanction, kind: c.Rule(
            sides[:1] if sanction is Sanction.GAME_LOSS else sides,
            code,
            sanction,
            kind if sanction is Sanction.GAME_LOSS else None,
            panel=("Eve",) if sanction is Sanction.EXPULSION else (),
            duplicate="keep",
        ),
        sides=st.sampled_from([(LEFT,), (RIGHT,), SIDES]),
        code=INFRACTIONS,
        sanction=sanctions,
        kind=st.sampled_from([None, Kind.SINGLE, Kind.GAMMON]),
    )


RULINGS = rulings(st.sampled_from(Sanction))

Step = c.Command | Side | str
"""What somebody does: a command, a press, or `PLAY` or `GAME`."""

PLAY, GAME = "the press that the clock waits for", "a game is recorded and confirmed"

PLAYERS: st.SearchStrategy[Step] = st.one_of(
    st.just(PLAY),
    st.just(PLAY),
    st.sampled_from([PLAY, PLAY, GAME]),
    SIDE,  # any press
    st.sampled_from([c.StopClock("left", StopReason.DICE), c.StopClock(None, None), c.CallReferee("right"), c.Resume(), c.Resume()]),
    st.builds(lambda side, kind: kind(side), SIDE, st.sampled_from([c.Double, c.Take, c.Pass, c.TakeBreak, c.EndBreak])),
    st.builds(lambda side, kind: kind(side), SIDE, st.sampled_from([c.ConfirmGame, c.ConfirmGame, c.ConfirmGame, c.DisputeGame])),
    st.builds(c.RecordGame, SIDE, KIND, st.sampled_from([None, 1, 2])),
    st.builds(lambda side, kind: kind(str(side)), SIDE, st.sampled_from([c.PressBack, c.SwapStart, c.ClaimFlag])),
    st.builds(lambda side: c.Sign(side, protest=False), SIDE),
    st.sampled_from([c.ResignMatch(LEFT), c.EndSession(), c.SwapSeats(), c.StartLate((LEFT,)), c.Arrive((LEFT,))]),
)

ACTS: st.SearchStrategy[c.Command] = st.one_of(
    st.builds(lambda side, s: c.Adjust(side, seconds(s), "lost"), SIDE, st.sampled_from([60, 5, -3])),
    st.builds(lambda a, b: c.SetReserves(Pair(seconds(a), seconds(b)), "misread"), st.sampled_from([30, 90]), st.sampled_from([40, 700])),
    st.builds(
        lambda delay, method: c.SetControl(None if delay is None else seconds(delay), method, "wrong"),
        st.sampled_from([None, 5, 20]),
        st.sampled_from([None, *Method]),
    ),
    st.sampled_from([c.RestartDelay(), c.SwapSeats(), c.RestartGame("set up wrongly"), c.Suspend("XG"), c.ResumeMatch(), c.Receive()]),
    st.builds(c.CancelNextDelay, SIDE),
    st.builds(lambda side: c.ClearFlag(side, "clock fault"), SIDE),
    st.builds(lambda value, side: c.SetCube(value, None if value == 1 else side, "board"), st.sampled_from([1, 2, 4]), SIDE),
    st.builds(
        lambda turn: c.SetState(
            Pair(1, 2) if turn else Pair(0, 0),
            Pair(seconds(50), seconds(40)),
            turn,
            Span(0),
            1,
            None,
            4,
            crawford_played=False,
            breaks=Pair(0, 0),
        ),
        st.sampled_from([None, LEFT, RIGHT]),
    ),
    st.builds(lambda sides: c.Forfeit(sides, "left the hall"), st.sampled_from([(LEFT,), (RIGHT,), SIDES])),
    st.builds(c.ChangeDice, SIDE),
    st.builds(c.Allow, SIDE, st.sampled_from(Permit)),
    st.builds(c.Back, SIDE, st.sampled_from(Permit)),
    st.sampled_from([c.PressBack("referee"), c.SwapStart("referee")]),
    st.builds(
        lambda n, side, kind, cube: c.CorrectGame(n, side, kind, cube, "sheet"),
        st.integers(1, 4),
        SIDE,
        KIND,
        st.sampled_from([None, 1, 2]),
    ),
    st.builds(lambda n: c.Void(n, "mistaken"), st.integers(1, 4)),
    st.builds(lambda n, outcome: c.DecideAppeal(n, outcome, ("Eve", "Fay")), st.integers(1, 3), st.sampled_from(Outcome)),
    RULINGS,
)

SLIP: st.SearchStrategy[c.Command] = st.builds(lambda n, side: c.LodgeAppeal(n, side, AppealTo.COMMITTEE), st.integers(1, 4), SIDE)

_AT_PLAY = [(0, PLAY), (0, PLAY), (NS_PER_S, PLAY)]
_SECOND = [(NS_PER_S, PLAY), (0, GAME), (NS_PER_S, PLAY), (NS_PER_S, PLAY), (2 * NS_PER_S, PLAY)]

STARTS: st.SearchStrategy[list[tuple[int, Step]]] = st.sampled_from(
    [
        [],
        [(0, PLAY)],
        _AT_PLAY,
        [*_AT_PLAY, (NS_PER_S, c.StopClock("left", StopReason.DICE))],
        [*_AT_PLAY, (NS_PER_S, c.Double(LEFT)), (NS_PER_S, c.Double(RIGHT))],
        [*_AT_PLAY, (0, c.Double(LEFT)), (0, c.Double(RIGHT)), (0, PLAY), (NS_PER_S, PLAY)],
        [*_AT_PLAY, (NS_PER_S, c.RecordGame(LEFT, Kind.GAMMON, 2))],
        [*_AT_PLAY, (NS_PER_S, c.RecordGame(LEFT, Kind.SINGLE, None)), (0, c.DisputeGame(RIGHT))],
        [*_AT_PLAY, (0, GAME)],
        [*_AT_PLAY, (0, GAME), (0, c.TakeBreak(LEFT))],
        _SECOND,
        [*_SECOND, (0, GAME), (0, GAME)],
        [*_SECOND, (0, GAME), (0, GAME), (0, GAME), (0, c.Sign(LEFT, protest=False))],
        [*_SECOND, (0, c.ResignMatch(LEFT)), (0, c.Sign(LEFT, protest=False)), (0, c.Sign(RIGHT, protest=False))],
        [(0, c.StartLate((LEFT,)))],
        [*_AT_PLAY, (NS_PER_S, c.Rule((LEFT,), "dice_replaced", Sanction.PENALTY_POINT))],
        [*_AT_PLAY, (NS_PER_S, c.Rule((LEFT,), "eating", Sanction.GAME_LOSS))],
        [*_AT_PLAY, (NS_PER_S, c.Rule((LEFT,), "device", Sanction.MATCH_LOSS)), (0, c.LodgeAppeal(1, LEFT, AppealTo.COMMITTEE))],
        [*_AT_PLAY, (NS_PER_S, c.Suspend("XG"))],
    ]
)
"""So that every boundary is reached often."""

EVENINGS = st.builds(
    lambda start, more: [*start, *more],
    STARTS,
    st.lists(st.tuples(WAITS, st.one_of(PLAYERS, PLAYERS, PLAYERS, ACTS, SLIP)), max_size=12),
)
"""What is done before: mostly by players, now and then by the chief."""

MORE = st.lists(st.tuples(WAITS, st.one_of(PLAYERS, SLIP)), max_size=12)


class Chance:
    """A table at which the chief stays signed in, on a clock of its own."""

    def __init__(self, made: Any) -> None:
        self.evening = Evening(made)
        self.at = 0
        self.step(0, c.SignIn(CHIEF))

    def step(self, wait: int, what: Step) -> tuple[f.Fact, ...] | None:
        """Wait, then do it; None where it was refused."""
        self.at += wait
        session = self.evening.session
        session.touch(Instant(self.at))
        if what == GAME:
            winner = SIDES[len(session.table.games) % 2]
            self._do(c.RecordGame(winner, Kind.SINGLE, None))
            return self._do(c.ConfirmGame(winner.other))
        if isinstance(what, str):
            clock = session.table.clock
            side = what if isinstance(what, Side) else RIGHT if clock is None or clock.turn is None else clock.turn
            facts = session.press(side, Instant(self.at))
            self.at = max(self.at, session.table.now)
            return facts
        return self._do(what)

    def _do(self, command: c.Command) -> tuple[f.Fact, ...] | None:
        session = self.evening.session
        try:
            facts = session.command(command, Instant(self.at))
        except CommandRefused:
            facts = None
        self.at = max(self.at, session.table.now)
        return facts
