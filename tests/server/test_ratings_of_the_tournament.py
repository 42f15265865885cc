"""Ratings on the server: experience on the entry list, to how many points was played, the pages and files; and the final ranking."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from openpyxl import load_workbook

from kiosk.server import result_acts, tournament
from kiosk.server.acts import Act
from kiosk.server.audit import A_SHEET
from kiosk.tournament import happened as h
from kiosk.tournament.happened import Leave
from kiosk.tournament.ratings import Ramp
from tests.server.desk_rig import Desk, desk_over, text_of
from tests.server.tournament_rig import AT, draw, enter, happen, now, opened, opens, result


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Desk]:
    with desk_over(tmp_path) as made:
        yield made


@pytest.mark.parametrize("head", ["Experience", "Опыт", "Досвід", "Искуство", "experience"])
def test_a_list_brings_experience_under_its_name_in_each_language(rig: Desk, head: str) -> None:
    enter(rig, 1)
    shown = rig.send(f"{AT}/import", pasted=f"Name;{head}\nP1;250\nP2;0\nP3;\nP4;-1\n")
    assert "Experience is a whole number" in text_of(shown)
    listed = shown.text.split('name="list" value="')[1].split('"')[0].replace("&#34;", '"')
    rig.send(f"{AT}/import/do", list=listed)
    assert [each.experience for each in now(rig).event.entrants.values()] == [250, 0, None]
    assert now(rig).event.entrants[1].rating == 1501, "an empty cell says nothing"


def test_an_entrant_kept_by_an_earlier_program_is_read() -> None:
    old = {"ident": 1, "names": ["Ana"], "club": "", "country": "", "rating": 1850, "again": None}
    made = tournament.read("entered", json.dumps({"entrant": old}))
    assert made.entrant.experience is None  # type: ignore[union-attr]


def test_a_result_entered_by_hand_tells_to_how_many_points_was_played(rig: Desk) -> None:
    opened(rig, 4)
    draw(rig)
    rig.hall.table("7")
    rig.send(f"{AT}/stage/1/release", rulebook="ibgf", length="9", **{"table-R1.1": "7"})
    assert 'value="9"' in rig.organizer.get(f"{AT}/stage/1/match/R1.1").text
    result(rig, "R1.1")
    result(rig, "R1.2", length="5")
    ended = now(rig).event.stage(1).ended
    assert (ended["R1.1"].length, ended["R1.2"].length) == (9, 5)
    assert 'value="5"' in rig.organizer.get(f"{AT}/stage/1/match/R1.2").text
    assert "1 to 99 points" in text_of(result(rig, "R1.2", length="100", sure="yes", seen=now(rig).n))
    whole = json.loads(rig.organizer.get(f"{AT}/event.json").content)
    assert [each["matches"] for each in whole["ratings"]] == [1, 1, 1, 1]


@pytest.mark.parametrize(("told", "length"), [({}, 7), ({"length": 5}, 5), ({"length": None}, 0)])
def test_a_sheet_tells_to_how_many_points_was_played(rig: Desk, told: dict[str, Any], length: int) -> None:
    opened(rig, 2, system="single")
    device = rig.hall.table("3")
    rig.send(f"{AT}/stage/1/release", rulebook="ibgf", length="7", **{"table-M1.1": "3"})
    ident = now(rig).released[1, "M1.1"]
    players = {"left": ["P1"], "right": ["P2"]}
    summary = {"players": players, "score": {"left": 7, "right": 2}, "winner": "left", "standing": {"left": "1", "right": "0"}, **told}
    key = rig.hall.played(device, ident, attached=ident, phase="signed", summary=summary)
    with rig.house.store.write() as connection:
        result_acts.take_sheet(Act(connection, A_SHEET, rig.house.now_ns()), *key)
    assert now(rig).event.stage(1).ended["M1.1"].length == length


def seen(rig: Desk, path: str) -> str:
    answer = rig.as_(None).get(f"/tournament{path}")
    assert answer.status_code == 200, answer.text
    return text_of(answer)


def paper(rig: Desk, path: str) -> str:
    answer = rig.as_(None).get(f"/tournament{path}")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
    return "\n".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(answer.content))


def csv(rig: Desk, path: str) -> list[str]:
    return rig.as_(None).get(f"/tournament{path}").content.decode("utf-8-sig").splitlines()


# ── Ratings ──────────────────────────────────────────────────────────────────
def test_anybody_sees_the_ratings_before_and_after(rig: Desk) -> None:
    assert "No tournament has begun" in seen(rig, "/ratings")
    opened(rig, 4)
    draw(rig)
    result(rig, "R1.1", length="1")
    result(rig, "R1.2")
    winner = now(rig).event.stage(1).draws[0].pairs[0][0]
    told = seen(rig, "/ratings")
    assert "No. Name Rating Change Before Matches Won Experience" in told
    assert f"P{winner} 151" in told
    assert "1 match is not rated: nobody has told to how many points it was played." in told
    row = next(row for row in csv(rig, "/ratings.csv") if f",P{winner}," in row).split(",")
    assert float(row[2]) - float(row[4]) == pytest.approx(float(row[3]), abs=0.011)
    assert row[5:] == ["1", "1", "1"]
    page = load_workbook(io.BytesIO(rig.as_(None).get("/tournament/ratings.xlsx").content)).active
    assert page is not None
    assert isinstance(page["C4"].value, float)
    assert "FIBS: by the difference of ratings" in paper(rig, "/ratings.pdf")
    assert rig.as_(None).get("/tournament/ratings.doc").status_code == 404
    assert rig.as_(None).get("/tournament/prizes.csv").status_code == 404


def test_the_organizer_decides_how_ratings_are_reckoned(rig: Desk) -> None:
    assert "Nobody has entered yet" in text_of(rig.organizer.get(f"{AT}/ratings"))
    opened(rig, 4)
    draw(rig)
    result(rig, "R1.1")
    assert "FIBS does" in text_of(rig.organizer.get(f"{AT}/ratings"))
    assert rig.send(f"{AT}/ratings", ramp="no_ramp", length="9").headers["location"].endswith("done=ratings_planned")
    assert (now(rig).event.rating.ramp, now(rig).event.rating.length) == (Ramp.NONE, 9)
    assert "9 points" in seen(rig, "/ratings")
    assert "is not rated" not in seen(rig, "/ratings")
    for wrong, says in (
        ({"ramp": "no_ramp", "length": "100"}, "1 to 99 points"),
        ({"ramp": "steep"}, "Choose one of what the form offers"),
    ):
        answer = rig.send(f"{AT}/ratings", **wrong)
        assert (answer.status_code, says in text_of(answer)) == (400, True)
    assert now(rig).event.rating.length == 9


# ── The final ranking ────────────────────────────────────────────────────────
def test_anybody_sees_the_final_ranking_over_all_stages(rig: Desk) -> None:
    assert "No tournament has begun" in seen(rig, "/ranking")
    opened(rig, 4, system="round_robin")
    for key in ("G1.1.1", "G1.1.2", "G1.2.1", "G1.2.2", "G1.3.1", "G1.3.2"):
        result(rig, key)
    first = csv(rig, "/ranking.csv")
    assert first[0] == "Rank,Name,Club,Country,Placed in,Points,Remark"
    assert "Provisional" not in seen(rig, "/ranking")
    opens(rig, name="Last", system="single", seed="x", entrants="3\n4")
    assert "Provisional: not everything has been played yet." in paper(rig, "/ranking.pdf")
    result(rig, "M1.1", "right", n=2)
    rows = csv(rig, "/ranking.csv")
    assert [row.split(",")[4] for row in rows[1:]].count("Last") == 2
    assert rows.index(next(row for row in rows if ",P4," in row)) < rows.index(next(row for row in rows if ",P3," in row))
    assert "Main (round robin); Last (single elimination)" in seen(rig, "/ranking")
    assert csv(rig, "/ranking.csv?stages=1") == first
    assert 'href="/tournament/ranking.pdf?stages=1"' in rig.as_(None).get("/tournament/ranking?stages=1").text
    assert rig.as_(None).get("/tournament/ranking?stages=7").status_code in {400, 409}
    happen(rig, h.Left(1, Leave.FIXING), h.Left(2, Leave.DISQUALIFIED))
    told = seen(rig, "/ranking")
    assert "P2 Club 0 MK Main" in told
    assert "struck out, disqualified: fixed matches" in told


def test_the_organizer_says_which_stages_are_side_events(rig: Desk) -> None:
    assert "No stage that counts has begun" in text_of(rig.organizer.get(f"{AT}/ranking"))
    opened(rig, 4, system="single")
    opens(rig, name="Blitz", system="single", seed="x", entrants="4\n3\n2\n1")
    opens(rig, name="Comfort", system="consolation", seed="x", of="1")
    page = rig.organizer.get(f"{AT}/ranking").text
    assert 'name="stage-2"' in page
    assert 'name="stage-3"' not in page, "a consolation never counts"
    assert rig.send(f"{AT}/ranking", **{"stage-1": "yes"}).headers["location"].endswith("done=stages_counted")
    assert now(rig).event.apart == {2}
    assert {row.split(",")[4] for row in csv(rig, "/ranking.csv")[1:]} == {"Main"}
