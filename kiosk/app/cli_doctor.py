"""`kiosk doctor`: what of this box works, what does not, and what to do about it."""

from __future__ import annotations

import contextlib
import json
import sys
from dataclasses import asdict, is_dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from hardware import LINES
from kiosk.app.button_source import builder, runtime_folder
from kiosk.app.doctor.buttons import WANTED, press_simulated, try_buttons
from kiosk.app.doctor.checks import checks
from kiosk.app.doctor.judge_box import BUTTONS, judge_button, judge_part, worst
from kiosk.app.doctor.outputs import look_at_outputs
from kiosk.app.doctor.run import LIMIT_S, Examination, check
from kiosk.domain.text import escaped
from kiosk.journal import holder
from kiosk.ports import Finding
from kiosk.say import _, mark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hardware import Line
    from kiosk.app.config import Config
    from kiosk.app.doctor.figures import ButtonFigures, PartFigures

GRADES = {
    "good": (mark("good"), "green"),
    "off": ("–", None),
    "doubt": (mark("look"), "yellow"),
    "wrong": (mark("WRONG"), "red"),
}
"""How a line's verdict is told, and in which colour on a terminal."""

OPENING_S = 10.0
"""So long a button source may take to be opened."""

ANSWER_S = 300.0
"""So long somebody at the terminal may take for his answers."""

WHAT_WIDTH, GRADE_WIDTH = 18, 7


@click.command("doctor")
@click.option("--simulate", is_flag=True, help="The box is the simulated one: the doctor presses its buttons itself.")
@click.option("--json", "as_json", is_flag=True, help="Print what was found as one JSON object.")
@click.option("--buttons/--no-buttons", default=None, help="Have each button pressed and measure its bounce; default: on a terminal.")
@click.option("--seconds", type=click.FloatRange(1, 120), default=10.0, show_default=True, help="How long each button is waited for.")
@click.pass_context
def doctor(ctx: click.Context, simulate: bool, as_json: bool, buttons: bool | None, seconds: float) -> None:  # noqa: FBT001 - click hands flags over so
    """Look at every part of this box, and say of each what was found and what to do.

    A table that runs is not disturbed. Exit code 0: nothing is wrong; 1: something is. What is not configured is no fault.
    """
    config: Config = ctx.obj
    every: list[Examination] = []
    for each in _examined(config, simulate=simulate, buttons=buttons, seconds=seconds):
        every.append(each)
        if not as_json:
            for finding in each.findings:
                _print(finding)
    findings = [finding for each in every for finding in each.findings]
    if as_json:
        click.echo(json.dumps(_plain(every), ensure_ascii=False, indent=1))
    else:
        count = sum(finding.grade == "wrong" for finding in findings)
        click.echo(_("Nothing is wrong.") if not count else _("Wrong: {n}. What to do stands below each.", n=count))
    ctx.exit(1 if worst(findings) else 0)


def _examined(config: Config, *, simulate: bool, buttons: bool | None, seconds: float) -> Iterator[Examination]:
    for each in checks(config, simulate=simulate):
        done = each.go()
        yield done
        if each.name in {"pins", "buttons_device"}:
            there = not worst(done.findings)
            yield from _buttons(config, simulate=simulate, buttons=buttons, seconds=seconds, there=there)
            yield _outputs(config, simulate=simulate)


def _buttons(config: Config, *, simulate: bool, buttons: bool | None, seconds: float, there: bool) -> Iterator[Examination]:
    """The trial of the buttons, or why there is none."""
    why = ""
    if buttons is False:
        why = _("not tried, as --no-buttons asks for")
    elif simulate:
        for each in press_simulated():
            yield Examination(tuple(judge_button(each)), each)
        return
    elif holder(config.journal) is not None:
        why = _("not tried: a table runs and holds them; try them on its screen (menu, This table, Check the box)")
    elif not there:
        why = _("not tried: see the pins")
    elif buttons is None and not _attended():
        why = _("not tried: nobody is at a terminal who could press them")
    if why:
        yield Examination((Finding("buttons", _("Buttons"), why, "off"),))
        return

    with contextlib.ExitStack() as parts:

        def look() -> tuple[ButtonFigures, ...]:
            return tuple(try_buttons(builder(config, None, parts), partial(_ask, seconds), seconds))

        yield check("buttons", mark("Buttons"), look, _judge_buttons, len(LINES) * seconds + OPENING_S).go()


def _outputs(config: Config, *, simulate: bool) -> Examination:
    """Lamps and sounder, where they are configured; those of a running table stay its own."""
    if holder(config.journal) is not None and not simulate and (config.lamps or config.sound != "off"):
        why = _("not tried: a table runs and holds them; try them on its screen (menu, This table, Check the box)")
        return Examination((Finding("lamps", _("Lamps, sounds"), why, "off"),))
    ask = _confirm if not simulate and _attended() else None
    with contextlib.ExitStack() as parts:
        look = partial(look_at_outputs, config, simulate=simulate, runtime=partial(runtime_folder, parts), ask=ask)
        return check("lamps", mark("Lamps, sounds"), look, _judge_outputs, ANSWER_S if ask is not None else LIMIT_S).go()


def _judge_buttons(found: tuple[ButtonFigures, ...]) -> list[Finding]:
    return [finding for button in found for finding in judge_button(button)]


def _judge_outputs(found: tuple[PartFigures, ...]) -> list[Finding]:
    return [finding for part in found for finding in judge_part(part)]


def _attended() -> bool:
    """Whether somebody is at a terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def _confirm(question: str) -> bool:
    return click.confirm(question, default=True, err=True)


def _ask(seconds: float, line: Line) -> None:
    words = _("{button}: press it {n} times within {seconds} s.", button=_(BUTTONS[line]), n=WANTED, seconds=f"{seconds:g}")
    click.echo(words, err=True)


def _print(finding: Finding) -> None:
    word, colour = GRADES[finding.grade]
    grade = click.style(_(word).ljust(GRADE_WIDTH), fg=colour, bold=finding.grade == "wrong")
    click.echo(f"{grade} {escaped(finding.what).ljust(WHAT_WIDTH)} {escaped(finding.figure)}")
    if finding.advice and finding.grade != "good":
        click.echo(f"{'':{GRADE_WIDTH}} {'':{WHAT_WIDTH}} → {escaped(finding.advice)}")


def _plain(every: list[Examination]) -> dict[str, Any]:
    lines = [
        {**asdict(finding), "measured": _figures(each.measured) if finding is each.findings[0] else None}
        for each in every
        for finding in each.findings
    ]
    return {"good": not worst([finding for each in every for finding in each.findings]), "findings": lines}


def _figures(measured: Any) -> Any:  # noqa: ANN401 - whatever a look has found
    if isinstance(measured, tuple):
        return [_figures(each) for each in measured]
    return asdict(measured) if is_dataclass(measured) and not isinstance(measured, type) else None
