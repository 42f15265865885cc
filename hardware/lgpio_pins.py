"""The real pins: gpiozero's LGPIOFactory, built explicitly and with exact stamps.

Importing lgpio starts its one thread and makes a pipe in the folder that LG_WD names, and moves the whole process there. So the folder
is an argument, and the process is moved back at once. The thread opens its pipe by a relative name: a new one, needed after the first
has died, must be started from the same folder.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardware.edges import HardwareFault

if TYPE_CHECKING:
    from collections.abc import Iterator


def lgpio_factory(runtime_folder: Path, chip: int | None = None, what: str = "buttons'") -> Any:  # noqa: ANN401 - gpiozero ships no types
    """An LGPIOFactory whose pins pass the kernel's stamp untouched, as `NsTicks`.

    A driver thread that has died since the last call is replaced. The process's folder is the same after the call as before it.

    Args:
        runtime_folder: An existing writable folder: the library makes a pipe there. The first call's folder is the one that counts.
        chip: Number of the header's chip; None lets gpiozero look at the board.
        what: Whose pins they are, for the sentence when they cannot be had.

    Raises:
        HardwareFault: The library, the folder or the chip is missing; the text says which.
    """
    folder = runtime_folder.resolve()
    if not os.access(folder, os.W_OK | os.X_OK):
        raise HardwareFault(
            f"The runtime folder {folder} does not exist or cannot be written, and lgpio needs a pipe there. "
            "Give the service a runtime folder, or start with --simulate."
        )
    try:
        with _working_in(folder):
            _revive()
            factory = _exact_factory(chip)
    except Exception as error:
        which = "the header's GPIO chip" if chip is None else f"gpiochip{chip}"
        raise HardwareFault(
            f"The {what} pins cannot be had: {which} did not open through lgpio ({type(error).__name__}: {error}). "
            "On a Raspberry Pi install lgpio and join the group gpio; elsewhere start with --simulate."
        ) from error
    return factory


def lgpio_alive() -> bool:
    """Whether lgpio's thread still runs; without it no edge is delivered."""
    library = _loaded()
    return library is not None and bool(library._notify_thread.is_alive())  # noqa: SLF001 - it has no public name


def _loaded() -> Any | None:  # noqa: ANN401
    return sys.modules.get("lgpio")


@contextlib.contextmanager
def _working_in(folder: Path) -> Iterator[None]:
    here = Path.cwd()
    if _loaded() is None:
        os.environ["LG_WD"] = str(folder)
    os.chdir(os.environ.get("LG_WD", folder))
    try:
        yield
    finally:
        os.chdir(here)


def _revive() -> None:
    library = _loaded()
    if library is not None and not lgpio_alive():
        library._notify_thread = library._callback_thread()  # noqa: SLF001 - the library cannot be imported anew


def _exact_factory(chip: int | None) -> Any:  # noqa: ANN401
    from gpiozero.pins.lgpio import LGPIOFactory, LGPIOPin

    from hardware.gpiozero_source import NsTicks

    class ExactPin(LGPIOPin):  # type: ignore[misc]
        """Passes nanoseconds on instead of dividing them into seconds."""

        def _call_when_changed(self, _chip: int, _gpio: int, level: int, ticks: int) -> None:
            changed = self._when_changed  # read once: another thread may clear it
            handler = None if changed is None else changed()
            if handler is not None and level in (0, 1):
                handler(NsTicks(ticks), level)

    factory = LGPIOFactory(chip=chip)
    factory.pin_class = ExactPin
    return factory
