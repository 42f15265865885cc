"""The desk's part for hands: fingers, the mouse and the keyboard, and which control they mean. What a control does is `kiosk.ui.deeds`'.

A touch that comes within `SETTLE` after the screen changed under the finger does nothing and says so: the second half of a double tap
must not answer a question that nobody has read. Stopping and calling the referee act at once, but for the second half of a double tap
on something else: who taps twice on Resume, or on the way back, does not stop.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from kiosk.domain.types import Instant, Side, seconds
from kiosk.say import _
from kiosk.ui import actions as a
from kiosk.ui.errands import ErrandDesk
from kiosk.ui.saying import SETTLE

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.session import Session, Snapshot
    from kiosk.session import commands as c
    from kiosk.ui.chronicle import Chronicle
    from kiosk.ui.draw import Control, Rect, Scene
    from kiosk.ui.page import Place
    from kiosk.ui.screens.base import Screen
    from kiosk.ui.screens.play.diagram import Plan

KEYS = -2
"""The keyboard's number among the fingers; the mouse's is -1."""

MARKED = seconds(0.4)
"""How long a touch is seen."""


class HandDesk(ErrandDesk):
    """What a panel's controller makes of hands."""

    def __init__(self, session: Session, chronicle: Chronicle, press: Callable[[Side, bool, int], None] | None) -> None:
        """Nobody has touched anything.

        Args:
            session: The table.
            chronicle: What has happened at it.
            press: Closes or opens a simulated button's contact at an instant; None on real ones.
        """
        super().__init__(session, chronicle)
        self.press = press
        """Closes or opens a simulated button's contact; None on real ones."""
        self.on_leave: Callable[[], None] | None = None
        """Closes the window, where that is offered."""
        self._mark: tuple[int, int, int] | None = None
        self._shown: tuple[object, ...] = ()
        self._shown_at = 0
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
        self._scene: Scene | None = None
        self._place: Place | None = None

    @abstractmethod
    def scene(self, place: Place, at: int) -> Scene:
        """The picture of an instant."""

    @abstractmethod
    def _act(self, action: a.Action, x: int, y: int, at: int, finger: int) -> None:
        """Do what a control does."""

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

    @property
    def is_dark(self) -> bool:
        """Whether the picture shown last was dark."""
        return self._scene is not None and self._scene.name == "asleep"

    def _settle(self, screen: Screen, shot: Snapshot, controls: list[Control], at: int) -> None:
        """Note since when what is shown has stood: the screen, and each thing that can be done by a touch."""
        asked = [(control.rect, control.action.command) for control in controls if isinstance(control.action, a.Do)]
        self._asked = {key: self._asked.get(key, at) for key in asked}
        shown = (screen.name, shot.phase)
        if shown != self._shown:
            self._shown, self._shown_at, self._focus = shown, at, None
            self._stroke = None
