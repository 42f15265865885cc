"""The sketch that people flash, built for this machine and played with: what it says is what the table understands."""

from __future__ import annotations

import os
import queue
import shutil
import subprocess
import time
import tty
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from serial_twins import Bell

import hardware
from hardware import ButtonBox, Edge, SerialEdgeSource

SKETCH = Path(hardware.__file__).parent / "firmware" / "button_box" / "button_box.ino"
MS = 1_000_000


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("g++") or shutil.which("c++")
    if compiler is None:
        pytest.skip("there is no C++ compiler")
    out = tmp_path_factory.mktemp("firmware") / "box"
    shim = Path(__file__).with_name("arduino.cpp")
    command = [compiler, "-std=c++17", "-Wall", "-Wextra", "-Werror", f'-DSKETCH="{SKETCH}"', "-o", out, shim]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return out


class Flashed:
    """A flashed board at the end of a cable."""

    def __init__(self, program: Path, work: ExitStack) -> None:
        self.bell = Bell()
        board, table = os.openpty()
        tty.setraw(table)
        pins, self.pins = os.pipe()
        path = os.ttyname(table)

        self.process = subprocess.Popen([program, str(pins)], stdin=board, stdout=board, pass_fds=(pins,))
        for end in (board, pins):
            os.close(end)
        self.box = ButtonBox(lambda: path, wake=self.bell.ring)
        work.callback(self.process.wait)
        work.callback(os.close, self.pins)
        work.callback(os.close, table)
        work.callback(self.box.close)
        self.box.start()
        self.bell.until(lambda: self.box.fault() is None)
        self.arrived: queue.SimpleQueue[Edge] = queue.SimpleQueue()
        self.source = SerialEdgeSource(self.box)
        self.source.start(self.arrived.put)

    def touch(self, letter: str) -> int:
        at = time.monotonic_ns()
        os.write(self.pins, letter.encode())
        return at


@pytest.fixture
def board(program: Path) -> Iterator[Flashed]:
    with ExitStack() as work:
        yield Flashed(program, work)


def test_its_edges_arrive_numbered_and_with_their_instants(board: Flashed) -> None:
    board.bell.until(lambda: board.box.clock_known)
    for letter, line, closed in (("L", "left", True), ("R", "right", True), ("l", "left", False), ("r", "right", False)):
        before = board.touch(letter)
        edge = board.arrived.get(timeout=60)
        assert (edge.line, edge.closed) == (line, closed)
        assert before - 2 * MS <= edge.at_ns <= time.monotonic_ns()
    health = board.source.health()
    assert (health.alive, health.lost, board.box.bad_lines) == (True, 0, 0)


def test_its_beats_tell_the_levels(board: Flashed) -> None:
    board.touch("R")
    board.arrived.get(timeout=60)
    heard = board.box.heard_lines
    board.bell.until(lambda: board.box.heard_lines > heard)
    assert board.source.levels() == {"left": False, "right": True}


def test_bounces_that_are_more_than_it_can_keep_are_a_gap_and_no_lie(board: Flashed) -> None:
    board.touch("Ll" * 300 + "L")
    board.bell.until(lambda: board.source.health().lost > 0)
    assert board.source.health().lost + board.arrived.qsize() == 601
    assert board.source.levels() == {"left": True, "right": False}
    assert board.source.health().alive
