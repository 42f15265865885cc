"""Which facts a chouette's commands lead to, or why they are refused. `kiosk.domain.chouette` opens with the rules."""

from __future__ import annotations

from typing import assert_never

from kiosk.domain import facts as f
from kiosk.domain.chouette import FEWEST, MOST, Chouette
from kiosk.domain.chouette_dice import still_to_throw, thrown_too_often
from kiosk.domain.errors import CommandRefused, Refusal
from kiosk.domain.facts import Party
from kiosk.domain.flow_chouette import begun
from kiosk.domain.rulebook import Kind
from kiosk.domain.setup import LONGEST_NAME, bad_value
from kiosk.domain.state import CUBE_LIMIT, Table
from kiosk.domain.types import Instant, Side, present, seconds
from kiosk.session import commands as c

WON_BY = (Kind.SINGLE, Kind.GAMMON, Kind.BACKGAMMON)
"""How a game of backgammon can be won on the board."""

LONGEST_DELAY = seconds(3_600)
TOO_LONG_A_RESERVE = seconds(360_000)


def decide(table: Table, command: c.ChouetteCommand, at: Instant) -> tuple[f.Fact, ...]:
    """What a command leads to.

    Args:
        table: The table, with everything due by `at` already in it.
        command: What is asked for.
        at: When.

    Raises:
        CommandRefused: It cannot be done now; nothing has changed.
    """
    if isinstance(command, c.OpenChouette):
        return _opened(table, command, at)
    chouette = table.chouette
    if chouette is None:
        raise CommandRefused(Refusal.WRONG_PHASE, "No chouette is going on at this table.")
    if isinstance(command, c.UndoChouette):
        return _undone(chouette, at)
    if chouette.ended:
        raise CommandRefused(Refusal.MATCH_OVER, "The chouette is over; undo its end first.")
    if isinstance(command, _OnTheClock):
        return (_clocked(table, chouette, command, at),)
    if begun(table) and isinstance(command, c.TieChouette | c.JoinChouette | c.LeaveChouette):
        raise CommandRefused(Refusal.WRONG_PHASE, "The game's clock has begun; enter who won the game first, or begin the clock anew.")
    return (_played(table, chouette, command, at),)


_Played = c.TieChouette | c.WantDouble | c.DoubleByBox | c.AnswerDouble | c.WinChouette | c.JoinChouette | c.LeaveChouette | c.EndChouette


def _played(table: Table, chouette: Chouette, command: _Played, at: Instant) -> f.ChouetteFact:
    match command:
        case c.TieChouette():
            return _tied(chouette, at)
        case c.WantDouble():
            return _wanted(table, chouette, command, at)
        case c.DoubleByBox():
            _refuse_to_double(table, chouette, Party.BOX)
            return f.ChouetteBoxDoubled(at)
        case c.AnswerDouble():
            return _answered(chouette, command, at)
        case c.WinChouette():
            return _won(chouette, command, at)
        case c.JoinChouette():
            return _joined(chouette, command.player, at)
        case c.LeaveChouette():
            return _left(chouette, command.player, at)
        case c.EndChouette():
            return _ended(chouette, at)
        case _:
            assert_never(command)


# ── Beginning and end ────────────────────────────────────────────────────────
def _opened(table: Table, command: c.OpenChouette, at: Instant) -> tuple[f.Fact, ...]:
    players, throws = command.players, command.throws
    if not FEWEST <= len(players) <= MOST:
        raise bad_value("A chouette has {fewest} to {most} players; not {n}.", fewest=FEWEST, most=MOST, n=len(players))
    for n, name in enumerate(players):
        _refuse_name(name, players[:n])
    if command.backgammon not in {2, 3}:
        raise bad_value("A backgammon counts 3 or 2; not {n}.", n=command.backgammon)
    if throws:
        _refuse_throws(players, throws)
    facts: list[f.Fact] = [f.ChouetteOpened(at, command.match, players, throws, command.jacoby, command.automatic, command.backgammon)]
    if command.clock is not None:
        facts.append(_clock_set(command.clock, at))
    if table.official is not None:
        official = table.official.official  # an opening begins the table anew: who is signed in stands behind it once more
        facts.append(f.OfficialSignedIn(at, official.name, official.role, f.SignedInBy.AGAIN))
    return tuple(facts)


