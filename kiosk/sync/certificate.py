"""When a certificate ends: the one thing that is read of it. Whose it is, is decided by its fingerprint alone."""

from __future__ import annotations

from datetime import UTC, datetime

SEQUENCE, INTEGER, VERSION = 0x30, 0x02, 0xA0
UTC_TIME, GENERAL_TIME = 0x17, 0x18


def ends(certificate: bytes) -> datetime | None:
    """The instant after which a certificate is not valid any more; None where it cannot be read.

    Args:
        certificate: X.509 in DER.
    """
    try:
        tag, whole = _inside(certificate, 0)[:2]
        _tag, body, _after = _inside(whole, 0)
        at = 0
        if body[0] == VERSION:
            at = _inside(body, at)[2]
        for expected in (INTEGER, SEQUENCE, SEQUENCE):  # serial number, algorithm, issuer
            kind, _value, at = _inside(body, at)
            if kind != expected:
                return None
        kind, validity, _after = _inside(body, at)
        last = _inside(validity, 0)[2]
        time_kind, text, _after = _inside(validity, last)
        return _instant(time_kind, text.decode("ascii")) if tag == kind == SEQUENCE else None
    except (IndexError, ValueError):
        return None


def _inside(data: bytes, at: int) -> tuple[int, bytes, int]:
    """One value: its tag, what is in it, and where the next one begins."""
    tag, length, start = data[at], data[at + 1], at + 2
    if length & 0x80:
        count = length & 0x7F
        length, start = int.from_bytes(data[start : start + count], "big"), start + count
    if start + length > len(data):
        raise IndexError
    return tag, data[start : start + length], start + length


def _instant(kind: int, text: str) -> datetime | None:
    if kind == UTC_TIME:  # two digits of the year: 50 to 99 are of the last century
        text = ("19" if text[:2] >= "50" else "20") + text
    elif kind != GENERAL_TIME:
        return None
    return datetime.strptime(text, "%Y%m%d%H%M%SZ").replace(tzinfo=UTC)
