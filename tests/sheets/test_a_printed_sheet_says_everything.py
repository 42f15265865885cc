"""What stands on a sheet in words: alerts, cuts of power, officials' acts, standings, and whatever has no value."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, timedelta, timezone, tzinfo
from typing import Any

import pytest
from boundary import OFFICIALS, boundary
from evenings import line, opened, sheet_of

from kiosk import say
from kiosk.domain import facts as f
from kiosk.domain.officials import Role
from kiosk.domain.rulebook import Method, Provide
from kiosk.domain.types import Instant, Pair, Side, Span, seconds
from kiosk.sheets import printed, to_pdf, to_receipt
from kiosk.sheets.cells import Clockwork, text_of
from kiosk.sheets.paper import broken, spelled, width
from kiosk.sheets.pdf import LONGEST, on_receipt
from kiosk.sheets.printed import control_words, cube_words, provide_words
from kiosk.sheets.printed_parts import TOLD, event_words
from kiosk.sheets.walk import EventLine
from kiosk.sheets.when import When

NOW = When(0, "set")
NAMES = Pair("Ana", "Boris")


def said(fact: f.Fact, kind: str = "", side: Side | None = None, detail: str = "") -> str:
    return event_words(EventLine(kind, side, detail, NOW, fact), boundary("one game"), NAMES)


def table(name: str, *lines: dict[str, Any]) -> list[list[str]]:
    (found,) = (section for section in printed(sheet_of(*lines)).sections if section.key == name)
    return [list(map(text_of, row)) for row in found.rows]


def head(*lines: dict[str, Any]) -> dict[str, str]:
    return {field.key: text_of(field.value) for field in printed(sheet_of(*lines)).head}


def test_alerts_are_told_as_what_was() -> None:
    for code, words in TOLD.items():
        assert said(f.AlertRaised(Instant(0), code, Side.LEFT), code, Side.LEFT) == words.format(name="Ana")
    assert said(f.AlertRaised(Instant(0), "button_held", None), "button_held").startswith("Somebody's hand")
    assert said(f.AlertRaised(Instant(0), "duplicate_ruling", None, "3"), "duplicate_ruling") == "A ruling like ruling 3 was kept beside it"
    assert said(f.AlertRaised(Instant(0), "newer", None, "something new"), "newer", None, "something new") == "something new"


def test_what_happened_is_told_with_whoever_did_it() -> None:
    at = Instant(0)
    assert said(f.RefereeCalled(at, None)) == "The referee was called"
    assert said(f.RefereeCalled(at, "left"), "", Side.LEFT) == "Ana called the referee"
    assert said(f.FlagClaimed(at, "referee")) == "The referee claimed the flag"
    assert said(f.FlagClaimed(at, "left")) == "Ana claimed the flag"
    assert said(f.RulingMerged(at, 2, "seen twice")) == "Ruling 2 was entered again and merged: seen twice"
    assert said(f.RulingMerged(at, 2, "")) == "Ruling 2 was entered again and merged"
    assert said(f.PowerRestored(at, at, seconds(7), Span(0)), "power_restored") == "The power was off for 0:07."
    taken = f.MatchTakenUp(at, at, "5", "ab12", "Vera", Role.REFEREE)
    assert said(taken) == "Vera took the match up here; it came from table 5, chain ab12"


def test_an_act_says_what_it_replaced_and_who_undid_it() -> None:
    lines = (
        opened(5, officials=OFFICIALS, reserve_s=600),
        line(0, "press", side="right"),
        line(10, "game", winner="left", kind="gammon"),
        line(11, "dispute", by="right"),
        line(12, "sign_in", pin="2468"),
        line(13, "game", winner="left", kind="single"),
        line(20, "adjust", side="left", seconds=-30, reason="a phone"),
        line(21, "undo"),
    )
    first, second = table("acts", *lines)
    assert (first[2], first[4]) == ("The referee decided the game for Ana", "The referee decided the game for Ana")
    assert first[5:7] == ["0 : 0", "1 : 0"]
    assert second[3] == "a phone"
    assert second[-1].endswith("?")
    (acts,) = (section for section in printed(sheet_of(*lines)).sections if section.key == "acts")
    assert acts.struck == {1}


def test_a_reason_is_not_said_twice() -> None:
    (row,) = table("acts", opened(5, officials=OFFICIALS), line(1, "sign_in", pin="2468"), line(2, "forfeit", side="left", reason="absent"))
    assert row[2] == "The match was forfeited by Ana: absent"
    assert row[3] == ""


def test_a_suspended_match_says_all_that_is_needed_to_take_it_up() -> None:
    lines = (opened(5, officials=OFFICIALS, reserve_s=60, delay_s=12), line(1, "sign_in", pin="2468"))
    before = table("adjournments", *lines, line(2, "suspend", position="XGID=1", note="the hall closes"))
    assert [row[4:] for row in before] == [
        ["1:00 – 1:00", "before the game", "1, in the middle", "", "XGID=1", "the hall closes", "", "not yet"]
    ]
    played = table("adjournments", *lines, line(2, "press", side="left"), line(5, "suspend", position="XGID=1"))
    assert [row[5:8] for row in played] == [["Boris", "1, in the middle", "0:09.0"]]
    cubeless = (opened(3, rulebook="rus-long", officials=OFFICIALS), line(1, "sign_in", pin="2468"), line(2, "suspend"))
    assert table("adjournments", *cubeless)[0][6] == ""


def test_a_game_lost_by_a_ruling_says_so_also_when_it_is_void() -> None:
    lines = (
        opened(5, officials=OFFICIALS),
        line(0, "press", side="right"),
        line(1, "sign_in", pin="2468"),
        line(2, "penalty", side="right", infraction="eating", sanction="game_loss"),
        line(5, "press", side="right"),
    )
    assert table("games", *lines)[0][-2] == "by ruling 1"
    voided = (*lines, line(6, "void", ruling=1, reason="the wrong table"))
    assert table("games", *voided)[0][-2] == "by ruling 1, void"
    (ruling,) = table("rulings", *voided)
    assert ruling[-1] == "void: the wrong table"


def test_who_received_the_sheet_and_when() -> None:
    lines = (
        opened(1, officials=OFFICIALS),
        line(5, "game", winner="left", kind="single"),
        line(6, "confirm", by="right"),
        line(7, "sign", side="left"),
        line(8, "sign", side="right"),
    )
    open_still = printed(sheet_of(*lines))
    assert open_still.status == (("plain", "Not yet received by the organizer"),)
    received = sheet_of(*lines, line(9, "sign_in", pin="1357"), line(10, "receive"))
    assert printed(received).status == (("good", "Received by Cvetko (chief referee), 22:30:10?"),)
    assert received.received is not None
    nobody = replace(received, received=replace(received.received, by=None))
    assert printed(nobody).status == (("good", "Received, 22:30:10?"),)


def test_the_head_says_what_was_agreed() -> None:
    told = head(opened(7, score={"left": 2, "right": 3}), line(1, "check", item="dice"), line(2, "check", item="left"))
    assert told["opening_score"] == "2 : 3"
    assert told["checked"] == "Ana is seated, Dice"
    assert told["provide"] == "5:00 of bonus time for each, contained in the reserve"
    assert "reserves" not in head(opened(None, rulebook="circle"))
    setup = boundary("one game").setup
    for method, words in ((Method.DELAY, "delay of 12 s"), (Method.FISCHER, "adds 12 s"), (Method.BRONSTEIN, "up to 12 s")):
        assert words in control_words(replace(setup, control=replace(setup.control, method=method)))
    assert provide_words(replace(setup, provide=Provide.BREAKS, breaks=2)) == "2 breaks for each, of at most 5:00"
    assert cube_words(replace(setup, length=1)) == "without cube"


@pytest.mark.parametrize(
    ("zone", "name"),
    [
        (timezone(timedelta(hours=2), "EET"), "EET (UTC+02:00)"),
        (timezone(timedelta(hours=-3, minutes=-30)), "UTC−03:30"),
        (UTC, "UTC"),
    ],
)
def test_the_zone_is_said_by_name_and_distance(zone: tzinfo, name: str) -> None:
    assert Clockwork(zone, NOW).name() == name
    assert Clockwork(zone, When(10**30, "unset")).name() == name


def test_a_date_that_no_calendar_has_is_a_number_on_paper_and_costs_no_sheet() -> None:
    sheet = replace(boundary("one game"), opened=When(10**30, "unset"))
    assert text_of(printed(sheet).opened) == f"{10**30}?"
    assert to_pdf(sheet) == to_pdf(sheet)
    assert Clockwork(UTC, When(10**30, "unset")).moment(NOW).text == "1970-01-01 00:00:00"


def test_a_break_that_the_power_ended_has_no_length() -> None:
    lines = (
        opened(7, provide="breaks"),
        line(1, "game", winner="left", kind="single"),
        line(2, "confirm", by="right"),
        line(3, "break", by="left"),
    )
    assert table("breaks", *lines, line(9, "end"))[0][3] == "not known"


def test_a_ruling_of_an_older_program_has_no_ground() -> None:
    sheet = boundary("hundreds of events")
    bare = replace(sheet.rulings[0], ruling=replace(sheet.rulings[0].ruling, ground="", call=None), called=None, came=None)
    (rulings,) = (section for section in printed(replace(sheet, rulings=(bare,))).sections if section.key == "rulings")
    row = dict(zip((column.key for column in rulings.columns), rulings.rows[0], strict=True))
    assert (row["ground"], row["called"], row["came"]) == ("", "", None)


def test_a_receipt_that_is_longer_than_any_page_goes_on_on_another() -> None:
    what = printed(boundary("one game"))
    games = replace(what.sections[0], rows=what.sections[0].rows * 900)
    strip = on_receipt(replace(what, sections=(games,)))
    assert (len(strip.pages), strip.high) == (2, LONGEST)
    assert b"%PDF" in to_receipt(boundary("one game"))[:8]


def test_words_are_broken_between_them_and_long_ones_within() -> None:
    assert broken("one two three", 10, width("one two", 10) + 0.01) == ["one two", "three"]
    assert broken("", 10, 20) == [""]
    long = "x" * 50
    lines = broken(f"a {long}", 10, 20)
    assert "".join(lines).replace("a", "") == long
    assert all(width(each, 10) <= 20 for each in lines)
    assert broken("wide", 10, 0.1) == ["w", "i", "d", "e"]
    assert spelled("a\tb\nc−d") == "a b c–d"
    assert spelled("e\u0301") == "é"


def test_the_language_spoken_has_a_code() -> None:
    with say.speaking("uk"):
        assert say.language() == "uk"
    assert say.language() == "en"


def test_a_match_from_paper_says_so_and_claims_no_signature_on_the_screen() -> None:
    what = printed(boundary("entered from paper"))
    assert what.status[0][1].startswith("Entered from a paper sheet")
    assert [each.words for each in (what.signatures.left, what.signatures.right)] == [
        "signed on the paper",
        "signed the paper under protest",
    ]
    told = {field.key: text_of(field.value) for field in what.head}
    assert told["paper"] == "Cvetko, chief referee; 29 Nov, sheet 14; Ana signed on the paper; Boris signed the paper under protest"
    assert {"control", "reserves", "reserves_end"} & set(told) == set()
    assert [column.key for column in what.sections[0].columns][-1] == "remarks"  # no time
