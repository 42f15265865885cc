from __future__ import annotations

import asyncio
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from kiosk.domain.officials import Role
from kiosk.domain.types import Pair
from kiosk.server import assignments, backup, desk, pages_desk, result_acts, results
from kiosk.server.acts import Act
from kiosk.server.assignments import State
from kiosk.server.audit import A_SHEET
from kiosk.server.running import Keeper
from kiosk.server.settings import here
from kiosk.shell import places
from kiosk.sync import wire
from tests.server.desk_rig import SECOND, Desk, desk_over, text_of
from tests.server.hall import ANA_BORIS
from tests.server.playing import LEFT, PlayingTable

ALL = (
    "/desk", "/desk/matches", "/desk/results", "/desk/hall", "/desk/tables", "/desk/exports",
)  # fmt: skip
ORGANIZERS = ("/desk/matches/new", "/desk/matches/import", "/desk/officials", "/desk/backups", "/desk/audit")
FORM = {"left": "Ana", "right": "Boris", "rulebook": "ibgf", "length": "7", "table": "12", "round": "3", "id": "a" * 24}


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Desk]:
    with desk_over(tmp_path) as made:
        yield made


def _played(rig: Desk, name: str = "12", **plan: Any) -> tuple[PlayingTable, str]:
    """A match that was assigned, played and signed."""
    table = rig.table(name)
    ident = rig.hall.make(table=name, length=3, **plan)
    table.open(1, ident)
    table.finish(5)
    table.send(60)
    return table, ident


# ── Who may ──────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("path", ALL + ORGANIZERS)
def test_pages_are_for_those_whom_they_concern(rig: Desk, path: str) -> None:
    assert rig.as_(None).get(path).headers["location"].startswith("/login?next=%2Fdesk")
    assert rig.referee.get(path).status_code == 403
    assert rig.as_(Role.CHIEF).get(path).status_code == (200 if path in ALL else 403)
    page = rig.organizer.get(path)
    assert page.status_code == 200, page.text
    assert "Open Skopje" in page.text


POSTS = (
    "/desk/matches/new", "/desk/matches/one/x/edit", "/desk/matches/one/x/withdraw", "/desk/matches/one/x/again",
    "/desk/matches/one/x/place", "/desk/matches/import", "/desk/matches/import/do", "/desk/matches/played/9-9/attach",
    "/desk/matches/played/9-9/own",
    "/desk/matches/played/9-9/leave", "/desk/matches/played/9-9/undo", "/desk/results/one/x", "/desk/results/one/x/decide",
    "/desk/results/conflicts/1", "/desk/hall/pause", "/desk/hall/lift", "/desk/hall/delay", "/desk/hall/message", "/desk/hall/receive/x",
    "/desk/tables/code", "/desk/tables/code/1/drop", "/desk/tables/one/x/rename", "/desk/tables/one/x/revoke",
    "/desk/tables/one/x/practice",
    "/desk/officials", "/desk/officials/1", "/desk/backups", "/desk/event",
)  # fmt: skip


def test_nothing_is_done_without_a_login_a_role_and_a_form_of_ours(rig: Desk) -> None:
    _table, _ident = _played(rig)
    before = rig.hall.acts()
    for path in POSTS:
        assert rig.as_(None).post(path, data={}).status_code == 401, path
        forged = rig.organizer.post(path, data={"csrf": "forged", "why": "x", "text": "x"})
        assert forged.status_code == 403, path
        assert "out of date" in forged.text
        if "/hall/receive/" not in path:
            assert rig.send(path, Role.REFEREE).status_code == 403, path
    assert rig.hall.acts() == before


def test_bad_input_is_answered_with_a_sentence_everywhere(rig: Desk) -> None:
    _table, _ident = _played(rig)
    before = rig.hall.acts()
    for path in POSTS:
        if path in {"/desk/hall/lift", "/desk/backups", "/desk/tables/code", "/desk/tables/code/1/drop"}:
            continue  # nothing there needs a value
        answer = rig.send(path, junk="\x00\u202e" * 40)
        assert 400 <= answer.status_code < 500, (path, answer.status_code, answer.text)
        assert answer.status_code != 403, path
    assert rig.hall.acts() == before


@pytest.mark.parametrize(
    "path",
    [
        "/desk/matches/one/x", "/desk/matches/one/x/edit", "/desk/matches/played/x", "/desk/matches/played/9-9", "/desk/results/one/x",
        "/desk/tables/one/x", "/desk/exports/match/x.pdf", "/desk/exports/match/x.doc", "/desk/exports/x.csv", "/desk/backups/x",
        "/desk/matches/template.doc", "/desk/results/one/%00", "/desk/audit?before=x",
    ],
)  # fmt: skip
def test_what_is_not_there_is_told(rig: Desk, path: str) -> None:
    answer = rig.organizer.get(path)
    assert 400 <= answer.status_code < 500
    assert len(text_of(answer)) > 10


