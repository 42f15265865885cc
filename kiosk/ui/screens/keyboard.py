"""A keyboard on the panel: Latin, Cyrillic and Georgian in alphabetical order, keys wide enough for a finger. A real one types too."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain.replacing import replace
from kiosk.say import _
from kiosk.ui.actions import Close, Turn
from kiosk.ui.screens.base import Screen, sheet

if TYPE_CHECKING:
    from kiosk.ui.draw import Rect
    from kiosk.ui.page import Page
    from kiosk.ui.view import View

GEORGIAN = "ქარ"
"""Its letters have one form only."""

BOARDS = (
    ("ABC", "abcdefghijklmnopqrstuvwxyz'-.&0123456789"),
    ("ÁČŁ", "áàâäãåąæçćčďđéèêëěęíîïłñńňóôöõøőřšśşßțúûüűý"),
    ("ŽŻĞ", "žźżťůğıəșțăāēģīķļņŗūėįųìòùþðœ"),
    ("АБВ", "абвгдеёжзийклмнопрстуфхцчшщъыьэюя'-.&0123456"),
    ("ЉЇҐ", "ґєіїѓѕјљњќџђћў'-.&0123456789"),
    (GEORGIAN, "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ'-.&"),
    ("+/:", "+/:=*_()"),
)
"""(what stands on the key that leads there, its letters). Every name of the tables' countries can be typed."""

LONGEST = 60


class Form(Screen):
    """A screen with texts on it."""

    __slots__ = ()

    @abstractmethod
    def written(self, field: str, text: str) -> Screen:
        """The form with a text in one of its fields."""

    @abstractmethod
    def asks(self, field: str) -> str:
        """What is to be typed there, in words."""

    def letters(self, field: str) -> str:
        """The only letters that belong there, as they are to be typed; empty: any."""
        del field
        return ""


@dataclass(frozen=True, slots=True)
class Keyboard(Screen):
    """Type a name, a reason, a note."""

    form: Form
    """Where the text goes."""
    field: str
    """Which of its fields."""
    text: str = ""
    board: int = 0
    shift: bool = True

    def stays(self, view: View) -> bool:
        """As long as its form."""
        return self.form.stays(view)

    def entered(self) -> Close:
        """The text is typed."""
        return Close(self.form.written(self.field, " ".join(self.text.split())))

    def typed(self, text: str) -> Keyboard:
        """A letter, or a deletion (backspace)."""
        if text == "\b":
            kept = self.text[:-1]
            return replace(self, text=kept, shift=_upper_next(kept))
        kept = (self.text + "".join(ch for ch in text if ch.isprintable()))[:LONGEST]
        return replace(self, text=kept, shift=_upper_next(kept))

    def draw(self, page: Page, view: View) -> None:
        """The text as it stands, the letters, and the row that acts."""
        body, beside = sheet(page, view, self.form.asks(self.field))
        field, body = body.cut_top(page.place.touch, page.place.gap)
        page.box(field, page.theme.panel, page.place.touch // 8, page.theme.run_frame, 2)
        inner = field.inset(page.place.gap, 2)
        page.text(inner, f"{self.text}|", page.place.em(0.55), align="left")
        if page.place.portrait:
            acts, body = body.cut_bottom(page.place.touch, page.place.gap)
            done = beside
            shift, board, space, delete = acts.columns(4, page.place.gap)
        else:
            shift, board, space, delete, done = beside.columns(5, page.place.gap)
        self._letters(page, body)
        own = _("Only these letters belong here.") if self.form.letters(self.field) else None
        page.button(shift, "", Turn(replace(self, shift=not self.shift)), own, kind="chosen" if self.shift else "plain", sign="shift")
        following = (self.board + 1) % len(BOARDS)
        page.button(board, BOARDS[following][0], Turn(replace(self, board=following)), own)
        page.button(space, _("Space"), Turn(self.typed(" ")), own or (None if self.text else _("A text begins with a letter.")), size=0.34)
        page.button(delete, "", Turn(self.typed("\b")), None if self.text else _("Nothing has been typed yet."), sign="delete")
        page.button(done, _("Done"), self.entered(), kind="go")

    def _letters(self, page: Page, body: Rect) -> None:
        own = self.form.letters(self.field)
        letters = own or BOARDS[self.board][1]
        gap = max(2, page.place.gap // 2)
        columns = max(1, (body.w + gap) // (page.place.touch + gap))
        rows = -(-len(letters) // columns)
        full = _("There is no room for more than {n} letters.", n=LONGEST) if len(self.text) >= LONGEST else None
        high = min((body.h - gap * (rows - 1)) // rows, page.place.touch * 3 // 2)
        lines = [type(body)(body.x, body.y + row * (high + gap), body.w, high).columns(columns, gap) for row in range(rows)]
        for i, letter in enumerate(letters):
            row, column = divmod(i, columns)
            shown = letter.upper() if self.shift and not own and letter != "ß" and BOARDS[self.board][0] != GEORGIAN else letter
            page.button(lines[row][column], shown, Turn(self.typed(shown)), full, size=0.5)


def _upper_next(text: str) -> bool:
    return not text or text[-1] in " &-."
