"""Which lamps and which sounder a table has, by its configuration: a real part, a simulated one, or none. Never a silent fake."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hardware import GpioLamps, GpioSounder, SimulatedLamps, SimulatedSounder, lgpio_factory
from kiosk.app.signals import Hearing, Signals
from kiosk.domain.types import Pair

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kiosk.app.config import Config
    from kiosk.app.table import RunningTable
    from kiosk.ports import Lamps, Sounder, Volumes


@dataclass(frozen=True)
class Outputs:
    """What a table has to be seen and heard by, besides its screen."""

    lamps: Lamps | None
    sounder: Sounder | None

    @property
    def simulated(self) -> SimulatedLamps | None:
        """The lamps, where they are simulated: to be looked at."""
        return self.lamps if isinstance(self.lamps, SimulatedLamps) else None

    def lit(self) -> Pair[bool] | None:
        """Which simulated lamp is lit, as its pin has it; None where there are none of them."""
        if self.simulated is None:
            return None
        lit = self.simulated.lit()
        return Pair(lit.get("left", False), lit.get("right", False))


def outputs(config: Config, *, simulate: bool, runtime: Callable[[], Path]) -> Outputs:
    """Build them; at the start a part that is configured and missing is an error, not a notice.

    Decision: a simulated table has both lamps and a sounder, whatever is configured for the real box; `sound = "speaker"` is heard there
    too, for a laptop has one.

    Args:
        config: The table's configuration.
        simulate: The box is simulated.
        runtime: The folder where lgpio makes its pipe.

    Raises:
        HardwareFault: A pin cannot be had.
        KioskError: There is no sound output.
    """
    lamps = _lamps(config, simulate=simulate, runtime=runtime)
    try:
        return Outputs(lamps, _sounder(config, simulate=simulate, runtime=runtime))
    except BaseException:
        if lamps is not None:
            lamps.close()
        raise


def _lamps(config: Config, *, simulate: bool, runtime: Callable[[], Path]) -> Lamps | None:
    if simulate:
        return SimulatedLamps()
    return GpioLamps(lgpio_factory(runtime(), what="lamps'")) if config.lamps else None


def _sounder(config: Config, *, simulate: bool, runtime: Callable[[], Path]) -> Sounder | None:
    if config.sound == "speaker":
        from kiosk.ui.speaker import Speaker  # pygame is loaded where it is wanted

        return Speaker()
    if simulate:
        return SimulatedSounder()
    return GpioSounder(lgpio_factory(runtime(), what="sounder's")) if config.sound == "gpio" else None


def signals(
    made: Outputs, table: RunningTable, hearing: Hearing, *, volumes: Callable[[], Volumes], wake: Callable[[], None]
) -> Signals | None:
    """The part of the loop that works them; None where there is nothing to be worked.

    Args:
        made: Lamps and sounder; owned by the part from now on.
        table: The running table.
        hearing: Has listened to its session from the beginning.
        volumes: How loud each sound is now.
        wake: Wakes the loop, from any thread.
    """
    if made.lamps is None and made.sounder is None:
        return None
    if made.simulated is not None:
        made.simulated.on_change = wake  # they are drawn on the screen
    return Signals(table, hearing, made.lamps, made.sounder, volumes=volumes, wake=wake)


def status(made: Outputs, working: Signals | None) -> dict[str, Any]:
    """What the console's `status` says of a simulated box: its lamps, and the last sounds with their instants in whole milliseconds."""
    lit = made.lit()
    if lit is None or working is None:
        return {}
    words = {side: "lit" if on else "dark" for side, on in (("left", lit.left), ("right", lit.right))}
    heard = [{"sound": str(one.sound), "volume": one.volume, "at_ms": one.at // 1_000_000} for one in tuple(working.played)]
    return {"box": {"lamps": words, "sounds": heard}}
