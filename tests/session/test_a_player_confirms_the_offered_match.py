"""Each player confirms the organizer's match in his half before it is open: so the desk knows who sits at the table already."""

from __future__ import annotations

from dataclasses import replace

from evening import LEFT, RIGHT, Evening, setup

from kiosk.domain.rulebook import Kind
from kiosk.domain.state import Confirmed, Hall, Phase
from kiosk.domain.types import Pair
from kiosk.session import commands as c


def confirm(table: Evening, at_s: float, side: object = LEFT, *, here: bool = True, match: str = "m7", version: int = 1) -> None:
    table.do(c.ConfirmSeat(match, version, side, here), at_s)  # type: ignore[arg-type]


def known(table: Evening) -> Confirmed | None:
    return table.table.hall.confirmed


def test_one_after_the_other_confirms_and_may_take_it_back() -> None:
    table = Evening()
    confirm(table, 1)
    assert known(table) == Confirmed("m7", 1, Pair(left=True, right=False))
    confirm(table, 2, RIGHT)
    assert known(table) == Confirmed("m7", 1, Pair(left=True, right=True))
    confirm(table, 3, here=False)
    confirm(table, 4, RIGHT, here=False)
    assert known(table) is None


def test_what_is_so_already_is_refused() -> None:
    table = Evening()
    assert table.refuse(c.ConfirmSeat("m7", 1, LEFT, here=False), 1) == "already_used"
    confirm(table, 2)
    assert table.refuse(c.ConfirmSeat("m7", 1, LEFT, here=True), 3) == "already_used"
    assert table.refuse(c.ConfirmSeat("m7", -1, LEFT, here=True), 3) == "bad_value"
    assert table.refuse(c.ConfirmSeat("m" * 65, 1, LEFT, here=True), 3) == "bad_value"


def test_another_match_or_another_version_is_confirmed_anew() -> None:
    table = Evening()
    confirm(table, 1)
    confirm(table, 2, RIGHT, version=2)
    assert known(table) == Confirmed("m7", 2, Pair(left=False, right=True))
    confirm(table, 3, match="m8")
    assert known(table) == Confirmed("m8", 1, Pair(left=True, right=False))


def test_it_outlasts_a_power_cut_and_ends_with_an_opening() -> None:
    table = Evening()
    confirm(table, 1)
    table.power_cut(2)
    assert known(table) == Confirmed("m7", 1, Pair(left=True, right=False))
    table.do(c.OpenMatch("m7", setup(1)), 3)
    assert table.table.hall == Hall()
    assert table.table.house == Hall()
    table.play_game(5, LEFT, Kind.SINGLE)
    before = table.table
    confirm(table, 9, match="m8")
    assert table.table.phase is Phase.ENDED
    assert replace(table.table, hall=before.hall, now=before.now) == before, "it is no part of the match that ended"
    assert table.replayed() == table.table
