"""What the screen needs of the doctor, and what he is asked by a touch. Whoever runs the desk says who he is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from kiosk.say import _, mark
from kiosk.ui import actions as a

if TYPE_CHECKING:
    from kiosk.domain.types import Pair
    from kiosk.ports import Finding
    from kiosk.ui.view import View


@dataclass(frozen=True, slots=True)
class Tried:
    """What a trial has seen of one button."""

    presses: int = 0
    edges: int = 0
    """Raw ones, bounces included."""
    last_ns: int = 0
    """How long the last closing or opening bounced."""
    worst_ns: int = 0
    """The longest."""
    down: bool = False


@dataclass(frozen=True, slots=True)
class Trial:
    """A lamp or a sound that can be tried."""

    name: str
    """Its word."""
    label: str
    """What it is called on the screen."""
    question: str
    """What is asked when it has been tried, such as whether it was seen."""


class Doctor(Protocol):
    """Looks at the box beside the loop. Every call returns at once."""

    def findings(self) -> tuple[Finding, ...]:
        """A line of each part, in order; those that wait included. None where he was never asked."""
        ...

    def busy(self) -> bool:
        """Whether he still looks."""
        ...

    def buttons(self) -> Pair[Tried]:
        """What was seen of the buttons since their trial was opened."""
        ...

    def trials(self) -> tuple[Trial, ...]:
        """What can be lit and heard."""
        ...

    def count(self) -> int:
        """Goes up whenever something that he shows has changed."""
        ...

    def begin(self) -> None:
        """Look at everything anew."""
        ...

    def tried(self, name: str) -> None:
        """Light a lamp, or let a sound be heard, for a moment."""
        ...

    def confirm(self, finding: Finding) -> None:
        """Take a line that somebody at the screen has found."""
        ...


WORST_NS = 30_000_000
"""A button that bounces for longer may count one press as two: what the debouncer takes for chatter."""


def obey(doctor: Doctor | None, action: a.OfTheDoctor) -> str:
    """Ask the doctor what was touched.

    Returns:
        What is said about it; nothing where what he does is seen.
    """
    if doctor is None:
        return _("There is nobody here who could look at the box.")
    match action:
        case a.Examine():
            if doctor.busy():
                return _("It is being looked at already.")
            doctor.begin()
        case a.TryPart():
            doctor.tried(action.name)
        case a.Confirm():
            doctor.confirm(action.finding)
    return ""


def barred(view: View) -> str | None:
    """Why the box is not looked at now, in a sentence; None where it may be."""
    if view.shot.clock is not None and view.shot.clock.running:
        return _("A clock runs; the box is looked at when none does.")
    if view.in_match and view.official is None:
        return _("A match is on; an official signs in first.")
    return None


GRADES = {"good": mark("good"), "off": "–", "doubt": mark("look"), "wrong": mark("WRONG"), "waits": mark("waits")}
"""How a line's verdict is told."""
