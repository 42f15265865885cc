"""`kiosk journal show` tells officials' acts in words, with who did them."""

from __future__ import annotations

from typing import get_args

import pytest

from kiosk.app import told
from kiosk.app.told import Teller
from kiosk.books import Library
from kiosk.domain import facts as f
from kiosk.domain.officials import Role
from kiosk.domain.rulebook import Kind, Method, Sanction
from kiosk.domain.setup import Options, resolve
from kiosk.domain.types import Instant, Pair, Side, seconds

LEFT, RIGHT = Side.LEFT, Side.RIGHT
NOW = Instant(7)


def at_play() -> Teller:
    """A table at play with the chief signed in."""
    teller = Teller()
    setup = resolve(Library().load("ibgf"), Options(5, Pair(("A",), ("B",))))
    assert teller.tell(f.MatchOpened(Instant(1), "m", setup)) is None
    assert teller.tell(f.GameStarted(Instant(2), RIGHT)) is None
    assert teller.tell(f.OfficialSignedIn(Instant(3), "Ana", Role.CHIEF)) == "Ana signed in as chief"
    return teller


def ruling(**other: object) -> f.RulingMade:
    given: dict[str, object] = {"kind": None, "suggested": Sanction.WARNING, "ground": "first_serious", "earlier": None, "note": ""}
    given |= {"panel": (), "duplicate": None, "sanction": Sanction.WARNING, **other}
    return f.RulingMade(at=NOW, sides=(LEFT,), infraction="device", **given)  # type: ignore[arg-type]


def test_every_act_has_words() -> None:
    assert set(told._WORDS) == {*get_args(f.OfficialFact), *get_args(f.HallFact), *get_args(f.ChouetteFact), f.MatchTakenUp}


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (f.OfficialSignedOut(NOW, idle=True), "Ana was signed out after a minute without touch"),
        (f.OfficialSignedOut(NOW, idle=False), "Ana signed out"),
        (f.SignInFailed(NOW), "a wrong PIN or an unknown badge"),
        (f.PinRecovered(NOW, "", "", 1, wall_trusted=False), "the PIN of somebody (the mark was damaged) was set anew at the table itself"),
        (f.TimeAdjusted(NOW, LEFT, seconds(-20.5), "dice"), "Ana (chief): left's reserve −20.5 s; reason: dice"),
        (f.TimeAdjusted(NOW, LEFT, seconds(60), "dice"), "Ana (chief): left's reserve +60 s; reason: dice"),
        (f.ReservesSet(NOW, Pair(seconds(9), seconds(8)), "paper"), "Ana (chief): reserves set to 9 s and 8 s; reason: paper"),
        (f.ControlChanged(NOW, seconds(8), Method.FISCHER, ""), "Ana (chief): time control set to fischer, 8 s"),
        (f.DelayRestarted(NOW), "Ana (chief): gave the whole delay again"),
        (f.NextDelayCancelled(NOW, RIGHT), "Ana (chief): right's next turn has no delay"),
        (f.CubeSet(NOW, 2, LEFT, "board"), "Ana (chief): cube set to 2 (left); reason: board"),
        (f.CubeSet(NOW, 1, None, ""), "Ana (chief): cube set to 1 (centred)"),
        (f.SeatsExchanged(NOW), "Ana (chief): exchanged the seats"),
        (f.GameRestarted(NOW, "setup"), "Ana (chief): restarted the game; reason: setup"),
        (f.MatchForfeited(NOW, (LEFT, RIGHT), "absent"), "Ana (chief): match forfeited by left and right; reason: absent"),
        (f.MatchSuspended(NOW, "XGID", "late"), "Ana (chief): suspended the match; position: XGID; note: late"),
        (
            f.MatchTakenUp(NOW, NOW, "12", "ab12", "Vera", Role.REFEREE),
            "Vera (referee) took the match up here; it came from table 12, hash ab12",
        ),
        (
            f.MatchTakenOver(NOW, NOW, seconds(2.5), "12", "ab12", "Vera", Role.REFEREE),
            "Vera (referee) took the running match over here; it came from table 12, hash ab12; 2.5 s in doubt, not charged",
        ),
        (
            f.MatchTakenOver(NOW, NOW, None, "", "ab12", "Vera", Role.REFEREE),
            "Vera (referee) took the running match over here; it came from table –, hash ab12; how long its clock ran on is not known",
        ),
        (f.OfficialSignedIn(NOW, "Rea", Role.REFEREE, f.SignedInBy.PHONE), "Rea acts from elsewhere as referee"),
        (f.OfficialSignedIn(NOW, "Rea", Role.REFEREE, f.SignedInBy.AGAIN), "Rea is signed in as before as referee"),
        (f.HallPaused(NOW, "Eva", "fire\nalarm"), "Eva paused the hall: fire alarm"),
        (f.HallPaused(NOW, "", "go elsewhere"), "stopped here: go elsewhere"),
        (f.HallPauseLifted(NOW, "Eva"), "Eva lifted the pause of the hall"),
        (f.MessageShown(NOW, 4, "Desk", "Lunch"), "message 4 from Desk: Lunch"),
        (f.MessageRead(NOW, 4), "message 4 was read"),
        (f.SeatConfirmed(NOW, "m-7", 2, LEFT, here=True), "left has confirmed the next match"),
        (f.SeatConfirmed(NOW, "m-7", 2, LEFT, here=False), "left has not confirmed the next match"),
        (f.RoundStartMoved(NOW, "Desk", None), "Desk moved the start of the round"),
        (f.RefereeOnTheWay(NOW, "Rea"), "Rea is on the way"),
        (f.MatchPlaced(NOW, "Open", "3", "12", practice=False), "the organizer's match: Open, round 3"),
        (f.MatchPlaced(NOW, "Open", "", "12", practice=True), "the organizer's match: Open, round –, practice"),
        (f.DiceChanged(NOW, LEFT), "Ana (chief): left had the dice changed"),
        (f.PermissionGiven(NOW, LEFT, f.Permit.LEAVE, seconds(300)), "Ana (chief): left may: leave, for 300 s"),
        (f.PermissionGiven(NOW, LEFT, f.Permit.DEVICE, None), "Ana (chief): left may: device"),
    ],
)
def test_an_act_is_told(fact: f.Fact, words: str) -> None:
    assert at_play().tell(fact) == words


