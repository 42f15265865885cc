"""State × command: in which phases each command is handled. Every other pair is refused with a code and a sentence.

A command may still be refused inside its phase for a reason of its own (`kiosk.session.decide`); here is only where it has a
meaning.
"""

from __future__ import annotations

from kiosk.domain.errors import CommandRefused, Refusal, mark
from kiosk.domain.state import OVER, Phase, Table
from kiosk.session import commands as c

LIVE = frozenset(Phase) - OVER
"""A match is going on."""

_AT_PLAY = frozenset({Phase.PLAYING, Phase.STOPPED})

_OPEN = LIVE - {Phase.SUSPENDED}

UNUSED = frozenset({None, Phase.SUSPENDED}) | OVER
"""The table is free for a match; one that is suspended gives way to another by an official only, and waits in the journal."""

NO_MATCH: frozenset[Phase | None] = frozenset({None})
"""Where a chouette goes on there is no match."""

ALLOWED: dict[type[c.Command], frozenset[Phase | None]] = {
    c.OpenMatch: UNUSED,
    c.SwapSeats: frozenset(LIVE),
    c.Check: frozenset({Phase.OPENING, Phase.LATE}),
    c.StopClock: _AT_PLAY,
    c.CallReferee: frozenset(LIVE - {Phase.SUSPENDED}) | {Phase.ENDED},
    c.Resume: frozenset({Phase.STOPPED}),
    c.Double: frozenset({Phase.PLAYING}),
    c.Take: frozenset({Phase.PLAYING}),
    c.Pass: _AT_PLAY,  # 000 §11: say "pass" and stop the clock, in either order
    c.AutomaticDoubling: frozenset({Phase.OPENING}),
    c.RecordGame: _AT_PLAY | {Phase.OPENING, Phase.RECORDING},  # while one awaits: refused, by whom it depends on a dispute
    c.ConfirmGame: frozenset({Phase.RECORDING}),
    c.DisputeGame: frozenset({Phase.RECORDING}),
    c.CorrectGame: frozenset(Phase) - {Phase.SUSPENDED},  # its own window decides
    c.TakeBreak: frozenset({Phase.OPENING}),
    c.EndBreak: frozenset({Phase.BREAK}),
    c.ClaimFlag: frozenset(LIVE - {Phase.SUSPENDED}),
    c.StartLate: frozenset({Phase.OPENING, Phase.LATE}),
    c.Arrive: frozenset({Phase.LATE}),
    c.PressBack: _AT_PLAY,
    c.SwapStart: _AT_PLAY,
    c.ResignMatch: frozenset(LIVE),
    c.EndSession: _AT_PLAY | {Phase.OPENING, Phase.BREAK},
    c.Sign: frozenset({Phase.ENDED, Phase.SIGNED}),
    c.SignIn: frozenset({None}) | frozenset(Phase),
    c.SignOut: frozenset({None}) | frozenset(Phase),
    c.NoteRecovery: frozenset({None}) | frozenset(Phase),
    c.Rule: _OPEN | {Phase.ENDED, Phase.SIGNED},
    # Decision: these two may open a game again, so that a suspended match is resumed first; its clocks stand all the same.
    c.Void: frozenset(Phase) - {Phase.SUSPENDED},
    c.AttachPlay: frozenset(Phase) - {Phase.RECEIVED},
    c.LodgeAppeal: frozenset(Phase) - {Phase.RECEIVED},
    c.DecideAppeal: frozenset(Phase) - {Phase.RECEIVED, Phase.SUSPENDED},
    c.Adjust: _OPEN,
    c.SetReserves: _OPEN,
    c.SetControl: _OPEN,
    c.RestartDelay: _AT_PLAY,
    c.CancelNextDelay: _OPEN,
    c.ClearFlag: _OPEN,
    c.SetCube: _AT_PLAY | {Phase.OPENING},
    c.RestartGame: _AT_PLAY,
    c.SetState: _AT_PLAY | {Phase.OPENING},
    c.Forfeit: _OPEN,
    c.Suspend: _OPEN - {Phase.LATE},
    c.ResumeMatch: frozenset({Phase.SUSPENDED}),
    c.ChangeDice: frozenset({Phase.OPENING}),
    c.Allow: _OPEN,
    c.Back: frozenset(Phase),
    c.Receive: frozenset({Phase.ENDED, Phase.SIGNED}),
    c.EnterPaper: UNUSED,
    c.PauseHall: frozenset({None}) | frozenset(Phase),
    c.LiftPause: frozenset({None}) | frozenset(Phase),
    c.ShowMessage: frozenset({None}) | frozenset(Phase),
    c.ReadMessage: frozenset({None}) | frozenset(Phase),
    c.ConfirmSeat: UNUSED - {Phase.SUSPENDED},
    # Decision: where an absent side's clock runs already, whoever started it has to stop it first: the side arrives, or a referee rules.
    c.MoveRoundStart: frozenset({Phase.OPENING}),
    c.RefereeComing: _OPEN | {Phase.ENDED},
    c.NoteTurn: frozenset(Phase) - {Phase.RECEIVED},
    c.Undo: frozenset(Phase),  # where there is nothing, it says so
    c.OpenChouette: UNUSED,
    c.TieChouette: NO_MATCH,
    c.WantDouble: NO_MATCH,
    c.DoubleByBox: NO_MATCH,
    c.AnswerDouble: NO_MATCH,
    c.WinChouette: NO_MATCH,
    c.JoinChouette: NO_MATCH,
    c.LeaveChouette: NO_MATCH,
    c.EndChouette: NO_MATCH,
    c.UndoChouette: NO_MATCH,
    c.SetChouetteClock: NO_MATCH,
    c.StopChouetteClock: NO_MATCH,
    c.ResumeChouetteClock: NO_MATCH,
}
"""Where each command has a meaning."""

