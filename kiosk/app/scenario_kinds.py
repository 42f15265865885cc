"""The kinds of values that scenario words take.

A kind is a function from JSON value to the value used, which raises `ValueError` with what it wants. Numbers arrive as `int` or
`Decimal`, so that 36.4 s is exactly 36,400,000,000 ns.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kiosk.domain.rulebook import FlagPolicy, Kind
from kiosk.domain.types import NS_PER_S, Pair, Side, Span
from kiosk.say import _

if TYPE_CHECKING:
    from kiosk.domain.facts import Strokes

Read = Callable[[Any], Any]

LARGEST = 10**9
"""Numbers in a scenario stay below this: 30 years of seconds."""

LARGEST_STEP = 4 * 10**9
"""The date jumps by less than this: 126 years of seconds."""


def number(value: Any) -> Decimal:
    """A finite number; a boolean is none."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ValueError(_("a number"))
    exact = Decimal(value)
    if not -LARGEST < exact < LARGEST:
        raise ValueError(_("a number below a thousand million"))
    return exact


def nanoseconds(value: Any) -> Span:
    """Seconds as nanoseconds."""
    return Span(round(number(value) * NS_PER_S))


def date_step(value: Any) -> Span:
    """Seconds by which a date jumps: to 1970 it is more than a thousand million, so the jump has a limit of its own."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ValueError(_("a number"))
    exact = Decimal(value)
    if not -LARGEST_STEP < exact < LARGEST_STEP:
        raise ValueError(_("a number below four thousand million"))
    return Span(round(exact * NS_PER_S))


def duration(value: Any) -> Span:
    """Seconds that are not negative: how long something lasted is no value to refuse at play."""
    span = nanoseconds(value)
    if span < 0:
        raise ValueError(_("a number of seconds, 0 or more"))
    return span


def whole(value: Any) -> int:
    """A whole number."""
    exact = number(value)
    if exact != exact.to_integral_value():
        raise ValueError(_("a whole number"))
    return int(exact)


def text(value: Any) -> str:
    """A string."""
    if not isinstance(value, str):
        raise ValueError(_("a text in quotes"))
    if any(letter == "\0" or "\ud800" <= letter <= "\udfff" for letter in value):
        raise ValueError(_("a text of whole characters"))  # half a \\u pair cannot be stored, a null character not be drawn anywhere
    return value


def truth(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ValueError(_("true or false"))
    return value


def word_of(*words: str, read: Callable[[str], Any] = str) -> Read:
    """One word out of a list."""

    def check(value: Any) -> Any:
        if not isinstance(value, str) or value not in words:
            raise ValueError(_("one of {names}", names=", ".join(words)))
        return read(value)

    return check


def or_null(read: Read) -> Read:
    """The same, or null."""
    return lambda value: None if value is None else read(value)


def texts(value: Any) -> tuple[str, ...]:
    """A list of strings."""
    if not isinstance(value, list):
        raise ValueError(_("a list of texts"))
    return tuple(text(item) for item in value)


def throws(value: Any) -> tuple[tuple[int, ...], ...]:
    """What each of several players threw with one die: a number, or a list of them where he threw again."""
    if not isinstance(value, list):
        raise ValueError(_("a list with each player's throw, or his throws"))
    return tuple(tuple(whole(die) for die in (each if isinstance(each, list) else [each])) for each in value)


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
        sides = _object(value, _("an object with left and right"), {"left", "right"})
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
    wanted = _("a policy's name, or an object with policy and, if need be, minutes, points, refill_s")
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
    """A list of {name, role, pin}, each with a badge's number where there is one."""
    wanted = _("a list of objects with name, role (referee, deputy, chief), pin and, if need be, badge")
    if not isinstance(value, list):
        raise ValueError(wanted)
    people = [_object(person, wanted, {"name", "role", "pin"}, {"badge"}) for person in value]
    role = word_of("referee", "deputy", "chief")
    return tuple(
        {"name": text(p["name"]), "role": role(p["role"]), "pin": text(p["pin"])} | ({"badge": text(p["badge"])} if "badge" in p else {})
        for p in people
    )


def paper_games(value: Any) -> tuple[dict[str, Any], ...]:
    """[{winner, kind, cube}, …]: the games of a paper sheet; without a cube it stood at 1."""
    wanted = _("a list of games, each with winner, kind and, if need be, cube")
    if not isinstance(value, list):
        raise ValueError(wanted)
    side, kind = word_of(*Side, read=Side), word_of(*(one for one in Kind if one is not Kind.PASS), read=Kind)
    games = [_object(game, wanted, {"winner", "kind"}, {"cube"}) for game in value]
    return tuple({"winner": side(g["winner"]), "kind": kind(g["kind"]), "cube": whole(g.get("cube", 1))} for g in games)


def paper_end(value: Any) -> dict[str, Any]:
    """{how, side}: how a match on a paper sheet ended, where it was not by the score."""
    end = _object(value, _("an object with how (resignation, flag, forfeit) and side"), {"how", "side"})
    how = word_of("resignation", "flag", "forfeit")
    side = word_of("left", "right", "both")
    return {"how": how(end["how"]), "side": side(end["side"])}


def strokes(value: Any) -> Strokes:
    """[[[x, y], …], …]: a drawing by its strokes; whether it fits its box is asked at play."""
    wanted = _("a list of strokes, each a list of [x, y] in whole numbers")
    if not isinstance(value, list):
        raise ValueError(wanted)
    return tuple(_points(stroke, wanted) for stroke in value)


def _points(stroke: Any, wanted: str) -> tuple[tuple[int, int], ...]:
    if not isinstance(stroke, list) or not all(isinstance(point, list) and len(point) == 2 for point in stroke):
        raise ValueError(wanted)
    return tuple((whole(x), whole(y)) for x, y in stroke)


def contact(value: Any) -> tuple[tuple[Span, bool], ...]:
    """[[ms after `at`, 0 or 1], …], not running backwards."""
    wanted = _("a list of [milliseconds, 0 or 1], not running backwards")
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


def png(value: Any) -> Path:
    """A file for a picture."""
    if not isinstance(value, str) or not value.lower().endswith(".png") or "\0" in value:
        raise ValueError(_("a file name that ends in .png"))
    return Path(value)


def pixels(value: Any) -> tuple[int, int]:
    """A picture's size, as in `1280x800`."""
    wide, times, high = value.partition("x") if isinstance(value, str) else ("", "", "")
    if not times or not all(part.isascii() and part.isdigit() and 320 <= int(part) <= 7680 for part in (wide, high)):
        raise ValueError(_("a size in pixels such as 800x480"))
    return int(wide), int(high)
