"""A ruling in four touches from signing in: Rule, the infraction, the side, and the button that rules as the table suggests."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk.domain.errors import CommandRefused
from kiosk.domain.rulebook import Sanction
from kiosk.domain.rulings import Suggestion
from kiosk.domain.types import SIDES, Side
from kiosk.say import _
from kiosk.session import commands as c
from kiosk.session import same_within_a_minute, suggestion
from kiosk.session.advice import SAME_WITHIN
from kiosk.ui.actions import Do, Open, Turn
from kiosk.ui.draw import Rect
from kiosk.ui.screens.keyboard import Form, Keyboard
from kiosk.ui.screens.official.earlier import earlier_words
from kiosk.ui.screens.official.frame import OfficialScreen, official_sheet, signed_in_words, weighted
from kiosk.words import capital, ground_words, kind_words, sanction_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.domain.rulebook import Infraction, Kind
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


_CHOICES: tuple[Sanction | None, ...] = (None, *Sanction)
"""What may follow: nothing but the record, or a sanction."""


@dataclass(frozen=True, slots=True)
class ChooseInfraction(OfficialScreen):
    """What was it?"""

    number: int = 0
    serious: bool | None = None
    """Only these; None shows all."""

    def draw(self, page: Page, view: View) -> None:
        """As many as have room, two columns; the rest a touch away."""
        body, beside = official_sheet(page, view, _("What was it?"))
        if page.place.portrait:
            filters, body = body.cut_bottom(page.place.touch, page.place.gap)
            every, minor, serious, more = *filters.columns(3, page.place.gap), beside
        else:
            every, minor, serious, more = beside.columns(4, page.place.gap)
        known = [one for one in view.setup.infractions if self.serious is None or one.serious is self.serious]
        rows = max(1, (body.h + page.place.gap) // (page.place.touch + page.place.gap))
        columns = 1 if page.place.portrait else 2
        room = rows * columns
        pages = max(1, -(-len(known) // room))
        number = self.number % pages
        cells = [cell for row in body.rows(rows, page.place.gap) for cell in row.columns(columns, page.place.gap)]
        for one, cell in zip(known[number * room : number * room + room], cells, strict=False):
            page.button(cell, one.title(view.prefs.language), Open(RuleOn(one.code)), None, sub=one.article, size=0.4)
        page.choice(every, _("All"), Turn(ChooseInfraction()), chosen=self.serious is None, size=0.36)
        page.choice(minor, _("Minor"), Turn(ChooseInfraction(0, serious=False)), chosen=self.serious is False, size=0.36)
        page.choice(serious, _("Serious"), Turn(ChooseInfraction(0, serious=True)), chosen=self.serious is True, size=0.36)
        single = _("There are no more.") if pages == 1 else None
        page.button(more, f"{number + 1} / {pages}", Turn(replace(self, number=number + 1)), single, sign="right", size=0.36)


@dataclass(frozen=True, slots=True)
class RuleOn(OfficialScreen, Form):
    """Who, and what follows?"""

    code: str
    sides: tuple[Side, ...] = ()
    sanction: Sanction | None = None
    """None: as suggested."""
    kind: Kind | None = None
    note: str = ""
    panel: str = ""
    affects_play: bool = False
    record_only: bool = False
    """No sanction, whatever is suggested."""

    def written(self, field: str, text: str) -> RuleOn:
        """The note, or the panel's names."""
        return replace(self, note=text) if field == "note" else replace(self, panel=text)

    def asks(self, field: str) -> str:
        """What is typed."""
        return _("Note on the ruling") if field == "note" else _("Who decided; names with & between")

    def draw(self, page: Page, view: View) -> None:
        """Sides, the suggestion with its ground, the sanctions, and one button."""
        infraction = next((one for one in view.setup.infractions if one.code == self.code), None)
        title = self.code if infraction is None else infraction.title(view.prefs.language)
        body, beside = official_sheet(page, view, title)
        gap, lines = page.place.gap, 2 if page.place.portrait else 1
        rows = body.rows(3 + lines, gap)
        self._sides(page, rows[0], view, infraction)
        advice = self._advice(view)
        self._suggestion(page, rows[1], view, advice, infraction)
        area = Rect(body.x, rows[2].y, body.w, rows[1 + lines].bottom - rows[2].y)
        labels = [capital(sanction_words(one)) for one in _CHOICES]
        sanctions = weighted(area, labels, lines, gap, page.place.touch)
        self._sanctions(page, sanctions, advice)
        self._more(page, rows[-1], view, advice)
        self._rule(page, beside, view, advice)

    def changes(self, view: View) -> Iterator[int]:
        """When the same penalty is the same no more."""
        twin = same_within_a_minute(view.shot.table, self.sides, self.code, view.shot.at)
        if twin is not None:
            yield twin.at + SAME_WITHIN + 1

    def _advice(self, view: View) -> Suggestion | None:
        if not self.sides:
            return None
        try:
            return suggestion(view.shot.table, self.sides, self.code, affects_play=self.affects_play)
        except CommandRefused:
            return None

    def _sides(self, page: Page, rect: Rect, view: View, infraction: Infraction | None) -> None:
        left, right, both = rect.columns(3, page.place.gap)
        for side, cell in zip(SIDES, (left, right), strict=True):
            page.choice(cell, view.name(side), Turn(replace(self, sides=(side,))), chosen=self.sides == (side,), size=0.44)
        sub = _("usual here") if infraction is not None and infraction.both else ""
        page.choice(both, _("Both"), Turn(replace(self, sides=SIDES)), chosen=self.sides == SIDES, sub=sub)

    def _suggestion(self, page: Page, rect: Rect, view: View, advice: Suggestion | None, infraction: Infraction | None) -> None:
        page.box(rect, page.theme.panel, page.place.touch // 8)
        words = _("Touch who it was; the table then suggests what follows.")
        if advice is not None:
            words = _(
                "Suggested: {sanction}, {ground} ({article})",
                sanction=sanction_words(advice.sanction),
                ground=ground_words(advice.ground),
                article=advice.article,
            )
            if advice.earlier is not None:
                words += ". " + _("Rests on ruling {n}.", n=advice.earlier)
            if advice.panel:
                words += ("" if words.endswith(".") else ".") + " " + _("May be referred to the panel.")
        elif infraction is not None and self.sides:
            words = infraction.article
        before = earlier_words(view, self.sides, self.code) if self.sides else ""
        page.text(rect.inset(page.place.gap, 2), f"{words}\n{before}" if before else words, page.place.em(0.4), align="left", lines=3)

    def _chosen(self, advice: Suggestion | None) -> Sanction | None:
        if self.sanction is None and not self.record_only and advice is not None:
            return advice.sanction
        return self.sanction

    def _sanctions(self, page: Page, cells: list[Rect], advice: Suggestion | None) -> None:
        """What is chosen: as suggested, until another one is touched; what is shown as chosen already stays as it is."""
        chosen, decided = self._chosen(advice), advice is not None or self.record_only or self.sanction is not None
        for one, cell in zip(_CHOICES, cells, strict=True):
            suggested, is_it = advice is not None and advice.sanction is one, decided and chosen is one
            other = replace(self, sanction=None if suggested else one, record_only=one is None and not suggested)
            page.choice(cell, capital(sanction_words(one)), Turn(self if is_it else other), chosen=is_it, size=0.36)

    def _more(self, page: Page, rect: Rect, view: View, advice: Suggestion | None) -> None:
        affects, note, third = rect.columns(3, page.place.gap)
        page.choice(
            affects, _("It affected play"), Turn(replace(self, affects_play=not self.affects_play)), chosen=self.affects_play, size=0.36
        )
        page.button(note, self.note or _("Note"), Open(Keyboard(self, "note", self.note)), size=0.36)
        chosen = self._chosen(advice)
        if chosen is Sanction.GAME_LOSS:
            kinds = [kind for kind, _factor in view.setup.kinds]
            shown = self.kind or kinds[0]
            following = kinds[(kinds.index(shown) + 1) % len(kinds)]
            page.button(
                third,
                _("Lost as {kind}", kind=kind_words(shown)),
                Turn(replace(self, kind=following)),
                sub=_("next kind"),
                size=0.36,
            )
        else:
            why = None if chosen is Sanction.EXPULSION else _("The panel's names belong to an expulsion.")
            page.button(third, self.panel or _("Panel's names"), Open(Keyboard(self, "panel", self.panel)), why, size=0.36)

    def _command(self, advice: Suggestion | None) -> c.Rule:
        panel = tuple(part.strip() for part in self.panel.split("&") if part.strip())
        kind = self.kind if self._chosen(advice) is Sanction.GAME_LOSS else None
        return c.Rule(self.sides, self.code, self.sanction, kind, self.note, panel, None, self.affects_play, self.record_only)

    def _rule(self, page: Page, rect: Rect, view: View, advice: Suggestion | None) -> None:
        command = self._command(advice)
        if not self.sides:
            page.button(rect, _("Rule"), Do(command), _("First touch who it was."))
            return
        twin = same_within_a_minute(view.shot.table, self.sides, self.code, view.shot.at)
        names = " & ".join(view.name(side) for side in self.sides)
        label = f"{capital(sanction_words(self._chosen(advice)))}: {names}"
        said = _("On record; Undo takes it back.")
        if twin is None:
            page.button(rect, label, Do(command, said), view.why_not(command), kind="go", sub=signed_in_words(view))
            return
        keep, merge = (replace(command, duplicate=what) for what in ("keep", "merge"))
        one, other = rect.columns(2, page.place.gap)
        page.button(one, _("Same as ruling {n}: merge", n=twin.id), Do(merge, said), view.why_not(merge), kind="go", size=0.36)
        page.button(other, _("Another one: keep both"), Do(keep, said), view.why_not(keep), size=0.36)
