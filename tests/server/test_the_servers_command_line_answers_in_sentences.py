from __future__ import annotations

import json
import os
import pty
import re
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import select, update

from kiosk.server import keys, people, tournament
from kiosk.server.acts import acting
from kiosk.server.beside import alone, house_beside
from kiosk.server.enrolment import open_codes
from kiosk.server.main import COMMANDS, EXTRAS, run
from kiosk.server.schema import audit, setting
from kiosk.tournament.happened import Entered
from kiosk.tournament.plan import Entrant
from tests.server import cheap as cheap  # noqa: PLC0414 - passwords that cost little
from tests.server.devices import enrol

WORD = "a long enough word"


def ask(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = run([str(argument) for argument in arguments])
    out, err = capfd.readouterr()
    assert "Traceback" not in out + err
    return code, out, err


@pytest.fixture
def home(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> Path:
    folder = tmp_path / "server"
    assert ask(capfd, "init", folder, "--event", "Open Skopje", "--password", WORD)[0] == 0
    return folder


# ── Help ─────────────────────────────────────────────────────────────────────
def test_help_names_every_command_and_where_to_begin(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ask(capfd, "--help")
    assert code == 0
    assert "kiosk-server init" in out
    assert all(name in out for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = ask(capfd, name, "-h")
    assert code == 0
    assert out.startswith(f"Usage: kiosk-server {name}")


def test_the_version(capfd: pytest.CaptureFixture[str]) -> None:
    assert ask(capfd, "--version")[:2] == (0, "kiosk-server, version 0.1.0\n")


def test_help_is_in_the_language_of_the_system(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("LANG", "ru_RU.UTF-8")
    assert "Вызов: kiosk-server init" in ask(capfd, "init", "-h")[1]
    monkeypatch.setenv("LANG", "C.UTF-8")
    ask(capfd, "--version")  # speaks English again


# ── init ─────────────────────────────────────────────────────────────────────
def test_init_makes_a_server_for_its_owners_eyes_only_and_says_what_is_next(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "deep" / "server"
    code, out, err = ask(capfd, "init", folder, "--event", "Отворено Скопје", "--organizer", "Eva", "--password", WORD)
    assert (code, err) == (0, "")
    assert f"kiosk-server --data {folder} run" in out
    assert "code --table 1" in out
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    with house_beside(folder) as house, house.store.read() as connection:
        assert house.event == "Отворено Скопје"
        assert [(each.name, each.role, each.logs_in) for each in people.listed(connection)] == [("Eva", "organizer", True)]
        assert [row.act for row in connection.execute(select(audit).order_by(audit.c.id))] == ["server_made", "person_added"]


def test_init_overwrites_nothing(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = {path.name: path.read_bytes() for path in home.iterdir()}
    code, _, err = ask(capfd, "init", home, "--password", WORD)
    assert code == 2
    assert "there is a server already" in err
    assert {path.name: path.read_bytes() for path in home.iterdir()} == before


@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        (["--password", "short"], 2, "A password has 8 to 200 characters"),
        (["--password", "password"], 2, "among the first that anybody tries"),
        (["--password", "Organizer"], 2, "among the first that anybody tries"),
        (["--password", WORD, "--event", "two\nlines"], 2, "--event"),
        (["--password", WORD, "--organizer", " "], 2, "An official's name"),
        (["--password", WORD, "--database", "mysql://nowhere"], 2, "--database: mysql://nowhere is no database that this server knows"),
        (["--password", WORD, "--database", "nonsense"], 2, "--database: nonsense is no database's address"),
        (["--password", WORD, "--database", "postgresql://127.0.0.1:1/none"], 1, "cannot be reached"),
        ([], 2, "There is no terminal to ask on; scripts say it by --password, --password-stdin."),
    ],
)
def test_an_init_that_cannot_be_leaves_nothing_behind(
    options: list[str], code: int, told: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    got, _, err = ask(capfd, "init", tmp_path / "server", *options)
    assert got == code
    assert told in err
    assert not (tmp_path / "server").exists()


def test_init_leaves_a_folder_alone_in_which_other_things_lie(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "etc"
    folder.mkdir()
    folder.chmod(0o755)
    (folder / "passwd").write_text("theirs")
    code, _, err = ask(capfd, "init", folder, "--password", WORD)
    assert (code, "is not empty" in err) == (2, True)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755
    assert [path.name for path in folder.iterdir()] == ["passwd"]


def test_init_where_no_folder_can_be_is_a_sentence(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    code, _, err = ask(capfd, "init", tmp_path / "file" / "server", "--password", WORD)
    assert code == 1
    assert "cannot be made" in err


def test_a_password_is_read_from_standard_input(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kiosk.server.main", "init", str(tmp_path / "server"), "--password-stdin"]
    done = subprocess.run(command, input=f"{WORD}\n", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert WORD not in done.stdout


def test_at_a_terminal_a_password_is_asked_for_twice_and_never_shown(tmp_path: Path) -> None:
    def typed(*words: str) -> str:
        child, above = pty.fork()
        if child == 0:
            os.execv(sys.executable, [sys.executable, "-m", "kiosk.server.main", "init", str(tmp_path / "server")])  # noqa: S606
        out = b""
        waiting = list(words)
        try:
            while data := os.read(above, 1000):
                out += data
                if data.rstrip().endswith(b":") and waiting:
                    os.write(above, waiting.pop(0).encode() + b"\n")
        except OSError:
            pass
        os.waitpid(child, 0)
        os.close(above)
        return out.decode()

    shown = typed(WORD, "another long word")
    assert "The two differ" in shown
    assert WORD not in shown
    shown = typed(WORD, WORD)
    assert "The server is made" in shown
    assert WORD not in shown


def test_a_new_certificate_has_another_fingerprint_and_the_server_stays_the_same(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    before = keys.Keys.load(home)
    code, out, _ = ask(capfd, "init", home, "--renew-certificate")
    after = keys.Keys.load(home)
    assert code == 0
    assert "enrol every table again" in out
    assert (before.server_id, before.public_hex) == (after.server_id, after.public_hex)
    assert before.fingerprint != after.fingerprint
    assert ask(capfd, "init", home.parent / "none", "--renew-certificate")[0] == 1


def test_a_database_with_an_event_in_it_is_not_taken_twice(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    url = f"sqlite:///{tmp_path}/shared.db"
    assert ask(capfd, "init", tmp_path / "one", "--password", WORD, "--database", url)[0] == 0
    code, _, err = ask(capfd, "init", tmp_path / "two", "--password", WORD, "--database", url)
    assert code == 2
    assert "there is an event in this database already" in err
    assert not (tmp_path / "two" / "server.id").exists()


# ── run ──────────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("options", "code", "told"),
    [
        (["--plain", "--host", "0.0.0.0"], 2, "--plain: without TLS the server listens on 127.0.0.1 only"),  # noqa: S104
        (["--workers", "2"], 2, "--workers: SQLite has one writer"),
        (["--workers", "0"], 2, "--workers"),
        (["--port", "70000"], 2, "--port"),
        (["--host", "203.0.113.7"], 1, "This machine has no address 203.0.113.7"),
        (["--host", "no such host"], 1, "cannot be listened on"),
    ],
)
def test_a_run_that_cannot_be_is_a_sentence(
    options: list[str], code: int, told: str, home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    got, out, err = ask(capfd, "--data", home, "run", "--no-announce", *options)
    assert (got, out) == (code, "")
    assert told in err


def test_a_port_in_use_is_a_sentence(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, _, err = ask(capfd, "--data", home, "run", "--host", "127.0.0.1", "--port", port)
    assert (code, err) == (1, f"kiosk-server: Port {port} is in use by another program; name another one with --port.\n")


def test_a_second_server_with_the_same_data_is_refused(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with alone(home):
        code, _, err = ask(capfd, "--data", home, "run")
    assert code == 1
    assert f"A server runs with {home} already" in err


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("receipts.key", b"nonsense", "receipts.key is no key"),
        ("server.id", b"12", "server.id is no key"),
        ("tls.crt", b"nonsense", "tls.crt is no certificate"),
        ("server.toml", b'port = "8443"', "port must be a number"),
        ("server.toml", b"colour = 3", "colour is no key"),
        ("server.toml", b"= =", "this is not TOML"),
        ("server.toml", b"\xff", "this is not TOML"),
        ("server.toml", b'zone = "Nowhere/At_All"', "zone must be a time zone"),
        ("server.toml", b"port = 0", "port must be a number from 1"),
        ("server.toml", b'address = "ftp://x"', "address must be"),
        ("server.toml", b'database = "x"', "database must be"),
        ("server.toml", b"workers = true", "workers must be a number"),
        ("server.toml", b'certificate = "nowhere.crt"', "nowhere.crt cannot be read"),
        ("server.toml", b"workers = 3", "server.toml: workers = 3 wants PostgreSQL"),
        ("event.db", b"not a database at all, and long enough to be seen as none" * 20, "is damaged or no database"),
    ],
)
def test_a_broken_file_is_named(name: str, content: bytes, told: str, home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (home / name).write_bytes(content)
    code, out, err = ask(capfd, "--data", home, "run", "--no-announce", "--host", "127.0.0.1", "--port", 0)
    assert code in {1, 2}
    assert out == ""
    assert told in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("receipts.key", "It signs the receipts of this event; restore a backup"),
        ("tls.crt", "only where there is none `kiosk-server init --renew-certificate`"),
        ("tls.key", "only where there is none `kiosk-server init --renew-certificate`"),
        ("server.id", "`kiosk-server init` makes one"),
    ],
)
def test_a_key_that_is_gone_is_named_with_what_to_do(name: str, told: str, home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (home / name).unlink()
    code, out, err = ask(capfd, "--data", home, "run", "--no-announce", "--host", "127.0.0.1", "--port", 0)
    assert (code, out, len(err.splitlines())) == (1, "", 1)
    assert told in err
    assert str(home if name == "server.id" else home / name) in err


def test_a_certificate_that_the_configuration_names_and_is_not_there_names_the_line(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (home / "server.toml").write_text('certificate = "proxy.crt"\n', encoding="utf-8")
    code, _out, err = ask(capfd, "--data", home, "run", "--no-announce", "--host", "127.0.0.1", "--port", 0)
    assert code == 1
    assert "proxy.crt cannot be read" in err
    assert "`certificate` of server.toml" in err


def test_another_servers_key_file_is_noticed(home: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other"
    other.mkdir()
    keys.make(other, ["localhost"])
    for name in (keys.TLS_KEY,):
        (home / name).write_bytes((other / name).read_bytes())
    assert "do not belong together" in ask(capfd, "--data", home, "run", "--no-announce", "--host", "127.0.0.1", "--port", 0)[2]
    (home / keys.IDENT).write_bytes((other / keys.IDENT).read_bytes())
    for name in (keys.TLS_CERTIFICATE, keys.SIGNING):
        (home / name).write_bytes((other / name).read_bytes())
    told = ask(capfd, "--data", home, "run", "--no-announce", "--host", "127.0.0.1", "--port", 0)[2]
    assert "The database belongs to another server" in told


@pytest.mark.parametrize(
    "words",
    [["run"], ["code"], ["people", "list"], ["devices", "list"], ["backup"], ["people", "add", "Ana", "--no-pin", "--password", WORD]],
)
def test_without_a_server_every_command_says_how_one_is_made(words: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, _, err = ask(capfd, "--data", tmp_path / "none", *words)
    assert code == 1
    assert "`kiosk-server init` makes one" in err
    assert not (tmp_path / "none").exists()


def test_without_the_libraries_the_command_says_how_to_get_them(tmp_path: Path) -> None:
    script = f"import sys\nfor name in {sorted(EXTRAS)!r}: sys.modules[name] = None\nfrom kiosk.server.main import main\nmain()\n"
    for words, code in ((["--help"], 0), (["--version"], 0), (["run"], 2), (["init", str(tmp_path / "x")], 2), (["backups", "list"], 2)):
        done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        assert done.returncode == code, done.stderr
        if code:
            assert re.fullmatch(r"kiosk-server: The tournament server's libraries are missing \(\w+\): pip install .*\n", done.stderr)


# ── people, code, devices ────────────────────────────────────────────────────
def test_officials_are_entered_listed_changed_and_removed(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def people_(*words: str) -> tuple[int, str, str]:
        return ask(capfd, "--data", home, "people", *words)

    assert people_("add", "Ana", "--password", WORD, "--pin", "5829")[:2] == (0, "Ana is entered as referee.\n")
    assert people_("add", "Boris", "--role", "chief", "--no-password", "--pin", "77310")[0] == 0
    assert people_("add", "Vesna", "--role", "deputy", "--no-pin", "--password", WORD)[0] == 0
    listed = people_("list")[1].splitlines()
    assert [line.split() for line in listed] == [
        ["referee", "password+pin", "Ana"],
        ["chief", "pin", "Boris"],
        ["organizer", "password", "Organizer"],
        ["deputy", "password", "Vesna"],
    ]
    assert people_("password", "ana", "--password", "another long word")[0] == 0
    assert people_("pin", "Boris", "--pin", "90817")[:2] == (0, "Boris has a new PIN.\n")
    assert people_("badge", "boris", "--number", "0f00184c7b")[:2] == (0, "Boris has a badge.\n")
    assert ["chief", "pin+badge", "Boris"] in [line.split() for line in people_("list")[1].splitlines()]
    assert people_("badge", "Boris", "--none")[:2] == (0, "Boris has no badge any more.\n")
    assert people_("pin", "Boris", "--none")[:2] == (0, "Boris has no PIN any more.\n")
    assert people_("remove", "Vesna")[0] == 0
    for words, told in (
        (["add", "ANA", "--no-pin", "--password", WORD], "Ana is entered already"),
        (["add", "Mila", "--no-pin", "--no-password"], "needs a password for pages, or a PIN"),
        (["add", "Mila", "--no-password", "--pin", "1111"], "the first that anybody tries"),
        (["add", "Mila", "--no-password"], "There is no terminal to ask on; scripts say it by --pin, --no-pin."),
        (["remove", "Vesna"], "no official is called 'Vesna'"),
        (["badge", "Ana", "--number", "1"], "A badge's number has 4 to 32 digits and capital letters."),
        (["remove", "Organizer"], "last organizer"),
        (["password", "Ana", "--password", "x"], "A password has"),
    ):
        code, out, err = people_(*words)
        assert (code, out) == (2, "")
        assert told in err


def test_a_code_whose_picture_cannot_be_written_is_worth_nothing(
    home: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import kiosk.sheets

    def full(_text: str) -> bytes:
        raise OSError(28, "No space left on device")

    picture = tmp_path / "code.png"
    code, out, err = ask(capfd, "--data", home, "code", "--table", "5", "--png", tmp_path / "none" / "x.png")
    assert (code, out, "--png: " in err, "No such file" in err) == (2, "", True, True)
    code, out, err = ask(capfd, "--data", home, "code", "--replaces", "12", "--png", picture)
    assert (code, out, "--replaces: no table is called '12'" in err) == (2, "", True)
    monkeypatch.setattr(kiosk.sheets, "qr_png", full)
    code, out, err = ask(capfd, "--data", home, "code", "--table", "5", "--png", picture)
    assert (code, out, "No space left" in err) == (1, "", True)
    assert not picture.exists()
    with house_beside(home) as house, house.store.read() as connection:
        assert open_codes(connection, house.now_ns()) == []


def test_a_code_for_a_table_that_has_a_device_says_so_at_once(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with house_beside(home) as house:
        enrol(house.store, "7")
    code, out, err = ask(capfd, "--data", home, "code", "--table", "7")
    assert (code, "Code: " in out) == (0, True)  # the same device may join again by it
    assert "Table 7 has a device" in err
    assert "kiosk-server code --replaces 7" in err
    assert ask(capfd, "--data", home, "code", "--replaces", "7")[2] == ""


def test_a_code_is_shown_with_its_picture(home: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "code.png"
    code, out, err = ask(capfd, "--data", home, "code", "--table", "12", "--png", picture)
    assert (code, err) == (0, "")
    assert re.match(r"Code: [0-9A-Z]{4}-[0-9A-Z]{4}\ngood for 1 table, until ", out)
    assert "█" in out
    assert picture.read_bytes().startswith(b"\x89PNG")
    made = out.split("\n")[0].removeprefix("Code: ").replace("-", "")
    import zxingcpp
    from PIL import Image

    (read,) = zxingcpp.read_barcodes(Image.open(picture))
    assert re.fullmatch(rf"tableside:.+:8443/{made}", read.text)
    assert "nothing is overwritten" in ask(capfd, "--data", home, "code", "--png", picture)[2]
    assert re.match(
        r"Code: ([0-9A-Z]{4}-){3}[0-9A-Z]{4}\ngood for 40 tables", ask(capfd, "--data", home, "code", "--many", "40", "--days", "2")[1]
    )
    assert (
        ask(capfd, "--data", home, "code", "--many", "2", "--table", "1")[2]
        == "kiosk-server: A code for one table is good for one device.\n"
    )
    assert "no table is called '12'" in ask(capfd, "--data", home, "code", "--replaces", "12")[2]


def test_devices_are_listed_and_revoked(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def devices_(*words: str) -> tuple[int, str, str]:
        return ask(capfd, "--data", home, "devices", *words)

    assert "No table is enrolled yet" in devices_("list")[2]
    with house_beside(home) as house:
        ident = enrol(house.store, "12")
        enrol(house.store, "13")
    assert [line.split()[:2] for line in devices_("list")[1].splitlines()] == [["12", ident], ["13", devices_("list")[1].split()[-4]]]
    assert devices_("revoke", "12")[:2] == (0, "The key of table 12 is revoked.\n")
    assert "12" not in [line.split()[0] for line in devices_("list")[1].splitlines()]
    assert "revoked" in devices_("list", "--all")[1]
    code, _, err = devices_("revoke", "12")
    assert code == 2
    assert "no table is called '12'; enrolled are: 13" in err


def test_whoever_changes_something_from_outside_leaves_a_mark_for_the_server(home: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (home / "changed").unlink(missing_ok=True)
    assert ask(capfd, "--data", home, "people", "add", "Ana", "--no-pin", "--password", WORD)[0] == 0
    assert (home / "changed").exists()


def test_what_is_kept_of_the_event_is_plain(home: Path) -> None:
    with house_beside(home) as house:
        with house.store.read() as connection:
            kept = dict(connection.execute(select(setting.c.name, setting.c.value)).all())  # type: ignore[arg-type]
        assert json.dumps(sorted(kept)) == '["name", "pause", "roster_salt", "server"]'
        with house.store.write() as connection:
            connection.execute(update(setting).where(setting.c.name == "name").values(value="Renamed"))
        assert house.event == "Renamed"


# ── The tournament as a file ─────────────────────────────────────────────────
def test_a_tournament_goes_into_a_file_and_opens_on_another_server(home: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with house_beside(home) as house, acting(house, "Eva") as act:
        tournament.happen(act, [Entered(Entrant(1, ("Ана",))), Entered(Entrant(2, ("Boris",), rating=1500.0))])
    file = tmp_path / "t.json"
    assert ask(capfd, "--data", home, "tournament", "export", file)[:2] == (0, f"The tournament is in {file}.\n")
    assert "there already" in ask(capfd, "--data", home, "tournament", "export", file)[2]
    assert "cannot be written" in ask(capfd, "--data", home, "tournament", "export", tmp_path / "no" / "t.json")[2]
    code, _out, err = ask(capfd, "--data", home, "tournament", "import", file)
    assert (code, "has a tournament already" in err) == (2, True)
    other = tmp_path / "other"
    ask(capfd, "init", other, "--password", WORD)
    assert ask(capfd, "--data", other, "tournament", "import", file)[:2] == (0, f"The tournament of {file} is open here.\n")
    with house_beside(other) as house, house.store.read() as connection:
        assert [each.name for each in tournament.standing_now(connection).event.entrants.values()] == ["Ана", "Boris"]


def test_a_file_of_no_tournament_is_refused(home: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "t.json").write_text("[]", encoding="utf-8")
    assert "no file of a tournament" in ask(capfd, "--data", home, "tournament", "import", tmp_path / "t.json")[2]
    assert "cannot be read" in ask(capfd, "--data", home, "tournament", "import", tmp_path / "none.json")[2]
