"""Whatever an official does, wherever the table stands: taken back it is as if it had not been, and the score is what counts.

The chief's rulings and acts are drawn by chance, after an evening drawn by chance, and taken back at once, after a while in which nobody
does anything, or after more play. A running clock may come back stopped, and what ran meanwhile is charged to nobody then.
"""

from __future__ import annotations

from typing import Any

from chance import ACTS, EVENINGS, MORE, RULINGS, SETUPS, Chance
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from kiosk.domain.asked import crawford_played, cube_frozen, is_crawford_game, plain_score, reached, score_of, standing_of
from kiosk.domain.clock import settle
from kiosk.domain.rulebook import Sanction
from kiosk.domain.state import OVER, Phase, Table
from kiosk.domain.types import NS_PER_S, SIDES, Instant
from kiosk.session import commands as c
from tests.often import often

LIGHT = {None, Sanction.REMARK, Sanction.WARNING}
MANY = settings(max_examples=often(120), deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


def seen(table: Table, at: int) -> dict[str, Any]:
    """Everything that taking back must give back."""
    clock = None if table.clock is None else settle(table.clock, Instant(at))
    assert clock is not None
    end = table.ended
    return {
        "phase": Phase.STOPPED if table.phase is Phase.PLAYING else table.phase,
        "score": score_of(table),
        "cube": table.cube,
        "game": (table.game, table.started, table.game_turns),
        "games": table.games,
        "crawford": (is_crawford_game(table), crawford_played(table), cube_frozen(table)),
        "end": None if end is None else (end.winner, end.how, standing_of(table)),
        "reserve": clock.reserve,
        "overrun": clock.overrun,
        "used": clock.used if clock.turn is None else clock.used[clock.turn],
        "delay": (clock.turn, None if clock.turn is None else clock.delay_left(clock.turn), clock.bare, clock.no_delay),
        "control": (clock.control, table.setup and table.setup.control),
        "flags": clock.flags,
        "turns": clock.turns,
        "breaks": table.breaks_taken,
        "dice": table.dice_changed,
        "permissions": table.permissions,
        "awaiting": None
        if table.awaiting is None
        else (table.awaiting.winner, table.awaiting.kind, table.awaiting.cube, table.awaiting.disputed),
        "memory": None if table.memory is None else (table.memory.clock.reserve, table.memory.cube),
        "seats": table.setup and table.setup.players,
    }


def what_counts(table: Table) -> None:
    """The score is the sum of what was not taken back, and it alone says whether it has ended the match."""
    assert table.setup is not None
    void = {ruling.id for ruling in table.rulings if ruling.void}
    assert all(entry.void for entry in table.ledger if entry.ruling in void)
    counted = tuple(entry for entry in table.ledger if entry.ruling not in void)
    assert plain_score(table.setup, table.ledger) == plain_score(table.setup, counted)
    winner = reached(table.setup, counted)
    assert (winner is None) or table.phase in OVER
    if table.ended is not None and table.ended.how == "score":
        assert winner is table.ended.winner
    if table.phase in {Phase.SIGNED, Phase.RECEIVED}:
        assert len(table.signatures) == 2 or table.ended is not None
    numbers = [game.n for game in table.games]
    assert len(set(numbers)) == len(numbers)


def played(made: Any, evening: Any) -> Chance:
    table = Chance(made)
    for wait, what in evening:
        table.step(wait, what)
    return table


def holds(table: Chance) -> None:
    assert table.evening.replayed() == table.evening.table
    what_counts(table.evening.table)


@MANY
@given(made=SETUPS, evening=EVENINGS, act=st.one_of(RULINGS, ACTS), wait=st.sampled_from([0, NS_PER_S, 20 * NS_PER_S]))
def test_undone_at_once_it_has_not_been(made: Any, evening: Any, act: c.Command, wait: int) -> None:
    table = played(made, evening)
    before, acts, start = table.evening.table, len(table.evening.table.acts), table.at
    assume(table.step(wait, act) is not None and len(table.evening.table.acts) > acts)
    assume(before.phase is not None)
    was = seen(played_on(made, evening, wait).evening.table, start + wait)
    assert table.step(0, c.Undo()) is not None
    now = seen(table.evening.table, table.at)
    if (
        isinstance(act, c.Rule) and act.sanction not in LIGHT and before.phase is Phase.SIGNED
    ):  # a ruling that changes the result clears the signatures for good
        now["phase"] = was["phase"] = Phase.ENDED
    assert now == was
    holds(table)


def played_on(made: Any, evening: Any, wait: int) -> Chance:
    """The same evening, with nothing but time at its end."""
    table = played(made, evening)
    table.at += wait
    table.evening.session.touch(Instant(table.at))
    table.evening.session.tick(Instant(table.at))
    return table


@MANY
@given(made=SETUPS, evening=EVENINGS, ruling=RULINGS, pause=st.sampled_from([0, NS_PER_S, 30 * NS_PER_S]))
def test_a_ruling_taken_back_has_not_been(made: Any, evening: Any, ruling: c.Rule, pause: int) -> None:
    table = played(made, evening)
    before = table.evening.table
    assume(table.step(0, ruling) is not None)
    after = table.evening.table
    assert after.clock is not None
    twin = played_on(made, evening, pause if after.clock.running else 0)
    was = seen(twin.evening.table, twin.at)
    table.at += pause
    table.evening.session.touch(Instant(table.at))
    table.evening.session.tick(Instant(table.at))
    was_over = [each.phase in OVER for each in (before, table.evening.table)]
    assert table.step(0, c.Void(len(after.rulings), "mistaken")) is not None
    now = seen(table.evening.table, table.at)
    if twin.evening.table.phase in OVER:
        heavy = after.rulings[-1].sanction not in LIGHT
        assert table.evening.table.revision == twin.evening.table.revision + heavy * sum(was_over)
        assert not heavy or not table.evening.table.signatures
        now["phase"] = was["phase"] = Phase.ENDED
    assert now == was
    holds(table)


@MANY
@given(made=SETUPS, evening=EVENINGS, ruling=RULINGS, more=MORE)
def test_a_ruling_taken_back_later_counts_no_more(made: Any, evening: Any, ruling: c.Rule, more: Any) -> None:
    table = played(made, evening)
    assume(table.step(0, ruling) is not None)
    number = len(table.evening.table.rulings)
    for wait, what in more:
        table.step(wait, what)
        what_counts(table.evening.table)
    assert table.step(0, c.Void(number, "mistaken")) is not None
    holds(table)


@MANY
@given(made=SETUPS, evening=EVENINGS, acts=st.lists(ACTS, min_size=1, max_size=6))
def test_acts_are_undone_one_after_the_other(made: Any, evening: Any, acts: list[c.Command]) -> None:
    table = played(made, evening)
    table.step(0, c.StopClock(None, None))
    stack = []
    for act in acts:
        before, depth = table.evening.table, len(table.evening.table.acts)
        if table.step(0, act) is not None and len(table.evening.table.acts) > depth:
            signed = isinstance(act, c.Rule) and act.sanction not in LIGHT and before.phase is Phase.SIGNED
            stack.append(seen(before, table.at) | ({"phase": Phase.ENDED} if signed else {}))
        elif table.evening.table is not before:
            stack.clear()
        holds(table)
    for was in reversed(stack):
        assert table.step(0, c.Undo()) is not None
        assert seen(table.evening.table, table.at) == was
    holds(table)


@MANY
@given(made=SETUPS, evening=EVENINGS)
def test_no_evening_with_officials_breaks_the_table(made: Any, evening: Any) -> None:
    table = played(made, evening)
    holds(table)
    clock = table.evening.table.clock
    assert clock is not None
    assert all(clock.reserve[side] >= 0 and clock.used[side] >= 0 and clock.overrun[side] >= 0 for side in SIDES)
    assert table.evening.power_cut(0.5)
    assert table.evening.table.official is None
    holds(table)
    assert not table.evening.table.clock.running  # type: ignore[union-attr]


# ── In any order ─────────────────────────────────────────────────────────────
HEAVY = st.lists(
    st.builds(
        lambda side, sanction: c.Rule((side,), "device", sanction, panel=("Ida",), duplicate="keep"),
        st.sampled_from(SIDES),
        st.sampled_from([Sanction.PENALTY_POINT, Sanction.PENALTY_POINT, Sanction.GAME_LOSS, Sanction.MATCH_LOSS, Sanction.EXPULSION]),
    ),
    min_size=2,
    max_size=4,
)


@MANY
@given(made=SETUPS, evening=EVENINGS, rulings=HEAVY, order=st.permutations(range(4)))
def test_rulings_are_taken_back_in_any_order(made: Any, evening: Any, rulings: list[c.Rule], order: list[int]) -> None:
    table = played(made, evening)
    table.step(0, c.StopClock(None, None))
    before = table.evening.table
    assume(before.phase not in OVER)
    was, first = seen(before, table.at), len(before.rulings) + 1
    done = [ruling for ruling in rulings if table.step(0, ruling) is not None]
    for place in (place for place in order if place < len(done)):
        assert table.step(0, c.Void(first + place, "mistaken")) is not None
        holds(table)
    now = seen(table.evening.table, table.at)
    assert now | {"awaiting": None} == was | {"awaiting": None}
