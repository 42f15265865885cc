"""Tie-breaks, ranks, Berger tables, first rounds and ratings that others have worked out."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from kiosk.tournament.bracket import Seed, single
from kiosk.tournament.file import event_from_plain
from kiosk.tournament.ratings import Ramp, Rating, after
from kiosk.tournament.results import Entry, Record, Result
from kiosk.tournament.roundrobin import berger
from kiosk.tournament.standings import TieBreak, standings
from kiosk.tournament.tiebreaks import Unplayed, coefficients

DATA = Path(__file__).parent / "data"
TIES = {
    "BH/C1": "buchholz_cut1",
    "BH": "buchholz",
    "SB": "sonneborn_berger",
    "WIN": "wins",
    "DE": "direct",
    "PS": "progressive",
}
FIGURES = ("points", "wins", "buchholz", "buchholz_cut1", "sonneborn_berger", "progressive")


def swiss_events() -> list[dict[str, Any]]:
    with gzip.open(DATA / "swiss_tiebreaks.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.parametrize("event", swiss_events(), ids=lambda event: f"{event['kind']} {event['players']}x{event['rounds']}")
def test_a_swiss_event_is_ranked_as_the_calculator_ranks_it(event: dict[str, Any]) -> None:
    told = {key: event[key] for key in ("players", "rounds", "results")}
    made = event_from_plain({**told, "tiebreaks": [TIES[word] for word in event["rank_order"] if word in TIES]})
    places = {place.player: place for place in standings(made.record, made.tiebreaks)}
    plain = coefficients(made.record, Unplayed.PLAIN)
    for expected in event["standings"]:
        place = places[expected["player"]]
        assert {name: getattr(place.has, name) for name in FIGURES} == {name: expected[name] for name in FIGURES}
        assert (place.rank, place.direct) == (expected["rank"], expected["direct"])
        assert plain[expected["player"]].buchholz == expected["buchholz_unadjusted"]


def real(name: str) -> tuple[dict[str, Any], Record]:
    event = json.loads((DATA / name).read_text(encoding="utf-8"))
    words = {1: Result.WIN, 0: Result.LOSS, 0.5: Result.DRAW}
    entries = [Entry(each["round"], each["a"], each["b"], words[each["score_a"]]) for each in event["results"]]
    return event, Record(sorted(event["expected"]), max(entry.round for entry in entries), entries)


@pytest.mark.parametrize("unplayed", Unplayed)
@pytest.mark.parametrize("name", ["real_swiss_wwrc2024.json", "real_rr_uzchess2025.json"])
def test_a_real_event_has_its_published_figures(name: str, unplayed: Unplayed) -> None:
    event, record = real(name)
    places = {place.player: place for place in standings(record, [TieBreak.DIRECT], unplayed=unplayed)}
    for player, expected in event["expected"].items():
        place = places[player]
        figures = {key: getattr(place.has, key) for key in expected if key in FIGURES}
        assert figures == {key: expected[key] for key in figures}
        if "koya" in expected:  # the round robin: everybody has met, and direct encounter came first
            assert place.direct == expected["direct_encounter"]


def test_a_real_swiss_event_ends_in_its_published_order() -> None:
    event, record = real("real_swiss_wwrc2024.json")
    order = [place.player for place in standings(record, [TieBreak.BUCHHOLZ_CUT1, TieBreak.BUCHHOLZ])]
    assert order == event["final_order"]


def test_berger_tables_are_the_published_ones() -> None:
    for players, rounds in json.loads((DATA / "berger_tables.json").read_text(encoding="utf-8")).items():
        assert [[list(both) for both in each] for each in berger(int(players))] == [rounds[str(n)] for n in range(1, len(rounds) + 1)]


def test_first_rounds_are_the_published_ones() -> None:
    for players, expected in json.loads((DATA / "single_elimination_first_rounds.json").read_text(encoding="utf-8")).items():
        first = [match for match in single(int(players)).matches if match.round == 1]
        seeds = [[place.number for place in (match.left, match.right) if isinstance(place, Seed)] for match in first]
        assert [[n if n <= int(players) else None for n in both] for both in seeds] == expected


@pytest.mark.parametrize("told", json.loads((DATA / "ratings.json").read_text(encoding="utf-8")), ids=str)
def test_ratings_change_as_published(told: dict[str, Any]) -> None:
    a, b = Rating(told["ra"], told["exp_a"]), Rating(told["rb"], told["exp_b"])
    ramp = Ramp(told["variant"])
    new_a, new_b = after(a, b, told["n"], ramp) if told["winner"] == "A" else after(b, a, told["n"], ramp)[::-1]
    assert new_a.value - a.value == pytest.approx(told["delta_a"], abs=1e-6)
    assert new_b.value - b.value == pytest.approx(told["delta_b"], abs=1e-6)
    assert (new_a.experience, new_b.experience) == (told["exp_a"] + told["n"], told["exp_b"] + told["n"])
