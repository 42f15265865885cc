"""The desk's part for errands: what a stick or a printer does beside the loop, and suspended matches that come from one."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

from kiosk.domain.errors import CommandRefused, KioskError
from kiosk.domain.state import Phase
from kiosk.domain.types import Instant
from kiosk.say import _, refusal
from kiosk.ui.beside import at_once
from kiosk.ui.pins import PinDesk
from kiosk.ui.screens.official.adjourned import ChooseAdjourned

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.session import Carried, Session
    from kiosk.ui.beside import Beside, Shelf
    from kiosk.ui.chronicle import Chronicle

T = TypeVar("T")


class ErrandDesk(PinDesk):
    """What a panel's controller has done beside the loop."""

    _about_game: tuple[str | None, int] | None

    def __init__(self, session: Session, chronicle: Chronicle) -> None:
        """Nothing is being done."""
        super().__init__(session, chronicle)
        self.on_taken_up: Callable[[Carried], None] = lambda _match: None
        """Told of a suspended match that was taken up."""
        self.shelf: Shelf | None = None
        """Where suspended matches are found and saved."""
        self.save_sheet: Callable[[], str] | None = None
        """Saves the score sheet on a stick, and answers what was saved where; may take as long as a stick does."""
        self.print_sheet: Callable[[], object] | None = None
        """Hands the receipt to the printer; takes long. None: there is no printer."""
        self.beside: Beside = at_once
        """Does what may take long, and hands its outcome on; a running table does it beside its loop."""
        self._busy = False
        """A stick is being read or written."""

    def _which(self) -> tuple[str | None, int]:
        """Which game of which match is on the table."""
        return self.session.table.match, self.session.table.game

    def _seek(self, at: int) -> None:
        """Look for them, and show them when they are found."""
        if self.shelf is None or self.watching:
            self.say(_("No suspended match can be taken up here."), at, "refused")
            return
        self._have_done(self.shelf.found, self._show_adjourned, _("Looking …"), at)

    def _have_done(self, work: Callable[[], T], answer: Callable[[T | KioskError, int], None], words: str, at: int) -> None:
        """Have done beside the loop what may take as long as a stick does, one thing after the other."""
        if self._busy:
            self.say(_("The stick is still being read or written."), at, "refused")
            return

        def done(came: T | KioskError, then: int) -> None:
            self._busy = False
            answer(came, then)

        self._busy = True
        self.say(words, at)
        self.beside(work, done, at)

    def _quietly(self, work: Callable[[], T], answer: Callable[[T | KioskError, int], None], at: int) -> None:
        """Have done beside the loop what nobody asked for."""
        self.beside(work, answer, at)

    def _show_adjourned(self, found: tuple[list[Carried], list[str]] | KioskError, at: int) -> None:
        self._said = None
        if isinstance(found, KioskError):
            self.say(str(found), at, "refused")
            return
        matches, wrong = found
        if wrong:
            self.say(" ".join(wrong), at, "refused")
        if self.session.table.official is None:
            return  # he was signed out meanwhile
        current = self.session.table.match if self.session.table.phase is Phase.SUSPENDED else None
        screen = ChooseAdjourned(tuple(match for match in matches if match.match != current))
        if self._open and isinstance(self._open[-1], ChooseAdjourned):
            self._open[-1] = screen
        else:
            self._open.append(screen)
        self._stale = True

    def _take_up(self, match: Carried, at: int) -> None:
        if not self._asks(lambda: self.session.take_up(match, Instant(at)), at):
            return
        self._came_here(match)
        self.say(_("Taken up as it was suspended. Resume it when both are seated."), at)

    def _came_here(self, match: Carried) -> None:
        self.on_taken_up(match)
        self._open.clear()
        self._seen = set(self.session.table.alerts)
        self._about_game = self._which()

    def _hand_over(self, at: int) -> None:
        if self.shelf is None or self.watching:
            self.say(_("No suspended match can be saved here."), at, "refused")
            return
        match = self.session.table.match or ""
        self._have_done(partial(self.shelf.hand_over, match), self._handed_over, _("Saving …"), at)

    def _save_sheet(self, at: int) -> None:
        if self.save_sheet is None or self.watching:
            self.say(_("No sheet can be saved here."), at, "refused")
            return
        self._have_done(self.save_sheet, self._handed_over, _("Saving …"), at)

    def _print_sheet(self, at: int) -> None:
        if self.print_sheet is None or self.watching:
            self.say(_("No receipt can be printed here."), at, "refused")
            return
        self._have_done(self.print_sheet, self._on_paper, _("Printing …"), at)

    def _on_paper(self, done: object, at: int) -> None:
        """It is the printer's now, which says itself when it is done, or what is wrong."""
        if isinstance(done, KioskError):
            self.say(refusal(done) if isinstance(done, CommandRefused) else str(done), at, "refused")
        elif self.health.devices:
            self.say(self.health.devices, at, "refused")
        else:
            self.say(_("Printing …"), at)

    def _handed_over(self, saved: str | KioskError, at: int) -> None:
        if isinstance(saved, KioskError):
            self.say(refusal(saved) if isinstance(saved, CommandRefused) else str(saved), at, "refused")
        else:
            self.say(_("Saved: {file}. The stick can be pulled out.", file=saved), at)
