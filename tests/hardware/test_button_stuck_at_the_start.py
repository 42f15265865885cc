"""A contact that is closed when the table starts is no press; once it has been open for long enough it is a button like any other."""

from __future__ import annotations

from traces import MS, S, edge, play

from hardware import Debouncer, Held, Pressed, Released, StuckAtBoot


def test_closed_contact_is_told_as_stuck_and_not_as_a_press() -> None:
    assert Debouncer().initial({"left": True, "right": False}) == [StuckAtBoot("left")]


def test_open_contacts_are_nothing_to_tell() -> None:
    assert Debouncer().initial({"left": False, "right": False}) == []


def test_stuck_button_is_never_held() -> None:
    debouncer = Debouncer()
    debouncer.initial({"left": True, "right": False})
    assert debouncer.next_deadline() is None
    assert debouncer.due(60 * S) == []


def test_chatter_of_a_stuck_button_is_no_press_and_no_hold() -> None:
    debouncer = Debouncer()
    debouncer.initial({"left": True})
    events = play([edge("left", 1, 1), edge("left", 0, 10), edge("left", 1, 40), edge("left", 1, 41)], debouncer)
    assert events == []


def test_stuck_button_that_was_open_for_longer_than_30_ms_is_pressed_and_held_like_any_other() -> None:
    debouncer = Debouncer()
    debouncer.initial({"left": True, "right": True})
    events = play([edge("left", 0, 10), edge("left", 1, 40, ns=1), edge("left", 0, 2_000)], debouncer)
    assert events == [Released("left", 10 * MS), Pressed("left", 40 * MS + 1), Held("left", 40 * MS + 1), Released("left", 2 * S)]


def test_stuck_button_does_not_block_the_other() -> None:
    debouncer = Debouncer()
    debouncer.initial({"left": True, "right": False})
    assert debouncer.feed(edge("right", 1, 7)) == [Pressed("right", 7 * MS)]


def test_a_new_start_forgets_the_press_before() -> None:
    debouncer = Debouncer()
    debouncer.feed(edge("left", 1, 0))
    debouncer.initial({})
    assert debouncer.due(5 * S) == []
    assert debouncer.feed(edge("left", 1, 1)) == [Pressed("left", MS)]
