"""`evolve`: how each fact changes the table. The only way in which the table ever changes.

The phases, and what moves between them:

    opening ──GameStarted──► playing ◄──ClockResumed── stopped
       ▲  ▲                   │  │  └──ClockStopped, RefereeCalled, PowerRestored──►┘
       │  └── PlayerArrived ─ late        (LateStarted leads from opening to late)
       │      BreakEnded ──── break       (BreakStarted leads from opening to break)
       └───── GameConfirmed ─ recording ◄─ GameRecorded, DoublePassed (from opening, playing, stopped)

From any of them a match can end: by the score, a flag, a resignation, a forfeit, a free session by being ended. `ended` goes to
`signed` by two signatures and back to `opening` only by a correction that takes the winning points away; SessionEndUndone leads
a free session back to where it was. A suspended match goes on here, or at another table (MatchTakenUp moves it to that one's clock);
a running one whose table failed goes on at a spare one (MatchTakenOver), stopped. HallPaused stops whatever runs in any phase, and
nothing runs before HallPauseLifted. ChouetteOpened leaves no match behind: a chouette is a value of its own (`kiosk.domain.chouette`), and
while it goes on there is no phase.
Illegal moves never get here: commands are refused before they become facts, so `evolve` is total over lawful streams.
"""

from __future__ import annotations

from kiosk.domain import facts as f
from kiosk.domain import flow, flow_chouette, flow_hall, flow_official, flow_time
from kiosk.domain.chouette import opened
from kiosk.domain.replacing import replace
from kiosk.domain.state import Phase, Table
from kiosk.domain.table_official import evolve_official, remembered
from kiosk.domain.types import Instant


def evolve(table: Table, fact: f.Fact) -> Table:  # noqa: C901, PLR0912, PLR0915 - one line per fact is the table itself
    """The table after a fact.

    Args:
        table: The table before.
        fact: What happened; lawful in this state.
    """
    match fact:
        case f.MatchOpened():
            after = flow_hall.kept(table, flow.match_opened(fact))  # who is signed in signs in anew
        case f.SeatsSwapped():
            after = flow.seats_swapped(table)
        case f.ItemChecked():
            after = flow.item_checked(table, fact)
        case f.GameStarted():
            after = flow.game_started(table, fact)
        case f.TurnEnded():
            after = flow.turn_ended(table, fact)
        case f.PressIgnored() | f.TurnNoted():
            after = table
        case f.WallClockTrusted():  # It and an alert move nothing, so an edge that was stamped before still counts in full.
            return table
        case f.AlertRaised():
            return flow.alert_raised(table, fact)
        case f.ClockStopped():
            after = flow.clock_stopped(table, fact)
        case f.StopReasonGiven():
            after = flow.stop_reason_given(table, fact)
        case f.RefereeCalled():
            after = flow.referee_called(table, fact)
        case f.ClockResumed():
            after = flow.clock_resumed(table, fact)
        case f.DoubleOffered():
            after = flow.double_offered(table, fact)
        case f.DoubleTaken():
            after = flow.double_taken(table, fact)
        case f.DoublePassed():
            after = flow.double_passed(table, fact)
        case f.AutomaticDouble():
            after = replace(table, cube=replace(table.cube, value=2, automatic=True))
        case f.AutomaticDoubleUndone():
            after = replace(table, cube=replace(table.cube, value=1, automatic=False))
        case f.GameRecorded():
            after = flow.game_recorded(table, fact)
        case f.GameConfirmed():
            after = remembered(table, flow.game_confirmed(table, fact), fact)
        case f.GameDisputed():
            after = flow.game_disputed(table, fact)
        case f.RecordUndone():
            after = flow.record_undone(table, fact)
        case f.GameCorrected():
            after = remembered(table, flow.game_corrected(table, fact), fact)
        case f.BreakStarted():
            after = flow_time.break_started(table, fact)
        case f.BreakEnded():
            after = flow_time.break_ended(table, fact)
        case f.LateStarted():
            after = flow_time.late_started(table, fact)
        case f.PlayerArrived():
            after = flow_time.player_arrived(table, fact)
        case f.LatePointGiven():
            after = flow_time.late_point_given(table, fact)
        case f.FlagFell():
            after = flow_time.flag_fell(table, fact)
        case f.TimeRefilled():
            after = flow_time.time_refilled(table, fact)
        case f.FlagClaimed():
            after = remembered(table, flow_time.flag_claimed(table, fact), fact)
        case f.MatchResigned():
            after = remembered(table, flow.match_resigned(table, fact), fact)
        case f.SessionEnded():
            after = flow.session_ended(table, fact)
        case f.SessionEndUndone():
            after = flow.session_end_undone(table, fact)
        case f.PressPutBack():
            after = remembered(table, flow.press_put_back(table, fact), fact)
        case f.StartSwapped():
            after = remembered(table, flow.start_swapped(table, fact), fact)
        case f.SheetSigned():
            after = flow.sheet_signed(table, fact)
        case f.PowerRestored():
            return flow.power_restored(table if table.chouette is None else flow_chouette.power_restored(table, fact), fact)
        case f.MatchTakenUp():
            return flow_official.match_taken_up(table, fact)
        case f.MatchTakenOver():
            return flow_hall.match_taken_over(table, fact)
        case (
            f.MatchPlaced()
            | f.HallPaused()
            | f.HallPauseLifted()
            | f.MessageShown()
            | f.MessageRead()
            | f.SeatConfirmed()
            | f.RoundStartMoved()
            | f.RefereeOnTheWay()
        ):
            after = flow_hall.ordered(table, fact)
        case f.ChouetteOpened():
            after = flow_hall.kept(table, Table(match=fact.match, chouette=opened(fact)))  # no match is open any more
        case (
            f.ChouetteTied()
            | f.ChouetteDoubleWanted()
            | f.ChouetteBoxDoubled()
            | f.ChouetteAnswered()
            | f.ChouetteGameWon()
            | f.ChouetteJoined()
            | f.ChouetteLeft()
            | f.ChouetteEnded()
            | f.ChouetteClockSet()
            | f.ChouetteUndone()
        ):
            after = flow_chouette.entered(table, fact)
        case f.ChouettePressed() | f.ChouetteClockStopped() | f.ChouetteClockResumed() | f.ChouetteFlagFell():
            after = flow_chouette.clocked(table, fact)
        case _:
            after = evolve_official(table, fact)
    after = flow_official.touched(flow_hall.held(after, fact.at), fact)
    now = Instant(max(table.now, fact.at))
    return after if after.now == now else replace(after, now=now)


def still_counting(table: Table) -> bool:
    """Whether time matters just now: something runs or a limit has not been passed yet (then the heartbeat must beat)."""
    if table.clock is None or table.phase is Phase.SUSPENDED or table.hall.pause is not None:
        return False
    limited = table.stop is not None and not table.stop.alerted
    recess = table.recess is not None and not table.recess.alerted
    return bool(table.clock.running) or limited or recess or table.phase is Phase.LATE
