"""The reference as sections of table rows: what stands first in backticks, and the whole row."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

PATH = Path(__file__).parents[2] / ".github" / "REFERENCE.md"


@cache
def rows(section: str) -> dict[str, str]:
    text = PATH.read_text(encoding="utf-8").split(f"\n## {section}\n")[1].split("\n## ")[0]
    return {found[1]: found[0] for found in re.finditer(r"^\| `([^`]+)` \|.*$", text, re.MULTILINE)}


def arguments(row: str) -> list[tuple[str, bool]]:
    """(name, may be left out) for each argument of a word's row."""
    return [(name, mark == "?") for name, mark in re.findall(r"(?:^|, )`(\w+)`(\??)", row.split("|")[2].strip())]
