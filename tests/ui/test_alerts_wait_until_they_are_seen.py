"""Words leave after four seconds; alerts wait until somebody has seen them, are counted, go with what they were about, and hide no time."""

from __future__ import annotations

import pytest

from kiosk.domain.state import OVER
from kiosk.domain.types import NS_PER_S, Instant, Side
from kiosk.session import commands as c
from kiosk.ui.draw import Digits, Scene, Text
from kiosk.ui.view import Preferences
from tests.ui.moments import MOMENTS, PLACES, PLAIN, Table

LEFT, RIGHT = Side.LEFT, Side.RIGHT


def strip(scene: Scene) -> str:
    """What is being told, as one text; empty where nothing is."""
    told = next((control.rect for control in scene.controls if control.name == "told"), None)
    if told is None:
        return ""
    inside = [op.text for op in scene.ops if isinstance(op, Text) and told.holds(op.rect.x, op.rect.y)]
    return " | ".join(inside)


def moment(name: str) -> Table:
    match = MOMENTS[name](PLAIN)
    match.picture()
    return match.wait(1)


def seen(match: Table) -> Table:
    return match.touch("told")


def test_words_leave_after_four_seconds() -> None:
    match = moment("playing")
    match.desk.say("Done.", match.now)
    said = match.now
    scene = match.picture()
    assert strip(scene) == "Done."
    assert scene.changes_at is not None
    match.now = said + 4 * NS_PER_S - 1
    scene = match.picture()
    assert strip(scene) == "Done."
    assert scene.changes_at == said + 4 * NS_PER_S
    match.now = said + 4 * NS_PER_S
    assert strip(match.picture()) == ""


def test_a_touch_puts_words_away() -> None:
    match = moment("playing")
    match.desk.say("Done.", match.now)
    assert strip(seen(match).picture()) == ""


def test_an_alert_waits_for_hours() -> None:
    match = moment("unwell")
    match.session.alert("edges_lost", Instant(match.now), "")
    for _ in range(10):
        match.wait(60)
        assert strip(match.picture()).startswith("Seen | A press may have been lost")
    assert "press may" not in strip(seen(match).picture())


def test_words_stand_before_an_alert_and_give_way_to_it_again() -> None:
    match = moment("playing")
    match.session.alert("edges_lost", Instant(match.now), "")
    match.desk.say("Done.", match.now)
    assert strip(match.picture()) == "Done."
    assert "A press may have been lost" in strip(match.wait(4).picture())


def test_several_alerts_are_counted_and_seen_one_by_one_the_newest_first() -> None:
    match = moment("playing")
    for code in ("edges_lost", "level_mismatch", "source_restarted"):
        match.session.alert(code, Instant(match.now), "")
    told = []
    while strip(match.picture()):
        told.append(strip(match.picture()).split(" | ")[0])
        seen(match)
    assert told == ["Seen · 2 more", "Seen · 1 more", "Seen"]


def test_two_alerts_of_one_instant_are_two() -> None:
    match = moment("playing")
    for side in (LEFT, RIGHT):
        match.session.hold(side, Instant(match.now), 0)  # type: ignore[arg-type]
    match.wait(0.01)
    assert "Борис" in strip(match.picture())
    assert "Марија" in strip(seen(match).picture())


def test_an_alert_is_told_at_its_instant_and_not_only_at_the_tables_next_turn() -> None:
    match = moment("stopped")
    at = match.session.deadline()
    assert at is not None
    match.now = at
    scene = match.picture()
    assert "without a reason" in strip(scene)
    match.now = at - 1
    scene = match.picture()
    assert strip(scene) == ""
    assert scene.changes_at == at


def test_an_alert_can_be_seen_before_the_tables_own_turn_has_recorded_it() -> None:
    match = moment("stopped")
    match.now = (match.session.deadline() or 0) + 1
    rect = next(control.rect for control in match.picture().controls if control.name == "told")
    match.now += NS_PER_S // 2
    match.desk.touch(rect.x + 5, rect.y + 5, match.now)
    assert strip(match.picture()) == ""
    match.wait(1)
    assert strip(match.picture()) == ""


def test_an_alert_about_a_stop_that_is_over_vanishes_and_does_not_come_back() -> None:
    match = moment("stopped").wait(9)
    assert "without a reason" in strip(match.picture())
    match.do(c.Resume())
    assert strip(match.picture()) == ""
    match.wait(2).do(c.StopClock(None, None))
    match.wait(1)
    assert strip(match.picture()) == ""


def test_an_alert_about_a_break_that_is_over_vanishes() -> None:
    match = moment("break-overrun")
    assert "over its time" in strip(match.picture())
    assert strip(match.do(c.EndBreak(LEFT)).picture()) == ""


def overlap(a: tuple[int, int, int, int], b: tuple[int, int, int, int]) -> bool:
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


@pytest.mark.no_cover  # pictures that others measure, looked at once more
@pytest.mark.parametrize("size", list(PLACES))
@pytest.mark.parametrize("facing", [False, True])
@pytest.mark.parametrize("name", list(MOMENTS))
def test_nothing_that_is_told_covers_a_time(name: str, *, facing: bool, size: str) -> None:
    match = MOMENTS[name](Preferences(facing=facing))
    match.picture(PLACES[size])
    match.desk.say("A sentence that is long enough to take both of its lines, wherever it is said on whatever panel. " * 2, match.now)
    scene = match.picture(PLACES[size])
    told = [control.rect for control in scene.controls if control.name == "told"]
    assert told or scene.name in {"asleep", "welcome"}
    times = [op.rect for op in scene.ops if isinstance(op, Digits)]
    assert not any(overlap(rect, time) for rect in told for time in times)
    clocked = match.session.snapshot(Instant(match.now)).shown.left != ""
    if clocked and match.session.table.phase not in OVER:
        assert len(times) >= 2, "both times stay"
