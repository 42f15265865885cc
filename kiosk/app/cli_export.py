"""`kiosk export`: score sheets of one match, and registers of all of them."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kiosk.app import preferences
from kiosk.app.cli_records import JOURNAL, pick
from kiosk.app.deliver import deliver
from kiosk.app.lines import say
from kiosk.app.printing import print_now
from kiosk.app.rows import Rows
from kiosk.app.system import zone
from kiosk.books import Library
from kiosk.domain.errors import KioskError
from kiosk.domain.setup import Options, resolve
from kiosk.domain.types import Pair
from kiosk.play import BoardError
from kiosk.say import LANGUAGES, _, speaking
from kiosk.say import language as spoken
from kiosk.sheets import ChouetteSheet, records, sheets, to_chouette_csv, to_chouette_json, to_chouette_pdf, to_chouette_xlsx

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.app.config import Config
    from kiosk.domain.setup import MatchSetup
    from kiosk.sheets import ScoreSheet

FORMATS = ("pdf", "receipt", "xlsx", "csv", "json", "mat")
"""Of one match."""

REGISTERS = ("all", "games", "rulings", "times")
"""What can be had of all matches together, as `xlsx` and `csv`."""

DOTS = "dots"
"""What --print prints."""

BINARY = frozenset({"pdf", "receipt", "xlsx"})

NOBODY = ("?",)
"""Who sits where nobody is named yet."""

EVENT = click.option("--event", default="", help="The event's name, printed on the sheet.")
ROUND = click.option("--round", "round_name", default="", help="The round's name, likewise.")
TABLE = click.option("--table", help="The table's name; default: this table's.")
LANGUAGE = click.option("--language", type=click.Choice(list(LANGUAGES)), help="The sheet's language; default: the table's.")
OUTPUT = click.option("--output", "-o", type=click.Path(path_type=Path, dir_okay=False), help="File to write; default: standard output.")


@click.command()
@click.argument("match")
@click.option("--format", "form", type=click.Choice(FORMATS), help="Default: by the file's ending (pdf, xlsx, csv, json, mat).")
@OUTPUT
@click.option("--print", "on_paper", is_flag=True, help="Print the receipt of MATCH on the printer that `printer` in kiosk.toml names.")
@EVENT
@ROUND
@TABLE
@LANGUAGE
@JOURNAL
@click.pass_obj
def export(  # noqa: PLR0917 - click hands every option over
    config: Config,
    match: str,
    form: str | None,
    output: Path | None,
    on_paper: bool,  # noqa: FBT001 - click hands flags over so
    event: str,
    round_name: str,
    table: str | None,
    language: str | None,
    file: Path | None,
) -> None:
    """Write the score sheet of MATCH (its number in `kiosk journal list`, its id, or `last`), or of all matches together.

    pdf is A4, receipt an 80 mm strip as PDF; csv is for spreadsheets, json for programs; mat has the moves, where they were written down
    at the table, for GNU Backgammon. MATCH can also be `all` (results, games, rulings
    and use of time in one workbook; as csv the results), or `games`, `rulings` or `times` alone: these as xlsx or csv.
    """
    form = _printed(match, form, output) if on_paper else _form(match, form, output)
    rows = Rows(file or config.journal)
    with speaking(language or preferences.load(config.data).language):
        if match in REGISTERS:
            data = _register(match, form, rows, event, config.table if table is None else table)
        else:
            data = _record(pick(records(rows, rows.known), match), form, (event, round_name, table), config)
    if on_paper:
        print_now(config, data)
        say(_("The receipt is printed."))
    else:
        deliver(data, output, binary=form in BINARY)


def _record(sheet: ScoreSheet | ChouetteSheet, form: str, about: tuple[str, str, str | None], config: Config) -> bytes:
    """One match, or one chouette."""
    event, round_name, table = about
    if isinstance(sheet, ChouetteSheet):
        return _chouette(sheet, form, event, config.table if table is None else table)
    placed = "" if sheet.table.place is None else sheet.table.place.table
    own = placed or config.table  # the table at which it was placed, which may be another one than this device by now
    return _one(sheet, form, (event, round_name, own if table is None else table), config)


def _chouette(sheet: ChouetteSheet, form: str, event: str, table: str) -> bytes:
    if form in {"receipt", "mat", DOTS}:
        names = ", ".join(each for each in FORMATS if each not in {"receipt", "mat"})
        if form == "mat":
            raise click.UsageError(_("{match} can be had as {names}, not as {form}.", match=sheet.match, names=names, form=form))
        raise click.UsageError(_("A chouette can be had as {names}; it has too many columns for a receipt.", names=names))
    if form == "csv":
        return to_chouette_csv(sheet)
    if form == "json":
        return to_chouette_json(sheet, event=event, table=table)
    return (to_chouette_pdf if form == "pdf" else to_chouette_xlsx)(sheet, event=event, table=table, zone=zone())


def _printed(match: str, form: str | None, output: Path | None) -> str:
    if match in REGISTERS or form not in {None, "receipt"} or output is not None:
        raise click.UsageError(_("--print prints the receipt of one match; leave out --output, and any --format but receipt."))
    return DOTS


def _form(match: str, form: str | None, output: Path | None) -> str:
    fit = ("xlsx", "csv") if match in REGISTERS else FORMATS
    if form is None:
        ending = "" if output is None else output.suffix.lower().removeprefix(".")
        if ending not in fit or ending == "receipt":
            raise click.UsageError(_("Name a --format: {names}.", names=", ".join(fit)) if output is None else _unknown_ending(output, fit))
        return ending
    if form not in fit:
        raise click.BadParameter(
            _("{match} can be had as {names}, not as {form}.", match=match, names=", ".join(fit), form=form), param_hint="--format"
        )
    return form


def _unknown_ending(output: Path, fit: tuple[str, ...]) -> str:
    return _("--output: the ending of {name} does not tell the format; name a --format: {names}.", name=output.name, names=", ".join(fit))


def _one(sheet: ScoreSheet, form: str, about: tuple[str, str, str], config: Config) -> bytes:
    from kiosk.sheets import to_csv, to_dots, to_json, to_pdf, to_receipt, to_xlsx

    if form == "mat":
        return _moves(sheet)
    event, round_name, table = about
    if form in {"csv", "json"}:
        return (to_csv if form == "csv" else to_json)(sheet, event=event, round_name=round_name, table=table)
    write = {"pdf": to_pdf, "receipt": to_receipt, "xlsx": to_xlsx, DOTS: to_dots}[form]
    title = _title(config, sheet.setup.rulebook)
    return write(sheet, event=event, round_name=round_name, table=table, rulebook=title, zone=zone())


def _moves(sheet: ScoreSheet) -> bytes:
    """The match as .mat; which games it tells without their moves, and why, stands on standard error."""
    from kiosk.sheets import to_mat

    try:
        data, left_out = to_mat(sheet)
    except BoardError as error:
        raise click.UsageError(_("Match {n} cannot be had as mat. {why}", n=sheet.number, why=error)) from error
    for out in left_out:
        words = _("Game {n} is left out: {why}", n=out.game, why=out.why)
        if not out.whole:
            words = _("Game {n} is told by its result alone: {why}", n=out.game, why=out.why)
        click.echo(words, err=True)
    return data


def _title(config: Config, word: str) -> str:
    """A regulation's title; empty where this table does not know it any more."""
    try:
        return Library([config.rulebooks]).load(word).title(spoken())
    except (KioskError, OSError):
        return ""