# ── Matches ──────────────────────────────────────────────────────────────────
def test_a_match_is_made_by_form_and_only_once(rig: Desk) -> None:
    device = rig.hall.table("12")
    for _twice in range(2):
        answer = rig.send("/desk/matches/new", **FORM, reserve="18", delay="15", practice="yes", method="fischer", provide="neither")
        assert answer.headers["location"] == f"/desk/matches/one/{'a' * 24}?done=made"
    page = rig.organizer.get(answer.headers["location"])
    assert "The match was made." in page.text
    assert "Ana – Boris" in text_of(page)
    (told,) = rig.hall.orders(device)
    assert isinstance(told, wire.AssignMatch)
    assert (told.reserve_ms, told.delay_ms, told.practice, told.method, told.event) == (
        Pair(1_080_000, 1_080_000),
        15_000,
        True,
        "fischer",
        "Open Skopje",
    )


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"left": ""}, "name is missing"),
        ({"length": "seven"}, "whole number from 1 to 99"),
        ({"rulebook": "chess"}, "no rulebook"),
        ({"start": "noon"}, "14:30"),
        ({"reserve": "x"}, "A reserve is minutes"),
        ({"method": "sundial"}, "what the form offers"),
        ({"id": "../../etc"}, "load the page again"),
        ({"left": "<b>Ana</b>", "right": "<b>ana</b>"}, "stands twice"),
    ],
)
def test_a_wrong_form_comes_back_with_a_sentence_and_what_was_typed(rig: Desk, changes: dict[str, str], sentence: str) -> None:
    answer = rig.send("/desk/matches/new", **(FORM | changes))
    assert answer.status_code == 400
    assert sentence in text_of(answer)
    assert 'value="3"' in answer.text
    assert "<b>Ana" not in answer.text
    assert rig.hall.acts() == []


def test_a_match_is_changed_withdrawn_and_planned_again(rig: Desk) -> None:
    ident = rig.hall.make(reserve_ms=Pair(1_080_000, 900_000), delay_ms=12_500, starts_ns=1_800_000_000_000_000_000)
    page = rig.organizer.get(f"/desk/matches/one/{ident}/edit")
    for typed in ("18:00 / 15:00", "12.5", "Ana"):
        assert f'value="{typed}"' in page.text
    path = f"/desk/matches/one/{ident}"
    assert rig.send(f"{path}/edit", **FORM, version="1", start="2026-12-05 14:30").status_code == 303
    assert rig.hall.find(ident).version == 2
    stale = rig.send(f"{path}/edit", **(FORM | {"length": "9"}), version="1")
    assert "meanwhile" in text_of(stale)
    assert rig.send(f"{path}/place", table="5", version="2").status_code == 303
    assert rig.send(f"{path}/withdraw", reason="ill").status_code == 303
    assert rig.hall.find(ident).state is State.WITHDRAWN
    assert "Plan it again" in rig.organizer.get(path).text
    assert rig.send(f"{path}/again").status_code == 303
    assert rig.hall.find(ident).state is State.DRAFT
    assert "no device yet" in text_of(rig.organizer.get(path))


def test_the_list_is_searched_and_chosen_from(rig: Desk) -> None:
    rig.hall.make()
    rig.hall.make(players=Pair(("Vera",), ("Goran",)), round="4", table="")
    withdrawn = rig.hall.make(players=Pair(("Olga",), ("Petar",)), round="5")
    with rig.hall.act() as act:
        assignments.withdraw(act, withdrawn)

    def names(query: str) -> list[str]:
        page = text_of(rig.organizer.get(f"/desk/matches?{query}"))
        return [name for name in ("Ana", "Vera", "Olga") if f"{name} –" in page]

    assert names("") == ["Ana", "Vera"]
    assert names("q=VERA") == ["Vera"]
    assert names("round=3") == ["Ana"]
    assert names("state=withdrawn") == ["Olga"]
    assert names("state=all") == ["Ana", "Vera", "Olga"]
    assert names("q=nobody") == []


def test_a_list_is_imported_by_file_or_pasted(rig: Desk) -> None:
    text = "Left;Right;Table\nAna;Boris;1\n;Goran;2\n"
    shown = rig.send(
        "/desk/matches/import", files={"file": ("list.csv", text.encode(), "text/csv")}, length="5", rulebook="ibgf", round="2"
    )
    assert "Make 1 and change 0" in text_of(shown)
    assert "1 row is wrong" in text_of(shown)
    assert rig.hall.acts() == []
    kept = shown.text.split('name="list" value="')[1].split('"', 1)[0].replace("&#34;", '"')
    for new in (1, 0):
        assert rig.send("/desk/matches/import/do", list=kept).headers["location"] == f"/desk/matches?done=imported&new={new}&changed=0"
    assert "The list was imported: 1 match was made, 0 were changed." in text_of(
        rig.organizer.get("/desk/matches?done=imported&new=1&changed=0")
    )
    with rig.house.store.read() as connection:
        (made,) = assignments.listed(connection)
    assert (made.plan.length, made.plan.round, made.plan.table) == (5, "2", "1")
    again = rig.send("/desk/matches/import", pasted="Left\tRight\tRound\tRating\nAna\tBoris\t2\t1800\n")
    assert "Nothing is new" in text_of(again)
    assert "Rating" in text_of(again)
    assert rig.send("/desk/matches/import").status_code == 400


