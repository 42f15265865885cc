"""What the desk needs done that may take long: a stick, a disk. Whoever runs the desk says where it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from kiosk.domain.errors import KioskError

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.session import Carried

T = TypeVar("T")


class Beside(Protocol):
    """Does what may take long."""

    def __call__(self, work: Callable[[], T], answer: Callable[[T | KioskError, int], None], at: int) -> None:
        """Do it.

        Args:
            work: What is to be done.
            answer: Told of what came of it, or why it could not be done, and when.
            at: Now.
        """
        ...


def at_once(work: Callable[[], T], answer: Callable[[T | KioskError, int], None], at: int) -> None:
    """Do it here and now."""
    try:
        done: T | KioskError = work()
    except KioskError as error:
        done = error
    answer(done, at)


class Shelf(Protocol):
    """Where suspended matches are found and saved."""

    def found(self) -> tuple[list[Carried], list[str]]:
        """Every one, and a sentence for each file that should hold one and does not."""
        ...

    def hand_over(self, match: str) -> str:
        """Save one of this table's for another one.

        Args:
            match: Its id.

        Returns:
            What the file is called.

        Raises:
            KioskError: It cannot be saved.
        """
        ...
