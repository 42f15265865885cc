"""The desk's part for the hall: messages, the organizer's matches, and the tournament server."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, TypeVar, assert_never

from kiosk.domain.errors import CommandRefused, KioskError
from kiosk.domain.facts import CheckItem
from kiosk.domain.state import OVER, Phase
from kiosk.domain.types import Instant, Side, Span
from kiosk.ports import LinkState, NoUplink
from kiosk.say import _, refusal
from kiosk.session import commands as c
from kiosk.ui import actions as a
from kiosk.ui.saying import SayingDesk
from kiosk.ui.screens.checkin import CheckIn
from kiosk.ui.screens.desk_words import WholeMessage
from kiosk.ui.screens.official.take_over import AskTakeOver
from kiosk.ui.screens.server import Code, ServerPage

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.ports import FoundServer, Joined, Joining, Offer, Uplink
    from kiosk.session import Carried, Session
    from kiosk.ui.chronicle import Chronicle
    from kiosk.ui.screens.base import Screen

    Running = tuple[Carried, Span | None]
    """A running match that may be taken over, and how much time may have passed since its last entry."""

T = TypeVar("T")


class HallDesk(SayingDesk):
    """What a panel's controller does for the hall."""

    def __init__(self, session: Session, chronicle: Chronicle) -> None:
        """Belong to no hall."""
        super().__init__(session, chronicle)
        self.uplink: Uplink = NoUplink()
        """The connection to the tournament server."""
        self.offers: Callable[[], tuple[Offer, ...]] = lambda: ()
        """The organizer's matches that can be opened here."""
        self.joining: Joining | None = None
        """Joins a server, where that can be done from the screen."""
        self.fetch_running: Callable[[], Running] | None = None
        """Fetches the running match that this device is to take over."""
        self.waits: Carried | None = None
        """That match, once it is known: what its button names."""
        self._asked_for: tuple[str, Instant | None] | None = None
        self.squares: Callable[[str], tuple[tuple[bool, ...], ...]] = lambda _text: ()
        """A text as a QR code."""

    @property
    def link(self) -> LinkState:
        """How the connection stands."""
        return self.uplink.state()

    # ── What the desk has for it ─────────────────────────────────────────────
    @abstractmethod
    def _asks(self, ask: Callable[[], object], at: int) -> bool:
        """Ask the table for something; whether it was done."""

    @abstractmethod
    def _put(self, screen: Screen) -> None:
        """Put a screen in the place of the open one."""

    @abstractmethod
    def _have_done(self, work: Callable[[], T], answer: Callable[[T | KioskError, int], None], words: str, at: int) -> None:
        """Have something done beside the loop."""

    @abstractmethod
    def _quietly(self, work: Callable[[], T], answer: Callable[[T | KioskError, int], None], at: int) -> None:
        """Have something done beside the loop, of which nobody is told."""

    @abstractmethod
    def _new_on_the_table(self) -> None:
        """Another match is on the table."""

    @abstractmethod
    def _came_here(self, match: Carried) -> None:
        """A match from elsewhere is on the table."""

    # ── What is touched ──────────────────────────────────────────────────────
    def _act_in_hall(self, action: a.OfTheHall, at: int) -> None:
        match action:
            case a.ReadTold():
                self._read(action.n, at)
            case a.OpenOffer():
                self._open_offer(action, at)
            case a.FindServers():
                self._find(at)
            case a.JoinServer():
                self._join(action, at)
            case a.FetchRunning():
                self._fetch(at)
            case a.LeaveServer():
                self._leave(at)
            case a.TakeOver():
                self._take_over(action, at)
            case _:
                assert_never(action)

    def _read(self, n: int, at: int) -> None:
        message = next((one for one in self.session.table.hall.messages if one.n == n), None)
        whole = bool(self._open) and isinstance(self._open[-1], WholeMessage)
        if message is not None and not whole and WholeMessage.needed(message):
            self._open.append(WholeMessage(n))
        elif self._asks(lambda: self.session.command(c.ReadMessage(n), Instant(at)), at) and whole:
            self._open.pop()

    def _open_offer(self, action: a.OpenOffer, at: int) -> None:
        offer = next((one for one in self.offers() if (one.match, one.version) == (action.match, action.version)), None)
        if offer is None:
            self.say(_("The organizer has changed this match. Look, and confirm it once more."), at, "refused")
            return
        if action.late and (why := self._not_late(offer, at)):
            self.say(why, at, "refused")
            return
        if not self._asks(lambda: self.session.command(c.OpenMatch(offer.match, offer.setup, offer.place), Instant(at)), at):
            return
        for side, item in ((Side.LEFT, CheckItem.LEFT), (Side.RIGHT, CheckItem.RIGHT)):
            if side not in action.late:
                self.session.command(c.Check(item, done=True), Instant(at))
        self._new_on_the_table()
        if action.late:
            self._open.clear()
            self._asks(lambda: self.session.command(c.StartLate(action.late), Instant(at)), at)
        else:
            self._open[:] = [CheckIn()]

    def _not_late(self, offer: Offer, at: int) -> str:
        """Why nobody's time can be started at a match that is not open yet; empty where it can."""
        start = offer.setup.round_start
        if start is None or at < start:  # it was moved under the finger
            return _("The round has not begun; nobody is late yet.")
        return _("The hall is paused: no time runs now.") if self.session.table.hall.pause is not None else ""

    # ── The round's start ────────────────────────────────────────────────────
    def _round_starts(self) -> tuple[Instant, ...]:
        """When the rounds begin whose matches are to be begun here: the open match's, else those of what is offered."""
        table = self.session.table
        setups = [offer.setup for offer in self.offers()] if table.phase is None or table.phase in OVER else []
        if table.setup is not None and table.phase is Phase.OPENING and not table.games and not table.started:
            setups = [table.setup]
        return tuple(setup.round_start for setup in setups if setup.round_start is not None)

    def round_began(self, at: int) -> int:
        """When the last of them began by an instant: somebody is waited for since then. 0: none has."""
        return max((start for start in self._round_starts() if start <= at), default=0)

    def round_begins(self, at: int) -> int | None:
        """When the next of them begins after an instant; None: none will."""
        return min((start for start in self._round_starts() if start > at), default=None)

    # ── The server ───────────────────────────────────────────────────────────
    def _find(self, at: int) -> None:
        if self.joining is None:
            self.say(_("No server can be joined from here."), at, "refused")
            return
        if self._open and isinstance(self._open[-1], ServerPage):
            self._put(ServerPage())
        else:
            self._open.append(ServerPage())
        self._have_done(self.joining.find, self._found_servers, _("Looking …"), at)

    def _found_servers(self, found: tuple[FoundServer, ...] | KioskError, at: int) -> None:
        self._stale = True
        if isinstance(found, KioskError):
            self.say(str(found), at, "refused")
            found = ()
        if self._open and isinstance(self._open[-1], ServerPage):
            self._put(ServerPage(found))

    def _join(self, action: a.JoinServer, at: int) -> None:
        joining = self.joining
        if joining is None:
            self.say(_("No server can be joined from here."), at, "refused")
            return

        def join() -> Joined:
            return joining.join(action.address, action.code, replaces=action.replaces)

        self._have_done(join, self._joined, _("Joining …"), at)

    def _joined(self, joined: Joined | KioskError, at: int) -> None:
        self._stale = True
        if isinstance(joined, KioskError):
            self.say(_refusal(joined), at, "refused")
            return
        while self._open and isinstance(self._open[-1], Code | ServerPage):
            self._open.pop()
        if joined.takes_over:
            self._fetch(at)
        else:
            words = _("Joined: {event}, table {table}.", event=joined.event, table=joined.table)
            self.say(words, at)

    def look_what_waits(self, at: int) -> None:
        """Have the match fetched that waits to be taken over, once for each connection, so that people read whose it is.

        Args:
            at: Nanoseconds of the monotonic clock.
        """
        link = self.link
        if not link.takes_over:
            self.waits = self._asked_for = None
        elif link.connected and self.fetch_running is not None and self._asked_for != (link.takes_over, link.since):
            self._asked_for = (link.takes_over, link.since)
            self._quietly(self.fetch_running, self._known, at)

    def _known(self, found: Running | KioskError, _at: int) -> None:
        if not isinstance(found, KioskError):  # else its button names nobody, and tells why when it is touched
            self.waits, self._stale = found[0], True

    def _fetch(self, at: int) -> None:
        if self.fetch_running is None:
            self.say(_("No match can be taken over here."), at, "refused")
            return
        self._have_done(self.fetch_running, self._fetched, _("Fetching the match …"), at)

    def _fetched(self, found: Running | KioskError, at: int) -> None:
        self._stale = True
        if isinstance(found, KioskError):
            self.say(_refusal(found), at, "refused")
        else:
            self._open.append(AskTakeOver(*found))

    def _leave(self, at: int) -> None:
        if self.joining is None:
            self.say(_("No server can be left from here."), at, "refused")
            return
        self._have_done(self.joining.leave, self._left, _("Leaving …"), at)

    def _left(self, left: KioskError | None, at: int) -> None:
        self._stale = True
        if isinstance(left, KioskError):
            self.say(str(left), at, "refused")
            return
        self._open.clear()
        self.say(_("This table belongs to no server now. What it has recorded stays here."), at)

    def _take_over(self, action: a.TakeOver, at: int) -> None:
        doubt = None if action.uncertain is None else Span(action.uncertain)
        if not self._asks(lambda: self.session.take_over(action.match, doubt, Instant(at)), at):
            return
        self._came_here(action.match)
        self.say(_("Taken over. Check score, cube and both times, then resume."), at)


def _refusal(error: KioskError) -> str:
    return refusal(error) if isinstance(error, CommandRefused) else str(error)
