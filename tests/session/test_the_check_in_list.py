"""The check-in list before game 1: both seated, the equipment looked over; a record, never a condition."""

from __future__ import annotations

import pytest
from evening import LEFT, RIGHT, Evening, ns, setup

from kiosk.domain.asked import present_sides
from kiosk.domain.facts import CheckItem
from kiosk.domain.rulebook import Kind
from kiosk.domain.state import Table
from kiosk.domain.types import Pair
from kiosk.session import commands as c

ALL = tuple(CheckItem)


def ticked(*items: CheckItem) -> Evening:
    table = Evening(setup(7))
    for item in items:
        table.do(c.Check(item, done=True), 1)
    return table


def test_items_stand_in_the_lists_order_however_they_were_ticked() -> None:
    table = ticked(*reversed(ALL))
    assert table.table.checked == ALL
    table.do(c.Check(CheckItem.CLOCK, done=False), 2)
    assert table.table.checked == tuple(item for item in ALL if item is not CheckItem.CLOCK)
    assert table.replayed() == table.table


@pytest.mark.parametrize("done", [True, False])
def test_an_item_that_is_so_already_is_refused(*, done: bool) -> None:
    table = ticked(CheckItem.DICE) if done else ticked()
    assert table.refuse(c.Check(CheckItem.DICE, done=done), 2) == "already_used"


def test_a_match_may_be_played_without_any_of_it() -> None:
    assert ticked().begin(5).table.phase == "playing"


def test_from_the_first_press_on_the_list_is_closed() -> None:
    table = ticked(CheckItem.LEFT).begin(5)
    assert table.refuse(c.Check(CheckItem.RIGHT, done=True), 6) == "wrong_phase"
    table.play_game(10, LEFT)
    assert table.table.phase == "opening"
    assert table.refuse(c.Check(CheckItem.LEFT, done=False), 12) == "wrong_phase"
    assert table.table.checked == (CheckItem.LEFT,)


def test_a_first_game_that_was_entered_by_mistake_and_undone_leaves_it_open() -> None:
    table = ticked()
    table.do(c.RecordGame(LEFT, Kind.SINGLE, None), 5)
    assert table.refuse(c.Check(CheckItem.LEFT, done=True), 6) == "wrong_phase"
    table.do(c.Undo(), 7)
    assert table.do(c.Check(CheckItem.LEFT, done=True), 8)


def test_who_is_seated_follows_the_players_to_the_other_seat() -> None:
    table = ticked(CheckItem.LEFT, CheckItem.CHOICE)
    table.do(c.SwapSeats(), 2)
    assert table.table.checked == (CheckItem.RIGHT, CheckItem.CHOICE)
    table.do(c.Check(CheckItem.LEFT, done=True), 3)
    table.do(c.SwapSeats(), 4)
    assert table.table.checked == (CheckItem.LEFT, CheckItem.RIGHT, CheckItem.CHOICE)


def test_in_a_late_start_it_is_filled_in_while_the_absent_sides_time_runs_on() -> None:
    table = ticked()
    table.do(c.StartLate((LEFT,)), 10)
    table.do(c.Check(CheckItem.LEFT, done=True), 12)
    table.do(c.Check(CheckItem.RIGHT, done=True), 13)
    assert table.clock(14).running == (LEFT,)
    assert table.clock(14).used.left == ns(4)
    table.do(c.Arrive((LEFT,)), 15)
    assert table.table.checked == (CheckItem.LEFT, CheckItem.RIGHT)


def test_the_next_match_begins_with_an_empty_list() -> None:
    table = ticked(*ALL)
    table.do(c.ResignMatch(RIGHT), 5)
    assert table.refuse(c.Check(CheckItem.LEFT, done=False), 6) == "match_over"
    table.do(c.OpenMatch("m2", setup(3)), 7)
    assert table.table.checked == ()


def test_a_power_cut_keeps_the_list() -> None:
    table = ticked(CheckItem.CHECKERS)
    assert table.power_cut(3)
    assert table.table.checked == (CheckItem.CHECKERS,)


def here(table: Table) -> tuple[bool, bool]:
    return present_sides(table).left, present_sides(table).right


def test_who_is_ticked_is_present_and_everybody_is_once_the_match_has_begun() -> None:
    assert here(Table()) == (False, False)
    table = ticked(CheckItem.RIGHT, CheckItem.DICE)
    assert here(table.table) == (False, True)
    assert here(table.begin(5).table) == (True, True)
    assert here(table.play_game(10, LEFT).table) == (True, True)


def test_who_is_found_absent_is_not_present_until_he_comes() -> None:
    table = ticked(CheckItem.LEFT, CheckItem.RIGHT)
    table.do(c.StartLate((RIGHT,)), 5)
    assert here(table.table) == (True, False)
    table.do(c.Arrive((RIGHT,)), 9)
    assert here(table.table) == (True, True)
    both = Evening(setup(7))
    both.do(c.StartLate((LEFT, RIGHT)), 5)
    assert here(both.table) == (False, False)
    both.do(c.Arrive((LEFT,)), 9)
    assert here(both.table) == (True, False)


def test_who_did_not_come_to_a_match_that_is_over_is_missing_no_more() -> None:
    table = Evening(setup(1)).play_game(5, LEFT)
    assert present_sides(table.table) == Pair(left=True, right=True)
