from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.window.display import Display, missing
from tests.window.table import Twin, WindowTable


@pytest.fixture(scope="session")
def display() -> Iterator[Display]:
    """A display of this run's own."""
    why = missing()
    if why:
        pytest.skip(why)
    with Display() as found:
        yield found


@pytest.fixture
def switch_on(display: Display, tmp_path: Path) -> Iterator[Callable[..., WindowTable]]:
    """Start a table in a window; in the same test, the same table again."""
    started: list[WindowTable] = []

    def start(*options: str, twin: Twin | None = None) -> WindowTable:
        started.append(WindowTable(display, tmp_path, *options, twin=twin))
        return started[-1]

    yield start
    for table in started:
        table.leave()
