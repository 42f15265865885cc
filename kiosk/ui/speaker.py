"""A loudspeaker at the board's or laptop's sound output (HDMI, jack, USB), through pygame's mixer: notes in, tones out.

It is opened only where `sound = "speaker"` says so; the display never opens sound. Decision: an output that is pulled out while the table
runs is not noticed, for the system then plays to nobody without saying so; plugged in again, it may need a new start.
"""

from __future__ import annotations

import math
from array import array
from typing import TYPE_CHECKING

import pygame

from kiosk.domain.errors import KioskError
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kiosk.ports import Note

RATE = 22_050
"""Samples a second."""
BUFFER = 512
"""Samples that wait to be heard: 23 ms."""
RAMP = RATE // 200
"""Samples in which a note swells and dies away: without it each would begin and end with a click."""
LOUDEST = 32_767
LOUDNESS = {1: 0.05, 2: 0.25, 3: 0.9}
"""Volume: the share of the loudest that can be."""


class SpeakerUnavailable(KioskError, OSError):
    """The world failed: there is no sound output, or it does not play."""


class Speaker:
    """A loudspeaker."""

    def __init__(self) -> None:
        """Open the sound output; that may take a part of a second.

        Raises:
            SpeakerUnavailable: There is none.
        """
        try:
            pygame.mixer.init(RATE, -16, 1, BUFFER, allowedchanges=0)
        except pygame.error as error:
            raise SpeakerUnavailable(
                _(
                    "there is no sound output ({why}). Connect one, let this user use it (group audio), or set {key} in kiosk.toml.",
                    why=error,
                    key='sound = "off"',
                )
            ) from error
        self._made: dict[tuple[tuple[Note, ...], int], pygame.mixer.Sound] = {}

    def play(self, notes: Sequence[Note], volume: int) -> None:
        """Play notes, one after the other; returns as soon as they have begun.

        Args:
            notes: Hertz (0 is a rest) and milliseconds.
            volume: 1 soft, 2 medium, 3 loud.

        Raises:
            SpeakerUnavailable: It does not play.
        """
        which = tuple(notes), volume
        try:
            if which not in self._made:
                self._made[which] = pygame.mixer.Sound(buffer=samples(notes, volume))
            self._made[which].play()
        except pygame.error as error:
            raise SpeakerUnavailable(_("The loudspeaker does not play ({why}).", why=error)) from error

    @staticmethod
    def close() -> None:
        """Let go of the sound output."""
        pygame.mixer.quit()


def samples(notes: Sequence[Note], volume: int) -> bytes:
    """Notes as samples of 16 bits: sines that swell and die away.

    Args:
        notes: Hertz (0 is a rest) and milliseconds.
        volume: 1, 2 or 3.
    """
    wave = array("h")
    for hz, ms in notes:
        count = RATE * ms // 1000
        turn, loud = 2 * math.pi * hz / RATE, LOUDNESS[volume] * LOUDEST
        wave.extend(round(loud * min(1, n / RAMP, (count - n) / RAMP) * math.sin(turn * n)) for n in range(count))
    return wave.tobytes()
