from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click
import pytest
from reference import rows

from kiosk.server import main
from kiosk.server.beside import LOCK
from kiosk.server.house import POKE
from kiosk.server.keys import FILES
from kiosk.server.settings import DATABASE, FILE, KEYS

if TYPE_CHECKING:
    from collections.abc import Iterator

SECTION = "The tournament server"


def _walk(group: click.Group, path: str) -> Iterator[tuple[str, click.Command]]:
    ctx = click.Context(group)
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from _walk(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


EVERY = dict(_walk(main.cli, "kiosk-server"))


def _spellings(command: click.Command) -> list[str]:
    return [
        spelling if isinstance(parameter, click.Option) else (parameter.name or "").upper()
        for parameter in command.params
        for spelling in (parameter.opts if isinstance(parameter, click.Option) else [""])
    ]


def test_the_reference_knows_no_command_of_the_server_that_does_not_exist() -> None:
    assert {name for name in rows(SECTION) if name.startswith("kiosk-server ")} == set(EVERY)


@pytest.mark.parametrize("path", EVERY)
def test_a_command_of_the_server_stands_in_the_reference_with_everything_it_takes(path: str) -> None:
    assert [spelling for spelling in _spellings(EVERY[path]) if f"`{spelling}" not in rows(SECTION)[path]] == []


@pytest.mark.parametrize("spelling", _spellings(main.cli))
def test_an_option_of_the_servers_whole_command_line_stands_in_the_reference(spelling: str) -> None:
    assert spelling in rows(SECTION)


@pytest.mark.parametrize("path", EVERY)
def test_a_command_of_the_server_and_each_of_its_options_explain_themselves(path: str) -> None:
    assert EVERY[path].help
    assert all(parameter.help for parameter in EVERY[path].params if isinstance(parameter, click.Option))


def test_every_key_of_the_servers_settings_and_every_file_stands_in_the_reference() -> None:
    assert set(KEYS) | {*FILES, FILE, DATABASE, LOCK, POKE} <= set(rows(SECTION))


def test_the_servers_exit_codes_are_those_of_the_kiosk() -> None:
    assert list(rows("Exit codes")) == re.findall(r"\b(\d+) [a-z]", str(main.__doc__))
