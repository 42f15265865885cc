"""Moves as people type them, read and written.

A move is written checker by checker with blanks (or commas) between: where it stood, a stroke, where it went, in the mover's own numbering
(000 §1; in long nardy the head is 24). `13/8 6/5`; `bar/22` enters; `6/off` bears off; `24/18/13` says on the way where it stopped; `8/5*`
hits; `8/5(2)` and `8/5*(2)` are two checkers that went the same way. `-` says that nothing was moved.

What a checker does with several dice may be written as one, `24/13`; which number it played first, the judge finds. The star may be left
out, for the board knows who is hit. A mistake of writing is told with the piece of the text in which it stands. What the rules forbid is
read all the same, five checkers, or one that goes backwards: to say why is the judge's office.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kiosk.play.board import BAR, CHECKERS, OFF, POINTS, BoardError, Game, Step
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NOTHING = "-"
"""A move in which nothing is moved."""

_PLACES = {"bar": BAR, str(BAR): BAR, "off": OFF, str(OFF): OFF} | {str(point): point for point in range(1, POINTS + 1)}
_PIECE = re.compile(r"(?P<way>[^()]+)(?:\((?P<times>[0-9]+)\))?")


class NotationError(BoardError):
    """You erred: a move is written so that it cannot be read; the text says which piece of it, and what is wrong."""


def read_move(text: str, game: Game) -> tuple[Step, ...]:
    """Read a move.

    Args:
        text: What was typed, e.g. `13/8 6/5*`.
        game: Which game's: long nardy has no bar, and nobody is hit.

    Returns:
        Its steps in the order in which they were written; one may stand for several dice. Empty, if nothing was moved.

    Raises:
        NotationError: It cannot be read.
    """
    pieces = text.replace(",", " ").split()
    if pieces == [NOTHING]:
        return ()
    if not pieces:
        raise NotationError(
            _("There is no move; write it as {example}, or as {nothing} if nothing was moved.", example="13/8 6/5", nothing=NOTHING)
        )
    return tuple(step for piece in pieces for step in _steps(piece, game))


def _steps(piece: str, game: Game) -> tuple[Step, ...]:
    found = _PIECE.fullmatch(piece)
    if not found or "/" not in found["way"]:
        raise NotationError(
            _("{piece} is no move of a checker; write it as {examples}.", piece=piece, examples="13/8, bar/22, 6/off, 8/5*(2)")
        )
    start, *stops = found["way"].split("/")
    places = [_place(start, piece, game), *(_place(stop.removesuffix("*"), piece, game) for stop in stops)]
    if OFF in places[:-1] or BAR in places[1:]:
        raise NotationError(_("{piece}: a checker that is off stays off, and nobody moves one to the bar.", piece=piece))
    hits = [stop.endswith("*") for stop in stops]
    if game is Game.LONG_NARDY and any(hits):
        raise NotationError(_("{piece}: nobody is hit in long nardy.", piece=piece))
    way = tuple(map(Step, places, places[1:], hits))
    return way * _times(found["times"], piece)


def _place(text: str, piece: str, game: Game) -> int:
    place = _PLACES.get(text.lower())
    if place is None:
        raise NotationError(_("{piece}: {text} is no place; places are 24 to 1, bar and off.", piece=piece, text=text or "“”"))
    if place == BAR and game is Game.LONG_NARDY:
        raise NotationError(_("{piece}: long nardy has no bar.", piece=piece))
    return place


def _times(text: str | None, piece: str) -> int:
    if text is None:
        return 1
    if len(text) > 2 or not 1 <= int(text) <= CHECKERS:
        raise NotationError(_("{piece}: a player has one to fifteen checkers to move, not {n}.", piece=piece, n=text))
    return int(text)


def written(steps: Sequence[Step]) -> str:
    """A move as it is written.

    Args:
        steps: One a die, in an order that is legal throughout, with their hits.

    Returns:
        The checkers from the highest point down; one that goes on without having hit is written as one way.
    """
    ways = sorted(map(_joined, _chains(steps)), key=lambda way: (-way[0][0], -way[-1][0]))
    told: dict[str, tuple[int, bool]] = {}
    for way in ways:
        plain = "/".join(_name(place) + "*" * (hit and at < len(way) - 1) for at, (place, hit) in enumerate(way))
        times, hit = told.get(plain, (0, False))
        told[plain] = (times + 1, hit or way[-1][1])
    return " ".join(way + "*" * hit + (f"({times})" if times > 1 else "") for way, (times, hit) in told.items()) or NOTHING


def written_out(steps: Iterable[Step]) -> str:
    """A move step by step in its own order, so that reading it gives the same steps again.

    Args:
        steps: One a die, with their hits.
    """
    return " ".join(f"{_name(step.start)}/{_name(step.end)}{'*' * step.hit}" for step in steps) or NOTHING


def _chains(steps: Iterable[Step]) -> list[list[Step]]:
    """Steps of the same checker one behind the other: where one lands and another starts there later, it is taken for the same."""
    chains: list[list[Step]] = []
    for step in steps:
        going_on = next((chain for chain in chains if chain[-1].end == step.start), None)
        if going_on is None:
            chains.append([step])
        else:
            going_on.append(step)
    return chains


def _joined(chain: list[Step]) -> list[tuple[int, bool]]:
    """A checker's way as places with their hits: its start, where it hit on the way, its end."""
    stops = [(step.end, step.hit) for step in chain]
    return [(chain[0].start, False), *(stop for stop in stops[:-1] if stop[1]), stops[-1]]


def _name(place: int) -> str:
    return {BAR: "bar", OFF: "off"}.get(place, str(place))
