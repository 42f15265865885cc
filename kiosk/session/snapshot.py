"""Snapshots: the table as it is to be shown at an instant. What is shown and what is charged come from the same figures."""

from __future__ import annotations

from dataclasses import dataclass

from kiosk.domain import clock as ck
from kiosk.domain.asked import crawford_played, cube_frozen, cube_in_play, double_match_point, is_crawford_game, score_of, standing_of
from kiosk.domain.facts import StopReason
from kiosk.domain.state import Alert, Cube, Halt, Phase, Table
from kiosk.domain.types import SIDES, Instant, Pair, Side, Span, clock_text
from kiosk.ports import JournalState


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything a screen, a lamp or a sheet needs to know about one instant."""

    at: Instant
    """The instant shown."""
    phase: Phase | None
    """Where the table stands; None before a match."""
    table: Table
    """The table with everything in it that is due by `at`."""
    clock: ck.Clock | None
    """The clock settled at `at`: its figures are what is charged and what is shown."""
    delay_left: Span
    """What is left of the delay of the side to move (before a game: of a fresh one)."""
    shown: Pair[str]
    """Both reserves as text; empty in an unclocked session."""
    score: Pair[int]
    """The score as it counts."""
    is_crawford_game: bool
    crawford_played: bool
    double_match_point: bool
    cube: Cube
    cube_in_play: bool
    cube_frozen: bool
    standing: Pair[str] | None
    stop_reason: StopReason | Halt | None
    alerts: tuple[Alert, ...]
    journal: JournalState
    """What is accepted and what still waits."""
    late_prompt: bool
    """The round's time has come and the first game has not begun: a person may start an absent side's clock."""


def snapshot(table: Table, at: Instant, journal: JournalState) -> Snapshot:
    """The table at `at`, which must already hold what is due by then."""
    clock = None if table.clock is None else ck.settle(table.clock, at)
    return Snapshot(
        at=at,
        phase=table.phase,
        table=table,
        clock=clock,
        delay_left=Span(0) if clock is None else shown_delay(clock),
        shown=Pair("", "") if clock is None or not clock.control.clocked else shown_reserves(clock),
        score=score_of(table),
        is_crawford_game=is_crawford_game(table),
        crawford_played=crawford_played(table),
        double_match_point=double_match_point(table),
        cube=table.cube,
        cube_in_play=cube_in_play(table),
        cube_frozen=cube_frozen(table),
        standing=standing_of(table),
        stop_reason=None if table.stop is None else table.stop.reason,
        alerts=table.alerts,
        journal=journal,
        late_prompt=_late_prompt(table, at),
    )


def shown_delay(clock: ck.Clock) -> Span:
    """The delay of the side to move; of the late sides the smaller one; before a game a fresh one."""
    sides: tuple[Side, ...] = clock.running or ((clock.turn,) if clock.turn is not None else SIDES)
    return min((clock.delay_left(side) for side in sides), default=Span(0))


def shown_reserves(clock: ck.Clock) -> Pair[str]:
    """Both reserves as every clock of the product shows them."""
    return Pair(clock_text(clock.reserve.left), clock_text(clock.reserve.right))


def _late_prompt(table: Table, at: Instant) -> bool:
    setup = table.setup
    if setup is None or setup.round_start is None or table.phase is not Phase.OPENING:
        return False
    return at >= setup.round_start and not table.games and not table.started
