from __future__ import annotations

from dataclasses import fields

import pytest
from reference import arguments, rows

from kiosk.codec import TYPES


def test_the_reference_knows_no_fact_that_does_not_exist() -> None:
    assert set(rows("Facts")) == set(TYPES)


@pytest.mark.parametrize("name", TYPES)
def test_a_fact_stands_in_the_reference_with_its_fields(name: str) -> None:
    assert [field for field, _ in arguments(rows("Facts")[name])] == [field.name for field in fields(TYPES[name]) if field.name != "at"]
