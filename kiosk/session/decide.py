"""Which facts a press or a command leads to, or why it is refused. Pure: a refused command changes nothing.

Reasons are tried in the order of `Refusal`, so that where several apply the first is told.
"""

from __future__ import annotations

from typing import assert_never

from kiosk.domain import facts as f
from kiosk.domain.errors import CommandRefused, Refusal
from kiosk.domain.flow_back import REFEREE
from kiosk.domain.state import OVER, Phase, Table
from kiosk.domain.types import Instant, Side, Span, present, seconds
from kiosk.session import (
    authority,
    decide_board,
    decide_chouette,
    decide_clock,
    decide_cube,
    decide_games,
    decide_hall,
    decide_paper,
    decide_rulings,
    decide_tools,
)
from kiosk.session import commands as c
from kiosk.session.permits import refuse_out_of_place

DEAD_TIME = seconds(0.1)
"""A press less than 100 ms after a switch does nothing (domain rule 2.3)."""


def decide_press(table: Table, side: Side, at: Instant) -> f.Fact:
    """What one press of a clock button means at the instant of its first edge."""
    why = _ignored(table, side, at)
    if why is not None:
        return f.PressIgnored(at, side, why)
    if table.chouette is not None:
        return f.ChouettePressed(at, f.Party.at(side))
    if table.phase is Phase.OPENING:
        return f.GameStarted(at, side)
    return f.DoubleTaken(at, side) if table.cube.open_offer else f.TurnEnded(at, side)


def _ignored(table: Table, side: Side, at: Instant) -> f.IgnoredWhy | None:
    if table.phase in OVER or (table.chouette is not None and table.chouette.ended):
        return f.IgnoredWhy.OVER
    switched = None if table.clock is None else table.clock.switched_at
    if switched is not None and switched <= at < switched + DEAD_TIME:
        # Two presses in the same instant: the running side's counted, the other comes from a side that did not run.
        return f.IgnoredWhy.NOT_RUNNING if at == switched else f.IgnoredWhy.BOUNCE
    if table.phase is Phase.OPENING:  # it was played without a clock, or the hall is paused
        return None if table.paper is None and table.hall.pause is None else f.IgnoredWhy.NOT_RUNNING
    if table.chouette is not None:
        return None if decide_chouette.presses(table, side) else f.IgnoredWhy.NOT_RUNNING
    ready = table.phase is Phase.PLAYING and present(table.clock).turn is side
    return None if ready else f.IgnoredWhy.NOT_RUNNING


def decide(table: Table, command: c.Command, at: Instant) -> tuple[f.Fact, ...]:  # noqa: C901, PLR0912 - the dispatch table
    """What a command leads to.

    Args:
        table: The table, with everything due by `at` already in it.
        command: What is asked for.
        at: When.

    Raises:
        CommandRefused: It cannot be done now; nothing has changed.
    """
    _refuse_unauthorised(table, command)
    if isinstance(command, c.StopClock) and command.reason is f.StopReason.REFEREE:
        command = c.CallReferee(command.by)
    refuse_out_of_place(table, command)
    decide_hall.refuse_in_a_pause(table, command)
    decide_paper.refuse_a_clock(table, command)
    match command:
        case c.OpenMatch():
            return _opened(table, command, at)
        case c.SwapSeats():
            return decide_games.swap_seats(table, at) if table.official is None else _official_swap(table, at)
        case c.Check():
            return decide_games.check(table, command, at)
        case c.StopClock():
            return decide_clock.stop(table, command, at)
        case c.CallReferee():
            return (f.RefereeCalled(at, command.by),)
        case c.Resume():
            return (f.ClockResumed(at),)
        case c.Double():
            return decide_cube.double(table, command.by, at)
        case c.Take():
            return decide_cube.take(table, command.by, at)
        case c.Pass():
            return decide_cube.refuse(table, command.by, at)
        case c.AutomaticDoubling():
            return decide_cube.automatic(table, at)
        case c.RecordGame():
            return decide_tools.rule_game(table, command, at) if _official_decides(table) else decide_games.record(table, command, at)
        case c.ConfirmGame():
            return (f.GameConfirmed(at, REFEREE),) if _official_decides(table) else decide_games.confirm(table, command.by, at)
        case c.DisputeGame():
            return decide_games.dispute(table, command.by, at)
        case c.CorrectGame():
            return decide_games.correct(table, command, at)
        case c.TakeBreak():
            return decide_clock.take_break(table, command.by, at)
        case c.EndBreak():
            return (f.BreakEnded(at, command.by),)
        case c.ClaimFlag():
            return decide_clock.claim(table, command.by, at)
        case c.StartLate():
            return decide_clock.start_late(table, command.sides, at)
        case c.Arrive():
            return decide_clock.arrive(table, command.sides, at)
        case c.PressBack():
            return decide_clock.press_back(table, command.by, at)
        case c.SwapStart():
            return decide_clock.swap_start(table, command.by, at)
        case c.ResignMatch():
            return (f.MatchResigned(at, command.by),)
        case c.EndSession():
            return decide_games.end_session(table, at)
        case c.Sign():
            return decide_games.sign(table, command, at)
        case c.NoteTurn():
            return decide_board.note_turn(table, command, at)
        case c.Undo():
            return _undo(table, command, at)
        case c.PauseHall() | c.LiftPause() | c.ShowMessage() | c.ReadMessage() | c.ConfirmSeat() | c.MoveRoundStart() | c.RefereeComing():
            return decide_hall.decide(table, command, at)
        case (
            c.OpenChouette()
            | c.TieChouette()
            | c.WantDouble()
            | c.DoubleByBox()
            | c.AnswerDouble()
            | c.WinChouette()
            | c.JoinChouette()
            | c.LeaveChouette()
            | c.EndChouette()
            | c.UndoChouette()
            | c.SetChouetteClock()
            | c.StopChouetteClock()
            | c.ResumeChouetteClock()
        ):
            return decide_chouette.decide(table, command, at)
        case _:
            return _decide_official(table, command, at)


