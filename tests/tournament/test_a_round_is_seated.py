"""Which match of a round sits at which table: somebody's own, an accessible one, the stream's, and all others in order."""

from __future__ import annotations

from kiosk.tournament.seating import Wishes, seated

PAIRS = [(1, 2), (3, 4), (5, 6)]
TABLES = ["1", "2", "3"]


def test_all_alike_are_seated_in_order() -> None:
    assert seated(PAIRS, TABLES) == ("1", "2", "3")
    assert seated(PAIRS, TABLES[:2]) == ("1", "2", None)


def test_a_fixed_table_goes_before_all_others_and_to_the_first_who_has_it() -> None:
    assert seated(PAIRS, TABLES, Wishes(fixed={6: "1", 4: "3"})) == ("2", "3", "1")
    assert seated(PAIRS, TABLES[:2], Wishes(fixed={1: "2", 3: "2", 5: "9"})) == ("2", "1", None)
    assert seated(PAIRS, TABLES, Wishes(fixed={1: "9", 2: "3"})) == ("3", "1", "2"), "the partner's own, where the first one's is taken"


def test_who_needs_an_accessible_table_has_one_or_waits() -> None:
    needs = Wishes(needs={2, 6}, accessible={"3"})
    assert seated(PAIRS, TABLES, needs) == ("3", "1", None)
    assert seated(PAIRS, TABLES, Wishes(needs={6}, accessible={"3"}, fixed={6: "2"})) == ("1", "3", "2"), "his own was chosen for him"


def test_a_chosen_match_has_the_streams_table() -> None:
    stream = Wishes(chosen={1: "1"}, stream={"1"})
    assert seated(PAIRS, TABLES, stream) == ("2", "1", "3")
    assert seated(PAIRS, ["2", "3"], stream) == ("2", "3", None), "it is not free"


def test_a_seat_that_somebody_needs_goes_before_the_stream() -> None:
    assert seated(PAIRS, TABLES, Wishes(chosen={1: "1"}, stream={"1"}, needs={4}, accessible={"2"})) == ("3", "2", "1")
    both = Wishes(chosen={1: "1"}, stream={"1"}, needs={4, 5}, accessible={"1", "2"})
    assert seated(PAIRS, TABLES, both) == ("3", "1", "2"), "an accessible stream has both"
    other = Wishes(needs={1}, accessible={"1", "2"}, stream={"1"})
    assert seated(PAIRS, TABLES, other) == ("2", "3", "1"), "and keeps itself for the chosen match"


def test_accessible_and_stream_tables_are_filled_last() -> None:
    kept = Wishes(accessible={"1"}, stream={"2"})
    assert seated(PAIRS[:1], TABLES, kept) == ("3",)
    assert seated(PAIRS, TABLES, kept) == ("3", "2", "1")
