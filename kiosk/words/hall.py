"""What the hall's desk brings about, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from kiosk.domain import facts as f
from kiosk.say import _, n_

if TYPE_CHECKING:
    from kiosk.domain.facts import HallFact


def hall_words(fact: HallFact) -> str:
    """One order of the desk, or a match that came from elsewhere, in words."""
    match fact:
        case f.MatchPlaced():
            return placed_words(fact.event, fact.round, fact.table, practice=fact.practice)
        case f.HallPaused():
            return paused_words(fact)
        case f.HallPauseLifted():
            return _("{by} lifted the pause of the hall", by=fact.by)
        case f.MessageShown():
            return _("Message from {by}: {text}", by=fact.by, text=" ".join(fact.text.split()))
        case f.MessageRead():
            return _("The message was read")
        case f.SeatConfirmed():
            return _("A player has confirmed the next match") if fact.here else _("A player has not confirmed the next match yet")
        case f.RoundStartMoved():
            return _("{by} moved the start of the round", by=fact.by)
        case f.RefereeOnTheWay():
            return _("{by} is on the way", by=fact.by)
        case f.MatchTakenOver():
            return taken_over_words(fact)
        case _:
            assert_never(fact)


def paused_words(fact: f.HallPaused) -> str:
    """Who paused the hall, and why; or that this table stopped because another device goes on with its match."""
    why = " ".join(fact.why.split())
    return _("{by} paused the hall: {why}", by=fact.by, why=why) if fact.by else _("The clocks were stopped here: {why}", why=why)


def placed_words(event: str, round_: str, table: str, *, practice: bool) -> str:
    """Where a match belongs, on one line."""
    parts = [event, _("round {round}", round=round_) if round_ else "", _("table {table}", table=table) if table else ""]
    return " · ".join([part for part in parts if part] + ([_("practice")] if practice else []))


def taken_over_words(fact: f.MatchTakenOver) -> str:
    """Who took the match over, and what is in doubt."""
    taken = _("{name} took the running match over here; it came from table {table}.", name=fact.name, table=fact.table or "–")
    if fact.uncertain is None:
        return taken + " " + _("How long its clock ran on there is not known; nothing of that is charged.")
    if not fact.uncertain:
        return taken
    doubt = -(-fact.uncertain // 1_000_000_000)
    return taken + " " + n_("At most {n} s is in doubt and is not charged.", "At most {n} s are in doubt and are not charged.", doubt)
