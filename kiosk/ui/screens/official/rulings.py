"""The rulings of this match, what became of them, and appeals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk.domain.facts import AppealTo, Outcome
from kiosk.domain.rulebook import Sanction
from kiosk.domain.rulings import Ground
from kiosk.domain.types import SIDES
from kiosk.say import _
from kiosk.session import appeal_goes_to
from kiosk.session import commands as c
from kiosk.ui.actions import Do, Open, Turn
from kiosk.ui.draw import Rect
from kiosk.ui.screens.base import Screen
from kiosk.ui.screens.keyboard import Form, Keyboard
from kiosk.ui.screens.official.frame import AskAct, official_sheet, signed_in_words, weighted
from kiosk.words import appeal_to_words, capital, ground_words, infraction_words, outcome_words, reason_told, role_words, sanction_words

if TYPE_CHECKING:
    from kiosk.domain.state import Appeal, Ruling
    from kiosk.domain.types import Side
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


def ruling_words(ruling: Ruling, view: View) -> str:
    """A ruling on one line."""
    names = " & ".join(view.name(side) for side in ruling.sides)
    title = infraction_words(view.shot.table.setup, ruling.infraction, view.prefs.language)
    words = f"{ruling.id}. {names}: {title}, {sanction_words(ruling.sanction)}"
    if not ruling.void:
        return words
    instead = next((one for one in view.shot.table.rulings if one.ground == ON_APPEAL and one.earlier == ruling.id), None)
    if instead is not None:
        return _("{ruling} (now ruling {n})", ruling=words, n=instead.id)
    return _("{ruling} (fell on appeal)", ruling=words) if _decided_so(ruling, view) else _("{ruling} (taken back)", ruling=words)


ON_APPEAL = "appeal"
"""What a ruling rests on that takes another one's place on appeal."""


def _decided_so(ruling: Ruling, view: View) -> bool:
    """Whether it is void because an appeal was decided so, not because somebody took it back."""
    return any(appeal.ruling == ruling.id and appeal.outcome == ruling.why_void for appeal in view.shot.table.appeals)


def open_appeal(ruling: Ruling, view: View) -> Appeal | None:
    """The appeal against a ruling that waits for its decision."""
    return next((a for a in view.shot.table.appeals if a.ruling == ruling.id and a.outcome is None), None)


