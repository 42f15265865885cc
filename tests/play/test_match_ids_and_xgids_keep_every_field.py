"""GNU Backgammon's match id, and the XGID of eXtreme Gammon: every field in, every field out, and the program reads them as we do."""

from __future__ import annotations

from dataclasses import astuple, replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.play.board import BoardError, Game, start_board
from kiosk.play.gnuid import from_gnu, to_gnu
from kiosk.play.ids import position_id
from kiosk.play.matchid import LARGEST, MatchId, read_match_id
from kiosk.play.xgid import Xgid, read_xgid
from tests.play.backgammon_program import ask, wanted
from tests.play.chance import by_chance

START = "-b----E-C---eE---c-e----B-"
MIDDLE = "-a-B--E-B-a-dDB--b-bcb----"


# ── XGID ─────────────────────────────────────────────────────────────────────
def test_the_start_is_read_field_by_field() -> None:
    read = read_xgid(f"XGID={START}:1:-1:1:52:3:4:1:7:10")
    assert read.board == start_board(Game.BACKGAMMON)
    assert (read.cube, read.owner, read.turn, read.dice, read.rolled) == (1, -1, 1, "52", (5, 2))
    assert (read.score_bottom, read.score_top, read.rules, read.length, read.most) == (3, 4, 1, 7, 10)


def test_the_board_is_that_of_the_player_whose_turn_it_is() -> None:
    below, above = read_xgid(f"XGID={MIDDLE}:0:0:1:00:0:0:0:0:10"), read_xgid(f"XGID={MIDDLE}:0:0:-1:00:0:0:0:0:10")
    assert below.board == above.board.turned()
    assert below.board.me[2] == 2  # B at place 3: two of the bottom's on his 3 point
    assert below.board.opp[23] == 1  # a at place 1 is the top's 24 point


@pytest.mark.parametrize("dice", ["00", "D", "B", "R"])
def test_dice_that_are_not_rolled_are_none(dice: str) -> None:
    read = read_xgid(f"XGID={START}:0:0:1:{dice}:0:0:3:0:10")
    assert (read.rolled, str(read)) == (None, f"XGID={START}:0:0:1:{dice}:0:0:3:0:10")


@pytest.mark.parametrize("prefix", ["", "xgid="])
def test_its_beginning_may_be_missing_or_small(prefix: str) -> None:
    assert str(read_xgid(f"{prefix}{START}:0:0:1:65:0:0:0:7:10")) == f"XGID={START}:0:0:1:65:0:0:0:7:10"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"{START}:0:0:1:00:0:0:0:0", "has 10 fields with colons between them; this one has 9"),
        (f"{START}-:0:0:1:00:0:0:0:0:10", "has 26 characters; this one has 27"),
        (f"{START[:-1]}a:0:0:1:00:0:0:0:0:10", "a cannot stand at place 26"),
        (f"A{START[1:]}:0:0:1:00:0:0:0:0:10", "A cannot stand at place 1"),
        (f"{START[:5]}P{START[6:]}:0:0:1:00:0:0:0:0:10", "P cannot stand at place 6"),
        (f"c{START[1:]}:0:0:1:00:0:0:0:0:10", "There are 18 checkers of the opponent"),
        (f"{'-' * 26}:0:0:1:00:0:0:0:0:10", "Both sides have borne off everything"),
        (f"{START}:16:0:1:00:0:0:0:0:10", "cube is a whole number from 0 to 15, not 16"),
        (f"{START}:01:0:1:00:0:0:0:0:10", "cube is a whole number from 0 to 15, not 01"),
        (f"{START}::0:1:00:0:0:0:0:10", "cube is a whole number from 0 to 15, not ."),
        (f"{START}:{'9' * 9000}:0:1:00:0:0:0:0:10", "cube is a whole number from 0 to 15"),
        (f"{START}:0:2:1:00:0:0:0:0:10", "cube's owner is one of 1, 0, -1, not 2"),
        (f"{START}:0:0:0:00:0:0:0:0:10", "turn is one of 1, -1, not 0"),
        (f"{START}:0:1:1:00:0:0:0:0:10", "a cube that stands at 1 belongs to nobody"),
        (f"{START}:0:0:1:07:0:0:0:0:10", "not 07"),
        (f"{START}:0:0:1:²2:0:0:0:0:10", "not ²2"),
        (f"{START}:0:0:1:00:-1:0:0:0:10", "score of the bottom is a whole number"),
        (f"{START}:0:0:1:00:0:x:0:0:10", "score of the top is a whole number"),
        (f"{START}:0:0:1:00:0:0:2:7:10", "Crawford or Jacoby is a whole number from 0 to 1, not 2"),
        (f"{START}:0:0:1:00:0:0:4:0:10", "Crawford or Jacoby is a whole number from 0 to 3, not 4"),
        (f"{START}:0:0:1:00:0:0:0:40000:10", "match length is a whole number"),
        (f"{START}:0:0:1:00:7:0:0:7:10", "with a score of 7 a match of 7 points is over"),
        (f"{START}:0:0:1:00:0:9:0:7:10", "with a score of 9 a match of 7 points is over"),
        (f"{START}:0:0:1:00:0:0:0:7:", "highest cube is a whole number"),
    ],
)
def test_what_is_no_xgid_is_refused_by_field(text: str, why: str) -> None:
    with pytest.raises(BoardError, match=why):
        read_xgid(f"XGID={text}")


