"""Random touches while every scenario is played: `python -m tests.ui.random_touches [SECONDS] [SEED]`.

A table at play, its desk on it, and somebody who touches whatever is there, at the table's own pace or far faster, on panels of any
size. Nothing may fail, no touch may stay without an answer, and from wherever one has got the base screen is a few steps back, and
on it the match can be brought forward.
"""

from __future__ import annotations

import contextlib
import os
import random
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from kiosk.app.roster import MemoryRoster
from kiosk.app.scenario import ScenarioError, Step, load, to_command
from kiosk.books import Library
from kiosk.domain.errors import CommandRefused
from kiosk.domain.officials import Official, Role
from kiosk.domain.state import OVER, Phase
from kiosk.domain.types import NS_PER_MS, NS_PER_S, Instant, Side
from kiosk.journal import MemoryJournal
from kiosk.session import NotAdjourned, Session, last_match, running_match
from kiosk.session import commands as c
from kiosk.ui import actions as a
from kiosk.ui.chronicle import Chronicle
from kiosk.ui.desk import Desk
from kiosk.ui.draw import Control, Disc, Op, Scene
from kiosk.ui.page import Place
from kiosk.ui.screens.history import History
from kiosk.ui.screens.menu import Menu
from kiosk.ui.screens.official.desk import Officials
from kiosk.ui.view import Preferences
from kiosk.ui.window import place_for
from tests.ui.moments import CARD

SCENARIOS = sorted((Path(__file__).parent.parent / "scenarios").glob("*.jsonl"))
LIBRARY = Library([Path("/nonexistent")])
BOOKS = {name: LIBRARY.load(name) for name in LIBRARY.names()}
ORIGIN = 1000 * NS_PER_S
ROSTER = MemoryRoster(
    [
        {"name": f"Official {role}", "role": role, "pin": f"{number}" * 4}
        for number, role in enumerate(("referee", "deputy", "chief", "organizer"), 1)
    ]
)
DEEPEST = 12
"""No screen lies deeper than this many steps back."""

ASIDE = (Menu, History)
"""Screens that bring no match forward by being opened."""


class WrongError(AssertionError):
    """Something that a touch must not lead to; the text says after which touches."""


