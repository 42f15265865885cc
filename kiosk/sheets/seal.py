"""The seal on a JSON sheet, by which an altered one shows by itself, and shows where.

`parts` holds the first 16 digits of a SHA-256 for each value of the sheet (a list has one for each of its items), `whole` the SHA-256
over all values and these parts; each over the canonical JSON text (keys sorted, no spaces, UTF-8). There is no key in it: whoever alters
a sheet and knows this can seal it anew. A seal finds careless alterations, only the journal finds all of them.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

Plain = Any
"""What JSON can hold."""

_TEXT = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def seal_of(plain: dict[str, Plain]) -> dict[str, Plain]:
    """The seal of a sheet.

    Args:
        plain: The sheet; a seal that it has already is left out.
    """
    bare = {key: value for key, value in plain.items() if key != "seal"}
    parts = {key: [_short(each) for each in value] if isinstance(value, list) else _short(value) for key, value in bare.items()}
    return {"parts": parts, "whole": _digest({**bare, "seal": parts})}


def _short(value: Plain) -> str:
    return _digest(value)[:16]


def _digest(value: Plain) -> str:
    return hashlib.sha256(_TEXT(value).encode("utf-8", "surrogatepass")).hexdigest()
