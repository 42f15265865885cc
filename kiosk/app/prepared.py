"""What the organizer has prepared for this table: one file on the boot partition, the same for two hundred cards or another on each.

`tableside.toml`, or `tableside.csv` with the same words in its first line. Of a file for many tables a table takes the entry whose `device`
is its serial number, a network card's address or its host's name; what stands outside the entries holds for all of them:

    address = "10.0.0.5"
    code = "7KQ2-M4XD-9RTW-3HFN"      # kiosk-server code --many 200 --days 2

    [[tables]]
    device = "10000000a1b2c3d4"
    table = "12"
    name = "table-12"                 # the box's name on the network
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import socket
import tomllib
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kiosk.domain.errors import KioskError
from kiosk.domain.setup import LONGEST_NAME
from kiosk.domain.text import seen
from kiosk.say import LANGUAGES, _, mark

if TYPE_CHECKING:
    from collections.abc import Iterable

PLACES = tuple(Path(folder) / f"tableside.{kind}" for folder in ("/boot/firmware", "/boot") for kind in ("toml", "csv"))
"""Where such a file is looked for: the first one that is there counts."""

LARGEST = 100_000
"""Bytes of such a file: two hundred entries have a quarter of it."""

SYSTEM = Path("/")
"""Below it lie /sys and /proc."""


class PreparedWrong(KioskError, ValueError):
    """You erred: the prepared file says something that cannot be; the text names file and line or key."""


class PreparedUnreadable(KioskError, OSError):
    """The world failed: the prepared file cannot be read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is prepared for one table; whatever is empty is left as it is."""

    device: str = ""
    """Whose entry it is: a serial number, a network card's address or a host's name."""
    table: str = ""
    """What the table is called."""
    name: str = ""
    """What the box is called on the network."""
    language: str = ""
    address: str = ""
    """The server's; empty: the only one that is found."""
    code: str = ""
    """With which it joins; empty: it joins none."""
    replace: str = ""
    """`true`: it takes the place of the code's table, with its running match."""

    @property
    def digest(self) -> str:
        """Tells this entry from another one."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:16]


KEYS = tuple(field.name for field in fields(Entry))

WANTS = {
    "table": mark("a number, or one line of at most 100 characters"),
    "name": mark("letters, digits and hyphens, at most 63"),
    "language": mark("en, ru, uk or mk"),
    "address": mark("a server's address, as in 10.0.0.5 or hall.local:8443"),
    "code": mark("8 or 16 letters and digits, as in 7KQ2-M4XD"),
    "replace": mark("true or false"),
}
"""What each key wants; `device` may be anything."""


def find() -> Path | None:
    """The prepared file, or None."""
    return next((path for path in PLACES if path.exists()), None)


def read(path: Path, known_as: frozenset[str]) -> Entry:
    """What is prepared for this table.

    Args:
        path: The file.
        known_as: Everything by which a file may name this table (see `identities`).

    Raises:
        PreparedUnreadable: It cannot be read.
        PreparedWrong: It says something that cannot be, or has no entry for this table, or more than one.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise PreparedUnreadable(_("{path} cannot be read: {why}.", path=path, why=error.strerror or error)) from error
    if len(data) > LARGEST:
        raise PreparedWrong(_("{path}: such a file has at most {largest} bytes.", path=path, largest=LARGEST))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise PreparedWrong(_("{path}:{line}: this is not UTF-8 text; save the file as UTF-8.", path=path, line=line)) from error
    entries = _from_csv(path, text) if path.suffix.lower() == ".csv" else _from_toml(path, text)
    return _own(path, entries, known_as)


def identities(system: Path = SYSTEM) -> frozenset[str]:
    """Everything by which a file may name this table, as `_plain` writes it: serial number, network cards, host's name.

    Args:
        system: Below it lie `sys` and `proc`.
    """
    found = [socket.gethostname()]
    for path in (system / "sys/firmware/devicetree/base/serial-number", *(system / "sys/class/net").glob("*/address")):
        try:
            found.append(path.read_text(encoding="ascii", errors="replace").strip("\0\n "))
        except OSError:
            continue
    return frozenset(_plain(each) for each in found) - {"", "000000000000"}


def _plain(device: str) -> str:
    """A device's name without what people write differently: case, the colons of a card's address, zeros in front of a serial number."""
    bare = device.strip().lower()
    if re.fullmatch(r"(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}", bare):
        return re.sub("[:-]", "", bare)
    return bare.lstrip("0") if re.fullmatch(r"0+[0-9a-f]{6,15}", bare) else bare


