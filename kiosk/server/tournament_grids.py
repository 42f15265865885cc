"""Tables that are shown, printed and saved beside the stages' own: a round's pairings, the event's final ranking, its ratings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.domain.types import Side as Seat
from kiosk.say import _, mark, n_
from kiosk.server import assignments
from kiosk.server import tournament_views as views
from kiosk.sheets.bracket import Pairing, Part, Side
from kiosk.sheets.grid import Grid
from kiosk.tournament.event import KNOCK_OUT
from kiosk.tournament.final import Ranked, counting, final_ranking
from kiosk.tournament.rated import Change, rated_event
from kiosk.tournament.ratings import Ramp

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from kiosk.tournament.event import Event, Stage

RAMPS = {
    Ramp.FIBS: mark("as FIBS does: K from 5 down to 1 within 400 points of experience"),
    Ramp.SLOW: mark("slowly: K from 2 down to 1 within 400 points of experience"),
    Ramp.NONE: mark("not at all: K is 1 for everybody"),
}
"""How a beginner's rating moves faster."""


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


def bracket(trees: Sequence[views.Tree]) -> list[Part]:
    """A knock-out's parts, to be printed."""
    return [Part(tree.title, tuple(tuple(_pairing(box) for box in each) for each in tree.rounds)) for tree in trees]


def _pairing(box: views.Box) -> Pairing:
    line = box.line
    marks = tuple(line.score.split("–")) if line.score else line.marks or ("", "")
    sides = (
        (line.left, line.fixture.left, box.won is Seat.LEFT, marks[0]),
        (line.right, line.fixture.right, box.won is Seat.RIGHT, marks[1]),
    )
    left, right = (Side(name, who is not None, won, mark) for name, who, won, mark in sides)
    return Pairing(line.fixture.key, left, right, box.void)


# ── The whole event ──────────────────────────────────────────────────────────
def ranking(event: Event, stages: Collection[int] | None = None) -> list[Grid]:
    """The final ranking over all stages; none before there is a stage.

    Args:
        event: The whole of it.
        stages: Those that count; None: all but the consolations.
    """
    ranked = final_ranking(event, stages)
    if not ranked:
        return []
    heads = (_("Rank"), _("Name"), _("Club"), _("Country"), _("Placed in"), _("Points"), _("Remark"))
    notes = (
        () if all(views.over(event, each) for each in counting(event, stages)) else (_("Provisional: not everything has been played yet."),)
    )
    return [Grid(_("Final ranking"), heads, tuple(_ranked(event, each) for each in ranked), notes)]


def _ranked(event: Event, each: Ranked) -> tuple[str | int | float, ...]:
    who, left, stage = event.entrants[each.entrant], event.left.get(each.entrant), event.stage(each.stage)
    points = "" if each.row is None or each.row.place is None else views.plain(each.row.place.has.points)
    remarks = [_("struck out")] if each.row is None else views.went_out(stage, each.row)
    remarks += [] if left is None else [_(views.WHY_LEFT[left])]
    return ("–" if each.rank is None else each.rank, who.name, who.club, who.country, stage.plan.name, points, ", ".join(remarks))


def about_ranking(event: Event, stages: Collection[int] | None = None) -> list[tuple[str, str]]:
    """Which stages count, as (what, how)."""
    told = [f"{each.plan.name} ({_(views.SYSTEMS[each.plan.system])})" for each in counting(event, stages)]
    return [(_("Stages"), "; ".join(told))]


def ratings(event: Event) -> list[Grid]:
    """Everybody's rating before and after, the highest first; none before there is anybody."""
    made = rated_event(event)
    if not made.changes:
        return []
    heads = (_("No."), _("Name"), _("Rating"), _("Change"), _("Before"), _("Matches"), _("Won"), _("Experience"))
    rows = tuple(_rated(event, n, each) for n, each in enumerate(made.changes, 1))
    notes = []
    if made.without_length:
        said = n_(
            "{n} match is not rated: nobody has told to how many points it was played.",
            "{n} matches are not rated: nobody has told to how many points they were played.",
            made.without_length,
        )
        notes.append(said)
    return [Grid(_("Ratings"), heads, rows, tuple(notes), signed=frozenset({3}))]


def _rated(event: Event, n: int, each: Change) -> tuple[str | int | float, ...]:
    change = round(each.change, 2) + 0.0 if each.matches else ""  # no minus before a nought
    name = event.name(int(each.player))
    return (n, name, round(each.after.value, 2), change, round(each.before.value, 2), each.matches, each.won, each.after.experience)


def about_ratings(event: Event) -> list[tuple[str, str]]:
    """How they are reckoned, as (what, how)."""
    length = event.rating.length
    return [
        (_("Formula"), _("FIBS: by the difference of ratings, the match length and experience")),
        (_("Beginners move faster"), _(RAMPS[event.rating.ramp])),
        (_("Match length where a result tells none"), n_("{n} point", "{n} points", length) if length else _("not rated then")),
        (_("Not rated"), _("byes, forfeits, annulled results")),
    ]
