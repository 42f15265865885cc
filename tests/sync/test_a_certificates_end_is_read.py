from __future__ import annotations

from datetime import UTC, datetime

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from kiosk.sync.certificate import ends

BEGINS = datetime(2020, 1, 1, tzinfo=UTC)


def certificate(last: datetime) -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tableside, a name long enough for two bytes of length ")])
    builder = x509.CertificateBuilder(name, name, key.public_key(), 4711, BEGINS, last)
    return builder.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.DER)


@pytest.mark.parametrize("last", [datetime(2027, 3, 1, 12, 30, 5, tzinfo=UTC), datetime(2051, 7, 2, tzinfo=UTC)])
def test_the_last_instant_is_read_in_both_ways_of_writing_it(last: datetime) -> None:
    assert ends(certificate(last)) == last


def test_a_year_of_the_last_century_is_one() -> None:
    whole = certificate(datetime(2027, 3, 1, tzinfo=UTC))
    assert ends(whole.replace(b"270301000000Z", b"990301000000Z")) == datetime(1999, 3, 1, tzinfo=UTC)


def test_what_is_no_certificate_has_no_end() -> None:
    whole = certificate(datetime(2027, 3, 1, tzinfo=UTC))
    broken = [b"", b"\x30", whole[:60], bytes(200), b"\x30\x82\xff\xff" + whole[4:], whole.replace(b"270301000000Z", b"27030100000xZ")]
    assert [ends(each) for each in broken] == [None] * len(broken)


def test_fields_in_another_order_are_no_certificate() -> None:
    body = bytes.fromhex("30 0d 30 0b 02 01 01 02 01 01 30 00 30 00 00".replace(" ", ""))
    assert ends(body) is None


def test_a_time_of_another_kind_is_no_end() -> None:
    whole = certificate(datetime(2027, 3, 1, tzinfo=UTC))
    at = whole.index(b"270301000000Z") - 2
    assert ends(whole[:at] + b"\x0c" + whole[at + 1 :]) is None


def test_a_certificate_without_a_version_is_read() -> None:
    validity = b"\x30\x1e\x17\x0d200101000000Z\x17\x0d270301000000Z"
    body = b"\x02\x01\x01\x30\x00\x30\x00" + validity
    inner = b"\x30" + bytes([len(body)]) + body
    assert ends(b"\x30" + bytes([len(inner)]) + inner) == datetime(2027, 3, 1, tzinfo=UTC)
