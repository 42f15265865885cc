"""The officials' tools: time, board and match as they have to be (domain rules 2.5 to 2.12)."""

from __future__ import annotations

from kiosk.domain import facts as f
from kiosk.domain.asked import cube_in_play, is_crawford_game
from kiosk.domain.clock import settle
from kiosk.domain.errors import CommandRefused, Refusal
from kiosk.domain.flow import clock_of, setup_of
from kiosk.domain.flow_undo import undoable
from kiosk.domain.officials import Role
from kiosk.domain.setup import bad_value
from kiosk.domain.state import CUBE_VALUES, Phase, Table
from kiosk.domain.types import SIDES, Instant, Side, Span, present, seconds
from kiosk.session import commands as c
from kiosk.session.authority import may_take_back, official_of
from kiosk.session.decide_games import refuse_without_reason

EARLY_TURNS = 2
"""A game may be restarted by a referee until both have ended this many turns (000 §11, 004 5.4.43–45)."""


# ── Time ─────────────────────────────────────────────────────────────────────
def _refuse_unclocked(table: Table) -> None:
    if not clock_of(table).control.clocked:
        raise CommandRefused(Refusal.WRONG_PHASE, "This session is played without a clock.")


def adjust(table: Table, command: c.Adjust, at: Instant) -> tuple[f.Fact, ...]:
    """More than is there cannot be taken."""
    _refuse_unclocked(table)
    left = settle(clock_of(table), at).reserve[command.side]
    if command.span == 0:
        raise bad_value("Give the seconds that are to be given or taken.")
    if left + command.span < 0:
        raise bad_value("From {n} s of reserve this cannot be; give seconds that leave 0 or more.", n=left // 1_000_000_000)
    _refuse_reserves(Span(left + command.span))
    refuse_without_reason(command.reason)
    return (f.TimeAdjusted(at, command.side, command.span, command.reason),)


def set_reserves(table: Table, command: c.SetReserves, at: Instant) -> tuple[f.Fact, ...]:
    """Unequal ones too (domain rule 2.6)."""
    _refuse_unclocked(table)
    _refuse_reserves(command.reserve.left, command.reserve.right)
    refuse_without_reason(command.reason)
    return (f.ReservesSet(at, command.reserve, command.reason),)


def _refuse_reserves(*reserves: Span) -> None:
    if not all(0 <= reserve <= seconds(359_999) for reserve in reserves):
        raise bad_value("A reserve is 0 seconds or more, and below 100 hours.")


def set_control(table: Table, command: c.SetControl, at: Instant) -> tuple[f.Fact, ...]:
    """A wrong setting was found."""
    _refuse_unclocked(table)
    control = clock_of(table).control
    delay = control.delay if command.delay is None else command.delay
    method = control.method if command.method is None else command.method
    if not 0 <= delay <= seconds(3600):
        raise bad_value("A delay is 0 seconds to an hour.")
    if (delay, method) == (control.delay, control.method):
        raise bad_value("This is the setting that holds already.")
    return (f.ControlChanged(at, delay, method, command.reason),)


def restart_delay(table: Table, at: Instant) -> tuple[f.Fact, ...]:
    """At play there is always a turn that goes on."""
    _refuse_unclocked(table)
    return (f.DelayRestarted(at),)


def cancel_next_delay(table: Table, side: Side, at: Instant) -> tuple[f.Fact, ...]:
    """Once for one turn."""
    _refuse_unclocked(table)
    if clock_of(table).no_delay[side]:
        raise CommandRefused(Refusal.ALREADY_USED, "The {side} side's next delay is cancelled already.", side=side)
    return (f.NextDelayCancelled(at, side),)


def clear_flag(table: Table, command: c.ClearFlag, at: Instant) -> tuple[f.Fact, ...]:
    """Only with a reason (domain rule 2.5)."""
    if not clock_of(table).flagged(command.side):
        raise CommandRefused(Refusal.FLAG_NOT_DOWN, "The {side} side's flag is not down.", side=command.side)
    refuse_without_reason(command.reason)
    return (f.FlagCleared(at, command.side, command.reason),)


# ── Board and match ──────────────────────────────────────────────────────────
def set_cube(table: Table, command: c.SetCube, at: Instant) -> tuple[f.Fact, ...]:
    """What lies on the board decides (000 §11)."""
    if is_crawford_game(table):
        raise CommandRefused(Refusal.CRAWFORD_GAME, "This is the Crawford game; it is played without the cube.")
    if not cube_in_play(table):
        raise CommandRefused(Refusal.NO_CUBE, "This match is played without a cube.")
    if table.cube.offered_by is not None:
        raise CommandRefused(Refusal.WRONG_PHASE, "A double waits for its answer; take or pass first.")
    _refuse_cube(table, command.value, command.owner)
    refuse_without_reason(command.reason)
    return (f.CubeSet(at, command.value, command.owner, command.reason),)


def _refuse_cube(table: Table, value: int, owner: Side | None) -> None:
    if value not in CUBE_VALUES:
        raise bad_value("A cube shows 1, 2, 4, 8, 16, 32 or 64, not {cube}.", cube=value)
    if value == 1 and owner is not None:
        raise bad_value("A cube at 1 lies in the middle and belongs to nobody.")
    if value > 1 and owner is None and not setup_of(table).automatic_doubles:
        raise bad_value("A cube at {cube} belongs to one side: say to which.", cube=value)


def exchange_seats(table: Table, at: Instant) -> tuple[f.Fact, ...]:
    """After the first press it is an official's act."""
    if table.cube.offered_by is not None:
        raise CommandRefused(Refusal.WRONG_PHASE, "A double waits for its answer; take or pass first.")
    return (f.SeatsExchanged(at),)


def restart_game(table: Table, command: c.RestartGame, at: Instant) -> tuple[f.Fact, ...]:
    """A wrong set-up: until both have ended two turns, later only the chief (000 §11, 004 5.4.43–45)."""
    official = present(official_of(table))
    if table.game_turns >= 2 * EARLY_TURNS and not official.role.at_least(Role.CHIEF):
        raise CommandRefused(Refusal.WINDOW_CLOSED, "Both have ended two turns; only the chief can restart the game now.")
    refuse_without_reason(command.reason)
    return (f.GameRestarted(at, command.reason),)


def rule_game(table: Table, command: c.RecordGame, at: Instant) -> tuple[f.Fact, ...]:
    """After a dispute an official's entry decides at once."""
    held = present(table.awaiting)
    cube = held.cube if command.cube is None else command.cube
    kinds = dict(setup_of(table).kinds)
    if command.kind not in kinds and command.kind is not held.kind:
        raise bad_value(
            "A game under {rulebook} is won as {kinds}, not {kind}.",
            rulebook=setup_of(table).rulebook,
            kinds=tuple(kinds),
            kind=command.kind,
        )
    if cube not in CUBE_VALUES:
        raise bad_value("A cube shows 1, 2, 4, 8, 16, 32 or 64, not {cube}.", cube=cube)
    if cube > 1 and not cube_in_play(table):
        raise bad_value("This game is played without a cube; it cannot stand at {cube}.", cube=cube)
    return (f.GameRuled(at, command.winner, command.kind, cube),)


def set_state(table: Table, command: c.SetState, at: Instant) -> tuple[f.Fact, ...]:
    """One recorded entry, all of it valid or none (domain rule 2.12)."""
    setup = setup_of(table)
    _refuse_reserves(command.reserve.left, command.reserve.right)
    _refuse_cube(table, command.cube, command.owner)
    if command.cube > 1 and not setup.cube:
        raise bad_value("This game is played without a cube; it cannot stand at {cube}.", cube=command.cube)
    for side in SIDES:
        if command.score[side] < 0 or (setup.length is not None and command.score[side] >= setup.length):
            raise bad_value("The {side} side cannot stand at {n} points in this match.", side=side, n=command.score[side])
        if not 0 <= command.breaks[side] <= max(setup.breaks, 0):
            raise bad_value("The {side} side cannot have taken {n} breaks.", side=side, n=command.breaks[side])
    away = [setup.length is not None and command.score[side] == setup.length - 1 for side in SIDES]
    to_come = setup.crawford and setup.length != 1 and not command.crawford_played and away[0] is not away[1]
    if to_come and command.turn is None and command.cube > 1:
        raise bad_value("At this score the next game is the Crawford game: set the cube to 1, or say that it was played.")
    if command.game < 1 or not 0 <= command.delay_used <= seconds(359_999):
        raise bad_value("A game's number is 1 or more, and used delay 0 seconds or more.")
    given = (command.score, command.reserve, command.turn, command.delay_used, command.cube, command.owner)
    return (f.StateSet(at, *given, command.game, command.crawford_played, command.breaks),)


def forfeit(table: Table, command: c.Forfeit, at: Instant) -> tuple[f.Fact, ...]:
    """Written with its reason."""
    if setup_of(table).length is None:
        raise bad_value("A free session has no match to lose.")
    refuse_without_reason(command.reason)
    return (f.MatchForfeited(at, command.sides, command.reason),)


def change_dice(table: Table, by: Side, at: Instant) -> tuple[f.Fact, ...]:
    """Once a match, between games, through the chief or deputy (000 §11, 004 5.4.8)."""
    if table.game == 1:
        raise CommandRefused(Refusal.WRONG_PHASE, "The dice are changed between games, not before the first one.")
    if by in table.dice_changed:
        raise CommandRefused(Refusal.ALREADY_USED, "The {side} side has had its change of dice.", side=by)
    return (f.DiceChanged(at, by),)


def allow(table: Table, command: c.Allow, at: Instant) -> tuple[f.Fact, ...]:
    """A device is the chief's to permit, leaving the hall any referee's (000 §11)."""
    if any((p.side, p.what) == (command.side, command.what) for p in table.permissions):
        raise CommandRefused(Refusal.ALREADY_USED, "The {side} side has this permission already.", side=command.side)
    return (f.PermissionGiven(at, command.side, command.what, command.until),)


def back(table: Table, command: c.Back, at: Instant) -> tuple[f.Fact, ...]:
    """Only what is in force ends."""
    if not any((p.side, p.what) == (command.side, command.what) for p in table.permissions):
        raise CommandRefused(Refusal.NOTHING_TO_UNDO, "The {side} side has no such permission.", side=command.side)
    return (f.PermissionEnded(at, command.side, command.what),)


def receive(table: Table, at: Instant) -> tuple[f.Fact, ...]:
    """Both have signed, or there may be nobody to sign: the match was forfeited, or lost by a ruling (an expelled player is gone)."""
    end = table.ended
    # Decision: a match entered from paper is handed in as its paper is, signed or not: the players are no longer here.
    nobody = table.paper is not None or (end is not None and end.how in {"forfeit", "double_forfeit", "ruling"})
    if table.phase is Phase.ENDED and not nobody:
        raise CommandRefused(Refusal.WRONG_PHASE, "Both players sign before the sheet is handed in.")
    if any(appeal.outcome is None for appeal in table.appeals):
        raise CommandRefused(Refusal.WRONG_PHASE, "An appeal is open; it is decided before the sheet is handed in.")
    return (f.SheetReceived(at),)


def undo_act(table: Table, at: Instant) -> tuple[f.Fact, ...] | None:
    """An official's last act, where somebody is signed in and there is one; None leaves it to the players' undo.

    Raises:
        CommandRefused: Play has gone on over it.
    """
    if table.official is None or not table.acts:
        return None
    act = table.acts[-1]
    if act.by is not None and not may_take_back(table.official.official, act.by):
        raise CommandRefused(Refusal.NOT_AUTHORISED, "The last act is {name}'s; only {name} or the chief can undo it.", name=act.by.name)
    if not undoable(table):
        raise CommandRefused(Refusal.NOTHING_TO_UNDO, "Play has gone on since the last act; enter a correction instead.")
    return (f.ActUndone(at),)
