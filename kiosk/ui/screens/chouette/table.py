"""The running chouette: who is in the box, who is captain, the team in its order, the cube, everybody's points, and what is asked of whom.

Nothing changes its place in a game: the box at the left (above, on a panel that stands upright), the team beside it, five actions below.
While the cube is offered, each who is asked has his two buttons in his own tile, and nobody else has any.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain.facts import Party
from kiosk.domain.flow_chouette import begun
from kiosk.domain.rulebook import Kind
from kiosk.domain.types import SIDES, clock_text
from kiosk.say import _
from kiosk.session import commands as c
from kiosk.ui.actions import Do, Open, SaveSheet
from kiosk.ui.screens.base import Screen, small_clock, small_half, title_line
from kiosk.ui.screens.chouette.cells import (
    Ask,
    asked_cell,
    chouette_of,
    cube_box,
    game_words,
    grid,
    places_words,
    player_cell,
)
from kiosk.ui.screens.chouette.clock import clock_now
from kiosk.ui.screens.chouette.games import ChouetteGames
from kiosk.ui.screens.chouette.more import ChouetteMore
from kiosk.ui.screens.chouette.result import ChouetteResult
from kiosk.ui.screens.chouette.start import ChouetteStart
from kiosk.ui.screens.chouette.team_double import TeamDouble
from kiosk.ui.screens.half import touched
from kiosk.ui.screens.menu import Menu
from kiosk.ui.screens.start import Start
from kiosk.words import chouette_words, signed

if TYPE_CHECKING:
    from kiosk.domain.chouette import Chouette
    from kiosk.ui.draw import Rect
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


LONGEST_IN_TITLE = 24
"""Characters of a name."""


@dataclass(frozen=True, slots=True)
class ChouetteTable(Screen):
    """The running table."""

    def draw(self, page: Page, view: View) -> None:
        """Draw it."""
        place, gap, chouette = page.place, page.place.gap, chouette_of(view)
        page.box(page.rect, page.theme.ground)
        body = page.rect.inset(gap, gap // 2)
        top, body = body.cut_top(place.touch, gap)
        _header(page, top, view)
        bottom, body = body.cut_bottom(place.touch, gap)
        (_after if chouette.ended else _actions)(page, bottom, view)
        waits = view.has_clock and chouette.offered is not None
        if waits and place.portrait:  # on a wide panel its times stand in the header: each who is asked needs the room
            strip, body = body.cut_top(place.touch // 2, gap // 2)
            small_clock(page.part(strip), view)
        if view.has_clock and not waits:
            strip, body = body.cut_top(place.touch * 2 + gap if place.portrait else place.touch, gap)
            _clock(page, strip, view)
        if _between_games(view):
            strip, body = body.cut_top(place.touch, gap)
            _between(page, strip, view)
        high = 12 if chouette.offered is Party.BOX else 18  # percent
        box, team = body.cut_top(body.h * high // 100, gap) if place.portrait else body.cut_left(body.w * 26 // 100, gap)
        _box(page, box, view)
        for n, (name, cell) in enumerate(zip(chouette.team, grid(page, team, len(chouette.team)), strict=False)):
            _member(page, cell, view, name, n)


def _header(page: Page, rect: Rect, view: View) -> None:
    chouette = chouette_of(view)
    menu, rest = rect.cut_left(page.place.touch, page.place.gap)
    page.button(menu, "", Open(Menu()), sign="menu")
    cube, rest = rest.cut_right(page.place.touch, page.place.gap)
    cube_box(page, cube, chouette.stake.value)
    if view.has_clock and chouette.offered is not None and not page.place.portrait:
        times, rest = rest.cut_right(rest.w * 32 // 100, page.place.gap)
        for side, time in zip(SIDES, times.columns(2, page.place.gap), strict=True):
            page.box(time, page.theme.panel, page.place.touch // 8)
            page.digits(time.inset(page.place.gap, 2), clock_text(view.clock.reserve[side]), page.place.em(0.6), page.theme.ink)
    title_line(page, rest, view, _title(chouette))


def _title(chouette: Chouette) -> str:
    if chouette.ended:
        return _("The chouette is over")
    double = chouette.stake.value * 2
    if chouette.offered is Party.BOX:
        return _("{name} doubles to {n}: each takes or passes", name=_short(chouette.box), n=double)
    if chouette.offered is Party.TEAM:
        return _("The team doubles to {n}: {name}?", name=_short(chouette.box), n=double)
    owner = {Party.BOX: _("cube: the box"), Party.TEAM: _("cube: the team"), None: _("cube in the middle")}[chouette.stake.owner]
    return _("Chouette, game {n} · {cube}", n=len(chouette.games) + 1, cube=owner)


def _short(name: str) -> str:
    """A name in a question: however long it is, what is asked has room beside it; his tile has all of it."""
    return name if len(name) <= LONGEST_IN_TITLE else f"{name[: LONGEST_IN_TITLE - 1]}…"


def _between(page: Page, rect: Rect, view: View) -> None:
    """Between games: what the last one came to, who goes where, and the tied roll."""
    chouette = chouette_of(view)
    tie, words = rect.cut_right(rect.w * 26 // 100, page.place.gap)
    double = c.TieChouette()
    page.button(tie, _("Tied roll: double"), Do(double), view.why_not(double), size=0.36)
    text = _("{box} in the box plays against {captain} and the team.", box=chouette.box, captain=chouette.captain)
    if chouette.games:
        game = chouette.games[-1]
        places = places_words((game.box, *game.team), chouette.box, chouette.captain, chouette.team[-1])
        text = f"{game_words(game)} {places}"
    page.text(words, text, page.place.em(0.36), align="left", lines=3)


def _between_games(view: View) -> bool:
    """Whether nothing has been entered in the running game, and its clock has not begun."""
    chouette = chouette_of(view)
    return chouette.fresh and not chouette.ended and not begun(view.shot.table)


def _clock(page: Page, rect: Rect, view: View) -> None:
    """The box's time at the left, the team's at the right, and between them what stops it or lets it run on."""
    if page.place.portrait:
        times, button = rect.rows(2, page.place.gap)
        left, right = times.columns(2, page.place.gap)
    else:
        left, rest = rect.cut_left(rect.w * 39 // 100, page.place.gap)
        button, right = rest.cut_left(rect.w * 22 // 100 - page.place.gap, page.place.gap)
    for side, part in zip(SIDES, (left, right), strict=True):
        small_half(page, part, view, side)
        page.control(part, touched(view, side), name=f"half-{side}", area=True)
    stands = begun(view.shot.table) and not view.clock_runs and chouette_of(view).offered is None
    command = c.ResumeChouetteClock() if stands else c.StopChouetteClock()
    page.button(
        button,
        _("Resume") if stands else _("Stop"),
        Do(command),
        view.why_not(command),
        urgent=not stands,
        kind="go" if stands else "plain",
    )


def _gain(view: View, name: str) -> str:
    """What the last game has brought somebody, as long as the next one has not begun."""
    chouette = chouette_of(view)
    if not chouette.games or not (chouette.ended or _between_games(view)):
        return ""
    gains = dict(chouette.games[-1].gains)
    return f"({signed(gains[name])})" if name in gains else ""


def _box(page: Page, cell: Rect, view: View) -> None:
    chouette = chouette_of(view)
    name = chouette.box
    if chouette.offered is Party.TEAM:
        asked_cell(page, cell, name, *_answers(view, name))
        return
    player_cell(page, cell, name, _("box"), chouette.total(name), gain=_gain(view, name), leads=True)


def _member(page: Page, cell: Rect, view: View, name: str, n: int) -> None:
    chouette = chouette_of(view)
    if chouette.offered is Party.BOX and name in chouette.asked:
        words = _("captain: {name}", name=name) if name == chouette.captain else name
        asked_cell(page, cell, words, *_answers(view, name))
        return
    out = name not in chouette.active
    captain = not out and name == chouette.captain
    part = _("captain") if captain else str(n + 1)
    if out:
        part = _("out")
    elif name in chouette.taken:
        part = _("took")
    elif name in chouette.wanted:
        part = _("wants to double")
    player_cell(page, cell, name, part, chouette.total(name), gain=_gain(view, name), leads=captain, out=out)


def _answers(view: View, name: str) -> tuple[Ask, Ask]:
    take, refuse = c.AnswerDouble(name, takes=True), c.AnswerDouble(name, takes=False)
    return Ask(_("Take"), Do(take), view.why_not(take), go=True), Ask(_("Pass"), Do(refuse), view.why_not(refuse))


# ── Actions ──────────────────────────────────────────────────────────────────
def _actions(page: Page, rect: Rect, view: View) -> None:
    """The five that never change places."""
    box, team, over, undo, more = rect.columns(5, page.place.gap)
    double = c.DoubleByBox()
    page.button(box, _("Box doubles"), Do(double), view.why_not(double), size=0.38)
    page.button(team, _("Team doubles"), Open(TeamDouble()), _team_why(view), size=0.38)
    page.button(over, _("Game over"), Open(ChouetteResult()), view.why_not(c.WinChouette(Party.BOX, Kind.SINGLE)), size=0.38)
    _undo(page, undo, view)
    page.button(more, _("More"), Open(ChouetteMore()), size=0.38)


def _team_why(view: View) -> str | None:
    """Why nobody in the team can be asked whether he wants to double."""
    members = chouette_of(view).active
    return view.why_none(*(c.WantDouble(name, wants=wants) for name in members for wants in (True, False)))


def _undo(page: Page, rect: Rect, view: View) -> None:
    """The last entry comes off, and what that was is said."""
    command = c.UndoChouette()
    said = _("Taken back: {words}", words=chouette_words(chouette_of(view).told[-1]))
    page.button(rect, _("Undo"), Do(command, said), view.why_not(command), size=0.38)


def _after(page: Page, rect: Rect, view: View) -> None:
    chouette = chouette_of(view)
    match, again, games, save, undo = rect.columns(5, page.place.gap)
    page.button(match, _("New match"), Open(Start()), size=0.38)
    form = ChouetteStart(chouette.players, chouette.jacoby, chouette.automatic, chouette.backgammon, clock_now(view))
    page.button(again, _("Again"), Open(form), kind="go", size=0.38)
    page.button(games, _("Games"), Open(ChouetteGames()), size=0.38)
    page.button(save, _("Save"), SaveSheet(), size=0.38)
    _undo(page, undo, view)
