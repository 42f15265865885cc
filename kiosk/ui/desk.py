"""The desk: the picture of an instant, from what is open on the screen. It knows no pygame and reads no clock.

What lies at the bottom follows from the table's phase: the start form, the clock face, a record that waits, a break, the finished
sheet. What people opened lies on top of it, and is closed when the table has moved on. Whatever fails while a picture is drawn, the
clock is drawn all the same, in the plainest way, and the fault is said.

Its other parts are classes of their own, each of which knows those before it: what is said (`saying`), the hall (`hall`), badges (`badge`),
PINs (`pins`), sticks and printer (`errands`), hands (`hands`), and what a control does (`deeds`).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from kiosk.domain.state import Phase
from kiosk.domain.types import Instant, Pair, Side, seconds
from kiosk.say import _, refusal
from kiosk.ui.bare import bare
from kiosk.ui.changes import next_change
from kiosk.ui.deeds import DeedDesk
from kiosk.ui.draw import Box, Disc, Rect, Scene, Veil
from kiosk.ui.light import Light
from kiosk.ui.page import Page
from kiosk.ui.screens.chouette.cells import goes_on
from kiosk.ui.screens.chouette.table import ChouetteTable
from kiosk.ui.screens.confirm import Confirm
from kiosk.ui.screens.face import Face
from kiosk.ui.screens.finished import Finished
from kiosk.ui.screens.link import link_changes
from kiosk.ui.screens.offered import is_due
from kiosk.ui.screens.official.paper import PaperPage, PaperStart
from kiosk.ui.screens.pause import Pause
from kiosk.ui.screens.play.diagram import in_hand
from kiosk.ui.screens.waiting import Waiting
from kiosk.ui.theme import DARK, THEMES
from kiosk.ui.view import Preferences, View

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kiosk.domain.card import CardEntry
    from kiosk.domain.rulebook import Rulebook
    from kiosk.session import Session, Snapshot
    from kiosk.session import commands as c
    from kiosk.ui.chronicle import Chronicle
    from kiosk.ui.page import Place
    from kiosk.ui.screens.base import Screen


FAULT_KEPT = seconds(60)
"""How long a fault of the screen stands in the header after it was seen last."""

DIMMED = 120
"""How bright a dim picture is where no backlight dims it, of 255."""

BAR_STEPS = 160
"""In how many steps a delay bar shrinks at most: on a 7-inch panel two pixels each, which no eye tells from one."""


class Desk(DeedDesk):
    """One panel's controller."""

    def __init__(
        self,
        session: Session,
        books: Mapping[str, Rulebook],
        chronicle: Chronicle,
        *,
        new_match: Callable[[], str],
        prefs: Preferences = Preferences(),  # noqa: B008 - a frozen value
        table_name: str = "",
        press: Callable[[Side, bool, int], None] | None = None,
        about: tuple[tuple[str, str], ...] = (),
        first: Screen | None = None,
    ) -> None:
        """Sit down at a table.

        Args:
            session: The table; may be replaced by `take_over`.
            books: Regulations by their word.
            chronicle: Listens to the session.
            new_match: Draws a new match id.
            prefs: How the panel looks.
            table_name: What the organizer calls the table.
            press: Closes or opens a simulated button's contact at an instant; None on real ones.
            about: What the settings page says about this table.
            first: A screen that is open at the start.
        """
        super().__init__(session, chronicle, press, books, new_match, prefs)
        self.date_words: Callable[[int], str] = lambda _wall_ns: ""
        """A system's date in nanoseconds as day and time at this table."""
        self.card_for: Callable[[str], tuple[CardEntry, ...]] = lambda _rulebook: ()
        """The rule card of a rulebook."""
        self.lamps: Callable[[], Pair[bool] | None] = lambda: None
        """Which simulated lamp is lit."""
        self.sounds = False
        """The table can be heard: how loud is set on the screen."""
        self.veiled = True
        """Dimming is drawn; where a backlight does it, it is not."""
        self._table_name = table_name
        self._about = about
        self._heard = -1
        if first is not None:
            self._open.append(first)

    def take_over(self, session: Session) -> None:
        """Show another table from now on: after a simulated power cut."""
        self.session = session
        self._open.clear()
        self._about_game = None
        self._seen = self._from_before()

    def rename(self, name: str) -> None:
        """The table is called otherwise from now on."""
        self._table_name = name

    def scene(self, place: Place, at: int) -> Scene:
        """The picture of an instant.

        Args:
            place: The panel.
            at: Nanoseconds of the monotonic clock.
        """
        self._place, self._stale = place, False
        shot = self.session.snapshot(Instant(at))
        light = self.light(at)
        if light is Light.DARK:
            self._scene = _dark(place, self.round_begins(at))
            return self._scene
        if self._faults and at - self._failed_at > FAULT_KEPT:
            self._faults.clear()
            self.health = replace(self.health, screen="")
        view = self._view(shot, place, at)
        screen = self._open[-1] if self._open else self._base(view)
        page = Page(place, view.theme, Rect(0, 0, place.w, place.h))
        try:
            view = replace(view, told=self._told_or_fault(view, at))
            screen = self._top(view)
            screen.draw(page, view)
        except Exception as fault:  # noqa: BLE001 - the clock is drawn all the same, and the fault is said
            page = self._bare(screen, view, fault, at)
        self._settle(screen, shot, page.controls, at)
        self._overlay(page, at)
        if light is Light.DIM and self.veiled:
            page.ops.append(Veil(page.rect, DIMMED))
        changes = self._changes_at(view, screen, at)
        self._scene = Scene(screen.name, (place.w, place.h), tuple(page.ops), tuple(page.controls), changes)
        return self._scene

    def _view(self, shot: Snapshot, place: Place, at: int) -> View:
        def why_not(command: c.Command) -> str | None:
            refused = self.session.why_not(command, Instant(at))
            return None if refused is None else refusal(refused)

        return View(
            shot=shot,
            place=place,
            theme=THEMES.get(self.prefs.theme, DARK),
            prefs=self.prefs,
            why_not=why_not,
            books=self._books,
            table_name=self._table_name,
            simulated=self.press is not None,
            health=self.health,
            happened=self._chronicle.entries,
            demo=self.on_watch is not None,
            no_officials=self.roster is not None and self._nobody(),
            date_words=self.date_words,
            card_for=self.card_for,
            watching=self.watching,
            link=self.link,
            offers=self.offers(),
            waits=self.waits,
            earlier=partial(self.uplink.earlier, self.session.table.match),
            squares=self.squares,
            can_print=self.print_sheet is not None,
            can_join=self.joining is not None,
            doctor=self.doctor,
            lamps=self.lamps(),
            sounds=self.sounds,
            about=self._about,
        )

    def _top(self, view: View) -> Screen:
        if self._about_game not in {None, self._which()}:
            self._open.clear()
        self._about_game = self._which()
        while self._open and not self._open[-1].stays(view):
            self._keep_draft(self._open.pop())
        return self._open[-1] if self._open else self._base(view)

    def _keep_draft(self, gone: Screen) -> None:
        """A paper sheet that is half entered when its official is signed out goes on where it was left."""
        sheet = gone if isinstance(gone, PaperStart) else gone.form if isinstance(gone, PaperPage) else None
        if sheet is not None and self._draft is None and sheet.games:
            self._draft = sheet

    def _base(self, view: View) -> Screen:
        if goes_on(view):
            return ChouetteTable()
        if Waiting.due(view):
            return Waiting()
        match view.phase:
            case None if view.shot.table.chouette is not None and not view.offers:
                return ChouetteTable()
            case None:
                return self._offered if view.offers else self._start
            case Phase.RECORDING:
                return Confirm()
            case Phase.BREAK:
                return Pause()
            case Phase.ENDED | Phase.SIGNED | Phase.RECEIVED:
                return self._offered if is_due(view) else Finished()
            case _:
                return Face()

    def _bare(self, screen: Screen, view: View, fault: Exception, at: int) -> Page:
        self.failed(screen.name, fault, at)
        self._open.clear()
        return bare(replace(view, health=self.health))

    def _overlay(self, page: Page, at: int) -> None:
        thick = max(3, page.place.touch // 16)
        if self._focus in [control.rect for control in page.controls if not control.area]:
            for edge in self._focus.inset(-thick).edges(thick):
                page.ops.append(Box(edge, page.theme.alert))
        if self._stroke and self._on_board is not None and self._open:
            in_hand(page, self._on_board, self._stroke[0], self._stroke[-1])
        elif self._stroke:
            from kiosk.ui.screens.sign import ink

            ink(page, tuple(self._stroke), page.theme.paper_ink)
        if self._mark is not None and at < self._mark[2]:
            page.ops.append(Disc(self._mark[0], self._mark[1], page.place.touch // 4, page.theme.alert, thick))

    def _changes_at(self, view: View, screen: Screen, at: int) -> int | None:
        shot, place, bar = view.shot, view.place, isinstance(screen, Face)
        waits: list[int | None] = [self._mark[2] if self._mark is not None and self._mark[2] > at else None]
        if self._said is not None and self._said[1] > at:
            waits.append(self._said[1])
        waits.extend(link_changes(view))
        length = (place.w * 3 // 4 if place.portrait else place.w * 2 // 5) if bar else 0
        waits.append(next_change(shot, min(length, BAR_STEPS)))
        try:
            waits.extend(screen.changes(view))
        except Exception as fault:  # noqa: BLE001 - a screen that cannot say when it changes is drawn all the same
            self.failed(screen.name, fault, at)
        waits.append(self.light_changes(at))
        return min((wait for wait in waits if wait is not None and wait > at), default=None)

    def light(self, at: int) -> Light:
        """How bright the panel is to be; whatever has happened at the table, a press for one, wakes it, and so does its round's start."""
        if self._chronicle.count != self._heard:
            if self._heard >= 0:
                self._tell(at)
            self._heard, self.rest.touched_at = self._chronicle.count, max(self.rest.touched_at, at)
        self.rest.touched_at = max(self.rest.touched_at, self.round_began(at))
        return self.rest.light(self.session.table, self.prefs.sleep, at)

    def light_changes(self, at: int) -> int | None:
        """When it will be less bright, or wake for its round's start, though nothing happens; or None."""
        instants = (self.rest.changes(self.session.table, self.prefs.sleep, at), self.round_begins(at))
        return min((instant for instant in instants if instant is not None), default=None)


def _dark(place: Place, changes_at: int | None) -> Scene:
    from kiosk.ui.draw import Text

    rect = Rect(0, 0, place.w, place.h)
    words = Text(Rect(0, place.h * 3 // 4, place.w, place.touch), _("Touch to wake"), place.em(0.4), (120, 126, 136))
    return Scene("asleep", (place.w, place.h), (Box(rect, (0, 0, 0)), words), (), changes_at)
