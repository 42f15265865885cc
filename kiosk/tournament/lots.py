"""Lots that anybody can check: the order of names is the order of their SHA-256 with a public seed.

The lot of `name` under `seed` for `purpose` is the hash of the text `seed/purpose/name`; the smallest comes first. The seed is published
before the draw (or drawn in public), so that nobody, the program included, chooses the outcome.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kiosk.tournament.results import Player


def lot(seed: str, purpose: str, name: Player) -> str:
    """A name's lot, 64 hex digits.

    Args:
        seed: The event's, public.
        purpose: What is drawn, e.g. `round 3`.
        name: Who or what draws.
    """
    return hashlib.sha256(f"{seed}/{purpose}/{name}".encode()).hexdigest()


def drawn(seed: str, purpose: str, names: Iterable[Player]) -> Sequence[Player]:
    """Names in the order of their lots.

    Args:
        seed: The event's, public.
        purpose: What is drawn.
        names: Who takes part.
    """
    return sorted(names, key=lambda name: lot(seed, purpose, name))
