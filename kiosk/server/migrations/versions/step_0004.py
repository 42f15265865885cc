"""Step 0004: the money of an event, a ledger apart from the draw."""

from __future__ import annotations

from alembic import op
from sqlalchemy import BigInteger, Column, Integer, PrimaryKeyConstraint, Text

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "ledger",
        Column("n", Integer, nullable=False, autoincrement=False),
        Column("kind", Text, nullable=False),
        Column("data", Text, nullable=False),
        Column("by", Text, nullable=False),
        Column("at_ns", BigInteger, nullable=False),
        PrimaryKeyConstraint("n", name="pk_ledger"),
    )
