"""What the table can tell whoever rules: what the ladder suggests, whether the same has just been entered, where an appeal goes."""

from __future__ import annotations

from kiosk.domain.facts import AppealTo, Outcome
from kiosk.domain.flow import setup_of
from kiosk.domain.officials import Role
from kiosk.domain.rulebook import Sanction
from kiosk.domain.rulings import Earlier, Suggestion, suggest
from kiosk.domain.state import Ruling, Table
from kiosk.domain.types import Instant, Side, seconds

SAME_WITHIN = seconds(60)
"""The same penalty within this time is asked about (domain rule 4.7)."""


def suggestion(table: Table, sides: tuple[Side, ...], infraction: str, *, affects_play: bool = False) -> Suggestion:
    """What the ladder suggests; for both sides the heavier of the two.

    Raises:
        CommandRefused: `unknown_infraction`.
    """
    setup = setup_of(table)
    earlier = [Earlier(r.id, r.sides, r.infraction, r.sanction, r.game, r.void) for r in table.rulings]
    found = [suggest(setup, earlier, side, infraction, table.game, affects_play=affects_play) for side in sides]
    return max(found, key=lambda one: -1 if one.sanction is None else list(Sanction).index(one.sanction))


def same_within_a_minute(table: Table, sides: tuple[Side, ...], infraction: str, at: Instant) -> Ruling | None:
    """The last ruling on the same side and code within a minute that still stands (domain rule 4.7)."""
    for ruling in reversed(table.rulings):
        same = ruling.infraction == infraction and set(ruling.sides) & set(sides)
        if same and not ruling.void and at - ruling.at <= SAME_WITHIN:
            return ruling
    return None


def appeal_goes_to(table: Table, ruling: Ruling) -> AppealTo:
    """Against the referee to the chief; against chief and deputy, and once the chief has upheld it, to the committee (000 §11)."""
    upheld = any(appeal.ruling == ruling.id and appeal.outcome is Outcome.UPHELD for appeal in table.appeals)
    return AppealTo.COMMITTEE if upheld or ruling.by.role.at_least(Role.DEPUTY) else AppealTo.CHIEF
