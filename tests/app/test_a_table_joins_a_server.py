"""`kiosk server` and a running table against a real server: joined by a code, kept over restarts, left; each fault in a sentence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kiosk.app import hall_roster, joining, membership
from kiosk.app.main import run
from kiosk.domain.officials import Official, Role
from kiosk.journal import open_journal
from kiosk.ports import Record
from kiosk.server import devices, people
from kiosk.server.enrolment import make_code
from kiosk.sync import discovery, wire
from kiosk.sync.discovery import DiscoveryUnavailable, Found
from kiosk.sync.transport import Address, Connection, ServerRefused
from tests.server.served import Served, served
from tests.sync.test_a_real_network_fails import give, stored

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("server") / "event") as made:
        yield made


@pytest.fixture
def config(tmp_path: Path) -> Path:
    (tmp_path / "kiosk.toml").write_text(f'data = "{tmp_path}/data"\nlanguage = "en"\n', encoding="utf-8")
    return tmp_path


@pytest.fixture
def ask(config: Path, capsys: pytest.CaptureFixture[str]) -> Ask:
    def words(*said: str) -> tuple[int, str, str]:
        code = run(["--config", str(config), *said])
        out, err = capsys.readouterr()
        return code, out, err

    return words


def code_for(server: Served, table: str, replaces: str = "") -> str:
    return make_code(server.house, "a test", table="" if replaces else table, replaces=replaces).code


def test_a_table_joins_says_how_it_stands_and_leaves(server: Served, ask: Ask, config: Path) -> None:
    assert ask("server", "status")[1] == "This table has joined no server; `kiosk server join` does it.\n"
    code, out, _ = ask("server", "join", server.url, "--code", code_for(server, "1"))
    assert (code, out) == (0, f"This is table 1 of Open Skopje now, at {server.url}.\n")
    kept = config / "data" / membership.SERVER
    assert kept.stat().st_mode & 0o777 == 0o600
    code, out, _ = ask("server", "status")
    assert code == 0
    assert "Nothing is recorded here yet." in out
    assert "The server answers, and knows this table." in out
    assert ask("server", "leave")[1] == "This table has left Open Skopje.\n"
    assert ask("server", "leave")[1] == "This table has joined no server.\n"
    assert not kept.exists()


def test_the_text_of_the_organizers_qr_code_is_address_and_code(server: Served, ask: Ask) -> None:
    text = f"tableside:{server.url.removeprefix('https://')}/{code_for(server, '3')}"
    assert ask("server", "join", text)[1].startswith("This is table 3 of")


def test_a_key_is_shown_to_nobody(server: Served, ask: Ask, config: Path) -> None:
    ask("server", "join", server.url, "--code", code_for(server, "4"))
    joined = membership.load(config / "data")
    assert joined is not None
    assert joined.secret not in repr(joined)


def test_a_table_keeps_its_id_when_it_joins_again(server: Served, ask: Ask, config: Path) -> None:
    ask("server", "join", server.url, "--code", code_for(server, "2"))
    first = membership.load(config / "data")
    assert first is not None
    ask("server", "leave")
    assert membership.device_id(config / "data") == first.device


def test_a_prepared_file_joins_and_the_command_line_counts_more(server: Served, ask: Ask, tmp_path: Path) -> None:
    prepared = tmp_path / "hall.toml"
    many = make_code(server.house, "a test", uses=5).code
    prepared.write_text(f'address = "{server.url}"\ncode = "{many}"\ntable = "31"\n', encoding="utf-8")
    assert ask("server", "join", "--from", str(prepared))[1].startswith("This is table 31 of")
    assert ask("server", "join", "--from", str(prepared), "--table", "32")[0] in {0, 1, 2}
    assert ask("server", "join", "--from", str(prepared), "127.0.0.1:1")[2].startswith("kiosk: Nobody answers")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("adress = 'x'", "adress is no key here"),
        ("code = 5", "code must be a text"),
        ("replace = 'yes'", "replace must be true or false"),
        ("table = 'a\\u0007b'".replace("'", '"'), "table must be one line"),
        ("[", "this is not TOML"),
        ("x" * 20_000, "at most"),
    ],
)
def test_a_prepared_file_that_is_wrong_is_named(ask: Ask, tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "hall.toml").write_text(text, encoding="utf-8")
    code, _, err = ask("server", "join", "--from", str(tmp_path / "hall.toml"))
    assert code == 2
    assert says in err
    assert "hall.toml" in err


def test_a_prepared_file_that_cannot_be_read_is_named(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "hall.toml").write_bytes(b"code = \xff")
    assert "not TOML" in ask("server", "join", "--from", str(tmp_path / "hall.toml"))[2]


def test_what_is_wrong_on_the_command_line_is_said(server: Served, ask: Ask, config: Path) -> None:
    for words, says in (
        (["10.0.0.5"], "Give the code"),
        (["10.0.0.5", "--code", "ABC"], "8 or 16 letters"),
        (["http://10.0.0.5", "--code", "0" * 8], "plain text"),
        ([server.url, "--code", "0" * 8], "The code does not fit"),
        ([server.url, "--code", "0" * 8, "--table", "a\nb"], "one line"),
    ):
        code, _, err = ask("server", "join", *words)
        assert code in {1, 2}
        assert says in err
    assert membership.load(config / "data") is None


def test_servers_are_found_and_one_alone_needs_no_address(server: Served, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Found] = []
    monkeypatch.setattr(discovery, "find", lambda _seconds=3.0: found)
    code, _, err = ask("server", "find")
    assert (code, "No server answered" in err) == (0, True)
    assert "No server was found" in ask("server", "join", "--code", "0" * 8)[2]
    found.append(Found("Open Skopje", server.address))
    assert ask("server", "find")[1] == f"{server.url}  Open Skopje\n"
    assert ask("server", "join", "--code", code_for(server, "33"))[0] == 0
    found.append(Found("Other", Address("10.0.0.5", 1)))
    assert "Several servers were found" in ask("server", "join", "--code", "0" * 8)[2]


def test_a_search_lasts_a_number_of_seconds(ask: Ask) -> None:
    code, out, err = ask("server", "find", "--seconds", "nan")
    assert (code, out, "--seconds" in err) == (2, "", True)


def test_without_the_library_the_search_says_what_to_do(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    code, _, err = ask("server", "find")
    assert code == 1
    assert "discovery" in err
    with pytest.raises(DiscoveryUnavailable):
        discovery.find(0.1)


def test_a_damaged_file_is_said_and_leaving_mends_it(ask: Ask, config: Path) -> None:
    (config / "data").mkdir()
    for text in ("{", "[]", "{}"):
        (config / "data" / membership.SERVER).write_text(text, encoding="utf-8")
        code, _, err = ask("server", "status")
        assert code == 1
        assert "is damaged" in err
    assert ask("server", "leave")[:2] == (0, "This table has left its server.\n")
    assert ask("server", "status")[0] == 0


def test_a_server_that_is_not_the_one_that_was_joined_is_told(server: Served, ask: Ask, config: Path) -> None:
    ask("server", "join", server.url, "--code", code_for(server, "34"))
    path = config / "data" / membership.SERVER
    plain = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**plain, "server": "0" * 32}), encoding="utf-8")
    assert "Another server answers" in ask("server", "status")[2]
    path.write_text(json.dumps({**plain, "secret": "0" * 64}), encoding="utf-8")
    assert ask("server", "status")[0] == 2
    path.write_text(json.dumps({**plain, "fingerprint": "0" * 64}), encoding="utf-8")
    assert "another certificate" in ask("server", "status")[2]


def test_a_device_that_has_no_place_any_more_is_told_why(server: Served, ask: Ask, config: Path) -> None:
    ask("server", "join", server.url, "--code", code_for(server, "35"))
    joining.join(config / "another", server.url, code_for(server, "", replaces="35"))
    code, out, err = ask("server", "status")
    assert code != 0
    assert "knows this table" not in out
    assert "goes on at another device" in err
    ask("server", "join", server.url, "--code", code_for(server, "36"))
    joined = membership.load(config / "data")
    assert joined is not None
    devices.revoke(server.house, "a test", joined.device)
    assert "taken this device out" in ask("server", "status")[2]


@pytest.mark.parametrize("path", [wire.HELLO, wire.ROSTER])
@pytest.mark.parametrize("status", [404, 500])
def test_a_server_that_answers_wrongly_is_no_all_clear(
    server: Served, ask: Ask, monkeypatch: pytest.MonkeyPatch, path: str, status: int
) -> None:
    ask("server", "join", server.url, "--code", code_for(server, f"{status}{path[-1]}"))
    asks = Connection.ask

    def answer(self: Connection, method: str, where: str, *more: bytes, **sizes: int) -> bytes:
        if where == path:
            raise ServerRefused(status, f"The server answered with status {status}.")
        return asks(self, method, where, *more, **sizes)

    monkeypatch.setattr(Connection, "ask", answer)
    code, out, err = ask("server", "status")
    assert code != 0
    assert "knows this table" not in out
    assert f"status {status}" in err


# ── A table that runs ────────────────────────────────────────────────────────
class Running:
    """`kiosk run` without a screen, operated by words."""

    def __init__(self, config: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from kiosk.app.main import main; main()", "--config", str(config), "run", "--simulate", "--no-screen"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline().startswith("ready")

    def say(self, **word: Any) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(word) + "\n")
        self.process.stdin.flush()
        while True:
            answer: dict[str, Any] = json.loads(self.process.stdout.readline())
            if "line" in answer:
                return answer

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        assert self.process.wait(60) == 0


def until(what: Callable[[], bool], seconds: float = 60) -> None:
    limit = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < limit
        time.sleep(0.05)


def test_a_running_table_takes_a_joining_up_sends_its_facts_and_obeys(server: Served, ask: Ask, config: Path) -> None:
    people.add(server.house, "a test", Official("Eva Novak", Role.CHIEF), pin="582941")
    table = Running(config)
    try:
        table.say(do="open_match", rulebook="ibgf", length=3, players={"left": "Ana", "right": "Boris"})
        assert ask("server", "join", server.url, "--code", code_for(server, "40"))[0] == 0
        joined = membership.load(config / "data")
        assert joined is not None
        until((config / "data" / membership.HALL).exists)
        table.say(do="press", side="left")
        give(server, joined.device, wire.PauseHall("Eva Novak", "fire alarm"))
        until(lambda: "hall_paused" in facts(config))
        give(server, joined.device, wire.LiftPause("Eva Novak"))
        until(lambda: "hall_pause_lifted" in facts(config))
        assert "accepted" in table.say(do="sign_in", pin="582941")  # whom only the server had entered
        until(lambda: [row.type for row in stored(server, joined.device)] == facts(config))
    finally:
        table.end()
    code, out, err = ask("journal", "verify")
    assert (code, err) == (0, "")
    assert "The server has confirmed everything up to row" in out
    assert "its signature holds" in out


def facts(config: Path) -> list[str]:
    from kiosk.journal import read_rows

    return [row.type for row in read_rows(config / "data" / "journal.db")]


# ── Receipts and the journal ─────────────────────────────────────────────────
@pytest.fixture
def kept(server: Served, ask: Ask, config: Path) -> membership.Membership:
    """A joined table with a journal of five rows, and a receipt for the fourth."""
    ask("server", "join", server.url, "--code", code_for(server, f"k{time.monotonic_ns()}"))
    joined = membership.load(config / "data")
    assert joined is not None
    journal, _ = open_journal(config / "data" / "journal.db", boot="b", wall=lambda: (0, False))
    journal.append([Record("noted", f'{{"n":{n}}}', n) for n in range(5)])
    journal.flush(5)
    rows = list(journal.rows())
    journal.close()
    bare = wire.Receipt(joined.server, joined.device, rows[0].hash, 0, 4, rows[3].hash, 1, "")
    signed = server.house.keys.sign(bare.signed_text()).hex()
    membership.keep_receipt(config / "data", wire.Receipt(*(getattr(bare, name) for name in wire.Receipt.__slots__[:-1]), signed))
    return joined


def change(config: Path, **fields: Any) -> None:
    path = config / "data" / membership.RECEIPTS
    plain = json.loads(path.read_text(encoding="utf-8"))
    plain["receipts"][-1].update(fields)
    path.write_text(json.dumps(plain), encoding="utf-8")


def test_a_receipt_that_fits_is_told(kept: membership.Membership, ask: Ask) -> None:
    code, out, _ = ask("journal", "verify")
    assert code == 0
    assert "confirmed everything up to row 4; its signature holds" in out
    assert "1 entry waits for confirmation." in ask("server", "status")[1]
    assert kept.event == "Open Skopje"


@pytest.mark.usefixtures("kept")
def test_where_signatures_cannot_be_checked_that_is_said(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.exceptions", None)
    code, out, _ = ask("journal", "verify")
    assert code == 0
    assert "its signature was not checked" in out


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"seq": 9}, "does not bear the server's signature"),
        ({"signature": "zz"}, "does not bear the server's signature"),
        ({"at_ns": 2}, "does not bear the server's signature"),
    ],
)
def test_a_receipt_that_was_altered_shows(ask: Ask, config: Path, fields: dict[str, Any], says: str) -> None:
    change(config, **fields)
    code, _, err = ask("journal", "verify")
    assert code == 1
    assert says in err


@pytest.mark.parametrize(("seq", "digest", "says"), [(9, "a" * 64, "the server has confirmed 9"), (4, "b" * 64, "Row 4 has another hash")])
def test_a_journal_that_was_cut_off_or_changed_shows(
    kept: membership.Membership, server: Served, ask: Ask, config: Path, seq: int, digest: str, says: str
) -> None:
    before = membership.receipts(config / "data")[-1]
    bare = wire.Receipt(kept.server, kept.device, before.journal, 0, seq, digest, 1, "")
    change(config, seq=seq, hash=digest, signature=server.house.keys.sign(bare.signed_text()).hex())
    code, _, err = ask("journal", "verify")
    assert code == 1
    assert says in err


@pytest.mark.usefixtures("kept")
def test_receipts_that_cannot_be_read_are_said_and_kept_aside(ask: Ask, config: Path) -> None:
    path = config / "data" / membership.RECEIPTS
    one = membership.receipts(config / "data")[-1]
    path.write_text("{", encoding="utf-8")
    assert "its receipts cannot be checked" in ask("journal", "verify")[2]
    membership.keep_receipt(config / "data", one)
    assert membership.receipts(config / "data") == [one]
    assert (config / "data" / "receipts.damaged-1.json").exists()
    path.write_text('{"receipts": 5}', encoding="utf-8")
    assert ask("journal", "verify")[0] == 1


@pytest.mark.usefixtures("kept")
def test_without_a_receipt_nothing_is_claimed(ask: Ask, config: Path) -> None:
    (config / "data" / membership.RECEIPTS).unlink()
    assert "The server has confirmed none of it yet." in ask("journal", "verify")[1]
    assert "5 entries are recorded; none is confirmed yet." in ask("server", "status")[1]
    (config / "data" / membership.SERVER).unlink()
    assert "confirmed" not in ask("journal", "verify")[1]


def test_only_so_many_receipts_are_kept(kept: membership.Membership, config: Path) -> None:
    from dataclasses import replace

    one = membership.receipts(config / "data")[-1]
    for n in range(membership.MOST_JOURNALS + 5):
        membership.keep_receipt(config / "data", replace(one, journal=f"{n:064x}"))
        membership.keep_receipt(config / "data", replace(one, journal=f"{n:064x}", seq=7))
    found = membership.receipts(config / "data")
    assert len(found) == membership.MOST_JOURNALS
    assert {each.seq for each in found} == {7}
    assert membership.newest(config / "data", kept, found[-1].journal) == found[-1]
    assert membership.newest(config / "data", kept, "f" * 64) is None


def test_a_roster_that_is_none_leaves_the_one_before(config: Path) -> None:
    folder = config / "data"
    text = b'{"v":1,"scrypt":{"n":16384,"r":8,"p":1},"salt":"' + b"0" * 32 + b'","officials":[]}'
    hall_roster.keep(folder, text)
    before = hall_roster.version(folder)
    for wrong in (b"{", b"\xff", b'{"v":99}'):
        with pytest.raises(ValueError, match="those known before stay"):
            hall_roster.keep(folder, wrong)
    assert hall_roster.version(folder) == before != ""
    hall_roster.keep(folder, b"")
    hall_roster.keep(folder, b"")
    assert hall_roster.version(folder) == ""
