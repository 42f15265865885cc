"""What Alembic runs: the steps, in the transaction and on the connection that `bring_up_to_date` gives."""

from __future__ import annotations

from alembic import context

from kiosk.server.schema import metadata

context.configure(
    connection=context.config.attributes["connection"], target_metadata=metadata, transactional_ddl=True, transaction_per_migration=False
)
context.run_migrations()
