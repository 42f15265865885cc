from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from kiosk.domain.errors import CommandRefused
from kiosk.server import result_acts, results
from kiosk.server.acts import Act
from kiosk.server.audit import A_SHEET
from kiosk.server.results import Worth
from kiosk.server.schema import conflict
from kiosk.server.store import Store
from tests.server.hall import SUMMARY, Hall

WON = {"score": {"left": 7, "right": 5}, "winner": "left", "how": "score"}


@pytest.fixture
def hall(store: Store) -> Hall:
    return Hall(store)


def _signed(hall: Hall, **changes: Any) -> tuple[str, tuple[int, int]]:
    device = hall.table("12")
    ident = hall.make()
    key = hall.played(device, ident, attached=ident, phase="signed", **changes)
    _take(hall, key)
    return ident, key


def _take(hall: Hall, key: tuple[int, int]) -> int | None:
    with hall.store.write() as connection:
        return result_acts.take_sheet(Act(connection, A_SHEET, hall.now_ns), *key)


def _line(hall: Hall, ident: str) -> results.Line:
    with hall.store.read() as connection:
        return results.line(connection, ident)


def _change(hall: Hall, ident: str, data: dict[str, Any], reason: str = "seen by the referee", version: int = 1) -> results.Version:
    with hall.act() as act:
        return result_acts.change(act, ident, data, reason, version)


def test_a_signed_sheet_is_provisional_until_it_is_received(hall: Hall) -> None:
    ident, key = _signed(hall)
    assert _line(hall, ident).worth is Worth.PROVISIONAL
    hall.now_is(key, phase="received")
    assert _take(hall, key) is None
    line = _line(hall, ident)
    assert line.worth is Worth.FINAL
    assert line.data is not None
    assert line.data["score"] == {"left": 7, "right": 3}
    assert [one.source for one in line.history] == ["sheet"]


def test_an_open_appeal_keeps_it_provisional(hall: Hall) -> None:
    ident, key = _signed(hall, summary={"provisional": True})
    hall.now_is(key, phase="received")
    assert _line(hall, ident).worth is Worth.PROVISIONAL


def test_a_match_that_is_played_has_no_result_yet(hall: Hall) -> None:
    device = hall.table("12")
    ident = hall.make()
    assert _line(hall, ident).worth is Worth.OPEN
    assert _line(hall, ident).data is None
    key = hall.played(device, ident, attached=ident)
    assert _line(hall, ident).worth is Worth.OPEN
    hall.now_is(key, phase="ended")
    assert _line(hall, ident).worth is Worth.PROVISIONAL
    assert _take(hall, key) is None


def test_the_same_sheet_is_taken_once_and_a_revision_is_a_version(hall: Hall) -> None:
    ident, key = _signed(hall)
    assert _take(hall, key) is None
    hall.now_is(key, summary={"revision": 2, "score": {"left": 7, "right": 4}})
    assert _take(hall, key) == 2
    assert [one.data["score"]["right"] for one in _line(hall, ident).history] == [3, 4]


def test_a_change_keeps_who_when_why_and_the_old_one(hall: Hall) -> None:
    ident, _key = _signed(hall)
    made = _change(hall, ident, WON)
    assert (made.n, made.by, made.reason, made.at_ns) == (2, "Eva (organizer)", "seen by the referee", hall.now_ns)
    line = _line(hall, ident)
    assert (line.worth, [one.source for one in line.history]) == (Worth.FINAL, ["sheet", "organizer"])
    assert line.data is not None
    assert (line.data["score"], line.data["standing"]) == ({"left": 7, "right": 5}, {"left": "1", "right": "0"})
    assert hall.acts()[-1] == "result_changed"


def test_a_change_that_was_sent_twice_is_one_version(hall: Hall) -> None:
    ident, _key = _signed(hall)
    _change(hall, ident, WON)
    with pytest.raises(CommandRefused, match="meanwhile"):
        _change(hall, ident, WON)
    assert len(_line(hall, ident).history) == 2


def test_a_sheet_that_disagrees_with_a_decision_waits_for_a_person(hall: Hall) -> None:
    ident, key = _signed(hall)
    _change(hall, ident, WON)
    hall.now_is(key, summary={"revision": 2, "score": {"left": 7, "right": 6}})
    assert _take(hall, key) == 3
    line = _line(hall, ident)
    assert line.worth is Worth.DECIDE
    assert line.data is not None
    assert line.data["score"]["right"] == 5
    with hall.store.read() as connection:
        (row,) = results.conflicts(connection)
    assert (row.kind, row.match) == ("sheet_differs", ident)
    with pytest.raises(CommandRefused, match="deciding"), hall.act() as act:
        results.settle(act, row.id, "looked at")


@pytest.mark.parametrize(("keep", "right"), [("sheet", 6), ("organizer", 5)])
def test_a_person_decides_and_both_are_kept(hall: Hall, keep: str, right: int) -> None:
    ident, key = _signed(hall)
    _change(hall, ident, WON)
    hall.now_is(key, summary={"revision": 2, "score": {"left": 7, "right": 6}})
    _take(hall, key)
    with hall.act() as act:
        result_acts.decide(act, ident, keep, "asked both players", 3)
    line = _line(hall, ident)
    assert (line.worth, len(line.history)) == (Worth.FINAL, 4)
    assert line.data is not None
    assert line.data["score"]["right"] == right
    with hall.store.read() as connection:
        assert results.conflicts(connection) == []
        (row,) = connection.execute(select(conflict)).all()
    assert "asked both players" in row.settled
    assert _take(hall, key) is None


