from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kiosk.domain.officials import Official, Role
from kiosk.domain.rulebook import Sanction
from kiosk.domain.types import Pair, Side
from kiosk.session import commands as c
from kiosk.sync import wire
from tests.server.desk_rig import Desk, desk_over, text_of
from tests.server.playing import LEFT, RIGHT, PlayingTable


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Desk]:
    with desk_over(tmp_path) as made:
        yield made


def _playing(rig: Desk, name: str = "12", match: str = "m1", **more: Pair[tuple[str, ...]]) -> PlayingTable:
    table = rig.table(name)
    table.open(1, match, **more)
    table.press(LEFT, 2)
    table.send(3)
    return table


def _rule(table: PlayingTable, code: str, sanction: Sanction | None, at: float) -> None:
    table.do(c.SignIn(Official("Vera", Role.CHIEF)), at)
    table.do(c.Rule((LEFT,), code, sanction), at + 1)
    table.do(c.SignOut(), at + 2)
    table.send(at + 3)


def test_pages_and_posts_are_for_referees(rig: Desk) -> None:
    table = _playing(rig)
    for path in ("/referee", "/referee/match/m1", "/referee/match/m1/history", "/referee/match/m1/rule"):
        assert rig.as_(None).get(path).headers["location"].startswith("/login")
        assert rig.referee.get(path).status_code == 200
    for path in (f"/referee/coming/{table.device}", "/referee/match/m1/rule", "/referee/match/m1/void"):
        assert rig.as_(None).post(path, data={}).status_code == 401
        assert rig.referee.post(path, data={"csrf": "x"}).status_code == 403
        if "coming" not in path:
            assert rig.send(path, Role.REFEREE, junk="\x00").status_code == 409
    assert rig.hall.orders(table.device) == []


def test_whoever_may_not_learns_which_role_it_needs_and_which_is_his(rig: Desk) -> None:
    answer = rig.referee.get("/desk/backups")
    assert answer.status_code == 403
    assert "This needs the role organizer; you have logged in as referee." in text_of(answer)


def test_what_is_not_there_is_told(rig: Desk) -> None:
    for path in ("/referee/match/x", "/referee/match/x/history", "/referee/match/x/rule"):
        answer = rig.referee.get(path)
        assert (answer.status_code, "no such match" in text_of(answer)) == (404, True)
    assert rig.send("/referee/coming/x", Role.REFEREE).status_code == 409


def test_who_waits_longest_comes_first_and_learns_that_somebody_comes(rig: Desk) -> None:
    late, early = _playing(rig, "3", "m3"), _playing(rig, "12")
    early.do(c.CallReferee(RIGHT), 10)
    late.do(c.CallReferee(LEFT), 20)
    for table in (late, early):
        table.send(30)
    page = text_of(rig.referee.get("/referee"))
    assert page.index("Table 12") < page.index("Table 3")
    assert "0:20" in page
    assert "Boris called" in page
    for _twice in range(2):
        assert rig.send(f"/referee/coming/{early.device}", Role.REFEREE).headers["location"] == "/referee?done=coming"
    assert rig.hall.orders(early.device) == [wire.RefereeComing("Mara (referee)")]


def test_tables_are_found_by_name_and_player(rig: Desk) -> None:
    _playing(rig, "3", "m3", players=Pair(("Vera",), ("Goran",)))
    _playing(rig, "12")
    page = text_of(rig.referee.get("/referee?q=VERA"))
    assert "Vera" in page
    assert "Ana" not in page
    assert "No table fits." in text_of(rig.referee.get("/referee?q=xyz"))


