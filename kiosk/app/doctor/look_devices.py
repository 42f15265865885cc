"""Finds out whether the devices that are configured are there: each by its address, without opening it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hardware import HardwareFault, finder, key_code
from kiosk.app.doctor.figures import PartFigures
from kiosk.say import _, mark

if TYPE_CHECKING:
    from kiosk.app.config import Config

DEVICES = {
    "badges": mark("Badge reader"),
    "printer": mark("Receipt printer"),
}
"""Every key of the configuration that names a serial device."""


def look_at_buttons(config: Config) -> PartFigures:
    """The button box or the keypad that the buttons are on; it is not opened."""
    what, address = _("Button box") if config.buttons == "serial" else _("Buttons' keys"), config.buttons_device
    try:
        path = finder(address)() if config.buttons == "serial" else _keys(config)
    except HardwareFault as fault:
        return PartFigures("buttons_device", what, address, fault=str(fault))
    if path is None or not os.path.exists(path):  # noqa: PTH110 - a path as text, as the finder gives it
        return PartFigures("buttons_device", what, address, fault=_("{address} is not plugged in", address=address))
    return PartFigures("buttons_device", what, address, detail=address if path == address else f"{address}: {path}")


def _keys(config: Config) -> str:
    from hardware.evdev import find_input

    codes = (key_code(config.buttons_left), key_code(config.buttons_right))
    return find_input(config.buttons_device, [code for code in codes if code is not None])


def look_at_device(config: Config, key: str) -> PartFigures:
    """One device.

    Args:
        config: The table's configuration.
        key: One of `DEVICES`.
    """
    what, address = _(DEVICES[key]), getattr(config, key)
    if not address:
        return PartFigures(key, what)
    path = finder(address)()
    if path is None:
        return PartFigures(key, what, address, fault=_("{address} is not plugged in", address=address))
    if not os.access(path, os.R_OK | os.W_OK):
        return PartFigures(key, what, address, fault=_("{path} may not be used by this user; join the group dialout", path=path))
    return PartFigures(key, what, address, detail=address if path == address else f"{address}: {path}")
