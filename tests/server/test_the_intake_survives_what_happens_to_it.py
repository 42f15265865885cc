"""The process is killed in the middle of a batch; the disk is full; two processes take in the same tables' facts."""

from __future__ import annotations

import asyncio
import errno
import itertools
import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy import event as alchemy
from sqlalchemy import func, select

from kiosk.chain import START, verify
from kiosk.domain.errors import KioskError
from kiosk.ports import Row
from kiosk.server.enrolment import make_code
from kiosk.server.house import put
from kiosk.server.hub import LocalHub
from kiosk.server.intake import Intake
from kiosk.server.schema import fact, journal, orders
from kiosk.server.store import Store, StoreUnavailable
from kiosk.sync import wire
from kiosk.sync.transport import ServerRefused
from tests.server.desk_rig import desk_over
from tests.server.devices import FakeKeys, Sender, enrol, plain_rows
from tests.server.served import csrf_of, served

ROOT = Path(__file__).parents[2]


def rows_of(store: Store) -> dict[int, list[Row]]:
    """Every journal's rows."""
    columns = [fact.c[name] for name in ("seq", "boot", "mono_ns", "wall_ns", "wall_trusted", "type", "data", "prev", "hash")]
    found: dict[int, list[Row]] = {}
    with store.read() as connection:
        for row in connection.execute(select(fact.c.journal, *columns).order_by(fact.c.journal, fact.c.seq)):
            found.setdefault(row[0], []).append(Row(*row[1:]))
    return found


def whole(store: Store) -> int:
    """How many rows there are; each journal's chain holds and ends at its head."""
    count = 0
    with store.read() as connection:
        heads = {row.id: (row.head_seq, row.head_hash) for row in connection.execute(select(journal))}
    for number, rows in rows_of(store).items():
        report = verify(rows)
        assert report.fault is None
        assert (report.rows, report.head) == heads[number]
        count += len(rows)
    return count


# ── Killed ───────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("after", [1, 4, 9])
def test_what_was_receipted_is_there_after_a_kill(database: str, after: int) -> None:
    store = Store.open(database)
    devices = [enrol(store, str(n)) for n in range(8)]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.server.sending_process", database, *devices],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    receipts: dict[str, int] = {}
    for _line in range(after * len(devices)):
        told = json.loads(process.stdout.readline())
        receipts[told["device"]] = told["seq"]
    process.send_signal(signal.SIGKILL)
    for line in process.stdout:  # what it had said before it died
        if line.endswith("\n"):
            told = json.loads(line)
            receipts[told["device"]] = told["seq"]
    process.wait()
    assert whole(store) >= sum(receipts.values())
    with store.read() as connection:
        heads = {row.device: row.head_seq for row in connection.execute(select(journal))}
    assert all(heads[device] >= seq for device, seq in receipts.items())
    intake = Intake(store, LocalHub(), FakeKeys(), lambda: 1)
    rows = plain_rows(400)
    for device in devices:
        asyncio.run(Sender(intake, device, rows).send(1, 400))
    intake.close()
    assert whole(store) == 400 * len(devices)
    store.close()


# ── The disk is full ─────────────────────────────────────────────────────────
def test_a_full_disk_is_told_to_every_table_and_nothing_is_half_stored(tmp_path: Path) -> None:
    store = Store.open(f"sqlite:///{tmp_path}/event.db")
    room = [0]

    @alchemy.listens_for(store._writer, "begin")
    def _as_large_as(connection: object) -> None:
        connection.exec_driver_sql(f"PRAGMA max_page_count = {room[0] or 1_000_000}")  # type: ignore[attr-defined]

    intake = Intake(store, LocalHub(), FakeKeys(), lambda: 1)
    senders = [Sender(intake, enrol(store, str(n)), plain_rows(500)) for n in range(6)]

    async def all_of(first: int, last: int) -> list[wire.SyncAnswer | BaseException]:
        return await asyncio.gather(*[sender.send(first, last) for sender in senders], return_exceptions=True)

    assert all(isinstance(answer, wire.SyncAnswer) for answer in asyncio.run(all_of(1, 50)))
    with store.read() as connection:
        room[0] = int(connection.exec_driver_sql("PRAGMA page_count").scalar_one()) + 4
    refused = asyncio.run(all_of(51, 500))
    assert all(isinstance(answer, StoreUnavailable) for answer in refused)
    assert "is full: nothing was stored" in str(refused[0])
    assert whole(store) == 6 * 50
    room[0] = 0
    assert all(isinstance(answer, wire.SyncAnswer) and answer.want == 501 for answer in asyncio.run(all_of(51, 500)))
    assert whole(store) == 6 * 500
    intake.close()
    store.close()


