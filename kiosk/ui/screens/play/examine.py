"""Was that move legal? The position is set by dragging, the roll chosen, the move made; the answer stands on the board (domain rule 5).

An official who is signed in opens it, or both players together, while no clock runs: the clock never needs the board.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk.domain.types import SIDES, Side
from kiosk.play import Board, BoardError, Game, PlayRules, Step, start_board, written
from kiosk.play.anyid import id_of, read_id
from kiosk.say import _, n_
from kiosk.session import commands as c
from kiosk.ui.actions import Close, Draw, Open, Turn
from kiosk.ui.screens.base import Screen, sheet
from kiosk.ui.screens.keyboard import Form, Keyboard
from kiosk.ui.screens.official.frame import frame
from kiosk.ui.screens.play.attach import AttachTo
from kiosk.ui.screens.play.diagram import Plan, board_area, counted, draw_board, draw_steps
from kiosk.ui.screens.play.dice import rolls
from kiosk.ui.screens.play.setting import judged, laid, plays_of, taken_over, with_step, wrong_position

if TYPE_CHECKING:
    from kiosk.play import Play, Verdict
    from kiosk.ui.draw import Rect
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


@dataclass(frozen=True, slots=True)
class Examine(Form):
    """Was that move legal?"""

    rules: PlayRules
    agreed: bool = False
    """Both players opened it; else an official did."""
    mover: Side = Side.LEFT
    """Whose throw it is."""
    board: Board | None = None
    """The position before the move, from the mover's view; None: the start."""
    dice: tuple[int, int] | None = None
    ply: int | None = None
    """Long nardy: 1 and 2 are the two first throws of the game."""
    moving: bool = False
    """The move is made; else the position is set."""
    steps: tuple[Step, ...] = ()
    """What was moved."""
    picked: int | None = None
    """The place that was touched, waiting for where it goes."""
    shown: int | None = None
    """Which of the legal plays is shown."""
    wrong: str = ""
    """Why the last touch did nothing."""
    last: Board | None = None
    """The position that was looked at before."""

    def after(self, before: Examine | None) -> Examine:
        """Opened again: the position that was looked at last is a touch away."""
        same = before is not None and before.rules.game is self.rules.game
        return replace(self, last=before.position) if same and before is not None else self

    def stays(self, view: View) -> bool:
        """While an official is signed in, or both players have agreed and no clock runs."""
        return view.official is not None or (self.agreed and not view.clock_runs)

    # ── The position ─────────────────────────────────────────────────────────
    @property
    def game(self) -> Game:
        """Which game's board."""
        return self.rules.game

    @property
    def position(self) -> Board:
        """The position before the move."""
        return start_board(self.game) if self.board is None else self.board

    @property
    def legal(self) -> tuple[Play, ...]:
        """All legal plays; none where the roll or the position is none."""
        if self.dice is None or wrong_position(self.position, self.game):
            return ()
        return plays_of(self.position, self.dice, self.rules, self.ply)

    @property
    def verdict(self) -> Verdict | None:
        """What is to be said of the move; None where nothing can."""
        if self.dice is None or wrong_position(self.position, self.game):
            return None
        return judged(self.position, self.dice, self.steps, self.rules, self.ply)

    def seen(self) -> Board:
        """The position that is drawn."""
        if self.shown is not None and self.legal:
            return self.legal[self.shown % len(self.legal)].final
        if self.dice is None or not self.steps or wrong_position(self.position, self.game):
            return self.position
        return laid(self.position, self.dice, self.steps, self.rules, self.ply)

    def set_to(self, board: Board, *, mover: Side | None = None) -> Examine:
        """Another position: whatever was moved in the one before is gone."""
        return replace(self, board=board, mover=mover or self.mover, steps=(), picked=None, shown=None, wrong="")

    # ── Touches ──────────────────────────────────────────────────────────────
    def carried(self, plan: Plan, start: tuple[int, int], end: tuple[int, int]) -> Examine:
        """A checker is dragged; or a place is touched, and then where it goes."""
        fresh = replace(self, wrong="", shown=None)
        from_place, to_place = plan.place(*start), plan.place(*end)
        if from_place is None or to_place is None:
            return replace(fresh, picked=None)
        if from_place != to_place:
            return replace(fresh, picked=None).taken(plan, from_place, to_place)
        if self.picked is None:
            return replace(fresh, picked=from_place) if plan.at(from_place)[0] else replace(fresh, wrong=_("Nothing lies there."))
        if self.picked == from_place:
            return replace(fresh, picked=None)
        return fresh.taken(plan, self.picked, from_place)

    def taken(self, plan: Plan, start: int, end: int) -> Examine:
        """A checker goes from a place to another, as the position is set or the move is made."""
        try:
            if self.moving:
                return replace(self, steps=with_step(plan, self.dice, self.steps, start, end), picked=None)
            return self._laid(start, end)
        except BoardError as error:
            return replace(self, picked=None, wrong=str(error))

    def _laid(self, start: int, end: int) -> Examine:
        """While the position is set; a place that was touched stays picked as long as something lies there."""
        board = taken_over(self.position, self.game, start, end)
        left = self.picked is not None and counted(board, self.game, start)[0]
        return replace(self.set_to(board), picked=self.picked if left else None)

    # ── The picture ──────────────────────────────────────────────────────────
    def draw(self, page: Page, view: View) -> None:
        """The board, what is to be said beside it, and what can be chosen below."""
        body, beside = sheet(page, view, _("Was that move legal?"), framed=view.official is not None)
        frame(page, view)
        area, rest = board_area(page, body)
        plan = Plan(area, self.game, page.place.em(0.27), self.seen(), self.mover)
        draw_board(page, plan, self.picked)
        self._arrows(page, plan)
        page.control(area, Draw(plan), name="board", area=True)
        self._says(page, view, rest)
        self._choices(page, view, beside)

    def _arrows(self, page: Page, plan: Plan) -> None:
        if self.shown is not None and self.legal:
            draw_steps(page, plan, self.legal[self.shown % len(self.legal)].steps)
        elif self.steps and self.verdict is not None:
            draw_steps(page, plan, self.steps, self.verdict.at_step)

    def _choices(self, page: Page, view: View, beside: Rect) -> None:
        position, dice, made = beside.columns(3, page.place.gap)
        page.button(position, _("Position"), Open(ChoosePosition(self)), size=0.38)
        label = "{}-{}".format(*self.dice) if self.dice else _("Dice")
        page.button(dice, label, Open(ChooseDice(self)), size=0.5 if self.dice else 0.38, kind="plain" if self.dice else "go")
        wrong = wrong_position(self.position, self.game) or (None if self.dice else _("Choose the dice first."))
        words = _("Set the position") if self.moving else _("Make the move")
        turn = Turn(replace(self, moving=not self.moving, picked=None, shown=None, wrong=""))
        page.button(made, words, turn, None if self.moving else wrong, size=0.36, kind="plain" if self.moving else "go")
        del view

    def _says(self, page: Page, view: View, rest: Rect) -> None:
        """The answer, the legal plays one by one, and what can be done with it."""
        gap, touch = page.place.gap, page.place.touch
        acts, rest = rest.cut_bottom(touch, gap)
        row, rest = rest.cut_bottom(touch, gap)
        box = page.theme.panel
        page.box(rest, box, touch // 8)
        inner = rest.inset(gap, gap // 2)
        head, text = inner.cut_top(page.place.em(0.6), 0)
        title, colour = self._title(page)
        page.text(head, title, page.place.em(0.46), colour, face="bold", align="left")
        page.text(text, self._words(view), page.place.em(0.4 if page.place.portrait else 0.34), align="left", lines=7, lean="top")
        n = len(self.legal)
        none = None if n else _("Choose the dice first.") if self.dice is None else _("No play is legal.")
        before, count, following = row.columns(3, gap)
        now = -1 if self.shown is None else self.shown
        page.button(before, "", Turn(replace(self, shown=(max(now, 0) - 1) % max(1, n), wrong="")), none, sign="left")
        page.text(count, f"{now + 1} / {n}" if now >= 0 else n_("{n} play", "{n} plays", n), page.place.em(0.34), lines=2)
        page.button(following, "", Turn(replace(self, shown=(now + 1) % max(1, n), wrong="")), none, sign="right")
        back, attach = acts.columns(2, gap)
        undo = Turn(replace(self, steps=self.steps[:-1], shown=None, wrong=""))
        page.button(back, _("Take back"), undo, None if self.steps else _("Nothing has been moved."), size=0.34)
        page.button(attach, _("To a ruling"), Open(AttachTo(self.record())), self._why_no_record(view), size=0.34)

    def _title(self, page: Page) -> tuple[str, tuple[int, int, int]]:
        if self.shown is not None and self.legal:
            return _("Legal"), page.theme.good
        if not self.moving or not self.steps or self.verdict is None:
            return (_("The move"), page.theme.ink) if self.moving else (_("The position"), page.theme.ink)
        return (_("Legal"), page.theme.good) if self.verdict.legal else (_("Not legal"), page.theme.alert)

    def _words(self, view: View) -> str:
        names = _("{name} to play", name=view.side_name(self.mover))
        if self.wrong:
            return self.wrong
        if self.shown is not None and self.legal:
            return f"{names}\n{written(self.legal[self.shown % len(self.legal)].steps)}"
        impossible = wrong_position(self.position, self.game)
        if impossible:
            return impossible
        if not self.moving:
            return names + "\n" + _("Drag checkers to where they stood before the move.")
        verdict = self.verdict
        if verdict is None or not self.steps:
            none = _("No play is legal: the roll is lost.") if verdict is not None and not self.legal else ""
            return names + "\n" + (none or _("Drag the checkers as they were moved."))
        told = f"{verdict.sentence.removesuffix('.')} ({verdict.article})." if verdict.article else verdict.sentence
        return f"{written(verdict.made or self.steps)}\n{told}"

    def ready(self) -> bool:
        """Whether a move can be made in the position."""
        return not wrong_position(self.position, self.game)

    # ── On record ────────────────────────────────────────────────────────────
    def record(self) -> c.AttachPlay:
        """What goes on record with a ruling: the position, and the move as it was made."""
        verdict = self.verdict if self.steps else None
        return c.AttachPlay(
            0,
            "" if wrong_position(self.position, self.game) else id_of(self.position, self.game),
            "{}-{}".format(*self.dice) if self.dice else "",
            written(verdict.made or self.steps) if verdict is not None else "",
            "" if verdict is None else str(verdict.reason or "legal"),
            "" if verdict is None else verdict.article or "",
            self.mover,
        )

    def _why_no_record(self, view: View) -> str | None:
        if view.official is None:
            return _("An official puts it on record.")
        return wrong_position(self.position, self.game) or (None if view.shot.table.rulings else _("There are no rulings."))

    # ── A text id ────────────────────────────────────────────────────────────
    def written(self, field: str, text: str) -> Examine:
        """A position by its id."""
        del field
        try:
            named = read_id(text)
        except BoardError as error:
            return replace(self, wrong=str(error))
        if named.game is not self.game:
            return replace(self, wrong=_("That is a position of the other game."))
        return replace(self.set_to(named.board), dice=named.dice or self.dice, ply=named.ply)

    def asks(self, field: str) -> str:
        """Its id."""
        del field
        return _("The position's id, as programs write it")


@dataclass(frozen=True, slots=True)
class ChoosePosition(Screen):
    """Which position?"""

    form: Examine

    def stays(self, view: View) -> bool:
        """As long as its form."""
        return self.form.stays(view)

    def draw(self, page: Page, view: View) -> None:
        """The usual ones, whose throw it is, and what is special about it."""
        body, beside = sheet(page, view, _("Which position?"), framed=view.official is not None)
        frame(page, view)
        form, game = self.form, self.form.game
        empty = Board((0,) * len(form.position.me), (0,) * len(form.position.opp))
        rows = body.rows(3, page.place.gap)
        start, none, last = rows[0].columns(3, page.place.gap)
        page.button(start, _("Start of a game"), Close(form.set_to(start_board(game))))
        page.button(none, _("Empty board"), Close(form.set_to(empty)), sub=_("all checkers beside it"))
        why = _("None has been looked at yet.") if form.last is None else None
        page.button(last, _("The last one"), Close(form.set_to(form.last or empty)), why)
        typed, turned = rows[1].columns(2, page.place.gap)
        page.button(typed, _("Type its id"), Close(Keyboard(form, "id")))
        page.text(beside, self._id(), page.place.em(0.4), page.theme.quiet)
        page.button(turned, _("See it from the other side"), Close(form.set_to(form.position.turned(), mover=form.mover.other)))
        cells = rows[2].columns(2 if game is Game.BACKGAMMON else 3, page.place.gap)
        for side, cell in zip(SIDES, cells, strict=False):
            words = _("{name} to play", name=view.side_name(side))
            turn = Close(replace(form, mover=side, steps=(), shown=None))
            page.choice(cell, words, turn, chosen=form.mover is side, size=0.38)
        if game is Game.LONG_NARDY:
            labels = {None: _("A later throw"), 1: _("First player's first throw"), 2: _("Second player's first throw")}
            following = {None: 1, 1: 2, 2: None}[form.ply]
            later = replace(form, ply=following, steps=(), shown=None)
            page.button(cells[2], labels[form.ply], Turn(replace(self, form=later)), size=0.36)

    def _id(self) -> str:
        wrong = wrong_position(self.form.position, self.form.game)
        return "" if wrong else id_of(self.form.position, self.form.game)


@dataclass(frozen=True, slots=True)
class ChooseDice(Screen):
    """Which dice?"""

    form: Examine

    def stays(self, view: View) -> bool:
        """As long as its form."""
        return self.form.stays(view)

    def draw(self, page: Page, view: View) -> None:
        """All twenty-one rolls, one touch each."""
        body, _beside = sheet(page, view, _("Which dice?"), framed=view.official is not None)
        frame(page, view)
        fresh = replace(self.form, steps=(), picked=None, shown=None, wrong="", moving=self.form.ready())
        rolls(page, body, self.form.dice, lambda roll: Close(replace(fresh, dice=roll)))


@dataclass(frozen=True, slots=True)
class AskBoard(Screen):
    """Do both players want the board?"""

    form: Examine
    left: bool = False
    right: bool = False

    def stays(self, view: View) -> bool:
        """While no clock runs."""
        return not view.clock_runs

    def draw(self, page: Page, view: View) -> None:
        """Each touches his own; then it opens."""
        body, beside = sheet(page, view, _("Was that move legal?"))
        words, sides = body.cut_top(body.h // 3, page.place.gap)
        page.text(
            words,
            _("The board opens when both agree, or when a referee signs in. It says what the rules say, and decides nothing."),
            page.place.em(0.42),
            lines=4,
        )
        for side, agrees, cell in zip(SIDES, (self.left, self.right), sides.columns(2, page.place.gap), strict=True):
            other = replace(self, left=not agrees) if side is Side.LEFT else replace(self, right=not agrees)
            page.choice(cell, _("{name} agrees", name=view.side_name(side)), Turn(other), chosen=agrees)
        both = None if self.left and self.right else _("Both must agree first.")
        page.button(beside, _("Open the board"), Open(replace(self.form, agreed=True)), both, kind="go")


def board_for(view: View) -> Examine:
    """The board of the match on the table; without one, backgammon's."""
    setup = view.shot.table.setup
    turn = view.shot.clock.turn if view.shot.clock is not None else None
    if setup is not None and setup.play is not None:
        return Examine(PlayRules.chosen(setup.game, setup.play), mover=turn or Side.LEFT)
    book = view.books.get("ibgf" if setup is None else setup.rulebook)
    if book is None:  # the organizer's own rulebook is gone
        nardy = setup is not None and setup.game != "backgammon"
        return Examine(PlayRules(Game.LONG_NARDY) if nardy else PlayRules())
    return Examine(PlayRules.of(book), mover=turn or Side.LEFT)
