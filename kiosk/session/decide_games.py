"""Seats, check-in, records, confirmations, disputes, corrections, ends, signatures, undo (000 §11 "Результаты", domain rules 3.5, 3.6)."""

from __future__ import annotations

from kiosk.domain import facts as f
from kiosk.domain.asked import cube_in_play
from kiosk.domain.errors import CommandRefused, Refusal
from kiosk.domain.flow import setup_of
from kiosk.domain.rulebook import Kind
from kiosk.domain.setup import bad_value
from kiosk.domain.state import CUBE_VALUES, Phase, Table
from kiosk.domain.types import Instant, Side, present
from kiosk.session.commands import Check, CorrectGame, RecordGame, Sign


def swap_seats(table: Table, at: Instant) -> tuple[f.Fact, ...]:
    """Players before the first press; afterwards it is an official's act."""
    if table.phase not in {Phase.OPENING, Phase.LATE} or table.games or table.started:
        raise CommandRefused(Refusal.NOT_AUTHORISED, "After the first press only an official may swap the seats.")
    return (f.SeatsSwapped(at),)


def check(table: Table, command: Check, at: Instant) -> tuple[f.Fact, ...]:
    """Before the match's first press; in a late start also for who is not here yet, for people tick when they like."""
    if table.games or table.started:
        raise CommandRefused(Refusal.WRONG_PHASE, "The check-in list is filled in before the first game.")
    if command.done and command.item in table.checked:
        raise CommandRefused(Refusal.ALREADY_USED, "That is ticked on the check-in list already.")
    if not command.done and command.item not in table.checked:
        raise CommandRefused(Refusal.ALREADY_USED, "That is not ticked on the check-in list.")
    return (f.ItemChecked(at, command.item, command.done),)


def record(table: Table, command: RecordGame, at: Instant) -> tuple[f.Fact, ...]:
    """The winner enters the game; a stated cube that differs from the live one is recorded with an alert."""
    cube, held = table.cube, table.awaiting
    if held is not None and held.disputed:
        raise CommandRefused(Refusal.NOT_AUTHORISED, "The game is disputed; only a referee can decide it now.")
    if held is not None:
        raise CommandRefused(Refusal.WRONG_PHASE, "A game awaits its confirmation; undo it to enter it anew.")
    if cube.open_offer:
        raise CommandRefused(Refusal.WRONG_PHASE, "A double waits for its answer; take or pass first.")
    stated = cube.value if command.cube is None else command.cube
    _check_result(table, command.kind, stated, in_play=cube_in_play(table))
    if cube.automatic and stated < cube.value:
        raise bad_value("The automatic double has made this game's cube at least 2.")
    mismatch = cube.turned and stated != cube.value
    return (f.GameRecorded(at, command.winner, command.kind, stated, mismatch),)


def _check_result(table: Table, kind: Kind, cube: int, *, in_play: bool) -> None:
    setup = setup_of(table)
    kinds = dict(setup.kinds)
    if kind not in kinds:
        raise bad_value("A game under {rulebook} is won as {kinds}, not {kind}.", rulebook=setup.rulebook, kinds=tuple(kinds), kind=kind)
    if cube not in CUBE_VALUES:
        raise bad_value("A cube shows 1, 2, 4, 8, 16, 32 or 64, not {cube}.", cube=cube)
    if cube > 1 and not in_play:
        raise bad_value("This game is played without a cube; it cannot stand at {cube}.", cube=cube)


def refuse_without_reason(reason: str) -> None:
    """Refuse an official's act without a reason.

    Raises:
        CommandRefused: `bad_value`.
    """
    if not any(letter.isalnum() for letter in reason):
        raise bad_value("Give a reason; it stays on record.")


def confirm(table: Table, by: Side, at: Instant) -> tuple[f.Fact, ...]:
    """Only the loser confirms; after a dispute only an official."""
    held = present(table.awaiting)
    if held.disputed:
        raise CommandRefused(Refusal.NOT_AUTHORISED, "The game is disputed; only a referee can decide it now.")
    if held.winner is by:
        raise CommandRefused(Refusal.NOT_THE_LOSER, "The {side} side lost this game and confirms it.", side=by.other)
    return (f.GameConfirmed(at, by),)


