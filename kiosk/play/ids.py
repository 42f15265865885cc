"""GNU Backgammon's position id: a position of backgammon as fourteen characters, read and written exactly.

**The format** (GNU Backgammon's manual, "A technical description of the position ID"). First the player who is *not* on roll, then the
one who is: for each of his 24 points from his own ace point on, and then for the bar, one bit 1 a checker and one bit 0 that closes the
point. With all checkers on the board that is 80 bits; what has been borne off leaves the rest 0. The bits fill ten bytes, the lowest of
each first, and the bytes are written in base64 without its two signs of padding.

**Strict.** Of the 84 bits of fourteen characters the last four are always 0, and behind the second bar no bit may be 1: whatever breaks
that was typed wrongly, and is refused instead of read as a position that nobody meant.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from string import ascii_letters, digits

from kiosk.play.board import Board, BoardError, Game, check_board, entries
from kiosk.say import _

LETTERS = frozenset(ascii_letters + digits + "+/")
"""What base64 writes with."""

LENGTH = 14
"""Characters of a position id."""

BYTES = 10
"""Bytes of a position."""

PLACES = entries(Game.BACKGAMMON)
"""Places of a player: 24 points and the bar."""


class IdError(BoardError):
    """You erred: an id was typed wrongly; nothing was read."""


def position_id(board: Board) -> str:
    """A position of backgammon as GNU Backgammon writes it.

    Args:
        board: The position, as the player sees it who is on roll.

    Returns:
        Fourteen characters.
    """
    return b64encode(int(unary(board.opp, board.me)[::-1], 2).to_bytes(BYTES, "little"))[:LENGTH].decode("ascii")


def read_position_id(text: str) -> Board:
    """Read a position id.

    Args:
        text: Fourteen characters.

    Returns:
        The position, as the player sees it who is on roll.

    Raises:
        IdError: It is none.
        BoardError: It tells a position that cannot be.
    """
    data = packed(text, LENGTH, _("a position id"))
    bits = f"{int.from_bytes(data, 'little'):080b}"[::-1]
    opp, at = counted(bits, 0, PLACES)
    me, at = counted(bits, at, PLACES)
    if "1" in bits[at:]:
        raise IdError(_("{text} is no position id: behind both players' checkers there is still something.", text=text))
    return possible(Board(me, opp), Game.BACKGAMMON)


def packed(text: str, length: int, what: str) -> bytes:
    """The bytes that a text in base64 without padding holds.

    Args:
        text: What was typed.
        length: How many characters it must have.
        what: What it should be, for the sentence.

    Raises:
        IdError: It has another length, a character of another alphabet, or bits where there are none.
    """
    if len(text) != length:
        raise IdError(_("{text} is not {what}: it has {n} characters and not {length}.", text=text, what=what, n=len(text), length=length))
    for at, letter in enumerate(text, start=1):
        if letter not in LETTERS:
            words = _("{text} is not {what}: its character {at} is {letter}, which none has.", text=text, what=what, at=at, letter=letter)
            raise IdError(words)
    data = b64decode(text + "=" * (-length % 4))
    if b64encode(data).decode("ascii").rstrip("=") != text:
        raise IdError(_("{text} is not {what}: it cannot end in {letter}; look for a typing error.", text=text, what=what, letter=text[-1]))
    return data


def unary(*sides: tuple[int, ...]) -> str:
    """Players' checkers as digits 0 and 1: place by place one 1 a checker, then a 0."""
    return "".join("1" * checkers + "0" for side in sides for checkers in side)


def counted(bits: str, at: int, places: int) -> tuple[tuple[int, ...], int]:
    """One player's checkers out of such digits.

    Args:
        bits: The digits.
        at: Where his begin.
        places: How many places he has.

    Returns:
        His checkers place by place, and where the digits behind them begin.

    Raises:
        IdError: The digits end before his places do.
    """
    side: list[int] = []
    for _place in range(places):
        end = bits.find("0", at)
        if end < 0:
            raise IdError(_("This id tells of more checkers than a player has; look for a typing error."))
        side.append(end - at)
        at = end + 1
    return tuple(side), at


def possible(board: Board, game: Game) -> Board:
    """A position, if it can stand on a board.

    Args:
        board: The position.
        game: Of which game.

    Raises:
        BoardError: It cannot; the sentence says why.
    """
    check_board(board, game)
    return board
