"""Rulings, appeals, acts, adjournments and the hand-in: who, when, why, and what it did to score and clock."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from evenings import json_of, line, opened, records, rows_of, sheet_of

from kiosk import codec
from kiosk.domain import facts as f
from kiosk.domain.officials import Role
from kiosk.domain.types import Instant
from kiosk.sheets import sheets

OFFICIALS = [
    {"name": "Vera", "role": "referee", "pin": "2468"},
    {"name": "Cvetko", "role": "chief", "pin": "1357"},
]
VERA, CVETKO = {"name": "Vera", "role": "referee"}, {"name": "Cvetko", "role": "chief"}


def match(length: int | None = 5, **options: Any) -> dict[str, Any]:
    return opened(length, officials=OFFICIALS, **{"reserve_s": 600, "delay_s": 12, **options})


def vera(at: float) -> dict[str, Any]:
    return line(at, "sign_in", pin="2468")


def cvetko(at: float) -> dict[str, Any]:
    return line(at, "sign_in", pin="1357")


def timeless(plain: Any) -> Any:
    """The same without times of day, which depend on the simulated date."""
    if isinstance(plain, dict):
        return {key: timeless(value) for key, value in plain.items() if not key.startswith("time_")}
    return [timeless(each) for each in plain] if isinstance(plain, list) else plain


def test_a_ruling_says_who_was_called_and_what_it_did() -> None:
    sheet = sheet_of(
        match(),
        line(0, "press", side="right"),
        line(8, "call_referee", by="left"),
        vera(20),
        line(25, "penalty", side="right", infraction="dice_replaced", note="took the other pair"),
        line(26, "penalty", side="right", infraction="dice_replaced", duplicate="merge", note="twice seen"),
        line(27, "penalty", side="both", infraction="eating"),
        line(28, "void", ruling=2, reason="the wrong table"),
        line(29, "penalty", side="both", infraction="eating", sanction="remark"),
        line(30, "penalty", side="left", infraction="eating", sanction="remark", duplicate="keep"),
    )
    first, second, _, last = json_of(sheet)["rulings"]
    assert timeless(first) == {
        "id": 1,
        "game": 1,
        "sides": ["right"],
        "infraction": "dice_replaced",
        "article": "000 §11",
        "sanction": "penalty_point",
        "suggested": "penalty_point",
        "ground": "article",
        "earlier": None,
        "note": "took the other pair",
        "panel": [],
        "by": VERA,
        "called_by": "left",
        "called": {},
        "came": {},
        "score_before": {"left": 0, "right": 0},
        "score_after": {"left": 1, "right": 0},
        "duplicate": None,
        "merged": 1,
        "plays": [],
        "void": False,
        "why_void": "",
        "appeal": None,
    }
    called, came, ruled = (each["time_utc"] for each in (first["called"], first["came"], first))
    assert [int(each[17:19]) for each in (called, came, ruled)] == [int(called[17:19]) + seconds for seconds in (0, 12, 17)]
    assert (second["void"], second["why_void"], last["duplicate"]) == (True, "the wrong table", 3)
    told = [(each["side"], each["kind"], each["detail"]) for each in records(sheet, "ruling")]
    assert told[0] == (
        "right",
        "penalty_point",
        "ruling 1: dice_replaced (000 §11); by Vera (referee); called by left; entered 2 times; took the other pair",
    )
    assert told[1][0] == "left"
    assert told[2] == (
        "right",
        "remark",
        "ruling 2: eating (000 §11); by Vera (referee); called by left; void: the wrong table",
    )
    assert "repeats ruling 3" in told[-1][2]
    assert ("ruling_merged", "ruling 1 twice seen") in [(event.kind, event.detail) for event in sheet.events]
    assert ("official_signed_in", "Vera, referee") in [(event.kind, event.detail) for event in sheet.events]


def test_an_open_appeal_makes_the_result_provisional_and_whoever_signs_protests() -> None:
    lines = (
        match(1),
        line(0, "press", side="right"),
        cvetko(10),
        line(11, "penalty", side="right", infraction="match_fixing", panel=["Eve", "Fay"]),
        line(12, "appeal", ruling=1, by="right"),
        line(13, "sign", side="left"),
        line(14, "sign", side="right"),
    )
    open_still = sheet_of(*lines)
    assert json_of(open_still)["provisional"] is True
    assert [each["protest"] for each in json_of(open_still)["signed"]] == [True, True]
    assert records(open_still, "result")[0]["detail"].startswith("1 : 0 provisional")
    assert "panel: Eve, Fay" in records(open_still, "ruling")[0]["detail"]
    assert "called by" not in records(open_still, "ruling")[0]["detail"]
    assert [each["kind"] for each in records(open_still, "appeal")] == ["open"]
    final = sheet_of(*lines, line(20, "decide_appeal", appeal=1, outcome="upheld", names=["Gus"]), line(21, "receive"))
    plain = json_of(final)
    assert (plain["provisional"], timeless(plain["received"])) == (False, {"by": CVETKO})
    assert timeless(plain["appeals"]) == [
        {
            "id": 1,
            "ruling": 1,
            "by": "right",
            "to": "committee",
            "outcome": "upheld",
            "names": ["Gus"],
            "decided_by": CVETKO,
            "decided": {},
        }
    ]
    assert records(final, "appeal")[0]["detail"] == "appeal 1 against ruling 1 to the committee; Gus; decision entered by Cvetko (chief)"
    assert records(final, "received")[0]["detail"] == "by Cvetko (chief)"
    undone = sheet_of(*lines, line(20, "decide_appeal", appeal=1, outcome="upheld", names=["Gus"]), line(21, "receive"), line(22, "undo"))
    assert json_of(undone)["received"] is None


def test_a_void_after_the_end_is_revision_two() -> None:
    sheet = sheet_of(
        match(3),
        line(0, "press", side="right"),
        cvetko(10),
        line(11, "penalty", side="right", infraction="device", sanction="match_loss"),
        line(13, "sign", side="left"),
        line(14, "sign", side="right"),
        line(15, "void", ruling=1, reason="it was the tournament's phone"),
    )
    plain = json_of(sheet)
    assert (plain["revision"], plain["signed"], plain["result"], plain["score"]) == (2, [], None, {"left": 0, "right": 0})
    assert sheet.table.phase == "stopped"


def test_a_lost_game_says_by_which_ruling_and_a_void_one_counts_nothing() -> None:
    sheet = sheet_of(
        match(),
        line(0, "press", side="right"),
        vera(10),
        line(11, "penalty", side="right", infraction="device", sanction="game_loss", kind="gammon"),
        line(20, "press", side="right"),
        line(25, "void", ruling=1, reason="mistaken"),
        line(30, "game", winner="right", kind="single"),
        line(31, "confirm", by="left"),
    )
    games = json_of(sheet)["games"]
    assert [(each["n"], each["points"], each["ruling"], each["void"], each["score"]) for each in games] == [
        (1, 0, 1, True, {"left": 0, "right": 0}),
        (2, 1, None, False, {"left": 0, "right": 1}),
    ]
    assert [each["detail"] for each in records(sheet, "game")] == ["lost by ruling 1, void", ""]


def test_one_lost_game_superseded_by_another_has_its_own_line() -> None:
    sheet = sheet_of(
        match(),
        line(0, "press", side="right"),
        vera(10),
        line(11, "penalty", side="right", infraction="device", sanction="game_loss"),
        line(12, "appeal", ruling=1, by="right"),
        line(20, "press", side="right"),
        cvetko(22),
        line(25, "decide_appeal", appeal=1, outcome="game_loss"),
    )
    assert [(game.n, game.ruling, game.void) for game in sheet.games] == [(1, 1, True), (2, 2, False)]
    assert [(each["id"], each["void"], each["earlier"]) for each in json_of(sheet)["rulings"]] == [(1, True, None), (2, False, 1)]


def test_a_ruling_on_appeal_keeps_the_call_that_the_first_one_followed() -> None:
    sheet = sheet_of(
        match(),
        line(0, "press", side="right"),
        line(8, "call_referee", by="left"),
        vera(10),
        line(11, "penalty", side="right", infraction="device", sanction="game_loss"),
        line(12, "appeal", ruling=1, by="right"),
        line(20, "call_referee", by="right"),
        cvetko(22),
        line(25, "decide_appeal", appeal=1, outcome="penalty_point"),
    )
    first, instead = json_of(sheet)["rulings"]
    assert (instead["called_by"], instead["called"]) == ("left", first["called"])
    assert [int(instead[what]["time_utc"][17:19]) - int(first["called"]["time_utc"][17:19]) for what in ("called", "came")] == [0, 14]


def test_each_act_says_what_it_changed_and_why() -> None:
    sheet = sheet_of(
        match(reserve_s=100),
        line(0, "press", side="right"),
        line(12, "stop", by="left", reason="fault"),
        vera(20),
        line(21, "adjust", side="left", seconds=-30.5, reason="wrong setting"),
        line(22, "set_reserves", left=60, right=61, reason="from the photo"),
        line(23, "set_control", delay_s=8, reason="the day's rules"),
        line(24, "set_cube", value=2, owner="right", reason="board"),
        line(25, "set_cube", value=1, owner=None, reason="board after all"),
        line(26, "undo"),
        line(27, "restart_delay"),
        line(28, "permit", side="left", what="leave", until_s=300),
        line(29, "back", side="left", what="leave"),
        line(30, "permit", side="left", what="leave"),
        line(31, "restart_game", reason="fifteen checkers and a coin"),
        line(32, "cancel_next_delay", side="left"),
    )
    acts = json_of(sheet)["acts"]
    assert [(act["kind"], act["detail"], act["reason"]) for act in acts] == [
        ("time_adjusted", "-30.5 s", "wrong setting"),
        ("reserves_set", "", "from the photo"),
        ("control_changed", "delay 12 s to delay 8 s", "the day's rules"),
        ("cube_set", "1, centred to 2, right", "board"),
        ("cube_set", "2, right to 1, centred", "board after all"),
        ("delay_restarted", "", ""),
        ("permission_given", "leave for 300 s", ""),
        ("permission_ended", "leave", ""),
        ("permission_given", "leave", ""),
        ("game_restarted", "", "fifteen checkers and a coin"),
        ("next_delay_cancelled", "", ""),
    ]
    assert [act["undone"] is not None for act in acts] == [False] * 4 + [True] + [False] * 6
    assert (acts[0]["reserve_before_ms"], acts[0]["reserve_after_ms"]) == (
        {"left": 100_000, "right": 100_000},
        {"left": 69_500, "right": 100_000},
    )
    assert (acts[0]["by"], acts[0]["side"], acts[1]["side"]) == (VERA, "left", None)
    told = [(each["kind"], each["side"], each["name"], each["reserve_left_s"], each["detail"]) for each in records(sheet, "act")]
    assert told[0] == ("time_adjusted", "left", "Ana", "69.5", "'-30.5 s; wrong setting; by Vera (referee)")
    assert told[4][4] == "2, right to 1, centred; board after all; by Vera (referee); undone"


def test_an_official_in_the_players_stead() -> None:
    sheet = sheet_of(
        match(),
        line(5, "game", winner="left", kind="single"),
        line(6, "dispute", by="right"),
        vera(7),
        line(8, "game", winner="left", kind="gammon", cube=2),
        line(9, "undo"),
        line(10, "confirm", by="right"),
        line(11, "correct", game=1, winner="right", kind="single", reason="misread"),
        line(12, "undo"),
        line(13, "press", side="right"),
        line(14, "swap_start", by="referee"),
        line(20, "press", side="right"),
        line(50, "press_back", by="referee"),
    )
    assert [(act.kind, act.detail, act.undone is not None) for act in sheet.acts] == [
        ("game_ruled", "left single 1 to left gammon 2", True),
        ("game_confirmed", "left single 1", False),
        ("start_swapped", "", False),
        ("press_put_back", "", False),
    ]
    (correction,) = json_of(sheet)["corrections"]
    assert (correction["by"], correction["undone"]) == (VERA, True)
    assert records(sheet, "correction")[0]["detail"] == "misread; by Vera (referee); undone"
    assert [(game.winner, game.points) for game in sheet.games] == [("left", 1)]


def test_acts_on_a_whole_table() -> None:
    state = {
        "score": {"left": 2, "right": 1}, "reserve_s": {"left": 90, "right": 80}, "cube": 2, "owner": "right", "game": 4,
        "breaks": {"left": 0, "right": 0},
    }  # fmt: skip
    sheet = sheet_of(
        match(),
        vera(1),
        line(2, "set_state", turn="left", delay_used_s=3.25, crawford_played=True, **state),
        line(3, "swap_seats"),
        line(4, "undo"),
        line(5, "forfeit", side="left", reason="left the hall"),
        line(6, "undo"),
        line(7, "set_state", turn=None, delay_used_s=0, crawford_played=False, **state),
    )
    assert [(act.kind, act.detail, act.undone is not None) for act in sheet.acts] == [
        ("state_set", "game 4, cube 2, right, left to move, 3.25 s of the delay used, Crawford played", False),
        ("seats_exchanged", "", True),
        ("match_forfeited", "left", True),
        ("state_set", "game 4, cube 2, right, before the game", False),
    ]


def test_an_adjournment_holds_all_that_is_needed_to_go_on() -> None:
    lines = (
        match(),
        line(0, "press", side="right"),
        line(5, "press", side="left"),
        vera(20),
        line(21, "suspend", position="XGID=-b", note="till tomorrow"),
    )
    sheet = sheet_of(*lines)
    (pause,) = timeless(json_of(sheet)["adjournments"])
    assert pause == {
        "by": VERA,
        "position": "XGID=-b",
        "note": "till tomorrow",
        "game": 1,
        "score": {"left": 0, "right": 0},
        "reserve_ms": {"left": 600_000, "right": 596_000},
        "turn": "right",
        "delay_left_ms": 0,
        "cube": {"value": 1, "owner": None},
        "taken_up": None,
        "resumed": None,
    }
    (record,) = records(sheet, "adjournment")
    assert (record["kind"], record["detail"]) == (
        "suspended",
        "XGID=-b; till tomorrow; right to move, 0.0 s of delay left; cube 1; by Vera (referee)",
    )
    later = (line(30, "sign_out"), vera(31), line(32, "resume_match"))
    assert [each["kind"] for each in records(sheet_of(*lines, *later), "adjournment")] == ["resumed"]
    assert [each["kind"] for each in records(sheet_of(*lines, line(25, "undo")), "adjournment")] == ["resumed"]
    again = sheet_of(*lines, *later, line(33, "undo"))
    assert [each["kind"] for each in records(again, "adjournment")] == ["suspended"]
    opening = sheet_of(
        opened(None, rulebook="circle", officials=OFFICIALS),
        vera(1),
        line(2, "set_cube", value=2, owner="left", reason="board"),
        line(3, "suspend"),
    )
    (bare,) = json_of(opening)["adjournments"]
    assert (bare["reserve_ms"], bare["turn"], bare["cube"]) == (None, None, {"value": 2, "owner": "left"})
    assert records(opening, "adjournment")[0]["detail"] == "cube 2, left; by Vera (referee)"
    assert json_of(opening)["acts"][0]["reserve_after_ms"] is None
    assert records(opening, "act")[0]["reserve_left_s"] == ""


def test_a_void_that_is_undone_gives_the_game_its_line_back() -> None:
    sheet = sheet_of(
        match(),
        line(0, "press", side="right"),
        vera(10),
        line(11, "penalty", side="right", infraction="device", sanction="game_loss"),
        line(12, "void", ruling=1, reason="mistaken"),
        line(20, "undo"),
        line(21, "sign_out"),
    )
    assert [(game.n, game.points, game.void) for game in sheet.games] == [(1, 1, False)]
    assert [event.kind for event in sheet.events][-2:] == ["act_undone", "official_signed_out"]


def test_an_idle_official_and_a_wrong_pin_are_told() -> None:
    sheet = sheet_of(match(), vera(1), line(62, "check", item="dice"))
    assert [(event.kind, event.detail) for event in sheet.events] == [
        ("official_signed_in", "Vera, referee"),
        ("official_signed_out", "nothing touched for a minute"),
    ]
    (row, *rest) = rows_of(match())
    wrong = codec.encode(f.SignInFailed(Instant(row.mono_ns + 5)))
    recovered = codec.encode(f.PinRecovered(Instant(row.mono_ns + 6), "Vera", "root", 1_700_000_000, wall_trusted=True))
    taken = codec.encode(f.MatchTakenUp(Instant(row.mono_ns + 7), Instant(row.mono_ns + 6), "12", "ab", "Ida", Role.CHIEF))
    more = [replace(row, type=name, data=text) for name, text in (wrong, recovered, taken)]
    assert [(event.kind, event.detail) for event in next(sheets([row, *rest, *more])).events] == [
        ("sign_in_failed", ""),
        ("pin_recovered", "Vera by root"),
        ("match_taken_up", "from table 12, hash ab; by Ida, chief"),
    ]
