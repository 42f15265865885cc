"""A list of matches that is imported: read, checked row by row, shown, and then made in one transaction, all of it or nothing.

A match of the list is known already when the same players have one in the same round: where nothing differs it is left alone, where
something does it is changed to what the list says; an empty cell says nothing. So a list can be imported as often as it was worked on.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kiosk.domain.errors import CommandRefused, KioskError
from kiosk.domain.setup import bad_value
from kiosk.domain.types import NS_PER_S, Pair
from kiosk.say import _, language, mark, refusal
from kiosk.server import assignments, clashes, plans
from kiosk.server.columns import NO, YES, heads
from kiosk.server.lists import MOST_ROWS
from kiosk.server.plans import Plan
from kiosk.server.schema import assignment as assigned

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, tzinfo

    from sqlalchemy import Connection

    from kiosk.books import Library
    from kiosk.server.acts import Act
    from kiosk.server.assignments import Assignment
    from kiosk.server.lists import RawList, RawRow

NEW, SAME, CHANGED, BEGUN, WRONG = "new", "same", "changed", "begun", "wrong"
WORDS = {
    NEW: mark("new"),
    SAME: mark("there already"),
    CHANGED: mark("will be changed"),
    BEGUN: mark("there already, and begun: stays as it is"),
    WRONG: mark("wrong"),
}
"""What a row comes to, as an organizer reads it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the list, and what it comes to."""

    n: int
    """Its number in the file."""
    state: str
    plan: Plan | None
    sentence: str = ""
    """What is wrong, or differs, or is unusual."""
    ident: str = ""
    """The match that is there already."""
    said: frozenset[str] = frozenset()
    """Which parts of the plan the row itself says."""
    clashes: tuple[str, ...] = ()
    """What is doubtful, and may be meant: a table with two matches of a round, a player in two, a start that is over."""


_PARTS = {"left": "players", "right": "players", "start": "starts_ns", "reserve": "reserve_ms", "delay": "delay_ms"}
"""The part of a plan that a column fills, where it is called otherwise."""


@dataclass(frozen=True, slots=True)
class Defaults:
    """What holds for a row that says nothing."""

    rulebook: str = "ibgf"
    length: int | None = None
    """None: such a row is wrong, or a free session where `free` says so."""
    round: str = ""
    practice: bool = False
    free: bool = False
    """A free session was chosen for rows that say no length."""


def preview(connection: Connection, raw: RawList, defaults: Defaults, library: Library, zone: tzinfo, today: datetime) -> list[Entry]:  # noqa: PLR0917 - a list is read against all of them
    """What a list comes to; nothing is changed.

    Args:
        connection: Any.
        raw: The list.
        defaults: What holds for a row that says nothing.
        library: The rulebooks that the server knows.
        zone: Whose times of day the list has.
        today: Now, in that zone.
    """
    made: list[Entry] = []
    for row in raw.rows:
        try:
            _check_worked_out(row)
            plan = _plan(row, defaults, zone, today)
            warnings = plans.check(plan, library).warnings
            said = frozenset(_PARTS.get(column, column) for column, text in row.cells.items() if text)
            made.append(Entry(row.n, NEW, plan, " ".join(warnings), said=said))
        except KioskError as error:
            made.append(Entry(row.n, WRONG, None, refusal(error) if isinstance(error, CommandRefused) else str(error)))
    now_ns = int(today.timestamp()) * NS_PER_S
    return _clashing(connection, [_with_length(entry, defaults) for entry in _compared(connection, made)], now_ns)


def _with_length(entry: Entry, defaults: Defaults) -> Entry:
    """A new match has a length, or is a free session because somebody chose so; one that is there already keeps what it has."""
    if entry.state != NEW or "length" in entry.said or defaults.length is not None or defaults.free:
        return entry
    return replace(entry, state=WRONG, plan=None, sentence=_("The length is missing: give one from 1 to 99, or choose a free session."))


def _check_worked_out(row: RawRow) -> None:
    """A formula of which the file holds no value says something, but nobody knows what."""
    if row.unworked:
        known = heads(language())
        raise bad_value(
            "{columns}: a formula without a value. Open the file in a spreadsheet program, save it there, and choose it again.",
            columns=", ".join(known[column] for column in row.unworked),
        )


def _plan(row: RawRow, defaults: Defaults, zone: tzinfo, today: datetime) -> Plan:
    cells = row.cells
    return Plan(
        players=Pair(plans.names_of(cells.get("left", "")), plans.names_of(cells.get("right", ""))),
        rulebook=cells.get("rulebook", "").strip() or defaults.rulebook,
        length=_length(cells.get("length", ""), defaults),
        table=_word(cells.get("table", "")),
        round=_word(cells.get("round", "")) or defaults.round,
        starts_ns=plans.start_of(cells.get("start", ""), zone, today),
        practice=_yes(cells.get("practice", ""), otherwise=defaults.practice),
        reserve_ms=plans.reserve_of(cells.get("reserve", "")),
        delay_ms=plans.delay_of(cells.get("delay", "")),
    )


def _length(text: str, defaults: Defaults) -> int | None:
    return plans.length_of(text) if text else defaults.length


def _word(text: str) -> str:
    return " ".join(text.split())


def _yes(text: str, *, otherwise: bool) -> bool:
    if not text.strip():
        return otherwise
    folded = plans.folded(text)
    if folded not in YES | NO:
        raise bad_value("Practice is yes or no; “{text}” is neither.", text=text[:40])
    return folded in YES


def _compared(connection: Connection, entries: Sequence[Entry]) -> list[Entry]:
    """Each row beside what is there already, and beside the rows above it."""
    there = _there(connection)
    seen: dict[object, int] = {}
    made = []
    for entry in entries:
        if entry.plan is None:
            made.append(entry)
            continue
        key = _key(entry.plan)
        if key in seen:
            sentence = _("The same players stand in row {n} too, in the same round.", n=seen[key])
            made.append(replace(entry, state=WRONG, sentence=sentence))
            continue
        seen[key] = entry.n
        found = there.get(key)
        made.append(entry if found is None else _beside(entry, entry.plan, found))
    return made


def _clashing(connection: Connection, entries: Sequence[Entry], now_ns: int) -> list[Entry]:
    """Each row that is to be made or changed, with what it cannot be played beside: matches that stand, and other rows; or that is over."""
    planned = [(entry, entry.plan) for entry in entries if entry.plan is not None and entry.state in {NEW, CHANGED}]
    mine = {entry.ident for entry, _plan_ in planned}
    book = clashes.Book(connection, mine)
    for entry, plan in planned:
        book.add(plan, _("row {n}", n=entry.n), entry.n)
    told = {entry.n: (*book.against(plan, entry.n), *_over(entry, plan, now_ns)) for entry, plan in planned}
    return [replace(entry, clashes=told.get(entry.n, ())) for entry in entries]


def _over(entry: Entry, plan: Plan, now_ns: int) -> list[str]:
    return clashes.over(plan, now_ns) if "starts_ns" in entry.said else []


def _there(connection: Connection) -> dict[object, Assignment]:
    found = assignments.listed(connection, assigned.c.state != assignments.State.WITHDRAWN)
    return {_key(one.plan): one for one in found}


def _key(plan: Plan) -> object:
    return plan.round, plans.who_plays(plan.players)


def _beside(entry: Entry, plan: Plan, found: Assignment) -> Entry:
    plan = replace(found.plan, **{name: getattr(plan, name) for name in entry.said})
    if plan == found.plan:
        return replace(entry, state=SAME, plan=plan, ident=found.id)
    if found.match is not None:
        return replace(entry, state=BEGUN, ident=found.id)
    told = "; ".join(_differences(found.plan, plan))
    return replace(entry, state=CHANGED, plan=plan, ident=found.id, sentence=" ".join(part for part in (told, entry.sentence) if part))


def _differences(old: Plan, new: Plan) -> list[str]:
    names = {
        "table": _("Table"),
        "length": _("Length"),
        "rulebook": _("Rulebook"),
        "starts_ns": _("Start"),
        "practice": _("Practice"),
        "reserve_ms": _("Reserve"),
        "delay_ms": _("Delay"),
        "method": _("Method"),
        "provide": _("Provided"),
        "players": _("Seats"),
    }
    found = []
    for name, word in names.items():
        was, now = getattr(old, name), getattr(new, name)
        if was != now and name in {"table", "length", "rulebook"}:
            found.append(_("{what}: {new} instead of {old}", what=word, old=was or "–", new=now or "–"))
        elif was != now:
            found.append(_("{what}: changed", what=word))
    return found


# ── Doing it ─────────────────────────────────────────────────────────────────
def to_text(entries: Sequence[Entry]) -> str:
    """What was shown, to be sent back by whoever agrees to it."""
    kept = [{"n": one.n, "state": one.state, "ident": one.ident, "plan": _plain(one.plan)} for one in entries if one.plan is not None]
    return json.dumps([one for one in kept if one["state"] in {NEW, CHANGED}], ensure_ascii=False, separators=(",", ":"))


def _plain(plan: Plan) -> dict[str, Any]:
    return {**json.loads(plan.text()), "table": plan.table, "round": plan.round, "starts_ns": plan.starts_ns, "practice": plan.practice}


def agreed(text: str, library: Library) -> list[Plan]:
    """What was shown, and agreed to, checked anew, for it went through a browser; before the transaction, so that no table waits.

    Args:
        text: As `to_text` wrote it.
        library: The rulebooks that the server knows.

    Raises:
        CommandRefused: It is no such text, or a match of it cannot be played.
        RulebookError: A rulebook cannot be had.
    """
    wanted = _read(text)
    for plan in wanted:
        plans.check(plan, library)
    return wanted


def apply(act: Act, wanted: Sequence[Plan], library: Library) -> tuple[int, int]:
    """Make and change matches in one transaction: all of them, or nothing.

    Args:
        act: Who does it.
        wanted: What `agreed` gave.
        library: The rulebooks that the server knows.

    Returns:
        How many matches are new, and how many were changed.

    Raises:
        CommandRefused: A match of it cannot be changed any more; nothing has changed.
    """
    there, new, changed = _there(act.connection), dict[object, Plan](), 0
    for plan in wanted:
        found = there.get(_key(plan))
        if found is None:
            new[_key(plan)] = plan
        elif found.plan != plan and found.match is None:
            assignments.change(act, found.id, plan, library, found.version)
            changed += 1
    made = assignments.make_all(act, list(new.values()))
    told = [f"{ident}: {_line(plan)}" for ident, plan in zip(made, new.values(), strict=True)]
    act.note("list_imported", new=len(new), changed=changed, matches=told)
    return len(new), changed


def _line(plan: Plan) -> str:
    sides = (" / ".join(plan.players.left), " / ".join(plan.players.right))
    return (
        f"{sides[0]} – {sides[1]}, round {plan.round or '–'}, table {plan.table or '–'}, {plan.length or 'free session'}, {plan.rulebook}"
    )


def _read(text: str) -> list[Plan]:
    broken = bad_value("What was to be imported did not come back whole; import the file again.")
    try:
        kept = [one["plan"] for one in _list(json.loads(text))]
        made = [
            plans.read(
                json.dumps(plain),
                table=str(plain["table"]),
                round_name=str(plain["round"]),
                starts_ns=plain["starts_ns"],
                practice=bool(plain["practice"]),
            )
            for plain in kept
        ]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise broken from error
    if not all(_sound(plan) for plan in made):
        raise broken
    return made


def _list(plain: object) -> list[Any]:
    if not isinstance(plain, list) or len(plain) > MOST_ROWS:
        raise TypeError
    return plain


def _sound(plan: Plan) -> bool:
    """Whether each value is of its kind; whether it can be played is checked when it is made."""
    numbers = [plan.length, plan.delay_ms, plan.starts_ns, *((plan.reserve_ms.left, plan.reserve_ms.right) if plan.reserve_ms else ())]
    texts = [plan.rulebook, *plan.players.left, *plan.players.right]
    return (
        all(number is None or (type(number) is int and 0 <= number < 2**62) for number in numbers)
        and all(isinstance(word, str) for word in texts)
        and plan.method in {None, "delay", "bronstein", "fischer"}
        and plan.provide in {None, "bonus", "breaks", "neither"}
    )
