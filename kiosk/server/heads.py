"""How HTTP is read: by the quick parser, which by itself would keep a head that never ends."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MOST_BYTES = 64 * 1024
"""Of a request so many bytes at most are no body: its line, headers, the marks between chunks, what follows them."""


class Bounded(HttpToolsProtocol):
    """One connection; whoever sends a larger head is cut off."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as uvicorn makes it
        """Begin with nothing."""
        super().__init__(*args, **kwargs)
        self._loose = 0

    def data_received(self, data: bytes) -> None:
        """Take what came."""
        self._loose += len(data)
        super().data_received(data)
        if self._loose > MOST_BYTES and not self.transport.is_closing():
            self.send_400_response("This request's head is too large.")

    def on_body(self, body: bytes) -> None:
        """A part of a body: it has its own bound (see `guard`)."""
        self._loose -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """A request is whole."""
        self._loose = 0
        super().on_message_complete()
