"""Facts as plain JSON and back: the only place that knows the stored shape.

Every fact is one JSON object with its version `v`, its fields under their own names, keys sorted, no spaces. A shape that
changes gets a higher version in `VERSIONS` and an entry in `UPCASTERS`, which lifts old objects one version at a time when
they are read. A type or version that this program does not know comes back as `UnknownFact`: kept, never dropped.

Nothing is written by hand per fact: a class is compiled once, from its type hints, into a plan of (field, reader, writer). The
stored texts in `tests/codec/golden.json` are what guards the shape: renaming a field or a word is a change of version.
"""

from __future__ import annotations

import json
import re
import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from kiosk.domain.errors import KioskError
from kiosk.domain.facts import Fact

Plain = Any
"""What JSON can hold."""

Read = Callable[[Plain], Any]
Write = Callable[[Any], Plain]
Plan = tuple[tuple[str, Read, Write | None], ...]
"""(field, reader, writer); no writer where the value is plain already."""


FARTHEST = 1e15
"""No number with a point is farther from zero."""


class CodecError(KioskError, ValueError):
    """The world failed: a stored fact does not have the shape that its type and version promise."""


@dataclass(frozen=True, slots=True)
class UnknownFact:
    """A fact of a newer program: kept as it came."""

    type: str
    """Its name."""
    text: str
    """Its JSON."""


VERSIONS: dict[str, int] = {"match_opened": 5, "official_signed_in": 2, "pin_recovered": 2, "sheet_signed": 2}
"""Facts whose shape has changed, with their current version; all others are version 1."""


def _without_catalogue(plain: dict[str, Plain]) -> dict[str, Plain]:
    # Decision: a match opened before there was a catalogue has none. Today's would be a claim about what was agreed then; no ruling
    # stands in such a journal, and one made in it now is refused as unknown_infraction. The ladder is that of 000 §11.
    ladder = {"first_minor": "remark", "first_serious": "warning", "same_game": "game_loss", "later_game": "warning", "note_later": True}
    return {**plain, "setup": {**plain["setup"], "infractions": [], "ladder": ladder}}


UPCASTERS: dict[tuple[str, int], Callable[[dict[str, Plain]], dict[str, Plain]]] = {
    ("match_opened", 1): _without_catalogue,
    ("match_opened", 2): lambda plain: {**plain, "setup": {**plain["setup"], "clocks": "times"}},  # nobody had chosen
    ("match_opened", 3): lambda plain: {
        **plain,
        "setup": {**plain["setup"], "sounds": {"last_seconds": 0, "flag": False}},
    },  # all was silent
    ("match_opened", 4): lambda plain: {**plain, "setup": {**plain["setup"], "play": None}},  # it kept none
    ("official_signed_in", 1): lambda plain: {**plain, "how": "pin"},  # there was no other way
    ("pin_recovered", 1): lambda plain: {**plain, "by": "", "wall_trusted": False},  # neither was kept
    ("sheet_signed", 1): lambda plain: {**plain, "strokes": []},  # it was signed without a drawing
}
"""(type, old version) → the same fact one version up."""


