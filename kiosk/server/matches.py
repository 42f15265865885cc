"""The matches that tables have played, as kept beside the facts: one row for each opening in each history, and what is read from them.

| column | says |
|---|---|
| `journal`, `first_seq`, `last_seq` | which rows it is made of |
| `phase` | where it stands; `unreadable` where an entry cannot be worked out |
| `attached` | the assignment that it counts for: its own id's where there is such, else none until a person says so |
| `left_out` | it counts for nothing: a person said so, it is older than this event, or it goes on at the table that took it |
| `summary` | JSON: players, length, rulebook, score, standing, winner, how, revision, provisional, signed, rulings … |

Two histories of one id that both went on are a conflict (`two_devices`) that a person settles; both are kept, the first counts until then.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, false, insert, or_, select, update

from kiosk.domain.asked import provisional, score_of, standing_of
from kiosk.domain.officials import Official, Role
from kiosk.domain.state import OVER, Phase
from kiosk.server.conflicts import flag
from kiosk.server.history import dates_of, rows_of
from kiosk.server.replay import Played
from kiosk.server.schema import assignment, audit, device, fact, result
from kiosk.server.schema import match as matches
from kiosk.sheets.official import Received
from kiosk.sheets.walk import parts, sheet_of
from kiosk.sheets.when import When
from kiosk.sync.wire import EarlierRuling

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from sqlalchemy import Connection
    from sqlalchemy import Row as Found

    from kiosk.domain.state import Ruling, Table
    from kiosk.ports import Row
    from kiosk.sheets.walk import ScoreSheet

A_DAY_NS = 24 * 3600 * 1_000_000_000
"""So long before the server was made, a match may be of its event."""

AGAIN_NS = 10 * 60 * 1_000_000_000
"""Two officials who rule the same within this time may mean the same."""

ASIDE = frozenset(
    {"official_signed_in", "official_signed_out", "sign_in_failed", "pin_recovered", "wall_clock_trusted", "press_ignored", "alert_raised"}
    | {"power_restored", "message_shown", "message_read", "hall_paused", "hall_pause_lifted", "seat_confirmed"}
)
"""Entries that may come behind a match that goes on elsewhere, without being a part of it."""


# ── Kept in step with the facts ──────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Whose:
    """Where a match comes from."""

    branch: int
    """The number of its history in `journal`."""
    device: str
    dated: Callable[[Row, int], int]
    """The house's date of an instant of a row's boot."""


@dataclass(frozen=True, slots=True)
class Stood:
    """A match as it stands now."""

    whose: Whose
    played: Played
    values: dict[str, Any]
    """The columns of its row that change."""

    @property
    def ident(self) -> str:
        """The match's id."""
        return self.played.table.match


@dataclass(frozen=True, slots=True)
class News:
    """Whom something concerns."""

    match: bool = False
    """Whoever looks at this match."""
    desk: bool = False
    """The organizer: it has begun, it is over, or a person has to decide something."""


def known(connection: Connection, ids: Iterable[str]) -> dict[str, list[Found[Any]]]:
    """Every row of these matches, by their ids: looked up once for all that changed together."""
    found: dict[str, list[Found[Any]]] = {}
    for row in connection.execute(select(matches).where(matches.c.id.in_(sorted(set(ids))))):
        found.setdefault(row.id, []).append(row)
    return found


@dataclass(slots=True)
class Changes:
    """What is written for many matches at once."""

    rows: dict[str, list[Found[Any]]]
    """As `known` found them."""
    updates: list[dict[str, Any]] = field(default_factory=list)
    signed: list[tuple[int, int]] = field(default_factory=list)
    """Matches whose sheet is signed, by journal and opening."""
    counts: Counter[str] = field(default_factory=Counter)
    """How often each id is among what has changed: one that two tables have is looked at by itself."""
    begun: list[Stood] = field(default_factory=list)
    """Matches that are new."""

    def write(self, connection: Connection, now_ns: int) -> None:
        """Write the rows that were there before, and those that are new."""
        if self.updates:
            connection.execute(_UPDATE, self.updates)
        if not self.begun:
            return
        _begin(connection, self.begun)
        there = known(connection, [each.ident for each in self.begun])
        for each in self.begun:  # another process may have begun the same one just now
            _flag(connection, each.whose, each.played, there.get(each.ident, []), now_ns)


