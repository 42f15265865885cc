"""`kiosk demo` with a tournament server of its own: joined by a code, a match from the organizer, all of it confirmed and exported."""

from __future__ import annotations

import re
from pathlib import Path

import openpyxl
import pytest

from kiosk.app import demo_hall
from kiosk.app.demo_hall import DemoFailed, serving
from kiosk.app.main import run
from kiosk.journal import read_rows


def test_a_match_goes_from_the_organizer_to_the_events_workbook(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["demo", "--no-window", "--to", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    rows = list(read_rows(tmp_path / "journal.db"))
    assert f"The server has confirmed {len(rows)} entries." in out
    assert "not confirmed" not in out
    assert re.search(r"The hall board was at https://127\.0\.0\.1:\d+/", out)
    assert f"The event's workbook: {tmp_path / 'server' / 'event.xlsx'}" in out
    book = openpyxl.load_workbook(tmp_path / "server" / "event.xlsx")
    results = [[cell.value for cell in row] for row in book["Results"].iter_rows(min_row=2)]
    assert len(results) == 1
    assert {"Марија Ќосева", "Борис Гринько", 7, 8, 4} <= set(results[0])
    assert '"match":"simulated-1"' not in next(row.data for row in rows if row.type == "match_opened")


def test_without_the_extra_the_demo_says_so_and_works(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo_hall, "can_serve", lambda: False)
    assert run(["demo", "--no-window", "--to", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "Without a tournament server" in out
    assert "7-point match" in out
    assert run(["demo", "--no-window", "--server", "--to", str(tmp_path)]) == 2
    assert "needs the extra" in capsys.readouterr().err


def test_a_server_that_does_not_start_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo_hall, "PROGRAM", "raise SystemExit('no')")
    with pytest.raises(DemoFailed, match=r"server\.log says why"), serving(tmp_path):
        pass
    assert (tmp_path / "server.log").read_text(encoding="utf-8") == "no\n"
