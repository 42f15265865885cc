"""What came of a scenario, as the plain object that `kiosk simulate --json` prints: whole milliseconds, rounded down."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kiosk.domain.state import Phase
from kiosk.domain.types import NS_PER_MS, SIDES, Pair, Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.domain.chouette import Chouette, ChouetteGame
    from kiosk.domain.clock import Clock
    from kiosk.domain.state import Alert, Appeal, Ruling, Table
    from kiosk.session import Snapshot


@dataclass
class Log:
    """What a run lists beside the table itself."""

    ignored: list[dict[str, Any]] = field(default_factory=list)
    """Presses without effect: line, side, reason."""
    refused: list[dict[str, Any]] = field(default_factory=list)
    """Refused commands: line, code, message."""


def build(shot: Snapshot, log: Log, origin: int) -> dict[str, Any]:
    """The result object.

    Args:
        shot: The table at the end.
        log: What was ignored and refused on the way.
        origin: The instant that the scenario calls 0.
    """

    def ms(instant: int) -> int:
        return (instant - origin) // NS_PER_MS

    table = shot.table
    return {
        "at_ms": ms(shot.at),
        "phase": None if shot.phase is None else str(shot.phase),
        "clock": None if shot.clock is None else _clock(shot, shot.clock, ms),
        "match": None if table.setup is None else _match(shot),
        "chouette": None if table.chouette is None else _chouette(table.chouette),
        "checked": [str(item) for item in table.checked],
        "breaks": _breaks(table),
        "rulings": [_ruling(ruling) for ruling in table.rulings],
        "appeals": [_appeal(appeal) for appeal in table.appeals],
        "alerts": [_alert(alert, ms) for alert in sorted(shot.alerts, key=lambda alert: alert.at)],
        "hall": _hall(table),
        "signed": [str(signature.side) for signature in table.signatures],
        "received": table.phase is Phase.RECEIVED,
        "sheet_revision": table.revision,
        "ignored": log.ignored,
        "refused": log.refused,
    }


def _hall(table: Table) -> dict[str, Any]:
    pause, call, place = table.hall.pause, table.call, table.place
    return {
        "paused": None if pause is None else {"by": pause.by, "why": pause.why},
        "unread": [message.n for message in table.hall.messages],
        "coming": call.coming if call is not None and table.referee_called else None,
        "place": None if place is None else {"event": place.event, "round": place.round, "table": place.table, "practice": place.practice},
    }


def _chouette(chouette: Chouette) -> dict[str, Any]:
    stake = chouette.stake
    return {
        "box": chouette.box,
        "team": list(chouette.team),
        "captain": chouette.captain,
        "cube": {
            "value": stake.value,
            "owner": None if stake.owner is None else str(stake.owner),
            "offered_by": None if chouette.offered is None else str(chouette.offered),
        },
        "wanted": list(chouette.wanted),
        "asked": list(chouette.asked),
        "out": dict(chouette.out),
        "totals": dict(chouette.totals),
        "games": [_chouette_game(game) for game in chouette.games],
        "ended": chouette.ended,
    }


def _chouette_game(game: ChouetteGame) -> dict[str, Any]:
    return {
        "n": game.n,
        "box": game.box,
        "captain": game.captain,
        "winner": str(game.winner),
        "kind": str(game.kind),
        "counted": game.counted,
        "cube": game.cube,
        "points": game.points,
        "out": dict(game.out),
        "gains": dict(game.gains),
    }


def _pair(values: Pair[Any]) -> dict[str, Any]:
    return {str(side): values[side] for side in SIDES}


def _span_ms(spans: Pair[Span]) -> dict[str, Any]:
    return _pair(Pair(spans.left // NS_PER_MS, spans.right // NS_PER_MS))


def _alert(alert: Alert, ms: Callable[[int], int]) -> dict[str, Any]:
    return {"at_ms": ms(alert.at), "code": alert.code, "side": None if alert.side is None else str(alert.side)}


def _ruling(ruling: Ruling) -> dict[str, Any]:
    return {
        "id": ruling.id,
        "side": str(ruling.sides[0]) if len(ruling.sides) == 1 else "both",
        "infraction": ruling.infraction,
        "sanction": None if ruling.sanction is None else str(ruling.sanction),
        "void": ruling.void,
    }


def _appeal(appeal: Appeal) -> dict[str, Any]:
    outcome = None if appeal.outcome is None else str(appeal.outcome)
    return {"id": appeal.id, "ruling": appeal.ruling, "by": str(appeal.by), "to": str(appeal.to), "outcome": outcome}


def _running(clock: Clock) -> str | None:
    if len(clock.running) == len(SIDES):
        return "both"
    return str(clock.running[0]) if clock.running else None


def _clock(shot: Snapshot, clock: Clock, ms: Callable[[int], int]) -> dict[str, Any]:
    clocked = clock.control.clocked and shot.table.paper is None
    return {
        "running": _running(clock),
        "turn": None if clock.turn is None else str(clock.turn),
        "reserve_ms": _span_ms(clock.reserve) if clocked else _pair(Pair(None, None)),
        "delay_left_ms": shot.delay_left // NS_PER_MS,
        "overrun_ms": _span_ms(clock.overrun),
        "first_flag": str(clock.flags[0].side) if clock.flags else None,
        "flagged": [{"side": str(flag.side), "at_ms": ms(flag.at)} for flag in clock.flags],
        "shown": _pair(shot.shown) if clocked else _pair(Pair(None, None)),
        "turns": _pair(clock.turns),
    }


def _match(shot: Snapshot) -> dict[str, Any]:
    table, cube = shot.table, shot.cube
    end = table.ended
    return {
        "length": None if table.setup is None else table.setup.length,
        "score": _pair(shot.score),
        "game": table.game,
        "is_crawford_game": shot.is_crawford_game,
        "crawford_played": shot.crawford_played,
        "cube": {
            "value": cube.value,
            "owner": None if cube.owner is None else str(cube.owner),
            "in_play": shot.cube_in_play,
            "offered_by": None if cube.offered_by is None else str(cube.offered_by),
        },
        "games": [{"n": g.n, "winner": str(g.winner), "kind": str(g.kind), "cube": g.cube, "points": g.points} for g in table.games],
        "ended": None if end is None else {"winner": None if end.winner is None else str(end.winner), "how": end.how},
        "standing": None if shot.standing is None else _pair(shot.standing),
    }


def _breaks(table: Table) -> dict[str, Any]:
    allowed = 0 if table.setup is None else table.setup.breaks
    return {str(side): {"allowed": allowed, "taken": table.breaks_taken[side]} for side in SIDES}
