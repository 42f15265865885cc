"""A public face as a page shows it at the moment of loading; `static/face.js` and `static/clock.js` go on from there, by the same rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kiosk.say import _, mark
from kiosk.server.rendering import names, span, wait

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

STATES = {
    "offline": mark("offline"),
    "free": mark("no match"),
    "paused": mark("clocks paused"),
    "opening": mark("opening"),
    "late": mark("waiting for a player"),
    "stopped": mark("clocks stopped"),
    "recording": mark("recording"),
    "break": mark("break"),
    "suspended": mark("adjourned"),
    "ended": mark("ended"),
    "signed": mark("signed"),
    "received": mark("received"),
    "unreadable": mark("cannot be read here"),
}
"""Where a table stands, in words; a table at which the clocks run needs none."""


@dataclass(frozen=True, slots=True)
class SideShown:
    """One player's half."""

    side: str
    """`left` or `right`."""
    name: str
    score: str
    clock: str
    """Empty where no times are shown."""
    delay: str
    """Whole seconds of it left, empty where none runs."""
    delay_part: float
    """How much of the whole delay that is, from 0 to 1."""
    cube: str
    """The value of the cube where this side owns it, else empty."""
    sign: str
    """A mark beside the name: who runs, who won."""
    says: str
    """The same in words, for those who do not see it."""
    classes: str


@dataclass(frozen=True, slots=True)
class Shown:
    """One table."""

    table: str
    match: str
    about: str
    state: str
    state_text: str
    sides: tuple[SideShown, SideShown]
    middle: str
    """The value of a centred cube, else empty."""
    called: str
    """That a referee was called, or is coming; empty: neither."""
    waiting: str
    """Since when."""


def words() -> dict[str, object]:
    """The words that a page's script fills in, in the language spoken now."""
    return {
        "states": {name: _(text) for name, text in STATES.items()},
        "round": _("Round {round}", round="{round}"),
        "length": _("to {n}", n="{n}"),
        "game": _("game {n}", n="{n}"),
        "crawford": _("Crawford"),
        "practice": _("practice"),
        "runs": _("to move"),
        "won": _("has won"),
        "called": _("Referee called"),
        "coming": _("Referee on the way"),
        "paused": _("All clocks are paused."),
        "paused_why": _("All clocks are paused: {why}", why="{why}"),
    }


def shown(face: Mapping[str, Any], now_ms: float) -> Shown:
    """A face as it stands at an instant.

    Args:
        face: A public one.
        now_ms: The house's clock, milliseconds since 1970.
    """
    call = face["call"]
    cube = face["cube"] or {}
    return Shown(
        table=face["table"],
        match=face["match"] or "",
        about=about(face),
        state=face["state"],
        state_text=_(STATES.get(face["state"], "")),
        sides=(_side(face, "left", now_ms), _side(face, "right", now_ms)),
        middle=str(cube["value"]) if cube.get("in_play") and not cube["owner"] else "",
        called="" if not call else _("Referee on the way") if call["coming"] else _("Referee called"),
        waiting=wait(now_ms - call["since_ms"]) if call else "",
    )


def about(face: Mapping[str, Any]) -> str:
    """One line on a table's match: round, length, game; empty where there is no match."""
    if not face["match"]:
        return ""
    parts = [
        _("Round {round}", round=face["round"]) if face["round"] else "",
        _("to {n}", n=face["length"]) if face["length"] else "",
        _("game {n}", n=face["game"]) if face["game"] else "",
        _("Crawford") if face["crawford"] else "",
        _("practice") if face["practice"] else "",
    ]
    return " · ".join(filter(None, parts))


def times(face: Mapping[str, Any], side: str, now_ms: float) -> tuple[float | None, float | None]:
    """Reserve and delay of a side at an instant, in milliseconds; None where they are not shown, or no delay runs.

    A running side loses its delay first. An offline table's clocks stand where it was heard last: nobody knows what has happened since.
    """
    if not face["reserve_ms"]:
        return None, None
    reserve = face["reserve_ms"][side]
    if side not in (face["running"] or ()):
        return reserve, None
    seen = face["seen_ms"] if face["seen_ms"] is not None else face["at_ms"]
    gone = max(0, (now_ms if face["online"] else min(now_ms, seen)) - face["at_ms"])
    delay = face["delay_left_ms"] or 0
    return max(0, reserve - max(0, gone - delay)), max(0, delay - gone)


def _side(face: Mapping[str, Any], side: str, now_ms: float) -> SideShown:
    reserve, delay = times(face, side, now_ms)
    runs = side in (face["running"] or ()) and face["state"] != "offline"
    won = bool(face["standing"]) and face["standing"][side] in {"1", "+"}
    flag = bool(face["flag"]) and face["flag"][side]
    classes = {"runs": runs, "turn": not runs and bool(face["match"]) and face["turn"] == side, "won": won, "flag": flag}
    cube = face["cube"] or {}
    return SideShown(
        side=side,
        name=names(face["players"][side]) if face["players"] else "",
        score=str(face["score"][side]) if face["score"] else "",
        clock="" if reserve is None else span(reserve),
        delay=str(-int(-delay // 1000)) if delay else "",
        delay_part=min(1, delay / (face["delay_ms"] or delay)) if delay else 0,
        cube=str(cube["value"]) if cube.get("in_play") and cube["owner"] == side else "",
        sign="▶" if runs else "✓" if won else "",
        says=_("to move") if runs else _("has won") if won else "",
        classes=" ".join(name for name, here in classes.items() if here),
    )


def fits(face: Mapping[str, Any], *, q: str, round: str, show: str) -> bool:  # noqa: A002 - as in the address
    """Whether a table is among those that were asked for.

    Args:
        face: A public one.
        q: A table's name, or a part of a player's.
        round: Only this round.
        show: `calls`, `offline` or `playing`: only those; anything else: all.
    """
    wanted = q.strip().lower()
    players = " ".join(each for side in (face["players"] or {}).values() for each in side).lower()
    return (
        (not round or face["round"] == round)
        and (show != "calls" or bool(face["call"]))
        and (show not in {"offline", "playing"} or face["state"] == show)
        and (not wanted or face["table"].lower() == wanted or wanted in players)
    )


def counts(faces: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many tables there are, how many play, wait for a referee, are offline."""
    every = list(faces)
    return {
        "all": len(every),
        "playing": sum(face["state"] == "playing" for face in every),
        "calls": sum(bool(face["call"]) for face in every),
        "offline": sum(face["state"] == "offline" for face in every),
    }
