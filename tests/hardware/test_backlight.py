"""A backlight is a folder of the kernel's: found or named, set in its own steps; what cannot be done is said with what to do."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from hardware import Backlight, HardwareFault, find_backlight, simulated_backlight


def figure(light: Backlight, name: str = "brightness") -> str:
    return (light.folder / name).read_text(encoding="ascii").strip()


def test_it_is_set_in_its_own_steps(tmp_path: Path) -> None:
    light = simulated_backlight(tmp_path / "panel", 31)
    assert light.now() == 1
    for share, wanted in ((0.5, "16"), (0.001, "1"), (0.0, "0"), (1.0, "31"), (7.0, "31")):
        light.set(share)
        assert figure(light) == wanted
        assert light.now() == int(wanted) / 31


def test_a_light_that_is_only_on_or_off_stays_on_while_dim(tmp_path: Path) -> None:
    light = simulated_backlight(tmp_path, 1)
    light.set(0.2)
    assert figure(light) == "1"


def test_a_panel_that_was_powered_off_is_powered_on_again(tmp_path: Path) -> None:
    light = simulated_backlight(tmp_path)
    (tmp_path / "bl_power").write_text("4\n", encoding="ascii")
    light.set(0)
    assert figure(light, "bl_power") == "4"
    light.set(1)
    assert figure(light, "bl_power") == "0"
    (tmp_path / "bl_power").unlink()
    light.set(1)  # not every panel has one


def test_the_one_that_the_kernel_prefers_is_found(tmp_path: Path) -> None:
    assert find_backlight("", tmp_path) is None
    for name, kind in (("a", "raw"), ("b", "firmware"), ("c", "platform"), ("d", "odd")):
        simulated_backlight(tmp_path / name)
        (tmp_path / name / "type").write_text(f"{kind}\n", encoding="ascii")
    found = find_backlight("", tmp_path)
    assert found is not None
    assert found.folder.name == "b"
    (tmp_path / "b" / "type").unlink()
    again = find_backlight("", tmp_path)
    assert again is not None
    assert again.folder.name == "c"


def test_one_is_named_by_its_name_or_by_its_folder(tmp_path: Path) -> None:
    simulated_backlight(tmp_path / "a")
    simulated_backlight(tmp_path / "elsewhere" / "b")
    named, folder = find_backlight("a", tmp_path), find_backlight(str(tmp_path / "elsewhere" / "b"), tmp_path)
    assert named is not None
    assert folder is not None
    assert (named.folder.name, folder.folder.name) == ("a", "b")
    with pytest.raises(HardwareFault, match=r"x is no backlight; there are: a\. Set `backlight`"):
        find_backlight("x", tmp_path)
    with pytest.raises(HardwareFault, match="there are: none"):
        find_backlight("x", tmp_path / "nowhere")


@pytest.mark.parametrize(("name", "text"), [("max_brightness", "much"), ("brightness", ""), ("max_brightness", "0")])
def test_what_makes_no_sense_is_no_backlight(tmp_path: Path, name: str, text: str) -> None:
    simulated_backlight(tmp_path)
    (tmp_path / name).write_text(text, encoding="ascii")
    with pytest.raises(HardwareFault, match="is no backlight"):
        Backlight(tmp_path)


def test_a_folder_without_files_is_no_backlight(tmp_path: Path) -> None:
    with pytest.raises(HardwareFault, match="No such file"):
        Backlight(tmp_path)


@pytest.mark.parametrize(
    ("error", "wanted"),
    [
        (PermissionError(errno.EACCES, "Permission denied"), "the udev rules give it to the group video"),
        (OSError(errno.EROFS, "Read-only file system"), "must not have ProtectKernelTunables"),
        (OSError(errno.EIO, "Input/output error"), r"cannot be written: Input/output error\."),
    ],
)
def test_what_cannot_be_written_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, wanted: str) -> None:
    light = simulated_backlight(tmp_path)

    def refuse(*_: object, **__: object) -> int:
        raise error

    monkeypatch.setattr(Path, "write_text", refuse)
    with pytest.raises(HardwareFault, match=wanted):
        light.set(1)
