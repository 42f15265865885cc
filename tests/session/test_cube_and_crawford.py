"""The cube and the Crawford game (domain rules 3.2–3.4, 3.7)."""

from __future__ import annotations

import pytest
from evening import LEFT, RIGHT, Evening, ns, setup

from kiosk.domain.asked import cube_frozen, cube_in_play, is_crawford_game
from kiosk.domain.rulebook import FlagPolicy, Kind, OnFlag
from kiosk.domain.types import Side, seconds
from kiosk.session import commands as c


def second_turns(table: Evening, at_s: float) -> Evening:
    """Both have ended a turn; left is to move at `at_s` + 2."""
    table.begin(at_s)
    table.press(LEFT, at_s + 1)
    table.press(RIGHT, at_s + 2)
    return table


def test_3_3_offer_and_take_are_one_press_each_with_a_fresh_delay() -> None:
    table = second_turns(Evening(setup(delay_s=12)), 0)
    table.do(c.Double(LEFT), 7)
    assert table.clock(7).running == (RIGHT,)
    assert table.delay_left(RIGHT, 7) == 12
    table.press(RIGHT, 10)
    assert (table.table.cube.value, table.table.cube.owner) == (2, RIGHT)
    assert table.clock(10).running == (LEFT,)
    assert table.delay_left(LEFT, 10) == 12
    assert table.clock(10).turns.left == table.clock(10).turns.right == 1


def test_3_3_only_the_owner_redoubles() -> None:
    table = second_turns(Evening(setup(delay_s=12)), 0)
    table.do(c.Double(LEFT), 3)
    table.do(c.Take(RIGHT), 4)
    assert table.refuse(c.Double(LEFT), 5) == "cube_not_yours"
    table.press(LEFT, 6)
    table.do(c.Double(RIGHT), 7)
    table.do(c.Take(LEFT), 8)
    assert (table.table.cube.value, table.table.cube.owner) == (4, LEFT)


def test_3_3_the_cube_goes_to_64_and_no_higher() -> None:
    table = second_turns(Evening(setup(None, "circle", reserve_s=600, delay_s=12)), 0)
    at, side = 3.0, LEFT
    for value in (2, 4, 8, 16, 32, 64):
        table.do(c.Double(side), at)
        table.do(c.Take(side.other), at + 1)
        assert table.table.cube.value == value
        table.press(side, at + 2)
        at, side = at + 3, side.other
    assert table.refuse(c.Double(side), at) == "cube_at_limit"


def test_3_3_the_side_to_move_does_not_double_in_the_first_turn() -> None:
    table = Evening(setup(delay_s=12)).begin()
    assert table.refuse(c.Double(LEFT), 1) == "first_turn"
    table.press(LEFT, 2)
    table.do(c.Double(RIGHT), 3)
    assert table.table.cube.open_offer


def test_3_3_an_early_offer_waits_for_the_press_and_the_clock_runs_on_fresh() -> None:
    table = Evening(setup(delay_s=12)).begin()
    table.do(c.Double(RIGHT), 3)
    assert table.table.alerts[-1].code == "early_double"
    assert table.clock(5).running == (LEFT,)
    assert table.refuse(c.Take(LEFT), 5) == "wrong_phase"
    table.press(LEFT, 14)
    assert table.clock(14).running == (LEFT,)
    assert table.delay_left(LEFT, 14) == 12
    assert table.reserve(14) == (58, 60)
    assert table.clock(14).turns.left == 1
    assert table.refuse(c.PressBack("left"), 15) == "nothing_to_undo"
    table.press(LEFT, 16)
    assert (table.table.cube.owner, table.clock(16).running) == (LEFT, (RIGHT,))


def test_3_2_a_pass_is_worth_the_cube_before_the_double_and_stops_the_clocks() -> None:
    table = second_turns(Evening(setup(delay_s=12)), 0)
    table.do(c.Double(LEFT), 3)
    table.do(c.Take(RIGHT), 4)
    table.press(LEFT, 5)
    table.do(c.Double(RIGHT), 6)
    table.do(c.Pass(LEFT), 7)
    assert (table.table.phase, table.clock(9).running) == ("recording", ())
    assert table.refuse(c.ConfirmGame(RIGHT), 8) == "not_the_loser"
    table.do(c.ConfirmGame(LEFT), 9)
    assert table.score == (0, 2)
    assert table.table.games[0].kind is Kind.PASS


OPEN_OFFER = {
    "not possible": [c.Double(LEFT), c.Double(RIGHT), c.RecordGame(LEFT, Kind.SINGLE, None), c.SwapStart("left"), c.TakeBreak(LEFT)],
    "possible": [c.StopClock("left", None), c.CallReferee("left"), c.ResignMatch(RIGHT), c.PressBack("right"), c.Pass(RIGHT)],
}


