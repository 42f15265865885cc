from __future__ import annotations

from typing import Any

import pytest

from kiosk.domain.errors import CommandRefused
from kiosk.domain.types import Pair
from kiosk.server import assignments, attach, results
from kiosk.server.assignments import State
from kiosk.server.attach import Key
from kiosk.server.results import Worth
from kiosk.server.store import Store
from kiosk.sync import wire
from tests.server.hall import SUMMARY, Hall


@pytest.fixture
def hall(store: Store) -> Hall:
    return Hall(store)


def _by_hand(hall: Hall, device: str, ident: str = "byhand1", **changes: Any) -> Key:
    return Key(*hall.played(device, ident, **changes))


def _attach(hall: Hall, key: Key, ident: str) -> None:
    with hall.act() as act:
        attach.attach(act, key, ident)


def _open(hall: Hall) -> list[str]:
    with hall.store.read() as connection:
        return [row.id for row in results.unattached(connection)]


def test_it_counts_for_what_was_planned(hall: Hall) -> None:
    device = hall.table("12")
    ident = hall.make()
    key = _by_hand(hall, device, phase="received")
    assert _open(hall) == ["byhand1"]
    with hall.store.read() as connection:
        row = attach.played(connection, key)
        assert [one.id for one in attach.candidates(connection, row)] == [ident]
        assert attach.differences(connection, row, hall.find(ident)) == []
    for _twice in range(2):
        _attach(hall, key, ident)
    assert _open(hall) == []
    assert hall.find(ident).state is State.ENDED
    with hall.store.read() as connection:
        (line,) = results.table(connection)
    assert (line.worth, len(line.history)) == (Worth.FINAL, 1)
    assert hall.orders(device)[-1] == wire.WithdrawMatch(ident)
    assert hall.acts() == ["match_assigned", "match_attached"]


def test_swapped_seats_are_fine_and_differences_are_shown(hall: Hall) -> None:
    device, ident = hall.table("5"), hall.make()
    key = _by_hand(hall, device, summary=results.turned(SUMMARY) | {"length": 5, "rulebook": "ibgf-blitz"})
    with hall.store.read() as connection:
        told = attach.differences(connection, attach.played(connection, key), hall.find(ident))
    assert told == [
        "Planned were 7 points, played were 5 points.",
        "Planned was the rulebook ibgf, played was ibgf-blitz.",
        "Planned was table 12, played was at table 5.",
        "The players sat the other way round.",
    ]
    _attach(hall, key, ident)
    assert hall.find(ident).state is State.OPENED


def test_other_players_do_not_fit(hall: Hall) -> None:
    device, ident = hall.table("12"), hall.make(players=Pair(("Ana",), ("Vera",)))
    key = _by_hand(hall, device)
    with hall.store.read() as connection:
        assert attach.candidates(connection, attach.played(connection, key)) == []
    with pytest.raises(CommandRefused, match="different players"):
        _attach(hall, key, ident)
    assert _open(hall) == ["byhand1"]


def test_nothing_is_ever_doubled(hall: Hall) -> None:
    device, ident = hall.table("12"), hall.make()
    other = hall.make(round="4")
    first, second = _by_hand(hall, device), _by_hand(hall, device, "byhand2")
    _attach(hall, first, ident)
    with pytest.raises(CommandRefused, match="Another match"):
        _attach(hall, second, ident)
    with pytest.raises(CommandRefused, match="counts for another"):
        _attach(hall, first, other)
    opened = hall.make(round="5")
    hall.played(device, opened, attached=opened)
    with pytest.raises(CommandRefused, match="Another match"):
        _attach(hall, second, opened)


def test_a_withdrawn_match_takes_nothing(hall: Hall) -> None:
    device, ident = hall.table("12"), hall.make()
    with hall.act() as act:
        assignments.withdraw(act, ident)
    with pytest.raises(CommandRefused, match="plan it again"):
        _attach(hall, _by_hand(hall, device), ident)


def test_practice_stays_practice(hall: Hall) -> None:
    device, ident = hall.table("12"), hall.make()
    key = _by_hand(hall, device, practice=True)
    assert _open(hall) == []
    with pytest.raises(CommandRefused, match="practice"):
        _attach(hall, key, ident)
    with pytest.raises(CommandRefused, match="practice"), hall.act() as act:
        attach.own(act, key)


