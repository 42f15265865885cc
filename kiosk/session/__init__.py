"""One table: commands in, facts out, snapshots for whoever shows them."""

from kiosk.session.advice import appeal_goes_to, same_within_a_minute, suggestion
from kiosk.session.brought import brought, running_match
from kiosk.session.carry import Carried, NotAdjourned, adjourned, carried, goes_on_from, last_entries, last_match
from kiosk.session.commands import Command
from kiosk.session.decide_paper import ended_on_paper, on_paper
from kiosk.session.session import HEARTBEAT, Listener, Session, replay
from kiosk.session.signals import Glow, heard, lamps, next_light, next_second, second_between
from kiosk.session.snapshot import Snapshot

__all__ = [
    "HEARTBEAT",
    "Carried",
    "Command",
    "Glow",
    "Listener",
    "NotAdjourned",
    "Session",
    "Snapshot",
    "adjourned",
    "appeal_goes_to",
    "brought",
    "carried",
    "ended_on_paper",
    "goes_on_from",
    "heard",
    "lamps",
    "last_entries",
    "last_match",
    "next_light",
    "next_second",
    "on_paper",
    "replay",
    "running_match",
    "same_within_a_minute",
    "second_between",
    "suggestion",
]
