from __future__ import annotations

from dataclasses import replace

import pytest

from kiosk.domain.errors import CommandRefused, RulebookError
from kiosk.domain.types import Pair
from kiosk.server import assignments, orders, plans
from kiosk.server.assignments import State
from kiosk.server.store import Store
from kiosk.sync import wire
from tests.server.hall import ANA_BORIS, SECOND, Hall


@pytest.fixture
def hall(store: Store) -> Hall:
    return Hall(store)


def test_a_match_at_a_table_with_a_device_is_offered_there(hall: Hall) -> None:
    device = hall.table("12")
    ident = hall.make()
    assert hall.find(ident).state is State.OFFERED
    (told,) = hall.orders(device)
    assert isinstance(told, wire.AssignMatch)
    assert (told.match, told.version, told.players, told.length, told.round) == (ident, 1, Pair(("Ana",), ("Boris",)), 7, "3")
    assert hall.acts() == ["match_assigned"]


def test_a_start_is_told_from_now_on(hall: Hall) -> None:
    device = hall.table("12")
    hall.make(starts_ns=hall.now_ns + 61 * SECOND)
    (told,) = hall.orders(device)
    assert isinstance(told, wire.AssignMatch)
    assert told.starts_in_ms == 60_000
    with hall.store.read() as connection:
        (waiting,) = orders.open_orders(connection, device)
    sent = orders.as_sent(waiting, hall.now_ns + 10 * SECOND).what
    assert isinstance(sent, wire.AssignMatch)
    assert sent.starts_in_ms == 50_000


def test_a_match_waits_for_a_device_and_is_offered_when_it_comes(hall: Hall) -> None:
    ident = hall.make()
    nowhere = hall.make(table="", players=Pair(("Vera",), ("Goran",)))
    assert hall.find(ident).state is hall.find(nowhere).state is State.DRAFT
    device = hall.table("12")
    with hall.act() as act:
        assert assignments.device_came(act, device, "12") == [ident]
    assert [told.match for told in hall.orders(device) if isinstance(told, wire.AssignMatch)] == [ident]
    assert hall.find(ident).state is State.OFFERED


def test_a_form_that_is_sent_twice_makes_one_match(hall: Hall) -> None:
    device = hall.table("12")
    for _time in range(2):
        with hall.act() as act:
            assignments.make(act, ANA_BORIS, hall.library, "f" * 24)
    assert len(hall.orders(device)) == 1
    assert hall.acts() == ["match_assigned"]


def test_a_change_is_a_new_version(hall: Hall) -> None:
    device = hall.table("12")
    ident = hall.make()
    with hall.act() as act:
        changed = assignments.change(act, ident, replace(ANA_BORIS, length=9, delay_ms=15_000), hall.library, 1)
    assert (changed.version, changed.plan.length) == (2, 9)
    told = hall.orders(device)[-1]
    assert isinstance(told, wire.AssignMatch)
    assert (told.version, told.length, told.delay_ms) == (2, 9, 15_000)


def test_a_change_to_what_it_is_changes_nothing(hall: Hall) -> None:
    hall.table("12")
    ident = hall.make()
    with hall.act() as act:
        assert assignments.change(act, ident, ANA_BORIS, hall.library, 1).version == 1
    assert hall.acts() == ["match_assigned"]


def test_two_organizers_do_not_overwrite_each_other(hall: Hall) -> None:
    ident = hall.make()
    with hall.act() as act:
        assignments.place(act, ident, "5", hall.library, 1)
    with pytest.raises(CommandRefused, match="meanwhile"), hall.act() as act:
        assignments.change(act, ident, replace(ANA_BORIS, length=9), hall.library, 1)
    assert (hall.find(ident).plan.table, hall.find(ident).plan.length) == ("5", 7)


def test_another_table_gets_the_match_and_the_old_one_loses_it(hall: Hall) -> None:
    old, new = hall.table("12"), hall.table("5")
    ident = hall.make()
    with hall.act() as act:
        assignments.place(act, ident, " 5 ", hall.library, 1)
    assert hall.orders(old)[-1] == wire.WithdrawMatch(ident)
    assert [type(told) for told in hall.orders(new)] == [wire.AssignMatch]


def test_a_withdrawn_match_is_taken_back_and_can_be_planned_again(hall: Hall) -> None:
    device = hall.table("12")
    ident = hall.make()
    for _twice in range(2):
        with hall.act() as act:
            assert assignments.withdraw(act, ident, "ill").state is State.WITHDRAWN
    assert hall.orders(device)[-1] == wire.WithdrawMatch(ident)
    for _twice in range(2):
        with hall.act() as act:
            assert assignments.again(act, ident, hall.library).state is State.OFFERED
    told = hall.orders(device)[-1]
    assert isinstance(told, wire.AssignMatch)
    assert told.version == 2
    assert hall.acts() == ["match_assigned", "match_withdrawn", "match_planned_again"]


