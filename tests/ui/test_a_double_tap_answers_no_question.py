"""A touch within 0.3 s after the screen changed under the finger does nothing and says so; stopping and the referee act at once."""

from __future__ import annotations

import pytest

from kiosk.domain import facts as f
from kiosk.domain.state import Phase
from kiosk.domain.types import NS_PER_MS, Side
from kiosk.session import commands as c
from kiosk.ui.actions import Do, Heard
from kiosk.ui.draw import Control
from tests.often import often
from tests.ui.hands import middle
from tests.ui.moments import MOMENTS, PLAIN, SMALL, Table

WORDS = "The screen had just changed. Look, then touch again."


def tap(table: Table, x: int, y: int, after_ms: int = 0) -> None:
    table.now += after_ms * NS_PER_MS
    table.desk.touch(x, y, table.now)
    table.desk.release(table.now)


def settled(moment: str) -> Table:
    table = MOMENTS[moment](PLAIN)
    table.picture()
    return table.wait(1)


def said(table: Table) -> str:
    return "" if table.desk._said is None else table.desk._said[0].text


EACH = [(name, painted) for n, name in enumerate(MOMENTS) for painted in (True, False) if often(1) > 1 or painted is bool(n % 2)]
"""Every moment in one of the two ways; in both where chance is to be tried more often."""


@pytest.mark.no_cover  # each control three times; one touch of it is measured elsewhere
@pytest.mark.parametrize(
    ("moment", "painted"), EACH, ids=[f"{name}-{'painted' if painted else 'before-painting'}" for name, painted in EACH]
)
def test_the_second_half_of_a_double_tap_does_nothing_more_at_the_table(moment: str, *, painted: bool) -> None:
    """Whatever is tapped twice within 0.15 s, the table has at most what one tap does; only calling the referee may come twice."""
    for control in settled(moment).picture().controls:
        once, twice = settled(moment), settled(moment)
        point = middle(control, once.picture())
        twice.picture()
        assert point is not None
        tap(once, *point)
        tap(twice, *point)
        if painted:
            twice.now += 17 * NS_PER_MS
            twice.picture()
        tap(twice, *point, after_ms=130)
        new = [type(entry.fact) for entry in twice.chronicle.entries]
        old = [type(entry.fact) for entry in once.chronicle.entries]
        if new != old:
            assert new[len(old) :] == [f.RefereeCalled], control.name


def test_words_are_said_and_the_same_touch_acts_once_the_screen_has_stood() -> None:
    table = settled("playing").touch("Double")
    tile = next(c_ for c_ in table.picture().controls if c_.name == "Борис Гринько doubles")
    x, y = tile.rect.x + 9, tile.rect.y + 9
    tap(table, x, y, after_ms=200)
    assert said(table) == WORDS
    assert table.session.table.cube.offered_by is None
    table.picture()
    tap(table, x, y, after_ms=250)
    assert table.session.table.cube.offered_by is Side.RIGHT


@pytest.mark.parametrize(("name", "fact"), [("Stop", f.ClockStopped), ("Referee", f.RefereeCalled)])
def test_stop_and_referee_act_at_once(name: str, fact: type) -> None:
    table = settled("playing").touch("menu").touch("This table").touch("Back")
    table.wait(0.4).desk.back(table.now)
    assert table.picture().name == "face"
    button = next(c_ for c_ in table.picture().controls if c_.name == name)
    tap(table, button.rect.x + 9, button.rect.y + 9, after_ms=1)
    assert isinstance(table.chronicle.entries[-1].fact, fact)


@pytest.mark.parametrize(("moment", "name"), [("stopped", "Resume"), ("record", "Back")])
def test_a_double_tap_on_what_stands_where_stop_is_does_not_stop(moment: str, name: str) -> None:
    table = settled(moment)
    rect = next(c_.rect for c_ in table.picture().controls if c_.name == name)
    tap(table, rect.x + 9, rect.y + 9)
    table.picture()
    tap(table, rect.x + 9, rect.y + 9, after_ms=150)
    assert table.session.table.phase is Phase.PLAYING


def test_a_double_tap_on_stop_stays_stopped() -> None:
    table = settled("playing")
    rect = next(c_.rect for c_ in table.picture().controls if c_.name == "Stop")
    tap(table, rect.x + 9, rect.y + 9)
    table.picture()
    tap(table, rect.x + 9, rect.y + 9, after_ms=150)
    assert table.session.table.phase is Phase.STOPPED


def test_what_a_press_put_under_the_finger_is_guarded_too() -> None:
    """The screen is the same face; but Take and Pass have come up where nothing, or something else, was."""
    table = settled("double-early")
    table.picture()
    table.press(Side.LEFT)
    asked = [c_ for c_ in table.picture().controls if isinstance(c_.action, Do) and isinstance(c_.action.command, c.Take | c.Pass)]
    assert len(asked) == 2
    tap(table, asked[1].rect.x + 5, asked[1].rect.y + 5, after_ms=100)
    assert said(table) == WORDS
    assert table.session.table.cube.open_offer


def test_an_alert_that_came_up_under_the_finger_is_not_taken_for_seen() -> None:
    table = settled("stopped")
    menu = next(c_.rect for c_ in table.picture().controls if c_.name == "menu")
    table.wait(9)
    strip: Control = next(c_ for c_ in table.picture().controls if c_.name == "told")
    assert isinstance(strip.action, Heard)
    tap(table, menu.x + 5, menu.y + 5, after_ms=100)
    assert any(c_.name == "told" for c_ in table.picture().controls)
    tap(table, menu.x + 5, menu.y + 5, after_ms=400)
    assert not any(c_.name == "told" for c_ in table.picture(SMALL).controls)


def test_a_double_tap_leaves_what_was_said() -> None:
    match = MOMENTS["officials-undo"](PLAIN)
    scene = match.picture()
    button = next(control for control in scene.controls if control.name == "Undo the last act")
    x, y = button.rect.x + button.rect.w // 2, button.rect.y + button.rect.h // 2
    match.wait(1).picture()
    match.desk.touch(x, y, match.now)
    match.desk.release(match.now)
    match.picture()
    assert match.desk._said is not None
    said = match.desk._said[0]
    match.now += 150 * NS_PER_MS
    match.desk.touch(x, y, match.now)
    match.picture()
    assert match.desk._said is not None
    assert match.desk._said[0] == said
