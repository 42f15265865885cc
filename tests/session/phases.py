"""A table in every phase, and every command in several variants: rows and columns of the phase × command table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evening import LEFT, RIGHT, Evening, setup

from kiosk.domain.facts import CheckItem, StopReason
from kiosk.domain.rulebook import Kind, Provide
from kiosk.session import commands as c

if TYPE_CHECKING:
    from collections.abc import Callable

AT_S = 200.0
"""When the command comes; everything before has happened by then, and no flag is down but where the name says so."""


def _match() -> Evening:
    return Evening(setup(length=7, delay_s=12, reserve_s=600, provide=Provide.BREAKS))


def _between() -> Evening:
    return _match().play_game(100, LEFT)


def _late() -> Evening:
    table = _match()
    table.do(c.StartLate((LEFT,)), 190)
    return table


def _first_turn() -> Evening:
    return _match().begin(195)


def _playing() -> Evening:
    table = _between().begin(180)
    table.press(LEFT, 185)
    table.press(RIGHT, 195)
    return table


def _flag_down() -> Evening:
    table = Evening(setup(length=7, delay_s=12, reserve_s=10)).begin(100)
    table.press(LEFT, 195)
    return table


def _early() -> Evening:
    table = _playing()
    table.do(c.Double(RIGHT), 197)
    return table


def _open_offer() -> Evening:
    table = _playing()
    table.do(c.Double(LEFT), 197)
    return table


def _stopped() -> Evening:
    table = _playing()
    table.do(c.StopClock("left", None), 198)
    return table


def _stopped_with_offer() -> Evening:
    table = _open_offer()
    table.do(c.StopClock("left", StopReason.DICE), 198)
    return table


def _recording() -> Evening:
    table = _playing()
    table.do(c.RecordGame(LEFT, Kind.SINGLE, None), 198)
    return table


def _disputed() -> Evening:
    table = _recording()
    table.do(c.DisputeGame(RIGHT), 199)
    return table


def _break() -> Evening:
    table = _between()
    table.do(c.TakeBreak(LEFT), 199)
    return table


def _ended() -> Evening:
    return _match().play_game(150, LEFT, cube=8)


def _one_signed() -> Evening:
    table = _ended()
    table.do(c.Sign(LEFT, protest=False), 160)
    return table


def _signed() -> Evening:
    table = _one_signed()
    table.do(c.Sign(RIGHT, protest=True), 170)
    return table


def _free_session() -> Evening:
    return Evening(setup(None, "circle", reserve_s=None))


def _playing_a_free_session() -> Evening:
    return _free_session().play_game(100, LEFT).begin(150)


def _session_ended() -> Evening:
    table = _playing_a_free_session()
    table.do(c.EndSession(), 160)
    return table


PHASES: dict[str, Callable[[], Evening]] = {
    "none": Evening,
    "opening game 1": _match,
    "opening between games": _between,
    "opening a free session": _free_session,
    "playing a free session": _playing_a_free_session,
    "late": _late,
    "playing the first turn": _first_turn,
    "playing": _playing,
    "playing with a flag down": _flag_down,
    "early offer": _early,
    "open offer": _open_offer,
    "stopped": _stopped,
    "stopped with an offer": _stopped_with_offer,
    "recording": _recording,
    "disputed": _disputed,
    "break": _break,
    "ended": _ended,
    "session ended": _session_ended,
    "one signed": _one_signed,
    "signed": _signed,
}

COMMANDS: dict[str, c.Command] = {
    "open_match": c.OpenMatch("m2", setup(length=5)),
    "swap_seats": c.SwapSeats(),
    "check left": c.Check(CheckItem.LEFT, done=True),
    "check left off": c.Check(CheckItem.LEFT, done=False),
    "stop": c.StopClock("left", None),
    "stop setup": c.StopClock("right", StopReason.SETUP),
    "stop dice": c.StopClock(None, StopReason.DICE),
    "stop fault": c.StopClock("referee", StopReason.FAULT),
    "stop referee": c.StopClock("left", StopReason.REFEREE),
    "call_referee": c.CallReferee("right"),
    "resume": c.Resume(),
    "double left": c.Double(LEFT),
    "double right": c.Double(RIGHT),
    "take left": c.Take(LEFT),
    "take right": c.Take(RIGHT),
    "pass left": c.Pass(LEFT),
    "pass right": c.Pass(RIGHT),
    "automatic_double": c.AutomaticDoubling(),
    "game left single": c.RecordGame(LEFT, Kind.SINGLE, None),
    "game right gammon 2": c.RecordGame(RIGHT, Kind.GAMMON, 2),
    "game left oin": c.RecordGame(LEFT, Kind.OIN, None),
    "game left pass": c.RecordGame(LEFT, Kind.PASS, None),
    "game left cube 3": c.RecordGame(LEFT, Kind.SINGLE, 3),
    "confirm left": c.ConfirmGame(LEFT),
    "confirm right": c.ConfirmGame(RIGHT),
    "dispute left": c.DisputeGame(LEFT),
    "dispute right": c.DisputeGame(RIGHT),
    "correct game 1": c.CorrectGame(1, RIGHT, Kind.GAMMON, None, "miscounted"),
    "correct game 9": c.CorrectGame(9, RIGHT, Kind.SINGLE, 1, "miscounted"),
    "correct to koks": c.CorrectGame(1, RIGHT, Kind.KOKS, 1, "miscounted"),
    "break left": c.TakeBreak(LEFT),
    "break right": c.TakeBreak(RIGHT),
    "end_break left": c.EndBreak(LEFT),
    "end_break right": c.EndBreak(RIGHT),
    "claim_flag left": c.ClaimFlag("left"),
    "claim_flag referee": c.ClaimFlag("referee"),
    "start_late left": c.StartLate((LEFT,)),
    "start_late both": c.StartLate((LEFT, RIGHT)),
    "arrive left": c.Arrive((LEFT,)),
    "arrive right": c.Arrive((RIGHT,)),
    "press_back left": c.PressBack("left"),
    "press_back right": c.PressBack("right"),
    "press_back referee": c.PressBack("referee"),
    "swap_start left": c.SwapStart("left"),
    "swap_start referee": c.SwapStart("referee"),
    "resign_match left": c.ResignMatch(LEFT),
    "resign_match right": c.ResignMatch(RIGHT),
    "end_session": c.EndSession(),
    "sign left": c.Sign(LEFT, protest=False),
    "sign right": c.Sign(RIGHT, protest=True),
    "sign right outside": c.Sign(RIGHT, protest=False, strokes=(((1001, 0),),)),
    "undo": c.Undo(),
}
