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

PLAYERS: st.SearchStrategy[c.Command | Side] = st.one_of(
    SIDE,  # a press
    SIDE,
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
            Pair(1, 2) if turn else Pair(0, 0), Pair(seconds(50), seconds(40)), turn, Span(0), 1, None, 4, crawford_played=False, breaks=Pair(0, 0)
        ),
        st.sampled_from([None, LEFT, RIGHT]),
    ),
    st.builds(lambda sides: c.Forfeit(sides, "left the hall"), st.sampled_from([(LEFT,), (RIGHT,), SIDES])),
    st.builds(c.ChangeDice, SIDE),
    st.builds(lambda side, what: c.Allow(side, what), SIDE, st.sampled_from(Permit)),
    st.builds(lambda side, what: c.Back(side, what), SIDE, st.sampled_from(Permit)),
    st.sampled_from([c.PressBack("referee"), c.SwapStart("referee")]),
    st.builds(lambda n, side, kind, cube: c.CorrectGame(n, side, kind, cube, "sheet"), st.integers(1, 4), SIDE, KIND, st.sampled_from([None, 1, 2])),
    st.builds(lambda n: c.Void(n, "mistaken"), st.integers(1, 4)),
    st.builds(lambda n, outcome: c.DecideAppeal(n, outcome, ("Eve", "Fay")), st.integers(1, 3), st.sampled_from(Outcome)),
    RULINGS,
)

SLIP: st.SearchStrategy[c.Command] = st.builds(lambda n, side: c.LodgeAppeal(n, side, AppealTo.COMMITTEE), st.integers(1, 4), SIDE)

EVENINGS = st.lists(st.tuples(WAITS, st.one_of(PLAYERS, PLAYERS, PLAYERS, ACTS, SLIP)), max_size=30)
"""What is done before: mostly by players, now and then by the chief."""

MORE = st.lists(st.tuples(WAITS, st.one_of(PLAYERS, SLIP)), max_size=12)


class Chance:
    """A table at which the chief stays signed in, on a clock of its own."""

    def __init__(self, made: Any) -> None:
        self.evening = Evening(made)
        self.at = 0
        self.step(0, c.SignIn(CHIEF))

    def step(self, wait: int, what: c.Command | Side) -> tuple[f.Fact, ...] | None:
        """Wait, then do it; None where it was refused."""
        self.at += wait
        session = self.evening.session
        session.touch(Instant(self.at))
        if isinstance(what, Side):
            return session.press(what, Instant(self.at))
        try:
            facts = session.command(what, Instant(self.at))
        except CommandRefused:
            facts = None
        self.at = max(self.at, session.table.now)
        return facts