DOING: dict[type[c.Command], str] = {
    c.OpenMatch: mark("A match can be opened"),
    c.SwapSeats: mark("Seats can be swapped"),
    c.Check: mark("The check-in list can be filled in"),
    c.StopClock: mark("The clocks can be stopped"),
    c.CallReferee: mark("A referee can be called"),
    c.Resume: mark("The clock can be resumed"),
    c.Double: mark("A double can be offered"),
    c.Take: mark("A double can be taken"),
    c.Pass: mark("A double can be passed"),
    c.AutomaticDoubling: mark("An automatic double can be made"),
    c.RecordGame: mark("A game can be recorded"),
    c.ConfirmGame: mark("A game can be confirmed"),
    c.DisputeGame: mark("A game can be disputed"),
    c.CorrectGame: mark("A game can be corrected"),
    c.TakeBreak: mark("A break can be taken"),
    c.EndBreak: mark("A break can be ended"),
    c.ClaimFlag: mark("A flag can be claimed"),
    c.StartLate: mark("A late start can be made"),
    c.Arrive: mark("An arrival can be noted"),
    c.PressBack: mark("A press can be put back"),
    c.SwapStart: mark("A start can be swapped"),
    c.ResignMatch: mark("A match can be resigned"),
    c.EndSession: mark("A free session can be ended"),
    c.Sign: mark("The sheet can be signed"),
    c.SignIn: mark("An official can sign in"),
    c.SignOut: mark("An official can sign out"),
    c.NoteRecovery: mark("A new PIN can be noted"),
    c.Rule: mark("A ruling can be made"),
    c.Void: mark("A ruling can be taken back"),
    c.AttachPlay: mark("A position can go with a ruling"),
    c.LodgeAppeal: mark("An appeal can be lodged"),
    c.DecideAppeal: mark("An appeal can be decided"),
    c.Adjust: mark("Time can be given or taken"),
    c.SetReserves: mark("Reserves can be set"),
    c.SetControl: mark("The delay can be changed"),
    c.RestartDelay: mark("The delay can be given again"),
    c.CancelNextDelay: mark("A delay can be cancelled"),
    c.ClearFlag: mark("A flag can be taken back"),
    c.SetCube: mark("The cube can be set"),
    c.RestartGame: mark("A game can be restarted"),
    c.SetState: mark("The table can be set"),
    c.Forfeit: mark("A match can be forfeited"),
    c.Suspend: mark("A match can be suspended"),
    c.ResumeMatch: mark("A match can be resumed"),
    c.ChangeDice: mark("The dice can be changed"),
    c.Allow: mark("A permission can be given"),
    c.Back: mark("A permission can end"),
    c.Receive: mark("The sheet can be handed in"),
    c.EnterPaper: mark("A paper result can be entered"),
    c.PauseHall: mark("The hall can be paused"),
    c.LiftPause: mark("A pause can be lifted"),
    c.ShowMessage: mark("A message can be shown"),
    c.ReadMessage: mark("A message can be read"),
    c.ConfirmSeat: mark("A match that is offered can be confirmed"),
    c.MoveRoundStart: mark("The start of the round can be moved"),
    c.RefereeComing: mark("A referee can be on the way"),
    c.NoteTurn: mark("A turn can be written down"),
    c.Undo: mark("Something can be undone"),
    c.OpenChouette: mark("A chouette can be begun"),
    c.TieChouette: mark("An automatic double can be made in a chouette"),
    c.WantDouble: mark("A member of a team can want to double"),
    c.DoubleByBox: mark("The box can double"),
    c.AnswerDouble: mark("A double can be answered in a chouette"),
    c.WinChouette: mark("A chouette's game can be won"),
    c.JoinChouette: mark("A chouette can be joined"),
    c.LeaveChouette: mark("A chouette can be left"),
    c.EndChouette: mark("A chouette can be ended"),
    c.UndoChouette: mark("An entry of a chouette can be undone"),
    c.SetChouetteClock: mark("A chouette's clock can be set"),
    c.StopChouetteClock: mark("A chouette's clock can be stopped"),
    c.ResumeChouetteClock: mark("A chouette's clock can be resumed"),
}
"""How the refusal's sentence begins."""

