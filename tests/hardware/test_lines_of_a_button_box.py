"""What a box says over its cable is read exactly, or dropped."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hardware
from hardware.box_lines import LONGEST, BadLineError, Beat, BoxEdge, Contacts, Hello, Pong, Splitter, ping, read_line, sealed, who

HELLO = sealed("hello 1 tb-4f21 0 1234 01")
LINES = [HELLO, sealed("beat 7 4294967295 10"), sealed("edge 8 123456789 L 1"), sealed("pong 65535 0")]


def test_each_line_is_read_as_it_was_meant() -> None:
    levels = {"left": False, "right": True}
    assert read_line(LINES[0].strip()) == Hello(1, "tb-4f21", Contacts(0, 1234, levels))  # type: ignore[arg-type]
    assert read_line(LINES[1].strip()) == Beat(Contacts(7, 4294967295, {"left": True, "right": False}))
    assert read_line(LINES[2].strip()) == BoxEdge(8, 123456789, "left", closed=True)
    assert read_line(sealed("edge 0 0 R 0").strip()) == BoxEdge(0, 0, "right", closed=False)
    assert read_line(LINES[3].strip()) == Pong(65535, 0)


def test_the_checksum_is_the_published_one() -> None:
    assert sealed("123456789") == b"123456789*29B1\n"


def test_what_the_table_says_is_sealed_too() -> None:
    assert (who(), ping(65537)) == (sealed("who"), sealed("ping 1"))


def test_a_hello_of_another_version_is_understood_as_far_as_its_version() -> None:
    said = read_line(sealed("hello 2 tb-1 something else").strip())
    assert isinstance(said, Hello)
    assert (said.version, said.device) == (2, "tb-1")


def test_a_sound_line_with_an_unknown_word_is_passed_over() -> None:
    assert read_line(sealed("volts 4.97").strip()) is None


WRONG = """
edge 8 123 L
edge 8 123 L 1 2
edge 8 123 M 1
edge 8 123 L 2
edge 65536 123 L 1
edge 8 4294967296 L 1
edge -1 1 L 1
edge 8 1_0 L 1
edge  8 1 L 1
beat 1 2 012
beat 1 2 0x
beat 1 2
pong 1
pong 65536 1
hello 1 a 0 0
hello
hello 1 not/a/name 0 0 00
hello 1 aaaaaaaaaaaaaaaaaaaaaaaaa 0 0 00
hello 2
hello x y
hello 99999 y
edge 99999999999 1 L 1
"""


@pytest.mark.parametrize("words", WRONG.split("\n")[1:-1])
def test_a_line_with_a_right_checksum_and_wrong_words_is_refused(words: str) -> None:
    with pytest.raises(BadLineError):
        read_line(sealed(words).strip())


@pytest.mark.parametrize(
    "line", [b"", b"edge 8 1 L 1", b"edge 8 1 L 1*", b"edge 8 1 L 1*12", b"*1D0F", b"\xff\xfe*FFFF", b"edge 8 1 L 1*abcd"]
)
def test_a_line_without_its_checksum_is_refused(line: bytes) -> None:
    with pytest.raises(BadLineError):
        read_line(line)


@given(st.sampled_from(LINES), st.integers(0, 200), st.integers(1, 255))
def test_a_line_with_one_byte_changed_is_never_taken_for_another(line: bytes, place: int, change: int) -> None:
    broken = bytearray(line.strip())
    broken[place % len(broken)] ^= change
    with pytest.raises(BadLineError):
        read_line(bytes(broken))


@given(st.binary(max_size=100))
def test_no_bytes_bring_the_reader_down(line: bytes) -> None:
    try:
        read_line(line)
    except BadLineError as error:
        assert str(error).endswith(".")


@given(st.lists(st.integers(1, 9), max_size=60), st.sampled_from([b"\n", b"\r\n"]))
def test_lines_come_out_whole_however_they_were_chopped(cuts: list[int], end: bytes) -> None:
    stream = b"".join(line.strip() + end for line in LINES)
    splitter, out = Splitter(), []
    for cut in cuts:
        out += splitter.feed(stream[:cut])
        stream = stream[cut:]
    out += splitter.feed(stream)
    assert out == [line.strip() for line in LINES]


def test_an_endless_line_is_dropped_up_to_its_end_and_keeps_no_memory() -> None:
    splitter = Splitter()
    for _ in range(1_000):
        assert list(splitter.feed(b"x" * 4_096)) == []
    assert len(splitter._kept) <= LONGEST + 1
    assert list(splitter.feed(b"x\n" + HELLO)) == [HELLO.strip()]
    assert splitter.overlong == 1


def test_half_a_line_is_forgotten_when_the_cable_was_out() -> None:
    splitter = Splitter()
    list(splitter.feed(HELLO[:9]))
    splitter.clear()
    assert list(splitter.feed(HELLO)) == [HELLO.strip()]


def test_empty_lines_are_no_lines() -> None:
    assert list(Splitter().feed(b"\n\r\n\n")) == []


def test_the_examples_of_the_description_are_right() -> None:
    text = (Path(hardware.__file__).parent / "BUTTON_BOX.md").read_text(encoding="utf-8")
    examples = re.findall(r"^    (\S.*\*[0-9A-F]{4})$", text, re.MULTILINE)
    assert len(examples) >= 6
    for example in examples:
        assert sealed(example.rpartition("*")[0]).strip().decode() == example
