"""A chouette's clock: whose time runs, when it stands, what begins anew, and what a power cut leaves of it."""

from __future__ import annotations

from evening import LEFT, RIGHT, Evening
from phases import PLAYERS, chouette, clocked_chouette

from kiosk.domain import facts as f
from kiosk.domain.chouette import Agreed
from kiosk.domain.facts import IgnoredWhy, Party
from kiosk.domain.rulebook import Kind
from kiosk.domain.types import Span, seconds
from kiosk.session import commands as c

TEN, HOUR = seconds(10), seconds(3_600)
FIVE_MINUTES = seconds(300)


def begun(at_s: float = 100, by: f.Party = Party.BOX) -> Evening:
    """A delay of 10 s and 300 s a game; `by` has pressed first."""
    made = chouette(c.SetChouetteClock(TEN, FIVE_MINUTES))
    made.press(by.side, at_s)
    return made


def answered(made: Evening, at_s: float, *takes: bool) -> Evening:
    for name, takes_it in zip(PLAYERS[1:], takes, strict=True):
        made.do(c.AnswerDouble(name, takes=takes_it), at_s)
    return made


def last(made: Evening) -> f.Fact:
    return made.facts()[-1]


def test_the_box_has_the_left_button_and_the_team_the_right_one() -> None:
    made = begun(100)
    assert made.clock(100).running == (RIGHT,)
    assert made.press(RIGHT, 125) == (f.ChouettePressed(seconds(125), Party.TEAM),)  # type: ignore[arg-type]
    assert made.reserve(125) == (300, 285)
    assert made.clock(130).running == (LEFT,)
    assert made.delay_left(LEFT, 130) == 5


def test_either_may_press_first_in_a_game() -> None:
    assert begun(by=Party.TEAM).clock(100).running == (LEFT,)


def test_a_press_of_who_is_not_on_the_clock_or_too_soon_changes_nothing() -> None:
    made = begun(100)
    assert made.press(LEFT, 100.05) == (f.PressIgnored(seconds(100.05), LEFT, IgnoredWhy.BOUNCE),)  # type: ignore[arg-type]
    made.press(LEFT, 105)
    assert last(made) == f.PressIgnored(seconds(105), LEFT, IgnoredWhy.NOT_RUNNING)  # type: ignore[arg-type]
    assert made.clock(105).running == (RIGHT,)


def test_it_stands_when_it_is_stopped_and_goes_on_with_what_was_left() -> None:
    made = begun(100)
    made.do(c.StopChouetteClock(), 104)
    assert made.refuse(c.StopChouetteClock(), 105) == "wrong_phase"
    made.press(RIGHT, 106)
    assert isinstance(last(made), f.PressIgnored)
    made.do(c.ResumeChouetteClock(), 200)
    assert made.refuse(c.ResumeChouetteClock(), 201) == "wrong_phase"
    assert made.delay_left(RIGHT, 201) == 5


def test_it_does_not_run_before_the_first_press_nor_without_having_been_agreed_on() -> None:
    assert chouette().refuse(c.ResumeChouetteClock(), 110) == "wrong_phase"
    made = chouette(c.SetChouetteClock(TEN, FIVE_MINUTES))
    assert made.refuse(c.ResumeChouetteClock(), 110) == "wrong_phase"
    assert made.reserve(5_000) == (300, 300)


def test_it_waits_for_the_answers_and_then_runs_on_for_who_doubled() -> None:
    made = begun(100, Party.TEAM)
    made.do(c.DoubleByBox(), 103)
    made.press(LEFT, 104)
    assert isinstance(last(made), f.PressIgnored)
    assert made.refuse(c.ResumeChouetteClock(), 105) == "wrong_phase"
    assert made.refuse(c.SetChouetteClock(TEN, HOUR), 105) == "wrong_phase"
    answered(made, 150, True, False, True)
    assert made.clock(150).running == (LEFT,)
    assert made.delay_left(LEFT, 152) == 5


