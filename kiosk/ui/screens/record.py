"""The game's record: who won, how, at which cube; and the same form for correcting a confirmed game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk.domain.asked import game_points
from kiosk.domain.rulebook import Kind
from kiosk.domain.state import CUBE_VALUES, Phase
from kiosk.domain.types import SIDES, Side
from kiosk.say import _, n_
from kiosk.session import commands as c
from kiosk.ui.actions import Do, Turn
from kiosk.ui.draw import Rect
from kiosk.ui.screens.base import Screen, sheet
from kiosk.ui.screens.official.frame import official_sheet
from kiosk.words import OF_CORRECTIONS, kind_words

if TYPE_CHECKING:
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


@dataclass(frozen=True, slots=True)
class Record(Screen):
    """Who won the game?"""

    winner: Side | None = None
    kind: Kind | None = None
    cube: int | None = None
    """None: as it was turned live."""

    def stays(self, view: View) -> bool:
        """Until a game is recorded or the match is over."""
        return view.phase in {Phase.PLAYING, Phase.STOPPED, Phase.OPENING} or _decides(view)

    def draw(self, page: Page, view: View) -> None:
        """One page: winner, kind, cube, and what it does to the score."""
        decides = _decides(view)
        title = _("Who won the disputed game {n}?", n=view.shot.table.game) if decides else _("Who won game {n}?", n=view.shot.table.game)
        body, beside = (official_sheet if decides else sheet)(page, view, title)
        value = view.shot.cube.value if self.cube is None else self.cube
        _form(page, body, view, self, value, cube_on=view.shot.cube_in_play)
        kinds = [kind for kind, _f in view.setup.kinds]
        if self.winner is None or (self.kind or kinds[0]) not in kinds:
            page.button(beside, _("Record"), Do(c.Undo()), _("First touch who won."))
            return
        kind = self.kind or kinds[0]
        command = c.RecordGame(self.winner, kind, self.cube)
        points = game_points(view.setup, kind, value, automatic=view.shot.cube.automatic)
        label = n_("{name} wins {n} point", "{name} wins {n} points", points, name=view.name(self.winner))
        after = view.shot.score.put(self.winner, view.shot.score[self.winner] + points)
        if decides:
            sub = _("{left} – {right}, as the referee decides", left=after.left, right=after.right)
        else:
            sub = _("{left} – {right}, then the opponent confirms", left=after.left, right=after.right)
        page.button(beside, label, Do(command), view.why_not(command), kind="go", sub=sub)


def _decides(view: View) -> bool:
    """Whether an official decides a game that the players dispute."""
    held = view.shot.table.awaiting
    return view.phase is Phase.RECORDING and view.official is not None and held is not None and held.disputed


@dataclass(frozen=True, slots=True)
class Correct(Screen):
    """What was game n really?"""

    game: int
    winner: Side
    kind: Kind
    cube: int
    reason: str = OF_CORRECTIONS[0]

    def stays(self, view: View) -> bool:
        """While the game is on record."""
        return view.phase is not None and self.game <= len(view.shot.table.games)

    def draw(self, page: Page, view: View) -> None:
        """The record's form, its reason, and one button that both agree to."""
        old = view.shot.table.games[self.game - 1]
        body, beside = sheet(page, view, _("Correct game {n}; both players agree", n=self.game))
        reasons, body = body.cut_bottom(page.place.touch, page.place.gap)
        for reason, cell in zip(OF_CORRECTIONS, reasons.columns(len(OF_CORRECTIONS), page.place.gap), strict=True):
            page.choice(cell, _(reason), Turn(replace(self, reason=reason)), chosen=reason == self.reason, size=0.34)
        cube_on = view.setup.cube and view.setup.length != 1 and not old.crawford
        _form(page, body, view, self, self.cube, cube_on=cube_on)
        command = c.CorrectGame(self.game, self.winner, self.kind, self.cube, self.reason)
        same = (self.winner, self.kind, self.cube) == (old.winner, old.kind, old.cube)
        why = _("This is what stands already; change something first.") if same else view.why_not(command)
        points = game_points(view.setup, self.kind, self.cube, automatic=old.automatic)
        label = n_("Correct: {name} won {n} point", "Correct: {name} won {n} points", points, name=view.name(self.winner))
        page.button(beside, label, Do(command, _("Game {n} was corrected.", n=self.game)), why, kind="go")


def _form(page: Page, body: Rect, view: View, form: Record | Correct, value: int, *, cube_on: bool) -> None:
    rows = body.rows(3, page.place.gap)
    for side, cell in zip(SIDES, rows[0].columns(2, page.place.gap), strict=True):
        page.choice(cell, _("{name} won", name=view.name(side)), Turn(replace(form, winner=side)), chosen=form.winner is side, size=0.5)
    kinds = view.setup.kinds
    shown = form.kind or kinds[0][0]
    jacoby = view.setup.jacoby and game_points(view.setup, kinds[-1][0], value, automatic=view.shot.cube.automatic) == value
    for (kind, factor), cell in zip(kinds, rows[1].columns(len(kinds), page.place.gap), strict=True):
        there = form if shown is kind else replace(form, kind=kind)
        page.choice(cell, kind_words(kind), Turn(there), chosen=shown is kind, sub=_times(factor, jacoby=jacoby), size=0.46)
    _cubes(page, rows[2], form, value, cube_on=cube_on)


def _times(factor: int, *, jacoby: bool) -> str:
    """What a kind multiplies; under the Jacoby rule nothing, as long as the cube was not turned (002)."""
    return _("× 1 (Jacoby)") if jacoby and factor > 1 else f"× {factor}"


def _cubes(page: Page, row: Rect, form: Record | Correct, value: int, *, cube_on: bool) -> None:
    label, rest = row.cut_left(page.place.em(1.3), page.place.gap)
    page.text(label, _("Cube"), page.place.em(0.38), page.theme.quiet, align="left", lines=2)
    why = None if cube_on else _("This game is played without a cube.")
    lines = rest.rows(2, page.place.gap) if page.place.portrait else [rest]
    across = -(-len(CUBE_VALUES) // len(lines))
    cells = [cell for line in lines for cell in line.columns(across, page.place.gap // 2 + 1)]
    for n, cell in zip(CUBE_VALUES, cells, strict=False):
        there = form if n == value else replace(form, cube=n)
        page.button(cell, str(n), Turn(there), why, kind="chosen" if n == value else "plain", size=0.5)


def correctable(view: View) -> tuple[Correct | None, str]:
    """The game that the players may correct now, or why there is none."""
    games = view.shot.table.games
    if not games:
        return None, _("No game has been confirmed yet.")
    last = games[-1]
    kind = last.kind if last.kind in dict(view.setup.kinds) else view.setup.kinds[0][0]
    form = Correct(last.n, last.winner, kind, last.cube)
    why = view.why_not(c.CorrectGame(last.n, last.winner, kind, last.cube, OF_CORRECTIONS[0]))
    return (form, "") if why is None else (None, why)


__all__ = ["Correct", "Record", "correctable"]
