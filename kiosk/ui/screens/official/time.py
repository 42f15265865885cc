"""Time and clock: give or take, set both reserves, change the delay, flags, presses put back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk.domain.types import NS_PER_S, SIDES, Pair, Side, Span, clock_text
from kiosk.say import _
from kiosk.session import commands as c
from kiosk.ui.actions import Open, Turn
from kiosk.ui.draw import Rect
from kiosk.ui.screens.official.frame import AskAct, OfficialScreen, official_sheet, tiles
from kiosk.words import capital, method_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.domain.rulebook import Method
    from kiosk.ui.actions import Action
    from kiosk.ui.page import Page
    from kiosk.ui.view import View

STEPS = ((300, "5:00"), (60, "1:00"), (10, "0:10"), (1, "0:01"))
"""Steps of a time, in seconds, and how they are written."""


def stepper(page: Page, rect: Rect, label: str, value: int, turn: Callable[[int], Turn], why: Callable[[int], str | None]) -> None:
    """A time with its steps: down on its left, up on its right; on a panel that stands upright, below each other.

    Args:
        page: Where.
        rect: The room for all of it.
        label: The time as it stands.
        value: The same in nanoseconds.
        turn: The form with another time.
        why: Why a time cannot be.
    """
    gap, count = page.place.gap, len(STEPS)
    if page.place.portrait:
        middle, lower, upper = rect.rows(3, gap)
        cells = [*lower.columns(count, gap), *upper.columns(count, gap)]
    else:
        across = rect.columns(count * 2 + 2, gap)
        middle = Rect(across[count].x, rect.y, across[count + 1].right - across[count].x, rect.h)
        cells = [*across[:count], *across[count + 2 :]]
    page.text(middle, label, page.place.em(0.6), face="bold")
    signed = [("−", -1, step) for step in STEPS] + [("+", 1, step) for step in STEPS[::-1]]
    for (sign, way, (step, words)), cell in zip(signed, cells, strict=True):
        there = value + way * step * NS_PER_S
        page.button(cell, f"{sign}{words}", turn(there), why(there), size=0.4)


def limited(value: int) -> str | None:
    """Why a time cannot be."""
    if value < 0:
        return _("There is no time below zero.")
    return _("Longer than 10 hours is not offered.") if value > 36_000 * NS_PER_S else None


@dataclass(frozen=True, slots=True)
class TimeTools(OfficialScreen):
    """What is wrong with the clock?"""

    def draw(self, page: Page, view: View) -> None:
        """One tile for each tool; each shows before and after, and asks."""
        body, _beside = official_sheet(page, view, _("Time and clock"))
        tiles(page, body, _entries(view))


def _entries(view: View) -> list[tuple[str, Action, str | None]]:
    clock = view.clock
    reserve = Pair(clock.reserve.left, clock.reserve.right)
    left, right = view.name(Side.LEFT), view.name(Side.RIGHT)
    entries: list[tuple[str, Action, str | None]] = [
        (_("{name}:\ngive or take", name=left), Open(Give(Side.LEFT)), view.why_not(c.Adjust(Side.LEFT, Span(NS_PER_S), "x"))),
        (_("{name}:\ngive or take", name=right), Open(Give(Side.RIGHT)), view.why_not(c.Adjust(Side.RIGHT, Span(NS_PER_S), "x"))),
        (_("Set both reserves"), Open(SetBoth(reserve)), view.why_not(c.SetReserves(reserve, "x"))),
        (
            _("Change the delay"),
            Open(Delay(clock.control.delay, clock.control.method)),
            None if view.clocked else _("This session is played without a clock."),
        ),
        _whole_delay(view),
        *[_no_delay(view, side) for side in SIDES],
        *[_flag(view, side) for side in SIDES if clock.flagged(side)],
        _put_back(view),
        _swap_start(view),
    ]
    return entries


def _whole_delay(view: View) -> tuple[str, Action, str | None]:
    command = c.RestartDelay()
    left, whole = view.shot.delay_left // NS_PER_S, view.clock.control.delay // NS_PER_S
    ask = AskAct(_("Give the whole delay again?"), _("{n} s left", n=left), _("{n} s", n=whole), command)
    return _("Whole delay again"), Open(ask), view.why_not(command)


def _no_delay(view: View, side: Side) -> tuple[str, Action, str | None]:
    command = c.CancelNextDelay(side)
    name = view.name(side)
    ask = AskAct(_("{name}: next turn without delay?", name=name), _("With delay"), _("Without delay, once"), command)
    return _("{name}:\nno delay next", name=name), Open(ask), view.why_not(command)


def _flag(view: View, side: Side) -> tuple[str, Action, str | None]:
    command = c.ClearFlag(side, "")
    name = view.name(side)
    ask = AskAct(_("Take {name}'s flag back?", name=name), _("Flag down"), _("No flag; the overrun is forgotten"), command, reason="")
    return _("Take {name}'s flag back", name=name), Open(ask), view.why_not(replace(command, reason="x"))


def _put_back(view: View) -> tuple[str, Action, str | None]:
    command = c.PressBack("referee")
    turn = view.clock.turn
    before = "" if turn is None else _("{name} to move", name=view.name(turn))
    after = "" if turn is None else _("{name} to move, as before the press", name=view.name(turn.other))
    return _("Put the press back"), Open(AskAct(_("Put the last press back?"), before, after, command)), view.why_not(command)


def _swap_start(view: View) -> tuple[str, Action, str | None]:
    command = c.SwapStart("referee")
    turn = view.clock.turn
    before = "" if turn is None else _("{name} to move", name=view.name(turn))
    after = "" if turn is None else _("{name} to move, with a fresh delay", name=view.name(turn.other))
    return _("Turn the start over"), Open(AskAct(_("Turn the start over?"), before, after, command)), view.why_not(command)


@dataclass(frozen=True, slots=True)
class Give(OfficialScreen):
    """How much?"""

    side: Side
    span: int = 0
    """Nanoseconds; negative takes."""

    def draw(self, page: Page, view: View) -> None:
        """Steps up and down; then before and after."""
        name = view.name(self.side)
        body, beside = official_sheet(page, view, _("{name}: give or take time", name=name))
        left = view.clock.reserve[self.side]
        seconds = abs(self.span) // NS_PER_S
        sign = "−" if self.span < 0 else "+"
        words = f"{sign}{seconds // 60}:{seconds % 60:02d}"
        row, rest = body.cut_top(body.h * (2 if page.place.portrait else 1) // 3, page.place.gap)
        stepper(page, row, words, self.span, lambda span: Turn(Give(self.side, span)), lambda span: limited(left + span))
        after = clock_text(Span(max(0, left + self.span)))
        page.text(rest, _("{before} becomes {after}", before=clock_text(left), after=after), page.place.em(0.6), face="bold", lines=2)
        command = c.Adjust(self.side, Span(self.span), "")
        ask = AskAct(_("{name}: {time}?", name=name, time=words), clock_text(left), after, command, reason="")
        page.button(beside, _("Next: the reason"), Open(ask), _("First touch how much.") if not self.span else None, kind="go")


def reserve_row(page: Page, rect: Rect, reserve: Pair[Span], side: Side, turn: Callable[[Pair[Span]], Turn]) -> None:
    """One side's reserve with its steps."""
    stepper(page, rect, clock_text(reserve[side]), reserve[side], lambda span: turn(reserve.put(side, Span(span))), limited)


