"""Every path of the tables' API, as its own description says it is asked, and otherwise, with whatever a machine thinks of."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode

from kiosk.server import attempts
from kiosk.server.audit import COMMAND_LINE
from kiosk.server.enrolment import make_code
from kiosk.sync import wire
from tests.server.devices import plain_rows
from tests.server.served import Served, served

pytestmark = pytest.mark.no_cover  # thousands of requests; what each leads to is measured elsewhere

few = settings(
    max_examples=40,
    derandomize=True,
    database=None,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
"""The same requests at every run."""

PATHS = [("GET", wire.HELLO), ("POST", wire.ENROL), ("POST", wire.SYNC), ("GET", wire.ROSTER), ("GET", wire.RULINGS), ("GET", wire.RUNNING)]
CAN_BE_WRONG = [("POST", wire.ENROL), ("POST", wire.SYNC), ("GET", wire.RULINGS), ("GET", wire.STREAM)]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    limit = attempts.ENROL_ADDRESS
    attempts.ENROL_ADDRESS = attempts.Limit("enrol address", 10**6)
    with served(tmp_path_factory.mktemp("server")) as made:
        yield made
    attempts.ENROL_ADDRESS = limit


@pytest.fixture(scope="module")
def bearer(server: Served) -> dict[str, str]:
    ident, enrolled = server.joined(make_code(server.house, COMMAND_LINE, table="1").code)
    return {"Authorization": f"Bearer {ident}.{enrolled.answer.secret}"}


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    with requests.Session() as made:
        made.verify = made.trust_env = False
        yield made


@pytest.fixture(scope="module")
def description(server: Served) -> Any:
    return schemathesis.openapi.from_dict(server.app.openapi())


def check(answer: requests.Response) -> None:
    """An answer, or a refusal in one sentence."""
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        told = answer.json()
        assert set(told) == {"error"}
        assert told["error"].strip()


def test_the_description_names_every_path_of_the_wire(description: Any) -> None:
    named = {(operation.ok().method.upper(), operation.ok().path) for operation in description.get_all_operations()}
    assert named >= {*PATHS, ("GET", wire.STREAM)}


@pytest.mark.filterwarnings("ignore::urllib3.exceptions.InsecureRequestWarning")
@pytest.mark.parametrize("who", ["device", "stranger"])
@pytest.mark.parametrize(
    ("method", "path", "mode"),
    [(*each, GenerationMode.POSITIVE) for each in PATHS] + [(*each, GenerationMode.NEGATIVE) for each in CAN_BE_WRONG],
)
def test_whatever_is_asked_is_answered_or_refused(
    server: Served, session: requests.Session, bearer: dict[str, str], description: Any, method: str, path: str, mode: GenerationMode,
    who: str, caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    @few
    @given(description[path][method].as_strategy(generation_mode=mode))
    def ask(case: schemathesis.Case) -> None:
        words = case.as_transport_kwargs(base_url=server.url)
        words["headers"] = {**words.get("headers", {}), **(bearer if who == "device" else {})}
        with session.request(**words, stream=True, timeout=60) as answer:
            if not (path == wire.STREAM and answer.ok):
                check(answer)

    with caplog.at_level(logging.ERROR):
        ask()
    assert not caplog.records


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.sampled_from([-1, 2**63, 2**64, -(2**63) - 1, 10**400]),
    st.floats(),
    st.text(max_size=30),
    st.sampled_from(["\x00", "\ud800", "x" * 300_000, "0" * 64, "[" * 5000]),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=3),
)


def places(plain: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a JSON value."""
    yield path
    inside = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    for key, each in inside:
        yield from places(each, (*path, key))


def put(plain: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    copy = dict(plain) if isinstance(plain, dict) else list(plain)
    copy[path[0]] = put(plain[path[0]], path[1:], value)
    return copy


def a_batch() -> Any:
    rows = plain_rows(3)
    answer = wire.OrderAnswer(1, done=True, code="", sentence="", read=True)
    moment = wire.Moment("boot", 1, 1, wall_trusted=True)
    return json.loads(wire.batch_to_json(wire.Batch(rows[0].hash, 0, "0" * 64, tuple(rows), (answer,), moment, 0)))


@pytest.mark.filterwarnings("ignore::urllib3.exceptions.InsecureRequestWarning")
def test_a_batch_with_one_thing_wrong_is_taken_or_refused(
    server: Served, session: requests.Session, bearer: dict[str, str], caplog: pytest.LogCaptureFixture
) -> None:
    whole = a_batch()

    @settings(few, max_examples=120)
    @given(st.sampled_from(list(places(whole))), VALUES)
    def ask(place: tuple[Any, ...], value: Any) -> None:
        body = json.dumps(put(whole, place, value)).encode()
        check(session.post(f"{server.url}{wire.SYNC}", data=body, headers=bearer, timeout=60))

    with caplog.at_level(logging.ERROR):
        ask()
    assert not caplog.records
    check(answer := session.post(f"{server.url}{wire.SYNC}", data=json.dumps(whole), headers=bearer, timeout=60))
    assert answer.json()["receipt"]["seq"] == 3


@pytest.mark.filterwarnings("ignore::urllib3.exceptions.InsecureRequestWarning")
@pytest.mark.parametrize("body", [b"", b"\xff", b"{", b"[]", b"null", b"NaN", b"[" * 100_000, b'{"a":1}', b"9" * 5000, b'"\\ud800"'])
@pytest.mark.parametrize("path", [wire.ENROL, wire.SYNC])
def test_what_is_no_message_is_refused(server: Served, session: requests.Session, bearer: dict[str, str], path: str, body: bytes) -> None:
    answer = session.post(f"{server.url}{path}", data=body, headers=bearer, timeout=60)
    check(answer)
    assert answer.status_code in {400, 413}


@pytest.mark.filterwarnings("ignore::urllib3.exceptions.InsecureRequestWarning")
@pytest.mark.parametrize("query", ["", "?player=", "?player=" + "x" * 200, "?player=a" + "&player=b" * 5, "?player=%00", "?player=%ff"])
def test_rulings_are_told_of_players_only(server: Served, session: requests.Session, bearer: dict[str, str], query: str) -> None:
    check(session.get(f"{server.url}{wire.RULINGS}{query}", headers=bearer, timeout=60))
