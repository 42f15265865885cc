from __future__ import annotations

import pytest

from kiosk.domain.errors import CommandRefused, Refusal
from kiosk.domain.officials import RANKS, Official, Role, check_name_free, check_pin, pin_taken


def test_roles_rise_from_referee_to_organizer() -> None:
    assert [str(role) for role in RANKS] == ["referee", "deputy", "chief", "organizer"]
    for low, role in enumerate(RANKS):
        assert [role.at_least(other) for other in RANKS] == [rank <= low for rank in range(4)]


@pytest.mark.parametrize("name", ["Ana", "Марија Ќосева", "李", "x" * 100, "O’Neill-Smith 2"])
def test_a_name_is_one_line_of_a_hundred_characters(name: str) -> None:
    assert Official(name, Role.CHIEF).name == name


@pytest.mark.parametrize("name", ["", " ", " Ana", "Ana ", "Ana\nBo", "x" * 101, "A\0", "\ud800", "tab\there", "\u2028", "right\u202eleft"])
def test_any_other_name_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(CommandRefused, match="at most 100 printable") as caught:
        Official(name, Role.CHIEF)
    assert caught.value.code is Refusal.BAD_VALUE


@pytest.mark.parametrize("name", ["Jose\u0301", "JOS\u00c9", "jos\u00e9"])
def test_a_name_that_reads_the_same_is_taken(name: str) -> None:
    known = [Official("Bo", Role.REFEREE), Official("Jos\u00e9", Role.DEPUTY)]
    with pytest.raises(CommandRefused, match="Jos\u00e9 is entered already, as deputy"):
        check_name_free(Official(name, Role.CHIEF), known)
    check_name_free(Official("Jose", Role.CHIEF), known)


@pytest.mark.parametrize("pin", ["1235", "8052", "12345679", "0102", "4711", "112233", "1357", "9753"])
def test_four_to_eight_digits_are_a_pin(pin: str) -> None:
    check_pin(pin)


@pytest.mark.parametrize(
    "pin", ["", "123", "123456780", "12a4", " 1235", "1235\n", "-1235", "12.5", "\u0661\u0662\u0663\u0665", "\u00b2\u00b3\u00b9\u2075"]
)
def test_anything_else_is_none(pin: str) -> None:
    with pytest.raises(CommandRefused, match="4 to 8 digits"):
        check_pin(pin)


@pytest.mark.parametrize("pin", ["0000", "77777777", "1234", "4321", "0123", "7890", "8901", "0987", "12345678", "98765432"])
def test_what_everybody_tries_first_is_refused_without_repeating_it(pin: str) -> None:
    with pytest.raises(CommandRefused, match="first that anybody tries") as caught:
        check_pin(pin)
    assert pin not in str(caught.value)


def test_a_pin_that_somebody_has_is_refused_without_saying_whose() -> None:
    assert pin_taken().code is Refusal.BAD_VALUE
    assert "another" in str(pin_taken())