def _register(which: str, form: str, rows: Rows, event: str, table: str) -> bytes:
    from kiosk.sheets import event as registers

    progress = Progress()
    if form == "xlsx":
        only = None if which == "all" else which
        return registers.to_event_xlsx(
            sheets(rows, rows.known), progress, of=rows.matches, only=only, event=event, table=table, zone=zone()
        )
    write = {
        "all": registers.to_event_csv,
        "games": registers.to_games_csv,
        "rulings": registers.to_rulings_csv,
        "times": registers.to_times_csv,
    }[which]
    return write(_counted(sheets(rows, rows.known), progress, rows.matches), table=table)


def _counted(found: Iterator[ScoreSheet], progress: Progress, of: int) -> Iterator[ScoreSheet]:
    for done, sheet in enumerate(found, 1):
        yield sheet
        progress(done, of)


class Progress:
    """How many matches are done, on standard error: in place on a terminal, else a line at each quarter."""

    EVERY_S = 0.1
    """A terminal is not told more often."""

    def __init__(self) -> None:
        self._terminal = sys.stderr.isatty()
        self._next = 0.0

    def __call__(self, done: int, of: int) -> None:
        """Take in that `done` of `of` matches are done."""
        if not self._terminal:
            if of >= 20 and 4 * done // of != 4 * (done - 1) // of:  # a few are done at once
                click.echo(_("{done} of {of} matches", done=done, of=of), err=True)
            return
        if done == of or time.monotonic() >= self._next:
            self._next = time.monotonic() + self.EVERY_S
            click.echo("\r" + _("{done} of {of} matches", done=done, of=of), nl=done == of, err=True)


@click.command()
@click.option("--output", "-o", type=click.Path(path_type=Path, dir_okay=False), help="PDF to write; default: standard output.")
@click.option("--left", multiple=True, metavar="NAME", help="Who sits left; twice for a pair.")
@click.option("--right", multiple=True, metavar="NAME", help="Who sits right; twice for a pair.")
@click.option("--rulebook", metavar="WORD", help="The regulation, as in `kiosk rulebook list`: time and breaks follow from it.")
@click.option("--length", type=click.IntRange(1, 99), metavar="POINTS", help="Points needed to win; without it a free session.")
@EVENT
@ROUND
@TABLE
@click.option("--match", default="", help="The match's number or id.")
@LANGUAGE
@click.pass_obj
def blank(  # noqa: PLR0917 - click hands every option over
    config: Config,
    output: Path | None,
    left: tuple[str, ...],
    right: tuple[str, ...],
    rulebook: str | None,
    length: int | None,
    event: str,
    round_name: str,
    table: str | None,
    match: str,
    language: str | None,
) -> None:
    """Write an empty score sheet to fill in by hand, as an A4 PDF, for a table without a device.

    What is known is filled in; names and length need a --rulebook.
    """
    from kiosk.sheets import to_blank

    setup = _agreed(config, left, right, rulebook, length)
    with speaking(language or preferences.load(config.data).language):
        title = "" if setup is None else _title(config, setup.rulebook)
        data = to_blank(
            setup, event=event, round_name=round_name, table=config.table if table is None else table, match=match, rulebook=title
        )
    deliver(data, output, binary=True)


def _agreed(config: Config, left: tuple[str, ...], right: tuple[str, ...], rulebook: str | None, length: int | None) -> MatchSetup | None:
    if rulebook is None:
        if left or right or length is not None:
            raise click.UsageError(_("Name the --rulebook too: time and breaks on the sheet follow from it."))
        return None
    players = Pair(left or NOBODY, right or NOBODY)
    setup = resolve(Library([config.rulebooks]).load(rulebook), Options(length=length, players=players))
    return replace(setup, players=Pair(left or ("",), right or ("",)))