def test_a_match_started_by_hand_is_shown_attached_and_taken_away(rig: Desk) -> None:
    table, ident = rig.table("12"), rig.hall.make(table="12", length=3)
    table.open(1, "byhand")
    table.finish(5)
    table.send(60)
    overview = rig.organizer.get("/desk")
    assert "Matches started by hand" in overview.text
    path = overview.text.split('href="/desk/matches/played/')[1].split('"', 1)[0]
    path = f"/desk/matches/played/{path}"
    assert "counts for nothing yet" in rig.organizer.get(path).text
    assert f"/desk/matches/played/{path.rsplit('/', 1)[1]}" in rig.organizer.get(f"/desk/matches/one/{ident}").text
    assert rig.send(f"{path}/attach", to=ident).status_code == 303
    assert "It counts for:" in rig.organizer.get(path).text
    with rig.house.store.read() as connection:
        assert [line.worth for line in results.table(connection)] == [results.Worth.PROVISIONAL]
    assert rig.send(f"{path}/undo").status_code == 303
    assert rig.send(f"{path}/leave", reason="").status_code == 409
    assert rig.send(f"{path}/leave", reason="a trial").status_code == 303
    assert "left out" in rig.organizer.get("/desk/results").text
    assert rig.send(f"{path}/undo").status_code == 303
    assert rig.send(f"{path}/own", round="7").status_code == 303
    assert "round 7" in text_of(rig.organizer.get(path))


# ── Results ──────────────────────────────────────────────────────────────────
def test_a_result_is_changed_with_a_reason_and_its_history_shown(rig: Desk) -> None:
    _table, ident = _played(rig)
    path = f"/desk/results/one/{ident}"
    assert "provisional" in text_of(rig.organizer.get(path))
    values = {"left": "3", "right": "2", "winner": "left", "how": "score", "version": "1"}
    refused = rig.send(path, **values, reason="  ")
    assert refused.status_code == 400
    assert "reason" in text_of(refused)
    assert 'value="2"' in refused.text
    for wrong in ({"left": "x"}, {"left": "99999999"}, {"winner": "nobody"}, {"version": "x"}, {"right": "4"}):
        assert rig.send(path, **(values | wrong), reason="because").status_code == 400
    assert rig.send(path, Role.CHIEF, **values, reason="Game 2 was entered <twice>").status_code == 303
    page = rig.organizer.get(path)
    assert "Game 2 was entered &lt;twice&gt;" in page.text
    assert "Ivan (chief)" in page.text
    assert "the sheet of table 12, revision 1" in page.text
    assert rig.send(path, **values, reason="again").status_code == 400
    assert "meanwhile" in text_of(rig.send(path, **values, reason="again"))


def test_a_disagreement_is_shown_and_decided(rig: Desk) -> None:
    _table, ident = _played(rig)
    with rig.hall.act() as act:
        result_acts.change(act, ident, {"score": {"left": 3, "right": 2}, "winner": "left", "how": "score"}, "seen", 1)
    row = rig.hall.find(ident).match
    assert row is not None
    rig.hall.now_is((row.journal, row.first_seq), summary={"revision": 2, "score": {"left": 3, "right": 1}})
    with rig.house.store.write() as connection:
        assert result_acts.take_sheet(Act(connection, A_SHEET, rig.hall.now_ns), row.journal, row.first_seq) == 3
    assert "Results to be decided" in rig.organizer.get("/desk").text
    path = f"/desk/results/one/{ident}"
    assert "The sheet says 3 – 1; decided was 3 – 2" in text_of(rig.organizer.get(path)).replace("\u2009", " ")
    assert rig.send(f"{path}/decide", keep="sheet", version="3", reason="").status_code == 400
    assert rig.send(f"{path}/decide", keep="sheet", version="3", reason="asked both").status_code == 303
    assert "Results to be decided" not in rig.organizer.get("/desk").text


def test_a_conflict_is_shown_and_settled(rig: Desk) -> None:
    from kiosk.server.schema import conflict

    rig.hall.table("12")
    for kind in ("fork", "two_devices", "duplicate_ruling", "unknown_fact", "truncated", "journal_gone"):
        what = '{"first":1,"second":2}' if kind == "duplicate_ruling" else '{"matches":[[1,1],[2,1]]}'
        with rig.house.store.write() as connection:
            connection.execute(conflict.insert().values(kind=kind, device="d", match="m", what=what, at_ns=1))
    page = rig.organizer.get("/desk")
    for n in range(1, 7):
        assert f'action="/desk/results/conflicts/{n}"' in page.text
    assert "Rulings 1 and 2" in page.text
    assert rig.send("/desk/results/conflicts/1", reason="").status_code == 409
    assert rig.send("/desk/results/conflicts/1", reason="the old card was put back").headers["location"] == "/desk?done=settled"
    assert 'conflicts/1"' not in rig.organizer.get("/desk").text
    assert rig.send(f"/desk/results/conflicts/{2**70}", reason="x").status_code == 404


@pytest.mark.parametrize("fields", [{"length": "0"}, {"length": ""}, {"length": "7", "free": "yes"}])
def test_a_slip_in_the_length_makes_no_free_session(rig: Desk, fields: dict[str, str]) -> None:
    answer = rig.send("/desk/matches/new", **(FORM | fields))
    assert (answer.status_code, "free session" in text_of(answer)) == (400, True)
    assert rig.hall.acts() == []


def test_a_free_session_is_chosen_in_the_form_and_stands_there_again(rig: Desk) -> None:
    assert rig.send("/desk/matches/new", **(FORM | {"length": "", "free": "yes"})).status_code == 303
    assert rig.hall.find(FORM["id"]).plan.length is None
    page = rig.organizer.get(f"/desk/matches/one/{FORM['id']}/edit").text
    assert re.search(r'name="free" value="yes" checked', page)


