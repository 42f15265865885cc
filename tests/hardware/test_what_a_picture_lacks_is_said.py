"""Without a desktop a picture needs a card, permissions and libraries, or a compositor: what is missing is said, and what to do."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from hardware import compositor
from hardware.compositor import NoCompositorError, cage_lacks, enter_cage, inside, is_inside
from hardware.graphics import LIBRARIES, keep_console_lit, kms_lacks, loads, reachable, touch_lacks


def devices(top: Path, *names: str) -> Path:
    for name in names:
        (top / name).parent.mkdir(exist_ok=True)
        (top / name).touch()
    return top


def test_without_a_card_the_driver_is_named(tmp_path: Path) -> None:
    assert kms_lacks(tmp_path, has=lambda _: False) == [
        f"{tmp_path}/dri has no card: this system has no graphics driver; on a Raspberry Pi config.txt needs the line dtoverlay=vc4-kms-v3d"
    ]


def test_each_group_is_named(tmp_path: Path) -> None:
    dev = devices(tmp_path, "dri/card0", "dri/card1", "dri/renderD128")
    video, render = kms_lacks(dev, may=lambda _: False, has=lambda _: True)
    assert video.startswith(f"{dev}/dri/card0 may not be used; add the user to the group video")
    assert render.startswith(f"{dev}/dri/renderD128 may not be used; add the user to the group render")


def test_one_card_that_may_be_used_is_enough(tmp_path: Path) -> None:
    dev = devices(tmp_path, "dri/card0", "dri/card1")
    assert kms_lacks(dev, may=lambda path: path.name == "card1", has=lambda _: True) == []


def test_libraries_are_named_with_their_packages(tmp_path: Path) -> None:
    dev = devices(tmp_path, "dri/card0")
    (lack,) = kms_lacks(dev, may=lambda _: True, has=lambda name: name != "libgbm.so.1")
    assert lack == "libgbm.so.1 cannot be found; apt-get install libgbm1 libgl1-mesa-dri"
    (lack,) = kms_lacks(dev, may=lambda _: True, has=lambda _: False)
    assert all(package in lack for package in LIBRARIES.values())


def test_a_library_is_looked_for_as_sdl_does() -> None:
    assert loads("libc.so.6")
    assert not loads("libnobodyhasthis.so.1")


def test_touches_need_a_device_and_the_group_input(tmp_path: Path) -> None:
    assert "no touch panel is connected" in touch_lacks(tmp_path)
    dev = devices(tmp_path, "input/event0", "input/event1")
    assert touch_lacks(dev, may=lambda path: path.name == "event1") == ""
    assert "the group input" in touch_lacks(dev, may=lambda _: False)
    assert touch_lacks(dev) == ""
    assert reachable(dev / "input/event0")
    assert not reachable(dev / "input/event7")


def programs(top: Path, *names: str) -> str:
    for name in names:
        (top / name).write_text("#!/bin/sh\n", encoding="utf-8")
        (top / name).chmod(stat.S_IRWXU)
    return str(top)


def test_cage_wants_a_user_programs_and_a_folder(tmp_path: Path) -> None:
    nothing = {"PATH": str(tmp_path)}
    root, cage, xwayland, folder = cage_lacks(nothing, root=True)
    assert "refuses root" in root
    assert "apt-get install cage" in cage
    assert "apt-get install xwayland" in xwayland
    assert "XDG_RUNTIME_DIR is not set" in folder
    found = {"PATH": programs(tmp_path, "cage", "Xwayland"), "XDG_RUNTIME_DIR": str(tmp_path / "gone")}
    assert cage_lacks(found, root=False) == [
        f"{tmp_path}/gone cannot be written: cage puts its socket there; in a systemd unit RuntimeDirectory= makes such a folder"
    ]
    assert cage_lacks({**found, "XDG_RUNTIME_DIR": str(tmp_path)}, root=False) == []


def test_a_units_own_runtime_folder_does_for_cage(tmp_path: Path) -> None:
    unit = {"PATH": programs(tmp_path, "cage", "Xwayland"), "RUNTIME_DIRECTORY": f"{tmp_path}:/run/other", "WATCHDOG_PID": "7", "LANG": "C"}
    assert cage_lacks(unit, root=False) == []
    given = inside({**unit, "SDL_VIDEODRIVER": "kmsdrm"})
    assert given["XDG_RUNTIME_DIR"] == str(tmp_path)
    assert given["LANG"] == "C"
    assert "SDL_VIDEODRIVER" not in given
    assert "WATCHDOG_PID" not in given  # the table is a child by then, and feeds it all the same
    assert is_inside(given)
    assert not is_inside(unit)


def test_what_cage_lacks_keeps_this_process_as_it_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoCompositorError, match="cage cannot be found"):
        enter_cage()


def test_this_process_turns_into_cage_around_its_own_command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", programs(tmp_path, "cage", "Xwayland"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(compositor.sys, "orig_argv", ["python", "/usr/bin/kiosk", "run"])
    done: list[tuple[str, list[str], dict[str, str]]] = []
    monkeypatch.setattr(os, "execvpe", lambda *words: done.append(words))
    enter_cage()
    ((program, words, environment),) = done  # type: ignore[unreachable]
    assert program == "cage"
    assert words == ["cage", "-d", "--", compositor.sys.executable, "/usr/bin/kiosk", "run"]
    assert environment["TABLESIDE_INSIDE"] == "cage"


def test_the_kernels_console_is_told_never_to_blank(tmp_path: Path) -> None:
    parameter, console = tmp_path / "consoleblank", tmp_path / "tty0"
    gone = tmp_path / "nowhere" / "tty"
    assert keep_console_lit(parameter, [console]) == ""  # a kernel without consoles
    parameter.write_text("0\n", encoding="ascii")
    assert keep_console_lit(parameter, [gone]) == ""
    parameter.write_text("600\n", encoding="ascii")
    assert keep_console_lit(parameter, [gone, console]) == ""
    assert console.read_bytes() == b"\x1b[9;0]\x1b[14;0]"
    assert "after 600 s without a key; put consoleblank=0" in keep_console_lit(parameter, [gone])
