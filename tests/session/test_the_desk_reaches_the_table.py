"""Messages, a moved start, a referee on the way, and where a match belongs."""

from __future__ import annotations

import pytest
from evening import LEFT, RIGHT, Evening, ns, setup

from kiosk.domain import facts as f
from kiosk.domain.officials import Official, Role
from kiosk.domain.rulebook import Kind
from kiosk.domain.state import Place
from kiosk.session import commands as c
from kiosk.session.decide_hall import MOST_UNREAD

VERA = Official("Vera", Role.REFEREE)


# ── Messages ─────────────────────────────────────────────────────────────────
def test_several_messages_wait_until_each_is_read() -> None:
    table = Evening()
    table.do(c.ShowMessage(4, "Desk", "Lunch at one."), 1)
    table.do(c.ShowMessage(9, "Desk", "Round 4 at three."), 2)
    assert [(one.n, one.text, one.at) for one in table.table.hall.messages] == [
        (4, "Lunch at one.", ns(1)),
        (9, "Round 4 at three.", ns(2)),
    ]
    table.do(c.ReadMessage(4), 3)
    assert [one.n for one in table.table.hall.messages] == [9]


def test_what_is_shown_or_read_already_is_refused() -> None:
    table = Evening()
    table.do(c.ShowMessage(4, "Desk", "Lunch at one."), 1)
    assert table.refuse(c.ShowMessage(4, "Desk", "Lunch at one."), 2) == "already_used"
    table.do(c.ReadMessage(4), 3)
    assert table.refuse(c.ReadMessage(4), 4) == "already_used"


def test_a_screen_holds_so_many_and_no_more() -> None:
    table = Evening()
    for n in range(MOST_UNREAD):
        table.do(c.ShowMessage(n + 1, "Desk", "Lunch."), 1)
    assert table.refuse(c.ShowMessage(99, "Desk", "Lunch."), 2) == "bad_value"
    table.do(c.ReadMessage(1), 3)
    table.do(c.ShowMessage(99, "Desk", "Lunch."), 4)


# ── The round's start ────────────────────────────────────────────────────────
def test_the_prompt_for_who_is_late_follows_a_moved_start() -> None:
    table = Evening(setup(7, round_start=ns(60)))
    assert table.session.snapshot(ns(60)).late_prompt
    table.do(c.MoveRoundStart("Desk", ns(120)), 50)
    assert not table.session.snapshot(ns(119)).late_prompt
    assert table.session.snapshot(ns(120)).late_prompt
    assert table.refuse(c.StartLate((LEFT,)), 119) == "wrong_phase"
    table.do(c.StartLate((LEFT,)), 120)


def test_a_start_that_is_not_set_any_more_prompts_nobody() -> None:
    table = Evening(setup(7, round_start=ns(60)))
    table.do(c.MoveRoundStart("Desk", None), 50)
    assert not table.session.snapshot(ns(1000)).late_prompt


def test_once_the_match_has_begun_its_start_stays() -> None:
    table = Evening(setup(7)).begin(1)
    assert table.refuse(c.MoveRoundStart("Desk", ns(9)), 2) == "wrong_phase"
    between = Evening(setup(7)).play_game(1, LEFT)
    assert between.refuse(c.MoveRoundStart("Desk", ns(9)), 2) == "wrong_phase"
    assert Evening(setup(7)).refuse(c.MoveRoundStart("Desk", ns(-1)), 2) == "bad_value"


@pytest.mark.parametrize(("off_s", "start_s"), [(40, 7 + 50 - 40), (None, 7 + 50), (4000, 0)])
def test_a_round_does_not_wait_for_a_table_that_is_off(off_s: float | None, start_s: float) -> None:
    table = Evening(setup(7, round_start=ns(60)))
    table.do(c.Check(f.CheckItem.LEFT, done=True), 10)
    table.power_cut(7, off_s=off_s)
    assert table.table.setup is not None
    assert table.table.setup.round_start == ns(start_s)
    assert table.replayed() == table.table


# ── A referee on the way ─────────────────────────────────────────────────────
def test_a_referee_on_the_way_stands_beside_the_call_until_the_next_one() -> None:
    table = Evening(setup(7)).begin(1)
    assert table.refuse(c.RefereeComing("Rea"), 2) == "wrong_phase"
    table.do(c.CallReferee("left"), 3)
    table.do(c.RefereeComing("Rea"), 4)
    call = table.table.call
    assert call is not None
    assert (call.by, call.at, call.coming) == ("left", ns(3), "Rea")
    table.do(c.Resume(), 5)
    assert table.refuse(c.RefereeComing("Rea"), 6) == "wrong_phase"
    table.do(c.CallReferee("right"), 7)
    assert table.table.call is not None
    assert table.table.call.coming is None


