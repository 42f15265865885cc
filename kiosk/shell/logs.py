"""Log lines on standard error: with systemd's priority prefix under its journal, plain at a terminal."""

from __future__ import annotations

import logging
import os
import sys

from kiosk.domain.text import escaped

PRIORITY = {logging.CRITICAL: 2, logging.ERROR: 3, logging.WARNING: 4, logging.INFO: 6, logging.DEBUG: 7}

TALKATIVE = ("alembic", "fontTools", "fpdf", "zeroconf")
"""Libraries that report every glyph which a PDF takes in, or every step; only what fails is heard."""


class PlainFormatter(logging.Formatter):
    """One line a message: what people typed drives no terminal and fakes no line."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's own name
        """The message with whatever cannot be seen written out."""
        return escaped(super().formatMessage(record))


class JournalFormatter(PlainFormatter):
    """`<6>text`: each line of a message carries its priority."""

    def format(self, record: logging.LogRecord) -> str:
        """The message with systemd's prefix on every line."""
        level = PRIORITY.get(record.levelno, 6)
        return "\n".join(f"<{level}>{line}" for line in super().format(record).splitlines())


def set_up(*, verbose: bool) -> None:
    """Send the kiosk's log to standard error.

    Args:
        verbose: Show details too.
    """
    handler = logging.StreamHandler(sys.stderr)
    under_systemd = bool(os.environ.get("JOURNAL_STREAM"))
    handler.setFormatter(JournalFormatter("%(message)s") if under_systemd else PlainFormatter("%(levelname)s: %(message)s"))
    logging.basicConfig(handlers=[handler], level=logging.DEBUG if verbose else logging.INFO, force=True)
    for guest in TALKATIVE:
        logging.getLogger(guest).setLevel(logging.ERROR)


log = logging.getLogger("tableside")
"""The kiosk's logger."""
