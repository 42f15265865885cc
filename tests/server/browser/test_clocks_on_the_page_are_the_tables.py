"""The page's script and the server round and count exactly alike."""

from __future__ import annotations

import random

from kiosk.server import showing
from kiosk.server.assets import assets
from kiosk.server.public import public_face
from kiosk.server.rendering import span, wait
from tests.server import faces
from tests.server.browser.conftest import Opening
from tests.server.serving import Server

EDGES = [
    0,
    1,
    99,
    100,
    101,
    9_999,
    19_899,
    19_900,
    19_901,
    19_999,
    20_000,
    20_001,
    59_000,
    59_001,
    60_000,
    5_999_000,
    5_999_001,
    6_000_000,
    7_265_001,
]


def test_times_are_written_alike(server: Server, visit: Opening) -> None:
    page = visit(f"{server.url}/m/match-2")
    cases = EDGES + [random.Random(6).randrange(8_000_000) for _ in range(500)]
    told = page.evaluate(
        "async ([address, all]) => { const m = await import(address); return all.map((ms) => [m.clockText(ms), m.waitText(ms)]); }",
        [assets().url("clock.js"), cases],
    )
    assert told == [[span(ms), wait(ms)] for ms in cases]


def test_time_is_charged_alike(server: Server, visit: Opening) -> None:
    page, dice = visit(f"{server.url}/m/match-2"), random.Random(7)
    cases = []
    for _ in range(400):
        face = faces.playing(
            "1",
            1_000_000,
            running=dice.choice([[], ["left"], ["right"], ["left", "right"]]),
            online=dice.random() < 0.8,
            seen_ms=dice.choice([None, 1_000_000 + dice.randrange(20_000)]),
            delay_left_ms=dice.choice([0, 4_300, 12_000, None]),
            reserve_ms=dice.choice([None, {"left": dice.randrange(30_000), "right": 5_000}]),
        )
        cases.append([public_face(face), dice.choice(["left", "right"]), 1_000_000 + dice.randrange(-500, 40_000)])
    told = page.evaluate(
        """async ([address, all]) => {
            const m = await import(address);
            return all.map(([face, side, now]) => m.timesOf(face, side, now)).map(({ reserve, delay }) => [reserve, delay]);
        }""",
        [assets().url("clock.js"), cases],
    )
    assert [tuple(each) for each in told] == [showing.times(face, side, now) for face, side, now in cases]


def test_the_houses_clock_is_the_least_delayed_word_and_never_jumps_with_the_date(server: Server, visit: Opening) -> None:
    page = visit(f"{server.url}/m/match-2")
    now = page.evaluate(
        """async (address) => {
            const { HouseClock } = await import(address);
            const clock = new HouseClock();
            clock.hear(1_000_300, 500);   // 200 ms under way
            clock.hear(1_001_500, 1_500); // at once
            clock.hear(1_002_000, 2_900); // 900 ms under way
            const real = Date.now;
            Date.now = () => 0;
            const read = clock.now(3_000);
            Date.now = real;
            return read;
        }""",
        assets().url("clock.js"),
    )
    assert now == 1_003_000
