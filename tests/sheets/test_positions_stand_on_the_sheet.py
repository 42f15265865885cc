"""A position that goes with a ruling stands on the sheet as a diagram, and in words in every other form (domain rule 5)."""

from __future__ import annotations

import json

import pytest

from kiosk import codec
from kiosk.books import Library
from kiosk.domain import facts as f
from kiosk.domain.officials import Official, Role
from kiosk.domain.setup import Options, resolve
from kiosk.domain.state import ExaminedPlay
from kiosk.domain.types import NS_PER_S, Instant, Pair, Side
from kiosk.journal import MemoryJournal
from kiosk.play import Board, Game
from kiosk.ports import Record
from kiosk.session import Session
from kiosk.session import commands as c
from kiosk.sheets import ScoreSheet, printed, sheets, to_csv, to_json, to_mat, to_pdf, to_receipt, to_xlsx
from kiosk.sheets.paper import Paper
from kiosk.sheets.positions import Position, diagram, play_words, verdict_words

LEFT, RIGHT = Side.LEFT, Side.RIGHT
NAMES = Pair("Ana", "Boris")
BAR = "4HPwATDgc/ABMA"


def sheet(*plays: c.AttachPlay | f.PlayAttached, book: str = "ibgf") -> ScoreSheet:
    """A match with these; facts among them stand in its journal though no door would let them in now."""
    journal = MemoryJournal()
    session = Session(journal, [])
    made = resolve(Library([]).load(book), Options(7, Pair(("Ana",), ("Boris",))))
    asked = [play for play in plays if isinstance(play, c.AttachPlay)]
    acts = (c.OpenMatch("m1", made), c.SignIn(Official("Cleo", Role.CHIEF)), c.Rule((LEFT,), "illegal_move"), *asked)
    for n, command in enumerate((*acts, c.NoteTurn(1, 1, RIGHT, "31: 8/5 6/5"))):
        session.command(command, Instant(n * NS_PER_S))
    journal.append([Record(*codec.encode(play), 9 * NS_PER_S) for play in plays if isinstance(play, f.PlayAttached)])
    return next(iter(sheets(list(journal.rows()))))


AT = Instant(9 * NS_PER_S)
SHORT = c.AttachPlay(1, BAR, "5-3", "13/8", "both", "000 §3", LEFT)
LONG = f.PlayAttached(AT, 1, "LN1-0000-3ZZW-0000-7ZZR-03", "", "", "", "", RIGHT)
UNKNOWN = f.PlayAttached(AT, 1, "XY9-of-a-newer-program", "", "", "", "", None)


def test_it_is_drawn_with_its_words() -> None:
    (first, second, third) = printed(sheet(SHORT, LONG, UNKNOWN)).positions
    assert first.title == "Position with ruling 1"
    assert first.board is not None
    assert (second.game, second.mover) == (Game.LONG_NARDY, Side.RIGHT)
    assert third.board is None
    assert third.words == "XY9-of-a-newer-program"


@pytest.mark.parametrize("write", [to_pdf, to_receipt, to_xlsx])
def test_every_printed_form_has_it(write: object) -> None:
    assert len(write(sheet(SHORT, LONG, UNKNOWN))) > len(write(sheet()))  # type: ignore[operator]


def test_programs_read_it() -> None:
    plain = json.loads(to_json(sheet(SHORT)))
    (told,) = plain["rulings"][0]["plays"]
    assert told == {"position": BAR, "mover": "left", "dice": "5-3", "move": "13/8", "verdict": "both", "article": "000 §3"}
    assert f"position {BAR}, 5-3 13/8, both (000 §3)" in to_csv(sheet(SHORT)).decode()


def test_it_is_told_in_words() -> None:
    play = ExaminedPlay(BAR, "5-3", "13/8", "both", "000 §3", Side.LEFT)
    assert play_words(play, NAMES) == f"Ana to play. 5-3: 13/8. Both numbers can be played, so both must be (000 §3). {BAR}"
    assert play_words(ExaminedPlay(BAR, "", "", "legal", ""), NAMES) == f"The move is legal. {BAR}"
    assert verdict_words("of a newer program") == "of a newer program"


def test_bar_and_borne_off_checkers_are_drawn() -> None:
    me = (0,) * 22 + (2, 0, 4)
    opp = (1,) + (0,) * 23 + (1,)
    paper = Paper(100, 100)
    diagram(paper, 0, 0, 90, Position("", "", Board(me, opp), Game.BACKGAMMON, Side.RIGHT))
    words = [mark.text for mark in paper.pages[0] if hasattr(mark, "text")]
    assert {"4", "9", "13"} <= set(words)  # four on the bar, nine and thirteen off
    diagram(paper, 0, 0, 90, Position("", "", None, Game.BACKGAMMON, Side.LEFT))


def test_moves_that_were_written_down_are_a_mat_file() -> None:
    assert b"31: 8/5 6/5" in to_mat(sheet())[0]
