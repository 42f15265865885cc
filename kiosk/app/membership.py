"""What a table keeps about its tournament server, each in a small file of the data folder.

| file | holds |
|---|---|
| `device.json` | this table's id, made once; it stays when the table leaves or joins another server |
| `server.json` | the joined server: address, fingerprint, this table's secret key, the event |
| `receipts.json` | for each journal the newest receipt, which proves all earlier ones |
| `missing.json` | receipts that the journal did not bear out, see `kiosk.app.missing` |
| `orders.json` | what became of the last orders, so that none is done twice |
| `officials-hall.json` | the event's officials, for days without network |

All but `server.json` can be lost without harm to what is recorded: without a receipt everything is offered again, and the server knows it.
"""

from __future__ import annotations

import json
import secrets
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from kiosk import codec
from kiosk.app import kept
from kiosk.app.logs import log
from kiosk.domain.errors import KioskError
from kiosk.journal.store import make_folder
from kiosk.say import _
from kiosk.sync.wire import Receipt

if TYPE_CHECKING:
    from pathlib import Path

DEVICE, SERVER, RECEIPTS, ORDERS, HALL = "device.json", "server.json", "receipts.json", "orders.json", "officials-hall.json"

LARGEST_ROSTER = kept.LARGEST
"""The event's officials have no more bytes."""

MOST_JOURNALS = 20
"""Receipts of so many journals and their branches are kept."""


class JoinUnavailable(KioskError, OSError):
    """The world failed: what is kept about the server cannot be read or written."""


@dataclass(frozen=True, slots=True)
class Membership:
    """A server that this table has joined."""

    url: str
    """Where it was reached."""
    fingerprint: str
    """SHA-256 of its certificate (DER), 64 hexadecimal digits."""
    device: str
    """This table's id."""
    secret: str = field(repr=False)
    """This table's key there, 64 hexadecimal digits."""
    server: str
    """The server's id."""
    key: str
    """The public key that its receipts are checked with."""
    table: str
    """What this table is called there."""
    event: str
    """The event."""
    takes_over: str = ""
    """The id of a match that waits to be taken over here; or empty."""

    @property
    def token(self) -> str:
        """What every request carries."""
        return f"{self.device}.{self.secret}"


def device_id(folder: Path) -> str:
    """This table's id; it is made when it is first asked for.

    Raises:
        JoinUnavailable: It cannot be read or written.
    """
    path = folder / DEVICE
    try:
        make_folder(folder)
        with kept.held(folder):
            if path.exists():
                return str(_device(kept.read(path)))
            ident = secrets.token_hex(16)
            kept.write(path, json.dumps({"device": ident}) + "\n")
            return ident
    except kept.Damaged as damage:
        raise JoinUnavailable(
            _("{path} is damaged ({damage}). Remove it and join again; the organizer then sees a new device.", path=path, damage=damage)
        ) from damage
    except OSError as error:
        raise unavailable(path, error) from error


def check_device(folder: Path) -> None:
    """Look whether this table's id can be read, and is the one that the server knows.

    Raises:
        JoinUnavailable: It cannot, or is not.
    """
    if not (folder / DEVICE).exists():
        return  # nothing is lost by that until it joins again
    ident, joined = device_id(folder), _or_none(folder)
    if joined is not None and ident != joined.device:
        raise JoinUnavailable(
            _("{path} has another device's id than {other}; join again: kiosk server join.", path=folder / DEVICE, other=SERVER)
        )


def _or_none(folder: Path) -> Membership | None:
    try:
        return load(folder)
    except JoinUnavailable:
        return None


def _device(text: str) -> str:
    ident = _plain(text).get("device")
    if not isinstance(ident, str) or len(ident) != 32:
        raise kept.Damaged(_("a text in it is none"))
    return ident


def load(folder: Path) -> Membership | None:
    """The joined server, or None.

    Raises:
        JoinUnavailable: It cannot be read.
    """
    path = folder / SERVER
    try:
        plain = _plain(kept.read(path))
        joined: Membership = codec.from_plain(Membership, plain)
    except FileNotFoundError:
        return None
    except (kept.Damaged, codec.CodecError) as error:
        raise JoinUnavailable(_("{path} is damaged ({error}). Join again: kiosk server join.", path=path, error=error)) from error
    except OSError as error:
        raise unavailable(path, error) from error
    return joined


