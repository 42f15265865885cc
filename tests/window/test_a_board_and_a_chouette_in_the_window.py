"""The touch board and a chouette with a clock, by mouse and keyboard in the table's window; the power goes in between."""

from __future__ import annotations

import time
from collections.abc import Callable

from kiosk.journal import verify
from kiosk.ui.actions import Draw
from kiosk.ui.draw import Text
from kiosk.ui.screens.play.diagram import Plan
from tests.window.table import LEFT, PATIENCE_S, RIGHT, Twin, WindowTable
from tests.window.test_a_match_in_the_window import kiosk, open_match

Start = Callable[..., WindowTable]

SAME = 0.95
"""The share of sampled points that must be as the twin paints them."""


def drag(table: WindowTable, start: int, end: int) -> None:
    """A checker from a place to another, here and there."""
    table.control("board")
    (action,) = [each.action for each in table.twin.scene().controls if isinstance(each.action, Draw)]
    plan = action.board
    assert isinstance(plan, Plan)
    points = [(zone.x + zone.w // 2, zone.y + zone.h // 2) for zone in (plan.zone(start), plan.zone(end))]
    table.spot.draw(*points)
    desk = table.twin.desk
    desk.touch(*points[0], time.monotonic_ns())
    desk.move(*points[1], time.monotonic_ns())
    desk.release(time.monotonic_ns())


def shows_the_same(table: WindowTable) -> None:
    """Wait until the window shows what its twin shows, however busy the machine is."""
    end = time.monotonic() + PATIENCE_S
    while (share := table.sampled()) <= SAME:
        assert time.monotonic() < end, (share, table.log())
        time.sleep(0.05)


def test_a_move_is_judged_on_the_board_and_a_game_written_down(switch_on: Start) -> None:
    table = switch_on()
    open_match(table, points="7")
    table.click("To the clock (6 open)")
    table.press(LEFT)
    table.click("Stop")
    assert table.agree()["phase"] == "stopped"
    for name in ("menu", "Rule card", "Was that move legal?", "Left agrees", "Right agrees", "Open the board", "Dice", "3-1"):
        table.click(name)
    shows_the_same(table)
    drag(table, 8, 5)
    shows_the_same(table)
    drag(table, 6, 5)
    shows_the_same(table)
    assert "Legal" in [op.text for op in table.twin.scene().ops if isinstance(op, Text)]
    for name in ("Back", "Back", "Back", "Back", "menu", "What happened so far", "Write moves down", "Dice", "3-1"):
        table.click(name)
    shows_the_same(table)
    drag(table, 8, 5)
    shows_the_same(table)
    drag(table, 6, 5)
    table.click("Write it down")
    assert table.recorded()[-1] == "turn_noted"
    table.cut_power()

    table = switch_on(twin=Twin(table.rows()))
    assert "31: 8/5 6/5" in kiosk(table, "export", "last", "--format", "mat").stdout


def test_a_chouette_with_a_clock_goes_on_after_a_power_cut(switch_on: Start) -> None:
    table = switch_on()
    table.display.layout("us")
    table.click("7 points")
    table.click("Chouette")
    for name in ("Ana", "Boris", "Vera"):
        table.click("Add a player")
        table.type(name)
        table.click("Done")
    for name in ("Clock", "5:00 + 10 s delay", "Take it", "Begin in this order"):
        table.click(name)
    table.press(LEFT)
    table.press(RIGHT)
    table.click("Box doubles")
    table.click("Take")
    table.click("Take")
    table.until(lambda status: status["clock"]["running"] == "left" and status["chouette"]["cube"]["value"] == 2)
    table.cut_power()

    table = switch_on(twin=Twin(table.rows()))
    status = table.status()
    assert (status["clock"]["running"], status["clock"]["turn"], status["chouette"]["cube"]["value"]) == (None, "left", 2)
    table.click("told")
    table.click("Resume")
    table.until(lambda found: found["clock"]["running"] == "left")
    table.click("Game over")
    table.click("The team won")
    table.click("gammon")
    table.click("Enter: the team of Boris wins, gammon")
    status = table.until(lambda found: bool(found["chouette"]["games"]))
    assert status["chouette"]["totals"] == {"Ana": -8, "Boris": 4, "Vera": 4}
    assert status["clock"]["turn"] is None
    assert verify(table.rows()).fault is None
    assert "chouette" in kiosk(table, "journal", "list").stdout
