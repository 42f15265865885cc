"""Any bounce of 1–20 edges, 0.1–30 ms apart, is one press at its first edge."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st
from traces import MS, S, edge, play, presses

from hardware import Debouncer, Edge, Pressed, Released
from hardware.edges import LINES

gaps = st.lists(st.integers(100_000, 30 * MS), max_size=19)
instants = st.integers(0, 10**16)


def bounce(line: str, start: int, gaps_ns: list[int]) -> list[Edge]:
    at, closed, edges = start, True, [Edge(line, True, start)]
    for gap in gaps_ns:
        at, closed = at + gap, not closed
        edges.append(Edge(line, closed, at))
    return edges


@given(st.sampled_from(LINES), instants, gaps)
def test_a_bounce_is_one_press_at_its_first_edge(line: str, start: int, gaps_ns: list[int]) -> None:
    assert presses(play(bounce(line, start, gaps_ns))) == [Pressed(line, start)]


@given(instants, gaps, st.data())
def test_a_bounce_that_repeats_levels_is_one_press(start: int, gaps_ns: list[int], data: st.DataObject) -> None:
    levels = data.draw(st.lists(st.booleans(), min_size=len(gaps_ns), max_size=len(gaps_ns)))
    edges, at = [Edge("left", True, start)], start
    for gap, closed in zip(gaps_ns, levels, strict=True):
        at += gap
        edges.append(Edge("left", closed, at))
    assert presses(play(edges)) == [Pressed("left", start)]


def test_five_thousand_traces_one_after_the_other_lose_and_double_nothing() -> None:
    rng, debouncer, at = random.Random(20_240_711), Debouncer(), 0
    for turn in range(5_000):
        line = LINES[turn % 2]
        close = bounce(line, at, [rng.randint(100_000, 30 * MS) for _ in range(rng.randrange(0, 20, 2))])
        opens = close[-1].at_ns + rng.randint(31 * MS, 900 * MS)
        let_go = [
            Edge(line, not each.closed, each.at_ns)
            for each in bounce(line, opens, [rng.randint(100_000, 30 * MS) for _ in range(rng.randrange(0, 20, 2))])
        ]
        end = let_go[-1].at_ns + 31 * MS
        events = play([*close, *let_go], debouncer, until=end)
        assert presses(events) == [Pressed(line, at)], turn
        assert events[-1] == Released(line, let_go[-1].at_ns), turn
        at = end + rng.randint(0, 5 * S)


def test_the_press_is_told_by_the_first_edge_itself_without_waiting() -> None:
    assert Debouncer().feed(edge("right", 1, 5)) == [Pressed("right", 5 * MS)]


def test_a_noise_pulse_five_seconds_earlier_loses_nothing() -> None:
    events = play([edge("left", 1, 0), edge("left", 0, 0.1), edge("left", 1, 5_000), edge("left", 0, 5_080)])
    assert presses(events) == [Pressed("left", 0), Pressed("left", 5 * S)]


def test_a_noise_pulse_of_openings_only_is_no_press_and_loses_nothing() -> None:
    events = play([edge("left", 0, 0), edge("left", 0, 3), edge("left", 1, 5), edge("left", 0, 80)])
    assert presses(events) == [Pressed("left", 5 * MS)]


def test_contact_that_closes_exactly_30_ms_after_opening_never_opened() -> None:
    events = play([edge("left", 1, 0), edge("left", 0, 100), edge("left", 1, 130), edge("left", 0, 200)])
    assert events == [Pressed("left", 0), Released("left", 200 * MS)]


def test_contact_that_closes_one_nanosecond_later_is_pressed_again() -> None:
    events = play([edge("left", 1, 0), edge("left", 0, 100), edge("left", 1, 130, ns=1), edge("left", 0, 200)])
    assert events == [Pressed("left", 0), Released("left", 100 * MS), Pressed("left", 130 * MS + 1), Released("left", 200 * MS)]


def test_the_release_is_certain_one_nanosecond_after_the_30_ms() -> None:
    debouncer = Debouncer()
    debouncer.feed(edge("left", 1, 0))
    debouncer.feed(edge("left", 0, 100))
    assert debouncer.next_deadline() == 130 * MS + 1
    assert debouncer.due(130 * MS) == []
    assert debouncer.due(130 * MS + 1) == [Released("left", 100 * MS)]
    assert debouncer.next_deadline() is None


def test_a_repeated_opening_starts_the_30_ms_anew_because_a_closing_lay_between() -> None:
    events = play([edge("left", 1, 0), edge("left", 0, 100), edge("left", 0, 125), edge("left", 1, 150), edge("left", 0, 300)])
    assert events == [Pressed("left", 0), Released("left", 300 * MS)]
