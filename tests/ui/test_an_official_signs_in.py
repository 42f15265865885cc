"""Officials at a table: the way in and out, a ruling in four touches, a whole table set in a minute, and what players see of it."""

from __future__ import annotations

import pytest

from kiosk.app.roster import MemoryRoster
from kiosk.domain.facts import AppealTo, Outcome, Permit
from kiosk.domain.officials import Official, Role
from kiosk.domain.rulebook import Sanction
from kiosk.domain.state import Phase
from kiosk.domain.types import NS_PER_S, Pair, Side, clock_text
from kiosk.session import commands as c
from kiosk.ui.draw import Control, Text
from kiosk.ui.page import Place
from kiosk.ui.screens.official.card import Remedy
from kiosk.ui.screens.official.desk import Officials
from kiosk.ui.screens.official.frame import AskAct
from kiosk.ui.screens.official.ruling import RuleOn
from kiosk.ui.screens.official.rulings import Decide, OneRuling
from kiosk.ui.screens.official.signin import SignPad
from kiosk.ui.type import SMALLEST, fitted
from tests.ui.moments import CARD, MOMENTS, PLACES, PLAIN, SMALL, VERA, Table, table

LEFT, RIGHT = Side.LEFT, Side.RIGHT
PEOPLE = [{"name": "Vera", "role": "chief", "pin": "2468"}, {"name": "Ilija", "role": "referee", "pin": "1357"}]


class Counted(MemoryRoster):
    """Counts how often a PIN is looked up."""

    asked = 0

    def find(self, secret: str) -> Official | None:
        self.asked += 1
        return super().find(secret)


def at_play(*, people: list[dict[str, str]] | None = None) -> tuple[Table, Counted]:
    match = MOMENTS["playing"](PLAIN)
    roster = Counted(PEOPLE if people is None else people)
    roster.asked = 0
    match.desk.roster = roster
    match.desk.card_for = lambda _rulebook: CARD
    return match, roster


def pin(match: Table, digits: str) -> Table:
    for digit in digits:
        match.touch(digit)
    return match


def said(match: Table) -> str:
    match.picture()
    told = match.desk._said
    return "" if told is None else told[0].text


def shown(match: Table, place: Place = SMALL) -> str:
    return "\n".join(op.text for op in match.picture(place).ops if isinstance(op, Text))


# ── The way in ───────────────────────────────────────────────────────────────
def test_the_first_touch_calls_the_second_opens_the_pad_and_then_it_is_the_menu() -> None:
    match, _roster = at_play()
    match.touch("Referee")
    assert match.session.table.referee_called
    assert match.session.table.phase is Phase.STOPPED
    assert match.picture().name == "face"
    match.touch("Referee")
    assert match.picture().name == "signpad"
    pin(match, "1357").touch("Sign in")
    assert match.picture().name == "officials"
    assert match.session.table.official is not None
    assert match.session.table.official.official.name == "Ilija"
    match.touch("Back").touch("Referee")
    assert match.picture().name == "officials"


def test_the_call_acts_at_once() -> None:
    match, _roster = at_play()
    rect = next(control.rect for control in match.picture().controls if control.name == "Referee")
    match.desk.touch(rect.x + 5, rect.y + 5, match.now)  # the screen has stood for no time at all
    assert match.session.table.referee_called


def test_a_wrong_pin_says_how_many_tries_are_left() -> None:
    match, roster = at_play()
    match.touch("Referee").touch("Referee")
    pin(match, "9999").touch("Sign in")
    assert said(match) == "This PIN is nobody's."
    assert "Wrong PIN. 4 more tries." in shown(match)
    assert match.picture().name == "signpad"
    assert roster.asked == 1
    pin(match, "2468").touch("Sign in")
    assert match.picture().name == "officials"


def test_five_wrong_pins_lock_for_a_minute_and_none_is_looked_up() -> None:
    match, roster = at_play()
    match.touch("Referee").touch("Referee")
    for _n in range(5):
        pin(match, "9999").touch("Sign in")
    assert roster.asked == 5
    assert "Five wrong PINs: wait 60 s." in shown(match)
    pin(match, "2468").touch("Sign in")
    assert roster.asked == 5
    assert said(match).startswith("Five wrong PINs: wait ")
    assert match.session.table.official is None
    match.wait(60).touch("Sign in")
    assert match.picture().name == "officials"


