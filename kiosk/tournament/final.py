"""Who stands where at the end of an event: the list that prizes are given from.

Each stage, in the order of their opening, puts those who play in it into the order of its own table, from the place of the best of them
on; whoever is not in it stays in his place above, or behind them. So the last stage decides, those who went out before stand behind it as
their own stage left them, and a second final among those of places 9 to 16 decides about these places.

Nobody stands here twice: one who has entered again stands where the better of his entries does.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from kiosk.say import _
from kiosk.tournament.happened import Leave
from kiosk.tournament.plan import System
from kiosk.tournament.results import TournamentError
from kiosk.tournament.stages import fixtures
from kiosk.tournament.tables import Row, tables

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from kiosk.tournament.event import Event, Stage

WITHOUT_PLACE = frozenset({Leave.DISQUALIFIED, Leave.FIXING})
"""Decision: whoever was sent away has no place and no prize, and the others move up; in a stage's table his line stays (000 §10)."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """One line of the final ranking."""

    rank: int | None
    """Those whom nothing separates share one. None: sent away, or struck out of his stage, and so without a place."""
    entrant: int
    stage: int
    """The stage that has decided his place: the last one that he was in and was not struck out of."""
    row: Row | None
    """His line in its table; None: he was struck out of every one."""


def final_ranking(event: Event, stages: Collection[int] | None = None) -> tuple[Ranked, ...]:
    """The ranking of a whole event as it stands now; provisional as long as matches are open.

    Decision: a stage in which nobody has played yet has ranked nobody, and changes nothing as long as another has; else all who are in it
    would share the best place that one of them had.

    Args:
        event: The whole of it.
        stages: The numbers of those that count. None: all but consolations and side events: each has a winner of its own.

    Returns:
        The first one first; those without a place stand last. Whoever is in none of the stages is not there.

    Raises:
        TournamentError: There is no stage of such a number.
    """
    order: list[list[int]] = []
    last: dict[int, Ranked] = {}
    those = counting(event, stages)
    for stage in [each for each in those if _begun(event, each)] or those:
        levels = _levels(event, stage)
        told = [each for level in levels for each in level]
        last |= {each.entrant: each for each in told if each.row is not None or each.entrant not in last}
        played = [[each.entrant for each in level if each.row is not None] for level in levels]
        order = _reordered(order, played, {each.entrant for each in told if each.row is None})
    return tuple(_numbered(event, order, last))


def counting(event: Event, stages: Collection[int] | None = None) -> list[Stage]:
    """The stages that a final ranking looks at; as `final_ranking` takes and raises.

    Args:
        event: The whole of it.
        stages: Their numbers; None: all but consolations and side events.
    """
    if stages is None:
        return [stage for stage in event.stages if stage.number not in event.apart and stage.plan.system is not System.CONSOLATION]
    if not set(stages) <= {stage.number for stage in event.stages}:
        raise TournamentError(_("There is no stage {number}.", number=min(set(stages) - {stage.number for stage in event.stages})))
    return [stage for stage in event.stages if stage.number in stages]


def _begun(event: Event, stage: Stage) -> bool:
    """Whether a stage has a result; also one whose matches were all decided by who has left."""
    if stage.ended:
        return True
    listed = fixtures(event, stage)
    return any(each.outcome is not None for each in listed) and not any(each.ready for each in listed)


def _levels(event: Event, stage: Stage) -> list[list[Ranked]]:
    """Those of a stage, the best first, in groups that it does not separate; those struck out make the last one.

    Decision: those of the same rank in different groups of a round robin share a place, for they have not met. Whoever is struck out of a
    stage stands where those before it have left him, behind those who played it; he has no place where there is none before.
    """
    made = tables(event, stage)
    rows = sorted((row for table in made for row in table.rows), key=lambda row: row.rank)  # equal ones by their groups
    levels = [[Ranked(None, row.entrant, stage.number, row) for row in tied] for _rank, tied in groupby(rows, key=lambda row: row.rank)]
    return [*levels, [Ranked(None, each, stage.number, None) for table in made for each in table.struck]]


def _reordered(order: list[list[int]], levels: list[list[int]], struck: set[int]) -> list[list[int]]:
    """The order after one more stage."""
    here = struck.union(*levels)
    best = next((n for n, level in enumerate(order) if here & set(level)), None)
    if best is None:
        return _beside(order, levels)
    rest = [[each for each in level if each not in here] for level in order]
    behind = [[each for each in level if each in struck] for level in order]
    return [level for level in (*rest[:best], *levels, *behind, *rest[best:]) if level]


def _beside(order: list[list[int]], levels: list[list[int]]) -> list[list[int]]:
    """Two stages of which neither follows the other, as groups are: those of the same level share it."""
    count = max(len(order), len(levels))
    both = [(each[n] if n < len(each) else []) for n in range(count) for each in (order, levels)]
    return [level for n in range(count) if (level := both[2 * n] + both[2 * n + 1])]


def _numbered(event: Event, order: Iterable[Iterable[int]], last: dict[int, Ranked]) -> Iterator[Ranked]:
    """With ranks; whoever has one by another of his entries does not stand there again."""
    sent = {event.first_entry(each) for each, why in event.left.items() if why in WITHOUT_PLACE}
    stands: set[int] = set()
    for level in order:
        rank = len(stands) + 1
        for each in level:
            who = event.first_entry(each)
            if who not in stands | sent:
                stands.add(who)
                yield Ranked(rank, each, last[each].stage, last[each].row)
    for one in last.values():
        who = event.first_entry(one.entrant)
        if who not in stands:
            stands.add(who)
            yield one
