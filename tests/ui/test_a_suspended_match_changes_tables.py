"""On the screen: a suspended match is saved, left for another, found and taken up."""

from __future__ import annotations

from collections.abc import Callable

from kiosk.app.panel import remembered
from kiosk.domain.errors import KioskError
from kiosk.domain.state import Phase
from kiosk.session import Carried, carried
from kiosk.session import commands as c
from kiosk.ui.draw import Text
from kiosk.ui.screens.official.desk import Officials
from tests.ui.moments import MOMENTS, PLACES, PLAIN, VERA, Table, table
from tests.ui.test_an_official_signs_in import at_play, said, shown


class Shelf:
    """What can be found, and what becomes of saving."""

    def __init__(self, *matches: Carried, wrong: tuple[str, ...] = (), fault: str = "") -> None:
        self.matches, self.wrong, self.fault = list(matches), list(wrong), fault
        self.saved: list[str] = []

    def found(self) -> tuple[list[Carried], list[str]]:
        return self.matches, self.wrong

    def hand_over(self, match: str) -> str:
        if self.fault:
            raise KioskError(self.fault)
        self.saved.append(match)
        return "usb/a.tableside-match"


def adjourned(number: int = 0) -> Carried:
    match = MOMENTS["playing"](PLAIN)
    match.do(c.StopClock(None, None)).do(c.SignIn(VERA)).do(c.Suspend("XGID")).wait(1)
    found = carried("12", list(match.session._journal.rows()))
    if number:
        from dataclasses import replace

        return replace(found, state=replace(found.state, match=f"n{number}"))
    return found


def suspended() -> Table:
    match, _ = at_play()
    return match.do(c.StopClock(None, None)).do(c.SignIn(VERA)).do(c.Suspend()).wait(1)


def test_it_is_saved_on_a_stick() -> None:
    match = suspended()
    match.desk.shelf = shelf = Shelf()
    match.touch("Referee").touch("Another table or match").touch("Save it on a stick for another table")
    assert shelf.saved == [match.session.table.match]
    assert said(match) == "Saved: usb/a.tableside-match. The stick can be pulled out."
    match.desk.shelf = Shelf(fault="The stick usb is full.")
    match.touch("Save it on a stick for another table")
    assert said(match) == "The stick usb is full."
    assert match.session.table.phase is Phase.SUSPENDED


def test_another_match_is_opened_and_the_suspended_one_waits() -> None:
    match = suspended()
    match.touch("Referee").touch("Another table or match").touch("Open another match here")
    assert match.picture().name == "start"
    match.touch("Open a 7-point match")
    assert match.session.table.phase is Phase.OPENING


def test_it_is_found_and_taken_up_at_a_free_table() -> None:
    free = table(PLAIN)
    free.desk.on_taken_up = lambda match: free.chronicle.put_before(remembered(match.rows))
    free.desk.shelf = Shelf(adjourned(), wrong=("x.tableside-match: this is no adjourned match.",))
    free.do(c.SignIn(VERA))
    free.desk._open.append(Officials())
    free.touch("Suspended matches")
    assert free.picture().name == "chooseadjourned"
    assert said(free) == "x.tableside-match: this is no adjourned match."
    names = "Марија Ќосева – Борис Гринько"
    free.touch(names)
    assert "XGID" in shown(free)
    assert "Борис Гринько" in shown(free)
    free.touch("Take it up")
    assert free.picture().name == "face"
    assert free.session.table.phase is Phase.SUSPENDED
    assert said(free).startswith("Taken up as it was suspended")
    assert type(free.chronicle.entries[0].fact).__name__ == "MatchOpened"
    assert type(free.chronicle.entries[-1].fact).__name__ == "MatchTakenUp"
    free.wait(5).touch("Resume the match").touch("Resume")
    assert free.session.table.phase is Phase.PLAYING


def test_many_are_paged_and_none_is_said() -> None:
    for place in PLACES.values():
        free = table(PLAIN)
        free.do(c.SignIn(VERA))
        free.desk.shelf = Shelf(*[adjourned(n) for n in range(1, 14)])
        free.desk._seek(free.now)
        first = [op.text for op in free.picture(place).ops if isinstance(op, Text)]
        free.touch("More", place)
        assert [op.text for op in free.picture(place).ops if isinstance(op, Text)] != [] != first
        for _ in range(12):
            free.touch("More", place)
        free.desk.shelf = Shelf()
        free.touch("Look again", place)
        assert any(op.text.startswith("There is none") for op in free.picture(place).ops if isinstance(op, Text))


def test_a_table_without_a_shelf_says_so() -> None:
    free = table(PLAIN)
    free.do(c.SignIn(VERA))
    free.desk._seek(free.now)
    assert said(free) == "No suspended match can be taken up here."
    free.desk._hand_over(free.now)
    assert said(free) == "No suspended match can be saved here."


def test_who_was_signed_out_while_a_stick_was_read_sees_no_list() -> None:
    free = table(PLAIN)
    free.do(c.SignIn(VERA))
    free.do(c.SignOut())
    free.desk._show_adjourned(([adjourned()], []), free.now)
    assert free.picture().name == "start"
    free.desk._show_adjourned(KioskError("The stick is broken."), free.now)
    assert said(free) == "The stick is broken."


def test_a_match_that_was_opened_meanwhile_refuses_the_other() -> None:
    free = table(PLAIN)
    free.do(c.SignIn(VERA))
    free.open()
    free.desk._take_up(adjourned(), free.now)
    assert said(free) == "A match is going on at this table; suspend or end it first."


def test_a_stick_does_one_thing_after_the_other() -> None:
    match = suspended()
    match.desk.shelf = shelf = Shelf()
    waiting: list[Callable[[], None]] = []
    match.desk.beside = lambda work, answer, _at: waiting.append(lambda: answer(work(), match.now))  # type: ignore[assignment]
    match.touch("Referee").touch("Another table or match").touch("Save it on a stick for another table")
    match.wait(1).touch("Save it on a stick for another table")
    assert said(match) == "The stick is still being read or written."
    assert len(waiting) == 1
    waiting.pop()()
    assert shelf.saved == [match.session.table.match]
    match.wait(1).touch("Save it on a stick for another table")
    assert len(waiting) == 1


def test_whoever_watches_takes_nothing_up() -> None:
    free = table(PLAIN)
    free.do(c.SignIn(VERA))
    free.desk.watching = True
    free.desk._take_up(adjourned(), free.now)
    assert free.session.table.phase is None
    assert said(free).startswith("This match plays by itself")
