"""What rulings and appeals do to the table (000 §11, domain rules 4.2–4.5).

A ruling is never edited. Its effects lie in the ledger (penalty points, a lost game) or in the match's end, marked with the ruling's
number. Taking it back goes one of two ways:

* The ruling ended a game or the match, and play has not gone on over it: the table before the ruling is taken up again, stopped, with
  everything that was written down since. What the clocks showed then they show now; the time in between is charged to nobody.
* Else its entries are marked void: they count no more, and everything that follows from the score is worked out anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from kiosk.domain import clock as ck
from kiosk.domain import facts as f
from kiosk.domain.flow import clock_of, counted, ended, next_game, setup_of
from kiosk.domain.flow_official import carried, stopped
from kiosk.domain.rulebook import Kind, Sanction
from kiosk.domain.state import (
    OVER,
    Appeal,
    End,
    Game,
    Penalty,
    Ruling,
    Table,
    game_points,
    is_crawford_game,
    reached,
)
from kiosk.domain.types import Instant, present

ENDS_MATCH = frozenset({Sanction.MATCH_LOSS, Sanction.EXPULSION})
ENDS = ENDS_MATCH | {Sanction.GAME_LOSS}
"""Sanctions that end a game or the match."""

_Change = Callable[[Ruling], Ruling]


def ruling_made(table: Table, fact: f.RulingMade) -> Table:
    """Put it on record and let it take effect."""
    ruling = Ruling(
        id=len(table.rulings) + 1,
        at=fact.at,
        game=table.game,
        sides=fact.sides,
        infraction=fact.infraction,
        sanction=fact.sanction,
        by=present(table.official).official,
        call=table.call,
        note=fact.note,
        ground=fact.ground,
        earlier=fact.earlier,
        suggested=fact.suggested,
        panel=fact.panel,
        duplicate=fact.duplicate,
    )
    return _ruled(table, ruling, fact.kind, fact.at)


def _ruled(table: Table, ruling: Ruling, kind: Kind | None, at: Instant) -> Table:
    after = _effect(table, ruling, kind, at)
    before = table if after.phase is not table.phase or after.game != table.game or after.ended != table.ended else None
    return replace(after, rulings=(*table.rulings, replace(ruling, before=before)))


def _effect(table: Table, ruling: Ruling, kind: Kind | None, at: Instant) -> Table:
    match ruling.sanction:
        case Sanction.PENALTY_POINT:
            for side in ruling.sides:
                table = replace(table, ledger=(*table.ledger, Penalty(side, 1, ruling=ruling.id)))
            winner = reached(setup_of(table), table.ledger)
            return table if winner is None else ended(table, winner, "score", at)
        case Sanction.GAME_LOSS:
            return _game_lost(table, ruling, kind, at)
        case Sanction.MATCH_LOSS | Sanction.EXPULSION:
            return _match_lost(table, ruling, at)
        case _:
            return table


def _game_lost(table: Table, ruling: Ruling, kind: Kind | None, at: Instant) -> Table:
    """The current game, between games the next one, at the cube's value; no confirmation is needed (domain rule 4.3)."""
    setup, cube = setup_of(table), table.cube
    won = setup.kinds[0][0] if kind is None else kind
    points = game_points(setup, won, cube.value, automatic=cube.automatic)
    winner = ruling.sides[0].other
    crawford = is_crawford_game(table)
    table = replace(table, clock=ck.halt(clock_of(table), at), awaiting=None)
    game = Game(table.game, winner, won, cube.value, points, crawford, automatic=cube.automatic, ruling=ruling.id)
    return counted(table, game, at)


def _match_lost(table: Table, ruling: Ruling, at: Instant) -> Table:
    winner = None if len(ruling.sides) > 1 else ruling.sides[0].other
    lost = ended(table, winner, "ruling", at)
    # A finished sheet changed: its signatures fall, the old revision stays on record (domain rule 3.6).
    return replace(lost, signatures=(), revision=lost.revision + 1) if table.phase in OVER else lost


def ruling_merged(table: Table, fact: f.RulingMerged) -> Table:
    """On record beside the ruling that it repeats."""
    return _changed(table, fact.ruling, lambda ruling: replace(ruling, merged=ruling.merged + 1))


def _changed(table: Table, number: int, change: _Change) -> Table:
    return replace(table, rulings=tuple(change(ruling) if ruling.id == number else ruling for ruling in table.rulings))


