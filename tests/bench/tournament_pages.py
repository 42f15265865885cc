"""500 phones read a stage's public page when a result comes: how long what the organizer does at the desk takes meanwhile.

The server is a process of its own, with TLS, and the phones are another: each holds a line on which it is told of changes, and fetches the
page some part of two seconds later, as the page's script does. Beside them the organizer enters a result, then opens the forms of the next
matches until all phones have the page, and enters another one.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from statistics import median
from typing import Any

import httpx

from kiosk.server.acts import Act
from kiosk.server.store import Store
from kiosk.server.tournament import happen
from kiosk.tournament import happened as h
from kiosk.tournament.plan import Entrant, StagePlan, System
from kiosk.tournament.stages import proposed
from tests.bench.figures import Bench, CannotMeasure
from tests.bench.hall import ROOT, Hall, hall
from tests.bench.hall_tables import Line

READERS = 500
SPREAD_S = 2.0
AT_ONCE = 20
"""So many phones connect at the same time."""
PLAYERS = 128
PAGE = "/tournament/1"
DESK = "/desk/tournament/stage/1"
RESULTS, APART_S = 5, 0.05


@dataclass(frozen=True)
class Run:
    """What was measured."""

    desk_p99_ms: float
    """Of acts at the desk while the phones read."""
    desk_median_ms: float
    """Of the same."""
    alone_ms: float
    """The median of results that are entered with no phone there."""
    fetched: int
    page_p99_ms: float
    """Of a page, at the phones."""
    packed: int
    """Bytes of a page as it is sent."""
    cpu_ms: float
    """What the server computed for each page, acts included."""

    def told(self) -> str:
        """The rest, for people."""
        return (
            f"half of them within {self.desk_median_ms:.0f} ms; alone a result takes {self.alone_ms:.0f} ms; {READERS} phones fetched "
            f"{self.fetched} pages of {self.packed // 1000} KB, "
            f"99 of 100 within {self.page_p99_ms:.0f} ms; the server computed {self.cpu_ms:.1f} ms for each"
        )


@cache
def run() -> Run:
    """Let them read, once.

    Raises:
        CannotMeasure: A phone that gets no page, an act that is refused.
    """
    with hall(1) as place:
        _begin(place)
        with httpx.Client(base_url=f"https://127.0.0.1:{place.port}", verify=False, headers={"accept": "text/html"}, timeout=30) as client:  # noqa: S501 - as the tables
            csrf = _log_in(client)
            alone = [_enter(client, csrf, n) for n in range(1, 11)]
            with _phones(place.port) as told:
                before = place.computed_s()
                spent = [each for n in range(11, 11 + RESULTS) for each in _after_a_result(client, csrf, n)]
                computed = place.computed_s() - before
    waits = sorted(told["waits"])
    if len(waits) < READERS:
        raise CannotMeasure("some phones have fetched no page.")
    alone_ms, fetched = median(alone) * 1000, len(waits)
    return Run(_p99(spent) * 1000, median(spent) * 1000, alone_ms, fetched, _p99(waits) * 1000, told["bytes"], computed / fetched * 1000)


def _p99(values: list[float]) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * 0.99))]


# ── The event and the desk ───────────────────────────────────────────────────
def _begin(place: Hall) -> None:
    """A Swiss stage in its second round."""
    store = Store.open(place.database)
    plan = StagePlan("Main", System.SWISS, rounds=7, seed="27 October")
    with store.write() as connection:
        act = Act(connection, "bench", 1)
        happen(act, [h.Entered(Entrant(n, (f"Player {n:03}",), f"Club {n % 12}", "MK")) for n in range(1, PLAYERS + 1)])
        event = happen(act, [h.StageOpened(1, plan, tuple(range(1, PLAYERS + 1)))]).event
        event = happen(act, [proposed(event, event.stage(1))]).event
        event = happen(act, [h.Ended(1, f"R1.{n}", h.Outcome.LEFT, 7, 3) for n in range(1, PLAYERS // 2 + 1)]).event
        happen(act, [proposed(event, event.stage(1))])
    store.close()


def _log_in(client: httpx.Client) -> str:
    csrf = _csrf(client.get("/login").text)
    client.post("/login", data={"csrf": csrf, "name": "Eva", "password": "a long-enough word", "next": "/account"})
    return _csrf(client.get("/account").text)


def _csrf(page: str) -> str:
    return page.split('name="csrf" value="')[1].split('"', maxsplit=1)[0]


def _after_a_result(client: httpx.Client, csrf: str, n: int) -> Iterator[float]:
    """Enter a result, and open forms until all phones have had the page; how long each took, in seconds."""
    until = time.perf_counter() + SPREAD_S + 0.3
    yield _enter(client, csrf, n)
    while (began := time.perf_counter()) < until:
        if client.get(f"{DESK}/match/R2.{n + 1}").status_code != 200:
            raise CannotMeasure("the form of a match was not answered.")
        spent = time.perf_counter() - began
        yield spent
        time.sleep(max(0.0, APART_S - spent))


def _enter(client: httpx.Client, csrf: str, n: int) -> float:
    began = time.perf_counter()
    answer = client.post(f"{DESK}/match/R2.{n}", data={"csrf": csrf, "outcome": "left", "left": "7", "right": "2"})
    if answer.status_code != 303:
        raise CannotMeasure(f"a result was answered with {answer.status_code}.")
    return time.perf_counter() - began


# ── The phones ───────────────────────────────────────────────────────────────
@contextmanager
def _phones(port: int) -> Iterator[dict[str, Any]]:
    """Phones that read; afterwards: what they have to tell."""
    command = [sys.executable, "-m", "tests.bench.tournament_pages", str(port)]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    told: dict[str, Any] = {}
    try:
        if process.stdout is None or process.stdout.readline() != "ready\n":
            raise CannotMeasure("the phones could not connect.")
        yield told
        told |= json.loads(process.communicate("enough\n", timeout=60)[0])
    finally:
        process.kill()
        process.communicate()


class Phones:
    """All of them."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.waits: list[float] = []
        self.bytes = self.reading = 0
        self.all_read = asyncio.Event()

    async def one(self, room: asyncio.Semaphore) -> None:
        """Connect, and then read for ever."""
        async with room:
            told, told_of = await Line(self.port).open()
            told_of.write(b"GET /live/tournament HTTP/1.1\r\nHost: hall\r\n\r\n")
            await told.readuntil(b"event: all")
            line = Line(self.port)
            etag = await self._page(line, "")
            self.reading += 1
            if self.reading == READERS:
                self.all_read.set()
        changed = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            group.create_task(self._hear(told, changed))
            while await changed.wait():
                await asyncio.sleep(random.random() * SPREAD_S)
                changed.clear()
                began = time.perf_counter()
                etag = await self._page(line, etag)
                self.waits.append(time.perf_counter() - began)

    async def _hear(self, told: asyncio.StreamReader, changed: asyncio.Event) -> None:
        while line := await told.readline():
            if line.startswith(b"event: changed"):
                changed.set()
        raise CannotMeasure("the server has let a phone go.")

    async def _page(self, line: Line, etag: str) -> str:
        reader, writer = await line.open()
        head = f"GET {PAGE} HTTP/1.1\r\nHost: hall\r\nAccept: text/html\r\nAccept-Encoding: gzip\r\nIf-None-Match: {etag}\r\n\r\n"
        writer.write(head.encode())
        answer = (await reader.readuntil(b"\r\n\r\n")).lower().split(b"\r\n")
        if not answer[0].startswith((b"http/1.1 200", b"http/1.1 304")):
            raise CannotMeasure(f"a page was answered with {answer[0]!r}.")
        values = dict(each.split(b": ", 1) for each in answer[1:] if b": " in each)
        body = await reader.readexactly(int(values.get(b"content-length", b"0")))
        self.bytes = max(self.bytes, len(body))
        return values[b"etag"].decode()


async def _read(port: int) -> None:
    phones, room = Phones(port), asyncio.Semaphore(AT_ONCE)
    reading = asyncio.gather(*[phones.one(room) for _ in range(READERS)])
    await asyncio.wait({asyncio.ensure_future(phones.all_read.wait()), reading}, return_when=asyncio.FIRST_COMPLETED)
    if not reading.done():
        print("ready", flush=True)
        enough = asyncio.ensure_future(asyncio.to_thread(sys.stdin.readline))
        await asyncio.wait({enough, reading}, return_when=asyncio.FIRST_COMPLETED)
    if reading.done():
        await reading  # it tells why
    print(json.dumps({"waits": phones.waits, "bytes": phones.bytes}), flush=True)
    os._exit(0)  # a thousand lines need no farewell


def measure() -> float:
    return run().desk_p99_ms


BENCH = Bench(
    "ms",
    500,
    measure,
    "the organizer's acts, 99 of 100, while 500 phones fetch the page of a stage after a result",
    lambda: run().told(),
)

if __name__ == "__main__":
    asyncio.run(_read(int(sys.argv[1])))
