"""This box's parts: the two clock buttons and serial devices, real or simulated. Nothing here knows the rest of the kiosk.

Libraries that talk to pins or ports are imported only when a source is built.
"""

from hardware.badges import Badge, BadgeReader
from hardware.debounce import ButtonEvent, Debouncer, Held, Pressed, Released, StuckAtBoot
from hardware.edges import LINES, Edge, EdgeSource, HardwareFault, Line, SourceHealth
from hardware.gpiod_source import GpiodEdgeSource
from hardware.gpiozero_source import GpiozeroEdgeSource
from hardware.lgpio_pins import lgpio_alive, lgpio_factory
from hardware.pins import BUTTON_PINS, CHIP_LABELS
from hardware.serial_port import LinkHealth, SerialLink, finder, is_address
from hardware.simulated import SimulatedBox
from hardware.simulated_serial import SimulatedPort
from hardware.watch import Notice, SourceKeeper

__all__ = [
    "BUTTON_PINS",
    "CHIP_LABELS",
    "LINES",
    "Badge",
    "BadgeReader",
    "ButtonEvent",
    "Debouncer",
    "Edge",
    "EdgeSource",
    "GpiodEdgeSource",
    "GpiozeroEdgeSource",
    "HardwareFault",
    "Held",
    "Line",
    "LinkHealth",
    "Notice",
    "Pressed",
    "Released",
    "SerialLink",
    "SimulatedBox",
    "SimulatedPort",
    "SourceHealth",
    "SourceKeeper",
    "StuckAtBoot",
    "finder",
    "is_address",
    "lgpio_alive",
    "lgpio_factory",
]
