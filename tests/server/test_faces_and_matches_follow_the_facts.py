"""What the server makes of the facts of real sessions: faces, matches, results, and what a person must look at."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from kiosk.books import Library
from kiosk.chain import link
from kiosk.domain.facts import CheckItem
from kiosk.domain.latest import GAME_TURNS
from kiosk.domain.officials import Official, Role
from kiosk.domain.rulebook import Sanction
from kiosk.domain.state import Place
from kiosk.domain.types import NS_PER_S, Instant, Pair
from kiosk.ports import Record
from kiosk.server import faces, matches, results
from kiosk.server.faces import NOBODY, latest_ns
from kiosk.server.hub import LocalHub
from kiosk.server.intake import Intake
from kiosk.server.projections import DEAD_AFTER, Projections
from kiosk.server.public import public_face
from kiosk.server.schema import audit, conflict, face
from kiosk.server.schema import match as match_table
from kiosk.server.store import Store
from kiosk.session import commands as c
from kiosk.sheets import as_object
from kiosk.sheets import sheets as sheets_of
from kiosk.sync import wire
from tests.server.devices import Sender, chained, enrol, parted, plain_rows
from tests.server.hall import Hall
from tests.server.playing import AHEAD, LEFT, REFEREE, RIGHT, PlayingTable


@pytest.fixture
def table(store: Store, intake: Intake) -> PlayingTable:
    return PlayingTable(intake, enrol(store, "12", "12"))


def the_face(store: Store, device: str | None = None) -> dict[str, Any]:
    with store.read() as connection:
        found = faces.faces(connection, None if device is None else {device})
    assert len(found) == 1
    return found[0]


def kept(store: Store) -> list[matches.Kept]:
    with store.read() as connection:
        return matches.kept(connection, practice=None)


def flagged(store: Store) -> list[tuple[str, dict[str, Any]]]:
    with store.read() as connection:
        return [(row.kind, json.loads(row.what)) for row in connection.execute(select(conflict).order_by(conflict.c.id))]


# ── Faces ────────────────────────────────────────────────────────────────────
@pytest.mark.usefixtures("table")
def test_a_device_without_a_match_has_a_face(store: Store) -> None:
    shown = the_face(store)
    assert (shown["table"], shown["match"], shown["phase"], shown["online"], shown["conflict"]) == ("12", None, None, False, False)


def test_a_running_clock_is_shown_by_the_house_clock(store: Store, table: PlayingTable) -> None:
    table.open(100)
    table.press(LEFT, 110)  # Left starts: right's clock runs
    table.send(113, received_s=114)  # a second under way
    table.press(RIGHT, 130)  # 12 s of delay and 8 of the reserve are gone; left's clock runs
    table.send(130.5, received_s=130.75)  # a quarter: the smallest, which counts
    shown = the_face(store)
    assert shown["reserve_ms"] == {"left": 60_000, "right": 52_000}
    assert (shown["turn"], shown["running"], shown["delay_ms"], shown["delay_left_ms"]) == ("left", ["left"], 12_000, 12_000)
    assert shown["at_ms"] == (AHEAD + 130 * NS_PER_S) // 10**6 + 250
    assert (shown["phase"], shown["game"], shown["score"], shown["length"]) == ("playing", 1, {"left": 0, "right": 0}, 3)
    assert shown["players"] == {"left": ["Ana"], "right": ["Boris"]}
    assert (shown["flag"], shown["clocks"], shown["rulebook"]) == ({"left": False, "right": False}, "times", "ibgf")
    assert shown["seen_ms"] == (AHEAD + round(130.75 * NS_PER_S)) // 10**6


def test_who_is_there_and_how_long_it_may_take_are_told(store: Store, table: PlayingTable) -> None:
    table.open(100, length=1)
    table.do(c.Check(CheckItem.LEFT, done=True), 101)
    table.send(102)
    shown = the_face(store)
    assert shown["here"] == {"left": True, "right": False}
    most = 2 * 60 + GAME_TURNS * 12
    later = AHEAD + 500 * NS_PER_S
    assert latest_ns(shown, later) == later + most * NS_PER_S, "the clocks stand"
    table.press(LEFT, 110)
    table.send(111)
    shown = the_face(store)
    assert shown["here"] == {"left": True, "right": True}
    assert latest_ns(shown, later) == AHEAD + (110 + most) * NS_PER_S, "one runs"
    assert not {"here", "latest"} & set(public_face(shown)), "the desk's business"
    assert latest_ns(NOBODY, later) is None


def test_cube_call_and_pause_are_shown(store: Store, table: PlayingTable) -> None:
    table.open(100, length=7)
    table.press(LEFT, 110)
    table.press(RIGHT, 112)
    table.do(c.Double(LEFT), 113)
    table.send(113)
    assert the_face(store)["cube"] == {"value": 1, "owner": None, "offered_by": "left", "in_play": True}
    table.do(c.Take(RIGHT), 114)
    table.do(c.CallReferee(RIGHT), 115)
    table.do(c.RefereeComing("Vera"), 120)
    table.do(c.PauseHall("Eva", "fire alarm"), 125)
    table.send(125)
    shown = the_face(store)
    assert (shown["cube"]["value"], shown["cube"]["owner"], shown["cube"]["offered_by"]) == (2, "right", None)
    assert shown["call"] == {"by": "right", "since_ms": (AHEAD + 115 * NS_PER_S) // 10**6, "coming": "Vera"}
    assert shown["paused"] == {"by": "Eva", "why": "fire alarm", "since_ms": (AHEAD + 125 * NS_PER_S) // 10**6}
    assert shown["running"] == []


@pytest.mark.parametrize("boot", ["boot", "another boot"])
def test_a_pause_that_was_ordered_before_the_match_stands_in_it_whoever_works_it_out(
    store: Store, intake: Intake, table: PlayingTable, boot: str
) -> None:
    table.do(c.PauseHall("Eva", "fire alarm"), 90)
    before = chained([Record(row.type, row.data, row.mono_ns) for row in table.rows], None, boot)
    noted = plain_rows(1, before[-1])
    table.open(100)
    opened = [row for row in table.rows if row.seq > len(before)]
    rows = [*before, *noted, *chained([Record(row.type, row.data, row.mono_ns) for row in opened], noted[-1])]
    sender = Sender(intake, table.device, rows)
    asyncio.run(sender.send(1, len(rows)))
    assert intake.projections.settled(60)
    since = the_face(store)["paused"]["since_ms"]
    assert the_face(store)["paused"]["by"] == "Eva"
    intake.projections._kept.clear()  # as after a restart: the match is worked out from its opening on
    sender.rows += plain_rows(1, rows[-1])
    asyncio.run(sender.send(len(rows) + 1, len(rows) + 1))
    assert intake.projections.settled(60)
    assert the_face(store)["paused"] == {"by": "Eva", "why": "fire alarm", "since_ms": since}


def test_an_order_that_cannot_be_read_before_a_match_harms_no_match(store: Store, intake: Intake, table: PlayingTable) -> None:
    table.open(100)
    broken = chained([Record("hall_paused", "{}", 5), Record("message_shown", '{"v":99}', 6)])
    rows = [*broken, *chained([Record(row.type, row.data, row.mono_ns) for row in table.rows], broken[-1])]
    asyncio.run(Sender(intake, table.device, rows).send(1, len(rows)))
    assert intake.projections.settled(60)
    assert (the_face(store)["match"], the_face(store)["paused"]) == ("m1", None)


def test_presence_follows_the_stream_and_ends_with_the_process(store: Store, intake: Intake, table: PlayingTable) -> None:
    intake.presence(table.device, online=True)
    assert intake.projections.settled(60)
    assert the_face(store)["online"] is True
    table.open(1)
    table.send(2)
    assert the_face(store)["online"] is True
    intake.presence(table.device, online=False)
    assert intake.projections.settled(60)
    assert the_face(store)["online"] is False
    intake.presence(table.device, online=True)
    assert intake.projections.settled(60)
    intake.close()
    assert the_face(store)["online"] is False


def test_what_was_connected_to_a_killed_process_is_offline_after_its_start(store: Store, table: PlayingTable, intake: Intake) -> None:
    if not store.is_sqlite:
        pytest.skip("several processes see to each other there")
    with store.write() as connection:
        connection.execute(face.insert().values(device=table.device, data="{}", worker="killed", changed_ns=1))
    again = Intake(store, intake._hub, intake._keys, intake._now_ns)
    again.projections.start()
    again.close()
    assert the_face(store)["online"] is False


def test_what_was_connected_to_a_process_that_died_is_offline_after_a_few_looks(
    postgres_database: Callable[[], str],
) -> None:
    store, now = Store.open(postgres_database()), [0]
    first, other = (Projections(store, LocalHub(), lambda: now[0]) for _ in range(2))
    device = enrol(store, "12", "12")
    for each in (first, other):
        each._first()
    other._work_out([], {device: True}, {})
    for _ in range(3):
        first._look_at_others()
        other._look_at_others()
    assert the_face(store)["online"] is True
    for _ in range(DEAD_AFTER + 1):
        first._look_at_others()
    assert the_face(store)["online"] is False
    other.presence(device, online=True)
    other._look_at_others()  # it was only slow: what is connected to it is so still
    other._round()
    assert the_face(store)["online"] is True
    store.close()


def test_tables_stand_in_the_order_in_which_people_count(store: Store) -> None:
    for name in ("10", "2", "A2", "1b", "A10", "1"):
        enrol(store, name, name)
    with store.read() as connection:
        assert [shown["table"] for shown in faces.faces(connection)] == ["1", "1b", "2", "10", "A2", "A10"]


# ── Matches ──────────────────────────────────────────────────────────────────
def test_matches_are_kept_with_their_score_and_sheet(store: Store, table: PlayingTable) -> None:
    table.open(100)
    table.finish(110)
    table.open(200, "m2", players=Pair(("Вера",), ("Gia",)))
    table.send(201)
    first, second = kept(store)
    assert (first.match, first.phase, first.first_seq, second.first_seq) == ("m1", "signed", 1, first.last_seq + 1)
    assert (first.summary["score"], first.summary["winner"], first.summary["how"]) == ({"left": 3, "right": 0}, "left", "score")
    assert (first.summary["standing"], first.summary["signed"]) == ({"left": "1", "right": "0"}, ["left", "right"])
    assert first.opened_ns == AHEAD + 100 * NS_PER_S
    with store.read() as connection:
        made = list(matches.sheets(connection))
        one = matches.sheet(connection, "m1")
        assert matches.rows(connection, "m1") == table.rows[: first.last_seq]
        assert matches.sheet(connection, "m9") is None
    own = list(sheets_of(table.rows))
    assert [as_object(sheet) for sheet in made] == [as_object(sheet) for sheet in own]
    assert one is not None
    assert as_object(one) == as_object(own[0])
    with store.read() as connection:
        assert connection.execute(select(match_table.c.search).where(match_table.c.id == "m2")).scalar() == "\nвера\ngia\n"


def test_what_comes_row_by_row_gives_the_same_as_all_at_once(store: Store, intake: Intake) -> None:
    one, other = (PlayingTable(intake, enrol(store, name, name)) for name in ("1", "2"))
    for table in (one, other):
        table.open(100, f"m{table.device}")
        table.finish(110)
    other.send(200)
    rows = Sender(intake, one.device, one.rows)
    for n in range(1, len(one.rows) + 1):
        asyncio.run(rows.send(n, n))
        assert intake.projections.settled(60)
    first, second = kept(store)
    assert {**first.summary, "digest": ""} == {**second.summary, "digest": ""}


def test_a_process_that_kept_nothing_takes_up_from_what_is_on_record(store: Store, intake: Intake, table: PlayingTable) -> None:
    table.open(100)
    table.game(LEFT, 110)
    table.send(120)
    intake.projections._kept.clear()
    table.game(LEFT, 130)
    table.game(LEFT, 140)
    table.send(150)
    assert kept(store)[0].summary["score"] == {"left": 3, "right": 0}


def test_facts_that_nobody_worked_out_are_caught_up_with_at_the_start(store: Store, intake: Intake, table: PlayingTable) -> None:
    table.open(100)
    table.finish(110)
    table.open(300, "m2")
    table.send(301)
    with store.write() as connection:
        connection.execute(match_table.delete())
        connection.execute(face.delete())
    again = Intake(store, intake._hub, intake._keys, intake._now_ns)
    again.projections.start()
    again.close()
    assert [one.match for one in kept(store)] == ["m1", "m2"]
    assert the_face(store)["match"] == "m2"


def test_a_match_of_an_assignment_counts_for_it_and_gives_its_result(store: Store, table: PlayingTable) -> None:
    hall = Hall(store)
    ident = hall.make()
    table.open(100, ident)
    table.finish(110)
    table.send(160)
    assert (kept(store)[0].attached, kept(store)[0].round) == (ident, "3")
    assert the_face(store)["round"] == "3"
    with store.read() as connection:
        from kiosk.server import results

        (version,) = results.versions(connection, ident)
    assert (version.source, version.data["score"]) == ("sheet", {"left": 3, "right": 0})


def test_practice_reaches_no_sheet_and_no_ruling(store: Store, table: PlayingTable) -> None:
    table.open(100, place=Place("Cup", "2", "12", practice=True))
    ruled(table, 120)
    table.send(130)
    assert the_face(store)["practice"] is True
    with store.read() as connection:
        assert list(matches.sheets(connection)) == []
        assert len(list(matches.sheets(connection, practice=True))) == 1
        assert matches.earlier_rulings(connection, ["Ana", "Boris"]) == []


# ── Rulings ──────────────────────────────────────────────────────────────────
INFRACTION = Library().load("ibgf").infractions[0].code


def ruled(table: PlayingTable, at: float, note: str = "", by: Official = REFEREE) -> None:
    table.do(c.SignIn(by), at)
    table.do(c.Rule((RIGHT,), INFRACTION, sanction=Sanction.WARNING, note=note), at)
    table.do(c.SignOut(), at)


def test_earlier_rulings_come_from_all_tables_and_void_ones_do_not(store: Store, intake: Intake) -> None:
    one, other = (PlayingTable(intake, enrol(store, name, name)) for name in ("1", "2"))
    one.open(100, "m1")
    ruled(one, 120, "loud")
    other.open(100, "m2", players=Pair(("BORIS",), ("Gia",)))
    ruled(other, 300, "of Gia")
    one.send(400)
    other.send(400)
    with store.read() as connection:
        (found,) = matches.earlier_rulings(connection, ["boris"])
        assert matches.earlier_rulings(connection, ["Bor"]) == []
        assert matches.earlier_rulings(connection, []) == []
    assert found == wire.EarlierRuling("Boris", "1", "m1", AHEAD + 120 * NS_PER_S, INFRACTION, Sanction.WARNING, "Vera", "loud")
    one.do(c.SignIn(REFEREE), 410)
    one.do(c.Void(1, "mistaken"), 411)
    one.send(412)
    with store.read() as connection:
        assert matches.earlier_rulings(connection, ["Boris"]) == []


def test_the_same_ruling_by_two_officials_within_minutes_is_flagged_once(store: Store, table: PlayingTable) -> None:
    table.open(100)
    ruled(table, 120)
    ruled(table, 300, by=Official("Petro", Role.REFEREE))
    table.send(310)
    table.do(c.CallReferee(LEFT), 320)
    table.send(321)
    assert flagged(store) == [("duplicate_ruling", {"first": 1, "second": 2})]
    assert the_face(store)["conflict"] is True


# ── What a person must look at ───────────────────────────────────────────────
def test_a_match_that_goes_on_in_two_journals_is_flagged_and_both_are_kept(store: Store, intake: Intake) -> None:
    one, other = (PlayingTable(intake, enrol(store, name, name)) for name in ("1", "2"))
    for table in (one, other):
        table.open(100)
        table.press(LEFT, 110)
        table.send(111)
    other.press(RIGHT, 120)
    other.send(121)
    assert [kind for kind, _what in flagged(store)] == ["two_devices"]
    assert [row.match for row in kept(store)] == ["m1", "m1"]


def test_a_match_that_another_table_took_up_counts_there_only(store: Store, intake: Intake) -> None:
    hall = Hall(store)
    ident = hall.make()
    one, other = (PlayingTable(intake, enrol(store, name, name)) for name in ("1", "2"))
    one.open(100, ident)
    one.game(LEFT, 110)
    one.do(c.SignIn(REFEREE), 120)
    one.do(c.Suspend("position", "tomorrow"), 121)
    one.send(122)
    other.take_up(one, 500)
    other.send(501)
    one.session.tick(Instant(510 * NS_PER_S))  # the official is signed out: no part of the match
    one.send(511)
    assert flagged(store) == []
    old, new = sorted(kept(store), key=lambda row: row.journal)
    assert (old.left_out, old.attached, new.left_out, new.attached) == (True, None, False, ident)
    with store.read() as connection:
        assert [sheet.match for sheet in matches.sheets(connection)] == [ident]
        assert matches.rows(connection, ident) == other.rows[new.first_seq - 1 :]


def test_a_fork_of_a_running_match_is_a_history_of_its_own(store: Store, intake: Intake, table: PlayingTable) -> None:
    table.open(100)
    table.game(LEFT, 110)
    table.send(120)
    whole = table.rows
    records = [Record(row.type, row.data, row.mono_ns) for row in whole]
    other = Sender(intake, table.device, [*whole[:3], *chained(records[3:5], whole[2], "boot", wall_ns=7)])
    asyncio.run(other.send(1, 5))
    assert intake.projections.settled(60)
    first, second = kept(store)
    assert (first.last_seq, second.last_seq, second.first_seq) == (len(whole), 5, first.first_seq)
    assert sorted(kind for kind, _what in flagged(store)) == ["fork", "two_devices"]
    with store.read() as connection:
        (_old, new) = (matches.sheet_at(connection, one, 1) for one in (first, second))
    assert new is not None
    assert new.last_seq == 5


def test_facts_of_a_newer_program_are_kept_and_noted_once(store: Store, intake: Intake, table: PlayingTable) -> None:
    table.open(100)
    rows = table.rows
    newer = [link(Record("coffee_served", '{"v":1}', 10**12), rows[-1].seq + 1, rows[-1].hash, "boot", (1, True))]
    newer += [link(Record("coffee_served", '{"v":1}', 10**12), newer[0].seq + 1, newer[0].hash, "boot", (1, True))]
    asyncio.run(Sender(intake, table.device, [*rows, *newer]).send(1, len(rows) + 2))
    assert intake.projections.settled(60)
    assert flagged(store) == [("unknown_fact", {"type": "coffee_served"})]
    assert the_face(store)["phase"] == "opening"
    with store.read() as connection:
        assert matches.rows(connection, "m1")[-2:] == newer


@pytest.mark.parametrize(
    ("kind", "data"),
    [("turn_ended", '{"v":1'), ("turn_ended", '{"at":5,"by":"left","v":1}'), ("act_undone", '{"at":5,"v":1}'), ("match_opened", "{}")],
)
def test_what_cannot_be_worked_out_fails_no_intake_and_the_next_match_is_shown(
    store: Store, intake: Intake, table: PlayingTable, kind: str, data: str
) -> None:
    table.open(100)
    rows = table.rows
    rows.append(link(Record(kind, data, 10**12), rows[-1].seq + 1, rows[-1].hash, "boot", (1, True)))
    opening = link(Record(rows[0].type, rows[0].data.replace('"m1"', '"m2"'), 10**12), rows[-1].seq + 1, rows[-1].hash, "boot", (1, True))
    sender = Sender(intake, table.device, [*rows, opening])
    assert asyncio.run(sender.send(1, len(rows))).verdict is wire.Verdict.STORED
    assert intake.projections.settled(60)
    if kind != "turn_ended" or data != '{"at":5,"by":"left","v":1}':  # that one evolves
        assert the_face(store)["phase"] == "unreadable"
    with store.read() as connection:
        assert len(list(matches.sheets(connection))) in {0, 1}
    asyncio.run(sender.send(len(rows) + 1, len(rows) + 1))
    assert intake.projections.settled(60)
    assert (the_face(store)["phase"], the_face(store)["match"]) == ("opening", "m2")


@pytest.mark.parametrize(("days", "counts"), [(3, 0), (0.5, 1)])
def test_what_a_table_brings_from_an_earlier_event_counts_for_nothing_until_somebody_says_so(
    days: float, counts: int, store: Store, table: PlayingTable
) -> None:
    with store.write() as connection:
        made = AHEAD + int(days * 24 * 3600 * NS_PER_S)
        connection.execute(insert(audit).values(at_ns=made, who="command line", act="server_made", what="{}", prev="", hash=""))
    table.open(100)
    table.send(113)
    (match,) = kept(store)
    assert match.left_out is not bool(counts)
    with store.read() as connection:
        assert len(results.unattached(connection)) == counts


def test_a_match_that_a_person_left_out_stays_so(store: Store, table: PlayingTable) -> None:
    table.open(100)
    table.send(101)
    with store.write() as connection:
        connection.execute(update(match_table).values(left_out=True))
    table.press(LEFT, 110)
    table.send(111)
    assert kept(store)[0].left_out is True
    with store.read() as connection:
        assert list(matches.sheets(connection)) == []


def test_rows_that_part_before_any_match_are_shown_too(store: Store, intake: Intake, table: PlayingTable) -> None:
    table.do(c.SignIn(REFEREE), 50)
    table.do(c.SignOut(), 51)
    table.send(52)
    plain = parted(table.rows, 2, 1)
    asyncio.run(Sender(intake, table.device, plain).send(1, 2))
    assert intake.projections.settled(60)
    assert the_face(store)["match"] is None
