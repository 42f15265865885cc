"""An event as a file: plain JSON in, values out. What it may hold is in `.github/REFERENCE.md`, "Event files".

    {"players": 8, "rounds": 5, "results": [{"round": 1, "player": 1, "opponent": 6, "result": "win"}, …],
     "tiebreaks": ["buchholz", …], "unplayed": "virtual"}

`players` is a number, and the players are called 1, 2, 3 …, or a list of objects with `id` (a number or a text), and where wanted `name`,
`club`, `rating`, `experience`, `withdrawn`. For ratings `length`, of the event or of one result, tells to how many points was played.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from kiosk.domain.setup import LONGEST_MATCH
from kiosk.say import _
from kiosk.tournament.rated import Game, Rated, rated, rating_of
from kiosk.tournament.ratings import Ramp
from kiosk.tournament.results import Entry, Player, Record, Result, TournamentError
from kiosk.tournament.standings import USUAL, TieBreak
from kiosk.tournament.swiss import FirstRound, Wishes
from kiosk.tournament.tiebreaks import Unplayed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kiosk.tournament.ratings import Rating

Match: TypeAlias = "tuple[int, frozenset[Player]]"
"""A round, and the two who play."""
MOST_PLAYERS = 5_000
MOST_ROUNDS = 200
MOST_RATING, MOST_EXPERIENCE = 9_999, 1_000_000

_Word = TypeVar("_Word", TieBreak, Unplayed, FirstRound, Result, Ramp)


def check_text(plain: object) -> None:
    """Refuse what JSON can say and no text holds: half of a character.

    Args:
        plain: What JSON held.

    Raises:
        TournamentError: A text of it has one.
    """
    match plain:
        case str():
            if any("\ud800" <= letter <= "\udfff" for letter in plain):
                shown = plain.encode("utf-8", "replace").decode()[:40]
                raise TournamentError(_("“{text}” has half of a character in it; write the name anew.", text=shown))
        case list():
            for each in plain:
                check_text(each)
        case dict():
            check_text([*plain, *plain.values()])
        case _:
            pass


@dataclass(frozen=True, slots=True)
class Listed:
    """One player of the entry list."""

    ident: int | str
    name: str
    club: str = ""
    withdrawn: bool = False
    rating: float | None = None
    experience: int | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """What an event's file says."""

    players: tuple[Listed, ...]
    record: Record
    tiebreaks: tuple[TieBreak, ...]
    unplayed: Unplayed
    seed: str
    """The public seed of its draws; may be empty."""
    wishes: Wishes
    ramp: Ramp = Ramp.FIBS
    length: int = 0
    """To how many points was played where a result does not tell it; 0: nobody knows."""
    lengths: Mapping[Match, int] = field(default_factory=dict)
    """To how many points a match was played of which a result tells it."""

    @property
    def playing(self) -> tuple[Player, ...]:
        """Whoever has not withdrawn."""
        return tuple(each.ident for each in self.players if not each.withdrawn)

    def ratings(self) -> Rated:
        """Everybody's rating before and after: round by round, as `kiosk.tournament.rated` reckons."""
        begin: dict[Player, Rating] = {each.ident: rating_of(each.rating, each.experience) for each in self.players}
        return rated(self._games(), begin, self.ramp)

    def _games(self) -> Iterator[Game]:
        for number in range(1, self.record.rounds + 1):
            for player in self.record.players:
                card = self.record.card(player, number)
                if card.result is Result.WIN and card.opponent is not None:
                    length = self.lengths.get((number, frozenset((player, card.opponent))), self.length)
                    yield Game(player, card.opponent, length)


KEYS = frozenset({"players", "rounds", "results", "tiebreaks", "unplayed", "seed", "forbidden", "avoid", "first", "length", "ramp"})
PLAYER_KEYS = frozenset({"id", "name", "club", "country", "rating", "experience", "withdrawn"})
RESULT_KEYS = frozenset({"round", "player", "opponent", "result", "difference", "length"})
WON, LOST = frozenset({Result.WIN, Result.FORFEIT_WIN}), frozenset({Result.LOSS, Result.FORFEIT_LOSS})
AVOID = frozenset({"club", "floats"})


def event_from_plain(plain: object) -> Event:
    """The event that a file's JSON holds.

    Args:
        plain: What JSON held.

    Raises:
        TournamentError: It is none; the sentence names the key, with its place in a list.
    """
    if not isinstance(plain, dict):
        raise TournamentError(_("An event's file holds one JSON object."))
    _known(plain, KEYS, "")
    players = _players(plain.get("players"))
    rounds = _number(plain.get("rounds", 0), "rounds", MOST_ROUNDS)
    idents = [each.ident for each in players]
    told = _list(plain.get("results", []), "results")
    entries = [_entry(each, f"results[{n}]") for n, each in enumerate(told)]
    tiebreaks = [_word(TieBreak, each, f"tiebreaks[{n}]") for n, each in enumerate(_list(plain.get("tiebreaks", list(USUAL)), "tiebreaks"))]
    return Event(
        players,
        Record(idents, rounds, entries),
        tuple(tiebreaks),
        _word(Unplayed, plain.get("unplayed", "virtual"), "unplayed"),
        _text(plain.get("seed", ""), "seed"),
        _wishes(plain, players),
        _word(Ramp, plain.get("ramp", "fibs"), "ramp"),
        _number(plain.get("length", 0), "length", LONGEST_MATCH),
        _lengths(told, entries),
    )


