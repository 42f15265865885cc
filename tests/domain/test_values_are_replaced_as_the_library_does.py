"""The domain's own `replace` gives what `dataclasses.replace` gives."""

from __future__ import annotations

import dataclasses

import pytest

from kiosk.domain.facts import ClockResumed
from kiosk.domain.replacing import replace
from kiosk.domain.state import Cube, Phase, Table
from kiosk.domain.types import Instant, Side


@pytest.mark.parametrize(
    ("value", "changes"),
    [
        (Table(), {}),
        (Table(now=Instant(5)), {"phase": Phase.PLAYING, "game": 3, "now": Instant(9)}),
        (Cube(), {"owner": Side.LEFT}),
        (ClockResumed(Instant(1)), {"at": Instant(2)}),  # one field only
    ],
)
def test_it_is_the_same(value: object, changes: dict[str, object]) -> None:
    wanted = dataclasses.replace(value, **changes)  # type: ignore[type-var]
    found = replace(value, **changes)  # type: ignore[type-var]
    assert found == wanted
    assert type(found) is type(wanted)


def test_a_field_that_is_none_is_refused() -> None:
    with pytest.raises(KeyError):
        replace(Cube(), colour="red")  # type: ignore[call-arg]
