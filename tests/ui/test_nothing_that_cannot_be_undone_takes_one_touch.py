"""One touch ends no match and decides nothing for good: that takes a second one, on a question; a wrong touch is undone by one."""

from __future__ import annotations

import pytest

from kiosk.domain import facts as f
from kiosk.domain.facts import CheckItem
from kiosk.domain.state import OVER, Phase
from kiosk.domain.types import NS_PER_S, Pair, Side, Span
from kiosk.session import commands as c
from kiosk.ui.draw import Scene
from kiosk.ui.screens.official.frame import AskAct
from tests.ui.hands import middle
from tests.ui.moments import MOMENTS, PLACES, PLAIN, SMALL, Table

LEFT, RIGHT = Side.LEFT, Side.RIGHT

FOR_GOOD: dict[type, set[str]] = {
    f.MatchOpened: {"start", "papercheck", "offered", "offeredlate"},
    f.MatchPlaced: {"offered", "offeredlate"},  # the second player confirms what the first has, or somebody says who is missing
    f.ChouetteOpened: {"chouettestart", "chouettedice"},
    f.PaperEntered: {"papercheck"},
    f.PaperGameEntered: {"papercheck"},
    f.DoubleOffered: {"askdouble"},
    f.DoubleTaken: {"face"},  # the answer to an offer that is open
    f.GameConfirmed: {"confirm"},
    f.GameDisputed: {"askdispute"},
    f.GameCorrected: {"correct"},
    f.BreakStarted: {"askbreak"},
    f.BreakEnded: {"askendbreak"},
    f.LateStarted: {"asklate", "offeredlate"},
    f.FlagClaimed: {"askclaim", "papercheck"},
    f.FlagFell: {"papercheck"},
    f.MatchResigned: {"askresign"},
    f.SheetSigned: {"signsheet", "papercheck"},
    f.AppealLodged: {"askappeal"},  # it decides nothing, but only its decision ends it
    f.SheetReceived: {"askact"},
    f.MatchTakenUp: {"asktakeup"},
    f.MatchTakenOver: {"asktakeover"},
    f.HallPauseLifted: {"askact"},
}
"""What no touch takes back, and the question on which a touch may do it."""

TO_AND_FRO = (
    f.ItemChecked, f.SeatsSwapped, f.ClockStopped, f.ClockResumed, f.StopReasonGiven, f.RefereeCalled, f.GameRecorded, f.RecordUndone,
    f.AutomaticDouble, f.AutomaticDoubleUndone, f.SessionEnded, f.SessionEndUndone, f.DoublePassed, f.PlayerArrived, f.PressPutBack,
    f.StartSwapped,
    f.OfficialSignedIn, f.OfficialSignedOut, f.SignInFailed,  # no decisions: who is out signs in again
    f.AlertRaised,  # nobody's decision: what the table itself notes
    f.SeatConfirmed,  # "Not yet" takes it back
    f.MessageRead,  # it decides nothing, and what happened so far tells it once more
    f.RulingMerged,  # no decision: the ruling that stands says that it was entered twice; Undo takes back that ruling
    f.ChouetteTied, f.ChouetteDoubleWanted, f.ChouetteBoxDoubled, f.ChouetteAnswered, f.ChouetteGameWon, f.ChouetteJoined, f.ChouetteLeft,
    f.ChouetteEnded, f.ChouetteClockSet, f.ChouetteUndone,  # Undo stands on its table, takes one back after the other, and says what it was
    f.ChouetteClockStopped, f.ChouetteClockResumed,  # each takes the other back
    f.TurnNoted,  # a transcript decides nothing, and what stands at a turn's place is written over
    f.ActUndone,  # an act that was undone is done again by the touches that did it; both stay on record
)  # fmt: skip
"""What another touch, or the next press, puts right."""