def _own(path: Path, entries: list[Entry], known_as: frozenset[str]) -> Entry:
    own = [entry for entry in entries if {_plain(entry.device), _plain(entry.name)} & known_as]
    if not own and len(entries) == 1 and not entries[0].device:
        own = entries
    if len(own) == 1:
        return own[0]
    names = ", ".join(sorted(known_as))
    if own:
        raise PreparedWrong(_("{path}: several entries are for this table, which is {names}; leave one.", path=path, names=names))
    raise PreparedWrong(_("{path}: no entry is for this table; name it as `device`, by one of {names}.", path=path, names=names))


# ── Reading ──────────────────────────────────────────────────────────────────
def _from_toml(path: Path, text: str) -> list[Entry]:
    try:
        plain = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise PreparedWrong(_("{path}: this is not TOML: {error}.", path=path, error=error)) from error
    tables = plain.pop("tables", None)
    if tables is None:
        return [_entry(f"{path}", plain)]
    if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
        raise PreparedWrong(_("{path}: `tables` must be written as [[tables]], one for each table.", path=path))
    _entry(f"{path}", plain)
    return [_entry(f"{path}: [[tables]] {number}", {**plain, **each}) for number, each in enumerate(tables, 1)]


def _from_csv(path: Path, text: str) -> list[Entry]:
    first = text.partition("\n")[0]
    separator = max(";,\t", key=first.count)
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    head = [cell.strip().lower() for cell in rows[0]] if rows else []
    if "table" not in head:
        raise PreparedWrong(_("{path}:1: the first line names the columns: {names}.", path=path, names=", ".join(KEYS)))
    found = []
    for number, row in enumerate(rows[1:], 2):
        if not any(cell.strip() for cell in row):
            continue
        if len(row) > len(head):
            raise PreparedWrong(_("{path}:{line}: this line has more cells than the first one.", path=path, line=number))
        cells = dict(zip(head, (cell.strip() for cell in row), strict=False))
        found.append(_entry(f"{path}:{number}", {key: value for key, value in cells.items() if value or key not in KEYS}))
    if not found:
        raise PreparedWrong(_("{path}: below the first line stands nothing.", path=path))
    return found


def _entry(where: str, plain: dict[str, Any]) -> Entry:
    """An entry, each value checked."""
    values: dict[str, str] = {}
    for key, value in plain.items():
        if key not in KEYS:
            raise PreparedWrong(_("{path}: {key} is no key here; known are {names}.", path=where, key=key, names=", ".join(KEYS)))
        said = _text(key, value)
        if not isinstance(said, str) or not _fits(key, said):
            raise PreparedWrong(_("{path}: {key} must be {kind}.", path=where, key=key, kind=_(WANTS.get(key, mark("a text")))))
        values[key] = said
    return Entry(**values)


def _text(key: str, value: object) -> object:
    """What is written without quotes where that is plain: a table's number, `replace = true`."""
    match key, value:
        case "replace", bool():
            return str(value).lower()
        case "table", int() if not isinstance(value, bool):
            return str(value)
        case _:
            return value


def _fits(key: str, value: str) -> bool:
    match key:
        case "table":
            return len(value) <= LONGEST_NAME and seen(value)
        case "name":
            return re.fullmatch(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?", value) is not None
        case "language":
            return value in LANGUAGES
        case "replace":
            return value in {"true", "false"}
        case "code":
            from kiosk.sync import proof

            return proof.read_code(value) is not None
        case "address":
            return _is_address(value)
        case _:
            return True


def _is_address(value: str) -> bool:
    from kiosk.sync.transport import read_address

    try:
        read_address(value)
    except KioskError:
        return False
    return True


# ── The configuration ────────────────────────────────────────────────────────
MARKER = "# Prepared on the boot partition: "


def applied(text: str) -> str:
    """The digest of the entry that a configuration was last written from; empty: none."""
    return next((line.removeprefix(MARKER).strip() for line in text.splitlines() if line.startswith(MARKER)), "")


def written(text: str, entry: Entry) -> str:
    """A configuration with what an entry says, everything else as it was.

    Args:
        text: kiosk.toml as it is.
        entry: What is prepared.
    """
    said = {key: value for key, value in (("table", entry.table), ("language", entry.language)) if value}
    kept = [line for line in text.splitlines() if not line.startswith(MARKER) and line.partition("=")[0].strip() not in said]
    return "\n".join([f"{MARKER}{entry.digest}", *_lines(said.items()), *kept]) + "\n"


def _lines(pairs: Iterable[tuple[str, str]]) -> list[str]:
    return [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in pairs]
