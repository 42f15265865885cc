"""Facts as plain JSON and back: the only place that knows the stored shape.

Every fact is one JSON object with its version `v`, its fields under their own names, keys sorted, no spaces. A shape that
changes gets a higher version in `VERSIONS` and an entry in `UPCASTERS`, which lifts old objects one version at a time when
they are read. A type or version that this program does not know comes back as `UnknownFact`: kept, never dropped.
"""

from __future__ import annotations

import json
import re
import types
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from kiosk.domain.errors import KioskError
from kiosk.domain.facts import Fact

Plain = Any
"""What JSON can hold."""

Read = Callable[[Plain], Any]
Write = Callable[[Any], Plain]


class CodecError(KioskError, ValueError):
    """The world failed: a stored fact does not have the shape that its type and version promise."""


@dataclass(frozen=True, slots=True)
class UnknownFact:
    """A fact of a newer program: kept as it came."""

    type: str
    """Its name."""
    text: str
    """Its JSON."""


VERSIONS: dict[str, int] = {}
"""Facts whose shape has changed, with their current version; all others are version 1."""

UPCASTERS: dict[tuple[str, int], Callable[[dict[str, Plain]], dict[str, Plain]]] = {}
"""(type, old version) → the same fact one version up."""


def name_of(fact: type[Fact]) -> str:
    """A fact's name in the journal: its class in snake_case."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", fact.__name__).lower()


TYPES: dict[str, type[Fact]] = {name_of(fact): fact for fact in get_args(Fact)}
"""Every fact by name."""

_NAMES = {fact: name for name, fact in TYPES.items()}


def encode(fact: Fact) -> tuple[str, str]:
    """A fact's name and canonical JSON text."""
    kind = type(fact)
    name = _NAMES[kind]
    plain = {key: getattr(fact, key) if write is None else write(getattr(fact, key)) for key, _, write in _plan(kind)}
    plain["v"] = VERSIONS.get(name, 1)
    return name, _DUMP(plain)


_DUMP = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def decode(name: str, text: str) -> Fact | UnknownFact:
    """The fact that was stored.

    Raises:
        CodecError: The text is not what its type and version promise.
    """
    kind = TYPES.get(name)
    if kind is None:
        return UnknownFact(name, text)
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise CodecError(f"A stored {name} is not JSON: {error}.") from error
    if not isinstance(plain, dict):
        raise CodecError(f"A stored {name} is not an object.")
    version = plain.pop("v", None)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise CodecError(f"A stored {name} does not say its version.")
    if version > VERSIONS.get(name, 1):
        return UnknownFact(name, text)
    try:
        for old in range(version, VERSIONS.get(name, 1)):
            plain = UPCASTERS[name, old](plain)
        return cast("Fact", _build(kind, plain))
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise CodecError(f"A stored {name} does not have its shape: {error}.") from error


T = TypeVar("T")


@cache
def _plan(kind: type[Any]) -> tuple[tuple[str, Read, Write | None], ...]:
    """(field, reader, writer) for a frozen dataclass; no writer where the value is plain already."""
    hints = get_type_hints(kind)
    return tuple((field.name, _reader(hints[field.name]), _writer(hints[field.name])) for field in fields(kind))


def _build(kind: type[T], plain: Plain, hints: dict[Any, Any] | None = None) -> T:
    plan = _plan(kind) if hints is None else _generic_plan(kind, hints)
    if not isinstance(plain, dict) or len(plain) != len(plan):
        raise ValueError(f"{kind.__name__} needs {', '.join(key for key, _, _ in plan)}")
    return kind(**{key: read(plain[key]) for key, read, _ in plan})


def _generic_plan(kind: type[Any], hints: dict[Any, Any]) -> tuple[tuple[str, Read, Write | None], ...]:
    own = get_type_hints(kind)
    return tuple(
        (field.name, _reader(hints.get(own[field.name], own[field.name])), _writer(hints.get(own[field.name], own[field.name])))
        for field in fields(kind)
    )


def _exactly(kind: type[Any]) -> Read:
    def read(plain: Plain) -> Any:  # noqa: ANN401
        if type(plain) is not kind:
            raise ValueError(f"{plain!r} is no {kind.__name__}")
        return plain

    return read


def _bare(hint: Any) -> Any:  # noqa: ANN401
    return getattr(hint, "__supertype__", hint)  # Span and Instant are integers


def _optional(hint: Any) -> Any | None:  # noqa: ANN401
    if get_origin(hint) in {Union, types.UnionType}:
        inner = [arg for arg in get_args(hint) if arg is not type(None)]
        return inner[0] if len(inner) == 1 else None
    return None


def _parameters(hint: Any) -> dict[Any, Any]:  # noqa: ANN401
    return dict(zip(get_origin(hint).__parameters__, get_args(hint), strict=True))


def _reader(hint: Any) -> Read:  # noqa: ANN401
    hint, inner = _bare(hint), _optional(hint)
    if inner is not None:
        read = _reader(inner)
        return lambda plain: None if plain is None else read(plain)
    if get_origin(hint) is tuple:
        return _tuple_reader(get_args(hint))
    if is_dataclass(get_origin(hint)):
        parameters = _parameters(hint)
        return lambda plain: _build(cast("type[Any]", get_origin(hint)), plain, parameters)
    if is_dataclass(hint):
        return lambda plain: _build(cast("type[Any]", hint), plain)
    if issubclass(hint, Enum):
        return cast("Read", hint)
    return _exactly(hint)


def _tuple_reader(args: tuple[Any, ...]) -> Read:
    listed = _exactly(list)
    if len(args) == 2 and args[1] is Ellipsis:
        read = _reader(args[0])
        return lambda plain: tuple(read(item) for item in listed(plain))
    reads = [_reader(arg) for arg in args]
    return lambda plain: tuple(read(item) for read, item in zip(reads, listed(plain), strict=True))


def _writer(hint: Any) -> Write | None:  # noqa: ANN401
    hint, inner = _bare(hint), _optional(hint)
    if inner is not None:
        write = _writer(inner)
        return None if write is None else lambda value: None if value is None else write(value)
    if get_origin(hint) is tuple:
        return _tuple_writer(get_args(hint))
    if is_dataclass(get_origin(hint)):
        return _dataclass_writer(_generic_plan(get_origin(hint), _parameters(hint)))
    if is_dataclass(hint):
        return _dataclass_writer(_plan(cast("type[Any]", hint)))
    return str if issubclass(hint, Enum) else None


def _tuple_writer(args: tuple[Any, ...]) -> Write:
    if len(args) == 2 and args[1] is Ellipsis:
        write = _writer(args[0])
        return list if write is None else lambda value: [write(item) for item in value]
    writes = [_writer(arg) for arg in args]
    return lambda value: [item if write is None else write(item) for write, item in zip(writes, value, strict=True)]


def _dataclass_writer(plan: tuple[tuple[str, Read, Write | None], ...]) -> Write:
    return lambda value: {key: getattr(value, key) if write is None else write(getattr(value, key)) for key, _, write in plan}
