"""What each fact does to the table, one function a fact. `kiosk.domain.table` opens with the map of phases."""

from __future__ import annotations

from collections.abc import Collection

from kiosk.domain import clock as ck
from kiosk.domain import facts as f
from kiosk.domain.asked import game_points, is_crawford_game, next_number, plain_score, reached
from kiosk.domain.flow_back import carried, left, on_record_shifted, shifted, stopped
from kiosk.domain.replacing import replace
from kiosk.domain.rulebook import Kind, Sanction
from kiosk.domain.setup import MatchSetup
from kiosk.domain.state import (
    OVER,
    Alert,
    Awaiting,
    Cube,
    End,
    Entry,
    Game,
    Halt,
    How,
    Memory,
    Penalty,
    Phase,
    RefereeCall,
    Signature,
    Stop,
    Table,
)
from kiosk.domain.types import SIDES, Instant, Pair, Side, present

NOBODY = Pair(left=False, right=False)


def setup_of(table: Table) -> MatchSetup:
    """The setup of an open match."""
    return present(table.setup)


def clock_of(table: Table) -> ck.Clock:
    """The clock of an open match."""
    return present(table.clock)


def alerted(table: Table, at: Instant, code: str, side: Side | None, detail: str = "") -> Table:
    """The table with one alert more."""
    return replace(table, alerts=(*table.alerts, Alert(at, code, side, detail)))


# ── Opening and seats ────────────────────────────────────────────────────────
def match_opened(fact: f.MatchOpened) -> Table:
    """A new match: clocks stopped before game 1, without a set-up limit."""
    setup = fact.setup
    return Table(
        match=fact.match,
        setup=setup,
        phase=Phase.OPENING,
        clock=ck.Clock(control=setup.control, reserve=setup.reserve, since=fact.at),
    )


def seats_swapped(table: Table) -> Table:
    """Names, score and reserves follow the players to the other seat."""
    setup = setup_of(table)
    setup = replace(setup, players=setup.players.swapped(), reserve=setup.reserve.swapped(), score=setup.score.swapped())
    late = replace(
        table.late,
        absent=tuple(side for side in SIDES if side.other in table.late.absent),
        started=table.late.started.swapped(),
        points=table.late.points.swapped(),
        lost_choice=tuple(side.other for side in table.late.lost_choice),
    )
    # Decision: the seats' games and rulings follow the players; before the first press there are none but penalties for lateness.
    ledger = tuple(replace(e, side=e.side.other) if isinstance(e, Penalty) else replace(e, winner=e.winner.other) for e in table.ledger)
    checked = _in_order({_OTHER_SEAT.get(item, item) for item in table.checked})
    paper = None if table.paper is None else replace(table.paper, signed=table.paper.signed.swapped())
    return replace(table, setup=setup, clock=ck.swap(clock_of(table)), late=late, ledger=ledger, checked=checked, paper=paper)


_OTHER_SEAT = {f.CheckItem.LEFT: f.CheckItem.RIGHT, f.CheckItem.RIGHT: f.CheckItem.LEFT}


def _in_order(items: Collection[f.CheckItem]) -> tuple[f.CheckItem, ...]:
    return tuple(item for item in f.CheckItem if item in items)


def item_checked(table: Table, fact: f.ItemChecked) -> Table:
    """The check-in list is a record; nothing else depends on it."""
    others = {item for item in table.checked if item is not fact.item}
    return replace(table, checked=_in_order(others | {fact.item} if fact.done else others))


# ── Presses ──────────────────────────────────────────────────────────────────
def _remember(table: Table, clock: ck.Clock, *, opening: bool = False) -> Memory:
    """What a press leaves to go back to: the clock settled at it, before it."""
    start = table.memory if table.memory is not None and table.memory.opening else None
    return Memory(clock, table.cube, table.game_turns, len(table.ledger), opening, None if opening else start)