def test_an_attachment_is_taken_back(hall: Hall) -> None:
    device, ident = hall.table("12"), hall.make()
    key = _by_hand(hall, device, phase="received")
    _attach(hall, key, ident)
    for _twice in range(2):
        with hall.act() as act:
            attach.undo(act, key)
    assert _open(hall) == ["byhand1"]
    assert hall.find(ident).state is State.OFFERED
    assert isinstance(hall.orders(device)[-1], wire.AssignMatch)
    with hall.store.read() as connection:
        (line,) = results.table(connection)
    assert (line.worth, line.data, len(line.history)) == (Worth.OPEN, None, 1)
    assert hall.acts()[-2:] == ["match_attached", "match_taken_away"]


def test_the_sheet_of_the_match_that_counts_is_the_result(hall: Hall) -> None:
    device, ident = hall.table("12"), hall.make()
    wrong = _by_hand(hall, device, phase="received")
    right = _by_hand(hall, device, "byhand2", phase="received", summary={"score": {"left": 7, "right": 6}})
    _attach(hall, wrong, ident)
    with hall.act() as act:
        attach.undo(act, wrong)
    _attach(hall, right, ident)
    with hall.store.read() as connection:
        (line,) = results.table(connection)
    assert line.data is not None
    assert line.data["score"] == {"left": 7, "right": 6}


def test_it_counts_as_a_match_of_its_own(hall: Hall) -> None:
    device = hall.table("12")
    key = _by_hand(hall, device, phase="signed")
    for _twice in range(2):
        with hall.act() as act:
            assert attach.own(act, key, "3") == "byhand1"
    found = hall.find("byhand1")
    assert (found.plan.players, found.plan.round, found.plan.table, found.state) == (Pair(("Ana",), ("Boris",)), "3", "12", State.ENDED)
    with hall.store.read() as connection:
        assert [line.worth for line in results.table(connection)] == [Worth.PROVISIONAL]
    with hall.act() as act:
        attach.undo(act, key)
    assert _open(hall) == ["byhand1"]
    with hall.store.read() as connection:
        assert results.table(connection) == []
    with hall.act() as act:
        attach.own(act, key, "4")
    assert hall.find("byhand1").plan.round == "4"


def test_two_histories_of_one_match_do_not_both_count(hall: Hall) -> None:
    device = hall.table("12")
    first, second = _by_hand(hall, device), _by_hand(hall, device)
    with hall.act() as act:
        attach.own(act, first)
    with pytest.raises(CommandRefused, match="history"), hall.act() as act:
        attach.own(act, second)


def test_it_is_left_out_with_a_reason_and_counted_again(hall: Hall) -> None:
    device, ident = hall.table("12"), hall.make()
    key = _by_hand(hall, device)
    for reason in ("", "x" * 501):
        with pytest.raises(CommandRefused, match="reason"), hall.act() as act:
            attach.leave_out(act, key, reason)
    for _twice in range(2):
        with hall.act() as act:
            attach.leave_out(act, key, "a trial")
    assert _open(hall) == []
    with pytest.raises(CommandRefused, match="left out"):
        _attach(hall, key, ident)
    with hall.act() as act:
        attach.undo(act, key)
    assert _open(hall) == ["byhand1"]


def test_what_a_table_opened_for_its_assignment_can_be_left_out_only(hall: Hall) -> None:
    device, ident = hall.table("12"), hall.make()
    key = Key(*hall.played(device, ident, attached=ident))
    with pytest.raises(CommandRefused, match="left out"), hall.act() as act:
        attach.undo(act, key)
    with hall.act() as act:
        attach.leave_out(act, key, "wrong players sat down")
    assert hall.find(ident).state is State.OFFERED
    again = _by_hand(hall, device)
    _attach(hall, again, ident)
    with pytest.raises(CommandRefused, match="Another match"), hall.act() as act:
        attach.undo(act, key)
    with hall.act() as act:
        attach.undo(act, again)
    with hall.act() as act:
        attach.undo(act, key)
    assert hall.find(ident).match is not None


@pytest.mark.parametrize("text", ["", "1", "1-", "a-1", "1-b", "-1-2", "1" * 40 + "-1", "٣-1", "99999999999999999999-1", "7-7"])
def test_a_key_that_is_none_is_told(hall: Hall, text: str) -> None:
    with hall.store.read() as connection, pytest.raises(CommandRefused, match="no such match"):
        attach.played(connection, Key.read(text))
