"""What was looked at on the touch board goes on record with a ruling, and comes off again; turns are written down (domain rule 5)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from evening import LEFT, RIGHT, Evening, setup
from phases import CHIEF

from kiosk.domain import facts as f
from kiosk.domain.asked import play_line
from kiosk.domain.errors import CommandRefused, Refusal
from kiosk.domain.state import ExaminedPlay
from kiosk.session import commands as c

ID = "4HPwATDgc/ABMA"
SHORT = c.AttachPlay(1, ID, "5-3", "13/8", "both", "000 §3", LEFT)


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
    assert table.table.rulings[0].plays == (ExaminedPlay(ID, "5-3", "13/8", "both", "000 §3", LEFT),)
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
    assert play_line(ExaminedPlay(ID, "5-3", "13/8", "both", "000 §3")) == f"{ID}, 5-3 13/8, both (000 §3)"
    assert play_line(ExaminedPlay(ID, "5-3", "", "", "")) == f"{ID}, 5-3"
    assert play_line(ExaminedPlay(ID, "", "", "legal", "")) == f"{ID}, legal"


def kept(table: Evening) -> ExaminedPlay:
    return table.table.rulings[0].plays[-1]


def test_the_verdict_that_goes_on_record_is_what_the_rules_say() -> None:
    table = ruled()
    table.do(c.AttachPlay(1, ID, "3-1", "8/5 6/5"), 4)
    assert (kept(table).verdict, kept(table).article) == ("legal", "")
    table.do(c.AttachPlay(1, ID, "3-1", "8/5"), 4)
    assert (kept(table).verdict, kept(table).article) == ("both", "000 §3")
    for verdict, article in (("legal", ""), ("both", "000 §99"), ("blocked", "000 §3")):
        refusal = refused(table, c.AttachPlay(1, ID, "3-1", "8/5", verdict, article), 5)
        assert "the move is: both 000 §3" in refusal.message


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (c.AttachPlay(1, "AAAAAAAAAAAAAA"), "borne off everything"),
        (c.AttachPlay(1, "4HPwATDgc"), "no position's id"),
        (c.AttachPlay(1, ID, "9-1"), "9-1 is no roll"),
        (c.AttachPlay(1, ID, "31"), "31 is no roll"),
        (c.AttachPlay(1, ID, "", "8/5"), "goes with its roll"),
        (c.AttachPlay(1, ID, "3-1", "8/x"), "x is no place"),
        (c.AttachPlay(1, "LN1-0000-3ZZW-0000-7ZZR-03"), "another game"),
    ],
)
def test_what_the_rules_cannot_judge_is_refused(wrong: c.AttachPlay, why: str) -> None:
    assert why in refused(ruled(), wrong, 4).message


def test_a_position_of_long_nardy_may_be_of_one_of_the_first_throws() -> None:
    table = Evening(setup(length=7, rulebook="rus-long", delay_s=12, reserve_s=600)).begin(1)
    table.do(c.SignIn(CHIEF), 2)
    table.do(c.Rule((LEFT,), "illegal_move"), 3)
    start = "LN1-0000-3ZZW-0000-7ZZR-03"
    table.do(c.AttachPlay(1, start, "6-6", "24/18(2)", "legal"), 4)  # the second player's first throw
    table.do(c.AttachPlay(1, start, "6-6", "24/18(2)", "head", "004 5.4.11"), 4)
    table.do(c.AttachPlay(1, start, "6-6", "24/18(2)"), 4)
    assert kept(table).verdict == "head"


def test_in_a_match_that_kept_no_play_rules_the_verdict_stands_as_it_is_told() -> None:
    made = replace(setup(length=7, delay_s=12, reserve_s=600), play=None)
    table = Evening(made).begin(1)
    table.do(c.SignIn(CHIEF), 2)
    table.do(c.Rule((LEFT,), "illegal_move"), 3)
    table.do(c.AttachPlay(1, ID, "3-1", "8/5", "more", "002"), 4)
    assert (kept(table).verdict, kept(table).article) == ("more", "002")
    table.do(c.AttachPlay(1, ID, "3-1", "8/5"), 5)
    assert kept(table).verdict == "both"
