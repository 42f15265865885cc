"""Every word becomes the command that it names."""

from __future__ import annotations

from typing import get_args

import pytest

from kiosk.app.roster import MemoryRoster
from kiosk.app.scenario import ScenarioError, parse, to_command
from kiosk.app.scenario_words import WORDS
from kiosk.books import Library
from kiosk.domain.errors import CommandRefused, Refusal
from kiosk.domain.facts import AppealTo, CheckItem, OnPaper, Outcome, Party, Permit, StopReason
from kiosk.domain.officials import Official, Role
from kiosk.domain.rulebook import FlagPolicy, Kind, Method, OnFlag, Sanction
from kiosk.domain.state import Place
from kiosk.domain.types import Instant, Pair, Side, Span, seconds
from kiosk.session import commands as c

LIBRARY = Library()
ROSTER = MemoryRoster([{"name": "Vera", "role": "referee", "pin": "2468"}])
OPEN = '{"do":"open_match","rulebook":"ibgf","length":7,"players":{"left":"Ana","right":["Bo","Cid"]}'
L, R = Side.LEFT, Side.RIGHT
COMMANDS = [
    ('{"do":"stop"}', c.StopClock(None, None)),
    ('{"do":"stop","by":"referee","reason":"fault"}', c.StopClock("referee", StopReason.FAULT)),
    ('{"do":"resume"}', c.Resume()),
    ('{"do":"double","by":"left"}', c.Double(L)),
    ('{"do":"take","by":"left"}', c.Take(L)),
    ('{"do":"pass","by":"left"}', c.Pass(L)),
    ('{"do":"automatic_double"}', c.AutomaticDoubling()),
    ('{"do":"game","winner":"left","kind":"gammon"}', c.RecordGame(L, Kind.GAMMON, None)),
    ('{"do":"game","winner":"left","kind":"koks","cube":3}', c.RecordGame(L, Kind.KOKS, 3)),
    ('{"do":"confirm","by":"right"}', c.ConfirmGame(R)),
    ('{"do":"dispute","by":"right"}', c.DisputeGame(R)),
    ('{"do":"correct","game":2,"winner":"left","kind":"single"}', c.CorrectGame(2, L, Kind.SINGLE, None, "")),
    (
        '{"do":"correct","game":2,"winner":"left","kind":"single","cube":4,"reason":"x"}',
        c.CorrectGame(2, L, Kind.SINGLE, 4, "x"),
    ),
    ('{"do":"break","by":"right"}', c.TakeBreak(R)),
    ('{"do":"end_break","by":"right"}', c.EndBreak(R)),
    ('{"do":"claim_flag","by":"referee"}', c.ClaimFlag("referee")),
    ('{"do":"start_late","side":"both"}', c.StartLate((L, R))),
    ('{"do":"arrive","side":"right"}', c.Arrive((R,))),
    ('{"do":"press_back","by":"left"}', c.PressBack("left")),
    ('{"do":"swap_start","by":"referee"}', c.SwapStart("referee")),
    ('{"do":"swap_seats"}', c.SwapSeats()),
    ('{"do":"check","item":"choice"}', c.Check(CheckItem.CHOICE, done=True)),
    ('{"do":"check","item":"left","done":false}', c.Check(CheckItem.LEFT, done=False)),
    ('{"do":"resign_match","by":"left"}', c.ResignMatch(L)),
    ('{"do":"end_session"}', c.EndSession()),
    ('{"do":"call_referee","by":"left"}', c.CallReferee("left")),
    ('{"do":"undo"}', c.Undo()),
    ('{"do":"sign","side":"left"}', c.Sign(L, protest=False)),
    ('{"do":"sign","side":"left","protest":true}', c.Sign(L, protest=True)),
    ('{"do":"sign","side":"left","strokes":[[[0,9],[5,-1]],[]]}', c.Sign(L, protest=False, strokes=(((0, 9), (5, -1)), ()))),
    ('{"do":"sign_in","pin":"2468"}', c.SignIn(Official("Vera", Role.REFEREE))),
    ('{"do":"sign_in","pin":"8642"}', c.SignIn(None)),
    ('{"do":"sign_out"}', c.SignOut()),
    ('{"do":"penalty","side":"left","infraction":"eating"}', c.Rule((L,), "eating")),
    (
        '{"do":"penalty","side":"right","infraction":"device","sanction":"game_loss","kind":"gammon","note":"x","duplicate":"keep"}',
        c.Rule((R,), "device", Sanction.GAME_LOSS, Kind.GAMMON, "x", (), "keep"),
    ),
    (
        '{"do":"penalty","side":"both","infraction":"match_fixing","panel":["Eve","Fay"],"duplicate":"merge"}',
        c.Rule((L, R), "match_fixing", panel=("Eve", "Fay"), duplicate="merge"),
    ),
    ('{"do":"void","ruling":2,"reason":"x"}', c.Void(2, "x")),
    (
        (
            '{"do":"attach_play","ruling":2,"position":"4HPwATDgc/ABMA","dice":"5-3","move":"13/8",'
            '"verdict":"more","article":"000 §3","mover":"left"}'
        ),
        c.AttachPlay(2, "4HPwATDgc/ABMA", "5-3", "13/8", "more", "000 §3", L),
    ),
    ('{"do":"chouette_clock","delay_s":10,"reserve_s":300}', c.SetChouetteClock(seconds(10), seconds(300))),
    ('{"do":"chouette_clock"}', c.SetChouetteClock(seconds(0), seconds(0))),
    ('{"do":"chouette_stop"}', c.StopChouetteClock()),
    ('{"do":"chouette_resume"}', c.ResumeChouetteClock()),
    ('{"do":"note_turn","game":1,"n":2,"side":"right","what":"53: 8/3 6/3"}', c.NoteTurn(1, 2, R, "53: 8/3 6/3")),
    ('{"do":"appeal","ruling":1,"by":"left"}', c.LodgeAppeal(1, L)),
    ('{"do":"appeal","ruling":1,"by":"right","to":"committee"}', c.LodgeAppeal(1, R, AppealTo.COMMITTEE)),
    ('{"do":"decide_appeal","appeal":1,"outcome":"upheld"}', c.DecideAppeal(1, Outcome.UPHELD)),
    ('{"do":"decide_appeal","appeal":1,"outcome":"remark","names":["Eve"]}', c.DecideAppeal(1, Outcome.REMARK, ("Eve",))),
    ('{"do":"adjust","side":"left","seconds":-1.5,"reason":"x"}', c.Adjust(L, seconds(-1.5), "x")),
    ('{"do":"set_reserves","left":1,"right":2,"reason":"x"}', c.SetReserves(Pair(seconds(1), seconds(2)), "x")),
    ('{"do":"set_control"}', c.SetControl(None, None, "")),
    ('{"do":"set_control","delay_s":8,"method":"fischer","reason":"x"}', c.SetControl(seconds(8), Method.FISCHER, "x")),
    ('{"do":"restart_delay"}', c.RestartDelay()),
    ('{"do":"cancel_next_delay","side":"left"}', c.CancelNextDelay(L)),
    ('{"do":"clear_flag","side":"left","reason":"x"}', c.ClearFlag(L, "x")),
    ('{"do":"set_cube","value":2,"owner":"left","reason":"x"}', c.SetCube(2, L, "x")),
    ('{"do":"set_cube","value":1,"owner":null,"reason":"x"}', c.SetCube(1, None, "x")),
    ('{"do":"restart_game","reason":"x"}', c.RestartGame("x")),
    (
        (
            '{"do":"set_state","score":{"left":2,"right":1},"reserve_s":{"left":90,"right":80},"turn":"left","delay_used_s":3,"cube":2,'
            '"owner":"right","game":4,"crawford_played":false,"breaks":{"left":1,"right":0}}'
        ),
        c.SetState(Pair(2, 1), Pair(seconds(90), seconds(80)), L, Span(seconds(3)), 2, R, 4, crawford_played=False, breaks=Pair(1, 0)),
    ),
    ('{"do":"forfeit","side":"both","reason":"x"}', c.Forfeit((L, R), "x")),
    ('{"do":"suspend"}', c.Suspend()),
    ('{"do":"suspend","position":"XG","note":"x"}', c.Suspend("XG", "x")),
    ('{"do":"resume_match"}', c.ResumeMatch()),
    ('{"do":"penalty","side":"left","infraction":"notes","affects_play":true}', c.Rule((L,), "notes", affects_play=True)),
    ('{"do":"penalty","side":"left","infraction":"notes","record_only":true}', c.Rule((L,), "notes", record_only=True)),
    ('{"do":"dice_change","by":"left"}', c.ChangeDice(L)),
    ('{"do":"permit","side":"left","what":"device"}', c.Allow(L, Permit.DEVICE)),
    ('{"do":"permit","side":"left","what":"leave","until_s":60}', c.Allow(L, Permit.LEAVE, seconds(60))),
    ('{"do":"back","side":"left","what":"leave"}', c.Back(L, Permit.LEAVE)),
    ('{"do":"receive"}', c.Receive()),
    ('{"do":"receive","phone":"2468"}', c.Receive()),
    ('{"do":"pause_hall","by":"Eva","why":"fire alarm"}', c.PauseHall("Eva", "fire alarm")),
    ('{"do":"lift_pause","by":"Eva"}', c.LiftPause("Eva")),
    ('{"do":"lift_pause"}', c.LiftPause(None)),
    ('{"do":"message","n":4,"by":"Desk","text":"Lunch at one"}', c.ShowMessage(4, "Desk", "Lunch at one")),
    ('{"do":"read_message","n":4}', c.ReadMessage(4)),
    ('{"do":"confirm_seat","match":"m-7","version":2,"side":"left","here":true}', c.ConfirmSeat("m-7", 2, L, here=True)),
    ('{"do":"move_start","by":"Desk","start_s":60}', c.MoveRoundStart("Desk", Instant(60_000_000_005))),
    ('{"do":"move_start","by":"Desk","start_s":null}', c.MoveRoundStart("Desk", None)),
    ('{"do":"referee_coming","by":"Rea"}', c.RefereeComing("Rea")),
    (
        '{"do":"chouette_open","players":["Ana","Bo","Cid"]}',
        c.OpenChouette("m-1", ("Ana", "Bo", "Cid"), (), jacoby=True, automatic=True, backgammon=3),
    ),
    (
        '{"do":"chouette_open","players":["Ana","Bo"],"throws":[6,[5,1]],"jacoby":false,"automatic":false,"backgammon_counts":2}',
        c.OpenChouette("m-1", ("Ana", "Bo"), ((6,), (5, 1)), jacoby=False, automatic=False, backgammon=2),
    ),
    ('{"do":"chouette_tie"}', c.TieChouette()),
    ('{"do":"chouette_want","by":"Ana"}', c.WantDouble("Ana", wants=True)),
    ('{"do":"chouette_want","by":"Ana","wants":false}', c.WantDouble("Ana", wants=False)),
    ('{"do":"chouette_double"}', c.DoubleByBox()),
    ('{"do":"chouette_answer","by":"Ana","takes":false}', c.AnswerDouble("Ana", takes=False)),
    ('{"do":"chouette_win","by":"team","kind":"gammon"}', c.WinChouette(Party.TEAM, Kind.GAMMON)),
    ('{"do":"chouette_join","player":"Ana"}', c.JoinChouette("Ana")),
    ('{"do":"chouette_leave","player":"Ana"}', c.LeaveChouette("Ana")),
    ('{"do":"chouette_end"}', c.EndChouette()),
    ('{"do":"chouette_undo"}', c.UndoChouette()),
]


