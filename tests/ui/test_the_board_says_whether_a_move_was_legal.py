"""The touch board: positions are dragged, moves made, the answer said; it goes on record with a ruling (domain rule 5)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kiosk.domain.facts import PlayAttached, TurnNoted
from kiosk.domain.rulebook import BlockRule, PlayOptions, RuleText
from kiosk.domain.types import Instant
from kiosk.play import BAR, OFF, Board, Game, PlayRules, Step, start_board
from kiosk.play.noted import turns_of
from kiosk.play.transcript import Act
from kiosk.play.transcript import Turn as PlayTurn
from kiosk.session import commands as c
from kiosk.ui.actions import Draw
from kiosk.ui.draw import Text
from kiosk.ui.screens.history import History
from kiosk.ui.screens.play.attach import AttachTo
from kiosk.ui.screens.play.diagram import THEIR_BAR, THEIR_OFF, Plan
from kiosk.ui.screens.play.examine import AskBoard, ChooseDice, ChoosePosition, Examine, board_for
from kiosk.ui.screens.play.setting import taken_over
from kiosk.ui.screens.play.transcribe import Transcribe
from tests.ui import moments
from tests.ui.moments import HEAD, LEFT, MOMENTS, PLACES, PLAIN, PLAYED, RIGHT, Table, _in_charge, _nardy, _ruled, _stopped

GAME = Game.BACKGAMMON


def top(table: Table) -> Examine:
    screen = table.desk._open[-1]
    assert isinstance(screen, Examine)
    return screen


def plan(table: Table) -> Plan:
    found = [control.action for control in table.picture().controls if isinstance(control.action, Draw)]
    assert found
    assert found[0].board is not None
    return found[0].board


def drag(table: Table, start: int, end: int) -> Table:
    where = plan(table)
    table.wait(1)
    a, b = (where.zone(place) for place in (start, end))
    table.desk.touch(a.x + a.w // 2, a.y + a.h // 2, table.now)
    table.desk.move(b.x + b.w // 2, b.y + b.h // 2, table.now)
    table.picture()  # the checker is drawn under the finger
    table.desk.release(table.now)
    return table


def tap(table: Table, place: int) -> Table:
    return drag(table, place, place)


def opened(**changes: object) -> Table:
    return _ruled(PLAIN).show(replace(board_for(_view()), **changes))  # type: ignore[arg-type]


def _view():  # type: ignore[no-untyped-def] # noqa: ANN202 - what a screen is drawn from
    seen = []

    class Spy(Examine):
        def draw(self, _page, view) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
            seen.append(view)

    _ruled(PLAIN).show(Spy(PLAYED.rules)).picture()
    return seen[0]


@pytest.mark.parametrize("size", PLACES)
@pytest.mark.parametrize("game", Game)
def test_every_place_of_the_board_can_be_touched_and_no_two_overlap(size: str, game: Game) -> None:
    table = _nardy(PLAIN).show(HEAD) if game is Game.LONG_NARDY else opened()
    scene = table.picture(PLACES[size])
    where = next(control.action.board for control in scene.controls if isinstance(control.action, Draw))
    assert where is not None
    for place in range(OFF, THEIR_OFF + 1):
        zone = where.zone(place)
        assert where.place(zone.x + zone.w // 2, zone.y + zone.h // 2) == place
        assert where.place(*where.stack(place, 4)) == place
    assert where.place(-1, -1) is None


def test_a_checker_is_dragged_from_point_to_point_to_the_bar_and_off() -> None:
    table = opened()
    drag(table, 6, 4)
    assert top(table).position.me[3] == 1
    drag(table, 6, THEIR_BAR)  # whichever half of the bar: it is its owner's
    assert top(table).position.me[BAR - 1] == 1
    drag(table, 1, OFF)
    assert top(table).position.off == (0, 1)
    drag(table, THEIR_OFF, 2)
    assert top(table).position.off == (0, 0)


def test_what_cannot_lie_there_is_said_and_changes_nothing() -> None:
    table = opened()
    drag(table, 6, 1)
    assert top(table).wrong
    assert top(table).position == start_board(GAME)
    drag(table, 3, 4)
    assert top(table).wrong == "Nothing lies there."
    nardy = _nardy(PLAIN).show(replace(HEAD, moving=False))
    assert "no bar" in replace(HEAD, moving=False).taken(plan(nardy), 24, BAR).wrong


def test_a_place_that_was_touched_gives_checkers_until_it_is_empty() -> None:
    table = opened()
    tap(table, 24)
    for place in (9, 10):
        tap(table, place)
    assert top(table).position.me[8:10] == (1, 1)
    assert top(table).picked is None
    tap(tap(table, 13), 13)
    assert top(table).picked is None
    assert top(tap(table, 2)).picked is None


def test_a_stroke_that_leaves_the_board_does_nothing() -> None:
    table = opened()
    where = plan(table).zone(6)
    table.wait(1)
    table.desk.touch(where.x + 2, where.y + 2, table.now)
    table.desk.move(2, 2, table.now)
    table.desk.release(table.now)
    assert top(table).position == start_board(GAME)


def test_a_move_is_judged_as_it_is_made() -> None:
    table = opened(dice=(3, 1), moving=True)
    drag(drag(table, 8, 5), 6, 5)
    verdict = top(table).verdict
    assert verdict is not None
    assert verdict.legal
    assert any(getattr(op, "text", "") == "Legal" for op in table.picture().ops)
    table.touch("Take back")
    assert top(table).steps == (Step(8, 5),)
    drag(table, 24, 19)
    assert any(getattr(op, "text", "") == "Not legal" for op in table.picture().ops)


def test_what_is_no_move_at_all_is_said() -> None:
    table = opened(moving=True)
    assert top(drag(table, 8, 5)).wrong == "Choose the dice first."
    table = opened(dice=(3, 1), moving=True)
    assert "other side's" in top(drag(table, 1, 5)).wrong
    assert "stays off" in top(drag(opened(dice=(3, 1), moving=True, board=PLAYED.board), 6, BAR)).wrong
    many = opened(dice=(1, 1), moving=True, steps=(Step(6, 5),) * 8)
    assert "No roll" in top(drag(many, 8, 7)).wrong
    assert top(drag(opened(dice=(6, 1), moving=True), 6, THEIR_OFF)).steps == (Step(6, OFF),)


def test_the_legal_plays_are_shown_one_by_one() -> None:
    table = opened(dice=(3, 1), moving=True)
    table.touch("right")
    assert top(table).shown == 0
    assert top(table).seen() == top(table).legal[0].final
    table.touch("left")
    assert top(table).shown == len(top(table).legal) - 1


def test_a_position_that_cannot_be_has_no_answer() -> None:
    none = replace(PLAYED, board=Board((0,) * 25, (0,) * 25), dice=(3, 1))
    assert (none.verdict, none.legal, none.ready()) == (None, (), False)
    assert none.seen() == none.position
    assert none.record().position == ""


def test_dice_and_usual_positions_are_a_touch_away() -> None:
    table = opened()
    table.touch("Dice").touch("5-3")
    assert (top(table).dice, top(table).moving) == ((5, 3), True)
    table.touch("Set the position")
    table.touch("Position").touch("Empty board")
    assert sum(top(table).position.me) == 0
    table.touch("Position").touch("Start of a game")
    table.touch("Position").touch("See it from the other side")
    assert top(table).mover is board_for(_view()).mover.other
    assert top(table).position == start_board(GAME)


def test_the_last_position_comes_back() -> None:
    table = opened()
    drag(table, 6, 4)
    position = top(table).position
    table.touch("Back")
    fresh = PLAYED.after(table.desk._examined)
    table.show(fresh).show(ChoosePosition(fresh)).touch("The last one")
    assert top(table).position == position


def test_an_id_is_typed() -> None:
    assert replace(PLAYED).written("id", "4HPwATDgc/ABMA").position == start_board(GAME)
    assert "id" in PLAYED.written("id", "nonsense").wrong
    assert PLAYED.written("id", "LN1-0000-3ZZW-0000-7ZZR-03").wrong == "That is a position of the other game."
    assert PLAYED.asks("id")


def test_long_nardy_knows_the_two_first_throws() -> None:
    table = _nardy(PLAIN).show(replace(HEAD, ply=None)).show(ChoosePosition(replace(HEAD, ply=None)))
    table.touch("A later throw")
    table.touch("First player's first throw")
    screen = table.desk._open[-1]
    assert isinstance(screen, ChoosePosition)
    assert screen.form.ply == 2


def test_it_goes_on_record_with_a_ruling() -> None:
    table = opened(dice=(3, 1), moving=True, steps=(Step(8, 5),))
    table.touch("To a ruling")
    assert isinstance(table.desk._open[-1], AttachTo)
    table.wait(1)
    first = next(control for control in table.picture().controls if control.name.startswith("1."))
    table.touch(first.name)
    (play,) = table.session.table.rulings[0].plays
    assert (play.position, play.dice, play.move, play.verdict) == ("4HPwATDgc/ABMA", "3-1", "8/5", "both")
    assert isinstance(table.chronicle.entries[-1].fact, PlayAttached)


def test_players_open_it_together_and_it_closes_when_a_clock_runs() -> None:
    table = _stopped(PLAIN).show(AskBoard(PLAYED))
    refused = next(control for control in table.picture().controls if control.name == "Open the board")
    assert refused.why is not None
    for side in (LEFT, RIGHT):
        table.touch(f"{' & '.join(table.session.table.setup.players[side])} agrees")  # type: ignore[union-attr]
    table.touch("Open the board")
    assert top(table).agreed
    attach = next(control for control in table.picture().controls if control.name == "To a ruling")
    assert attach.why == "An official puts it on record."
    table.do(c.Resume()).wait(1)
    assert table.picture().name == "face"


def test_the_match_names_its_board() -> None:
    assert board_for(_view()).rules.game is GAME
    assert board_for(replace(_view(), books={})).rules == PLAYED.rules
    assert ChooseDice(PLAYED).stays(_view())


def test_taking_over_knows_both_sides() -> None:
    board = taken_over(start_board(Game.LONG_NARDY), Game.LONG_NARDY, 12, 13)
    assert board.opp[23] == 14
    assert board.opp[0] == 1


# ── A game written down ──────────────────────────────────────────────────────
def test_a_game_is_written_down_turn_by_turn() -> None:
    table = _in_charge(PLAIN).show(Transcribe(1))
    table.touch("Dice").touch("3-1")
    drag(drag(table, 8, 5), 6, 5)
    table.touch("Write it down")
    table.touch("Double")
    table.touch("Take")
    table.touch("Erase the last")
    noted = [(fact.n, fact.side, fact.what) for fact in (entry.fact for entry in table.chronicle.entries) if isinstance(fact, TurnNoted)]
    assert noted == [(1, LEFT, "31: 8/5 6/5"), (2, RIGHT, "double"), (3, LEFT, "take"), (3, LEFT, "")]
    assert table.picture().name == "transcribe"


def test_what_was_moved_wrong_is_said_and_cannot_be_written() -> None:
    table = _in_charge(PLAIN).show(Transcribe(1, dice=(3, 1), steps=(Step(8, 5),)))
    write = next(control for control in table.picture().controls if control.name == "Write it down")
    assert write.why is not None
    assert "Both numbers" in write.why


def test_who_began_is_a_touch() -> None:
    table = _in_charge(PLAIN).show(Transcribe(1, opener=LEFT))
    name = " & ".join(table.session.table.setup.players[LEFT])  # type: ignore[union-attr]
    table.touch(name)
    screen = table.desk._open[-1]
    assert isinstance(screen, Transcribe)
    assert screen.opener is RIGHT


def test_touches_that_lead_nowhere_are_said_on_the_transcript_too() -> None:
    table = _in_charge(PLAIN).show(Transcribe(1))
    drag(table, 8, 5)
    assert table.desk._open[-1].wrong == "Choose the dice first."  # type: ignore[attr-defined]
    table.show(Transcribe(1, dice=(3, 1)))
    drag(table, 1, 5)
    assert "other side's" in table.desk._open[-1].wrong  # type: ignore[attr-defined]
    tap(tap(table, 8), 8)
    tap(tap(table, 8), 5)
    assert table.desk._open[-1].steps == (Step(8, 5),)  # type: ignore[attr-defined]


def test_nothing_that_is_moved_wrong_on_the_transcript_breaks_its_picture() -> None:
    table = _in_charge(PLAIN).show(Transcribe(1, dice=(3, 1)))
    for start, end, told in ((8, BAR, "nobody moves one to the bar"), (8, THEIR_BAR, "nobody moves"), (3, 2, "Nothing lies there.")):
        drag(table, start, end)
        assert told in table.desk._open[-1].wrong  # type: ignore[attr-defined]
        assert table.picture().name == "transcribe"
    for _ in range(9):
        drag(table, 8, 7) if plan(table).at(8)[0] else drag(table, 7, 6)
    assert table.picture().name == "transcribe"
    assert not table.desk.health.screen


def kept(table: Table) -> dict[int, tuple[PlayTurn, ...]]:
    return turns_of(entry.fact for entry in table.chronicle.entries)


def test_any_game_of_the_match_can_be_opened_and_put_right() -> None:
    table = MOMENTS["transcribe-which"](PLAIN)
    table.touch("Game 1: Марија Ќосева, gammon, cube 2").touch("Erase the last")
    assert [turn.act for turn in kept(table)[1]] == [Act.MOVE, Act.MOVE, Act.DOUBLE]
    table.touch("Back").touch("Game 2: Борис Гринько, single, cube 1").touch("Erase the last")
    assert 2 not in kept(table)
    assert "board" in [control.name for control in table.picture().controls]


def test_a_game_that_does_not_come_to_what_was_recorded_says_so() -> None:
    words = " ".join(op.text for op in MOMENTS["transcribe-unfit"](PLAIN).picture().ops if isinstance(op, Text))
    assert "come to 1 for Марија Ќосева, the record says 4" in " ".join(words.split())


def test_a_single_game_is_opened_at_once_and_many_have_pages() -> None:
    assert moments.table().open().press(LEFT, 5).show(History()).touch("Write moves down").picture().name == "transcribe"
    made = moments.table().open(length=25)
    for n in range(12):
        made.game((LEFT, RIGHT)[n % 2])
    made.show(History()).touch("Write moves down").touch("Earlier")
    names = [control.name for control in made.picture().controls]
    assert "Game 1: Марија Ќосева, single, cube 1" in names
    made.touch("Newest")
    assert "Game 12: Борис Гринько, single, cube 1" in [control.name for control in made.picture().controls]


def test_a_match_is_judged_by_the_rules_it_was_opened_with() -> None:
    made = moments.table().open()
    view = replace(_view(), shot=made.session.snapshot(Instant(made.now)))
    setup = view.shot.table.setup
    assert setup is not None
    loose = replace(setup, game="long", play=PlayOptions(block=BlockRule.NONE))
    with_it = replace(view, shot=replace(view.shot, table=replace(view.shot.table, setup=loose)), books={})
    assert board_for(with_it).rules == PlayRules(Game.LONG_NARDY, RuleText.NATIONAL, block=BlockRule.NONE)
    before = replace(view, shot=replace(view.shot, table=replace(view.shot.table, setup=replace(setup, play=None))))
    assert board_for(before).rules == PlayRules.of(before.books["ibgf"])