ACTS = (
    f.RulingMade, f.RulingVoided, f.AppealDecided, f.TimeAdjusted, f.ReservesSet, f.ControlChanged, f.DelayRestarted,
    f.NextDelayCancelled, f.FlagCleared, f.CubeSet, f.SeatsExchanged, f.GameRestarted, f.GameRuled, f.StateSet, f.MatchForfeited,
    f.MatchSuspended, f.MatchResumed, f.DiceChanged, f.PermissionGiven, f.PermissionEnded, f.PlayAttached,
)  # fmt: skip
"""Officials' acts. One touch may do them, for they lie behind a PIN and at least one page that shows what will be, and the
official's Undo takes each back, which is tried here after each touch. What ends the match takes a question of its own all the same;
a disputed game is decided on the record's page, which is one."""


@pytest.mark.no_cover  # one touch of each control is measured elsewhere
@pytest.mark.parametrize("moment", list(MOMENTS))
def test_no_single_touch_decides_for_good(moment: str) -> None:
    place = list(PLACES.values())[len(moment) % 3]

    def settled() -> tuple[Table, Scene]:
        match = MOMENTS[moment](PLAIN)
        match.picture(place)
        match.wait(1)
        return match, match.picture(place)

    for control in settled()[1].controls:
        match, scene = settled()
        point = middle(control, scene)
        assert point is not None
        at_first, before, over = _play(match), match.chronicle.count, match.session.table.phase in OVER
        match.desk.touch(*point, match.now)
        match.desk.release(match.now)
        facts = (
            [entry.fact for entry in match.chronicle.entries][before - match.chronicle.count :] if match.chronicle.count > before else []
        )
        for fact in facts:
            assert type(fact) in {*FOR_GOOD, *TO_AND_FRO, *ACTS}, f"{control.name!r}: nobody has said whether {fact} can be undone"
            assert scene.name in FOR_GOOD.get(type(fact), {scene.name}), f"{control.name!r} on {scene.name}: {fact}"
        ended = match.session.table.phase in OVER and not over
        asked = scene.name in {"askclaim", "askresign", "confirm", "askact", "papercheck"}
        assert not ended or asked or isinstance(facts[-1], f.SessionEnded | f.GameRuled)
        if any(isinstance(fact, ACTS) for fact in facts) and scene.name != "papercheck":
            match.wait(1).do(c.Undo())
            assert _play(match) == at_first, f"{control.name!r}: Undo leads elsewhere"


def _play(match: Table) -> tuple[object, ...]:
    """What an act may change; who is signed in and what stands on record of it are none of it."""
    table = match.session.table
    rulings = tuple((ruling.id, ruling.sanction) for ruling in table.rulings if not ruling.void)
    ledger = tuple(entry for entry in table.ledger if not entry.void)
    appeals = tuple((appeal.id, appeal.outcome) for appeal in table.appeals)
    clock = None if table.clock is None else (table.clock.reserve, table.clock.turn, table.clock.control, table.clock.flags)
    seats = None if table.setup is None else table.setup.players
    return (
        *(table.phase, clock, table.cube, ledger, table.game, table.ended, table.breaks_taken, seats, rulings, appeals),
        *(table.permissions, table.dice_changed),
    )


ASKED = {
    "give or take": c.Adjust(LEFT, Span(75 * NS_PER_S), "wrong setting"),
    "set both": c.SetReserves(Pair(Span(600 * NS_PER_S), Span(500 * NS_PER_S)), "wrong setting"),
    "delay": c.SetControl(Span(5 * NS_PER_S), None, "wrong setting"),
    "whole delay": c.RestartDelay(),
    "no delay": c.CancelNextDelay(RIGHT),
    "cube": c.SetCube(4, LEFT, "wrong setting"),
    "seats": c.SwapSeats(),
    "restart": c.RestartGame("wrong setting"),
    "forfeit": c.Forfeit((RIGHT,), "wrong setting"),
    "suspend": c.Suspend(),
    "void": c.Void(2, "wrong setting"),
}


@pytest.mark.parametrize("what", ASKED)
def test_undo_takes_back_what_an_official_was_asked_about(what: str) -> None:
    match = MOMENTS["rulings"](PLAIN)
    at_first = _play(match)
    match.show(AskAct("?", "", "", ASKED[what])).touch("Do it")
    assert isinstance(match.chronicle.entries[-1].fact, ACTS)
    match.touch("Referee").touch("Undo the last act")
    assert isinstance(match.chronicle.entries[-1].fact, f.ActUndone)
    assert _play(match) == at_first