def xgid_by_chance(seed: int) -> Xgid:
    chance, board = Random(seed), by_chance(seed, Game.BACKGAMMON)
    length = chance.choice((0, 7, 25))
    crawford = bool(length) and chance.random() < 0.3
    cube = 0 if crawford else chance.randint(0, 6)
    return Xgid(
        board.me,
        board.opp,
        cube,
        chance.choice((1, 0, -1)) if cube else 0,
        chance.choice((1, -1)),
        chance.choice(("00", "D", "B", "R", "31", "13", "66")),
        length - 1 if crawford else chance.randint(0, 6),
        chance.randint(0, 5),
        int(crawford) if length else chance.randint(0, 3),
        length,
        chance.randint(0, 15),
    )


@given(st.integers(0, 10**9))
def test_every_xgid_comes_back(seed: int) -> None:
    xgid = xgid_by_chance(seed)
    if any(xgid.bottom) or any(xgid.top):
        assert read_xgid(str(xgid)) == xgid


@wanted
def test_the_program_reads_the_same_position_cube_dice_and_score_from_an_xgid(tmp_path: Path) -> None:
    xgids = [xgid for seed in range(300) if (xgid := xgid_by_chance(seed)).rolled and any(xgid.bottom) and any(xgid.top)]
    script = f"""
for text in {[str(xgid) for xgid in xgids]!r}:
    do("set xgid " + text)
    cube = gnubg.cubeinfo()
    tell([gnubg.positionid(), cube["cube"], cube["cubeowner"], sorted(gnubg.posinfo()["dice"]), cube["matchto"], cube["crawford"],
          gnubg.matchid()])
"""
    assert len(xgids) > 50
    for xgid, (position, cube, owner, dice, length, crawford, match) in zip(xgids, ask(script, tmp_path), strict=True):
        assert position == position_id(xgid.board)
        assert (cube, dice, length) == (2**xgid.cube, sorted(xgid.rolled or ()), xgid.length)
        assert owner == {0: -1, xgid.turn: 1, -xgid.turn: 0}[xgid.owner]  # the program turns the board: who is on roll is its player 1
        assert crawford == (xgid.rules if xgid.length else 0)
        told = read_match_id(match)
        assert str(told) == match
        scores = (xgid.score_top, xgid.score_bottom) if xgid.turn == 1 else (xgid.score_bottom, xgid.score_top)
        assert (told.score0, told.score1, told.length, told.cube, told.crawford) == (*scores, xgid.length, xgid.cube, crawford)
        assert sorted(told.rolled or ()) == dice
        assert told.plain == (1 if xgid.length else 1 - xgid.rules % 2)
        ours = to_gnu(replace(xgid if xgid.turn == 1 else turned(xgid), dice="".join(sorted(xgid.dice, reverse=True))))
        assert str(ours) == f"{position}:{match}"


