"""Finds out about the box itself: model, heat, supply, date, connected panels. `root` is where the system's files are, for the tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

from hardware import look_at_pins, panel_mm
from kiosk.app.doctor.figures import HeatFigures, PanelFigures, PinFigures, PowerFigures, TimeFigures
from kiosk.app.system import SYNCED, date_trusted

ROOT = Path("/")
MODEL = "sys/firmware/devicetree/base/model"
THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"
ANSWER_S = 3.0
"""How long `vcgencmd` may take."""

KEEPERS = {"timesync": "systemd-timesyncd", "chrony": "chrony"}
"""Who keeps the date, by the folder of its mark."""


def model(root: Path = ROOT) -> str:
    """The board's name, such as `Raspberry Pi 4 Model B Rev 1.4`; empty where the firmware does not say it."""
    return _text(root / MODEL).rstrip("\0").strip()


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def look_at_heat(root: Path = ROOT) -> HeatFigures:
    """The warmest of the system's sensors."""
    degrees = [int(text) / 1000 for text in map(_text, (root / "sys/class/thermal").glob("thermal_zone*/temp")) if text.isdecimal()]
    return HeatFigures(max(degrees, default=None))


def look_at_power(root: Path = ROOT) -> PowerFigures:
    """What the firmware says; on anything but a Pi nothing is asked."""
    if "raspberry pi" not in model(root).lower():
        return PowerFigures(pi=False)
    word = _word(_text(root / THROTTLED))
    return PowerFigures(pi=True, word=_word(_vcgencmd()) if word is None else word)


def _word(text: str) -> int | None:
    """`50005`, or `throttled=0x50005`."""
    try:
        return int(text.rpartition("=")[2], 16)
    except ValueError:
        return None


def _vcgencmd() -> str:
    command = shutil.which("vcgencmd")
    if command is None:
        return ""
    try:
        done = subprocess.run([command, "get_throttled"], capture_output=True, text=True, timeout=ANSWER_S, check=False)  # noqa: S603 - found on the system's path
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()


def look_at_time(root: Path = ROOT) -> TimeFigures:
    """Whether the date is right, who keeps it, and whether a battery clock is there."""
    clocks = sorted((root / "sys/class/rtc").glob("rtc*"))
    names = [_text(clock / "name").split(" ")[0] for clock in clocks]
    trusted = date_trusted()
    keeper = next((KEEPERS[path.parent.name] for path in SYNCED if path.exists()), "the kernel" if trusted else "")
    shown = time.strftime("%Y-%m-%d %H:%M:%S %Z")
    return TimeFigures(trusted, keeper, ", ".join(name or clock.name for name, clock in zip(names, clocks, strict=True)), shown)


def look_at_the_pins(*, simulated: bool, table_runs: bool) -> PinFigures:
    """The header's chip, and who holds the buttons' lines."""
    if simulated:
        return PinFigures(simulated=True)
    seen = look_at_pins()
    lines = tuple((line.line, line.gpio, line.holder) for line in seen.lines)
    return PinFigures(chip=seen.chip, label=seen.label, others=seen.others, lines=lines, fault=seen.fault, table_runs=table_runs)


def look_at_panels(inch: float | None, root: Path = ROOT) -> tuple[PanelFigures, ...]:
    """Every panel that the kernel sees: its pixels, and its size as the configuration or the panel itself says it."""
    found = []
    for connector in sorted((root / "sys/class/drm").glob("card*-*")):
        modes = _text(connector / "modes").split()
        if _text(connector / "status") != "connected" or not modes:
            continue
        w, _x, h = modes[0].rstrip("i").partition("x")
        found.append(panel_figures(connector.name.partition("-")[2], int(w), int(h), inch, _bytes(connector / "edid")))
    return tuple(found)


def panel_figures(connector: str, w: int, h: int, inch: float | None, edid: bytes = b"") -> PanelFigures:
    """A panel of so many pixels.

    Args:
        connector: As the kernel calls it.
        w: Pixels.
        h: Pixels.
        inch: Its diagonal as configured.
        edid: What it says of itself.
    """
    from kiosk.ui.window import INCHES, place_for

    target = place_for(w, h, inch).touch
    own = panel_mm(edid)
    if inch is None and own is not None:
        return PanelFigures(connector, w, h, own, "EDID", target)
    size = inch or INCHES.get((w, h))
    if size is None:
        return PanelFigures(connector, w, h, None, "", target)
    per_pixel = size * 25.4 / (w * w + h * h) ** 0.5
    return PanelFigures(connector, w, h, (round(w * per_pixel), round(h * per_pixel)), "inch" if inch else "usual", target)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def system_name(root: Path = ROOT) -> str:
    """The operating system, such as `Debian GNU/Linux 12 (bookworm)`, with its processor."""
    lines = dict(line.partition("=")[::2] for line in _text(root / "etc/os-release").splitlines())
    name = lines.get("PRETTY_NAME", "Linux").strip('"')
    return f"{name} {os.uname().machine}"
