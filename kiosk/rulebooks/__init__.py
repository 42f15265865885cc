"""The bundled rulebooks, the catalogue of infractions below them all, and the rule card: TOML data, and nothing but access to its text.

What the keys mean is told in `kiosk.books`, and in `kiosk.app.card`. Every key line of a rulebook and every article of the
others cites the text it comes from; `decision:` marks the places where the texts are silent.
"""

from __future__ import annotations

NAMES = ("ibgf", "ibgf-blitz", "circle", "yellowclub", "rus-long")
"""The bundled rulebooks in the order in which they are offered; written out, to spare the start a search."""

CATALOGUE = "infractions"
"""The file of infractions and usual sanctions that lies below every rulebook which extends none; no rulebook itself."""

CARD = "card"
"""The file of the rule card: what to do where no sanction is at stake; no rulebook either."""


def text(name: str) -> str:
    """The text of a bundled rulebook, of the catalogue or of the card.

    Args:
        name: One of `NAMES`, `CATALOGUE`, or `CARD`.

    Raises:
        KeyError: No such file is bundled.
    """
    if name not in {*NAMES, CATALOGUE, CARD}:
        raise KeyError(name)
    from pkgutil import get_data  # importlib.resources does the same and costs the start ten times as long

    data = get_data(__name__, f"{name}.toml")
    return (data or b"").decode("utf-8")  # None only from loaders that keep no data, with which nobody installs this


__all__ = ["CARD", "CATALOGUE", "NAMES", "text"]
