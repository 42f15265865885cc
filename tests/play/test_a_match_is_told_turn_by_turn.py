"""A match told turn by turn: what can have been is taken, everything else is refused with game and turn, and changes nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kiosk.books import Library
from kiosk.domain.rulebook import Kind
from kiosk.domain.types import Pair, Side
from kiosk.play.board import Board, Game, Step, start_board
from kiosk.play.notation import read_move
from kiosk.play.transcript import Act, Progress, Terms, Transcript, TranscriptError, Turn, begin, told
from tests.play.boards import side

LEFT, RIGHT = Side.LEFT, Side.RIGHT
NAMES = Pair("Ana", "Boris")
BACKGAMMON = Game.BACKGAMMON


def move(who: Side, dice: str, text: str) -> Turn:
    return Turn(who, Act.MOVE, (int(dice[0]), int(dice[1])), read_move(text, BACKGAMMON))


def double(who: Side) -> Turn:
    return Turn(who, Act.DOUBLE)


def take(who: Side) -> Turn:
    return Turn(who, Act.TAKE)


def drop(who: Side) -> Turn:
    return Turn(who, Act.PASS)


def resign(who: Side, kind: Kind = Kind.SINGLE) -> Turn:
    return Turn(who, Act.RESIGN, kind=kind)


OPEN = move(LEFT, "31", "8/5 6/5")
REPLY = move(RIGHT, "62", "24/18 13/11")


def match(*games: tuple[Turn, ...], length: int = 5, **more: object) -> Transcript:
    return replace(Transcript(NAMES, length, games), **more)


def game(*turns: Turn, **terms: object) -> Progress:
    """One game of a match to 5."""
    return told(match(turns, terms=replace(Terms(), **terms)))[0].progress


def near_the_end(mine: tuple[int, ...], theirs: tuple[int, ...], **more: object) -> Progress:
    """The left side is to roll in this position."""
    return replace(game(OPEN, REPLY), board=Board(mine, theirs), **more)


# ── Moves ────────────────────────────────────────────────────────────────────
def test_each_side_sees_the_board_from_its_own_end() -> None:
    before = game(OPEN)
    assert (before.side, before.acting) == (RIGHT, RIGHT)
    assert before.board == Board(start_board(BACKGAMMON).me, side(BACKGAMMON, p5=2, p6=4, p8=2, p13=5, p24=2))


def test_a_moves_steps_are_kept_one_a_die_with_their_hits() -> None:
    before = game(OPEN, move(RIGHT, "64", "24/14"), move(LEFT, "42", "13/11* 13/9"))
    assert before.turns[1].steps in {(Step(24, 18), Step(18, 14)), (Step(24, 20), Step(20, 14))}
    assert before.turns[2].steps == (Step(13, 11, hit=True), Step(13, 9))


@pytest.mark.parametrize("way", [((24, 18), (18, 14)), ((24, 20), (20, 14)), ((8, 4), (24, 18)), ((24, 18), (8, 4))])
def test_a_move_is_kept_as_it_was_told_die_by_die(way: tuple[tuple[int, int], ...]) -> None:
    told_so = Turn(RIGHT, Act.MOVE, (6, 4), tuple(Step(*each) for each in way))
    assert game(told_so).turns[0].steps == told_so.steps


def test_a_way_over_a_closed_point_is_told_as_it_can_have_been() -> None:
    # 24/19 is closed; 24/18 and then 18/13 leaves the same position.
    before = game(OPEN, Turn(RIGHT, Act.MOVE, (6, 5), (Step(24, 19), Step(19, 13))))
    assert before.turns[1].steps == (Step(24, 18), Step(18, 13))


def test_either_side_may_open_a_game() -> None:
    assert game().acting is None
    assert game(move(RIGHT, "31", "8/5 6/5")).acting is LEFT


@pytest.mark.parametrize(
    ("turns", "why"),
    [
        ((move(LEFT, "33", "8/5(2) 6/3(2)"),), r"Game 1, turn 1: A game begins with two different dice \(000 §2\)"),
        ((OPEN, move(LEFT, "62", "24/18 13/11")), "Game 1, turn 2: It is the other side's turn: right"),
        ((OPEN, Turn(RIGHT)), "Game 1, turn 2: The dice are missing"),
        ((OPEN, move(RIGHT, "62", "24/18")), "Game 1, turn 2: .* must be"),
        ((OPEN, move(RIGHT, "62", "24/18 13/11"), move(LEFT, "55", "13/3 6/1")), "Game 1, turn 3: "),
        ((OPEN, take(LEFT)), "Game 1, turn 2: It is the other side's turn"),
        ((OPEN, take(RIGHT)), "Game 1, turn 2: No double is offered that could be answered"),
        ((OPEN, drop(RIGHT)), "Game 1, turn 2: No double is offered that could be answered"),
        ((double(LEFT),), "Game 1, turn 1: Nobody doubles on a game's first turn"),
        ((OPEN, double(RIGHT), move(LEFT, "62", "-")), "Game 1, turn 3: A double is offered: the other side takes or passes"),
        ((OPEN, double(RIGHT), resign(RIGHT)), "Game 1, turn 3: A double is offered"),
        ((OPEN, double(RIGHT), take(RIGHT)), "Game 1, turn 3: It is the other side's turn: left"),
        ((OPEN, double(RIGHT), take(LEFT), REPLY, move(LEFT, "62", "24/18 13/11"), double(RIGHT)), "turn 6: The cube belongs to the other"),
        ((OPEN, resign(LEFT, Kind.MARS)), "turn 2: By these rules no game is lost as mars"),
        ((OPEN, Turn(RIGHT, Act.RESULT)), "Game 1, turn 2: Only a game without any other turn is told by its result"),
        ((OPEN, resign(LEFT), REPLY), "Game 1, turn 3: The game is over"),
    ],
)
def test_what_cannot_have_been_is_refused_with_game_and_turn(turns: tuple[Turn, ...], why: str) -> None:
    with pytest.raises(TranscriptError, match=why):
        told(match(turns))


def test_a_reason_without_an_article_is_told_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    from kiosk.play import transcript

    real = transcript._judged
    monkeypatch.setattr(transcript, "_judged", lambda *args: replace(real(*args), article=None))
    with pytest.raises(TranscriptError, match=r"must be\.$"):
        game(OPEN).add(move(RIGHT, "62", "24/18"))


# ── The cube ─────────────────────────────────────────────────────────────────
def test_a_take_doubles_the_game_and_gives_the_cube_away() -> None:
    before = game(OPEN, double(RIGHT), take(LEFT))
    assert (before.cube, before.owner, before.acting) == (2, LEFT, RIGHT)
    assert game(OPEN, double(RIGHT)).acting is LEFT


def test_a_pass_loses_what_the_cube_showed_before() -> None:
    before = game(OPEN, double(RIGHT), take(LEFT), REPLY, double(LEFT), drop(RIGHT))
    assert (before.winner, before.points, before.acting) == (LEFT, 2, None)


def test_the_cube_goes_no_higher_than_64() -> None:
    with pytest.raises(TranscriptError, match="stands at 64"):
        replace(game(OPEN), cube=64).add(double(RIGHT))


def test_without_a_cube_nobody_doubles() -> None:
    with pytest.raises(TranscriptError, match="without the cube"):
        game(OPEN, double(RIGHT), cube=False)


def test_a_match_of_one_point_has_no_use_for_the_cube() -> None:
    with pytest.raises(TranscriptError, match="without the cube"):
        told(match((OPEN, double(RIGHT)), length=1))


# ── How a game ends ──────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("theirs", "points"),
    [
        (side(BACKGAMMON, p1=14), 2),
        (side(BACKGAMMON, p7=15), 4),
        (side(BACKGAMMON, p19=1, p1=14), 6),
    ],
)
def test_the_last_checker_wins_by_what_stands_on_the_board(theirs: tuple[int, ...], points: int) -> None:
    over = near_the_end(side(BACKGAMMON, p1=1), theirs, cube=2, owner=RIGHT).add(move(LEFT, "21", "1/off"))
    assert (over.winner, over.points) == (LEFT, points)


def test_a_rulebook_that_knows_plain_wins_only_counts_one_point() -> None:
    terms = Terms.of(Library().load("yellowclub"))
    over = replace(near_the_end(side(BACKGAMMON, p1=1), side(BACKGAMMON, p7=15)), terms=terms).add(move(LEFT, "21", "1/off"))
    assert (over.winner, over.points) == (LEFT, 1)


@pytest.mark.parametrize(("kind", "points"), [(Kind.SINGLE, 2), (Kind.GAMMON, 4), (Kind.BACKGAMMON, 6)])
def test_a_game_is_given_up_as_what_is_said(kind: Kind, points: int) -> None:
    over = game(OPEN, double(RIGHT), take(LEFT), resign(RIGHT, kind))
    assert (over.winner, over.points) == (LEFT, points)


def test_a_game_may_be_given_up_in_the_opponents_turn() -> None:
    assert game(OPEN, resign(LEFT)).winner is RIGHT
    assert game(resign(RIGHT)).winner is LEFT


def test_by_the_jacoby_rule_gammons_count_when_the_cube_was_turned() -> None:
    jacoby = replace(Terms(), jacoby=True)
    plain = (OPEN, resign(RIGHT, Kind.GAMMON))
    turned = (OPEN, double(RIGHT), take(LEFT), resign(RIGHT, Kind.GAMMON))
    assert [each.progress.points for each in told(match(plain, turned, length=0, terms=jacoby))] == [1, 4]
    assert [each.progress.points for each in told(match(plain, turned, length=9, terms=jacoby))] == [2, 4]


# ── The match ────────────────────────────────────────────────────────────────
def test_points_add_up_until_the_length_is_reached() -> None:
    games = told(match((OPEN, resign(RIGHT, Kind.GAMMON)), (REPLY, resign(RIGHT, Kind.BACKGAMMON))))
    assert [(each.before, each.score, each.last) for each in games] == [(Pair(0, 0), Pair(2, 0), False), (Pair(2, 0), Pair(5, 0), True)]


def test_nothing_is_played_after_the_match() -> None:
    with pytest.raises(TranscriptError, match="Game 2: the match was over before it, 6 to 0"):
        told(match((OPEN, double(RIGHT), take(LEFT), resign(RIGHT, Kind.BACKGAMMON)), (REPLY,)))


def test_only_the_last_game_may_be_unfinished() -> None:
    assert told(match((OPEN, REPLY)))[0].score == Pair(0, 0)
    with pytest.raises(TranscriptError, match="Game 2: the game before it has no end"):
        told(match((OPEN, REPLY), (OPEN,)))


def test_the_crawford_game_comes_once_and_has_no_cube() -> None:
    four = (OPEN, double(RIGHT), take(LEFT), resign(RIGHT, Kind.GAMMON))
    games = told(match(four, (OPEN, resign(LEFT)), (OPEN, double(RIGHT), take(LEFT))))
    assert [each.crawford for each in games] == [False, True, False]
    with pytest.raises(TranscriptError, match="Game 2, turn 2: This game is played without the cube"):
        told(match(four, (OPEN, double(RIGHT))))


@pytest.mark.parametrize(
    ("score", "more", "crawford"),
    [
        (Pair(4, 1), {}, True),
        (Pair(4, 1), {"crawford_played": True}, False),
        (Pair(4, 4), {}, False),
        (Pair(3, 1), {}, False),
        (Pair(4, 1), {"terms": replace(Terms(), crawford=False)}, False),
    ],
)
def test_a_match_may_begin_with_a_score(score: Pair[int], more: dict[str, object], crawford: bool) -> None:  # noqa: FBT001
    assert begin(match(score=score, **more)).crawford is crawford


def test_a_side_that_joins_the_other_at_one_point_away_brings_no_crawford_game() -> None:
    games = told(match((OPEN, resign(RIGHT)), (OPEN, double(RIGHT)), score=Pair(3, 4), crawford_played=True))
    assert [each.crawford for each in games] == [False, False]


def test_the_next_game_begins_with_the_score_so_far() -> None:
    following = begin(match((OPEN, resign(RIGHT))))
    assert (following.before, following.progress.turns, following.progress.acting) == (Pair(1, 0), (), None)


def test_a_session_has_no_end() -> None:
    three = (OPEN, resign(RIGHT, Kind.BACKGAMMON))
    games = told(match(three, three, three, length=0))
    assert (games[-1].score, games[-1].last, games[-1].crawford) == (Pair(9, 0), False, False)


def test_long_nardy_cannot_be_told() -> None:
    with pytest.raises(TranscriptError, match="long nardy"):
        Terms.of(Library().load("rus-long"))


def result(side: Side, kind: Kind = Kind.SINGLE, cube: int = 1) -> tuple[Turn, ...]:
    return (Turn(side, Act.RESULT, kind=kind, cube=cube),)


def test_a_result_has_no_cube_where_there_is_none() -> None:
    with pytest.raises(TranscriptError, match="Game 1, turn 1: This game is played without the cube"):
        told(match(result(LEFT, cube=2), length=1))
    with pytest.raises(TranscriptError, match="without the cube"):
        told(match(result(LEFT, cube=2), length=3, score=Pair(2, 0)))
    assert told(match(result(LEFT, cube=2), length=3))[0].progress.points == 2


def test_a_crawford_game_was_played_by_somebody_who_stood_a_point_from_winning() -> None:
    with pytest.raises(TranscriptError, match="At 0 to 0 the Crawford game of a match of 9 points"):
        told(match(result(LEFT), length=9, crawford_played=True))
    assert not told(match(result(LEFT), length=9, score=Pair(8, 0), crawford_played=True))[0].crawford
