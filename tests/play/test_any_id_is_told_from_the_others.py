"""Whichever kind of id is typed, it is known by its looks, and says what it holds."""

from __future__ import annotations

import pytest

from kiosk.play.anyid import Named, id_of, read_id
from kiosk.play.board import BoardError, Game, start_board
from kiosk.play.longid import LongPosition

START, LONG_START = start_board(Game.BACKGAMMON), start_board(Game.LONG_NARDY)
XGID = "-b----E-C---eE---c-e----B-:0:0:1:52:0:0:0:7:10"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("4HPwATDgc/ABMA", Named(START, Game.BACKGAMMON)),
        (" 4HPwATDgc/ABMA\n", Named(START, Game.BACKGAMMON)),
        ("4HPwATDgc/ABMA:8InqABAAMAAE", Named(START, Game.BACKGAMMON, (5, 2))),
        ("4HPwATDgc/ABMA:cAngABAAEAAE", Named(START, Game.BACKGAMMON)),
        (f"XGID={XGID}", Named(START, Game.BACKGAMMON, (5, 2))),
        (XGID, Named(START, Game.BACKGAMMON, (5, 2))),
        ("LN1-0000-3ZZW-0000-7ZZR-03", Named(LONG_START, Game.LONG_NARDY)),
        (str(LongPosition(LONG_START, (6, 6), 2)).lower(), Named(LONG_START, Game.LONG_NARDY, (6, 6), 2)),
    ],
)
def test_an_id_is_read(text: str, named: Named) -> None:
    read = read_id(text)
    assert (read.board, read.game, read.ply) == (named.board, named.game, named.ply)
    assert sorted(read.dice or ()) == sorted(named.dice or ())


def test_a_position_id_may_begin_with_our_letters() -> None:
    # L is 11, N is 13: bits 001011 001101, so that bytes begin 2C D.: a good position of backgammon begins so.
    assert read_id("LNABAAAAAAAAAA").game is Game.BACKGAMMON


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", " is no position's id: GNU Backgammon's has 14 characters"),
        ("4HPwATDgc/ABM", "is no position's id"),
        ("LN7-XX", "is of a version that is not known here"),
        ("4HPwATDgc/ABMA:", "is not a match id: it has 0 characters"),
        ("XGID=", "has 10 fields"),
    ],
)
def test_what_is_no_id_is_refused(text: str, why: str) -> None:
    with pytest.raises(BoardError, match=why):
        read_id(text)


def test_each_game_has_its_own_id() -> None:
    assert id_of(START, Game.BACKGAMMON) == "4HPwATDgc/ABMA"
    assert id_of(LONG_START, Game.LONG_NARDY) == "LN1-0000-3ZZW-0000-7ZZR-03"


@pytest.mark.parametrize(
    ("text", "dice", "xgid"),
    [
        ("4HPwATDgc/ABMA", None, "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"),
        ("4HPwATDgc/ABMA", (3, 1), "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"),
        ("4HPwATDgc/ABMA:8InqABAAMAAE", None, "XGID=-b----E-C---eE---c-e----B-:0:0:1:52:6:1:1:7:10"),
        (f"XGID={XGID}", (6, 4), f"XGID={XGID}".replace(":52:", ":64:")),
    ],
)
def test_whatever_an_id_says_goes_into_the_xgid(text: str, dice: tuple[int, int] | None, xgid: str) -> None:
    assert str(read_id(text).xgid(dice)) == xgid


def test_long_nardy_has_no_xgid() -> None:
    assert read_id("LN1-0000-3ZZW-0000-7ZZR-03").xgid((3, 1)) is None
