"""Both rosters keep the port's word."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from kiosk import pins
from kiosk.app.roster import FileRoster, MemoryRoster
from kiosk.domain.errors import CommandRefused
from kiosk.domain.officials import Official, Role
from kiosk.ports import Roster

ANA, BO, CY = Official("Ana", Role.CHIEF), Official("Бо", Role.REFEREE), Official("Cy", Role.ORGANIZER)
PEOPLE = [(ANA, "5829"), (BO, "40417"), (CY, "58290000")]
Make = Callable[[list[tuple[Official, str]]], Roster]


@pytest.fixture(params=["file", "memory"])
def make(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    monkeypatch.setattr(pins, "COST", pins.Cost(n=2**4))

    def in_file(people: list[tuple[Official, str]]) -> Roster:
        entering = FileRoster(tmp_path / "officials.json")
        for official, pin in people:
            entering.add(official, pin)
        return FileRoster(tmp_path / "officials.json")

    def in_memory(people: list[tuple[Official, str]]) -> Roster:
        return MemoryRoster([{"name": official.name, "role": str(official.role), "pin": pin} for official, pin in people])

    return in_file if request.param == "file" else in_memory


def test_a_roster_of_nobody_finds_nobody(make: Make) -> None:
    assert make([]).officials() == ()
    assert make([]).find("5829") is None


def test_each_secret_finds_its_official(make: Make) -> None:
    roster = make(PEOPLE)
    assert [roster.find(pin) for _, pin in PEOPLE] == [ANA, BO, CY]


def test_officials_come_in_the_order_in_which_they_were_entered(make: Make) -> None:
    assert make(PEOPLE).officials() == (ANA, BO, CY)


@pytest.mark.parametrize("secret", ["", "582", "58290", "05829", "5829 ", "5829\0", "\u0665829", "\ud800", "x" * 10_000, "badge:0042"])
def test_any_other_secret_finds_nobody(make: Make, secret: str) -> None:
    assert make(PEOPLE).find(secret) is None


def test_looking_changes_nothing(make: Make) -> None:
    roster = make(PEOPLE)
    for _ in range(7):
        assert roster.find("9999") is None
    assert roster.find("5829") == ANA
    assert roster.officials() == (ANA, BO, CY)


def test_two_cannot_have_one_pin(make: Make) -> None:
    with pytest.raises(CommandRefused, match="This PIN cannot be used here"):
        make([*PEOPLE, (Official("Di", Role.DEPUTY), "5829")])


def test_two_cannot_have_one_name(make: Make) -> None:
    with pytest.raises(CommandRefused, match="Ana is entered already, as chief"):
        make([*PEOPLE, (Official("ANA", Role.DEPUTY), "7310")])
