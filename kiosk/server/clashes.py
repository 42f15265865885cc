"""Matches that cannot be played at once: two at one table in one round, or a player in two of one round.

Each may be meant (a round in two waves), so it is told and forbids nothing; whoever plans says that it is meant.
A round is what is called so; matches without a round meet where they start at the same moment.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from kiosk.domain.types import NS_PER_S
from kiosk.say import _
from kiosk.server import assignments, plans
from kiosk.server.assignments import State
from kiosk.server.schema import assignment as assigned

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import Connection

    from kiosk.server.plans import Plan

Key = tuple[object, str]


class Book:
    """Who is where in which round."""

    def __init__(self, connection: Connection, but: Collection[str] = ()) -> None:
        """Enter every match that stands.

        Args:
            connection: Any.
            but: Ids of those that are about to be something else.
        """
        self._tables: dict[Key, list[tuple[object, str]]] = defaultdict(list)
        self._players: dict[Key, list[tuple[object, str]]] = defaultdict(list)
        self._pairs: dict[Key, list[tuple[object, str]]] = defaultdict(list)
        """Matches of which nothing says when, by who plays whom."""
        for one in assignments.listed(connection, assigned.c.state != State.WITHDRAWN):
            if one.id not in but:
                self.add(one.plan, _line(one.plan), one.id, played=one.state is State.ENDED)

    def add(self, plan: Plan, called: str, ident: object, *, played: bool = False) -> None:
        """Enter a match.

        Args:
            plan: It.
            called: How it is told of.
            ident: What tells it from others.
            played: It is over: its table is free again.
        """
        if (at := _when(plan)) is None:
            if not played:
                self._pairs[plans.who_plays(plan.players), ""].append((ident, called))
            return
        if plan.table and not played:
            self._tables[at, plans.folded(plan.table)].append((ident, called))
        for name in _names(plan):
            self._players[at, plans.folded(name)].append((ident, called))

    def against(self, plan: Plan, ident: object) -> list[str]:
        """What a match cannot be played beside, in sentences.

        Args:
            plan: It.
            ident: What tells it from others: it does not stand against itself.
        """
        if (at := _when(plan)) is None:
            others = self._others(self._pairs, (plans.who_plays(plan.players), ""), ident)
            return [_("The same players have another match that waits: {others}.", others=others)] if others else []
        told = []
        if plan.table and (others := self._others(self._tables, (at, plans.folded(plan.table)), ident)):
            told.append(_("Table {table} has another match in this round: {others}.", table=plan.table, others=others))
        beside = ((name, self._others(self._players, (at, plans.folded(name)), ident)) for name in _names(plan))
        return told + [
            _("{player} has another match in this round: {others}.", player=name, others=others) for name, others in beside if others
        ]

    @staticmethod
    def _others(found: dict[Key, list[tuple[object, str]]], key: Key, ident: object) -> str:
        return "; ".join(called for other, called in found.get(key, ()) if other != ident)


def against(connection: Connection, plan: Plan, ident: str) -> list[str]:
    """What a match cannot be played beside, in sentences.

    Args:
        connection: Any.
        plan: It.
        ident: Its id, which may stand already.
    """
    return Book(connection, {ident}).against(plan, ident)


def over(plan: Plan, now_ns: int) -> list[str]:
    """That a match would begin in the past, as a sentence: a slip, or a list that is entered afterwards.

    Args:
        plan: It.
        now_ns: Now; the minute that it is now has begun, and is not over.
    """
    if plan.starts_ns is None or plan.starts_ns > now_ns - 60 * NS_PER_S:
        return []
    return [_("Its start is over already.")]


def _when(plan: Plan) -> object | None:
    """What two matches share that are played at once; None: nothing says when."""
    return plans.folded(plan.round) or plan.starts_ns


def _names(plan: Plan) -> list[str]:
    return [*plan.players.left, *plan.players.right]


def _line(plan: Plan) -> str:
    players = f"{' / '.join(plan.players.left)} – {' / '.join(plan.players.right)}"
    return _("{players}, table {table}", players=players, table=plan.table) if plan.table else players
