"""The seats were exchanged: whatever belongs to a side follows its players."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import TypeVar

from kiosk.domain.types import Pair, Side

T = TypeVar("T")


def turned(value: T) -> T:
    """A value with its sides exchanged, however deep they lie in it.

    Args:
        value: A side, a pair, a tuple or a frozen record of such; anything else stays as it is.
    """
    return _turned(value)  # type: ignore[return-value]


def _turned(value: object) -> object:
    match value:
        case Side():
            return value.other
        case Pair():
            return Pair(_turned(value.right), _turned(value.left))
        case tuple():
            return tuple(_turned(each) for each in value)
        case _ if is_dataclass(value) and not isinstance(value, type):
            return replace(value, **{each.name: _field(each.name, getattr(value, each.name)) for each in fields(value)})
        case _:
            return value


def _field(name: str, value: object) -> object:
    """`by` may be a side's plain word, or somebody else's."""
    if name == "by" and value in set(Side):
        return Side(str(value)).other
    return _turned(value)
