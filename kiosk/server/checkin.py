"""Who is there: noted at the desk for the whole event before its first round, and for each match of a round.

What a table knows goes before what the desk notes (`kiosk.server.rounds`). Both pass, and are no part of the draw; so they are kept beside
it, in the setting `checkin`: JSON of `event` (entrants who are there) and `matches` (stage, key, and the entrants who are seated).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kiosk.say import _
from kiosk.server import tournament
from kiosk.server.house import get, put
from kiosk.server.store import hold
from kiosk.tournament.happened import Leave, Left
from kiosk.tournament.results import TournamentError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from sqlalchemy import Connection

    from kiosk.server.acts import Act
    from kiosk.tournament.event import Event
    from kiosk.tournament.plan import Entrant

CHECKIN = "checkin"


@dataclass(frozen=True, slots=True)
class Noted:
    """Who was noted as there."""

    event: frozenset[int] = frozenset()
    matches: Mapping[tuple[int, str], frozenset[int]] = field(default_factory=dict)

    def seated(self, stage: int, key: str, entrant: int) -> bool:
        """Whether somebody was noted as seated at a match."""
        return entrant in self.matches.get((stage, key), ())


def noted(connection: Connection) -> Noted:
    """As it is kept."""
    kept = get(connection, CHECKIN)
    if not kept:
        return Noted()
    plain = json.loads(kept)
    matches = {(int(stage), str(key)): frozenset(those) for stage, key, those in plain["matches"]}
    return Noted(frozenset(plain["event"]), matches)


def _keep(act: Act, made: Noted) -> None:
    matches = [[stage, key, sorted(those)] for (stage, key), those in sorted(made.matches.items()) if those]
    put(act.connection, CHECKIN, json.dumps({"event": sorted(made.event), "matches": matches}))
    act.touched.add(("desk", "checkin"))


# ── The whole event ──────────────────────────────────────────────────────────
def expected(event: Event) -> list[Entrant]:
    """Who is to be there: everybody on the entry list who still plays; a re-entry is the same person."""
    return [each for each in event.entrants.values() if each.ident not in event.left and each.again is None]


def missing(event: Event, made: Noted) -> list[Entrant]:
    """Who of them was not noted, by name."""
    return sorted((each for each in expected(event) if each.ident not in made.event), key=lambda each: each.name.casefold())


def note(act: Act, entrants: Iterable[int], *, here: bool) -> None:
    """Note that somebody is there, or is not.

    Args:
        act: Who does it.
        entrants: Of the entry list.
        here: Whether they are.

    Raises:
        TournamentError: One of them is not on the list.
    """
    hold(act.connection, "tournament")
    event, old, those = tournament.standing_now(act.connection).event, noted(act.connection), set(entrants)
    for each in those:
        if each not in event.entrants:
            raise TournamentError(_("Nobody on the entry list has the number {number}.", number=each))
    _keep(act, Noted(old.event | those if here else old.event - those, old.matches))


def withdraw(act: Act, shown: Collection[int]) -> list[Entrant]:
    """Let those play no more who are not there: of those that a person saw named, whoever is still missing.

    Args:
        act: Who does it.
        shown: Who was named.

    Returns:
        Who plays no more.

    Raises:
        TournamentError: One of them cannot withdraw now; nobody has.
    """
    hold(act.connection, "tournament")
    if not noted(act.connection).event:
        raise TournamentError(_("Nobody is noted as here: note first who is."))
    gone = [each for each in missing(tournament.standing_now(act.connection).event, noted(act.connection)) if each.ident in shown]
    tournament.happen(act, [Left(each.ident, Leave.WITHDRAWN) for each in gone])
    return gone


def forget(act: Act, stage: int) -> None:
    """Forget who was seated in a stage that is taken back: the next one has its number.

    Args:
        act: What it is a part of.
        stage: Which.
    """
    old = noted(act.connection)
    kept = {match: those for match, those in old.matches.items() if match[0] != stage}
    if len(kept) < len(old.matches):
        _keep(act, Noted(old.event, kept))


# ── One match ────────────────────────────────────────────────────────────────
def seat(act: Act, stage: int, key: str, entrant: int, *, here: bool) -> None:
    """Note that somebody sits at the table of a match, or does not.

    Args:
        act: Who does it.
        stage: The stage.
        key: The match's.
        entrant: Who.
        here: Whether he does.

    Raises:
        TournamentError: There is no such match, or he does not play it.
    """
    from kiosk.tournament.stages import fixture

    hold(act.connection, "tournament")
    now, old = tournament.standing_now(act.connection), noted(act.connection)
    found = fixture(now.event, now.event.stage(stage), key)
    if entrant not in {found.left, found.right}:
        raise TournamentError(_("Match {key} is played by others.", key=key))
    those = old.matches.get((stage, key), frozenset())
    # What was noted of matches that have ended is of no use any more.
    kept = {(of, other): who for (of, other), who in old.matches.items() if other not in now.event.stage(of).ended}
    _keep(act, Noted(old.event, {**kept, (stage, key): those | {entrant} if here else those - {entrant}}))
