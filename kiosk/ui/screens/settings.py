"""This table: how it looks, and what it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.say import _
from kiosk.ui.actions import FindServers, Open, Prefer
from kiosk.ui.doctor import barred
from kiosk.ui.screens.base import Screen, sheet
from kiosk.ui.screens.doctor import Checkup
from kiosk.ui.screens.server import ServerPage
from kiosk.ui.screens.sounds import SoundPage
from kiosk.ui.screens.status import troubles
from kiosk.ui.view import SLEEPS

if TYPE_CHECKING:
    from kiosk.ui.draw import Rect
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


@dataclass(frozen=True, slots=True)
class Settings(Screen):
    """Settings of this table."""

    def draw(self, page: Page, view: View) -> None:
        """Each row a setting, each tile a value; below, what is right and what is not."""
        body, beside = sheet(page, view, _("This table"))
        prefs = view.prefs
        rows: list[tuple[str, list[tuple[str, Prefer, bool]]]] = [
            (
                _("Colours"),
                [
                    (_("Dark"), Prefer({"theme": "dark"}), prefs.theme == "dark"),
                    (_("Light"), Prefer({"theme": "light"}), prefs.theme == "light"),
                ],
            ),
            (
                _("Halves"),
                [
                    (_("All one way"), Prefer({"facing": False}), not prefs.facing),
                    (_("Towards the players"), Prefer({"facing": True}), prefs.facing),
                ],
            ),
            (_("Goes dark at rest"), [(_sleep_words(n), Prefer({"sleep": n}), prefs.sleep == n) for n in SLEEPS]),
        ]
        high = page.place.touch
        for label, values in rows:
            row, body = body.cut_top(high, page.place.gap)
            head, cells = row.cut_left(row.w * 26 // 100, page.place.gap)
            page.text(head, label, page.place.em(0.4), page.theme.quiet, align="left", lines=2)
            for (words, action, chosen), cell in zip(values, cells.columns(len(values), page.place.gap), strict=True):
                page.choice(cell, words, action, chosen=chosen, size=0.38)
        _about(page, body, view)
        _beside(page, beside, view)


def _beside(page: Page, rect: Rect, view: View) -> None:
    """Beside the way back: what has a page of its own; from two on there is no room for words."""
    pages: list[tuple[str, Open | FindServers, str, str | None]] = []
    if view.doctor is not None:
        pages.append((_("Check the box"), Open(Checkup()), "", barred(view)))
    if view.sounds:
        pages.append((_("Sounds"), Open(SoundPage()), _("quiet hall") if view.prefs.quiet else "", None))
    if view.can_join:
        go: Open | FindServers = Open(ServerPage()) if view.link.joined else FindServers()
        pages.append((_("Server"), go, _standing(view), None))
    cells = rect.columns(max(2, len(pages)), page.place.gap)[-len(pages) :] if pages else []
    for (label, action, sub, why), cell in zip(pages, cells, strict=True):
        page.button(cell, label, action, why, sub=sub)
    if len(pages) < 2:
        words = rect.columns(2, page.place.gap)[0] if pages else rect
        page.text(words, _("What is set here changes no match."), page.place.em(0.34), page.theme.quiet, lines=2)


def _standing(view: View) -> str:
    if not view.link.joined:
        return _("not joined")
    return _("connected") if view.link.connected else _("offline")


def _sleep_words(minutes: int) -> str:
    return _("after {n} min", n=minutes) if minutes else _("never")


def _about(page: Page, rect: Rect, view: View) -> None:
    lines = [*troubles(view), *view.about]
    high = page.place.em(0.5)
    for (what, figure), row in zip(lines, rect.rows(max(1, rect.h // high), 0), strict=False):
        head, rest = row.cut_left(row.w * 26 // 100, page.place.gap)
        page.text(head, _(what), page.place.em(0.34), page.theme.quiet, align="left")
        page.text(rest, figure, page.place.em(0.34), page.theme.ink, align="left")
