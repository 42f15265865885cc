"""What the outbox sends when, and what it makes of answers: each line of its table, by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kiosk.domain.errors import PeerError
from kiosk.journal import MemoryJournal
from kiosk.ports import Record
from kiosk.sync.outbox import (
    ALTERED,
    CHECK_NS,
    DISK_NS,
    FIRST_PAUSE_NS,
    FORKED,
    GAP_PAUSE_NS,
    LACKS,
    LONGEST_PAUSE_NS,
    LOST,
    UNHEARD_NS,
    WEIGHT,
    Backoff,
    Outbox,
    compare,
)
from kiosk.sync.wire import MOST_ANSWERS, MOST_ROWS, OrderAnswer, Receipt, SyncAnswer, Verdict
from tests.sync.model import PEERS, ModelServer, S, Table, journal_of, receipt


def answer(n: int, *, read: bool = True) -> OrderAnswer:
    return OrderAnswer(n, done=True, code="", sentence="", read=read)


def said(verdict: Verdict, got: Receipt | None, answered: int = 0) -> SyncAnswer:
    return SyncAnswer(verdict, got, 1 if got is None else got.seq + 1, answered)


def test_everything_goes_once_and_in_order() -> None:
    table, server = Table(journal_of(1200)), ModelServer()
    sizes = []
    while table.outbox.progress().confirmed < 1200:
        batch = table.batch()
        assert batch is not None
        sizes.append(len(batch.rows))
        assert batch.pending == 1200 - sum(sizes)
        table.hear(batch, server.submit(batch))
    assert sizes == [MOST_ROWS, MOST_ROWS, 200]
    assert [row.seq for row in next(iter(server.branches.values()))[0]] == list(range(1, 1201))
    assert table.batch() is None
    assert table.outbox.proved is not None
    assert table.outbox.proved.seq == 1200


def test_heavy_rows_go_in_small_batches_and_the_heaviest_alone() -> None:
    heavy = Table(journal_of(3, text='{"note":"' + "ж" * (WEIGHT // 4) + '"}'))
    batch = heavy.batch()
    assert batch is not None
    assert len(batch.rows) == 1
    assert batch.pending == 2


def test_an_empty_journal_asks_and_is_content() -> None:
    table, server = Table(MemoryJournal(boot="boot")), ModelServer()
    batch = table.batch()
    assert batch is not None
    assert (batch.journal, batch.after, batch.rows) == ("", 0, ())
    table.hear(batch, server.submit(batch))
    assert table.batch() is None
    assert table.outbox.deadline(0, pending=False, at=table.at) == table.at + CHECK_NS


def test_while_an_answer_is_awaited_nothing_else_is_sent() -> None:
    table = Table(journal_of(1))
    assert table.batch() is not None
    assert table.batch() is None
    assert table.outbox.deadline(1, pending=True, at=0) is None


def test_rows_on_their_way_to_the_disk_are_looked_for_soon() -> None:
    table, server = Table(journal_of(1)), ModelServer()
    table.sync(server)
    assert table.outbox.deadline(1, pending=True, at=5) == 5 + DISK_NS
    assert table.outbox.deadline(2, pending=False, at=5) <= 5  # type: ignore[operator] # it is known


def test_the_pause_grows_with_jitter_and_begins_anew_when_the_server_is_there() -> None:
    table = Table(journal_of(1))
    pauses = []
    for _ in range(8):
        assert table.batch() is not None
        table.outbox.failed(table.at, 1.0)
        due = table.outbox.deadline(1, pending=False, at=table.at)
        assert due is not None
        pauses.append(due - table.at)
        table.at = due - 1
        assert table.batch() is None
        table.at = due
    assert pauses[0] == FIRST_PAUSE_NS
    assert pauses == sorted(pauses)
    assert pauses[-1] == LONGEST_PAUSE_NS
    assert table.batch() is not None
    table.outbox.failed(table.at, 0.0)
    assert table.batch() is None
    table.outbox.reached(table.at)
    assert table.batch() is not None


def test_jitter_is_the_half_of_a_pause() -> None:
    assert Backoff().pause(0.0) == FIRST_PAUSE_NS // 2
    backoff = Backoff()
    backoff.pause(0.5)
    backoff.reset()
    assert backoff.pause(1.0) == FIRST_PAUSE_NS


def test_a_server_may_ask_for_a_longer_pause_but_not_for_ever() -> None:
    table = Table(journal_of(1))
    table.batch()
    table.outbox.failed(0, 0.0, 3600 * S)
    assert table.outbox.deadline(1, pending=False, at=0) == LONGEST_PAUSE_NS


def test_a_lost_answer_is_made_good_by_a_repeat() -> None:
    table, server = Table(journal_of(3)), ModelServer()
    batch = table.batch()
    assert batch is not None
    server.submit(batch)
    table.outbox.failed(table.at, 0.0)
    table.at += S
    table.journal.append([Record("turn_ended", "{}", 9)])
    table.sync(server)
    assert [row.seq for row in next(iter(server.branches.values()))[0]] == [1, 2, 3, 4]
    assert table.outbox.progress().trouble == ""


def test_without_a_kept_receipt_everything_is_offered_and_known_at_once() -> None:
    table, server = Table(journal_of(700)), ModelServer()
    table.sync(server)
    again = Table(table.journal)
    batch = again.batch()
    assert batch is not None
    again.hear(batch, server.submit(batch))
    assert again.outbox.progress().confirmed == 700  # the first answer says that the rest is there too


def test_a_server_that_lost_entries_gets_them_again_and_that_is_told() -> None:
    table, server = Table(journal_of(30)), ModelServer()
    table.sync(server)
    rows = next(iter(server.branches.values()))[0]
    del rows[12:]
    table.journal.append([Record("turn_ended", "{}", 99)])
    batch = table.batch()
    assert batch is not None
    table.hear(batch, server.submit(batch))
    assert table.outbox.progress().confirmed == 12
    assert table.outbox.progress().trouble == LOST
    assert table.batch() is None  # a gap is not followed at once
    assert table.outbox.deadline(31, pending=False, at=table.at) == table.at + GAP_PAUSE_NS
    table.at += GAP_PAUSE_NS
    table.sync(server)
    assert [row.seq for row in rows] == list(range(1, 32))
    assert table.outbox.progress().trouble == ""


def test_a_server_that_lost_everything_gets_everything() -> None:
    table, server = Table(journal_of(5)), ModelServer()
    table.sync(server)
    server.branches.clear()
    table.outbox.reached(table.at)
    table.sync(server)
    table.at += 2 * S
    table.sync(server)
    assert table.outbox.progress().trouble in {"", LOST}
    table.outbox.reached(table.at)
    batch = table.batch()
    assert batch is not None
    table.hear(batch, server.submit(batch))
    table.at += 2 * S
    table.sync(server)
    assert len(next(iter(server.branches.values()))[0]) == 5
    assert table.outbox.progress().trouble == ""


def test_a_journal_that_parts_goes_on_along_its_own_branch_and_that_is_told() -> None:
    server = ModelServer()
    first = Table(journal_of(10))
    first.sync(server)
    shorter = MemoryJournal(boot="boot", rows=list(first.journal.rows())[:6])
    shorter.append([Record("turn_ended", "{}", 777), Record("turn_ended", "{}", 778)])
    second = Table(shorter)
    second.sync(server)
    assert second.outbox.progress().trouble == FORKED
    main, branch = next(iter(server.branches.values()))
    assert (len(main), len(branch)) == (10, 8)
    shorter.append([Record("turn_ended", "{}", 779)])
    second.sync(server)
    assert len(branch) == 9
    assert len(main) == 10
    assert second.outbox.proved is not None
    assert second.outbox.proved.branch == 1


def test_a_parting_that_somebody_knows_is_told_no_more_and_a_lack_only_when_it_is_seen_again() -> None:
    server = ModelServer()
    first = Table(journal_of(10))
    first.sync(server)
    shorter = MemoryJournal(boot="boot", rows=list(first.journal.rows())[:6])
    second = Table(shorter)
    batch = second.batch()
    assert batch is not None
    second.hear(batch, server.submit(batch))
    assert second.outbox.progress().trouble == LACKS
    second.outbox.parted(known=False)
    assert second.outbox.progress().trouble == LACKS
    second.outbox.parted(known=True)
    assert second.outbox.progress().trouble == ""
    second.outbox.parted(known=True)
    shorter.append([Record("turn_ended", "{}", 777)])
    second.sync(server)
    assert second.outbox.proved is not None
    assert (second.outbox.proved.branch, second.outbox.progress().trouble) == (1, "")
    second.outbox.parted(known=False)
    shorter.append([Record("turn_ended", "{}", 778)])
    second.sync(server)
    assert second.outbox.progress().trouble == FORKED


def test_a_server_with_more_than_the_journal_is_told() -> None:
    server = ModelServer()
    first = Table(journal_of(10))
    first.sync(server)
    cut = Table(MemoryJournal(boot="boot", rows=list(first.journal.rows())[:6]))
    batch = cut.batch()
    assert batch is not None
    cut.hear(batch, server.submit(batch))
    assert cut.outbox.progress().trouble == LACKS
    assert cut.outbox.progress().confirmed == 6


def test_a_receipt_beyond_the_journal_begins_from_the_start() -> None:
    server = ModelServer()
    first = Table(journal_of(10))
    first.sync(server)
    proved = first.outbox.proved
    assert proved is not None
    cut = Table(MemoryJournal(boot="boot", rows=list(first.journal.rows())[:6]), Outbox(PEERS, proved, compare(proved, 6, None)))
    assert cut.outbox.progress().trouble == LACKS
    cut.sync(server)
    assert cut.outbox.progress().confirmed == 6


def test_rows_that_cannot_be_read_are_no_rows() -> None:
    table, server = Table(journal_of(4)), ModelServer()
    table.sync(server)
    table.journal.append([Record("turn_ended", "{}", 5)])
    wish = table.outbox.wish(table.at, 5)
    assert wish is not None
    assert wish.after == 4
    batch = table.outbox.batch(wish, [], table.batch() or _moment(), 5)  # type: ignore[arg-type] # nothing else is looked at
    assert (batch.after, batch.rows, batch.pending) == (0, (), 5)


def _moment() -> object:
    from tests.sync.model import NOW

    return NOW


def test_a_kept_receipt_is_held_against_the_journal() -> None:
    rows = list(journal_of(5).rows())
    kept = receipt(rows[0].hash, 5, rows[4].hash)
    assert compare(kept, 5, rows[4].hash) == ""
    assert compare(kept, 4, None) == LACKS
    assert compare(kept, 5, "0" * 64) == ALTERED


# ── What is not believed ─────────────────────────────────────────────────────
Lie = Callable[[Table], SyncAnswer]


def _ours(table: Table, seq: int, **other: str) -> Receipt:
    rows = list(table.journal.rows())
    made = receipt(rows[0].hash, seq, rows[seq - 1].hash)
    from dataclasses import replace

    return replace(made, **other)  # type: ignore[arg-type] # texts only


LIES: dict[str, Lie] = {
    "wants another row than the receipt says": lambda t: SyncAnswer(Verdict.STORED, _ours(t, 6), 3, 0),
    "answers a negative number of orders": lambda t: SyncAnswer(Verdict.STORED, _ours(t, 6), 7, -1),
    "another server": lambda t: said(Verdict.STORED, _ours(t, 6, server="6" * 32)),
    "another table": lambda t: said(Verdict.STORED, _ours(t, 6, device="e" * 32)),
    "another journal": lambda t: said(Verdict.STORED, _ours(t, 6, journal="f" * 64)),
    "stored, and less than all": lambda t: said(Verdict.STORED, _ours(t, 5)),
    "stored, and nothing": lambda _: said(Verdict.STORED, None),
    "a gap that leads forward": lambda t: said(Verdict.GAP, _ours(t, 6)),
    "a gap that stands still": lambda t: said(Verdict.GAP, _ours(t, 4)),
    "a fork without a branch": lambda t: said(Verdict.FORK, _ours(t, 6)),
    "a fork with somebody else's rows": lambda t: said(Verdict.FORK, _ours(t, 6, hash="a" * 64)),
}


@pytest.mark.parametrize("lie", LIES)
def test_an_answer_that_contradicts_the_batch_changes_nothing(lie: str) -> None:
    table, server = Table(journal_of(4)), ModelServer()
    table.sync(server)
    table.journal.append([Record("turn_ended", "{}", 5), Record("turn_ended", "{}", 6)])
    batch = table.batch()
    assert batch is not None
    with pytest.raises(PeerError):
        table.hear(batch, LIES[lie](table))
    table.outbox.failed(table.at, 0.0)
    assert table.outbox.progress().confirmed == 4
    table.at += S
    table.sync(server)
    assert table.outbox.progress().confirmed == 6


def test_a_gap_whose_receipt_is_not_ours_leads_to_the_beginning() -> None:
    table, server = Table(journal_of(4)), ModelServer()
    table.sync(server)
    table.journal.append([Record("turn_ended", "{}", 5)])
    batch = table.batch()
    assert batch is not None
    table.hear(batch, said(Verdict.GAP, _ours(table, 3, hash="b" * 64)))
    assert table.outbox.progress().confirmed == 0
    assert table.outbox.progress().trouble == LOST


def test_a_gap_before_anything_was_proved_is_no_loss() -> None:
    table = Table(journal_of(4))
    rows = list(table.journal.rows())
    table.outbox = Outbox(PEERS, receipt(rows[0].hash, 4, "0" * 64), ALTERED)
    assert table.outbox.progress().confirmed == 0
    table.outbox._proved = None
    table.outbox._confirmed = 2
    batch = table.batch()
    assert batch is not None
    table.hear(batch, said(Verdict.GAP, None))
    assert table.outbox.progress().trouble == ALTERED
    assert table.outbox.progress().confirmed == 0


# ── Answers to orders ────────────────────────────────────────────────────────
def test_answers_go_at_once_and_are_forgotten_when_the_server_has_them() -> None:
    table, server = Table(journal_of(1)), ModelServer()
    table.sync(server)
    assert table.batch() is None
    table.outbox.tell(answer(2))
    table.outbox.tell(answer(1))
    batch = table.batch()
    assert batch is not None
    assert [one.n for one in batch.answers] == [1, 2]
    table.hear(batch, server.submit(batch))
    assert table.outbox.answered_upto == 2
    assert table.batch() is None


def test_an_answer_that_the_server_has_not_taken_up_goes_again_after_a_while() -> None:
    table, server = Table(journal_of(1)), ModelServer()
    table.sync(server)
    table.outbox.tell(answer(7))  # the server misses 1 to 6, and takes up none
    batch = table.batch()
    assert batch is not None
    table.hear(batch, server.submit(batch))
    assert table.batch() is None
    assert table.outbox.deadline(1, pending=False, at=table.at) == table.at + UNHEARD_NS
    table.at += UNHEARD_NS
    batch = table.batch()
    assert batch is not None
    assert [one.n for one in batch.answers] == [7]


def test_that_a_message_was_read_is_sent_under_the_same_number() -> None:
    table, server = Table(journal_of(1)), ModelServer()
    table.outbox.tell(answer(1, read=False))
    batch = table.batch()
    assert batch is not None
    table.outbox.tell(answer(1))  # read while the first answer is under way
    table.hear(batch, server.submit(batch))
    table.sync(server)
    assert [one.read for one in server.heard] == [False, True]


def test_a_batch_has_no_more_answers_than_it_may() -> None:
    table, server = Table(journal_of(1)), ModelServer()
    for n in range(1, MOST_ANSWERS + 4):
        table.outbox.tell(answer(n))
    batch = table.batch()
    assert batch is not None
    assert len(batch.answers) == MOST_ANSWERS
    table.hear(batch, server.submit(batch))
    table.sync(server)
    assert len(server.answers) == MOST_ANSWERS + 3
