"""`kiosk-server sample`: a small event with the two matches of `kiosk demo`, which starts it; its workbook is written at the end."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kiosk.books import Library
from kiosk.domain.officials import Official, Role
from kiosk.domain.types import Pair
from kiosk.say import _
from kiosk.server import assignments, matches
from kiosk.server.acts import acting
from kiosk.server.audit import COMMAND_LINE
from kiosk.server.beside import house_beside
from kiosk.server.cli_init import ORGANIZER, make
from kiosk.server.cli_run import run
from kiosk.server.enrolment import make_code
from kiosk.server.plans import Plan
from kiosk.server.settings import here

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from kiosk.sheets import ScoreSheet

EXPORT = "event.xlsx"
"""What the event comes to, in the server's folder."""

PLANS = (
    Plan(Pair(("Ана Илиева",), ("Oksana Bondar",)), "ibgf", 3, "1", "1"),
    Plan(Pair(("Марија Ќосева",), ("Борис Гринько",)), "ibgf", 7, "2", "1", provide="breaks"),
)
"""The match for whoever tries table 1, and the sample match at table 2."""


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--port", type=click.IntRange(0, 65_535), default=0, help="The port; without it any that is free.")
@click.pass_context
def sample(ctx: click.Context, folder: Path, port: int) -> None:
    """Make a small event in FOLDER with the matches of `kiosk demo`, and serve it on this machine.

    The first line on standard output is JSON with a code for its tables and the organizer's password. When it is stopped, the event's
    workbook is written into FOLDER.
    """
    word = secrets.token_urlsafe(9)
    make(folder, _("Demonstration"), Official(ORGANIZER, Role.ORGANIZER), word, "")
    with house_beside(folder) as house:
        with acting(house, COMMAND_LINE) as act:
            for plan in PLANS:
                assignments.make(act, plan, Library())
        code = make_code(house, COMMAND_LINE, uses=2 * len(PLANS), days=1).code
    click.echo(json.dumps({"code": code, "name": ORGANIZER, "password": word}))
    ctx.obj = folder
    try:
        ctx.invoke(run, host="127.0.0.1", port=port, workers=None, plain=False, no_announce=True)
    finally:
        _write(folder)


def _write(folder: Path) -> None:
    from kiosk.sheets import event as registers

    with house_beside(folder) as house, house.store.read() as connection:
        where: dict[int, str] = {}
        data = registers.to_event_xlsx(
            _told(connection, where), event=house.event, table=lambda sheet: where[sheet.number], zone=house.settings.zone or here()
        )
    (folder / EXPORT).write_bytes(data)


def _told(connection: Connection, where: dict[int, str]) -> Iterator[ScoreSheet]:
    for one, sheet in matches.told(connection):
        where[sheet.number] = one.table
        yield sheet
