"""Whatever a person can read on a page of the server was asked of the catalogue."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.locale.catalogue import ROOT, found_in_page, pages
from tests.locale.templates import page_mistakes, untranslated_in_page, untranslated_in_script

PAGES = [path.relative_to(ROOT).as_posix() for path in pages()]
SCRIPTS = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "kiosk" / "server" / "static").glob("*.js"))


def test_there_are_pages() -> None:
    assert "kiosk/server/pages/base.html" in PAGES


@pytest.mark.parametrize("path", PAGES)
def test_a_page_gives_each_text_the_values_that_it_has_braces_for(path: str) -> None:
    assert page_mistakes((ROOT / path).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", PAGES)
def test_no_text_of_a_page_goes_past_the_catalogue(path: str) -> None:
    assert untranslated_in_page((ROOT / path).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", SCRIPTS)
def test_a_script_has_no_texts_of_its_own(path: str) -> None:
    assert untranslated_in_script(Path(ROOT / path).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ('<p>{{ _("Hall") }}</p>', ["Hall"]),
        ("<p title=\"{{ _('Hall') }}\">", ["Hall"]),
        ('{% if x %}{{ _("Table {n}", n=4) }}{% endif %}', ["Table {n}"]),
        ('{{ n_("{n} table", "{n} tables", count) }}', [("{n} table", "{n} tables")]),
        ('{{ field("name", _("Name")) }}', ["Name"]),
        ('{% for a, b in [(1, _("One")), (2, _("Two"))] %}{% endfor %}', ["One", "Two"]),
        ("{{ _(words) }}", []),
    ],
)
def test_every_text_of_a_template_is_found(source: str, texts: list[str | tuple[str, str]]) -> None:
    assert found_in_page(source) == texts


@pytest.mark.parametrize(
    "source",
    [
        '{{ _("Table {n}") }}',
        '{{ _("Table {n}", m=1) }}',
        '{{ _("Table", n=1) }}',
        '{{ _("Table " ~ n) }}',
        '{{ n_("{n} table", x, 3) }}'.replace("x", '"a" ~ b'),
    ],
)
def test_a_text_that_cannot_be_filled_in_is_found(source: str) -> None:
    assert len(page_mistakes(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        '{{ _("Table {n}", n=1) }}',
        "{{ _(word) }}",
        "{{ _(who.role) }}",
        "{{ _(words.get(key)) }}",
        '{{ n_("{n} table", "{n} tables", 3) }}',
    ],
)
def test_a_text_that_can_be_filled_in_passes(source: str) -> None:
    assert page_mistakes(source) == []


@pytest.mark.parametrize(
    "source",
    [
        "<p>Hall</p>",
        "<p>the hall {{ n }}</p>",
        '<img alt="The hall">',
        '<input placeholder="name">',
        '<a aria-label="Back">',
        '{{ "Hall" if here else "" }}',
        '{{ field("name", "Name") }}',
        "{% set title = 'Hall' %}",
    ],
)
def test_a_text_past_the_catalogue_is_found(source: str) -> None:
    assert len(untranslated_in_page(source)) == 1


@pytest.mark.parametrize(
    "source",
    [
        '<p class="note alert">{{ _("Hall") }}</p>',
        "{# The hall #}<p>{{ n }} – {{ m }}</p>",
        '{% extends "base.html" %}',
        '{{ badge(_("Late"), "alert") }}',
        '<input value="{{ csrf }}" name="csrf">',
        '<meta name="viewport" content="width=device-width">',
        '{% block body %}data-live="/live/desk"{% endblock %}',
    ],
)
def test_what_is_no_text_for_people_passes(source: str) -> None:
    assert untranslated_in_page(source) == []


@pytest.mark.parametrize("source", ['show("Connection lost")', "show('the hall')", "show(`Table ${n}`)", 'show("Нет связи")'])
def test_a_text_in_a_script_is_found(source: str) -> None:
    assert len(untranslated_in_script(source)) == 1


@pytest.mark.parametrize(
    "source", ['import { a } from "./clock.js";', "// The hall's clocks\nshow(node.dataset.lost)", 'node.className = "half"', "`${a}:${b}`"]
)
def test_what_is_no_text_in_a_script_passes(source: str) -> None:
    assert untranslated_in_script(source) == []