_UPDATE = (
    update(matches)
    .where(matches.c.journal == bindparam("own"), matches.c.first_seq == bindparam("first"))
    .values({name: bindparam(f"new_{name}") for name in ("last_seq", "phase", "summary", "search", "changed_ns", "practice")})
)


def keep(connection: Connection, now: Stood, now_ns: int, changes: Changes) -> News:
    """Bring a match's row in line with its facts.

    Args:
        connection: A writing one.
        now: What the facts say.
        now_ns: Now, by the house's clock.
        changes: Takes what is to be written.

    Returns:
        What is news: another process may have been faster.
    """
    whose, played, values = now.whose, now.played, dict(now.values)
    there = changes.rows.get(now.ident, [])
    key = (whose.branch, played.first.seq)
    before = next((row for row in there if (row.journal, row.first_seq) == key), None)
    if before is not None and before.last_seq >= played.last.seq:
        return News()
    if values["phase"] in {Phase.SIGNED, Phase.RECEIVED}:
        changes.signed.append(key)
    if before is not None:
        place = played.table.place
        values["practice"] = before.practice or (place is not None and place.practice)  # it may have come after the opening
        changes.updates.append({"own": key[0], "first": key[1], **{f"new_{name}": value for name, value in values.items()}})
    elif not there and changes.counts[now.ident] == 1:
        changes.begun.append(now)
        return News(match=True, desk=True)
    else:
        _begin(connection, [now])
        there = known(connection, [now.ident]).get(now.ident, [])  # another one may have begun just now
    flagged = _flag(connection, whose, played, there, now_ns)
    return News(match=True, desk=flagged or before is None or before.phase != values["phase"])


def stood(whose: Whose, played: Played, now_ns: int) -> Stood:
    """A match as its facts say, without a look at the database.

    Args:
        whose: Where it comes from.
        played: What the facts say.
        now_ns: Now, by the house's clock.
    """
    told = summary_of(played, whose.dated)
    values = {
        "last_seq": played.last.seq,
        "phase": "unreadable" if played.unreadable else str(played.table.phase or "unreadable"),
        "summary": json.dumps(told, ensure_ascii=False, sort_keys=True, separators=(",", ":")),
        "search": search_text(told["players"]),
        "changed_ns": now_ns,
    }
    return Stood(whose, played, values)


def _begin(connection: Connection, begun: Sequence[Stood]) -> None:
    """Write rows of matches that are new; their ids differ."""
    ids = [each.ident for each in begun]
    plans = select(assignment.c.id, assignment.c.practice).where(assignment.c.id.in_(ids))
    planned = {row.id: row.practice for row in connection.execute(plans)}
    theirs = select(device.c.id).where(device.c.id.in_([each.whose.device for each in begun]), device.c.practice.is_(True))
    practising = set(connection.execute(theirs).scalars())
    counting = select(matches.c.attached).where(matches.c.attached.in_(ids), matches.c.left_out.is_(False))
    taken = set(connection.execute(counting).scalars())
    event_ns = _event_began(connection)
    rows = []
    for each in begun:
        whose, played, ident, place = each.whose, each.played, each.ident, each.played.table.place
        practice = whose.device in practising or (place is not None and place.practice) or planned.get(ident, False)
        own = {"journal": whose.branch, "first_seq": played.first.seq, "id": ident, "device": whose.device}
        attached = ident if ident in planned and ident not in taken else None
        opened_ns = whose.dated(played.first, played.first.mono_ns)
        older = attached is None and played.first.wall_trusted and opened_ns < event_ns
        rows.append({**own, "attached": attached, "left_out": older, "practice": practice, "opened_ns": opened_ns, **each.values})
    connection.execute(insert(matches), rows)


