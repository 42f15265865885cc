"""A receipt from a match to paper: by command, by the screen's parts, and on a simulated table's printer."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import pytest
from PIL import Image

from hardware import SimulatedPrinter
from kiosk.app.config import Config
from kiosk.app.devices import PATIENCE, connect
from kiosk.app.main import run
from kiosk.app.printing import NotPrinted, last_receipt, print_now
from kiosk.app.scenario import parse
from kiosk.app.simulate import Simulation
from kiosk.books import Library
from kiosk.domain.errors import CommandRefused
from kiosk.sheets import to_dots
from tests.hardware.serial_twins import Bell
from tests.sheets.evenings import line, opened, rows_of, sheet_of

EVENING = (opened(1), line(0, "press", side="right"), line(9, "game", winner="left", kind="single"), line(12, "confirm", by="right"))


@pytest.fixture
def printer(tmp_path: Path) -> Iterator[SimulatedPrinter]:
    found = SimulatedPrinter(tmp_path / "lp")
    found.port.plug()
    yield found
    found.port.unplug()


def test_the_last_matchs_receipt_is_drawn() -> None:
    rows = rows_of(*EVENING)
    assert last_receipt(lambda: rows, "12", UTC) == to_dots(sheet_of(*EVENING), table="12")
    with pytest.raises(CommandRefused, match="no match whose receipt"):
        last_receipt(list, "12", UTC)


def test_it_is_printed_by_command(tmp_path: Path, printer: SimulatedPrinter, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kiosk.toml").write_text(f'data = "data"\nprinter = "{tmp_path}/lp"', encoding="utf-8")
    journal = _journal(tmp_path)
    assert run(["--config", str(tmp_path), "export", "last", "--print", "--journal", str(journal)]) == 0
    assert capsys.readouterr().out == "The receipt is printed.\n"
    (sheet,) = printer.sheets
    assert len(sheet) % 72 == 0
    assert len(sheet) > 72 * 800


def _journal(folder: Path) -> Path:
    library = Library([])
    text = "\n".join(json.dumps(each) for each in EVENING)
    simulation = Simulation(parse("evening", text, library.names()), library, folder / "journal.db", lambda _played, _of: None)
    simulation.run()
    simulation.close()
    return folder / "journal.db"


@pytest.mark.parametrize(
    "words", [["all", "--print"], ["last", "--print", "--format", "pdf"], ["last", "--print", "--output", "sheet.pdf"]]
)
def test_only_the_receipt_of_one_match_is_printed(tmp_path: Path, words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--config", str(tmp_path), "export", *words]) == 2
    assert "--print prints the receipt of one match" in capsys.readouterr().err


def test_without_a_printer_the_command_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(NotPrinted, match=r"no receipt printer; name it with `printer` in kiosk\.toml"):
        print_now(Config(folder=tmp_path, data=tmp_path), bytes(72))


def test_a_printer_that_cannot_print_is_told_by_the_command(tmp_path: Path, printer: SimulatedPrinter) -> None:
    printer.paper = 0
    with pytest.raises(NotPrinted, match=r"^The receipt printer is out of paper: put a roll in\. Nothing is printed now"):
        print_now(Config(folder=tmp_path, data=tmp_path, printer=f"{tmp_path}/lp"), bytes(72), patience_s=1)


def test_a_running_tables_printer_is_told_and_prints(tmp_path: Path, printer: SimulatedPrinter) -> None:
    with contextlib.ExitStack() as parts:
        bell, out = Bell(), list[bool]()
        devices, _ = connect(Config(folder=tmp_path, data=tmp_path, printer=f"{tmp_path}/lp"), bell.ring, 0, parts, simulate=False)
        devices.on_printed = lambda low, _now: out.append(low)

        def until(words: str, *, printed: int = 0) -> None:
            def so() -> bool:
                devices.turn(int(PATIENCE))
                return (words in devices.fault() if words else not devices.fault()) and len(out) == printed

            bell.until(so)

        printer.paper = 0
        assert devices.printer is not None
        devices.printer.print(bytes(72 * 30))
        until("The receipt printer is out of paper: put a roll in; the sheet is printed again from the start.")
        printer.new_roll()
        until("", printed=1)
        printer.low = True
        devices.printer.print(bytes(72 * 30))
        until("", printed=2)
        assert out == [False, True]


def test_a_simulated_tables_printer_makes_pictures(tmp_path: Path) -> None:
    with contextlib.ExitStack() as parts:
        bell = Bell()
        config = Config(folder=tmp_path, data=tmp_path / "data", printer="/dev/none")
        devices, simulated = connect(config, bell.ring, 0, parts, simulate=True)
        assert devices.printer is not None
        assert simulated is not None
        devices.printer.print(last_receipt(lambda: rows_of(*EVENING), "12", UTC))
        bell.until(lambda: devices.printer is not None and devices.printer.state().printed == 1)
        with Image.open(tmp_path / "data" / "printed" / "receipt-1.png") as picture:
            assert picture.width == 576
            assert picture.height > 800
