"""What simulated players do next: lawful play at random, decided from the table as it stands.

It is product code for trials of a hall, not for tests of the rules: what the table would refuse is refused without harm, and what a player
waits for (a desk's pause, an answer to a double) is waited for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain.facts import CheckItem
from kiosk.domain.officials import Official, Role
from kiosk.domain.rulebook import Kind
from kiosk.domain.state import Phase
from kiosk.domain.types import Side
from kiosk.session import commands as c

if TYPE_CHECKING:
    from random import Random

    from kiosk.domain.state import RefereeCall, Table
    from kiosk.session import Session

SIDES = (Side.LEFT, Side.RIGHT)
THINKS_S = 12.0
"""A turn takes that long on average."""
CALLS = 0.01
"""So many turns end with a call, at the speed of people."""
GAME_TURNS = (14, 44)
"""A game takes so many turns."""

REFEREES = tuple(Official(name, Role.REFEREE) for name in ("Eva Novak", "Luka Petrov", "Mira Kovač"))


@dataclass(frozen=True, slots=True)
class Press:
    """A player presses his clock."""

    side: Side


@dataclass(frozen=True, slots=True)
class Ruled:
    """A referee rules on an infraction."""

    official: Official
    command: c.Rule


@dataclass(frozen=True, slots=True)
class NextMatch:
    """The table is free for the next match."""


Wish = c.Command | Press | Ruled | NextMatch


def next_wish(session: Session, rng: Random, speed: float = 1.0) -> tuple[float, Wish | None]:
    """What the players do next.

    Args:
        session: The table.
        rng: Chance.
        speed: How many times faster than people these are: they call as often in an hour as people do, whatever it is.

    Returns:
        In how many seconds, and what; None: they wait, and are asked again then.
    """
    table = session.table
    if table.hall.messages and rng.random() < 0.5:
        return rng.uniform(2, 8), c.ReadMessage(table.hall.messages[0].n)
    if table.hall.pause is not None:
        return 1.0, None
    match table.phase:
        case None | Phase.SIGNED | Phase.RECEIVED:
            return rng.uniform(3, 20), NextMatch()
        case Phase.OPENING:
            return _opening(table, rng)
        case Phase.PLAYING:
            return _playing(session, rng, CALLS / max(1.0, speed))
        case Phase.STOPPED:
            return _stopped(table, rng)
        case Phase.RECORDING:
            return rng.uniform(2, 10), None if table.awaiting is None else c.ConfirmGame(table.awaiting.winner.other)
        case Phase.ENDED:
            missing = [side for side in SIDES if all(signature.side is not side for signature in table.signatures)]
            return rng.uniform(3, 15), c.Sign(rng.choice(missing or list(SIDES)), protest=False)
        case _:  # breaks are not taken, late starts and suspensions are officials' acts
            return 5.0, None


def _opening(table: Table, rng: Random) -> tuple[float, Wish]:
    if table.game == 1 and rng.random() < 0.5:
        return rng.uniform(1, 4), c.Check(rng.choice(list(CheckItem)), done=True)
    return rng.uniform(3, 12), Press(rng.choice(SIDES))


def _playing(session: Session, rng: Random, calls: float) -> tuple[float, Wish]:
    table = session.table
    think = min(rng.expovariate(1 / THINKS_S), 90.0) + 0.7
    if table.cube.offered_by is not None and table.cube.open_offer:
        by = table.cube.offered_by.other
        return think, c.Take(by) if rng.random() < 0.7 else c.Pass(by)
    running = next(iter(table.clock.running), SIDES[0]) if table.clock is not None else SIDES[0]
    if table.game_turns >= rng.randint(*GAME_TURNS):
        return think, c.RecordGame(rng.choice(SIDES), rng.choices((Kind.SINGLE, Kind.GAMMON, Kind.BACKGAMMON), (75, 23, 2))[0], None)
    if table.game_turns > 2 and rng.random() < 0.03 and session.why_not(c.Double(running), table.now) is None:
        return think / 2, c.Double(running)
    if rng.random() < calls:
        return think, c.CallReferee(str(rng.choice(SIDES)))
    return think, Press(running)


def _stopped(table: Table, rng: Random) -> tuple[float, Wish]:
    if table.cube.offered_by is not None:
        by = table.cube.offered_by.other
        return rng.uniform(2, 20), c.Take(by) if rng.random() < 0.7 else c.Pass(by)
    if table.referee_called and table.call is not None:
        return _called(table, table.call, rng)
    return rng.uniform(10, 40), c.Resume()


def _called(table: Table, call: RefereeCall, rng: Random) -> tuple[float, Wish]:
    """A referee says that he comes, unless somebody's phone has said so; he rules or does not, and the clocks go on."""
    if call.coming is None and rng.random() < 0.6:
        return rng.uniform(10, 30), c.RefereeComing(rng.choice(REFEREES).name)
    ruled = any(ruling.at >= call.at for ruling in table.rulings)
    if not ruled and table.setup is not None and table.setup.infractions and rng.random() < 0.4:
        code = rng.choice(table.setup.infractions).code
        return rng.uniform(20, 60), Ruled(rng.choice(REFEREES), c.Rule((rng.choice(SIDES),), code, None, None, "", ()))
    return rng.uniform(20, 60), c.Resume()
