"""Any stream from a box: nothing escapes, nothing lies in the future, and what got lost is counted to the edge."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from hardware import ButtonBox, Edge, Line
from hardware.box_lines import sealed
from hardware.edges import STRANGE_NS

S = 1_000_000_000
NAMES: dict[str, Line] = {"L": "left", "R": "right"}


class Stream:
    """A box whose bytes are handed over without a cable, on a clock that the test moves."""

    def __init__(self, start_us: int) -> None:
        self.now = 100 * S
        self.start_us = start_us
        self.box = ButtonBox(lambda: None, now_ns=lambda: self.now)
        self.edges: list[Edge] = []
        self.box.attach(self._take)
        self.sequence = 0
        self.levels = {"L": 0, "R": 0}

    def _take(self, edge: Edge) -> None:
        assert self.now - STRANGE_NS <= edge.at_ns <= self.now
        self.edges.append(edge)

    def counter(self) -> int:
        return (self.start_us + self.now // 1_000) % 2**32

    def state(self, word: str) -> bytes:
        return sealed(f"{word} {self.sequence} {self.counter()} {self.levels['L']}{self.levels['R']}")

    def edge(self, side: str, level: int) -> bytes:
        self.sequence = (self.sequence + 1) % 2**16
        self.levels[side] = level
        return sealed(f"edge {self.sequence} {self.counter()} {side} {level}")

    def hear(self, data: bytes, random: Random) -> None:
        while data:
            cut = random.randint(1, 40)
            self.box._came(data[:cut], self.now)
            data = data[cut:]


def spoiled(line: bytes, random: Random) -> bytes:
    """A line that lost, got or changed something on its way, its end left alone."""
    body = bytearray(line[:-1])
    place = random.randrange(len(body))
    match random.randint(0, 2):
        case 0:
            del body[place:]
        case 1:
            body[place] ^= random.randint(1, 127)
        case _:
            body[place:place] = random.randbytes(random.randint(1, 200))
    return bytes(body).replace(b"\n", b"?") + b"\n"


@given(
    seed=st.integers(0, 2**32),
    start_us=st.integers(0, 2**32 - 1),
    fates=st.lists(st.sampled_from(["heard", "heard", "spoiled", "dropped"]), max_size=60),
)
def test_every_edge_is_delivered_or_counted_as_lost(seed: int, start_us: int, fates: list[str]) -> None:
    random, stream = Random(seed), Stream(start_us)
    stream.hear(stream.state("hello 1 tb-1"), random)
    for fate in fates:
        stream.now += random.randint(0, 200_000_000)
        line = stream.edge(random.choice("LR"), random.randint(0, 1))
        if fate != "dropped":
            stream.hear(line if fate == "heard" else spoiled(line, random), random)
    stream.hear(stream.state("beat"), random)
    assert len(stream.edges) == fates.count("heard")
    assert stream.box.lost == len(fates) - fates.count("heard")
    assert stream.box.levels() == {NAMES[side]: bool(level) for side, level in stream.levels.items()}


@given(seed=st.integers(0, 2**32), steps=st.lists(st.sampled_from(["edge", "noise", "lie", "out", "hello", "pong", "later"]), max_size=80))
def test_a_device_that_lies_is_borne_and_a_hello_makes_all_right_again(seed: int, steps: list[str]) -> None:
    random, stream = Random(seed), Stream(0)
    for step in steps:
        match step:
            case "edge":
                stream.hear(stream.edge(random.choice("LR"), random.randint(0, 1)), random)
            case "noise":
                stream.hear(random.randbytes(random.randint(0, 3_000)), random)
            case "lie":
                stream.hear(sealed(f"edge {random.randrange(2**16)} {random.randrange(2**32)} L 1"), random)
            case "out":
                stream.box._changed(up=False)
                stream.box._changed(up=True)
            case "hello":
                stream.hear(sealed(f"hello {random.randint(0, 3)} x {random.randrange(2**16)} {random.randrange(2**32)} 11"), random)
            case "pong":
                stream.hear(sealed(f"pong {random.randrange(20)} {random.randrange(2**32)}"), random)
            case _:
                stream.now += random.randint(0, 5 * S)
    stream.now += S
    stream.hear(b"\n" + stream.state("hello 1 tb-1"), random)
    before = len(stream.edges)
    stream.hear(stream.edge("R", 1), random)
    assert [(edge.line, edge.closed) for edge in stream.edges[before:]] == [("right", True)]
    assert stream.box.levels()["right"]
