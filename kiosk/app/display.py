"""The window of this table, opened on what the configuration says; where it cannot be, what is missing and what to do about it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from hardware import NoCompositorError, cage_lacks, enter_cage, is_inside, keep_console_lit, kms_lacks, touch_lacks
from kiosk.app.logs import log
from kiosk.say import _

if TYPE_CHECKING:
    from kiosk.app.config import Config
    from kiosk.ui.window import Window

DEVICES = Path("/dev")


def open_window(config: Config, size: tuple[int, int] | None, *, fullscreen: bool) -> Window:
    """Open this table's window, on KMS first and inside `cage` second where the configuration leaves it open.

    For `cage` this process is replaced by it: nothing of the table may have been begun.

    Args:
        config: The table's configuration.
        size: The panel's pixels; None as it is.
        fullscreen: Take the whole screen of a desktop too.

    Raises:
        NoDisplayError: There is no display; the sentence says what is missing.
    """
    from kiosk.ui.window import NoDisplayError, Window, drivers

    display = config.display
    if display == "cage" and not is_inside():
        _enter()
    try:
        window = Window(
            size=size,
            fullscreen=fullscreen,
            inch=config.inch,
            display="cage" if is_inside() else display,
            mount=config.mount,
        )
    except NoDisplayError as error:
        tried = drivers(display)
        if is_inside() or display == "window" or tried not in ([], ["kmsdrm"]):
            raise
        lacks = kms_lacks(DEVICES)
        if display == "auto" and tried and not cage_lacks(os.environ, root=os.geteuid() == 0):
            log.warning("There is no picture by KMS (%s); cage shows it.", "; ".join(lacks) or error)
            _enter()
        raise NoDisplayError(_explained(str(error), lacks)) from error
    if window.driver == "kmsdrm":
        why = touch_lacks(DEVICES)
        if why:
            log.error("No touch will be felt: %s.", why)
        blanks = keep_console_lit()
        if blanks:
            log.error("The panel may go dark: %s.", blanks)
    return window


def _explained(error: str, lacks: list[str]) -> str:
    if not lacks:
        lacks = [_("everything that KMS needs is there, so another program holds the screen: end it, a desktop for one")]
    return _("{error} By KMS: {lacks}.", error=error, lacks="; ".join(lacks))


def _enter() -> None:
    from kiosk.ui.window import NoDisplayError

    try:
        enter_cage()
    except NoCompositorError as error:
        raise NoDisplayError(_("there is no picture inside cage: {lacks}.", lacks=error)) from error
