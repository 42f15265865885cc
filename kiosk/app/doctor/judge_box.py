"""Verdicts on the box itself: pins, buttons, other parts, heat, supply. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hardware import CHATTER_NS
from kiosk.app.doctor.judge_store import ms_words
from kiosk.domain.types import NS_PER_MS
from kiosk.ports import Finding
from kiosk.say import _, mark, n_

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kiosk.app.doctor.figures import ButtonFigures, HeatFigures, PartFigures, PinFigures, PowerFigures
    from kiosk.ports import Grade

WORN_NS = 20 * NS_PER_MS
"""Decision: a contact that bounces for two thirds of what is allowed will soon bounce for all of it."""

WARM, HOT = 70.0, 80.0
"""Degrees Celsius: from 80 on the firmware slows a Pi down."""

OF_POWER: dict[int, tuple[str, Grade]] = {
    0: (mark("the supply's voltage is too low now"), "wrong"),
    1: (mark("the processor's speed is capped now"), "doubt"),
    2: (mark("the processor is slowed down now"), "wrong"),
    3: (mark("the soft limit of temperature is reached now"), "doubt"),
    16: (mark("the supply's voltage was too low since switching on"), "wrong"),
    17: (mark("the processor's speed was capped since switching on"), "doubt"),
    18: (mark("the processor was slowed down since switching on"), "doubt"),
    19: (mark("the soft limit of temperature was reached since switching on"), "doubt"),
}
"""Every bit that the firmware's `get_throttled` has, in words."""

SUPPLY_BITS = 0b1 | 0b1 << 16
"""The voltage, now and since switching on; all else is heat, or follows from it."""

OURS = ("tableside", "lg", "gpiozero")
"""What the holder of a line calls itself when it is a table: the gpiod source, lgpio."""

BUTTONS = {"left": mark("Left button"), "right": mark("Right button")}


def judge_pins(found: PinFigures) -> list[Finding]:
    """Whether the buttons' lines are there and can be had."""
    name, what = "pins", _("Pins")
    if found.simulated:
        return [Finding(name, what, _("simulated buttons, as --simulate asks for"), "good")]
    if found.fault:
        return [Finding(name, what, found.fault, "wrong", _("Install what is missing, or start with --simulate."))]
    if not found.chip:
        seen = ", ".join(found.others) or _("there is no chip at all")
        advice = _("On a Raspberry Pi join the group gpio and look with `gpiodetect`; elsewhere use --simulate or a button box.")
        return [Finding(name, what, _("no Raspberry Pi GPIO chip was found ({seen})", seen=seen), "wrong", advice)]
    held = {holder for _line, _gpio, holder in found.lines if holder}
    figure = f"{found.label} ({found.chip}), " + ", ".join(f"{_(BUTTONS[line])}: GPIO{gpio}" for line, gpio, _holder in found.lines)
    if not held:
        return [Finding(name, what, figure, "good")]
    figure = _("{figure}; held by {holder}", figure=figure, holder=", ".join(sorted(held)))
    if found.table_runs and all(holder.startswith(OURS) for holder in held):
        return [Finding(name, what, figure, "good")]
    return [Finding(name, what, figure, "wrong", _("Another program holds a button's pin: stop it (`gpioinfo` shows which)."))]


def judge_button(found: ButtonFigures) -> list[Finding]:
    """Whether a button's contact does what it should."""
    name, what = f"button_{found.line}", _(BUTTONS[found.line])
    if found.fault:
        return [Finding(name, what, found.fault, "wrong", _("See the pins."))]
    if not found.presses:
        advice = _("Press it; if nothing comes, check both wires and the plug by hardware/WIRING.md.")
        return [Finding(name, what, _("no press came"), "wrong", advice)]
    presses = n_("{n} press", "{n} presses", found.presses)
    edges = n_("{n} edge", "{n} edges", found.edges)
    figure = _("{presses}, {edges}, longest bounce {ms} ms", presses=presses, edges=edges, ms=ms_words(found.worst_ns))
    if found.simulated:
        figure = _("{figure}; simulated, pressed by the doctor", figure=figure)
    if found.worst_ns > CHATTER_NS:
        advice = _("Replace the switch: it bounces for longer than {ms} ms, so one press may count as two.", ms=CHATTER_NS // NS_PER_MS)
        return [Finding(name, what, figure, "wrong", advice)]
    if found.worst_ns > WORN_NS:
        return [
            Finding(name, what, figure, "doubt", _("The switch is worn, or its wires pick something up; replace it before the next event."))
        ]
    return [Finding(name, what, figure, "good")]


def judge_part(found: PartFigures) -> list[Finding]:
    """Whether a part that is configured is there and works."""
    if not found.configured:
        return [Finding(found.name, found.what, _("not configured"), "off")]
    if found.fault:
        advice = _("Plug it in or switch it on; or take it out of kiosk.toml ({configured}).", configured=found.configured)
        return [Finding(found.name, found.what, found.fault, "wrong", advice)]
    return [Finding(found.name, found.what, found.detail or found.configured, "good")]


def judge_heat(found: HeatFigures) -> list[Finding]:
    """Whether the box is too hot."""
    what = _("Temperature")
    if found.celsius is None:
        return [Finding("temperature", what, _("no sensor"), "off")]
    figure = _("{n} °C", n=f"{found.celsius:.0f}")
    if found.celsius >= HOT:
        return [Finding("temperature", what, figure, "wrong", _("Give the box air: openings below and above, a heat sink, no sun."))]
    if found.celsius >= WARM:
        return [Finding("temperature", what, figure, "doubt", _("Warm; from {n} °C on the processor is slowed down.", n=round(HOT)))]
    return [Finding("temperature", what, figure, "good")]


def judge_power(found: PowerFigures) -> list[Finding]:
    """What the firmware says of the supply, each bit of it."""
    name, what = "power", _("Power supply")
    if not found.pi:
        return [Finding(name, what, _("not a Raspberry Pi: it says nothing of its supply"), "off")]
    if found.word is None:
        return [
            Finding(
                name, what, _("the firmware does not answer"), "doubt", _("Join the group video, so that `vcgencmd get_throttled` works.")
            )
        ]
    bits = [bit for bit in range(found.word.bit_length()) if found.word >> bit & 1]
    if not bits:
        return [Finding(name, what, _("enough since switching on (0x0)"), "good")]
    told = [_(OF_POWER[bit][0]) if bit in OF_POWER else _("unknown bit {n}", n=bit) for bit in bits]
    grades = {OF_POWER[bit][1] if bit in OF_POWER else "doubt" for bit in bits}
    grade: Grade = "wrong" if "wrong" in grades else "doubt"
    figure = f"{'; '.join(told)} ({found.word:#x})"
    supply = _("Take the board's own supply (5.1 V, 3 A or more) with a short thick cable, and nothing else on its USB sockets.")
    air = _("Give the box air; see the temperature.")
    return [Finding(name, what, figure, grade, supply if found.word & SUPPLY_BITS else air)]


def worst(findings: Sequence[Finding]) -> bool:
    """Whether something is wrong."""
    return any(finding.grade == "wrong" for finding in findings)
