"""Where this table keeps its things, and what its organizer has set.

The configuration is a folder: `kiosk.toml` (optional) and `rulebooks/*.toml`. Keys of `kiosk.toml`:

    table = "12"                # this table's name, shown and stored
    data = "/var/lib/tableside" # the journal's folder
    buttons = "lgpio"           # or "gpiod": which library reads the pins
    media = "/media/usb"        # every folder in it is a USB stick; without it the system is asked which are mounted
    language = "ru"             # en, ru, uk or mk; without it as the system says (LANG)
    badges = "usb:1a86:7523"    # the badge reader: usb:VENDOR:PRODUCT, usb:VENDOR:PRODUCT:SERIAL, or a path; without it there is none
    badges_baud = "9600"        # its speed, in bits a second
    printer = "/dev/ttyUSB1"    # the receipt printer (ESC/POS, 80 mm), named likewise
    printer_baud = "19200"      # its speed
    inch = "7"                  # the panel's diagonal, for targets of 12 mm; without it the usual one of its pixels
    display = "kms"             # the panel itself; or "cage", "window", "auto" (without it)
    rotate = "90"               # how far the picture is turned clockwise on the panel: 0, 90, 180 or 270
    touch = "swap,flip-x"       # what is wrong with the touch controller's figures, or 90, 180, 270: how the foil is turned
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from kiosk.domain.errors import KioskError
from kiosk.domain.setup import LONGEST_NAME
from kiosk.domain.text import seen
from kiosk.say import LANGUAGES, _, mark
from kiosk.shell.group import spoken_here
from kiosk.ui.mount import Display, Mount


class ConfigError(KioskError, ValueError):
    """You erred: the configuration says something that cannot be; the text names file and key."""


DEVICE = mark("a serial device: usb:1a86:7523, usb:1a86:7523:SERIAL, or a path such as /dev/ttyUSB0")
BAUD = mark("a speed from 300 to 921600 bits a second, as a text")

KEYS = {
    "table": mark("one line of at most 100 characters"),
    "data": mark("a folder's path"),
    "media": mark("a folder's path"),
    "language": mark("en, ru, uk or mk"),
    "buttons": mark("lgpio or gpiod"),
    "badges": DEVICE,
    "badges_baud": BAUD,
    "printer": DEVICE,
    "printer_baud": BAUD,
    "inch": mark("a number from 3 to 100, as a text"),
    "display": mark("auto, kms, cage or window"),
    "rotate": mark("0, 90, 180 or 270, as a text"),
    "touch": mark("0, 90, 180 or 270, or words of swap, flip-x and flip-y with commas between them"),
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
    """Which library reads the pins."""
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
    inch: float | None = None
    """The panel's diagonal in inches, where it is not the usual one."""
    display: Display = "auto"
    """On what the picture is shown."""
    mount: Mount = Mount()
    """How the panel is mounted: the keys `rotate` and `touch`."""

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
    data = Path(plain["data"]).expanduser() if "data" in plain else _xdg("XDG_DATA_HOME", ".local/share") / "tableside"
    if not data.is_absolute():
        data = home / data
    return Config(
        folder=home,
        data=data,
        table=plain.get("table", ""),
        buttons=plain.get("buttons", "lgpio"),
        media=home / Path(plain["media"]).expanduser() if "media" in plain else None,
        language=plain.get("language") or spoken_here(),
        badges=plain.get("badges"),
        badges_baud=int(plain.get("badges_baud", "9600")),
        printer=plain.get("printer"),
        printer_baud=int(plain.get("printer_baud", "19200")),
        inch=float(plain["inch"]) if "inch" in plain else None,
        display=_display(plain.get("display")),
        mount=Mount.of(plain.get("rotate", "0"), plain.get("touch", "")),
    )


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
        if not isinstance(value, str) or not _fits(key, value):
            raise ConfigError(_("{path}: {key} must be {keys}.", path=path, key=key, keys=_(KEYS[key])))
    return plain


def _fits(key: str, value: str) -> bool:
    match key:
        case "table":
            return len(value) <= LONGEST_NAME and seen(value)
        case "data" | "media":
            return bool(value.strip())
        case "language":
            return value in LANGUAGES
        case "buttons":
            return value in {"lgpio", "gpiod"}
        case "badges" | "printer":
            from hardware import is_address

            return is_address(value)
        case "badges_baud" | "printer_baud":
            return value.isascii() and value.isdecimal() and 300 <= int(value[:7]) <= 921_600
        case "inch":
            return value.replace(".", "", 1).isdecimal() and value.isascii() and 3 <= float(value) <= 100
        case "display":
            return value in get_args(Display)
        case "rotate":
            return _mounts(value, "")
        case "touch":
            return _mounts("0", value)
        case _:
            return True


def _mounts(rotate: str, touch: str) -> bool:
    try:
        Mount.of(rotate, touch)
    except ValueError:
        return False
    return True
