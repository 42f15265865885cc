"""This device has no place at its server any more: what the table says about that, and does once."""

from __future__ import annotations

from kiosk.domain.state import OVER, Table
from kiosk.say import _
from kiosk.sync import wire


def barred_words(reason: str) -> str:
    """Why it has no place any more, and what to do; empty for a reason that this version does not know.

    Args:
        reason: One of `REPLACED` and `REVOKED` in `kiosk.sync.wire`, or nothing.
    """
    if reason == wire.REPLACED:
        return _("The match goes on at another device. Stop here and ask the organizer.")
    if reason == wire.REVOKED:
        return _(
            "The organizer has taken this device out of the hall. What is played here waits and reaches nobody; ask the organizer for a "
            "new code."
        )
    return ""


def stops_for(reason: str, table: Table) -> bool:
    """Whether the clocks are stopped because of it.

    Decision: only where another device goes on with the match. A device that was only taken out plays on, as without a network.
    """
    return reason == wire.REPLACED and table.phase is not None and table.phase not in OVER and table.hall.pause is None
