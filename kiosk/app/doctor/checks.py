"""Every check that needs nobody's hand, in the order in which they are done: first what records depend on."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from kiosk.app.doctor import judge_box, judge_store, judge_world, look_box, look_devices, look_store, look_world
from kiosk.app.doctor.run import Check, check
from kiosk.journal import holder
from kiosk.say import mark

if TYPE_CHECKING:
    from kiosk.app.config import Config
    from kiosk.app.doctor.figures import PanelFigures

SYNC_S = 30.0
"""A card that stalls is to be measured, not given up at its first stall."""

JOURNAL_S = 60.0
"""A journal of a whole season on a small Pi."""

SERVER_S = 20.0
"""Longer than a connection's own deadlines."""


def checks(config: Config, *, simulate: bool, panels: tuple[PanelFigures, ...] | None = None) -> list[Check]:
    """What there is to look at.

    Args:
        config: The table's configuration.
        simulate: The buttons are simulated ones.
        panels: The panel of the running table that asks; None: no table asks, and those that are connected are looked for.
    """
    data = config.data
    return [
        check("data", mark("Data folder"), partial(look_store.look_at_folder, data), judge_store.judge_folder),
        check("disk", mark("Free disk"), partial(look_store.look_at_disk, data), judge_store.judge_disk),
        check("sync", mark("Sync of an entry"), partial(look_store.look_at_sync, data), judge_store.judge_sync, SYNC_S),
        check("journal", mark("Journal"), partial(look_store.look_at_journal, config.journal), judge_store.judge_journal, JOURNAL_S),
        check("time", mark("Date and time"), look_box.look_at_time, judge_world.judge_time),
        check("power", mark("Power supply"), look_box.look_at_power, judge_box.judge_power),
        check("temperature", mark("Temperature"), look_box.look_at_heat, judge_box.judge_heat),
        _buttons(config, simulate=simulate, runs=panels is not None or holder(config.journal) is not None),
        *(
            check(key, what, partial(look_devices.look_at_device, config, key), judge_box.judge_part)
            for key, what in look_devices.DEVICES.items()
        ),
        check("panel", mark("Display panel"), partial(_panels, config, panels), judge_world.judge_panel),
        check("fonts", mark("Letters"), look_world.look_at_fonts, judge_world.judge_fonts),
        check("server", mark("Tournament server"), partial(look_world.look_at_server, data), judge_world.judge_server, SERVER_S),
        check("versions", mark("Versions"), look_world.look_at_versions, judge_world.judge_versions),
    ]


def _buttons(config: Config, *, simulate: bool, runs: bool) -> Check:
    """Where presses come from: the header's pins, a button box, a keypad."""
    if config.buttons in {"serial", "evdev"} and not simulate:
        look = partial(look_devices.look_at_buttons, config)
        return check("buttons_device", mark("Button box"), look, judge_box.judge_part)
    pins = partial(look_box.look_at_the_pins, simulated=simulate, table_runs=runs)
    return check("pins", mark("Pins"), pins, judge_box.judge_pins)


def _panels(config: Config, panels: tuple[PanelFigures, ...] | None) -> tuple[PanelFigures, ...]:
    return look_box.look_at_panels(config.inch) if panels is None else panels
