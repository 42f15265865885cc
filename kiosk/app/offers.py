"""The organizer's matches that this table offers next: kept in a file beside the journal, so that a restart forgets none.

The file is small and written seldom (a few times a round), whole and safely, on a thread beside the loop: a slow card delays no frame. A
change counts at once, and every change has a number; an order is answered once `settled` says of its number that it outlasts a power cut.
Each writing holds everything up to its change, so that a newer one makes an older one needless. Where the newest cannot be written, all
changes since the last that was are taken back, and their orders are refused; a match that was opened meanwhile stays opened.

A match's start is an instant of this boot; the file has the date beside it, by which it is found again after a restart, where both dates
are trusted. Else it is not known any more, and nothing but the prompt for who is late depends on it.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from kiosk import codec
from kiosk.app import kept
from kiosk.app.logs import log
from kiosk.domain.errors import CommandRefused, KioskError, PeerError, Refusal
from kiosk.domain.rulebook import Method, Provide
from kiosk.domain.setup import LONGEST_TEXT, Options, bad_value, resolve
from kiosk.domain.state import Place
from kiosk.domain.text import seen
from kiosk.domain.types import NS_PER_MS, Instant, Pair, Span
from kiosk.ports import Offer
from kiosk.sync.wire import AssignMatch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from kiosk.books import Library

FILE = "offers.json"
MOST = 20
"""So many matches wait for one table; more are refused."""
MOST_OPENED = 200
"""So many opened matches are remembered, so that an order that comes twice offers none of them again."""


class OffersUnavailable(KioskError, OSError):
    """The world failed: what the organizer assigned cannot be kept on this table's disk."""


@dataclass(frozen=True, slots=True)
class _Kept:
    order: AssignMatch
    start: Instant | None
    """On this boot's clock."""
    start_wall_ns: int | None
    """The date of it; None where the date was not trusted."""


@dataclass(frozen=True, slots=True)
class _Written:
    """What became of a writing."""

    change: int
    kept: Mapping[str, _Kept]
    fault: OffersUnavailable | None


def _at_once(job: Callable[[], None]) -> None:
    job()


