"""Step 0003: officials' badges, kept like their PINs."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Text

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the columns."""
    op.add_column("person", Column("badge_salt", Text))
    op.add_column("person", Column("badge_hash", Text))
