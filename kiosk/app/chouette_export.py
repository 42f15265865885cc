"""A chouette as a scenario: what its players entered, mistakes and all, so that playing it gives the same result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk import codec
from kiosk.app.scenario_export import text_of
from kiosk.app.scenario_facts import seconds_of, words_of
from kiosk.domain import facts as f
from kiosk.domain.state import Table
from kiosk.domain.types import NS_PER_S

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kiosk.ports import Row


def chouette_scenario(rows: Iterable[Row]) -> str:
    """The text of a scenario.

    Decision: nothing in a chouette depends on time. Where the table was off in between, the next entry comes a second later.

    Args:
        rows: The chouette's, the opening first.
    """
    lines: list[str] = []
    boot, last, at = "", 0, 0
    for row in rows:
        fact = codec.decode(row.type, row.data)
        if not isinstance(fact, f.ChouetteFact):
            continue
        if lines:
            at += max(0, fact.at - last) if row.boot == boot else NS_PER_S
        boot, last = row.boot, fact.at
        lines.append(text_of({"at": seconds_of(at), **(words_of(Table(), fact) or {})}) + "\n")
    return "".join(lines)
