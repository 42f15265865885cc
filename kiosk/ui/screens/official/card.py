"""The rule card: what to do where no sanction applies. It lies two touches from the clock face and can be read while the clock runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk.domain.types import NS_PER_S
from kiosk.say import _
from kiosk.ui.actions import Count, Open, Turn
from kiosk.ui.changes import next_second
from kiosk.ui.screens.base import Screen
from kiosk.ui.screens.official.frame import official_sheet
from kiosk.ui.screens.play.examine import AskBoard, board_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.domain.card import CardEntry
    from kiosk.ui.page import Page
    from kiosk.ui.view import View

COUNT = 3 * NS_PER_S
"""How long a die may balance (000 §11)."""


def _entries(view: View) -> tuple[CardEntry, ...]:
    setup = view.shot.table.setup
    return view.card_for("" if setup is None else setup.rulebook)


@dataclass(frozen=True, slots=True)
class RuleCard(Screen):
    """What has happened?"""

    number: int = 0

    def draw(self, page: Page, view: View) -> None:
        """Situations, two columns."""
        body, beside = official_sheet(page, view, _("Rule card: what has happened?"))
        entries = _entries(view)
        rows = max(1, (body.h + page.place.gap) // (page.place.touch + page.place.gap))
        columns = 1 if page.place.portrait else 2
        room = rows * columns
        pages = max(1, -(-len(entries) // room))
        number = self.number % pages
        cells = [cell for row in body.rows(rows, page.place.gap) for cell in row.columns(columns, page.place.gap)]
        for entry, cell in zip(entries[number * room : number * room + room], cells, strict=False):
            page.button(cell, entry.title(view.prefs.language), Open(Remedy(entry.code)), size=0.4)
        counter = next((entry for entry in entries if entry.counter), None)
        board, beside = beside.cut_left(beside.w * 36 // 100, page.place.gap)
        why = _("Stop the clock first.") if view.clock_runs and view.official is None else None
        opened: Screen = AskBoard(board_for(view)) if view.official is None else board_for(view)
        page.button(board, _("Was that move legal?"), Open(opened), why, size=0.36)
        if counter is not None:
            count, beside = beside.columns(2, page.place.gap)
            page.button(count, _("Count three seconds"), Count(Remedy(counter.code)), kind="go", size=0.4)
        single = _("There are no more.") if pages == 1 else None
        page.button(beside, f"{number + 1} / {pages}", Turn(replace(self, number=number + 1)), single, sign="right")


@dataclass(frozen=True, slots=True)
class Remedy(Screen):
    """What is to be done."""

    code: str
    since: int | None = None
    """When the three seconds were started."""

    def stays(self, view: View) -> bool:
        """While the card has it."""
        return any(one.code == self.code for one in _entries(view))

    def changes(self, view: View) -> Iterator[int]:
        """Each second that is counted."""
        if self.since is not None and self.counts(view.shot.at):
            yield next_second(self.since, view.shot.at)

    def counts(self, at: int) -> bool:
        """Whether it counts at an instant."""
        return self.since is not None and at < self.since + COUNT

    def draw(self, page: Page, view: View) -> None:
        """The remedy in large words, its article, and the counter where one counts."""
        entry = next(one for one in _entries(view) if one.code == self.code)
        body, beside = official_sheet(page, view, entry.title(view.prefs.language))
        line, words = body.cut_bottom(page.place.em(0.6), page.place.gap)
        label, sub = self._count(view)
        if self.counts(view.shot.at):
            number, words = words.cut_bottom(words.h // 2) if page.place.portrait else words.cut_right(words.w * 30 // 100, page.place.gap)
            page.digits(number, label, number.h, page.theme.ink)
        page.text(words, entry.remedy(view.prefs.language), page.place.em(0.56), align="left", lines=8)
        page.text(line, entry.article, page.place.em(0.38), page.theme.quiet, align="right")
        if entry.counter:
            page.button(beside, label, Count(self), kind="go", size=0.6 if not sub else 0.42, sub=sub)

    def _count(self, view: View) -> tuple[str, str]:
        if self.since is None:
            return _("Count three seconds"), ""
        left = COUNT - (view.shot.at - self.since)
        if left > 0:
            return str(-(-left // NS_PER_S)), ""
        return _("Not flat: roll again"), _("touch to count again")
