"""`cage` with a screen that nobody sees, for a user who is not root: what it needs, and its picture."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

TOOLS = {"cage": "cage", "Xwayland": "xwayland", "grim": "grim"}
HEADLESS = {"WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1"}
NOBODY = 65534
AS_NOBODY = (
    *("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"),
    *("--inh-caps", "+dac_read_search", "--ambient-caps", "+dac_read_search"),  # the interpreter may lie where only root looks
)


def as_user() -> tuple[str, ...]:
    """What makes a command run as somebody who is not root."""
    return AS_NOBODY if os.geteuid() == 0 else ()


def missing() -> str:
    """What these tests need and this machine does not have, or an empty text."""
    lacks = [package for tool, package in TOOLS.items() if shutil.which(tool) is None]
    if lacks:
        return f"there is no {' and no '.join(lacks)}; install cage, xwayland and grim"
    if as_user() and (shutil.which("setpriv") is None or subprocess.run([*as_user(), sys.executable, "-c", ""], check=False).returncode):
        return "nobody but root may run this Python here, and cage refuses root"
    return ""


def environment(folder: Path, given: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment of a compositor whose socket lies in a folder."""
    unwanted = {"DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "TABLESIDE_INSIDE"}
    plain = {key: value for key, value in given.items() if key not in unwanted}
    return {**plain, **HEADLESS, "XDG_RUNTIME_DIR": str(folder), "HOME": str(folder)}


def shot(folder: Path) -> bytes:
    """The compositor's picture as PNG, or nothing where it gives none."""
    sockets = sorted(path.name for path in folder.glob("wayland-*") if path.suffix != ".lock")
    if not sockets:
        return b""
    told = {**environment(folder), "WAYLAND_DISPLAY": sockets[0]}
    done = subprocess.run([*as_user(), "grim", "-"], env=told, capture_output=True, check=False, timeout=60)
    return done.stdout
