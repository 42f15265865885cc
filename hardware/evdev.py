"""The kernel's input devices, by hand: what they are called, which keys they have, and the few calls that a button source needs.

python-evdev would do, but it has no wheels: every install would have to build it, with a compiler and the kernel's headers. What is needed
here is one structure and five calls.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hardware.edges import HardwareFault
from hardware.keys import LAST_KEY, key_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

EVENT = struct.Struct("@llHHi")
"""The kernel's input_event: seconds, microseconds, type, code, value."""

EV_SYN, EV_KEY = 0, 1
SYN_REPORT, SYN_DROPPED = 0, 3
CLOCK_MONOTONIC = 1

KEY_BYTES = LAST_KEY // 8 + 1

DEV = Path("/dev/input")
SYS = Path("/sys/class/input")

_WRITE, _READ = 1, 2


def _call(direction: int, number: int, size: int) -> int:
    return direction << 30 | size << 16 | ord("E") << 8 | number


EVIOCSCLOCKID = _call(_WRITE, 0xA0, 4)
"""Which clock stamps are of."""
EVIOCGRAB = _call(_WRITE, 0x90, 4)
"""Hold the device alone."""
EVIOCGKEY = _call(_READ, 0x18, KEY_BYTES)
"""Which keys are down. It also throws away the key events that wait to be read."""
EVIOCGBIT_KEY = _call(_READ, 0x20 + EV_KEY, KEY_BYTES)
"""Which keys the device has."""


class Kernel:
    """The calls, so that a test can stand in for the kernel."""

    def open(self, path: str) -> int:
        """Open a device without waiting."""
        return os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)

    def tell(self, descriptor: int, call: int, value: int) -> None:
        """A call that takes a number: a pointer to one for the clock, the number itself for holding the device."""
        fcntl.ioctl(descriptor, call, struct.pack("@i", value) if call == EVIOCSCLOCKID else value)

    def ask(self, descriptor: int, call: int) -> set[int]:
        """A call that fills a row of bits: which of them are set."""
        bits = bytearray(KEY_BYTES)
        fcntl.ioctl(descriptor, call, bits)
        return {8 * place + bit for place, byte in enumerate(bits) for bit in range(8) if byte >> bit & 1}


@dataclass(frozen=True, slots=True)
class InputDevice:
    """One of the kernel's input devices that has keys."""

    path: str
    name: str
    usb: str
    """Vendor and product, four hex digits each with a colon between; what is no USB device has them too."""
    serial: str
    keys: frozenset[int]


_USB = re.compile(r"usb:([0-9a-fA-F]{4}:[0-9a-fA-F]{4})(?::(\S+))?")


def is_input_address(text: str) -> bool:
    """Whether a text can name an input device: `usb:VENDOR:PRODUCT`, `usb:VENDOR:PRODUCT:SERIAL`, an absolute path, or a device's name."""
    return bool(text.strip()) and text.isprintable() and (not text.startswith("usb:") or _USB.fullmatch(text) is not None)


def input_devices(sys: Path = SYS, dev: Path = DEV) -> Iterator[InputDevice]:
    """Every input device with keys, by number; opens none of them."""
    for folder in sorted(sys.glob("event*"), key=lambda path: (len(path.name), path.name)):
        try:
            keys = _bits((folder / "device/capabilities/key").read_text())
            usb = ":".join((folder / "device/id" / what).read_text().strip().lower() for what in ("vendor", "product"))
            name, serial = ((folder / "device" / what).read_text().strip() for what in ("name", "uniq"))
        except OSError:
            continue  # it went away just now
        if keys:
            yield InputDevice(str(dev / folder.name), name, usb, serial, keys)


def _bits(words: str) -> frozenset[int]:
    """The kernel writes long words in hex, the highest first."""
    rows = [int(word, 16) for word in reversed(words.split())]
    width = 8 * struct.calcsize("@l")
    return frozenset(width * place + bit for place, row in enumerate(rows) for bit in range(width) if row >> bit & 1)


def find_input(address: str, keys: Iterable[int], sys: Path = SYS, dev: Path = DEV) -> str:
    """The path of the device that is meant.

    Args:
        address: As `is_input_address` takes it.
        keys: What it must have; a USB device is several input devices, and only one has them.
        sys: The kernel's list of input devices.
        dev: Where their files are.

    Raises:
        HardwareFault: None fits, or several do.
    """
    if address.startswith("/"):
        return address
    usb, wanted = _USB.fullmatch(address), set(keys)
    meant = [
        device
        for device in input_devices(sys, dev)
        if (device.name == address if usb is None else device.usb == usb[1].lower() and usb[2] in {None, device.serial})
    ]
    fit = [device.path for device in meant if wanted <= device.keys]
    if len(fit) == 1:
        return fit[0]
    if fit:
        raise HardwareFault(
            f"{len(fit)} devices are {address} ({', '.join(fit)}); name the one that is meant by its path in /dev/input/by-path."
        )
    if meant:
        lacking = ", ".join(key_name(code) for code in sorted(wanted - frozenset().union(*(device.keys for device in meant))))
        raise HardwareFault(f"The buttons' device {address} has no key {lacking or 'pair on one device'}; name keys that it has.")
    raise HardwareFault(f"The buttons' device {address} is not there; plug it in, it is found by itself.")


def why_not(path: str, error: OSError) -> str:
    """Why a device can't be used, in a sentence that says what to do."""
    match error.errno:
        case errno.ENOENT | errno.ENODEV | errno.ENXIO:
            return f"The buttons' device {path} is not there; plug it in, it is found by itself."
        case errno.EACCES | errno.EPERM:
            return f"The buttons' device {path} may not be read; let the user that runs this table join the group input."
        case errno.EBUSY:
            return f"The buttons' device {path} is held by another program; end that one."
        case errno.ENOTTY | errno.EINVAL | errno.EISDIR:
            return f"{path} is no input device; name one of /dev/input/by-id."
        case _:
            return f"The buttons' device {path} cannot be used ({error.strerror or error})."
