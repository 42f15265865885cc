"""Names of keys and buttons as the kernel numbers them: those of keyboards, keypads, arcade encoders and game pads.

The names are the kernel's own, so that any tool that shows them can be used. A key that has no name here is written as its number.
"""

from __future__ import annotations

_ROWS = {
    1: "ESC 1 2 3 4 5 6 7 8 9 0 MINUS EQUAL BACKSPACE TAB Q W E R T Y U I O P LEFTBRACE RIGHTBRACE ENTER LEFTCTRL A S D F G H J K L",
    39: "SEMICOLON APOSTROPHE GRAVE LEFTSHIFT BACKSLASH Z X C V B N M COMMA DOT SLASH RIGHTSHIFT KPASTERISK LEFTALT SPACE CAPSLOCK",
    59: "F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 NUMLOCK SCROLLLOCK KP7 KP8 KP9 KPMINUS KP4 KP5 KP6 KPPLUS KP1 KP2 KP3 KP0 KPDOT",
    86: "102ND F11 F12",
    96: "KPENTER RIGHTCTRL KPSLASH SYSRQ RIGHTALT LINEFEED HOME UP PAGEUP LEFT RIGHT END DOWN PAGEDOWN INSERT DELETE",
    113: "MUTE VOLUMEDOWN VOLUMEUP POWER KPEQUAL KPPLUSMINUS PAUSE",
    125: "LEFTMETA RIGHTMETA COMPOSE STOP",
    163: "NEXTSONG PLAYPAUSE PREVIOUSSONG STOPCD",
    183: "F13 F14 F15 F16 F17 F18 F19 F20 F21 F22 F23 F24",
}
_BUTTONS = {
    0x100: "0 1 2 3 4 5 6 7 8 9",
    0x110: "LEFT RIGHT MIDDLE SIDE EXTRA FORWARD BACK TASK",
    0x120: "TRIGGER THUMB THUMB2 TOP TOP2 PINKIE BASE BASE2 BASE3 BASE4 BASE5 BASE6",
    0x130: "SOUTH EAST C NORTH WEST Z TL TR TL2 TR2 SELECT START MODE THUMBL THUMBR",
    0x220: "DPAD_UP DPAD_DOWN DPAD_LEFT DPAD_RIGHT",
    0x2C0: " ".join(f"TRIGGER_HAPPY{n}" for n in range(1, 41)),
}

KEYS: dict[str, int] = {
    f"{kind}_{name}": first + place
    for kind, rows in (("KEY", _ROWS), ("BTN", _BUTTONS))
    for first, names in rows.items()
    for place, name in enumerate(names.split())
}
"""Codes by name."""

NAMES = {code: name for name, code in KEYS.items()}
"""Names by code."""

LAST_KEY = 0x2FF
"""The kernel has no key beyond this."""


def key_code(name: str) -> int:
    """The code of a key.

    Args:
        name: As in `KEYS`, or a number from 1 to 767.

    Raises:
        ValueError: It is neither.
    """
    if name in KEYS:
        return KEYS[name]
    if name.isascii() and name.isdecimal() and 1 <= int(name[:5]) <= LAST_KEY:
        return int(name)
    raise ValueError(f"{name!r} is no key; write its name, as in KEY_A or BTN_TRIGGER, or its number.")


def key_name(code: int) -> str:
    """A key's name, or its number where it has none."""
    return NAMES.get(code, str(code))
