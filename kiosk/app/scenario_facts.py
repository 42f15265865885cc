"""Facts as the scenario words that lead to them: `kiosk.app.scenario` the other way round."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from kiosk.domain import facts as f
from kiosk.domain.rulebook import Kind, Sanction
from kiosk.domain.types import NS_PER_S, SIDES, Side, present
from kiosk.session.advice import same_within_a_minute

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.domain.state import Table
    from kiosk.domain.types import Instant, Pair

Plain = dict[str, Any]


def seconds_of(span: int) -> Decimal:
    """Nanoseconds as seconds, exactly."""
    return Decimal(span) / NS_PER_S


def sides_of(values: Pair[Any]) -> Plain:
    """A value for each side."""
    return {"left": values.left, "right": values.right}


def words_of(table: Table, fact: f.Fact) -> Plain | None:
    """The line (without its time) that leads to a fact, or None where it comes by itself or changes nothing.

    Args:
        table: The table before it.
        fact: What happened: no opening, press, sign-in or power cut, which need more than this to be written.
    """
    match fact:
        case f.GameRuled():
            return {"do": "game", "winner": fact.winner, "kind": _said(table, fact.kind), "cube": fact.cube}
        case f.GameConfirmed():  # an official confirms in the loser's place
            return {"do": "confirm", "by": present(table.awaiting).winner.other}
        case f.RulingMerged():
            return _merged(table, fact)
        case _:
            write = _WORDS.get(type(fact))
            return None if write is None else write(fact)


def is_no_input(fact: f.Fact) -> bool:
    """Whether a fact comes by itself or beside the match; an official who touches nothing is signed out by time alone."""
    return isinstance(fact, (*BY_ITSELF, NOT_PLAYED)) or (isinstance(fact, f.OfficialSignedOut) and fact.idle)


def _said(table: Table, kind: Kind) -> Kind:
    # A disputed pass that an official upholds has no word of its own; it counts as the least that a game can be won by.
    return present(table.setup).kinds[0][0] if kind is Kind.PASS else kind


def _both(sides: tuple[Side, ...]) -> str:
    return "both" if len(sides) == len(SIDES) else sides[0]


def _some(**arguments: Any) -> Plain:
    """A line without what is not said."""
    return {key: value for key, value in arguments.items() if value is not None and value not in ("", ())}


def _called(fact: f.RefereeCalled) -> Plain:
    if fact.by in set(Side):
        return {"do": "call_referee", "by": fact.by}
    return _some(do="stop", reason=f.StopReason.REFEREE, by=fact.by)


def _ruled(fact: f.RulingMade) -> Plain:
    line = {"do": "penalty", "side": _both(fact.sides), "infraction": fact.infraction}
    keep = None if fact.duplicate is None else "keep"
    only = True if fact.sanction is None and fact.suggested is not None else None
    return line | _some(sanction=fact.sanction, kind=fact.kind, note=fact.note, panel=fact.panel, duplicate=keep, record_only=only)


def _merged(table: Table, fact: f.RulingMerged) -> Plain:
    """Whom the second entry named is not kept: one of those by whom the table finds the first one again."""
    first = table.rulings[fact.ruling - 1]
    choices = [(side,) for side in first.sides] if len(first.sides) > 1 else []
    sides = next((s for s in (first.sides, *choices) if _finds(table, s, fact.ruling, first.infraction, fact.at)), first.sides)
    line = {"do": "penalty", "side": _both(sides), "infraction": first.infraction, "sanction": Sanction.REMARK, "duplicate": "merge"}
    return line | _some(note=fact.note)


def _finds(table: Table, sides: tuple[Side, ...], ruling: int, infraction: str, at: Instant) -> bool:
    found = same_within_a_minute(table, sides, infraction, at)
    return found is not None and found.id == ruling


_WORDS: dict[type[f.Fact], Callable[[Any], Plain]] = {
    f.SeatsSwapped: lambda _: {"do": "swap_seats"},
    f.SeatsExchanged: lambda _: {"do": "swap_seats"},
    f.ItemChecked: lambda x: {"do": "check", "item": x.item, "done": x.done},
    f.ClockStopped: lambda x: _some(do="stop", reason=x.reason, by=x.by),
    f.StopReasonGiven: lambda x: _some(do="stop", reason=x.reason, by=x.by),
    f.RefereeCalled: _called,
    f.ClockResumed: lambda _: {"do": "resume"},
    f.DoubleOffered: lambda x: {"do": "double", "by": x.by},
    f.DoubleTaken: lambda x: {"do": "take", "by": x.by},
    f.DoublePassed: lambda x: {"do": "pass", "by": x.by},
    f.AutomaticDouble: lambda _: {"do": "automatic_double"},
    f.AutomaticDoubleUndone: lambda _: {"do": "undo", "of": "play"},
    f.GameRecorded: lambda x: {"do": "game", "winner": x.winner, "kind": x.kind, "cube": x.cube},
    f.GameDisputed: lambda x: {"do": "dispute", "by": x.by},
    f.RecordUndone: lambda _: {"do": "undo", "of": "play"},
    f.GameCorrected: lambda x: _some(do="correct", game=x.game, winner=x.winner, kind=x.kind, cube=x.cube, reason=x.reason),
    f.BreakStarted: lambda x: {"do": "break", "by": x.by},
    f.BreakEnded: lambda x: {"do": "end_break", "by": x.by},
    f.LateStarted: lambda x: {"do": "start_late", "side": _both(x.sides)},
    f.PlayerArrived: lambda x: {"do": "arrive", "side": _both(x.sides)},
    f.FlagClaimed: lambda x: {"do": "claim_flag", "by": x.by},
    f.MatchResigned: lambda x: {"do": "resign_match", "by": x.by},
    f.SessionEnded: lambda _: {"do": "end_session"},
    f.SessionEndUndone: lambda _: {"do": "undo", "of": "play"},
    f.PressPutBack: lambda x: {"do": "press_back", "by": x.by},
    f.StartSwapped: lambda x: {"do": "swap_start", "by": x.by},
    f.SheetSigned: lambda x: {"do": "sign", "side": x.side, "protest": x.protest} | _some(strokes=x.strokes),
    f.OfficialSignedOut: lambda _: {"do": "sign_out"},
    f.RulingMade: _ruled,
    f.RulingVoided: lambda x: {"do": "void", "ruling": x.ruling, "reason": x.reason},
    f.PlayAttached: lambda x: (
        {"do": "attach_play", "ruling": x.ruling, "position": x.position}
        | _some(dice=x.dice, move=x.move, verdict=x.verdict, article=x.article, mover=x.mover)
    ),
    f.TurnNoted: lambda x: {"do": "note_turn", "game": x.game, "n": x.n, "side": x.side, "what": x.what},
    f.AppealLodged: lambda x: {"do": "appeal", "ruling": x.ruling, "by": x.by, "to": x.to},
    f.AppealDecided: lambda x: _some(do="decide_appeal", appeal=x.appeal, outcome=x.outcome, names=x.names),
    f.TimeAdjusted: lambda x: {"do": "adjust", "side": x.side, "seconds": seconds_of(x.span), "reason": x.reason},
    f.ReservesSet: lambda x: {
        "do": "set_reserves",
        "left": seconds_of(x.reserve.left),
        "right": seconds_of(x.reserve.right),
        "reason": x.reason,
    },
    f.ControlChanged: lambda x: {"do": "set_control", "delay_s": seconds_of(x.delay), "method": x.method} | _some(reason=x.reason),
    f.DelayRestarted: lambda _: {"do": "restart_delay"},
    f.NextDelayCancelled: lambda x: {"do": "cancel_next_delay", "side": x.side},
    f.FlagCleared: lambda x: {"do": "clear_flag", "side": x.side, "reason": x.reason},
    f.CubeSet: lambda x: {"do": "set_cube", "value": x.value, "owner": x.owner, "reason": x.reason},
    f.GameRestarted: lambda x: {"do": "restart_game", "reason": x.reason},
    f.StateSet: lambda x: {
        "do": "set_state",
        "score": sides_of(x.score),
        "reserve_s": {"left": seconds_of(x.reserve.left), "right": seconds_of(x.reserve.right)},
        "turn": x.turn,
        "delay_used_s": seconds_of(x.delay_used),
        "cube": x.cube,
        "owner": x.owner,
        "game": x.game,
        "crawford_played": x.crawford_played,
        "breaks": sides_of(x.breaks),
    },
    f.MatchForfeited: lambda x: {"do": "forfeit", "side": _both(x.sides), "reason": x.reason},
    f.MatchSuspended: lambda x: _some(do="suspend", position=x.position, note=x.note),
    f.MatchResumed: lambda _: {"do": "resume_match"},
    f.DiceChanged: lambda x: {"do": "dice_change", "by": x.by},
    f.PermissionGiven: lambda x: (
        {"do": "permit", "side": x.side, "what": x.what} | _some(until_s=None if x.until is None else seconds_of(x.until))
    ),
    f.PermissionEnded: lambda x: {"do": "back", "side": x.side, "what": x.what},
    f.SheetReceived: lambda _: {"do": "receive"},
    f.ActUndone: lambda _: {"do": "undo", "of": "act"},
    f.HallPaused: lambda x: _some(do="pause_hall", by=x.by or None, why=x.why),
    f.HallPauseLifted: lambda x: {"do": "lift_pause", "by": x.by},
    f.MessageShown: lambda x: {"do": "message", "n": x.n, "by": x.by, "text": x.text},
    f.MessageRead: lambda x: {"do": "read_message", "n": x.n},
    f.SeatConfirmed: lambda x: {"do": "confirm_seat", "match": x.match, "version": x.version, "side": x.side, "here": x.here},
    f.RefereeOnTheWay: lambda x: {"do": "referee_coming", "by": x.by},
    f.ChouetteOpened: lambda x: (
        {"do": "chouette_open", "players": x.players}
        | _some(throws=x.throws)
        | {"jacoby": x.jacoby, "automatic": x.automatic, "backgammon_counts": x.backgammon}
    ),
    f.ChouetteTied: lambda _: {"do": "chouette_tie"},
    f.ChouetteDoubleWanted: lambda x: {"do": "chouette_want", "by": x.player, "wants": x.wants},
    f.ChouetteBoxDoubled: lambda _: {"do": "chouette_double"},
    f.ChouetteAnswered: lambda x: {"do": "chouette_answer", "by": x.player, "takes": x.takes},
    f.ChouetteGameWon: lambda x: {"do": "chouette_win", "by": x.winner, "kind": x.kind},
    f.ChouetteJoined: lambda x: {"do": "chouette_join", "player": x.player},
    f.ChouetteLeft: lambda x: {"do": "chouette_leave", "player": x.player},
    f.ChouetteEnded: lambda _: {"do": "chouette_end"},
    f.ChouetteUndone: lambda _: {"do": "chouette_undo"},
    f.ChouetteClockSet: lambda x: {"do": "chouette_clock"} | _some(delay_s=seconds_of(x.delay), reserve_s=seconds_of(x.reserve)),
    f.ChouetteClockStopped: lambda _: {"do": "chouette_stop"},
    f.ChouetteClockResumed: lambda _: {"do": "chouette_resume"},
}
"""What is an input and needs nothing but itself."""

BY_ITSELF = (f.AlertRaised, f.FlagFell, f.ChouetteFlagFell, f.TimeRefilled, f.LatePointGiven)
"""Brought about by time alone, or a remark about the box."""

OTHERWISE = (
    f.MatchOpened,
    f.GameStarted,
    f.TurnEnded,
    f.ChouettePressed,
    f.PressIgnored,
    f.PowerRestored,
    f.MatchTakenUp,
    f.MatchTakenOver,
    f.MatchPlaced,
    f.RoundStartMoved,
    f.WallClockTrusted,
    f.OfficialSignedIn,
    f.SignInFailed,
    f.GameConfirmed,
    f.GameRuled,
    f.RulingMerged,
    f.PaperEntered,
    f.PaperGameEntered,
)
"""Inputs that need more than themselves to be written."""

NOT_PLAYED = f.PinRecovered
"""Happened beside the match."""

WRITTEN = frozenset({*_WORDS, *BY_ITSELF, *OTHERWISE, NOT_PLAYED})
"""Every fact that an export knows; a test checks that these are all."""