def _without_flags(table: Table, memory: Memory) -> tuple[Entry, ...]:
    """The ledger without what flags have cost since the press: with the flags, their price is undone (domain rule 2.10)."""
    later = table.ledger[memory.entries :]
    return (*table.ledger[: memory.entries], *(e for e in later if isinstance(e, Game) or not e.flag))


def game_started(table: Table, fact: f.GameStarted) -> Table:
    """The opening press starts the other side's clock and ends no turn (domain rule 2.2)."""
    return replace(
        table,
        phase=Phase.PLAYING,
        clock=ck.begin(clock_of(table), fact.by.other, fact.at),
        memory=_remember(table, clock_of(table), opening=True),
        stop=None,
        referee_called=False,
        game_began=len(table.ledger),
        game_turns=0,
    )


def turn_ended(table: Table, fact: f.TurnEnded) -> Table:
    """The opponent's turn starts at the same instant; an early offer is opened instead, and the presser's clock runs on."""
    settled = ck.settle(clock_of(table), fact.at)
    clock = ck.end_turn(settled, fact.at)
    turns = clock.turns.put(fact.by, clock.turns[fact.by] + 1)
    if table.cube.early:  # 000 §11: he finishes his turn first; then his clock runs on with a fresh delay until he answers.
        clock = _begun_by_cube(clock, fact.by, fact.at, turns)
        cube, kept = replace(table.cube, early=False), None
    else:
        clock, cube, kept = ck.begin(clock, fact.by.other, fact.at, turns), table.cube, _remember(table, settled)
    return replace(table, now=fact.at, clock=clock, cube=cube, memory=kept, game_turns=table.game_turns + 1)


def _cube_press(table: Table, by: Side, at: Instant) -> ck.Clock:
    """An offer or a take is a press that ends no checker play: the other side's turn begins with a fresh delay."""
    return _begun_by_cube(ck.end_turn(clock_of(table), at), by.other, at)


def _begun_by_cube(clock: ck.Clock, side: Side, at: Instant, turns: Pair[int] | None = None) -> ck.Clock:
    # Domain rule 3.3: in `fischer` offer and take add nothing, so they use up no cancelled delay either; the other methods grant
    # nothing at a turn's start anyway.
    if not ck.adds_increment(clock):
        return ck.begin(clock, side, at, turns)
    plain = replace(clock, control=replace(clock.control, delay=ck.ZERO.left), no_delay=NOBODY)
    return replace(ck.begin(plain, side, at, turns), control=clock.control, no_delay=clock.no_delay)


def double_offered(table: Table, fact: f.DoubleOffered) -> Table:
    """An offer in the own turn hands the clock over; too early, it waits for the opponent's press."""
    cube = replace(table.cube, offered_by=fact.by, early=fact.early)
    if fact.early:
        return alerted(replace(table, cube=cube), fact.at, "early_double", fact.by)
    memory = _remember(table, ck.settle(clock_of(table), fact.at))
    return replace(table, cube=cube, clock=_cube_press(table, fact.by, fact.at), memory=memory)


def double_taken(table: Table, fact: f.DoubleTaken) -> Table:
    """The taker owns the cube at twice its value; the offerer is on the clock again."""
    cube = replace(table.cube, value=table.cube.value * 2, owner=fact.by, offered_by=None, turned=True)
    memory = _remember(table, ck.settle(clock_of(table), fact.at))
    return replace(table, cube=cube, clock=_cube_press(table, fact.by, fact.at), memory=memory)


def double_passed(table: Table, fact: f.DoublePassed) -> Table:
    """A pass stops both clocks and records the game at the cube's value before the double (000 §7)."""
    offered = replace(table.cube, offered_by=None)
    return _await(table, fact.at, fact.by.other, Kind.PASS, table.cube.value, offered)


