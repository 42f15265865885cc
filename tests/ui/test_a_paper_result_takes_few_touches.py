"""A paper result is entered with few touches, on pages that lose nothing on the way back; nothing is entered before the last one."""

from __future__ import annotations

import pytest

from kiosk.domain.asked import score_of
from kiosk.domain.facts import OnPaper
from kiosk.domain.rulebook import Kind
from kiosk.domain.state import Phase
from kiosk.domain.types import NS_PER_S, Pair, Side
from kiosk.session import commands as c
from kiosk.ui.draw import Text
from kiosk.ui.page import Place
from kiosk.ui.screens.official.desk import Officials
from kiosk.ui.screens.official.paper import PaperGames, PaperStart
from tests.ui.moments import MOMENTS, PLACES, PLAIN, SMALL, VERA, Table, table

LEFT, RIGHT = Side.LEFT, Side.RIGHT


class Hand:
    """Touches, and counts them; letters come from a keyboard."""

    def __init__(self, place: Place = SMALL) -> None:
        self.match = table().do(c.SignIn(VERA)).wait(1).show(Officials())
        self.place = place
        self.touches = 0

    def touch(self, *names: str) -> Hand:
        for name in names:
            self.match.touch(name, self.place)
            self.touches += 1
        return self

    def name(self, seat: str, name: str) -> Hand:
        self.touch(seat)
        self.match.desk.typed(name, self.match.now)
        return self.touch("Done")

    def read(self) -> str:
        return "\n".join(op.text for op in self.match.picture(self.place).ops if isinstance(op, Text))


def at_the_games(place: Place = SMALL) -> Hand:
    hand = Hand(place).touch("Enter a paper result")
    return hand.name("Left", "Ana").name("Right", "Boris").touch("Next: the games")


FIVE = ("Ana won", "2", "Boris won", "gammon", "Ana won", "Boris won", "gammon", "2", "Ana won")
"""1 – 0, a cube at 2: 1 – 2, a gammon: 3 – 2, 3 – 3, a gammon at 2: 7 – 3."""


@pytest.mark.parametrize("place", PLACES.values(), ids=list(PLACES))
def test_seven_points_in_five_games_take_seventeen_touches_beside_the_letters(place: Place) -> None:
    hand = at_the_games(place).touch(*FIVE, "Next: check it")
    assert "7 – 3" in hand.read()
    assert hand.match.session.table.phase is None
    hand.touch("Enter it")
    found = hand.match.session.table
    assert found.phase is Phase.SIGNED
    assert score_of(found) == Pair(7, 3)
    assert [(g.winner, g.kind, g.cube) for g in found.games] == [
        (LEFT, Kind.SINGLE, 1),
        (RIGHT, Kind.SINGLE, 2),
        (LEFT, Kind.GAMMON, 1),
        (RIGHT, Kind.SINGLE, 1),
        (LEFT, Kind.GAMMON, 2),
    ]
    assert found.paper is not None
    assert found.paper.by == VERA
    assert hand.touches == 17
    assert "entered from paper by Вера Стојанова" in hand.read()


def test_a_game_is_taken_back() -> None:
    hand = at_the_games().touch("Ana won", "gammon", "Boris won", "Take game 2 back", "Boris won")
    assert "2. Boris: single, cube 1" in hand.read()


def test_a_double_tap_enters_one_game() -> None:
    hand = at_the_games()
    hand.touch("Ana won")
    found = next(control for control in hand.match.picture().controls if control.name == "Ana won")
    hand.match.now += NS_PER_S // 10
    hand.match.desk.touch(found.rect.x + 5, found.rect.y + 5, hand.match.now)
    hand.match.desk.release(hand.match.now)
    page = hand.match.desk._open[-1]
    assert isinstance(page, PaperGames)
    hand.match.desk.touch(found.rect.x + found.rect.w // 2, found.rect.y + found.rect.h // 2, hand.match.now)
    page = hand.match.desk._open[-1]
    assert isinstance(page, PaperGames)
    assert len(page.form.games) == 1


def test_it_ended_otherwise() -> None:
    hand = at_the_games().touch("Ana won", "It ended otherwise", "Boris's flag fell")
    assert "7 – 0" in hand.read()
    hand.touch("Ana", "Boris", "Boris", "Enter it")
    found = hand.match.session.table
    assert found.ended is not None
    assert (found.ended.how, found.ended.winner) == ("flag", LEFT)
    assert [(s.side, s.protest) for s in found.signatures] == [(LEFT, True)]


@pytest.mark.parametrize("back", ["Back", "escape"])
def test_the_way_back_loses_nothing(back: str) -> None:
    hand = at_the_games().touch("Ana won", "It ended otherwise", "Both forfeited", "Ana")

    def leave() -> None:
        if back == "Back":
            hand.touch("Back")
        else:
            hand.match.desk.back(hand.match.now)

    leave()
    assert hand.match.picture().name == "paperending"
    leave()
    leave()
    form = hand.match.desk._open[-1]
    assert isinstance(form, PaperStart)
    assert (len(form.games), form.names, form.signed) == (1, Pair("Ana", "Boris"), Pair(OnPaper.PROTEST, OnPaper.YES))
    hand.touch("7 points", "9", "Next: the games")
    assert "1. Ana: single, cube 1" in hand.read()


def test_another_regulation_says_which_game_cannot_be_under_it() -> None:
    hand = at_the_games().touch("Ana won", "gammon", "Boris won", "Back", "IBGF backgammon")
    title = next(book.title("en") for name, book in hand.match.desk._books.items() if name == "rus-long")
    hand.touch(title, "Next: the games")
    hand.touch("Next: check it" if "Next: check it" in hand.read() else "It ended otherwise")
    assert "Game 1 cannot be" in hand.read()
    hand.match.wait(5)
    hand.touch("Take game 2 back", "Take game 1 back", "mars", "Ana won")
    assert "1. Ana: mars" in hand.read()


def test_who_is_signed_out_in_the_middle_goes_on_where_he_was() -> None:
    hand = at_the_games().touch("Ana won", "Boris won")
    hand.match.wait(61)
    assert hand.match.picture().name == "start"
    hand.match.do(c.SignIn(VERA)).wait(1).show(Officials())
    hand.touch("Enter a paper result", "Next: the games")
    assert "2. Boris: single, cube 1" in hand.read()


def test_it_begins_as_the_match_before_it_was() -> None:
    match: Table = MOMENTS["signed"](PLAIN).do(c.SignIn(VERA)).wait(1).show(Officials()).touch("Enter a paper result")
    form = match.desk._open[-1]
    assert isinstance(form, PaperStart)
    assert (form.rulebook, form.length, form.names) == ("ibgf", 7, Pair("", ""))


def test_without_names_it_goes_no_further() -> None:
    hand = Hand().touch("Enter a paper result", "Next: the games")
    assert "Enter both names first." in hand.read()
    assert isinstance(hand.match.desk._open[-1], PaperStart)


def test_a_free_session_is_entered() -> None:
    hand = at_the_games().touch("Back", "7 points", "Free session", "Next: the games", "Ana won", "Next: check it", "Enter it")
    found = hand.match.session.table
    assert found.ended is not None
    assert found.ended.how == "session"


def test_it_says_why_it_cannot_be_entered_and_keeps_the_page() -> None:
    hand = at_the_games().touch("Ana won", "It ended otherwise", "Ana resigned the match")
    hand.match.desk.watching = True
    hand.touch("Enter it")
    assert "plays by itself" in hand.read()
    hand.match.desk.watching = False
    assert hand.match.picture().name == "papercheck"
