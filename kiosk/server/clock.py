"""The server's one clock: the date at its start, carried on by the monotonic clock, so that it never jumps while the server runs."""

from __future__ import annotations

import time

_START = time.time_ns() - time.monotonic_ns()

SECOND = 1_000_000_000
"""Nanoseconds."""


def now_ns() -> int:
    """Nanoseconds since 1970, as the system's date was when this process began and has gone on since; right or not."""
    return _START + time.monotonic_ns()
