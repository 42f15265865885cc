"""Who stands where in a stage, who goes on to the next one, and what a change would change.

* Round robin: each group by points and tie-breaks. One who has left with fewer than half of his matches played is struck out, with all of
  his results; else they stay, and the rest are losses (000 §10).
* Swiss: by points and tie-breaks; where players go out, those who are in first, then by the round in which they went out, then by wins.
* Knock-outs: by how far everybody came; those who went out in the same round share a rank, but for the match for the third place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from kiosk.tournament import bracket as br
from kiosk.tournament.fold import after
from kiosk.tournament.happened import Leave
from kiosk.tournament.lots import drawn
from kiosk.tournament.plan import System
from kiosk.tournament.results import Record, Result
from kiosk.tournament.stages import Fixture, entries_of, fixtures, grouped, lost, standing, swiss_record
from kiosk.tournament.standings import Place, standings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kiosk.tournament.event import Event, Stage
    from kiosk.tournament.happened import Happened


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a stage's table."""

    rank: int
    entrant: int
    place: Place | None
    """Points and tie-breaks; None in a knock-out."""
    out: int = 0
    """The round in which somebody went out; 0: he has not."""
    left: Leave | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """One table: a group's, or the stage's."""

    group: int
    """From 1 on."""
    rows: tuple[Row, ...]
    struck: tuple[int, ...] = ()
    """Who was struck out, with all results."""


def tables(event: Event, stage: Stage) -> tuple[Table, ...]:
    """The tables of a stage, one for each group.

    Args:
        event: The whole of it.
        stage: One of its stages.
    """
    if stage.plan.system is System.ROUND_ROBIN:
        listed = fixtures(event, stage)
        return tuple(_group(event, stage, n, members, listed) for n, members in enumerate(grouped(stage), 1))
    if stage.plan.system is System.SWISS:
        return (Table(1, _swiss(event, stage)),)
    return (Table(1, _knock_out(event, stage)),)


# ── Round robin ──────────────────────────────────────────────────────────────
def _group(event: Event, stage: Stage, number: int, members: Sequence[int], listed: Sequence[Fixture]) -> Table:
    mine = [each for each in listed if each.part == str(number) and None not in {each.left, each.right}]
    struck = tuple(each for each in members if each in event.left and _is_struck(event, each, mine))
    counted = [each for each in mine if not {each.left, each.right} & set(struck)]
    rounds = max((each.round for each in mine), default=0)
    entries = [entry for each in counted for entry in entries_of(event, stage, each)]
    stay = [each for each in members if each not in struck]
    places = standings(Record(stay, rounds, entries), stage.plan.tiebreaks, unplayed=stage.plan.unplayed, seed=stage.plan.seed)
    return Table(
        number, tuple(Row(place.rank, int(place.player), place, left=event.left.get(int(place.player))) for place in places), struck
    )


def _is_struck(event: Event, entrant: int, mine: Sequence[Fixture]) -> bool:
    if event.left[entrant] is Leave.FIXING:
        return True
    own = [each for each in mine if entrant in {each.left, each.right}]
    return 2 * sum(each.entered for each in own) < len(own)


# ── Swiss ────────────────────────────────────────────────────────────────────
def _swiss(event: Event, stage: Stage) -> tuple[Row, ...]:
    record = swiss_record(event, stage)
    places = standings(record, stage.plan.tiebreaks, unplayed=stage.plan.unplayed, seed=stage.plan.seed)
    out = {each: _out_in(record, each, stage.plan.losses) for each in stage.entrants}
    if not stage.plan.losses:
        return tuple(Row(place.rank, int(place.player), place, left=event.left.get(int(place.player))) for place in places)

    def far(place: Place) -> tuple[int, float]:
        went = out[int(place.player)]
        return (0, -place.has.points) if not went else (stage.plan.rounds + len(stage.draws) + 1 - went, -float(place.has.wins))

    rows: list[Row] = []
    # The round in which they went out, their wins; then the stage's own tie-breaks, as the places stand.
    for _far, group in groupby(sorted(places, key=far), key=lambda place: (far(place), place.rank)):
        rank = len(rows) + 1
        rows += [Row(rank, int(place.player), place, out[int(place.player)], event.left.get(int(place.player))) for place in group]
    return tuple(rows)


def _out_in(record: Record, entrant: int, losses: int) -> int:
    if not losses or lost(record, entrant) < losses:
        return 0
    rounds = [number for number, card in enumerate(record.cards(entrant), 1) if card.result in {Result.LOSS, Result.FORFEIT_LOSS}]
    return rounds[losses - 1]


# ── Knock-outs ───────────────────────────────────────────────────────────────
def _knock_out(event: Event, stage: Stage) -> tuple[Row, ...]:
    made = [each for each in standing(event, stage) if each.left.player is not None or each.right.player is not None]
    main = max((each.match.round for each in made if each.match.part in {br.Part.MAIN, br.Part.CONSOLATION}), default=0)
    reached: dict[int, tuple[int, int, int]] = {}
    plays_on: set[int] = set()
    beaten: set[int] = set()
    for each in made:
        for seat in (each.left, each.right):
            if seat.player is not None:
                entrant = int(seat.player)
                reached[entrant] = max(reached.get(entrant, (0, 0, 0)), _came(each, seat, main))
                plays_on |= set() if each.winner.known else {entrant}
                beaten |= {entrant} if each.winner.known and seat != each.winner else set()
    keys = {entrant: (entrant in plays_on, entrant in plays_on - beaten, *came) for entrant, came in reached.items()}
    rows: list[Row] = []
    ranked = sorted(keys, key=lambda entrant: keys[entrant], reverse=True)
    for key, group in groupby(ranked, key=keys.__getitem__):
        rank = len(rows) + 1
        out = 0 if key[0] or key == keys[ranked[0]] else key[3]
        rows += [Row(rank, each, None, out, event.left.get(each)) for each in group]
    return tuple(rows)


