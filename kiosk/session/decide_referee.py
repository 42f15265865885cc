"""What officials ask for (domain rules 2.10, 4): who may, and what comes of it.

A referee may do all that is here but: a match loss (unless the article names it), an expulsion (with the panel's names), the dice and a
device (deputy or chief, 000 §11), a late restart and a correction after both have signed (chief). A ruling is taken back by whoever
made it, or by somebody above.
"""

from __future__ import annotations

from kiosk.domain import facts as f
from kiosk.domain.clock import settle
from kiosk.domain.errors import CommandRefused, Refusal
from kiosk.domain.flow import clock_of, setup_of
from kiosk.domain.flow_ruling import voided
from kiosk.domain.flow_undo import undoable
from kiosk.domain.officials import Official, Role
from kiosk.domain.rulebook import Kind, Sanction
from kiosk.domain.rulings import Earlier, Suggestion, suggest
from kiosk.domain.setup import bad_value
from kiosk.domain.state import (
    CUBE_VALUES,
    OVER,
    Appeal,
    Phase,
    Ruling,
    Table,
    cube_in_play,
    double_match_point,
    is_crawford_game,
)
from kiosk.domain.types import SIDES, Instant, Side, Span, present, seconds
from kiosk.session import commands as c
from kiosk.session.decide_games import refuse_without_reason

SAME_WITHIN = seconds(60)
"""The same penalty within this time is asked about (domain rule 4.7)."""

EARLY_TURNS = 2
"""A game may be restarted by a referee until both have ended this many turns (000 §11, 004 5.4.43–45)."""

HEAVY = frozenset({Sanction.MATCH_LOSS, Sanction.EXPULSION})

OFFICIALS_ONLY: tuple[type[c.Command], ...] = (
    c.Rule,
    c.Void,
    c.DecideAppeal,
    c.Adjust,
    c.SetReserves,
    c.SetControl,
    c.RestartDelay,
    c.CancelNextDelay,
    c.ClearFlag,
    c.SetCube,
    c.RestartGame,
    c.SetState,
    c.Forfeit,
    c.Suspend,
    c.ResumeMatch,
    c.ChangeDice,
    c.Allow,
    c.Back,
    c.Receive,
)
"""Commands that need a sign-in."""


def official_of(table: Table) -> Official | None:
    """Who is signed in."""
    return None if table.official is None else table.official.official


def require(table: Table, role: Role) -> Official:
    """Refuse whoever is not at least this.

    Raises:
        CommandRefused: `not_authorised`.
    """
    official = official_of(table)
    if official is None:
        raise CommandRefused(Refusal.NOT_AUTHORISED, "Sign in as an official to do this.")
    if not official.role.at_least(role):
        raise CommandRefused(
            Refusal.NOT_AUTHORISED,
            "This is for the {role}; {name} is signed in as {own}.",
            role=role,
            name=official.name,
            own=official.role,
        )
    return official


def needed_role(table: Table, command: c.Command) -> Role:
    """The least role that may do this here."""
    match command:
        case c.ChangeDice() | c.Allow(what=f.Permit.DEVICE):
            return Role.DEPUTY
        case c.DecideAppeal() if 1 <= command.appeal <= len(table.appeals):
            heavy = command.outcome in {f.Outcome.MATCH_LOSS, f.Outcome.EXPULSION}
            return Role.CHIEF if heavy or table.appeals[command.appeal - 1].to is f.AppealTo.COMMITTEE else Role.DEPUTY
        case c.Rule() if command.sanction in HEAVY and table.setup is not None:
            return Role.REFEREE if _named_by_article(table, command) else Role.CHIEF
        case c.CorrectGame() if table.phase in {Phase.SIGNED, Phase.RECEIVED}:
            return Role.CHIEF
        case _:
            return Role.REFEREE


def _named_by_article(table: Table, command: c.Rule) -> bool:
    """A match loss that the article itself names is any referee's (domain rule 4.3)."""
    if command.sanction is not Sanction.MATCH_LOSS:
        return False
    try:
        return suggestion(table, command.sides, command.infraction).sanction is Sanction.MATCH_LOSS
    except CommandRefused:
        return True  # an unknown infraction is refused for that


