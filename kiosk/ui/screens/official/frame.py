"""The frame that all officials' screens share, and the page that asks before an act is done."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kiosk.say import _
from kiosk.session import Command
from kiosk.session import commands as c
from kiosk.ui.actions import Do, Open, Turn
from kiosk.ui.draw import Rect
from kiosk.ui.screens.base import Screen, sheet
from kiosk.ui.screens.keyboard import Form, Keyboard
from kiosk.words import OF_CUBES, OF_FORFEITS, OF_RESTARTS, OF_TIMES, OF_VOIDS, capital, role_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kiosk.ui.actions import Action
    from kiosk.ui.page import Page
    from kiosk.ui.view import View

OWN_REASONS: dict[type[Command], tuple[str, ...]] = {
    c.SetCube: OF_CUBES,
    c.RestartGame: OF_RESTARTS,
    c.Forfeit: OF_FORFEITS,
    c.Void: OF_VOIDS,
}
"""Those of acts that have nothing to do with the time."""


def official_sheet(page: Page, view: View, title: str, back: Action | None = None) -> tuple[Rect, Rect]:
    """A sheet in the officials' frame: its colour, and who is signed in.

    Returns:
        The rectangle for the screen's own things, and the one beside the button at the bottom.
    """
    body, beside = sheet(page, view, title, back, framed=view.official is not None)
    frame(page, view)
    return body, beside


def frame(page: Page, view: View) -> None:
    """The frame around a page, where an official is signed in."""
    if view.official is None:
        return
    t, thick = page.theme, max(3, page.place.touch // 20)
    for edge in page.rect.edges(thick):
        page.box(edge, t.referee)


def signed_in_words(view: View) -> str:
    """Who is signed in."""
    official = view.official
    return "" if official is None else _("{name}, {role}", name=official.name, role=role_words(official.role))


class OfficialScreen(Screen):
    """A screen that closes when nobody is signed in any more."""

    __slots__ = ()

    def stays(self, view: View) -> bool:
        """As long as an official is signed in."""
        return view.official is not None


def grid(rect: Rect, count: int, lines: int, gap: int) -> list[Rect]:
    """Cells for so many things on so many lines, row by row; on the last one they are as wide as there is room for."""
    across = -(-count // lines)
    return [cell for number, line in enumerate(rect.rows(lines, gap)) for cell in line.columns(min(across, count - number * across), gap)]


def weighted(rect: Rect, labels: Sequence[str], lines: int, gap: int, least: int) -> list[Rect]:
    """Cells on so many lines, each as wide as its longest word needs; none narrower than `least` pixels."""
    across = -(-len(labels) // lines)
    parts = [labels[start : start + across] for start in range(0, len(labels), across)]
    return [cell for part, line in zip(parts, rect.rows(lines, gap), strict=True) for cell in _weighted(line, part, gap, least)]


def _weighted(rect: Rect, labels: Sequence[str], gap: int, least: int) -> list[Rect]:
    longest = [max(map(len, label.split())) + 3 for label in labels]
    room = rect.w - gap * (len(labels) - 1) - least * len(labels)
    cells, x = [], rect.x
    for place, need in enumerate(longest):
        wide = least + room * need // sum(longest) if place < len(longest) - 1 else rect.right - x
        cells.append(Rect(x, rect.y, wide, rect.h))
        x += wide + gap
    return cells


def tiles(page: Page, body: Rect, entries: list[tuple[str, Action, str | None]], columns: int = 3) -> None:
    """Large buttons in a grid."""
    columns = min(columns, 2) if page.place.portrait else columns
    rows = max(1, -(-len(entries) // columns))
    cells = [cell for row in body.rows(rows, page.place.gap) for cell in row.columns(columns, page.place.gap)]
    for (label, action, why), cell in zip(entries, cells, strict=False):
        page.button(cell, label, action, why)


@dataclass(frozen=True, slots=True)
class AskAct(OfficialScreen, Form):
    """Do it? What was, and what will be."""

    title: str
    """In the language spoken when it was asked."""
    before: str
    after: str
    command: Command
    """Its reason is filled in from `reason`, where it has one."""
    reason: str | None = None
    """None: no reason is asked for."""
    said: str = ""

    @property
    def keeps(self) -> bool:
        """The desk goes back to what lies beneath."""
        return False

    @property
    def reasons(self) -> tuple[str, ...]:
        """Those that are a touch away."""
        return OWN_REASONS.get(type(self.command), OF_TIMES)

    def written(self, field: str, text: str) -> AskAct:
        """The reason."""
        del field
        return replace(self, reason=text)

    def asks(self, field: str) -> str:
        """Why."""
        del field
        return _("Reason; it stays on record")

    def draw(self, page: Page, view: View) -> None:
        """Before and after side by side, reasons, and the button that does it."""
        body, beside = official_sheet(page, view, self.title)
        if self.reason is not None:
            lines = 2 if page.place.portrait else 1
            reasons, body = body.cut_bottom(page.place.touch * lines + page.place.gap * (lines - 1), page.place.gap)
            self._reasons(page, grid(reasons, len(self.reasons) + 1, lines, page.place.gap))
        halves = body.rows(2, page.place.gap) if page.place.portrait else body.columns(2, page.place.gap)
        for label, words, cell in ((_("now"), self.before, halves[0]), (_("then"), self.after, halves[1])):
            page.box(cell, page.theme.panel, page.place.touch // 6)
            line, rest = cell.inset(page.place.gap).cut_top(page.place.em(0.5), 2)
            page.text(line, label, page.place.em(0.38), page.theme.quiet)
            page.text(rest, words, page.place.em(0.62), face="bold", lines=4)
        plain: Any = self.command
        command: Command = plain if self.reason is None else replace(plain, reason=self.reason)
        why = _("Choose a reason first.") if self.reason == "" else view.why_not(command)
        page.button(beside, _("Do it"), Do(command, self.said or _("Done; Undo takes it back.")), why, kind="go", sub=signed_in_words(view))

    def _reasons(self, page: Page, cells: list[Rect]) -> None:
        own = self.reason if self.reason and self.reason not in self.reasons else None
        for reason, cell in zip(self.reasons, cells, strict=False):
            page.choice(cell, capital(_(reason)), Turn(replace(self, reason=reason)), chosen=self.reason == reason, size=0.34)
        page.choice(cells[-1], own or _("Other reason"), Open(Keyboard(self, "reason", own or "")), chosen=own is not None, size=0.34)
