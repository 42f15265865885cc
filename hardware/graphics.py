"""What a picture without a desktop needs of the system, and what of it is missing: the reasons that SDL does not tell.

KMS needs a graphics card with a screen (`/dev/dri/card*`, group `video`), its renderer (`/dev/dri/renderD*`, group `render`), the libraries
that SDL opens by name, and for touches the input devices (`/dev/input/event*`, group `input`). Nothing here opens a device.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LIBRARIES = {"libdrm.so.2": "libdrm2", "libgbm.so.1": "libgbm1", "libEGL.so.1": "libegl1", "libGLESv2.so.2": "libgles2"}
"""What SDL opens for KMS, and the Debian package that brings it."""

NEVER_BLANK = b"\x1b[9;0]\x1b[14;0]"
"""A console's own words: no blanking, no powering down."""

JOIN = "add the user to the group {group}: usermod -aG {group} USER, then start anew"


def loads(library: str) -> bool:
    """Whether a shared library can be opened."""
    import ctypes

    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def reachable(path: Path) -> bool:
    """Whether this process may read and write a device."""
    return os.access(path, os.R_OK | os.W_OK)


def kms_lacks(dev: Path, *, may: Callable[[Path], bool] = reachable, has: Callable[[str], bool] = loads) -> list[str]:
    """What stands between this process and a picture by KMS.

    Args:
        dev: The folder of devices, `/dev`.
        may: Whether a device can be read and written.
        has: Whether a library can be opened.

    Returns:
        Clauses, what is missing and what to do; none where everything is there, so that another program holds the screen.
    """
    cards, renderers = sorted((dev / "dri").glob("card*")), sorted((dev / "dri").glob("renderD*"))
    if not cards:
        return [
            f"{dev}/dri has no card: this system has no graphics driver; on a Raspberry Pi config.txt needs the line dtoverlay=vc4-kms-v3d"
        ]
    lacks = []
    for devices, group in ((cards, "video"), (renderers, "render")):
        if devices and not any(may(device) for device in devices):
            lacks.append(f"{devices[0]} may not be used; " + JOIN.format(group=group))
    missing = {library: package for library, package in LIBRARIES.items() if not has(library)}
    if missing:
        lacks.append(f"{' and '.join(missing)} cannot be found; apt-get install {' '.join(missing.values())} libgl1-mesa-dri")
    return lacks


def touch_lacks(dev: Path, *, may: Callable[[Path], bool] = reachable) -> str:
    """Why no touch will be felt by KMS, or an empty text.

    Args:
        dev: The folder of devices, `/dev`.
        may: Whether a device can be read and written.
    """
    devices = sorted((dev / "input").glob("event*"))
    if not devices:
        return f"{dev}/input has no device: no touch panel is connected, or its driver is missing"
    if not any(may(device) for device in devices):
        return f"{devices[0]} may not be read; " + JOIN.format(group="input")
    return ""


def keep_console_lit(
    parameter: Path = Path("/sys/module/kernel/parameters/consoleblank"), consoles: Sequence[Path] = (Path("/dev/tty"), Path("/dev/tty0"))
) -> str:
    """Tell the kernel's console, which lies behind a picture by KMS, never to blank the screen.

    Args:
        parameter: After how many seconds it does; 0, the kernel's own, is never.
        consoles: The consoles to tell, until one listens.

    Returns:
        Why it may still go dark and what to do, or an empty text.
    """
    try:
        after = parameter.read_text(encoding="ascii").strip()
    except OSError:
        return ""  # a kernel without consoles
    if after == "0":
        return ""
    for console in consoles:
        try:
            with console.open("wb", buffering=0) as device:
                device.write(NEVER_BLANK)
        except OSError:
            continue
        return ""
    return f"the kernel blanks the screen after {after} s without a key; put consoleblank=0 into /boot/firmware/cmdline.txt"
