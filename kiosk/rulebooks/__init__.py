"""The bundled rulebooks and the catalogue of infractions below them all: TOML data, and nothing but access to its text.

What the keys mean is told in `kiosk.app.rulebooks`. Every key line cites the article it comes from; `decision:` marks the
places where the texts are silent.
"""

from __future__ import annotations

NAMES = ("ibgf", "ibgf-blitz", "circle", "yellowclub", "rus-long")
"""The bundled rulebooks in the order in which they are offered; written out, to spare the start a search."""

CATALOGUE = "infractions"
"""The file of infractions and usual sanctions that lies below every rulebook which extends none; no rulebook itself."""


def text(name: str) -> str:
    """The text of a bundled rulebook, or of the catalogue.

    Args:
        name: One of `NAMES`, or `CATALOGUE`.

    Raises:
        KeyError: No such rulebook is bundled.
    """
    if name not in {*NAMES, CATALOGUE}:
        raise KeyError(name)
    from pkgutil import get_data  # importlib.resources does the same and costs the start ten times as long

    data = get_data(__name__, f"{name}.toml")
    return (data or b"").decode("utf-8")  # None only from loaders that keep no data, with which nobody installs this


__all__ = ["CATALOGUE", "NAMES", "text"]
