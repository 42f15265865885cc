"""Results in versions: what the signed sheets say, and what an organizer says instead. Nothing is ever changed or thrown away.

Here they are read; `kiosk.server.result_acts` writes them.

A version is a sheet's (`sheet`, written when a sheet is signed or received and says something new), an official's who received that sheet
here (`desk`: its table had gone on by then) or a person's (`organizer`, with a reason). The newest of a person's versions stands; without
one, what was received here; else the newest of the sheets. A sheet that says something else after that does not overrule it: the two
disagree, that is shown, and a person decides anew; both are kept.

A result's `data`: `players`, `score`, `standing` and `winner` by the seats of the sheet, `how` it ended, `revision` and `digest`, and
`of`: which match's sheet it was (journal and number of its opening); a sheet counts as long as that match does. Practice has no results.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from sqlalchemy import select, update

from kiosk.domain.setup import bad_value
from kiosk.domain.state import OVER, Phase
from kiosk.say import mark
from kiosk.server import assignments, plans
from kiosk.server.problems import not_there
from kiosk.server.schema import assignment, conflict
from kiosk.server.schema import match as matches
from kiosk.server.schema import result as results
from kiosk.sync.wire import LONGEST_TEXT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection, Row

    from kiosk.domain.types import Pair
    from kiosk.server.acts import Act
    from kiosk.server.assignments import Assignment

SHEET, DESK, ORGANIZER = "sheet", "desk", "organizer"
SAID = ("players", "score", "standing", "winner", "how")
"""What a result says; its revision and digest only tell where it comes from."""
HOW = {
    "score": mark("by the score"),
    "flag": mark("by the flag"),
    "resignation": mark("by resignation"),
    "ruling": mark("by a ruling"),
    "forfeit": mark("match forfeited"),
    "double_forfeit": mark("match forfeited by both"),
    "session": mark("the session is over"),
}
"""How a match can end, as an organizer reads it."""


class Worth(StrEnum):
    """What a result is worth."""

    OPEN = "open"
    """It is not known yet."""
    PROVISIONAL = "provisional"
    """Nobody has received the sheet, or something on it is disputed."""
    FINAL = "final"
    DECIDE = "decide"
    """The sheet and a person's decision disagree: a person must decide."""


WORTHS = {
    Worth.OPEN: mark("not known yet"),
    Worth.PROVISIONAL: mark("provisional"),
    Worth.FINAL: mark("final"),
    Worth.DECIDE: mark("to be decided"),
}


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a result."""

    n: int
    source: str
    data: dict[str, Any]
    by: str
    reason: str
    at_ns: int

    @property
    def said(self) -> tuple[object, ...]:
        """What it says, to compare it with another one; whatever the seats."""
        return min(_said(self.data), _said(turned(self.data)))


def _said(data: dict[str, Any]) -> tuple[str, ...]:
    return tuple(json.dumps(data.get(name), sort_keys=True, ensure_ascii=False) for name in SAID)


def turned(data: dict[str, Any]) -> dict[str, Any]:
    """The same result by the other seats."""
    made = dict(data)
    for name in ("players", "score", "standing"):
        if made.get(name):
            made[name] = {"left": made[name]["right"], "right": made[name]["left"]}
    made["winner"] = {"left": "right", "right": "left"}.get(made.get("winner") or "")
    return made


# ── Reading ──────────────────────────────────────────────────────────────────
def versions(connection: Connection, match: str) -> list[Version]:
    """Every version of a match's result, the first one first."""
    return all_versions(connection, match).get(match, [])


def all_versions(connection: Connection, match: str | None = None) -> dict[str, list[Version]]:
    """Every version of every result, by the match's id."""
    asked = select(results).order_by(results.c.match, results.c.version)
    made: dict[str, list[Version]] = {}
    for row in connection.execute(asked if match is None else asked.where(results.c.match == match)):
        made.setdefault(row.match, []).append(_version(row))
    return made


def _version(row: Row[Any]) -> Version:
    return Version(row.version, row.source, json.loads(row.data), row.by, row.reason, row.at_ns)


def standing(known: Iterable[Version]) -> Version | None:
    """The version that counts."""
    known = list(known)
    decided = [one for one in known if one.source == ORGANIZER] or [one for one in known if one.source == DESK] or known
    return decided[-1] if decided else None


def differing(known: Iterable[Version]) -> Version | None:
    """A sheet's version that disagrees with what a person had decided, or received, before it came; None: they agree."""
    known = list(known)
    counts = standing(known)
    newest = next((one for one in reversed(known) if one.source == SHEET), None)
    if counts is None or newest is None or counts.source == SHEET or newest.n < counts.n or newest.said == counts.said:
        return None
    return newest


