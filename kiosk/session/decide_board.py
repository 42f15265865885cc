"""What was found out on the touch board, put on record; what `kiosk.play` does not say of a move, no record says."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from kiosk.domain import facts as f
from kiosk.domain.errors import CommandRefused, Refusal
from kiosk.domain.rulebook import PlayOptions
from kiosk.domain.setup import MatchSetup, bad_value
from kiosk.domain.state import Table
from kiosk.domain.types import Instant, present
from kiosk.session import commands as c
from kiosk.session.decide_rulings import ruling_of

if TYPE_CHECKING:
    from kiosk.play import PlayRules

MOST_PLAYS = 4
"""Positions that go with one ruling: what a sheet still shows side by side."""

LONGEST_PLAY = 100
"""Characters of a position's text id, a move, an article."""

ROLL = re.compile(r"([1-6])-([1-6])")

MOST_TURNS = 999
"""Turns of one game that can be written down."""

NOTED = re.compile(r"(?:[1-6]{2}:[ 0-9a-z/*()-]{0,80}|double|take|drop|)")
"""What can be written down of a turn."""

OPENING = re.compile(r"([1-6])(?!\1)[1-6]:")
"""How a game's first turn begins."""


def attach(table: Table, command: c.AttachPlay, at: Instant) -> tuple[f.Fact, ...]:
    """A position goes with a ruling that stands."""
    ruling = ruling_of(table, command.ruling)
    if ruling.void:
        raise CommandRefused(Refusal.ALREADY_USED, "Ruling {n} has been taken back; no position goes with it.", n=ruling.id)
    if len(ruling.plays) >= MOST_PLAYS:
        raise CommandRefused(Refusal.ALREADY_USED, "{most} positions go with ruling {n} already.", most=MOST_PLAYS, n=ruling.id)
    told = (command.position, command.dice, command.move, command.verdict, command.article)
    if not command.position or not all(is_play_text(text) for text in told):
        raise bad_value("A position has an id; neither it nor what goes with it has more than {longest} characters.", longest=LONGEST_PLAY)
    return (f.PlayAttached(at, ruling.id, command.position, *_judged(present(table.setup), command), command.mover),)


def _judged(setup: MatchSetup, command: c.AttachPlay) -> tuple[str, str, str, str]:
    """Roll, move, verdict and article as they go on record: the verdict is what the rules say, whoever tells another.

    Decision: in a match of an older program, which kept no play rules, the verdict stands as it is told: it rests on the rulebook.
    """
    from kiosk.play import BoardError, PlayRules, read_id

    play = setup.play
    rules = PlayRules.chosen(setup.game, PlayOptions() if play is None else play)
    try:
        named = read_id(command.position)
        if named.game is not rules.game:
            raise bad_value("The position is one of another game than the match.")
        roll = ROLL.fullmatch(command.dice)
        if command.dice and roll is None:
            raise bad_value("{dice} is no roll; it is written as 5-3.", dice=command.dice)
        if not command.move:
            return command.dice, "", "", ""
        if roll is None:
            raise bad_value("A move goes with its roll.")
        said = _verdicts(command.position, (int(roll[1]), int(roll[2])), command.move, rules)
    except BoardError as error:
        raise bad_value("{why}", why=str(error)) from error
    asked = (command.verdict, command.article)
    if asked in said or (play is None and command.verdict):
        return command.dice, command.move, *asked
    if command.verdict:
        raise bad_value("By the rules of this match the move is: {verdict} {article}.", verdict=said[0][0], article=said[0][1] or "–")
    return command.dice, command.move, *said[0]


@lru_cache(16)
def _verdicts(position: str, dice: tuple[int, int], move: str, rules: PlayRules) -> tuple[tuple[str, str], ...]:
    """Reason, or `legal`, and article, for each throw that it may have been. A screen asks for it beside every ruling at each picture."""
    from kiosk.play import judge, read_id, read_move

    named, steps = read_id(position), read_move(move, rules.game)
    found = [judge(named.board, dice, steps, rules, ply) for ply in _plies(named.ply, rules.game)]
    return tuple((str(each.reason or "legal"), each.article or "") for each in found)


def _plies(ply: int | None, game: str) -> tuple[int | None, ...]:
    """The throws of the game that it may have been: a position's id may leave open whether it was one of the first two."""
    return (ply,) if ply is not None or game == "backgammon" else (None, 1, 2)


def is_play_text(text: str) -> bool:
    """Whether a text can go with a position: one short line that can be seen."""
    return len(text) <= LONGEST_PLAY and text.isprintable()


def note_turn(table: Table, command: c.NoteTurn, at: Instant) -> tuple[f.Fact, ...]:
    """A turn of a game that has begun is written down."""
    if not 1 <= command.game <= table.game:
        raise bad_value("Game {game} has not been played.", game=command.game)
    if not 1 <= command.n <= MOST_TURNS or NOTED.fullmatch(command.what) is None:
        raise bad_value("This is no turn that can be written down; a roll and its move are written as 53: 8/3 6/3.")
    if command.n == 1 and command.what and not OPENING.match(command.what):
        raise bad_value("A game begins with two different dice (000 §2).")
    return (f.TurnNoted(at, command.game, command.n, command.side, command.what),)
