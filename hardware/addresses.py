"""How a serial device is named, and where it is now: by USB id wherever it is plugged in, or by a path.

Two devices with one chip (1a86:7523 is in readers, printers and boxes alike) have the same USB id. None is taken by guess: it is said that
the path has to be named.
"""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from hardware.edges import HardwareFault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_USB = re.compile(r"usb:([0-9a-fA-F]{4}):([0-9a-fA-F]{4})(?::(\S+))?")


class UsbPort(Protocol):
    """What pyserial tells of a port."""

    @property
    def device(self) -> str:
        """Its path."""
        ...

    @property
    def vid(self) -> int | None:
        """The USB vendor's number, where it is a USB device."""
        ...

    @property
    def pid(self) -> int | None:
        """The product's number, likewise."""
        ...

    @property
    def serial_number(self) -> str | None:
        """The device's own number, where it has one."""
        ...


@dataclass(frozen=True, slots=True)
class UsbPrinter:
    """A USB printer's character device, told as pyserial tells of a port."""

    device: str
    vid: int | None
    pid: int | None
    serial_number: str | None


def _ports() -> Iterable[UsbPort]:
    from serial.tools.list_ports import comports

    found: Iterable[UsbPort] = comports()
    return [*found, *usb_printers(Path("/sys/class/usbmisc"))]


def usb_printers(folder: Path) -> Iterator[UsbPrinter]:
    """USB printers that are no serial devices.

    Args:
        folder: Where the kernel tells of them; each is a folder `lp0` (1, 2 …) whose `device` is a part of the USB device.
    """
    for each in sorted(folder.glob("lp*")):
        whole = (each / "device").resolve().parent
        with contextlib.suppress(OSError, ValueError):  # pulled out while it was looked at
            vendor, product = (int((whole / name).read_text(), 16) for name in ("idVendor", "idProduct"))
            serial = whole / "serial"
            yield UsbPrinter(f"/dev/usb/{each.name}", vendor, product, serial.read_text().strip() if serial.exists() else None)


def is_address(text: str) -> bool:
    """Whether a text names a serial device: `usb:1a86:7523`, `usb:1a86:7523:SERIAL`, or an absolute path."""
    return _USB.fullmatch(text) is not None or (text.startswith("/") and text.isprintable())


def finder(address: str, ports: Callable[[], Iterable[UsbPort]] = _ports) -> Callable[[], str | None]:
    """What finds a device.

    Args:
        address: As `is_address` takes it.
        ports: Lists the ports that are there.

    Returns:
        Finds the device's path, or None where it is not there. It raises HardwareFault where two devices fit.

    Raises:
        ValueError: The address is none.
    """
    usb = _USB.fullmatch(address)
    if usb is None:
        if not is_address(address):
            raise ValueError(
                f"{address!r} names no serial device; write usb:1a86:7523, usb:1a86:7523:SERIAL or a path such as /dev/ttyUSB0."
            )
        return lambda: address if os.path.exists(address) else None  # noqa: PTH110 - called a few times a second
    vendor, product, serial = int(usb[1], 16), int(usb[2], 16), usb[3]

    def find() -> str | None:
        fit = sorted(
            port.device
            for port in ports()
            if port.vid == vendor and port.pid == product and (serial is None or (port.serial_number or "") == serial)
        )
        if len(fit) > 1:
            raise HardwareFault(
                f"{len(fit)} devices are {address} ({', '.join(fit)}); name the one that is meant by its path under /dev/serial/by-path."
            )
        return fit[0] if fit else None

    return find
