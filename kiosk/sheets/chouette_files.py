"""A chouette's record as PDF, workbook, CSV and JSON: a row for each game, a column for each player, and below them what it sums to.

Every row sums to zero, and so does the last one: whoever doubts a figure checks it there. PDF and workbook are in the language spoken, CSV
and JSON in English, as of a match. The JSON has the same seal as a match's sheet.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, Any

from kiosk.domain.facts import Party
from kiosk.domain.rulebook import Kind
from kiosk.domain.types import NS_PER_MS
from kiosk.say import _
from kiosk.sheets.cells import Clockwork, text_of
from kiosk.sheets.grid import Grid, to_grid_xlsx
from kiosk.sheets.grid_pdf import Heading, to_grid_pdf
from kiosk.sheets.paper import NO_DATE
from kiosk.sheets.render import when_text
from kiosk.sheets.seal import seal_of
from kiosk.sheets.spreadsheet import to_table
from kiosk.words import chouette_clock_words, kind_words, signed

if TYPE_CHECKING:
    from kiosk.domain.chouette import Chouette, ChouetteGame
    from kiosk.sheets.chouette import ChouetteSheet
    from kiosk.sheets.when import When

VERSION = 1
"""Of the JSON."""

COLUMNS = ("game", "box", "team", "captain", "winner", "kind", "counted", "cube", "points", "out", "ended_utc", "ended_trust")
"""Of the CSV, before the players' own."""

_Row = tuple[str | int, ...]


# ── For people ───────────────────────────────────────────────────────────────
def to_chouette_pdf(sheet: ChouetteSheet, *, event: str = "", table: str = "", zone: tzinfo = UTC) -> bytes:
    """The record on A4, in the language spoken.

    Args:
        sheet: The chouette.
        event: The event's name, where there is one.
        table: The table's name.
        zone: In which times of day are told.
    """
    title = _("Chouette") if not table else _("Chouette at table {table}", table=table)
    heading = Heading(event or _("Free play"), title, _as_of(sheet, zone), _about(sheet, zone), (_digest(sheet),))
    return to_grid_pdf([grid_of(sheet, zone)], heading)


def to_chouette_xlsx(sheet: ChouetteSheet, *, event: str = "", table: str = "", zone: tzinfo = UTC) -> bytes:
    """The same as a workbook, with numbers as numbers; the arguments are those of `to_chouette_pdf`."""
    grid = grid_of(sheet, zone)
    notes = (*(f"{what}: {how}" for what, how in _about(sheet, zone)), _digest(sheet))
    parts = (event, _("Chouette"), _("Table {table}", table=table) if table else "")
    title = " · ".join(part for part in parts if part)
    return to_grid_xlsx([Grid(grid.title, grid.heads, grid.rows, notes)], title=title, at=_as_of(sheet, zone))


def grid_of(sheet: ChouetteSheet, zone: tzinfo) -> Grid:
    """The table of its games, in the language spoken.

    Args:
        sheet: The chouette.
        zone: In which times of day are told.
    """
    chouette, clockwork = sheet.chouette, Clockwork(zone, sheet.opened)
    names = [name for name, _total in chouette.totals]
    heads = (_("Game"), _("Box"), _("Captain"), _("Winner"), _("Kind"), _("Cube"), _("Each"), _("Out"), _("Ended"), *names, _("Sum"))
    rows: list[_Row] = [
        _game_row(game, names, text_of(clockwork.moment(when))) for game, when in zip(chouette.games, sheet.games, strict=True)
    ]
    if chouette.out:
        rows.append(_running_row(chouette, names))
    totals = [total for _name, total in chouette.totals]
    rows.append(("", _("Total"), "", "", "", "", "", "", "", *totals, sum(totals)))
    return Grid(_("Chouette"), heads, tuple(rows))


def _game_row(game: ChouetteGame, names: list[str], ended: str) -> _Row:
    gains = dict(game.gains)
    won = _("box") if game.winner is Party.BOX else _("team")
    out = ", ".join(f"{name} {signed(-paid)}" for name, paid in game.out)
    figures = [gains.get(name, "") for name in names]
    told = (game.n, game.box, game.captain, won, _kind(game), game.cube, game.points, out, ended)
    return *told, *figures, sum(gains.values())


def _kind(game: ChouetteGame) -> str:
    kind = kind_words(game.kind)
    by_jacoby = game.kind in {Kind.GAMMON, Kind.BACKGAMMON} and game.counted == 1
    return _("{kind} (Jacoby: counts 1)", kind=kind) if by_jacoby else kind


def _running_row(chouette: Chouette, names: list[str]) -> _Row:
    """The game that goes on, where somebody has paid in it already."""
    before, now = dict(chouette.before), dict(chouette.totals)
    figures = [now[name] - before[name] for name in names]
    out = ", ".join(f"{name} {signed(-paid)}" for name, paid in chouette.out)
    told = (len(chouette.games) + 1, chouette.box, chouette.captain, _("goes on"), "", chouette.stake.value, "", out, "")
    return *told, *figures, sum(figures)


