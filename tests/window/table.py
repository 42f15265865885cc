"""A table in its own window, used as people use it: clicks and keys from outside, answers read from its console.

Where a control lies is asked of a twin: a desk in this process on which the same is done at the same time. What the window has come to
is asked of the running table; `agree` compares the two.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pygame

from kiosk.app.panel import remembered
from kiosk.app.result import Log, build
from kiosk.app.roster import FileRoster
from kiosk.domain.types import Instant, Pair, Side
from kiosk.journal import MemoryJournal, read_rows
from kiosk.ports import Row
from kiosk.session import Session, lamps
from kiosk.ui.chronicle import Chronicle
from kiosk.ui.desk import Desk
from kiosk.ui.draw import Control, Scene
from kiosk.ui.paint import Painter
from kiosk.ui.saying import SETTLE
from kiosk.ui.window import place_for
from tests.ui.moments import BOOKS
from tests.window.display import Display, Spot

if TYPE_CHECKING:
    from kiosk.ui.badge import Answer

KIOSK = (sys.executable, "-c", "from kiosk.app.main import main; main()")
TOP = Path(__file__).parents[2]
PATIENCE_S = 60
FOLLOWS_S = 5
"""So long a window may take to show what its twin shows, before a hand touches it all the same."""

LEFT, RIGHT = Side.LEFT, Side.RIGHT
KEYS = {LEFT: "38", RIGHT: "46"}
"""The keys A and L by their place, whatever they bear."""

APART_S = 0.15
"""Two hands are never quicker: a press within a tenth of a second after one that counted is a dead one."""


class Twin:
    """The same desk in this process."""

    def __init__(self, rows: tuple[Any, ...] = ()) -> None:
        self.chronicle = Chronicle(lambda: "")
        self.chronicle.recall(remembered(rows))
        self.journal = MemoryJournal(rows=rows)
        self.session = Session(self.journal, [self.chronicle.hear])
        self.place = place_for(800, 480)
        if rows:
            now = Instant(time.monotonic_ns())
            self.session.restore(rows, now, last_beat=None, off=None)
        self.desk = Desk(self.session, BOOKS, self.chronicle, new_match=lambda: f"m{time.monotonic_ns()}", press=self._contact)
        self.desk.lamps, self.desk.sounds = self._lit, True  # a simulated table has both

    def _contact(self, side: Side, closed: bool, at: int) -> None:  # noqa: FBT001 - a level is a truth value
        if closed:
            self.session.press(side, Instant(at))

    def _lit(self) -> Pair[bool]:
        shot = self.session.snapshot(Instant(time.monotonic_ns()))
        return Pair(*(glow.is_lit(shot.at) for glow in lamps(shot)))

    def scene(self) -> Scene:
        now = time.monotonic_ns()
        self.session.tick(Instant(now))
        return self.desk.scene(self.place, now)


class WindowTable:
    """`kiosk run --simulate` on a display."""

    def __init__(self, display: Display, config: Path, *options: str, twin: Twin | None = None, settings: str = "") -> None:
        self.display = display
        self.config = config
        self.journal = config / "data" / "journal.db"
        (config / "kiosk.toml").write_text(f'data = "{config}/data"\n{settings}', encoding="utf-8")
        self.said: list[dict[str, Any]] = []
        self._buffer = b""
        self._log = (config / "stderr").open("ab")
        command = [*KIOSK, "--config", str(config), "run", "--simulate", *options]
        self.process = subprocess.Popen(
            command, cwd=TOP, env=display.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._log, bufsize=0
        )
        self.ready = self._line(PATIENCE_S)
        assert self.ready.startswith("ready"), self.log()
        self.spot: Spot = display.window(self.process.pid)
        self.twin = twin or Twin()
        self.roster = FileRoster(config / "data" / "officials.json")
        self.twin.desk.roster = self.roster
        self.twin.desk.look_up = self._look_up

    # ── Its voice ────────────────────────────────────────────────────────────
    def _line(self, timeout: float) -> str:
        assert self.process.stdout is not None
        until = time.monotonic() + timeout
        while b"\n" not in self._buffer:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0.0, until - time.monotonic()))
            data = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            if not data:
                return ""
            self._buffer += data
        line, self._buffer = self._buffer.split(b"\n", 1)
        return line.decode()

    def log(self) -> str:
        """What it said on standard error, in all its lives."""
        return (self.config / "stderr").read_text(encoding="utf-8")

    def status(self) -> dict[str, Any]:
        """The running table, as it tells it itself."""
        assert self.process.stdin is not None
        self.process.stdin.write(b'{"do": "status"}\n')
        while line := self._line(PATIENCE_S):
            answer: dict[str, Any] = json.loads(line)
            if "status" in answer:
                found: dict[str, Any] = answer["status"]
                return found
            self.said.append(answer)
        raise AssertionError(f"the table does not answer: {self.log()}")

    def until(self, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Wait until the table has come to something."""
        end = time.monotonic() + PATIENCE_S
        while not holds(found := self.status()):
            assert time.monotonic() < end, found
            time.sleep(0.02)
        return found

    def agree(self) -> dict[str, Any]:
        """The window's table stands where its twin does, give or take what a clock runs in between."""
        self.twin.session.tick(Instant(time.monotonic_ns()))
        wanted = _still(build(self.twin.session.snapshot(Instant(time.monotonic_ns())), Log(), 0))
        end = time.monotonic() + PATIENCE_S
        while _still(found := self.status()) != wanted:
            assert time.monotonic() < end, (_still(found), wanted, self.log())
            time.sleep(0.02)
        return found

    def recorded(self) -> list[str]:
        """What its journal holds, in order, as soon as that is what was done here; without what time alone brings about."""
        wanted = _done(self.twin.journal.rows())
        end = time.monotonic() + PATIENCE_S
        while (found := _done(self.rows())) != wanted:
            assert time.monotonic() < end, (found, wanted, self.log())
            time.sleep(0.02)
        return found

    def _look_up(self, pin: str, answer: Answer) -> None:
        """Whose PIN it is comes out here when it has come out in the window, which finds it out beside its loop."""
        known = _tries(self.twin.journal.rows())
        end = time.monotonic() + PATIENCE_S
        while _tries(self.rows()) == known:
            assert time.monotonic() < end, self.log()
            time.sleep(0.02)
        answer(self.roster.find(pin), time.monotonic_ns())

    # ── Hands ────────────────────────────────────────────────────────────────
    def control(self, name: str) -> Control:
        """Where something is that bears a name; waits until touching it counts."""
        follows = self._follows()
        found = self._named(name)
        if found is None and name != "told" and self._named("told") is not None:
            self.click("told")  # a word lies over it: it goes at a touch
            return self.control(name)
        since = self.twin.desk._telling_since if name == "told" else self.twin.desk._since(found) if found is not None else 0
        time.sleep(max(0.0, (max(since, follows) + SETTLE - time.monotonic_ns()) / 1e9) + 0.08)
        found = self._named(name)
        scene = self.twin.scene()
        assert found is not None, f"{name!r} is not on {scene.name}: {[control.name for control in scene.controls]}"
        return found

    def _named(self, name: str) -> Control | None:
        return next((control for control in self.twin.scene().controls if control.name == name), None)

    def click(self, name: str) -> None:
        """Click what bears a name, here and there."""
        rect = self.control(name).rect
        x, y = rect.x + rect.w // 2, rect.y + rect.h // 2
        self.spot.click(x, y)
        self.twin.desk.touch(x, y, time.monotonic_ns())
        self.twin.desk.release(time.monotonic_ns())

    def press(self, side: Side) -> None:
        """A clock button, as a key."""
        time.sleep(APART_S)
        self.twin.session.press(side, Instant(time.monotonic_ns()))
        self.spot.key(KEYS[side])

    def type(self, text: str) -> None:
        """On the real keyboard."""
        self.display.do("type", "--delay", "40", text)
        for letter in text:
            self.twin.desk.typed(letter, time.monotonic_ns())

    def sign(self) -> None:
        """Draw two strokes where one signs."""
        pad = self.control("pad").rect
        x, y = pad.x + pad.w // 4, pad.y + pad.h // 2
        for stroke in (((x, y), (x + 20, y - 30), (x + 40, y + 20)), ((x + 60, y), (x + 90, y - 10), (x + 120, y + 10))):
            self.spot.draw(*stroke)
            desk = self.twin.desk
            desk.touch(*stroke[0], time.monotonic_ns())
            for point in stroke[1:]:
                desk.move(*point, time.monotonic_ns())
            desk.release(time.monotonic_ns())

    # ── Eyes ─────────────────────────────────────────────────────────────────
    def _follows(self) -> int:
        """Wait until the window shows the twin's screen, however busy the machine is; when that was seen to be so, 0 for at once."""
        end = time.monotonic() + FOLLOWS_S
        came = 0
        while self.sampled() < 0.9 and time.monotonic() < end:
            time.sleep(0.02)
            came = time.monotonic_ns()
        return came

    def sampled(self) -> float:
        """Which share of points all over the picture is as the twin's desk paints them."""
        w, h = self.spot.picture
        surface = pygame.Surface((w, h))
        Painter(surface).paint(self.twin.scene())
        points = [(x, y) for x in range(5, w, 19) for y in range(5, h, 19)]
        same = sum(self.spot.pixel(x, y) == surface.get_at((x, y))[:3] for x, y in points)
        return same / len(points)

    def looks_right(self) -> float:
        """Which share of the window's pixels is as the twin's desk paints them."""
        scene = self.twin.scene()
        surface = pygame.Surface((self.spot.w, self.spot.h), depth=32)
        Painter(surface).paint(scene)
        wanted = surface.get_view("2").raw
        seen = b"".join(self.display.rows(self.spot.x, self.spot.y, self.spot.w, self.spot.h))
        same = sum(wanted[i : i + 3] == seen[i : i + 3] for i in range(0, len(seen), 4))
        return same * 4 / len(seen)

    # ── Its end ──────────────────────────────────────────────────────────────
    def ends(self) -> int:
        """Wait for its exit code."""
        code = self.process.wait(PATIENCE_S)
        self._close()
        return code

    def cut_power(self) -> None:
        """As the plug would."""
        self.process.send_signal(signal.SIGKILL)
        self.ends()

    def leave(self) -> None:
        """Whatever came before, nothing stays behind."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._close()

    def _close(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout, self._log):
            if pipe is not None:
                pipe.close()

    def rows(self) -> tuple[Any, ...]:
        """What its journal holds."""
        return tuple(read_rows(self.journal))


def _done(rows: Iterable[Row]) -> list[str]:
    return [row.type for row in rows if row.type not in {"alert_raised", "wall_clock_trusted"}]


def _tries(rows: Iterable[Row]) -> int:
    """How many PINs were given."""
    return sum(row.type in {"official_signed_in", "sign_in_failed"} for row in rows)


def _still(status: dict[str, Any]) -> dict[str, Any]:
    """Of a status, what stands while a clock runs and does not hang on the millisecond of a press."""
    clock = status["clock"] or {}
    match = status["match"] or {}
    return {
        "phase": status["phase"],
        "running": clock.get("running"),
        "turn": clock.get("turn"),
        "turns": clock.get("turns"),
        "length": match.get("length"),
        "score": match.get("score"),
        "game": match.get("game"),
        "cube": match.get("cube"),
        "games": match.get("games"),
        "ended": match.get("ended"),
        "checked": status["checked"],
        "signed": status["signed"],
        "rulings": status["rulings"],
        "appeals": status["appeals"],
        "revision": status["sheet_revision"],
    }


__all__ = ["KEYS", "KIOSK", "LEFT", "RIGHT", "TOP", "Pair", "Twin", "WindowTable"]
