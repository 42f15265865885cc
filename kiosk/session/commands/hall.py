"""What the hall's desk asks for, over the network, and what people at the table answer it."""

from __future__ import annotations

from dataclasses import dataclass

from kiosk.domain.types import Instant, Side


@dataclass(frozen=True, slots=True)
class PauseHall:
    """Stop all clocks; nothing runs until the pause is lifted."""

    by: str | None
    """Who ordered it; None: nobody, another device goes on with this table's match."""
    why: str


@dataclass(frozen=True, slots=True)
class LiftPause:
    """Let clocks run again, once somebody resumes them."""

    by: str | None
    """Who ordered it; None: whoever is signed in at the table, where the desk cannot be reached."""


@dataclass(frozen=True, slots=True)
class ShowMessage:
    """Show a line from the desk until it is read."""

    n: int
    """Its number among the server's orders."""
    by: str
    text: str


@dataclass(frozen=True, slots=True)
class ReadMessage:
    """Somebody at the table has read it."""

    n: int


@dataclass(frozen=True, slots=True)
class ConfirmSeat:
    """A player confirms the organizer's match that is offered, before it is open; or takes that back."""

    match: str
    version: int
    """As it is shown to him."""
    side: Side
    here: bool


@dataclass(frozen=True, slots=True)
class MoveRoundStart:
    """The round begins later, or at another time than was said."""

    by: str
    start: Instant | None
    """None: its time is not set any more."""


@dataclass(frozen=True, slots=True)
class RefereeComing:
    """A referee has seen the call and is on the way."""

    by: str


HallCommand = PauseHall | LiftPause | ShowMessage | ReadMessage | ConfirmSeat | MoveRoundStart | RefereeComing
"""What comes from the desk, and what answers it."""
