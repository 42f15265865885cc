"""The clock face: both reserves, who runs, the delay, cube and score, and five actions that never change places.

The layout is the same in every phase, so that no digit jumps when a game begins: a header, the two halves, in each half a line for
what its player may be asked, and the actions. What concerns both (why the clocks stand, what comes before the first press) takes
both lines together.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from kiosk.domain.facts import Permit, StopReason
from kiosk.domain.rulebook import Method, Sanction
from kiosk.domain.state import CUBE_LIMIT, Penalty, Phase
from kiosk.domain.types import NS_PER_S, SIDES, Side, clock_text
from kiosk.session import commands as c
from kiosk.ui.actions import Do, Explain, Open, Press
from kiosk.ui.changes import next_second
from kiosk.ui.draw import Rect
from kiosk.ui.say import _, n_
from kiosk.ui.screens.base import Screen, chip, told, trouble_chip
from kiosk.ui.screens.checkin import CheckIn
from kiosk.ui.screens.history import History
from kiosk.ui.screens.menu import Menu
from kiosk.ui.screens.official.entry import referee_button, referee_changes
from kiosk.ui.screens.official.signin import SignPad
from kiosk.ui.screens.questions import AskBreak, AskClaim, AskDouble, AskLate
from kiosk.ui.screens.record import Record
from kiosk.ui.screens.status import troubles, what_is_played
from kiosk.ui.screens.words import reason_words
from kiosk.ui.view import ago, minutes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.domain.state import Permission
    from kiosk.ui.draw import Turn
    from kiosk.ui.page import Page
    from kiosk.ui.view import View

FIVE = 2.15
"""How many ems wide `12:47` is: digits have one size, whatever the time, down to where hours need more room."""


@dataclass(frozen=True, slots=True)
class Face(Screen):
    """The clock face."""

    def draw(self, page: Page, view: View) -> None:
        """Draw the face."""
        place, gap = page.place, page.place.gap
        page.box(page.rect, page.theme.ground)
        body = page.rect.inset(gap, gap // 2)
        top, body = body.cut_top(place.touch, gap)
        _header(page, top, view)
        bottom, body = body.cut_bottom(place.touch, gap)
        _actions(page, bottom, view)
        joint = _joint(view)
        apart = place.portrait or view.prefs.facing
        if apart:
            strip, body = body.cut_bottom(place.touch * (16 if place.portrait else 10) // 10, gap)
            if joint:
                _joint_line(page, strip, view)
        halves = body.rows(2, gap) if place.portrait else body.columns(2, gap)
        for side, rect in zip(SIDES, halves, strict=True):
            _half(page.part(rect, _turn(view, side)), view, side, ask=not joint or apart)
        if joint and not apart:
            _joint_line(page, body.cut_bottom(place.touch)[0], view)

    def changes(self, view: View) -> Iterator[int]:
        """The referee's button, and how long somebody has been out."""
        yield from referee_changes(view)
        yield from (next_second(out.at, view.shot.at) for out in map(partial(_out, view), SIDES) if out is not None)


def _turn(view: View, side: Side) -> Turn:
    if not view.prefs.facing:
        return 0
    if view.place.portrait:
        return 180 if side is Side.LEFT else 0
    return 90 if side is Side.LEFT else 270


