"""A match told turn by turn, as plain JSON, in and out.

    {"players": {"left": "Ana", "right": "Boris"}, "length": 3, "rulebook": "ibgf", "games": [
      [{"side": "left", "dice": [3, 1], "move": "8/5 6/5"}, {"dice": [6, 2], "move": "24/18 13/11"}, {"do": "double"}, {"do": "take"}],
    ]}

`side` may be left out where it follows, and must be right where it stands; a game's first turn needs it, and a resignation. `do` is `move`
where it is left out; in a move `"-"` says that nothing could be moved. A game that was not written down is its result alone:
`{"side": "left", "do": "result", "kind": "gammon", "cube": 2}`, told by the winner's side. `score` (`{"left": 1, "right": 0}`) is that
before the first of these games, `crawford_played` says that the Crawford game was before them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kiosk.domain.rulebook import Kind
from kiosk.domain.types import SIDES, Pair, Side
from kiosk.play.board import BoardError, Game
from kiosk.play.notation import read_move, written_out
from kiosk.play.transcript import Act, Terms, Transcript, TranscriptError, Turn
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from enum import StrEnum

KEYS = frozenset({"players", "length", "rulebook", "games", "score", "crawford_played"})
TURN_KEYS = frozenset({"side", "do", "dice", "move", "kind", "cube"})
USUAL = "ibgf"
"""The rulebook where none is named."""
LONGEST = 99
"""Points of the longest match; and a score has no more."""
CUBES = frozenset({1, 2, 4, 8, 16, 32, 64})
DROP = "drop"
"""What a pass is called in .mat files; read as well."""


def transcript_from_plain(plain: object, terms_of: Callable[[str], Terms]) -> Transcript:
    """The match that a file's JSON holds; whether it can have been played, `told` says.

    Args:
        plain: What JSON held.
        terms_of: The terms of a rulebook, by its word.

    Raises:
        TranscriptError: It is none; the sentence names the key, or game and turn.
    """
    match = _object(plain, KEYS, _("A transcript"))
    players = _object(match.get("players", {}), frozenset(SIDES), "players")
    score = _object(match.get("score", {}), frozenset(SIDES), "score")
    book = match.get("rulebook", USUAL)
    if not isinstance(book, str) or not all(isinstance(players.get(side, ""), str) for side in SIDES):
        raise TranscriptError(_("{key} must be a text.", key="rulebook" if not isinstance(book, str) else "players"))
    played = match.get("crawford_played", False)
    if not isinstance(played, bool):
        raise TranscriptError(_("{key} must be true or false.", key="crawford_played"))
    games = _list(match.get("games"), "games")
    return Transcript(
        Pair(*(players.get(side, "") for side in SIDES)),
        _number(match.get("length"), "length"),
        tuple(_game(game, _("Game {n}", n=number)) for number, game in enumerate(games, start=1)),
        terms_of(book),
        Pair(*(_number(score.get(side, 0), f"score.{side}") for side in SIDES)),
        played,
    )


def transcript_to_plain(transcript: Transcript, rulebook: str) -> dict[str, Any]:
    """The same match for JSON.

    Args:
        transcript: The match.
        rulebook: The word of its rulebook.
    """
    return {
        "players": {side.value: transcript.names[side] for side in SIDES},
        "length": transcript.length,
        "rulebook": rulebook,
        "score": {side.value: transcript.score[side] for side in SIDES},
        "crawford_played": transcript.crawford_played,
        "games": [[_turn_to_plain(turn) for turn in game] for game in transcript.games],
    }


def _turn_to_plain(turn: Turn) -> dict[str, Any]:
    if turn.act is Act.MOVE:
        return {"side": turn.side.value, "dice": list(turn.dice or ()), "move": written_out(turn.steps)}
    plain: dict[str, Any] = {"side": turn.side.value, "do": turn.act.value}
    if turn.act is Act.RESULT:
        return plain | {"kind": turn.kind.value, "cube": turn.cube}
    return plain | ({"kind": turn.kind.value} if turn.act is Act.RESIGN else {})


def _game(plain: object, where: str) -> tuple[Turn, ...]:
    turns: list[Turn] = []
    for number, each in enumerate(_list(plain, where), start=1):
        turns.append(_turn(each, turns[-1] if turns else None, _("{where}, turn {n}", where=where, n=number)))
    return tuple(turns)


def _turn(plain: object, before: Turn | None, where: str) -> Turn:
    turn = _object(plain, TURN_KEYS, where)
    word = turn.get("do", Act.MOVE.value)
    act = _word(Act, Act.PASS.value if word == DROP else word, f"{where}: do")
    side = _side(turn, None if act is Act.RESIGN else before, where)
    if act in {Act.RESIGN, Act.RESULT}:
        kind = _word(Kind, turn.get("kind", Kind.SINGLE.value), f"{where}: kind")
        return Turn(side, act, kind=kind, cube=_cube(turn.get("cube", 1), where))
    if act is not Act.MOVE:
        return Turn(side, act)
    dice, move = turn.get("dice"), turn.get("move")
    if not isinstance(dice, list) or len(dice) != 2 or any(type(die) is not int or not 1 <= die <= 6 for die in dice):
        raise TranscriptError(_("{where}: dice are two numbers from 1 to 6.", where=where))
    if not isinstance(move, str):
        raise TranscriptError(
            _("{where}: move must be a text, such as {example}; it is - if nothing could be moved.", where=where, example="13/8 6/5")
        )
    try:
        return Turn(side, act, (dice[0], dice[1]), read_move(move, Game.BACKGAMMON))
    except BoardError as error:
        raise TranscriptError(f"{where}: {error}") from error


def _cube(value: object, where: str) -> int:
    if type(value) is not int or value not in CUBES:
        raise TranscriptError(_("{where}: cube is 1, 2, 4, 8, 16, 32 or 64.", where=where))
    return value


def _side(turn: Mapping[str, Any], before: Turn | None, where: str) -> Side:
    if "side" in turn:
        return Side(_word(Side, turn["side"], f"{where}: side"))
    if before is None:
        raise TranscriptError(_("{where}: side is missing; it is left or right.", where=where))
    return before.side.other  # a double is answered by the other side, and after its take the first one rolls


def _object(value: object, keys: frozenset[str], what: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise TranscriptError(_("{key} must be an object.", key=what))
    for key in value:
        if key not in keys:
            raise TranscriptError(
                _("{where}: {key} is not known here; known are {words}.", where=what, key=key, words=", ".join(sorted(keys)))
            )
    return value


def _list(value: object, key: str) -> list[Any]:
    if not isinstance(value, list):
        raise TranscriptError(_("{key} must be a list.", key=key))
    return value


def _number(value: object, key: str) -> int:
    if type(value) is not int or not 0 <= value <= LONGEST:
        raise TranscriptError(_("{key} must be a whole number up to {most}.", key=key, most=LONGEST))
    return value


def _word(kind: type[StrEnum], value: object, key: str) -> Any:  # noqa: ANN401 - a member of `kind`
    words = {member.value: member for member in kind}
    if not isinstance(value, str) or value not in words:
        raise TranscriptError(_("{key} must be one of {words}.", key=key, words=", ".join(words)))
    return words[value]
