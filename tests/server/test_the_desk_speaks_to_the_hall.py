from __future__ import annotations

import pytest

from kiosk.domain.errors import CommandRefused
from kiosk.domain.officials import Role
from kiosk.domain.rulebook import Sanction
from kiosk.domain.types import Pair, Side
from kiosk.server import desk
from kiosk.server.login import Who
from kiosk.server.orders import NoSuchDevice
from kiosk.server.store import Store
from kiosk.sync import wire
from tests.server.hall import SECOND, Hall

MARA = Who(1, "Mara", Role.REFEREE, "")
CHIEF = Who(2, "Ivan", Role.CHIEF, "")


@pytest.fixture
def hall(store: Store) -> Hall:
    return Hall(store)


def _pause(hall: Hall, why: str = "fire alarm", at: list[str] | None = None) -> desk.Pause:
    with hall.act() as act:
        return desk.pause(act, why, at)


def _lift(hall: Hall, at: list[str] | None = None) -> None:
    with hall.act() as act:
        desk.lift(act, at)


def _now(hall: Hall) -> desk.Pause | None:
    with hall.store.read() as connection:
        return desk.pause_now(connection)


def test_every_table_is_paused_at_once_and_told_who_has_obeyed(hall: Hall) -> None:
    one, two = hall.table("1"), hall.table("2")
    _pause(hall)
    assert hall.orders(one) == hall.orders(two) == [wire.PauseHall("Eva (organizer)", "fire alarm")]
    hall.answer(one, 1)
    hall.answer(two, 1, done=False, sentence="There is no match at this table.")
    with hall.store.read() as connection:
        told = desk.obeyed(connection)
    assert [(each.table, each.words) for each in told] == [("1", "done"), ("2", "refused: There is no match at this table.")]


def test_a_pause_that_lasts_is_not_ordered_twice(hall: Hall) -> None:
    one = hall.table("1")
    first = _pause(hall)
    assert _pause(hall, "power") == first
    assert _pause(hall, "power", ["1"]) == first
    assert len(hall.orders(one)) == 1
    assert hall.acts() == ["hall_paused"]


def test_some_tables_are_paused_and_further_ones_join(hall: Hall) -> None:
    one, two, three = (hall.table(name) for name in ("1", "2", "10"))
    _pause(hall, at=["10"])
    assert (hall.orders(one), len(hall.orders(three))) == ([], 1)
    assert _pause(hall, at=["2"]).tables == ("2", "10")
    assert (hall.orders(one), len(hall.orders(two)), len(hall.orders(three))) == ([], 1, 1)
    assert _pause(hall).tables is None
    assert [len(hall.orders(device)) for device in (one, two, three)] == [1, 1, 1]


def test_a_pause_is_lifted_everywhere_or_for_some(hall: Hall) -> None:
    one, two = hall.table("1"), hall.table("2")
    _lift(hall)
    assert hall.acts() == []
    _pause(hall)
    _lift(hall, ["2"])
    kept = _now(hall)
    assert kept is not None
    assert kept.tables == ("1",)
    assert hall.orders(two)[-1] == wire.LiftPause("Eva (organizer)")
    assert len(hall.orders(one)) == 1
    _lift(hall)
    assert _now(hall) is None
    assert hall.orders(one)[-1] == wire.LiftPause("Eva (organizer)")
    with hall.store.read() as connection:
        assert [each.kind for each in desk.obeyed(connection)] == ["lift_pause", "lift_pause"]


def test_a_table_that_joins_learns_of_the_pause_and_of_its_matches(hall: Hall) -> None:
    ident = hall.make()
    _pause(hall, at=None)
    device = hall.table("12")
    with hall.act() as act:
        assert desk.device_came(act, device, "12") == [ident]
    assert [type(told) for told in hall.orders(device)] == [wire.PauseHall, wire.AssignMatch]


def test_a_table_that_joins_beside_paused_ones_is_not_paused(hall: Hall) -> None:
    hall.table("1")
    _pause(hall, at=["1"])
    device = hall.table("2")
    with hall.act() as act:
        desk.device_came(act, device, "2")
    assert hall.orders(device) == []


@pytest.mark.parametrize(("why", "at"), [("", None), ("x" * 501, None), ("a\u202eb", None), ("fire", ["9"]), ("fire", [])])
def test_a_pause_that_cannot_be_is_refused(hall: Hall, why: str, at: list[str] | None) -> None:
    device = hall.table("1")
    with pytest.raises(CommandRefused):
        _pause(hall, why, at)
    assert (hall.orders(device), _now(hall), hall.acts()) == ([], None, [])


def test_a_message_is_shown_and_read(hall: Hall) -> None:
    one, two = hall.table("1"), hall.table("2")
    with hall.act() as act:
        assert desk.message(act, " Lunch  at one ") == 2
    hall.answer(one, 1, read=False)
    hall.answer(two, 1, read=False)
    hall.answer(two, 1, read=True)
    with hall.store.read() as connection:
        (message,) = desk.messages(connection)
    assert (message.text, message.shown, message.read) == ("Lunch at one", 2, 1)
    assert [each.words for each in message.tables] == ["shown", "read"]


def test_a_message_goes_to_one_table(hall: Hall) -> None:
    one, two = hall.table("1"), hall.table("2")
    with hall.act() as act:
        assert desk.message(act, "Come to the desk", ["2"]) == 1
    assert (hall.orders(one), hall.orders(two)) == ([], [wire.ShowMessage("Eva (organizer)", "Come to the desk")])


