from __future__ import annotations

import ipaddress
import logging
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kiosk.server import addresses, announce, keys
from kiosk.server.settings import Settings

SERVER = "ab" * 16


class Network:
    """A local network without one."""

    fails: Exception | None = None
    told: list[Any]

    def __init__(self) -> None:
        self.closed = False

    def register_service(self, info: Any, *, allow_name_change: bool) -> None:
        assert allow_name_change
        if Network.fails is not None:
            raise Network.fails
        Network.told.append(info)

    def close(self) -> None:
        Network.told.append("closed")


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> type[Network]:
    import zeroconf

    Network.fails, Network.told = None, []
    monkeypatch.setattr(zeroconf, "Zeroconf", Network)
    monkeypatch.setattr(keys, "addresses", lambda: ["10.0.0.5", "2001:db8::5"])
    return Network


def test_it_says_who_it_is_and_where_and_takes_its_leave(network: type[Network]) -> None:
    with announce.announced(SERVER, "Отворено првенство на Скопје. 2026 " * 5, 8443):
        (info,) = network.told
    assert network.told[-1] == "closed"
    assert info.type == announce.KIND
    assert info.port == 8443
    assert len(info.name.removesuffix(f".{announce.KIND}").encode()) <= announce.LONGEST_LABEL
    assert info.properties[b"server"] == SERVER.encode()
    assert info.properties[b"name"].decode().startswith("Отворено")
    assert sorted(map(str, info.ip_addresses_by_version(SimpleNamespace(value=3)) or [])) or info.addresses == [  # type: ignore[arg-type]
        ipaddress.ip_address("10.0.0.5").packed
    ]


@pytest.mark.parametrize("error", [OSError("no multicast"), RuntimeError("name taken")])
def test_a_network_that_will_not_hear_of_it_is_said_and_all_else_goes_on(
    error: Exception, network: type[Network], caplog: pytest.LogCaptureFixture
) -> None:
    network.fails = error
    with caplog.at_level(logging.WARNING), announce.announced(SERVER, "Open", 8443):
        pass
    assert caplog.messages == [f"The server is not announced on the local network: {error}."]


def test_without_the_library_it_is_said_that_tables_take_an_address(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    with caplog.at_level(logging.WARNING), announce.announced(SERVER, "Open", 8443):
        pass
    assert "zeroconf is missing" in caplog.text


@pytest.mark.parametrize(
    ("settings", "reached", "board"),
    [
        ({}, "10.0.0.5:8443", "https://10.0.0.5:8443/"),
        ({"host": "127.0.0.1", "port": 80, "plain": True}, "127.0.0.1:80", "http://127.0.0.1:80/"),
        ({"host": "2001:db8::5"}, "[2001:db8::5]:8443", "https://[2001:db8::5]:8443/"),
        ({"address": "https://board.example.org"}, "board.example.org:443", "https://board.example.org/"),
        ({"address": "https://board.example.org:9000/"}, "board.example.org:9000", "https://board.example.org:9000/"),
    ],
)
def test_where_it_is_is_told_as_people_and_tables_need_it(
    settings: dict[str, Any], reached: str, board: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "addresses", lambda: ["10.0.0.5"])
    made = Settings(Path("/nowhere"), **settings)
    assert (addresses.reached(made), addresses.board(made)) == (reached, board)


def test_a_machine_without_a_network_is_reached_at_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "addresses", list)
    assert addresses.reached(Settings(Path("/nowhere"))) == "127.0.0.1:8443"


def test_the_certificate_is_for_every_name_of_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from cryptography import x509

    monkeypatch.setattr("socket.gethostname", lambda: "laptop.club.example")
    keys.make_certificate(tmp_path, keys.own_names())
    certificate = x509.load_pem_x509_certificate((tmp_path / keys.TLS_CERTIFICATE).read_bytes())
    names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {"laptop.club.example", "laptop.local", "localhost"} <= set(names.get_values_for_type(x509.DNSName))
    assert ipaddress.ip_address("127.0.0.1") in names.get_values_for_type(x509.IPAddress)
    assert certificate.not_valid_after_utc - certificate.not_valid_before_utc == keys.GOOD_FOR


def test_a_host_name_that_no_certificate_can_have_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "bad..name")
    assert "localhost" in keys.own_names()
    monkeypatch.setitem(sys.modules, "ifaddr", None)
    assert keys.addresses() == []


def test_behind_a_reverse_proxy_tables_are_proved_the_certificate_that_they_see(tmp_path: Path) -> None:
    (tmp_path / "proxy").mkdir()
    keys.make_certificate(tmp_path / "proxy", ["board.example.org"])
    own = keys.make(tmp_path, ["localhost"])
    seen = keys.Keys.load(tmp_path, tmp_path / "proxy" / keys.TLS_CERTIFICATE)
    assert seen.fingerprint == keys.fingerprint_of(tmp_path / "proxy" / keys.TLS_CERTIFICATE)
    assert seen.fingerprint != own.fingerprint
    assert (seen.server_id, seen.public_hex) == (own.server_id, own.public_hex)
