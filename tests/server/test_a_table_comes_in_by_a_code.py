from __future__ import annotations

import secrets
import select as ready
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from sqlalchemy import func, select, update

from kiosk.books import Library
from kiosk.domain.errors import KioskError
from kiosk.domain.types import Pair
from kiosk.server import assignments, attempts, devices, keys, orders
from kiosk.server.acts import acting
from kiosk.server.audit import COMMAND_LINE
from kiosk.server.enrolment import drop_code, make_code, open_codes
from kiosk.server.plans import Plan
from kiosk.server.problems import WrongUse
from kiosk.server.schema import audit, device
from kiosk.server.schema import code as codes
from kiosk.sync import wire
from kiosk.sync.proof import LONG, SHORT, code_key, proof, shown
from kiosk.sync.transport import Address, Connection, ServerRefused
from tests.server.playing import LEFT, PlayingTable
from tests.server.served import Served, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("server")) as made:
        yield made


@pytest.fixture(autouse=True)
def many_may_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "ENROL_ADDRESS", attempts.Limit("enrol address", 1000))


def code(server: Served, **wanted: object) -> str:
    return make_code(server.house, COMMAND_LINE, **wanted).code  # type: ignore[arg-type]


def refused(server: Served, code_: str, table: str = "", **wanted: object) -> ServerRefused:
    with pytest.raises(ServerRefused) as told:
        server.joined(code_, table, **wanted)  # type: ignore[arg-type]
    return told.value


def test_both_prove_themselves_and_the_device_gets_a_key_of_its_own(server: Served) -> None:
    ident, enrolled = server.joined(code(server, table="1"))
    assert (enrolled.answer.table, enrolled.answer.name) == ("1", "Open Skopje")
    assert (enrolled.answer.server, enrolled.answer.key) == (server.house.keys.server_id, server.house.keys.public_hex)
    assert enrolled.fingerprint == server.fingerprint
    assert len(enrolled.answer.secret) == 64
    with server.house.store.read() as connection:
        row = connection.execute(select(device).where(device.c.id == ident)).one()
        note = connection.execute(select(audit).order_by(audit.c.id.desc()).limit(1)).one()
    assert enrolled.answer.secret not in str(row)
    assert (note.act, note.who) == ("device_enrolled", COMMAND_LINE)
    assert server.connection(ident, enrolled).ask("GET", wire.ROSTER).startswith(b"{")


def test_a_code_for_one_table_is_good_once(server: Served) -> None:
    made = code(server, table="once")
    assert len(made) == SHORT
    server.joined(made)
    assert "used up" in str(refused(server, made, device=secrets.token_hex(16)))


def test_a_code_for_many_is_long_and_good_for_as_many(server: Served) -> None:
    made = code(server, uses=2, days=1)
    assert len(made) == LONG
    server.joined(made, "m1")
    server.joined(made, "m2")
    assert refused(server, made, "m3").status == 403


def test_the_same_device_may_come_again_when_the_answer_was_lost_and_gets_another_key(server: Served) -> None:
    made = code(server, table="lost")
    ident, first = server.joined(made)
    _, second = server.joined(made, device=ident)
    assert first.answer.secret != second.answer.secret
    with pytest.raises(ServerRefused) as told:
        server.connection(ident, first).ask("GET", wire.ROSTER)
    assert told.value.status == 401
    server.connection(ident, second).ask("GET", wire.ROSTER)
    with server.house.store.read() as connection:
        assert connection.execute(select(codes.c.uses_left).order_by(codes.c.id.desc()).limit(1)).scalar() == 0


def test_a_code_that_is_too_old_is_refused(server: Served) -> None:
    made = code(server, table="old")
    with server.house.store.write() as connection:
        connection.execute(update(codes).values(until_ns=server.house.now_ns()))
    assert "too old" in str(refused(server, made))
    with server.house.store.read() as connection:
        assert open_codes(connection, server.house.now_ns()) == []


def test_a_wrong_code_is_refused_and_is_in_the_audit(server: Served) -> None:
    code(server, table="right")
    assert refused(server, "0" * SHORT).status == 403
    with server.house.store.read() as connection:
        note = connection.execute(select(audit).order_by(audit.c.id.desc()).limit(1)).one()
    assert (note.act, note.who) == ("enrolment_refused", "127.0.0.1")