def _lengths(told: list[Any], entries: list[Entry]) -> dict[Match, int]:
    """To how many points was played, where a result tells it; both sides' results may."""
    found: dict[Match, int] = {}
    for n, (plain, entry) in enumerate(zip(told, entries, strict=True)):
        if "length" not in plain or entry.opponent is None:
            continue
        length, match = (
            _number(plain["length"], f"results[{n}].length", LONGEST_MATCH),
            (entry.round, frozenset((entry.player, entry.opponent))),
        )
        if found.setdefault(match, length) != length:
            said = {"round": entry.round, "one": entry.player, "other": entry.opponent}
            raise TournamentError(_("round {round}: {one} and {other} tell different things of their match.", **said))
    return found


def _wishes(plain: Mapping[str, Any], players: tuple[Listed, ...]) -> Wishes:
    forbidden = []
    idents = {each.ident for each in players}
    for n, both in enumerate(_list(plain.get("forbidden", []), "forbidden")):
        if not isinstance(both, list) or len(both) != 2 or any(type(each) not in {int, str} or each not in idents for each in both):
            raise TournamentError(_("{key}: two players of the entry list stand here.", key=f"forbidden[{n}]"))
        if both[0] == both[1]:
            raise TournamentError(_("Nobody can be forbidden to meet himself."))
        if frozenset(both) in forbidden:
            raise TournamentError(_("{key}: these two stand there already.", key=f"forbidden[{n}]"))
        forbidden.append(frozenset(both))
    avoid = _list(plain.get("avoid", []), "avoid")
    for n, each in enumerate(avoid):
        if each not in AVOID:
            raise TournamentError(_("{key} must be one of {words}.", key=f"avoid[{n}]", words=", ".join(sorted(AVOID))))
    clubs = {each.ident: each.club for each in players if each.club} if "club" in avoid else {}
    return Wishes(frozenset(forbidden), clubs, "floats" in avoid, _word(FirstRound, plain.get("first", "drawn"), "first"))


def _players(plain: object) -> tuple[Listed, ...]:
    if isinstance(plain, list) and 2 <= len(plain) <= MOST_PLAYERS:
        return tuple(_player(each, n) for n, each in enumerate(plain))
    if type(plain) is int and 2 <= plain <= MOST_PLAYERS:
        return tuple(Listed(n, str(n)) for n in range(1, plain + 1))
    raise TournamentError(_("players: the number of players, or their list, with 2 to {most} of them.", most=MOST_PLAYERS))


def _player(plain: object, n: int) -> Listed:
    where = f"players[{n}]"
    if not isinstance(plain, dict):
        raise TournamentError(_("{key} must be an object.", key=where))
    _known(plain, PLAYER_KEYS, f"{where}.")
    ident = plain.get("id", n + 1)
    if type(ident) not in {int, str}:
        raise TournamentError(_("{key} must be a number or a text.", key=f"{where}.id"))
    withdrawn = plain.get("withdrawn", False)
    if not isinstance(withdrawn, bool):
        raise TournamentError(_("{key} must be true or false.", key=f"{where}.withdrawn"))
    name = _text(plain.get("name", str(ident)), f"{where}.name")
    experience = plain.get("experience")
    if experience is not None:
        experience = _number(experience, f"{where}.experience", MOST_EXPERIENCE)
    return Listed(ident, name, _text(plain.get("club", ""), f"{where}.club"), withdrawn, _rating(plain.get("rating"), where), experience)


def _rating(value: object, where: str) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_RATING:
        raise TournamentError(_("{key} must be a number from 0 to {most}.", key=f"{where}.rating", most=MOST_RATING))
    return float(value)


def _entry(plain: object, where: str) -> Entry:
    if not isinstance(plain, dict):
        raise TournamentError(_("{key} must be an object.", key=where))
    _known(plain, RESULT_KEYS, f"{where}.")
    for key in ("player", "opponent"):
        if type(plain.get(key)) not in ({int, str} if key == "player" else {int, str, type(None)}):
            raise TournamentError(_("{key} must be a player's id.", key=f"{where}.{key}"))
    difference = plain.get("difference", 0)
    if type(difference) is not int:
        raise TournamentError(_("{key} must be a whole number.", key=f"{where}.difference"))
    number = _number(plain.get("round"), f"{where}.round", MOST_ROUNDS)
    result = _word(Result, plain.get("result"), f"{where}.result")
    if (difference > 0 and result not in WON) or (difference < 0 and result not in LOST):
        raise TournamentError(_("{key}: {points} does not go with {result}.", key=f"{where}.difference", points=difference, result=result))
    return Entry(number, plain["player"], plain.get("opponent"), result, difference)


def _known(plain: Mapping[str, Any], keys: frozenset[str], where: str) -> None:
    for key in plain:
        if key not in keys:
            raise TournamentError(_("{key} is not known here; known are {words}.", key=f"{where}{key}", words=", ".join(sorted(keys))))


def _list(value: object, key: str) -> list[Any]:
    if not isinstance(value, list):
        raise TournamentError(_("{key} must be a list.", key=key))
    return value


def _text(value: object, key: str) -> str:
    if not isinstance(value, str):
        raise TournamentError(_("{key} must be a text.", key=key))
    return value


def _number(value: object, key: str, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise TournamentError(_("{key} must be a whole number up to {most}.", key=key, most=most))
    return value


def _word(kind: type[_Word], value: object, key: str) -> _Word:
    words = {member.value: member for member in kind}
    if not isinstance(value, str) or value not in words:
        raise TournamentError(_("{key} must be one of {words}.", key=key, words=", ".join(words)))
    return words[value]
