"""What a table sends when: decided purely, from what is accepted, what was answered, and the instant.

Nothing is queued here. The journal on disk is the queue; the outbox only knows up to which row the server has everything (`confirmed`),
and asks for the rows behind it when they are to be sent. So an outage of ten minutes or of a day costs no memory, and what is sent
afterwards is what stands in the journal, in its order.

    wish(at, accepted)    → what is to be sent now: rows behind which one, which answers; None: nothing now, look again at `deadline`
    batch(wish, rows, …)  → the rows as a batch, cut so that it stays small
    answered(answer, …)   → what the server said about it
    failed(at, why, …)    → no answer came, or none that makes sense; the same is tried again after a growing pause

A receipt says that the server has everything up to a row *with this hash*. It only counts where this journal's own row has that hash too.
What else a server can say, and what is made of it:

| verdict | receipt | what happens |
|---|---|---|
| stored | the batch's last row, or a later one of ours | confirmed up to there |
| stored | a row beyond our journal's end, or another hash | the batch is confirmed; the server has more than this journal (`LACKS`): told |
| gap | an earlier row of ours, or none | go on from there; if it was confirmed before, the server has lost entries (`LOST`): told |
| gap | something that is not ours | go on from the very beginning |
| fork | the batch's last row, on a branch | confirmed up to there, along our own branch; told (`FORKED`) |
| anything | that contradicts the batch | nothing is believed; tried again later |

A gap never leads forward, so that no server can have a table run in circles without a pause.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, assert_never

from kiosk.chain import START
from kiosk.domain.errors import PeerError
from kiosk.domain.types import NS_PER_MS, NS_PER_S
from kiosk.say import mark
from kiosk.sync.wire import LARGEST, MOST_ANSWERS, MOST_ROWS, Batch, Moment, OrderAnswer, Receipt, SyncAnswer, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from kiosk.ports import Row

WEIGHT = LARGEST // 4
"""A batch's rows have no more bytes together, unless it is a single row: on a bad network something small gets through sooner."""

ROW_OVERHEAD = 200
"""Bytes that a row has beside its texts."""

FIRST_PAUSE_NS = NS_PER_S // 2
LONGEST_PAUSE_NS = 15 * NS_PER_S
"""Between two tries: doubled each time, and of that a random half."""

GAP_PAUSE_NS = NS_PER_S
"""After a gap; a server that names one after another is not served faster."""

CHECK_NS = 30 * NS_PER_S
"""With nothing to send, this often both ends compare what they have."""

UNHEARD_NS = 5 * NS_PER_S
"""An answer to an order that the server has not taken up is sent again after this."""

DISK_NS = 20 * NS_PER_MS
"""While rows are on their way to the disk, they are looked for this often."""

LOST = mark("The server had lost entries; they are being sent again.")
LACKS = mark("The server has entries that this table's journal lacks; tell the organizer.")
FORKED = mark("This table's journal and the server's copy part; both are kept. Tell the organizer.")
ALTERED = mark("This table's journal is not what the server had confirmed; tell the organizer.")


class Backoff:
    """A growing pause with jitter: two hundred tables do not all come back in the same instant."""

    def __init__(self) -> None:
        """Begin with the shortest pause."""
        self._next = FIRST_PAUSE_NS

    def pause(self, chance: float) -> int:
        """The next pause in nanoseconds.

        Args:
            chance: A random number from 0 to 1.
        """
        whole = self._next
        self._next = min(2 * whole, LONGEST_PAUSE_NS)
        return whole // 2 + int(chance * (whole // 2))

    def reset(self) -> None:
        """It works again."""
        self._next = FIRST_PAUSE_NS


