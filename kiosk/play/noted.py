"""A match's transcript out of the turns that were written down at its table, and the games as they were recorded.

What the board notes is `TurnNoted`: a game, a place among its turns, a side and a text (`53: 8/3 6/3`, `double`, `take`, `drop`). Each one
writes over what stood at its place and after it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk.domain.asked import is_crawford_game
from kiosk.domain.facts import SeatsExchanged, SeatsSwapped, TurnNoted
from kiosk.domain.rulebook import Kind
from kiosk.domain.state import Game as Recorded
from kiosk.domain.types import SIDES, Pair, Side, present
from kiosk.play.board import BoardError, Game
from kiosk.play.notation import NOTHING, read_move, written
from kiosk.play.rules import PlayRules
from kiosk.play.transcript import Act, Progress, Start, Terms, Told, Transcript, TranscriptError, Turn, told
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kiosk.domain.facts import Fact
    from kiosk.domain.setup import MatchSetup
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


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A game whose moves are not told, and why."""

    game: int
    """Its number."""
    why: str
    """In a sentence."""
    whole: bool = False
    """Not even its result is told."""


@dataclass(frozen=True, slots=True)
class Noted:
    """A match as far as it was written down."""

    transcript: Transcript
    """Every game that was recorded, and the running one if any of its turns was written down."""
    left_out: tuple[LeftOut, ...] = ()
    """Whose moves it does not tell, in order."""


def noted_match(table: Table, facts: Iterable[Fact]) -> Noted:
    """The match, each game with its moves or by its result.

    A game that was not written down to its end ends as it was recorded. One of which nothing was written down, or whose turns do not come
    to what was recorded, is told by its result alone.

    Args:
        table: The match as it stands.
        facts: All that happened in it, in order.

    Raises:
        TranscriptError: It is long nardy, or of no game the moves can be told.
    """
    turns = turns_of(facts)
    if table.setup is None or not turns:
        raise TranscriptError(_("No moves of this match were written down."))
    setup, recorded = table.setup, _recorded(table)
    found = Noted(replace(_alone(table, (), 0), games=(), starts=(), score=setup.score, first=1))
    for number in sorted(recorded.keys() | turns.keys()):
        found = _with(found, table, turns.get(number, ()), number)
    if not any(turn.act is not Act.RESULT for game in found.transcript.games for turn in game):
        raise TranscriptError(" ".join(each.why for each in found.left_out if each.game in turns))
    return found


def game_so_far(table: Table, facts: Iterable[Fact], game: int) -> Told:
    """A game as far as it was written down.

    Args:
        table: The match as it stands.
        facts: All that happened in it, in order.
        game: Its number.

    Raises:
        TranscriptError: It is long nardy, or its turns do not follow each other.
    """
    return told(_alone(table, turns_of(facts).get(game, ()), game))[0]


def does_not_fit(table: Table, facts: Iterable[Fact], game: int) -> str:
    """Why a game's moves cannot be told as they were written down; empty where they can.

    Args:
        table: The match as it stands.
        facts: All that happened in it, in order.
        game: Its number.

    Raises:
        TranscriptError: It is long nardy.
    """
    turns = turns_of(facts).get(game, ())
    try:
        _ended_as_recorded(_alone(table, turns, game), _recorded(table).get(game))
    except BoardError as error:
        return str(error)
    return ""


def _recorded(table: Table) -> dict[int, Recorded]:
    return {game.n: game for game in table.games}


def _alone(table: Table, turns: tuple[Turn, ...], number: int) -> Transcript:
    """One game of the match, with what it began with."""
    setup = present(table.setup)
    names = Pair(*(" & ".join(setup.players[side]) for side in SIDES))
    return Transcript(names, setup.length or 0, (turns,), terms_of(setup), starts=(_start(table, number),), first=number)


def _start(table: Table, number: int) -> Start:
    """With what a game began: the score, penalty points before its end included, an automatic double, the Crawford rule."""
    score = present(table.setup).score
    for entry in table.ledger:
        if isinstance(entry, Recorded) and entry.n == number and not entry.void:
            return Start(score, 2 if entry.automatic else 1, entry.crawford)
        if not entry.void:
            side = entry.winner if isinstance(entry, Recorded) else entry.side.other
            score = score.put(side, score[side] + entry.points)
    return Start(score, 2 if table.cube.automatic else 1, is_crawford_game(table))


def _with(found: Noted, table: Table, turns: tuple[Turn, ...], number: int) -> Noted:
    """The match with one game more."""
    recorded, alone = _recorded(table).get(number), _alone(table, turns, number)
    out: tuple[LeftOut, ...] = ()
    try:
        if not turns:
            raise TranscriptError(_("Its moves were not written down."))
        told_as = _ended_as_recorded(alone, recorded)
    except BoardError as error:
        if recorded is None:
            return replace(found, left_out=(*found.left_out, LeftOut(number, str(error), whole=True)))
        told_as = (Turn(recorded.winner, Act.RESULT, kind=recorded.kind, cube=recorded.cube),)
        out = (LeftOut(number, str(error)),)
    try:
        told(replace(alone, games=(told_as,)))
    except BoardError as error:  # the match was over before it, say: what was corrected has left it behind
        return replace(found, left_out=(*found.left_out, LeftOut(number, str(error), whole=True)))
    match = found.transcript
    longer = replace(match, games=(*match.games, told_as), starts=(*match.starts, *alone.starts))
    return Noted(longer, (*found.left_out, *out))


def terms_of(setup: MatchSetup) -> Terms:
    """What a match is played by.

    Raises:
        TranscriptError: It is long nardy: no program reads it.
    """
    if setup.game != "backgammon":
        raise TranscriptError(_("A match of long nardy cannot be told in this way: no other program reads it."))
    return Terms(PlayRules(), setup.kinds, setup.cube, setup.crawford, setup.jacoby)


def _ended_as_recorded(alone: Transcript, recorded: Recorded | None) -> tuple[Turn, ...]:
    """A game's turns, ended as it was recorded.

    Raises:
        TranscriptError: They do not follow each other, or do not come to what was recorded.
    """
    so_far = told(alone)[0].progress
    done = so_far if recorded is None or so_far.winner is not None else _ended(so_far, recorded)
    if recorded is not None and (done.winner, done.points) != (recorded.winner, recorded.points):
        raise TranscriptError(
            _(
                "The turns that were written down come to {points} for {side}, the record says {wanted} for {winner}.",
                points=done.points,
                side=alone.names[present(done.winner)],
                wanted=recorded.points,
                winner=alone.names[recorded.winner],
            )
        )
    return done.turns


def _ended(progress: Progress, recorded: Recorded) -> Progress:
    """Ended as it was recorded: by a pass, else by a resignation."""
    loser = recorded.winner.other
    if recorded.kind is Kind.PASS:
        offered = progress if progress.offered else progress.add(Turn(recorded.winner, Act.DOUBLE))
        return offered.add(Turn(loser, Act.PASS))
    taken = progress.add(Turn(progress.acting or loser, Act.TAKE)) if progress.offered else progress
    if taken.cube * 2 == recorded.cube and taken.acting is not None and taken.owner in {None, taken.acting}:  # one that nobody wrote down
        taken = taken.add(Turn(taken.acting, Act.DOUBLE)).add(Turn(taken.acting.other, Act.TAKE))
    return taken.add(Turn(loser, Act.RESIGN, kind=recorded.kind))
