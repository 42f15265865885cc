"""Cube, seats and game; and the whole table at once, on a spare device."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from kiosk.domain.state import CUBE_VALUES
from kiosk.domain.types import NS_PER_S, SIDES, Pair, Side, Span
from kiosk.say import _, n_
from kiosk.session import commands as c
from kiosk.ui.actions import Do, Open, Turn
from kiosk.ui.draw import Rect
from kiosk.ui.screens.official.frame import AskAct, OfficialScreen, grid, official_sheet, signed_in_words, tiles
from kiosk.ui.screens.official.time import reserve_row
from kiosk.ui.screens.play.examine import board_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.ui.actions import Action
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


@dataclass(frozen=True, slots=True)
class BoardTools(OfficialScreen):
    """What is wrong on the board?"""

    def draw(self, page: Page, view: View) -> None:
        """One tile for each tool."""
        body, _beside = official_sheet(page, view, _("Cube, seats, game"))
        tiles(page, body, _entries(view), columns=2)


def _entries(view: View) -> list[tuple[str, Action, str | None]]:
    cube, table = view.shot.cube, view.shot.table
    swap, restart = c.SwapSeats(), c.RestartGame("")
    left, right = view.name(Side.LEFT), view.name(Side.RIGHT)
    ask_swap = AskAct(_("Swap the seats?"), f"{left} – {right}", f"{right} – {left}", swap)
    ask_restart = AskAct(
        _("Restart game {n}?", n=table.game),
        n_("{n} turn played", "{n} turns played", table.game_turns),
        _("From the set-up; the clocks stay"),
        restart,
        reason="",
    )
    state = _as_it_stands(view)
    return [
        (_("Set the cube"), Open(CubeTool(cube.value, cube.owner)), view.why_not(c.SetCube(2, Side.LEFT, "x"))),
        (_("Swap the seats"), Open(ask_swap), view.why_not(swap)),
        (_("Restart the game"), Open(ask_restart), view.why_not(c.RestartGame("x"))),
        (_("Set the whole table (spare device)"), Open(Whole(state)), view.why_not(state)),
        (_("Was that move legal?"), Open(board_for(view)), None),
    ]


def _as_it_stands(view: View) -> c.SetState:
    """The table as it is: what is right needs no touch."""
    clock, cube, table = view.clock, view.shot.cube, view.shot.table
    used = Span(0) if clock.turn is None else Span(min(clock.used[clock.turn], clock.control.delay) // NS_PER_S * NS_PER_S)
    reserve = Pair(*(Span(-(-clock.reserve[side] // NS_PER_S) * NS_PER_S) for side in SIDES))
    return c.SetState(
        view.shot.score, reserve, clock.turn, used, cube.value, cube.owner, table.game, view.shot.crawford_played, table.breaks_taken
    )


def owner_words(owner: Side | None, view: View) -> str:
    """Where the cube lies."""
    return _("In the middle") if owner is None else view.name(owner)


@dataclass(frozen=True, slots=True)
class CubeTool(OfficialScreen):
    """What lies on the board?"""

    value: int
    owner: Side | None

    def draw(self, page: Page, view: View) -> None:
        """Values and owners; its place and value on the board decide."""
        body, beside = official_sheet(page, view, _("What lies on the board?"))
        upper, lower = body.cut_bottom(body.h * (35 if page.place.portrait else 50) // 100, page.place.gap)[::-1]
        cube_row(page, upper, self.value, lambda n: Turn(CubeTool(n, None if n == 1 else self.owner)))
        owner_row(page, lower, view, self.owner, lambda owner: Turn(replace(self, owner=owner)), middle_only=self.value == 1)
        cube = view.shot.cube
        before, after = (f"{n}, {owner_words(owner, view)}" for n, owner in ((cube.value, cube.owner), (self.value, self.owner)))
        command = c.SetCube(self.value, self.owner, "x")
        ask = AskAct(_("Set the cube?"), before, after, replace(command, reason=""), reason="")
        page.button(beside, _("Next: the reason"), Open(ask), view.why_not(command), kind="go")


def cube_row(page: Page, row: Rect, value: int, turn: Callable[[int], Turn]) -> None:
    """The cube's values."""
    for n, cell in zip(CUBE_VALUES, grid(row, len(CUBE_VALUES), 2 if page.place.portrait else 1, page.place.gap), strict=True):
        page.choice(cell, str(n), turn(n), chosen=n == value, size=0.5)


def owner_row(page: Page, row: Rect, view: View, owner: Side | None, turn: Callable[[Side | None], Turn], *, middle_only: bool) -> None:
    """Whose it is."""
    for one, cell in zip((Side.LEFT, None, Side.RIGHT), row.columns(3, page.place.gap), strict=True):
        why = _("At 1 it lies in the middle.") if middle_only and one is not None else None
        page.choice(cell, owner_words(one, view), turn(one), why, chosen=owner is one)


