"""Faces and matches, kept in step with the facts by a thread of their own: nobody who sends facts waits for it.

    stored (writer's thread) ──► changed ──► a round: read what is new, work it out, write matches and faces in one transaction ──► hub

A round takes whatever has changed since the last one, so that under load many facts become one change of a face. Each journal's table is
kept with the number of the row up to which it was worked out; whatever is not kept any more, or was taken in by another process, is worked
out again from the last match that is on record. After a start it looks for journals that go on behind what was worked out.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import threading
from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, delete, func, insert, or_, select, update

from kiosk.domain.state import Phase
from kiosk.server import result_acts
from kiosk.server.acts import Act
from kiosk.server.audit import A_SHEET
from kiosk.server.clock import SECOND
from kiosk.server.faces import Clocks, face_of
from kiosk.server.history import newest_of, rows_of
from kiosk.server.matches import Changes, Stood, Whose, keep, known, stood
from kiosk.server.replay import OPENING, Replay
from kiosk.server.schema import face, journal, worker
from kiosk.server.schema import match as matches
from kiosk.server.store import StoreUnavailable, hold

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection
    from sqlalchemy import Row as Found

    from kiosk.ports import Row
    from kiosk.server.hub import Hub
    from kiosk.server.store import Store
    from kiosk.server.take import Taken

log = logging.getLogger("tableside")

PAUSE_S = 0.06
"""Between two rounds."""

PAUSE_UNDER_LOAD_S = 0.4
"""The same while tables catch up after an outage: what they send is stored first, then shown."""

LOOK_BACK = 300
"""So many rows before an opening the desk's orders are looked for: while the hall is paused, tables write few."""

MUCH = 1_000
"""So many rows since the last round are a load."""

PAUSE_AFTER_FAULT_S = 2.0
"""Before a round that failed is tried again."""

MOST_ROWS = 2_000
"""A round takes no more rows, so that what is shown does not hold up what is stored."""

MOST_ROWS_UNDER_LOAD = 800
"""The same while tables catch up."""

MOST_KEPT = 3_000
"""So many journals' tables are kept; the one that was not asked for the longest goes."""

DEAD_AFTER = 4
"""A process whose count stands still over so many looks has died."""

LOOK_EVERY_S = 2
"""Between two looks at the other processes; at the most half as much again."""


@dataclass(slots=True)
class _Change:
    """What a round found about one branch."""

    branch: Found[Any]
    stood: list[Stood] = field(default_factory=list)
    """The matches that changed, as they are now."""
    face: str = ""
    """As JSON."""


_ROW = func.substr(face.c.data, 1, 60)
"""What a face begins with: up to which row of which branch it was worked out."""

_FACE = update(face).where(face.c.device == bindparam("key")).values(data=bindparam("new_data"), changed_ns=bindparam("now"))


