"""The table's console: scenario words typed or piped in, one JSON object a line, answered when they are safely on disk.

Until the table has its screen, this is how a running table is operated and tried. Words are those of the scenario format, without
`at`: they happen now. `{"do": "status"}` answers with the table as `kiosk simulate --json` prints it, and with a simulated box's lamps and
sounds. Answers: `{"line": 3,
"accepted": 17}` when the entry is on disk, `{"line": 3, "refused": CODE, "message": …}`, `{"line": 3, "error": …}`.
"""

from __future__ import annotations

import json
import os
from collections import deque
from typing import IO, TYPE_CHECKING, Any
from uuid import uuid4

from kiosk.app import result
from kiosk.app.carry import pick
from kiosk.app.logs import log
from kiosk.app.roster import MemoryRoster
from kiosk.app.scenario import ScenarioError, Step, do, parse, to_command
from kiosk.domain.errors import CommandRefused, KioskError, Refusal
from kiosk.domain.facts import SignInFailed
from kiosk.domain.officials import badge_secret
from kiosk.domain.types import Instant, Side, Span, seconds
from kiosk.say import _
from kiosk.session.commands import SignIn

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hardware import Line, SimulatedBox
    from kiosk.app.carry import Shelf
    from kiosk.app.devices import Simulated
    from kiosk.app.table import RunningTable
    from kiosk.books import Library
    from kiosk.ports import Journal, Roster

PRESS_HELD = seconds(0.08)
NOT_HERE = {"wall_clock", "power_cut", "take_over", "end"}
"""Words that only a simulation can do."""
LONGEST_LINE = 65_536