# ── Header ───────────────────────────────────────────────────────────────────
def _header(page: Page, rect: Rect, view: View) -> None:
    if view.told is not None:
        told(page, trouble_chip(page, rect, view), view)
        return
    place, t = page.place, page.theme
    left, rest = rect.cut_left(place.touch, place.gap)
    page.button(left, "", Open(Menu()), sign="menu", kind="plain")
    middle_w = rest.w * (38 if place.portrait else 28) // 100
    x = rect.x + (rect.w - middle_w) // 2 if not place.portrait else rest.x + rest.w * 26 // 100
    middle = Rect(x, rect.y, middle_w, rect.h)
    page.box(middle, t.panel, place.touch // 8)
    _score(page, middle, view)
    page.control(middle, Open(History()), name="score", area=True)
    where = Rect(rest.x, rect.y, middle.x - rest.x - place.gap, rect.h)
    page.text(where, _("Table {name}", name=view.table_name) if view.table_name else "", place.em(0.36), t.quiet, align="left", lines=2)
    status = Rect(middle.right + place.gap, rect.y, rect.right - middle.right - place.gap, rect.h)
    _status(page, status, view)


def _score(page: Page, rect: Rect, view: View) -> None:
    cube = view.shot.cube
    if view.shot.is_crawford_game or (view.shot.cube_in_play and cube.owner is None):
        tile, rect = rect.cut_right(page.place.touch, 0)
        side = page.place.touch * 6 // 10
        box = Rect(tile.x + (tile.w - side) // 2, tile.y + (tile.h - side) // 2, side, side)
        _cube(page, box, view, crossed=view.shot.is_crawford_game)
    page.text(rect.inset(4), view.score, page.place.em(0.72), page.theme.ink, face="bold")


def _cube(page: Page, box: Rect, view: View, *, crossed: bool) -> None:
    t, cube = page.theme, view.shot.cube
    wide = max(2, page.place.touch // 24)
    if crossed:
        page.box(box, t.panel, page.place.touch // 12, t.quiet, wide)
        page.path([(box.x + 4, box.y + 4), (box.right - 4, box.bottom - 4)], t.quiet, wide)
        page.path([(box.x + 4, box.bottom - 4), (box.right - 4, box.y + 4)], t.quiet, wide)
        return
    page.box(box, t.cube, page.place.touch // 9)
    page.text(box.inset(3), str(cube.value), page.place.em(0.5), t.cube_ink, face="bold")


def _status(page: Page, rect: Rect, view: View) -> None:
    """What is not right, else what is played: words, never a coloured dot alone."""
    if troubles(view):
        chip(page, rect, view)
        return
    page.text(rect, what_is_played(view), page.place.em(0.36), page.theme.quiet, align="right", lines=3)


# ── A half ───────────────────────────────────────────────────────────────────
def _half(page: Page, view: View, side: Side, *, ask: bool) -> None:
    place, t, clock = page.place, page.theme, view.clock
    runs, down = side in clock.running, clock.flagged(side)
    ground, ink = (t.flag, t.flag_ink) if down else (t.run, t.run_ink) if runs else (t.panel, t.ink)
    frame = t.run_frame if runs else t.halt if clock.turn is side else None
    wide = max(4, place.touch // 10)
    shown = page.rect if ask else page.rect.cut_bottom(place.touch + place.gap)[1]  # the joint line lies below; nothing moves
    page.box(shown, ground, place.touch // 5, frame, wide)
    page.control(page.rect, _touched(view, side), name=f"half-{side}", area=True)
    inner = page.rect.inset(place.touch // 5, place.touch // 8)
    line, inner = inner.cut_bottom(place.touch, 2)
    if ask:
        _ask(page, line, view, side)
    line_high = place.touch * (6 if place.portrait else 7) // 10
    top, inner = inner.cut_top(place.touch * 11 // 10 if page.turn in {90, 270} else line_high, 0)  # narrow and deep: names in more lines
    _name(page, top, view, side, ink, runs=runs)
    foot, digits = inner.cut_bottom(line_high, 2)
    _foot(page, foot, view, side, ink)
    if view.clocked:
        page.digits(digits.inset(0, place.touch // 12), clock_text(clock.reserve[side]), int(digits.w / FIVE), ink)
    else:
        page.text(digits, str(view.shot.score[side]), digits.h, ink, face="bold")


def _touched(view: View, side: Side) -> Press | Explain:
    if view.simulated:
        return Press(side)
    return Explain(_("The clock is switched with the button beside the screen."))


def _out(view: View, side: Side) -> Permission | None:
    """A side's permission to be out of the hall, while it is used."""
    return next((one for one in view.shot.table.permissions if (one.side, one.what) == (side, Permit.LEAVE)), None)


def _name(page: Page, rect: Rect, view: View, side: Side, ink: tuple[int, int, int], *, runs: bool) -> None:
    place = page.place
    table = view.shot.table
    points = sum(e.points for e in table.ledger if isinstance(e, Penalty) and e.side is side and not e.void)
    points += sum(side in r.sides and not r.void and r.sanction not in {None, Sanction.PENALTY_POINT} for r in table.rulings)
    if points:
        mark, rect = rect.cut_left(place.em(0.9), 4)
        colour = page.theme.penalty if not runs and not view.clock.flagged(side) else ink
        page.disc(mark.x + place.em(0.18), mark.y + mark.h // 2, place.em(0.15), colour)
        page.text(
            Rect(mark.x + place.em(0.4), mark.y, mark.w - place.em(0.4), mark.h),
            str(points),
            place.em(0.42),
            ink,
            face="bold",
            align="left",
        )
    if place.portrait or view.prefs.facing:
        own, rect = rect.cut_right(place.em(0.7), 4)
        page.text(own, str(view.shot.score[side]), place.em(0.6), ink, face="bold", align="right")
    out = _out(view, side)
    if out is not None:
        room = 32 if page.turn in {0, 180} else 28
        words, rect = rect.cut_right(rect.w * room // 100, place.gap)
        page.text(words, _("out {time}", time=ago(out.at, view.shot.at)), place.em(0.36), ink, align="right", lines=2)
    if runs:
        r = place.em(0.14)
        mark, rect = rect.cut_left(place.em(0.4), 2)
        y = mark.y + mark.h // 2
        page.path([(mark.x, y - r), (mark.x + 2 * r, y), (mark.x, y + r)], ink)
    page.text(rect, "\n".join(view.players[side]), place.em(0.5), ink, lines=4 if page.turn in {90, 270} else 2)


def _foot(page: Page, rect: Rect, view: View, side: Side, ink: tuple[int, int, int]) -> None:
    place, t, clock, cube = page.place, page.theme, view.clock, view.shot.cube
    if cube.owner is side:
        tile, rect = rect.cut_right(rect.h, place.gap)
        _cube(page, Rect(tile.x, tile.y + (tile.h - tile.w) // 2, tile.w, tile.w).inset(2), view, crossed=False)
    runs = side in clock.running
    quiet = ink if runs or clock.flagged(side) else t.quiet
    if clock.flagged(side):
        first = clock.flags[0].side is side and len(clock.flags) > 1
        words = (
            _("Flag · first · +{time}", time=clock_text(clock.overrun[side]))
            if first
            else _("Flag · +{time}", time=clock_text(clock.overrun[side]))
        )
        page.text(rect, words, place.em(0.44), ink, face="bold", align="left")
        return
    if not clock.control.clocked:
        return
    if runs and clock.bare:
        page.text(rect, _("no delay in this turn"), place.em(0.44), ink, align="left")
        return
    if runs and clock.control.method is not Method.FISCHER and clock.control.delay:
        _bar(page, rect, view, side)
        return
    page.text(rect, _resting(view, side), place.em(0.38), quiet, align="left", lines=2)


def _resting(view: View, side: Side) -> str:
    control = view.clock.control
    seconds = -(-control.delay // NS_PER_S)
    if control.method is Method.FISCHER:
        return _("+{n} s each turn", n=seconds)
    if not control.delay:
        return _("no delay")
    if view.clock.no_delay[side]:
        return _("no delay in the next turn")
    if view.clock.turn is side and not view.clock.running:
        return _("delay {n} s left", n=-(-view.clock.delay_left(side) // NS_PER_S))
    return _("delay {n} s", n=seconds)


def bar_length(place_w: int) -> int:
    """How many steps the delay bar has on its way."""
    return max(20, place_w)


def _bar(page: Page, rect: Rect, view: View, side: Side) -> None:
    """The delay: the seconds, and a bar that shrinks beside them; the number is far from the cube's."""
    place, t, clock = page.place, page.theme, view.clock
    number, rect = rect.cut_left(place.em(0.95), place.gap)
    left = clock.delay_left(side)
    page.digits(number, str(-(-left // NS_PER_S)), place.em(0.78), t.run_ink, align="left")
    track = Rect(rect.x, rect.y + rect.h // 5, rect.w, rect.h * 3 // 5)
    page.box(track, t.run_track, place.touch // 10)
    width = -(-track.w * left // max(1, clock.control.delay))
    if width:
        page.box(Rect(track.x, track.y, max(width, place.touch // 5), track.h), t.run_ink, place.touch // 10)


# ── What is asked ────────────────────────────────────────────────────────────
def _ask(page: Page, rect: Rect, view: View, side: Side) -> None:
    """The line of one side: what only this player may be asked now."""
    place, shot = page.place, view.shot
    offer = shot.cube.offered_by
    if offer is not None and shot.cube.open_offer and view.phase is Phase.PLAYING:
        _ask_offer(page, rect, view, side, offer)
    elif view.phase is Phase.LATE:
        _ask_late(page, rect, view, side)
    elif view.clock.flagged(side.other) and view.in_match:
        page.button(rect, _("Claim the flag"), Open(AskClaim(side)), view.why_not(c.ClaimFlag(side)), sign="flag")
    elif view.phase is Phase.PLAYING and view.clock.turn is side:
        if view.first_turn:
            page.button(
                rect,
                _("Wrong clock started"),
                Do(c.SwapStart(side), _("The start was turned over.")),
                view.why_not(c.SwapStart(side)),
                size=0.36,
            )
        else:
            undo = Do(c.PressBack(side), _("The clock was put back."))
            page.button(rect, _("Put the clock back"), undo, view.why_not(c.PressBack(side)), size=0.36)
    elif offer is side:
        page.text(
            rect,
            _("Offers {n}; it is open at the opponent's press", n=shot.cube.value * 2),
            place.em(0.36),
            _ink(page, view, side),
            lines=2,
        )
    elif view.simulated and view.phase in {Phase.PLAYING, Phase.OPENING}:
        page.text(rect, _("Key {key} is this button", key="A" if side is Side.LEFT else "L"), place.em(0.32), _quiet(page, view, side))


def _ink(page: Page, view: View, side: Side) -> tuple[int, int, int]:
    t = page.theme
    return t.flag_ink if view.clock.flagged(side) else t.run_ink if side in view.clock.running else t.ink


def _quiet(page: Page, view: View, side: Side) -> tuple[int, int, int]:
    plain = side not in view.clock.running and not view.clock.flagged(side)
    return page.theme.quiet if plain else _ink(page, view, side)


def _ask_offer(page: Page, rect: Rect, view: View, side: Side, offer: Side) -> None:
    value = view.shot.cube.value
    if offer is side:
        page.text(rect, _("Offers {n}", n=value * 2), page.place.em(0.5), _ink(page, view, side), face="bold")
        return
    take, refuse = rect.columns(2, page.place.gap)
    page.button(take, _("Take · {n}", n=value * 2), Do(c.Take(side)), view.why_not(c.Take(side)), kind="go")
    page.button(refuse, _("Pass"), Do(c.Pass(side)), view.why_not(c.Pass(side)))


def _ask_late(page: Page, rect: Rect, view: View, side: Side) -> None:
    if view.clock.flags:
        other = view.clock.flagged(side.other)
        if other and side not in view.shot.table.late.absent:
            page.button(rect, _("Claim the match"), Open(AskClaim(side)), view.why_not(c.ClaimFlag(side)), sign="flag")
            return
        if len(view.clock.flags) == 2:
            page.button(rect, _("Claim"), Open(AskClaim(side)), view.why_not(c.ClaimFlag(side)), sign="flag")
            return
    if side in view.shot.table.late.absent:
        page.button(rect, _("Arrived"), Do(c.Arrive((side,)), _("Arrival noted.")), view.why_not(c.Arrive((side,))), kind="go")
    else:
        page.text(rect, _("is here"), page.place.em(0.38), _quiet(page, view, side))


def _joint(view: View) -> bool:
    """Whether both lines are taken together."""
    return view.phase in {Phase.OPENING, Phase.STOPPED, Phase.SUSPENDED, Phase.RECORDING}


def _joint_line(page: Page, rect: Rect, view: View) -> None:
    line = page.part(rect)
    line.control(line.rect, Explain(_("Nothing runs now; the buttons below say what can be done.")), name="line", area=True)
    inner = line.rect.inset(page.place.gap, 0)
    words, buttons = _joint_parts(view)
    if page.place.portrait:
        label, rest = inner.cut_top(inner.h - page.place.touch, 0)
    else:
        share = 30 if len(buttons) > 2 else 46 if buttons else 100
        label, rest = inner.cut_left(inner.w * share // 100, page.place.gap)
    size = 0.36 if len(words) < 60 or page.place.portrait else 0.32
    line.text(label, words, page.place.em(size), page.theme.ink, align="left", lines=3)
    for (text, action, why), cell in zip(buttons, rest.columns(max(1, len(buttons)), page.place.gap), strict=False):
        line.button(cell, text, action, why, size=0.36)


_Button = tuple[str, Do | Open, str | None]


def _joint_parts(view: View) -> tuple[str, list[_Button]]:
    if view.phase is Phase.OPENING:
        return _opening_words(view), _opening_buttons(view)
    if view.phase is Phase.RECORDING:
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
            buttons.append((_("Undo the tie"), Do(c.Undo(), _("The automatic double was taken back.")), view.why_not(c.Undo())))
        else:
            buttons.append(
                (_("Tied roll: double"), Do(double, _("The cube stands at {n}.", n=view.shot.cube.value * 2)), view.why_not(double))
            )
    if view.before_game_one:
        buttons.append((_("Check-in"), Open(CheckIn()), None))
        buttons.append((_("Somebody is late"), Open(AskLate()), _late_why(view)))
    return buttons


def _late_why(view: View) -> str | None:
    whys = [view.why_not(c.StartLate((side,))) for side in SIDES]
    return None if None in whys else whys[0]


_REASONS = (StopReason.SETUP, StopReason.DICE, StopReason.FAULT)


def _stopped_words(view: View) -> str:
    stop = view.shot.table.stop
    if view.shot.cube.open_offer:
        return _("Stopped. A double waits for its answer.")
    if view.shot.table.referee_called:
        return _("Stopped. The referee has been called.")
    if stop is None or stop.reason is None:
        return _("Stopped. Why?")
    left = view.setup.stops.allowed - (view.shot.at - stop.since)
    if stop.reason in {StopReason.SETUP, StopReason.DICE} and left > 0:
        return _("Stopped: {reason}, {time} left", reason=reason_words(stop.reason), time=minutes(left))
    return _("Stopped: {reason}", reason=reason_words(stop.reason))


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
    turn = view.clock.turn
    if view.clock.flags:
        buttons.append((_("Claim the flag"), Open(AskClaim(None)), view.why_not(c.ClaimFlag(turn or Side.LEFT))))
    if turn is not None and view.first_turn:
        buttons.append((_("Wrong clock"), Do(c.SwapStart(turn), _("The start was turned over.")), view.why_not(c.SwapStart(turn))))
    elif turn is not None:
        buttons.append((_("Put back"), Do(c.PressBack(turn), _("The clock was put back.")), view.why_not(c.PressBack(turn))))
    return buttons


# ── The five actions ─────────────────────────────────────────────────────────
def _actions(page: Page, rect: Rect, view: View) -> None:
    stop, over, double, rest, referee = rect.columns(5, page.place.gap)
    if view.phase is Phase.STOPPED:
        page.button(stop, _("Resume"), Do(c.Resume()), view.why_not(c.Resume()), kind="go")
    else:
        page.button(stop, _("Stop"), Do(c.StopClock(None, None)), view.why_not(c.StopClock(None, None)), urgent=True)
    page.button(over, _("Game over"), Open(Record()), _record_why(view), size=0.4)
    page.button(double, _double_label(view), Open(AskDouble(view.clock.switched_at)), _double_why(view), size=0.4)
    page.button(rest, _break_label(view), Open(AskBreak()), _break_why(view), size=0.4)
    referee_button(page, referee, view)


def _record_why(view: View) -> str | None:
    kind = view.setup.kinds[0][0]
    return view.why_not(c.RecordGame(Side.LEFT, kind, None))


def _double_label(view: View) -> str:
    value = view.shot.cube.value
    return _("Double") if value == 1 or value >= CUBE_LIMIT or not view.shot.cube_in_play else _("Redouble")


def _double_why(view: View) -> str | None:
    turn = view.clock.turn or Side.LEFT
    whys = [view.why_not(c.Double(side)) for side in (turn, turn.other)]
    return None if None in whys else whys[0]


def _break_label(view: View) -> str:
    if not view.setup.breaks:
        return _("Break")
    left = [view.setup.breaks - view.shot.table.breaks_taken[side] for side in SIDES]
    if left[0] == left[1]:
        return n_("Break · {n} left", "Break · {n} left", left[0])
    return _("Break · {left} – {right} left", left=left[0], right=left[1])


def _break_why(view: View) -> str | None:
    whys = [view.why_not(c.TakeBreak(side)) for side in SIDES]
    return None if None in whys else whys[0]
