"""The desk begins a round: every table of it asks who is missing from now on, whatever time was set before.

This is the order by which a round's start is moved (`wire.DelayStart`), to now. A table does it only before its match has begun, while no
late clock runs: where the order comes late, or to a table that was offline meanwhile, it is refused there and harms nothing. Time that has
passed on its way is taken off, so that such a table asks at once. Where the set time lies behind, it stays, and is told again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import update

from kiosk.domain.setup import bad_value
from kiosk.domain.state import Phase
from kiosk.domain.types import NS_PER_MS
from kiosk.say import _
from kiosk.server import assignments, desk
from kiosk.server.acts import Act, device_of
from kiosk.server.assignments import OPEN, State
from kiosk.server.schema import assignment as assigned
from kiosk.server.schema import device as devices
from kiosk.server.schema import orders as given
from kiosk.sync import wire

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection

    from kiosk.server.assignments import Assignment


def start_now(act: Act, round_name: str) -> int:
    """Let a round begin now.

    Args:
        act: Who does it.
        round_name: Which round.

    Returns:
        How many of its matches have not begun: each of them learns of it, at once or as soon as it has a table.

    Raises:
        CommandRefused: There is no such round.
    """
    mine = assignments.listed(act.connection, assigned.c.round == round_name, assigned.c.state != State.WITHDRAWN)
    if not mine:
        raise bad_value("There is no round “{name}”.", name=round_name)
    waiting = [one for one in mine if waits(one)]
    for one in waiting:
        starts_ns = act.at_ns if one.plan.starts_ns is None else min(one.plan.starts_ns, act.at_ns)
        act.connection.execute(update(assigned).where(assigned.c.id == one.id).values(starts_ns=starts_ns))
        device = one.match.device if one.match is not None else device_of(act.connection, one.plan.table)
        if device is not None and one.kept is not State.DRAFT:
            act.order(device, wire.DelayStart(act.by, one.id, (starts_ns - act.at_ns) // NS_PER_MS))
    act.note("round_started", round=round_name, matches=len(waiting))
    return len(waiting)


def waits(one: Assignment) -> bool:
    """Whether a match has not begun, nor anybody's late clock: the round's start still means something to its table."""
    late = one.match is not None and one.match.phase == Phase.LATE
    return one.state in {*OPEN, State.OPENED} and not one.begun and not late


@dataclass(frozen=True, slots=True)
class Heard:
    """What a table has made of the newest word on its round's start."""

    table: str
    at_ns: int
    """When it was said."""
    words: str
    """What became of it, in the language spoken now."""
    kind: str
    """`good`, `alert` (it waits) or `flag` (refused, and not because the match had begun)."""


def heard(connection: Connection, matches: Mapping[str, Assignment]) -> dict[str, Heard]:
    """What the tables of these matches have made of it, by the matches' ids; those that were told nothing are left out.

    Args:
        connection: Any.
        matches: By their ids.
    """
    found: dict[str, Heard] = {}
    for told in desk.orders_told(connection, given.c.kind == "delay_start", devices.c.revoked_ns.is_(None), most=4000):
        ident = told.data["match"]
        if ident in matches and ident not in found:
            found[ident] = _heard(told, matches[ident])
    return found


def _heard(told: desk.Told, one: Assignment) -> Heard:
    if told.done is False and one.match is not None and not waits(one):
        return Heard(told.table, told.at_ns, _("has begun already"), "good")
    return Heard(told.table, told.at_ns, told.words, "alert" if told.done is None else "good" if told.done else "flag")