def command(text: str) -> c.Command:
    (step,) = parse("x", text, LIBRARY.names())
    return to_command(step, LIBRARY, "m-1", 5, ROSTER)


PAPER = OPEN.replace("open_match", "enter_paper")


def test_a_paper_sheet_becomes_one_command() -> None:
    games = '"games":[{"winner":"left","kind":"gammon","cube":2},{"winner":"right","kind":"single"}]'
    made = command(
        f'{PAPER},{games},"end":{{"how":"flag","side":"right"}},"played":"sheet 4","signed":{{"left":"yes","right":"protest"}}}}'
    )
    assert isinstance(made, c.EnterPaper)
    assert (made.match, made.setup) == ("m-1", opened().setup)
    assert made.games == (c.PaperGame(L, Kind.GAMMON, 2), c.PaperGame(R, Kind.SINGLE, 1))
    assert made.end == c.PaperEnd("flag", (R,))
    assert (made.played, made.signed) == ("sheet 4", Pair(OnPaper.YES, OnPaper.PROTEST))
    plain = command(f'{PAPER},"games":[]}}')
    assert isinstance(plain, c.EnterPaper)
    assert (plain.end, plain.played, plain.signed) == (None, "", Pair(OnPaper.NO, OnPaper.NO))


@pytest.mark.parametrize("throws", ["6", '["6"]', "[[6],true]", "[[1.5]]"])
def test_throws_of_another_shape_are_refused_before_anything_is_played(throws: str) -> None:
    with pytest.raises(ScenarioError, match="'throws' must be "):
        command(f'{{"do":"chouette_open","players":["Ana","Bo","Cid"],"throws":{throws}}}')


