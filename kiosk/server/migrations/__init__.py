"""How the database came to have its tables: one recorded step after the other, the same on SQLite and PostgreSQL.

A step is a module in `versions/`, run once and then noted in the database (`alembic_version`). Steps that a program was delivered with
are never changed; a new one goes behind them, and `schema.py` says what all of them lead to.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from kiosk.say import _

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Connection, Engine

_LOCK = 7_268_533_104
"""PostgreSQL's number for the lock under which only one process migrates."""


def bring_up_to_date(engine: Engine, *, sqlite: bool) -> None:
    """Run the steps that the database has not had; processes that start at once do it once.

    Args:
        engine: One that writes.
        sqlite: Its transactions let in one writer as it is.

    Raises:
        StoreUnavailable: A newer program has been at this database.
    """
    from alembic import command

    with engine.begin() as connection:
        if not sqlite:
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        config = _config(connection)
        if _missing(config, connection):
            command.upgrade(config, "head")


def _config(connection: Connection) -> Config:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def _missing(config: Config, connection: Connection) -> bool:
    """Whether a step is missing."""
    from alembic.migration import MigrationContext
    from alembic.script import ScriptDirectory

    from kiosk.server.store import StoreUnavailable

    steps = ScriptDirectory.from_config(config)
    found = MigrationContext.configure(connection).get_current_revision()
    known = {step.revision for step in steps.walk_revisions()}
    if found is not None and found not in known:
        raise StoreUnavailable(
            _("A newer Tableside has changed this database (step {found}); start that one, or restore an older backup.", found=found)
        )
    return found != steps.get_current_head()