def name_of(fact: type[Fact]) -> str:
    """A fact's name in the journal: its class in snake_case."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", fact.__name__).lower()


TYPES: dict[str, type[Fact]] = {name_of(fact): fact for fact in get_args(Fact)}
"""Every fact by name."""

_NAMES = {fact: name for name, fact in TYPES.items()}


def encode(fact: Fact) -> tuple[str, str]:
    """A fact's name and canonical JSON text.

    Args:
        fact: Any fact.
    """
    name, version, plan = _stored(type(fact))
    plain = {key: getattr(fact, key) if write is None else write(getattr(fact, key)) for key, _, write in plan}
    plain["v"] = version
    return name, _DUMP(plain)


_DUMP = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode
_LOAD = json.JSONDecoder().raw_decode


def decode(name: str, text: str) -> Fact | UnknownFact:
    """The fact that was stored.

    Args:
        name: The fact's name in the journal.
        text: Its JSON.

    Raises:
        CodecError: The text is not what its type and version promise.
    """
    kind = TYPES.get(name)
    if kind is None:
        return UnknownFact(name, text)
    plain = _object(name, text)
    _, newest, plan = _stored(kind)
    version = plain.pop("v", None)
    if type(version) is not int or version < 1:
        raise CodecError(f"A stored {name} does not say its version.")
    if version > newest:
        return UnknownFact(name, text)
    try:
        for old in range(version, newest):
            plain = UPCASTERS[name, old](plain)
        return _build(kind, plan, plain)
    except (LookupError, TypeError, ValueError) as error:
        raise CodecError(f"A stored {name} does not have its shape: {error}.") from error


def _object(name: str, text: str) -> dict[str, Plain]:
    try:
        plain, end = _LOAD(text)
    except (ValueError, RecursionError) as error:
        raise CodecError(f"A stored {name} is not JSON.") from error
    if type(plain) is not dict or end != len(text):
        raise CodecError(f"A stored {name} is not one object.")
    return plain


def _stored(kind: Any) -> tuple[str, int, Plan]:
    name = _NAMES[kind]
    return name, VERSIONS.get(name, 1), _plan(kind)


T = TypeVar("T")


def _build(kind: type[T], plan: Plan, plain: Plain) -> T:
    if type(plain) is not dict or len(plain) != len(plan):
        raise ValueError(f"{kind.__name__} needs {', '.join(key for key, _, _ in plan)}")
    return kind(*[read(plain[key]) for key, read, _ in plan])


def to_plain(value: object) -> dict[str, Plain]:
    """Any dataclass of ours as what JSON can hold, by the same plans as facts; without a version.

    Args:
        value: An instance of a dataclass whose fields are plain values, enumerations, tuples or such dataclasses.
    """
    return {key: getattr(value, key) if write is None else write(getattr(value, key)) for key, _, write in _plan(cast("Any", type(value)))}


def from_plain(kind: type[T], plain: Plain) -> T:
    """The value that `to_plain` made.

    Args:
        kind: Its class.
        plain: What JSON held.

    Raises:
        CodecError: It does not have the class's shape.
    """
    try:
        return _build(kind, _plan(cast("Any", kind)), plain)
    except (LookupError, TypeError, ValueError) as error:
        raise CodecError(f"A {kind.__name__} does not have its shape: {error}.") from error


def filled(kind: Any, plain: Plain) -> Plain:
    """What an earlier program wrote, with the fields that have come since, each with its default; what is no such object stays as it is.

    Args:
        kind: Its class.
        plain: What JSON held; unchanged.
    """
    if type(plain) is not dict:
        return plain
    made = dict(plain)
    for name, inner, default in _since(kind):
        if inner is not None and name in made:
            made[name] = filled(inner, made[name])
        elif default is not MISSING:
            made.setdefault(name, default)
    return made


@cache
def _since(kind: Any) -> tuple[tuple[str, Any, Any], ...]:
    """Of each field its class, where that is one of ours, and its default, as JSON has it."""
    hints, found = get_type_hints(kind), list[tuple[str, Any, Any]]()
    for each in fields(kind):
        hint = hints[each.name]
        write = _writer(hint)
        default = each.default if each.default is MISSING or write is None else write(each.default)
        plain = default if default is MISSING else json.loads(json.dumps(default))
        found.append((each.name, hint if is_dataclass(hint) else None, plain))
    return tuple(found)


# ── Plans: one per class, and per generic class with its parameters ──────────
@cache
def _plan(kind: Any) -> Plan:
    """Compile a dataclass, or a generic one with its parameters such as `Pair[int]`."""
    base: Any = get_origin(kind) or kind
    own = get_type_hints(base)
    given: Mapping[Any, Any] = dict(zip(getattr(base, "__parameters__", ()), get_args(kind), strict=True))
    hints = {field.name: given.get(own[field.name], own[field.name]) for field in fields(base)}
    return tuple((key, _reader(hint), _writer(hint)) for key, hint in hints.items())


def _bare(hint: Any) -> Any:
    return getattr(hint, "__supertype__", hint)  # Span and Instant are integers


def _optional(hint: Any) -> Any | None:
    if get_origin(hint) not in {Union, types.UnionType}:
        return None
    (inner,) = (arg for arg in get_args(hint) if arg is not type(None))
    return inner


def _reader(hint: Any) -> Read:
    hint, inner = _bare(hint), _optional(hint)
    if inner is not None:
        read = _reader(inner)
        return lambda plain: None if plain is None else read(plain)
    origin: Any = get_origin(hint) or hint
    if origin is tuple:
        return _tuple_reader(get_args(hint))
    if origin is Literal:
        return _one_of({word: word for word in get_args(hint)})
    if is_dataclass(origin):
        plan = _plan(hint)
        return lambda plain: _build(cast("type[Any]", origin), plan, plain)
    if issubclass(origin, Enum):
        return _one_of({member.value: member for member in origin})
    return _number if origin is float else _exactly(origin)


def _exactly(kind: type[Any]) -> Read:
    def read(plain: Plain) -> Any:
        if type(plain) is not kind:  # a bool is no int here
            raise ValueError(f"{plain!r} is no {kind.__name__}")
        return plain

    return read


def _number(plain: Plain) -> float:
    if type(plain) not in {int, float} or not -FARTHEST <= plain <= FARTHEST:  # neither a bool, nor what is no number, nor endless
        raise ValueError(f"{plain!r} is no number")
    return float(plain)


def _one_of(words: Mapping[str, Any]) -> Read:
    def read(plain: Plain) -> Any:
        if type(plain) is not str or plain not in words:
            raise ValueError(f"{plain!r} is none of {', '.join(words)}")
        return words[plain]

    return read


def _tuple_reader(args: tuple[Any, ...]) -> Read:
    listed = _exactly(list)
    if args[1:] == (Ellipsis,):
        read = _reader(args[0])
        return lambda plain: tuple([read(item) for item in listed(plain)])
    reads = [_reader(arg) for arg in args]
    return lambda plain: tuple([read(item) for read, item in zip(reads, listed(plain), strict=True)])


def _writer(hint: Any) -> Write | None:
    hint, inner = _bare(hint), _optional(hint)
    if inner is not None:
        write = _writer(inner)
        return None if write is None else lambda value: None if value is None else write(value)
    origin: Any = get_origin(hint) or hint
    if origin is tuple:
        return _tuple_writer(get_args(hint))
    if is_dataclass(origin):
        plan = _plan(hint)
        return lambda value: {key: getattr(value, key) if write is None else write(getattr(value, key)) for key, _, write in plan}
    return None  # words of an enumeration are text themselves


def _tuple_writer(args: tuple[Any, ...]) -> Write:
    if args[1:] == (Ellipsis,):
        write = _writer(args[0])
        return list if write is None else lambda value: [write(item) for item in value]
    writes = [_writer(arg) for arg in args]
    return lambda value: [item if write is None else write(item) for write, item in zip(writes, value, strict=True)]
