"""The tournament on the server: what happened in it, kept one row a happening, and its matches released to the tables.

    an organizer's act ──► `happen` ──► happening (appended) ──► `standing_now`: the event, folded from them
    a round's matches  ──► `release` ──► assignments, offered at tables ──► a sheet, or an organizer's result ──► `heard` ──► Ended

Whatever is entered is checked before it is kept, so that what is kept can always be folded. A result that cannot be taken over (its winner
has played on as a loser, say) is told as a conflict, and a person decides.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, get_args
from weakref import WeakKeyDictionary

from sqlalchemy import delete, func, insert, select

from kiosk import codec
from kiosk.domain.types import Pair
from kiosk.say import _
from kiosk.server import assignments, results
from kiosk.server.schema import conflict, happening
from kiosk.server.schema import release as released
from kiosk.server.store import Store, hold, store_of
from kiosk.tournament import happened as h
from kiosk.tournament.asked import check_asked
from kiosk.tournament.event import KNOCK_OUT, Event
from kiosk.tournament.fold import fold
from kiosk.tournament.results import TournamentError
from kiosk.tournament.stages import fixtures

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection

    from kiosk.books import Library
    from kiosk.server.acts import Act
    from kiosk.server.assignments import Assignment
    from kiosk.server.plans import Plan

KINDS: dict[str, type[Any]] = {codec.name_of(kind): kind for kind in get_args(h.Happened)}
"""Every happening by its name in the database."""
NAMES = {kind: name for name, kind in KINDS.items()}


@dataclass(frozen=True, slots=True)
class Now:
    """The event as it stands."""

    n: int
    """The number of the last happening; 0: there is none."""
    event: Event
    released: dict[tuple[int, str], str]
    """The assignment of every match that was released, by stage and key."""


def standing_now(connection: Connection) -> Now:
    """The event as it stands.

    Args:
        connection: Any.
    """
    kept = _kept(connection)
    return Now(kept.n, kept.event, _released(connection))


def _released(connection: Connection) -> dict[tuple[int, str], str]:
    return {(row.stage, row.key): row.assignment for row in connection.execute(select(released))}


@dataclass(frozen=True, slots=True)
class _Kept:
    """What was folded up to a happening."""

    n: int
    last: tuple[object, ...]
    event: Event


def _folded(connection: Connection, kept: _Kept | None) -> _Kept:
    """All that happened, folded onto what is kept, where the log still has its last entry."""
    asked = select(happening).order_by(happening.c.n)
    rows = connection.execute(asked if kept is None else asked.where(happening.c.n >= kept.n)).all()
    if kept is not None:
        if not rows or tuple(rows[0]) != kept.last:
            return _folded(connection, None)
        rows = rows[1:]
        if not rows:
            return kept
    event = fold((read(row.kind, row.data) for row in rows), None if kept is None else kept.event, checked=True)
    return _Kept(rows[-1].n, tuple(rows[-1]), event) if rows else _Kept(0, (), event)


_SEEN: WeakKeyDictionary[Store, _Kept] = WeakKeyDictionary()
"""What readers of each store have folded: hundreds of phones ask at once, and only what is new is worked out."""


def _kept(connection: Connection) -> _Kept:
    """All that happened, folded; what is not committed is never kept."""
    store, reads = store_of(connection)
    kept = _folded(connection, _SEEN.get(store))
    if reads and kept.n:
        _SEEN[store] = kept
    return kept


def seen_now(connection: Connection) -> Event:
    """The event as it stands, without what was released.

    Args:
        connection: Any.
    """
    return _kept(connection).event


def read(kind: str, data: str) -> h.Happened:
    """A happening as the database has it."""
    made: h.Happened = codec.from_plain(KINDS[kind], codec.filled(KINDS[kind], json.loads(data)))
    return made


def happen(act: Act, what: Sequence[h.Happened], seen: int | None = None) -> Now:
    """Let things happen, all or none; a released match that others play by them, or nobody, is taken back from its table.

    Args:
        act: Who does it.
        what: In their order.
        seen: The number of the last happening that the person saw; where more has happened since it is refused. None: whatever.

    Returns:
        The event after them.

    Raises:
        TournamentError: One of them cannot happen, a match that others would play has been opened at a table, or somebody was faster;
            nothing has happened.
    """
    hold(act.connection, "tournament")
    now = standing_now(act.connection)
    if seen is not None and seen != now.n:
        raise TournamentError(_("Somebody has changed the tournament meanwhile; look at it as it is now, and do it again."))
    check_asked(now.event, what)
    made = _let(act, now, what, act.by)
    for each in what:
        act.note("tournament_changed", what=NAMES[type(each)], **_told(each))
    return made


def _let(act: Act, now: Now, what: Sequence[h.Happened], by: str) -> Now:
    event = fold(what, now.event)
    moved = _moved(act.connection, now, event) if any(_moves(event, each) for each in what) else []
    number = now.n
    for each in what:
        number = _keep(act.connection, each, by, act.at_ns)
    for stage, key in moved:
        take_back(act, stage, key)
    act.touched.add(("desk", "tournament"))
    return Now(number, event, {whose: ident for whose, ident in now.released.items() if whose not in moved})


def _moves(event: Event, what: h.Happened) -> bool:
    """Whether others may play a match by it than did before."""
    if isinstance(what, h.Ended | h.Reopened | h.Joined):
        return event.stage(what.stage).plan.system in KNOCK_OUT
    return isinstance(what, h.Left | h.CameBack)


def _moved(connection: Connection, now: Now, event: Event) -> list[tuple[int, str]]:
    """The released matches that others play now, or nobody does, for one of the two has left.

    Raises:
        TournamentError: One that others play now has been opened at a table. Where one has left, its table goes on until a person ends it.
    """
    found = []
    for number in sorted({stage for stage, _key in now.released}):
        stage, before = event.stage(number), {each.key: each for each in fixtures(now.event, now.event.stage(number))}
        for each in fixtures(event, stage):
            old, ident = before.get(each.key), now.released.get((number, each.key))
            if old is None or ident is None or each.key in stage.ended:
                continue
            others = (each.left, each.right) != (old.left, old.right)
            if not others and (each.outcome is None or old.outcome is not None):
                continue
            if assignments.find(connection, ident).match is None:
                found.append((number, each.key))
            elif others:
                raise TournamentError(_opened(each.key))
    return found


def _opened(key: str) -> str:
    return _("Match {key} has been opened at a table; enter its result, or let it be left out there first.", key=key)


def _keep(connection: Connection, what: h.Happened, by: str, at_ns: int) -> int:
    data = json.dumps(codec.to_plain(what), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    row = {"kind": NAMES[type(what)], "data": data, "by": by, "at_ns": at_ns}
    return int(connection.execute(insert(happening).values(row).returning(happening.c.n)).scalar_one())


def _told(what: h.Happened) -> dict[str, Any]:
    told: dict[str, Any] = codec.to_plain(what)
    return {"plan": told} if isinstance(what, h.StageOpened) else told


def next_entrant(connection: Connection) -> int:
    """A number that no entrant has, nor ever had."""
    seen = [
        read(row.kind, row.data)
        for row in connection.execute(select(happening.c.kind, happening.c.data).where(happening.c.kind == "entered"))
    ]
    return max((each.entrant.ident for each in seen if isinstance(each, h.Entered)), default=0) + 1


# ── Releasing matches ────────────────────────────────────────────────────────
def release(act: Act, number: int, seats: Mapping[str, str | None], pattern: Plan, library: Library) -> list[str]:
    """Make assignments of a stage's matches, so that the tables get them.

    Args:
        act: Who does it.
        number: The stage.
        seats: Which matches, each with its table's name, or None: it waits for one. Those that are released already stay as they are.
        pattern: Rulebook, length, clock and start; players, table and round are each match's own.
        library: The rulebooks that the server knows.

    Returns:
        The assignments' ids, of those that are new.

    Raises:
        TournamentError: A match cannot be played yet; nothing was released.
        CommandRefused: The plan cannot be played as it is; nothing was released.
        RulebookError: Its rulebook cannot be had.
    """
    if pattern.length is None:
        raise TournamentError(_("A session without a length has no winner; say to how many points the matches go."))
    hold(act.connection, "tournament")
    now = standing_now(act.connection)
    stage = now.event.stage(number)
    ready = {each.key: each for each in fixtures(now.event, stage) if each.ready}
    made = []
    for key, table in seats.items():
        if (number, key) in now.released:
            continue
        found = ready.get(key)
        if found is None or found.left is None or found.right is None:
            raise TournamentError(_("Match {key} cannot be played now.", key=key))
        players = Pair(now.event.entrants[found.left].names, now.event.entrants[found.right].names)
        plan = replace(pattern, players=players, table=table or "", round=f"{stage.plan.name} {found.round}")
        one = assignments.make(act, plan, library)
        act.connection.execute(insert(released).values(stage=number, key=key, assignment=one.id))
        made.append(one.id)
    act.touched.add(("desk", "tournament"))
    return made


def take_back(act: Act, number: int, key: str) -> None:
    """Take a released match back from its table; where it was not released, nothing changes.

    Args:
        act: Who does it.
        number: The stage.
        key: The match's.

    Raises:
        TournamentError: It has been opened at a table.
    """
    mine = (released.c.stage == number, released.c.key == key)
    ident = act.connection.execute(select(released.c.assignment).where(*mine)).scalar()
    if ident is None:
        return
    if assignments.find(act.connection, ident).match is not None:
        raise TournamentError(_opened(key))
    assignments.withdraw(act, ident)
    act.connection.execute(delete(released).where(*mine))
    act.touched.add(("desk", "tournament"))


def close_stage(act: Act, number: int) -> None:
    """Take a stage back that was opened by mistake, and its matches from their tables.

    Args:
        act: Who does it.
        number: The stage.

    Raises:
        TournamentError: It is not the last one, it has draws or results, or one of its matches has been opened at a table.
    """
    hold(act.connection, "tournament")
    for stage, key in _released(act.connection):
        if stage == number:
            take_back(act, stage, key)
    happen(act, [h.StageTakenBack(number)])


# ── Results ──────────────────────────────────────────────────────────────────
def heard(act: Act, match: str, by: str) -> bool:
    """Take the result of a released match over into the tournament; called after each new version of it.

    Args:
        act: What it is a part of.
        match: The assignment's id.
        by: Whose version it is.

    Returns:
        Whether the tournament has changed.
    """
    connection = act.connection
    row = connection.execute(select(released).where(released.c.assignment == match)).first()
    if row is None:
        return False
    outcome = ended(connection, match, row.stage, row.key)
    if outcome is None:
        return False
    hold(connection, "tournament")
    now = standing_now(connection)
    if now.event.stage(row.stage).ended.get(row.key) == outcome:
        return False
    try:
        _let(act, now, [outcome], by)
    except TournamentError as error:
        what = json.dumps({"stage": row.stage, "key": row.key, "result": codec.to_plain(outcome), "why": str(error)}, ensure_ascii=False)
        connection.execute(insert(conflict).values(kind="result_comes_late", device="", match=match, what=what, at_ns=act.at_ns))
        return False
    return True


def ended(connection: Connection, match: str, stage: int, key: str) -> h.Ended | None:
    """What the standing version of a result says of the tournament's match; None: nothing yet."""
    counts = results.standing(results.versions(connection, match))
    if counts is None:
        return None
    one = assignments.find(connection, match)
    data = results.seated(counts.data, one.plan.players)
    outcome = _outcome(data)
    score = data.get("score") or {"left": 0, "right": 0}
    return None if outcome is None else h.Ended(stage, key, outcome, int(score["left"]), int(score["right"]), length_of(one))


def length_of(one: Assignment) -> int:
    """To how many points a match is played, or was, which may not be as planned; 0: a free session."""
    return one.summary.get("length", one.plan.length) or 0


def _outcome(data: dict[str, Any]) -> h.Outcome | None:
    winner, marks = data.get("winner"), data.get("standing") or {}
    if winner is None:
        return h.Outcome.BOTH_FORFEIT if data.get("how") in {"double_forfeit", "ruling"} else None
    if marks.get(winner) == "+":
        return h.Outcome.LEFT_FORFEIT if winner == "left" else h.Outcome.RIGHT_FORFEIT
    return h.Outcome.LEFT if winner == "left" else h.Outcome.RIGHT


def count(connection: Connection) -> int:
    """How much has happened; 0: this event has no tournament."""
    return int(connection.execute(select(func.count()).select_from(happening)).scalar_one())


def has_stages(connection: Connection) -> bool:
    """Whether there is anything of a tournament for anybody to see."""
    return connection.execute(select(happening.c.n).where(happening.c.kind == NAMES[h.StageOpened]).limit(1)).first() is not None
