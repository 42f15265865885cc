"""One table's session: the one door through which everything comes in, and the only owner of changing match state.

A press or command comes with its instant. First everything that time alone has brought about by then becomes fact, then the
input is decided, then the new facts are applied to a copy, handed to the journal, and only then does the table change. An
exception anywhere on the way leaves the table as it was.

Time runs forward only. The loop lets time pass (`tick`) a little behind the present, so that an edge still on its way from the
GPIO thread finds a table that has not yet passed its stamp; what is *shown* is computed for the present all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from kiosk import codec
from kiosk.domain import facts as f
from kiosk.domain.errors import CommandRefused, Refusal
from kiosk.domain.flow_official import touched_at
from kiosk.domain.lockout import Lockout
from kiosk.domain.officials import Official
from kiosk.domain.state import Hall, Table
from kiosk.domain.table import evolve, still_counting
from kiosk.domain.types import Instant, Side, Span, seconds
from kiosk.ports import Journal, Record, Row
from kiosk.session.carry import Came, Carried, admit, copies, taken_over, taken_up
from kiosk.session.commands import Command
from kiosk.session.decide import decide, decide_press, uncertain_span
from kiosk.session.limits import SIGNED_IN, deadline, due, expire
from kiosk.session.snapshot import Snapshot, snapshot

Listener = Callable[[f.Fact, Table], None]
"""Told of every fact after it happened; a fault in one harms nobody else."""

HEARTBEAT = seconds(0.5)
"""How often a counting table notes that it is alive; with a slow disk still at least once a second."""

UNCERTAIN = seconds(1)
"""Running time in doubt after a power cut."""


class Session:
    """A table at play."""

    def __init__(self, journal: Journal, listeners: Sequence[Listener] = ()) -> None:
        """Start with an empty table.

        Args:
            journal: Where every fact goes.
            listeners: Who is told of facts, in order.
        """
        self._journal = journal
        self._listeners = tuple(listeners)
        self._table = Table()
        self._faults: list[str] = []
        self._beat: Instant | None = None

    @property
    def table(self) -> Table:
        """The table as of its last fact."""
        return self._table

    def take_faults(self) -> tuple[str, ...]:
        """Sentences about listeners that failed since the last call."""
        faults, self._faults = tuple(self._faults), []
        return faults

    # ── Inputs ───────────────────────────────────────────────────────────────
    def press(self, side: Side, at: Instant) -> tuple[f.Fact, ...]:
        """A clock button was pressed; `at` is its first edge. Never refused: a press without effect is recorded as such.

        Args:
            side: Whose button.
            at: The first edge, in nanoseconds of the monotonic clock.

        Returns:
            Every fact that it led to, those due before it included.
        """
        when = Instant(max(at, self._table.now))
        table, passed = expire(self._table, when)
        facts: list[f.Fact] = [*passed, decide_press(table, side, when)]
        if when != at:
            # The edge reached us after a later fact: the clock cannot be turned back, so say by how much it came late.
            facts.append(f.AlertRaised(when, "press_late", side, f"{when - at} ns"))
        return self._accept(facts)

    def hold(self, side: Side, since: Instant, limit: Span, code: str = "button_held") -> tuple[f.Fact, ...]:
        """A button has been down for longer than `limit` since its first edge (000 §11, 004 5.4.20)."""
        alert = f.AlertRaised(Instant(since + limit), code, side)
        _, passed = expire(self._table, alert.at)
        return self._accept([*passed, alert])

    def alert(self, code: str, at: Instant, detail: str) -> tuple[f.Fact, ...]:
        """Something about the box itself, to be seen and kept (a dead button source, say)."""
        return self._accept([f.AlertRaised(at, code, None, detail)])

    def command(self, command: Command, at: Instant, *, match: str | None = None) -> tuple[f.Fact, ...]:
        """Somebody asks for something.

        Args:
            command: What.
            at: When it was asked.
            match: The match it was meant for; a late input for another match is refused.

        Returns:
            Every fact that it led to, those due before it included.

        Raises:
            CommandRefused: It cannot be done now. What time alone brought about stands; nothing else has changed.
        """
        when = self._meant_for(match, at)
        return self._accept(decide(self._table, command, when))

    def command_as(self, official: Official, command: Command, at: Instant, *, match: str) -> tuple[f.Fact, ...]:
        """An official asks for something from elsewhere, as if he stood at the table: all of it is done, or nothing.

        Whoever is signed in at the table stays signed in; the stream says in whose name the act in between was done.

        Args:
            official: Who; the server has made sure of it.
            command: What.
            at: When it came.
            match: The match it was meant for.

        Returns:
            Every fact that it led to.

        Raises:
            CommandRefused: It cannot be done now. What time alone brought about stands; nothing else has changed.
        """
        when = self._meant_for(match, at)
        standing = self._table.official
        come = f.OfficialSignedIn(when, official.name, official.role, f.SignedInBy.PHONE)
        acts = decide(evolve(self._table, come), command, when)
        gone: list[f.Fact] = [f.OfficialSignedOut(when, idle=False)]
        if standing is not None:
            here = standing.official
            gone.append(f.OfficialSignedIn(when, here.name, here.role, f.SignedInBy.AGAIN))
        return self._accept([come, *acts, *gone])

    def _meant_for(self, match: str | None, at: Instant) -> Instant:
        """The instant at which an input counts, once time has passed up to it; refused if it was meant for another match."""
        when = Instant(max(at, self._table.now))
        if match is not None and match != self._table.match:
            raise CommandRefused(Refusal.MATCH_OVER, "This was meant for another match; it has done nothing.")
        self.tick(when)
        return when

    def why_not(self, command: Command, at: Instant) -> CommandRefused | None:
        """Why a command would be refused at `at`, or None where it would be done; nothing is done or recorded."""
        when = Instant(max(at, self._table.now))
        table = self._table if due(self._table, when) is None else expire(self._table, when)[0]
        try:
            decide(table, command, when)
        except CommandRefused as refused:
            return refused
        return None

    def touch(self, at: Instant) -> None:
        """Somebody touched the panel: whoever is signed in stays so for another minute; nothing is recorded, and no time passes."""
        duty = self._table.official
        if duty is not None and at < duty.touched + SIGNED_IN:  # later ones revive nobody
            self._table = touched_at(self._table, at)

    def tick(self, at: Instant) -> tuple[f.Fact, ...]:
        """Let time pass: record what is due by `at`."""
        _, passed = expire(self._table, at)
        return self._accept(passed)

    def wall_clock_trusted(self, at: Instant) -> tuple[f.Fact, ...]:
        """The system's date has been set: note it, so that earlier times of this boot can be corrected."""
        return self._accept([f.WallClockTrusted(Instant(max(at, self._table.now)))])

    def take_up(self, match: Carried, at: Instant) -> f.MatchTakenUp:
        """Take up an adjourned match; what was at this table before stays in its journal.

        Args:
            match: The match.
            at: Now.

        Raises:
            CommandRefused: Nobody is signed in who may do that, or a match is going on here; nothing has changed.
        """
        self.tick(Instant(max(at, self._table.now)))
        return self._brought(match, taken_up(match, admit(self._table), at))

    def take_over(self, match: Carried, uncertain: Span | None, at: Instant) -> f.MatchTakenOver:
        """Take over a running match whose table has failed: as it was at its last entry, stopped.

        Args:
            match: The match, as `kiosk.session.running_match` makes it.
            uncertain: How much time may have passed since its last entry; None where no clock can tell. It is stated, and not charged.
            at: Now.

        Raises:
            CommandRefused: Nobody is signed in who may do that, or a match is going on here; nothing has changed.
        """
        self.tick(Instant(max(at, self._table.now)))
        return self._brought(match, taken_over(match, admit(self._table), uncertain, at))

    def _brought(self, match: Carried, fact: Came) -> Came:
        table = evolve(replace(match.state, house=self._table.hall), fact)
        self._journal.append([*copies(match), Record(*codec.encode(fact), fact.at)])
        self._table = table
        self._tell(fact, table)
        return fact

    def why_not_take_up(self, at: Instant) -> CommandRefused | None:
        """Why no adjourned match could be taken up at `at`, or None where one could be."""
        try:
            admit(self._table if due(self._table, at) is None else expire(self._table, at)[0])
        except CommandRefused as refused:
            return refused
        return None

    # ── Outputs ──────────────────────────────────────────────────────────────
    def deadline(self) -> Instant | None:
        """When time alone will next bring something about."""
        return deadline(self._table)

    def next_beat(self, at: Instant) -> Instant | None:
        """When the next heartbeat is wanted, or None while nothing counts."""
        if not still_counting(self._table):
            return None
        return at if self._beat is None else Instant(self._beat + HEARTBEAT)

    def beat(self, at: Instant) -> None:
        """Note in the journal that the table is alive."""
        self._beat = at
        self._journal.beat(at)

    def snapshot(self, at: Instant) -> Snapshot:
        """The table at `at` as it is to be shown; records nothing."""
        table = self._table if due(self._table, at) is None else expire(self._table, at)[0]
        return snapshot(table, at, self._journal.state())

    # ── Restart ──────────────────────────────────────────────────────────────
    def restore(self, rows: Iterable[Row], at: Instant, *, last_beat: Instant | None, off: Span | None) -> bool:
        """Take up the table from its journal after the process or the power died.

        Args:
            rows: The journal's rows.
            at: Now, on this boot's clock.
            last_beat: The newest heartbeat on the clock of the last rows' boot, if there is one.
            off: How long the table was off, None where no clock can tell.

        Returns:
            Whether a match was found and restored.
        """
        self._table = replay(rows)
        last_known = Instant(max(self._table.now, last_beat or 0))
        if self._table.phase is None:
            table = self._table
            stands = table.official is not None or table.lockout != Lockout() or table.hall != Hall()
            if stands or table.chouette is not None:  # nobody is signed in now
                self._accept(self._outlived(at, last_known, off))
            self._table = replace(self._table, now=Instant(0))
            return False
        self._accept(self._outlived(at, last_known, off))
        return True

    def _outlived(self, at: Instant, last_known: Instant, off: Span | None) -> list[f.Fact]:
        """What time alone had brought about before the power died, and that it is back."""
        before, passed = expire(self._table, last_known)
        return [*passed, f.PowerRestored(at, last_known, off, uncertain_span(before, UNCERTAIN))]

    def _accept(self, facts: Sequence[f.Fact]) -> tuple[f.Fact, ...]:
        if not facts:
            return ()
        steps: list[tuple[f.Fact, Table]] = []
        table = self._table
        for fact in facts:
            table = evolve(table, fact)
            steps.append((fact, table))
        self._journal.append([Record(*codec.encode(fact), fact.at) for fact in facts])
        self._table = table
        for fact, after in steps:
            self._tell(fact, after)
        return tuple(facts)

    def _tell(self, fact: f.Fact, table: Table) -> None:
        for listener in self._listeners:
            try:
                listener(fact, table)
            except Exception as error:  # noqa: BLE001 - a broken lamp must not stop the clock; the fault is shown
                name = getattr(listener, "__qualname__", type(listener).__name__)
                self._faults.append(f"{name} failed on {type(fact).__name__}: {error!r}")


