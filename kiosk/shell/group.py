"""A command line: each command's module is imported only when the command runs; whatever goes wrong is one sentence and an exit code.

Exit codes: 0 done; 1 the world failed; 2 you erred (file, line or option is named); 130 interrupted. No traceback reaches a user unless
`--verbose` asks for it.
"""

from __future__ import annotations

import gettext
import importlib
import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TextIO, cast

import click

from kiosk.domain.errors import CommandRefused, KioskError
from kiosk.domain.text import escaped
from kiosk.say import FOLDER, LANGUAGES, _, refusal, use
from kiosk.shell.helps import spoken
from kiosk.shell.named import Named

if TYPE_CHECKING:
    from collections.abc import Callable


class _ReaderLeft(Exception):
    """The reader of a pipe has gone (`| head`): whoever reads no further has what he wanted."""


class Lazy(click.Group):
    """A group that imports a command's module when it is called, and lists them without importing any."""

    table: ClassVar[dict[str, tuple[str, str, str]]] = {}
    """Command → (module, name in it, one line of help)."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The commands in the order in which a newcomer meets them."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import one command."""
        if cmd_name not in self.table:
            return None
        module, name, _line = self.table[cmd_name]
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
            formatter.write_dl([(name, _(line)) for name, (_module, _name, line) in self.table.items()])


def answer(cli: click.Group, name: str, arguments: list[str], language: Callable[[list[str]], str]) -> int:
    """Run a command line.

    Args:
        cli: Its commands.
        name: What it is called.
        arguments: Everything behind its name.
        language: What is spoken before the command line has been read.

    Returns:
        The exit code.
    """
    speak(language(arguments))
    for stream, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, stream) is None:  # started with it closed: nothing to read, nobody to tell
            setattr(sys, stream, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
    plain, named = sys.stdout, Named(sys.stdout)
    sys.stdout = cast("TextIO", named)
    try:
        return _answered(cli, name, arguments)
    finally:
        named.let_go()
        sys.stdout = plain


def _answered(cli: click.Group, name: str, arguments: list[str]) -> int:
    try:
        outcome: Any = spoken(cli).main(arguments, prog_name=name, standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Abort:
        return _say(name, _("interrupted."), 130)
    except click.ClickException as error:
        return _show(error)
    except KeyboardInterrupt:
        return _say(name, _("interrupted."), 130)
    except (BrokenPipeError, _ReaderLeft):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if "--verbose" in arguments:
            raise
        return _failed(name, error)
    return outcome if isinstance(outcome, int) else 0


def spoken_here() -> str:
    """The language that the system says, where Tableside speaks it; else English."""
    said = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return said[:2] if said[:2] in LANGUAGES and not said[2:3].isalpha() else "en"


def speak(language: str) -> None:
    """Speak a language on the command line, what the command line's library says included."""
    use(language)
    gettext.bindtextdomain("messages", FOLDER)
    os.environ["LANGUAGE"] = language


def _show(error: click.ClickException) -> int:
    """Print what is wrong with the command line; what was typed drives no terminal here either."""
    shown = io.StringIO()
    error.show(shown)
    for line in shown.getvalue().removesuffix("\n").split("\n"):
        click.echo(escaped(line), err=True)
    return error.exit_code


def _failed(name: str, error: Exception) -> int:
    if isinstance(error, KioskError):
        return _say(name, refusal(error) if isinstance(error, CommandRefused) else str(error), 2 if isinstance(error, ValueError) else 1)
    if type(error).__module__.startswith("hardware."):
        return _say(name, str(error), 1)
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return _say(name, f"{place}{error.strerror or error}.", 1)
    words = _(
        "something unexpected went wrong ({name}: {error}); run again with --verbose to see where.", name=type(error).__name__, error=error
    )
    return _say(name, words, 1)


def _say(name: str, sentence: str, code: int) -> int:
    click.echo(escaped(f"{name}: {sentence}"), err=True)
    return code
