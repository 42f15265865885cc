"""What the catalogue holds: every text in the sources, found by Babel, in an order and with a header that never change by themselves.

This folder is no package on purpose: pytest would put `tests` on the path, and this would hide the standard library's `locale`.
"""

from __future__ import annotations

import ast
import gettext
import importlib
import io
import string
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import IO

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.frontend import parse_keywords
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from kiosk.app.main import COMMANDS, cli
from kiosk.domain.officials import Role
from kiosk.domain.rulebook import Kind
from kiosk.domain.types import Side
from kiosk.say import LANGUAGES as SPOKEN
from kiosk.server import main as server
from kiosk.shell.helps import texts as texts_of

ROOT = Path(__file__).parents[2]
LANGUAGES = ROOT / "kiosk" / "locale"
POT = LANGUAGES / "tableside.pot"
ROOMS = (
    "kiosk/domain",
    "kiosk/session",
    "kiosk/journal",
    "kiosk/sheets",
    "kiosk/words",
    "kiosk/ui",
    "kiosk/books",
    "kiosk/app",
    "kiosk/shell",
    "kiosk/sync",
    "kiosk/server",
    "kiosk/tournament",
    "kiosk/play",
)
KEYWORDS = ("_", "n_:1,2", "mark", "CommandRefused:2", "bad_value:1", "not_there:1")
"""Where texts stand, as Babel is told it."""
TEXTS = {"_": (0,), "n_": (0, 1), "mark": (0,), "CommandRefused": (1,), "bad_value": (0,), "not_there": (0,)}
"""The same as places in a call, counted from 0."""
WORDS = {Side: "kiosk/domain/types.py", Kind: "kiosk/domain/rulebook.py", Role: "kiosk/domain/officials.py"}
"""Values that are filled into sentences as words, and where they are at home."""
HEADER = r"""# Every text that people at the table read. The template is written by `python -m tests.locale`.
msgid ""
msgstr ""
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"

"""


def sources() -> Iterator[Path]:
    """Every file whose texts people can read."""
    for room in ROOMS:
        yield from sorted((ROOT / room).rglob("*.py"))


def pages() -> list[Path]:
    """Every template of a page."""
    return sorted((ROOT / "kiosk" / "server" / "pages").glob("*.html"))


def found_in_page(source: str) -> list[str | tuple[str, ...]]:
    """What Babel finds in one template; a pair is a text that depends on a count."""
    hits = extract("jinja2", io.BytesIO(source.encode()), keywords=parse_keywords(KEYWORDS))
    return [text for _, text, _, _ in hits]


def found(source: str) -> list[str | tuple[str, ...]]:
    """What Babel finds in one source; a pair is a text that depends on a count."""
    hits = extract(_calls, io.BytesIO(source.encode()), keywords=parse_keywords(KEYWORDS))
    return [text for _, text, _, _ in hits]


def _calls(
    file: IO[bytes], keywords: Collection[str], *_: object, **__: object
) -> Iterator[tuple[int, str, tuple[str | None, ...], list[str]]]:
    """Babel's method for Python reads tokens: it misses calls within other calls and, before Python 3.12, within f-strings."""
    for node in ast.walk(ast.parse(file.read())):
        if isinstance(node, ast.Call) and called(node) in keywords:
            yield node.lineno, called(node), tuple(map(_literal, node.args)), []


def _homes() -> Iterator[tuple[str | tuple[str, ...], str]]:
    """Every text, and the file in which it stands."""
    for files, find in ((sources(), found), (pages(), found_in_page)):
        for path in files:
            for text in find(path.read_text(encoding="utf-8")):
                yield text, path.relative_to(ROOT).as_posix()
    for module, name, _ in (*COMMANDS.values(), *server.COMMANDS.values()):
        for text in texts_of(getattr(importlib.import_module(module), name)):
            yield text, module.replace(".", "/") + ".py"
    for text in texts_of(cli):
        yield text, "kiosk/app/main.py"
    for text in texts_of(server.cli):
        yield text, "kiosk/server/main.py"
    for words, home in WORDS.items():
        for word in words:
            yield word.value, home


@cache
def template() -> str:
    """The whole text of `tableside.pot`; the sources are read once."""
    catalogue = Catalog()
    for text, home in _homes():
        catalogue.add(text, locations=[(home, 0)])
    for message in catalogue:
        every = message.id if isinstance(message.id, tuple | list) else (message.id,)
        message.flags = {"python-brace-format"} if any(fields(text) for text in every) else set()  # not as Babel's version guesses
    out = io.BytesIO()
    write_po(out, catalogue, width=0, omit_header=True, sort_output=True, include_lineno=False)
    return HEADER + out.getvalue().decode().rstrip("\n") + "\n"


# ── Languages ────────────────────────────────────────────────────────────────
def languages() -> list[str]:
    """Every language but the catalogue's own."""
    return [language for language in SPOKEN if language != "en"]


def read(po: str, language: str) -> Catalog:
    """A language's texts."""
    return read_po(io.StringIO(po), locale=language)


