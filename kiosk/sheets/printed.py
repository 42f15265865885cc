"""The one model that every printed form is rendered from: what stands on a match's sheet, in the language spoken.

A form decides where things stand and in which size; what stands there, in which words and order, is decided here, so that paper,
receipt and workbook say the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, tzinfo
from typing import TYPE_CHECKING, Literal

from kiosk.domain import facts as f
from kiosk.domain.rulebook import Method, Provide
from kiosk.domain.types import NS_PER_MS, Pair, Side
from kiosk.say import _, mark, n_
from kiosk.sheets.cells import Both, Cell, Clockwork, Lasting, Moment, reserves_of, text_of
from kiosk.sheets.positions import positions
from kiosk.sheets.printed_parts import sections_of
from kiosk.sheets.qr import qr_text
from kiosk.sheets.render import name_of
from kiosk.words import how_words, item_words, role_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.domain.facts import Strokes
    from kiosk.domain.setup import MatchSetup
    from kiosk.sheets.official import PaperLine
    from kiosk.sheets.positions import Position
    from kiosk.sheets.sections import Section
    from kiosk.sheets.walk import ScoreSheet


@dataclass(frozen=True, slots=True)
class Field:
    """One line of the sheet's head."""

    key: str
    """Its word for programs."""
    title: str
    value: Cell


@dataclass(frozen=True, slots=True)
class Signed:
    """A field for a signature."""

    side: Side
    name: str
    """Who signs here."""
    words: str
    """Whether and how it was signed."""
    when: Moment | None
    strokes: Strokes
    """The drawing; empty where nothing was drawn."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A match's sheet, ready to be put on paper."""

    title: str
    """`Score sheet`."""
    place: str
    """Event, round and table, as far as they are known."""
    names: Pair[str]
    """Both players, or both pairs."""
    players: Pair[tuple[str, ...]]
    """The same, name by name."""
    score: Pair[int]
    standing: Pair[str]
    """`1` and `0`, `+` and `−`, `=`; empty while the match goes on."""
    winner: Side | None
    result: str
    """How it ended."""
    status: tuple[tuple[Literal["good", "bad", "plain"], str], ...]
    """What must be known about the result: provisional, corrected, received; the first word says how it is meant."""
    head: tuple[Field, ...]
    sections: tuple[Section, ...]
    """Games first; a section without rows is left out, but for the games."""
    positions: tuple[Position, ...]
    """What goes with rulings."""
    signatures: Pair[Signed]
    legend: tuple[str, ...]
    """What the marks beside times mean, where there are any, and the zone."""
    match: str
    revision: int
    digest: str
    opened: Moment
    foot: str
    """One line for the foot of every page."""
    qr: str
    """The text of the QR code."""


def printed(
    sheet: ScoreSheet, *, event: str = "", round_name: str = "", table: str = "", rulebook: str = "", zone: tzinfo = UTC
) -> Printed:
    """A match's sheet in the language spoken.

    Args:
        sheet: The match.
        event: The tournament, where it is known.
        round_name: The round, where it is known.
        table: The table's name or number, where it is known.
        rulebook: The regulation's title; without it its word stands alone.
        zone: In which times of day are told.
    """
    event, round_name, table = sheet.about(event, round_name, table)
    clockwork = Clockwork(zone, sheet.opened)
    names = Pair(name_of(sheet, Side.LEFT), name_of(sheet, Side.RIGHT))
    head = (*_places(event, round_name, table), *_head(sheet, names, rulebook, clockwork))
    sections = tuple(sections_of(sheet, names, clockwork))
    signatures = Pair(_signed(sheet, Side.LEFT, names, clockwork), _signed(sheet, Side.RIGHT, names, clockwork))
    return Printed(
        title=_("Score sheet"),
        place=" · ".join(part for part in (event, round_name, _("Table {table}", table=table) if table else "") if part),
        names=names,
        players=sheet.setup.players,
        score=sheet.score,
        standing=sheet.standing or Pair("", ""),
        winner=sheet.winner,
        result=_result(sheet, names),
        status=tuple(_status(sheet, clockwork)),
        head=head,
        sections=sections,
        positions=tuple(positions(sheet, names)),
        signatures=signatures,
        legend=tuple(_legend(sheet, clockwork)),
        match=sheet.match,
        revision=sheet.revision,
        digest=sheet.digest,
        opened=clockwork.day(),
        foot=_("Match {match}, revision {n}", match=sheet.match, n=sheet.revision),
        qr=qr_text(sheet),
    )


