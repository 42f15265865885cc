"""The organizer's match, messages, the pause, the connection and the server on the panel."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from kiosk.app.membership import JoinUnavailable
from kiosk.app.roster import MemoryRoster
from kiosk.domain import facts as f
from kiosk.domain.errors import KioskError
from kiosk.domain.facts import CheckItem
from kiosk.domain.state import Phase
from kiosk.domain.types import NS_PER_S, Instant, Pair, Span
from kiosk.ports import LinkState
from kiosk.session import commands as c
from kiosk.session import running_match
from kiosk.ui.draw import Text
from kiosk.ui.screens.server import ServerPage
from tests.ui.moments import (
    EARLIER,
    EVENT,
    LETTER,
    LINE,
    MOMENTS,
    NAMES,
    OFFLINE,
    ONLINE,
    PLAIN,
    VERA,
    WAITS,
    Servers,
    Table,
    Wire,
    offer,
    offered,
    online,
    running,
    table,
)

if TYPE_CHECKING:
    from kiosk.ports import FoundServer, Offer
    from kiosk.session import Carried

ME, BEGIN = "That is me, and right", "That is me: begin"


def words(match: Table) -> str:
    return "\n".join(op.text for op in match.picture().ops if isinstance(op, Text))


# ── The offered match ────────────────────────────────────────────────────────
def test_two_touches_of_two_players_open_the_match_under_its_id() -> None:
    match = offered(PLAIN, offer())
    match.touch(ME)
    assert match.session.table.phase is None
    match.touch(BEGIN)
    now = match.session.table
    assert (now.match, now.phase) == ("m1", Phase.OPENING)
    assert now.place is not None
    assert (now.place.event, now.place.round, now.place.table) == (EVENT, "3", "12")
    assert now.checked == (CheckItem.LEFT, CheckItem.RIGHT)
    assert match.picture().name == "checkin"


def test_who_has_confirmed_may_take_it_back() -> None:
    match = offered(PLAIN, offer()).touch(ME).touch("Not yet")
    assert [control.name for control in match.picture().controls].count(ME) == 2


def test_a_change_of_the_organizer_is_confirmed_anew() -> None:
    match = offered(PLAIN, offer()).touch(ME)
    match.desk.offers = lambda: (offer(version=2),)
    assert BEGIN not in [control.name for control in match.picture().controls]


def test_a_change_under_the_finger_opens_nothing() -> None:
    offers: list[Offer] = [offer()]
    match = offered(PLAIN, offer()).touch(ME)
    match.picture()
    match.wait(1).picture()
    match.desk.offers = lambda: tuple(offers)
    offers[0] = offer(version=2)
    begin = next(control for control in match.picture().controls if control.name == ME)
    from kiosk.ui import actions as a

    match.desk._act(a.OpenOffer("m1", 1), begin.rect.x, begin.rect.y, match.now, 0)
    assert match.session.table.phase is None
    assert "has changed this match" in words(match)


def test_another_match_and_one_by_hand_are_a_touch_away() -> None:
    match = offered(PLAIN, offer(1), offer(2, players=Pair(("Cid",), ("Dora",))))
    match.touch("Another match")
    assert "Cid" in words(match)
    match.touch("Another match")
    assert NAMES.left[0] in words(match)
    match.touch("Open one by hand").touch("Open a 7-point match")
    assert match.session.table.place is None


def test_the_next_match_is_offered_when_the_last_one_is_signed() -> None:
    match = MOMENTS["signed-online"](PLAIN)
    match.desk.offers = lambda: (offer(),)
    match.touch("New match").touch(ME).touch(BEGIN)
    assert match.session.table.match == "m1"


def test_what_is_withdrawn_is_gone_from_the_screen() -> None:
    match = offered(PLAIN, offer())
    assert match.picture().name == "offered"
    match.desk.offers = lambda: ()
    assert match.picture().name == "start"


# ── A match that waits to be taken over ──────────────────────────────────────
def test_a_running_match_that_waits_is_offered_before_any_new_one() -> None:
    match = MOMENTS["waiting"](PLAIN)
    assert match.picture().name == "waiting"
    match.desk.offers = lambda: (offer(),)
    match.touch("Open another match")
    assert match.picture().name == "offered"
    match.touch("Open one by hand").touch("Open a 7-point match")
    assert match.session.table.phase is Phase.OPENING
    assert match.picture().name == "checkin"


def test_a_running_match_that_waits_is_fetched_by_one_touch() -> None:
    match = MOMENTS["waiting"](PLAIN)
    match.desk.fetch_running = lambda: (running(match), Span(NS_PER_S))
    match.touch("Take the running match over")
    assert match.picture().name == "asktakeover"


def test_the_button_that_takes_a_match_over_names_table_players_and_score_once_they_are_known() -> None:
    match = MOMENTS["waiting"](PLAIN)
    asked: list[int] = []

    def fetch() -> tuple[Carried, Span]:
        asked.append(1)
        if len(asked) == 1:
            raise JoinUnavailable("The server is away.")
        return running(match), Span(NS_PER_S)

    def look(state: LinkState) -> None:
        online(match, state).desk.look_what_waits(match.now)

    match.desk.fetch_running = fetch
    look(replace(WAITS, connected=False))
    assert asked == []
    for _twice in range(2):
        look(WAITS)
    assert len(asked) == 1, "once for each connection"
    assert "Take the running match over" in words(match)
    look(replace(WAITS, since=Instant((WAITS.since or 0) + 1)))
    named = "Take over table 12: Марија Ќосева – Борис Гринько, 3:2"
    assert named in words(match)
    match.desk.waits = replace(running(match), table="")
    assert named.replace("over table 12", "over") in words(match)
    match.desk.waits = running(match)
    match.touch(named)
    assert match.picture().name == "asktakeover"
    look(ONLINE)
    assert match.desk.waits is None


def test_a_running_match_that_waits_comes_before_the_one_that_ended_here_which_is_a_touch_away() -> None:
    match = MOMENTS["waiting-after-a-match"](PLAIN)
    assert match.picture().name == "waiting"
    match.touch("The match that ended here")
    assert match.picture().name == "finished"


# ── What the desk says ───────────────────────────────────────────────────────
def test_a_short_message_is_read_by_one_touch() -> None:
    match = online(table(PLAIN).open()).do(c.ShowMessage(4, "Desk", LINE)).touch("told")
    assert match.session.table.hall.messages == ()
    assert LINE not in words(match)


def test_a_long_message_has_a_page_and_nothing_that_was_open_is_lost() -> None:
    from kiosk.ui.screens.menu import Menu

    match = online(table(PLAIN).open()).show(Menu()).do(c.ShowMessage(4, "Desk", LETTER)).touch("told")
    assert match.picture().name == "wholemessage"
    assert LETTER in words(match)
    match.touch("Read")
    assert match.session.table.hall.messages == ()
    assert match.picture().name == "menu"


def test_an_alert_goes_before_a_message() -> None:
    match = MOMENTS["stopped-alert"](PLAIN).do(c.ShowMessage(4, "Desk", LINE))
    assert LINE not in words(match)
    match.touch("told")
    assert LINE in words(match)


def test_a_message_that_another_touch_has_read_is_said_so() -> None:
    match = online(table(PLAIN).open()).do(c.ShowMessage(4, "Desk", LINE))
    from kiosk.ui import actions as a

    match.do(c.ReadMessage(4))
    match.desk._act(a.ReadTold(4), 0, 0, match.now, 0)
    assert "No such message" in words(match)


def test_an_official_lifts_the_pause_on_a_question() -> None:
    match = MOMENTS["paused-with-an-official"](PLAIN).touch("Lift the pause").touch("Do it")
    assert match.session.table.hall.pause is None
    assert match.session.table.phase is Phase.STOPPED


def test_a_paused_table_says_why_it_does_not_resume() -> None:
    match = MOMENTS["paused"](PLAIN)
    assert "fire alarm" in words(match)
    match.touch("Resume")
    assert match.session.table.phase is Phase.STOPPED


def test_a_message_that_waits_to_be_read_hides_no_pause_and_comes_after_it() -> None:
    match = MOMENTS["paused-with-a-message"](PLAIN)
    assert "fire alarm" in words(match)
    assert LINE not in words(match)
    match.do(c.LiftPause("Eva Petrova"))
    assert LINE in words(match)


# ── The connection ───────────────────────────────────────────────────────────
def test_the_connection_is_told_in_words_and_counts_on_while_offline() -> None:
    match = online(table(PLAIN).open(), OFFLINE)
    assert "Offline" in words(match)
    assert "1204 unsent" in words(match)
    before = match.picture().changes_at
    assert before is not None
    assert before - match.now <= NS_PER_S
    match.desk.uplink = Wire(replace(OFFLINE, since=None))
    assert "Offline\n1204" in words(match)
    match.desk.uplink = Wire(replace(ONLINE, unsynced=0))
    assert "Connected" in words(match)
    match.desk.uplink = Wire(LinkState())
    assert "onnected" not in words(match)


def test_what_is_wrong_with_the_server_is_said_on_every_screen() -> None:
    match = MOMENTS["revoked"](PLAIN)
    match.touch("status")
    assert "The organizer has revoked this table" in words(match)


@pytest.mark.parametrize(
    ("wire", "told"),
    [
        (Wire(ONLINE, EARLIER), "Earlier, at table 7: penalty point"),
        (Wire(ONLINE, (*EARLIER, EARLIER[0])), "Earlier, at table 7: penalty point (+1)"),
        (Wire(ONLINE, ()), "Earlier in this event: nothing."),
        (Wire(ONLINE, None), "Earlier in this event: is being asked for."),
        (Wire(OFFLINE, None), "Earlier in this event: not known (offline)."),
    ],
)
def test_a_referee_sees_earlier_rulings_where_he_rules(wire: Wire, told: str) -> None:
    match = MOMENTS["rule-on-side"](PLAIN)
    match.desk.uplink = wire
    assert told in words(match)


# ── The server ───────────────────────────────────────────────────────────────
def typed(match: Table, code: str) -> Table:
    for letter in code:
        match.touch(letter)
    return match


def test_a_server_is_joined_from_the_screen() -> None:
    match = online(table(PLAIN), LinkState())
    servers = match.desk.joining = Servers()
    match.touch("menu").touch("This table").touch("Server").touch(EVENT).touch("Type the code")
    typed(match, "7KQ2M4XD").touch("Done").touch("Join")
    assert servers.joined == [("https://192.168.1.20:8443", "7KQ2M4XD", False)]
    assert f"Joined: {EVENT}, table 12." in words(match)


def test_an_address_is_typed_where_none_was_found() -> None:
    match = online(table(PLAIN), LinkState()).show(ServerPage(()))
    match.touch("Type the address")
    typed(match, "10.0.0.7:84").touch("Done").touch("10.0.0.7:84")
    assert match.picture().name == "code"


def test_a_spare_device_takes_the_running_match_over_in_few_touches() -> None:
    match = online(table(PLAIN), LinkState())
    match.desk.roster = MemoryRoster([{"name": VERA.name, "role": VERA.role, "pin": "2468"}])
    servers = match.desk.joining = Servers("m0")
    match.desk.fetch_running = lambda: (running_match(*servers.running()), Span(42 * NS_PER_S))
    began = match.now
    match.touch("menu").touch("This table").touch("Server").touch(EVENT).touch("A spare device").touch("Type the code")
    typed(match, "7KQ2M4XD").touch("Done").touch("Join")
    assert servers.joined[0][2]
    assert "0:42 old" in words(match)
    typed(match.touch("Referee: sign in"), "2468").touch("Sign in")
    assert match.session.table.phase is None
    match.touch("Take it over")
    touches = (match.now - began) // NS_PER_S
    assert touches == 6 + 8 + 2 + 1 + 4 + 1 + 1, "one second each: 23 touches"
    now = match.session.table
    assert (now.phase, now.match) == (Phase.STOPPED, "m0")
    assert now.official is not None
    taken = match.chronicle.entries[-1].fact
    assert isinstance(taken, f.MatchTakenOver)
    assert taken.uncertain == 42 * NS_PER_S


def test_leaving_the_server_takes_an_official_and_a_question() -> None:
    match = online(MOMENTS["officials-free"](PLAIN), OFFLINE)
    servers = match.desk.joining = Servers()
    servers.joined.append(("x", "y", False))
    match.desk._open.clear()
    match.show(ServerPage()).touch("Leave the server").touch("Leave it")
    assert servers.joined == []
    assert "belongs to no server now" in words(match)


class Broken(Servers):
    """Nothing works."""

    def find(self) -> tuple[FoundServer, ...]:
        raise KioskError("The network is off; type the address.")

    def join(self, address: str, code: str, *, replaces: bool) -> object:  # type: ignore[override]
        del address, code, replaces
        raise KioskError("The code is wrong; ask for a new one.")

    def leave(self) -> None:
        raise KioskError("The disk is full.")


def test_what_cannot_be_done_is_said() -> None:
    match = online(table(PLAIN), LinkState())
    match.desk.joining = Broken()
    match.desk.fetch_running = None
    from kiosk.ui import actions as a

    for action, told in (
        (a.FindServers(), "The network is off"),
        (a.JoinServer("x", "y", replaces=False), "The code is wrong"),
        (a.LeaveServer(), "The disk is full"),
        (a.FetchRunning(), "No match can be taken over here"),
    ):
        match.desk._act(action, 0, 0, match.now, 0)
        assert told in words(match)
    match.desk.joining = None
    for action in (a.FindServers(), a.JoinServer("x", "y", replaces=False), a.LeaveServer()):
        match.desk._act(action, 0, 0, match.now, 0)
        assert "No server can be" in words(match)

    def none() -> object:
        raise KioskError("No running match waits for this table.")

    match.desk.fetch_running = none  # type: ignore[assignment]
    match.desk._act(a.FetchRunning(), 0, 0, match.now, 0)
    assert "No running match waits" in words(match)


def test_a_match_is_not_taken_over_by_nobody() -> None:
    match = MOMENTS["ask-take-over"](PLAIN)
    from kiosk.ui import actions as a

    taken = running_match("12", Servers().running()[1])
    match.desk._act(a.TakeOver(taken, None), 0, 0, match.now, 0)
    assert match.session.table.phase is None
    assert Instant(match.now) > 0
