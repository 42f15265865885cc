"""Alerts in words: a limit was passed, or the box needs a hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.domain.rulebook import FlagPolicy
from kiosk.say import _, mark

if TYPE_CHECKING:
    from kiosk.domain.types import Pair, Side

ALERTS = {
    "stop_without_reason": mark("The clocks stand without a reason. Give one, or resume."),
    "stop_over_30s": mark("The time allowed for setting up or for the dice is over. Go on, or call the referee."),
    "break_overrun": mark("The break is over its time."),
    "button_held": mark("{name}: take the hand off the button."),
    "press_late": mark("{name}'s press reached the table late; tell the referee."),
    "early_double": mark("{name} doubled in the opponent's turn. The offer is open at his press."),
    "time_refilled": mark("{name}'s time was up; more was given, as the regulation says."),
    "cube_mismatch": mark("The entered cube differs from the one that was turned here."),
    "power_restored": mark("The power was off. Check both times, then resume."),
    "match_taken_over": mark("The match came from another table. Check score, cube and both times, then resume."),
    "order_refused": mark("Refused here: {detail}"),
    "source_dead": mark("The buttons do not work. Call the referee; they are being started again."),
    "source_restarted": mark("The buttons were started again. Try both of them."),
    "edges_lost": mark("A press may have been lost. Check whose clock runs."),
    "level_mismatch": mark("A press may have been missed. Check whose clock runs."),
    "strange_stamps": mark("A button's time stamp was wrong; the time of its arrival was taken."),
    "lamps_failed": mark("The buttons' lamps do not work. The clock goes on; see on the screen whose it is."),
    "sounder_failed": mark("The table cannot be heard. The clock goes on."),
    "stamps_by_arrival": mark("The button box's clock was not known yet; the time of a press's arrival was taken."),
    "button_stuck": mark("A button is down since the start. Let it go, or check it."),
}


def alert_words(code: str, side: Side | None, detail: str, names: Pair[str]) -> str:
    """One alert as a sentence; one that this version does not know is told by its detail."""
    if code not in ALERTS:
        return detail or code
    return _(ALERTS[code], name=_("Somebody") if side is None else names[side], detail=detail)


def refilled_words(policy: FlagPolicy, name: str) -> str:
    """A side's time was up and it got more: what it paid for it."""
    match policy:
        case FlagPolicy.GAME_LOSS:
            return _("{name}'s time was up: the game is lost, and time was given for the next.", name=name)
        case FlagPolicy.PENALTY_POINTS:
            return _("{name}'s time was up: a penalty point for the opponent, and time was given.", name=name)
        case _:
            return _("{name}'s time was up: more was given, this once.", name=name)
