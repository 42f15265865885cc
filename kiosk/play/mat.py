"""A match as the text that GNU Backgammon imports (`import mat`), and most other programs with it: Jellyfish's .mat.

    7 point match

    Game 1
    Ana : 0                        Boris : 0
     1) 31: 8/5 6/5                 62: 24/18 13/11
     2) 55:                         Doubles => 2
     3)  Takes                      64: 24/14
         Wins 2 points

Each side has its column, and the columns take turns: a double, its answer and a roll are cells of their own. Each die's step stands by
itself (`13/8 8/3`), the bar is 25, off is 0: every reader knows that. `Wins` stands in the winner's column; where no checker and no cube
ended the game, readers take it for a resignation. The format has no word for an unfinished game: it simply ends.

Nor has it one for a game that nobody wrote down. Readers count such a game only if something stands in it: its doubles, in turn so that the
winner doubled last, or where there was none a roll of two ones, with which no game can begin, and the `????` of an unreadable move. An
automatic double is told as one that was taken before the first roll, by whoever doubles next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.domain.rulebook import Kind
from kiosk.domain.types import SIDES, Side
from kiosk.play.transcript import Act, told

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kiosk.play.transcript import Told, Transcript, Turn

WIDTH = 31
"""The left column at least."""

LONGEST_NAME = 31
"""Bytes of a name that GNU Backgammon keeps; what it cuts itself, it may cut within a letter."""

WINS = " Wins"
UNWRITTEN = "11: ????"


def mat(transcript: Transcript) -> str:
    """The text of a match; lines end in a line feed, and letters beyond ASCII are meant for UTF-8.

    Args:
        transcript: The match.

    Raises:
        TranscriptError: Something in it cannot have been; game and turn are named.
    """
    lines = [f" {transcript.length} point match", ""]
    for number, game in enumerate(told(transcript), start=1):
        left, right = (f"{_name(transcript.names[side], side)} : {game.before[side]}" for side in SIDES)
        lines += [f" Game {number}", f" {left:<{WIDTH + 4}} {right}", *_rows(_cells(game)), ""]
    return "\n".join(lines) + "\n"


def _name(name: str, side: Side) -> str:
    """A name as a heading can hold it: a colon would end it, a blank at its ends is lost."""
    whole = " ".join(name.replace(":", " ").split())
    return whole.encode()[:LONGEST_NAME].decode(errors="ignore").rstrip() or side.value.capitalize()


def _cells(game: Told) -> list[tuple[Side, str]]:
    """What stands in the columns, in order; a side that acts twice running has an empty cell of the other's between."""
    turns = game.progress.turns
    cube = 1 if turns and turns[0].act is Act.RESULT else game.cube
    cells: list[tuple[Side, str]] = []
    if cube > 1:
        owner = next((turn.side for turn in turns if turn.act is Act.DOUBLE), Side.RIGHT)
        cells += [(owner.other, f" Doubles => {cube}"), (owner, " Takes")]
    for turn in turns:
        cube *= 2 if turn.act is Act.DOUBLE else 1
        if turn.act is Act.RESULT:
            cells += _unwritten(turn)
        elif turn.act is not Act.RESIGN:
            cells.append((turn.side, _cell(turn, cube)))
    if game.progress.winner:
        points = game.progress.points
        told_so = f"{WINS} {points} point{'s' * (points != 1)}{' and the match' * game.last}"
        cells.append((game.progress.winner, told_so))
    return cells


def _unwritten(result: Turn) -> list[tuple[Side, str]]:
    """What stands in for the turns of a game of which only the result is known; of an automatic double no reader knows."""
    cube, values = 1, []
    while cube < result.cube:
        cube *= 2
        values.append(cube)
    dropped = result.kind is Kind.PASS
    cells: list[tuple[Side, str]] = []
    side = result.side if (len(values) + dropped) % 2 else result.side.other
    for value in values:
        cells += [(side, f" Doubles => {value}"), (side.other, " Takes")]
        side = side.other
    if dropped:
        return [*cells, (result.side, f" Doubles => {cube * 2}"), (result.side.other, " Drops")]
    return cells or [(result.side.other, UNWRITTEN)]


def _cell(turn: Turn, cube: int) -> str:
    if turn.act is Act.MOVE and turn.dice:
        steps = sorted(turn.steps, key=lambda step: -step.start)
        return f"{max(turn.dice)}{min(turn.dice)}: {' '.join(f'{step.start}/{step.end}' + '*' * step.hit for step in steps)}"
    return {Act.DOUBLE: f" Doubles => {cube}", Act.TAKE: " Takes", Act.PASS: " Drops"}[turn.act]


def _rows(cells: Sequence[tuple[Side, str]]) -> Iterator[str]:
    """The columns, row by row; a row that only says who has won has no number. Readers find the right column where the left one ends."""
    width = max([WIDTH, *(len(text) + 1 for side, text in cells if side is Side.LEFT)])
    rows: list[tuple[str, str]] = []
    for side, text in cells:
        if side is Side.LEFT:
            rows.append((text, ""))
        elif rows and not rows[-1][1]:
            rows[-1] = (rows[-1][0], text)
        else:
            rows.append(("", text))
    for number, (left, right) in enumerate(rows, start=1):
        alone = f"{left}{right}".startswith(WINS)
        yield f"{'' if alone else f'{number:>3})':4} {left:<{width}}{right}"
