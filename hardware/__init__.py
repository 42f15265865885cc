"""This box's parts, real or simulated: buttons, lamps, sounder, serial devices. Nothing here knows the rest of the kiosk.

Libraries that talk to pins or ports are imported only when a source is built.
"""

from hardware.addresses import finder, is_address
from hardware.backlight import Backlight, find_backlight, simulated_backlight
from hardware.badges import Badge, BadgeReader, frame_of
from hardware.bounce import BounceMeter, ButtonBounce
from hardware.compositor import NoCompositorError, cage_lacks, enter_cage, is_inside
from hardware.debounce import CHATTER_NS, ButtonEvent, Debouncer, Held, Pressed, Released, StuckAtBoot
from hardware.edges import LINES, Edge, EdgeSource, HardwareFault, Line, SourceHealth
from hardware.edid import panel_mm
from hardware.evdev import is_input_address
from hardware.evdev_source import EvdevSource
from hardware.gpiod_source import GpiodEdgeSource
from hardware.gpiozero_source import GpiozeroEdgeSource
from hardware.graphics import keep_console_lit, kms_lacks, touch_lacks
from hardware.keys import key_code
from hardware.lamps import GpioLamps, SimulatedLamps
from hardware.lgpio_pins import lgpio_alive, lgpio_factory
from hardware.pin_report import LineSeen, PinReport, look_at_pins
from hardware.pins import BUTTON_PINS, CHIP_LABELS
from hardware.printer import PrinterState, ReceiptPrinter
from hardware.serial_port import LinkHealth, SerialLink
from hardware.serial_source import ButtonBox, SerialEdgeSource
from hardware.simulated import SimulatedBox
from hardware.simulated_printer import SimulatedPrinter
from hardware.simulated_serial import SimulatedPort
from hardware.sounder import GpioSounder, SimulatedSounder
from hardware.watch import Notice, SourceKeeper

__all__ = [
    "BUTTON_PINS",
    "CHATTER_NS",
    "CHIP_LABELS",
    "LINES",
    "Backlight",
    "Badge",
    "BadgeReader",
    "BounceMeter",
    "ButtonBounce",
    "ButtonBox",
    "ButtonEvent",
    "Debouncer",
    "Edge",
    "EdgeSource",
    "EvdevSource",
    "GpioLamps",
    "GpioSounder",
    "GpiodEdgeSource",
    "GpiozeroEdgeSource",
    "HardwareFault",
    "Held",
    "Line",
    "LineSeen",
    "LinkHealth",
    "NoCompositorError",
    "Notice",
    "PinReport",
    "Pressed",
    "PrinterState",
    "ReceiptPrinter",
    "Released",
    "SerialEdgeSource",
    "SerialLink",
    "SimulatedBox",
    "SimulatedLamps",
    "SimulatedPort",
    "SimulatedPrinter",
    "SimulatedSounder",
    "SourceHealth",
    "SourceKeeper",
    "StuckAtBoot",
    "cage_lacks",
    "enter_cage",
    "find_backlight",
    "finder",
    "frame_of",
    "is_address",
    "is_input_address",
    "is_inside",
    "keep_console_lit",
    "key_code",
    "kms_lacks",
    "lgpio_alive",
    "lgpio_factory",
    "look_at_pins",
    "panel_mm",
    "simulated_backlight",
    "touch_lacks",
]
