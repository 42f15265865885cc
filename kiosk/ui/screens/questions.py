"""Questions that one touch opens and a second one answers: double, break, late start, claim, resignation, end of a break or session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain.state import Phase
from kiosk.domain.types import SIDES, Side
from kiosk.say import _
from kiosk.session import commands as c
from kiosk.ui.actions import Do
from kiosk.ui.screens.base import Screen, sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kiosk.domain.types import Instant
    from kiosk.ui.actions import Action
    from kiosk.ui.draw import Rect
    from kiosk.ui.page import Kind, Page
    from kiosk.ui.view import View


def two_tiles(page: Page, body: Rect, tiles: Sequence[tuple[str, str, Action, str | None]], kind: Kind = "plain") -> None:
    """One big tile for each side, each above or beside the other as the halves are: (words, smaller words, action, why not)."""
    cells = body.rows(len(tiles), page.place.gap) if page.place.portrait else body.columns(len(tiles), page.place.gap)
    for (label, sub, action, why), cell in zip(tiles, cells, strict=True):
        page.button(cell, label, action, why, kind=kind, sub=sub if why is None else why, size=0.62)


def explained(page: Page, body: Rect, words: str) -> Rect:
    """A sentence above a question's tiles.

    Returns:
        What is left below it.
    """
    line, rest = body.cut_top(page.place.em(1.1), page.place.gap)
    page.text(line, words, page.place.em(0.38), page.theme.quiet, align="left", lines=2)
    return rest


@dataclass(frozen=True, slots=True)
class AskDouble(Screen):
    """Who offers the cube?"""

    since: Instant | None = None
    """The press that began the turn in which it was asked; None asks in any turn."""

    def stays(self, view: View) -> bool:
        """While that turn lasts and nothing is offered."""
        same = self.since is None or self.since == view.clock.switched_at
        return same and view.phase is Phase.PLAYING and view.shot.cube.offered_by is None

    def draw(self, page: Page, view: View) -> None:
        """One tile for each side; what the rules forbid is dimmed and says so."""
        value = view.shot.cube.value * 2
        body, _beside = sheet(page, view, _("Offer the cube at {n}?", n=value))
        tiles = []
        for side in SIDES:
            early = view.clock.turn is not side
            sub = _("early: in the opponent's turn; it is open at his press") if early else _("before the roll; it is also the press")
            tiles.append((_("{name} doubles", name=view.name(side)), sub, Do(c.Double(side)), view.why_not(c.Double(side))))
        two_tiles(page, body, tiles)


@dataclass(frozen=True, slots=True)
class AskCaller(Screen):
    """Who has called the referee? The first touch called at once, whoever's it was."""

    def stays(self, view: View) -> bool:
        """While a call stands and nobody's it is."""
        call = view.shot.table.call
        return view.shot.table.referee_called and call is not None and call.by is None

    def draw(self, page: Page, view: View) -> None:
        """One tile for each side."""
        body, _beside = sheet(page, view, _("Who has called the referee?"))
        tiles = []
        for side in SIDES:
            call = c.CallReferee(side)
            said = _("{name} has called the referee.", name=view.name(side))
            tiles.append((view.name(side), "", Do(call, said), view.why_not(call)))
        two_tiles(page, body, tiles)


@dataclass(frozen=True, slots=True)
class AskDispute(Screen):
    """Dispute the entry?"""

    by: Side

    def stays(self, view: View) -> bool:
        """While the entry waits."""
        held = view.shot.table.awaiting
        return view.phase is Phase.RECORDING and held is not None and not held.disputed

    def draw(self, page: Page, view: View) -> None:
        """Say what a dispute does before it is made: the players cannot take it back."""
        body, beside = sheet(page, view, _("{name} disputes the entry?", name=view.name(self.by)))
        words = _("The referee is called and decides. A slip of the finger is put right sooner: the winner takes the entry back.")
        page.text(body, words, page.place.em(0.6), face="bold", lines=4)
        command = c.DisputeGame(self.by)
        done = Do(command, _("The referee has been called."))
        page.button(beside, _("Dispute: the referee decides"), done, view.why_not(command), kind="referee")