def test_the_first_page_of_a_resignation_resigns_nothing() -> None:
    match = MOMENTS["ask-resign"](PLAIN).touch("Марија Ќосева")
    assert match.session.table.phase is Phase.PLAYING
    assert match.touch("Марија Ќосева resigns").session.table.phase is Phase.ENDED


# ── A wrong touch is undone by one ───────────────────────────────────────────
def test_stop_and_resume_lead_back() -> None:
    match = MOMENTS["playing"](PLAIN)
    reserve = match.session.table.clock.reserve  # type: ignore[union-attr]
    match.touch("Stop").touch("Resume")
    assert match.session.table.phase is Phase.PLAYING
    assert match.session.table.clock.reserve == reserve  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "moment",
    [
        name
        for name in MOMENTS
        if name.startswith(("ask-", "choose-", "keyboard-", "more-", "record", "correct", "menu", "settings", "sign"))
    ],
)
def test_what_was_opened_is_left_by_back(moment: str) -> None:
    match = MOMENTS[moment](PLAIN)
    facts, depth = match.chronicle.count, len(match.desk._open)
    if match.picture().name in {"confirm", "finished"}:
        return
    match.touch("Back")
    assert match.chronicle.count == facts
    assert len(match.desk._open) == depth - 1


def test_an_entry_is_taken_back() -> None:
    match = MOMENTS["record-filled"](PLAIN)
    before = match.session.table.games
    entry = next(control.name for control in match.picture().controls if "wins" in control.name)
    match.touch(entry)
    assert match.session.table.phase is Phase.RECORDING
    match.touch("Take the entry back")
    assert match.session.table.awaiting is None
    assert match.session.table.games == before


def test_a_pass_is_taken_back_with_the_offer_still_open_or_gone_but_no_game_lost() -> None:
    match = MOMENTS["double-offered"](PLAIN).touch("Pass")
    assert match.session.table.phase is Phase.RECORDING
    games = match.session.table.games
    match.touch("Take the entry back")
    assert match.session.table.phase in {Phase.PLAYING, Phase.STOPPED}
    assert match.session.table.games == games


def test_ticks_and_seats_go_to_and_fro() -> None:
    match = MOMENTS["checkin"](PLAIN)
    for _ in range(2):
        match.touch("Checkers")
    assert set(match.session.table.checked) == {CheckItem.LEFT, CheckItem.DICE}
    names = match.session.table.setup.players  # type: ignore[union-attr]
    match.touch("Swap the seats")
    assert match.session.table.setup.players == Pair(names.right, names.left)  # type: ignore[union-attr]
    match.touch("Swap the seats")
    assert match.session.table.setup.players == names  # type: ignore[union-attr]


def test_an_automatic_double_is_undone() -> None:
    match = MOMENTS["free-session"](PLAIN).touch("Tied roll: double")
    assert match.session.table.cube.value == 2
    assert match.touch("Undo the tie").session.table.cube.value == 1


def test_the_end_of_a_session_is_undone() -> None:
    match = MOMENTS["free-session-playing"](PLAIN).touch("menu").touch("End the session")
    assert match.picture(SMALL).name == "finished"
    match.touch("menu").touch("Undo")
    assert match.session.table.phase not in OVER


def test_an_arrival_noted_by_mistake_is_put_right_where_the_late_start_was_made() -> None:
    match = MOMENTS["late"](PLAIN)
    match.picture()
    match.touch("Arrived")
    reserve = match.session.table.clock.reserve.right  # type: ignore[union-attr]
    match.touch("Somebody is late").touch("Борис Гринько is missing")
    assert match.session.table.phase is Phase.LATE
    assert match.session.table.clock.reserve.right == reserve  # type: ignore[union-attr]


def test_a_start_turned_over_by_mistake_is_turned_over_again() -> None:
    match = MOMENTS["playing-first-turn"](PLAIN)
    turn = match.session.table.clock.turn  # type: ignore[union-attr]
    match.touch("Wrong clock started").touch("Wrong clock started")
    assert match.session.table.clock.turn is turn  # type: ignore[union-attr]
