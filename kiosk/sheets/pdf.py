"""A match's sheet on A4 and on an 80 mm receipt."""

from __future__ import annotations

from datetime import UTC, tzinfo
from typing import TYPE_CHECKING

from kiosk.domain.facts import STROKES_HIGH, STROKES_WIDE
from kiosk.domain.types import SIDES, Side
from kiosk.say import _, language
from kiosk.sheets.cells import text_of
from kiosk.sheets.flow import Flow, Look, in_one_line, table
from kiosk.sheets.paper import CAPITAL, INK, LEADING, PT, QUIET, RULE, Paper, broken, shortened, width
from kiosk.sheets.positions import draw_positions
from kiosk.sheets.printed import printed, signed_words
from kiosk.sheets.qr import squares

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kiosk.sheets.printed import Field, Printed, Signed
    from kiosk.sheets.walk import ScoreSheet

A4 = (210.0, 297.0)
MARGIN = 14.0
FOOT = 10.0
"""From the paper's lower edge to the foot's baseline."""

NAMES = (13.0, 11.0, 9.5)
"""Sizes of names beside the score, the best first."""
PLACES = ("event", "round", "table")
ON_TOP = (*PLACES, "match", "opened", "zone", "revision")
"""What the lines under the title say already."""

RECEIPT = 80.0
EDGE = 4.0
"""What a receipt printer leaves free on each side."""
LONGEST = 5000.0
"""Millimetres: no page of a PDF is longer; a receipt that would be goes on on another."""
ON_RECEIPT = {
    "games": ("n", "winner", "kind", "cube", "points", "score"),
    "late": ("time", "what"),
    "events": ("time", "what"),
}
"""The columns that a receipt has room for; the others stand under their rows."""


def to_pdf(sheet: ScoreSheet, *, event: str = "", round_name: str = "", table: str = "", rulebook: str = "", zone: tzinfo = UTC) -> bytes:
    """The sheet as a PDF of A4 pages, in the language spoken; the arguments are those of `printed`."""
    what = printed(sheet, event=event, round_name=round_name, table=table, rulebook=rulebook, zone=zone)
    return on_a4(what).written(_name(what), what.opened.at, language())


def to_receipt(
    sheet: ScoreSheet, *, event: str = "", round_name: str = "", table: str = "", rulebook: str = "", zone: tzinfo = UTC
) -> bytes:
    """The sheet as a PDF 80 mm wide and as long as it must be; the arguments are those of `printed`."""
    what = printed(sheet, event=event, round_name=round_name, table=table, rulebook=rulebook, zone=zone)
    return on_receipt(what).written(_name(what), what.opened.at, language())


def _name(what: Printed) -> str:
    return f"{what.title}: {what.names.left} – {what.names.right}"


# ── A4 ───────────────────────────────────────────────────────────────────────
def on_a4(what: Printed) -> Paper:
    """The sheet's A4 pages."""
    wide, high = A4
    paper = Paper(wide, high)
    flow = Flow(paper, MARGIN, MARGIN - 2, wide - 2 * MARGIN, high - FOOT - 6, lambda f: _running_head(f, what))
    _top(flow, what, 20.0, 27.0)
    _result(flow, what)
    _head(flow, [each for each in what.head if each.key not in ON_TOP])
    for section in what.sections:
        table(flow, section, Look(8.5, 0.55))
    draw_positions(flow, what.positions, 2)
    _signatures(flow, what)
    _feet(paper, what)
    return paper


def _top(flow: Flow, what: Printed, size: float, code: float) -> None:
    """Title and place, with the QR code at the right."""
    top = flow.y
    qr(flow.paper, what.qr, flow.left + flow.wide - code, top, code)
    narrow = Flow(flow.paper, flow.left, flow.top, flow.wide - code - 5, flow.bottom)
    narrow.y = top + 1
    narrow.paragraph(what.title, size, bold=True)
    if what.place:
        narrow.paragraph(what.place, 11)
    narrow.paragraph(f"{text_of(what.opened)} · {what.foot}", 8.5, grey=QUIET)
    narrow.y += 1
    for line in (*what.legend, _("Digest of the journal's chain: {digest}", digest=what.digest)):
        narrow.paragraph(line, 7.5, grey=QUIET)
    narrow.paragraph(_("The QR code holds the match, its revision, the result and the digest."), 7.5, grey=QUIET)
    flow.y = max(narrow.y, top + code) + 2


