"""What a chouette's screens share: where each player stands, his tile, and the two buttons with which he is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kiosk.domain.types import present
from kiosk.say import _
from kiosk.ui.draw import Rect
from kiosk.words import kind_words, signed

if TYPE_CHECKING:
    from kiosk.domain.chouette import Chouette, ChouetteGame
    from kiosk.ui.actions import Action
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


class Ask(NamedTuple):
    """A button with which somebody answers."""

    label: str
    action: Action
    why: str | None = None
    go: bool = False
    """It is the answer that goes on."""


def chouette_of(view: View) -> Chouette:
    """The chouette at this table; only asked while there is one."""
    return present(view.shot.table.chouette)


def goes_on(view: View) -> bool:
    """Whether a chouette goes on here."""
    chouette = view.shot.table.chouette
    return chouette is not None and not chouette.ended


def grid(page: Page, body: Rect, count: int) -> list[Rect]:
    """As many cells as players, in one to three rows; on a panel that stands upright in two columns."""
    columns = 2 if page.place.portrait else -(-count // (1 if count <= 3 else 2 if count <= 6 else 3))
    rows = -(-count // columns)
    return [cell for row in body.rows(rows, page.place.gap) for cell in row.columns(columns, page.place.gap)]


def asked_cell(page: Page, cell: Rect, name: str, *asks: Ask) -> None:
    """A player's name, and below it what he can answer."""
    page.box(cell, page.theme.panel, page.place.touch // 8, page.theme.halt, max(3, page.place.touch // 16))
    inner = cell.inset(page.place.touch // 12)
    buttons, top = inner.cut_bottom(page.place.touch, 2)
    page.text(top, name, min(page.place.em(0.42), top.h * 7 // 10), face="bold", lines=2)
    for ask, rect in zip(asks, buttons.columns(len(asks), page.place.gap), strict=True):
        page.button(rect, ask.label, ask.action, ask.why, kind="go" if ask.go else "plain", size=0.38)


def player_cell(
    page: Page, cell: Rect, name: str, part: str, total: int, *, gain: str = "", leads: bool = False, out: bool = False
) -> None:
    """A player: what he is and his points in one line, his name below.

    Args:
        page: Where to draw.
        cell: Its rectangle.
        name: The player.
        part: What he is: in the box, captain, his place in the team, or what he has answered.
        total: His points by now.
        gain: What the last game has brought him.
        leads: He moves checkers: the box or the captain.
        out: He is out of this game.
    """
    place, t = page.place, page.theme
    ground, ink = (t.ground, t.quiet) if out else (t.panel, t.ink)
    page.box(cell, ground, place.touch // 8, t.ink if leads else t.button_edge, max(3, place.touch // 16) if leads else 2)
    inner = cell.inset(place.touch // 7, place.touch // 14)
    top, below = inner.cut_top(max(place.em(0.5), min(place.em(0.8), inner.h * 4 // 10)))
    points, words = top.cut_right(place.em(1.1), 4)
    if gain:
        brought, below = below.cut_right(place.em(0.8), 4)
        page.text(brought, gain, place.em(0.34), t.quiet, align="right")
    page.text(points, signed(total), place.em(0.56), ink, face="bold", align="right")
    page.text(words, part, place.em(0.34), ink if out or leads else t.quiet, face="bold" if leads else "text", align="left", lines=2)
    page.text(below, name, place.em(0.5), ink, face="bold" if leads else "text", align="left", lines=2)


def game_words(game: ChouetteGame) -> str:
    """How a game ended."""
    kind = kind_words(game.kind)
    if game.winner == "box":
        return _("Game {n}: {name} in the box won, {kind}, cube {cube}.", n=game.n, name=game.box, kind=kind, cube=game.cube)
    return _("Game {n}: the team of {name} won, {kind}, cube {cube}.", n=game.n, name=game.captain, kind=kind, cube=game.cube)


def gains_words(game: ChouetteGame) -> str:
    """What a game brought: the box, those who were left in the team, and who was out."""
    gains, out = dict(game.gains), dict(game.out)
    left = [name for name in game.team if name not in out]
    parts = [f"{game.box} {signed(gains[game.box])}"]
    if len(left) > 4:
        parts.append(_("{n} in the team: {points} each", n=len(left), points=signed(gains[left[0]])))
    else:
        parts += [f"{name} {signed(gains[name])}" for name in left]
    parts += [_("{name} {points} (out)", name=name, points=signed(-paid)) for name, paid in game.out]
    return ", ".join(parts)


def places_words(before: tuple[str, ...], box: str, captain: str, last: str) -> str:
    """Who goes where after a game.

    Args:
        before: Who played, the box first.
        box: Who is in the box now.
        captain: Who is captain now.
        last: Who is last in the team now.
    """
    moved = _("{name} stays in the box", name=box) if before[0] == box else _("{name} goes into the box", name=box)
    return _("{box}; {captain} is captain; {last} goes to the end.", box=moved, captain=captain, last=last)


def cube_box(page: Page, rect: Rect, value: int) -> None:
    """The cube at its value."""
    side = min(rect.w, rect.h, page.place.touch * 8 // 10)
    box = Rect(rect.x + (rect.w - side) // 2, rect.y + (rect.h - side) // 2, side, side)
    page.box(box, page.theme.cube, page.place.touch // 9)
    page.text(box.inset(3), str(value), page.place.em(0.5), page.theme.cube_ink, face="bold")
