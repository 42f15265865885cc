"""`kiosk-server code`: a code with which a table comes into the hall."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from kiosk.say import _, n_
from kiosk.server import clock
from kiosk.server.addresses import board, reached
from kiosk.server.audit import COMMAND_LINE
from kiosk.server.beside import house_beside
from kiosk.server.enrolment import MOST_DAYS, MOST_USES, drop_code, make_code
from kiosk.server.problems import ServerError, WrongUse
from kiosk.shell.lines import say
from kiosk.sync.proof import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@click.command()
@click.option("--table", default="", metavar="NAME", help="What the table will be called; without this the table says it.")
@click.option("--many", "uses", type=click.IntRange(1, MOST_USES), default=1, help="For so many tables, each under its own name.")
@click.option("--days", type=click.IntRange(0, MOST_DAYS), default=0, help="Good for so many days instead of a quarter of an hour.")
@click.option("--replaces", default="", metavar="TABLE", help="The device takes the place of this table's, with its running match.")
@click.option("--png", type=click.Path(path_type=Path, dir_okay=False), help="Write the QR code into this file as well, for printing.")
@click.pass_obj
def code(data: Path, table: str, uses: int, days: int, replaces: str, png: Path | None) -> None:  # noqa: PLR0917 - by name
    """Make a code, to be typed in at a table (`kiosk server join`) or scanned there.

    It is good once and for a quarter of an hour, unless --many or --days say otherwise, and is shown this once only.
    """
    from kiosk.sheets import qr_squares

    with house_beside(data) as house, _picture(png) as file:
        made = make_code(house, COMMAND_LINE, table=table, uses=uses, days=days, replaces=replaces)
        where, zone = reached(house.settings), house.settings.zone
        address = f"tableside:{where}/{made.code}"
        try:
            _draw(file, png, address)
        except BaseException:
            drop_code(house, COMMAND_LINE, made.ident)  # nobody has seen it
            raise
    if made.taken:
        say(_taken(made.table), err=True)
    until = datetime.fromtimestamp(made.until_ns // clock.SECOND, zone).strftime("%Y-%m-%d %H:%M")
    say(_("Code: {code}", code=shown(made.code)))
    say(n_("good for {n} table, until {until}", "good for {n} tables, until {until}", made.uses, until=until))
    say(_("The server is at {address}.", address=board(house.settings)))
    for line in _drawn(qr_squares(address)):
        click.echo(line)


def _taken(table: str) -> str:
    return _(
        "Table {table} has a device: only that one can join by this code. For a spare one: kiosk-server code --replaces {table}",
        table=table,
    )


@contextmanager
def _picture(path: Path | None) -> Iterator[BinaryIO | None]:
    """The file for the picture, made before there is a code; where anything fails, it goes."""
    if path is None:
        yield None
        return
    try:
        file = path.open("xb")
    except FileExistsError as error:
        raise WrongUse(_("--png: {path} is there already; nothing is overwritten.", path=path)) from error
    except OSError as error:
        raise WrongUse(_("--png: {path} cannot be written: {why}.", path=path, why=error.strerror or error)) from error
    try:
        with file:
            yield file
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _draw(file: BinaryIO | None, path: Path | None, address: str) -> None:
    from kiosk.sheets import qr_png

    if file is None:
        return
    try:
        file.write(qr_png(address))
        file.flush()
    except OSError as error:
        raise ServerError(_("{path} cannot be written: {why}.", path=path, why=error.strerror or error)) from error


def _drawn(squares: Sequence[Sequence[bool]]) -> list[str]:
    """A QR code in half blocks, light on dark as terminals are, with its quiet margin."""
    width = len(squares[0]) + 4
    dark = [[False] * width] * 2
    rows = [*dark, *([False, False, *row, False, False] for row in squares), *dark]
    rows += [[False] * width] * (len(rows) % 2)
    return [
        "".join(_BLOCKS[not above, not below] for above, below in zip(*pair, strict=True))
        for pair in zip(rows[::2], rows[1::2], strict=True)
    ]


_BLOCKS = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
