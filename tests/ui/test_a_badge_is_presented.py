"""What a badge does depends on whose it is and what is open; a wrong one counts like a wrong PIN."""

from __future__ import annotations

import pytest

from kiosk.app.roster import MemoryRoster
from kiosk.domain.errors import CommandRefused, KioskError, Refusal, RosterError, RosterUnavailable
from kiosk.domain.facts import CheckItem
from kiosk.domain.officials import Official, Role
from kiosk.domain.types import NS_PER_S, Side
from kiosk.session import commands as c
from kiosk.ui.screens.badge import GiveBadge, WhoseBadge
from kiosk.ui.screens.checkin import CheckIn
from kiosk.ui.screens.history import History
from kiosk.ui.screens.official.desk import Officials
from kiosk.ui.screens.official.signin import SignPad
from kiosk.ui.screens.official.time import TimeTools
from tests.ui.moments import MOMENTS, NAMES, PLAIN, Table

CARD, OTHER, NOBODYS = "0F00184C7B", "0F00184C7C", "0F00999999"
VERA = Official("Vera", Role.CHIEF)
ILIJA = Official("Ilija", Role.REFEREE)
PEOPLE = [
    {"name": "Vera", "role": "chief", "pin": "2468", "badge": CARD},
    {"name": "Ilija", "role": "referee", "pin": "1357", "badge": OTHER},
]


def at_play() -> Table:
    match = MOMENTS["playing"](PLAIN)
    match.desk.roster = MemoryRoster(PEOPLE)
    return match


def before_play() -> Table:
    match = Table().open()
    match.desk.roster = MemoryRoster(PEOPLE)
    match.show(CheckIn())
    return match


def present(match: Table, number: str) -> Table:
    match.picture()
    match.desk.present(number, match.now)
    match.picture()
    return match


def said(match: Table) -> str:
    told = match.desk._said
    return "" if told is None else told[0].text


def open_screen(match: Table) -> type:
    match.picture()
    return type(match.desk._open[-1]) if match.desk._open else type(None)


def in_charge(match: Table) -> Official | None:
    duty = match.session.table.official
    return None if duty is None else duty.official


# ── Officials ────────────────────────────────────────────────────────────────
def test_an_officials_badge_signs_in_at_the_clock_and_opens_his_menu() -> None:
    match = present(at_play(), CARD)
    assert in_charge(match) == VERA
    assert open_screen(match) is Officials
    assert said(match) == "Vera is signed in."


def test_at_the_number_pad_it_takes_the_pads_place() -> None:
    match = at_play().show(SignPad("24"))
    present(match, CARD)
    assert [type(screen) for screen in match.desk._open] == [Officials]


def test_the_same_badge_again_changes_nothing() -> None:
    match = present(present(at_play(), CARD), CARD)
    entries = match.chronicle.count
    present(match, CARD)
    assert (in_charge(match), match.chronicle.count) == (VERA, entries)


def test_another_officials_badge_takes_over_where_the_first_one_was() -> None:
    match = present(at_play(), CARD).show(TimeTools())
    present(match, OTHER)
    assert in_charge(match) == ILIJA
    assert open_screen(match) is TimeTools


def test_a_badge_keeps_its_official_signed_in_like_a_touch() -> None:
    match = present(at_play(), CARD)
    match.wait(50)
    present(match, CARD)
    match.wait(50)
    assert in_charge(match) == VERA


def test_a_badge_wakes_a_dark_panel_and_acts() -> None:
    match = Table()
    match.desk.roster = MemoryRoster(PEOPLE)
    match.picture()
    match.wait(3600).picture()
    assert match.desk.is_dark
    present(match, CARD)
    assert not match.desk.is_dark
    assert in_charge(match) == VERA


# ── Nobody's ─────────────────────────────────────────────────────────────────
def test_five_wrong_badges_lock_badges_and_pins_for_a_minute() -> None:
    match = at_play()
    for _ in range(5):
        present(match, NOBODYS)
        assert said(match) == "This badge is nobody's."
    present(match, CARD)
    assert in_charge(match) is None
    assert said(match).startswith("Five wrong PINs: wait 60 s")
    match.show(SignPad("2468")).desk.enter(match.now)
    assert in_charge(match) is None
    match.wait(61)
    assert in_charge(present(match, CARD)) == VERA


def test_wrong_pins_and_wrong_badges_count_together() -> None:
    match = at_play()
    for _ in range(4):
        match.do(c.SignIn(None))
    present(match, NOBODYS)
    assert match.session.why_not(c.SignIn(None), match.now) is not None  # type: ignore[arg-type]


def test_where_it_cannot_be_looked_up_it_is_neither_right_nor_wrong() -> None:
    match = at_play()

    def unreadable(_secret: str) -> Official | None:
        raise RosterUnavailable("The officials cannot be read.")

    match.desk.roster.find = unreadable  # type: ignore[union-attr, method-assign]
    present(match, CARD)
    assert said(match) == "The officials cannot be read."
    assert match.session.table.lockout.count == 0


