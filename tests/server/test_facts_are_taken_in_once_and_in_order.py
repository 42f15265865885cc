"""What the intake does with batches, on both databases: nothing twice, nothing out of order, nothing lost."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import func, insert, select

from kiosk.chain import START, verify
from kiosk.domain.errors import PeerError
from kiosk.ports import Row
from kiosk.server.intake import Intake
from kiosk.server.problems import Problem
from kiosk.server.schema import conflict, device, fact, journal, orders
from kiosk.server.store import Store
from kiosk.server.take import MOST_BRANCHES
from kiosk.sync import wire
from tests.server.devices import FakeKeys, Sender, enrol, parted, plain_rows


def stored(store: Store, branch: int = 0) -> list[Row]:
    """The rows of a branch's own."""
    columns = [fact.c[name] for name in ("seq", "boot", "mono_ns", "wall_ns", "wall_trusted", "type", "data", "prev", "hash")]
    with store.read() as connection:
        found = connection.execute(
            select(*columns).join(journal, journal.c.id == fact.c.journal).where(journal.c.branch == branch).order_by(fact.c.seq)
        )
        return [Row(*row) for row in found]


@pytest.fixture
def sender(store: Store, intake: Intake) -> Sender:
    return Sender(intake, enrol(store, "12"), plain_rows(10))


def test_a_batch_is_stored_as_it_was_sent_and_receipted(store: Store, sender: Sender) -> None:
    answer = asyncio.run(sender.send(1, 10))
    assert stored(store) == sender.rows
    assert verify(stored(store)).fault is None
    assert (answer.verdict, answer.want) == (wire.Verdict.STORED, 11)
    receipt = answer.receipt
    assert receipt is not None
    assert (receipt.seq, receipt.hash, receipt.branch, receipt.journal) == (10, sender.rows[-1].hash, 0, sender.journal)
    assert (receipt.device, receipt.server) == (sender.device, FakeKeys.server_id)
    assert receipt.signature == FakeKeys().sign(receipt.signed_text()).hex()


def test_a_repeat_gets_the_first_answer_again_and_is_not_stored_twice(store: Store, sender: Sender) -> None:
    async def run() -> list[wire.SyncAnswer]:
        return [await sender.send(1, 4), await sender.send(5, 7), await sender.send(5, 7), await sender.send(1, 4)]

    first, second, again, old = asyncio.run(run())
    assert again == second
    assert old == second  # the head, so that a table that has lost its receipts need not send everything again
    assert old.verdict is first.verdict
    assert stored(store) == sender.rows[:7]


def test_an_overlap_adds_what_is_new(store: Store, sender: Sender) -> None:
    async def run() -> wire.SyncAnswer:
        await sender.send(1, 6)
        return await sender.send(3, 10)

    answer = asyncio.run(run())
    assert (answer.verdict, answer.want) == (wire.Verdict.STORED, 11)
    assert stored(store) == sender.rows


def test_a_gap_is_asked_for_and_nothing_is_stored(store: Store, sender: Sender) -> None:
    async def run() -> tuple[wire.SyncAnswer, wire.SyncAnswer]:
        unknown = await sender.send(4, 5)
        await sender.send(1, 3)
        return unknown, await sender.send(6, 8)

    unknown, gap = asyncio.run(run())
    assert (unknown.verdict, unknown.receipt, unknown.want) == (wire.Verdict.GAP, None, 1)
    assert (gap.verdict, gap.want) == (wire.Verdict.GAP, 4)
    assert gap.receipt is not None
    assert (gap.receipt.seq, gap.receipt.hash) == (3, sender.rows[2].hash)
    assert stored(store) == sender.rows[:3]


