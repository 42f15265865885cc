"""Each reason for which a move is not legal, at its step and with its article; and what is legal after all."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from kiosk.domain.rulebook import BlockRule
from kiosk.play import Board, BoardError, Game, PlayRules, Reason, Step, Verdict, judge, judge_final, plays, start_board
from tests.play.boards import side
from tests.play.rows import BACKGAMMON, COMMON

BG, LN = Game.BACKGAMMON, Game.LONG_NARDY
START = start_board(BG)
HEADS = start_board(LN)
LETTER = replace(COMMON, bear_off_any_lower=True)
AT_END = replace(COMMON, block=BlockRule.AT_THE_END)


def bg(opp: dict[str, int] | None = None, **me: int) -> Board:
    return Board(side(BG, **me), side(BG, **(opp or {"p1": 15})))


def ln(opp: dict[str, int] | None = None, **me: int) -> Board:
    return Board(side(LN, **me), side(LN, **(opp or {"p1": 15})))


def asked(board: Board, dice: tuple[int, int], move: str, rules: PlayRules = BACKGAMMON, ply: int | None = None) -> Verdict:
    return judge(board, dice, tuple(Step(*map(int, step.split("/"))) for step in move.split()), rules, ply)


@dataclass(frozen=True)
class Wrong:
    """A move that is not legal."""

    board: Board
    dice: tuple[int, int]
    move: str
    reason: Reason
    at_step: int | None
    article: str
    rules: PlayRules = field(default=BACKGAMMON)
    ply: int | None = None


BLOCK = ln({"p24": 15}, p1=6, p11=4, p10=1, p9=1, p8=1, p6=1, p13=1)
"""All fifteen of the opponent stand on his head, the mover's 12; a checker that comes to the mover's 7 fills 6 to 11."""

CASES = {
    "a point with two of the opponent's": Wrong(START, (5, 1), "24/19 6/5", Reason.BLOCKED, 0, "000 §3"),
    "a blocked stop on the way of one checker": Wrong(START, (5, 5), "24/4", Reason.BLOCKED, 0, "000 §3"),
    "no checker on that point": Wrong(START, (5, 1), "6/5 20/15", Reason.NO_CHECKER, 1, "000 §3"),
    "backwards": Wrong(START, (5, 1), "8/13 6/5", Reason.DIRECTION, 0, "000 §1"),
    "on the spot": Wrong(START, (5, 1), "8/8 6/5", Reason.DIRECTION, 0, "000 §1"),
    "back to the bar": Wrong(START, (5, 1), "24/25", Reason.DIRECTION, 0, "000 §1"),
    "another checker before the one on the bar": Wrong(
        bg({"p1": 13, "p2": 2}, bar=1, p13=14), (4, 3), "13/9 13/10", Reason.BAR_FIRST, 0, "000 §4"
    ),
    "a checker on the bar enters on a blocked point": Wrong(
        bg({"p3": 2, "p1": 13}, bar=1, p13=14), (4, 3), "25/22 13/9", Reason.ENTRY_BLOCKED, 0, "000 §4"
    ),
    "a number that was not thrown": Wrong(START, (5, 1), "13/9 6/5", Reason.WRONG_NUMBER, 0, "000 §3"),
    "the same number twice": Wrong(START, (5, 1), "13/8 8/3", Reason.WRONG_NUMBER, 1, "000 §3"),
    "a smaller number than bears off": Wrong(bg(p6=2), (3, 2), "6/0", Reason.WRONG_NUMBER, 0, "000 §3"),
    "three steps of two dice": Wrong(START, (5, 1), "13/8 6/5 6/5", Reason.TOO_MANY, 2, "000 §3"),
    "five steps of a double": Wrong(START, (1, 1), "24/23 24/23 8/7 8/7 6/5", Reason.TOO_MANY, 4, "000 §3"),
    "bearing off with a checker outside": Wrong(bg(p7=1, p5=14), (5, 2), "5/0 5/3", Reason.NOT_ALL_HOME, 0, "000 §5"),
    "bearing off from below while one stands higher": Wrong(bg(p5=1, p3=2), (4, 1), "3/0 3/2", Reason.HIGHER_FIRST, 0, "000 §5"),
    "one number where both can be played": Wrong(START, (5, 1), "13/8", Reason.BOTH, None, "000 §3"),
    "nothing where both can be played": Wrong(START, (5, 1), "", Reason.BOTH, None, "000 §3"),
    "one number that leaves none for the other": Wrong(
        bg({"p10": 2, "p20": 2, "p1": 11}, p20=1, p10=1), (6, 5), "10/4", Reason.BOTH, None, "000 §3"
    ),
    "three steps of a double of which four can be played": Wrong(START, (1, 1), "24/23 24/23 8/7", Reason.MORE, None, "000 §3"),
    "nothing where one number can be played": Wrong(bg({"p7": 2, "p9": 2, "p2": 11}, p24=1), (6, 2), "", Reason.MORE, None, "000 §3"),
    "the smaller number where either can be played": Wrong(bg({"p9": 2, "p2": 13}, p24=1), (6, 2), "24/22", Reason.LARGER, None, "000 §3"),
    "a move when the game is over": Wrong(Board(side(BG, p6=3), side(BG)), (2, 1), "6/4 6/5", Reason.GAME_OVER, None, "000 §5"),
    "long nardy: a point with one of the opponent's": Wrong(
        ln({"p9": 1, "p24": 14}, p24=14, p23=1), (3, 2), "24/21 23/21", Reason.BLOCKED, 0, "004 5.4.12", COMMON
    ),
    "long nardy: there is no bar": Wrong(HEADS, (2, 1), "25/24", Reason.NO_CHECKER, 0, "004 5.4.21", COMMON),
    "long nardy: backwards": Wrong(HEADS, (2, 1), "24/25", Reason.DIRECTION, 0, "004 5.4.23", COMMON),
    "long nardy: a number that was not thrown": Wrong(HEADS, (2, 1), "24/20", Reason.WRONG_NUMBER, 0, "004 5.4.23–5.4.24", COMMON),
    "long nardy: a superfluous step": Wrong(HEADS, (2, 1), "24/21 21/20", Reason.TOO_MANY, 1, "004 5.4.47", COMMON),
    "long nardy: bearing off with a checker outside": Wrong(
        ln(p8=1, p5=14), (5, 1), "5/0 8/7", Reason.NOT_ALL_HOME, 0, "004 5.4.35", COMMON
    ),
    "long nardy: bearing off from below while one stands higher": Wrong(
        ln(p5=1, p3=2), (4, 1), "3/0 3/2", Reason.HIGHER_FIRST, 0, "004 5.4.36–5.4.37", COMMON
    ),
    "long nardy by the letter: from below while one stands on the number": Wrong(
        ln(p4=1, p3=2, p6=1), (4, 1), "3/0 6/5", Reason.HIGHER_FIRST, 0, "004 5.4.36–5.4.37", LETTER
    ),
    "long nardy: two from the head": Wrong(HEADS, (2, 1), "24/22 24/23", Reason.HEAD, 1, "004 5.4.11", COMMON),
    "long nardy: two from the head with 5-5": Wrong(HEADS, (5, 5), "24/19 24/19", Reason.HEAD, 1, "004 5.4.11", COMMON, 2),
    "long nardy: two from the head at the second throw": Wrong(HEADS, (6, 6), "24/18 24/18", Reason.HEAD, 1, "004 5.4.11", COMMON),
    "long nardy: the first player takes two where only the second may": Wrong(
        HEADS, (6, 6), "24/18 24/18", Reason.HEAD, 1, "004 5.4.11", PlayRules(LN), 1
    ),
    "long nardy: three from the head at first": Wrong(HEADS, (4, 4), "24/20 24/20 24/20 20/16", Reason.HEAD, 2, "004 5.4.11", COMMON, 2),
    "long nardy: a six-block": Wrong(BLOCK, (6, 2), "13/7 11/9", Reason.SIX_BLOCK, 0, "004 5.4.13", COMMON),
    "long nardy: a six-block for an instant": Wrong(BLOCK, (6, 1), "13/7 7/6", Reason.SIX_BLOCK, 0, "004 5.4.13", COMMON),
    "long nardy: a six-block at the end": Wrong(BLOCK, (6, 5), "13/7 11/6", Reason.SIX_BLOCK, None, "004 5.4.13", AT_END),
    "long nardy: one number where both can be played": Wrong(HEADS, (2, 1), "24/22", Reason.BOTH, None, "004 5.4.26", COMMON),
    "long nardy: two steps of a double of which four can be played": Wrong(HEADS, (2, 2), "24/20", Reason.MORE, None, "004 5.4.26", COMMON),
    "long nardy: the smaller number where either can be played": Wrong(
        ln({"p4": 1, "p1": 14}, p24=1), (6, 2), "24/22", Reason.LARGER, None, "004 5.4.26", COMMON
    ),
    "long nardy: a move when the game is over": Wrong(ln({"p1": 0}, p5=2), (2, 1), "5/3 5/4", Reason.GAME_OVER, None, "004 5.4.39", COMMON),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_move_that_is_not_legal_has_its_reason_its_step_and_its_article(case: Wrong) -> None:
    verdict = asked(case.board, case.dice, case.move, case.rules, case.ply)
    assert (verdict.legal, verdict.reason, verdict.at_step) == (False, case.reason, case.at_step)
    assert verdict.article == case.article
    assert verdict.plays == plays(case.board, case.dice, case.rules, case.ply)
    assert verdict.sentence.endswith(".")


def test_every_reason_is_given_for_some_move_or_position() -> None:
    assert {case.reason for case in CASES.values()} == set(Reason) - {Reason.NOT_THIS_ROLL}


@pytest.mark.parametrize(
    ("board", "dice", "move", "rules", "ply", "made"),
    [
        (START, (3, 1), "8/5 6/5", BACKGAMMON, None, "8/5 6/5"),
        (START, (6, 5), "24/13", BACKGAMMON, None, "24/18 18/13"),
        (START, (1, 3), "6/5 8/5", BACKGAMMON, None, "6/5 8/5"),
        (bg({"p3": 1, "p1": 14}, bar=1, p13=14), (3, 4), "13/9 25/22", BACKGAMMON, None, "25/22 13/9"),
        (START, (5, 3), "13/9 9/5", BACKGAMMON, None, "13/8 8/5"),
        (bg({"p1": 2, "p2": 2, "p3": 2, "p4": 2, "p5": 2, "p6": 2}, bar=1, p13=14), (6, 1), "", BACKGAMMON, None, ""),
        (bg(p6=1, p4=1), (6, 5), "6/0 4/0", BACKGAMMON, None, "6/0 4/0"),
        (bg(p6=1), (3, 3), "6/0", BACKGAMMON, None, "6/3 3/0"),
        (bg(p2=1), (5, 1), "2/0", BACKGAMMON, None, "2/1 1/0"),
        (HEADS, (6, 6), "24/18 24/18", COMMON, 2, "24/18 24/18"),
        (HEADS, (6, 6), "24/18 24/18", COMMON, 1, "24/18 24/18"),
        (HEADS, (6, 6), "24/18", COMMON, None, "24/18"),
        (HEADS, (4, 4), "24/16 24/16", PlayRules(LN), 2, "24/20 24/20 20/16 20/16"),
        (BLOCK, (6, 1), "13/7 7/6", AT_END, None, "13/7 7/6"),
        (BLOCK, (6, 1), "13/7 11/10", replace(COMMON, block=BlockRule.NONE), None, "13/7 11/10"),
        (ln(p6=1, p3=1), (4, 1), "3/0 6/5", LETTER, None, "3/0 6/5"),
        (ln({"p1": 0}, p5=1), (3, 2), "5/0", replace(COMMON, last_roll=True), None, "5/2 2/0"),
    ],
)
def test_a_legal_move_is_told_die_by_die(
    board: Board, dice: tuple[int, int], move: str, rules: PlayRules, ply: int | None, made: str
) -> None:
    verdict = asked(board, dice, move, rules, ply)
    assert (verdict.legal, verdict.reason, verdict.article, verdict.at_step) == (True, None, None, None)
    assert " ".join(f"{step.start}/{step.end}" for step in verdict.made) == made
    assert verdict.sentence == "The move is legal."


def test_a_checker_that_hits_on_its_way_sends_the_blot_to_the_bar() -> None:
    board = bg({"p20": 1, "p17": 2, "p1": 12}, p13=2)  # his 20 is the mover's 5, his 17 the mover's 8
    verdict = asked(board, (5, 3), "13/10 10/5")
    assert verdict.legal
    assert verdict.made == (Step(13, 10), Step(10, 5, hit=True))
    assert verdict.final == Board(side(BG, p13=1, p5=1), side(BG, p17=2, p1=12, bar=1))


def test_of_several_ways_of_one_checker_the_one_is_told_that_leaves_a_legal_position() -> None:
    board = bg({"p17": 1, "p15": 2, "p1": 12}, p13=2)  # a blot on the mover's 8, his 10 is blocked
    verdict = asked(board, (5, 3), "13/5")
    assert verdict.made == (Step(13, 8, hit=True), Step(8, 5))
    assert verdict.final == Board(side(BG, p13=1, p5=1), side(BG, p15=2, p1=12, bar=1))


def test_a_blot_is_hit_once_however_many_checkers_come() -> None:
    board = bg({"p20": 1, "p1": 14}, p6=15)
    play = next(play for play in plays(board, (1, 1), BACKGAMMON) if play.final.me == side(BG, p6=11, p5=4))
    assert [step.hit for step in play.steps] == [True, False, False, False]
    assert play.final.opp == side(BG, p1=14, bar=1)


def test_a_block_that_lets_one_of_the_opponent_stand_ahead_is_legal() -> None:
    ahead = Board(BLOCK.me, side(LN, p24=14, p17=1))  # his 17 is the mover's 5, below the block
    assert asked(ahead, (6, 1), "13/7 11/10", COMMON).legal


def test_checkers_that_are_off_do_not_count_as_ahead_of_a_block() -> None:
    fewer = Board(BLOCK.me, side(LN, p24=9))
    assert asked(fewer, (6, 1), "13/7 11/10", COMMON).reason is Reason.SIX_BLOCK


def test_an_order_that_never_shows_the_block_makes_it_legal() -> None:
    # 9/6 first leaves the 9; then 13/7 fills no six points. The other way round 6 to 11 would be full for an instant.
    assert asked(BLOCK, (6, 3), "13/7 9/6", COMMON).legal


def test_a_block_that_stood_before_the_turn_is_not_held_against_another_move() -> None:
    standing = ln({"p24": 15}, p11=3, p10=1, p9=1, p8=1, p7=1, p6=1, p20=7)
    assert asked(standing, (2, 1), "20/18 20/19", COMMON).legal


def test_the_position_after_an_illegal_move_is_told_where_it_can_stand() -> None:
    assert asked(START, (5, 1), "13/8").final == Board(side(BG, p24=2, p13=4, p8=4, p6=5), START.opp)
    assert asked(START, (5, 1), "24/19 6/5").final is None


def test_a_final_position_is_judged_like_the_move_that_leads_there() -> None:
    for play in plays(START, (3, 1), BACKGAMMON):
        verdict = judge_final(START, (3, 1), play.final, BACKGAMMON)
        assert (verdict.legal, verdict.final, verdict.made) == (True, play.final, play.steps)


@pytest.mark.parametrize(
    ("board", "dice", "final", "reason", "made"),
    [
        (START, (5, 1), START, Reason.BOTH, ()),
        (START, (5, 1), Board(side(BG, p24=2, p13=4, p8=4, p6=5), START.opp), Reason.BOTH, (Step(13, 8),)),
        (START, (5, 1), Board(side(BG, p24=2, p13=3, p8=5, p6=5), START.opp), Reason.NOT_THIS_ROLL, ()),
        (bg(p5=1, p3=2), (4, 1), bg(p5=1, p3=1), Reason.HIGHER_FIRST, (Step(3, 2), Step(2, 0))),
        (Board(side(BG, p6=3), side(BG)), (2, 1), Board(side(BG, p6=2), side(BG)), Reason.GAME_OVER, ()),
    ],
)
def test_a_final_position_that_is_not_legal_has_its_reason(
    board: Board, dice: tuple[int, int], final: Board, reason: Reason, made: tuple[Step, ...]
) -> None:
    verdict = judge_final(board, dice, final, BACKGAMMON)
    assert (verdict.legal, verdict.reason, verdict.made) == (False, reason, made)


def test_the_last_roll_is_the_second_players_and_long_nardys() -> None:
    last = replace(COMMON, last_roll=True)
    board = ln({"p1": 0}, p5=2)
    assert [bool(plays(board, (2, 1), last, ply)) for ply in (None, 40, 41)] == [True, True, False]
    assert plays(board, (2, 1), COMMON) == ()
    assert plays(Board(side(BG, p5=2), side(BG)), (2, 1), replace(BACKGAMMON, last_roll=True)) == ()
    assert plays(Board(side(LN), side(LN, p5=2)), (2, 1), last) == ()


def test_where_nothing_can_be_played_the_position_stays() -> None:
    shut = bg({"bar": 1, "p1": 2, "p2": 2, "p3": 2, "p4": 2, "p5": 2, "p6": 2}, bar=1, p12=14)
    assert plays(shut, (6, 1), BACKGAMMON) == ()
    assert judge_final(shut, (6, 1), shut, BACKGAMMON).legal


@pytest.mark.parametrize(
    ("dice", "ply", "step", "told"),
    [
        ((0, 1), None, Step(6, 5), "A throw is two numbers from 1 to 6, not 0 1."),
        ((1,), None, Step(6, 5), "A throw is two numbers from 1 to 6, not 1."),
        ((1, 7), None, Step(6, 5), "A throw is two numbers from 1 to 6, not 1 7."),
        ((2, 1), 0, Step(6, 5), "A ply is a whole number from 1 on, not 0."),
        ((2, 1), None, Step(26, 5), "26/5: places are 24 to 1, 25 for the bar and 0 for off."),
        ((2, 1), None, Step(6, -1), "6/-1: places are 24 to 1, 25 for the bar and 0 for off."),
    ],
)
def test_what_is_no_throw_no_ply_and_no_place_is_refused(dice: tuple[int, ...], ply: int | None, step: Step, told: str) -> None:
    with pytest.raises(BoardError) as refused:
        judge(START, dice, (step,), BACKGAMMON, ply)
    assert str(refused.value) == told


def test_a_position_that_cannot_stand_is_refused_before_anything_is_judged() -> None:
    broken = Board(START.me, side(BG, p12=3))
    with pytest.raises(BoardError, match="point 13"):
        plays(broken, (2, 1), BACKGAMMON)
    with pytest.raises(BoardError, match="point 13"):
        judge_final(START, (2, 1), broken, BACKGAMMON)