def _opened(table: Table, command: c.OpenMatch, at: Instant) -> tuple[f.Fact, ...]:
    # An opening begins the table anew, for a replay and for the sheet too: who is signed in stands behind it once more.
    opened: tuple[f.Fact, ...] = (f.MatchOpened(at, command.match, command.setup),)
    if command.place is not None:
        place = command.place
        opened = (*opened, f.MatchPlaced(at, place.event, place.round, place.table, place.practice))
    official = authority.official_of(table)
    return opened if official is None else (*opened, f.OfficialSignedIn(at, official.name, official.role))


def _undo(table: Table, command: c.Undo, at: Instant) -> tuple[f.Fact, ...]:
    """An official's last act, unless players have done something since that can be undone, or that alone is asked for."""
    if command.of == "play" or (command.of == "last" and decide_games.undoable(table) is not None and _played_since(table)):
        return decide_games.undo(table, at)
    undone = decide_tools.undo_act(table, at)
    if undone is not None:
        return undone
    if table.paper is not None and decide_games.undoable(table) is None:
        raise CommandRefused(Refusal.NOTHING_TO_UNDO, "What was entered from paper is put right by correcting its games.")
    if command.of == "act":
        raise CommandRefused(Refusal.NOTHING_TO_UNDO, "There is no official's act that can be undone.")
    return decide_games.undo(table, at)


def _played_since(table: Table) -> bool:
    """Whether what players could take back has come after the official's last act."""
    if not table.acts:
        return True
    before, held = table.acts[-1].before, table.awaiting
    if held is not None:
        return before.awaiting is None or before.awaiting.at != held.at
    return before.ended is None if table.ended is not None else not before.cube.automatic


def _official_decides(table: Table) -> bool:
    """After a dispute only an official's entry or confirmation decides, whosever button it was (domain rule 3.5)."""
    return table.official is not None and table.awaiting is not None and table.awaiting.disputed


def _official_swap(table: Table, at: Instant) -> tuple[f.Fact, ...]:
    fresh = table.phase in {Phase.OPENING, Phase.LATE} and not table.games and not table.started
    return decide_games.swap_seats(table, at) if fresh else decide_tools.exchange_seats(table, at)


def _decide_official(table: Table, command: c.OfficialCommand, at: Instant) -> tuple[f.Fact, ...]:  # noqa: C901, PLR0912 - the dispatch table
    match command:
        case c.SignIn():
            return authority.sign_in(table, command, at)
        case c.SignOut():
            return authority.sign_out(table, at)
        case c.NoteRecovery():
            return (f.PinRecovered(at, command.name, command.by, command.wall_ns, command.wall_trusted),)
        case c.Rule():
            return decide_rulings.rule(table, command, at)
        case c.Void():
            return decide_rulings.void(table, command, at)
        case c.AttachPlay():
            return decide_board.attach(table, command, at)
        case c.LodgeAppeal():
            return decide_rulings.lodge(table, command, at)
        case c.DecideAppeal():
            return decide_rulings.decide_appeal(table, command, at)
        case c.Adjust():
            return decide_tools.adjust(table, command, at)
        case c.SetReserves():
            return decide_tools.set_reserves(table, command, at)
        case c.SetControl():
            return decide_tools.set_control(table, command, at)
        case c.RestartDelay():
            return decide_tools.restart_delay(table, at)
        case c.CancelNextDelay():
            return decide_tools.cancel_next_delay(table, command.side, at)
        case c.ClearFlag():
            return decide_tools.clear_flag(table, command, at)
        case c.SetCube():
            return decide_tools.set_cube(table, command, at)
        case c.RestartGame():
            return decide_tools.restart_game(table, command, at)
        case c.SetState():
            return decide_tools.set_state(table, command, at)
        case c.Forfeit():
            return decide_tools.forfeit(table, command, at)
        case c.Suspend():
            return (f.MatchSuspended(at, command.position, command.note),)
        case c.ResumeMatch():
            return (f.MatchResumed(at),)
        case c.ChangeDice():
            return decide_tools.change_dice(table, command.by, at)
        case c.Allow():
            return decide_tools.allow(table, command, at)
        case c.Back():
            return decide_tools.back(table, command, at)
        case c.Receive():
            return decide_tools.receive(table, at)
        case c.EnterPaper():
            return decide_paper.enter(table, command, at)
        case _:
            assert_never(command)


def _refuse_unauthorised(table: Table, command: c.Command) -> None:
    """What is an official's is refused before all else where none is signed in, or one of too low a role."""
    # Decision: a stop, a call and a claim give a referee no more power than a player, so they need no sign-in; putting a
    # press back or swapping a start outside the players' window does.
    # Decision: players cannot leave a suspended match behind by opening another one; an official can, and it waits in the journal.
    leaves = isinstance(command, c.OpenMatch | c.OpenChouette) and table.phase is Phase.SUSPENDED
    for_referee = isinstance(command, c.PressBack | c.SwapStart) and command.by not in set(Side)
    corrected = isinstance(command, c.CorrectGame) and table.official is not None
    lifts = isinstance(command, c.LiftPause) and command.by is None
    if for_referee or corrected or leaves or lifts or isinstance(command, authority.OFFICIALS_ONLY):
        authority.require(table, authority.needed_role(table, command))


def uncertain_span(table: Table, heartbeat: Span) -> Span:
    """Running time that a power cut leaves in doubt: at most one heartbeat, nothing when no clock ran."""
    return heartbeat if table.clock is not None and table.clock.running else Span(0)