def brought_in_line(language: str, po: str, pot: str) -> tuple[str, int]:
    """A language's `.po` with exactly the template's texts, in its order; what was translated stays so.

    Returns:
        The file's text, and how many texts have no translation.
    """
    old, fresh = read(po, language), Catalog(locale=language)
    missing = 0
    for message in read(pot, "en"):
        if not message.id:
            continue
        known = old.get(message.id if isinstance(message.id, str) else message.id[0])
        plural = isinstance(message.id, tuple | list)
        string = known.string if known is not None and isinstance(known.string, tuple | list) is plural else ""
        if plural and not string:
            string = ("",) * fresh.num_plurals
        missing += not all(string) if plural else not string
        fresh.add(message.id, string, locations=message.locations, flags=message.flags)
    out = io.BytesIO()
    write_po(out, fresh, width=0, omit_header=True, sort_output=True, include_lineno=False)
    header = HEADER.replace("The template is written", "This file is brought in line").replace(
        '"Content-Type', f'"Language: {language}\\n"\n"Plural-Forms: {fresh.plural_forms}\\n"\n"Content-Type'
    )
    return header + out.getvalue().decode().rstrip("\n") + "\n", missing


def compiled(po: str, language: str) -> bytes:
    """A language's texts as the table reads them."""
    out, texts_then = io.BytesIO(), read(po, language)
    texts_then.creation_date = texts_then.revision_date = datetime(2000, 1, 1, tzinfo=UTC)  # the same texts are the same file
    write_mo(out, texts_then)
    return out.getvalue()


def texts(pot: str) -> set[str]:
    """Every text of a catalogue, the forms of a count included."""
    ids = [message.id for message in read_po(io.StringIO(pot)) if message.id]
    return {text for each in ids for text in (each if isinstance(each, tuple | list) else (each,))}


def fields(text: str) -> set[str]:
    """The names in a text's braces.

    Raises:
        ValueError: Braces that cannot be filled in by name, or that say how (a translator should not need to know that).
    """
    names = set()
    for _, name, spec, conversion in string.Formatter().parse(text):
        if name is None:
            continue
        if not name.isidentifier() or spec or conversion:
            raise ValueError(f"{{{name}}} is no plain name in {text!r}")
        names.add(name)
    return names


# ── Calls ────────────────────────────────────────────────────────────────────
def called(call: ast.Call) -> str:
    """The last name of what is called: `_` for `_(…)` and for `say._(…)`."""
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def mistakes(source: str) -> list[str]:
    """Calls whose text the catalogue cannot hold, or whose values are not those that the text has braces for."""
    wrong = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and called(node) in TEXTS:
            wrong += [f"{node.lineno}: {why}" for why in _mistakes(node)]
    return wrong


def _literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _texts(call: ast.Call) -> list[ast.expr]:
    return [call.args[place] for place in TEXTS[called(call)] if place < len(call.args)]


def _mistakes(call: ast.Call) -> Iterator[str]:
    name, places = called(call), _texts(call)
    plain = [text for text in map(_literal, places) if text is not None]
    if any(isinstance(text, ast.JoinedStr | ast.BinOp) for text in places):
        yield f"{name} needs a plain text with braces, not one that is put together"
    passed_on = all(isinstance(text, ast.Name) and text.id == "template" for text in places)
    if name in {"CommandRefused", "bad_value", "not_there"} and not plain and not passed_on:
        yield f"{name} needs its text written where it is raised"
    counted = {"n"} if name == "n_" else set()  # there it is given in any case, and may be left out of a form
    given = {keyword.arg for keyword in call.keywords}
    if name == "mark" or not plain or None in given:
        return
    try:
        wanted = set().union(*map(fields, plain))
    except ValueError as error:
        yield str(error)
        return
    if given - counted != wanted - counted:
        yield f"{name} fills {sorted(map(str, given))} into {plain[-1]!r}"


# ── Languages ────────────────────────────────────────────────────────────────
def faults(po: Path) -> list[str]:
    """Translations that could not be filled in at the table, and a compiled catalogue that says something else."""
    with po.open("rb") as file:
        messages = [message for message in read_po(file) if message.id and message.string and not message.fuzzy]
    compiled = po.with_suffix(".mo")
    if not compiled.exists():
        return [f"{compiled.name} is missing"]
    with compiled.open("rb") as file:
        spoken = gettext.GNUTranslations(file)
    wrong = []
    for message in messages:
        if isinstance(message.id, str):
            wrong += _fault(message.string, fields(message.id), whole=True)
            wrong += [] if spoken.gettext(message.id) == message.string else [f"{message.id!r} is compiled otherwise"]
        else:
            for form in filter(None, message.string):
                wrong += _fault(form, set().union(*map(fields, message.id)), whole=False)
    return wrong


def _fault(translation: str, wanted: set[str], *, whole: bool) -> list[str]:
    try:
        has = fields(translation)
    except ValueError as error:
        return [str(error)]
    # A form of a count may leave things out ("one game"); any other text says everything that the English one says.
    return [] if has == wanted or (has < wanted and not whole) else [f"{translation!r} fills in {sorted(has)}, not {sorted(wanted)}"]
