"""A suspended match that a file brings: looked over before it gets in, for a file says what its writer wants.

The chain tells that a file is whole, and nothing about who wrote it. So each entry is held against what a table writes: values in their
ranges, time that does not run backwards, one opening with a setup that any table would open. Whether officials really ruled and players
really played as it says, nobody can tell from the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, cast

from kiosk import codec
from kiosk.domain import facts as f
from kiosk.domain.asked import plain_score
from kiosk.domain.errors import CommandRefused
from kiosk.domain.flow_back import REFEREE
from kiosk.domain.rulebook import Kind
from kiosk.domain.setup import LONGEST_NAME, LONGEST_TIME, MatchSetup, check_setup
from kiosk.domain.setup import LONGEST_TEXT as LONGEST_NOTE
from kiosk.domain.state import CUBE_VALUES, OVER, Table
from kiosk.domain.text import seen
from kiosk.domain.types import SIDES, Pair, Side, Span, present
from kiosk.ports import Row
from kiosk.say import _, mark
from kiosk.session.carry import Carried, NotAdjourned, carried, gone_on
from kiosk.session.decide_board import MOST_TURNS, NOTED, is_play_text
from kiosk.session.decide_hall import LONGEST_ID, LONGEST_MESSAGE

LONGEST_TEXT = 65_536
"""A note has no more characters."""

_MOVED = f.MatchTakenUp | f.MatchTakenOver

_AGAIN = mark("save the match once more at its own table.")
_BEYOND = 2**63


def brought(table: str, rows: Sequence[Row]) -> Carried:
    """A match that a file brings, once everything in it is such as a table writes it.

    Args:
        table: The table it says it comes from.
        rows: Its entries in order, the opening first; their chain holds.

    Raises:
        NotAdjourned: They are no match that is suspended, or hold what no table could have written.
        CodecError: An entry does not have the shape that it promises.
    """
    return _looked_over(carried(_named(table), rows))


def running_match(table: str, rows: Sequence[Row]) -> Carried:
    """A running match that comes from a server, for a spare table to take over, once everything in it is such as a table writes it.

    Args:
        table: The table whose journal it is.
        rows: Its entries in order, the opening first; their chain holds.

    Raises:
        NotAdjourned: They are no match that can be taken over, or hold what no table could have written.
        CodecError: An entry does not have the shape that it promises.
    """
    return _looked_over(gone_on(_named(table), rows))


def _named(table: str) -> str:
    if not _is_line(table):
        raise NotAdjourned(
            _(
                "The table that it comes from has no name of at most {longest_name} characters that can be seen; {again}",
                longest_name=LONGEST_NAME,
                again=_(_AGAIN),
            )
        )
    return table


def _looked_over(match: Carried) -> Carried:
    look = _Look()
    for row in match.rows:
        what = _wrong_row(row) or look.wrong(row)
        if what is not None:
            raise NotAdjourned(_("An entry is none that a table writes ({what}); {again}", what=what, again=_(_AGAIN)))
    _check_outcome(match.state)
    return match


def _is_line(text: str) -> bool:
    return len(text) <= LONGEST_NAME and seen(text)


def _wrong_row(row: Row) -> str | None:
    if not all(-_BEYOND <= number < _BEYOND for number in (row.seq, row.mono_ns, row.wall_ns)):
        return "its number, instant or date is beyond 64 bits"
    if not _is_line(row.boot) or not re.fullmatch(r"[0-9a-f]{64}", row.prev):
        return f"{row.seq}: its boot or the hash before it is none"
    return None


def _check_outcome(state: Table) -> None:
    setup, clock = present(state.setup), present(state.clock)
    score, over = plain_score(setup, state.ledger), state.phase in OVER
    if min(score.left, score.right) < 0 or (not over and setup.length is not None and max(score.left, score.right) >= setup.length):
        raise NotAdjourned(_("At {score} this match cannot be suspended; {again}", score=f"{score.left}:{score.right}", again=_(_AGAIN)))
    if not all(0 <= clock.reserve[side] < _BEYOND for side in SIDES):
        raise NotAdjourned(_("A side's reserve cannot be what it comes to; {again}", again=_(_AGAIN)))


@dataclass
class _Look:
    """Goes through the entries, and says of each what is wrong with it."""

    setup: MatchSetup | None = None
    now: int = 0
    """The table's present, as `evolve` counts it."""
    latest: int = 0
    """The latest instant of this stretch of this boot."""
    boot: str = ""
    kinds: set[Kind] = field(default_factory=set)

    def wrong(self, row: Row) -> str | None:
        """What no table would have written, or None."""
        fact = cast("f.Fact", codec.decode(row.type, row.data))  # what a newer program wrote has been refused
        what = self._wrong_time(row, fact) or _wrong_value(fact) or self._wrong_fact(fact)
        return None if what is None else f"{row.seq}, {row.type}: {what}"

    def _wrong_time(self, row: Row, fact: f.Fact) -> str | None:
        if fact.at != row.mono_ns or fact.at < 0:
            return "its instant is not the one at which it was recorded"
        if isinstance(fact, f.AlertRaised | f.WallClockTrusted):  # an alert has its limit's own instant, and moves no clock
            return None
        if isinstance(fact, _MOVED) and fact.last_known != self.now:
            return "it does not follow the entry before it"
        anew = row.boot != self.boot or isinstance(fact, f.PowerRestored | _MOVED)
        if not anew and fact.at < self.latest:
            return "time runs backwards"
        self.boot, self.latest = row.boot, fact.at
        self.now = fact.at if isinstance(fact, f.PowerRestored | _MOVED) else max(self.now, fact.at)
        return None

    def _wrong_fact(self, fact: f.Fact) -> str | None:
        if isinstance(fact, f.MatchOpened):
            return self._wrong_opening(fact)
        if not _sound(fact):
            return "its values are beyond what a table takes"
        setup = present(self.setup)
        match fact:
            case f.GameRecorded() | f.PaperGameEntered():
                fits = fact.kind in self.kinds
            case f.GameRuled() | f.GameCorrected():
                fits = fact.kind in self.kinds | {Kind.PASS}
            case f.RulingMade():
                codes = {infraction.code for infraction in setup.infractions}
                fits = fact.infraction in codes and (fact.kind is None or fact.kind in self.kinds)
            case f.StateSet():
                fits = all(_within(fact.score, side, (setup.length or LONGEST_TEXT) - 1) for side in SIDES)
                fits = fits and all(_within(fact.breaks, side, setup.breaks) for side in SIDES)
            case _:
                fits = True
        return None if fits else "it does not fit this match"

    def _wrong_opening(self, fact: f.MatchOpened) -> str | None:
        if self.setup is not None:
            return "a second match is opened"
        if not re.fullmatch(r"[0-9A-Za-z_-]{1,64}", fact.match):
            return "the match's id is none"
        try:
            check_setup(fact.setup)
        except CommandRefused as refused:
            return refused.message.removesuffix(".")
        self.setup, self.kinds = fact.setup, {kind for kind, _ in fact.setup.kinds}
        return None


