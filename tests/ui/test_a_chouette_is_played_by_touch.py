"""A chouette from its names to its end, by touches alone; and what the table does beside it."""

from __future__ import annotations

from dataclasses import replace

from kiosk.domain.chouette import Agreed, Chouette
from kiosk.domain.facts import Party, PressIgnored
from kiosk.domain.rulebook import Kind
from kiosk.domain.types import NS_PER_S, seconds
from kiosk.session import commands as c
from kiosk.ui.draw import Digits, Text
from kiosk.ui.light import Light
from kiosk.ui.screens.chouette.start import ChouetteStart
from kiosk.ui.screens.keyboard import Keyboard
from tests.ui.moments import LEFT, PLAIN, RIGHT, SIX, Table, chouette, table


def now(made: Table) -> Chouette:
    found = made.session.table.chouette
    assert found is not None
    return found


def texts(made: Table) -> str:
    return "\n".join(op.text for op in made.picture().ops if isinstance(op, Text))


def typed(made: Table, name: str) -> Table:
    """Type a name on the open keyboard."""
    made.desk._open[-1] = replace(made.desk._open[-1], text=name)  # type: ignore[type-var]
    assert isinstance(made.desk._open[-1], Keyboard)
    return made.touch("Done")


def touched_at(made: Table, name: str, n: int) -> Table:
    """Touch the nth control of a name."""
    made.picture()
    made.wait(1)
    control = [control for control in made.picture().controls if control.name == name][n]
    made.desk.touch(control.rect.x + 5, control.rect.y + 5, made.now)
    made.desk.release(made.now)
    return made


def test_names_and_dice_lead_to_the_table() -> None:
    made = table().touch("7 points").touch("Chouette")
    for name in ("Ana", "Boris", "Vera"):
        typed(made.touch("Add a player"), name)
    typed(made.touch("Boris"), "Bo")
    typed(made.touch("Add a player"), "Goran")
    typed(made.touch("Goran"), "")
    made.touch("Jacoby").touch("Backgammon counts 3").touch("Throw for places")
    made.touch("4").touch("4").touch("6")
    assert "Level: Ana throws again" in texts(made)
    made.touch("1").touch("3")
    assert "Vera is in the box. Bo is captain." in texts(made)
    made.touch("Begin")
    chouette_now = now(made)
    assert chouette_now.players == ("Vera", "Bo", "Ana")
    assert (chouette_now.jacoby, chouette_now.automatic, chouette_now.backgammon) == (False, True, 2)


def test_throwing_may_begin_anew_and_an_order_may_be_agreed() -> None:
    made = table().show(ChouetteStart(SIX[:3])).touch("Throw for places").touch("5").touch("Throw again")
    assert "Throw again" not in [control.name for control in made.picture().controls if control.why is None]
    made.touch("Back").touch("Begin in this order")
    assert now(made).players == SIX[:3]


def test_a_whole_game_by_touches() -> None:
    made = table().do(c.OpenChouette("c0", ("Ana", "Boris", "Vera", "Goran"), (), jacoby=True, automatic=True, backgammon=3))
    made.touch("Tied roll: double").touch("Box doubles")
    touched_at(made, "Pass", 0)
    touched_at(made, "Take", 0)
    touched_at(made, "Take", 0)
    assert (now(made).captain, now(made).stake.value) == ("Vera", 4)
    made.touch("Team doubles").touch("Yes").touch("No")
    assert now(made).wanted == ()
    made.touch("Yes").touch("Yes")
    assert now(made).offered is Party.TEAM
    made.touch("Take")
    made.touch("Game over").touch("The team won").touch("gammon")
    assert "Ana −30, Vera +16, Goran +16, Boris −2 (out)" in texts(made)
    made.touch("Enter: the team of Vera wins, gammon")
    assert now(made).players == ("Vera", "Goran", "Boris", "Ana")
    assert dict(now(made).totals) == {"Ana": -30, "Boris": -2, "Vera": 16, "Goran": 16}
    assert "Vera goes into the box; Goran is captain; Ana goes to the end." in texts(made)


def test_what_was_entered_by_mistake_comes_off_by_one_touch() -> None:
    made = chouette()
    before = now(made).games[-1]
    made.touch("Undo")
    assert before not in now(made).games
    assert "Taken back: The team won: single" in texts(made)


def test_players_come_and_go_and_the_end_can_be_undone() -> None:
    made = chouette(PLAIN, SIX[:4])
    typed(made.touch("More").touch("Somebody joins"), "Дина").touch("Дина joins")
    assert now(made).team[-1] == "Дина"
    made.touch("More").touch("Somebody leaves").touch("Дина")
    assert "Дина" not in now(made).players
    made.touch("More").touch("End the chouette")
    assert now(made).ended
    made.touch("Undo")
    assert not now(made).ended


def test_another_one_begins_with_the_same_players() -> None:
    made = chouette(PLAIN, SIX[:3], c.EndChouette()).touch("Again").touch("Begin in this order")
    assert now(made).players == ("Ана", "Борис Гринько", "Марија Ќосева")
    assert not now(made).games
    made.do(c.EndChouette()).wait(1).touch("New match")
    made.touch("Open a 7-point match")
    assert made.session.table.chouette is None


