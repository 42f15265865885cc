"""What a table does when the hall's desk, or a referee's phone, orders something: `obey`, on the loop's own thread.

Every order is answered: done, or refused with a code and a sentence, and a refused one has changed nothing. Orders come in their order;
whoever hands them over keeps the number of the last one that was answered, for an order that is obeyed twice is done twice (a pause that
comes again stops a clock that runs by then). An act of an official that is refused is shown at the table too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, assert_never

from kiosk.app.logs import log
from kiosk.domain import facts as f
from kiosk.domain.errors import CommandRefused, KioskError, Refusal
from kiosk.domain.officials import Official
from kiosk.domain.setup import LONGEST_NAME, bad_value
from kiosk.domain.text import seen
from kiosk.domain.types import NS_PER_MS, Instant
from kiosk.session import commands as c
from kiosk.sync import wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.app.offers import Offers
    from kiosk.session import Session


@dataclass
class DeskHall:
    """What of this table orders are about, beside its session."""

    offers: Offers
    """What the organizer assigned."""
    table: str
    """What this table is called."""
    rename: Callable[[str], None] = lambda _name: None
    """Keeps another name of the table; it raises a KioskError where it cannot."""
    fetch_roster: Callable[[str], None] = lambda _version: None
    """Has the officials fetched, beside the loop."""


def obey(order: wire.Order, session: Session, at: Instant, hall: DeskHall) -> wire.OrderAnswer:
    """Do what is ordered.

    Args:
        order: What; each once, in their order.
        session: The table.
        at: When it came.
        hall: What else orders are about.

    Returns:
        What became of it. A message is shown, and not read yet: `read_answer` tells when it is.
    """
    what = order.what
    try:
        _obey(order.n, what, session, at, hall)
    except CommandRefused as refused:
        _show_refusal(what, refused.message, session, at)
        return wire.OrderAnswer(order.n, done=False, code=refused.code, sentence=refused.message, read=False)
    except KioskError as error:
        _show_refusal(what, str(error), session, at)
        return wire.OrderAnswer(order.n, done=False, code=Refusal.BAD_VALUE, sentence=str(error), read=False)
    except Exception as fault:  # noqa: BLE001 - a fault here must be told to whoever ordered, and stops no clock
        log.error("The order %s failed: %r", order, fault, exc_info=fault)
        sentence = f"The table could not do it ({type(fault).__name__}); its log says more."
        return wire.OrderAnswer(order.n, done=False, code="fault", sentence=sentence, read=False)
    return wire.OrderAnswer(order.n, done=True, code="", sentence="", read=not isinstance(what, wire.ShowMessage))


def read_answer(fact: f.Fact) -> wire.OrderAnswer | None:
    """The second answer to a message, when somebody at the table has read it; None for every other fact."""
    return wire.OrderAnswer(fact.n, done=True, code="", sentence="", read=True) if isinstance(fact, f.MessageRead) else None


def _obey(n: int, what: wire.What | wire.UnknownOrder, session: Session, at: Instant, hall: DeskHall) -> None:  # noqa: C901, PLR0912 - one case an order
    match what:
        case wire.AssignMatch():
            _assign(what, session, at, hall)
        case wire.WithdrawMatch():
            hall.offers.withdraw(what.match)
        case wire.DelayStart():
            _delay(what, session, at, hall)
        case wire.FetchRoster():
            hall.fetch_roster(what.version)
        case wire.RenameTable():
            _rename(what.table, hall)
        case wire.RuleAt() | wire.VoidAt() | wire.ReceiveSheet():
            session.command_as(Official(what.by, what.role), _act(what), at, match=what.match)
        case wire.ShowMessage():
            _show(n, what, session, at)
        case wire.LiftPause():
            if session.table.hall.pause is not None:
                session.command(c.LiftPause(what.by), at)
        case wire.PauseHall():
            session.command(c.PauseHall(what.by, what.why), at)
        case wire.RefereeComing():
            session.command(c.RefereeComing(what.by), at)
        case wire.UnknownOrder():
            raise bad_value("This table does not know the order {kind}; update it.", kind=what.kind)
        case _:
            assert_never(what)


def _show(n: int, what: wire.ShowMessage, session: Session, at: Instant) -> None:
    unread = {message.n: message for message in session.table.hall.messages}
    there = unread.get(n)
    if there is not None and (there.by, there.text) == (what.by, what.text):
        return
    # Every server counts from 1: what another one sent, before this table left it, may still wait to be read under this number.
    session.command(c.ShowMessage(n if there is None else max(unread) + 1, what.by, what.text), at)


def _assign(order: wire.AssignMatch, session: Session, at: Instant, hall: DeskHall) -> None:
    if session.table.match == order.match:  # it was opened here, maybe before its order was answered
        hall.offers.opened(order.match)
    hall.offers.assign(order, at, hall.table)


def _delay(order: wire.DelayStart, session: Session, at: Instant, hall: DeskHall) -> None:
    if hall.offers.delay(order.match, order.starts_in_ms, at):
        return
    start = None if order.starts_in_ms is None else Instant(max(0, at + order.starts_in_ms * NS_PER_MS))
    session.command(c.MoveRoundStart(order.by, start), at, match=order.match)


def _rename(name: str, hall: DeskHall) -> None:
    if not 0 < len(name) <= LONGEST_NAME or not seen(name):
        raise bad_value("A table's name is one line of 1 to {longest} characters that can be seen.", longest=LONGEST_NAME)
    hall.rename(name)
    hall.table = name


_OfOfficials = wire.RuleAt | wire.VoidAt | wire.ReceiveSheet


def _act(what: _OfOfficials) -> c.Command:
    match what:
        case wire.RuleAt():
            return _ruling(what)
        case wire.VoidAt():
            return c.Void(what.ruling, what.reason)
        case wire.ReceiveSheet():
            return c.Receive()
        case _:
            assert_never(what)


def _ruling(what: wire.RuleAt) -> c.Rule:
    sanction = None if what.suggested else what.sanction
    again: Literal["keep"] | None = "keep" if what.again else None
    only = not what.suggested and what.sanction is None
    return c.Rule(what.sides, what.infraction, sanction, what.kind, what.note, what.panel, again, record_only=only)


def _show_refusal(what: wire.What | wire.UnknownOrder, sentence: str, session: Session, at: Instant) -> None:
    """An official's act that was refused is shown where it was meant to be done."""
    if isinstance(what, _OfOfficials):
        session.alert("order_refused", Instant(max(at, session.table.now)), f"{what.by}: {sentence}")
