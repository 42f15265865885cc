"""How a result gets a version: from a signed sheet, from whoever receives it here, from an organizer. The tournament hears of each."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select, update

from kiosk.domain.setup import LONGEST_MATCH, MOST_AT_OPENING, bad_value
from kiosk.domain.state import Phase
from kiosk.domain.types import SIDES
from kiosk.server import tournament
from kiosk.server.results import (
    DESK,
    HOW,
    ORGANIZER,
    SAID,
    SHEET,
    Line,
    Version,
    differing,
    line,
    seated,
    standing,
    versions,
)
from kiosk.server.schema import assignment, conflict
from kiosk.server.schema import match as matches
from kiosk.server.schema import result as results
from kiosk.sync.wire import LONGEST_TEXT

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from kiosk.domain.officials import Official
    from kiosk.server.acts import Act


def take_sheet(act: Act, journal: int, first_seq: int) -> int | None:
    """Keep what a match's sheet says, where it was signed and says something new; called after each change of it, as often as one likes.

    Args:
        act: What it is a part of; what it touches is told by whoever ends it.
        journal: The match's journal.
        first_seq: The number of its opening there.

    Returns:
        The new version's number, or None: it is known, nobody has signed, or it counts for nothing (practice never does).
    """
    connection = act.connection
    row = connection.execute(select(matches).where(matches.c.journal == journal, matches.c.first_seq == first_seq)).first()
    if row is None or row.attached is None or row.left_out or row.phase not in {Phase.SIGNED, Phase.RECEIVED} or row.practice:
        return None
    if connection.execute(select(assignment.c.practice).where(assignment.c.id == row.attached)).scalar() is not False:
        return None
    told, of = json.loads(row.summary), f"{journal}-{first_seq}"
    data = {**{name: told.get(name) for name in (*SAID, "revision", "digest")}, "of": of}
    history = versions(connection, row.attached)
    new = Version(len(history) + 1, SHEET, data, row.device, "", act.at_ns)
    known = [one for one in history if one.source == ORGANIZER or one.data.get("of") == of]
    last = next((one for one in reversed(known) if one.source == SHEET), None)
    if last is not None and last.said == new.said and last.data.get("revision") == data["revision"]:
        return None
    _insert(act, row.attached, new)
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
    take_sheet(act, *key)
    row = act.connection.execute(select(matches).where(matches.c.journal == key[0], matches.c.first_seq == key[1])).one()
    history, of = versions(act.connection, row.attached), f"{key[0]}-{key[1]}"
    mine = [one for one in history if one.data.get("of") == of]
    if any(one.source == DESK for one in mine):
        return None
    data = {**mine[-1].data, "received_by": official.name, "received_role": str(official.role)}
    new = Version(len(history) + 1, DESK, data, f"{official.name} ({official.role})", "", at_ns)
    _insert(act, row.attached, new)
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
    _insert(act, match, new)
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


def _insert(act: Act, match: str, new: Version) -> None:
    data = json.dumps(new.data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    row = {"match": match, "version": new.n, "source": new.source, "data": data, "by": new.by, "reason": new.reason, "at_ns": new.at_ns}
    act.connection.execute(insert(results).values(**row))
    tournament.heard(act, match, new.by)


def _settle(act: Act, match: str, new: Version) -> None:
    told = json.dumps({"by": act.by, "version": new.n, "reason": new.reason}, ensure_ascii=False)
    mine = (conflict.c.kind == "sheet_differs", conflict.c.match == match, conflict.c.settled_ns.is_(None))
    act.connection.execute(update(conflict).where(*mine).values(settled_ns=act.at_ns, settled=told))
