"""Every fact in words: one sentence each, with the players' names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.domain import facts as f
from kiosk.domain.facts import CheckItem
from kiosk.domain.rulebook import FlagPolicy
from kiosk.domain.types import NS_PER_S, Pair, Side
from kiosk.say import _, n_
from kiosk.words.alerts import alert_words
from kiosk.words.chouette import chouette_words
from kiosk.words.hall import hall_words
from kiosk.words.officials import official_words
from kiosk.words.terms import reason_words, result_words

if TYPE_CHECKING:
    from kiosk.domain.setup import MatchSetup


def minutes(ns: int) -> str:
    """A length of time as m:ss, rounded up."""
    whole = -(-ns // NS_PER_S)
    return f"{whole // 60}:{whole % 60:02d}"


def item_words(setup: MatchSetup, item: CheckItem, names: Pair[str]) -> tuple[str, str]:
    """What is checked: a few words, and a smaller line."""
    return {
        CheckItem.LEFT: (_("{name} is seated", name=names.left), _("left")),
        CheckItem.RIGHT: (_("{name} is seated", name=names.right), _("right")),
        CheckItem.CHECKERS: (_("Checkers"), _("15 each, on the head") if setup.game == "long" else _("15 each, set up right")),
        CheckItem.CLOCK: (_("Clock"), _("both buttons tried, times right")),
        CheckItem.DICE: (_("Dice"), _("whole, and alike")),
        CheckItem.CHOICE: (_("Seat, direction, colour"), _("chosen by one die each")),
    }[item]


def fact_words(fact: f.Fact, names: Pair[str], setup: MatchSetup, language: str) -> str:  # noqa: C901, PLR0912 - one case a fact
    """One fact in words."""
    match fact:
        case f.MatchOpened():
            length = _("free session") if fact.setup.length is None else _("{n}-point match", n=fact.setup.length)
            return _("Opened: {length}, {left} – {right}", length=length, left=names.left, right=names.right)
        case f.SeatsSwapped():
            return _("The seats were swapped: {left} – {right}", left=names.left, right=names.right)
        case f.ItemChecked():
            words = item_words(setup, fact.item, names)[0]
            return words if fact.done else _("Not yet: {item}", item=words)
        case f.GameStarted():
            return _("{name} pressed: the game began", name=names[fact.by])
        case f.TurnEnded():
            return _("{name} pressed", name=names[fact.by])
        case f.TurnNoted():
            return _("Turn {n} of game {game} was written down", n=fact.n, game=fact.game)
        case f.PressIgnored():
            return _("{name} pressed; it had no effect", name=names[fact.side])
        case f.AlertRaised():
            return _("Alert: {words}", words=alert_words(fact.code, fact.side, fact.detail, names))
        case f.ClockStopped():
            return _("Stopped") if fact.reason is None else _("Stopped: {reason}", reason=reason_words(fact.reason))
        case f.StopReasonGiven():
            return _("Reason of the stop: {reason}", reason=reason_words(fact.reason))
        case f.RefereeCalled():
            return _("The referee was called")
        case f.ClockResumed():
            return _("Resumed")
        case f.DoubleOffered():
            return _("{name} doubled early", name=names[fact.by]) if fact.early else _("{name} doubled", name=names[fact.by])
        case f.DoubleTaken():
            return _("{name} took", name=names[fact.by])
        case f.DoublePassed():
            return _("{name} passed", name=names[fact.by])
        case f.AutomaticDouble():
            return _("Tied opening roll: the cube was doubled")
        case f.AutomaticDoubleUndone():
            return _("The automatic double was taken back")
        case f.GameRecorded():
            return _("{name} entered a win: {result}", name=names[fact.winner], result=result_words(setup, fact.kind, fact.cube))
        case f.GameConfirmed():
            by = names[Side(fact.by)] if fact.by in set(Side) else _("The referee")
            return _("{name} confirmed the game", name=by)
        case f.GameDisputed():
            return _("{name} disputed the game", name=names[fact.by])
        case f.RecordUndone():
            return _("The entry was taken back")
        case f.GameCorrected():
            return _(
                "Game {n} corrected: {name}, {result}",
                n=fact.game,
                name=names[fact.winner],
                result=result_words(setup, fact.kind, fact.cube),
            )
        case f.BreakStarted():
            return _("{name} took a break", name=names[fact.by])
        case f.BreakEnded():
            return _("The break ended")
        case f.LateStarted():
            return _("Late start: the time of {names} runs", names=_both(fact.sides, names))
        case f.PlayerArrived():
            return _("{names} arrived", names=_both(fact.sides, names))
        case f.LatePointGiven():
            return _("{name} is late: a penalty point", name=names[fact.side])
        case f.FlagFell():
            return _("{name}'s flag fell", name=names[fact.side])
        case f.TimeRefilled():
            return _refilled(fact, names)
        case f.FlagClaimed():
            return _("The flag was claimed")
        case f.MatchResigned():
            return _("{name} resigned the match", name=names[fact.by])
        case f.SessionEnded():
            return _("The session was ended")
        case f.PressPutBack():
            return _("The clock was put back")
        case f.StartSwapped():
            return _("The start was turned over")
        case f.SheetSigned():
            return _("{name} signed under protest", name=names[fact.side]) if fact.protest else _("{name} signed", name=names[fact.side])
        case f.PowerRestored():
            return power_words(fact)
        case f.MatchTakenUp():
            return _("{name} took the match up here; it came from table {table}", name=fact.name, table=fact.table or "–")
        case f.WallClockTrusted():
            return _("The date was set")
        case f.SessionEndUndone():
            return _("The session goes on")
        case (
            f.MatchPlaced()
            | f.HallPaused()
            | f.HallPauseLifted()
            | f.MessageShown()
            | f.MessageRead()
            | f.SeatConfirmed()
            | f.RoundStartMoved()
            | f.RefereeOnTheWay()
            | f.MatchTakenOver()
        ):
            return hall_words(fact)
        case (
            f.ChouetteOpened()
            | f.ChouetteTied()
            | f.ChouetteDoubleWanted()
            | f.ChouetteBoxDoubled()
            | f.ChouetteAnswered()
            | f.ChouetteGameWon()
            | f.ChouetteJoined()
            | f.ChouetteLeft()
            | f.ChouetteEnded()
            | f.ChouetteClockSet()
            | f.ChouettePressed()
            | f.ChouetteClockStopped()
            | f.ChouetteClockResumed()
            | f.ChouetteFlagFell()
            | f.ChouetteUndone()
        ):
            return chouette_words(fact)
        case _:
            return official_words(fact, names, setup, language)


def _both(sides: tuple[Side, ...], names: Pair[str]) -> str:
    return " & ".join(names[side] for side in sides)


def _refilled(fact: f.TimeRefilled, names: Pair[str]) -> str:
    time = minutes(fact.span)
    if fact.policy is FlagPolicy.OVERTIME:
        return _("{name}'s time was up: {time} overtime", name=names[fact.side], time=time)
    if fact.policy is FlagPolicy.GAME_LOSS:
        return _("{name}'s time was up: the game is lost, {time} given", name=names[fact.side], time=time)
    return _("{name}'s time was up: a penalty point, {time} given", name=names[fact.side], time=time)


def power_words(fact: f.PowerRestored) -> str:
    """How long the table was off, and what is in doubt."""
    off = _("The power was off; nobody knows how long.") if fact.off is None else _("The power was off for {time}.", time=minutes(fact.off))
    if not fact.uncertain:
        return off
    doubt = -(-fact.uncertain // 1_000_000_000)
    return off + " " + n_("At most {n} s is in doubt and is not charged.", "At most {n} s are in doubt and are not charged.", doubt)