def test_a_list_that_says_no_length_makes_no_free_sessions_unless_they_were_chosen(rig: Desk) -> None:
    ident = rig.hall.make(length=9, table="1", round="3")
    rows = "Left;Right;Round;Table;Length\nAna;Boris;3;2;\nVera;Goran;3;4;\nOlga;Petar;3;5;–\n"
    shown = text_of(rig.send("/desk/matches/import", pasted=rows, rulebook="ibgf", length=""))
    assert "1 row is wrong" in shown
    assert shown.count("The length is missing") == 1
    assert "Make 1 and change 1" in shown
    assert rig.hall.find(ident).plan.length == 9
    chosen = text_of(rig.send("/desk/matches/import", pasted=rows, rulebook="ibgf", length="", free="yes"))
    assert "Make 2 and change 1" in chosen
    assert "is missing" not in chosen
    for length in ("0", "100", "x"):
        assert rig.send("/desk/matches/import", pasted=rows, rulebook="ibgf", length=length).status_code == 400


# ── To the hall ──────────────────────────────────────────────────────────────
def test_the_hall_is_paused_and_who_has_obeyed_is_shown(rig: Desk) -> None:
    one, two = rig.hall.table("1"), rig.hall.table("2")
    refused = rig.send("/desk/hall/pause", where="all", why=" ")
    assert (refused.status_code, "missing" in text_of(refused)) == (400, True)
    for _twice in range(2):
        assert rig.send("/desk/hall/pause", where="all", why="Fire alarm").headers["location"] == "/desk/hall?done=paused"
    assert [type(told) for told in (*rig.hall.orders(one), *rig.hall.orders(two))] == [wire.PauseHall, wire.PauseHall]
    rig.hall.answer(one, 1)
    rig.hall.answer(two, 1, done=False, sentence="The table is switched off.")
    page = text_of(rig.as_(Role.CHIEF).get("/desk/hall"))
    assert "1 of 2 tables have obeyed" in page
    assert "refused: The table is switched off." in page
    assert "All clocks are paused: Fire alarm" in text_of(rig.organizer.get("/desk"))
    assert rig.send("/desk/hall/lift", where="some", tables="9").status_code == 400
    assert rig.send("/desk/hall/lift", where="some", tables="1").status_code == 303
    assert "Paused at 2" in text_of(rig.organizer.get("/desk"))
    assert "tables have obeyed" in text_of(rig.organizer.get("/desk/hall"))
    assert rig.send("/desk/hall/lift", where="all").status_code == 303
    with rig.house.store.read() as connection:
        assert desk.pause_now(connection) is None
    rig.hall.answer(one, 2)
    page = text_of(rig.organizer.get("/desk/hall"))
    assert "The pause was lifted at" in page
    assert "1 of 2 tables know" in page
    assert "have obeyed" not in page, "that order is over"


def test_a_message_is_sent_to_some_and_who_read_it_is_shown(rig: Desk) -> None:
    one, two = rig.hall.table("1"), rig.hall.table("2")
    assert rig.send("/desk/hall/message", where="some", text="Lunch").status_code == 400
    assert rig.send("/desk/hall/message", where="some", tables="2, 2", text="<Lunch>").status_code == 303
    assert (rig.hall.orders(one), len(rig.hall.orders(two))) == ([], 1)
    rig.hall.answer(two, 1, read=True)
    page = rig.organizer.get("/desk/hall")
    assert "&lt;Lunch&gt;" in page.text
    assert "shown at 1, read at 1 of 1" in text_of(page)
    wrong = rig.send("/desk/hall/message", where="some", tables="2", text="x" * 501)
    assert (wrong.status_code, "at most 500" in text_of(wrong)) == (400, True)


@pytest.mark.parametrize(("path", "fields"), [("pause", {"why": "Fire alarm"}), ("message", {"text": "Lunch"}), ("lift", {})])
def test_what_was_chosen_explicitly_counts_and_a_contradiction_sends_nothing(rig: Desk, path: str, fields: dict[str, str]) -> None:
    tables = [rig.hall.table(name) for name in ("1", "2")]
    if path == "lift":
        assert rig.send("/desk/hall/pause", where="all", why="Fire alarm").status_code == 303
    before = [len(rig.hall.orders(table)) for table in tables]
    both = rig.send(f"/desk/hall/{path}", where="all", tables="2", **fields)
    assert (both.status_code, "All tables were chosen, and some were named as well: 2. Nothing was sent." in text_of(both)) == (400, True)
    for neither in ({}, {"where": "x"}, {"tables": "2"}):
        assert rig.send(f"/desk/hall/{path}", **neither, **fields).status_code == 400
    assert [len(rig.hall.orders(table)) for table in tables] == before
    assert rig.send(f"/desk/hall/{path}", where="all", tables=" ", **fields).status_code == 303
    assert [len(rig.hall.orders(table)) for table in tables] == [before[0] + 1, before[1] + 1]


