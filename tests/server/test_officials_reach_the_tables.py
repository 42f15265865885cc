from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from kiosk.app.roster import FileRoster
from kiosk.domain.errors import CommandRefused, RosterError
from kiosk.domain.officials import Official, Role, badge_secret
from kiosk.server import people
from kiosk.server.audit import COMMAND_LINE
from kiosk.server.enrolment import make_code
from kiosk.server.problems import WrongUse
from kiosk.server.schema import audit, person
from kiosk.sync import wire
from tests.server.served import Served, served

WORD = "another long word"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("server")) as made:
        yield made


def roster(server: Served) -> bytes:
    with server.house.store.read() as connection:
        return people.roster(connection)


def test_a_table_reads_the_roster_as_its_own_file_and_knows_everybody_offline(server: Served, tmp_path: Path) -> None:
    people.add(server.house, COMMAND_LINE, Official("Ana", Role.REFEREE), None, "5829")
    people.add(server.house, COMMAND_LINE, Official("Борис", Role.CHIEF), WORD, "77310")
    ident, enrolled = server.joined(make_code(server.house, COMMAND_LINE, table="1").code)
    data = server.connection(ident, enrolled).ask("GET", wire.ROSTER)
    assert data == roster(server)
    (tmp_path / "officials.json").write_bytes(data)
    there = FileRoster(tmp_path / "officials.json")
    assert there.find("5829") == Official("Ana", Role.REFEREE)
    assert there.find("77310") == Official("Борис", Role.CHIEF)
    assert there.find("1593") is None
    assert [official.name for official in there.officials()] == ["Ana", "Борис"]  # the organizer has no PIN
    for secret in (b"5829", b"77310", WORD.encode()):
        assert secret not in data


def test_every_change_orders_the_tables_to_fetch_the_roster_whose_digest_is_its_version(server: Served) -> None:
    ident, enrolled = server.joined(make_code(server.house, COMMAND_LINE, table="2").code)
    lines = server.connection(ident, enrolled).stream(f"{wire.STREAM}?after=0")
    greeting = wire.line_from_json(next(lines))
    assert isinstance(greeting, wire.Greeting)
    assert greeting.roster == hashlib.sha256(roster(server)).hexdigest()
    goran = people.add(server.house, COMMAND_LINE, Official("Goran", Role.REFEREE), None, "4711")
    people.set_role(server.house, COMMAND_LINE, goran, Role.DEPUTY)
    people.set_pin(server.house, COMMAND_LINE, goran, "90817")
    people.set_password(server.house, COMMAND_LINE, goran, WORD)  # no table needs to know
    people.remove(server.house, COMMAND_LINE, goran)
    got = []
    while len(got) < 4:
        line = wire.line_from_json(next(lines))
        if isinstance(line, wire.Order):
            assert isinstance(line.what, wire.FetchRoster)
            got.append(line)
    assert [order.n for order in got] == [1, 2, 3, 4]
    assert len({order.what for order in got}) == 4
    assert got[-1].what == wire.FetchRoster(greeting.roster)


def test_a_name_and_a_pin_are_one_persons_only(server: Served) -> None:
    people.add(server.house, COMMAND_LINE, Official("Vesna", Role.REFEREE), None, "3391")
    with pytest.raises(CommandRefused, match="Vesna is entered already"):
        people.add(server.house, COMMAND_LINE, Official("VESNA", Role.REFEREE), None, "3392")
    with pytest.raises(CommandRefused, match="This PIN cannot be used here"):
        people.add(server.house, COMMAND_LINE, Official("Mila", Role.REFEREE), None, "3391")
    with pytest.raises(CommandRefused, match="the first that anybody tries"):
        people.add(server.house, COMMAND_LINE, Official("Mila", Role.REFEREE), None, "1234")
    mila = people.add(server.house, COMMAND_LINE, Official("Mila", Role.REFEREE), None, "3392")
    with pytest.raises(CommandRefused, match="This PIN cannot be used here"):
        people.set_pin(server.house, COMMAND_LINE, mila, "3391")
    people.set_pin(server.house, COMMAND_LINE, mila, "3392")  # her own


