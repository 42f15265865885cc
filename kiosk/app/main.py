"""The command line of the kiosk. Each command's module is imported only when the command runs.

Exit codes: 0 done; 1 the world failed (a disk, a pin, a journal that does not verify); 2 you erred (file, line or option is named);
130 interrupted. No traceback reaches a user unless `--verbose` asks for it.
"""

from __future__ import annotations

import gettext
import importlib
import io
import os
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import click

from kiosk import __version__
from kiosk.app import config
from kiosk.app.helps import spoken
from kiosk.domain.errors import KioskError
from kiosk.domain.text import escaped
from kiosk.say import FOLDER, _, mark, use

COMMANDS = {
    "demo": ("kiosk.app.cli_play", "demo", mark("Play a sample match through the whole kiosk and say where its sheet is.")),
    "simulate": ("kiosk.app.cli_play", "simulate", mark("Play a scenario file in virtual time and print what came of it.")),
    "run": ("kiosk.app.cli_run", "run", mark("Run this table: real buttons, or simulated ones with --simulate.")),
    "export": ("kiosk.app.cli_export", "export", mark("Write score sheets: PDF, receipt, XLSX, CSV, JSON; all matches in one workbook.")),
    "blank": ("kiosk.app.cli_export", "blank", mark("Write an empty score sheet to fill in by hand, as PDF.")),
    "verify": ("kiosk.app.cli_verify", "verify_", mark("Say whether a sheet or a QR code's text was altered.")),
    "journal": ("kiosk.app.cli_records", "journal", mark("List, show and verify what this table has recorded.")),
    "rulebook": ("kiosk.app.cli_rulebook", "rulebook", mark("List rulebooks and check an organizer's own file.")),
    "server": ("kiosk.app.cli_server", "server", mark("Join a tournament server, see how it stands, leave it.")),
    "officials": ("kiosk.app.cli_officials", "officials", mark("Say who may sign in at this table, and set a lost PIN anew.")),
}
"""Command → (module, name in it, one line of help)."""


class _ReaderLeft(Exception):
    """The reader of a pipe has gone (`| head`): whoever reads no further has what he wanted."""


class Lazy(click.Group):
    """A group that imports a command's module when it is called, and lists them without importing any."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The commands in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one command."""
        if cmd_name not in COMMANDS:
            return None
        module, name, _ = COMMANDS[cmd_name]
        command = getattr(importlib.import_module(module), name)
        return spoken(command) if isinstance(command, click.Command) else None

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - whatever the command returns
        """Run the command; click itself would leave with 1 when a pipe's reader has gone."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise _ReaderLeft from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """One line a command."""
        with formatter.section(gettext.gettext("Commands")):
            formatter.write_dl([(name, _(line)) for name, (_module, _name, line) in COMMANDS.items()])


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
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
    speak(_language(arguments))
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # started with it closed: nothing to read, nobody to tell
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    try:
        outcome: Any = spoken(cli).main(arguments, prog_name="kiosk", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Abort:
        return _say("interrupted.", 130)
    except click.ClickException as error:
        return _show(error)
    except KeyboardInterrupt:
        return _say("interrupted.", 130)
    except (BrokenPipeError, _ReaderLeft):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if "--verbose" in arguments:
            raise
        return _failed(error)
    return outcome if isinstance(outcome, int) else 0


def _show(error: click.ClickException) -> int:
    """Print what is wrong with the command line; what was typed drives no terminal here either."""
    shown = io.StringIO()
    error.show(shown)
    for line in shown.getvalue().removesuffix("\n").split("\n"):
        click.echo(escaped(line), err=True)
    return error.exit_code


def _language(arguments: list[str]) -> str:
    """What is spoken before the command line has been read: `--help` answers at once."""
    named = next((Path(after) for word, after in pairwise(arguments) if word == "--config"), None)
    try:
        return config.load(named).language
    except Exception:  # noqa: BLE001 - whatever it is, it is told when the command line is read
        return config.spoken_here()


def speak(language: str) -> None:
    """Speak a language on the command line, what the command line's library says included."""
    use(language)
    gettext.bindtextdomain("messages", FOLDER)
    os.environ["LANGUAGE"] = language


def _failed(error: Exception) -> int:
    if isinstance(error, KioskError):
        return _say(str(error), 2 if isinstance(error, ValueError) else 1)
    if type(error).__module__.startswith("hardware."):
        return _say(str(error), 1)
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return _say(f"{place}{error.strerror or error}.", 1)
    words = _(
        "something unexpected went wrong ({name}: {error}); run again with --verbose to see where.", name=type(error).__name__, error=error
    )
    return _say(words, 1)


def _say(sentence: str, code: int) -> int:
    click.echo(escaped(f"kiosk: {sentence}"), err=True)
    return code
