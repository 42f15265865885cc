"""Presses depend on the edges' stamps alone: not on when time was let pass, nor on edges that come out of order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from traces import MS, edge, presses

from hardware import Debouncer, Edge, Pressed, Released
from hardware.edges import LINES

any_edge = st.builds(Edge, st.sampled_from(LINES), st.booleans(), st.integers(0, 3_000 * MS))
traces = st.lists(any_edge, max_size=30).map(lambda edges: sorted(edges, key=lambda each: each.at_ns))


@given(traces, st.data())
def test_presses_are_the_same_however_far_ahead_time_was_let_pass(edges: list[Edge], data: st.DataObject) -> None:
    punctual, hasty = Debouncer(), Debouncer()
    expected, got = [], []
    for each in edges:
        expected += punctual.feed(each)
        got += hasty.feed(each)
        ahead = each.at_ns + data.draw(st.integers(0, 200 * MS))
        got += [event for event in hasty.due(ahead) if isinstance(event, Pressed)]
    assert presses(got) == presses(expected)


@given(st.lists(any_edge, max_size=30), st.lists(any_edge, max_size=30))
def test_no_order_of_stamps_raises_or_lets_one_line_change_the_other(first: list[Edge], second: list[Edge]) -> None:
    edges = [*first, *second]
    both, alone = Debouncer(), {line: Debouncer() for line in LINES}
    for each in edges:
        assert both.feed(each) == alone[each.line].feed(each)


@given(st.lists(any_edge, max_size=30))
def test_the_next_deadline_is_exactly_when_something_becomes_certain(edges: list[Edge]) -> None:
    debouncer = Debouncer()
    for each in edges:
        debouncer.feed(each)
        deadline = debouncer.next_deadline()
        if deadline is not None:
            assert Debouncer.due(debouncer, deadline - 1) == []
    rounds = 0
    while (deadline := debouncer.next_deadline()) is not None:
        assert debouncer.due(deadline) != []
        rounds += 1
    assert rounds <= 4


def test_edge_older_than_the_last_one_is_judged_at_the_last_ones_stamp() -> None:
    debouncer = Debouncer()
    debouncer.feed(edge("left", 1, 100))
    debouncer.feed(edge("left", 0, 150))
    assert debouncer.feed(edge("left", 1, 140)) == []
    assert debouncer.feed(edge("left", 0, 145)) == []
    assert debouncer.due(200 * MS) == [Released("left", 150 * MS)]


def test_closing_that_arrives_after_its_release_was_told_is_no_second_press() -> None:
    debouncer = Debouncer()
    debouncer.feed(edge("left", 1, 0))
    debouncer.feed(edge("left", 0, 60))
    assert debouncer.due(95 * MS) == [Released("left", 60 * MS)]
    assert debouncer.feed(edge("left", 1, 89)) == []
    debouncer.feed(edge("left", 0, 120))
    assert debouncer.due(200 * MS) == [Released("left", 120 * MS)]
