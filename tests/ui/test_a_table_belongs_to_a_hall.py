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
from kiosk.domain.setup import Options, resolve
from kiosk.domain.state import Confirmed, Phase
from kiosk.domain.types import NS_PER_S, Instant, Pair, Side, Span
from kiosk.ports import LinkState
from kiosk.session import commands as c
from kiosk.session import running_match
from kiosk.ui import actions as a
from kiosk.ui.draw import Text
from kiosk.ui.light import Light
from kiosk.ui.screens.server import ServerPage
from tests.ui.moments import (
    BOOKS,
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


def test_who_sits_there_alone_is_on_record_and_what_was_open_stays_open() -> None:
    match = offered(PLAIN, offer()).touch(ME)
    assert match.session.table.hall.confirmed == Confirmed("m1", 1, Pair(left=True, right=False))
    after = MOMENTS["offered-after-a-match"](PLAIN).touch(ME)
    assert after.picture().name == "offered"
    assert BEGIN in [control.name for control in after.picture().controls]


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


# ── The round has begun, and nobody has opened the match ─────────────────────
LATE, MISSING = "Somebody is late", f"{NAMES.right[0]} is missing"


def test_nobody_is_asked_who_is_missing_before_the_round_begins_and_then_the_picture_changes() -> None:
    match = offered(PLAIN, offer())
    assert LATE not in [control.name for control in match.picture().controls]
    match.now = 1254 * NS_PER_S - 1
    assert match.picture().changes_at == 1254 * NS_PER_S
    match.now += 1
    assert LATE in [control.name for control in match.picture().controls]
    assert "The round has begun. Is somebody missing?" in words(match)


def test_whoever_is_there_opens_the_match_and_the_absent_sides_time_runs_from_then_on() -> None:
    match = MOMENTS["offered-begun-one-here"](PLAIN).touch(LATE).touch(MISSING)
    now = match.session.table
    assert (now.match, now.phase, now.late.absent, now.checked) == ("m1", Phase.LATE, (Side.RIGHT,), (CheckItem.LEFT,))
    assert now.clock is not None
    assert now.clock.running == (Side.RIGHT,)
    assert match.picture().name == "face"
    match.touch("Arrived")
    assert match.session.table.phase is Phase.OPENING


def test_both_may_be_missing() -> None:
    match = MOMENTS["offered-begun"](PLAIN).touch(LATE).touch("Both are missing")
    assert (match.session.table.late.absent, match.session.table.checked) == (tuple(Side), ())


def test_nobody_is_late_at_a_match_without_clocks() -> None:
    free = resolve(BOOKS["circle"], Options(length=None, players=NAMES, round_start=Instant(900 * NS_PER_S)))
    match = offered(PLAIN, replace(offer(), setup=free))
    assert LATE not in [control.name for control in match.picture().controls]


def test_a_start_that_is_moved_under_the_finger_opens_nothing() -> None:
    match = MOMENTS["offered-begun"](PLAIN)
    match.touch(LATE)
    match.picture()
    match.wait(1).picture()
    tile = next(control for control in match.picture().controls if control.name == MISSING)
    for start in (None, 9000):
        match.desk.offers = lambda start=start: (offer(start=start),)  # type: ignore[misc]
        match.desk._act(tile.action, tile.rect.x, tile.rect.y, match.now, 0)
        assert match.session.table.phase is None
        assert "has not begun; nobody is late yet" in words(match)


def test_while_the_hall_is_paused_nobodys_time_is_started() -> None:
    match = MOMENTS["offered-who-is-missing-in-a-pause"](PLAIN).touch(MISSING)
    assert match.session.table.phase is None
    assert "The hall is paused" in words(match)
    match.desk._act(a.OpenOffer("m1", 1, (Side.LEFT,)), 1, 1, match.now, 0)
    assert match.session.table.phase is None


def test_the_next_rounds_start_goes_before_a_match_that_is_signed_which_is_a_touch_away() -> None:
    match = MOMENTS["offered-begun-after-a-match"](PLAIN)
    assert match.picture().name == "offered"
    match.touch("The match that ended here")
    assert match.picture().name == "finished"
    match.desk.offers = lambda: (offer(start=9000),)
    match.desk._open.clear()
    assert match.picture().name == "finished"
    assert match.picture().changes_at is not None


def test_a_dark_panel_wakes_when_its_round_begins() -> None:
    match = offered(PLAIN, offer(start=1900))
    match.desk.rest.dim_after = 2
    match.picture()
    match.now = 1800 * NS_PER_S
    dark = match.picture()
    assert (dark.name, dark.changes_at) == ("asleep", 1900 * NS_PER_S)
    assert match.desk.light_changes(match.now) == 1900 * NS_PER_S
    match.now = 1900 * NS_PER_S
    assert match.picture().name == "offered"
    assert match.desk.light(match.now + 119 * NS_PER_S) is Light.FULL
    assert match.desk.light(match.now + 120 * NS_PER_S) is Light.DIM


def test_an_open_match_that_nobody_has_begun_wakes_its_panel_too_and_a_begun_one_has_no_start_ahead() -> None:
    match = table(PLAIN).open(round_start=Instant(1900 * NS_PER_S))
    match.picture()
    match.now = 1800 * NS_PER_S
    assert match.picture().name == "asleep"
    match.now = 1900 * NS_PER_S
    assert "The round has begun. Is somebody missing?" in words(match)
    match.press(Side.LEFT, 5)
    assert (match.desk.round_began(match.now), match.desk.round_begins(match.now)) == (0, None)


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
