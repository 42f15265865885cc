"""A serial device is found, lost and found again, and nothing that it does ends its thread."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from hardware import HardwareFault, LinkHealth, SerialLink, SimulatedPort, finder, is_address
from hardware.addresses import usb_printers
from hardware.serial_port import FLOOD_BYTES, FLOOD_NS, MOST_UNSENT
from tests.hardware.serial_twins import QUICK, Bell, heard


@dataclass
class Port:
    device: str
    vid: int | None = 0x1A86
    pid: int | None = 0x7523
    serial_number: str | None = None


def test_bytes_come_in_with_the_instant_at_which_they_were_there(tmp_path: Path) -> None:
    with heard(tmp_path / "tty") as one:
        before = time.monotonic_ns()
        one.port.send(b"\x02hello\xff\n\r\x11\x13\x03")
        one.bell.until(lambda: len(one.data) == 12)
        assert one.data == b"\x02hello\xff\n\r\x11\x13\x03"
        assert before <= one.stamps[0] <= time.monotonic_ns()
        assert one.link.health().received == 12


def test_bytes_go_out_whole_and_in_order(tmp_path: Path) -> None:
    with heard(tmp_path / "tty") as one:
        data = bytes(range(256)) * 40
        assert one.link.write(data[:5000])
        assert one.link.write(data[5000:])
        one.bell.until(lambda: len(one.written) == len(data))
        assert one.written == data
        one.bell.until(lambda: one.link.unsent() == 0)


def test_a_device_that_is_plugged_in_later_is_found(tmp_path: Path) -> None:
    with heard(tmp_path / "tty", plugged=False) as one:
        one.bell.until(lambda: "not there" in (one.link.health().fault or ""))
        assert not one.link.write(b"nobody hears this")
        one.port.plug()
        one.bell.until(one.connected)
        assert one.link.health().fault is None
        assert one.link.health().path == str(tmp_path / "tty")


def test_pulled_out_in_mid_frame_and_put_back_it_goes_on(tmp_path: Path) -> None:
    with heard(tmp_path / "tty") as one:
        for round_number in range(3):
            one.port.send(b"half")
            one.bell.until(lambda wanted=4 * (round_number + 1): len(one.data) == wanted)
            one.port.unplug()
            one.bell.until(lambda: not one.connected())
            assert not one.link.write(b"lost")
            one.port.plug()
            one.bell.until(one.connected)
        assert one.changes == [True, False] * 3 + [True]
        assert one.link.health().opened == 4
        one.bell.until(lambda: one.written == b"")


def test_what_waited_for_a_device_that_was_pulled_out_is_dropped(tmp_path: Path) -> None:
    master, slave = os.openpty()  # nobody reads at its far end
    (tmp_path / "tty").symlink_to(os.ttyname(slave))
    bell = Bell()
    link = SerialLink(finder(str(tmp_path / "tty")), 9600, lambda _data, _at: None, bell.ring, pauses=QUICK)
    link.start()
    bell.until(lambda: link.health().connected)
    assert link.write(bytes(200_000))
    (tmp_path / "tty").unlink()
    os.close(slave)
    os.close(master)
    bell.until(lambda: not link.health().connected)
    assert link.unsent() == 0
    link.close()


def test_what_is_thought_better_of_is_not_written(tmp_path: Path) -> None:
    master, slave = os.openpty()
    (tmp_path / "tty").symlink_to(os.ttyname(slave))
    bell = Bell()
    link = SerialLink(finder(str(tmp_path / "tty")), 9600, lambda _data, _at: None, bell.ring, pauses=QUICK)
    link.start()
    bell.until(lambda: link.health().connected)
    assert link.write(bytes(200_000))
    link.discard()
    assert link.unsent() == 0
    link.close()
    os.close(slave)
    os.close(master)


def test_more_than_can_be_kept_is_refused_whole(tmp_path: Path) -> None:
    with heard(tmp_path / "tty") as one:
        assert not one.link.write(bytes(MOST_UNSENT + 1))
        assert one.link.unsent() == 0


def test_a_listeners_fault_is_told_and_the_device_goes_on(tmp_path: Path) -> None:
    with heard(tmp_path / "tty", fails=True) as one:
        one.port.send(b"a")
        one.bell.until(lambda: "a listener's fault" in (one.link.health().fault or ""))
        one.fails = False
        one.port.send(b"b")
        one.bell.until(lambda: one.data == b"ab")
        assert one.connected()


def test_a_flood_waits_for_the_end_of_its_quarter_of_a_second(tmp_path: Path) -> None:
    with heard(tmp_path / "tty") as one:
        one.port.send(bytes(2 * FLOOD_BYTES))
        one.bell.until(lambda: len(one.data) == 2 * FLOOD_BYTES)
        assert one.stamps[-1] - one.stamps[0] >= FLOOD_NS - 1_000_000


def test_a_device_that_somebody_else_holds_is_told_and_taken_when_it_is_free(tmp_path: Path) -> None:
    with heard(tmp_path / "tty") as one:
        bell = Bell()
        second = SerialLink(finder(str(tmp_path / "tty")), 9600, lambda _data, _at: None, bell.ring, name="printer", pauses=QUICK)
        second.start()
        bell.until(lambda: "The printer cannot be opened" in (second.health().fault or ""))
        one.link.close()
        bell.until(lambda: second.health().connected)
        second.close()


def test_closing_twice_and_closing_what_was_never_started_is_no_error(tmp_path: Path) -> None:
    with heard(tmp_path / "tty") as one:
        one.link.close()
        one.link.close()
    link = SerialLink(finder(str(tmp_path / "none")), 9600, lambda _data, _at: None)
    link.close()
    assert link.health() == LinkHealth()


def test_closing_does_not_wait_for_the_rest_to_be_written(tmp_path: Path) -> None:
    with heard(tmp_path / "tty") as one:
        held = Bell()
        let_go = [False]
        one.port._on_written = lambda _data: held.until(lambda: let_go[0])
        one.link.write(bytes(100_000))
        one.link.close()
        assert one.link._thread is None
        let_go[0] = True
        held.ring()


def test_a_device_that_is_no_terminal_is_opened_plainly(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "lp0")
    bell, data = Bell(), bytearray()
    link = SerialLink(finder(str(tmp_path / "lp0")), 9600, lambda more, _at: data.extend(more), bell.ring)
    link.start()
    bell.until(lambda: link.health().connected)
    link.write(b"printed")  # a pipe that is open at both ends gives back what it is given
    bell.until(lambda: data == b"printed")
    link.close()


def test_a_usb_device_is_found_by_its_id_wherever_it_is_plugged_in() -> None:
    ports = [Port("/dev/ttyS0", None, None), Port("/dev/ttyACM0", 0x2341, 0x0043, "A1"), Port("/dev/ttyUSB3")]
    assert finder("usb:1a86:7523", lambda: ports)() == "/dev/ttyUSB3"
    assert finder("usb:2341:0043:A1", lambda: ports)() == "/dev/ttyACM0"
    assert finder("usb:2341:0043:A2", lambda: ports)() is None
    assert finder("usb:0403:6001", lambda: ports)() is None


def test_of_two_devices_with_the_same_id_none_is_taken_by_guess() -> None:
    ports = [Port("/dev/ttyUSB1"), Port("/dev/ttyUSB0")]
    with pytest.raises(HardwareFault, match=r"2 devices are usb:1a86:7523 \(/dev/ttyUSB0, /dev/ttyUSB1\); .*by-path"):
        finder("usb:1a86:7523", lambda: ports)()
    link = SerialLink(finder("usb:1a86:7523", lambda: ports), 9600, lambda _data, _at: None, (bell := Bell()).ring)
    link.start()
    bell.until(lambda: "by-path" in (link.health().fault or ""))
    link.close()


def test_usb_printers_that_are_no_serial_devices_are_found_too(tmp_path: Path) -> None:
    for name, product, serial in (("lp0", "0e15", "J1\n"), ("lp1", "0202", None), ("lp2", "none", None)):
        part = tmp_path / "devices" / name / "1-1:1.0"
        part.mkdir(parents=True)
        (part.parent / "idVendor").write_text("04b8\n")
        (part.parent / "idProduct").write_text(product + "\n")
        if serial is not None:
            (part.parent / "serial").write_text(serial)
        (tmp_path / "usbmisc" / name).mkdir(parents=True)
        (tmp_path / "usbmisc" / name / "device").symlink_to(part)
    found = list(usb_printers(tmp_path / "usbmisc"))
    assert [(one.device, one.serial_number) for one in found] == [("/dev/usb/lp0", "J1"), ("/dev/usb/lp1", None)]
    assert finder("usb:04b8:0e15:J1", lambda: found)() == "/dev/usb/lp0"
    assert list(usb_printers(tmp_path / "nowhere")) == []


def test_the_ports_of_this_machine_can_be_listed() -> None:
    assert finder("usb:ffff:fffe")() is None


@pytest.mark.parametrize("text", ["usb:1a86", "usb:1a86:75234", "ttyUSB0", "", "/dev/tty\n"])
def test_what_names_no_device_is_refused_with_a_sentence(text: str) -> None:
    assert not is_address(text)
    with pytest.raises(ValueError, match="names no serial device; write usb:"):
        finder(text)


def test_a_simulated_cable_can_be_plugged_and_pulled_twice(tmp_path: Path) -> None:
    port = SimulatedPort(tmp_path / "tty")
    port.send(b"nobody hears it")
    port.plug()
    port.plug()
    port.send(b"unheard")
    port.unplug()
    port.unplug()
    assert not (tmp_path / "tty").exists()
