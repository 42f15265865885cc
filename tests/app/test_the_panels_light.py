"""The desk decides, the backlight follows on a thread of its own; what cannot be set is said once, and the picture dims instead."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

import pytest

from hardware import Backlight, HardwareFault, simulated_backlight
from kiosk.app.config import Config, ConfigError, load
from kiosk.app.light import PanelLight, backlight_for
from kiosk.ui.light import Light


@dataclass
class Decision:
    """A desk that wants what it is told to want."""

    wanted: Light = Light.FULL
    veiled: bool = True

    def light(self, at: int) -> Light:
        del at
        return self.wanted

    def light_changes(self, at: int) -> int | None:
        return at + 5


class Watched(Backlight):
    """A simulated one that tells when it was set."""

    def __init__(self, folder: Path) -> None:
        simulated_backlight(folder, 100)
        super().__init__(folder)
        self.fails: Exception | None = None
        self.done = threading.Semaphore(0)
        self.writers: set[int] = set()

    def set(self, share: float) -> None:
        self.writers.add(threading.get_ident())
        try:
            if self.fails is not None:
                raise self.fails
            super().set(share)
        finally:
            self.done.release()


@pytest.fixture
def backlight(tmp_path: Path) -> Watched:
    return Watched(tmp_path / "panel")


def test_it_follows_the_desk_beside_the_loop(backlight: Watched) -> None:
    desk = Decision()
    backlight.set(0)
    assert backlight.done.acquire(timeout=60)
    light = PanelLight(desk, backlight, brightness=0.8)
    assert not desk.veiled
    backlight.writers.clear()
    seen = []
    for wanted in (Light.FULL, Light.DIM, Light.DARK, Light.FULL):
        desk.wanted = wanted
        light.turn(1)
        assert backlight.done.acquire(timeout=60)
        seen.append(backlight.now())
    assert seen == [0.8, 0.16, 0, 0.8]
    assert threading.get_ident() not in backlight.writers
    assert light.next_wake(7) == 12
    desk.wanted = Light.DARK
    light.turn(2)
    light.close()
    assert backlight.now() == 0.8  # whoever shows something next is to be seen


def test_what_stays_the_same_is_not_written_again(backlight: Watched) -> None:
    light = PanelLight(Decision(), backlight)
    for now in range(5):
        light.turn(now)
    light.close()
    counted = 0
    while backlight.done.acquire(blocking=False):
        counted += 1
    assert counted == 2  # at the start, and at the end


def test_without_a_backlight_dimming_is_drawn() -> None:
    desk = Decision(veiled=False)
    light = PanelLight(desk, None)
    light.turn(1)
    light.close()
    assert desk.veiled


@pytest.mark.parametrize("fault", [HardwareFault("The panel is gone."), ValueError("odd")])
def test_a_fault_is_said_once_and_the_picture_dims_instead(backlight: Watched, fault: Exception, caplog: pytest.LogCaptureFixture) -> None:
    desk, woken = Decision(), threading.Event()
    light = PanelLight(desk, backlight, wake=woken.set)
    backlight.fails = fault
    light.turn(1)
    assert woken.wait(60)
    light.turn(2)
    assert desk.veiled
    assert caplog.text.count("The picture is dimmed instead.") == 1
    desk.wanted = Light.DIM
    light.turn(3)
    light.close()
    assert caplog.text.count("instead") == 1


def test_a_fault_at_the_end_is_said(backlight: Watched, caplog: pytest.LogCaptureFixture) -> None:
    light = PanelLight(Decision(), backlight)
    backlight.fails = HardwareFault("The panel is gone.")
    light.close()
    assert "The panel is gone." in caplog.text


def configured(folder: Path, *lines: str) -> Config:
    (folder / "kiosk.toml").write_text("\n".join(lines), encoding="utf-8")
    return load(folder)


def test_a_desktops_own_light_is_left_alone_unless_it_is_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    simulated_backlight(tmp_path / "panel")
    plain, named = load(tmp_path), configured(tmp_path, f'backlight = "{tmp_path}/panel"')
    assert backlight_for(plain, panel=False) is None
    assert backlight_for(configured(tmp_path, 'backlight = "none"'), panel=True) is None
    found = backlight_for(named, panel=False)
    assert found is not None
    assert found.folder == tmp_path / "panel"
    assert caplog.text == ""
    assert backlight_for(configured(tmp_path, f'backlight = "{tmp_path}/other"'), panel=True) is None
    assert "other is no backlight" in caplog.text


def test_the_keys_are_read(tmp_path: Path) -> None:
    plain = load(tmp_path)
    assert (plain.dim_after, plain.brightness, plain.backlight) == (2, 1.0, "")
    found = configured(tmp_path, 'dim_after = "0"', 'brightness = "45"', 'backlight = "10-0045"')
    assert (found.dim_after, found.brightness, found.backlight) == (0, 0.45, "10-0045")


WRONG = ['dim_after = "-1"', 'dim_after = "241"', 'dim_after = "x"', 'brightness = "4"', 'brightness = "101"', 'backlight = ""']


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_value_names_its_key(tmp_path: Path, line: str) -> None:
    with pytest.raises(ConfigError, match=f"{line.split(maxsplit=1)[0]} must be a n"):
        configured(tmp_path, line)