def test_a_ruling_takes_whom_what_and_one_button(rig: Desk) -> None:
    table = _playing(rig)
    first = rig.referee.get("/referee/match/m1/rule")
    assert 'value="device"' in first.text
    assert "Electronic device" in first.text
    assert "Whom" in text_of(first)
    missing = rig.referee.get("/referee/match/m1/rule?infraction=device")
    assert (missing.status_code, "Say whom" in text_of(missing)) == (400, True)
    second = rig.referee.get("/referee/match/m1/rule?side=left&infraction=device")
    assert "Ana: Electronic device" in text_of(second)
    assert "Send: Warning" in second.text
    assert "the first time, serious" in second.text
    for _twice in range(2):
        sent = rig.send("/referee/match/m1/rule", Role.REFEREE, side="left", infraction="device", sanction="warning", note="in the bag")
        assert sent.headers["location"] == "/referee/match/m1?done=ruled"
    (told,) = rig.hall.orders(table.device)
    assert isinstance(told, wire.RuleAt)
    assert (told.match, told.by, told.role, told.sides, told.infraction) == ("m1", "Mara", Role.REFEREE, (Side.LEFT,), "device")
    assert (told.sanction, told.suggested, told.note, told.again) == (Sanction.WARNING, False, "in the bag", False)
    page = text_of(rig.referee.get("/referee/match/m1"))
    assert "Ana: Electronic device, warning waits for the table" in page
    rig.hall.answer(table.device, 1, done=False, sentence="The match is over.")
    assert "refused: The match is over." in text_of(rig.referee.get("/referee/match/m1"))
    assert "refused: The match is over." in text_of(rig.referee.get("/referee"))


def test_the_ladder_is_shown_with_what_it_rests_on(rig: Desk) -> None:
    table = _playing(rig)
    _rule(table, "device", Sanction.WARNING, 10)
    page = text_of(rig.referee.get("/referee/match/m1/rule?side=left&infraction=device"))
    assert "again in the same game" in page
    assert "It rests on ruling 1" in page
    assert "Send: Game loss" in page
    assert "Is it another one?" in page
    both = text_of(rig.referee.get("/referee/match/m1/rule?side=both&infraction=device"))
    assert "Ana & Boris: Electronic device" in both
    assert "Send: Game loss" in both


def test_what_is_only_put_right_is_sent_for_the_record(rig: Desk) -> None:
    table = _playing(rig)
    assert "Send: On record only" in rig.referee.get("/referee/match/m1/rule?side=right&infraction=illegal_move").text
    assert rig.send("/referee/match/m1/rule", Role.REFEREE, side="right", infraction="illegal_move", sanction="record").status_code == 303
    (told,) = rig.hall.orders(table.device)
    assert isinstance(told, wire.RuleAt)
    assert (told.sanction, told.suggested) == (None, False)


def test_the_heaviest_sanctions_are_the_chiefs(rig: Desk) -> None:
    table = _playing(rig)
    path = "/referee/match/m1/rule?side=left&infraction=match_fixing"
    assert 'value="match_loss"' not in rig.referee.get(path).text
    assert 'value="match_loss"' in rig.as_(Role.CHIEF).get(path).text
    values = {"side": "left", "infraction": "match_fixing", "sanction": "expulsion"}
    without = rig.send("/referee/match/m1/rule", Role.CHIEF, **values, note="seen")
    assert (without.status_code, "names the panel" in text_of(without), 'value="seen"' in without.text) == (400, True, True)
    assert rig.send("/referee/match/m1/rule", Role.REFEREE, **values, panel="Ivan, Mara").status_code == 400
    assert rig.send("/referee/match/m1/rule", Role.CHIEF, **values, panel="Ivan, Mara").status_code == 303
    (told,) = rig.hall.orders(table.device)
    assert isinstance(told, wire.RuleAt)
    assert told.panel == ("Ivan", "Mara")


@pytest.mark.parametrize(
    ("values", "status"),
    [
        ({"side": "left", "infraction": "dancing", "sanction": "warning"}, 409),
        ({"side": "left", "infraction": "device", "sanction": "whipping"}, 400),
        ({"side": "left", "infraction": "device", "sanction": ""}, 400),
        ({"side": "left", "infraction": "device", "sanction": "warning", "note": "x" * 501}, 400),
        ({"side": "up", "infraction": "device", "sanction": "warning"}, 409),
        ({"infraction": "device", "sanction": "warning"}, 409),
    ],
)
def test_a_ruling_that_cannot_be_is_not_sent(rig: Desk, values: dict[str, str], status: int) -> None:
    table = _playing(rig)
    assert rig.send("/referee/match/m1/rule", Role.REFEREE, **values).status_code == status
    assert rig.hall.orders(table.device) == []


