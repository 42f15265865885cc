"""What can be wrong with a rulebook: first each key by itself, then the keys against each other.

A faulty key is told and put aside; the rest is checked on, and nothing is said about a key's relation to a faulty one. So one
run names every problem, and none that would vanish when another is mended.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.books.build import build, merge
from kiosk.books.clashes import Finding, findings
from kiosk.books.keys import CODE, INFRACTION, PRESET, REQUIRED, SECTIONS, TOP, Key
from kiosk.books.values import Fault, nearest, shown
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kiosk.books.lines import KeyPath
    from kiosk.books.source import Problem, Source, Table


@dataclass(frozen=True, slots=True)
class Examined:
    """A file after its examination."""

    problems: tuple[Problem, ...]
    """Everything found, by line; errors and warnings."""
    whole: Table
    """The file's good keys over those it inherits."""

    @property
    def errors(self) -> tuple[Problem, ...]:
        """The problems for which the file cannot be used."""
        return tuple(problem for problem in self.problems if not problem.warning)


def examine(source: Source, parent: Table | None) -> Examined:
    """Examine a file.

    Args:
        source: The file.
        parent: What it inherits, empty where it extends nothing; None where that cannot be known.
    """
    found = list(_faults(source.data))
    own = _without(source.data, {path for path, _ in found})
    whole = merge(parent or {}, own)
    problems = [source.problem(path, sentence) for path, sentence in found]
    if parent is not None:
        faulty = {path[:depth] for path, _ in found for depth in (1, 2)}
        problems += _relations(source, own, whole, faulty)
    return Examined(tuple(sorted(problems, key=lambda problem: (problem.line, problem.warning))), whole)


def _relations(source: Source, own: Table, whole: Table, faulty: set[KeyPath]) -> Iterator[Problem]:
    missing = [path for path in REQUIRED if not said(whole, path) and path not in faulty]
    for path in missing:
        if path[:1] not in missing or len(path) == 1:
            sentence = _('It is missing, and no other rulebook gives it; add it, or begin with `extends = "ibgf"`.')
            yield source.problem(path, sentence)
    aside = faulty | set(missing)
    for finding in findings(build(source.word, whole), own, whole):
        blamed = next((path for path in finding.keys if said(own, path)), None)
        if _settled(finding, aside) and (blamed or "extends" not in own):
            yield source.problem(blamed or finding.keys[0], finding.sentence, warning=finding.warning)


def _settled(finding: Finding, aside: set[KeyPath]) -> bool:
    return not any(path[:depth] in aside for path in finding.keys for depth in (len(path), 2))


def said(data: Mapping[str, object], path: KeyPath) -> bool:
    """Whether a table says a key.

    Args:
        data: The table.
        path: The way to the key; a number in it stands for a table that is there.
    """
    here: object = data
    for part in path:
        if isinstance(part, int):
            return True
        if not isinstance(here, dict) or part not in here:
            return False
        here = here[part]
    return True


def _faults(data: Table) -> Iterator[Fault]:
    for name, value in data.items():
        if name in SECTIONS:
            yield from _in_section((name,), value, SECTIONS[name])
        elif name == "presets":
            yield from _in_presets(value)
        elif name == "infractions":
            yield from _in_infractions(value)
        else:
            yield from _in_key((name,), value, TOP)


def _in_section(path: KeyPath, value: object, keys: Mapping[str, Key]) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield (
            path,
            _(
                "This is a section with keys of its own; write [{path}] on a line and its keys below, not {shown}.",
                path=path[0],
                shown=shown(value),
            ),
        )
        return
    for name, one in value.items():
        yield from _in_key((*path, name), one, keys)


def _in_presets(value: object) -> Iterator[Fault]:
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        yield ("presets",), _("Write [[presets]] on a line before each preset and its keys below, not {shown}.", shown=shown(value))
        return
    for index, one in enumerate(value):
        yield from _in_section(("presets", index), one, PRESET)
        for name in PRESET:
            if name not in one:
                yield ("presets", index, name), _("The preset has no {name}; add one.", name=name)


def _in_infractions(value: object) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield ("infractions",), _("Write [infractions.my_code] on a line and the infraction's keys below, not {shown}.", shown=shown(value))
        return
    for code, one in value.items():
        path: KeyPath = ("infractions", code)
        if any(CODE.faults(code)):
            yield (
                path,
                _("Give {wants}, at most {longest} characters, not {shown}.", wants=_(CODE.wants), longest=CODE.longest, shown=shown(code)),
            )
        elif isinstance(one, dict):
            yield from _in_section(path, one, INFRACTION)
        else:
            yield path, _("Write [infractions.{code}] on a line and the infraction's keys below, not {shown}.", code=code, shown=shown(one))


def _in_key(path: KeyPath, value: object, keys: Mapping[str, Key]) -> Iterator[Fault]:
    name = str(path[-1])
    if name not in keys:
        yield path, _("There is no such key here; remove it.{meant}", meant=_meant(name, keys))
        return
    for inside, sentence in keys[name].sort.faults(value):
        yield (*path, *inside), sentence


def _meant(name: str, keys: Mapping[str, Key]) -> str:
    homes = [section for section, inside in SECTIONS.items() if name in inside and inside is not keys]
    if homes:
        return " " + _("It belongs in {homes}.", homes=" / ".join(f"[{home}]" for home in homes))
    if name in TOP:
        return " " + _("It belongs before the first section.")
    sections = [*SECTIONS, "presets", "infractions"] if keys is TOP else []
    return nearest(name, [*keys, *sections])


def _without(data: Table, faulty: Iterable[KeyPath]) -> Table:
    merged = {*SECTIONS, "infractions"}
    tops = {path[0] for path in faulty if path[0] not in merged or len(path) == 1}
    inner = {path[:2] for path in faulty}
    return {
        name: {key: one for key, one in value.items() if (name, key) not in inner} if name in merged and isinstance(value, dict) else value
        for name, value in data.items()
        if name not in tops
    }
