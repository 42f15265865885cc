"""A stage's matches, draws and tables, worked out from the event.

`fixtures` lists every match that is known, `proposed` pairs the next Swiss round, `table` ranks. Whoever has left loses what he has not
played, at once and without anybody entering it: his opponent has won it, also if that one leaves later. Only in a round robin, whose
matches are all known from the beginning, two who have left have both lost theirs. Those who fixed matches have their results annulled.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk.domain.types import Side
from kiosk.say import _
from kiosk.tournament import bracket as br
from kiosk.tournament.event import KNOCK_OUT, Event, Stage
from kiosk.tournament.happened import Leave, Outcome, RoundDrawn
from kiosk.tournament.lots import drawn
from kiosk.tournament.plan import System
from kiosk.tournament.results import Entry, Record, Result, TournamentError
from kiosk.tournament.roundrobin import groups, laps, pots
from kiosk.tournament.swiss import Wishes, pair

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

WINNER: Mapping[Outcome, Side | None] = {
    Outcome.LEFT: Side.LEFT,
    Outcome.RIGHT: Side.RIGHT,
    Outcome.LEFT_FORFEIT: Side.LEFT,
    Outcome.RIGHT_FORFEIT: Side.RIGHT,
    Outcome.BOTH_FORFEIT: None,
}
RESULTS: Mapping[Outcome, tuple[Result, Result]] = {
    Outcome.LEFT: (Result.WIN, Result.LOSS),
    Outcome.RIGHT: (Result.LOSS, Result.WIN),
    Outcome.LEFT_FORFEIT: (Result.FORFEIT_WIN, Result.FORFEIT_LOSS),
    Outcome.RIGHT_FORFEIT: (Result.FORFEIT_LOSS, Result.FORFEIT_WIN),
    Outcome.BOTH_FORFEIT: (Result.FORFEIT_LOSS, Result.FORFEIT_LOSS),
}
AT_THE_BOARD = frozenset({Outcome.LEFT, Outcome.RIGHT})


@dataclass(frozen=True, slots=True)
class Fixture:
    """One match of a stage."""

    stage: int
    key: str
    """Unique in its stage."""
    round: int
    part: str
    """A group's number, or a bracket's part; empty in a Swiss stage."""
    left: int | None
    right: int | None
    """None: not known yet, or nobody (then the other goes on)."""
    outcome: Outcome | None = None
    """As entered, or as it follows from who has left."""
    entered: bool = False
    """Whether somebody entered it, or a sheet brought it."""

    @property
    def ready(self) -> bool:
        """Whether it can be played now."""
        return self.left is not None and self.right is not None and self.outcome is None


def fixture(event: Event, stage: Stage, key: str) -> Fixture:
    """One match.

    Raises:
        TournamentError: There is none of this name.
    """
    found = next((each for each in _bare(event, stage) if each.key == key), None)
    if found is not None:
        return found if stage.plan.system in KNOCK_OUT else _decided(event, stage, found)
    raise TournamentError(_("There is no match {key} in this stage.", key=key))


def fixtures(event: Event, stage: Stage) -> tuple[Fixture, ...]:
    """Every match of a stage, in the order in which they are played."""
    if stage.plan.system in KNOCK_OUT:
        return tuple(_bare(event, stage))
    return tuple(_decided(event, stage, each) for each in _bare(event, stage))


def _bare(event: Event, stage: Stage) -> Iterator[Fixture]:
    """The same; of a round robin and of a Swiss stage still without results."""
    match stage.plan.system:
        case System.ROUND_ROBIN:
            return _round_robin(stage)
        case System.SWISS:
            return (each for draw in stage.draws for each in _swiss(stage, draw))
        case _:
            return (_of_bracket(event, stage, each) for each in standing(event, stage))


def _decided(event: Event, stage: Stage, bare: Fixture) -> Fixture:
    """With its result; one who has left has lost what is open."""
    told = stage.ended.get(bare.key)
    if told is not None:
        return replace(bare, outcome=told.outcome, entered=True)
    if bare.left is None or bare.right is None:
        return bare
    return replace(bare, outcome=stage.settled.get(bare.key) or _by_leaving(event, stage, bare.left, bare.right))


def _by_leaving(event: Event, stage: Stage, left: int, right: int) -> Outcome | None:
    gone = [each for each in event.left if each in {left, right}]
    if not gone:
        return None
    if len(gone) > 1 and stage.plan.system is System.ROUND_ROBIN:
        return Outcome.BOTH_FORFEIT
    return Outcome.RIGHT_FORFEIT if gone[0] == left else Outcome.LEFT_FORFEIT


# ── Round robin ──────────────────────────────────────────────────────────────
def grouped(stage: Stage) -> tuple[tuple[int, ...], ...]:
    """A round robin's groups: drawn by pots in the order of the entry list."""
    if stage.plan.groups == 1:
        return (stage.entrants,)
    made = groups(pots(stage.entrants, stage.plan.groups), stage.plan.groups, stage.plan.seed)
    return tuple(tuple(int(each) for each in group) for group in made)


