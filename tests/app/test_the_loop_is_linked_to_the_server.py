"""The link as the loop turns it and the screen reads it, on a real server: joining, leaving, orders, officials, a spare device."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import pytest
from sqlalchemy import select

from kiosk.app import hall_roster, joining, kept, link, membership, offers
from kiosk.app.config import Config
from kiosk.app.hall import Ears, Hall
from kiosk.app.hall_roster import JoinedRoster
from kiosk.app.joining import Join, NothingToTakeOver
from kiosk.app.roster import FileRoster
from kiosk.app.spare import fetch_running
from kiosk.app.system import WallClock
from kiosk.books import Library
from kiosk.domain.errors import RosterUnavailable
from kiosk.domain.officials import Official, Role
from kiosk.domain.setup import Options, resolve
from kiosk.domain.types import NS_PER_S, Instant, Pair, Side
from kiosk.journal import MemoryJournal
from kiosk.server import devices, people
from kiosk.server.enrolment import make_code
from kiosk.server.schema import match as matches
from kiosk.server.schema import orders as order_table
from kiosk.session import Session
from kiosk.session import commands as c
from kiosk.sync import discovery, wire
from kiosk.sync.discovery import DiscoveryUnavailable
from tests.server.served import Served, served
from tests.sync.test_a_real_network_fails import answers, give, stored


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("server") / "event") as made:
        yield made


class Table:
    """A table without a window, turned by hand; a second of the loop passes with each turn."""

    def __init__(self, folder: Path, journal: MemoryJournal | None = None) -> None:
        self.folder = folder
        self.woken = threading.Event()
        self.journal = journal or MemoryJournal(boot="boot")
        ears = Ears()
        self.session = Session(self.journal, [ears.hear])
        config = Config(folder=folder, data=folder, table="own")
        self.hall = Hall(config, self.session, self.journal, Library(), wall=WallClock(), now=time.monotonic_ns(), wake=self.woken.set)
        ears.on_fact = self.hall.hear
        self.names: list[str] = []
        self.hall.on_named = self.names.append
        self.extra = 0

    def turn(self) -> None:
        self.extra += NS_PER_S
        self.hall.link.turn(time.monotonic_ns() + self.extra)

    def until(self, what: Callable[[], bool], seconds: float = 60) -> None:
        limit = time.monotonic() + seconds
        while not what():
            assert time.monotonic() < limit, self.hall.link.state()
            self.turn()
            self.woken.wait(0.03)
            self.woken.clear()

    @property
    def device(self) -> str:
        joined = membership.load(self.folder)
        assert joined is not None
        return joined.device

    def open(self, match: str = "m1") -> None:
        setup = resolve(Library().load("ibgf"), Options(length=3, players=Pair(("Ana",), ("Boris", "Vesna"))))
        self.session.command(c.OpenMatch(match, setup), Instant(time.monotonic_ns()))


@contextmanager
def table(folder: Path, journal: MemoryJournal | None = None) -> Iterator[Table]:
    made = Table(folder, journal)
    try:
        yield made
    finally:
        made.hall.close()


@contextmanager
def joined(server: Served, folder: Path, name: str) -> Iterator[Table]:
    joining.join(folder, server.url, make_code(server.house, "a test", table=name).code)
    with table(folder) as made:
        made.until(lambda: made.hall.link.state().connected)
        yield made


def test_a_table_that_has_joined_nobody_says_so_and_starts_nothing(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    with table(tmp_path) as one:
        one.turn()
        one.turn()
        state = one.hall.link.state()
        assert (state.joined, state.connected, state.trouble) == (False, False, "")
        assert one.hall.link.earlier("m") is None
        one.hall.link.message_read(1)
        one.hall.link.fetch_roster()
        one.hall.link.rename("x")
        assert set(threading.enumerate()) <= before, "whose end nobody waited for may go meanwhile; none has come"


def test_joining_and_leaving_count_while_the_table_runs(server: Served, tmp_path: Path) -> None:
    with table(tmp_path) as one:
        one.turn()
        one.open()
        Join(tmp_path, "own").join(server.url, make_code(server.house, "a test", table="1").code, replaces=False)
        one.until(lambda: one.hall.link.state().connected and one.hall.link.state().unsynced == 0)
        state = one.hall.link.state()
        assert (state.joined, state.event, state.table, state.address, state.trouble) == (True, "Open Skopje", "1", server.url, "")
        assert one.names == ["1"]
        assert stored(server, one.device) == list(one.journal.rows())
        Join(tmp_path, "own").leave()
        one.until(lambda: one.names == ["1", "own"])
        assert not one.hall.link.state().joined


def test_a_restart_goes_on_from_the_kept_receipt(server: Served, tmp_path: Path) -> None:
    with joined(server, tmp_path, "2") as one:
        one.open()
        one.until(lambda: one.hall.link.state().unsynced == 0 and bool(one.journal.state().accepted))
        device, journal = one.device, one.journal
    kept = membership.receipts(tmp_path)
    assert [each.device for each in kept] == [device]
    with table(tmp_path, journal.survivor()) as again:
        again.until(lambda: again.hall.link.state().joined)
        assert again.hall.link.state().unsynced == 0  # known before anything was asked
        again.until(lambda: again.hall.link.state().connected)


def test_a_journal_that_was_cut_off_is_told_at_the_start(server: Served, tmp_path: Path) -> None:
    with joined(server, tmp_path, "3") as one:
        one.open()
        one.until(lambda: one.hall.link.state().unsynced == 0 and bool(one.journal.state().accepted))
        rows = list(one.journal.rows())
        one.session.command(c.Check(next(iter(_items())), done=True), Instant(time.monotonic_ns()))
        one.until(lambda: len(stored(server, one.device)) > len(rows) and one.hall.link.state().unsynced == 0)
    with table(tmp_path, MemoryJournal(boot="boot", rows=rows)) as again:
        again.until(lambda: "lacks" in again.hall.link.state().trouble)


def _items() -> Any:
    from kiosk.domain.facts import CheckItem

    return CheckItem


def test_a_damaged_file_is_told_and_the_table_plays_on(tmp_path: Path) -> None:
    with table(tmp_path) as one:
        one.turn()
        (tmp_path / membership.SERVER).write_text("{", encoding="utf-8")
        one.until(lambda: "is damaged" in one.hall.link.state().trouble)
        (tmp_path / membership.SERVER).unlink()
        one.until(lambda: one.hall.link.state().trouble == "")


def test_damaged_receipts_and_orders_are_no_hindrance(server: Served, tmp_path: Path) -> None:
    for name in (membership.RECEIPTS, membership.ORDERS):
        (tmp_path / name).write_text("{", encoding="utf-8")
    with joined(server, tmp_path, "4") as one:
        one.open()
        one.until(lambda: one.hall.link.state().unsynced == 0 and bool(one.journal.state().accepted))
    joined_there = membership.load(tmp_path)
    assert joined_there is not None
    (tmp_path / membership.ORDERS).write_text(f'{{"server": "{joined_there.server}", "orders": 5}}', encoding="utf-8")
    with table(tmp_path, one.journal) as again:
        again.until(lambda: again.hall.link.state().connected)


def test_orders_are_obeyed_and_answered(server: Served, tmp_path: Path) -> None:
    with joined(server, tmp_path, "5") as one:
        give(server, one.device, assigned("m9"))
        message = give(server, one.device, wire.ShowMessage("Eva", "Coffee"))
        give(server, one.device, wire.RenameTable("55"))
        give(server, one.device, wire.FetchRoster("v"))
        one.until(lambda: [done for _n, done in answers(server, one.device)] == [True] * 4)
        assert [offer.match for offer in one.hall.offers.all("55")] == ["m9"]
        one.session.command(c.ReadMessage(message), Instant(time.monotonic_ns()))
        one.until(lambda: one.hall.link.state().unsynced == 0)
        one.until(lambda: one.hall.link.state().table == "55" and "55" in one.names)
        one.until(lambda: (membership.load(tmp_path) or Any).table == "55")
        one.until(lambda: one.hall.link.state().connected)  # the file that it wrote itself starts nothing anew
        one.open("m9")
        assert one.hall.offers.all("55") == ()


def test_a_message_of_a_server_that_was_left_is_no_order_of_the_next_one(server: Served, tmp_path: Path) -> None:
    with joined(server, tmp_path, "5m") as one:
        for n, text in ((1, "Of the first server"), (2, "Of it too")):  # it had joined another server before
            one.session.command(c.ShowMessage(n, "Eva", text), Instant(time.monotonic_ns()))
        give(server, one.device, wire.LiftPause("Eva"))
        message = give(server, one.device, wire.ShowMessage("Eva", "Coffee"))
        one.until(lambda: len(answers(server, one.device)) == 2 and all(done for _n, done in answers(server, one.device)))
        shown = {each.text: each.n for each in one.session.table.hall.messages}
        assert shown == {"Of the first server": 1, "Of it too": 2, "Coffee": 3}  # its own number was another's
        for text in ("Of the first server", "Of it too"):
            one.session.command(c.ReadMessage(shown[text]), Instant(time.monotonic_ns()))
        assert read(server, one.device) == {1: True, message: False}
        one.session.command(c.ReadMessage(shown["Coffee"]), Instant(time.monotonic_ns()))
        one.until(lambda: read(server, one.device) == {1: True, message: True})


def read(server: Served, device: str) -> dict[int, bool]:
    with server.house.store.read() as connection:
        found = connection.execute(select(order_table.c.n, order_table.c.answer).where(order_table.c.device == device))
        return {n: bool(answer) and json.loads(answer)["read"] for n, answer in found}


def test_where_people_find_the_board_is_told_to_the_table(server: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.house, "settings", replace(server.house.settings, address="https://hall.example/"))
    with joined(server, tmp_path, "5b") as one:
        assert one.hall.link.state().address == "https://hall.example"


@pytest.mark.parametrize("told", ["", "javascript:alert(1)", "https://a b", "https://" + "x" * 200, "https://ä"])
def test_what_can_be_no_boards_address_is_not_shown(told: str) -> None:
    assert link._board(told) == ""


def test_what_was_accepted_last_goes_to_the_server_when_the_table_is_left(server: Served, tmp_path: Path) -> None:
    with joined(server, tmp_path, "5e") as one:
        one.open()
        device, journal = one.device, one.journal
    assert len(stored(server, device)) == journal.state().accepted > 0


def test_earlier_rulings_come_when_they_are_asked_for(server: Served, tmp_path: Path) -> None:
    with joined(server, tmp_path, "6") as one:
        assert one.hall.link.earlier("m1") is None  # no such match here
        one.open()
        one.until(lambda: one.hall.link.earlier("m1") == ())
        assert one.hall._players("m1") == ("Ana", "Boris", "Vesna")


def test_the_events_officials_sign_in_beside_the_tables_own(server: Served, tmp_path: Path) -> None:
    people.add(server.house, "a test", Official("Eva Novak", Role.CHIEF), pin="582941")
    own = FileRoster(tmp_path / "officials.json")
    roster = JoinedRoster(own, tmp_path)
    assert roster.wants_first()
    roster.add(Official("Luka", Role.REFEREE), "73915")
    assert roster.find("582941") is None
    with joined(server, tmp_path, "7") as one:
        one.until(lambda: hall_roster.version(tmp_path) != "")
    found = roster.find("582941")
    assert found is not None
    assert (found.name, found.role) == ("Eva Novak", Role.CHIEF)
    assert roster.find("73915") == Official("Luka", Role.REFEREE)
    assert roster.find("1357") is None
    assert [official.name for official in roster.officials()] == ["Eva Novak", "Luka"]
    assert not roster.wants_first()
    assert roster.fault() is None
    # The table's own file is lost: the event's officials still get in; and the other way round.
    own.path.write_text("{", encoding="utf-8")
    alone = JoinedRoster(FileRoster(own.path), tmp_path)
    assert alone.find("582941") == found
    assert alone.officials() == (found,)
    assert alone.fault() is not None
    (tmp_path / membership.HALL).write_text("{", encoding="utf-8")
    with pytest.raises(RosterUnavailable):
        JoinedRoster(FileRoster(own.path), tmp_path).officials()


def test_a_spare_device_fetches_the_running_match(server: Served, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    with joined(server, first, "8") as one:
        one.open("m88")
        one.session.press(Side.LEFT, Instant(time.monotonic_ns()))
        one.until(lambda: one.hall.link.state().unsynced == 0)
        rows = list(one.journal.rows())
        one.until(lambda: known(server, "m88"))
    spare = Join(second, "own")
    with pytest.raises(NothingToTakeOver, match="belongs to no server"):
        spare.running()

    taken = spare.join(server.url, make_code(server.house, "a test", replaces="8").code, replaces=True)
    assert taken.takes_over == "m88"
    name, found = spare.running()
    assert name == "8"
    assert list(found) == rows
    third = Join(tmp_path / "third", "own")
    third.join(server.url, make_code(server.house, "a test", table="9").code, replaces=False)
    with pytest.raises(NothingToTakeOver, match="No match waits"):
        third.running()


def test_a_match_that_waits_is_offered_at_every_start_until_it_is_on_the_table(server: Served, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    with joined(server, first, "10") as one:
        one.open("m90")
        one.session.press(Side.LEFT, Instant(time.monotonic_ns()))
        one.until(lambda: known(server, "m90"))
    Join(second, "own").join(server.url, make_code(server.house, "a test", replaces="10").code, replaces=False)
    for _start in range(2):
        with table(second) as spare:
            spare.until(lambda: spare.hall.link.state().takes_over == "m90")
    with table(second) as spare:
        spare.until(lambda: spare.hall.link.state().takes_over == "m90")
        spare.session.command(c.SignIn(Official("Vera", Role.REFEREE)), Instant(time.monotonic_ns()))
        match, uncertain = fetch_running(Join(second, "own"), lambda: (0, False))
        spare.session.take_over(match, uncertain, Instant(time.monotonic_ns()))
        assert spare.hall.link.state().takes_over == ""
        spare.until(lambda: (membership.load(second) or Any).takes_over == "")


def test_a_device_whose_match_goes_on_elsewhere_stops_its_clock_once_and_says_so(server: Served, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    with joined(server, first, "11") as one:
        one.open("m91")
        one.session.press(Side.LEFT, Instant(time.monotonic_ns()))
        one.until(lambda: known(server, "m91"))
        Join(second, "own").join(server.url, make_code(server.house, "a test", replaces="11").code, replaces=False)
        one.until(lambda: one.session.table.hall.pause is not None)
        pause, clock = one.session.table.hall.pause, one.session.table.clock
        assert pause is not None
        assert clock is not None
        assert "goes on at another device" in pause.why
        assert not pause.by
        assert not clock.running
        assert "goes on at another device" in one.hall.link.state().trouble
        waiting = one.hall.link.state().unsynced
        one.session.command(c.SignIn(Official("Vera", Role.REFEREE)), Instant(time.monotonic_ns()))
        one.session.command(c.LiftPause(None), Instant(time.monotonic_ns()))  # an official decides that it goes on here
        one.session.command(c.Resume(), Instant(time.monotonic_ns()))
        for _turn in range(5):
            one.turn()
        assert one.session.table.hall.pause is None
        assert one.hall.link.state().unsynced > waiting
    with table(first, one.journal) as again:  # it is told at the next start too
        again.until(lambda: "goes on at another device" in again.hall.link.state().trouble)


def test_a_device_that_was_taken_out_says_so_and_plays_on(server: Served, tmp_path: Path) -> None:
    with joined(server, tmp_path, "12") as one:
        one.open("m92")
        one.session.press(Side.LEFT, Instant(time.monotonic_ns()))
        one.until(lambda: known(server, "m92"))
        devices.revoke(server.house, "a test", one.device)
        one.until(lambda: "taken this device out" in one.hall.link.state().trouble)
        one.turn()
        assert one.session.table.hall.pause is None


def known(server: Served, match: str) -> bool:
    """Whether the server has worked out that it runs, which comes a moment after it has the facts."""
    with server.house.store.read() as connection:
        return connection.execute(select(matches.c.phase).where(matches.c.id == match)).scalar() == "playing"


# ── Finding ──────────────────────────────────────────────────────────────────
class FakeInfo:
    def __init__(self, name: str, told: bytes | None) -> None:
        self.name, self.port, self.properties = name, 8443, {b"name": told}

    def parsed_scoped_addresses(self) -> list[str]:
        return ["10.0.0.5", "10.0.0.6"]


class FakeNetwork:
    """What the library for finding services does, as far as it is asked."""

    fault: OSError | None = None
    infos: dict[str, FakeInfo | None] = {}  # noqa: RUF012 - each test sets its own

    def __init__(self, **_more: object) -> None:
        if self.fault is not None:
            raise self.fault

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        pass

    def get_service_info(self, _kind: str, name: str, _timeout: int) -> FakeInfo | None:
        return self.infos[name]


class FakeBrowser:
    def __init__(self, network: FakeNetwork, kind: str, listener: Any) -> None:
        for name in network.infos:
            listener.add_service(network, kind, name)
            listener.update_service(network, kind, name)
        listener.add_service(network, kind, "gone")
        listener.remove_service(network, kind, "gone")

    def cancel(self) -> None:
        pass


def test_servers_are_found_by_what_they_say_of_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    zeroconf = pytest.importorskip("zeroconf")
    monkeypatch.setattr(zeroconf, "Zeroconf", FakeNetwork)
    monkeypatch.setattr(zeroconf, "ServiceBrowser", FakeBrowser)
    ours = f"Open 5555.{discovery.SERVICE}"
    monkeypatch.setattr(
        FakeNetwork,
        "infos",
        {ours: FakeInfo(ours, "Отворено\n".encode()), f"b.{discovery.SERVICE}": FakeInfo(f"b.{discovery.SERVICE}", None), "c": None},
    )
    found = discovery.find(0.01)
    assert [one.address.url for one in found] == ["https://10.0.0.5:8443"] * 2
    assert found[0].name.startswith("Отворено")
    assert "\n" not in found[0].name
    assert found[1].name == "b"
    assert [one.address for one in Join(Path(), "").find()] == ["https://10.0.0.5:8443"] * 2
    monkeypatch.setattr(FakeNetwork, "fault", OSError(19, "No such device"))
    with pytest.raises(DiscoveryUnavailable, match="No such device"):
        discovery.find(0.01)


def test_an_order_is_answered_only_once_its_trace_is_on_disk(server: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    let, asked, write = threading.Event(), threading.Event(), kept.write

    def held(path: Path, text: str) -> None:
        if path.name == offers.FILE:
            asked.set()
            assert let.wait(60)
            if "m-full" in text:
                raise OSError(28, "No space left on device")
        write(path, text)

    monkeypatch.setattr("kiosk.app.kept.write", held)
    with joined(server, tmp_path, "61") as one:
        first = give(server, one.device, assigned("m-kept"))
        one.until(asked.is_set)
        later = give(server, one.device, wire.ShowMessage("Eva", "Round 2 at noon."))
        one.until(lambda: (later, True) in answers(server, one.device))
        assert (first, None) in answers(server, one.device)
        assert [each.match for each in one.hall.offers.all("61")] == ["m-kept"], "it is offered at once"
        let.set()
        one.until(lambda: (first, True) in answers(server, one.device))
        lost = give(server, one.device, assigned("m-full"))
        one.until(lambda: (lost, False) in answers(server, one.device))
        assert [each.match for each in one.hall.offers.all("61")] == ["m-kept"]


def assigned(match: str) -> wire.AssignMatch:
    players = Pair(("Ana",), ("Boris",))
    return wire.AssignMatch(match, 1, players, "ibgf", 3, None, None, None, None, "Open", "1", None, practice=False)