class Console:
    """Reads words, does them, answers."""

    def __init__(self, table: RunningTable, library: Library, journal: Journal, box: SimulatedBox | None, out: IO[str]) -> None:
        """Connect a console to a table.

        Args:
            table: The running table.
            library: Rulebooks.
            journal: Asked for what is accepted.
            box: The simulated box, or None on real buttons.
            out: Where answers go.
        """
        self.table = table
        """The running table."""
        self._library = library
        self.journal = journal
        self._box = box
        self._out = out
        self._buffer = b""
        self._line = 0
        self._pending: deque[tuple[int, int]] = deque()
        self._contacts: list[tuple[int, Line, bool]] = []
        self.box_words: Callable[[], dict[str, Any]] = dict
        """What `status` says of a simulated box's lamps and sounds; nothing where there are none."""
        self.picture: Callable[[Path], None] | None = None
        """Saves what the screen shows; None on a table without one."""
        self.roster: Roster = MemoryRoster()
        """Who can sign in."""
        self.cables: Simulated | None = None
        """The far ends of the cables of simulated devices; None on a table with real ones."""
        self.shelf: Shelf | None = None
        """Where suspended matches are found."""

    @property
    def simulated(self) -> bool:
        """Whether the box is."""
        return self._box is not None

    @property
    def waiting(self) -> bool:
        """Whether an answer waits for the disk."""
        return bool(self._pending)

    def next_contact(self) -> int | None:
        """When a simulated contact will next change."""
        return min((contact[0] for contact in self._contacts), default=None)

    def read(self, descriptor: int, now: int) -> bool:
        """Take what has been typed.

        Args:
            descriptor: Standard input.
            now: Nanoseconds of the monotonic clock.

        Returns:
            False at the end of the input.
        """
        data = os.read(descriptor, LONGEST_LINE)
        self._buffer += data
        *lines, self._buffer = self._buffer.split(b"\n")
        for raw in lines:
            self._take(raw, now)
        if not data and self._buffer:  # the last word needs no newline
            last, self._buffer = self._buffer, b""
            self._take(last, now)
        if len(self._buffer) > LONGEST_LINE:
            self._buffer = b""
            self.say({"line": self._line + 1, "error": "this line is too long; it was dropped."})
        return bool(data)

    def turn(self, now: int) -> None:
        """Let simulated contacts change that are due, and answer what has reached the disk."""
        due = sorted(contact for contact in self._contacts if contact[0] <= now)
        self._contacts = [contact for contact in self._contacts if contact[0] > now]
        for at, line, closed in due:
            if self._box is not None:
                self._box.drive(line, closed, at)
        accepted = self.journal.state().accepted if self._pending else 0
        while self._pending and self._pending[0][1] <= accepted:
            line_number, seq = self._pending.popleft()
            self.say({"line": line_number, "accepted": seq})

    def say(self, answer: dict[str, Any]) -> None:
        """Print one answer."""
        self._out.write(json.dumps(answer, ensure_ascii=False) + "\n")
        self._out.flush()

    def _take(self, raw: bytes, now: int) -> None:
        self._line += 1
        text = raw.decode("utf-8", errors="replace").strip()
        if not text:
            return
        if text.replace(" ", "") == '{"do":"status"}':
            shot = self.table.session.snapshot(Instant(now))
            self.say({"line": self._line, "status": {**result.build(shot, result.Log(), 0), **self.box_words()}})
            return
        try:
            (step,) = parse("console", text, self._library.names())
            self._do(step, now)
        except CommandRefused as refused:
            self.say({"line": self._line, "refused": str(refused.code), "message": refused.message})
        except KioskError as error:
            self.say({"line": self._line, "error": str(error).removeprefix("console:1: ")})
        except BrokenPipeError:
            raise
        except Exception as error:  # noqa: BLE001 - told and logged; the table goes on
            log.exception("A fault while doing what line %d of the console says; the table is as it was.", self._line)
            self.say({"line": self._line, "error": f"this could not be done ({type(error).__name__}: {error}); nothing has changed."})

    def _do(self, step: Step, now: int) -> None:
        if step.word in NOT_HERE:
            raise ScenarioError(_("{word} can be done in a simulation only.", word=repr(step.word)))
        if step.word in {"press", "edges"}:
            self._contact(step, now)
            return
        if step.word == "render":
            self._render(step)
            return
        if step.word == "badge":
            self._badge(step)
            return
        self.table.turn(now)  # edges that came before the word count before it
        if step.word == "take_up":
            self._take_up(step, now)
            return
        if step.word == "sign_in":
            self._refuse_while_locked(now)
        command = to_command(step, self._library, uuid4().hex, now, self.roster)
        facts = do(self.table.session, step, command, Instant(now), self.roster)
        if any(isinstance(fact, SignInFailed) for fact in facts):
            raise CommandRefused(Refusal.NOT_AUTHORISED, "This PIN is nobody's.")  # it is on record all the same
        self._pending.append((self._line, self.journal.append(())))

    def _refuse_while_locked(self, now: int) -> None:
        """While the number pad is locked no PIN is looked at."""
        refused = self.table.session.why_not(SignIn(None), Instant(now))
        if refused is not None:
            raise refused

    def _take_up(self, step: Step, now: int) -> None:
        refused = self.table.session.why_not_take_up(Instant(now))
        if refused is not None:
            raise refused
        matches = [] if self.shelf is None else self.shelf.found()[0]
        self.table.session.take_up(pick(matches, step.args.get("match")), Instant(now))
        self._pending.append((self._line, self.journal.append(())))

    def _badge(self, step: Step) -> None:
        """Hold a badge to the simulated reader."""
        if self.cables is None:
            raise ScenarioError(_("this table has no simulated badge reader; hold a badge to the real one, or start it with --simulate."))
        try:
            self.cables.hold(step.args["number"])
        except ValueError as error:
            raise ScenarioError(_("'number' must be ten digits of 0–9 and A–F, as a 125 kHz badge has them.")) from error
        self.say({"line": self._line, "presented": step.args["number"]})

    def present(self, number: str, now: int) -> None:
        """A badge was presented at a table without a screen: an official's signs in.

        Args:
            number: As the reader tells it.
            now: Nanoseconds of the monotonic clock.
        """
        try:
            self._refuse_while_locked(now)
            official = self.roster.find(badge_secret(number))
            self.table.session.command(SignIn(official), Instant(now))
        except CommandRefused as refused:
            self.say({"badge": number, "refused": str(refused.code), "message": refused.message})
        except KioskError as error:
            self.say({"badge": number, "error": str(error)})
        else:
            self.say({"badge": number, "signed_in": None if official is None else official.name})

    def _render(self, step: Step) -> None:
        if self.picture is None:
            raise ScenarioError(_("this table has no screen; start it without --no-screen."))
        try:
            self.picture(step.args["file"])
        except OSError as error:
            raise ScenarioError(
                _("{value}: the picture cannot be written: {why}.", value=step.args["file"], why=error.strerror or error)
            ) from error
        self.say({"line": self._line, "saved": str(step.args["file"])})

    def _contact(self, step: Step, now: int) -> None:
        if self._box is None:
            raise ScenarioError(_("this table has real buttons; press them, or start it with --simulate."))
        line: Line = "left" if step.args["side"] is Side.LEFT else "right"
        edges = step.args.get("edges") or ((Span(0), True), (step.args.get("held_s", PRESS_HELD), False))
        self._contacts.extend((now + after, line, closed) for after, closed in edges)
        self.turn(now)
        self.table.turn(now)
        self._pending.append((self._line, self.journal.append(())))
