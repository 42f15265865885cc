"""The one walk over a match's facts. Every export is a rendering of the `ScoreSheet` that it returns.

Games are shown as they stand after all corrections, with each correction and its old values beside them. Times of day come from the
rows' own dates; where the date was not yet set but was set later in the same boot, it is corrected from there, and said.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kiosk import codec
from kiosk.domain import facts as f
from kiosk.domain.state import Appeal, Game, Phase, Ruling, Signature, Table, plain_score, score_of, standing_of
from kiosk.domain.table import evolve
from kiosk.domain.types import Pair, Side, Span
from kiosk.sheets.officials import official_event

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from kiosk.domain.setup import MatchSetup
    from kiosk.ports import Row


@dataclass(frozen=True, slots=True)
class When:
    """A time of day on the sheet."""

    wall_ns: int
    """Nanoseconds since 1970 in UTC."""
    trust: str
    """`set`: the date was right; `corrected`: it was set later in the same boot; `unset`: it cannot be trusted."""


@dataclass(frozen=True, slots=True)
class GameLine:
    """One confirmed game as it stands."""

    n: int
    winner: Side
    kind: str
    cube: int
    points: int
    score: Pair[int]
    """The score after it, penalty points included."""
    reserve: Pair[Span] | None
    """Both reserves at its end; None in an unclocked session."""
    crawford: bool
    corrected: bool
    when: When


@dataclass(frozen=True, slots=True)
class CorrectionLine:
    """A correction with the old values."""

    game: int
    old: tuple[Side, str, int, int]
    """Winner, kind, cube, points before."""
    new: tuple[Side, str, int, int]
    """Winner, kind, cube, points after."""
    reason: str
    when: When


@dataclass(frozen=True, slots=True)
class BreakLine:
    """A break."""

    by: Side
    after_game: int
    reserve: Pair[Span]
    """Both reserves when it started."""
    when: When
    lasted: Span | None
    """Its length; None while it runs or where the power failed during it."""


@dataclass(frozen=True, slots=True)
class EventLine:
    """Anything else that belongs on record: alerts, flags, late starts, calls, signatures, power cuts."""

    kind: str
    side: Side | None
    detail: str
    when: When


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The record of one match."""

    number: int
    """Its number in the journal, from 1."""
    match: str
    """Its id."""
    setup: MatchSetup
    """What was agreed, by the seats as they are at the end."""
    games: tuple[GameLine, ...]
    corrections: tuple[CorrectionLine, ...]
    breaks: tuple[BreakLine, ...]
    events: tuple[EventLine, ...]
    score: Pair[int]
    how: str | None
    """How it ended, or None while it goes on."""
    winner: Side | None
    standing: Pair[str] | None
    checked: tuple[f.CheckItem, ...]
    """What was ticked on the check-in list, by the seats as they are at the end."""
    rulings: tuple[Ruling, ...]
    """What was ruled, also what was taken back again."""
    appeals: tuple[Appeal, ...]
    provisional: bool
    """A dispute or an appeal is open: the result may still change."""
    received: bool
    """It was handed in: the result is final."""
    position: str
    """The board at an adjournment."""
    signed: tuple[Signature, ...]
    """Who has signed, whether under protest, and the drawing."""
    revision: int
    first_seq: int
    last_seq: int
    digest: str
    """The hash of its last row: the journal's chain up to there."""
    table: Table
    """The table at the end of the match."""
    opened: When


@dataclass
class _Walk:
    number: int
    first: Row
    table: Table = field(default_factory=Table)
    ends: dict[int, tuple[Pair[Span] | None, When]] = field(default_factory=dict)
    corrections: list[CorrectionLine] = field(default_factory=list)
    breaks: list[BreakLine] = field(default_factory=list)
    events: list[EventLine] = field(default_factory=list)
    last: Row | None = None
    opened: When | None = None


def sheets(rows: Sequence[Row]) -> Iterator[ScoreSheet]:
    """The sheet of every match in a journal, in order.

    Args:
        rows: The journal's rows.

    Raises:
        CodecError: A row does not have the shape that it promises.
    """
    offsets = _offsets(rows)
    walk: _Walk | None = None
    number = 0
    for row in rows:
        fact = codec.decode(row.type, row.data)
        if isinstance(fact, f.MatchOpened):
            if walk is not None:
                yield _sheet(walk)
            number += 1
            walk = _Walk(number, row)
        if walk is not None:
            walk.last = row
            if not isinstance(fact, codec.UnknownFact):
                _step(walk, fact, _when(row, fact.at, offsets))
    if walk is not None:
        yield _sheet(walk)


def _offsets(rows: Iterable[Row]) -> dict[str, int]:
    """For each boot whose date was once set: date minus monotonic clock."""
    found: dict[str, int] = {}
    for row in rows:
        if row.wall_trusted:
            found.setdefault(row.boot, row.wall_ns - row.mono_ns)
    return found


def _when(row: Row, at: int, offsets: dict[str, int]) -> When:
    if row.wall_trusted:
        return When(row.wall_ns - (row.mono_ns - at), "set")
    if row.boot in offsets:
        return When(offsets[row.boot] + at, "corrected")
    return When(row.wall_ns - (row.mono_ns - at), "unset")