def test_one_that_stood_when_the_cube_was_offered_stands_afterwards() -> None:
    made = begun(100, Party.TEAM)
    made.do(c.StopChouetteClock(), 102)
    made.do(c.DoubleByBox(), 103)
    answered(made, 150, True, True, True)
    assert made.clock(151).running == ()


def test_every_game_begins_with_a_new_clock() -> None:
    made = begun(100)
    made.press(RIGHT, 160)
    made.do(c.WinChouette(Party.BOX, Kind.SINGLE), 200)
    clock = made.clock(500)
    assert (clock.turn, clock.running, made.reserve(500)) == (None, (), (300, 300))
    made.press(RIGHT, 500)
    made.do(c.DoubleByBox(), 505)
    answered(made, 510, False, False, False)
    assert made.clock(600).turn is None


def test_a_result_that_is_taken_back_brings_its_games_clock_back_and_it_stands() -> None:
    made = begun(100)
    made.press(RIGHT, 160)
    made.do(c.WinChouette(Party.BOX, Kind.SINGLE), 200)
    made.press(LEFT, 300)
    made.do(c.UndoChouette(), 400)
    clock = made.clock(500)
    assert (clock.turn, clock.running, made.reserve(500)) == (LEFT, (), (270, 250))
    made.do(c.ResumeChouetteClock(), 600)
    assert made.clock(601).running == (LEFT,)


def test_what_was_used_up_stays_so_when_another_entry_is_taken_back() -> None:
    made = begun(100, Party.TEAM)
    made.do(c.DoubleByBox(), 150)
    made.do(c.UndoChouette(), 160)
    assert (made.reserve(170), made.clock(170).running) == ((260, 300), ())
    made.do(c.ResumeChouetteClock(), 180)
    made.do(c.EndChouette(), 185)
    made.press(LEFT, 186)
    assert last(made) == f.PressIgnored(seconds(186), LEFT, IgnoredWhy.OVER)  # type: ignore[arg-type]
    assert made.refuse(c.ResumeChouetteClock(), 187) == "match_over"
    made.do(c.UndoChouette(), 190)
    assert (made.reserve(200), made.clock(200).running) == ((255, 300), ())


def test_an_entry_without_a_clock_is_taken_back_without_one() -> None:
    made = chouette(c.DoubleByBox())
    made.do(c.UndoChouette(), 110)
    assert made.table.clock is None


def test_it_is_set_before_or_within_a_game_but_not_while_it_runs() -> None:
    made = begun(100)
    assert made.refuse(c.SetChouetteClock(Span(0), HOUR), 101) == "wrong_phase"
    made.do(c.StopChouetteClock(), 130)
    made.do(c.SetChouetteClock(Span(0), HOUR), 131)
    assert (made.clock(132).turn, made.reserve(132)) == (None, (3_600, 3_600))
    made.do(c.UndoChouette(), 140)
    assert (made.clock(150).turn, made.reserve(150)) == (RIGHT, (300, 280))
    made.do(c.SetChouetteClock(Span(0), Span(0)), 160)
    assert made.table.clock is None
    assert made.refuse(c.SetChouetteClock(Span(0), Span(0)), 161) == "already_used"
    made.do(c.UndoChouette(), 170)
    assert made.table.chouette is not None
    assert made.table.chouette.agreed == Agreed(TEN, FIVE_MINUTES)


def test_a_clock_that_cannot_be_is_refused() -> None:
    made = chouette()
    for delay, reserve in ((-1, 0), (HOUR + 1, 0), (0, -1), (0, seconds(360_000))):
        assert made.refuse(c.SetChouetteClock(Span(delay), Span(reserve)), 110) == "bad_value"


def test_nobody_comes_or_goes_and_no_roll_is_tied_once_the_games_clock_has_begun() -> None:
    made = begun(100)
    for command in (c.JoinChouette("Dina"), c.LeaveChouette("Vera"), c.TieChouette()):
        assert made.refuse(command, 110) == "wrong_phase"


