"""A board as a diagram: where each point lies, what stands there, what was moved.

It is drawn as the side to move sees it: his home at the bottom right, what he has borne off at the right. Long nardy is drawn on the same
points, for both its players move the same way round: the opponent's head is then the mover's point 12, at the bottom left.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain.types import Side
from kiosk.play import BAR, OFF, POINTS, Board, Game, across
from kiosk.ui.draw import Rect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kiosk.play import Step
    from kiosk.ui.draw import Colour
    from kiosk.ui.page import Page

THEIR_BAR = 26
"""The opponent's place on the bar."""
THEIR_OFF = 27
"""Where the opponent's borne-off checkers lie."""

_LEFT, _BAR, _RIGHT, _ALL = 60, 73, 133, 148
"""Where the left half, the bar and the right half end, and the whole with the tray: a point is ten wide."""

_GROUND: Colour = (62, 46, 33)
_EVEN: Colour = (154, 115, 77)
_ODD: Colour = (96, 70, 49)
_RIM: Colour = (40, 29, 20)
_LABEL: Colour = (240, 228, 208)
_LIGHT: Colour = (245, 240, 228)
_LIGHT_INK: Colour = (24, 22, 20)
_DARK: Colour = (34, 38, 62)
_DARK_INK: Colour = (245, 245, 250)
_ARROW: Colour = (255, 214, 70)
_WRONG: Colour = (255, 96, 84)
_PICKED: Colour = (110, 220, 140)


