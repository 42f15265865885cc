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


WAITING = (
    "tests/window/",
    "tests/server/browser/",
    "tests/power/",
    "tests/systemd/",
    "tests/sync/test_a_real_network_fails.py",
    "tests/server/test_a_whole_event",
)
"""What waits for windows, browsers and clocks more than it computes: begun first, beside what computes."""


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what waits; leave what chance reaches out of the coverage: every run holds the gates alike, and measuring is dear."""
    items.sort(key=lambda item: not item.nodeid.startswith(WAITING))
    for item in items:
        if item.get_closest_marker("hypothesis"):
            item.add_marker("no_cover")
