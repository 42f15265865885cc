"""Where this table's presses come from, as its configuration says: pins of the header, a button box on a cable, keys of an input device."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from hardware import (
    ButtonBox,
    EvdevSource,
    GpiodEdgeSource,
    GpiozeroEdgeSource,
    SerialEdgeSource,
    finder,
    key_code,
    lgpio_alive,
    lgpio_factory,
)
from hardware.watch import LONGEST_PAUSE_NS
from kiosk.domain.types import NS_PER_S

if TYPE_CHECKING:
    import contextlib
    from collections.abc import Callable

    from hardware import EdgeSource, SimulatedBox
    from kiosk.app.config import Config

HELLO_S = 5.0
"""A button box that is plugged in gets so long for its first hello: some boards begin anew when their cable is opened."""


def builder(config: Config, box: SimulatedBox | None, parts: contextlib.ExitStack) -> Callable[[], EdgeSource]:
    """What makes this table's button source.

    Args:
        config: The table's configuration.
        box: The simulated box, or None on real buttons.
        parts: Takes what is to be put away when the source is no longer needed.
    """
    if box is not None:
        return box.source
    match config.buttons:
        case "gpiod":
            return GpiodEdgeSource
        case "serial":
            return _serial(config, parts)
        case "evdev":
            return lambda: EvdevSource(
                config.buttons_device, {"left": key_code(config.buttons_left), "right": key_code(config.buttons_right)}
            )
        case _:
            return _pins(parts)


def runtime_folder(parts: contextlib.ExitStack) -> Path:
    """The folder where lgpio makes its pipe: the one that systemd gives, else one of our own.

    Args:
        parts: Takes what is to be put away in the end.
    """
    import tempfile

    return Path(os.environ.get("RUNTIME_DIRECTORY") or parts.enter_context(tempfile.TemporaryDirectory(prefix="tableside-")))


def _pins(parts: contextlib.ExitStack) -> Callable[[], EdgeSource]:
    folder = runtime_folder(parts)
    return lambda: GpiozeroEdgeSource(lgpio_factory(folder), driver_alive=lgpio_alive)


def _serial(config: Config, parts: contextlib.ExitStack) -> Callable[[], EdgeSource]:
    box = ButtonBox(finder(config.buttons_device))
    box.start()
    parts.callback(box.close)
    box.wait(HELLO_S)
    return lambda: SerialEdgeSource(box)


def longest_pause(config: Config) -> int:
    """How long the pause between two restarts of the source may grow, in nanoseconds: what can be plugged in again is looked for soon."""
    return NS_PER_S if config.buttons in {"serial", "evdev"} else LONGEST_PAUSE_NS
