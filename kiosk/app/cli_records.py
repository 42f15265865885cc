"""`kiosk journal`: reading what the table has recorded, also while it runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from kiosk import codec
from kiosk.app.carry import SUFFIX, to_file
from kiosk.app.deliver import deliver
from kiosk.app.lines import ended_by, say
from kiosk.app.told import Teller
from kiosk.domain.errors import KioskError
from kiosk.domain.types import Side
from kiosk.journal import read_rows, verify
from kiosk.say import _
from kiosk.session import carried
from kiosk.sheets import ChouetteSheet, name_of, records, when_text
from kiosk.words import signed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kiosk.app.config import Config
    from kiosk.ports import Row
    from kiosk.sheets import ScoreSheet

JOURNAL = click.option("--journal", "file", type=click.Path(path_type=Path), help="The journal's file; default: this table's.")


class NoSuchMatch(KioskError, ValueError):
    """You erred: the journal has no such match."""


class NotCarried(KioskError, ValueError):
    """You erred: what was named is no match that another table could take up."""


def rows_of(config: Config, file: Path | None) -> list[Row]:
    """Everything in the journal.

    Args:
        config: The table's configuration.
        file: Another journal than the table's, or None.

    Raises:
        JournalUnavailable: There is no readable journal there.
    """
    return list(read_rows(file or config.journal))


Sheet = TypeVar("Sheet", "ScoreSheet", "ScoreSheet | ChouetteSheet")


def pick(found: Iterable[Sheet], wanted: str) -> Sheet:
    """The match that is wanted, by its number, its id, or as the last one.

    Raises:
        NoSuchMatch: The journal has none such.
    """
    last, count = None, 0
    for sheet in found:
        last, count = sheet, sheet.number
        if wanted in {str(sheet.number), sheet.match}:
            return sheet
    if wanted == "last" and last is not None:
        return last
    have = _("it has 1 to {count}", count=count) if count else _("it has none yet")
    raise NoSuchMatch(_("MATCH: the journal has no match {wanted}; {have} (or say 'last').", wanted=repr(wanted), have=have))


@click.group()
def journal() -> None:
    """What this table has recorded."""


@journal.command("list")
@JOURNAL
@click.pass_obj
def list_(config: Config, file: Path | None) -> None:
    """List the matches and chouettes: number, date, rulebook, length, players, score."""
    for sheet in records(rows_of(config, file)):
        if isinstance(sheet, ChouetteSheet):
            say(_chouette(sheet))
            continue
        length = "free" if sheet.setup.length is None else str(sheet.setup.length)
        names = f"{name_of(sheet, Side.LEFT)} – {name_of(sheet, Side.RIGHT)}"
        state = ended_by(sheet.how) if sheet.how else _(str(sheet.table.phase))
        state += "" if sheet.paper is None else ", " + _("entered from paper")
        when = when_text(sheet.opened)
        say(f"{sheet.number:4}  {when}  {sheet.setup.rulebook:10} {length:>4}  {names}  {sheet.score.left}:{sheet.score.right}  {state}")


def _chouette(sheet: ChouetteSheet) -> str:
    points = ", ".join(f"{name} {signed(total)}" for name, total in sheet.chouette.totals)
    state = _("ended") if sheet.chouette.ended else _("going on")
    return f"{sheet.number:4}  {when_text(sheet.opened)}  {'chouette':10} {'free':>4}  {points}  {state}"


@journal.command()
@click.argument("match")
@JOURNAL
@click.pass_obj
def show(config: Config, match: str, file: Path | None) -> None:
    """Show every entry of MATCH (its number, or `last`): sequence, time since the opening, what happened; officials' acts in words."""
    rows = rows_of(config, file)
    sheet = pick(records(rows), match)
    start, boot, teller = 0, "", Teller()
    for row in rows[sheet.first_seq - 1 : sheet.last_seq]:
        if row.boot != boot:
            start, boot = row.mono_ns, row.boot
            say(f"       since switched on ({boot}), {'date set' if row.wall_trusted else 'date not yet set'}:")
        seconds = (row.mono_ns - start) / 1e9
        say(f"{row.seq:5}  {seconds:11.3f} s  {row.type:22} {_told(row, teller)}")


def _told(row: Row, teller: Teller) -> str:
    fact = codec.decode(row.type, row.data)
    words = None if isinstance(fact, codec.UnknownFact) else teller.tell(fact)
    if words is not None:
        return words
    # An opening holds the whole catalogue of infractions in four languages; people are shown its codes.
    if row.type != "match_opened" or '"infractions":[{' not in row.data:
        return row.data
    plain = json.loads(row.data)
    plain["setup"]["infractions"] = [infraction["code"] for infraction in plain["setup"]["infractions"]]
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


