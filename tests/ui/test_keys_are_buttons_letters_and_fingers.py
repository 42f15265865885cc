"""On a desktop A, L and both Ctrl keys are the clock buttons, letters where a name is typed; the rest of the keyboard is a finger."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest

from kiosk.domain.types import Side
from kiosk.ui.screens.keyboard import Keyboard
from kiosk.ui.screens.start import Start
from kiosk.ui.window import Window
from tests.ui.hands import Hands, pointer, window

L, R = Side.LEFT, Side.RIGHT
BUTTONS = [(pygame.K_a, L), (pygame.K_l, R), (pygame.K_LCTRL, L), (pygame.K_RCTRL, R)]


@pytest.fixture
def panel() -> Iterator[Window]:
    with window() as panel:
        yield panel


def down(key: int, scan: int | None = None) -> pygame.event.Event:
    from tests.ui.hands import SCANS

    return pygame.event.Event(pygame.KEYDOWN, key=key, scancode=SCANS[key] if scan is None else scan, mod=0, unicode="")


def up(key: int) -> pygame.event.Event:
    from tests.ui.hands import SCANS

    return pygame.event.Event(pygame.KEYUP, key=key, scancode=SCANS[key], mod=0)


@pytest.mark.parametrize(("key", "side"), BUTTONS)
def test_a_key_closes_its_contact_and_lifting_it_opens_it(panel: Window, key: int, side: Side) -> None:
    hands = Hands(panel, "opening", simulated=True)
    hands.take(down(key))
    assert hands.table.pressed == [(side, True)]
    hands.take(down(key), down(key))
    assert hands.table.pressed == [(side, True)], "a key that is held does not repeat"
    hands.take(up(key))
    assert hands.table.pressed == [(side, True), (side, False)]


def test_the_place_of_the_key_counts_and_not_its_letter(panel: Window) -> None:
    hands = Hands(panel, "opening", simulated=True)
    hands.take(down(pygame.K_q, pygame.KSCAN_A))  # a French keyboard
    assert hands.table.pressed == [(L, True)]


def test_both_keys_can_be_down_at_once(panel: Window) -> None:
    hands = Hands(panel, "opening", simulated=True)
    hands.take(down(pygame.K_a), down(pygame.K_l), up(pygame.K_a), up(pygame.K_l))
    assert hands.table.pressed == [(L, True), (R, True), (L, False), (R, False)]


def test_real_buttons_leave_the_keys_alone(panel: Window) -> None:
    hands = Hands(panel, "opening")
    before = hands.outcome()
    for key, _side in BUTTONS:
        hands.key(key, text="a")
    assert hands.outcome() == before


def test_a_window_that_loses_the_keyboard_lets_go_of_keys_and_fingers(panel: Window) -> None:
    hands = Hands(panel, "opening", simulated=True)
    half = next(control.rect for control in hands.scene.controls if control.name == "half-right")
    hands.take(down(pygame.K_a), pointer("finger", "down", half.x + 30, half.y + 30, panel))
    hands.take(pygame.event.Event(pygame.WINDOWFOCUSLOST))
    assert sorted(hands.table.pressed) == [(L, False), (L, True), (R, False), (R, True)]
    hands.take(up(pygame.K_a), pointer("finger", "up", half.x + 30, half.y + 30, panel))
    assert len(hands.table.pressed) == 4


def test_a_finger_on_a_half_presses_while_it_is_down_and_survives_a_change_of_size(panel: Window) -> None:
    hands = Hands(panel, "opening", simulated=True)
    half = next(control.rect for control in hands.scene.controls if control.name == "half-left")
    hands.take(pointer("finger", "down", half.x + 30, half.y + 30, panel))
    assert hands.table.pressed == [(L, True)]
    panel._fit()
    hands.take(pointer("finger", "move", half.x + 300, half.y + 30, panel), pointer("finger", "up", half.x + 300, half.y + 30, panel))
    assert hands.table.pressed == [(L, True), (L, False)]


def test_a_finger_that_was_never_told_to_be_lifted_leaves_no_button_down(panel: Window) -> None:
    hands = Hands(panel, "opening", simulated=True)
    left, right = (next(c.rect for c in hands.scene.controls if c.name == f"half-{side}") for side in ("left", "right"))
    hands.take(pointer("finger", "down", left.x + 30, left.y + 30, panel))
    hands.after(900)
    hands.take(pointer("finger", "down", right.x + 30, right.y + 30, panel))
    assert hands.table.pressed == [(L, True), (L, False), (R, True)]


def test_two_players_touch_their_halves_in_the_same_instant(panel: Window) -> None:
    hands = Hands(panel, "opening", simulated=True)
    left, right = (next(c.rect for c in hands.scene.controls if c.name == f"half-{side}") for side in ("left", "right"))
    hands.take(
        pointer("finger", "down", left.x + 30, left.y + 30, panel, finger=4),
        pointer("finger", "down", right.x + 30, right.y + 30, panel, finger=5),
        pointer("finger", "up", left.x + 30, left.y + 30, panel, finger=4),
        pointer("finger", "up", right.x + 30, right.y + 30, panel, finger=5),
    )
    assert hands.table.pressed == [(L, True), (R, True), (L, False), (R, False)]


# ── Letters ──────────────────────────────────────────────────────────────────
def test_on_the_start_form_the_keys_are_buttons(panel: Window) -> None:
    hands = Hands(panel, "start", simulated=True)
    hands.key(pygame.K_a, text="a")
    hands.key(pygame.K_l, text="l")
    assert [side for side, closed in hands.table.pressed if closed] == [L, R]
    assert hands.table.desk._start == Start()


def test_letters_go_into_a_name_and_press_nothing_while_the_ctrl_keys_still_do(panel: Window) -> None:
    hands = Hands(panel, "keyboard-latin", simulated=True)
    for letter in "al":
        hands.key({"a": pygame.K_a, "l": pygame.K_l}[letter], text=letter)
    assert hands.table.pressed == []
    assert name_typed(hands) == "Joal"
    hands.key(pygame.K_LCTRL)
    assert hands.table.pressed == [(L, True), (L, False)]


@pytest.mark.parametrize("name", ["Ђорђе Љубић", "ნინო ჩხეიძე", "Łukasz O'Brien-Żak", "Анна & Мария"])
def test_names_of_any_script_are_typed(panel: Window, name: str) -> None:
    hands = Hands(panel, "start")
    hands.table.touch("Right", panel.place)
    hands.look()
    for letter in name:
        if letter == " ":
            hands.key(pygame.K_SPACE, text=" ")
        else:
            hands.take(pygame.event.Event(pygame.TEXTINPUT, text=letter))
    assert name_typed(hands) == name
    hands.key(pygame.K_BACKSPACE)
    assert name_typed(hands) == name[:-1]
    hands.take(pygame.event.Event(pygame.TEXTINPUT, text=name[-1]))
    hands.key(pygame.K_RETURN)
    assert hands.look().name == "start"
    assert hands.table.desk._start.names.right == name


def test_letters_and_enter_in_one_handful_lose_nothing(panel: Window) -> None:
    hands = Hands(panel, "start")
    hands.table.touch("Left", panel.place)
    hands.look()
    text = [pygame.event.Event(pygame.TEXTINPUT, text=letter) for letter in "Anna"]
    hands.take(*text, down(pygame.K_RETURN))
    assert hands.look().name == "start"
    assert hands.table.desk._start.names.left == "Anna"


def test_enter_on_the_focused_done_key_takes_what_has_been_typed_since(panel: Window) -> None:
    hands = Hands(panel, "start")
    hands.table.touch("Left", panel.place)
    hands.look()
    hands.after(500)
    hands.key(pygame.K_TAB, mod=pygame.KMOD_LSHIFT)
    hands.take(pygame.event.Event(pygame.TEXTINPUT, text="B"), pygame.event.Event(pygame.TEXTINPUT, text="o"), down(pygame.K_RETURN))
    assert hands.look().name == "start"
    assert hands.table.desk._start.names.left == "Bo"


def test_two_keys_of_the_screens_keyboard_in_one_handful_are_two_letters(panel: Window) -> None:
    hands = Hands(panel, "start")
    hands.table.touch("Left", panel.place)
    hands.look()
    hands.after(500)
    keys = [next(c.rect for c in hands.look().controls if c.name == letter) for letter in ("A", "N")]
    for key in keys:
        hands.take(pointer("finger", "down", key.x + 5, key.y + 5, panel), pointer("finger", "up", key.x + 5, key.y + 5, panel))
    assert name_typed(hands) == "An"


def name_typed(hands: Hands) -> str:
    board = hands.table.desk._open[-1]
    assert isinstance(board, Keyboard)
    return board.text


# ── The rest ─────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(("on", "back"), [(pygame.K_RIGHT, pygame.K_LEFT), (pygame.K_DOWN, pygame.K_UP)])
def test_arrows_step_like_tab(panel: Window, on: int, back: int) -> None:
    hands = Hands(panel, "menu")
    stops = [control.rect for control in hands.scene.controls if not control.area]
    first, second = stops[:2]
    hands.key(on)
    assert hands.table.desk._focus == first
    hands.key(on)
    assert hands.table.desk._focus == second
    hands.key(back)
    hands.key(back)
    assert hands.table.desk._focus == stops[-1]


@pytest.mark.parametrize("key", [pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE])
def test_enter_and_space_use_what_is_in_focus_and_nothing_without(panel: Window, key: int) -> None:
    hands = Hands(panel, "playing")
    before = hands.outcome()
    hands.key(key)
    assert hands.outcome() == before
    hands.key(pygame.K_TAB)
    hands.key(key)
    assert hands.look().name == "menu"


def test_escape_goes_back_one_screen_at_a_time_and_no_further_than_the_base(panel: Window) -> None:
    hands = Hands(panel, "playing")
    for name in ("menu", "This table"):
        hands.table.touch(name, panel.place)
    assert hands.look().name == "settings"
    shown = []
    for _ in range(4):
        hands.key(pygame.K_ESCAPE)
        shown.append(hands.look().name)
    assert shown == ["menu", "face", "face", "face"]


def test_the_focus_stays_on_its_control_when_another_appears_before_it(panel: Window) -> None:
    hands = Hands(panel, "playing")
    for _ in range(3):
        hands.key(pygame.K_TAB)
    rect = hands.table.desk._focus
    hands.table.desk.say("Something was said.", hands.table.now)
    hands.look()
    assert hands.table.desk._focus == rect


def test_no_letter_and_no_key_acts_on_a_dark_panel_but_wakes_it(panel: Window) -> None:
    for key, text in ((pygame.K_RETURN, ""), (pygame.K_ESCAPE, ""), (pygame.K_TAB, ""), (pygame.K_SPACE, " ")):
        hands = Hands(panel, "asleep")
        assert hands.scene.name == "asleep"
        hands.key(key, text=text)
        assert hands.look().name == "finished"
        assert hands.table.desk._focus is None


def test_closing_the_window_is_told(panel: Window) -> None:
    hands = Hands(panel, "playing")
    assert hands.take(pygame.event.Event(pygame.MOUSEMOTION, pos=(3, 3), rel=(0, 0), buttons=(0, 0, 0), touch=False))
    assert not hands.take(pygame.event.Event(pygame.QUIT))
