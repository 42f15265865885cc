"""Every kind of entry of the ledger stands in the reference."""

from __future__ import annotations

from kiosk.server import money
from tests.docs.reference import rows


def test_every_entry_of_the_ledger_is_documented() -> None:
    assert set(money.KINDS) <= set(rows("Tournaments"))
