"""The words of the scenario format as data: each word's arguments and of what kind each is.

A kind is a function from JSON value to the value used, which raises `ValueError` with what it wants. Numbers arrive as `int` or
`Decimal`, so that 36.4 s is exactly 36,400,000,000 ns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from kiosk.domain.facts import StopReason
from kiosk.domain.rulebook import FlagPolicy, Kind, Method, Provide
from kiosk.domain.types import NS_PER_S, Pair, Side, Span

Read = Callable[[Any], Any]

LARGEST = 10**9
"""Numbers in a scenario stay below this: 30 years of seconds."""


def number(value: Any) -> Decimal:
    """A finite number; a boolean is none."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ValueError("a number")
    exact = Decimal(value)
    if not -LARGEST < exact < LARGEST:
        raise ValueError("a number below a thousand million")
    return exact


def nanoseconds(value: Any) -> Span:
    """Seconds as nanoseconds."""
    return Span(round(number(value) * NS_PER_S))


def duration(value: Any) -> Span:
    """Seconds that are not negative: how long something lasted is no value to refuse at play."""
    span = nanoseconds(value)
    if span < 0:
        raise ValueError("a number of seconds, 0 or more")
    return span


def whole(value: Any) -> int:
    """A whole number."""
    exact = number(value)
    if exact != exact.to_integral_value():
        raise ValueError("a whole number")
    return int(exact)


def text(value: Any) -> str:
    """A string."""
    if not isinstance(value, str):
        raise ValueError("a text in quotes")
    if any("\ud800" <= letter <= "\udfff" for letter in value):
        raise ValueError("a text of whole characters")  # half a \\u pair cannot be stored anywhere
    return value


