"""GNU Backgammon's match id: score, cube and dice beside a position id, as twelve characters.

**The format** (GNU Backgammon's manual, "A technical description of the match ID", and the program itself, 1.07): bits, the lowest of each
byte first, in nine bytes of base64:

| bits | what they say |
|---|---|
| 4 | the cube as a power of two |
| 2 | its owner: player 0 or 1; 3 is nobody |
| 1 | the player on roll, or who has rolled |
| 1 | Crawford game |
| 3 | 0 no game, 1 playing, 2 over, 3 resigned, 4 ended by a drop |
| 1 | the player who has to decide |
| 1 | a double is offered |
| 2 | a resignation is offered: 1 single, 2 gammon, 3 backgammon |
| 3, 3 | the dice; 0 before the roll |
| 15 | match length; 0 is a session |
| 15, 15 | the scores of player 0 and player 1 |
| 1 | 1 unless a session is played by the Jacoby rule |
| 5 | 0 |

In its position id GNU Backgammon shows the position as the player sees it who has to decide.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import astuple, dataclass

from kiosk.play.ids import IdError, packed
from kiosk.say import _

LENGTH = 12
"""Characters of a match id."""

BYTES = 9
"""Bytes of a match id."""

WIDTHS = (4, 2, 1, 1, 3, 1, 1, 2, 3, 3, 15, 15, 15, 1)
"""Bits of each field, in order."""

LARGEST = (15, 3, 1, 1, 4, 1, 1, 3, 6, 6, 32767, 32767, 32767, 1)
"""The largest value of each field."""

NOBODY = 3
"""Who owns a cube in the middle."""


@dataclass(frozen=True, slots=True)
class MatchId:
    """What a match id says, in the order of its fields."""

    cube: int = 0
    """The cube as a power of two."""
    owner: int = NOBODY
    """Whose it is: 0, 1, or nobody's."""
    roller: int = 0
    """The player on roll, or who has rolled."""
    crawford: int = 0
    """1 in the Crawford game."""
    state: int = 1
    """0 no game, 1 playing, 2 over, 3 resigned, 4 ended by a drop."""
    turn: int = 0
    """The player who has to decide."""
    doubled: int = 0
    """1: a double is offered."""
    resigned: int = 0
    """A resignation is offered: 1 single, 2 gammon, 3 backgammon."""
    die0: int = 0
    """One die; 0 before the roll."""
    die1: int = 0
    """The other."""
    length: int = 0
    """Points of the match; 0 is a session."""
    score0: int = 0
    """Points of player 0."""
    score1: int = 0
    """Points of player 1."""
    plain: int = 1
    """0: a session by the Jacoby rule."""

    @property
    def rolled(self) -> tuple[int, int] | None:
        """The dice, where they have been rolled."""
        return (self.die0, self.die1) if self.die0 else None

    def __str__(self) -> str:
        """The match id."""
        total, at = 0, 0
        for value, width in zip(astuple(self), WIDTHS, strict=True):
            total |= value << at
            at += width
        return b64encode(total.to_bytes(BYTES, "little")).decode("ascii")


def read_match_id(text: str) -> MatchId:
    """Read a match id.

    Args:
        text: Twelve characters.

    Raises:
        IdError: It is none, or says something that cannot be.
    """
    total = int.from_bytes(packed(text, LENGTH, _("a match id")), "little")
    values: list[int] = []
    for width in WIDTHS:
        values.append(total & ((1 << width) - 1))
        total >>= width
    read = MatchId(*values)
    beyond = any(value > most for value, most in zip(values, LARGEST, strict=True))
    if total or beyond or read.owner == 2 or bool(read.die0) != bool(read.die1):
        raise IdError(_("{text} is no match id: it says something that cannot be; look for a typing error.", text=text))
    return read
