"""What an official can do: one touch each to every tool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain.state import OVER, Phase
from kiosk.domain.types import SIDES, Pair, Side
from kiosk.say import _
from kiosk.session import commands as c
from kiosk.ui.actions import Do, Open, Seek
from kiosk.ui.changes import next_second
from kiosk.ui.screens.history import History
from kiosk.ui.screens.official.adjourned import Adjourned
from kiosk.ui.screens.official.board import BoardTools
from kiosk.ui.screens.official.card import RuleCard
from kiosk.ui.screens.official.earlier import EarlierRulings, earlier_words, how_many
from kiosk.ui.screens.official.frame import AskAct, OfficialScreen, official_sheet, signed_in_words, tiles
from kiosk.ui.screens.official.paper import paper_start
from kiosk.ui.screens.official.permits import Permits
from kiosk.ui.screens.official.ruling import ChooseInfraction
from kiosk.ui.screens.official.rulings import Rulings
from kiosk.ui.screens.official.time import TimeTools
from kiosk.ui.screens.record import Record, correctable
from kiosk.ui.view import ago
from kiosk.words import fact_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.ui.actions import Action
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


@dataclass(frozen=True, slots=True)
class Officials(OfficialScreen):
    """The officials' menu."""

    def changes(self, view: View) -> Iterator[int]:
        """Each second since the call."""
        table = view.shot.table
        if table.referee_called and table.call is not None:
            yield next_second(table.call.at, view.shot.at)

    def draw(self, page: Page, view: View) -> None:
        """Twelve large tiles, who is signed in, and the way out."""
        body, beside = official_sheet(page, view, signed_in_words(view))
        tiles(page, body, _entries(view))
        words = earlier_words(view)
        if words:
            before, beside = beside.cut_left(beside.w * 40 // 100, page.place.gap)
            page.button(
                before, _("Earlier rulings"), Open(EarlierRulings()), None if view.earlier() else words, sub=how_many(view), size=0.4
            )
        call, out = beside.columns(2, page.place.gap)
        page.text(call, call_words(view), page.place.em(0.36), page.theme.quiet, lines=3)
        page.button(out, _("Sign out"), Do(c.SignOut(), _("Signed out.")), view.why_not(c.SignOut()))


def call_words(view: View) -> str:
    """Who called, and since when."""
    table = view.shot.table
    if not table.referee_called or table.call is None:
        return ""
    since = ago(table.call.at, view.shot.at)
    if table.call.coming is not None:
        return _("called {time} ago; {name} is on the way", time=since, name=table.call.coming)
    by = table.call.by
    if by in {"left", "right"}:
        return _("{name} called {time} ago", name=view.name(Side(by)), time=since)
    return _("called {time} ago", time=since)


def _entries(view: View) -> list[tuple[str, Action, str | None]]:
    no_match = _("No match is open.") if view.phase is None else None
    undo = c.Undo("act")
    entries: list[tuple[str, Action, str | None]] = [
        (_("Rule on an infraction"), Open(ChooseInfraction()), no_match),
        (_("Rulings, appeals"), Open(Rulings()), no_match),
        _time_or_paper(view),
        (_("Cube, seats, game"), Open(BoardTools()), no_match or _over(view)),
        _game(view),
        (_("Dice, permissions"), Open(Permits()), no_match),
        _suspend(view),
        (_("Undo the last act"), Do(undo, _undone(view)), view.why_not(undo)),
        (_("Rule card"), Open(RuleCard()), None),
        (_("What happened"), Open(History()), no_match),
        _hand_in(view),
    ]
    if view.phase is Phase.STOPPED:
        entries.append((_("Resume the clock"), Do(c.Resume()), view.why_not(c.Resume())))
    return entries


def _time_or_paper(view: View) -> tuple[str, Action, str | None]:
    """Where no match goes on there is no clock to put right, but one from another table may be entered."""
    if view.in_match:
        return _("Time and clock"), Open(TimeTools()), None
    return _("Enter a paper result"), Open(paper_start(view)), None


def _undone(view: View) -> str:
    """What is said when the last act was undone: which one it was."""
    acts = view.shot.table.acts
    if not acts:
        return _("Undone.")
    names = Pair(view.name(Side.LEFT), view.name(Side.RIGHT))
    return _("Undone: {act}", act=fact_words(acts[-1].fact, names, view.setup, view.prefs.language))


def _over(view: View) -> str | None:
    return _("The match is over.") if view.phase in OVER else None


def _game(view: View) -> tuple[str, Action, str | None]:
    """Decide a disputed game, else correct the last one."""
    held = view.shot.table.awaiting
    if held is not None and held.disputed:
        return _("Decide the game"), Open(Record(held.winner, held.kind, held.cube)), None
    form, why = correctable(view) if view.phase is not None else (None, _("No match is open."))
    return _("Correct a game"), Open(form) if form is not None else Do(c.Undo()), None if form is not None else why


def _suspend(view: View) -> tuple[str, Action, str | None]:
    if view.phase is Phase.SUSPENDED:
        return _("Resume the match"), Do(c.ResumeMatch(), _("The match goes on; the clocks stand.")), view.why_not(c.ResumeMatch())
    if not view.in_match:
        return _("Suspended matches"), Seek(), None
    command = c.Suspend()
    ask = AskAct(_("Suspend the match?"), _("It goes on"), _("Suspended; all is kept for resuming it"), command)
    return _("Suspend the match"), Open(ask), view.why_not(command)


def _hand_in(view: View) -> tuple[str, Action, str | None]:
    if view.phase in OVER:
        command = c.Receive()
        ask = AskAct(_("Receive the sheet?"), _("Signed"), _("Handed in: the result is final"), command)
        return _("Receive the sheet"), Open(ask), view.why_not(command)
    if view.phase is Phase.SUSPENDED:
        return _("Another table or match"), Open(Adjourned()), None
    return _("Forfeit"), Open(AskForfeit()), None if view.in_match else _("No match is going on.")


@dataclass(frozen=True, slots=True)
class AskForfeit(OfficialScreen):
    """Who has forfeited the match?"""

    def draw(self, page: Page, view: View) -> None:
        """Left, right or both; then once more."""
        body, beside = official_sheet(page, view, _("Who has forfeited the match?"))
        cells = body.rows(2, page.place.gap) if page.place.portrait else body.columns(2, page.place.gap)
        for side, cell in zip(SIDES, cells, strict=True):
            page.button(cell, view.name(side), Open(_ask((side,), view)), _why((side,), view), size=0.6)
        page.button(beside, _("Both"), Open(_ask(SIDES, view)), _why(SIDES, view))


def _ask(sides: tuple[Side, ...], view: View) -> AskAct:
    names = " & ".join(view.name(side) for side in sides)
    return AskAct(_("Match forfeited by {names}?", names=names), view.score, _("The match is lost"), c.Forfeit(sides, ""), reason="")


def _why(sides: tuple[Side, ...], view: View) -> str | None:
    return view.why_not(c.Forfeit(sides, "x"))
