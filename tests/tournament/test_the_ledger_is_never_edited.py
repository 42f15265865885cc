"""The ledger: what may be entered, what is refused, and that what was entered stays."""

from __future__ import annotations

import pytest

from kiosk.tournament.ledger import Ledger, Sums, after, fold, handed_over, sums
from kiosk.tournament.money import (
    MAIN,
    MOST,
    Added,
    Charged,
    Currency,
    Deducted,
    Entry,
    HandedOver,
    Paid,
    PoolDropped,
    PoolSet,
    Refunded,
    Reversed,
    Terms,
    TermsSet,
    TookPart,
    Waived,
)
from kiosk.tournament.results import TournamentError

TERMS = TermsSet(Terms(fee=3000))
POOL = PoolSet(1, "Calcutta", 1000, (10_000,))
BEGUN = fold([TERMS, POOL, TookPart(7, 1), Paid(7, MAIN, 3000), Paid(7, 1, 1000)])


def test_entries_count_until_they_are_reversed_and_stay_on_record() -> None:
    ledger = fold([Charged(7, MAIN, 500, "late"), Waived(7, MAIN, 200, "junior"), Refunded(7, MAIN, 1000, "left early")], BEGUN)
    assert sums(ledger) == {(MAIN, 7): Sums(500, 200, 3000, 1000), (1, 7): Sums(paid=1000)}
    undone = after(ledger, Reversed(8, "he stayed"))
    assert sums(undone)[MAIN, 7] == Sums(500, 200, 3000, 0)
    assert undone.entries[:8] == ledger.entries
    assert (len(undone.entries), undone.undone) == (9, {8: "he stayed"})
    assert sums(after(undone, Reversed(4, "typed for another")))[MAIN, 7].received == 0


def test_who_takes_part_owes_and_is_out_again_when_that_is_reversed() -> None:
    assert BEGUN.members(1) == (7,)
    ledger = fold([TookPart(8, 1), Reversed(6, "another one")], BEGUN)
    assert ledger.members(1) == (7,)
    assert sums(BEGUN)[1, 7] == Sums(paid=1000)
    assert sums(fold([TookPart(8, 1)], BEGUN))[1, 8] == Sums()


