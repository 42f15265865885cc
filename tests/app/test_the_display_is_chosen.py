"""On what the table is shown: as the configuration says; where that fails, the sentence says what is missing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest

from kiosk.app import display
from kiosk.app.config import Config, ConfigError, load
from kiosk.ui import opening, window
from kiosk.ui.mount import Mount
from kiosk.ui.window import NoDisplayError


class Opened:
    """A window that tells with what it was opened."""

    def __init__(self, **told: Any) -> None:
        self.told = told
        self.driver = opening.drivers(told["display"])[0]


class EnteredError(Exception):
    """This process would be cage by now."""


def entered() -> NoReturn:
    raise EnteredError


@pytest.fixture(autouse=True)
def no_desktop(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "SDL_FRAMEBUFFER_ACCELERATION", "TABLESIDE_INSIDE"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)  # what a test sets is gone after it
    monkeypatch.setattr(opening, "CARDS", tmp_path / "dri")
    monkeypatch.setattr(display, "DEVICES", tmp_path)
    monkeypatch.setattr(window, "Window", Opened)
    monkeypatch.setattr(display, "keep_console_lit", lambda: "")
    monkeypatch.setattr(display, "enter_cage", entered)
    monkeypatch.setattr(display, "cage_lacks", lambda *_, **__: ["cage cannot be found; apt-get install cage"])


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return Config(tmp_path, tmp_path)


def fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_: Any) -> NoReturn:
        raise NoDisplayError("there is no display.")

    monkeypatch.setattr(window, "Window", broken)


def card(top: Path) -> None:
    (top / "dri").mkdir()
    (top / "dri" / "card0").touch()


@pytest.mark.parametrize(
    ("word", "environment", "wanted"),
    [
        ("auto", {"DISPLAY": ":0"}, ["x11"]),
        ("auto", {"DISPLAY": ":0", "WAYLAND_DISPLAY": "w"}, ["wayland", "x11"]),
        ("auto", {}, ["kmsdrm"]),
        ("kms", {"DISPLAY": ":0"}, ["kmsdrm"]),
        ("window", {}, []),
        ("window", {"DISPLAY": ":0"}, ["x11"]),
        ("cage", {"DISPLAY": ":0", "WAYLAND_DISPLAY": "w"}, ["wayland", "x11"]),
        ("kms", {"SDL_VIDEODRIVER": "dummy"}, ["dummy"]),
    ],
)
def test_which_drivers_are_tried(
    word: Any, environment: dict[str, str], wanted: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card(tmp_path)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert opening.drivers(word) == wanted


def test_without_a_card_auto_tries_nothing() -> None:
    assert opening.drivers("auto") == []


def test_the_window_has_what_the_configuration_says(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    mount = Mount.of("90", "flip-x")
    shown: Any = display.open_window(replace(config, display="window", mount=mount, inch=7.0), (800, 480), fullscreen=True)
    assert shown.told == {"size": (800, 480), "fullscreen": True, "inch": 7.0, "display": "window", "mount": mount}


def test_a_touch_panel_that_may_not_be_read_is_said_and_the_table_is_shown(config: Config, caplog: pytest.LogCaptureFixture) -> None:
    shown: Any = display.open_window(replace(config, display="kms"), None, fullscreen=False)
    assert shown.driver == "kmsdrm"
    assert "No touch will be felt" in caplog.text


def test_a_touch_panel_that_may_be_read_is_no_matter(config: Config, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "input").mkdir()
    (tmp_path / "input" / "event0").touch()
    display.open_window(replace(config, display="kms"), None, fullscreen=False)
    assert caplog.text == ""


def test_a_console_that_will_blank_is_said(config: Config, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(display, "keep_console_lit", lambda: "the kernel blanks the screen after 600 s")
    display.open_window(replace(config, display="kms"), None, fullscreen=False)
    assert "The panel may go dark: the kernel blanks the screen after 600 s." in caplog.text


def test_kms_that_fails_says_what_is_missing(config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fails(monkeypatch)
    with pytest.raises(NoDisplayError, match=r"no display\. By KMS: .*has no card.*\.$"):
        display.open_window(replace(config, display="kms"), None, fullscreen=False)
    card(tmp_path)
    monkeypatch.setattr(display, "kms_lacks", lambda _dev: [])
    with pytest.raises(NoDisplayError, match="another program holds the screen"):
        display.open_window(config, None, fullscreen=False)


def test_kms_first_and_cage_second_where_that_is_left_open(config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fails(monkeypatch)
    card(tmp_path)
    monkeypatch.setattr(display, "cage_lacks", lambda *_, **__: [])
    with pytest.raises(EnteredError):
        display.open_window(config, None, fullscreen=False)
    with pytest.raises(NoDisplayError):
        display.open_window(replace(config, display="kms"), None, fullscreen=False)  # named: nothing else is tried


def test_without_a_desktop_and_a_card_the_driver_is_named_and_no_cage_is_entered(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    fails(monkeypatch)
    monkeypatch.setattr(display, "cage_lacks", lambda *_, **__: [])
    with pytest.raises(NoDisplayError, match="has no card"):
        display.open_window(config, None, fullscreen=False)


def test_a_desktop_that_fails_asks_for_no_kms(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    fails(monkeypatch)
    monkeypatch.setenv("DISPLAY", ":0")
    for word in ("auto", "window"):
        with pytest.raises(NoDisplayError, match=r"no display\.$"):
            display.open_window(replace(config, display=word), None, fullscreen=False)  # type: ignore[arg-type]


def test_cage_is_entered_once(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    caged = replace(config, display="cage")
    with pytest.raises(EnteredError):
        display.open_window(caged, None, fullscreen=False)
    monkeypatch.setenv("TABLESIDE_INSIDE", "cage")
    monkeypatch.setenv("WAYLAND_DISPLAY", "w")
    shown: Any = display.open_window(caged, None, fullscreen=False)
    assert (shown.told["display"], shown.driver) == ("cage", "wayland")
    shown = display.open_window(config, None, fullscreen=False)
    assert shown.told["display"] == "cage"


def test_inside_cage_a_failure_enters_no_second_one(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    fails(monkeypatch)
    monkeypatch.setenv("TABLESIDE_INSIDE", "cage")
    monkeypatch.setattr(display, "cage_lacks", lambda *_, **__: [])
    with pytest.raises(NoDisplayError, match=r"no display\.$"):
        display.open_window(config, None, fullscreen=False)


def test_cage_that_cannot_be_had_is_said_in_one_sentence(config: Config, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from hardware.compositor import enter_cage

    monkeypatch.setattr(display, "enter_cage", enter_cage)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoDisplayError, match=r"no picture inside cage: .*apt-get install cage"):
        display.open_window(replace(config, display="cage"), None, fullscreen=False)


def configured(folder: Path, *lines: str) -> Config:
    (folder / "kiosk.toml").write_text("\n".join(lines), encoding="utf-8")
    return load(folder)


def test_the_keys_are_read(tmp_path: Path) -> None:
    assert (load(tmp_path).display, load(tmp_path).mount) == ("auto", Mount())
    found = configured(tmp_path, 'display = "kms"', 'rotate = "270"', 'touch = "swap, flip-y"')
    assert (found.display, found.mount) == ("kms", Mount(270, swap=True, flip_y=True))


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ('display = "x11"', "display must be auto, kms, cage or window"),
        ('rotate = "45"', "rotate must be 0, 90, 180 or 270"),
        ("rotate = 90", "rotate must be 0, 90, 180 or 270"),
        ('touch = "mirror"', "touch must be 0, 90, 180 or 270, or words of swap, flip-x and flip-y"),
    ],
)
def test_a_wrong_value_says_what_is_wanted(tmp_path: Path, line: str, wanted: str) -> None:
    with pytest.raises(ConfigError, match=wanted):
        configured(tmp_path, line)


def test_a_driver_that_fails_gives_way_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    import pygame

    tried: list[str | None] = []

    def init() -> None:
        import os

        tried.append(os.environ.get("SDL_VIDEODRIVER"))
        if len(tried) == 1:
            raise pygame.error("no seat")

    monkeypatch.setenv("WAYLAND_DISPLAY", "w")
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(pygame.display, "init", init)
    monkeypatch.setattr(pygame.display, "set_mode", lambda size, flags: (size, flags))
    surface, driver = opening.open_screen("cage", None, fullscreen=False)
    assert (surface, driver) == (((0, 0), pygame.FULLSCREEN), "x11")
    assert tried == ["wayland", "x11"]


def test_where_every_driver_fails_the_environment_is_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    import pygame

    def init() -> None:
        raise pygame.error("no seat")

    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setenv("SDL_FRAMEBUFFER_ACCELERATION", "1")
    monkeypatch.setattr(pygame.display, "init", init)
    with pytest.raises(NoDisplayError, match=r"x11: no seat"):
        opening.open_screen("auto", None, fullscreen=False)
    assert "SDL_VIDEODRIVER" not in os.environ
    assert os.environ["SDL_FRAMEBUFFER_ACCELERATION"] == "1"
