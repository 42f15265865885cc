"""Who may do what (domain rules 2.10, 4): the sign-in, and the least role for each command.

A referee may do all that is an official's but: a match loss (unless the article names it), an expulsion (with the panel's names), the
dice and a device (deputy or chief, 000 §11), a late restart and a correction after both have signed (chief). A ruling is taken back by
whoever made it, or by somebody above.
"""

from __future__ import annotations

from kiosk.domain import facts as f
from kiosk.domain.errors import CommandRefused, Refusal
from kiosk.domain.officials import Official, Role
from kiosk.domain.rulebook import Sanction
from kiosk.domain.state import Phase, Table
from kiosk.domain.types import Instant
from kiosk.session import commands as c
from kiosk.session.advice import suggestion

HEAVY = frozenset({Sanction.MATCH_LOSS, Sanction.EXPULSION})

OFFICIALS_ONLY: tuple[type[c.Command], ...] = (
    c.Rule,
    c.Void,
    c.AttachPlay,
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
    c.EnterPaper,
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


def may_take_back(official: Official, by: Official) -> bool:
    """Whoever did it, or somebody above: among equals the deputy and the chief stand for one another."""
    return official == by or official.role.at_least(max(by.role, Role.DEPUTY, key=list(Role).index))


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
