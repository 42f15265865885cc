"""Ratings over a whole event: every match that was decided at the board, one after the other, as `kiosk.tournament.ratings` reckons.

Forfeits and byes are not rated, nor are matches of which nobody told to how many points they were played, nor those of one who fixed
matches, which are annulled.

Decision: a round robin strikes the results of one who leaves early out of its table; they were played all the same, and are rated.
Decision: a pair has a rating of its own, as the entry list tells it; whoever enters again goes on with the rating that he has.

The order is that in which they were played: in a Swiss stage and a knock-out by rounds, for nobody plays a round before the one ahead of
it; between stages, and within a round robin, in which matches are played early and late, as their first results came in. A result that is
put right later keeps its place.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk.tournament.happened import Leave, Outcome
from kiosk.tournament.plan import System
from kiosk.tournament.ratings import BEGIN, Ramp, Rating, after
from kiosk.tournament.stages import AT_THE_BOARD, Fixture, fixtures

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kiosk.tournament.event import Event, Stage
    from kiosk.tournament.results import Player

DIGITS = 6
"""Behind the point, for programs."""


@dataclass(frozen=True, slots=True)
class Game:
    """A match that is rated."""

    winner: Player
    loser: Player
    length: int
    """Points that were needed to win; 0: nobody told, and it is not rated."""


@dataclass(frozen=True, slots=True)
class Change:
    """What an event did to a player's rating."""

    player: Player
    before: Rating
    after: Rating
    matches: int = 0
    """How many were rated."""
    won: int = 0

    @property
    def change(self) -> float:
        """How much the rating rose; negative: it fell."""
        return self.after.value - self.before.value


@dataclass(frozen=True, slots=True)
class Rated:
    """An event's ratings."""

    changes: tuple[Change, ...]
    """Of everybody on the entry list, the highest rating first."""
    without_length: int
    """How many matches are not rated because nobody told to how many points they were played."""


def rating_of(value: float | None, experience: int | None) -> Rating:
    """Where somebody begins, as the entry list tells it; None: nobody told, and he begins as a beginner does."""
    return Rating(BEGIN if value is None else value, experience or 0)


def rated(games: Iterable[Game], begin: Mapping[Player, Rating], ramp: Ramp = Ramp.FIBS) -> Rated:
    """Reckon matches, one after the other.

    Args:
        games: In the order in which they were played.
        begin: The rating with which each player comes.
        ramp: How experience counts.
    """
    changes = {player: Change(player, rating, rating) for player, rating in begin.items()}
    without = 0
    for game in games:
        if not game.length:
            without += 1
            continue
        winner, loser = changes[game.winner], changes[game.loser]
        won, lost = after(winner.after, loser.after, game.length, ramp)
        changes[game.winner] = replace(winner, after=won, matches=winner.matches + 1, won=winner.won + 1)
        changes[game.loser] = replace(loser, after=lost, matches=loser.matches + 1)
    return Rated(tuple(sorted(changes.values(), key=lambda each: -each.after.value)), without)


def as_plain(each: Change, name: str) -> dict[str, object]:
    """A player's change for programs.

    Args:
        each: What the event did to his rating.
        name: What he is called.
    """
    return {
        "player": each.player,
        "name": name,
        "before": round(each.before.value, DIGITS),
        "after": round(each.after.value, DIGITS),
        "change": round(each.change, DIGITS),
        "matches": each.matches,
        "won": each.won,
        "experience_before": each.before.experience,
        "experience": each.after.experience,
    }


def rated_event(event: Event) -> Rated:
    """The ratings of an event as it stands now; whoever entered again stands under the number of his first entry.

    Args:
        event: The whole of it.
    """
    begin: dict[Player, Rating] = {
        each.ident: rating_of(each.rating, each.experience) for each in event.entrants.values() if each.again is None
    }
    return rated(_games(event), begin, event.rating.ramp)


def _games(event: Event) -> Iterator[Game]:
    for stage, each in _played(event):
        if each.left is None or each.right is None or each.outcome not in AT_THE_BOARD:
            continue
        if Leave.FIXING in {event.left.get(each.left), event.left.get(each.right)}:
            continue
        winner, loser = (each.left, each.right) if each.outcome is Outcome.LEFT else (each.right, each.left)
        yield Game(event.first_entry(winner), event.first_entry(loser), stage.ended[each.key].length or event.rating.length)


def _played(event: Event) -> list[tuple[Stage, Fixture]]:
    """The matches with a result that somebody entered, in the order in which they were played."""
    found: list[tuple[int, int, int, Stage, Fixture]] = []
    for stage in event.stages:
        latest: dict[int | None, int] = {}
        for n, each in enumerate(fixtures(event, stage)):
            if not each.entered:
                continue
            at = event.first[stage.number, each.key]
            if stage.plan.system is not System.ROUND_ROBIN:
                at = max(at, latest.get(each.left, 0), latest.get(each.right, 0))
                latest[each.left] = latest[each.right] = at
            found.append((at, stage.number, n, stage, each))
    return [(stage, each) for *_order, stage, each in sorted(found, key=lambda one: one[:3])]
