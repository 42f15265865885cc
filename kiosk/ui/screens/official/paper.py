"""A match that was played without a device, entered from its paper sheet: what was played, the games, how it ended, and all of it.

A game takes one touch, on who won it; what was no plain win is chosen before. Nothing is entered before the last page.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from kiosk.domain.asked import cube_in_play, game_points, plain_score, score_of, standing_of
from kiosk.domain.errors import CommandRefused
from kiosk.domain.facts import OnPaper
from kiosk.domain.state import CUBE_VALUES, OVER, Game, Table
from kiosk.domain.types import SIDES, Pair, Side
from kiosk.say import _, mark, refusal
from kiosk.session import commands as c
from kiosk.session import ended_on_paper, on_paper
from kiosk.ui.actions import Close, EnterSheet, Open, Turn
from kiosk.ui.draw import Rect
from kiosk.ui.screens.keyboard import Keyboard
from kiosk.ui.screens.official.frame import OfficialScreen, frame, grid, official_sheet, signed_in_words
from kiosk.ui.screens.start import Start, as_last_time
from kiosk.words import capital, kind_words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kiosk.domain.rulebook import Kind, Rulebook
    from kiosk.domain.setup import MatchSetup
    from kiosk.ui.page import Page
    from kiosk.ui.view import View

PLAYED = "played"
"""The field of the form that no seat is."""

BOTH_SIGNED = Pair(OnPaper.YES, OnPaper.YES)
"""Decision: a paper sheet is signed as a rule; the last page shows it, and a touch changes it."""

SIGNED = {OnPaper.YES: mark("signed"), OnPaper.PROTEST: mark("signed under protest"), OnPaper.NO: mark("not signed")}


@dataclass(frozen=True, slots=True)
class PaperStart(Start):
    """What was played on paper, and by whom? The form keeps all that is entered on the pages after it."""

    games: tuple[c.PaperGame, ...] = ()
    end: c.PaperEnd | None = None
    played: str = ""
    """When it was played, and the sheet's number."""
    signed: Pair[OnPaper] = BOTH_SIGNED

    def stays(self, view: View) -> bool:
        """While an official is signed in, and no match goes on here."""
        return view.official is not None and (view.phase is None or view.phase in OVER)

    def written(self, field: str, text: str) -> Start:
        """The form with a name, or with when it was played."""
        return replace(self, played=text) if field == PLAYED else Start.written(self, field, text)

    def asks(self, field: str) -> str:
        """Whose name, or when."""
        return _("When it was played, and the sheet's number") if field == PLAYED else Start.asks(self, field)

    def under(self, rulebook: str, length: int | None) -> Start:
        """The same paper under another regulation."""
        return PaperStart(rulebook, length, self.names, games=self.games, end=self.end, played=self.played, signed=self.signed)

    def command(self, match: str, books: Mapping[str, Rulebook]) -> c.EnterPaper:
        """What enters it.

        Raises:
            CommandRefused: `bad_value`: no match could be opened so.
        """
        return c.EnterPaper(match, self.setup(books), self.games, self.end, self.played, self.signed)

    def name_of(self, side: Side) -> str:
        """Who sat at a side."""
        return " & ".join(self.players()[side])

    def title(self, view: View) -> str:
        """What this page is about."""
        del view
        return _("A match on paper: what was played?")

    def draw(self, page: Page, view: View) -> None:
        """The start form in the officials' frame, without what concerns a clock."""
        Start.draw(self, page, view)
        frame(page, view)

    def _bottom(self, page: Page, rect: Rect, view: View, setup: MatchSetup | None, why: str | None) -> None:
        del view, setup
        back, rest = rect.cut_left(max(page.place.touch * 2, rect.w // 5), page.place.gap)
        page.button(back, _("Back"), Close(), sign="back")
        if not all(name.strip(" &") for name in (self.names.left, self.names.right)):
            why = why or _("Enter both names first.")
        page.button(rest, _("Next: the games"), Open(PaperGames(self)), why, kind="go", sub=why or "")

    def _last_row(self, page: Page, row: Rect, setup: MatchSetup | None) -> None:
        from kiosk.ui.screens.start import MoreOptions

        played, more = row.columns(2, page.place.gap)
        page.button(played, self.played or "–", Open(Keyboard(self, PLAYED, self.played)), sub=_("when, and which sheet"), size=0.46)
        page.button(more, self._more_words(setup), Open(MoreOptions(self)), sub=_("what else was agreed"), size=0.4)


def paper_start(view: View) -> PaperStart:
    """The form for a paper sheet: what is played here is most likely what was played there; the names are others."""
    setup = view.shot.table.setup
    if setup is None:
        return PaperStart()
    last = as_last_time(setup, view.books)
    return PaperStart(last.rulebook, last.length, cube=last.cube, crawford=last.crawford, jacoby=last.jacoby)


class PaperPage(OfficialScreen):
    """A page of the entry."""

    __slots__ = ()
    form: PaperStart

    def stays(self, view: View) -> bool:
        """As long as its form."""
        return self.form.stays(view)


def _tried(setup: MatchSetup, games: tuple[c.PaperGame, ...]) -> tuple[Table, str | None]:
    """The table after as many of the games as there can be, and why not after all."""
    why = None
    while True:
        try:
            return on_paper(setup, games), why
        except CommandRefused as refused:
            why, games = refusal(refused), games[:-1]


# ── The games ────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class PaperGames(PaperPage):
    """Who won the next game?"""

    form: PaperStart
    kind: Kind | None = None
    """None: the plain one."""
    cube: int = 1

    def escape(self) -> Close:
        """Back to what was played; the games stay."""
        return Close(self.form)

    def draw(self, page: Page, view: View) -> None:
        """Kind and cube, two large buttons that enter the game, and the games so far."""
        setup = self.form.setup(view.books)
        table, why = _tried(setup, self.form.games)
        score = score_of(table)
        over = table.phase in OVER
        title = _("Who won game {n}? It stands {left} – {right}", n=len(self.form.games) + 1, left=score.left, right=score.right)
        if over:
            title = _("Over after {n} games: {left} – {right}", n=len(self.form.games), left=score.left, right=score.right)
        body, beside = official_sheet(page, view, title, self.escape())
        if page.place.portrait:
            rest, form = body.cut_bottom(body.h * 35 // 100, page.place.gap)
        else:
            form, rest = body.cut_left(body.w * 60 // 100, page.place.gap * 2)
        self._kinds(page, form, setup, table, why)
        _list(page, rest, self.form, setup, table)
        self._buttons(page, beside, over=over and why is None, why=why)

    def _kinds(self, page: Page, body: Rect, setup: MatchSetup, table: Table, why: str | None) -> None:
        gap, portrait = page.place.gap, page.place.portrait
        rows = body.rows(4 if portrait else 3, gap)
        kinds = setup.kinds
        shown = kinds[0][0] if self.kind not in dict(kinds) or self.kind is None else self.kind
        if why is None and table.phase in OVER:
            why = _("The match is over; take a game back to enter it anew.")
        for (kind, factor), cell in zip(kinds, rows[0].columns(len(kinds), gap), strict=True):
            there = self if shown is kind else replace(self, kind=kind)
            page.choice(cell, kind_words(kind), Turn(there), why, chosen=shown is kind, sub=f"× {factor}", size=0.46)
        no_cube = None if cube_in_play(table) else _("This game is played without a cube.")
        cube = self.cube if no_cube is None else 1
        cubes = rows[1] if not portrait else Rect(rows[1].x, rows[1].y, rows[1].w, rows[2].bottom - rows[1].y)
        for n, cell in zip(CUBE_VALUES, grid(cubes, len(CUBE_VALUES), 2 if portrait else 1, gap // 2 + 1), strict=True):
            at = self if n == cube else replace(self, cube=n)
            page.button(cell, str(n), Turn(at), why or no_cube, kind="chosen" if n == cube else "plain", size=0.5)
        points = game_points(setup, shown, cube, automatic=False)
        score = score_of(table)
        for side, cell in zip(SIDES, rows[-1].columns(2, gap), strict=True):
            after = score.put(side, score[side] + points)
            form = replace(self.form, games=(*self.form.games, c.PaperGame(side, shown, cube)), end=None)
            sub = f"+{points}:  {after.left} – {after.right}"
            label = _("{name} won", name=self.form.name_of(side))
            page.button(cell, label, Turn(PaperGames(form), once=True), why, kind="go", sub=sub if why is None else "", size=0.46)

    def _buttons(self, page: Page, beside: Rect, *, over: bool, why: str | None) -> None:
        back, following = beside.columns(2, page.place.gap)
        n = len(self.form.games)
        none = None if n else _("No game has been entered yet.")
        shorter = replace(self.form, games=self.form.games[:-1], end=None)
        label = _("Take game {n} back", n=n) if n else _("Take a game back")
        page.button(back, label, Turn(PaperGames(shorter), once=True), none, size=0.36)
        session = self.form.length is None
        if over or session:
            page.button(following, _("Next: check it"), Open(PaperCheck(replace(self.form, end=None))), why, kind="go", sign="right")
        else:
            page.button(following, _("It ended otherwise"), Open(PaperEnding(self.form)), why, sign="right", size=0.36)


def _words(setup: MatchSetup, game: Game) -> str:
    words = _("{kind}, cube {n}", kind=kind_words(game.kind), n=game.cube) if setup.cube else kind_words(game.kind)
    return f"{words} {_('(Crawford)')}" if game.crawford else words


def _list(page: Page, rect: Rect, form: PaperStart, setup: MatchSetup, table: Table) -> None:
    """The last games that there is room for, each with the score after it."""
    place, t = page.place, page.theme
    if not table.games:
        hint = _("No game yet. Choose kind and cube where it was no plain win, then touch who won.")
        page.text(rect, hint, place.em(0.38), t.quiet, lines=5)
        return
    high = place.em(0.86)
    room = max(1, rect.h // high)
    for row, (game, score) in zip(_rows(rect, high, room), _scored(setup, table)[-room:], strict=False):
        figure, words = row.cut_right(place.em(1.1), place.gap)
        text = _("{n}. {name}: {result}", n=game.n, name=form.name_of(game.winner), result=_words(setup, game))
        page.text(words, text, place.em(0.36), t.ink, align="left", lines=1 if words.w > place.touch * 5 else 2)
        page.text(figure, f"{score.left} – {score.right}", place.em(0.44), t.ink, face="bold", align="right")


def _rows(rect: Rect, high: int, count: int) -> list[Rect]:
    return [Rect(rect.x, rect.y + n * high, rect.w, high) for n in range(count)]


def _scored(setup: MatchSetup, table: Table) -> list[tuple[Game, Pair[int]]]:
    return [(game, plain_score(setup, table.ledger[: n + 1])) for n, game in enumerate(table.games)]


# ── The end ──────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class PaperEnding(PaperPage):
    """How did it end?"""

    form: PaperStart

    def escape(self) -> Close:
        """Back to the games."""
        return Close(PaperGames(replace(self.form, end=None)))

    def draw(self, page: Page, view: View) -> None:
        """One button for each way and side."""
        body, beside = official_sheet(page, view, _("How did the match on paper end?"), self.escape())
        rows = body.rows(3, page.place.gap)
        for (how, template), row in zip(_HOW.items(), rows, strict=True):
            for side, cell in zip(SIDES, row.columns(2, page.place.gap), strict=True):
                end = c.PaperEnd(how, (side,))
                page.button(cell, _(template, name=self.form.name_of(side)), Open(PaperCheck(replace(self.form, end=end))), size=0.46)
        both = c.PaperEnd("forfeit", SIDES)
        page.button(beside, _("Both forfeited"), Open(PaperCheck(replace(self.form, end=both))))


_HOW: dict[Literal["resignation", "flag", "forfeit"], str] = {
    "resignation": mark("{name} resigned the match"),
    "flag": mark("{name}'s flag fell"),
    "forfeit": mark("{name} forfeited the match"),
}


# ── All of it ────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class PaperCheck(PaperPage):
    """Is this what the paper says?"""

    form: PaperStart
    number: int = 0
    """Which page of the games."""

    def escape(self) -> Close:
        """Back to how it ended, or to the games."""
        return Close(PaperGames(self.form) if self.form.end is None else PaperEnding(self.form))

    def draw(self, page: Page, view: View) -> None:
        """Result, games, signatures; and the button that enters it."""
        body, beside = official_sheet(page, view, _("Is this what the paper says?"), self.escape())
        place, gap, setup = page.place, page.place.gap, self.form.setup(view.books)
        try:
            table = ended_on_paper(setup, self.form.games, self.form.end)
        except CommandRefused:  # the button says why
            table = _tried(setup, self.form.games)[0]
        signs, body = body.cut_bottom(place.touch, gap)
        about, body = body.cut_bottom(place.em(1 if place.portrait else 0.5), gap // 2)
        result, games = body.cut_top(place.em(1.25), gap)
        self._result(page, result, table)
        page.text(about, self._about(view, setup), place.em(0.36), page.theme.quiet, lines=2)
        for side, cell in zip(SIDES, signs.columns(2, gap), strict=True):
            self._signature(page, cell, side)
        rest = self._games(page, games, beside, setup, table)
        command = self.form.command("", view.books)
        by = signed_in_words(view) if rest.w > place.touch * 4 else ""  # who it is stands on the page of the officials' tools too
        page.button(rest, _("Enter it"), EnterSheet(self.form), view.why_not(command), kind="go", sub=by)

    def _about(self, view: View, setup: MatchSetup) -> str:
        length = _("Free session") if setup.length is None else _("{n}-point match", n=setup.length)
        parts = [view.books[self.form.rulebook].title(view.prefs.language), length]
        end = self.form.end
        if end is not None:
            both = len(end.sides) > 1
            parts.append(_("Both forfeited") if both else _(_HOW[end.how], name=self.form.name_of(end.sides[0])))
        return "  ·  ".join([*parts, self.form.played] if self.form.played else parts)

    def _result(self, page: Page, rect: Rect, table: Table) -> None:
        place = page.place
        page.box(rect, page.theme.panel, place.touch // 6)
        score, standing = score_of(table), standing_of(table)
        middle_w = rect.w * 24 // 100
        side_w = (rect.w - middle_w) // 2
        page.text(Rect(rect.x + side_w, rect.y, middle_w, rect.h), f"{score.left} – {score.right}", place.em(0.8), face="bold")
        for side, x in ((Side.LEFT, rect.x), (Side.RIGHT, rect.right - side_w)):
            upper, lower = Rect(x, rect.y, side_w, rect.h).inset(place.gap, 2).cut_top(rect.h * 6 // 10, 0)
            won = table.ended is not None and table.ended.winner is side
            page.text(upper, self.form.name_of(side), place.em(0.46), face="bold" if won else "text", lines=2)
            page.text(lower, "" if standing is None else standing[side], place.em(0.4), page.theme.quiet)

    def _signature(self, page: Page, cell: Rect, side: Side) -> None:
        now = self.form.signed[side]
        order = list(OnPaper)
        following = order[(order.index(now) + 1) % len(order)]
        turned = replace(self, form=replace(self.form, signed=self.form.signed.put(side, following)))
        label = capital(_(SIGNED[now]))
        page.choice(cell, self.form.name_of(side), Turn(turned), chosen=now is not OnPaper.NO, sub=label, size=0.38)

    def _games(self, page: Page, rect: Rect, beside: Rect, setup: MatchSetup, table: Table) -> Rect:
        """The games; where there are more than fit, a button for the others.

        Returns:
            What is left of the strip at the bottom.
        """
        place, high = page.place, page.place.em(0.56)
        lines = max(1, rect.h // high)
        columns = rect.columns(1 if place.portrait else 2, place.gap * 2)
        cells = [cell for column in columns for cell in _rows(column, high, lines)]
        scored = _scored(setup, table)
        pages = max(1, -(-len(scored) // len(cells)))
        number = self.number % pages
        for (game, score), cell in zip(scored[number * len(cells) :], cells, strict=False):
            figure, words = cell.cut_right(place.em(1.1), place.gap)
            text = _("{n}. {name}: {result}", n=game.n, name=self.form.name_of(game.winner), result=_words(setup, game))
            page.text(words, text, place.em(0.36), page.theme.ink, align="left")
            page.text(figure, f"{score.left} – {score.right}", place.em(0.4), page.theme.ink, face="bold", align="right")
        if not scored:
            page.text(rect, _("No game was finished."), place.em(0.38), page.theme.quiet, lines=2)
        if pages == 1:
            return beside
        more, rest = beside.cut_left(beside.w // 3, place.gap)
        page.button(more, _("Other games"), Turn(replace(self, number=(number + 1) % pages)))
        return rest


__all__ = ["PaperCheck", "PaperEnding", "PaperGames", "PaperPage", "PaperStart", "paper_start"]
