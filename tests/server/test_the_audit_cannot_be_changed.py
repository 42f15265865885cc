from __future__ import annotations

import threading

import pytest
from sqlalchemy import delete, select, text, update
from sqlalchemy.exc import DBAPIError

from kiosk.server import audit
from kiosk.server.schema import audit as rows
from kiosk.server.store import Store


def write(store: Store, count: int = 3) -> None:
    for number in range(count):
        with store.write() as connection:
            audit.note(connection, "Eva (organizer)", "match_assigned", match=f"m{number}", players=["Ana", "Борис"], reason=None)


def test_what_was_done_is_written_with_the_act_or_not_at_all(store: Store) -> None:
    with pytest.raises(RuntimeError), store.write() as connection:  # noqa: PT012 - the transaction is what fails
        audit.note(connection, "Eva", "act")
        raise RuntimeError
    write(store, 1)
    with store.read() as connection:
        (row,) = connection.execute(select(rows)).all()
    assert (row.who, row.act) == ("Eva (organizer)", "match_assigned")
    assert row.what == '{"match":"m0","players":["Ana","Борис"],"reason":null}'


@pytest.mark.parametrize("change", [update(rows).values(who="Nobody"), update(rows).values(what="{}"), delete(rows)])
def test_the_database_refuses_to_change_it(store: Store, change: object) -> None:
    write(store)
    with pytest.raises(DBAPIError, match="audit"), store.write() as connection:
        connection.execute(change)  # type: ignore[call-overload]
    with store.read() as connection:
        assert audit.fault(connection) is None
        assert len(connection.execute(select(rows)).all()) == 3


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("UPDATE audit SET who = 'Nobody' WHERE id = 2", "Row 2 of the audit was altered"),
        ("DELETE FROM audit WHERE id = 2", "Row 3 of the audit does not follow"),
    ],
)
def test_whoever_works_around_the_database_is_seen(store: Store, change: str, told: str) -> None:
    write(store)
    with store.write() as connection:
        if store.is_sqlite:
            for name in (
                connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit'")).scalars().all()
            ):
                connection.execute(text(f"DROP TRIGGER {name}"))
        else:
            connection.execute(text("ALTER TABLE audit DISABLE TRIGGER ALL"))
        connection.execute(text(change))
        assert str(audit.fault(connection)).startswith(told)


def test_many_at_once_make_one_chain(store: Store) -> None:
    threads = [threading.Thread(target=write, args=(store, 5)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.read() as connection:
        assert audit.fault(connection) is None
        assert len(connection.execute(select(rows)).all()) == 20
