"""Sign-in: a number pad. Where nobody is entered yet, the same pad asks for the first official's PIN."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kiosk.domain.errors import CommandRefused
from kiosk.domain.officials import LONGEST_PIN, SHORTEST_PIN, check_pin
from kiosk.domain.types import NS_PER_S
from kiosk.say import _, n_, refusal
from kiosk.ui.actions import Admit, Enter, Explain, Turn
from kiosk.ui.draw import Rect
from kiosk.ui.screens.base import Screen, sheet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.ui.actions import Action
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


def _short() -> str:
    return _("A PIN has {n} digits or more.", n=SHORTEST_PIN)


def refused_pin(pin: str) -> str | None:
    """Why a new PIN cannot be used, or None where it can; whether somebody has it is asked when it is entered."""
    try:
        check_pin(pin)
    except CommandRefused as refused:
        return refusal(refused)
    return None


def _differs() -> str:
    return _("That is not the same PIN; go back and begin anew.")


@dataclass(frozen=True, slots=True)
class SignPad(Screen):
    """Who are you?"""

    pin: str = field(default="", repr=False)
    first: str | None = field(default=None, repr=False)
    """Where the first official is entered: what was typed the first time."""

    def stays(self, view: View) -> bool:
        """Until somebody is signed in."""
        return view.official is None

    def typed(self, text: str) -> SignPad:
        """Digits from a real keyboard."""
        if text == "\b":
            return replace(self, pin=self.pin[:-1])
        return replace(self, pin=(self.pin + "".join(ch for ch in text if ch in "0123456789"))[:LONGEST_PIN])

    def entered(self) -> Action | None:
        """The Enter key: the same as the button; where nobody is entered yet, the desk asks for the PIN once more."""
        if len(self.pin) < SHORTEST_PIN:
            return Explain(_short())
        if self.first is None:
            return Enter(self.pin)
        return Admit(self.pin) if self.pin == self.first else Explain(_differs())

    def changes(self, view: View) -> Iterator[int]:
        """Each second of the wait after five wrong PINs."""
        until = view.shot.table.lockout.locked_until(view.shot.at)
        if until is not None:
            yield view.shot.at + ((until - view.shot.at) % NS_PER_S or NS_PER_S)

    def draw(self, page: Page, view: View) -> None:
        """Dots for what was typed, and a pad."""
        fresh = view.no_officials
        title = _("Choose the chief referee's PIN") if fresh else _("Official: PIN")
        body, beside = sheet(page, view, title)
        left, pad = (
            body.cut_left(body.w * 40 // 100, page.place.gap * 2) if not page.place.portrait else body.cut_top(body.h // 3, page.place.gap)
        )
        self._dots(page, left, view, fresh=fresh)
        self._pad(page, pad)
        short = _short() if len(self.pin) < SHORTEST_PIN else None
        if not fresh:
            page.button(beside, _("Sign in"), Enter(self.pin), short, kind="go")
        elif self.first is None:
            page.button(beside, _("Next: the same again"), Turn(SignPad("", self.pin)), short or refused_pin(self.pin), kind="go")
        else:
            differs = _differs() if self.pin != self.first else None
            page.button(beside, _("Enter the chief referee"), Admit(self.pin), short or differs, kind="go")

    def _dots(self, page: Page, rect: Rect, view: View, *, fresh: bool) -> None:
        line, words = rect.cut_top(rect.h // 2, page.place.gap)
        page.box(line, page.theme.panel, page.place.touch // 6)
        r = page.place.touch // 9
        for i in range(len(self.pin)):
            page.disc(line.x + line.w * (i + 1) // (LONGEST_PIN + 1), line.y + line.h // 2, r, page.theme.ink)
        lockout = view.shot.table.lockout
        wrong = lockout.count or lockout.locked_until(view.shot.at) is not None
        ink = page.theme.ink if wrong else page.theme.quiet
        page.text(words.inset(0, 2), self._words(view, fresh=fresh), page.place.em(0.38), ink, align="left", lines=4)

    def _words(self, view: View, *, fresh: bool) -> str:
        if fresh:
            return (
                _("Nobody is entered yet. Others are added with `kiosk officials add`.")
                if self.first is None
                else _("Once more, to be sure.")
            )
        lockout = view.shot.table.lockout
        until = lockout.locked_until(view.shot.at)
        if until is not None:
            return _("Five wrong PINs: wait {n} s.", n=-(-(until - view.shot.at) // NS_PER_S))
        if lockout.count:
            return n_("Wrong PIN. {n} more try.", "Wrong PIN. {n} more tries.", lockout.tries_left())
        return _("A minute without a touch signs out.")

    def _pad(self, page: Page, rect: Rect) -> None:
        keys = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "", "0", "\b")
        cells = [cell for row in rect.rows(4, page.place.gap) for cell in row.columns(3, page.place.gap)]
        full = _("A PIN has at most {n} digits.", n=LONGEST_PIN) if len(self.pin) >= LONGEST_PIN else None
        for key, cell in zip(keys, cells, strict=True):
            if key == "\b":
                page.button(cell, "", Turn(self.typed(key)), None if self.pin else _("Nothing has been typed yet."), sign="delete")
            elif key:
                page.button(cell, key, Turn(self.typed(key)), full, size=0.6)
