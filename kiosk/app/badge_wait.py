"""Waiting on the command line for one badge at this table's reader."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from kiosk.app.lines import say
from kiosk.domain.errors import RosterError
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware import Badge
    from kiosk.app.config import Config

PATIENCE_S = 60.0
"""So long a badge is waited for."""

OPENING_S = 3.0
"""So long a reader may be away before that is the answer."""


def presented(config: Config, patience_s: float = PATIENCE_S, opening_s: float = OPENING_S) -> str:
    """The number of the badge that is presented next.

    Raises:
        RosterError: This table has no reader, it is not there, or nobody presents a badge.
    """
    from hardware import BadgeReader, finder

    if config.badges is None:
        raise RosterError(_("This table has no badge reader; name it with `badges` in kiosk.toml, or use --number-stdin."))
    rung = threading.Event()
    reader = BadgeReader(finder(config.badges), rung.set, baud=config.badges_baud)
    reader.start()
    try:
        _wait(rung, lambda: reader.link.health().connected, opening_s)
        if not reader.link.health().connected:
            raise RosterError(
                _(
                    "{fault} Where this table runs, it holds the reader: sign in there with the PIN and hold the badge to it.",
                    fault=reader.fault(),
                )
            )
        say(_("Hold the badge to the reader …"), err=True)
        found: list[Badge] = []

        def came() -> bool:
            found.extend(reader.drain())
            return bool(found)

        _wait(rung, came, patience_s)
    finally:
        reader.close()
    if not found:
        raise RosterError(_("No badge came within a minute; nothing has changed."))
    return found[0].number


def _wait(rung: threading.Event, until: Callable[[], bool], longest_s: float) -> None:
    end = time.monotonic() + longest_s
    while not until() and time.monotonic() < end:
        rung.wait(0.1)
        rung.clear()