def _running_head(flow: Flow, what: Printed) -> None:
    score = f"   {what.score.left} : {what.score.right}   "
    room = flow.wide - width(what.title, 8.5) - 6
    line = in_one_line(what.players.left, score, what.players.right, 8.5, room, bold=True)
    flow.paper.text(flow.left, flow.y + 3, line, 8.5, bold=True)
    flow.paper.text(flow.left, flow.y + 3, what.title, 8.5, grey=QUIET, align="right", wide=flow.wide)
    flow.paper.line((flow.left, flow.y + 4.6), (flow.left + flow.wide, flow.y + 4.6), grey=RULE)
    flow.y += 7


def _result(flow: Flow, what: Printed) -> None:
    """Both names with the score between them, and how it ended."""
    paper, middle = flow.paper, 52.0
    side = (flow.wide - middle) / 2
    for size in NAMES:
        names = {
            each: [line for name in what.players[each] for line in broken(name, size, side - 6, bold=what.winner is each)] for each in SIDES
        }
        if max(map(len, names.values())) <= 2:
            break
    lines = max(map(len, names.values()))
    step = size * LEADING * PT
    high = max(lines * step + 4, 17.0)
    flow.room(high + 10)
    paper.box(flow.left, flow.y, flow.wide, high)
    for each, x in zip(SIDES, (flow.left + 3, flow.left + side + middle + 3), strict=True):
        first = flow.y + (high - len(names[each]) * step) / 2
        for number, line in enumerate(names[each]):
            baseline = first + number * step + (step + size * CAPITAL * PT) / 2
            paper.text(x, baseline, line, size, bold=what.winner is each, align="left" if each is SIDES[0] else "right", wide=side - 6)
    centre = flow.left + side
    score = f"{what.score.left} : {what.score.right}"
    large = min(26.0, 26 * (middle - 2) / width(score, 26, bold=True))
    paper.text(centre, flow.y + high / 2 + 1.8, score, large, bold=True, align="centre", wide=middle)
    if what.standing.left:
        signs = f"{what.standing.left}   {what.standing.right}"
        paper.text(centre, flow.y + high - 1.8, signs, 10, bold=True, grey=QUIET, align="centre", wide=middle)
    flow.y += high + 1.5
    flow.paragraph(what.result, 11, bold=True)
    for _kind, words in what.status:
        flow.paragraph(words, 9)
    flow.y += 2


def _head(flow: Flow, fields: Sequence[Field]) -> None:
    """Two columns of titles and values, row by row."""
    gap, size = 4.0, 8.5
    half = (flow.wide - gap) / 2
    title = 33.0
    step = size * LEADING * PT
    for pair in (fields[i : i + 2] for i in range(0, len(fields), 2)):
        told = [(broken(each.title, size * 0.92, title - 2), broken(text_of(each.value), size, half - title)) for each in pair]
        lines = max(max(len(a), len(b)) for a, b in told)
        flow.room(lines * step + 0.8)
        for x, (titles, values) in zip((flow.left, flow.left + half + gap), told, strict=False):
            for number, line in enumerate(titles):
                flow.paper.text(x, flow.y + number * step + (step + size * CAPITAL * PT) / 2, line, size * 0.92, grey=QUIET)
            for number, line in enumerate(values):
                flow.paper.text(x + title, flow.y + number * step + (step + size * CAPITAL * PT) / 2, line, size)
        flow.y += lines * step + 0.8


def _signatures(flow: Flow, what: Printed) -> None:
    """Both fields beside each other, never cut."""
    gap = 6.0
    half = (flow.wide - gap) / 2
    flow.heading(_("Signatures"), 10.6, 44)
    top = flow.y
    ends = []
    for each, x in zip((what.signatures.left, what.signatures.right), (flow.left, flow.left + half + gap), strict=True):
        ends.append(_signature(flow.paper, each, x, top, half, 26.0))
    flow.y = max(ends) + 1


def _signature(paper: Paper, signed: Signed, x: float, y: float, wide: float, high: float) -> float:
    """One field; where it ends."""
    paper.frame(x, y, wide, high)
    drawn(paper, signed, x + 2, y + 1.5, wide - 4, high - 3)
    y += high + 0.6
    for words, size, bold, grey in ((signed.name, 9.0, True, INK), (signed_words(signed), 8.5, False, QUIET)):
        for line in broken(words, size, wide, bold=bold):
            y += size * LEADING * PT
            paper.text(x, y - 0.7, line, size, bold=bold, grey=grey)
    return y


