"""A table on any computer: its buttons are a box on a cable, or keys of an input device."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hardware import EvdevSource, Line, SerialEdgeSource
from hardware.simulated_box_serial import SimulatedButtonBox
from kiosk.app.button_source import builder, longest_pause
from kiosk.app.config import Config, ConfigError, load
from kiosk.app.main import run
from kiosk.journal import read_rows

TOP = Path(__file__).parents[2]
KIOSK = (sys.executable, "-c", "from kiosk.app.main import main; main()")
S = 1_000_000_000
APART_S = 0.15
"""Two hands are never quicker: a press within a tenth of a second after one that counted is a dead one."""


def configured(folder: Path, *lines: str) -> Config:
    text = "\n".join([f'data = "{folder}/data"', 'language = "en"', *lines])
    (folder / "kiosk.toml").write_text(text, encoding="utf-8")
    return load(folder)


EVDEV = ('buttons = "evdev"', 'buttons_device = "/dev/input/by-id/stick"', 'buttons_left = "BTN_TRIGGER"', 'buttons_right = "289"')


def test_the_keys_of_the_buttons_are_read(tmp_path: Path) -> None:
    assert longest_pause(configured(tmp_path)) == 8 * S
    config = configured(tmp_path, *EVDEV)
    assert (config.buttons, config.buttons_device, config.buttons_left, config.buttons_right) == (
        "evdev",
        "/dev/input/by-id/stick",
        "BTN_TRIGGER",
        "289",
    )
    assert longest_pause(config) == S


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (['buttons = "usb"'], "buttons must be lgpio, gpiod, serial or evdev"),
        (['buttons = "serial"'], 'buttons = "serial" also needs buttons_device: a serial or input device'),
        (['buttons = "serial"', 'buttons_device = "Arcade Stick"'], "buttons_device must be a serial device"),
        (['buttons_device = "usb:1:2"'], "buttons_device must be a serial or input device"),
        ([*EVDEV[:1]], 'buttons = "evdev" also needs buttons_device'),
        ([*EVDEV[:3]], 'buttons = "evdev" also needs buttons_right: a key such as KEY_A'),
        ([*EVDEV[:2], 'buttons_left = "A"', 'buttons_right = "KEY_L"'], "buttons_left must be a key such as KEY_A or BTN_TRIGGER"),
        ([*EVDEV[:2], 'buttons_left = "KEY_A"', 'buttons_right = "30"'], "are the same key"),
    ],
)
def test_what_does_not_go_together_is_said_with_its_key(tmp_path: Path, lines: list[str], wanted: str) -> None:
    with pytest.raises(ConfigError, match=wanted):
        configured(tmp_path, *lines)


def test_keys_of_an_input_device_are_a_source(tmp_path: Path) -> None:
    with contextlib.ExitStack() as parts:
        source = builder(configured(tmp_path, *EVDEV), None, parts)()
    assert isinstance(source, EvdevSource)
    assert source._keys == {288: "left", 289: "right"}


def test_a_button_box_outlives_its_sources_and_is_let_go_at_the_end(tmp_path: Path) -> None:
    far = SimulatedButtonBox(tmp_path / "box")
    far.plug()
    with contextlib.ExitStack() as parts:
        build = builder(configured(tmp_path, 'buttons = "serial"', f'buttons_device = "{tmp_path}/box"'), None, parts)
        first, second = build(), build()
        assert isinstance(first, SerialEdgeSource)
        assert isinstance(second, SerialEdgeSource)
        assert first._box is second._box
        first.start(print)
        assert first.health().alive
    assert not first.health().alive
    far.unplug()


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (['buttons = "serial"', 'buttons_device = "/dev/serial/by-id/none"'], "The button box is not there; plug it in"),
        (EVDEV, "The buttons' device /dev/input/by-id/stick is not there; plug it in"),
    ],
)
def test_what_is_not_plugged_in_at_the_start_is_one_sentence(
    tmp_path: Path, lines: list[str], wanted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    configured(tmp_path, *lines)
    assert run(["--config", str(tmp_path), "run", "--no-screen"]) == 1
    err = capsys.readouterr().err
    assert wanted in err
    assert len(err.splitlines()) == 1


class SerialTable:
    """`kiosk run` with a button box, and whoever presses its buttons and enters the rest."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.far = SimulatedButtonBox(folder / "box", counter_us=2**32 - 3_000_000, drift_ppm=-80)
        self.far.plug()
        configured(folder, 'buttons = "serial"', f'buttons_device = "{folder}/box"')
        command = [*KIOSK, "--config", str(folder), "run", "--no-screen"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=TOP, stdin=pipe, stdout=pipe, stderr=pipe, text=True, bufsize=1)
        self.said: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        assert self.said.get(timeout=60).startswith("ready")
        self.pressed: list[int] = []

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.put(line)

    def say(self, **word: Any) -> dict[str, Any]:
        """Enter a word, and give its answer."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(word) + "\n")
        return self.answer("line")

    def answer(self, key: str, value: str | None = None) -> dict[str, Any]:
        """What the table says next about something."""
        while True:
            said: dict[str, Any] = json.loads(self.said.get(timeout=60))
            if key in said and value in {None, said[key]}:
                return said

    def clock(self) -> dict[str, Any]:
        found: dict[str, Any] = self.say(do="status")["status"]["clock"]
        return found

    def until(self, what: Callable[[], bool]) -> None:
        end = time.monotonic() + 60
        while not what():
            assert time.monotonic() < end, "it did not happen"
            time.sleep(0.01)  # between two questions

    def press(self, line: Line, *, turn: str) -> None:
        """Press a button as a bouncing contact does, and wait until it is the other side's turn."""
        time.sleep(APART_S)
        at = time.monotonic_ns()
        for after, closed in ((0, True), (400_000, False), (900_000, True)):
            self.far.drive(line, closed, at + after)
        self.until(lambda: self.clock()["turn"] == turn)
        self.far.drive(line, closed=False)
        self.pressed.append(at)

    def end(self) -> str:
        assert self.process.stdin is not None
        self.process.stdin.close()
        assert self.process.wait(60) == 0
        assert self.process.stderr is not None
        return self.process.stderr.read()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.far.unplug()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SerialTable]:
    made = SerialTable(tmp_path)
    yield made
    made.close()


