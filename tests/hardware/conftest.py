"""lgpio makes a pipe in the current folder when it is imported and moves the process there: the tests import it in one place only."""

from __future__ import annotations

import importlib.util
from typing import Any

import pytest

from hardware import HardwareFault, lgpio_factory


@pytest.fixture(scope="session")
def lgpio(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The library, with its pipe in a folder of this run."""
    if importlib.util.find_spec("lgpio") is None:
        pytest.skip("lgpio is not installed")
    with pytest.raises(HardwareFault):
        lgpio_factory(tmp_path_factory.mktemp("lgpio"), chip=999)
    import lgpio as library

    return library