def test_the_same_request_is_good_once(server: Served) -> None:
    made = code(server, uses=5)
    ident, nonce, key = secrets.token_hex(16), secrets.token_hex(16), code_key(made, server.house.keys.server_id)
    request = wire.to_json(
        wire.EnrolRequest(ident, "replayed", nonce, proof(key, "table", server.fingerprint, ident, "replayed", nonce), "1", replaces=False)
    )
    connection = Connection(server.address, server.fingerprint)
    first = wire.from_json(wire.EnrolAnswer, connection.ask("POST", wire.ENROL, request))
    with pytest.raises(ServerRefused) as told:
        connection.ask("POST", wire.ENROL, request)
    assert told.value.status == 403
    Connection(server.address, server.fingerprint, f"{ident}.{first.secret}").ask("GET", wire.ROSTER)


@contextmanager
def in_the_middle(server: Served, folder: Path) -> Iterator[Address]:
    """Somebody with a certificate of his own, who hands everything on to the server and back."""
    keys.make_certificate(folder, ["localhost"])
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / keys.TLS_CERTIFICATE, folder / keys.TLS_KEY)
    there = ssl._create_unverified_context()  # noqa: S323
    listening = socket.create_server(("127.0.0.1", 0))

    def take() -> None:
        with suppress(OSError):  # until nobody listens any more
            while True:
                raw, _ = listening.accept()
                threading.Thread(target=hand_on, args=(raw,), daemon=True).start()

    def hand_on(raw: socket.socket) -> None:
        """Both ways in one thread: a TLS line may not be read and written by two at once."""
        with (
            suppress(OSError),
            context.wrap_socket(raw, server_side=True) as near,
            there.wrap_socket(socket.create_connection(("127.0.0.1", server.address.port))) as far,
        ):
            while pass_on(near, far) and pass_on(far, near):
                if not near.pending() and not far.pending():
                    ready.select([near, far], [], [])

    def pass_on(source: ssl.SSLSocket, sink: ssl.SSLSocket) -> bool:
        """Whether there may be more."""
        source.setblocking(False)
        try:
            data = source.recv(65_536)
        except ssl.SSLWantReadError:
            return True
        finally:
            source.setblocking(True)
        sink.sendall(data)
        return bool(data)

    thread = threading.Thread(target=take, daemon=True)
    thread.start()
    yield Address("127.0.0.1", listening.getsockname()[1])
    listening.shutdown(socket.SHUT_RDWR)
    listening.close()
    thread.join()


def test_whoever_stands_in_the_middle_with_another_certificate_gets_nothing(server: Served, tmp_path: Path) -> None:
    made = code(server, table="middle")
    with in_the_middle(server, tmp_path) as address:
        told = refused(Served(server.house, address, server.app), made)
    assert "somebody stands between" in str(told)
    server.joined(made)  # the code was not used up by that


def test_after_twenty_wrong_codes_an_address_waits(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "ENROL_ADDRESS", attempts.Limit("enrol few", 3))
    for _ in range(3):
        assert refused(server, "0" * SHORT).status == 403
    told = refused(server, code(server, table="late"))
    assert told.status == 429
    assert "tried too often" in str(told)
    assert told.retry_s is not None
    assert 0 < told.retry_s <= 900


def test_two_devices_cannot_claim_one_table(server: Served) -> None:
    server.joined(code(server), "12")
    told = refused(server, code(server), "12")
    assert told.status == 403
    assert "There is a table 12 already" in str(told)
    assert "--replaces 12" in str(told)


def test_a_spare_device_takes_the_place_of_another_one_by_a_code_for_it(server: Served) -> None:
    old, first = server.joined(code(server), "replaced")
    new, second = server.joined(code(server, replaces="replaced"), replaces=True)
    assert second.answer.table == "replaced"
    assert second.answer.takes_over == ""  # nothing was being played
    with pytest.raises(ServerRefused) as told:
        server.connection(old, first).ask("GET", wire.ROSTER)
    assert told.value.status == 401
    with server.house.store.read() as connection:
        rows = {row.id: row for row in connection.execute(select(device).where(device.c.table_name == "replaced"))}
    assert rows[old].replaced_by == new
    assert rows[old].revoked_ns is not None
    assert rows[new].revoked_ns is None


def test_the_running_match_of_a_replaced_device_waits_for_the_spare_one_with_its_chain(server: Served) -> None:
    old, first = server.joined(code(server), "playing")
    with pytest.raises(ServerRefused) as told:
        server.connection(old, first).ask("GET", wire.RUNNING)
    assert told.value.status == 404
    table = PlayingTable(server.house.intake, old)
    table.open(1, "the-match")
    table.press(LEFT, 2)
    table.send(3)
    _, second = server.joined(code(server, replaces="playing"))  # the code alone decides
    assert second.answer.takes_over == "the-match"
    spare, third = server.joined(code(server, replaces="playing"), replaces=True)  # the first spare is broken too
    assert third.answer.takes_over == "the-match"
    answer = server.connection(spare, third).ask("GET", wire.RUNNING, largest=wire.LARGEST_MATCH)
    running = wire.running_from_json(answer)
    assert (running.table, running.match) == ("playing", "the-match")
    assert running.rows == tuple(table.rows)


