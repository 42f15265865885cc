"""`kiosk verify`: is a sheet still what the table wrote?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kiosk.app import preferences
from kiosk.app.cli_records import JOURNAL
from kiosk.app.lines import say
from kiosk.app.rows import Rows
from kiosk.codec import CodecError
from kiosk.domain.errors import KioskError
from kiosk.domain.types import present
from kiosk.journal import verify
from kiosk.say import LANGUAGES, _, speaking

if TYPE_CHECKING:
    from kiosk.app.config import Config
    from kiosk.sheets.verify import Verdict

LARGEST = 20_000_000
"""No sheet has more bytes."""


class NotASheet(KioskError, ValueError):
    """You erred: what was handed over is neither a JSON sheet nor a QR code's text."""


@click.command("verify")
@click.argument("sheet", required=False, type=click.Path(path_type=Path, exists=True, dir_okay=False, allow_dash=True))
@click.option("--qr", metavar="TEXT", help="The text of a sheet's QR code, instead of a file.")
@click.option("--language", type=click.Choice(list(LANGUAGES)), help="The language of the answer; default: the table's.")
@JOURNAL
@click.pass_context
def verify_(ctx: click.Context, sheet: Path | None, qr: str | None, language: str | None, file: Path | None) -> None:
    """Verify SHEET, a JSON sheet (`kiosk export --format json`) or a file with the text of a sheet's QR code; - is standard input.

    Each value is compared with what the journal's facts give, and the journal's own chain is verified. Where no journal has the match, a
    JSON sheet is held against its own seal. Exit code 0: everything holds; 1: something was altered, or cannot be verified.
    """
    config: Config = ctx.obj
    if (sheet is None) == (qr is None):
        raise click.UsageError(_("Give either SHEET or --qr TEXT."))
    given: dict[str, Any] | str = _read(sheet) if sheet is not None else qr or ""
    with speaking(language or preferences.load(config.data).language):
        journal = _journal(config, file)
        report = None if journal is None else verify(journal)
        verdict = _judge(given, journal, file).beside(None if report is None else report.fault)
        for line in verdict.lines():
            say(line)
    ctx.exit(0 if verdict.holds else 1)


def _read(path: Path) -> dict[str, Any] | str:
    """A JSON sheet as an object, or a QR code's text."""
    with click.open_file(str(path), "rb") as file:
        data: bytes = file.read(LARGEST + 1)
    if len(data) > LARGEST:
        raise NotASheet(f"{path}: no sheet has more than {LARGEST} bytes.")
    try:
        text = data.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise NotASheet(f"{path}: this is no JSON sheet and no QR text; `kiosk export --format json` writes sheets.") from error
    if not text.startswith("{"):
        return text
    try:
        plain = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise NotASheet(f"{path}: this is no JSON: {error}.") from error
    return dict(plain)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object's keys must differ: of a key that stands twice, two readers could read two values."""
    plain = dict(pairs)
    if len(plain) != len(pairs):
        twice = next(key for place, (key, _value) in enumerate(pairs) if key in {before for before, _ in pairs[:place]})
        raise ValueError(_("the key {twice} stands twice", twice=repr(twice)))
    return plain


def _journal(config: Config, file: Path | None) -> Rows | None:
    """The journal to compare with; this table's own may be missing, one that was named may not."""
    path = file or config.journal
    return Rows(path) if file is not None or path.exists() else None


def _judge(given: dict[str, Any] | str, journal: Rows | None, file: Path | None) -> Verdict:
    from kiosk.sheets import read_qr
    from kiosk.sheets.verify import Verdict, verify_qr, verify_sheet
    from kiosk.sheets.verify_chouette import verify_chouette

    scanned = read_qr(given) if isinstance(given, str) else None
    try:
        if isinstance(given, dict) and "chouette" in given:
            return verify_chouette(given, journal, must=file is not None)
        if isinstance(given, dict):
            return verify_sheet(given, journal, must=file is not None)
        return verify_qr(present(scanned), journal)
    except CodecError as error:  # a row that was altered may not even be readable
        return Verdict((str(error),))
