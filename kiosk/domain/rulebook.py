"""The shape of a rulebook: everything about a regulation that is data and not program.

The bundled rulebooks are TOML files in `kiosk/rulebooks/`; an organizer's own file extends one of them. Reading and checking
files is `kiosk.app`'s work; here are only the values, frozen and valid from birth.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from kiosk.domain.types import Span, seconds


class Kind(StrEnum):
    """How a game was won."""

    SINGLE = "single"
    GAMMON = "gammon"
    BACKGAMMON = "backgammon"
    OIN = "oin"
    MARS = "mars"
    KOKS = "koks"
    PASS = "pass"
    """A refused double: worth the cube before it. Never stated by hand; it follows from the `pass` act."""


KINDS_OF: Mapping[str, tuple[Kind, ...]] = {
    "backgammon": (Kind.SINGLE, Kind.GAMMON, Kind.BACKGAMMON),
    "long": (Kind.OIN, Kind.MARS, Kind.KOKS),
}
"""How a game may be won, the plain win first; `pass` follows from the cube and is never stated."""

LANGUAGES = ("en", "ru", "uk", "mk")
"""The languages that the screen speaks."""


class Method(StrEnum):
    """How the clock grants time per turn (domain rule 2.6)."""

    DELAY = "delay"
    BRONSTEIN = "bronstein"
    FISCHER = "fischer"


class Provide(StrEnum):
    """What a long match offers besides its clock (000 §11): a flat bonus, breaks, or neither."""

    BONUS = "bonus"
    BREAKS = "breaks"
    NEITHER = "neither"


class FlagPolicy(StrEnum):
    """What follows when a side's time is used up (domain rule 2.5)."""

    CLAIM = "claim"
    AUTO = "auto"
    OVERTIME = "overtime"
    PENALTY_POINTS = "penalty_points"
    GAME_LOSS = "game_loss"


class LateRule(StrEnum):
    """How a late start is charged (domain rule 2.9)."""

    CLOCK = "clock"
    """The absent side's clock runs."""
    POINTS = "points"
    """A penalty point after each full interval; the match is lost past half its length."""


class ControlKind(StrEnum):
    """Where a side's reserve comes from."""

    PER_POINT = "per_point"
    TABLE = "table"
    FLAT = "flat"


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The regulation's time control; exactly the part that its `kind` names is used."""

    kind: ControlKind
    """Which of the three below holds."""
    per_point: Span = Span(0)
    """Reserve per point of match length."""
    table: tuple[tuple[int, Span], ...] = ()
    """(match length, reserve) pairs, ascending; other lengths are refused."""
    flat: Span = Span(0)
    """One reserve for every length."""
    delay: Span = Span(0)
    """Delay (or increment, or give-back) per turn."""
    delay_range: tuple[Span, Span] = (Span(0), seconds(3600))
    """The usual range; a delay outside it earns the organizer a warning and is accepted."""
    method: Method = Method.DELAY
    """How the delay is granted."""


@dataclass(frozen=True, slots=True)
class OnFlag:
    """A flag policy with its figures."""

    policy: FlagPolicy = FlagPolicy.CLAIM
    """Which of the five."""
    extra: Span = seconds(60)
    """`overtime`: the extra time that a side gets once per match."""
    points: int = 1
    """`penalty_points`: what the opponent gets."""
    refill: Span | None = None
    """`penalty_points`, `game_loss`: the refill; None means half the side's initial reserve."""


@dataclass(frozen=True, slots=True)
class BreakRule:
    """Breaks where they are provided (000 §11)."""

    table: tuple[tuple[int, int], ...] = ()
    """(smallest match length, breaks per player) pairs, ascending; shorter matches have none."""
    longest: Span = seconds(300)
    """How long a break may last."""


@dataclass(frozen=True, slots=True)
class StopRule:
    """Allowances of a stop (000 §11)."""

    allowed: Span = seconds(30)
    """For setting up and for fallen dice."""
    unexplained: Span = seconds(10)
    """How long a stop may stand without a reason."""


@dataclass(frozen=True, slots=True)
class LateStart:
    """Late start (000 §11, or the alternative by points)."""

    rule: LateRule = LateRule.CLOCK
    """The clock or points."""
    interval: Span = seconds(300)
    """`points`: one penalty point per full interval."""


@dataclass(frozen=True, slots=True)
class Sounds:
    """Sounds that point out time; off unless a regulation wants them (only players and judges may point it out, 000 §11)."""

    last_seconds: int = 0
    """Ticks in the last n seconds of a reserve; 0 is silent."""
    flag: bool = False
    """Whether the flag is heard."""


class PublicClocks(StrEnum):
    """What people beside the table see of running clocks (000 §11: only players and judges may point out the time)."""

    TIMES = "times"
    """Both times, and no flag is pointed out."""
    NONE = "none"
    """No times at all."""
    FLAGS = "flags"
    """Times and flags."""


@dataclass(frozen=True, slots=True)
class Public:
    """What the public sees: the hall's board, a match's page, a stream's overlay."""

    clocks: PublicClocks = PublicClocks.TIMES
    """Of running clocks."""


class RuleText(StrEnum):
    """The rule text whose articles are cited where a move is judged."""

    FEDERATION = "000"
    CLUB = "002"
    YELLOW = "003"
    NATIONAL = "004"
    """The national sport rules of long nardy."""


class HeadRule(StrEnum):
    """Long nardy: who may take two checkers from the head with the first throw of 3-3, 4-4 or 6-6."""

    SECOND = "second"
    """The second player only (004 5.4.11)."""
    BOTH = "both"
    """Each with his own first throw; other federations have it so."""


