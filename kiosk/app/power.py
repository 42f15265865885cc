"""Switching a table on: open the journal, take up what it holds, start the buttons. Used by the real kiosk and the simulated one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.domain.types import Instant, Span
from kiosk.session import Session

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kiosk.ports import Beat, Journal, Row
    from kiosk.session import Listener


def switch_on(
    journal: Journal, now: int, wall: tuple[int, bool], boot: str, listeners: Sequence[Listener] = (), *, rows: Sequence[Row] | None = None
) -> Session:
    """A session that has taken up the journal's last table.

    Args:
        journal: An opened journal.
        now: Nanoseconds of this boot's monotonic clock.
        wall: The system's date in nanoseconds since 1970, and whether it is trusted.
        boot: This boot's id.
        listeners: Who is told of facts.
        rows: The journal's rows, where they have been read already.
    """
    rows = list(journal.rows()) if rows is None else rows
    session = Session(journal, listeners)
    if not rows:
        return session
    last, beat = rows[-1], journal.last_beat()
    known = beat if beat is not None and beat.boot == last.boot else None
    session.restore(
        rows,
        Instant(now),
        last_beat=None if known is None else Instant(known.mono_ns),
        off=time_off(last, known, now, wall, boot),
    )
    return session


def time_off(last: Row, beat: Beat | None, now: int, wall: tuple[int, bool], boot: str) -> Span | None:
    """How long the table was off, or None where no clock can tell.

    Within one boot the monotonic clock tells; over a reboot only the date can, and only where it was set both times.
    """
    mono = max(last.mono_ns, 0 if beat is None else beat.mono_ns)
    if last.boot == boot:
        return Span(max(0, now - mono))
    newest: Row | Beat = last if beat is None or beat.seq < last.seq else beat
    if wall[1] and newest.wall_trusted:
        return Span(max(0, wall[0] - newest.wall_ns))
    return None
