"""A table's badge reader: configured, found, missing, back again; and simulated, through the same cable and the same parser."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from hardware import SimulatedPort, frame_of
from kiosk.app.config import Config, ConfigError, load
from kiosk.app.console import Console
from kiosk.app.devices import PATIENCE, Devices, connect
from kiosk.app.main import run
from kiosk.app.roster import FileRoster
from kiosk.app.scenario import ScenarioError, parse
from kiosk.books import Library
from kiosk.domain.officials import Official, Role
from tests.hardware.serial_twins import Bell

CARD = "0F00184C7B"
LATER = int(PATIENCE)


class Connected:
    """Devices with what they told, turned by hand."""

    def __init__(self, config: Config, *, simulate: bool, parts: contextlib.ExitStack) -> None:
        self.bell = Bell()
        self.presented: list[str] = []
        self.told: list[dict[str, Any]] = []
        self.devices, self.simulated = connect(config, self.bell.ring, 0, parts, simulate=simulate)
        self.devices.present = lambda number, _now: self.presented.append(number)
        self.devices.say = self.told.append

    def until(self, devices_are: str, now: int = LATER) -> None:
        def so() -> bool:
            self.devices.turn(now)
            return devices_are in self.devices.fault() if devices_are else not self.devices.fault()

        self.bell.until(so)

    def present(self, count: int) -> list[str]:
        def enough() -> bool:
            self.devices.turn(LATER)
            return len(self.presented) >= count

        self.bell.until(enough)
        return self.presented


@pytest.fixture
def parts() -> Iterator[contextlib.ExitStack]:
    with contextlib.ExitStack() as stack:
        yield stack


def test_a_reader_that_is_missing_is_told_until_it_is_there(tmp_path: Path, parts: contextlib.ExitStack) -> None:
    config = Config(folder=tmp_path, data=tmp_path, badges=f"{tmp_path}/tty")
    port = SimulatedPort(tmp_path / "tty")
    parts.callback(port.unplug)
    one = Connected(config, simulate=False, parts=parts)
    one.devices.turn(LATER - 1)
    assert one.devices.fault() == ""
    one.until("The badge reader is not there; plug it in")
    one.devices.turn(LATER)
    port.plug()
    one.until("")
    assert [(told["device"], told["message"]) for told in one.told] == [
        ("badge reader", "The badge reader is not there; plug it in, it is found by itself."),
        ("badge reader", "works"),
    ]
    port.send(frame_of(CARD))
    assert one.present(1) == [CARD]


def test_a_table_without_a_reader_misses_none(tmp_path: Path, parts: contextlib.ExitStack) -> None:
    one = Connected(Config(folder=tmp_path, data=tmp_path), simulate=False, parts=parts)
    one.devices.turn(LATER)
    assert (one.devices.fault(), one.simulated, one.devices.next_wake(LATER)) == ("", None, None)


def test_a_simulated_table_has_a_simulated_reader_whatever_is_configured(tmp_path: Path, parts: contextlib.ExitStack) -> None:
    one = Connected(Config(folder=tmp_path, data=tmp_path, badges="/dev/none"), simulate=True, parts=parts)
    assert one.simulated is not None
    one.simulated.hold(CARD)
    one.simulated.hold("0F00777777")
    assert one.present(2) == [CARD, "0F00777777"]
    with pytest.raises(ValueError, match="ten digits"):
        one.simulated.hold("77777777")
    one.simulated.badges.unplug()
    one.until("not there")


def test_what_takes_nothing_yet_harms_nothing() -> None:
    Devices(None, 0).present("1234", 0)
    Devices(None, 0).say({})


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('badges = "ttyUSB0"', "badges must be a serial device: usb:1a86:7523, usb:1a86:7523:SERIAL, or a path such as /dev/ttyUSB0"),
        ('printer = "usb:1a86"', "printer must be a serial device"),
        ('badges_baud = "fast"', "badges_baud must be a speed from 300 to 921600 bits a second, as a text"),
        ('printer_baud = "99999999"', "printer_baud must be a speed"),
        ("printer_baud = 9600", "printer_baud must be a speed"),
    ],
)
def test_what_names_no_device_is_refused_with_the_key(tmp_path: Path, line: str, words: str) -> None:
    (tmp_path / "kiosk.toml").write_text(line, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"kiosk\.toml") as caught:
        load(tmp_path)
    assert words in str(caught.value)


def test_devices_are_named_in_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "kiosk.toml").write_text('badges = "usb:1a86:7523"\nprinter = "/dev/usb/lp0"\nprinter_baud = "115200"', encoding="utf-8")
    config = load(tmp_path)
    assert (config.badges, config.badges_baud, config.printer, config.printer_baud) == ("usb:1a86:7523", 9600, "/dev/usb/lp0", 115200)


def test_badges_sign_in_at_a_running_table_and_a_wrong_one_is_nobodys(tmp_path: Path) -> None:
    (tmp_path / "kiosk.toml").write_text('data = "data"', encoding="utf-8")
    roster = FileRoster(tmp_path / "data" / "officials.json")
    roster.add(Official("Ana", Role.REFEREE), "58294")
    roster.give_badge("Ana", CARD)
    command = [
        sys.executable,
        "-c",
        "from kiosk.app.main import main; main()",
        "--config",
        str(tmp_path),
        "run",
        "--simulate",
        "--no-screen",
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        answers: list[dict[str, Any]] = []

        def until(key: str) -> Any:
            for line in process.stdout or ():
                if line.startswith("{"):
                    answers.append(json.loads(line))
                    if key in answers[-1]:
                        return answers[-1][key]
            raise AssertionError(answers)

        for number, who in (("0F00999999", None), (CARD, "Ana")):
            process.stdin.write(json.dumps({"do": "badge", "number": number}) + "\n")
            assert until("signed_in") == who
        process.stdin.write('{"do": "badge", "number": "12"}\n')
        assert until("error").startswith("'number' must be ten digits")
        process.stdin.close()
        assert process.wait(60) == 0


def test_a_badge_signs_in_in_a_simulated_match(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--config", str(tmp_path), "simulate", "--json", str(_scenario(tmp_path))]) == 0
    result = json.loads(capsys.readouterr().out)
    assert [ruling["sanction"] for ruling in result["rulings"]] == ["warning"]
    assert [refused["line"] for refused in result["refused"]] == [2]


def test_a_table_with_a_real_reader_takes_no_badge_as_a_word() -> None:
    nothing = cast("Any", None)
    console = Console(nothing, Library([]), nothing, None, io.StringIO())
    (step,) = parse("console", '{"do": "badge", "number": "0F00184C7B"}', [])
    with pytest.raises(ScenarioError, match="no simulated badge reader"):
        console._do(step, 0)


def _scenario(folder: Path) -> Path:
    """An evening in which a badge signs in, in virtual time."""
    opening = {
        "at": 0,
        "do": "open_match",
        "rulebook": "ibgf",
        "length": 5,
        "players": {"left": "A", "right": "B"},
        "officials": [{"name": "Ana", "role": "referee", "pin": "58294", "badge": CARD}],
    }
    steps = [
        opening,
        {"at": 0.5, "do": "badge", "number": "0F00777777"},
        {"at": 1, "do": "badge", "number": CARD},
        {"at": 2, "do": "penalty", "side": "left", "infraction": "device"},
        {"at": 3, "do": "end"},
    ]
    path = folder / "badge.jsonl"
    path.write_text("".join(json.dumps(step) + "\n" for step in steps), encoding="utf-8")
    return path
