"""A whole tournament as one file: everything that happened, in order and with its dates; opened elsewhere, it is the same tournament.

{"format": "tableside-tournament", "version": 1, "event": "Open Skopje",
 "happened": [{"kind": "entered", "data": {…}, "at": "2026-12-05T10:00:00Z", "at_ns": …, "by": "Eva (organizer)"}, …],
 "ratings": [{"player": 1, "name": "Ana", "before": 1500.0, "after": 1509.2, …}, …],
 "money": [{"kind": "paid", "data": {…}, "at": …, "at_ns": …, "by": …}, …]}

What `ratings` says follows from the rest, for whoever keeps ratings; it is not read. `money`, the ledger, is there where something was
entered in it; such a file is of version 2: a program that knows no ledger would lose it.
"""

from __future__ import annotations

import codecs
import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from sqlalchemy import insert, select

from kiosk import codec
from kiosk.domain.types import NS_PER_S
from kiosk.say import _, mark
from kiosk.server import money, tournament
from kiosk.server.schema import happening, ledger
from kiosk.server.store import hold
from kiosk.tournament.asked import check_told
from kiosk.tournament.event import Event
from kiosk.tournament.file import check_text
from kiosk.tournament.fold import fold
from kiosk.tournament.ledger import fold as fold_ledger
from kiosk.tournament.rated import as_plain, rated_event
from kiosk.tournament.results import TournamentError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sqlalchemy import Connection, Table

    from kiosk.server.acts import Act
    from kiosk.tournament.happened import Happened
    from kiosk.tournament.money import Entry

FORMAT, VERSION, WITH_MONEY = "tableside-tournament", 1, 2
LARGEST = 20_000_000
"""A file has no more bytes."""
LONGEST_BY = 200


_What = TypeVar("_What")


@dataclass(frozen=True, slots=True)
class Told(Generic[_What]):
    """One thing that happened, or one entry of the ledger."""

    what: _What
    at_ns: int
    by: str


@dataclass(frozen=True, slots=True)
class Whole:
    """What a file says."""

    happened: tuple[Told[Happened], ...]
    money: tuple[Told[Entry], ...]


def to_bytes(connection: Connection, event: str) -> bytes:
    """The file.

    Args:
        connection: Any.
        event: What the event is called.
    """
    happened, entries = (_rows(connection, table) for table in (happening, ledger))
    now = tournament.standing_now(connection).event
    ratings = [as_plain(each, now.name(int(each.player))) for each in rated_event(now).changes]
    version = WITH_MONEY if entries else VERSION
    made = {"format": FORMAT, "version": version, "event": event, "happened": happened, "ratings": ratings}
    made |= {"money": entries} if entries else {}
    return json.dumps(made, ensure_ascii=False, indent=1).encode()


def _rows(connection: Connection, table: Table) -> list[dict[str, Any]]:
    rows = connection.execute(select(table).order_by(table.c.n))
    return [{"kind": row.kind, "data": json.loads(row.data), "at": _date(row.at_ns), "at_ns": row.at_ns, "by": row.by} for row in rows]


def _date(at_ns: int) -> str:
    return datetime.fromtimestamp(at_ns // NS_PER_S, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def read(data: bytes) -> Whole:
    """What a file says, checked from the first happening and the first entry to the last.

    Raises:
        TournamentError: It is no such file, is damaged, or tells what cannot have happened; the sentence says where.
    """
    if len(data) > LARGEST:
        raise TournamentError(_("This file is larger than any tournament's."))
    try:
        plain = json.loads(data.removeprefix(codecs.BOM_UTF8))
    except (ValueError, RecursionError) as error:
        raise TournamentError(_("This is no file of a tournament: it is not JSON.")) from error
    check_text(plain)
    return read_plain(plain)


def read_plain(plain: object) -> Whole:
    """The same of what JSON held.

    Raises:
        TournamentError: As `read` does.
    """
    if not isinstance(plain, dict) or plain.get("format") != FORMAT:
        raise TournamentError(_("This is no file of a tournament."))
    listed = [plain.get("happened"), plain.get("money", [])]
    if not all(isinstance(each, list) for each in listed):
        raise TournamentError(_("This file of a tournament is damaged."))
    if plain.get("version") not in {VERSION, WITH_MONEY}:
        raise TournamentError(_("This file was made by a newer program; bring this server up to date."))
    told, entries = (
        tuple(_one(each, n, kinds) for n, each in enumerate(rows, 1))
        for rows, kinds in zip(listed, (tournament.KINDS, money.KINDS), strict=True)
    )
    _check(told, _folded, mark("Entry {n} of the file cannot have happened: {why}"))
    _check(entries, fold_ledger, mark("Entry {n} of the file's ledger cannot be: {why}"))
    return Whole(told, entries)


def _folded(what: list[Happened], event: Event | None) -> Event:
    event = Event() if event is None else event
    for each in what:
        check_told(event, each)
    return fold(what, event)


def _check(told: Sequence[Told[Any]], folded: Callable[[list[Any], Any], Any], sentence: str) -> None:
    made = None
    for n, each in enumerate(told, 1):
        try:
            made = folded([each.what], made)
        except TournamentError as error:
            raise TournamentError(_(sentence, n=n, why=error)) from error


def _one(plain: Any, n: int, kinds: Mapping[str, type[Any]]) -> Told[Any]:  # noqa: ANN401 - whatever JSON held
    broken = TournamentError(_("Entry {n} of the file is damaged.", n=n))
    if not isinstance(plain, dict) or plain.get("kind") not in kinds:
        raise broken
    at_ns, by = plain.get("at_ns"), plain.get("by")
    if type(at_ns) is not int or not 0 <= at_ns < 2**62 or not isinstance(by, str) or len(by) > LONGEST_BY:
        raise broken
    kind = kinds[plain["kind"]]
    try:
        return Told(codec.from_plain(kind, codec.filled(kind, plain.get("data"))), at_ns, by)
    except codec.CodecError as error:
        raise broken from error


def open_here(act: Act, whole: Whole) -> None:
    """Let a file's tournament be this server's.

    Args:
        act: Who does it.
        whole: As `read` gave it.

    Raises:
        TournamentError: Something has happened here already; nothing has changed.
    """
    hold(act.connection, "tournament")
    if tournament.count(act.connection) or money.count(act.connection):
        raise TournamentError(_("This server has a tournament already; a file is opened where nothing has happened yet."))
    for each in whole.happened:
        data = json.dumps(codec.to_plain(each.what), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        row = {"kind": tournament.NAMES[type(each.what)], "data": data, "by": each.by, "at_ns": each.at_ns}
        act.connection.execute(insert(happening).values(row))
    for n, entry in enumerate(whole.money, 1):
        money.keep(act.connection, n, entry.what, entry.by, entry.at_ns)
    act.note("tournament_opened", happened=len(whole.happened), money=len(whole.money))
    act.touched.add(("desk", "tournament"))
