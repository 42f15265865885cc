from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from kiosk.app.scenario import ScenarioError, Step, load
from kiosk.books import Library

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KNOWN = Library().names()


@pytest.fixture
def read(tmp_path: Path) -> Callable[[str | bytes], list[Step]]:
    """Load a scenario from its text."""

    def from_text(contents: str | bytes) -> list[Step]:
        path = tmp_path / "evening.jsonl"
        path.write_bytes(contents if isinstance(contents, bytes) else contents.encode("utf-8"))
        return load(path, KNOWN)

    return from_text


@pytest.fixture
def fault(read: Callable[[str | bytes], list[Step]], tmp_path: Path) -> Callable[[str | bytes], str]:
    """What is wrong with a text, after the file's name."""

    def of_text(contents: str | bytes) -> str:
        with pytest.raises(ScenarioError) as caught:
            read(contents)
        name, _, rest = str(caught.value).partition(":")
        assert name == str(tmp_path / "evening.jsonl")
        assert rest.endswith(".")
        return rest

    return of_text
