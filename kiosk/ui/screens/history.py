"""What happened so far: every entry of this match in words, the newest first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain import facts as f
from kiosk.domain.rulebook import FlagPolicy
from kiosk.domain.types import Pair, Side
from kiosk.say import _, n_
from kiosk.ui.actions import Turn
from kiosk.ui.draw import Rect
from kiosk.ui.screens.alerts import alert_words
from kiosk.ui.screens.base import Screen, sheet
from kiosk.ui.screens.checkin import item_words
from kiosk.ui.screens.history_official import official_words
from kiosk.ui.screens.record import result_words
from kiosk.ui.screens.words import reason_words
from kiosk.ui.view import minutes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kiosk.ui.page import Page
    from kiosk.ui.view import Happened, View

QUIET = (f.TurnEnded, f.PressIgnored)
"""Entries by the dozen: told on the page only where everything is wanted."""


@dataclass(frozen=True, slots=True)
class History(Screen):
    """The match as it went."""

    page_number: int = 0
    everything: bool = False
    """Every press too."""

    def draw(self, page: Page, view: View) -> None:
        """As many lines as have room; older ones a touch away."""
        body, beside = sheet(page, view, _("What happened so far"))
        lines = entries(view, everything=self.everything)
        high = page.place.em(1.05 if page.place.portrait else 0.62)
        room = max(1, body.h // high)
        pages = max(1, -(-len(lines) // room))
        number = min(self.page_number, pages - 1)
        shown = lines[::-1][number * room : (number + 1) * room]
        for (entry, names), row in zip(shown, _rows(body, high), strict=False):
            _line(page, row, entry.time, fact_words(entry.fact, names, view))
        if not lines:
            page.text(body, _("Nothing has happened yet."), page.place.em(0.44), page.theme.quiet)
        newer, older, every = beside.columns(3, page.place.gap)
        page.button(
            newer, _("Newer"), Turn(History(number - 1, self.everything)), None if number else _("This is the newest page."), sign="left"
        )
        oldest = None if number < pages - 1 else _("This is the oldest page.")
        page.button(older, _("Older"), Turn(History(number + 1, self.everything)), oldest, sign="right")
        page.choice(every, _("Presses too"), Turn(History(0, not self.everything)), chosen=self.everything, size=0.38)


def _rows(body: Rect, high: int) -> list[Rect]:
    return [Rect(body.x, body.y + i * high, body.w, high) for i in range(max(1, body.h // high))]


def _line(page: Page, row: Rect, time: str, words: str) -> None:
    stamp, rest = row.cut_left(page.place.em(0.95), page.place.gap)
    page.text(stamp, time or "–", page.place.em(0.36), page.theme.quiet, align="left")
    page.text(rest, words, page.place.em(0.4), align="left", lines=2 if page.place.portrait else 1)


def entries(view: View, *, everything: bool) -> list[tuple[Happened, Pair[str]]]:
    """What happened, in order, each with the names of the seats at the time; only what is shown is put into words."""
    happened = view.happened
    names = _first_names(happened, view)
    lines = []
    for entry in happened:
        if isinstance(entry.fact, f.SeatsSwapped):
            names = names.swapped()
        if everything or not isinstance(entry.fact, QUIET):
            lines.append((entry, names))
    return lines


def _first_names(happened: Sequence[Happened], view: View) -> Pair[str]:
    for entry in happened:
        if isinstance(entry.fact, f.MatchOpened):
            players = entry.fact.setup.players
            return Pair(" & ".join(players.left), " & ".join(players.right))
    return Pair(view.name(Side.LEFT), view.name(Side.RIGHT))


def fact_words(fact: f.Fact, names: Pair[str], view: View) -> str:  # noqa: C901, PLR0912 - one case a fact
    """One fact in words."""
    match fact:
        case f.MatchOpened():
            length = _("free session") if fact.setup.length is None else _("{n}-point match", n=fact.setup.length)
            return _("Opened: {length}, {left} – {right}", length=length, left=names.left, right=names.right)
        case f.SeatsSwapped():
            return _("The seats were swapped: {left} – {right}", left=names.left, right=names.right)
        case f.ItemChecked():
            words = item_words(view, fact.item)[0]
            return words if fact.done else _("Not yet: {item}", item=words)
        case f.GameStarted():
            return _("{name} pressed: the game began", name=names[fact.by])
        case f.TurnEnded():
            return _("{name} pressed", name=names[fact.by])
        case f.PressIgnored():
            return _("{name} pressed; it had no effect", name=names[fact.side])
        case f.AlertRaised():
            return _("Alert: {words}", words=alert_words(fact.code, fact.side, fact.detail, names))
        case f.ClockStopped():
            return _("Stopped") if fact.reason is None else _("Stopped: {reason}", reason=reason_words(fact.reason))
        case f.StopReasonGiven():
            return _("Reason of the stop: {reason}", reason=reason_words(fact.reason))
        case f.RefereeCalled():
            return _("The referee was called")
        case f.ClockResumed():
            return _("Resumed")
        case f.DoubleOffered():
            return _("{name} doubled early", name=names[fact.by]) if fact.early else _("{name} doubled", name=names[fact.by])
        case f.DoubleTaken():
            return _("{name} took", name=names[fact.by])
        case f.DoublePassed():
            return _("{name} passed", name=names[fact.by])
        case f.AutomaticDouble():
            return _("Tied opening roll: the cube was doubled")
        case f.AutomaticDoubleUndone():
            return _("The automatic double was taken back")
        case f.GameRecorded():
            return _("{name} entered a win: {result}", name=names[fact.winner], result=result_words(view, fact.kind, fact.cube))
        case f.GameConfirmed():
            by = names[Side(fact.by)] if fact.by in set(Side) else _("The referee")
            return _("{name} confirmed the game", name=by)
        case f.GameDisputed():
            return _("{name} disputed the game", name=names[fact.by])
        case f.RecordUndone():
            return _("The entry was taken back")
        case f.GameCorrected():
            return _(
                "Game {n} corrected: {name}, {result}",
                n=fact.game,
                name=names[fact.winner],
                result=result_words(view, fact.kind, fact.cube),
            )
        case f.BreakStarted():
            return _("{name} took a break", name=names[fact.by])
        case f.BreakEnded():
            return _("The break ended")
        case f.LateStarted():
            return _("Late start: the time of {names} runs", names=_both(fact.sides, names))
        case f.PlayerArrived():
            return _("{names} arrived", names=_both(fact.sides, names))
        case f.LatePointGiven():
            return _("{name} is late: a penalty point", name=names[fact.side])
        case f.FlagFell():
            return _("{name}'s flag fell", name=names[fact.side])
        case f.TimeRefilled():
            return _refilled(fact, names)
        case f.FlagClaimed():
            return _("The flag was claimed")
        case f.MatchResigned():
            return _("{name} resigned the match", name=names[fact.by])
        case f.SessionEnded():
            return _("The session was ended")
        case f.PressPutBack():
            return _("The clock was put back")
        case f.StartSwapped():
            return _("The start was turned over")
        case f.SheetSigned():
            return _("{name} signed under protest", name=names[fact.side]) if fact.protest else _("{name} signed", name=names[fact.side])
        case f.PowerRestored():
            return power_words(fact)
        case f.MatchTakenUp():
            return _("{name} took the match up here; it came from table {table}", name=fact.name, table=fact.table or "–")
        case f.WallClockTrusted():
            return _("The date was set")
        case f.SessionEndUndone():
            return _("The session goes on")
        case _:
            return official_words(fact, names, view)


def _both(sides: tuple[Side, ...], names: Pair[str]) -> str:
    return " & ".join(names[side] for side in sides)


def _refilled(fact: f.TimeRefilled, names: Pair[str]) -> str:
    time = minutes(fact.span)
    if fact.policy is FlagPolicy.OVERTIME:
        return _("{name}'s time was up: {time} overtime", name=names[fact.side], time=time)
    if fact.policy is FlagPolicy.GAME_LOSS:
        return _("{name}'s time was up: the game is lost, {time} given", name=names[fact.side], time=time)
    return _("{name}'s time was up: a penalty point, {time} given", name=names[fact.side], time=time)


def power_words(fact: f.PowerRestored) -> str:
    """How long the table was off, and what is in doubt."""
    off = _("The power was off; nobody knows how long.") if fact.off is None else _("The power was off for {time}.", time=minutes(fact.off))
    if not fact.uncertain:
        return off
    doubt = -(-fact.uncertain // 1_000_000_000)
    return off + " " + n_("At most {n} s is in doubt and is not charged.", "At most {n} s are in doubt and are not charged.", doubt)
