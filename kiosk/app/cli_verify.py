"""`kiosk verify`: is a sheet still what the table wrote?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kiosk.app import preferences
from kiosk.app.cli_export import Rows
from kiosk.app.cli_records import JOURNAL
from kiosk.app.lines import say
from kiosk.domain.errors import KioskError
from kiosk.journal import read_rows, verify
from kiosk.say import LANGUAGES, _, speaking

if TYPE_CHECKING:
    from kiosk.app.config import Config
    from kiosk.sheets.verify import Verdict

LARGEST = 20_000_000
"""No sheet has more bytes."""


class NotASheet(KioskError, ValueError):
    """You erred: what was handed over is neither a JSON sheet nor a QR code's text."""


@click.command("verify")
@click.argument("sheet", required=False, type=click.Path(path_type=Path, dir_okay=False, allow_dash=True))
@click.option("--qr", metavar="TEXT", help="The text of a sheet's QR code, instead of a file.")
@click.option("--language", type=click.Choice(list(LANGUAGES)), help="The language of the answer; default: the table's.")
@JOURNAL
@click.pass_context
def verify_sheet(ctx: click.Context, sheet: Path | None, qr: str | None, language: str | None, file: Path | None) -> None:
    """Verify SHEET, a JSON sheet (`kiosk export --format json`) or a file with the text of a sheet's QR code; - is standard input.

    Each value is compared with what the journal's facts give, and the journal's own chain is verified. Where no journal has the match, a
    JSON sheet is held against its own seal. Exit code 0: everything holds; 1: something was altered, or cannot be verified.
    """
    config: Config = ctx.obj
    if (sheet is None) == (qr is None):
        raise click.UsageError("Give either SHEET or --qr TEXT.")
    given: dict[str, Any] | str = _read(sheet) if sheet is not None else qr or ""
    with speaking(language or preferences.load(config.data).language):
        journal = _journal(config, file)
        verdict = _judge(given, journal, file)
        faults = [*verdict.faults, *_chain(journal)]
        for line in faults:
            say(line)
        for line in verdict.notes:
            say(line)
        say(_("Everything holds.") if not faults else _("It does not hold."))
    ctx.exit(1 if faults else 0)
