"""An event as it stands, and its stages: values, which `kiosk.tournament.fold` makes of what happened."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kiosk.say import _
from kiosk.tournament.plan import RatingPlan, System
from kiosk.tournament.results import TournamentError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kiosk.tournament.happened import Ended, Leave, Outcome, RoundDrawn, SeatAsked
    from kiosk.tournament.plan import Entrant, StagePlan

KNOCK_OUT = frozenset({System.SINGLE, System.DOUBLE, System.CONSOLATION})


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage."""

    number: int
    plan: StagePlan
    entrants: tuple[int, ...]
    """The strongest first; who joined later stands behind."""
    joined: Mapping[int, int] = field(default_factory=dict)
    """The first round of those who joined when it had begun."""
    draws: tuple[RoundDrawn, ...] = ()
    ended: Mapping[str, Ended] = field(default_factory=dict)
    """The newest result of each fixture."""
    settled: Mapping[str, Outcome] = field(default_factory=dict)
    """What followed from who had left, when the next round was drawn or the next stage opened: coming back changes it no more."""


@dataclass(frozen=True, slots=True)
class Event:
    """An event."""

    entrants: Mapping[int, Entrant] = field(default_factory=dict)
    """In the order of the entry list."""
    gone: Mapping[int, Entrant] = field(default_factory=dict)
    """Who was struck off the list; some may have paid."""
    left: Mapping[int, Leave] = field(default_factory=dict)
    """In the order in which they left."""
    seats: Mapping[int, SeatAsked] = field(default_factory=dict)
    """Where somebody has to sit; nobody stands here who may sit anywhere."""
    stages: tuple[Stage, ...] = ()
    first: Mapping[tuple[int, str], int] = field(default_factory=dict)
    """Which match, by stage and key, had its first result as which of all, from 0 on; one put right keeps its place."""
    rating: RatingPlan = RatingPlan()
    apart: frozenset[int] = frozenset()
    """Stages that are side events: they do not count for the final ranking."""

    def stage(self, number: int) -> Stage:
        """A stage.

        Raises:
            TournamentError: There is none of this number.
        """
        if not 1 <= number <= len(self.stages):
            raise TournamentError(_("There is no stage {number}.", number=number))
        return self.stages[number - 1]

    def name(self, entrant: int) -> str:
        """What an entrant is called."""
        return self.entrants[entrant].name

    def first_entry(self, entrant: int) -> int:
        """The number under which somebody entered first, whichever of his entries is asked about."""
        while (again := self.entrants[entrant].again) is not None:
            entrant = again
        return entrant
