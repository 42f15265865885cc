"""The facts: everything that ever happens at a table, in the past tense, final.

A fact holds what happened and when, not what followed from it: `kiosk.domain.table.evolve` derives the consequences, so that a
replay of the journal and the live table are the same computation. Adding one: see CONTRIBUTING. `at` is the instant at which it
happened, in nanoseconds of the boot's monotonic clock; an alert carries its limit's own instant, not when it was noticed.
"""

from __future__ import annotations

from kiosk.domain.facts.chouette import (
    ChouetteAnswered,
    ChouetteBoxDoubled,
    ChouetteClockFact,
    ChouetteClockResumed,
    ChouetteClockSet,
    ChouetteClockStopped,
    ChouetteDoubleWanted,
    ChouetteEnded,
    ChouetteEntry,
    ChouetteFact,
    ChouetteFlagFell,
    ChouetteGameWon,
    ChouetteJoined,
    ChouetteLeft,
    ChouetteOpened,
    ChouettePressed,
    ChouetteTied,
    ChouetteUndone,
    Party,
)
from kiosk.domain.facts.hall import (
    HallFact,
    HallPaused,
    HallPauseLifted,
    MatchPlaced,
    MatchTakenOver,
    MessageRead,
    MessageShown,
    RefereeOnTheWay,
    RoundStartMoved,
    SeatConfirmed,
)
from kiosk.domain.facts.official import (
    ActUndone,
    AppealDecided,
    AppealLodged,
    AppealTo,
    ControlChanged,
    CubeSet,
    DelayRestarted,
    DiceChanged,
    FlagCleared,
    GameRestarted,
    GameRuled,
    MatchForfeited,
    MatchResumed,
    MatchSuspended,
    NextDelayCancelled,
    OfficialFact,
    OfficialSignedIn,
    OfficialSignedOut,
    OnPaper,
    Outcome,
    PaperEntered,
    PaperGameEntered,
    PermissionEnded,
    PermissionGiven,
    Permit,
    PinRecovered,
    PlayAttached,
    ReservesSet,
    RulingMade,
    RulingMerged,
    RulingVoided,
    SeatsExchanged,
    SheetReceived,
    SignedInBy,
    SignInFailed,
    StateSet,
    TimeAdjusted,
)
from kiosk.domain.facts.play import (
    MOST_POINTS,
    STROKES_HIGH,
    STROKES_WIDE,
    AlertRaised,
    AutomaticDouble,
    AutomaticDoubleUndone,
    BreakEnded,
    BreakStarted,
    CheckItem,
    ClockResumed,
    ClockStopped,
    DoubleOffered,
    DoublePassed,
    DoubleTaken,
    FlagClaimed,
    FlagFell,
    GameConfirmed,
    GameCorrected,
    GameDisputed,
    GameRecorded,
    GameStarted,
    IgnoredWhy,
    ItemChecked,
    LatePointGiven,
    LateStarted,
    MatchOpened,
    MatchResigned,
    MatchTakenUp,
    PlayerArrived,
    PowerRestored,
    PressIgnored,
    PressPutBack,
    RecordUndone,
    RefereeCalled,
    SeatsSwapped,
    SessionEnded,
    SessionEndUndone,
    SheetSigned,
    StartSwapped,
    StopReason,
    StopReasonGiven,
    Strokes,
    TimeRefilled,
    TurnEnded,
    TurnNoted,
    WallClockTrusted,
)

Fact = (
    MatchOpened
    | SeatsSwapped
    | ItemChecked
    | GameStarted
    | TurnEnded
    | TurnNoted
    | PressIgnored
    | AlertRaised
    | ClockStopped
    | StopReasonGiven
    | RefereeCalled
    | ClockResumed
    | DoubleOffered
    | DoubleTaken
    | DoublePassed
    | AutomaticDouble
    | AutomaticDoubleUndone
    | GameRecorded
    | GameConfirmed
    | GameDisputed
    | RecordUndone
    | GameCorrected
    | BreakStarted
    | BreakEnded
    | LateStarted
    | PlayerArrived
    | LatePointGiven
    | FlagFell
    | TimeRefilled
    | FlagClaimed
    | MatchResigned
    | SessionEnded
    | SessionEndUndone
    | PressPutBack
    | StartSwapped
    | SheetSigned
    | PowerRestored
    | MatchTakenUp
    | WallClockTrusted
    | OfficialFact
    | HallFact
    | ChouetteFact
)
"""Every fact there is; `evolve` and the codec are checked to be complete over it."""

__all__ = [
    "MOST_POINTS",
    "STROKES_HIGH",
    "STROKES_WIDE",
    "ActUndone",
    "AlertRaised",
    "AppealDecided",
    "AppealLodged",
    "AppealTo",
    "AutomaticDouble",
    "AutomaticDoubleUndone",
    "BreakEnded",
    "BreakStarted",
    "CheckItem",
    "ChouetteAnswered",
    "ChouetteBoxDoubled",
    "ChouetteClockFact",
    "ChouetteClockResumed",
    "ChouetteClockSet",
    "ChouetteClockStopped",
    "ChouetteDoubleWanted",
    "ChouetteEnded",
    "ChouetteEntry",
    "ChouetteFact",
    "ChouetteFlagFell",
    "ChouetteGameWon",
    "ChouetteJoined",
    "ChouetteLeft",
    "ChouetteOpened",
    "ChouettePressed",
    "ChouetteTied",
    "ChouetteUndone",
    "ClockResumed",
    "ClockStopped",
    "ControlChanged",
    "CubeSet",
    "DelayRestarted",
    "DiceChanged",
    "DoubleOffered",
    "DoublePassed",
    "DoubleTaken",
    "Fact",
    "FlagClaimed",
    "FlagCleared",
    "FlagFell",
    "GameConfirmed",
    "GameCorrected",
    "GameDisputed",
    "GameRecorded",
    "GameRestarted",
    "GameRuled",
    "GameStarted",
    "HallFact",
    "HallPauseLifted",
    "HallPaused",
    "IgnoredWhy",
    "ItemChecked",
    "LatePointGiven",
    "LateStarted",
    "MatchForfeited",
    "MatchOpened",
    "MatchPlaced",
    "MatchResigned",
    "MatchResumed",
    "MatchSuspended",
    "MatchTakenOver",
    "MatchTakenUp",
    "MessageRead",
    "MessageShown",
    "NextDelayCancelled",
    "OfficialFact",
    "OfficialSignedIn",
    "OfficialSignedOut",
    "OnPaper",
    "Outcome",
    "PaperEntered",
    "PaperGameEntered",
    "Party",
    "PermissionEnded",
    "PermissionGiven",
    "Permit",
    "PinRecovered",
    "PlayAttached",
    "PlayerArrived",
    "PowerRestored",
    "PressIgnored",
    "PressPutBack",
    "RecordUndone",
    "RefereeCalled",
    "RefereeOnTheWay",
    "ReservesSet",
    "RoundStartMoved",
    "RulingMade",
    "RulingMerged",
    "RulingVoided",
    "SeatConfirmed",
    "SeatsExchanged",
    "SeatsSwapped",
    "SessionEndUndone",
    "SessionEnded",
    "SheetReceived",
    "SheetSigned",
    "SignInFailed",
    "SignedInBy",
    "StartSwapped",
    "StateSet",
    "StopReason",
    "StopReasonGiven",
    "Strokes",
    "TimeAdjusted",
    "TimeRefilled",
    "TurnEnded",
    "TurnNoted",
    "WallClockTrusted",
]
