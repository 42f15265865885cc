"""Assignments: the matches that an organizer makes, and how they reach their tables.

    draft ──(its table has a device)──► offered ──(the table opens it)──► opened ──► ended
      └────────────┴──► withdrawn ──(made again)──► draft

`draft`, `offered` and `withdrawn` are what people did and what was ordered; `opened` and `ended` are read from the facts: a match that is
attached to the assignment. An offer is an order (`wire.AssignMatch`) to the device that stands at the table then; a change is the same
order with a higher version; another table gets the offer, and the old one is told that it is withdrawn. The assignment's id becomes the
match's id at the table, so that nothing is ever doubled.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Select, insert, select, update

from kiosk.domain.setup import bad_value
from kiosk.domain.state import OVER, Phase
from kiosk.domain.types import Pair
from kiosk.say import mark
from kiosk.server import orders, plans
from kiosk.server.acts import Act, device_of, tables
from kiosk.server.house import get
from kiosk.server.problems import not_there
from kiosk.server.schema import assignment as assignments
from kiosk.server.schema import match as matches
from kiosk.server.schema import orders as given
from kiosk.sync import wire

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Row

    from kiosk.books import Library
    from kiosk.server.plans import Plan

MOST = 5000
"""An event has no more assignments that stand."""


class State(StrEnum):
    """Where an assignment stands."""

    DRAFT = "draft"
    """It waits for a table, or for the table's device."""
    OFFERED = "offered"
    """The table has been told."""
    REFUSED = "refused"
    """The table was told, and cannot take it."""
    OPENED = "opened"
    """It is being played."""
    ENDED = "ended"
    """It was played."""
    WITHDRAWN = "withdrawn"
    """It is not to be played."""


STATES = {
    State.DRAFT: mark("waits for its table"),
    State.OFFERED: mark("offered"),
    State.REFUSED: mark("refused by its table"),
    State.OPENED: mark("being played"),
    State.ENDED: mark("played"),
    State.WITHDRAWN: mark("withdrawn"),
}
"""Each as an organizer reads it."""

OPEN = (State.DRAFT, State.OFFERED, State.REFUSED)
"""What may still be changed and withdrawn."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """One assignment as it stands."""

    id: str
    version: int
    plan: Plan
    state: State
    kept: State
    """As the database has it: what was ordered, whatever the table did meanwhile."""
    created_ns: int
    match: Row[Any] | None
    """The row of `match` that counts for it; None: none was opened."""
    refusal: str = ""
    """Why its table refused this version of it."""

    @property
    def summary(self) -> dict[str, Any]:
        """What the match's facts come to; empty before it was opened."""
        return {} if self.match is None else json.loads(self.match.summary)

    @property
    def begun(self) -> bool:
        """Whether it has had its first press: its round's start means nothing any more. Between games a table is in `opening` again."""
        if self.match is None:
            return False
        return self.match.phase not in {Phase.OPENING, Phase.LATE} or bool(self.summary.get("begun"))


# ── Reading ──────────────────────────────────────────────────────────────────
def find(connection: Connection, ident: str) -> Assignment:
    """An assignment by its id.

    Raises:
        CommandRefused: There is none.
    """
    found = listed(connection, assignments.c.id == ident)
    if not found:
        raise not_there("There is no such match.")
    return found[0]


def listed(connection: Connection, *wanted: ColumnElement[bool], most: int = MOST) -> list[Assignment]:
    """Assignments in the order of rounds and tables.

    Args:
        connection: Any.
        wanted: Conditions on the columns of `assignment`.
        most: No more than so many.
    """
    rows = connection.execute(_asked(*wanted).limit(most)).all()
    counted = _attached(connection, {row.id for row in rows})
    refused = _refused(connection)
    made = [_assignment(row, counted.get(row.id), refused.get((row.id, row.version))) for row in rows]
    return sorted(made, key=lambda one: (natural(one.plan.round), natural(one.plan.table), one.created_ns, one.id))


def _asked(*wanted: ColumnElement[bool]) -> Select[Any]:
    return select(assignments).where(*wanted).order_by(assignments.c.created_ns.desc())


def _attached(connection: Connection, wanted: set[str]) -> dict[str, Row[Any]]:
    asked = select(matches).where(matches.c.attached.is_not(None), matches.c.left_out.is_(False))
    if len(wanted) <= 500:
        asked = asked.where(matches.c.attached.in_(wanted))
    rows = connection.execute(asked.order_by(matches.c.opened_ns.desc(), matches.c.journal, matches.c.first_seq))
    return {row.attached: row for row in rows}  # the first history of it, where there are two


def _refused(connection: Connection) -> dict[tuple[str, int], str]:
    """The tables' sentences by the id and the version of what they refused; an offer that is made again is another version."""
    asked = select(given.c.data, given.c.answer).where(given.c.kind == "assign_match", given.c.done.is_(False))
    told = ((json.loads(row.data), json.loads(row.answer or "{}")) for row in connection.execute(asked))
    return {(what["match"], what["version"]): str(answer.get("sentence", "")) for what, answer in told}


