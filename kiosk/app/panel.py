"""The panel of a running table: window, desk and chronicle as one part of the loop."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache, partial
from queue import SimpleQueue
from typing import TYPE_CHECKING, TypeVar
from uuid import uuid4

from kiosk import __version__, codec, say
from kiosk.app import preferences
from kiosk.app.logs import log
from kiosk.app.roster import FileRoster
from kiosk.app.spare import fetch_running
from kiosk.domain.card import for_rulebook
from kiosk.domain.errors import CommandRefused, KioskError, RosterError
from kiosk.domain.facts import ChouetteOpened, MatchOpened
from kiosk.domain.officials import Official, Role
from kiosk.domain.types import NS_PER_MS, Pair, Side
from kiosk.say import _
from kiosk.ui.chronicle import Chronicle
from kiosk.ui.desk import Desk
from kiosk.ui.view import Happened, Health, Preferences
from kiosk.ui.window import Window

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from hardware import SimulatedBox
    from kiosk.app.config import Config
    from kiosk.app.doctor.bedside import Bedside
    from kiosk.app.hall import Hall
    from kiosk.app.hall_roster import JoinedRoster
    from kiosk.app.signals import Signals
    from kiosk.books import Library
    from kiosk.domain.card import CardEntry
    from kiosk.domain.rulebook import Rulebook
    from kiosk.ports import JournalState, Row
    from kiosk.session import Session
    from kiosk.ui.badge import Answer
    from kiosk.ui.screens.base import Screen

T = TypeVar("T")

POLL_RUNNING_NS = 8 * NS_PER_MS
"""How often the window's events are looked for while a clock runs: a key that is a clock button waits no longer."""

POLL_RESTING_NS = 20 * NS_PER_MS
POLL_DARK_NS = 40 * NS_PER_MS


def books(library: Library) -> Mapping[str, Rulebook]:
    """Every regulation that can be had; one that is wrong is said in the log and left out."""
    found: dict[str, Rulebook] = {}
    for name in library.names():
        try:
            found[name] = library.load(name)
        except Exception as fault:  # noqa: BLE001 - a wrong file of the organizer's keeps no table from its match
            log.error("Rulebook %s is left out: %s", name, fault)
    return found


def remembered(rows: Iterable[Row]) -> list[Happened]:
    """The last match as the journal has it, each entry with its time of day where that is trusted."""
    found: list[Happened] = []
    for row in reversed(list(rows)):
        fact = codec.decode(row.type, row.data)
        if isinstance(fact, codec.UnknownFact):
            continue
        found.append(Happened(fact, clock_time(row.wall_ns) if row.wall_trusted else ""))
        if isinstance(fact, MatchOpened | ChouetteOpened):
            break
    return found[::-1]


def clock_time(wall_ns: int) -> str:
    """A date as the time of day at this table."""
    return time.strftime("%H:%M", time.localtime(wall_ns / 1e9))


def on_fault(where: str, fault: Exception) -> None:
    """A part of the screen failed: the log keeps where."""
    log.error("The screen failed at %s; the clock goes on. %r", where, fault, exc_info=fault)


