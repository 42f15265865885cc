"""From good keys to a `Rulebook`: laying one file over another, and filling the domain's shape."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from kiosk.books.keys import INFRACTION, PRESET, RECORDS, SECTIONS, TOP, Game, Key
from kiosk.domain.rulebook import KINDS_OF, Infraction, Kind, Preset, Rulebook

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kiosk.books.source import Table

_FILLERS = {"title": "", "game": Game.BACKGAMMON.value, "control": {"kind": "per_point"}}
_NOT_FIELDS = {"extends", "name"}


def merge(parent: Mapping[str, object], own: Mapping[str, object]) -> Table:
    """Lay a file's keys over the inherited ones.

    Sections and infractions are merged key by key, everything in them and outside is replaced whole: lists, presets, tables by length,
    titles.

    Args:
        parent: What is inherited; stays as it is.
        own: What the file says.
    """
    whole = {**parent, **own}
    for name in SECTIONS:
        whole |= _laid(parent, own, name)
    above, here = _table(parent.get("infractions")), _table(own.get("infractions"))
    catalogue = {**above, **here}
    for code in here:
        catalogue |= _laid(above, here, code)
    return {**whole, "infractions": catalogue} if catalogue else whole


def _laid(parent: Mapping[str, object], own: Mapping[str, object], name: str) -> Table:
    above, here = parent.get(name), own.get(name)
    return {name: {**above, **here}} if isinstance(above, dict) and isinstance(here, dict) else {}


def build(name: str, whole: Table) -> Rulebook:
    """Fill the shape.

    Args:
        name: The rulebook's word.
        whole: Good keys only; what is missing is filled with the shape's defaults, so that a file with faults can be checked on.
    """
    filled = merge(_FILLERS, whole)
    fields = _fields(filled, {key: TOP[key] for key in TOP.keys() - _NOT_FIELDS})
    for section, record in RECORDS.items():
        fields[section] = record(**_fields(_table(filled.get(section)), SECTIONS[section]))
    fields["titles"] = fields.pop("title")
    fields["game"] = str(fields["game"])
    fields["kinds"] = _kinds(_table(filled.get("kinds")))
    presets = filled.get("presets")
    fields["presets"] = tuple(_preset(one) for one in presets) if isinstance(presets, list) else ()
    infractions = _table(filled.get("infractions"))
    fields["infractions"] = tuple(_infraction(code, _table(one)) for code, one in infractions.items())
    return Rulebook(name=name, **fields)


def _preset(table: Table) -> Preset:
    fields = _fields(table, PRESET)
    return Preset(fields.pop("name"), **fields)


def _infraction(code: str, table: Table) -> Infraction:
    fields = _fields({"title": code, "serious": False, "article": "", **table}, INFRACTION)
    return Infraction(code, fields.pop("title"), **fields)


def _fields(table: Mapping[str, object], keys: Mapping[str, Key]) -> dict[str, Any]:
    return {name.removesuffix("_s"): key.sort.read(table[name]) for name, key in keys.items() if name in table}


def _table(value: object) -> Table:
    return value if isinstance(value, dict) else {}


def _kinds(table: Table) -> Mapping[Kind, int]:
    # 0 takes a kind off the list; the order is that of rising value, whatever the file's.
    ordered = (kind for kinds in KINDS_OF.values() for kind in kinds)
    worth = {kind: SECTIONS["kinds"][kind].sort.read(table.get(kind, 0)) for kind in ordered}
    return MappingProxyType({kind: factor for kind, factor in worth.items() if isinstance(factor, int) and factor > 0})
