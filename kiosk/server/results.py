"""Results in versions: what the signed sheets say, and what an organizer says instead. Nothing is ever changed or thrown away.

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

from sqlalchemy import insert, select, update

from kiosk.domain.setup import LONGEST_MATCH, MOST_AT_OPENING, bad_value
from kiosk.domain.state import OVER, Phase
from kiosk.domain.types import SIDES, Pair
from kiosk.say import mark
from kiosk.server import assignments, plans
from kiosk.server.schema import assignment, conflict
from kiosk.server.schema import match as matches
from kiosk.server.schema import result as results
from kiosk.sync.wire import LONGEST_TEXT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import Connection, Row

    from kiosk.domain.officials import Official
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


# ── Writing ──────────────────────────────────────────────────────────────────
def take_sheet(connection: Connection, journal: int, first_seq: int, at_ns: int) -> int | None:
    """Keep what a match's sheet says, where it was signed and says something new; called after each change of it, as often as one likes.

    Args:
        connection: A writing one.
        journal: The match's journal.
        first_seq: The number of its opening there.
        at_ns: Now, by the house's clock.

    Returns:
        The new version's number, or None: it is known, nobody has signed, or it counts for nothing (practice never does).
    """
    row = connection.execute(select(matches).where(matches.c.journal == journal, matches.c.first_seq == first_seq)).first()
    if row is None or row.attached is None or row.left_out or row.phase not in {Phase.SIGNED, Phase.RECEIVED} or row.practice:
        return None
    if connection.execute(select(assignment.c.practice).where(assignment.c.id == row.attached)).scalar() is not False:
        return None
    told, of = json.loads(row.summary), f"{journal}-{first_seq}"
    data = {**{name: told.get(name) for name in (*SAID, "revision", "digest")}, "of": of}
    history = versions(connection, row.attached)
    new = Version(len(history) + 1, SHEET, data, row.device, "", at_ns)
    known = [one for one in history if one.source == ORGANIZER or one.data.get("of") == of]
    last = next((one for one in reversed(known) if one.source == SHEET), None)
    if last is not None and last.said == new.said and last.data.get("revision") == data["revision"]:
        return None
    _insert(connection, row.attached, new)
    if differing([*known, new]) is not None:
        _disagree(connection, row.attached, known, new)
    return new.n


def _disagree(connection: Connection, match: str, known: list[Version], new: Version) -> None:
    counts = standing(known)
    what = {"sheet": new.data, "decided": None if counts is None else counts.data, "versions": [counts.n if counts else 0, new.n]}
    told = json.dumps(what, ensure_ascii=False, sort_keys=True)
    connection.execute(insert(conflict).values(kind="sheet_differs", device=new.by, match=match, what=told, at_ns=new.at_ns))


def receive(act: Act, key: tuple[int, int], official: Official, at_ns: int) -> Version | None:
    """Record that an official has received a signed sheet here, as its table cannot any more; without a reason, for it changes nothing.

    Args:
        act: What it is a part of.
        key: The match's journal and the number of its opening there; it is signed, and counts.
        official: Who has received it.
        at_ns: When, by the house's clock.

    Returns:
        The new version, or None: a sheet of this match was received here before.
    """
    take_sheet(act.connection, *key, act.at_ns)
    row = act.connection.execute(select(matches).where(matches.c.journal == key[0], matches.c.first_seq == key[1])).one()
    history, of = versions(act.connection, row.attached), f"{key[0]}-{key[1]}"
    mine = [one for one in history if one.data.get("of") == of]
    if any(one.source == DESK for one in mine):
        return None
    data = {**mine[-1].data, "received_by": official.name, "received_role": str(official.role)}
    new = Version(len(history) + 1, DESK, data, f"{official.name} ({official.role})", "", at_ns)
    _insert(act.connection, row.attached, new)
    return new


def change(act: Act, match: str, data: dict[str, Any], reason: str, version: int) -> Version:
    """Say what a match's result is, with a reason.

    Args:
        act: Who does it.
        match: The assignment's id.
        data: `score`, `winner` and `how`, by the assignment's seats; checked here.
        reason: Why, for everybody who reads the history.
        version: The number of versions that the organizer saw; where there are more by now it is refused.

    Raises:
        CommandRefused: It cannot be so, has no reason, or somebody was faster; nothing has changed.
    """
    now = line(act.connection, match)
    reason = " ".join(reason.split())
    if not reason or len(reason) > LONGEST_TEXT:
        raise bad_value("A result is changed with a reason of at most {longest} characters.", longest=LONGEST_TEXT)
    if len(now.history) != version:
        raise bad_value("This result has changed meanwhile; look at it as it is now, and decide again.")
    new = Version(version + 1, ORGANIZER, _whole(now, data), act.by, reason, act.at_ns)
    before = standing(now.versions)
    _insert(act.connection, match, new)
    _settle(act, match, new)
    act.note("result_changed", match=match, version=new.n, old=None if before is None else before.data, new=new.data, reason=reason)
    act.touched.add(("match", match))
    return new


def decide(act: Act, match: str, keep: str, reason: str, version: int) -> Version:
    """Decide between the sheet and what was decided before it: one of the two is said anew, as a version of its own.

    Args:
        act: Who decides.
        match: The assignment's id.
        keep: `sheet` or `organizer`.
        reason: Why.
        version: As for `change`.

    Raises:
        CommandRefused: They do not disagree, or as for `change`.
    """
    now = line(act.connection, match)
    other = differing(now.versions)
    counts = standing(now.versions)
    if other is None or counts is None:
        raise bad_value("The sheet and the result agree: there is nothing to decide.")
    if keep not in {SHEET, ORGANIZER}:
        raise bad_value("Keep what the sheet says, or what was decided before.")
    return change(act, match, seated(other.data if keep == SHEET else counts.data, now.assignment.plan.players), reason, version)


def _whole(now: Line, data: dict[str, Any]) -> dict[str, Any]:
    """A result, checked, with the standing that follows from it."""
    length = now.assignment.plan.length
    score, winner, how = data.get("score"), data.get("winner") or None, str(data.get("how") or "score")
    most = MOST_AT_OPENING if length is None else 10 * LONGEST_MATCH
    if not isinstance(score, dict) or not all(type(score.get(str(side))) is int and 0 <= score[str(side)] <= most for side in SIDES):
        raise bad_value("A score is a whole number from 0 to {most} for each side.", most=most)
    if how not in HOW or winner not in {None, *SIDES}:
        raise bad_value("Say who has won, and how the match ended.")
    kept = {side: int(score[side]) for side in ("left", "right")}
    _check_sense(length, kept, winner, how)
    digest = None if now.assignment.match is None else now.assignment.summary.get("digest")
    players = {"left": list(now.assignment.plan.players.left), "right": list(now.assignment.plan.players.right)}
    return {
        "players": players,
        "score": kept,
        "winner": winner,
        "how": how,
        "standing": _standing(kept, winner, how),
        "revision": now.assignment.summary.get("revision"),
        "digest": digest,
        "of": "",
    }


def _check_sense(length: int | None, score: dict[str, int], winner: str | None, how: str) -> None:
    if how == "double_forfeit" and winner is not None:
        raise bad_value("A match that both forfeited has no winner.")
    if winner is None and length is not None and how not in {"double_forfeit", "ruling"}:
        raise bad_value("A match has a winner, unless both lost it by forfeit or by a ruling.")
    if how == "session" and length is not None:
        raise bad_value("Only a free session is over without a length; say how the match ended.")
    if how == "score" and length is not None and winner is not None:
        if score[winner] < length:
            raise bad_value("The winner of a match of {length} points has at least {length} of them.", length=length)
        if score["right" if winner == "left" else "left"] >= length:
            raise bad_value("Only one side can have the {length} points that win the match.", length=length)


def _standing(score: dict[str, int], winner: str | None, how: str) -> dict[str, str]:
    """1 and 0; + and − where the match was not played (000 §8); = for a session that ended level."""
    if how == "double_forfeit":
        return {"left": "−", "right": "−"}
    if winner is None:
        return {"left": "0", "right": "0"} if how == "ruling" else {"left": "=", "right": "="}
    won, lost = ("+", "−") if how == "forfeit" and score == {"left": 0, "right": 0} else ("1", "0")
    return {side: won if side == winner else lost for side in ("left", "right")}


def _insert(connection: Connection, match: str, new: Version) -> None:
    data = json.dumps(new.data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    row = {"match": match, "version": new.n, "source": new.source, "data": data, "by": new.by, "reason": new.reason, "at_ns": new.at_ns}
    connection.execute(insert(results).values(**row))
    from kiosk.server import tournament  # which reads results

    tournament.heard(connection, match, new.at_ns, new.by)


def _settle(act: Act, match: str, new: Version) -> None:
    told = json.dumps({"by": act.by, "version": new.n, "reason": new.reason}, ensure_ascii=False)
    mine = (conflict.c.kind == "sheet_differs", conflict.c.match == match, conflict.c.settled_ns.is_(None))
    act.connection.execute(update(conflict).where(*mine).values(settled_ns=act.at_ns, settled=told))


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
        raise bad_value("There is nothing of that number to be settled.")
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