class Panel:
    """A window with a desk, turned by the loop."""

    def __init__(self, window: Window, desk: Desk, chronicle: Chronicle, box: SimulatedBox | None) -> None:
        """Put the parts together.

        Args:
            window: Where it is shown.
            desk: What is shown.
            chronicle: Tells whether anything has happened.
            box: The simulated buttons, or None on real ones.
        """
        self.window = window
        self.desk = desk
        self._chronicle = chronicle
        self._box = box
        self._shown: tuple[object, ...] = ()
        self._changed = True
        self._hall: Hall | None = None
        self._pool = ThreadPoolExecutor(1, "pin")
        self._slow = ThreadPoolExecutor(1, "stick")
        self._answers: SimpleQueue[Callable[[int], None]] = SimpleQueue()
        self.device_fault: Callable[[], str] = lambda: ""
        """Why a badge reader or a printer does not work."""
        desk.on_fault = on_fault
        if box is not None:
            desk.press = self.contact

    def offer(self, *, leave: Callable[[], None] | None, watch: Callable[[], None] | None, stop: Callable[[], None]) -> None:
        """What the desk may do besides the table's work.

        Args:
            leave: Closes the window; None where it cannot be closed.
            watch: Lets the sample match be played once this table has stopped; None where there is none.
            stop: Stops this table.
        """
        self.desk.on_leave = leave
        if watch is not None:

            def go() -> None:
                watch()
                stop()

            self.desk.on_watch = go

    def work_beside(self, wake: Callable[[], None]) -> None:
        """Let what may take long, a stick for one, be done beside the loop.

        Args:
            wake: Wakes the loop when it is done.
        """

        def beside(work: Callable[[], T], answer: Callable[[T | KioskError, int], None], at: int) -> None:
            del at
            self._do(self._slow, work, answer, wake)

        self.desk.beside = beside

    def join_hall(self, hall: Hall, config: Config, date: Callable[[], tuple[int, bool]]) -> None:
        """Show what comes from the hall: the connection, the organizer's matches; and let a server be joined.

        Args:
            hall: What this table has of it.
            config: The table's configuration.
            date: The system's date, and whether it was set.
        """
        from kiosk.app.joining import Join

        desk, joining, self._hall = self.desk, Join(config.data, config.table), hall
        desk.uplink = hall.link
        desk.offers = lambda: hall.offers.all(hall.desk.table)
        desk.joining = joining
        desk.fetch_running = partial(fetch_running, joining, date)
        desk.squares = _squares
        hall.on_named = desk.rename

    def see_doctor(self, doctor: Bedside) -> None:
        """Let the box be looked at from the screen."""
        self.desk.doctor = doctor
        doctor.shows = self.desk.shows

    def let_hear(self, working: Signals, lit: Callable[[], Pair[bool] | None]) -> None:
        """Show simulated lamps, and let a volume be heard when it is chosen.

        Args:
            working: Lamps and sounder.
            lit: Which simulated lamp is lit; None where they are real or missing.
        """
        desk = self.desk
        desk.lamps, desk.sounds, keep = lit, working.can_be_heard, desk.on_prefer
        heard = desk.prefs.volumes

        def prefer(changed: Preferences) -> None:
            nonlocal heard
            keep(changed)
            before, heard = heard, changed.volumes
            working.sample(before, heard, time.monotonic_ns())

        desk.on_prefer = prefer

    def ask(self, roster: JoinedRoster, wake: Callable[[], None]) -> None:
        """Let PINs be looked up beside the loop: stretching one takes a tenth of a second, on a small Pi a whole one.

        Args:
            roster: Who can sign in.
            wake: Wakes the loop when the answer is there.
        """

        def look_up(pin: str, answer: Answer) -> None:
            try:
                find = roster.finder(pin)
            except KioskError as error:
                answer(error, time.monotonic_ns())
            else:
                self._do(self._pool, find, answer, wake)

        self.desk.look_up = look_up

    def _do(
        self, pool: ThreadPoolExecutor, work: Callable[[], T], answer: Callable[[T | KioskError, int], None], wake: Callable[[], None]
    ) -> None:
        """Do something on another thread; what came of it is told on this one, at the loop's next turn."""

        def do() -> None:
            done: T | KioskError
            try:
                done = work()
            except KioskError as error:
                done = error
            except Exception as error:  # noqa: BLE001 - a fault there must be told here
                done = KioskError(_("This could not be done ({name}: {error}).", name=type(error).__name__, error=error))
            self._answers.put(lambda now: answer(done, now))
            wake()

        pool.submit(do)

    def badges(self, officials: Path) -> None:
        """Let whoever is signed in take a badge that is nobody's.

        Args:
            officials: The file of those who are entered here.
        """

        def give(name: str, number: str) -> Official:
            try:
                return FileRoster(officials).give_badge(name, number)
            except RosterError as error:
                words = _(
                    "{name} is entered at the tournament server: let the badge be entered there. Its number is {number}.",
                    name=name,
                    number=number,
                )
                raise RosterError(words) from error

        self.desk.give_badge = give

    def prints(self, receipt: Callable[[], bytes], hand: Callable[[bytes], None]) -> None:
        """Let receipts be printed.

        Args:
            receipt: The receipt of the match on the screen, as dots; takes long.
            hand: Takes it to the printer, which prints it beside everything else.
        """
        self.desk.print_sheet = lambda: hand(receipt())

    def printed(self, low: bool, now: int) -> None:  # noqa: FBT001 - as the devices tell it
        """A receipt came out; the roll may be nearly at its end."""
        self.desk.say(_("The receipt is printed; the roll is nearly at its end.") if low else _("The receipt is printed."), now)
        self._changed = True

    def present(self, number: str, now: int) -> None:
        """A badge was held to the reader."""
        self.desk.present(number, now)
        self._changed = True

    def close(self) -> None:
        """Let nothing run on."""
        self._pool.shutdown(cancel_futures=True)
        self._slow.shutdown(wait=False, cancel_futures=True)  # a stick that hangs holds up nobody

    def hear(self, now: int) -> None:
        """Hand on what was looked up."""
        while not self._answers.empty():
            self._answers.get_nowait()(now)
            self._changed = True

    def contact(self, side: Side, closed: bool, at: int) -> None:  # noqa: FBT001 - a level is a truth value
        """Close or open a simulated button."""
        if self._box is not None:
            self._box.drive("left" if side is Side.LEFT else "right", closed, at)

    def take(self, now: int) -> bool:
        """Hand what was touched and typed to the desk.

        Returns:
            False when the window was closed.
        """
        wanted, changed = self.window.take_events(self.desk, now, self.contact if self._box is not None else None)
        self._changed |= changed
        return wanted

    def show(self, now: int, journal: JournalState, health: Health) -> None:
        """Paint if anything looks different."""
        health = replace(health, screen=health.screen or self.desk.health.screen, devices=self.device_fault())
        self.desk.health = health
        self.desk.look_what_waits(now)
        doctor = 0 if self.desk.doctor is None else self.desk.doctor.count()
        hall = () if self._hall is None else (self.desk.link, self._hall.offers.count, self._hall.desk.table)
        state = (self._chronicle.count, health, journal.fault, journal.pending if journal.fault else 0, self.desk.lamps(), doctor, *hall)
        self._changed |= state != self._shown
        self._shown = state
        wake = self.window.next_show(now, changed=self._changed)
        if wake is not None and wake <= now:
            changed, self._changed = self._changed, False
            try:
                self.window.show(self.desk, now, changed=changed)
            except Exception as fault:  # noqa: BLE001 - whatever fails on the screen, the table goes on
                on_fault("window", fault)

    def next_wake(self, now: int) -> int | None:
        """When it wants to be painted next."""
        return self.window.next_show(now, changed=self._changed)

    def poll_ns(self) -> int:
        """How long events may wait."""
        clock = self.desk.session.table.clock
        if clock is not None and clock.running:
            return POLL_RUNNING_NS
        return POLL_DARK_NS if self.desk.is_dark else POLL_RESTING_NS

    def pending(self) -> bool:
        """Whether the window has something to say."""
        return self.window.pending()


