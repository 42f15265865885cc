"""Tables that are not like the others, and who has to sit where: kept, so that every release proposes by it.

Who has to sit where belongs to the tournament (`SeatAsked`); which tables are accessible or the stream's, and which match the stream shows,
belongs to this hall: the setting `seats`, JSON of `accessible`, `stream` (tables) and `shown` (a stream's table: stage and key).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kiosk.domain.setup import bad_value
from kiosk.domain.text import seen
from kiosk.server.assignments import natural
from kiosk.server.house import get, put
from kiosk.server.plans import LONGEST_TABLE
from kiosk.server.store import hold
from kiosk.tournament.happened import SeatAsked
from kiosk.tournament.seating import Wishes

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sqlalchemy import Connection

    from kiosk.server.acts import Act
    from kiosk.tournament.event import Event

SEATS = "seats"
MOST_TABLES = 500
"""No more tables are accessible, or the stream's."""


@dataclass(frozen=True, slots=True)
class Marks:
    """Which tables are not like the others."""

    accessible: tuple[str, ...] = ()
    stream: tuple[str, ...] = ()
    """Those that a stream shows."""
    shown: Mapping[str, tuple[int, str]] = field(default_factory=dict)
    """Which match was chosen for a stream's table: its stage and key."""

    def told(self, table: str) -> tuple[str, ...]:
        """What a table is, as words of the program: `accessible`, `stream`."""
        return tuple(word for word, those in (("accessible", self.accessible), ("stream", self.stream)) if table in those)


def marks(connection: Connection) -> Marks:
    """As they are kept."""
    kept = get(connection, SEATS)
    if not kept:
        return Marks()
    plain = json.loads(kept)
    shown = {table: (int(stage), str(key)) for table, (stage, key) in plain["shown"].items()}
    return Marks(tuple(plain["accessible"]), tuple(plain["stream"]), shown)


def mark_tables(act: Act, accessible: Sequence[str], stream: Sequence[str]) -> None:
    """Say which tables are accessible, and which a stream shows.

    Args:
        act: Who does it.
        accessible: Names of tables.
        stream: Names of tables; what was chosen for one that is no longer among them is forgotten.

    Raises:
        CommandRefused: A name is none.
    """
    for name in (*accessible, *stream):
        if len(name) > LONGEST_TABLE or not seen(name):
            raise bad_value("A table is called by at most {longest} characters, each of which can be seen.", longest=LONGEST_TABLE)
    if max(len(accessible), len(stream)) > MOST_TABLES:
        raise bad_value("No more than {most} tables can be marked.", most=MOST_TABLES)
    hold(act.connection, "tournament")
    old = marks(act.connection)
    shown = {table: match for table, match in old.shown.items() if table in stream}
    made = Marks(tuple(sorted(set(accessible), key=natural)), tuple(sorted(set(stream), key=natural)), shown)
    if made != old:
        _keep(act, made)
        act.note("tables_marked", accessible=made.accessible, stream=made.stream)


def show(act: Act, stage: int, shown: Mapping[str, str]) -> None:
    """Choose which matches of a stage the streams show.

    Args:
        act: Who does it.
        stage: Which.
        shown: A key for each of the stream's tables; empty: none of this stage.

    Raises:
        CommandRefused: One match cannot be at two tables.
    """
    chosen = [key for key in shown.values() if key]
    if len(set(chosen)) < len(chosen):
        raise bad_value("One match cannot be shown at two tables.")
    hold(act.connection, "tournament")
    old = marks(act.connection)
    others = {table: match for table, match in old.shown.items() if match[0] != stage}
    made = {**others, **{table: (stage, key) for table, key in shown.items() if key and table in old.stream}}
    if made != old.shown:
        _keep(act, Marks(old.accessible, old.stream, made))
        act.note("stream_chosen", matches=[f"{table}: {stage}/{key}" for table, (stage, key) in sorted(made.items())])


def _keep(act: Act, made: Marks) -> None:
    text = {"accessible": made.accessible, "stream": made.stream, "shown": made.shown}
    put(act.connection, SEATS, json.dumps(text, ensure_ascii=False, sort_keys=True))
    act.touched.add(("desk", "seats"))


def wishes(event: Event, made: Marks, stage: int, keys: Sequence[str]) -> Wishes[str]:
    """What a release of these matches goes by.

    Args:
        event: Who has to sit where.
        made: The hall's tables.
        stage: Which.
        keys: Its matches that are to be released, in order.
    """
    places = {key: n for n, key in enumerate(keys)}
    return Wishes(
        fixed={who: asked.table for who, asked in event.seats.items() if asked.table},
        needs={who for who, asked in event.seats.items() if asked.accessible},
        accessible=made.accessible,
        chosen={places[key]: table for table, (of, key) in made.shown.items() if of == stage and key in places},
        stream=made.stream,
    )


def changes(event: Event, fixed: Mapping[int, str], needs: Collection[int]) -> list[SeatAsked]:
    """What has to happen so that these, and nobody else, have to sit somewhere.

    Args:
        event: As it stands.
        fixed: Whose table is his own.
        needs: Who needs an accessible one.
    """
    asked = {who: SeatAsked(who, fixed.get(who, ""), who in needs) for who in {*event.seats, *fixed, *needs}}
    return [
        each
        for who, each in sorted(asked.items())
        if event.seats.get(who) != each and (who in event.seats or each.table or each.accessible)
    ]
