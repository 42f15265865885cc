"""The table's language by one touch, and each half in its own player's."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kiosk import say
from kiosk.ui.draw import Scene, Text
from kiosk.ui.view import Preferences
from tests.ui.moments import MOMENTS, PLACES, PLAIN, Table


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    say.use("en")


def listening(table: Table) -> Table:
    table.desk.on_prefer = lambda prefs: say.use(prefs.language)
    return table


def words(scene: Scene) -> str:
    return "\n".join(op.text for op in scene.ops if isinstance(op, Text))


def test_one_touch_on_the_start_form_speaks_the_next_language() -> None:
    match = listening(MOMENTS["start"](PLAIN))
    seen = []
    for name in ("Русский", "Українська", "Македонски", "English"):
        match.wait(1).touch(name)
        seen.append(words(match.picture()))
    assert all(told in shown.lower() for told, shown in zip(("новый матч", "новий матч", "нов меч", "new match"), seen, strict=True))
    assert match.desk.prefs.language == "en"


def test_the_menu_leads_to_all_languages_whatever_is_spoken() -> None:
    match = listening(MOMENTS["playing"](PLAIN))
    match.touch("menu").touch("Language · Язык · Мова · Јазик").touch("Українська")
    assert match.desk.prefs.language == "uk"
    match.desk.back(match.now)
    assert "Language · Язык · Мова · Јазик" in words(match.picture())
    match.touch("Language · Язык · Мова · Јазик").touch("English")
    assert match.desk.prefs.language == "en"


@pytest.mark.parametrize("facing", [False, True])
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_each_half_speaks_its_players_language(place: object, *, facing: bool) -> None:
    prefs = Preferences(left="ru", right="mk", facing=facing)
    scene = MOMENTS["recording"](prefs).picture(place)  # type: ignore[arg-type]
    plain = MOMENTS["recording"](Preferences(facing=facing)).picture(place)  # type: ignore[arg-type]
    with say.speaking("ru"):
        mine = say._("Take the entry back")
    with say.speaking("mk"):
        his = say._("I dispute it")
    assert mine in words(scene)
    assert his in words(scene)
    assert "Take the entry back" in words(plain)
    assert "Take the entry back" not in words(scene)


def test_only_the_halves_change() -> None:
    one = words(MOMENTS["playing"](Preferences(left="ru", right="ru")).picture())
    assert "Stop" in one
    with say.speaking("ru"):
        assert say._("{n} s delay", n=12) in one or say._("delay") in one
