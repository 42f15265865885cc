"""The QR code of a sheet: what it takes to see that a sheet is the journal's, in a line of text.

    TS1|MATCH|REVISION|LEFT:RIGHT|WINNER|HOW|STANDING|DIGEST

Eight fields, told apart by `|`:

1. `TS1`: a Tableside sheet, first version of this text. Another version is another word.
2. The match's id, percent-encoded where a character is none of `A–Z a–z 0–9 _ . - ~`.
3. The sheet's revision, from 1.
4. Both scores as they count.
5. `L`, `R`, or `-`: who won.
6. How the match ended: `score`, `flag`, `resignation`, `ruling`, `forfeit`, `double_forfeit`, `session`; `-` while it goes on.
7. The standing of both, a sign each: `1`, `0`, `+`, `-`, `=`; `..` while it goes on.
8. The hash of the sheet's last row in the journal's chain: 64 hexadecimal digits.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from kiosk.domain.errors import KioskError
from kiosk.domain.state import How
from kiosk.domain.types import Pair, Side

if TYPE_CHECKING:
    from kiosk.sheets.walk import ScoreSheet

VERSION = "TS1"
_SIDES = {"L": Side.LEFT, "R": Side.RIGHT, "-": None}
_LETTERS = {side: letter for letter, side in _SIDES.items()}
_PLAIN = re.compile(r"[A-Za-z0-9_.~-]")


class NotAQrText(KioskError, ValueError):
    """You erred: this is no QR text of a sheet, or not a whole one."""


@dataclass(frozen=True, slots=True)
class QrText:
    """What a sheet's QR code says."""

    match: str
    revision: int
    score: Pair[int]
    winner: Side | None
    how: str | None
    """None while the match goes on."""
    standing: Pair[str] | None
    """As on the sheet: `1`, `0`, `+`, `−`, `=`."""
    digest: str


def qr_of(sheet: ScoreSheet) -> QrText:
    """What a sheet's QR code is to say."""
    return QrText(sheet.match, sheet.revision, sheet.score, sheet.winner, sheet.how, sheet.standing, sheet.digest)


def qr_text(sheet: ScoreSheet) -> str:
    """The text of a sheet's QR code."""
    standing = "" if sheet.standing is None else f"{sheet.standing.left}{sheet.standing.right}"
    fields = (
        VERSION,
        "".join(letter if _PLAIN.match(letter) else _percent(letter) for letter in sheet.match),
        str(sheet.revision),
        f"{sheet.score.left}:{sheet.score.right}",
        _LETTERS[sheet.winner],
        sheet.how or "-",
        standing.replace("−", "-") or "..",
        sheet.digest,
    )
    return "|".join(fields)


def _percent(letter: str) -> str:
    return "".join(f"%{byte:02X}" for byte in letter.encode("utf-8", "surrogatepass"))


def read_qr(text: str) -> QrText:
    """A QR code's text, taken apart.

    Args:
        text: As it was scanned; spaces and line ends around it do no harm.

    Raises:
        NotAQrText: It is none, or a part of it cannot be.
    """
    version, *fields = text.strip().split("|")
    if not re.fullmatch(r"TS\d{1,4}", version):
        raise NotAQrText("This is not the QR text of a Tableside sheet; it would begin with TS1.")
    if version != VERSION:
        raise NotAQrText(f"This QR text is of version {version[2:]}; this program reads version 1 only.")
    if len(fields) != 7:
        raise NotAQrText(f"This QR text has {len(fields) + 1} parts instead of 8; it was not read as a whole.")
    match, revision, score, winner, how, standing, digest = fields
    return QrText(
        _match(match),
        int(_part("revision", r"[1-9]\d{0,5}", revision)),
        Pair(*(int(part) for part in _part("score", r"\d{1,6}:\d{1,6}", score).split(":"))),
        _SIDES[_part("winner", r"[LR-]", winner)],
        None if how == "-" else _part("end", "|".join(get_args(How)), how),
        _standing(_part("standing", r"[10+=-]{2}|\.\.", standing)),
        _part("digest", r"[0-9a-f]{64}", digest),
    )


def _part(name: str, pattern: str, text: str) -> str:
    if re.fullmatch(pattern, text, re.ASCII) is None:
        raise NotAQrText(f"The {name} in this QR text cannot be read; scan it again.")
    return text


def _match(text: str) -> str:
    _part("match", r"(?:[A-Za-z0-9_.~-]|%[0-9A-F]{2})+", text)
    parts = re.findall(r"%(..)|(.)", text)
    whole = b"".join(bytes.fromhex(code) if code else letter.encode() for code, letter in parts)
    try:
        return whole.decode("utf-8")
    except UnicodeDecodeError:
        raise NotAQrText("The match in this QR text cannot be read; scan it again.") from None


def _standing(text: str) -> Pair[str] | None:
    if text == "..":
        return None
    signs = text.replace("-", "−")
    return Pair(signs[0], signs[1])


def squares(text: str) -> tuple[tuple[bool, ...], ...]:
    """A QR code as rows of dark and light squares, without the quiet margin.

    Args:
        text: What it says.
    """
    import segno

    code = segno.make(text, micro=False, error="m", boost_error=False)
    return tuple(tuple(bool(square) for square in row) for row in code.matrix)


def png(text: str) -> bytes:
    """A QR code as a PNG picture for printing, with its quiet margin: 10 pixels a square.

    Args:
        text: What it says.
    """
    import segno

    out = io.BytesIO()
    segno.make(text, micro=False, error="m", boost_error=False).save(out, kind="png", scale=10)
    return out.getvalue()
