"""The domain's words: reasons, roles, sanctions, kinds of win, clocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.domain.facts import AppealTo, Outcome, Permit, StopReason
from kiosk.domain.officials import Role
from kiosk.domain.rulebook import Kind, Method, Sanction
from kiosk.domain.rulings import Ground
from kiosk.domain.state import Halt
from kiosk.say import _, mark

if TYPE_CHECKING:
    from kiosk.domain.setup import MatchSetup

REASONS = {
    StopReason.SETUP: mark("Setting up"),
    StopReason.DICE: mark("Dice fell"),
    StopReason.REFEREE: mark("Referee"),
    StopReason.FAULT: mark("Fault"),
    Halt.HALL: mark("The hall was paused"),
    Halt.TAKEN: mark("Taken over from another device"),
    Halt.REPLACED: mark("Another device took over"),
    Halt.POWER: mark("The power was off"),
}


def capital(text: str) -> str:
    """Words that stand by themselves: their first letter is a capital. Georgian has none, and keeps its letters."""
    return text[:1].title() + text[1:]


def reason_words(reason: StopReason | Halt) -> str:
    """A stop's reason."""
    return _(REASONS[reason])


ROLES = {
    Role.REFEREE: mark("referee"),
    Role.DEPUTY: mark("deputy"),
    Role.CHIEF: mark("chief referee"),
    Role.ORGANIZER: mark("organizer"),
}


def role_words(role: Role) -> str:
    """An official's role."""
    return _(ROLES[role])


SANCTIONS = {
    Sanction.REMARK: mark("remark"),
    Sanction.WARNING: mark("warning"),
    Sanction.PENALTY_POINT: mark("penalty point"),
    Sanction.GAME_LOSS: mark("game loss"),
    Sanction.MATCH_LOSS: mark("match loss"),
    Sanction.EXPULSION: mark("expulsion"),
}


def sanction_words(sanction: Sanction | None) -> str:
    """A sanction; none is on record only."""
    return _("on record only") if sanction is None else _(SANCTIONS[sanction])


def outcome_words(outcome: Outcome) -> str:
    """How an appeal was decided."""
    if outcome is Outcome.UPHELD:
        return _("the ruling stands")
    return _("the ruling falls") if outcome is Outcome.VOID else sanction_words(Sanction(outcome))


def appeal_to_words(to: AppealTo) -> str:
    """Where an appeal goes."""
    return _("the committee") if to is AppealTo.COMMITTEE else _("the chief referee")


PERMITS = {Permit.DEVICE: mark("use a device"), Permit.LEAVE: mark("leave the hall")}


def permit_words(permit: Permit) -> str:
    """What is permitted."""
    return _(PERMITS[permit])


METHODS = {Method.DELAY: mark("delay"), Method.BRONSTEIN: mark("Bronstein"), Method.FISCHER: mark("Fischer")}


def method_words(method: Method) -> str:
    """A clock's method."""
    return _(METHODS[method])


GROUNDS = {
    Ground.ARTICLE: mark("the article names it"),
    Ground.FIRST_MINOR: mark("the first time, minor"),
    Ground.FIRST_SERIOUS: mark("the first time, serious"),
    Ground.REPEATED_SAME_GAME: mark("again in the same game"),
    Ground.AFFECTS_PLAY: mark("it affected play"),
    Ground.REPEATED_LATER: mark("again in a later game"),
    Ground.ARTICLE_REPEAT: mark("again; the article names it"),
    Ground.RECORDED_ONLY: mark("it is put right, not punished"),
}


def ground_words(ground: Ground) -> str:
    """What a suggestion rests on."""
    return _(GROUNDS[ground])


KINDS = {
    Kind.SINGLE: mark("single"),
    Kind.GAMMON: mark("gammon"),
    Kind.BACKGAMMON: mark("backgammon"),
    Kind.OIN: mark("oin"),
    Kind.MARS: mark("mars"),
    Kind.KOKS: mark("koks"),
    Kind.PASS: mark("pass"),
}


def kind_words(kind: Kind) -> str:
    """How a game was won, in words."""
    return _(KINDS[kind])


def result_words(setup: MatchSetup, kind: Kind, cube: int) -> str:
    """How a game was won, with its cube where there is one."""
    return _("{kind}, cube {n}", kind=kind_words(kind), n=cube) if setup.cube else kind_words(kind)


def infraction_words(setup: MatchSetup | None, code: str, language: str) -> str:
    """An infraction's title in a language."""
    found = None if setup is None else next((one for one in setup.infractions if one.code == code), None)
    return code if found is None else found.title(language)


HOW = {
    "score": mark("{name} wins the match"),
    "flag": mark("{name} wins by the flag"),
    "resignation": mark("{name} wins by resignation"),
    "ruling": mark("{name} wins by a ruling"),
    "forfeit": mark("{name} wins: match forfeited"),
    "double_forfeit": mark("Match forfeited by both"),
    "session": mark("The session is over"),
}


def how_words(how: str, winner: str) -> str:
    """How a match ended, with the winner's name; a ruling may have cost both of them the match."""
    return _("Both lost the match by a ruling") if how == "ruling" and not winner else _(HOW[how], name=winner)
