"""Whatever a reader sends, a badge that is presented is told once, and only as it was sent whole."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware import Badge, BadgeReader, SimulatedPort, finder, frame_of
from hardware.badges import AWAY_NS, GAP_NS, LONGEST, MOST_NEAR, MOST_WAITING, BadgeParser, Presented
from tests.hardware.serial_twins import Bell

FRAME = b"\x020F00184C7B20\x03"
"""As an RDM6300 sends it: 0F ^ 00 ^ 18 ^ 4C ^ 7B = 20."""
NUMBER = "0F00184C7B"
SAME = 1_000_000


def read(*parts: bytes) -> tuple[list[str], int]:
    parser = BadgeParser()
    return [number for part in parts for number in parser.feed(part, SAME)], parser.corrupt


def test_a_frame_is_a_number_in_whatever_pieces_it_comes() -> None:
    assert read(FRAME) == ([NUMBER], 0)
    assert read(*(bytes([byte]) for byte in FRAME)) == ([NUMBER], 0)
    assert read(FRAME[:5], FRAME[5:] + FRAME + FRAME[:3]) == ([NUMBER, NUMBER], 0)


def test_what_a_module_sends_is_what_is_read() -> None:
    assert frame_of(NUMBER) == FRAME
    with pytest.raises(ValueError, match="ten digits of 0–9 and A–F"):
        frame_of("0004213897F")


def test_a_frame_may_end_with_a_line_end_and_have_small_letters() -> None:
    assert read(b"\x020f00184c7b20\r\n\x03") == ([NUMBER], 0)


def test_a_line_is_a_number_with_any_line_end() -> None:
    assert read(b"0004213897\r\nabc-12:9\n", b"\r77771\r") == (["0004213897", "ABC-12:9", "77771"], 0)


def test_a_wrong_checksum_is_counted_and_dropped() -> None:
    assert read(b"\x020F00184C7B21\x03", FRAME) == ([NUMBER], 1)


def test_every_single_wrong_digit_is_found_out() -> None:
    for place in range(1, 13):
        for digit in b"0123456789ABCDEF":
            frame = bytearray(FRAME)
            frame[place] = digit
            assert read(bytes(frame))[0] == ([NUMBER] if bytes(frame) == FRAME else [])


def test_a_half_frame_is_dropped_when_the_next_one_begins() -> None:
    assert read(FRAME[:7], FRAME) == ([NUMBER], 1)


def test_a_frame_without_its_beginning_is_dropped() -> None:
    assert read(FRAME[3:], FRAME) == ([NUMBER], 1)


def test_a_frame_that_lost_its_first_byte_is_no_line() -> None:
    late = FRAME[1:-1] + b"\r\n\x03"
    assert read(FRAME, late, FRAME) == ([NUMBER, NUMBER], 1)


def test_a_half_line_before_a_silence_belongs_to_nothing() -> None:
    parser = BadgeParser()
    assert parser.feed(b"00042", SAME) == []
    assert parser.feed(b"13897\r\n", SAME + GAP_NS + 1) == ["13897"]
    assert parser.corrupt == 1


def test_what_is_cut_off_by_the_cable_belongs_to_nothing() -> None:
    parser = BadgeParser()
    parser.feed(FRAME[:4], SAME)
    parser.cut()
    assert parser.feed(FRAME[4:] + FRAME, SAME) == [NUMBER]
    assert parser.corrupt == 2


def test_what_is_longer_than_any_number_is_dropped_whole() -> None:
    assert read(b"9" * (LONGEST + 1) + b"\r\n", b"1234\n") == (["1234"], 1)
    assert read(b"\x02" + b"0" * 5000 + b"\x03") == ([], 1)


def test_too_short_or_strange_lines_are_dropped() -> None:
    assert read(b"123\n", b"12 34\n", "№1234\n".encode(), b"\r\n\r\n", b"\x03") == ([], 3)


@given(st.lists(st.binary(max_size=40), max_size=20))
def test_no_noise_harms_the_reader(noise: list[bytes]) -> None:
    parser = BadgeParser()
    for n, part in enumerate(noise):
        parser.feed(part, n)
    parser.feed(b"\r\n\x03", len(noise))
    assert parser.feed(FRAME, len(noise) + 1) == [NUMBER]
    assert len(parser._open) == 0


def test_a_badge_that_stays_near_is_presented_once() -> None:
    near = Presented()
    told = [near.is_new(NUMBER, n * 50_000_000) for n in range(100)]
    assert told == [True] + [False] * 99
    assert not near.is_new(NUMBER, 99 * 50_000_000 + AWAY_NS - 1)
    assert near.is_new(NUMBER, 99 * 50_000_000 + 2 * AWAY_NS)


def test_two_badges_near_together_are_each_presented_once() -> None:
    near = Presented()
    told = [(number, near.is_new(number, n)) for n, number in enumerate(["A", "B"] * 20)]
    assert [number for number, new in told if new] == ["A", "B"]


def test_a_flood_of_numbers_asks_for_a_few_only() -> None:
    near = Presented()
    told = [near.is_new(str(n), n * 1000) for n in range(1000)]
    assert sum(told) == MOST_NEAR
    assert near.crowded == 1000 - MOST_NEAR


class Reader:
    def __init__(self, path: Path, now_ns: Callable[[], int] = time.monotonic_ns) -> None:
        self.bell = Bell()
        self.port = SimulatedPort(path)
        self.port.plug()
        self.reader = BadgeReader(finder(str(path)), self.bell.ring, now_ns=now_ns)
        self.reader.start()
        self.bell.until(lambda: self.reader.link.health().connected)
        self.found: list[Badge] = []

    def until(self, count: int) -> list[str]:
        def enough() -> bool:
            self.found += self.reader.drain()
            return len(self.found) >= count

        self.bell.until(enough)
        return [badge.number for badge in self.found]

    def end(self) -> None:
        self.reader.close()
        self.port.unplug()


def test_a_reader_unplugged_in_mid_frame_reads_the_next_badge(tmp_path: Path) -> None:
    one = Reader(tmp_path / "tty")
    one.port.send(FRAME[:6])
    one.bell.until(lambda: one.reader.link.health().received == 6)
    one.port.unplug()
    one.bell.until(lambda: "again" in (one.reader.fault() or "") or "not there" in (one.reader.fault() or ""))
    one.port.plug()
    one.bell.until(lambda: one.reader.link.health().connected)
    one.port.send(FRAME[6:] + FRAME * 3)
    assert one.until(1) == [NUMBER]
    assert one.reader.parser.corrupt == 2
    one.end()


def test_a_reader_at_the_wrong_speed_is_told_until_it_reads_something(tmp_path: Path) -> None:
    one = Reader(tmp_path / "tty")
    one.port.send(b"\xf8\x80\n" * 10)
    one.bell.until(lambda: "baud rate" in (one.reader.fault() or ""))
    one.port.send(FRAME)
    assert one.until(1) == [NUMBER]
    assert one.reader.fault() is None
    one.end()


def test_a_reader_that_floods_is_survived_and_counted(tmp_path: Path) -> None:
    one = Reader(tmp_path / "tty", lambda: 0)  # all of it comes at once, however slowly this machine reads
    one.port.send(b"".join(b"%08d\n" % n for n in range(5000)))
    one.bell.until(lambda: one.reader.dropped + len(one.reader._waiting) == 5000)
    assert [badge.number for badge in one.reader.drain()] == [f"{n:08d}" for n in range(MOST_NEAR)]
    assert one.reader.dropped == 5000 - MOST_NEAR
    assert one.reader.parser.corrupt == 0
    one.end()


def test_badges_that_nobody_takes_do_not_pile_up() -> None:
    reader = BadgeReader(lambda: None)
    for n in range(2 * MOST_WAITING):
        reader._take(b"%04d\n" % n, n * 2 * AWAY_NS)
    assert reader.dropped == MOST_WAITING
    assert [badge.number for badge in reader.drain()] == [f"{n:04d}" for n in range(MOST_WAITING)]
    assert reader.drain() == []
    reader.close()
