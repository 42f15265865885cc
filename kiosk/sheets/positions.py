"""The positions that go with rulings: as diagrams on paper, and in words."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin
from typing import TYPE_CHECKING

from kiosk.domain.types import Side
from kiosk.play import BAR, POINTS, WORDS, Board, BoardError, Game, Reason, across
from kiosk.play.anyid import read_id
from kiosk.say import _
from kiosk.sheets.paper import INK, QUIET

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.domain.state import ExaminedPlay
    from kiosk.domain.types import Pair
    from kiosk.sheets.flow import Flow
    from kiosk.sheets.paper import Paper
    from kiosk.sheets.walk import ScoreSheet

POINT, DARK, LIGHT = 50, 60, 255
"""Greys of points and checkers; where lines lie on each other the lighter one lies above."""

HIGH = 0.62
"""A diagram's height as a part of its width."""

_ALL, _MIDDLE, _BAR = 14.0, 6.0, 1.0
"""Across: six points, the bar, six points, the tray; a point is 1 wide."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position with a ruling."""

    title: str
    """Which ruling's."""
    words: str
    """Whose throw, the dice, the move, and what was found."""
    board: Board | None
    """From the mover's view; None where its id cannot be read."""
    game: Game
    mover: Side
    """The left side's checkers are light, the right side's dark."""


def positions(sheet: ScoreSheet, names: Pair[str]) -> Iterator[Position]:
    """Every position of a sheet, in the order of its rulings."""
    for line in sheet.rulings:
        for play in line.ruling.plays:
            yield _position(play, _("Position with ruling {n}", n=line.ruling.id), names)


def _position(play: ExaminedPlay, title: str, names: Pair[str]) -> Position:
    try:
        named = read_id(play.position)
        board, game = named.board, named.game
    except BoardError:  # a newer program's
        board, game = None, Game.BACKGAMMON
    return Position(title, play_words(play, names), board, game, play.mover or Side.LEFT)


def play_words(play: ExaminedPlay, names: Pair[str]) -> str:
    """Whose throw, the dice, the move, what was found, and the position's id."""
    whose = "" if play.mover is None else _("{name} to play", name=names[play.mover])
    throw = ": ".join(part for part in (play.dice, play.move) if part)
    found = verdict_words(play.verdict)
    found = f"{found.removesuffix('.')} ({play.article})" if found and play.article else found
    return ". ".join(part.removesuffix(".") for part in (whose, throw, found, play.position) if part)


def verdict_words(verdict: str) -> str:
    """What was found of a move; a newer program's word stands as it is."""
    if verdict == "legal":
        return _("The move is legal.")
    return _(WORDS[Reason(verdict)]) if verdict in set(Reason) else verdict


# ── On paper ─────────────────────────────────────────────────────────────────
def draw_positions(flow: Flow, found: tuple[Position, ...], columns: int) -> None:
    """Diagrams with their words beneath, so many beside each other.

    Args:
        flow: Where.
        found: The positions.
        columns: How many stand on a line.
    """
    gap = 5.0
    wide = (flow.wide - gap * (columns - 1)) / columns
    for start in range(0, len(found), columns):
        row = found[start : start + columns]
        flow.room(wide * HIGH + 22)
        top = flow.y
        ends = []
        for number, position in enumerate(row):
            cell = type(flow)(flow.paper, flow.left + number * (wide + gap), top, wide, flow.bottom)
            cell.y = top
            cell.paragraph(position.title, 8.5, bold=True)
            if position.board is not None:
                diagram(flow.paper, cell.left, cell.y, wide, position)
                cell.y += wide * HIGH + 1.5
            cell.paragraph(position.words, 7.5, grey=INK)
            ends.append(cell.y)
        flow.y = max(ends) + 3


def diagram(paper: Paper, x: float, y: float, wide: float, position: Position) -> None:
    """A board as its mover sees it: his home at the bottom right.

    Args:
        paper: Where.
        x: Its left edge, in millimetres.
        y: Its upper edge.
        wide: Its width; its height follows.
        position: With a board.
    """
    board = position.board
    if board is None:
        return
    unit, high, label = wide / _ALL, wide * HIGH, 3.4
    paper.frame(x, y, wide, high, thick=0.3, grey=INK)
    for edge in (_MIDDLE, _MIDDLE + _BAR, _ALL - 1):
        paper.line((x + edge * unit, y), (x + edge * unit, y + high), thick=0.3, grey=INK)
    r = min(unit, (high / 2 - label) / 5.6) / 2 * 0.94
    for point in range(1, POINTS + 1):
        left, upper = x + _column(point) * unit, point > POINTS // 2
        base, tip = (y + label, y + high * 0.42) if upper else (y + high - label, y + high * 0.58)
        paper.line((left, base), (left + unit / 2, tip), (left + unit, base), thick=0.08, grey=POINT)
        paper.text(left, y + 2.6 if upper else y + high - 0.9, str(point), 6, grey=QUIET, align="centre", wide=unit)
        mine, theirs = board.me[point - 1], board.opp[across(point, position.game) - 1]
        away = 1 if upper else -1
        _stack(paper, (left + unit / 2, base + away * r, away * 2 * r), r, mine or theirs, _light(position, mine=bool(mine)))
    bar = x + (_MIDDLE + _BAR / 2) * unit
    if position.game is Game.BACKGAMMON:
        _stack(paper, (bar, y + high / 2 - 2 * r, -2 * r), r, board.me[BAR - 1], _light(position, mine=True), most=3)
        _stack(paper, (bar, y + high / 2 + 2 * r, 2 * r), r, board.opp[BAR - 1], _light(position, mine=False), most=3)
    for off, middle, mine in ((board.off[0], y + high * 0.75, True), (board.off[1], y + high * 0.25, False)):
        if off:
            _stack(paper, (x + (_ALL - 0.5) * unit, middle, 0), r, off, _light(position, mine=mine), most=1)


def _light(position: Position, *, mine: bool) -> bool:
    return (position.mover if mine else position.mover.other) is Side.LEFT


def _column(point: int) -> float:
    column = 12 - point if point <= 12 else point - 13
    return column + (_BAR if column >= 6 else 0.0)


def _stack(paper: Paper, at: tuple[float, float, float], r: float, count: int, light: bool, most: int = 5) -> None:  # noqa: FBT001 - a colour
    """Checkers from a place on: its middle, and how far the next one lies."""
    x, y, step = at
    for nth in range(min(count, most)):
        _checker(paper, x, y + nth * step, r, light=light)
    if count > most:
        last = y + (most - 1) * step
        paper.text(x - r, last + r * 0.45, str(count), r * 3.4, bold=True, grey=INK if light else LIGHT, align="centre", wide=2 * r)


def _checker(paper: Paper, x: float, y: float, r: float, *, light: bool) -> None:
    def ring(radius: float) -> list[tuple[float, float]]:
        return [(x + radius * cos(2 * pi * n / 20), y + radius * sin(2 * pi * n / 20)) for n in range(21)]

    if light:
        paper.line(*ring(r * 0.42), thick=r * 0.84, grey=LIGHT)
        paper.line(*ring(r * 0.92), thick=0.22, grey=INK)
    else:
        paper.line(*ring(r * 0.46), thick=r * 0.92, grey=DARK)