def test_a_fork_is_kept_apart_flagged_and_goes_on_with_receipts_of_its_own(store: Store, sender: Sender) -> None:
    other = Sender(sender.intake, sender.device, parted(sender.rows, 6, 8))

    async def run() -> list[wire.SyncAnswer]:
        await sender.send(1, 10)
        parts = await other.send(4, 9)
        on = await other.send(10, 13)
        again = await other.send(4, 9)
        first = await sender.send(1, 10)
        return [parts, on, again, first]

    parts, on, again, first = asyncio.run(run())
    assert (parts.verdict, parts.want, on.verdict, on.want) == (wire.Verdict.FORK, 10, wire.Verdict.FORK, 14)
    assert again == parts
    assert parts.receipt is not None
    assert (parts.receipt.branch, parts.receipt.hash) == (1, other.rows[8].hash)
    assert (first.verdict, first.want) == (wire.Verdict.STORED, 11)
    assert stored(store) == sender.rows
    assert stored(store, 1) == other.rows[5:]
    with store.read() as connection:
        flagged = connection.execute(select(conflict.c.kind, conflict.c.device)).all()
    assert [tuple(row) for row in flagged] == [("fork", sender.device)]


def test_a_fork_of_a_fork_finds_the_rows_of_its_parents(store: Store, sender: Sender) -> None:
    second = Sender(sender.intake, sender.device, parted(sender.rows, 6, 8))
    third = Sender(sender.intake, sender.device, parted(second.rows, 9, 3, "third"))
    fourth = Sender(sender.intake, sender.device, parted(third.rows, 3, 3, "fourth"))

    async def run() -> list[wire.SyncAnswer]:
        await sender.send(1, 10)
        await second.send(1, 13)
        return [await third.send(2, 11), await fourth.send(1, 5), await third.send(4, 11), await second.send(7, 13)]

    parts = asyncio.run(run())
    assert [answer.receipt.branch for answer in parts if answer.receipt is not None] == [2, 3, 2, 1]
    assert stored(store, 2) == third.rows[8:]
    assert stored(store, 3) == fourth.rows[2:]


def test_a_fork_further_back_than_the_batch_is_found_from_the_beginning(sender: Sender) -> None:
    other = Sender(sender.intake, sender.device, parted(sender.rows, 3, 20))

    async def run() -> list[wire.SyncAnswer]:
        await sender.send(1, 10)
        return [await other.send(10, 22), await other.send(1, 2), await other.send(3, 22)]

    unknown, shared, parts = asyncio.run(run())
    assert (unknown.verdict, unknown.receipt, unknown.want) == (wire.Verdict.GAP, None, 1)
    assert (shared.verdict, shared.want) == (wire.Verdict.STORED, 11)
    assert (parts.verdict, parts.want) == (wire.Verdict.FORK, 23)


def test_a_device_that_has_less_than_the_server_is_flagged_once(store: Store, sender: Sender) -> None:
    async def run() -> wire.SyncAnswer:
        await sender.send(1, 10)
        await sender.intake.submit(sender.device, sender.batch(5, 4, pending=3))  # more is to come
        await sender.intake.submit(sender.device, sender.batch(5, 4))
        return await sender.intake.submit(sender.device, sender.batch(5, 4))

    answer = asyncio.run(run())
    assert (answer.verdict, answer.want) == (wire.Verdict.STORED, 11)
    with store.read() as connection:
        flagged = connection.execute(select(conflict.c.kind, conflict.c.what)).all()
    assert [tuple(row) for row in flagged] == [("truncated", f'{{"device_has":4,"journal":"{sender.journal}","server_has":10}}')]


def test_another_journal_of_the_same_device_is_flagged_once(store: Store, sender: Sender) -> None:
    other = Sender(sender.intake, sender.device, plain_rows(3, word="other"))

    async def run() -> wire.SyncAnswer:
        await sender.send(1, 10)
        answer = await other.send(1, 2)
        await other.send(1, 2)
        await other.send(3, 3)
        return answer

    assert asyncio.run(run()).verdict is wire.Verdict.STORED
    with store.read() as connection:
        flagged = connection.execute(select(conflict.c.kind, conflict.c.what)).all()
    what = f'{{"before":"{sender.journal}","journal":"{other.journal}","server_has":10}}'
    assert [tuple(row) for row in flagged] == [("journal_gone", what)]


def test_a_batch_that_was_under_way_for_long_says_nothing_of_what_came_after_it(store: Store, sender: Sender) -> None:
    old = replace(sender.batch(5, 4), now=wire.Moment("boot", 5, 10**18, True))

    async def run() -> None:
        await sender.send(1, 10)
        await sender.intake.submit(sender.device, old)

    asyncio.run(run())
    with store.read() as connection:
        assert connection.execute(select(func.count()).select_from(conflict)).scalar() == 0


