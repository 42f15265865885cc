"""The seats were exchanged: what was written before stands by the seats as they are at the end."""

from __future__ import annotations

from boundary import OFFICIALS
from evenings import json_of, line, opened, sheet_of

from kiosk.domain import facts as f
from kiosk.domain.types import Instant, Pair, Side
from kiosk.sheets import printed
from kiosk.sheets.cells import text_of
from kiosk.sheets.turn import turned

BEFORE = (
    opened(7, officials=OFFICIALS, reserve_s=600, provide="breaks"),
    line(0, "press", side="left"),
    line(20, "game", winner="left", kind="single"),
    line(21, "confirm", by="right"),
    line(22, "break", by="right"),
    line(30, "end_break", by="right"),
    line(31, "correct", game=1, winner="left", kind="gammon", cube=1, reason="gammon"),
    line(33, "press", side="left"),
    line(34, "call_referee", by="left"),
    line(35, "sign_in", pin="2468"),
    line(36, "penalty", side="right", infraction="dice_replaced"),
    line(37, "adjust", side="left", seconds=30, reason="a phone"),
)


def told(*lines: dict[str, object]) -> dict[str, list[str]]:
    """Each table's rows without their times."""
    what = printed(sheet_of(*BEFORE, *lines))
    return {
        section.key: [" ".join(text_of(cell) for cell in row if ":3" not in text_of(cell)) for row in section.rows]
        for section in what.sections
    }


def test_names_stay_with_what_their_owners_did() -> None:
    straight, swapped = told(), told(line(40, "swap_seats"))
    for key in ("games", "breaks", "corrections"):
        assert [("Ana" in row, "Boris" in row) for row in straight[key]] == [("Ana" in row, "Boris" in row) for row in swapped[key]]
    assert swapped["breaks"][0].startswith("1 Boris")
    assert "Ana" in swapped["corrections"][0]
    assert any(row.startswith("Ana called") or "Ana called the referee" in row for row in swapped["events"])
    assert any("Ana's reserve: +30 s" in row for row in swapped["acts"])


def test_values_of_both_sides_change_places_and_come_back_when_it_is_undone() -> None:
    def reserves(*lines: dict[str, object]) -> list[object]:
        plain = json_of(sheet_of(*BEFORE, *lines))
        return [plain["games"][0]["reserve_ms"], plain["breaks"][0]["by"], plain["rulings"][0]["score_after"], plain["acts"][0]["side"]]

    straight = reserves()
    swapped = reserves(line(40, "swap_seats"))
    assert swapped == [
        {"left": straight[0]["right"], "right": straight[0]["left"]},  # type: ignore[index]
        "left",
        {"left": straight[2]["right"], "right": straight[2]["left"]},  # type: ignore[index]
        "right",
    ]
    assert reserves(line(40, "swap_seats"), line(41, "undo")) == straight


def test_a_fact_is_turned_however_deep_its_sides_lie() -> None:
    late = f.LateStarted(Instant(1), (Side.LEFT,))
    assert turned(late) == f.LateStarted(Instant(1), (Side.RIGHT,))
    assert turned(f.RefereeCalled(Instant(1), "left")) == f.RefereeCalled(Instant(1), "right")
    assert turned(f.RefereeCalled(Instant(1), "referee")).by == "referee"
    assert turned(Pair(1, (Side.LEFT, "left"))) == Pair((Side.RIGHT, "left"), 1)
    assert turned(Side) is Side