def truth(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def word_of(*words: str, read: Callable[[str], Any] = str) -> Read:
    """One word out of a list."""

    def check(value: Any) -> Any:
        if not isinstance(value, str) or value not in words:
            raise ValueError(f"one of {', '.join(words)}")
        return read(value)

    return check


def or_null(read: Read) -> Read:
    """The same, or null."""
    return lambda value: None if value is None else read(value)


def texts(value: Any) -> tuple[str, ...]:
    """A list of strings."""
    if not isinstance(value, list):
        raise ValueError("a list of texts")
    return tuple(text(item) for item in value)


def names(value: Any) -> tuple[str, ...]:
    """A player's name, or a list of names."""
    return texts(value) if isinstance(value, list) else (text(value),)


def _object(value: Any, what: str, needed: Collection[str], optional: Collection[str] = ()) -> dict[str, Any]:
    if not isinstance(value, dict) or not set(needed) <= set(value) <= {*needed, *optional}:
        raise ValueError(what)
    return value


def both(read: Read) -> Read:
    """An object with a value for each side."""

    def check(value: Any) -> Pair[Any]:
        sides = _object(value, "an object with left and right", {"left", "right"})
        return Pair(read(sides["left"]), read(sides["right"]))

    return check


def same_or_both(read: Read) -> Read:
    """One value for both sides, or an object with a value for each."""

    def check(value: Any) -> Pair[Any]:
        return both(read)(value) if isinstance(value, dict) else Pair(read(value), read(value))

    return check


def flag_policy(value: Any) -> dict[str, Any]:
    """A policy's name, or an object with its figures: the fields of an `OnFlag` that differ from the rulebook's."""
    policy = word_of(*FlagPolicy, read=FlagPolicy)
    if isinstance(value, str):
        return {"policy": policy(value)}
    wanted = "a policy's name, or an object with policy and, if need be, minutes, points, refill_s"
    given = _object(value, wanted, {"policy"}, {"minutes", "points", "refill_s"})
    figures = {"policy": policy(given["policy"])}
    if "minutes" in given:
        figures["extra"] = Span(round(number(given["minutes"]) * 60 * NS_PER_S))
    if "points" in given:
        figures["points"] = whole(given["points"])
    if "refill_s" in given:
        figures["refill"] = nanoseconds(given["refill_s"])
    return figures


def officials(value: Any) -> tuple[dict[str, str], ...]:
    """A list of {name, role, pin}."""
    wanted = "a list of objects with name, role (referee, deputy, chief) and pin"
    if not isinstance(value, list):
        raise ValueError(wanted)
    people = [_object(person, wanted, {"name", "role", "pin"}) for person in value]
    role = word_of("referee", "deputy", "chief")
    return tuple({"name": text(p["name"]), "role": role(p["role"]), "pin": text(p["pin"])} for p in people)


def contact(value: Any) -> tuple[tuple[Span, bool], ...]:
    """[[ms after `at`, 0 or 1], …], not running backwards."""
    wanted = "a list of [milliseconds, 0 or 1], not running backwards"
    if not isinstance(value, list):
        raise ValueError(wanted)
    edges: list[tuple[Span, bool]] = []
    for edge in value:
        if not isinstance(edge, list) or len(edge) != 2:
            raise ValueError(wanted)
        after, level = Span(round(number(edge[0]) * 1_000_000)), whole(edge[1])
        if level not in {0, 1} or after < (edges[-1][0] if edges else 0):
            raise ValueError(wanted)
        edges.append((after, level == 1))
    return tuple(edges)


SIDE = word_of(*Side, read=Side)
SIDE_OR_BOTH = word_of("left", "right", "both")
SIDE_OR_REFEREE = word_of("left", "right", "referee")
KIND = word_of(*(kind for kind in Kind if kind is not Kind.PASS), read=Kind)
SANCTION = word_of("remark", "warning", "penalty_point", "game_loss", "match_loss", "expulsion")


@dataclass(frozen=True)
class Word:
    """One word of the format."""

    needed: Mapping[str, Read] = field(default_factory=dict)
    """Arguments that must be there."""
    optional: Mapping[str, Read] = field(default_factory=dict)
    """Arguments that may be there."""
    comes_with: str | None = None
    """The part of Tableside that brings the word, if this version does not have it yet."""


_REFEREE = "the referee's tools"
_SCREEN = "the table's screen"


def _official(needed: Mapping[str, Read] | None = None, optional: Mapping[str, Read] | None = None) -> Word:
    return Word(needed or {}, optional or {}, _REFEREE)


_BY = {"by": SIDE}
_REASON = {"reason": text}

WORDS: dict[str, Word] = {
    "open_match": Word(
        {"rulebook": text, "length": or_null(whole), "players": both(names)},
        {
            "reserve_s": same_or_both(nanoseconds),
            "delay_s": nanoseconds,
            "method": word_of(*Method, read=Method),
            "provide": word_of(*Provide, read=Provide),
            "crawford": truth,
            "crawford_played": truth,
            "cube": truth,
            "jacoby": truth,
            "backgammon_counts": whole,
            "on_flag": flag_policy,
            "score": both(whole),
            "officials": officials,
            "round_start_s": duration,
        },
    ),
    "press": Word({"side": SIDE}, {"held_s": duration}),
    "edges": Word({"side": SIDE, "edges": contact}),
    "stop": Word({}, {"reason": word_of(*StopReason, read=StopReason), "by": SIDE_OR_REFEREE}),
    "resume": Word(),
    "double": Word(_BY),
    "take": Word(_BY),
    "pass": Word(_BY),
    "automatic_double": Word(),
    "game": Word({"winner": SIDE, "kind": KIND}, {"cube": whole}),
    "confirm": Word(_BY),
    "dispute": Word(_BY),
    "correct": Word({"game": whole, "winner": SIDE, "kind": KIND}, {"cube": whole, **_REASON}),
    "break": Word(_BY),
    "end_break": Word(_BY),
    "claim_flag": Word({"by": SIDE_OR_REFEREE}),
    "start_late": Word({"side": SIDE_OR_BOTH}),
    "arrive": Word({"side": SIDE_OR_BOTH}),
    "press_back": Word({"by": SIDE_OR_REFEREE}),
    "swap_start": Word({"by": SIDE_OR_REFEREE}),
    "swap_seats": Word(),
    "resign_match": Word(_BY),
    "call_referee": Word(_BY),
    "undo": Word(),
    "sign": Word({"side": SIDE}, {"protest": truth}),
    "wall_clock": Word({"step_s": nanoseconds}),
    "power_cut": Word({"off_s": duration}),
    "end": Word(),
    "forfeit": _official({"side": SIDE_OR_BOTH, **_REASON}),
    "sign_in": _official({"pin": text}),
    "sign_out": _official(),
    "penalty": _official(
        {"side": SIDE_OR_BOTH, "infraction": text},
        {"sanction": SANCTION, "kind": KIND, "note": text, "panel": texts, "duplicate": word_of("keep", "merge")},
    ),
    "void": _official({"ruling": whole, **_REASON}),
    "adjust": _official({"side": SIDE, "seconds": nanoseconds, **_REASON}),
    "set_reserves": _official({"left": nanoseconds, "right": nanoseconds, **_REASON}),
    "set_control": _official({}, {"delay_s": nanoseconds, "method": word_of(*Method, read=Method), **_REASON}),
    "restart_delay": _official(),
    "clear_flag": _official({"side": SIDE, **_REASON}),
    "cancel_next_delay": _official({"side": SIDE}),
    "set_cube": _official({"value": whole, "owner": or_null(SIDE), **_REASON}),
    "restart_game": _official(_REASON),
    "set_state": _official(
        {
            "score": both(whole),
            "reserve_s": same_or_both(nanoseconds),
            "turn": or_null(SIDE),
            "delay_used_s": nanoseconds,
            "cube": whole,
            "owner": or_null(SIDE),
            "game": whole,
            "crawford_played": truth,
            "breaks": both(whole),
        }
    ),
    "suspend": _official({}, {"position": text, "note": text}),
    "resume_match": _official(),
    "dice_change": _official(_BY),
    "permit": _official({"side": SIDE, "what": word_of("device", "leave")}, {"until_s": duration}),
    "appeal": _official({"ruling": whole, "by": SIDE}, {"to": word_of("chief", "committee")}),
    "decide_appeal": _official(
        {
            "appeal": whole,
            "outcome": word_of("upheld", "void", "remark", "warning", "penalty_point", "game_loss", "match_loss", "expulsion"),
        },
        {"names": texts},
    ),
    "receive": _official(),
    "render": Word({"file": text}, {}, _SCREEN),
}
"""Every word of the format."""


def documented_words() -> dict[str, tuple[str, ...]]:
    """Every word with the names of its arguments, the needed ones first."""
    return {name: (*word.needed, *word.optional) for name, word in WORDS.items()}
