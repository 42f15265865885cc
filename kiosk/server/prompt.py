"""Connections that are opened and then say nothing, or their request's head letter by letter, are closed: each holds memory and a socket.

The library that speaks HTTP bounds the wait between two requests only. This bounds the time for a request's head, from the connection or
from its first byte on; how slowly a body comes is bounded by its size and by what reads it, and a TLS handshake by the loop.
"""

from __future__ import annotations

import asyncio
from typing import Any

HEAD_S = 10.0
"""A request's head has come within this time, or never comes."""


class _Prompt:
    """What is put before the library's protocol; `cycle` is its request, once the head was read."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    cycle: Any
    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """A connection: its first head is waited for."""
        super().connection_made(transport)  # type: ignore[misc] # the library's own
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Bytes of it: a head, a part of one, or of a body."""
        before = self.cycle
        super().data_received(data)  # type: ignore[misc] # the library's own
        if self.cycle is not before or (self.cycle is not None and not self.cycle.response_complete):
            self._have()
        else:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        self._have()
        super().connection_lost(exc)  # type: ignore[misc] # the library's own

    def _wait(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(HEAD_S, self.transport.close)

    def _have(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


def prompt_protocol() -> type[asyncio.Protocol]:
    """The library's protocol, with its time for a head bounded."""
    from uvicorn.protocols.http.auto import AutoHTTPProtocol

    made: type[asyncio.Protocol] = type("PromptProtocol", (_Prompt, AutoHTTPProtocol), {})
    return made