def _places(event: str, round_name: str, table: str) -> Iterator[Field]:
    for key, title, value in (("event", _("Event"), event), ("round", _("Round"), round_name), ("table", _("Table"), table)):
        if value:
            yield Field(key, title, value)


ON_PAPER = {
    f.OnPaper.YES: mark("{name} signed on the paper"),
    f.OnPaper.PROTEST: mark("{name} signed the paper under protest"),
    f.OnPaper.NO: mark("{name} has not signed the paper"),
}


def _paper_words(paper: PaperLine, names: Pair[str]) -> str:
    """By whom it was entered, what was said of the paper, and who has signed there."""
    by = _("{name}, {role}", name=paper.by.name, role=role_words(paper.by.role))
    signed = (_(ON_PAPER[paper.signed[side]], name=names[side]) for side in Side)
    return "; ".join(part for part in (by, paper.played, *signed) if part)


def _head(sheet: ScoreSheet, names: Pair[str], rulebook: str, clockwork: Clockwork) -> Iterator[Field]:
    setup = sheet.setup
    yield Field("match", _("Match"), sheet.match)
    yield Field("number", _("Number in the journal"), sheet.number)
    yield Field("opened", _("Opened"), clockwork.day())
    if sheet.paper is not None:
        yield Field("paper", _("Entered from paper"), _paper_words(sheet.paper, names))
    yield Field("zone", _("Times of day in"), clockwork.name())
    yield Field("rulebook", _("Rulebook"), f"{rulebook} ({setup.rulebook})" if rulebook else setup.rulebook)
    yield Field("length", _("Match length"), length_words(setup.length))
    if sheet.paper is None:
        yield Field("control", _("Time control"), control_words(setup))
    if sheet.clocked:
        yield Field(
            "reserves", _("Reserves at the start"), Both(Lasting(setup.reserve.left, exact=True), Lasting(setup.reserve.right, exact=True))
        )
        yield Field("provide", _("Bonus time and breaks"), provide_words(setup))
        left = None if sheet.table.clock is None else sheet.table.clock.reserve
        yield Field("reserves_end", _("Reserves at the end"), reserves_of(left))
    yield Field("cube", _("Cube"), cube_words(setup))
    if setup.score != Pair(0, 0):
        yield Field("opening_score", _("Score at the opening"), Both(setup.score.left, setup.score.right))
    if sheet.checked:
        yield Field("checked", _("Looked over before the match"), ", ".join(item_words(setup, item, names)[0] for item in sheet.checked))
    if sheet.table.late.lost_choice:
        late = " & ".join(names[side] for side in sheet.table.late.lost_choice)
        yield Field("lost_choice", _("Without choice of seat, direction and colour"), late)
    yield Field("revision", _("Revision"), sheet.revision)


def length_words(length: int | None) -> str:
    """A match's length in words."""
    return _("free session") if length is None else n_("{n} point", "{n} points", length)


def _figure(span: int) -> str:
    return f"{span // NS_PER_MS / 1000:g}"


def control_words(setup: MatchSetup) -> str:
    """A time control in words."""
    control = setup.control
    if not control.clocked:
        return _("without clock")
    seconds = _figure(control.delay)
    if not control.delay:
        return _("no delay")
    if control.method is Method.FISCHER:
        return _("Fischer: each turn adds {n} s", n=seconds)
    if control.method is Method.BRONSTEIN:
        return _("Bronstein: each turn gives back up to {n} s", n=seconds)
    return _("delay of {n} s each turn, then the reserve", n=seconds)


