"""What people opened is closed when the table has moved on under it; what a refusal met stays open, and its words are said."""

from __future__ import annotations

import pytest

from kiosk.domain.rulebook import FlagPolicy, Kind, OnFlag
from kiosk.domain.setup import Options, resolve
from kiosk.domain.state import Phase
from kiosk.domain.types import NS_PER_S, Pair, Side
from kiosk.session import commands as c
from kiosk.ui.screens.history import History
from kiosk.ui.screens.keyboard import Keyboard
from kiosk.ui.screens.menu import Menu
from kiosk.ui.screens.questions import AskBreak, AskClaim, AskDispute, AskEndBreak, AskLate, AskResign
from kiosk.ui.screens.record import Record
from kiosk.ui.screens.sign import SignSheet
from kiosk.ui.screens.start import ChooseBook, ChooseLength, ChooseTime, MoreOptions
from tests.ui.moments import BOOKS, MOMENTS, NAMES, PLAIN, START, Table, table

LEFT, RIGHT = Side.LEFT, Side.RIGHT


def moment(name: str) -> Table:
    found = MOMENTS[name](PLAIN)
    found.picture()
    return found


def test_a_double_is_no_longer_asked_for_after_the_press() -> None:
    match = moment("playing").touch("Double")
    assert match.picture().name == "askdouble"
    match.press(match.session.table.clock.turn, 1)  # type: ignore[union-attr,arg-type]
    assert match.picture().name == "face"
    match.press(match.session.table.clock.turn, 1)  # type: ignore[union-attr,arg-type]
    assert match.picture().name == "face"


@pytest.mark.parametrize("screen", [AskBreak(), AskLate()])
def test_what_is_asked_before_a_game_closes_at_its_first_press(screen: AskBreak) -> None:
    match = (moment("opening-between-games") if isinstance(screen, AskBreak) else moment("opening")).show(screen)
    assert match.picture().name == screen.name
    match.press(LEFT, 1)
    assert match.picture().name == "face"


def test_a_break_that_was_ended_elsewhere_is_not_ended_again() -> None:
    match = moment("break").show(AskEndBreak())
    match.picture()
    match.do(c.EndBreak(LEFT))
    assert match.picture().name == "face"


def test_a_dispute_is_not_asked_for_once_the_entry_is_gone() -> None:
    for command in (c.Undo(), c.ConfirmGame(RIGHT), c.DisputeGame(RIGHT)):
        match = moment("recording").show(AskDispute(RIGHT))
        assert match.picture().name == "askdispute"
        match.do(command)
        assert match.picture().name != "askdispute"


def test_a_record_that_came_in_elsewhere_closes_the_form() -> None:
    match = moment("playing").show(Record(LEFT))
    match.picture()
    match.do(c.RecordGame(RIGHT, Kind.SINGLE, None))
    assert match.picture().name == "confirm"


def test_a_game_that_came_and_went_between_two_pictures_closes_the_form_too() -> None:
    match = moment("playing").show(Record(LEFT))
    match.picture()
    match.do(c.RecordGame(RIGHT, Kind.SINGLE, None)).do(c.ConfirmGame(LEFT))
    assert match.picture().name == "face"


@pytest.mark.parametrize("screen", [AskResign(), AskResign(LEFT), Record(LEFT), AskClaim(LEFT)])
def test_a_flag_that_ends_the_match_by_itself_closes_every_question(screen: AskResign) -> None:
    match = table()
    reserve = Pair(25 * NS_PER_S, 3 * NS_PER_S)
    match.open(reserve=reserve, on_flag=OnFlag(FlagPolicy.AUTO)).press(LEFT, 1).show(screen)
    match.wait(5)
    match.picture()
    match.now += 40 * NS_PER_S  # the picture knows before the table's own turn
    assert match.picture().name == "finished"
    match.wait(0)
    assert match.session.table.phase is Phase.ENDED


def test_a_claim_stays_asked_whoever_presses() -> None:
    match = moment("flag").show(AskClaim(LEFT))
    match.picture()
    match.press(LEFT, 1).press(RIGHT, 1)
    assert match.picture().name == "askclaim"


def another(match: Table) -> Table:
    return match.do(c.OpenMatch("m-other", resolve(BOOKS["ibgf"], Options(length=5, players=NAMES))))


@pytest.mark.parametrize(
    "screen", [START, Keyboard(START, LEFT, "Jo"), ChooseBook(START), ChooseLength(START), ChooseTime(START), MoreOptions(START)]
)
def test_a_match_that_was_opened_elsewhere_closes_the_form_and_its_choices(screen: Keyboard) -> None:
    for name in ("start", "ended", "signed"):
        match = moment(name).show(START).show(screen)
        assert match.picture().name == screen.name
        another(match)
        assert match.picture().name == "face"
        assert not match.desk.takes_text


def test_another_match_closes_whatever_was_opened_for_the_one_before() -> None:
    for screen in (Menu(), History(2), SignSheet(LEFT)):
        match = moment("ended").show(screen)
        match.picture()
        another(match)
        assert match.picture().name == "face"


def test_the_check_in_list_follows_the_opening() -> None:
    match = moment("start").touch("Open a 7-point match")
    assert match.picture().name == "checkin"
    match.touch("To the clock (6 open)")
    assert match.picture().name == "face"


# ── Refusals ─────────────────────────────────────────────────────────────────
def test_a_dimmed_button_says_why_and_what_was_open_stays() -> None:
    match = moment("playing-crawford").touch("Double")
    assert match.picture().name == "face"
    match = moment("record").touch("Record")
    assert match.picture().name == "record"
    assert match.desk._said is not None
    assert match.desk._said[0].tone == "refused"


def test_a_command_that_is_refused_leaves_what_was_open() -> None:
    match = moment("ask-late")
    match.wait(1)
    scene = match.picture()
    tile = next(control for control in scene.controls if control.name.endswith("is missing"))
    match.do(c.StartLate((LEFT,)))  # said elsewhere, after this picture
    facts = match.chronicle.count
    match.desk.touch(tile.rect.x + 9, tile.rect.y + 9, match.now)
    assert match.chronicle.count == facts
    assert match.desk._said is not None
    assert match.desk._said[0].tone == "refused"
    assert match.picture().name == "asklate"


def test_a_power_cut_closes_everything() -> None:
    match = moment("record-filled")
    match.desk.take_over(match.session)
    assert match.picture().name == "face"