def _came(each: br.Standing, seat: br.Seat, main: int) -> tuple[int, int, int]:
    """How far a match brings somebody: its part, its round there, and whether he has won it."""
    won = int(each.winner.known and seat == each.winner)
    match each.match.part:
        case br.Part.THIRD:
            return (0, main - 1, won + 1)
        case br.Part.LOWER:
            return (1, each.match.round, won)
        case br.Part.FINAL:
            return (2, each.match.round, won)
        case _:
            return (0, each.match.round, won)


# ── What comes of it ─────────────────────────────────────────────────────────
LOT = "qualifiers"
"""What is drawn where a place that leads to the next stage is shared (`kiosk.tournament.lots`)."""


@dataclass(frozen=True, slots=True)
class Shared:
    """A place that some share of whom not all go on."""

    group: int
    """From 1 on."""
    rank: int
    entrants: tuple[int, ...]
    """In the order of their lots: the first ones go on."""
    places: int
    """How many of them."""


@dataclass(frozen=True, slots=True)
class Qualifiers:
    """Who goes on to the next stage."""

    entrants: tuple[int, ...]
    """Of groups all firsts, then all seconds, and so on."""
    shared: tuple[Shared, ...]
    """What the lot has decided."""


def qualifiers(event: Event, stage: Stage, count: int) -> Qualifiers:
    """The first ones of a stage, for the next.

    Decision: whom nothing separates at the last place the stage's public seed does; so it does not follow from the entry list. Whoever
    has entered again goes on once.

    Args:
        event: The whole of it.
        stage: A stage.
        count: How many go on from each group.
    """
    here, shared = [], []
    for table in tables(event, stage):
        stands: dict[int, Row] = {}
        for row in table.rows:
            if row.left is None:
                stands.setdefault(event.first_entry(row.entrant), row)
        rows = list(stands.values())
        going = [row.entrant for row in rows[:count]]
        if 0 < count < len(rows) and rows[count - 1].rank == rows[count].rank:
            rank = rows[count].rank
            going = [row.entrant for row in rows if row.rank < rank]
            tied = tuple(int(each) for each in drawn(stage.plan.seed, LOT, [row.entrant for row in rows if row.rank == rank]))
            shared.append(Shared(table.group, rank, tied, count - len(going)))
            going += tied[: count - len(going)]
        here.append(going)
    return Qualifiers(tuple(group[n] for n in range(count) for group in here if n < len(group)), tuple(shared))


@dataclass(frozen=True, slots=True)
class Moved:
    """What a change does to one entrant in one stage's table."""

    stage: int
    entrant: int
    before: int | None
    """His rank; None: he is in no table of it."""
    after: int | None


@dataclass(frozen=True, slots=True)
class Consequences:
    """What a change would change, before it is made."""

    moved: tuple[Moved, ...]
    drawn: tuple[tuple[int, int], ...]
    """Stage and round of Swiss rounds that are drawn already and would have been drawn otherwise; they stay as they are."""
    entrants: tuple[int, ...]
    """Stages that began with those who stood best in a changed one; they stay as they are."""


def consequences(event: Event, happened: Happened) -> Consequences:
    """What something would change.

    Args:
        event: Before it.
        happened: What is about to be entered.

    Raises:
        TournamentError: It cannot happen at all.
    """
    changed = after(event, happened)
    moved: list[Moved] = []
    for stage in event.stages:
        before, now = _ranks(event, stage), _ranks(changed, changed.stage(stage.number))
        moved += [
            Moved(stage.number, each, before.get(each), now.get(each))
            for each in dict.fromkeys([*before, *now])
            if before.get(each) != now.get(each)
        ]
    touched = {each.stage for each in moved}
    return Consequences(
        tuple(moved),
        tuple(each for stage in event.stages for each in _redrawn(event, changed, stage.number)),
        tuple(stage.number for stage in event.stages if any(number < stage.number for number in touched)),
    )


def _ranks(event: Event, stage: Stage) -> dict[int, int]:
    return {row.entrant: row.rank for table in tables(event, stage) for row in table.rows}


def _redrawn(event: Event, changed: Event, number: int) -> list[tuple[int, int]]:
    """The drawn rounds behind which the points have changed."""
    stage = event.stage(number)
    found = []
    for draw in stage.draws[1:]:
        before, now = (_points_before(each, each.stage(number), draw.round) for each in (event, changed))
        if before != now:
            found.append((number, draw.round))
    return found


def _points_before(event: Event, stage: Stage, number: int) -> dict[int, float]:
    part = replace(stage, draws=stage.draws[: number - 1])
    record = swiss_record(event, part)
    return {each: record.points(each) for each in stage.entrants}
