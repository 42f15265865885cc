"""The tournament server: find it, join it by the code that the organizer shows, leave it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk.say import _, n_
from kiosk.sync.proof import ALPHABET, LONG, read_code, shown
from kiosk.ui.actions import FetchRunning, FindServers, JoinServer, LeaveServer, Open, Turn
from kiosk.ui.screens.base import Screen, sheet
from kiosk.ui.screens.keyboard import Form, Keyboard
from kiosk.ui.screens.link import link_words

if TYPE_CHECKING:
    from kiosk.ports import FoundServer
    from kiosk.ui.draw import Rect
    from kiosk.ui.page import Page
    from kiosk.ui.view import View

ADDRESS_LETTERS = "0123456789.:-abcdefghijklmnopqrstuvwxyz"
MOST = 4
"""So many servers are shown."""


@dataclass(frozen=True, slots=True)
class ServerPage(Form):
    """Which server?"""

    found: tuple[FoundServer, ...] | None = None
    """None: they are being looked for."""
    address: str = ""
    """As it was typed."""

    def written(self, field: str, text: str) -> Screen:
        """The typed address leads to its code."""
        del field
        address = "".join(text.split())
        return replace(self, address=address)

    def asks(self, field: str) -> str:
        """What is typed."""
        del field
        return _("Address of the server, as the organizer's page shows it")

    def letters(self, field: str) -> str:
        """What addresses are made of."""
        del field
        return ADDRESS_LETTERS

    def draw(self, page: Page, view: View) -> None:
        """Where it belongs, or what can be joined."""
        body, beside = sheet(page, view, _("Tournament server"))
        if view.link.joined:
            self._joined(page, body, beside, view)
            return
        cells = body.rows(MOST, page.place.gap)
        servers = () if self.found is None else self.found
        for one, cell in zip(servers[: MOST - 1], cells, strict=False):
            page.button(cell, one.name or one.address, Open(Code(one.address, one.name)), sub=one.address, size=0.46)
        if not servers:
            words = (
                _("Servers are being looked for.") if self.found is None else _("No server was found on this network. Type its address.")
            )
            rest = type(body)(body.x, body.y, body.w, cells[-1].y - body.y - page.place.gap)
            page.text(rest, words, page.place.em(0.46), page.theme.quiet, lines=3)
        if self.address:
            page.button(cells[-1], self.address, Open(Code(self.address, "")), sub=_("typed; touch to join it"), size=0.46)
        again, by_hand = beside.columns(2, page.place.gap)
        page.button(again, _("Look again"), FindServers())
        page.button(by_hand, _("Type the address"), Open(Keyboard(self, "address", self.address, shift=False)))

    def _joined(self, page: Page, body: Rect, beside: Rect, view: View) -> None:
        link = view.link
        lines = [
            (_("Event"), link.event or "–"),
            (_("Table"), link.table or view.table_name or "–"),
            (_("Address"), link.address or "–"),
            (_("Connection"), link_words(view)),
            (_("Trouble"), link.trouble or _("none")),
        ]
        for (what, figure), row in zip(lines, body.rows(max(len(lines), 6), 0), strict=False):
            head, rest = row.cut_left(row.w * 26 // 100, page.place.gap)
            page.text(head, what, page.place.em(0.38), page.theme.quiet, align="left")
            page.text(rest, figure, page.place.em(0.42), align="left", lines=2)
        over, leave = beside.columns(2, page.place.gap)
        busy = _("A match is going on at this table; suspend or end it first.") if view.in_match else None
        page.button(over, _("Take a running match over"), FetchRunning(), busy, size=0.38)
        why = None if view.official is not None else _("An official signs in first.")
        page.button(leave, _("Leave the server"), Open(AskLeave()), why, size=0.38)


@dataclass(frozen=True, slots=True)
class Code(Form):
    """Which code?"""

    address: str
    event: str
    code: str = ""
    replaces: bool = False

    def written(self, field: str, text: str) -> Code:
        """The code."""
        del field
        return replace(self, code=read_code(text) or text)

    def asks(self, field: str) -> str:
        """What is typed."""
        del field
        return _("Code, as the organizer's page shows it")

    def letters(self, field: str) -> str:
        """What codes are made of."""
        del field
        return ALPHABET

    def draw(self, page: Page, view: View) -> None:
        """The code, what this device is, and the button that joins."""
        body, beside = sheet(page, view, _("Join {event}", event=self.event or self.address))
        rows = body.rows(3, page.place.gap)
        field = shown(self.code) if read_code(self.code) else self.code
        typed = Open(Keyboard(self, "code", self.code, shift=True))
        page.button(rows[0], field or _("Type the code"), typed, sub=_("code; it is good for a short while"), size=0.6)
        page.choice(
            rows[1], _("A table of its own"), Turn(replace(self, replaces=False)), chosen=not self.replaces, sub=_("joins as a new device")
        )
        page.choice(
            rows[2],
            _("A spare device"),
            Turn(replace(self, replaces=True)),
            chosen=self.replaces,
            sub=_("takes the place of the one that failed, with its running match"),
        )
        why = None
        if read_code(self.code) is None:
            why = n_("A code has {n} or {more} letters.", "A code has {n} or {more} letters.", 8, more=LONG)
        page.button(beside, _("Join"), JoinServer(self.address, self.code, self.replaces), why, kind="go")


@dataclass(frozen=True, slots=True)
class AskLeave(Screen):
    """Leave the server?"""

    def stays(self, view: View) -> bool:
        """While an official is signed in at a table that belongs to one."""
        return view.official is not None and view.link.joined

    def draw(self, page: Page, view: View) -> None:
        """What that means, and the button."""
        body, beside = sheet(page, view, _("Leave the server?"))
        words = _("The table plays on by itself. What it has recorded stays here; {n} entries have not been sent.", n=view.link.unsynced)
        page.text(body, words, page.place.em(0.5), lines=6)
        page.button(beside, _("Leave it"), LeaveServer())
