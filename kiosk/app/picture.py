"""Pictures of a table without a window: the scenario's word `render`, and the demo's screenshots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.app.panel import books, on_fault, remembered
from kiosk.ui.chronicle import Chronicle
from kiosk.ui.desk import Desk
from kiosk.ui.paint import picture
from kiosk.ui.view import Preferences
from kiosk.ui.window import place_for

if TYPE_CHECKING:
    from pathlib import Path

    from kiosk.books import Library
    from kiosk.session import Carried, Session

SIZE = (800, 480)
"""A picture's size where none is named: the smallest panel."""


class Camera:
    """Listens to a simulated table and takes pictures of its screen."""

    def __init__(self, library: Library) -> None:
        """Begin before anything has happened.

        Args:
            library: Rulebooks.
        """
        self._books = books(library)
        self.chronicle = Chronicle()
        self._session: Session | None = None

    def switched_on(self, session: Session) -> None:
        """Look at this table from now on."""
        self._session = session

    def taken_up(self, match: Carried) -> None:
        """A suspended match was taken up at the table."""
        self.chronicle.put_before(remembered(match.rows))

    def save(self, path: Path, now: int, size: tuple[int, int] | None = None, theme: str | None = None) -> None:
        """Save the screen as it is at an instant.

        Args:
            path: A PNG file.
            now: Nanoseconds of the table's monotonic clock.
            size: Width and height in pixels; None is 800×480.
            theme: `dark` or `light`; None is dark.

        Raises:
            OSError: The file cannot be written.
        """
        if self._session is None:
            raise RuntimeError("the camera looks at no table yet")
        prefs = Preferences(theme=theme or "dark", sleep=0)
        desk = Desk(self._session, self._books, self.chronicle, new_match=lambda: "", prefs=prefs)
        desk.on_fault = on_fault
        path.write_bytes(picture(desk.scene(place_for(*(size or SIZE)), now), on_fault))
