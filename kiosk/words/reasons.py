"""Reasons a touch away. What is kept is the English text; any other reason was typed, and is told as it was typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.domain.facts import Outcome
from kiosk.domain.rulebook import Sanction
from kiosk.say import _, mark
from kiosk.words.terms import outcome_words, sanction_words

if TYPE_CHECKING:
    from kiosk.domain.state import Appeal, Ruling

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


UNDONE = mark("undone")
"""Why a ruling is void that was undone, and not taken back."""


def why_void_words(why: str) -> str:
    """Why a ruling is void: a reason, or one of the words that the table keeps itself."""
    if why in set(Outcome):
        return outcome_words(Outcome(why))
    return _(why) if why == UNDONE else reason_told(why)


def void_words(ruling: Ruling, fell: Appeal | None) -> str:
    """What became of a void ruling.

    Args:
        ruling: The ruling.
        fell: The appeal on which it fell, or was replaced; None where it was taken back.
    """
    if fell is None:
        return _("void: {reason}", reason=_(UNDONE) if ruling.why_void == UNDONE else reason_told(ruling.why_void))
    instead = next((sanction for sanction in Sanction if str(sanction) == fell.outcome), None)
    if instead is not None:
        return _("replaced on appeal {n} by {sanction}", n=fell.id, sanction=sanction_words(instead))
    return _("fell on appeal {n}", n=fell.id)
