"""`kiosk officials`: who may sign in, asked without echo, answered in sentences."""

from __future__ import annotations

import errno
import io
import json
import os
import pty
import select
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware import SimulatedPort
from kiosk import pins
from kiosk.app import cli_officials
from kiosk.app.badge_wait import presented
from kiosk.app.config import Config
from kiosk.app.main import run
from kiosk.app.recoveries import take_recoveries
from kiosk.app.roster import FileRoster
from kiosk.domain.errors import RosterError
from kiosk.domain.officials import Official, Role, badge_secret

Ask = Callable[..., tuple[int, str, str]]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Ask:
    (tmp_path / "kiosk.toml").write_text('data = "data"')
    monkeypatch.setattr(pins, "COST", pins.Cost(n=2**4))
    monkeypatch.setattr(cli_officials, "_must_be_local", lambda: None)

    def asking(*words: str, stdin: bytes = b"", typed: tuple[str, ...] = ()) -> tuple[int, str, str]:
        answers = list(typed)
        monkeypatch.setattr("sys.stdin", Terminal() if typed else io.TextIOWrapper(io.BytesIO(stdin)))
        monkeypatch.setattr("click.termui.hidden_prompt_func", lambda _prompt: answers.pop(0))
        code = run(["--config", str(tmp_path), "officials", *words])
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err
        assert answers == []
        return code, out, err

    return asking


@pytest.fixture
def roster(tmp_path: Path) -> FileRoster:
    return FileRoster(tmp_path / "data" / "officials.json")


def test_an_official_is_entered_listed_and_removed(ask: Ask, roster: FileRoster) -> None:
    assert ask("list") == (0, "", "Nobody is entered yet; `kiosk officials add` does it.\n")
    assert ask("add", "Ana", "--role", "chief", typed=("5829", "5829")) == (0, "Ana can sign in as chief.\n", "")
    assert ask("add", "Борис", "--role", "referee", "--pin-stdin", stdin=b"40417\r\nmore\n")[0] == 0
    assert roster.find("5829") == Official("Ana", Role.CHIEF)
    assert roster.find("40417") == Official("Борис", Role.REFEREE)
    assert ask("list") == (0, "chief      Ana\nreferee    Борис\n", "")
    assert ask("remove", "борис") == (0, "Борис (referee) cannot sign in any more.\n", "")
    assert roster.find("40417") is None


@pytest.mark.parametrize(
    ("words", "stdin", "named"),
    [
        (["add"], b"", "NAME"),
        (["add", "Cy"], b"", "--role"),
        (["add", "Cy", "--role", "king"], b"", "organizer"),
        (["add", "Cy", "--role", "chief"], b"", "--pin-stdin"),
        (["add", "Cy", "--role", "chief", "--pin-stdin"], b"", "4 to 8 digits"),
        (["add", "Cy", "--role", "chief", "--pin-stdin"], b"\xff\xfe\xd9\xa1", "4 to 8 digits"),
        (["add", "Cy", "--role", "chief", "--pin-stdin"], b"1" * 100_000, "4 to 8 digits"),
        (["add", "Cy", "--role", "chief", "--pin-stdin"], b"1234\n", "first that anybody tries"),
        (["add", "Cy", "--role", "chief", "--pin-stdin"], b"5829\n", "cannot be used here"),
        (["add", "ana", "--role", "chief", "--pin-stdin"], b"7310\n", "Ana is entered already"),
        (["add", " ", "--role", "chief", "--pin-stdin"], b"7310\n", "official's name"),
        (["add", "\udcff", "--role", "chief", "--pin-stdin"], b"7310\n", "official's name"),
        (["remove", "Zed"], b"", "'Zed'; entered are: Ana"),
        (["remove", "Ana"], b"", "--force"),
        (["recover", "Zed"], b"", "'Zed'; entered are: Ana"),
        (["recover", "Ana"], b"7310\n7310\n", "no terminal"),
        (["recover", "Ana", "--pin-stdin"], b"7310\n", "--pin-stdin"),
    ],
)
def test_what_is_wrong_is_named_and_changes_nothing(ask: Ask, roster: FileRoster, words: list[str], stdin: bytes, named: str) -> None:
    ask("add", "Ana", "--role", "chief", "--pin-stdin", stdin=b"5829\n")
    before = roster.path.read_bytes()
    code, out, err = ask(*words, stdin=stdin)
    assert (code, out) == (2, "")
    assert named in err
    assert roster.path.read_bytes() == before
    assert take_recoveries(roster.path.parent) == []


