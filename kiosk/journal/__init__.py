"""The journal: an append-only, hash-chained stream of facts on SQLite, and its twin in memory."""

from kiosk.chain import VerifyReport, verify
from kiosk.journal.examine import SQLITE, Examined, examine, holder
from kiosk.journal.memory import MemoryJournal
from kiosk.journal.opening import open_journal
from kiosk.journal.sqlite import SqliteJournal
from kiosk.journal.store import read_rows

__all__ = [
    "SQLITE",
    "Examined",
    "MemoryJournal",
    "SqliteJournal",
    "VerifyReport",
    "examine",
    "holder",
    "open_journal",
    "read_rows",
    "verify",
]
