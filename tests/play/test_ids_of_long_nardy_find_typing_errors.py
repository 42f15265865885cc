"""Our id for long nardy: it brings a position, dice and the turn's place back, and a typing error never becomes another position."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.play.board import Board, BoardError, Game, start_board
from kiosk.play.longid import ALPHABET, LongPosition, check, is_long_id, read_long_id
from tests.play.chance import by_chance

START = "LN1-0000-3ZZW-0000-7ZZR-03"


def by_hand(letters: str) -> str:
    """Seventeen characters with the eighteenth that goes with them."""
    return "LN1" + letters + ALPHABET[check([ALPHABET.index(letter) for letter in letters])]


def position(seed: int) -> LongPosition:
    chance = Random(seed)
    dice = chance.choice((None, *((high, low) for high in range(1, 7) for low in range(1, high + 1))))
    return LongPosition(by_chance(seed, Game.LONG_NARDY), dice, chance.choice((None, 1, 2)))


def test_the_start_worked_out_by_hand() -> None:
    # Twice 23 zeros, fifteen ones and a zero, then 00: groups of five 0 0 0 0 | 3 31 31 28 | 0 0 0 0 | 7 31 31 24, and 0 for no dice. In
    # the field the letters before the first 3 add nothing; the check goes on as in `test_the_check_by_hand`.
    assert str(LongPosition(start_board(Game.LONG_NARDY))) == START
    assert read_long_id(START) == LongPosition(start_board(Game.LONG_NARDY))


def test_the_check_by_hand() -> None:
    # x⁵ = x² + 1, so that 16 (x⁴) times x is 5. 1 → 2; then 2 + 14 = 12 → 24; then 24 + 8 = 16 → 5.
    assert check([1]) == 2
    assert check([1, 14]) == 24
    assert check([1, 14, 8]) == 5


def test_dice_and_the_first_turns_are_kept_the_larger_die_first() -> None:
    text = str(LongPosition(start_board(Game.LONG_NARDY), (4, 6), 2))
    assert read_long_id(text) == LongPosition(start_board(Game.LONG_NARDY), (6, 4), 2)


@pytest.mark.parametrize(
    "text",
    [START.lower(), START.replace("-", ""), "LN1 0000 3ZZW 0000 7ZZR 03", "LN1-OooO-3ZZW-0000-7ZZR-O3", "lnl-0000-3zzw-0000-7zzr-03"],
)
def test_it_may_be_typed_as_people_type(text: str) -> None:
    assert read_long_id(text).board == start_board(Game.LONG_NARDY)


def test_i_and_l_are_read_as_one() -> None:
    text = str(LongPosition(Board((1, *[0] * 23), (1, *[0] * 23)), (1, 1)))
    assert "1" in text[4:]
    assert read_long_id("LN1" + text[4:].replace("1", "I")) == read_long_id("ln1" + text[4:].replace("1", "l")) == read_long_id(text)


def test_it_is_told_from_other_ids() -> None:
    assert is_long_id(START)
    assert is_long_id("ln2-whatever")
    assert not is_long_id("4HPwATDgc/ABMA")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("LN2-0000-3ZZW-0000-7ZZR-03", "is of a version that is not known here; known is LN1"),
        ("LN1-0000-3ZZW-0000-7ZZR-0", "behind LN1 stand 18 characters, not 17"),
        ("LN1-0000-3ZZU-0000-7ZZR-03", "no such id has the character U"),
        ("LN1-0000-3ZZW-0000-7ZZR-04", "has a typing error"),
        (by_hand("00003ZZW00007ZZR" + "P"), "means nothing"),  # dice beyond 6-6
        (by_hand("00003ZZW00007ZZV" + "0"), "means nothing"),  # a third first turn
        (by_hand("0000000000000008" + "0"), "means nothing"),  # a bit behind both players' points
        (by_hand("ZZZZZZZZZZZZZZZZ" + "0"), "more checkers than a player has"),
        (by_hand("ZZZG000000000000" + "0"), "stands 16"),
        (by_hand("00003ZZW00ZZZ000" + "0"), "Both sides have checkers on point 24"),
    ],
)
def test_what_is_no_id_is_refused_with_its_reason(text: str, why: str) -> None:
    with pytest.raises(BoardError, match=why):
        read_long_id(text)


@given(st.integers(0, 10**9))
def test_every_position_comes_back(seed: int) -> None:
    told = position(seed)
    assert read_long_id(str(told)) == told


def test_one_wrong_character_is_always_found() -> None:
    text = str(position(3)).replace("-", "")
    for at in range(3, len(text)):
        for letter in set(ALPHABET) - {text[at]}:
            with pytest.raises(BoardError, match="has a typing error"):
                read_long_id(text[:at] + letter + text[at + 1 :])


def test_two_characters_that_changed_places_are_always_found() -> None:
    text = str(position(3)).replace("-", "")
    pairs = [(one, two) for one in range(3, len(text)) for two in range(one + 1, len(text)) if text[one] != text[two]]
    assert len(pairs) > 50
    for one, two in pairs:
        changed = text[:one] + text[two] + text[one + 1 : two] + text[one] + text[two + 1 :]
        with pytest.raises(BoardError, match="has a typing error"):
            read_long_id(changed)