def test_a_pin_is_taken_away(server: Served) -> None:
    one = people.add(server.house, COMMAND_LINE, Official("Petar", Role.REFEREE), WORD, "6607")
    people.set_pin(server.house, COMMAND_LINE, one, None)
    assert "Petar" not in roster(server).decode()
    people.add(server.house, COMMAND_LINE, Official("Petar's heir", Role.REFEREE), None, "6607")


def test_a_removed_name_may_be_entered_again(server: Served) -> None:
    one = people.add(server.house, COMMAND_LINE, Official("Lena", Role.REFEREE), WORD)
    people.remove(server.house, COMMAND_LINE, one)
    assert people.add(server.house, COMMAND_LINE, Official("Lena", Role.REFEREE), WORD) != one
    with pytest.raises(RosterError, match="not entered any more"):
        people.set_pin(server.house, COMMAND_LINE, one, None)


def test_the_last_organizer_who_can_log_in_stays(server: Served) -> None:
    with server.house.store.read() as connection:
        eva = people.named(connection, "eva")
        with pytest.raises(RosterError, match=r"no official is called .Zoe.; entered are: .*Eva"):
            people.named(connection, "Zoe")
    assert (eva.role, eva.logs_in, eva.signs_in) == (Role.ORGANIZER, True, False)
    for change in (lambda: people.remove(server.house, "x", eva.id), lambda: people.set_role(server.house, "x", eva.id, Role.CHIEF)):
        with pytest.raises(RosterError, match="last organizer"):
            change()


def test_whoever_has_neither_password_nor_pin_is_not_entered(server: Served) -> None:
    with pytest.raises(WrongUse, match="needs a password for pages, or a PIN"):
        people.add(server.house, COMMAND_LINE, Official("Nada", Role.REFEREE))


def test_no_secret_is_in_the_database_or_the_audit(server: Served) -> None:
    people.add(server.house, COMMAND_LINE, Official("Silent", Role.REFEREE), "a very secret word", "80425")
    with server.house.store.read() as connection:
        told = str(connection.execute(select(person)).all()) + str(connection.execute(select(audit)).all())
    assert "a very secret word" not in told
    assert "80425" not in told
    assert json.loads(roster(server))["scrypt"] == {"n": 16384, "r": 8, "p": 1}


def test_a_badge_reaches_the_tables_beside_the_pin_and_as_a_hash_only(server: Served, tmp_path: Path) -> None:
    zora = people.add(server.house, COMMAND_LINE, Official("Zora", Role.REFEREE), None, "82645")
    bare = roster(server)
    people.set_badge(server.house, COMMAND_LINE, zora, "0F00184C7B")
    data = roster(server)
    (tmp_path / "officials.json").write_bytes(data)
    there = FileRoster(tmp_path / "officials.json")
    assert there.find(badge_secret("0F00184C7B")) == there.find("82645") == Official("Zora", Role.REFEREE)
    assert b"0F00184C7B" not in data
    people.set_badge(server.house, COMMAND_LINE, zora, "0F00184C7C")
    people.set_badge(server.house, COMMAND_LINE, zora, None)
    assert roster(server) == bare
    with server.house.store.read() as connection:
        acts = [row.act for row in connection.execute(select(audit).order_by(audit.c.id))]
    assert acts[-3:] == ["badge_changed"] * 3


def test_a_badge_needs_a_pin_beside_it_and_is_one_persons_only(server: Served) -> None:
    first = people.add(server.house, COMMAND_LINE, Official("Petra", Role.REFEREE), None, "61937")
    other = people.add(server.house, COMMAND_LINE, Official("Rada", Role.REFEREE), WORD, None)
    with pytest.raises(RosterError, match="Rada has no PIN; a badge stands beside a PIN"):
        people.set_badge(server.house, COMMAND_LINE, other, "00042138")
    people.set_badge(server.house, COMMAND_LINE, first, "00042138")
    people.set_pin(server.house, COMMAND_LINE, other, "38162")
    with pytest.raises(CommandRefused, match="somebody else's"):
        people.set_badge(server.house, COMMAND_LINE, other, "00042138")
    with pytest.raises(CommandRefused, match="4 to 32 digits"):
        people.set_badge(server.house, COMMAND_LINE, other, "no")
    people.set_badge(server.house, COMMAND_LINE, first, "00042138")  # his own again
    with server.house.store.read() as connection:
        assert [each.badge for each in people.listed(connection) if each.name in {"Petra", "Rada"}] == [True, False]
