from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kiosk.domain.lockout import LOCKED, TRIES, Lockout
from kiosk.domain.types import Instant, Span, seconds


def at(second: float) -> Instant:
    return Instant(seconds(second))


def wrong(*instants: float) -> Lockout:
    return Lockout.from_history([at(second) for second in instants])


def test_four_wrong_ones_do_not_lock_and_the_fifth_does_for_a_minute() -> None:
    assert wrong(1, 2, 3, 4).locked_until(at(4)) is None
    assert wrong(1, 2, 3, 4).tries_left() == 1
    locked = wrong(1, 2, 3, 4, 5)
    assert locked.locked_until(at(5)) == at(65)
    assert locked.locked_until(Instant(at(65) - 1)) == at(65)
    assert locked.locked_until(at(65)) is None


def test_wrong_ones_count_however_far_apart_they_are() -> None:
    assert wrong(0, 3600, 7200, 10_800, 90_000).locked_until(at(90_000)) == at(90_060)


def test_a_right_one_begins_anew() -> None:
    after = wrong(1, 2, 3, 4).right()
    assert after == Lockout()
    assert after.wrong(at(5)).locked_until(at(5)) is None


def test_while_it_is_locked_nothing_counts() -> None:
    locked = wrong(1, 2, 3, 4, 5)
    assert locked.wrong(at(30)) is locked


def test_after_a_lock_it_takes_five_again() -> None:
    assert wrong(1, 2, 3, 4, 5, 65, 66, 67, 68).locked_until(at(68)) is None
    assert wrong(1, 2, 3, 4, 5, 65, 66, 67, 68, 69).locked_until(at(69)) == at(129)


def test_a_lock_goes_with_the_table_into_the_next_boot() -> None:
    moved = wrong(1, 2, 3, 4, 5).shifted(Span(at(1000) - at(25)))
    assert moved.locked_until(at(1000)) == at(1040)
    assert wrong(1, 2).shifted(seconds(9)) == wrong(1, 2)


@given(st.lists(st.integers(0, 600), max_size=60))
def test_nobody_tries_more_than_five_a_minute(gaps: list[int]) -> None:
    lockout, now, tried = Lockout(), 0, list[Instant]()
    for gap in gaps:
        now += gap
        moment = at(now / 10)
        if lockout.locked_until(moment) is None:
            tried.append(moment)
        lockout = lockout.wrong(moment)
        assert 1 <= lockout.tries_left() <= TRIES
    for n in range(TRIES, len(tried), TRIES):
        assert tried[n] - tried[n - 1] >= LOCKED
