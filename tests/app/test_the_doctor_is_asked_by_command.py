from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hardware import Edge, HardwareFault, SourceHealth
from kiosk.app import cli_doctor
from kiosk.app.doctor import buttons
from kiosk.app.doctor.buttons import press_simulated, try_buttons
from kiosk.app.doctor.figures import ButtonFigures, HeatFigures
from kiosk.app.doctor.judge_box import judge_heat
from kiosk.app.doctor.run import Check, Examination, check
from kiosk.app.main import run
from kiosk.journal import open_journal
from kiosk.ports import Finding, Grade
from kiosk.say import speaking

MS = 1_000_000


def home(folder: Path, text: str = "") -> list[str]:
    (folder / "kiosk.toml").write_text(f'data = "data"\nlanguage = "en"\n{text}', encoding="utf-8")
    return ["--config", str(folder), "doctor"]


def named(out: str) -> dict[str, dict[str, Any]]:
    return {finding["name"]: finding for finding in json.loads(out)["findings"]}


def test_a_simulated_box_is_looked_at_from_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*home(tmp_path), "--simulate", "--json"]) == 0
    found = named(capsys.readouterr().out)
    assert found["pins"]["figure"] == "simulated buttons, as --simulate asks for"
    assert found["button_left"]["measured"]["presses"] == 5
    assert found["sync"]["measured"]["spent_ns"]
    assert found["server"]["grade"] == "off"
    assert not (tmp_path / "data").exists()


def test_its_lines_say_what_figure_and_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*home(tmp_path), "--simulate"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"good    Data folder        {tmp_path}/data is not there yet; it is made at the first start" in lines
    assert lines[-1] == "Nothing is wrong."


def only(monkeypatch: pytest.MonkeyPatch, *grades: Grade) -> None:
    def line(grade: Grade) -> Check:
        finding = Finding(grade, "Some\x1b[2J part", "1", grade, "Do this.")
        return Check(grade, "", lambda: Examination((finding,)))

    monkeypatch.setattr(cli_doctor, "checks", lambda _config, **_options: [line(grade) for grade in grades])


def test_something_wrong_makes_the_exit_code_1_and_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    only(monkeypatch, "good", "wrong")
    assert run(home(tmp_path)) == 1
    out = capsys.readouterr().out
    assert "→ Do this." in out
    assert out.endswith("Wrong: 1. What to do stands below each.\n")
    assert "\x1b" not in out
    assert run([*home(tmp_path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["good"] is False


def test_a_doubt_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, "good", "doubt", "off")
    assert run(home(tmp_path)) == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [(["--no-buttons"], "--no-buttons"), ([], "nobody is at a terminal")],
)
def test_buttons_that_nobody_presses_are_not_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], options: list[str], words: str
) -> None:
    there = Check("pins", "Pins", lambda: Examination((Finding("pins", "Pins", "there", "good"),)))
    monkeypatch.setattr(cli_doctor, "checks", lambda _config, **_options: [there])
    assert run([*home(tmp_path), "--json", *options]) == 0
    assert words in named(capsys.readouterr().out)["buttons"]["figure"]


def test_pins_that_are_not_there_are_not_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    gone = Check("pins", "Pins", lambda: Examination((Finding("pins", "Pins", "gone", "wrong", "Look."),)))
    monkeypatch.setattr(cli_doctor, "checks", lambda _config, **_options: [gone])
    assert run([*home(tmp_path), "--json", "--buttons"]) == 1
    assert named(capsys.readouterr().out)["buttons"]["figure"] == "not tried: see the pins"


def test_the_buttons_of_a_running_table_stay_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = home(tmp_path)
    journal, _notices = open_journal(tmp_path / "data" / "journal.db", boot="b", wall=lambda: (0, False))
    try:
        run([*arguments, "--buttons", "--json"])
    finally:
        journal.close()
    found = named(capsys.readouterr().out)
    assert "a table runs" in found["buttons"]["figure"]
    assert "in use by process" in found["journal"]["figure"]


def test_pins_that_are_configured_and_missing_are_a_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*home(tmp_path), "--buttons", "--json"]) == 1, "this computer has no header"
    assert named(capsys.readouterr().out)["pins"]["grade"] == "wrong"