def test_a_whole_table_is_told() -> None:
    reserve = Pair(seconds(9), seconds(8))
    fact = f.StateSet(NOW, Pair(1, 2), reserve, LEFT, seconds(1), 2, RIGHT, 4, crawford_played=True, breaks=Pair(0, 1))
    assert at_play().tell(fact) == (
        "Ana (chief): set the whole table: 1:2, game 4, Crawford game played, reserves 9 s and 8 s, "
        "left to move, 1 s of the delay used, cube 2 (right), breaks taken 0 and 1"
    )


def test_a_ruling_is_told_from_entry_to_appeal() -> None:
    teller = at_play()
    first = teller.tell(ruling(note="phone"))
    assert first is not None
    assert first.startswith("Ana (chief): ruling 1: left, device (")
    assert first.endswith("), warning; suggested: warning (first serious); note: phone")
    second = teller.tell(
        ruling(sanction=Sanction.GAME_LOSS, kind=Kind.GAMMON, suggested=None, earlier=1, duplicate=1, panel=("Ana", "Bo"), ground="repeat")
    )
    assert second is not None
    assert second.endswith("game_loss as gammon; suggested: on record only (repeat, ruling 1); panel: Ana, Bo; beside ruling 1 on purpose")
    assert teller.tell(f.RulingMerged(NOW, 1, "twice")) == "Ana (chief): ruling 1 was entered again and merged; note: twice"
    assert teller.tell(f.AppealLodged(NOW, 1, LEFT, f.AppealTo.COMMITTEE)) == "left appealed against ruling 1 to the committee"
    decided = f.AppealDecided(NOW, 1, f.Outcome.VOID, ("Cy", "Di"))
    assert teller.tell(decided) == "Ana (chief): appeal 1 decided: void; by Cy, Di"
    assert teller.tell(f.ActUndone(NOW)) == "Ana (chief): undid the last act (AppealDecided)"
    assert teller.tell(f.PlayAttached(NOW, 2, "4HPwATDgc/ABMA", "5-3", "13/8", "more", "000 §3")) == (
        "Ana (chief): a position goes with ruling 2: 4HPwATDgc/ABMA, 5-3 13/8, more (000 §3)"
    )
    assert teller.tell(f.RulingVoided(NOW, 2, "misheard")) == "Ana (chief): took ruling 2 back; reason: misheard"