@dataclass(frozen=True, slots=True)
class Line:
    """One match in the table of results."""

    assignment: Assignment
    history: tuple[Version, ...]
    """Every version there ever was."""

    @property
    def match(self) -> Row[Any] | None:
        """The match that counts for it; one that was played at a table for practice counts for nothing."""
        match = self.assignment.match
        return None if match is None or match.practice else match

    @property
    def versions(self) -> tuple[Version, ...]:
        """Those that count: not the sheet of a match that counts for something else by now."""
        match = self.match
        of = "" if match is None else f"{match.journal}-{match.first_seq}"
        return tuple(one for one in self.history if one.source == ORGANIZER or one.data.get("of") == of)

    @property
    def worth(self) -> Worth:
        """What its result is worth."""
        if differing(self.versions) is not None:
            return Worth.DECIDE
        counts = standing(self.versions)
        if counts is not None and counts.source == ORGANIZER:
            return Worth.FINAL
        match = self.match
        if counts is None and (match is None or match.phase not in OVER):
            return Worth.OPEN
        here = counts is not None and counts.source == DESK
        received = here or (match is not None and match.phase == Phase.RECEIVED)
        return Worth.FINAL if received and not self.assignment.summary.get("provisional") else Worth.PROVISIONAL

    @property
    def data(self) -> dict[str, Any] | None:
        """What counts now, by the assignment's seats; what the table shows, while nothing is signed. None: nothing is known."""
        counts = standing(self.versions)
        told = ({} if self.match is None else self.assignment.summary) if counts is None else counts.data
        if not told:
            return None
        return seated(told, self.assignment.plan.players)


def seated(data: dict[str, Any], players: Pair[tuple[str, ...]]) -> dict[str, Any]:
    """A result by the seats of an assignment: at the table the players may have sat the other way round."""
    folded = {plans.folded(name) for name in players.left}
    theirs = data.get("players")
    swapped = theirs is not None and folded == {plans.folded(name) for name in theirs["right"]}
    return turned(data) if swapped else data


def table(connection: Connection) -> list[Line]:
    """The results in the order of rounds and tables: every match that stands; practice has none."""
    known = all_versions(connection)
    wanted = (assignment.c.practice.is_(False), assignment.c.state != assignments.State.WITHDRAWN)
    return [Line(one, tuple(known.get(one.id, ()))) for one in assignments.listed(connection, *wanted)]


def line(connection: Connection, match: str) -> Line:
    """One match of the table of results.

    Raises:
        CommandRefused: There is none, or it is practice.
    """
    found = assignments.find(connection, match)
    if found.plan.practice:
        raise bad_value("This match is practice: it has no result.")
    return Line(found, tuple(versions(connection, match)))


# ── What a person must look at ───────────────────────────────────────────────
def conflicts(connection: Connection, *, settled: bool = False) -> list[Row[Any]]:
    """What was found to disagree, the newest first.

    Args:
        connection: Any.
        settled: Those that a person has decided, too.
    """
    asked = select(conflict).order_by(conflict.c.id.desc()).limit(500)
    return list(connection.execute(asked if settled else asked.where(conflict.c.settled_ns.is_(None))))


def settle(act: Act, ident: int, reason: str) -> None:
    """Say that a conflict was looked at and is settled; both sides of it stay on record.

    Raises:
        CommandRefused: There is none, or it has no reason.
    """
    row = act.connection.execute(select(conflict).where(conflict.c.id == ident)).first()
    reason = " ".join(reason.split())
    if row is None:
        raise not_there("There is nothing of that number to be settled.")
    if not reason or len(reason) > LONGEST_TEXT:
        raise bad_value("A conflict is settled with a reason of at most {longest} characters.", longest=LONGEST_TEXT)
    if row.kind == "sheet_differs":
        raise bad_value("This is settled by deciding the match's result.")
    if row.settled_ns is not None:
        return
    told = json.dumps({"by": act.by, "reason": reason}, ensure_ascii=False)
    act.connection.execute(update(conflict).where(conflict.c.id == ident).values(settled_ns=act.at_ns, settled=told))
    act.note("conflict_settled", conflict=ident, kind=row.kind, match=row.match, device=row.device, reason=reason)


def unattached(connection: Connection) -> list[Row[Any]]:
    """Matches that were started by hand and count for nothing yet, the newest first; practice is none of them."""
    mine = (matches.c.attached.is_(None), matches.c.left_out.is_(False), matches.c.practice.is_(False))
    return list(connection.execute(select(matches).where(*mine).order_by(matches.c.opened_ns.desc()).limit(500)))
