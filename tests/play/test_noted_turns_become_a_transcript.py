"""Turns that were written down at a table become a transcript, which ends as the games were recorded."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kiosk.books import Library
from kiosk.domain import facts as f
from kiosk.domain.rulebook import Kind
from kiosk.domain.setup import MatchSetup, Options, resolve
from kiosk.domain.state import Cube, Game, Penalty, Table
from kiosk.domain.types import Instant, Pair, Side
from kiosk.play import BoardError, Step
from kiosk.play.mat import mat
from kiosk.play.noted import Noted, does_not_fit, game_so_far, noted, noted_match, read_turn, turns_of
from kiosk.play.transcript import Act, TranscriptError, Turn, told

L, R, AT = Side.LEFT, Side.RIGHT, Instant(0)


def backgammon(book: str = "ibgf") -> MatchSetup:
    return resolve(Library([]).load(book), Options(7, Pair(("Ana",), ("Boris",))))


def note(*told: tuple[int, int, Side, str]) -> list[f.Fact]:
    return [f.TurnNoted(AT, game, n, side, what) for game, n, side, what in told]


OPENING = note((1, 1, L, "31: 8/5 6/5"), (1, 2, R, "62: 24/18 13/11"))


def table(*games: Game, setup: MatchSetup | None = None) -> Table:
    return Table(setup=setup or backgammon(), ledger=games)


def game(n: int, winner: Side, kind: Kind = Kind.SINGLE, cube: int = 1, points: int = 1) -> Game:
    return Game(n, winner, kind, cube, points, crawford=False, automatic=False)


@pytest.mark.parametrize(
    "turn",
    [Turn(L, dice=(3, 1), steps=(Step(8, 5), Step(6, 5))), Turn(R, dice=(6, 6)), Turn(L, Act.DOUBLE), Turn(R, Act.TAKE), Turn(R, Act.PASS)],
)
def test_a_turn_is_read_as_it_was_written(turn: Turn) -> None:
    assert read_turn(turn.side, noted(turn)) == turn


def test_a_roll_alone_moves_nothing() -> None:
    assert read_turn(L, "53:") == Turn(L, dice=(5, 3))


def test_what_is_no_turn_is_refused() -> None:
    with pytest.raises(TranscriptError, match="is no turn"):
        read_turn(L, "beaver")


def test_a_later_entry_writes_over_what_stood_at_its_place_and_after() -> None:
    facts = [*OPENING, *note((1, 1, R, "42: 8/4 6/4"), (1, 2, L, "61: 13/7 8/7"), (1, 2, L, ""))]
    assert turns_of(facts) == {1: (read_turn(R, "42: 8/4 6/4"),)}
    assert turns_of([*OPENING, *note((1, 1, L, ""))]) == {}


def test_turns_follow_their_players_to_the_other_seats() -> None:
    assert [turn.side for turn in turns_of([*OPENING, f.SeatsExchanged(AT)])[1]] == [R, L]
    assert [turn.side for turn in turns_of([f.SeatsSwapped(AT), *OPENING])[1]] == [L, R]


def test_an_unfinished_game_is_told_as_far_as_it_was_written() -> None:
    text = mat(noted_match(table(), OPENING).transcript)
    assert "1) 31: 8/5 6/5" in text
    assert "Wins" not in text


@pytest.mark.parametrize(
    ("more", "ended", "words"),
    [
        ((), game(1, L), "Wins 1 point"),
        ((), game(1, R, Kind.GAMMON, points=2), "Wins 2 points"),
        ((), game(1, L, Kind.PASS), "Drops"),
        (((1, 3, L, "double"),), game(1, L, Kind.PASS), "Drops"),
        (((1, 3, L, "double"),), game(1, L, cube=2, points=2), "Takes"),
        (((1, 3, L, "double"), (1, 4, R, "take")), game(1, L, cube=2, points=2), "Wins 2 points"),
        (((1, 3, L, "double"), (1, 4, R, "drop")), game(1, L, Kind.PASS), "Drops"),
    ],
)
def test_a_game_ends_as_it_was_recorded(more: tuple[tuple[int, int, Side, str], ...], ended: Game, words: str) -> None:
    assert words in mat(noted_match(table(ended), [*OPENING, *note(*more)]).transcript)


RESULT = Act.RESULT


def acts(found: Noted) -> list[list[Act]]:
    return [[turn.act for turn in game] for game in found.transcript.games]


def test_a_game_whose_turns_come_to_something_else_is_told_by_its_result_and_the_others_with_their_moves() -> None:
    found = noted_match(table(game(1, L, points=4, cube=4), game(2, R)), [*OPENING, *note((2, 1, R, "31: 8/5 6/5"))])
    assert acts(found) == [[RESULT], [Act.MOVE, Act.RESIGN]]
    assert [(out.game, out.whole) for out in found.left_out] == [(1, False)]
    assert "come to 1 for Ana, the record says 4 for Ana" in found.left_out[0].why
    assert "Wins 4 points" in mat(found.transcript)


def test_a_double_that_nobody_wrote_down_is_told_where_it_can_have_been() -> None:
    found = noted_match(table(game(1, R, points=2, cube=2)), OPENING)
    assert acts(found) == [[Act.MOVE, Act.MOVE, Act.DOUBLE, Act.TAKE, Act.RESIGN]]
    assert not found.left_out


def test_a_double_in_a_game_without_cube_cannot_have_been() -> None:
    crawford = replace(game(1, R, points=2, cube=2), crawford=True)
    found = noted_match(table(crawford, game(2, R)), [*OPENING, *note((2, 1, R, "31: 8/5 6/5"))])
    assert [(out.game, out.whole) for out in found.left_out] == [(1, True)]


def test_a_second_double_is_not_made_up() -> None:
    doubled = [*OPENING, *note((1, 3, L, "double"), (1, 4, R, "take"))]
    found = noted_match(table(game(1, R, points=4, cube=4), game(2, R)), [*doubled, *note((2, 1, R, "31: 8/5 6/5"))])
    assert acts(found)[0] == [RESULT]


def test_games_that_nobody_wrote_down_keep_their_places_and_numbers() -> None:
    facts = note((2, 1, L, "31: 8/5 6/5"))
    found = noted_match(table(game(1, R, Kind.GAMMON, points=2), game(2, L), game(3, L, Kind.PASS, cube=2, points=2)), facts)
    assert acts(found) == [[RESULT], [Act.MOVE, Act.RESIGN], [RESULT]]
    assert [each.before for each in told(found.transcript)] == [Pair(0, 0), Pair(0, 2), Pair(1, 2)]
    why = "Its moves were not written down."
    assert [(out.game, out.why) for out in found.left_out] == [(1, why), (3, why)]


def test_penalty_points_are_in_the_score_before_the_game_in_which_they_were_given() -> None:
    ledger = (Penalty(R, 1), Penalty(L, 2, void=True), game(1, L), Penalty(L, 1), game(2, R))
    found = noted_match(Table(setup=backgammon(), ledger=ledger), [*OPENING, *note((3, 1, L, "31: 8/5 6/5"))])
    assert [each.before for each in told(found.transcript)] == [Pair(1, 0), Pair(2, 1), Pair(2, 2)]


def test_an_automatic_double_counts_from_the_games_first_turn() -> None:
    setup = resolve(Library([]).load("circle"), Options(None, Pair(("Ana",), ("Boris",))))
    tied = replace(game(1, L, cube=2, points=2), automatic=True)
    running = Table(setup=setup, ledger=(tied,), cube=Cube(value=2, automatic=True))
    found = noted_match(running, [*OPENING, *note((2, 1, R, "31: 8/5 6/5"))])
    assert acts(found) == [[Act.MOVE, Act.MOVE, Act.RESIGN], [Act.MOVE]]
    assert [each.cube for each in told(found.transcript)] == [2, 2]


def test_a_running_game_with_an_impossible_turn_is_left_out() -> None:
    found = noted_match(table(game(1, L)), [*OPENING, *note((2, 1, R, "31: 8/5"))])
    assert acts(found) == [[Act.MOVE, Act.MOVE, Act.RESIGN]]
    assert [(out.game, out.whole) for out in found.left_out] == [(2, True)]


def test_a_game_that_came_after_the_match_was_over_is_left_out() -> None:
    doubled = [*OPENING, *note((1, 3, L, "double"), (1, 4, R, "take"))]
    found = noted_match(table(game(1, L, cube=2, points=2), game(2, L, Kind.GAMMON, cube=4, points=8), game(3, L)), doubled)
    assert found.left_out[-1].whole
    assert "the match was over before it" in found.left_out[-1].why


def test_nothing_written_down_and_long_nardy_have_no_transcript() -> None:
    with pytest.raises(TranscriptError, match="No moves"):
        noted_match(table(), [])
    with pytest.raises(TranscriptError, match="No moves"):
        noted_match(Table(), [])
    with pytest.raises(TranscriptError, match="long nardy"):
        noted_match(table(setup=backgammon("rus-long")), OPENING)


def test_the_board_goes_on_where_it_was_left() -> None:
    so_far = game_so_far(table(), OPENING, 1).progress
    assert (so_far.side, len(so_far.turns)) == (L, 2)
    assert game_so_far(table(game(1, L)), OPENING, 2).progress.turns == ()
    assert game_so_far(table(game(1, L)), note((2, 1, R, "31: 8/5 6/5")), 2).before == Pair(1, 0)
    assert game_so_far(table(game(1, L), game(2, L)), [*OPENING, *note((3, 1, R, "31: 8/5 6/5"))], 3).before == Pair(2, 0)


def test_whether_a_game_can_be_told_is_known_by_itself() -> None:
    assert does_not_fit(table(game(1, L)), OPENING, 1) == ""
    assert does_not_fit(table(), OPENING, 1) == ""
    assert "the record says 4 for Ana" in does_not_fit(table(game(1, L, points=4, cube=4)), OPENING, 1)
    assert does_not_fit(table(), note((2, 1, R, "31: 8/5")), 2).startswith("Game 2, turn 1: ")


def test_a_move_that_was_illegal_names_its_turn() -> None:
    with pytest.raises(BoardError, match="turn 1"):
        noted_match(table(), note((1, 1, L, "31: 8/5")))


def test_a_void_game_does_not_count() -> None:
    void = replace(game(1, R), void=True)
    assert told(noted_match(table(void, game(2, L)), note((2, 1, L, "31: 8/5 6/5"))).transcript)[0].before == Pair(0, 0)
