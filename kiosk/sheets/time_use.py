"""Where each side's time went, counted as it ran.

What a referee set, a press that was put back or a refill gave is not taken off again: these stand among the acts and events. Under
`bronstein` the first seconds of a turn count as its delay, as its press gives them back; `fischer` has no delay that runs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kiosk.domain import facts as f
from kiosk.domain.rulebook import Method
from kiosk.domain.types import SIDES, Instant, Pair, Side, Span

if TYPE_CHECKING:
    from kiosk.domain.clock import Clock
    from kiosk.domain.state import Table


@dataclass(frozen=True, slots=True)
class TimeUse:
    """One side's time over a match."""

    delay: Span = Span(0)
    """What ran within the delays of its turns."""
    reserve: Span = Span(0)
    """What ran from its reserve."""
    beyond: Span = Span(0)
    """What ran after both were used up."""
    longest: Span = Span(0)
    """Its longest turn, stops left out."""
    turns: int = 0
    """Checker plays that it ended by a press."""


@dataclass
class TimeWalk:
    """What has been met on the way."""

    use: dict[Side, list[int]] = field(default_factory=lambda: {side: [0, 0, 0, 0] for side in SIDES})
    """Delay, reserve, beyond, longest turn."""

    def step(self, fact: f.Fact, before: Table, after: Table) -> None:
        """Count what ran up to a fact."""
        clock = before.clock
        if clock is not None and clock.running and clock.control.clocked and _counted_on(clock, after.clock):
            # Over a power cut instants are two boots'; nothing after the last known one is charged (domain rule 2.12).
            self._count(clock, fact.last_known if isinstance(fact, f.PowerRestored | f.MatchTakenOver) else fact.at)

    def turn(self) -> None:
        """The players exchanged seats."""
        self.use = {side: self.use[side.other] for side in SIDES}

    def _count(self, clock: Clock, at: Instant) -> None:
        spent = max(0, at - clock.since)
        for side in clock.running:
            use = self.use[side]
            free = 0 if clock.control.method is Method.FISCHER else clock.delay_left(side)
            delay = min(spent, free)
            reserve = min(spent - delay, clock.reserve[side])
            use[0] += delay
            use[1] += reserve
            use[2] += spent - delay - reserve
            if side is clock.turn:
                use[3] = max(use[3], clock.used[side] + spent)

    def result(self, table: Table) -> Pair[TimeUse]:
        """Both sides' time."""
        turns = Pair(0, 0) if table.clock is None else table.clock.turns
        left, right = (
            TimeUse(Span(delay), Span(reserve), Span(beyond), Span(longest), turns[side])
            for side, (delay, reserve, beyond, longest) in self.use.items()
        )
        return Pair(left, right)


def _counted_on(before: Clock, after: Clock | None) -> bool:
    """Whether a fact moved the clock's figures on; what it left alone is counted by a later one."""
    return after is None or after.since != before.since or not after.running
