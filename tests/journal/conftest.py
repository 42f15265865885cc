from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from journal_parts import MemoryDesk, SqliteDesk

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(params=["memory", "sqlite"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MemoryDesk | SqliteDesk]:
    made: MemoryDesk | SqliteDesk = MemoryDesk() if request.param == "memory" else SqliteDesk(tmp_path)
    yield made
    made.journal.close()
