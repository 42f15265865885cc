"""A chouette as a value, and what each of its facts does to it: three or more players at one board (002, domain rule 3.7).

It is no match: the two-sided table knows two seats with a score each, and here one player is in the box, all others are a team, the
parts change after every game, and a score belongs to a name. So it lies beside the match on the same table: one stream of facts, one door,
and while it goes on the table has no match (its phase is none). Where a clock was agreed on, `kiosk.domain.flow_chouette` moves it.

    between games ──box or team doubles──► offered ──everybody has answered──► playing on at the new stake
         ▲                                    └── nobody took ──┐
         └───────────── the game is won ◄───────────────────────┘

002: the box doubles, and each member takes or passes for himself; who passes pays the stake as it was and is out of this game. The team
doubles only if all of its members who are still in the game want to. Whoever is left pays the box, or is paid by it, the stake each.
The team consults; on plays the captain's word prevails. That is for the players to keep: nothing here depends on it.

After a game that the team has lost its captain goes to the end of the team, and the next in the order is captain; the box stays. After one
that it has won the captain goes into the box, and the box to the end of the team.

Where 002 is silent we decided:

- A captain who passes gives the captaincy up for good: the next who is still in the game plays on as captain, and goes into the box where
  the team wins. Whoever began the game as captain goes to the end of the team either way, before a box that lost.
- Who is out keeps his place in the order, and is back in the next game.
- Who joins comes to the end of the team. Where the box leaves, the captain moves up into it; where the captain leaves, the next does.
- One cube for all: a member cannot double alone, and nobody redoubles at once (no beavers).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, TypeAlias, assert_never

from kiosk.domain import facts as f
from kiosk.domain.chouette_dice import ranked
from kiosk.domain.facts import Party
from kiosk.domain.replacing import replace
from kiosk.domain.rulebook import Kind
from kiosk.domain.types import Span, present

if TYPE_CHECKING:
    from kiosk.domain.clock import Clock

FEWEST = 3
MOST = 10
"""How many can play: below that it is a free session, above nobody has a turn."""

Points: TypeAlias = tuple[tuple[str, int], ...]
"""Points by name, in the order in which the players came."""


@dataclass(frozen=True, slots=True)
class Stake:
    """The cube between the box and the team."""

    value: int = 1
    owner: Party | None = None
    """Who may redouble; None while centred."""
    turned: bool = False
    """A double was taken in this game."""
    automatic: bool = False
    """A tied opening roll doubled it."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """The clock that was agreed on: for the box and for the team the same, and a new reserve in every game."""

    delay: Span
    """What each turn has before the reserve runs, in nanoseconds."""
    reserve: Span
    """What each of the two has for a game, in nanoseconds."""


@dataclass(frozen=True, slots=True)
class ChouetteGame:
    """A finished game."""

    n: int
    box: str
    team: tuple[str, ...]
    """In the order in which they began, the captain first."""
    captain: str
    """Who was captain at the end; who began as captain where nobody was left."""
    winner: Party
    kind: Kind
    cube: int
    """The stake at the end; for a pass, as it was before the refused double."""
    points: int
    """What each who was left has won or lost."""
    out: Points
    """Who passed on the way, and what he paid the box for it; in the order in which they passed."""
    gains: Points
    """What everybody who played has won or lost in it; they sum to zero."""

    @property
    def counted(self) -> int:
        """How many cubes it counted: 1, 2 or 3, and 1 for a gammon that Jacoby lets count as a single."""
        return self.points // self.cube


@dataclass(frozen=True, slots=True)
class Chouette:
    """A chouette as it stands."""

    match: str
    jacoby: bool
    automatic: bool
    backgammon: int
    box: str
    """Who is in the box."""
    team: tuple[str, ...]
    """The others in their order; the first began this game as captain."""
    before: Points
    """Everybody's points before the running game; who has left is still there."""
    stake: Stake = Stake()
    wanted: tuple[str, ...] = ()
    """Who wants to double, as long as not all of the team do."""
    offered: Party | None = None
    """Who has offered the cube and waits for an answer."""
    taken: tuple[str, ...] = ()
    """Which members have taken the box's standing offer."""
    out: Points = ()
    """Who has passed in this game, and what he has paid the box for it."""
    games: tuple[ChouetteGame, ...] = ()
    ended: bool = False
    agreed: Agreed | None = None
    """The clock; None where it is played without one."""
    held: bool = False
    """Whether the clock ran when the cube was offered, and will run on once it is taken."""
    told: tuple[f.ChouetteEntry, ...] = field(default=(), repr=False)
    """Every entry that still stands, the opening first: from these it is worked out again when the last one is taken back."""
    clocks: tuple[Clock | None, ...] = field(default=(), repr=False)
    """The table's clock before each of these entries but the opening."""

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays: the box, the captain, the others."""
        return (self.box, *self.team)

    @property
    def active(self) -> tuple[str, ...]:
        """The members of the team who are still in the game, in its order."""
        gone = {name for name, _ in self.out}
        return tuple(name for name in self.team if name not in gone)

    @property
    def captain(self) -> str:
        """Who moves the team's checkers: the first who is still in the game; there always is one."""
        return self.active[0]

    @property
    def asked(self) -> tuple[str, ...]:
        """Who has to answer the standing offer."""
        if self.offered is None:
            return ()
        return (self.box,) if self.offered is Party.TEAM else tuple(name for name in self.active if name not in self.taken)

    @property
    def fresh(self) -> bool:
        """Whether nothing has been entered in the running game: who wants to may join or leave."""
        return self.stake == Stake() and not self.wanted and self.offered is None and not self.out

    @property
    def totals(self) -> Points:
        """Everybody's points by now, what was paid in the running game included; they sum to zero."""
        return _added(self.before, _paid(self.box, self.out))

    def total(self, player: str) -> int:
        """A player's points by now.

        Args:
            player: Somebody who plays, or has played.
        """
        return dict(self.totals)[player]