def test_a_pool_is_changed_and_dropped_where_nothing_counts_in_it() -> None:
    changed = after(BEGUN, PoolSet(1, "Auction", 1500, ()))
    assert (changed.pools[1].name, changed.pools[1].fee, changed.pools[1].shares) == ("Auction", 1500, ())
    empty = fold([PoolSet(2, "Jackpot", 0, ()), PoolDropped(2)], BEGUN)
    assert set(empty.pools) == {MAIN, 1}
    with pytest.raises(TournamentError, match="Jackpot has entries that count"):
        fold([PoolSet(2, "Jackpot", 0, ()), Deducted(MAIN, "jackpot", 500, 0, 2), PoolDropped(2)], BEGUN)
    with pytest.raises(TournamentError, match="The next pool is number 3"):
        after(empty, PoolSet(2, "Jackpot", 0, ()))
    assert 3 in after(empty, PoolSet(3, "Jackpot", 0, ())).pools


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        (TermsSet(Terms(Currency("", 2))), "a code of 1 to 8 characters"),
        (TermsSet(Terms(Currency("EUR", 5))), "0 to 4 digits"),
        (TermsSet(Terms(Currency("JPY", 0))), "stay as they are"),
        (TermsSet(Terms(fee=-1)), "An amount has to be"),
        (TermsSet(Terms(unit=0)), "An amount has to be"),
        (PoolSet(MAIN, "", 0, (5000, 4000)), "come to 90 %, not to 100 %"),
        (PoolSet(MAIN, "", 0, (10_000, 0)), "has a share of its own"),
        (PoolSet(MAIN, "", 0, (1,) * 257), "at most 256 places"),
        (PoolSet(MAIN, "Main", 0, ()), "has no name"),
        (PoolSet(MAIN, "", 5, ()), "its fee stands in the terms"),
        (PoolSet(MAIN, "", 0, (), 2), "the final ranking is its own"),
        (PoolSet(3, "Far", 0, ()), "The next pool is number 2"),
        (PoolSet(2, " ", 0, ()), "a name of 1 to 60"),
        (PoolSet(2, "Calcutta", 0, ()), "called Calcutta already"),
        (PoolSet(2, "Other", -5, ()), "An amount has to be"),
        (PoolSet(2, "Other", 0, (), -1), "There is no stage -1"),
        (PoolDropped(MAIN), "The main fund stays"),
        (PoolDropped(1), "Calcutta has entries that count"),
        (PoolDropped(9), "There is no pool 9"),
        (TookPart(7, MAIN), "in the main fund as it is"),
        (TookPart(7, 1), "takes part in Calcutta already"),
        (TookPart(7, 2), "There is no pool 2"),
        (Paid(7, MAIN, 0), "An amount has to be"),
        (Paid(7, MAIN, MOST + 1), "An amount has to be"),
        (Paid(8, 1, 5), "does not take part in Calcutta"),
        (Charged(7, MAIN, 5, " "), "Say what it is for"),
        (Waived(7, MAIN, 5, "x" * 201), "at most 200 characters"),
        (Refunded(7, MAIN, 3001, "left"), "has paid 30.00 EUR that can be given back"),
        (Refunded(8, MAIN, 1, "left"), "has paid 0.00 EUR"),
        (Refunded(7, MAIN, 0, "left"), "An amount has to be"),
        (Added(MAIN, 0, "sponsor"), "An amount has to be"),
        (Deducted(MAIN, "hall", 0, 0), "a share up to 100 %, or a fixed amount"),
        (Deducted(MAIN, "hall", 500, 500), "a share up to 100 %, or a fixed amount"),
        (Deducted(MAIN, "hall", 10_001, 0), "a share up to 100 %, or a fixed amount"),
        (Deducted(MAIN, "hall", -1, 500), "a share up to 100 %, or a fixed amount"),
        (Deducted(MAIN, "hall", 0, MOST + 1), "An amount has to be"),
        (Deducted(MAIN, "consolation", 0, 500, 9), "There is no pool 9"),
        (Deducted(1, "consolation", 0, 500, 1), "Only of the main fund"),
        (Reversed(6, "wrong"), "There is no entry 6"),
        (Reversed(0, "wrong"), "There is no entry 0"),
        (Reversed(1, "wrong"), "enter what is right instead"),
        (Reversed(3, "wrong"), "has entries in this pool"),
        (Reversed(4, ""), "Say what it is for"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(entry: Entry, told: str) -> None:
    with pytest.raises(TournamentError, match=told):
        after(BEGUN, entry)


def test_what_was_reversed_or_given_back_is_not_reversed_once_more() -> None:
    ledger = fold([Reversed(5, "wrong"), Refunded(7, MAIN, 2000, "left")], BEGUN)
    with pytest.raises(TournamentError, match="reversed already"):
        after(ledger, Reversed(5, "wrong"))
    with pytest.raises(TournamentError, match=r"has paid 10\.00 EUR"):
        after(ledger, Reversed(4, "wrong"))


def test_the_currency_is_chosen_until_an_amount_stands_there() -> None:
    yen = Terms(Currency("JPY", 0))
    assert fold([TERMS, PoolSet(1, "Free", 0, ()), TookPart(7, 1), TermsSet(yen)]).terms == yen
    with pytest.raises(TournamentError, match="stay as they are"):
        fold([PoolSet(1, "Dear", 10, ()), TermsSet(yen)])
    with pytest.raises(TournamentError, match="stay as they are"):
        fold([Deducted(MAIN, "federation", 500, 0), Paid(7, MAIN, 5), TermsSet(yen)])
    with pytest.raises(TournamentError, match="Amounts in EUR count already"):
        fold([TERMS, Paid(7, MAIN, 5), TermsSet(Terms(Currency("MKD", 2)))])
    assert fold([TERMS, Paid(7, MAIN, 5), Reversed(2, "typed"), TermsSet(Terms(Currency("MKD", 2)))]).terms.currency.code == "MKD"
    assert after(BEGUN, TermsSet(Terms(Currency("EUR", 2), fee=700))).terms.fee == 700


def test_pools_are_no_more_than_a_page_can_show() -> None:
    with pytest.raises(TournamentError, match="at most 40 side pools"):
        fold(PoolSet(n, f"Pool {n}", 0, ()) for n in range(1, 42))


def test_what_was_checked_once_is_folded_without_it() -> None:
    ledger = fold([Reversed(5, "wrong"), PoolSet(2, "Jackpot", 0, ()), PoolDropped(2)], BEGUN)
    assert fold(ledger.entries, checked=True) == ledger


def test_an_empty_ledger_has_a_main_fund() -> None:
    assert set(Ledger().pools) == {MAIN}
    assert sums(Ledger()) == {}


# ── Amounts ──────────────────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("typed", "decimals", "amount"),
    [("25", 2, 2500), ("25.5", 2, 2550), ("25,50", 2, 2550), (" 1 250.00 ", 2, 125_000), ("7.000", 2, 700), ("150", 0, 150), ("0", 2, 0)],
)
def test_an_amount_is_read_as_people_type_it(typed: str, decimals: int, amount: int) -> None:
    assert Currency("EUR", decimals).read(typed) == amount


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("", "An amount is a number"),
        ("-5", "is none"),
        ("1.005", "2 digits behind the point"),
        ("1e3", "is none"),
        ("9" * 13, "is more than"),
    ],
)
def test_what_is_no_amount_is_refused(typed: str, told: str) -> None:
    with pytest.raises(TournamentError, match=told):
        Currency().read(typed)


def test_an_amount_is_told_with_its_currency() -> None:
    assert [Currency("EUR", 2).told(each) for each in (0, 5, 123_450, -150)] == ["0.00 EUR", "0.05 EUR", "1234.50 EUR", "-1.50 EUR"]
    assert Currency("MKD", 0).told(1500) == "1500 MKD"


def test_what_was_handed_over_of_prizes_adds_up_until_it_is_reversed() -> None:
    ledger = fold([TERMS, HandedOver(7, MAIN, 500), HandedOver(7, MAIN, 250), HandedOver(8, MAIN, 100), Reversed(3, "not yet")])
    assert handed_over(ledger) == {(MAIN, 7): 500, (MAIN, 8): 100}
    with pytest.raises(TournamentError, match="more than zero"):
        after(ledger, HandedOver(7, MAIN, 0))
