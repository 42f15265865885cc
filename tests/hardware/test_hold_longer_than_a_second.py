"""A press that lasts longer than one second is told as held, once, with its first edge."""

from __future__ import annotations

from traces import MS, S, edge, play

from hardware import Debouncer, Held, Pressed, Released


def test_let_go_at_exactly_one_second_is_not_held() -> None:
    assert play([edge("left", 1, 0), edge("left", 0, 1_000)]) == [Pressed("left", 0), Released("left", S)]


def test_let_go_one_nanosecond_later_is_held() -> None:
    events = play([edge("left", 1, 0), edge("left", 0, 1_000, ns=1)])
    assert events == [Pressed("left", 0), Held("left", 0), Released("left", S + 1)]


def test_hold_becomes_certain_one_nanosecond_after_the_second() -> None:
    debouncer = Debouncer()
    debouncer.feed(edge("left", 1, 500))
    assert debouncer.next_deadline() == 1_500 * MS + 1
    assert debouncer.due(1_500 * MS) == []
    assert debouncer.due(1_500 * MS + 1) == [Held("left", 500 * MS)]
    assert debouncer.next_deadline() is None


def test_held_is_told_once_however_long_and_however_it_chatters() -> None:
    events = play([edge("left", 1, 0), edge("left", 0, 3_000), edge("left", 1, 3_020), edge("left", 0, 9_000)])
    assert events == [Pressed("left", 0), Held("left", 0), Released("left", 9 * S)]


def test_contact_open_at_the_limit_that_closes_again_in_time_was_held() -> None:
    debouncer = Debouncer()
    debouncer.feed(edge("left", 1, 0))
    debouncer.feed(edge("left", 0, 990))
    assert debouncer.next_deadline() == 1_020 * MS + 1
    assert debouncer.due(1_005 * MS) == []
    assert debouncer.feed(edge("left", 1, 1_010)) == [Held("left", 0)]


def test_contact_open_at_the_limit_that_closes_again_after_exactly_30_ms_was_held() -> None:
    events = play([edge("left", 1, 0), edge("left", 0, 990), edge("left", 1, 1_020), edge("left", 0, 1_500)])
    assert events == [Pressed("left", 0), Held("left", 0), Released("left", 1_500 * MS)]


def test_contact_open_at_the_limit_that_stays_open_was_not_held() -> None:
    assert play([edge("left", 1, 0), edge("left", 0, 990)]) == [Pressed("left", 0), Released("left", 990 * MS)]


def test_chatter_around_the_limit_that_ends_after_it_was_held() -> None:
    events = play([edge("left", 1, 0), edge("left", 0, 990), edge("left", 0, 1_005)])
    assert events == [Pressed("left", 0), Held("left", 0), Released("left", 1_005 * MS)]


def test_a_new_press_has_a_hold_of_its_own() -> None:
    events = play([edge("left", 1, 0), edge("left", 0, 2_000), edge("left", 1, 3_000), edge("left", 0, 5_000)])
    assert [event for event in events if isinstance(event, Held)] == [Held("left", 0), Held("left", 3 * S)]


def test_button_held_two_seconds_does_not_block_the_other() -> None:
    events = play([
        edge("left", 1, 0),
        edge("right", 1, 700),
        edge("right", 0, 780),
        edge("right", 1, 1_500),
        edge("right", 0, 1_580),
        edge("left", 0, 2_000),
    ])  # fmt: skip
    assert [event for event in events if isinstance(event, Pressed)] == [
        Pressed("left", 0),
        Pressed("right", 700 * MS),
        Pressed("right", 1_500 * MS),
    ]
    assert [event for event in events if isinstance(event, Held)] == [Held("left", 0)]


def test_both_buttons_in_the_same_instant_are_two_presses() -> None:
    assert play([edge("right", 1, 5), edge("left", 1, 5)], until=6 * MS) == [Pressed("right", 5 * MS), Pressed("left", 5 * MS)]
