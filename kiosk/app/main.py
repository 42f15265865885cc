"""The command line of the kiosk. Each command's module is imported only when the command runs.

Exit codes: 0 done; 1 the world failed (a disk, a pin, a journal that does not verify); 2 you erred (file, line or option is named);
130 interrupted. No traceback reaches a user unless `--verbose` asks for it.
"""

from __future__ import annotations

import gc
import sys
from itertools import pairwise
from pathlib import Path

import click

from kiosk import __version__
from kiosk.app import config
from kiosk.say import mark
from kiosk.shell.group import Lazy, answer, speak, spoken_here

COMMANDS = {
    "demo": ("kiosk.app.cli_play", "demo", mark("Play a sample match through the whole kiosk and say where its sheet is.")),
    "simulate": ("kiosk.app.cli_play", "simulate", mark("Play a scenario file in virtual time and print what came of it.")),
    "run": ("kiosk.app.cli_run", "run", mark("Run this table: real buttons, or simulated ones with --simulate.")),
    "doctor": ("kiosk.app.cli_doctor", "doctor", mark("Look at every part of this box, and say what is wrong.")),
    "play": ("kiosk.app.cli_moves", "play", mark("Say whether a move was legal, why not, and what would have been.")),
    "export": ("kiosk.app.cli_export", "export", mark("Write score sheets: PDF, receipt, XLSX, CSV, JSON; all matches in one workbook.")),
    "blank": ("kiosk.app.cli_export", "blank", mark("Write an empty score sheet to fill in by hand, as PDF.")),
    "verify": ("kiosk.app.cli_verify", "verify_", mark("Say whether a sheet or a QR code's text was altered.")),
    "journal": ("kiosk.app.cli_records", "journal", mark("List, show and verify what this table has recorded.")),
    "rulebook": ("kiosk.app.cli_rulebook", "rulebook", mark("List rulebooks and check an organizer's own file.")),
    "server": ("kiosk.app.cli_server", "server", mark("Join a tournament server, see how it stands, leave it.")),
    "prepare": ("kiosk.app.cli_prepare", "prepare", mark("Take what was prepared for this table on the boot partition.")),
    "crowd": ("kiosk.app.cli_crowd", "crowd", mark("Play many simulated tables on a tournament server.")),
    "officials": ("kiosk.app.cli_officials", "officials", mark("Say who may sign in at this table, and set a lost PIN anew.")),
}
"""Command → (module, name in it, one line of help)."""

GARBAGE = (10_000, 20, 20)
"""How much is made before it is looked for cycles: a start makes much, and keeps it."""


class Commands(Lazy):
    """The kiosk's commands."""

    table = COMMANDS


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--config", "folder", type=click.Path(path_type=Path), help="Folder with kiosk.toml and rulebooks/.")
@click.option("--verbose", is_flag=True, help="Log details, and show where an unexpected error came from.")
@click.version_option(__version__, prog_name="kiosk")
@click.pass_context
def cli(ctx: click.Context, folder: Path | None, verbose: bool) -> None:  # noqa: FBT001 - click hands flags over so
    """Tableside: tournament clock and referee kiosk for backgammon and long nardy.

    Start with `kiosk demo`: it plays a whole match and shows what is recorded. `kiosk run --simulate` is a table on
    this computer; on a Raspberry Pi with two buttons it is `kiosk run`.
    """
    from kiosk.app import logs

    logs.set_up(verbose=verbose)
    ctx.obj = config.load(folder)
    speak(ctx.obj.language)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: list[str]) -> int:
    """Run the command line.

    Args:
        arguments: Everything behind `kiosk`.

    Returns:
        The exit code.
    """
    gc.set_threshold(*GARBAGE)
    return answer(cli, "kiosk", arguments, _language)


def _language(arguments: list[str]) -> str:
    """What is spoken before the command line has been read: `--help` answers at once."""
    named = next((Path(after) for word, after in pairwise(arguments) if word == "--config"), None)
    try:
        return config.load(named).language
    except Exception:  # noqa: BLE001 - whatever it is, it is told when the command line is read
        return spoken_here()
