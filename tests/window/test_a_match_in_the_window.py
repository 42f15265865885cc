from __future__ import annotations

from collections.abc import Callable

from tests.window.table import WindowTable


def test_a_whole_match(switch_on: Callable[..., WindowTable]) -> None:
    table = switch_on()
    table.click("Left")
    table.type("Marija")
    table.click("Done")
    table.click("Right")
    table.display.layout("ru")
    table.type("Борис Љубљанка")
    table.click("Done")
    table.click("7 points")
    table.click("3")
    table.click("Open a 3-point match")
    print(table.agree())
    print(table.rows())
    assert 0
