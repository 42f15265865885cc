"""The kiosk's log (see `kiosk.shell.logs`)."""

from kiosk.shell.logs import JournalFormatter, PlainFormatter, log, set_up

__all__ = ["JournalFormatter", "PlainFormatter", "log", "set_up"]
