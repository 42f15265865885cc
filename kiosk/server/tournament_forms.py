"""What an organizer types about the tournament: an entrant, a stage's plan, its order of strength, a result; read here."""

from __future__ import annotations

import re
import secrets
from typing import TYPE_CHECKING, TypeVar

from kiosk.domain.setup import bad_value
from kiosk.domain.text import seen
from kiosk.say import mark
from kiosk.server import plans
from kiosk.tournament.happened import Ended, Outcome
from kiosk.tournament.plan import Entrant, RatingPlan, StagePlan, System, check_plan
from kiosk.tournament.ratings import Ramp
from kiosk.tournament.standings import USUAL, TieBreak
from kiosk.tournament.swiss import FirstRound
from kiosk.tournament.tiebreaks import Unplayed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from enum import StrEnum

    from kiosk.tournament.event import Event

LONGEST = 60
"""A club, a country and a stage's name have no more characters."""
BREAKS_ASKED = 6
"""So many tie-breaks can be chosen on a page."""
MOST_POINTS = 9999

_Word = TypeVar("_Word", bound="StrEnum")


def fresh_seed() -> str:
    """A seed that nobody can foresee: sixteen hex digits."""
    return secrets.token_hex(8)


def short(text: str, longest: int = LONGEST) -> str:
    """A text on one line.

    Raises:
        CommandRefused: It is too long, or cannot be seen.
    """
    text = " ".join(text.split())
    if len(text) > longest or (text and not seen(text)):
        raise bad_value("“{text}” is too long: at most {longest} characters, each of which can be seen.", text=text[:40], longest=longest)
    return text


# ── Entrants ─────────────────────────────────────────────────────────────────
def entrant_of(ident: int, text: Callable[[str], str], again: int | None = None) -> Entrant:
    """An entrant as the form or a list's row has him.

    Args:
        ident: His number.
        text: Gives `name`, `club`, `country`, `rating`, `experience`.
        again: Whose re-entry it is.

    Raises:
        CommandRefused: Something of it cannot be.
    """
    names = plans.names_of(text("name"))
    if len({plans.folded(name) for name in names}) < len(names):
        raise bad_value("A pair is two people; one name stands twice.")
    rating, experience = rating_of(text("rating")), experience_of(text("experience"))
    return Entrant(ident, names, short(text("club")), short(text("country")), rating, again, experience)


def rating_of(text: str) -> float | None:
    """A rating; None: he has none.

    Raises:
        CommandRefused: It is no number from 0 to 9999.
    """
    text = text.strip().replace(",", ".")
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,3})?", text):
        raise bad_value("A rating is a number from 0 to 9999; “{text}” is none.", text=text[:40])
    return float(text)


def experience_of(text: str) -> int | None:
    """Points of all matches rated so far; None: nobody told.

    Raises:
        CommandRefused: It is no whole number of up to six digits.
    """
    text = text.strip()
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,6}", text):
        raise bad_value("Experience is a whole number of points, up to 999999; “{text}” is none.", text=text[:40])
    return int(text)


def ratings_of(text: Callable[[str], str]) -> RatingPlan:
    """How ratings are reckoned, as the form has it.

    Raises:
        CommandRefused: Something of it cannot be read.
    """
    return RatingPlan(word(Ramp, text("ramp")), whole(text("length"), mark("Match length")))


# ── A stage ──────────────────────────────────────────────────────────────────
def whole(text: str, what: str, default: int = 0) -> int:
    """A whole number.

    Args:
        text: As it was typed; empty: `default`.
        what: What it is, for the sentence; marked for the catalogue.
        default: What nothing means.

    Raises:
        CommandRefused: It is none.
    """
    text = text.strip()
    if not text:
        return default
    if not re.fullmatch(r"[0-9]{1,4}", text):
        raise bad_value("{what} is a whole number; “{text}” is none.", what=what, text=text[:40])
    return int(text)


def word(kind: type[_Word], text: str) -> _Word:
    """One of what a form offers.

    Raises:
        CommandRefused: It is none of it.
    """
    if text not in set(kind):
        raise bad_value("Choose one of what the form offers.")
    return kind(text)


def plan_of(text: Callable[[str], str]) -> StagePlan:
    """A stage's plan as the form has it.

    Raises:
        CommandRefused: Something of it cannot be read.
        TournamentError: It cannot be carried out.
    """
    system = word(System, text("system"))
    consoles = system is System.CONSOLATION
    plan = StagePlan(
        name=short(text("name"), 30),
        system=system,
        rounds=whole(text("rounds"), mark("Rounds")) if system is System.SWISS else 0,
        laps=whole(text("laps"), mark("Laps"), 1) if system is System.ROUND_ROBIN else 1,
        groups=whole(text("groups"), mark("Groups"), 1) if system is System.ROUND_ROBIN else 1,
        losses=whole(text("losses"), mark("Losses")) if system is System.SWISS else 0,
        third=text("third") == "yes",
        second_final=text("second_final") == "yes",
        seeded=text("seeded") != "drawn",
        of=whole(text("of"), mark("The stage whose losers play")) or None if consoles else None,
        losers=numbers(text("losers")) or (1,) if consoles else (1,),
        tiebreaks=_breaks(text),
        unplayed=word(Unplayed, text("unplayed") or Unplayed.VIRTUAL),
        avoid_club=text("avoid_club") == "yes",
        avoid_floats=text("avoid_floats") == "yes",
        first=word(FirstRound, text("first") or FirstRound.DRAWN),
        forbidden=_forbidden(text("forbidden")),
        seed=short(text("seed")),
    )
    check_plan(plan)
    return plan


