"""A chouette's facts in words, with its players' names."""

from __future__ import annotations

from kiosk.domain import facts as f
from kiosk.domain.facts import Party
from kiosk.say import _
from kiosk.words.terms import kind_words


def signed(points: int) -> str:
    """Points that were won or lost: `+3`, `−2`, `0`."""
    return f"+{points}" if points > 0 else str(points).replace("-", "−")


def chouette_words(fact: f.ChouetteFact) -> str:  # noqa: C901 - one case a fact
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
        case _:
            return _("The last entry was taken back")
