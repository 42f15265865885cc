"""How often chance is tried: a few times with every change, `TABLESIDE_OFTEN=10` for a night."""

from __future__ import annotations

import os


def often(examples: int) -> int:
    """So many examples, or as many times more as the environment asks for."""
    return examples * int(os.environ.get("TABLESIDE_OFTEN", "1"))