def _breaks(text: Callable[[str], str]) -> tuple[TieBreak, ...]:
    chosen = [word(TieBreak, given) for n in range(1, BREAKS_ASKED + 1) if (given := text(f"tiebreak{n}"))]
    if len(set(chosen)) < len(chosen):
        raise bad_value("A tie-break stands there twice.")
    return tuple(chosen)


def usual() -> dict[str, str]:
    """What a new stage's form begins with."""
    made = {f"tiebreak{n}": str(each) for n, each in enumerate(USUAL, 1)}
    return made | {"system": "swiss", "rounds": "5", "second_final": "yes", "unplayed": "virtual", "first": "drawn", "seed": fresh_seed()}


def numbers(text: str) -> tuple[int, ...]:
    """Numbers with commas between them.

    Raises:
        CommandRefused: Something else stands there.
    """
    parts = [part for part in re.split(r"[\s,;]+", text.strip()) if part]
    if any(not re.fullmatch(r"[0-9]{1,6}", part) for part in parts):
        raise bad_value("Here stand numbers with commas between them; “{text}” is something else.", text=text[:40])
    return tuple(int(part) for part in parts)


def _forbidden(text: str) -> tuple[tuple[int, int], ...]:
    found = []
    for part in filter(None, re.split(r"[,;\n]+", text.strip())):
        both = re.fullmatch(r"\s*([0-9]{1,6})\s*[-–]\s*([0-9]{1,6})\s*", part)
        if both is None:
            raise bad_value("Who must not meet is written as 3-7, 2-9: the numbers of the entry list; “{text}” is not.", text=part[:40])
        found.append((int(both[1]), int(both[2])))
    return tuple(found)


def fixed_of(text: str) -> dict[int, str]:
    """Whose table is fixed: a seat that somebody needs, the stream's.

    Args:
        text: As `7=3, 12=Stream`: numbers of the entry list, and tables.

    Raises:
        CommandRefused: It is written otherwise.
    """
    found = {}
    for part in filter(None, (each.strip() for each in re.split(r"[,;\n]+", text))):
        both = re.fullmatch(r"([0-9]{1,6})\s*=\s*(\S.{0,39})", part)
        if both is None:
            raise bad_value("A fixed table is written as 7=3: a number of the entry list, and a table; “{text}” is not.", text=part[:40])
        found[int(both[1])] = both[2]
    return found


def order_text(event: Event, entrants: list[int]) -> str:
    """Who plays, one a line, the strongest first."""
    return "\n".join(f"{each}  {event.name(each)}" for each in entrants)


def order_of(text: str) -> tuple[int, ...]:
    """Who plays, as `order_text` writes it: what follows the number is for people.

    Raises:
        CommandRefused: A line does not begin with a number.
    """
    found = []
    for n, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        first = line.split()[0]
        if not re.fullmatch(r"[0-9]{1,6}", first):
            raise bad_value("Line {n} begins with an entrant's number; “{text}” is none.", n=n, text=first[:40])
        found.append(int(first))
    return tuple(found)


# ── A result ─────────────────────────────────────────────────────────────────
def ended_of(stage: int, key: str, text: Callable[[str], str]) -> Ended:
    """A result as the form has it.

    Raises:
        CommandRefused: It cannot be read, or the winner has fewer points.
    """
    outcome = word(Outcome, text("outcome"))
    left, right = whole(text("left"), mark("Points")), whole(text("right"), mark("Points"))
    length = whole(text("length"), mark("Match length"))
    if outcome not in {Outcome.LEFT, Outcome.RIGHT}:
        return Ended(stage, key, outcome, length=length)
    if (left or right) and (left > right) is not (outcome is Outcome.LEFT):
        raise bad_value("The winner has more points than the loser; leave both out where they are not known.")
    return Ended(stage, key, outcome, left, right, length)


def as_result(ended: Ended, length: int | None) -> dict[str, object]:
    """The same for the table of results, where a match of `length` was released.

    Args:
        ended: What was decided.
        length: Its length: points that are not known are told as the least that wins.
    """
    winner: Mapping[Outcome, str | None] = {
        Outcome.LEFT: "left",
        Outcome.RIGHT: "right",
        Outcome.LEFT_FORFEIT: "left",
        Outcome.RIGHT_FORFEIT: "right",
        Outcome.BOTH_FORFEIT: None,
    }
    side = winner[ended.outcome]
    score = {"left": ended.left_points, "right": ended.right_points}
    if ended.outcome is Outcome.BOTH_FORFEIT:
        return {"score": score, "winner": None, "how": "double_forfeit"}
    if ended.outcome not in {Outcome.LEFT, Outcome.RIGHT}:
        return {"score": score, "winner": side, "how": "forfeit"}
    if side is not None and length is not None and score[side] < length:
        return {"score": score, "winner": side, "how": "ruling"}
    return {"score": score, "winner": side, "how": "score"}
