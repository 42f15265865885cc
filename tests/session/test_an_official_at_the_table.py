"""Signing in and out, and each tool at its limits; what is taken back is proven by chance elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from evening import LEFT, RIGHT, Evening, ns, setup
from phases import CHIEF, DEPUTY, REFEREE

from kiosk.domain import facts as f
from kiosk.domain.asked import cube_frozen, is_crawford_game, score_of, standing_of
from kiosk.domain.facts import AppealTo, Outcome, Permit
from kiosk.domain.rulebook import FlagPolicy, Kind, Method, OnFlag, Provide, Sanction
from kiosk.domain.setup import MatchSetup
from kiosk.domain.types import SIDES, Pair, Side, Span, seconds
from kiosk.session import commands as c

POINT = c.Rule((RIGHT,), "dice_replaced", Sanction.PENALTY_POINT)
GAME = c.Rule((RIGHT,), "device", Sanction.GAME_LOSS)
MATCH = c.Rule((RIGHT,), "device", Sanction.MATCH_LOSS, duplicate="keep")


def match(length: int | None = 5, **options: Any) -> MatchSetup:
    return setup(length, **{"reserve_s": 100, "delay_s": 12, **options})


def chief(at_s: float = 0, made: MatchSetup | None = None) -> Evening:
    """A match with the chief at the table."""
    table = Evening(made or match())
    table.do(c.SignIn(CHIEF), at_s)
    return table


def stay(table: Evening, at_s: float) -> None:
    """The panel is touched twice a minute until then."""
    for touch_s in range(int(table.table.now // 10**9), int(at_s), 30):
        table.session.touch(ns(touch_s))
        table.session.tick(ns(touch_s))
    table.session.touch(ns(at_s))


# ── Sign-in ──────────────────────────────────────────────────────────────────
@pytest.mark.parametrize("made", [None, match()])
def test_a_minute_without_touch_signs_out(made: MatchSetup | None) -> None:
    table = Evening(made)
    table.do(c.SignIn(REFEREE), 5)
    assert table.session.deadline() == ns(65)
    assert table.session.tick(ns(64.999)) == ()
    assert table.session.tick(ns(70)) == (f.OfficialSignedOut(ns(65), idle=True),)
    assert table.table.official is None
    assert table.replayed() == table.table


def test_a_touch_keeps_signed_in_and_revives_nobody() -> None:
    table = Evening(match())
    table.session.touch(ns(1))
    table.do(c.SignIn(REFEREE), 5)
    table.session.touch(ns(40))
    assert table.session.deadline() == ns(100)
    table.session.touch(ns(30))
    assert table.session.deadline() == ns(100), "a touch that comes late takes nothing back"
    table.do(c.Check(f.CheckItem.DICE, done=True), 50)
    assert table.session.deadline() == ns(110)
    table.session.touch(ns(110))
    assert table.session.tick(ns(110)) == (f.OfficialSignedOut(ns(110), idle=True),)
    assert table.replayed() == table.table


def test_the_buttons_and_time_alone_are_no_touch() -> None:
    table = Evening(match(reserve_s=20, delay_s=0))
    table.do(c.SignIn(REFEREE), 0)
    for at_s, side in ((1, RIGHT), (2, LEFT), (3, RIGHT), (4, RIGHT)):
        table.press(side, at_s)
    table.session.hold(LEFT, ns(5), Span(seconds(1)))
    table.session.tick(ns(59))
    assert table.clock(59).flagged(LEFT)
    assert table.session.tick(ns(60)) == (f.OfficialSignedOut(ns(60), idle=True),)


def test_what_falls_due_at_the_same_instant_comes_before_the_sign_out() -> None:
    table = Evening(match(reserve_s=60, delay_s=0))
    table.do(c.SignIn(REFEREE), 0)
    table.press(RIGHT, 0)
    assert [type(fact) for fact in table.session.tick(ns(60))] == [f.FlagFell, f.OfficialSignedOut]


def test_a_match_opened_by_an_official_goes_on_with_him() -> None:
    table = Evening()
    table.do(c.SignIn(REFEREE), 1)
    facts = table.do(c.OpenMatch("m1", match()), 2)
    assert [type(fact) for fact in facts] == [f.MatchOpened, f.OfficialSignedIn]
    table.do(POINT, 3)
    assert table.replayed() == table.table
    assert table.power_cut(1)
    assert (table.table.official, table.score) == (None, (1, 0))


@pytest.mark.parametrize("played", [False, True])
def test_a_lock_outlasts_openings_and_power_cuts(played: bool) -> None:  # noqa: FBT001
    table = Evening(match(1)) if played else Evening()
    for at_s in range(3):
        table.do(c.SignIn(None), 1000 + at_s)
    if played:
        table.play_game(1010, LEFT)
        table.do(c.OpenMatch("m2", match()), 1020)
    for at_s in range(2):
        table.do(c.SignIn(None), 1030 + at_s)
    assert table.refuse(c.SignIn(REFEREE), 1040) == "not_authorised"
    assert table.replayed() == table.table
    assert table.power_cut(5, last_beat_s=1041) is played
    assert table.refuse(c.SignIn(REFEREE), 54) == "not_authorised", "50 s were left: time without power is no time served"
    assert table.replayed().lockout == table.table.lockout
    assert table.do(c.SignIn(REFEREE), 56)


def test_nobody_is_signed_in_after_a_power_cut_without_a_match() -> None:
    table = Evening()
    table.do(c.SignIn(REFEREE), 1000)
    assert not table.power_cut(5)
    assert table.table.official is None
    assert table.replayed().official is None
    assert not table.power_cut(5), "nothing to note the second time"
    assert [type(fact) for fact in table.facts()] == [f.OfficialSignedIn, f.PowerRestored]


def test_only_who_is_in_can_go() -> None:
    assert Evening().refuse(c.SignOut(), 1) == "not_authorised"


# ── In the players' stead ────────────────────────────────────────────────────
def disputed(table: Evening) -> Evening:
    table.do(c.RecordGame(LEFT, Kind.GAMMON, 2), 10)
    table.do(c.DisputeGame(RIGHT), 11)
    return table


@pytest.mark.parametrize("side", SIDES)
def test_after_a_dispute_whoevers_button_an_official_confirms_with(side: Side) -> None:
    table = disputed(chief())
    assert table.do(c.ConfirmGame(side), 12) == (f.GameConfirmed(ns(12), "referee"),)
    assert table.score == (4, 0)
    table.do(c.Undo(), 13)
    assert table.table.awaiting is not None
    assert table.table.awaiting.disputed
    assert table.refuse(c.Undo(), 14) == "nothing_to_undo", "a disputed record is taken back by nobody"


def test_an_officials_entry_after_a_dispute_counts_at_once() -> None:
    table = disputed(chief())
    assert table.refuse(c.RecordGame(RIGHT, Kind.OIN, None), 12) == "bad_value"
    assert table.refuse(c.RecordGame(RIGHT, Kind.SINGLE, 3), 12) == "bad_value"
    assert table.do(c.RecordGame(RIGHT, Kind.SINGLE, None), 12) == (f.GameRuled(ns(12), RIGHT, Kind.SINGLE, 2),)
    assert (table.score, table.table.game) == ((0, 2), 2)
    without = chief(0, match(cube=False))
    without.do(c.RecordGame(LEFT, Kind.SINGLE, None), 10)
    without.do(c.DisputeGame(RIGHT), 11)
    assert without.refuse(c.RecordGame(LEFT, Kind.SINGLE, 2), 12) == "bad_value"


def test_an_official_corrects_any_game_at_any_time_with_a_reason() -> None:
    table = chief().play_game(10, LEFT).play_game(11, RIGHT)
    table.begin(12)
    assert table.refuse(c.CorrectGame(1, RIGHT, Kind.SINGLE, None, " "), 13) == "bad_value"
    table.do(c.CorrectGame(1, RIGHT, Kind.SINGLE, None, "misread"), 13)
    assert table.score == (0, 2)
    table.do(c.Undo(), 14)
    assert (table.score, [game.corrected for game in table.table.games]) == ((1, 1), [False, False])
    table.do(c.SignOut(), 15)
    assert table.refuse(c.CorrectGame(1, RIGHT, Kind.SINGLE, None, "misread"), 16) == "window_closed"


def test_a_game_is_corrected_by_its_number() -> None:
    table = chief()
    table.do(c.SetState(Pair(1, 0), Pair(seconds(9), seconds(9)), None, Span(0), 1, None, 4, crawford_played=False, breaks=Pair(0, 0)), 1)
    table.play_game(10, LEFT)
    table.do(c.SignOut(), 11)
    assert table.refuse(c.CorrectGame(1, RIGHT, Kind.SINGLE, None, "misread"), 12) == "bad_value"
    table.do(c.CorrectGame(4, RIGHT, Kind.SINGLE, None, "misread"), 12)
    assert table.score == (1, 1)


def test_a_press_is_put_back_by_an_official_long_after_the_delay() -> None:
    table = chief(0, match(delay_s=5)).begin(0)
    table.press(LEFT, 4)
    stay(table, 90)
    table.do(c.PressBack("referee"), 90)
    assert table.clock(90).running == (LEFT,)
    assert (table.reserve(90), table.delay_left(LEFT, 90)) == ((100, 100), 1)
    table.do(c.Undo(), 92)
    assert (table.clock(92).turn, table.table.phase) == (RIGHT, "stopped")
    assert table.reserve(92) == (100, 19)
    assert table.refuse(c.SwapStart("referee"), 93) == "window_closed"


def test_what_an_official_set_holds_when_a_press_is_put_back() -> None:
    table = chief(0, match(delay_s=0)).begin(0)
    for at_s, side in ((2, LEFT), (3, RIGHT), (4, LEFT)):
        table.press(side, at_s)
    table.do(c.Adjust(LEFT, seconds(30), "disturbed"), 5)
    table.do(c.SetControl(seconds(8), None, "wrong"), 6)
    table.do(c.SetCube(2, LEFT, "board"), 7)
    table.do(c.CancelNextDelay(RIGHT), 7)
    table.do(c.PressBack("referee"), 8)
    clock = table.clock(8)
    assert (table.reserve(8), clock.control.delay, clock.no_delay) == ((127, 99), seconds(8), Pair(left=False, right=True))
    assert (table.table.cube.value, table.table.cube.owner) == (2, LEFT)


def test_what_an_official_did_holds_when_a_record_is_taken_back() -> None:
    table = chief(0, match(delay_s=0)).begin(0)
    table.do(c.RecordGame(LEFT, Kind.SINGLE, None), 10)
    table.do(c.Adjust(RIGHT, seconds(-40), "late"), 11)
    table.do(POINT, 12)
    table.do(c.SignOut(), 13)
    table.do(c.Undo(), 20)
    assert (table.table.phase, table.score, len(table.table.rulings)) == ("playing", (1, 0), 1)
    assert table.reserve(25) == (85, 60)
    assert table.replayed() == table.table


# ── Signing, dice, seats ─────────────────────────────────────────────────────
def test_signing_while_an_appeal_is_open_is_under_protest() -> None:
    table = chief(0, match(1))
    table.do(c.Rule((RIGHT,), "eating"), 1)
    table.do(c.LodgeAppeal(1, RIGHT), 2)
    table.play_game(3, LEFT)
    assert table.do(c.Sign(LEFT, protest=False), 4) == (f.SheetSigned(ns(4), LEFT, protest=True),)
    assert table.refuse(c.DecideAppeal(1, Outcome.PENALTY_POINT, ("Eve",)), 5) == "match_over"
    table.do(c.DecideAppeal(1, Outcome.UPHELD, ("Eve",)), 5)
    assert table.do(c.Sign(RIGHT, protest=False), 6) == (f.SheetSigned(ns(6), RIGHT, protest=False),)


def test_an_appeal_against_a_ruling_that_was_taken_back_is_over() -> None:
    table = chief()
    table.do(POINT, 1)
    table.do(c.LodgeAppeal(1, RIGHT), 2)
    table.do(c.Void(1, "mistaken"), 3)
    assert [appeal.outcome for appeal in table.table.appeals] == [Outcome.VOID]
    assert table.refuse(c.DecideAppeal(1, Outcome.UPHELD, ("Eve",)), 4) == "already_used"
    assert table.refuse(c.LodgeAppeal(1, RIGHT), 4) == "already_used"
    assert table.refuse(c.Void(1, "again"), 4) == "already_used"
    table.do(c.Undo(), 5)
    assert ([appeal.outcome for appeal in table.table.appeals], table.score) == ([None], (1, 0))


def test_appeals_rise_and_each_has_one_decision() -> None:
    table = Evening(match())
    table.do(c.SignIn(REFEREE), 0)
    table.do(POINT, 1)
    table.do(c.LodgeAppeal(1, RIGHT), 2)
    assert table.table.appeals[0].to is AppealTo.CHIEF
    table.do(c.SignIn(DEPUTY), 3)
    table.do(c.DecideAppeal(1, Outcome.UPHELD), 4)
    assert table.refuse(c.DecideAppeal(1, Outcome.VOID), 5) == "already_used"
    assert table.refuse(c.LodgeAppeal(1, RIGHT, AppealTo.CHIEF), 5) == "bad_value"
    assert table.refuse(c.DecideAppeal(2, Outcome.VOID), 5) == "bad_value"
    table.do(c.LodgeAppeal(1, RIGHT), 6)
    assert table.table.appeals[1].to is AppealTo.COMMITTEE
    table.do(c.SignIn(CHIEF), 7)
    assert table.refuse(c.DecideAppeal(2, Outcome.EXPULSION), 8) == "bad_value"
    table.do(c.DecideAppeal(2, Outcome.EXPULSION, ("Eve",)), 8)
    assert (table.table.phase, table.table.rulings[1].panel, table.score) == ("ended", ("Eve",), (5, 0))


def test_an_appeal_cannot_make_both_lose_a_game_nor_a_session_a_match() -> None:
    table = chief(0, match(None, rulebook="circle"))
    table.do(c.Rule(SIDES, "eating"), 1)
    table.do(c.LodgeAppeal(1, LEFT), 2)
    assert table.refuse(c.DecideAppeal(1, Outcome.GAME_LOSS, ("Eve",)), 3) == "bad_value"
    assert table.refuse(c.DecideAppeal(1, Outcome.MATCH_LOSS, ("Eve",)), 3) == "bad_value"


def test_an_expulsion_on_appeal_needs_names() -> None:
    table = Evening(match())
    table.do(c.SignIn(REFEREE), 0)
    table.do(POINT, 1)
    table.do(c.LodgeAppeal(1, RIGHT), 2)
    table.do(c.SignIn(CHIEF), 3)
    assert table.refuse(c.DecideAppeal(1, Outcome.EXPULSION), 4) == "bad_value"


def test_seats_are_exchanged_with_all_that_belongs_to_them() -> None:
    table = chief().play_game(1, LEFT)
    table.do(c.ChangeDice(LEFT), 2)
    table.do(c.Allow(RIGHT, Permit.LEAVE), 3)
    table.do(GAME, 4)
    table.do(c.LodgeAppeal(1, RIGHT), 5)
    table.begin(6)
    table.press(LEFT, 8)
    table.do(c.CallReferee("left"), 9)
    before = table.table
    table.do(c.SwapSeats(), 10)
    after = table.table
    assert table.score == (0, 2)
    assert (after.dice_changed, after.permissions[0].side, after.appeals[0].by, after.rulings[0].sides) == ((RIGHT,), LEFT, LEFT, (LEFT,))
    assert after.stop is not None
    assert after.call is not None
    assert (after.stop.by, after.call.by, table.clock(10).turn) == ("right", "right", LEFT)
    table.do(c.Undo(), 11)
    assert score_of(table.table) == score_of(before)
    assert table.table.memory == before.memory
    table.do(c.Undo(), 12)  # the lost game counts no more, whoever sits where
    assert (table.score, table.table.rulings[0].sides) == ((1, 0), (RIGHT,))


def test_what_was_done_before_an_exchange_of_seats_is_undone_after_it() -> None:
    table = chief().begin(0)
    table.do(c.Adjust(LEFT, seconds(30), "dice fell"), 4)
    table.do(c.SwapSeats(), 5)
    assert table.reserve(5) == (100, 130)
    table.do(c.Undo(), 6)
    table.do(c.Undo(), 7)
    assert table.reserve(7) == (100, 100)
    table.do(c.Adjust(LEFT, seconds(30), "dice fell"), 8)
    table.do(c.SwapSeats(), 9)
    table.press(table.clock(9).turn or LEFT, 10)
    table.do(c.SwapSeats(), 11)
    table.do(c.Undo(), 12)
    assert table.reserve(12) == (100, 130)


def test_a_cube_that_was_set_comes_off_again() -> None:
    table = chief().begin(0)
    table.do(c.SetCube(2, LEFT, "board"), 5)
    assert (table.table.cube.value, table.table.cube.owner) == (2, LEFT)
    table.do(c.Undo(), 6)
    assert (table.table.cube.value, table.table.cube.owner) == (1, None)


def test_dice_are_changed_once_unless_it_comes_off_again() -> None:
    table = chief().play_game(1, LEFT)
    table.do(c.ChangeDice(LEFT), 12)
    assert table.refuse(c.ChangeDice(LEFT), 13) == "already_used"
    table.do(c.Undo(), 14)
    assert table.table.dice_changed == ()
    table.do(c.ChangeDice(LEFT), 15)
    assert table.table.dice_changed == (LEFT,)


def test_a_delay_that_was_given_again_comes_off_again() -> None:
    table = chief().begin(0)
    table.do(c.RestartDelay(), 30)
    assert table.delay_left(LEFT, 30) == 12
    table.do(c.Undo(), 30)
    assert (table.delay_left(LEFT, 30), table.reserve(30)[0]) == (0, 82)


# ── Time, in each method ─────────────────────────────────────────────────────
@pytest.mark.parametrize(
    ("method", "left_s"),
    [(Method.DELAY, 100 - (30 - 12)), (Method.BRONSTEIN, 100 - 30), (Method.FISCHER, 100 + 12 - 30)],
)
def test_the_delay_again_is_worth_what_was_used_of_it(method: Method, left_s: int) -> None:
    table = chief(0, match(method=method)).begin(0)
    assert table.reserve(30)[0] == left_s
    table.do(c.RestartDelay(), 30)
    given = 0 if method is Method.DELAY else 12
    assert table.reserve(30)[0] == left_s + given
    assert table.delay_left(LEFT, 30) == (0 if method is Method.FISCHER else 12)
    table.press(LEFT, 50)
    assert table.reserve(50)[0] == left_s + given - (20 - (0 if method is Method.FISCHER else 12))


@pytest.mark.parametrize(("method", "left_s"), [(Method.DELAY, 90), (Method.BRONSTEIN, 90), (Method.FISCHER, 102)])
def test_the_delay_again_is_a_delay_also_where_it_was_cancelled(method: Method, left_s: int) -> None:
    table = chief(0, match(method=method))
    table.do(c.CancelNextDelay(LEFT), 0)
    table.begin(0)
    table.do(c.RestartDelay(), 10)
    assert (table.reserve(10)[0], table.delay_left(LEFT, 10)) == (left_s, 0 if method is Method.FISCHER else 12)


@pytest.mark.parametrize("method", Method)
def test_a_cancelled_delay_is_cancelled_for_one_turn(method: Method) -> None:
    table = chief(0, match(method=method))
    table.do(c.CancelNextDelay(LEFT), 0)
    assert table.refuse(c.CancelNextDelay(LEFT), 0) == "already_used"
    table.begin(0)
    table.press(LEFT, 10)
    assert table.reserve(10)[0] == 90
    table.press(RIGHT, 20)
    table.press(LEFT, 30)
    free = {Method.DELAY: 90, Method.BRONSTEIN: 90, Method.FISCHER: 92}
    assert table.reserve(30)[0] == free[method]


@pytest.mark.parametrize(("method", "left_s"), [(Method.DELAY, 100), (Method.BRONSTEIN, 90), (Method.FISCHER, 102)])
def test_a_cancelled_delay_may_be_given_after_all_while_the_turn_runs(method: Method, left_s: int) -> None:
    table = chief(0, match(method=method))
    table.do(c.CancelNextDelay(LEFT), 0)
    table.begin(0)
    table.do(c.Undo(), 10)
    assert table.reserve(10)[0] == left_s
    table.press(LEFT, 12)
    assert table.reserve(12)[0] == 100


def test_a_delay_that_is_over_is_not_given_to_another_turn() -> None:
    table = chief()
    table.do(c.CancelNextDelay(LEFT), 0)
    table.begin(0)
    table.press(LEFT, 10)
    table.do(c.Undo(), 15)
    assert table.reserve(15) == (90, 100)


def test_in_fischer_an_offer_uses_up_no_cancelled_increment() -> None:
    table = chief(0, match(method=Method.FISCHER)).begin(0)
    table.press(LEFT, 10)
    table.do(c.CancelNextDelay(LEFT), 11)
    table.do(c.CancelNextDelay(RIGHT), 11)
    table.do(c.Double(LEFT), 12)
    table.press(RIGHT, 20)
    assert table.table.cube.open_offer
    table.do(c.Take(RIGHT), 25)
    assert table.clock(25).no_delay == Pair(left=True, right=True)
    table.press(LEFT, 30)
    assert table.clock(30).no_delay == Pair(left=True, right=False)


@pytest.mark.parametrize(
    ("old", "new", "delay_s", "left_s", "free_s"),
    [
        (Method.DELAY, Method.DELAY, 20, 100, 12),
        (Method.DELAY, Method.DELAY, 5, 100, 0),
        (Method.DELAY, Method.FISCHER, 20, 112, 0),
        (Method.DELAY, Method.BRONSTEIN, 20, 100, 20),
        (Method.FISCHER, Method.FISCHER, 20, 112, 0),
        (Method.FISCHER, Method.DELAY, 20, 100, 12),
        (Method.FISCHER, Method.BRONSTEIN, 20, 100, 20),
        (Method.BRONSTEIN, Method.BRONSTEIN, 20, 92, 12),
        (Method.BRONSTEIN, Method.DELAY, 20, 100, 12),
        (Method.BRONSTEIN, Method.FISCHER, 20, 112, 0),
    ],
)
def test_the_running_turn_has_the_new_delay_less_what_it_used(old: Method, new: Method, delay_s: int, left_s: int, free_s: int) -> None:
    """After 8 s of a turn with 12 s of delay."""
    table = chief(0, match(method=old)).begin(0)
    table.do(c.SetControl(seconds(delay_s), new, "wrong"), 8)
    assert (table.reserve(8)[0], table.delay_left(LEFT, 8)) == (left_s, free_s)
    assert table.table.setup is not None
    assert table.table.setup.control == table.clock(8).control
    table.do(c.Undo(), 8)
    fresh = chief(0, match(method=old)).begin(0)
    assert (table.reserve(8), table.clock(8).used) == (fresh.reserve(8), fresh.clock(8).used)


def test_a_control_that_is_undone_in_a_later_turn_is_back_from_then_on() -> None:
    table = chief(0, match(method=Method.FISCHER)).begin(0)
    table.do(c.SetControl(None, Method.DELAY, "wrong"), 2)
    table.press(LEFT, 3)
    table.do(c.Undo(), 5)
    assert table.clock(5).control.method is Method.FISCHER
    assert table.reserve(5) == (100, 110), "of right's 12 s of delay 2 are used; in fischer the rest is added"


@pytest.mark.parametrize("delay_s", [-1, 4000])
def test_a_delay_has_limits(delay_s: int) -> None:
    assert chief().refuse(c.SetControl(seconds(delay_s), None, "wrong"), 1) == "bad_value"


def test_reserves_have_limits() -> None:
    table = chief()
    assert table.refuse(c.SetReserves(Pair(seconds(-1), seconds(5)), "misread"), 1) == "bad_value"
    assert table.refuse(c.Adjust(LEFT, Span(0), "nothing"), 1) == "bad_value"
    assert table.refuse(c.Adjust(LEFT, seconds(400_000), "much"), 1) == "bad_value"


def test_time_given_is_taken_again_but_never_more_than_there_is() -> None:
    table = chief(0, match(reserve_s=10, delay_s=0)).begin(0)
    table.do(c.SetReserves(Pair(seconds(60), seconds(60)), "misread"), 5)
    table.session.touch(ns(40))
    table.do(c.Undo(), 45)
    assert table.reserve(45) == (0, 10), "5 s were left; 40 s have run"
    assert table.session.tick(ns(45)) == (f.FlagFell(ns(45), LEFT),)


def test_a_flag_that_fell_because_time_was_taken_goes_when_it_is_given_back() -> None:
    for wait_s, left_s, flags in ((0, 10, 0), (4, 6, 0), (10, 10, 1), (12, 10, 1)):
        table = chief(0, match(reserve_s=10, delay_s=0)).begin(0)
        table.do(c.Adjust(LEFT, seconds(-10), "misread"), 0)
        table.session.tick(ns(wait_s))
        table.do(c.StopClock(None, None), wait_s)
        assert table.clock(wait_s).flagged(LEFT)
        table.do(c.Undo(), 20)
        assert (table.reserve(20)[0], len(table.clock(20).flags)) == (left_s, flags)
        assert table.clock(20).overrun.left == (seconds(wait_s) if flags else 0)


def test_a_match_that_ended_by_such_a_flag_stays_ended() -> None:
    table = chief(0, match(reserve_s=10, delay_s=0, on_flag=OnFlag(FlagPolicy.AUTO))).begin(0)
    table.do(c.SetReserves(Pair(Span(0), seconds(9)), "misread"), 1)
    table.session.tick(ns(1))
    table.do(c.Undo(), 3)
    assert (table.table.phase, table.reserve(3), len(table.clock(3).flags)) == ("ended", (9, 10), 1)


def test_a_flag_that_was_cleared_stands_again_with_its_rank() -> None:
    table = chief(0, match(reserve_s=5, delay_s=0)).begin(0)
    table.press(LEFT, 6)
    table.session.touch(ns(12))
    table.do(c.StopClock(None, None), 12)
    assert [flag.side for flag in table.clock(12).flags] == [LEFT, RIGHT]
    table.do(c.ClearFlag(LEFT, "fault"), 13)
    assert ([flag.side for flag in table.clock(13).flags], table.clock(13).overrun.left) == ([RIGHT], 0)
    table.do(c.Undo(), 14)
    assert ([flag.side for flag in table.clock(14).flags], table.clock(14).overrun.left) == ([LEFT, RIGHT], seconds(1))
    table.do(c.ClearFlag(LEFT, "fault"), 15)
    table.do(c.Adjust(LEFT, seconds(9), "fault"), 16)
    table.do(c.ClearFlag(RIGHT, "fault"), 17)
    table.do(c.Undo(), 18)
    assert [flag.side for flag in table.clock(18).flags] == [RIGHT]


def test_a_flag_that_fell_meanwhile_stands_behind_the_one_that_is_put_back() -> None:
    table = chief(0, match(reserve_s=5, delay_s=0)).begin(0)
    table.session.tick(ns(6))
    table.do(c.StopClock(None, None), 6)
    table.do(c.ClearFlag(LEFT, "fault"), 7)
    table.do(c.SwapStart("left"), 8)
    table.do(c.Resume(), 9)
    table.session.tick(ns(20))
    assert [flag.side for flag in table.clock(20).flags] == [RIGHT]
    table.do(c.Undo(), 21)
    assert [flag.side for flag in table.clock(21).flags] == [LEFT, RIGHT]


# ── Rulings that stand on one another ────────────────────────────────────────
def test_a_match_lost_twice_goes_on_when_both_are_taken_back() -> None:
    for first, second in ((1, 2), (2, 1)):
        table = chief().begin(0)
        table.do(MATCH, 5)
        table.do(c.Rule((LEFT,), "device", Sanction.MATCH_LOSS), 6)
        assert table.table.ended is not None
        assert (table.score, table.table.ended.winner) == ((0, 0), None)  # whoever lost it first: both have
        table.do(c.Void(first, "mistaken"), 7)
        assert (table.table.phase, table.score) == ("ended", (5, 0) if first == 2 else (0, 5))
        table.do(c.Void(second, "mistaken"), 8)
        assert (table.table.phase, table.score, table.delay_left(LEFT, 8)) == ("stopped", (0, 0), 7)
        assert table.replayed() == table.table


def test_a_match_lost_after_its_end_ends_as_before_when_that_is_taken_back() -> None:
    table = chief(0, match(1)).play_game(1, RIGHT)
    table.do(MATCH, 2)
    assert table.score == (1, 1)
    table.do(c.Void(1, "mistaken"), 3)
    assert table.table.ended is not None
    assert (table.table.ended.how, table.table.ended.winner, table.table.revision) == ("score", RIGHT, 3)


def test_the_game_that_a_point_cut_off_goes_on_when_an_earlier_point_falls() -> None:
    table = chief(0, match(3, score=(1, 0))).begin(0)
    table.do(POINT, 4)
    table.press(LEFT, 5)
    table.do(c.Rule((RIGHT,), "dice_replaced", Sanction.PENALTY_POINT, duplicate="keep"), 8)
    assert (table.table.phase, table.score) == ("ended", (3, 0))
    table.do(c.Void(1, "mistaken"), 30)
    assert (table.table.phase, table.score, table.clock(30).turn, table.delay_left(RIGHT, 30)) == ("stopped", (2, 0), RIGHT, 9)
    table.do(c.Void(2, "mistaken"), 31)
    assert (table.table.phase, table.score) == ("stopped", (1, 0))


def test_a_correction_after_a_point_ended_the_match_opens_that_game_again() -> None:
    table = chief(0, match(5)).play_game(1, LEFT, Kind.GAMMON, 2)
    table.begin(10)
    table.do(POINT, 15)
    assert table.table.phase == "ended"
    table.do(c.CorrectGame(1, LEFT, Kind.SINGLE, None, "misread"), 20)
    assert (table.table.phase, table.score, table.table.game, table.delay_left(LEFT, 20)) == ("stopped", (3, 0), 2, 7)


def test_a_correction_does_not_change_how_a_match_was_lost() -> None:
    table = chief().play_game(1, LEFT)
    table.do(MATCH, 2)
    table.do(c.CorrectGame(1, RIGHT, Kind.BACKGAMMON, 2, "misread"), 3)
    assert table.table.ended is not None
    assert table.table.ended.how == "ruling"
    table.do(c.Void(1, "mistaken"), 4)
    assert (table.table.phase, table.score) == ("ended", (0, 6)), "taken back, the corrected score ends it"


def test_a_point_that_falls_after_a_resignation_leaves_it() -> None:
    table = chief().begin(0)
    table.do(POINT, 1)
    table.do(GAME, 2)
    table.do(c.ResignMatch(LEFT), 3)
    for number in (1, 2):
        table.do(c.Void(number, "mistaken"), 4)
    assert table.table.ended is not None
    assert (table.table.phase, table.table.ended.how, table.score) == ("ended", "resignation", (0, 5))


def test_a_point_that_falls_after_the_end_of_a_session_moves_who_is_ahead() -> None:
    table = chief(0, match(None, rulebook="circle"))
    table.do(POINT, 1)
    table.do(c.EndSession(), 2)
    table.do(c.Void(1, "mistaken"), 3)
    assert table.table.ended is not None
    assert (table.table.ended.winner, table.table.revision) == (None, 2)


def test_another_winner_is_found_where_the_score_still_ends_the_match() -> None:
    table = chief(0, match(3)).play_game(1, LEFT, Kind.GAMMON)
    table.do(POINT, 2)
    assert table.table.phase == "ended"
    table.do(c.CorrectGame(1, RIGHT, Kind.BACKGAMMON, 2, "misread"), 3)
    table.do(c.Void(1, "mistaken"), 4)
    assert table.table.ended is not None
    assert (table.table.ended.winner, table.score) == (RIGHT, (0, 6))


def test_a_break_that_was_had_is_had() -> None:
    table = chief(0, match(7, provide=Provide.BREAKS))
    table.begin(0)
    table.do(GAME, 1)
    table.do(c.TakeBreak(LEFT), 2)
    table.do(c.Void(1, "mistaken"), 30)
    assert (table.table.phase, table.table.game, table.table.breaks_taken) == ("stopped", 1, Pair(1, 0))


def test_no_ruling_of_an_earlier_boot_is_less_than_a_minute_old() -> None:
    table = chief(1000)
    table.do(POINT, 1010)
    table.power_cut(5, last_beat_s=1050)
    table.do(c.SignIn(CHIEF), 6)
    assert table.refuse(POINT, 7) == "duplicate_ruling", "40 s and 2 s"
    assert table.do(POINT, 30)


def test_a_point_less_leaves_an_end_that_stands_without_it() -> None:
    table = chief(0, match(3))
    table.do(POINT, 1)
    table.play_game(2, LEFT, Kind.BACKGAMMON)
    for side in SIDES:
        table.do(c.Sign(side, protest=False), 3)
    table.do(c.Void(1, "mistaken"), 4)
    assert (table.table.phase, table.score, table.table.revision, table.table.signatures) == ("ended", (3, 0), 2, ())


def test_what_was_handed_in_is_the_chiefs_to_change() -> None:
    table = chief(0, match(1))
    table.do(POINT, 1)
    for side in SIDES:
        table.do(c.Sign(side, protest=False), 2)
    table.do(c.Receive(), 3)
    table.do(c.SignIn(DEPUTY), 4)
    assert table.refuse(c.Void(1, "mistaken"), 5) == "not_authorised"
    table.do(c.SignIn(CHIEF), 6)
    table.do(c.Void(1, "mistaken"), 7)
    assert (table.table.phase, table.table.revision) == ("opening", 2)


def test_a_match_loss_for_what_is_in_no_catalogue_is_refused_for_that() -> None:
    table = Evening(match())
    table.do(c.SignIn(REFEREE), 0)
    assert table.refuse(c.Rule((LEFT,), "sneezing", Sanction.MATCH_LOSS), 1) == "unknown_infraction"


# ── Adjournment ──────────────────────────────────────────────────────────────
def test_a_suspended_match_is_no_longer_taken_back_by_players_and_may_be_resigned() -> None:
    table = chief()
    table.do(c.RecordGame(LEFT, Kind.SINGLE, None), 1)
    table.do(c.Suspend("XG"), 2)
    table.do(c.SignOut(), 3)
    assert table.refuse(c.Undo(), 4) == "nothing_to_undo"
    table.do(c.ResignMatch(LEFT), 5)
    assert (table.table.phase, table.table.adjourned, table.table.position) == ("ended", None, "XG")


def test_play_that_has_gone_on_is_not_undone() -> None:
    table = chief().begin(0)
    table.press(LEFT, 1)
    table.do(c.SetCube(2, LEFT, "board"), 2)
    table.press(RIGHT, 3)
    assert table.refuse(c.Undo(), 4) == "nothing_to_undo"


def test_the_table_is_set_whole_or_not_at_all() -> None:
    def entry(**other: object) -> c.SetState:
        given: dict[str, object] = {
            "score": Pair(1, 2), "reserve": Pair(seconds(9), seconds(9)), "turn": LEFT, "delay_used": Span(0), "cube": 1, "owner": None,
            "game": 4, "crawford_played": False, "breaks": Pair(0, 0),
        }  # fmt: skip
        return c.SetState(**{**given, **other})  # type: ignore[arg-type]

    wrong = [
        entry(score=Pair(5, 0)), entry(score=Pair(-1, 0)), entry(reserve=Pair(seconds(-1), Span(0))), entry(cube=3), entry(owner=LEFT),
        entry(game=0), entry(delay_used=Span(-1)), entry(breaks=Pair(1, 0)), entry(breaks=Pair(0, -1)),
    ]  # fmt: skip
    table = chief()
    assert [table.refuse(each, 1) for each in wrong] == ["bad_value"] * len(wrong)
    assert chief(0, match(cube=False)).refuse(entry(cube=2, owner=LEFT), 1) == "bad_value"
    table.do(entry(), 1)
    assert (table.table.phase, table.score, table.table.game) == ("stopped", (1, 2), 4)


def test_the_cube_is_set_where_there_is_one() -> None:
    assert chief(0, match(cube=False)).refuse(c.SetCube(2, LEFT, "board"), 1) == "no_cube"
    assert chief(0, match(3, score=(2, 0))).refuse(c.SetCube(2, LEFT, "board"), 1) == "crawford_game"
    assert chief().refuse(c.SetCube(3, LEFT, "board"), 1) == "bad_value"


def test_a_kind_belongs_to_a_lost_game() -> None:
    table = chief()
    assert table.refuse(c.Rule((LEFT,), "eating", Sanction.REMARK, Kind.SINGLE), 1) == "bad_value"
    assert table.refuse(c.Rule((LEFT,), "eating", Sanction.GAME_LOSS, Kind.PASS), 1) == "bad_value"
    assert table.refuse(c.Rule((LEFT,), "eating", Sanction.GAME_LOSS, Kind.OIN), 1) == "bad_value"


def test_no_game_is_lost_while_somebody_is_late() -> None:
    table = chief()
    table.do(c.StartLate((RIGHT,)), 1)
    assert table.refuse(GAME, 2) == "wrong_phase"
    table.do(POINT, 3)
    assert table.score == (1, 0)


def test_a_double_that_waits_keeps_cube_and_seats_where_they_are() -> None:
    table = chief().begin(0)
    table.press(LEFT, 1)
    table.press(RIGHT, 2)
    table.do(c.Double(LEFT), 3)
    assert table.refuse(c.SetCube(2, LEFT, "board"), 4) == "wrong_phase"
    assert table.refuse(c.SwapSeats(), 4) == "wrong_phase"


def test_permissions_are_given_once_and_end() -> None:
    table = chief()
    table.do(c.Allow(LEFT, Permit.LEAVE), 1)
    assert table.refuse(c.Allow(LEFT, Permit.LEAVE), 2) == "already_used"
    assert table.refuse(c.Back(RIGHT, Permit.LEAVE), 2) == "nothing_to_undo"
    table.do(c.Back(LEFT, Permit.LEAVE), 3)
    assert table.table.permissions == ()


# ── What a fresh tester broke ────────────────────────────────────────────────
def test_a_players_own_entry_is_taken_back_before_an_older_act_of_the_officials() -> None:
    table = chief(0, match(3)).begin(0)
    table.do(POINT, 4)
    table.do(c.RecordGame(LEFT, Kind.GAMMON, None), 5)
    assert [type(fact) for fact in table.do(c.Undo(), 6)] == [f.RecordUndone]
    assert table.score == (1, 0)
    assert [type(fact) for fact in table.do(c.Undo(), 7)] == [f.ActUndone]
    assert table.score == (0, 0)


def test_an_act_during_a_record_is_undone_before_the_record_and_players_undo_only_theirs() -> None:
    table = chief(0, match(3)).begin(0)
    table.do(c.RecordGame(LEFT, Kind.SINGLE, None), 5)
    table.do(POINT, 6)
    assert [type(fact) for fact in table.do(c.Undo("play"), 7)] == [f.RecordUndone]
    assert table.refuse(c.Undo("play"), 8) == "nothing_to_undo"
    table.do(c.RecordGame(LEFT, Kind.SINGLE, None), 9)
    assert [type(fact) for fact in table.do(c.Undo("act"), 10)] == [f.ActUndone]
    assert table.refuse(c.Undo("act"), 11) == "nothing_to_undo"
    table.do(c.Rule((LEFT,), "dice_replaced"), 12)
    assert [type(fact) for fact in table.do(c.Undo(), 13)] == [f.ActUndone]
    assert table.table.phase == "recording"


def test_the_end_of_a_session_and_a_tied_roll_are_taken_back_before_an_older_act() -> None:
    table = Evening(setup(None, "circle", reserve_s=100))
    table.do(c.SignIn(CHIEF), 0)
    table.do(c.Adjust(LEFT, seconds(5), "dice fell"), 1)
    table.do(c.AutomaticDoubling(), 2)
    assert [type(fact) for fact in table.do(c.Undo(), 3)] == [f.AutomaticDoubleUndone]
    table.do(c.AutomaticDoubling(), 4)
    table.do(c.Adjust(LEFT, seconds(5), "dice fell"), 5)
    assert [type(fact) for fact in table.do(c.Undo(), 6)] == [f.ActUndone]
    table.do(c.EndSession(), 7)
    assert [type(fact) for fact in table.do(c.Undo(), 8)] == [f.SessionEndUndone]


@pytest.mark.parametrize("decided", [False, True])
def test_undoing_a_void_or_a_decision_that_moved_nothing_gives_no_time_back(*, decided: bool) -> None:
    table = chief(0, match(5, reserve_s=600, delay_s=12)).begin(1)
    table.do(c.Rule((RIGHT,), "eating", Sanction.REMARK), 4)
    if decided:
        table.do(c.LodgeAppeal(1, RIGHT), 5)
        table.do(c.DecideAppeal(1, Outcome.UPHELD, ("Ida",)), 5)
    else:
        table.do(c.Void(1, "misheard"), 5)
    table.do(c.SignIn(CHIEF), 50)
    table.do(c.Undo(), 100)
    assert table.table.phase == "playing"
    assert table.reserve(100) == (600 - (99 - 12), 600)
    assert not table.table.rulings[0].void


@pytest.mark.parametrize(
    ("method", "delay", "at", "reserve", "left"),
    [
        (None, 5, 8, 60, 5),
        (None, 5, 40, 60 - 27, 0),
        (None, 30, 25, 48, 0),
        (Method.FISCHER, None, 10, 60, 3),
        (Method.BRONSTEIN, None, 10, 60, 3),
    ],
)
def test_a_changed_delay_that_is_undone_in_the_same_turn_has_not_been(
    method: Method | None, delay: int | None, at: int, reserve: int, left: int
) -> None:
    table = chief(0, match(5, reserve_s=60, delay_s=12)).begin(1)
    table.do(c.SetControl(None if delay is None else seconds(delay), method, "wrong"), 3)
    table.do(c.Undo(), at)
    assert (table.reserve(at)[0], table.delay_left(LEFT, at)) == (reserve, left)


def test_a_match_that_is_over_twice_opens_again_when_both_rulings_fall() -> None:
    table = chief(0, match(3, score=(2, 0), crawford_played=True)).begin(0)
    table.press(LEFT, 3)
    table.do(POINT, 4)
    table.do(c.Rule((LEFT,), "device", Sanction.MATCH_LOSS), 5)
    table.do(c.Void(1, "mistaken"), 6)
    assert table.score == (2, 3)
    table.do(c.Void(2, "mistaken"), 7)
    assert (table.table.phase, table.score, table.table.game) == ("stopped", (2, 0), 1)


def test_a_correction_made_while_a_ruling_ends_the_match_holds_when_it_falls() -> None:
    table = chief(0, match(3, score=(2, 0), crawford_played=True)).play_game(1, LEFT)
    table.do(c.Rule((LEFT,), "device", Sanction.MATCH_LOSS), 2)
    table.do(c.CorrectGame(1, RIGHT, Kind.SINGLE, None, "misread"), 3)
    table.do(c.Void(1, "mistaken"), 4)
    assert (table.table.phase, table.score) == ("opening", (2, 1))


def test_a_lost_game_opens_again_although_a_later_ruling_lay_over_it() -> None:
    for later in (GAME, MATCH):
        table = chief(0, match(5)).begin(0)
        table.press(LEFT, 2)
        table.do(c.Double(RIGHT), 3)
        table.do(c.Take(LEFT), 4)
        table.do(c.Rule((RIGHT,), "device", Sanction.GAME_LOSS), 5)
        table.do(replace(later, duplicate="keep"), 6)
        table.do(c.Void(1, "mistaken"), 7)
        table.do(c.Void(2, "mistaken"), 8)
        assert (table.table.phase, table.table.game, table.table.cube.value, table.score) == ("stopped", 1, 2, (0, 0))


def test_a_crawford_game_that_never_began_is_still_to_come() -> None:
    table = chief(0, match(3, score=(0, 1)))
    table.do(c.Rule((LEFT,), "eating", Sanction.PENALTY_POINT), 1)
    table.do(GAME, 2)
    table.begin(3)
    table.do(c.Void(2, "mistaken"), 4)
    table.do(c.Void(1, "mistaken"), 5)
    table.press(LEFT, 6)
    table.play_game(7, RIGHT)
    assert table.score == (0, 2)
    assert is_crawford_game(table.table)


def test_at_double_match_point_an_appeal_gives_no_point_to_both() -> None:
    table = chief(0, match(5, score=(4, 4))).begin(0)
    table.do(c.Rule((LEFT, RIGHT), "wrong_setup", Sanction.WARNING), 1)
    table.do(c.LodgeAppeal(1, LEFT), 2)
    assert table.refuse(c.DecideAppeal(1, Outcome.PENALTY_POINT, ("Ida",)), 3) == "bad_value"


def test_a_match_that_began_elsewhere_is_no_unplayed_one() -> None:
    brought = chief(0, match(5, score=(3, 2)))
    state = c.SetState(Pair(3, 2), Pair(seconds(9), seconds(9)), None, Span(0), 1, None, 6, crawford_played=False, breaks=Pair(0, 0))
    taken_over = chief(0, match(5))
    taken_over.do(state, 1)
    restarted = chief(0, match(5)).begin(1)
    restarted.do(c.RestartGame("set up wrongly"), 2)
    for table in (brought, taken_over, restarted):
        table.do(c.Forfeit((LEFT,), "absent"), 3)
        assert standing_of(table.table) == Pair("0", "1")
        assert table.score[1] == 5
    untouched = chief(0, match(5))
    untouched.do(c.Forfeit((LEFT,), "absent"), 3)
    assert standing_of(untouched.table) == Pair("−", "+")


def test_a_whole_table_is_set_to_what_can_be() -> None:
    def state(score: tuple[int, int], turn: Side | None, cube: int, owner: Side | None, *, played: bool = False) -> c.SetState:
        reserve = Pair(seconds(9), seconds(9))
        return c.SetState(Pair(*score), reserve, turn, Span(0), cube, owner, 6, crawford_played=played, breaks=Pair(0, 0))

    table = chief(0, match(5))
    assert table.refuse(state((4, 2), None, 2, LEFT), 1) == "bad_value", "the next game is the Crawford game"
    assert table.refuse(state((3, 2), LEFT, 2, None), 1) == "bad_value", "a cube at 2 is somebody's"
    table.do(state((4, 2), LEFT, 2, LEFT), 2)  # a penalty point has frozen it
    assert (table.score, is_crawford_game(table.table), cube_frozen(table.table)) == ((4, 2), False, True)
    table.do(c.RecordGame(RIGHT, Kind.SINGLE, 1), 3)
    table.do(c.ConfirmGame(LEFT), 4)
    assert (table.score, is_crawford_game(table.table)) == ((4, 3), True)
    both = chief(0, match(3))
    both.do(state((2, 2), None, 1, None), 1)
    assert not is_crawford_game(both.table)
    done = chief(0, match(5))
    done.do(state((4, 2), None, 2, LEFT, played=True), 1)
    assert (done.table.cube.value, is_crawford_game(done.table)) == (2, False)


def test_only_the_same_is_merged() -> None:
    table = chief().begin(0)
    table.do(c.Rule((LEFT,), "eating", Sanction.REMARK), 1)
    merge = c.Rule((LEFT, RIGHT), "eating", duplicate="merge")
    assert table.refuse(merge, 2) == "bad_value"
    assert table.refuse(c.Rule((LEFT,), "eating", Sanction.PENALTY_POINT, duplicate="merge"), 3) == "bad_value"
    table.do(c.Rule((LEFT,), "eating", duplicate="merge"), 4)
    assert [ruling.merged for ruling in table.table.rulings] == [1]


def test_a_ruling_is_for_the_record_only_where_the_referee_says_so() -> None:
    table = chief().begin(0)
    table.do(c.Rule((RIGHT,), "dice_replaced", record_only=True), 1)
    (ruling,) = table.table.rulings
    assert ruling.sanction is None
    assert ruling.suggested is not None, "what the table suggested stays on record"
    assert table.refuse(c.Rule((LEFT,), "eating", Sanction.REMARK, record_only=True), 2) == "bad_value"
    table.do(c.Rule((RIGHT,), "dice_replaced", duplicate="merge", record_only=True), 3)
    table.do(c.Rule((LEFT,), "eating", Sanction.REMARK), 4)
    assert table.refuse(c.Rule((LEFT,), "eating", duplicate="merge", record_only=True), 5) == "bad_value"
    assert [ruling.merged for ruling in table.table.rulings] == [1, 0]


@pytest.mark.parametrize("names", [("",), ("  ",), ("Ana", "-")])
def test_names_are_names(names: tuple[str, ...]) -> None:
    table = chief().begin(0)
    assert table.refuse(c.Rule((LEFT,), "match_fixing", Sanction.EXPULSION, panel=names), 1) == "bad_value"
    table.do(c.Rule((LEFT,), "eating", Sanction.WARNING), 2)
    table.do(c.LodgeAppeal(1, LEFT), 3)
    assert table.refuse(c.DecideAppeal(1, Outcome.UPHELD, names), 4) == "bad_value"
    assert table.refuse(c.DecideAppeal(1, Outcome.EXPULSION), 4) == "bad_value"


@pytest.mark.parametrize("reason", ["", "  ", "\u200b", "…"])
def test_a_reason_says_something(reason: str) -> None:
    table = chief().begin(0)
    for act in (c.SetCube(2, LEFT, reason), c.RestartGame(reason), c.Adjust(LEFT, seconds(5), reason), c.Forfeit((LEFT,), reason)):
        assert table.refuse(act, 1) == "bad_value"


def test_a_hundred_hours_are_too_much_and_nothing_is_nothing() -> None:
    table = chief().begin(0)
    assert table.refuse(c.Adjust(LEFT, seconds(360_000), "dice"), 1) == "bad_value"
    assert table.refuse(c.Adjust(LEFT, seconds(0), "dice"), 1) == "bad_value"
    assert table.refuse(c.Adjust(LEFT, seconds(-200), "dice"), 1) == "bad_value"


def test_who_called_may_be_said_after_the_call() -> None:
    table = Evening(setup(5)).begin(0)
    table.do(c.CallReferee(None), 5)
    table.do(c.CallReferee(LEFT), 9)
    table.do(c.CallReferee(RIGHT), 10)
    call = table.table.call
    assert call is not None
    assert (call.by, call.at) == (LEFT, ns(5))


# ── Where play has not begun, or could end for both ──────────────────────────
def test_a_control_set_before_the_first_press_is_taken_back_whole() -> None:
    table = chief()
    before = table.clock(1)
    table.do(c.SetControl(seconds(8), None, "wrong"), 1)
    assert (table.clock(2).control.delay, table.delay_left(LEFT, 2)) == (seconds(8), 8)
    table.do(c.Undo(), 2)
    after = table.clock(3)
    assert (after.control, after.reserve, table.delay_left(LEFT, 3)) == (before.control, before.reserve, 12)


def test_at_double_match_point_no_penalty_point_is_given_to_both() -> None:
    table = chief(made=match(5, score=Pair(4, 4)))
    assert table.refuse(c.Rule(SIDES, "dice_replaced", Sanction.PENALTY_POINT), 1) == "bad_value"
    assert table.score == (4, 4)
