"""Standard output that says its name when it cannot be written: an error of the system tells only what, not where."""

from __future__ import annotations

import os
from typing import Any

from kiosk.say import _


class Named:
    """A stream, or what lies below one; everything but writing is its own affair."""

    def __init__(self, stream: Any) -> None:  # noqa: ANN401 - a text stream, or a binary one
        """Take a stream."""
        self._stream = stream

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the stream has
        found = getattr(self._stream, name)
        return Named(found) if name == "buffer" else found

    def write(self, data: Any) -> int:  # noqa: ANN401 - text, or bytes
        """Write.

        Raises:
            BrokenPipeError: The reader has gone.
            OSError: It cannot be written; the file's name is what it is called.
        """
        try:
            return int(self._stream.write(data))
        except OSError as error:
            raise self._told(error) from error

    def flush(self) -> None:
        """Write what waits; the errors are those of `write`."""
        try:
            self._stream.flush()
        except OSError as error:
            raise self._told(error) from error

    def let_go(self) -> None:
        """Let go of what still waits, if it cannot be written: it would fail once more when the program ends, and be told a second time."""
        try:
            self._stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())

    def _told(self, error: OSError) -> OSError:
        if isinstance(error, BrokenPipeError):
            return error
        return OSError(error.errno, error.strerror, _("standard output"))
