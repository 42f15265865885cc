"""Who may do what: nobody signed in, a referee, a deputy, the chief, the organizer (000 §11, domain rules 2.10, 4.3, 4.5, 4.6, 4.8).

Each row names a table, a command, and the least role that may do it; whoever is below is refused with `not_authorised`, whoever is at
least that leaves a fact.
"""

from __future__ import annotations

import pytest
from evening import LEFT, RIGHT, Evening
from phases import AT_S, CHIEF, COMMANDS, DEPUTY, PHASES, REFEREE, by

from kiosk.domain.errors import CommandRefused
from kiosk.domain.facts import AppealTo, Outcome, Permit
from kiosk.domain.officials import Official, Role
from kiosk.domain.rulebook import Kind, Sanction
from kiosk.session import commands as c

PEOPLE: dict[str, Official | None] = {
    "nobody": None,
    "referee": REFEREE,
    "deputy": DEPUTY,
    "chief": CHIEF,
    "organizer": Official("Olga", Role.ORGANIZER),
}
RANKS = list(PEOPLE)


def phase(name: str) -> Evening:
    return PHASES[name]()


def ruled_by(official: Official, table: str = "playing", sanction: Sanction = Sanction.PENALTY_POINT) -> Evening:
    return by(official, phase(table), 198, c.Rule((RIGHT,), "device", sanction))


def appealed(to: AppealTo) -> Evening:
    table = ruled_by(REFEREE)
    table.do(c.LodgeAppeal(1, RIGHT, to), 199)
    return table


def gone_without_leave() -> Evening:
    """The second time the article itself names the match loss (000 §11)."""
    return by(REFEREE, phase("playing"), 120, c.Rule((LEFT,), "break_unauthorised"))


def late_in_the_game() -> Evening:
    table = phase("playing")
    for at_s, side in ((201, LEFT), (202, RIGHT)):
        table.press(side, at_s)
    return table


def abroad() -> Evening:
    return by(REFEREE, phase("playing"), 198, c.Allow(LEFT, Permit.LEAVE))


def done_by(official: Official, table: str = "playing") -> Evening:
    return by(official, phase(table), 198, c.Adjust(LEFT, 5_000_000_000, "fault"))  # type: ignore[arg-type]


EXPULSION = c.Rule((LEFT,), "match_fixing", panel=("Eve",))
CORRECT = c.CorrectGame(1, RIGHT, Kind.SINGLE, 1, "misread")


def claimed() -> Evening:
    table = phase("playing with a flag down")
    table.do(c.ClaimFlag("right"), AT_S)
    return table