def test_a_call_whose_caller_is_not_known_yet_is_seen_too() -> None:
    table = Evening(setup(7)).begin(1)
    table.do(c.StopClock("left", None), 2)
    table.do(c.StopClock("left", f.StopReason.REFEREE), 3)
    table.do(c.RefereeComing("Rea"), 4)
    assert table.table.call is not None
    assert table.table.call.coming == "Rea"


@pytest.mark.parametrize("by", ["left", None])
def test_a_stop_for_the_referee_in_an_old_journal_is_a_call(by: str | None) -> None:
    from kiosk.domain.table import evolve
    from kiosk.domain.types import Instant

    table = Evening(setup(7)).begin(1).table
    stopped = evolve(table, f.ClockStopped(Instant(2), by, f.StopReason.REFEREE))
    after = evolve(stopped, f.RefereeOnTheWay(Instant(3), "Rea"))
    assert after.call is not None
    assert (after.call.by, after.call.coming) == (by, "Rea")
    nobody = evolve(table, f.RefereeOnTheWay(Instant(3), "Rea"))
    assert nobody.call is not None
    assert (nobody.call.by, nobody.call.coming) == (None, "Rea")


# ── Where a match belongs ────────────────────────────────────────────────────
def test_a_placed_match_says_so_right_behind_its_opening() -> None:
    table = Evening()
    table.do(c.SignIn(VERA), 1)
    place = Place("Open", "3", "12", practice=True)
    facts = table.do(c.OpenMatch("m7", setup(7), place), 2)
    assert [type(fact) for fact in facts] == [f.MatchOpened, f.MatchPlaced, f.OfficialSignedIn]
    assert table.table.place == place
    assert table.replayed() == table.table


# ── From elsewhere ───────────────────────────────────────────────────────────
REA = Official("Rea", Role.REFEREE)


def test_a_ruling_from_a_phone_is_his_who_made_it() -> None:
    table = Evening(setup(7)).begin(1)
    facts = table.session.command_as(REA, c.Rule((LEFT,), "eating"), ns(5), match="m1")
    assert [type(fact) for fact in facts] == [f.OfficialSignedIn, f.RulingMade, f.OfficialSignedOut]
    assert facts[0] == f.OfficialSignedIn(ns(5), "Rea", Role.REFEREE, f.SignedInBy.PHONE)
    assert table.table.rulings[0].by == REA
    assert table.table.official is None
    assert table.replayed() == table.table


def test_whoever_is_signed_in_at_the_table_stays_so() -> None:
    table = Evening(setup(7)).begin(1)
    table.do(c.SignIn(VERA), 2)
    facts = table.session.command_as(REA, c.Rule((LEFT,), "eating"), ns(5), match="m1")
    assert facts[-1] == f.OfficialSignedIn(ns(5), "Vera", Role.REFEREE, f.SignedInBy.AGAIN)
    assert table.table.official is not None
    assert table.table.official.official == VERA
    assert table.table.rulings[0].by == REA


def test_what_is_refused_from_elsewhere_has_done_nothing() -> None:
    table = Evening(setup(7)).begin(1)
    rows, before = list(table.journal.rows()), table.table
    for command, match, code in (
        (c.Rule((LEFT,), "eating"), "m2", "match_over"),
        (c.Rule((LEFT,), "sneezing"), "m1", "unknown_infraction"),
        (c.Rule((LEFT,), "match_fixing", panel=("Eve",)), "m1", "not_authorised"),
        (c.Receive(), "m1", "wrong_phase"),
    ):
        with pytest.raises(Exception, match=r"\.$") as refused:
            table.session.command_as(REA, command, ns(1), match=match)
        assert refused.value.code == code  # type: ignore[attr-defined]
    assert (list(table.journal.rows()), table.table) == (rows, before)


def test_an_act_from_elsewhere_says_nothing_about_wrong_pins_at_the_table() -> None:
    table = Evening(setup(7)).begin(1)
    for at in range(4):
        table.do(c.SignIn(None), 2 + at)
    table.session.command_as(REA, c.Rule((LEFT,), "eating"), ns(7), match="m1")
    assert table.table.lockout.count == 4


def test_the_desk_takes_in_a_signed_sheet() -> None:
    table = Evening(setup(1)).play_game(1, RIGHT, Kind.SINGLE)
    table.do(c.Sign(LEFT, protest=False), 2)
    table.do(c.Sign(RIGHT, protest=False), 3)
    table.session.command_as(REA, c.Receive(), ns(4), match="m1")
    assert table.table.phase is not None
    assert table.table.phase.value == "received"
