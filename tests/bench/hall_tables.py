"""Simulated tables as light clients of one process: `python -m tests.bench.hall_tables`, told what to do on standard input.

They hold their rows ready: the opening of a match and presses five seconds apart, as a session writes them, with a match and a chain of
their own. What they say is the real protocol, over TLS; each has a connection of its own for it, and in `play` one for its stream, too.
"""

from __future__ import annotations

import asyncio
import json
import random
import ssl
import sys
import time
from typing import Any

from kiosk.books import Library
from kiosk.chain import START, link
from kiosk.domain.setup import Options, resolve
from kiosk.domain.types import Instant, Pair, Side, seconds
from kiosk.journal.memory import MemoryJournal
from kiosk.ports import Record, Row
from kiosk.session import Session
from kiosk.session import commands as c
from kiosk.sync import wire

APART_S = 5
MATCH = "00000000-0000-0000-0000-000000000000"


def template(presses: int) -> list[Record]:
    """The records of a match in which nothing happens but presses."""
    journal = MemoryJournal(boot="bench")
    session = Session(journal)
    setup = resolve(Library().load("ibgf"), Options(21, Pair(("Ana Petrovska",), ("Boris Novak",))))
    session.command(c.OpenMatch(MATCH, setup), Instant(seconds(1)))
    for n in range(presses):
        session.press(tuple(Side)[n % 2], Instant(seconds(10 + APART_S * n)))
    return [Record(row.type, row.data, row.mono_ns) for row in journal.rows()]


class Table:
    """One table."""

    def __init__(self, number: int, ident: str, secret: str, records: list[Record]) -> None:
        self.number, self.ident = number, ident
        self.token = f"{ident}.{secret}"
        rows: list[Row] = []
        prev = START
        for seq, record in enumerate(records, 1):
            own = Record(record.type, record.data.replace(MATCH, f"{number:08}{MATCH[8:]}"), record.mono_ns)
            rows.append(link(own, seq, prev, f"boot {number}", (1_700_000_000 * 10**9 + own.mono_ns, True)))
            prev = rows[-1].hash
        self.rows = rows

    def body(self, after: int, count: int, pending: int = 0) -> bytes:
        """A batch."""
        part = tuple(self.rows[after : after + count])
        prev = self.rows[after - 1].hash if after else START
        now = wire.Moment(f"boot {self.number}", part[-1].mono_ns if part else 0, time.time_ns(), True)
        return wire.batch_to_json(wire.Batch(self.rows[0].hash, after, prev, part, (), now, pending))

    def request(self, body: bytes) -> bytes:
        """The same as a request."""
        head = f"POST {wire.SYNC} HTTP/1.1\r\nHost: hall\r\nAuthorization: Bearer {self.token}\r\nContent-Type: application/json\r\n"
        return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


class Line:
    """One connection."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect, once."""
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port, ssl=_trusting())
        return self._streams

    async def ask(self, request: bytes) -> dict[str, Any]:
        """Send a request and take its answer."""
        reader, writer = await self.open()
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        body = await reader.readexactly(length)
        if not head.startswith(b"HTTP/1.1 200"):
            raise ConnectionError(f"{head[:40]!r}: {body[:300]!r}")
        answer: dict[str, Any] = json.loads(body)
        return answer


def _trusting() -> ssl.SSLContext:
    """The bench measures the server; whose certificate it is has been looked at elsewhere."""
    global _CONTEXT  # noqa: PLW0603 - one for all
    if _CONTEXT is None:
        _CONTEXT = ssl.create_default_context()
        _CONTEXT.check_hostname, _CONTEXT.verify_mode = False, ssl.CERT_NONE
    return _CONTEXT


_CONTEXT: ssl.SSLContext | None = None


