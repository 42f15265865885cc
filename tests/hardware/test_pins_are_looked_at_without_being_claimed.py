from __future__ import annotations

import sys
from pathlib import Path

import pytest
from twins import TwinGpiod

from hardware import LineSeen, PinReport, look_at_pins


def chips(folder: Path, **labels: str | OSError) -> tuple[TwinGpiod, Path]:
    for name in labels:
        (folder / name).touch()
    return TwinGpiod({str(folder / name): label for name, label in labels.items()}), folder


def test_the_headers_chip_is_found_by_its_label(tmp_path: Path) -> None:
    twin, folder = chips(tmp_path, gpiochip0="gpio-brcmstb", gpiochip4="pinctrl-rp1")
    report = look_at_pins(twin, folder)
    assert report == PinReport(
        str(tmp_path / "gpiochip4"),
        "pinctrl-rp1",
        ("gpiochip0: gpio-brcmstb",),
        (LineSeen("left", 17, ""), LineSeen("right", 27, "")),
    )
    assert not twin.requests


def test_who_holds_a_line_is_named(tmp_path: Path) -> None:
    twin, folder = chips(tmp_path, gpiochip0="pinctrl-bcm2711")
    twin.holders = {17: "w1", 27: ""}
    assert [line.holder for line in look_at_pins(twin, folder).lines] == ["w1", "somebody without a name"]


def test_a_chip_that_does_not_open_is_told_with_its_reason(tmp_path: Path) -> None:
    twin, folder = chips(tmp_path, gpiochip0=PermissionError(13, "Permission denied"))
    assert look_at_pins(twin, folder) == PinReport(others=("gpiochip0: Permission denied",))


def test_a_second_chip_of_a_header_changes_nothing(tmp_path: Path) -> None:
    twin, folder = chips(tmp_path, gpiochip0="pinctrl-rp1", gpiochip4="pinctrl-rp1")
    assert look_at_pins(twin, folder).chip == str(tmp_path / "gpiochip0")


def test_a_missing_library_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gpiod", None)
    assert "gpiod is not usable" in look_at_pins().fault
