"""One half of the clock face: whose it is, the reserve, the delay, and what only this player may be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.domain.facts import Permit
from kiosk.domain.rulebook import Method, Sanction
from kiosk.domain.state import Penalty, Phase
from kiosk.domain.types import NS_PER_S, Side, clock_text
from kiosk.say import _, n_
from kiosk.session import commands as c
from kiosk.ui.actions import Do, Explain, Open, Press
from kiosk.ui.draw import Rect
from kiosk.ui.screens.questions import AskClaim
from kiosk.ui.view import ago
from kiosk.words import result_words

if TYPE_CHECKING:
    from kiosk.domain.state import Permission
    from kiosk.ui.draw import Colour
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


FIVE = 2.15
"""How many ems wide `12:47` is: digits have one size, whatever the time, down to where hours need more room."""

WHITE = (255, 255, 255)
RAYS = ((10, 0), (7, 7), (0, 10), (-7, 7), (-10, 0), (-7, -7), (0, -10), (7, -7))
"""Where a lamp's rays point, in tenths."""


def half(page: Page, view: View, side: Side, *, ask: bool) -> None:
    """Draw it.

    Args:
        page: The half's part of the panel, turned towards its player.
        view: What may be known.
        side: Whose it is.
        ask: Whether its lowest line is its own; else the line of both lies there.
    """
    place, t, clock = page.place, page.theme, view.clock
    runs, down = side in clock.running, clock.flagged(side)
    ground, ink = (t.flag, t.flag_ink) if down else (t.run, t.run_ink) if runs else (t.panel, t.ink)
    frame = t.run_frame if runs else t.halt if clock.turn is side else None
    wide = max(4, place.touch // 10)
    shown = page.rect if ask else page.rect.cut_bottom(place.touch + place.gap)[1]  # the joint line lies below; nothing moves
    page.box(shown, ground, place.touch // 5, frame, wide)
    page.control(page.rect, touched(view, side), name=f"half-{side}", area=True)
    inner = page.rect.inset(place.touch // 5, place.touch // 8)
    line, inner = inner.cut_bottom(place.touch, 2)
    if ask:
        _ask(page, line, view, side)
    line_high = place.touch * (6 if place.portrait else 7) // 10
    top, inner = inner.cut_top(place.touch * 11 // 10 if page.turn in {90, 270} else line_high, 0)  # narrow and deep: names in more lines
    if view.lamps is not None:
        lamp, top = top.cut_right(place.em(0.7), 4)
        _lamp(page, lamp, ink, ground, lit=view.lamps[side])
    _name(page, top, view, side, ink, runs=runs)
    foot, digits = inner.cut_bottom(line_high, 2)
    _foot(page, foot, view, side, ink)
    if view.clocked:
        page.digits(digits.inset(0, place.touch // 12), clock_text(clock.reserve[side]), int(digits.w / FIVE), ink)
    else:
        page.text(digits, str(view.shot.score[side]), digits.h, ink, face="bold")


def touched(view: View, side: Side) -> Press | Explain:
    """What a touch on a side's time does: on a simulated table it is its button."""
    if view.simulated:
        return Press(side)
    return Explain(_("The clock is switched with the button beside the screen."))


def out_of(view: View, side: Side) -> Permission | None:
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
    out = out_of(view, side)
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


def _lamp(page: Page, rect: Rect, ink: Colour, ground: Colour, *, lit: bool) -> None:
    """The simulated lamp in the button: a ring; lit, it is filled and has rays."""
    r = page.place.em(0.16)
    x, y = rect.x + rect.w // 2, rect.y + rect.h // 2
    page.disc(x, y, r, ink)
    if not lit:
        page.disc(x, y, r - max(2, r // 4), ground)
        return
    page.disc(x, y, r - max(2, r // 5), WHITE if ground == page.theme.run else page.theme.run)
    for dx, dy in RAYS:
        page.path([(x + r * dx * 13 // 100, y + r * dy * 13 // 100), (x + r * dx * 18 // 100, y + r * dy * 18 // 100)], ink, max(2, r // 5))


def _foot(page: Page, rect: Rect, view: View, side: Side, ink: tuple[int, int, int]) -> None:
    place, t, clock, cube = page.place, page.theme, view.clock, view.shot.cube
    if cube.owner is side:
        tile, rect = rect.cut_right(rect.h, place.gap)
        cube_tile(page, Rect(tile.x, tile.y + (tile.h - tile.w) // 2, tile.w, tile.w).inset(2), view, crossed=False)
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
        page.text(rect, _won(view, side), place.em(0.38), quiet, align="left", lines=2)
        return
    if runs and clock.bare:
        page.text(rect, _("no delay in this turn"), place.em(0.44), ink, align="left")
        return
    if runs and clock.control.method is not Method.FISCHER and clock.control.delay:
        _bar(page, rect, view, side)
        return
    page.text(rect, _resting(view, side), place.em(0.38), quiet, align="left", lines=2)


def _won(view: View, side: Side) -> str:
    """Where no time is told, as in most free sessions: how many games a side has won, and what the last one brought it."""
    games = view.shot.table.games
    if not games:
        return ""
    n, last = sum(game.winner is side for game in games), games[-1]
    words = n_("{n} game won", "{n} games won", n)
    if last.winner is not side:
        return words
    return _("{games} · last: +{points}, {result}", games=words, points=last.points, result=result_words(view.setup, last.kind, last.cube))


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


def cube_tile(page: Page, box: Rect, view: View, *, crossed: bool) -> None:
    """Draw the cube at its value; crossed out in the Crawford game."""
    t, cube = page.theme, view.shot.cube
    wide = max(2, page.place.touch // 24)
    if crossed:
        page.box(box, t.panel, page.place.touch // 12, t.quiet, wide)
        page.path([(box.x + 4, box.y + 4), (box.right - 4, box.bottom - 4)], t.quiet, wide)
        page.path([(box.x + 4, box.bottom - 4), (box.right - 4, box.y + 4)], t.quiet, wide)
        return
    page.box(box, t.cube, page.place.touch // 9)
    page.text(box.inset(3), str(cube.value), page.place.em(0.5), t.cube_ink, face="bold")