def test_the_wait_is_counted_down_on_the_pad() -> None:
    match = MOMENTS["sign-pad-locked"](PLAIN)
    scene = match.picture()
    assert scene.changes_at is not None
    assert scene.changes_at - match.now <= NS_PER_S
    match.now = scene.changes_at
    assert match.picture().ops != scene.ops


def test_the_first_start_asks_for_the_chiefs_pin_twice() -> None:
    match, roster = at_play(people=[])
    chosen: list[str] = []

    def first(secret: str) -> str:
        chosen.append(secret)
        roster._people.append((VERA, secret))
        return ""

    match.desk.on_first_pin = first
    match.touch("Referee").wait(5).touch("Referee")
    assert "Choose the chief referee's PIN" in shown(match)
    pin(match, "8642").touch("Next: the same again")
    pin(match, "8641").touch("Enter the chief referee")
    assert said(match) == "That is not the same PIN; go back and begin anew."
    assert not chosen
    match.touch("delete")
    pin(match, "2").touch("Enter the chief referee")
    assert chosen == ["8642"]
    assert said(match) == "The chief referee is entered. Sign in now."
    pin(match, "8642").touch("Sign in")
    assert match.session.table.official is not None


def test_a_first_pin_that_cannot_be_used_is_asked_for_again() -> None:
    match, _roster = at_play(people=[])
    match.desk.on_first_pin = lambda _secret: "This PIN is the first that anybody tries."
    match.touch("Referee").touch("Referee")
    pin(match, "8642").touch("Next: the same again")
    pin(match, "8642").touch("Enter the chief referee")
    assert said(match) == "This PIN is the first that anybody tries."
    assert match.desk._open[-1] == SignPad()


def test_a_first_pin_that_everybody_tries_is_refused_before_it_is_asked_for_again() -> None:
    words = "This PIN is the first that anybody tries (equal digits, or digits in a row); choose another one."
    match, _roster = at_play(people=[])
    match.touch("Referee").touch("Referee")
    pin(match, "123456").touch("Next: the same again")
    assert said(match) == words
    assert match.desk._open[-1] == SignPad("123456")
    match.wait(10).desk.enter(match.now)
    assert said(match) == words
    assert match.desk._open[-1] == SignPad("123456")
    match.touch("delete")
    pin(match, "8").touch("Next: the same again")
    assert match.desk._open[-1] == SignPad("", "123458")


def test_a_real_keyboard_types_the_pin_and_enter_does_the_rest() -> None:
    match, roster = at_play(people=[])
    match.desk.on_first_pin = lambda secret: roster._people.append((VERA, secret)) or ""  # type: ignore[func-returns-value]
    match.touch("Referee").touch("Referee")
    for typed in ("86x4\b", "42", "8642", "8642"):
        for letter in typed:
            match.desk.typed(letter, match.now)
        if typed != "86x4\b":
            match.desk.enter(match.now)
        match.wait(1).picture()
    assert match.desk._open[-1] == Officials()
    assert not match.session.table.lockout.count


def test_no_pin_stays_in_what_could_be_printed() -> None:
    match, _roster = at_play()
    match.touch("Referee").touch("Referee")
    pin(match, "2468")
    assert not [control for control in match.picture().controls if "2468" in repr(control.action)]


# ── The way out ──────────────────────────────────────────────────────────────
@pytest.mark.parametrize("moment", ["officials", "rule-on-side", "set-table-2", "ask-act", "permits", "set-both"])
def test_a_minute_without_a_touch_signs_out_and_closes_what_was_open(moment: str) -> None:
    match = MOMENTS[moment](PLAIN)
    match.picture()
    match.desk.touch(2, 2, match.now)  # on nothing
    match.wait(58)
    assert match.session.table.official is not None
    match.desk.touch(2, 2, match.now)
    match.wait(58)
    assert match.session.table.official is not None
    match.wait(3)
    assert match.session.table.official is None
    assert match.picture().name == "face"
    assert said(match) == "Signed out after a minute without a touch."