def test_a_match_that_is_over_is_not_taken_over(server: Served) -> None:
    old, _first = server.joined(code(server), "over")
    table = PlayingTable(server.house.intake, old)
    table.open(1, "over-by-now")
    table.finish(2)
    table.send(100)
    spare, second = server.joined(code(server, replaces="over"), replaces=True)
    assert second.answer.takes_over == ""
    again = PlayingTable(server.house.intake, spare)
    again.open(1, "another")
    again.finish(2)
    again.send(100)
    assert server.joined(code(server, replaces="over"), replaces=True)[1].answer.takes_over == ""


def test_what_a_spare_device_did_not_take_over_waits_for_it_again_and_for_the_next_one(server: Served) -> None:
    old, _first = server.joined(code(server), "waiting")
    table = PlayingTable(server.house.intake, old)
    table.open(1, "waiting-match")
    table.send(2)
    spare, _second = server.joined(code(server, replaces="waiting"))
    for again in (code(server, replaces="waiting"), code(server)):  # one that replaces the spare itself, and a plain one
        assert server.joined(again, "waiting", device=spare)[1].answer.takes_over == "waiting-match"
    another = PlayingTable(server.house.intake, spare)  # its players began anew meanwhile, and that is over
    another.open(1, "in-between")
    another.finish(2)
    another.send(100)
    third, last = server.joined(code(server, replaces="waiting"))
    assert last.answer.takes_over == "waiting-match"
    assert server.joined(code(server), "elsewhere", device=third)[1].answer.takes_over == ""  # it belongs to that table


def test_a_match_that_was_taken_over_waits_for_nobody(server: Served) -> None:
    old, _first = server.joined(code(server), "taken-over")
    table = PlayingTable(server.house.intake, old)
    table.open(1, "taken-match")
    table.send(2)
    spare, _second = server.joined(code(server, replaces="taken-over"))
    there = PlayingTable(server.house.intake, spare)
    there.open(1, "taken-match")
    there.finish(2)
    there.send(100)
    assert server.joined(code(server), "taken-over", device=spare)[1].answer.takes_over == ""
    assert server.joined(code(server, replaces="taken-over"))[1].answer.takes_over == ""


def test_a_spare_device_gets_the_matches_that_wait_at_its_table(server: Served) -> None:
    with acting(server.house, "Eva") as act:
        made = assignments.make(act, Plan(Pair(("Ana",), ("Boris",)), "ibgf", 7, "assigned", "3"), Library())
    old, first = server.joined(code(server), "assigned")
    spare, second = server.joined(code(server, replaces="assigned"), replaces=True)
    for ident, enrolled in ((old, first), (spare, second)):
        with server.house.store.read() as connection:
            waiting = orders.open_orders(connection, ident)
        assert [each.order.what.match for each in waiting] == [made.id]  # type: ignore[union-attr]
        assert enrolled.answer.table == "assigned"


def test_a_table_without_a_name_is_told_where_to_give_it_one(server: Served) -> None:
    told = refused(server, code(server))
    assert told.status == 400
    assert "--table" in str(told)


def test_a_code_that_is_dropped_is_worth_nothing(server: Served) -> None:
    made = code(server, table="dropped")
    with server.house.store.read() as connection:
        (kept,) = [each for each in open_codes(connection, server.house.now_ns()) if each.table == "dropped"]
    drop_code(server.house, "Eva (organizer)", kept.id)
    assert refused(server, made).status == 403


def test_codes_that_are_long_over_are_forgotten_unless_a_device_came_by_them(server: Served) -> None:
    used, unused = code(server, table="kept code"), code(server, table="forgotten code")
    server.joined(used)
    with server.house.store.write() as connection:
        connection.execute(update(codes).where(codes.c.table_name.contains(" code")).values(until_ns=1))
    assert refused(server, unused).status == 403
    code(server)
    with server.house.store.read() as connection:
        names = set(connection.execute(select(codes.c.table_name)).scalars())
    assert "kept code" in names
    assert "forgotten code" not in names


def test_a_table_is_for_practice_when_the_organizer_says_so(server: Served) -> None:
    ident, _enrolled = server.joined(code(server), "practice")
    assert devices.set_practice(server.house, "Eva (organizer)", ident, practice=True).practice is False
    with server.house.store.read() as connection:
        assert devices.of_table(connection, "practice").practice is True


