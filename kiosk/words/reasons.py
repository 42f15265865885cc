"""Reasons a touch away. What is kept is the English text; any other reason was typed, and is told as it was typed."""

from __future__ import annotations

from kiosk.say import _, mark

OF_CORRECTIONS = (mark("wrong winner"), mark("wrong kind of win"), mark("wrong cube"), mark("entered twice"))
OF_TIMES = (mark("wrong setting"), mark("clock pressed too late"), mark("disturbed turn"), mark("agreed with both players"))
OF_CUBES = (mark("wrong cube"), mark("turned but not entered"), mark("turned by mistake"), mark("agreed with both players"))
OF_RESTARTS = (mark("wrong set-up"), mark("missing or extra checkers"), mark("position lost"), mark("agreed with both players"))
OF_FORFEITS = (mark("did not come"), mark("left the hall"), mark("withdrew"), mark("refuses to play"))
OF_VOIDS = (mark("wrong player"), mark("wrong infraction"), mark("too severe"), mark("it did not happen"))

READY = frozenset((*OF_CORRECTIONS, *OF_TIMES, *OF_CUBES, *OF_RESTARTS, *OF_FORFEITS, *OF_VOIDS))
"""Every one of them."""


def reason_told(reason: str) -> str:
    """A reason: one of the table's own in the language spoken, a typed one as it is."""
    return _(reason) if reason in READY else reason