def test_a_fire_alarm_is_one_touch_that_names_no_tables_also_while_some_are_paused(rig: Desk) -> None:
    one, two = rig.hall.table("1"), rig.hall.table("2")
    assert rig.send("/desk/hall/pause", where="some", tables="1", why="A drink was spilt").status_code == 303
    page = rig.organizer.get("/desk/hall").text
    forms = [form for form in re.findall(r"<form\b.*?</form>", page, re.DOTALL) if "Fire alarm: stop all clocks" in form]
    (alarm,) = forms
    assert 'name="tables"' not in alarm
    assert "required" not in alarm
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', alarm))
    assert rig.organizer.post("/desk/hall/pause", data=fields).status_code == 303
    assert (len(rig.hall.orders(one)), len(rig.hall.orders(two))) == (1, 1)
    assert "Fire alarm: stop all clocks" not in rig.organizer.get("/desk/hall").text


def test_the_same_match_a_second_time_is_doubted_with_a_round_and_without(rig: Desk) -> None:
    for n, round_name in enumerate(("3", "")):
        typed = FORM | {"round": round_name, "id": f"{2 * n:024x}"}
        assert rig.send("/desk/matches/new", **typed).status_code == 303
        again = rig.send("/desk/matches/new", **(typed | {"id": f"{2 * n + 1:024x}"}))
        assert (again.status_code, "Ana – Boris, table 12." in text_of(again)) == (400, True)
    assert len(rig.hall.acts()) == 2
    assert rig.send("/desk/matches/new", **(typed | {"id": "f" * 24}), meant="yes").status_code == 303


def test_a_match_that_would_begin_in_the_past_is_made_once_somebody_says_that_it_is_meant(rig: Desk) -> None:
    over = datetime.fromtimestamp(rig.house.now_ns() / SECOND, here()) - timedelta(hours=2)
    typed = FORM | {"start": over.strftime("%Y-%m-%d %H:%M")}
    doubted = rig.send("/desk/matches/new", **typed)
    assert (doubted.status_code, "Its start is over already." in text_of(doubted)) == (400, True)
    assert rig.hall.acts() == []
    listed = f"Left;Right;Length;Start\nVera;Goran;7;{typed['start']}\nOlga;Petar;7;\n"
    shown = text_of(rig.send("/desk/matches/import", pasted=listed))
    assert ("1 row is doubtful" in shown, shown.count("Its start is over already.")) == (True, 1)
    assert rig.send("/desk/matches/new", **typed, meant="yes").status_code == 303
    later = rig.send(f"/desk/matches/one/{FORM['id']}/edit", **(typed | {"table": "9"}), version="1")
    assert later.status_code == 303  # its start has not changed: it was meant before


