"""Which keys a device has, by pressing them: what is to be written into `kiosk.toml` for buttons through evdev.

python -m hardware.learn_keys             # the devices
python -m hardware.learn_keys DEVICE      # a path, usb:VENDOR:PRODUCT or a name; then press the left button, then the right one
"""

from __future__ import annotations

import select
import sys
from typing import TYPE_CHECKING

from hardware.edges import HardwareFault
from hardware.evdev import DEV, EV_KEY, EVENT, SYS, Kernel, find_input, input_devices, why_not
from hardware.keys import key_name

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def presses(descriptor: int) -> Iterator[int]:
    """The code of each key that is pressed from now on.

    Raises:
        OSError: The device was pulled out.
    """
    import os

    while True:
        select.select([descriptor], [], [])
        data = os.read(descriptor, EVENT.size * 64)
        if not data:
            return
        for *_, kind, code, value in EVENT.iter_unpack(data):
            if kind == EV_KEY and value == 1:
                yield code


def learn(address: str, kernel: Kernel, folders: tuple[Path, Path]) -> Iterator[str]:
    """Lines for `kiosk.toml`: each key as it is pressed, the left button's first, then another one.

    Raises:
        HardwareFault: The device cannot be read.
    """
    import os

    path = find_input(address, (), *folders)
    try:
        descriptor = kernel.open(path)
        try:
            left = None
            for code in presses(descriptor):
                if left is None:
                    left = code
                    yield f'buttons_left = "{key_name(code)}"'
                elif code != left:
                    yield f'buttons_right = "{key_name(code)}"'
                    return
        finally:
            os.close(descriptor)
    except OSError as error:
        raise HardwareFault(why_not(path, error)) from error


def main(arguments: list[str], kernel: Kernel | None = None, folders: tuple[Path, Path] = (SYS, DEV)) -> int:
    """List the devices, or tell the keys of one."""
    if not arguments:
        for device in input_devices(*folders):
            print(f"{device.path}  usb:{device.usb}  {device.name}")  # noqa: T201 - a command
        return 0
    print("Press the left button, then the right one.", flush=True)  # noqa: T201
    try:
        for line in learn(arguments[0], kernel or Kernel(), folders):
            print(line, flush=True)  # noqa: T201
    except HardwareFault as fault:
        print(fault, file=sys.stderr)  # noqa: T201
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