def test_a_keyboard_over_an_officials_form_closes_with_it() -> None:
    match = MOMENTS["ask-act"](PLAIN).touch("Other reason")
    assert match.picture().name == "keyboard"
    match.wait(61)
    assert match.picture().name == "face"


def test_signing_out_is_one_touch() -> None:
    match = MOMENTS["officials"](PLAIN).touch("Sign out")
    assert match.session.table.official is None
    assert match.picture().name == "face"


# ── Few touches ──────────────────────────────────────────────────────────────
def test_a_ruling_takes_four_touches_from_the_menu() -> None:
    match = MOMENTS["officials"](PLAIN)
    match.touch("Rule on an infraction").touch("Dice changed without permission").touch("Борис Гринько")
    match.touch("Penalty point: Борис Гринько")
    ruling = match.session.table.rulings[-1]
    assert (ruling.sides, ruling.sanction) == ((RIGHT,), Sanction.PENALTY_POINT)
    assert match.picture().name == "face"


def test_points_that_were_taken_back_are_no_longer_seen() -> None:
    match = MOMENTS["rule-on-side"](PLAIN)
    match.touch("Back")
    plain = match.picture().ops
    match.show(RuleOn("dice_replaced", (RIGHT,))).touch("Penalty point: Борис Гринько").wait(5)
    assert match.picture().ops != plain
    match.touch("Referee").touch("Undo the last act")
    assert said(match).startswith("Undone: ")
    match.wait(5)
    assert [op for op in match.picture().ops if isinstance(op, Text) and op.text == "1"] == [
        op for op in plain if isinstance(op, Text) and op.text == "1"
    ]


def test_a_sanction_that_is_suggested_is_chosen_and_says_so() -> None:
    match = MOMENTS["rule-on-side"](PLAIN).touch("Penalty point")
    assert said(match) == "That is so already."
    match.touch("Warning")
    assert match.desk._open[-1] == RuleOn("dice_replaced", (RIGHT,), Sanction.WARNING)
    match.touch("Penalty point")
    assert match.desk._open[-1] == RuleOn("dice_replaced", (RIGHT,))


def test_a_ruling_on_record_only_is_one_touch_among_the_sanctions() -> None:
    match = MOMENTS["rule-on-side"](PLAIN).touch("On record only").touch("On record only: Борис Гринько")
    ruling = match.session.table.rulings[-1]
    assert (ruling.sanction, ruling.suggested) == (None, Sanction.PENALTY_POINT)


