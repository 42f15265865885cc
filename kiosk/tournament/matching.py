"""Who plays whom, so that the whole round costs least: a minimum-weight perfect matching, by rustworkx.

Costs are whole numbers, so that nothing depends on rounding. What costs the same is decided by the edges' own tie numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

Edge = tuple[int, int, int]
"""Two nodes and what it costs to pair them, not negative."""


def cheapest(nodes: int, edges: Iterable[Edge]) -> list[tuple[int, int]] | None:
    """The pairs of a perfect matching of least cost, by their first node; None: there is no perfect one.

    Args:
        nodes: How many; they are numbered from 0.
        edges: Who may be paired, at which cost.
    """
    import rustworkx  # 100 ms, and only the server pairs

    listed = list(edges)
    dearest = max((cost for _a, _b, cost in listed), default=0) + 1
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(nodes))
    graph.add_edges_from([(a, b, dearest - cost) for a, b, cost in listed])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    if 2 * len(found) < nodes:
        return None
    return sorted((min(a, b), max(a, b)) for a, b in found)
