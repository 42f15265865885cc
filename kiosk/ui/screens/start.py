"""Before a match: regulation, length, time, names, seats. It opens with what was chosen last, so that one touch opens the same again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk.domain.errors import CommandRefused
from kiosk.domain.rulebook import Provide
from kiosk.domain.setup import LONGEST_MATCH, Options, resolve
from kiosk.domain.state import OVER, Phase
from kiosk.domain.types import NS_PER_S, Pair, Side, Span, span_text
from kiosk.say import LANGUAGES, _, n_, refusal
from kiosk.ui.actions import Begin, Close, Open, Prefer, Turn
from kiosk.ui.screens.base import Screen, sheet, title_line
from kiosk.ui.screens.chouette.start import ChouetteStart
from kiosk.ui.screens.keyboard import Form, Keyboard
from kiosk.ui.screens.steps import DELAY_STEPS, RESERVE_STEPS, stepper

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kiosk.domain.rulebook import Rulebook
    from kiosk.domain.setup import MatchSetup
    from kiosk.ui.draw import Rect
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


@dataclass(frozen=True, slots=True)
class Start(Form):
    """What is played, and by whom?"""

    rulebook: str = "ibgf"
    length: int | None = 7
    names: Pair[str] = Pair("", "")
    """As typed; two names of a pair with `&` between."""
    reserve: Span | None = None
    """An own reserve for each side, else as the regulation has it."""
    delay: Span | None = None
    """An own delay."""
    provide: Provide | None = None
    cube: bool | None = None
    crawford: bool | None = None
    jacoby: bool | None = None
    score: Pair[int] = Pair(0, 0)
    """The score at the opening: a match brought in late."""
    crawford_played: bool = False

    def stays(self, view: View) -> bool:
        """Until a match is open; an official may leave a suspended one behind for it."""
        chouette = view.shot.table.chouette
        if chouette is not None and not chouette.ended:
            return False
        return view.phase is None or view.phase in OVER or (view.phase is Phase.SUSPENDED and view.official is not None)

    def written(self, field: str, text: str) -> Start:
        """The form with a name; what has no letter is none."""
        return replace(self, names=self.names.put(Side(field), text if any(ch.isalnum() for ch in text) else ""))

    def asks(self, field: str) -> str:
        """Whose name."""
        seat = _("left") if field == Side.LEFT else _("right")
        return _("Name at the {seat}; two names with & between", seat=seat)

    def under(self, rulebook: str, length: int | None) -> Start:
        """The form for another regulation: what differed from the old one is put back."""
        return Start(rulebook, length, self.names)

    def players(self) -> Pair[tuple[str, ...]]:
        """The names as a setup has them; a seat without a name is called by its side."""
        return Pair(_people(self.names.left, _("Left")), _people(self.names.right, _("Right")))

    def setup(self, books: Mapping[str, Rulebook]) -> MatchSetup:
        """The whole setup.

        Raises:
            CommandRefused: `bad_value`, with a sentence for the form.
        """
        book = books[self.rulebook]
        options = Options(
            length=self.length,
            players=self.players(),
            reserve=None if self.reserve is None else Pair(self.reserve, self.reserve),
            delay=self.delay,
            provide=self.provide,
            cube=self.cube,
            crawford=self.crawford,
            jacoby=self.jacoby,
            score=self.score if self.score != Pair(0, 0) else None,
            crawford_played=self.crawford_played or None,
        )
        return resolve(book, options)

    def title(self, view: View) -> str:
        """What the form is for."""
        return _("New match") if not view.table_name else _("Table {name}: new match", name=view.table_name)

    def draw(self, page: Page, view: View) -> None:
        """Six tiles, each opening its choice; the words on the last button say what will be played."""
        place, gap = page.place, page.place.gap
        page.box(page.rect, page.theme.ground)
        body = page.rect.inset(gap, gap // 2)
        line, body = body.cut_top(place.touch * 7 // 10, gap // 2)
        title_line(page, line, view, self.title(view))
        bottom, body = body.cut_bottom(place.touch, gap)
        setup, why = self._resolved(view)
        self._bottom(page, bottom, view, setup, why)
        rows = body.rows(3, gap)
        self._first_row(page, rows[0], view)
        self._names(page, rows[1])
        self._last_row(page, rows[2], setup)

    def _resolved(self, view: View) -> tuple[MatchSetup | None, str | None]:
        try:
            return self.setup(view.books), None
        except CommandRefused as refused:
            return None, refusal(refused)

    def _bottom(self, page: Page, rect: Rect, view: View, setup: MatchSetup | None, why: str | None) -> None:
        from kiosk.ui.screens.menu import Menu

        if view.phase is None:
            menu, rest = rect.cut_left(page.place.touch, page.place.gap)
            page.button(menu, "", Open(Menu()), sign="menu")
        else:
            menu, rest = rect.cut_left(page.place.touch * 2, page.place.gap)
            page.button(menu, _("Back"), Close(), sign="back")
        speak, rest = rest.cut_left(rest.w * 26 // 100, page.place.gap)
        codes = list(LANGUAGES)
        following = codes[(codes.index(view.prefs.language) + 1) % len(codes)]
        page.button(speak, LANGUAGES[following], Prefer({"language": following}), size=0.4)
        label = _("Open a {n}-point match", n=self.length) if self.length is not None else _("Open a free session")
        sub = _sub(setup, view.books[self.rulebook]) if setup is not None else why or ""
        page.button(rest, label, Begin(), why, kind="go", sub=sub)

    def _first_row(self, page: Page, row: Rect, view: View) -> None:
        book, length = row.columns(2, page.place.gap)
        current = view.books[self.rulebook]
        page.button(book, current.title(view.prefs.language), Open(ChooseBook(self)), sub=_("regulation"), size=0.46)
        words = _("Free session") if self.length is None else n_("{n} point", "{n} points", self.length)
        page.button(length, words, Open(ChooseLength(self)), sub=_("length"), size=0.56)

    def _names(self, page: Page, row: Rect) -> None:
        left, rest = row.cut_left((row.w - page.place.touch - 2 * page.place.gap) // 2, page.place.gap)
        swap, right = rest.cut_left(page.place.touch, page.place.gap)
        for side, cell in ((Side.LEFT, left), (Side.RIGHT, right)):
            shown = self.names[side] or (_("Left") if side is Side.LEFT else _("Right"))
            sub = _("left; touch to change the name") if side is Side.LEFT else _("right; touch to change the name")
            page.button(cell, shown, Open(Keyboard(self, side, self.names[side])), sub=sub, size=0.5)
        swapped = replace(self, names=self.names.swapped(), score=self.score.swapped())
        page.button(swap, "", Turn(swapped), _("There is nothing to swap: both seats are alike.") if swapped == self else None, sign="swap")

    def _last_row(self, page: Page, row: Rect, setup: MatchSetup | None) -> None:
        time, more = row.columns(2, page.place.gap)
        own = self.reserve is not None or self.delay is not None
        words = _time_words(setup) if setup is not None else "–"
        page.button(time, words, Open(ChooseTime(self)), sub=_("own time") if own else _("time as the regulation says"), size=0.46)
        page.button(more, self._more_words(setup), Open(MoreOptions(self)), sub=_("what else was agreed"), size=0.4)

    def _more_words(self, setup: MatchSetup | None) -> str:
        if setup is None:
            return "–"
        parts = [_("cube") if setup.cube else _("no cube")]
        if setup.crawford and setup.cube and setup.length not in {None, 1}:
            parts.append(_("Crawford"))
        if setup.length is None and setup.cube:
            parts += [_("Jacoby")] if setup.jacoby else []
            parts += [_("automatic doubles")] if setup.automatic_doubles else []
        if setup.bonus:
            parts.append(_("bonus {time}", time=span_text(setup.bonus)))
        if setup.breaks:
            parts.append(_("breaks"))
        if self.score != Pair(0, 0):
            parts.append(f"{self.score.left} – {self.score.right}")
        return ", ".join(parts)


def _people(text: str, seat: str) -> tuple[str, ...]:
    names = tuple(part.strip() for part in text.split("&") if part.strip())
    return names or (seat,)


def _sub(setup: MatchSetup, book: Rulebook) -> str:
    """The time that will be played with, or what is unusual about it."""
    if not setup.warnings:
        return _time_words(setup)
    low, high = (span_text(span) for span in book.control.delay_range)
    return _("Unusual delay: {low} to {high} are usual.", low=low, high=high)


def _time_words(setup: MatchSetup | None) -> str:
    if setup is None or not setup.control.clocked:
        return _("no clock")
    seconds = -(-setup.control.delay // NS_PER_S)
    return _("{time} + {n} s delay", time=span_text(setup.reserve.left), n=seconds)


def as_last_time(setup: MatchSetup, books: Mapping[str, Rulebook]) -> Start:
    """The form that opens the same kind of match again, names included."""
    if setup.rulebook not in books:
        return Start()
    names = Pair(" & ".join(setup.players.left), " & ".join(setup.players.right))
    form = Start(setup.rulebook, setup.length, names)
    try:
        plain = form.setup(books)
    except CommandRefused:
        return form
    fresh_score = setup.score == Pair(0, 0)
    return replace(
        form,
        reserve=setup.reserve.left if fresh_score and setup.reserve != plain.reserve else None,
        delay=setup.control.delay if setup.control.delay != plain.control.delay else None,
        provide=setup.provide if setup.provide is not plain.provide else None,
        cube=setup.cube if setup.cube != plain.cube else None,
        crawford=setup.crawford if setup.crawford != plain.crawford else None,
        jacoby=setup.jacoby if setup.jacoby != plain.jacoby else None,
    )


# ── The choices ──────────────────────────────────────────────────────────────
def _grid(page: Page, body: Rect, count: int) -> list[Rect]:
    columns = 2 if page.place.portrait or count <= 4 else 3
    rows = -(-count // columns)
    return [cell for row in body.rows(max(rows, 2), page.place.gap) for cell in row.columns(columns, page.place.gap)]


@dataclass(frozen=True, slots=True)
class ChooseBook(Screen):
    """Which regulation?"""

    form: Start
    number: int = 0
    """Which page of them."""

    def stays(self, view: View) -> bool:
        """As long as its form."""
        return self.form.stays(view)

    def draw(self, page: Page, view: View) -> None:
        """Six a page, what differs from the regulation is put back."""
        body, beside = sheet(page, view, _("Regulation"))
        names = sorted(view.books, key=lambda name: name != self.form.rulebook) if len(view.books) <= 6 else sorted(view.books)
        pages = -(-len(names) // 6)
        for name, cell in zip(names[self.number * 6 : self.number * 6 + 6], _grid(page, body, min(6, len(names))), strict=False):
            book = view.books[name]
            length = self.form.length if self.form.length is None or self.form.length in book.lengths else book.lengths[-1]
            form = self.form.under(name, length)
            page.choice(cell, book.title(view.prefs.language), Close(form), chosen=name == self.form.rulebook, sub=name, size=0.44)
        if pages > 1:
            page.button(beside, _("More"), Turn(replace(self, number=(self.number + 1) % pages)), sign="right")


@dataclass(frozen=True, slots=True)
class ChooseLength(Screen):
    """How many points?"""

    form: Start

    def stays(self, view: View) -> bool:
        """As long as its form."""
        return self.form.stays(view)

    def draw(self, page: Page, view: View) -> None:
        """The regulation's lengths, a session without end, and any other number by steps."""
        body, beside = sheet(page, view, _("Points needed to win"))
        lengths: list[int | None] = [*view.books[self.form.rulebook].lengths, None]
        columns = 3
        rows = -(-(len(lengths) + 1) // columns)
        cells = [cell for row in body.rows(rows, page.place.gap) for cell in row.columns(columns, page.place.gap)]
        for n, cell in zip(lengths, cells, strict=False):
            words = _("Free session") if n is None else str(n)
            form = replace(self.form, length=n, score=Pair(0, 0), reserve=None)
            page.choice(cell, words, Close(form), chosen=self.form.length == n, size=0.6 if n else 0.42)
        if type(self.form) is Start:  # what is entered from paper is none
            page.button(cells[len(lengths)], _("Chouette"), Open(ChouetteStart()), sub=_("three players or more"), size=0.42)
        now = self.form.length or 1
        fewer, label, more, use = beside.columns(4, page.place.gap)
        page.button(
            fewer,
            "−",
            Turn(ChooseLength(replace(self.form, length=max(1, now - 1)))),
            _("A match has at least 1 point.") if now <= 1 else None,
            size=0.6,
        )
        page.text(label, str(now), page.place.em(0.6), face="bold")
        most = _("A match has at most {n} points.", n=LONGEST_MATCH) if now >= LONGEST_MATCH else None
        page.button(more, "+", Turn(ChooseLength(replace(self.form, length=min(LONGEST_MATCH, now + 1)))), most, size=0.6)
        page.button(use, _("Take {n}", n=now), Close(replace(self.form, length=now, score=Pair(0, 0))), kind="go", size=0.38)


@dataclass(frozen=True, slots=True)
class ChooseTime(Screen):
    """How much time?"""

    form: Start

    def stays(self, view: View) -> bool:
        """As long as its form."""
        return self.form.stays(view)

    def draw(self, page: Page, view: View) -> None:
        """As the regulation has it, a ready-made setting, or an own one by steps."""
        body, beside = sheet(page, view, _("Time for each side"))
        book = view.books[self.form.rulebook]
        plain = replace(self.form, reserve=None, delay=None)
        steps, body = body.cut_bottom(page.place.touch * 2 + page.place.gap, page.place.gap)
        options = [(_("As the regulation says"), _time_of(plain, view), plain)]
        for preset in book.presets:
            form = replace(self.form, length=preset.length, reserve=preset.reserve, delay=preset.delay, score=Pair(0, 0))
            options.append((preset.name(view.prefs.language), _time_of(form, view), form))
        cells = body.columns(min(3, len(options)), page.place.gap)
        for (label, sub, form), cell in zip(options, cells, strict=False):
            page.choice(cell, label, Close(form), chosen=form == self.form, sub=sub, size=0.4)
        self._steps(page, steps, view)
        page.button(beside, _("Take it"), Close(self.form), kind="go", sub=_time_of(self.form, view))

    def _steps(self, page: Page, rect: Rect, view: View) -> None:
        reserve, delay = self._now(view)
        upper, lower = rect.rows(2, page.place.gap)
        form = self.form
        label = _("reserve {time}", time=span_text(reserve))
        stepper(page, upper, label, reserve, RESERVE_STEPS, lambda value: Turn(ChooseTime(replace(form, reserve=value))))
        label = _("delay {n} s", n=delay // NS_PER_S)
        stepper(page, lower, label, delay, DELAY_STEPS, lambda value: Turn(ChooseTime(replace(form, delay=value))))

    def _now(self, view: View) -> tuple[Span, Span]:
        try:
            setup = self.form.setup(view.books)
        except CommandRefused:
            return self.form.reserve or Span(0), self.form.delay or Span(0)
        return setup.reserve.left, setup.control.delay


def _time_of(form: Start, view: View) -> str:
    try:
        return _time_words(form.setup(view.books))
    except CommandRefused as refused:
        return refusal(refused)


@dataclass(frozen=True, slots=True)
class MoreOptions(Screen):
    """What else was agreed?"""

    form: Start

    def stays(self, view: View) -> bool:
        """As long as its form."""
        return self.form.stays(view)

    def draw(self, page: Page, view: View) -> None:
        """What the match offers, cube and Crawford, and the score with which it is opened."""
        body, beside = sheet(page, view, _("What else was agreed"))
        try:
            setup = self.form.setup(view.books)
        except CommandRefused:
            setup = Start(self.form.rulebook, view.books[self.form.rulebook].lengths[-1]).setup(view.books)
        rows = body.rows(4, page.place.gap)
        self._provide(page, rows[0], setup)
        self._flags(page, rows[1], setup)
        self._scores(page, rows[2])
        played = self.form.crawford_played
        page.choice(
            rows[3],
            _("The Crawford game was played before"),
            Turn(MoreOptions(replace(self.form, crawford_played=not played))),
            chosen=played,
            size=0.4,
        )
        page.button(beside, _("Done"), Close(self.form), kind="go")

    def _provide(self, page: Page, row: Rect, setup: MatchSetup) -> None:
        words = {Provide.BONUS: _("bonus time"), Provide.BREAKS: _("breaks"), Provide.NEITHER: _("neither")}
        for value, cell in zip(words, row.columns(3, page.place.gap), strict=True):
            form = self.form if setup.provide is value else replace(self.form, provide=value)
            page.choice(cell, words[value], Turn(MoreOptions(form)), chosen=setup.provide is value)

    def _flags(self, page: Page, row: Rect, setup: MatchSetup) -> None:
        session = self.form.length is None
        no_match = _("The Crawford rule belongs to matches.") if session else None
        no_session = None if session else _("The Jacoby rule belongs to free sessions.")
        cells = row.columns(3, page.place.gap)
        page.choice(cells[0], _("Cube"), Turn(MoreOptions(replace(self.form, cube=not setup.cube))), chosen=setup.cube)
        crawford = replace(self.form, crawford=not setup.crawford)
        page.choice(cells[1], _("Crawford"), Turn(MoreOptions(crawford)), no_match, chosen=setup.crawford and not session)
        page.choice(cells[2], _("Jacoby"), Turn(MoreOptions(replace(self.form, jacoby=not setup.jacoby))), no_session, chosen=setup.jacoby)

    def _scores(self, page: Page, row: Rect) -> None:
        for side, half in zip((Side.LEFT, Side.RIGHT), row.columns(2, page.place.gap * 2), strict=True):
            less, label, more = half.columns(3, page.place.gap)
            now = self.form.score[side]
            most = (self.form.length or 100) - 1
            down, up = (replace(self.form, score=self.form.score.put(side, max(0, n))) for n in (now - 1, min(most, now + 1)))
            page.button(less, "−", Turn(MoreOptions(down)), _("A score is not below 0.") if now <= 0 else None, size=0.6)
            seat = self.form.names[side] or (_("Left") if side is Side.LEFT else _("Right"))
            page.text(label, f"{seat}: {now}", page.place.em(0.4), lines=3)
            page.button(more, "+", Turn(MoreOptions(up)), _("More would have won the match.") if now >= most else None, size=0.6)