def _event_began(connection: Connection) -> int:
    """What was opened before this date, where a table knew the date, is none of this event: nanoseconds since 1970.

    A table sends its whole journal, for a chain cannot begin in the middle; with it come the matches of the events before. Decision: they
    are left out as if a person had said so, and a person may let one count. A match that was begun on the day on which the server was made
    is this event's.
    """
    made = select(audit.c.at_ns).where(audit.c.act == "server_made").order_by(audit.c.id).limit(1)
    return (connection.execute(made).scalar() or 0) - A_DAY_NS


def summary_of(played: Played, dated: Callable[[Row, int], int]) -> dict[str, Any]:
    """What is shown of a match in lists, and what its result is made of.

    Args:
        played: The match.
        dated: The house's date of an instant of a row's boot.
    """
    table, setup = played.table, played.table.setup
    score, standing, end = score_of(table), standing_of(table), table.ended
    players = None if setup is None else {"left": list(setup.players.left), "right": list(setup.players.right)}
    return {
        "players": players,
        "length": None if setup is None else setup.length,
        "rulebook": None if setup is None else setup.rulebook,
        "score": {"left": score.left, "right": score.right},
        "standing": None if standing is None else {"left": standing.left, "right": standing.right},
        "winner": None if end is None else end.winner,
        "how": None if end is None else end.how,
        "revision": table.revision,
        "provisional": provisional(table),
        "final": table.phase is Phase.RECEIVED and not provisional(table),
        "signed": [str(signature.side) for signature in table.signatures],
        "digest": played.last.hash,
        "came_from": played.came_from,
        "unreadable": played.unreadable,
        "over": table.phase in OVER,
        "begun": table.started or bool(table.games),
        "rulings": [_ruling(ruling, table, played, dated) for ruling in table.rulings],
    }


def _ruling(ruling: Ruling, table: Table, played: Played, dated: Callable[[Row, int], int]) -> dict[str, Any]:
    return {
        "n": ruling.id,
        "sides": [str(side) for side in ruling.sides],
        "players": [name for side in ruling.sides for name in (() if table.setup is None else table.setup.players[side])],
        "infraction": ruling.infraction,
        "sanction": ruling.sanction,
        "by": ruling.by.name,
        "role": str(ruling.by.role),
        "game": ruling.game,
        "note": ruling.note,
        "void": ruling.void,
        "at_ns": dated(played.last, ruling.at),
    }


def search_text(players: dict[str, list[str]] | None) -> str:
    """The players' names, folded, each on a line of its own."""
    names = [] if players is None else [*players["left"], *players["right"]]
    return "\n" + "".join(f"{name.casefold()}\n" for name in names)


# ── What a person must look at ───────────────────────────────────────────────
def _flag(connection: Connection, whose: Whose, played: Played, there: list[Found[Any]], now_ns: int) -> bool:
    """Note what a person must look at; whether any of it is new.

    Args:
        connection: A writing one.
        whose: Where the match comes from.
        played: What the facts say.
        there: Every row of its id.
        now_ns: Now, by the house's clock.
    """
    ident, owner, new = played.table.match, whose.device, False
    for kind in sorted(played.unknown):
        new |= flag(connection, "unknown_fact", owner, {"type": kind}, now_ns)
    for first, second in same_rulings(played.table.rulings):
        new |= flag(connection, "duplicate_ruling", owner, {"first": first, "second": second}, now_ns, match=ident)
    for other in [row for row in there if row.journal != whose.branch]:
        new |= _meet(connection, (whose.branch, played), other, whose.device, now_ns)
    return new


