"""What open pages are told: server-sent events, written once for all who read the same.

    GET /live/board           every table's public face
    GET /live/table/{table}   one table's (an overlay)
    GET /live/match/{match}   the table at which this match is played, and that something of the match has changed
    GET /live/tournament      anybody: that a page of the tournament has changed
    GET /live/desk            referees and organizers: that a page of theirs has changed
    GET /live/several         all of these that one browser's pages read, over one connection: ?of=board&of=table:12&of=match:…&of=desk

A reader first gets the whole (`all`), then what has changed (`some`: of each table only the values that are new; `gone`: tables that
left), at most four times a second; what it missed comes with the whole when it connects again. `changed` says that the page is to be
fetched anew. Every event carries the house's clock, and one comes at least every 1.5 s, so that a page knows when it
has lost its server. `of` says which of them an event belongs to; a sign of life belongs to all.

One task reads the changed faces from the store, whoever and however many read. A reader that cannot keep up is cut off and begins anew.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import select

from kiosk.domain.errors import KioskError
from kiosk.domain.types import NS_PER_MS
from kiosk.say import _
from kiosk.server.addresses import LOOPBACK
from kiosk.server.guard import log
from kiosk.server.problems import Problem
from kiosk.server.public import Face, difference, public_face
from kiosk.server.schema import setting
from kiosk.server.seen import Seen, look
from kiosk.server.store import StoreUnavailable
from kiosk.server.threads import Beside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from kiosk.server.house import House

_Answer = TypeVar("_Answer")

APART_S = 0.25
"""Between the beginnings of two looks at what has changed."""
REST_S = 0.1
"""Between the end of one and the beginning of the next, at least."""
WORD_S = 1.5
"""A reader hears something at least so often."""
PATIENCE_S = 2.0
"""The database may take so long for an answer; then it is taken for gone, for what pages show is old by then."""
BEHIND = 64
"""A reader may be so many events behind."""
MOST, MOST_AT_ONE = 2000, 60
"""So many streams are open at once in one process, and at one address; this machine itself (a proxy) may have them all."""
EVERYTHING = "*"
MOST_CHANNELS = 64
"""One connection reads no more."""
TOURNAMENT = "tournament"
"""The channel of the tournament's pages for anybody."""
TOLD = frozenset({TOURNAMENT, "results", "result_changed", "match_changed", EVERYTHING})
"""What of the desk's changes concerns them."""
LOGIN = "login"
"""The channel of a page of the desk whose login has ended: it is told once to ask anew."""

DESK = ("match", "phase", "online", "call", "flag", "conflict", "paused", "table", "score", "here", "offered")
"""What of a face stands on pages of referees and organizers; its clocks do not."""


class Reader:
    """One open page."""

    def __init__(self, channels: int = 1) -> None:
        """Nothing waits for it.

        Args:
            channels: How many it reads.
        """
        self.events: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.cut = asyncio.Event()
        self._behind = BEHIND * channels

    def give(self, event: bytes) -> None:
        """Let an event wait for it; cut it off where it is too far behind."""
        if self.events.qsize() >= self._behind:
            self.cut.set()
        else:
            self.events.put_nowait(event)

    def end(self) -> None:
        """Let it go once it has had what waits."""
        self.events.put_nowait(None)


