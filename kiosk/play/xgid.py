"""XGID: a position of backgammon with cube, dice and score, as eXtreme Gammon writes it and GNU Backgammon reads it.

**The format**: `XGID=` and ten fields with colons between them.

| field | what it says |
|---|---|
| position | 26 characters: the bar of the player at the top, points 1 to 24 as the player at the bottom counts them, his bar; `-` nothing, `A` to `O` one to fifteen checkers of the bottom's, `a` to `o` of the top's |
| cube | its value as a power of two: 0 is 1, 1 is 2 |
| owner | of the cube: 1 the bottom, −1 the top, 0 nobody |
| turn | 1 the bottom, −1 the top |
| dice | `52`; `00` before the roll; `D` he has doubled; `B` and then it was beavered; `R` and then that was redoubled at once |
| scores | of the bottom, then of the top |
| rules | in a match 1 in the Crawford game, else 0; in a session 1 with Jacoby, 2 with beavers, 3 with both |
| length | of the match; 0 is a session without end |
| most | the highest value of the cube, as a power of two |

Every field is kept as it was read, so that what is written again is the same text.
"""  # noqa: E501 - a table's row is a line

from __future__ import annotations

from dataclasses import dataclass

from kiosk.play.board import Board, Game
from kiosk.play.ids import PLACES, IdError, possible
from kiosk.say import _

PREFIX = "XGID="

FIELDS = 10
"""Fields of an XGID."""

BOTTOM, NOBODY, TOP = 1, 0, -1
"""Whose turn it is, and whose cube."""

MOST_CUBE = 15
"""The highest power of two that a cube shows."""

WAITING = "00"
"""Dice that have not been rolled."""

DOUBLED = "D"
"""Instead of dice: the side whose turn it is has doubled."""


@dataclass(frozen=True, slots=True)
class Xgid:
    """What an XGID says."""

    bottom: tuple[int, ...]
    """Checkers of the player at the bottom, from his own ace point on, his bar last."""
    top: tuple[int, ...]
    """Checkers of the player at the top, from that one's own ace point on."""
    cube: int = 0
    """The cube's value as a power of two."""
    owner: int = NOBODY
    """Whose cube it is."""
    turn: int = BOTTOM
    """Whose turn it is."""
    dice: str = WAITING
    """`52`, or a word: not rolled, doubled, beavered, redoubled at once."""
    score_bottom: int = 0
    """Points of the player at the bottom."""
    score_top: int = 0
    """Points of the player at the top."""
    rules: int = 0
    """Crawford in a match; Jacoby (1) and beavers (2) in a session."""
    length: int = 0
    """Points of the match; 0 is a session."""
    most: int = 10
    """The highest value of the cube as a power of two."""

    @property
    def board(self) -> Board:
        """The position, as the player sees it whose turn it is."""
        return Board(self.bottom, self.top) if self.turn == BOTTOM else Board(self.top, self.bottom)

    @property
    def rolled(self) -> tuple[int, int] | None:
        """The dice, where they have been rolled."""
        return (int(self.dice[0]), int(self.dice[1])) if self.dice.isdecimal() and self.dice != WAITING else None

    def __str__(self) -> str:
        """The XGID."""
        numbers = (self.score_bottom, self.score_top, self.rules, self.length, self.most)
        before = (_placed(self.bottom, self.top), self.cube, self.owner, self.turn, self.dice)
        return PREFIX + ":".join(map(str, (*before, *numbers)))


def read_xgid(text: str) -> Xgid:
    """Read an XGID; `XGID=` in front may be missing.

    Args:
        text: What was typed.

    Raises:
        IdError: It is none; the field is named.
        BoardError: It tells a position that cannot be.
    """
    fields = (text[len(PREFIX) :] if text.upper().startswith(PREFIX) else text).split(":")
    if len(fields) != FIELDS:
        raise IdError(_("An XGID has {fields} fields with colons between them; this one has {n}.", fields=FIELDS, n=len(fields)))
    place, cube, owner, turn, dice, *rest = fields
    bottom, top = _checkers(place)
    possible(Board(bottom, top), Game.BACKGAMMON)
    length = _number(rest[3], _("match length"), 0, 2**15 - 1)
    read = Xgid(
        bottom,
        top,
        _number(cube, _("cube"), 0, MOST_CUBE),
        _one_of(owner, _("cube's owner"), (BOTTOM, NOBODY, TOP)),
        _one_of(turn, _("turn"), (BOTTOM, TOP)),
        _dice(dice),
        _number(rest[0], _("score of the bottom"), 0, 2**15 - 1),
        _number(rest[1], _("score of the top"), 0, 2**15 - 1),
        _number(rest[2], _("Crawford or Jacoby"), 0, 1 if length else 3),
        length,
        _number(rest[4], _("highest cube"), 0, MOST_CUBE),
    )
    if read.owner != NOBODY and not read.cube:
        raise IdError(_("XGID: a cube that stands at 1 belongs to nobody."))
    if length and max(read.score_bottom, read.score_top) >= length:
        raise IdError(
            _("XGID: with a score of {n} a match of {length} points is over.", n=max(read.score_bottom, read.score_top), length=length)
        )
    return read


def _placed(bottom: tuple[int, ...], top: tuple[int, ...]) -> str:
    letters = ["-"] * (PLACES + 1)
    for at, checkers in enumerate(bottom, start=1):
        if checkers:
            letters[at] = chr(ord("A") + checkers - 1)
    for at, checkers in enumerate(top, start=1):
        if checkers:
            letters[PLACES - at] = chr(ord("a") + checkers - 1)
    return "".join(letters)


def _checkers(place: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    if len(place) != PLACES + 1:
        raise IdError(_("XGID: the position has {length} characters; this one has {n}.", length=PLACES + 1, n=len(place)))
    bottom, top = [0] * PLACES, [0] * PLACES
    for at, letter in enumerate(place):
        if "A" <= letter <= "O" and at:
            bottom[at - 1] = ord(letter) - ord("A") + 1
        elif "a" <= letter <= "o" and at < PLACES:
            top[PLACES - at - 1] = ord(letter) - ord("a") + 1
        elif letter != "-":
            raise IdError(_("XGID: {letter} cannot stand at place {at} of the position.", letter=letter, at=at + 1))
    return tuple(bottom), tuple(top)


def _number(text: str, what: str, least: int, most: int) -> int:
    if text.isascii() and text.isdecimal() and str(int(text[:6])) == text and least <= int(text) <= most:
        return int(text)
    raise IdError(_("XGID: {what} is a whole number from {least} to {most}, not {text}.", what=what, least=least, most=most, text=text))


def _one_of(text: str, what: str, known: tuple[int, ...]) -> int:
    found = {str(each): each for each in known}
    if text not in found:
        raise IdError(_("XGID: {what} is one of {known}, not {text}.", what=what, known=", ".join(found), text=text))
    return found[text]


def _dice(text: str) -> str:
    rolled = len(text) == 2 and set(text) <= set("123456")
    if rolled or text in {WAITING, DOUBLED, "B", "R"}:
        return text
    raise IdError(_("XGID: the dice are two digits from 1 to 6, or 00, D, B, R; not {text}.", text=text))