# ── Facts ────────────────────────────────────────────────────────────────────
def opened(fact: f.ChouetteOpened) -> Chouette:
    """A new chouette, everybody at his place and at zero."""
    order = tuple(fact.players[n] for n in ranked(fact.throws)) if fact.throws else fact.players
    return Chouette(
        match=fact.match,
        jacoby=fact.jacoby,
        automatic=fact.automatic,
        backgammon=fact.backgammon,
        box=order[0],
        team=order[1:],
        before=tuple((name, 0) for name in fact.players),
        told=(fact,),
    )


def told(chouette: Chouette | None, fact: f.ChouetteFact) -> Chouette:
    """The chouette after a fact.

    Args:
        chouette: The chouette before; None before its opening.
        fact: What happened; lawful in this state.
    """
    if isinstance(fact, f.ChouetteOpened):
        return opened(fact)
    before = present(chouette)
    if isinstance(fact, f.ChouetteClockFact):
        return before
    if isinstance(fact, f.ChouetteUndone):
        return present(reduce(told, before.told[:-1], None))
    return replace(_after(before, fact), told=(*before.told, fact))


_Step: TypeAlias = (
    f.ChouetteTied
    | f.ChouetteDoubleWanted
    | f.ChouetteBoxDoubled
    | f.ChouetteAnswered
    | f.ChouetteGameWon
    | f.ChouetteJoined
    | f.ChouetteLeft
    | f.ChouetteEnded
    | f.ChouetteClockSet
)


def _after(chouette: Chouette, fact: _Step) -> Chouette:
    match fact:
        case f.ChouetteTied():
            return replace(chouette, stake=Stake(value=2, automatic=True))
        case f.ChouetteDoubleWanted():
            return _wanted(chouette, fact)
        case f.ChouetteBoxDoubled():
            return replace(chouette, offered=Party.BOX, wanted=())
        case f.ChouetteAnswered():
            return _box_answered(chouette, fact.takes) if chouette.offered is Party.TEAM else _member_answered(chouette, fact)
        case f.ChouetteGameWon():
            return _won(chouette, fact.winner, fact.kind)
        case f.ChouetteJoined():
            known = chouette.before if fact.player in dict(chouette.before) else (*chouette.before, (fact.player, 0))
            return replace(chouette, team=(*chouette.team, fact.player), before=known)
        case f.ChouetteLeft():
            box, *team = (name for name in chouette.players if name != fact.player)
            return replace(chouette, box=box, team=tuple(team))
        case f.ChouetteEnded():
            return replace(chouette, ended=True, stake=Stake(), wanted=(), offered=None, taken=())
        case f.ChouetteClockSet():
            return replace(chouette, agreed=Agreed(fact.delay, fact.reserve) if fact.delay or fact.reserve else None)
        case _:
            assert_never(fact)


