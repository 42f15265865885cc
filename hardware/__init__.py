"""This box's parts: the two clock buttons, real or simulated. Nothing here knows the rest of the kiosk.

Libraries that talk to pins are imported only when a source is built.
"""

from hardware.compositor import NoCompositorError, cage_lacks, enter_cage, is_inside
from hardware.debounce import ButtonEvent, Debouncer, Held, Pressed, Released, StuckAtBoot
from hardware.edges import LINES, Edge, EdgeSource, HardwareFault, Line, SourceHealth
from hardware.gpiod_source import GpiodEdgeSource
from hardware.gpiozero_source import GpiozeroEdgeSource
from hardware.graphics import kms_lacks, touch_lacks
from hardware.lgpio_pins import lgpio_alive, lgpio_factory
from hardware.pins import BUTTON_PINS, CHIP_LABELS
from hardware.simulated import SimulatedBox
from hardware.watch import Notice, SourceKeeper

__all__ = [
    "BUTTON_PINS",
    "CHIP_LABELS",
    "LINES",
    "ButtonEvent",
    "Debouncer",
    "Edge",
    "EdgeSource",
    "GpiodEdgeSource",
    "GpiozeroEdgeSource",
    "HardwareFault",
    "Held",
    "Line",
    "NoCompositorError",
    "Notice",
    "Pressed",
    "Released",
    "SimulatedBox",
    "SourceHealth",
    "SourceKeeper",
    "StuckAtBoot",
    "cage_lacks",
    "enter_cage",
    "is_inside",
    "kms_lacks",
    "lgpio_alive",
    "lgpio_factory",
    "touch_lacks",
]
