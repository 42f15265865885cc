"""What a bench is: a name, a budget, and a function that measures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class CannotMeasure(Exception):
    """The figure could not be taken; the text says why."""


@dataclass(frozen=True)
class Bench:
    """One figure."""

    unit: str
    budget: float
    """The largest figure that is all right."""
    measure: Callable[[], float]
    what: str
    """What is measured, in a few words."""
    beside: Callable[[], str] = str
    """What is printed beside the figure once it was taken; nothing by itself."""
