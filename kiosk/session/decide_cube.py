"""The doubling cube (000 §7, domain rules 3.3, 3.4, 3.7)."""

from __future__ import annotations

from kiosk.domain import facts as f
from kiosk.domain.asked import cube_frozen, cube_in_play, is_crawford_game
from kiosk.domain.errors import CommandRefused, Refusal
from kiosk.domain.flow import clock_of, setup_of
from kiosk.domain.state import CUBE_LIMIT, Table
from kiosk.domain.types import Instant, Side


def double(table: Table, by: Side, at: Instant) -> tuple[f.Fact, ...]:
    """Offer: in the own turn it is a press, in the opponent's it stays offered until his press."""
    cube = table.cube
    if cube.offered_by is not None:
        raise CommandRefused(Refusal.WRONG_PHASE, "A double has been offered already; it waits for its answer.")
    _refuse_without_cube(table)
    own_turn = clock_of(table).turn is by
    if own_turn and table.game_turns == 0:
        raise CommandRefused(Refusal.FIRST_TURN, "The side to move cannot double in a game's first turn.")
    if cube.owner is not None and cube.owner is not by:
        raise CommandRefused(Refusal.CUBE_NOT_YOURS, "The cube belongs to the {side} side; only it may redouble.", side=cube.owner)
    if cube.value >= CUBE_LIMIT:
        raise CommandRefused(Refusal.CUBE_AT_LIMIT, "The cube stands at 64 and goes no higher.")
    return (f.DoubleOffered(at, by, early=not own_turn),)


def _refuse_without_cube(table: Table) -> None:
    if is_crawford_game(table):
        raise CommandRefused(Refusal.CRAWFORD_GAME, "This is the Crawford game; it is played without the cube.")
    if not cube_in_play(table):
        raise CommandRefused(Refusal.NO_CUBE, "This match is played without a cube.")
    if cube_frozen(table):
        raise CommandRefused(Refusal.CUBE_FROZEN, "A penalty point has frozen the cube for the rest of this game.")


def _refuse_answer(table: Table, by: Side) -> None:
    if not table.cube.open_offer:
        raise CommandRefused(Refusal.WRONG_PHASE, "No double waits for an answer.")
    if table.cube.offered_by is by:
        raise CommandRefused(Refusal.NOT_YOUR_TURN, "The other side answers a double.")


def take(table: Table, by: Side, at: Instant) -> tuple[f.Fact, ...]:
    """The responder takes; also his press."""
    _refuse_answer(table, by)
    return (f.DoubleTaken(at, by),)


def refuse(table: Table, by: Side, at: Instant) -> tuple[f.Fact, ...]:
    """The responder passes; both clocks stop and the game waits for his confirmation."""
    _refuse_answer(table, by)
    return (f.DoublePassed(at, by),)


def automatic(table: Table, at: Instant) -> tuple[f.Fact, ...]:
    """A tied opening roll, at most one per game, before the game's first press (002)."""
    setup = setup_of(table)
    if not setup.automatic_doubles:
        if setup.length is None:
            raise CommandRefused(Refusal.WRONG_PHASE, "The rulebook {rulebook} has no automatic doubles.", rulebook=setup.rulebook)
        raise CommandRefused(Refusal.WRONG_PHASE, "Automatic doubles belong to free sessions, not to matches.")
    if not setup.cube:
        raise CommandRefused(Refusal.NO_CUBE, "This session is played without a cube.")
    if table.cube.automatic:
        raise CommandRefused(Refusal.ALREADY_USED, "This game has had its automatic double.")
    return (f.AutomaticDouble(at),)