class Live:
    """All open pages of this process, and what they were told last."""

    def __init__(self, house: House) -> None:
        """Nobody reads yet.

        Args:
            house: Whose hub and store.
        """
        self._house = house
        self._readers: dict[str, set[Reader]] = {}
        self._task: asyncio.Task[None] | None = None
        self._loaded = asyncio.Event()
        self._full: dict[str, Face] = {}  # by device
        self._faces: dict[str, Face] = {}  # by table, as the public sees them
        self._pause: Face | None = None
        self._run, self._n = secrets.token_hex(4), 0
        self._whole: tuple[int, str] = (-1, "")  # all faces as JSON, written once for all readers
        self._thread = Beside(1)
        self._asked: asyncio.Future[Any] | None = None  # what the database has not answered yet
        self._open: Counter[str] = Counter()  # streams by address

    # ── Readers ──────────────────────────────────────────────────────────────
    async def join(self, *channels: str) -> Reader:
        """Begin to read channels: the whole of each waits first."""
        reader = Reader(len(channels))
        if self._task is None or self._task.done():
            self._loaded.clear()
            self._task = asyncio.create_task(self._produce())
        for channel in channels:
            self._readers.setdefault(channel, set()).add(reader)
        await self._loaded.wait()
        if reader.events.empty():
            for channel in channels:
                reader.give(self._snapshot(channel))
        return reader

    def leave(self, channel: str, reader: Reader) -> None:
        """Read no more."""
        readers = self._readers.get(channel, set())
        readers.discard(reader)
        if not readers:
            self._readers.pop(channel, None)
        if not self._readers and self._task is not None:
            self._task.cancel()
            self._task = None

    def check_room(self, address: str) -> None:
        """Whether one more stream may be open.

        Args:
            address: Whose.

        Raises:
            Problem: There are as many as there may be, at this address or in all.
        """
        if self._open.total() >= MOST:
            raise Problem(503, _("As many pages are live as this server can keep so; this one asks again by itself."), retry_s=5)
        if address not in LOOPBACK and self._open[address] >= MOST_AT_ONE:
            raise Problem(429, _("Too many live pages are open at this address; close some of them."), retry_s=5)

    @contextmanager
    def counted(self, address: str) -> Iterator[None]:
        """Count an open stream, while the block lasts."""
        self._open[address] += 1
        try:
            yield
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]

    # ── The one producer ─────────────────────────────────────────────────────
    async def _produce(self) -> None:
        try:
            async with self._house.hub.subscribe("face", "desk", "orders", "match", "pause") as changes:
                self._take(await self._look(None), whole=True)
                self._n += 1
                self._loaded.set()
                for channel in list(self._readers):
                    self._tell(channel, self._snapshot(channel))
                await self._follow(changes)
        except KioskError as error:
            log.error("Open pages cannot be told what changes; they will ask again. %s", error)
            self._tell_all(self._event("stale", {}))
        except Exception:  # noqa: BLE001 - whatever it was, it is logged, and the pages connect again
            log.exception("Open pages cannot be told what changes; they will ask again.")
        finally:
            if self._task is asyncio.current_task():  # else the last reader has left, and perhaps a new one has come
                self._loaded.set()
                for reader in [reader for readers in self._readers.values() for reader in readers]:
                    reader.end()

    async def _follow(self, changes: Any) -> None:  # noqa: ANN401 - a subscription of the hub
        clock = asyncio.get_running_loop().time
        waiting: asyncio.Task[set[tuple[str, str]]] = asyncio.ensure_future(anext(changes))
        try:
            while True:
                done, _left = await asyncio.wait({waiting}, timeout=WORD_S)
                if not done:
                    await self._beside(self._alive)  # whoever hears a word may take what is shown for true
                    self._tell_all(self._event("tick", {}))
                    continue
                try:
                    changed = waiting.result()
                except StopAsyncIteration:
                    return
                waiting = asyncio.ensure_future(anext(changes))
                began = clock()
                await self._changed(changed)
                await asyncio.sleep(max(REST_S, APART_S - (clock() - began)))
        finally:
            waiting.cancel()

    async def _changed(self, changed: set[tuple[str, str]]) -> None:
        devices = {key for topic, key in changed if topic == "face"}
        everything = EVERYTHING in devices
        moved, pause_before, before = set[str](), self._pause, dict(self._faces)
        if devices or any(topic == "pause" for topic, _ in changed):
            moved = self._take(await self._look(None if everything else devices), whole=everything)
        some = [difference(before.get(table, {}), face) for table, face in self._faces.items() if before.get(table) != face]
        gone = [table for table in before if table not in self._faces]
        if some or gone or self._pause != pause_before:
            self._n += 1
            self._tell_changes(some, gone)
        matches = {key for topic, key in changed if topic == "match"}
        for channel in [name for name in self._readers if name.startswith("match:")]:
            if channel.removeprefix("match:") in matches or EVERYTHING in matches:
                self._tell(channel, self._event("changed", {"of": channel}))
        if moved or any(topic in {"desk", "orders", "match", "pause"} for topic, _ in changed):
            self._tell("desk", self._event("changed", {"of": "desk"}))
        if any(topic == "desk" and key in TOLD for topic, key in changed):
            self._tell(TOURNAMENT, self._event("changed", {"of": TOURNAMENT}))

    def _alive(self) -> None:
        """Whether what has changed could be seen at all.

        Raises:
            StoreUnavailable: The database is gone.
        """
        with self._house.store.read() as connection:
            connection.execute(select(setting.c.name).limit(1)).all()

    async def _look(self, devices: set[str] | None) -> Seen:
        return await self._beside(lambda: look(self._house, devices))

    async def _beside(self, what: Callable[[], _Answer]) -> _Answer:
        """Ask the database beside the loop, with patience; one that is silent is asked nothing more before it has answered.

        Raises:
            StoreUnavailable: It has not answered in time.
        """
        silent = _("The database does not answer.")
        if self._asked is not None and not self._asked.done():
            raise StoreUnavailable(silent)
        self._asked = asked = asyncio.ensure_future(self._thread.run(what))
        asked.add_done_callback(_heard_out)
        done, _left = await asyncio.wait({asked}, timeout=PATIENCE_S)
        if not done:
            raise StoreUnavailable(silent)
        return asked.result()

    def _take(self, seen: Seen, *, whole: bool) -> set[str]:
        """Keep what was seen.

        Returns:
            The devices of which something has changed that stands on a referee's page.
        """
        new = {face["device"]: face for face in seen.faces}
        old = self._full if whole else {device: self._full[device] for device in seen.asked if device in self._full}
        moved = {d for d in {*old, *new} if _on_desk(old.get(d)) != _on_desk(new.get(d))}
        for device in old.keys() - new.keys():
            del self._full[device]
        self._full = new if whole else {**self._full, **new}
        self._faces = {face["table"]: public_face(face) for face in self._full.values()} if whole else self._renewed(old, new)
        self._pause = seen.pause
        return moved

    def _renewed(self, old: dict[str, Face], new: dict[str, Face]) -> dict[str, Face]:
        left = {face["table"] for face in old.values()} - {face["table"] for face in new.values()}
        kept = {table: face for table, face in self._faces.items() if table not in left}
        return {**kept, **{face["table"]: public_face(face) for face in new.values()}}

    # ── Events ───────────────────────────────────────────────────────────────
    def _tell_changes(self, some: list[Face], gone: list[str]) -> None:
        for channel in list(self._readers):
            mine = [face for face in some if self._concerns(channel, face["table"])]
            if channel == "board" or (channel.startswith("table:") and (mine or channel.removeprefix("table:") in gone)):
                self._tell(channel, self._event("some", {"of": channel, "faces": mine, "gone": gone, "pause": self._pause}))
            elif channel.startswith("match:") and mine:
                self._tell(channel, self._snapshot(channel))

    def _concerns(self, channel: str, table: str) -> bool:
        kind, _, key = channel.partition(":")
        return kind == "board" or (kind == "table" and key == table) or (kind == "match" and self._faces[table]["match"] == key)

    def _snapshot(self, channel: str) -> bytes:
        if channel == LOGIN:
            return self._event("changed", {"of": "desk"})
        if channel != "board":
            faces = (
                [] if channel in {"desk", TOURNAMENT} else [face for table, face in self._faces.items() if self._concerns(channel, table)]
            )
            return self._event("all", {"of": channel, "faces": faces, "pause": self._pause})
        if self._whole[0] != self._n:
            self._whole = (self._n, _json({"of": channel, "faces": list(self._faces.values()), "pause": self._pause}))
        return self._written("all", self._whole[1])

    def _event(self, kind: str, data: dict[str, object]) -> bytes:
        return self._written(kind, _json(data))

    def _written(self, kind: str, text: str) -> bytes:
        now_ms = self._house.now_ns() // NS_PER_MS
        return f'id: {self._run}-{self._n}\nevent: {kind}\ndata: {{"now_ms":{now_ms}{"," if text != "{}" else ""}{text[1:]}\n\n'.encode()

    def _tell(self, channel: str, event: bytes) -> None:
        for reader in tuple(self._readers.get(channel, ())):
            reader.give(event)

    def _tell_all(self, event: bytes) -> None:
        for reader in {reader for readers in self._readers.values() for reader in readers}:
            reader.give(event)


def _heard_out(asked: asyncio.Future[Any]) -> None:
    """Look at how an answer ended for which nobody waits any more, or nobody ever looks at it."""
    if not asked.cancelled():
        asked.exception()


def _json(data: dict[str, object]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _on_desk(face: Face | None) -> list[object] | None:
    return None if face is None else [face.get(name) for name in DESK]