@pytest.mark.parametrize(("allowed", "command"), [(word, command) for word, commands in OPEN_OFFER.items() for command in commands])
def test_3_3_while_an_offer_is_open(allowed: str, command: c.Command) -> None:
    table = second_turns(Evening(setup(delay_s=12)), 0)
    table.do(c.Double(LEFT), 3)
    if allowed == "possible":
        assert table.do(command, 4)
    else:
        assert table.refuse(command, 4) in {"wrong_phase", "window_closed"}


def test_3_3_a_stated_cube_that_differs_from_the_turned_one_is_recorded_with_an_alert() -> None:
    table = second_turns(Evening(setup(delay_s=12)), 0)
    table.do(c.Double(LEFT), 3)
    table.do(c.Take(RIGHT), 4)
    table.do(c.RecordGame(RIGHT, Kind.SINGLE, 4), 5)
    assert table.table.alerts[-1].code == "cube_mismatch"
    other = second_turns(Evening(setup(delay_s=12)), 0)
    other.do(c.RecordGame(RIGHT, Kind.SINGLE, 4), 5)
    other.do(c.ConfirmGame(LEFT), 6)
    assert other.table.alerts == ()
    assert other.score == (0, 4)


# ── Crawford, domain rule 3.4 ────────────────────────────────────────────────
def test_3_4_the_game_after_first_standing_at_match_point_has_no_cube_once() -> None:
    table = Evening(setup(5, delay_s=12)).play_game(1, LEFT, cube=4)
    assert is_crawford_game(table.table)
    second_turns(table, 10)
    assert table.refuse(c.Double(LEFT), 13) == "crawford_game"
    assert table.refuse(c.RecordGame(RIGHT, Kind.SINGLE, 2), 14) == "bad_value"
    table.do(c.RecordGame(RIGHT, Kind.SINGLE, None), 15)
    table.do(c.ConfirmGame(LEFT), 16)
    second_turns(table, 20)
    assert not is_crawford_game(table.table)
    assert table.do(c.Double(LEFT), 23)


@pytest.mark.parametrize(
    ("length", "score", "played", "crawford", "in_play"),
    [
        (5, (4, 1), None, True, False),
        (5, (1, 4), None, True, False),
        (5, (4, 1), True, False, True),
        (5, (4, 4), None, False, True),
        (5, (3, 3), None, False, True),
        (1, (0, 0), None, False, False),
        (2, (0, 1), None, True, False),
        (2, (0, 0), None, False, True),
    ],
)
def test_3_4_a_match_opened_with_a_score(  # one row of the rule each
    length: int, score: tuple[int, int], *, played: bool | None, crawford: bool, in_play: bool
) -> None:
    table = Evening(setup(length, score=score, crawford_played=played)).table
    assert (is_crawford_game(table), cube_in_play(table)) == (crawford, in_play)


def test_3_4_at_one_away_each_the_snapshot_says_double_match_point() -> None:
    table = Evening(setup(5, score=(4, 4)))
    assert table.session.snapshot(ns(1)).double_match_point
    assert not Evening(setup(5, score=(4, 3))).session.snapshot(ns(1)).double_match_point
    assert not Evening(setup(None, "circle")).session.snapshot(ns(1)).double_match_point


def test_3_4_at_length_one_there_is_no_cube() -> None:
    assert second_turns(Evening(setup(1, delay_s=12)), 0).refuse(c.Double(LEFT), 3) == "no_cube"


def frozen() -> Evening:
    """3 points; left's flag in mid-game brings right to 2."""
    policy = OnFlag(FlagPolicy.PENALTY_POINTS, points=2, refill=seconds(500))
    table = Evening(setup(3, delay_s=0, reserve_s=(30, 500), on_flag=policy))
    second_turns(table, 0)
    table.session.tick(ns(100))
    assert table.score == (0, 2)
    return table


def test_3_4_a_penalty_point_in_mid_game_freezes_the_cube_and_the_next_is_crawford() -> None:
    table = frozen()
    assert cube_frozen(table.table)
    assert cube_in_play(table.table)
    assert table.refuse(c.Double(LEFT), 101) == "cube_frozen"
    table.do(c.RecordGame(LEFT, Kind.SINGLE, None), 102)
    table.do(c.ConfirmGame(RIGHT), 103)
    assert is_crawford_game(table.table)
    assert not table.table.games[0].crawford
    assert not cube_frozen(table.table)


def test_3_4_a_correction_that_takes_match_point_away_works_the_game_out_anew() -> None:
    table = Evening(setup(5, delay_s=12)).play_game(1, LEFT, cube=4)
    table.begin(10)
    assert is_crawford_game(table.table)
    table.do(c.CorrectGame(1, LEFT, Kind.SINGLE, 2, "cube read wrongly"), 11)
    assert not is_crawford_game(table.table)
    table.do(c.CorrectGame(1, RIGHT, Kind.GAMMON, 2, "and the winner"), 12)
    assert is_crawford_game(table.table)
    assert table.score == (0, 4)