@dataclass(frozen=True, slots=True)
class SetBoth(OfficialScreen):
    """Both reserves."""

    reserve: Pair[Span]

    def draw(self, page: Page, view: View) -> None:
        """One row of steps for each side."""
        body, beside = official_sheet(page, view, _("Set both reserves"))
        for side, row in zip(SIDES, body.rows(2, page.place.gap), strict=True):
            name, rest = row.cut_top(page.place.em(0.6), 2)
            page.text(
                name,
                _("{name}, now {time}", name=view.name(side), time=clock_text(view.clock.reserve[side])),
                page.place.em(0.4),
                page.theme.quiet,
            )
            reserve_row(page, rest, self.reserve, side, lambda reserve: Turn(SetBoth(reserve)))
        now = view.clock.reserve
        before = f"{clock_text(now.left)} – {clock_text(now.right)}"
        after = f"{clock_text(self.reserve.left)} – {clock_text(self.reserve.right)}"
        ask = AskAct(_("Set both reserves?"), before, after, c.SetReserves(self.reserve, ""), reason="")
        page.button(beside, _("Next: the reason"), Open(ask), None, kind="go")


@dataclass(frozen=True, slots=True)
class Delay(OfficialScreen):
    """Which delay, which method?"""

    delay: Span
    method: Method

    def draw(self, page: Page, view: View) -> None:
        """Steps for the seconds, tiles for the method."""
        body, beside = official_sheet(page, view, _("Delay per turn"))
        gap, portrait = page.place.gap, page.place.portrait
        upper, lower = body.rows(2, gap)
        if portrait:
            middle, steps = upper.rows(2, gap)
            cells = steps.columns(4, gap)
        else:
            across = upper.columns(6, gap)
            middle = Rect(across[2].x, upper.y, across[3].right - across[2].x, upper.h)
            cells = [*across[:2], *across[4:]]
        page.text(middle, _("{n} s", n=self.delay // NS_PER_S), page.place.em(0.7), face="bold")
        for cell, step in zip(cells, (-5, -1, 1, 5), strict=True):
            value = Span(self.delay + step * NS_PER_S)
            sign = "+" if step > 0 else "−"
            page.button(cell, _("{n} s", n=f"{sign}{abs(step)}"), Turn(replace(self, delay=value)), limited(value))
        control = view.clock.control
        methods = list(type(self.method))
        for one, cell in zip(methods, lower.rows(len(methods), gap) if portrait else lower.columns(len(methods), gap), strict=True):
            page.choice(cell, capital(method_words(one)), Turn(replace(self, method=one)), chosen=self.method is one)
        before = f"{capital(method_words(control.method))}, {_('{n} s', n=control.delay // NS_PER_S)}"
        after = f"{capital(method_words(self.method))}, {_('{n} s', n=self.delay // NS_PER_S)}"
        command = c.SetControl(self.delay, self.method, "x")
        ask = AskAct(_("Change the delay?"), before, after, replace(command, reason=""), reason="")
        page.button(beside, _("Next: the reason"), Open(ask), view.why_not(command), kind="go")
