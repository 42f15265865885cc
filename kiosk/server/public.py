"""What anybody may see of a table: a face without what only officials may know.

Nobody but the players and the judges may point out a flag, so the public is told of one only where the rulebook says so
(`clocks = "flags"`); with `clocks = "none"` it sees no times at all, only whose turn it is. How much waits to be stored, which device
stands at the table and what is disputed is the organizer's business.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

Face = dict[str, Any]
"""A table as `kiosk.server.faces` tells of it: JSON, times in milliseconds by the house's clock."""

SHOWN = (
    "table",
    "online",
    "seen_ms",
    "practice",
    "match",
    "round",
    "players",
    "length",
    "score",
    "game",
    "crawford",
    "cube",
    "phase",
    "turn",
    "running",
    "reserve_ms",
    "delay_ms",
    "delay_left_ms",
    "at_ms",
    "standing",
)
"""What is shown of every table as it is."""

TIMES = ("reserve_ms", "delay_ms", "delay_left_ms")
"""What is hidden where the rulebook shows no times."""


def public_face(face: Mapping[str, Any]) -> Face:
    """What the public sees of a table.

    Args:
        face: The whole of it.
    """
    clocks = face.get("clocks") or "times"
    shown: Face = {name: face.get(name) for name in SHOWN}
    if clocks not in {"times", "flags"}:
        shown.update(dict.fromkeys(TIMES))
    shown["flag"] = face.get("flag") if clocks == "flags" else None
    shown["call"] = _call(face.get("call"))
    shown["paused"] = _paused(face.get("paused"))
    shown["state"] = state_of(face)
    return shown


def _call(call: Mapping[str, Any] | None) -> Face | None:
    """That a referee was called and since when, and that one is coming; not who."""
    return None if not call else {"since_ms": call["since_ms"], "coming": bool(call.get("coming"))}


def _paused(paused: Mapping[str, Any] | None) -> Face | None:
    return None if not paused else {"why": paused.get("why", ""), "since_ms": paused.get("since_ms")}


def state_of(face: Mapping[str, Any]) -> str:
    """Where a table stands, in one word for programs: a key of `kiosk.server.pages_public.states`."""
    if not face.get("online"):
        return "offline"
    if not face.get("match"):
        return "free"
    if face.get("paused"):
        return "paused"
    return str(face.get("phase") or "free")


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> Face:
    """What has changed in a face; its table is always named."""
    return {name: value for name, value in new.items() if name == "table" or name not in old or old[name] != value}
