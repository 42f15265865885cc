"""Prizes: the fund exactly, to those whose it is; and what everybody owes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kiosk.tournament import happened as h
from kiosk.tournament.event import Event
from kiosk.tournament.fold import fold as event_of
from kiosk.tournament.funds import Account, accounts, fund, ranking, won
from kiosk.tournament.ledger import Ledger, Sums, fold
from kiosk.tournament.money import (
    MAIN,
    WHOLE,
    Added,
    Charged,
    Deducted,
    Entry,
    Paid,
    PoolSet,
    Refunded,
    Terms,
    TermsSet,
    TookPart,
    Waived,
)
from kiosk.tournament.plan import Entrant, StagePlan, System
from kiosk.tournament.prizes import PRESETS, Prize, amounts, check_shares, only, percent, prizes, rising, suggested


# ── A payout table ───────────────────────────────────────────────────────────
def test_places_have_their_shares_rounded_down_and_the_first_what_is_left() -> None:
    assert amounts(100_000, (5000, 3000, 2000), 100) == (50_000, 30_000, 20_000)
    assert amounts(10_001, (5000, 3333, 1667), 100) == (5_101, 3_300, 1_600)
    assert amounts(99, (5000, 5000), 100) == (99, 0)
    assert amounts(500, (), 1) == ()


def test_tables_that_are_suggested_come_to_a_hundred_percent() -> None:
    for shares in PRESETS.values():
        check_shares(shares)
    assert [len(suggested(n)) for n in (2, 4, 7, 8, 16, 32, 64, 128, 500)] == [1, 2, 2, 4, 8, 8, 16, 32, 32]
    assert suggested(0) == (WHOLE,)


def test_a_share_is_written_without_idle_zeros() -> None:
    assert [percent(each) for each in (10_000, 5000, 1250, 333, 105)] == ["100", "50", "12.5", "3.33", "1.05"]


# ── Prizes ───────────────────────────────────────────────────────────────────
def test_those_who_share_places_share_their_sum_and_what_cannot_be_divided_goes_by_the_published_order() -> None:
    assert prizes(100_00, (5000, 3000, 2000), 100, [[4], [2, 9], [1]]) == (
        Prize(4, 1, 1, 5000),
        Prize(2, 2, 3, 2500),
        Prize(9, 2, 3, 2500),
    )
    three = prizes(100_01, (5000, 3000, 2000), 100, [[1, 2, 3]])
    assert [each.amount for each in three] == [3401, 3300, 3300]
    assert [each.amount for each in prizes(11_00, (WHOLE,), 100, [[1, 2, 3]])] == [400, 400, 300]
    beyond = prizes(100_00, (5000, 3000, 2000), 100, [[1], [2], [3, 4]])
    assert [(each.entrant, each.first, each.last, each.amount) for each in beyond[2:]] == [(3, 3, 4, 1000), (4, 3, 4, 1000)]


def test_places_that_nobody_holds_go_to_the_first() -> None:
    assert [each.amount for each in prizes(100_00, (5000, 3000, 2000), 100, [[1], [], [2]])] == [7000, 3000]


@pytest.mark.parametrize(("shares", "ranked"), [((), [[1]]), ((WHOLE,), []), ((WHOLE,), [[]])])
def test_without_a_table_or_a_ranking_nobody_gets_anything(shares: tuple[int, ...], ranked: list[list[int]]) -> None:
    assert prizes(5000, shares, 1, ranked) == ()


def test_a_side_pools_ranking_is_of_those_who_take_part() -> None:
    assert only([[1], [2, 3], [4]], {3, 4}) == ((3,), (4,))


@st.composite
def tables(draw: Any) -> tuple[int, ...]:
    cuts = sorted(draw(st.sets(st.integers(1, WHOLE - 1), max_size=12)))
    return tuple(b - a for a, b in zip([0, *cuts], [*cuts, WHOLE], strict=True))


@given(
    held=st.integers(0, 10**9),
    shares=tables(),
    unit=st.sampled_from([1, 5, 100, 500, 10_000]),
    sizes=st.lists(st.integers(1, 5), min_size=1, max_size=12),
)
def test_what_is_paid_is_the_fund_whatever_it_is(held: int, shares: tuple[int, ...], unit: int, sizes: list[int]) -> None:
    check_shares(shares)
    numbers = iter(range(1, 100))
    ranked = [[next(numbers) for _ in range(size)] for size in sizes]
    made = prizes(held, shares, unit, ranked)
    assert sum(each.amount for each in made) == held
    assert all(each.amount > 0 for each in made)
    first = {each.entrant for each in made} & {ranked[0][0]}
    assert all(each.amount % unit == 0 for each in made if each.entrant not in first)
    of = {each.entrant: each.amount for each in made}
    for group in ranked:
        mine = [of.get(entrant, 0) for entrant in group]
        assert mine == sorted(mine, reverse=True), "by the published order"
        assert max(mine) - min(mine) < 2 * unit


# ── Who owes what ────────────────────────────────────────────────────────────
def entrants(count: int, **again: int) -> dict[int, Entrant]:
    return {n: Entrant(n, (f"P{n}",), again=again.get(f"n{n}")) for n in range(1, count + 1)}


TERMS = TermsSet(Terms(fee=3000, again=2000, late=500))


def test_every_entry_owes_its_fee_and_a_re_entry_its_own() -> None:
    ledger = fold([TERMS, Charged(2, MAIN, 500, "late"), Waived(1, MAIN, 3000, "host"), Paid(2, MAIN, 3000)])
    made = accounts(ledger, entrants(3, n3=1))
    assert {key: (each.owed, each.open) for key, each in made.items()} == {
        (MAIN, 1): (0, 0),
        (MAIN, 2): (3500, 500),
        (MAIN, 3): (2000, 2000),
    }


def test_what_is_paid_too_much_is_owed_back_and_in_no_fund() -> None:
    ledger = fold([TERMS, Paid(1, MAIN, 3000), Paid(1, MAIN, 3000), Paid(9, MAIN, 3000), Paid(2, MAIN, 1000)])
    made = accounts(ledger, entrants(2))
    assert made[MAIN, 9] == Account(MAIN, 9, 0, Sums(paid=3000)), "who was struck off the list owes nothing"
    assert [(each.counted, each.over, each.open) for each in made.values()] == [(3000, 3000, 0), (1000, 0, 2000), (0, 3000, 0)]
    held = fund(ledger, made, MAIN)
    assert (held.fees, held.over, held.prizes) == (4000, 6000, 4000)
    assert fund(ledger, made, MAIN, expected=True).fees == 6000
    given_back = fold([Refunded(1, MAIN, 3000, "twice")], ledger)
    assert fund(given_back, accounts(given_back, entrants(2)), MAIN).over == 3000


def test_deductions_go_off_in_their_order_shares_of_the_fees_alone_and_never_more_than_there_is() -> None:
    ledger = fold(
        [TERMS, *(Paid(n, MAIN, 3000) for n in (1, 2)), Added(MAIN, 10_000, "sponsor"), PoolSet(1, "Other", 0, ()), Added(1, 7, "x")]
    )
    ledger = fold([Deducted(MAIN, "federation", 1050, 0), Deducted(1, "hall", 0, 10), Deducted(MAIN, "hall", 0, 20_000)], ledger)
    held = fund(ledger, accounts(ledger, entrants(2)), MAIN)
    assert (held.fees, held.added, held.prizes) == (6000, 10_000, 0)
    assert [(each.amount, each.short) for each in held.taken] == [(630, 0), (15_370, 4_630)]
    (side,) = fund(ledger, {}, 1).taken
    assert (side.amount, side.short) == (7, 3)


def paid(ledger: Ledger, event: Event, made: dict[tuple[int, int], Account], pool: int, *, expected: bool = False) -> tuple[Prize, ...]:
    return won(ledger, event, made, pool, ranking(event, ledger.pools[pool].stage), expected=expected)


# ── With an event ────────────────────────────────────────────────────────────
def played() -> Event:
    """Four in a knock-out; 1 beats 2 in the final, 3 and 4 go out in the first round. 5 is 4's re-entry, and plays nowhere."""
    listed = [h.Entered(each) for each in entrants(5, n5=4).values()]
    stage = h.StageOpened(1, StagePlan("Main", System.SINGLE, seed="x"), (1, 2, 3, 4))
    left = h.Outcome.LEFT
    return event_of([*listed, stage, *(h.Ended(1, key, left) for key in ("M1.1", "M1.2", "M2.1"))])


