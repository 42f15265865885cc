"""`tableside.pot` is what the sources say, and every text in it can be filled in."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from kiosk.session.permits import DOING, PLACE
from tests.locale.catalogue import LANGUAGES, POT, ROOT, WORDS, faults, fields, found, mistakes, sources, template, texts

SOURCES = [path.relative_to(ROOT).as_posix() for path in sources()]


def test_the_committed_catalogue_is_current() -> None:
    assert POT.read_text(encoding="utf-8") == template(), "run `python -m tests.locale` and commit the catalogue with the texts"


def test_every_text_has_plain_names_in_its_braces() -> None:
    for text in texts(template()):
        fields(text)


@pytest.mark.parametrize("broken", ["{", "a {} b", "a {0} b", "a {n:>3} b", "a {n!r} b", "a {n.real} b", "a } b"])
def test_other_braces_are_told(broken: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        fields(broken)


def test_the_words_that_are_filled_into_sentences_are_in_the_catalogue() -> None:
    words = {word.value for kind in WORDS for word in kind}
    assert words | set(DOING.values()) | set(PLACE.values()) <= texts(template())


@pytest.mark.parametrize("path", SOURCES)
def test_a_source_gives_each_text_the_values_that_it_has_braces_for(path: str) -> None:
    assert mistakes((ROOT / path).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("source", "texts_in_it"),
    [
        ('_("Game {n}", n=1)', {"Game {n}"}),
        ('say._("Game")', {"Game"}),
        ('_("Game "\n  "over")', {"Game over"}),
        ('n_("{n} point", "{n} points", 3)', {("{n} point", "{n} points")}),
        ('mark("a break")', {"a break"}),
        ('CommandRefused(code("x"), "Not {n}.", n=3)', {"Not {n}."}),
        ('bad_value("Not {kind}.", kind=name(_("oin")))', {"Not {kind}.", "oin"}),
        ("f\"{words}, {_('cube')}\"", {"cube"}),
        ("_(NAMES[key])", set()),
        ("_()", set()),
        ('draw("Game")', set()),
    ],
)
def test_every_text_is_found_wherever_its_call_stands(source: str, texts_in_it: set[str | tuple[str, str]]) -> None:
    assert set(found(source)) == texts_in_it


@pytest.mark.parametrize(
    "source",
    [
        '_(f"Game {n}")',
        '_("Game " + n)',
        '_("Game {n}")',
        '_("Game {n}", m=1)',
        '_("Game", n=1)',
        '_("Game {}", n=1)',
        'say._("Game {n}")',
        'n_("{n} point of {side}", "{n} points of {side}", 3)',
        "raise bad_value(text)",
        'raise CommandRefused(code, f"Not {n}.")',
        'raise CommandRefused(code, "Not {n}.")',
    ],
)
def test_a_text_that_cannot_be_filled_in_is_found(source: str) -> None:
    assert len(mistakes(source)) >= 1


@pytest.mark.parametrize(
    "source",
    [
        '_("Game {n}", n=1)',
        "_(NAMES[key])",
        '_("Game {n}", **values)',
        'n_("{n} point", "{n} points", 3)',
        'n_("one point", "{n} points", n=3)',
        'n_("one point of {side}", "{n} points of {side}", 3, side=side)',
        'mark("Game {n}")',
        "CommandRefused(Refusal.BAD_VALUE, template, **values)",
        'raise bad_value("Not {n}.", n=3)',
        "functions[0]()",
    ],
)
def test_a_text_that_can_be_filled_in_passes(source: str) -> None:
    assert mistakes(source) == []


# ── Languages ────────────────────────────────────────────────────────────────
def test_every_language_can_be_spoken() -> None:
    found = {po.parts[-3]: faults(po) for po in LANGUAGES.glob("*/LC_MESSAGES/tableside.po")}
    assert not any(found.values()), found


_HEAD = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n\n'


def language(folder: Path, body: str, *, compiled: str | None = None) -> Path:
    """A language of one text, compiled from itself or from something else."""
    po = folder / "tableside.po"
    po.write_text(_HEAD + body, encoding="utf-8")
    other = folder / "compiled.po"
    other.write_text(_HEAD + (compiled or body), encoding="utf-8")
    with other.open("rb") as source, po.with_suffix(".mo").open("wb") as target:
        write_mo(target, read_po(source))
    return po


_PLURAL = 'msgid "{n} game"\nmsgid_plural "{n} games"\nmsgstr[0] "%s"\nmsgstr[1] "%s"\n'


@pytest.mark.parametrize(
    "body",
    [
        'msgid "Game {n}"\nmsgstr "Partie {n}"\n',
        'msgid "Game {n}"\nmsgstr ""\n',
        '#, fuzzy\nmsgid "Game {n}"\nmsgstr "Partie {m}"\n',
        _PLURAL % ("une partie", "{n} parties"),
    ],
)
def test_a_good_translation_passes(tmp_path: Path, body: str) -> None:
    assert faults(language(tmp_path, body)) == []


@pytest.mark.parametrize(
    "body",
    [
        'msgid "Game {n}"\nmsgstr "Partie {m}"\n',
        'msgid "Game {n}"\nmsgstr "Partie"\n',
        'msgid "Game {n}"\nmsgstr "Partie {n"\n',
        _PLURAL % ("une partie", "{m} parties"),
    ],
)
def test_a_translation_that_cannot_be_filled_in_is_found(tmp_path: Path, body: str) -> None:
    assert len(faults(language(tmp_path, body))) == 1


def test_a_language_that_was_not_compiled_again_is_found(tmp_path: Path) -> None:
    po = language(tmp_path, 'msgid "Game"\nmsgstr "Partie"\n', compiled='msgid "Game"\nmsgstr "Jeu"\n')
    assert faults(po) == ["'Game' is compiled otherwise"]


def test_a_language_that_was_never_compiled_is_found(tmp_path: Path) -> None:
    po = language(tmp_path, 'msgid "Game"\nmsgstr "Partie"\n')
    po.with_suffix(".mo").unlink()
    assert faults(po) == ["tableside.mo is missing"]
