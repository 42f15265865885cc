"""A panel is filled without a desktop's help, mounted upright or on its side, and clicks land where things are seen."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kiosk.ui.mount import Mount
from tests.window.display import Display, missing
from tests.window.table import LEFT, RIGHT, WindowTable
from tests.window.test_a_match_in_the_window import open_match

SAME = 0.97


@contextmanager
def panel(folder: Path, mount: Mount) -> Iterator[WindowTable]:
    why = missing()
    if why:
        pytest.skip(why)
    with Display(*mount.size(800, 480)) as display:
        table = WindowTable(display, folder, "--fullscreen", settings=f'rotate = "{mount.rotate}"\n')
        table.spot.mount = mount
        try:
            yield table
        finally:
            table.leave()


def fills(table: WindowTable, mount: Mount) -> None:
    assert (table.spot.x, table.spot.y) == (0, 0)
    assert (table.spot.w, table.spot.h) == mount.size(800, 480)
    table.control("menu")  # waits for the picture
    assert table.sampled() > SAME


def test_the_whole_panel_is_filled(tmp_path: Path) -> None:
    with panel(tmp_path, Mount()) as table:
        fills(table, Mount())
        _keep(table, "upright")


def test_a_match_is_opened_and_played_on_a_panel_on_its_side(tmp_path: Path) -> None:
    mount = Mount.of("90")
    with panel(tmp_path, mount) as table:
        fills(table, mount)
        open_match(table, points="7")
        table.click("To the clock (6 open)")
        table.press(LEFT)
        table.press(RIGHT)
        assert table.agree()["clock"]["running"] == "left"
        assert table.sampled() > SAME
        _keep(table, "side")
        table.click("Stop")
        assert table.agree()["phase"] == "stopped"
        assert "ERROR" not in table.log()


def _keep(table: WindowTable, name: str) -> None:
    """Where somebody wants to look at it: TABLESIDE_SHOTS names a folder."""
    folder = os.environ.get("TABLESIDE_SHOTS")
    if folder:
        from PIL import Image

        size = table.spot.w, table.spot.h
        raw = b"".join(table.display.rows(0, 0, *size))
        Image.frombuffer("RGB", size, raw, "raw", "BGRX", 0, 1).save(Path(folder) / f"panel-{name}.png")