@dataclass(frozen=True, slots=True)
class Whole(OfficialScreen):
    """The whole table, page by page: score and game, times, whose turn and cube. It begins with the table as it stands."""

    state: c.SetState
    number: int = 0

    def draw(self, page: Page, view: View) -> None:
        """Three pages of steps; the last one sets it, as one entry."""
        titles = (_("Set the table: score and game"), _("Set the table: times"), _("Set the table: turn and cube"))
        before = Turn(replace(self, number=self.number - 1)) if self.number else None
        body, beside = official_sheet(page, view, f"{titles[self.number]} ({self.number + 1} / 3)", before)
        (self._scores, self._times, self._turn)[self.number](page, body, view)
        if self.number < 2:
            page.button(beside, _("Next page"), Turn(replace(self, number=self.number + 1)), kind="go", sign="right")
            return
        said = _("The table was set; Resume lets the clock run.")
        page.button(beside, _("Set the table"), Do(self.state, said), view.why_not(self.state), kind="go", sub=signed_in_words(view))

    def _with(self, **changes: object) -> Turn:
        return Turn(replace(self, state=replace(self.state, **changes)))  # type: ignore[arg-type]

    def _count(self, page: Page, row: Rect, label: str, now: int, low: int, high: int, make: Callable[[int], Turn]) -> None:
        place = page.place
        if place.portrait:
            middle, below = row.cut_top(row.h * 40 // 100, place.gap)
            cells = below.columns(4, place.gap)
        else:
            across = row.columns(6, place.gap)
            middle = Rect(across[2].x, row.y, across[3].right - across[2].x, row.h)
            cells = [*across[:2], *across[4:]]
        figure, words = middle.cut_right(middle.w // 3 if place.portrait else place.em(0.9), place.gap if place.portrait else 2)
        page.text(words, label, place.em(0.4), page.theme.ink, align="right", lines=2)
        page.text(figure, str(now), place.em(0.56), face="bold", align="left" if place.portrait else "centre")
        lower, higher = _("It does not go lower."), _("It does not go higher.")
        for step, cell in zip((-5, -1, 1, 5), cells, strict=True):
            why = (lower if now <= low else None) if step < 0 else higher if now >= high else None
            page.button(cell, f"{'−' if step < 0 else '+'}{abs(step)}", make(min(high, max(low, now + step))), why, size=0.46)

    def _scores(self, page: Page, body: Rect, view: View) -> None:
        state, most = self.state, (view.setup.length or 100) - 1
        rows = body.rows(4, page.place.gap)
        for side, row in zip(SIDES, rows[:2], strict=True):
            self._count(page, row, view.name(side), state.score[side], 0, most, partial(self._score, side))
        self._count(page, rows[2], _("Game"), state.game, 1, 999, lambda n: self._with(game=n))
        crawford, left, right = rows[3].columns(3, page.place.gap)
        page.choice(
            crawford,
            _("Crawford was played"),
            self._with(crawford_played=not state.crawford_played),
            chosen=state.crawford_played,
            size=0.36,
        )
        for side, cell in zip(SIDES, (left, right), strict=True):
            taken = state.breaks[side]
            following = (taken + 1) % (view.setup.breaks + 1)
            why = None if view.setup.breaks else _("This match provides no breaks.")
            words = n_("{n} break taken", "{n} breaks taken", taken)
            page.button(cell, view.name(side), self._with(breaks=state.breaks.put(side, following)), why, sub=words, size=0.36)

    def _score(self, side: Side, n: int) -> Turn:
        return self._with(score=self.state.score.put(side, n))

    def _times(self, page: Page, body: Rect, view: View) -> None:
        for side, row in zip(SIDES, body.rows(2, page.place.gap), strict=True):
            name, rest = row.cut_top(page.place.em(0.6), 2)
            page.text(name, view.name(side), page.place.em(0.4))
            reserve_row(page, rest, self.state.reserve, side, lambda reserve: self._with(reserve=reserve))

    def _turn(self, page: Page, body: Rect, view: View) -> None:
        state = self.state
        lines = 2 if page.place.portrait else 1
        rows = body.rows(3 + lines, page.place.gap)
        for one, cell in zip((Side.LEFT, None, Side.RIGHT), rows[0].columns(3, page.place.gap), strict=True):
            words = _("Between games") if one is None else _("{name} to move", name=view.name(one))
            page.choice(cell, words, self._with(turn=one), chosen=state.turn is one, size=0.38)
        used, whole = state.delay_used // NS_PER_S, view.clock.control.delay // NS_PER_S
        self._count(page, rows[1], _("Delay used, s"), used, 0, max(whole, used), lambda n: self._with(delay_used=Span(n * NS_PER_S)))
        label, cube = Rect(body.x, rows[2].y, body.w, rows[-1].bottom - rows[2].y).cut_left(page.place.em(1.1), page.place.gap)
        page.text(label, _("Cube"), page.place.em(0.38), page.theme.quiet, align="left", lines=2)
        values = Rect(cube.x, cube.y, cube.w, rows[1 + lines].bottom - cube.y)
        cube_row(page, values, state.cube, lambda n: self._with(cube=n, owner=None if n == 1 else state.owner))
        owners = Rect(cube.x, rows[-1].y, cube.w, rows[-1].h)
        owner_row(page, owners, view, state.owner, lambda owner: self._with(owner=owner), middle_only=state.cube == 1)
