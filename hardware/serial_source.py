"""Buttons of a microcontroller box on a serial cable. BUTTON_BOX.md says what it says; `offset.py` how its stamps become ours.

Two parts. The **box** lives as long as the program: it keeps to the cable through every replugging, reads lines on the cable's thread, and
follows the box's clock. A **source** is one spell of it, from one hello to the next time it began anew: the keeper builds another one then,
and learns in a sentence why there is none while the box is away. Building one costs nothing and waits for nothing.

The table speaks only when it is spoken to. A hello is answered with a ping, the first pongs with another each, so that the clock is known
soon; then each beat with one. So nothing here needs a timer, and a box that is silent is not shouted at.

An arrival is read off the clock after the bytes were read, not before: what came in between would seem to be stamped in the future.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from hardware.box_lines import BAUD, SEQUENCES, TOKENS, VERSION, BadLineError, Beat, BoxEdge, Hello, Pong, Splitter, ping, read_line, who
from hardware.edges import LINES, Edge, HardwareFault, SourceHealth, plausible
from hardware.offset import ClockOffset
from hardware.serial_port import SerialLink

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.box_lines import BoxLine, Contacts
    from hardware.edges import Deliver, Line

SILENCE_NS = 2_000_000_000
"""A box that says nothing for so long is dead: four beats."""

QUICK_PINGS = 16
"""So many pings follow each other without a pause after a hello."""

OPEN_PINGS = 8
"""So many pings wait for their answers; older ones are given up."""

LINES_A_SECOND = 1_000
"""More than this is a flood; so many may also come at once."""

FLOOD_NS = 5_000_000_000
"""A box that talks too much is not listened to until it has been quiet for so long."""

PAUSES_NS = (200_000_000, 1_000_000_000)
"""How often the box is looked for while it is away."""


class ButtonBox:
    """One box, whether it is plugged in or not."""

    def __init__(
        self,
        find: Callable[[], str | None],
        now_ns: Callable[[], int] = time.monotonic_ns,
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        """Prepare a box; `start` begins to look for it.

        Args:
            find: Where its serial device is, as `serial_port.finder` makes it.
            now_ns: The monotonic clock that edges are stamped by.
            wake: Called on the cable's thread after whatever came, and when the box was plugged in or out.
        """
        self._now_ns = now_ns
        self._link = SerialLink(find, BAUD, self._came, wake, name="button box", on_change=self._changed, now_ns=now_ns, pauses=PAUSES_NS)
        self._take: Deliver | None = None
        self._ready = threading.Event()
        self._closed = False
        self._splitter = Splitter()
        self._offset = ClockOffset()
        self._sent: dict[int, int] = {}
        self._token = self._quick = 0
        self._sequence: int | None = None
        self._levels: dict[Line, bool] = dict.fromkeys(LINES, False)
        self._last: dict[Line, tuple[int, bool]] = dict.fromkeys(LINES, (0, True))
        """The latest edge of each line: its instant, and whether that was the box's."""
        self._speaks: int | None = None
        self._heard_at: int | None = None
        self._flooded_at: int | None = None
        self._allowance, self._allowed_at = LINES_A_SECOND * 1_000_000_000, 0
        self.spell = 0
        """Goes up whenever the box began anew, by itself or at another plugging in."""
        self.why = ""
        """What ended the last spell."""
        self.lost = self.strange = self.by_arrival = 0
        self.heard_lines = self.bad_lines = 0
        """Lines whose checksum was right, and the others."""

    @property
    def clock_known(self) -> bool:
        """Whether edges are stamped by the box."""
        return self._offset.stands

    def start(self) -> None:
        """Begin to look for the box; returns at once."""
        self._link.start()

    def wait(self, seconds: float) -> None:
        """Let a box that is plugged in say hello; one that is not there is waited for a second at most."""
        if not self._ready.wait(min(1.0, seconds)) and self._link.health().opened:
            self._ready.wait(seconds - 1.0)

    def close(self) -> None:
        """Let go of the cable; may be called twice, and never raises."""
        self._closed = True
        self._link.close()

    def attach(self, take: Deliver | None) -> None:
        """Say who takes edges from now on, on the cable's thread."""
        self._take = take

    def levels(self) -> dict[Line, bool]:
        """The contacts as the latest line has them."""
        return dict(self._levels)

    def fault(self) -> str | None:
        """Why no edge can come now, in a sentence; None while the box works."""
        link = self._link.health()
        if self._closed or not link.connected:
            return link.fault or "The button box was let go."
        where = f"The button box at {link.path}"
        if self._speaks not in {None, VERSION}:
            return f"{where} speaks version {self._speaks} of the protocol, and this table speaks {VERSION}; flash its own firmware again."
        if self._flooded_at is not None and self._now_ns() - self._flooded_at < FLOOD_NS:
            return f"{where} says more than {LINES_A_SECOND} lines a second; it is not listened to until it is quiet."
        if self._heard_at is None or self._sequence is None:
            return f"{where} has not said hello; if it is one, flash its firmware again, else name the right device."
        if self._now_ns() - self._heard_at > SILENCE_NS:
            return f"{where} is silent; pull its cable out and put it in again."
        return None

    def _changed(self, up: bool) -> None:  # noqa: FBT001 - the link's callback
        self._splitter.clear()
        self._new_spell("The button box was pulled out or failed.")
        self._speaks = self._heard_at = self._sequence = self._flooded_at = None
        self._ready.clear()
        if up:
            self._link.write(who())

    def _new_spell(self, why: str) -> None:
        self.spell, self.why = self.spell + 1, why
        self._offset.forget()
        self._sent.clear()

    def _came(self, data: bytes, _at: int) -> None:
        arrived = self._now_ns()
        for line in self._splitter.feed(data):
            if self._allows(arrived):
                self._line(line, arrived)
            else:
                self._flooded_at = arrived

    def _allows(self, now: int) -> bool:
        full = LINES_A_SECOND * 1_000_000_000
        self._allowance = min(full, self._allowance + (now - self._allowed_at) * LINES_A_SECOND)
        self._allowed_at = now
        if self._allowance < 1_000_000_000:
            return False
        self._allowance -= 1_000_000_000
        return True

    def _line(self, line: bytes, arrived: int) -> None:
        try:
            said = read_line(line)
        except BadLineError:
            self.bad_lines += 1
            return
        self.heard_lines += 1
        if isinstance(said, Hello):
            self._hello(said, arrived)
        elif self._sequence is not None:
            self._heard_at = arrived
            self._said(said, arrived)
        elif isinstance(said, Beat):
            self._link.write(who())  # it began before it was listened to

    def _hello(self, hello: Hello, arrived: int) -> None:
        self._speaks = hello.version
        if hello.version != VERSION:
            self._sequence = None
            return
        self._heard_at = arrived
        self._contacts(hello.contacts, arrived)
        self._quick = QUICK_PINGS
        self._ping()
        self._ready.set()

    def _said(self, said: BoxLine | None, arrived: int) -> None:
        match said:
            case Beat():
                self._contacts(said.contacts, arrived)
                self._ping()
            case BoxEdge():
                self._edge(said, arrived)
            case Pong():
                self._pong(said, arrived)
            case _:
                pass

    def _count(self, sequence: int, edges: int) -> None:
        """Take a line's number; a gap is lost edges, a step back another beginning.

        Args:
            sequence: The number of the latest edge.
            edges: How many edges the line itself brings.
        """
        last, self._sequence = self._sequence, sequence
        if last is None:
            return
        gap = (sequence - last - edges) % SEQUENCES
        if gap < SEQUENCES // 2:
            self.lost += gap
        else:
            self._new_spell("The button box began anew by itself; check its cable and its supply.")

    def _contacts(self, contacts: Contacts, arrived: int) -> None:
        self._count(contacts.sequence, 0)
        self._levels = dict(contacts.levels)
        self._offset.seen(contacts.counter_us, arrived)

    def _edge(self, edge: BoxEdge, arrived: int) -> None:
        self._count(edge.sequence, 1)
        self._levels[edge.line] = edge.closed
        at = self._instant(edge, arrived)
        if self._take is not None:
            self._take(Edge(edge.line, edge.closed, at))

    def _instant(self, edge: BoxEdge, arrived: int) -> int:
        """When it was; never before the edge that came before it on its line, for whoever takes them puts them in order."""
        stamp = self._offset.stamp(edge.counter_us, arrived)
        at, trusted = stamp.at_ns, stamp.trusted
        if not plausible(at, arrived):
            self.strange += 1
            at = arrived
        last, last_trusted = self._last[edge.line]
        if at < last:
            at, trusted = last, trusted and last_trusted
        self.by_arrival += not trusted
        self._last[edge.line] = at, trusted
        return at

    def _ping(self) -> None:
        self._token = (self._token + 1) % TOKENS
        self._sent[self._token] = self._now_ns()
        if len(self._sent) > OPEN_PINGS:
            del self._sent[next(iter(self._sent))]
        self._link.write(ping(self._token))

    def _pong(self, pong: Pong, arrived: int) -> None:
        sent = self._sent.pop(pong.token, None)
        if sent is None:
            return
        self._offset.pong(sent, pong.counter_us, arrived)
        if self._quick > 0:
            self._quick -= 1
            self._ping()


