"""The trial of the two buttons: raw edges for a while, and what the contacts did. On a simulated box the doctor presses them itself."""

from __future__ import annotations

import queue
import time
from typing import TYPE_CHECKING

from hardware import LINES, BounceMeter, HardwareFault, SimulatedBox
from kiosk.app.doctor.figures import ButtonFigures
from kiosk.domain.types import NS_PER_MS, NS_PER_S

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware import Edge, EdgeSource, Line

WANTED = 5
"""So many presses of a button are enough."""

AFTER_S = 0.2
"""So long the last press's bounce is waited for."""

ZERO = 1_000 * NS_PER_S
"""Where the simulated box's own clock begins."""


def try_buttons(build: Callable[[], EdgeSource], ask: Callable[[Line], None], seconds: float) -> list[ButtonFigures]:
    """Have each button pressed.

    Args:
        build: Makes the button source.
        ask: Asks somebody to press this one now.
        seconds: How long each is waited for.

    Returns:
        What each did, or why it could not be tried.
    """
    meter = BounceMeter()
    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    source: EdgeSource | None = None
    try:
        source = build()
        source.start(edges.put)
        for line in LINES:
            ask(line)
            _listen(edges, meter, line, seconds)
    except HardwareFault as fault:
        return [ButtonFigures(line, 0, 0, 0, 0, fault=str(fault)) for line in LINES]
    finally:
        if source is not None:
            source.close()
    return [figures(meter, line) for line in LINES]


def _listen(edges: queue.SimpleQueue[Edge], meter: BounceMeter, line: Line, seconds: float) -> None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        try:
            meter.feed(edges.get(timeout=left))
        except queue.Empty:
            return
        if meter.measured(line).presses >= WANTED:
            until = min(until, time.monotonic() + AFTER_S)


def figures(meter: BounceMeter, line: Line, *, simulated: bool = False) -> ButtonFigures:
    """What a meter saw of a button."""
    seen = meter.measured(line)
    return ButtonFigures(line, seen.presses, seen.movements, seen.edges, seen.worst_ns, simulated)


def press_simulated() -> list[ButtonFigures]:
    """Press both buttons of a simulated box, each time with one bounce more, through the same source and the same meter."""
    now = [ZERO]
    box, meter = SimulatedBox(lambda: now[0]), BounceMeter()
    source = box.source()
    source.start(meter.feed)
    for line in LINES:
        for bounces in range(WANTED):
            for closed in (True, False):
                now[0] += 150 * NS_PER_MS
                for step in range(2 * bounces + 1):
                    box.drive(line, closed is (step % 2 == 0), now[0] + step * NS_PER_MS // 2)
    source.close()
    return [figures(meter, line, simulated=True) for line in LINES]
