"""What rulings and appeals do to the table (000 §11, domain rules 4.2–4.5).

A ruling is never edited. Its effects lie in the ledger (penalty points, a lost game) or in the match's end, marked with the ruling's
number. Taking it back goes one of two ways:

* The ruling ended a game or the match, and play has not gone on over it: the table before the ruling is taken up again, stopped, with
  everything that was written down since. What the clocks showed then they show now; the time in between is charged to nobody.
* Else its entries are marked void: they count no more, and everything that follows from the score is worked out anew.

Every later ruling keeps the table before it; what is taken back comes off there too, so that rulings may be taken back in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from kiosk.domain import clock as ck
from kiosk.domain import facts as f
from kiosk.domain.asked import game_points, is_crawford_game, reached
from kiosk.domain.flow import ahead, clock_of, counted, ended, reopened, setup_of
from kiosk.domain.flow_back import carried, left, stopped
from kiosk.domain.replacing import replace
from kiosk.domain.rulebook import Kind, Sanction
from kiosk.domain.state import OVER, Appeal, End, Entry, ExaminedPlay, Game, Penalty, Phase, Ruling, Table
from kiosk.domain.types import Instant, Side, present

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
    return replace(after, rulings=(*table.rulings, replace(ruling, before=_before(table, after, ruling.sanction, at))))


def _before(table: Table, after: Table, sanction: Sanction | None, at: Instant) -> Table | None:
    """What the ruling put an end to; who has lost the match already can lose it by another ruling too."""
    cut = after.phase is not table.phase or after.game != table.game or after.ended != table.ended
    return left(table, at) if cut or sanction in ENDS_MATCH else None


def _losers(rulings: Iterable[Ruling]) -> frozenset[Side]:
    """Who has lost the match by a ruling that stands."""
    return frozenset(side for ruling in rulings if ruling.sanction in ENDS_MATCH and not ruling.void for side in ruling.sides)


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
    game = Game(table.game, winner, won, cube.value, points, crawford, automatic=cube.automatic, ruling=ruling.id, begun=table.started)
    return counted(table, game, at)


def _match_lost(table: Table, ruling: Ruling, at: Instant) -> Table:
    lost = ended(table, _winner((*table.rulings, ruling)), "ruling", at)
    # A finished sheet changed: its signatures fall, the old revision stays on record (domain rule 3.6).
    return replace(lost, signatures=(), revision=lost.revision + 1) if table.phase in OVER else lost


def _winner(rulings: Iterable[Ruling]) -> Side | None:
    """Whose opponent has lost the match by a ruling; None where both have, by one ruling or by two."""
    losers = _losers(rulings)
    return None if len(losers) > 1 else next(iter(losers)).other


def ruling_merged(table: Table, fact: f.RulingMerged) -> Table:
    """On record beside the ruling that it repeats."""
    return _changed(table, fact.ruling, lambda ruling: replace(ruling, merged=ruling.merged + 1))


def play_attached(table: Table, fact: f.PlayAttached) -> Table:
    """On record with its ruling; it decides nothing by itself."""
    play = ExaminedPlay(fact.position, fact.dice, fact.move, fact.verdict, fact.article, fact.mover)
    return _changed(table, fact.ruling, lambda ruling: replace(ruling, plays=(*ruling.plays, play)))


def play_taken_off(table: Table, number: int) -> Table:
    """The last one that was attached to a ruling comes off again."""
    return _changed(table, number, lambda ruling: replace(ruling, plays=ruling.plays[:-1]))


def _changed(table: Table, number: int, change: _Change) -> Table:
    return replace(table, rulings=tuple(change(ruling) if ruling.id == number else ruling for ruling in table.rulings))


# ── Taking back ──────────────────────────────────────────────────────────────
def ruling_voided(table: Table, fact: f.RulingVoided) -> Table:
    """What it did comes off again, and an appeal against it has got what it was for."""
    appeals = tuple(
        replace(appeal, outcome=f.Outcome.VOID) if appeal.ruling == fact.ruling and appeal.outcome is None else appeal
        for appeal in table.appeals
    )
    return voided(replace(table, appeals=appeals), fact.ruling, fact.reason, fact.at)


def voided(table: Table, number: int, reason: str, at: Instant) -> Table:
    """The table without a ruling's effects."""
    ruling = table.rulings[number - 1]
    was_over = table.phase in OVER
    table = _changed(table, number, lambda old: replace(old, void=True, why_void=reason, before=None))
    # What is appealed against is gone: the appeals against it are over, as if they had been upheld in full.
    over = tuple(replace(a, outcome=f.Outcome.VOID) if a.ruling == number and a.outcome is None else a for a in table.appeals)
    table = replace(table, appeals=over)
    # Decision: a light sanction changes nothing that was signed, so that its signatures stay.
    if ruling.sanction is None or (ruling.sanction not in ENDS and ruling.sanction is not Sanction.PENALTY_POINT):
        return table
    revision = table.revision + 1 if was_over else table.revision
    after = _off(_off_the_pasts(table, ruling), ruling, at)
    if not was_over:
        return after
    return replace(after, signatures=(), revision=revision, phase=Phase.ENDED if after.phase in OVER else after.phase)


