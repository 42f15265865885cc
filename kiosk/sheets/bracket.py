"""A knock-out drawn on A4 that lies across: its rounds from left to right, each match between the two that lead to it.

A page has up to sixteen matches of its first round and up to five rounds. What is larger is cut into pages by the sections of the draw,
each to its winner, and goes on on another page with the matches that these come to: under the last ones stands which those are.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, TypeVar

from kiosk.say import _, language
from kiosk.sheets.grid_pdf import begun, ended
from kiosk.sheets.paper import CAPITAL, INK, PT, QUIET, RULE, shortened, spelled, width

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kiosk.sheets.flow import Flow
    from kiosk.sheets.grid_pdf import Heading
    from kiosk.sheets.paper import Paper

MOST, ROUNDS = 16, 5
"""Matches of a page's first round, and rounds, at most."""
SIZES, SMALL = (7.5, 6.9, 6.3), 5.5
"""Of names, the first with which one is whole, and of a match's name, in points."""
HIGH, SLOT, ROOMY = 7.6, 8.6, 13.0
"""A box's height, and how far apart boxes of a page's first round are, at least and where there is room; in millimetres."""
BETWEEN, WIDEST, KEY, MARK = 5.0, 62.0, 7.6, 5.0
"""Between two rounds, the widest box, and in it the room for the match's name, and for a mark."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two in a match."""

    name: str
    """Who he is, or where he comes from."""
    known: bool = True
    won: bool = False
    mark: str = ""
    """His points, or 1 0 + −; empty: it is open."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match."""

    key: str
    left: Side
    right: Side
    void: bool = False
    """Nobody plays it; its place stays empty."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a knock-out: its rounds, each as long as the one before it, or half as long."""

    title: str
    rounds: tuple[tuple[Pairing, ...], ...]


@dataclass(frozen=True, slots=True)
class _Section:
    """What stands on one page of a part."""

    first: int
    """The number of its first round."""
    rounds: tuple[tuple[Pairing, ...], ...]
    onward: tuple[str, ...]
    """The matches to which its last ones lead; empty: they lead nowhere."""


def to_bracket_pdf(parts: Sequence[Part], heading: Heading) -> bytes:
    """A knock-out as a PDF, in the language spoken.

    Args:
        parts: Its parts, in their order.
        heading: Of what it is.
    """
    return on_pages(parts, heading).written(f"{heading.event}: {heading.title}", heading.at, language())


def on_pages(parts: Sequence[Part], heading: Heading) -> Paper:
    """The same as pages."""
    paper, flow = begun(heading, across=True)
    for part in parts:
        for section in _sections(part):
            _put(flow, part, section)
    if not parts:
        flow.paragraph(_("Only a knock-out has a bracket."), 9, grey=QUIET)
    ended(paper, flow, heading)
    return paper


