"""What is worked out from the facts, after they are stored: faces and matches. A thread of its own; nobody waits for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kiosk.server.hub import Hub
    from kiosk.server.store import Store
    from kiosk.server.take import Taken


class Projections:
    """Keeps faces and matches in step with the facts."""

    def __init__(self, store: Store, hub: Hub, now_ns: Callable[[], int]) -> None:
        """Work out nothing yet.

        Args:
            store: Where facts are, and faces go.
            hub: Who is told.
            now_ns: The house's clock.
        """
        self._store, self._hub, self._now_ns = store, hub, now_ns

    def start(self) -> None:
        """Catch up with what was stored while nobody worked it out."""

    def stored(self, taken: Sequence[Taken]) -> None:
        """These batches are stored; from the writer's thread."""
        for each in taken:
            self._hub.publish("face", each.device)

    def presence(self, device: str, online: bool) -> None:  # noqa: FBT001 - as the API calls it
        """A device's stream has begun, or ended."""
        del online
        self._hub.publish("face", device)

    def close(self) -> None:
        """Work out what is left, and end."""
