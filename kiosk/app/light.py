"""The panel's light as a part of the loop: the desk decides how bright it is to be, the backlight is told on a thread of its own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import TYPE_CHECKING, Protocol

from hardware import HardwareFault, find_backlight
from kiosk.app.logs import log
from kiosk.ui.light import Light

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware import Backlight
    from kiosk.app.config import Config

DIM = 0.2
"""How bright a dim panel is, as a share of a lit one."""


class Lit(Protocol):
    """What decides: the desk."""

    veiled: bool

    def light(self, at: int) -> Light:
        """How bright the panel is to be."""
        ...

    def light_changes(self, at: int) -> int | None:
        """When that changes though nothing happens."""
        ...


class PanelLight:
    """Dims, darkens and lights the panel; `kiosk.app.loop.Part`."""

    name = "light"

    def __init__(self, desk: Lit, backlight: Backlight | None, *, brightness: float = 1.0, wake: Callable[[], None] = lambda: None) -> None:
        """Nothing is written yet; at the first turn it is lit, however dark it was left.

        Args:
            desk: Decides; told whether dimming is to be drawn.
            backlight: What is dimmed; None where there is none, so that dimming is drawn.
            brightness: How bright a lit panel is, from 0 to 1.
            wake: Wakes the loop when writing has failed.
        """
        self._desk = desk
        self._backlight = backlight
        self._shares = {Light.FULL: brightness, Light.DIM: brightness * DIM, Light.DARK: 0.0}
        self._light: Light | None = None
        self._wake = wake
        self._failed: SimpleQueue[str] = SimpleQueue()
        self._pool = None if backlight is None else ThreadPoolExecutor(1, "light")
        desk.veiled = backlight is None

    def turn(self, now: int) -> None:
        """Have the backlight set where the light is to be another one.

        Args:
            now: Nanoseconds of the monotonic clock.
        """
        while not self._failed.empty():
            self._give_up(self._failed.get_nowait())
        light = self._desk.light(now)
        if light is not self._light:
            self._light = light
            if self._pool is not None:
                self._pool.submit(self._set, self._shares[light])

    def next_wake(self, now: int) -> int | None:
        """When the light is to be another one though nothing happens."""
        return self._desk.light_changes(now)

    def close(self) -> None:
        """Leave the panel lit: whoever shows something next is to be seen."""
        if self._pool is None:
            return
        self._pool.submit(self._set, self._shares[Light.FULL])
        self._pool.shutdown(wait=True)
        while not self._failed.empty():
            log.error(self._failed.get_nowait())

    def _set(self, share: float) -> None:
        """On the other thread."""
        try:
            if self._backlight is not None:
                self._backlight.set(share)
        except HardwareFault as fault:
            self._failed.put(str(fault))
        except Exception as fault:  # noqa: BLE001 - told by the loop; a thread has nobody to tell
            self._failed.put(f"The backlight cannot be set: {fault!r}.")
        else:
            return
        self._wake()

    def _give_up(self, why: str) -> None:
        """Said once; from now on dimming is drawn."""
        if not self._desk.veiled:
            log.error("%s The picture is dimmed instead.", why)
        self._desk.veiled = True
        if self._pool is not None:
            self._pool.shutdown(wait=False)
        self._pool = None


def backlight_for(config: Config, *, panel: bool) -> Backlight | None:
    """The backlight that this table may set; why one cannot be had is said in the log.

    Args:
        config: Names it, or `none`.
        panel: The picture has a panel of its own; on a desktop only one that was named is touched.
    """
    if config.backlight == "none" or not (panel or config.backlight):
        return None
    try:
        return find_backlight(config.backlight)
    except HardwareFault as fault:
        log.error("%s The picture is dimmed instead.", fault)
        return None
