"""`kiosk-server demo`: a full hall, to look at."""

from __future__ import annotations

import os
import secrets
import select
import signal
import subprocess
import sys
import tempfile
import threading
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kiosk.books import Library
from kiosk.domain.officials import Official, Role
from kiosk.domain.types import Pair
from kiosk.say import _, n_
from kiosk.server import assignments, people
from kiosk.server.acts import acting
from kiosk.server.audit import COMMAND_LINE
from kiosk.server.beside import house_beside
from kiosk.server.cli_init import ORGANIZER, make
from kiosk.server.enrolment import MOST_USES, make_code
from kiosk.server.plans import Plan
from kiosk.server.problems import ServerError
from kiosk.shell.lines import say

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

FIRST = ("Ana", "Boris", "Elena", "Goran", "Irina", "Kostya", "Lena", "Marko", "Nina", "Oleh", "Petra", "Sava", "Tanja", "Viktor", "Zoran")
LAST = ("Andonov", "Bilić", "Hrytsenko", "Ivanova", "Kovač", "Lysenko", "Marinova", "Nikolić", "Orlov", "Petrović", "Savić", "Tkachenko")
ROUND = "1"
READY_S = 30.0
"""The server is ready within this time, or it never is."""

SERVER = "from kiosk.server.main import main; main()"
TABLES = "from kiosk.app.main import main; main()"
"""The tables are the other program: it is started as such."""


@click.command()
@click.option("--tables", type=click.IntRange(1, MOST_USES), default=20, show_default=True, help="How many tables play.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8443, show_default=True, help="The port; 0: any that is free.")
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 shows the hall to other machines too.")
@click.option("--speed", type=click.FloatRange(0.1, 1000), default=1.0, show_default=True, help="So much faster than people they play.")
@click.option("--seconds", type=click.FloatRange(min=1), help="End by itself after so long.")
def demo(tables: int, port: int, host: str, speed: float, seconds: float | None) -> None:
    """Show a full hall: a server that is made for it, matches, and tables that play them through the real protocol.

    Everything is made anew in a folder of its own, which is removed at the end. Ctrl-C ends it.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tableside-hall-")))
        word = secrets.token_urlsafe(9)
        made = folder / "server"
        code = _hall(made, tables, word)
        server, address = stack.enter_context(_server(made, host, port))
        say(
            n_(
                "{n} table plays. The hall board is at {address}",
                "{n} tables play. The hall board is at {address}",
                tables,
                address=address,
            )
        )
        say(_("Your browser asks once about the certificate: the server has made it itself."))
        say(_("To log in: {name}, password {word}", name=ORGANIZER, word=word))
        say(_("Ctrl-C ends it."))
        reached = f"127.0.0.1:{address.rstrip('/').rpartition(':')[2]}" if host == "0.0.0.0" else address.split("//")[1].rstrip("/")  # noqa: S104
        words = ("--tables", str(tables), "--server", reached, "--code", code, "--speed", str(speed))
        said = stack.enter_context((folder / "crowd.log").open("w+b"))
        crowd = stack.enter_context(_child(TABLES, "crowd", *words, home=folder, out=subprocess.DEVNULL, told=said.fileno()))
        _wait({"crowd": crowd, "server": server}, seconds, said)
    say(_("The hall is gone."))


def _hall(folder: Path, tables: int, word: str) -> str:
    """Make a server with a match for every table.

    Returns:
        The code with which all of them come in.
    """
    make(folder, _("Demonstration"), Official(ORGANIZER, Role.ORGANIZER), word, "")
    library = Library()
    with house_beside(folder) as house:
        people.add(house, COMMAND_LINE, Official("Eva", Role.REFEREE), word)
        with acting(house, COMMAND_LINE) as act:
            for number in range(tables):
                assignments.make(act, _plan(number), library)
        return make_code(house, COMMAND_LINE, uses=max(tables, 2), days=1).code


def _plan(number: int) -> Plan:
    """The match of a table, by its number from 0: no name stands twice below 90 tables."""
    names = [f"{FIRST[each % len(FIRST)]} {LAST[each // len(FIRST) % len(LAST)]}" for each in (2 * number, 2 * number + 1)]
    again = number // (len(FIRST) * len(LAST) // 2)
    left, right = (f"{name} {again + 1}" if again else name for name in names)
    return Plan(Pair((left,), (right,)), "ibgf", (5, 7, 9)[number % 3], str(number + 1), ROUND)


@contextmanager
def _server(folder: Path, host: str, port: int) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """The server as a process of its own.

    Yields:
        The process, and the board's address.
    """
    words = ("--data", str(folder), "run", "--host", host, "--port", str(port), "--no-announce")
    with _child(SERVER, *words, home=folder.parent, out=subprocess.PIPE) as process:
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        there, _w, _x = select.select([process.stdout], [], [], READY_S)
        line = process.stdout.readline().decode() if there else ""
        if "http" not in line:
            raise ServerError(_("The demonstration's server did not start; what it said stands above."))
        yield process, line[line.index("http") :].strip()


@contextmanager
def _child(program: str, *words: str, home: Path, out: int, told: int | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Another program of the product, as a process of its own, which ends with this one."""
    environment = {**os.environ, "LANG": "C.UTF-8", "XDG_DATA_HOME": str(home / "data"), "XDG_CONFIG_HOME": str(home / "config")}
    command = [sys.executable, "-c", program, *words]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=told, env=environment, start_new_session=True)  # noqa: S603 - our own
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(running: dict[str, subprocess.Popen[bytes]], seconds: float | None, said: BinaryIO) -> None:
    """Until somebody ends it, or the time is over.

    Args:
        running: The crowd and the server.
        seconds: How long at most.
        said: What the crowd has said.

    Raises:
        ServerError: One of the two has ended by itself, or by somebody else; it says which, and why.
    """
    enough = threading.Event()
    before = {each: signal.signal(each, lambda _signal, _frame: enough.set()) for each in (signal.SIGINT, signal.SIGTERM)}
    left = seconds
    try:
        while not enough.wait(0.5):
            left = None if left is None else left - 0.5
            if left is not None and left <= 0:
                return
            for name, process in running.items():
                if process.poll() is not None:
                    raise ServerError(_why_gone(name, process.returncode, said))
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)


def _why_gone(name: str, code: int, said: BinaryIO) -> str:
    """Why a part of the demonstration has ended: the last line that it said, or how it ended."""
    how = _("it ended with the code {code}", code=code) if code > 0 else _("another program has ended it")
    if name == "server":
        return _("The demonstration's server has gone: {why}.", why=how)
    said.seek(0)
    lines = [line.strip() for line in said.read().decode(errors="replace").splitlines() if line.strip()]
    return _("The demonstration's tables have gone: {why}.", why=lines[-1].rstrip(".") if lines and code > 0 else how)