def test_many_games_are_looked_through_page_by_page() -> None:
    made = chouette(PLAIN, SIX[:3], *[c.WinChouette(Party.BOX, Kind.SINGLE)] * 5).touch("More").touch("Games so far")
    assert "Game 7" in texts(made)
    made.touch("Earlier")
    assert "Game 7" not in texts(made)
    while "Newest" not in [control.name for control in made.picture().controls]:
        made.touch("Earlier")
    assert "Game 1" in texts(made)
    made.touch("Newest")
    assert "Game 7" in texts(made)


def test_before_the_first_game_is_over_there_is_nothing_to_look_through() -> None:
    made = table().do(c.OpenChouette("c0", SIX[:3], (), jacoby=True, automatic=True, backgammon=3))
    made.touch("More").touch("Games so far")
    assert "No game is over yet." in texts(made)


def test_a_press_says_that_there_is_no_clock() -> None:
    made = chouette()
    made.picture()
    made.press(LEFT, 1)
    assert isinstance(made.chronicle.entries[-1].fact, PressIgnored)
    made.desk.light(made.now)
    assert "A chouette is played without a clock" in texts(made)


def test_the_panel_stays_bright_while_it_goes_on() -> None:
    made = chouette()
    made.picture()
    made.now += 3600 * NS_PER_S
    assert made.desk.light(made.now) is Light.FULL
    made.do(c.EndChouette())
    made.picture()
    made.now += 3600 * NS_PER_S
    assert made.desk.light(made.now) is Light.DARK


def test_a_clock_is_agreed_on_before_it_begins() -> None:
    made = table().show(ChouetteStart(SIX[:3])).touch("Clock").touch("5:00 + 10 s delay").touch("+1:00").touch("+1\u00a0s")
    made.touch("Take it").touch("Begin in this order")
    assert now(made).agreed == Agreed(seconds(11), seconds(360))
    assert made.session.table.clock is not None
    made.touch("Undo")
    assert made.session.table.clock is None


def test_a_clock_is_set_stopped_resumed_and_taken_away_by_touch() -> None:
    made = chouette().touch("More").touch("Clock").touch("10:00 + 12 s delay").touch("Take it")
    assert "begins anew with the first press" in texts(made)
    made.press(LEFT, 1).wait(15)
    assert "9:57" in digits(made)
    made.touch("Stop")
    assert made.session.table.clock is not None
    assert made.session.table.clock.running == ()
    made.touch("Resume")
    assert made.session.table.clock.running == (RIGHT,)
    made.touch("Stop").touch("More").touch("Clock").touch("without clock").touch("Take it")
    assert made.session.table.clock is None


def test_the_clock_cannot_be_set_while_it_runs_and_says_so() -> None:
    made = chouette(PLAIN, SIX, c.SetChouetteClock(seconds(12), seconds(600)))
    made.press(LEFT, 1).touch("More").touch("Clock")
    assert [control.why for control in made.picture().controls if control.name == "Take it"] == [
        "Stop the clock first; while the cube is offered, answer it."
    ]


def test_a_press_that_did_nothing_on_its_clock_says_why() -> None:
    made = chouette(PLAIN, SIX, c.SetChouetteClock(seconds(12), seconds(600)))
    made.picture()
    made.press(LEFT, 1).picture()
    said(made.press(RIGHT, 0.05), "the team of Łukasz Święcicki: too soon after the other press")
    said(made.press(LEFT, 5), "Ана: this clock does not run now")
    made.press(RIGHT, 5).do(c.DoubleByBox())
    said(made.press(RIGHT, 5), "waits until the double is answered")
    made.do(c.UndoChouette()).do(c.EndChouette())
    said(made.press(RIGHT, 5), "The chouette is over")


def test_on_a_simulated_table_the_times_are_the_buttons() -> None:
    made = table(simulated=True).do(c.OpenChouette("c0", SIX[:3], (), jacoby=True, automatic=True, backgammon=3))
    made.do(c.SetChouetteClock(seconds(12), seconds(600))).touch("half-left")
    assert made.pressed[0] == (LEFT, True)


def test_another_chouette_begins_as_this_one_was_agreed_on() -> None:
    made = chouette(PLAIN, SIX, c.SetChouetteClock(seconds(12), seconds(600)), c.EndChouette())
    made.touch("Again").touch("Begin in this order")
    assert now(made).agreed == Agreed(seconds(12), seconds(600))


def digits(made: Table) -> str:
    return "\n".join(op.text for op in made.picture().ops if isinstance(op, Digits))


def said(made: Table, words: str) -> None:
    made.desk.light(made.now)
    assert words in texts(made)


def test_a_very_long_name_leaves_the_question_its_room() -> None:
    made = chouette(PLAIN, ("Ж" * 100, "Boris", "Vera"))
    made.do(c.WinChouette(Party.TEAM, Kind.SINGLE)).do(c.WinChouette(Party.TEAM, Kind.SINGLE))
    while now(made).box != "Ж" * 100:
        made.do(c.WinChouette(Party.TEAM, Kind.SINGLE))
    made.do(c.DoubleByBox())
    assert "…" + " doubles to 2: each takes or passes" in texts(made).replace("\n", " ")
