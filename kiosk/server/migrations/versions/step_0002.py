"""Step 0002: the tournament: what happened in it, and which of its matches were released to the tables."""

from __future__ import annotations

from alembic import op
from sqlalchemy import BigInteger, Column, Integer, PrimaryKeyConstraint, Text, UniqueConstraint

revision = "0002"
down_revision = "0001"

Serial = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "happening",
        Column("n", Serial, nullable=False),
        Column("kind", Text, nullable=False),
        Column("data", Text, nullable=False),
        Column("by", Text, nullable=False),
        Column("at_ns", BigInteger, nullable=False),
        PrimaryKeyConstraint("n", name="pk_happening"),
    )
    op.create_table(
        "release",
        Column("stage", Integer, nullable=False),
        Column("key", Text, nullable=False),
        Column("assignment", Text, nullable=False),
        PrimaryKeyConstraint("stage", "key", name="pk_release"),
        UniqueConstraint("assignment", name="uq_release_assignment"),
    )