PLACE: dict[Phase | None, str] = {
    None: mark("before a match is open"),
    Phase.OPENING: mark("before a game begins"),
    Phase.LATE: mark("during a late start"),
    Phase.PLAYING: mark("while a clock runs"),
    Phase.STOPPED: mark("while the clocks are stopped"),
    Phase.RECORDING: mark("while a game awaits confirmation"),
    Phase.BREAK: mark("during a break"),
    Phase.SUSPENDED: mark("while the match is suspended"),
    Phase.ENDED: mark("after the match, before it is signed"),
    Phase.SIGNED: mark("after both have signed"),
    Phase.RECEIVED: mark("after the sheet was handed in"),
}
"""How a phase is told."""


def refuse_while_in_use(table: Table) -> None:
    """Refuse to take a match up where one is going on.

    Raises:
        CommandRefused: `wrong_phase`.
    """
    if table.phase not in UNUSED:
        raise CommandRefused(Refusal.WRONG_PHASE, "A match is going on at this table; suspend or end it first.")
    refuse_during_a_chouette(table)


def refuse_during_a_chouette(table: Table) -> None:
    """Refuse to begin anything else while a chouette goes on.

    Raises:
        CommandRefused: `wrong_phase`.
    """
    if table.chouette is not None and not table.chouette.ended:
        raise CommandRefused(Refusal.WRONG_PHASE, "A chouette is going on at this table; end it first.")


def refuse_out_of_place(table: Table, command: c.Command) -> None:
    """Refuse a command that has no meaning in the table's phase.

    Raises:
        CommandRefused: `match_over` after the match, else `wrong_phase`.
    """
    allowed = ALLOWED[type(command)]
    if table.phase in allowed:
        if isinstance(command, c.OpenMatch | c.EnterPaper | c.OpenChouette):
            refuse_during_a_chouette(table)
        return
    places = tuple(PLACE[phase] for phase in PLACE if phase in allowed)
    code = Refusal.MATCH_OVER if table.phase in OVER else Refusal.WRONG_PHASE
    raise CommandRefused(code, "{doing} {places}; not {place}.", doing=DOING[type(command)], places=places, place=PLACE[table.phase])