def press_put_back(table: Table, fact: f.PressPutBack) -> Table:
    """The press is undone: the offender's clock runs on with what he had; what ran since is charged to nobody (000 §11)."""
    memory = present(table.memory)
    clock = replace(memory.clock, running=(), since=fact.at, switched_at=None)
    if table.phase is Phase.PLAYING:
        clock = ck.go(clock, fact.at)
    return replace(
        table,
        clock=clock,
        cube=memory.cube,
        ledger=_without_flags(table, memory),
        game_turns=memory.game_turns,
        memory=memory.earlier,
    )


def start_swapped(table: Table, fact: f.StartSwapped) -> Table:
    """The start is turned over: what ran is given back, the other side begins with a fresh delay."""
    memory = present(table.memory)
    turn = present(clock_of(table).turn)
    clock = replace(ck.begin(memory.clock, turn.other, fact.at), switched_at=None)
    if table.phase is not Phase.PLAYING:
        clock = ck.halt(clock, fact.at)
    return replace(table, clock=clock, cube=memory.cube, ledger=_without_flags(table, memory))


# ── Stops ────────────────────────────────────────────────────────────────────
def clock_stopped(table: Table, fact: f.ClockStopped) -> Table:
    """Both clocks stand; used delay stays used (domain rule 2.4)."""
    stop = Stop(fact.at, fact.reason, fact.by)
    called = table.referee_called or fact.reason is f.StopReason.REFEREE
    return replace(table, phase=Phase.STOPPED, clock=ck.halt(clock_of(table), fact.at), stop=stop, referee_called=called)


def stop_reason_given(table: Table, fact: f.StopReasonGiven) -> Table:
    """The limit counts from the stop itself, whenever the reason came."""
    standing = present(table.stop)
    stop = replace(standing, reason=fact.reason, by=standing.by or fact.by)
    called = table.referee_called or fact.reason is f.StopReason.REFEREE
    return replace(table, stop=stop, referee_called=called)


def referee_called(table: Table, fact: f.RefereeCalled) -> Table:
    """A running clock stops; a standing stop now waits for the referee, without limit."""
    table = replace(table, call=_call(table, fact))
    if table.phase is Phase.PLAYING:
        return clock_stopped(table, f.ClockStopped(fact.at, fact.by, f.StopReason.REFEREE))
    stop = None if table.stop is None else replace(table.stop, reason=f.StopReason.REFEREE)
    return replace(table, referee_called=True, stop=stop)


def _call(table: Table, fact: f.RefereeCalled) -> RefereeCall:
    """A call stands as long as nobody has come; who called may be said after it."""
    standing = table.call
    if standing is None or not table.referee_called:
        return RefereeCall(fact.by, fact.at)
    return standing if standing.by is not None else replace(standing, by=fact.by)


def clock_resumed(table: Table, fact: f.ClockResumed) -> Table:
    """The side to move runs on with what was left of its delay."""
    clock = ck.go(clock_of(table), fact.at)
    return replace(table, phase=Phase.PLAYING, clock=clock, stop=None, referee_called=False)


def alert_raised(table: Table, fact: f.AlertRaised) -> Table:
    """Each limit alerts once for its stop or break."""
    table = alerted(table, fact.at, fact.code, fact.side, fact.detail)
    if table.stop is not None and fact.code.startswith("stop_"):
        table = replace(table, stop=replace(table.stop, alerted=(*table.stop.alerted, fact.code)))
    if table.recess is not None and fact.code == "break_overrun":
        table = replace(table, recess=replace(table.recess, alerted=True))
    return table


# ── Games ────────────────────────────────────────────────────────────────────
def _await(table: Table, at: Instant, winner: Side, kind: Kind, value: int, cube: Cube) -> Table:  # noqa: PLR0917
    awaiting = Awaiting(winner, kind, value, is_crawford_game(table), disputed=False, before=left(table, at), at=at)
    return replace(
        table,
        phase=Phase.RECORDING,
        clock=ck.halt(clock_of(table), at),
        cube=cube,
        awaiting=awaiting,
        stop=None,
        game_began=len(table.ledger) if table.game_began is None else table.game_began,  # a game without clocks was played too
    )


