"""From the desk and from referees' phones to the tables: pauses, later starts, messages, sheets received, calls answered, rulings.

Everything here is an order to a table (`kiosk.server.orders`): it waits until the table has done it or refused it with a sentence, and
whoever gave it sees which. A pause is kept as a setting too, so that a table that joins while it lasts learns of it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, or_, select, update

from kiosk.domain.officials import Role
from kiosk.domain.rulebook import Kind, Sanction
from kiosk.domain.setup import bad_value
from kiosk.domain.text import seen
from kiosk.domain.types import NS_PER_MS, SIDES, Side
from kiosk.say import _, mark
from kiosk.server import assignments
from kiosk.server.acts import Act, device_of, tables
from kiosk.server.assignments import State, natural
from kiosk.server.house import get, put
from kiosk.server.schema import assignment as assigned
from kiosk.server.schema import device as devices
from kiosk.server.schema import orders as given
from kiosk.sync import wire

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import Connection, Row

    from kiosk.server.login import Who

PAUSE, PAUSE_SOME = "pause", "pause_some"
"""The settings, of which at most one is not empty: JSON of `by`, `why`, `since_ns`, `since_ms` and `tables`.

`pause` is that of the whole hall (`tables` null); `pause_some` that of some tables (their names), of which only those speak.
"""


def line_of(text: str, what: str) -> str:
    """A text from a person on one line.

    Args:
        text: As it was typed.
        what: What it is, for the sentence; marked for the catalogue.

    Raises:
        CommandRefused: It is empty, too long, or cannot be seen.
    """
    text = " ".join(text.split())
    if not text:
        raise bad_value("{what} is missing.", what=what)
    if len(text) > wire.LONGEST_TEXT or not seen(text):
        raise bad_value("{what} has at most {longest} characters, each of which can be seen.", what=what, longest=wire.LONGEST_TEXT)
    return text


# ── All clocks stop ──────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Pause:
    """A pause that lasts."""

    by: str
    why: str
    since_ns: int
    tables: tuple[str, ...] | None
    """Which tables; None: the whole hall."""

    def holds(self, table: str) -> bool:
        """Whether it holds at a table."""
        return self.tables is None or table in self.tables


def pause_now(connection: Connection) -> Pause | None:
    """The pause that lasts, or None."""
    kept = get(connection, PAUSE) or get(connection, PAUSE_SOME)
    if not kept:
        return None
    plain = json.loads(kept)
    return Pause(plain["by"], plain["why"], plain["since_ns"], None if plain["tables"] is None else tuple(plain["tables"]))


def pause(act: Act, why: str, at: Sequence[str] | None = None) -> Pause:
    """Stop all clocks, or those of some tables; a pause that lasts holds on, and further tables join it.

    Args:
        act: Who does it.
        why: Why, as the tables show it.
        at: The tables; None: the whole hall.

    Raises:
        CommandRefused: There is no reason, or no such table.
    """
    why = line_of(why, mark("The reason"))
    there, lasting = tables(act.connection), pause_now(act.connection)
    _check_tables(there, at)
    if lasting is not None and (lasting.tables is None or (at is not None and set(at) <= set(lasting.tables))):
        return lasting  # a form that was sent twice, or a second finger on the same alarm
    names = None if at is None else tuple(sorted({*at, *(lasting.tables or () if lasting else ())}, key=natural))
    made = Pause(act.by, why, act.at_ns, names)
    _keep(act, made)
    for table, device in there.items():
        if made.holds(table) and not (lasting is not None and lasting.holds(table)):
            act.order(device, wire.PauseHall(act.by, why))
    act.note("hall_paused", why=why, tables=names)
    return made


def lift(act: Act, at: Sequence[str] | None = None) -> None:
    """Let clocks run again, once somebody resumes them at the table; where nothing is paused, nothing changes.

    Args:
        act: Who does it.
        at: The tables; None: all that are paused.

    Raises:
        CommandRefused: There is no such table.
    """
    there, lasting = tables(act.connection), pause_now(act.connection)
    if lasting is None:
        return
    _check_tables(there, at)
    paused = [table for table in there if lasting.holds(table)]
    left = [] if at is None else [table for table in paused if table not in at]
    _keep(act, Pause(lasting.by, lasting.why, lasting.since_ns, tuple(left)) if left else None)
    freed = [table for table in paused if table not in left]
    for table in freed:
        act.order(there[table], wire.LiftPause(act.by))
    act.note("pause_lifted", tables=freed, since_ns=lasting.since_ns)


def _keep(act: Act, what: Pause | None) -> None:
    put(act.connection, PAUSE, _text(what) if what is not None and what.tables is None else "")
    put(act.connection, PAUSE_SOME, _text(what) if what is not None and what.tables is not None else "")
    act.touched.add(("pause", ""))


def _text(what: Pause) -> str:
    times = {"since_ns": what.since_ns, "since_ms": what.since_ns // NS_PER_MS}
    return json.dumps({"by": what.by, "why": what.why, "tables": what.tables, **times}, ensure_ascii=False)


def _check_tables(there: dict[str, str], at: Sequence[str] | None) -> None:
    if at is not None and not at:
        raise bad_value("Choose at least one table.")
    for table in at or ():
        if table not in there:
            raise bad_value("There is no device at table {table}.", table=table)


def device_came(act: Act, device: str, table: str) -> list[str]:
    """Tell a device what everybody in the hall knows: it has enrolled, took another one's place, or was renamed.

    Args:
        act: Who did that.
        device: The device.
        table: What its table is called now.

    Returns:
        The assignments that it was offered.
    """
    lasting = pause_now(act.connection)
    if lasting is not None and lasting.holds(table):
        act.order(device, wire.PauseHall(lasting.by, lasting.why))
    return assignments.device_came(act, device, table)


# ── Who has done what ────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Told:
    """An order, and what became of it."""

    table: str
    device: str
    n: int
    kind: str
    data: dict[str, Any]
    by: str
    at_ns: int
    answered_ns: int | None
    done: bool | None
    """None: it waits for the table."""
    sentence: str
    """Why the table refused it."""
    read: bool
    """A message was read by somebody at the table."""
    kept: bool
    """The table had gone on, and the server has recorded it in its stead."""

    @property
    def words(self) -> str:
        """Where it stands, in the language spoken now."""
        if self.done is None:
            return _("waits for the table")
        if not self.done:
            return _("refused: {sentence}", sentence=self.sentence)
        if self.kept:
            return _("recorded here: the table has gone on")
        if self.kind == "show_message":
            return _("read") if self.read else _("shown")
        return _("done")


def orders_told(connection: Connection, *wanted: ColumnElement[bool], most: int = 100) -> list[Told]:
    """Orders with what became of them, the newest first.

    Args:
        connection: Any.
        wanted: Conditions on the columns of `orders`.
        most: No more than so many.
    """
    asked = select(given, devices.c.table_name).join(devices, devices.c.id == given.c.device).where(*wanted)
    return [_told(row) for row in connection.execute(asked.order_by(given.c.at_ns.desc(), given.c.n.desc()).limit(most))]


def _told(row: Row[Any]) -> Told:
    answer = json.loads(row.answer) if row.answer else {}
    return Told(
        table=row.table_name,
        device=row.device,
        n=row.n,
        kind=row.kind,
        data=json.loads(row.data),
        by=row.by,
        at_ns=row.at_ns,
        answered_ns=row.answered_ns,
        done=row.done,
        sentence=str(answer.get("sentence", "")),
        read=bool(answer.get("read")),
        kept=bool(answer.get("kept")),
    )


def obeyed(connection: Connection) -> list[Told]:
    """Each table's newest order to pause or to go on, since the pause that lasts began; where none lasts, of the last one.

    In the order of the tables.
    """
    kinds = given.c.kind.in_(("pause_hall", "lift_pause"))
    lasting = pause_now(connection)
    since = lasting.since_ns if lasting is not None else _last_pause(connection)
    newest: dict[str, Told] = {}
    for one in orders_told(connection, kinds, given.c.at_ns >= since, devices.c.revoked_ns.is_(None), most=2000):
        newest.setdefault(one.device, one)
    return sorted(newest.values(), key=lambda one: natural(one.table))


def _last_pause(connection: Connection) -> int:
    asked = select(given.c.at_ns).where(given.c.kind == "pause_hall").order_by(given.c.at_ns.desc()).limit(1)
    return int(connection.execute(asked).scalar() or 2**62)


# ── Messages ─────────────────────────────────────────────────────────────────
def message(act: Act, text: str, at: Sequence[str] | None = None) -> int:
    """Show a line at all tables, or at some.

    Args:
        act: Who says it.
        text: The line.
        at: The tables; None: all.

    Returns:
        At how many tables.

    Raises:
        CommandRefused: There is no text, or no such table.
    """
    text, there = line_of(text, mark("The message")), tables(act.connection)
    _check_tables(there, at)
    wanted = [device for table, device in there.items() if at is None or table in at]
    if not wanted:
        raise bad_value("No table has a device yet: nobody would see the message.")
    for device in wanted:
        act.order(device, wire.ShowMessage(act.by, text))
    act.note("message_sent", text=text, tables=None if at is None else list(at))
    return len(wanted)


@dataclass(frozen=True, slots=True)
class Message:
    """A message, and who has seen it."""

    text: str
    by: str
    at_ns: int
    tables: tuple[Told, ...]

    @property
    def read(self) -> int:
        """At how many tables somebody has read it."""
        return sum(one.read for one in self.tables)

    @property
    def shown(self) -> int:
        """At how many tables it is, or was, on the screen."""
        return sum(one.done is True for one in self.tables)


def messages(connection: Connection, most: int = 20) -> list[Message]:
    """The newest messages, each with its tables."""
    found: dict[tuple[int, str], list[Told]] = {}
    for one in orders_told(connection, given.c.kind == "show_message", most=4000):
        found.setdefault((one.at_ns, one.data["text"]), []).append(one)
    newest = sorted(found.items(), reverse=True)[:most]
    return [Message(text, told[0].by, at, tuple(sorted(told, key=lambda one: natural(one.table)))) for (at, text), told in newest]


# ── Later starts ─────────────────────────────────────────────────────────────
def delay(act: Act, round_name: str, starts_ns: int | None) -> int:
    """Let a round begin at another time: every match of it that has not ended learns of it.

    Args:
        act: Who does it.
        round_name: Which round.
        starts_ns: When it begins now, nanoseconds since 1970; None: it is not known yet.

    Returns:
        How many matches it concerns.

    Raises:
        CommandRefused: There is no such round.
    """
    mine = assignments.listed(act.connection, assigned.c.round == round_name, assigned.c.state != State.WITHDRAWN)
    waiting = [one for one in mine if one.state in {State.DRAFT, State.OFFERED, State.REFUSED, State.OPENED} and not one.begun]
    if not mine:
        raise bad_value("There is no round “{name}”.", name=round_name)
    if all(one.plan.starts_ns == starts_ns for one in waiting):
        return len(waiting)
    starts_in = None if starts_ns is None else (starts_ns - act.at_ns) // NS_PER_MS
    for one in waiting:
        act.connection.execute(update(assigned).where(assigned.c.id == one.id).values(starts_ns=starts_ns))
        device = one.match.device if one.match is not None else device_of(act.connection, one.plan.table)
        if device is not None and one.kept is not State.DRAFT:
            act.order(device, wire.DelayStart(act.by, one.id, starts_in))
    act.note("start_delayed", round=round_name, starts_ns=starts_ns, matches=len(waiting))
    return len(waiting)


def rounds(connection: Connection) -> list[str]:
    """The rounds of all matches that stand, in order."""
    asked = select(assigned.c.round).where(assigned.c.state != State.WITHDRAWN).distinct()
    return sorted((row.round for row in connection.execute(asked)), key=natural)


# ── For one match ────────────────────────────────────────────────────────────
def coming(act: Act, device: str) -> int:
    """Tell a table that a referee saw the call and is on the way.

    Returns:
        The order's number.

    Raises:
        NoSuchDevice: The device was revoked.
    """
    number = act.order(device, wire.RefereeComing(act.by))
    act.note("call_answered", device=device, order=number)
    act.touched.add(("face", device))
    return number


def receive(act: Act, device: str, match: str, who: Who) -> int:
    """Receive a signed sheet at the desk.

    Returns:
        The order's number.
    """
    number = act.order(device, wire.ReceiveSheet(match, who.name, who.role))
    act.note("sheet_received", match=match, device=device, order=number)
    return number


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a referee chose on the phone."""

    sides: tuple[Side, ...]
    infraction: str
    suggested: bool
    """As the table suggests; the sanction is not looked at."""
    sanction: Sanction | None = None
    """None, where it is not as suggested: on record only."""
    kind: Kind | None = None
    """What a game loss counts; None: as usual."""
    note: str = ""
    again: bool = False
    """It is meant, although the same was ruled within a minute."""
    panel: tuple[str, ...] = ()


