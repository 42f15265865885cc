"""The real factory: every failure is a sentence, the process stays in its folder, a dead driver thread is replaced."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from twins import NOW, TwinLgpio, lgpio_bench

from hardware import HardwareFault, lgpio_alive, lgpio_factory
from hardware import lgpio_pins as room

no_chip = pytest.mark.skipif(any(Path("/dev").glob("gpiochip*")), reason="this machine has a GPIO chip")


@no_chip
@pytest.mark.parametrize("chip", [None, 0])
def test_machine_without_a_chip_gets_a_fault_that_names_simulate(tmp_path: Path, chip: int | None) -> None:
    with pytest.raises(HardwareFault, match=r"lgpio .*--simulate"):
        lgpio_factory(tmp_path, chip)


@no_chip
def test_the_process_stays_in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    with pytest.raises(HardwareFault):
        lgpio_factory(tmp_path)
    assert Path.cwd() == here
    assert list(here.iterdir()) == []


@no_chip
def test_first_use_makes_the_pipe_in_the_runtime_folder_and_nowhere_else(tmp_path: Path) -> None:
    if importlib.util.find_spec("lgpio") is None:
        pytest.skip("lgpio is not installed")
    run, here = tmp_path / "run", tmp_path / "here"
    run.mkdir()
    here.mkdir()
    code = (
        "import sys; from pathlib import Path; from hardware import HardwareFault, lgpio_alive, lgpio_factory\n"
        "assert not lgpio_alive()\n"
        "try: lgpio_factory(Path('../run'))\n"
        "except HardwareFault: pass\n"
        "assert lgpio_alive()\n"
        "print(Path.cwd(), *[p.name for p in Path('../run').iterdir()])"
    )
    path = str(Path(room.__file__).parents[1])
    done = subprocess.run([sys.executable, "-c", code], cwd=here, env={"PYTHONPATH": path}, capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == str(here)
    assert done.stdout.split()[1].startswith(".lgd-nfy")
    assert list(here.iterdir()) == []


def test_runtime_folder_that_is_not_there_is_a_fault_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(HardwareFault, match=r"runtime folder .*absent.* does not exist .*--simulate"):
        lgpio_factory(tmp_path / "absent")


def test_missing_library_is_a_fault_that_names_simulate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LG_WD", "put back afterwards")
    monkeypatch.setitem(sys.modules, "lgpio", None)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(HardwareFault, match=r"did not open through lgpio .*--simulate"):
        lgpio_factory(tmp_path)


def test_dead_driver_thread_is_noticed_and_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lgpio: Any) -> None:
    TwinLgpio(monkeypatch, lgpio)

    class Ended:
        def is_alive(self) -> bool:
            return False

    monkeypatch.setattr(lgpio, "_notify_thread", Ended())
    assert not lgpio_alive()
    lgpio_factory(tmp_path)
    assert lgpio_alive()


def test_stamps_of_the_kernel_are_passed_on_untouched_and_watchdog_reports_are_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lgpio: Any
) -> None:
    bench = lgpio_bench(monkeypatch, lgpio, tmp_path)
    bench.start()
    TwinLgpio(monkeypatch, lgpio).alert(17, 2, NOW)
    bench.drive("left", True, NOW + 1)
    assert bench.next_edge().at_ns == NOW + 1
    bench.source.close()
    bench.drive("left", False, NOW + 2)
    assert bench.arrived.empty()
