"""A desk with a tournament: entrants and stages by the pages' own forms."""

from __future__ import annotations

from typing import Any

import httpx

from kiosk.server import tournament
from kiosk.tournament import happened as h
from tests.server.desk_rig import Desk

AT = "/desk/tournament"
STAGE = {"name": "Main", "system": "swiss", "rounds": "3", "second_final": "yes", "seed": "27 October", "tiebreak1": "buchholz"}


def now(rig: Desk) -> tournament.Now:
    with rig.house.store.read() as connection:
        return tournament.standing_now(connection)


def happen(rig: Desk, *what: h.Happened) -> None:
    with rig.hall.act() as act:
        tournament.happen(act, what)
    rig.house.hub.publish("desk", "tournament")


def enter(rig: Desk, count: int) -> None:
    """Entrants 1, 2, 3 … by name P1, P2, P3 …."""
    from kiosk.tournament.plan import Entrant

    happen(rig, *(h.Entered(Entrant(n, (f"P{n}",), f"Club {n % 2}", "MK", 1500.0 + n)) for n in range(1, count + 1)))


def opened(rig: Desk, count: int = 4, **plan: str) -> httpx.Response:
    """A stage of everybody, by the form."""
    if not now(rig).event.entrants:
        enter(rig, count)
    order = "\n".join(str(each.ident) for each in now(rig).event.entrants.values() if each.again is None)
    return opens(rig, **{**STAGE, "entrants": order, **plan})


def opens(rig: Desk, **fields: Any) -> httpx.Response:
    """A stage, by the form as it is now."""
    return rig.send(f"{AT}/stages/new", **{"seen": str(len(now(rig).event.stages)), **fields})


def draw(rig: Desk, n: int = 1) -> httpx.Response:
    return rig.send(f"{AT}/stage/{n}/draw", seen=now(rig).n)


def result(rig: Desk, key: str, outcome: str = "left", n: int = 1, **more: Any) -> httpx.Response:
    return rig.send(f"{AT}/stage/{n}/match/{key}", outcome=outcome, **more)
