from __future__ import annotations

from hardware import BounceMeter, ButtonBounce, Edge, Line
from hardware.bounce import MOST

MS = 1_000_000
START = 5_000_000 * MS


def fed(*edges: tuple[float, bool], line: Line = "left") -> BounceMeter:
    """Edges in milliseconds."""
    meter = BounceMeter()
    for at, closed in edges:
        meter.feed(Edge(line, closed, START + round(at * MS)))
    return meter


def test_a_clean_press_does_not_bounce() -> None:
    assert fed((0, True), (120, False)).measured("left") == ButtonBounce(presses=1, movements=2, edges=2)


def test_bounce_is_the_time_from_the_first_edge_to_the_last() -> None:
    seen = fed((0, True), (1, False), (2.5, True), (200, False), (200.5, True), (201, False)).measured("left")
    assert seen == ButtonBounce(presses=1, movements=2, edges=6, last_ns=1 * MS, worst_ns=2_500_000)


def test_a_contact_that_is_down_is_said_to_be_down() -> None:
    assert fed((0, True), (1, False), (2, True)).measured("left").down


def test_a_tap_is_a_closing_and_an_opening_and_no_bounce() -> None:
    seen = fed((0, True), (1, False), (2, True), (40, False), (41, True), (41.5, False)).measured("left")
    assert (seen.presses, seen.movements, seen.worst_ns) == (1, 2, 2 * MS)


def test_a_contact_worse_than_the_debouncer_allows_is_seen_as_that() -> None:
    seen = fed((0, True), (1, False), (45, True), (300, False)).measured("left")
    assert seen.presses == 2, "this is what such a contact costs"
    assert seen.worst_ns == 45 * MS


def test_one_button_says_nothing_of_the_other() -> None:
    assert fed((0, True), (100, False)).measured("right") == ButtonBounce()


def test_a_contact_that_floods_fills_nothing() -> None:
    meter = BounceMeter()
    for i in range(MOST + 100):
        meter.feed(Edge("right", i % 2 == 0, START + i * MS))
    assert meter.measured("right").edges == MOST + 100
    assert len(meter._edges["right"]) == MOST
