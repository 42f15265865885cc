"""A button box without hardware: it says what BUTTON_BOX.md says, behind a pseudo-terminal, with a counter of its own that drifts.

Chosen explicitly, never silently: name its path as `buttons_device`. To try a table on a desktop:

    python -m hardware.simulated_box_serial /tmp/box        # then say `left` or `right` for a press

It fails as real ones do: its cable can be pulled out and put in again, it can begin anew, fall silent, hold its lines back for a while as a
stalled USB stack does, or say anything at all.
"""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from hardware.box_lines import SEQUENCES, VERSION, Splitter, sealed
from hardware.edges import LINES
from hardware.offset import COUNTER
from hardware.simulated_serial import SimulatedPort

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.edges import Line

BEAT_S = 0.5
PRESS_S = 0.08


class SimulatedButtonBox:
    """Two contacts, a counter, a cable."""

    def __init__(
        self,
        path: Path,
        *,
        name: str = "simulated",
        counter_us: int = 0,
        drift_ppm: float = 40,
        now_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Build a box; it is switched on and its cable put in by `plug`.

        Args:
            path: The symbolic link that plays the device's name.
            name: What it calls itself.
            counter_us: Its counter when it begins, microseconds.
            drift_ppm: By how much its clock is too fast, in parts in a million.
            now_ns: The true clock.
        """
        self._port = SimulatedPort(path, self._written)
        self._name = name
        self._first_us = counter_us
        self._drift = drift_ppm / 1e6
        self._now_ns = now_ns
        self._lock = threading.RLock()
        self._splitter = Splitter()
        self._sequence = 0
        self._closed: dict[Line, bool] = dict.fromkeys(LINES, False)
        self._held: list[bytes] | None = None
        self._began = now_ns()
        self._off = threading.Event()
        self._beater: threading.Thread | None = None
        self.silent = False
        """A box that hangs: it says nothing by itself and answers nothing."""
        self.answers_pings = True
        self.version = VERSION

    def plug(self) -> None:
        """Put the cable in: the box is switched on by it, begins anew, and says hello."""
        self._port.plug()
        self._off = threading.Event()
        self._beater = threading.Thread(target=self._beat, args=(self._off,), name="simulated box", daemon=True)
        self.reset()
        self._beater.start()

    def unplug(self) -> None:
        """Pull the cable out, in the middle of whatever is being said."""
        self._off.set()
        self._port.unplug()
        beater, self._beater = self._beater, None
        if beater is not None:
            beater.join()

    def reset(self) -> None:
        """Let the box begin anew by itself: number and counter restart, contacts stay as they are."""
        with self._lock:
            self._sequence, self._began, self._held = 0, self._now_ns(), None
            self._state("hello")

    def drive(self, line: Line, closed: bool, at_ns: int | None = None, *, lost: bool = False) -> None:  # noqa: FBT001 - a level is a truth value
        """Close or open a contact.

        Args:
            line: Which button.
            closed: True closes it.
            at_ns: When, on the true clock; None is now.
            lost: The box counts the edge and can't send it.
        """
        with self._lock:
            at = self._now_ns() if at_ns is None else at_ns
            self._closed[line] = closed
            self._sequence = (self._sequence + 1) % SEQUENCES
            if not lost:
                self._say(f"edge {self._sequence} {self.counter(at)} {line[0].upper()} {int(closed)}")

    def beat(self) -> None:
        """Say how everything stands, now."""
        with self._lock:
            self._state("beat")

    def hold(self) -> None:
        """Keep what is said inside, as a stalled USB stack does, until `release`."""
        with self._lock:
            self._held = []

    def release(self) -> None:
        """Say everything that was held back."""
        with self._lock:
            held, self._held = self._held or [], None
            self._port.send(b"".join(held))

    def say(self, data: bytes) -> None:
        """Say anything at all, whole or half, right or wrong."""
        self._port.send(data)

    def unheard(self) -> int:
        """How many bytes wait for the table to read."""
        return self._port.unheard()

    def counter(self, at_ns: int) -> int:
        """The box's counter at an instant of the true clock."""
        return (self._first_us + int((at_ns - self._began) * (1 + self._drift) // 1_000)) % COUNTER

    def _beat(self, off: threading.Event) -> None:
        while not off.wait(BEAT_S):
            self.beat()

    def _state(self, word: str) -> None:
        before = f"hello {self.version} {self._name}" if word == "hello" else word
        levels = "".join(str(int(self._closed[line])) for line in LINES)
        self._say(f"{before} {self._sequence} {self.counter(self._now_ns())} {levels}")

    def _say(self, words: str) -> None:
        if self.silent:
            return
        if self._held is None:
            self._port.send(sealed(words))
        else:
            self._held.append(sealed(words))

    def _written(self, data: bytes) -> None:
        for line in self._splitter.feed(data):
            words, _, _ = line.decode("ascii", "replace").rpartition("*")
            with self._lock:
                if sealed(words).strip() != line:
                    continue
                if words == "who":
                    self._state("hello")
                elif words.startswith("ping ") and self.answers_pings:
                    self._say(f"pong {words[5:]} {self.counter(self._now_ns())}")


def main(arguments: list[str]) -> int:
    """Play a box until the input ends: each line `left` or `right` is a press."""
    if len(arguments) != 1:
        print("usage: python -m hardware.simulated_box_serial PATH", file=sys.stderr)  # noqa: T201 - a command
        return 2
    box = SimulatedButtonBox(Path(arguments[0]))
    box.plug()
    print(f"A button box is plugged in at {arguments[0]}; say left or right for a press.", flush=True)  # noqa: T201
    try:
        for said in sys.stdin:
            for line in LINES:
                if said.strip() == line:
                    box.drive(line, closed=True)
                    time.sleep(PRESS_S)
                    box.drive(line, closed=False)
    finally:
        box.unplug()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
