"""Words that several screens share."""

from __future__ import annotations

from kiosk.domain.facts import StopReason
from kiosk.ui.say import _, mark

REASONS = {
    StopReason.SETUP: mark("Setting up"),
    StopReason.DICE: mark("Dice fell"),
    StopReason.REFEREE: mark("Referee"),
    StopReason.FAULT: mark("Fault"),
}


def reason_words(reason: StopReason) -> str:
    """A stop's reason."""
    return _(REASONS[reason])
