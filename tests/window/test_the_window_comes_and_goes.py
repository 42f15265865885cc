"""Power cuts, closing, resizing: whatever happens to the window, the table keeps what it had."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kiosk.journal import verify
from tests.patience import Stopwatch
from tests.window.table import KIOSK, LEFT, RIGHT, TOP, Twin, WindowTable
from tests.window.test_a_match_in_the_window import open_match

Start = Callable[..., WindowTable]

SAME = 0.97
"""The share of pixels that must be as the twin paints them: a clock may stand at its next second by then."""


def play(table: WindowTable) -> None:
    open_match(table, points="7")
    table.click("To the clock (6 open)")
    table.press(LEFT)
    table.press(RIGHT)
    assert table.agree()["clock"]["running"] == "left"


def test_a_power_cut_in_mid_turn(switch_on: Start) -> None:
    table = switch_on()
    play(table)
    table.press(LEFT)
    watch = Stopwatch()
    before = table.agree()
    table.cut_power()
    late_ms = watch.held_up() * 1000

    table = switch_on(twin=Twin(table.rows()))
    assert "stopped" in table.ready
    after = table.agree()
    assert (after["phase"], after["clock"]["running"], after["clock"]["turn"]) == ("stopped", None, "right")
    assert after["match"] == before["match"]
    assert after["clock"]["reserve_ms"] == before["clock"]["reserve_ms"]
    assert abs(before["clock"]["delay_left_ms"] - after["clock"]["delay_left_ms"]) < 1000 + late_ms  # to the last heartbeat
    assert "power_restored" in [alert["code"] for alert in after["alerts"]]
    assert table.control("told") is not None
    assert table.looks_right() > SAME, table.looks_right()
    table.click("told")
    table.click("Resume")
    assert table.agree()["clock"]["running"] == "right"
    table.press(RIGHT)
    assert table.agree()["clock"]["running"] == "left"


def test_closing_the_window_ends_in_order_and_its_clock_comes_back_stopped(switch_on: Start) -> None:
    table = switch_on()
    play(table)
    assert table.looks_right() > SAME, table.looks_right()
    table.spot.close()
    assert table.ends() == 0
    assert verify(table.rows()).fault is None

    table = switch_on(twin=Twin(table.rows()))
    assert table.agree()["phase"] == "stopped"
    table.process.send_signal(signal.SIGTERM)
    assert table.ends() == 0
    assert verify(table.rows()).fault is None
    assert "ERROR" not in table.log()


def test_any_size_is_drawn(switch_on: Start) -> None:
    table = switch_on()
    play(table)
    for w, h in ((1280, 800), (720, 1280), (1000, 300), (300, 1000), (120, 90), (800, 480)):
        table.spot.resize(w, h)
        until = time.monotonic() + 60
        while table.spot.colours() < 5 and time.monotonic() < until:
            time.sleep(0.05)
        assert table.spot.colours() >= 5, (w, h)
        assert table.status()["phase"] == "playing"
    table.press(LEFT)
    assert table.agree()["clock"]["running"] == "right"
    table.click("Stop")  # the old size again: things lie where they lay
    assert table.agree()["phase"] == "stopped"
    assert "ERROR" not in table.log()


def without_display(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    (folder / "kiosk.toml").write_text(f'data = "{folder}/data"\n', encoding="utf-8")
    environment = {key: value for key, value in os.environ.items() if key not in {"DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"}}
    command = [*KIOSK, "--config", str(folder), "run", *words]
    return subprocess.run(
        command, cwd=TOP, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize("words", [(), ("--simulate", "--screen")])
def test_without_a_display_one_sentence_says_what_to_do(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = without_display(tmp_path, *words)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("kiosk: there is no display")
    assert "--simulate" in done.stderr
    assert "--no-screen" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_without_a_display_a_simulated_table_runs_from_the_console_and_says_so(tmp_path: Path) -> None:
    done = without_display(tmp_path, "--simulate")
    assert done.returncode == 0
    assert done.stdout.startswith("ready")
    assert "runs from the console" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("buttons", ["gpiod", "lgpio"])
def test_without_a_gpio_chip_one_sentence_says_what_to_do(tmp_path: Path, buttons: str) -> None:
    if any(Path("/dev").glob("gpiochip*")):
        pytest.skip("this machine has a GPIO chip")
    (tmp_path / "kiosk.toml").write_text(f'data = "{tmp_path}/data"\nbuttons = "{buttons}"\n', encoding="utf-8")
    command = [*KIOSK, "--config", str(tmp_path), "run", "--no-screen"]
    done = subprocess.run(command, cwd=TOP, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout) == (1, "")
    assert "--simulate" in done.stderr
    assert len(done.stderr.splitlines()) == 1
