"""How a server is set up: `server.toml` in its data folder, and the options of `kiosk-server run` above it.

host = "0.0.0.0"            # where it listens; 0.0.0.0: on every address
port = 8443
database = "postgresql://tableside@localhost/tableside"   # without it SQLite in the data folder
address = "https://board.example.org"   # how people reach it, where that is not this machine's address
workers = 1                 # processes; more than one with PostgreSQL only
announce = true             # tell the local network by DNS-SD
zone = "Europe/Kyiv"        # dates on pages; without it the system's
certificate = "proxy.crt"   # the certificate that tables see, where a reverse proxy stands before the server
backups = "/mnt/stick"      # where the hourly backups go; without it backups/ in the data folder
hourly = 24                 # so many hourly ones are kept
daily = 14                  # so many daily ones
"""

from __future__ import annotations

import json
import os
import tomllib
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from kiosk.say import _, mark
from kiosk.server.problems import WrongUse

PORT = 8443
FILE = "server.toml"
DATABASE = "event.db"
HEAD = "# How this server is set up; the keys stand in the reference, section “The server”."

KEYS = {
    "host": (str, mark("an address of this machine, as a text")),
    "port": (int, mark("a number from 1 to 65535")),
    "database": (str, mark("postgresql://USER@HOST/NAME, as a text")),
    "address": (str, mark("an address that begins with https://, as a text")),
    "workers": (int, mark("a number from 1 to 32")),
    "announce": (bool, mark("true or false")),
    "zone": (str, mark("a time zone such as Europe/Kyiv, as a text")),
    "certificate": (str, mark("a file's path")),
    "backups": (str, mark("a folder's path")),
    "hourly": (int, mark("a number from 1 to 1000")),
    "daily": (int, mark("a number from 0 to 1000")),
}
"""Every key of server.toml, its kind, and what it wants."""

_BOUNDS = {"port": (1, 65_535), "workers": (1, 32), "hourly": (1, 1000), "daily": (0, 1000)}


@dataclass(frozen=True, slots=True)
class Settings:
    """How one server is set up."""

    folder: Path
    """Its data folder."""
    database: str = ""
    """The database's address; empty: SQLite in the data folder."""
    host: str = "0.0.0.0"  # noqa: S104 - a server of a hall is there for the hall
    """Where it listens."""
    port: int = PORT
    address: str = ""
    """How people reach it; empty: this machine's address."""
    plain: bool = False
    """Without TLS, on this machine only."""
    workers: int = 1
    announce: bool = True
    zone: tzinfo | None = None
    """In which dates are told on pages; None: UTC."""
    certificate: Path | None = None
    """The certificate that tables see where a reverse proxy stands before the server."""
    backups: Path = Path("backups")
    """Where the hourly backups go."""
    hourly: int = 24
    daily: int = 14

    @property
    def url(self) -> str:
        """The database's address."""
        return self.database or f"sqlite:///{self.folder / DATABASE}"

    @property
    def is_sqlite(self) -> bool:
        """Whether the database is a file of its own."""
        return self.url.startswith("sqlite")


def default_folder() -> Path:
    """The data folder where none is named: `TABLESIDE_SERVER`, else beside the table's."""
    named = os.environ.get("TABLESIDE_SERVER")
    return Path(named) if named else Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "tableside-server"


def load(folder: Path, **options: object) -> Settings:
    """A server's settings.

    Args:
        folder: Its data folder.
        options: What the command line says, which comes first; None: nothing.

    Raises:
        WrongUse: server.toml says something that cannot be; the text names the key.
    """
    path = folder / FILE
    plain = _read(path) if path.exists() else {}
    plain["zone"] = _zone(path, plain["zone"]) if "zone" in plain else here()
    plain["backups"] = folder / Path(plain.get("backups", "backups")).expanduser()
    if "certificate" in plain:
        plain["certificate"] = folder / Path(plain["certificate"]).expanduser()
    settings = Settings(folder=folder.absolute(), **plain)
    return replace(settings, **{name: value for name, value in options.items() if value is not None})  # type: ignore[arg-type]


def here() -> tzinfo:
    """The system's time zone, as its offset is now."""
    return datetime.now().astimezone().tzinfo or ZoneInfo("UTC")  # noqa: TID251 - the zone is what is asked for


def set_key(folder: Path, name: str, value: str | None) -> None:
    """Write one key of server.toml anew; the others stay as they are.

    Args:
        folder: The data folder.
        name: A key whose value is a text.
        value: What it says; None: the line goes.

    Raises:
        OSError: It cannot be written.
    """
    path = folder / FILE
    old = path.read_text(encoding="utf-8-sig").splitlines() if path.exists() else [HEAD]
    lines = [line for line in old if line.partition("=")[0].strip() != name]
    if value is not None:
        lines.append(f"{name} = {json.dumps(value)}")
    path.touch(mode=0o600)  # a database's address may hold its password
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _zone(path: Path, name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise WrongUse(_("{path}: {key} must be {kind}.", path=path, key="zone", kind=_(KEYS["zone"][1]))) from error


def _read(path: Path) -> dict[str, Any]:
    try:
        plain = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise WrongUse(_("{path}: the configuration cannot be read: {why}.", path=path, why=error.strerror or error)) from error
    except (ValueError, RecursionError) as error:
        raise WrongUse(_("{path}: this is not TOML: {error}.", path=path, error=error)) from error
    for key, value in plain.items():
        if key not in KEYS:
            raise WrongUse(_("{path}: {key} is no key of the configuration; known are {names}.", path=path, key=key, names=", ".join(KEYS)))
        if not _fits(key, value):
            raise WrongUse(_("{path}: {key} must be {kind}.", path=path, key=key, kind=_(KEYS[key][1])))
    return plain


def _fits(key: str, value: object) -> bool:
    kind, _wanted = KEYS[key]
    if type(value) is not kind:
        return False
    if key in _BOUNDS:
        low, high = _BOUNDS[key]
        return isinstance(value, int) and low <= value <= high
    if key == "database":
        return str(value).startswith(("postgresql://", "sqlite:///"))
    if key == "address":
        return str(value).startswith(("https://", "http://127.0.0.1", "http://localhost"))
    return value is True or value is False or bool(str(value).strip())