def same_rulings(rulings: Iterable[Ruling]) -> Iterator[tuple[int, int]]:
    """Pairs of rulings that stand, and that may be the same one, entered twice: at the table and on a phone, say."""
    standing = [ruling for ruling in rulings if not ruling.void]
    for n, second in enumerate(standing):
        for first in standing[:n]:
            if first.infraction != second.infraction or not set(first.sides) & set(second.sides):
                continue
            if second.duplicate == first.id or (first.by != second.by and second.at - first.at <= AGAIN_NS):
                yield first.id, second.id


def _meet(connection: Connection, one: tuple[int, Played], other: Found[Any], owner: str, now_ns: int) -> bool:
    """Two histories of one match: one goes on where the other ended, or both went on."""
    branch, played = one
    came_from = json.loads(other.summary).get("came_from", "")
    if played.came_from and _ends_at(connection, other.journal, other.first_seq, other.last_seq, played.came_from):
        _moved(connection, (other.journal, other.first_seq), (branch, played.first.seq))
    elif came_from and _ends_at(connection, branch, played.first.seq, played.last.seq, came_from):
        _moved(connection, (branch, played.first.seq), (other.journal, other.first_seq))
    else:
        keys = sorted([[branch, played.first.seq], [other.journal, other.first_seq]])
        return flag(connection, "two_devices", owner, {"matches": keys}, now_ns, match=played.table.match)
    return False


def _ends_at(connection: Connection, branch: int, first: int, last: int, digest: str) -> bool:
    """Whether a match's entries end with the one of this hash, but for what is no part of it."""
    newest = connection.execute(
        select(fact.c.seq).where(fact.c.journal == branch, fact.c.seq.between(first, last), fact.c.hash == digest)
    ).scalar()
    return newest is not None and all(row.type in ASIDE for row in rows_of(connection, branch, newest + 1, last))


def _moved(connection: Connection, old: tuple[int, int], new: tuple[int, int]) -> None:
    """A match goes on in another journal: there it counts, and for what it counted here."""
    here = (matches.c.journal == old[0]) & (matches.c.first_seq == old[1])
    there = (matches.c.journal == new[0]) & (matches.c.first_seq == new[1])
    attached = connection.execute(select(matches.c.attached).where(here, matches.c.left_out.is_(False))).scalar()
    connection.execute(update(matches).where(here).values(left_out=True, attached=None))
    if attached is not None:
        connection.execute(update(matches).where(there, matches.c.attached.is_(None)).values(attached=attached))


# ── Read ─────────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Kept:
    """A match's row, with what is told elsewhere about it."""

    match: str
    journal: int
    first_seq: int
    last_seq: int
    device: str
    table: str
    """What its device is called."""
    attached: str | None
    round: str
    """Of the assignment that it counts for; empty: none."""
    practice: bool
    left_out: bool
    phase: str
    opened_ns: int
    summary: dict[str, Any]


_KEPT = (
    select(matches, device.c.table_name, assignment.c.round)
    .join(device, device.c.id == matches.c.device)
    .outerjoin(assignment, assignment.c.id == matches.c.attached)
)


def kept(connection: Connection, *, practice: bool | None = False) -> list[Kept]:
    """Every match that counts, in the order of their openings.

    Args:
        connection: Any.
        practice: False: no practice, which never counts; True: nothing else; None: both, and what is left out, too.
    """
    wanted = _KEPT if practice is None else _KEPT.where(matches.c.practice.is_(practice), matches.c.left_out.is_(False))
    return [_kept(row) for row in connection.execute(wanted.order_by(matches.c.opened_ns, matches.c.journal, matches.c.first_seq))]


def _kept(row: Found[Any]) -> Kept:
    return Kept(
        row.id,
        row.journal,
        row.first_seq,
        row.last_seq,
        row.device,
        row.table_name,
        row.attached,
        row.round or "",
        row.practice,
        row.left_out,
        row.phase,
        row.opened_ns,
        json.loads(row.summary),
    )


