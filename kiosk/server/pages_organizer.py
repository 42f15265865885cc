"""The organizer's pages, below `/desk`. This one shows what needs a person now; the others have modules of their own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from kiosk.domain.types import NS_PER_MS
from kiosk.say import mark
from kiosk.server import (
    assignments,
    attach,
    backup,
    desk,
    devices,
    faces,
    pages_fixture,
    pages_funds,
    pages_hall,
    pages_matches,
    pages_money,
    pages_office,
    pages_results,
    pages_round,
    pages_seats,
    pages_stage,
    pages_tables,
    pages_tournament,
    receiving,
    results,
)
from kiosk.server.assignments import State
from kiosk.server.pages_desk import Chief, common, house_of
from kiosk.server.rendering import render
from kiosk.server.results import Worth
from kiosk.server.schema import orders
from kiosk.shell.places import forgetful

if TYPE_CHECKING:
    from sqlalchemy import Connection

router = APIRouter(include_in_schema=False)
for part in (
    pages_matches,
    pages_results,
    pages_hall,
    pages_tables,
    pages_office,
    pages_tournament,
    pages_round,
    pages_seats,
    pages_stage,
    pages_fixture,
    pages_money,
    pages_funds,
):
    router.include_router(part.router)

KINDS = {
    "fork": mark("Two histories of one journal: its entries part from those that were sent before"),
    "two_devices": mark("Two devices have written on one match"),
    "truncated": mark("A device has fewer entries than it had sent"),
    "journal_gone": mark("A device has begun another journal; the one whose entries are here is gone from it"),
    "sheet_differs": mark("A sheet disagrees with what was decided"),
    "duplicate_ruling": mark("The same ruling may have been entered twice"),
    "result_comes_late": mark("A result came that the tournament cannot take over: others have gone on to the next match"),
    "unknown_fact": mark("A newer table sent entries that this server does not know; they are kept"),
}
"""What disagrees, as an organizer reads it."""


@router.get("/desk")
def overview(request: Request, who: Chief) -> Response:
    """What needs a person now, and how the event stands."""
    house = house_of(request)
    with house.store.read() as connection:
        found = _overview(connection)
    found |= {"forgets": forgetful(house.settings.folder), "folder": house.settings.folder}
    return render(request, "desk_overview.html", who=who, now_ms=house.now_ns() // NS_PER_MS, **common(request, **found, kinds=KINDS))


def _overview(connection: Connection) -> dict[str, Any]:
    seen = faces.faces(connection)
    lines = results.table(connection)
    every = assignments.listed(connection)
    named = {one.id: one.table for one in devices.listed(connection, revoked=True)}
    unattached = results.unattached(connection)
    return {
        "calls": sorted((face for face in seen if face["call"]), key=lambda face: face["call"]["since_ms"]),
        "conflicts": [(row, json.loads(row.what), named.get(row.device, "")) for row in results.conflicts(connection)],
        "by_hand": [(attach.key_of(row), json.loads(row.summary), named.get(row.device, "")) for row in unattached],
        "offline": [face for face in seen if not face["online"]],
        "behind": [face for face in seen if face["online"] and face["pending"] > 100],
        "decide": [line for line in lines if line.worth is Worth.DECIDE],
        "provisional": [line for line in lines if line.worth is Worth.PROVISIONAL],
        "signed": receiving.waiting(connection),
        "final": sum(line.worth is Worth.FINAL for line in lines),
        "lines": len(lines),
        "tables": len(named) and sum(one.revoked_ns is None for one in devices.listed(connection)),
        "playing": sum(one.state is State.OPENED for one in every),
        "waiting": sum(one.state in assignments.OPEN for one in every),
        "refused": desk.orders_told(connection, orders.c.done.is_(False), orders.c.kind.not_in(("rule_at", "void_at")), most=10),
        "pause": desk.pause_now(connection),
        "no_backup": backup.trouble(connection),
    }