def test_a_ruling_is_taken_back(rig: Desk) -> None:
    table = _playing(rig)
    _rule(table, "device", Sanction.WARNING, 10)
    page = rig.referee.get("/referee/match/m1")
    assert "№ 1 Ana: Electronic device warning" in text_of(page)
    assert rig.send("/referee/match/m1/void", Role.REFEREE, ruling="2", reason="too severe").status_code == 409
    assert rig.send("/referee/match/m1/void", Role.REFEREE, ruling="x", reason="too severe").status_code == 409
    assert rig.send("/referee/match/m1/void", Role.REFEREE, ruling="1", reason=" ").status_code == 409
    assert rig.send("/referee/match/m1/void", Role.REFEREE, ruling="1", reason="too severe").status_code == 303
    assert rig.send("/referee/match/m1/void", Role.REFEREE, ruling="1", reason="too severe", typed="It was his clock").status_code == 303
    assert rig.hall.orders(table.device) == [
        wire.VoidAt("m1", "Mara", Role.REFEREE, 1, "too severe"),
        wire.VoidAt("m1", "Mara", Role.REFEREE, 1, "It was his clock"),
    ]
    assert "№ 1: too severe waits for the table" in text_of(rig.referee.get("/referee/match/m1"))


def test_earlier_rulings_of_the_players_come_from_all_tables(rig: Desk) -> None:
    other = _playing(rig, "3", "m3")
    _rule(other, "device", Sanction.WARNING, 10)
    _playing(rig, "12", "m1", players=Pair(("Vera",), ("Ana",)))
    page = text_of(rig.referee.get("/referee/match/m1"))
    assert "Ana: Electronic device, warning Table 3" in page
    assert "There are none from other matches" in text_of(rig.referee.get("/referee/match/m3"))


def test_the_history_tells_every_entry_with_the_names_of_the_seats(rig: Desk) -> None:
    table = rig.table("12")
    table.open(1)
    table.do(c.SwapSeats(), 2)
    table.press(LEFT, 3)
    table.press(RIGHT, 5)
    table.send(6)
    page = text_of(rig.referee.get("/referee/match/m1/history"))
    assert "Opened: 3-point match, Ana – Boris" in page
    assert "The seats were swapped: Boris – Ana" in page
    assert "Boris pressed: the game began" in page
    assert "Ana pressed" not in page
    assert "Ana pressed" in text_of(rig.referee.get("/referee/match/m1/history?all=1"))


def test_titles_are_in_the_pages_language(rig: Desk) -> None:
    _playing(rig)
    page = rig.referee.get("/referee/match/m1/rule?lang=ru")
    assert "Electronic device" not in page.text
    assert 'value="device"' in page.text


def test_a_call_ends_with_the_referees_answer_on_every_page(rig: Desk) -> None:
    table = _playing(rig)
    table.do(c.CallReferee(RIGHT), 10)
    table.send(11)
    assert "Boris called" in text_of(rig.referee.get("/referee"))
    assert "Calls for a referee" in text_of(rig.organizer.get("/desk"))
    table.do(c.Resume(), 20)
    table.send(21)
    assert "Nobody calls." in text_of(rig.referee.get("/referee"))
    assert "Calls for a referee" not in text_of(rig.organizer.get("/desk"))
    assert "Boris called" not in rig.as_(None).get("/").text


def test_a_table_that_no_referee_is_needed_at_any_more_says_so_to_whoever_comes(rig: Desk) -> None:
    table = _playing(rig)
    table.do(c.CallReferee(RIGHT), 10)
    table.send(11)
    assert rig.send(f"/referee/coming/{table.device}", Role.REFEREE).status_code == 303
    rig.hall.answer(table.device, 1, done=False, sentence="No referee is called at this table now.")
    page = text_of(rig.referee.get("/referee"))
    assert "What you sent" in page
    told = "a referee is on the way refused: No referee is called at this table now."
    assert told in page
    assert told in text_of(rig.referee.get("/referee/match/m1"))
    assert "What you sent" not in rig.as_(Role.CHIEF).get("/referee").text, "it was somebody else's"


def test_on_record_only_can_be_sent_whatever_is_suggested(rig: Desk) -> None:
    table = _playing(rig)
    for code in ("illegal_move", "device"):
        assert 'value="record"' in rig.referee.get(f"/referee/match/m1/rule?side=right&infraction={code}").text
    assert rig.send("/referee/match/m1/rule", Role.REFEREE, side="right", infraction="device", sanction="record").status_code == 303
    (told,) = rig.hall.orders(table.device)
    assert isinstance(told, wire.RuleAt)
    assert (told.sanction, told.suggested) == (None, False)
