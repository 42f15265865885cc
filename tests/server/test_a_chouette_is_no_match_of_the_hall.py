"""A table that plays a chouette: its facts are taken in like all others, it counts as no match, and the match before it stays as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from kiosk.domain.facts import Party
from kiosk.domain.rulebook import Kind
from kiosk.server import faces, matches
from kiosk.session import commands as c
from tests.server.devices import enrol
from tests.server.playing import PlayingTable

if TYPE_CHECKING:
    from kiosk.server.intake import Intake
    from kiosk.server.store import Store


def the_face(store: Store) -> dict[str, Any]:
    with store.read() as connection:
        (found,) = faces.faces(connection)
    return found


def kept(store: Store) -> list[matches.Kept]:
    with store.read() as connection:
        return matches.kept(connection, practice=None)


def opening(match: str) -> c.OpenChouette:
    return c.OpenChouette(match, ("Ana", "Boris", "Vera"), (), jacoby=True, automatic=True, backgammon=3)


@pytest.mark.parametrize("at_once", [True, False])
def test_it_is_taken_in_and_counts_as_no_match(store: Store, intake: Intake, *, at_once: bool) -> None:
    table = PlayingTable(intake, enrol(store, "12", "12"))

    def sent(at: float) -> None:
        if not at_once or at > 300:
            table.send(at)
            assert intake.projections.settled(60)

    table.open(100)
    table.finish(110)
    sent(170)
    played = len(table.rows)
    table.do(c.PauseHall("Eva", "lunch"), 180)
    paused = len(table.rows)
    table.do(opening("c1"), 190)
    sent(200)
    table.do(c.WinChouette(Party.TEAM, Kind.SINGLE), 210)
    table.do(c.EndChouette(), 220)
    sent(310)
    (match,) = kept(store)
    assert match.match == "m1"
    assert played <= match.last_seq <= paused
    assert (the_face(store)["match"], the_face(store)["score"]) == (None, None)
    table.open(320, "m2")
    sent(330)
    assert [each.match for each in kept(store)] == ["m1", "m2"]
    assert the_face(store)["match"] == "m2"
    assert the_face(store)["paused"]["why"] == "lunch"


def test_a_table_may_begin_with_one(store: Store, intake: Intake) -> None:
    table = PlayingTable(intake, enrol(store, "12", "12"))
    table.do(opening("c1"), 100)
    table.send(110)
    assert intake.projections.settled(60)
    assert kept(store) == []
    assert the_face(store)["match"] is None
