"""Keys that are good one by one and cannot hold together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.books.values import nearest
from kiosk.domain.rulebook import KINDS_OF, LANGUAGES, ControlKind, Method, Provide, Rulebook
from kiosk.domain.types import Span, clock_text
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kiosk.books.lines import KeyPath
    from kiosk.books.source import Table

_PARTS = {
    ControlKind.PER_POINT: "per_point_s",
    ControlKind.TABLE: "table_s",
    ControlKind.FLAT: "flat_s",
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One contradiction, or something unusual."""

    keys: tuple[KeyPath, ...]
    """All keys that take part; the first that the file itself says is the one to mend."""
    sentence: str
    """What is wrong and what to do."""
    warning: bool = False
    """Whether it works all the same."""


def findings(book: Rulebook, own: Table, whole: Table) -> Iterator[Finding]:
    """Everything that does not go together.

    Args:
        book: The rulebook as the keys give it.
        own: What the file itself says.
        whole: The same with what it inherits.
    """
    yield from _control(book, own, whole)
    yield from _extras(book)
    yield from _cube(book, own)
    yield from _kinds(book)
    yield from _presets(book)
    yield from _infractions(book, whole)


def _control(book: Rulebook, own: Table, whole: Table) -> Iterator[Finding]:
    control, kind, part = book.control, ("control", "kind"), _PARTS[book.control.kind]
    keys = (("control", part), kind)
    if part not in _section(whole, "control") or (control.kind is ControlKind.TABLE and not control.table):
        yield Finding(
            keys[::-1], _('The kind "{kind}" needs {part} in [control]; add it, or choose another kind.', kind=control.kind, part=part)
        )
        return
    # Domain rule 2.1: a reserve of 0 with a delay is playable; bronstein lets the reserve run at once and needs one.
    alone = Span(0) if control.method is Method.BRONSTEIN else control.delay
    reserves = {ControlKind.PER_POINT: [control.per_point], ControlKind.FLAT: [control.flat]}
    if min(reserves.get(control.kind, [reserve for _old, reserve in control.table])) + alone == 0:
        delay = (("control", "delay_s"), ("control", "method"))
        yield Finding((*keys, *delay), _("A side would have no time at all; give a reserve or a delay above 0 seconds."))
    lacking = [length for length in book.lengths if length not in dict(control.table)]
    if control.kind is ControlKind.TABLE and lacking:
        names = ", ".join(map(str, lacking))
        yield Finding(
            (("lengths",), *keys), _("table_s has no time for {names} points; add rows, or do not offer these lengths.", names=names)
        )
    for other in _PARTS.values():
        if other != part and other in _section(own, "control"):
            yield Finding((("control", other), kind), _('The kind "{kind}" does not use it.', kind=control.kind), warning=True)
    yield from _unusual(book, control.delay, (("control", "delay_s"), ("control", "delay_range_s")))


def _unusual(book: Rulebook, delay: Span, keys: tuple[KeyPath, ...]) -> Iterator[Finding]:
    # Domain rule 2.6: the range warns the organizer; a value outside it is accepted.
    low, high = book.control.delay_range
    if not low <= delay <= high:
        sentence = _(
            "A delay of {clock_text} is outside the usual {clock_text2} to {clock_text3}.",
            clock_text=clock_text(delay),
            clock_text2=clock_text(low),
            clock_text3=clock_text(high),
        )
        yield Finding(keys, sentence, warning=True)


def _extras(book: Rulebook) -> Iterator[Finding]:
    if book.blitz and book.provide is not Provide.NEITHER:
        yield Finding((("provide",), ("blitz",)), _('Blitz has neither bonus nor breaks; give provide = "neither".'))
    elif book.provide is Provide.BREAKS and not book.breaks.table:
        yield Finding((("provide",), ("breaks", "table")), _("Breaks need rows in [breaks.table], like `7 = 1`; add them."))
    elif book.provide is Provide.BONUS and book.bonus == 0:
        yield Finding((("bonus_s",), ("provide",)), _('A bonus of 0 seconds is none; give more, or provide = "neither".'))


def _cube(book: Rulebook, own: Mapping[str, object]) -> Iterator[Finding]:
    # Decision: a rule inherited without its cube sleeps (an organizer may switch the cube on for one match); one that the
    # file states itself beside a cube switched off is a mistake.
    for name in ("crawford", "jacoby", "automatic_doubles"):
        if not book.cube and own.get(name) is True:
            yield Finding(((name,), ("cube",)), _("Without a cube {name} means nothing; give cube = true, or {name} = false.", name=name))


def _kinds(book: Rulebook) -> Iterator[Finding]:
    known = KINDS_OF[book.game]
    for kind in book.kinds:
        if kind not in known:
            sentence = _(
                '"{kind}" is no way to win in the game "{game}"; give it 0, or extend a rulebook of its own game.',
                kind=kind,
                game=book.game,
            )
            yield Finding((("kinds", kind), ("game",)), sentence)
    if known[0] not in book.kinds:
        yield Finding(
            (("kinds", known[0]), ("game",), ("kinds",)), _("The plain win must count; give {known} = 1 in [kinds].", known=known[0])
        )


def _presets(book: Rulebook) -> Iterator[Finding]:
    names = [preset.name("en") for preset in book.presets]
    for index, preset in enumerate(book.presets):
        path: KeyPath = ("presets", index)
        if preset.reserve + preset.delay == 0:
            yield Finding(((*path, "reserve_s"),), _("A side would have no time at all; give a reserve or a delay above 0 seconds."))
        if names[index] in names[:index]:
            yield Finding(((*path, "name"),), _('Two presets are called "{name}"; rename one.', name=names[index]))
        yield from _unspoken(preset.names, (*path, "name"))
        yield from _unusual(book, preset.delay, ((*path, "delay_s"),))


def _unspoken(texts: tuple[tuple[str, str], ...], path: KeyPath) -> Iterator[Finding]:
    for language, _old in texts:
        if language not in LANGUAGES:
            sentence = _(
                "The screen does not speak this language, so that the title is never shown; it speaks {names}.", names=", ".join(LANGUAGES)
            )
            yield Finding(((*path, language),), sentence, warning=True)


def _infractions(book: Rulebook, whole: Table) -> Iterator[Finding]:
    said = _section(whole, "infractions")
    for infraction in book.infractions:
        path: KeyPath = ("infractions", infraction.code)
        for name in ("title", "article"):
            if name not in _section(said, infraction.code):
                known = (code for code in said if code != infraction.code)
                yield Finding(
                    (path,), _("The infraction has no {name}; add one.{nearest}", name=name, nearest=nearest(infraction.code, known))
                )
        yield from _unspoken(infraction.titles, (*path, "title"))
        if infraction.recorded_only and (infraction.sanction or infraction.repeat):
            keys = tuple((*path, name) for name in ("recorded_only", "sanction", "repeat"))
            yield Finding(keys, _('What is recorded only is not punished; give sanction and repeat as "ladder", or recorded_only = false.'))


def _section(data: Table, name: str) -> Table:
    section = data.get(name)
    return section if isinstance(section, dict) else {}