def test_tables_and_organizers_are_told_in_a_sentence_and_all_goes_on_by_itself_once_there_is_room(tmp_path: Path) -> None:
    rows = plain_rows(500)
    with served(tmp_path / "event") as server, server.logged_in() as client:
        ident, enrolled = server.joined(make_code(server.house, "a test", table="1").code)
        table, csrf = server.connection(ident, enrolled), csrf_of(client.get("/account").text)
        form = {"csrf": csrf, "where": "all", "text": "x" * 500}
        room = [_pages(server.house.store)]

        @alchemy.listens_for(server.house.store._writer, "begin")
        def _as_large_as(connection: object) -> None:
            connection.exec_driver_sql(f"PRAGMA max_page_count = {room[0]}")  # type: ignore[attr-defined]

        _fill(server.house.store)
        with pytest.raises(ServerRefused, match="The server's disk is full: nothing was stored") as refused:
            table.ask("POST", wire.SYNC, batch_of(rows))
        assert (refused.value.status, refused.value.retry_s) == (503, 5)
        answers = [client.post("/desk/hall/message", data={**form, "text": f"{n:0500}"}) for n in range(12)]
        answer = answers[-1]
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
        assert "disk is full: nothing was stored" in answer.text
        assert '<a href="/account"' in answer.text
        assert (whole(server.house.store), messages(server.house.store)) == (0, sum(each.status_code == 303 for each in answers))
        room[0] = 1_000_000
        assert b'"stored"' in table.ask("POST", wire.SYNC, batch_of(rows))
        assert client.post("/desk/hall/message", data=form).status_code == 303
        assert whole(server.house.store) == 500


def test_a_form_that_the_disk_cannot_hold_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_file: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    def broken(_file: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with desk_over(tmp_path) as rig:
        for fails, status in ((full, 503), (broken, 500)):
            monkeypatch.setattr(tempfile.SpooledTemporaryFile, "rollover", fails)
            answer = rig.send("/desk/matches/import", files={"file": ("list.csv", b"left,right\n" + b" " * 2_000_000, "text/csv")})
            assert (answer.status_code, "disk is full" in answer.text) == (status, status == 503)


def messages(store: Store) -> int:
    with store.read() as connection:
        return connection.execute(select(func.count()).select_from(orders).where(orders.c.kind == "show_message")).scalar_one()


def batch_of(rows: list[Row]) -> bytes:
    now = wire.Moment("boot", 10**12, 10**18, True)
    return wire.batch_to_json(wire.Batch(rows[0].hash, 0, START, tuple(rows), (), now, 0))


def _fill(store: Store) -> None:
    """Let nothing more be put into the pages that there are."""
    for size in (3_000, 300, 30):
        with suppress(StoreUnavailable):
            for n in itertools.count():
                with store.write() as connection:
                    put(connection, f"{size} {n}", "x" * size)


def _pages(store: Store) -> int:
    with store.read() as connection:
        return int(connection.exec_driver_sql("PRAGMA page_count").scalar_one())


def test_a_database_that_is_gone_is_told(tmp_path: Path) -> None:
    store = Store.open(f"sqlite:///{tmp_path}/event.db")
    intake = Intake(store, LocalHub(), FakeKeys(), lambda: 1)
    sender = Sender(intake, enrol(store, "1"), plain_rows(3))

    @alchemy.listens_for(store._writer, "begin")
    def _gone(connection: object) -> None:
        connection.exec_driver_sql("PRAGMA query_only = ON")  # type: ignore[attr-defined]

    with pytest.raises(StoreUnavailable, match="cannot be written"):
        asyncio.run(sender.send(1, 3))
    intake.close()
    store.close()


def test_whoever_sends_to_a_server_that_stops_is_told(store: Store) -> None:
    intake = Intake(store, LocalHub(), FakeKeys(), lambda: 1)
    sender = Sender(intake, enrol(store, "1"), plain_rows(3))
    asyncio.run(sender.send(1, 1))
    intake.close()
    with pytest.raises(KioskError, match="about to stop"):
        asyncio.run(sender.send(2, 3))


# ── Two processes ────────────────────────────────────────────────────────────
def test_two_processes_take_in_the_same_tables_facts_once_each(postgres_database: Callable[[], str]) -> None:
    database = postgres_database()
    store = Store.open(database)
    devices = [enrol(store, str(n)) for n in range(6)]
    command = [sys.executable, "-m", "tests.server.sending_process", database, *devices]
    processes = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    said = [[json.loads(line) for line in process.communicate()[0].splitlines()] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert whole(store) == 400 * len(devices)
    with store.read() as connection:
        assert connection.execute(select(func.count()).select_from(journal)).scalar() == len(devices)
    for answers in said:
        assert {answer["verdict"] for answer in answers} == {"stored"}
        assert max(answer["seq"] for answer in answers) == 400
    store.close()