# ── What stands on which page ────────────────────────────────────────────────
def _sections(part: Part) -> Iterator[_Section]:
    at = 0
    while at < len(part.rounds):
        first = len(part.rounds[at])
        blocks = next(n for n in range(ceil(first / MOST), first + 1) if first % n == 0)
        count = _together(part.rounds[at:], blocks)
        last = part.rounds[at + count - 1]
        after = part.rounds[at + count] if at + count < len(part.rounds) else ()
        onward = tuple(after[n * len(after) // len(last)].key for n in range(len(last)) if after)
        for n in range(blocks):
            yield _Section(at + 1, tuple(_share(each, n, blocks) for each in part.rounds[at : at + count]), _share(onward, n, blocks))
        at += count


def _together(rounds: Sequence[Sequence[Pairing]], blocks: int) -> int:
    """How many rounds stand beside each other: those in which each section has its own matches, shared out evenly if they are many."""
    whole = 1
    for before, now in pairwise(rounds):
        if len(now) % blocks or len(before) % len(now):
            break
        whole += 1
    return ceil(whole / ceil(whole / ROUNDS))


_Each = TypeVar("_Each")


def _share(what: Sequence[_Each], n: int, blocks: int) -> tuple[_Each, ...]:
    each = len(what) // blocks
    return tuple(what[n * each : (n + 1) * each])


# ── Drawn ────────────────────────────────────────────────────────────────────
def _put(flow: Flow, part: Part, section: _Section) -> None:
    """One section: below what stands there already if it has room so, else on a page of its own."""
    count = len(section.rounds[0])
    head = 11.0
    flow.room(head + count * SLOT)
    flow.heading(part.title, 10.5, count * SLOT)
    room = flow.bottom - flow.y - 4.5
    slot = min(ROOMY, max(SLOT, room / count))
    wide = min(WIDEST, (flow.wide - (len(section.rounds) - 1) * BETWEEN) / len(section.rounds))
    top = flow.y + 4.5
    middles = [[top + slot * (n + 0.5) for n in range(count)]]
    for before, now in pairwise(section.rounds):
        middles.append(_middles(middles[-1], len(before), len(now)))
    for n, (matches, heights) in enumerate(zip(section.rounds, middles, strict=True)):
        x = flow.left + n * (wide + BETWEEN)
        if len(part.rounds) > 1 and not all(each.void for each in matches):
            flow.paper.text(x, flow.y + 3, _("Round {n}", n=section.first + n), 7.5, grey=QUIET)
        for each, y in zip(matches, heights, strict=True):
            _box(flow.paper, each, x, y, wide)
        if n:
            _lines(flow.paper, section.rounds[n - 1], middles[n - 1], matches, heights, x)
    last = flow.left + (len(section.rounds) - 1) * (wide + BETWEEN)
    for key, y in zip(section.onward, middles[-1], strict=False):
        flow.paper.text(last, y + HIGH / 2 + 2.4, _("goes on in {match}", match=key), SMALL, grey=QUIET, align="right", wide=wide)
    flow.y = top + slot * count + 1


def _middles(before: Sequence[float], had: int, has: int) -> list[float]:
    """Where the boxes of the next round stand: beside those of this one, or each between two of them."""
    each = had // has
    return [sum(before[n * each : (n + 1) * each]) / each for n in range(has)]


def _box(paper: Paper, match: Pairing, x: float, y: float, wide: float) -> None:
    if match.void:
        return
    top, half = y - HIGH / 2, HIGH / 2
    paper.frame(x, top, wide, HIGH)
    paper.line((x + KEY, y), (x + wide, y), grey=RULE, thick=0.1)
    paper.line((x + KEY, top), (x + KEY, top + HIGH), grey=RULE, thick=0.1)
    paper.text(x + 0.8, y + SMALL * CAPITAL * PT / 2, match.key, SMALL, grey=QUIET)
    for side, above in ((match.left, top), (match.right, y)):
        room = wide - KEY - (MARK if side.mark else 1.0) - 0.8
        size = next((each for each in SIZES if width(spelled(side.name), each, bold=side.won) <= room), SIZES[-1])
        baseline = above + (half + size * CAPITAL * PT) / 2
        name = shortened(side.name, size, room, bold=side.won)[0]
        paper.text(x + KEY + 0.8, baseline, name, size, bold=side.won, grey=INK if side.known else QUIET)
        paper.text(x + wide - MARK, baseline, side.mark, SIZES[0], bold=side.won, align="right", wide=MARK - 0.8)


def _lines(
    paper: Paper, before: Sequence[Pairing], heights: Sequence[float], now: Sequence[Pairing], nexts: Sequence[float], x: float
) -> None:
    """From each match to the one that its winner comes to; `x` is that one's left edge."""
    each = len(before) // len(now)
    for n, (match, y) in enumerate(zip(before, heights, strict=True)):
        if not match.void and not now[n // each].void:
            middle, to = x - BETWEEN / 2, nexts[n // each]
            paper.line((x - BETWEEN, y), (middle, y), (middle, to), (x, to), grey=RULE)