def rule(act: Act, device: str, match: str, who: Who, ruling: Ruling) -> int:
    """Send a ruling to its table, which does it as if the referee had signed in there, or refuses it.

    Returns:
        The order's number.

    Raises:
        CommandRefused: It names nobody, or the role may not: expulsion and match loss are the chief's (an article's own excepted).
    """
    if not ruling.sides or not set(ruling.sides) <= set(SIDES):
        raise bad_value("Say whom the ruling names.")
    note = "" if not ruling.note.strip() else line_of(ruling.note, mark("The note"))
    if ruling.sanction is Sanction.EXPULSION and not ruling.panel:
        raise bad_value("An expulsion names the panel.")
    if ruling.sanction is Sanction.EXPULSION and not who.role.at_least(Role.CHIEF):
        raise bad_value("An expulsion is for the chief referee.")
    panel = tuple(line_of(name, mark("The panel")) for name in ruling.panel)
    what = wire.RuleAt(
        match=match,
        by=who.name,
        role=who.role,
        sides=ruling.sides,
        infraction=ruling.infraction,
        sanction=None if ruling.suggested else ruling.sanction,
        suggested=ruling.suggested,
        kind=ruling.kind,
        note=note,
        again=ruling.again,
        panel=panel,
    )
    number = act.order(device, what)
    act.note("ruling_sent", match=match, device=device, order=number, infraction=what.infraction, sanction=what.sanction, sides=what.sides)
    act.touched.add(("match", match))
    return number


