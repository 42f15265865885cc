"""Buttons through gpiozero's Pin API, on a factory that the caller has built explicitly.

The device classes of gpiozero hand callbacks the device, not the stamp; the pin itself passes `(ticks, state)`. Ticks are the kernel's
seconds as a float, whose resolution at long uptimes is coarser than a nanosecond, so the pins used here pass `NsTicks` instead: the
kernel's own integer. `bounce_time` is never set: it moves stamps and swallows presses.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardware.edges import Edge, HardwareFault, SourceHealth, plausible
from hardware.pins import BUTTON_PINS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hardware.edges import Deliver, Line


class NsTicks(int):
    """A pin's ticks in whole nanoseconds instead of seconds."""

    __slots__ = ()


def stamp_of(ticks: float | NsTicks) -> int:
    """Nanoseconds of a pin's ticks: exact for `NsTicks`, rounded for gpiozero's own seconds."""
    return int(ticks) if isinstance(ticks, NsTicks) else round(ticks * 1e9)


class GpiozeroEdgeSource:
    """Both buttons on pins of one gpiozero factory."""

    def __init__(
        self,
        factory: Any,  # noqa: ANN401 - gpiozero ships no types
        pins: Mapping[Line, int] | None = None,
        now_ns: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        """Prepare a source.

        Args:
            factory: An explicitly built gpiozero factory; never the default one.
            pins: BCM numbers.
            now_ns: The monotonic clock that stamps are held against.
        """
        self._factory = factory
        self._numbers = dict(BUTTON_PINS if pins is None else pins)
        self._now_ns = now_ns
        self._pins: dict[Line, Any] = {}
        self._callbacks: list[Callable[[float, int], None]] = []  # gpiozero keeps only weak references
        self._strange = 0
        self._fault: str | None = None

    def start(self, deliver: Deliver) -> None:
        """Claim both pins and begin to deliver.

        Raises:
            HardwareFault: A pin cannot be had.
        """
        for line, number in self._numbers.items():
            try:
                self._claim(line, number, deliver)
            except Exception as error:
                raise HardwareFault(
                    f"The {line} button's pin GPIO{number} cannot be used ({error}). "
                    "Check that no other program holds it, or start with --simulate."
                ) from error

    def _claim(self, line: Line, number: int, deliver: Deliver) -> None:
        pin = self._factory.pin(f"GPIO{number}")
        pin.input_with_pull("up")
        pin.edges = "both"
        callback = self._callback(line, deliver)
        self._callbacks.append(callback)
        self._pins[line] = pin
        pin.when_changed = callback

    def _callback(self, line: Line, deliver: Deliver) -> Callable[[float, int], None]:
        def changed(ticks: float, state: int) -> None:
            try:
                stamp, now = stamp_of(ticks), self._now_ns()
                if not plausible(stamp, now):
                    self._strange += 1
                    stamp = now
                deliver(Edge(line, not state, stamp))
            except Exception as error:  # noqa: BLE001 - an exception here would kill the only GPIO thread
                self._fault = f"The {line} button's edge could not be delivered: {error!r}."

        return changed

    def levels(self) -> dict[Line, bool]:
        """Both contacts as they are now: True is closed.

        Raises:
            HardwareFault: A pin cannot be read.
        """
        try:
            return {line: not pin.state for line, pin in self._pins.items()}
        except Exception as error:
            self._fault = f"The buttons' pins cannot be read ({error})."
            raise HardwareFault(self._fault) from error

    def health(self) -> SourceHealth:
        """What the source knows about itself."""
        return SourceHealth(alive=self._fault is None, strange_stamps=self._strange, fault=self._fault)

    def close(self) -> None:
        """Let go of both pins."""
        for pin in self._pins.values():
            pin.when_changed = None
            pin.close()
        self._pins.clear()
        self._callbacks.clear()
        close = getattr(self._factory, "close", None)
        if close is not None:
            close()


def lgpio_factory(runtime_folder: Path, chip: int | None = None) -> Any:  # noqa: ANN401 - gpiozero ships no types
    """An LGPIOFactory whose pins pass the kernel's stamp untouched.

    Args:
        runtime_folder: An existing writable folder: the library makes a pipe there when it is imported.
        chip: Number of the header's chip; None lets gpiozero look at the board.

    Raises:
        HardwareFault: The library or the chip is missing; the text says which.
    """
    here = Path.cwd()
    os.environ["LG_WD"] = str(runtime_folder.resolve())
    try:
        from gpiozero.pins.lgpio import LGPIOFactory, LGPIOPin

        class ExactPin(LGPIOPin):  # type: ignore[misc]
            """Passes nanoseconds on instead of dividing them into seconds."""

            def _call_when_changed(self, _chip: int, _gpio: int, level: int, ticks: int) -> None:
                handler = self._when_changed()
                if handler is not None:
                    handler(NsTicks(ticks), level)

        factory = LGPIOFactory(chip=chip)
        factory.pin_class = ExactPin
    except Exception as error:
        raise HardwareFault(
            f"The GPIO chip cannot be opened through lgpio ({type(error).__name__}: {error}). "
            "On a Raspberry Pi install lgpio and join the group gpio; elsewhere start with --simulate."
        ) from error
    finally:
        os.chdir(here)  # importing the library changes the process's folder to LG_WD
    return factory
