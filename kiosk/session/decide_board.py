"""What was found out on the touch board, put on record. Whether a play is legal is `kiosk.play`'s affair; the table knows no boards."""

from __future__ import annotations

import re

from kiosk.domain import facts as f
from kiosk.domain.errors import CommandRefused, Refusal
from kiosk.domain.setup import bad_value
from kiosk.domain.state import Table
from kiosk.domain.types import Instant
from kiosk.session import commands as c
from kiosk.session.decide_rulings import ruling_of

MOST_PLAYS = 4
"""Positions that go with one ruling: what a sheet still shows side by side."""

LONGEST_PLAY = 100
"""Characters of a position's text id, a move, an article."""

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
    return (f.PlayAttached(at, ruling.id, *told, command.mover),)


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
