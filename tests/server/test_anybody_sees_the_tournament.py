"""The tournament's pages for anybody, without a login, and what they give as files."""

from __future__ import annotations

import asyncio
import hashlib
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest
from openpyxl import load_workbook

from kiosk.server.live import TOURNAMENT, Live
from kiosk.tournament import happened as h
from kiosk.tournament.happened import Leave, Outcome
from kiosk.tournament.stages import fixtures
from tests.server.desk_rig import Desk, desk_over, text_of
from tests.server.tournament_rig import AT, draw, happen, now, opened, opens, result


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Desk]:
    with desk_over(tmp_path) as made:
        yield made


def seen(rig: Desk, path: str) -> str:
    answer = rig.as_(None).get(f"/tournament{path}")
    assert answer.status_code == 200, answer.text
    return text_of(answer)


def test_the_hall_leads_to_the_tournament_once_there_is_one(database: str, tmp_path: Path) -> None:
    with desk_over(tmp_path, database) as either:
        assert either.as_(None).get("/tournament/1").status_code == 404
        assert "No tournament has begun" in seen(either, "")
        assert "/tournament" not in either.as_(None).get("/").text
        opened(either)
        assert 'href="/tournament"' in either.as_(None).get("/").text
        assert "Main Swiss · 4 entrants being played" in seen(either, "")
        draw(either)
        for page in ("", "/1", "/1/standings", "/1/crosstable", "/1/bracket", "/1/check"):
            seen(either, page)


def test_somebody_finds_out_where_he_plays(rig: Desk) -> None:
    opened(rig, 5)
    assert "Nobody of this name plays now" in seen(rig, "?q=P1")
    draw(rig)
    rig.hall.table("7")
    stage = now(rig).event.stage(1)
    first, bye = stage.draws[0].pairs[0], stage.draws[0].bye
    one, other = (now(rig).event.name(each) for each in first)
    assert f"{one} no table yet against {other}" in seen(rig, f"?q={one}")
    rig.send(f"{AT}/stage/1/release", rulebook="ibgf", length="5", start="2026-12-05 14:30", **{"table-R1.1": "7"})
    assert f"{other.casefold()} Table 7 against {one}".casefold() in seen(rig, f"?q={other.lower()}").casefold()
    assert f"P{bye} bye" in seen(rig, f"?q=P{bye}")
    result(rig, "R1.1", "left_forfeit")
    assert f"{other} against {one} ended − : +" in seen(rig, f"?q={other}")
    assert "Nobody of this name" in seen(rig, "?q=Zzz")
    told = seen(rig, "/1")
    assert told.index("P1 ") < told.index("P2 ") < told.index("P5 "), "by name"


def test_standings_say_how_each_tie_was_broken(rig: Desk) -> None:
    opened(rig, 4, tiebreak1="buchholz", tiebreak2="direct", tiebreak3="lots")
    for _round in range(2):
        draw(rig)
        last = len(now(rig).event.stage(1).draws)
        for key in (f"R{last}.1", f"R{last}.2"):
            result(rig, key)
    told = seen(rig, "/1/standings")
    assert "Rank Name Points Buchholz direct encounter Tie broken by Club Country Remark" in told
    assert "lots" in told or "Buchholz" in told.split("Tie broken by")[1]
    happen(rig, h.Left(1, Leave.WITHDRAWN))
    assert "withdrawn" in seen(rig, "/1/standings")


