from __future__ import annotations

from typing import TYPE_CHECKING

import click
import pytest
from reference import PATH, rows

from kiosk.app.main import COMMANDS, cli

if TYPE_CHECKING:
    from collections.abc import Iterator


def _walk(group: click.Group, path: str) -> Iterator[tuple[str, click.Command]]:
    ctx = click.Context(group)
    for name in group.list_commands(ctx):
        command = group.get_command(ctx, name)
        assert command is not None
        if isinstance(command, click.Group):
            yield from _walk(command, f"{path} {name}")
        else:
            yield f"{path} {name}", command


EVERY = dict(_walk(cli, "kiosk"))


def _spellings(command: click.Command) -> list[str]:
    return [
        spelling if isinstance(parameter, click.Option) else (parameter.name or "").upper()
        for parameter in command.params
        for spelling in (parameter.opts if isinstance(parameter, click.Option) else [""])
    ]


def test_the_reference_knows_no_command_that_does_not_exist() -> None:
    assert {name for name in rows("Commands") if name.startswith("kiosk ")} == set(EVERY)


def test_every_name_in_the_list_of_commands_is_walked() -> None:
    assert {path.split()[1] for path in EVERY} == set(COMMANDS)


@pytest.mark.parametrize("path", EVERY)
def test_a_command_stands_in_the_reference_with_everything_it_takes(path: str) -> None:
    missing = [spelling for spelling in _spellings(EVERY[path]) if f"`{spelling}" not in rows("Commands")[path]]
    assert missing == []


@pytest.mark.parametrize("spelling", _spellings(cli))
def test_an_option_of_the_whole_command_line_stands_in_the_reference(spelling: str) -> None:
    assert any(row.split()[0] == spelling for row in rows("Commands"))


@pytest.mark.parametrize("path", EVERY)
def test_a_command_and_each_of_its_options_explain_themselves(path: str) -> None:
    assert EVERY[path].help
    assert all(parameter.help for parameter in EVERY[path].params if isinstance(parameter, click.Option))


def test_the_readme_names_every_command() -> None:
    readme = (PATH.parents[1] / "README.md").read_text(encoding="utf-8")
    assert [path for path in EVERY if path not in readme] == []
