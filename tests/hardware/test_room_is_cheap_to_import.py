"""Guest libraries are imported when a source is built, not before."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import hardware


def test_importing_the_room_imports_no_pin_library() -> None:
    code = "import sys, hardware; print([m for m in ('gpiozero', 'gpiod', 'lgpio', 'serial', 'kiosk') if m in sys.modules])"
    root = Path(hardware.__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_facade_names_everything_it_promises() -> None:
    assert all(hasattr(hardware, name) for name in hardware.__all__)
