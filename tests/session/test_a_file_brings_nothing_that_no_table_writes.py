"""A suspended match from a file: whoever works the chain out anew can write what he likes, but not what no table could have written."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from evening import LEFT, RIGHT, Evening, ns, setup

from kiosk import codec
from kiosk.domain import facts as f
from kiosk.domain.errors import KioskError
from kiosk.domain.officials import Official, Role
from kiosk.domain.rulebook import Kind, Method
from kiosk.domain.types import Instant, Pair, Span
from kiosk.ports import Row
from kiosk.session import NotAdjourned, brought, goes_on_from, last_entries
from kiosk.session import commands as c

VERA = Official("Vera", Role.REFEREE)


def suspended() -> Evening:
    table = Evening(setup(7, delay_s=10, reserve_s=60)).play_game(1, LEFT).begin(10, by=RIGHT)
    table.press(LEFT, 30)
    table.do(c.SignIn(VERA), 40)
    table.do(c.Rule((LEFT,), "dice_replaced"), 42)
    table.do(c.Suspend("XGID", "hall\ncloses"), 45)
    return table


def rows_of(table: Evening) -> list[Row]:
    return list(table.journal.rows())


def row_of(fact: f.Fact, like: Row) -> Row:
    kind, data = codec.encode(fact)
    return replace(like, type=kind, data=data, mono_ns=fact.at)


def before_the_last(rows: Sequence[Row], *facts: f.Fact) -> list[Row]:
    """The match with entries slipped in before its suspension."""
    return [*rows[:-1], *(row_of(fact, rows[-1]) for fact in facts), rows[-1]]


def with_setup(rows: Sequence[Row], change: Callable[[dict[str, Any]], object]) -> list[Row]:
    plain = json.loads(rows[0].data)
    change(plain)
    return [replace(rows[0], data=json.dumps(plain)), *rows[1:]]


AT = ns(45)
WIDE = 2**70


def test_what_a_table_wrote_gets_in() -> None:
    rows = rows_of(suspended())
    assert brought("12", rows).rows == tuple(rows)


def test_a_match_that_has_changed_tables_and_lost_power_gets_in() -> None:
    here, there = suspended(), Evening(setup(1))
    there.journal._boot = "elsewhere"
    there.play_game(1, RIGHT)
    there.do(c.SignIn(VERA), 5)
    own = len(rows_of(there))
    there.session.take_up(brought("12", rows_of(here)), ns(6))
    there.do(c.ResumeMatch(), 7)
    there.power_cut(8, last_beat_s=7.5, off_s=0.5)
    there.do(c.SignIn(VERA), 9)
    there.do(c.Suspend(), 10)
    assert brought("7", rows_of(there)[own:]).state == there.table


@pytest.mark.parametrize(
    "changes",
    [{"wall_ns": WIDE}, {"seq": WIDE}, {"mono_ns": WIDE}, {"boot": "\ud800"}, {"boot": "x" * 101}, {"boot": "\x1b[2J"}, {"prev": "\ud800"}],
)
def test_a_row_that_no_journal_could_hold_is_refused(changes: dict[str, Any]) -> None:
    rows = rows_of(suspended())
    for n in (0, 2, len(rows) - 1):
        with pytest.raises(NotAdjourned, match=r"none that a table writes .*; save the match once more"):
            brought("12", [*rows[:n], replace(rows[n], **changes), *rows[n + 1 :]])


@pytest.mark.parametrize("table", ["\ud800", "a\nb", "x" * 101, "\0"])
def test_a_table_without_a_readable_name_is_refused(table: str) -> None:
    with pytest.raises(NotAdjourned, match="has no name of at most 100 characters"):
        brought(table, rows_of(suspended()))


OPENINGS: dict[str, Callable[[dict[str, Any]], object]] = {
    "a length of 10^30": lambda x: x["setup"].update(length=10**30),
    "a score at the length": lambda x: x["setup"].update(score={"left": 7, "right": 0}),
    "a reserve of 10^40": lambda x: x["setup"]["reserve"].update(left=10**40),
    "a reserve below 0": lambda x: x["setup"]["reserve"].update(left=-5),
    "an empty name": lambda x: x["setup"]["players"].update(left=[""]),
    "a null character in a name": lambda x: x["setup"]["players"].update(left=["A\0nn"]),
    "no kinds of win": lambda x: x["setup"].update(kinds=[]),
    "an endless id": lambda x: x.update(match="m" * 65),
    "an id that is a way to a file": lambda x: x.update(match="../../etc"),
}


@pytest.mark.parametrize("change", OPENINGS.values(), ids=OPENINGS.keys())
def test_an_opening_that_no_table_makes_is_refused(change: Callable[[dict[str, Any]], object]) -> None:
    with pytest.raises(NotAdjourned, match=r"none that a table writes \(1, match_opened: "):
        brought("12", with_setup(rows_of(suspended()), change))


def test_one_file_holds_one_match() -> None:
    rows = rows_of(suspended())
    with pytest.raises(NotAdjourned, match="a second match is opened"):
        brought("12", before_the_last(rows, f.MatchOpened(AT, "m2", setup(5))))


def test_time_does_not_run_backwards_but_an_alert_has_its_limits_instant() -> None:
    rows = rows_of(suspended())
    assert brought("12", before_the_last(rows, f.AlertRaised(ns(1), "press_late", LEFT), f.WallClockTrusted(ns(44))))
    for earlier in (f.DelayRestarted(ns(41)), f.SignInFailed(Instant(-1))):
        with pytest.raises(NotAdjourned, match=r"time runs backwards|not the one at which it was recorded"):
            brought("12", before_the_last(rows, earlier))
    with pytest.raises(NotAdjourned, match="not the one at which it was recorded"):
        brought("12", [*rows[:-1], replace(rows[-1], mono_ns=rows[-1].mono_ns + 1)])
    late = f.MatchSuspended(Instant(10**30), "", "")
    with pytest.raises(NotAdjourned, match="beyond 64 bits"):
        brought("12", [*rows[:-1], row_of(late, rows[-1])])


def test_what_takes_a_match_up_follows_its_last_entry() -> None:
    rows = rows_of(suspended())
    fact = f.MatchTakenUp(ns(3), AT, "7", "0" * 64, "Vera", Role.REFEREE)
    assert brought("12", [*rows, row_of(fact, rows[-1])])
    for wrong in (replace(fact, last_known=ns(44)), replace(fact, table="\x07"), replace(fact, digest="x"), replace(fact, name=" ")):
        with pytest.raises(KioskError):
            brought("12", [*rows, row_of(wrong, rows[-1])])


BAD: list[f.Fact] = [
    f.AlertRaised(AT, "\x1b[2J", None),
    f.MatchPlaced(AT, "two\nlines", "3", "12", practice=False),
    f.MatchPlaced(AT, "Open", "x" * 201, "12", practice=False),
    f.HallPaused(AT, "E\x07va", "fire"),
    f.HallPaused(AT, "Eva", ""),
    f.HallPaused(AT, "Eva", "x" * 501),
    f.HallPauseLifted(AT, "x" * 101),
    f.MessageShown(AT, 0, "Eva", "Lunch"),
    f.MessageShown(AT, 1, "a\nb", "Lunch"),
    f.MessageShown(AT, 1, "Eva", ""),
    f.RoundStartMoved(AT, "a\nb", None),
    f.RoundStartMoved(AT, "Eva", Instant(2**80)),
    f.RefereeOnTheWay(AT, "a\nb"),
    f.AlertRaised(AT, "press_late", None, "a\0b"),
    f.AlertRaised(AT, "press_late", None, "x" * 65_537),
    f.RefereeCalled(AT, "nobody"),
    f.CubeSet(AT, 3, None, "x"),
    f.CubeSet(AT, 1, LEFT, "x"),
    f.CubeSet(AT, 2**80, LEFT, "x"),
    f.ReservesSet(AT, Pair(Span(-1), Span(0)), "x"),
    f.ReservesSet(AT, Pair(Span(0), Span(10**18)), "x"),
    f.TimeAdjusted(AT, LEFT, Span(10**30), "x"),
    f.ControlChanged(AT, Span(-1), Method.DELAY, "x"),
    f.StateSet(AT, Pair(7, 0), Pair(Span(0), Span(0)), None, Span(0), 1, None, 1, crawford_played=False, breaks=Pair(0, 0)),
    f.StateSet(AT, Pair(-1, 0), Pair(Span(0), Span(0)), None, Span(0), 1, None, 1, crawford_played=False, breaks=Pair(0, 0)),
    f.StateSet(AT, Pair(1, 0), Pair(Span(0), Span(0)), None, Span(0), 1, None, 1, crawford_played=False, breaks=Pair(99, 0)),
    f.StateSet(AT, Pair(1, 0), Pair(Span(0), Span(0)), None, Span(0), 1, None, 0, crawford_played=False, breaks=Pair(0, 0)),
    f.GameRecorded(AT, LEFT, Kind.KOKS, 1, mismatch=False),
    f.GameRecorded(AT, LEFT, Kind.SINGLE, 1000, mismatch=False),
    f.GameCorrected(AT, 1, LEFT, Kind.MARS, 1, "x", LEFT, Kind.SINGLE, 1, 1),
    f.GameCorrected(AT, 1, LEFT, Kind.SINGLE, 3, "x", LEFT, Kind.SINGLE, 1, 1),
    f.RulingMade(AT, (LEFT,), "no_such_code", None, None, None, "first", None, "", (), None),
    f.RulingMade(AT, (LEFT,), "eating", None, Kind.OIN, None, "first", None, "", (), None),
    f.RulingMade(AT, (LEFT, LEFT), "eating", None, None, None, "first", None, "", (), None),
    f.RulingVoided(AT, 0, "x"),
    f.PlayAttached(AT, 0, "4HPwATDgc/ABMA", "", "", "", ""),
    f.PlayAttached(AT, 1, "", "", "", "", ""),
    f.PlayAttached(AT, 1, "4HPwATDgc/ABMA", "5-3", "x" * 101, "", ""),
    f.TurnNoted(AT, 1, 0, LEFT, "53: 8/3"),
    f.TurnNoted(AT, 1, 1, LEFT, "73: 8/3"),
    f.PermissionGiven(AT, LEFT, f.Permit.LEAVE, Span(-1)),
    f.PowerRestored(AT, Instant(-1), None, Span(0)),
    f.BreakStarted(AT, LEFT, Span(-1), Span(0)),
    f.SheetSigned(AT, LEFT, protest=False, strokes=(((0, 2000),),)),
    f.SheetSigned(AT, LEFT, protest=False, strokes=((),)),
]


@pytest.mark.parametrize("fact", BAD, ids=[f"{number} {type(fact).__name__}" for number, fact in enumerate(BAD)])
def test_an_entry_with_values_that_no_table_takes_is_refused(fact: f.Fact) -> None:
    with pytest.raises(NotAdjourned, match=r"none that a table writes|cannot be suspended|not suspended"):
        brought("12", before_the_last(rows_of(suspended()), fact))


GOOD: list[f.Fact] = [
    f.MatchPlaced(AT, "Open", "", "12", practice=True),
    f.HallPaused(AT, "Eva", "fire\nalarm"),
    f.HallPaused(AT, "", "another device goes on"),
    f.HallPauseLifted(AT, "Eva"),
    f.MessageShown(AT, 1, "Eva", "Lunch\nat one"),
    f.MessageRead(AT, 1),
    f.SeatConfirmed(AT, "m-7", 2, LEFT, here=True),
    f.RoundStartMoved(AT, "Eva", None),
    f.RefereeOnTheWay(AT, "Rea"),
    f.RefereeCalled(AT, None),
    f.RefereeCalled(AT, "referee"),
    f.CubeSet(AT, 2, LEFT, "x"),
    f.CubeSet(AT, 1, None, "x"),
    f.ReservesSet(AT, Pair(Span(0), Span(5)), "x"),
    f.ControlChanged(AT, Span(0), Method.FISCHER, "x"),
    f.StateSet(AT, Pair(3, 0), Pair(Span(1), Span(0)), LEFT, Span(0), 2, LEFT, 4, crawford_played=False, breaks=Pair(0, 0)),
    f.GameCorrected(AT, 1, RIGHT, Kind.GAMMON, 2, "x", LEFT, Kind.SINGLE, 1, 1),
    f.RulingMade(AT, (LEFT, RIGHT), "eating", None, Kind.GAMMON, None, "first", 1, "", (), None),
    f.PermissionGiven(AT, LEFT, f.Permit.LEAVE, None),
    f.SheetSigned(AT, LEFT, protest=False, strokes=(((0, 400), (1000, 0)),)),
]


@pytest.mark.parametrize("fact", GOOD, ids=[f"{number} {type(fact).__name__}" for number, fact in enumerate(GOOD)])
def test_an_entry_with_values_that_a_table_takes_gets_in(fact: f.Fact) -> None:
    rows = before_the_last(rows_of(suspended()), fact)
    assert brought("12", rows).rows == tuple(rows)


def test_what_it_comes_to_must_be_a_match_that_can_be_suspended() -> None:
    rows = rows_of(suspended())
    with pytest.raises(NotAdjourned, match="reserve cannot be"):
        brought("12", before_the_last(rows, f.TimeAdjusted(AT, LEFT, Span(2**63 - 1), "x")))
    won = [f.GameRecorded(AT, LEFT, Kind.SINGLE, 64, mismatch=False), f.GameConfirmed(AT, "right")]
    with pytest.raises(NotAdjourned, match=r"At 65:\d+ this match cannot be suspended"):
        brought("12", before_the_last(rows, *won))


def test_a_newer_programs_entry_is_told_as_such() -> None:
    rows = rows_of(suspended())
    with pytest.raises(NotAdjourned, match="newer Tableside"):
        brought("12", [*rows[:2], replace(rows[2], type="dance_started"), *rows[3:]])


# ── Which of two occurrences goes further ────────────────────────────────────
def test_a_match_goes_on_from_what_it_begins_with() -> None:
    table = suspended()
    first = rows_of(table)
    table.do(c.SignOut(), 46)
    assert last_entries(rows_of(table)) == {"m1": first}
    table.do(c.SignIn(VERA), 47)
    table.do(c.ResumeMatch(), 48)
    assert goes_on_from(last_entries(rows_of(table))["m1"], first)
    assert not goes_on_from(first, first)
    assert not goes_on_from(first, rows_of(table))
    assert not goes_on_from(rows_of(table), [replace(first[0], boot="another"), *first[1:]])


def test_where_it_stands_last_counts_and_openings_of_a_newer_program_are_nobodys() -> None:
    first = rows_of(suspended())
    again = [*first, *first[:3]]
    assert last_entries(again) == {"m1": first[:3]}
    assert last_entries([replace(first[0], data='{"v":99}')]) == {}
