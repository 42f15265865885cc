"""Our own id for positions of long nardy: short, safe in an address, made to be typed, and a typing error is found.

**The format**: `LN1-` and eighteen characters, written in groups of four with hyphens: the start is `LN1-0000-3ZZW-0000-7ZZR-03`. Small
letters, other hyphens or none are read as well. The characters are those of Crockford's base 32 (digits and letters without I, L, O and U;
what is typed as I or L is read as 1, as O as 0), five bits each, the highest first.

1. Sixteen characters, 80 bits: first the player whose turn it is, then his opponent. For each of a player's 24 points from his own ace
   point on (his head is the last) one bit 1 a checker and one bit 0 that closes the point: 78 bits with all checkers on the board; behind
   them come zeros. The last two bits are the turn's place in the game: 1 and 2 are the two first turns, 0 is any later one.
2. One character: the dice. 0 is none; 1 to 21 are 1-1, 2-1, 2-2, 3-1 … 6-6, the larger first.
3. One character over the seventeen before it: their sum in the field of 32 elements (polynomial x⁵ + x² + 1), each times a power of x:
   the last times x, the one before it times x², and so on. One wrong character, or two that have changed places, never go together with it.

`LN1` is the version. A reader that does not know a version says so.
"""

from __future__ import annotations

from dataclasses import dataclass

from kiosk.play.board import POINTS, Board, Game
from kiosk.play.ids import IdError, counted, possible, unary
from kiosk.say import _

PREFIX = "LN1"

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32."""

READ_AS = str.maketrans({"I": "1", "L": "1", "O": "0"})
"""What people type for a digit."""

LENGTH = 18
"""Characters behind the version: the position with its place in the game, the dice, the check."""

BITS = 78
"""Bits of both players' checkers."""

ROLLS = (None, *((high, low) for high in range(1, 7) for low in range(1, high + 1)))
"""What the character of the dice stands for."""

POLYNOMIAL = 0b100101
"""Of the field in which the check is counted: x⁵ + x² + 1."""


@dataclass(frozen=True, slots=True)
class LongPosition:
    """What an id of long nardy says."""

    board: Board
    """The position, as the player sees it whose turn it is."""
    dice: tuple[int, int] | None = None
    """The dice, the larger first, where they have been rolled."""
    ply: int | None = None
    """1 and 2: the game's two first turns; None: a later one."""

    def __str__(self) -> str:
        """The id."""
        bits = unary(self.board.me, self.board.opp).ljust(BITS, "0") + f"{self.ply or 0:02b}"
        dice = None if self.dice is None else (max(self.dice), min(self.dice))
        letters = [int(bits[at : at + 5], 2) for at in range(0, len(bits), 5)] + [ROLLS.index(dice)]
        text = "".join(ALPHABET[letter] for letter in [*letters, check(letters)])
        return "-".join((PREFIX, *(text[at : at + 4] for at in range(0, LENGTH, 4))))


def is_long_id(text: str) -> bool:
    """Whether a text wants to be an id of long nardy, of whichever version; a position id of backgammon may begin with the same letters."""
    return text[:2].upper() == "LN"


def read_long_id(text: str) -> LongPosition:
    """Read an id of long nardy.

    Args:
        text: What was typed.

    Raises:
        IdError: It is none, or has a typing error.
        BoardError: It tells a position that cannot be.
    """
    letters = _letters(text)
    if check(letters[:-1]) != letters[-1]:
        raise IdError(_("{text} has a typing error: its last character does not go with the others.", text=text))
    bits = "".join(f"{letter:05b}" for letter in letters[:-2])
    me, at = counted(bits[:BITS], 0, POINTS)
    opp, at = counted(bits[:BITS], at, POINTS)
    ply = int(bits[BITS:], 2)
    if "1" in bits[at:BITS] or ply > 2 or letters[-2] >= len(ROLLS):
        raise IdError(_("{text} was written by no Tableside: it holds together, and means nothing.", text=text))
    return LongPosition(possible(Board(me, opp), Game.LONG_NARDY), ROLLS[letters[-2]], ply or None)


def _letters(text: str) -> list[int]:
    """The eighteen characters as numbers."""
    typed = text.upper().replace("-", "").replace(" ", "")
    if typed[:2] + typed[2:3].translate(READ_AS) != PREFIX:
        raise IdError(_("{text} is of a version that is not known here; known is {version}.", text=text, version=PREFIX))
    typed = typed[3:].translate(READ_AS)
    if len(typed) != LENGTH:
        raise IdError(
            _("{text}: behind {version} stand {length} characters, not {n}.", text=text, version=PREFIX, length=LENGTH, n=len(typed))
        )
    for letter in typed:
        if letter not in ALPHABET:
            raise IdError(_("{text}: no such id has the character {letter}.", text=text, letter=letter))
    return [ALPHABET.index(letter) for letter in typed]


def check(letters: list[int]) -> int:
    """The character that goes with these: Horner's scheme in the field, so that the last is taken times x.

    Args:
        letters: Numbers from 0 to 31.
    """
    total = 0
    for letter in letters:
        total = _times_x(total ^ letter)
    return total


def _times_x(element: int) -> int:
    element <<= 1
    return element ^ POLYNOMIAL if element & 0b100000 else element
