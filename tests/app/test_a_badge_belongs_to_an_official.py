"""A badge is given, found like a PIN, taken away, and stands nowhere as a number."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kiosk import pins
from kiosk.app.roster import FileRoster
from kiosk.domain.errors import CommandRefused, RosterError, RosterUnavailable
from kiosk.domain.officials import Official, Role, badge_secret, check_badge

ANA, BO = Official("Ana", Role.CHIEF), Official("Бо", Role.REFEREE)
CARD, OTHER = "0F00184C7B", "0004213897"


@pytest.fixture
def roster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FileRoster:
    monkeypatch.setattr(pins, "COST", pins.Cost(n=2**4))
    found = FileRoster(tmp_path / "officials.json")
    found.add(ANA, "5829")
    found.add(BO, "40417")
    return found


def test_a_badge_and_the_pin_both_find_their_official(roster: FileRoster) -> None:
    assert roster.give_badge("бо", CARD) == BO
    fresh = FileRoster(roster.path)
    assert fresh.find(badge_secret(CARD)) == BO
    assert fresh.find("40417") == BO
    assert fresh.find(badge_secret(OTHER)) is None
    assert fresh.find(CARD) is None


def test_its_number_stands_nowhere(roster: FileRoster) -> None:
    roster.give_badge("Ana", CARD)
    text = roster.path.read_text(encoding="utf-8")
    assert CARD not in text
    ana, bo = json.loads(text)["officials"]
    assert ana["badge"]["salt"] != ana["salt"]
    assert "badge" not in bo


def test_a_new_badge_takes_the_place_of_the_one_before(roster: FileRoster) -> None:
    roster.give_badge("Ana", CARD)
    roster.give_badge("Ana", CARD)
    roster.give_badge("Ana", OTHER)
    assert roster.find(badge_secret(CARD)) is None
    assert roster.find(badge_secret(OTHER)) == ANA


def test_a_lost_badge_is_taken_out_and_the_pin_stays(roster: FileRoster) -> None:
    roster.give_badge("Ana", CARD)
    assert roster.give_badge("Ana", None) == ANA
    assert roster.find(badge_secret(CARD)) is None
    assert roster.find("5829") == ANA


def test_a_new_pin_leaves_the_badge_as_it_is(roster: FileRoster) -> None:
    roster.give_badge("Ana", CARD)
    roster.renew("Ana", "7310")
    assert roster.find(badge_secret(CARD)) == ANA
    assert roster.find("7310") == ANA


def test_two_cannot_have_one_badge(roster: FileRoster) -> None:
    roster.give_badge("Ana", CARD)
    before = roster.path.read_bytes()
    with pytest.raises(CommandRefused, match="somebody else's"):
        roster.give_badge("Бо", CARD)
    assert roster.path.read_bytes() == before


def test_whoever_is_removed_takes_his_badge_with_him(roster: FileRoster) -> None:
    roster.give_badge("Бо", CARD)
    roster.remove("Бо")
    assert roster.find(badge_secret(CARD)) is None


def test_nobody_elses_name_gets_a_badge(roster: FileRoster) -> None:
    with pytest.raises(RosterError, match="no official is called 'Cy'"):
        roster.give_badge("Cy", CARD)


@pytest.mark.parametrize("number", ["", "123", "1" * 33, "12 34", "abcd", "№1234", "1234\n"])
def test_what_no_reader_tells_is_no_badge(roster: FileRoster, number: str) -> None:
    with pytest.raises(CommandRefused, match="4 to 32 digits and capital letters"):
        roster.give_badge("Ana", number)
    check_badge("AB:12-9")


@pytest.mark.parametrize("badge", ["text", {"salt": "00"}, {"salt": "00" * 16, "hash": "00"}, 5, ["00", "00"]])
def test_a_damaged_badge_is_a_damaged_file(roster: FileRoster, badge: object) -> None:
    plain = json.loads(roster.path.read_text(encoding="utf-8"))
    plain["officials"][0]["badge"] = badge
    roster.path.write_text(json.dumps(plain), encoding="utf-8")
    with pytest.raises(RosterUnavailable, match="damaged"):
        FileRoster(roster.path).find("5829")