def game_recorded(table: Table, fact: f.GameRecorded) -> Table:
    """The clocks stop; the loser checks (000 §11 "Результаты")."""
    cube = replace(table.cube, offered_by=None, early=False)
    after = _await(table, fact.at, fact.winner, fact.kind, fact.cube, cube)
    return alerted(after, fact.at, "cube_mismatch", fact.winner) if fact.mismatch else after


def game_disputed(table: Table, fact: f.GameDisputed) -> Table:
    """A referee is called, and only his entry or confirmation decides."""
    call = RefereeCall(fact.by, fact.at)
    return replace(table, awaiting=replace(present(table.awaiting), disputed=True), referee_called=True, call=call)


def record_undone(table: Table, fact: f.RecordUndone) -> Table:
    """As before the record; the time in between is charged to nobody."""
    held = present(table.awaiting)
    before = shifted(held.before, fact.at - held.before.now)
    return replace(carried(table, before), ledger=table.ledger, referee_called=table.referee_called)


def game_confirmed(table: Table, fact: f.GameConfirmed) -> Table:
    """The game counts; the match ends or the next game opens."""
    held = present(table.awaiting)
    return booked(replace(table, awaiting=None), held.winner, held.kind, held.cube, fact.at, crawford=held.crawford)


def booked(table: Table, winner: Side, kind: Kind, value: int, at: Instant, *, crawford: bool) -> Table:
    """Book the running game in the ledger at what it is worth."""
    cube = table.cube
    points = game_points(setup_of(table), kind, value, automatic=cube.automatic)
    game = Game(table.game, winner, kind, value, points, crawford, automatic=cube.automatic)
    return counted(table, game, at)


def counted(table: Table, entry: Entry, at: Instant) -> Table:
    """Add to the ledger; the length reached ends the match, a finished game opens the next."""
    table = replace(table, ledger=(*table.ledger, entry))
    winner = reached(setup_of(table), table.ledger)
    if winner is not None:
        return ended(table, winner, "score", at)
    return next_game(table, at) if isinstance(entry, Game) else table


def next_game(table: Table, at: Instant) -> Table:
    """Clocks stopped before the next game; its set-up allowance begins (domain rule 2.4)."""
    return replace(
        table,
        phase=Phase.OPENING,
        clock=ck.fresh(clock_of(table), at),
        cube=Cube(),
        game=next_number(table),
        game_began=None,
        game_turns=0,
        awaiting=None,
        memory=None,
        recess=None,
        ended=None,
        referee_called=False,
        stop=Stop(at, f.StopReason.SETUP, None) if table.paper is None else None,  # on paper nobody waits for anybody
    )


def ended(table: Table, winner: Side | None, how: How, at: Instant, *, unplayed: bool = False) -> Table:
    """The match is over."""
    return replace(
        table,
        phase=Phase.ENDED,
        clock=ck.halt(clock_of(table), at),
        cube=replace(table.cube, offered_by=None, early=False),
        ended=End(winner, how, unplayed),
        awaiting=None,
        stop=None,
        recess=None,
        memory=None,
        adjourned=None,
    )


def game_corrected(table: Table, fact: f.GameCorrected) -> Table:
    """The entry is replaced and everything that follows from the score is worked out anew (domain rule 3.5)."""
    setup = setup_of(table)

    def corrected(entry: Entry) -> Entry:
        if not isinstance(entry, Game) or entry.n != fact.game:
            return entry
        points = game_points(setup, fact.kind, fact.cube, automatic=entry.automatic)
        return replace(entry, winner=fact.winner, kind=fact.kind, cube=fact.cube, points=points, corrected=True)

    was_over, end = table.phase in OVER, table.ended
    table = replace(table, ledger=tuple(corrected(entry) for entry in table.ledger))
    if was_over:  # The finished sheet changes: its signatures fall, the old revision stays on record.
        table = replace(table, signatures=(), revision=table.revision + 1, phase=Phase.ENDED)
    if was_over and end is not None and end.how == "ruling":  # The ruling stands, whatever the score was.
        return table
    winner = reached(setup, table.ledger)
    if winner is not None:
        last = table.game if table.started else next_number(table) - 1
        return ended(replace(table, game=last), winner, "score", fact.at)
    if was_over and end is not None and end.how == "score":
        return reopened(table, fact.at)
    if was_over and end is not None and end.how == "session":
        return replace(table, ended=End(ahead(table), "session"))
    return table


