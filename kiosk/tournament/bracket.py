"""Knock-out brackets as values: matches whose two places are seeds, or winners and losers of other matches.

`single`, `double` and `consolation` make them; `stand` says, from the results so far, who sits where, who is out and who has won. A place
for which nobody is left is a bye: whoever sits across goes on without a match.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import TYPE_CHECKING

from kiosk.domain.types import Side
from kiosk.say import _
from kiosk.tournament.results import Player, TournamentError

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Seed:
    """A place of the first round."""

    number: int
    """From 1 on: who is that is told by the entry list."""


@dataclass(frozen=True, slots=True)
class From:
    """Whoever won or lost another match."""

    match: str
    winner: bool


Source = Seed | From


class Part(StrEnum):
    """Which part of an event a match belongs to."""

    MAIN = "main"
    LOWER = "lower"
    """Of a double elimination: after one loss."""
    FINAL = "final"
    """Of a double elimination: between the two parts' winners."""
    THIRD = "third"
    """For the third place."""
    CONSOLATION = "consolation"


@dataclass(frozen=True, slots=True)
class Match:
    """One match of a bracket."""

    ident: str
    """Unique in the bracket: the part's first letter, round and number, as `M1.3`."""
    part: Part
    round: int
    """Of its part, from 1 on."""
    left: Source
    right: Source
    second: bool = False
    """A second final: only if the winner of the lower part has won the first."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """A whole bracket."""

    matches: tuple[Match, ...]
    """Each behind those that it waits for."""
    last: tuple[str, ...]
    """The matches whose winner has won it all: the final, and a second one."""


def size_for(players: int) -> int:
    """The next power of two, at least 2."""
    return max(2, 1 << (players - 1).bit_length())


def places(size: int) -> tuple[int, ...]:
    """Seeds in the order in which they stand in the first round, from the top: the first two meet in the final if they win."""
    order = [1]
    while len(order) < size:
        both = 2 * len(order) + 1
        order = [seed for one in order for seed in (one, both - one)]
    return tuple(order)


def single(players: int, *, third: bool = False) -> Bracket:
    """Single elimination; seeds beyond the players are byes.

    Args:
        players: How many, at least 2.
        third: Whether the losers of the semi-finals play for the third place.

    Raises:
        TournamentError: There are fewer than two.
    """
    if players < 2:
        raise TournamentError(_("A knock-out needs two players at least."))
    rounds = _tree([Seed(n) for n in places(size_for(players))], Part.MAIN, "M")
    matches = [match for each in rounds for match in each]
    if third and len(rounds) > 1:
        one, other = rounds[-2]
        matches.append(Match("T1.1", Part.THIRD, 1, From(one.ident, winner=False), From(other.ident, winner=False)))
    return Bracket(tuple(matches), (rounds[-1][0].ident,))


def double(players: int, *, second_final: bool = True) -> Bracket:
    """Double elimination: out after two losses.

    Losers come into the lower part from the far end of the upper one, turned and halved in turn, so that those who have met meet again as
    late as may be.

    Args:
        players: How many, at least 2.
        second_final: Whether the winner of the lower part has to win twice, for the other has not lost yet.

    Raises:
        TournamentError: There are fewer than two.
    """
    if players < 2:
        raise TournamentError(_("A knock-out needs two players at least."))
    upper = _tree([Seed(n) for n in places(size_for(players))], Part.MAIN, "M")
    matches = [match for each in upper for match in each]
    alive: list[Source] = [From(match.ident, winner=False) for match in upper[0]]
    number = 0
    for n, dropping in enumerate(upper[1:], 1):
        number += 1
        paired = _pairs(alive, Part.LOWER, "L", number)
        number += 1
        losers = _turned([From(match.ident, winner=False) for match in dropping], n)
        met = [
            Match(f"L{number}.{k}", Part.LOWER, number, From(match.ident, winner=True), loser)
            for k, (match, loser) in enumerate(zip(paired, losers, strict=True), 1)
        ]
        matches += [*paired, *met]
        alive = [From(match.ident, winner=True) for match in met]
    final = Match("F1.1", Part.FINAL, 1, From(upper[-1][0].ident, winner=True), alive[0])
    matches.append(final)
    if not second_final:
        return Bracket(tuple(matches), (final.ident,))
    again = Match("F2.1", Part.FINAL, 2, From(final.ident, winner=False), From(final.ident, winner=True), second=True)
    return Bracket((*matches, again), (final.ident, again.ident))


def consolation(main: Bracket, rounds: Sequence[int] = (1,)) -> Bracket:
    """A bracket of those who lost in the main one: `rounds` (1,) is a consolation, the next ones a last chance.

    Args:
        main: The main bracket.
        rounds: Whose losers it takes; those of later ones come in behind.

    Raises:
        TournamentError: Nobody loses there, or only one does.
    """
    losers: list[Source] = [
        From(match.ident, winner=False) for number in rounds for match in main.matches if (match.part, match.round) == (Part.MAIN, number)
    ]
    if len(losers) < 2:
        raise TournamentError(_("A consolation needs the losers of a round with two matches at least."))
    count = size_for(len(losers))
    standing = [losers[n - 1] if n <= len(losers) else Seed(0) for n in places(count)]
    tree = _tree(standing, Part.CONSOLATION, "C")
    return Bracket(tuple(match for each in tree for match in each), (tree[-1][0].ident,))


def _tree(sources: Sequence[Source], part: Part, letter: str) -> list[list[Match]]:
    rounds: list[list[Match]] = []
    while len(sources) > 1:
        rounds.append(_pairs(sources, part, letter, len(rounds) + 1))
        sources = [From(match.ident, winner=True) for match in rounds[-1]]
    return rounds


def _pairs(sources: Sequence[Source], part: Part, letter: str, number: int) -> list[Match]:
    both = list(pairwise(sources))[::2]
    return [Match(f"{letter}{number}.{n}", part, number, left, right) for n, (left, right) in enumerate(both, 1)]


def _turned(losers: list[Source], n: int) -> list[Source]:
    """Turned round, and in every second round its halves exchanged as well."""
    turned = losers[::-1]
    half = len(turned) // 2
    return turned if n % 2 or not half else [*turned[half:], *turned[:half]]


# ── What the results make of it ──────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Seat:
    """One place of a match: who sits there."""

    known: bool
    """Whether it is settled who does."""
    player: Player | None
    """None: nobody, or nobody yet."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One match as it stands."""

    match: Match
    left: Seat
    right: Seat
    winner: Seat
    loser: Seat

    @property
    def open(self) -> bool:
        """Whether it is to be played: both are there, and none has won."""
        return self.left.player is not None and self.right.player is not None and not self.winner.known


