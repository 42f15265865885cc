"""Rulebooks from their files: what is bundled, what an organizer wrote, and what is wrong with it.

**A file** is TOML. Before the first section stand single keys, then the sections `[control]` `[kinds]` `[breaks]` `[on_flag]`
`[late]` `[stops]` `[sounds]` `[public]` `[ladder]`, any number of `[infractions.CODE]` and of `[[presets]]`; times are seconds in
keys that end in `_s`. `kiosk.books.keys` has every key with its meaning. A rulebook's word is its file's name, unless the file says `name`.

**An organizer's file** lies in the folder `rulebooks` of the configuration and usually begins with `extends = "ibgf"`, then
says only what differs. Laid over the extended rulebook,

- sections are merged key by key: `[kinds]` with `koks = 3` adds koks to the rest, and 0 takes a kind off the list;
- infractions are merged code by code and key by key: `[infractions.device]` with `sanction = "game_loss"` keeps title and article, and a
  new code, which needs both, is added at the end; `"ladder"` gives a sanction back to the ladder;
- everything else is replaced whole: lists (`lengths`, `delay_range_s`), the tables by length (`control.table_s`,
  `breaks.table`: rows of two federations never mix), an infraction's titles, and the presets together.

A file that extends nothing, bundled or not, stands on the bundled catalogue of infractions and the ladder of 000 §11.

A bundled word cannot be taken by another file: `ibgf` means the same on every table. A file that tries is refused by its own
word, and one with a bundled file's very name also where that is asked for, since somebody expects it to count.

**Time.** Only what is asked for is parsed, once; keys get their lines only when there is a problem to tell.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from kiosk import rulebooks
from kiosk.books.build import build
from kiosk.books.checks import Examined, examine
from kiosk.books.keys import TOP
from kiosk.books.source import Problem, RulebookFault, Source, Table, parse, read
from kiosk.books.values import nearest
from kiosk.domain.errors import RulebookError
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from kiosk.domain.rulebook import Rulebook


class Library:
    """All rulebooks a table knows."""

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        """Know the bundled rulebooks and those in folders.

        Args:
            folders: The organizer's folders of `*.toml`; one that does not exist holds nothing.
        """
        self._folders = tuple(folders)
        self._whole: dict[str, Table] = {}
        self._books: dict[str, Rulebook] = {}

    def names(self) -> tuple[str, ...]:
        """The words of all rulebooks: the bundled in their order, then the organizer's by name.

        A file that cannot be read counts by its file's name, so that asking for it tells what is wrong.
        """
        return (*rulebooks.NAMES, *sorted({word_in(path) for path in self.files()} - set(rulebooks.NAMES)))

    def files(self) -> tuple[Path, ...]:
        """The organizer's files."""
        return tuple(path for folder in self._folders for path in sorted(folder.glob("*.toml")))

    def load(self, name: str) -> Rulebook:
        """A rulebook by its word; read once.

        Args:
            name: One of `names()`.

        Raises:
            RulebookError: No rulebook has this word, or its file has faults; `RulebookFault` then carries all of them.
        """
        if name not in self._books:
            self._books[name] = build(name, self._settled(name, ()))
        return self._books[name]

    def base(self, name: str) -> str:
        """The bundled rulebook that this one is, or extends in the end; for one that extends none, that of its game.

        Args:
            name: One of `names()`.

        Raises:
            RulebookError: As for `load`.
        """
        game = self.load(name).game  # good, so that its chain ends
        while name not in rulebooks.NAMES:
            extended = self._find(name).data.get("extends")
            name = str(extended or ("rus-long" if game == "long" else "ibgf"))
        return name

    def examined(self, source: Source, chain: tuple[str, ...] = ()) -> Examined:
        """Examine a file among the rulebooks here.

        Args:
            source: The file.
            chain: The words of those that extend it, the first one first.
        """
        own = () if source.word in rulebooks.NAMES and not source.bundled else (source.word,)  # a taken word closes no circle
        parent, problems = self._parent(source, (*chain, *own))
        examined = examine(source, parent)
        problems += [problem for problem in (self._word_problem(source),) if problem]
        return Examined((*problems, *examined.problems), examined.whole)

    def _parent(self, source: Source, chain: tuple[str, ...]) -> tuple[Table | None, list[Problem]]:
        base = source.data.get("extends")
        if base is None:
            return self._catalogue, []
        if not isinstance(base, str):
            return None, []  # the key's own check tells
        if base in chain:
            way = ", that extends ".join(f'"{word}"' for word in (*chain[chain.index(base) + 1 :], base))
            return None, [source.problem(("extends",), f'"{base}" extends {way}: a circle; take one extends away.')]
        try:
            return self._settled(base, chain), []
        except RulebookError as error:
            return None, [source.problem(("extends",), str(error))]

    @cached_property
    def _catalogue(self) -> Table:
        return parse(f"{rulebooks.CATALOGUE}.toml", rulebooks.CATALOGUE, rulebooks.text(rulebooks.CATALOGUE), bundled=True).data

    def _settled(self, name: str, chain: tuple[str, ...]) -> Table:
        if name not in self._whole:
            examined = self.examined(self._find(name), chain)
            if examined.errors:
                raise RulebookFault(examined.errors)
            self._whole[name] = examined.whole
        return self._whole[name]

    def _find(self, name: str) -> Source:
        if name in rulebooks.NAMES:
            usurpers = [path for path in self.files() if path.stem == name]
            if usurpers:
                raise RulebookFault([_taken(str(usurpers[0]), 1, name)])
            return parse(f"{name}.toml", name, rulebooks.text(name), bundled=True)
        found = [path for path in self.files() if word_in(path) == name]
        if not found:
            known = self.names()
            raise RulebookError(
                _(
                    'There is no rulebook "{name}"; there are {names}.{nearest}',
                    name=name,
                    names=", ".join(known),
                    nearest=nearest(name, known),
                )
            )
        if len(found) > 1:
            raise RulebookError(
                _('Both {found} and {found2} are the rulebook "{name}"; rename one.', found=found[0], found2=found[1], name=name)
            )
        return read(found[0])

    def _word_problem(self, source: Source) -> Problem | None:
        if source.bundled:
            return None
        if source.word in rulebooks.NAMES:
            return _taken(source.file, source.problem(("name",), "").line, source.word)
        if "name" not in source.data and any(TOP["name"].sort.faults(source.stem)):
            sentence = f'The file\'s name is no word for commands; give {TOP["name"].sort.wants}, as name = "…" or by renaming.'
            return source.problem(("name",), sentence)
        return None


def word_in(path: Path) -> str:
    """The word of an organizer's file; that of its name, if it cannot be read.

    Args:
        path: The file.
    """
    try:
        return read(path).word
    except RulebookFault:
        return path.stem


def check_file(path: Path, library: Library) -> list[Problem]:
    """Everything that is wrong with a file, by line.

    Args:
        path: The file; it need not lie in one of the library's folders.
        library: What it may extend.

    Returns:
        Errors and warnings (`Problem.warning`); empty for a good file.
    """
    try:
        source = read(path)
    except RulebookFault as fault:
        return list(fault.problems)
    if source.stem in rulebooks.NAMES and source.text == rulebooks.text(source.stem):
        source = parse(source.file, source.stem, source.text, bundled=True)
    problems = list(library.examined(source).problems)
    twins = [other for other in library.files() if word_in(other) == source.word and other.resolve() != path.resolve()]
    problems += [source.problem(("name",), f'{twin} is "{source.word}" already; choose another name.') for twin in twins]
    return sorted(problems, key=lambda problem: (problem.line, problem.warning))


def _taken(file: str, line: int, name: str) -> Problem:
    return Problem(
        file, line, "name", _('"{name}" is a bundled rulebook; choose another name and begin with extends = "{name}".', name=name)
    )
