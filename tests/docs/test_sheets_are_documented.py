"""Every format, every column of a register and every key of a JSON sheet stand in the reference."""

from __future__ import annotations

import json

import pytest
from reference import PATH, rows

from kiosk.app.cli_export import FORMATS, REGISTERS
from kiosk.app.main import run
from kiosk.sheets.event import to_event_csv, to_games_csv, to_rulings_csv, to_times_csv

WRITERS = {"all": to_event_csv, "games": to_games_csv, "rulings": to_rulings_csv, "times": to_times_csv}
SHEETS = PATH.read_text(encoding="utf-8").split("\n## Sheets\n")[1].split("\n## ")[0]


def test_every_format_and_every_register_stands_in_the_reference() -> None:
    assert set(FORMATS) | set(REGISTERS) <= set(rows("Sheets"))
    assert set(WRITERS) == set(REGISTERS)


@pytest.mark.parametrize("register", REGISTERS)
def test_every_column_of_a_register_stands_in_the_reference(register: str) -> None:
    heads = WRITERS[register]([]).decode("utf-8-sig").strip().split(",")
    assert [head for head in heads if f"`{head}`" not in rows("Sheets")[register]] == []


def test_every_key_of_a_json_sheet_stands_in_the_reference(
    tmp_path_factory: pytest.TempPathFactory, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    folder = tmp_path_factory.mktemp("demo")
    assert run(["demo", "--to", str(folder), "--no-window", "--no-server"]) == 0
    capfdbinary.readouterr()
    assert run(["export", "last", "--format", "json", "--journal", str(folder / "journal.db")]) == 0
    plain = json.loads(capfdbinary.readouterr()[0])
    wanted = {*plain, *plain["games"][0], *plain["time_use"]["left"], *plain["journal"], *plain["seal"], *plain["result"]}
    assert {key for key in wanted - {"time_utc", "time_trust"} if f"`{key}`" not in SHEETS} == set()
