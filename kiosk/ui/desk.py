"""The desk: what is open on the screen, what a touch does, and the picture of an instant. It knows no pygame and reads no clock.

What lies at the bottom follows from the table's phase: the start form, the clock face, a record that waits, a break, the finished
sheet. What people opened lies on top of it, and is closed when the table has moved on. Whatever fails while a picture is drawn, the
clock is drawn all the same, in the plainest way, and the fault is said.

A touch that comes within `SETTLE` after the screen changed under the finger does nothing and says so: the second half of a double tap
must not answer a question that nobody has read. Stopping and calling the referee act at once, but for the second half of a double tap
on something else: who taps twice on Resume, or on the way back, does not stop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar, assert_never

from kiosk.domain.errors import CommandRefused, KioskError
from kiosk.domain.facts import IgnoredWhy, OfficialSignedOut, PowerRestored, PressIgnored
from kiosk.domain.officials import Official
from kiosk.domain.state import Phase
from kiosk.domain.types import Instant, Pair, Side, present, seconds
from kiosk.say import _, refusal
from kiosk.session import commands as c
from kiosk.ui import actions as a
from kiosk.ui.badge import BadgeDesk
from kiosk.ui.bare import bare
from kiosk.ui.beside import at_once
from kiosk.ui.changes import next_change
from kiosk.ui.doctor import obey
from kiosk.ui.draw import Box, Control, Disc, Rect, Scene, Veil
from kiosk.ui.light import Light, Rest
from kiosk.ui.matters import matters
from kiosk.ui.page import Page
from kiosk.ui.screens.checkin import CheckIn
from kiosk.ui.screens.chouette.cells import goes_on
from kiosk.ui.screens.chouette.table import ChouetteTable
from kiosk.ui.screens.confirm import Confirm
from kiosk.ui.screens.desk_words import WholeMessage, message_told
from kiosk.ui.screens.face import Face
from kiosk.ui.screens.finished import Finished
from kiosk.ui.screens.link import link_changes
from kiosk.ui.screens.offered import Offered, is_due
from kiosk.ui.screens.official.adjourned import ChooseAdjourned
from kiosk.ui.screens.official.card import Remedy
from kiosk.ui.screens.official.desk import Officials
from kiosk.ui.screens.official.paper import PaperPage, PaperStart
from kiosk.ui.screens.official.signin import SignPad, refused_pin
from kiosk.ui.screens.official.take_over import AskTakeOver
from kiosk.ui.screens.pause import Pause
from kiosk.ui.screens.play.diagram import in_hand
from kiosk.ui.screens.play.examine import Examine
from kiosk.ui.screens.start import Start, as_last_time
from kiosk.ui.screens.waiting import Waiting
from kiosk.ui.theme import DARK, THEMES
from kiosk.ui.view import Health, Preferences, Told, View
from kiosk.words import alert_words, power_words, refilled_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kiosk.domain.card import CardEntry
    from kiosk.domain.facts import Fact
    from kiosk.domain.rulebook import Rulebook
    from kiosk.domain.state import Alert, Table
    from kiosk.ports import Roster
    from kiosk.session import Carried, Session, Snapshot
    from kiosk.ui.beside import Beside, Shelf
    from kiosk.ui.chronicle import Chronicle
    from kiosk.ui.doctor import Doctor
    from kiosk.ui.page import Place
    from kiosk.ui.screens.base import Screen
    from kiosk.ui.screens.play.diagram import Plan

Answer = Callable[[Official | KioskError | None, int], None]
"""Told whose PIN it was, or why nobody can say, and when."""

T = TypeVar("T")

SETTLE = seconds(0.4)
"""How long a screen must have stood before what was touched on it counts."""

SAID = seconds(4)
"""How long a word stays."""

KEYS = -2
"""The keyboard's number among the fingers; the mouse's is -1."""

MARKED = seconds(0.4)
"""How long a touch is seen."""

FAULT_KEPT = seconds(60)
"""How long a fault of the screen stands in the header after it was seen last."""

DIMMED = 120
"""How bright a dim picture is where no backlight dims it, of 255."""

BAR_STEPS = 160
"""In how many steps a delay bar shrinks at most: on a 7-inch panel two pixels each, which no eye tells from one."""


class Desk(BadgeDesk):
    """One panel's controller."""

    def __init__(  # noqa: PLR0915 - the parts of one desk
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
        super().__init__()
        self.session = session
        self.prefs = prefs
        self.health = Health()
        """Kept up by the loop."""
        self.on_taken_up: Callable[[Carried], None] = lambda _match: None
        """Told of a suspended match that was taken up."""
        self.on_prefer: Callable[[Preferences], None] = lambda _prefs: None
        """Told when a setting was changed."""
        self.on_fault: Callable[[str, Exception], None] = lambda _where, _fault: None
        """Told when a part of the screen failed."""
        self.on_leave: Callable[[], None] | None = None
        """Closes the window, where that is offered."""
        self.on_watch: Callable[[], None] | None = None
        """Lets the sample match be played, where that is offered."""
        self.press = press
        """Closes or opens a simulated button's contact; None on real ones."""
        self.roster: Roster | None = None
        """Who can sign in."""
        self.look_up: Callable[[str, Answer], None] = self._look_up_here
        """Finds out whose PIN it is and answers, later where that takes long."""
        self.on_first_pin: Callable[[str], str] = lambda _pin: ""
        """Enters the chief referee with a PIN; answers why not, or nothing."""
        self.date_words: Callable[[int], str] = lambda _wall_ns: ""
        """A system's date in nanoseconds as day and time at this table."""
        self.card_for: Callable[[str], tuple[CardEntry, ...]] = lambda _rulebook: ()
        """The rule card of a rulebook."""
        self.lamps: Callable[[], Pair[bool] | None] = lambda: None
        """Which simulated lamp is lit."""
        self.sounds = False
        """The table can be heard: how loud is set on the screen."""
        self.shelf: Shelf | None = None
        """Where suspended matches are found and saved."""
        self.save_sheet: Callable[[], str] | None = None
        """Saves the score sheet on a stick, and answers what was saved where; may take as long as a stick does."""
        self.print_sheet: Callable[[], object] | None = None
        """Hands the receipt to the printer; takes long. None: there is no printer."""
        self.beside: Beside = at_once
        """Does what may take long, and hands its outcome on; a running table does it beside its loop."""
        self.doctor: Doctor | None = None
        """Looks at the box, where somebody can."""
        self.rest = Rest()
        """Since when nobody has touched anything; after how long it dims."""
        self.veiled = True
        """Dimming is drawn; where a backlight does it, it is not."""
        self.watching = False
        """Nobody plays here: touches look around and change nothing at the table."""
        self._books = books
        self._chronicle = chronicle
        self._new_match = new_match
        self._table_name = table_name
        self._about = about
        self._open: list[Screen] = [] if first is None else [first]
        self._start = self._last_time()
        self._offered = Offered()
        self._said: tuple[Told, int] | None = None
        self._mark: tuple[int, int, int] | None = None
        self._seen: set[Alert] = self._from_before()
        self._notices: list[str] = []
        self._telling: Told | None = None
        self._telling_since = 0
        self._shown: tuple[object, ...] = ()
        self._shown_at = 0
        self._faults: set[str] = set()
        self._failed_at = 0
        self._heard = -1
        self._focus: Rect | None = None
        """Where the control is that the keyboard would use."""
        self._stroke: list[tuple[int, int]] | None = None
        self._pen = 0
        self._on_board: Plan | None = None
        """The board that the stroke began on; None: it draws a line."""
        self._holding: dict[int, Side] = {}
        self._asked: dict[tuple[Rect, c.Command], int] = {}
        self._done: tuple[a.Action | None, int, int, int] = None, 0, 0, 0
        """What the last touch did, where, and when."""
        self._about_game: tuple[str | None, int] | None = None
        self._scene: Scene | None = None
        self._place: Place | None = None
        self._stale = False
        self._looking = False
        self._busy = False
        """A stick is being read or written."""
        self._draft: PaperStart | None = None
        """A paper sheet that is half entered."""
        self._examined: Examine | None = None
        """The position that was looked at last."""

    def _last_time(self) -> Start:
        setup = self.session.table.setup
        return Start() if setup is None else replace(as_last_time(setup, self._books), score=Pair(0, 0))

    def _which(self) -> tuple[str | None, int]:
        """Which game of which match is on the table."""
        return self.session.table.match, self.session.table.game

    def _from_before(self) -> set[Alert]:
        """The alerts that were raised before this table was switched on: they were told then; that the power was off is new."""
        alerts = self.session.table.alerts
        new = alerts[-1:] if alerts and alerts[-1].code == "power_restored" else ()
        return set(alerts) - set(new)

    def take_over(self, session: Session) -> None:
        """Show another table from now on: after a simulated power cut."""
        self.session = session
        self._open.clear()
        self._about_game = None
        self._seen = self._from_before()

    def rename(self, name: str) -> None:
        """The table is called otherwise from now on."""
        self._table_name = name

    # ── The picture ──────────────────────────────────────────────────────────
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

    def _nobody(self) -> bool:
        try:
            return self.roster is not None and not self.roster.officials()
        except KioskError:
            return False  # who is known cannot be read: that is no first start

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

    def failed(self, where: str, fault: Exception, at: int) -> bool:
        """A part of the screen failed: it is told once, and stands in the header until all has worked for a while.

        Args:
            where: The screen, or what could not be painted.
            fault: What happened.
            at: Nanoseconds of the monotonic clock.

        Returns:
            Whether this is new.
        """
        self._failed_at = at
        words = _("Fault in the screen ({where}): {fault}", where=where, fault=f"{type(fault).__name__}: {fault}")
        if words in self._faults:
            return False
        self._faults.add(words)
        self.health = replace(self.health, screen=words)
        self.say(words, at, "refused")
        self.on_fault(where, fault)
        return True

    def _bare(self, screen: Screen, view: View, fault: Exception, at: int) -> Page:
        self.failed(screen.name, fault, at)
        self._open.clear()
        return bare(replace(view, health=self.health))

    def _settle(self, screen: Screen, shot: Snapshot, controls: list[Control], at: int) -> None:
        """Note since when what is shown has stood: the screen, and each thing that can be done by a touch."""
        asked = [(control.rect, control.action.command) for control in controls if isinstance(control.action, a.Do)]
        self._asked = {key: self._asked.get(key, at) for key in asked}
        shown = (screen.name, shot.phase)
        if shown != self._shown:
            self._shown, self._shown_at, self._focus = shown, at, None
            self._stroke = None

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

    # ── What is said ─────────────────────────────────────────────────────────
    def warn(self, *texts: str) -> None:
        """Say something until it was seen: what was found wrong when the table was switched on."""
        self._notices.extend(texts)

    def say(self, text: str, at: int, tone: str = "plain") -> None:
        """Say something in the header's place for a while."""
        self._said = (Told(text, tone), at + SAID)

    def _told_or_fault(self, view: View, at: int) -> Told | None:
        try:
            told = self._told(view, at)
        except Exception as fault:  # noqa: BLE001 - an alert that cannot be put into words costs no screen
            self.failed("told", fault, at)
            told = Told(self.health.screen, "refused")
        if told != self._telling:
            self._telling, self._telling_since = told, at
        return told

    def _told(self, view: View, at: int) -> Told | None:
        if self._said is not None:
            if at < self._said[1]:
                return self._said[0]
            self._said = None
        if self._notices:
            return Told(self._notices[-1], "alert", len(self._notices) - 1)
        waiting, messages = self._unseen(view), view.shot.table.hall.messages
        if waiting:
            return Told(self._alert_words(waiting[-1], view), "alert", len(waiting) - 1 + len(messages))
        whole = bool(self._open) and isinstance(self._open[-1], WholeMessage)  # it is being read
        return message_told(messages[0], len(messages) - 1) if messages and not whole else None

    def _unseen(self, view: View) -> list[Alert]:
        waiting = [alert for alert in view.shot.alerts if alert not in self._seen]
        self._seen.update(alert for alert in waiting if not matters(alert, view.shot))
        return [alert for alert in waiting if alert not in self._seen]

    def _alert_words(self, alert: Alert, view: View) -> str:
        if alert.code == "power_restored":
            last = next((entry.fact for entry in reversed(view.happened) if isinstance(entry.fact, PowerRestored)), None)
            if last is not None:
                return power_words(last)
        if alert.code == "time_refilled" and alert.side is not None:
            return refilled_words(view.setup.on_flag.policy, view.name(alert.side))
        return alert_words(alert.code, alert.side, alert.detail, Pair(view.name(Side.LEFT), view.name(Side.RIGHT)))

    # ── Sleep ────────────────────────────────────────────────────────────────
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

    def _tell(self, at: int) -> None:
        """What happened without a touch, and would be seen as something that did not work."""
        entries = self._chronicle.entries
        last = entries[-1].fact if entries else None
        if isinstance(last, OfficialSignedOut) and last.idle:
            self.say(_("Signed out after a minute without a touch."), at)
        self._tell_of_press(last, at)

    def _tell_of_press(self, last: Fact | None, at: int) -> None:
        """A press that changed nothing is seen all the same: nobody is to wonder whether the button works."""
        if not isinstance(last, PressIgnored):
            return
        if self.session.table.setup is None:
            if self.session.table.chouette is not None:
                self.say(_press_in_a_chouette(last, self.session.table), at)
            return
        name = " & ".join(self.session.table.setup.players[last.side])
        if last.why is IgnoredWhy.BOUNCE:
            self.say(_("{name}: too soon after the other press; it changed nothing.", name=name), at)
        elif last.why is IgnoredWhy.OVER:
            self.say(_("The match is over; the press changed nothing."), at)
        else:
            self.say(_("{name}: this clock does not run now; the press changed nothing.", name=name), at)

    @property
    def is_dark(self) -> bool:
        """Whether the picture shown last was dark."""
        return self._scene is not None and self._scene.name == "asleep"

    # ── Touches and keys ─────────────────────────────────────────────────────
    def touch(self, x: int, y: int, at: int, *, finger: int = 0) -> None:
        """A finger or the mouse came down. It acts on what was shown then; the first touch on a dark panel only wakes it.

        Args:
            x: Pixels.
            y: Pixels.
            at: Nanoseconds of the monotonic clock.
            finger: Which finger, so that two at once do not mix.
        """
        if finger in self._holding or (self._stroke is not None and finger == self._pen):
            self.release(at, finger=finger)  # that it was lifted was never told
        self._mark = (x, y, at + MARKED)
        self._focus = None
        if self._wakes(at):
            return
        scene = self._current(at)
        control = None if scene is None else scene.at(x, y)
        if control is not None:
            self._use(control, x, y, at, finger)

    def _wakes(self, at: int) -> bool:
        """Note that somebody is here; on a dark panel that is all that a touch or a key does."""
        self.rest.touched_at = at
        self.session.touch(Instant(at))
        return self.is_dark

    def _current(self, at: int) -> Scene | None:
        """What is shown; where a touch just before has changed it and nothing was painted since, the picture as it is now."""
        if self._stale and self._place is not None:
            self.scene(self._place, at)
        return self._scene

    def move(self, x: int, y: int, at: int, *, finger: int = 0) -> None:
        """It moved; only a stroke takes notice."""
        if self._stroke is not None and finger == self._pen and (x, y) != self._stroke[-1]:
            self._stroke.append((x, y))
            self.rest.touched_at = at

    def release(self, at: int, *, finger: int = 0) -> None:
        """It was lifted: a simulated button opens, a stroke is done."""
        side = self._holding.pop(finger, None)
        if side is not None and self.press is not None:
            self.press(side, False, at)  # noqa: FBT003 - a level is a truth value
        if finger != self._pen:
            return
        stroke, self._stroke = self._stroke, None
        if stroke is None or not self._open:
            return
        if self._on_board is not None:
            self._put(self._open[-1].carried(self._on_board, stroke[0], stroke[-1]))
            self._stale = True
            return
        following = self._open[-1].stroke(tuple(stroke))
        if following is None:
            self.say(_("That is enough ink; clear it to begin anew."), at, "refused")
        else:
            self._open[-1] = following
            self._stale = True

    def let_go(self, at: int) -> None:
        """No finger is down any more as far as can be told: the window is no longer in front."""
        for finger in tuple(self._holding):
            self.release(at, finger=finger)

    def typed(self, text: str, at: int) -> bool:
        """A text from a real keyboard; False where no screen takes one."""
        if self._wakes(at) or not self._open:
            return False
        following = self._open[-1].typed(text)
        if following is None:
            return False
        self._open[-1] = following
        self._stale = True
        return True

    @property
    def takes_text(self) -> bool:
        """Whether letters go into a text now, and are no clock buttons."""
        return bool(self._open) and self._open[-1].typed("") is not None and not self.is_dark

    def step_focus(self, step: int, at: int) -> None:
        """Move the keyboard's focus to the next control, or the one before."""
        if self._wakes(at):
            return
        stops = [control.rect for control in self._stops(at)]
        if self._focus in stops:
            self._focus = stops[(stops.index(self._focus) + step) % len(stops)]
        elif stops:
            self._focus = stops[0 if step > 0 else -1]

    def enter(self, at: int) -> None:
        """Use the control in focus; without one, what the open screen does at the Enter key."""
        if self._wakes(at):
            return
        control = next((control for control in self._stops(at) if control.rect == self._focus), None)
        if control is not None:
            self._use(control, control.rect.x, control.rect.y, at, KEYS)
            self.release(at, finger=KEYS)
        elif self._open:
            action = self._open[-1].entered()
            if action is not None:
                self._act(action, 0, 0, at, KEYS)

    def back(self, at: int) -> None:
        """Close what is open: the Escape key."""
        if self._wakes(at):
            return
        if self._open:
            self._act(self._open[-1].escape(), 0, 0, at, KEYS)
        elif self.watching and self.on_leave is not None:
            self.on_leave()
        else:
            self._said = None

    def _stops(self, at: int) -> list[Control]:
        scene = self._current(at)
        return [] if scene is None else [control for control in scene.controls if not control.area]

    def _use(self, control: Control, x: int, y: int, at: int, finger: int) -> None:
        if control.why is not None:
            said = self._said is not None and at < self._said[1] and self._said[0].tone == "plain"
            if not (said and self._second_tap(x, y, at)):  # what the first one did is still being said
                self.say(control.why, at, "refused")
        elif at - self._since(control) < SETTLE and not isinstance(control.action, a.Press | a.Heard):
            self.say(_("The screen had just changed. Look, then touch again."), at, "refused")
        else:
            self._done = control.action, x, y, at
            self._act(control.action, x, y, at, finger)

    def _second_tap(self, x: int, y: int, at: int) -> bool:
        """Whether this is the second half of a double tap on something that has been done."""
        done, there, below, then = self._done
        near = self._place is not None and max(abs(x - there), abs(y - below)) < self._place.touch // 2
        return isinstance(done, a.Do | a.TakeUp | a.EnterSheet) and near and at - then < SETTLE

    def _since(self, control: Control) -> int:
        """Since when what is touched has stood there, and has not been touched."""
        done, x, y, at = self._done
        enters = isinstance(control.action, a.Do) or (isinstance(control.action, a.Turn) and control.action.once)
        again = at if control.rect.holds(x, y) and enters else 0
        if control.urgent:
            return again if done != control.action else 0
        stood = self._asked.get((control.rect, control.action.command), 0) if isinstance(control.action, a.Do) else 0
        return max(self._shown_at, stood, again)

    def _act(self, action: a.Action, x: int, y: int, at: int, finger: int) -> None:  # noqa: C901, PLR0912, PLR0915 - one case an action
        self._stale |= not isinstance(action, a.Press)  # a button is no matter of the picture
        match action:
            case a.Do():
                self._do(action, at)
            case a.Open():
                self._said = None  # what was said belongs to the screen before; a title is to be read at once
                self._open.append(self._opened(action.screen))
            case a.Turn():
                self._turn(action.screen, at)
            case a.Close():
                if self._open:
                    self._open.pop()
                if action.hand is not None:
                    self._put(action.hand)
            case a.Draw():
                if self._stroke is None:  # a hand that rests on the panel while a finger draws is no pen
                    self._stroke, self._pen, self._on_board = [(x, y)], finger, action.board
            case a.Press():
                if self.press is not None:
                    self._holding[finger] = action.side
                    self.press(action.side, True, at)  # noqa: FBT003 - a level is a truth value
            case a.Heard():
                self._hear(at)
            case a.Explain():
                self.say(action.text, at)
            case a.Prefer():
                self._prefer(replace(self.prefs, **action.changes), at)
            case a.Begin():
                self._begin(at)
            case a.Watch():
                if self.on_watch is not None:
                    self.on_watch()
            case a.Leave():
                if self.on_leave is not None:
                    self.on_leave()
            case a.Enter():
                self._enter(action.pin, at)
            case a.Admit():
                self._admit(action.pin, at)
            case a.Seek():
                self._seek(at)
            case a.TakeUp():
                self._take_up(action.match, at)
            case a.HandOver():
                self._hand_over(at)
            case a.PrintSheet():
                self._print_sheet(at)
            case a.TakeBadge():
                self._give(action.official, action.number, at)
            case a.CheckInBy():
                self._check_in(action.number, action.name, at)
            case a.SaveSheet():
                self._save_sheet(at)
            case a.BeginChouette():
                self._begin_chouette(action.command, at)
            case a.EnterSheet():
                self._enter_sheet(action.sheet, at)
            case a.Count():
                self._count(replace(action.screen, since=at), at)
            case a.Examine() | a.TryPart() | a.Confirm():
                self._ask_doctor(action, at)
            case a.ReadTold() | a.OpenOffer() | a.FindServers() | a.JoinServer() | a.FetchRunning() | a.LeaveServer() | a.TakeOver():
                self._act_in_hall(action, at)
            case _:
                assert_never(action)

    def _opened(self, screen: Screen) -> Screen:
        """What is opened: a form as it was filled in last, a paper sheet as it was left when its official was signed out."""
        if screen == Start():
            return self._start
        if isinstance(screen, PaperStart) and self._draft is not None:
            screen, self._draft = self._draft, None
        return screen.after(self._examined) if isinstance(screen, Examine) else screen

    def _turn(self, screen: Screen, at: int) -> None:
        beneath = self._offered if isinstance(screen, Offered) else self._start
        if screen == (self._open[-1] if self._open else beneath):
            self.say(_("That is so already."), at)
        self._put(screen)

    def _ask_doctor(self, action: a.OfTheDoctor, at: int) -> None:
        why = obey(self.doctor, action)
        if why:
            self.say(why, at)
        elif not isinstance(action, a.Examine) and action.then is not None:
            if self._open and self._open[-1] == action.then:
                self.say(_("Tried once more."), at)
            self._put(action.then)
        elif isinstance(action, a.Confirm) and self._open:
            self._open.pop()

    def shows(self, name: str) -> bool:
        """Whether the screen of this name is open, on top of all."""
        return bool(self._open) and self._open[-1].name == name

    def _prefer(self, prefs: Preferences, at: int) -> None:
        if prefs == self.prefs:
            self.say(_("That is so already."), at)
            return
        self.prefs = prefs
        self.on_prefer(prefs)

    def _count(self, counting: Remedy, at: int) -> None:
        """Count on the open page; from the list of pages, open it."""
        before = self._open[-1] if self._open else None
        if isinstance(before, Remedy):
            self._open[-1] = counting
            if before.counts(at):
                self.say(_("Counted from three again."), at)
        else:
            self._open.append(counting)

    def _put(self, screen: Screen) -> None:
        if isinstance(screen, Examine):
            self._examined = screen
        if self._open:
            self._open[-1] = screen
        elif isinstance(screen, Start):
            self._start = screen
        elif isinstance(screen, Offered):
            self._offered = screen

    def _asks(self, ask: Callable[[], object], at: int) -> bool:
        """Ask the table for something; whether it was done. Why not is said."""
        if self.watching:
            self.say(_("This match plays by itself; close the window when you have seen enough."), at)
            return False
        try:
            ask()
        except CommandRefused as refused:
            self.say(refusal(refused), at, "refused")
            return False
        return True

    def _command(self, command: c.Command, at: int) -> bool:
        return self._asks(lambda: self.session.command(command, Instant(at)), at)

    def _do(self, action: a.Do, at: int) -> None:
        if not self._command(action.command, at):
            return
        if self._open and not self._open[-1].keeps:
            self._open.clear()
        if action.said:
            self.say(action.said, at)

    def _begin(self, at: int) -> None:
        form = next((screen for screen in reversed(self._open) if isinstance(screen, Start)), self._start)
        if not self._asks(lambda: self.session.command(c.OpenMatch(self._new_match(), form.setup(self._books)), Instant(at)), at):
            return
        self._seen.clear()
        self._start = replace(form, score=Pair(0, 0), crawford_played=False)
        self._about_game = self._which()
        self._open[:] = [CheckIn()]

    def _enter_sheet(self, sheet: PaperStart, at: int) -> None:
        if not self._asks(lambda: self.session.command(sheet.command(self._new_match(), self._books), Instant(at)), at):
            return
        self._seen.clear()
        self._open.clear()
        self._about_game, self._draft = self._which(), None
        self.say(_("Entered from paper."), at)

    def _begin_chouette(self, command: c.OpenChouette, at: int) -> None:
        if not self._asks(lambda: self.session.command(replace(command, match=self._new_match()), Instant(at)), at):
            return
        self._seen.clear()
        self._open.clear()
        self._about_game = self._which()

    # ── Officials ────────────────────────────────────────────────────────────
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
        locked = self.session.why_not(c.SignIn(None), Instant(at))
        if locked is not None:
            self.say(refusal(locked), at, "refused")
            return
        if self._looking:
            self.say(_("The PIN before is still being looked up."), at)
            return
        self._looking = True
        self._put(SignPad())
        self.look_up(pin, self._found)
        if self._looking:
            self.say(_("Looking it up …"), at)

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

    # ── Suspended matches ────────────────────────────────────────────────────
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

    def _new_on_the_table(self) -> None:
        self._seen.clear()
        self._about_game = self._which()
        self._offered = Offered()

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

    def _hear(self, at: int) -> None:
        if self._said is not None and at < self._said[1]:
            self._said = None
            return
        if at - self._telling_since < SETTLE:
            return  # it came up under the finger: nobody has read it
        if self._notices:
            self._notices.pop()
            return
        shot = self.session.snapshot(Instant(at))
        self._seen.intersection_update(shot.alerts)
        waiting = [alert for alert in shot.alerts if alert not in self._seen and matters(alert, shot)]
        self._seen.update(waiting[-1:])


def _dark(place: Place, changes_at: int | None) -> Scene:
    from kiosk.ui.draw import Text

    rect = Rect(0, 0, place.w, place.h)
    words = Text(Rect(0, place.h * 3 // 4, place.w, place.touch), _("Touch to wake"), place.em(0.4), (120, 126, 136))
    return Scene("asleep", (place.w, place.h), (Box(rect, (0, 0, 0)), words), (), changes_at)


def _press_in_a_chouette(press: PressIgnored, table: Table) -> str:
    chouette = present(table.chouette)
    if table.clock is None:
        return _("A chouette is played without a clock; the press changed nothing.")
    if chouette.ended:
        return _("The chouette is over; the press changed nothing.")
    if chouette.offered is not None:
        return _("The clock waits until the double is answered; the press changed nothing.")
    name = chouette.box if press.side is Side.LEFT else _("the team of {name}", name=chouette.captain)
    if press.why is IgnoredWhy.BOUNCE:
        return _("{name}: too soon after the other press; it changed nothing.", name=name)
    return _("{name}: this clock does not run now; the press changed nothing.", name=name)
