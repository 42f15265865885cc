"""What is shown at any instant is what is charged then, and the screen says itself when it will next look different, never too late."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.domain.rulebook import FlagPolicy, Method, OnFlag
from kiosk.domain.state import Phase
from kiosk.domain.types import NS_PER_S, Instant, Pair, Side, clock_text
from kiosk.session import commands as c
from kiosk.ui.draw import Box, Digits, Op, Scene
from kiosk.ui.theme import DARK
from tests.ui.moments import MOMENTS, PLACES, PLAIN, Table, table

LEFT, RIGHT = Side.LEFT, Side.RIGHT


def _round_start() -> Table:
    match = table()
    return match.open(round_start=Instant(match.now + 23 * NS_PER_S + 17)).wait(2)


def _method(method: Method) -> Table:
    return table().open(method=method, reserve=Pair(31 * NS_PER_S, 28 * NS_PER_S)).press(LEFT, 1).press(RIGHT, 3).wait(1)


def _refilled(policy: FlagPolicy) -> Table:
    match = table().open(reserve=Pair(25 * NS_PER_S, 3 * NS_PER_S), on_flag=OnFlag(policy, extra=30 * NS_PER_S))  # type: ignore[arg-type]
    return match.press(LEFT, 1).wait(11)


def _no_delay() -> Table:
    return table().open(delay=0, reserve=Pair(40 * NS_PER_S, 40 * NS_PER_S)).press(LEFT, 1).press(RIGHT, 3).wait(1)


STATES: dict[str, Callable[[], Table]] = {name: lambda make=make: make(PLAIN) for name, make in MOMENTS.items()}  # type: ignore[misc]
STATES |= {
    "round-start": _round_start,
    "no-delay": _no_delay,
    "bronstein": lambda: _method(Method.BRONSTEIN),
    "fischer": lambda: _method(Method.FISCHER),
    "auto": lambda: _refilled(FlagPolicy.AUTO),
    "overtime": lambda: _refilled(FlagPolicy.OVERTIME),
    "penalty": lambda: _refilled(FlagPolicy.PENALTY_POINTS),
}
AT_PLAY = [
    "playing", "playing-hours", "playing-tenths", "playing-first-turn", "double-offered", "double-early", "no-delay", "bronstein",
    "fischer", "flag", "both-flags", "overtime", "penalty", "ask-double", "record", "menu", "unwell",
]  # fmt: skip

spans = st.one_of(
    st.integers(0, 90 * NS_PER_S),
    st.integers(0, 900).map(lambda n: n * NS_PER_S // 10),
    st.integers(0, 900).map(lambda n: n * NS_PER_S // 10 + 1),
    st.integers(0, 400).map(lambda n: n * NS_PER_S),
)


def without_bar(scene: Scene) -> tuple[Op, ...]:
    return tuple(op for op in scene.ops if not (isinstance(op, Box) and op.colour == DARK.run_ink))


@pytest.mark.no_cover  # pictures that others measure, looked at once more
@pytest.mark.parametrize("state", list(STATES))
@settings(max_examples=12, deadline=None)
@given(spans, st.booleans(), st.lists(st.floats(0, 1), min_size=2, max_size=4))
def test_a_picture_holds_until_the_instant_that_it_names(state: str, span: int, said: bool, shares: list[float]) -> None:  # noqa: FBT001
    match = STATES[state]()
    place = list(PLACES.values())[len(state) % 3]
    match.picture(place)
    if said:
        match.desk.say("Done.", match.now + span // 2)
        match.desk.touch(2, 2, match.now + span // 2)
    match.now += span
    first = match.picture(place)
    now = match.now
    until = now + 400 * NS_PER_S if first.changes_at is None else first.changes_at
    assert until > now
    for at in sorted({*(now + int((until - now) * share) for share in shares), until - 1} - {until}):
        match.now = at
        assert without_bar(match.picture(place)) == without_bar(first), f"{at - now} ns later, before {until - now}"


@pytest.mark.parametrize("state", AT_PLAY)
@settings(max_examples=25, deadline=None)
@given(spans)
def test_what_is_shown_is_what_a_press_charges(state: str, span: int) -> None:
    match = STATES[state]()
    match.now += span
    at = Instant(match.now)
    shot = match.session.snapshot(at)
    if shot.phase is not Phase.PLAYING or shot.clock is None or shot.clock.turn is None:
        return
    texts = [op.text for op in match.picture().ops if isinstance(op, Digits)]
    assert shot.shown.left in texts
    assert shot.shown.right in texts
    side = shot.clock.turn
    match.session.press(side, at)
    after = match.session.table.clock
    assert after is not None
    if shot.clock.control.method is Method.BRONSTEIN:
        back = min(shot.clock.used[side], shot.clock.control.delay)
        assert after.reserve[side] in {shot.clock.reserve[side], shot.clock.reserve[side] + back}
        return
    assert clock_text(after.reserve[side]) == shot.shown[side]
    if shot.clock.control.method is not Method.FISCHER:
        assert clock_text(after.reserve[side.other]) == shot.shown[side.other]


@settings(max_examples=60, deadline=None)
@given(spans)
def test_what_is_shown_is_what_a_stop_leaves(span: int) -> None:
    match = STATES["playing-tenths"]()
    match.now += span
    texts = [op.text for op in match.picture().ops if isinstance(op, Digits)]
    match.session.command(c.StopClock(None, None), Instant(match.now))
    assert match.session.snapshot(Instant(match.now + 5 * NS_PER_S)).shown.left in texts
    assert match.session.snapshot(Instant(match.now + 5 * NS_PER_S)).shown.right in texts
