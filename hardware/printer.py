"""A receipt printer on a serial port: a picture is printed whole, or again from the start. A thread of its own does it.

    idle ── print ──► asked how it is ── well ──► bands, each followed by a question ── all printed ──► idle
                          │  ▲                         │
                          └──┴── a pause ◄── no paper, cover open, offline, unplugged, no answer

Nothing is written before the printer has said that it is well, and after each band it is asked again, so that no more is lost in it than
one band when the paper ends. What has been begun and not finished is printed again from the start. A sheet waits for paper as long as it
must; another sheet takes the place of one that waits.

Decision: a printer that has said that it is well but never answers whether all has been printed (some clones do not) is believed
`DONE_S` after the last band.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hardware import escpos
from hardware.serial_port import SerialLink

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ANSWER_S = 1.0
"""So long an answer may take."""

STUCK_S = 15.0
"""A printer that takes nothing for so long is told."""

DONE_S = 5.0
"""So long after the last band it may say that all is printed."""

RETRY_S = 1.0
"""The pause before a printer that could not print is asked again."""

IDLE_S = 10.0
"""How often it is asked how it is while nothing is printed."""

AGAIN = "the sheet is printed again from the start."


@dataclass(frozen=True, slots=True)
class PrinterState:
    """How a printer stands."""

    waiting: bool = False
    """A sheet is being printed, or waits to be."""
    fault: str | None = None
    """A sentence while it cannot print."""
    printed: int = 0
    """Sheets that were printed whole since the start."""
    low: bool = False
    """The roll is nearly at its end."""


class _Trouble(Exception):
    """It cannot print now; the text is what the printer does, or is."""


class ReceiptPrinter:
    """A printer, whether it is there or not."""

    def __init__(
        self,
        find: Callable[[], str | None],
        wake: Callable[[], None] = lambda: None,
        *,
        baud: int = 19200,
        answers: bool = True,
        pauses: tuple[float, float] = (RETRY_S, IDLE_S),
    ) -> None:
        """Prepare a printer; `start` begins to look for it.

        Args:
            find: Where it is now, or None (`hardware.finder`).
            wake: Called on a thread of the printer's after every change of its state, to wake a sleeping loop.
            baud: Bits a second.
            answers: It says how it is; False for one that never does: a sheet is sent without a question, and believed printed when it
                has gone out.
            pauses: Seconds before it is asked again: while it cannot print, and while it has nothing to print.
        """
        self._wake = wake
        self._says = answers
        self._retry_s, self._idle_s = pauses
        self._changed = threading.Condition()
        self._answers: deque[int] = deque(maxlen=64)
        self._job: bytes | None = None
        self._torn = False
        self._closing = False
        self._state = PrinterState()
        self._thread: threading.Thread | None = None
        self.link = SerialLink(find, baud, self._take, self._stir, name="receipt printer")

    def start(self) -> None:
        """Begin to look for it; returns at once."""
        self.link.start()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="receipt printer's sheets", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Let go of it; may be called twice. A sheet that is not printed yet is not printed any more."""
        self._closing = True
        self._stir()
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.join(2)
        self.link.close()

    def print(self, rows: bytes) -> None:
        """Print a picture; returns at once.

        Args:
            rows: Row after row of `escpos.BYTES_WIDE` bytes, black is 1. It takes the place of one that waits.
        """
        with self._changed:
            self._job = rows
            self._state = replace(self._state, waiting=True)
            self._changed.notify_all()

    def state(self) -> PrinterState:
        """How it stands; cheap enough for every turn."""
        return self._state

    # ── The link's thread ────────────────────────────────────────────────────
    def _take(self, data: bytes, _at_ns: int) -> None:
        with self._changed:
            self._answers.extend(data)
            self._changed.notify_all()

    def _stir(self) -> None:
        with self._changed:
            self._changed.notify_all()

    # ── The printer's thread ─────────────────────────────────────────────────
    def _run(self) -> None:
        while not self._closing:
            job = self._job
            try:
                low = self._ready()
                job = self._job  # another sheet may have taken the place of one that waited
                if job is not None:
                    low = self._print(job)
            except _Trouble as trouble:
                self._tell(job, f"The receipt printer {trouble}{'; ' + AGAIN if job is not None else '.'}", low=False)
            else:
                self._tell(job, None, low=low)
            self._rest(job)

    def _tell(self, job: bytes | None, fault: str | None, *, low: bool) -> None:
        with self._changed:
            done = job is not None and fault is None
            if done and self._job is job:
                self._job = None
            state = PrinterState(self._job is not None, fault, self._state.printed + done, low)
            changed, self._state = state != self._state, state
        if changed:
            self._wake()

    def _rest(self, job: bytes | None) -> None:
        """Until there is another sheet, or it is time to ask again; a printer that comes or goes is asked at once."""
        with self._changed:
            if self._job is not None and self._job is not job:
                return
            there = self.link.health().opened, self.link.health().connected
            longest = self._retry_s if self._state.fault is not None or job is not None else self._idle_s

            def over() -> bool:
                now = self.link.health().opened, self.link.health().connected
                return self._closing or self._job is not job or now != there

            if not (job is not None and self._job is None):
                self._changed.wait_for(over, longest)

    def _ready(self) -> bool:
        """Whether it prints; and whether its roll is nearly at its end."""
        with self._changed:
            self._changed.wait_for(self._looked_for, ANSWER_S)
        health = self.link.health()
        if not health.connected:
            raise _Trouble((health.fault or "is looked for").removeprefix("The receipt printer ").removesuffix("."))
        if not self._says:
            return False
        answers = [self._ask(n) for n in (1, 2, 3, 4)]
        why = escpos.trouble(*answers)
        if why is not None:
            raise _Trouble(why)
        return escpos.runs_low(answers[3])

    def _looked_for(self) -> bool:
        health = self.link.health()
        return health.connected or health.fault is not None or self._closing

    def _ask(self, n: int) -> int:
        self._answers.clear()
        self._send(escpos.ask(n), self.link.health().opened)
        return self._answer(escpos.is_status, ANSWER_S)

    def _answer(self, fits: Callable[[int], bool], longest_s: float) -> int:
        def found() -> bool:
            return any(fits(byte) for byte in self._answers) or self._closing or not self.link.health().connected

        with self._changed:
            self._changed.wait_for(found, longest_s)
            byte = next((byte for byte in self._answers if fits(byte)), None)
        if byte is None and not self.link.health().connected:
            raise _Trouble("was unplugged: plug it in")
        if byte is None:
            raise _Trouble("does not answer: switch it on, and look at its cable and its speed")
        return byte

    def _print(self, job: bytes) -> bool:
        """Print a sheet whole; whether the roll is nearly at its end then."""
        opened = self.link.health().opened
        start, self._torn = escpos.FILL if self._torn else b"", True
        self._send(start + escpos.RESET, opened)
        for band in self._bands(job):
            self._send(band, opened)
            if self._says and escpos.offline(self._ask(1)):
                self._ready()
        self._answers.clear()
        self._send(escpos.CUT + escpos.ASK_DONE * self._says, opened)
        if self._says:
            self._finish()
        self._torn = False
        try:
            return self._says and escpos.runs_low(self._ask(4))
        except _Trouble:  # whatever it is, the sheet is out
            return False

    def _bands(self, job: bytes) -> Iterator[bytes]:
        for band in escpos.bands(job):
            if self._closing:
                raise _Trouble("was switched off")
            yield band

    def _send(self, data: bytes, opened: int) -> None:
        """Write, and wait until it has gone out; a cable that was out in between has cut it off."""

        def over() -> bool:
            return not self.link.unsent() or self._closing or self.link.health().opened != opened or not self.link.health().connected

        if not self.link.write(data):
            raise _Trouble("was unplugged: plug it in")
        with self._changed:
            gone = self._changed.wait_for(over, STUCK_S)
        if self.link.health().opened != opened or not self.link.health().connected:
            raise _Trouble("was unplugged: plug it in")
        if not gone:
            self.link.discard()
            raise _Trouble("takes nothing: switch it off and on")

    def _finish(self) -> None:
        """Wait until all is printed; the paper may end under the last band."""
        end = time.monotonic() + DONE_S
        while True:
            try:
                done = self._answer(escpos.is_done, ANSWER_S)
            except _Trouble:
                if escpos.offline(self._ask(1)):
                    self._ready()
                if time.monotonic() > end:
                    return
                continue
            if escpos.paper_ended(done):
                raise _Trouble("is out of paper: put a roll in")
            return