def _step(walk: _Walk, fact: f.Fact, when: When) -> None:
    before = walk.table
    walk.table = after = evolve(before, fact)
    walk.opened = walk.opened or when
    if len(after.games) > len(before.games):
        clock = after.clock
        walk.ends[after.games[-1].n] = (clock.reserve if clock is not None and clock.control.clocked else None, when)
    _note(walk, fact, when, before)


def _note(walk: _Walk, fact: f.Fact, when: When, before: Table) -> None:
    match fact:
        case f.GameCorrected():
            new = next(game for game in walk.table.games if game.n == fact.game)
            old = (fact.old_winner, str(fact.old_kind), fact.old_cube, fact.old_points)
            now = (new.winner, str(new.kind), new.cube, new.points)
            walk.corrections.append(CorrectionLine(fact.game, old, now, fact.reason, when))
        case f.BreakStarted():
            reserve = Pair(fact.reserve_left, fact.reserve_right)
            walk.breaks.append(BreakLine(fact.by, len(before.games), reserve, when, None))
        case f.BreakEnded() if before.recess is not None and walk.breaks:
            walk.breaks[-1] = replace(walk.breaks[-1], lasted=Span(fact.at - before.recess.since))
        case _:
            for alert in walk.table.alerts[len(before.alerts) :]:
                walk.events.append(EventLine(alert.code, alert.side, alert.detail or _power(fact), when))
            event = _event(fact)
            if event is not None:
                walk.events.append(EventLine(*event, when))


def _power(fact: f.Fact) -> str:
    if not isinstance(fact, f.PowerRestored):
        return ""
    off = "unknown" if fact.off is None else f"{fact.off / 1e9:.1f} s"
    return f"off: {off}; not charged: at most {fact.uncertain / 1e9:.1f} s"


def _side(by: str | None) -> Side | None:
    return Side(by) if by in set(Side) else None


def _event(fact: f.Fact) -> tuple[str, Side | None, str] | None:  # noqa: C901, PLR0912 - one line per kind of event
    match fact:
        case f.FlagFell():
            return "flag_fell", fact.side, ""
        case f.FlagClaimed():
            return "flag_claimed", _side(fact.by), f"by {fact.by}"
        case f.LateStarted():
            return "late_started", None, ", ".join(fact.sides)
        case f.PlayerArrived():
            return "arrived", None, ", ".join(fact.sides)
        case f.LatePointGiven():
            return "late_point", fact.side, ""
        case f.GameDisputed():
            return "game_disputed", fact.by, ""
        case f.PressPutBack():
            return "press_put_back", _side(fact.by), ""
        case f.StartSwapped():
            return "start_swapped", _side(fact.by), ""
        case f.SeatsSwapped():
            return "seats_swapped", None, ""
        case f.RefereeCalled() | f.ClockStopped(reason=f.StopReason.REFEREE) | f.StopReasonGiven(reason=f.StopReason.REFEREE):
            return "referee_called", _side(fact.by), ""  # the same act (domain rule 2.4)
        case f.MatchResigned():
            return "match_resigned", fact.by, ""
        case f.SessionEnded():
            return "session_ended", None, ""
        case f.SessionEndUndone():
            return "session_end_undone", None, ""
        case f.AutomaticDouble():
            return "automatic_double", None, ""
        case f.SheetSigned():
            return "signed", fact.side, "under protest" if fact.protest else ""
        case _:
            return official_event(fact)


def _sheet(walk: _Walk) -> ScoreSheet:
    table, last = walk.table, walk.last or walk.first
    setup = table.setup
    if setup is None or walk.opened is None:
        raise codec.CodecError("A match in the journal has no opening.")
    end = table.ended
    return ScoreSheet(
        number=walk.number,
        match=table.match,
        setup=setup,
        games=tuple(_game_lines(walk, setup)),
        corrections=tuple(walk.corrections),
        breaks=tuple(walk.breaks),
        events=tuple(walk.events),
        score=score_of(table),
        how=None if end is None else end.how,
        winner=None if end is None else end.winner,
        standing=standing_of(table),
        checked=table.checked,
        rulings=table.rulings,
        appeals=table.appeals,
        provisional=any(a.outcome is None for a in table.appeals) or (table.awaiting is not None and table.awaiting.disputed),
        received=table.phase is Phase.RECEIVED,
        position=table.position,
        signed=table.signatures,
        revision=table.revision,
        first_seq=walk.first.seq,
        last_seq=last.seq,
        digest=last.hash,
        table=table,
        opened=walk.opened,
    )


def _game_lines(walk: _Walk, setup: MatchSetup) -> Iterator[GameLine]:
    for position, entry in enumerate(walk.table.ledger):
        if isinstance(entry, Game) and not entry.void:
            reserve, when = walk.ends[entry.n]
            score = plain_score(setup, walk.table.ledger[: position + 1])
            yield GameLine(
                entry.n, entry.winner, str(entry.kind), entry.cube, entry.points, score, reserve, entry.crawford, entry.corrected, when
            )