def _within(values: Pair[int], side: Side, most: int) -> bool:
    return 0 <= values[side] <= most


# ── Values ───────────────────────────────────────────────────────────────────
def _wrong_value(fact: f.Fact) -> str | None:
    if isinstance(fact, f.MatchOpened):
        return None  # its setup has checks of its own
    for value in _values(fact):
        if isinstance(value, int) and not -_BEYOND <= value < _BEYOND:
            return "a number is beyond 64 bits"
        if isinstance(value, str) and (len(value) > LONGEST_TEXT or not _is_text(value)):
            return "a text is too long, or none"
    return None


def _is_text(text: str) -> bool:
    """Whether it is what people can type: several lines, but no null character and no half of a character."""
    return not any(letter == "\0" or "\ud800" <= letter <= "\udfff" for letter in text)


def _values(value: object) -> Iterator[object]:
    if is_dataclass(value):
        for each in fields(value):
            yield from _values(getattr(value, each.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from _values(item)
    else:
        yield value


def _sound(fact: f.Fact) -> bool:
    check = _CHECKS.get(type(fact))
    return check is None or check(fact)


def _person(by: str | None) -> bool:
    return by is None or by == REFEREE or by in set(Side)


def _sides(sides: tuple[Side, ...]) -> bool:
    return bool(sides) and len(set(sides)) == len(sides)


def _span(span: Span | None) -> bool:
    return span is None or 0 <= span < LONGEST_TIME


def _spans(spans: Pair[Span]) -> bool:
    return _span(spans.left) and _span(spans.right)


def _cube(value: int, owner: Side | None = None) -> bool:
    return value in CUBE_VALUES and (owner is None or value > 1)


def _numbered(*numbers: int | None) -> bool:
    return all(number is None or number >= 1 for number in numbers)


def _state(fact: f.StateSet) -> bool:
    return _spans(fact.reserve) and _span(fact.delay_used) and _cube(fact.cube, fact.owner) and _numbered(fact.game)


def _corrected(fact: f.GameCorrected) -> bool:
    return _numbered(fact.game) and _cube(fact.cube) and _cube(fact.old_cube) and fact.old_points >= 0


def _signed(fact: f.SheetSigned) -> bool:
    points = [point for stroke in fact.strokes for point in stroke]
    inside = all(0 <= x <= f.STROKES_WIDE and 0 <= y <= f.STROKES_HIGH for x, y in points)
    return all(fact.strokes) and len(points) <= f.MOST_POINTS and inside


def _texts(fact: f.PlayAttached) -> tuple[str, ...]:
    return fact.position, fact.dice, fact.move, fact.verdict, fact.article


def _moved(fact: f.MatchTakenUp | f.MatchTakenOver) -> bool:
    return _is_line(fact.table) and bool(re.fullmatch(r"[0-9a-f]{64}", fact.digest))


_CHECKS: dict[type[f.Fact], Callable[[Any], bool]] = {
    f.AlertRaised: lambda x: bool(re.fullmatch(r"[a-z0-9_]{1,64}", x.code)),
    f.ClockStopped: lambda x: _person(x.by),
    f.StopReasonGiven: lambda x: _person(x.by),
    f.RefereeCalled: lambda x: _person(x.by),
    f.GameConfirmed: lambda x: _person(x.by),
    f.FlagClaimed: lambda x: _person(x.by),
    f.PressPutBack: lambda x: _person(x.by),
    f.StartSwapped: lambda x: _person(x.by),
    f.GameRecorded: lambda x: _cube(x.cube),
    f.GameRuled: lambda x: _cube(x.cube),
    f.GameCorrected: _corrected,
    f.CubeSet: lambda x: _cube(x.value, x.owner),
    f.StateSet: _state,
    f.ReservesSet: lambda x: _spans(x.reserve),
    f.ControlChanged: lambda x: _span(x.delay),
    f.TimeRefilled: lambda x: _span(x.span),
    f.BreakStarted: lambda x: x.reserve_left >= 0 and x.reserve_right >= 0,
    f.LateStarted: lambda x: _sides(x.sides),
    f.PlayerArrived: lambda x: _sides(x.sides),
    f.RulingMade: lambda x: _sides(x.sides) and _numbered(x.earlier, x.duplicate),
    f.RulingMerged: lambda x: _numbered(x.ruling),
    f.RulingVoided: lambda x: _numbered(x.ruling),
    f.PlayAttached: lambda x: _numbered(x.ruling) and bool(x.position) and all(map(is_play_text, _texts(x))),
    f.TurnNoted: lambda x: _numbered(x.game) and 1 <= x.n <= MOST_TURNS and NOTED.fullmatch(x.what) is not None,
    f.AppealLodged: lambda x: _numbered(x.ruling),
    f.AppealDecided: lambda x: _numbered(x.appeal),
    f.MatchForfeited: lambda x: _sides(x.sides),
    f.PermissionGiven: lambda x: _span(x.until),
    f.PowerRestored: lambda x: x.last_known >= 0 and (x.off or 0) >= 0 and x.uncertain >= 0,
    f.SheetSigned: _signed,
    f.PaperEntered: lambda x: len(x.played) <= LONGEST_NOTE and x.played.isprintable(),
    f.PaperGameEntered: lambda x: _cube(x.cube),
    f.MatchTakenUp: _moved,
    f.MatchTakenOver: lambda x: _moved(x) and _span(x.uncertain),
    f.MatchPlaced: lambda x: all(len(text) <= LONGEST_NOTE and seen(text) for text in (x.event, x.round, x.table)),
    f.HallPaused: lambda x: (not x.by or _is_line(x.by)) and 0 < len(x.why) <= LONGEST_MESSAGE,
    f.HallPauseLifted: lambda x: _is_line(x.by),
    f.MessageShown: lambda x: _numbered(x.n) and _is_line(x.by) and 0 < len(x.text) <= LONGEST_MESSAGE,
    f.SeatConfirmed: lambda x: 0 < len(x.match) <= LONGEST_ID and x.match.isprintable() and x.version >= 0,
    f.RoundStartMoved: lambda x: _is_line(x.by),
    f.RefereeOnTheWay: lambda x: _is_line(x.by),
}
"""What else a fact's values must be."""
