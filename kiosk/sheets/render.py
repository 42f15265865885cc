"""Score sheets as CSV and JSON. Bytes out; nobody opens a file here."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from kiosk.domain.types import NS_PER_MS, SIDES, Pair, Side, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.domain.state import Appeal, Ruling
    from kiosk.sheets.walk import ScoreSheet, When

COLUMNS = (
    "record", "game", "time_utc", "time_trust", "side", "name", "kind", "cube", "points", "score_left", "score_right",
    "reserve_left_s", "reserve_right_s", "crawford", "old_side", "old_kind", "old_cube", "old_points", "detail",
)  # fmt: skip
"""The columns of the CSV: one table for all records, told apart by the first column."""

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""A spreadsheet would run a cell that begins so."""

Cells = dict[str, object]


def to_json(sheet: ScoreSheet) -> bytes:
    """The sheet as a JSON object; times in whole milliseconds, instants as ISO 8601 in UTC."""
    return (json.dumps(as_object(sheet), ensure_ascii=False, indent=2) + "\n").encode("utf-8")


def to_csv(sheet: ScoreSheet) -> bytes:
    """The sheet as CSV for spreadsheets: UTF-8 with BOM, CRLF, no cell that could become a formula."""
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, COLUMNS, restval="")
    writer.writeheader()
    for cells in _lines(sheet):
        writer.writerow({key: _safe(value) for key, value in cells.items()})
    return b"\xef\xbb\xbf" + out.getvalue().encode("utf-8")


def _safe(value: object) -> object:
    if not isinstance(value, str):
        return value
    text = "".join(letter if letter.isprintable() else " " for letter in value)
    return "'" + text if value.startswith(FORMULA_STARTS) else text


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


def _time(when: When) -> dict[str, str]:
    return {"time_utc": when_text(when), "time_trust": when.trust}


def as_object(sheet: ScoreSheet) -> dict[str, Any]:
    """The sheet as plain values."""
    setup, control = sheet.setup, sheet.setup.control
    return {
        "sheet": 1,
        "number": sheet.number,
        "match": sheet.match,
        "revision": sheet.revision,
        "opened": _time(sheet.opened),
        "rulebook": setup.rulebook,
        "length": setup.length,
        "players": {str(side): list(setup.players[side]) for side in SIDES},
        "clock": {
            "clocked": control.clocked,
            "method": str(control.method),
            "delay_ms": control.delay // NS_PER_MS,
            "reserve_ms": _ms(setup.reserve),
            "bonus_ms": setup.bonus // NS_PER_MS,
            "provide": str(setup.provide),
            "breaks": setup.breaks,
        },
        "opening_score": _pair(setup.score),
        "checked": [str(item) for item in sheet.checked],
        "games": [_game(line) for line in sheet.games],
        "corrections": [_correction(line) for line in sheet.corrections],
        "breaks": [_break(line) for line in sheet.breaks],
        "events": [
            {"kind": e.kind, "side": None if e.side is None else str(e.side), "detail": e.detail, **_time(e.when)} for e in sheet.events
        ],
        "score": _pair(sheet.score),
        "result": None if sheet.how is None else {"winner": None if sheet.winner is None else str(sheet.winner), "how": sheet.how},
        "standing": None if sheet.standing is None else _pair(sheet.standing),
        "rulings": [_ruling(ruling) for ruling in sheet.rulings],
        "appeals": [_appeal(appeal) for appeal in sheet.appeals],
        "provisional": sheet.provisional,
        "received": sheet.received,
        "position": sheet.position,
        "signed": [{"side": str(s.side), "protest": s.protest, "strokes": s.strokes} for s in sheet.signed],
        "journal": {"first": sheet.first_seq, "last": sheet.last_seq, "digest": sheet.digest},
    }


def _game(line: Any) -> dict[str, Any]:  # noqa: ANN401 - a GameLine
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
        **_time(line.when),
    }


def _ruling(ruling: Ruling) -> dict[str, Any]:
    return {
        "id": ruling.id,
        "game": ruling.game,
        "sides": [str(side) for side in ruling.sides],
        "infraction": ruling.infraction,
        "sanction": None if ruling.sanction is None else str(ruling.sanction),
        "by": ruling.by.name,
        "role": str(ruling.by.role),
        "ground": ruling.ground,
        "earlier": ruling.earlier,
        "note": ruling.note,
        "panel": list(ruling.panel),
        "void": ruling.void,
        "why_void": ruling.why_void,
    }


def _appeal(appeal: Appeal) -> dict[str, Any]:
    outcome = None if appeal.outcome is None else str(appeal.outcome)
    return {
        "id": appeal.id,
        "ruling": appeal.ruling,
        "by": str(appeal.by),
        "to": str(appeal.to),
        "outcome": outcome,
        "names": list(appeal.names),
    }


