"""Officials' acts in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from kiosk.domain import facts as f
from kiosk.domain.types import NS_PER_S, Pair, clock_text
from kiosk.say import _
from kiosk.words.reasons import reason_told
from kiosk.words.terms import (
    appeal_to_words,
    infraction_words,
    method_words,
    outcome_words,
    permit_words,
    result_words,
    role_words,
    sanction_words,
)

if TYPE_CHECKING:
    from kiosk.domain.setup import MatchSetup
    from kiosk.domain.types import Side


def official_words(fact: f.OfficialFact, names: Pair[str], setup: MatchSetup, language: str) -> str:  # noqa: C901, PLR0912 - one case a fact
    """One act of an official in words."""
    match fact:
        case f.OfficialSignedIn():
            if fact.how is f.SignedInBy.PHONE:
                return _("{name} ({role}), from a phone:", name=fact.name, role=role_words(fact.role))
            return _("{name} signed in ({role})", name=fact.name, role=role_words(fact.role))
        case f.OfficialSignedOut():
            return _("The official was signed out after a minute") if fact.idle else _("The official signed out")
        case f.SignInFailed():
            return _("A wrong PIN or an unknown badge was given")
        case f.PinRecovered():
            return _("{name}'s PIN was set anew on the table itself", name=fact.name)
        case f.RulingMade():
            return _ruling_words(fact, names, setup, language)
        case f.RulingMerged():
            return _("Ruling {n} was entered again and merged", n=fact.ruling)
        case f.RulingVoided():
            return _("Ruling {n} was taken back: {reason}", n=fact.ruling, reason=reason_told(fact.reason))
        case f.PlayAttached():
            return _("A position goes with ruling {n}", n=fact.ruling)
        case f.AppealLodged():
            to = appeal_to_words(fact.to)
            return _("{name} appealed to {to} against ruling {n}", name=names[fact.by], to=to, n=fact.ruling)
        case f.AppealDecided():
            return _("Appeal {n} was decided: {outcome}", n=fact.appeal, outcome=outcome_words(fact.outcome))
        case f.DelayRestarted() | f.NextDelayCancelled() | f.TimeAdjusted() | f.ReservesSet() | f.ControlChanged() | f.FlagCleared():
            return _time_words(fact, names)
        case f.CubeSet():
            owner = _("in the middle") if fact.owner is None else names[fact.owner]
            return _("The cube was set: {n}, {owner}", n=fact.value, owner=owner)
        case f.SeatsExchanged():
            return _("The seats were exchanged: {left} – {right}", left=names.left, right=names.right)
        case f.GameRestarted():
            return _("The game was restarted: {reason}", reason=reason_told(fact.reason))
        case f.GameRuled():
            return _("The referee decided the game for {name}", name=names[fact.winner])
        case f.StateSet():
            return _("The table was set by the referee: {left} – {right}", left=fact.score.left, right=fact.score.right)
        case f.MatchForfeited():
            return _("The match was forfeited by {names}: {reason}", names=_both(fact.sides, names), reason=reason_told(fact.reason))
        case f.MatchSuspended():
            return _("The match was suspended")
        case f.MatchResumed():
            return _("The match was resumed")
        case f.DiceChanged():
            return _("{name} had the dice changed", name=names[fact.by])
        case f.PermissionGiven():
            return _("{name} may: {what}", name=names[fact.side], what=permit_words(fact.what))
        case f.PermissionEnded():
            return _("{name}: no longer {what}", name=names[fact.side], what=permit_words(fact.what))
        case f.SheetReceived():
            return _("The sheet was handed in")
        case f.PaperEntered():
            return _("{name} entered the match from paper: {played}", name=fact.name, played=fact.played or "–")
        case f.PaperGameEntered():
            return _("{name} won on paper: {result}", name=names[fact.winner], result=result_words(setup, fact.kind, fact.cube))
        case f.ActUndone():
            return _("The referee's last act was undone")
        case _:
            assert_never(fact)


def _both(sides: tuple[Side, ...], names: Pair[str]) -> str:
    return " & ".join(names[side] for side in sides)


def _ruling_words(fact: f.RulingMade, names: Pair[str], setup: MatchSetup, language: str) -> str:
    what = _("on record") if fact.sanction is None else sanction_words(fact.sanction)
    return f"{_both(fact.sides, names)}: {infraction_words(setup, fact.infraction, language)}, {what}"


_Time = f.DelayRestarted | f.NextDelayCancelled | f.TimeAdjusted | f.ReservesSet | f.ControlChanged | f.FlagCleared


def _time_words(fact: _Time, names: Pair[str]) -> str:
    match fact:
        case f.DelayRestarted():
            return _("The whole delay was given again")
        case f.NextDelayCancelled():
            return _("{name}'s next delay was cancelled", name=names[fact.side])
        case f.TimeAdjusted():
            sign = "+" if fact.span > 0 else "−"
            return _("{name}'s reserve: {time}", name=names[fact.side], time=_("{n} s", n=f"{sign}{abs(fact.span) // NS_PER_S}"))
        case f.ReservesSet():
            return _("Reserves set: {left} – {right}", left=clock_text(fact.reserve.left), right=clock_text(fact.reserve.right))
        case f.ControlChanged():
            return _("Time control: {method}, {n} s", method=method_words(fact.method), n=fact.delay // NS_PER_S)
        case f.FlagCleared():
            return _("{name}'s flag was taken back: {reason}", name=names[fact.side], reason=reason_told(fact.reason))
        case _:
            assert_never(fact)
