"""A table's face: what a hall board, a spectator and a referee want to know of it now, as JSON; times in milliseconds.

Facts carry instants of the table's own monotonic clock. What the server adds is where that clock stands beside its own: each batch says
what the table's clock showed when it was sent, and the smallest difference seen lately is the one that was delayed least. So the hall's
board runs with the table to within the network's shortest delay, whatever anybody's date is.

The whole face is for officials; `kiosk.server.public` takes out what the public does not see.
"""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from kiosk.domain import clock as ck
from kiosk.domain.asked import cube_in_play, is_crawford_game, next_number, present_sides, score_of, standing_of
from kiosk.domain.latest import Bound, bound
from kiosk.domain.state import OVER, Phase
from kiosk.domain.types import NS_PER_MS, SIDES, Instant, Span
from kiosk.server.schema import assignment, conflict, device, face
from kiosk.server.schema import match as matches

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import Connection

    from kiosk.domain.state import Hall, Table
    from kiosk.server.replay import Played
    from kiosk.sync.wire import Moment

Face = dict[str, Any]

LATELY = 32
"""So many batches back a difference of clocks is still looked at: a clock that drifts is followed."""


@dataclass(slots=True)
class Clocks:
    """Where the clocks of one device stand beside the house's."""

    boot: str = ""
    seen: deque[int] = field(default_factory=lambda: deque(maxlen=LATELY))
    """House's date minus the table's monotonic clock, by batch; each too large by the time that it was under way."""

    def note(self, now: Moment, received_ns: int) -> None:
        """A batch has come."""
        if now.boot != self.boot:
            self.boot = now.boot
            self.seen.clear()
        self.seen.append(received_ns - now.mono_ns)

    def offset(self, boot: str) -> int | None:
        """What to add to an instant of a boot; None: that boot's clock was never seen."""
        return min(self.seen) if self.seen and boot == self.boot else None


NOBODY: Face = {
    "pending": 0,
    "practice": False,
    "match": None,
    "round": "",
    "players": None,
    "length": None,
    "rulebook": None,
    "score": None,
    "game": None,
    "crawford": False,
    "cube": None,
    "phase": None,
    "turn": None,
    "running": [],
    "reserve_ms": None,
    "delay_ms": None,
    "delay_left_ms": None,
    "at_ms": 0,
    "flag": None,
    "call": None,
    "paused": None,
    "standing": None,
    "clocks": "times",
    "here": None,
    "offered": None,
    "latest": None,
}
"""The face of a table without a match."""


def face_of(played: Played | None, clocks: Clocks, hall: Hall | None = None) -> Face:
    """What the facts of a table say.

    Args:
        played: The newest match in its journal; None: there is none.
        clocks: Where its clock stands beside the house's.
        hall: What is known of the table where there is no match yet.
    """
    if played is None:
        return {**NOBODY, "offered": _offered(hall)}
    offset = clocks.offset(played.last.boot)
    to_ms = played.last.wall_ns - played.last.mono_ns if offset is None else offset
    table = played.table
    made = {
        **NOBODY,
        "match": table.match or None,
        "at_ms": _ms(table.now + to_ms),
        "phase": _phase(played),
        "offered": _offered(table.hall),
    }
    if table.setup is None:
        return made
    return {**made, **_standing_now(table), **_times(table), **_asked(table, to_ms), **_of_round(table, to_ms)}


def _phase(played: Played) -> str | None:
    if played.unreadable:
        return "unreadable"
    return None if played.table.phase is None else str(played.table.phase)


def _standing_now(table: Table) -> Face:
    setup = table.setup
    if setup is None:
        return {}
    place = table.place
    score, standing = score_of(table), standing_of(table)
    return {
        "practice": place is not None and place.practice,
        "round": "" if place is None else place.round,
        "players": {"left": list(setup.players.left), "right": list(setup.players.right)},
        "length": setup.length,
        "rulebook": setup.rulebook,
        "score": {"left": score.left, "right": score.right},
        "game": next_number(table) if table.phase not in OVER else next_number(table) - 1,
        "crawford": is_crawford_game(table),
        "cube": {
            "value": table.cube.value,
            "owner": table.cube.owner,
            "offered_by": table.cube.offered_by,
            "in_play": cube_in_play(table) and table.phase not in OVER,
        },
        "standing": None if standing is None else {"left": standing.left, "right": standing.right},
        "clocks": str(setup.clocks),
    }


def _times(table: Table) -> Face:
    if table.clock is None:
        return {}
    clock = ck.settle(table.clock, Instant(max(table.now, table.clock.since)))
    turn: Face = {"turn": clock.turn, "running": list(clock.running), "flag": {str(side): clock.flagged(side) for side in SIDES}}
    if not clock.control.clocked:
        return turn
    sides = clock.running or ((clock.turn,) if clock.turn is not None else SIDES)
    return {
        **turn,
        "reserve_ms": {"left": _ms(clock.reserve.left), "right": _ms(clock.reserve.right)},
        "delay_ms": _ms(clock.control.delay),
        "delay_left_ms": min(_ms(clock.delay_left(side)) for side in sides),
    }


