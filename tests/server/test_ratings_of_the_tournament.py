"""Ratings on the server: experience on the entry list, to how many points was played, the pages and files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from kiosk.server import tournament
from tests.server.desk_rig import Desk, desk_over, text_of
from tests.server.tournament_rig import AT, draw, enter, now, opened, result


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
