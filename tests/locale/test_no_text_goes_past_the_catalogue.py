"""Whatever a person can read on the screen was asked of the catalogue."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.locale.untranslated import untranslated

ROOT = Path(__file__).parents[2]
UI = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "kiosk" / "ui").rglob("*.py"))

TABLES: dict[str, set[str]] = {
    "kiosk/ui/screens/keyboard.py": {"BOARDS"},
    "kiosk/ui/screens/languages.py": {"WORD"},
    "kiosk/ui/type.py": {"PARTS"},
    "kiosk/ui/opening.py": {"DESKTOPS"},
}
"""File → `ALL_CAPS` tables in it that hold names for programs (faces, keys, samples) and no text for people."""


@pytest.mark.parametrize("path", UI)
def test_no_text_goes_past_the_catalogue(path: str) -> None:
    found = untranslated((ROOT / path).read_text(encoding="utf-8"), TABLES.get(path, set()))
    assert found == [], f"{path}: put these into _(…), or see tests/locale/untranslated.py"


def test_every_allowed_table_exists_and_is_written_in_capitals() -> None:
    for path, names in TABLES.items():
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        assigned = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        assert names <= assigned
        assert all(name.isupper() for name in names)


@pytest.mark.parametrize(
    "source",
    [
        'draw("Game over")',
        'draw("game over")',
        'draw("Double")',
        'draw("OK")',
        'draw("(Double)")',
        'draw("Выход")',
        'draw(f"Game {n}")',
        'draw(f"{n} points")',
        'draw("{n} points".format(n=3))',
        'NAMES = {"left": "The left side"}',
        'class Screen:\n    title: str = "Game over"',
        'def title():\n    "Told here."\n    return "Double"',
        'def title(text="Double"): ...',
        '_("{side} wins", side="The left side")',
        '_("Double" if offered else "Take")',
        'say.draw("Double")',
        'match word:\n    case "Double": pass',
        'blog.info("Game over")',
    ],
)
def test_a_text_that_is_not_translated_is_found(source: str) -> None:
    assert untranslated(source) != []


@pytest.mark.parametrize(
    "source",
    [
        '"""A module about games."""',
        'def f():\n    """What it does."""',
        'class A:\n    x: int = 1\n    """What it is."""',
        'draw(_("Game over"))',
        'draw(say._("Game {n}", n=n))',
        'n_("{n} point", "{n} points", 3)',
        'NAMES = {"left": mark("The left side")}',
        '_(f"{n}", side="left")',
        'raise ValueError("There is no such screen.")',
        'raise Broken(f"There is no screen {name}.")',
        'error = ValueError("There is no such screen.")',
        '_log.warning("The screen is gone: %s", why)',
        'self.log.info("The screen is here")',
        'logging.getLogger("Screen")',
        'face: Literal["Bold", "text"] = "text"',
        'def f(screen: "Screen") -> "Screen": ...',
        'cast("Screen", thing)',
        'Pixels = NewType("Pixels", int)',
        '__all__ = ["Screen"]',
        'FACE = "fonts/NotoSans-CondensedSemiBold.ttf"',
        'os.environ["SDL_VIDEODRIVER"] = "kmsdrm"',
        'draw("centre")',
        'draw(f"{n}/{length}")',
        'draw("{n} {length}")',
        'draw("#FFAA00")',
        'draw("×")',
        'draw("A")',
        'draw(" : ")',
    ],
)
def test_what_is_no_text_for_people_passes(source: str) -> None:
    assert untranslated(source) == []


def test_a_table_of_names_passes_when_it_is_allowed() -> None:
    source = 'FACES = {"Bold": "Noto Sans Bold"}\nKEYS: tuple[str, ...] = ("Return",)\n'
    assert len(untranslated(source)) == 3
    assert untranslated(source, {"FACES", "KEYS"}) == []


def test_a_text_is_told_with_its_line() -> None:
    assert untranslated('x = 1\ndraw("Double")\n') == ["2: 'Double'"]
