"""Commands: what people at the table may ask for. A command may be refused; a fact is what came of it."""

from __future__ import annotations

from kiosk.session.commands.chouette import (
    AnswerDouble,
    ChouetteCommand,
    DoubleByBox,
    EndChouette,
    JoinChouette,
    LeaveChouette,
    OpenChouette,
    ResumeChouetteClock,
    SetChouetteClock,
    StopChouetteClock,
    TieChouette,
    UndoChouette,
    WantDouble,
    WinChouette,
)
from kiosk.session.commands.hall import (
    ConfirmSeat,
    HallCommand,
    LiftPause,
    MoveRoundStart,
    PauseHall,
    ReadMessage,
    RefereeComing,
    ShowMessage,
)
from kiosk.session.commands.official import (
    Adjust,
    Allow,
    AttachPlay,
    Back,
    CancelNextDelay,
    ChangeDice,
    ClearFlag,
    DecideAppeal,
    EnterPaper,
    Forfeit,
    LodgeAppeal,
    NoteRecovery,
    OfficialCommand,
    PaperEnd,
    PaperGame,
    Receive,
    RestartDelay,
    RestartGame,
    ResumeMatch,
    Rule,
    SetControl,
    SetCube,
    SetReserves,
    SetState,
    SignIn,
    SignOut,
    Suspend,
    Void,
)
from kiosk.session.commands.play import (
    Arrive,
    AutomaticDoubling,
    CallReferee,
    Check,
    ClaimFlag,
    ConfirmGame,
    CorrectGame,
    DisputeGame,
    Double,
    EndBreak,
    EndSession,
    NoteTurn,
    OpenMatch,
    Pass,
    PressBack,
    RecordGame,
    ResignMatch,
    Resume,
    Sign,
    StartLate,
    StopClock,
    SwapSeats,
    SwapStart,
    Take,
    TakeBreak,
    Undo,
)

Command = (
    OpenMatch
    | SwapSeats
    | Check
    | StopClock
    | CallReferee
    | Resume
    | Double
    | Take
    | Pass
    | AutomaticDoubling
    | RecordGame
    | ConfirmGame
    | DisputeGame
    | CorrectGame
    | TakeBreak
    | EndBreak
    | ClaimFlag
    | StartLate
    | Arrive
    | PressBack
    | SwapStart
    | ResignMatch
    | EndSession
    | Sign
    | NoteTurn
    | Undo
    | OfficialCommand
    | HallCommand
    | ChouetteCommand
)
"""Every command; the phase × command table and the dispatcher are checked to be complete over it."""

__all__ = [
    "Adjust",
    "Allow",
    "AnswerDouble",
    "Arrive",
    "AttachPlay",
    "AutomaticDoubling",
    "Back",
    "CallReferee",
    "CancelNextDelay",
    "ChangeDice",
    "Check",
    "ChouetteCommand",
    "ClaimFlag",
    "ClearFlag",
    "Command",
    "ConfirmGame",
    "ConfirmSeat",
    "CorrectGame",
    "DecideAppeal",
    "DisputeGame",
    "Double",
    "DoubleByBox",
    "EndBreak",
    "EndChouette",
    "EndSession",
    "EnterPaper",
    "Forfeit",
    "HallCommand",
    "JoinChouette",
    "LeaveChouette",
    "LiftPause",
    "LodgeAppeal",
    "MoveRoundStart",
    "NoteRecovery",
    "NoteTurn",
    "OfficialCommand",
    "OpenChouette",
    "OpenMatch",
    "PaperEnd",
    "PaperGame",
    "Pass",
    "PauseHall",
    "PressBack",
    "ReadMessage",
    "Receive",
    "RecordGame",
    "RefereeComing",
    "ResignMatch",
    "RestartDelay",
    "RestartGame",
    "Resume",
    "ResumeChouetteClock",
    "ResumeMatch",
    "Rule",
    "SetChouetteClock",
    "SetControl",
    "SetCube",
    "SetReserves",
    "SetState",
    "ShowMessage",
    "Sign",
    "SignIn",
    "SignOut",
    "StartLate",
    "StopChouetteClock",
    "StopClock",
    "Suspend",
    "SwapSeats",
    "SwapStart",
    "Take",
    "TakeBreak",
    "TieChouette",
    "Undo",
    "UndoChouette",
    "Void",
    "WantDouble",
    "WinChouette",
]
