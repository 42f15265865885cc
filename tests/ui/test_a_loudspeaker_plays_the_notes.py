"""The sound output through pygame's mixer: what is written to it is heard by SDL's own driver that keeps it in a file."""

from __future__ import annotations

import subprocess
import sys
import time
from array import array
from itertools import pairwise
from pathlib import Path

import pytest

from kiosk.domain.errors import KioskError
from kiosk.ui.speaker import RATE, Speaker, samples


def loudest(raw: bytes) -> int:
    return max((abs(sample) for sample in array("h", raw)), default=0)


def test_notes_become_waves_of_their_pitch_length_and_loudness() -> None:
    wave = array("h", samples([(1000, 100), (0, 50)], 3))
    assert len(wave) == RATE * 150 // 1000
    tone, rest = wave[: RATE // 10], wave[RATE // 10 :]
    rises = sum(one < 0 <= other for one, other in pairwise(tone))
    assert 98 <= rises <= 101
    assert set(rest) == {0}
    assert wave[0] == 0
    assert abs(tone[-1]) < 1000  # it dies away
    assert loudest(samples([(1000, 100)], 1)) < loudest(samples([(1000, 100)], 2)) < loudest(samples([(1000, 100)], 3)) < 2**15


def test_what_is_played_reaches_the_sound_output(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    kept = tmp_path / "heard.raw"
    monkeypatch.setenv("SDL_AUDIODRIVER", "disk")
    monkeypatch.setenv("SDL_DISKAUDIOFILE", str(kept))
    speaker = Speaker()
    speaker.play([(1760, 45)], 3)
    limit = time.monotonic() + 60
    while not (kept.exists() and loudest(kept.read_bytes()[: kept.stat().st_size // 2 * 2]) > 20_000):
        assert time.monotonic() < limit
        time.sleep(0.01)
    speaker.close()
    with pytest.raises(KioskError, match="does not play"):
        speaker.play([(880, 45)], 3)


def test_without_a_sound_output_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "nonesuch")
    with pytest.raises(KioskError, match=r"there is no sound output \(.*sound = \"off\""):
        Speaker()


def test_a_window_opens_no_sound() -> None:
    code = """
import os
os.environ["SDL_VIDEODRIVER"] = "dummy"
import pygame
from kiosk.ui.window import Window
window = Window()
print(pygame.mixer.get_init())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    assert done.stdout.strip().endswith("None")