def _off_the_pasts(table: Table, ruling: Ruling) -> Table:
    """The table before each later ruling, as if this one had been taken back by then."""
    rulings = list(table.rulings)
    for place in range(ruling.id, len(rulings)):
        past = rulings[place].before
        if past is not None:
            then = _off(replace(past, rulings=tuple(rulings[:place])), ruling, past.now)
            rulings[place] = replace(rulings[place], before=left(then, past.now))
    return replace(table, rulings=tuple(rulings))


def _off(table: Table, ruling: Ruling, at: Instant) -> Table:
    return _taken_up(table, ruling, at) if _stands_on(table, ruling) else _worked_out(table, ruling, at)


def _stands_on(table: Table, ruling: Ruling) -> bool:
    """Whether the table still stands where this ruling has put it: it can be taken up as it was before."""
    if ruling.before is None:
        return False
    if ruling.sanction in ENDS_MATCH:
        return table.ended is not None and table.ended.how == "ruling" and not _losers(table.rulings)
    if table.ended is not None and table.ended.how != "score":  # it was ended by something else since
        return False
    positions = [position for position, entry in enumerate(table.ledger) if entry.ruling == ruling.id]
    since = table.ledger[positions[-1] + 1 :] if positions else ()
    no_game_since = bool(positions) and all(isinstance(entry, Penalty) for entry in since)
    return no_game_since and not (table.started and table.ended is None)


def _taken_up(table: Table, ruling: Ruling, at: Instant) -> Table:
    """The table before the ruling, with what was entered in the ledger after it; corrections and voids since then hold."""
    before = present(ruling.before)
    there = {entry.n for entry in before.ledger if isinstance(entry, Game)}
    ledger = tuple(entry for entry in table.ledger if entry.ruling != ruling.id and not _open_again(entry, there))
    opened = carried(table, stopped(before, at))
    return _end_now(replace(opened, ledger=ledger, breaks_taken=table.breaks_taken), at)  # a break that was had is had


def _open_again(entry: Entry, there: Collection[int]) -> bool:
    """Whether an entry is of a lost game whose ruling was taken back, and that has not been lost on this table."""
    return isinstance(entry, Game) and entry.void and entry.n not in there


def _worked_out(table: Table, ruling: Ruling, at: Instant) -> Table:
    """Its entries count no more."""
    ledger = tuple(replace(entry, void=True) if entry.ruling == ruling.id else entry for entry in table.ledger)
    return _end_now(replace(table, ledger=ledger), at)


def _end_now(table: Table, at: Instant) -> Table:
    """The match's end as the score and the rulings that stand have it now."""
    end, winner = table.ended, reached(setup_of(table), table.ledger)
    if end is None:
        return table if winner is None else ended(table, winner, "score", at)
    match end.how:
        case "ruling":
            return replace(table, ended=End(_winner(table.rulings), "ruling"))
        case "session":
            return replace(table, ended=End(ahead(table), "session"))
        case "score" if winner is None:
            return reopened(table, at)
        case "score":
            return replace(table, ended=End(winner, "score"))
        case _:
            return table


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