def find(connection: Connection, match: str) -> Kept | None:
    """A match by its id; of several histories the one that counts, else the newest. None: there is none."""
    rows = [_kept(row) for row in connection.execute(_KEPT.where(matches.c.id == match))]
    return max(rows, key=lambda one: (not one.left_out, one.attached is not None, one.journal), default=None)


def rows(connection: Connection, match: str) -> list[Row]:
    """The rows of a match, from its opening on; none where there is no such match."""
    found = find(connection, match)
    return [] if found is None else list(rows_of(connection, found.journal, found.first_seq, found.last_seq))


def sheet(connection: Connection, match: str) -> ScoreSheet | None:
    """The score sheet of a match; None: there is no such match, or an entry of it cannot be worked out."""
    found = find(connection, match)
    return None if found is None else sheet_at(connection, found, 1)


def sheet_at(connection: Connection, one: Kept, number: int) -> ScoreSheet | None:
    """The score sheet of one history of a match.

    Args:
        connection: Any.
        one: Which.
        number: What number the sheet is to have.
    """
    if one.phase == "unreadable":
        return None
    made = list(parts(rows_of(connection, one.journal, one.first_seq, one.last_seq)))
    if not made:
        return None
    sheet = sheet_of(made[0], number, dates_of(connection, one.journal))
    return sheet if one.phase != Phase.SIGNED else replace(sheet, received=_received_here(connection, one))


def _received_here(connection: Connection, one: Kept) -> Received | None:
    """Who has received at the desk what the sheet says, after its table had gone on."""
    wanted = (result.c.match == one.attached, result.c.source.in_(("sheet", "desk")))
    of = f"{one.journal}-{one.first_seq}"
    newest, received = None, None
    for row in connection.execute(select(result).where(*wanted).order_by(result.c.version)):
        data = json.loads(row.data)
        if data.get("of") != of:
            continue
        newest = data.get("revision")
        if row.source == "desk":
            by = Official(data["received_by"], Role(data["received_role"]))
            received = newest, Received(by, When(row.at_ns, "set"))
    return None if received is None or received[0] != newest else received[1]


def sheets(connection: Connection, *, practice: bool = False) -> Iterator[ScoreSheet]:
    """The score sheets of the event, in the order of the openings.

    Args:
        connection: Any; kept open while they are read.
        practice: Those of practice instead.
    """
    for _one, made in told(connection, practice=practice):
        yield made


def told(connection: Connection, *, practice: bool = False) -> Iterator[tuple[Kept, ScoreSheet]]:
    """The same, each with its table and round."""
    number = 0
    for one in kept(connection, practice=practice):
        made = sheet_at(connection, one, number + 1)
        if made is not None:
            number += 1
            yield one, made


def earlier_rulings(connection: Connection, players: Iterable[str]) -> list[EarlierRuling]:
    """The rulings of this event on these players that stand, from all tables, oldest first; practice has none.

    Args:
        connection: Any.
        players: Names, as they stand in the matches; capitals do not matter.
    """
    names = {name.casefold() for name in players}
    theirs = or_(false(), *[matches.c.search.contains(f"\n{name}\n", autoescape=True) for name in sorted(names)])
    found: list[EarlierRuling] = []
    for row in connection.execute(_KEPT.where(theirs, matches.c.practice.is_(False), matches.c.left_out.is_(False))):
        one = _kept(row)
        for ruling in one.summary["rulings"]:
            about = [name for name in ruling["players"] if name.casefold() in names]
            if ruling["void"] or not about:
                continue
            found.extend(
                EarlierRuling(
                    name, one.table, one.match, ruling["at_ns"], ruling["infraction"], ruling["sanction"], ruling["by"], ruling["note"]
                )
                for name in about
            )
    return sorted(found, key=lambda ruling: ruling.at_ns)
