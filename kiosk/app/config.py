"""Where this table keeps its things, and what its organizer has set.

The configuration is a folder: `kiosk.toml` (optional) and `rulebooks/*.toml`. Keys of `kiosk.toml`:

    table = "12"                # this table's name, shown and stored
    data = "/var/lib/tableside" # the journal's folder
    buttons = "lgpio"           # or "gpiod": which library reads the pins; "serial": a button box; "evdev": keys of a keypad or encoder
    buttons_device = "usb:2341:8036" # which box or keypad: an address as below, for evdev also a device's name
    buttons_left = "KEY_A"      # evdev: the left button's key, by the kernel's name or number
    buttons_right = "KEY_L"     # and the right one's
    media = "/media/usb"        # every folder in it is a USB stick; without it the system is asked which are mounted
    language = "ru"             # en, ru, uk or mk; without it as the system says (LANG)
    badges = "usb:1a86:7523"    # the badge reader: usb:VENDOR:PRODUCT, usb:VENDOR:PRODUCT:SERIAL, or a path; without it there is none
    badges_baud = "9600"        # its speed, in bits a second
    printer = "/dev/ttyUSB1"    # the receipt printer (ESC/POS, 80 mm), named likewise
    printer_baud = "19200"      # its speed
    printer_answers = "on"      # or "off": it, or its cable, never says how it is
    inch = "7"                  # the panel's diagonal, for targets of 12 mm; without it the usual one of its pixels
    lamps = "on"                # each button has a lamp; without it there are none
    sound = "gpio"              # a piezo on its pin, or "speaker": the sound output; without it the table is silent
    volume_press = "2"          # 0 off, 1 soft, 2 medium, 3 loud; likewise alert, last_seconds, flag; until somebody chooses on the screen
    quiet = "on"                # a quiet hall: nothing is more than soft, and no time is heard; likewise
    display = "kms"             # the panel itself; or "cage", "window", "auto" (without it)
    rotate = "90"               # how far the picture is turned clockwise on the panel: 0, 90, 180 or 270
    touch = "swap,flip-x"       # what is wrong with the touch controller's figures, or 90, 180, 270: how the foil is turned
    dim_after = "2"             # after how many minutes a table at rest dims (0 is never)
    brightness = "80"           # how bright a lit panel is, in percent
    backlight = "10-0045"       # a name below /sys/class/backlight, a path, or "none"; without it the panel's own is found
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from operator import contains
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from kiosk.domain.errors import KioskError
from kiosk.domain.setup import LONGEST_NAME
from kiosk.domain.text import seen
from kiosk.ports import Volumes
from kiosk.say import LANGUAGES, _, mark
from kiosk.shell.group import spoken_here
from kiosk.ui.mount import Display, Mount

if TYPE_CHECKING:
    from collections.abc import Callable, Collection


class ConfigError(KioskError, ValueError):
    """You erred: the configuration says something that cannot be; the text names file and key."""


_VOLUME = mark("0, 1, 2 or 3, as a text")
DEVICE = mark("a serial device: usb:1a86:7523, usb:1a86:7523:SERIAL, or a path such as /dev/ttyUSB0")
BAUD = mark("a speed from 300 to 921600 bits a second, as a text")
KEY = mark("a key such as KEY_A or BTN_TRIGGER, or its number as a text")

KEYS = {
    "table": mark("a text of one line, at most 100 characters, in quotes"),
    "data": mark("a folder's path"),
    "media": mark("a folder's path"),
    "language": mark("en, ru, uk or mk"),
    "buttons": mark("lgpio, gpiod, serial or evdev"),
    "buttons_device": mark("a serial or input device: usb:2341:8036, usb:2341:8036:SERIAL, a path, or an input device's name"),
    "buttons_left": KEY,
    "buttons_right": KEY,
    "badges": DEVICE,
    "badges_baud": BAUD,
    "printer": DEVICE,
    "printer_baud": BAUD,
    "printer_answers": mark("on or off"),
    "inch": mark("a number from 3 to 100, as a text"),
    "lamps": mark("on or off"),
    "sound": mark("gpio, speaker or off"),
    "volume_press": _VOLUME,
    "volume_alert": _VOLUME,
    "volume_last_seconds": _VOLUME,
    "volume_flag": _VOLUME,
    "quiet": mark("on or off"),
    "display": mark("auto, kms, cage or window"),
    "rotate": mark("0, 90, 180 or 270, as a text"),
    "touch": mark("0, 90, 180 or 270, or words of swap, flip-x and flip-y with commas between them"),
    "dim_after": mark("a number of minutes from 0 to 240, as a text"),
    "brightness": mark("a number of percent from 5 to 100, as a text"),
    "backlight": mark("a name below /sys/class/backlight, a folder's path, or none"),
}
"""Every key of kiosk.toml, and what it wants."""


@dataclass(frozen=True)
class Config:
    """A table's configuration."""

    folder: Path
    """The configuration's folder."""
    data: Path
    """Where the journal lives."""
    table: str = ""
    """This table's name."""
    buttons: str = "lgpio"
    """Where presses come from: `lgpio` and `gpiod` read pins, `serial` a button box, `evdev` keys of an input device."""
    buttons_device: str = ""
    """Which button box or input device."""
    buttons_left: str = ""
    """The left button's key, where an input device has it."""
    buttons_right: str = ""
    """The right button's."""
    media: Path | None = None
    """Every folder in it is a USB stick; None: the system is asked which are mounted."""
    language: str = "en"
    """What is spoken on the command line, and on the screen until somebody chooses there."""
    badges: str | None = None
    """The badge reader's address, as `hardware.finder` takes it; None: there is none."""
    badges_baud: int = 9600
    """Its speed, in bits a second."""
    printer: str | None = None
    """The receipt printer's address, likewise."""
    printer_baud: int = 19200
    """Its speed."""
    printer_answers: bool = True
    """It says how it is."""
    inch: float | None = None
    """The panel's diagonal in inches, where it is not the usual one."""
    lamps: bool = False
    """Each button has a lamp."""
    sound: str = "off"
    """`gpio`, `speaker` or `off`."""
    volumes: Volumes = Volumes()
    """How loud each sound is until somebody chooses on the screen."""
    display: Display = "auto"
    """On what the picture is shown."""
    mount: Mount = Mount()
    """How the panel is mounted: the keys `rotate` and `touch`."""
    dim_after: int = 2
    """After how many minutes a table at rest dims; 0 is never."""
    brightness: float = 1.0
    """How bright a lit panel is, from 0 to 1."""
    backlight: str = ""
    """Which backlight is set; an empty text is the panel's own, `none` is none."""

    @property
    def journal(self) -> Path:
        """The journal's file."""
        return self.data / "journal.db"

    @property
    def officials(self) -> Path:
        """Who may sign in."""
        return self.data / "officials.json"

    @property
    def rulebooks(self) -> Path:
        """The organizer's own rulebooks."""
        return self.folder / "rulebooks"


