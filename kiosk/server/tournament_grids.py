"""Tables that are printed and saved beside the stages' own: a round's pairings by table and by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.say import _
from kiosk.server import assignments
from kiosk.server import tournament_views as views
from kiosk.sheets.grid import Grid
from kiosk.tournament.event import KNOCK_OUT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kiosk.tournament.event import Event, Stage


def pairings(event: Event, stage: Stage, made: Sequence[views.Line], number: int = 0) -> tuple[list[Grid], str]:
    """Who plays whom and where, by table and by name, and what it is called.

    Args:
        event: The whole of it.
        stage: Which.
        made: Its matches.
        number: The round; 0: what is played now.
    """
    knock_out = stage.plan.system in KNOCK_OUT  # there a bye is no match; in a round it is told
    of_round = [each for each in made if each.fixture.round == number and not (knock_out and views.alone(each))]
    lines = of_round if number else views.current(stage, made)
    rounds = sorted({each.fixture.round for each in lines})
    title = _("Pairings, round {n}", n=rounds[0]) if len(rounds) == 1 else _("Pairings")
    if not lines:
        return [], title
    by_table = sorted(lines, key=lambda each: (not each.table, assignments.natural(each.table)))
    heads = (_("Table"), _("Player"), _("Opponent"), _("Outcome"), _("Match"))
    tables = tuple((each.table, each.left, each.right, _outcome(each, 0), each.fixture.key) for each in by_table)
    seats = views.seats_of(event, stage, lines)
    names = tuple((seat.table, seat.name, seat.opponent, _outcome(seat.line, seat.side), seat.line.fixture.key) for seat in seats)
    return [Grid(_("By table"), heads, tables), Grid(_("By name"), heads, names)], title


def _outcome(each: views.Line, side: int) -> str:
    if each.marks is None:
        return ""
    return f"{each.marks[side]} : {each.marks[1 - side]}"