def _wanted(chouette: Chouette, fact: f.ChouetteDoubleWanted) -> Chouette:
    """002: whether the team doubles is decided unanimously; one No clears what the others have said."""
    wanted = (*chouette.wanted, fact.player) if fact.wants else ()
    if set(wanted) == set(chouette.active):
        return replace(chouette, offered=Party.TEAM, wanted=())
    return replace(chouette, wanted=wanted)


def _box_answered(chouette: Chouette, takes: bool) -> Chouette:  # noqa: FBT001 - the fact's own word
    if not takes:
        return _won(chouette, Party.TEAM, Kind.PASS)
    return replace(chouette, offered=None, stake=_doubled(chouette.stake, Party.BOX))


def _member_answered(chouette: Chouette, fact: f.ChouetteAnswered) -> Chouette:
    """002: who passes pays the box the stake as it was and is out of this game; the others play on at the new one."""
    if fact.takes:
        chouette = replace(chouette, taken=(*chouette.taken, fact.player))
    else:
        chouette = replace(chouette, out=(*chouette.out, (fact.player, chouette.stake.value)))
    if chouette.asked:
        return chouette
    if not chouette.taken:
        return _won(chouette, Party.BOX, Kind.PASS)
    return replace(chouette, offered=None, taken=(), stake=_doubled(chouette.stake, Party.TEAM))


def _doubled(stake: Stake, owner: Party) -> Stake:
    return replace(stake, value=stake.value * 2, owner=owner, turned=True)


# ── The end of a game ────────────────────────────────────────────────────────
def worth(chouette: Chouette, kind: Kind) -> int:
    """What a game won so is worth to each who is left (002: under Jacoby gammons count only if the cube was turned).

    Args:
        chouette: The chouette during the game.
        kind: Single, gammon, backgammon or pass.
    """
    counts = {Kind.GAMMON: 2, Kind.BACKGAMMON: chouette.backgammon}.get(kind, 1)
    return chouette.stake.value * (1 if chouette.jacoby and not chouette.stake.turned else counts)


def _won(chouette: Chouette, winner: Party, kind: Kind) -> Chouette:
    left, points = chouette.active, worth(chouette, kind)
    sign = points if winner is Party.BOX else -points
    paid = _paid(chouette.box, (*chouette.out, *((name, sign) for name in left)))
    gains = dict(paid)
    game = ChouetteGame(
        n=len(chouette.games) + 1,
        box=chouette.box,
        team=chouette.team,
        captain=left[0] if left else chouette.team[0],
        winner=winner,
        kind=kind,
        cube=chouette.stake.value,
        points=points,
        out=chouette.out,
        gains=tuple((name, gains[name]) for name in chouette.players),
    )
    box, team = _places_after(game)
    before, games = _added(chouette.before, paid), (*chouette.games, game)
    return replace(chouette, box=box, team=team, before=before, games=games, stake=Stake(), wanted=(), offered=None, taken=(), out=())


def _places_after(game: ChouetteGame) -> tuple[str, tuple[str, ...]]:
    began, *others = game.team
    if game.winner is Party.BOX:
        return game.box, (*others, began)
    rest = [name for name in (*others, began) if name != game.captain]
    return game.captain, (*rest, game.box)


def _paid(box: str, members: Points) -> Points:
    """What members pay the box, as points of all of them: each has lost his, the box has won them all."""
    return ((box, sum(points for _, points in members)), *((name, -points) for name, points in members))


def _added(points: Points, more: Points) -> Points:
    gained = dict(more)
    return tuple((name, own + gained.get(name, 0)) for name, own in points)