@dataclass
class Player:
    """A table at play and somebody who touches it."""

    rng: random.Random
    place: Place
    touches: int = 0
    trail: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Sit down at an empty table."""
        self.now = ORIGIN
        self.faults: list[str] = []
        self.pressed: list[object] = []
        self.chronicle = Chronicle()
        self.session = Session(MemoryJournal(), [self.chronicle.hear])
        simulated = self.rng.random() < 0.5
        self.ids = iter(range(10**9))
        self.desk = Desk(
            self.session,
            BOOKS,
            self.chronicle,
            new_match=lambda: f"touched-{next(self.ids)}",
            prefs=Preferences(facing=self.rng.random() < 0.3, sleep=self.rng.choice((0, 2, 5))),
            table_name="12",
            press=self._press if simulated else None,
        )
        self.desk.roster, self.desk.card_for = ROSTER, lambda _rulebook: CARD
        self.desk.on_leave = lambda: self.pressed.append("leave")
        self.desk.on_fault = lambda where, fault: self.faults.append(f"{where}: {fault!r}")

    def _press(self, side: Side, closed: bool, at: int) -> None:  # noqa: FBT001 - a level is a truth value
        self.pressed.append((side, closed, at))
        if closed:
            self.session.press(side, Instant(at))

    # ── The scenario ─────────────────────────────────────────────────────────
    def play(self, steps: list[Step], fingers: int) -> None:
        """Play a scenario's lines with up to so many touches before each."""
        for step in steps:
            until = ORIGIN + step.at_ns
            for at in sorted(self.rng.randint(self.now, max(self.now, until)) for _ in range(self.rng.randint(0, fingers))):
                self.pass_time(at)
                self.touch()
            self.pass_time(until)
            self._line(step)
        for _ in range(fingers):
            self.pass_time(self.now + self.rng.choice((40, 700, 2000, 400_000)) * NS_PER_MS)
            self.touch()
        self.check_way_back()

    def pass_time(self, at: int) -> None:
        """Let the table's time pass up to an instant, as far behind it as the real loop."""
        self.now = max(self.now, at)
        self.session.tick(Instant(max(0, self.now - 150 * NS_PER_MS)))

    def _line(self, step: Step) -> None:
        match step.word:
            case "press" | "edges":
                self.session.press(step.args["side"], Instant(self.now))
            case "power_cut":
                self._power_cut(int(step.args["off_s"]))
            case "wall_clock":
                self.session.wall_clock_trusted(Instant(self.now))
            case "take_over":
                self._spare(step.args["table"])
            case "end":
                pass
            case _:
                with contextlib.suppress(CommandRefused):  # the touches have brought the table elsewhere
                    self.session.command(to_command(step, LIBRARY, f"scenario-{next(self.ids)}", ORIGIN, ROSTER), Instant(self.now))

    def _spare(self, table: str) -> None:
        """A spare table goes on with the match."""
        rows = last_match(list(self.session._journal.rows()))  # type: ignore[attr-defined]
        self.session = Session(MemoryJournal(boot="spare"), [self.chronicle.hear])
        self.desk.take_over(self.session)
        self.session.command(c.SignIn(Official("Vera", Role.REFEREE)), Instant(self.now))
        with contextlib.suppress(CommandRefused, NotAdjourned):  # the touches have handed it in
            self.session.take_over(running_match(table, rows), None, Instant(self.now))

    def _power_cut(self, off: int) -> None:
        rows = tuple(self.session._journal.rows())  # type: ignore[attr-defined]
        beat = Instant(self.now)
        self.now += off
        self.session = Session(MemoryJournal(rows=rows), [self.chronicle.hear])
        self.desk.take_over(self.session)
        self.session.restore(rows, Instant(self.now), last_beat=beat, off=None)

    # ── Touches ──────────────────────────────────────────────────────────────
    def touch(self) -> None:
        """Touch something, mostly a control, and see that it was answered."""
        self.touches += 1
        self.now += 1  # nobody touches twice in one nanosecond
        if self.rng.random() < 0.04:
            self._sign_in()
        before = self.look()
        x, y = self._point(before)
        control = before.at(x, y)
        self._note(f"{self.now} {before.name}: {'nothing' if control is None else control.name or control.action} at {x}, {y}")
        state = self._state(before)
        self.desk.touch(x, y, self.now)
        if self.rng.random() < 0.2:
            self._drag(x, y)
        after = self.look()
        self._answered(control, before, after, changed=state != self._state(after))
        self.now += self.rng.choice((30, 80, 200, 400)) * NS_PER_MS
        self.desk.release(self.now)
        self.look()
        if self.rng.random() < 0.1:
            self.keys()
        if self.rng.random() < 0.05:
            self.check_way_back()

    def _sign_in(self) -> None:
        """An official comes, whoever it is, and has his menu before him."""
        with contextlib.suppress(CommandRefused):  # after five wrong PINs none is taken
            self.session.command(c.SignIn(self.rng.choice(ROSTER.officials())), Instant(self.now))
            if self.desk._open[-1:] != [Officials()]:
                self.desk._open.append(Officials())

    def _point(self, scene: Scene) -> tuple[int, int]:
        if scene.controls and self.rng.random() < 0.9:
            rect = self.rng.choice(scene.controls).rect
            return self.rng.randint(rect.x, rect.right - 1), self.rng.randint(rect.y, rect.bottom - 1)
        return self.rng.randrange(self.place.w), self.rng.randrange(self.place.h)

    def _drag(self, x: int, y: int) -> None:
        for _ in range(self.rng.randint(1, 30)):
            x, y = x + self.rng.randint(-40, 40), y + self.rng.randint(-40, 40)
            self.desk.move(x, y, self.now)

    def keys(self) -> None:
        """Use the keyboard a little."""
        for _ in range(self.rng.randint(1, 6)):
            self._note(f"{self.now} key")
            self.rng.choice(
                (
                    lambda: self.desk.step_focus(self.rng.choice((1, -1)), self.now),
                    lambda: self.desk.enter(self.now),
                    lambda: self.desk.back(self.now),
                    lambda: self.desk.typed(self.rng.choice(("a", "Љ", "ნ", " ", "\b", "&")), self.now),
                )
            )()
            self.now += self.rng.choice((0, 20, 500)) * NS_PER_MS
        self.look()

    def look(self) -> Scene:
        """The picture now; nothing may have failed in it."""
        scene = self.desk.scene(self.place, self.now)
        if self.faults:
            raise self._wrong(f"a fault in the screen: {self.faults}")
        return scene

    def _state(self, scene: Scene) -> object:
        said = self.desk._said
        return without_ring(scene, self.place), said, self.chronicle.count, len(self.pressed), self.desk._holding.copy()

    def _answered(self, control: Control | None, before: Scene, after: Scene, *, changed: bool) -> None:
        if before.name != "asleep" and not any(isinstance(op, Disc) and op.r == self.place.touch // 4 for op in after.ops):
            raise self._wrong("a touch without its ring")
        if control is None or changed or before.name == "asleep":
            return
        if isinstance(control.action, a.Turn | a.Prefer):
            return  # what is chosen already stays chosen
        if isinstance(control.action, a.Heard | a.Draw):
            return  # an alert that has only just come up; a stroke begins under the ring
        raise self._wrong(f"a silent touch on {control.name!r} of {before.name}: {control.action}")

    # ── Dead ends ────────────────────────────────────────────────────────────
    def check_way_back(self) -> None:
        """A few steps back lead to the base screen, and from there the match can go on."""
        for _ in range(DEEPEST):
            self.desk.back(self.now)
            self.look()
        if self.desk._open:
            raise self._wrong(f"no way back from {self.desk._open}")
        self.now += NS_PER_S
        scene = self.look()
        shot = self.session.snapshot(Instant(self.now))  # what time alone has brought about is on the screen before it is on record
        phase, held = shot.phase, shot.table.awaiting
        if scene.name == "asleep":
            return
        if held is not None and held.disputed:
            scene = self._menu()  # only a referee decides; but the players can still end it
        if not any(leads_on(control) for control in scene.controls):
            raise self._wrong(f"a dead end on {scene.name} in {phase}: {[one.name for one in scene.controls if one.why is None]}")
        without = "start" if shot.table.chouette is None else "chouettetable"
        expected = {None: without, Phase.RECORDING: "confirm", Phase.BREAK: "pause", **dict.fromkeys(OVER, "finished")}.get(phase, "face")
        if held is None and scene.name != expected:
            raise self._wrong(f"{scene.name} lies at the bottom of {phase}")

    def _menu(self) -> Scene:
        self.desk._open.append(Menu())
        scene = self.look()
        self.desk._open.pop()
        return scene

    def _note(self, words: str) -> None:
        self.trail = [*self.trail[-19:], words]

    def _wrong(self, what: str) -> WrongError:
        return WrongError(what + "\n  " + "\n  ".join(self.trail))


def without_ring(scene: Scene, place: Place) -> tuple[Op, ...]:
    """A picture without the ring that marks a touch."""
    return tuple(op for op in scene.ops if not (isinstance(op, Disc) and op.r == place.touch // 4 and op.width))


def leads_on(control: Control) -> bool:
    """Whether a control can bring a match forward."""
    if control.area or control.why is not None:
        return False
    match control.action:
        case a.Do() | a.Begin() | a.BeginChouette() | a.Press():
            return True
        case a.Open():
            return not isinstance(control.action.screen, ASIDE)
        case _:
            return False


def some_place(rng: random.Random) -> Place:
    """A panel of any size, often one of the usual ones."""
    usual = ((800, 480), (1024, 600), (1280, 800), (720, 1280), (480, 800), (1920, 1080))
    w, h = rng.choice(usual) if rng.random() < 0.7 else (rng.randint(480, 1600), rng.randint(320, 1300))
    return place_for(w, h)


def evening(path: Path, seed: int, fingers: int) -> Player:
    """Play one scenario with random touches."""
    rng = random.Random(f"{path.stem}-{seed}")
    player = Player(rng, some_place(rng))
    player.play(steps_of(path), fingers)
    return player


_STEPS: dict[Path, list[Step]] = {}


def steps_of(path: Path) -> list[Step]:
    """A scenario's lines; none where the file is one of the wrong ones."""
    if path not in _STEPS:
        try:
            _STEPS[path] = load(path, BOOKS)
        except ScenarioError:
            _STEPS[path] = []
    return _STEPS[path]


def main(seconds: float = 60, seed: int = 0) -> None:
    """Touch until the time is over."""
    end, total, runs = time.monotonic() + seconds, 0, 0
    while time.monotonic() < end:
        for path in SCENARIOS:
            if time.monotonic() >= end:
                break
            try:
                total += evening(path, seed, 12).touches
            except Exception:
                print(f"{path.stem}, seed {seed}")
                raise
            runs += 1
        seed += 1
    print(f"{total} touches in {runs} evenings: nothing failed, every touch was answered, there was always a way back.")


if __name__ == "__main__":
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    main(*(float(sys.argv[1]) if len(sys.argv) > 1 else 60,), *(int(arg) for arg in sys.argv[2:3]))
