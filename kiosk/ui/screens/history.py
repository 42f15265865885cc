"""What happened so far: every entry of this match in words, the newest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain import facts as f
from kiosk.domain.types import Pair, Side
from kiosk.say import _
from kiosk.ui.actions import Open, Turn
from kiosk.ui.draw import Rect
from kiosk.ui.screens.base import Screen, sheet
from kiosk.ui.screens.play.transcribe import transcribe
from kiosk.words import fact_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kiosk.ui.page import Page
    from kiosk.ui.view import Happened, View

QUIET = (f.TurnEnded, f.PressIgnored, f.TurnNoted)
"""Entries by the dozen: told on the page only where everything is wanted."""


@dataclass(frozen=True, slots=True)
class History(Screen):
    """The match as it went."""

    page_number: int = 0
    everything: bool = False
    """Every press too."""

    def draw(self, page: Page, view: View) -> None:
        """As many lines as have room; older ones a touch away."""
        body, beside = sheet(page, view, _("What happened so far"))
        lines = entries(view, everything=self.everything)
        moves = body
        if page.place.portrait:
            moves, body = body.cut_bottom(page.place.touch, page.place.gap)
        high = page.place.em(1.05 if page.place.portrait else 0.62)
        room = max(1, body.h // high)
        pages = max(1, -(-len(lines) // room))
        number = min(self.page_number, pages - 1)
        shown = lines[::-1][number * room : (number + 1) * room]
        for (entry, names), row in zip(shown, _rows(body, high), strict=False):
            _line(page, row, entry.time, fact_words(entry.fact, names, view.setup, view.prefs.language))
        if not lines:
            page.text(body, _("Nothing has happened yet."), page.place.em(0.44), page.theme.quiet)
        newer, older, every, *rest = beside.columns(3 if page.place.portrait else 4, page.place.gap)
        page.button(rest[0] if rest else moves, _("Write moves down"), Open(transcribe(view)), _why_no_moves(view), size=0.36)
        page.button(
            newer, _("Newer"), Turn(History(number - 1, self.everything)), None if number else _("This is the newest page."), sign="left"
        )
        oldest = None if number < pages - 1 else _("This is the oldest page.")
        page.button(older, _("Older"), Turn(History(number + 1, self.everything)), oldest, sign="right")
        page.choice(every, _("Presses too"), Turn(History(0, not self.everything)), chosen=self.everything, size=0.38)


def _why_no_moves(view: View) -> str | None:
    if view.shot.table.setup is None or view.setup.game == "backgammon":
        return None if view.shot.table.setup is not None else _("No match is open.")
    return _("Only backgammon is written down: no program reads long nardy.")


def _rows(body: Rect, high: int) -> list[Rect]:
    return [Rect(body.x, body.y + i * high, body.w, high) for i in range(max(1, body.h // high))]


def _line(page: Page, row: Rect, time: str, words: str) -> None:
    stamp, rest = row.cut_left(page.place.em(0.95), page.place.gap)
    page.text(stamp, time or "–", page.place.em(0.36), page.theme.quiet, align="left")
    page.text(rest, words, page.place.em(0.4), align="left", lines=2 if page.place.portrait else 1)


def entries(view: View, *, everything: bool) -> list[tuple[Happened, Pair[str]]]:
    """What happened, in order, each with the names of the seats at the time; only what is shown is put into words."""
    happened = view.happened
    names = _first_names(happened, view)
    lines = []
    for entry in happened:
        if isinstance(entry.fact, f.SeatsSwapped):
            names = names.swapped()
        if everything or not isinstance(entry.fact, QUIET):
            lines.append((entry, names))
    return lines


def _first_names(happened: Sequence[Happened], view: View) -> Pair[str]:
    for entry in happened:
        if isinstance(entry.fact, f.MatchOpened):
            players = entry.fact.setup.players
            return Pair(" & ".join(players.left), " & ".join(players.right))
    return Pair(view.name(Side.LEFT), view.name(Side.RIGHT))
