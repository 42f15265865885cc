"""What happened round by round in a tournament whose rounds are paired: values that standings and pairings are worked out from.

A round of one player is a `Card`: whom he was paired with, and what came of it. Words of results are those of event files.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from kiosk.domain.errors import KioskError
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Player: TypeAlias = int | str
"""Whatever names a player: a number, an id."""


class TournamentError(KioskError, ValueError):
    """You erred: an event says something that cannot be; the text names round and player."""


class Result(StrEnum):
    """What a round brought one player."""

    WIN = "win"
    LOSS = "loss"
    DRAW = "draw"
    """Not in backgammon or nardy; events of other games are read all the same."""
    BYE_WIN = "bye_win"
    """Nobody was left to play with; it counts as a win."""
    FORFEIT_WIN = "forfeit_win"
    """The other did not come: +."""
    FORFEIT_LOSS = "forfeit_loss"
    """The player did not come: −."""
    ABSENT = "absent"
    """Not paired: withdrawn, not arrived yet, or resting."""


POINTS: Mapping[Result, float] = MappingProxyType(
    {
        Result.WIN: 1.0,
        Result.LOSS: 0.0,
        Result.DRAW: 0.5,
        Result.BYE_WIN: 1.0,
        Result.FORFEIT_WIN: 1.0,
        Result.FORFEIT_LOSS: 0.0,
        Result.ABSENT: 0.0,
    }
)
"""Win 1, loss 0 (000 §10)."""

PLAYED = frozenset({Result.WIN, Result.LOSS, Result.DRAW})
"""The board decided."""

WON = frozenset({Result.WIN, Result.BYE_WIN, Result.FORFEIT_WIN})
"""Counted as wins."""

ALONE = frozenset({Result.BYE_WIN, Result.ABSENT})
"""There is no opponent."""

AGAINST: Mapping[Result, tuple[Result, ...]] = MappingProxyType(
    {
        Result.WIN: (Result.LOSS,),
        Result.LOSS: (Result.WIN,),
        Result.DRAW: (Result.DRAW,),
        Result.FORFEIT_WIN: (Result.FORFEIT_LOSS,),
        Result.FORFEIT_LOSS: (Result.FORFEIT_WIN, Result.FORFEIT_LOSS),
    }
)
"""What the opponent of a result has, the usual first; both may have stayed away."""


@dataclass(frozen=True, slots=True)
class Card:
    """One round of one player."""

    opponent: Player | None
    """None: there was none."""
    result: Result
    """What it brought."""
    difference: int = 0
    """Points won in the match less points lost."""


NOTHING = Card(None, Result.ABSENT)
"""A round of which nothing is told."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of an event: a round of a player, as somebody wrote it."""

    round: int
    """From 1 on."""
    player: Player
    opponent: Player | None
    result: Result
    difference: int = 0


class Record:
    """All rounds of all players up to now."""

    def __init__(self, players: Iterable[Player], rounds: int, entries: Iterable[Entry] = ()) -> None:
        """Gather entries; each pairing is told by both of its players, or by one, then the other's is worked out.

        Args:
            players: In the order of the entry list; it is kept where nothing else decides.
            rounds: So many were played.
            entries: In any order.

        Raises:
            TournamentError: A player is unknown, twice in a round, plays himself, or two lines contradict each other.
        """
        self.players = tuple(players)
        self.rounds = rounds
        self.order: dict[Player, int] = {player: n for n, player in enumerate(self.players)}
        if len(self.order) != len(self.players):
            twice = next(player for n, player in enumerate(self.players) if self.order[player] != n)
            raise TournamentError(_("The entry list names a player twice: {player}.", player=twice))
        self._cards: dict[Player, dict[int, Card]] = {player: {} for player in self.players}
        entries = list(entries)
        for entry in entries:
            self._check(entry)
            self._put(entry.round, entry.player, Card(entry.opponent, entry.result, entry.difference))
        for entry in entries:
            self._other_side(entry)

    def _check(self, entry: Entry) -> None:
        where = {"round": entry.round, "player": entry.player}
        if not 1 <= entry.round <= self.rounds:
            raise TournamentError(_("round {round}, player {player}: the rounds are 1 to {last}.", last=self.rounds, **where))
        for each in (entry.player, entry.opponent):
            if each is not None and each not in self.order:
                raise TournamentError(_("round {round}, player {player}: {name} is not on the entry list.", name=each, **where))
        if entry.opponent is None and entry.result not in ALONE:
            raise TournamentError(_("round {round}, player {player}: {result} needs an opponent.", result=entry.result, **where))
        if entry.opponent is not None and entry.result in ALONE:
            raise TournamentError(_("round {round}, player {player}: {result} has no opponent.", result=entry.result, **where))
        if entry.opponent == entry.player:
            raise TournamentError(_("round {round}, player {player}: nobody plays himself.", **where))

    def _put(self, number: int, player: Player, card: Card) -> None:
        if number in self._cards[player]:
            raise TournamentError(_("round {round}, player {player}: the player is there twice.", round=number, player=player))
        self._cards[player][number] = card

    def _other_side(self, entry: Entry) -> None:
        if entry.opponent is None:
            return
        told = self._cards[entry.opponent].get(entry.round)
        if told is None:
            self._cards[entry.opponent][entry.round] = Card(entry.player, AGAINST[entry.result][0], -entry.difference)
        elif told.opponent != entry.player or told.result not in AGAINST[entry.result]:
            said = {"round": entry.round, "one": entry.player, "other": entry.opponent}
            raise TournamentError(_("round {round}: {one} and {other} tell different things of their match.", **said))

    def card(self, player: Player, number: int) -> Card:
        """One round of a player."""
        return self._cards[player].get(number, NOTHING)

    def cards(self, player: Player) -> tuple[Card, ...]:
        """All rounds of a player, from the first on."""
        return tuple(self.card(player, number) for number in range(1, self.rounds + 1))

    def points(self, player: Player) -> float:
        """What a player has."""
        return sum(POINTS[card.result] for card in self._cards[player].values())

    def opponents(self, player: Player) -> frozenset[Player]:
        """Everybody with whom a player was paired, whether they played or one of them stayed away."""
        return frozenset(card.opponent for card in self._cards[player].values() if card.opponent is not None)
