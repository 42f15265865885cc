"""How long a button's contact bounces, measured from its raw edges. Pure: stamps in, figures out.

Edges that follow each other within 60 ms belong together: twice what the debouncer takes for chatter, so that a contact which is worse
than it allows is seen as that, not as two presses. In such a group the contact closes, or opens, or, where somebody only taps it, does
both: then the longest rest between two edges parts the one from the other. The bounce is the time from the first to the last edge of
one closing or opening.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from hardware.debounce import CHATTER_NS, Debouncer, Pressed
from hardware.edges import LINES

if TYPE_CHECKING:
    from hardware.edges import Edge, Line

REST_NS = 2 * CHATTER_NS
"""Edges further apart than this do not belong to one bounce."""

MOST = 4000
"""So many edges of a button are kept; one that brings more is faulty, whatever the rest of them say."""


@dataclass(frozen=True, slots=True)
class ButtonBounce:
    """What was seen of one button."""

    presses: int = 0
    """As the kiosk counts them: the debouncer's."""
    movements: int = 0
    """Closings and openings, each with its bounce."""
    edges: int = 0
    """Raw ones."""
    last_ns: int = 0
    """The last movement's bounce; 0 is a clean one."""
    worst_ns: int = 0
    """The longest."""
    down: bool = False
    """Closed after the last edge."""


class BounceMeter:
    """Takes the raw edges of both buttons."""

    def __init__(self) -> None:
        """Nothing was pressed yet."""
        self._edges: dict[Line, list[Edge]] = {line: [] for line in LINES}
        self._counts = dict.fromkeys(LINES, 0)
        self._presses = dict.fromkeys(LINES, 0)
        self._debouncer = Debouncer()

    def feed(self, edge: Edge) -> None:
        """Take an edge; those of one button come in the order of their stamps."""
        self._counts[edge.line] += 1
        if len(self._edges[edge.line]) < MOST:
            self._edges[edge.line].append(edge)
        events = [*self._debouncer.due(edge.at_ns - 1), *self._debouncer.feed(edge)]
        for event in events:
            if isinstance(event, Pressed):
                self._presses[event.line] += 1

    def measured(self, line: Line) -> ButtonBounce:
        """What was seen of a button so far."""
        edges = self._edges[line]
        spans = [move[-1].at_ns - move[0].at_ns for group in _groups(edges) for move in _movements(group)]
        return ButtonBounce(
            presses=self._presses[line],
            movements=len(spans),
            edges=self._counts[line],
            last_ns=spans[-1] if spans else 0,
            worst_ns=max(spans, default=0),
            down=bool(edges) and edges[-1].closed,
        )


def _groups(edges: list[Edge]) -> list[list[Edge]]:
    """Edges that belong together."""
    groups: list[list[Edge]] = []
    for edge in edges:
        if groups and edge.at_ns - groups[-1][-1].at_ns <= REST_NS:
            groups[-1].append(edge)
        else:
            groups.append([edge])
    return groups


def _movements(group: list[Edge]) -> list[list[Edge]]:
    """A group as the one movement that it is, or as two: it began with the level in which it did not end."""
    if group[0].closed is group[-1].closed:
        return [group]
    gaps = [later.at_ns - edge.at_ns for edge, later in pairwise(group)]
    cut = gaps.index(max(gaps)) + 1
    return [group[:cut], group[cut:]]
