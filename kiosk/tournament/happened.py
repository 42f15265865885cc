"""What happened in an event, in order: the whole of it follows from these, the draws included."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kiosk.tournament.plan import Entrant, RatingPlan, StagePlan  # noqa: TC001 - the codec reads them


class Outcome(StrEnum):
    """How a match ended."""

    LEFT = "left"
    """The left one won at the board."""
    RIGHT = "right"
    LEFT_FORFEIT = "left_forfeit"
    """The left one won, for the other did not come: + −."""
    RIGHT_FORFEIT = "right_forfeit"
    BOTH_FORFEIT = "both_forfeit"
    """Neither came: − −."""


class Leave(StrEnum):
    """Why somebody plays no more."""

    WITHDRAWN = "withdrawn"
    DISQUALIFIED = "disqualified"
    """What was played stays."""
    FIXING = "fixing"
    """For fixed matches: the results are annulled (000 §10)."""


@dataclass(frozen=True, slots=True)
class Entered:
    """Somebody is on the entry list, or what is known of one who is has changed."""

    entrant: Entrant


@dataclass(frozen=True, slots=True)
class Struck:
    """Somebody is off the entry list again, before any stage has taken him."""

    entrant: int


@dataclass(frozen=True, slots=True)
class Left:
    """Somebody plays no more."""

    entrant: int
    why: Leave


@dataclass(frozen=True, slots=True)
class CameBack:
    """Somebody who had left plays again: it was a mistake, or he is there after all."""

    entrant: int


@dataclass(frozen=True, slots=True)
class SeatAsked:
    """Where somebody has to sit, in every round; the newest counts."""

    entrant: int
    table: str
    """His own table; empty: any."""
    accessible: bool
    """He needs a table that is accessible."""


@dataclass(frozen=True, slots=True)
class StageOpened:
    """A stage begins with these, the strongest first."""

    stage: int
    """1, 2, 3 … in the order of their opening."""
    plan: StagePlan
    entrants: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StageTakenBack:
    """The stage that was opened last is none: nothing of it has been drawn, and nothing has a result."""

    stage: int


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody joins a stage that has begun: late into a Swiss stage, or again into a free place of a knock-out's first round."""

    stage: int
    entrant: int


@dataclass(frozen=True, slots=True)
class RoundDrawn:
    """A Swiss round is paired."""

    stage: int
    round: int
    pairs: tuple[tuple[int, int], ...]
    bye: int | None


@dataclass(frozen=True, slots=True)
class DrawTakenBack:
    """The last drawn Swiss round is not played as drawn: nothing of it has a result."""

    stage: int
    round: int


@dataclass(frozen=True, slots=True)
class Ended:
    """A match has ended, or its result was put right: the newest counts."""

    stage: int
    key: str
    """Of its fixture."""
    outcome: Outcome
    left_points: int = 0
    right_points: int = 0
    """What each won in the match, where it is known."""
    length: int = 0
    """Points that were needed to win; 0: nobody told."""


@dataclass(frozen=True, slots=True)
class Reopened:
    """A match's result was wrong, and there is none."""

    stage: int
    key: str


@dataclass(frozen=True, slots=True)
class RatingsPlanned:
    """How ratings are reckoned was decided, for the whole event."""

    plan: RatingPlan


@dataclass(frozen=True, slots=True)
class StagesApart:
    """Which stages are side events was decided: they do not count for the event's final ranking."""

    stages: tuple[int, ...]


Happened = (
    Entered
    | Struck
    | Left
    | CameBack
    | SeatAsked
    | StageOpened
    | StageTakenBack
    | Joined
    | RoundDrawn
    | DrawTakenBack
    | Ended
    | Reopened
    | RatingsPlanned
    | StagesApart
)