def replay(rows: Iterable[Row]) -> Table:
    """The table that a stream of rows leads to; rows of a newer version that this one does not know are passed over.

    Only the last match or chouette counts: an opening begins a table anew. What went before may belong to an earlier boot, whose clock
    had run further, and its instants must not become this match's present. Wrong PINs and the desk's orders outlast an opening.
    """
    all_rows = list(rows)
    opening = max((n for n, row in enumerate(all_rows) if row.type in _OPENINGS), default=0)
    table = _outlasting(all_rows[:opening])
    for fact in _known(all_rows[opening:]):
        table = evolve(table, fact)
    return table


def _outlasting(rows: Sequence[Row]) -> Table:
    """What outlasts an opening: wrong PINs, and what the desk has ordered; not what was ordered at a table that a match comes from."""
    table = Table()
    for row in rows:
        if row.type in _OPENINGS:
            table = replace(table, house=table.hall)
        elif row.type in _FROM_ELSEWHERE:
            table = replace(table, hall=table.house, lockout=Lockout())
        elif row.type in _OUTLASTS:
            for fact in _known([row]):
                table = evolve(table, fact)
    return Table(lockout=table.lockout, hall=table.hall)


_OPENINGS = frozenset(map(codec.name_of, (f.MatchOpened, f.ChouetteOpened)))
_FROM_ELSEWHERE = frozenset(map(codec.name_of, (f.MatchTakenUp, f.MatchTakenOver)))
_ORDERS = (f.HallPaused, f.HallPauseLifted, f.MessageShown, f.MessageRead, f.SeatConfirmed)
_OUTLASTS = frozenset(map(codec.name_of, (f.SignInFailed, f.OfficialSignedIn, f.PowerRestored, *_ORDERS)))


def _known(rows: Iterable[Row]) -> Iterator[f.Fact]:
    for row in rows:
        fact = codec.decode(row.type, row.data)
        if not isinstance(fact, codec.UnknownFact):
            yield fact