def _assignment(row: Row[Any], match: Row[Any] | None, refusal: str | None) -> Assignment:
    plan = plans.read(row.data, table=row.table_name, round_name=row.round, starts_ns=row.starts_ns, practice=row.practice)
    kept = State(row.state)
    state = kept if match is None else State.ENDED if match.phase in OVER else State.OPENED
    if state is State.OFFERED and refusal is not None:
        state = State.REFUSED
    return Assignment(row.id, row.version, plan, state, kept, row.created_ns, match, refusal or "")


def natural(text: str) -> tuple[tuple[int, int, str], ...]:
    """A key that puts 2 before 10, and names beside numbers in order."""
    parts: list[tuple[int, int, str]] = []
    digits, letters = "", ""
    for sign in [*plans.folded(text), ""]:
        if sign.isascii() and sign.isdigit():
            if letters:
                parts.append((1, 0, letters))
                letters = ""
            digits += sign
            continue
        if digits:
            parts.append((0, int(digits), ""))
            digits = ""
        letters += sign
    return (*parts, (1, 0, letters)) if letters else tuple(parts)


# ── Making and changing ──────────────────────────────────────────────────────
def new_id() -> str:
    """An id for an assignment: 24 hex digits, which no table makes by itself."""
    return secrets.token_hex(12)


def make(act: Act, plan: Plan, library: Library, ident: str = "") -> Assignment:
    """Make a match, and offer it where its table has a device.

    Args:
        act: Who does it.
        plan: What is planned.
        library: The rulebooks that the server knows.
        ident: The id that the form carried, so that a form that was sent twice makes one match; empty: a new one.

    Raises:
        CommandRefused: The plan cannot be played as it is; nothing was made.
        RulebookError: Its rulebook cannot be had.
    """
    plans.check(plan, library)
    there = listed(act.connection, assignments.c.id == ident) if ident else []
    if there:
        return there[0]
    ident = ident or new_id()
    act.connection.execute(
        insert(assignments).values(id=ident, version=1, state=State.DRAFT, created_ns=act.at_ns, **_values(plan)),
    )
    act.note("match_assigned", match=ident, **_told(plan))
    _offer(act, ident, plan, 1)
    return find(act.connection, ident)


def make_all(act: Act, planned: Sequence[Plan]) -> list[str]:
    """Make many new matches at once, and offer them; whoever calls has checked the plans, and writes the act down.

    Args:
        act: Who does it.
        planned: What is planned.

    Returns:
        The ids, in the same order.
    """
    if not planned:
        return []
    there, event = tables(act.connection), get(act.connection, "name")
    rows: list[dict[str, object]] = []
    for plan in planned:
        device = there.get(plan.table) if plan.table else None
        ident, state = new_id(), State.DRAFT if device is None else State.OFFERED
        rows.append({"id": ident, "version": 1, "state": state, "created_ns": act.at_ns + len(rows), **_values(plan)})
        if device is not None:
            orders.give(act.connection, device, plan.order(ident, 1, event, act.at_ns), act.by, act.at_ns)
            act.touched.add(("orders", device))
    act.connection.execute(insert(assignments), rows)
    return [str(row["id"]) for row in rows]


def change(act: Act, ident: str, plan: Plan, library: Library, version: int) -> Assignment:
    """Change a match that is not being played yet.

    Args:
        act: Who does it.
        ident: Which.
        plan: What is planned now.
        library: The rulebooks that the server knows.
        version: The version that the organizer saw; another one has been made since is refused.

    Raises:
        CommandRefused: It has begun, was changed meanwhile, or the plan cannot be played; nothing has changed.
        RulebookError: Its rulebook cannot be had.
    """
    old = find(act.connection, ident)
    if old.plan == plan and old.state is not State.WITHDRAWN:
        return old
    plans.check(plan, library)
    _check_open(old, version)
    new = old.version + 1
    act.connection.execute(update(assignments).where(assignments.c.id == ident).values(version=new, state=State.DRAFT, **_values(plan)))
    act.note("match_changed", match=ident, version=new, old=_told(old.plan), new=_told(plan))
    if old.plan.table != plan.table and old.kept is State.OFFERED:
        _take_back(act, ident, old.plan.table)
    _offer(act, ident, plan, new)
    return find(act.connection, ident)


def _check_open(old: Assignment, version: int) -> None:
    if old.match is not None:
        raise bad_value("This match has been opened at a table: what was agreed there is not changed any more.")
    if old.version != version:
        raise bad_value("Somebody changed this match meanwhile; look at it as it is now, and change it again.")


def place(act: Act, ident: str, table: str, library: Library, version: int) -> Assignment:
    """Put a match at a table; an empty name takes it away from its table."""
    return change(act, ident, plans.moved(find(act.connection, ident).plan, table), library, version)


