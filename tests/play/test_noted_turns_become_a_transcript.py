"""Turns that were written down at a table become a transcript, which ends as the games were recorded."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kiosk.books import Library
from kiosk.domain import facts as f
from kiosk.domain.rulebook import Kind
from kiosk.domain.setup import MatchSetup, Options, resolve
from kiosk.domain.state import Game, Table
from kiosk.domain.types import Instant, Pair, Side
from kiosk.play import BoardError, Step
from kiosk.play.mat import mat
from kiosk.play.noted import game_so_far, noted, read_turn, transcript_of, turns_of
from kiosk.play.transcript import Act, TranscriptError, Turn

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
    text = mat(transcript_of(table(), OPENING))
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
    assert words in mat(transcript_of(table(ended), [*OPENING, *note(*more)]))


def test_turns_that_come_to_something_else_are_told() -> None:
    with pytest.raises(TranscriptError, match="Game 1: the turns that were written down come to 1 points for left"):
        transcript_of(table(game(1, L, points=4, cube=4)), OPENING)


def test_games_before_the_first_that_was_written_down_are_the_score() -> None:
    facts = note((2, 1, L, "31: 8/5 6/5"))
    told = transcript_of(table(game(1, R, Kind.GAMMON, points=2)), facts)
    assert told.score == Pair(0, 2)
    assert len(told.games) == 1


def test_a_game_between_is_told_by_its_result_alone() -> None:
    facts = [*OPENING, *note((3, 1, R, "31: 8/5 6/5"))]
    told = transcript_of(table(game(1, L), game(2, R)), facts)
    assert [len(turns) for turns in told.games] == [3, 1, 1]


def test_nothing_written_down_and_long_nardy_have_no_transcript() -> None:
    with pytest.raises(TranscriptError, match="No moves"):
        transcript_of(table(), [])
    with pytest.raises(TranscriptError, match="No moves"):
        transcript_of(Table(), [])
    with pytest.raises(TranscriptError, match="long nardy"):
        transcript_of(table(setup=backgammon("rus-long")), OPENING)


def test_the_board_goes_on_where_it_was_left() -> None:
    so_far = game_so_far(table(), OPENING, 1).progress
    assert (so_far.side, len(so_far.turns)) == (L, 2)
    assert game_so_far(table(game(1, L)), OPENING, 2).progress.turns == ()
    assert game_so_far(table(game(1, L)), note((2, 1, R, "31: 8/5 6/5")), 2).before == Pair(1, 0)
    assert game_so_far(table(game(1, L), game(2, L)), [*OPENING, *note((3, 1, R, "31: 8/5 6/5"))], 3).before == Pair(2, 0)


def test_a_move_that_was_illegal_names_its_turn() -> None:
    with pytest.raises(BoardError, match="turn 1"):
        transcript_of(table(), note((1, 1, L, "31: 8/5")))


def test_a_void_game_does_not_count() -> None:
    void = replace(game(1, R), void=True)
    assert transcript_of(table(void), note((2, 1, L, "31: 8/5 6/5"))).score == Pair(0, 0)
