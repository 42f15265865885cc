"""Questions to a table: score, Crawford and cube are never stored, but worked out from the ledger of games and points.

So a correction or a voided penalty changes them everywhere at once (domain rule 3.4).
"""

from __future__ import annotations

from kiosk.domain.facts import CheckItem, GameRestarted, PlayAttached
from kiosk.domain.rulebook import Kind
from kiosk.domain.setup import MatchSetup
from kiosk.domain.state import OVER, Entry, ExaminedPlay, Game, Phase, Table
from kiosk.domain.types import SIDES, Pair, Side


def next_number(table: Table) -> int:
    """The number of the game after the last one in the ledger; the number of a void game is not given again."""
    return max((entry.n for entry in table.ledger if isinstance(entry, Game)), default=table.first_game - 1) + 1


def progress(table: Table) -> tuple[object, ...]:
    """How far play has come: what must be unchanged for an official's act to be undone as if it had not been."""
    clock = table.clock
    return (
        table.phase,
        table.game,
        table.started,
        tuple(entry for entry in table.ledger if not entry.void),
        table.game_turns,
        table.cube,
        tuple(ruling.id for ruling in table.rulings if not ruling.void),
        len(table.appeals),
        None if clock is None else (clock.turns, clock.turn),
    )


def plain_score(setup: MatchSetup, entries: tuple[Entry, ...]) -> Pair[int]:
    """The plain sum of games and penalty points on top of the opening score, also past the length."""
    score = setup.score
    for entry in entries:
        if entry.void:
            continue
        gainer = entry.winner if isinstance(entry, Game) else entry.side.other
        score = score.put(gainer, score[gainer] + entry.points)
    return score


def score_of(table: Table) -> Pair[int]:
    """The score as it counts: flag, resignation, ruling and a later forfeit raise the winner to the length (domain rule 3.2)."""
    if table.setup is None:
        return Pair(0, 0)
    score = plain_score(table.setup, table.ledger)
    end = table.ended
    if end is None or end.winner is None or end.how == "score" or end.unplayed or table.setup.length is None:
        return score
    return score.put(end.winner, max(score[end.winner], table.setup.length))


def reached(setup: MatchSetup, entries: tuple[Entry, ...]) -> Side | None:
    """Who has the points needed to win; the latest entry decides where both would."""
    if setup.length is None:
        return None
    score = plain_score(setup, entries)
    there = [side for side in SIDES if score[side] >= setup.length]
    if len(there) < 2:
        return there[0] if there else None
    return reached(setup, entries[:-1]) or there[0]


def _at_match_point(setup: MatchSetup, entries: tuple[Entry, ...]) -> bool:
    if setup.length is None or setup.length == 1:  # At length 1 no game is called Crawford.
        return False
    score = plain_score(setup, entries)
    return max(score.left, score.right) >= setup.length - 1


def crawford_played(table: Table) -> bool:
    """Whether the one Crawford game lies behind; one that was played is never repeated."""
    # A Crawford game that was lost by a ruling since voided was played all the same, if it had begun; where it is open again it is not
    # in the ledger.
    games = (entry for entry in table.ledger if isinstance(entry, Game))
    return table.setup is not None and (
        table.setup.crawford_played or any(game.crawford and (game.begun or not game.void) for game in games)
    )


def unplayed(table: Table) -> bool:
    """Whether the match has not begun, here or before it was brought here: a forfeit is then written `+` and `−` (domain rule 3.6)."""
    fresh = table.first_game == 1 and table.setup is not None and table.setup.score == Pair(0, 0)
    restarted = any(isinstance(act.fact, GameRestarted) for act in table.acts)
    return fresh and not restarted and not table.started and not table.games


def present_sides(table: Table) -> Pair[bool]:
    """Who is known to be at the table.

    Before the first game: who is ticked on the check-in list, and once somebody was found absent whoever is not, or has come since.
    From the first game on everybody is; where there is no match, nobody.
    """
    if table.setup is None:
        return Pair(left=False, right=False)
    if table.started or table.games or table.phase in OVER:
        return Pair(left=True, right=True)
    looked = table.phase is Phase.LATE or bool(table.late.lost_choice)
    items = Pair(CheckItem.LEFT, CheckItem.RIGHT)
    return Pair(*(side not in table.late.absent and (looked or items[side] in table.checked) for side in SIDES))


def is_crawford_game(table: Table) -> bool:
    """Whether the running (or next) game is played without cube because a side stood at length − 1 when it began (000 §8)."""
    setup = table.setup
    if setup is None or not setup.crawford or not setup.cube or crawford_played(table):
        return False
    if table.ended is not None and not table.started:  # the match ended between games: there is no next one
        return False
    return _at_match_point(setup, table.ledger[: table.game_began])


def cube_frozen(table: Table) -> bool:
    """Whether a penalty point in mid-game froze the cube: the next game is the Crawford game (domain rule 3.4)."""
    setup = table.setup
    if setup is None or not setup.crawford or not setup.cube or not table.started or crawford_played(table):
        return False
    return not is_crawford_game(table) and _at_match_point(setup, table.ledger)


def cube_in_play(table: Table) -> bool:
    """Whether there is a cube in this game; a frozen cube is in play, at length 1 there is no use for one."""
    setup = table.setup
    return setup is not None and setup.cube and setup.length != 1 and not is_crawford_game(table)


def double_match_point(table: Table) -> bool:
    """Whether both sides need one point."""
    if table.setup is None or table.setup.length is None or table.phase in OVER:
        return False
    score = plain_score(table.setup, table.ledger)
    return score.left == score.right == table.setup.length - 1


def game_points(setup: MatchSetup, kind: Kind, cube: int, *, automatic: bool) -> int:
    """What a game is worth: cube × factor; under Jacoby gammons count only if the cube was turned (002).

    Args:
        setup: The match's setup.
        kind: How it was won.
        cube: The final cube (for a pass: before the refused double).
        automatic: A tied opening roll doubled it, which is not a turn.
    """
    factor = setup.factor(kind) or 1
    was_turned = cube > (2 if automatic else 1)
    if setup.jacoby and not was_turned:
        factor = 1
    return cube * factor


def provisional(table: Table) -> bool:
    """Whether the result may still change: an appeal is open, or a game is disputed (domain rule 3.6)."""
    disputed = table.awaiting is not None and table.awaiting.disputed
    return disputed or any(appeal.outcome is None for appeal in table.appeals)


def standing_of(table: Table) -> Pair[str] | None:
    """`1` and `0`, `+` and `−` for a match that was not played, None while it goes on (000 §8); `=` for a session that ended level."""
    end = table.ended
    if end is None:
        return None
    if end.winner is None and end.how == "session":  # Decision: 000 knows no draw; level is nobody's loss, so no double forfeit's signs.
        return Pair("=", "=")
    if end.winner is None:  # Decision: both lost by a ruling have lost a match that was played.
        return Pair("0", "0") if end.how == "ruling" else Pair("−", "−")
    won, lost = ("+", "−") if end.unplayed else ("1", "0")
    return Pair(won, lost) if end.winner is Side.LEFT else Pair(lost, won)


def play_line(play: ExaminedPlay | PlayAttached) -> str:
    """A position and what was played in it, on one line, for programs and journals."""
    throw = " ".join(part for part in (play.dice, play.move) if part)
    verdict = f"{play.verdict} ({play.article})" if play.verdict and play.article else play.verdict
    return ", ".join(part for part in (play.position, throw, verdict) if part)
