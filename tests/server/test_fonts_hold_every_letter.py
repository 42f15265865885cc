"""The pages' own fonts hold every letter of the catalogues: no language falls back to whatever a device has."""

from __future__ import annotations

from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from fontTools.ttLib import TTFont

from kiosk.server.assets import FOLDER
from tests.locale.catalogue import LANGUAGES, languages

FONTS = sorted((FOLDER / "fonts").glob("*.woff"))
NAMES = (
    "ABCČĆDĐEFGHIJKLMNOPQRSŠTUVWXYZŽ áàâäãåčćçđéèêëíìîïñóòôöõøřšśúùûüýžźżßæœő"
    "АЃБВГҐДЂЕЁЄЖЗЅИІЇЙЈКЌЛЉМНЊОПРСТЋУЎФХЦЧЏШЩЪЫЬЭЮЯ 0123456789–—’“”„·"
)
"""What players are called, and what stands between."""
SIGNS = {"▶", "✓"}
"""Drawn by whatever the device has; each says in words beside it what it means."""


def letters(language: str) -> set[str]:
    with (LANGUAGES / language / "LC_MESSAGES" / "tableside.po").open("rb") as file:
        said = [message.string for message in read_po(file) if any(path.startswith("kiosk/server/") for path, _ in message.locations)]
    texts = [text for each in said for text in (each if isinstance(each, tuple | list) else (each,))]
    return set("".join(texts)) - {"\n"} - SIGNS


@pytest.mark.parametrize("path", FONTS, ids=lambda path: path.name)
def test_a_font_holds_every_letter_of_every_language_and_of_names(path: Path) -> None:
    held = {chr(code) for code in TTFont(path).getBestCmap()}
    wanted = set(NAMES).union(*map(letters, languages()))
    assert wanted - held == set()


@pytest.mark.parametrize("path", FONTS, ids=lambda path: path.name)
def test_a_font_is_light(path: Path) -> None:
    assert path.stat().st_size <= 25_000


def test_digits_of_clocks_are_equally_wide() -> None:
    font = TTFont(FOLDER / "fonts" / "digits.woff")
    names = font.getBestCmap()
    assert len({font["hmtx"][names[ord(digit)]][0] for digit in "0123456789"}) == 1
