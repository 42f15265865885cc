"""The desk's orders: a pause of the hall, messages, the round's start, a referee on the way."""

from __future__ import annotations

from typing import assert_never

from kiosk.domain import facts as f
from kiosk.domain.errors import CommandRefused, Refusal
from kiosk.domain.setup import LONGEST_NAME, bad_value
from kiosk.domain.state import Table
from kiosk.domain.text import seen
from kiosk.domain.types import Instant, present
from kiosk.session import commands as c

MOST_UNREAD = 20
"""Messages that wait on one screen; more would hide the first one for ever."""
LONGEST_MESSAGE = 500
"""A message or a reason from the desk has no more characters."""

LONGEST_ID = 64
"""A match's id has no more characters."""

_STARTS_A_CLOCK = (c.Resume, c.StartLate, c.ResumeChouetteClock)


def refuse_in_a_pause(table: Table, command: c.Command) -> None:
    """While the hall is paused nothing starts a clock; a call, rulings and recording stay possible.

    Raises:
        CommandRefused: `paused`.
    """
    pause = table.hall.pause
    if pause is not None and isinstance(command, _STARTS_A_CLOCK):
        if not pause.by:
            raise CommandRefused(Refusal.PAUSED, "Nothing starts at this device. {why}", why=pause.why)
        raise CommandRefused(Refusal.PAUSED, "{by} has paused the hall: {why}. Wait until the pause is lifted.", by=pause.by, why=pause.why)


def decide(table: Table, command: c.HallCommand, at: Instant) -> tuple[f.Fact, ...]:
    """What an order of the desk leads to.

    Args:
        table: The table, with everything due by `at` already in it.
        command: What is ordered.
        at: When it came.

    Raises:
        CommandRefused: It cannot be done now; nothing has changed.
    """
    match command:
        case c.PauseHall():
            return _pause(command, at)
        case c.LiftPause():
            return _lift(table, command, at)
        case c.ShowMessage():
            return _show(table, command, at)
        case c.ReadMessage():
            if not any(message.n == command.n for message in table.hall.messages):
                raise CommandRefused(Refusal.ALREADY_USED, "No such message waits to be read.")
            return (f.MessageRead(at, command.n),)
        case c.ConfirmSeat():
            return _confirm(table, command, at)
        case c.MoveRoundStart():
            return _move(table, command, at)
        case c.RefereeComing():
            _check_line(command.by)
            if not table.referee_called:
                raise CommandRefused(Refusal.WRONG_PHASE, "No referee is called at this table now.")
            return (f.RefereeOnTheWay(at, command.by),)
        case _:
            assert_never(command)


def _pause(command: c.PauseHall, at: Instant) -> tuple[f.Fact, ...]:
    if command.by is not None:
        _check_line(command.by)
    _check_text(command.why)
    return (f.HallPaused(at, command.by or "", command.why),)


def _lift(table: Table, command: c.LiftPause, at: Instant) -> tuple[f.Fact, ...]:
    # Decision: a server that has died must not keep a hall paused, so that an official at the table may lift it there.
    by = present(table.official).official.name if command.by is None else command.by
    _check_line(by)
    if table.hall.pause is None:
        raise CommandRefused(Refusal.WRONG_PHASE, "The hall is not paused at this table.")
    return (f.HallPauseLifted(at, by),)


def _show(table: Table, command: c.ShowMessage, at: Instant) -> tuple[f.Fact, ...]:
    _check_line(command.by)
    _check_text(command.text)
    unread = table.hall.messages
    if any(message.n == command.n for message in unread):
        raise CommandRefused(Refusal.ALREADY_USED, "This message is on the screen already.")
    if len(unread) >= MOST_UNREAD:
        raise CommandRefused(Refusal.BAD_VALUE, "{n} messages wait unread at this table; go there.", n=len(unread))
    return (f.MessageShown(at, command.n, command.by, command.text),)


def _confirm(table: Table, command: c.ConfirmSeat, at: Instant) -> tuple[f.Fact, ...]:
    if not command.match or len(command.match) > LONGEST_ID or not command.match.isprintable() or command.version < 0:
        raise bad_value("A match's id is a line of 1 to {longest} characters, and its version counts from 0.", longest=LONGEST_ID)
    known = table.hall.confirmed
    same = known is not None and (known.match, known.version) == (command.match, command.version)
    if (known is not None and same and known.here[command.side]) is command.here:
        raise CommandRefused(Refusal.ALREADY_USED, "That is noted already.")
    return (f.SeatConfirmed(at, command.match, command.version, command.side, command.here),)


def _move(table: Table, command: c.MoveRoundStart, at: Instant) -> tuple[f.Fact, ...]:
    _check_line(command.by)
    if table.games or table.started:
        raise CommandRefused(Refusal.WRONG_PHASE, "The match has begun; its round's start cannot be moved any more.")
    if command.start is not None and command.start < 0:
        raise bad_value("A round's start cannot lie before the table was switched on by so much.")
    return (f.RoundStartMoved(at, command.by, command.start),)


def _check_line(name: str) -> None:
    if not name.strip() or len(name) > LONGEST_NAME or not seen(name):
        raise bad_value("Who orders it must be one line of 1 to {longest} characters that can be seen.", longest=LONGEST_NAME)


def _check_text(text: str) -> None:
    if not text.strip() or len(text) > LONGEST_MESSAGE or not all(letter.isprintable() or letter == "\n" for letter in text):
        raise bad_value("A text from the desk has 1 to {longest} characters, each of which can be seen.", longest=LONGEST_MESSAGE)
