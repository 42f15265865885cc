"""Is a sheet still what the table wrote? Its values against what the journal's facts give, or against its own seal.

A sheet that was right when it was written, but is no more the newest, is compared with the facts up to the row whose hash it names.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kiosk.domain import facts as f
from kiosk.say import _, mark
from kiosk.sheets.qr import qr_of
from kiosk.sheets.render import as_object
from kiosk.sheets.seal import seal_of
from kiosk.sheets.walk import all_parts, sheet_of
from kiosk.sheets.when import offsets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from kiosk.ports import Row
    from kiosk.sheets.qr import QrText
    from kiosk.sheets.walk import Part, ScoreSheet

Plain = Any
"""What JSON can hold."""

UNKNOWN_TO_JOURNALS = ("event", "round", "table")
"""What people named when they exported the sheet: only the seal holds it."""

SINCE_TWO = (*UNKNOWN_TO_JOURNALS, "time_use", "seal")
"""What a sheet of the first version did not have."""

ADDED = {"rulings": "appeal", "appeals": "decided_by", "adjournments": "taken_up"}
"""What each item of these lists did not have then."""

ITEMS = {
    "games": mark("game"),
    "corrections": mark("correction"),
    "breaks": mark("break"),
    "rulings": mark("ruling"),
    "appeals": mark("appeal"),
    "acts": mark("act"),
    "adjournments": mark("adjournment"),
    "events": mark("event"),
    "signed": mark("signature"),
    "checked": mark("item of the check-in"),
}
"""Lists of a sheet, and what one of each is called."""

NUMBERED = {"games": "n", "rulings": "id", "appeals": "id"}
"""Whose items have a number of their own."""

LONGEST = 80
"""No value is quoted with more letters."""

_ABSENT = object()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of it."""

    faults: tuple[str, ...] = ()
    """A sentence for each value that does not hold, and for whatever keeps the sheet from being verified."""
    notes: tuple[str, ...] = ()
    """What else must be known to judge it."""

    @property
    def holds(self) -> bool:
        """Whether nothing speaks against the sheet."""
        return not self.faults

    def beside(self, fault: str | None) -> Verdict:
        """The verdict with what is wrong with the journal itself, or None."""
        if fault is None:
            return self
        return Verdict((*self.faults, _("The journal itself does not hold: {fault}", fault=fault)), self.notes)

    def lines(self) -> tuple[str, ...]:
        """All of it, and in the last line whether the sheet holds."""
        return (*self.faults, *self.notes, _("Everything holds.") if self.holds else _("It does not hold."))


@dataclass(frozen=True, slots=True)
class _Found:
    """The match in the journal."""

    part: Part
    number: int
    known: dict[str, int]

    def upto(self, count: int) -> tuple[ScoreSheet, ...]:
        """The sheets that could have been written when so many of its rows were there.

        Where the date was set after the match in the same boot, its times were corrected from then on: both are right.
        """
        then = self.part[:count]
        ways = (self.known, offsets([row for row, _fact in then]))
        return tuple(sheet_of(then, self.number, known) for known in ways)


def find(rows: Iterable[Row], match: object, digest: object) -> _Found | None:
    """A match in a journal, by its id, or by the hash of one of its rows.

    Args:
        rows: The journal's; they are gone through twice.
        match: The id.
        digest: The hash.

    Raises:
        CodecError: A row does not have the shape that it promises.
    """
    known, by_digest = offsets(rows), None
    for number, part in enumerate(all_parts(rows), 1):
        if not isinstance(part[0][1], f.MatchOpened):
            continue
        opening = json.loads(part[0][0].data)
        if opening["match"] == match:
            return _Found(part, number, known)
        if any(row.hash == digest for row, _fact in part):
            by_digest = _Found(part, number, known)
    return by_digest


# ── A JSON sheet ─────────────────────────────────────────────────────────────
def verify_sheet(plain: dict[str, Plain], rows: Iterable[Row] | None, *, must: bool = False) -> Verdict:
    """Judge a JSON sheet.

    Args:
        plain: The sheet.
        rows: The journal's rows, gone through more than once; None: there is no journal, only the seal can speak.
        must: It is a fault if this journal does not have the match.

    Raises:
        CodecError: A row of the journal does not have the shape that it promises.
    """
    chain = plain.get("journal")
    chain = chain if isinstance(chain, dict) else {}
    found = None if rows is None else find(rows, plain.get("match"), chain.get("digest"))
    if found is None:
        itself = by_itself(plain)
        lacks = (_("This journal has no match {match}.", match=_quoted(plain.get("match"))),) if must else ()
        return Verdict((*lacks, *itself.faults), itself.notes)
    count = _rows_then(found.part, chain.get("digest"), chain.get("last"))
    if count is None:
        return Verdict((_newer(found.part, chain["last"]),), seal_notes(plain))
    faults = min((tuple(_against(plain, sheet)) for sheet in found.upto(count)), key=len)
    broken = seal_faults(plain)
    if faults:
        return Verdict(faults, (*_older(found, count), *seal_notes(plain), *_taken_over(found.part)))
    if not broken:
        return Verdict((), (*_older(found, count), *seal_notes(plain)))
    return Verdict(broken, _older(found, count))


