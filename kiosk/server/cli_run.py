"""`kiosk-server run`: serve the event until it is stopped."""

from __future__ import annotations

import gc
import logging
import multiprocessing
import os
import signal
import ssl
import sys
import threading
from asyncio.sslproto import SSLProtocol
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import uvicorn

from kiosk.say import _
from kiosk.server import settings
from kiosk.server.addresses import EVERYWHERE, LOOPBACK, board
from kiosk.server.announce import announced
from kiosk.server.beats import PATIENCE_S, Beats, Vigil
from kiosk.server.beside import alone
from kiosk.server.house import get, open_house
from kiosk.server.keys import IDENT, TLS_CERTIFICATE, TLS_KEY, Keys, context
from kiosk.server.problems import ServerError, WrongUse
from kiosk.server.sockets import BACKLOG, listen
from kiosk.server.store import Store
from kiosk.shell import logs
from kiosk.shell.lines import say
from kiosk.shell.notify import Notifier
from kiosk.shell.places import forgetful
from kiosk.sync import wire

if TYPE_CHECKING:
    import socket
    from multiprocessing.context import SpawnProcess
    from multiprocessing.sharedctypes import Synchronized

    from fastapi import FastAPI

    from kiosk.server.running import Feeder

KEEP_S = 75
"""So long an idle connection is kept, so that a table need not greet anew."""
FAREWELL_S = 3
"""So long open answers may take at the end."""
SWITCH_S = 0.001
"""So long a thread that works may hold up the one that answers."""
GARBAGE = (10_000, 20, 20)
"""How much is made before it is looked for cycles: most of what a request makes is gone by then."""
TLS_BUFFER = 32 * 1024
"""Bytes that each TLS connection keeps for reading: the library's own 256 KiB are 500 MB for the connections of 1,000 tables."""
LOOK_S = 0.5
"""How often several workers are looked after."""


@click.command("run")
@click.option("--host", help="Where to listen: an address of this machine; without it on all of them.")
@click.option("--port", type=click.IntRange(0, 65_535), help="The port; without it 8443. 0: any that is free.")
@click.option("--workers", type=click.IntRange(1, 32), help="So many processes; more than one with PostgreSQL only.")
@click.option("--plain", is_flag=True, help="Without TLS, on this machine only: behind a reverse proxy.")
@click.option("--no-announce", is_flag=True, help="Do not tell the local network.")
@click.pass_obj
def run(data: Path, host: str | None, port: int | None, workers: int | None, plain: bool, no_announce: bool) -> None:  # noqa: FBT001, PLR0917
    """Serve the event, over HTTPS, until it is stopped.

    The line that begins with `ready` says where the hall board is. Stop it with Ctrl-C, or by SIGTERM.
    """
    if not (data / IDENT).exists():
        raise ServerError(_("There is no server in {folder}; `kiosk-server init` makes one.", folder=data))
    if plain and host is None:
        host = "127.0.0.1"
    made = settings.load(data, host=host, port=port, workers=workers, plain=plain or None, announce=False if no_announce or plain else None)
    _check(made, workers)
    with ExitStack() as stack:
        stack.enter_context(alone(data))
        keys, event = _opened(made)
        listening = stack.enter_context(listen(made.host, made.port))
        made = settings.load(data, **{**_said(made), "port": listening.getsockname()[1]})
        _warn_of_forgetting(made)
        if made.announce:
            stack.enter_context(announced(keys.server_id, event, made.port))
        _serve(made, listening)


def _warn_of_forgetting(made: settings.Settings) -> None:
    """Say it where everything is gone at the next reboot; the organizer's page says it too."""
    kind = forgetful(made.folder)
    if kind is not None:
        logs.log.error(
            _(
                "The data folder {folder} is on {kind} and forgets everything at the next reboot; name another one.",
                folder=made.folder,
                kind=kind,
            )
        )


def _said(made: settings.Settings) -> dict[str, object]:
    return {"host": made.host, "workers": made.workers, "plain": made.plain, "announce": made.announce}


def _check(made: settings.Settings, workers: int | None) -> None:
    if made.plain and made.host not in LOOPBACK:
        raise WrongUse(_("--plain: without TLS the server listens on 127.0.0.1 only; passwords would go through the hall in the clear."))
    if made.workers > 1 and made.is_sqlite:
        if workers is not None:
            raise WrongUse(_("--workers: SQLite has one writer; several processes want PostgreSQL (`kiosk-server init --database`)."))
        raise WrongUse(
            _(
                "{path}: workers = {n} wants PostgreSQL, for SQLite has one writer: write workers = 1, or name a `database` there.",
                path=made.folder / settings.FILE,
                n=made.workers,
            )
        )


def _opened(made: settings.Settings) -> tuple[Keys, str]:
    """Open everything once, so that what is wrong is said before anything is promised."""
    keys = Keys.load(made.folder, made.certificate)
    if not made.plain:
        context(keys)
    store = Store.open(made.url)
    try:
        with store.read() as connection:
            if get(connection, "server") != keys.server_id:
                raise ServerError(_("The database belongs to another server than the keys in {folder}.", folder=made.folder))
            return keys, get(connection, "name")
    finally:
        store.close()


