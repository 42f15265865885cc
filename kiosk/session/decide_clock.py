"""Stops, breaks, flags, late starts, presses put back."""

from __future__ import annotations

from kiosk.domain import facts as f
from kiosk.domain.clock import adds_increment, settle
from kiosk.domain.errors import CommandRefused, Refusal
from kiosk.domain.flow import clock_of, setup_of
from kiosk.domain.rulebook import LateRule, Provide
from kiosk.domain.state import Phase, Table
from kiosk.domain.types import SIDES, Instant, Side, Span, present, seconds
from kiosk.session.commands import StopClock

PUT_BACK_WITHOUT_DELAY = seconds(10)
"""How long a press can be put back where no delay runs (domain rule 2.10)."""


def stop(table: Table, command: StopClock, at: Instant) -> tuple[f.Fact, ...]:
    """Stop, or give the standing stop its reason (domain rule 2.4)."""
    if table.phase is Phase.PLAYING:
        return (f.ClockStopped(at, command.by, command.reason),)
    standing = present(table.stop)
    if standing.reason is not None or command.reason is None:
        raise CommandRefused(Refusal.WRONG_PHASE, "The clocks are stopped already; resume first, or call the referee.")
    return (f.StopReasonGiven(at, command.by, command.reason),)


def take_break(table: Table, by: Side, at: Instant) -> tuple[f.Fact, ...]:
    """Between games only, not before game 1; both reserves are written down (000 §11)."""
    setup, clock = setup_of(table), clock_of(table)
    if not table.games:
        raise CommandRefused(Refusal.WRONG_PHASE, "A break can be taken between games, not before the first one.")
    if setup.breaks and table.breaks_taken[by] >= setup.breaks:
        raise CommandRefused(Refusal.NO_BREAKS_LEFT, "The {side} side has taken all {breaks} of its breaks.", side=by, breaks=setup.breaks)
    if not setup.breaks and setup.provide is Provide.BREAKS:
        raise CommandRefused(Refusal.BREAKS_NOT_PROVIDED, "There are no breaks: this match is too short for them.")
    if not setup.breaks:
        raise CommandRefused(Refusal.BREAKS_NOT_PROVIDED, "There are no breaks: this match provides none.")
    return (f.BreakStarted(at, by, clock.reserve.left, clock.reserve.right),)


def claim(table: Table, by: str, at: Instant) -> tuple[f.Fact, ...]:
    """Claim a flag; the first one decides, whoever claims (domain rule 2.5)."""
    if not clock_of(table).flags:
        raise CommandRefused(Refusal.FLAG_NOT_DOWN, "No flag is down; there is nothing to claim.")
    return (f.FlagClaimed(at, by),)


def start_late(table: Table, sides: tuple[Side, ...], at: Instant) -> tuple[f.Fact, ...]:
    """A person starts the absent sides' clocks at or after the round's time; nothing is back-dated (domain rule 2.9)."""
    setup, clock = setup_of(table), clock_of(table)
    if table.games or table.started or not clock.control.clocked:
        raise CommandRefused(Refusal.WRONG_PHASE, "A late start is made before the first game of a match with clocks.")
    if setup.round_start is not None and at < setup.round_start:
        raise CommandRefused(Refusal.WRONG_PHASE, "The round has not begun; nobody is late yet.")
    counting = table.late.absent if setup.late.rule is LateRule.POINTS else clock.running
    new = tuple(side for side in sides if side not in counting)
    if not new:
        raise CommandRefused(Refusal.WRONG_PHASE, "That side's time is running already.")
    return (f.LateStarted(at, new),)


def arrive(table: Table, sides: tuple[Side, ...], at: Instant) -> tuple[f.Fact, ...]:
    """Before one's time ran out; after one's flag it is refused (domain rule 2.9)."""
    here = tuple(side for side in sides if side in table.late.absent)
    if not here:
        raise CommandRefused(Refusal.WRONG_PHASE, "That side is not absent.")
    for side in here:
        if clock_of(table).flagged(side):
            raise CommandRefused(Refusal.WINDOW_CLOSED, "The {side} side's flag fell before it arrived.", side=side)
    return (f.PlayerArrived(at, here),)


def put_back_window(table: Table) -> Span:
    """How long the side to move may put the press back: while its delay runs, 10 s if there is none."""
    control = clock_of(table).control
    return PUT_BACK_WITHOUT_DELAY if adds_increment(clock_of(table)) or control.delay == 0 else control.delay


def press_back(table: Table, by: str, at: Instant) -> tuple[f.Fact, ...]:
    """The side whose turn has just begun puts the clock back (000 §11)."""
    clock = settle(clock_of(table), at)
    turn = present(clock.turn)
    official = by not in set(Side)  # at any time, where there is something to put back (domain rule 2.10)
    if not official and by != turn:
        raise CommandRefused(Refusal.NOT_YOUR_TURN, "Only the side to move, {side}, can put the clock back.", side=turn)
    if not official and clock.used[turn] >= put_back_window(table):
        raise CommandRefused(Refusal.WINDOW_CLOSED, "The time for putting the clock back is over; call the referee.")
    if table.memory is None or table.memory.opening:
        raise CommandRefused(Refusal.NOTHING_TO_UNDO, "There is no press to put back.")
    return (f.PressPutBack(at, by),)


def swap_start(table: Table, by: str, at: Instant) -> tuple[f.Fact, ...]:
    """In the game's first turn, later by nobody (domain rule 2.10)."""
    if table.memory is None or not table.memory.opening:
        raise CommandRefused(Refusal.WINDOW_CLOSED, "The start can be swapped only in a game's first turn.")
    return (f.StartSwapped(at, by),)


def all_sides(side: str) -> tuple[Side, ...]:
    """`left`, `right` or `both` as sides."""
    return SIDES if side == "both" else (Side(side),)
