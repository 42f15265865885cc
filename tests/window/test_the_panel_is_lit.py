"""However dark a table was left, it is lit at its next start, and left lit."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from pathlib import Path

from hardware import simulated_backlight
from tests.window.table import KIOSK, TOP


def lit(brightness: Path, wanted: str) -> bool:
    until = time.monotonic() + 60
    while brightness.read_text(encoding="ascii").strip() != wanted and time.monotonic() < until:
        time.sleep(0.02)
    return brightness.read_text(encoding="ascii").strip() == wanted


def test_a_dark_panel_is_lit_at_the_start_and_stays_lit_at_the_end(tmp_path: Path) -> None:
    simulated_backlight(tmp_path / "panel", 200).set(0)
    brightness = tmp_path / "panel" / "brightness"
    settings = f'data = "{tmp_path}/data"\nbacklight = "{tmp_path}/panel"\nbrightness = "75"\n'
    (tmp_path / "kiosk.toml").write_text(settings, encoding="utf-8")
    command = [*KIOSK, "--config", str(tmp_path), "run", "--simulate"]
    environment = {**os.environ, "SDL_VIDEODRIVER": "dummy"}
    with subprocess.Popen(command, cwd=TOP, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            assert lit(brightness, "150")
            process.stdin.write(json.dumps({"do": "status"}).encode() + b"\n")
            assert select.select([process.stdout], [], [], 20)[0]
            process.terminate()
            assert process.wait(60) == 0
        finally:
            process.kill()
    assert brightness.read_text(encoding="ascii").strip() == "150"