def _correction(line: Any) -> dict[str, Any]:  # noqa: ANN401 - a CorrectionLine
    keys = ("winner", "kind", "cube", "points")
    old = dict(zip(keys, line.old, strict=True))
    new = dict(zip(keys, line.new, strict=True))
    return {"game": line.game, "old": old, "new": new, "reason": line.reason, **_time(line.when)}


def _break(line: Any) -> dict[str, Any]:  # noqa: ANN401 - a BreakLine
    lasted = None if line.lasted is None else line.lasted // NS_PER_MS
    return {
        "by": str(line.by),
        "after_game": line.after_game,
        "reserve_ms": _ms(line.reserve),
        "lasted_ms": lasted,
        **_time(line.when),
    }


def _lines(sheet: ScoreSheet) -> Iterator[Cells]:
    setup = sheet.setup
    length = "free session" if setup.length is None else f"{setup.length} points"
    yield {
        "record": "match",
        "detail": f"{setup.rulebook}, {length}, {clock_text_of(sheet)}, revision {sheet.revision}",
        **_time(sheet.opened),
    }
    for side in SIDES:
        yield {"record": "player", "side": str(side), "name": name_of(sheet, side), **_score_cells(setup.score), **_reserves(setup.reserve)}
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
            "detail": "corrected" if game.corrected else "",
            **_score_cells(game.score),
            **({} if game.reserve is None else _reserves(game.reserve)),
            **_time(game.when),
        }
    yield from _other_lines(sheet)
    yield _result_line(sheet)


def _other_lines(sheet: ScoreSheet) -> Iterator[Cells]:
    for line in sheet.corrections:
        side, kind, cube, points = line.new
        old_side, old_kind, old_cube, old_points = line.old
        yield {
            "record": "correction", "game": line.game, "side": str(side), "kind": kind, "cube": cube, "points": points,
            "old_side": str(old_side), "old_kind": old_kind, "old_cube": old_cube, "old_points": old_points,
            "detail": line.reason, **_time(line.when),
        }  # fmt: skip
    for pause in sheet.breaks:
        lasted = "" if pause.lasted is None else f"lasted {_seconds(pause.lasted)} s"
        yield {
            "record": "break", "game": pause.after_game, "side": str(pause.by), "name": name_of(sheet, pause.by), "detail": lasted,
            **_reserves(pause.reserve), **_time(pause.when),
        }  # fmt: skip
    for ruling in sheet.rulings:
        taken_back = f"taken back: {ruling.why_void}" if ruling.void else ""
        parts = (f"by {ruling.by.name}, {ruling.by.role}", ruling.note, ", ".join(ruling.panel), taken_back)
        yield {
            "record": "ruling", "game": ruling.game, "side": ", ".join(ruling.sides), "kind": ruling.infraction,
            "detail": "; ".join(part for part in (str(ruling.sanction or "on record"), *parts) if part),
        }  # fmt: skip
    if sheet.position:
        yield {"record": "position", "detail": sheet.position}
    for event in sheet.events:
        whose = "" if event.side is None else str(event.side)
        yield {"record": "event", "side": whose, "kind": event.kind, "detail": event.detail, **_time(event.when)}
    for signed in sheet.signed:
        detail = "under protest" if signed.protest else ""
        yield {"record": "signature", "side": str(signed.side), "name": name_of(sheet, signed.side), "detail": detail}


def _result_line(sheet: ScoreSheet) -> Cells:
    standing = "" if sheet.standing is None else f"{sheet.standing.left} : {sheet.standing.right}"
    return {
        "record": "result",
        "side": "" if sheet.winner is None else str(sheet.winner),
        "name": "" if sheet.winner is None else name_of(sheet, sheet.winner),
        "kind": sheet.how or "not ended",
        "detail": " ".join(part for part in (standing, _standing_of_result(sheet), f"journal {sheet.digest}") if part),
        **_score_cells(sheet.score),
        **({} if sheet.table.clock is None or not sheet.setup.control.clocked else _reserves(sheet.table.clock.reserve)),
    }


def _standing_of_result(sheet: ScoreSheet) -> str:
    return "final" if sheet.received else "provisional" if sheet.provisional else ""


def clock_text_of(sheet: ScoreSheet) -> str:
    """The control in words."""
    control = sheet.setup.control
    if not control.clocked:
        return "unclocked"
    return f"{control.method} {_seconds(control.delay):g} s, {sheet.setup.provide}"


def _score_cells(score: Pair[int]) -> Cells:
    return {"score_left": score.left, "score_right": score.right}


def _reserves(reserve: Pair[Span]) -> Cells:
    return {"reserve_left_s": _seconds(reserve.left), "reserve_right_s": _seconds(reserve.right)}
