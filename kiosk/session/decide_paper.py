"""A match that was played at a table without a device, entered afterwards from its signed paper sheet: all of it, or nothing.

It leads to one opening, one entry that says that it comes from paper and from whom, the games, the end and the signatures, in one append.
What the paper does not say is not claimed: no clock runs in such a match, nobody is late, no break is had, nothing is alerted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.domain import facts as f
from kiosk.domain.asked import cube_in_play, is_crawford_game, plain_score
from kiosk.domain.errors import CommandRefused, Refusal, mark
from kiosk.domain.flow import setup_of
from kiosk.domain.flow_back import REFEREE
from kiosk.domain.setup import LONGEST_TEXT, bad_value
from kiosk.domain.state import CUBE_VALUES, OVER, Phase, Table
from kiosk.domain.table import evolve
from kiosk.domain.types import SIDES, Instant, Side, present
from kiosk.session import commands as c
from kiosk.session.authority import official_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from kiosk.domain.setup import MatchSetup

FORFEIT_REASON = mark("as on the paper sheet")
"""The reason of a forfeit that a paper sheet says."""

NO_CLOCK = (
    c.StartLate,
    c.TakeBreak,
    c.SetState,
    c.Adjust,
    c.SetReserves,
    c.SetControl,
    c.CancelNextDelay,
    c.ClearFlag,
)
"""What has no meaning in a match without a clock."""


def refuse_a_clock(table: Table, command: c.Command) -> None:
    """Refuse what would let a clock of a paper match run, or change it.

    Raises:
        CommandRefused: `wrong_phase`.
    """
    if table.paper is not None and isinstance(command, NO_CLOCK):
        raise CommandRefused(Refusal.WRONG_PHASE, "This match was entered from paper; no clock runs in it.")


def enter(table: Table, command: c.EnterPaper, at: Instant) -> tuple[f.Fact, ...]:
    """What a paper sheet leads to.

    Raises:
        CommandRefused: `bad_value`, with the game's number where a game cannot be; nothing has changed.
    """
    official = present(official_of(table))
    if len(command.played) > LONGEST_TEXT or not command.played.isprintable():
        raise bad_value("When it was played is one line of at most {longest} characters.", longest=LONGEST_TEXT)
    entered = f.PaperEntered(at, command.played, official.name, official.role, command.signed)
    signed_in = f.OfficialSignedIn(at, official.name, official.role)  # the opening begins the table anew
    facts: list[f.Fact] = [f.MatchOpened(at, command.match, command.setup), signed_in, entered]
    state = _evolved(Table(), facts)
    games = [f.PaperGameEntered(at, game.winner, game.kind, game.cube) for game in command.games]
    state = _played(state, games)
    ends = _ends(state, command.end, at)
    signatures = [
        f.SheetSigned(at, side, command.signed[side] is f.OnPaper.PROTEST) for side in SIDES if command.signed[side] is not f.OnPaper.NO
    ]
    return (*facts, *games, *ends, *signatures)


def on_paper(setup: MatchSetup, games: Iterable[c.PaperGame]) -> Table:
    """The table after these games on a paper sheet: for showing score and Crawford game while they are entered.

    Raises:
        CommandRefused: `bad_value`: one of them cannot be; the sentence has its number.
    """
    opened = evolve(Table(), f.MatchOpened(Instant(0), "", setup))
    return _played(opened, [f.PaperGameEntered(Instant(0), game.winner, game.kind, game.cube) for game in games])


def ended_on_paper(setup: MatchSetup, games: Iterable[c.PaperGame], end: c.PaperEnd | None) -> Table:
    """The table as the whole sheet leaves it: for showing the result before it is entered.

    Raises:
        CommandRefused: `bad_value`: it cannot be.
    """
    table = on_paper(setup, games)
    return _evolved(table, _ends(table, end, Instant(0)))


def _evolved(table: Table, facts: Iterable[f.Fact]) -> Table:
    for fact in facts:
        table = evolve(table, fact)
    return table


def _played(table: Table, games: Iterable[f.PaperGameEntered]) -> Table:
    for n, game in enumerate(games, start=1):
        _check(table, n, game)
        table = evolve(table, game)
    return table


def _check(table: Table, n: int, game: f.PaperGameEntered) -> None:
    setup = setup_of(table)
    kinds = dict(setup.kinds)
    if table.phase in OVER:
        raise bad_value("Game {n} cannot be: the match was over after game {last}.", n=n, last=n - 1)
    if game.kind not in kinds:
        raise bad_value(
            "Game {n} cannot be: under {rulebook} a game is won as {kinds}, not {kind}.",
            n=n,
            rulebook=setup.rulebook,
            kinds=tuple(kinds),
            kind=game.kind,
        )
    if game.cube not in CUBE_VALUES:
        raise bad_value("Game {n} cannot be: a cube shows 1, 2, 4, 8, 16, 32 or 64, not {cube}.", n=n, cube=game.cube)
    if game.cube > 1 and is_crawford_game(table):
        raise bad_value("Game {n} is the Crawford game, played without the cube; it cannot stand at {cube}.", n=n, cube=game.cube)
    if game.cube > 1 and not cube_in_play(table):
        raise bad_value("Game {n} is played without a cube; it cannot stand at {cube}.", n=n, cube=game.cube)


# ── The end ──────────────────────────────────────────────────────────────────
def _ends(table: Table, end: c.PaperEnd | None, at: Instant) -> tuple[f.Fact, ...]:
    setup = setup_of(table)
    if table.phase in OVER:
        if end is not None:
            raise bad_value("The match was over after game {last} by its score; it cannot end another way too.", last=len(table.games))
        return ()
    if end is None:
        if setup.length is None:
            return (f.SessionEnded(at),)
        score = plain_score(setup, table.ledger)
        raise bad_value(
            "At {left}:{right} nobody has the {length} points yet: enter the games that are missing, or how else it ended.",
            left=score.left,
            right=score.right,
            length=setup.length,
        )
    return _other_end(table, end, at)


def _other_end(table: Table, end: c.PaperEnd, at: Instant) -> tuple[f.Fact, ...]:
    setup = setup_of(table)
    if len(set(end.sides)) != len(end.sides) or not 1 <= len(end.sides) <= (len(SIDES) if end.how == "forfeit" else 1):
        raise bad_value("One side resigns or has its flag down; one or both can have forfeited.")
    if end.how == "resignation":
        return (f.MatchResigned(at, end.sides[0]),)
    if setup.length is None:
        raise bad_value("A free session has no match to lose.")
    if end.how == "forfeit":
        sides: tuple[Side, ...] = tuple(side for side in SIDES if side in end.sides)
        return (f.MatchForfeited(at, sides, FORFEIT_REASON),)
    fell = f.FlagFell(at, end.sides[0])
    over = evolve(table, fell).phase is Phase.ENDED  # the policy `auto` needs no claim
    return (fell,) if over else (fell, f.FlagClaimed(at, REFEREE))
