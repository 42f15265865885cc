"""What was looked at on the touch board goes on record with a ruling, and comes off again; turns are written down (domain rule 5)."""

from __future__ import annotations

import pytest
from evening import LEFT, RIGHT, Evening, setup
from phases import CHIEF

from kiosk.domain import facts as f
from kiosk.domain.asked import play_line
from kiosk.domain.errors import CommandRefused, Refusal
from kiosk.domain.state import ExaminedPlay
from kiosk.session import commands as c

ID = "4HPwATDgc/ABMA"
SHORT = c.AttachPlay(1, ID, "5-3", "13/8", "more", "000 §3", LEFT)


def ruled() -> Evening:
    table = Evening(setup(length=7, delay_s=12, reserve_s=600)).begin(1)
    table.do(c.SignIn(CHIEF), 2)
    table.do(c.Rule((LEFT,), "illegal_move"), 3)
    return table


def refused(table: Evening, command: c.Command, at_s: float) -> CommandRefused:
    with pytest.raises(CommandRefused) as caught:
        table.do(command, at_s)
    return caught.value


def test_a_position_stands_with_its_ruling() -> None:
    table = ruled()
    table.do(SHORT, 4)
    assert table.table.rulings[0].plays == (ExaminedPlay(ID, "5-3", "13/8", "more", "000 §3", LEFT),)
    assert table.replayed() == table.table


def test_undo_takes_off_the_last_one_alone() -> None:
    table = ruled()
    table.do(SHORT, 4)
    table.do(c.AttachPlay(1, ID), 5)
    table.do(c.Undo("act"), 6)
    assert [play.move for play in table.table.rulings[0].plays] == ["13/8"]


def test_a_ruling_takes_four_and_no_more() -> None:
    table = ruled()
    for _ in range(4):
        table.do(SHORT, 4)
    assert refused(table, SHORT, 5).code is Refusal.ALREADY_USED


def test_what_was_taken_back_takes_none() -> None:
    table = ruled()
    table.do(c.Void(1, "misheard"), 4)
    assert refused(table, SHORT, 5).code is Refusal.ALREADY_USED


@pytest.mark.parametrize("wrong", [c.AttachPlay(1, ""), c.AttachPlay(1, ID, move="x" * 101), c.AttachPlay(1, ID, article="\n")])
def test_what_no_sheet_could_show_is_refused(wrong: c.AttachPlay) -> None:
    assert refused(ruled(), wrong, 4).code is Refusal.BAD_VALUE


def test_a_turn_is_written_down_and_changes_nothing() -> None:
    table = Evening(setup(length=7, delay_s=12, reserve_s=600)).begin(1)
    before = table.table
    facts = table.do(c.NoteTurn(1, 1, RIGHT, "53: 8/3 6/3"), 1)
    assert facts == (f.TurnNoted(facts[0].at, 1, 1, RIGHT, "53: 8/3 6/3"),)
    assert table.table == before


@pytest.mark.parametrize(
    "wrong",
    [
        *[(2, 1, "53:"), (0, 1, "53:"), (1, 0, "53:"), (1, 1000, "53:"), (1, 1, "70:"), (1, 1, "beaver"), (1, 1, "53: 8/3\n")],
        *[(1, 1, "66:"), (1, 1, "double"), (1, 1, "take")],
    ],
)
def test_what_is_no_turn_is_refused(wrong: tuple[int, int, str]) -> None:
    game, n, what = wrong
    assert (
        refused(Evening(setup(length=7, delay_s=12, reserve_s=600)).begin(1), c.NoteTurn(game, n, LEFT, what), 2).code is Refusal.BAD_VALUE
    )


def test_it_is_told_on_one_line() -> None:
    assert play_line(ExaminedPlay(ID, "5-3", "13/8", "more", "000 §3")) == f"{ID}, 5-3 13/8, more (000 §3)"
    assert play_line(ExaminedPlay(ID, "5-3", "", "", "")) == f"{ID}, 5-3"
    assert play_line(ExaminedPlay(ID, "", "", "legal", "")) == f"{ID}, legal"