class Offers:
    """What is offered; all but the writing belongs to the loop."""

    def __init__(
        self,
        folder: Path,
        library: Library,
        boot: str,
        date: Callable[[], tuple[int, bool]],
        now: int,
        *,
        beside: Callable[[Callable[[], None]], object] = _at_once,
    ) -> None:
        """Take up what was kept; a file that cannot be read offers nothing, and is said in the log.

        Args:
            folder: The data folder.
            library: The rulebooks that this table knows.
            boot: This boot's id.
            date: The system's date in nanoseconds since 1970, and whether it was set.
            now: Nanoseconds of the monotonic clock.
            beside: Does a writing, on one other thread, in their order; by default here and now.
        """
        self._beside = beside
        self._written: SimpleQueue[_Written] = SimpleQueue()
        self._safe: tuple[int, Mapping[str, _Kept]] = (0, {})
        """The last change that is on disk, and what is offered by it."""
        self._lost: tuple[int, OffersUnavailable] | None = None
        """Up to which change they are lost behind the last safe one, and why."""
        self._path = folder / FILE
        self._library = library
        self._boot = boot
        self._date = date
        self._kept: dict[str, _Kept] = {}
        self._opened: dict[str, int] = {}
        self.count = 0
        """Goes up with every change."""
        self._told: tuple[int, str] | None = None
        self._shown: tuple[Offer, ...] = ()
        self._load(now)
        self._safe = (0, self._kept)

    # ── Questions ────────────────────────────────────────────────────────────
    def all(self, table: str) -> tuple[Offer, ...]:
        """Every offered match, the next one first: by its start, then as they were assigned; one whose rulebook is gone is left out.

        Args:
            table: What this table is called.
        """
        if self._told == (self.count, table):
            return self._shown
        found = []
        for one in sorted(self._kept.values(), key=_when):
            try:
                found.append(self._offer(one, table))
            except KioskError as error:
                log.warning("The match %s is not offered: %s", one.order.match, error)
        self._told, self._shown = (self.count, table), tuple(found)
        return self._shown

    # ── Orders ───────────────────────────────────────────────────────────────
    def assign(self, order: AssignMatch, at: Instant, table: str) -> None:
        """Offer a match, or a newer version of it; an older version changes nothing.

        Raises:
            KioskError: It cannot be played here.
        """
        if order.version <= self._opened.get(order.match, -1):
            return
        if order.match in self._opened:
            raise CommandRefused(Refusal.MATCH_OVER, "This match was opened at the table as it was agreed before; it goes on like that.")
        known = self._kept.get(order.match)
        if known is not None and order.version < known.order.version:
            return
        if known is None and len(self._kept) >= MOST:
            raise bad_value("{n} matches wait at this table already.", n=len(self._kept))
        _check(order)
        start = _start(order.starts_in_ms, at)
        fresh = _Kept(order, start, self._dated(start, at))
        self._offer(fresh, table)
        self._change({**self._kept, order.match: fresh})

    def withdraw(self, match: str) -> None:
        """Offer a match no more."""
        if match in self._kept:
            self._change({key: value for key, value in self._kept.items() if key != match})

    def delay(self, match: str, starts_in_ms: int | None, at: Instant) -> bool:
        """Another start of an offered match.

        Returns:
            Whether it is offered here.
        """
        known = self._kept.get(match)
        if known is None:
            return False
        start = _start(starts_in_ms, at)
        self._change({**self._kept, match: replace(known, start=start, start_wall_ns=self._dated(start, at))})
        return True

    def opened(self, match: str) -> None:
        """A match was opened: it is offered no more; where the disk cannot take that, once more after a restart."""
        known = self._kept.get(match)
        if known is None:
            return
        fresh = {key: value for key, value in self._kept.items() if key != match}
        self._opened[match] = known.order.version
        while len(self._opened) > MOST_OPENED:
            self._opened.pop(next(iter(self._opened)))
        self._change(fresh)

    def settled(self, change: int) -> OffersUnavailable | bool:
        """Whether a change outlasts a power cut.

        Args:
            change: What `count` was right after it; they are asked about in their order.

        Returns:
            True: it does; False: that is not known yet; else it is taken back, and why.
        """
        while not self._written.empty():
            self._learn(self._written.get_nowait())
        if change <= self._safe[0]:
            return True
        return self._lost[1] if self._lost is not None and change <= self._lost[0] else False

    def _learn(self, done: _Written) -> None:
        if done.fault is None:
            self._safe = (done.change, done.kept)
        elif done.change == self.count:  # else a newer one is being written, with this one in it
            self._lost = (done.change, done.fault)
            self._kept = {match: one for match, one in self._safe[1].items() if match not in self._opened}
            self.count += 1

    # ── The file ─────────────────────────────────────────────────────────────
    def _dated(self, start: Instant | None, at: Instant) -> int | None:
        wall, trusted = self._date()
        return None if start is None or not trusted else wall + start - at

    def _offer(self, one: _Kept, table: str) -> Offer:
        order = one.order
        setup = resolve(self._library.load(order.rulebook), _options(order, one.start))
        return Offer(order.match, order.version, setup, Place(order.event, order.round, table, order.practice))

    def _change(self, fresh: dict[str, _Kept]) -> None:
        self._kept = fresh
        self.count += 1
        self._beside(partial(self._write, self.count, fresh, dict(self._opened)))

    def _write(self, change: int, fresh: Mapping[str, _Kept], opened: Mapping[str, int]) -> None:
        """Keep what a change led to, unless a newer one waits already; on the other thread."""
        if change != self.count:
            return
        fault = None
        try:
            self._keep(fresh, opened)
        except OffersUnavailable as error:
            log.error("%s", error)
            fault = error
        self._written.put(_Written(change, fresh, fault))

    def _keep(self, fresh: Mapping[str, _Kept], opened: Mapping[str, int]) -> None:
        offers = [{"order": codec.to_plain(one.order), "start": one.start, "start_wall_ns": one.start_wall_ns} for one in fresh.values()]
        plain = {"tableside_offers": 1, "boot": self._boot, "offers": offers, "opened": opened}
        try:
            kept.write(self._path, json.dumps(plain, ensure_ascii=False, indent=1) + "\n")
        except OSError as error:
            why = error.strerror or error
            raise OffersUnavailable(f"{self._path}: what the organizer assigned cannot be kept ({why}); look at the disk.") from error

    def _load(self, now: int) -> None:
        try:
            plain = json.loads(kept.read(self._path))
            offers = [self._taken_up(one, plain["boot"], now) for one in plain["offers"]][:MOST]
            opened = {str(match): int(version) for match, version in plain["opened"].items()}
        except FileNotFoundError:
            return
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            log.warning("%s cannot be read (%s); the organizer's matches are offered again when the server is reached.", self._path, error)
            return
        self._kept, self._opened = {one.order.match: one for one in offers}, opened

    def _taken_up(self, plain: Any, boot: str, now: int) -> _Kept:  # noqa: ANN401 - what JSON holds
        order = codec.from_plain(AssignMatch, plain["order"])
        start, dated = plain["start"], plain["start_wall_ns"]
        if boot != self._boot and start is not None:
            wall, trusted = self._date()
            start = now + dated - wall if dated is not None and trusted else None
        return _Kept(order, None if start is None else Instant(max(0, int(start))), dated)


def _when(one: _Kept) -> tuple[bool, int]:
    return (one.start is None, one.start or 0)


def _start(starts_in_ms: int | None, at: Instant) -> Instant | None:
    if starts_in_ms is None:
        return None
    if abs(starts_in_ms) > 10 * 366 * 86_400_000:
        raise bad_value("A round begins within ten years, or has begun within the last ten.")
    return Instant(max(0, at + starts_in_ms * NS_PER_MS))


def _check(order: AssignMatch) -> None:
    if not re.fullmatch(r"[0-9A-Za-z_-]{1,64}", order.match):
        raise PeerError("The match's id is none.")
    for text in (order.event, order.round):
        if len(text) > LONGEST_TEXT or not seen(text):
            raise bad_value("Event and round are lines of at most {longest} characters that can be seen.", longest=LONGEST_TEXT)


def _options(order: AssignMatch, start: Instant | None) -> Options:
    try:
        method = None if order.method is None else Method(order.method)
        provide = None if order.provide is None else Provide(order.provide)
    except ValueError as error:
        raise bad_value("This table does not know the clock's method or what a match provides as the organizer has set it.") from error
    reserve = order.reserve_ms
    return Options(
        length=order.length,
        players=order.players,
        reserve=None if reserve is None else Pair(Span(reserve.left * NS_PER_MS), Span(reserve.right * NS_PER_MS)),
        delay=None if order.delay_ms is None else Span(order.delay_ms * NS_PER_MS),
        method=method,
        provide=provide,
        round_start=start,
    )
