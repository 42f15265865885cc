"""Every link leads somewhere, and the commands that the README gives exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("page", ["README.md", ".github/CONTRIBUTING.md", ".github/REFERENCE.md"])
def test_every_link_leads_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert ((ROOT / page).parent / target).exists(), target


def test_the_set_up_commands_of_the_readme_exist() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in re.findall(r"^(\.ci/\w+)", text, flags=re.MULTILINE):
        assert (ROOT / command).stat().st_mode & 0o111
