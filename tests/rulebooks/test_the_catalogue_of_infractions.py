"""Every bundled rulebook carries the whole catalogue: four languages, the article, minor or serious, the usual sanction."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from kiosk import rulebooks
from kiosk.books import Library, check_file
from kiosk.books.checks import examine
from kiosk.books.source import parse
from kiosk.domain.rulebook import Infraction, Rulebook, Sanction

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Write = Callable[[str, str], Path]

MINOR = [
    *("late", "hand_on_button", "wrong_hand", "press_before_move", "stop_without_reason", "stop_accidental", "dice_replaced"),
    *("dice_early", "dice_thrown_wrong", "dice_slid", "table_shaken", "touch_in_opponents_turn", "two_hands", "borne_off_hidden"),
    *("cube_out_of_view", "illegal_move", "wrong_setup", "break_unauthorised", "left_table", "disturbance", "analysis_in_hall"),
    *("takeback_after_press", "eating"),
]
SERIOUS = [
    *("illegal_move_deliberate", "talk_or_advice", "device", "notes", "hindering_press", "disobedience", "disrespect", "match_fixing"),
]
SANCTIONS = {
    "stop_accidental": (Sanction.REMARK, None),
    "dice_replaced": (Sanction.PENALTY_POINT, None),
    "borne_off_hidden": (Sanction.WARNING, None),
    "break_unauthorised": (Sanction.WARNING, Sanction.MATCH_LOSS),
    "match_fixing": (Sanction.EXPULSION, Sanction.EXPULSION),
}
IN_LONG_NARDY = {**SANCTIONS, "wrong_setup": (Sanction.WARNING, None)}
ARTICLES = {
    "ibgf": {"hindering_press": "004 5.4.20", "borne_off_hidden": "000 §11, 004 5.4.42"},
    "circle": {
        "hindering_press": "004 5.4.20",
        "borne_off_hidden": "000 §11, 004 5.4.42",
        "dice_early": "002 etiquette 4",
        "dice_thrown_wrong": "002 etiquette 1",
        "illegal_move": "002 etiquette 5",
    },
    "rus-long": {
        **dict.fromkeys(["hand_on_button", "hindering_press", "press_before_move"], "004 5.4.20"),
        "dice_replaced": "004 5.4.8, 000 §11",
        "dice_early": "004 5.4.18",
        "dice_thrown_wrong": "004 5.4.15–5.4.16, 5.4.30",
        "dice_slid": "004 5.4.15",
        "table_shaken": "004 5.4.34",
        "touch_in_opponents_turn": "004 5.4.27",
        "two_hands": "004 5.4.27",
        "borne_off_hidden": "004 5.4.42",
        "illegal_move": "004 5.4.47",
        "wrong_setup": "004 5.4.46",
        "left_table": "004 5.4.6",
        "takeback_after_press": "004 5.4.17",
    },
}
ALPHABETS = {
    "en": "a-zA-Z",
    "ru": "а-яА-ЯёЁ",
    "uk": "а-щА-ЩьюяЬЮЯґєіїҐЄІЇ",
    "mk": "а-икл-пр-шА-ИКЛ-ПР-ШѓѕјљњќџЃЅЈЉЊЌЏ",
}


@pytest.fixture(params=rulebooks.NAMES)
def book(request: pytest.FixtureRequest) -> Rulebook:
    return Library().load(request.param)


def test_every_rulebook_has_every_code_once(book: Rulebook) -> None:
    codes = [infraction.code for infraction in book.infractions]
    assert sorted(codes) == sorted(MINOR + SERIOUS)


def test_every_rulebook_says_what_is_serious(book: Rulebook) -> None:
    assert {infraction.code for infraction in book.infractions if infraction.serious} == set(SERIOUS)


def test_every_rulebook_has_the_sanctions_of_its_articles(book: Rulebook) -> None:
    named = {one.code: (one.sanction, one.repeat) for one in book.infractions if one.sanction or one.repeat}
    assert named == (IN_LONG_NARDY if book.name == "rus-long" else SANCTIONS)


def test_only_a_plain_illegal_move_is_recorded_and_only_a_wrong_setup_of_long_nardy_is_for_both(book: Rulebook) -> None:
    assert [one.code for one in book.infractions if one.recorded_only] == ["illegal_move"]
    assert [one.code for one in book.infractions if one.both] == ["wrong_setup"] * (book.name == "rus-long")


def test_every_entry_names_its_article(book: Rulebook) -> None:
    expected = ARTICLES.get(book.name, ARTICLES["ibgf"])
    assert {one.code: one.article for one in book.infractions} == dict.fromkeys(MINOR + SERIOUS, "000 §11") | expected


def test_every_entry_has_a_title_in_four_languages_in_their_letters(book: Rulebook) -> None:
    for infraction in book.infractions:
        titles = dict(infraction.titles)
        assert list(titles) == list(ALPHABETS), infraction.code
        for language, title in titles.items():
            assert 1 < len(title) <= 40, title
            assert re.fullmatch(rf"[{ALPHABETS[language]}',. -]+", title), title
            assert title == title.strip()
            assert title[0].isupper(), title
            assert infraction.title(language) == title


def test_no_two_entries_share_a_title(book: Rulebook) -> None:
    for language in ALPHABETS:
        titles = [infraction.title(language).casefold() for infraction in book.infractions]
        assert len(set(titles)) == len(titles), language


def test_a_title_falls_back_to_english_and_to_the_code() -> None:
    late = Infraction("late", (("en", "Late"), ("ru", "Опоздание")), serious=False, article="000 §11")
    assert [late.title(language) for language in ("ru", "mk", "en")] == ["Опоздание", "Late", "Late"]
    assert replace(late, titles=()).title("ru") == "late"


def test_sanctions_stand_in_rising_order() -> None:
    assert list(Sanction) == ["remark", "warning", "penalty_point", "game_loss", "match_loss", "expulsion"]


def test_the_catalogue_itself_has_no_faulty_key() -> None:
    source = parse("infractions.toml", "infractions", rulebooks.text(rulebooks.CATALOGUE), bundled=True)
    assert examine(source, None).problems == ()


def test_an_organizer_changes_single_keys_and_adds_at_the_end(write: Write, tmp_path: Path) -> None:
    write(
        "club.toml",
        'extends = "rus-long"\n[ladder]\nfirst_minor = "warning"\n[infractions.device]\nsanction = "game_loss"\n'
        '[infractions.borne_off_hidden]\nsanction = "ladder"\n[infractions.phone_rang]\ntitle = "Phone rang"\narticle = "house rule 4"\n',
    )
    assert check_file(tmp_path / "club.toml", Library()) == []
    library = Library([tmp_path])
    base, club = library.load("rus-long"), library.load("club")
    changed = {
        "device": {"sanction": Sanction.GAME_LOSS},
        "borne_off_hidden": {"sanction": None},
    }
    expected = [replace(one, **changed.get(one.code, {})) for one in base.infractions]  # type: ignore[arg-type]
    phone = Infraction("phone_rang", (("en", "Phone rang"),), serious=False, article="house rule 4")
    assert club.infractions == (*expected, phone)
    assert club.ladder == replace(base.ladder, first_minor=Sanction.WARNING)


def test_titles_are_replaced_whole(write: Write, tmp_path: Path) -> None:
    write("club.toml", 'extends = "ibgf"\n[infractions.device]\ntitle = "Phone"\n')
    club = Library([tmp_path]).load("club")
    assert [one.title("ru") for one in club.infractions if one.code == "device"] == ["Phone"]


def test_a_file_that_stands_alone_has_the_whole_catalogue(write: Write, tmp_path: Path) -> None:
    write("own.toml", 'title = "Own"\ngame = "long"\n[kinds]\noin = 1\n[control]\nkind = "flat"\nflat_s = 600\n')
    library = Library([tmp_path])
    assert library.load("own").infractions == library.load("ibgf").infractions


def test_a_file_may_be_called_as_the_catalogue_is(write: Write, tmp_path: Path) -> None:
    path = write("infractions.toml", 'extends = "ibgf"\ntitle = "Mine"\n')
    assert check_file(path, Library([tmp_path])) == []
    assert Library([tmp_path]).load("infractions").title("en") == "Mine"


def test_a_faulty_entry_is_told_by_itself(write: Write) -> None:
    text = 'extends = "ibgf"\n[infractions.late]\nsanction = 5\n[infractions.phone]\ntitle = 5\n[infractions.bell]\narticle = "9"\n'
    problems = check_file(write("club.toml", text), Library())
    assert [(problem.line, problem.key) for problem in problems] == [
        (3, "infractions.late.sanction"),
        (5, "infractions.phone.title"),
        (6, "infractions.bell"),
    ]
