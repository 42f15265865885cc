"""What the debounce tests share: edges in milliseconds, and a run of a whole trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware import Debouncer, Edge, Pressed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hardware import ButtonEvent, Line

MS = 1_000_000
S = 1_000_000_000


def edge(line: Line, closed: int, ms: float, ns: int = 0) -> Edge:
    return Edge(line, bool(closed), round(ms * MS) + ns)


def play(edges: Iterable[Edge], debouncer: Debouncer | None = None, until: int | None = None) -> list[ButtonEvent]:
    """Feed a trace as the table does: what time alone brings comes first, then the edge; then let `until` pass."""
    debouncer = debouncer or Debouncer()
    events: list[ButtonEvent] = []
    last = 0
    for each in edges:
        events += debouncer.due(each.at_ns - 1)
        events += debouncer.feed(each)
        last = max(last, each.at_ns)
    return events + debouncer.due(last + 10 * S if until is None else until)


def presses(events: Iterable[ButtonEvent]) -> list[Pressed]:
    return [event for event in events if isinstance(event, Pressed)]
