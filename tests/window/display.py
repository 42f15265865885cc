"""A display that nobody sees: Xvfb on a free number, its pixels read from where it keeps them."""

from __future__ import annotations

import contextlib
import mmap
import os
import shutil
import struct
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from kiosk.ui.draw import Rect
from kiosk.ui.mount import Mount

PATIENCE_S = 60


def missing() -> str:
    """What a window test needs and this machine does not have, or an empty text."""
    found = [tool for tool in ("Xvfb", "xdotool", "setxkbmap") if shutil.which(tool) is None]
    return f"{' and '.join(found)} cannot be found; install xvfb, x11-xkb-utils and xdotool" if found else ""


class Display:
    """Xvfb without a window manager: room for every window, or the pixels of a panel."""

    SIZE = 1300

    def __init__(self, w: int = SIZE, h: int = SIZE) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="tableside-xvfb-")
        reading, writing = os.pipe()
        size = f"{w}x{h}x24"
        command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp", "-fbdir", self._folder.name]
        self._process = subprocess.Popen(command, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as said:
            number = said.readline().strip()
        assert number, "Xvfb ended before it had a display"
        self.name = f":{number}"
        with (Path(self._folder.name) / "Xvfb_screen0").open("rb") as file:
            self._memory = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        head = struct.unpack(">25I", self._memory[:100])
        self._start = head[0] + head[19] * 12
        self._line = head[12]

    def hurry(self) -> None:
        """Serve it before other programs, where that is allowed: a panel's own controller shares no core with anybody."""
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, self._process.pid, -10)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: BaseException | None, _where: TracebackType | None) -> None:
        self._process.terminate()
        self._process.wait()
        self._memory.close()
        self._folder.cleanup()

    def environment(self, given: Mapping[str, str] = os.environ) -> dict[str, str]:
        """An environment, this process's own unless another is given, with this display."""
        plain = {key: value for key, value in given.items() if key not in {"WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "XMODIFIERS"}}
        return {**plain, "DISPLAY": self.name}

    def pixel(self, x: int, y: int) -> tuple[int, int, int]:
        """One pixel of the screen as red, green, blue."""
        at = self._start + y * self._line + x * 4
        blue, green, red, _ = self._memory[at : at + 4]
        return red, green, blue

    def rows(self, x: int, y: int, w: int, h: int) -> list[bytes]:
        """A rectangle's pixels as they lie in memory, one text of bytes a row."""
        starts = (self._start + row * self._line + x * 4 for row in range(y, y + h))
        return [self._memory[at : at + w * 4] for at in starts]

    def do(self, *words: str) -> str:
        """Let xdotool do something."""
        done = subprocess.run(["xdotool", *words], env=self.environment(), capture_output=True, text=True, check=True, timeout=PATIENCE_S)
        return done.stdout.strip()

    def layout(self, name: str) -> None:
        """What the keys bear: `us`, `ru` …; a hand that types finds its letters there."""
        subprocess.run(["setxkbmap", "-display", self.name, name], check=True, timeout=PATIENCE_S)

    def window(self, process: int) -> Spot:
        """Wait for a process's window and give it the keyboard."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            command = ["xdotool", "search", "--onlyvisible", "--pid", str(process)]
            found = subprocess.run(command, env=self.environment(), capture_output=True, text=True, check=False)
            if found.stdout.strip():
                spot = Spot(self, found.stdout.split()[0])
                self.do("windowfocus", "--sync", spot.number)
                return spot
            time.sleep(0.02)
        raise AssertionError(f"no window of process {process} came")


class Spot:
    """A window on a display."""

    def __init__(self, display: Display, number: str) -> None:
        self.display = display
        self.number = number
        self.mount = Mount()
        """How the picture lies in the window."""
        self.look()

    def look(self) -> None:
        """See where it lies and how large it is."""
        lines = self.display.do("getwindowgeometry", "--shell", self.number).splitlines()
        told = dict(line.split("=") for line in lines)
        self.x, self.y, self.w, self.h = (int(told[key]) for key in ("X", "Y", "WIDTH", "HEIGHT"))

    def click(self, x: int, y: int) -> None:
        """Move to a pixel of the picture and click."""
        place = self.mount.on_panel(Rect(x, y, 1, 1), self.picture)
        self.display.do("mousemove", "--window", self.number, str(place.x), str(place.y), "click", "1")

    @property
    def picture(self) -> tuple[int, int]:
        """The pixels of the picture."""
        return self.mount.size(self.w, self.h)

    def pixel(self, x: int, y: int) -> tuple[int, int, int]:
        """One pixel of the picture as red, green, blue."""
        place = self.mount.on_panel(Rect(x, y, 1, 1), self.picture)
        return self.display.pixel(self.x + place.x, self.y + place.y)

    def draw(self, *points: tuple[int, int]) -> None:
        """A stroke with the button held."""
        moves = [word for x, y in points for word in ("mousemove", "--window", self.number, str(x), str(y), "sleep", "0.02")]
        self.display.do(*moves[:7], "mousedown", "1", *moves[7:], "mouseup", "1")

    def key(self, name: str) -> None:
        """Press a key, named or numbered, and let it go, as a hand would."""
        self.display.do("keydown", name, "sleep", "0.06", "keyup", name)

    def resize(self, w: int, h: int) -> None:
        """As a hand at its edge."""
        self.display.do("windowmove", self.number, "0", "0", "windowsize", "--sync", self.number, str(w), str(h))
        self.look()

    def close(self) -> None:
        """As the cross in its corner: a word from the window manager."""
        from tests.window.farewell import ask_to_close

        ask_to_close(self.display.name, int(self.number))

    def colours(self) -> int:
        """How many colours can be seen in every eighth of its lines."""
        found: set[bytes] = set()
        for row in self.display.rows(self.x, self.y, self.w, self.h)[::8]:
            found.update(row[i : i + 4] for i in range(0, len(row), 4))
        return len(found)
