"""The one walk over a match's facts. Every export is a rendering of the `ScoreSheet` that it returns.

Games are shown as they stand after all corrections, with each correction and its old values beside them. Times of day come from the
rows' own dates; where the date was not yet set but was set later in the same boot, it is corrected from there, and said.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kiosk import codec
from kiosk.domain import facts as f
from kiosk.domain.asked import next_number, plain_score, play_line, provisional, score_of, standing_of
from kiosk.domain.state import Game, Phase, Signature, Table
from kiosk.domain.table import evolve
from kiosk.domain.types import Pair, Side, Span
from kiosk.sheets.official import ActLine, AdjournmentLine, AppealLine, OfficialWalk, PaperLine, Received, RulingLine, measured
from kiosk.sheets.time_use import TimeUse, TimeWalk
from kiosk.sheets.turn import turned
from kiosk.sheets.when import When, offsets, when_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kiosk.domain.officials import Official
    from kiosk.domain.setup import MatchSetup
    from kiosk.ports import Row


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
    """Both reserves at its end; None in an unclocked session, and where the match was entered from paper."""
    crawford: bool
    corrected: bool
    ruling: int | None
    """The ruling by which it was lost."""
    void: bool
    """That was taken back after the next game had begun: it counts no more."""
    when: When | None
    """Its end; None where it was entered with the match's paper sheet: when it ended, nobody knows."""


@dataclass(frozen=True, slots=True)
class CorrectionLine:
    """A correction with the old values."""

    game: int
    old: tuple[Side, str, int, int]
    """Winner, kind, cube, points before."""
    new: tuple[Side, str, int, int]
    """Winner, kind, cube, points after."""
    reason: str
    by: Official | None
    """The official who did it; None where both players agreed."""
    when: When
    undone: When | None = None


@dataclass(frozen=True, slots=True)
class BreakLine:
    """A break."""

    by: Side
    after_game: int
    """The number of the last game before it."""
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
    when: When | None
    """None where it was entered with the match's paper sheet."""
    fact: f.Fact
    """What led to it, by the seats as they are at the end."""


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
    rulings: tuple[RulingLine, ...]
    appeals: tuple[AppealLine, ...]
    acts: tuple[ActLine, ...]
    adjournments: tuple[AdjournmentLine, ...]
    provisional: bool
    """An appeal or a dispute is open: the result may change."""
    received: Received | None
    """Who received it; None until then, the result is not final."""
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
    """Where it was entered from paper: when it was entered."""
    time_use: Pair[TimeUse]
    """Where each side's time went, by the seats as they are at the end."""
    noted: tuple[f.Fact, ...] = ()
    """Turns that were written down, and each swap of seats between them: for the transcript."""
    paper: PaperLine | None = None
    """It was entered from paper: by whom and when; times and reserves are then not claimed. None: it was played at this device."""

    def about(self, event: str, round_name: str, table: str) -> tuple[str, str, str]:
        """Event, round and table: as said, else as the organizer placed the match.

        Args:
            event: The event, where it is said.
            round_name: The round, likewise.
            table: The table, likewise.
        """
        place = self.table.place
        if place is None:
            return event, round_name, table
        return event or place.event, round_name or place.round, table or place.table

    @property
    def clocked(self) -> bool:
        """Whether the sheet tells of time: not in an unclocked session, and not of a match that was entered from paper."""
        return self.setup.control.clocked and self.paper is None


@dataclass
class _Walk:
    number: int
    first: Row
    table: Table = field(default_factory=Table)
    ends: dict[int, tuple[Pair[Span] | None, When | None]] = field(default_factory=dict)
    corrections: list[CorrectionLine] = field(default_factory=list)
    breaks: list[BreakLine] = field(default_factory=list)
    events: list[EventLine] = field(default_factory=list)
    official: OfficialWalk = field(default_factory=OfficialWalk)
    time: TimeWalk = field(default_factory=TimeWalk)
    noted: list[f.Fact] = field(default_factory=list)
    last: Row | None = None
    opened: When | None = None


Part = list[tuple["Row", "f.Fact | codec.UnknownFact"]]
"""The rows of one match, each with its fact."""


def sheets(rows: Iterable[Row], known: dict[str, int] | None = None) -> Iterator[ScoreSheet]:
    """The sheet of every match in a journal, in order.

    Args:
        rows: The journal's rows; they are gone through twice, so an iterator will not do.
        known: What `offsets` found in them, where they were gone through before.

    Raises:
        CodecError: A row does not have the shape that it promises.
    """
    known = offsets(rows) if known is None else known
    for number, part in enumerate(all_parts(rows), 1):
        if isinstance(part[0][1], f.MatchOpened):
            yield sheet_of(part, number, known)