def void(act: Act, device: str, match: str, who: Who, *, ruling: int, reason: str) -> int:
    """Take a ruling back from the phone: its table does it, or refuses it.

    Returns:
        The order's number.

    Raises:
        CommandRefused: There is no reason.
    """
    reason = line_of(reason, mark("The reason"))
    number = act.order(device, wire.VoidAt(match, who.name, who.role, ruling, reason))
    act.note("void_sent", match=match, device=device, order=number, ruling=ruling, reason=reason)
    act.touched.add(("match", match))
    return number


FOR_A_MATCH = ("assign_match", "withdraw_match", "delay_start", "rule_at", "void_at", "receive_sheet", "referee_coming")
"""Orders that concern a match."""


def orders_of(connection: Connection, device: str, match: str, since_ns: int = 0, kinds: Iterable[str] = FOR_A_MATCH) -> list[Told]:
    """What was ordered about a match, the newest first, with what became of it.

    Args:
        connection: Any.
        device: Where it is played.
        match: Its id.
        since_ns: Orders that name no match count from here on.
        kinds: Which.
    """
    named = given.c.data.contains(json.dumps(match, ensure_ascii=False), autoescape=True)
    calls = (given.c.kind == "referee_coming") & (given.c.at_ns >= since_ns)
    return orders_told(connection, given.c.device == device, given.c.kind.in_(tuple(kinds)), or_(named, calls), most=50)