def test_a_device_that_was_revoked_comes_back_by_a_new_code_only(server: Served) -> None:
    ident, enrolled = server.joined(code(server), "again")
    devices.revoke(server.house, COMMAND_LINE, ident)
    with pytest.raises(ServerRefused):
        server.connection(ident, enrolled).ask("GET", wire.ROSTER)
    _, new = server.joined(code(server), "again", device=ident)
    server.connection(ident, new).ask("GET", wire.ROSTER)


def test_a_revoked_key_is_worth_nothing_at_once_and_its_stream_ends(server: Served) -> None:
    ident, enrolled = server.joined(code(server), "revoked")
    connection = server.connection(ident, enrolled)
    connection.ask("GET", wire.ROSTER)  # the key is remembered by now
    lines = server.connection(ident, enrolled).stream(f"{wire.STREAM}?after=0")
    assert isinstance(wire.line_from_json(next(lines)), wire.Greeting)
    devices.revoke(server.house, COMMAND_LINE, ident)
    with pytest.raises(KioskError):
        for _line in lines:
            pass
    with pytest.raises(ServerRefused) as told:
        connection.ask("GET", wire.ROSTER)
    assert told.value.status == 401


@pytest.mark.parametrize("authorization", ["", "Bearer", "Bearer x.y", "Basic " + "a" * 97, "Bearer " + "a" * 32 + "." + "b" * 64])
def test_a_stranger_is_refused(server: Served, authorization: str) -> None:
    with server.browser() as client:
        for path in (wire.ROSTER, wire.RUNNING, wire.STREAM, f"{wire.RULINGS}?player=Ana"):
            assert client.get(path, headers={"authorization": authorization} if authorization else {}).status_code == 401
        answer = client.post(wire.SYNC, content=b"{}", headers={"authorization": authorization} if authorization else {})
    assert answer.status_code == 401
    assert "not enrolled here" in answer.json()["error"]


@pytest.mark.parametrize(
    "fields",
    [
        {"device": "x" * 32},
        {"nonce": "00"},
        {"proof": "ab"},
        {"version": "1\n2"},
        {"version": "1" * 101},
        {"table": "two\nlines"},
        {"table": "x" * 101},
    ],
)
def test_an_enrolment_as_no_table_sends_it_is_refused(server: Served, fields: dict[str, str]) -> None:
    plain = {"device": "a" * 32, "table": "t", "nonce": "b" * 32, "proof": "c" * 64, "version": "1"} | fields
    connection = Connection(server.address, server.fingerprint)
    with pytest.raises(ServerRefused) as told:
        connection.ask("POST", wire.ENROL, wire.to_json(wire.EnrolRequest(**plain, replaces=False)))  # type: ignore[arg-type]
    assert told.value.status == 400


@pytest.mark.parametrize("wanted", [{"uses": 0}, {"uses": 2000}, {"days": 30}, {"days": -1}, {"uses": 2, "table": "1"}, {"table": "a\nb"}])
def test_a_code_that_cannot_be_is_not_made(server: Served, wanted: dict[str, object]) -> None:
    with pytest.raises(WrongUse):
        code(server, **wanted)


def test_there_is_no_code_for_replacing_a_table_that_is_not_there(server: Served) -> None:
    with pytest.raises(KioskError, match="no table is called 'nowhere'"):
        code(server, replaces="nowhere")


def test_a_code_is_shown_in_groups_of_four_and_is_kept_nowhere(server: Served) -> None:
    made = code(server, table="kept nowhere")
    assert len(shown(made).split("-")) == 2
    with server.house.store.read() as connection:
        assert made not in str(connection.execute(select(codes)).all())
        assert connection.execute(select(func.count()).select_from(audit).where(audit.c.what.contains(made))).scalar() == 0


def test_a_table_is_renamed_by_an_order_and_a_taken_name_is_refused(server: Served) -> None:
    ident, enrolled = server.joined(code(server), "before")
    server.joined(code(server), "taken")
    devices.rename(server.house, COMMAND_LINE, ident, "after")
    lines = server.connection(ident, enrolled).stream(f"{wire.STREAM}?after=0")
    assert wire.line_from_json(next(lines)).table == "after"  # type: ignore[union-attr]
    assert wire.line_from_json(next(lines)) == wire.Order(1, wire.RenameTable("after"))
    with pytest.raises(KioskError, match="There is a table taken already"):
        devices.rename(server.house, COMMAND_LINE, ident, "taken")
