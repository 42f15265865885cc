"""A whole tournament as one file: everything that happened, in order and with its dates; opened elsewhere, it is the same tournament.

{"format": "tableside-tournament", "version": 1, "event": "Open Skopje",
 "happened": [{"kind": "entered", "data": {…}, "at": "2026-12-05T10:00:00Z", "at_ns": …, "by": "Eva (organizer)"}, …]}
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select

from kiosk import codec
from kiosk.domain.types import NS_PER_S
from kiosk.say import _
from kiosk.server import tournament
from kiosk.server.schema import happening
from kiosk.server.store import hold
from kiosk.tournament.fold import fold
from kiosk.tournament.results import TournamentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from kiosk.server.acts import Act
    from kiosk.tournament.happened import Happened

FORMAT, VERSION = "tableside-tournament", 1
LARGEST = 20_000_000
"""A file has no more bytes."""
LONGEST_BY = 200


@dataclass(frozen=True, slots=True)
class Told:
    """One thing that happened."""

    what: Happened
    at_ns: int
    by: str


def to_bytes(connection: Connection, event: str) -> bytes:
    """The file.

    Args:
        connection: Any.
        event: What the event is called.
    """
    rows = connection.execute(select(happening).order_by(happening.c.n))
    happened = [{"kind": row.kind, "data": json.loads(row.data), "at": _date(row.at_ns), "at_ns": row.at_ns, "by": row.by} for row in rows]
    made = {"format": FORMAT, "version": VERSION, "event": event, "happened": happened}
    return json.dumps(made, ensure_ascii=False, indent=1).encode()


def _date(at_ns: int) -> str:
    return datetime.fromtimestamp(at_ns // NS_PER_S, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def read(data: bytes) -> list[Told]:
    """What a file says, checked from the first happening to the last.

    Raises:
        TournamentError: It is no such file, is damaged, or tells what cannot have happened; the sentence says where.
    """
    if len(data) > LARGEST:
        raise TournamentError(_("This file is larger than any tournament's."))
    try:
        plain = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise TournamentError(_("This is no file of a tournament: it is not JSON.")) from error
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise TournamentError(_("This is no file of a tournament."))
    if plain.get("version") != VERSION or not isinstance(plain.get("happened"), list):
        raise TournamentError(_("This file was made by a newer program; bring this server up to date."))
    told = [_one(each, n) for n, each in enumerate(plain["happened"], 1)]
    event = None
    for n, each in enumerate(told, 1):
        try:
            event = fold([each.what], event)
        except TournamentError as error:
            raise TournamentError(_("Entry {n} of the file cannot have happened: {why}", n=n, why=error)) from error
    return told


def _one(plain: Any, n: int) -> Told:  # noqa: ANN401 - whatever JSON held
    broken = TournamentError(_("Entry {n} of the file is damaged.", n=n))
    if not isinstance(plain, dict) or plain.get("kind") not in tournament.KINDS:
        raise broken
    at_ns, by = plain.get("at_ns"), plain.get("by")
    if type(at_ns) is not int or not 0 <= at_ns < 2**62 or not isinstance(by, str) or len(by) > LONGEST_BY:
        raise broken
    try:
        return Told(codec.from_plain(tournament.KINDS[plain["kind"]], plain.get("data")), at_ns, by)
    except codec.CodecError as error:
        raise broken from error


def open_here(act: Act, told: Sequence[Told]) -> None:
    """Let a file's tournament be this server's.

    Args:
        act: Who does it.
        told: As `read` gave it.

    Raises:
        TournamentError: Something has happened here already; nothing has changed.
    """
    hold(act.connection, "tournament")
    if tournament.count(act.connection):
        raise TournamentError(_("This server has a tournament already; a file is opened where nothing has happened yet."))
    for each in told:
        data = json.dumps(codec.to_plain(each.what), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        row = {"kind": tournament.NAMES[type(each.what)], "data": data, "by": each.by, "at_ns": each.at_ns}
        act.connection.execute(insert(happening).values(row))
    act.note("tournament_opened", happened=len(told))
    act.touched.add(("desk", "tournament"))
