"""Which alerts still say something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.domain.state import OVER, Phase

if TYPE_CHECKING:
    from kiosk.domain.state import Alert
    from kiosk.session import Snapshot

_BUTTONS = {"source_dead", "source_restarted", "edges_lost", "level_mismatch", "strange_stamps", "stamps_by_arrival", "button_stuck"}
_OF_THE_BOX = frozenset({*_BUTTONS, "lamps_failed", "sounder_failed"})


def matters(alert: Alert, shot: Snapshot) -> bool:
    """Whether an alert still says something: it is over with the stop, the break, the offer or the match that it is about."""
    if shot.phase in OVER:  # nothing hides how the match has ended, but what is wrong with the box, and that the power was off since
        since = alert.code == "power_restored" and shot.alerts[-1] == alert
        return alert.code in _OF_THE_BOX or since
    match alert.code:
        case "stop_without_reason":
            return shot.phase is Phase.STOPPED and shot.stop_reason is None
        case "stop_over_30s":
            return shot.phase in {Phase.STOPPED, Phase.OPENING} and shot.table.stop is not None
        case "break_overrun":
            return shot.phase is Phase.BREAK
        case "early_double":
            return shot.cube.early
        case "power_restored":
            return shot.phase is not Phase.PLAYING
        case _:
            return True
