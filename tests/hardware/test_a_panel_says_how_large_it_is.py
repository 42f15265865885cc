from __future__ import annotations

from hardware import panel_mm
from hardware.edid import HEADER


def edid(cm: tuple[int, int], timing: bytes) -> bytes:
    block = bytearray(128)
    block[:8] = HEADER
    block[21], block[22] = cm
    block[54 : 54 + len(timing)] = timing
    block[127] = -sum(block) % 256
    return bytes(block)


def detailed(w_mm: int, h_mm: int) -> bytes:
    timing = bytearray(18)
    timing[:2] = (7425).to_bytes(2, "little")
    timing[12], timing[13], timing[14] = w_mm % 256, h_mm % 256, (w_mm >> 8) << 4 | h_mm >> 8
    return bytes(timing)


def test_the_detailed_timing_counts_to_the_millimetre() -> None:
    assert panel_mm(edid((22, 14), detailed(217, 136))) == (217, 136)


def test_a_large_panel_has_more_than_a_byte() -> None:
    assert panel_mm(edid((0, 0), detailed(531, 299))) == (531, 299)


def test_without_it_the_centimetres_count() -> None:
    assert panel_mm(edid((16, 9), bytes(18))) == (160, 90)


def test_a_timing_without_a_size_falls_back() -> None:
    assert panel_mm(edid((16, 9), detailed(0, 0))) == (160, 90)


def test_a_projector_has_no_size() -> None:
    assert panel_mm(edid((0, 0), bytes(18))) is None


def test_what_is_no_edid_is_not_believed() -> None:
    whole = edid((16, 9), bytes(18))
    damaged = [b"", whole[:100], b"\1" + whole[1:], whole[:21] + b"\x11" + whole[22:]]
    assert [panel_mm(each) for each in damaged] == [None] * 4