def parts(rows: Iterable[Row]) -> Iterator[Part]:
    """The rows of every match, each part from its opening up to the next one's; what stands before the first belongs to none.

    Raises:
        CodecError: A row does not have the shape that it promises.
    """
    return (part for part in all_parts(rows) if isinstance(part[0][1], f.MatchOpened))


def all_parts(rows: Iterable[Row]) -> Iterator[Part]:
    """The rows of every match and of every chouette, in the order in which they were opened: that is how they are numbered.

    Raises:
        CodecError: A row does not have the shape that it promises.
    """
    part: Part = []
    for row in rows:
        fact = codec.decode(row.type, row.data)
        if isinstance(fact, f.MatchOpened | f.ChouetteOpened):
            if part:
                yield part
            part = [(row, fact)]
        elif part:
            part.append((row, fact))
    if part:
        yield part


def sheet_of(part: Part, number: int, known: dict[str, int]) -> ScoreSheet:
    """The sheet of one match, as it was after the last of these rows.

    Args:
        part: Its rows from the opening on.
        number: Its number in the journal.
        known: What `offsets` knows about the journal's dates.

    Raises:
        CodecError: There is no opening.
    """
    walk = _Walk(number, part[0][0])
    for row, fact in part:
        walk.last = row
        if not isinstance(fact, codec.UnknownFact):
            _step(walk, fact, when_of(row, fact.at, known))
    return _sheet(walk)


def _step(walk: _Walk, fact: f.Fact, when: When) -> None:
    before = walk.table
    walk.table = after = evolve(before, fact)
    walk.opened = walk.opened or when
    walk.time.step(fact, before, after)
    if isinstance(fact, f.TurnEnded) and after.alerts is before.alerts and after.ledger is before.ledger:
        return  # most of a match: it leaves no line on the sheet
    if isinstance(fact, f.TurnNoted):
        walk.noted.append(fact)
    if _seats_change(fact, before):
        walk.noted.append(f.SeatsExchanged(fact.at))  # also where a swap was undone: it is one more
        _turn(walk)
    if after.ledger is not before.ledger:
        _games_end(walk, fact, when, before)
    walk.official.step(fact, when, before, after)
    _note(walk, fact, when, before)


def _games_end(walk: _Walk, fact: f.Fact, when: When, before: Table) -> None:
    clock, known = walk.table.clock, {game.n for game in before.games}
    for game in walk.table.games:
        if game.n not in known and not (isinstance(fact, f.ActUndone) and game.n in walk.ends):  # one that is given back keeps its own
            clocked = clock is not None and clock.control.clocked and walk.table.paper is None
            walk.ends[game.n] = (clock.reserve if clock is not None and clocked else None, measured(when, fact.at, walk.table))


def _seats_change(fact: f.Fact, before: Table) -> bool:
    undone = before.acts[-1].fact if isinstance(fact, f.ActUndone) else fact
    return isinstance(undone, f.SeatsSwapped | f.SeatsExchanged)


def _turn(walk: _Walk) -> None:
    """Everything that was met so far follows its players to the other seats, as the table's own ledger does."""
    walk.ends = {n: turned(end) for n, end in walk.ends.items()}
    walk.corrections = [turned(line) for line in walk.corrections]
    walk.breaks = [turned(line) for line in walk.breaks]
    walk.events = [turned(line) for line in walk.events]
    walk.official.turn()
    walk.time.turn()


