"""The desk's part for badges: an official signs in with one, or is given one; a player checks in with his.

A badge says nothing but its number, so what it means follows from who has it and what is open:

| whose | what happens |
|---|---|
| an official's | he is signed in, in the place of whoever was; what he does next is his own |
| nobody's, and an official is signed in | he is asked whether it is to be his |
| nobody's, on the check-in list | it is a player's: whose is asked once, and remembered until this table is switched off |
| nobody's, anywhere else | a wrong one: the fifth locks for a minute, PINs as well |

While that lock lasts no badge is looked up. Decision: a badge that is presented wakes a dark panel *and* acts, for nobody holds one there
by accident. On the check-in list two badges are taken for the players'; a third that is nobody's is a wrong one.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from typing import TYPE_CHECKING

from kiosk.domain.errors import CommandRefused, KioskError
from kiosk.domain.facts import CheckItem
from kiosk.domain.officials import badge_secret
from kiosk.domain.types import SIDES, Instant, Side
from kiosk.say import _, refusal
from kiosk.session import commands as c
from kiosk.ui.hall import HallDesk
from kiosk.ui.screens.badge import GiveBadge, WhoseBadge
from kiosk.ui.screens.checkin import CheckIn
from kiosk.ui.screens.official.desk import Officials
from kiosk.ui.screens.official.frame import OfficialScreen
from kiosk.ui.screens.official.signin import SignPad

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.domain.officials import Official
    from kiosk.ports import Roster
    from kiosk.session import Session
    from kiosk.ui.chronicle import Chronicle

    Answer = Callable[[Official | KioskError | None, int], None]
    """Told whose secret it was, or why nobody can say, and when."""

SEAT_OF = {Side.LEFT: CheckItem.LEFT, Side.RIGHT: CheckItem.RIGHT}
"""What a player's badge ticks."""


class BadgeDesk(HallDesk):
    """What a panel's controller does with badges."""

    watching: bool
    roster: Roster | None
    look_up: Callable[[str, Answer], None]
    _looking: bool

    def __init__(self, session: Session, chronicle: Chronicle) -> None:
        """No badge has been presented yet."""
        super().__init__(session, chronicle)
        self.give_badge: Callable[[str, str], object] | None = None
        """Makes a badge an official's, by name and number; may take long. None: badges are not given here."""
        self._players: dict[str, str] = {}
        """Which player has shown which badge since this table was switched on."""

    @abstractmethod
    def _wakes(self, at: int) -> bool:
        """Note that somebody is here."""

    @abstractmethod
    def _nobody(self) -> bool:
        """Whether nobody is entered who could sign in."""

    @abstractmethod
    def _leave_pad(self) -> None:
        """Go from the number pad to where who signs in wanted to go."""

    def present(self, number: str, at: int) -> None:
        """A badge was held to the reader.

        Args:
            number: As the reader tells it.
            at: Nanoseconds of the monotonic clock.
        """
        self._wakes(at)
        self._stale = True
        if self.roster is None or self.watching:
            self.say(_("Nobody can sign in here."), at, "refused")
            return
        if self._may_look_up(_("The one before is still being looked up; hold the badge there again."), at):
            self._have_looked_up(badge_secret(number), partial(self._whose, number), at)

    def _may_look_up(self, busy: str, at: int) -> bool:
        """Whether somebody can be looked up now: not while that is locked, nor while another is being looked up; why not is said."""
        locked = self.session.why_not(c.SignIn(None), Instant(at))
        if locked is not None:
            self.say(refusal(locked), at, "refused")
        elif self._looking:
            self.say(busy, at)
        return locked is None and not self._looking

    def _have_looked_up(self, secret: str, found: Answer, at: int) -> None:
        """Look a PIN or a badge up; what takes long is said."""
        self._looking = True
        self.look_up(secret, found)
        if self._looking:
            self.say(_("Looking it up …"), at)

    def _whose(self, number: str, found: Official | KioskError | None, at: int) -> None:
        """It is known whose badge it was."""
        self._looking, self._said, self._stale = False, None, True
        here = self.session.table.official
        if isinstance(found, KioskError):
            self.say(str(found), at, "refused")
        elif found is not None:
            self._came(found, at)
        elif here is not None and self.give_badge is not None:
            self._open.append(GiveBadge(here.official, number))
        elif here is None and self._checking_in() and (number in self._players or len(self._players_here()) < len(SIDES)):
            self._player_came(number, at)
        elif self._asks(lambda: self.session.command(c.SignIn(None), Instant(at)), at):
            self.say(_("This badge is nobody's."), at, "refused")

    # ── Officials ────────────────────────────────────────────────────────────
    def _came(self, official: Official, at: int) -> None:
        here = self.session.table.official
        if here is None or here.official != official:
            if not self._asks(lambda: self.session.command(c.SignIn(official), Instant(at)), at):
                return
            top = self._open[-1] if self._open else None
            if isinstance(top, SignPad):
                self._leave_pad()
            elif not isinstance(top, OfficialScreen):
                self._open.append(Officials())
        self.say(_("{name} is signed in.", name=official.name), at)

    def _give(self, official: Official, number: str, at: int) -> None:
        give = self.give_badge
        if give is None:
            self.say(_("No badge can be given here."), at, "refused")
            return
        self._open.pop()
        self._have_done(partial(give, official.name, number), partial(self._given, official.name), _("Saving …"), at)

    def _given(self, name: str, done: object, at: int) -> None:
        if isinstance(done, KioskError):
            self.say(refusal(done) if isinstance(done, CommandRefused) else str(done), at, "refused")
        else:
            self.say(_("This badge is {name}'s now.", name=name), at)

    # ── Players ──────────────────────────────────────────────────────────────
    def _checking_in(self) -> bool:
        return bool(self._open) and isinstance(self._open[-1], CheckIn)

    def _seated(self) -> dict[str, Side]:
        setup = self.session.table.setup
        return {} if setup is None else {name: side for side in SIDES for name in setup.players[side]}

    def _players_here(self) -> list[str]:
        """Those at this table whose badge is known."""
        seated = self._seated()
        return [name for name in self._players.values() if name in seated]

    def _player_came(self, number: str, at: int) -> None:
        side = self._seated().get(self._players.get(number, ""))
        if side is None:
            self._open.append(WhoseBadge(number))
        else:
            self._check_in(number, self._players[number], at)

    def _check_in(self, number: str, name: str, at: int) -> None:
        """This is a player's badge, and he is here."""
        seat = SEAT_OF[self._seated()[name]]
        ticked = seat in self.session.table.checked
        if not ticked and not self._asks(lambda: self.session.command(c.Check(seat, done=True), Instant(at)), at):
            return
        self._players = {other: whose for other, whose in self._players.items() if whose != name} | {number: name}
        if self._open and isinstance(self._open[-1], WhoseBadge):
            self._open.pop()
        self.say(_("{name} is here.", name=name), at)