# ── After an outage ──────────────────────────────────────────────────────────
async def catch_up(tables: list[Table], spec: dict[str, Any]) -> dict[str, Any]:
    """All tables send all of their rows, in batches, each as fast as it is answered."""
    batch = int(spec["batch"])
    requests = [[table.request(table.body(at, batch)) for at in range(0, len(table.rows), batch)] for table in tables]
    _ready()

    async def one(parts: list[bytes]) -> None:
        line = Line(spec["port"])
        await asyncio.sleep(random.random())  # the real ones come back within seconds, by their jitter
        for part in parts:
            answer = await line.ask(part)
            if answer["verdict"] != "stored":
                raise ConnectionError(answer["verdict"])

    began = time.monotonic()
    await asyncio.gather(*[one(parts) for parts in requests])
    return {"began": began, "ended": time.monotonic(), "rows": sum(len(table.rows) for table in tables)}


# ── At play ──────────────────────────────────────────────────────────────────
async def play(tables: list[Table], spec: dict[str, Any]) -> dict[str, Any]:
    """Each table presses every five seconds, and sends what it has; beside that it listens for orders."""
    _ready()
    until = time.monotonic() + float(spec["seconds"])
    apart = float(spec.get("apart", APART_S))
    told: list[tuple[int, str, float, float]] = []
    streams: list[asyncio.Task[None]] = []

    async def one(table: Table) -> int:
        line = Line(spec["port"])
        streams.append(asyncio.create_task(_listen(table, spec["port"])))
        await asyncio.sleep(random.random() * apart)
        sent = (await line.ask(table.request(table.body(0, 2))))["want"] - 1  # the opening, and the first press
        press = sent
        while (start := time.monotonic()) < until and press < len(table.rows):
            await asyncio.sleep(max(0.0, apart - (time.monotonic() - start)))
            press += 1
            at = time.monotonic()
            sent = (await line.ask(table.request(table.body(sent, press - sent))))["want"] - 1
            told.append((table.number, json.loads(table.rows[sent - 1].data)["by"], at, time.monotonic() - at))
        return sent

    rows = await asyncio.gather(*[one(table) for table in tables])
    for stream in streams:
        stream.cancel()
    return {"presses": told, "rows": sum(rows)}


async def _listen(table: Table, port: int) -> None:
    reader, writer = await Line(port).open()
    writer.write(f"GET {wire.STREAM}?after=0 HTTP/1.1\r\nHost: hall\r\nAuthorization: Bearer {table.token}\r\n\r\n".encode())
    while await reader.read(65_536):
        pass


# ── A board that is open ─────────────────────────────────────────────────────
async def board(spec: dict[str, Any]) -> dict[str, Any]:
    """One page that reads the hall's board: when it heard of each press, by table."""
    reader, writer = await asyncio.open_connection("127.0.0.1", spec["port"], ssl=_trusting(), limit=2**24)
    writer.write(b"GET /live/board HTTP/1.1\r\nHost: hall\r\n\r\n")
    await reader.readuntil(b"data:")
    print("ready", flush=True)
    heard: list[tuple[int, str | None, float]] = []

    async def read() -> None:
        while line := await reader.readline():
            told = json.loads(line[5:]) if line.startswith(b"data:") else {}
            at = time.monotonic()
            heard.extend((int(face["table"]), face["turn"], at) for face in told.get("faces", []) if "turn" in face)

    reading = asyncio.create_task(read())
    await asyncio.to_thread(sys.stdin.readline)
    reading.cancel()
    return {"heard": heard}


def _ready() -> None:
    print("ready", flush=True)
    sys.stdin.readline()


def main() -> None:
    """Do what the first line of standard input says."""
    spec = json.loads(sys.stdin.readline())
    if spec["mode"] == "board":
        told = asyncio.run(board(spec))
    else:
        records = template(spec["presses"])
        tables = [Table(spec["first"] + n + 1, ident, secret, records) for n, (ident, secret) in enumerate(spec["devices"])]
        told = asyncio.run((catch_up if spec["mode"] == "catch_up" else play)(tables, spec))
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
