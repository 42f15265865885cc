"""A sheet is printed whole: whatever happens to paper, cover or cable, it comes out once more from its start."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from hardware import ReceiptPrinter, SimulatedPrinter, finder
from hardware import printer as printer_module
from hardware.escpos import (
    BAND_ROWS,
    BYTES_WIDE,
    FILL,
    bands,
    is_done,
    is_status,
    offline,
    paper_ended,
    runs_low,
    trouble,
)
from tests.hardware.serial_twins import Bell
from tests.patience import LONG_S

SHEET = b"".join(bytes((row % 251, 0x10, 0x04, 0x01)) + bytes(40) + bytes((row % 7,)) + bytes(BYTES_WIDE - 45) for row in range(300))
"""A picture whose dots spell a question to the printer, with white at the right."""
PRINTED = SHEET.replace(b"\x10\x04", b"\x18\x04")


class Printing:
    def __init__(self, folder: Path, *, answers: bool = True) -> None:
        self.bell = Bell()
        self.far = SimulatedPrinter(folder / "lp", folder / "printed", self.bell.ring)
        self.near = ReceiptPrinter(finder(str(folder / "lp")), self.bell.ring, answers=answers, pauses=(0.02, 0.05))
        self.near.link._pauses = (1_000_000, 4_000_000)

    def fault(self, words: str) -> None:
        self.bell.until(lambda: words in (self.near.state().fault or ""))

    def printed(self, count: int = 1) -> bytes:
        self.bell.until(lambda: self.near.state().printed >= count and not self.near.state().waiting)
        return self.far.sheets[-1]


@pytest.fixture
def printing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Printing]:
    monkeypatch.setattr(printer_module, "ANSWER_S", LONG_S)  # a busy machine's printer is not switched off
    one = Printing(tmp_path)
    one.far.port.plug()
    one.near.start()
    yield one
    one.near.close()
    one.near.close()
    one.far.port.unplug()


# ── Bytes ────────────────────────────────────────────────────────────────────
def test_a_band_is_no_wider_than_its_ink() -> None:
    (band,) = bands(b"\xff\x80" + bytes(BYTES_WIDE - 2) + bytes(BYTES_WIDE))
    assert band == b"\x1dv0\x00" + b"\x02\x00" + b"\x02\x00" + b"\xff\x80\x00\x00"
    assert next(bands(bytes(BYTES_WIDE))) == b"\x1dv0\x00\x01\x00\x01\x00\x00"


def test_bands_have_so_many_rows_and_the_last_one_the_rest() -> None:
    found = list(bands(bytes((BAND_ROWS * 2 + 5) * BYTES_WIDE)))
    assert [band[6] for band in found] == [BAND_ROWS, BAND_ROWS, 5]
    assert all(len(band) <= len(FILL) + 8 for band in found)


def test_no_dots_spell_a_command_that_is_obeyed_anywhere() -> None:
    noise = os.urandom(BYTES_WIDE * 40) + b"\x10\x04\x10\x05\x10\x14" * 12
    for band in bands(noise):
        assert not any(spelled in band[8:] for spelled in (b"\x10\x04", b"\x10\x05", b"\x10\x14"))


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ((0x12, 0x12, 0x12, 0x12), None),
        ((0x1A, 0x16, 0x12, 0x12), "cover open"),
        ((0x1A, 0x32, 0x12, 0x72), "out of paper"),
        ((0x1A, 0x12, 0x12, 0x72), "out of paper"),
        ((0x1A, 0x52, 0x1A, 0x12), "jammed knife"),
        ((0x1A, 0x52, 0x32, 0x12), "reports a fault"),
        ((0x1A, 0x12, 0x12, 0x12), "offline: press"),
        ((0x12, 0x12, 0x12, 0x1E), None),
    ],
)
def test_what_it_answers_is_told_in_words(answers: tuple[int, int, int, int], words: str | None) -> None:
    assert all(is_status(byte) for byte in answers)
    found = trouble(*answers)
    assert (found is None) == (words is None)
    assert words is None or words in (found or "")


def test_answers_are_told_apart() -> None:
    assert not is_done(0x12)
    assert is_done(0x0C)
    assert paper_ended(0x0C)
    assert not paper_ended(0x03)
    assert offline(0x1A)
    assert runs_low(0x1E)
    assert not is_status(0x0C)


# ── Printing ─────────────────────────────────────────────────────────────────
def test_a_sheet_comes_out_dot_by_dot(printing: Printing, tmp_path: Path) -> None:
    printing.near.print(SHEET)
    assert printing.printed() == PRINTED
    assert printing.near.state().fault is None
    with Image.open(io.BytesIO((tmp_path / "printed" / "receipt-1.png").read_bytes())) as picture:
        assert picture.size == (576, 300)
        black = bytes(byte ^ 0xFF for byte in picture.convert("1").tobytes())
    assert black == PRINTED


def test_two_sheets_come_out_one_after_the_other(printing: Printing) -> None:
    printing.near.print(SHEET)
    printing.printed()
    printing.near.print(SHEET[: BYTES_WIDE * 10])
    assert printing.printed(2) == PRINTED[: BYTES_WIDE * 10]


def test_without_paper_nothing_is_sent_until_a_roll_is_in(printing: Printing) -> None:
    printing.far.paper = 0
    printing.near.print(SHEET)
    printing.fault("out of paper: put a roll in; the sheet is printed again from the start.")
    assert printing.near.state().waiting
    printing.far.new_roll()
    assert printing.printed() == PRINTED


def test_when_the_paper_ends_in_mid_sheet_it_is_printed_again_from_the_start(printing: Printing) -> None:
    printing.far.paper = 100
    printing.near.print(SHEET)
    printing.fault("out of paper")
    assert printing.far.sheets == []
    printing.far.new_roll()
    assert printing.printed().endswith(PRINTED)
    assert len(printing.far.sheets) == 1


def test_when_the_paper_ends_under_the_last_row_it_is_not_believed_printed(printing: Printing, monkeypatch: pytest.MonkeyPatch) -> None:
    printing.bell.until(lambda: printing.far.asked >= 4)
    monkeypatch.setattr(printer_module, "ANSWER_S", 0.3)  # it may be that nothing but its silence says so
    printing.far.paper = 300
    printing.near.print(SHEET)
    printing.fault("out of paper")
    assert printing.near.state().printed == 0
    printing.far.new_roll()
    assert printing.printed().endswith(PRINTED)


def test_an_open_cover_is_told_also_while_nothing_is_printed(printing: Printing) -> None:
    printing.bell.until(lambda: printing.far.asked >= 4)
    printing.far.cover_open = True
    printing.fault("has its cover open: close it.")
    printing.far.cover_open = False
    printing.bell.until(lambda: printing.near.state().fault is None)


def test_a_printer_that_is_switched_off_is_told(printing: Printing, monkeypatch: pytest.MonkeyPatch) -> None:
    printing.bell.until(lambda: printing.far.asked >= 4)
    monkeypatch.setattr(printer_module, "ANSWER_S", 0.3)
    printing.far.deaf = True
    printing.near.print(SHEET)
    printing.fault("does not answer: switch it on")
    printing.far.deaf = False
    assert printing.printed().endswith(PRINTED)


def test_a_cable_pulled_in_mid_sheet_harms_nothing(printing: Printing) -> None:
    rows, pulled = [0], threading.Event()
    take = printing.far._take

    def taking(data: bytes) -> None:
        rows[0] += len(data)
        if rows[0] > 3000 and not pulled.is_set():
            printing.far._memory += b"\x1dv0\x00\x48\x00\x18\x00" + data[:5]  # in mid-band
            printing.far._heard = b""
            pulled.set()
        elif not pulled.is_set() or printing.near.link.health().opened > 1:
            take(data)

    printing.far.port._on_written = taking
    printing.near.print(SHEET)
    assert pulled.wait(60)
    printing.far.port.unplug()
    printing.fault("the sheet is printed again from the start.")
    printing.far.port.plug()
    assert printing.printed().endswith(PRINTED)
    assert len(printing.far.sheets) == 1


def test_a_printer_that_is_plugged_in_later_prints_what_waits(tmp_path: Path) -> None:
    one = Printing(tmp_path)
    one.near.start()
    one.near.print(SHEET)
    one.fault("is not there; plug it in, it is found by itself; the sheet is printed again from the start.")
    one.far.port.plug()
    assert one.printed() == PRINTED
    one.near.close()
    one.far.port.unplug()


def test_a_printer_that_never_answers_gets_its_sheet_all_the_same(tmp_path: Path) -> None:
    one = Printing(tmp_path, answers=False)
    one.far.port.plug()
    one.near.start()
    one.near.print(SHEET)
    one.bell.until(lambda: one.far.sheets == [PRINTED])
    one.bell.until(lambda: one.near.state().printed == 1)
    assert one.far.asked == 0
    one.near.close()
    one.far.port.unplug()


def test_another_sheet_takes_the_place_of_one_that_waits(printing: Printing) -> None:
    printing.far.paper = 0
    printing.near.print(SHEET)
    printing.fault("out of paper")
    printing.near.print(SHEET[: BYTES_WIDE * 50])
    printing.far.new_roll()
    assert printing.printed() == PRINTED[: BYTES_WIDE * 50]
    assert len(printing.far.sheets) == 1


def test_a_printer_that_takes_nothing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printer_module, "STUCK_S", 0.2)
    one = Printing(tmp_path)
    held = threading.Event()
    take = one.far._take

    def taking(data: bytes) -> None:
        take(data)
        if one.far._rows:
            assert held.wait(60)

    one.far.port._on_written = taking
    one.far.port.plug()
    one.near.start()
    one.near.print(bytes(range(256)) * BYTES_WIDE * 20)
    one.bell.until(lambda: one.near.state().fault is not None)
    assert "takes nothing" in (one.near.state().fault or "") or "does not answer" in (one.near.state().fault or "")
    one.near.close()
    held.set()
    one.far.port.unplug()


def test_a_clone_that_never_says_that_it_is_done_is_believed(printing: Printing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(printer_module, "DONE_S", 0.2)
    printing.bell.until(lambda: printing.far.asked >= 4)
    monkeypatch.setattr(printer_module, "ANSWER_S", 0.3)
    send = printing.far.port.send
    printing.far.port.send = lambda data: None if data == b"\x00" else send(data)  # type: ignore[method-assign]
    printing.near.print(SHEET)
    assert printing.printed().endswith(PRINTED)
