"""A panel's backlight, through the kernel's files: a folder below /sys/class/backlight with `max_brightness` and `brightness`.

Writing takes as long as the bus to the panel does (a DSI panel's is slow): whoever has a loop writes on another thread. A panel on HDMI
mostly has none. The simulated twin is the same code on a folder of plain files.
"""

from __future__ import annotations

import errno
from pathlib import Path

from hardware.edges import HardwareFault

CLASS = Path("/sys/class/backlight")

KINDS = ("firmware", "platform", "raw")
"""Which is to be preferred where one panel has several, by the kernel's own advice."""

ON = "0"
"""What the kernel calls a panel with power in `bl_power`."""


class Backlight:
    """One backlight."""

    def __init__(self, folder: Path) -> None:
        """Look at it; nothing is changed.

        Args:
            folder: Its folder.

        Raises:
            HardwareFault: It is none, or cannot be read.
        """
        self.folder = folder
        """Its folder."""
        try:
            self.most = int(self._read("max_brightness"))
            """The largest figure that it takes."""
            int(self._read("brightness"))
        except (OSError, ValueError) as error:
            raise HardwareFault(f"{folder} is no backlight that can be read: {_why(error)}.") from error
        if self.most < 1:
            raise HardwareFault(f"{folder} is no backlight: its max_brightness is {self.most}.")

    def now(self) -> float:
        """How bright it is set, from 0 to 1.

        Raises:
            OSError: It cannot be read.
            ValueError: What it says is no figure.
        """
        return int(self._read("brightness")) / self.most

    def set(self, share: float) -> None:
        """Make it so bright.

        Args:
            share: From 0, unlit, to 1; above 0 it stays lit, however coarse its steps are.

        Raises:
            HardwareFault: It cannot be written; the text says what to do.
        """
        figure = max(1, round(min(share, 1) * self.most)) if share > 0 else 0
        try:
            (self.folder / "brightness").write_text(f"{figure}\n", encoding="ascii")
            if share > 0:
                self._power_on()
        except OSError as error:
            raise HardwareFault(_cannot(self.folder, error)) from error

    def _power_on(self) -> None:
        """Light a panel that something else has powered off; what is lit is left alone."""
        power = self.folder / "bl_power"
        if power.exists() and self._read("bl_power").strip() != ON:
            power.write_text(f"{ON}\n", encoding="ascii")

    def _read(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="ascii")


def find_backlight(wanted: str = "", top: Path = CLASS) -> Backlight | None:
    """The panel's backlight.

    Args:
        wanted: Its name below `top`, or a folder's path; an empty text takes the one that the kernel prefers.
        top: Where backlights are looked for.

    Returns:
        None where none was named and there is none.

    Raises:
        HardwareFault: The one that was named is not there, or one that is there cannot be read.
    """
    there = sorted(path.parent for path in top.glob("*/max_brightness"))
    if wanted:
        folder = top / wanted  # a path stays itself
        if not (folder / "max_brightness").exists():
            names = ", ".join(path.name for path in there) or "none"
            raise HardwareFault(f"{folder} is no backlight; there are: {names}. Set `backlight` in kiosk.toml, or leave it out.")
        return Backlight(folder)
    return Backlight(min(there, key=_rank)) if there else None


def simulated_backlight(folder: Path, most: int = 255) -> Backlight:
    """A backlight of plain files, lit: nobody sees it, everybody can read it.

    Args:
        folder: Where its files are put; made where it is missing.
        most: The largest figure that it takes.

    Raises:
        OSError: The files cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {"max_brightness": str(most), "brightness": str(most), "bl_power": ON, "type": "raw"}.items():
        (folder / name).write_text(f"{text}\n", encoding="ascii")
    return Backlight(folder)


def _rank(folder: Path) -> int:
    try:
        kind = (folder / "type").read_text(encoding="ascii").strip()
    except OSError:
        kind = ""
    return KINDS.index(kind) if kind in KINDS else len(KINDS)


def _cannot(folder: Path, error: OSError) -> str:
    if isinstance(error, PermissionError):
        return f"{folder}/brightness may not be written; the udev rules give it to the group video: install them, and add the user."
    if error.errno == errno.EROFS:
        return f"{folder}/brightness is read-only for this process: its unit must not have ProtectKernelTunables=yes."
    return f"{folder}/brightness cannot be written: {_why(error)}."


def _why(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
