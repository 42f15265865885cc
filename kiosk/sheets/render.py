"""Score sheets as CSV and JSON. Bytes out; nobody opens a file here."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import TYPE_CHECKING, Any

from kiosk.domain import facts as f
from kiosk.domain.asked import play_line
from kiosk.domain.types import NS_PER_MS, SIDES, Pair, Side, Span
from kiosk.sheets.seal import seal_of
from kiosk.sheets.spreadsheet import to_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.domain.officials import Official
    from kiosk.domain.state import ExaminedPlay
    from kiosk.sheets.official import ActLine, AdjournmentLine, AppealLine, PaperLine, RulingLine, TakenUp
    from kiosk.sheets.time_use import TimeUse
    from kiosk.sheets.walk import BreakLine, CorrectionLine, GameLine, ScoreSheet
    from kiosk.sheets.when import When

VERSION = 2
"""Of the JSON: 1 had neither seal nor use of time."""

COLUMNS = (
    "record", "game", "time_utc", "time_trust", "side", "name", "kind", "cube", "points", "score_left", "score_right",
    "reserve_left_s", "reserve_right_s", "crawford", "old_side", "old_kind", "old_cube", "old_points", "detail",
)  # fmt: skip
"""The columns of the CSV: one table for all records, told apart by the first column."""

Cells = dict[str, object]


def to_json(sheet: ScoreSheet, *, event: str = "", round_name: str = "", table: str = "") -> bytes:
    """The sheet as a JSON object; times in whole milliseconds, instants as ISO 8601 in UTC; with a seal (see `kiosk.sheets.seal`).

    Args:
        sheet: The match.
        event: The event's name, which no journal knows; likewise the round's and the table's.
        round_name: The round's name.
        table: The table's name.
    """
    event, round_name, table = sheet.about(event, round_name, table)
    plain = {**as_object(sheet), "event": event, "round": round_name, "table": table}
    return (json.dumps({**plain, "seal": seal_of(plain)}, ensure_ascii=False, indent=2) + "\n").encode("utf-8")


def to_csv(sheet: ScoreSheet, *, event: str = "", round_name: str = "", table: str = "") -> bytes:
    """The sheet as CSV for spreadsheets: UTF-8 with BOM, CRLF, no cell that could become a formula; arguments as for `to_json`."""
    event, round_name, table = sheet.about(event, round_name, table)
    named = {"event": event, "round": round_name, "table": table}
    about: list[Cells] = [{"record": "sheet", "kind": key, "detail": value} for key, value in named.items() if value]
    return to_table(COLUMNS, chain(about, _lines(sheet)))


def when_text(when: When) -> str:
    """An instant as ISO 8601 in UTC, to the second; a date that no calendar has stays a number."""
    try:
        return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=when.wall_ns // 10**9)).strftime("%Y-%m-%dT%H:%M:%SZ")
    except OverflowError:
        return str(when.wall_ns)


def name_of(sheet: ScoreSheet, side: Side) -> str:
    """A side's name, or both names of a pair."""
    return " / ".join(sheet.setup.players[side])


