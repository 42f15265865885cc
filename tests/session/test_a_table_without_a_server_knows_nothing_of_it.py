from __future__ import annotations

from kiosk.ports import LinkState, NoUplink


def test_it_is_not_joined_and_knows_no_earlier_rulings() -> None:
    assert NoUplink().state() == LinkState()
    assert not NoUplink().state().joined
    assert NoUplink().earlier("m1") is None