def test_files_hold_what_the_pages_show_with_numbers_as_numbers(rig: Desk) -> None:
    opened(rig, 4)
    draw(rig)
    result(rig, "R1.1")
    result(rig, "R1.2", "both_forfeit")
    page = load_workbook(io.BytesIO(rig.as_(None).get("/tournament/1/standings.xlsx").content)).active
    assert page is not None
    rows = list(page.iter_rows(values_only=True))
    winner = now(rig).event.name(now(rig).event.stage(1).draws[0].pairs[0][0])
    assert rows[2][:3] == ("Rank", "Name", "Points")
    assert rows[3][:3] == (1, winner, 1)
    assert "Rounds not played count: as against an opponent with one's own points" in [row[0] for row in rows]
    text = rig.as_(None).get("/tournament/1/standings.csv").content.decode("utf-8-sig")
    assert f"1,{winner},1," in text
    cross = rig.as_(None).get("/tournament/1/crosstable.csv").content.decode("utf-8-sig").splitlines()
    assert cross[0] == "Line,Name,1,Points"
    assert cross[1].startswith(f"1,{winner},1 (")
    assert sum("− (" in line for line in cross) == 2
    assert load_workbook(io.BytesIO(rig.as_(None).get("/tournament/1/crosstable.xlsx").content)).active is not None
    for wrong in ("standings.doc", "bracket.csv", "nothing.pdf"):
        assert rig.as_(None).get(f"/tournament/1/{wrong}").status_code == 404


def paper(rig: Desk, path: str) -> str:
    answer = rig.as_(None).get(f"/tournament{path}")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
    return "\n".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(answer.content))


def test_tables_are_printed_with_how_ties_were_broken_and_how_the_draw_is_checked(rig: Desk) -> None:
    opened(rig, 4, tiebreak1="buchholz", tiebreak2="direct", unplayed="plain")
    draw(rig)
    result(rig, "R1.1")
    for page in ("standings", "crosstable"):
        told = paper(rig, f"/1/{page}.pdf")
        for part in (
            "Buchholz; direct encounter",
            "Rounds not played count as they are",
            "27 October",
            "P4",
            "page 1 of 1",
            "1 won, 0 lost",
        ):
            assert part in told, (page, part)
        assert f'href="/tournament/1/{page}.pdf"' in rig.as_(None).get(f"/tournament/1/{page}").text
        assert f'href="/tournament/1/{page}.pdf"' in rig.organizer.get(f"{AT}/stage/1").text


