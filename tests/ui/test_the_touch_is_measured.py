from __future__ import annotations

import pytest

from kiosk.ui.draw import Text
from kiosk.ui.screens.doctor import Checkup, TouchTrial, grid
from kiosk.ui.touching import Fit, Point, fit, judge_touch
from kiosk.ui.view import Preferences
from tests.ui.moments import PLACES, SMALL, TALL, seen_by, table
from tests.ui.twin_doctor import TwinDoctor

CROSSES = grid(SMALL, 0)
SIZE = (SMALL.w, SMALL.h)


def test_the_crosses_reach_every_corner_a_finger_can() -> None:
    for place in PLACES.values():
        crosses = grid(place, 0)
        assert len(set(crosses)) == 12
        edge = place.touch // 2
        assert {crosses[0], crosses[-1]} == {(edge, edge), (place.w - edge, place.h - edge)}


def test_touches_that_fit_are_measured_in_pixels() -> None:
    touched = [(x + 3, y + 4) for x, y in CROSSES]
    assert fit(CROSSES, touched, SIZE) == Fit(5, 5)


@pytest.mark.parametrize(
    ("turn", "words"),
    [
        (lambda x, y: (SMALL.w - x, y), "left and right are exchanged"),
        (lambda x, y: (x, SMALL.h - y), "above and below are exchanged"),
        (lambda x, y: (SMALL.w - x, SMALL.h - y), "it is turned by 180 degrees"),
        (lambda x, y: (SMALL.w - y * SMALL.w // SMALL.h, x * SMALL.h // SMALL.w), "it is turned by 90 degrees"),
        (lambda x, y: (y * SMALL.w // SMALL.h, SMALL.h - x * SMALL.h // SMALL.w), "it is turned by 270 degrees"),
        (lambda x, y: (y * SMALL.w // SMALL.h, x * SMALL.h // SMALL.w), "both directions are exchanged"),
    ],
)
def test_a_wrong_mapping_is_recognised(turn: object, words: str) -> None:
    touched: list[Point] = [turn(x, y) for x, y in CROSSES]  # type: ignore[operator]
    assert fit(CROSSES, touched, SIZE).turned == words


def test_one_slip_is_no_wrong_mapping() -> None:
    touched = [*CROSSES[:-1], (5, 5)]
    found = fit(CROSSES, touched, SIZE)
    assert (found.median_px, found.turned) == (0, "")
    assert found.worst_px > 700


@pytest.mark.parametrize(("px", "grade"), [(0, "good"), (21, "good"), (22, "doubt"), (31, "doubt"), (32, "wrong")])
def test_half_a_target_is_too_far(px: int, grade: str) -> None:
    assert SMALL.touch == 63
    finding = judge_touch(Fit(0, px), SMALL)
    assert (finding.grade, bool(finding.advice)) == (grade, grade != "good")


def test_the_figure_is_told_in_millimetres_too() -> None:
    assert judge_touch(Fit(21, 21), SMALL).figure == "off by 21 px (4.0 mm) in the middle, 21 px (4.0 mm) at most"


def test_a_finger_goes_through_the_crosses_wherever_it_lands() -> None:
    doctor = TwinDoctor(())
    match = seen_by(table(Preferences()), doctor).show(Checkup())
    match.touch("Try the touch")
    for x, y in CROSSES:
        match.picture()
        match.wait(1)
        match.desk.touch(x + 2, y, match.now)
        match.desk.move(x + 40, y, match.now)
        match.desk.release(match.now)
    shown = {op.text for op in match.picture().ops if isinstance(op, Text)}
    assert "off by 2 px (0.4 mm) in the middle, 2 px (0.4 mm) at most" in shown
    match.touch("Done")
    assert doctor.asked == ["touch: good"]
    assert match.picture().name == "checkup"


def test_once_more_begins_from_the_first_cross() -> None:
    match = seen_by(table(Preferences())).show(TouchTrial(grid(TALL, 0)))
    match.touch("Once more", TALL)
    assert match.desk._open[-1] == TouchTrial()


def test_a_table_without_a_doctor_says_so() -> None:
    from kiosk.ui.actions import Examine
    from kiosk.ui.doctor import obey

    assert obey(None, Examine()) == "There is nobody here who could look at the box."
