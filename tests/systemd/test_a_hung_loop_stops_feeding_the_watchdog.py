from __future__ import annotations

import asyncio
import multiprocessing
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from supervisor import Supervisor

from kiosk.app.watchdog import STATUS_NS, Watchdog
from kiosk.server import cli_run, running
from kiosk.server.beats import Beats, Vigil
from kiosk.shell.notify import Notifier

HANGS = """
import sys, threading
from pathlib import Path
from kiosk.app.link import Link
from kiosk.app.main import main

hang, fail, turn = Path(sys.argv[1]), Path(sys.argv[2]), Link.turn

def turns(link, now):
    if hang.exists():
        threading.Event().wait()
    if fail.exists():
        raise RuntimeError("injected")
    turn(link, now)

Link.turn = turns
main(["--config", sys.argv[3], "run", "--simulate", "--no-screen"])
"""
"""A table whose loop hangs as soon as the first file is there, and one of whose parts fails at every turn while the second is."""


@contextmanager
def _table(folder: Path, supervisor: Supervisor) -> Iterator[subprocess.Popen[bytes]]:
    (folder / "kiosk.toml").write_text(f'data = "{folder}/data"\n', encoding="utf-8")
    command = [sys.executable, "-c", HANGS, folder / "hang", folder / "fail", folder]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **supervisor.environment}
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def test_a_table_feeds_while_its_loop_turns_and_not_when_it_hangs(tmp_path: Path, supervisor: Supervisor) -> None:
    with _table(tmp_path, supervisor) as table:
        assert "STATUS=no match" in supervisor.wait_for("READY=1")
        supervisor.wait_for("WATCHDOG=1")
        (tmp_path / "fail").touch()  # a part that fails is told, and the loop turns on
        for _ in range(4):
            supervisor.wait_for("WATCHDOG=1")
        (tmp_path / "fail").unlink()
        (tmp_path / "hang").touch()
        supervisor.fall_silent(1.0)
        assert table.poll() is None


def test_a_table_says_that_it_stops(tmp_path: Path, supervisor: Supervisor) -> None:
    with _table(tmp_path, supervisor) as table:
        supervisor.wait_for("READY=1")
        table.terminate()
        supervisor.wait_for("STOPPING=1")
        assert table.wait(30) == 0


class _Heard(Notifier):
    """A notifier that notes what it would say."""

    def __init__(self, feed_ns: int | None) -> None:
        super().__init__({"NOTIFY_SOCKET": "/nobody"})
        self.feed_ns, self.said = feed_ns, list[str]()

    def _send(self, *lines: str) -> None:
        self.said.extend(lines)


def test_the_watchdog_is_fed_by_turns_alone_and_only_when_it_is_time() -> None:
    notifier = _Heard(100)
    part = Watchdog(notifier, lambda: "playing")
    assert part.next_wake(7) == 7
    part.turn(1000)
    part.turn(1099)
    assert (notifier.said, part.next_wake(1099)) == (["WATCHDOG=1", "STATUS=playing"], 1100)
    part.turn(1100)
    assert notifier.said == ["WATCHDOG=1", "STATUS=playing", "WATCHDOG=1"]


def test_without_a_watchdog_only_a_changed_status_is_told() -> None:
    notifier, now = _Heard(None), iter(["playing", "playing", "stopped"])
    part = Watchdog(notifier, lambda: next(now))
    for at in (0, STATUS_NS - 1, STATUS_NS, 2 * STATUS_NS):
        part.turn(at)
    assert notifier.said == ["STATUS=playing", "STATUS=stopped"]
    assert part.next_wake(0) is None


def test_the_servers_event_loop_feeds_while_it_answers_and_not_when_it_hangs(tmp_path: Path) -> None:
    there = Supervisor(tmp_path, watchdog_s=0.1)
    hung, silent = threading.Event(), threading.Event()

    async def serve() -> None:
        async with running.Watchdog(Notifier(there.environment)).running():
            await asyncio.to_thread(there.wait_for, "WATCHDOG=1")
            await asyncio.to_thread(there.wait_for, "WATCHDOG=1")
            hung.set()
            silent.wait(30)  # on the loop itself: it answers nobody

    serving = threading.Thread(target=asyncio.run, args=(serve(),))
    serving.start()
    assert hung.wait(30)
    there.fall_silent(0.5)
    silent.set()
    serving.join(30)
    there.close()


def test_a_server_without_a_watchdog_feeds_nobody(tmp_path: Path) -> None:
    there = Supervisor(tmp_path)

    async def serve() -> None:
        async with running.Watchdog(Notifier(there.environment)).running():
            await asyncio.sleep(0)

    asyncio.run(serve())
    assert there.hear(0.1) == []
    there.close()


def test_a_server_tells_that_it_is_ready_feeds_and_tells_its_end(tmp_path: Path, supervisor: Supervisor) -> None:
    data, plain = tmp_path / "server", {**os.environ, **supervisor.environment}
    server = [sys.executable, "-m", "kiosk.server.main", "--data", str(data)]
    subprocess.run([*server, "init", "--password", "correct horse"], check=True, stdout=subprocess.DEVNULL)
    command = [*server, "run", "--host", "127.0.0.1", "--port", "0", "--no-announce"]
    with subprocess.Popen(command, env=plain, stdout=subprocess.DEVNULL) as process:
        try:
            assert supervisor.wait_for("READY=1")[1].startswith("STATUS=ready: the hall board is at https://")
            supervisor.wait_for("WATCHDOG=1")
            process.terminate()
            supervisor.wait_for("STOPPING=1")
            assert process.wait(30) == 0
        finally:
            process.kill()


def test_a_worker_whose_event_loop_hangs_is_ended_by_its_parent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Beats, "feed_ns", 10_000_000)
    count, turning, hung, silent = (
        multiprocessing.get_context("spawn").Value("Q", 0),
        threading.Event(),
        threading.Event(),
        threading.Event(),
    )
    ended: list[str] = []
    worker = MagicMock()
    worker.kill = lambda: ended.append("killed")
    workers: Any = {worker: Vigil(count, 3)}
    look = partial(cli_run._end_those_that_hang, workers)
    for _starting in range(10):
        look()  # it has not begun to count
    assert ended == []

    async def serve() -> None:
        async with running.Watchdog(Beats(count)).running():
            await asyncio.to_thread(turning.wait, 30)
            hung.set()
            silent.wait(30)  # on the loop itself: it answers nobody

    serving = threading.Thread(target=asyncio.run, args=(serve(),))
    serving.start()
    for _look in range(5):
        before, until = count.value, time.monotonic() + 30
        while count.value == before and time.monotonic() < until:
            threading.Event().wait(0.005)
        look()
    assert ended == []
    turning.set()
    assert hung.wait(30)
    for _look in range(4):
        look()
    silent.set()
    serving.join(30)
    assert "killed" in ended
