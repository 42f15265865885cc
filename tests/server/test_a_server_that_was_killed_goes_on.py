from __future__ import annotations

import secrets
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from kiosk.domain.errors import KioskError
from kiosk.domain.officials import Official, Role
from kiosk.ports import Row
from kiosk.server import desk
from kiosk.server.acts import acting
from kiosk.server.beside import house_beside
from kiosk.server.cli_init import make
from kiosk.server.enrolment import make_code
from kiosk.sync import wire
from kiosk.sync.enrol import Applicant, enrol
from kiosk.sync.transport import Connection, ServerUnreachable
from tests.patience import Stopwatch, until
from tests.server import cheap as cheap  # noqa: PLC0414 - passwords that cost little
from tests.server.devices import plain_rows
from tests.server.process import Running, running

START = "0" * 64


@pytest.fixture
def home(tmp_path: Path) -> Path:
    make(tmp_path / "server", "Open", Official("Eva", Role.ORGANIZER), "a long enough word", "")
    return tmp_path / "server"


def batch(rows: list[Row], first: int, last: int, *answers: wire.OrderAnswer) -> bytes:
    prev = START if first == 1 else rows[first - 2].hash
    now = wire.Moment("boot", 1, 1, wall_trusted=True)
    return wire.batch_to_json(wire.Batch(rows[0].hash, first - 1, prev, tuple(rows[first - 1 : last]), answers, now, len(rows) - last))


def joined(server: Running, home: Path, table: str) -> str:
    with house_beside(home) as house:
        code = make_code(house, "Eva", table=table).code
    ident = secrets.token_hex(16)
    enrolled = enrol(server.address, code, Applicant(ident, "", "1.0"), secrets.token_hex(16))
    return f"{ident}.{enrolled.answer.secret}"


def sent(connection: Connection, body: bytes) -> wire.SyncAnswer:
    answer = wire.from_json(wire.SyncAnswer, connection.ask("POST", wire.SYNC, body))
    assert isinstance(answer, wire.SyncAnswer)
    return answer


def receipt(answer: wire.SyncAnswer) -> wire.Receipt:
    assert answer.receipt is not None
    return answer.receipt


def orders(connection: Connection, after: int, wanted: Callable[[list[wire.Order]], bool]) -> list[wire.Order]:
    got: list[wire.Order] = []
    for line in connection.stream(f"{wire.STREAM}?after={after}"):
        said = wire.line_from_json(line)
        got += [said] if isinstance(said, wire.Order) else []
        if wanted(got):
            break
    return got


def test_facts_and_orders_go_on_after_a_kill_and_a_start(home: Path) -> None:
    rows = plain_rows(30)
    with running(home, "--port", "0") as server:
        token, fingerprint, port = joined(server, home, "1"), server.keys.fingerprint, server.address.port
        connection = Connection(server.address, fingerprint, token)
        first = sent(connection, batch(rows, 1, 10))
        assert receipt(first).seq == 10
        with house_beside(home) as house, acting(house, "Eva") as act:
            desk.message(act, "Lunch")
        assert [order.what for order in orders(connection, 0, bool)] == [wire.ShowMessage("Eva", "Lunch")]
        stream = Connection(server.address, fingerprint, token).stream(f"{wire.STREAM}?after=0")
        next(stream)
        assert server.stop(signal.SIGKILL) == -signal.SIGKILL
        with pytest.raises(KioskError):
            for _line in stream:
                pass
    with pytest.raises(ServerUnreachable):
        sent(connection, batch(rows, 11, 20))
    with running(home, "--port", str(port)) as server:
        again = sent(connection, batch(rows, 1, 10))  # the answer could have been lost
        assert receipt(again).hash == receipt(first).hash
        last = sent(connection, batch(rows, 11, 30, wire.OrderAnswer(1, done=True, code="", sentence="", read=True)))
        assert (receipt(last).seq, last.answered, last.want) == (30, 1, 31)
        with house_beside(home) as house, acting(house, "Eva") as act:
            desk.message(act, "Go on")
        assert [order.n for order in orders(connection, last.answered, bool)] == [2]
        assert server.stop() == 0


def test_a_server_stops_at_once_though_tables_listen(home: Path) -> None:
    with running(home, "--port", "0") as server:
        assert server.ready == f"ready: the hall board is at {server.address.url}/\n"
        lines = Connection(server.address, server.keys.fingerprint, joined(server, home, "1")).stream(f"{wire.STREAM}?after=0")
        assert isinstance(wire.line_from_json(next(lines)), wire.Greeting)
        watch = Stopwatch()
        assert server.stop() == 0
        assert watch.seconds() < 6
        assert server.process.stderr is not None
        assert server.process.stderr.read() == ""


def test_several_workers_serve_one_hall_and_a_revocation_holds_in_all_of_them(tmp_path: Path, postgres_database: Callable[[], str]) -> None:
    home = tmp_path / "server"
    make(home, "Open", Official("Eva", Role.ORGANIZER), "a long enough word", postgres_database())
    with running(home, "--port", "0", "--workers", "2") as server:
        token = joined(server, home, "1")
        connections = [Connection(server.address, server.keys.fingerprint, token) for _ in range(8)]
        for each in connections:
            each.ask("GET", wire.ROSTER)
        with house_beside(home) as house:
            from kiosk.server import devices

            devices.revoke(house, "Eva", token[:32])
        watch = Stopwatch()
        until(lambda: all(_is_refused(each) for each in connections), "a worker goes on serving a table that was revoked")
        assert watch.seconds() < 2
        assert server.stop() == 0


def _is_refused(connection: Connection) -> bool:
    try:
        connection.ask("GET", wire.ROSTER)
    except KioskError:
        return True
    return False
