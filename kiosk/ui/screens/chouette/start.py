"""Before a chouette: who plays, what was agreed, and who begins where."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk.domain.chouette import FEWEST, MOST
from kiosk.domain.chouette_dice import ranked, still_to_throw
from kiosk.say import _
from kiosk.session import commands as c
from kiosk.ui.actions import BeginChouette, Open, Turn
from kiosk.ui.draw import Rect
from kiosk.ui.screens.base import Screen, sheet
from kiosk.ui.screens.chouette.cells import goes_on, grid
from kiosk.ui.screens.chouette.clock import WITHOUT, ChouetteClock
from kiosk.ui.screens.keyboard import Form, Keyboard
from kiosk.words import chouette_clock_words

if TYPE_CHECKING:
    from kiosk.domain.chouette_dice import Throws
    from kiosk.ui.page import Page
    from kiosk.ui.view import View

NEW = "new"
"""The field of a player who is not there yet; the others have their numbers."""


@dataclass(frozen=True, slots=True)
class ChouetteStart(Form):
    """Who plays?"""

    players: tuple[str, ...] = ()
    jacoby: bool = True
    automatic: bool = True
    backgammon: int = 3
    clock: c.SetChouetteClock = WITHOUT

    def stays(self, view: View) -> bool:
        """Until one goes on, or a match."""
        return not view.in_match and not goes_on(view)

    def written(self, field: str, text: str) -> ChouetteStart:
        """The form with a name; an empty one takes its player away."""
        before, after = (self.players, ()) if field == NEW else (self.players[: int(field)], self.players[int(field) + 1 :])
        name = text if any(ch.isalnum() for ch in text) else ""
        return replace(self, players=(*before, *((name,) if name else ()), *after))

    def asks(self, field: str) -> str:
        """Whose name."""
        return _("Name of another player") if field == NEW else _("Name; an empty one takes the player away")

    def command(self, throws: Throws = ()) -> c.OpenChouette:
        """What opens it; the table draws its id."""
        clock = None if self.clock == WITHOUT else self.clock
        return c.OpenChouette("", self.players, tuple(throws), self.jacoby, self.automatic, self.backgammon, clock)

    def draw(self, page: Page, view: View) -> None:
        """A tile for each player and one for the next, what was agreed, and the two ways to begin."""
        body, beside = sheet(page, view, _("Chouette: who plays? {fewest} to {most}", fewest=FEWEST, most=MOST))
        agreed, body = body.cut_bottom(page.place.touch * 2 + page.place.gap if page.place.portrait else page.place.touch, page.place.gap)
        self._agreed(page, agreed)
        more = len(self.players) < MOST
        cells = grid(page, body, max(6, len(self.players) + more))
        for n, (name, cell) in enumerate(zip(self.players, cells, strict=False)):
            page.button(cell, name, Open(Keyboard(self, str(n), name)), size=0.44)
        if more:
            page.button(cells[len(self.players)], _("Add a player"), Open(Keyboard(self, NEW)), sub="+", size=0.4)
        dice, order = beside.columns(2, page.place.gap)
        why = self._why(view)
        page.button(dice, _("Throw for places"), Open(ChouetteDice(self, ((),) * len(self.players))), why, kind="go", size=0.4)
        page.button(order, _("Begin in this order"), BeginChouette(self.command()), why, size=0.4)

    def _why(self, view: View) -> str | None:
        missing = FEWEST - len(self.players)
        return (
            _("Add {n} more: a chouette has at least {fewest}.", n=missing, fewest=FEWEST) if missing > 0 else view.why_not(self.command())
        )

    def _agreed(self, page: Page, row: Rect) -> None:
        rows = row.rows(2, page.place.gap) if page.place.portrait else (row,)
        jacoby, tied, counts, clock = (cell for line in rows for cell in line.columns(4 // len(rows), page.place.gap))
        page.choice(jacoby, _("Jacoby"), Turn(replace(self, jacoby=not self.jacoby)), chosen=self.jacoby)
        page.choice(tied, _("Automatic doubles"), Turn(replace(self, automatic=not self.automatic)), chosen=self.automatic, size=0.38)
        other = 2 if self.backgammon == 3 else 3
        page.button(counts, _("Backgammon counts {n}", n=self.backgammon), Turn(replace(self, backgammon=other)), size=0.38)
        words = chouette_clock_words(self.clock.delay, self.clock.reserve)
        page.button(clock, _("Clock"), Open(ChouetteClock(self.clock, self)), sub=words, size=0.38)


@dataclass(frozen=True, slots=True)
class ChouetteDice(Screen):
    """Who throws what?"""

    form: ChouetteStart
    throws: tuple[tuple[int, ...], ...]

    def stays(self, view: View) -> bool:
        """As long as its form."""
        return self.form.stays(view)

    def draw(self, page: Page, view: View) -> None:
        """The throws at the left; six numbers for whose turn it is, or the order that they lead to."""
        missing = still_to_throw(self.throws)
        names = self.form.players
        level = bool(missing) and bool(self.throws[missing[0]])
        title = _("The order is thrown") if not missing else _("{name} throws a die", name=names[missing[0]])
        body, beside = sheet(page, view, _("Level: {name} throws again", name=names[missing[0]]) if level else title)
        left, right = body.rows(2, page.place.gap) if page.place.portrait else body.columns(2, page.place.gap)
        self._list(page, left, missing)
        back, begin = beside.columns(2, page.place.gap)
        thrown = any(self.throws)
        page.button(
            back, _("Throw again"), Turn(replace(self, throws=((),) * len(names))), None if thrown else _("Nothing has been thrown yet.")
        )
        command = self.form.command(self.throws)
        why = _("Everybody throws first.") if missing else view.why_not(command)
        page.button(begin, _("Begin"), BeginChouette(command), why, kind="go")
        if missing:
            for n, cell in enumerate((cell for row in right.rows(2, page.place.gap) for cell in row.columns(3, page.place.gap)), 1):
                page.button(cell, str(n), Turn(self._with(missing[0], n), once=True), size=0.7)
        else:
            words = _(
                "{box} is in the box. {captain} is captain.", box=names[ranked(self.throws)[0]], captain=names[ranked(self.throws)[1]]
            )
            page.text(right, words, page.place.em(0.5), face="bold", lines=5)

    def _with(self, n: int, die: int) -> ChouetteDice:
        return replace(self, throws=(*self.throws[:n], (*self.throws[n], die), *self.throws[n + 1 :]))

    def _list(self, page: Page, body: Rect, missing: tuple[int, ...]) -> None:
        names = self.form.players
        order = tuple(range(len(names))) if missing else ranked(self.throws)
        for place, (n, row) in enumerate(zip(order, body.rows(max(len(names), 4), 2), strict=False), 1):
            now = bool(missing) and n == missing[0]
            if now:
                page.box(row, page.theme.panel, page.place.touch // 10, page.theme.halt, 3)
            dice, name = row.inset(page.place.gap, 0).cut_right(row.w * 30 // 100, page.place.gap)
            shown = names[n] if missing else f"{place}. {names[n]}"
            page.text(name, shown, page.place.em(0.4), face="bold" if now else "text", align="left")
            page.text(dice, ", ".join(map(str, self.throws[n])) or "–", page.place.em(0.42), face="bold", align="right")