@dataclass(frozen=True, slots=True)
class Rulings(Screen):
    """What has been ruled?"""

    number: int = 0
    side: Side | None = None
    """Only rulings that name this side."""
    standing: bool = False
    """Only those that stand."""

    def stays(self, view: View) -> bool:
        """While a match is on the table."""
        return view.phase is not None

    def draw(self, page: Page, view: View) -> None:
        """The newest first; a touch opens one."""
        body, beside = official_sheet(page, view, _("Rulings"))
        if page.place.portrait:
            filters, body = body.cut_bottom(page.place.touch, page.place.gap)
            left, right, standing, more = *filters.columns(3, page.place.gap), beside
        else:
            left, right, standing, more = beside.columns(4, page.place.gap)
        found = [
            r for r in reversed(view.shot.table.rulings) if (self.side is None or self.side in r.sides) and not (self.standing and r.void)
        ]
        high = page.place.touch * (3 if page.place.portrait else 2) // 2
        rows = max(1, (body.h + page.place.gap) // (high + page.place.gap))
        pages = max(1, -(-len(found) // rows))
        number = self.number % pages
        for ruling, cell in zip(found[number * rows : number * rows + rows], body.rows(rows, page.place.gap), strict=False):
            waits = open_appeal(ruling, view)
            sub = _("appeal {n} is open", n=waits.id) if waits is not None else _("game {n}, by {name}", n=ruling.game, name=ruling.by.name)
            page.button(cell, ruling_words(ruling, view), Open(OneRuling(ruling.id)), sub=sub, size=0.38)
        if not found:
            words = _("No ruling is like that.") if view.shot.table.rulings else _("There are no rulings.")
            page.text(body, words, page.place.em(0.44), page.theme.quiet)
        for side, cell in zip(SIDES, (left, right), strict=True):
            page.choice(
                cell,
                view.name(side),
                Turn(Rulings(0, None if self.side is side else side, self.standing)),
                chosen=self.side is side,
                size=0.34,
            )
        page.choice(standing, _("Standing"), Turn(Rulings(0, self.side, not self.standing)), chosen=self.standing, size=0.34)
        single = _("There are no more.") if pages == 1 else None
        page.button(more, f"{number + 1} / {pages}", Turn(replace(self, number=number + 1)), single, sign="right", size=0.36)


@dataclass(frozen=True, slots=True)
class OneRuling(Screen):
    """One ruling."""

    ruling: int

    def stays(self, view: View) -> bool:
        """While it is on record."""
        return self.ruling <= len(view.shot.table.rulings)

    def draw(self, page: Page, view: View) -> None:
        """All of it in words; taking back, appealing, deciding."""
        ruling = view.shot.table.rulings[self.ruling - 1]
        body, beside = official_sheet(page, view, _("Ruling {n}", n=ruling.id))
        acts, body = body.cut_bottom(page.place.touch, page.place.gap)
        page.box(body, page.theme.panel, page.place.touch // 6)
        page.text(body.inset(page.place.gap), _all_words(ruling, view), page.place.em(0.4), align="left", lines=16)
        waits = open_appeal(ruling, view)
        for side, cell in zip(SIDES, acts.columns(2, page.place.gap), strict=True):
            appeal = c.LodgeAppeal(ruling.id, side)
            ask = AskAppeal(ruling.id, side)
            page.button(cell, _("{name} appeals", name=view.name(side)), Open(ask), view.why_not(appeal), size=0.38)
        decide, void = beside.columns(2, page.place.gap)
        none = _("No appeal against this ruling is open.")
        page.button(
            decide,
            _("Decide the appeal"),
            Open(Decide(0 if waits is None else waits.id)),
            none if waits is None else _may_decide(waits, view),
            size=0.38,
        )
        command = c.Void(ruling.id, "x")
        ask_void = AskAct(
            _("Take ruling {n} back?", n=ruling.id),
            ruling_words(ruling, view),
            _("taken back; what it did comes off again"),
            replace(command, reason=""),
            reason="",
        )
        page.button(void, _("Take it back"), Open(ask_void), view.why_not(command), size=0.38)


def _all_words(ruling: Ruling, view: View) -> str:
    lines = [ruling_words(ruling, view), _("by {name}, {role}", name=ruling.by.name, role=role_words(ruling.by.role))]
    if ruling.ground in _GROUNDS:
        lines.append(
            _("Suggested: {sanction}, {ground}", sanction=sanction_words(ruling.suggested), ground=ground_words(_GROUNDS[ruling.ground]))
        )
    if ruling.ground == ON_APPEAL:
        lines.append(_("On appeal, in place of ruling {n}", n=ruling.earlier))
    if ruling.note:
        lines.append(_("Note: {note}", note=ruling.note))
    if ruling.panel:
        lines.append(_("Decided by {names}", names=", ".join(ruling.panel)))
    if ruling.void and not _decided_so(ruling, view):
        lines.append(_("Taken back: {reason}", reason=reason_told(ruling.why_void)))
    return "\n".join([*lines, *(_appeal_words(appeal, view) for appeal in view.shot.table.appeals if appeal.ruling == ruling.id)])


def _appeal_words(appeal: Appeal, view: View) -> str:
    outcome = _("open") if appeal.outcome is None else outcome_words(appeal.outcome)
    name, to = view.name(appeal.by), appeal_to_words(appeal.to)
    words = _("Appeal {n} by {name} to {to}: {outcome}", n=appeal.id, name=name, to=to, outcome=outcome)
    return f"{words} ({', '.join(appeal.names)})" if appeal.names else words


_GROUNDS = {str(ground): ground for ground in Ground}


def _may_decide(appeal: Appeal, view: View) -> str | None:
    names = ("x",) if appeal.to is AppealTo.COMMITTEE else ()
    return view.why_not(c.DecideAppeal(appeal.id, Outcome.UPHELD, names))


@dataclass(frozen=True, slots=True)
class AskAppeal(Screen):
    """Lodge the appeal?"""

    ruling: int
    side: Side

    def stays(self, view: View) -> bool:
        """While the ruling is on record."""
        return self.ruling <= len(view.shot.table.rulings)

    def draw(self, page: Page, view: View) -> None:
        """Against what, and where it goes."""
        ruling = view.shot.table.rulings[self.ruling - 1]
        body, beside = official_sheet(page, view, _("{name} appeals against ruling {n}?", name=view.name(self.side), n=ruling.id))
        where, words = body.cut_bottom(body.h // 3, page.place.gap)
        page.text(words, ruling_words(ruling, view), page.place.em(0.5), face="bold", lines=4)
        to = appeal_to_words(appeal_goes_to(view.shot.table, ruling))
        page.text(where, _("It goes to {to}; the ruling holds until it is decided.", to=to), page.place.em(0.42), page.theme.quiet, lines=3)
        command = c.LodgeAppeal(ruling.id, self.side)
        page.button(
            beside,
            _("Lodge the appeal"),
            Do(command, _("The appeal is lodged; the ruling holds until it is decided.")),
            view.why_not(command),
            kind="go",
        )


@dataclass(frozen=True, slots=True)
class Decide(Form):
    """How was the appeal decided?"""

    appeal: int
    outcome: Outcome | None = None
    names: str = ""

    def stays(self, view: View) -> bool:
        """While it waits."""
        appeals = view.shot.table.appeals
        return view.official is not None and 1 <= self.appeal <= len(appeals) and appeals[self.appeal - 1].outcome is None

    def written(self, field: str, text: str) -> Decide:
        """Who decided."""
        del field
        return replace(self, names=text)

    def asks(self, field: str) -> str:
        """Who decided."""
        del field
        return _("Who decided; names with & between")

    def draw(self, page: Page, view: View) -> None:
        """The ruling, the outcomes, the names, one button."""
        appeal = view.shot.table.appeals[self.appeal - 1]
        ruling = view.shot.table.rulings[appeal.ruling - 1]
        body, beside = official_sheet(page, view, _("Appeal {n}: how was it decided?", n=appeal.id))
        lines = 2 if page.place.portrait else 1
        rows = body.rows(3 + lines, page.place.gap)
        page.text(rows[0], ruling_words(ruling, view), page.place.em(0.42), align="left", lines=2)
        self._outcomes(page, (Outcome.UPHELD, Outcome.VOID), rows[1].columns(2, page.place.gap))
        area = Rect(body.x, rows[2].y, body.w, rows[1 + lines].bottom - rows[2].y)
        labels = [capital(sanction_words(one)) for one in Sanction]
        cells = weighted(area, labels, lines, page.place.gap, page.place.touch)
        self._outcomes(page, tuple(Outcome(one) for one in Sanction), cells)
        page.button(rows[-1], self.names or _("Names of those who decided"), Open(Keyboard(self, "names", self.names)), size=0.4)
        names = tuple(part.strip() for part in self.names.split("&") if part.strip())
        outcome = self.outcome or Outcome.UPHELD
        command = c.DecideAppeal(appeal.id, outcome, names)
        why = _("First touch how it was decided.") if self.outcome is None else view.why_not(command)
        page.button(
            beside,
            _("Decide: {outcome}", outcome=outcome_words(outcome)) if self.outcome else _("Decide"),
            Do(command, _("The appeal is decided.")),
            why,
            kind="go",
            sub=signed_in_words(view),
        )

    def _outcomes(self, page: Page, outcomes: tuple[Outcome, ...], cells: list[Rect]) -> None:
        for one, cell in zip(outcomes, cells, strict=True):
            page.choice(cell, capital(outcome_words(one)), Turn(replace(self, outcome=one)), chosen=self.outcome is one, size=0.36)
