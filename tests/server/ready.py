"""Databases whose tables are there already: the product's own steps make one of each kind, all others are copies of it.

How the steps make them is looked at in `test_the_database_is_brought_up_to_date.py`, on databases that are empty.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from kiosk.server.store import Store

MODEL = "ready"
"""The PostgreSQL database that others are copies of."""


def sqlite(path: Path) -> str:
    """A new file with all tables; its address."""
    path.write_bytes(_file())
    return f"sqlite:///{path}"


@cache
def _file() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "event.db"
        Store.open(f"sqlite:///{path}").close()
        assert [each.name for each in Path(folder).iterdir()] == [path.name]  # no write lies beside it
        return path.read_bytes()