def test_a_message_that_was_sent_twice_is_shown_once(hall: Hall) -> None:
    one = hall.table("1")
    for _twice in range(2):
        with hall.act() as act:
            desk.message(act, "Lunch at one")
    assert len(hall.orders(one)) == 1
    hall.now_ns += 10 * SECOND
    with hall.act() as act:
        desk.message(act, "Lunch at one")
    assert len(hall.orders(one)) == 2


def test_a_message_to_nobody_is_refused(hall: Hall) -> None:
    with pytest.raises(CommandRefused, match="No table"), hall.act() as act:
        desk.message(act, "Lunch at one")
    hall.table("1")
    with pytest.raises(CommandRefused, match="missing"), hall.act() as act:
        desk.message(act, "   ")


def test_a_round_starts_later_for_every_match_of_it(hall: Hall) -> None:
    device = hall.table("12")
    offered = hall.make()
    waiting = hall.make(table="7", players=Pair(("Vera",), ("Goran",)))
    other = hall.make(round="4", players=Pair(("Olga",), ("Petar",)))
    playing = hall.make(table="12", players=Pair(("Olga",), ("Vera",)))
    hall.played(device, playing, attached=playing, phase="playing")
    at = hall.now_ns + 600 * SECOND
    for _twice in range(2):
        with hall.act() as act:
            assert desk.delay(act, "3", at) == 2
    assert [hall.find(each).plan.starts_ns for each in (offered, waiting, other, playing)] == [at, at, None, None]
    later = [told for told in hall.orders(device) if isinstance(told, wire.DelayStart)]
    assert later == [wire.DelayStart("Eva (organizer)", offered, 599_000)]
    with hall.act() as act:
        desk.delay(act, "3", None)
    assert hall.orders(device)[-1] == wire.DelayStart("Eva (organizer)", offered, None)
    with pytest.raises(CommandRefused, match="no round"), hall.act() as act:
        desk.delay(act, "5", at)
    with hall.store.read() as connection:
        assert desk.rounds(connection) == ["3", "4"]


def test_a_referee_is_on_the_way(hall: Hall) -> None:
    device = hall.table("12")
    for _twice in range(2):
        with hall.act("Mara (referee)") as act:
            assert desk.coming(act, device) == 1
    assert hall.orders(device) == [wire.RefereeComing("Mara (referee)")]
    with pytest.raises(NoSuchDevice), hall.act() as act:
        desk.coming(act, "0" * 32)


def test_a_ruling_goes_to_its_table_and_its_state_is_seen(hall: Hall) -> None:
    device = hall.table("12")
    ruling = desk.Ruling((Side.LEFT,), "device", suggested=True, note=" in the  bag ")
    for _twice in range(2):
        with hall.act(MARA.called) as act:
            desk.rule(act, device, "m1", MARA, ruling)
    (told,) = hall.orders(device)
    assert isinstance(told, wire.RuleAt)
    assert (told.by, told.role, told.infraction, told.sanction, told.suggested, told.note) == (
        "Mara",
        Role.REFEREE,
        "device",
        None,
        True,
        "in the bag",
    )
    with hall.store.read() as connection:
        assert [each.words for each in desk.orders_of(connection, device, "m1")] == ["waits for the table"]
        assert desk.orders_of(connection, device, "m2") == []
    hall.answer(device, 1, done=False, sentence="The match is over.")
    with hall.store.read() as connection:
        assert [each.words for each in desk.orders_of(connection, device, "m1")] == ["refused: The match is over."]


def test_an_expulsion_is_the_chiefs_and_names_the_panel(hall: Hall) -> None:
    device = hall.table("12")
    out = desk.Ruling((Side.LEFT,), "match_fixing", suggested=False, sanction=Sanction.EXPULSION)
    with pytest.raises(CommandRefused, match="names the panel"), hall.act() as act:
        desk.rule(act, device, "m1", CHIEF, out)
    named = desk.Ruling((Side.LEFT,), "match_fixing", suggested=False, sanction=Sanction.EXPULSION, panel=("Ivan", "Mara"))
    with pytest.raises(CommandRefused, match="chief"), hall.act() as act:
        desk.rule(act, device, "m1", MARA, named)
    with pytest.raises(CommandRefused, match="whom"), hall.act() as act:
        desk.rule(act, device, "m1", MARA, desk.Ruling((), "device", suggested=True))
    with hall.act() as act:
        desk.rule(act, device, "m1", CHIEF, named)
    (told,) = hall.orders(device)
    assert isinstance(told, wire.RuleAt)
    assert (told.sanction, told.panel) == (Sanction.EXPULSION, ("Ivan", "Mara"))


def test_a_ruling_is_taken_back_and_a_sheet_received_by_order(hall: Hall) -> None:
    device = hall.table("12")
    with hall.act() as act:
        desk.void(act, device, "m1", MARA, ruling=3, reason="wrong player")
        desk.receive(act, device, "m1", CHIEF)
    assert hall.orders(device) == [
        wire.VoidAt("m1", "Mara", Role.REFEREE, 3, "wrong player"),
        wire.ReceiveSheet("m1", "Ivan", Role.CHIEF),
    ]
    with pytest.raises(CommandRefused, match="missing"), hall.act() as act:
        desk.void(act, device, "m1", MARA, ruling=3, reason=" ")
    assert hall.acts() == ["void_sent", "sheet_received"]