def _seconds(span: Span) -> float:
    return round(span // NS_PER_MS / 1000, 3)


def _ms(spans: Pair[Span]) -> dict[str, int]:
    return {str(side): spans[side] // NS_PER_MS for side in SIDES}


def _pair(values: Pair[Any]) -> dict[str, Any]:
    return {str(side): values[side] for side in SIDES}


def _time(when: When | None) -> dict[str, str | None]:
    return {"time_utc": None, "time_trust": None} if when is None else {"time_utc": when_text(when), "time_trust": when.trust}


def as_object(sheet: ScoreSheet) -> dict[str, Any]:
    """The sheet as plain values."""
    setup, control = sheet.setup, sheet.setup.control
    return {
        "sheet": VERSION,
        "number": sheet.number,
        "match": sheet.match,
        "revision": sheet.revision,
        "opened": _time(sheet.opened),
        "paper": None if sheet.paper is None else _paper(sheet.paper),
        "rulebook": setup.rulebook,
        "length": setup.length,
        "players": {str(side): list(setup.players[side]) for side in SIDES},
        "clock": {
            "clocked": control.clocked,
            "method": str(control.method),
            "delay_ms": control.delay // NS_PER_MS,
            "reserve_ms": _ms(setup.reserve) if sheet.paper is None else None,
            "bonus_ms": setup.bonus // NS_PER_MS if sheet.paper is None else None,
            "provide": str(setup.provide),
            "breaks": setup.breaks,
        },
        "opening_score": _pair(setup.score),
        "checked": [str(item) for item in sheet.checked],
        "games": [_game(line) for line in sheet.games],
        "corrections": [_correction(line) for line in sheet.corrections],
        "breaks": [_break(line) for line in sheet.breaks],
        "rulings": [_ruling(line) for line in sheet.rulings],
        "appeals": [_appeal(line) for line in sheet.appeals],
        "acts": [_act(line) for line in sheet.acts],
        "adjournments": [_adjournment(line) for line in sheet.adjournments],
        "events": [
            {"kind": e.kind, "side": None if e.side is None else str(e.side), "detail": e.detail, **_time(e.when)} for e in sheet.events
        ],
        "score": _pair(sheet.score),
        "result": None if sheet.how is None else {"winner": None if sheet.winner is None else str(sheet.winner), "how": sheet.how},
        "standing": None if sheet.standing is None else _pair(sheet.standing),
        "provisional": sheet.provisional,
        "time_use": {str(side): _time_use(sheet.time_use[side], clocked=sheet.clocked) for side in SIDES},
        "received": None if sheet.received is None else {"by": _person(sheet.received.by), **_time(sheet.received.when)},
        "signed": [{"side": str(s.side), "protest": s.protest, "strokes": s.strokes} for s in sheet.signed],
        "journal": {"first": sheet.first_seq, "last": sheet.last_seq, "digest": sheet.digest},
    }


def _paper(line: PaperLine) -> dict[str, Any]:
    signed = {str(side): str(line.signed[side]) for side in SIDES}
    return {"by": _person(line.by), "played": line.played, "signed": signed, **_time(line.entered)}


def _game(line: GameLine) -> dict[str, Any]:
    return {
        "n": line.n,
        "winner": str(line.winner),
        "kind": line.kind,
        "cube": line.cube,
        "points": line.points,
        "score": _pair(line.score),
        "reserve_ms": None if line.reserve is None else _ms(line.reserve),
        "crawford": line.crawford,
        "corrected": line.corrected,
        "ruling": line.ruling,
        "void": line.void,
        **_time(line.when),
    }


def _correction(line: CorrectionLine) -> dict[str, Any]:
    keys = ("winner", "kind", "cube", "points")
    old = dict(zip(keys, line.old, strict=True))
    new = dict(zip(keys, line.new, strict=True))
    about = {"reason": line.reason, "by": _person(line.by), "undone": line.undone is not None}
    return {"game": line.game, "old": old, "new": new, **about, **_time(line.when)}


def _break(line: BreakLine) -> dict[str, Any]:
    lasted = None if line.lasted is None else line.lasted // NS_PER_MS
    return {
        "by": str(line.by),
        "after_game": line.after_game,
        "reserve_ms": _ms(line.reserve),
        "lasted_ms": lasted,
        **_time(line.when),
    }


def _time_use(use: TimeUse, *, clocked: bool) -> dict[str, int | None]:
    spans = {"delay_ms": use.delay, "reserve_ms": use.reserve, "beyond_ms": use.beyond, "longest_turn_ms": use.longest}
    known = {**{key: span // NS_PER_MS for key, span in spans.items()}, "turns": use.turns}
    return {key: value if clocked else None for key, value in known.items()}


def _person(official: Official | None) -> dict[str, str] | None:
    return None if official is None else {"name": official.name, "role": str(official.role)}


def _word(value: object) -> str | None:
    return None if value is None else str(value)


def _maybe(when: When | None) -> dict[str, str | None] | None:
    return None if when is None else _time(when)


def _ruling(line: RulingLine) -> dict[str, Any]:
    ruling = line.ruling
    return {
        "id": ruling.id,
        "game": ruling.game,
        "sides": [str(side) for side in ruling.sides],
        "infraction": ruling.infraction,
        "article": line.article,
        "sanction": _word(ruling.sanction),
        "suggested": _word(ruling.suggested),
        "ground": ruling.ground,
        "earlier": ruling.earlier,
        "note": ruling.note,
        "panel": list(ruling.panel),
        "by": _person(ruling.by),
        "called_by": None if ruling.call is None else ruling.call.by,
        "called": _maybe(line.called),
        "came": _maybe(line.came),
        "score_before": _pair(line.score[0]),
        "score_after": _pair(line.score[1]),
        "duplicate": ruling.duplicate,
        "merged": ruling.merged,
        "plays": [_play(play) for play in ruling.plays],
        "void": ruling.void,
        "why_void": ruling.why_void,
        "appeal": None if line.fell is None else line.fell.id,
        **_time(line.when),
    }


def _play(play: ExaminedPlay) -> dict[str, Any]:
    return {
        "position": play.position,
        "mover": _word(play.mover),
        "dice": play.dice,
        "move": play.move,
        "verdict": play.verdict,
        "article": play.article,
    }


def _appeal(line: AppealLine) -> dict[str, Any]:
    appeal = line.appeal
    return {
        "id": appeal.id,
        "ruling": appeal.ruling,
        "by": str(appeal.by),
        "to": str(appeal.to),
        "outcome": _word(appeal.outcome),
        "names": list(appeal.names),
        "decided_by": _person(line.by),
        "decided": _maybe(line.decided),
        **_time(line.when),
    }


def _act(line: ActLine) -> dict[str, Any]:
    return {
        "kind": line.kind,
        "by": _person(line.by),
        "side": _word(line.side),
        "detail": line.detail,
        "reason": line.reason,
        "score_before": _pair(line.score[0]),
        "score_after": _pair(line.score[1]),
        "reserve_before_ms": None if line.reserve is None else _ms(line.reserve[0]),
        "reserve_after_ms": None if line.reserve is None else _ms(line.reserve[1]),
        "undone": _maybe(line.undone),
        **_time(line.when),
    }


def _adjournment(line: AdjournmentLine) -> dict[str, Any]:
    value, owner = line.cube
    return {
        "by": _person(line.by),
        "position": line.position,
        "note": line.note,
        "game": line.game,
        "score": _pair(line.score),
        "reserve_ms": None if line.reserve is None else _ms(line.reserve),
        "turn": _word(line.turn),
        "delay_left_ms": line.delay_left // NS_PER_MS,
        "cube": {"value": value, "owner": _word(owner)},
        "taken_up": None if line.taken_up is None else _taken_up(line.taken_up),
        "resumed": _maybe(line.resumed),
        **_time(line.when),
    }


def _taken_up(taken: TakenUp) -> dict[str, Any]:
    return {"by": _person(taken.by), "table": taken.table, **_time(taken.when)}


def _lines(sheet: ScoreSheet) -> Iterator[Cells]:
    setup = sheet.setup
    length = "free session" if setup.length is None else f"{setup.length} points"
    yield {
        "record": "match",
        "detail": f"{setup.rulebook}, {length}, {clock_text_of(sheet)}, revision {sheet.revision}",
        **_time(sheet.opened),
    }
    if sheet.paper is not None:
        yield _paper_cells(sheet.paper)
    for side in SIDES:
        reserves = _reserves(setup.reserve) if sheet.paper is None else {}
        yield {"record": "player", "side": str(side), "name": name_of(sheet, side), **_score_cells(setup.score), **reserves}
    if sheet.checked:
        yield {"record": "check_in", "detail": ", ".join(sheet.checked)}
    for game in sheet.games:
        yield {
            "record": "game",
            "game": game.n,
            "side": str(game.winner),
            "name": name_of(sheet, game.winner),
            "kind": game.kind,
            "cube": game.cube,
            "points": game.points,
            "crawford": "yes" if game.crawford else "",
            "detail": _told("corrected" if game.corrected else "", _lost_by(game)),
            **_score_cells(game.score),
            **({} if game.reserve is None else _reserves(game.reserve)),
            **_time(game.when),
        }
    yield from _other_lines(sheet)
    yield _result_line(sheet)


_ON_PAPER = {f.OnPaper.YES: "signed", f.OnPaper.PROTEST: "signed under protest", f.OnPaper.NO: "not signed"}


def _paper_cells(line: PaperLine) -> Cells:
    signed = ", ".join(f"{side} {_ON_PAPER[line.signed[side]]}" for side in SIDES)
    detail = _told("entered from paper", _by(line.by), f"played: {line.played}" if line.played else "", f"on paper: {signed}")
    return {"record": "paper", "detail": detail, **_time(line.entered)}


def _other_lines(sheet: ScoreSheet) -> Iterator[Cells]:
    for line in sheet.corrections:
        side, kind, cube, points = line.new
        old_side, old_kind, old_cube, old_points = line.old
        yield {
            "record": "correction", "game": line.game, "side": str(side), "kind": kind, "cube": cube, "points": points,
            "old_side": str(old_side), "old_kind": old_kind, "old_cube": old_cube, "old_points": old_points,
            "detail": _told(line.reason, _by(line.by), "undone" if line.undone is not None else ""), **_time(line.when),
        }  # fmt: skip
    for pause in sheet.breaks:
        lasted = "" if pause.lasted is None else f"lasted {_seconds(pause.lasted)} s"
        yield {
            "record": "break", "game": pause.after_game, "side": str(pause.by), "name": name_of(sheet, pause.by), "detail": lasted,
            **_reserves(pause.reserve), **_time(pause.when),
        }  # fmt: skip
    yield from _officials_lines(sheet)
    for event in sheet.events:
        whose = "" if event.side is None else str(event.side)
        yield {"record": "event", "side": whose, "kind": event.kind, "detail": event.detail, **_time(event.when)}
    for signed in sheet.signed:
        detail = "under protest" if signed.protest else ""
        yield {"record": "signature", "side": str(signed.side), "name": name_of(sheet, signed.side), "detail": detail}


def _told(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def _by(official: Official | None) -> str:
    return "" if official is None else f"by {official.name} ({official.role})"


def _lost_by(game: GameLine) -> str:
    if game.ruling is None:
        return ""
    return f"lost by ruling {game.ruling}" + (", void" if game.void else "")


def _why_void(line: RulingLine) -> str:
    if line.fell is None:
        return line.ruling.why_void
    outcome = line.fell.outcome
    return f"fell on appeal {line.fell.id}" if outcome is f.Outcome.VOID else f"replaced on appeal {line.fell.id} by {outcome}"


def _officials_lines(sheet: ScoreSheet) -> Iterator[Cells]:
    for each in sheet.rulings:
        ruling = each.ruling
        detail = _told(
            f"ruling {ruling.id}: {ruling.infraction}" + (f" ({each.article})" if each.article else ""),
            _by(ruling.by),
            f"called by {ruling.call.by or 'somebody'}" if ruling.call is not None else "",
            f"panel: {', '.join(ruling.panel)}" if ruling.panel else "",
            f"entered {ruling.merged + 1} times" if ruling.merged else "",
            *(f"position {play_line(play)}" for play in ruling.plays),
            f"repeats ruling {ruling.duplicate}" if ruling.duplicate is not None else "",
            ruling.note,
            f"void: {_why_void(each)}" if ruling.void else "",
        )
        for side in ruling.sides:
            yield {
                "record": "ruling", "game": ruling.game, "side": str(side), "name": name_of(sheet, side),
                "kind": str(ruling.sanction or "on record"), "detail": detail, **_score_cells(each.score[1]), **_time(each.when),
            }  # fmt: skip
    for line in sheet.appeals:
        appeal = line.appeal
        detail = _told(
            f"appeal {appeal.id} against ruling {appeal.ruling} to the {appeal.to}",
            ", ".join(appeal.names),
            "" if line.by is None else f"decision entered {_by(line.by)}",
        )
        yield {
            "record": "appeal", "side": str(appeal.by), "name": name_of(sheet, appeal.by), "kind": str(appeal.outcome or "open"),
            "detail": detail, **_time(line.when),
        }  # fmt: skip
    for act in sheet.acts:
        whose = {} if act.side is None else {"side": str(act.side), "name": name_of(sheet, act.side)}
        yield {
            "record": "act", **whose, "kind": act.kind, **_score_cells(act.score[1]),
            "detail": _told(act.detail, act.reason, _by(act.by), "undone" if act.undone is not None else ""),
            **({} if act.reserve is None else _reserves(act.reserve[1])), **_time(act.when),
        }  # fmt: skip
    for pause in sheet.adjournments:
        value, owner = pause.cube
        cube = f"cube {value}" + ("" if owner is None else f", {owner}")
        delay = "" if pause.turn is None else f"{pause.turn} to move, {_seconds(pause.delay_left)} s of delay left"
        taken = pause.taken_up
        moved = "" if taken is None else f"taken up {when_text(taken.when)} from table {taken.table or '(no name)'} {_by(taken.by)}"
        yield {
            "record": "adjournment", "game": pause.game, "kind": "suspended" if pause.resumed is None else "resumed",
            "detail": _told(pause.position, pause.note, delay, cube, _by(pause.by), moved), **_score_cells(pause.score),
            **({} if pause.reserve is None else _reserves(pause.reserve)), **_time(pause.when),
        }  # fmt: skip
    if sheet.received is not None:
        yield {"record": "received", "detail": _by(sheet.received.by), **_time(sheet.received.when)}


def _result_line(sheet: ScoreSheet) -> Cells:
    standing = "" if sheet.standing is None else f"{sheet.standing.left} : {sheet.standing.right}"
    return {
        "record": "result",
        "side": "" if sheet.winner is None else str(sheet.winner),
        "name": "" if sheet.winner is None else name_of(sheet, sheet.winner),
        "kind": sheet.how or "not ended",
        "detail": " ".join(part for part in (standing, "provisional" if sheet.provisional else "", f"journal {sheet.digest}") if part),
        **_score_cells(sheet.score),
        **({} if sheet.table.clock is None or not sheet.clocked else _reserves(sheet.table.clock.reserve)),
    }


def clock_text_of(sheet: ScoreSheet) -> str:
    """The control in words."""
    control = sheet.setup.control
    if sheet.paper is not None:
        return "entered from paper, no time claimed"
    if not control.clocked:
        return "unclocked"
    return f"{control.method} {_seconds(control.delay):g} s, {sheet.setup.provide}"


def _score_cells(score: Pair[int]) -> Cells:
    return {"score_left": score.left, "score_right": score.right}


def _reserves(reserve: Pair[Span]) -> Cells:
    return {"reserve_left_s": _seconds(reserve.left), "reserve_right_s": _seconds(reserve.right)}