def save(folder: Path, joined: Membership) -> None:
    """Keep a joined server.

    Raises:
        JoinUnavailable: It cannot be written; what was kept before stands.
    """
    write(folder, SERVER, json.dumps(asdict(joined), indent=1, ensure_ascii=False) + "\n")


def forget(folder: Path) -> bool:
    """Leave the server: its file goes, and its officials with it; receipts stay, for they prove what was sent.

    Returns:
        Whether there was one.

    Raises:
        JoinUnavailable: They cannot be removed.
    """
    path = folder / SERVER
    try:
        there = path.exists()
        for name in (SERVER, HALL, ORDERS):
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise unavailable(path, error) from error
    return there


# ── Receipts ─────────────────────────────────────────────────────────────────
def receipts(folder: Path) -> list[Receipt]:
    """Every kept receipt, the newest of each journal last.

    Raises:
        JoinUnavailable: They cannot be read.
    """
    path = folder / RECEIPTS
    try:
        return [codec.from_plain(Receipt, one) for one in whole_list(_plain(kept.read(path)).get("receipts"))]
    except FileNotFoundError:
        return []
    except (kept.Damaged, codec.CodecError) as error:
        raise JoinUnavailable(_("{path} is damaged ({error}); its receipts cannot be checked.", path=path, error=error)) from error
    except OSError as error:
        raise unavailable(path, error) from error


def keep_receipt(folder: Path, receipt: Receipt) -> None:
    """Keep a journal's newest receipt in the place of its earlier ones; a damaged file is set aside.

    Raises:
        JoinUnavailable: It cannot be written.
    """
    path = folder / RECEIPTS
    try:
        make_folder(folder)
        with kept.held(folder):
            before = _or_set_aside(folder)
            same = (receipt.server, receipt.device, receipt.journal)
            rest = [one for one in before if (one.server, one.device, one.journal) != same]
            kept.write(path, receipts_text([*rest, receipt][-MOST_JOURNALS:]))
    except OSError as error:
        raise unavailable(path, error) from error


def receipts_text(whole: list[Receipt]) -> str:
    """Receipts as they stand in their file."""
    return json.dumps({"receipts": [codec.to_plain(one) for one in whole]}, indent=1) + "\n"


def _or_set_aside(folder: Path) -> list[Receipt]:
    try:
        return receipts(folder)
    except JoinUnavailable as error:
        log.error("%s", error)
        if (folder / RECEIPTS).exists():
            kept.set_aside(folder / RECEIPTS)
        return []


def newest(folder: Path, joined: Membership, journal: str) -> Receipt | None:
    """The newest receipt of the joined server for a journal, or None.

    Raises:
        JoinUnavailable: They cannot be read.
    """
    mine = [one for one in receipts(folder) if (one.server, one.device, one.journal) == (joined.server, joined.device, journal)]
    return mine[-1] if mine else None


# ── Files ────────────────────────────────────────────────────────────────────
def read(folder: Path, name: str) -> dict[str, Any] | None:
    """What stands in a kept file, or None where there is none.

    Raises:
        JoinUnavailable: It cannot be read.
    """
    path = folder / name
    try:
        return _plain(kept.read(path))
    except FileNotFoundError:
        return None
    except kept.Damaged as error:
        raise JoinUnavailable(_("{path} is damaged ({error}).", path=path, error=error)) from error
    except OSError as error:
        raise unavailable(path, error) from error


def write(folder: Path, name: str, text: str) -> None:
    """Replace a kept file.

    Raises:
        JoinUnavailable: It cannot be written.
    """
    path = folder / name
    try:
        make_folder(folder)
        with kept.held(folder):
            kept.write(path, text)
    except OSError as error:
        raise unavailable(path, error) from error


def whole_list(plain: object) -> list[Any]:
    """A list as it stands in a kept file.

    Raises:
        Damaged: It is none.
    """
    if not isinstance(plain, list):
        raise kept.Damaged(_("a text in it is none"))
    return plain


def _plain(text: str) -> dict[str, Any]:
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise kept.Damaged(_("{name} while reading it", name=type(error).__name__)) from error
    if not isinstance(plain, dict):
        raise kept.Damaged(_("a text in it is none"))
    return plain


def unavailable(path: Path, error: OSError) -> JoinUnavailable:
    """The sentence about a file that cannot be used."""
    return JoinUnavailable(_("{path} cannot be used: {why}.", path=path, why=error.strerror or error))