def test_prizes_follow_the_final_ranking_and_a_side_pool_goes_to_the_best_of_those_who_take_part() -> None:
    event = played()
    assert ranking(event) == ((1,), (2,), (4, 3))
    ledger = fold(
        [
            TERMS,
            PoolSet(MAIN, "", 0, (6000, 2000, 1000, 1000)),
            PoolSet(1, "Jackpot", 1000, (WHOLE,)),
            *(Paid(n, MAIN, 3000) for n in (1, 2, 3, 4)),
            *(each for n in (5, 3, 9) for each in (TookPart(n, 1), Paid(n, 1, 1000))),
        ]
    )
    made = accounts(ledger, event.entrants)
    main = paid(ledger, event, made, MAIN)
    assert [(each.entrant, each.amount) for each in main] == [(1, 7200), (2, 2400), (4, 1200), (3, 1200)]
    side = paid(ledger, event, made, 1)
    assert [(each.entrant, each.amount) for each in side] == [(4, 1000), (3, 1000)], "4 took part with his re-entry; 9 was struck off"
    more = paid(ledger, event, made, MAIN, expected=True)
    assert sum(each.amount for each in more) == 14_000


def test_a_consolation_has_a_fund_of_its_own_fed_by_the_main_one_and_paid_by_its_own_table() -> None:
    consolation = h.StageOpened(2, StagePlan("Second chance", System.CONSOLATION, of=1, seed="x"), ())
    event = event_of([consolation], played())
    ledger = fold(
        [
            TERMS,
            PoolSet(MAIN, "", 0, (WHOLE,)),
            PoolSet(1, "Second chance", 0, (7000, 3000), 2),
            PoolSet(2, "Not yet", 0, (WHOLE,), 3),
            *(Paid(n, MAIN, 3000) for n in (1, 2, 3, 4)),
            Deducted(MAIN, "second chance", 2500, 0, 1),
            Deducted(MAIN, "not yet", 0, 500, 2),
        ]
    )
    made = accounts(ledger, event.entrants)
    assert [fund(ledger, made, pool).prizes for pool in (MAIN, 1, 2)] == [8500, 3000, 500]
    assert fund(ledger, made, 1, expected=True).added == 3500
    assert {each.entrant: each.amount for each in paid(ledger, event, made, 1)} == {3: 1500, 4: 1500}, "it is still to be played"
    ended = event_of([h.Ended(2, "C1.1", h.Outcome.LEFT)], event)
    assert [(each.entrant, each.amount) for each in paid(ledger, ended, made, 1)] in ([(4, 2100), (3, 900)], [(3, 2100), (4, 900)])
    assert paid(ledger, event, made, 2) == (), "its stage has not been opened"


