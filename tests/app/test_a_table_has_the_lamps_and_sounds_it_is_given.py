"""What kiosk.toml says of lamps and sound is what a table has: a real part, a simulated one, none, or a reason why not."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from virtual_bench import Bench

from hardware import GpioLamps, GpioSounder, HardwareFault, SimulatedLamps, SimulatedSounder
from kiosk.app import preferences, signal_parts
from kiosk.app.cli_run import runtime_folder
from kiosk.app.config import Config, ConfigError, load
from kiosk.app.main import run
from kiosk.app.signal_parts import outputs, signals, status
from kiosk.app.signals import Hearing
from kiosk.domain.errors import KioskError
from kiosk.domain.types import Pair
from kiosk.ports import Volumes
from kiosk.ui.speaker import Speaker
from kiosk.ui.view import Preferences

PLAIN = Config(Path("/nonexistent"), Path("/nonexistent"))


def here() -> Path:
    return Path("/run/somewhere")


@pytest.fixture
def factories(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Path, str]]:
    """Real parts on mock pins; who asked for pins, and with which folder."""
    asked: list[tuple[Path, str]] = []

    def factory(folder: Path, chip: int | None = None, what: str = "") -> MockFactory:
        assert chip is None
        asked.append((folder, what))
        return MockFactory(pin_class=MockPWMPin)

    monkeypatch.setattr(signal_parts, "lgpio_factory", factory)
    return asked


def test_a_plain_table_has_neither_and_asks_for_no_pin(factories: list[tuple[Path, str]]) -> None:
    made = outputs(PLAIN, simulate=False, runtime=here)
    assert (made.lamps, made.sounder, made.lit()) == (None, None, None)
    bench = Bench()
    assert signals(made, bench.table, Hearing(), volumes=Volumes, wake=lambda: None) is None
    assert (factories, status(made, None)) == ([], {})


def test_what_is_configured_is_built_on_pins_of_its_own(factories: list[tuple[Path, str]]) -> None:
    made = outputs(replace(PLAIN, lamps=True, sound="gpio"), simulate=False, runtime=here)
    assert (type(made.lamps), type(made.sounder)) == (GpioLamps, GpioSounder)
    assert factories == [(here(), "lamps'"), (here(), "sounder's")]
    assert made.lit() is None  # real lamps are not drawn
    bench = Bench()
    working = signals(made, bench.table, Hearing(), volumes=Volumes, wake=lambda: None)
    assert working is not None
    assert status(made, working) == {}
    working.close()


def test_a_simulated_table_has_both_whatever_is_configured(factories: list[tuple[Path, str]]) -> None:
    for config in (PLAIN, replace(PLAIN, lamps=True, sound="gpio")):
        made = outputs(config, simulate=True, runtime=here)
        assert (type(made.lamps), type(made.sounder)) == (SimulatedLamps, SimulatedSounder)
        assert made.lit() == Pair(left=False, right=False)
    assert factories == []


def test_a_loudspeaker_is_heard_at_a_simulated_table_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    made = outputs(replace(PLAIN, sound="speaker"), simulate=True, runtime=here)
    assert isinstance(made.sounder, Speaker)
    made.sounder.close()


def test_a_sounder_that_is_configured_and_missing_is_an_error_and_lets_go_of_the_lamps(
    monkeypatch: pytest.MonkeyPatch, factories: list[tuple[Path, str]]
) -> None:
    closed: list[bool] = []
    monkeypatch.setattr(GpioLamps, "close", lambda _self: closed.append(True))
    monkeypatch.setenv("SDL_AUDIODRIVER", "nonesuch")
    with pytest.raises(KioskError, match="there is no sound output"):
        outputs(replace(PLAIN, lamps=True, sound="speaker"), simulate=False, runtime=here)
    assert (closed, len(factories)) == ([True], 1)


def test_a_sounder_that_is_missing_where_there_are_no_lamps_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: object, **__: object) -> None:
        raise HardwareFault("no chip")

    monkeypatch.setattr(signal_parts, "lgpio_factory", none)
    for config in (replace(PLAIN, sound="gpio"), replace(PLAIN, lamps=True)):
        with pytest.raises(HardwareFault, match="no chip"):
            outputs(config, simulate=False, runtime=here)


def test_the_folder_for_the_pipe_is_systemds_or_one_of_our_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    with ExitStack() as parts:
        assert runtime_folder(parts) == tmp_path
        monkeypatch.delenv("RUNTIME_DIRECTORY")
        own = runtime_folder(parts)
        assert own.is_dir()
    assert not own.exists()


# ── Configuration and settings ───────────────────────────────────────────────
def written(folder: Path, *lines: str) -> Config:
    (folder / "kiosk.toml").write_text("\n".join((f'data = "{folder}/data"', *lines)) + "\n", encoding="utf-8")
    return load(folder)


def test_the_configuration_says_what_there_is_and_how_loud(tmp_path: Path) -> None:
    plain = written(tmp_path)
    assert (plain.lamps, plain.sound, plain.volumes) == (False, "off", Volumes())
    config = written(tmp_path, 'lamps = "on"', 'sound = "speaker"', 'volume_press = "3"', 'volume_flag = "0"', 'quiet = "on"')
    assert (config.lamps, config.sound) == (True, "speaker")
    assert config.volumes == Volumes(press=3, flag=0, quiet=True)


@pytest.mark.parametrize(
    "line", ['lamps = "yes"', "lamps = true", 'sound = "loud"', 'volume_press = "4"', 'volume_alert = "-1"', 'quiet = ""']
)
def test_what_cannot_be_is_said(tmp_path: Path, line: str) -> None:
    with pytest.raises(ConfigError, match=line.split(" ", maxsplit=1)[0]):
        written(tmp_path, line)


def test_what_is_chosen_on_the_screen_outlives_the_table_and_what_is_wrong_is_as_configured(tmp_path: Path) -> None:
    volumes = Volumes(press=1, alert=1, last_seconds=1, flag=1, quiet=True)
    assert preferences.load(tmp_path, "ru", volumes).volumes == volumes
    preferences.save(tmp_path, Preferences(language="uk", volume_press=3, volume_flag=0))
    assert preferences.load(tmp_path, "ru", volumes).volumes == Volumes(press=3, flag=0)
    plain = json.loads((tmp_path / "screen.json").read_text())
    plain.update(volume_press=9, volume_alert=True, volume_flag="2", language="xx", quiet=1)
    (tmp_path / "screen.json").write_text(json.dumps(plain))
    kept = preferences.load(tmp_path, "ru", volumes)
    assert (kept.volumes, kept.language) == (Volumes(1, 1, 2, 1, quiet=True), "ru")


# ── The whole table ──────────────────────────────────────────────────────────
OPEN: dict[str, Any] = {"do": "open_match", "rulebook": "ibgf", "length": 5, "players": {"left": "A", "right": "B"}}


class Running:
    """A simulated table without a screen, as its own process."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-c", "from kiosk.app.main import main; main()", "--config", str(folder)]
        self.process = subprocess.Popen(
            [*command, "run", "--simulate", "--no-screen"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.line = 0

    def say(self, **word: Any) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.line += 1
        print(json.dumps(word), file=self.process.stdin, flush=True)
        while True:
            text = self.process.stdout.readline()
            assert text, "the table has ended"
            answer: dict[str, Any] = json.loads(text) if text.startswith("{") else {}
            if answer.get("line") == self.line:
                return answer

    def box(self, *, lamps: dict[str, str], sounds: int) -> list[dict[str, Any]]:
        """The last sounds, once lamps and their number are as given."""
        for _ in range(2000):
            box = self.say(do="status")["status"]["box"]
            if box["lamps"] == lamps and len(box["sounds"]) == sounds:
                found: list[dict[str, Any]] = box["sounds"]
                return found
        raise AssertionError(box)

    def ends(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(60)


def test_the_console_of_a_simulated_table_tells_of_lamps_and_sounds(tmp_path: Path) -> None:
    written(tmp_path, 'volume_press = "3"')
    table = Running(tmp_path)
    try:
        assert "accepted" in table.say(**OPEN)
        table.say(do="press", side="right")
        (first,) = table.box(lamps={"left": "lit", "right": "dark"}, sounds=1)
        while table.say(do="status")["status"]["at_ms"] <= first["at_ms"] + 100:
            pass  # a press within a tenth of a second after another is a dead one
        table.say(do="press", side="left")
        heard = table.box(lamps={"left": "dark", "right": "lit"}, sounds=2)
        assert [(one["sound"], one["volume"]) for one in heard] == [("press", 3)] * 2
        assert heard[0]["at_ms"] < heard[1]["at_ms"]
        assert table.ends() == 0
    finally:
        table.process.kill()
        table.process.wait()


def test_a_loudspeaker_that_is_missing_ends_the_start_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, 'sound = "speaker"')
    monkeypatch.setenv("SDL_AUDIODRIVER", "nonesuch")
    assert run(["--config", str(tmp_path), "run", "--simulate", "--no-screen"]) == 1
    err = capsys.readouterr().err
    assert "there is no sound output" in err
    assert "Traceback" not in err