def drawn(paper: Paper, signed: Signed, x: float, y: float, wide: float, high: float) -> None:
    """A signature as it was drawn, as large as there is room."""
    share = min(wide / STROKES_WIDE, high / STROKES_HIGH)
    x += (wide - STROKES_WIDE * share) / 2
    y += (high - STROKES_HIGH * share) / 2
    for stroke in signed.strokes:
        points = [(x + across * share, y + down * share) for across, down in stroke]
        paper.line(*points, *((points[0][0] + 0.3, points[0][1]) for _dot in points[:1] if len(points) == 1), thick=0.4, grey=INK)


def _feet(paper: Paper, what: Printed) -> None:
    marks, count = paper.pages, len(paper.pages)
    wide, high = paper.wide - 2 * MARGIN, paper.high - FOOT
    for number, page in enumerate(marks, 1):
        foot = Paper(paper.wide, paper.high)
        foot.line((MARGIN, high - 4), (MARGIN + wide, high - 4), grey=RULE)
        foot.text(MARGIN, high, shortened(f"{what.foot} · {what.digest[:16]}", 7.5, wide - 40)[0], 7.5, grey=QUIET)
        foot.text(MARGIN, high, _("page {n} of {count}", n=number, count=count), 7.5, grey=QUIET, align="right", wide=wide)
        page.extend(foot.pages[0])


def qr(paper: Paper, text: str, x: float, y: float, wide: float) -> None:
    """A QR code; its quiet margin is within its width."""
    rows = squares(text)
    side = wide / (len(rows) + 8)
    for down, row in enumerate(rows):
        across = 0
        while across < len(row):
            long = 1
            if row[across]:
                while across + long < len(row) and row[across + long]:
                    long += 1
                paper.box(x + (across + 4) * side, y + (down + 4) * side, long * side, side * 1.02, INK)
            across += long


# ── Receipt ──────────────────────────────────────────────────────────────────
def on_receipt(what: Printed) -> Paper:
    """The sheet as one long strip."""
    paper = Paper(RECEIPT, 0)
    flow = Flow(paper, EDGE, EDGE, RECEIPT - 2 * EDGE, LONGEST - 60)
    _receipt_top(flow, what)
    for each in what.head:
        if each.key in PLACES:
            continue
        flow.paragraph(f"{each.title}: {text_of(each.value)}", 7.5)
    for section in what.sections:
        table(flow, section, Look(7.5, 0.5, INK), ON_RECEIPT.get(section.key, ()))
    draw_positions(flow, what.positions, 1)
    flow.heading(_("Signatures"), 9.4, 0)
    for signed in (what.signatures.left, what.signatures.right):
        flow.y = _signature(paper, signed, flow.left, flow.y, flow.wide, 24.0) + 2
    flow.y += 1
    for line in what.legend:
        flow.paragraph(line, 7, grey=INK)
    flow.paragraph(_("Digest of the journal's chain: {digest}", digest=what.digest), 7, grey=INK)
    code = 38.0
    qr(paper, what.qr, (RECEIPT - code) / 2, flow.y + 1, code)
    paper.high = flow.y + code + 6 if len(paper.pages) == 1 else LONGEST
    return paper


def _receipt_top(flow: Flow, what: Printed) -> None:
    """Title and place, the names above each other with the score between them, and how it ended."""
    flow.paragraph(what.title, 14, bold=True, align="centre")
    if what.place:
        flow.paragraph(what.place, 9, align="centre")
    flow.y += 1.5
    flow.paragraph(what.names.left, 11, bold=what.winner is Side.LEFT, align="centre")
    flow.paragraph(f"{what.score.left} : {what.score.right}", 22, bold=True, align="centre")
    flow.paragraph(what.names.right, 11, bold=what.winner is Side.RIGHT, align="centre")
    if what.standing.left:
        flow.paragraph(f"{what.standing.left}   {what.standing.right}", 9, align="centre")
    flow.y += 1
    flow.paragraph(what.result, 9.5, bold=True, align="centre")
    for _kind, words in what.status:
        flow.paragraph(words, 8, align="centre")
    flow.y += 2
