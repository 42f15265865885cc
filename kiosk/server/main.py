"""The command line of the tournament server. Each command's module is imported only when the command runs.

Exit codes: 0 done; 1 the world failed (a disk, a port, a database, a backup that is not whole); 2 you erred (option, file or key is named);
130 interrupted. No traceback reaches a user unless `--verbose` asks for it.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kiosk import __version__
from kiosk.say import _, mark
from kiosk.server import settings
from kiosk.server.problems import WrongUse
from kiosk.shell.group import Lazy, answer, spoken_here

if TYPE_CHECKING:
    from collections.abc import Iterator

COMMANDS = {
    "init": ("kiosk.server.cli_init", "init", mark("Make a server: its folder, keys, certificate, database and first organizer.")),
    "run": ("kiosk.server.cli_run", "run", mark("Serve the event, over HTTPS, until it is stopped.")),
    "demo": ("kiosk.server.cli_demo", "demo", mark("Show a full hall: simulated tables play at a server that is made for it.")),
    "sample": ("kiosk.server.cli_sample", "sample", mark("Serve the small event of `kiosk demo`, which starts this.")),
    "code": ("kiosk.server.cli_code", "code", mark("Make a code with which a table comes into the hall.")),
    "devices": ("kiosk.server.cli_devices", "devices", mark("List the tables' devices, and revoke a key.")),
    "people": ("kiosk.server.cli_people", "people", mark("Enter and remove officials, set passwords and PINs.")),
    "backup": ("kiosk.server.cli_backup", "backup", mark("Make a backup now.")),
    "backups": ("kiosk.server.cli_backup", "backups", mark("List the backups, and check one.")),
    "standings": ("kiosk.server.cli_standings", "standings", mark("Work out the table of an event's file.")),
    "ratings": ("kiosk.server.cli_ratings", "ratings", mark("Work out the ratings after the matches of an event's file.")),
    "pair": ("kiosk.server.cli_standings", "pair", mark("Pair the next round of an event's file.")),
    "tournament": ("kiosk.server.cli_tournament", "tournament", mark("Save the whole tournament as a file, or open such a file here.")),
    "restore": ("kiosk.server.cli_backup", "restore", mark("Put a backup in the place of the server's data.")),
}
"""Command → (module, name in it, one line of help)."""

EXTRAS = frozenset(
    {"alembic", "argon2", "cryptography", "fastapi", "jinja2", "python_multipart", "rustworkx", "sqlalchemy", "starlette", "uvicorn"}
)
"""Libraries that come with the extra `server`."""


class Commands(Lazy):
    """The server's commands; without its libraries each says how to get them."""

    table = COMMANDS

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        with _libraries():
            return super().get_command(ctx, cmd_name)

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - whatever the command returns
        """Run the command."""
        with _libraries():
            return super().invoke(ctx)


@contextmanager
def _libraries() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in EXTRAS:
            raise
        raise WrongUse(
            _("The tournament server's libraries are missing ({name}): pip install 'tableside[server]'.", name=error.name)
        ) from error


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--data", "folder", type=click.Path(path_type=Path), help="The server's data folder; init makes it.")
@click.option("--verbose", is_flag=True, help="Log details, and show where an unexpected error came from.")
@click.version_option(__version__, prog_name="kiosk-server")
@click.pass_context
def cli(ctx: click.Context, folder: Path | None, verbose: bool) -> None:  # noqa: FBT001 - click hands flags over so
    """Tableside's tournament server: one event, its tables, their matches and results.

    Start with `kiosk-server demo` to see a full hall. For your own event run `kiosk-server init`, then `kiosk-server run`, and
    `kiosk-server code` for each table.
    """
    from kiosk.shell import logs

    logs.set_up(verbose=verbose)
    os.umask(0o077)  # whatever a server writes is for its owner's eyes only
    ctx.obj = (folder or settings.default_folder()).expanduser().absolute()


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: list[str]) -> int:
    """Run the command line.

    Args:
        arguments: Everything behind `kiosk-server`.

    Returns:
        The exit code.
    """
    return answer(cli, "kiosk-server", arguments, lambda _arguments: spoken_here())


if __name__ == "__main__":
    main()