class Projections:
    """Keeps faces and matches in step with the facts."""

    def __init__(self, store: Store, hub: Hub, now_ns: Callable[[], int]) -> None:
        """Work out nothing yet.

        Args:
            store: Where facts are, and faces go.
            hub: Who is told.
            now_ns: The house's clock.
        """
        self._store, self._hub, self._now_ns = store, hub, now_ns
        self._worker = secrets.token_hex(8)
        self._lock = threading.Condition()
        self._changed: OrderedDict[int, None] = OrderedDict()
        self._present: dict[str, bool] = {}
        self._here: set[str] = set()
        """Devices whose stream is here."""
        self._clocks: dict[str, Clocks] = {}
        self._kept: OrderedDict[int, Replay] = OrderedDict()
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._beats: dict[str, tuple[int, int]] = {}
        """Of each other process, its count and over how many looks it has stood still."""
        self._idle = True
        self._most = MOST_ROWS
        self._came = 0
        """Rows since the last round."""
        self._fresh: dict[int, list[Row]] = {}
        """The same by their branches, where they are few."""

    def start(self) -> None:
        """Catch up with what was stored while nobody worked it out, and go on."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="projections", daemon=True)
                self._thread.start()

    def stored(self, taken: Sequence[Taken]) -> None:
        """These batches are stored; from the writer's thread."""
        with self._lock:
            for each in taken:
                if each.now is not None:
                    self._clocks.setdefault(each.device, Clocks()).note(each.now, each.received_ns)
                if each.journal is not None:
                    self._changed[each.journal] = None
                    self._came += len(each.rows)
                    self._hand_over(each.journal, each.rows)
            self._lock.notify_all()
        for each in taken:
            if each.told:
                self._hub.publish("desk", "orders")
            if each.forked:
                self._hub.publish("desk", "conflicts")

    def _hand_over(self, branch: int, rows: Sequence[Row]) -> None:
        """Keep new rows for the next round, so that they need not be read; not too many."""
        self._fresh.setdefault(branch, []).extend(rows)
        if self._came > MOST_ROWS:
            self._fresh.clear()

    def presence(self, device: str, online: bool) -> None:  # noqa: FBT001 - as the API calls it
        """A device's stream has begun, or ended; from any thread."""
        with self._lock:
            self._present[device] = online
            (self._here.add if online else self._here.discard)(device)
            self._lock.notify_all()

    def settled(self, timeout_s: float) -> bool:
        """Wait until everything that was stored by now is worked out; False: it was not in time."""
        with self._lock:
            return self._lock.wait_for(lambda: self._idle and not self._changed and not self._present, timeout_s)

    def close(self) -> None:
        """Work out what is left, and end: whoever is connected here is not any more."""
        self._stop.set()
        with self._lock:
            self._lock.notify_all()
        if self._thread is not None:
            self._thread.join()

    # ── The thread ───────────────────────────────────────────────────────────
    def _run(self) -> None:
        self._tried(self._first)
        looked = self._now_ns()
        while not self._stop.is_set():
            with self._lock:
                self._lock.wait_for(lambda: self._changed or self._present or self._stop.is_set(), LOOK_EVERY_S / 2)
            if not self._store.is_sqlite and self._now_ns() - looked >= LOOK_EVERY_S * SECOND:
                looked = self._now_ns()
                self._tried(self._look_at_others)
            done = self._tried(self._round)
            loaded = self._loaded()
            self._most = MOST_ROWS_UNDER_LOAD if loaded else MOST_ROWS
            self._stop.wait(PAUSE_AFTER_FAULT_S if not done else PAUSE_UNDER_LOAD_S if loaded else PAUSE_S)
        while self._changed and self._tried(self._round):
            pass
        self._tried(self._last)

    def _loaded(self) -> bool:
        with self._lock:
            came, self._came = self._came, 0
        return came > MUCH

    def _tried(self, what: Callable[[], None]) -> bool:
        try:
            what()
        except StoreUnavailable as error:
            log.error("%s", error)  # noqa: TRY400 - a sentence says it
            return False
        except Exception:
            log.exception("what the tables did could not be worked out")
            return False
        return True

    def _round(self) -> None:
        with self._lock:
            changed, present = list(self._changed), self._present
            fresh, self._fresh = self._fresh, {}
            self._changed.clear()
            self._present = {}
            self._idle = False
        left = changed
        try:
            left = self._work_out(changed, present, fresh)
            present = {}
        except BaseException:
            self._kept.clear()  # they may be ahead of what is on record
            raise
        finally:
            with self._lock:
                self._changed.update(dict.fromkeys(left))
                self._present = {**present, **self._present}
                self._idle = True
                self._lock.notify_all()

    def _work_out(self, changed: list[int], present: dict[str, bool], fresh: dict[int, list[Row]]) -> list[int]:
        """Bring these branches' matches and faces in line; gives those that are left for the next round."""
        changes, left = self._read(changed, fresh) if changed else ([], [])
        if not changes and not present:
            return left
        now_ns, news = self._now_ns(), set[tuple[str, str]]()
        with self._store.write(lasting=False) as connection:  # what a power cut takes back is worked out again
            if changes:
                news |= self._write(connection, changes, now_ns)
            if present:
                self._be_present(connection, present, now_ns)
                news |= {("face", device) for device in present}
        for topic, key in sorted(news):
            self._hub.publish(topic, key)
        return left

    def _read(self, changed: list[int], fresh: dict[int, list[Row]]) -> tuple[list[_Change], list[int]]:
        changes: list[_Change] = []
        rows = 0
        with self._store.read() as connection:
            found = connection.execute(select(journal).where(journal.c.id.in_(changed))).all()
            branches = sorted(found, key=self._behind)  # whoever plays now before those who bring a whole day
            for n, branch in enumerate(branches):
                if rows >= self._most:
                    return changes, [each.id for each in branches[n:]]
                change, count, whole = self._one(connection, branch, self._most - rows, fresh.get(branch.id, []))
                rows += count
                changes.append(change)
                if not whole:
                    return changes, [each.id for each in branches[n:]]
        return changes, []

    def _behind(self, branch: Found[Any]) -> int:
        kept = self._kept.get(branch.id)
        return int(branch.head_seq - (0 if kept is None else kept.seq))

    def _one(self, connection: Connection, branch: Found[Any], most: int, fresh: list[Row]) -> tuple[_Change, int, bool]:
        replay = self._kept.pop(branch.id, None)
        if replay is None:
            replay = Replay() if fresh and fresh[0].seq == 1 else self._anew(connection, branch)
        last = min(branch.head_seq, replay.seq + max(most, 200))
        count = last - replay.seq
        change = _Change(branch)
        if count > 0:
            at_hand = [row for row in fresh if replay.seq < row.seq <= last]
            whole = len(at_hand) == count and at_hand[0].seq == replay.seq + 1
            whose, now_ns = Whose(branch.id, branch.device, self._dated(branch.device)), self._now_ns()
            rows = at_hand if whole else rows_of(connection, branch.id, replay.seq + 1, last)
            change.stood = [stood(whose, played, now_ns) for played in replay.take(rows)]
            replay.seq = last
        with self._lock:
            clocks = self._clocks.setdefault(branch.device, Clocks())
            face = {"row": [branch.id, branch.head_seq], **face_of(replay.now, clocks, replay.hall), "pending": branch.pending}
        change.face = json.dumps(face, ensure_ascii=False)
        self._kept[branch.id] = replay
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return change, count, last >= branch.head_seq

    @staticmethod
    def _anew(connection: Connection, branch: Found[Any]) -> Replay:
        """A branch that is not kept: from the last match on record, else from where it begins."""
        newest = connection.execute(select(func.max(matches.c.first_seq)).where(matches.c.journal == branch.id)).scalar()
        if newest is None and branch.branch:
            newest = newest_of(connection, branch.id, OPENING, branch.forked_at) or branch.forked_at
        anew = Replay(seq=max(0, (newest or 1) - 1))
        if anew.seq:  # a pause that was ordered before the match stands in it
            for row in rows_of(connection, branch.id, max(1, anew.seq - LOOK_BACK), anew.seq):
                anew.note(row)
        return anew

    def _write(self, connection: Connection, changes: Sequence[_Change], now_ns: int) -> set[tuple[str, str]]:
        """Write matches and faces, with as many statements as there are kinds of them, not as there are tables."""
        news = set[tuple[str, str]]()
        every = [each for change in changes for each in change.stood]
        if any(each.values["phase"] in {Phase.SIGNED, Phase.RECEIVED} for each in every):
            hold(connection, "audit")  # a result may take the next match back, and every act of a person begins so too
        ids = Counter(each.ident for each in every)
        kept = Changes(known(connection, ids), counts=ids)
        for each in every:
            told = keep(connection, each, now_ns, kept)
            if told.match:
                news.add(("match", each.ident))
            if told.desk:
                news.add(("desk", "matches"))
        kept.write(connection, now_ns)
        act = Act(connection, A_SHEET, now_ns)
        for branch, first in kept.signed:
            if result_acts.take_sheet(act, branch, first) is not None:
                news.add(("desk", "results"))
        news |= act.touched
        self._put(connection, changes, now_ns)
        return news | {("face", change.branch.device) for change in changes}

    def _dated(self, device: str) -> Callable[[Row, int], int]:
        clocks = self._clocks.setdefault(device, Clocks())

        def dated(row: Row, at: int) -> int:
            offset = clocks.offset(row.boot)
            return at + (row.wall_ns - row.mono_ns if offset is None else offset)

        return dated

    @staticmethod
    def _put(connection: Connection, changes: Sequence[_Change], now_ns: int) -> None:
        wanted = select(face.c.device, _ROW).where(face.c.device.in_([change.branch.device for change in changes]))
        before = {device: _row_of(text) for device, text in connection.execute(wanted)}
        old: dict[str, dict[str, Any]] = {}
        new: dict[str, dict[str, Any]] = {}
        for change in changes:
            branch, had = change.branch, before.get(change.branch.device)
            if had is not None and had[0] == branch.id and had[1] > branch.head_seq:
                continue  # another process was faster
            (new if had is None else old)[branch.device] = {"key": branch.device, "new_data": change.face, "now": now_ns}
        if old:
            connection.execute(_FACE, list(old.values()))
        if new:
            rows = [{"device": row["key"], "data": row["new_data"], "changed_ns": now_ns} for row in new.values()]
            connection.execute(insert(face), rows)

    def _be_present(self, connection: Connection, present: dict[str, bool], now_ns: int) -> None:
        """Write who is connected here, and who is not any more."""
        have = set(connection.execute(select(face.c.device).where(face.c.device.in_(sorted(present)))).scalars())
        here = [device for device, online in present.items() if online]
        gone = [device for device, online in present.items() if not online]
        if have & set(here):
            connection.execute(update(face).where(face.c.device.in_(sorted(have & set(here)))).values(worker=self._worker))
        if new := [device for device in here if device not in have]:
            row = {"data": "{}", "worker": self._worker, "changed_ns": now_ns}
            connection.execute(insert(face), [{"device": device, **row} for device in new])
        if gone:
            connection.execute(update(face).where(face.c.device.in_(gone), face.c.worker == self._worker).values(worker=None))

    # ── Beginning and end, and the other processes ───────────────────────────
    def _first(self) -> None:
        with self._store.write() as connection:
            if self._store.is_sqlite:  # there is one process: whoever was connected to the last one is not
                connection.execute(delete(worker))
                connection.execute(update(face).values(worker=None))
            connection.execute(insert(worker).values(id=self._worker, beat=0))
        with self._store.read() as connection:
            done = select(matches.c.journal, func.max(matches.c.last_seq).label("upto")).group_by(matches.c.journal).subquery()
            behind = (
                select(journal.c.id)
                .outerjoin(done, done.c.journal == journal.c.id)
                .where(or_(and_(done.c.upto.is_(None), journal.c.head_seq > 0), done.c.upto < journal.c.head_seq))
            )
            found = list(connection.execute(behind.order_by(journal.c.id)).scalars())
        with self._lock:
            self._changed.update(dict.fromkeys(found))

    def _last(self) -> None:
        with self._store.write() as connection:
            connection.execute(update(face).where(face.c.worker == self._worker).values(worker=None))
            connection.execute(delete(worker).where(worker.c.id == self._worker))

    def _look_at_others(self) -> None:
        """Say that this process lives, and see which ones do not: whoever was connected to those is offline."""
        with self._store.write() as connection:
            alive = connection.execute(update(worker).where(worker.c.id == self._worker).values(beat=worker.c.beat + 1)).rowcount
            if not alive:  # the others took it for dead
                connection.execute(insert(worker).values(id=self._worker, beat=0))
            for row in connection.execute(select(worker).where(worker.c.id != self._worker)).all():
                beat, stood = self._beats.get(row.id, (row.beat - 1, 0))
                self._beats[row.id] = (row.beat, stood + 1 if row.beat == beat else 0)
            dead = [name for name, (_beat, stood) in self._beats.items() if stood >= DEAD_AFTER]
            gone = list(connection.execute(select(face.c.device).where(face.c.worker.in_(dead))).scalars())
            connection.execute(update(face).where(face.c.worker.in_(dead)).values(worker=None))
            connection.execute(delete(worker).where(worker.c.id.in_(dead)))
        if not alive:
            with self._lock:
                self._present = {**dict.fromkeys(self._here, True), **self._present}
        for name in dead:
            del self._beats[name]
        for device in gone:
            self._hub.publish("face", device)


def _row_of(text: str) -> tuple[int, int]:
    """The branch and the row that a face begins with; zeros where it does not say so."""
    found = re.match(r'\{"row": \[(\d+), (\d+)\]', text)
    return (0, 0) if found is None else (int(found[1]), int(found[2]))
