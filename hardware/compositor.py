"""`cage`, the compositor that shows one program on the whole panel: the second way to a picture without a desktop.

This process turns into `cage`, which starts the same command again inside itself: the process id stays, and so does what is printed and
read; the exit code does not, `cage` 0.1.4 ends with 0 whatever the command ended with. Who waits for word from the table (systemd) has to
take it from a child: `NotifyAccess=all`.
"""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Mapping

INSIDE = "TABLESIDE_INSIDE"
"""Set to `cage` for what runs inside it, so that it enters no second one."""


class NoCompositorError(OSError):
    """The world failed: `cage` cannot be had here; the text says why."""


def is_inside(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether this process runs inside the compositor."""
    return environment.get(INSIDE) == "cage"


def cage_lacks(environment: Mapping[str, str], *, root: bool) -> list[str]:
    """What stands between this process and `cage`: clauses, what is missing and what to do; none where it can be entered.

    Args:
        environment: The process's environment.
        root: Whether it runs as root.
    """
    lacks = []
    if root:
        lacks.append("cage refuses root; run the table as a user of its own, in the groups video, render and input")
    search = environment.get("PATH", os.defpath)
    if shutil.which("cage", path=search) is None:
        lacks.append("cage cannot be found; apt-get install cage")
    if shutil.which("Xwayland", path=search) is None:
        lacks.append("Xwayland cannot be found, without which cage does not start; apt-get install xwayland")
    folder = runtime_folder(environment)
    if not os.access(folder, os.W_OK) or not folder:
        told = f"{folder} cannot be written" if folder else "XDG_RUNTIME_DIR is not set"
        lacks.append(f"{told}: cage puts its socket there; in a systemd unit RuntimeDirectory= makes such a folder")
    return lacks


def runtime_folder(environment: Mapping[str, str]) -> str:
    """Where the compositor's socket goes: XDG_RUNTIME_DIR, or the folder that systemd made for the unit."""
    return environment.get("XDG_RUNTIME_DIR") or environment.get("RUNTIME_DIRECTORY", "").partition(":")[0]


def inside(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment for the command inside.

    WATCHDOG_PID is taken out: it names the process that turned into `cage`, and the table, now its child, would feed no watchdog.

    Args:
        environment: This process's.
    """
    kept = {name: value for name, value in environment.items() if name not in {"SDL_VIDEODRIVER", "WATCHDOG_PID"}}
    return {**kept, INSIDE: "cage", "XDG_RUNTIME_DIR": runtime_folder(environment)}


def enter_cage() -> NoReturn:
    """Turn into `cage` around this very command. Whatever is open and not inherited is gone; nothing may have been begun.

    Raises:
        NoCompositorError: It cannot be had; the text says why.
    """
    lacks = cage_lacks(os.environ, root=os.geteuid() == 0)
    if lacks:
        raise NoCompositorError("; ".join(lacks))
    os.execvpe("cage", ["cage", "-d", "--", sys.executable, *sys.orig_argv[1:]], inside(os.environ))  # noqa: S606, S607 - found in PATH, no shell