@pytest.mark.parametrize(
    "more",
    [
        '"games":{}', '"games":[1]', '"games":[{"winner":"left"}]', '"games":[{"winner":"left","kind":"pass"}]',
        '"games":[{"winner":"left","kind":"single","cube":1.5}]', '"games":[],"end":{"how":"flag"}',
        '"games":[],"end":{"how":"x","side":"left"}',
        '"games":[],"end":5', '"games":[],"signed":"yes"',
    ],
)  # fmt: skip
def test_a_paper_sheet_of_another_shape_is_refused_before_anything_is_played(more: str) -> None:
    with pytest.raises(ScenarioError):
        command(f"{PAPER},{more}}}")


def opened(more: str = "") -> c.OpenMatch:
    made = command(OPEN + more + "}")
    assert isinstance(made, c.OpenMatch)
    return made


@pytest.mark.parametrize(("text", "wanted"), COMMANDS)
def test_a_line_becomes_its_command(text: str, wanted: c.Command) -> None:
    assert command(text) == wanted


def test_every_command_has_its_word() -> None:
    assert {type(wanted) for _, wanted in COMMANDS} == set(get_args(c.Command)) - {c.OpenMatch, c.EnterPaper, c.NoteRecovery}
    simulated = {"press", "edges", "wall_clock", "power_cut", "end", "open_match", "enter_paper", "render", "take_up", "take_over", "badge"}
    words = {text.split('"')[3] for text, _ in COMMANDS}
    assert words == set(WORDS) - simulated