def dispute(table: Table, by: Side, at: Instant) -> tuple[f.Fact, ...]:
    """The loser disputes: a referee is called."""
    held = present(table.awaiting)
    if held.winner is by:
        raise CommandRefused(Refusal.NOT_THE_LOSER, "The {side} side lost this game and may dispute it.", side=by.other)
    if held.disputed:
        raise CommandRefused(Refusal.ALREADY_USED, "The game is disputed already; the referee has been called.")
    return (f.GameDisputed(at, by),)


def correct(table: Table, command: CorrectGame, at: Instant) -> tuple[f.Fact, ...]:
    """Until a player finishes the next game or turns the cube in it; the last game until both have signed. An official: at any time."""
    old = next((game for game in table.games if game.n == command.game), None)
    if old is not None and table.official is None and not _window_open(table, command.game):
        raise CommandRefused(Refusal.WINDOW_CLOSED, "Game {game} can no longer be corrected by the players.", game=command.game)
    if old is None:
        raise bad_value("There is no confirmed game {game}.", game=command.game)
    if table.official is not None:
        refuse_without_reason(command.reason)
    cube = old.cube if command.cube is None else command.cube
    with_cube = setup_of(table).cube and setup_of(table).length != 1 and not old.crawford
    _check_result(table, command.kind, cube, in_play=with_cube)
    if old.automatic and cube < 2:
        raise bad_value("The automatic double has made that game's cube at least 2.")
    new = (command.game, command.winner, command.kind, cube, command.reason)
    return (f.GameCorrected(at, *new, old.winner, old.kind, old.cube, old.points),)


def _window_open(table: Table, game: int) -> bool:
    if table.phase in {Phase.RECORDING, Phase.SIGNED, Phase.RECEIVED} or game != table.games[-1].n:
        return False
    cube_offered = table.cube.turned or table.cube.offered_by is not None
    return not (table.game > game and cube_offered)


def end_session(table: Table, at: Instant) -> tuple[f.Fact, ...]:
    """Where there is no length to be reached."""
    if setup_of(table).length is not None:
        raise CommandRefused(Refusal.WRONG_PHASE, "A match ends by its score; a free session can be ended.")
    return (f.SessionEnded(at),)


def sign(table: Table, command: Sign, at: Instant) -> tuple[f.Fact, ...]:
    """Each side signs the finished sheet once."""
    if any(signature.side is command.side for signature in table.signatures):
        raise CommandRefused(Refusal.ALREADY_USED, "The {side} side has signed already.", side=command.side)
    _check_strokes(command.strokes)
    # Domain rule 3.6: while an appeal is open, whoever signs does so under protest.
    protest = command.protest or any(appeal.outcome is None for appeal in table.appeals)
    return (f.SheetSigned(at, command.side, protest, command.strokes),)


def _check_strokes(strokes: f.Strokes) -> None:
    if not all(strokes):
        raise bad_value("Each stroke of a signature has at least one point.")
    points = [point for stroke in strokes for point in stroke]
    if len(points) > f.MOST_POINTS:
        raise bad_value("A signature has at most {most} points.", most=f.MOST_POINTS)
    if not all(0 <= x <= f.STROKES_WIDE and 0 <= y <= f.STROKES_HIGH for x, y in points):
        raise bad_value("A signature is drawn in a box {wide} wide and {high} high.", wide=f.STROKES_WIDE, high=f.STROKES_HIGH)


Undone = f.RecordUndone | f.AutomaticDoubleUndone | f.SessionEndUndone


def undoable(table: Table) -> type[Undone] | None:
    """What nobody has built on: a record, an automatic double before the first press, a session's end before signatures."""
    if table.phase is Phase.RECORDING and not present(table.awaiting).disputed:
        return f.RecordUndone
    if table.phase is Phase.OPENING and table.cube.automatic:
        return f.AutomaticDoubleUndone
    if table.ended is not None and table.ended.before is not None and not table.signatures:
        return f.SessionEndUndone
    return None


def undo(table: Table, at: Instant) -> tuple[f.Fact, ...]:
    """What players have done last, while it can be undone."""
    undone = undoable(table)
    if undone is not None:
        return (undone(at),)
    raise CommandRefused(Refusal.NOTHING_TO_UNDO, "There is nothing that can be undone.")