def _rows_then(part: Part, digest: object, last: object) -> int | None:
    """How many rows of the match there were when the sheet was written; None: more than there are now."""
    for count, (row, _fact) in enumerate(part, 1):
        if row.hash == digest:
            return count
    if type(last) is int and last > part[-1][0].seq:
        return None
    if type(last) is int and last >= part[0][0].seq:
        return last - part[0][0].seq + 1
    return len(part)


def _newer(part: Part, last: int) -> str:
    return _(
        "The sheet is newer than this journal: it rests on entry {last}, and the match ends with entry {end} here.",
        last=last,
        end=part[-1][0].seq,
    )


def _older(found: _Found, count: int) -> tuple[str, ...]:
    if count == len(found.part):
        return ()
    then, now = found.upto(count)[0], found.upto(len(found.part))[0]
    return (
        _(
            "The sheet is an older one: revision {then}, as of entry {entry}. The journal has revision {now} by now, up to entry {end}.",
            then=then.revision,
            entry=then.last_seq,
            now=now.revision,
            end=now.last_seq,
        ),
    )


def _taken_over(part: Part) -> tuple[str, ...]:
    """A match that was begun at another table has a sheet there too, with that journal's numbers and hashes."""
    if not any(isinstance(fact, f.MatchTakenUp | f.MatchTakenOver) for _row, fact in part):
        return ()
    return (
        _("This journal took the match over from another table: a sheet that was written there is verified with that table's journal."),
    )


def _against(plain: dict[str, Plain], sheet: ScoreSheet) -> Iterator[str]:
    right: dict[str, Plain] = json.loads(json.dumps(as_object(sheet)))  # tuples become lists, as on the sheet
    if not any(key in plain for key in SINCE_TWO):
        right = _of_the_first(right, plain, sheet)
    given = {key: value for key, value in plain.items() if key not in {*UNKNOWN_TO_JOURNALS, "seal"}}
    yield from differences((), given, right)


def _of_the_first(right: dict[str, Plain], plain: dict[str, Plain], sheet: ScoreSheet) -> dict[str, Plain]:
    """What a sheet of the first version says of the same match."""
    right = {key: value for key, value in right.items() if key not in SINCE_TWO} | {"sheet": 1}
    if "paper" not in plain:
        del right["paper"]
    for name, key in ADDED.items():
        for line in right[name]:
            del line[key]
    for line in right["breaks"]:  # it counted the games of this table only
        line["after_game"] -= sheet.table.first_game - 1
    return right


def differences(path: tuple[str | int, ...], given: Plain, right: Plain) -> Iterator[str]:
    """What does not hold, a sentence each: a value of the sheet beside what it should be."""
    if isinstance(given, dict) and isinstance(right, dict):
        for key in [*right, *(key for key in given if key not in right)]:
            yield from differences((*path, key), given.get(key, _ABSENT), right.get(key, _ABSENT))
    elif isinstance(given, list) and isinstance(right, list) and path[-1] != "strokes":
        for name, one, other in _aligned(str(path[-1]), given, right):
            yield from differences((*path, name), one, other)
    elif type(given) is not type(right) or given != right:
        yield _difference(path, given, right)


def _aligned(name: str, given: list[Plain], right: list[Plain]) -> Iterator[tuple[int, Plain, Plain]]:
    """Items of two lists that belong together, with their number; where one is missing, by their own numbers if they have such."""
    key = NUMBERED.get(name)
    own = key is not None and all(isinstance(each, dict) and type(each.get(key)) is int for each in given)
    if own and len(given) != len(right):
        one, other = {each[key]: each for each in given}, {each[key]: each for each in right}
        for number in sorted({*one, *other}):
            yield number, one.get(number, _ABSENT), other.get(number, _ABSENT)
        return
    for place in range(max(len(given), len(right))):
        known: Plain = right[place] if place < len(right) else _ABSENT
        number = place + 1 if key is None or known is _ABSENT else known[key]
        yield number, given[place] if place < len(given) else _ABSENT, known


