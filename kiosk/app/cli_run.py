"""`kiosk run`: this table, from switching on to switching off. The list in `run` is the start-up; it is undone in reverse."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import click

from hardware import HardwareFault, SimulatedBox, SourceKeeper
from kiosk.app.button_source import builder, longest_pause, runtime_folder
from kiosk.app.carry import Shelf
from kiosk.app.console import Console
from kiosk.app.devices import connect
from kiosk.app.hall import Ears, Hall
from kiosk.app.hall_roster import JoinedRoster
from kiosk.app.logs import log
from kiosk.app.loop import Loop, wake, wake_pipe
from kiosk.app.power import switch_on
from kiosk.app.preparing import Preparing
from kiosk.app.recoveries import forget_recoveries, take_recoveries
from kiosk.app.roster import FileRoster
from kiosk.app.signal_parts import outputs, signals, status
from kiosk.app.signals import Hearing
from kiosk.app.sizes import read_size
from kiosk.app.system import WallClock, boot_id, forgetful, served_first, zone
from kiosk.app.table import RunningTable
from kiosk.app.watchdog import Watchdog, standing
from kiosk.books import Library
from kiosk.domain.errors import JournalUnavailable, RosterUnavailable
from kiosk.domain.types import Instant
from kiosk.journal import open_journal, verify
from kiosk.say import _
from kiosk.session.commands import NoteRecovery
from kiosk.shell.notify import Notifier

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from kiosk.app.config import Config
    from kiosk.app.devices import Devices
    from kiosk.app.doctor.run import Check
    from kiosk.app.loop import Part
    from kiosk.app.panel import Panel
    from kiosk.app.signals import Signals
    from kiosk.journal import SqliteJournal
    from kiosk.ports import Journal, Row, Volumes
    from kiosk.session import Session
    from kiosk.ui.chronicle import Chronicle
    from kiosk.ui.screens.base import Screen
    from kiosk.ui.window import Window


@dataclass(frozen=True)
class Shape:
    """How the window is to be."""

    size: tuple[int, int] | None = None
    """Pixels; None as the panel is, on a desktop 800×480."""
    fullscreen: bool = False
    """Take the whole screen."""
    needed: bool = True
    """Without a display there is no table; else it runs from the console."""


@click.command(short_help="Run this table.")
@click.option(
    "--simulate", is_flag=True, help="A simulated box: its buttons are the keys A and L, a click on a half, or the console's word `press`."
)
@click.option("--screen/--no-screen", default=None, help="With the touch screen (default), or from the console alone.")
@click.option(
    "--size", callback=read_size, metavar="WxH", help="The window's size in pixels, as in 1280x800; default: 800x480, or the panel's."
)
@click.option("--fullscreen", is_flag=True, help="Take the whole screen.")
@click.pass_obj
def run(config: Config, simulate: bool, screen: bool | None, size: tuple[int, int] | None, fullscreen: bool) -> None:  # noqa: FBT001 - click hands flags over so
    """Run this table: its screen, its two buttons, its journal.

    Prints a line that begins with `ready` when the clocks can be used. Words of the scenario format may come in on standard
    input, one JSON object a line; each is answered, an entry with `accepted` when it is safely on disk. Ends when the window is
    closed or on a signal, without a screen also with its input. What was recorded is taken up at the next start. A simulated
    table without a display runs from the console, and says so.
    """
    shape = None if screen is False else Shape(size, fullscreen, needed=not simulate or screen is True)
    run_table(config, simulate=simulate, shape=shape)


def run_table(
    config: Config, *, simulate: bool, shape: Shape | None, first: Screen | None = None, on_watch: Callable[[], None] | None = None
) -> None:
    """Run a table until it is left.

    Args:
        config: The table's configuration.
        simulate: Simulated buttons.
        shape: The window, or None for a table without one.
        first: A screen that is open at the start.
        on_watch: Lets the demo's match be played; the table is left for it.

    Raises:
        HardwareFault: The buttons, lamps or sounder cannot be had.
        NoDisplayError: There is no display.
        JournalUnavailable: The journal cannot be opened, or entries were lost at the end.
    """
    with contextlib.ExitStack() as parts:
        niceness = served_first()
        if niceness is not None:
            parts.callback(os.setpriority, os.PRIO_PROCESS, 0, niceness)
        window = _window(shape, config, parts)
        wall = WallClock()
        journal, rows, wrong = _journal(config, wall, parts)
        data_fault = _forgets(config.data)
        chronicle = None if window is None else _chronicle(wall, rows)
        ears = Ears()
        hearing = Hearing()
        listeners = [*([] if chronicle is None else [chronicle.hear]), ears.hear, hearing.hear]
        session = switch_on(journal, time.monotonic_ns(), wall(), boot_id(), listeners, rows=rows)
        _note_recoveries(config.data, session, journal, parts)
        box = SimulatedBox() if simulate else None
        wake_read, wake_write = wake_pipe()
        keeper = SourceKeeper(builder(config, box, parts), wake=lambda: wake(wake_write), longest_pause_ns=longest_pause(config))
        keeper.start(time.monotonic_ns())
        parts.callback(keeper.close)
        table = RunningTable(session, keeper)
        table.start(time.monotonic_ns())
        library, roster = Library([config.rulebooks]), _roster(config)
        hall = Hall(config, session, journal, library, wall=wall, now=time.monotonic_ns(), wake=lambda: wake(wake_write))
        parts.callback(hall.close)
        ears.on_fact = hall.hear
        shelf = Shelf(journal.rows, config.data, config.table, config.media)
        console = Console(table, library, journal, box, sys.stdout)
        console.roster, console.shelf = roster, shelf
        panel = None
        if window is not None and chronicle is not None:
            from kiosk.app.panel import Panel, make_desk

            panel = Panel(window, make_desk(session, config, library, chronicle, roster, first=first), chronicle, box)
            parts.callback(panel.close)
            panel.ask(roster, lambda: wake(wake_write))
            panel.work_beside(lambda: wake(wake_write))
            panel.join_hall(hall, config, wall)
            panel.desk.shelf, panel.desk.save_sheet = shelf, partial(_save_sheet, journal, config)
            console.picture = window.save
            panel.desk.warn(*wrong)
        watchdog = Watchdog(Notifier(), partial(standing, session, journal))
        beside: list[Part] = [hall.link, watchdog, *_of_the_box(config, console, panel, hearing, parts, wake=lambda: wake(wake_write))]
        loop = Loop(table, console, journal, wall, wake_read, panel=panel, parts=beside, data_fault=data_fault)
        if panel is not None:
            panel.offer(leave=loop.stop if simulate else None, watch=on_watch, stop=loop.stop)
        for number in (signal.SIGTERM, signal.SIGINT):
            parts.callback(signal.signal, number, signal.signal(number, lambda *_: loop.stop(wake_write)))
        _say_ready(session, config)
        with watchdog:
            loop.run()
        _nothing_lost(journal)


def _doctor(config: Config, console: Console, panel: Panel | None, working: Signals | None, woken: Callable[[], None]) -> list[Part]:
    """Who looks at this box when somebody at the screen asks for it, where there is a screen; what he needs is imported then."""
    if panel is None:
        return []
    from kiosk.app.doctor.bedside import Bedside, trials

    def checks() -> list[Check]:
        from kiosk.app.doctor.checks import checks
        from kiosk.app.doctor.look_box import panel_figures

        place = panel.window.place
        return checks(config, simulate=console.simulated, panels=(panel_figures(_("window"), place.w, place.h, config.inch),))

    doctor = Bedside(console.table, checks, woken)
    doctor.parts = partial(trials, working)
    panel.see_doctor(doctor)
    return [doctor]


def _lights(panel: Panel | None, config: Config, wake: Callable[[], None], parts: contextlib.ExitStack) -> list[Part]:
    if panel is None:
        return []
    from kiosk.app.light import PanelLight, backlight_for

    light = PanelLight(panel.desk, backlight_for(config, panel=panel.window.has_panel), brightness=config.brightness, wake=wake)
    parts.callback(light.close)
    return [light]


def _nothing_lost(journal: Journal) -> None:
    lost = journal.state().pending
    if lost:
        raise JournalUnavailable(_("{lost} entries could not be saved and are lost: {fault}", lost=lost, fault=journal.state().fault))


def _say_ready(session: Session, config: Config) -> None:
    chouette = session.table.chouette is not None and not session.table.chouette.ended
    phase = session.table.phase or (_("a chouette") if chouette else _("no match"))
    click.echo(_("ready: {phase}; journal {journal}", phase=phase, journal=config.journal))
    sys.stdout.flush()
    gc.freeze()  # the program itself is looked at no more: a whole look would hold the screen up for several frames


def _journal(config: Config, wall: WallClock, parts: contextlib.ExitStack) -> tuple[SqliteJournal, list[Row], list[str]]:
    """The journal, its rows, and what is to be said about it: read once, for all who want to know."""
    journal, notices = open_journal(config.journal, boot=boot_id(), wall=wall)
    parts.callback(journal.close)
    wrong = list(notices)
    rows = list(journal.rows())
    report = verify(rows)
    if report.fault is not None:
        wrong.append(f"The journal does not hold together: {report.fault} What it says is taken up all the same; tell the referee.")
    for sentence in wrong:
        log.error(sentence)
    return journal, rows, wrong


def _devices(config: Config, console: Console, panel: Panel | None, wake: Callable[[], None], parts: contextlib.ExitStack) -> Devices:
    """What is connected by a serial cable, joined to the screen, or to the console of a table without one."""
    devices, console.cables = connect(config, wake, time.monotonic_ns(), parts, simulate=console.simulated)
    devices.say, devices.present = console.say, console.present
    if panel is not None:
        devices.present, panel.device_fault = panel.present, devices.fault
        panel.badges(config.officials)
        if devices.printer is not None:
            panel.prints(partial(_receipt, console.journal, config), devices.printer.print)
            devices.on_printed = panel.printed
    return devices


def _receipt(journal: Journal, config: Config) -> bytes:
    from kiosk.app.printing import last_receipt  # as `_save_sheet`

    return last_receipt(journal.rows, config.table, zone())


def _save_sheet(journal: Journal, config: Config) -> str:
    from kiosk.app.stick import save_sheet  # a table is ready before it can write sheets

    return save_sheet(journal.rows, config.table, zone(), config.media)


def _roster(config: Config) -> JoinedRoster:
    roster = JoinedRoster(FileRoster(config.officials), config.data)
    fault = roster.fault()
    if fault is not None:
        log.error(fault)
    return roster


def _note_recoveries(folder: Path, session: Session, journal: Journal, parts: contextlib.ExitStack) -> None:
    """Put PINs that were set anew on record; their marks are forgotten when that is on disk, at the latest when this table is left."""
    try:
        marks = take_recoveries(folder)
    except RosterUnavailable as error:
        log.error("%s Whether a PIN was set anew is not known.", error)
        return
    if not marks:
        return
    for mark in marks:
        log.warning("The PIN of %s was set anew at this table itself by %s.", mark.official or "somebody", mark.by or "somebody")
        session.command(NoteRecovery(mark.official, mark.by, mark.wall_ns, mark.wall_trusted), Instant(time.monotonic_ns()))
    recorded = journal.append(())

    def forget() -> bool:
        if journal.state().accepted < recorded:
            return False
        try:
            forget_recoveries(folder, marks)
        except RosterUnavailable as error:
            log.error("%s It will be put on record once more.", error)
        return True

    journal.flush(2)
    if not forget():
        parts.callback(forget)


def _window(shape: Shape | None, config: Config, parts: contextlib.ExitStack) -> Window | None:
    if shape is None:
        return None
    from kiosk.app.display import open_window
    from kiosk.ui.window import NoDisplayError

    try:
        window = open_window(config, shape.size, fullscreen=shape.fullscreen)
    except NoDisplayError as error:
        if shape.needed:
            raise
        log.error("%s This table runs from the console.", error)
        return None
    parts.callback(window.close)
    return window


def _chronicle(wall: WallClock, rows: Sequence[Row]) -> Chronicle:
    from kiosk.app.panel import Chronicle, clock_time, remembered

    def now() -> str:
        date, trusted = wall()
        return clock_time(date) if trusted else ""

    chronicle = Chronicle(now)
    chronicle.recall(remembered(rows))
    return chronicle


def _forgets(folder: Path) -> str:
    kind = forgetful(folder)
    if kind is None:
        return ""
    log.error("The data folder %s is on %s and forgets everything at the next reboot; set `data` in kiosk.toml.", folder, kind)
    return f"{folder} ({kind})"


def _of_the_box(
    config: Config, console: Console, panel: Panel | None, hearing: Hearing, parts: contextlib.ExitStack, *, wake: Callable[[], None]
) -> list[Part]:
    """What this box has besides its buttons, where it has it: lamps, sounder, light, what was prepared, serial devices, its doctor."""
    working = _signals(config, console, panel, hearing, parts, wake=wake)
    return [
        *([] if working is None else [working]),
        *_lights(panel, config, wake, parts),
        Preparing(config.data, (lambda _fault: None) if panel is None else panel.desk.warn, wake),
        _devices(config, console, panel, wake, parts),
        *_doctor(config, console, panel, working, wake),
    ]


def _signals(
    config: Config, console: Console, panel: Panel | None, hearing: Hearing, parts: contextlib.ExitStack, *, wake: Callable[[], None]
) -> Signals | None:
    """Lamps and sounder: the part that works them, where there are any."""
    made = outputs(config, simulate=console.simulated, runtime=partial(runtime_folder, parts))
    working = signals(made, console.table, hearing, volumes=_volumes(config, panel), wake=wake)
    if working is None:
        return None
    parts.callback(working.close)
    console.box_words = partial(status, made, working)
    if panel is not None:
        panel.let_hear(working, made.lit)
    return working


def _volumes(config: Config, panel: Panel | None) -> Callable[[], Volumes]:
    """How loud it is now: as somebody has set it on the screen, else as the configuration has it."""
    if panel is not None:
        return lambda: panel.desk.prefs.volumes
    from kiosk.app import preferences

    kept = preferences.load(config.data, config.language, config.volumes).volumes
    return lambda: kept


__all__ = ["HardwareFault", "Shape", "builder", "run", "run_table", "runtime_folder"]
