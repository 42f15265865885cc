"""The trial of lamps and sounder from the command line: each is lit and played, and whoever is at the terminal says whether it came.

On a simulated box nobody is asked: what its pins and its sounder took is looked at instead.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hardware import HardwareFault, SimulatedLamps, SimulatedSounder
from kiosk.app.doctor.figures import PartFigures
from kiosk.app.signal_parts import outputs
from kiosk.app.signals import TUNES
from kiosk.domain.errors import KioskError
from kiosk.domain.types import Pair
from kiosk.ports import Sound
from kiosk.say import _

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from kiosk.app.config import Config
    from kiosk.ports import Lamps, Sounder

    Ask = Callable[[str], bool]

PATTERNS = (Pair(left=True, right=False), Pair(left=False, right=True))
LIT_S = 1.0
"""So long each lamp shines before it is asked for."""


def look_at_outputs(config: Config, *, simulate: bool, runtime: Callable[[], Path], ask: Ask | None) -> tuple[PartFigures, ...]:
    """Both, as they are configured.

    Args:
        config: The table's configuration.
        simulate: The box is simulated.
        runtime: The folder where lgpio makes its pipe.
        ask: Asks whoever is there, yes or no; None where nobody is, and only their pins are looked at.
    """
    lamps = PartFigures("lamps", _("Lamps"), "on" if config.lamps or simulate else "")
    sound = PartFigures("sound", _("Sound"), config.sound if config.sound != "off" else "gpio" if simulate else "")
    if not lamps.configured and not sound.configured:
        return lamps, sound
    try:
        made = outputs(config, simulate=simulate, runtime=runtime)
    except (HardwareFault, KioskError) as fault:
        return tuple(_told(each, fault=str(fault)) if each.configured else each for each in (lamps, sound))
    try:
        if made.lamps is not None:
            lamps = _try_lamps(lamps, made.lamps, ask)
        if made.sounder is not None:
            sound = _try_sounder(sound, made.sounder, ask)
    finally:
        for part in (made.lamps, made.sounder):
            if part is not None:
                part.close()
    return lamps, sound


def _told(part: PartFigures, detail: str = "", fault: str = "") -> PartFigures:
    return PartFigures(part.name, part.what, part.configured, detail, fault)


def _try_lamps(part: PartFigures, lamps: Lamps, ask: Ask | None) -> PartFigures:
    try:
        for lit in PATTERNS:
            lamps.light(left=lit.left, right=lit.right)
            if isinstance(lamps, SimulatedLamps):
                if lamps.lit() != {"left": lit.left, "right": lit.right}:
                    return _told(part, fault=_("a simulated lamp does not follow its pin"))
            elif ask is not None:
                time.sleep(LIT_S)
                if not ask(_("Does the left lamp shine?") if lit.left else _("Does the right lamp shine?")):
                    return _told(part, fault=_("the left one was not seen") if lit.left else _("the right one was not seen"))
    except Exception as fault:  # noqa: BLE001 - whatever the driver raises, it is what was found
        return _told(part, fault=str(fault))
    return _told(part, _came(simulated=isinstance(lamps, SimulatedLamps), ask=ask))


def _try_sounder(part: PartFigures, sounder: Sounder, ask: Ask | None) -> PartFigures:
    if ask is None and not isinstance(sounder, SimulatedSounder):
        return _told(part, _came(simulated=False, ask=None))
    try:
        sounder.play(TUNES[Sound.ALERT], 2)
    except Exception as fault:  # noqa: BLE001 - whatever the driver raises, it is what was found
        return _told(part, fault=str(fault))
    if isinstance(sounder, SimulatedSounder):
        heard = list(sounder.played) == [(TUNES[Sound.ALERT], 2)]
        return _told(part, _came(simulated=True, ask=None)) if heard else _told(part, fault=_("the simulated sounder kept no sound"))
    if ask is not None and not ask(_("Was the sound heard?")):
        return _told(part, fault=_("it was not heard"))
    return _told(part, _came(simulated=False, ask=ask))


def _came(*, simulated: bool, ask: Ask | None) -> str:
    if simulated:
        return _("simulated; it did what it was told")
    return _("was noticed") if ask is not None else _("its pins can be had; not tried, for nobody is at a terminal")
