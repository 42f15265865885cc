"""Every command, fact, configuration key and scenario word stands in the reference; every link of the README leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kiosk import codec
from kiosk.app.config import KEYS
from kiosk.app.main import COMMANDS
from kiosk.app.scenario_words import WORDS

ROOT = Path(__file__).parents[2]
REFERENCE = (ROOT / ".github" / "REFERENCE.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [f"kiosk {command}" for command in COMMANDS])
def test_every_command_stands_in_the_reference(name: str) -> None:
    assert f"`{name}`" in REFERENCE


@pytest.mark.parametrize("name", [*codec.TYPES, *KEYS])
def test_every_fact_and_key_stands_in_the_reference(name: str) -> None:
    assert f"- `{name}`:" in REFERENCE


@pytest.mark.parametrize("name", WORDS)
def test_every_word_stands_in_the_reference_with_its_arguments(name: str) -> None:
    (line,) = [line for line in REFERENCE.splitlines() if re.match(rf"- `{name}`(:|$| —)", line) and f"{name}`: A" not in line][:1]
    for argument in (*WORDS[name].needed, *WORDS[name].optional):
        assert f"`{argument}`" in line


@pytest.mark.parametrize("page", ["README.md", ".github/CONTRIBUTING.md"])
def test_every_link_leads_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)\)", text):
        assert ((ROOT / page).parent / target).exists(), target


def test_the_set_up_commands_of_the_readme_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in re.findall(r"^(\.ci/\w+)", text, flags=re.MULTILINE):
        assert (ROOT / command).stat().st_mode & 0o111
