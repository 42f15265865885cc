"""The tables of a printed sheet: games, breaks, rulings, appeals, acts, corrections, and whatever else happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.domain import facts as f
from kiosk.domain.rulebook import Kind
from kiosk.domain.rulings import Ground
from kiosk.domain.types import Pair, Side
from kiosk.say import _, language, mark, n_
from kiosk.sheets.cells import Lasting, both_of, reserves_of
from kiosk.sheets.positions import play_words
from kiosk.sheets.sections import Column, Section
from kiosk.words import (
    alert_words,
    appeal_to_words,
    fact_words,
    ground_words,
    infraction_words,
    kind_words,
    outcome_words,
    power_words,
    reason_told,
    role_words,
    sanction_words,
    void_words,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.domain.officials import Official
    from kiosk.sheets.cells import Cell, Clockwork
    from kiosk.sheets.official import ActLine, RulingLine, TakenUp
    from kiosk.sheets.walk import EventLine, GameLine, ScoreSheet

LATE = (f.LateStarted, f.PlayerArrived, f.LatePointGiven)
"""What a late start consists of."""

TOLD = {
    "stop_without_reason": mark("The clocks stood without a reason"),
    "stop_over_30s": mark("The time allowed for setting up or for the dice was over"),
    "break_overrun": mark("{name}'s break took too long"),
    "button_held": mark("{name}'s hand rested on the button"),
    "press_late": mark("{name}'s press reached the table late"),
    "early_double": mark("{name} doubled in the opponent's turn"),
    "cube_mismatch": mark("The entered cube differed from the one that was turned"),
    "source_dead": mark("The buttons did not work"),
    "source_restarted": mark("The buttons were started again"),
    "edges_lost": mark("A press may have been lost"),
    "level_mismatch": mark("A press may have been missed"),
    "strange_stamps": mark("A button's time stamp was wrong"),
    "lamps_failed": mark("The buttons' lamps did not work"),
    "sounder_failed": mark("The table could not be heard"),
    "stamps_by_arrival": mark("A press was timed by its arrival"),
    "button_stuck": mark("A button was down since the start"),
}
"""Alerts as a sheet tells them: what was, not what is to be done."""


def sections_of(sheet: ScoreSheet, names: Pair[str], clockwork: Clockwork) -> Iterator[Section]:
    """Every table that has something to say, the games in any case."""
    yield _games(sheet, names, clockwork)
    late = [event for event in sheet.events if isinstance(event.fact, LATE)]
    others = [event for event in sheet.events if not isinstance(event.fact, LATE)]
    for section in (
        _breaks(sheet, names, clockwork),
        _events("late", _("Late start"), late, sheet, names, clockwork),
        _rulings(sheet, names, clockwork),
        _appeals(sheet, names, clockwork),
        _corrections(sheet, names, clockwork),
        _acts(sheet, names, clockwork),
        _adjournments(sheet, names, clockwork),
        _events("events", _("What else happened"), others, sheet, names, clockwork),
    ):
        if section.rows:
            yield section


def _person(official: Official | None) -> str:
    return "" if official is None else f"{official.name} ({role_words(official.role)})"


def _told(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def _who(names: Pair[str], by: str | None) -> str:
    if by in set(Side):
        return names[Side(by)]
    return _("Somebody") if by is None else _("The referee")


def _games(sheet: ScoreSheet, names: Pair[str], clockwork: Clockwork) -> Section:
    clocked = sheet.clocked
    cube = sheet.setup.cube
    timed = sheet.paper is None or any(game.when is not None for game in sheet.games)
    columns = (
        Column("n", _("Game"), align="right"),
        Column("winner", _("Winner"), share=3),
        Column("kind", _("Win"), share=1),
        *((Column("cube", _("Cube"), align="right"),) if cube else ()),
        Column("points", _("Points"), align="right"),
        Column("score", _("Score"), align="centre"),
        *((Column("reserve_ms", _("Reserves"), align="centre"),) if clocked else ()),
        Column("remarks", _("Remarks"), share=2),
        *((Column("time", _("Time"), align="right"),) if timed else ()),
    )
    rows = []
    for game in sheet.games:
        cells: list[Cell] = [game.n, names[game.winner], kind_words(Kind(game.kind))]
        cells += [game.cube] if cube else []
        cells += [game.points, both_of(game.score)]
        cells += [reserves_of(game.reserve)] if clocked else []
        cells += [_remarks(game)]
        cells += [clockwork.maybe(game.when)] if timed else []
        rows.append(tuple(cells))
    void = frozenset(i for i, game in enumerate(sheet.games) if game.void)
    return Section("games", _("Games"), columns, tuple(rows), void, _("No game was finished."))


def _remarks(game: GameLine) -> str:
    return _told(
        _("Crawford") if game.crawford else "",
        _("corrected") if game.corrected else "",
        "" if game.ruling is None else _("by ruling {n}", n=game.ruling),
        _("void") if game.void else "",
    )


def _breaks(sheet: ScoreSheet, names: Pair[str], clockwork: Clockwork) -> Section:
    columns = (
        Column("after_game", _("After game"), align="right"),
        Column("by", _("Taken by"), share=3),
        Column("reserve_ms", _("Reserves"), align="centre"),
        Column("lasted_ms", _("Lasted"), align="right"),
        Column("time", _("Time"), align="right"),
    )
    rows = tuple(
        (
            pause.after_game,
            names[pause.by],
            reserves_of(pause.reserve),
            _("not known") if pause.lasted is None else Lasting(pause.lasted, exact=True),
            clockwork.moment(pause.when),
        )
        for pause in sheet.breaks
    )
    return Section("breaks", _("Breaks"), columns, rows)


def _rulings(sheet: ScoreSheet, names: Pair[str], clockwork: Clockwork) -> Section:
    columns = (
        Column("id", _("No."), align="right"),
        Column("time", _("Time")),
        Column("game", _("Game"), align="right"),
        Column("sides", _("Against"), share=3),
        Column("infraction", _("Infraction"), share=4),
        Column("sanction", _("Sanction"), share=2),
        Column("by", _("Ruled by"), share=3),
        Column("score_before", _("Score before"), below=True),
        Column("score_after", _("Score after"), below=True),
        Column("called", _("Referee called by"), below=True),
        Column("came", _("Came"), below=True),
        Column("ground", _("Suggested"), below=True),
        Column("panel", _("Panel"), below=True),
        Column("note", _("Note"), below=True),
        Column("record", _("On record"), below=True),
    )
    rows = tuple(_ruling(line, sheet, names, clockwork) for line in sheet.rulings)
    void = frozenset(i for i, line in enumerate(sheet.rulings) if line.ruling.void)
    return Section("rulings", _("Rulings"), columns, rows, void)


def _ruling(line: RulingLine, sheet: ScoreSheet, names: Pair[str], clockwork: Clockwork) -> tuple[Cell, ...]:
    ruling = line.ruling
    title = infraction_words(sheet.setup, ruling.infraction, language())
    moved = line.score[0] != line.score[1]
    called = ""
    if ruling.call is not None:
        called = _told(_who(names, ruling.call.by), "" if line.called is None else clockwork.moment(line.called).text)
    return (
        ruling.id,
        clockwork.moment(line.when),
        ruling.game,
        " / ".join(names[side] for side in ruling.sides),
        f"{title} ({line.article})" if line.article else title,
        sanction_words(ruling.sanction),
        _person(ruling.by),
        both_of(line.score[0]) if moved else None,
        both_of(line.score[1]) if moved else None,
        called,
        clockwork.maybe(line.came),
        _ground(line),
        ", ".join(ruling.panel),
        ruling.note,
        _told(
            _("the same as ruling {n}, kept beside it", n=ruling.duplicate) if ruling.duplicate is not None else "",
            _("entered {n} times", n=ruling.merged + 1) if ruling.merged else "",
            *(play_words(play, names) for play in ruling.plays),
            void_words(ruling, line.fell) if ruling.void else "",
        ),
    )


def _ground(line: RulingLine) -> str:
    ruling = line.ruling
    if ruling.ground not in set(Ground):
        return ""
    earlier = "" if ruling.earlier is None else _("see ruling {n}", n=ruling.earlier)
    return _told(sanction_words(ruling.suggested), ground_words(Ground(ruling.ground)), earlier)


def _appeals(sheet: ScoreSheet, names: Pair[str], clockwork: Clockwork) -> Section:
    columns = (
        Column("id", _("No."), align="right"),
        Column("time", _("Time")),
        Column("ruling", _("Against ruling"), align="right"),
        Column("by", _("By"), share=3),
        Column("to", _("Appeal to"), share=2),
        Column("outcome", _("Outcome"), share=2),
        Column("names", _("Decided by"), share=3),
        Column("decided", _("Decided")),
        Column("decided_by", _("Decision entered by"), below=True),
    )
    rows = tuple(
        (
            line.appeal.id,
            clockwork.moment(line.when),
            line.appeal.ruling,
            names[line.appeal.by],
            appeal_to_words(line.appeal.to),
            _("open") if line.appeal.outcome is None else outcome_words(line.appeal.outcome),
            ", ".join(line.appeal.names) or _person(line.by),
            clockwork.maybe(line.decided),
            _person(line.by) if line.appeal.names else "",
        )
        for line in sheet.appeals
    )
    return Section("appeals", _("Appeals"), columns, rows)


def _corrections(sheet: ScoreSheet, names: Pair[str], clockwork: Clockwork) -> Section:
    columns = (
        Column("time", _("Time")),
        Column("game", _("Game"), align="right"),
        Column("old", _("Before"), share=3),
        Column("new", _("After"), share=3),
        Column("by", _("Changed by"), share=2),
        Column("reason", _("Reason"), below=True),
        Column("undone", _("Undone"), below=True),
    )
    rows = tuple(
        (
            clockwork.moment(line.when),
            line.game,
            _entry(sheet, names, line.old),
            _entry(sheet, names, line.new),
            _person(line.by) or _("both players"),
            reason_told(line.reason),
            clockwork.maybe(line.undone),
        )
        for line in sheet.corrections
    )
    undone = frozenset(i for i, line in enumerate(sheet.corrections) if line.undone is not None)
    return Section("corrections", _("Corrections"), columns, rows, undone)


def _entry(sheet: ScoreSheet, names: Pair[str], entry: tuple[Side, str, int, int]) -> str:
    winner, kind, cube, points = entry
    won = kind_words(Kind(kind))
    words = _("{kind}, cube {n}", kind=won, n=cube) if sheet.setup.cube else won
    return f"{names[winner]}: {words}, " + n_("{n} point", "{n} points", points)


def _acts(sheet: ScoreSheet, names: Pair[str], clockwork: Clockwork) -> Section:
    columns = (
        Column("time", _("Time")),
        Column("by", _("By"), share=2),
        Column("what", _("What"), share=4),
        Column("reason", _("Reason"), share=2),
        Column("old", _("Before"), below=True),
        Column("score_before", _("Score before"), below=True),
        Column("score_after", _("Score after"), below=True),
        Column("reserve_before_ms", _("Reserves before"), below=True),
        Column("reserve_after_ms", _("Reserves after"), below=True),
        Column("undone", _("Undone"), below=True),
    )
    rows = tuple(_act(line, sheet, names, clockwork) for line in sheet.acts)
    undone = frozenset(i for i, line in enumerate(sheet.acts) if line.undone is not None)
    return Section("acts", _("Officials' acts"), columns, rows, undone)


def _act(line: ActLine, sheet: ScoreSheet, names: Pair[str], clockwork: Clockwork) -> tuple[Cell, ...]:
    before, after = line.score
    was, now = line.reserve or (None, None)
    told = fact_words(line.fact, names, sheet.setup, language())
    return (
        clockwork.maybe(line.when),
        _person(line.by),
        told,
        "" if reason_told(line.reason) in told else reason_told(line.reason),
        "" if line.old is None else fact_words(line.old, names, sheet.setup, language()),
        both_of(before) if before != after else None,
        both_of(after) if before != after else None,
        reserves_of(was) if was != now else None,
        reserves_of(now) if was != now else None,
        clockwork.maybe(line.undone),
    )


def _adjournments(sheet: ScoreSheet, names: Pair[str], clockwork: Clockwork) -> Section:
    columns = (
        Column("time", _("Time")),
        Column("by", _("By"), share=2),
        Column("game", _("Game"), align="right"),
        Column("score", _("Score"), align="centre"),
        Column("reserve_ms", _("Reserves"), align="centre"),
        Column("turn", _("To move"), share=2),
        Column("cube", _("Cube"), share=2),
        Column("delay_left_ms", _("Delay left"), below=True),
        Column("position", _("Position"), below=True),
        Column("note", _("Note"), below=True),
        Column("taken_up", _("Taken up"), below=True),
        Column("resumed", _("Resumed"), below=True),
    )
    rows = []
    here = next((line for line in reversed(sheet.adjournments) if line.taken_up is not None), None)
    for line in sheet.adjournments:
        value, owner = line.cube
        cube = f"{value}, " + (_("in the middle") if owner is None else names[owner])
        rows.append(
            (
                clockwork.moment(line.when),
                _person(line.by),
                line.game,
                both_of(line.score),
                reserves_of(line.reserve),
                _("before the game") if line.turn is None else names[line.turn],
                cube if sheet.setup.cube else "",
                None if line.turn is None or line.reserve is None else Lasting(line.delay_left),
                line.position,
                line.note,
                "" if line.taken_up is None else _taken_up(line.taken_up, clockwork, here=line is here),
                clockwork.maybe(line.resumed) or _("not yet"),
            )
        )
    return Section("adjournments", _("Adjournments"), columns, tuple(rows))


def _taken_up(taken: TakenUp, clockwork: Clockwork, *, here: bool) -> str:
    """Of several, only the last was at the table that writes the sheet."""
    who, time, table = _person(taken.by), clockwork.moment(taken.when).text, taken.table or "–"
    if here:
        return _("at this table by {who}, {time}; it came from table {table}", who=who, time=time, table=table)
    return _("by {who}, {time}; it came from table {table}", who=who, time=time, table=table)


def _events(key: str, title: str, lines: list[EventLine], sheet: ScoreSheet, names: Pair[str], clockwork: Clockwork) -> Section:
    columns = (Column("time", _("Time")), Column("what", _("What"), share=1))
    rows = tuple((clockwork.maybe(line.when), event_words(line, sheet, names)) for line in lines)
    return Section(key, title, columns, rows)


def event_words(line: EventLine, sheet: ScoreSheet, names: Pair[str]) -> str:
    """Something that happened, in a sentence."""
    fact = line.fact
    name = _("Somebody") if line.side is None else names[line.side]
    match fact:
        case f.PowerRestored():
            return power_words(fact)
        case f.AlertRaised(code="duplicate_ruling"):
            return _("A ruling like ruling {n} was kept beside it", n=fact.detail)
        case _ if line.kind in TOLD:
            return _(TOLD[line.kind], name=name)
        case f.AlertRaised():
            return alert_words(line.kind, line.side, line.detail, names)
        case f.ClockStopped() | f.StopReasonGiven() | f.RefereeCalled():
            return _("{name} called the referee", name=name) if line.side is not None else _("The referee was called")
        case f.FlagClaimed():
            return _("{name} claimed the flag", name=_who(names, fact.by))
        case f.RulingMerged() if fact.note:
            return _("Ruling {n} was entered again and merged", n=fact.ruling) + f": {fact.note}"
        case f.MatchTakenUp() | f.MatchTakenOver():
            told = fact_words(fact, names, sheet.setup, language())
            return _("{what}, chain {digest}", what=told, digest=fact.digest)
        case _:
            return fact_words(fact, names, sheet.setup, language())
