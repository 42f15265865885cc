"""What is said about a move: legal or not, why not, and which article says so."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING

from kiosk.domain.rulebook import RuleText
from kiosk.play.board import Game
from kiosk.say import _, mark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kiosk.play.board import Board, Play, Step
    from kiosk.play.rules import PlayRules


class Reason(StrEnum):
    """Why a move is not legal."""

    GAME_OVER = "game_over"
    NO_CHECKER = "no_checker"
    DIRECTION = "direction"
    BAR_FIRST = "bar_first"
    WRONG_NUMBER = "wrong_number"
    TOO_MANY = "too_many"
    NOT_ALL_HOME = "not_all_home"
    BLOCKED = "blocked"
    ENTRY_BLOCKED = "entry_blocked"
    HIGHER_FIRST = "higher_first"
    HEAD = "head"
    SIX_BLOCK = "six_block"
    BOTH = "both"
    LARGER = "larger"
    MORE = "more"
    NOT_THIS_ROLL = "not_this_roll"
    """Of a final position: no move by these dice, legal or not, leads there."""


WORDS: Mapping[Reason, str] = MappingProxyType(
    {
        Reason.GAME_OVER: mark("The game is over: one side has borne off all its checkers."),
        Reason.NO_CHECKER: mark("The side to move has no checker there."),
        Reason.DIRECTION: mark("Checkers move from higher points to lower ones only."),
        Reason.BAR_FIRST: mark("Checkers on the bar must be entered before any other is moved."),
        Reason.WRONG_NUMBER: mark("No die, and no dice together, show that many points, or that die has been played."),
        Reason.TOO_MANY: mark("The roll has been played: no number is left for this step."),
        Reason.NOT_ALL_HOME: mark("Checkers are borne off only when all of them are in the home."),
        Reason.BLOCKED: mark("The point is blocked by the opponent, or the point on which the checker stops on its way."),
        Reason.ENTRY_BLOCKED: mark("The point on which the checker would enter is blocked by the opponent."),
        Reason.HIGHER_FIRST: mark("A number that no checker stands on is played from a higher point first."),
        Reason.HEAD: mark("Only one checker a turn may be taken from the head."),
        Reason.SIX_BLOCK: mark("That shows a block of six in front of all the opponent's checkers."),
        Reason.BOTH: mark("Both numbers can be played, so both must be."),
        Reason.LARGER: mark("Either number can be played, but not both, so the larger must be."),
        Reason.MORE: mark("More of the roll can be played, and must be."),
        Reason.NOT_THIS_ROLL: mark("No move by these dice leads to that position."),
    }
)
"""Each reason as a sentence, for `kiosk.say`."""

_FEDERATION = {
    Reason.GAME_OVER: "000 §5",
    Reason.NO_CHECKER: "000 §3",
    Reason.DIRECTION: "000 §1",
    Reason.BAR_FIRST: "000 §4",
    Reason.WRONG_NUMBER: "000 §3",
    Reason.TOO_MANY: "000 §3",
    Reason.NOT_ALL_HOME: "000 §5",
    Reason.BLOCKED: "000 §3",
    Reason.ENTRY_BLOCKED: "000 §4",
    Reason.HIGHER_FIRST: "000 §5",
    Reason.BOTH: "000 §3",
    Reason.LARGER: "000 §3",
    Reason.MORE: "000 §3",
    Reason.NOT_THIS_ROLL: "000 §3",
}
_NATIONAL = {
    Reason.GAME_OVER: "004 5.4.39",
    Reason.NO_CHECKER: "004 5.4.21",
    Reason.DIRECTION: "004 5.4.23",
    Reason.WRONG_NUMBER: "004 5.4.23–5.4.24",
    Reason.TOO_MANY: "004 5.4.47",
    Reason.NOT_ALL_HOME: "004 5.4.35",
    Reason.BLOCKED: "004 5.4.12",
    Reason.HIGHER_FIRST: "004 5.4.36–5.4.37",
    Reason.HEAD: "004 5.4.11",
    Reason.SIX_BLOCK: "004 5.4.13",
    Reason.BOTH: "004 5.4.26",
    Reason.LARGER: "004 5.4.26",
    Reason.MORE: "004 5.4.26",
    Reason.NOT_THIS_ROLL: "004 5.4.23–5.4.24",
}
# 002 and 003 number nothing: the text itself is cited. 003 says that no move may be declined, and is silent about both numbers against
# one, and about the larger; there 000 §3 stands.
_CLUB = dict.fromkeys(_FEDERATION, "002")
_YELLOW = dict.fromkeys(_FEDERATION, "003") | dict.fromkeys((Reason.BOTH, Reason.LARGER), "000 §3")
_ARTICLES = {RuleText.FEDERATION: _FEDERATION, RuleText.CLUB: _CLUB, RuleText.YELLOW: _YELLOW, RuleText.NATIONAL: _NATIONAL}


def article(reason: Reason, rules: PlayRules) -> str | None:
    """The article that a reason rests on, as it is cited; None where the cited text does not speak of it.

    Args:
        reason: Why a move is not legal.
        rules: Whose text is cited.
    """
    if rules.game is Game.LONG_NARDY:
        return _NATIONAL.get(reason)  # the only text that speaks of long nardy
    return _ARTICLES[rules.text].get(reason)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to "was that move legal?"."""

    legal: bool
    final: Board | None
    """The position that the move leads to, whether or not it is legal; None where the steps cannot all be made on a board."""
    reason: Reason | None
    """Why it is not legal."""
    article: str | None
    """Where that stands, e.g. `004 5.4.11`."""
    at_step: int | None
    """Which of the steps told is the wrong one, counted from 0; None: the move as a whole."""
    plays: tuple[Play, ...]
    """All that would have been legal, one for each final position."""
    made: tuple[Step, ...] = ()
    """Each die's step, with its hits: of a legal move in an order that is legal; of a position that is not, a way to it."""

    @property
    def sentence(self) -> str:
        """The answer in the language spoken now."""
        if self.reason is None:
            return _("The move is legal.")
        return _(WORDS[self.reason])
