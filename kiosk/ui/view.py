"""What a screen may know: the table at one instant, this table's settings, and what can be done now."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kiosk.domain.state import OVER, Phase
from kiosk.domain.types import NS_PER_S, SIDES, Pair, Side
from kiosk.ports import LinkState, Volumes
from kiosk.say import _, speaking
from kiosk.words import minutes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from contextlib import AbstractContextManager

    from kiosk.domain.card import CardEntry
    from kiosk.domain.clock import Clock
    from kiosk.domain.facts import Fact
    from kiosk.domain.officials import Official
    from kiosk.domain.rulebook import Rulebook
    from kiosk.domain.setup import MatchSetup
    from kiosk.domain.state import Pause
    from kiosk.ports import Earlier, Offer
    from kiosk.session import Carried, Command, Snapshot
    from kiosk.ui.doctor import Doctor
    from kiosk.ui.draw import Turn
    from kiosk.ui.page import Place
    from kiosk.ui.theme import Theme

SLEEPS = (2, 5, 15, 0)
"""After how many minutes without a touch a table at rest goes dark; 0 is never."""

VOLUMES = (0, 1, 2, 3)
"""Off, soft, medium, loud."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """This table's own settings: how it looks. They change nothing about a match."""

    theme: str = "dark"
    """`dark` or `light`."""
    facing: bool = False
    """Whether each half, and what a player is asked, is turned towards him."""
    sleep: int = 5
    """After how many minutes at rest the screen goes dark; 0 is never."""
    language: str = "en"
    """The language spoken."""
    left: str = ""
    """The language of the left half, where it is another one."""
    right: str = ""
    """The language of the right half, where it is another one."""
    volume_press: int = 2
    """How loud a press is: 0 off, 1 soft, 2 medium, 3 loud."""
    volume_alert: int = 2
    """How loud an alert is."""
    volume_last_seconds: int = 2
    """How loud the last seconds of a reserve are, where the rulebook lets them be heard."""
    volume_flag: int = 2
    """How loud a flag is, likewise."""
    quiet: bool = False
    """A quiet hall: nothing is more than soft, and the time is told by lamp and screen only."""

    @property
    def volumes(self) -> Volumes:
        """How loud each sound is."""
        return Volumes(self.volume_press, self.volume_alert, self.volume_last_seconds, self.volume_flag, self.quiet)


@dataclass(frozen=True, slots=True)
class Health:
    """What is not right with the box; an empty text is all right."""

    buttons: str = ""
    """The buttons do not work: why."""
    journal: str = ""
    """Entries cannot be saved: why."""
    screen: str = ""
    """A part of the screen failed: which."""
    devices: str = ""
    """A badge reader or a printer does not work: why."""
    data: str = ""
    """Everything will be forgotten at the next reboot: why."""


@dataclass(frozen=True, slots=True)
class Told:
    """Something that is said in the header's place."""

    text: str
    tone: str = "plain"
    """`plain`, `refused` or `alert`."""
    count: int = 0
    """What waits behind it."""
    message: int | None = None
    """It is the desk's message of this number, which waits to be read."""


@dataclass(frozen=True, slots=True)
class Happened:
    """One entry of what happened so far."""

    fact: Fact
    time: str = ""
    """The time of day, or nothing where the date is not known."""