def test_a_journal_that_parts_again_and_again_is_refused_with_a_sentence(store: Store, sender: Sender) -> None:
    async def run() -> None:
        await sender.send(1, 10)
        for n in range(1, MOST_BRANCHES):
            await Sender(sender.intake, sender.device, parted(sender.rows, 5, 2, str(n))).send(1, 6)
        await Sender(sender.intake, sender.device, parted(sender.rows, 5, 2, "one more")).send(1, 6)

    with pytest.raises(PeerError, match="parted into 8 histories"):
        asyncio.run(run())
    with store.read() as connection:
        assert connection.execute(select(func.count()).select_from(journal)).scalar() == MOST_BRANCHES


def test_the_same_batch_at_once_is_stored_once_and_answered_alike(store: Store, sender: Sender) -> None:
    async def run() -> list[wire.SyncAnswer]:
        return await asyncio.gather(*[sender.send(1, 10) for _ in range(12)])

    answers = asyncio.run(run())
    assert len(set(answers)) == 1
    assert stored(store) == sender.rows


def test_one_bad_batch_fails_no_other(store: Store, intake: Intake, sender: Sender) -> None:
    bad = Sender(intake, enrol(store, "13"), plain_rows(2))
    broken = wire.Batch(bad.journal, 0, START, (bad.rows[0], bad.rows[0]), (), bad.batch(1, 1).now, 0)  # the same number twice

    async def run() -> list[wire.SyncAnswer | BaseException]:
        return await asyncio.gather(
            sender.send(1, 10), intake.submit(bad.device, broken), intake.submit("0" * 32, bad.batch(1, 2)), return_exceptions=True
        )

    good, refused, nobody = asyncio.run(run())
    assert isinstance(good, wire.SyncAnswer)
    assert good.want == 11
    assert isinstance(refused, PeerError)
    assert isinstance(nobody, Problem)
    assert nobody.status == 401
    assert stored(store) == sender.rows


@pytest.mark.parametrize("text", ["half \ud800", "a NUL \0"])
def test_what_no_database_holds_is_refused(sender: Sender, text: str) -> None:
    row = Row(1, "boot", 1, 1, True, "noted", text, START, "0" * 64)
    batch = wire.Batch(row.hash, 0, START, (row,), (), sender.batch(1, 1).now, 0)
    with pytest.raises(PeerError, match="Row 1 of the batch has a character"):
        asyncio.run(sender.intake.submit(sender.device, batch))
    told = wire.OrderAnswer(4, False, "", text, True)
    with pytest.raises(PeerError, match="order 4 has a character"):
        asyncio.run(sender.send(1, 1, told))


def test_answers_to_orders_come_with_the_batch_and_count_up(store: Store, sender: Sender) -> None:
    with store.write() as connection:
        connection.execute(device.update().values(last_order=2))
        for n in (1, 2):
            connection.execute(insert(orders).values(device=sender.device, n=n, kind="lift_pause", data="{}", by="Eva", at_ns=1))
    none, one, both = asyncio.run(_answering(sender))
    assert (none.answered, one.answered, both.answered) == (0, 1, 2)
    with store.read() as connection:
        assert list(connection.execute(select(orders.c.done).order_by(orders.c.n)).scalars()) == [True, False]


async def _answering(sender: Sender) -> list[wire.SyncAnswer]:
    empty = wire.Batch("", 0, START, (), (), sender.batch(1, 1).now, 0)
    first, second = wire.OrderAnswer(1, True, "", "", True), wire.OrderAnswer(2, False, "match_over", "Over.", True)
    return [await sender.intake.submit(sender.device, empty), await sender.send(1, 3, first), await sender.send(4, 4, second)]


def test_nothing_is_taken_of_a_revoked_device(store: Store, sender: Sender) -> None:
    with store.write() as connection:
        connection.execute(device.update().values(revoked_ns=1))
    with pytest.raises(Problem, match="not enrolled here"):
        asyncio.run(sender.send(1, 3))
    assert stored(store) == []
