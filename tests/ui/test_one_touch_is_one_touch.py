"""However many events tell of a touch, by fingers, by mouse or by both, in whatever order, it counts once; two taps count twice."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kiosk.domain.types import NS_PER_MS
from kiosk.ui.pointer import MOUSE, Pointers, Sign, What

NEAR = 40
Kind = Literal["finger", "mouse", "marked"]
Event = tuple[int, Kind, What, int, int, int]
"""(ms, kind, what, finger, x, y)."""


def play(events: list[Event]) -> list[Sign]:
    pointers = Pointers(NEAR)
    heard = []
    for ms, kind, what, number, x, y in sorted(events, key=lambda event: event[0]):
        at = 10**12 + ms * NS_PER_MS
        sign = pointers.finger(what, number, x, y, at) if kind == "finger" else pointers.mouse(what, x, y, at, from_touch=kind == "marked")
        if sign is not None:
            heard.append(sign)
    return heard


def tap(ms: int, kind: Kind, x: int = 300, y: int = 200, *, held: int = 80, number: int = 0) -> list[Event]:
    return [(ms, kind, "down", number, x, y), (ms + held, kind, "up", number, x, y)]


def downs(events: list[Event]) -> int:
    heard = play(events)
    assert sum(sign.what == "up" for sign in heard) == sum(sign.what == "down" for sign in heard)
    return sum(sign.what == "down" for sign in heard)


@pytest.mark.parametrize("delay", [0, 1, 30, 120, 300])
@pytest.mark.parametrize("offset", [(0, 0), (3, -2), (-30, 25)])
def test_a_touch_counts_once_however_it_arrives(delay: int, offset: tuple[int, int]) -> None:
    x, y = 300 + offset[0], 200 + offset[1]
    assert downs(tap(0, "finger")) == 1
    assert downs(tap(0, "mouse")) == 1
    assert downs(tap(0, "finger") + tap(delay, "marked", x, y)) == 1
    assert downs(tap(0, "marked", x, y) + tap(delay, "finger")) == 1
    assert downs(tap(0, "finger") + tap(delay, "mouse", x, y)) == 1
    assert downs(tap(0, "mouse", x, y) + tap(delay, "finger")) == 1


@pytest.mark.parametrize("way", [("finger",), ("mouse",), ("finger", "marked"), ("finger", "mouse"), ("mouse", "finger")])
@pytest.mark.parametrize("delay", [0, 150, 300])
def test_quick_taps_count_each(way: tuple[Kind, ...], delay: int) -> None:
    events = [event for i in range(5) for n, kind in enumerate(way) for event in tap(i * 130 + n * delay, kind, held=50)]
    assert downs(events) == 5


def test_two_taps_in_two_places_count_twice_although_both_echoes_come_late() -> None:
    taps = tap(0, "finger", 100, 100, held=50) + tap(150, "finger", 500, 300, held=50)
    assert downs(taps + tap(300, "mouse", 102, 99, held=50) + tap(440, "mouse", 498, 301, held=50)) == 2


@pytest.mark.parametrize("echo", [None, "mouse", "marked"])
def test_two_fingers_at_once_are_two_touches(echo: Kind | None) -> None:
    events = tap(0, "finger", 100, 100, held=400) + tap(20, "finger", 600, 300, held=400, number=1)
    if echo is not None:
        events += tap(60, echo, 101, 101, held=400)
    heard = play(events)
    assert [(sign.what, sign.finger) for sign in heard] == [("down", 0), ("down", 1), ("up", 0), ("up", 1)]


@pytest.mark.parametrize("before", [-5, 0, 5])
def test_an_echo_that_comes_only_at_the_release_after_a_long_hold_is_an_echo(before: int) -> None:
    assert downs(tap(0, "finger", held=2000) + tap(2000 + before, "mouse", 302, 201, held=1)) == 1


def test_an_echo_after_a_long_drag_is_found_where_it_began_and_where_it_ended() -> None:
    drag: list[Event] = [(0, "finger", "down", 0, 100, 100), (900, "finger", "move", 0, 500, 300), (2000, "finger", "up", 0, 500, 300)]
    assert downs(drag + tap(2010, "mouse", 100, 100, held=1)) == 1
    assert downs(drag + tap(2010, "mouse", 500, 300, held=1)) == 1


@pytest.mark.parametrize(("first", "second"), [("finger", "mouse"), ("mouse", "finger"), ("finger", "marked"), ("marked", "finger")])
def test_a_drag_gives_moves_from_one_kind_only(first: Kind, second: Kind) -> None:
    events: list[Event] = []
    for i in range(40):
        what: What = "down" if i == 0 else "up" if i == 39 else "move"
        for late, kind in ((0, first), (7, second)):
            events.append((i * 16 + late, kind, what, 0, 100 + 10 * i, 100 + 3 * i))
    heard = play(events)
    assert len({sign.finger for sign in heard}) == 1
    assert [sign.x for sign in heard] == [100 + 10 * i for i in range(40)]


def test_a_moving_mouse_with_no_button_down_and_a_lifted_finger_that_never_came_down_are_nothing() -> None:
    assert play([(0, "mouse", "move", 0, 5, 5), (5, "finger", "up", 3, 5, 5), (9, "mouse", "up", 0, 5, 5)]) == []


def test_a_mouse_after_a_finger_elsewhere_is_a_touch_of_its_own() -> None:
    heard = play(tap(0, "finger", 100, 100) + tap(100, "mouse", 500, 300))
    assert [sign.finger for sign in heard if sign.what == "down"] == [0, MOUSE]


@st.composite
def evenings(draw: st.DrawFn) -> tuple[int, list[Event]]:
    """Taps of one hand on one kind of panel: the order of both kinds changes from tap to tap, and so do place, delay and hold.

    Each kind tells its own events in order: a driver that is late with one tap is not early with the next.
    """
    way = draw(st.sampled_from(["finger", "mouse", "marked", "both"]))
    ms, count, events = 0, draw(st.integers(1, 12)), []
    free: dict[Kind, int] = {}
    for _ in range(count):
        held = draw(st.integers(20, 400))
        x, y = draw(st.integers(100, 700)), draw(st.integers(100, 400))
        kinds: list[Kind] = ["finger", "mouse"] if way == "both" else ["finger", "marked"] if way == "marked" else [way]
        if len(kinds) == 2 and draw(st.booleans()):
            kinds.reverse()
        for n, kind in enumerate(kinds):
            late = draw(st.integers(0, 300)) if n else 0
            at = max(ms + late, free.get(kind, 0))
            dx, dy = (draw(st.integers(-8, 8)), draw(st.integers(-8, 8))) if n else (0, 0)
            events += tap(at, kind, x + dx, y + dy, held=held)
            free[kind] = at + held + 1
        ms += held + draw(st.integers(30, 900))
    return count, events


@settings(max_examples=300, deadline=None)
@given(evenings())
def test_as_many_touches_count_as_were_made(evening: tuple[int, list[Event]]) -> None:
    count, events = evening
    heard = [sign for sign in play(events) if sign.what == "down"]
    assert len(heard) == count


@settings(max_examples=150, deadline=None)
@given(evenings())
def test_no_pointer_comes_down_twice_without_being_lifted(evening: tuple[int, list[Event]]) -> None:
    heard = play(evening[1])
    for number in {sign.finger for sign in heard}:
        mine = [sign.what for sign in heard if sign.finger == number]
        assert all(pair != ("down", "down") for pair in pairwise(mine))
