r"""A picture as a receipt printer takes it: ESC/POS, the few commands that every clone has. Pure.

    1B 40                        forget what was set
    1D 76 30 00 xL xH yL yH ...  a picture of x bytes by y rows, a bit for each dot, the leftmost highest; black is 1
    1B 64 n                      feed n lines
    1D 56 42 00                  feed to the knife and cut; a printer without a knife feeds
    1D 72 01                     say how the paper is, once all before has been printed
    10 04 n                      say at once how it is: 1 printer, 2 why it is offline, 3 faults, 4 paper

Letters of any alphabet are dots of the picture: code pages differ between clones and lack Ѓ, Ќ and Ґ.

What is known about these printers, and what is done about it:

* A picture is sent in bands of `BAND_ROWS` rows, each a command of its own, and no wider than its ink: a white band is one byte wide.
* Some look for `10 04 n` within pictures, too, and answer what nobody has asked. Where dots happen to spell the beginning of such a
  command, one more dot is made black.
* A cable that is pulled in mid-band leaves a printer waiting for the rest of it. `FILL` are so many zero bytes that any band is at its end:
  white where they are part of the picture, nothing where they are not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

DOTS_WIDE = 576
"""Dots of a line on 80 mm paper, eight to the millimetre: what it can print of it is 72 mm wide."""

BYTES_WIDE = DOTS_WIDE // 8

BAND_ROWS = 24

RESET = b"\x1b@"
FILL = bytes(BAND_ROWS * BYTES_WIDE)
CUT = b"\x1bd\x03\x1dVB\x00"
ASK_DONE = b"\x1dr\x01"

_SPELLED = tuple(bytes((0x10, second)) for second in (0x04, 0x05, 0x14))
"""How the commands begin that are obeyed anywhere."""


def ask(n: int) -> bytes:
    """The question for a status byte that is answered at once."""
    return bytes((0x10, 0x04, n))


def bands(rows: bytes) -> Iterator[bytes]:
    """A picture as commands.

    Args:
        rows: Row after row of `BYTES_WIDE` bytes, black is 1.
    """
    step = BAND_ROWS * BYTES_WIDE
    for start in range(0, len(rows), step):
        yield _band(rows[start : start + step])


def _band(rows: bytes) -> bytes:
    count = len(rows) // BYTES_WIDE
    lines = [rows[at : at + BYTES_WIDE] for at in range(0, count * BYTES_WIDE, BYTES_WIDE)]
    wide = max(1, *(len(line.rstrip(b"\0")) for line in lines))
    data = b"".join(line[:wide] for line in lines)
    for spelled in _SPELLED:
        data = data.replace(spelled, bytes((0x18, spelled[1])))
    return b"\x1dv0\x00" + wide.to_bytes(2, "little") + count.to_bytes(2, "little") + data


# ── What it answers ──────────────────────────────────────────────────────────
def is_status(byte: int) -> bool:
    """Whether a byte is an answer to `ask`: its fixed bits say so."""
    return byte & 0x93 == 0x12


def is_done(byte: int) -> bool:
    """Whether a byte is an answer to `ASK_DONE`."""
    return byte & 0x90 == 0


def paper_ended(byte: int) -> bool:
    """What the answer to `ASK_DONE` says of the paper."""
    return bool(byte & 0x0C)


def offline(printer: int) -> bool:
    """What the answer to `ask(1)` says."""
    return bool(printer & 0x08)


def trouble(printer: int, cause: int, fault: int, paper: int) -> str | None:
    """Why it does not print, in words that end a sentence about it; None: it prints.

    Args:
        printer: The answer to `ask(1)`.
        cause: The answer to `ask(2)`.
        fault: The answer to `ask(3)`.
        paper: The answer to `ask(4)`.
    """
    if cause & 0x04:
        return "has its cover open: close it"
    if paper & 0x60 or cause & 0x20:
        return "is out of paper: put a roll in"
    if fault & 0x08:
        return "has a jammed knife: free it, and switch the printer off and on"
    if fault & 0x64 or cause & 0x40:
        return "reports a fault: let it cool down, and switch it off and on"
    return "is offline: press its feed or online button" if offline(printer) else None


def runs_low(paper: int) -> bool:
    """Whether the roll is nearly at its end, as the answer to `ask(4)` says where the printer can tell."""
    return bool(paper & 0x0C)