def provide_words(setup: MatchSetup) -> str:
    """What a match offers besides its clock, in words."""
    if setup.provide is Provide.BONUS and setup.bonus:
        return _("{time} of bonus time for each, contained in the reserve", time=Lasting(setup.bonus, exact=True).text)
    if setup.provide is Provide.BREAKS and setup.breaks:
        longest = Lasting(setup.break_longest, exact=True).text
        return n_("{n} break for each, of at most {time}", "{n} breaks for each, of at most {time}", setup.breaks, time=longest)
    return _("neither bonus time nor breaks")


def cube_words(setup: MatchSetup) -> str:
    """Whether there is a cube, and under which rules."""
    if not setup.cube or setup.length == 1:
        return _("without cube")
    rules = (_("Crawford rule") if setup.crawford and setup.length is not None else "", _("Jacoby rule") if setup.jacoby else "")
    return ", ".join((_("with cube"), *filter(None, rules)))


def _result(sheet: ScoreSheet, names: Pair[str]) -> str:
    if sheet.how is None:
        return _("The match is not over")
    return how_words(sheet.how, "" if sheet.winner is None else names[sheet.winner])


def _status(sheet: ScoreSheet, clockwork: Clockwork) -> Iterator[tuple[Literal["good", "bad", "plain"], str]]:
    if sheet.paper is not None:
        yield "plain", _("Entered from a paper sheet; no time was measured")
    if sheet.provisional:
        yield "bad", _("Provisional: an appeal or a dispute is open")
    if sheet.revision > 1:
        yield "plain", _("Revision {n}: the sheet was changed after its end", n=sheet.revision)
    if sheet.received is not None:
        by, time = sheet.received.by, text_of(clockwork.moment(sheet.received.when))
        if by is None:
            yield "good", _("Received, {time}", time=time)
        else:
            yield "good", _("Received by {name} ({role}), {time}", name=by.name, role=role_words(by.role), time=time)
    elif sheet.how is not None:
        yield "plain", _("Not yet received by the organizer")


def _signed(sheet: ScoreSheet, side: Side, names: Pair[str], clockwork: Clockwork) -> Signed:
    found = next((each for each in sheet.signed if each.side is side), None)
    if found is None:
        return Signed(side, names[side], _("not signed"), None, ())
    when = next((e.when for e in reversed(sheet.events) if e.kind == "signed" and e.side is side), None)
    if when is None:  # nobody has signed here, and when the paper was signed nobody knows
        return Signed(side, names[side], _("signed the paper under protest") if found.protest else _("signed on the paper"), None, ())
    words = _("signed under protest") if found.protest else _("signed on the screen")
    return Signed(side, names[side], words, clockwork.maybe(when), found.strokes)


def signed_words(signed: Signed) -> str:
    """Whether, how and when somebody signed."""
    return signed.words if signed.when is None else f"{signed.words}, {signed.when.text}"


def _legend(sheet: ScoreSheet, clockwork: Clockwork) -> Iterator[str]:
    trusts = _trusts(sheet)
    yield _("Times of day: {zone}.", zone=clockwork.name())
    if "corrected" in trusts:
        yield _("* The date was set later; this time was worked out from it.")
    if "unset" in trusts:
        yield _("? The date was not set at the table; this time of day cannot be trusted.")


def _trusts(sheet: ScoreSheet) -> set[str]:
    found = {sheet.opened.trust}
    for lines in (sheet.games, sheet.corrections, sheet.breaks, sheet.events, sheet.rulings, sheet.appeals, sheet.acts, sheet.adjournments):
        found |= {line.when.trust for line in lines if line.when is not None}
    return found