def test_a_whole_game_is_played_on_a_button_box_that_is_pulled_out_in_between(table: SerialTable) -> None:
    table.say(do="open_match", rulebook="ibgf", length=1, players={"left": "Ana", "right": "Boris"})
    table.press("right", turn="left")
    table.press("left", turn="right")
    table.far.say(b"edge 7 12345")
    table.far.unplug()
    assert "plug it in" in table.answer("notice", "source_dead")["message"]
    table.far.plug()
    table.answer("notice", "source_restarted")
    table.press("right", turn="left")
    table.press("left", turn="right")
    table.say(do="game", winner="right", kind="single")
    table.say(do="confirm", by="left")
    for side in ("left", "right"):
        table.say(do="sign", side=side)
    assert table.say(do="status")["status"]["match"]["ended"] == {"winner": "right", "how": "score"}
    assert "Traceback" not in table.end()
    played = [row for row in read_rows(table.folder / "data" / "journal.db") if row.type in {"game_started", "turn_ended"}]
    assert [json.loads(row.data)["by"] for row in played] == ["right", "left", "right", "left"]
    for row, pressed in zip(played, table.pressed, strict=True):  # never before the truth, whatever this machine is busy with
        assert pressed - 2_000_000 <= json.loads(row.data)["at"] <= pressed + 5 * S


def test_every_key_of_the_configuration_is_looked_at() -> None:
    from kiosk.app import config

    assert set(config._FITS) == set(config.KEYS)
