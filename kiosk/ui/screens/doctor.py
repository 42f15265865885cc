"""The doctor: what of this box works, a line each, and the trials that need a hand: touch, buttons, lamps and sounds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kiosk.domain.types import SIDES, Side
from kiosk.ports import Finding
from kiosk.say import _, n_
from kiosk.ui.actions import Confirm, Draw, Examine, Open, TryPart, Turn
from kiosk.ui.doctor import GRADES, WORST_NS, Tried, barred
from kiosk.ui.draw import Rect
from kiosk.ui.screens.base import Screen, sheet, small_clock, title_line
from kiosk.ui.touching import fit, judge_touch

if TYPE_CHECKING:
    from kiosk.ui.draw import Colour
    from kiosk.ui.page import Page, Place
    from kiosk.ui.view import View

WORSE_FIRST = {"wrong": 0, "doubt": 1, "good": 2, "off": 3, "waits": 4}


@dataclass(frozen=True, slots=True)
class Checkup(Screen):
    """How is this box?"""

    page_number: int = 0

    def stays(self, view: View) -> bool:
        """While no clock runs, and whoever may look is still here."""
        return view.doctor is not None and barred(view) is None

    def draw(self, page: Page, view: View) -> None:
        """A line each; where all is looked at, what is wrong stands first."""
        found = () if view.doctor is None else view.doctor.findings()
        body, beside = sheet(page, view, _title(found))
        tools, body = body.cut_bottom(page.place.touch, page.place.gap)
        high = page.place.em(1.15 if page.place.portrait else 0.78)
        pages = _pages(_sorted(found), max(2, body.h // high))
        number = min(self.page_number, len(pages) - 1)
        top = body.y
        for finding in pages[number]:
            row = Rect(body.x, top, body.w, high * _weight(finding))
            _line(page, row, finding)
            top = row.bottom
        if not found:
            page.text(body, _("Nothing was looked at yet."), page.place.em(0.46), page.theme.quiet, lines=2)
        again, before, after = beside.columns(3, page.place.gap)
        busy = view.doctor is not None and view.doctor.busy()
        page.button(
            again, _("Check again") if found else _("Look"), Examine(), _("It is being looked at already.") if busy else None, kind="go"
        )
        first = None if number else _("This is the first page.")
        page.button(before, _("Page before"), Turn(Checkup(number - 1)), first, sign="left", size=0.38)
        last = None if number < len(pages) - 1 else _("This is the last page.")
        page.button(after, _("Next page"), Turn(Checkup(number + 1)), last, sign="right", size=0.38)
        touch, buttons, parts = tools.columns(3, page.place.gap)
        page.button(touch, _("Try the touch"), Open(TouchTrial()))
        page.button(buttons, _("Try the buttons"), Open(ButtonTrial()))
        none = None if view.doctor is not None and view.doctor.trials() else _("This box has neither lamps nor sounds.")
        page.button(parts, _("Lamps, sounds"), Open(PartTrial()), none)


def _title(found: tuple[Finding, ...]) -> str:
    wrong = sum(finding.grade == "wrong" for finding in found)
    if any(finding.grade == "waits" for finding in found):
        return _("The box is being looked at")
    if wrong:
        return n_("{n} thing is wrong with this box", "{n} things are wrong with this box", wrong)
    return _("Nothing is wrong with this box") if found else _("Check the box")


def _sorted(found: tuple[Finding, ...]) -> list[Finding]:
    """In order while it is being looked at, so that nothing jumps; then what is wrong first."""
    if any(finding.grade == "waits" for finding in found):
        return list(found)
    return sorted(found, key=lambda finding: WORSE_FIRST[finding.grade])


def _weight(finding: Finding) -> int:
    """How many rows a line takes: what to do stands below what was found."""
    return 2 if _advised(finding) else 1


def _advised(finding: Finding) -> bool:
    return finding.grade in {"wrong", "doubt"} and bool(finding.advice)


def _pages(found: list[Finding], room: int) -> list[list[Finding]]:
    """As many lines on each as have room there; one at least."""
    pages: list[list[Finding]] = [[]]
    for finding in found:
        if pages[-1] and sum(map(_weight, pages[-1])) + _weight(finding) > room:
            pages.append([])
        pages[-1].append(finding)
    return pages


def _line(page: Page, row: Rect, finding: Finding) -> None:
    t, em = page.theme, page.place.em
    stripe, rest = row.inset(0, page.place.gap // 2).cut_left(max(4, page.place.gap), page.place.gap)
    page.box(stripe, {"good": t.good, "wrong": t.referee, "doubt": t.penalty}.get(finding.grade, t.button))
    grade, rest = Rect(rest.x, row.y, rest.w, row.h).cut_left(em(1.2), page.place.gap)
    ink = t.referee if finding.grade == "wrong" else t.ink
    page.text(grade, _(GRADES[finding.grade]), em(0.36), ink, face="bold", align="left")
    what, figure = rest.cut_left(rest.w * (27 if page.place.portrait else 20) // 100, page.place.gap)
    page.text(what, finding.what, em(0.34), t.quiet, align="left", lines=2)
    lines = 3 if page.place.portrait else 2
    upper, lower = figure.rows(2, 0) if _advised(finding) else (figure, None)
    page.text(upper, finding.figure, em(0.34), t.ink, align="left", lines=lines)
    if lower is not None:
        page.text(lower, finding.advice, em(0.32), t.quiet, align="left", lines=lines, lean="top")


# ── Buttons ──────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class ButtonTrial(Screen):
    """Press both buttons: each press is seen, and how long it bounced. None of them counts."""

    def stays(self, view: View) -> bool:
        """While no clock runs."""
        return view.doctor is not None and barred(view) is None

    def draw(self, page: Page, view: View) -> None:
        """A half each, filled while the button is down."""
        body, beside = sheet(page, view, _("Press each button a few times"))
        page.text(beside, _("These presses count nowhere."), page.place.em(0.36), page.theme.quiet, lines=2)
        if view.doctor is None:
            return
        seen = view.doctor.buttons()
        for side, half in zip(SIDES, body.columns(2, page.place.gap), strict=True):
            _button(page, half, side, seen[side])


def _button(page: Page, half: Rect, side: Side, seen: Tried) -> None:
    t, em = page.theme, page.place.em
    ground, ink, quiet = (t.run, t.run_ink, t.run_ink) if seen.down else (t.panel, t.ink, t.quiet)
    page.box(half, ground, page.place.touch // 6, t.run_frame if seen.down else None, 3 if seen.down else 0)
    inner = half.inset(page.place.gap * 2, page.place.gap)
    name, count, last, most = inner.rows(4, page.place.gap)
    page.text(name, _("Left") if side is Side.LEFT else _("Right"), em(0.5), quiet, face="bold")
    page.digits(count, str(seen.presses), em(1.3), ink)
    bounce = _("bounced {ms} ms, the longest {most} ms", ms=_ms(seen.last_ns), most=_ms(seen.worst_ns))
    page.text(last, bounce if seen.presses else _("no press yet"), em(0.4), ink, lines=2)
    edges = n_("{n} edge", "{n} edges", seen.edges)
    verdict = _("too long: replace the switch") if seen.worst_ns > WORST_NS else _("good") if seen.presses else ""
    page.text(most, f"{edges} · {verdict}" if verdict else edges, em(0.4), ink if seen.worst_ns > WORST_NS else quiet, lines=2)


def _ms(spent_ns: int) -> str:
    return f"{spent_ns / 1_000_000:.1f}"


# ── Touch ────────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class TouchTrial(Screen):
    """Touch one cross after the other; the whole panel takes touches, so that one which comes elsewhere is seen."""

    touched: tuple[tuple[int, int], ...] = ()
    """Where the touches came, in pixels."""

    def stays(self, view: View) -> bool:
        """While no clock runs."""
        return view.doctor is not None and barred(view) is None

    def draw(self, page: Page, view: View) -> None:
        """The next cross, or what came of them."""
        crosses = grid(page.place, page.place.touch if view.in_match else 0)
        if len(self.touched) >= len(crosses):
            self._result(page, view, crosses)
            return
        page.box(page.rect, page.theme.ground)
        if view.in_match:
            small_clock(page.part(page.rect.cut_top(page.place.touch * 9 // 10)[0]), view)
        for i, (x, y) in enumerate(crosses):
            _cross(page, x, y, page.theme.run if i == len(self.touched) else page.theme.button_edge, now=i == len(self.touched))
        page.control(page.rect, Draw(), name="cross", area=True)
        words = _("Touch the cross with one finger: {n} of {all}", n=len(self.touched) + 1, all=len(crosses))
        title_line(page, _between(page.place, crosses), view, words)

    def stroke(self, points: tuple[tuple[int, int], ...]) -> TouchTrial:
        """Where the finger came down; where it went from there does not matter."""
        return replace(self, touched=(*self.touched, points[0]))

    def _result(self, page: Page, view: View, crosses: tuple[tuple[int, int], ...]) -> None:
        body, beside = sheet(page, view, _("How the touch fits"))
        place = page.place
        found = judge_touch(fit(crosses, self.touched[: len(crosses)], (place.w, place.h)), place)
        _verdict(page, body, finding=found)
        again, done = beside.columns(2, page.place.gap)
        page.button(again, _("Once more"), Turn(TouchTrial()))
        page.button(done, _("Done"), Confirm(found), kind="go")


def grid(place: Place, top: int) -> tuple[tuple[int, int], ...]:
    """The crosses: three in four, near the panel's corners and edges as in its middle.

    Args:
        place: The panel.
        top: What of it is taken by the clock.
    """
    across, down = (3, 4) if place.portrait else (4, 3)
    edge = place.touch // 2
    xs = [edge + i * (place.w - 2 * edge) // (across - 1) for i in range(across)]
    ys = [top + edge + i * (place.h - top - 2 * edge) // (down - 1) for i in range(down)]
    return tuple((x, y) for y in ys for x in xs)


def _between(place: Place, crosses: tuple[tuple[int, int], ...]) -> Rect:
    """A line between two rows of crosses, which it does not touch."""
    rows = sorted({y for _x, y in crosses})
    at = (len(rows) - 1) // 2
    middle, high = (rows[at] + rows[at + 1]) // 2, min(place.touch * 7 // 10, rows[at + 1] - rows[at] - place.touch)
    return Rect(place.gap, middle - high // 2, place.w - 2 * place.gap, high)


def _cross(page: Page, x: int, y: int, colour: Colour, *, now: bool) -> None:
    r, thick = page.place.touch // (3 if now else 6), max(2, page.place.touch // 24)
    page.path([(x - r, y), (x + r, y)], colour, thick)
    page.path([(x, y - r), (x, y + r)], colour, thick)
    if now:
        page.disc(x, y, r, colour, thick)


def _verdict(page: Page, body: Rect, finding: Finding) -> None:
    t = page.theme
    word, figure, advice = body.rows(3, page.place.gap)
    page.text(word, _(GRADES[finding.grade]), page.place.em(0.9), t.referee if finding.grade == "wrong" else t.ink, face="bold")
    page.text(figure, finding.figure, page.place.em(0.5), lines=3)
    page.text(advice, finding.advice, page.place.em(0.42), t.quiet, lines=4)


# ── Lamps and sounds ─────────────────────────────────────────────────────────
LAMPS = {"lamp_left": Side.LEFT, "lamp_right": Side.RIGHT}
"""Which trials are of a lamp: a simulated one is drawn, for nobody could see it else."""


def _lamp(page: Page, cell: Rect, *, lit: bool, ink: Colour) -> None:
    r = page.place.touch // 7
    x, y = cell.x + 2 * r, cell.y + 2 * r
    if lit:
        page.disc(x, y, r, page.theme.alert)
    page.disc(x, y, r, ink, max(2, r // 4))


@dataclass(frozen=True, slots=True)
class PartTrial(Screen):
    """Light each lamp and let each sound be heard; whoever stands here says whether it came."""

    asked: str = ""
    """What was tried last, and waits for an answer."""

    def stays(self, view: View) -> bool:
        """While no clock runs."""
        return view.doctor is not None and barred(view) is None

    def draw(self, page: Page, view: View) -> None:
        """A button each; below, the question about the last one."""
        trials = () if view.doctor is None else view.doctor.trials()
        asked = next((trial for trial in trials if trial.name == self.asked), None)
        body, beside = sheet(page, view, _("Lamps and sounds") if asked is None else asked.question)
        columns = 2 if page.place.portrait else 3
        cells = [
            cell for row in body.rows(max(3, -(-len(trials) // columns)), page.place.gap) for cell in row.columns(columns, page.place.gap)
        ]
        for trial, cell in zip(trials, cells, strict=False):
            page.choice(cell, trial.label, TryPart(trial.name, PartTrial(trial.name)), chosen=trial.name == self.asked)
            if view.lamps is not None and trial.name in LAMPS:
                _lamp(page, cell, lit=view.lamps[LAMPS[trial.name]], ink=page.theme.run_ink if trial.name == self.asked else page.theme.ink)
        if asked is None:
            page.text(beside, _("Touch one: it is lit or heard for a moment."), page.place.em(0.36), page.theme.quiet, lines=2)
            return
        no, yes = beside.columns(2, page.place.gap)
        bad = Finding(asked.name, asked.label, _("was not noticed"), "wrong", _("Check its wires and its setting in kiosk.toml."))
        page.button(no, _("No"), Confirm(bad, PartTrial()))
        page.button(yes, _("Yes"), Confirm(Finding(asked.name, asked.label, _("was noticed"), "good"), PartTrial()), kind="go")