def _about(sheet: ChouetteSheet, zone: tzinfo) -> tuple[tuple[str, str], ...]:
    chouette, clockwork = sheet.chouette, Clockwork(zone, sheet.opened)
    switches = [(_("Jacoby rule"), chouette.jacoby), (_("Automatic doubles"), chouette.automatic)]
    lines = [
        (_("Opened"), f"{text_of(clockwork.day())} ({clockwork.name()})"),
        (_("Ended"), text_of(clockwork.maybe(sheet.ended)) or _("goes on")),
        *((what, _("yes") if on else _("no")) for what, on in switches),
        (_("Backgammon counts"), str(chouette.backgammon)),
    ]
    if chouette.agreed is not None:
        lines.append((_("Clock"), chouette_clock_words(chouette.agreed.delay, chouette.agreed.reserve)))
    if sheet.throws:
        thrown = "; ".join(f"{name} {', '.join(map(str, dice))}" for name, dice in sheet.throws)
        lines.append((_("Thrown for places"), thrown))
    lines.append((_("In the box now"), chouette.box))
    lines.append((_("The team in its order"), ", ".join(chouette.team)))
    return tuple(lines)


def _digest(sheet: ChouetteSheet) -> str:
    return _("Digest of the journal's chain: {digest}", digest=sheet.digest)


def _as_of(sheet: ChouetteSheet, zone: tzinfo) -> datetime:
    """When it was so: at its end, or after its last game."""
    last = sheet.ended or next(reversed(sheet.games), sheet.opened)
    return Clockwork(zone, last).day().at or NO_DATE


# ── For programs ─────────────────────────────────────────────────────────────
def to_chouette_csv(sheet: ChouetteSheet) -> bytes:
    """A row for each game and one for the totals; a player's column is called `points NAME`."""
    chouette = sheet.chouette
    names = [name for name, _total in chouette.totals]
    rows: list[dict[str, object]] = []
    for game, when in zip(chouette.games, sheet.games, strict=True):
        plain = {**_game(game), **_ended(when), "game": game.n}
        plain["team"], plain["out"] = ", ".join(game.team), ", ".join(f"{name} {-paid}" for name, paid in game.out)
        rows.append(_with_points(plain, dict(game.gains), names))
    if chouette.out:
        before, now = dict(chouette.before), dict(chouette.totals)
        out = ", ".join(f"{name} {-paid}" for name, paid in chouette.out)
        running: dict[str, object] = {"game": "running", "box": chouette.box, "cube": chouette.stake.value, "out": out}
        rows.append(_with_points(running, {name: now[name] - before[name] for name in names}, names))
    rows.append(_with_points({"game": "total"}, dict(chouette.totals), names))
    return to_table([*COLUMNS, *(f"points {name}" for name in names), "sum"], rows)


def _with_points(plain: dict[str, object], points: dict[str, int], names: list[str]) -> dict[str, object]:
    kept = {key: value for key, value in plain.items() if key in COLUMNS}
    return {**kept, **{f"points {name}": points.get(name, "") for name in names}, "sum": sum(points.values())}


def to_chouette_json(sheet: ChouetteSheet, *, event: str = "", table: str = "") -> bytes:
    """Everything, with a seal (see `kiosk.sheets.seal`); instants as ISO 8601 in UTC.

    Args:
        sheet: The chouette.
        event: The event's name, which no journal knows; likewise the table's.
        table: The table's name.
    """
    plain = {**chouette_object(sheet), "event": event, "table": table}
    return (json.dumps({**plain, "seal": seal_of(plain)}, ensure_ascii=False, indent=2) + "\n").encode("utf-8")


def chouette_object(sheet: ChouetteSheet) -> dict[str, Any]:
    """The record as plain values, as far as a journal holds them."""
    chouette, stake = sheet.chouette, sheet.chouette.stake
    return {
        "chouette": VERSION,
        "number": sheet.number,
        "match": sheet.match,
        "opened": _time(sheet.opened),
        "ended": None if sheet.ended is None else _time(sheet.ended),
        "jacoby": chouette.jacoby,
        "automatic_doubles": chouette.automatic,
        "backgammon_counts": chouette.backgammon,
        **_clock(chouette),
        "throws": {name: list(dice) for name, dice in sheet.throws},
        "box": chouette.box,
        "team": list(chouette.team),
        "games": [{**_game(game), **_time(when)} for game, when in zip(chouette.games, sheet.games, strict=True)],
        "running": {
            "cube": stake.value,
            "owner": None if stake.owner is None else str(stake.owner),
            "offered_by": None if chouette.offered is None else str(chouette.offered),
            "out": dict(chouette.out),
        },
        "totals": dict(chouette.totals),
        "sum": sum(total for _name, total in chouette.totals),
        "journal": {"first": sheet.first_seq, "last": sheet.last_seq, "digest": sheet.digest},
    }


def _clock(chouette: Chouette) -> dict[str, Any]:
    """The clock in milliseconds, where one was agreed on."""
    if chouette.agreed is None:
        return {}
    return {"clock": {"delay_ms": chouette.agreed.delay // NS_PER_MS, "reserve_ms": chouette.agreed.reserve // NS_PER_MS}}


def _game(game: ChouetteGame) -> dict[str, Any]:
    return {
        "n": game.n,
        "box": game.box,
        "team": list(game.team),
        "captain": game.captain,
        "winner": str(game.winner),
        "kind": str(game.kind),
        "counted": game.counted,
        "cube": game.cube,
        "points": game.points,
        "out": dict(game.out),
        "gains": dict(game.gains),
    }


def _time(when: When) -> dict[str, Any]:
    return {"time_utc": when_text(when), "time_trust": when.trust}


def _ended(when: When) -> dict[str, Any]:
    return {"ended_utc": when_text(when), "ended_trust": when.trust}