class BlockRule(StrEnum):
    """Long nardy: when a six-block in front of all the opponent's checkers is looked for (004 5.4.13)."""

    ON_THE_WAY = "on_the_way"
    """After each step: forbidden for an instant within a turn too."""
    AT_THE_END = "at_the_end"
    """In the final position only."""
    NONE = "none"
    """Never: the regulation has no such rule."""


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """How moves are judged. Everything below `text` concerns long nardy only."""

    text: RuleText | None = None
    """The rule text that is cited; None: the one that stands for the game, 000 or, of long nardy, 004."""
    two_from_head: HeadRule = HeadRule.SECOND
    """Who may take two from the head at first."""
    block: BlockRule = BlockRule.ON_THE_WAY
    """When a six-block is looked for."""
    bear_off_any_lower: bool = False
    """Whether a checker may be borne off from below the number thrown although higher points are held (004 5.4.37 by the letter)."""
    last_roll: bool = False
    """Whether the second player has a last roll, and with it a draw."""


class Sanction(StrEnum):
    """What an official may impose, from the lightest to the heaviest (000 §11)."""

    REMARK = "remark"
    WARNING = "warning"
    PENALTY_POINT = "penalty_point"
    """One point added to the opponent's score."""
    GAME_LOSS = "game_loss"
    MATCH_LOSS = "match_loss"
    EXPULSION = "expulsion"


def in_language(texts: tuple[tuple[str, str], ...], language: str) -> str:
    """A text in this language, else in English, else empty.

    Args:
        texts: (language, text) pairs.
        language: `en`, `ru`, `uk`, `mk`.
    """
    known = dict(texts)
    return known.get(language) or known.get("en", "")


@dataclass(frozen=True, slots=True)
class Infraction:
    """One entry of the catalogue: what can be done wrong, and what a text says about it (domain rule 4.1)."""

    code: str
    """Its word in rulings and files, e.g. `hand_on_button`."""
    titles: tuple[tuple[str, str], ...]
    """(language, title) pairs."""
    serious: bool
    """Whether the ladder treats it as serious; the rest is minor."""
    article: str
    """The text that it rests on, e.g. `004 5.4.42`; where a federation's own text is silent, another's."""
    sanction: Sanction | None = None
    """The article's own usual sanction the first time; None: the ladder's."""
    repeat: Sanction | None = None
    """The article's own sanction for a repetition; None: the ladder's."""
    recorded_only: bool = False
    """Whether it is put right and written down, and never punished."""
    both: bool = False
    """Whether a sanction for both sides is usual."""

    def title(self, language: str) -> str:
        """What people call it: in this language, else in English, else its code.

        Args:
            language: `en`, `ru`, `uk`, `mk`.
        """
        return in_language(self.titles, language) or self.code


@dataclass(frozen=True, slots=True)
class Ladder:
    """The usual sanctions where no article names its own (000 §11, domain rule 4.2)."""

    first_minor: Sanction = Sanction.REMARK
    """The first time, minor."""
    first_serious: Sanction = Sanction.WARNING
    """The first time, serious."""
    same_game: Sanction = Sanction.GAME_LOSS
    """Again in the same game, or directly affecting play."""
    later_game: Sanction = Sanction.WARNING
    """Again in a later game."""
    note_later: bool = True
    """Whether a repetition in a later game comes with the note that it may be referred to the panel."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A ready-made setting an organizer picks by one touch."""

    names: tuple[tuple[str, str], ...]
    """What the organizer reads: (language, text) pairs."""
    length: int
    """Match length."""
    reserve: Span
    """Whole reserve per side."""
    delay: Span
    """Delay per turn."""

    def name(self, language: str) -> str:
        """What the organizer reads: in this language, else in English."""
        return in_language(self.names, language)


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One regulation."""

    name: str
    """Its word in commands and files, e.g. `ibgf`."""
    titles: tuple[tuple[str, str], ...]
    """What people call it: (language, title) pairs."""
    game: str
    """`backgammon` or `long`: which play rules the legality tool uses."""
    kinds: Mapping[Kind, int]
    """What may be recorded, and what it multiplies."""
    control: TimeControl
    """The clock."""
    lengths: tuple[int, ...] = (1, 3, 5, 7, 9, 11, 13, 15)
    """Match lengths offered; 1 to 99 are possible."""
    cube: bool = True
    """Whether the cube is used."""
    crawford: bool = True
    """Whether the Crawford rule holds in matches."""
    jacoby: bool = False
    """Whether the Jacoby rule holds in free sessions; never in matches."""
    automatic_doubles: bool = False
    """Whether tied opening rolls may double the centred cube in free sessions; never in matches."""
    blitz: bool = False
    """Blitz has neither bonus nor breaks."""
    provide: Provide = Provide.NEITHER
    """What a match offers unless the organizer says otherwise."""
    bonus: Span = seconds(300)
    """The bonus time, where it is provided."""
    bonus_from: int = 7
    """The shortest match that has the bonus."""
    breaks: BreakRule = BreakRule()
    """The breaks, where they are provided."""
    on_flag: OnFlag = OnFlag()
    """What follows a flag."""
    late: LateStart = LateStart()
    """What a late start costs."""
    stops: StopRule = StopRule()
    """What a stop may last."""
    sounds: Sounds = Sounds()
    """What may be heard."""
    public: Public = Public()
    """What people beside the table see."""
    play: PlayOptions = PlayOptions()
    """How moves are judged."""
    presets: tuple[Preset, ...] = ()
    """Ready-made settings."""
    infractions: tuple[Infraction, ...] = ()
    """The catalogue of infractions, in the order in which it is offered."""
    ladder: Ladder = Ladder()
    """The usual sanctions."""

    def title(self, language: str) -> str:
        """What people call it: in this language, else in English, else its word.

        Args:
            language: `en`, `ru`, `uk`, `mk`.
        """
        return in_language(self.titles, language) or self.name