def test_while_one_is_looked_up_the_next_is_not() -> None:
    match = at_play()
    asked = []
    match.desk.look_up = lambda secret, answer: asked.append((secret, answer))
    present(match, CARD)
    assert said(match) == "Looking it up …"
    present(match, OTHER)
    assert "still being looked up" in said(match)
    ((secret, answer),) = asked
    assert secret == f"badge:{CARD}"
    answer(VERA, match.now)
    assert in_charge(match) == VERA


def test_where_nobody_can_sign_in_a_badge_says_so() -> None:
    match = MOMENTS["playing"](PLAIN)
    present(match, CARD)
    assert said(match) == "Nobody can sign in here."


def test_a_match_that_plays_by_itself_takes_no_badge() -> None:
    match = at_play()
    match.desk.watching = True
    present(match, CARD)
    assert in_charge(match) is None


# ── A badge is given ─────────────────────────────────────────────────────────
def giving(match: Table) -> list[tuple[str, str]]:
    given: list[tuple[str, str]] = []
    match.desk.give_badge = lambda name, number: given.append((name, number))
    return given


def test_a_badge_that_is_nobodys_becomes_the_officials_who_is_signed_in() -> None:
    match = present(at_play(), CARD)
    given = giving(match)
    present(match, NOBODYS)
    assert open_screen(match) is GiveBadge
    assert match.session.table.lockout.count == 0
    match.touch("It is Vera's badge")
    assert given == [("Vera", NOBODYS)]
    assert said(match) == "This badge is Vera's now."
    assert open_screen(match) is Officials


def test_it_is_not_given_to_whoever_comes_after_him() -> None:
    match = present(at_play(), CARD)
    giving(match)
    present(match, NOBODYS)
    present(match, OTHER)
    assert open_screen(match) is Officials
    assert in_charge(match) == ILIJA


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (RosterError("Vera is not entered here."), "Vera is not entered here."),
        (CommandRefused(Refusal.BAD_VALUE, "No badge."), "No badge."),
    ],
)
def test_why_it_could_not_be_given_is_said(error: KioskError, words: str) -> None:
    match = present(at_play(), CARD)

    def refuses(_name: str, _number: str) -> None:
        raise error

    match.desk.give_badge = refuses
    present(match, NOBODYS).touch("It is Vera's badge")
    assert said(match) == words


def test_where_badges_are_not_given_it_is_a_wrong_one() -> None:
    match = present(present(at_play(), CARD), NOBODYS)
    assert said(match) == "This badge is nobody's."
    assert match.session.table.lockout.count == 1


def test_a_badge_cannot_be_taken_any_more_where_none_are_given() -> None:
    match = present(at_play(), CARD)
    giving(match)
    present(match, NOBODYS)
    match.desk.give_badge = None
    match.touch("It is Vera's badge")
    assert said(match) == "No badge can be given here."


# ── Players ──────────────────────────────────────────────────────────────────
def test_a_players_badge_asks_once_whose_it_is_and_ticks_his_seat() -> None:
    match = present(before_play(), NOBODYS)
    assert open_screen(match) is WhoseBadge
    match.touch(NAMES.right[0])
    assert match.session.table.checked == (CheckItem.RIGHT,)
    assert open_screen(match) is CheckIn
    assert said(match) == f"{NAMES.right[0]} is here."
    assert match.session.table.lockout.count == 0


def test_a_badge_that_is_known_ticks_the_seat_where_its_player_sits_now() -> None:
    match = present(before_play(), NOBODYS).touch(NAMES.right[0])
    match.do(c.Check(CheckItem.RIGHT, done=False)).do(c.SwapSeats())
    present(match, NOBODYS)
    assert match.session.table.checked == (CheckItem.LEFT,)
    assert open_screen(match) is CheckIn


def test_a_new_badge_of_a_player_takes_the_place_of_the_one_before() -> None:
    match = present(before_play(), NOBODYS).touch(NAMES.right[0])
    present(match, "77777777").touch(NAMES.right[0])
    assert match.desk._players == {"77777777": NAMES.right[0]}


def test_a_third_badge_that_is_nobodys_is_a_wrong_one() -> None:
    match = present(before_play(), NOBODYS).touch(NAMES.right[0])
    present(match, "77777777").touch(NAMES.left[0])
    present(match, "88888888")
    assert said(match) == "This badge is nobody's."
    assert match.session.table.lockout.count == 1


def test_on_the_check_in_list_an_officials_badge_signs_in() -> None:
    match = present(before_play(), CARD)
    assert in_charge(match) == VERA


def test_anywhere_else_a_players_badge_is_a_wrong_one() -> None:
    match = before_play().show(History())
    present(match, NOBODYS)
    assert match.session.table.lockout.count == 1


def test_the_question_closes_with_the_first_press() -> None:
    match = present(before_play(), NOBODYS)
    match.press(Side.LEFT, 5)
    assert open_screen(match) is type(None)
    assert match.now > 1000 * NS_PER_S
