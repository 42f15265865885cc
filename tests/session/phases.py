"""A table in every phase, and every command in several variants: rows and columns of the phase × command table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evening import LEFT, RIGHT, Evening, ns, setup

from kiosk.domain.facts import AppealTo, CheckItem, OnPaper, Outcome, Party, Permit, StopReason
from kiosk.domain.officials import Official, Role
from kiosk.domain.rulebook import Kind, Method, Provide, Sanction
from kiosk.domain.state import Place
from kiosk.domain.types import Pair, Span, seconds
from kiosk.session import commands as c

if TYPE_CHECKING:
    from collections.abc import Callable

AT_S = 200.0
"""When the command comes; everything before has happened by then, and no flag is down but where the name says so."""


CHIEF, DEPUTY, REFEREE = (Official(name, role) for name, role in (("Cleo", Role.CHIEF), ("Dan", Role.DEPUTY), ("Rea", Role.REFEREE)))


def by(official: Official | None, table: Evening, at_s: float, *commands: c.Command) -> Evening:
    """Somebody signs in, does it all, and signs out."""
    if official is not None:
        table.do(c.SignIn(official), at_s)
    for command in commands:
        table.do(command, at_s)
    if official is not None:
        table.do(c.SignOut(), at_s)
    return table


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


def _suspended() -> Evening:
    return by(REFEREE, _playing(), 197, c.Suspend("XG", "till tomorrow"))


def _point() -> Evening:
    """Right's second ruling, a penalty point, stands in the running game."""
    return by(REFEREE, _playing(), 197, c.Rule((RIGHT,), "eating"), c.Rule((RIGHT,), "dice_replaced"))


def _appealed() -> Evening:
    table = _point()
    table.do(c.LodgeAppeal(1, RIGHT), 198)
    return table


def _game_lost() -> Evening:
    return by(REFEREE, _playing(), 197, c.Rule((RIGHT,), "device", Sanction.GAME_LOSS))


def _match_lost() -> Evening:
    return by(CHIEF, _playing(), 197, c.Rule((RIGHT,), "device", Sanction.MATCH_LOSS))


def _appealed_at_the_end() -> Evening:
    table = _match_lost()
    table.do(c.LodgeAppeal(1, RIGHT, AppealTo.COMMITTEE), 198)
    return table


def _received() -> Evening:
    return by(REFEREE, _signed(), 180, c.Receive())


def paused(table: Evening) -> Evening:
    table.do(c.PauseHall("Eva", "fire alarm"), 199.5)
    table.do(c.ShowMessage(4, "Eva", "Go out by the doors behind table 9."), 199.6)
    return table


def _paused_alone() -> Evening:
    return paused(Evening())


def _paused_opening() -> Evening:
    return paused(_match())


def _paused() -> Evening:
    return paused(_playing())


def _paused_while_late() -> Evening:
    return paused(_late())


def _paused_recording() -> Evening:
    return paused(_recording())


def _paused_and_called() -> Evening:
    table = _playing()
    table.do(c.CallReferee("left"), 199)
    return paused(table)


PLAYERS = ("Ana", "Boris", "Vera", "Goran")


def chouette(*commands: c.Command) -> Evening:
    """Ana is in the box, Boris captain."""
    table = Evening()
    for command in (c.OpenChouette("m4", PLAYERS, (), jacoby=True, automatic=True, backgammon=3), *commands):
        table.do(command, 100)
    return table


def _chouette_box_doubled() -> Evening:
    return chouette(c.DoubleByBox(), c.AnswerDouble("Goran", takes=False))


def _chouette_team_doubles() -> Evening:
    return chouette(*(c.WantDouble(name, wants=True) for name in PLAYERS[1:]))


def _chouette_wanted() -> Evening:
    return chouette(c.WantDouble("Vera", wants=True))


def _chouette_played_on() -> Evening:
    takes = (c.AnswerDouble(name, takes=name != "Boris") for name in PLAYERS[1:])
    return chouette(c.DoubleByBox(), *takes)


def _chouette_ended() -> Evening:
    return chouette(c.WinChouette(Party.TEAM, Kind.SINGLE), c.EndChouette())


CHOUETTE_CLOCK = c.SetChouetteClock(seconds(10), seconds(300))


def clocked_chouette(*commands: c.Command) -> Evening:
    """The box has pressed: the team's time runs."""
    table = chouette(CHOUETTE_CLOCK)
    table.press(LEFT, 101)
    for command in commands:
        table.do(command, 110)
    return table