def test_an_opening_may_say_which_clock() -> None:
    made = Evening()
    clock = c.SetChouetteClock(TEN, FIVE_MINUTES)
    made.do(c.OpenChouette("m4", PLAYERS, (), jacoby=True, automatic=True, backgammon=3, clock=clock), 10)
    assert [type(fact).__name__ for fact in made.facts()] == ["ChouetteOpened", "ChouetteClockSet"]
    assert made.reserve(10) == (300, 300)


def test_a_flag_falls_at_its_instant_and_ends_nothing() -> None:
    made = begun(100)
    assert made.session.deadline() == seconds(410)
    made.session.tick(seconds(500))  # type: ignore[arg-type]
    assert last(made) == f.ChouetteFlagFell(seconds(410), Party.TEAM)  # type: ignore[arg-type]
    clock = made.clock(500)
    assert (clock.running, clock.flagged(RIGHT), clock.overrun.right) == ((RIGHT,), True, seconds(90))
    made.press(RIGHT, 510)
    made.do(c.WinChouette(Party.TEAM, Kind.SINGLE), 520)
    assert made.clock(520).flags == ()


def test_a_power_cut_stops_it_where_the_last_heartbeat_was() -> None:
    made = begun(100)
    assert made.session.next_beat(seconds(130)) is not None  # type: ignore[arg-type]
    made.session.tick(seconds(130))  # type: ignore[arg-type]
    made.power_cut(7, last_beat_s=130)
    restored = made.facts()[-1]
    assert isinstance(restored, f.PowerRestored)
    assert restored.uncertain == seconds(1)
    assert (made.clock(8).running, made.clock(8).turn, made.reserve(8)) == ((), RIGHT, (300, 280))
    made.do(c.ResumeChouetteClock(), 9)
    made.press(RIGHT, 19)
    assert made.reserve(19) == (300, 270)


def test_a_flag_that_fell_before_the_power_went_is_kept() -> None:
    made = begun(100)
    made.power_cut(7, last_beat_s=450)
    assert made.clock(8).flagged(RIGHT)
    assert [type(fact).__name__ for fact in made.facts()[-2:]] == ["ChouetteFlagFell", "PowerRestored"]


def test_after_a_power_cut_with_the_cube_offered_it_stands() -> None:
    made = begun(100, Party.TEAM)
    made.do(c.DoubleByBox(), 103)
    made.power_cut(7, last_beat_s=104)
    answered(made, 20, True, True, True)
    assert made.clock(30).running == ()


def test_a_pause_of_the_hall_stops_it_too() -> None:
    made = clocked_chouette(c.PauseHall("Eva", "lunch"))
    assert made.clock(120).running == ()
    made.press(RIGHT, 121)
    assert last(made) == f.PressIgnored(seconds(121), RIGHT, IgnoredWhy.NOT_RUNNING)  # type: ignore[arg-type]
    assert made.refuse(c.ResumeChouetteClock(), 122) == "paused"
    made.do(c.LiftPause("Eva"), 123)
    made.do(c.ResumeChouetteClock(), 124)
    assert made.clock(125).running == (RIGHT,)


def test_what_the_journal_holds_leads_to_the_same_table() -> None:
    made = begun(100, Party.TEAM)
    made.do(c.DoubleByBox(), 103)
    answered(made, 150, True, False, True)
    made.press(LEFT, 160)
    made.do(c.WinChouette(Party.TEAM, Kind.GAMMON), 170)
    made.do(c.UndoChouette(), 180)
    assert made.replayed() == made.table


def test_only_who_is_to_roll_doubles_as_far_as_the_clock_tells() -> None:
    made = begun(100)
    assert made.refuse(c.DoubleByBox(), 101) == "not_your_turn"
    made.press(RIGHT, 102)
    assert made.refuse(c.WantDouble("Boris", wants=True), 103) == "not_your_turn"
    made.do(c.DoubleByBox(), 104)
    assert made.clock(105).running == ()


def test_nobody_doubles_before_the_games_first_press() -> None:
    made = chouette(c.SetChouetteClock(TEN, FIVE_MINUTES))
    assert made.refuse(c.DoubleByBox(), 110) == "first_turn"
    assert made.refuse(c.WantDouble("Boris", wants=True), 110) == "first_turn"
