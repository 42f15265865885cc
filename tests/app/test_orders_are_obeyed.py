"""Every order of the server is obeyed or refused with a code and a sentence; nothing that it brings stops the loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kiosk.app.offers import Offers
from kiosk.app.orders import DeskHall, obey, read_answer
from kiosk.books import Library
from kiosk.domain import facts as f
from kiosk.domain.officials import Role
from kiosk.domain.rulebook import Sanction
from kiosk.domain.setup import Options, resolve
from kiosk.domain.state import Phase
from kiosk.domain.types import NS_PER_S, Instant, Pair, Side
from kiosk.journal import MemoryJournal
from kiosk.session import Session
from kiosk.session import commands as c
from kiosk.sync import wire

LIBRARY = Library()
NOW = Instant(1000 * NS_PER_S)
ASSIGNED = wire.AssignMatch(
    match="m-7",
    version=1,
    players=Pair(("Ana",), ("Boris", "Cid")),
    rulebook="ibgf",
    length=5,
    reserve_ms=Pair(300_000, 240_000),
    delay_ms=8_000,
    method=None,
    provide=None,
    event="Open",
    round="3",
    starts_in_ms=60_000,
    practice=False,
)
RULED = wire.RuleAt("m1", "Rea", Role.REFEREE, (Side.LEFT,), "eating", None, True, None, "sandwich", False, ())


class Box:
    """A table with its offers."""

    def __init__(self, folder: Path) -> None:
        self.journal = MemoryJournal()
        self.session = Session(self.journal)
        self.renamed: list[str] = []
        self.fetched: list[str] = []
        self.hall = DeskHall(
            Offers(folder, LIBRARY, "boot", lambda: (5, True), NOW), "12", rename=self.renamed.append, fetch_roster=self.fetched.append
        )

    def open(self, length: int = 7) -> Box:
        setup = resolve(LIBRARY.load("ibgf"), Options(length=length, players=Pair(("Ana",), ("Boris",))))
        self.session.command(c.OpenMatch("m1", setup), NOW)
        return self

    def obey(self, what: Any, n: int = 4) -> wire.OrderAnswer:
        return obey(wire.Order(n, what), self.session, NOW, self.hall)


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


DONE = wire.OrderAnswer(4, done=True, code="", sentence="", read=True)


def test_a_match_is_offered_as_it_was_assigned(box: Box) -> None:
    assert box.obey(ASSIGNED) == DONE
    (offer,) = box.hall.offers.all("12")
    setup = offer.setup
    assert (offer.match, offer.version, setup.players, setup.length) == ("m-7", 1, ASSIGNED.players, 5)
    assert (setup.reserve, setup.control.delay) == (Pair(300 * NS_PER_S, 240 * NS_PER_S), 8 * NS_PER_S)
    assert setup.round_start == NOW + 60 * NS_PER_S
    assert (offer.place.event, offer.place.round, offer.place.table, offer.place.practice) == ("Open", "3", "12", False)


@pytest.mark.parametrize(
    "change",
    [
        {"rulebook": "chess"},
        {"length": 100},
        {"players": Pair(("",), ("Boris",))},
        {"method": "sand"},
        {"provide": "tea"},
        {"match": "../m"},
        {"match": ""},
        {"event": "two\nlines"},
        {"round": "x" * 201},
        {"delay_ms": -1},
        {"starts_in_ms": 10**18},
    ],
)
def test_what_cannot_be_played_here_is_refused_with_a_sentence(box: Box, change: dict[str, Any]) -> None:
    answer = box.obey(replace(ASSIGNED, **change))
    assert not answer.done
    assert answer.code
    assert answer.sentence.endswith(".")
    assert box.hall.offers.all("12") == ()


def test_an_order_of_a_newer_server_is_refused(box: Box) -> None:
    answer = box.obey(wire.UnknownOrder("paint_hall"))
    assert (answer.done, answer.code) == (False, "bad_value")
    assert "paint_hall" in answer.sentence


def test_a_withdrawn_match_is_not_offered_any_more(box: Box) -> None:
    box.obey(ASSIGNED)
    assert box.obey(wire.WithdrawMatch("m-7")) == DONE
    assert box.obey(wire.WithdrawMatch("m-7")) == DONE
    assert box.hall.offers.all("12") == ()


def test_a_delayed_start_reaches_the_offer_or_the_open_match(box: Box) -> None:
    box.obey(ASSIGNED)
    assert box.obey(wire.DelayStart("Desk", "m-7", 300_000)) == DONE
    assert box.hall.offers.all("12")[0].setup.round_start == NOW + 300 * NS_PER_S
    box.open()
    assert box.obey(wire.DelayStart("Desk", "m1", 90_000)) == DONE
    assert box.session.table.setup is not None
    assert box.session.table.setup.round_start == NOW + 90 * NS_PER_S
    assert box.obey(wire.DelayStart("Desk", "m1", None)) == DONE
    assert box.session.table.setup.round_start is None
    assert box.obey(wire.DelayStart("Desk", "m-99", 90_000)).code == "match_over"


def test_the_hall_is_paused_and_goes_on(box: Box) -> None:
    box.open()
    assert box.obey(wire.LiftPause("Eva")) == DONE, "nothing is paused: that is what was wanted"
    assert box.obey(wire.PauseHall("Eva", "fire")) == DONE
    assert box.session.table.hall.pause is not None
    assert box.obey(wire.LiftPause("Eva")) == DONE
    assert box.session.table.hall.pause is None


def test_a_message_is_answered_when_it_is_shown_and_once_more_when_it_was_read(box: Box) -> None:
    shown = wire.OrderAnswer(4, done=True, code="", sentence="", read=False)
    assert box.obey(wire.ShowMessage("Desk", "Lunch at one.")) == shown
    assert box.obey(wire.ShowMessage("Desk", "Lunch at one.")) == shown, "it comes again: it is on the screen"
    facts = box.session.command(c.ReadMessage(4), NOW)
    assert [read_answer(fact) for fact in facts] == [DONE]
    assert read_answer(f.SeatsSwapped(NOW)) is None


def test_a_referee_on_the_way_is_shown_or_refused(box: Box) -> None:
    box.open()
    assert box.obey(wire.RefereeComing("Rea")).code == "wrong_phase"
    box.session.command(c.CallReferee("left"), NOW)
    assert box.obey(wire.RefereeComing("Rea")) == DONE


def test_a_ruling_from_a_phone_is_done_as_it_was_meant(box: Box) -> None:
    box.open()
    assert box.obey(RULED) == DONE
    assert (box.session.table.rulings[0].sanction, box.session.table.rulings[0].note) == (Sanction.REMARK, "sandwich")
    assert box.obey(RULED).code == "duplicate_ruling"
    assert box.obey(replace(RULED, again=True, suggested=False, sanction=Sanction.WARNING)) == DONE
    assert box.session.table.rulings[1].sanction is Sanction.WARNING
    assert box.obey(wire.VoidAt("m1", "Rea", Role.REFEREE, 2, "too severe")) == DONE
    assert box.session.table.rulings[1].void


def test_a_ruling_from_a_phone_may_be_for_the_record_only(box: Box) -> None:
    box.open()
    assert box.obey(replace(RULED, suggested=False)) == DONE
    (ruling,) = box.session.table.rulings
    assert (ruling.sanction, ruling.suggested, ruling.note) == (None, Sanction.REMARK, "sandwich")


def test_what_was_meant_for_another_match_is_refused_and_shown_at_the_table(box: Box) -> None:
    box.open()
    answer = box.obey(replace(RULED, match="m2"))
    assert (answer.done, answer.code) == (False, "match_over")
    last = box.session.table.alerts[-1]
    assert last.code == "order_refused"
    assert last.detail == f"Rea: {answer.sentence}"
    assert box.session.table.rulings == ()


def test_a_sheet_is_received_at_the_desk(box: Box) -> None:
    box.open(1)
    box.session.command(c.RecordGame(Side.LEFT, box.session.table.setup.kinds[0][0], None), NOW)  # type: ignore[union-attr]
    box.session.command(c.ConfirmGame(Side.RIGHT), NOW)
    for side in Side:
        box.session.command(c.Sign(side, protest=False), NOW)
    assert box.obey(wire.ReceiveSheet("m1", "Eva", Role.ORGANIZER)) == DONE
    assert box.session.table.phase is Phase.RECEIVED


def test_the_roster_is_fetched_and_the_table_renamed(box: Box) -> None:
    assert box.obey(wire.FetchRoster("ab12")) == DONE
    assert box.obey(wire.RenameTable("Stage 1")) == DONE
    assert (box.fetched, box.renamed, box.hall.table) == (["ab12"], ["Stage 1"], "Stage 1")
    for name in ("", "a\nb", "x" * 101):
        assert not box.obey(wire.RenameTable(name)).done
    assert box.hall.table == "Stage 1"


def test_a_fault_is_told_to_whoever_ordered(box: Box) -> None:
    def broken(_version: str) -> None:
        raise RuntimeError("the tests broke it")

    box.hall.fetch_roster = broken
    answer = box.obey(wire.FetchRoster("ab12"))
    assert (answer.done, answer.code) == (False, "fault")


EVERY: dict[str, Callable[[], Any]] = {
    "assign_match": lambda: ASSIGNED,
    "withdraw_match": lambda: wire.WithdrawMatch("m"),
    "pause_hall": lambda: wire.PauseHall("Eva", "fire"),
    "lift_pause": lambda: wire.LiftPause("Eva"),
    "delay_start": lambda: wire.DelayStart("Eva", "m", 5),
    "show_message": lambda: wire.ShowMessage("Eva", "Lunch"),
    "referee_coming": lambda: wire.RefereeComing("Rea"),
    "rule_at": lambda: RULED,
    "void_at": lambda: wire.VoidAt("m1", "Rea", Role.REFEREE, 1, "x"),
    "receive_sheet": lambda: wire.ReceiveSheet("m1", "Rea", Role.REFEREE),
    "fetch_roster": lambda: wire.FetchRoster("ab"),
    "rename_table": lambda: wire.RenameTable("13"),
}


def test_every_kind_of_order_is_answered_at_an_empty_table_and_at_an_open_match(tmp_path: Path) -> None:
    assert set(EVERY) == set(wire.KINDS)
    for make in EVERY.values():
        for box in (Box(tmp_path), Box(tmp_path).open()):
            answer = box.obey(make())
            assert answer.n == 4
            assert answer.done != bool(answer.sentence)


def test_what_is_only_put_right_is_recorded_from_a_phone_as_it_was_shown_there(box: Box) -> None:
    box.open()
    assert box.obey(replace(RULED, infraction="illegal_move", suggested=False, sanction=None)) == DONE
    (ruling,) = box.session.table.rulings
    assert (ruling.infraction, ruling.sanction) == ("illegal_move", None)
    assert box.obey(replace(RULED, match="m2", suggested=False)).code == "match_over", "another match's own sentence"