def reopened(table: Table, at: Instant) -> Table:
    """The score no longer ends the match: the game that a penalty point had cut off goes on, stopped, else the next one opens."""
    cut = next((r for r in reversed(table.rulings) if r.before is not None and not r.void and r.sanction is Sanction.PENALTY_POINT), None)
    if cut is None:
        return next_game(table, at)
    rulings = tuple(replace(ruling, before=None) if ruling.id == cut.id else ruling for ruling in table.rulings)
    return replace(carried(table, stopped(present(cut.before), at)), ledger=table.ledger, rulings=rulings)


def match_resigned(table: Table, fact: f.MatchResigned) -> Table:
    """The opponent gets the points needed."""
    return ended(table, fact.by.other, "resignation", fact.at)


def session_ended(table: Table, fact: f.SessionEnded) -> Table:
    """Whoever is ahead has won; a running game is dropped as if it had not begun, the time that it took stays charged."""
    before = left(table, fact.at)
    table = replace(table, cube=Cube(), game=max(table.first_game, next_number(table) - 1), game_began=None, game_turns=0)
    table = ended(table, ahead(table), "session", fact.at)
    return replace(table, ended=replace(present(table.ended), before=before))


def session_end_undone(table: Table, fact: f.SessionEndUndone) -> Table:
    """As before the end, a running clock runs on; the time in between is charged to nobody."""
    before = present(present(table.ended).before)
    then = carried(table, shifted(before, fact.at - before.now))
    return replace(then, ledger=table.ledger, referee_called=table.referee_called)


def ahead(table: Table) -> Side | None:
    """Who leads a free session; None where it is level."""
    score = plain_score(setup_of(table), table.ledger)
    return next((side for side in SIDES if score[side] > score[side.other]), None)


def sheet_signed(table: Table, fact: f.SheetSigned) -> Table:
    """Two signatures close the sheet."""
    signatures = (*table.signatures, Signature(fact.side, fact.protest, fact.strokes))
    return replace(table, signatures=signatures, phase=Phase.SIGNED if len(signatures) == len(SIDES) else table.phase)


# ── Power ────────────────────────────────────────────────────────────────────
def _start_after(start: Instant | None, fact: f.PowerRestored) -> Instant | None:
    """The round's start on the new boot's clock: the round does not wait for a table that is off."""
    return None if start is None else Instant(max(0, start + fact.at - fact.last_known - (fact.off or 0)))


def power_restored(table: Table, fact: f.PowerRestored) -> Table:
    """A running clock comes back stopped, late clocks stand until started again, all else is as it was (domain rule 2.12)."""
    dead = fact.at - fact.last_known
    table = on_record_shifted(replace(table, official=None), dead)
    if table.setup is None:
        on = table.chouette is not None and not table.chouette.ended
        return replace(alerted(table, fact.at, "power_restored", None) if on else table, now=fact.at)
    table = replace(table, setup=replace(setup_of(table), round_start=_start_after(setup_of(table).round_start, fact)))
    stood = replace(table, clock=ck.halt(clock_of(table), fact.last_known))
    stood = alerted(shifted(stood, dead), fact.at, "power_restored", None)
    if table.phase is Phase.PLAYING:
        stood = replace(stood, phase=Phase.STOPPED, stop=Stop(fact.at, Halt.POWER, None))
    return replace(stood, now=fact.at)
