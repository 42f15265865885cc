"""The tournament's pages for anybody: made once for all who ask, until something of what they show has changed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from kiosk.domain.officials import Role
from kiosk.server import kept_pages, pages_draw
from tests.server.desk_rig import Desk, desk_over, text_of
from tests.server.tournament_rig import draw, opened, result


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Desk]:
    with desk_over(tmp_path) as made:
        opened(made)
        draw(made)
        yield made


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often a stage was read for a page."""
    stages: list[int] = []

    class Counted(pages_draw._Read):
        def __init__(self, request: object, n: int) -> None:
            stages.append(n)
            super().__init__(request, n)  # type: ignore[arg-type]

    monkeypatch.setattr(pages_draw, "_Read", Counted)
    return stages


def test_many_who_ask_at_once_get_one_page_that_was_made_once(rig: Desk, read: list[int]) -> None:
    async def asked(count: int) -> list[httpx.Response]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=rig.app), base_url="http://hall") as client:
            return await asyncio.gather(*[client.get("/tournament/1/standings") for _ in range(count)])

    answers = asyncio.run(asked(20))
    assert {(answer.status_code, answer.text) for answer in answers} == {(200, answers[0].text)}
    assert len(read) == 1


def test_a_change_and_another_language_and_another_page_are_made_anew(rig: Desk, read: list[int]) -> None:
    client = rig.as_(None)
    for _time in range(2):
        assert "0 : 1" not in text_of(client.get("/tournament/1"))
    assert len(read) == 1
    result(rig, "R1.1", "right")
    for _time in range(2):
        assert "0 : 1" in text_of(client.get("/tournament/1"))
    assert len(read) == 2
    assert "Місце" in text_of(client.get("/tournament/1/standings", headers={"accept-language": "uk"})), "asked for in Ukrainian"
    assert "Rank" in text_of(client.get("/tournament/1/standings"))
    client.get("/tournament/1/standings", headers={"accept-encoding": "identity"})
    assert len(read) == 5


def test_a_browser_that_has_the_page_is_told_so_and_nothing_more(rig: Desk) -> None:
    client = rig.as_(None)
    first = client.get("/tournament/1")
    assert first.headers["cache-control"] == "no-cache"
    again = client.get("/tournament/1", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    assert "content-security-policy" in again.headers
    result(rig, "R1.1")
    changed = client.get("/tournament/1", headers={"if-none-match": first.headers["etag"]})
    assert (changed.status_code, changed.headers["etag"] != first.headers["etag"]) == (200, True)


def test_a_file_is_kept_too_and_a_browser_that_has_it_is_told_so(rig: Desk) -> None:
    client = rig.as_(None)
    first = client.get("/tournament/ranking.csv")
    assert "Accept-Language" in first.headers["vary"]
    again = client.get("/tournament/ranking.csv", headers={"if-none-match": first.headers["etag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")


def test_whoever_has_logged_in_gets_a_page_of_his_own_that_nobody_keeps(rig: Desk) -> None:
    mine = rig.as_(Role.ORGANIZER).get("/tournament/1")
    assert "Eva" in mine.text
    assert mine.headers["cache-control"] == "no-store"
    assert "Eva" not in rig.as_(None).get("/tournament/1").text


def test_a_page_that_could_not_be_made_is_tried_again(rig: Desk, read: list[int]) -> None:
    client = rig.as_(None)
    for _time in range(2):
        assert client.get("/tournament/9").status_code == 404
    assert read == [9, 9]


def test_no_more_pages_are_kept_than_there_is_room_for(rig: Desk, read: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_pages, "MOST", 2)
    client = rig.as_(None)
    for path in ("", "/standings", "/crosstable", "/crosstable", ""):
        client.get(f"/tournament/1{path}")
    assert len(read) == 4


def test_looks_for_names_share_what_they_go_through(rig: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[object] = []

    class Counted(pages_draw._Stages):
        def __init__(self, house: object) -> None:
            made.append(house)
            super().__init__(house)  # type: ignore[arg-type]

    monkeypatch.setattr(pages_draw, "_Stages", Counted)
    for name in ("P1", "P2", "P3"):
        assert f"{name} no table yet against" in text_of(rig.as_(None).get(f"/tournament?q={name}"))
    assert len(made) == 1
    result(rig, "R1.1")
    result(rig, "R1.2")
    assert "ended 1 : 0" in text_of(rig.as_(None).get("/tournament?q=P"))
    assert len(made) == 2