def _refuse_name(name: str, others: tuple[str, ...]) -> None:
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise bad_value("A player's name must be one line of 1 to {longest} printable characters.", longest=LONGEST_NAME)
    if _as_read(name) in map(_as_read, others):
        raise bad_value("{name} plays already; two players need two names.", name=name)


def _as_read(name: str) -> str:
    """A name as people tell it from others: neither capitals nor blanks make two of one."""
    return " ".join(name.split()).casefold()


def _refuse_throws(players: tuple[str, ...], throws: tuple[tuple[int, ...], ...]) -> None:
    if len(throws) != len(players) or not all(1 <= die <= 6 for throw in throws for die in throw):
        raise bad_value("Each player throws one die: {n} throws of 1 to 6 are needed.", n=len(players))
    missing, again = still_to_throw(throws), thrown_too_often(throws)
    if missing:
        raise bad_value("These players still have to throw, for they are level: {names}.", names=tuple(players[n] for n in missing))
    if again:
        raise bad_value(
            "These players have thrown again, though nobody was level with them: {names}.", names=tuple(players[n] for n in again)
        )


def _ended(chouette: Chouette, at: Instant) -> f.ChouetteEnded:
    if chouette.out:
        names = tuple(name for name, _ in chouette.out)
        raise CommandRefused(Refusal.WRONG_PHASE, "In this game somebody has paid already ({names}): enter who won it first.", names=names)
    return f.ChouetteEnded(at)


def _undone(chouette: Chouette, at: Instant) -> tuple[f.Fact, ...]:
    if len(chouette.told) == 1:
        raise CommandRefused(Refusal.NOTHING_TO_UNDO, "Nothing has been entered yet that could be undone.")
    return (f.ChouetteUndone(at),)


# ── Clock ────────────────────────────────────────────────────────────────────
def presses(table: Table, side: Side) -> bool:
    """Whether a press moves the chouette's clock: it is the side whose time runs, or the game's first press."""
    clock, chouette = table.clock, present(table.chouette)
    if clock is None or chouette.offered is not None or table.hall.pause is not None:
        return False
    return side in clock.running if begun(table) else True


_OnTheClock = c.SetChouetteClock | c.StopChouetteClock | c.ResumeChouetteClock


def _clocked(table: Table, chouette: Chouette, command: _OnTheClock, at: Instant) -> f.ChouetteFact:
    runs = table.clock is not None and bool(table.clock.running)
    match command:
        case c.SetChouetteClock():
            if runs or chouette.offered is not None:
                raise CommandRefused(Refusal.WRONG_PHASE, "Stop the clock first; while the cube is offered, answer it.")
            if table.clock is None and not (command.delay or command.reserve):
                raise CommandRefused(Refusal.ALREADY_USED, "This chouette is played without a clock already.")
            return _clock_set(command, at)
        case c.StopChouetteClock():
            if not runs:
                raise CommandRefused(Refusal.WRONG_PHASE, "No clock runs now.")
            return f.ChouetteClockStopped(at)
        case c.ResumeChouetteClock():
            _refuse_to_resume(table, chouette, runs=runs)
            return f.ChouetteClockResumed(at)
        case _:
            assert_never(command)


def _refuse_to_resume(table: Table, chouette: Chouette, *, runs: bool) -> None:
    if table.clock is None:
        raise CommandRefused(Refusal.WRONG_PHASE, "This chouette is played without a clock.")
    if chouette.offered is not None:
        raise CommandRefused(Refusal.WRONG_PHASE, "The cube is offered: these answer first: {names}.", names=chouette.asked)
    if runs:
        raise CommandRefused(Refusal.WRONG_PHASE, "The clock runs already.")
    if not begun(table):
        raise CommandRefused(Refusal.WRONG_PHASE, "The game's clock begins with the first press of a button.")


def _clock_set(command: c.SetChouetteClock, at: Instant) -> f.ChouetteClockSet:
    if not 0 <= command.delay <= LONGEST_DELAY:
        raise bad_value("A delay is 0 seconds to an hour.")
    if not 0 <= command.reserve < TOO_LONG_A_RESERVE:
        raise bad_value("A reserve is 0 seconds or more, and below 100 hours.")
    return f.ChouetteClockSet(at, command.delay, command.reserve)


