"""What an organizer plans: a match with its players, regulation, length, clock, table, round and start; checked before it is kept.

A plan is checked as a table would check it, by `kiosk.domain.setup.resolve` with the rulebook that it names. What people type is read
here, for the page's form and for lists that are imported.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from kiosk.domain.rulebook import Method, Provide
from kiosk.domain.setup import LONGEST_NAME, MatchSetup, Options, bad_value, resolve
from kiosk.domain.text import seen
from kiosk.domain.types import NS_PER_MS, Pair, Span
from kiosk.sync import wire

if TYPE_CHECKING:
    from datetime import tzinfo

    from kiosk.books import Library

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
LONGEST_TABLE = 40
"""What a table or a round is called has no more characters."""
FREE = frozenset({"-", "–", "—"})
"""In place of a length: a free session."""
LONGEST_MS = 100 * 3600 * 1000
"""No reserve and no delay is longer: 100 hours."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A match as it was planned. Times are milliseconds; None: as the rulebook has it."""

    players: Pair[tuple[str, ...]]
    """One name a side, or two for a pair."""
    rulebook: str
    """The rulebook's word."""
    length: int | None
    """None: a free session."""
    table: str = ""
    """Empty: no table yet."""
    round: str = ""
    starts_ns: int | None = None
    """The round's start, nanoseconds since 1970; None: not set."""
    practice: bool = False
    """It never reaches results, exports or counts."""
    reserve_ms: Pair[int] | None = None
    delay_ms: int | None = None
    method: str | None = None
    provide: str | None = None

    def text(self) -> str:
        """What the database keeps beside the columns of an assignment."""
        kept = {name: value for name, value in asdict(self).items() if name not in _COLUMNS}
        return json.dumps(kept, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    def order(self, match: str, version: int, event: str, now_ns: int) -> wire.AssignMatch:
        """The order that offers it at a table.

        Args:
            match: The assignment's id.
            version: Which version of it.
            event: The event's name.
            now_ns: Now: the round's start is told from here.
        """
        return wire.AssignMatch(
            match=match,
            version=version,
            players=self.players,
            rulebook=self.rulebook,
            length=self.length,
            reserve_ms=self.reserve_ms,
            delay_ms=self.delay_ms,
            method=self.method,
            provide=self.provide,
            event=event,
            round=self.round,
            starts_in_ms=None if self.starts_ns is None else (self.starts_ns - now_ns) // NS_PER_MS,
            practice=self.practice,
        )


_COLUMNS = ("table", "round", "starts_ns", "practice")


def read(data: str, *, table: str, round_name: str, starts_ns: int | None, practice: bool) -> Plan:
    """The plan that an assignment's row holds."""
    plain = json.loads(data)
    reserve = plain["reserve_ms"]
    return Plan(
        players=Pair(tuple(plain["players"]["left"]), tuple(plain["players"]["right"])),
        rulebook=plain["rulebook"],
        length=plain["length"],
        table=table,
        round=round_name,
        starts_ns=starts_ns,
        practice=practice,
        reserve_ms=None if reserve is None else Pair(reserve["left"], reserve["right"]),
        delay_ms=plain["delay_ms"],
        method=plain["method"],
        provide=plain["provide"],
    )


def of_setup(setup: dict[str, Any], *, table: str, round_name: str, practice: bool) -> Plan:
    """The plan that a match as it was played would have had.

    Args:
        setup: `players`, `rulebook` and `length`, as a match's summary has them.
        table: Where it was played.
        round_name: Its round.
        practice: Whether it was practice.
    """
    players = Pair(tuple(setup["players"]["left"]), tuple(setup["players"]["right"]))
    return Plan(players, setup["rulebook"], setup["length"], table, round_name, None, practice)


# ── Checking ─────────────────────────────────────────────────────────────────
def check(plan: Plan, library: Library) -> MatchSetup:
    """The whole setup that a table would make of a plan; its `warnings` are for the organizer.

    Args:
        plan: What is planned.
        library: The rulebooks that the server knows.

    Raises:
        CommandRefused: Something of it cannot be; the sentence says what.
        RulebookError: There is no such rulebook, or its file has faults.
    """
    for text in (plan.table, plan.round):
        if len(text) > LONGEST_TABLE or (text and not seen(text)):
            raise bad_value(
                "A table and a round are called by at most {longest} characters, each of which can be seen.", longest=LONGEST_TABLE
            )
    options = Options(
        length=plan.length,
        players=plan.players,
        reserve=None if plan.reserve_ms is None else Pair(_span(plan.reserve_ms.left), _span(plan.reserve_ms.right)),
        delay=None if plan.delay_ms is None else _span(plan.delay_ms),
        method=None if plan.method is None else Method(plan.method),
        provide=None if plan.provide is None else Provide(plan.provide),
    )
    if plan.length is None and plan.reserve_ms is None and (plan.delay_ms or plan.method):
        raise bad_value("A free session is played without a clock, unless it is given a reserve; give one, or leave the delay out.")
    setup = resolve(library.load(plan.rulebook), options)
    left, right = ({folded(name) for name in names} for names in (plan.players.left, plan.players.right))
    if left & right or any(len({folded(name) for name in names}) < len(names) for names in (plan.players.left, plan.players.right)):
        raise bad_value("A match is played by different people; one name stands twice.")
    return setup


def _span(ms: int) -> Span:
    return Span(ms * NS_PER_MS)


def folded(name: str) -> str:
    """A name as it is compared: written in capitals, composed otherwise or with more spaces, it is the same."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def search_text(plan: Plan) -> str:
    """What a search goes through: names, table and round, folded."""
    return folded(" ".join((*plan.players.left, *plan.players.right)))


def who_plays(players: Pair[tuple[str, ...]]) -> frozenset[frozenset[str]]:
    """Who plays whom, whatever the seats."""
    return frozenset(frozenset(folded(name) for name in side) for side in (players.left, players.right))


# ── What people type ─────────────────────────────────────────────────────────
def names_of(text: str) -> tuple[str, ...]:
    """The players of one side: one name, or two with a stroke or an ampersand between them.

    Raises:
        CommandRefused: There is no name, or there are more than two.
    """
    names = tuple(" ".join(part.split()) for part in re.split(r"\s*[/&]\s*", text.strip()))
    if not any(names):
        raise bad_value("A player's name is missing.")
    if len(names) > 2 or not all(names):
        raise bad_value("A side is one player, or two with a stroke between them: Ana / Boris.")
    for name in names:
        if len(name) > LONGEST_NAME or not seen(name):
            raise bad_value("A name is one line of at most {longest} characters, each of which can be seen.", longest=LONGEST_NAME)
    return names


def length_of(text: str, *, free: bool = False) -> int | None:
    """A match's length; None: a free session, which is chosen, and never what a slip leads to.

    Args:
        text: As it was typed; a dash chooses a free session, as a list has no box to tick.
        free: A free session was chosen beside it.

    Raises:
        CommandRefused: It is no whole number from 1 to 99, is missing, or stands beside the choice of a free session.
    """
    text = re.sub(r"\.0+$", "", text.strip())  # a spreadsheet's numbers
    if text in FREE or (free and not text):
        return None
    if free:
        raise bad_value("A free session has no length: leave “{text}” out, or do not choose a free session.", text=text[:40])
    if not text:
        raise bad_value("The length is missing: give one from 1 to 99, or choose a free session.")
    if not re.fullmatch(r"0?[1-9]|[1-9][0-9]", text):
        raise bad_value("A length is a whole number from 1 to 99, or a dash for a free session; “{text}” is neither.", text=text[:40])
    return int(text)


def time_of(text: str) -> int | None:
    """A length of time: `18` or `18:00` are minutes, `1:05:00` an hour and five minutes, `2.5` two minutes and a half; in milliseconds.

    Raises:
        CommandRefused: It is none.
    """
    text = text.strip().replace(",", ".")
    if not text:
        return None
    if re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,3})?", text):
        return _bounded(round(float(text) * 60_000), text)
    found = re.fullmatch(r"(?:([0-9]{1,2}):)?([0-9]{1,4}):([0-5][0-9])", text)
    if found is None:
        raise bad_value("A reserve is minutes, or minutes and seconds as 18:30; “{text}” is none.", text=text[:40])
    hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return _bounded(((hours * 60 + minutes) * 60 + seconds) * 1000, text)


def reserve_of(text: str) -> Pair[int] | None:
    """A reserve, or two with a stroke between them for unequal ones (left, right); in milliseconds.

    Raises:
        CommandRefused: It is none.
    """
    left, stroke, right = text.partition("/")
    one = time_of(left)
    two = time_of(right) if stroke else one
    if one is None and two is None:
        return None
    if one is None or two is None:
        raise bad_value("Give one reserve for both, or two with a stroke between them: 18:00 / 15:00.")
    return Pair(one, two)


def delay_of(text: str) -> int | None:
    """A delay in seconds, as milliseconds.

    Raises:
        CommandRefused: It is none.
    """
    text = text.strip().replace(",", ".")
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,5}(\.[0-9]{1,3})?", text):
        raise bad_value("A delay is a number of seconds; “{text}” is none.", text=text[:40])
    return _bounded(round(float(text) * 1000), text)


def _bounded(ms: int, text: str) -> int:
    if ms > LONGEST_MS:
        raise bad_value("“{text}” is longer than any match.", text=text[:40])
    return ms


def start_of(text: str, zone: tzinfo, today: datetime) -> int | None:
    """When a round begins: `14:30` (today), or `2026-12-05 14:30`; nanoseconds since 1970.

    Args:
        text: As it was typed, or as a browser or a spreadsheet writes it.
        zone: Whose time of day.
        today: Any moment of today in that zone.

    Raises:
        CommandRefused: It is neither.
    """
    text = text.strip().replace("T", " ")
    if not text:
        return None
    for form in ("%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%d.%m.%Y %H:%M", "%H:%M", "%H:%M:%S"):
        try:
            read_ = datetime.strptime(text, form)  # noqa: DTZ007 - its zone is the event's, given below
        except ValueError:
            continue
        if not form.startswith("%H"):
            return _ns(read_.replace(tzinfo=zone), text)
        return _ns(today.replace(hour=read_.hour, minute=read_.minute, second=0, microsecond=0), text)
    raise bad_value("A start is a time as 14:30, or a date and a time as 2026-12-05 14:30; “{text}” is neither.", text=text[:40])


def _ns(at: datetime, text: str) -> int:
    if not 2000 <= at.year <= 2200:
        raise bad_value("A start is a time as 14:30, or a date and a time as 2026-12-05 14:30; “{text}” is neither.", text=text[:40])
    return ((at - EPOCH) // timedelta(milliseconds=1)) * NS_PER_MS


def moved(plan: Plan, table: str) -> Plan:
    """The same plan at another table."""
    return replace(plan, table=" ".join(table.split()))
