"""Players sign, walk to the desk, and meanwhile their table has opened its next match."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from kiosk.domain.officials import Official, Role
from kiosk.domain.types import Pair, seconds
from kiosk.server import devices, published, receiving, result_acts, results
from kiosk.server.acts import Act
from kiosk.server.audit import A_SHEET
from kiosk.server.results import Worth
from kiosk.server.schema import audit
from kiosk.server.schema import device as device_table
from kiosk.server.schema import match as matches
from kiosk.session import commands as c
from kiosk.sync import wire
from tests.server.desk_rig import Desk, desk_over, text_of
from tests.server.playing import PlayingTable

HEAD = "Signed sheets to be received"
REFUSAL = "This was meant for another match; it has done nothing."
SECRET = "5" * 64


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Desk]:
    with desk_over(tmp_path) as made:
        yield made


def _signed(rig: Desk, name: str = "12", **plan: Any) -> tuple[PlayingTable, str]:
    """A match that was assigned, played and signed, and stands on its table yet."""
    table = rig.table(name)
    ident = rig.hall.make(table=name, length=3, **plan)
    table.open(1, ident)
    table.finish(5)
    table.send(60)
    return table, ident


def _gone_on(rig: Desk, name: str = "12") -> tuple[PlayingTable, str]:
    """The same, and the table has opened its next match."""
    table, ident = _signed(rig, name)
    _next_match(rig, table, name)
    return table, ident


def _next_match(rig: Desk, table: PlayingTable, name: str = "12") -> None:
    players = Pair(("Vera",), ("Goran",))
    table.open(70, rig.hall.make(table=name, players=players), players=players)
    table.send(80)


def _receive(rig: Desk, ident: str, role: Role = Role.REFEREE) -> str:
    fields: dict[str, Any] = {"from": "referee"}
    return str(rig.send(f"/desk/hall/receive/{ident}", role, **fields).headers["location"])


def _line(rig: Desk, ident: str) -> results.Line:
    with rig.house.store.read() as connection:
        return results.line(connection, ident)


def _waiting(rig: Desk) -> list[str]:
    with rig.house.store.read() as connection:
        return [one.match for one in receiving.waiting(connection)]


def _answers(rig: Desk, table: PlayingTable, n: int, *, done: bool = False, code: str = "match_over") -> None:
    """The table answers an order, as tables do: by the API."""
    with rig.house.store.write() as connection:
        connection.execute(update(device_table).where(device_table.c.id == table.device).values(secret_hash=devices.secret_hash(SECRET)))
    sentence = "" if done else REFUSAL
    told = wire.OrderAnswer(n, done, "" if done else code, sentence, read=True)
    batch = wire.Batch("", 0, "0" * 64, (), (told,), wire.Moment("boot", 10**12, 10**18, True), 0)
    head = {"authorization": f"Bearer {table.device}.{SECRET}", "content-type": "application/json"}
    answer = rig.as_(None).post(wire.SYNC, content=wire.batch_to_json(batch), headers=head)
    assert answer.status_code == 200, answer.text


def _order(rig: Desk, table: PlayingTable) -> int:
    """The number of the newest order."""
    with rig.house.store.read() as connection:
        return int(connection.execute(select(device_table.c.last_order).where(device_table.c.id == table.device)).scalar_one())


def test_while_its_match_is_on_the_table_the_table_receives_the_sheet(rig: Desk) -> None:
    table, ident = _signed(rig)
    assert _waiting(rig) == [ident]
    assert HEAD in rig.referee.get("/referee").text
    assert _receive(rig, ident) == "/referee?done=received"
    assert rig.hall.orders(table.device)[-1] == wire.ReceiveSheet(ident, "Mara", Role.REFEREE)
    assert _waiting(rig) == []
    assert [one.source for one in _line(rig, ident).history] == ["sheet"]
    assert _receive(rig, ident, Role.CHIEF) == "/referee?done=received"
    assert sum(isinstance(one, wire.ReceiveSheet) for one in rig.hall.orders(table.device)) == 1


def test_a_sheet_whose_table_has_gone_on_is_received_at_the_server(rig: Desk) -> None:
    table, ident = _gone_on(rig)
    assert HEAD in rig.organizer.get("/desk").text
    assert HEAD in rig.referee.get("/referee").text
    assert _receive(rig, ident) == "/referee?done=received_here"
    assert not any(isinstance(one, wire.ReceiveSheet) for one in rig.hall.orders(table.device))
    line = _line(rig, ident)
    assert line.worth is Worth.FINAL
    assert [(one.source, one.by, one.reason) for one in line.history][1:] == [("desk", "Mara (referee)", "")]
    assert line.history[1].said == line.history[0].said
    assert "The sheet is received." in rig.referee.get("/referee?done=received_here").text
    for page in (rig.organizer.get("/desk"), rig.referee.get("/referee")):
        assert HEAD not in page.text


def test_what_was_received_at_the_server_is_final_for_everybody(rig: Desk) -> None:
    _table, ident = _gone_on(rig)
    with rig.house.store.read() as connection:
        assert [one.provisional for one in published.published(connection) if one.match == ident] == [True]
    _receive(rig, ident)
    with rig.house.store.read() as connection:
        assert [one.provisional for one in published.published(connection) if one.match == ident] == [False]
    standings = rig.organizer.get("/desk/exports/standings.csv").text
    assert next(line for line in standings.splitlines() if ident in line).count("final") == 1
    sheet = json.loads(rig.organizer.get(f"/desk/exports/match/{ident}.json").text)
    assert "Mara" in json.dumps(sheet["received"])
    assert "received the sheet, revision 1" in text_of(rig.organizer.get(f"/desk/results/one/{ident}"))


def test_a_reception_at_the_server_is_audited_once_however_often_it_is_sent(rig: Desk) -> None:
    _table, ident = _gone_on(rig)
    assert {_receive(rig, ident), _receive(rig, ident), _receive(rig, ident, Role.CHIEF)} == {"/referee?done=received_here"}
    assert len(_line(rig, ident).history) == 2
    with rig.house.store.read() as connection:
        noted = connection.execute(select(audit.c.who, audit.c.what).where(audit.c.act == "sheet_received")).all()
    assert [(row.who, json.loads(row.what)["match"]) for row in noted] == [("Mara (referee)", ident)]


def test_a_table_that_went_on_before_the_order_came_has_its_sheet_received_at_the_server(rig: Desk) -> None:
    table, ident = _signed(rig)
    _receive(rig, ident)
    n = _order(rig, table)
    _next_match(rig, table)
    assert _waiting(rig) == []  # the table may yet do it
    for _twice in range(2):
        _answers(rig, table, n)
    line = _line(rig, ident)
    assert (line.worth, [one.source for one in line.history]) == (Worth.FINAL, ["sheet", "desk"])
    assert line.history[1].by == "Mara (referee)"
    assert _waiting(rig) == []
    assert "recorded here: the table has gone on" in rig.referee.get("/referee").text
    assert REFUSAL not in rig.organizer.get("/desk").text


def test_a_sheet_that_the_table_refuses_for_another_cause_is_to_be_received_again(rig: Desk) -> None:
    table, ident = _signed(rig)
    _receive(rig, ident)
    _answers(rig, table, _order(rig, table), code="wrong_phase")
    assert _waiting(rig) == [ident]
    assert len(_line(rig, ident).history) == 1


def test_a_sheet_whose_device_was_revoked_is_received_at_the_server(rig: Desk) -> None:
    table, ident = _signed(rig)
    _receive(rig, ident)
    devices.revoke(rig.house, "Eva (organizer)", table.device)
    assert _waiting(rig) == [ident]
    assert _receive(rig, ident) == "/referee?done=received_here"
    assert _line(rig, ident).worth is Worth.FINAL


def test_the_tables_own_reception_afterwards_makes_no_second_version(rig: Desk) -> None:
    table, ident = _signed(rig)
    devices.revoke(rig.house, "Eva (organizer)", table.device)
    _receive(rig, ident)
    with rig.house.store.write() as connection:  # it is trusted again, and has received the sheet itself
        connection.execute(update(device_table).where(device_table.c.id == table.device).values(revoked_ns=None))
    table.session.command_as(Official("Vera", Role.REFEREE), c.Receive(), seconds(90), match=ident)  # type: ignore[arg-type]
    table.send(91)
    line = _line(rig, ident)
    assert line.match is not None
    assert (line.match.phase, line.worth, len(line.history)) == ("received", Worth.FINAL, 2)
    assert _receive(rig, ident) == "/referee?done=received_here"
    assert len(_line(rig, ident).history) == 2


def _revised(rig: Desk, ident: str, revision: int, right: int) -> None:
    """A sheet of another revision comes, as from a table that was away."""
    with rig.house.store.write() as connection:
        row = connection.execute(select(matches).where(matches.c.id == ident)).one()
        told = json.loads(row.summary)
        told |= {"revision": revision, "score": {"left": 3, "right": right}}
        connection.execute(update(matches).where(matches.c.id == ident).values(summary=json.dumps(told)))
        result_acts.take_sheet(Act(connection, A_SHEET, rig.house.now_ns()), row.journal, row.first_seq)


def test_a_later_sheet_that_says_the_same_stays_final(rig: Desk) -> None:
    _table, ident = _gone_on(rig)
    _receive(rig, ident)
    _revised(rig, ident, 2, right=0)
    line = _line(rig, ident)
    assert [one.source for one in line.history] == ["sheet", "desk", "sheet"]
    assert (line.worth, _waiting(rig)) == (Worth.FINAL, [])


def test_a_later_sheet_that_says_something_else_is_decided_by_a_person(rig: Desk) -> None:
    _table, ident = _gone_on(rig)
    _receive(rig, ident)
    _revised(rig, ident, 2, right=1)
    line = _line(rig, ident)
    assert line.worth is Worth.DECIDE
    assert line.data is not None
    assert line.data["score"] == {"left": 3, "right": 0}
    with rig.house.store.read() as connection:
        assert [row.kind for row in results.conflicts(connection)] == ["sheet_differs"]
    sheet = json.loads(rig.organizer.get(f"/desk/exports/match/{ident}.json").text)
    assert sheet["received"] is None
    rig.send(f"/desk/results/one/{ident}/decide", keep="sheet", reason="both players confirm it", version="3")
    line = _line(rig, ident)
    assert line.worth is Worth.FINAL
    assert line.data is not None
    assert line.data["score"] == {"left": 3, "right": 1}


def test_receiving_a_sheet_overrules_no_decision(rig: Desk) -> None:
    _table, ident = _gone_on(rig)
    won: dict[str, Any] = {"left": "0", "right": "3", "winner": "right", "how": "score"}
    assert rig.send(f"/desk/results/one/{ident}", **won, reason="names were swapped", version="1").status_code == 303
    _receive(rig, ident)
    line = _line(rig, ident)
    assert (line.worth, _waiting(rig)) == (Worth.FINAL, [])
    assert line.data is not None
    assert line.data["winner"] == "right"


def test_a_sheet_that_nobody_signed_or_that_counts_for_nothing_is_not_received(rig: Desk) -> None:
    table = rig.table("12")
    table.open(1, "byhand")
    table.finish(5)
    table.send(60)
    assert _waiting(rig) == ["byhand"]  # its table can receive it
    _next_match(rig, table)
    assert _waiting(rig) == []
    answer = rig.send("/desk/hall/receive/byhand")
    assert (answer.status_code, "counts for nothing yet" in text_of(answer)) == (409, True)
    with rig.house.store.write() as connection:
        connection.execute(update(matches).where(matches.c.id == "byhand").values(phase="ended"))
    answer = rig.send("/desk/hall/receive/byhand")
    assert (answer.status_code, "not signed by both" in text_of(answer)) == (409, True)


def test_an_open_appeal_is_decided_before_the_sheet_is_received(rig: Desk) -> None:
    table, ident = _signed(rig)
    _receive(rig, ident)
    n = _order(rig, table)
    _next_match(rig, table)
    with rig.house.store.write() as connection:
        kept = json.loads(connection.execute(select(matches.c.summary).where(matches.c.id == ident)).scalar_one())
        told = json.dumps({**kept, "provisional": True})
        connection.execute(update(matches).where(matches.c.id == ident).values(summary=told))
    _answers(rig, table, n)
    assert _waiting(rig) == [ident]
    answer = rig.send(f"/desk/hall/receive/{ident}")
    assert (answer.status_code, "An appeal is open" in text_of(answer)) == (409, True)
    assert rig.send(
        f"/desk/results/one/{ident}", left="3", right="0", winner="left", how="score", reason="appeal withdrawn", version="1"
    ).is_redirect
    assert _receive(rig, ident) == "/referee?done=received_here"


def test_a_sheet_that_its_table_has_received_and_changed_again_is_to_be_received_anew(rig: Desk) -> None:
    table, ident = _signed(rig)
    _receive(rig, ident)
    _answers(rig, table, _order(rig, table), done=True)
    assert _waiting(rig) == []  # its facts are on their way
    later = rig.house.now_ns() + 10**9
    with rig.house.store.write() as connection:
        connection.execute(update(matches).where(matches.c.id == ident).values(changed_ns=later))
    assert _waiting(rig) == [ident]
