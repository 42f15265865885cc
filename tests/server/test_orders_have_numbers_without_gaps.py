from __future__ import annotations

import threading

import pytest
from sqlalchemy import select, update

from kiosk.domain.types import Pair
from kiosk.server import orders
from kiosk.server.schema import device
from kiosk.server.schema import orders as kept
from kiosk.server.store import Store
from kiosk.sync import wire
from tests.server.devices import enrol

MINUTE_MS = 60_000
MINUTE_NS = 60 * 10**9
MATCH = wire.AssignMatch("m", 1, Pair(("Ana",), ("Boris",)), "ibgf", 7, None, None, None, None, "Open", "3", 10 * MINUTE_MS, practice=False)


def done(n: int, *, read: bool = True) -> wire.OrderAnswer:
    return wire.OrderAnswer(n, done=True, code="", sentence="", read=read)


def test_each_device_counts_for_itself(store: Store) -> None:
    one, two = enrol(store, "1"), enrol(store, "2")
    with store.write() as connection:
        numbers = [orders.give(connection, ident, wire.LiftPause("Eva"), "Eva (chief)", 5) for ident in (one, one, two, one)]
    assert numbers == [1, 2, 1, 3]
    with store.read() as connection:
        assert [each.order for each in orders.open_orders(connection, one)] == [wire.Order(n, wire.LiftPause("Eva")) for n in (1, 2, 3)]
        assert [each.order.n for each in orders.open_orders(connection, one, after=2)] == [3]


def test_many_who_give_orders_at_once_leave_no_gap(store: Store) -> None:
    ident = enrol(store, "1")

    def give() -> None:
        for _ in range(5):
            with store.write() as connection:
                orders.give(connection, ident, wire.LiftPause("Eva"), "Eva", 5)

    threads = [threading.Thread(target=give) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.read() as connection:
        assert list(connection.execute(select(kept.c.n).order_by(kept.c.n)).scalars()) == list(range(1, 21))


def test_an_order_that_comes_to_nothing_takes_no_number(store: Store) -> None:
    ident = enrol(store, "1")
    with pytest.raises(RuntimeError), store.write() as connection:  # noqa: PT012 - the transaction is what fails
        orders.give(connection, ident, wire.LiftPause("Eva"), "Eva", 5)
        raise RuntimeError
    with store.write() as connection:
        assert orders.give(connection, ident, wire.LiftPause("Eva"), "Eva", 5) == 1


def test_a_device_that_was_revoked_gets_no_orders(store: Store) -> None:
    ident = enrol(store, "1")
    other = enrol(store, "2")
    with store.write() as connection:
        connection.execute(update(device).where(device.c.id == ident).values(revoked_ns=1))
        with pytest.raises(orders.NoSuchDevice):
            orders.give(connection, ident, wire.LiftPause("Eva"), "Eva", 5)
        with pytest.raises(orders.NoSuchDevice):
            orders.give(connection, "f" * 32, wire.LiftPause("Eva"), "Eva", 5)
        assert orders.give_all(connection, wire.LiftPause("Eva"), "Eva", 5) == [other]


def test_an_answer_is_kept_once_and_all_below_it_is_forgotten(store: Store) -> None:
    ident = enrol(store, "1")
    with store.write() as connection:
        for _ in range(3):
            orders.give(connection, ident, wire.LiftPause("Eva"), "Eva", 5)
        assert orders.answered_upto(connection, ident) == 0
        assert orders.answer(connection, ident, [done(2)], 6) == 0
        assert orders.answer(connection, ident, [done(1)], 7) == 2
        no = wire.OrderAnswer(1, done=False, code="wrong_phase", sentence="Not now.", read=True)
        assert orders.answer(connection, ident, [no, done(3), done(9)], 8) == 3
        row = connection.execute(select(kept).where(kept.c.n == 1)).one()
        assert (row.done, row.answered_ns) == (True, 7)
        assert orders.open_orders(connection, ident) == []


def test_a_message_is_shown_first_and_read_later(store: Store) -> None:
    ident = enrol(store, "1")
    with store.write() as connection:
        orders.give(connection, ident, wire.ShowMessage("Eva", "Lunch"), "Eva", 5)
        orders.answer(connection, ident, [done(1, read=False)], 6)
        orders.answer(connection, ident, [done(1)], 7)
        row = connection.execute(select(kept)).one()
    assert '"read":true' in row.answer
    assert row.answered_ns == 6


@pytest.mark.parametrize("what", [MATCH, wire.DelayStart("Eva", "m", 10 * MINUTE_MS)])
def test_a_time_is_brought_up_to_date_as_it_is_sent(what: wire.AssignMatch | wire.DelayStart) -> None:
    sent = orders.as_sent(orders.Open(wire.Order(1, what), MINUTE_NS), 12 * MINUTE_NS).what
    assert isinstance(sent, wire.AssignMatch | wire.DelayStart)
    assert sent.starts_in_ms == -1 * MINUTE_MS


@pytest.mark.parametrize("what", [wire.DelayStart("Eva", "m", None), wire.LiftPause("Eva")])
def test_what_says_no_time_is_sent_as_it_is(what: wire.DelayStart | wire.LiftPause) -> None:
    order = wire.Order(1, what)
    assert orders.as_sent(orders.Open(order, 0), MINUTE_NS) is order