entries = st.one_of(
    st.builds(Paid, st.integers(1, 6), st.sampled_from([MAIN, 1]), st.integers(1, 9000)),
    st.builds(Waived, st.integers(1, 6), st.sampled_from([MAIN, 1]), st.integers(1, 4000), st.just("why")),
    st.builds(Charged, st.integers(1, 6), st.sampled_from([MAIN, 1]), st.integers(1, 4000), st.just("why")),
    st.builds(Added, st.sampled_from([MAIN, 1]), st.integers(1, 9000), st.just("who")),
    st.builds(Deducted, st.sampled_from([MAIN, 1]), st.just("what"), st.integers(1, WHOLE), st.just(0)),
    st.builds(Deducted, st.sampled_from([MAIN, 1]), st.just("what"), st.just(0), st.integers(1, 9000)),
    st.builds(Deducted, st.just(MAIN), st.just("what"), st.integers(1, WHOLE), st.just(0), st.just(1)),
)


@given(st.lists(entries, max_size=30), st.integers(1, 500))
def test_sums_always_balance(told: list[Entry], unit: int) -> None:
    event = played()
    begun: list[Entry] = [TermsSet(Terms(fee=3000, again=2000, unit=unit)), PoolSet(MAIN, "", 0, suggested(4))]
    begun += [PoolSet(1, "Side", 500, (7000, 3000)), *(TookPart(n, 1) for n in range(1, 7))]
    ledger: Ledger = fold([*begun, *told])
    made = accounts(ledger, event.entrants)
    whole = sum(each.sums.received for each in made.values()) + sum(each.amount for each in told if isinstance(each, Added))
    paid_out = sum(each.amount for pool in (MAIN, 1) for each in paid(ledger, event, made, pool))
    funds = [fund(ledger, made, pool) for pool in (MAIN, 1)]
    gone = sum(each.amount for held in funds for each in held.taken if each.entry.to == MAIN)
    assert whole == paid_out + gone + sum(held.over for held in funds), "over all funds"
    for pool, held in enumerate(funds):
        came = sum(each.sums.received for each in made.values() if each.pool == pool) + held.added
        paid_here = sum(each.amount for each in paid(ledger, event, made, pool))
        assert came == paid_here + sum(each.amount for each in held.taken) + held.over


def test_places_that_get_more_than_the_one_before_are_found() -> None:
    assert rising([5000, 3000, 2000]) == rising([]) == []
    assert rising([1000, 3000, 6000]) == [2, 3]
