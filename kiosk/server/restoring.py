"""Putting a backup back: its rows into a database that is empty, its keys and settings into a data folder that has none."""

from __future__ import annotations

import json
import zipfile
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, text

from kiosk.server import keys
from kiosk.server.backup import AT_ONCE, member_of, tables
from kiosk.server.settings import FILE

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection, Table


def restore_rows(connection: Connection, path: Path) -> int:
    """Put a backup's rows into a database that has our tables and nothing in them.

    Args:
        connection: A writing one.
        path: A backup that was checked.

    Returns:
        How many rows there were.
    """
    rows = 0
    with zipfile.ZipFile(path) as archive:
        for table in tables():
            names = [column.name for column in table.columns]
            several: list[dict[str, Any]] = []
            with archive.open(member_of(table)) as member:
                for line in member:
                    several.append(dict(zip(names, map(_value, json.loads(line)), strict=True)))
                    rows += 1
                    if len(several) >= AT_ONCE:
                        connection.execute(insert(table), several)
                        several = []
            if several:
                connection.execute(insert(table), several)
            _count_on(connection, table)
    return rows


def _value(plain: object) -> object:
    return bytes.fromhex(plain["hex"]) if isinstance(plain, dict) else plain


def _count_on(connection: Connection, table: Table) -> None:
    """PostgreSQL counts its serial numbers on from the highest that came back."""
    if connection.dialect.name != "postgresql" or "id" not in table.c or table.c.id.type.python_type is not int:
        return
    connection.execute(
        text(f"SELECT setval(pg_get_serial_sequence('\"{table.name}\"', 'id'), (SELECT coalesce(max(id), 1) FROM \"{table.name}\"))")  # noqa: S608 - our own tables
    )


def restore_files(folder: Path, path: Path) -> None:
    """Put a backup's keys and settings into a data folder that has none.

    Raises:
        OSError: They cannot be written.
    """
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name == FILE or (name.startswith("keys/") and name.removeprefix("keys/") in keys.FILES):
                keys.write_secret(folder / name.removeprefix("keys/"), archive.read(name))
