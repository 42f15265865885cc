"""The desk's part for deeds: what a control does once it was touched, and which screen is open then."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from kiosk.domain.errors import CommandRefused
from kiosk.domain.types import Instant, Pair
from kiosk.say import _, refusal
from kiosk.session import commands as c
from kiosk.ui import actions as a
from kiosk.ui.doctor import obey
from kiosk.ui.hands import HandDesk
from kiosk.ui.screens.checkin import CheckIn
from kiosk.ui.screens.offered import Offered
from kiosk.ui.screens.official.card import Remedy
from kiosk.ui.screens.official.paper import PaperStart
from kiosk.ui.screens.play.examine import Examine
from kiosk.ui.screens.start import Start, as_last_time

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kiosk.domain.rulebook import Rulebook
    from kiosk.domain.types import Side
    from kiosk.session import Session
    from kiosk.ui.chronicle import Chronicle
    from kiosk.ui.doctor import Doctor
    from kiosk.ui.screens.base import Screen
    from kiosk.ui.view import Preferences


class DeedDesk(HandDesk):
    """What a panel's controller does."""

    def __init__(
        self,
        session: Session,
        chronicle: Chronicle,
        press: Callable[[Side, bool, int], None] | None,
        books: Mapping[str, Rulebook],
        new_match: Callable[[], str],
        prefs: Preferences,
    ) -> None:
        """Nothing has been done.

        Args:
            session: The table.
            chronicle: What has happened at it.
            press: Closes or opens a simulated button's contact at an instant; None on real ones.
            books: Regulations by their word.
            new_match: Draws a new match id.
            prefs: How the panel looks.
        """
        super().__init__(session, chronicle, press)
        self.prefs = prefs
        self.on_prefer: Callable[[Preferences], None] = lambda _prefs: None
        """Told when a setting was changed."""
        self.on_watch: Callable[[], None] | None = None
        """Lets the sample match be played, where that is offered."""
        self.doctor: Doctor | None = None
        """Looks at the box, where somebody can."""
        self.watching = False
        """Nobody plays here: touches look around and change nothing at the table."""
        self._books = books
        self._new_match = new_match
        self._open: list[Screen] = []
        self._start = self._last_time()
        self._offered = Offered()
        self._stale = False
        self._about_game: tuple[str | None, int] | None = None
        self._draft: PaperStart | None = None
        """A paper sheet that is half entered."""
        self._examined: Examine | None = None
        """The position that was looked at last."""

    def _last_time(self) -> Start:
        setup = self.session.table.setup
        return Start() if setup is None else replace(as_last_time(setup, self._books), score=Pair(0, 0))

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

    def _new_on_the_table(self) -> None:
        self._seen.clear()
        self._about_game = self._which()
        self._offered = Offered()
