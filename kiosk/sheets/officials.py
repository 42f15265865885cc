"""Officials' acts as events of a sheet: what was done, to whom, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk import codec
from kiosk.domain import facts as f

if TYPE_CHECKING:
    from kiosk.domain.types import Side, Span

_BY_SIDE = (f.TimeAdjusted, f.NextDelayCancelled, f.FlagCleared, f.PermissionGiven, f.PermissionEnded)


def official_event(fact: f.Fact) -> tuple[str, Side | None, str] | None:
    """(kind, side, detail) of an official's act; None for what has lines of its own, or is no such act."""
    if not isinstance(fact, f.OfficialFact) or isinstance(fact, f.RulingMade):
        return None
    side = fact.side if isinstance(fact, _BY_SIDE) else _by(fact)
    return codec.name_of(type(fact)), side, _detail(fact)


def _by(fact: f.OfficialFact) -> Side | None:
    return fact.by if isinstance(fact, f.AppealLodged | f.DiceChanged) else None


def _detail(fact: f.OfficialFact) -> str:  # noqa: C901, PLR0912 - one case a kind of act
    match fact:
        case f.OfficialSignedIn() | f.PinRecovered():
            return f"{fact.name}, {fact.role}" if isinstance(fact, f.OfficialSignedIn) else fact.name
        case f.RulingMerged() | f.RulingVoided():
            return f"ruling {fact.ruling}: {fact.reason if isinstance(fact, f.RulingVoided) else fact.note}"
        case f.AppealLodged():
            return f"ruling {fact.ruling}, to the {fact.to}"
        case f.AppealDecided():
            return ", ".join((f"appeal {fact.appeal}: {fact.outcome}", *fact.names))
        case f.TimeAdjusted():
            return f"{_s(fact.span)} s: {fact.reason}"
        case f.ReservesSet():
            return f"{_s(fact.reserve.left)} s, {_s(fact.reserve.right)} s: {fact.reason}"
        case f.ControlChanged():
            return f"{fact.method} {_s(fact.delay)} s: {fact.reason}"
        case f.CubeSet():
            return f"{fact.value}, {fact.owner or 'in the middle'}: {fact.reason}"
        case f.FlagCleared() | f.GameRestarted():
            return fact.reason
        case f.GameRuled():
            return f"{fact.winner}, {fact.kind}, cube {fact.cube}"
        case f.StateSet():
            return f"score {fact.score.left}:{fact.score.right}, {_s(fact.reserve.left)} s, {_s(fact.reserve.right)} s, game {fact.game}"
        case f.MatchForfeited():
            return f"{', '.join(fact.sides)}: {fact.reason}"
        case f.MatchSuspended():
            return ", ".join(part for part in (fact.position, fact.note) if part)
        case f.PermissionGiven() | f.PermissionEnded():
            return fact.what
        case _:
            return ""


def _s(span: Span) -> str:
    return f"{span / 1e9:g}"
