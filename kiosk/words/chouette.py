"""A chouette's facts in words, with its players' names."""

from __future__ import annotations

from kiosk.domain import facts as f
from kiosk.domain.facts import Party
from kiosk.domain.types import NS_PER_S, Span, span_text
from kiosk.say import _
from kiosk.words.terms import kind_words


def signed(points: int) -> str:
    """Points that were won or lost: `+3`, `−2`, `0`."""
    return f"+{points}" if points > 0 else str(points).replace("-", "−")


def chouette_clock_words(delay: Span, reserve: Span) -> str:
    """What the box and the team have each: the reserve of a game, and the delay of a turn.

    Args:
        delay: Nanoseconds.
        reserve: Nanoseconds.
    """
    if not (delay or reserve):
        return _("without clock")
    return _("{time} + {n} s delay", time=span_text(reserve), n=-(-delay // NS_PER_S))


def _party(party: Party) -> str:
    return _("the box") if party is Party.BOX else _("the team")


def chouette_words(fact: f.ChouetteFact) -> str:  # noqa: C901, PLR0912 - one case a fact
    """One fact in words."""
    match fact:
        case f.ChouetteOpened():
            return _("Chouette opened: {names}", names=", ".join(fact.players))
        case f.ChouetteTied():
            return _("Automatic double")
        case f.ChouetteDoubleWanted():
            return _("{name} wants to double", name=fact.player) if fact.wants else _("{name} does not want to double", name=fact.player)
        case f.ChouetteBoxDoubled():
            return _("The box doubled")
        case f.ChouetteAnswered():
            return _("{name} took", name=fact.player) if fact.takes else _("{name} passed", name=fact.player)
        case f.ChouetteGameWon(winner=Party.BOX):
            return _("The box won: {kind}", kind=kind_words(fact.kind))
        case f.ChouetteGameWon():
            return _("The team won: {kind}", kind=kind_words(fact.kind))
        case f.ChouetteJoined():
            return _("{name} joined", name=fact.player)
        case f.ChouetteLeft():
            return _("{name} left", name=fact.player)
        case f.ChouetteEnded():
            return _("The chouette was ended")
        case f.ChouetteClockSet():
            return _("Clock: {time}", time=chouette_clock_words(fact.delay, fact.reserve))
        case f.ChouettePressed():
            return _("Press: {name}", name=_party(fact.party))
        case f.ChouetteClockStopped():
            return _("The clock was stopped")
        case f.ChouetteClockResumed():
            return _("The clock runs on")
        case f.ChouetteFlagFell():
            return _("Time used up: {name}", name=_party(fact.party))
        case _:
            return _("The last entry was taken back")