@dataclass(frozen=True, slots=True)
class AskBreak(Screen):
    """Who takes a break?"""

    def stays(self, view: View) -> bool:
        """Between games."""
        return view.phase is Phase.OPENING

    def draw(self, page: Page, view: View) -> None:
        """One tile for each side, with the breaks that it has left."""
        body, _beside = sheet(page, view, _("Who takes the break?"))
        most = view.setup.break_longest // 60_000_000_000
        body = explained(page, body, _("At most {n} minutes. It is charged to whoever asks; both clocks stand.", n=most))
        tiles = []
        for side in SIDES:
            left = view.setup.breaks - view.shot.table.breaks_taken[side]
            tiles.append((view.name(side), _("{n} left", n=left), Do(c.TakeBreak(side)), view.why_not(c.TakeBreak(side))))
        two_tiles(page, body, tiles)


@dataclass(frozen=True, slots=True)
class AskEndBreak(Screen):
    """Are both back?"""

    def stays(self, view: View) -> bool:
        """During the break."""
        return view.phase is Phase.BREAK

    def draw(self, page: Page, view: View) -> None:
        """Who ends it does not matter; it is on record."""
        body, _beside = sheet(page, view, _("End the break? Both players are back?"))
        tiles = [(_("{name} ends it", name=view.name(side)), "", Do(c.EndBreak(side)), view.why_not(c.EndBreak(side))) for side in SIDES]
        two_tiles(page, body, tiles)


@dataclass(frozen=True, slots=True)
class AskLate(Screen):
    """Who is missing?"""

    def stays(self, view: View) -> bool:
        """Before the first game."""
        return view.before_game_one

    def draw(self, page: Page, view: View) -> None:
        """Left, right or both; the absent side's time runs from now on."""
        body, beside = sheet(page, view, _("Who is missing? The time runs from now."))
        body = explained(page, body, _("The delay first, then the reserve. Nothing is charged for the time before."))
        tiles = []
        for side in SIDES:
            command = c.StartLate((side,))
            tiles.append((_("{name} is missing", name=view.name(side)), "", Do(command), view.why_not(command)))
        two_tiles(page, body, tiles)
        both = c.StartLate(SIDES)
        page.button(beside, _("Both are missing"), Do(both), view.why_not(both))


@dataclass(frozen=True, slots=True)
class AskClaim(Screen):
    """Claim the flag?"""

    by: Side | None = None
    """Who touched the claim; None where it was touched for both."""

    def stays(self, view: View) -> bool:
        """While a flag is down in a live match."""
        return view.in_match and bool(view.clock.flags)

    def draw(self, page: Page, view: View) -> None:
        """Say what a claim does before it is made: the first flag decides."""
        first = view.clock.flags[0].side
        loser, winner = view.name(first), view.name(first.other)
        body, beside = sheet(page, view, _("Claim the flag of {name}?", name=loser))
        if view.phase is Phase.LATE and len(view.clock.flags) == 2:
            words = _("Both were absent until their time ran out: the match is forfeited by both.")
        elif view.phase is Phase.LATE:
            words = _("{loser} did not come in time: the match is forfeited, {winner} wins.", loser=loser, winner=winner)
        else:
            words = _("{loser}'s flag fell first: {winner} wins the match.", loser=loser, winner=winner)
        page.text(body, words, page.place.em(0.6), face="bold", lines=4)
        by = first.other if self.by is None else self.by
        page.button(beside, _("Claim: the match ends"), Do(c.ClaimFlag(by)), view.why_not(c.ClaimFlag(by)), kind="go")


@dataclass(frozen=True, slots=True)
class AskResign(Screen):
    """Who resigns the match?"""

    side: Side | None = None

    def stays(self, view: View) -> bool:
        """While the match goes on."""
        return view.in_match

    def draw(self, page: Page, view: View) -> None:
        """First who, then once more: a match cannot be resigned by one touch."""
        from kiosk.ui.actions import Turn

        if self.side is None:
            body, _beside = sheet(page, view, _("Who resigns the whole match?"))
            body = explained(page, body, _("To resign a game only, touch Game over and enter the opponent's win."))
            cells = body.rows(2, page.place.gap) if page.place.portrait else body.columns(2, page.place.gap)
            for side, cell in zip(SIDES, cells, strict=True):
                why = view.why_not(c.ResignMatch(side))
                page.button(cell, view.name(side), Turn(AskResign(side)), why, sub=_("resigns the match"), size=0.62)
            return
        loser, winner = view.name(self.side), view.name(self.side.other)
        body, beside = sheet(page, view, _("{name} resigns the match?", name=loser))
        page.text(
            body, _("{name} wins the match. The sheet is then signed by both.", name=winner), page.place.em(0.6), face="bold", lines=4
        )
        command = c.ResignMatch(self.side)
        page.button(beside, _("{name} resigns", name=loser), Do(command), view.why_not(command), kind="referee")