# ── The trial of the buttons ─────────────────────────────────────────────────
class Hand:
    """A button source that a hand presses as soon as it is asked to."""

    def __init__(self) -> None:
        self.closed = False
        self.deliver: Any = None

    def start(self, deliver: Any) -> None:
        self.deliver = deliver

    def press(self, line: Any, times: int, bounce_ms: int) -> None:
        for i in range(times):
            at = (1 + i) * 1000 * MS
            for closed, then in ((True, 0), (False, bounce_ms * MS // 2), (True, bounce_ms * MS), (False, 200 * MS)):
                self.deliver(Edge(line, closed, at + then))

    def levels(self) -> dict[Any, bool]:
        return {"left": False, "right": False}

    def health(self) -> SourceHealth:
        return SourceHealth(alive=True)

    def close(self) -> None:
        self.closed = True


def test_each_button_is_asked_for_and_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buttons, "AFTER_S", 0.01)
    hand = Hand()
    found = try_buttons(lambda: hand, lambda line: hand.press(line, 5, 4 if line == "left" else 8), 30)
    assert found == [ButtonFigures("left", 5, 10, 20, 4 * MS), ButtonFigures("right", 5, 10, 20, 8 * MS)]
    assert hand.closed


def test_a_button_that_nobody_presses_is_not_waited_for_forever() -> None:
    hand = Hand()
    assert [each.presses for each in try_buttons(lambda: hand, lambda _line: None, 0.02)] == [0, 0]


def test_a_source_that_cannot_be_had_is_what_is_found() -> None:
    def fail() -> Hand:
        raise HardwareFault("The chip is gone.")

    assert [each.fault for each in try_buttons(fail, lambda _line: None, 1)] == ["The chip is gone."] * 2


def test_the_doctor_presses_simulated_buttons_itself_and_measures_what_it_did() -> None:
    assert press_simulated() == [ButtonFigures(line, 5, 10, 50, 4 * MS, simulated=True) for line in ("left", "right")]


def test_the_trial_at_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    hand = Hand()
    there = Check("pins", "Pins", lambda: Examination((Finding("pins", "Pins", "there", "good"),)))
    monkeypatch.setattr(cli_doctor, "checks", lambda _config, **_options: [there])
    monkeypatch.setattr("kiosk.app.cli_doctor.builder", lambda *_: lambda: hand)
    assert run([*home(tmp_path), "--json", "--buttons", "--seconds", "1"]) == 1
    said = capsys.readouterr()
    assert "Left button: press it 5 times within 1 s." in said.err
    assert named(said.out)["button_right"]["figure"] == "no press came"


def test_a_source_that_hangs_hangs_no_doctor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], release: threading.Event
) -> None:
    def hang() -> Hand:
        release.wait()
        raise HardwareFault("too late")

    there = Check("pins", "Pins", lambda: Examination((Finding("pins", "Pins", "there", "good"),)))
    monkeypatch.setattr(cli_doctor, "checks", lambda _config, **_options: [there])
    monkeypatch.setattr("kiosk.app.cli_doctor.builder", lambda *_: hang)
    monkeypatch.setattr(cli_doctor, "OPENING_S", -1.95)
    assert run([*home(tmp_path), "--json", "--buttons", "--seconds", "1"]) == 1
    assert named(capsys.readouterr().out)["buttons"]["figure"].startswith("does not answer within")


# ── Checks that hang, or fail ────────────────────────────────────────────────
@pytest.fixture
def release() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def test_a_part_that_hangs_is_said_to_hang(release: threading.Event) -> None:
    def hang() -> HeatFigures:
        release.wait()
        return HeatFigures(1)

    done = check("temperature", "Temperature", hang, judge_heat, 0.05).go()
    assert [(f.grade, f.figure) for f in done.findings] == [("wrong", "does not answer within 0.05 s")]
    assert done.measured is None


def test_a_look_that_fails_is_what_was_found() -> None:
    def fail() -> HeatFigures:
        raise OSError(5, "Input/output error")

    (finding,) = check("temperature", "Temperature", fail, judge_heat).go().findings
    assert (finding.grade, finding.figure) == ("wrong", "could not be looked at (OSError: [Errno 5] Input/output error)")


def test_a_look_speaks_the_language_of_whoever_asked() -> None:
    from kiosk.say import language

    spoken: list[str] = []

    def look() -> HeatFigures:
        spoken.append(language())
        return HeatFigures(40)

    with speaking("ru"):
        check("temperature", "Temperature", look, judge_heat).go()
    assert spoken == ["ru"]


def test_a_check_that_waits_says_so() -> None:
    waits = check("temperature", "Temperature", lambda: HeatFigures(40), judge_heat).waiting()
    assert (waits.grade, waits.what) == ("waits", "Temperature")