def test_there_is_nothing_to_decide_where_they_agree(hall: Hall) -> None:
    ident, key = _signed(hall)
    _change(hall, ident, {**WON, "score": {"left": 7, "right": 3}})
    hall.now_is(key, summary={"revision": 2})
    assert _take(hall, key) == 3
    assert _line(hall, ident).worth is Worth.FINAL
    with pytest.raises(CommandRefused, match="agree"), hall.act() as act:
        result_acts.decide(act, ident, "sheet", "why", 3)
    hall.now_is(key, summary={"revision": 3, "winner": "right", "score": {"left": 3, "right": 7}})
    _take(hall, key)
    with pytest.raises(CommandRefused, match="Keep"), hall.act() as act:
        result_acts.decide(act, ident, "both", "why", 4)


def test_swapped_seats_are_no_difference(hall: Hall) -> None:
    ident, key = _signed(hall)
    _change(hall, ident, {**WON, "score": {"left": 7, "right": 3}})
    hall.now_is(key, summary=results.turned(SUMMARY) | {"revision": 2})
    _take(hall, key)
    line = _line(hall, ident)
    assert line.worth is Worth.FINAL


def test_a_result_is_told_by_the_seats_that_were_planned(hall: Hall) -> None:
    ident, _key = _signed(hall, summary=results.turned(SUMMARY))
    data = _line(hall, ident).data
    assert data is not None
    assert (data["score"], data["winner"], data["standing"]) == ({"left": 7, "right": 3}, "left", {"left": "1", "right": "0"})


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({**WON, "score": {"left": 7}}, "whole number"),
        ({**WON, "score": None}, "whole number"),
        ({**WON, "score": {"left": 7, "right": -1}}, "whole number"),
        ({**WON, "score": {"left": 7, "right": True}}, "whole number"),
        ({**WON, "winner": "Ana"}, "who has won"),
        ({**WON, "how": "luck"}, "how the match ended"),
        ({**WON, "score": {"left": 6, "right": 5}}, "at least 7"),
        ({**WON, "score": {"left": 8, "right": 7}}, "Only one side"),
        ({**WON, "winner": ""}, "has a winner"),
        ({**WON, "how": "double_forfeit"}, "no winner"),
        ({**WON, "how": "session"}, "free session"),
    ],
)
def test_a_result_that_cannot_be_is_refused(hall: Hall, data: dict[str, Any], sentence: str) -> None:
    ident, _key = _signed(hall)
    with pytest.raises(CommandRefused, match=sentence):
        _change(hall, ident, data)
    assert len(_line(hall, ident).history) == 1


@pytest.mark.parametrize("reason", ["", "  \n ", "x" * 501])
def test_a_change_without_a_reason_is_refused(hall: Hall, reason: str) -> None:
    ident, _key = _signed(hall)
    with pytest.raises(CommandRefused, match="reason"):
        _change(hall, ident, WON, reason)


@pytest.mark.parametrize(
    ("data", "standing"),
    [
        ({"score": {"left": 0, "right": 0}, "winner": "right", "how": "forfeit"}, {"left": "−", "right": "+"}),
        ({"score": {"left": 2, "right": 7}, "winner": "right", "how": "forfeit"}, {"left": "0", "right": "1"}),
        ({"score": {"left": 0, "right": 0}, "winner": None, "how": "double_forfeit"}, {"left": "−", "right": "−"}),
        ({"score": {"left": 2, "right": 1}, "winner": None, "how": "ruling"}, {"left": "0", "right": "0"}),
    ],
)
def test_the_standing_follows_from_the_result(hall: Hall, data: dict[str, Any], standing: dict[str, str]) -> None:
    ident, _key = _signed(hall)
    assert _change(hall, ident, data).data["standing"] == standing


def test_a_level_session_has_no_winner(hall: Hall) -> None:
    ident = hall.make(length=None)
    made = _change(hall, ident, {"score": {"left": 4, "right": 4}, "winner": None, "how": "session"}, version=0)
    assert made.data["standing"] == {"left": "=", "right": "="}


def test_practice_is_never_counted(hall: Hall) -> None:
    device = hall.table("12")
    ident = hall.make(practice=True)
    key = hall.played(device, ident, attached=ident, phase="received", practice=True)
    assert _take(hall, key) is None
    hall.now_is(key, practice=False)  # the facts say so, the assignment says otherwise: practice wins
    assert _take(hall, key) is None
    with hall.store.read() as connection:
        assert results.table(connection) == []
        assert results.all_versions(connection) == {}
        with pytest.raises(CommandRefused, match="practice"):
            results.line(connection, ident)


def test_what_is_played_at_a_table_for_practice_counts_for_nothing(hall: Hall) -> None:
    device = hall.table("12")
    ident = hall.make()
    key = hall.played(device, ident, attached=ident, phase="received", practice=True)
    assert _take(hall, key) is None
    assert (_line(hall, ident).worth, _line(hall, ident).data) == (Worth.OPEN, None)


def test_a_conflict_is_settled_with_a_reason_once(hall: Hall) -> None:
    with hall.store.write() as connection:
        connection.execute(conflict.insert().values(kind="fork", device="d", match="m", what="{}", at_ns=1))
    with hall.store.read() as connection:
        (row,) = results.conflicts(connection)
    for ident, reason in [(row.id, " "), (row.id, "x" * 501), (row.id + 1, "why")]:
        with pytest.raises(CommandRefused), hall.act() as act:
            results.settle(act, ident, reason)
    for _twice in range(2):
        with hall.act() as act:
            results.settle(act, row.id, "the old card was put back")
    with hall.store.read() as connection:
        assert results.conflicts(connection) == []
        assert len(results.conflicts(connection, settled=True)) == 1
    assert hall.acts() == ["conflict_settled"]
