"""A chouette at the table: what is refused and why, what outlasts it, and what the journal keeps."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from evening import LEFT, Evening, ns, setup
from phases import CHIEF, PLAYERS, REFEREE, by, chouette

from kiosk import codec
from kiosk.domain import facts as f
from kiosk.domain.errors import CommandRefused
from kiosk.domain.facts import Party
from kiosk.domain.rulebook import Kind
from kiosk.domain.types import Instant
from kiosk.session import NotAdjourned, adjourned, brought, carried, last_match
from kiosk.session import commands as c

if TYPE_CHECKING:
    from collections.abc import Callable


def opening(
    players: tuple[str, ...] = PLAYERS, throws: tuple[tuple[int, ...], ...] = (), *, automatic: bool = True, backgammon: int = 3
) -> c.OpenChouette:
    return c.OpenChouette("m4", players, throws, jacoby=True, automatic=automatic, backgammon=backgammon)


def doubled(value: int) -> Evening:
    """The box and the team have doubled in turn up to this."""
    table, members = chouette(), PLAYERS[1:]
    while table.table.chouette is not None and table.table.chouette.stake.value < value:
        if table.table.chouette.stake.owner is Party.TEAM:
            steps: list[c.Command] = [*(c.WantDouble(name, wants=True) for name in members), c.AnswerDouble("Ana", takes=True)]
        else:
            steps = [c.DoubleByBox(), *(c.AnswerDouble(name, takes=True) for name in members)]
        for step in steps:
            table.do(step, 110)
    return table


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (opening(PLAYERS[:2]), "3 to 10 players; not 2"),
        (opening(tuple(str(n) for n in range(11))), "3 to 10 players; not 11"),
        (opening(("Ana", "Boris", "Ana")), "Ana plays already"),
        (opening(("Ana", "Boris", "ana ")), "ana  plays already"),
        (opening(("Ana", "Boris", " ")), "one line of 1 to 100"),
        (opening(("Ana", "Boris", "V\nera")), "one line of 1 to 100"),
        (opening(("Ana", "Boris", "V" * 101)), "one line of 1 to 100"),
        (opening(backgammon=4), "3 or 2; not 4"),
        (opening(throws=((1,), (2,), (3,))), "4 throws of 1 to 6"),
        (opening(throws=((1,), (2,), (3,), (7,))), "4 throws of 1 to 6"),
        (opening(throws=((1,), (2,), (3,), ())), "still have to throw, for they are level: Goran"),
        (opening(throws=((4,), (2,), (4,), (1,))), "level: Ana, Vera"),
        (opening(throws=((4, 5), (2,), (3,), (1,))), "nobody was level with them: Ana"),
    ],
)
def test_a_chouette_that_cannot_be_is_refused_with_the_reason(wrong: c.OpenChouette, sentence: str) -> None:
    with pytest.raises(CommandRefused, match=sentence):
        Evening().do(wrong, 0)


def test_an_opening_keeps_who_is_signed_in_and_what_the_hall_wants() -> None:
    table = Evening()
    table.do(c.PauseHall("Eva", "lunch"), 0)
    table.do(c.SignIn(CHIEF), 1)
    table.do(opening(), 2)
    assert table.table.official is not None
    assert table.table.official.official == CHIEF
    assert table.table.hall.pause is not None
    assert table.replayed() == table.table


def test_players_do_not_leave_a_suspended_match_behind_but_an_official_can() -> None:
    table = by(REFEREE, Evening(setup()).begin(), 1, c.Suspend())
    assert table.refuse(opening(), 2) == "not_authorised"
    table.do(c.SignIn(REFEREE), 3)
    table.do(opening(), 4)
    assert table.table.phase is None
    assert [match.state.match for match in adjourned("7", list(table.journal.rows()))] == ["m1"]


def test_a_match_begins_where_a_chouette_has_ended() -> None:
    table = chouette(c.EndChouette())
    table.do(c.OpenMatch("m5", setup()), 200)
    assert table.table.chouette is None
    assert table.replayed() == table.table
    assert table.refuse(c.UndoChouette(), 201) == "wrong_phase"


def test_no_match_comes_from_elsewhere_during_a_chouette() -> None:
    table = chouette()
    table.do(c.SignIn(REFEREE), 101)
    refused = table.session.why_not_take_up(ns(102))
    assert refused is not None
    assert "A chouette is going on" in refused.message


@pytest.mark.parametrize(
    ("table", "command", "code"),
    [
        (chouette, c.JoinChouette("Ana"), "bad_value"),
        (chouette, c.LeaveChouette("Dina"), "bad_value"),
        (lambda: chouette(c.LeaveChouette("Vera")), c.LeaveChouette("Goran"), "bad_value"),
        (lambda: chouette(*(c.JoinChouette(str(n)) for n in range(6))), c.JoinChouette("Dina"), "bad_value"),
        (lambda: chouette(c.TieChouette()), c.TieChouette(), "already_used"),
        (lambda: chouette(c.WantDouble("Vera", wants=True)), c.WantDouble("Vera", wants=True), "already_used"),
        (lambda: doubled(2), c.DoubleByBox(), "cube_not_yours"),
        (lambda: doubled(4), c.WantDouble("Vera", wants=True), "cube_not_yours"),
        (lambda: doubled(64), c.DoubleByBox(), "cube_at_limit"),
    ],
)
def test_what_does_not_fit_is_refused_and_changes_nothing(table: Callable[[], Evening], command: c.Command, code: str) -> None:
    assert table().refuse(command, 200) == code


def test_without_automatic_doubles_there_are_none() -> None:
    table = Evening()
    table.do(opening(automatic=False), 0)
    assert table.refuse(c.TieChouette(), 1) == "no_cube"


def test_a_power_cut_leaves_it_as_it_was() -> None:
    table = chouette(c.DoubleByBox(), c.AnswerDouble("Vera", takes=False))
    before = table.table.chouette
    table.power_cut(300)
    assert table.table.chouette == before
    assert [alert.code for alert in table.table.alerts] == ["power_restored"], "and that is said on the screen"
    assert table.do(c.AnswerDouble("Boris", takes=True), 301)


def test_of_one_that_is_over_a_power_cut_says_nothing() -> None:
    table = chouette(c.EndChouette())
    table.power_cut(300)
    assert not table.table.alerts


def test_an_earlier_match_ends_where_a_chouette_begins() -> None:
    table = by(REFEREE, Evening(setup()).begin(), 1, c.Suspend())
    by(REFEREE, table, 2, opening(), c.WinChouette(Party.BOX, Kind.SINGLE))
    rows = last_match(list(table.journal.rows()))
    assert not any(row.type.startswith("chouette") for row in rows)
    assert table.table.match == "m4"


@pytest.mark.parametrize("kind", [f.ChouetteTied, f.ChouetteEnded])
def test_no_file_brings_a_chouette_in_a_match(kind: type[f.ChouetteTied | f.ChouetteEnded]) -> None:
    *rows, last = by(REFEREE, Evening(setup()).begin(), 1, c.Suspend()).journal.rows()
    name, text = codec.encode(kind(Instant(last.mono_ns)))
    with pytest.raises(NotAdjourned, match="one of a chouette; no match holds such"):
        brought("7", [*rows, replace(last, type=name, data=text), last])


def test_a_chouette_is_no_match_that_could_be_carried() -> None:
    with pytest.raises(NotAdjourned):
        carried("7", list(chouette().journal.rows()))


def test_a_press_does_nothing_and_is_on_record() -> None:
    (fact,) = chouette().press(LEFT, 200)
    assert fact == f.PressIgnored(ns(200), LEFT, f.IgnoredWhy.NOT_RUNNING)