@pytest.mark.parametrize(("typed", "named"), [(("5829", "5892"), "differ"), (("1111",), "first that anybody"), (("",), "4 to 8 digits")])
def test_a_pin_is_asked_for_twice_and_a_bad_one_once(ask: Ask, roster: FileRoster, typed: tuple[str, ...], named: str) -> None:
    code, _, err = ask("add", "Ana", "--role", "chief", typed=typed)
    assert code == 2
    assert named in err
    assert not any(pin in err for pin in typed if pin)
    assert roster.officials() == ()


def test_a_name_that_is_taken_is_refused_before_anybody_types(ask: Ask) -> None:
    ask("add", "Ana", "--role", "chief", "--pin-stdin", stdin=b"5829\n")
    code, _, err = ask("add", "Ana", "--role", "chief", typed=())
    assert code == 2
    assert "entered already" in err


def test_the_last_who_leads_is_removed_by_force(ask: Ask) -> None:
    ask("add", "Ana", "--role", "organizer", "--pin-stdin", stdin=b"5829\n")
    assert ask("remove", "Ana", "--force")[:2] == (0, "Ana (organizer) cannot sign in any more.\n")


def test_a_damaged_file_is_said_and_begun_anew(ask: Ask, roster: FileRoster) -> None:
    ask("add", "Ana", "--role", "chief", "--pin-stdin", stdin=b"5829\n")
    roster.path.write_text("?")
    for _ in range(2):
        code, out, err = ask("list")
        assert (code, out, err.count("\n")) == (1, "", 1)
        assert "officials.damaged-1.json" in err
    code, out, err = ask("add", "Ana", "--role", "chief", "--pin-stdin", stdin=b"5829\n")
    assert (code, out) == (0, "Ana can sign in as chief.\n")
    assert "officials.damaged-1.json" in err
    assert ask("list") == (0, "chief      Ana\n", "")


def test_a_lost_pin_is_set_anew_and_leaves_a_mark(ask: Ask, roster: FileRoster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "root")
    monkeypatch.setenv("SUDO_USER", "ana")
    ask("add", "Ana", "--role", "chief", "--pin-stdin", stdin=b"5829\n")
    before = time.time_ns()
    code, out, _ = ask("recover", "ANA", typed=("7310", "7310"))
    assert code == 0
    assert "Ana can sign in with the new PIN" in out
    assert roster.find("5829") is None
    assert roster.find("7310") == Official("Ana", Role.CHIEF)
    (mark,) = take_recoveries(roster.path.parent)
    assert (mark.official, mark.by) == ("Ana", "root (ana)")
    assert before <= mark.wall_ns <= time.time_ns()
    assert "7310" not in (roster.path.parent / "recovered.json").read_text().replace(str(mark.wall_ns), "")


def test_a_system_without_a_name_for_its_user_gives_the_number(ask: Ask, roster: FileRoster, monkeypatch: pytest.MonkeyPatch) -> None:
    def nameless() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr("getpass.getuser", nameless)
    monkeypatch.delenv("SUDO_USER", raising=False)
    ask("add", "Ana", "--role", "chief", "--pin-stdin", stdin=b"5829\n")
    ask("recover", "Ana", typed=("7310", "7310"))
    assert [mark.by for mark in take_recoveries(roster.path.parent)] == [str(os.geteuid())]