@journal.command("export")
@click.argument("match")
@click.option("--scenario", is_flag=True, required=True, help="As a scenario: what people did, so that playing it gives the same result.")
@click.option("--output", "-o", type=click.Path(path_type=Path, dir_okay=False), help="File to write; default: standard output.")
@JOURNAL
@click.pass_obj
def export_scenario(config: Config, match: str, scenario: bool, output: Path | None, file: Path | None) -> None:  # noqa: ARG001, FBT001 - click hands flags over so
    """Write MATCH (its number, or `last`) as a scenario for `kiosk simulate`.

    Officials sign in with PINs made up for it: their own are nowhere in the journal.
    """
    from kiosk.app.chouette_export import chouette_scenario
    from kiosk.app.scenario_export import scenario_of
    from kiosk.books import Library

    rows = rows_of(config, file)
    sheet = pick(records(rows), match)
    if isinstance(sheet, ChouetteSheet):
        return deliver(chouette_scenario(rows[sheet.first_seq - 1 : sheet.last_seq]).encode(), output)
    return deliver(scenario_of(rows, sheet, Library([config.rulebooks])).encode(), output)


@journal.command("hand-over")
@click.argument("match")
@click.option("--output", "-o", type=click.Path(path_type=Path, dir_okay=False), help="File to write; default: standard output.")
@JOURNAL
@click.pass_obj
def hand_over(config: Config, match: str, output: Path | None, file: Path | None) -> None:
    """Write the suspended MATCH (its number, or `last`) as a file, with which another table takes it up.

    The other table finds it on a USB stick, or in the folder `adjourned` of its data, when its name ends in `.tableside-match`.
    """
    rows = rows_of(config, file)
    sheet = pick(records(rows), match)
    if isinstance(sheet, ChouetteSheet):
        raise NotCarried(_("MATCH: {n} is a chouette; only a suspended match is handed over to another table.", n=sheet.number))
    found = carried(config.table, rows[sheet.first_seq - 1 : sheet.last_seq])
    if output is not None and output.suffix != SUFFIX:
        raise click.BadParameter(
            _("{name} must end in {suffix}, or no table will find it.", name=output.name, suffix=SUFFIX), param_hint="--output"
        )
    deliver(to_file(found), output)


@journal.command("verify")
@JOURNAL
@click.option("--accept", is_flag=True, help="You know which confirmed entries are missing here, and the organizer does: tell it no more.")
@click.pass_context
def verify_(ctx: click.Context, file: Path | None, accept: bool) -> None:  # noqa: FBT001 - click hands flags over so
    """Verify the journal's hash chain, and hold it against the tournament server's receipts: says which row does not hold.

    Receipts of this table's journals that are gone count too, until somebody says with --accept that it is known.
    """
    config: Config = ctx.obj
    path = file or config.journal
    own = path == config.journal
    if accept and not own:
        raise click.UsageError(_("--accept is about this table's own journal; leave --journal out."))
    if accept:
        _accept(config)
    missing = own and _missing_is_told(config)
    report = verify(read_rows(path))
    if report.fault is not None:
        say(f"kiosk: {path}: {report.fault} The {report.rows} rows before it hold.", err=True)
        ctx.exit(1)
    say(f"{path}: {report.rows} rows hold together; the last hash is {report.head}.")
    if not _receipts_hold(config, path) or missing:
        ctx.exit(1)


def _accept(config: Config) -> None:
    from kiosk.app.receipts import accept_what_is_missing

    if accept_what_is_missing(config.data, config.journal):
        say(_("What is missing here is told no more. The server keeps what it had confirmed."))
    else:
        say(_("Nothing is missing here that a server had confirmed."))


def _missing_is_told(config: Config) -> bool:
    """Say what the receipts prove and no journal here has."""
    from kiosk.app.receipts import missing_here

    sentences = missing_here(config.data, config.journal)
    for sentence in sentences:
        say(f"kiosk: {sentence}", err=True)
    return bool(sentences)


def _receipts_hold(config: Config, path: Path) -> bool:
    """Say what the server's receipts say about a journal of this table's."""
    from kiosk.app import membership
    from kiosk.app.receipts import check

    joined = membership.load(config.data)
    found = check(config.data, path, joined)
    if found.receipt is None:
        if joined is not None:
            say(_("The server has confirmed none of it yet."))
        return True
    if found.fault:
        say(f"kiosk: {path}: {found.fault}", err=True)
        return False
    signed = _("its signature was not checked (it needs the server's key, and the extra `server`)")
    if found.signed:
        signed = _("its signature holds")
    say(_("The server has confirmed everything up to row {n}; {signed}.", n=found.receipt.seq, signed=signed))
    return True
