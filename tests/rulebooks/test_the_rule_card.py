"""The rule card tells, in four languages and with its article, what to do where no sanction is at stake."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from kiosk import rulebooks
from kiosk.app import card as loading
from kiosk.app.card import card, problems
from kiosk.books import Library
from kiosk.books.source import RulebookFault, Source, parse
from kiosk.domain.card import CardEntry, for_rulebook

ALPHABETS = {
    "en": "a-zA-Z",
    "ru": "а-яА-ЯёЁ",
    "uk": "а-щА-ЩьюяЬЮЯґєіїҐЄІЇ",
    "mk": "а-икл-пр-шА-ИКЛ-ПР-ШѓѕјљњќџЃЅЈЉЊЌЏ",
}
ALL = rulebooks.NAMES
SITUATIONS = {
    "disturbed roll": {"disturbed_roll": ALL},
    "dice thrown early": {"dice_early": ("ibgf", "ibgf-blitz", "yellowclub", "rus-long"), "dice_early_circle": ("circle",)},
    "die cocked or off the right half": {"die_cocked": ALL},
    "die on edge or stuck in the tower": {"die_on_edge": ALL},
    "disputed borne-off checker": {"borne_off_disputed": ALL},
    "illegal move": {
        "illegal_move": ("ibgf", "ibgf-blitz", "yellowclub"),
        "illegal_move_circle": ("circle",),
        "illegal_move_long": ("rus-long",),
    },
    "illegal move noticed later": {"illegal_move_later": ALL},
    "early cube": {"cube_early": ("ibgf", "ibgf-blitz", "circle", "rus-long")},
    "cube in hand": {"cube_in_hand": ("ibgf", "ibgf-blitz", "circle", "rus-long")},
    "the cube's value": {"cube_value": ("ibgf", "ibgf-blitz", "circle", "rus-long")},
    "wrong set-up": {"wrong_setup": ("ibgf", "ibgf-blitz", "circle", "yellowclub"), "wrong_setup_long": ("rus-long",)},
    "missing or extra checkers": {"wrong_setup": ("ibgf", "ibgf-blitz", "circle", "yellowclub"), "wrong_count_long": ("rus-long",)},
    "press forgotten": {"press_forgotten": ALL},
    "time up": {"time_up": ALL},
    "breaks": {"breaks": ALL},
    "what players may do": {"permissions": ALL},
}
"""What the card must cover → the entries that do, and for which rulebooks."""

WITHOUT_A_CUBE = {"early cube", "cube in hand", "the cube's value"}
LAST = {"000 §": 12, "002 etiquette ": 5, "004 5.4.": 47}
"""The last article of each text."""

FIGURES = {"die_cocked": {"30"}, "breaks": {"5", "7", "10", "11", "14", "15"}, "permissions": {"0", "5"}}
"""The figures that an entry names in every language."""

GOOD = '[some_thing]\narticle = "000 §11"\n' + "".join(
    f'{key}.{language} = "{key} {language}"\n' for key in ("title", "remedy") for language in ALPHABETS
)


def source(text: str) -> Source:
    return parse("card.toml", "card", text, bundled=True)


@pytest.fixture(params=card(), ids=lambda entry: entry.code)
def entry(request: pytest.FixtureRequest) -> CardEntry:
    found: CardEntry = request.param
    return found


def test_every_situation_is_covered_in_every_rulebook() -> None:
    for situation, entries in SITUATIONS.items():
        expected = {name for name in ALL if not (name == "yellowclub" and situation in WITHOUT_A_CUBE)}
        assert {name for names in entries.values() for name in names} == expected, situation
        for name in ALL:
            here = {one.code for one in for_rulebook(card(), name)} & entries.keys()
            assert here == {code for code, names in entries.items() if name in names}, (situation, name)


def test_the_card_has_nothing_else_and_is_short() -> None:
    codes = [one.code for one in card()]
    assert sorted(codes) == sorted({code for entries in SITUATIONS.values() for code in entries})
    assert 14 <= len(codes) <= 20


def test_an_entry_speaks_four_languages_in_their_letters(entry: CardEntry) -> None:
    for texts, longest in ((entry.titles, 45), (entry.remedies, 260)):
        assert [language for language, _ in texts] == list(ALPHABETS)
        for language, text in texts:
            assert 4 <= len(text) <= longest, text
            assert text == " ".join(text.split())
            assert text[0].isupper()
            plain = text.replace("Crawford", "") if language == "mk" else text
            assert re.fullmatch(rf"[{ALPHABETS[language]}0-9.,;:'«»„“— –-]+", plain), text


def test_a_remedy_is_in_sentences_and_a_title_is_none(entry: CardEntry) -> None:
    assert all(text.endswith(".") for _, text in entry.remedies)
    assert not any(text.endswith(".") for _, text in entry.titles)


def test_all_languages_of_an_entry_name_the_same_figures(entry: CardEntry) -> None:
    assert {language: set(re.findall(r"\d+", text)) for language, text in entry.remedies} == dict.fromkeys(
        ALPHABETS, FIGURES.get(entry.code, set())
    )


def test_an_entry_names_articles_that_exist(entry: CardEntry) -> None:
    text = ""
    for part in re.split(r", |–", entry.article):
        found = re.fullmatch(r"(000 §|002 etiquette |004 5\.4\.|5\.4\.)(\d+)", part)
        assert found, part
        text = "004 5.4." if found[1] == "5.4." and text == "004 5.4." else found[1]
        assert 1 <= int(found[2]) <= LAST[text], part


def test_no_two_entries_share_a_title_or_a_remedy() -> None:
    for language in ALPHABETS:
        for texts in ([one.title(language) for one in card()], [one.remedy(language) for one in card()]):
            assert len({text.casefold() for text in texts}) == len(texts), language


def test_only_the_die_that_has_not_settled_is_counted_out() -> None:
    assert [one.code for one in card() if one.counter] == ["die_on_edge"]


def test_the_articles_of_the_regulations_stand_with_their_entries() -> None:
    articles = {one.code: one.article for one in card()}
    assert articles["borne_off_disputed"] == "004 5.4.41–5.4.42"
    assert articles["wrong_count_long"] == "004 5.4.44–5.4.45"
    assert articles["dice_early_circle"] == "002 etiquette 4"
    assert articles["die_on_edge"] == "000 §11, 004 5.4.32–5.4.34"


def test_an_entry_falls_back_to_english() -> None:
    bare = CardEntry("bare", (("en", "Bare"), ("ru", "Голый")), (("en", "Dress."),), "000 §11")
    assert [bare.title(language) for language in ("ru", "mk", "en")] == ["Голый", "Bare", "Bare"]
    assert [bare.remedy(language) for language in ("ru", "en")] == ["Dress.", "Dress."]
    assert CardEntry("bare", (), (), "000 §11").title("en") == "bare"
    assert not CardEntry("bare", (), (), "000 §11").remedy("en")


def test_a_rulebook_that_no_entry_knows_has_the_general_card() -> None:
    assert for_rulebook(card(), "city-open") == for_rulebook(card(), "ibgf")


def test_an_organizers_rulebook_has_the_card_of_the_one_below(write: Callable[[str, str], Path], tmp_path: Path) -> None:
    write("city-long.toml", 'extends = "rus-long"\n')
    write("city-final.toml", 'extends = "city-long"\ncube = true\n')
    alone = '[kinds]\n{} = 1\n[control]\nkind = "flat"\nflat_s = 600\n'
    write("alone.toml", 'title = "Alone"\ngame = "backgammon"\n' + alone.format("single"))
    write("alone-long.toml", 'title = "Alone"\ngame = "long"\n' + alone.format("oin"))
    library = Library([tmp_path])
    bases = {name: library.base(name) for name in library.names()}
    long = dict.fromkeys(["city-long", "city-final", "alone-long"], "rus-long")
    assert bases == {name: name for name in ALL} | long | {"alone": "ibgf"}


def test_the_card_is_read_once() -> None:
    assert card() is card()


def test_the_bundled_card_has_no_faults() -> None:
    assert problems(source(rulebooks.text(rulebooks.CARD))) == []


def test_every_article_and_every_exception_is_explained_on_its_line() -> None:
    lines = [line for line in rulebooks.text(rulebooks.CARD).splitlines() if re.match(r"article|only|not", line)]
    bare = [line for line in lines if not re.search(r"  ?# \S", line) and not line.startswith("only")]
    assert bare == []  # why an entry is for some only, its article says


def test_a_good_entry_is_read() -> None:
    texts = {key: tuple((language, f"{key} {language}") for language in ALPHABETS) for key in ("title", "remedy")}
    expected = CardEntry("some_thing", texts["title"], texts["remedy"], "000 §11")
    assert loading.read(source(GOOD)) == (expected,)
    [turned] = loading.read(source(GOOD + 'counter = true\nnot = ["circle", "rus-long"]\n'))
    assert (turned.counter, turned.rulebooks) == (True, ("ibgf", "ibgf-blitz", "yellowclub"))
    [limited] = loading.read(source(GOOD + 'only = ["rus-long", "circle"]\n'))
    assert (limited.counter, limited.rulebooks) == (False, ("circle", "rus-long"))


BROKEN = {
    "no section": ("x = 1\n" + GOOD, 1, "x", "Write [x] on a line"),
    "bad code": ("[Some-Thing]\n", 1, "Some-Thing", "code of small letters"),
    "no article": (GOOD.replace("article", "artikle"), 1, "some_thing.article", "no article"),
    "unknown key": (GOOD + "count = true\n", 11, "some_thing.count", 'Did you mean "counter"'),
    "bad article": (GOOD.replace("000 §11", "§11"), 2, "some_thing.article", "articles in quotes"),
    "article of another text": (GOOD.replace("000 §11", "004 5.3.1"), 2, "some_thing.article", "articles in quotes"),
    "no language": (GOOD.replace('remedy.mk = "remedy mk"\n', ""), 7, "some_thing.remedy.mk", "mk is missing"),
    "another language": (GOOD.replace("title.mk", "title.de"), 6, "some_thing.title.de", '"de" is none of them'),
    "one text for all": ('[a]\narticle = "000 §11"\ntitle = "x"\n', 3, "a.title", "one text for each of en, ru, uk, mk"),
    "empty text": (GOOD.replace('"title ru"', '" "'), 4, "some_thing.title.ru", "text on one line"),
    "long title": (GOOD.replace('"title ru"', f'"{"ы" * 46}"'), 4, "some_thing.title.ru", "at most 45"),
    "long remedy": (GOOD.replace('"remedy uk"', f'"{"ю" * 261}"'), 9, "some_thing.remedy.uk", "at most 260"),
    "text for true": (GOOD + 'counter = "yes"\n', 11, "some_thing.counter", "true or false"),
    "a word for a list": (GOOD + 'only = "circle"\n', 11, "some_thing.only", "list of different bundled rulebooks"),
    "empty list": (GOOD + "not = []\n", 11, "some_thing.not", "not an empty list"),
    "unknown rulebook": (GOOD + 'only = ["circel"]\n', 11, "some_thing.only", 'Did you mean "circle"'),
    "list in a list": (GOOD + 'only = [["circle"]]\n', 11, "some_thing.only", "a list is none of them"),
    "twice": (GOOD + 'only = ["circle", "circle"]\n', 11, "some_thing.only", "stands twice"),
    "only and not": (GOOD + 'only = ["circle"]\nnot = ["ibgf"]\n', 12, "some_thing.not", "keep one of the two"),
}


@pytest.mark.parametrize(("text", "line", "key", "words"), BROKEN.values(), ids=BROKEN)
def test_a_fault_is_told_with_file_line_and_key(text: str, line: int, key: str, words: str) -> None:
    found = problems(source(text))
    assert [(problem.line, problem.key) for problem in found if words in problem.sentence] == [(line, key)]
    with pytest.raises(RulebookFault, match=r"card\.toml, line \d+, \S+: .+[.?\"]$"):
        loading.read(source(text))


def test_what_is_not_toml_is_told_with_its_line() -> None:
    with pytest.raises(RulebookFault, match=r"card\.toml, line 2, a\.article: This is not TOML"):
        source("[a]\narticle = 000 §11\n")
