"""The desk's part for what is said in a header's place: a word of what was done, a refusal, an alert that waits to be seen, a fault.

A word stays for a while. An alert, a notice or a message waits until somebody touches it, the newest first; one that came up under the
finger was read by nobody, and stays.
"""

from __future__ import annotations

from abc import ABC
from dataclasses import replace
from typing import TYPE_CHECKING

from kiosk.domain.facts import IgnoredWhy, OfficialSignedOut, PowerRestored, PressIgnored
from kiosk.domain.types import Instant, Pair, Side, seconds
from kiosk.say import _
from kiosk.ui.light import Rest
from kiosk.ui.matters import matters
from kiosk.ui.screens.desk_words import WholeMessage, message_told
from kiosk.ui.view import Health, Told
from kiosk.words import alert_words, power_words, refilled_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.domain.facts import Fact
    from kiosk.domain.state import Alert, Table
    from kiosk.session import Session
    from kiosk.ui.chronicle import Chronicle
    from kiosk.ui.screens.base import Screen
    from kiosk.ui.view import View

SETTLE = seconds(0.4)
"""How long a screen must have stood before what was touched on it counts."""

SAID = seconds(4)
"""How long a word stays."""


class SayingDesk(ABC):
    """What a panel's controller says."""

    _open: list[Screen]
    _stale: bool

    def __init__(self, session: Session, chronicle: Chronicle) -> None:
        """Say nothing yet."""
        self.session = session
        self.health = Health()
        """Kept up by the loop."""
        self.on_fault: Callable[[str, Exception], None] = lambda _where, _fault: None
        """Told when a part of the screen failed."""
        self.rest = Rest()
        """Since when nobody has touched anything; after how long it dims."""
        self._chronicle = chronicle
        self._said: tuple[Told, int] | None = None
        self._seen: set[Alert] = self._from_before()
        self._notices: list[str] = []
        self._telling: Told | None = None
        self._telling_since = 0
        self._faults: set[str] = set()
        self._failed_at = 0

    def _from_before(self) -> set[Alert]:
        """The alerts that were raised before this table was switched on: they were told then; that the power was off is new."""
        alerts = self.session.table.alerts
        new = alerts[-1:] if alerts and alerts[-1].code == "power_restored" else ()
        return set(alerts) - set(new)

    def failed(self, where: str, fault: Exception, at: int) -> bool:
        """A part of the screen failed: it is told once, and stands in the header until all has worked for a while.

        Args:
            where: The screen, or what could not be painted.
            fault: What happened.
            at: Nanoseconds of the monotonic clock.

        Returns:
            Whether this is new.
        """
        self._failed_at = at
        words = _("Fault in the screen ({where}): {fault}", where=where, fault=f"{type(fault).__name__}: {fault}")
        if words in self._faults:
            return False
        self._faults.add(words)
        self.health = replace(self.health, screen=words)
        self.say(words, at, "refused")
        self.on_fault(where, fault)
        return True

    def warn(self, *texts: str) -> None:
        """Say something until it was seen: what was found wrong when the table was switched on."""
        self._notices.extend(texts)

    def say(self, text: str, at: int, tone: str = "plain") -> None:
        """Say something in the header's place for a while."""
        self._said = (Told(text, tone), at + SAID)

    def _told_or_fault(self, view: View, at: int) -> Told | None:
        try:
            told = self._told(view, at)
        except Exception as fault:  # noqa: BLE001 - an alert that cannot be put into words costs no screen
            self.failed("told", fault, at)
            told = Told(self.health.screen, "refused")
        if told != self._telling:
            self._telling, self._telling_since = told, at
        return told

    def _told(self, view: View, at: int) -> Told | None:
        if self._said is not None:
            if at < self._said[1]:
                return self._said[0]
            self._said = None
        if self._notices:
            return Told(self._notices[-1], "alert", len(self._notices) - 1)
        waiting, messages = self._unseen(view), view.shot.table.hall.messages
        if waiting:
            return Told(self._alert_words(waiting[-1], view), "alert", len(waiting) - 1 + len(messages))
        whole = bool(self._open) and isinstance(self._open[-1], WholeMessage)  # it is being read
        return message_told(messages[0], len(messages) - 1) if messages and not whole else None

    def _unseen(self, view: View) -> list[Alert]:
        waiting = [alert for alert in view.shot.alerts if alert not in self._seen]
        self._seen.update(alert for alert in waiting if not matters(alert, view.shot))
        return [alert for alert in waiting if alert not in self._seen]

    def _alert_words(self, alert: Alert, view: View) -> str:
        if alert.code == "power_restored":
            last = next((entry.fact for entry in reversed(view.happened) if isinstance(entry.fact, PowerRestored)), None)
            if last is not None:
                return power_words(last)
        if alert.code == "time_refilled" and alert.side is not None:
            return refilled_words(view.setup.on_flag.policy, view.name(alert.side))
        return alert_words(alert.code, alert.side, alert.detail, Pair(view.name(Side.LEFT), view.name(Side.RIGHT)))

    def _tell(self, at: int) -> None:
        """What happened without a touch, and would be seen as something that did not work."""
        entries = self._chronicle.entries
        last = entries[-1].fact if entries else None
        if isinstance(last, OfficialSignedOut) and last.idle:
            self.say(_("Signed out after a minute without a touch."), at)
        self._tell_of_press(last, at)

    def _tell_of_press(self, last: Fact | None, at: int) -> None:
        """A press that changed nothing is seen all the same: nobody is to wonder whether the button works."""
        words = _press_words(last, self.session.table) if isinstance(last, PressIgnored) else ""
        if words:
            self.say(words, at)

    def _hear(self, at: int) -> None:
        if self._said is not None and at < self._said[1]:
            self._said = None
            return
        if at - self._telling_since < SETTLE:
            return  # it came up under the finger: nobody has read it
        if self._notices:
            self._notices.pop()
            return
        shot = self.session.snapshot(Instant(at))
        self._seen.intersection_update(shot.alerts)
        waiting = [alert for alert in shot.alerts if alert not in self._seen and matters(alert, shot)]
        self._seen.update(waiting[-1:])


def _press_words(press: PressIgnored, table: Table) -> str:
    """Why a press changed nothing; empty where nothing is going on here."""
    if table.setup is not None:
        name, over = " & ".join(table.setup.players[press.side]), _("The match is over; the press changed nothing.")
    elif (chouette := table.chouette) is None:
        return ""
    elif table.clock is None:
        return _("A chouette is played without a clock; the press changed nothing.")
    elif chouette.offered is not None:
        return _("The clock waits until the double is answered; the press changed nothing.")
    else:
        name = chouette.box if press.side is Side.LEFT else _("the team of {name}", name=chouette.captain)
        over = _("The chouette is over; the press changed nothing.")
    if press.why is IgnoredWhy.OVER:
        return over
    if press.why is IgnoredWhy.BOUNCE:
        return _("{name}: too soon after the other press; it changed nothing.", name=name)
    return _("{name}: this clock does not run now; the press changed nothing.", name=name)