def _round_robin(stage: Stage) -> Iterator[Fixture]:
    for number, members in enumerate(grouped(stage), 1):
        seats: Mapping[int | None, int | None] = {None: None, **dict(enumerate(members, 1))}
        for at, seated in enumerate(laps(len(members), stage.plan.laps), 1):
            for n, (left, right) in enumerate(seated, 1):
                yield Fixture(stage.number, f"G{number}.{at}.{n}", at, str(number), seats[left], seats[right])


# ── Swiss ────────────────────────────────────────────────────────────────────
def _swiss(stage: Stage, draw: RoundDrawn) -> Iterator[Fixture]:
    for n, (left, right) in enumerate(draw.pairs, 1):
        yield Fixture(stage.number, f"R{draw.round}.{n}", draw.round, "", left, right)
    if draw.bye is not None:
        yield Fixture(stage.number, f"R{draw.round}.bye", draw.round, "", draw.bye, None)


def swiss_record(event: Event, stage: Stage) -> Record:
    """The rounds of a Swiss stage for standings and pairings; open matches count as nothing yet."""
    entries = []
    for each in fixtures(event, stage):
        entries += entries_of(event, stage, each)
    return Record(stage.entrants, len(stage.draws), entries)


def entries_of(event: Event, stage: Stage, each: Fixture) -> list[Entry]:
    """What a match tells standings: nothing while it is open."""
    if each.left is None or each.right is None:
        alone = each.left if each.left is not None else each.right
        return [] if alone is None or stage.plan.system is not System.SWISS else [Entry(each.round, alone, None, Result.BYE_WIN)]
    if each.outcome is None:
        return []
    outcome = _annulled(event, each.left, each.right, each.outcome)
    one, other = RESULTS[outcome]
    told = stage.ended.get(each.key)
    apart = 0 if told is None or outcome not in AT_THE_BOARD else told.left_points - told.right_points
    return [Entry(each.round, each.left, each.right, one, apart), Entry(each.round, each.right, each.left, other, -apart)]


def _annulled(event: Event, left: int, right: int, outcome: Outcome) -> Outcome:
    """Matches of one who fixed matches are lost without having been played; nobody else loses by it."""
    fixing = tuple(event.left.get(each) is Leave.FIXING for each in (left, right))
    return {(True, False): Outcome.RIGHT_FORFEIT, (False, True): Outcome.LEFT_FORFEIT, (True, True): Outcome.BOTH_FORFEIT}.get(
        (fixing[0], fixing[1]), outcome
    )


def still_in(event: Event, stage: Stage) -> tuple[int, ...]:
    """Who plays on in a Swiss stage: who has not left, and has not lost too often."""
    here = [each for each in stage.entrants if each not in event.left]
    if not stage.plan.losses:
        return tuple(here)
    record = swiss_record(event, stage)
    return tuple(each for each in here if lost(record, each) < stage.plan.losses)


def lost(record: Record, entrant: int) -> int:
    """How often somebody has lost, at the board or by not coming."""
    return sum(card.result in {Result.LOSS, Result.FORFEIT_LOSS} for card in record.cards(entrant))


def proposed(event: Event, stage: Stage) -> RoundDrawn:
    """The next round of a Swiss stage.

    Raises:
        TournamentError: It is over, a match is still open, or there is no pairing that keeps the rules.
    """
    number = len(stage.draws) + 1
    open_ = [each.key for each in fixtures(event, stage) if each.ready]
    if open_:
        raise TournamentError(_("Matches are still open: {keys}.", keys=", ".join(open_)))
    playing = still_in(event, stage)
    if len(playing) < 2 or (not stage.plan.losses and number > stage.plan.rounds):
        raise TournamentError(_("The stage is over."))
    clubs: dict[int | str, str] = {}
    if stage.plan.avoid_club:
        clubs = {each: event.entrants[each].club for each in playing if event.entrants[each].club}
    wishes = Wishes(
        frozenset(frozenset[int | str](both) for both in stage.plan.forbidden),
        clubs,
        stage.plan.avoid_floats,
        stage.plan.first,
        until_one=stage.plan.losses > 0,
    )
    made = pair(swiss_record(event, stage), playing, number, seed=stage.plan.seed, wishes=wishes)
    pairs = tuple((int(left), int(right)) for left, right in made.pairs)
    return RoundDrawn(stage.number, number, pairs, None if made.bye is None else int(made.bye))