def _note(walk: _Walk, fact: f.Fact, when: When, before: Table) -> None:
    by = None if before.official is None else before.official.official
    match fact:
        case f.ActUndone() if isinstance(before.acts[-1].fact, f.GameCorrected):
            walk.corrections[-1] = replace(walk.corrections[-1], undone=when)
        case f.GameCorrected():
            new = next(game for game in walk.table.games if game.n == fact.game)
            old = (fact.old_winner, str(fact.old_kind), fact.old_cube, fact.old_points)
            now = (new.winner, str(new.kind), new.cube, new.points)
            walk.corrections.append(CorrectionLine(fact.game, old, now, fact.reason, by, when))
        case f.BreakStarted():
            reserve = Pair(fact.reserve_left, fact.reserve_right)
            walk.breaks.append(BreakLine(fact.by, next_number(before) - 1, reserve, when, None))
        case f.BreakEnded() if before.recess is not None and walk.breaks:
            walk.breaks[-1] = replace(walk.breaks[-1], lasted=Span(fact.at - before.recess.since))
        case f.SheetSigned() if measured(when, fact.at, walk.table) is None:
            pass  # on the paper: who has signed there is told with the rest of it
        case _:
            told = measured(when, fact.at, walk.table)
            for alert in walk.table.alerts[len(before.alerts) :]:
                walk.events.append(EventLine(alert.code, alert.side, alert.detail or _power(fact), told, fact))
            event = _event(fact)
            if event is not None:
                walk.events.append(EventLine(*event, told, fact))


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
        case f.OfficialSignedIn():
            how = "" if fact.how is f.SignedInBy.PIN else f", {fact.how}"
            return "official_signed_in", None, f"{fact.name}, {fact.role}{how}"
        case f.OfficialSignedOut():
            return "official_signed_out", None, "nothing touched for a minute" if fact.idle else ""
        case f.SignInFailed():
            return "sign_in_failed", None, ""
        case f.PinRecovered():
            return "pin_recovered", None, f"{fact.name} by {fact.by}" if fact.by else fact.name
        case f.MatchTakenUp():
            return "match_taken_up", None, f"from table {fact.table or '(no name)'}, hash {fact.digest}; by {fact.name}, {fact.role}"
        case f.RulingMerged():
            return "ruling_merged", None, " ".join(part for part in (f"ruling {fact.ruling}", fact.note) if part)
        case f.PlayAttached():
            return "play_attached", fact.mover, f"ruling {fact.ruling}: {play_line(fact)}"
        case f.ActUndone():
            return "act_undone", None, ""
        case f.SheetSigned():
            return "signed", fact.side, "under protest" if fact.protest else ""
        case _:
            return _of_the_hall(fact)


def _of_the_hall(fact: f.Fact) -> tuple[str, Side | None, str] | None:
    match fact:
        case f.MatchPlaced():
            parts = (fact.event, f"round {fact.round}" if fact.round else "", f"table {fact.table}" if fact.table else "")
            return "match_placed", None, ", ".join([part for part in parts if part] + (["practice"] if fact.practice else []))
        case f.HallPaused():
            return "hall_paused", None, f"by {fact.by}: {fact.why}" if fact.by else fact.why
        case f.HallPauseLifted():
            return "hall_pause_lifted", None, f"by {fact.by}"
        case f.MessageShown():
            return "message_shown", None, f"{fact.n}, {fact.by}: {fact.text}"
        case f.MessageRead():
            return "message_read", None, str(fact.n)
        case f.SeatConfirmed():
            return "seat_confirmed", fact.side, f"{fact.match}, version {fact.version}: {'here' if fact.here else 'not yet'}"
        case f.RoundStartMoved():
            return "round_start_moved", None, f"by {fact.by}"
        case f.RefereeOnTheWay():
            return "referee_on_the_way", None, fact.by
        case f.MatchTakenOver():
            doubt = "not known how much" if fact.uncertain is None else f"at most {fact.uncertain / 1e9:.1f} s"
            place = f"from table {fact.table or '(no name)'}, hash {fact.digest}; by {fact.name}, {fact.role}"
            return "match_taken_over", None, f"{place}; not charged: {doubt}"
        case _:
            return None


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
        rulings=walk.official.ruling_lines(table),
        appeals=walk.official.appeal_lines(table),
        acts=tuple(walk.official.acts),
        adjournments=tuple(walk.official.adjournments),
        provisional=provisional(table),
        received=walk.official.received if table.phase is Phase.RECEIVED else None,
        signed=table.signatures,
        revision=table.revision,
        first_seq=walk.first.seq,
        last_seq=last.seq,
        digest=last.hash,
        table=table,
        opened=walk.opened,
        time_use=walk.time.result(table),
        noted=tuple(walk.noted),
        paper=walk.official.paper_line(table),
    )


def _game_lines(walk: _Walk, setup: MatchSetup) -> Iterator[GameLine]:
    for position, entry in enumerate(walk.table.ledger):
        if isinstance(entry, Game):
            reserve, when = walk.ends[entry.n]
            score = plain_score(setup, walk.table.ledger[: position + 1])
            yield GameLine(
                n=entry.n,
                winner=entry.winner,
                kind=str(entry.kind),
                cube=entry.cube,
                points=0 if entry.void else entry.points,
                score=score,
                reserve=reserve,
                crawford=entry.crawford,
                corrected=entry.corrected,
                ruling=entry.ruling,
                void=entry.void,
                when=when,
            )
