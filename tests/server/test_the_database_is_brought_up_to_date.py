"""Opening a database: its tables come by recorded steps, once, and what is wrong is a sentence."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import delete, insert, select, text, update
from sqlalchemy.exc import IntegrityError

from kiosk.server.schema import audit, metadata, setting
from kiosk.server.store import PATIENCE_S, NoDatabase, Store, StoreUnavailable, hold
from tests.server import postgres


def test_the_steps_lead_to_the_schema(store: Store) -> None:
    with store.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection, opts={"compare_type": True}), metadata) == []


@pytest.fixture
def database(empty_database: str) -> str:
    """Here the product's steps make the tables."""
    return empty_database


def test_opening_again_changes_nothing(store: Store, database: str) -> None:
    with store.write() as connection:
        connection.execute(insert(setting).values(name="name", value="Cup"))
    again = Store.open(database)
    with again.read() as connection:
        assert connection.execute(select(setting.c.value)).scalar() == "Cup"
    again.close()


def test_a_database_of_a_newer_program_is_refused(store: Store, database: str) -> None:
    with store.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreUnavailable, match="newer Tableside has changed this database"):
        Store.open(database)


def test_processes_that_open_it_at_once_make_it_once(database: str) -> None:
    failed: list[BaseException] = []
    start = threading.Barrier(4)

    def open_it() -> None:
        start.wait()
        try:
            Store.open(database).close()
        except BaseException as error:  # noqa: BLE001 - told below
            failed.append(error)

    threads = [threading.Thread(target=open_it) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


@pytest.mark.parametrize("act", [delete(audit), update(audit).values(who="somebody else")])
def test_the_audit_can_be_neither_changed_nor_deleted(store: Store, act: object) -> None:
    with store.write() as connection:
        connection.execute(insert(audit).values(at_ns=1, who="Eva", act="opened", what="{}", prev="", hash=""))
    with pytest.raises(IntegrityError, match="the audit stays as it is"), store.write() as connection:
        connection.execute(act)  # type: ignore[call-overload]
    with store.read() as connection:
        assert connection.execute(select(audit.c.who)).scalars().all() == ["Eva"]


def test_what_raises_inside_stores_nothing(store: Store) -> None:
    def fail() -> None:
        with store.write() as connection:
            connection.execute(insert(setting).values(name="name", value="Cup"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with store.read() as connection:
        assert connection.execute(select(setting)).all() == []


def test_a_reader_sees_one_state_while_a_writer_goes_on(store: Store) -> None:
    with store.read() as reader:
        assert reader.execute(select(setting)).all() == []
        with store.write() as writer:
            writer.execute(insert(setting).values(name="name", value="Cup"))
        assert reader.execute(select(setting)).all() == []
    with store.read() as reader:
        assert len(reader.execute(select(setting)).all()) == 1


def test_whoever_holds_a_word_is_alone_with_it(store: Store) -> None:
    """On SQLite there is one writer anyhow; on PostgreSQL the second waits for the first's end."""
    order: list[str] = []
    inside, go_on = threading.Event(), threading.Event()

    def first() -> None:
        with store.write() as connection:
            hold(connection, "audit")
            inside.set()
            go_on.wait(PATIENCE_S)
            order.append("first")

    def second() -> None:
        inside.wait(PATIENCE_S)
        go_on.set()
        with store.write() as connection:
            hold(connection, "audit")
            order.append("second")

    threads = [threading.Thread(target=first), threading.Thread(target=second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert order == ["first", "second"]


# ── What is wrong with the world ─────────────────────────────────────────────
@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("nonsense", "nonsense is no database's address"),
        ("mysql://localhost/event", "keeps its data in SQLite, or in PostgreSQL"),
        ("sqlite://", "keeps its data in SQLite, or in PostgreSQL"),
        ("postgresql://localhost:1/event", "cannot be reached"),
        ("sqlite:////nowhere/at/all/event.db", "cannot be opened: is its folder there"),
    ],
)
def test_an_address_that_leads_nowhere_is_told(url: str, sentence: str) -> None:
    with pytest.raises((NoDatabase, StoreUnavailable), match=sentence):
        Store.open(url)


def test_a_database_that_is_not_there_is_told(postgres_cluster: str) -> None:
    with pytest.raises(StoreUnavailable, match=r"There is no database .*nosuch.*createdb"):
        Store.open(postgres_cluster.format(name="nosuch"))


def test_a_password_is_in_no_sentence(postgres_cluster: str) -> None:
    url = postgres_cluster.replace("tableside@", "tableside:secret@").format(name="nosuch")
    with pytest.raises(StoreUnavailable) as caught:
        Store.open(url)
    assert "secret" not in str(caught.value)


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "event.db").write_bytes(b"a letter to the organizer " * 100)
    with pytest.raises(StoreUnavailable, match="damaged or no database"):
        Store.open(f"sqlite:///{tmp_path}/event.db")


def test_a_database_that_another_process_holds_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kiosk.server.store.PATIENCE_S", 0.05)
    url = f"sqlite:///{tmp_path}/event.db"
    one, other = Store.open(url), Store.open(url)
    with one.write() as connection:
        connection.execute(insert(setting).values(name="name", value="Cup"))
        with pytest.raises(StoreUnavailable, match="Another process keeps the database"):
            other.write().__enter__()
    one.close()
    other.close()


def test_a_database_that_has_stopped_is_told_and_found_again(tmp_path: Path) -> None:
    if postgres.binaries() is None:
        pytest.skip("there is no PostgreSQL here")
    with postgres.cluster() as address:
        store = Store.open(address.format(name="postgres"))
        with store.read() as connection:
            connection.execute(select(setting)).all()
    with pytest.raises(StoreUnavailable, match="cannot be reached"), store.read() as connection:
        connection.execute(select(setting)).all()
    store.close()
    assert tmp_path.exists()
