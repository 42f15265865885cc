"""`kiosk play`: was that move legal, and what would have been?

One question on the command line (`ID DICE [MOVE]`), many in a file (`--batch`, see `kiosk.app.moves_batch`), or a match told turn by turn
that becomes a .mat file (`--mat`, see `kiosk.play.transcript_file`).
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kiosk.app.deliver import deliver
from kiosk.app.lines import say
from kiosk.books import Library
from kiosk.domain.errors import KioskError
from kiosk.play import BoardError, Game, PlayRules, drawing, id_of, judge, plays, read_id, read_move, written
from kiosk.say import _, n_

if TYPE_CHECKING:
    from kiosk.app.config import Config
    from kiosk.play import Named, Play, Verdict

FILE = click.Path(path_type=Path, exists=True, dir_okay=False, allow_dash=True)

USUAL = {Game.BACKGAMMON: "ibgf", Game.LONG_NARDY: "rus-long"}
"""The rulebook of a game where none is named."""

DICE = re.compile(r"([1-6])[-,:]?([1-6])")


class NotAnswered(KioskError, ValueError):
    """You erred: what was asked cannot be answered; the sentence names the argument, the option, or the file and its line."""


@click.command()
@click.argument("id", required=False)
@click.argument("dice", required=False)
@click.argument("move", nargs=-1)
@click.option("--rulebook", metavar="WORD", help="By whose rules; default: ibgf, or rus-long for a position of long nardy.")
@click.option("--ply", type=click.IntRange(min=1), help="Long nardy: 1 and 2 are the two first throws of the game; default: a later one.")
@click.option("--json", "as_json", is_flag=True, help="Answer as one JSON object.")
@click.option("--batch", metavar="FILE", type=FILE, help="Answer every line of a JSON Lines file; - is standard input.")
@click.option("--mat", metavar="FILE", type=FILE, help="Check a match told turn by turn (JSON; - is standard input) and write it as .mat.")
@click.option(
    "--output", "-o", type=click.Path(path_type=Path, dir_okay=False), help="With --mat: file to write; default: standard output."
)
@click.pass_context
def play(  # noqa: PLR0917 - click hands every option over
    ctx: click.Context,
    id: str | None,  # noqa: A002 - what it is called on the command line
    dice: str | None,
    move: tuple[str, ...],
    rulebook: str | None,
    ply: int | None,
    as_json: bool,  # noqa: FBT001 - click hands flags over so
    batch: Path | None,
    mat: Path | None,
    output: Path | None,
) -> None:
    """Say whether a move was legal, why not, and every legal final position.

    ID is a position id of GNU Backgammon, an XGID, or an id of long nardy; DICE is 5-3, and may be left out where ID has the dice; MOVE is
    "13/8 6/5", in the numbering of the side to move ("bar/22", "6/off", "8/5*(2)", "-" for nothing). Exit code 0: legal, or no move was
    given; 1: not legal.

    --batch reads a JSON object a line, with rulebook, me, opp, dice and ply, and answers each by a line with finals: me, opp, move.
    """
    config: Config = ctx.obj
    library = Library([config.rulebooks])
    if rulebook is not None:
        _known(library, rulebook)
    _one_question((id, batch, mat), more=ply is not None or as_json, writes=output is not None, mat=mat is not None)
    if batch is not None:
        from kiosk.app.moves_batch import answer_all

        answer_all(batch, library, rulebook)
    elif mat is not None:
        from kiosk.app.moves_batch import as_mat

        deliver(as_mat(mat, library, rulebook).encode(), output)
    else:
        question = _Question(str(id), dice, move, library, book=rulebook, ply=ply)
        ctx.exit(question.answer(as_json=as_json))


def _one_question(ways: tuple[str | Path | None, ...], *, more: bool, writes: bool, mat: bool) -> None:
    """See whether what was given goes together: one of ID, --batch and --mat, and only what belongs to it."""
    if sum(way is not None for way in ways) != 1:
        raise click.UsageError(_("Give either ID and DICE, or --batch FILE, or --mat FILE."))
    if ways[0] is None and more:
        raise click.UsageError(_("--ply and --json go with an ID only."))
    if writes and not mat:
        raise click.UsageError(_("--output goes with --mat only."))


class _Question:
    """One turn, and what is asked of it."""

    def __init__(
        self, ident: str, dice: str | None, move: tuple[str, ...], library: Library, *, book: str | None = None, ply: int | None = None
    ) -> None:
        """Read what was typed.

        Raises:
            NotAnswered: It cannot be read; the argument or option is named.
            RulebookError: There is no such rulebook, or it has faults.
        """
        self.named: Named = _asked("ID", lambda: read_id(ident))
        self.book = book or USUAL[self.named.game]
        self.rules = PlayRules.of(library.load(self.book))
        if self.rules.game is not self.named.game:
            raise NotAnswered(_("--rulebook: {book} is a rulebook of another game than this ID.", book=self.book))
        self.dice, words = self._dice(dice, move)
        if ply is not None and self.rules.game is Game.BACKGAMMON:
            raise NotAnswered(_("--ply: only in long nardy do the two first throws differ; leave it out."))
        self.ply = ply or self.named.ply
        self.xgid = self.named.xgid(self.dice)
        self.typed = " ".join(words)
        self.steps = _asked("MOVE", lambda: read_move(self.typed, self.rules.game)) if words else None

    def _dice(self, dice: str | None, move: tuple[str, ...]) -> tuple[tuple[int, int], tuple[str, ...]]:
        found = DICE.fullmatch(dice or "")
        if found:
            return (int(found[1]), int(found[2])), move
        if self.named.dice is None:
            told = _("DICE: {dice} is no roll; write it as 5-3.", dice=dice) if dice else _("DICE is missing; write it as 5-3.")
            raise NotAnswered(told)
        return self.named.dice, (*([dice] if dice else ()), *move)

    def answer(self, *, as_json: bool) -> int:
        """Print the answer.

        Returns:
            The exit code: 1 for a move that is not legal.
        """
        board, rules = self.named.board, self.rules
        verdict = None if self.steps is None else _asked("MOVE", lambda: judge(board, self.dice, self.steps or (), rules, self.ply))
        finals = verdict.plays if verdict else _asked("ID", lambda: plays(board, self.dice, rules, self.ply))
        if as_json:
            click.echo(json.dumps(self._plain(verdict, finals), ensure_ascii=False))
        else:
            for line in self._lines(verdict, finals):
                say(line)
        return 0 if verdict is None or verdict.legal else 1

    def _plain(self, verdict: Verdict | None, finals: tuple[Play, ...]) -> dict[str, Any]:
        board, game = self.named.board, self.rules.game
        judged = None
        if verdict is not None:
            judged = {
                "legal": verdict.legal,
                "reason": verdict.reason,
                "why": verdict.sentence,
                "article": verdict.article,
                "at_step": verdict.at_step,
                "move": written(verdict.made) if verdict.legal else self.typed,
                "id": id_of(verdict.final, game) if verdict.final else None,
            }
        return {
            "game": game,
            "rulebook": self.book,
            "id": id_of(board, game),
            "xgid": None if self.xgid is None else str(self.xgid),
            "me": board.me,
            "opp": board.opp,
            "dice": self.dice,
            "ply": self.ply,
            "judged": judged,
            "finals": [
                {"me": each.final.me, "opp": each.final.opp, "move": written(each.steps), "id": id_of(each.final, game)} for each in finals
            ],
        }

    def _lines(self, verdict: Verdict | None, finals: tuple[Play, ...]) -> list[str]:
        game = self.rules.game
        ids = id_of(self.named.board, game) + ("" if self.xgid is None else f"  {self.xgid}")
        lines = [*drawing(self.named.board, game), ids, f"{self.book}: {self.dice[0]}-{self.dice[1]}", ""]
        if verdict is not None:
            lines += [*self._judged(verdict), ""]
        if not finals:
            return [*lines, _("Nothing can be played.")]
        lines.append(n_("{n} final position is legal:", "{n} final positions are legal:", len(finals)))
        moves = [(written(each.steps), id_of(each.final, game)) for each in finals]
        width = max(len(move) for move, _id in moves)
        return [*lines, *(f"  {move:<{width}}  {ident}" for move, ident in moves)]

    def _judged(self, verdict: Verdict) -> list[str]:
        """The verdict in words: the move, of a wrong one the step that is wrong, and the article."""
        steps = self.steps or ()
        if verdict.legal:
            return [_("{move} is legal.", move=written(verdict.made))]
        wrong = steps if verdict.at_step is None else steps[verdict.at_step : verdict.at_step + 1]
        why = _("{step}: {why}", step=written(wrong), why=verdict.sentence) if wrong else verdict.sentence
        return [_("{move} is not legal.", move=self.typed), why + (f" ({verdict.article})" if verdict.article else "")]


def _asked(argument: str, read: Any) -> Any:  # noqa: ANN401 - whatever is read
    """What is read from an argument; an error names it."""
    try:
        return read()
    except BoardError as error:
        raise NotAnswered(f"{argument}: {error}") from error


def _known(library: Library, rulebook: str) -> None:
    """Refuse a rulebook that cannot be had, by its option's name."""
    try:
        library.load(rulebook)
    except KioskError as error:
        raise click.BadParameter(str(error), param_hint="--rulebook") from error
