"""A move as people type it becomes steps, and steps become a move as people read it."""

from __future__ import annotations

import pytest

from kiosk.play.board import BAR, OFF, BoardError, Game, Step
from kiosk.play.notation import read_move, written, written_out

BACKGAMMON, LONG = Game.BACKGAMMON, Game.LONG_NARDY


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("13/8 6/5", (Step(13, 8), Step(6, 5))),
        ("13/8, 6/5", (Step(13, 8), Step(6, 5))),
        ("bar/22", (Step(BAR, 22),)),
        ("25/22", (Step(BAR, 22),)),
        ("6/off", (Step(6, OFF),)),
        ("6/0", (Step(6, OFF),)),
        ("Bar/20 6/OFF", (Step(BAR, 20), Step(6, OFF))),
        ("8/5*(2)", (Step(8, 5, hit=True), Step(8, 5, hit=True))),
        ("24/18/13", (Step(24, 18), Step(18, 13))),
        ("24/18*/13*", (Step(24, 18, hit=True), Step(18, 13, hit=True))),
        ("24/18/12(2)", (Step(24, 18), Step(18, 12), Step(24, 18), Step(18, 12))),
        ("13/8(1)", (Step(13, 8),)),
        ("24/13", (Step(24, 13),)),
        ("-", ()),
    ],
)
def test_a_move_is_read(text: str, steps: tuple[Step, ...]) -> None:
    assert read_move(text, BACKGAMMON) == steps


@pytest.mark.parametrize("text", ["8/13", "8/8", "6/5(5)", "24/1"])
def test_what_the_rules_forbid_can_be_read(text: str) -> None:
    assert read_move(text, LONG)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "There is no move; write it as 13/8 6/5, or as - if nothing was moved"),
        (" , ", "There is no move"),
        ("13/8 65", "65 is no move of a checker"),
        ("13-8", "13-8 is no move of a checker"),
        ("8/5(2", r"8/5\(2 is no move of a checker"),
        ("8/5(2)*", "is no move of a checker"),
        ("(2)", "is no move of a checker"),
        ("13/x", "13/x: x is no place"),
        ("26/20", "26/20: 26 is no place"),
        ("013/8", "013/8: 013 is no place"),
        ("8//5", "8//5: “” is no place"),
        ("13*/8", r"13\*/8: 13\* is no place"),
        ("8/5**", r"8/5\*\*: 5\* is no place"),
        ("off/5", "off/5: a checker that is off stays off"),
        ("6/off/3", "a checker that is off stays off"),
        ("13/bar", "nobody moves one to the bar"),
        ("8/5(0)", r"8/5\(0\): a player has one to fifteen checkers to move, not 0"),
        ("8/5(16)", "not 16"),
        ("8/5(" + "9" * 5000 + ")", "one to fifteen checkers"),
    ],
)
def test_what_is_no_move_is_refused_with_the_piece_that_is_wrong(text: str, why: str) -> None:
    with pytest.raises(BoardError, match=why):
        read_move(text, BACKGAMMON)


@pytest.mark.parametrize(("text", "why"), [("bar/20", "bar/20: long nardy has no bar"), ("24/20*", "nobody is hit in long nardy")])
def test_long_nardy_has_no_bar_and_no_hits(text: str, why: str) -> None:
    with pytest.raises(BoardError, match=why):
        read_move(text, LONG)


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        ((), "-"),
        ((Step(6, 5), Step(13, 8)), "13/8 6/5"),
        ((Step(BAR, 22, hit=True), Step(6, OFF)), "bar/22* 6/off"),
        ((Step(24, 18), Step(18, 13)), "24/13"),
        ((Step(24, 18, hit=True), Step(18, 13)), "24/18*/13"),
        ((Step(24, 18, hit=True), Step(18, 13, hit=True)), "24/18*/13*"),
        ((Step(8, 5, hit=True), Step(8, 5)), "8/5*(2)"),
        ((Step(6, 3), Step(8, 5), Step(6, 3), Step(8, 5)), "8/5(2) 6/3(2)"),
        ((Step(13, 10), Step(13, 10), Step(10, 7), Step(13, 10)), "13/10(2) 13/7"),
        ((Step(18, 13), Step(24, 18)), "24/18 18/13"),
    ],
)
def test_a_move_is_written(steps: tuple[Step, ...], text: str) -> None:
    assert written(steps) == text


@pytest.mark.parametrize("text", ["13/8 6/5", "bar/22* 6/off(2)", "8/5*(2) 6/3*(2)", "24/18*/13", "-"])
def test_what_is_written_is_read_and_written_the_same(text: str) -> None:
    assert written(read_move(text, BACKGAMMON)) == text


@pytest.mark.parametrize("text", ["6/5 13/8", "24/18* 18/13", "bar/22 6/off 6/off", "-"])
def test_a_move_that_is_written_out_is_read_step_by_step_in_its_own_order(text: str) -> None:
    assert written_out(read_move(text, BACKGAMMON)) == text
