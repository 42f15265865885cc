"""What an organizer decides about a stage of an event, and who is in it: values, and what is wrong with them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kiosk.say import _
from kiosk.tournament.ratings import Ramp
from kiosk.tournament.results import TournamentError
from kiosk.tournament.standings import USUAL, TieBreak
from kiosk.tournament.swiss import FirstRound
from kiosk.tournament.tiebreaks import Unplayed


class System(StrEnum):
    """How a stage is played (000 §10)."""

    ROUND_ROBIN = "round_robin"
    SWISS = "swiss"
    """With `losses`, those who have lost so often are out, and it goes on until one is left."""
    SINGLE = "single"
    DOUBLE = "double"
    CONSOLATION = "consolation"
    """Of those who lost in the first rounds of a knock-out stage."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody on the entry list: a player, or a pair."""

    ident: int
    """Never given twice in an event."""
    names: tuple[str, ...]
    """One, or two for a pair."""
    club: str = ""
    country: str = ""
    rating: float | None = None
    again: int | None = None
    """A re-entry of this one."""
    experience: int | None = None
    """Points of all matches that were rated before the event; None: nobody told, which counts as none."""

    @property
    def name(self) -> str:
        """As one line."""
        return " / ".join(self.names)


@dataclass(frozen=True, slots=True)
class StagePlan:
    """How one stage is played."""

    name: str
    system: System
    rounds: int = 0
    """Of a Swiss stage without `losses`."""
    laps: int = 1
    """Of a round robin."""
    groups: int = 1
    """Of a round robin; drawn by pots in the order of the entry list."""
    losses: int = 0
    """Of a Swiss stage: out after so many; 0: nobody is."""
    third: bool = False
    """A match for the third place."""
    second_final: bool = True
    """Of a double elimination."""
    seeded: bool = True
    """Of a knock-out: places by the entry list; else drawn."""
    of: int | None = None
    """Of a consolation: the stage whose losers play."""
    losers: tuple[int, ...] = (1,)
    """Of a consolation: the rounds whose losers play."""
    tiebreaks: tuple[TieBreak, ...] = USUAL
    unplayed: Unplayed = Unplayed.VIRTUAL
    avoid_club: bool = False
    avoid_floats: bool = False
    first: FirstRound = FirstRound.DRAWN
    forbidden: tuple[tuple[int, int], ...] = ()
    """Pairs of entrants that must not meet in a Swiss round."""
    seed: str = ""
    """Public; every draw of the stage follows from it."""


@dataclass(frozen=True, slots=True)
class RatingPlan:
    """How the event's ratings are reckoned (`kiosk.tournament.rated`)."""

    ramp: Ramp = Ramp.FIBS
    length: int = 0
    """To how many points a match was played of which its result does not tell it; 0: such a one is not rated."""


MOST_ROUNDS, MOST_LAPS, MOST_GROUPS, MOST_LOSSES = 60, 8, 64, 9


def check_plan(plan: StagePlan) -> None:
    """Whether a plan can be carried out.

    Args:
        plan: Which.

    Raises:
        TournamentError: It cannot; the sentence names what is wrong.
    """
    if not plan.name.strip():
        raise TournamentError(_("A stage needs a name."))
    if not plan.seed.strip():
        raise TournamentError(_("A stage needs a seed for its draws; it is published, so that anybody can check them."))
    if plan.system is System.SWISS and not plan.losses and not 1 <= plan.rounds <= MOST_ROUNDS:
        raise TournamentError(_("A Swiss stage has 1 to {most} rounds, or goes on until all but one are out.", most=MOST_ROUNDS))
    for value, least, most, what in (
        (plan.laps, 1, MOST_LAPS, _("laps")),
        (plan.groups, 1, MOST_GROUPS, _("groups")),
        (plan.losses, 0, MOST_LOSSES, _("losses")),
    ):
        if not least <= value <= most:
            raise TournamentError(_("{what}: a number from {least} to {most}.", what=what, least=least, most=most))
    if (plan.system is System.CONSOLATION) is (plan.of is None):
        raise TournamentError(_("A consolation names the stage whose losers play, and nothing else does."))
    if any(one == other for one, other in plan.forbidden):
        raise TournamentError(_("Nobody can be forbidden to meet himself."))