# ── Who plays ────────────────────────────────────────────────────────────────
def _joined(chouette: Chouette, player: str, at: Instant) -> f.ChouetteJoined:
    _refuse_in_a_game(chouette)
    if len(chouette.players) == MOST:
        raise bad_value("A chouette has at most {most} players.", most=MOST)
    _refuse_name(player, chouette.players)
    return f.ChouetteJoined(at, player)


def _left(chouette: Chouette, player: str, at: Instant) -> f.ChouetteLeft:
    _refuse_in_a_game(chouette)
    if player not in chouette.players:
        raise bad_value("{name} does not play here.", name=player)
    if len(chouette.players) == FEWEST:
        raise bad_value("A chouette needs {fewest} players; end it, and go on as a free session.", fewest=FEWEST)
    return f.ChouetteLeft(at, player)


def _refuse_in_a_game(chouette: Chouette) -> None:
    if not chouette.fresh:
        raise CommandRefused(Refusal.WRONG_PHASE, "Players join and leave between games; finish this one first.")


# ── Cube ─────────────────────────────────────────────────────────────────────
def _tied(chouette: Chouette, at: Instant) -> f.ChouetteTied:
    if not chouette.automatic:
        raise CommandRefused(Refusal.NO_CUBE, "This chouette is played without automatic doubles.")
    if chouette.stake.automatic:
        raise CommandRefused(Refusal.ALREADY_USED, "There is at most one automatic double a game.")
    if not chouette.fresh:
        raise CommandRefused(Refusal.WRONG_PHASE, "An automatic double is made before a game begins.")
    return f.ChouetteTied(at)


def _wanted(table: Table, chouette: Chouette, command: c.WantDouble, at: Instant) -> f.ChouetteDoubleWanted:
    _refuse_to_double(table, chouette, Party.TEAM)
    if command.by not in chouette.active:
        raise bad_value("{name} is no member of the team in this game.", name=command.by)
    if command.wants and command.by in chouette.wanted:
        raise CommandRefused(Refusal.ALREADY_USED, "{name} has said Yes already.", name=command.by)
    if not command.wants and not chouette.wanted:
        raise CommandRefused(Refusal.NOTHING_TO_UNDO, "Nobody has said yet that he wants to double.")
    return f.ChouetteDoubleWanted(at, command.by, command.wants)


def _refuse_to_double(table: Table, chouette: Chouette, party: Party) -> None:
    if chouette.offered is not None:
        raise CommandRefused(Refusal.WRONG_PHASE, "The cube is offered already; it is taken or passed first.")
    if table.clock is not None and not begun(table):
        raise CommandRefused(Refusal.FIRST_TURN, "Nobody doubles on a game's first turn; the first press ends it.")
    if begun(table) and present(table.clock).turn is not party.side:
        raise CommandRefused(Refusal.NOT_YOUR_TURN, "The clock says that it is the other side's turn: only who is to roll doubles.")
    if chouette.stake.owner is party.other:
        raise CommandRefused(Refusal.CUBE_NOT_YOURS, "Only who has the cube can double.")
    if chouette.stake.value >= CUBE_LIMIT:
        raise CommandRefused(Refusal.CUBE_AT_LIMIT, "The cube stands at {n}; it goes no higher.", n=CUBE_LIMIT)


def _answered(chouette: Chouette, command: c.AnswerDouble, at: Instant) -> f.ChouetteAnswered:
    if chouette.offered is None:
        raise CommandRefused(Refusal.WRONG_PHASE, "No double has been offered.")
    if command.by not in chouette.asked:
        raise bad_value("{name} has nothing to answer here; asked are: {names}.", name=command.by, names=chouette.asked)
    return f.ChouetteAnswered(at, command.by, command.takes)


def _won(chouette: Chouette, command: c.WinChouette, at: Instant) -> f.ChouetteGameWon:
    if chouette.offered is not None:
        raise CommandRefused(Refusal.WRONG_PHASE, "The cube is offered: these answer first: {names}.", names=chouette.asked)
    if command.kind not in WON_BY:
        raise bad_value("A chouette's game is won as {kinds}; not as {kind}.", kinds=tuple(WON_BY), kind=command.kind)
    return f.ChouetteGameWon(at, command.by, command.kind)
