"""How a remaining time reads (domain rule 2.11): rounded up, seconds always, tenths below twenty seconds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.domain.types import NS_PER_S, Span, clock_text, seconds

SHOWN = [
    (0, "0:00.0"),
    (0.000000001, "0:00.1"),
    (0.01, "0:00.1"),
    (0.1, "0:00.1"),
    (0.100000001, "0:00.2"),
    (9.99, "0:10.0"),
    (19.9, "0:19.9"),
    (19.95, "0:20.0"),
    (19.999999999, "0:20.0"),
    (20, "0:20"),
    (20.000000001, "0:21"),
    (59.1, "1:00"),
    (60, "1:00"),
    (61, "1:01"),
    (600, "10:00"),
    (840, "14:00"),
    (5999, "99:59"),
    (5999.5, "1:40:00"),
    (6000, "1:40:00"),
    (6000.5, "1:40:01"),
    (36000, "10:00:00"),
]


@pytest.mark.parametrize(("left_s", "text"), SHOWN)
def test_the_text(left_s: float, text: str) -> None:
    assert clock_text(seconds(left_s)) == text


def read(text: str) -> float:
    *hours, minutes, rest = text.split(":")
    return (int(hours[0]) * 3600 if hours else 0) + int(minutes) * 60 + float(rest)


@given(st.integers(0, 8 * 3600 * NS_PER_S))
def test_it_never_shows_less_than_there_is_and_never_a_unit_more(left: int) -> None:
    shown = read(clock_text(Span(left)))
    unit = 0.1 if left < 20 * NS_PER_S else 1
    assert -1e-9 <= shown - left / NS_PER_S < unit + 1e-9
    assert (shown == 0) == (left == 0)


@given(st.integers(0, 8 * 3600 * NS_PER_S), st.integers(0, NS_PER_S))
def test_more_time_never_shows_less(left: int, more: int) -> None:
    assert read(clock_text(Span(left + more))) >= read(clock_text(Span(left)))
