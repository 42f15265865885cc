"""What is uncertain when a running match is taken over: as long as its last entry is old, where two set dates can tell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kiosk.app.spare import age, fetch_running
from kiosk.books import Library
from kiosk.domain.setup import Options, resolve
from kiosk.domain.types import NS_PER_S, Instant, Pair
from kiosk.journal import MemoryJournal
from kiosk.ports import Row
from kiosk.session import NotAdjourned, Session
from kiosk.session import commands as c


def rows() -> tuple[Row, ...]:
    session = Session(journal := MemoryJournal())
    made = resolve(Library().load("ibgf"), Options(length=3, players=Pair(("Ana",), ("Boris",))))
    session.command(c.OpenMatch("m1", made), Instant(5))
    return tuple(replace(row, wall_ns=100 * NS_PER_S, wall_trusted=True) for row in journal.rows())


class Server:
    def __init__(self, *found: Row) -> None:
        self.found = found

    def running(self) -> tuple[str, tuple[Row, ...]]:
        return "12", self.found


@pytest.mark.parametrize(
    ("now_s", "here", "there", "wanted_s"),
    [(142, True, True, 42), (142, False, True, None), (142, True, False, None), (99, True, True, None)],
)
def test_two_set_dates_tell(now_s: int, wanted_s: int | None, *, here: bool, there: bool) -> None:
    last = replace(rows()[-1], wall_trusted=there)
    assert age(last, (now_s * NS_PER_S, here)) == (None if wanted_s is None else wanted_s * NS_PER_S)


def test_what_the_server_has_is_looked_over() -> None:
    match, doubt = fetch_running(Server(*rows()), lambda: (142 * NS_PER_S, True))  # type: ignore[arg-type]
    assert (match.match, match.table, doubt) == ("m1", "12", 42 * NS_PER_S)
    with pytest.raises(NotAdjourned):
        fetch_running(Server(replace(rows()[0], mono_ns=9)), lambda: (0, True))  # type: ignore[arg-type]
