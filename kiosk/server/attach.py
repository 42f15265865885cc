"""Matches that were started by hand, without their assignment: attached to one later, counted as matches of their own, or left out.

Whatever a person decides about such a match can be taken back. An assignment has one match that counts, a match counts for one assignment:
so nothing is ever doubled. Facts are never touched: all of this says only what a match counts for.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select, update

from kiosk.domain.setup import bad_value
from kiosk.domain.types import Pair
from kiosk.say import _, n_
from kiosk.server import assignments, plans, result_acts
from kiosk.server.assignments import Assignment, State
from kiosk.server.problems import not_there
from kiosk.server.schema import assignment as assigned
from kiosk.server.schema import device as devices
from kiosk.server.schema import match as matches
from kiosk.sync.wire import LONGEST_TEXT

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

    from kiosk.server.acts import Act


@dataclass(frozen=True, slots=True)
class Key:
    """Which match: the journal and the number of its opening. Its id would not do: of one id there may be two histories."""

    journal: int
    first_seq: int

    @classmethod
    def read(cls, text: str) -> Key:
        """The key in an address, as `str` writes it.

        Raises:
            CommandRefused: It is none.
        """
        journal, _dash, first = text.partition("-")
        if not (journal.isascii() and journal.isdigit() and first.isascii() and first.isdigit()) or len(text) > 36:
            raise not_there("There is no such match.")
        return cls(min(int(journal), 2**62), min(int(first), 2**62))

    def __str__(self) -> str:
        return f"{self.journal}-{self.first_seq}"


def key_of(row: Row[Any]) -> Key:
    """The key of a row of `match`."""
    return Key(row.journal, row.first_seq)


def played(connection: Connection, key: Key) -> Row[Any]:
    """A match as it is kept.

    Raises:
        CommandRefused: There is none.
    """
    found = connection.execute(select(matches).where(matches.c.journal == key.journal, matches.c.first_seq == key.first_seq)).first()
    if found is None:
        raise not_there("There is no such match.")
    return found


def table_of(connection: Connection, row: Row[Any]) -> str:
    """What the table is called at which a match was played."""
    return str(connection.execute(select(devices.c.table_name).where(devices.c.id == row.device)).scalar() or "")


def players_of(row: Row[Any]) -> Pair[tuple[str, ...]]:
    """Who played, by the seats at the end."""
    told = json.loads(row.summary)["players"]
    return Pair(tuple(told["left"]), tuple(told["right"]))


# ── What fits ────────────────────────────────────────────────────────────────
def candidates(connection: Connection, row: Row[Any]) -> list[Assignment]:
    """Assignments that a match may be attached to: of the same players, with no match that counts for them yet."""
    practice = bool(row.practice)
    found = assignments.same_players(connection, players_of(row))
    return [one for one in found if one.match is None and one.plan.practice is practice]


def differences(connection: Connection, row: Row[Any], one: Assignment) -> list[str]:
    """In what the match as it was played differs from what was planned, as sentences; swapped seats are fine and are told too."""
    told, plan = json.loads(row.summary), one.plan
    found = []
    if plan.length != told.get("length"):
        planned, was = (_("a free session") if n is None else n_("{n} point", "{n} points", n) for n in (plan.length, told.get("length")))
        found.append(_("Planned were {planned}, played were {was}.", planned=planned, was=was))
    if plan.rulebook != told.get("rulebook"):
        found.append(_("Planned was the rulebook {planned}, played was {was}.", planned=plan.rulebook, was=told.get("rulebook")))
    table = table_of(connection, row)
    if plan.table and plan.table != table:
        found.append(_("Planned was table {planned}, played was at table {was}.", planned=plan.table, was=table or "–"))
    if {plans.folded(name) for name in plan.players.left} == {plans.folded(name) for name in players_of(row).right}:
        found.append(_("The players sat the other way round."))
    return found


# ── Deciding ─────────────────────────────────────────────────────────────────
def attach(act: Act, key: Key, ident: str) -> None:
    """Let a match count for an assignment; doing so twice changes nothing.

    Args:
        act: Who decides.
        key: Which match.
        ident: Which assignment.

    Raises:
        CommandRefused: Other people played it, or one of the two counts already for, or has, another one.
    """
    row, one = played(act.connection, key), assignments.find(act.connection, ident)
    if row.attached == ident and not row.left_out:
        return
    _check_free(row)
    if one.kept is State.WITHDRAWN:
        raise bad_value("This match was withdrawn; plan it again first.")
    if one.match is not None:
        raise bad_value("Another match counts for this one already; take that one away first.")
    if plans.who_plays(players_of(row)) != plans.who_plays(one.plan.players):
        raise bad_value("These are different players: a match counts only for one that was planned for the same people.")
    if bool(row.practice) is not one.plan.practice:
        raise bad_value("One of the two is practice: practice never counts.")
    assignments.take_back(act, ident)
    _put(act, key, attached=ident, left_out=False)
    act.note("match_attached", match=row.id, key=str(key), to=ident, differences=differences(act.connection, row, one))
    result_acts.take_sheet(act, key.journal, key.first_seq)


def own(act: Act, key: Key, round_name: str = "") -> str:
    """Let a match count as one of its own, for which nothing was planned: an assignment is made of what was played.

    Args:
        act: Who decides.
        key: Which match.
        round_name: In which round it counts.

    Returns:
        The assignment's id.

    Raises:
        CommandRefused: It counts for something already, or is practice.
    """
    row = played(act.connection, key)
    if row.attached == row.id and not row.left_out:
        return str(row.id)
    _check_free(row)
    if row.practice:
        raise bad_value("One of the two is practice: practice never counts.")
    others = act.connection.execute(select(matches.c.journal).where(matches.c.attached == row.id, matches.c.left_out.is_(False))).first()
    if others is not None:
        raise bad_value("Another history of this match counts already; take that one away first.")
    round_name = " ".join(round_name.split())[: plans.LONGEST_TABLE]
    plan = plans.of_setup(json.loads(row.summary), table=table_of(act.connection, row), round_name=round_name, practice=False)
    values = {
        "version": 1,
        "data": plan.text(),
        "search": plans.search_text(plan),
        "table_name": plan.table,
        "round": plan.round,
        "starts_ns": None,
        "practice": False,
        "state": State.OPENED,
        "created_ns": row.opened_ns,
    }
    there = act.connection.execute(update(assigned).where(assigned.c.id == row.id).values(**values)).rowcount
    if not there:
        act.connection.execute(insert(assigned).values(id=row.id, **values))
    _put(act, key, attached=row.id, left_out=False)
    act.note("match_counted", match=row.id, key=str(key), round=plan.round)
    result_acts.take_sheet(act, key.journal, key.first_seq)
    return str(row.id)


def leave_out(act: Act, key: Key, reason: str) -> None:
    """Let a match count for nothing: a trial, a wrong start, the other history of a fork.

    Raises:
        CommandRefused: There is no reason.
    """
    row, reason = played(act.connection, key), " ".join(reason.split())
    if row.left_out:
        return
    if not reason or len(reason) > LONGEST_TEXT:
        raise bad_value("A match is left out with a reason of at most {longest} characters.", longest=LONGEST_TEXT)
    _put(act, key, attached=row.attached, left_out=True)
    act.note("match_left_out", match=row.id, key=str(key), attached=row.attached, reason=reason)
    if row.attached is not None:
        assignments.offer_again(act, row.attached)


def undo(act: Act, key: Key) -> None:
    """Take back whatever was decided about a match; one that the table opened for its assignment counts for that again.

    Raises:
        CommandRefused: Another match counts for its assignment meanwhile.
    """
    row = played(act.connection, key)
    if row.left_out and row.attached is not None:
        if assignments.find(act.connection, row.attached).match is not None:
            raise bad_value("Another match counts for this one already; take that one away first.")
        assignments.take_back(act, row.attached)
        _put(act, key, attached=row.attached, left_out=False)
        act.note("match_counted_again", match=row.id, key=str(key), to=row.attached)
        return
    if row.left_out:
        _put(act, key, attached=None, left_out=False)
        act.note("match_counted_again", match=row.id, key=str(key), to=None)
        return
    if row.attached is None:
        return
    _take_away(act, key, row)


def _take_away(act: Act, key: Key, row: Row[Any]) -> None:
    was = str(row.attached)
    one = assignments.find(act.connection, was)
    if was == row.id and one.kept is not State.OPENED:
        raise bad_value("The table opened this match for its assignment: it can be left out, but it belongs to no other one.")
    _put(act, key, attached=None, left_out=False)
    if was == row.id:  # a match of its own: nothing was planned, and nothing is left
        act.connection.execute(update(assigned).where(assigned.c.id == was).values(state=State.WITHDRAWN))
    act.note("match_taken_away", match=row.id, key=str(key), was=was)
    assignments.offer_again(act, was)


def _check_free(row: Row[Any]) -> None:
    if row.left_out:
        raise bad_value("This match is left out; take that back first.")
    if row.attached is not None:
        raise bad_value("This match counts for another one already; take it away there first.")


def _put(act: Act, key: Key, *, attached: str | None, left_out: bool) -> None:
    mine = (matches.c.journal == key.journal, matches.c.first_seq == key.first_seq)
    act.connection.execute(update(matches).where(*mine).values(attached=attached, left_out=left_out))
    row = played(act.connection, key)
    act.touched |= {("match", row.id), ("face", row.device)}
