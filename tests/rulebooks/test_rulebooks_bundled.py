"""The five bundled rulebooks say what the rules and the decisions say."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

from kiosk import rulebooks
from kiosk.books import Library, check_file
from kiosk.books.lines import statements
from kiosk.domain.rulebook import (
    BlockRule,
    BreakRule,
    ControlKind,
    FlagPolicy,
    HeadRule,
    Kind,
    Ladder,
    LateRule,
    LateStart,
    Method,
    OnFlag,
    PlayOptions,
    Preset,
    Provide,
    Rulebook,
    RuleText,
    Sanction,
    Sounds,
    StopRule,
    TimeControl,
)
from kiosk.domain.types import seconds
from kiosk.say import LANGUAGES


def titled(*texts: str) -> tuple[tuple[str, str], ...]:
    return tuple(zip(LANGUAGES, texts, strict=True))


NINE = titled("9 pt, 18 min + 8 s", "9 очков, 18 мин + 8 с", "9 очок, 18 хв + 8 с", "9 поени, 18 мин + 8 с")
FIVE = titled("5 pt, 2 min + 9 s", "5 очков, 2 мин + 9 с", "5 очок, 2 хв + 9 с", "5 поени, 2 мин + 9 с")
SEVEN = titled("7 pt, 14 min + 8 s", "7 очков, 14 мин + 8 с", "7 очок, 14 хв + 8 с", "7 поени, 14 мин + 8 с")
THREE = titled("Blitz: 3 pt, 1 min + 10 s", "Блиц: 3 очка, 1 мин + 10 с", "Бліц: 3 очки, 1 хв + 10 с", "Блиц: 3 поени, 1 мин + 10 с")


IBGF = Rulebook(
    name="ibgf",
    titles=titled("IBGF backgammon", "Бэкгаммон IBGF", "Бекгамон IBGF", "Бекгемон на IBGF"),
    game="backgammon",
    kinds={Kind.SINGLE: 1, Kind.GAMMON: 2, Kind.BACKGAMMON: 3},
    control=TimeControl(
        ControlKind.PER_POINT,
        per_point=seconds(120),
        delay=seconds(12),
        delay_range=(seconds(5), seconds(45)),
        method=Method.DELAY,
    ),
    lengths=(1, 3, 5, 7, 9, 11, 13, 15),
    cube=True,
    crawford=True,
    jacoby=False,
    automatic_doubles=False,
    blitz=False,
    provide=Provide.BONUS,
    bonus=seconds(300),
    bonus_from=7,
    breaks=BreakRule(((7, 1), (11, 2), (15, 3)), seconds(300)),
    on_flag=OnFlag(FlagPolicy.CLAIM, extra=seconds(60), points=1, refill=None),
    late=LateStart(LateRule.CLOCK, seconds(300)),
    stops=StopRule(seconds(30), seconds(10)),
    sounds=Sounds(0, flag=False),
    play=PlayOptions(RuleText.FEDERATION),
    presets=(
        Preset(
            NINE,
            9,
            seconds(18 * 60),
            seconds(8),
        ),
    ),
    ladder=Ladder(Sanction.REMARK, Sanction.WARNING, Sanction.GAME_LOSS, Sanction.WARNING, note_later=True),
)

BLITZ = replace(
    IBGF,
    name="ibgf-blitz",
    titles=titled("IBGF blitz", "Блиц IBGF", "Бліц IBGF", "Блиц на IBGF"),
    control=TimeControl(
        ControlKind.TABLE,
        per_point=seconds(120),
        table=((1, seconds(30)), (3, seconds(60)), (5, seconds(120)), (7, seconds(180))),
        delay=seconds(10),
        delay_range=(seconds(8), seconds(12)),
    ),
    lengths=(1, 3, 5, 7),
    blitz=True,
    provide=Provide.NEITHER,
    breaks=BreakRule((), seconds(300)),
    presets=(Preset(FIVE, 5, seconds(120), seconds(9)),),
)

CIRCLE = replace(
    IBGF,
    name="circle",
    titles=titled("Circle", "Кружок", "Гурток", "Кружок"),
    jacoby=True,
    automatic_doubles=True,
    provide=Provide.NEITHER,
    play=PlayOptions(RuleText.CLUB),
)

YELLOWCLUB = replace(
    IBGF,
    name="yellowclub",
    titles=titled("Yellow club", "Жёлтый клуб", "Жовтий клуб", "Жолт клуб"),
    kinds={Kind.SINGLE: 1, Kind.GAMMON: 1, Kind.BACKGAMMON: 1},
    cube=False,
    crawford=False,
    provide=Provide.NEITHER,
    play=PlayOptions(RuleText.YELLOW),
)

RUS_LONG = replace(
    IBGF,
    name="rus-long",
    titles=titled("Long nardy", "Длинные нарды", "Довгі нарди", "Долга нарда"),
    game="long",
    kinds={Kind.OIN: 1, Kind.MARS: 2},
    control=replace(IBGF.control, delay=seconds(8)),
    cube=False,
    crawford=False,
    provide=Provide.NEITHER,
    play=PlayOptions(RuleText.NATIONAL, HeadRule.SECOND, BlockRule.ON_THE_WAY, bear_off_any_lower=False, last_roll=False),
    presets=(
        Preset(
            SEVEN,
            7,
            seconds(14 * 60),
            seconds(8),
        ),
        Preset(
            THREE,
            3,
            seconds(60),
            seconds(10),
        ),
    ),
)

EXPECTED = {book.name: book for book in (IBGF, BLITZ, CIRCLE, YELLOWCLUB, RUS_LONG)}
CITATION = re.compile(r"# (000( §{1,2}\d+(–\d+)?)?|002|003|004 5\.4\.\d+(–5\.4\.\d+)?|decision: \S.*)(: \S.*)?$")


@pytest.mark.parametrize("name", rulebooks.NAMES)
def test_a_bundled_rulebook_equals_its_expected_values(name: str) -> None:
    # What the catalogue holds is told in test_the_catalogue_of_infractions.
    assert replace(Library().load(name), infractions=()) == EXPECTED[name]


def test_the_names_are_the_bundled_files_and_all_are_expected() -> None:
    stems = {Path(entry.name).stem for entry in files(rulebooks).iterdir() if entry.name.endswith(".toml")}
    assert stems - {rulebooks.CATALOGUE, rulebooks.CARD} == set(rulebooks.NAMES) == set(EXPECTED)
    assert Library().names() == rulebooks.NAMES


@pytest.mark.parametrize("name", [*rulebooks.NAMES, rulebooks.CATALOGUE])
def test_every_key_line_cites_its_article_or_a_decision(name: str) -> None:
    text = rulebooks.text(name)
    lines = text.splitlines()
    keys = [statement for statement in statements(text) if not statement.header]
    assert keys
    assert [lines[key.line - 1] for key in keys if not CITATION.search(lines[key.line - 1])] == []


@pytest.mark.parametrize("name", rulebooks.NAMES)
def test_a_bundled_file_has_no_problem_and_no_warning(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.toml"
    path.write_text(rulebooks.text(name), encoding="utf-8")
    assert check_file(path, Library()) == []


def test_a_text_that_is_not_bundled_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        rulebooks.text("../ibgf")


def test_a_rulebook_is_read_once() -> None:
    library = Library()
    assert library.load("circle") is library.load("circle")


def test_a_loaded_rulebook_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        Library().load("ibgf").kinds[Kind.SINGLE] = 5  # type: ignore[index]


def test_only_the_rulebooks_asked_for_are_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    text = rulebooks.text

    def listen(name: str) -> str:
        asked.append(name)
        return text(name)

    monkeypatch.setattr(rulebooks, "text", listen)
    library = Library()
    library.load("rus-long")
    library.load("circle")
    library.load("ibgf")
    assert asked == ["rus-long", "infractions", "circle", "ibgf"]


def test_a_title_is_in_the_language_asked_for_else_in_english_else_the_word() -> None:
    book = Library().load("rus-long")
    assert [book.title(language) for language in ("en", "ru", "uk", "mk", "de")] == [
        "Long nardy",
        "Длинные нарды",
        "Довгі нарди",
        "Долга нарда",
        "Long nardy",
    ]
    assert replace(book, titles=(("en", ""),)).title("ru") == "rus-long"
    assert [preset.name("mk") for preset in book.presets] == ["7 поени, 14 мин + 8 с", "Блиц: 3 поени, 1 мин + 10 с"]
