"""Printing a match's receipt: from the screen of a table that runs, and from the command line."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from kiosk.domain.errors import CommandRefused, KioskError, Refusal
from kiosk.say import _
from kiosk.sheets import sheets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import tzinfo

    from kiosk.app.config import Config
    from kiosk.ports import Row

PATIENCE_S = 10.0
"""So long the command line waits for a printer that cannot print; then it says why."""


class NotPrinted(KioskError, OSError):
    """The world failed: the receipt was not printed; the text says why, and what to do."""


def last_receipt(rows: Callable[[], Iterable[Row]], table: str, zone: tzinfo) -> bytes:
    """The receipt of the last match, as dots for a printer; takes long.

    Args:
        rows: Reads this table's journal.
        table: What the organizer calls this table.
        zone: The time zone of the sheet.

    Raises:
        CommandRefused: There is no match.
    """
    from kiosk.sheets import to_dots

    sheet = None
    for sheet in sheets(list(rows())):  # noqa: B007 - the last one is wanted
        pass
    if sheet is None:
        raise CommandRefused(Refusal.BAD_VALUE, "There is no match whose receipt could be printed.")
    return to_dots(sheet, table=table, zone=zone)


def print_now(config: Config, dots: bytes, patience_s: float = PATIENCE_S) -> None:
    """Print on this table's printer, and wait until it is done.

    Args:
        config: Names the printer.
        dots: As `kiosk.sheets.to_dots` makes them.
        patience_s: How long the printer may be unable to print.

    Raises:
        NotPrinted: There is no printer, or it cannot print.
    """
    from hardware import ReceiptPrinter, finder

    if config.printer is None:
        raise NotPrinted(
            _("This table has no receipt printer; name it with `printer` in kiosk.toml, or write a PDF with --format receipt.")
        )
    rung = threading.Event()
    printer = ReceiptPrinter(finder(config.printer), rung.set, baud=config.printer_baud, answers=config.printer_answers)
    printer.start()
    printer.print(dots)
    well = time.monotonic()
    try:
        while not printer.state().printed:
            if printer.state().fault is None:
                well = time.monotonic()
            elif time.monotonic() - well > patience_s:
                raise NotPrinted(
                    _(
                        "{fault} Nothing is printed now; a table that runs holds its printer: print at its screen.",
                        fault=_why(printer.state().fault),
                    )
                )
            rung.wait(0.1)
            rung.clear()
    finally:
        printer.close()


def _why(fault: str | None) -> str:
    """What is wrong, without the word that it is tried again: here it is not."""
    return (fault or "").partition("; the sheet is printed")[0].rstrip(".") + "."
