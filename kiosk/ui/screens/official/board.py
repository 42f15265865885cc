"""Cube, seats and game; and the whole table at once, on a spare device."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from kiosk.domain.state import CUBE_VALUES
from kiosk.domain.types import NS_PER_S, SIDES, Side, Span, clock_text
from kiosk.session import commands as c
from kiosk.ui.actions import Do, Open, Turn
from kiosk.ui.say import _
from kiosk.ui.screens.official.frame import AskAct, OfficialScreen, official_sheet, signed_in_words, tiles
from kiosk.ui.screens.official.time import STEPS, limited, stepper

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.ui.actions import Action
    from kiosk.ui.draw import Rect
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
        _("{n} turns played", n=table.game_turns),
        _("from the set-up; the clocks stay"),
        restart,
        reason="",
    )
    state = c.SetState(
        view.shot.score, view.clock.reserve, None, Span(0), 1, None, table.game, view.shot.crawford_played, table.breaks_taken
    )
    return [
        (_("Set the cube"), Open(CubeTool(cube.value, cube.owner)), view.why_not(c.SetCube(2, Side.LEFT, "-"))),
        (_("Swap the seats"), Open(ask_swap), view.why_not(swap)),
        (_("Restart the game"), Open(ask_restart), view.why_not(c.RestartGame("-"))),
        (_("Set the whole table (spare device)"), Open(Whole(state)), view.why_not(state)),
    ]


def owner_words(owner: Side | None, view: View) -> str:
    """Where the cube lies."""
    return _("in the middle") if owner is None else view.name(owner)


@dataclass(frozen=True, slots=True)
class CubeTool(OfficialScreen):
    """What lies on the board?"""

    value: int
    owner: Side | None

    def draw(self, page: Page, view: View) -> None:
        """Values and owners; its place and value on the board decide."""
        body, beside = official_sheet(page, view, _("What lies on the board?"))
        upper, lower = body.rows(2, page.place.gap)
        cube_row(page, upper, self.value, lambda n: Turn(CubeTool(n, None if n == 1 else self.owner)))
        owner_row(page, lower, view, self.owner, lambda owner: Turn(replace(self, owner=owner)), middle_only=self.value == 1)
        cube = view.shot.cube
        before, after = (f"{n}, {owner_words(owner, view)}" for n, owner in ((cube.value, cube.owner), (self.value, self.owner)))
        command = c.SetCube(self.value, self.owner, "-")
        ask = AskAct(_("Set the cube?"), before, after, replace(command, reason=""), reason="")
        page.button(beside, _("Next: the reason"), Open(ask), view.why_not(command), kind="go")


def cube_row(page: Page, row: Rect, value: int, turn: Callable[[int], Turn]) -> None:
    """The cube's values."""
    for n, cell in zip(CUBE_VALUES, row.columns(len(CUBE_VALUES), page.place.gap // 2 + 1), strict=True):
        page.choice(cell, str(n), turn(n), chosen=n == value, size=0.5)


def owner_row(page: Page, row: Rect, view: View, owner: Side | None, turn: Callable[[Side | None], Turn], *, middle_only: bool) -> None:
    """Whose it is."""
    for one, cell in zip((Side.LEFT, None, Side.RIGHT), row.columns(3, page.place.gap), strict=True):
        why = _("At 1 it lies in the middle.") if middle_only and one is not None else None
        page.choice(cell, owner_words(one, view), turn(one), why, chosen=owner is one)


@dataclass(frozen=True, slots=True)
class Whole(OfficialScreen):
    """The whole table, page by page: score and game, times, whose turn, cube and breaks."""

    state: c.SetState
    number: int = 0

    def draw(self, page: Page, view: View) -> None:
        """Three pages of steps; the last one sets it, as one entry."""
        titles = (_("Set the table: score and game"), _("Set the table: times"), _("Set the table: turn and cube"))
        body, beside = official_sheet(page, view, f"{titles[self.number]} ({self.number + 1} / 3)")
        (self._scores, self._times, self._turn)[self.number](page, body, view)
        back, on = beside.columns(2, page.place.gap)
        first = _("This is the first page.") if not self.number else None
        page.button(back, _("Page before"), Turn(replace(self, number=max(0, self.number - 1))), first, sign="left")
        if self.number < 2:
            page.button(on, _("Next page"), Turn(replace(self, number=self.number + 1)), kind="go", sign="right")
            return
        said = _("The table was set; Resume lets the clock run.")
        page.button(on, _("Set the table"), Do(self.state, said), view.why_not(self.state), kind="go", sub=signed_in_words(view))

    def _with(self, **changes: object) -> Turn:
        return Turn(replace(self, state=replace(self.state, **changes)))  # type: ignore[arg-type]

    def _count(self, page: Page, row: Rect, label: str, now: int, low: int, high: int, make: Callable[[int], Turn]) -> None:
        less, middle, more = row.columns(3, page.place.gap)
        page.button(less, "−", make(max(low, now - 1)), _("It does not go lower.") if now <= low else None, size=0.6)
        page.text(middle, f"{label}: {now}", page.place.em(0.44), face="bold", lines=2)
        page.button(more, "+", make(min(high, now + 1)), _("It does not go higher.") if now >= high else None, size=0.6)

    def _scores(self, page: Page, body: Rect, view: View) -> None:
        state, most = self.state, (view.setup.length or 100) - 1
        rows = body.rows(4, page.place.gap)
        for side, row in zip(SIDES, rows[:2], strict=True):
            self._count(page, row, view.name(side), state.score[side], 0, most, partial(self._score, side))
        self._count(page, rows[2], _("game"), state.game, 1, 999, lambda n: self._with(game=n))
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
            page.button(
                cell,
                _("{name}: {n} breaks", name=view.name(side), n=taken),
                self._with(breaks=state.breaks.put(side, following)),
                why,
                size=0.34,
            )

    def _score(self, side: Side, n: int) -> Turn:
        return self._with(score=self.state.score.put(side, n))

    def _times(self, page: Page, body: Rect, view: View) -> None:
        for side, row in zip(SIDES, body.rows(2, page.place.gap), strict=True):
            name, rest = row.cut_top(page.place.em(0.6), 2)
            page.text(name, view.name(side), page.place.em(0.4), page.theme.quiet)
            reserve = self.state.reserve
            cells = stepper(page, rest, clock_text(reserve[side]))
            deltas = [-step * NS_PER_S for step, _w in STEPS] + [step * NS_PER_S for step, _w in STEPS[::-1]]
            labels = [f"−{w}" for _s, w in STEPS] + [f"+{w}" for _s, w in STEPS[::-1]]
            for delta, label, cell in zip(deltas, labels, cells, strict=True):
                value = Span(reserve[side] + delta)
                page.button(cell, label, self._with(reserve=reserve.put(side, value)), limited(value), size=0.38)

    def _turn(self, page: Page, body: Rect, view: View) -> None:
        state = self.state
        rows = body.rows(4, page.place.gap)
        for one, cell in zip((Side.LEFT, None, Side.RIGHT), rows[0].columns(3, page.place.gap), strict=True):
            words = _("between games") if one is None else _("{name} to move", name=view.name(one))
            page.choice(cell, words, self._with(turn=one), chosen=state.turn is one, size=0.38)
        used, whole = state.delay_used // NS_PER_S, view.clock.control.delay // NS_PER_S
        self._count(page, rows[1], _("delay used, s"), used, 0, max(whole, used), lambda n: self._with(delay_used=Span(n * NS_PER_S)))
        cube_row(page, rows[2], state.cube, lambda n: self._with(cube=n, owner=None if n == 1 else state.owner))
        owner_row(page, rows[3], view, state.owner, lambda owner: self._with(owner=owner), middle_only=state.cube == 1)
