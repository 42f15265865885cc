"""One table: commands in, facts out, snapshots for whoever shows them."""

from kiosk.session.advice import same_within_a_minute, suggestion
from kiosk.session.commands import Command
from kiosk.session.session import HEARTBEAT, Listener, Session, replay
from kiosk.session.snapshot import Snapshot

__all__ = ["HEARTBEAT", "Command", "Listener", "Session", "Snapshot", "replay", "same_within_a_minute", "suggestion"]
