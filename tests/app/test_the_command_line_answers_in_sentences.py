"""Whatever is asked of `kiosk`, the answer is its result or one sentence that names file, line or option; never a traceback."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kiosk.app.main import COMMANDS, run

OPEN = '{"do":"open_match","rulebook":"ibgf","length":5,"players":{"left":"Ana","right":"Boris"}}\n'


def ask(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = run([str(argument) for argument in arguments])
    out, err = capfd.readouterr()
    assert "Traceback" not in out + err
    return code, out, err


def test_help_names_every_command_and_where_to_begin(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ask(capfd, "--help")
    assert code == 0
    assert "Start with `kiosk demo`" in out
    assert all(name in out for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ask(capfd, name, "-h")
    assert code == 0
    assert out.startswith(f"Usage: kiosk {name}")
    assert "Options:" in out


def test_the_version(capfd: pytest.CaptureFixture[str]) -> None:
    assert ask(capfd, "--version")[:2] == (0, "kiosk, version 0.1.0\n")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["nonsense"], "nonsense"),
        (["simulate"], "FILE"),
        (["simulate", "--speedy", "x"], "--speedy"),
        (["export", "last"], "--format"),
        (["export", "last", "--format", "xml"], "xml"),
        (["journal", "frob"], "frob"),
        (["--config", "nowhere", "journal", "list"], "--config: nowhere"),
    ],
)
def test_a_wrong_call_is_named(arguments: list[str], named: str, capfd: pytest.CaptureFixture[str]) -> None:
    code, _, err = ask(capfd, *arguments)
    assert code == 2
    assert named in err


@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"\x00\xff\xfe\x80", "s.jsonl:1: this is not UTF-8"),
        (OPEN.encode() + b"\xff", "s.jsonl:2: this is not UTF-8"),
        (b'{"do":"press","side":' + b"[" * 100_000, "s.jsonl:1: "),
        (b'{"do":"press","side":' + b"[" * 900 + b"]" * 900 + b"}", "s.jsonl:1: 'side'"),
        (b'{"at":' + b"9" * 6000 + b',"do":"end"}', "s.jsonl:1: "),
        (b'{"at":1e999999999,"do":"end"}', "s.jsonl:1: 'at'"),
        (b'{"at":NaN,"do":"end"}', "s.jsonl:1: "),
        (OPEN.encode() + b'{"at":1,"do":"pres"}', "s.jsonl:2: "),
        (b'{"at":2,"do":"undo"}\n{"at":1,"do":"undo"}', "s.jsonl:2: time runs backwards"),
        (b"null", "s.jsonl:1: "),
    ],
)
def test_a_wrong_scenario_is_named_by_file_and_line(content: bytes, named: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "s.jsonl"
    file.write_bytes(content)
    code, out, err = ask(capfd, "simulate", file)
    assert (code, out) == (2, "")
    assert named in err
    assert err.count("\n") == 1


def test_a_scenario_that_cannot_be_read(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for file in (tmp_path / "missing.jsonl", tmp_path):
        code, _, err = ask(capfd, "simulate", file)
        assert code == 2
        assert str(file) in err


def test_dates_that_jump_further_than_clocks_reach(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The journal's writer died of a date beyond 64 bits."""
    file = tmp_path / "s.jsonl"
    for step in (999_999_999, -999_999_999):
        file.write_text(OPEN + f'{{"do":"wall_clock","step_s":{step}}}\n' * 12 + '{"at":5,"do":"press","side":"left"}\n')
        code, out, err = ask(capfd, "simulate", file)
        assert (code, err) == (0, "")
        assert "playing" in out


def test_an_empty_scenario_opens_nothing(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "s.jsonl"
    file.write_bytes(b"\xef\xbb\xbf\r\n\r\n")
    assert ask(capfd, "simulate", file) == (0, "No match was opened.\n", "")


def test_a_summary_says_what_was_refused_ignored_and_alerted(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "s.jsonl"
    lines = [
        '{"do":"press","side":"left","held_s":2}',
        '{"at":0.05,"do":"press","side":"right"}',
        '{"at":5,"do":"break","by":"left"}',
        '{"at":6,"do":"game","winner":"left","kind":"gammon"}',
        '{"at":7,"do":"confirm","by":"right"}',
        '{"at":8,"do":"resign_match","by":"left"}',
    ]
    file.write_text(OPEN + "\n".join(lines))
    _, out, _ = ask(capfd, "simulate", file)
    assert "game 1: left wins by gammon, cube 1: 2 points" in out
    assert "Ended by resignation; winner: right." in out
    assert "Alert at 0:01.000: button_held (left)" in out
    assert "Line 3: press of right without effect (bounce)" in out
    assert "Line 4: refused (wrong_phase): " in out


@pytest.mark.parametrize("content", [b"\xff\xfe", b"table = ", b"colour = 'red'", b"table = 3", b"buttons = 'usb'", b"x = " + b"[" * 9000])
def test_an_unreadable_configuration_is_named(content: bytes, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kiosk.toml").write_bytes(content)
    code, _, err = ask(capfd, "--config", tmp_path, "journal", "list")
    assert code == 2
    assert str(tmp_path / "kiosk.toml") in err


def test_a_configuration_that_is_a_folder_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kiosk.toml").mkdir()
    code, _, err = ask(capfd, "--config", tmp_path, "journal", "list")
    assert code == 2
    assert err.count("kiosk.toml") == 1


def test_the_configured_folder_holds_the_journal(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kiosk.toml").write_text('data = "here"')
    code, _, err = ask(capfd, "--config", tmp_path, "journal", "list")
    assert code == 1
    assert str(tmp_path / "here" / "journal.db") in err


def test_an_unexpected_fault_is_one_sentence(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("injected")

    monkeypatch.setattr("kiosk.app.config.load", fail)
    code, _, err = ask(capfd, "journal", "list")
    assert code == 1
    assert "ZeroDivisionError: injected" in err
    with pytest.raises(ZeroDivisionError):
        run(["--verbose", "journal", "list"])


def kiosk(*arguments: str, cwd: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", "from kiosk.app.main import main; main()", *arguments]
    return subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_the_demo_ends_quietly_when_nobody_reads_on(tmp_path: Path) -> None:
    """`kiosk journal show 1 | head -1` ended with code 1."""
    assert kiosk("demo", "--no-server", "--to", "d", cwd=tmp_path).wait(60) == 0
    process = kiosk("journal", "show", "1", "--journal", "d/journal.db", cwd=tmp_path)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(60) == 0


def test_a_full_disk_behind_standard_output_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text(OPEN)
    for unbuffered in ("", "1"):
        with Path("/dev/full").open("wb") as full:
            command = [sys.executable, "-c", "from kiosk.app.main import main; main()", "simulate", "s.jsonl"]
            environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
            done = subprocess.run(command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, check=False, env=environment)
        assert (done.returncode, done.stderr) == (1, b"kiosk: standard output: No space left on device.\n")


def test_what_is_written_as_bytes_names_standard_output_too(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    class Full(io.BytesIO):
        def write(self, _data: object) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(Full()))
    assert run(["blank", "-o", "-"]) == 1
    assert capfd.readouterr().err == "kiosk: standard output: No space left on device.\n"