def test_a_start_that_is_over_is_refused_and_every_way_to_type_one_is_named(rig: Desk) -> None:
    device = rig.hall.table("12")
    ident = rig.hall.make()
    now = datetime.fromtimestamp(rig.house.now_ns() / SECOND, here())
    for typed in ("-5", "+99999", "soon"):
        answer = rig.send("/desk/hall/delay", round="3", at=typed)
        assert (answer.status_code, "2026-12-05 14:30, or in so many minutes, at most 999, as +15" in text_of(answer)) == (400, True)
    over = rig.send("/desk/hall/delay", round="3", at=(now - timedelta(minutes=2)).strftime("%Y-%m-%d %H:%M"))
    assert (over.status_code, f"is over: it is {now:%H:%M}" in text_of(over)) == (400, True)
    assert len(rig.hall.orders(device)) == 1
    assert rig.send("/desk/hall/delay", round="3", at=now.strftime("%Y-%m-%d %H:%M")).status_code == 303
    assert rig.hall.find(ident).plan.starts_ns == int(now.timestamp() // 60 * 60) * SECOND


def test_a_round_starts_later(rig: Desk) -> None:
    device = rig.hall.table("12")
    ident = rig.hall.make()
    assert rig.send("/desk/hall/delay", round="3", at="+15").status_code == 303
    assert rig.hall.orders(device)[-1] == wire.DelayStart("Eva (organizer)", ident, 900_000)
    assert rig.send("/desk/hall/delay", round="9", at="+15").status_code == 400
    assert rig.send("/desk/hall/delay", round="3", at="soon").status_code == 400
    assert rig.send("/desk/hall/delay", round="3", at="").status_code == 303
    assert rig.hall.find(ident).plan.starts_ns is None


def test_a_signed_sheet_is_received_at_the_desk(rig: Desk) -> None:
    table, ident = _played(rig)
    assert "Signed sheets to be received" in rig.organizer.get("/desk").text
    for _twice in range(2):
        assert rig.send(f"/desk/hall/receive/{ident}", Role.REFEREE, **{"from": "referee"}).headers["location"] == "/referee?done=received"
    assert rig.hall.orders(table.device)[-1] == wire.ReceiveSheet(ident, "Mara", Role.REFEREE)
    assert len(rig.hall.orders(table.device)) == 2


# ── Tables ───────────────────────────────────────────────────────────────────
def test_a_code_is_shown_with_its_qr_code_and_to_load_that_page_again_makes_no_second_one(rig: Desk) -> None:
    where = rig.send("/desk/tables/code", table="14")
    assert (where.status_code, where.headers["location"]) == (303, "/desk/tables/code/1")
    pages = [rig.organizer.get("/desk/tables/code/1") for _time in range(2)]
    for page in pages:
        assert page.status_code == 200
        assert page.headers["cache-control"] == "no-store"
        assert "A code for table 14" in page.text
        assert '<svg class="qr"' in page.text
    assert text_of(pages[0]) == text_of(pages[1])
    assert "14, 1 use left" in text_of(rig.organizer.get("/desk/tables"))
    for wrong in ({"table": "x" * 200}, {"uses": "0"}, {"uses": "x"}, {"days": "99"}, {"replaces": "9"}):
        assert rig.send("/desk/tables/code", **wrong).status_code == 400
    assert rig.send("/desk/tables/code/1/drop").status_code == 303
    assert "use left" not in text_of(rig.organizer.get("/desk/tables"))
    assert rig.organizer.get("/desk/tables/code/1").status_code == 404


def test_a_code_is_shown_only_in_the_browser_for_which_it_was_made(rig: Desk) -> None:
    rig.table("12")
    first = rig.send("/desk/tables/code", replaces="12").headers["location"]
    assert "spare device of table 12" in rig.organizer.get(first).text
    second = rig.send("/desk/tables/code", table="12").headers["location"]
    assert "Table 12 has a device" in text_of(rig.organizer.get(second))
    assert rig.organizer.get(first).status_code == 404, "the browser shows the newest"
    rig.organizer.cookies.delete("code")
    for path in (first, second, f"/desk/tables/code/{2**70}"):
        answer = rig.organizer.get(path)
        assert (answer.status_code, "not shown any more" in text_of(answer)) == (404, True)


def test_a_table_is_renamed_set_to_practice_and_revoked(rig: Desk) -> None:
    table, _ident = _played(rig)
    path = f"/desk/tables/one/{table.device}"
    assert "offline" in text_of(rig.organizer.get(path))
    assert rig.send(f"{path}/rename", table="A1").status_code == 303
    assert "Table A1" in text_of(rig.organizer.get(path))
    rig.hall.table("B2")
    assert rig.send(f"{path}/rename", table="B2").status_code == 403
    for wrong, told in ((" ", "is missing"), ("x" * 101, "this one has 101"), ("a\u202eb", "some cannot")):
        refused = rig.send(f"{path}/rename", table=wrong)
        assert (refused.status_code, told in text_of(refused)) == (400, True)
    assert rig.send(f"{path}/practice", practice="yes").status_code == 303
    assert "practice" in text_of(rig.organizer.get(path))
    assert rig.send(f"{path}/revoke").status_code == 303
    assert "revoked" in text_of(rig.organizer.get(path))
    assert "1 device was revoked" in text_of(rig.organizer.get("/desk/tables"))
    assert 400 <= rig.send(f"{path}/revoke").status_code < 500


# ── The office ───────────────────────────────────────────────────────────────
def test_officials_are_entered_changed_and_taken_out(rig: Desk) -> None:
    new = {"name": "Vera", "role": "referee", "password": "a long enough word", "pin": "2580"}
    assert rig.send("/desk/officials", **new).status_code == 303
    taken = rig.send("/desk/officials", **new)
    assert (taken.status_code, "entered already" in text_of(taken)) == (400, True)
    assert "a long enough word" not in taken.text
    page = rig.organizer.get("/desk/officials").text
    ident = page.split("Vera</b>", 1)[1].split('action="/desk/officials/', 1)[1].split('"', 1)[0]
    path = f"/desk/officials/{ident}"
    assert rig.send(path, what="role", role="chief").status_code == 303
    assert rig.send(path, what="password", password=new["password"] + "!").status_code == 303
    assert rig.send(path, what="badge", badge="0f00184c7b").status_code == 303
    assert "0F00184C7B" not in rig.organizer.get("/desk/officials").text
    assert rig.send(path, what="badge", badge="no").status_code == 400
    assert rig.send(path, what="badge", badge="").status_code == 303
    assert rig.send(path, what="pin", pin="").status_code == 303
    for wrong in (
        {"what": "role", "role": "king"},
        {"what": "password", "password": "x"},
        {"what": "pin", "pin": "1234"},
        {"what": "dance"},
    ):
        assert rig.send(path, **wrong).status_code == 400
    assert rig.send(path, what="remove").status_code == 303
    assert rig.send(path, what="remove").status_code == 400
    assert rig.send(f"/desk/officials/{2**70}", what="remove").status_code == 409


def test_a_backup_is_made_and_fetched(rig: Desk) -> None:
    assert rig.send("/desk/backups").status_code == 303
    page = rig.organizer.get("/desk/backups").text
    name = page.split('href="/desk/backups/')[1].split('"', 1)[0]
    fetched = rig.organizer.get(f"/desk/backups/{name}")
    assert fetched.content.startswith(b"PK")
    assert rig.organizer.get("/desk/backups/..%2F..%2Fkeys").status_code == 404
    assert rig.hall.acts() == ["backup_made", "backup_fetched"]
    (rig.house.settings.backups / f"x{name[name.rindex('.') :]}").write_bytes(b"no backup")
    assert "not whole" in rig.organizer.get("/desk/backups").text


def test_what_a_table_was_told_stands_there_in_words(rig: Desk) -> None:
    device = rig.hall.table("12")
    rig.hall.make()
    assert rig.send("/desk/hall/pause", where="all", why="Fire alarm").status_code == 303
    assert rig.send("/desk/hall/lift", where="all").status_code == 303
    assert rig.send(f"/desk/tables/one/{device}/rename", table="13").status_code == 303
    page = rig.organizer.get(f"/desk/tables/one/{device}").text
    for words in ("a match is offered", "all clocks stop: Fire alarm", "the pause is over", "another name of the table: 13"):
        assert words in page
    for program in ("assign_match", "pause_hall", "lift_pause", "rename_table"):
        assert program not in page


def test_the_audit_tells_every_act_and_is_checked(rig: Desk) -> None:
    rig.hall.make(players=Pair(("Љубица",), ("Boris",)))
    rig.send("/desk/event", name="Cup of Skopje")
    page = text_of(rig.organizer.get("/desk/audit?check=1"))
    assert "Every row is as it was written." in page
    assert "players: left Љубица; right Boris" in page
    assert "Cup of Skopje" in page
    assert "Cup of Skopje" not in text_of(rig.organizer.get("/desk/audit?before=2"))
    assert rig.send("/desk/event", name=" ").status_code == 409


# ── Exports ──────────────────────────────────────────────────────────────────
def test_a_sheet_can_be_had_in_every_form(rig: Desk) -> None:
    _table, ident = _played(rig)
    begin = {"pdf": b"%PDF", "receipt": b"%PDF", "xlsx": b"PK", "csv": b"\xef\xbb\xbf", "json": b"{"}
    for form, first in begin.items():
        answer = rig.as_(Role.CHIEF).get(f"/desk/exports/match/{ident}.{form}")
        assert answer.content.startswith(first)
        assert "attachment" in answer.headers["content-disposition"]
    assert ident in rig.organizer.get("/desk/exports").text


def test_the_event_is_exported_with_each_matchs_table_and_no_practice(rig: Desk) -> None:
    _played(rig, "12")
    _played(rig, "13", players=Pair(("Ana",), ("Boris",)), round="4")
    practice = rig.table("14")
    ident = rig.hall.make(table="14", length=3, practice=True, round="5")
    practice.open(1, ident)
    practice.finish(5)
    practice.send(60)
    book = load_workbook(io.BytesIO(rig.organizer.get("/desk/exports/event.xlsx").content))
    tables = [row[[cell.value for cell in book.worksheets[0][1]].index("Table")].value for row in list(book.worksheets[0].rows)[1:]]
    assert sorted(map(str, tables)) == ["12", "13"]
    for name in ("results.csv", "games.csv", "times.csv", "standings.csv"):
        text = rig.organizer.get(f"/desk/exports/{name}").content.decode("utf-8-sig")
        assert "12" in text, name
        assert ident not in text, name
    assert rig.organizer.get("/desk/exports/rulings.csv").status_code == 200
    standings = rig.organizer.get("/desk/exports/standings.csv").content.decode("utf-8-sig").splitlines()
    assert standings[1].startswith("3,12,Ana,Boris,3,0,1,0,Ana,score,provisional,")
    assert len(standings) == 3


def test_a_pages_texts_are_in_the_readers_language(rig: Desk) -> None:
    for language in ("ru", "uk", "mk"):
        for path in ("/desk", "/desk/matches", "/desk/hall", "/desk/tables", "/referee"):
            page = rig.organizer.get(f"{path}?lang={language}")
            assert page.status_code == 200
            assert f'<html lang="{language}"' in page.text


def test_the_overview_says_when_nothing_needs_anybody(rig: Desk) -> None:
    assert "Nothing needs you." in rig.organizer.get("/desk").text
    table = rig.table("12")
    table.open(1, "byhand")
    table.press(LEFT, 2)
    table.send(3)
    assert "Nothing needs you." not in rig.organizer.get("/desk").text


def test_long_lists_come_in_pages(rig: Desk) -> None:
    with rig.hall.act() as act:
        assignments.make_all(act, [replace(ANA_BORIS, players=Pair((f"Player {n}",), ("Boris",)), table=f"{n:03}") for n in range(201)])
    for path in ("/desk/matches", "/desk/results"):
        first, second = (text_of(rig.organizer.get(f"{path}?{query}")) for query in ("", "page=2&round=3"))
        assert "Page 1 of 2" in first
        assert "Player 200 –" not in first
        assert "Player 200 –" in second
        assert 'href="?page=2' in rig.organizer.get(path).text
        for query in ("page=9", "page=x", "page=0", f"page={'9' * 30}"):
            assert rig.organizer.get(f"{path}?{query}").status_code == 200


def test_a_match_that_cannot_be_played_beside_another_is_made_once_it_is_meant(rig: Desk) -> None:
    values = {"id": "a" * 24, "left": "Ana", "right": "Boris", "round": "1", "table": "1", "rulebook": "ibgf", "length": "7"}
    assert rig.send("/desk/matches/new", **values).status_code == 303
    second = {**values, "id": "b" * 24, "left": "Cid", "right": "Ana"}
    doubted = rig.send("/desk/matches/new", **second)
    assert doubted.status_code == 400
    assert "Table 1 has another match in this round: Ana – Boris, table 1. Ana has another match in this round" in text_of(doubted)
    assert "It is meant so" in text_of(doubted)
    assert 'value="Cid"' in doubted.text
    assert rig.send("/desk/matches/new", **second, meant="yes").status_code == 303
    page = rig.organizer.get(f"/desk/matches/one/{'b' * 24}")
    assert "Table 1 has another match in this round" in text_of(page)
    changed = {**second, "version": "1", "length": "5"}
    assert rig.send(f"/desk/matches/one/{'b' * 24}/edit", **changed).status_code == 303, "what has not changed was meant before"
    moved = {**second, "version": "2", "right": "Dan", "table": "2"}
    assert rig.send(f"/desk/matches/one/{'b' * 24}/edit", **moved).status_code == 303
    back_again = rig.send(f"/desk/matches/one/{'b' * 24}/edit", **{**moved, "version": "3", "table": "1"})
    assert (back_again.status_code, "Table 1 has another match" in text_of(back_again)) == (400, True)
    assert rig.send("/desk/matches/new", **{**values, "id": "c" * 24, "round": "2"}).status_code == 303, "another round"


def test_a_list_with_matches_that_cannot_be_played_at_once_is_imported_once_it_is_meant(rig: Desk) -> None:
    text = "Left;Right;Table;Round\nAna;Boris;1;1\nCid;Dan;1;1\nAna;Eve;2;1\nFay;Gus;3;1\n"
    shown = rig.send("/desk/matches/import", pasted=text, rulebook="ibgf", length="7")
    assert "3 rows are doubtful" in text_of(shown)
    assert 'name="meant" value="yes" required' in shown.text
    assert "Ana has another match in this round: row 4." in text_of(shown)


def test_an_hourly_backup_that_fails_is_told_with_its_reason_until_one_is_made(rig: Desk) -> None:
    full = ["The disk is full: no backup was made."] * 2

    async def make(_folder: Path) -> str:
        if full:
            return full.pop()
        backup.hourly(rig.house)
        return ""

    keeper = Keeper(rig.house, make)
    for _twice in range(2):
        assert asyncio.run(keeper.due()) == 300
    for page in ("/desk", "/desk/backups"):
        told = text_of(rig.organizer.get(page))
        assert "No hourly backup since" in told
        assert "The disk is full: no backup was made." in told
    assert "Nothing needs you." not in text_of(rig.organizer.get("/desk"))
    asyncio.run(keeper.due())
    assert "No hourly backup" not in text_of(rig.organizer.get("/desk")) + text_of(rig.organizer.get("/desk/backups"))


def test_a_data_folder_that_forgets_is_told_in_red(rig: Desk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    monkeypatch.setattr(places, "MOUNTS", mounts)
    mounts.write_text("/dev/sda1 / ext4 rw 0 0\n", encoding="ascii")
    assert "forgets everything" not in text_of(rig.organizer.get("/desk"))
    mounts.write_text("overlayroot / overlay rw 0 0\n", encoding="ascii")
    page = rig.organizer.get("/desk")
    assert "is on overlay and forgets everything at the next reboot" in text_of(page)
    assert 'class="note flag"' in page.text


def test_a_match_that_its_table_refused_says_so_and_is_offered_again(rig: Desk) -> None:
    device, ident = rig.hall.table("12"), rig.hall.make()
    assert rig.hall.find(ident).state is State.OFFERED
    rig.hall.answer(device, 1, done=False, sentence="There is no rulebook “cup” here.")
    assert rig.hall.find(ident).state is State.REFUSED
    page = text_of(rig.organizer.get(f"/desk/matches/one/{ident}"))
    assert "Its table has refused it: There is no rulebook “cup” here." in page
    assert "refused by its table" in text_of(rig.organizer.get("/desk/matches"))
    for _twice in range(2):
        assert rig.send(f"/desk/matches/one/{ident}/offer").status_code == 303
    assert rig.hall.find(ident).state is State.OFFERED
    (again,) = rig.hall.orders(device)
    assert isinstance(again, wire.AssignMatch)
    assert (again.match, again.version) == (ident, 2)


@pytest.mark.parametrize(
    ("kind", "what", "sentence"),
    [
        ("fork", '{"seq":7,"branch":1,"parent":0,"had":"a","sent":"b","journal":"j"}', "From entry 7 on there are two histories"),
        ("truncated", '{"journal":"j","device_has":4,"server_has":9}', "The device has 4 entries, and this server 9"),
        ("journal_gone", '{"journal":"j","before":"i","server_has":9}', "keeps 9 entries of the journal that is gone"),
        ("unknown_fact", '{"type":"noted"}', "Update this server"),
        ("result_comes_late", '{"stage":1,"key":"M1.1","result":{"left_points":2,"right_points":7}}', "It ended 2 : 7 by what came"),
    ],
)
def test_each_conflict_is_told_in_a_sentence(rig: Desk, kind: str, what: str, sentence: str) -> None:
    from kiosk.server.schema import conflict

    with rig.house.store.write() as connection:
        connection.execute(conflict.insert().values(kind=kind, device="d", match="", what=what, at_ns=1))
    page = rig.organizer.get("/desk")
    assert sentence in text_of(page)
    assert 'action="/desk/results/conflicts/1"' in page.text


def test_a_rulebooks_title_is_told_in_the_readers_language(rig: Desk) -> None:
    rig.send("/desk/matches/new", **{**FORM, "rulebook": "rus-long", "id": "b" * 24})
    for address in ("/desk/matches", "/desk/matches/new"):
        assert "Long nardy" in text_of(rig.organizer.get(f"{address}?lang=en"))
        assert "Довгі нарди" in text_of(rig.organizer.get(f"{address}?lang=uk"))


def test_a_rulebook_that_the_server_does_not_know_keeps_its_word(rig: Desk) -> None:
    assert pages_desk.regulations(rig.house)("cup") == "cup"
