from __future__ import annotations

import os

for _desktop in ("DISPLAY", "WAYLAND_DISPLAY"):
    os.environ.pop(_desktop, None)  # no test opens a window on somebody's desktop; those that want a display bring their own
for _spoken in ("LC_ALL", "LC_MESSAGES", "LANGUAGE"):
    os.environ.pop(_spoken, None)
os.environ["LANG"] = "C.UTF-8"  # tests speak English, whoever runs them
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
