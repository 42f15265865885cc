"""The line that belongs to both halves of the clock face: why the clocks stand, and what comes before the first press."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.domain.facts import StopReason
from kiosk.domain.state import Phase
from kiosk.domain.types import SIDES, Side
from kiosk.say import _
from kiosk.session import commands as c
from kiosk.ui.actions import Do, Explain, Open
from kiosk.ui.draw import Rect
from kiosk.ui.screens.checkin import CheckIn
from kiosk.ui.screens.desk_words import pause_band
from kiosk.ui.screens.official.signin import SignPad
from kiosk.ui.screens.questions import AskCaller, AskClaim, AskLate
from kiosk.ui.view import minutes
from kiosk.words import reason_words

if TYPE_CHECKING:
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


def is_joint(view: View) -> bool:
    """Whether both lines are taken together."""
    return view.pause is not None or view.phase in {Phase.OPENING, Phase.STOPPED, Phase.SUSPENDED, Phase.RECORDING}


def joint_line(page: Page, rect: Rect, view: View) -> None:
    """Draw it: the words, and what can be done now."""
    line = page.part(rect)
    if view.pause is not None:
        pause_band(line, line.rect, view)
        return
    line.control(line.rect, Explain(_("Nothing runs now; the buttons below say what can be done.")), name="line", area=True)
    asked = view.shot.late_prompt  # the round has begun: nobody is to overlook the question
    if asked:
        line.box(line.rect, page.theme.alert, page.place.touch // 8)
    inner = line.rect.inset(page.place.gap, 0)
    words, buttons = _joint_parts(view)
    if page.place.portrait:
        label, rest = inner.cut_top(inner.h - page.place.touch, 0)
    else:
        share = 30 if len(buttons) > 2 else 46 if buttons else 100
        label, rest = inner.cut_left(inner.w * share // 100, page.place.gap)
    size = 0.36 if len(words) < 60 or page.place.portrait else 0.32
    ink = page.theme.alert_ink if asked else page.theme.ink
    line.text(label, words, page.place.em(size), ink, "bold" if asked else "text", "left", lines=3)
    for (text, action, why), cell in zip(buttons, rest.columns(max(1, len(buttons)), page.place.gap), strict=False):
        line.button(cell, text, action, why, size=0.36)


_Button = tuple[str, Do | Open, str | None]


def _joint_parts(view: View) -> tuple[str, list[_Button]]:
    if view.phase is Phase.OPENING:
        return _opening_words(view), _opening_buttons(view)
    if view.phase is Phase.RECORDING:
        call = view.shot.table.call
        if call is not None and call.coming is not None:
            return _("The game is disputed. {name} is on the way.", name=call.coming), []
        return _("The game is disputed; the referee decides."), []
    if view.phase is Phase.SUSPENDED:
        return _("The match is suspended; a referee resumes it."), [_resume_match(view)]
    return _stopped_words(view), _stopped_buttons(view)


def _resume_match(view: View) -> _Button:
    if view.official is None:
        return _("Referee: sign in"), Open(SignPad()), None
    command = c.ResumeMatch()
    return _("Resume the match"), Do(command, _("The match goes on; the clocks stand.")), view.why_not(command)


def _opening_words(view: View) -> str:
    table = view.shot.table
    if view.shot.late_prompt:
        return _("The round has begun. Is somebody missing?")
    if table.late.lost_choice and view.before_game_one:
        side = table.late.lost_choice[0]
        return _("{name} came late: the opponent chooses seat, direction and colour.", name=view.name(side))
    if table.stop is not None and view.shot.at >= table.stop.since:
        left = view.setup.stops.allowed - (view.shot.at - table.stop.since)
        if left > 0:
            return _("Set up: {time}. Then the lower roller presses.", time=minutes(left))
    return _("Roll. The lower roller presses: the other clock starts.")


def _opening_buttons(view: View) -> list[_Button]:
    buttons: list[_Button] = []
    if view.setup.automatic_doubles and view.setup.cube:
        double = c.AutomaticDoubling()
        if view.shot.cube.automatic:
            buttons.append((_("Undo the tie"), Do(c.Undo("play"), _("The automatic double was taken back.")), view.why_not(c.Undo("play"))))
        else:
            buttons.append(
                (_("Tied roll: double"), Do(double, _("The cube stands at {n}.", n=view.shot.cube.value * 2)), view.why_not(double))
            )
    if view.before_game_one:
        buttons.append((_("Check-in"), Open(CheckIn()), None))
        buttons.append((_("Somebody is late"), Open(AskLate()), view.why_none(*(c.StartLate((side,)) for side in SIDES))))
    return buttons


_REASONS = (StopReason.SETUP, StopReason.DICE, StopReason.FAULT)


def _stopped_words(view: View) -> str:
    stop = view.shot.table.stop
    if view.shot.cube.open_offer:
        return _("Stopped. A double waits for its answer.")
    if view.shot.table.referee_called:
        if view.official is not None:
            return _("Stopped. The referee is here.")
        if view.shot.table.call is not None and view.shot.table.call.coming is not None:
            return _("Stopped. {name} is on the way.", name=view.shot.table.call.coming)
        return _("Stopped. The referee has been called.")
    if stop is None or stop.reason is None:
        return _("Stopped. Why?")
    left = view.setup.stops.allowed - (view.shot.at - stop.since)
    if stop.reason in {StopReason.SETUP, StopReason.DICE} and left > 0:
        return _("Stopped: {reason}, {time} left", reason=reason_words(stop.reason), time=minutes(left))
    return _("Stopped: {reason}", reason=reason_words(stop.reason))


def _who_called(view: View) -> bool:
    """Whether it is still to be said; the first touch called at once, whoever's it was."""
    call = view.shot.table.call
    return view.official is None and view.shot.table.referee_called and call is not None and call.by is None


def _stopped_buttons(view: View) -> list[_Button]:
    stop, cube = view.shot.table.stop, view.shot.cube
    buttons: list[_Button] = []
    if cube.open_offer and cube.offered_by is not None:
        answer = c.Pass(cube.offered_by.other)
        buttons.append((_("{name} passes", name=view.name(cube.offered_by.other)), Do(answer), view.why_not(answer)))
    elif stop is not None and stop.reason is None:
        for reason in _REASONS:
            command = c.StopClock(None, reason)
            buttons.append((reason_words(reason), Do(command), view.why_not(command)))
    elif _who_called(view):
        buttons.append((_("Who called?"), Open(AskCaller()), None))
    turn = view.clock.turn
    if view.clock.flags:
        buttons.append((_("Claim the flag"), Open(AskClaim(None)), view.why_not(c.ClaimFlag(turn or Side.LEFT))))
    if turn is not None and view.first_turn:
        buttons.append((_("Wrong clock"), Do(c.SwapStart(turn), _("The start was turned over.")), view.why_not(c.SwapStart(turn))))
    elif turn is not None:
        buttons.append((_("Put back"), Do(c.PressBack(turn), _("The clock was put back.")), view.why_not(c.PressBack(turn))))
    return buttons