@dataclass(frozen=True, slots=True)
class Peers:
    """Who talks to whom."""

    server: str
    """The server's id."""
    device: str
    """The table's."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be sent now."""

    after: int
    """Rows behind this one."""
    answers: tuple[OrderAnswer, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far it is."""

    confirmed: int
    """The server has everything up to this row."""
    trouble: str
    """What must be told, a text of the catalogue; or empty."""


class Outbox:
    """One table's outbox for one journal. It is nobody's thread: whoever calls takes care of one call at a time."""

    def __init__(self, peers: Peers, proved: Receipt | None = None, trouble: str = "") -> None:
        """Take up what is known.

        Args:
            peers: Whose receipts count.
            proved: The newest receipt that was kept for this journal.
            trouble: What comparing it with the journal has found, see `compare`.
        """
        self._peers = peers
        self._journal = "" if proved is None else proved.journal
        self._proved = proved
        self._confirmed = 0 if proved is None or trouble else proved.seq
        self._trouble = trouble
        self._answers: dict[int, OrderAnswer] = {}
        self._unheard_until = 0
        self._answered = 0
        self._backoff = Backoff()
        self._not_before = 0
        self._check_at = 0
        self._flying = False
        self._lost_upto = 0
        self._known = False

    # ── What it knows ────────────────────────────────────────────────────────
    @property
    def proved(self) -> Receipt | None:
        """The newest receipt: it proves all earlier ones."""
        return self._proved

    @property
    def answered_upto(self) -> int:
        """Up to this number the server has all answers to its orders, by its own last word."""
        return self._answered

    def progress(self) -> Progress:
        """How far it is, and what must be told."""
        return Progress(self._confirmed, self._trouble)

    # ── What comes in ────────────────────────────────────────────────────────
    def tell(self, answer: OrderAnswer) -> None:
        """An order was done or refused; that a message was read comes later, under the same number, and replaces that it was shown."""
        self._answers[answer.n] = answer
        self._unheard_until = 0

    def parted(self, *, known: bool) -> None:
        """Somebody knows, or nobody yet, that this journal and the server's copy part.

        Args:
            known: It is told no more; that the server has more than the journal is told again when the server says so again.
        """
        self._known = known
        if known and self._trouble in {FORKED, LACKS, ALTERED}:
            self._trouble = ""

    def reached(self, at: int) -> None:
        """The server is there again: whatever waits goes at once, and both ends compare what they have.

        Args:
            at: Nanoseconds of the monotonic clock.
        """
        self._backoff.reset()
        self._not_before = self._check_at = at

    # ── What goes out ────────────────────────────────────────────────────────
    def wish(self, at: int, accepted: int) -> Wish | None:
        """What is to be sent now.

        Args:
            at: Nanoseconds of the monotonic clock.
            accepted: The highest row that is safely in the journal.

        Returns:
            None where nothing is to be sent now.
        """
        if self._flying or at < self._not_before or at < self._due(accepted):
            return None
        self._flying = True
        first = sorted(self._answers)[:MOST_ANSWERS]
        return Wish(min(self._confirmed, accepted), tuple(self._answers[n] for n in first))

    def deadline(self, accepted: int, *, pending: bool, at: int) -> int | None:
        """When `wish` is to be asked next, in nanoseconds of the monotonic clock; None while an answer is awaited.

        Args:
            accepted: As for `wish`.
            pending: Whether rows are on their way to the disk.
            at: Now.
        """
        if self._flying:
            return None
        due = max(self._not_before, self._due(accepted))
        return min(due, at + DISK_NS) if pending else due

    def _due(self, accepted: int) -> int:
        if accepted > self._confirmed:
            return 0
        return min(self._check_at, self._unheard_until) if self._answers else self._check_at

    def batch(self, wish: Wish, rows: Iterable[Row], now: Moment, accepted: int) -> Batch:
        """A wish as a batch.

        Args:
            wish: What is to be sent.
            rows: The journal's rows from number `after` itself on, from 1 on where that is 0; no more of them are taken than it can have.
            now: The table's clocks.
            accepted: As for `wish`.
        """
        coming = iter(rows)
        before = next(coming, None) if wish.after else None
        behind = () if wish.after and before is None else _light(coming)
        if not wish.after and behind:
            self._journal = behind[0].hash
        prev = START if before is None else before.hash
        after = wish.after if before is not None else 0
        return Batch(self._journal, after, prev, behind, wish.answers, now, max(0, accepted - after - len(behind)))

    # ── What comes back ──────────────────────────────────────────────────────
    def failed(self, at: int, chance: float, least_ns: int = 0) -> None:
        """No answer came, or none that makes sense: the same is tried again after a pause.

        Args:
            at: Nanoseconds of the monotonic clock.
            chance: A random number from 0 to 1.
            least_ns: The server has asked for a pause of at least this long; it is granted up to the longest one.
        """
        self._flying = False
        self._not_before = at + max(self._backoff.pause(chance), min(least_ns, LONGEST_PAUSE_NS))

    def answered(self, batch: Batch, answer: SyncAnswer, ours: Callable[[int], str | None], at: int) -> None:
        """The server answered.

        Args:
            batch: What was sent.
            answer: What it said.
            ours: The hash of this journal's own row of a number, or None where there is none.
            at: Nanoseconds of the monotonic clock.

        Raises:
            PeerError: It contradicts itself or the batch; nothing of it was believed. `failed` is to be called.
        """
        receipt = answer.receipt
        self._check(batch, answer)
        end = batch.after + len(batch.rows)
        mine = receipt is None or ours(receipt.seq) == receipt.hash
        match answer.verdict:
            case Verdict.GAP:
                self._step_back(batch, receipt if mine else None, at)
            case Verdict.STORED:
                self._go_on(receipt, end, mine=mine)
            case Verdict.FORK:
                if receipt is None or not mine or not receipt.branch:
                    raise PeerError("The server speaks of a fork and has no branch for it.")
                self._go_on(receipt, end, mine=True)
            case _:
                assert_never(answer.verdict)
        self._flying = False
        self._check_at = at + CHECK_NS
        self._forget_answers(batch.answers, answer.answered, at)

    def _check(self, batch: Batch, answer: SyncAnswer) -> None:
        receipt = answer.receipt
        seq = 0 if receipt is None else receipt.seq
        if answer.want != seq + 1 or answer.answered < 0:
            raise PeerError("The server's answer contradicts itself.")
        if receipt is not None and (receipt.server, receipt.device, receipt.journal) != (*_both(self._peers), batch.journal):
            raise PeerError("The server's receipt is for somebody else.")
        end = batch.after + len(batch.rows)
        if answer.verdict is Verdict.GAP and seq >= batch.after:
            raise PeerError("The server misses what it says that it has.")
        if answer.verdict is not Verdict.GAP and seq < end:
            raise PeerError("The server has taken a batch, and has not all of it.")

    def _step_back(self, batch: Batch, receipt: Receipt | None, at: int) -> None:
        """The server lacks rows before the batch: go on from the last one that it and we both have."""
        self._confirmed = 0 if receipt is None else receipt.seq
        if self._proved is not None and self._confirmed < self._proved.seq:
            self._lost_upto = max(self._lost_upto, min(self._proved.seq, batch.after))
            self._trouble = self._trouble or LOST
        self._not_before = at + GAP_PAUSE_NS

    def _go_on(self, receipt: Receipt | None, end: int, *, mine: bool) -> None:
        self._backoff.reset()
        if receipt is None:  # no journal yet, on either end
            return
        self._confirmed = receipt.seq if mine else end
        if mine:
            self._proved = receipt
        if not mine:
            self._trouble = LACKS
        elif receipt.branch and not self._known:
            self._trouble = FORKED
        elif self._trouble == LOST and self._confirmed >= self._lost_upto:
            self._trouble = ""

    def _forget_answers(self, sent: Sequence[OrderAnswer], upto: int, at: int) -> None:
        self._answered = upto
        for answer in sent:
            if answer.n <= upto and self._answers.get(answer.n) == answer:
                del self._answers[answer.n]
        unheard = any(self._answers.get(answer.n) == answer for answer in sent)
        self._unheard_until = at + UNHEARD_NS if unheard else 0


def compare(receipt: Receipt, accepted: int, ours: str | None) -> str:
    """What a kept receipt says about the journal as it stands: nothing, or a text of the catalogue.

    Args:
        receipt: The newest receipt for it.
        accepted: How many rows the journal has.
        ours: The hash of its row of the receipt's number, or None.
    """
    if receipt.seq > accepted:
        return LACKS
    return "" if ours == receipt.hash else ALTERED


def _both(peers: Peers) -> tuple[str, str]:
    return peers.server, peers.device


def _light(rows: Iterable[Row]) -> tuple[Row, ...]:
    """As many rows as a batch may have: the first always, then as long as it stays small."""
    taken: list[Row] = []
    weight = 0
    for row in rows:
        weight += len(row.data.encode()) + row.data.count('"') + ROW_OVERHEAD  # a quotation mark is escaped on its way
        if taken and (weight > WEIGHT or len(taken) == MOST_ROWS):
            break
        taken.append(row)
    return tuple(taken)