def test_a_match_is_opened_by_its_rulebook() -> None:
    made = opened()
    assert made.match == "m-1"
    assert (made.setup.rulebook, made.setup.length) == ("ibgf", 7)
    assert made.setup.players == Pair(("Ana",), ("Bo", "Cid"))
    assert made.setup.on_flag == LIBRARY.load("ibgf").on_flag
    assert made.setup.round_start is None


def test_an_organizers_match_says_where_it_belongs() -> None:
    assert opened().place is None
    assert opened(',"event":"Open","round":"3","table":"12","practice":true').place == Place("Open", "3", "12", practice=True)
    assert opened(',"round":"3"').place == Place("", "3", "", practice=False)


def test_what_is_said_goes_before_the_rulebook() -> None:
    setup = opened(
        ',"reserve_s":{"left":60,"right":90.5},"delay_s":8,"method":"fischer","provide":"breaks","crawford":false,"cube":false,'
        '"backgammon_counts":2,"score":{"left":1,"right":2},"round_start_s":2.5,"on_flag":{"policy":"overtime","minutes":1.5}'
    ).setup
    assert setup.reserve == Pair(seconds(60), seconds(90.5))
    assert (setup.control.delay, str(setup.control.method), str(setup.provide)) == (seconds(8), "fischer", "breaks")
    assert (setup.crawford, setup.cube, setup.factor(Kind.BACKGAMMON)) == (False, False, 2)
    assert setup.score == Pair(1, 2)
    assert setup.round_start == Instant(2_500_000_005)
    assert setup.on_flag == OnFlag(FlagPolicy.OVERTIME, seconds(90))


def test_a_flag_policy_has_every_figure_that_is_said() -> None:
    said = ',"on_flag":{"policy":"penalty_points","points":2,"refill_s":30}'
    assert opened(said).setup.on_flag == OnFlag(FlagPolicy.PENALTY_POINTS, points=2, refill=seconds(30))
    assert opened(',"on_flag":"auto"').setup.on_flag.policy is FlagPolicy.AUTO


@pytest.mark.parametrize(
    "text", [OPEN.replace("7", "0") + "}", OPEN.replace('"Ana"', '""') + "}", OPEN + ',"delay_s":-1}', OPEN + ',"reserve_s":-9}']
)
def test_a_value_that_does_not_fit_is_refused_by_the_table(text: str) -> None:
    with pytest.raises(CommandRefused) as caught:
        command(text)
    assert caught.value.code is Refusal.BAD_VALUE
