"""A match's setup: what was agreed before the first press, resolved from a rulebook and never changed afterwards.

`resolve` takes the rulebook and what the organizer said otherwise (`Options`) and answers with a whole, valid `MatchSetup`, or
refuses with `bad_value` and a sentence. The setup is stored whole in the journal, so that a rulebook edited later changes no
past match. `check_setup` is what every setup must stand, worked out here or brought by a file from another table.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import assert_never

from kiosk.domain.errors import CommandRefused, Refusal, Value
from kiosk.domain.rulebook import (
    KINDS_OF,
    ControlKind,
    FlagPolicy,
    Infraction,
    Kind,
    Ladder,
    LateStart,
    Method,
    OnFlag,
    PlayOptions,
    Provide,
    PublicClocks,
    Rulebook,
    Sounds,
    StopRule,
)
from kiosk.domain.text import seen
from kiosk.domain.types import SIDES, Instant, Pair, Side, Span, clock_text, seconds

LONGEST_MATCH = 99
LONGEST_NAME = 100
LONGEST_TEXT = 200
"""A title, an article or a warning has no more characters."""
LONGEST_TIME = seconds(10**9)
"""Every length of time is below this, 30 years: with it no instant leaves 64 bits."""
MOST_AT_OPENING = 9999
"""Points with which a side can begin a free session, which has no length to stay below."""
MOST_FACTOR = 99
MOST_BREAKS = 99
MOST_LAST_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class Control:
    """The clock's settings for one match."""

    method: Method
    """How time per turn is granted."""
    delay: Span
    """Delay, give-back or increment per turn."""
    clocked: bool
    """False in an unclocked session: presses tell the turn and charge nothing."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the organizer says; None means: as the rulebook has it."""

    length: int | None
    """Points needed to win; None is a free session."""
    players: Pair[tuple[str, ...]]
    """One name a side, or two for a pair."""
    reserve: Pair[Span] | None = None
    """A whole reserve for each side: no bonus is added to it."""
    delay: Span | None = None
    """Delay per turn."""
    method: Method | None = None
    """Clock method."""
    provide: Provide | None = None
    """Bonus, breaks or neither."""
    crawford: bool | None = None
    """Whether the Crawford rule holds."""
    crawford_played: bool | None = None
    """Whether a match opened with one side at length − 1 has had its Crawford game."""
    cube: bool | None = None
    """Whether the cube is used."""
    jacoby: bool | None = None
    """Whether the Jacoby rule holds (in free sessions only)."""
    backgammon_counts: int | None = None
    """3 or 2."""
    on_flag: OnFlag | None = None
    """Flag policy."""
    score: Pair[int] | None = None
    """The score with which the match is opened: its clock is brought in late."""
    round_start: Instant | None = None
    """When the round begins; nobody is late before."""


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """Everything agreed about one match."""

    rulebook: str
    """The rulebook's word."""
    game: str
    """`backgammon` or `long`."""
    length: int | None
    """Points needed to win; None is a free session."""
    players: Pair[tuple[str, ...]]
    """Names by the seat at the opening."""
    control: Control
    """The clock's settings."""
    reserve: Pair[Span]
    """Both reserves at the start, bonus included."""
    provide: Provide
    """Bonus, breaks or neither."""
    bonus: Span
    """The bonus time contained in each reserve."""
    breaks: int
    """Breaks per player."""
    break_longest: Span
    """How long a break may last."""
    kinds: tuple[tuple[Kind, int], ...]
    """What a game may be won by, and what it multiplies."""
    cube: bool
    """Whether the cube is used."""
    crawford: bool
    """Whether the Crawford rule holds."""
    crawford_played: bool
    """Whether the Crawford game lies before this opening."""
    jacoby: bool
    """Whether gammons need a turned cube here."""
    automatic_doubles: bool
    """Whether a tied opening roll may double the cube here."""
    on_flag: OnFlag
    """Flag policy."""
    late: LateStart
    """Late start."""
    stops: StopRule
    """Allowances of a stop."""
    score: Pair[int]
    """The score at the opening."""
    round_start: Instant | None
    """When the round begins."""
    warnings: tuple[str, ...] = ()
    """Sentences for the organizer's form; nothing that forbids."""
    infractions: tuple[Infraction, ...] = ()
    """The catalogue of infractions. Decision: empty in a match that an older program opened, which promised it none."""
    ladder: Ladder = Ladder()
    """The usual sanctions."""
    clocks: PublicClocks = PublicClocks.TIMES
    """What people beside the table see of the running clocks."""
    sounds: Sounds = Sounds()
    """What of the time may be heard, and seen on a button's lamp."""
    play: PlayOptions | None = None
    """How moves are judged; None in a match that an older program opened: as its rulebook has it by now."""

    def factor(self, kind: Kind) -> int | None:
        """What a win of this kind multiplies, or None where it cannot be recorded."""
        return 1 if kind is Kind.PASS else dict(self.kinds).get(kind)

    def refill(self, side: Side) -> Span:
        """The refill under `penalty_points` and `game_loss` for a side (domain rule 2.5: default half its initial reserve)."""
        given = self.on_flag.refill
        return Span(self.reserve[side] // 2) if given is None else given


def bad_value(template: str, /, **values: Value) -> CommandRefused:
    """The refusal of a value of the right kind that does not fit.

    Args:
        template: The sentence in English, with `{name}` where a value goes.
        values: What goes there.
    """
    return CommandRefused(Refusal.BAD_VALUE, template, **values)


def resolve(book: Rulebook, options: Options) -> MatchSetup:
    """Work out a whole setup.

    Args:
        book: The regulation.
        options: What is said otherwise.

    Raises:
        CommandRefused: `bad_value`, with the value and what would fit.
    """
    score = options.score or Pair(0, 0)
    check_score(options.length, score)
    control, reserve, bonus, warnings = _clock(book, options, score)
    session = options.length is None
    breaks = _breaks_allowed(book, options)
    setup = MatchSetup(
        rulebook=book.name,
        game=book.game,
        length=options.length,
        players=options.players,
        control=control,
        reserve=reserve,
        provide=options.provide or book.provide,
        bonus=bonus,
        breaks=breaks,
        break_longest=book.breaks.longest,
        kinds=_kinds(book, options.backgammon_counts),
        cube=book.cube if options.cube is None else options.cube,
        crawford=book.crawford if options.crawford is None else options.crawford,
        crawford_played=bool(options.crawford_played) or _both_at_match_point(options.length, score),
        jacoby=session and (book.jacoby if options.jacoby is None else options.jacoby),  # 002: never in match play
        automatic_doubles=session and book.automatic_doubles,  # 002: never in match play
        on_flag=options.on_flag or book.on_flag,
        late=book.late,
        stops=book.stops,
        score=score,
        round_start=options.round_start,
        warnings=warnings,
        infractions=book.infractions,
        ladder=book.ladder,
        clocks=book.public.clocks,
        sounds=book.sounds,
        play=book.play,
    )
    check_setup(setup)
    return setup


# ── What every setup must stand ──────────────────────────────────────────────
def check_setup(setup: MatchSetup) -> None:
    """Refuse a setup with which no table could play.

    Args:
        setup: Worked out here, or brought by a file.

    Raises:
        CommandRefused: `bad_value`, with a sentence.
    """
    check_score(setup.length, setup.score)
    _check_players(setup.players)
    _check_clock(setup)
    _check_flag_policy(setup)
    _check_kinds(setup)
    _check_extras(setup)
    _check_catalogue(setup)


def check_score(length: int | None, score: Pair[int]) -> None:
    """Refuse a length or a score that cannot be.

    Raises:
        CommandRefused: `bad_value`.
    """
    if length is not None and not 1 <= length <= LONGEST_MATCH:
        raise bad_value("A match is 1 to {longest} points long, not {length}.", longest=LONGEST_MATCH, length=length)
    for side in SIDES:
        most = MOST_AT_OPENING if length is None else length - 1
        if not 0 <= score[side] <= most:
            raise bad_value(
                "The {side} side cannot begin with {points} points; give 0 to {most}.", side=side, points=score[side], most=most
            )


def _check_players(players: Pair[tuple[str, ...]]) -> None:
    for side in SIDES:
        names = players[side]
        if not 1 <= len(names) <= 2 or not all(name.strip() for name in names):
            raise bad_value("The {side} side needs one name, or two for a pair, and none may be empty.", side=side)
        if not all(len(name) <= LONGEST_NAME and name.isprintable() for name in names):
            raise bad_value(
                "The {side} side's name must be one line of at most {longest} printable characters.", side=side, longest=LONGEST_NAME
            )


def _check_clock(setup: MatchSetup) -> None:
    control, reserve = setup.control, setup.reserve
    if control.delay < 0:
        raise bad_value("A delay cannot be negative; give 0 or more seconds.")
    if not all(_time(span) for span in (control.delay, abs(reserve.left), abs(reserve.right))):
        raise bad_value("A delay and a reserve must be shorter than a thousand million seconds.")
    if not control.clocked:
        if setup.length is not None or control.delay or reserve != Pair(Span(0), Span(0)):
            raise bad_value("Only a free session is played without a clock, and it has no time.")
        return
    for side in SIDES:
        usable = reserve[side] + (0 if control.method is Method.BRONSTEIN else control.delay)  # Bronstein's reserve runs at once
        if reserve[side] < 0 or usable == 0:
            raise bad_value("The {side} side has no time at all; give a reserve or a delay above 0 seconds.", side=side)


def _check_flag_policy(setup: MatchSetup) -> None:
    on_flag, reserve = setup.on_flag, setup.reserve
    if on_flag.points < 1:
        raise bad_value("A flag under penalty_points costs at least 1 point.")
    if on_flag.points > LONGEST_MATCH:
        raise bad_value("A flag under penalty_points costs at most {most} points.", most=LONGEST_MATCH)
    if on_flag.extra <= 0:
        raise bad_value("Overtime must be longer than 0 minutes.")
    if not _time(on_flag.extra) or not _time(abs(on_flag.refill or Span(0))):
        raise bad_value("Overtime and refill must be shorter than a thousand million seconds.")
    refills = on_flag.policy in {FlagPolicy.PENALTY_POINTS, FlagPolicy.GAME_LOSS}
    smallest = min(reserve.left, reserve.right) // 2 if on_flag.refill is None else on_flag.refill
    if refills and setup.control.clocked and smallest <= 0:
        raise bad_value("The refill after a flag must be longer than 0 seconds; give refill_s.")


def _check_kinds(setup: MatchSetup) -> None:
    known = KINDS_OF.get(setup.game)
    if known is None:
        raise bad_value("The game is {games}, not {game}.", games=tuple(KINDS_OF), game=setup.game)
    kinds = [kind for kind, _ in setup.kinds]
    if known[0] not in kinds or len(set(kinds)) < len(kinds) or not set(kinds) <= set(known):
        raise bad_value("A game of {game} is won as {kinds}; {plain} must be among them.", game=setup.game, kinds=known, plain=known[0])
    if not all(1 <= factor <= MOST_FACTOR for _, factor in setup.kinds):
        raise bad_value("A kind of win multiplies by 1 to {most}.", most=MOST_FACTOR)


def _check_extras(setup: MatchSetup) -> None:
    if setup.length is not None and (setup.jacoby or setup.automatic_doubles):
        raise bad_value("Jacoby and automatic doubles belong to free sessions, not to matches.")
    if not 0 <= setup.breaks <= MOST_BREAKS or (setup.breaks and setup.length is None):
        raise bad_value("A match has 0 to {most} breaks for each side, a free session none.", most=MOST_BREAKS)
    may_be_none = (setup.bonus, setup.stops.unexplained, setup.round_start or 0)
    if not 0 <= setup.sounds.last_seconds <= MOST_LAST_SECONDS:
        raise bad_value("The last seconds that are heard are 0 to {most}.", most=MOST_LAST_SECONDS)
    above_zero = (setup.break_longest, setup.late.interval, setup.stops.allowed)
    if not all(_time(span) for span in (*may_be_none, *above_zero)) or not all(above_zero):
        raise bad_value("A time of the regulation cannot be: bonus, break, late start, stops or the round's start.")


def _check_catalogue(setup: MatchSetup) -> None:
    codes = [infraction.code for infraction in setup.infractions]
    if len(set(codes)) < len(codes) or not all(re.fullmatch(r"[a-z][a-z0-9_]{0,39}", code) for code in codes):
        raise bad_value("Each infraction has a code of its own, of small letters, digits and underscores.")
    if not all(map(_is_line, (setup.rulebook, *setup.warnings))) or not all(map(_is_told, setup.infractions)):
        raise bad_value(
            "The texts of a regulation are lines of at most {longest} characters, each of which can be seen.", longest=LONGEST_TEXT
        )


def _is_line(text: str) -> bool:
    return len(text) <= LONGEST_TEXT and seen(text)


@lru_cache(maxsize=1024)
def _is_told(infraction: Infraction) -> bool:
    """Looked at once, for a catalogue is the same in every match."""
    return all(_is_line(text) for title in infraction.titles for text in title) and _is_line(infraction.article)


def _time(span: int) -> bool:
    return 0 <= span < LONGEST_TIME


# ── What a rulebook and its options come to ──────────────────────────────────
def _both_at_match_point(length: int | None, score: Pair[int]) -> bool:
    # Decision (domain rule 3.4): opened at 1-away against 1-away, the Crawford game counts as played.
    return length is not None and length > 1 and score.left == score.right == length - 1


def _kinds(book: Rulebook, backgammon_counts: int | None) -> tuple[tuple[Kind, int], ...]:
    if backgammon_counts is not None and backgammon_counts not in {2, 3}:
        raise bad_value("A backgammon counts 3 or 2, not {factor}.", factor=backgammon_counts)
    kinds = dict(book.kinds)
    if backgammon_counts is not None and kinds.get(Kind.BACKGAMMON, 1) > 1:
        kinds[Kind.BACKGAMMON] = backgammon_counts  # 002: in some countries a backgammon is worth double only
    return tuple(kinds.items())


def _breaks_allowed(book: Rulebook, options: Options) -> int:
    # 000 §11: no breaks in blitz nor in matches of 5 points and less; the table is the regulation's.
    if (options.provide or book.provide) is not Provide.BREAKS or book.blitz or options.length is None:
        return 0
    return max((count for least, count in book.breaks.table if options.length >= least), default=0)


def _clock(book: Rulebook, options: Options, score: Pair[int]) -> tuple[Control, Pair[Span], Span, tuple[str, ...]]:
    delay = book.control.delay if options.delay is None else options.delay
    method = options.method or book.control.method
    bonus = Span(0)
    if options.reserve is not None:
        reserve = options.reserve  # An explicit reserve is whole: no bonus is added.
    elif options.length is None:
        return Control(method, Span(0), clocked=False), Pair(Span(0), Span(0)), bonus, ()
    else:
        bonus = _bonus(book, options)
        base = Span(_brought_in(base_reserve(book, options.length), options.length, score) + bonus)
        reserve = Pair(base, base)
    return Control(method, delay, clocked=True), reserve, bonus, _warnings(book, delay)


def base_reserve(book: Rulebook, length: int) -> Span:
    """A regulation's reserve for a whole match of a length, without bonus.

    Raises:
        CommandRefused: `bad_value` where the regulation's table does not have the length.
    """
    control = book.control
    match control.kind:
        case ControlKind.PER_POINT:
            return Span(control.per_point * length)
        case ControlKind.FLAT:
            return control.flat
        case ControlKind.TABLE:
            found = dict(control.table).get(length)
            if found is None:
                offered = tuple(str(points) for points, _ in control.table)
                raise bad_value(
                    "{rulebook} has no time for a match of {length} points; it has {offered}.",
                    rulebook=book.name,
                    length=length,
                    offered=offered,
                )
            return found
        case _:
            assert_never(control.kind)


def _brought_in(whole: Span, length: int, score: Pair[int]) -> int:
    # Domain rule 2.6: per point × ((L−a) + (L−b)) / 2; for tables and flat controls the whole reserve stands for L points.
    return whole * (2 * length - score.left - score.right) // (2 * length)


def _bonus(book: Rulebook, options: Options) -> Span:
    # 000 §11: 5 extra minutes each from 7 points on where no breaks are provided. Decision: not in blitz.
    wanted = (options.provide or book.provide) is Provide.BONUS
    return book.bonus if wanted and not book.blitz and (options.length or 0) >= book.bonus_from else Span(0)


def _warnings(book: Rulebook, delay: Span) -> tuple[str, ...]:
    low, high = book.control.delay_range
    if low <= delay <= high:
        return ()
    return (f"A delay of {clock_text(delay)} is outside the usual {clock_text(low)} to {clock_text(high)}.",)
