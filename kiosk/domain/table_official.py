"""The officials' half of `evolve`."""

from __future__ import annotations

from typing import assert_never

from kiosk.domain import facts as f
from kiosk.domain import flow_official as fo
from kiosk.domain import flow_ruling as fr
from kiosk.domain import flow_undo as fu
from kiosk.domain.flow_back import REFEREE
from kiosk.domain.state import Table

UNDOABLE = (
    f.TimeAdjusted,
    f.ReservesSet,
    f.ControlChanged,
    f.DelayRestarted,
    f.NextDelayCancelled,
    f.FlagCleared,
    f.CubeSet,
    f.SeatsExchanged,
    f.GameRestarted,
    f.GameRuled,
    f.StateSet,
    f.MatchForfeited,
    f.MatchSuspended,
    f.MatchResumed,
    f.DiceChanged,
    f.PermissionGiven,
    f.PermissionEnded,
    f.SheetReceived,
    f.RulingMade,
    f.RulingVoided,
    f.PlayAttached,
    f.AppealDecided,
)
"""Acts that are remembered, so that the last of them can be undone; beside them what an official does in the players' stead."""


def evolve_official(table: Table, fact: f.OfficialFact) -> Table:
    """The table after an official's fact.

    Args:
        table: The table before.
        fact: What happened; lawful in this state.
    """
    return remembered(table, _after(table, fact), fact)


def remembered(before: Table, after: Table, fact: f.Fact) -> Table:
    """The table after a fact, with an official's act kept for undoing it.

    Args:
        before: The table before.
        after: The table after.
        fact: What happened.
    """
    return fo.acted(before, after, fact) if _is_act(before, fact) else after


def _is_act(table: Table, fact: f.Fact) -> bool:
    match fact:
        case f.GameCorrected():  # by both players, unless an official is signed in
            return table.official is not None
        case f.FlagClaimed() | f.MatchResigned():  # Decision: an end that players brought about by mistake is an official's to take back.
            return True
        case f.GameConfirmed() | f.PressPutBack() | f.StartSwapped():
            return table.official is not None and fact.by == REFEREE
        case _:
            return isinstance(fact, UNDOABLE)


def _after(table: Table, fact: f.OfficialFact) -> Table:  # noqa: C901, PLR0912 - one line per fact
    match fact:
        case f.OfficialSignedIn():
            return fo.signed_in(table, fact)
        case f.OfficialSignedOut():
            return fo.signed_out(table)
        case f.SignInFailed():
            return fo.sign_in_failed(table, fact)
        case f.PinRecovered():
            return table
        case f.RulingMade():
            return fr.ruling_made(table, fact)
        case f.RulingMerged():
            return fr.ruling_merged(table, fact)
        case f.RulingVoided():
            return fr.ruling_voided(table, fact)
        case f.PlayAttached():
            return fr.play_attached(table, fact)
        case f.AppealLodged():
            return fr.appeal_lodged(table, fact)
        case f.AppealDecided():
            return fr.appeal_decided(table, fact)
        case f.TimeAdjusted():
            return fo.time_adjusted(table, fact)
        case f.ReservesSet():
            return fo.reserves_set(table, fact)
        case f.ControlChanged():
            return fo.control_changed(table, fact)
        case f.DelayRestarted():
            return fo.delay_restarted(table, fact)
        case f.NextDelayCancelled():
            return fo.next_delay_cancelled(table, fact)
        case f.FlagCleared():
            return fo.flag_cleared(table, fact)
        case f.CubeSet():
            return fo.cube_set(table, fact)
        case f.SeatsExchanged():
            return fo.seats_exchanged(table)
        case f.GameRestarted():
            return fo.game_restarted(table, fact)
        case f.GameRuled():
            return fo.game_ruled(table, fact)
        case f.StateSet():
            return fo.state_set(table, fact)
        case f.MatchForfeited():
            return fo.match_forfeited(table, fact)
        case f.MatchSuspended():
            return fo.match_suspended(table, fact)
        case f.MatchResumed():
            return fo.match_resumed(table, fact)
        case f.DiceChanged():
            return fo.dice_changed(table, fact)
        case f.PermissionGiven():
            return fo.permission_given(table, fact)
        case f.PermissionEnded():
            return fo.permission_ended(table, fact)
        case f.SheetReceived():
            return fo.sheet_received(table)
        case f.PaperEntered():
            return fo.paper_entered(table, fact)
        case f.PaperGameEntered():
            return fo.paper_game_entered(table, fact)
        case f.ActUndone():
            return fu.act_undone(table, fact)
        case _:
            assert_never(fact)