@dataclass(frozen=True, slots=True)
class View:
    """Everything that a picture is made from."""

    shot: Snapshot
    """The table at the instant shown."""
    place: Place
    """The panel."""
    theme: Theme
    """Its colours."""
    prefs: Preferences
    """This table's settings."""
    why_not: Callable[[Command], str | None]
    """Why a command would be refused now, in the language spoken now; None where it would be done."""
    books: Mapping[str, Rulebook]
    """Regulations by their word."""
    table_name: str = ""
    """What the organizer calls this table."""
    simulated: bool = False
    """The buttons are keys and touches."""
    health: Health = Health()
    """What is not right."""
    told: Told | None = None
    """What is being said."""
    happened: tuple[Happened, ...] = ()
    """What happened in this match so far."""
    watching: bool = False
    """A match plays by itself."""
    demo: bool = False
    """The demo's window: it can play by itself."""
    no_officials: bool = False
    """Nobody is entered who could sign in."""
    date_words: Callable[[int], str] = lambda _wall_ns: ""
    """A system's date in nanoseconds as day and time at this table."""
    card_for: Callable[[str], tuple[CardEntry, ...]] = lambda _rulebook: ()
    """The rule card of a rulebook; with an empty word, all of it."""
    link: LinkState = LinkState()
    """The connection to the tournament server."""
    offers: tuple[Offer, ...] = ()
    """The organizer's matches that can be opened here."""
    waits: Carried | None = None
    """The running match that this device is to take over, where it is known."""
    earlier: Callable[[], tuple[Earlier, ...] | None] = lambda: None
    """Earlier rulings of this event on this match's players; None where they are not known."""
    squares: Callable[[str], tuple[tuple[bool, ...], ...]] = lambda _text: ()
    """A text as a QR code: rows of dark and light squares."""
    can_print: bool = False
    """A receipt printer is connected, or is to be."""
    can_join: bool = False
    """A tournament server can be joined from here."""
    doctor: Doctor | None = None
    """Who looks at the box; None where nobody can."""
    lamps: Pair[bool] | None = None
    """Which button's lamp is lit, where they are simulated; None where they are not to be drawn."""
    sounds: bool = False
    """The table can be heard."""
    about: tuple[tuple[str, str], ...] = field(default=())
    """What the settings page says about this table: (what, figure)."""

    # ── Questions that every screen asks ─────────────────────────────────────
    @property
    def phase(self) -> Phase | None:
        """Where the table stands."""
        return self.shot.phase

    @property
    def setup(self) -> MatchSetup:
        """What was agreed; only asked while a match is open.

        Raises:
            LookupError: There is no match.
        """
        if self.shot.table.setup is None:
            raise LookupError("no match is open")
        return self.shot.table.setup

    @property
    def clock(self) -> Clock:
        """The clock at the instant shown.

        Raises:
            LookupError: There is no match.
        """
        if self.shot.clock is None:
            raise LookupError("no match is open")
        return self.shot.clock

    @property
    def official(self) -> Official | None:
        """Who is signed in."""
        duty = self.shot.table.official
        return None if duty is None else duty.official

    @property
    def pause(self) -> Pause | None:
        """The hall's pause."""
        return self.shot.table.hall.pause

    @property
    def public_page(self) -> str:
        """The address of the match's page for everybody; empty where there is none."""
        match, base = self.shot.table.match, self.link.address  # a chouette has an id too, and no page
        return f"{base}/m/{match}" if base and self.phase is not None and self.shot.table.paper is None else ""

    @property
    def in_match(self) -> bool:
        """Whether a match is going on."""
        return self.phase is not None and self.phase not in OVER

    @property
    def has_clock(self) -> bool:
        """Whether every screen shows a clock: a match goes on, or a chouette that has one."""
        chouette = self.shot.table.chouette
        return self.in_match or (self.shot.clock is not None and chouette is not None and not chouette.ended)

    @property
    def clocked(self) -> bool:
        """Whether time is charged; a match that was entered from paper claims none."""
        return self.shot.clock is not None and self.shot.clock.control.clocked and self.shot.table.paper is None

    @property
    def clock_runs(self) -> bool:
        """Whether a side's time is being charged now."""
        return self.shot.clock is not None and bool(self.shot.clock.running)

    def side_name(self, side: Side) -> str:
        """Who sits at a side; where no match is open, which side it is."""
        return self.name(side) or (_("Left") if side is Side.LEFT else _("Right"))

    def name(self, side: Side) -> str:
        """Who sits at a side."""
        return " & ".join(self.players[side])

    @property
    def players(self) -> Pair[tuple[str, ...]]:
        """Who sits where now: the setup follows every swap of seats."""
        setup, chouette = self.shot.table.setup, self.shot.table.chouette
        if setup is not None:
            return setup.players
        if chouette is not None and self.shot.clock is not None:
            return Pair((_("the box"),), (_("the team"),))
        return Pair(("",), ("",))

    @property
    def before_game_one(self) -> bool:
        """Whether the match has not had its first press."""
        return self.phase in {Phase.OPENING, Phase.LATE} and not self.shot.table.games and not self.shot.table.started

    @property
    def first_turn(self) -> bool:
        """Whether the game's first turn still goes on: its start can be turned over."""
        memory = self.shot.table.memory
        return self.phase in {Phase.PLAYING, Phase.STOPPED} and memory is not None and memory.opening

    def speaking(self, side: Side) -> AbstractContextManager[None]:
        """What is drawn inside is said in the language of a side's half."""
        language = self.prefs.left if side is Side.LEFT else self.prefs.right
        return speaking(language or None)

    def turned(self, side: Side) -> Turn:
        """Which way a side's half is turned."""
        if not self.prefs.facing:
            return 0
        if self.place.portrait:
            return 180 if side is Side.LEFT else 0
        return 90 if side is Side.LEFT else 270

    def why_none(self, *commands: Command) -> str | None:
        """Why none of these can be done, in the first one's words; None where one can."""
        whys = [self.why_not(command) for command in commands]
        return None if None in whys else whys[0]

    @property
    def length(self) -> str:
        """The match's length in words."""
        n = self.setup.length
        return _("Free session") if n is None else _("{n}-point match", n=n)

    @property
    def score(self) -> str:
        """The score."""
        return f"{self.shot.score.left} – {self.shot.score.right}"


def ago(since: int, at: int) -> str:
    """How long ago something was, as m:ss in whole seconds: it reads more at each full second (`kiosk.ui.changes.next_second`)."""
    whole = max(0, at - since) // NS_PER_S
    return f"{whole // 60}:{whole % 60:02d}"


__all__ = ["SIDES", "SLEEPS", "VOLUMES", "Happened", "Health", "Preferences", "Told", "View", "ago", "minutes"]
