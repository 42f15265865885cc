"""A microcontroller box behind a pseudo-terminal: stamps, gaps, silence, cables pulled at any moment, devices that lie."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from box_bench import MS, BoxBench, S, box_bench

import hardware
from hardware import ButtonBox, Edge, HardwareFault, SerialEdgeSource, SourceKeeper, finder
from hardware.box_lines import LONGEST, sealed
from hardware.offset import COUNTER, ClockOffset, Stamp


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[BoxBench]:
    with box_bench(tmp_path / "box", counter_us=COUNTER - 900_000, drift_ppm=90) as made:
        yield made


def test_a_press_carries_the_instant_at_which_it_happened(bench: BoxBench) -> None:
    instants: list[int] = []

    def press() -> Edge:
        instants.append(bench.now())
        bench.far.drive("left", len(instants) % 2 == 0, instants[-1])
        return bench.edge()

    for _ in range(10):
        edge = bench.stamped(press)
        assert (edge.line, edge.closed) == ("left", len(instants) % 2 == 0)
        assert abs(edge.at_ns - instants[-1]) <= 2 * MS
        assert edge.at_ns <= bench.now()
    health = bench.source.health()
    assert (health.alive, health.lost, health.strange_stamps) == (True, 0, 0)


def test_a_press_that_was_stuck_on_its_way_keeps_its_instant(bench: BoxBench) -> None:
    instants: list[int] = []

    def press() -> Edge:
        bench.far.hold()
        instants.append(bench.now())
        bench.far.drive("left", closed=True, at_ns=instants[-1])
        time.sleep(0.06)  # the stall itself
        bench.far.release()
        return bench.edge()

    assert abs(bench.stamped(press).at_ns - instants[-1]) <= 2 * MS
    assert bench.now() - instants[-1] >= 60 * MS


def test_before_its_clock_is_known_a_press_is_stamped_by_arrival_and_counted(bench: BoxBench) -> None:
    before = bench.now()
    bench.far.drive("left", closed=True)
    edge = bench.edge()
    assert before <= edge.at_ns <= bench.now()
    assert bench.source.health().by_arrival == 1


def test_a_box_that_answers_no_ping_is_stamped_by_arrival(tmp_path: Path) -> None:
    with box_bench(tmp_path / "box") as bench:
        bench.far.answers_pings = False
        bench.far.reset()
        bench.far.drive("right", closed=True)
        assert bench.edge().closed
        assert bench.source.health().by_arrival == 1


def test_a_stamp_more_than_a_second_old_is_replaced_by_the_present(bench: BoxBench) -> None:
    bench.settle()
    bench.far.drive("left", closed=True, at_ns=time.monotonic_ns() - 900 * MS)
    assert bench.edge().at_ns < bench.now() - 800 * MS
    bench.far.hold()
    bench.far.drive("left", closed=False)
    bench.skip(3 * S)
    bench.far.release()
    assert bench.edge().at_ns > bench.now() - S
    assert bench.source.health().strange_stamps == 1


def test_edges_that_the_box_could_not_send_are_counted(bench: BoxBench) -> None:
    bench.far.drive("left", closed=True, lost=True)
    bench.far.drive("left", closed=False, lost=True)
    bench.far.drive("right", closed=True)
    bench.edge()
    assert bench.source.health().lost == 2
    bench.far.drive("right", closed=False, lost=True)
    bench.far.beat()
    bench.bell.until(lambda: bench.source.health().lost == 3)
    assert bench.source.levels() == {"left": False, "right": False}


def test_a_corrupt_edge_is_a_lost_one_and_what_follows_is_taken(bench: BoxBench) -> None:
    said = sealed("edge 1 5 L 1")
    bench.far.drive("left", closed=True, lost=True)
    bench.far.say(said.replace(b"L", b"R"))
    bench.far.drive("left", closed=False)
    assert not bench.edge().closed
    assert bench.arrived.empty()
    assert (bench.source.health().lost, bench.box.bad_lines) == (1, 1)


def test_edges_of_a_line_never_change_their_order(bench: BoxBench, monkeypatch: pytest.MonkeyPatch) -> None:
    now = bench.now()
    stamps = [
        Stamp(now - 5, None, trusted=False),
        Stamp(now - 9, 1, trusted=True),
        Stamp(now - 4, 1, trusted=True),
        Stamp(now - 6, 1, True),
    ]
    monkeypatch.setattr(ClockOffset, "stamp", lambda *_: stamps.pop(0))
    for line in ("left", "left", "left", "right"):
        bench.far.drive(line, closed=True)  # type: ignore[arg-type]
    assert [bench.edge().at_ns - now for _ in range(4)] == [-5, -5, -4, -6]
    assert bench.source.health().by_arrival == 2


def test_a_repeated_level_is_delivered_as_it_comes(bench: BoxBench) -> None:
    for _ in range(3):
        bench.far.drive("left", closed=True)
    assert [bench.edge().closed for _ in range(3)] == [True, True, True]


@pytest.mark.parametrize("cut", [1, 8, 17])
def test_a_cable_pulled_in_the_middle_of_a_line_does_no_harm(bench: BoxBench, cut: int) -> None:
    bench.far.say(sealed("edge 1 123456 L 1")[:cut])
    bench.far.unplug()
    bench.bell.until(lambda: not bench.source.health().alive)
    assert "pulled out" in str(bench.source.health().fault)
    with pytest.raises(HardwareFault, match=r"pulled out|not there"):
        SerialEdgeSource(bench.box).start(bench.arrived.put)
    bench.far.plug()
    bench.listen()
    assert not bench.source.health().lost
    bench.far.drive("right", closed=True)
    assert (bench.edge().line, bench.arrived.empty()) == ("right", True)


def test_a_cable_that_was_out_for_a_moment_ends_the_spell_all_the_same(bench: BoxBench) -> None:
    before = bench.box.spell
    bench.far.unplug()
    bench.far.plug()
    bench.bell.until(lambda: bench.box.spell > before and bench.box.fault() is None)
    assert not bench.source.health().alive
    assert "pulled out" in str(bench.source.health().fault)


def test_a_box_that_began_anew_ends_the_spell_and_goes_on_delivering(bench: BoxBench) -> None:
    bench.settle()
    bench.far.drive("left", closed=True)
    bench.edge()
    bench.far.reset()
    bench.bell.until(lambda: not bench.source.health().alive)
    assert "began anew" in str(bench.source.health().fault)
    before = bench.now()
    bench.far.drive("left", closed=False)
    assert before <= bench.edge().at_ns <= bench.now()


def test_a_silent_box_is_dead_and_comes_back(bench: BoxBench) -> None:
    bench.far.silent = True
    bench.skip(2_100 * MS)
    assert "silent" in str(bench.source.health().fault)
    with pytest.raises(HardwareFault, match="silent"):
        bench.source.levels()
    bench.far.silent = False
    bench.far.beat()
    bench.bell.until(lambda: bench.source.health().alive)


def test_a_box_of_another_version_is_not_used(bench: BoxBench) -> None:
    bench.far.version = 2
    bench.far.reset()
    bench.bell.until(lambda: not bench.source.health().alive)
    assert "version 2" in str(bench.box.fault())
    bench.far.version = 1
    bench.far.beat()  # which makes the table ask who it is
    bench.bell.until(lambda: bench.box.fault() is None)


def test_a_device_that_is_no_box_is_told_so(bench: BoxBench) -> None:
    bench.far.unplug()
    bench.far.silent = True
    bench.far.plug()
    bench.bell.until(lambda: "has not said hello" in str(bench.box.fault()))
    count = bench.lines()
    bench.far.say(b"Hello world!\r\n" * 3)
    bench.heard(count + 3)
    assert "has not said hello" in str(bench.box.fault())


def test_an_endless_line_keeps_no_memory_and_the_next_line_is_read(bench: BoxBench) -> None:
    for _ in range(50):
        bench.far.say(b"7" * 4_096)
    bench.far.say(b"\n")
    bench.far.drive("left", closed=True)
    assert bench.edge().closed
    assert len(bench.box._splitter._kept) <= LONGEST + 1
    assert bench.source.health().alive


def test_a_flood_of_sound_lines_is_not_listened_to_until_it_is_over(bench: BoxBench) -> None:
    began = bench.now()
    for _ in range(5_000):
        bench.far.drive("left", closed=True)
    bench.bell.until(lambda: not bench.source.health().alive)
    assert "more than 1000 lines a second" in str(bench.source.health().fault)
    bench.bell.until(lambda: not bench.far.unheard())
    assert bench.arrived.qsize() <= 1_000 + (bench.now() - began) * 1_000 // S
    bench.skip(6 * S)
    bench.far.beat()
    bench.bell.until(lambda: bench.box.fault() is None)


def test_a_pong_that_nobody_asked_for_changes_nothing(bench: BoxBench) -> None:
    bench.settle()
    known = bench.box._offset._trips
    count = bench.lines()
    bench.far.hold()
    bench.far.say(sealed("pong 60000 0") + sealed("volts 5.01"))
    bench.heard(count + 2)
    assert bench.box._offset._trips == known
    assert bench.box._offset.restarts == 0


def test_pings_without_answers_are_given_up(bench: BoxBench) -> None:
    bench.far.answers_pings = False
    for _ in range(20):
        count = bench.lines()
        bench.far.beat()
        bench.heard(count + 1)
    assert len(bench.box._sent) <= 8


def test_a_taker_that_raises_makes_the_source_dead_and_the_box_lives(bench: BoxBench) -> None:
    def refuse(_edge: Edge) -> None:
        raise ValueError("no room")

    bench.source.close()
    bench.source = SerialEdgeSource(bench.box)
    bench.source.start(refuse)
    bench.far.drive("left", closed=True)
    bench.bell.until(lambda: not bench.source.health().alive)
    assert "no room" in str(bench.source.health().fault)
    bench.source.close()
    bench.listen()
    bench.far.drive("left", closed=False)
    assert not bench.edge().closed


def test_a_closed_source_is_not_running_and_may_be_closed_again(bench: BoxBench) -> None:
    bench.source.close()
    bench.source.close()
    assert "not running" in str(bench.source.health().fault)
    with pytest.raises(HardwareFault, match="not running"):
        bench.source.levels()
    bench.far.drive("left", closed=True)
    bench.bell.until(lambda: bench.box.levels()["left"])
    assert bench.arrived.empty()


def test_a_box_that_is_not_there_is_waited_for_a_second_at_most(tmp_path: Path) -> None:
    box = ButtonBox(finder(str(tmp_path / "none")))
    box.start()
    box.wait(0.05)
    with pytest.raises(HardwareFault, match="button box is not there"):
        SerialEdgeSource(box).start(print)
    box.close()


def test_the_keeper_takes_the_levels_over_and_leaves_the_source_as_it_is(bench: BoxBench) -> None:
    built: list[SerialEdgeSource] = []

    def build() -> SerialEdgeSource:
        built.append(SerialEdgeSource(bench.box))
        return built[-1]

    bench.source.close()
    keeper = SourceKeeper(build, now_ns=bench.now)
    keeper.start(bench.now())
    bench.far.drive("left", closed=True, lost=True)
    bench.far.beat()
    bench.bell.until(lambda: built[0].health().lost == 1)
    assert [notice.code for notice in keeper.check(bench.now())] == ["edges_lost"]
    assert keeper.wants_resync()
    assert keeper.levels() == {"left": True, "right": False}
    assert len(built) == 1
    keeper.close()


def test_the_simulated_box_is_a_command_that_presses(tmp_path: Path) -> None:
    path = tmp_path / "desk"
    command = [sys.executable, "-m", "hardware.simulated_box_serial", str(path)]
    root = Path(hardware.__file__).parents[1]
    with subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as far:
        assert far.stdin is not None
        assert far.stdout is not None
        assert "plugged in" in far.stdout.readline()
        box = ButtonBox(finder(str(path)))
        box.start()
        box.wait(60)
        source, bench_edges = SerialEdgeSource(box), BoxBench(tmp_path / "unused")
        source.start(bench_edges.arrived.put)
        far.stdin.write("nonsense\nright\n")
        far.stdin.flush()
        assert [(edge.line, edge.closed) for edge in (bench_edges.edge(), bench_edges.edge())] == [("right", True), ("right", False)]
        far.stdin.close()
        assert far.wait(60) == 0
        box.close()


def test_the_command_says_how_it_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    from hardware.simulated_box_serial import main

    assert main([]) == 2
    assert capsys.readouterr().err == "usage: python -m hardware.simulated_box_serial PATH\n"
