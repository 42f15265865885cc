"""After lost edges the polled levels correct what is believed."""

from __future__ import annotations

from traces import MS, edge

from hardware import Debouncer, Pressed, Released


def test_closed_contact_believed_open_is_a_press_from_here() -> None:
    assert Debouncer().resync({"left": True, "right": False}, 40 * MS) == [Pressed("left", 40 * MS)]


def test_open_contact_believed_closed_is_released_from_here_when_its_30_ms_are_over() -> None:
    debouncer = Debouncer()
    debouncer.feed(edge("left", 1, 0))
    assert debouncer.resync({"left": False}, 400 * MS) == []
    assert debouncer.next_deadline() == 430 * MS + 1
    assert debouncer.due(430 * MS + 1) == [Released("left", 400 * MS)]


def test_levels_as_believed_change_nothing() -> None:
    debouncer = Debouncer()
    debouncer.feed(edge("left", 1, 0))
    assert debouncer.resync({"left": True, "right": False}, 50 * MS) == []
    assert debouncer.next_deadline() == 1_000 * MS + 1


def test_contact_seen_open_while_it_may_be_chattering_keeps_its_opening() -> None:
    debouncer = Debouncer()
    debouncer.feed(edge("left", 1, 0))
    debouncer.feed(edge("left", 0, 50))
    assert debouncer.resync({"left": False}, 70 * MS) == []
    assert debouncer.due(80 * MS + 1) == [Released("left", 50 * MS)]


def test_contact_seen_closed_while_it_may_be_chattering_never_opened() -> None:
    debouncer = Debouncer()
    debouncer.feed(edge("left", 1, 0))
    debouncer.feed(edge("left", 0, 50))
    assert debouncer.resync({"left": True}, 70 * MS) == []
    assert debouncer.due(200 * MS) == []


def test_contact_seen_closed_long_after_it_opened_is_released_and_pressed() -> None:
    debouncer = Debouncer()
    debouncer.feed(edge("left", 1, 0))
    debouncer.feed(edge("left", 0, 50))
    assert debouncer.resync({"left": True}, 300 * MS) == [Released("left", 50 * MS), Pressed("left", 300 * MS)]
