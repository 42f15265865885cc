"""A sheet whose values are not what the table wrote is found, and each altered value is named."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from evenings import json_of, line, opened, rows_of
from registers import played

from kiosk import codec
from kiosk.domain import facts as f
from kiosk.domain.officials import Role
from kiosk.domain.types import Instant, Pair, Side
from kiosk.journal import MemoryJournal
from kiosk.ports import Origin, Record
from kiosk.sheets import read_qr, sheets, to_json
from kiosk.sheets.qr import qr_of, qr_text
from kiosk.sheets.seal import seal_of
from kiosk.sheets.verify import ITEMS, verify_qr, verify_sheet

RICH = (
    "10-correction-window",
    "07-breaks",
    "79-a-second-match",
    "100-drawn-signatures",
    "110-a-whole-match-with-appeals",
    "116-suspended-over-a-power-cut",
    "121-a-forfeit-is-received",
)

Path_ = tuple[str | int, ...]


def values(plain: Any, path: Path_ = ()) -> Iterator[Path_]:
    """The place of every single value, empty lists and objects too."""
    items = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    for key, value in items:
        yield from values(value, (*path, key))
    if not isinstance(plain, dict | list) or not plain:
        yield path


def altered(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return f"{value}x"
        case None:
            return "x"
        case _:
            return ["x"] if isinstance(value, list) else {"x": 1}


def put(plain: dict[str, Any], path: Path_, value: Any) -> dict[str, Any]:
    new = copy.deepcopy(plain)
    inside: Any = new
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return new


def at(plain: Any, path: Path_) -> Any:
    for key in path:
        plain = plain[key]
    return plain


def named(path: Path_) -> str:
    """What a sentence about this place must contain."""
    words = [part for part in path if isinstance(part, str)]
    if words[0] == "seal":
        return ""
    return "strokes" if "strokes" in words else ITEMS.get(words[-1], words[-1])


@pytest.mark.parametrize("name", RICH)
def test_a_sheet_as_it_was_written_holds_with_and_without_its_journal(name: str) -> None:
    for sheet in sheets(played(name)):
        plain = json.loads(to_json(sheet, event="Open", table="12"))
        assert verify_sheet(plain, played(name)).faults == ()
        alone = verify_sheet(plain, None)
        assert alone.holds
        assert "no journal here has this match" in alone.notes[0]


@pytest.mark.parametrize("name", RICH)
def test_every_single_value_altered_is_found_and_named(name: str) -> None:
    sheet = list(sheets(played(name)))[-1]
    plain = json.loads(to_json(sheet, event="Open", table="12"))
    places = list(values(plain))
    assert len(places) > 60
    for path in places:
        wrong = put(plain, path, altered(at(plain, path)))
        by_facts, by_seal = verify_sheet(wrong, played(name)), verify_sheet(wrong, None)
        assert not by_facts.holds, path
        assert not by_seal.holds, path
        assert any(named(path) in fault for fault in by_facts.faults), (path, by_facts.faults)
        if path[0] != "seal":
            head = named(path[:1]) if len(path) == 1 or isinstance(at(plain, path[:1]), dict) else f" {int(path[1]) + 1} "
            assert any(head in fault for fault in by_seal.faults), (path, by_seal.faults)


def test_a_value_is_told_with_what_the_journal_has() -> None:
    rows = played("79-a-second-match")
    plain = json_of(next(iter(sheets(rows))))
    wrong = put(plain, ("games", 0, "cube"), 8)
    assert verify_sheet(wrong, rows).faults == (f"game 1: cube 8 on the sheet, {plain['games'][0]['cube']} in the journal.",)
    assert verify_sheet(wrong, None).faults == ("game 1 does not fit the seal.",)


def test_whoever_seals_an_altered_sheet_anew_is_found_by_the_journal_only() -> None:
    rows = played("79-a-second-match")
    wrong = put(json_of(next(iter(sheets(rows)))), ("score", "left"), 99)
    wrong["seal"] = seal_of(wrong)
    assert verify_sheet(wrong, None).holds
    assert [fault.partition(" on the")[0] for fault in verify_sheet(wrong, rows).faults] == ["score left 99"]


def test_a_key_or_an_item_too_few_or_too_many_is_named() -> None:
    rows = played("10-correction-window")
    plain = json_of(list(sheets(rows))[-1])
    fewer = {key: value for key, value in plain.items() if key != "standing"}
    assert "standing is missing on the sheet." in verify_sheet(fewer, rows).faults
    assert "standing is missing on the sheet: the seal has it." in verify_sheet(fewer, None).faults
    assert "bonus stands on the sheet only." in verify_sheet({**plain, "bonus": 1}, rows).faults
    assert "bonus does not fit the seal." in verify_sheet({**plain, "bonus": 1}, None).faults
    shorter = put(plain, ("games",), plain["games"][1:])
    assert f"game {plain['games'][0]['n']} is missing on the sheet." in verify_sheet(shorter, rows).faults
    longer = put(plain, ("events",), [*plain["events"], {"kind": "x"}])
    assert f"event {len(longer['events'])} stands on the sheet only." in verify_sheet(longer, rows).faults
    assert f"event {len(longer['events'])} does not fit the seal." in verify_sheet(longer, None).faults
    strange = put(plain, ("games",), [*plain["games"], 7])
    assert f"game {len(strange['games'])} stands on the sheet only." in verify_sheet(strange, rows).faults
    long = put(plain, ("rulebook",), "y" * 500)
    assert all(len(fault) < 200 for fault in verify_sheet(long, rows).faults)


def test_no_type_passes_for_another() -> None:
    rows = played("10-correction-window")
    plain = json_of(list(sheets(rows))[-1])
    for value in (True, 1.0, "1"):
        assert not verify_sheet(put(plain, ("revision",), value), rows).holds
    for value in (None, [], 7, {}):
        assert not verify_sheet({**plain, "journal": value}, rows).holds
        assert not verify_sheet({**plain, "seal": value}, rows).holds
    assert not verify_sheet({}, rows).holds


CORRECTED = (
    opened(1),
    line(5, "game", winner="left", kind="single"),
    line(6, "confirm", by="right"),
    line(9, "correct", game=1, winner="left", kind="gammon", cube=1, reason="gammon"),
)


def test_an_older_revision_was_right_then_and_is_told() -> None:
    rows = rows_of(*CORRECTED)
    early = rows[:-1]
    plain = json_of(list(sheets(early))[-1])
    verdict = verify_sheet(plain, rows)
    assert verdict.faults == ()
    assert verdict.notes == (
        f"The sheet is an older one: revision 1, as of entry {len(early)}. The journal has revision 2 by now, up to entry {len(rows)}.",
    )
    assert "game 1: cube 2 on the sheet, 1 in the journal." in verify_sheet(put(plain, ("games", 0, "cube"), 2), rows).faults
    old = list(sheets(early))[-1]
    assert verify_qr(qr_of(old), rows).notes == verdict.notes
    assert verify_qr(qr_of(old), rows).holds


def test_a_sheet_that_is_newer_than_the_journal_cannot_be_verified() -> None:
    rows = rows_of(*CORRECTED)
    new = list(sheets(rows))[-1]
    verdict = verify_sheet(json_of(new), rows[:-1])
    assert verdict.faults == (
        f"The sheet is newer than this journal: it rests on entry {len(rows)}, and the match ends with entry {len(rows) - 1} here.",
    )
    assert not verify_qr(qr_of(new), rows[:-1]).holds


def test_an_altered_digest_does_not_make_a_sheet_a_newer_one() -> None:
    rows = rows_of(*CORRECTED)
    plain = json_of(list(sheets(rows))[-1])
    wrong = put(plain, ("journal", "digest"), "0" * 64)
    assert [fault[:24] for fault in verify_sheet(wrong, rows).faults] == ['journal digest "00000000']
    both = put(wrong, ("journal", "last"), 0)
    assert [fault.partition(" on the")[0] for fault in verify_sheet(both, rows).faults] == [
        "journal last 0",
        f'journal digest "{"0" * 64}"',
    ]


def test_a_match_that_a_journal_lacks_is_named_where_it_must_be_there() -> None:
    plain = json_of(list(sheets(rows_of(*CORRECTED)))[-1])
    other = played("07-breaks")
    elsewhere = {**plain, "match": "another", "journal": {**plain["journal"], "digest": "1" * 64}}
    elsewhere["seal"] = seal_of(elsewhere)
    assert verify_sheet(elsewhere, other).holds
    assert verify_sheet(elsewhere, other, must=True).faults == ('This journal has no match "another".',)
    bare = {key: value for key, value in elsewhere.items() if key != "seal"}
    assert "cannot be verified" in verify_sheet(bare, other).faults[0]


def test_a_sheet_of_the_first_version_has_neither_seal_nor_use_of_time() -> None:
    rows = rows_of(*CORRECTED)
    plain = json_of(list(sheets(rows))[-1])
    first = {key: value for key, value in plain.items() if key not in {"event", "round", "table", "time_use", "seal"}} | {"sheet": 1}
    verdict = verify_sheet(first, rows)
    assert verdict.faults == ()
    assert "no seal" in verdict.notes[0]
    assert verify_sheet({**first, "revision": 7}, rows).faults == ("revision 7 on the sheet, 2 in the journal.",)


def test_a_date_that_was_set_after_the_match_does_not_alter_its_sheet() -> None:
    lines = (opened(1), line(5, "game", winner="left", kind="single"), line(6, "confirm", by="right"))
    early = rows_of(*lines)
    journal = MemoryJournal(boot=early[0].boot, rows=early, wall=lambda: (1_800_000_000_000_000_000, True))
    name, text = codec.encode(f.WallClockTrusted(Instant(early[-1].mono_ns + 10)))
    journal.append([Record(name, text, early[-1].mono_ns + 10)])
    opening = replace(codec.decode(early[0].type, early[0].data), match="next", at=Instant(early[-1].mono_ns + 20))
    journal.append([Record(*codec.encode(opening), early[-1].mono_ns + 20)])
    later = list(journal.rows())
    old, new = next(sheets(early)), next(sheets(later))
    assert (old.opened.trust, new.opened.trust) == ("unset", "corrected")
    for sheet in (old, new):
        assert verify_sheet(json_of(sheet), later).faults == ()


def test_a_match_that_was_taken_over_has_a_sheet_at_each_table() -> None:
    rows = rows_of(*CORRECTED)
    plain = json_of(list(sheets(rows))[-1])
    taken = f.MatchTakenUp(Instant(rows[-1].mono_ns + 5), Instant(rows[-1].mono_ns), "7", rows[-1].hash, "Ida", Role.CHIEF)
    journal = MemoryJournal(boot="here")
    journal.append([Record(row.type, row.data, row.mono_ns, Origin(row.boot, row.wall_ns, row.wall_trusted)) for row in rows[-1:]])
    journal.append([Record(row.type, row.data, row.mono_ns, Origin(row.boot, row.wall_ns, row.wall_trusted)) for row in rows])
    journal.append([Record(*codec.encode(taken), rows[-1].mono_ns + 5)])
    verdict = verify_sheet(plain, list(journal.rows()))
    assert not verdict.holds
    assert "took the match over from another table" in verdict.notes[-1]


# ── The QR code ──────────────────────────────────────────────────────────────
@pytest.mark.parametrize("name", RICH)
def test_a_qr_code_holds_against_its_journal_only(name: str) -> None:
    for sheet in sheets(played(name)):
        qr = read_qr(qr_text(sheet))
        assert verify_qr(qr, played(name)).faults == ()
        assert "cannot be verified by itself" in verify_qr(qr, None).faults[0]


def test_every_part_of_a_qr_code_altered_is_found_and_named() -> None:
    rows = rows_of(*CORRECTED)
    qr = qr_of(list(sheets(rows))[-1])
    wrong = {
        "match": "x", "revision": 9, "score": Pair(0, 5), "winner": Side.RIGHT, "how": "flag", "standing": Pair("0", "1"),
        "digest": "0" * 64,
    }  # fmt: skip
    for key, value in wrong.items():
        verdict = verify_qr(replace(qr, **{key: value}), rows)
        assert any(fault.startswith((key, "Its digest")) for fault in verdict.faults), key
    assert verify_qr(replace(qr, winner=None, standing=None, how=None), rows).faults[:1] == (
        'winner null on the sheet, "left" in the journal.',
    )
