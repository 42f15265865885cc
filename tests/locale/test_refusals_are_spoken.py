"""A refusal is one English sentence for programs' records, and is spoken at the table in the table's language."""

from __future__ import annotations

import gettext
from collections.abc import Iterator

import pytest

from kiosk import say
from kiosk.domain.errors import CommandRefused, Refusal
from kiosk.domain.rulebook import Kind
from kiosk.domain.setup import bad_value
from kiosk.domain.state import Phase, Table
from kiosk.domain.types import Instant, Side
from kiosk.session import commands as c
from kiosk.session.decide import decide
from kiosk.session.permits import PLACE
from tests.locale.catalogue import fields, template, texts
from tests.locale.pseudo import Longer, longer


class Spoken(gettext.NullTranslations):
    """A language of a few words."""

    def __init__(self, words: dict[str, str]) -> None:
        super().__init__()
        self.words = words

    def gettext(self, message: str) -> str:
        return self.words.get(message, message)


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    say.install(gettext.NullTranslations())


def test_a_refusal_keeps_its_sentence_apart_from_what_goes_into_it() -> None:
    refused = CommandRefused(Refusal.BAD_VALUE, "{code} is won as {kinds}, not {n}.", code="ibgf", kinds=(Kind.OIN, Kind.MARS), n=3)
    assert refused.code is Refusal.BAD_VALUE
    assert refused.template == "{code} is won as {kinds}, not {n}."
    assert refused.values == {"code": "ibgf", "kinds": ("oin", "mars"), "n": 3}
    assert refused.message == str(refused) == "ibgf is won as oin, mars, not 3."


def test_a_value_that_does_not_fit_is_told_in_the_same_way() -> None:
    refused = bad_value("A match of {template} points.", template=3)
    assert (refused.code, refused.message) == (Refusal.BAD_VALUE, "A match of 3 points.")


def test_in_english_a_refusal_is_spoken_as_it_is_recorded() -> None:
    refused = bad_value("The {side} side has {points} of {kinds}.", side=Side.LEFT, points=3, kinds=(Kind.OIN, Kind.KOKS))
    assert say.refusal(refused) == refused.message == "The left side has 3 of oin, koks."


def test_the_sentence_and_every_word_in_it_are_translated() -> None:
    say.install(
        Spoken(
            {
                "The {side} side has {points} of {kinds}.": "{kinds}: {points} hat die {side} Seite.",
                "left": "linke",
                "oin": "einfach",
                "koks": "dreifach",
                "3": "not a word",
            }
        )
    )
    refused = bad_value("The {side} side has {points} of {kinds}.", side=Side.LEFT, points=3, kinds=(Kind.OIN, Kind.KOKS))
    assert say.refusal(refused) == "einfach, dreifach: 3 hat die linke Seite."
    assert refused.message == "The left side has 3 of oin, koks."


def test_an_empty_word_stays_empty() -> None:
    catalogue = Spoken({"": "the header of a catalogue"})
    say.install(catalogue)
    assert say.refusal(bad_value("Not {name}.", name="")) == "Not ."


def test_a_command_out_of_place_is_told_in_translated_phrases() -> None:
    say.install(
        Spoken(
            {
                "{doing} {places}; not {place}.": "{place} nicht: {doing} {places}.",
                "The clock can be resumed": "die Uhr geht weiter",
                PLACE[Phase.STOPPED]: "im Halt",
                PLACE[None]: "vor dem Match",
            }
        )
    )
    with pytest.raises(CommandRefused) as caught:
        decide(Table(), c.Resume(), Instant(0))
    assert caught.value.message == "The clock can be resumed while the clocks are stopped; not before a match is open."
    assert say.refusal(caught.value) == "vor dem Match nicht: die Uhr geht weiter im Halt."


# ── The longer language ──────────────────────────────────────────────────────
def test_the_longer_language_lengthens_words_and_keeps_what_stands_in_braces() -> None:
    assert longer("Game {n} of {match}.") == "GameGam {n} ofof {match}."
    assert longer("{n}") == "{n}"
    assert longer("12:30") == "12:30"
    assert longer("{{n}} left") == "{{n}} leftlef"


def test_every_text_of_the_catalogue_is_longer_by_half() -> None:
    for text in texts(template()):
        outside = text
        for name in fields(text):
            outside = outside.replace(f"{{{name}}}", "")
        assert fields(longer(text)) == fields(text)
        assert len(longer(text)) == len(text) + (-(-len(outside) // 2) if any(map(str.isalpha, outside)) else 0)


def test_the_longer_language_can_be_spoken() -> None:
    say.install(Longer())
    assert say._("Game {n}", n=4) == "GameGam 4"
    assert say.n_("{n} point", "{n} points", 1) == "1 pointpoi"
    assert say.n_("{n} point", "{n} points", 2) == "2 pointspoin"
    assert say.refusal(bad_value("The {side} side.", side=Side.LEFT)) == "TheTh leftle sidesid."
