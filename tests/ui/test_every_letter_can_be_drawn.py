from __future__ import annotations

import pygame
import pytest

from kiosk.ui import type as ty
from kiosk.ui.draw import Face
from kiosk.ui.screens.keyboard import BOARDS

FACES: tuple[Face, ...] = ("text", "bold")
ALPHABETS = {
    "Russian": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    "Ukrainian": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
    "Macedonian": "абвгдѓежзѕијклљмнњопрстќуфхцчџш",
    "Georgian": "აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ",
    "Polish": "aąbcćdeęfghijklłmnńoópqrsśtuvwxyzźż",
    "Czech": "aábcčdďeéěfghiíjklmnňoópqrřsštťuúůvwxyýzž",
    "Romanian": "aăâbcdefghiîjklmnopqrsștțuvwxyz",
    "Hungarian": "aábcdeéfghiíjklmnoóöőpqrstuúüűvwxyz",
    "Turkish": "abcçdefgğhıijklmnoöprsştuüvyzİ",
    "Azerbaijani": "abcçdeəfgğhxıijkqlmnoöprsştuüvyzİ",
    "figures": "0123456789",
    "signs": "×·–…“”„«»№−'’&+-.,:;!?()/\u00a0",
}


@pytest.mark.parametrize("alphabet", ALPHABETS)
@pytest.mark.parametrize("face", FACES)
def test_every_letter_has_a_glyph(alphabet: str, face: Face) -> None:
    letters = ALPHABETS[alphabet]
    both = letters if alphabet == "Georgian" else letters + letters.upper()
    assert not [letter for letter in both if not _has(letter, face)]


@pytest.mark.parametrize("face", FACES)
def test_letters_of_the_keyboard_have_glyphs(face: Face) -> None:
    assert not [letter for _name, letters in BOARDS for letter in letters + letters.upper() if not _has(letter, face)]


@pytest.mark.parametrize("face", FACES)
def test_a_letter_that_no_face_has_is_noticed(face: Face) -> None:
    assert not _has("字", face)


def test_a_letter_that_no_face_has_is_seen_all_the_same() -> None:
    assert ty.spelled("Zoë 😀 字") == "Zoë ? ?"


@pytest.mark.parametrize("pair", ["ЉЛ", "љл", "њн", "ЊН", "ЌК", "ЃГ", "ќк", "ѓг", "ЄЕ", "ЇІ", "ҐГ"])
@pytest.mark.parametrize("face", FACES)
def test_letters_that_differ_are_drawn_differently(pair: str, face: Face) -> None:
    one, other = (_pixels(letter, face) for letter in pair)
    assert one != other


def _has(letter: str, face: Face) -> bool:
    drawn = letter.replace("−", "–")
    return all(each is not None for part, script in ty.runs(drawn) for each in ty.font(face, 40, script).metrics(part)) and (
        not drawn.strip() or _pixels(drawn, face) != _pixels("\uffff", face)
    )


def _pixels(text: str, face: Face) -> bytes:
    picture = ty.Words().line(text, face, 40, (255, 255, 255), 0)
    return pygame.image.tobytes(picture, "RGBA")
