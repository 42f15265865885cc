"""Payout tables for anybody, and, where the organizer has published them, amounts, with names once the ranking stands.

Who has paid stands nowhere here.

GET /tournament/prizes
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from kiosk.server import money_views as views
from kiosk.server.login import Viewer
from kiosk.server.rendering import render

if TYPE_CHECKING:
    from kiosk.server.house import House

router = APIRouter(prefix="/tournament", include_in_schema=False)


@router.get("/prizes")
def prizes(request: Request, who: Viewer) -> Response:
    """How the funds are divided, and who gets what where that is published."""
    house: House = request.app.state.house
    with house.store.read() as connection:
        now = views.read(connection)
    funds = [views.fund_of(now, number) for number, pool in sorted(now.ledger.pools.items()) if pool.shares]
    public = now.ledger.terms.published
    winners = {each.number: each for each in views.winners(now, final=True)} if public else {}
    given: dict[str, Any] = {"money": now, "funds": funds, "public": public, "winners": winners}
    return render(request, "draw_prizes.html", who=who, at_ns=house.now_ns(), places=views.places_text, **given)
