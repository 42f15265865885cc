"""Arcade encoders and keypads: kernel stamps, held alone, dropped events told, pulled out at any moment."""

from __future__ import annotations

import errno
import os
import queue
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from input_twins import LEFT, NOW, RIGHT, InputBench, TwinKernel, list_device

from hardware import Edge, EvdevSource, HardwareFault, SourceKeeper
from hardware.evdev import (
    CLOCK_MONOTONIC,
    EV_KEY,
    EV_SYN,
    EVENT,
    EVIOCGBIT_KEY,
    EVIOCGKEY,
    EVIOCGRAB,
    EVIOCSCLOCKID,
    SYN_DROPPED,
    Kernel,
    find_input,
    input_devices,
    is_input_address,
)
from hardware.keys import KEYS, key_code, key_name
from hardware.learn_keys import main


@pytest.fixture
def bench() -> Iterator[InputBench]:
    made = InputBench()
    made.start()
    yield made
    made.close()


def test_a_key_is_an_edge_with_exactly_the_kernels_stamp(bench: InputBench) -> None:
    bench.kernel.key(LEFT, 1, NOW - 7_000)
    bench.kernel.key(RIGHT, 1, NOW - 3_000)
    bench.kernel.key(LEFT, 0, NOW)
    assert [bench.edge() for _ in range(3)] == [
        Edge("left", closed=True, at_ns=NOW - 7_000),
        Edge("right", closed=True, at_ns=NOW - 3_000),
        Edge("left", closed=False, at_ns=NOW),
    ]
    assert bench.source.levels() == {"left": False, "right": True}
    health = bench.source.health()
    assert (health.alive, health.lost, health.strange_stamps, health.mends_itself) == (True, 0, 0, True)


def test_the_device_is_held_alone_on_the_monotonic_clock(bench: InputBench) -> None:
    assert bench.kernel.told == {EVIOCSCLOCKID: CLOCK_MONOTONIC, EVIOCGRAB: 1}


def test_a_key_that_repeats_itself_and_other_keys_are_no_edges(bench: InputBench) -> None:
    bench.kernel.key(LEFT, 2)
    bench.kernel.key(KEYS["KEY_A"], 1)
    bench.kernel.send((3, 0, 128), (EV_SYN, 0, 0))
    bench.kernel.key(RIGHT, 1)
    assert bench.edge().line == "right"
    assert bench.arrived.empty()


def test_contacts_that_are_closed_at_the_start_are_known() -> None:
    bench = InputBench(down={RIGHT})
    bench.start()
    assert bench.source.levels() == {"left": False, "right": True}
    bench.close()


def test_a_stamp_of_another_clock_is_replaced_by_the_present_and_counted(bench: InputBench) -> None:
    bench.kernel.key(LEFT, 1, NOW - 2_000_000_000)
    assert bench.edge().at_ns == NOW
    assert bench.source.health().strange_stamps == 1


def test_dropped_events_are_lost_edges_and_the_levels_are_asked_for(bench: InputBench) -> None:
    bench.kernel.down = {LEFT}
    bench.kernel.send((EV_SYN, SYN_DROPPED, 0), (EV_KEY, RIGHT, 1), (EV_SYN, 0, 0), (EV_KEY, RIGHT, 0), (EV_SYN, 0, 0))
    assert bench.edge() == Edge("right", closed=False, at_ns=NOW)
    bench.kernel.key(LEFT, 0)
    bench.edge()
    assert bench.source.health().lost == 1
    assert bench.kernel.asked.count(EVIOCGKEY) == 2
    assert bench.source.levels() == {"left": False, "right": False}


def test_the_levels_are_not_asked_for_to_compare_for_that_throws_events_away(bench: InputBench) -> None:
    for _ in range(3):
        bench.source.levels()
        bench.source.health()
    assert bench.kernel.asked == [EVIOCGBIT_KEY, EVIOCGKEY]


def test_half_an_event_brings_nothing_down(bench: InputBench) -> None:
    os.write(bench.kernel.writer, EVENT.pack(0, 0, EV_KEY, LEFT, 1)[:11])
    bench.kernel.pull()
    assert "pulled out" in bench.ended()