# ── Knock-outs ───────────────────────────────────────────────────────────────
def _bracket(event: Event, stage: Stage) -> br.Bracket:
    plan = stage.plan
    if plan.system is System.SINGLE:
        return br.single(len(stage.entrants), third=plan.third)
    if plan.system is System.DOUBLE:
        return br.double(len(stage.entrants), second_final=plan.second_final)
    return br.consolation(_bracket(event, event.stage(plan.of or 0)), plan.losers)


def seeds(event: Event, stage: Stage) -> tuple[int | None, ...]:
    """Who has which seed: by the entry list or drawn; who joined later has a free place, far from his first entry if there is one."""
    at_first = [each for each in stage.entrants if each not in stage.joined]
    order: list[int | None] = list(at_first)
    if not stage.plan.seeded:
        order = [int(each) for each in drawn(stage.plan.seed, "places", at_first)]
    order += [None] * (br.size_for(len(order)) - len(order))
    for entrant in stage.joined:
        order[_far(order, event.entrants[entrant].again)] = entrant
    return tuple(order)


def _far(order: Sequence[int | None], again: int | None) -> int:
    """The free place whose way to the earlier entry is the longest: in the other half, else in the other quarter, and so on."""
    where = {seed - 1: n for n, seed in enumerate(br.places(len(order)))}
    mine = where[order.index(again)] if again in order else 0
    free = [n for n, there in enumerate(order) if there is None]
    return max(free, key=lambda n: ((where[n] ^ mine).bit_length(), -n))


def free_places(event: Event, stage: Stage) -> int:
    """How many places of a knock-out's first round are free, and not gone by: nobody has gone on from there to a match that was played."""
    order = seeds(event, stage)
    moved = {key for key in stage.ended if not key.startswith("M1.")}
    return 0 if moved else order.count(None)


def standing(event: Event, stage: Stage) -> tuple[br.Standing, ...]:
    """A knock-out as it stands; who has left has lost whatever he has not played."""
    others: Mapping[str, br.Standing] = {}
    entries: tuple[int | None, ...] = ()
    if stage.plan.system is System.CONSOLATION:
        others = {each.match.ident: each for each in standing(event, event.stage(stage.plan.of or 0))}
    else:
        entries = seeds(event, stage)
    results: dict[str, Side | None] = {key: WINNER[each.outcome] for key, each in stage.ended.items()}
    return br.follow(_bracket(event, stage), entries, results, others, event.left.keys())


def out_of(event: Event, stage: Stage) -> frozenset[int]:
    """Who has lost in a knock-out and has no further match in it."""
    beaten: set[int] = set()
    plays_on: set[int] = set()
    for each in standing(event, stage):
        for seat in (each.left, each.right):
            if seat.player is not None and seat != each.winner:
                (beaten if each.winner.known else plays_on).add(int(seat.player))
    return frozenset(beaten - plays_on)


def _of_bracket(event: Event, stage: Stage, each: br.Standing) -> Fixture:
    left, right = (None if seat.player is None else int(seat.player) for seat in (each.left, each.right))
    bare = Fixture(stage.number, each.match.ident, each.match.round, str(each.match.part), left, right)
    return _decided(event, stage, bare) if each.winner.known else bare


def following(event: Event, stage: Stage, key: str) -> tuple[tuple[int, str], ...]:
    """The matches whose players depend on a match of a knock-out: stage and key, those of its consolations among them."""
    found: list[tuple[int, str]] = []
    waiting = [key]
    tree = _bracket(event, stage)
    while waiting:
        source = waiting.pop()
        for match in tree.matches:
            waits = any(isinstance(each, br.From) and each.match == source for each in (match.left, match.right))
            if waits and (stage.number, match.ident) not in found:
                found.append((stage.number, match.ident))
                waiting.append(match.ident)
    for other in event.stages:
        if other.plan.of == stage.number and other.plan.system in KNOCK_OUT:
            reached = {key, *(each for _number, each in found)}
            found += [
                (other.number, match.ident)
                for match in _bracket(event, other).matches
                if any(isinstance(each, br.From) and each.match in reached and not each.winner for each in (match.left, match.right))
            ]
    return tuple(found)