def test_what_was_opened_is_neither_changed_nor_withdrawn(hall: Hall) -> None:
    device = hall.table("12")
    ident = hall.make()
    key = hall.played(device, ident, attached=ident)
    assert hall.find(ident).state is State.OPENED
    with pytest.raises(CommandRefused, match="opened"), hall.act() as act:
        assignments.withdraw(act, ident)
    with pytest.raises(CommandRefused, match="opened"), hall.act() as act:
        assignments.place(act, ident, "5", hall.library, 1)
    hall.now_is(key, phase="ended")
    assert hall.find(ident).state is State.ENDED


def test_a_revoked_device_leaves_its_matches_waiting(hall: Hall) -> None:
    device = hall.table("12")
    ident = hall.make()
    with hall.act() as act:
        assert assignments.device_left(act, None, "12") == [ident]
    assert hall.find(ident).state is State.DRAFT
    assert len(hall.orders(device)) == 1


def test_a_renamed_device_is_told_that_its_offers_went(hall: Hall) -> None:
    device = hall.table("12")
    ident = hall.make()
    with hall.act() as act:
        assert assignments.device_left(act, device, "12") == [ident]
    assert hall.orders(device)[-1] == wire.WithdrawMatch(ident)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"length": 100}, "1 to 99"),
        ({"players": Pair(("Ana",), ("",))}, "needs one name"),
        ({"players": Pair(("Ana",), ("ANA ",))}, "stands twice"),
        ({"players": Pair(("Ana", "Ana"), ("Boris", "Vera"))}, "stands twice"),
        ({"table": "x" * 41}, "at most 40"),
        ({"round": "a\u202eb"}, "can be seen"),
        ({"rulebook": "ibgf-blitz", "length": 9}, "has no time"),
        ({"length": None, "delay_ms": 5000}, "without a clock"),
        ({"reserve_ms": Pair(0, 0), "delay_ms": 0}, "no time at all"),
    ],
)
def test_a_plan_that_no_table_could_play_is_refused(hall: Hall, changes: dict[str, object], sentence: str) -> None:
    with pytest.raises(CommandRefused, match=sentence):
        hall.make(**changes)
    assert hall.acts() == []


def test_an_unknown_rulebook_is_refused(hall: Hall) -> None:
    with pytest.raises(RulebookError, match="no rulebook"):
        hall.make(rulebook="chess")


def test_an_unusual_delay_is_warned_about(hall: Hall) -> None:
    setup = plans.check(replace(ANA_BORIS, delay_ms=60_000), hall.library)
    assert len(setup.warnings) == 1
    assert plans.check(ANA_BORIS, hall.library).warnings == ()


def test_an_id_that_is_none_is_told(hall: Hall) -> None:
    with pytest.raises(CommandRefused, match="no such match"):
        hall.find("nothing")


def test_rounds_and_tables_stand_in_their_order(hall: Hall) -> None:
    for round_name, table, left in [("10", "1", "A"), ("2", "10", "B"), ("2", "9", "C"), ("", "1", "D"), ("Final", "1", "E")]:
        hall.make(round=round_name, table=table, players=Pair((left,), ("Zoran",)))
    with hall.store.read() as connection:
        assert [one.plan.players.left[0] for one in assignments.listed(connection)] == ["D", "C", "B", "A", "E"]


@pytest.mark.parametrize(
    ("text", "ms"), [("18", 1_080_000), ("18:30", 1_110_000), ("1:05:00", 3_900_000), ("2,5", 150_000), ("", None), ("90:00", 5_400_000)]
)
def test_a_reserve_is_read_as_people_write_it(text: str, ms: int | None) -> None:
    assert plans.time_of(text) == ms
    assert plans.reserve_of(text) == (None if ms is None else Pair(ms, ms))


def test_unequal_reserves_have_a_stroke_between_them() -> None:
    assert plans.reserve_of("18 / 15:30") == Pair(1_080_000, 930_000)
    for text in ("18/", "/18", "abc", "1:99", "99999", "6001"):
        with pytest.raises(CommandRefused):
            plans.reserve_of(text)


def test_a_free_session_is_chosen_and_never_what_a_slip_leads_to() -> None:
    assert plans.length_of("", free=True) is None
    assert plans.length_of("–", free=True) is None
    for text, free, told in [
        ("", False, "is missing"),
        ("0", False, "neither"),
        ("0.0", False, "neither"),
        ("00", False, "neither"),
        ("100", False, "neither"),
        ("7", True, "has no length"),
        ("0", True, "has no length"),
    ]:
        with pytest.raises(CommandRefused, match=told):
            plans.length_of(text, free=free)


def test_lengths_delays_and_names_are_read_as_people_write_them() -> None:
    assert [plans.length_of(text) for text in ("7", " 7.0 ", "99", "–", " - ")] == [7, 7, 99, None, None]
    assert [plans.delay_of(text) for text in ("12", "12,5", "")] == [12_000, 12_500, None]
    assert plans.names_of("  Ana   Marija / Boris ") == ("Ana Marija", "Boris")
    for read, text in [
        (plans.length_of, "seven"),
        (plans.delay_of, "-1"),
        (plans.delay_of, "12 s"),
        (plans.names_of, " "),
        (plans.delay_of, "99999999"),
    ]:
        with pytest.raises(CommandRefused):
            read(text)
    for text in ("A/B/C", "A//B", "A/", "x" * 101, "a\tb\u202e"):
        with pytest.raises(CommandRefused):
            plans.names_of(text)