@dataclass(frozen=True, slots=True)
class Plan:
    """Where everything of a board lies in a rectangle."""

    rect: Rect
    game: Game
    label: int
    """The em size of the points' numbers, in pixels."""
    board: Board
    """What is drawn, from the mover's view."""
    mover: Side
    """Whose view: the left side's checkers are light, the right side's dark."""
    turn: int = 0
    """How many turns led here, where that matters."""

    def _x(self, part: float) -> int:
        return self.rect.x + round(self.rect.w * part / _ALL)

    @property
    def rim(self) -> int:
        """The height of the strips with the numbers."""
        return max(self.label * 5 // 4, self.rect.h // 16)

    @property
    def checker(self) -> int:
        """A checker's radius."""
        return max(3, min(self.rect.w * 10 // _ALL, (self.rect.h - 2 * self.rim) * 46 // 500) // 2 - 1)

    def zone(self, place: int) -> Rect:
        """The rectangle of a place: a point, either side's part of the bar or of the tray."""
        half = self.rect.h // 2
        top, bottom = Rect(0, self.rect.y, 0, half), Rect(0, self.rect.y + half, 0, self.rect.h - half)
        if place in {BAR, THEIR_OFF}:
            row = top
        elif place in {OFF, THEIR_BAR}:
            row = bottom
        else:
            row = bottom if place <= POINTS // 2 else top
        start, end = self._columns(place)
        return Rect(self._x(start), row.y, self._x(end) - self._x(start), row.h)

    @staticmethod
    def _columns(place: int) -> tuple[int, int]:
        if place in {BAR, THEIR_BAR}:
            return _LEFT, _BAR
        if place in {OFF, THEIR_OFF}:
            return _RIGHT, _ALL
        column = 12 - place if place <= 12 else place - 13  # from the left, the bar left out
        start = column * 10 + (_BAR - _LEFT if column >= 6 else 0)
        return start, start + 10

    def place(self, x: int, y: int) -> int | None:
        """The place that a point of the screen belongs to; None outside the board."""
        return next((place for place in range(OFF, THEIR_OFF + 1) if self.zone(place).holds(x, y)), None)

    def stack(self, place: int, nth: int) -> tuple[int, int]:
        """The middle of the nth checker on a place, from 0."""
        zone, r = self.zone(place), self.checker
        x = zone.x + zone.w // 2
        if place in {BAR, THEIR_BAR}:  # from the middle of the board outwards
            step = 2 * r * nth + r + 4
            return x, zone.bottom - step if place == BAR else zone.y + step
        step = self.rim + r + 2 * r * nth
        return x, zone.y + step if zone.y == self.rect.y else zone.bottom - step

    def at(self, place: int) -> tuple[int, bool]:
        """What stands on a place: how many checkers, and whether they are the mover's."""
        return counted(self.board, self.game, place)

    def colours(self, place: int) -> tuple[Colour, Colour]:
        """Of the checkers on a place: their own, and what is written on them."""
        return colours(self.mover if self.at(place)[1] else self.mover.other)


def counted(board: Board, game: Game, place: int) -> tuple[int, bool]:
    """What stands on a place: how many checkers, and whether they are the mover's."""
    mine, theirs = board.off
    if place == OFF:
        return mine, True
    if place == THEIR_OFF:
        return theirs, False
    if place == BAR:
        return (board.me[BAR - 1] if game is Game.BACKGAMMON else 0), True
    if place == THEIR_BAR:
        return (board.opp[BAR - 1] if game is Game.BACKGAMMON else 0), False
    other = board.opp[across(place, game) - 1]
    return (other, False) if other else (board.me[place - 1], True)


def board_area(page: Page, body: Rect) -> tuple[Rect, Rect]:
    """Where the board lies on a screen, and what is left: beside it, or below on a panel that stands upright."""
    gap, touch = page.place.gap, page.place.touch
    if page.place.portrait:
        return body.cut_top(min(body.w * 9 // 10, body.h - 4 * touch), gap)
    return body.cut_left(body.w * 69 // 100, gap)


def draw_board(page: Page, plan: Plan, picked: int | None = None) -> None:
    """The board with its checkers.

    Args:
        page: Where.
        plan: What.
        picked: The place that was touched, waiting for where it goes.
    """
    rect = plan.rect
    page.box(rect, _GROUND, page.place.touch // 12, _RIM, 3)
    for place in (BAR, THEIR_BAR, OFF, THEIR_OFF):
        page.box(plan.zone(place), _RIM)
    for point in range(1, POINTS + 1):
        zone, upper = plan.zone(point), point > POINTS // 2
        base, tip = (zone.y + plan.rim, zone.bottom - zone.h // 7) if upper else (zone.bottom - plan.rim, zone.y + zone.h // 7)
        page.path([(zone.x + 1, base), (zone.right - 1, base), (zone.x + zone.w // 2, tip)], _EVEN if point % 2 else _ODD)
        label = Rect(zone.x, zone.y if upper else zone.bottom - plan.rim, zone.w, plan.rim)
        page.text(label, str(point), plan.label, _LABEL)
    for place in range(OFF, THEIR_OFF + 1):
        _checkers(page, plan, place)
    if picked is not None:
        for edge in plan.zone(picked).edges(max(3, page.place.touch // 20)):
            page.box(edge, _PICKED)


def colours(side: Side) -> tuple[Colour, Colour]:
    """A side's checkers and what is written on them: the left side's are light."""
    return (_LIGHT, _LIGHT_INK) if side is Side.LEFT else (_DARK, _DARK_INK)


def _checkers(page: Page, plan: Plan, place: int) -> None:
    count, _mine = plan.at(place)
    if not count:
        return
    body, ink = plan.colours(place)
    r, shown = plan.checker, min(count, 3 if place in {BAR, THEIR_BAR} else 5)
    for nth in range(shown):
        checker(page, plan.stack(place, nth), r, body, ink)
    if count > shown:
        (x, y), half = plan.stack(place, shown), plan.label * 5 // 8
        box = Rect(x - 2 * half, y - half, 4 * half, 2 * half)
        page.box(box, _GROUND if place in range(1, POINTS + 1) else _RIM)
        page.text(box, str(count), plan.label, _LABEL, face="bold")


def in_hand(page: Page, plan: Plan, start: tuple[int, int], now: tuple[int, int]) -> None:
    """The checker that a finger carries over the board, and the place that lies under it.

    Args:
        page: Where.
        plan: The board, as it was when the finger came down.
        start: Where that was, in the screen's pixels.
        now: Where it is.
    """
    place, there = plan.place(*start), plan.place(*now)
    if there is not None:
        for edge in plan.zone(there).edges(max(3, page.place.touch // 20)):
            page.box(edge, _PICKED)
    if place is not None and plan.at(place)[0]:
        checker(page, now, plan.checker + 3, *plan.colours(place))


def checker(page: Page, at: tuple[int, int], r: int, body: Colour, ink: Colour) -> None:
    """One checker."""
    page.disc(*at, r, body)
    page.disc(*at, r, ink, 2)


def draw_steps(page: Page, plan: Plan, steps: Sequence[Step], wrong: int | None = None) -> None:
    """Arrows for what was moved.

    Args:
        page: Where.
        plan: The board's places.
        steps: In the mover's numbering.
        wrong: Which of them breaks a rule, from 0.
    """
    ends: dict[int, int] = {}
    for number, step in enumerate(steps):
        start, end = plan.stack(step.start, 0), plan.stack(step.end, min(4, ends.get(step.end, 0)))
        ends[step.end] = ends.get(step.end, 0) + 1
        _arrow(page, start, end, _WRONG if number == wrong else _ARROW)


def _arrow(page: Page, start: tuple[int, int], end: tuple[int, int], colour: Colour) -> None:
    width = max(4, page.place.touch // 14)
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = max(1.0, (dx * dx + dy * dy) ** 0.5)
    ux, uy, head = dx / length, dy / length, 3.0 * width
    neck = (round(end[0] - ux * head), round(end[1] - uy * head))
    page.path([start, neck], colour, width)
    side = (uy * head * 0.6, -ux * head * 0.6)
    page.path([end, (round(neck[0] + side[0]), round(neck[1] + side[1])), (round(neck[0] - side[0]), round(neck[1] - side[1]))], colour)