def load(folder: Path | None) -> Config:
    """Read the configuration.

    Args:
        folder: The folder named on the command line; None looks at TABLESIDE_CONFIG, then at the user's configuration.

    Raises:
        ConfigError: A named folder does not exist, or kiosk.toml is wrong.
    """
    named = folder or (Path(os.environ["TABLESIDE_CONFIG"]) if os.environ.get("TABLESIDE_CONFIG") else None)
    if named is not None and not named.is_dir():
        raise ConfigError(_("--config: {named} is not a folder.", named=named))
    home = named or _xdg("XDG_CONFIG_HOME", ".config") / "tableside"
    path = home / "kiosk.toml"
    plain = _read(path) if path.exists() else {}
    _check_buttons(path, plain)
    data = Path(plain["data"]).expanduser() if "data" in plain else _xdg("XDG_DATA_HOME", ".local/share") / "tableside"
    if not data.is_absolute():
        data = home / data
    return Config(
        folder=home,
        data=data,
        table=plain.get("table", ""),
        buttons=plain.get("buttons", "lgpio"),
        buttons_device=plain.get("buttons_device", ""),
        buttons_left=plain.get("buttons_left", ""),
        buttons_right=plain.get("buttons_right", ""),
        media=home / Path(plain["media"]).expanduser() if "media" in plain else None,
        language=plain.get("language") or spoken_here(),
        badges=plain.get("badges"),
        badges_baud=int(plain.get("badges_baud", "9600")),
        printer=plain.get("printer"),
        printer_baud=int(plain.get("printer_baud", "19200")),
        printer_answers=plain.get("printer_answers", "on") == "on",
        inch=float(plain["inch"]) if "inch" in plain else None,
        lamps=plain.get("lamps") == "on",
        sound=plain.get("sound", "off"),
        volumes=_volumes(plain),
        display=_display(plain.get("display")),
        mount=Mount.of(plain.get("rotate", "0"), plain.get("touch", "")),
        dim_after=int(plain.get("dim_after", "2")),
        brightness=int(plain.get("brightness", "100")) / 100,
        backlight=plain.get("backlight", ""),
    )


def _volumes(plain: dict[str, str]) -> Volumes:
    names = ("press", "alert", "last_seconds", "flag")
    chosen = {name: int(plain[f"volume_{name}"]) for name in names if f"volume_{name}" in plain}
    return Volumes(**chosen, quiet=plain.get("quiet") == "on")


