"""The desk's part for PINs: whoever gives his at the pad is signed in, and the first official is entered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.domain.errors import KioskError
from kiosk.domain.types import Instant
from kiosk.say import _
from kiosk.session import commands as c
from kiosk.ui.badge import BadgeDesk
from kiosk.ui.screens.official.desk import Officials
from kiosk.ui.screens.official.signin import SignPad, refused_pin
from kiosk.ui.screens.official.take_over import AskTakeOver

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.domain.officials import Official
    from kiosk.ports import Roster
    from kiosk.session import Session
    from kiosk.ui.badge import Answer
    from kiosk.ui.chronicle import Chronicle


class PinDesk(BadgeDesk):
    """What a panel's controller does with PINs."""

    def __init__(self, session: Session, chronicle: Chronicle) -> None:
        """Nobody has given one."""
        super().__init__(session, chronicle)
        self.roster: Roster | None = None
        """Who can sign in."""
        self.look_up: Callable[[str, Answer], None] = self._look_up_here
        """Finds out whose PIN it is and answers, later where that takes long."""
        self.on_first_pin: Callable[[str], str] = lambda _pin: ""
        """Enters the chief referee with a PIN; answers why not, or nothing."""
        self._looking = False

    def _nobody(self) -> bool:
        try:
            return self.roster is not None and not self.roster.officials()
        except KioskError:
            return False  # who is known cannot be read: that is no first start

    def _enter(self, pin: str, at: int) -> None:
        """Look a PIN up and sign in; while the pad is locked none is looked up."""
        if self.roster is None or self.watching:
            self.say(_("Nobody can sign in here."), at, "refused")
            return
        if self._nobody():
            refused = refused_pin(pin)
            if refused is None:
                self._put(SignPad("", pin))
            else:
                self.say(refused, at, "refused")
            return
        if self._may_look_up(_("The PIN before is still being looked up."), at):
            self._put(SignPad())
            self._have_looked_up(pin, self._found, at)

    def _look_up_here(self, pin: str, answer: Answer) -> None:
        """At once, and on this thread: for a roster that needs no time."""
        found: Official | KioskError | None
        try:
            found = None if self.roster is None else self.roster.find(pin)
        except KioskError as error:
            found = error
        answer(found, self.rest.touched_at)

    def _found(self, found: Official | KioskError | None, at: int) -> None:
        """It is known whose PIN it was. Who has left the pad meanwhile signs in nowhere; a wrong one counts all the same."""
        self._looking, self._said = False, None
        waits = bool(self._open) and isinstance(self._open[-1], SignPad)
        if isinstance(found, KioskError):
            self.say(str(found), at, "refused")
            return
        if found is None or waits:
            self.session.command(c.SignIn(found), Instant(at))
        if found is None:
            self.say(_("This PIN is nobody's."), at, "refused")
        elif waits:
            self._stale = True
            self._leave_pad()

    def _leave_pad(self) -> None:
        """Go from the number pad to where who signs in wanted to go."""
        if len(self._open) > 1 and isinstance(self._open[-2], AskTakeOver):
            self._open.pop()
        else:
            self._put(Officials())

    def _admit(self, pin: str, at: int) -> None:
        """Enter the first official: no PIN exists until somebody has chosen one."""
        refused = self.on_first_pin(pin)
        if refused:
            self.say(refused, at, "refused")
            self._put(SignPad())
            return
        self.say(_("The chief referee is entered. Sign in now."), at)
        self._put(SignPad())
