"""What cannot be answered, as a sentence with its HTTP status; `kiosk.server.app` makes a page or JSON of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.domain.errors import CommandRefused, KioskError, Refusal

if TYPE_CHECKING:
    from kiosk.domain.errors import Value


class Problem(KioskError, ValueError):
    """The request cannot be done as it is; nothing has changed."""

    def __init__(self, status: int, sentence: str, *, retry_s: int | None = None, barred: str = "") -> None:
        """Keep the status and the sentence.

        Args:
            status: HTTP, from 400 to 499, or 503.
            sentence: What is wrong, and what to do.
            retry_s: In how many seconds it may go.
            barred: Why a device has no key any more (`kiosk.sync.wire`), for its program.
        """
        self.status = status
        self.barred = barred
        self.retry_s = retry_s
        super().__init__(sentence)


class NotThere(CommandRefused):
    """What an address names is not there, or not any more; nothing has changed."""


def not_there(template: str, /, **values: Value) -> NotThere:
    """The refusal of what is not there: 404, where it was asked for.

    Args:
        template: The sentence in English, with `{name}` where a value goes.
        values: What goes there.
    """
    return NotThere(Refusal.BAD_VALUE, template, **values)


class NeedsLogin(Problem):
    """Somebody who has logged in may; a page leads to the login and back."""

    def __init__(self, sentence: str) -> None:
        """Say so."""
        super().__init__(401, sentence)


class ServerError(KioskError, OSError):
    """The world failed: the data folder, a key, an address; nothing has changed."""


class WrongUse(KioskError, ValueError):
    """You erred: an option, a key of the configuration or a file's contents; the text names it."""