def _difference(path: tuple[str | int, ...], given: Plain, right: Plain) -> str:
    place = _place(path)
    if given is _ABSENT:
        return _("{place} is missing on the sheet.", place=place)
    if right is _ABSENT:
        return _("{place} stands on the sheet only.", place=place)
    if path[-1] == "strokes":
        return _("{place}: the drawing is not the one in the journal.", place=place)
    return _("{place} {given} on the sheet, {right} in the journal.", place=place, given=_quoted(given), right=_quoted(right))


def _place(path: tuple[str | int, ...]) -> str:
    """`game 3: cube`."""
    head, *rest = path
    if head in ITEMS and rest:
        item = f"{_(ITEMS[str(head)])} {rest[0]}"
        return f"{item}: {' '.join(str(part) for part in rest[1:])}" if rest[1:] else item
    return " ".join(str(part) for part in path)


def _quoted(value: Plain) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


# ── The seal ─────────────────────────────────────────────────────────────────
def by_itself(plain: dict[str, Plain]) -> Verdict:
    """What a sheet's own seal says of it, where no journal has its match."""
    if "seal" not in plain:
        return Verdict((_("The sheet has no seal, and no journal here has its match: it cannot be verified."),))
    return Verdict(
        seal_faults(plain),
        (
            _("Only the seal was looked at: no journal here has this match."),
            _("A seal has no key. It finds careless alterations; only the table's journal finds all of them."),
        ),
    )


def seal_notes(plain: dict[str, Plain]) -> tuple[str, ...]:
    """What must be known where there is no seal."""
    return () if "seal" in plain else (_("The sheet has no seal: an older program wrote it, or somebody took the seal off."),)


def seal_faults(plain: dict[str, Plain]) -> tuple[str, ...]:
    """Every part that does not fit the seal; where all parts do, the seal itself."""
    if "seal" not in plain:
        return ()
    seal, right = plain["seal"], seal_of(plain)
    if seal == right:
        return ()
    named = seal.get("parts") if isinstance(seal, dict) else None
    faults = tuple(_unfit(named, right["parts"])) if isinstance(named, dict) else ()
    return faults or (_("The seal itself was altered: it does not fit the sheet."),)


def _unfit(named: dict[str, Plain], right: dict[str, Plain]) -> Iterator[str]:
    for key in [*right, *(key for key in named if key not in right)]:
        one, other = right.get(key, _ABSENT), named.get(key, _ABSENT)
        if one is _ABSENT:
            yield _("{place} is missing on the sheet: the seal has it.", place=key)
        elif isinstance(one, list) and isinstance(other, list):
            for place in range(max(len(one), len(other))):
                if one[place : place + 1] != other[place : place + 1]:
                    yield _("{place} does not fit the seal.", place=_place((key, place + 1)))
        elif one != other:
            yield _("{place} does not fit the seal.", place=key)


# ── The QR code ──────────────────────────────────────────────────────────────
def verify_qr(given: QrText, rows: Iterable[Row] | None) -> Verdict:
    """Judge what a QR code says.

    Args:
        given: What it says.
        rows: As for `verify_sheet`; without a journal that has its match it cannot be verified.

    Raises:
        CodecError: A row of the journal does not have the shape that it promises.
    """
    found = None if rows is None else find(rows, given.match, given.digest)
    if found is None:
        return Verdict((_("No journal here has the match {match}: a QR code cannot be verified by itself.", match=_quoted(given.match)),))
    count = next((count for count, (row, _fact) in enumerate(found.part, 1) if row.hash == given.digest), None)
    sheet = found.upto(len(found.part) if count is None else count)[0]
    faults = tuple(differences((), _plain(given), _plain(qr_of(sheet))))
    if count is None:
        return Verdict((*faults, _("Its digest is the hash of no entry of this match: it was altered, or is newer than this journal.")))
    return Verdict(faults, _older(found, count))


def _plain(qr: QrText) -> dict[str, Plain]:
    pair = None if qr.standing is None else {"left": qr.standing.left, "right": qr.standing.right}
    return {
        "match": qr.match,
        "revision": qr.revision,
        "score": {"left": qr.score.left, "right": qr.score.right},
        "winner": None if qr.winner is None else str(qr.winner),
        "how": qr.how,
        "standing": pair,
        "digest": qr.digest,
    }
