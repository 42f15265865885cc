"""Codes and proofs, and the enrolment over real sockets: with a real server, with somebody in between, with somebody who pretends."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import replace

import pytest

from kiosk.domain.errors import PeerError
from kiosk.server.enrolment import make_code
from kiosk.sync import enrol as enrolment
from kiosk.sync import proof, wire
from kiosk.sync.enrol import Applicant, enrol, hello
from kiosk.sync.transport import Address, AddressError, ServerRefused
from tests.server.served import Served, served
from tests.sync.hosts import Certificate, host, request, response

NONCE = "9" * 32
APPLICANT = Applicant("d" * 32, "12", "1.0")


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("7KQ2-M4XD", "7KQ2M4XD"),
        (" 7kq2 m4xd\t", "7KQ2M4XD"),
        ("ILOU0000", "110V0000"),
        ("7KQ2–M4XD", "7KQ2M4XD"),  # a dash as some keyboards make it
        ("7KQ2-M4XD-7KQ2-M4XD", "7KQ2M4XD7KQ2M4XD"),
        ("7KQ2-M4X", None),
        ("", None),
        ("7KQ2-M4XÄ", None),
        ("7KQ2-M4X!", None),
    ],
)
def test_a_code_is_read_as_people_type_it(typed: str, code: str | None) -> None:
    assert proof.read_code(typed) == code


def test_a_code_is_shown_in_groups_of_four() -> None:
    assert proof.shown("7KQ2M4XD") == "7KQ2-M4XD"
    assert proof.read_code(proof.shown("7KQ2M4XD7KQ2M4XD")) == "7KQ2M4XD7KQ2M4XD"


def test_a_proof_covers_everything_that_was_said() -> None:
    key = proof.code_key("7KQ2M4XD", "server")
    assert key == proof.code_key("7KQ2M4XD", "server")
    assert key != proof.code_key("7KQ2M4XD", "other")
    said = [key, "table", "f", "d", "t", "n"]
    proofs = {proof.proof(*said)}  # type: ignore[arg-type] # the key first, texts behind it
    for place in range(1, 6):
        proofs.add(proof.proof(*said[:place], "x", *said[place + 1 :]))  # type: ignore[arg-type]
    assert len(proofs) == 6


# ── Over real sockets ────────────────────────────────────────────────────────
@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("server") / "event") as made:
        yield made


def test_a_table_and_its_server_prove_themselves(server: Served) -> None:
    code = make_code(server.house, "a test").code
    found = enrol(server.address, code, APPLICANT, NONCE)
    assert found.fingerprint == server.fingerprint
    assert (found.answer.table, found.answer.server, found.answer.name) == ("12", server.house.keys.server_id, "Open Skopje")
    assert hello(server.address).server == server.house.keys.server_id


def test_a_wrong_code_is_refused_with_a_sentence(server: Served) -> None:
    make_code(server.house, "a test")
    with pytest.raises(ServerRefused, match="code does not fit") as caught:
        enrol(server.address, "0" * 8, replace(APPLICANT, device="e" * 32), NONCE)
    assert caught.value.status == 403


def test_without_tls_nobody_joins() -> None:
    with pytest.raises(AddressError, match="TLS"):
        enrol(Address("127.0.0.1", 1, plain=True), "0" * 8, APPLICANT, NONCE)


def test_somebody_in_between_can_pass_for_neither(server: Served, other_certificate: Certificate) -> None:
    code = make_code(server.house, "a test", table="77").code

    def between(sock: socket.socket) -> None:
        """Everything is passed on to the real server, over another certificate."""
        import http.client
        import ssl

        while data := request(sock):
            head, _, body = data.partition(b"\r\n\r\n")
            method, path, _version = head.split(b"\r\n")[0].decode().split(" ")
            far = http.client.HTTPSConnection("127.0.0.1", server.address.port, context=ssl._create_unverified_context())  # noqa: S323
            far.request(method, path, body, {"Content-Type": "application/json"})
            answer = far.getresponse()
            sock.sendall(response(answer.read(), f"{answer.status} x"))
            far.close()

    with host(between, other_certificate) as attacker, pytest.raises(ServerRefused, match="somebody stands between"):
        enrol(Address("127.0.0.1", attacker.port), code, replace(APPLICANT, device="f" * 32, table=""), NONCE)


@pytest.mark.parametrize("wrong", ["proof", "server"])
def test_somebody_who_pretends_is_not_trusted(certificate: Certificate, wrong: str) -> None:
    def pretends(sock: socket.socket) -> None:
        request(sock)
        sock.sendall(response(wire.to_json(wire.Hello(1, "5" * 32, "Open", "a" * 64))))
        request(sock)
        key = proof.code_key("0" * 8, "5" * 32)
        true = proof.proof(key, "server", certificate.fingerprint, "d" * 32, "12", NONCE)
        answer = wire.EnrolAnswer(true, "b" * 64, "12", "5" * 32, "Open", "a" * 64, "")
        changed = replace(answer, proof="0" * 64) if wrong == "proof" else replace(answer, server="6" * 32)
        sock.sendall(response(wire.to_json(changed)))

    with host(pretends, certificate) as there, pytest.raises(PeerError, match="Nothing is trusted"):
        enrol(Address("127.0.0.1", there.port), "0" * 8, APPLICANT, NONCE)


def test_a_newer_protocol_is_said(certificate: Certificate) -> None:
    def newer(sock: socket.socket) -> None:
        request(sock)
        sock.sendall(response(wire.to_json(wire.Hello(2, "5" * 32, "Open", "a" * 64))))

    with host(newer, certificate) as there, pytest.raises(PeerError, match="newer protocol"):
        hello(Address("127.0.0.1", there.port))


def test_the_server_has_time_to_stretch_codes() -> None:
    assert enrolment.ENROL_S > 10