def test_a_file_is_made_once_until_something_has_changed(rig: Desk) -> None:
    opened(rig, 4)
    draw(rig)
    anybody = rig.as_(None)
    first = anybody.get("/tournament/1/standings.pdf")
    again = anybody.get("/tournament/1/standings.pdf", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    result(rig, "R1.1")
    changed = anybody.get("/tournament/1/standings.pdf", headers={"If-None-Match": first.headers["etag"]})
    assert (changed.status_code, changed.content != first.content) == (200, True)


def test_pairings_are_printed_by_table_and_by_name(rig: Desk) -> None:
    opened(rig, 5)
    assert "Nothing stands here yet." in paper(rig, "/1/pairings.pdf")
    draw(rig)
    rig.hall.table("7")
    rig.send(f"{AT}/stage/1/release", rulebook="ibgf", length="5", **{"table-R1.2": "7"})
    result(rig, "R1.1")
    told = paper(rig, "/1/pairings.pdf")
    assert told.index("By table") < told.index("By name")
    assert "Pairings, round 1" in told
    rows = rig.as_(None).get("/tournament/1/pairings.csv?round=1").content.decode("utf-8-sig").splitlines()
    assert rows[0] == "Group,Table,Player,Opponent,Outcome,Match"
    assert rows[1].startswith("By table,7,")
    assert len([row for row in rows if row.startswith("By name")]) == 5, "the one with the bye as well"
    assert "1 : 0,R1.1" in "\n".join(rows)
    assert "0 : 1,R1.1" in "\n".join(rows), "from the other's side"
    assert "Nothing stands here yet." in paper(rig, "/1/pairings.pdf?round=2")


def test_groups_have_a_table_each(rig: Desk) -> None:
    opened(rig, 7, system="round_robin", groups="2", laps="2")
    event = now(rig).event
    happen(rig, *(h.Ended(1, each.key, Outcome.LEFT) for each in fixtures(event, event.stage(1))[:8] if each.ready))
    told = seen(rig, "/1/crosstable")
    assert "Group 1" in told
    assert "Group 2" in told
    assert "■" in told
    rows = rig.as_(None).get("/tournament/1/crosstable.csv").content.decode("utf-8-sig").splitlines()
    assert rows[0] == "Group,Rank,Name,1,2,3,4,Points"
    assert len(rows) == 8
    assert all(row.rsplit(",", 1)[1].isdigit() for row in rows[1:]), "points of the smaller group stand under theirs"
    book = load_workbook(io.BytesIO(rig.as_(None).get("/tournament/1/standings.xlsx").content))
    assert book.sheetnames == ["Group 1", "Group 2"]
    happen(rig, h.Left(1, Leave.FIXING))
    assert "struck out" in seen(rig, "/1/standings")


def test_a_bracket_is_drawn_with_who_won_and_who_is_not_known_yet(rig: Desk) -> None:
    opened(rig, 5, system="double")
    result(rig, "M1.2", left="7", right="4")
    answer = rig.as_(None).get("/tournament/1/bracket")
    told = text_of(answer)
    assert "Main bracket" in told
    assert "winner of M2.1" in told
    assert "7–4" in told
    assert '<p class="won"><span>P4</span><b>1</b></p>' in answer.text
    assert "M1.1" not in answer.text, "a first round that nobody plays is not drawn"
    assert "A knock-out has no crosstable" in seen(rig, "/1/crosstable")
    assert rig.as_(None).get("/tournament/1/crosstable.csv").status_code == 200
    assert load_workbook(io.BytesIO(rig.as_(None).get("/tournament/1/crosstable.xlsx").content)).sheetnames
    assert "out in round" not in seen(rig, "/1/standings")


def test_a_bracket_is_printed_with_points_and_who_has_won(rig: Desk) -> None:
    opened(rig, 5, system="single")
    result(rig, "M1.2", left="7", right="4")
    result(rig, "M2.2", "right_forfeit")
    told = paper(rig, "/1/bracket.pdf").replace("\r\n", "\n")
    assert re.search(r"M1\.2\s+P4\s+7\s+P5\s+4", told)
    assert re.search(r"M2\.2\s+P[23]\s+–\s+P[23]\s+\+", told)
    assert "winner of M2.1" in told
    assert "M1.1" not in told, "nobody plays it"
    assert 'href="/tournament/1/bracket.pdf"' in rig.as_(None).get("/tournament/1/bracket").text
    assert 'href="/tournament/1/bracket.pdf"' in rig.organizer.get(f"{AT}/stage/1").text
    opens(rig, name="Swiss", system="swiss", rounds="3", seed="x", entrants="1\n2")
    assert "Only a knock-out has a bracket." in paper(rig, "/2/bracket.pdf")


@pytest.mark.parametrize(
    ("plan", "purpose"),
    [({}, "round 1"), ({"system": "single", "seeded": "drawn"}, "places"), ({"system": "round_robin", "groups": "2"}, "pot 1")],
)
def test_a_draw_can_be_checked_by_anybody(rig: Desk, plan: dict[str, str], purpose: str) -> None:
    opened(rig, 4, **plan)
    told = seen(rig, "/1/check")
    assert f"27 October/{purpose}/1" in told
    assert hashlib.sha256(f"27 October/{purpose}/1".encode()).hexdigest() in told


def test_what_is_not_drawn_is_called_so(rig: Desk) -> None:
    opened(rig, 4, system="single")
    assert "Nothing of this stage is drawn by lots" in seen(rig, "/1/check")


def test_open_pages_of_the_tournament_are_told_what_changes(rig: Desk) -> None:
    async def listened() -> list[bytes]:
        live = Live(rig.house)
        reader = await live.join(TOURNAMENT)
        first = await asyncio.wait_for(reader.events.get(), 60)
        rig.house.hub.publish("desk", "people")
        rig.house.hub.publish("desk", "tournament")
        second = await asyncio.wait_for(reader.events.get(), 60)
        live.leave(TOURNAMENT, reader)
        return [first or b"", second or b""]

    first, second = asyncio.run(listened())
    assert b"event: all" in first
    assert b"event: changed" in second
    assert b'"of":"tournament"' in second
