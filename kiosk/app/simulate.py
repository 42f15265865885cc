"""A scenario played through the whole real kiosk in virtual time: simulated box, real debounce, session and journal.

The scenario's lines and the contact edges that they schedule are one queue ordered by time and line. Between two of them time
passes exactly as on a table: alerts, flags and heartbeats come at their own instants. A power cut abandons the journal as a dying
process would and switches a new table on over the same file; the virtual monotonic clock goes on meanwhile.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hardware import Line, Pressed, SimulatedBox, SourceKeeper
from kiosk.app import result
from kiosk.app.carry import pick
from kiosk.app.power import switch_on
from kiosk.app.roster import MemoryRoster
from kiosk.app.scenario import OPENINGS, Step, do, to_command
from kiosk.app.table import RunningTable
from kiosk.domain.errors import CommandRefused, Refusal
from kiosk.domain.facts import Fact, PressIgnored, SignInFailed
from kiosk.domain.types import NS_PER_S, Instant, Side, Span, seconds
from kiosk.journal import SqliteJournal, open_journal
from kiosk.session import HEARTBEAT, NotAdjourned, adjourned, last_match, running_match
from kiosk.session.commands import SignIn
from kiosk.sync.wire import Moment

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from kiosk.app.picture import Camera
    from kiosk.app.show import Show
    from kiosk.books import Library
    from kiosk.session import Command, Listener, Snapshot

ORIGIN = 1_000 * NS_PER_S
"""The monotonic instant that scenarios call 0: a box that has been on for a while."""

WALL_ORIGIN = 1_700_000_000 * NS_PER_S
"""The date that a simulated table without battery clock wakes up with."""

LAST_DATE = 2**63 - 1
"""Dates stay within what a system's clock can hold in nanoseconds, however far a scenario lets them jump."""

PRESS_HELD = seconds(0.08)


class WindowClosed(Exception):
    """Whoever watched has closed the window before the end."""


@dataclass(order=True)
class _Contact:
    """One edge of a button's contact, ordered by time, then by line."""

    at: int
    line: int
    turn: int
    side: Line = field(compare=False)
    closed: bool = field(compare=False)