def test_a_device_that_is_pulled_out_ends_the_source(bench: InputBench, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(*_: object) -> bytes:
        raise OSError(errno.ENODEV, "No such device")

    monkeypatch.setattr("hardware.evdev_source.os.read", gone)
    bench.kernel.key(LEFT, 1)
    assert bench.ended() == "The buttons' device /dev/input/event7 was pulled out."
    with pytest.raises(HardwareFault, match="pulled out"):
        bench.source.levels()


def test_another_fault_of_reading_is_told(bench: InputBench, monkeypatch: pytest.MonkeyPatch) -> None:
    def odd(*_: object) -> bytes:
        raise OSError(errno.ENOMEM, "Cannot allocate memory")

    monkeypatch.setattr("hardware.evdev_source.os.read", odd)
    bench.kernel.key(LEFT, 1)
    assert "Cannot allocate memory" in bench.ended()


def test_a_taker_that_raises_makes_the_source_dead() -> None:
    bench = InputBench()

    def refuse(_edge: Edge) -> None:
        raise ValueError("no room")

    bench.source.start(refuse)
    bench.kernel.key(LEFT, 1)
    assert "no room" in bench.ended()
    bench.close()


def test_closing_does_not_wait_for_a_taker_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    bench, gate, busy = InputBench(), queue.SimpleQueue[None](), threading.Event()

    def hang(_edge: Edge) -> None:
        busy.set()
        gate.get()

    bench.source.start(hang)
    bench.kernel.key(LEFT, 1)
    assert busy.wait(60)
    thread = bench.source._thread
    assert thread is not None
    join = thread.join
    monkeypatch.setattr(thread, "join", lambda _timeout: None)
    bench.source.close()
    assert thread.is_alive()
    gate.put(None)
    join(60)


def test_a_closed_source_may_be_closed_again_and_is_not_running(bench: InputBench) -> None:
    thread = bench.source._thread
    bench.source.close()
    bench.source.close()
    assert thread is not None
    assert not thread.is_alive()
    assert "not running" in str(bench.source.health().fault)
    with pytest.raises(HardwareFault, match="not running"):
        bench.source.levels()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(bench.kernel.reader)


@pytest.mark.parametrize(
    ("call", "number", "said"),
    [
        ("open", errno.ENOENT, "is not there; plug it in"),
        ("open", errno.EACCES, "join the group input"),
        ("open", errno.EMFILE, "cannot be used"),
        (EVIOCGBIT_KEY, errno.ENOTTY, "is no input device"),
        (EVIOCGRAB, errno.EBUSY, "held by another program"),
        (EVIOCSCLOCKID, errno.EINVAL, "is no input device"),
    ],
)
def test_why_a_device_cannot_be_used_is_told_and_nothing_stays_open(call: int | str, number: int, said: str) -> None:
    bench = InputBench(refuses={call: number})
    with pytest.raises(HardwareFault, match=said):
        bench.start()
    if bench.kernel.opened:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(bench.kernel.reader)
    bench.close()


def test_a_device_without_the_key_is_told_so_by_its_name() -> None:
    bench = InputBench(keys={LEFT})
    with pytest.raises(HardwareFault, match="has no key BTN_THUMB"):
        bench.start()
    bench.close()


def test_what_is_no_input_device_is_told_so_by_the_real_kernel(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("")
    with pytest.raises(HardwareFault, match="is no input device"):
        EvdevSource(str(tmp_path / "text"), {"left": 1, "right": 2}).start(print)
    with pytest.raises(HardwareFault, match="is not there"):
        EvdevSource(str(tmp_path / "none"), {"left": 1, "right": 2}).start(print)


def test_calls_reach_the_kernel_with_the_kernels_own_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[int, object]] = []

    def ioctl(_descriptor: int, call: int, value: object) -> int:
        made.append((call, bytes(value) if isinstance(value, bytearray) else value))
        if isinstance(value, bytearray):
            value[0], value[95] = 0b10, 0b10000000
        return 0

    monkeypatch.setattr("hardware.evdev.fcntl.ioctl", ioctl)
    kernel = Kernel()
    kernel.tell(5, EVIOCSCLOCKID, CLOCK_MONOTONIC)
    kernel.tell(5, EVIOCGRAB, 1)
    assert kernel.ask(5, EVIOCGKEY) == {1, 767}
    kernel.ask(5, EVIOCGBIT_KEY)
    assert made[:2] == [(0x400445A0, b"\x01\x00\x00\x00"), (0x40044590, 1)]
    assert made[2:] == [(0x80604518, bytes(96)), (0x80604521, bytes(96))]


def test_the_keeper_takes_the_levels_over_after_dropped_events_and_finds_the_device_again() -> None:
    kernels: list[TwinKernel] = []

    def build() -> EvdevSource:
        kernels.append(TwinKernel())
        return EvdevSource("/dev/input/event7", {"left": LEFT, "right": RIGHT}, lambda: NOW, kernels[-1])

    woken = threading.Event()
    keeper = SourceKeeper(build, lambda: NOW, woken.set)
    keeper.start(NOW)
    kernels[0].down = {LEFT}
    kernels[0].send((EV_SYN, SYN_DROPPED, 0), (EV_SYN, 0, 0))
    for value in (1, 0):  # the second comes after whatever was read with the first
        woken.clear()
        kernels[0].key(RIGHT, value)
        assert woken.wait(60)
    assert [notice.code for notice in keeper.check(NOW)] == ["edges_lost"]
    assert keeper.wants_resync()
    assert keeper.levels() == {"left": True, "right": False}
    source = keeper._source
    assert isinstance(source, EvdevSource)
    assert source._thread is not None
    kernels[0].pull()
    source._thread.join(60)
    assert [notice.code for notice in keeper.check(NOW)] == ["source_dead", "source_restarted"]
    assert len(kernels) == 2
    keeper.close()
    kernels[1].pull()


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    sys = tmp_path / "sys"
    keyboard = {KEYS["KEY_A"], KEYS["KEY_L"], KEYS["KEY_ENTER"]}
    list_device(sys, 2, "Power Button", "0000:0001", {KEYS["KEY_POWER"]})
    list_device(sys, 3, "Arcade Stick", "0079:0006", {LEFT, RIGHT}, serial="A1")
    list_device(sys, 10, "Arcade Stick", "0079:0006", {LEFT, RIGHT}, serial="B2")
    list_device(sys, 11, "Keypad", "1a2c:0042", keyboard)
    list_device(sys, 12, "Keypad Mouse", "1a2c:0042", {KEYS["BTN_LEFT"]})
    list_device(sys, 13, "Lid Sensor", "0000:0005", set())
    (sys / "event14").mkdir()  # it goes away just now
    return sys, tmp_path / "dev"


def test_a_device_is_found_by_usb_id_serial_number_name_or_path(folders: tuple[Path, Path]) -> None:
    dev, keys = folders[1], {KEYS["KEY_A"], KEYS["KEY_L"]}
    assert find_input("usb:1A2C:0042", keys, *folders) == f"{dev}/event11"
    assert find_input("usb:0079:0006:B2", {LEFT, RIGHT}, *folders) == f"{dev}/event10"
    assert find_input("Keypad", keys, *folders) == f"{dev}/event11"
    assert find_input("/dev/input/by-id/x", keys, *folders) == "/dev/input/by-id/x"
    assert [device.name for device in input_devices(*folders)][:2] == ["Power Button", "Arcade Stick"]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("usb:0079:0006", r"2 devices are usb:0079:0006 \(.*event3, .*event10\)"),
        ("usb:1a2c:0042", "has no key BTN_TRIGGER"),
        ("Joystick", "Joystick is not there; plug it in"),
    ],
)
def test_no_device_is_taken_by_guess(folders: tuple[Path, Path], address: str, said: str) -> None:
    with pytest.raises(HardwareFault, match=said):
        EvdevSource(address, {"left": LEFT, "right": RIGHT}, folders=folders).start(print)