def _display(word: str | None) -> Display:
    return next((known for known in get_args(Display) if known == word), "auto")


def _xdg(variable: str, fallback: str) -> Path:
    return Path(os.environ.get(variable) or Path.home() / fallback)


def _read(path: Path) -> dict[str, str]:
    import tomllib

    try:
        plain = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise ConfigError(_("{path}: the configuration cannot be read: {why}.", path=path, why=error.strerror or error)) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError(_("{path}:{line}: this is not UTF-8 text; save the file as UTF-8.", path=path, line=line)) from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(_("{path}: this is not TOML: {error}.", path=path, error=error)) from error
    for key, value in plain.items():
        if key not in KEYS:
            raise ConfigError(
                _("{path}: {key} is no key of the configuration; known are {names}.", path=path, key=key, names=", ".join(KEYS))
            )
        if not isinstance(value, str) or not _FITS[key](value):
            raise ConfigError(_("{path}: {key} must be {keys}.", path=path, key=key, keys=_(KEYS[key])))
    return plain


_ON_OFF = ("on", "off")
_VOLUMES = ("0", "1", "2", "3")
_WORDS: dict[str, Collection[str]] = {
    "language": LANGUAGES,
    "buttons": ("lgpio", "gpiod", "serial", "evdev"),
    "display": get_args(Display),
    "lamps": _ON_OFF,
    "sound": ("gpio", "speaker", "off"),
    "volume_press": _VOLUMES,
    "volume_alert": _VOLUMES,
    "volume_last_seconds": _VOLUMES,
    "volume_flag": _VOLUMES,
    "quiet": _ON_OFF,
    "printer_answers": _ON_OFF,
}
"""Keys that want one of a few words."""


def _check_buttons(path: Path, plain: dict[str, str]) -> None:
    """What the keys of the buttons must be together.

    Raises:
        ConfigError: One is missing, or they do not go with each other.
    """
    kind = plain.get("buttons", "lgpio")
    needed = {"serial": ["buttons_device"], "evdev": ["buttons_device", "buttons_left", "buttons_right"]}.get(kind, [])
    for key in needed:
        if key not in plain:
            raise ConfigError(_('{path}: buttons = "{kind}" also needs {key}: {keys}.', path=path, kind=kind, key=key, keys=_(KEYS[key])))
    if kind == "serial" and not _is_serial(plain["buttons_device"]):
        raise ConfigError(_("{path}: {key} must be {keys}.", path=path, key="buttons_device", keys=_(DEVICE)))
    if kind == "evdev" and _key(plain["buttons_left"]) == _key(plain["buttons_right"]):
        raise ConfigError(_("{path}: buttons_left and buttons_right are the same key; each button needs one of its own.", path=path))


def _is_serial(value: str) -> bool:
    from hardware import is_address

    return is_address(value)


def _is_input(value: str) -> bool:
    from hardware import is_input_address

    return is_input_address(value)


def _key(value: str) -> int | None:
    from hardware import key_code

    try:
        return key_code(value)
    except ValueError:
        return None


def _is_baud(value: str) -> bool:
    return _whole(value, 300, 921_600)


def _is_inch(value: str) -> bool:
    return value.replace(".", "", 1).isdecimal() and value.isascii() and 3 <= float(value) <= 100


def _whole(value: str, least: int, most: int) -> bool:
    return value.isascii() and value.isdecimal() and least <= int(value[:7]) <= most


def _mounts(rotate: str, touch: str) -> bool:
    try:
        Mount.of(rotate, touch)
    except ValueError:
        return False
    return True


_FITS: dict[str, Callable[[str], bool]] = {
    "table": lambda value: len(value) <= LONGEST_NAME and seen(value),
    "data": lambda value: bool(value.strip()),
    "media": lambda value: bool(value.strip()),
    "backlight": lambda value: bool(value.strip()),
    "buttons_device": _is_input,
    "buttons_left": lambda value: _key(value) is not None,
    "buttons_right": lambda value: _key(value) is not None,
    "badges": _is_serial,
    "badges_baud": _is_baud,
    "printer": _is_serial,
    "printer_baud": _is_baud,
    "inch": _is_inch,
    "rotate": lambda value: _mounts(value, ""),
    "touch": lambda value: _mounts("0", value),
    "dim_after": lambda value: _whole(value, 0, 240),
    "brightness": lambda value: _whole(value, 5, 100),
    **{key: partial(contains, words) for key, words in _WORDS.items()},
}
"""Whether a value can be that of its key."""
