from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from kiosk.server.cli_demo import FIRST, LAST, _child, _plan, _wait
from kiosk.server.problems import ServerError

COMMAND = [sys.executable, "-m", "kiosk.server.main", "demo", "--tables", "3", "--speed", "50", "--port", "0"]


def test_tables_play_what_the_server_assigns_until_it_is_ended(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        line = process.stdout.readline()
        found = re.fullmatch(r"3 tables play\. The hall board is at (https://127\.0\.0\.1:\d+/)\n", line)
        assert found, line + process.stderr.read()
        with httpx.Client(verify=False, timeout=60) as client:  # noqa: S501
            until = time.monotonic() + 60
            while "Ana Andonov" not in client.get(found[1]).text:
                assert time.monotonic() < until, client.get(found[1]).text
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        rest, errors = process.stdout.read(), process.stderr.read()
    assert "To log in: Organizer, password " in rest
    assert rest.endswith("The hall is gone.\n")
    assert errors == ""
    assert not list(tmp_path.glob("tableside-hall-*"))


def test_a_port_in_use_is_a_sentence(tmp_path: Path) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        words = [*COMMAND[:-1], str(taken.getsockname()[1])]
        done = subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, "TMPDIR": str(tmp_path)})
    assert done.returncode == 1
    assert "is in use by another program" in done.stderr
    assert "did not start" in done.stderr
    assert "Traceback" not in done.stderr


def test_no_name_stands_twice_in_a_hall_of_two_hundred_tables() -> None:
    names = [name for number in range(200) for side in (_plan(number).players.left, _plan(number).players.right) for name in side]
    assert len(set(names)) == 400
    assert len(FIRST) * len(LAST) >= 180


@pytest.mark.parametrize(
    ("name", "program", "sentence"),
    [
        (
            "crowd",
            "import sys; sys.exit('kiosk: It is gone.')",
            "The demonstration's tables have gone: kiosk: It is gone.",
        ),
        ("crowd", "pass", "The demonstration's tables have gone: another program has ended it."),
        ("crowd", "import os; os.kill(os.getpid(), 9)", "The demonstration's tables have gone: another program has ended it."),
        ("server", "import sys; sys.exit(3)", "The demonstration's server has gone: it ended with the code 3."),
    ],
)
def test_a_part_of_the_hall_that_dies_is_named_with_its_reason(name: str, program: str, sentence: str, tmp_path: Path) -> None:
    with (tmp_path / "said").open("w+b") as said, _child(program, home=tmp_path, out=subprocess.DEVNULL, told=said.fileno()) as process:
        with pytest.raises(ServerError) as told:
            _wait({name: process}, 20, said)
        assert str(told.value) == sentence