class Taps:
    """Sets the whole table touch by touch, and counts."""

    def __init__(self, match: Table, place: Place) -> None:
        self.match, self.place, self.count = match, place, 0

    def touch(self, name: str, row: int = 0) -> None:
        found = self._found(name)
        self.match.now += NS_PER_S // 2
        self.match.picture(self.place)
        rect = found[row].rect
        self.match.desk.touch(rect.x + rect.w // 2, rect.y + rect.h // 2, self.match.now)
        self.match.desk.release(self.match.now)
        self.count += 1

    def _found(self, name: str) -> list[Control]:
        found = [control for control in self.match.picture(self.place).controls if control.name == name]
        return sorted(found, key=lambda control: (control.rect.y, control.rect.x))

    def step(self, row: int, by: int, steps: tuple[tuple[int, str], ...]) -> None:
        """Go from one figure to another as somebody would: the largest steps first, past it and back where that is shorter."""
        for size, word in steps:
            many = round(by / size) if size != steps[-1][0] else by // size
            for _n in range(abs(many)):
                self.touch(("+" if many > 0 else "−") + word, row)
            by -= many * size


COUNTS = ((5, "5"), (1, "1"))
TIMES = ((300, "5:00"), (60, "1:00"), (10, "0:10"), (1, "0:01"))


@pytest.mark.parametrize("size", PLACES)
def test_a_whole_table_is_set_in_a_minute(size: str, capsys: pytest.CaptureFixture[str]) -> None:
    match = table().open(length=13)
    match.desk.card_for = lambda _rulebook: CARD
    match.do(c.SignIn(VERA)).wait(1)
    start = match.session.table.clock
    assert start is not None
    taps = Taps(match, PLACES[size])
    for name in ("Referee", "Cube, seats, game", "Set the whole table (spare device)"):
        taps.touch(name)
    for row, number in enumerate((7, 9, 11)):
        taps.step(row, number - (1 if row == 2 else 0), COUNTS)
    taps.touch("Crawford was played")
    taps.touch("Next page")
    for row, seconds in enumerate((14 * 60 + 37, 8 * 60 + 5)):
        taps.step(row, seconds - start.reserve.left // NS_PER_S, TIMES)
    taps.touch("Next page")
    taps.touch("Борис Гринько to move")
    taps.step(0, 7, COUNTS)
    taps.touch("4")
    taps.touch("Борис Гринько")
    taps.touch("Set the table")
    after = match.session.table
    assert after.clock is not None
    assert (after.game, after.clock.turn, after.cube.value, after.cube.owner) == (11, RIGHT, 4, RIGHT)
    assert [clock_text(after.clock.reserve[side]) for side in (LEFT, RIGHT)] == ["14:37", "8:05"]
    assert match.session.snapshot(after.now).score == Pair(7, 9)
    with capsys.disabled():
        print(f"\n{size}: the whole table in {taps.count} taps")
    assert taps.count <= 60


def test_a_table_at_play_is_set_from_what_it_shows() -> None:
    match = MOMENTS["board-tools"](PLAIN)
    before = match.session.table
    match.touch("Set the whole table (spare device)").touch("Next page").touch("Next page").touch("Set the table")
    after = match.session.table
    assert before.clock is not None
    assert after.clock is not None
    assert (after.game, after.cube, after.clock.turn) == (before.game, before.cube, before.clock.turn)
    assert [clock_text(after.clock.reserve[side]) for side in Side] == [clock_text(before.clock.reserve[side]) for side in Side]


def test_back_on_a_later_page_loses_nothing() -> None:
    match = MOMENTS["set-table-2"](PLAIN)
    opened = match.desk._open[-1]
    match.touch("Next page").touch("Back")
    assert match.desk._open[-1] == opened


# ── Texts ────────────────────────────────────────────────────────────────────
FORMS = {
    "reason": (AskAct("?", "", "", c.SetCube(4, LEFT, ""), reason=""), "Other reason", "reason"),
    "note": (RuleOn("dice_replaced", (RIGHT,)), "Note", "note"),
    "panel": (RuleOn("match_fixing", (RIGHT,), Sanction.EXPULSION), "Panel's names", "panel"),
    "names": (Decide(1), "Names of those who decided", "names"),
}


@pytest.mark.parametrize("what", FORMS)
@pytest.mark.parametrize("by_enter", [True, False])
def test_what_is_typed_arrives_in_the_form(what: str, *, by_enter: bool) -> None:
    form, button, field = FORMS[what]
    match = MOMENTS["rulings"](PLAIN).show(form).touch(button)
    assert match.picture().name == "keyboard"
    for letter in "Ana & Ilija ":
        match.desk.typed(letter, match.now)
    if by_enter:
        match.desk.enter(match.now)
    else:
        match.touch("Done")
    assert match.picture().name == form.name
    assert getattr(match.desk._open[-1], field) == "Ana & Ilija"
    assert "Ana & Ilija" in shown(match)


@pytest.mark.parametrize("what", FORMS)
def test_escape_goes_back_and_changes_nothing(what: str) -> None:
    form, button, _field = FORMS[what]
    match = MOMENTS["rulings"](PLAIN).show(form).touch(button)
    match.picture()
    match.desk.typed("x", match.now)
    match.desk.back(match.now)
    assert match.desk._open[-1] == form


def test_a_typed_reason_stays_on_record() -> None:
    match = MOMENTS["rulings"](PLAIN).show(FORMS["reason"][0]).touch("Do it")
    assert said(match) == "Choose a reason first."
    match.touch("Other reason")
    for letter in "cube fell":
        match.desk.typed(letter, match.now)
    match.desk.enter(match.now)
    match.touch("Do it")
    assert getattr(match.chronicle.entries[-1].fact, "reason", "") == "cube fell"


# ── What everybody sees ──────────────────────────────────────────────────────
def test_how_long_ago_the_referee_was_called_is_counted_and_nothing_is_otherwise() -> None:
    match, _roster = at_play()
    match.do(c.StopClock(None, None)).wait(20)
    idle = match.picture().changes_at
    assert idle is None or idle - match.now > 5 * NS_PER_S
    match.do(c.CallReferee(None)).wait(0.3)
    for second in range(3):
        scene = match.picture()
        assert f"called 0:0{second} ago" in shown(match)
        assert scene.changes_at is not None
        match.now = scene.changes_at
    match.do(c.SignIn(VERA))
    held = match.picture().changes_at
    assert held is None or held - match.now > 5 * NS_PER_S


def test_who_is_out_and_how_long_stands_in_his_half() -> None:
    match = MOMENTS["playing-out"](PLAIN)
    words = [op for op in match.picture().ops if isinstance(op, Text) and op.text.startswith("out ")]
    assert [op.text for op in words] == ["out 0:47"]
    half = next(control.rect for control in match.picture().controls if control.name == "half-left")
    assert half.holds(words[0].rect.x, words[0].rect.y)
    match.do(c.Back(LEFT, Permit.LEAVE))
    assert "out 0:" not in shown(match)


def test_a_suspended_match_is_taken_up_again() -> None:
    match, _roster = at_play()
    match.do(c.StopClock(None, None)).do(c.SignIn(VERA)).do(c.Suspend()).do(c.SignOut()).wait(2)
    match.touch("Referee")
    assert match.picture().name == "signpad"
    pin(match, "2468").touch("Sign in").touch("Resume the match")
    assert match.session.table.phase is Phase.STOPPED
    match.do(c.Suspend()).touch("Resume the match")  # the same on the clock face, while somebody is signed in
    assert match.session.table.phase is Phase.STOPPED


def test_a_disputed_game_is_decided_by_the_referee() -> None:
    match = MOMENTS["disputed-signed-in"](PLAIN).touch("Referee").touch("Decide the game")
    assert match.picture().name == "record"
    match.touch("Борис Гринько won").touch("Борис Гринько wins 4 points")
    assert match.session.table.awaiting is None


# ── Rulings and appeals ──────────────────────────────────────────────────────
ILIJA = Official("Ilija", Role.REFEREE)
BORIS, REPLACED = "Борис Гринько", "Dice changed without permission"


def appealed() -> Table:
    """A referee's ruling that its player is about to appeal against."""
    match, _roster = at_play()
    match.do(c.StopClock(None, None)).do(c.SignIn(ILIJA)).do(c.Rule((RIGHT,), "dice_replaced", note="took mine")).do(c.SignOut())
    return match.wait(1).touch("menu").touch("Rulings, appeals").touch(f"1. {BORIS}: {REPLACED}, penalty point")


def test_an_appeal_says_where_it_goes_and_rises_to_the_committee() -> None:
    match = appealed().touch(f"{BORIS} appeals")
    assert "It goes to the chief referee; the ruling holds until it is decided." in shown(match)
    match.touch("Lodge the appeal").do(c.SignIn(VERA)).do(c.DecideAppeal(1, Outcome.UPHELD)).do(c.SignOut()).show(OneRuling(1)).wait(1)
    assert f"Appeal 1 by {BORIS} to the chief referee: the ruling stands" in shown(match)
    match.touch(f"{BORIS} appeals")
    assert "It goes to the committee; the ruling holds until it is decided." in shown(match)
    match.touch("Lodge the appeal")
    assert match.session.table.appeals[-1].to is AppealTo.COMMITTEE


def test_what_became_of_a_ruling_is_told() -> None:
    match = appealed().touch(f"{BORIS} appeals").touch("Lodge the appeal").do(c.SignIn(VERA)).wait(1)
    match.do(c.DecideAppeal(1, Outcome.WARNING, ("Ana", "Eve"))).show(OneRuling(1))
    told = shown(match)
    assert "penalty point (now ruling 2)" in told
    assert "Note: took mine" in told
    assert "to the chief referee: warning (Ana, Eve)" in told
    match.show(OneRuling(2))
    assert "On appeal, in place of ruling 1" in shown(match)
    assert "Decided by Ana, Eve" in shown(match)
    match.touch("Take it back").touch("Wrong player").touch("Do it").show(OneRuling(2)).wait(1)
    assert "warning (taken back)" in shown(match)
    assert "Taken back: wrong player" in shown(match)


def test_a_ruling_that_fell_on_appeal_was_not_taken_back() -> None:
    match = appealed().touch(f"{BORIS} appeals").touch("Lodge the appeal").do(c.SignIn(VERA)).wait(1)
    match.do(c.DecideAppeal(1, Outcome.VOID)).show(OneRuling(1))
    assert "penalty point (fell on appeal)" in shown(match)
    assert "taken back" not in shown(match).lower()


def test_a_filter_that_hides_all_does_not_say_that_there_is_nothing() -> None:
    match = appealed().touch("Back").touch("Марија Ќосева")
    assert "No ruling is like that." in shown(match)


def test_all_that_is_on_record_of_a_ruling_is_shown_large_enough() -> None:
    match = appealed().do(c.SignIn(VERA)).wait(1)
    for by in (LEFT, RIGHT):
        match.do(c.LodgeAppeal(1, by)).do(c.DecideAppeal(len(match.session.table.appeals), Outcome.UPHELD, ("Ana Kralj", "Eve Novak")))
    match.do(c.LodgeAppeal(1, RIGHT)).show(OneRuling(1))
    for place in PLACES.values():
        long = next(op for op in match.picture(place).ops if isinstance(op, Text) and op.text.startswith("1. "))
        size, lines = fitted(long.text, long.face, long.size, long.rect.w, long.rect.h, long.lines)
        assert size > SMALLEST
        assert lines[-1].endswith("open")


# ── Three seconds ────────────────────────────────────────────────────────────
def test_the_counter_is_three_touches_from_the_clock_face_and_counts_while_the_clock_runs() -> None:
    match, _roster = at_play()
    match.touch("menu").touch("Rule card").touch("Count three seconds")
    assert match.session.table.phase is Phase.PLAYING
    begun = match.now
    seen = []
    while match.now < begun + 4 * NS_PER_S:
        scene = match.picture()
        names = [control.name for control in scene.controls]
        seen += [name for name in names if name in {"3", "2", "1", "Not flat: roll again"} and name not in seen]
        assert scene.changes_at is not None
        match.now = scene.changes_at
    assert seen == ["3", "2", "1", "Not flat: roll again"]
    assert match.picture().name == "remedy"
    match.touch("Not flat: roll again")
    assert "3" in [control.name for control in match.picture().controls]
    match.touch("Back")
    assert match.picture().name == "rulecard"


@pytest.mark.parametrize("second", [0, 1, 2])
def test_a_counted_second_is_announced_to_the_nanosecond(second: int) -> None:
    match = MOMENTS["ended"](PLAIN)  # where nothing else changes
    match.desk.card_for = lambda _rulebook: CARD
    match.show(Remedy("on_edge", match.now))
    begun = match.now
    match.now += second * NS_PER_S + (17 if second else 0)
    assert match.picture().changes_at == begun + (second + 1) * NS_PER_S


def test_a_role_says_why_it_may_not() -> None:
    match, _roster = at_play()
    match.do(c.SignIn(Official("Ilija", Role.REFEREE))).show(RuleOn("dice_replaced", (RIGHT,), Sanction.MATCH_LOSS))
    match.touch("Match loss: Борис Гринько")
    assert "chief" in said(match)
    assert not match.session.table.rulings


def test_who_called_is_said_after_the_call() -> None:
    match, _roster = at_play()
    match.touch("Referee").touch("Who called?").touch(BORIS)
    call = match.session.table.call
    assert call is not None
    assert call.by == "right"
    assert match.picture().name == "face"
    assert "Who called?" not in [control.name for control in match.picture().controls]
