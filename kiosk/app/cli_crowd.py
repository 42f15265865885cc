"""`kiosk crowd`: a simulated hall of many tables, for trying a tournament server."""

from __future__ import annotations

import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kiosk.app.lines import say
from kiosk.books import Library
from kiosk.domain.types import NS_PER_S
from kiosk.say import _, n_

if TYPE_CHECKING:
    from kiosk.app.config import Config

SETTLE_S = 10.0
"""How long the end waits for the server."""


@click.command("crowd", short_help="Play many simulated tables on a tournament server.")
@click.option("--tables", type=click.IntRange(1, 1000), default=20, show_default=True, help="How many tables.")
@click.option("--server", "address", required=True, help="The server's address, as in 127.0.0.1:8443.")
@click.option("--code", required=True, help="A code that is good for so many tables: kiosk-server code --many N.")
@click.option("--first", type=click.IntRange(1, 100_000), default=1, show_default=True, help="The number that the first table is called.")
@click.option(
    "--speed", type=click.FloatRange(0.1, 1000), default=1.0, show_default=True, help="How many times faster than people they play."
)
@click.option("--seed", type=int, default=1, show_default=True, help="For chance: the same people play the same again.")
@click.option("--seconds", type=click.FloatRange(min=0.1), help="How long; default: until it is stopped.")
@click.pass_obj
def crowd(config: Config, tables: int, address: str, code: str, first: int, speed: float, seed: int, seconds: float | None) -> None:  # noqa: PLR0917 - by name
    """Play many simulated tables in this process, each over the real protocol, until it is stopped.

    They play what the organizer assigns to them, else matches of their own; they call referees, obey pauses and read messages. Nothing is
    kept on this computer.
    """
    from kiosk.app.crowd import Crowd
    from kiosk.app.joining import CodeError
    from kiosk.sync import proof
    from kiosk.sync.transport import read_address

    read = proof.read_code(code)
    if read is None:
        raise CodeError(_("CODE: a code has 8 or 16 letters and digits, as in 7KQ2-M4XD; the organizer's page shows one."))
    with tempfile.TemporaryDirectory(prefix="tableside-crowd-") as folder:
        made = Crowd(Library([config.rulebooks]), Path(folder), speed=speed, seed=seed)
        before = {number: signal.signal(number, lambda *_each: made.stop()) for number in (signal.SIGTERM, signal.SIGINT)}
        try:
            made.join(read_address(address), read, tables, first)
            click.echo(n_("ready: {n} table plays at {url}", "ready: {n} tables play at {url}", tables, url=read_address(address).url))
            sys.stdout.flush()
            made.run(None if seconds is None else time.monotonic_ns() + int(seconds * NS_PER_S))
            left = made.settle(SETTLE_S)
        finally:
            made.close()
            for number, handler in before.items():
                signal.signal(number, handler)
        say(_("{count} entries were recorded; {left} are not confirmed by the server.", count=made.recorded(), left=left))
