"""A table at rest goes dark; the first touch only wakes it, a button too; it is never dark while anybody's time or answer is awaited."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kiosk.domain.state import Phase
from kiosk.domain.types import NS_PER_S, Side
from kiosk.session import commands as c
from tests.ui.moments import MOMENTS, PLAIN, SMALL, Table

AWAKE = {Phase.PLAYING, Phase.STOPPED, Phase.RECORDING, Phase.BREAK, Phase.LATE}


def asleep(moment: str) -> Table:
    table = MOMENTS[moment](PLAIN)
    table.picture()
    table.now += 301 * NS_PER_S
    assert table.picture().name == "asleep"
    return table


@pytest.mark.parametrize("moment", ["start", "opening", "suspended", "ended", "signed", "choose-length"])
def test_the_first_touch_only_wakes(moment: str) -> None:
    lit = MOMENTS[moment](PLAIN)
    before = lit.picture()
    for control in before.controls:
        table = asleep(moment)
        facts, opened = table.chronicle.count, list(table.desk._open)
        table.desk.touch(control.rect.x + 4, control.rect.y + 4, table.now)
        table.desk.release(table.now)
        assert table.chronicle.count == facts
        assert table.desk._open == opened
        assert table.picture().name == before.name
        table.now += NS_PER_S // 2
        assert table.picture().name == before.name


def test_the_second_touch_acts() -> None:
    table = asleep("opening")
    table.desk.touch(400, 200, table.now)
    table.touch("Somebody is late")
    assert table.picture().name == "asklate"


def test_two_touches_in_one_handful_on_a_dark_panel_only_wake_it() -> None:
    table = asleep("opening")
    button = next(control.rect for control in MOMENTS["opening"](PLAIN).picture().controls if control.name == "Somebody is late")
    for _ in range(2):
        table.desk.touch(button.x + 9, button.y + 9, table.now)
        table.desk.release(table.now)
    assert table.desk._open == []


@pytest.mark.no_cover  # pictures that others measure, looked at once more
@pytest.mark.parametrize("moment", list(MOMENTS))
def test_it_is_never_dark_while_somebody_is_waited_for(moment: str) -> None:
    table = MOMENTS[moment](PLAIN)
    table.picture()
    for _ in range(40):
        table.wait(241)
        scene = table.picture()
        state = table.session.table
        if state.phase in AWAKE or state.referee_called or (state.phase is Phase.OPENING and state.games):
            assert scene.name != "asleep"


def test_between_two_games_it_is_not_dark() -> None:
    table = MOMENTS["opening-between-games"](PLAIN)
    table.picture()
    table.now += 3600 * NS_PER_S
    assert table.picture().name == "face"


def test_it_is_never_dark_while_a_referee_is_called() -> None:
    table = asleep("opening")
    table.do(c.CallReferee(None))
    table.picture()
    table.now += 3600 * NS_PER_S
    assert table.picture().name == "face"
    assert table.desk.light_changes(table.now) is None


def test_a_button_wakes_it_where_there_is_no_match() -> None:
    table = asleep("start")
    table.press(Side.RIGHT)
    assert table.picture().name == "start"


def test_a_button_wakes_it_and_counts() -> None:
    table = asleep("opening")
    table.press(Side.LEFT)
    assert table.picture().name == "face"
    assert table.session.table.phase is Phase.PLAYING


def test_a_word_from_elsewhere_wakes_it() -> None:
    table = asleep("opening")
    table.do(c.CallReferee(None))
    assert table.picture().name == "face"


def test_never_is_never() -> None:
    table = MOMENTS["opening"](replace(PLAIN, sleep=0))
    table.picture()
    table.now += 40_000 * NS_PER_S
    assert table.picture().name == "face"


def test_it_goes_dark_when_it_said_it_would_change() -> None:
    table = MOMENTS["start"](PLAIN)
    at = table.picture(SMALL).changes_at
    assert at == table.now + 300 * NS_PER_S
    table.now = at - 1
    assert table.picture().name == "start"
    table.now = at
    assert table.picture().name == "asleep"
