"""Tables that are not like the others, and who has to sit where: kept, and proposed by at each release."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from kiosk.server import seats
from kiosk.server.acts import tables
from kiosk.tournament.happened import SeatAsked
from tests.server.desk_rig import Desk, desk_over, text_of
from tests.server.tournament_rig import AT, now, opened

SEATS, RELEASE = f"{AT}/seats", f"{AT}/stage/1/release"


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Desk]:
    with desk_over(tmp_path) as made:
        opened(made, 8, system="single")
        for table in ("1", "2", "3", "Stream"):
            made.hall.table(table)
        yield made


def keep(rig: Desk, **fields: str) -> int:
    asked = {"accessible": "", "stream": "", "fixed": "", "needs": "", **fields}
    return rig.send(SEATS, seen=now(rig).n, **asked).status_code


def proposed(rig: Desk) -> dict[str, str]:
    return dict(re.findall(r'name="table-([^"]+)" value="([^"]*)"', rig.organizer.get(RELEASE).text))


def release(rig: Desk, **asked: str) -> None:
    tables = {f"table-{key}": table for key, table in asked.items()}
    assert rig.send(RELEASE, rulebook="ibgf", length="5", wait="yes", **tables).status_code == 303


def test_what_was_kept_once_is_proposed_at_every_release(rig: Desk) -> None:
    pairs = {each: [now(rig).event.name(who) for who in both] for each, both in _pairs(rig).items()}
    assert list(pairs) == ["M1.1", "M1.2", "M1.3", "M1.4"]
    assert keep(rig, accessible="3", stream="Stream", fixed="1=2", needs=str(_pairs(rig)["M1.4"][1])) == 303
    assert proposed(rig) == {"M1.1": "2", "M1.2": "1", "M1.3": "Stream", "M1.4": "3"}
    form = text_of(rig.organizer.get(RELEASE))
    assert "P1: table 2" in form
    assert f"{pairs['M1.4'][1]}: needs an accessible table" in form
    release(rig, **{"M1.4": "3"})
    assert proposed(rig) == {"M1.1": "2", "M1.2": "1", "M1.3": "Stream"}, "the others still as they were kept"
    assert "1 · P1 : Table 2" in text_of(rig.organizer.get(SEATS))
    assert keep(rig) == 303
    assert now(rig).event.seats == {}
    assert proposed(rig)["M1.1"] == "1"


def test_tables_that_are_offline_are_proposed_last(rig: Desk) -> None:
    with rig.house.store.read() as connection:
        ident = tables(connection)["2"]
    rig.house.intake.presence(ident, online=True)
    assert rig.house.intake.projections.settled(60)
    assert list(proposed(rig).values()) == ["2", "1", "3", "Stream"]


def test_a_match_without_a_length_is_not_released(rig: Desk) -> None:
    answer = rig.send(RELEASE, rulebook="ibgf", length="-", wait="yes", **{"table-M1.1": "1"})
    assert "has no winner" in text_of(answer)
    assert now(rig).released == {}


def _pairs(rig: Desk) -> dict[str, tuple[int, int]]:
    from kiosk.tournament.stages import fixtures

    event = now(rig).event
    return {each.key: (each.left or 0, each.right or 0) for each in fixtures(event, event.stage(1)) if each.ready}


def test_where_no_accessible_table_is_free_the_match_waits(rig: Desk) -> None:
    assert keep(rig, accessible="9", needs="1, 2") == 303
    assert [proposed(rig)[key] for key, both in _pairs(rig).items() if {1, 2} & {*both}] == ["", ""]


def test_the_stream_has_the_match_that_was_chosen_for_it(rig: Desk) -> None:
    keep(rig, stream="Stream")
    assert rig.send(f"{AT}/stage/1/shown", **{"shown-0": "M1.3"}).headers["location"] == f"{RELEASE}?done=stream"
    assert proposed(rig)["M1.3"] == "Stream"
    form = rig.organizer.get(RELEASE)
    assert '<option value="M1.3" selected>' in form.text
    assert "for the stream, table Stream" in text_of(form)
    rig.send(f"{AT}/stage/1/shown", **{"shown-0": ""})
    assert proposed(rig)["M1.3"] == "3"
    keep(rig, stream="Stream, 1")
    answer = rig.send(f"{AT}/stage/1/shown", **{"shown-0": "M1.1", "shown-1": "M1.1"})
    assert (answer.status_code, "at two tables" in text_of(answer)) == (409, True)
    rig.send(f"{AT}/stage/1/shown", **{"shown-0": "M1.1", "shown-1": "M1.2"})
    keep(rig, stream="1")
    with rig.house.store.read() as connection:
        assert seats.marks(connection) == seats.Marks((), ("1",), {"1": (1, "M1.1")}), "what another table showed is forgotten"
    assert rig.send(f"{AT}/stage/9/shown").status_code in {400, 409}


def test_one_of_them_is_asked_on_his_own_page(rig: Desk) -> None:
    page = rig.send(f"{AT}/entrants/3/seat", table=" 2 ", accessible="yes")
    assert page.headers["location"] == f"{AT}/entrants/3?done=seats"
    assert now(rig).event.seats == {3: SeatAsked(3, "2", accessible=True)}
    assert 'value="2"' in rig.organizer.get(f"{AT}/entrants/3").text
    rig.send(f"{AT}/entrants/3/seat", table="", accessible="")
    assert now(rig).event.seats == {}


def test_what_cannot_be_is_told_with_what_was_typed_and_nothing_is_kept(rig: Desk) -> None:
    for fields, told in (
        ({"accessible": "x" * 41}, "A table is called by at most 40"),
        ({"stream": ", ".join(str(n) for n in range(501))}, "No more than 500 tables"),
        ({"accessible": "3", "fixed": "P3"}, "is written as 7=3"),
        ({"accessible": "3", "needs": "Ana"}, "numbers with commas"),
        ({"accessible": "3", "needs": "77"}, "Nobody on the entry list has the number 77"),
    ):
        answer = rig.send(SEATS, seen=now(rig).n, **{"accessible": "", "stream": "", "fixed": "", "needs": "", **fields})
        assert (answer.status_code, told in text_of(answer)) == (400, True), told
        assert next(iter(fields.values()))[:40] in answer.text
    stale = rig.send(SEATS, seen=1, accessible="3", stream="", fixed="1=2", needs="")
    assert (stale.status_code, "meanwhile" in text_of(stale)) == (400, True)
    with rig.house.store.read() as connection:
        assert seats.marks(connection) == seats.Marks()
