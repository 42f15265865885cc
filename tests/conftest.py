from __future__ import annotations

import os

for _desktop in ("DISPLAY", "WAYLAND_DISPLAY"):
    os.environ.pop(_desktop, None)  # no test opens a window on somebody's desktop; those that want a display bring their own
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