def test_3_4_a_crawford_game_that_was_played_is_not_repeated_after_a_correction() -> None:
    table = Evening(setup(5, delay_s=12)).play_game(1, LEFT, cube=4).play_game(10, RIGHT)
    assert table.table.games[1].crawford
    table.do(c.CorrectGame(2, RIGHT, Kind.BACKGAMMON, None, "miscounted"), 20)
    assert table.score == (4, 3)
    assert not is_crawford_game(table.table)


def test_3_4_without_the_crawford_rule_there_is_none() -> None:
    assert not is_crawford_game(Evening(setup(5, crawford=False)).play_game(1, LEFT, cube=4).table)


# ── Free sessions and other rulebooks, domain rules 3.7, 3.8 ─────────────────
def test_3_7_an_automatic_double_comes_once_a_game_and_before_its_first_press() -> None:
    table = Evening(setup(None, "circle", reserve_s=60, delay_s=5))
    table.do(c.AutomaticDoubling(), 1)
    assert table.refuse(c.AutomaticDoubling(), 2) == "already_used"
    assert table.refuse(c.RecordGame(LEFT, Kind.SINGLE, 1), 3) == "bad_value"
    table.do(c.Undo(), 4)
    assert (table.table.cube.value, table.table.cube.automatic) == (1, False)
    table.do(c.AutomaticDoubling(), 5)
    table.begin(6)
    assert table.refuse(c.AutomaticDoubling(), 7) == "wrong_phase"


def test_3_7_without_a_cube_there_is_no_automatic_double() -> None:
    assert Evening(setup(None, "circle", cube=False)).refuse(c.AutomaticDoubling(), 1) == "no_cube"
    assert Evening(setup(5, "circle")).refuse(c.AutomaticDoubling(), 1) == "wrong_phase"


@pytest.mark.parametrize(("automatic", "cube", "points"), [(False, 1, 1), (False, 2, 4), (True, 2, 2), (True, 4, 8)])
def test_3_7_under_jacoby_gammons_count_only_with_a_turned_cube(*, automatic: bool, cube: int, points: int) -> None:
    table = Evening(setup(None, "circle", jacoby=True))
    if automatic:
        table.do(c.AutomaticDoubling(), 1)
    table.play_game(2, LEFT, Kind.GAMMON, cube)
    assert table.score == (points, 0)


def test_3_7_an_automatic_double_binds_a_later_correction_too() -> None:
    table = Evening(setup(None, "circle", jacoby=True))
    table.do(c.AutomaticDoubling(), 1)
    table.play_game(2, LEFT)
    assert table.refuse(c.CorrectGame(1, LEFT, Kind.SINGLE, 1, "no"), 3) == "bad_value"


@pytest.mark.parametrize(("option", "points"), [(None, 3), (3, 3), (2, 2)])
def test_3_7_a_backgammon_counts_three_or_two(option: int | None, points: int) -> None:
    table = Evening(setup(9, backgammon_counts=option)).play_game(1, RIGHT, Kind.BACKGAMMON)
    assert table.score == (0, points)


def test_3_7_jacoby_never_holds_in_a_match() -> None:
    assert Evening(setup(9, "circle", jacoby=True)).play_game(1, RIGHT, Kind.GAMMON).score == (0, 2)


@pytest.mark.parametrize(
    ("rulebook", "kind", "points"),
    [("yellowclub", Kind.SINGLE, 1), ("rus-long", Kind.OIN, 1), ("rus-long", Kind.MARS, 2)],
)
def test_3_8_other_rulebooks_have_no_cube_and_their_own_wins(rulebook: str, kind: Kind, points: int) -> None:
    table = second_turns(Evening(setup(5, rulebook, delay_s=12)), 0)
    assert table.refuse(c.Double(LEFT), 3) == "no_cube"
    assert table.refuse(c.RecordGame(LEFT, Kind.KOKS, None), 3) == "bad_value"
    table.do(c.RecordGame(LEFT, kind, None), 4)
    table.do(c.ConfirmGame(RIGHT), 5)
    assert table.score == (points, 0)


@pytest.mark.parametrize("side", [LEFT, RIGHT])
def test_3_2_the_score_is_the_plain_sum_also_past_the_length(side: Side) -> None:
    table = Evening(setup(3)).play_game(1, side, Kind.GAMMON, 4)
    assert max(table.score) == 8
    assert table.session.snapshot(ns(2)).standing is not None


def test_3_7_a_free_session_whose_rulebook_has_no_automatic_doubles_refuses_them() -> None:
    table = Evening(setup(None, "yellowclub", reserve_s=600, delay_s=12))
    assert table.refuse(c.AutomaticDoubling(), 1) == "wrong_phase"
    assert not table.table.cube.automatic
