"""Recording, correcting, undoing, breaks, seats and signatures (domain rules 2.8, 2.10, 3.5, 3.6)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from evening import LEFT, RIGHT, Evening, ns, setup

from kiosk.domain.facts import StopReason, Strokes
from kiosk.domain.rulebook import FlagPolicy, Kind, Method, OnFlag, Provide
from kiosk.domain.types import Pair, Side
from kiosk.session import commands as c

if TYPE_CHECKING:
    from collections.abc import Callable


def playing() -> Evening:
    table = Evening(setup(7, delay_s=12, provide=Provide.BREAKS)).begin()
    table.press(LEFT, 20)
    table.press(RIGHT, 25)
    return table


def stopped() -> Evening:
    table = playing()
    table.do(c.StopClock("left", StopReason.FAULT), 44)
    return table


def offered() -> Evening:
    table = playing()
    table.do(c.Double(LEFT), 30)
    return table


def opening() -> Evening:
    return Evening(setup(7, delay_s=12)).play_game(5, RIGHT)


BEFORE: dict[str, Callable[[], Evening]] = {"playing": playing, "stopped": stopped, "opening": opening}


@pytest.mark.parametrize("phase", BEFORE)
@pytest.mark.parametrize("wait_s", [0.5, 500])
def test_3_5_a_record_undone_is_as_before_times_included(phase: str, wait_s: float) -> None:
    table, twin = BEFORE[phase](), BEFORE[phase]()
    table.do(c.RecordGame(LEFT, Kind.GAMMON, None), 45)
    table.do(c.Undo(), 45 + wait_s)
    assert same(table, twin, 45 + wait_s, 45)
    assert same(table, twin, 45 + wait_s + 7, 52)


def test_3_5_a_pass_undone_is_the_open_offer_times_included() -> None:
    for make in (offered, lambda: stop_at(offered(), 40)):
        table, twin = make(), make()
        table.do(c.Pass(RIGHT), 45)
        table.do(c.Undo(), 300)
        assert same(table, twin, 300, 45)
        assert table.table.cube.open_offer
        assert same(table, twin, 310, 55)


def stop_at(table: Evening, at_s: float) -> Evening:
    table.do(c.StopClock("left", None), at_s)
    return table


def same(table: Evening, twin: Evening, at_s: float, twin_s: float) -> bool:
    """The same table but for the instants, which have moved on by the time in between."""
    mine, other = table.session.snapshot(ns(at_s)), twin.session.snapshot(ns(twin_s))
    assert mine.clock is not None
    assert other.clock is not None
    figures = [
        (
            s.phase,
            s.cube,
            s.score,
            s.shown,
            s.delay_left,
            s.is_crawford_game,
            s.table.ledger,
            s.table.game,
            s.table.game_turns,
            s.stop_reason,
        )
        for s in (mine, other)
    ]
    assert figures[0] == figures[1]
    clocks = [replace(clock, since=ns(0), switched_at=None) for clock in (mine.clock, other.clock)]
    assert clocks[0] == clocks[1]
    return True


def test_3_5_an_undo_after_a_power_cut_gives_the_same_times() -> None:
    table, twin = playing(), playing()
    table.do(c.RecordGame(LEFT, Kind.SINGLE, None), 45)
    assert table.power_cut(3, off_s=60)
    table.do(c.Undo(), 9)
    assert table.table.now == ns(9)
    assert same(replayable(table), twin, 10, 46)


def replayable(table: Evening) -> Evening:
    assert table.replayed() == table.table
    return table


def test_3_5_a_dispute_leaves_the_game_to_an_official() -> None:
    table = playing()
    table.do(c.RecordGame(LEFT, Kind.SINGLE, None), 45)
    assert table.refuse(c.DisputeGame(LEFT), 46) == "not_the_loser"
    table.do(c.DisputeGame(RIGHT), 46)
    assert table.table.referee_called
    assert table.refuse(c.ConfirmGame(RIGHT), 47) == "not_authorised"
    assert table.refuse(c.RecordGame(RIGHT, Kind.SINGLE, None), 47) == "not_authorised"
    assert table.refuse(c.Undo(), 47) == "nothing_to_undo"


@pytest.mark.parametrize("until_s", [40, 4000])
def test_3_5_a_game_can_be_corrected_while_the_next_is_played_without_a_cube(until_s: float) -> None:
    table = Evening(setup(7, delay_s=12, reserve_s=9000)).play_game(5, RIGHT).begin(10)
    table.press(LEFT, 30)
    table.do(c.CorrectGame(1, RIGHT, Kind.GAMMON, None, "miscounted"), until_s)
    assert table.score == (0, 2)
    assert table.table.games[0].corrected
    assert table.clock(until_s).running == (RIGHT,)


def test_3_5_the_window_closes_with_the_next_games_cube_or_end() -> None:
    correction = c.CorrectGame(1, RIGHT, Kind.GAMMON, None, "too late")
    table = Evening(setup(7, delay_s=12)).play_game(5, RIGHT).begin(10)
    table.press(LEFT, 11)
    table.do(c.Double(RIGHT), 12)
    assert table.refuse(correction, 13) == "window_closed"
    table.do(c.Take(LEFT), 13)
    assert table.refuse(correction, 14) == "window_closed"
    other = Evening(setup(7)).play_game(5, RIGHT)
    other.do(c.RecordGame(LEFT, Kind.SINGLE, None), 10)
    assert other.refuse(correction, 11) == "window_closed"
    other.do(c.Undo(), 12)
    assert other.do(correction, 13)
    other.play_game(14, LEFT)
    assert other.refuse(correction, 15) == "window_closed"


def test_3_5_a_correction_keeps_the_old_value_on_record() -> None:
    table = Evening(setup(7)).play_game(5, RIGHT, cube=2)
    (fact,) = table.do(c.CorrectGame(1, LEFT, Kind.GAMMON, None, "winner mixed up"), 6)
    assert fact == replace(fact, old_winner=RIGHT, old_kind=Kind.SINGLE, old_cube=2, old_points=2, cube=2)


def test_3_6_a_correction_after_the_end_makes_revision_two_and_clears_the_signatures() -> None:
    table = Evening(setup(3)).play_game(5, RIGHT, cube=4)
    table.do(c.Sign(RIGHT, protest=False), 6)
    table.do(c.CorrectGame(1, RIGHT, Kind.GAMMON, 4, "gammon it was"), 7)
    assert (table.table.phase, table.table.revision, table.table.signatures, table.score) == ("ended", 2, (), (0, 8))


def test_3_6_a_correction_that_takes_the_win_away_opens_the_next_game() -> None:
    table = Evening(setup(3)).play_game(5, RIGHT, cube=4)
    table.do(c.Sign(RIGHT, protest=False), 6)
    table.do(c.CorrectGame(1, RIGHT, Kind.SINGLE, 1, "cube read wrongly"), 7)
    assert (table.table.phase, table.table.revision, table.table.game, table.table.ended) == ("opening", 2, 2, None)
    assert table.begin(8).table.phase == "playing"


def test_3_6_a_correction_after_a_resignation_leaves_the_match_ended() -> None:
    table = Evening(setup(7)).play_game(5, RIGHT)
    table.do(c.ResignMatch(LEFT), 6)
    table.do(c.CorrectGame(1, LEFT, Kind.SINGLE, 2, "winner mixed up"), 7)
    assert (table.table.phase, table.score) == ("ended", (2, 7))


@pytest.mark.parametrize("started", [False, True])
def test_3_5_a_correction_can_end_the_match_in_the_next_game(*, started: bool) -> None:
    table = Evening(setup(3)).play_game(5, RIGHT)
    if started:
        table.begin(6)
    table.do(c.CorrectGame(1, RIGHT, Kind.BACKGAMMON, None, "miscounted"), 7)
    assert (table.table.phase, table.score, table.table.game) == ("ended", (0, 3), 2 if started else 1)


def test_3_6_who_reached_the_length_first_has_won_whatever_a_correction_makes_of_the_rest() -> None:
    table = Evening(setup(3, delay_s=0, reserve_s=5, on_flag=OnFlag(FlagPolicy.PENALTY_POINTS, points=3))).play_game(1, LEFT).begin(2)
    table.session.tick(ns(60))
    assert (table.table.phase, table.score) == ("ended", (1, 3))
    table.do(c.CorrectGame(1, LEFT, Kind.BACKGAMMON, None, "miscounted"), 61)
    assert table.table.ended is not None
    assert table.table.ended.winner is LEFT


def test_3_6_each_side_signs_once_also_under_protest() -> None:
    table = Evening(setup(1)).play_game(5, RIGHT)
    table.do(c.Sign(LEFT, protest=True), 6)
    assert table.refuse(c.Sign(LEFT, protest=False), 7) == "already_used"
    table.do(c.Sign(RIGHT, protest=False), 8)
    assert table.table.phase == "signed"
    assert [(s.side, s.protest) for s in table.table.signatures] == [(LEFT, True), (RIGHT, False)]
    assert table.refuse(c.CorrectGame(1, LEFT, Kind.SINGLE, None, "no"), 9) == "window_closed"


def test_3_6_a_drawn_signature_is_kept_stroke_by_stroke() -> None:
    table = Evening(setup(1)).play_game(5, RIGHT)
    drawn = (((0, 0), (1000, 400)), ((500, 200),))
    table.do(c.Sign(LEFT, protest=False, strokes=drawn), 6)
    table.do(c.Sign(RIGHT, protest=False), 7)
    assert [s.strokes for s in table.table.signatures] == [drawn, ()]
    assert table.replayed() == table.table


def dots(number: int) -> tuple[tuple[int, int], ...]:
    return tuple((n % 1001, n % 401) for n in range(number))


@pytest.mark.parametrize(
    "strokes",
    [(((1001, 0),),), (((0, 401),),), (((-1, 0),),), (((0, 0), (0, -1)),), ((),), (dots(5), ()), (dots(2001),), (dots(1000), dots(1001))],
)
def test_3_6_a_drawing_that_does_not_fit_is_refused_and_may_be_tried_again(strokes: Strokes) -> None:
    table = Evening(setup(1)).play_game(5, RIGHT)
    assert table.refuse(c.Sign(LEFT, protest=False, strokes=strokes), 6) == "bad_value"
    assert table.do(c.Sign(LEFT, protest=False, strokes=(dots(1000), dots(1000))), 7)
    assert table.refuse(c.Sign(LEFT, protest=False, strokes=strokes), 8) == "already_used"


# ── Breaks and set-up, domain rules 2.4, 2.8 ─────────────────────────────────
@pytest.mark.parametrize(("length", "allowed"), [(5, 0), (7, 1), (9, 1), (11, 2), (13, 2), (15, 3), (99, 3)])
def test_2_8_how_many_breaks_a_length_has(length: int, allowed: int) -> None:
    table, at = Evening(setup(length, provide=Provide.BREAKS)).play_game(1, LEFT), 10.0
    for _ in range(allowed):
        table.do(c.TakeBreak(LEFT), at)
        table.do(c.EndBreak(RIGHT), at + 1)
        at += 2
    assert table.refuse(c.TakeBreak(LEFT), at) == ("no_breaks_left" if allowed else "breaks_not_provided")
    if allowed:
        assert table.do(c.TakeBreak(RIGHT), at), "a break is charged to whoever asks"


def test_2_8_not_before_game_one_and_none_where_the_bonus_is_provided() -> None:
    assert Evening(setup(7, provide=Provide.BREAKS)).refuse(c.TakeBreak(LEFT), 1) == "wrong_phase"
    assert Evening(setup(7)).play_game(1, LEFT).refuse(c.TakeBreak(LEFT), 5) == "breaks_not_provided"


def test_2_8_an_overrun_alerts_once_at_its_limit() -> None:
    table = Evening(setup(7, provide=Provide.BREAKS)).play_game(1, LEFT)
    table.do(c.TakeBreak(RIGHT), 10)
    assert table.session.tick(ns(310)) == ()
    (alert,) = table.session.tick(ns(999))
    assert (alert.at, table.table.alerts[-1].side) == (ns(310), RIGHT)


def test_2_4_between_games_the_set_up_limit_counts_anew_after_a_break() -> None:
    table = Evening(setup(7, provide=Provide.BREAKS)).play_game(1, LEFT)
    assert table.session.deadline() == ns(31) + 1
    table.do(c.TakeBreak(RIGHT), 10)
    table.do(c.EndBreak(RIGHT), 20)
    (alert,) = table.session.tick(ns(60))
    assert alert.at == ns(50)


@pytest.mark.parametrize(
    ("reason", "limit_s", "code"),
    [
        (None, 10, "stop_without_reason"),
        (StopReason.SETUP, 30, "stop_over_30s"),
        (StopReason.DICE, 30, "stop_over_30s"),
        (StopReason.REFEREE, None, None),
        (StopReason.FAULT, None, None),
    ],
)
def test_2_4_what_a_stop_may_last(reason: StopReason | None, limit_s: float | None, code: str | None) -> None:
    table = Evening(setup(7, delay_s=12)).begin()
    table.do(c.StopClock("left", reason), 5)
    alerts = table.session.tick(ns(900))
    assert [(alert.at, table.table.alerts[-1].code) for alert in alerts] == ([] if limit_s is None else [(ns(5 + limit_s), code)])


def test_2_4_a_second_stop_supplies_the_reason_and_the_limit_counts_from_the_first() -> None:
    table = Evening(setup(7, delay_s=12)).begin()
    table.do(c.StopClock(None, None), 5)
    table.do(c.StopClock("left", StopReason.DICE), 9)
    assert table.table.stop is not None
    assert table.table.stop.by == "left"
    assert table.session.deadline() == ns(35) + 1
    assert table.refuse(c.StopClock("left", StopReason.SETUP), 10) == "wrong_phase"
    table.do(c.CallReferee("right"), 11)
    assert table.session.deadline() is None


# ── Seats and pairs, domain rules 3.1, 4.10 ──────────────────────────────────
def test_4_10_seats_swap_with_names_score_and_reserves_before_the_first_press() -> None:
    made = setup(7, delay_s=12, reserve_s=(50, 70), score=(1, 2), players=Pair(("Ann", "Al"), ("Bo", "Bea")))
    table = Evening(made)
    table.do(c.SwapSeats(), 1)
    assert (table.score, table.reserve(1)) == ((2, 1), (70, 50))
    assert table.table.setup is not None
    assert table.table.setup.players == Pair(("Bo", "Bea"), ("Ann", "Al"))
    table.begin(2)
    assert table.refuse(c.SwapSeats(), 3) == "not_authorised"


# ── Methods, domain rules 2.6, 3.3 ───────────────────────────────────────────
def method(name: Method) -> Evening:
    return Evening(setup(7, delay_s=10, reserve_s=60, method=name)).begin()


def test_2_6_fischer_adds_at_each_own_turns_start_the_first_too() -> None:
    table = method(Method.FISCHER)
    assert table.reserve(0) == (70, 60)
    table.press(LEFT, 4)
    assert table.reserve(4) == (66, 70)
    table.do(c.StopClock("left", None), 5)
    table.do(c.Resume(), 50)
    table.press(RIGHT, 51)
    assert table.reserve(51) == (76, 68)


def test_3_3_in_fischer_offer_and_take_add_nothing_early_or_not() -> None:
    table = method(Method.FISCHER)
    table.press(LEFT, 4)
    table.do(c.Double(RIGHT), 6)
    assert table.reserve(6) == (66, 68)
    table.do(c.Take(LEFT), 8)
    assert table.reserve(8) == (64, 68)
    table.do(c.Double(LEFT), 9)
    table.press(RIGHT, 10)
    assert table.reserve(10) == (64, 66), "his press opens the early offer; nothing is added"
    table.press(RIGHT, 11)
    assert table.reserve(11) == (64, 65)


def test_2_6_bronstein_gives_back_what_was_used_up_to_the_delay() -> None:
    table = method(Method.BRONSTEIN)
    assert table.reserve(4) == (56, 60)
    table.press(LEFT, 4)
    assert table.reserve(4) == (60, 60)
    table.do(c.StopClock("left", None), 10)
    table.do(c.Resume(), 20)
    table.press(RIGHT, 29)
    assert table.reserve(29) == (60, 55)


def test_3_3_in_bronstein_an_early_offer_gives_the_finished_turn_back() -> None:
    table = method(Method.BRONSTEIN)
    table.do(c.Double(RIGHT), 2)
    table.press(LEFT, 15)
    assert table.reserve(15) == (55, 60)
    assert table.delay_left(LEFT, 15) == 10


def test_2_6_bronsteins_reserve_at_zero_within_the_turn_is_flagged() -> None:
    table = Evening(setup(7, delay_s=10, reserve_s=6, method=Method.BRONSTEIN)).begin()
    assert table.clock(6).flagged(LEFT)


@pytest.mark.parametrize("name", Method)
def test_2_6_an_unclocked_session_charges_and_grants_nothing(name: Method) -> None:
    table = Evening(setup(None, "circle", reserve_s=None, method=name)).begin()
    at, side = 5.0, Side.LEFT
    for _ in range(6):
        table.press(side, at)
        at, side = at + 400, side.other
    assert table.reserve(at) == (0, 0)
    assert table.clock(at).flags == ()
    assert table.session.snapshot(ns(at)).shown == Pair("", "")
    assert Evening(setup(None, "circle", reserve_s=None)).refuse(c.StartLate((LEFT,)), 1) == "wrong_phase"