def make_desk(
    session: Session,
    config: Config,
    library: Library,
    chronicle: Chronicle,
    roster: JoinedRoster,
    *,
    press: Callable[[Side, bool, int], None] | None = None,
    first: Screen | None = None,
) -> Desk:
    """The desk of this table, with its settings."""
    prefs = preferences.load(config.data, config.language, config.volumes)
    say.use(prefs.language)
    about = ((say.mark("Version"), __version__), (say.mark("Journal"), str(config.journal)))
    desk = Desk(
        session,
        books(library),
        chronicle,
        new_match=lambda: uuid4().hex,
        prefs=prefs,
        table_name=config.table,
        press=press,
        about=about,
        first=first,
    )
    desk.roster, desk.rest.dim_after = roster, config.dim_after
    desk.on_first_pin = lambda pin: first_official(roster, pin)
    desk.date_words = lambda wall_ns: time.strftime("%d.%m. %H:%M", time.localtime(wall_ns / 1e9))
    desk.card_for = cache(partial(_card_for, library))
    desk.on_taken_up = lambda match: chronicle.put_before(remembered(match.rows))

    def prefer(changed: Preferences) -> None:
        say.use(changed.language)
        preferences.save(config.data, changed)

    desk.on_prefer = prefer
    return desk


@cache
def _squares(text: str) -> tuple[tuple[bool, ...], ...]:
    """A QR code; its library is loaded when one is first shown."""
    from kiosk.sheets.qr import squares

    return squares(text)


def _card_for(library: Library, rulebook: str) -> tuple[CardEntry, ...]:
    """The rule card of a rulebook, an organizer's own among them; it is read when it is first opened."""
    from kiosk.app.card import card

    if not rulebook:
        return card()
    try:
        return for_rulebook(card(), library.base(rulebook))
    except KioskError:  # its file is gone or wrong by now: all of the card is better than a guess
        return card()


def first_official(roster: JoinedRoster, pin: str) -> str:
    """Enter the chief referee at the first start.

    Returns:
        Why not, or nothing.
    """
    if not roster.wants_first():
        return say._("Somebody is entered already.")
    try:
        roster.add(Official(say._("Chief referee"), Role.CHIEF), pin)
    except CommandRefused as refused:
        return say.refusal(refused)
    except KioskError as error:
        return str(error)
    return ""


__all__ = ["Chronicle", "Panel", "Window", "books", "clock_time", "make_desk", "on_fault", "remembered"]
