"""What tables ask for: the server's end of `kiosk.sync.wire`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from sqlalchemy import select
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from kiosk.domain.setup import LONGEST_NAME
from kiosk.say import _
from kiosk.server import matches, people, receiving
from kiosk.server.devices import stranger
from kiosk.server.enrolment import enrol
from kiosk.server.problems import Problem
from kiosk.server.schema import device as devices
from kiosk.server.streams import Lines
from kiosk.sync import wire

if TYPE_CHECKING:
    from kiosk.server.devices import Doorkeeper
    from kiosk.server.house import House
    from kiosk.server.streams import Streams

router = APIRouter()

JSON = "application/json"
MOST_PLAYERS = 4
_TEXT = {"type": "string"}
_BEARER: dict[str, Any] = {"security": [{"bearer": []}]}


def _body(properties: dict[str, Any]) -> dict[str, Any]:
    """A request's body for the description of the API."""
    schema = {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    return {"requestBody": {"required": True, "content": {JSON: {"schema": schema}}}}


@router.get(wire.HELLO)
def hello(request: Request) -> Response:
    """Who is there: said to anybody."""
    house: House = request.app.state.house
    return _json(wire.to_json(wire.Hello(1, house.keys.server_id, house.event, house.keys.public_hex)))


@router.post(
    wire.ENROL,
    openapi_extra=_body(dict.fromkeys(("device", "table", "nonce", "proof", "version"), _TEXT) | {"replaces": {"type": "boolean"}}),
)
async def enrolled(request: Request) -> Response:
    """Take a device into the hall by a code."""
    asked = wire.from_json(wire.EnrolRequest, await request.body())
    host = request.client.host if request.client else ""
    answer = await run_in_threadpool(enrol, request.app.state.house, host, asked)
    return _json(wire.to_json(answer))


@router.get(wire.STREAM, openapi_extra=_BEARER)
async def stream(request: Request, after: int = 0) -> Response:
    """Orders, as they come, one a line."""
    ident = await _device(request)
    if not 0 <= after < 2**63:
        raise Problem(400, _("An order's number is none."))
    streams: Streams = request.app.state.streams
    return Lines(streams.lines(ident, after))


_NUMBER = {"type": "integer"}
_MOMENT = {
    "type": "object",
    "properties": {"boot": _TEXT, "mono_ns": _NUMBER, "wall_ns": _NUMBER, "wall_trusted": {"type": "boolean"}},
    "required": ["boot", "mono_ns", "wall_ns", "wall_trusted"],
    "additionalProperties": False,
}
_BATCH = {"journal": _TEXT, "after": _NUMBER, "prev": _TEXT, "now": _MOMENT, "pending": _NUMBER}
_BATCH |= {"rows": {"type": "array", "items": {"type": "array"}}, "answers": {"type": "array", "items": {"type": "object"}}}


@router.post(wire.SYNC, openapi_extra=_BEARER | _body(_BATCH))
async def sync(request: Request) -> Response:
    """Take facts and answers in."""
    ident = await _device(request)
    batch = wire.batch_from_json(await request.body())
    house: House = request.app.state.house
    answer = await house.intake.submit(ident, batch)
    if any(map(receiving.turned_away, batch.answers)):
        await house.for_tables.run(receiving.gone_on, house, ident, batch.answers)
    return _json(wire.to_json(answer))


@router.get(wire.ROSTER, openapi_extra=_BEARER)
async def roster(request: Request) -> Response:
    """The officials, hashes only."""
    await _device(request)
    house: House = request.app.state.house

    def read() -> bytes:
        with house.store.read() as connection:
            return people.roster(connection)

    return _json(await house.for_tables.run(read))


@router.get(
    wire.RULINGS,
    openapi_extra=_BEARER
    | {"parameters": [{"name": "player", "in": "query", "required": True, "schema": {"type": "array", "items": _TEXT}}]},
)
async def rulings(request: Request) -> Response:
    """Earlier rulings of this event on players."""
    await _device(request)
    players = request.query_params.getlist("player")
    if not 1 <= len(players) <= MOST_PLAYERS or any(len(name) > LONGEST_NAME for name in players):
        raise Problem(400, _("Ask for one to {most} players.", most=MOST_PLAYERS))
    house: House = request.app.state.house

    def read() -> bytes:
        with house.store.read() as connection:
            return wire.to_json(wire.EarlierRulings(tuple(matches.earlier_rulings(connection, players))))

    return _json(await house.for_tables.run(read))


@router.get(wire.RUNNING, openapi_extra=_BEARER)
async def running(request: Request) -> Response:
    """The match that a spare device takes over, with its chain."""
    ident = await _device(request)
    house: House = request.app.state.house

    def read() -> bytes:
        with house.store.read() as connection:
            mine = connection.execute(select(devices.c.takes_over, devices.c.table_name).where(devices.c.id == ident)).one()
            rows = matches.rows(connection, mine.takes_over) if mine.takes_over else []
            if not rows:
                raise Problem(404, _("No match waits to be taken over by this table."))
            return wire.running_to_json(wire.Running(mine.table_name, mine.takes_over, tuple(rows)))

    return _json(await house.for_tables.run(read))


async def _device(request: Request) -> str:
    """The device that asks.

    Raises:
        Problem: It is unknown or was revoked (401).
    """
    authorization = request.headers.get("authorization")
    if authorization is None:
        raise stranger()
    doorkeeper: Doorkeeper = request.app.state.doorkeeper
    known = doorkeeper.remembered(authorization)
    return known if known is not None else await request.app.state.house.for_tables.run(doorkeeper.look_up, authorization)


def _json(body: bytes) -> Response:
    return Response(body, media_type=JSON)
