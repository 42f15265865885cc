"""The check-in before the event, and the rounds as they are played: who is missing, a round's start, and when it is over at the latest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from kiosk.domain.latest import GAME_TURNS
from kiosk.domain.officials import Role
from kiosk.domain.types import NS_PER_S, Pair, Side
from kiosk.server import assignments, checkin
from kiosk.session import commands as c
from kiosk.sync import wire
from kiosk.tournament.happened import Leave
from tests.server.desk_rig import Desk, desk_over, text_of
from tests.server.playing import AHEAD, PlayingTable
from tests.server.tournament_rig import AT, enter, now, opened, result

ROUND, CHECKIN = f"{AT}/round", f"{AT}/checkin"


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Desk]:
    with desk_over(tmp_path) as made:
        yield made


class Round:
    """Four players at the tables 2 and 10, released and offered."""

    def __init__(self, rig: Desk) -> None:
        self.rig = rig
        opened(rig, 4, system="single")
        self.tables = {name: rig.table(name) for name in ("2", "10")}
        rig.send(f"{AT}/stage/1/release", rulebook="ibgf", length="3", **{"table-M1.1": "10", "table-M1.2": "2"})
        self.ident = {key: ident for (_stage, key), ident in now(rig).released.items()}

    def open(self, key: str, at: float, *, turned: bool = False) -> PlayingTable:
        plan = self.rig.hall.find(self.ident[key]).plan
        table = self.tables[plan.table]
        table.open(at, self.ident[key], players=Pair(plan.players.right, plan.players.left) if turned else plan.players)
        return table

    def page(self, query: str = "") -> str:
        return text_of(self.rig.organizer.get(ROUND + query))

    def missing(self, query: str = "") -> list[str]:
        """Names and tables of the list, in its order."""
        part = self.rig.organizer.get(ROUND + query).text.split('data-part="rounds"')[0]
        return [f"{name} {table}" for name, table in re.findall(r"<b>(P\d)</b>.*?data-label=\"Table\">([^<]+)<", part, re.DOTALL)]


@pytest.fixture
def two(rig: Desk) -> Round:
    return Round(rig)


# ── A round ──────────────────────────────────────────────────────────────────
def test_everybody_is_missing_until_a_table_or_the_desk_knows_better(two: Round) -> None:
    assert two.missing() == ["P1 10", "P2 2", "P3 2", "P4 10"]
    assert two.missing("?sort=table") == ["P2 2", "P3 2", "P1 10", "P4 10"], "as people count"
    table = two.open("M1.1", 1, turned=True)  # P4 sits left there
    table.do(c.Check(c_item("left"), done=True), 2)
    table.send(3)
    assert two.missing() == ["P1 10", "P2 2", "P3 2"], "whoever sits where"
    assert "P4 at the table" in two.page()
    assert "open, not begun" in two.page()
    two.rig.send(f"{ROUND}/seat", stage="1", key="M1.2", entrant="2", here="yes")
    assert two.missing() == ["P1 10", "P3 2"]
    assert "P2 seen by the desk" in two.page()
    answer = two.rig.send(f"{ROUND}/seat?sort=table", stage="1", key="M1.2", entrant="2")
    assert answer.headers["location"] == f"{ROUND}?sort=table"
    assert two.missing() == ["P1 10", "P2 2", "P3 2"]
    table.press(Side.LEFT, 5)
    table.send(6)
    assert two.missing() == ["P2 2", "P3 2"], "who plays is there"


def c_item(side: str) -> object:
    from kiosk.domain.facts import CheckItem

    return CheckItem(side)


def test_who_has_confirmed_alone_that_it_is_his_match_is_at_the_table(two: Round) -> None:
    table = two.tables["10"]  # it has had no match yet
    table.do(c.ConfirmSeat(two.ident["M1.1"], 1, Side.RIGHT, here=True), 1)
    table.send(2)
    assert two.missing() == ["P1 10", "P2 2", "P3 2"]
    table.do(c.ConfirmSeat(two.ident["M1.1"], 1, Side.RIGHT, here=False), 3)
    table.send(4)
    assert two.missing() == ["P1 10", "P2 2", "P3 2", "P4 10"]
    table.do(c.ConfirmSeat(two.ident["M1.1"], 1, Side.RIGHT, here=True), 5)
    table.send(6)
    plan = two.rig.hall.find(two.ident["M1.1"]).plan
    with two.rig.hall.act() as act:
        assignments.change(act, two.ident["M1.1"], replace(plan, length=5), two.rig.hall.library, 1)
    assert "P4 10" in two.missing(), "what has changed since is confirmed anew"
    other = two.tables["2"]  # here another one has ended
    other.open(1, "earlier")
    other.finish(2)
    other.do(c.ConfirmSeat(two.ident["M1.2"], 1, Side.LEFT, here=True), 60)
    other.send(61)
    assert two.missing() == ["P1 10", "P3 2", "P4 10"]


def test_a_late_side_is_missing_and_its_time_runs_until_it_comes(two: Round) -> None:
    table = two.open("M1.1", 1)
    table.do(c.StartLate((Side.RIGHT,)), 2)
    table.send(3)
    assert two.missing() == ["P2 2", "P3 2", "P4 10"]
    assert "P4 time runs 10 P1" in two.page()
    two.rig.send(f"{ROUND}/seat", stage="1", key="M1.1", entrant="4", here="yes")
    assert two.missing() == ["P2 2", "P3 2", "P4 10"], "his clock is stopped at the table, by nobody else"
    assert "late: time runs" in two.page()
    assert "Not begun 1 Late 1 Being played 0" in two.page()
    table.do(c.Arrive((Side.RIGHT,)), 4)
    table.send(5)
    assert two.missing() == ["P2 2", "P3 2"]


def test_what_cannot_be_noted_is_told_and_what_has_ended_is_forgotten(two: Round) -> None:
    for fields, told in (
        ({"stage": "1", "key": "M1.2", "entrant": "1", "here": "yes"}, "played by others"),
        ({"stage": "1", "key": "M9.9", "entrant": "1", "here": "yes"}, "M9.9"),
        ({"stage": "7", "key": "M1.1", "entrant": "1", "here": "yes"}, "There is no stage 7"),
        ({"stage": "1", "key": "M1.1", "entrant": "x"}, "A number is missing"),
    ):
        answer = two.rig.send(f"{ROUND}/seat", **fields)
        assert (answer.status_code, told in text_of(answer)) == (400, True), told
    two.rig.send(f"{ROUND}/seat", stage="1", key="M1.1", entrant="1", here="yes")
    result(two.rig, "M1.1")
    two.rig.send(f"{ROUND}/seat", stage="1", key="M1.2", entrant="2", here="yes")
    with two.rig.house.store.read() as connection:
        assert checkin.noted(connection).matches == {(1, "M1.2"): {2}}
    assert two.missing() == ["P3 2"]


def test_the_latest_finish_of_a_match_and_of_its_round_are_told_with_what_stands_behind_them(two: Round) -> None:
    assert "Over at the latest –" in two.page()
    for key in ("M1.1", "M1.2"):
        two.open(key, 1)
    first, second = two.tables["10"], two.tables["2"]
    for table, at in ((first, 10), (second, 100)):
        table.press(Side.LEFT, at)
        table.send(at + 1)
    games, delay, between = 5, 12, 30
    most = 2 * 60 + games * GAME_TURNS * delay + (games - 1) * between
    from kiosk.server.pages_desk import zone_of
    from kiosk.server.rendering import local

    def clock(at_s: float) -> str:
        return local(AHEAD + round(at_s * NS_PER_S), zone_of(two.rig.house)).strftime("%H:%M")

    page = two.page()
    assert f"Over at the latest {clock(100 + most)}" in page
    assert f"being played {clock(10 + most)}" in page
    assert f"a game takes {GAME_TURNS} turns" in page


def test_rounds_of_several_stages_stand_beside_each_other_and_nothing_is_shown_where_nothing_is_released(rig: Desk) -> None:
    assert "No released match waits" in text_of(rig.organizer.get(ROUND))
    two = Round(rig)
    opened(rig, system="round_robin", name="Side", seed="x")
    rig.send(f"{AT}/stage/2/release", rulebook="ibgf", length="3", wait="yes", **{"table-G1.1.1": ""})
    page = two.page()
    assert page.index("Main 1 Begins") < page.index("Side 1 Begins")
    assert "Not released 1" in page
    assert len(two.missing()) == 6
    for key in ("M1.1", "M1.2"):
        result(rig, key)
    assert "Main 1" not in two.page()


# ── A round begins ───────────────────────────────────────────────────────────
def starts(rig: Desk, table: str) -> list[wire.What | wire.UnknownOrder]:
    device = rig.hall.table(table) if table not in ("2", "10") else f"device of {table}"
    return [what for what in rig.hall.orders(_device(rig, device)) if isinstance(what, wire.DelayStart)]


def _device(rig: Desk, called: str) -> str:
    from kiosk.server.acts import tables

    with rig.house.store.read() as connection:
        return tables(connection)[called.removeprefix("device of ")]


def test_a_round_begins_at_every_table_that_has_not_begun(two: Round) -> None:
    playing = two.open("M1.1", 1)
    playing.press(Side.LEFT, 5)
    playing.send(6)
    assert "The table that has not begun asks" in two.page()
    answer = two.rig.send(f"{ROUND}/start", Role.CHIEF, round="Main 1")
    assert answer.headers["location"] == f"{ROUND}?done=round_started"
    assert [type(what).__name__ for what in two.rig.hall.orders(_device(two.rig, "10"))] == ["AssignMatch"], "its clock runs"
    (told,) = starts(two.rig, "2")
    assert told == wire.DelayStart("Ivan (chief)", two.ident["M1.2"], 0)
    assert two.rig.hall.find(two.ident["M1.2"]).plan.starts_ns == two.rig.house.now_ns()
    assert "0 of 1 tables have heard" in two.page()
    two.rig.hall.answer(_device(two.rig, "2"), 2)
    assert "1 of 1 tables have heard" in two.page()


def test_a_time_that_lies_behind_stays_and_is_told_again(two: Round) -> None:
    two.rig.send("/desk/hall/delay", round="Main 1", at="+5")
    two.rig.house.intake.test_clock[0] += 600 * NS_PER_S  # type: ignore[attr-defined]
    before = two.rig.hall.find(two.ident["M1.1"]).plan.starts_ns
    two.rig.send(f"{ROUND}/start", round="Main 1")
    assert two.rig.hall.find(two.ident["M1.1"]).plan.starts_ns == before
    told = starts(two.rig, "10")[-1]
    assert isinstance(told, wire.DelayStart)
    assert told.starts_in_ms == -300_000


def test_a_table_that_had_begun_when_the_order_came_is_told_as_such_and_another_refusal_as_it_is(two: Round) -> None:
    two.rig.send(f"{ROUND}/start", round="Main 1")
    for name in ("2", "10"):
        two.rig.hall.answer(_device(two.rig, name), 2, done=False, sentence="The match has begun.")
    table = two.open("M1.1", 1)
    table.press(Side.LEFT, 2)
    table.send(3)
    page = two.page()
    assert "10 has begun already" in page
    assert "refused: The match has begun." in page
    assert "1 of 2 tables have heard" in page


def test_between_its_games_a_match_has_begun_all_the_same(two: Round) -> None:
    table = two.open("M1.1", 1)
    table.game(Side.LEFT, 5)
    table.send(20)
    assert two.missing() == ["P2 2", "P3 2"]
    two.rig.send(f"{ROUND}/start", round="Main 1")
    assert starts(two.rig, "10") == []
    late = two.open("M1.2", 30)
    late.do(c.StartLate((Side.LEFT,)), 31)
    late.send(32)
    two.rig.house.intake.test_clock[0] += 60 * NS_PER_S  # type: ignore[attr-defined]
    two.rig.send(f"{ROUND}/start", round="Main 1")
    assert len(starts(two.rig, "2")) == 1, "only before the late clock ran"


def test_a_round_that_is_none_begins_nowhere(two: Round) -> None:
    answer = two.rig.send(f"{ROUND}/start", round="Main 7")
    assert (answer.status_code, "There is no round" in text_of(answer)) == (400, True)
    assert starts(two.rig, "2") == []


# ── The whole event ──────────────────────────────────────────────────────────
def test_who_is_not_there_is_named_and_withdrawn_after_a_question(rig: Desk) -> None:
    enter(rig, 4)
    assert "Nobody is noted yet" in text_of(rig.organizer.get(CHECKIN))
    for who in (1, 3):
        assert rig.send(CHECKIN, Role.CHIEF, entrant=who, here="yes").headers["location"] == CHECKIN
    page = text_of(rig.organizer.get(CHECKIN))
    assert "2 of 4 are here" in page
    assert "2 are missing 2 · P2" in page
    asked = rig.organizer.get(f"{CHECKIN}/withdraw")
    assert "2 players play no more then" in text_of(asked)
    assert now(rig).event.left == {}, "it was only asked"
    shown = asked.text.split('name="shown" value="')[1].split('"')[0]
    rig.send(CHECKIN, entrant=4, here="yes")  # one came while the question was open
    rig.send(f"{CHECKIN}/withdraw", shown=shown)
    assert now(rig).event.left == {2: Leave.WITHDRAWN}
    assert "3 of 3 are here" in text_of(rig.organizer.get(CHECKIN))
    assert "Everybody is here" in text_of(rig.organizer.get(f"{CHECKIN}/withdraw"))


def test_everybody_is_noted_at_once_and_one_is_taken_out_again(rig: Desk) -> None:
    enter(rig, 3)
    rig.send(f"{CHECKIN}/all")
    rig.send(CHECKIN, entrant=2)
    assert "2 of 3 are here" in text_of(rig.organizer.get(CHECKIN))
    found = text_of(rig.organizer.get(f"{CHECKIN}?q=p3"))
    assert "3 P3" in found
    assert "1 P1" not in found


def test_nobody_is_withdrawn_before_anybody_was_noted_and_nobody_unknown_is_noted(rig: Desk) -> None:
    enter(rig, 2)
    answer = rig.send(f"{CHECKIN}/withdraw", shown="1,2")
    assert (answer.status_code, "Nobody is noted as here" in text_of(answer)) == (400, True)
    assert now(rig).event.left == {}
    answer = rig.send(CHECKIN, entrant=77, here="yes")
    assert (answer.status_code, "Nobody on the entry list has the number 77" in text_of(answer)) == (400, True)
    assert rig.as_(Role.CHIEF).get(f"{CHECKIN}/withdraw").status_code == 403
