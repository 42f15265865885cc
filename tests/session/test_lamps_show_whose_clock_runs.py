"""What the two lamps show in every phase, and how a glow is lit over time."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from evening import LEFT, RIGHT, Evening, book, ns, setup
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from phases import AT_S, PHASES

from kiosk.domain.rulebook import FlagPolicy, Method, OnFlag, Sounds
from kiosk.domain.setup import Options, resolve
from kiosk.domain.types import Instant, Pair, Span, seconds
from kiosk.session import commands as c
from kiosk.session.signals import BLINKS, BLINKS_BETWEEN, DARK, FLICKERS, GAP, LIT, OVER, PAUSED, READY, Glow, lamps, next_light

RUNS_LEFT, RUNS_RIGHT, STANDS_LEFT, STANDS_RIGHT = (LIT, DARK), (DARK, LIT), (BLINKS, DARK), (DARK, BLINKS)
CALLED, ANY, DEAD, ENDED = (BLINKS, BLINKS_BETWEEN), (READY, READY), (DARK, DARK), (OVER, OVER)
ALL_PAUSED = (PAUSED, PAUSED)

OF_PHASES = {
    "none": DEAD,
    "opening game 1": ANY,
    "opening between games": ANY,
    "opening a free session": ANY,
    "playing a free session": RUNS_LEFT,
    "late": RUNS_LEFT,
    "playing the first turn": RUNS_LEFT,
    "playing": RUNS_LEFT,
    "playing with a flag down": RUNS_RIGHT,
    "early offer": RUNS_LEFT,
    "open offer": RUNS_RIGHT,
    "stopped": STANDS_LEFT,
    "stopped with an offer": STANDS_RIGHT,
    "recording": DEAD,
    "disputed": CALLED,
    "break": DEAD,
    "ended": ENDED,
    "session ended": ENDED,
    "one signed": ENDED,
    "signed": ENDED,
    "suspended": DEAD,
    "a point given": RUNS_LEFT,
    "an appeal open": RUNS_LEFT,
    "game lost by ruling": ANY,
    "match lost by ruling": ENDED,
    "an appeal open at the end": ENDED,
    "received": DEAD,
    "paused before a match": DEAD,
    "paused opening": ALL_PAUSED,
    "paused at play": ALL_PAUSED,
    "paused while late": ALL_PAUSED,
    "paused recording": ALL_PAUSED,
    "paused and called": CALLED,
    "chouette": DEAD,
    "chouette, one wants to double": DEAD,
    "chouette, the box has doubled": DEAD,
    "chouette, the team has doubled": DEAD,
    "chouette, one is out": DEAD,
    "chouette ended": DEAD,
    "chouette with a clock": ANY,
    "chouette, its clock runs": RUNS_RIGHT,
    "chouette, its clock is stopped": STANDS_RIGHT,
    "chouette, its clock waits for an answer": DEAD,
    "chouette, its clock is paused": ALL_PAUSED,
    "chouette, ended on the clock": DEAD,
}


def at(table: Evening, at_s: float) -> tuple[Glow, Glow]:
    glows = lamps(table.session.snapshot(ns(at_s)))
    return glows.left, glows.right


def told(length: int = 7, sounds: Sounds = Sounds(10, flag=True), **options: Any) -> Evening:  # noqa: B008 - a frozen value
    """A match whose regulation lets the time be pointed out."""
    reserve, delay = options.pop("reserve_s", 30), options.pop("delay_s", 0)
    both = Pair(seconds(reserve), seconds(reserve))
    names = Pair(("Ann",), ("Bo",))
    made = resolve(replace(book(), sounds=sounds), Options(length, names, reserve=both, delay=seconds(delay), **options))
    return Evening(made)


def test_every_phase_has_its_lights() -> None:
    shown = {name: at(make(), AT_S) for name, make in PHASES.items()}
    assert shown == OF_PHASES


def test_the_lamp_follows_the_clock_from_press_to_press() -> None:
    table = Evening(setup(delay_s=12))
    assert at(table, 0) == (READY, READY)
    table.press(RIGHT, 5)
    assert at(table, 5) == RUNS_LEFT
    table.press(LEFT, 9)
    assert at(table, 9) == RUNS_RIGHT
    table.press(LEFT, 10)  # not his turn: nothing switches
    assert at(table, 10) == RUNS_RIGHT
    table.do(c.StopClock(None, None), 11)
    assert at(table, 11) == STANDS_RIGHT
    table.do(c.CallReferee("left"), 12)
    assert at(table, 12) == CALLED
    table.do(c.Resume(), 13)
    assert at(table, 13) == RUNS_RIGHT


def test_a_lamp_points_out_no_time_unless_the_regulation_says_so() -> None:
    table = told(sounds=Sounds())
    table.press(RIGHT, 0)
    for second in (0, 19.9, 20, 29.9, 30, 31, 500):
        assert at(table, second) == RUNS_LEFT
    assert next_light(table.session.snapshot(ns(1))) is None


def test_the_last_seconds_are_counted_on_the_lamp_where_the_regulation_says_so() -> None:
    table = told(sounds=Sounds(10))
    table.press(RIGHT, 0)
    assert at(table, 19.99) == RUNS_LEFT
    assert next_light(table.session.snapshot(ns(3))) == ns(20)
    lit = [at(table, second)[0].is_lit(ns(second)) for second in (20, 20.09, 20.1, 20.99, 21, 21.1, 29.05, 29.1, 29.99)]
    assert lit == [False, False, True, True, False, True, False, True, True]
    assert next_light(table.session.snapshot(ns(20))) == ns(20.1)
    assert next_light(table.session.snapshot(ns(20.1))) == ns(21)
    assert at(table, 31) == RUNS_LEFT  # the flag is not pointed out


def test_the_last_seconds_wait_for_the_delay() -> None:
    table = told(sounds=Sounds(10), reserve_s=5, delay_s=12)
    table.press(RIGHT, 0)
    assert at(table, 11.9) == RUNS_LEFT
    assert next_light(table.session.snapshot(ns(0))) == ns(12)
    assert at(table, 12)[0].anchor == ns(17)


@pytest.mark.parametrize("method", [Method.BRONSTEIN, Method.FISCHER])
def test_a_reserve_that_runs_at_once_is_counted_at_once(method: Method) -> None:
    table = told(sounds=Sounds(10), reserve_s=5, delay_s=2, method=method)
    table.press(RIGHT, 0)
    assert at(table, 0)[0].flips == (0, GAP)


def test_a_flag_flickers_where_the_regulation_says_so() -> None:
    table = told(sounds=Sounds(0, flag=True))
    table.press(RIGHT, 0)
    assert next_light(table.session.snapshot(ns(3))) == ns(30)
    assert at(table, 29.99) == RUNS_LEFT
    assert at(table, 30) == (FLICKERS, DARK)
    assert next_light(table.session.snapshot(ns(30))) == ns(30.1)
    table.press(LEFT, 40)
    assert at(table, 40) == RUNS_RIGHT


def test_time_that_is_given_after_a_flag_is_counted_like_any_other() -> None:
    table = told(on_flag=OnFlag(FlagPolicy.OVERTIME), reserve_s=2)
    table.press(RIGHT, 0)
    assert at(table, 3) == RUNS_LEFT


def test_an_unclocked_session_shows_the_turn_and_no_time() -> None:
    made = resolve(replace(book("circle"), sounds=Sounds(10, flag=True)), Options(None, Pair(("Ann",), ("Bo",))))
    table = Evening(made)
    table.press(RIGHT, 0)
    assert at(table, 4000) == RUNS_LEFT
    assert next_light(table.session.snapshot(ns(4000))) is None


def test_before_any_match_nothing_will_ever_change_by_itself() -> None:
    assert next_light(Evening().session.snapshot(ns(5))) is None


# ── How a glow is lit ────────────────────────────────────────────────────────
@pytest.mark.parametrize("glow", [DARK, LIT])
def test_a_steady_lamp_never_changes(glow: Glow) -> None:
    assert glow.next_change(Instant(7)) is None
    assert [glow.is_lit(Instant(n)) for n in (0, 1, 10**12)] == [glow is LIT] * 3


def test_a_called_referee_is_seen_as_one_light_that_changes_places() -> None:
    assert all(BLINKS.is_lit(ns(n / 20)) is not BLINKS_BETWEEN.is_lit(ns(n / 20)) for n in range(200))


def test_patterns_of_the_docs() -> None:
    def shape(glow: Glow, steps: int, step: float) -> str:
        return "".join("#" if glow.is_lit(ns(n * step)) else "." for n in range(steps))

    assert shape(BLINKS, 20, 0.1) == "#####.....#####....."
    assert shape(READY, 20, 0.1) == "#..................."
    assert shape(OVER, 20, 0.05) == "###....###.........."
    assert shape(OVER, 8, 0.5) == "#......."
    assert shape(PAUSED, 6, 0.5) == "##..##"
    assert shape(FLICKERS, 8, 0.05) == "##..##.."


flips = st.lists(st.integers(0, 999), max_size=6, unique=True).map(
    lambda given: tuple(Span(n) for n in sorted(given)[: len(given) // 2 * 2])
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(flips, st.booleans(), st.integers(-5000, 5000), st.integers(0, 20_000))
def test_between_two_changes_a_lamp_stays_as_it_is(flips: tuple[Span, ...], base: bool, anchor: int, start: int) -> None:  # noqa: FBT001
    glow = Glow(base, flips, Span(1000), Instant(anchor))
    change = glow.next_change(Instant(start))
    if change is None:
        assert not flips
        return
    assert start < change <= start + 1000
    lit = [glow.is_lit(Instant(n)) for n in range(start, change + 1)]
    assert all(one == other for one, other in pairwise(lit[:-1]))
    assert lit[-1] is not lit[-2]