class SerialEdgeSource:
    """One spell of a button box. Used once: start, close."""

    def __init__(self, box: ButtonBox) -> None:
        """Prepare a source.

        Args:
            box: The box, which has been started; it outlives the source.
        """
        self._box = box
        self._spell: int | None = None
        self._before = (0, 0, 0)
        self._fault: str | None = None

    def start(self, deliver: Deliver) -> None:
        """Begin to deliver; waits for nothing.

        Args:
            deliver: Takes each edge, on the cable's thread.

        Raises:
            HardwareFault: The box is away, is silent, or is none.
        """

        def take(edge: Edge) -> None:
            try:
                deliver(edge)
            except Exception as error:  # noqa: BLE001 - told by health(), so that the source is restarted loudly
                self._fault = f"The {edge.line} button's edge could not be delivered: {error!r}."

        self._spell, self._before = self._box.spell, self._counts()
        fault = self._box.fault()
        if fault is not None:
            self._spell = None
            raise HardwareFault(fault)
        self._box.attach(take)

    def _counts(self) -> tuple[int, int, int]:
        return self._box.lost, self._box.strange, self._box.by_arrival

    def _why_dead(self) -> str | None:
        if self._spell is None:
            return "The button box's source is not running."
        return self._fault or self._box.fault() or (self._box.why if self._box.spell != self._spell else None)

    def levels(self) -> dict[Line, bool]:
        """Both contacts as the box's latest line has them: True is closed.

        Raises:
            HardwareFault: The box is away or silent, or the source is not running.
        """
        why = self._why_dead()
        if why is not None:
            raise HardwareFault(why)
        return self._box.levels()

    def health(self) -> SourceHealth:
        """What the source knows about itself."""
        fault = self._why_dead()
        lost, strange, by_arrival = (now - before for now, before in zip(self._counts(), self._before, strict=True))
        return SourceHealth(fault is None, lost, strange, fault, by_arrival, mends_itself=True)

    def close(self) -> None:
        """Take no more edges; the box stays."""
        if self._spell is not None:
            self._box.attach(None)
        self._spell = None