def test_where_the_mark_cannot_be_written_no_pin_is_changed(ask: Ask, roster: FileRoster) -> None:
    ask("add", "Ana", "--role", "chief", "--pin-stdin", stdin=b"5829\n")
    (roster.path.parent / "recovered.json").mkdir()
    code, _, err = ask("recover", "Ana", typed=("7310", "7310"))
    assert code == 1
    assert "recovered.json cannot be written: Is a directory. No PIN was changed." in err
    assert roster.find("5829") is not None


def test_where_the_pin_cannot_be_written_the_mark_says_that_somebody_tried(
    ask: Ask, roster: FileRoster, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask("add", "Ana", "--role", "chief", "--pin-stdin", stdin=b"5829\n")

    def full(path: Path, _: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(
        "kiosk.app.roster.kept.write", lambda path, text: full(path, text) if path.name == "officials.json" else WRITE(path, text)
    )
    code, _, err = ask("recover", "Ana", typed=("7310", "7310"))
    assert (code, err) == (1, f"kiosk: {roster.path} cannot be changed: No space left on device.\n")
    assert [mark.official for mark in take_recoveries(roster.path.parent)] == ["Ana"]
    assert roster.find("5829") is not None


WRITE = cli_officials.add_mark.__globals__["kept"].write


# ── Only at the table ────────────────────────────────────────────────────────
@pytest.mark.parametrize("variable", cli_officials.REMOTE)
def test_a_remote_session_recovers_nothing(
    variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(variable, "10.0.0.7 5000 10.0.0.1 22")
    (tmp_path / "kiosk.toml").write_text('data = "data"')
    assert run(["--config", str(tmp_path), "officials", "recover", "Ana"]) == 2
    assert "remote session" in capfd.readouterr().err


def test_a_remote_session_is_also_told_by_what_stands_above(monkeypatch: pytest.MonkeyPatch) -> None:
    name = Path(f"/proc/{os.getppid()}/comm").read_text().strip()
    assert cli_officials._descends_from(name)
    assert not cli_officials._descends_from("no such process")
    monkeypatch.setattr("os.getppid", lambda: 2**30)
    assert not cli_officials._descends_from(name)


CHILD = """
import sys
from kiosk import pins
from kiosk.app import cli_officials
from kiosk.app.main import main
pins.COST = pins.Cost(n=2**4)
cli_officials._must_be_local = lambda: None
main()
"""


def test_at_a_real_terminal_nothing_that_is_typed_is_shown(tmp_path: Path, roster: FileRoster) -> None:
    (tmp_path / "kiosk.toml").write_text('data = "data"')
    child, above = os.forkpty() if hasattr(os, "forkpty") else pty.fork()
    if child == 0:
        os.execv(sys.executable, [sys.executable, "-c", CHILD, "--config", str(tmp_path), "officials", "add", "Ana", "--role", "chief"])  # noqa: S606
    shown = b""
    for prompt in (b"New PIN for Ana: ", b"The same again: "):
        shown += until(above, prompt)
        limit = time.monotonic() + 60
        while termios.tcgetattr(above)[3] & termios.ECHO and time.monotonic() < limit:
            time.sleep(0.01)
        os.write(above, b"5829\n")
    shown += until(above, b"can sign in as chief.")
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    os.close(above)
    assert b"5829" not in shown
    assert roster.find("5829") == Official("Ana", Role.CHIEF)


def until(terminal: int, end: bytes) -> bytes:
    shown = b""
    while end not in shown:
        assert select.select([terminal], [], [], 60)[0], shown
        shown += os.read(terminal, 1000)
    return shown


def test_the_commands_module_waits_until_it_is_called() -> None:
    code = "import sys; from kiosk.app import main; sys.exit('kiosk.app.cli_officials' in sys.modules or 'kiosk.app.roster' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, cwd=Path(__file__).parents[2]).returncode == 0


def test_the_file_that_is_shipped_costs_what_is_promised(tmp_path: Path, roster: FileRoster) -> None:
    (tmp_path / "data").mkdir()
    roster.add(Official("Ana", Role.CHIEF), "5829")
    assert json.loads(roster.path.read_text(encoding="utf-8"))["scrypt"] == {"n": 16384, "r": 8, "p": 1}


# ── Badges ───────────────────────────────────────────────────────────────────
def entered(roster: FileRoster) -> FileRoster:
    roster.add(Official("Ana", Role.CHIEF), "5829")
    return roster


def test_a_badge_is_given_by_its_number_and_taken_away(ask: Ask, roster: FileRoster) -> None:
    entered(roster)
    assert ask("badge", "ana", "--number-stdin", stdin=b"0f00184c7b\r\n") == (0, "Ana can sign in with this badge.\n", "")
    assert FileRoster(roster.path).find(badge_secret("0F00184C7B")) == Official("Ana", Role.CHIEF)
    assert ask("badge", "Ana", "--remove") == (0, "Ana has no badge any more; the PIN works as before.\n", "")
    assert FileRoster(roster.path).find(badge_secret("0F00184C7B")) is None


def test_a_badge_needs_a_reader_and_an_official(ask: Ask, roster: FileRoster) -> None:
    entered(roster)
    code, out, err = ask("badge", "Ana")
    assert (code, out) == (2, "")
    assert "This table has no badge reader; name it with `badges` in kiosk.toml" in err
    assert "no official is called 'Bo'" in ask("badge", "Bo", "--number-stdin", stdin=b"12345678\n")[2]


@pytest.fixture
def reader(tmp_path: Path, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bytes]]:
    """What is sent when the table asks for a badge."""
    del ask  # it has written the configuration
    (tmp_path / "kiosk.toml").write_text(f'data = "data"\nbadges = "{tmp_path}/tty"')
    port, sends = SimulatedPort(tmp_path / "tty"), []
    port.plug()

    def asked(text: str, *, err: bool) -> None:
        assert (text, err) == ("Hold the badge to the reader …", True)
        for data in sends:
            port.send(data)

    monkeypatch.setattr("kiosk.app.badge_wait.say", asked)
    yield sends
    port.unplug()


def test_the_badge_that_is_held_to_the_reader_is_given(ask: Ask, roster: FileRoster, reader: list[bytes]) -> None:
    entered(roster)
    reader.append(b"\x020F00184C7B21\x03\x020F00184C7B20\x03")
    assert ask("badge", "Ana") == (0, "Ana can sign in with this badge.\n", "")
    assert FileRoster(roster.path).find(badge_secret("0F00184C7B")) is not None


def test_somebody_is_entered_with_pin_and_badge(ask: Ask, roster: FileRoster, reader: list[bytes]) -> None:
    reader.append(b"0004213897\r\n")
    code, out, _ = ask("add", "Bo", "--role", "referee", "--pin-stdin", "--badge", stdin=b"5829\n")
    assert (code, out) == (0, "Bo can sign in as referee.\nBo can sign in with this badge.\n")
    assert roster.find("5829") == roster.find(badge_secret("0004213897")) == Official("Bo", Role.REFEREE)


def test_a_reader_that_is_not_there_is_told(tmp_path: Path) -> None:
    config = Config(folder=tmp_path, data=tmp_path, badges=f"{tmp_path}/tty")
    with pytest.raises(RosterError, match=r"The badge reader is not there; plug it in.*Where this table runs, it holds the reader"):
        presented(config, opening_s=1)


def test_nobody_who_presents_a_badge_is_waited_for_in_vain(tmp_path: Path, reader: list[bytes]) -> None:
    del reader
    with pytest.raises(RosterError, match="No badge came within a minute"):
        presented(Config(folder=tmp_path, data=tmp_path, badges=f"{tmp_path}/tty"), patience_s=0.3)