def turned(xgid: Xgid) -> Xgid:
    """The same with the players at each other's ends of the board."""
    return replace(
        xgid,
        bottom=xgid.top,
        top=xgid.bottom,
        owner=-xgid.owner,
        turn=-xgid.turn,
        score_bottom=xgid.score_top,
        score_top=xgid.score_bottom,
    )


@given(st.integers(0, 10**9))
def test_an_xgid_comes_back_from_gnu_backgammons_pair(seed: int) -> None:
    xgid = xgid_by_chance(seed)
    if xgid.dice not in {"B", "R"}:
        kept = replace(xgid, most=10, rules=xgid.rules if xgid.length else xgid.rules % 2)
        assert from_gnu(to_gnu(xgid)) == kept


def test_after_a_double_the_pair_shows_the_board_of_the_one_who_answers() -> None:
    xgid = read_xgid(f"XGID={MIDDLE}:1:1:1:D:2:1:0:7:10")
    told = to_gnu(xgid)
    assert (told.board, told.match.roller, told.match.turn, told.match.doubled) == (xgid.board.turned(), 1, 0, 1)
    assert from_gnu(told) == xgid


def test_a_beaver_cannot_be_told_to_gnu_backgammon() -> None:
    with pytest.raises(BoardError, match="beaver"):
        to_gnu(read_xgid(f"XGID={START}:0:0:1:B:0:0:2:0:10"))


def test_the_pair_is_written_with_a_colon() -> None:
    assert str(to_gnu(read_xgid(f"XGID={START}:0:0:1:00:2:1:0:7:10"))) == "4HPwATDgc/ABMA:cAngABAAEAAE"


# ── Match id ─────────────────────────────────────────────────────────────────
def test_a_match_id_is_read_field_by_field() -> None:
    # Of GNU Backgammon: "set xgid XGID=…:0:0:1:52:6:1:1:7:10": Crawford game of a match to 7, player 1 leads 6 to 1 and has rolled 5-2.
    read = read_match_id("8InqABAAMAAE")
    assert (read.roller, read.crawford, read.length, read.score0, read.score1, read.rolled) == (1, 1, 7, 1, 6, (5, 2))
    assert str(read) == "8InqABAAMAAE"


def test_before_the_roll_there_are_no_dice() -> None:
    assert read_match_id("cAngABAAEAAE").rolled is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("8InqABAAMAA", "is not a match id: it has 11 characters and not 12"),
        ("8InqABAAMAA-", "is not a match id: its character 12 is -"),
        ("8InqABAAMAAI", "says something that cannot be"),  # a bit behind the last field
        ("IAAAAAAAAAAA", "says something that cannot be"),  # the cube belongs to player 2
        (str(MatchId(die0=3)), "says something that cannot be"),  # one die alone
        (str(MatchId(die0=7, die1=7)), "says something that cannot be"),
        (str(MatchId(state=5)), "says something that cannot be"),
    ],
)
def test_what_is_no_match_id_is_refused(text: str, why: str) -> None:
    with pytest.raises(BoardError, match=why):
        read_match_id(text)


@given(st.tuples(*(st.integers(0, most) for most in LARGEST)))
def test_every_match_id_comes_back(values: tuple[int, ...]) -> None:
    match = MatchId(*values)
    if match.owner != 2 and bool(match.die0) == bool(match.die1):
        assert astuple(read_match_id(str(match))) == values