def _asked(table: Table, to_ms: int) -> Face:
    # A call that was answered is history, and nobody waits where the players have signed or gone.
    call = table.call if table.referee_called and table.phase not in {Phase.SIGNED, Phase.RECEIVED, Phase.SUSPENDED} else None
    pause = table.hall.pause
    return {
        "call": None if call is None else {"by": call.by, "since_ms": _ms(call.at + to_ms), "coming": call.coming},
        "paused": None if pause is None else {"by": pause.by, "why": pause.why, "since_ms": _ms(pause.since + to_ms)},
    }


def _of_round(table: Table, to_ms: int) -> Face:
    """What the desk wants to know of a round: who is there, and how long the match may still take."""
    here, ends = present_sides(table), bound(table)
    latest = None if ends is None else {"since_ms": _ms(ends.since + to_ms), "left_ms": _ms(ends.left), "waits": ends.waits}
    return {"here": {"left": here.left, "right": here.right}, "latest": latest}


def _offered(hall: Hall | None) -> Face | None:
    """Who has confirmed the match that is offered, before it is open."""
    told = None if hall is None else hall.confirmed
    return None if told is None else {"match": told.match, "version": told.version, "left": told.here.left, "right": told.here.right}


def latest_ns(face: Face, now_ns: int) -> int | None:
    """When the match at a table is over at the latest (`kiosk.domain.latest`), nanoseconds since 1970; None: nobody can tell.

    Args:
        face: The whole of it.
        now_ns: Now, by the house's clock.
    """
    told = face["latest"]
    if told is None:
        return None
    return Bound(Instant(told["since_ms"] * NS_PER_MS), Span(told["left_ms"] * NS_PER_MS), told["waits"]).at(Instant(now_ns))


def _ms(ns: int) -> int:
    """Rounded up, as every clock of the product shows time: zero only when nothing is left."""
    return -(-ns // NS_PER_MS)


# ── All of them ──────────────────────────────────────────────────────────────
def faces(connection: Connection, devices: Collection[str] | None = None) -> list[Face]:
    """The face of every table that stands in the hall, by the tables' names.

    Args:
        connection: Any.
        devices: Which; None: all.
    """
    wanted = (
        select(device.c.id, device.c.table_name, device.c.practice, device.c.seen_ns, face.c.data, face.c.worker)
        .select_from(device.outerjoin(face, face.c.device == device.c.id))
        .where(device.c.revoked_ns.is_(None))
    )
    if devices is not None:
        wanted = wanted.where(device.c.id.in_(sorted(devices)))
    rows = connection.execute(wanted).all()
    found: list[Face] = [{**NOBODY, **json.loads(row.data or "{}")} for row in rows]
    unsettled, rounds = _unsettled(connection), _rounds(connection, {told["match"] for told in found if told["match"]})
    made = []
    for row, told in zip(rows, found, strict=True):
        planned = rounds.get((row.id, told["match"]))
        made.append(
            {
                "device": row.id,
                "table": row.table_name,
                "online": row.worker is not None,
                "seen_ms": _ms(row.seen_ns),
                **told,
                "practice": row.practice or told["practice"] or (planned is not None and planned[1]),
                "round": told["round"] or ("" if planned is None else planned[0]),
                "conflict": row.id in unsettled or told["match"] in unsettled,
            }
        )
    return sorted(made, key=lambda each: by_name(each["table"]))


def by_name(name: str) -> tuple[tuple[int, int | str], ...]:
    """Tables in the order in which people count them: 2 before 10."""
    parts: list[tuple[int, int | str]] = []
    digits = ""
    for letter in [*name.casefold(), ""]:
        if letter.isdecimal():
            digits += letter
            continue
        if digits:
            parts.append((0, int(digits)))
            digits = ""
        if letter:
            parts.append((1, letter))
    return tuple(parts)


def _unsettled(connection: Connection) -> set[str]:
    """Devices and matches about which a person has to decide something."""
    found: set[str] = set()
    for row in connection.execute(select(conflict.c.device, conflict.c.match).where(conflict.c.settled_ns.is_(None))):
        found |= {row.device, row.match} - {""}
    return found


def _rounds(connection: Connection, shown: set[str]) -> dict[tuple[str, str], tuple[str, bool]]:
    """The round of each of these matches that counts for an assignment, and whether it is practice."""
    wanted = (
        select(matches.c.device, matches.c.id, assignment.c.round, assignment.c.practice)
        .join(assignment, assignment.c.id == matches.c.attached)
        .where(matches.c.id.in_(sorted(shown)))
    )
    return {(row.device, row.id): (row.round, row.practice) for row in connection.execute(wanted)}
