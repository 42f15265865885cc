"""A match's transcript out of the turns that were written down at its table, and the games as they were recorded.

What the board notes is `TurnNoted`: a game, a place among its turns, a side and a text (`53: 8/3 6/3`, `double`, `take`, `drop`). Each one
writes over what stood at its place and after it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from kiosk.domain.facts import SeatsExchanged, SeatsSwapped, TurnNoted
from kiosk.domain.rulebook import Kind
from kiosk.domain.types import Pair, Side
from kiosk.play.board import Game
from kiosk.play.notation import NOTHING, read_move, written
from kiosk.play.rules import PlayRules
from kiosk.play.transcript import Act, Progress, Terms, Told, Transcript, TranscriptError, Turn, begin, told
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kiosk.domain.facts import Fact
    from kiosk.domain.setup import MatchSetup
    from kiosk.domain.state import Game as Recorded
    from kiosk.domain.state import Table

_ROLL = re.compile(r"([1-6])([1-6]):(.*)")
_ACTS = {"double": Act.DOUBLE, "take": Act.TAKE, "drop": Act.PASS}
_NAMES = {act: name for name, act in _ACTS.items()}


def noted(turn: Turn) -> str:
    """A turn as it is written down.

    Args:
        turn: A move, a double, a take or a pass.
    """
    if turn.dice is None:
        return _NAMES[turn.act]
    move = written(turn.steps) if turn.steps else NOTHING
    return f"{turn.dice[0]}{turn.dice[1]}: {move}"


def read_turn(side: Side, what: str) -> Turn:
    """A turn out of what was written down.

    Raises:
        TranscriptError: It is none.
        NotationError: Its move cannot be read.
    """
    if what in _ACTS:
        return Turn(side, _ACTS[what])
    found = _ROLL.fullmatch(what)
    if found is None:
        raise TranscriptError(_("{text} is no turn; it is written as 53: 8/3 6/3, or as double, take or drop.", text=what))
    first, second, move = found.groups()
    return Turn(side, dice=(int(first), int(second)), steps=read_move(move.strip() or NOTHING, Game.BACKGAMMON))


def turns_of(facts: Iterable[Fact]) -> dict[int, tuple[Turn, ...]]:
    """What was written down, by game.

    Args:
        facts: The match's, in order.

    Raises:
        BoardError: One of them is none.
    """
    games: dict[int, list[Turn]] = {}
    for fact in facts:
        if isinstance(fact, SeatsSwapped | SeatsExchanged):  # names and score followed; so does who moved
            games = {game: [replace(turn, side=turn.side.other) for turn in turns] for game, turns in games.items()}
        if isinstance(fact, TurnNoted):
            turns = games.setdefault(fact.game, [])
            del turns[fact.n - 1 :]
            if fact.what:
                turns.append(read_turn(fact.side, fact.what))
    return {game: tuple(turns) for game, turns in games.items() if turns}


def transcript_of(table: Table, facts: Iterable[Fact]) -> Transcript:
    """The match from its first game on whose turns were written down.

    A game that was not written down to its end ends as it was recorded; one that was not written down at all, between others, is told by
    its result alone, where the format can say it.

    Args:
        table: The match as it stands.
        facts: All that happened in it, in order.

    Raises:
        TranscriptError: Nothing was written down, it is long nardy, or the turns do not come to what was recorded.
    """
    turns = turns_of(facts)
    return _until(table, turns, max(turns, default=0))


def game_so_far(table: Table, facts: Iterable[Fact], game: int) -> Told:
    """A game as far as it was written down.

    Args:
        table: The match as it stands.
        facts: All that happened in it, in order.
        game: Its number.

    Raises:
        TranscriptError: It is long nardy, or the turns of a game before it do not come to what was recorded.
    """
    turns = turns_of(facts)
    before = {number: told for number, told in turns.items() if number < game}
    told_before = _until(table, before, game - 1, first=min(before, default=game))
    if game not in turns:
        return begin(told_before)
    return told(replace(told_before, games=(*told_before.games, turns[game])))[-1]


def _until(table: Table, turns: dict[int, tuple[Turn, ...]], last: int, first: int | None = None) -> Transcript:
    setup = table.setup
    if setup is None or (first is None and not turns):
        raise TranscriptError(_("No moves of this match were written down."))
    start = min(turns) if first is None else first
    recorded = {game.n: game for game in table.games if not game.void}
    before = [recorded[n] for n in sorted(recorded) if n < start]
    score = Pair(*(setup.score[side] + sum(game.points for game in before if game.winner is side) for side in (Side.LEFT, Side.RIGHT)))
    played = setup.crawford_played or any(game.crawford for game in before)
    names = Pair(*(" & ".join(setup.players[side]) for side in (Side.LEFT, Side.RIGHT)))
    empty = Transcript(names, setup.length or 0, (), terms_of(setup), score, played)
    for number in range(start, last + 1):
        empty = _with(empty, number, turns.get(number, ()), recorded.get(number))
    return empty


def terms_of(setup: MatchSetup) -> Terms:
    """What a match is played by.

    Raises:
        TranscriptError: It is long nardy: no program reads it.
    """
    if setup.game != "backgammon":
        raise TranscriptError(_("A match of long nardy cannot be told in this way: no other program reads it."))
    return Terms(PlayRules(), setup.kinds, setup.cube, setup.crawford, setup.jacoby)


def _with(transcript: Transcript, number: int, turns: tuple[Turn, ...], recorded: Recorded | None) -> Transcript:
    """The transcript with one game more."""
    told_so_far = told(replace(transcript, games=(*transcript.games, turns)))[-1].progress
    done = told_so_far if recorded is None or told_so_far.winner is not None else _ended(told_so_far, recorded)
    if recorded is not None and (done.winner, done.points) != (recorded.winner, recorded.points):
        raise TranscriptError(
            _(
                "Game {n}: the turns that were written down come to {points} points for {side}, the record says {wanted} for {winner}.",
                n=number,
                points=done.points,
                side=_(done.winner or "nobody"),
                wanted=recorded.points,
                winner=_(recorded.winner),
            )
        )
    return replace(transcript, games=(*transcript.games, done.turns))


def _ended(progress: Progress, recorded: Recorded) -> Progress:
    """Ended as it was recorded: by a pass, else by a resignation."""
    loser = recorded.winner.other
    if recorded.kind is Kind.PASS:
        offered = progress if progress.offered else progress.add(Turn(recorded.winner, Act.DOUBLE))
        return offered.add(Turn(loser, Act.PASS))
    taken = progress.add(Turn(progress.acting or loser, Act.TAKE)) if progress.offered else progress
    return taken.add(Turn(loser, Act.RESIGN, kind=recorded.kind))