# ── Serving ──────────────────────────────────────────────────────────────────
def _serve(made: settings.Settings, listening: socket.socket) -> None:
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, _stopped)  # the way to stop a server, and no failure
    notifier = Notifier()
    threading.Thread(target=_say_when_ready, args=(made, notifier), daemon=True).start()
    if made.workers > 1:
        _several(made, listening, notifier)
    else:
        work(made, listening)
    notifier.close()


def _stopped(_signal: int, _frame: object) -> None:
    """The server has stopped by then, or is told so by `_several`."""


def work(made: settings.Settings, listening: socket.socket, feeder: Feeder | None = None) -> None:
    """Be one worker, until a signal says that it is enough.

    Args:
        made: How the server is set up.
        listening: Where it listens.
        feeder: Who is told that the event loop turns; systemd, where none is named.
    """
    store = Store.open(made.url)
    try:
        worker(made, store, feeder).run(sockets=[listening])
    finally:
        store.close()


def worker(made: settings.Settings, store: Store, feeder: Feeder | None = None) -> uvicorn.Server:
    """One worker's server.

    Args:
        made: How the server is set up.
        store: Its database.
        feeder: Who is told that the event loop turns; systemd, where none is named.
    """
    from kiosk.server.app import create_app
    from kiosk.server.heads import Bounded

    logging.getLogger("uvicorn.error").addFilter(_no_farewell)
    sys.setswitchinterval(SWITCH_S)
    SSLProtocol.max_size = TLS_BUFFER  # a class attribute, read for each connection; uvloop, where it is there, has its own way
    application = create_app(open_house(made, store), feeder)
    gc.collect()
    gc.freeze()  # the program itself is looked at no more: with 1,000 tables a whole look takes a third of a second
    gc.set_threshold(*GARBAGE)
    tls: dict[str, Any] = {} if made.plain else {"ssl_certfile": made.folder / TLS_CERTIFICATE, "ssl_keyfile": made.folder / TLS_KEY}
    config = uvicorn.Config(
        application,
        http=Bounded,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=made.plain,  # whoever reaches the server itself could say anything
        forwarded_allow_ips="127.0.0.1",
        backlog=BACKLOG,
        timeout_keep_alive=KEEP_S,
        timeout_graceful_shutdown=FAREWELL_S,
        **tls,
    )
    return _Server(config, application)


class _Server(uvicorn.Server):
    """One worker's server: at its end it lets those go who listen, instead of waiting for them."""

    def __init__(self, config: uvicorn.Config, application: FastAPI) -> None:
        super().__init__(config)
        self._state = application.state
        self._notifier = Notifier()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop."""
        self._notifier.stopping()
        self._state.streams.leave()
        self._state.house.hub.close()
        await super().shutdown(sockets)
        self._notifier.close()


def _worker(made: settings.Settings, listening: socket.socket, count: Synchronized[int], *, verbose: bool) -> None:
    """The beginning of a worker's process."""
    logs.set_up(verbose=verbose)
    os.umask(0o077)
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, _stopped)
    work(made, listening, Beats(count))


def _several(made: settings.Settings, listening: socket.socket, notifier: Notifier) -> None:
    """Keep so many workers at work, each a process of its own, until a signal says that it is enough; one that dies or hangs is replaced.

    systemd's watchdog is fed while this goes on.
    """
    enough, spawn = threading.Event(), multiprocessing.get_context("spawn")
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, lambda _signal, _frame: enough.set())
    verbose = logging.getLogger().isEnabledFor(logging.DEBUG)
    workers: dict[SpawnProcess, Vigil] = {}
    try:
        while not enough.is_set():
            workers = {worker: vigil for worker, vigil in workers.items() if worker.is_alive()}
            while len(workers) < made.workers:
                count = spawn.Value("Q", 0)
                worker = spawn.Process(target=_worker, args=(made, listening, count), kwargs={"verbose": verbose})
                worker.start()
                workers[worker] = Vigil(count, round(PATIENCE_S / LOOK_S))
            _end_those_that_hang(workers)
            notifier.alive()
            enough.wait(LOOK_S)
    finally:
        notifier.stopping()
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join(2 * FAREWELL_S)
            worker.kill()


def _end_those_that_hang(workers: dict[SpawnProcess, Vigil]) -> None:
    for worker, vigil in workers.items():
        if vigil.hangs():
            logs.log.error("A worker has answered nobody for %s s; it is ended, and another one takes its place.", PATIENCE_S)
            worker.kill()


def _no_farewell(record: logging.LogRecord) -> bool:
    """A table that goes away in the middle of its stream is no error."""
    return "timeout graceful shutdown exceeded" not in record.getMessage() and "completing response" not in record.getMessage()


def _say_when_ready(made: settings.Settings, notifier: Notifier) -> None:
    """Say where the board is, as soon as somebody answers there."""
    host = "127.0.0.1" if made.host in EVERYWHERE else made.host
    unproved = ssl._create_unverified_context()  # noqa: S323, SLF001 - it is asked whether somebody answers, and told nothing
    pause = threading.Event()
    while True:
        try:
            there = (
                HTTPConnection(host, made.port, timeout=5) if made.plain else HTTPSConnection(host, made.port, timeout=5, context=unproved)
            )
            there.request("GET", wire.HELLO)
            if there.getresponse().status == 200:
                break
        except (OSError, HTTPException):
            pass
        pause.wait(0.05)
    sentence = _("ready: the hall board is at {address}", address=board(made))
    say(sentence)
    notifier.ready(sentence)
