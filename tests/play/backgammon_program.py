"""GNU Backgammon as a separate program: a script for its own Python goes in, what the script printed as JSON comes out."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

PROGRAM = shutil.which("gnubg", path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/games")

wanted = pytest.mark.skipif(PROGRAM is None, reason="GNU Backgammon is not installed (Debian's package gnubg)")

QUIET = """
import gnubg, json
def do(*commands):
    for command in commands:
        gnubg.command(command)
def tell(value):
    with open("told.jsonl", "a") as file:
        print(json.dumps(value), file=file)
do("set player 0 human", "set player 1 human", "set automatic game off", "set automatic roll off", "set automatic move off",
   "set automatic bearoff off", "set display off", "set confirm new off")
"""


def ask(script: str, folder: Path) -> list[Any]:
    """Run a script; `do(…)` gives commands, `tell(…)` answers.

    Args:
        script: Python that GNU Backgammon runs.
        folder: An empty one, in which it keeps its own settings.
    """
    file = folder / "ask.py"
    file.write_text(QUIET + script, encoding="utf-8")
    ran = subprocess.run(
        [str(PROGRAM), "-t", "-q", "-r", "-p", str(file)],
        cwd=folder,
        env={"HOME": str(folder), "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    answers = folder / "told.jsonl"  # what the program itself prints comes in between on its standard output
    assert answers.exists(), ran.stdout.decode("utf-8", "replace") + ran.stderr.decode("utf-8", "replace")
    assert b"WARNING" not in ran.stdout + ran.stderr
    return [json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines()]