def withdraw(act: Act, ident: str, reason: str = "") -> Assignment:
    """Withdraw a match that is not being played; doing so twice changes nothing.

    Raises:
        CommandRefused: It has been opened at a table.
    """
    old = find(act.connection, ident)
    if old.kept is State.WITHDRAWN:
        return old
    if old.match is not None:
        raise bad_value("This match has been opened at a table; let it be left out of the results there instead.")
    act.connection.execute(update(assignments).where(assignments.c.id == ident).values(state=State.WITHDRAWN))
    act.note("match_withdrawn", match=ident, reason=reason, **_told(old.plan))
    if old.kept is State.OFFERED:
        _take_back(act, ident, old.plan.table)
    return find(act.connection, ident)


def again(act: Act, ident: str, library: Library) -> Assignment:
    """Let a match that was withdrawn be played after all.

    Raises:
        CommandRefused: It stands already, or cannot be played as it was.
        RulebookError: Its rulebook cannot be had.
    """
    old = find(act.connection, ident)
    if old.kept is not State.WITHDRAWN:
        return old
    plans.check(old.plan, library)
    new = old.version + 1
    act.connection.execute(update(assignments).where(assignments.c.id == ident).values(state=State.DRAFT, version=new))
    act.note("match_planned_again", match=ident, **_told(old.plan))
    _offer(act, ident, old.plan, new)
    return find(act.connection, ident)


# ── Offering ─────────────────────────────────────────────────────────────────
def _offer(act: Act, ident: str, plan: Plan, version: int) -> None:
    """Tell the table's device, if there is one; without one the match waits."""
    device = device_of(act.connection, plan.table)
    if device is None:
        return
    act.order(device, plan.order(ident, version, get(act.connection, "name"), act.at_ns))
    act.connection.execute(update(assignments).where(assignments.c.id == ident).values(state=State.OFFERED))


def _take_back(act: Act, ident: str, table: str) -> None:
    device = device_of(act.connection, table)
    if device is not None:
        act.order(device, wire.WithdrawMatch(ident))


def offer_again(act: Act, ident: str) -> None:
    """Offer an assignment anew, as nothing counts for it any more."""
    one = find(act.connection, ident)
    if one.match is None and one.kept in OPEN:
        _offer(act, ident, one.plan, one.version)


def offer_refused(act: Act, ident: str) -> Assignment:
    """Offer a match again that its table refused, as a new version; one that no table has refused stays as it is."""
    one = find(act.connection, ident)
    if one.state is not State.REFUSED:
        return one
    act.connection.execute(update(assignments).where(assignments.c.id == ident).values(version=one.version + 1, state=State.DRAFT))
    act.note("match_offered_again", match=ident, version=one.version + 1)
    _offer(act, ident, one.plan, one.version + 1)
    return find(act.connection, ident)


def take_back(act: Act, ident: str) -> None:
    """Let its table not offer it any more: another match counts for it."""
    one = find(act.connection, ident)
    if one.kept is State.OFFERED:
        _take_back(act, ident, one.plan.table)


def device_came(act: Act, device: str, table: str) -> list[str]:
    """Offer a device everything that waits at its table: it has enrolled, took another one's place, or was renamed.

    Args:
        act: Who did that.
        device: The device.
        table: What its table is called now.

    Returns:
        The assignments that it was told of.
    """
    waiting = [one for one in listed(act.connection, assignments.c.table_name == table, assignments.c.state.in_(OPEN)) if one.match is None]
    for one in waiting:
        act.order(device, one.plan.order(one.id, one.version, get(act.connection, "name"), act.at_ns))
        act.connection.execute(update(assignments).where(assignments.c.id == one.id).values(state=State.OFFERED))
    return [one.id for one in waiting]


def device_left(act: Act, device: str | None, table: str) -> list[str]:
    """A table has no device any more (revoked), or its device went to another table: what it was offered waits again.

    Args:
        act: Who did that.
        device: The device, where it still obeys; None: it was revoked.
        table: What its table was called.

    Returns:
        The assignments that wait now.
    """
    offered = [
        one for one in listed(act.connection, assignments.c.table_name == table, assignments.c.state == State.OFFERED) if one.match is None
    ]
    for one in offered:
        if device is not None:
            act.order(device, wire.WithdrawMatch(one.id))
        act.connection.execute(update(assignments).where(assignments.c.id == one.id).values(state=State.DRAFT))
    return [one.id for one in offered]


def same_players(connection: Connection, players: Pair[tuple[str, ...]]) -> list[Assignment]:
    """Assignments that stand, of the same players, in whatever seats.

    Args:
        connection: Any.
        players: Who plays.
    """
    wanted = plans.who_plays(players)
    return [one for one in listed(connection, assignments.c.state != State.WITHDRAWN) if plans.who_plays(one.plan.players) == wanted]


def _values(plan: Plan) -> dict[str, object]:
    return {
        "data": plan.text(),
        "search": plans.search_text(plan),
        "table_name": plan.table,
        "round": plan.round,
        "starts_ns": plan.starts_ns,
        "practice": plan.practice,
    }


def _told(plan: Plan) -> dict[str, object]:
    """A plan as the audit tells it."""
    return {**json.loads(plan.text()), "table": plan.table, "round": plan.round, "starts_ns": plan.starts_ns, "practice": plan.practice}
