from __future__ import annotations

import os

import pytest
from hypothesis import settings

for _desktop in ("DISPLAY", "WAYLAND_DISPLAY"):
    os.environ.pop(_desktop, None)  # no test opens a window on somebody's desktop; those that want a display bring their own
for _spoken in ("LC_ALL", "LC_MESSAGES", "LANGUAGE"):
    os.environ.pop(_spoken, None)
os.environ["LANG"] = "C.UTF-8"  # tests speak English, whoever runs them
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

settings.register_profile("tableside", deadline=None)  # a busy machine is no fault of an example's
settings.load_profile("tableside")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave what chance reaches out of the coverage: the gates are held by what every run does, and measuring is dear."""
    for item in items:
        if item.get_closest_marker("hypothesis"):
            item.add_marker("no_cover")
