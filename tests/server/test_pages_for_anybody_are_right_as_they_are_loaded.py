"""The hall, a match and an overlay need no script to be right at the moment of loading."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from kiosk.server import showing
from kiosk.server.pages_public import columns
from kiosk.server.public import public_face
from tests.server import faces
from tests.server.serving import Server, serving


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server")) as made:
        faces.show(made.house, *faces.variety(20, faces.now_ms(made.house)))
        yield made


def get(server: Server, path: str, **headers: str) -> httpx.Response:
    answer = httpx.get(server.url + path, headers=headers)
    assert answer.status_code == 200
    return answer


def card(text: str, table: str) -> str:
    """One table of the hall, as text."""
    found = re.search(rf'<li class="table" data-table="{table}".*?</li>', text, re.DOTALL)
    assert found is not None
    return found[0]


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*\shidden>[^<]*</\w+>|<[^>]+>", " ", html).split())


def test_the_hall_shows_every_table_in_order(server: Server) -> None:
    tables = re.findall(r'data-table="(\d+)"', get(server, "/").text)
    assert tables == [str(n) for n in range(1, 21)]


def test_a_table_shows_its_players_scores_clocks_and_whose_turn_it_is_in_words(server: Server) -> None:
    text = words(card(get(server, "/").text, "2"))
    assert re.fullmatch(r"2 Round 3 · to 7 · game 4 ▶ Ana Petrović to move 2 12:\d\d Li Wei 2 4 13:22", text), text


def test_calls_say_how_long_they_wait_and_whether_somebody_is_coming(server: Server) -> None:
    text = get(server, "/").text
    assert re.search(r"Referee called 1:2\d", words(card(text, "5")))
    assert re.search(r"Referee on the way 0:[23]\d", words(card(text, "8")))
    assert "Eva" not in text


def test_an_offline_table_says_so_and_its_clocks_stand_where_it_was_heard_last(server: Server) -> None:
    text = words(card(get(server, "/").text, "4"))
    assert "offline" in text
    assert "to move" not in text
    assert "12:31" in text


def test_no_flag_is_pointed_out_unless_the_rulebook_says_so(server: Server) -> None:
    text = get(server, "/").text
    assert "flag" in card(text, "11")
    assert [n for n in range(1, 21) if re.search(r'class="half[^"]*flag', card(text, str(n)))] == [11]


def test_a_rulebook_without_times_shows_none(server: Server) -> None:
    assert not re.search(r"\d:\d\d", words(card(get(server, "/").text, "10")))


@pytest.mark.parametrize(
    ("query", "tables"),
    [
        ("q=12", ["12"]),
        ("q=НЬКО", ["1", "10", "11", "20"]),
        ("show=calls", ["5", "8"]),
        ("show=offline", ["4"]),
        ("round=3&show=calls", ["5", "8"]),
        ("round=1&show=calls", []),
        ("q=nobody", []),
    ],
)
def test_tables_are_looked_for_without_a_script_too(server: Server, query: str, tables: list[str]) -> None:
    text = get(server, f"/?{query}").text
    shown = re.findall(r'data-table="(\d+)" data-state="\w+">', text)
    assert shown == tables
    assert ("No such table." in words(text)) is (not shown)


def test_a_paused_hall_says_so_and_why(server: Server) -> None:
    faces.pause(server.house, "fire <alarm>")
    try:
        assert "All clocks are paused: fire &lt;alarm&gt;" in get(server, "/").text
        faces.pause(server.house, "")
        assert re.search(r'id="pause"[^>]*>All clocks are paused\.<', get(server, "/").text)
    finally:
        faces.pause(server.house, None)
    assert re.search(r'id="pause"[^>]* hidden></p>', get(server, "/").text)


def test_a_match_is_shown_large(server: Server) -> None:
    text = get(server, "/m/match-2").text
    assert "<h1>Ana Petrović – Li Wei</h1>" in text
    assert 'data-live="/live/match/match-2"' in text


def test_a_match_that_is_nowhere_says_so(server: Server) -> None:
    answer = httpx.get(f"{server.url}/m/nowhere", headers={"accept": "text/html"})
    assert answer.status_code == 404
    assert "There is no such match." in answer.text


def test_an_overlay_may_stand_in_a_frame_and_no_other_page_may(server: Server) -> None:
    assert "frame-ancestors *" in get(server, "/overlay/2").headers["content-security-policy"]
    assert "frame-ancestors 'none'" in get(server, "/").headers["content-security-policy"]


def test_an_overlay_stands_where_and_as_large_as_the_address_says(server: Server) -> None:
    assert 'class="overlay at-top-right size-150"' in get(server, "/overlay/2?at=top-right&size=150").text
    assert 'class="overlay at-bottom size-100"' in get(server, '/overlay/2?at="x&size=1e9').text
    assert "no match" in get(server, "/overlay/none").text


@pytest.mark.parametrize("path", ["/", "/?wall=1", "/m/match-2", "/overlay/2"])
@pytest.mark.parametrize("language", ["en", "ru", "uk", "mk"])
def test_no_page_needs_another_host_or_a_style_of_its_own(server: Server, path: str, language: str) -> None:
    text = get(server, path, **{"accept-language": language}).text
    assert f'lang="{language}"' in text
    assert not re.search(r'(?:src|href|action)="(?:https?:)?//', text)
    assert not re.search(r"<style|\bstyle=|<script>|\bon\w+=", text)


@pytest.mark.parametrize("path", ["/", "/m/match-2", "/overlay/2", "/login"])
def test_every_file_that_a_page_needs_is_there(server: Server, path: str) -> None:
    files = re.findall(r'"(/static/[^"]+)"', get(server, path).text)
    assert any(name.endswith(".css") for name in files)
    for name in files:
        assert get(server, name).headers["cache-control"] == "public, max-age=31536000, immutable"


def test_a_page_for_200_tables_is_small(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        faces.show(server.house, *faces.variety(200, faces.now_ms(server.house)))
        bare = httpx.get(server.url, headers={"accept-encoding": "identity"})
        assert len(bare.content) <= 300_000
        assert "content-encoding" not in bare.headers
        with httpx.stream("GET", server.url, headers={"accept-encoding": "gzip"}) as packed:
            sent = b"".join(packed.iter_raw())
            assert packed.headers["content-encoding"] == "gzip"
        assert len(sent) == int(packed.headers["content-length"]) <= 30_000
        assert gzip.decompress(sent).decode().count('<li class="table"') == bare.text.count('<li class="table"') == 201


# ── What is shown ────────────────────────────────────────────────────────────
def test_a_running_side_loses_its_delay_first_then_its_reserve() -> None:
    face = public_face(playing_at(delay_left_ms=4_300))
    assert showing.times(face, "left", 1_000) == (60_000, 4_300)
    assert showing.times(face, "left", 3_000) == (60_000, 2_300)
    assert showing.times(face, "left", 5_300) == (60_000, 0)
    assert showing.times(face, "left", 15_300) == (50_000, 0)
    assert showing.times(face, "left", 999_999) == (0, 0)
    assert showing.times(face, "left", 0) == (60_000, 4_300)
    assert showing.times(face, "right", 15_300) == (70_000, None)


def playing_at(**other: object) -> dict[str, object]:
    return faces.playing("1", 1_000, reserve_ms={"left": 60_000, "right": 70_000}, **other)


def test_an_offline_tables_clock_runs_on_only_to_where_it_was_heard_last() -> None:
    face = public_face(playing_at(online=False, seen_ms=6_000, delay_left_ms=0))
    assert showing.times(face, "left", 100_000) == (55_000, 0)
    face["seen_ms"] = None
    assert showing.times(face, "left", 100_000) == (60_000, 0)


@pytest.mark.parametrize(("count", "wanted"), [(0, 1), (1, 1), (2, 1), (12, 3), (200, 9), (5000, 14)])
def test_a_wall_has_as_many_columns_as_its_tables_need(count: int, wanted: int) -> None:
    assert columns(count) == wanted