# ── Sign-in ──────────────────────────────────────────────────────────────────
def sign_in(table: Table, command: c.SignIn, at: Instant) -> tuple[f.Fact, ...]:
    """A right PIN signs in, a wrong one is counted; the fifth locks for a minute (domain rule 4.6)."""
    until = table.lockout.locked_until(at)
    if until is not None:
        left = -(-(until - at) // 1_000_000_000)
        raise CommandRefused(Refusal.NOT_AUTHORISED, "Five wrong PINs: wait {n} s.", n=left)
    if command.official is None:
        return (f.SignInFailed(at),)
    return (f.OfficialSignedIn(at, command.official.name, command.official.role),)


def sign_out(table: Table, at: Instant) -> tuple[f.Fact, ...]:
    """Only who is in can go."""
    if table.official is None:
        raise CommandRefused(Refusal.NOT_AUTHORISED, "Nobody is signed in.")
    return (f.OfficialSignedOut(at, idle=False),)


# ── Rulings ──────────────────────────────────────────────────────────────────
def suggestion(table: Table, sides: tuple[Side, ...], infraction: str, *, affects_play: bool = False) -> Suggestion:
    """What the ladder suggests; for both sides the heavier of the two.

    Raises:
        CommandRefused: `unknown_infraction`.
    """
    setup = setup_of(table)
    earlier = [Earlier(r.id, r.sides, r.infraction, r.sanction, r.game, r.void) for r in table.rulings]
    found = [suggest(setup, earlier, side, infraction, table.game, affects_play=affects_play) for side in sides]
    return max(found, key=lambda one: -1 if one.sanction is None else list(Sanction).index(one.sanction))


def rule(table: Table, command: c.Rule, at: Instant) -> tuple[f.Fact, ...]:
    """The table suggests, the referee decides (domain rule 4.2)."""
    official = present(official_of(table))
    advice = suggestion(table, command.sides, command.infraction, affects_play=command.affects_play)
    sanction = advice.sanction if command.sanction is None else command.sanction
    _refuse_sanction(table, command, sanction, advice, official)
    twin = same_within_a_minute(table, command.sides, command.infraction, at)
    if twin is not None and command.duplicate is None:
        raise CommandRefused(
            Refusal.DUPLICATE_RULING, "The same was entered less than a minute ago (ruling {n}): keep both, or merge.", n=twin.id
        )
    if twin is not None and command.duplicate == "merge":
        return (f.RulingMerged(at, twin.id, command.note),)
    made = f.RulingMade(
        at,
        command.sides,
        command.infraction,
        sanction,
        command.kind,
        advice.sanction,
        advice.ground,
        advice.earlier,
        command.note,
        command.panel,
        None if twin is None else twin.id,
    )
    if twin is None:
        return (made,)
    side = command.sides[0] if len(command.sides) == 1 else None
    return (made, f.AlertRaised(at, "duplicate_ruling", side, f"{twin.id}"))


def same_within_a_minute(table: Table, sides: tuple[Side, ...], infraction: str, at: Instant) -> Ruling | None:
    """The last ruling on the same side and code within a minute that still stands (domain rule 4.7)."""
    for ruling in reversed(table.rulings):
        same = ruling.infraction == infraction and set(ruling.sides) & set(sides)
        if same and not ruling.void and at - ruling.at <= SAME_WITHIN:
            return ruling
    return None


def _refuse_sanction(table: Table, command: c.Rule, sanction: Sanction | None, advice: Suggestion, official: Official) -> None:
    heavy = sanction in HEAVY
    named_by_article = sanction is Sanction.MATCH_LOSS and advice.sanction is Sanction.MATCH_LOSS
    if heavy and not named_by_article and not official.role.at_least(Role.CHIEF):
        raise CommandRefused(Refusal.NOT_AUTHORISED, "A match loss and an expulsion are the chief referee's; sign in as chief.")
    if table.phase in OVER and sanction in {Sanction.PENALTY_POINT, Sanction.GAME_LOSS}:
        raise CommandRefused(Refusal.MATCH_OVER, "The match is over: no point and no game can be lost any more.")
    if table.phase is Phase.LATE and sanction is Sanction.GAME_LOSS:
        # Decision: whoever is late loses points, or the match; a lost game would start the next one without him.
        raise CommandRefused(Refusal.WRONG_PHASE, "A game can be lost when both are here; give a point, or the match.")
    if setup_of(table).length is None and sanction is Sanction.MATCH_LOSS:
        raise bad_value("A free session has no match to lose.")
    if sanction is Sanction.EXPULSION and not command.panel:
        raise bad_value("An expulsion is the panel's: give the names of those who decided.")
    if sanction is Sanction.PENALTY_POINT and len(command.sides) > 1 and double_match_point(table):
        raise bad_value("At double match point a penalty point for both would win the match for both; choose another sanction.")
    if sanction is Sanction.GAME_LOSS and len(command.sides) > 1:
        raise bad_value("A game can be lost by one side only.")
    if command.kind is not None and (
        sanction is not Sanction.GAME_LOSS or command.kind is Kind.PASS or command.kind not in dict(setup_of(table).kinds)
    ):
        raise bad_value(
            "A lost game counts as {kinds}; no other sanction has a kind.", kinds=tuple(kind for kind, _ in setup_of(table).kinds)
        )


def void(table: Table, command: c.Void, at: Instant) -> tuple[f.Fact, ...]:
    """Whoever made it, or somebody above; each only once."""
    official = present(official_of(table))
    ruling = _ruling(table, command.ruling)
    if ruling.void:
        raise CommandRefused(Refusal.ALREADY_USED, "Ruling {n} has been taken back already.", n=ruling.id)
    if not _may_take_back(official, ruling.by):
        raise CommandRefused(
            Refusal.NOT_AUTHORISED, "Ruling {n} is {name}'s; only {name} or the chief can take it back.", n=ruling.id, name=ruling.by.name
        )
    if table.phase is Phase.RECEIVED:
        require(table, Role.CHIEF)
    refuse_without_reason(command.reason)
    return (f.RulingVoided(at, ruling.id, command.reason),)


def _may_take_back(official: Official, by: Official) -> bool:
    """Whoever did it, or somebody above: among equals the deputy and the chief stand for one another."""
    return official == by or official.role.at_least(max(by.role, Role.DEPUTY, key=list(Role).index))


def _ruling(table: Table, number: int) -> Ruling:
    if not 1 <= number <= len(table.rulings):
        raise bad_value("There is no ruling {n}.", n=number)
    return table.rulings[number - 1]


def lodge(table: Table, command: c.LodgeAppeal, at: Instant) -> tuple[f.Fact, ...]:
    """Against the referee to the chief, against chief and deputy to the committee (000 §11)."""
    ruling = _ruling(table, command.ruling)
    if ruling.void:
        raise CommandRefused(Refusal.ALREADY_USED, "Ruling {n} has been taken back; there is nothing to appeal against.", n=ruling.id)
    if any((appeal.ruling, appeal.by, appeal.outcome) == (ruling.id, command.by, None) for appeal in table.appeals):
        raise CommandRefused(
            Refusal.ALREADY_USED, "The {side} side's appeal against ruling {n} is open already.", side=command.by, n=ruling.id
        )
    above = f.AppealTo.COMMITTEE if ruling.by.role.at_least(Role.DEPUTY) else f.AppealTo.CHIEF
    to = above if command.to is None else command.to
    upheld = any(a.ruling == ruling.id and a.outcome is f.Outcome.UPHELD for a in table.appeals)
    if to is f.AppealTo.CHIEF and (above is f.AppealTo.COMMITTEE or upheld):
        raise bad_value("The chief has decided already; the appeal goes to the committee.")
    return (f.AppealLodged(at, ruling.id, command.by, to),)


def decide_appeal(table: Table, command: c.DecideAppeal, at: Instant) -> tuple[f.Fact, ...]:
    """By the deputy or chief; the committee's decision is entered by the chief, with names (domain rule 4.5)."""
    if not 1 <= command.appeal <= len(table.appeals):
        raise bad_value("There is no appeal {n}.", n=command.appeal)
    appeal = table.appeals[command.appeal - 1]
    if appeal.outcome is not None:
        raise CommandRefused(Refusal.ALREADY_USED, "Appeal {n} has been decided.", n=appeal.id)
    if appeal.to is f.AppealTo.COMMITTEE and not command.names:
        raise bad_value("The committee's decision needs the names of those who decided.")
    _refuse_outcome(table, appeal, command, at)
    return (f.AppealDecided(at, appeal.id, command.outcome, command.names),)


def _refuse_outcome(table: Table, appeal: Appeal, command: c.DecideAppeal, at: Instant) -> None:
    ruling = table.rulings[appeal.ruling - 1]
    if command.outcome is f.Outcome.EXPULSION and not command.names:
        raise bad_value("An expulsion is the panel's: give the names of those who decided.")
    if command.outcome in {f.Outcome.PENALTY_POINT, f.Outcome.GAME_LOSS} and voided(table, ruling.id, "", at).phase in OVER:
        raise CommandRefused(Refusal.MATCH_OVER, "The match is over: no point and no game can be lost any more.")
    if command.outcome is f.Outcome.GAME_LOSS and len(ruling.sides) > 1:
        raise bad_value("A game can be lost by one side only.")
    if command.outcome is f.Outcome.MATCH_LOSS and setup_of(table).length is None:
        raise bad_value("A free session has no match to lose.")


# ── Time ─────────────────────────────────────────────────────────────────────
def _refuse_unclocked(table: Table) -> None:
    if not clock_of(table).control.clocked:
        raise CommandRefused(Refusal.WRONG_PHASE, "This session is played without a clock.")


def adjust(table: Table, command: c.Adjust, at: Instant) -> tuple[f.Fact, ...]:
    """More than is there cannot be taken."""
    _refuse_unclocked(table)
    left = settle(clock_of(table), at).reserve[command.side]
    if command.span == 0 or left + command.span < 0 or left + command.span > seconds(359_999):
        raise bad_value("From {n} s of reserve this cannot be; give seconds that leave 0 or more.", n=left // 1_000_000_000)
    refuse_without_reason(command.reason)
    return (f.TimeAdjusted(at, command.side, command.span, command.reason),)


def set_reserves(table: Table, command: c.SetReserves, at: Instant) -> tuple[f.Fact, ...]:
    """Unequal ones too (domain rule 2.6)."""
    _refuse_unclocked(table)
    _refuse_reserves(command.reserve.left, command.reserve.right)
    refuse_without_reason(command.reason)
    return (f.ReservesSet(at, command.reserve, command.reason),)


def _refuse_reserves(*reserves: Span) -> None:
    if not all(0 <= reserve <= seconds(359_999) for reserve in reserves):
        raise bad_value("A reserve is 0 seconds or more, and below 100 hours.")


def set_control(table: Table, command: c.SetControl, at: Instant) -> tuple[f.Fact, ...]:
    """A wrong setting was found."""
    _refuse_unclocked(table)
    control = clock_of(table).control
    delay = control.delay if command.delay is None else command.delay
    method = control.method if command.method is None else command.method
    if not 0 <= delay <= seconds(3600):
        raise bad_value("A delay is 0 seconds to an hour.")
    if (delay, method) == (control.delay, control.method):
        raise bad_value("This is the setting that holds already.")
    return (f.ControlChanged(at, delay, method, command.reason),)


def restart_delay(table: Table, at: Instant) -> tuple[f.Fact, ...]:
    """At play there is always a turn that goes on."""
    _refuse_unclocked(table)
    return (f.DelayRestarted(at),)


def cancel_next_delay(table: Table, side: Side, at: Instant) -> tuple[f.Fact, ...]:
    """Once for one turn."""
    _refuse_unclocked(table)
    if clock_of(table).no_delay[side]:
        raise CommandRefused(Refusal.ALREADY_USED, "The {side} side's next delay is cancelled already.", side=side)
    return (f.NextDelayCancelled(at, side),)


def clear_flag(table: Table, command: c.ClearFlag, at: Instant) -> tuple[f.Fact, ...]:
    """Only with a reason (domain rule 2.5)."""
    if not clock_of(table).flagged(command.side):
        raise CommandRefused(Refusal.FLAG_NOT_DOWN, "The {side} side's flag is not down.", side=command.side)
    refuse_without_reason(command.reason)
    return (f.FlagCleared(at, command.side, command.reason),)


# ── Board and match ──────────────────────────────────────────────────────────
def set_cube(table: Table, command: c.SetCube, at: Instant) -> tuple[f.Fact, ...]:
    """What lies on the board decides (000 §11)."""
    if is_crawford_game(table):
        raise CommandRefused(Refusal.CRAWFORD_GAME, "This is the Crawford game; it is played without the cube.")
    if not cube_in_play(table):
        raise CommandRefused(Refusal.NO_CUBE, "This match is played without a cube.")
    if table.cube.offered_by is not None:
        raise CommandRefused(Refusal.WRONG_PHASE, "A double waits for its answer; take or pass first.")
    _refuse_cube(command.value, command.owner)
    return (f.CubeSet(at, command.value, command.owner, command.reason),)


def _refuse_cube(value: int, owner: Side | None) -> None:
    if value not in CUBE_VALUES:
        raise bad_value("A cube shows 1, 2, 4, 8, 16, 32 or 64, not {cube}.", cube=value)
    if value == 1 and owner is not None:
        raise bad_value("A cube at 1 lies in the middle and belongs to nobody.")


def exchange_seats(table: Table, at: Instant) -> tuple[f.Fact, ...]:
    """After the first press it is an official's act."""
    if table.cube.offered_by is not None:
        raise CommandRefused(Refusal.WRONG_PHASE, "A double waits for its answer; take or pass first.")
    return (f.SeatsExchanged(at),)


def restart_game(table: Table, command: c.RestartGame, at: Instant) -> tuple[f.Fact, ...]:
    """A wrong set-up: until both have ended two turns, later only the chief (000 §11, 004 5.4.43–45)."""
    official = present(official_of(table))
    if table.game_turns >= 2 * EARLY_TURNS and not official.role.at_least(Role.CHIEF):
        raise CommandRefused(Refusal.WINDOW_CLOSED, "Both have ended two turns; only the chief can restart the game now.")
    return (f.GameRestarted(at, command.reason),)


def rule_game(table: Table, command: c.RecordGame, at: Instant) -> tuple[f.Fact, ...]:
    """After a dispute an official's entry decides at once."""
    held = present(table.awaiting)
    cube = held.cube if command.cube is None else command.cube
    kinds = dict(setup_of(table).kinds)
    if command.kind not in kinds and command.kind is not held.kind:
        raise bad_value(
            "A game under {rulebook} is won as {kinds}, not {kind}.",
            rulebook=setup_of(table).rulebook,
            kinds=tuple(kinds),
            kind=command.kind,
        )
    if cube not in CUBE_VALUES:
        raise bad_value("A cube shows 1, 2, 4, 8, 16, 32 or 64, not {cube}.", cube=cube)
    if cube > 1 and not cube_in_play(table):
        raise bad_value("This game is played without a cube; it cannot stand at {cube}.", cube=cube)
    return (f.GameRuled(at, command.winner, command.kind, cube),)


def set_state(table: Table, command: c.SetState, at: Instant) -> tuple[f.Fact, ...]:
    """One recorded entry, all of it valid or none (domain rule 2.12)."""
    setup = setup_of(table)
    _refuse_reserves(command.reserve.left, command.reserve.right)
    _refuse_cube(command.cube, command.owner)
    if command.cube > 1 and not setup.cube:
        raise bad_value("This game is played without a cube; it cannot stand at {cube}.", cube=command.cube)
    for side in SIDES:
        if command.score[side] < 0 or (setup.length is not None and command.score[side] >= setup.length):
            raise bad_value("The {side} side cannot stand at {n} points in this match.", side=side, n=command.score[side])
        if not 0 <= command.breaks[side] <= max(setup.breaks, 0):
            raise bad_value("The {side} side cannot have taken {n} breaks.", side=side, n=command.breaks[side])
    if command.game < 1 or not 0 <= command.delay_used <= seconds(359_999):
        raise bad_value("A game's number is 1 or more, and used delay 0 seconds or more.")
    given = (command.score, command.reserve, command.turn, command.delay_used, command.cube, command.owner)
    return (f.StateSet(at, *given, command.game, command.crawford_played, command.breaks),)


def forfeit(table: Table, command: c.Forfeit, at: Instant) -> tuple[f.Fact, ...]:
    """Written with its reason."""
    if setup_of(table).length is None:
        raise bad_value("A free session has no match to lose.")
    refuse_without_reason(command.reason)
    return (f.MatchForfeited(at, command.sides, command.reason),)


def change_dice(table: Table, by: Side, at: Instant) -> tuple[f.Fact, ...]:
    """Once a match, between games, through the chief or deputy (000 §11, 004 5.4.8)."""
    if table.game == 1:
        raise CommandRefused(Refusal.WRONG_PHASE, "The dice are changed between games, not before the first one.")
    if by in table.dice_changed:
        raise CommandRefused(Refusal.ALREADY_USED, "The {side} side has had its change of dice.", side=by)
    return (f.DiceChanged(at, by),)


def allow(table: Table, command: c.Allow, at: Instant) -> tuple[f.Fact, ...]:
    """A device is the chief's to permit, leaving the hall any referee's (000 §11)."""
    if any((p.side, p.what) == (command.side, command.what) for p in table.permissions):
        raise CommandRefused(Refusal.ALREADY_USED, "The {side} side has this permission already.", side=command.side)
    return (f.PermissionGiven(at, command.side, command.what, command.until),)


def back(table: Table, command: c.Back, at: Instant) -> tuple[f.Fact, ...]:
    """Only what is in force ends."""
    if not any((p.side, p.what) == (command.side, command.what) for p in table.permissions):
        raise CommandRefused(Refusal.NOTHING_TO_UNDO, "The {side} side has no such permission.", side=command.side)
    return (f.PermissionEnded(at, command.side, command.what),)


def receive(table: Table, at: Instant) -> tuple[f.Fact, ...]:
    """Both have signed, or there may be nobody to sign: the match was forfeited, or lost by a ruling (an expelled player is gone)."""
    end = table.ended
    if table.phase is Phase.ENDED and (end is None or end.how not in {"forfeit", "double_forfeit", "ruling"}):
        raise CommandRefused(Refusal.WRONG_PHASE, "Both players sign before the sheet is handed in.")
    if any(appeal.outcome is None for appeal in table.appeals):
        raise CommandRefused(Refusal.WRONG_PHASE, "An appeal is open; it is decided before the sheet is handed in.")
    return (f.SheetReceived(at),)


def undo_act(table: Table, at: Instant) -> tuple[f.Fact, ...] | None:
    """An official's last act, where somebody is signed in and there is one; None leaves it to the players' undo.

    Raises:
        CommandRefused: Play has gone on over it.
    """
    if table.official is None or not table.acts:
        return None
    act = table.acts[-1]
    if act.by is not None and not _may_take_back(table.official.official, act.by):
        raise CommandRefused(Refusal.NOT_AUTHORISED, "The last act is {name}'s; only {name} or the chief can undo it.", name=act.by.name)
    if not undoable(table):
        raise CommandRefused(Refusal.NOTHING_TO_UNDO, "Play has gone on since the last act; enter a correction instead.")
    return (f.ActUndone(at),)
