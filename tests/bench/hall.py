"""A hall for the server's figures: `kiosk-server run` as a process of its own, and simulated tables in others.

The tables are light (`hall_tables.py`): they hold their rows ready and speak the real protocol over real connections with TLS; their
devices are written into the database beforehand, for an enrolment costs a stretched code.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import func, insert, select

from kiosk.chain import verify
from kiosk.ports import Row
from kiosk.server.devices import secret_hash
from kiosk.server.schema import code, device, fact, journal
from kiosk.server.store import Store
from tests.bench.figures import CannotMeasure
from tests.server import postgres

SERVER = Path(sys.executable).with_name("kiosk-server")
ROOT = Path(__file__).parents[2]
PATIENCE_S = 300


@dataclass(frozen=True)
class Hall:
    """A server that runs, and its devices."""

    port: int
    pid: int
    devices: list[tuple[str, str]]
    """Id and secret of each."""
    database: str

    def tables(self, mode: str, processes: int, **more: Any) -> list[dict[str, Any]]:
        """Let all tables play, in so many processes; what each process has to tell."""
        share = -(-len(self.devices) // processes)
        parts = [self.devices[n : n + share] for n in range(0, len(self.devices), share)]
        return self._told([{"mode": mode, "port": self.port, "devices": part, "first": n * share, **more} for n, part in enumerate(parts)])

    @contextlib.contextmanager
    def board(self) -> Iterator[list[tuple[int, str | None, float]]]:
        """A page that reads the hall's board meanwhile; afterwards: which table it showed with whose turn, and when."""
        heard: list[tuple[int, str | None, float]] = []
        command = [sys.executable, "-m", "tests.bench.hall_tables"]
        process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            _line_to(process, json.dumps({"mode": "board", "port": self.port}))
            _line_from(process)
            yield heard
            _line_to(process, "enough")
            heard += [(table, turn, at) for table, turn, at in json.loads(_line_from(process))["heard"]]
        finally:
            process.kill()
            process.communicate()

    @staticmethod
    def _told(specs: list[dict[str, Any]]) -> list[dict[str, Any]]:
        command = [sys.executable, "-m", "tests.bench.hall_tables"]
        started = [subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in specs]
        overdue = threading.Timer(PATIENCE_S, lambda: [process.kill() for process in started])
        overdue.start()
        try:
            for process, spec in zip(started, specs, strict=True):
                _line_to(process, json.dumps(spec))
            for process in started:
                _line_from(process)  # its rows are ready
            for process in started:
                _line_to(process, "go")
            return [json.loads(_line_from(process)) for process in started]
        finally:
            overdue.cancel()
            for process in started:
                process.kill()
                process.communicate()

    def memory_mb(self) -> float:
        """What the server's processes hold together."""
        pids = [self.pid, *_children(self.pid)]
        return sum(_resident(pid) for pid in pids)

    def computed_s(self) -> float:
        """How many seconds of CPU time its processes have used."""
        return sum(_computed(pid) for pid in [self.pid, *_children(self.pid)])

    def stored(self) -> int:
        """How many facts the database has; every journal's chain is walked."""
        columns = [fact.c[name] for name in ("seq", "boot", "mono_ns", "wall_ns", "wall_trusted", "type", "data", "prev", "hash")]
        store = Store.open(self.database)
        with store.read() as connection:
            heads = connection.execute(select(journal.c.id, journal.c.head_seq)).all()
            for number, head in heads:
                rows = connection.execute(select(*columns).where(fact.c.journal == number).order_by(fact.c.seq))
                report = verify(Row(*row) for row in rows)
                if report.fault is not None or report.rows != head:
                    raise CannotMeasure(f"journal {number} does not hold: {report.fault}")
            count = connection.execute(select(func.count()).select_from(fact)).scalar_one()
        store.close()
        return int(count)


def _line_to(process: subprocess.Popen[str], line: str) -> None:
    if process.stdin is None:
        raise CannotMeasure("the tables' input is not connected.")
    process.stdin.write(line + "\n")
    process.stdin.flush()


def _line_from(process: subprocess.Popen[str]) -> str:
    line = "" if process.stdout is None else process.stdout.readline()
    if not line:
        raise CannotMeasure("a process of tables ended without a word.")
    return line


def _children(pid: int) -> list[int]:
    with contextlib.suppress(OSError):
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]
    return []


def _resident(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024 / 1e6
    return 0.0


def _computed(pid: int) -> float:
    with contextlib.suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


@contextlib.contextmanager
def hall(tables: int, *, database: str = "", workers: int = 1) -> Iterator[Hall]:
    """A server with so many enrolled devices; it and all its data are gone afterwards.

    Args:
        tables: How many.
        database: PostgreSQL's address; empty: SQLite.
        workers: So many processes.
    """
    with tempfile.TemporaryDirectory(prefix="tableside-bench-", dir=os.environ.get("TABLESIDE_BENCH_FOLDER")) as folder:
        data = Path(folder) / "server"
        made = [SERVER, "init", data, "--event", "Bench", "--organizer", "Eva", "--password-stdin"]
        made += ["--database", database] if database else []
        subprocess.run(made, input="a long-enough word\n", text=True, check=True, capture_output=True)
        url = database or f"sqlite:///{data}/event.db"
        devices = _enrolled(url, tables)
        command = [SERVER, "--data", data, "run", "--host", "127.0.0.1", "--port", "0", "--no-announce", "--workers", str(workers)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            yield Hall(_ready(process), process.pid, devices, url)
        finally:
            process.terminate()
            process.communicate(timeout=60)


def _ready(process: subprocess.Popen[str]) -> int:
    said = ""
    while "ready" not in said:
        said = _line_from(process)
    return int(said.split("127.0.0.1:")[1].split("/")[0].split()[0])


def _enrolled(url: str, count: int) -> list[tuple[str, str]]:
    made = [(hashlib.md5(str(n).encode()).hexdigest(), secrets.token_hex(32)) for n in range(count)]  # noqa: S324 - 32 digits
    store = Store.open(url)
    with store.write() as connection:
        values = {"key": b"", "table_name": "", "created_ns": 0, "until_ns": 0, "uses_left": 0, "made_by": "bench"}
        by = connection.execute(insert(code).values(**values).returning(code.c.id)).scalar_one()
        common = {"version": "1", "code": by, "nonce": "", "enrolled_ns": 0, "practice": False, "seen_ns": 0, "last_order": 0}
        rows = [
            {**common, "id": ident, "table_name": str(n + 1), "secret_hash": secret_hash(secret)} for n, (ident, secret) in enumerate(made)
        ]
        connection.execute(insert(device), rows)
    store.close()
    return made


@contextlib.contextmanager
def on_postgres() -> Iterator[str]:
    """An empty database in a cluster of its own; its commits reach the disk."""
    if postgres.binaries() is None:
        raise CannotMeasure("there is no PostgreSQL here.")
    with postgres.cluster() as address:
        yield address.format(name="postgres")
