from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx

from kiosk.server.cli_demo import FIRST, LAST, _plan

COMMAND = [sys.executable, "-m", "kiosk.server.main", "demo", "--tables", "3", "--speed", "50", "--port", "0"]


def test_tables_play_what_the_server_assigns_until_it_is_ended(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        line = process.stdout.readline()
        found = re.fullmatch(r"3 tables play\. The hall board is at (https://127\.0\.0\.1:\d+/)\n", line)
        assert found, line + process.stderr.read()
        with httpx.Client(verify=False, timeout=20) as client:  # noqa: S501
            until = time.monotonic() + 60
            while "Ana Andonov" not in client.get(found[1]).text:
                assert time.monotonic() < until, client.get(found[1]).text
        process.send_signal(signal.SIGINT)
        assert process.wait(40) == 0
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
