from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from supervisor import Supervisor


@pytest.fixture
def supervisor(tmp_path: Path) -> Iterator[Supervisor]:
    """systemd, as a service sees it, with a watchdog of 0.4 s."""
    heard = Supervisor(tmp_path, watchdog_s=0.4)
    yield heard
    heard.close()
