"""Lamps and sounder of a running table: a part of the loop that hands over what `kiosk.session` has decided.

Each works on a thread of its own, and the loop never waits for it. A part that fails or hangs is told once as a notice and an alert, and
tried again with every change, lamps at the latest after two seconds; that it works again is told too. The clock knows nothing of it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from hardware import Notice
from kiosk.app.beside import Beside
from kiosk.domain.types import Instant, Pair, Side, seconds
from kiosk.ports import Sound
from kiosk.session import heard, lamps, next_light, next_second, second_between

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kiosk.app.table import RunningTable
    from kiosk.domain.facts import Fact
    from kiosk.domain.state import Table
    from kiosk.ports import Lamps, Note, Sounder, Volumes
    from kiosk.session import Snapshot

T = TypeVar("T")

TUNES: Mapping[Sound, tuple[Note, ...]] = {
    Sound.PRESS: ((1760, 45),),
    Sound.ALERT: ((880, 120), (0, 60), (880, 120), (0, 60), (1175, 220)),
    Sound.LAST_SECONDS: ((1319, 30),),
    Sound.FLAG: ((1047, 150), (784, 150), (523, 400)),
}
"""What each sounds like."""

ORDER = (Sound.FLAG, Sound.ALERT, Sound.PRESS, Sound.LAST_SECONDS)
"""What is heard first where several things happen in one turn of the loop."""

TOO_LATE = seconds(1)
"""A sound that comes later than this would tell of the past."""

AGAIN = seconds(2)
"""How long after a fault it is tried again, when nothing has changed in between."""

PEACE = seconds(60)
"""A part that fails and works by turns is told no more often than this."""

TRIED = seconds(1.5)
"""How long a lamp shines in a trial."""

KEPT = 20
"""So many of the last sounds can be looked up."""


@dataclass(frozen=True, slots=True)
class Played:
    """A sound that was heard."""

    sound: Sound
    volume: int
    at: Instant
    """When it happened that it tells of."""


class Hearing:
    """Listens to a session for what is to be heard."""

    def __init__(self) -> None:
        """Nothing was heard yet."""
        self._ran: tuple[Side, ...] = ()
        self._sounds: deque[tuple[Sound, Instant]] = deque(maxlen=100)

    def hear(self, fact: Fact, table: Table) -> None:
        """Something happened."""
        sound = heard(fact, self._ran, table)
        self._ran = () if table.clock is None else table.clock.running
        if sound is not None:
            self._sounds.append((sound, fact.at))

    def take(self) -> dict[Sound, Instant]:
        """What was to be heard since the last call, each with its latest instant."""
        sounds = dict(self._sounds)
        self._sounds.clear()
        return sounds


class _Watched(Generic[T]):
    """What is done beside the loop, and whether people know how it goes."""

    def __init__(self, code: str, name: str, beside: Beside[T]) -> None:
        """Watch it from now on.

        Args:
            code: What its notices' codes begin with.
            name: What it is called in a sentence.
            beside: Does it.
        """
        self._code = code
        self._name = name
        self._put_at = 0
        self._told = ""
        self._told_at: int | None = None
        self.beside = beside

    def put(self, thing: T, now: int) -> None:
        """Have a thing done."""
        self._put_at = now
        self.beside.put(thing, now)

    def wants_again(self, now: int) -> bool:
        """Whether what failed is to be tried again, though nothing has changed."""
        return now - self._put_at >= AGAIN and bool(self.beside.fault(now))

    def news(self, now: int) -> Notice | None:
        """What people do not know yet."""
        fault = self.beside.fault(now)
        if bool(fault) is bool(self._told):
            return None
        if fault and self._told_at is not None and now - self._told_at < PEACE:
            return None
        self._told = fault
        if fault:
            self._told_at = now
            return Notice(now, f"{self._code}_failed", f"{self._name} failed; the clock goes on. {fault}")
        return Notice(now, f"{self._code}_back", f"{self._name} works again.")


class Signals:
    """Lamps and sounder, where there are any."""

    name = "lamps and sounder"

    def __init__(
        self,
        table: RunningTable,
        hearing: Hearing,
        lamps: Lamps | None,
        sounder: Sounder | None,
        *,
        volumes: Callable[[], Volumes],
        wake: Callable[[], None],
    ) -> None:
        """Start a thread for each.

        Args:
            table: The running table.
            hearing: Has listened to its session from the beginning.
            lamps: The lamps, owned from now on; None where there are none.
            sounder: The sounder, likewise.
            volumes: How loud each sound is now.
            wake: Wakes the loop, from any thread.
        """
        self._table = table
        self._hearing = hearing
        self._lamps = lamps
        self._sounder = sounder
        self._volumes = volumes
        self._lights = None if lamps is None else _Watched("lamps", "Lamps", Beside("lamps", self._light, wake))
        self._sounds = None if sounder is None else _Watched("sounder", "Sounder", Beside("sounder", self._play, wake, most=3))
        self._shot: Snapshot | None = None
        self._of = table.session.table
        """The table as of its last fact when it was looked at."""
        self._lit: Pair[bool] | None = None
        self._tried: tuple[Pair[bool], int] | None = None
        """What a trial lights, and until when."""
        self._looked: Instant | None = None
        self.played: deque[Played] = deque(maxlen=KEPT)
        """The last sounds that were really played."""

    @property
    def can_be_heard(self) -> bool:
        """Whether there is a sounder."""
        return self._sounder is not None

    # ── On threads of their own ──────────────────────────────────────────────
    def _light(self, lit: Pair[bool]) -> None:
        if self._lamps is not None:
            self._lamps.light(left=lit.left, right=lit.right)

    def _play(self, what: Played) -> None:
        if self._sounder is not None:
            self._sounder.play(TUNES[what.sound], what.volume)
            self.played.append(what)

    # ── For the loop ─────────────────────────────────────────────────────────
    def turn(self, now: int) -> None:
        """Hand over what has changed; never waits.

        Args:
            now: Nanoseconds of the monotonic clock.
        """
        shot = self._look(now)
        if self._lights is not None:
            lit = Pair(*(glow.is_lit(shot.at) for glow in lamps(shot)))
            if self._tried is not None and now < self._tried[1]:
                lit = self._tried[0]
            if lit != self._lit or self._lights.wants_again(now):
                self._lit = lit
                self._lights.put(lit, now)
        self._listen(shot.table, shot.at)
        self._tell(self._lights, now)
        self._tell(self._sounds, now)

    def _look(self, now: int) -> Snapshot:
        """The table at `now`; looked at once a turn, unless something has happened since."""
        session, seen = self._table.session, self._shot
        if seen is None or seen.at != now or self._of is not session.table:
            self._of = session.table
            seen = self._shot = session.snapshot(Instant(now))
        return seen

    def _listen(self, table: Table, now: Instant) -> None:
        wanted = {sound: at for sound, at in self._hearing.take().items() if now - at <= TOO_LATE}
        if self._looked is not None and second_between(table, max(self._looked, Instant(now - TOO_LATE)), now):
            wanted[Sound.LAST_SECONDS] = now
        self._looked = now
        for sound in ORDER:
            if sound in wanted:
                self.play(sound, wanted[sound], now)

    def play(self, sound: Sound, at: Instant, now: int) -> None:
        """Let a sound be heard, where it is not switched off.

        Args:
            sound: Which.
            at: When it happened that it tells of.
            now: Nanoseconds of the monotonic clock.
        """
        volume = self._volumes().of(sound)
        if volume and self._sounds is not None:
            self._sounds.put(Played(sound, volume, at), now)

    def sample(self, before: Volumes, after: Volumes, now: int) -> None:
        """Let those sounds be heard whose volume was changed, as they will sound from now on.

        Args:
            before: As it was.
            after: As it is.
            now: Nanoseconds of the monotonic clock.
        """
        for sound in ORDER:
            if before.of(sound) != after.of(sound):
                self.play(sound, Instant(now), now)

    # ── Trials ───────────────────────────────────────────────────────────────
    @property
    def can_be_seen(self) -> bool:
        """Whether there are lamps."""
        return self._lamps is not None

    def try_lamps(self, lit: Pair[bool], now: int) -> None:
        """Light lamps for a moment, whatever they would tell; the next turn does it.

        Args:
            lit: Which.
            now: Nanoseconds of the monotonic clock.
        """
        self._tried = lit, now + TRIED

    def try_sound(self, sound: Sound, now: int) -> None:
        """Let a sound be heard though it may be switched off: as loud as it is set, else softly.

        Args:
            sound: Which.
            now: Nanoseconds of the monotonic clock.
        """
        if self._sounds is not None:
            self._sounds.put(Played(sound, max(1, self._volumes().of(sound)), Instant(now)), now)

    def next_wake(self, now: int) -> int | None:
        """When a lamp changes by time alone, or the next of the last seconds begins."""
        shot = self._look(now)
        times = [next_light(shot)] if self._lights is not None else []
        if self._tried is not None and self._tried[1] > now:
            times.append(Instant(self._tried[1]))
        if self._sounds is not None:
            times.append(next_second(shot.table, shot.at))
        return min((at for at in times if at is not None), default=None)

    def _tell(self, part: _Watched[Any] | None, now: int) -> None:
        news = None if part is None else part.news(now)
        if news is None:
            return
        self._table.notices.append(news)
        if news.code.endswith("_failed"):
            self._table.session.alert(news.code, Instant(now), news.sentence)

    def settled(self, timeout_s: float) -> bool:
        """Wait until everything that was handed over is done; False when that takes longer."""
        return all(part is None or part.beside.settled(timeout_s) for part in (self._lights, self._sounds))

    def close(self) -> None:
        """Dark and silent."""
        if self._lights is not None and self._lamps is not None:
            self._lights.beside.close()
            self._lamps.close()
        if self._sounds is not None and self._sounder is not None:
            self._sounder.close()  # first: it ends the tune that sounds
            self._sounds.beside.close()