NOBODY = Seat(known=True, player=None)
NOT_YET = Seat(known=False, player=None)


def stand(bracket: Bracket, entries: Sequence[Player | None], results: Mapping[str, Side | None]) -> tuple[Standing, ...]:
    """How every match stands.

    Args:
        bracket: Which.
        entries: Who has which seed, the first seed first; None and what is missing are byes.
        results: Which side won each match, by its id; None: neither came, and both are out.

    Raises:
        TournamentError: A match has a result that cannot be played yet, or there is no such match.
    """
    known = {match.ident for match in bracket.matches}
    for ident in results:
        if ident not in known:
            raise TournamentError(_("The bracket has no match {match}.", match=ident))
    return follow(bracket, entries, results, {})


def follow(
    bracket: Bracket,
    entries: Sequence[Player | None],
    results: Mapping[str, Side | None],
    others: Mapping[str, Standing],
    gone: Collection[Player] = (),
) -> tuple[Standing, ...]:
    """The same for a bracket that takes players from another one.

    Args:
        bracket: Which.
        entries: As in `stand`.
        results: As in `stand`; what belongs to other brackets is left alone.
        others: The other bracket's matches, by id.
        gone: Who plays no more, and loses whatever has no result, in the order in which they left: of two the first one loses.
    """
    done: dict[str, Standing] = dict(others)
    made = []
    for match in bracket.matches:
        left, right = (_seat(source, entries, done) for source in (match.left, match.right))
        told = results if _instead(match, done) is not None else _with_leaving(match, left, right, results, gone)
        standing = _standing(match, left, right, told, done)
        done[match.ident] = standing
        made.append(standing)
    return tuple(made)


def _with_leaving(
    match: Match, left: Seat, right: Seat, results: Mapping[str, Side | None], gone: Collection[Player]
) -> Mapping[str, Side | None]:
    first = next((each for each in gone if each in {left.player, right.player}), None)
    if match.ident in results or left.player is None or right.player is None or first is None:
        return results
    return {match.ident: Side.RIGHT if first == left.player else Side.LEFT}


def _seat(source: Source, entries: Sequence[Player | None], done: Mapping[str, Standing]) -> Seat:
    if isinstance(source, Seed):
        return Seat(known=True, player=entries[source.number - 1]) if 0 < source.number <= len(entries) else NOBODY
    return done[source.match].winner if source.winner else done[source.match].loser


def _standing(match: Match, left: Seat, right: Seat, results: Mapping[str, Side | None], done: Mapping[str, Standing]) -> Standing:
    told, won = match.ident in results, results.get(match.ident)
    first = _instead(match, done)
    if first is not None:
        if told:
            raise TournamentError(_("Match {match} has a result and is not played.", match=match.ident))
        return Standing(match, NOBODY, NOBODY, NOBODY, NOBODY) if first.winner.known else _waiting(match, NOT_YET, NOT_YET)
    if told:
        if left.player is None or right.player is None:
            raise TournamentError(_("Match {match} has a result and nobody knows yet who plays it.", match=match.ident))
        if won is None:
            return Standing(match, left, right, NOBODY, NOBODY)
        return Standing(match, left, right, *((left, right) if won is Side.LEFT else (right, left)))
    if left.known and right.known and (left.player is None or right.player is None):
        return Standing(match, left, right, left if right.player is None else right, NOBODY)
    return _waiting(match, left, right)


def _instead(match: Match, done: Mapping[str, Standing]) -> Standing | None:
    """The first final, where this is the second and not played, as far as that one is known; None: it is a match as all others."""
    if not match.second or not isinstance(match.left, From):
        return None
    first = done[match.left.match]
    return None if _lower_won(first) else first


def _waiting(match: Match, left: Seat, right: Seat) -> Standing:
    return Standing(match, left, right, NOT_YET, NOT_YET)


def _lower_won(final: Standing) -> bool:
    """Whether the winner of the lower part, who sits right, has won the first final."""
    return final.winner.known and final.winner.player is not None and final.winner == final.right


def champion(bracket: Bracket, standings: Sequence[Standing]) -> Player | None:
    """Who has won it all, or None: nobody has yet."""
    by_id = {each.match.ident: each for each in standings}
    first = by_id[bracket.last[0]]
    if len(bracket.last) > 1 and _lower_won(first):
        return by_id[bracket.last[1]].winner.player
    return first.winner.player