def _paused_chouette() -> Evening:
    return clocked_chouette(c.PauseHall("Eva", "lunch"))


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
    "suspended": _suspended,
    "a point given": _point,
    "an appeal open": _appealed,
    "game lost by ruling": _game_lost,
    "match lost by ruling": _match_lost,
    "an appeal open at the end": _appealed_at_the_end,
    "received": _received,
    "paused before a match": _paused_alone,
    "paused opening": _paused_opening,
    "paused at play": _paused,
    "paused while late": _paused_while_late,
    "paused recording": _paused_recording,
    "paused and called": _paused_and_called,
    "chouette": chouette,
    "chouette, one wants to double": _chouette_wanted,
    "chouette, the box has doubled": _chouette_box_doubled,
    "chouette, the team has doubled": _chouette_team_doubles,
    "chouette, one is out": _chouette_played_on,
    "chouette ended": _chouette_ended,
    "chouette with a clock": lambda: chouette(CHOUETTE_CLOCK),
    "chouette, its clock runs": clocked_chouette,
    "chouette, its clock is stopped": lambda: clocked_chouette(c.StopChouetteClock()),
    "chouette, its clock waits for an answer": lambda: clocked_chouette(*(c.WantDouble(name, wants=True) for name in PLAYERS[1:])),
    "chouette, its clock is paused": _paused_chouette,
    "chouette, ended on the clock": lambda: clocked_chouette(c.EndChouette()),
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
    "sign_in": c.SignIn(REFEREE),
    "sign_in wrong": c.SignIn(None),
    "sign_out": c.SignOut(),
    "note_recovery": c.NoteRecovery("Cleo", "root", 1_700_000_000, wall_trusted=True),
    "penalty suggested": c.Rule((LEFT,), "dice_replaced"),
    "penalty remark both": c.Rule((LEFT, RIGHT), "eating", Sanction.REMARK),
    "penalty again": c.Rule((RIGHT,), "eating"),
    "penalty again kept": c.Rule((RIGHT,), "eating", duplicate="keep"),
    "penalty again merged": c.Rule((RIGHT,), "eating", duplicate="merge"),
    "penalty unknown": c.Rule((LEFT,), "sneezing"),
    "penalty game_loss": c.Rule((LEFT,), "device", Sanction.GAME_LOSS, Kind.GAMMON),
    "penalty game_loss both": c.Rule((LEFT, RIGHT), "device", Sanction.GAME_LOSS),
    "penalty match_loss": c.Rule((LEFT,), "device", Sanction.MATCH_LOSS),
    "penalty expulsion": c.Rule((LEFT,), "match_fixing", panel=("Eve", "Fay")),
    "penalty expulsion without panel": c.Rule((LEFT,), "match_fixing"),
    "void 1": c.Void(1, "mistaken"),
    "void 1 without reason": c.Void(1, " "),
    "void 9": c.Void(9, "mistaken"),
    "attach a play to 1": c.AttachPlay(1, "4HPwATDgc/ABMA", "5-3", "13/8", "both", "000 §3", LEFT),
    "attach a play to 9": c.AttachPlay(9, "4HPwATDgc/ABMA"),
    "note a turn": c.NoteTurn(1, 1, LEFT, "53: 8/3 6/3"),
    "appeal 1": c.LodgeAppeal(1, RIGHT),
    "appeal 1 to chief": c.LodgeAppeal(1, RIGHT, AppealTo.CHIEF),
    "appeal 9": c.LodgeAppeal(9, RIGHT),
    "decide upheld": c.DecideAppeal(1, Outcome.UPHELD, ("Eve",)),
    "decide void": c.DecideAppeal(1, Outcome.VOID, ("Eve",)),
    "decide game_loss": c.DecideAppeal(1, Outcome.GAME_LOSS, ("Eve",)),
    "decide without names": c.DecideAppeal(1, Outcome.WARNING),
    "adjust": c.Adjust(LEFT, seconds(30), "clock fault"),
    "adjust too much": c.Adjust(LEFT, seconds(-9999), "clock fault"),
    "adjust without reason": c.Adjust(LEFT, seconds(30), ""),
    "set_reserves": c.SetReserves(Pair(seconds(100), seconds(200)), "misread"),
    "set_control": c.SetControl(seconds(8), None, "wrong"),
    "set_control as it is": c.SetControl(None, None, "wrong"),
    "set_control fischer": c.SetControl(None, Method.FISCHER, "wrong"),
    "restart_delay": c.RestartDelay(),
    "cancel_next_delay": c.CancelNextDelay(RIGHT),
    "clear_flag": c.ClearFlag(LEFT, "clock fault"),
    "clear_flag right": c.ClearFlag(RIGHT, "clock fault"),
    "set_cube": c.SetCube(4, LEFT, "board"),
    "set_cube 1 owned": c.SetCube(1, LEFT, "board"),
    "restart_game": c.RestartGame("set up wrongly"),
    "set_state": c.SetState(
        Pair(2, 1), Pair(seconds(90), seconds(80)), LEFT, Span(0), 2, RIGHT, 4, crawford_played=False, breaks=Pair(0, 0)
    ),
    "forfeit": c.Forfeit((LEFT,), "left the hall"),
    "suspend": c.Suspend("XG"),
    "resume_match": c.ResumeMatch(),
    "dice_change": c.ChangeDice(LEFT),
    "permit device": c.Allow(LEFT, Permit.DEVICE),
    "permit leave": c.Allow(LEFT, Permit.LEAVE, seconds(300)),
    "back": c.Back(LEFT, Permit.LEAVE),
    "receive": c.Receive(),
    "enter_paper": c.EnterPaper("m3", setup(length=3), (c.PaperGame(LEFT, Kind.GAMMON, 2),), None),
    "enter_paper signed": c.EnterPaper(
        "m3", setup(length=3), (), c.PaperEnd("flag", (LEFT,)), "sheet 4", Pair(OnPaper.YES, OnPaper.PROTEST)
    ),
    "open_match placed": c.OpenMatch("m2", setup(length=5), Place("Open", "3", "12", practice=False)),
    "pause_hall": c.PauseHall("Eva", "no power"),
    "pause_hall without a reason": c.PauseHall("Eva", " "),
    "lift_pause": c.LiftPause("Eva"),
    "lift_pause at the table": c.LiftPause(None),
    "message": c.ShowMessage(5, "Eva", "Lunch at one"),
    "message again": c.ShowMessage(4, "Eva", "Lunch at one"),
    "message by nobody": c.ShowMessage(5, "", "Lunch at one"),
    "read_message": c.ReadMessage(4),
    "confirm_seat": c.ConfirmSeat("m9", 1, LEFT, here=True),
    "confirm_seat not": c.ConfirmSeat("m9", 1, LEFT, here=False),
    "confirm_seat of none": c.ConfirmSeat("", 1, LEFT, here=True),
    "move_start": c.MoveRoundStart("Eva", ns(500)),
    "move_start to none": c.MoveRoundStart("Eva", None),
    "move_start beyond": c.MoveRoundStart("Eva", ns(-1)),
    "referee_coming": c.RefereeComing("Rea"),
    "chouette_open": c.OpenChouette("m4", PLAYERS, (), jacoby=True, automatic=True, backgammon=3),
    "chouette_open for two": c.OpenChouette("m4", PLAYERS[:2], (), jacoby=True, automatic=True, backgammon=3),
    "chouette_tie": c.TieChouette(),
    "chouette_want captain": c.WantDouble("Boris", wants=True),
    "chouette_want box": c.WantDouble("Ana", wants=True),
    "chouette_want not": c.WantDouble("Boris", wants=False),
    "chouette_double": c.DoubleByBox(),
    "chouette_answer captain": c.AnswerDouble("Boris", takes=True),
    "chouette_answer box": c.AnswerDouble("Ana", takes=False),
    "chouette_win": c.WinChouette(Party.TEAM, Kind.GAMMON),
    "chouette_win oin": c.WinChouette(Party.BOX, Kind.OIN),
    "chouette_join": c.JoinChouette("Dina"),
    "chouette_leave": c.LeaveChouette("Vera"),
    "chouette_end": c.EndChouette(),
    "chouette_undo": c.UndoChouette(),
    "chouette_clock": c.SetChouetteClock(seconds(5), seconds(0)),
    "chouette_clock off": c.SetChouetteClock(seconds(0), seconds(0)),
    "chouette_stop": c.StopChouetteClock(),
    "chouette_resume": c.ResumeChouetteClock(),
    "enter_paper unfinished": c.EnterPaper("m3", setup(length=3), (c.PaperGame(LEFT, Kind.SINGLE, 1),), None),
}

BY_OFFICIALS: dict[str, c.Command] = {
    name: command
    for name, command in COMMANDS.items()
    if isinstance(command, c.OfficialCommand | c.LiftPause)
    or name.split()[0] in {"open_match", "swap_seats", "game", "confirm", "correct", "press_back", "swap_start", "sign", "undo"}
}
"""What comes out otherwise when the chief is signed in."""
