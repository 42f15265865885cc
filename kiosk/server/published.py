"""Matches and results as anybody may read them: what is final, and what is still provisional, marked so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kiosk.domain.errors import CommandRefused
from kiosk.say import _
from kiosk.server import assignments, matches, results
from kiosk.server.rendering import names, score

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from kiosk.sheets.walk import ScoreSheet

TOLD = {results.Worth.FINAL, results.Worth.PROVISIONAL, results.Worth.DECIDE}
"""What the public is told; a result about which a person has to decide is provisional to it."""


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the public list."""

    match: str
    round: str
    table: str
    players: dict[str, list[str]]
    score: dict[str, int]
    winner: str
    """`left`, `right`, or empty: nobody."""
    how: str
    """In the language spoken now."""
    provisional: bool
    at_ns: int
    """When it was said; nanoseconds since 1970."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match as a spectator may see it."""

    players: dict[str, list[str]]
    sheet: ScoreSheet | None
    """None while no table plays it."""
    result: Result | None


def published(connection: Connection, *, q: str = "", round: str = "") -> list[Result]:  # noqa: A002 - as in the address
    """The results, by rounds and tables.

    Args:
        connection: Any.
        q: A part of a player's name.
        round: Only this round.
    """
    told = [made for line in results.table(connection) if (made := _result(line)) is not None]
    wanted = q.strip().casefold()
    return [one for one in told if (not round or one.round == round) and (not wanted or wanted in _names(one))]


def _names(one: Result) -> str:
    return "\n".join(name for side in one.players.values() for name in side).casefold()


def _result(line: results.Line) -> Result | None:
    data, worth, assignment = line.data, line.worth, line.assignment
    if data is None or worth not in TOLD:
        return None
    counts = results.standing(line.versions)
    changed = 0 if assignment.match is None else assignment.match.changed_ns
    return Result(
        match=assignment.id,
        round=assignment.plan.round,
        table=assignment.plan.table,
        players={"left": list(assignment.plan.players.left), "right": list(assignment.plan.players.right)},
        score=data["score"],
        winner=data.get("winner") or "",
        how=_(results.HOW.get(data.get("how") or "", "")),
        provisional=worth is not results.Worth.FINAL,
        at_ns=changed if counts is None else counts.at_ns,
    )


def match(connection: Connection, ident: str) -> Match | None:
    """A match for spectators; None: there is none.

    Args:
        connection: Any.
        ident: The match's id, or that of the assignment that it counts for.
    """
    try:
        line = results.line(connection, ident)
    except CommandRefused:  # none that counts: started by hand, practice, or nothing at all
        return _by_hand(connection, ident)
    here = line.assignment.match
    sheet = matches.sheet(connection, ident if here is None else here.id)
    return Match(_seats(sheet, line.assignment), sheet, _result(line))


def _by_hand(connection: Connection, ident: str) -> Match | None:
    sheet = matches.sheet(connection, ident)
    if sheet is not None:
        return Match(_seats(sheet, None), sheet, None)
    try:
        return Match(_seats(None, assignments.find(connection, ident)), None, None)
    except CommandRefused:
        return None


def _seats(sheet: ScoreSheet | None, planned: assignments.Assignment | None) -> dict[str, list[str]]:
    players: Any = sheet.setup.players if sheet is not None else planned.plan.players if planned is not None else None
    return {"left": list(players.left), "right": list(players.right)}


def sentence(result: Result) -> str:
    """A result in one sentence."""
    if not result.how:
        told = score(result.score)
        return (
            _("{winner} has won; the score is {score}.", winner=names(result.players[result.winner]), score=told) if result.winner else told
        )
    if not result.winner:
        return _("It ended {score}, {how}.", score=score(result.score), how=result.how)
    winner = names(result.players[result.winner])
    return _("{winner} has won; the score is {score}, {how}.", winner=winner, score=score(result.score), how=result.how)
