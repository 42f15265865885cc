"""How large a panel says that it is: the few bytes of its EDID that tell. Pure."""

from __future__ import annotations

HEADER = bytes.fromhex("00ffffffffffff00")
BLOCK = 128
"""Bytes of the part that every panel has."""


def panel_mm(edid: bytes) -> tuple[int, int] | None:
    """Width and height in millimetres, or None where the panel does not say it, or not truly.

    Args:
        edid: What the kernel read from the panel.
    """
    if len(edid) < BLOCK or edid[:8] != HEADER or sum(edid[:BLOCK]) % 256:
        return None
    timing = edid[54:72]  # the first detailed timing: to the millimetre
    if timing[0] or timing[1]:
        w, h = timing[12] | (timing[14] & 0xF0) << 4, timing[13] | (timing[14] & 0x0F) << 8
        if w and h:
            return w, h
    w, h = edid[21] * 10, edid[22] * 10  # to the centimetre; of projectors, and of panels that lie, nothing
    return (w, h) if w and h else None