class Simulation:
    """One run of a scenario over a journal file."""

    def __init__(
        self, steps: Sequence[Step], library: Library, journal: Path, progress: Callable[[int, int], None], show: Show | None = None
    ) -> None:
        """Prepare a run.

        Args:
            steps: The scenario's lines.
            library: Rulebooks.
            journal: The journal's file; it is created.
            progress: Told of (lines played, lines in all).
            show: Paces the run and shows it in a window; without one it is over as fast as it can be computed.
        """
        self._show = show
        self._camera = _camera(library) if any(step.word == "render" for step in steps) else None
        self._steps = steps
        self._library = library
        self._path = journal
        self._progress = progress
        self._now = ORIGIN
        self._step_ns = 0
        self._trusted = False
        self._boots = 0
        self._line = 0
        self._line_of: dict[tuple[str, int], int] = {}
        self._contacts: list[_Contact] = []
        self._closed_until: dict[str, int] = {}
        self._matches = 0
        self._roster = _first_officials(steps)
        """Whoever the first match names can sign in before it, to enter it from paper."""
        self._box = SimulatedBox(now_ns=lambda: self._now)
        self.log = result.Log()
        self.opening: Callable[[Command], Command] = lambda command: command
        """May put an organizer's match in the place of the one that the scenario opens."""

    @property
    def journal(self) -> SqliteJournal:
        """The journal of the boot that the table is in."""
        return self._journal

    def moment(self) -> Moment:
        """The simulated clocks now."""
        date, trusted = self._wall()
        return Moment(f"simulated-{self._boots}", self._now, date, trusted)

    def run(self) -> Snapshot:
        """Play all lines.

        Returns:
            The table at the end.
        """
        self._switch_on()
        position = 0
        while position < len(self._steps):
            step = self._steps[position]
            position += 1
            self._progress(position, len(self._steps))
            self._play_contacts(ORIGIN + step.at_ns, step.line)
            self._let_time_pass(ORIGIN + step.at_ns)
            self._line = step.line
            if step.word == "end":
                break
            if step.word == "power_cut":
                back = self._power_cut(step)
                while position < len(self._steps) and ORIGIN + self._steps[position].at_ns < back:
                    position += 1  # The table is off: lines in between do nothing.
                continue
            self._play(step)
        self._table.turn(self._now)
        return self._table.session.snapshot(Instant(self._now))

    def result(self, shot: Snapshot) -> dict[str, Any]:
        """The result object of the run."""
        return result.build(shot, self.log, ORIGIN)

    def close(self) -> None:
        """Let go of the journal."""
        self._journal.close()

    # ── Power ────────────────────────────────────────────────────────────────
    def _wall(self) -> tuple[int, bool]:
        date = WALL_ORIGIN + self._now + self._step_ns
        return max(-LAST_DATE, min(date, LAST_DATE)), self._trusted

    def _switch_on(self, *, spare: bool = False) -> None:
        self._boots += 1
        boot = f"simulated-{self._boots}"
        journal, _ = open_journal(self._path, boot=boot, wall=self._wall)
        self._journal: SqliteJournal = journal
        viewers = [viewer for viewer in (self._show, self._camera) if viewer is not None]
        listeners: list[Listener] = [viewer.chronicle.hear for viewer in viewers]
        session = switch_on(journal, self._now, self._wall(), boot, listeners, rows=[] if spare else None)
        for viewer in viewers:
            viewer.switched_on(session)
        keeper = SourceKeeper(self._box.source, now_ns=lambda: self._now)
        keeper.start(self._now)
        self._table = RunningTable(session, keeper, grace=Span(0), on_press=self._pressed)
        self._table.start(self._now)

    def _power_cut(self, step: Step) -> int:
        if "beat_s" in step.args:  # how long before the cut the last heartbeat lies that reached the disk
            self._table.session.beat(Instant(self._now - step.args["beat_s"]))
        self._journal.flush(10)
        self._journal.abandon()
        back = self._now + int(step.args["off_s"])
        levels: dict[Line, bool] = {}
        while self._contacts and self._contacts[0].at < back:
            contact = heapq.heappop(self._contacts)
            levels[contact.side] = contact.closed
        self._now = back
        self._box.preset(levels)
        self._switch_on()
        return back

    # ── Time ─────────────────────────────────────────────────────────────────
    def _play_contacts(self, until: int, line: int) -> None:
        """Play every scheduled edge that comes before a line."""
        while self._contacts and (self._contacts[0].at, self._contacts[0].line) < (until, line):
            contact = heapq.heappop(self._contacts)
            self._let_time_pass(contact.at)
            self._box.drive(contact.side, contact.closed, contact.at)
            self._table.turn(self._now)

    def _let_time_pass(self, until: int) -> None:
        """Move virtual time on; where somebody watches, as fast as he wants to see it."""
        if self._show is not None:
            for instant in self._show.frames(self._now, until):
                self._pass(instant)
        self._pass(until)

    def _pass(self, until: int) -> None:
        """Move virtual time on, with a turn wherever time alone brings something about."""
        while (wake := self._table.next_wake()) is not None and wake <= until:
            self._now = max(self._now, wake)
            self._table.turn(self._now)
        self._last_beat_before(until)
        self._now = until
        self._table.turn(self._now)

    def _last_beat_before(self, until: int) -> None:
        # Of the heartbeats on the way only the last can ever be seen: each overwrites the one before.
        first = self._table.session.next_beat(Instant(self._now))
        if first is not None and first < until:
            self._now = first + (until - 1 - first) // HEARTBEAT * HEARTBEAT
            self._table.session.beat(Instant(self._now))

    # ── Lines ────────────────────────────────────────────────────────────────
    def _play(self, step: Step) -> None:
        match step.word:
            case "press":
                self._schedule_press(step)
            case "edges":
                for turn, (after, closed) in enumerate(step.args["edges"]):
                    self._schedule(step, after, turn, closed=closed)
            case "wall_clock":
                self._step_ns += step.args["step_s"]
                self._trusted = True
                self._table.session.wall_clock_trusted(Instant(self._now))
            case "render":
                self._render(step)
            case "take_up":
                self._take_up(step)
            case "take_over":
                self._take_over(step)
            case _:
                self._command(step)
        self._play_contacts(self._now, step.line + 1)

    def _schedule_press(self, step: Step) -> None:
        self._schedule(step, 0, 0, closed=True)
        self._schedule(step, step.args.get("held_s", PRESS_HELD), 1, closed=False)

    def _schedule(self, step: Step, after: int, turn: int, *, closed: bool) -> None:
        side: Line = "left" if step.args["side"] is Side.LEFT else "right"
        at = ORIGIN + step.at_ns + after
        self._line_of[side, at] = step.line
        heapq.heappush(self._contacts, _Contact(at, step.line, turn, side, closed))

    def _render(self, step: Step) -> None:
        if self._camera is not None:
            self._camera.save(step.args["file"], self._now, step.args.get("size"), step.args.get("theme"))

    def _take_up(self, step: Step) -> None:
        self._journal.flush(10)
        try:
            refused = self._table.session.why_not_take_up(Instant(self._now))
            if refused is not None:
                raise refused
            match = pick(adjourned("", list(self._journal.rows())), step.args.get("match"))
            self._table.session.take_up(match, Instant(self._now))
        except CommandRefused as refused:
            self._refused(step, refused)
            return
        for viewer in (self._show, self._camera):
            if viewer is not None:
                viewer.taken_up(match)

    def _take_over(self, step: Step) -> None:
        """This table has failed, and a spare one goes on with its match; here their journals are one file."""
        official = self._roster.find(step.args["pin"])
        self._journal.flush(10)
        rows = last_match(list(self._journal.rows()))
        self._journal.abandon()
        self._switch_on(spare=True)
        session, now = self._table.session, Instant(self._now)
        try:
            session.command(SignIn(official), now)
            match = running_match(step.args["table"], rows)
            session.take_over(match, step.args.get("uncertain_s", Span(0)), now)
        except CommandRefused as refused:
            self._refused(step, refused)
            return
        except NotAdjourned as refused:
            self._refused(step, CommandRefused(Refusal.BAD_VALUE, "{why}", why=str(refused)))
            return
        for viewer in (self._show, self._camera):
            if viewer is not None:
                viewer.taken_up(match)

    def _command(self, step: Step) -> None:
        self._matches += step.word in {*OPENINGS, "chouette_open"}
        try:
            roster = MemoryRoster(step.args["officials"]) if "officials" in step.args else self._roster
            command = to_command(step, self._library, f"simulated-{self._matches}", ORIGIN, roster)
            facts = do(self._table.session, step, self.opening(command), Instant(self._now), roster)
            self._roster = roster
        except CommandRefused as refused:
            self._refused(step, refused)
        else:
            if any(isinstance(fact, SignInFailed) for fact in facts):  # it is on record, and it was refused
                self._refused(step, CommandRefused(Refusal.NOT_AUTHORISED, "This PIN is nobody's."))

    def _refused(self, step: Step, refused: CommandRefused) -> None:
        self.log.refused.append({"line": step.line, "code": str(refused.code), "message": refused.message})

    def _pressed(self, press: Pressed, facts: tuple[Fact, ...]) -> None:
        line = self._line_of.get((press.line, press.at_ns), self._line)
        for fact in facts:
            if isinstance(fact, PressIgnored):
                self.log.ignored.append({"line": line, "side": press.line, "reason": str(fact.why)})


def _first_officials(steps: Sequence[Step]) -> MemoryRoster:
    """The officials that the first line names which names any; where they cannot be, that line is refused when it is played."""
    try:
        return MemoryRoster(next((step.args["officials"] for step in steps if "officials" in step.args), ()))
    except CommandRefused:
        return MemoryRoster()


def _camera(library: Library) -> Camera:
    from kiosk.app.picture import Camera

    return Camera(library)