# ── Taking back ──────────────────────────────────────────────────────────────
def ruling_voided(table: Table, fact: f.RulingVoided) -> Table:
    """What it did comes off again."""
    return voided(table, fact.ruling, fact.reason, fact.at)


def voided(table: Table, number: int, reason: str, at: Instant) -> Table:
    """The table without a ruling's effects."""
    ruling = table.rulings[number - 1]
    was_over = table.phase in OVER
    table = _changed(table, number, lambda old: replace(old, void=True, why_void=reason, before=None))
    if ruling.sanction is None or (ruling.sanction not in ENDS and ruling.sanction is not Sanction.PENALTY_POINT):
        return table
    if _stands_on(table, ruling):
        opened = _taken_up(table, ruling, at)
        return replace(opened, signatures=(), revision=table.revision + 1) if was_over else opened
    return _worked_out(table, ruling, at, was_over=was_over)


def _stands_on(table: Table, ruling: Ruling) -> bool:
    """Whether the table still stands where this ruling has put it: it can be taken up as it was before."""
    if ruling.before is None:
        return False
    if ruling.sanction in ENDS_MATCH:
        return table.ended is not None and table.ended.how == "ruling"
    last = table.ledger[-1] if table.ledger else None
    own = [entry for entry in table.ledger if entry.ruling == ruling.id]
    after = table.ledger[table.ledger.index(own[0]) :] if own else ()
    no_game_since = all(isinstance(entry, Penalty) for entry in after if entry.ruling != ruling.id)
    return last is not None and bool(own) and no_game_since and not (table.started and table.ended is None)


def _taken_up(table: Table, ruling: Ruling, at: Instant) -> Table:
    """The table before the ruling, with what was entered in the ledger after it."""
    before = present(ruling.before)
    known = len(before.ledger)
    later = tuple(entry for entry in table.ledger[known:] if entry.ruling != ruling.id)
    kept = _with_voids(before, table)
    opened = carried(table, stopped(replace(kept, ledger=(*kept.ledger, *later)), ruling.at, at))
    winner = reached(setup_of(opened), opened.ledger)
    return opened if winner is None or opened.ended is not None else ended(opened, winner, "score", at)


def _with_voids(before: Table, now: Table) -> Table:
    """The earlier ledger as it stands now: corrections and voids since then hold."""
    return replace(before, ledger=now.ledger[: len(before.ledger)])


def _worked_out(table: Table, ruling: Ruling, at: Instant, *, was_over: bool) -> Table:
    """Its entries count no more; the score, and with it the end, are worked out anew."""
    ledger = tuple(replace(entry, void=True) if entry.ruling == ruling.id else entry for entry in table.ledger)
    table = replace(table, ledger=ledger)
    if was_over:
        table = replace(table, signatures=(), revision=table.revision + 1)
    winner, end = reached(setup_of(table), ledger), table.ended
    if end is None or end.how != "score" or winner is end.winner:
        return table
    if winner is not None:
        return replace(table, ended=End(winner, "score"))
    return next_game(table, at)


# ── Appeals ──────────────────────────────────────────────────────────────────
def appeal_lodged(table: Table, fact: f.AppealLodged) -> Table:
    """The ruling holds until it is decided."""
    appeal = Appeal(len(table.appeals) + 1, fact.ruling, fact.by, fact.to, fact.at)
    return replace(table, appeals=(*table.appeals, appeal))


def appeal_decided(table: Table, fact: f.AppealDecided) -> Table:
    """A decision supersedes, it never edits: the old ruling falls, another one takes its place."""
    appeal = table.appeals[fact.appeal - 1]
    old = table.rulings[appeal.ruling - 1]
    if fact.outcome is not f.Outcome.UPHELD:
        table = voided(table, old.id, fact.outcome, fact.at)
    if fact.outcome not in {f.Outcome.UPHELD, f.Outcome.VOID}:
        new = replace(
            old,
            id=len(table.rulings) + 1,
            at=fact.at,
            game=table.game,
            sanction=Sanction(fact.outcome),
            by=present(table.official).official,
            ground="appeal",
            earlier=old.id,
            panel=fact.names,
            void=False,
            why_void="",
            merged=0,
            before=None,
        )
        table = _ruled(table, new, None, fact.at)
    decided = replace(appeal, outcome=fact.outcome, names=fact.names)
    return replace(table, appeals=tuple(decided if a.id == appeal.id else a for a in table.appeals))