def test_addresses_that_can_be_none_are_known() -> None:
    assert all(map(is_input_address, ["/dev/input/by-id/x", "usb:0079:0006", "usb:0079:0006:A1", "DragonRise Inc. Joystick"]))
    assert not any(map(is_input_address, ["", "  ", "usb:79:6", "usb:", "a\nb"]))


def test_keys_have_the_kernels_names_and_numbers() -> None:
    assert (key_code("KEY_A"), key_code("BTN_TRIGGER"), key_code("288"), key_code("767")) == (30, 0x120, 288, 767)
    assert (key_name(30), key_name(600)) == ("KEY_A", "600")
    for wrong in ("A", "0", "768", "key_a", "", "9999999999", "²"):
        with pytest.raises(ValueError, match="is no key"):
            key_code(wrong)


def test_names_and_numbers_are_those_of_the_kernels_header() -> None:
    header = Path("/usr/include/linux/input-event-codes.h")
    if not header.exists():
        pytest.skip("the kernel's headers are not installed")
    found = re.findall(r"^#define\s+((?:KEY|BTN)_\w+)\s+(0x[0-9a-f]+|\d+)", header.read_text(), re.MULTILINE)
    numbers = {name: int(number, 0) for name, number in found}
    assert {name: numbers.get(name) for name in KEYS} == KEYS


def test_devices_are_listed_for_whoever_looks_for_his(folders: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([], folders=folders) == 0
    assert f"{folders[1]}/event11  usb:1a2c:0042  Keypad\n" in capsys.readouterr().out


class Typed(TwinKernel):
    """A device on which keys are pressed as soon as it is opened."""

    presses: tuple[int, ...] = ()

    def open(self, path: str) -> int:
        descriptor = super().open(path)
        for code in self.presses:
            self.key(code, 1)
            self.key(code, 0)
        self.pull()
        return descriptor


def test_keys_are_learned_by_pressing_them(capsys: pytest.CaptureFixture[str]) -> None:
    kernel = Typed()
    kernel.presses = (LEFT, LEFT, 600)
    assert main(["/dev/input/event7"], kernel) == 0
    assert capsys.readouterr().out.splitlines()[1:] == ['buttons_left = "BTN_TRIGGER"', 'buttons_right = "600"']


def test_learning_from_a_device_that_is_pulled_out_ends(capsys: pytest.CaptureFixture[str]) -> None:
    kernel = Typed()
    kernel.presses = (LEFT,)
    assert main(["/dev/input/event7"], kernel) == 0
    assert main(["Joystick"], kernel, (Path("/none"), Path("/none"))) == 1
    assert "is not there" in capsys.readouterr().err
    assert main(["/dev/input/event7"], TwinKernel(refuses={"open": errno.EACCES})) == 1
    assert "group input" in capsys.readouterr().err
