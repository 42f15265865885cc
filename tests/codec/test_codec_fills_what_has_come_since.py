"""Objects that an earlier program wrote, before some of their fields were there; and numbers with a point."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import pytest

from kiosk import codec


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True, slots=True)
class Inner:
    name: str
    share: float | None = None


@dataclass(frozen=True, slots=True)
class Outer:
    number: int
    inner: Inner
    colour: Colour = Colour.RED
    places: tuple[int, ...] = (1, 2)


def test_fields_that_have_come_since_have_their_defaults() -> None:
    old = {"number": 5, "inner": {"name": "Ana"}}
    assert codec.from_plain(Outer, codec.filled(Outer, old)) == Outer(5, Inner("Ana"))
    assert old == {"number": 5, "inner": {"name": "Ana"}}, "what was given is as it was"


def test_what_is_there_stays() -> None:
    new = codec.to_plain(Outer(5, Inner("Ana", 0.5), Colour.RED, (3,)))
    assert codec.filled(Outer, new) == new


@pytest.mark.parametrize("wrong", [[], "text", {"number": 5}, {"number": 5, "inner": 3}, {"number": 5, "inner": {}}, {"new": 1}])
def test_what_was_never_right_is_still_refused(wrong: object) -> None:
    with pytest.raises(codec.CodecError):
        codec.from_plain(Outer, codec.filled(Outer, wrong))


def test_a_whole_number_is_a_number_too() -> None:
    made = codec.from_plain(Inner, {"name": "Ana", "share": 1500})
    assert (made.share, type(made.share)) == (1500.0, float)


@pytest.mark.parametrize("wrong", [True, "1500", float("nan"), float("inf"), 10**400])
def test_what_is_no_number_is_refused(wrong: object) -> None:
    with pytest.raises(codec.CodecError):
        codec.from_plain(Inner, {"name": "Ana", "share": wrong})
