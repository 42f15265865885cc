"""A game's moves written down on the board, turn by turn, for whoever wants to read the match later (`kiosk export --format mat`).

Nothing here touches clock, cube or score: it is a record beside them, and each turn is checked as it is entered.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk.domain.types import Side
from kiosk.play import BoardError, PlayRules, Step, written
from kiosk.play.noted import does_not_fit, game_so_far, noted, turns_of
from kiosk.play.transcript import Act, Progress, Turn
from kiosk.say import _, n_
from kiosk.session import commands as c
from kiosk.ui.actions import Close, Do, Draw, Open
from kiosk.ui.actions import Turn as To
from kiosk.ui.screens.base import Screen, sheet
from kiosk.ui.screens.play.diagram import Plan, board_area, draw_board, draw_steps
from kiosk.ui.screens.play.dice import rolls
from kiosk.ui.screens.play.setting import judged, laid, with_step
from kiosk.words import kind_words

if TYPE_CHECKING:
    from kiosk.ui.draw import Rect
    from kiosk.ui.page import Page
    from kiosk.ui.view import View

LINES = 6
"""Turns that are told beside the board."""

RULES = PlayRules()
"""Only backgammon is written down: no program reads long nardy."""


@dataclass(frozen=True, slots=True)
class Transcribe(Screen):
    """What was played?"""

    game: int
    opener: Side = Side.LEFT
    """Who moves first, while nobody has."""
    turns: int = 0
    """To how many turns the dice and steps belong: one more, and they are done with."""
    dice: tuple[int, int] | None = None
    steps: tuple[Step, ...] = ()
    picked: int | None = None
    wrong: str = ""

    @property
    def keeps(self) -> bool:
        """One turn after the other."""
        return True

    def stays(self, view: View) -> bool:
        """While its match is on the table."""
        return view.phase is not None and 1 <= self.game <= view.shot.table.game

    def carried(self, plan: Plan, start: tuple[int, int], end: tuple[int, int]) -> Transcribe:
        """A checker is dragged, or a place is touched and then where it goes."""
        fresh = replace(self._at(plan.turn), wrong="", picked=None)
        from_place, to_place = plan.place(*start), plan.place(*end)
        if from_place is None or to_place is None:
            return fresh
        picked = self.picked if fresh.turns == self.turns else None
        if from_place == to_place and picked is None:
            theirs = _("These are the other side's checkers.") if plan.at(from_place)[0] else _("Nothing lies there.")
            return replace(fresh, picked=from_place) if all(plan.at(from_place)) else replace(fresh, wrong=theirs)
        source = picked if from_place == to_place else from_place
        return fresh if source is None or source == to_place else fresh.moved(plan, source, to_place)

    def moved(self, plan: Plan, start: int, end: int) -> Transcribe:
        """A checker goes from a place to another."""
        try:
            return replace(self, steps=with_step(plan, self.dice, self.steps, start, end))
        except BoardError as error:
            return replace(self, wrong=str(error))

    def draw(self, page: Page, view: View) -> None:
        """The board as it stands, the turns so far, and what can have been done."""
        body, beside = sheet(page, view, _("Game {n}: what was played?", n=self.game))
        try:
            progress = game_so_far(view.shot.table, (entry.fact for entry in view.happened), self.game).progress
        except BoardError as error:
            page.text(body, str(error), page.place.em(0.42), lines=6)
            self._erase(page, view, beside)
        else:
            self._at(len(progress.turns)).show(page, view, progress, body, beside)

    def _erase(self, page: Page, view: View, cell: Rect) -> None:
        """Take off the last of turns that do not follow each other."""
        turns = turns_of(entry.fact for entry in view.happened).get(self.game, ())
        command = c.NoteTurn(self.game, max(1, len(turns)), Side.LEFT, "")
        why = None if turns else _("No turn has been written down.")
        page.button(cell, _("Erase the last"), Do(command, _("The last turn was erased.")), why or view.why_not(command))

    def show(self, page: Page, view: View, progress: Progress, body: Rect, beside: Rect) -> None:
        """Draw the game as far as it was written down."""
        area, rest = board_area(page, body)
        base, mover = progress.board, progress.side or self.opener
        shown = base if self.dice is None or not self.steps else laid(base, self.dice, self.steps, RULES, None)
        plan = Plan(area, RULES.game, page.place.em(0.27), shown, mover, self.turns)
        draw_board(page, plan, self.picked)
        if self.dice is not None and self.steps:
            draw_steps(page, plan, self.steps, judged(base, self.dice, self.steps, RULES, None).at_step)
        page.control(area, Draw(plan), name="board", area=True)
        self._says(page, view, rest, progress)
        self._acts(page, view, beside, progress)

    def _at(self, turns: int) -> Transcribe:
        return self if turns == self.turns else replace(self, turns=turns, dice=None, steps=(), picked=None, wrong="")

    def _says(self, page: Page, view: View, rest: Rect, progress: Progress) -> None:
        gap, touch = page.place.gap, page.place.touch
        row, rest = rest.cut_bottom(touch, gap)
        page.box(rest, page.theme.panel, touch // 8)
        page.text(
            rest.inset(gap, gap // 2),
            self._words(view, progress),
            page.place.em(0.4 if page.place.portrait else 0.34),
            align="left",
            lines=LINES + 3,
            lean="top",
        )
        erase, back = row.columns(2, gap)
        n = len(progress.turns)
        command = c.NoteTurn(self.game, max(1, n), progress.turns[-1].side if n else Side.LEFT, "")
        why = None if n else _("No turn has been written down.")
        page.button(erase, _("Erase the last"), Do(command, _("The last turn was erased.")), why or view.why_not(command), size=0.34)
        undone = To(replace(self, steps=self.steps[:-1], wrong=""))
        page.button(back, _("Take back"), undone, None if self.steps else _("Nothing has been moved."), size=0.34)

    def _words(self, view: View, progress: Progress) -> str:
        n = len(progress.turns)
        lines = [
            f"{number}. {view.side_name(turn.side)}: {told(turn)}"
            for number, turn in enumerate(progress.turns[-LINES:], start=max(1, n - LINES + 1))
        ]
        if self.wrong:
            return self.wrong
        if progress.winner is not None:
            unfit = self._unfit(view)
            shown = lines[-2:] if unfit else lines
            return "\n".join([*shown, _("{name} wins the game.", name=view.side_name(progress.winner)), *unfit])
        if self.dice is not None and self.steps:
            verdict = judged(progress.board, self.dice, self.steps, RULES, None)
            if not verdict.legal:
                return written(self.steps) + "\n" + verdict.sentence
        who = progress.acting
        waits = _("{name} is to act.", name=view.side_name(who)) if who else _("Who began? Touch the name.")
        return "\n".join([*lines, waits])

    def _unfit(self, view: View) -> list[str]:
        """A game that is over and does not come to what was recorded is told elsewhere by its result alone."""
        why = does_not_fit(view.shot.table, (entry.fact for entry in view.happened), self.game)
        return [why] if why else []

    def _acts(self, page: Page, view: View, beside: Rect, progress: Progress) -> None:
        dice, second, third = beside.columns(3, page.place.gap)
        over = _("The game is over.") if progress.winner is not None else None
        offered = _("A double is offered: the other side takes or passes.") if progress.offered else None
        label = "{}-{}".format(*self.dice) if self.dice else _("Dice")
        page.button(dice, label, Open(WhichDice(self)), over or offered, size=0.5 if self.dice else 0.38)
        if progress.offered:
            self._act(page, view, second, progress, Turn(progress.side.other if progress.side else Side.LEFT, Act.TAKE), _("Take"))
            self._act(page, view, third, progress, Turn(progress.side.other if progress.side else Side.LEFT, Act.PASS), _("Pass"))
            return
        if progress.side is None:
            other = To(replace(self, opener=self.opener.other, steps=(), picked=None))
            page.button(second, view.side_name(self.opener), other, over, sub=_("began"), size=0.36)
        else:
            self._act(page, view, second, progress, Turn(progress.side, Act.DOUBLE), _("Double"))
        move = Turn(progress.side or self.opener, dice=self.dice, steps=self.steps)
        self._act(page, view, third, progress, move, _("Write it down"), go=True)

    def _act(self, page: Page, view: View, cell: Rect, progress: Progress, turn: Turn, label: str, *, go: bool = False) -> None:
        why = None
        try:
            turn = progress.add(turn).turns[-1]
        except BoardError as error:
            why = str(error)
        command = c.NoteTurn(self.game, len(progress.turns) + 1, turn.side, "" if why else noted(turn))
        page.button(cell, label, Do(command), why or view.why_not(command), size=0.38, kind="go" if go and why is None else "plain")


def told(turn: Turn) -> str:
    """A turn in words."""
    match turn.act:
        case Act.DOUBLE:
            return _("Double")
        case Act.TAKE:
            return _("Take")
        case Act.PASS | Act.RESIGN:
            return _("Pass")
        case _:
            return noted(turn)


@dataclass(frozen=True, slots=True)
class WhichDice(Screen):
    """Which dice?"""

    form: Transcribe

    def stays(self, view: View) -> bool:
        """As long as its form."""
        return self.form.stays(view)

    def draw(self, page: Page, view: View) -> None:
        """All twenty-one rolls, one touch each."""
        body, _beside = sheet(page, view, _("Which dice?"))
        rolls(page, body, self.form.dice, lambda roll: Close(replace(self.form, dice=roll, steps=(), picked=None, wrong="")))


@dataclass(frozen=True, slots=True)
class WhichGame(Screen):
    """Which game's moves?"""

    first: int = 0
    """How many newer ones lie on the pages before."""

    def stays(self, view: View) -> bool:
        """While its match is on the table."""
        return view.phase is not None

    def draw(self, page: Page, view: View) -> None:
        """Every game, the newest first: its score, who won it, how much of it was written down."""
        body, beside = sheet(page, view, _("Which game's moves?"))
        counts = {game: len(turns) for game, turns in turns_of(entry.fact for entry in view.happened).items()}
        games = games_of(view)[::-1]
        columns = 1 if page.place.portrait else 2
        room = columns * max(1, body.h // (page.place.touch * 13 // 10))
        rows = body.rows(room // columns, page.place.gap)
        cells = [cell for row in rows for cell in row.columns(columns, page.place.gap)]
        for game, cell in zip(games[self.first : self.first + room], cells, strict=False):
            n = counts.get(game, 0)
            sub = n_("{n} turn written down", "{n} turns written down", n) if n else _("nothing written down")
            page.button(cell, _game_words(view, game), Open(Transcribe(game)), sub=sub, size=0.4)
        if len(games) > room:
            following = self.first + room if self.first + room < len(games) else 0
            page.button(beside, _("Earlier") if following else _("Newest"), To(replace(self, first=following)), sign="right")


def _game_words(view: View, game: int) -> str:
    recorded = next((each for each in view.shot.table.games if each.n == game), None)
    if recorded is None:
        return _("Game {n}: it goes on", n=game)
    kind = kind_words(recorded.kind)
    return _("Game {n}: {name}, {kind}, cube {cube}", n=game, name=view.side_name(recorded.winner), kind=kind, cube=recorded.cube)


def games_of(view: View) -> list[int]:
    """The numbers of the games that were played, and of the one that is being played."""
    table = view.shot.table
    played = [game.n for game in table.games]
    running = table.started or not played
    return [*played, *([table.game] if running and table.game not in played else [])]


def transcribe(view: View) -> Transcribe | WhichGame:
    """The moves of the only game, or the choice of one."""
    games = games_of(view)
    return WhichGame() if len(games) > 1 else Transcribe(games[0])
