"""A box and a machine whose clocks differ, joined by a cable that delays: everything that the estimator must bear, with the truth known."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from random import Random

from hardware.offset import COUNTER, ClockOffset, Stamp

US, MS, S = 1_000, 1_000_000, 1_000_000_000


@dataclass
class World:
    """Time passes only by `wait`; every line takes as long as the cable makes it."""

    seed: int = 0
    start_us: int = 0
    """The counter at the beginning."""
    ppm: float = 0
    """How much faster than true the box runs,"""
    swing_ppm: float = 0
    """and by how much its warming up and cooling down changes that,"""
    swing_s: float = 600
    """over so long."""
    there: int = 300 * US
    back: int = 300 * US
    """What the cable takes at least, each way."""
    jitter: int = 200 * US
    """What comes on top on average, each way."""
    stalls: float = 0.0
    """How many lines of all are stuck for 10 to 80 ms, and everything behind them."""
    grain_us: int = 1
    """The counter's step."""
    now: int = 5_000 * S
    offset: ClockOffset = field(default_factory=ClockOffset)

    def __post_init__(self) -> None:
        self.random = Random(self.seed)
        self.began = self.now
        self.arrived = self.now

    def counter(self, at: int) -> int:
        """What the box's counter says at a true instant."""
        t = (at - self.began) / S
        swing = self.swing_ppm * self.swing_s / math.tau * (1 - math.cos(math.tau * t / self.swing_s))
        us = self.start_us + (at - self.began) / US + self.ppm * t + swing
        return int(us // self.grain_us) * self.grain_us % COUNTER

    def reset(self) -> None:
        """The box begins anew."""
        self.began, self.start_us = self.now, 0

    def wait(self, span: int) -> None:
        self.now += span

    def _delay(self, least: int) -> int:
        stuck = self.random.randint(10 * MS, 80 * MS) if self.random.random() < self.stalls else 0
        return least + int(self.random.expovariate(1 / self.jitter) if self.jitter else 0) + stuck

    def _comes(self, at: int) -> int:
        self.arrived = max(self.arrived, at + self._delay(self.back))  # a line never overtakes another
        return self.arrived

    def ping(self) -> None:
        sent = self.now
        read = sent + self._delay(self.there)
        self.offset.pong(sent, self.counter(read), self._comes(read))
        self.now = max(self.now, self.arrived)

    def beat(self) -> None:
        self.offset.seen(self.counter(self.now), self._comes(self.now))

    def press(self) -> tuple[Stamp, int, int]:
        """The stamp of a press now, the truth, and when its line arrived."""
        at = self.now
        return self.offset.stamp(self.counter(at), self._comes(at)), at, self.arrived

    def settle(self, pings: int = 40) -> None:
        for _ in range(pings):
            self.ping()
            self.wait(50 * MS)

    def run(self, span: int, pause: int = 500 * MS) -> None:
        """Let time pass as it does at a table: a beat and a ping now and then."""
        until = self.now + span
        while self.now < until:
            self.beat()
            self.ping()
            self.wait(pause)
