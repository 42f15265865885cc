"""What touching something does. Values, so that a picture with its controls can be compared and kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kiosk.domain.officials import Official
    from kiosk.domain.types import Side
    from kiosk.ports import Finding
    from kiosk.session import Carried, Command
    from kiosk.session.commands import OpenChouette
    from kiosk.ui.screens.base import Screen
    from kiosk.ui.screens.official.card import Remedy
    from kiosk.ui.screens.official.paper import PaperStart
    from kiosk.ui.screens.play.diagram import Plan


@dataclass(frozen=True, slots=True)
class Do:
    """Ask the table for something; a refusal is said, and what was open stays open."""

    command: Command
    said: str = ""
    """What is said when it is done, in the language spoken now."""


@dataclass(frozen=True, slots=True)
class Open:
    """Open a screen on top of what is shown."""

    screen: Screen


@dataclass(frozen=True, slots=True)
class Turn:
    """Put another state in the place of the open screen: a choice was made, a letter typed."""

    screen: Screen
    once: bool = False
    """It enters something: the second half of a double tap on it does not do it again."""


@dataclass(frozen=True, slots=True)
class Close:
    """Go back to what lies beneath."""

    hand: Screen | None = None
    """What then takes the place of the screen beneath: a form with the value that was chosen for it."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Begin a finger's stroke here; the open screen takes its points."""

    board: Plan | None = None
    """A board is touched, and no line drawn: the screen takes where the finger came down and where it was lifted."""


@dataclass(frozen=True, slots=True)
class Press:
    """Press a simulated clock button."""

    side: Side


@dataclass(frozen=True, slots=True)
class Heard:
    """An alert was seen."""


@dataclass(frozen=True, slots=True)
class Explain:
    """Say something; nothing else."""

    text: str


@dataclass(frozen=True, slots=True)
class Prefer:
    """Change a setting of this table."""

    changes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Begin:
    """Open a match as the form says."""


@dataclass(frozen=True, slots=True)
class Watch:
    """The demo: let the sample match be played."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Close the window; the table is as it was at the next start."""


@dataclass(frozen=True, slots=True)
class Enter:
    """Sign in with a PIN."""

    pin: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Admit:
    """Enter the first official, the chief referee, with this PIN."""

    pin: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Count:
    """Begin to count on the open screen."""

    screen: Remedy


@dataclass(frozen=True, slots=True)
class Seek:
    """Look for suspended matches, here and on sticks, and show them."""


@dataclass(frozen=True, slots=True)
class TakeUp:
    """Take a suspended match up at this table."""

    match: Carried


@dataclass(frozen=True, slots=True)
class EnterSheet:
    """Enter a paper result; the table draws its id."""

    sheet: PaperStart


@dataclass(frozen=True, slots=True)
class BeginChouette:
    """Begin a chouette; the table draws its id."""

    command: OpenChouette


@dataclass(frozen=True, slots=True)
class HandOver:
    """Save this table's suspended match on a stick."""


@dataclass(frozen=True, slots=True)
class SaveSheet:
    """Save this match's score sheet on a stick."""


@dataclass(frozen=True, slots=True)
class PrintSheet:
    """Print this match's receipt."""


@dataclass(frozen=True, slots=True)
class TakeBadge:
    """A badge that is nobody's becomes an official's."""

    official: Official
    number: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class CheckInBy:
    """A badge is a player's, and he is here."""

    number: str = field(repr=False)
    name: str


# ── The hall ─────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class ReadTold:
    """Somebody has read a message from the desk."""

    n: int


@dataclass(frozen=True, slots=True)
class OpenOffer:
    """Open the organizer's match: both players have confirmed it, or somebody is missing when its round has begun."""

    match: str
    version: int
    """As it was shown to them."""
    late: tuple[Side, ...] = ()
    """Whose time is started at once."""


@dataclass(frozen=True, slots=True)
class FindServers:
    """Look for tournament servers, and show them."""


@dataclass(frozen=True, slots=True)
class JoinServer:
    """Join a server by its code."""

    address: str
    code: str = field(repr=False)
    replaces: bool
    """This device takes another one's place, with its running match."""


@dataclass(frozen=True, slots=True)
class FetchRunning:
    """Fetch the running match that this device is to take over, and show it."""


@dataclass(frozen=True, slots=True)
class LeaveServer:
    """Belong to no server any more."""


@dataclass(frozen=True, slots=True)
class TakeOver:
    """Take a running match over from a table that has failed."""

    match: Carried
    uncertain: int | None
    """Nanoseconds that may have passed since its last entry; None where no clock can tell."""


# ── The doctor ───────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Examine:
    """Look at every part of the box."""


@dataclass(frozen=True, slots=True)
class TryPart:
    """Light a lamp, or let a sound be heard."""

    name: str
    then: Screen
    """What takes the open screen's place: the question whether it was seen or heard."""


@dataclass(frozen=True, slots=True)
class Confirm:
    """Hand on what somebody at the screen has found."""

    finding: Finding
    then: Screen | None = None
    """What takes the open screen's place; None closes it."""


OfTheDoctor = Examine | TryPart | Confirm
"""What `kiosk.ui.doctor` hands on."""

OfTheHall = ReadTold | OpenOffer | FindServers | JoinServer | FetchRunning | LeaveServer | TakeOver
"""What `kiosk.ui.hall` does."""

Action = (
    OfTheHall
    | OfTheDoctor
    | SaveSheet
    | PrintSheet
    | TakeBadge
    | CheckInBy
    | Enter
    | Admit
    | Count
    | Seek
    | TakeUp
    | HandOver
    | EnterSheet
    | BeginChouette
    | Do
    | Open
    | Turn
    | Close
    | Draw
    | Press
    | Heard
    | Explain
    | Prefer
    | Begin
    | Watch
    | Leave
)
