"""The organizer's desk of the tournament, from the entry list to the last result."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from kiosk.domain.officials import Role
from kiosk.domain.types import Pair
from kiosk.server import checkin, tournament_file
from kiosk.server.assignments import State
from kiosk.tournament import happened as h
from kiosk.tournament.happened import Leave, Outcome
from kiosk.tournament.lots import lot
from kiosk.tournament.stages import fixtures
from tests.server.desk_rig import Desk, desk_over, text_of
from tests.server.tournament_rig import AT, STAGE, draw, enter, happen, now, opened, opens, result


@pytest.fixture
def rig(tmp_path: Path, database: str) -> Iterator[Desk]:
    with desk_over(tmp_path, database) as made:
        yield made


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Desk]:
    with desk_over(tmp_path) as made:
        yield made


# ── The entry list ───────────────────────────────────────────────────────────
def test_entrants_are_entered_changed_struck_off_withdraw_and_come_back(quick: Desk) -> None:
    assert "Nobody has entered yet" in text_of(quick.organizer.get(AT))
    assert (
        quick.send(f"{AT}/entrants", name="Ana / Boris", club="Vardar", country="MK", rating="1620,5", experience="250")
        .headers["location"]
        .endswith("done=entered")
    )
    quick.send(f"{AT}/entrants", name="Vera")
    one, other = now(quick).event.entrants.values()
    assert (one.names, one.club, one.country, one.rating, other.rating) == (("Ana", "Boris"), "Vardar", "MK", 1620.5, None)
    assert (one.experience, other.experience) == (250, None)
    assert 'value="250"' in quick.organizer.get(f"{AT}/entrants/1").text
    assert "Ana / Boris Vardar MK 1620.5" in text_of(quick.organizer.get(AT))
    assert quick.send(f"{AT}/entrants/2", name="Vera K", rating="1500").status_code == 303
    assert now(quick).event.name(2) == "Vera K"
    quick.send(f"{AT}/entrants/2/leave", why="withdrawn")
    assert now(quick).event.left == {2: Leave.WITHDRAWN}
    assert "withdrawn" in text_of(quick.organizer.get(f"{AT}/entrants/2"))
    quick.send(f"{AT}/entrants/2/back")
    assert now(quick).event.left == {}
    quick.send(f"{AT}/entrants/1/strike")
    assert list(now(quick).event.entrants) == [2]


def test_what_cannot_be_entered_is_told_with_what_was_typed(quick: Desk) -> None:
    enter(quick, 2)
    for fields, told in (
        ({"name": "P1", "club": "Somewhere"}, "P1 is on the entry list already."),
        ({"name": "X", "rating": "much"}, "A rating is a number"),
        ({"name": "X", "experience": "1.5"}, "Experience is a whole number"),
        ({"name": "X / X"}, "one name stands twice"),
        ({"name": "X", "club": "c" * 61}, "too long"),
    ):
        answer = quick.send(f"{AT}/entrants", **fields)
        assert (answer.status_code, told in text_of(answer)) == (400, True), told
        assert fields.get("club", "") in answer.text
    assert quick.send(f"{AT}/entrants/1", name="P2").status_code == 400
    assert quick.organizer.get(f"{AT}/entrants/9").status_code == 404
    assert quick.send(f"{AT}/entrants/1/leave", why="bored").status_code == 409
    opened(quick)
    assert "stays on the list" in text_of(quick.send(f"{AT}/entrants/1/strike"))


def test_an_entry_list_is_shown_before_it_is_entered_with_its_faults_by_row(rig: Desk) -> None:
    enter(rig, 1)
    rows = "Имя;Клуб;Рейтинг;Посев;Город\nЗоя;Динамо;1700;2;Київ\nАна;;;1;\nP1;Club 1;1501;;\nP1;;;;\nX;;viel;;\n"
    shown = rig.send(f"{AT}/import", files={"file": ("list.csv", rows.encode())})
    told = text_of(shown)
    for part in ("2 new 2 Зоя", "stands twice in this list", "A rating is a number", "there already", "Город", "2 rows are wrong"):
        assert part in told, part
    assert len(now(rig).event.entrants) == 1
    listed = shown.text.split('name="list" value="')[1].split('"')[0].replace("&#34;", '"')
    assert rig.send(f"{AT}/import/do", list=listed).status_code == 303
    assert [each.name for each in now(rig).event.entrants.values()] == ["P1", "Ана", "Зоя"], "by their seeds"
    again = rig.send(f"{AT}/import", pasted="Name,Club,Partner\nЗоя,Рух,\nA,,B")
    assert "will be changed" in text_of(again)
    rig.send(f"{AT}/import/do", list=again.text.split('name="list" value="')[1].split('"')[0].replace("&#34;", '"'))
    event = now(rig).event
    assert (event.entrants[3].club, event.entrants[3].rating, event.entrants[4].names) == ("Рух", 1700.0, ("A", "B"))
    assert "Nothing is new" in text_of(rig.send(f"{AT}/import", pasted="Name\nЗоя"))


def test_a_list_that_is_none_is_refused(quick: Desk) -> None:
    for pasted, told in (("Club\nX", "Name among them"), ("Name\n", "no row below"), ("", "is empty")):
        answer = quick.send(f"{AT}/import", pasted=pasted)
        assert (answer.status_code, told in text_of(answer)) == (400, True), told
    for broken in ("x", "{}", "[1]", '[{"name": 1}]', '[{"name": "' + "x" * 101 + '"}]'):
        assert quick.send(f"{AT}/import/do", list=broken).status_code in {400, 409}
    assert now(quick).n == 0


def test_a_list_to_fill_in_is_read_again(quick: Desk) -> None:
    for form in ("csv", "xlsx"):
        data = quick.organizer.get(f"{AT}/template.{form}").content
        assert "new 1 Ana Skopje MK 1620" in text_of(quick.send(f"{AT}/import", files={"file": (f"l.{form}", data)}))
    assert quick.organizer.get(f"{AT}/template.doc").status_code == 409


# ── Stages ───────────────────────────────────────────────────────────────────
def test_a_swiss_stage_is_run_to_its_end(quick: Desk) -> None:
    assert opened(quick, 5, rounds="2").headers["location"].startswith(f"{AT}/stage/1")
    shown = text_of(quick.organizer.get(f"{AT}/stage/1/draw"))
    assert "bye" in shown
    assert now(quick).event.stage(1).draws == (), "it was only shown"
    assert "meanwhile" in text_of(quick.send(f"{AT}/stage/1/draw", seen=1))
    draw(quick)
    (first,) = now(quick).event.stage(1).draws
    assert all(now(quick).event.name(left) in shown for left, _right in first.pairs)
    assert "Matches are still open" in text_of(quick.organizer.get(f"{AT}/stage/1/draw"))
    quick.send(f"{AT}/stage/1/undraw")
    assert now(quick).event.stage(1).draws == ()
    draw(quick)
    assert now(quick).event.stage(1).draws == (first,), "the seed is the same"
    result(quick, "R1.1", left="7", right="3")
    result(quick, "R1.2", "right_forfeit")
    assert "has results already" in text_of(quick.send(f"{AT}/stage/1/undraw"))
    draw(quick)
    result(quick, "R2.1")
    result(quick, "R2.2", "both_forfeit")
    page = text_of(quick.organizer.get(f"{AT}/stage/1"))
    assert "over" in page
    assert "7–3" in page
    assert "The stage is over" in text_of(draw(quick))


def test_a_stage_is_opened_with_those_who_stood_best_before(quick: Desk) -> None:
    opened(quick, 6, system="round_robin", groups="2")
    form = quick.organizer.get(f"{AT}/stages/new?from=1&count=1").text
    lines = form.split("<textarea")[1].split(">", 1)[1].split("</textarea")[0].strip().splitlines()
    assert len(lines) == 2
    answer = opens(quick, name="Final", system="single", seed="x", entrants="\n".join(lines))
    assert answer.headers["location"].startswith(f"{AT}/stage/2")
    assert len(now(quick).event.stage(2).entrants) == 2
    by_rating = quick.organizer.get(f"{AT}/stages/new?order=rating").text
    assert by_rating.index("6  P6") < by_rating.index("1  P1")
    assert "There is no stage 9" in text_of(quick.organizer.get(f"{AT}/stages/new?from=9"))
    assert "is a whole number" in text_of(quick.organizer.get(f"{AT}/stages/new?from=x"))


def test_a_plan_that_cannot_be_carried_out_is_told_with_what_was_typed(quick: Desk) -> None:
    for plan, told in (
        ({"rounds": "0"}, "1 to 60 rounds"),
        ({"rounds": "many"}, "Rounds is a whole number"),
        ({"name": ""}, "needs a name"),
        ({"seed": ""}, "needs a seed"),
        ({"system": "x"}, "what the form offers"),
        ({"tiebreak2": "buchholz"}, "stands there twice"),
        ({"forbidden": "3+4"}, "written as 3-7"),
        ({"entrants": "x"}, "begins with an entrant"),
        ({"entrants": "1"}, "two players at least"),
        ({"system": "consolation", "of": "", "losers": "x"}, "numbers with commas"),
        ({"system": "consolation"}, "names the stage"),
    ):
        answer = opened(quick, **plan)
        assert (answer.status_code, told in text_of(answer)) == (400, True), (told, text_of(answer)[:300])
    assert now(quick).event.stages == ()


@pytest.mark.parametrize(
    "plan", [{"system": "double"}, {"system": "single", "third": "yes", "seeded": "drawn"}, {"system": "round_robin", "laps": "2"}]
)
def test_every_system_is_played_by_hand_to_its_end(quick: Desk, plan: dict[str, str]) -> None:
    opened(quick, 5, **plan)
    for _match in range(60):
        stage = now(quick).event.stage(1)
        ready = [each.key for each in fixtures(now(quick).event, stage) if each.ready]
        if not ready:
            break
        assert quick.organizer.get(f"{AT}/stage/1/match/{ready[0]}").status_code == 200
        assert result(quick, ready[0]).status_code == 303
    assert " over " in text_of(quick.organizer.get(f"{AT}/stage/1"))


def test_a_consolation_takes_the_losers(quick: Desk) -> None:
    opened(quick, 4, system="single")
    answer = opened(quick, system="consolation", name="Second chance", of="1", seed="x")
    assert answer.status_code == 303, text_of(answer)
    assert "loser of M1.1" in text_of(quick.organizer.get(f"{AT}/stage/2"))


# ── Results ──────────────────────────────────────────────────────────────────
def test_a_correction_shows_first_what_it_changes(rig: Desk) -> None:
    opened(rig, 4, rounds="2")
    draw(rig)
    result(rig, "R1.1")
    result(rig, "R1.2")
    draw(rig)
    shown = result(rig, "R1.1", "right")
    told = text_of(shown)
    assert "Nothing has changed yet" in told
    assert "round 2 was drawn from the old result" in told
    assert f"{now(rig).event.name(now(rig).event.stage(1).draws[0].pairs[0][1])} won" in told
    assert now(rig).event.stage(1).ended["R1.1"].outcome is Outcome.LEFT
    assert result(rig, "R1.1", "right", sure="yes", seen=now(rig).n).status_code == 303
    assert now(rig).event.stage(1).ended["R1.1"].outcome is Outcome.RIGHT
    shown = text_of(rig.send(f"{AT}/stage/1/match/R1.1/reopen"))
    assert "Nothing has changed yet" in shown
    assert rig.send(f"{AT}/stage/1/match/R1.1/reopen", sure="yes", seen=now(rig).n).status_code == 303
    assert "R1.1" not in now(rig).event.stage(1).ended


def test_a_result_that_cannot_be_is_refused(quick: Desk) -> None:
    opened(quick, 4, system="single")
    for key, outcome, more, told in (
        ("M1.1", "", {}, "what the form offers"),
        ("M1.1", "left", {"left": "3", "right": "7"}, "more points than the loser"),
        ("M2.1", "left", {}, "Nobody knows yet who plays"),
    ):
        answer = result(quick, key, outcome, **more)
        assert (answer.status_code, told in text_of(answer)) == (400, True), text_of(answer)
    assert quick.organizer.get(f"{AT}/stage/1/match/M9.9").status_code == 404
    assert result(quick, "M9.9").status_code == 404
    assert quick.organizer.get(f"{AT}/stage/9").status_code == 404
    assert quick.send(f"{AT}/stage/1/match/M1.1/reopen").status_code == 400


# ── At the tables ────────────────────────────────────────────────────────────
def test_a_round_is_released_to_free_tables_and_comes_back_with_results(rig: Desk) -> None:
    opened(rig, 4, system="single")
    device = {table: rig.hall.table(table) for table in ("1", "2", "10")}
    rig.hall.make(table="1")
    form = rig.organizer.get(f"{AT}/stage/1/release")
    assert 'name="table-M1.1" value="2"' in form.text
    assert 'name="table-M1.2" value="10"' in form.text
    answer = rig.send(f"{AT}/stage/1/release", rulebook="ibgf", length="5", **{"table-M1.1": "2", "table-M1.2": "2"})
    assert "Table 2 stands there twice" in text_of(answer)
    assert rig.send(f"{AT}/stage/1/release", rulebook="ibgf", length="x").status_code == 400
    rig.send(f"{AT}/stage/1/release", rulebook="ibgf", length="5", wait="yes", **{"table-M1.1": "2", "table-M1.2": ""})
    given = now(rig).released
    one, other = (rig.hall.find(given[1, key]) for key in ("M1.1", "M1.2"))
    assert (one.state, one.plan.table, one.plan.length, other.state) == (State.OFFERED, "2", 5, State.DRAFT)
    assert "offered" in text_of(rig.organizer.get(f"{AT}/stage/1"))
    assert "No match waits" in text_of(rig.organizer.get(f"{AT}/stage/1/release"))
    rig.send(f"{AT}/stage/1/match/M1.2/back")
    assert rig.hall.find(other.id).state is State.WITHDRAWN
    assert (1, "M1.2") not in now(rig).released
    rig.hall.played(device["2"], one.id, attached=one.id, phase="playing")
    assert "has been opened at a table" in text_of(rig.send(f"{AT}/stage/1/match/M1.1/back"))
    assert result(rig, "M1.1", left="5", right="2").status_code == 303
    assert now(rig).event.stage(1).ended["M1.1"] == h.Ended(1, "M1.1", Outcome.LEFT, 5, 2, 7), "as long as it was at the table"
    assert "5" in text_of(rig.organizer.get(f"/desk/results/one/{one.id}"))


def test_simulated_tables_play_a_knock_out_to_its_end_through_the_real_protocol(quick: Desk) -> None:
    opened(quick, 4, system="single", third="yes")
    tables = {name: quick.table(name) for name in ("1", "2")}
    for round_ in range(2):
        form = quick.organizer.get(f"{AT}/stage/1/release").text
        asked = dict(re.findall(r'name="(table-[^"]+)" value="([^"]*)"', form))
        assert sorted(asked.values()) == ["1", "2"], "both tables are free again"
        quick.send(f"{AT}/stage/1/release", rulebook="ibgf", length="3", **asked)
        for key, name in asked.items():
            ident = now(quick).released[1, key.removeprefix("table-")]
            players = quick.hall.find(ident).plan.players
            turned = Pair(players.right, players.left) if name == "2" else players
            tables[name].open(1 + 100 * round_, ident, players=turned)
            tables[name].finish(5 + 100 * round_)
            tables[name].send(60 + 100 * round_)
    ended = now(quick).event.stage(1).ended
    assert {key: (each.outcome, each.left_points) for key, each in ended.items()} == {
        "M1.1": (Outcome.LEFT, 3), "M1.2": (Outcome.RIGHT, 0), "M2.1": (Outcome.LEFT, 3), "T1.1": (Outcome.RIGHT, 0),
    }  # fmt: skip
    told = text_of(quick.as_(None).get("/tournament/1/standings"))
    assert "1 P1" in told
    assert "2 P3" in told
    assert "over" in text_of(quick.as_(None).get("/tournament"))


def test_a_corrected_semi_final_takes_the_final_back_from_its_table(quick: Desk) -> None:
    opened(quick, 4, system="single")
    quick.hall.table("1")
    result(quick, "M1.1")
    result(quick, "M1.2")
    quick.send(f"{AT}/stage/1/release", rulebook="ibgf", length="5", **{"table-M2.1": "1"})
    ident = now(quick).released[1, "M2.1"]
    result(quick, "M1.1", "right", sure="yes", seen=now(quick).n)
    assert quick.hall.find(ident).state is State.WITHDRAWN
    assert now(quick).released == {}


def test_a_match_that_nobody_came_to_is_taken_from_its_table(quick: Desk) -> None:
    opened(quick, 4, system="single")
    quick.hall.table("1")
    quick.send(f"{AT}/stage/1/release", rulebook="ibgf", length="5", **{"table-M1.1": "1"})
    ident = now(quick).released[1, "M1.1"]
    result(quick, "M1.1", "left_forfeit")
    assert quick.hall.find(ident).state is State.WITHDRAWN
    assert now(quick).event.stage(1).ended["M1.1"].outcome is Outcome.LEFT_FORFEIT


# ── Late ones ────────────────────────────────────────────────────────────────
def test_somebody_joins_late_and_somebody_enters_again(quick: Desk) -> None:
    opened(quick, 3, system="single")
    for who in ("1", "3"):
        told = text_of(quick.send(f"{AT}/stage/1/join", entrant=who, again="yes"))
        assert f"P{who} is not out of this stage" in told
        assert "Re-entry into" not in told, "nobody has lost yet"
    result(quick, "M1.2", "right")
    assert "Re-entry into a free place of the first round" in text_of(quick.organizer.get(f"{AT}/stage/1"))
    quick.send(f"{AT}/stage/1/join", entrant="2", again="yes")
    assert "P2 is not out of this stage" in text_of(quick.send(f"{AT}/stage/1/join", entrant="2", again="yes"))
    event = now(quick).event
    assert len(event.entrants) == 4, "a second click enters nobody"
    assert event.entrants[4].again == 2
    assert event.stage(1).entrants == (1, 2, 3, 4)
    assert "re-entry of 2" in text_of(quick.organizer.get(AT))
    assert "has the number 77" in text_of(quick.send(f"{AT}/stage/1/join", entrant="77", again="yes"))
    opened(quick, name="Swiss")
    quick.send(f"{AT}/entrants", name="Late")
    assert "5 Late" in text_of(quick.organizer.get(f"{AT}/stage/2"))
    quick.send(f"{AT}/stage/2/join", entrant="5")
    assert 5 in now(quick).event.stage(2).entrants
    assert "P2 is in this stage already" in text_of(quick.send(f"{AT}/stage/2/join", entrant="2", again="yes"))


def test_a_form_that_is_sent_twice_opens_one_stage(quick: Desk) -> None:
    enter(quick, 4)
    fields = {**STAGE, "seen": "0", "entrants": "1\n2\n3\n4"}
    for _twice in range(2):
        answer = quick.send(f"{AT}/stages/new", **fields)
        assert answer.headers["location"] == f"{AT}/stage/1?done=stage_opened"
    assert len(now(quick).event.stages) == 1
    other = quick.send(f"{AT}/stages/new", **(fields | {"name": "Other"}))
    assert (other.status_code, "since this form was made" in text_of(other)) == (400, True)
    assert 'name="seen" value="1"' in other.text
    assert 'value="Other"' in other.text
    assert "load the page again" in text_of(quick.send(f"{AT}/stages/new", **(fields | {"seen": ""})))
    assert len(now(quick).event.stages) == 1


def test_a_stage_that_was_opened_by_mistake_is_taken_back_with_its_matches(quick: Desk) -> None:
    opened(quick, 4, system="single")
    opened(quick, 4, name="Twice", system="single")
    for n in (1, 2):
        quick.send(f"{AT}/stage/{n}/release", **{"rulebook": "ibgf", "length": "3", "table-M1.1": "", "wait": "yes"})
    quick.send(f"{AT}/round/seat", stage="2", key="M1.1", entrant="1", here="yes")
    assert {stage for stage, _key in now(quick).released} == {1, 2}
    assert "Take this stage back" not in text_of(quick.organizer.get(f"{AT}/stage/1"))
    assert "opened last" in text_of(quick.send(f"{AT}/stage/1/close"))
    assert "Take this stage back" in text_of(quick.organizer.get(f"{AT}/stage/2"))
    assert quick.send(f"{AT}/stage/2/close", Role.CHIEF).status_code == 403
    assert quick.send(f"{AT}/stage/2/close").headers["location"] == f"{AT}?done=stage_closed"
    assert "The stage was taken back." in text_of(quick.organizer.get(f"{AT}?done=stage_closed"))
    assert len(now(quick).event.stages) == 1
    assert {stage for stage, _key in now(quick).released} == {1}
    with quick.house.store.read() as connection:
        assert checkin.noted(connection).matches == {}
    assert quick.send(f"{AT}/stage/2/close").status_code == 404
    assert quick.organizer.get(f"{AT}/round").status_code == 200


def test_who_shares_the_last_place_that_goes_on_is_named_with_the_lot(quick: Desk) -> None:
    opened(quick, 4, system="single")
    result(quick, "M1.1")
    result(quick, "M1.2")
    result(quick, "M2.1")
    page = text_of(quick.organizer.get(f"{AT}/stages/new?from=1&count=3"))
    last = sorted((3, 4), key=lambda each: lot(STAGE["seed"], "qualifiers", each))
    assert f"Main: place 3 is shared by {last[0]}  P{last[0]}, {last[1]}  P{last[1]}. By lot".replace("  ", " ") in page
    assert "shared" not in text_of(quick.organizer.get(f"{AT}/stages/new?from=1&count=2"))
    opened(quick, name="Final", system="single")
    check = text_of(quick.organizer.get("/tournament/1/check"))
    assert "All lots of “qualifiers”" in check
    assert lot(STAGE["seed"], "qualifiers", 4)[:16] in check
    assert "qualifiers" not in text_of(quick.organizer.get("/tournament/2/check"))


def test_two_rows_of_the_same_seed_are_marked(quick: Desk) -> None:
    shown = text_of(quick.send(f"{AT}/import", pasted="Name,Seed\nAna,1\nBoris,1\nVera,2\nZoe,\nEva,"))
    assert shown.count("The seed 1 stands twice") == 2
    assert "The seed 2" not in shown
    assert "The seed 0" not in shown


# ── Who may ──────────────────────────────────────────────────────────────────
def test_the_chief_enters_results_and_the_organizer_does_the_rest(quick: Desk) -> None:
    opened(quick, 4, system="single")
    assert quick.as_(Role.CHIEF).get(f"{AT}/stage/1").status_code == 200
    assert quick.send(f"{AT}/stage/1/match/M1.1", Role.CHIEF, outcome="left").status_code == 303
    assert quick.send(f"{AT}/entrants", Role.CHIEF, name="X").status_code == 403
    assert quick.as_(Role.REFEREE).get(AT).status_code == 403


# ── The whole event as a file ────────────────────────────────────────────────
def test_a_whole_tournament_opens_again_elsewhere(quick: Desk, tmp_path: Path) -> None:
    opened(quick, 4)
    draw(quick)
    result(quick, "R1.1")
    data = quick.organizer.get(f"{AT}/event.json").content
    assert "already" in text_of(quick.send(f"{AT}/event", files={"file": ("t.json", data)}))
    before = now(quick)
    (tmp_path / "other").mkdir()
    with desk_over(tmp_path / "other") as other:
        assert other.send(f"{AT}/event", files={"file": ("t.json", data)}).status_code == 303
        assert (now(other).event, now(other).n) == (before.event, before.n)
        assert json.loads(other.organizer.get(f"{AT}/event.json").content) == json.loads(data)


def test_a_file_that_is_none_is_refused_and_says_why(quick: Desk) -> None:
    enter(quick, 2)
    whole = json.loads(quick.organizer.get(f"{AT}/event.json").content)
    happen(quick, h.Struck(1), h.Struck(2))
    twice = {**whole, "happened": [whole["happened"][0], {**whole["happened"][0], "kind": "struck", "data": {"entrant": 9}}]}
    for plain, told in (
        (b"x", "not JSON"),
        (b'["\\udfff"]', "half of a character"),
        (b"{}", "no file of a tournament"),
        (json.dumps({**whole, "version": 3}).encode(), "newer program"),
        (json.dumps({**whole, "happened": "x"}).encode(), "This file of a tournament is damaged"),
        (json.dumps(whole).replace("P2", "P\u202e2").encode(), "Entry 2 of the file cannot have happened: A name is one line"),
        (json.dumps({**whole, "happened": [1]}).encode(), "Entry 1 of the file is damaged"),
        (json.dumps({**whole, "happened": [{**whole["happened"][0], "at_ns": "x"}]}).encode(), "Entry 1 of the file is damaged"),
        (json.dumps({**whole, "happened": [{**whole["happened"][0], "data": {}}]}).encode(), "Entry 1 of the file is damaged"),
        (json.dumps(twice).encode(), "Entry 2 of the file cannot have happened"),
    ):
        answer = quick.send(f"{AT}/event", files={"file": ("t.json", plain)})
        assert (answer.status_code, told in text_of(answer)) == (400, True), (told, text_of(answer)[:400])
    assert quick.send(f"{AT}/event").status_code == 400
    assert len(tournament_file.read(b"\xef\xbb\xbf" + json.dumps(whole).encode()).happened) == len(whole["happened"])