ROWS = [
    ("a remark", lambda: phase("playing"), c.Rule((LEFT,), "eating"), "referee"),
    ("a penalty point", lambda: phase("playing"), c.Rule((LEFT,), "dice_replaced"), "referee"),
    ("a game loss", lambda: phase("playing"), c.Rule((LEFT,), "device", Sanction.GAME_LOSS), "referee"),
    ("a match loss", lambda: phase("playing"), c.Rule((LEFT,), "device", Sanction.MATCH_LOSS), "chief"),
    ("a match loss for both", lambda: phase("stopped"), c.Rule((LEFT, RIGHT), "device", Sanction.MATCH_LOSS), "chief"),
    ("a match loss that the article names", gone_without_leave, c.Rule((LEFT,), "break_unauthorised"), "referee"),
    ("the same, said", gone_without_leave, c.Rule((LEFT,), "break_unauthorised", Sanction.MATCH_LOSS), "referee"),
    ("an expulsion that is suggested", lambda: phase("playing"), EXPULSION, "chief"),
    ("an expulsion", lambda: phase("playing"), c.Rule((LEFT,), "device", Sanction.EXPULSION, panel=("Eve",)), "chief"),
    ("void a referee's", lambda: ruled_by(Official("Rex", Role.REFEREE)), c.Void(1, "mistaken"), "deputy"),
    ("void one's own", lambda: ruled_by(REFEREE), c.Void(1, "mistaken"), "referee"),
    ("void the deputy's", lambda: ruled_by(Official("Dora", Role.DEPUTY)), c.Void(1, "mistaken"), "deputy"),
    ("void the chief's", lambda: ruled_by(Official("Carl", Role.CHIEF)), c.Void(1, "mistaken"), "chief"),
    ("an appeal to the chief", lambda: appealed(AppealTo.CHIEF), c.DecideAppeal(1, Outcome.VOID), "deputy"),
    ("the committee's decision", lambda: appealed(AppealTo.COMMITTEE), c.DecideAppeal(1, Outcome.VOID, ("Eve",)), "chief"),
    ("a match loss on appeal", lambda: appealed(AppealTo.CHIEF), c.DecideAppeal(1, Outcome.MATCH_LOSS), "chief"),
    ("an expulsion on appeal", lambda: appealed(AppealTo.CHIEF), c.DecideAppeal(1, Outcome.EXPULSION, ("Eve",)), "chief"),
    ("an appeal", lambda: ruled_by(REFEREE), c.LodgeAppeal(1, RIGHT), "nobody"),
    ("adjust", lambda: phase("playing"), COMMANDS["adjust"], "referee"),
    ("set reserves", lambda: phase("playing"), COMMANDS["set_reserves"], "referee"),
    ("set control", lambda: phase("playing"), COMMANDS["set_control"], "referee"),
    ("restart the delay", lambda: phase("playing"), c.RestartDelay(), "referee"),
    ("cancel a delay", lambda: phase("playing"), c.CancelNextDelay(LEFT), "referee"),
    ("clear a flag", lambda: phase("playing with a flag down"), COMMANDS["clear_flag"], "referee"),
    ("set the cube", lambda: phase("playing"), COMMANDS["set_cube"], "referee"),
    ("swap seats before the first press", lambda: phase("opening game 1"), c.SwapSeats(), "nobody"),
    ("swap seats later", lambda: phase("playing"), c.SwapSeats(), "referee"),
    ("restart a game early", lambda: phase("playing"), c.RestartGame("set up wrongly"), "referee"),
    ("restart a game late", late_in_the_game, c.RestartGame("set up wrongly"), "chief"),
    ("set the table", lambda: phase("opening game 1"), COMMANDS["set_state"], "referee"),
    ("forfeit", lambda: phase("opening game 1"), COMMANDS["forfeit"], "referee"),
    ("suspend", lambda: phase("playing"), c.Suspend(), "referee"),
    ("resume", lambda: phase("suspended"), c.ResumeMatch(), "referee"),
    ("dice", lambda: phase("opening between games"), c.ChangeDice(LEFT), "deputy"),
    ("a device", lambda: phase("playing"), c.Allow(LEFT, Permit.DEVICE), "deputy"),
    ("leaving", lambda: phase("playing"), c.Allow(LEFT, Permit.LEAVE), "referee"),
    ("back", abroad, c.Back(LEFT, Permit.LEAVE), "referee"),
    ("receive", lambda: phase("signed"), c.Receive(), "referee"),
    ("the last game, by the players", lambda: phase("opening between games"), CORRECT, "nobody"),
    ("after both have signed", lambda: phase("signed"), CORRECT, "chief"),
    ("after the hand-in", lambda: phase("received"), CORRECT, "chief"),
    ("a disputed game", lambda: phase("disputed"), c.RecordGame(RIGHT, Kind.GAMMON, None), "referee"),
    ("its confirmation", lambda: phase("disputed"), c.ConfirmGame(RIGHT), "referee"),
    ("put a press back late", lambda: phase("playing"), c.PressBack("referee"), "referee"),
    ("swap a start", lambda: phase("playing the first turn"), c.SwapStart("referee"), "referee"),
    ("claim a flag", lambda: phase("playing with a flag down"), c.ClaimFlag("referee"), "nobody"),
    ("call", lambda: phase("playing"), c.CallReferee("left"), "nobody"),
    ("undo a claim", claimed, c.Undo(), "referee"),
    ("undo one's own", lambda: done_by(REFEREE), c.Undo(), "referee"),
    ("undo the chief's", lambda: done_by(Official("Carl", Role.CHIEF)), c.Undo(), "chief"),
    ("undo a referee's", lambda: done_by(Official("Rex", Role.REFEREE)), c.Undo(), "deputy"),
]

OTHERWISE = {
    ("after both have signed", True): "window_closed",
    ("after the hand-in", True): "window_closed",
    ("restart a game late", False): "window_closed",
}
"""(row, nobody signed in): where whoever may not is refused for another reason: a window that is open to others."""


@pytest.mark.parametrize("who", PEOPLE)
@pytest.mark.parametrize(("what", "make", "command", "least"), ROWS, ids=[row[0] for row in ROWS])
def test_the_least_role_may_and_nobody_below(what: str, make: object, command: c.Command, least: str, who: str) -> None:
    table: Evening = make()  # type: ignore[operator]
    official, at_s = PEOPLE[who], AT_S + 70  # more than a minute after anything that was ruled before
    if official is not None:
        table.do(c.SignIn(official), at_s)
    own = {"void one's own", "undo one's own"}
    if RANKS.index(who) >= RANKS.index(least) and not (what in own and who == "nobody"):
        assert table.do(command, at_s)
        assert table.replayed() == table.table
        return
    with pytest.raises(CommandRefused) as refused:
        table.do(command, at_s)
    expected = "nothing_to_undo" if isinstance(command, c.Undo) and official is None else "not_authorised"
    assert refused.value.code == OTHERWISE.get((what, official is None), expected)
