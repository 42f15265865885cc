"""The file of a suspended match, where a table finds it, and what a stick can do wrong."""

from __future__ import annotations

import errno
import json
import os
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import pytest

from kiosk.app import media
from kiosk.app.carry import SUFFIX, CarryError, Shelf, file_name, from_file, to_file
from kiosk.app.main import run
from kiosk.app.media import StickFault, part_of_a_name, put, put_somewhere, sticks
from kiosk.books import Library
from kiosk.chain import START, digest_of, link_all
from kiosk.domain.errors import CommandRefused
from kiosk.domain.officials import Official, Role
from kiosk.domain.setup import Options, resolve
from kiosk.domain.types import Instant, Pair, Side, seconds
from kiosk.journal import MemoryJournal, open_journal
from kiosk.ports import Record, Row
from kiosk.session import Session, carried
from kiosk.session import commands as c

LIBRARY = Library()


def suspended(players: Pair[tuple[str, ...]] = Pair(("Ann",), ("Bo",))) -> MemoryJournal:  # noqa: B008 - a frozen value
    """A journal with a match that is suspended in mid-turn."""
    journal = MemoryJournal(boot="first")
    session = Session(journal)
    session.command(c.OpenMatch("m1", resolve(LIBRARY.load("ibgf"), Options(7, players))), Instant(0))
    session.press(Side.RIGHT, Instant(seconds(1)))
    session.command(c.SignIn(Official("Vera", Role.REFEREE)), Instant(seconds(2)))
    session.command(c.Suspend("XG", "till\u2028tomorrow"), Instant(seconds(9)))
    return journal


NAMES = Pair(("Ана/..", "=cmd()"), ("ნინო",))


def test_a_file_holds_the_whole_match() -> None:
    match = carried("Стол 7", list(suspended().rows()))
    assert from_file(to_file(match), "x") == match
    strange = carried("12", list(suspended(NAMES).rows()))
    assert from_file(to_file(strange), "x") == strange
    name = file_name(strange)
    assert name == f"Ана-cmd-ნინო-m1{SUFFIX}"


def test_a_file_that_was_cut_or_changed_is_refused_with_its_name() -> None:
    data = to_file(carried("12", list(suspended().rows())))
    lines = data.decode().splitlines()
    head = json.loads(lines[0])
    bad = {
        "empty": b"",
        "no text": b"\xff\xfe\x00",
        "no json": b"hello\n",
        "another thing": b"[1, 2]\n",
        "newer": json.dumps({**head, "tableside_match": 2}).encode(),
        "cut": "\n".join(lines[:-1]).encode(),
        "cut in a line": data[:-40],
        "no rows": lines[0].encode(),
        "changed": data.replace(b"XG", b"XH"),
        "not a row": "\n".join([json.dumps({**head, "rows": 1}), '["a"]']).encode(),
        "the end lost and hidden": "\n".join([json.dumps({**head, "rows": len(lines) - 2}), *lines[1:-1]]).encode(),
        "too deep": b"[" * 100_000,
    }
    for what, wrong in bad.items():
        with pytest.raises(CarryError, match=r"^stick/a: .*\.$") as refused:
            from_file(wrong, "stick/a")
        assert "\n" not in str(refused.value), what


def test_a_chain_made_by_hand_around_nonsense_is_refused() -> None:
    rows = list(suspended().rows())
    records = [Record(row.type, row.data, row.mono_ns) for row in (rows[0], *[r for r in rows if r.type == "match_suspended"] * 2)]
    chained = link_all(
        [*records, Record("appeal_decided", '{"appeal":9,"at":0,"names":[],"outcome":"void","v":1}', 5)], 0, START, "b", (0, False)
    )
    head = {"tableside_match": 1, "table": "", "rows": len(chained)}
    data = "\n".join([json.dumps(head), *(json.dumps(astuple(row)) for row in chained)]).encode()
    with pytest.raises(CarryError, match="do not follow from one another"):
        from_file(data, "a")


def forged(rows: list[Row], table: str = "12") -> bytes:
    """A file whose chain was worked out anew, as anybody can."""
    chained: list[Row] = []
    for row in rows:
        prev = chained[-1].hash if chained else START
        digest = digest_of(row.seq, row.boot, row.mono_ns, (row.wall_ns, row.wall_trusted), row.type, row.data, prev)
        chained.append(replace(row, prev=prev, hash=digest))
    head = {"tableside_match": 1, "table": table, "rows": len(chained)}
    return "\n".join([json.dumps(head), *(json.dumps(astuple(row)) for row in chained)]).encode()


def test_a_forgery_that_no_journal_could_hold_is_refused_before_it_gets_there() -> None:
    rows = list(suspended().rows())
    assert from_file(forged(rows), "a").match == "m1"
    changes: list[dict[str, Any]] = [{"wall_ns": 2**70}, {"mono_ns": 2**70}, {"boot": "\ud800"}, {"data": '{"at":"\ud800","v":1}'}]
    for change in changes:
        with pytest.raises(CarryError, match=r"^a: .*\.$"):
            from_file(forged([*rows[:2], replace(rows[2], **change), *rows[3:]]), "a")
    for table in ("\ud800", "\x1b[2J", "x" * 101):
        with pytest.raises(CarryError, match=r"^a: The table that it comes from has no name"):
            from_file(forged(rows, table), "a")


def test_whatever_a_file_says_the_sentence_about_it_is_one_short_line() -> None:
    rows = list(suspended().rows())
    endless = replace(rows[2], data=json.dumps({"v": 1, "at": "x\x1b" * 9999}))
    for data in (forged([*rows[:2], endless, *rows[3:]]), b'{"tableside_match": "\\u001b[2J", "table": "", "rows": 1}'):
        with pytest.raises(CarryError) as refused:
            from_file(data, "a\nb")
        assert str(refused.value).startswith("a\\nb: ")
        assert str(refused.value).isprintable()
        assert len(str(refused.value)) < 500


def test_an_id_that_is_a_way_to_a_file_leads_nowhere() -> None:
    match = carried("12", list(suspended().rows()))
    assert file_name(replace(match, state=replace(match.state, match="../../x"))) == f"Ann-Bo-x{SUFFIX}"


# ── The shelf ────────────────────────────────────────────────────────────────
def shelf_of(journal: MemoryJournal, tmp_path: Path, *names: str) -> Shelf:
    for name in names:
        (tmp_path / "media" / name).mkdir(parents=True, exist_ok=True)
    return Shelf(journal.rows, tmp_path / "data", "7", tmp_path / "media")


def test_a_match_goes_over_a_stick_to_another_table(tmp_path: Path) -> None:
    here = suspended()
    shelf = shelf_of(here, tmp_path, "usb")
    assert shelf.hand_over("m1") == f"usb/Ann-Bo-m1{SUFFIX}"
    there = Shelf(MemoryJournal().rows, tmp_path / "other", "8", tmp_path / "media")
    matches, wrong = there.found()
    assert (matches, wrong) == ([carried("7", list(here.rows()))], [])
    own, _ = shelf.found()
    assert [match.match for match in own] == ["m1"]  # found twice, listed once


def test_what_is_no_match_on_a_stick_is_named_and_harms_nothing(tmp_path: Path) -> None:
    shelf = shelf_of(MemoryJournal(), tmp_path, "a", "b")
    (tmp_path / "media" / "a" / f"x{SUFFIX}").write_bytes(b"hello")
    (tmp_path / "media" / "a" / f"folder{SUFFIX}").mkdir()
    (tmp_path / "media" / "b" / "photo.jpg").write_bytes(b"hello")
    (tmp_path / "data" / "adjourned").mkdir(parents=True)
    (tmp_path / "data" / "adjourned" / f"mine{SUFFIX}").write_bytes(to_file(carried("9", list(suspended().rows()))))
    matches, wrong = shelf.found()
    assert [match.table for match in matches] == ["9"]
    assert wrong == [f"x{SUFFIX}: this is no adjourned match."]


def test_a_match_that_has_gone_on_here_is_not_offered_from_its_file_again(tmp_path: Path) -> None:
    first = suspended()
    here = MemoryJournal(boot="second")
    session, shelf = Session(here), shelf_of(here, tmp_path, "usb")
    shelf_of(first, tmp_path).hand_over("m1")
    session.command(c.SignIn(Official("Ida", Role.CHIEF)), Instant(1))
    (match,), _ = shelf.found()
    session.take_up(match, Instant(2))
    (again,), wrong = shelf.found()
    assert (again.match, again.rows[-1].type, wrong) == ("m1", "match_taken_up", [])  # it is suspended here: the journal offers it
    session.command(c.ResumeMatch(), Instant(3))
    since = f"Ann-Bo-m1{SUFFIX}: this match has gone on at this table since; the journal has it, and the file is out of date."
    assert shelf.found() == ([], [since])
    session.command(c.Suspend(), Instant(4))
    (again,), wrong = shelf.found()
    assert (again.rows[-1].boot, wrong) == ("second", [])
    session.command(c.ResumeMatch(), Instant(5))
    session.command(c.ResignMatch(Side.LEFT), Instant(6))
    assert shelf.found() == ([], [since])
    session.command(c.OpenMatch("m2", resolve(LIBRARY.load("ibgf"), Options(7, NAMES))), Instant(7))
    assert shelf.found() == ([], [since])


def test_of_two_occurrences_the_one_that_goes_further_is_offered(tmp_path: Path) -> None:
    first, second = suspended(), MemoryJournal(boot="second")
    home = shelf_of(first, tmp_path, "a", "b")
    home.hand_over("m1")
    there = Session(second)
    there.command(c.SignIn(Official("Ida", Role.CHIEF)), Instant(1))
    there.take_up(shelf_of(second, tmp_path).found()[0][0], Instant(2))
    there.command(c.ResumeMatch(), Instant(3))
    there.command(c.Suspend("later"), Instant(4))
    later = to_file(Shelf(second.rows, tmp_path / "other", "8").own("m1"))
    (tmp_path / "media" / "b" / f"x{SUFFIX}").write_bytes(later)
    (back,), wrong = home.found()
    assert (back.state.position, back.table, wrong) == ("later", "8", [])
    free, _ = shelf_of(MemoryJournal(), tmp_path).found()
    assert [match.state.position for match in free] == ["later"]


def test_without_a_stick_or_a_match_it_is_said(tmp_path: Path) -> None:
    with pytest.raises(CommandRefused, match="No stick is there"):
        shelf_of(suspended(), tmp_path).hand_over("m1")
    with pytest.raises(CommandRefused, match="No such match is adjourned here"):
        shelf_of(MemoryJournal(), tmp_path).hand_over("m1")


# ── Sticks ───────────────────────────────────────────────────────────────────
MOUNTS = """\
22 1 8:2 / / rw,relatime shared:1 - ext4 /dev/sda2 rw
30 22 8:17 / /media/pi/My\\040Stick rw,nosuid - vfat /dev/sdb1 rw
31 22 8:33 / /run/media/pi/B rw,nosuid - exfat /dev/sdc1 rw
32 22 0:40 / /mnt/share rw - nfs4 server:/x rw
33 22 0:41 / /media/ram rw - tmpfs tmpfs rw
34 22 0:42 / /mediation rw - ext4 /dev/sdd1 rw
nonsense
"""


def test_mounted_media_are_found(tmp_path: Path) -> None:
    table = tmp_path / "mountinfo"
    table.write_text(MOUNTS)
    assert sticks(mounts=table) == [Path("/media/pi/My Stick"), Path("/run/media/pi/B")]
    assert sticks(mounts=tmp_path / "none") == []
    assert sticks(tmp_path / "none") == []
    sticks()  # whatever this machine has


def test_a_file_is_on_the_stick_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, {"a.txt": b"one"})
    for code, word in (
        (errno.ENOSPC, "full"),
        (errno.EROFS, "write-protected"),
        (errno.EIO, "pulled out"),
        (errno.ENODEV, "pulled out"),
        (errno.EFBIG, os.strerror(errno.EFBIG)),
    ):

        def fails(_descriptor: int, code: int = code) -> None:
            raise OSError(code, os.strerror(code))

        with monkeypatch.context() as patched:
            patched.setattr(media.os, "fsync", fails)
            with pytest.raises(StickFault, match=word):
                put(tmp_path, {"a.txt": b"two", "b.txt": b"too"})
        assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt"]
        assert (tmp_path / "a.txt").read_bytes() == b"one"
    with pytest.raises(StickFault, match="pulled out"):
        put(tmp_path / "gone", {"a.txt": b"two"})


def test_the_next_stick_is_taken_where_one_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full, free = tmp_path / "a", tmp_path / "b"
    full.mkdir()
    free.mkdir()
    (tmp_path / ".hidden").mkdir()
    real = media.put

    def sometimes(folder: Path, files: dict[str, bytes]) -> None:
        if folder == full:
            raise StickFault("The stick a is full.")
        real(folder, files)

    monkeypatch.setattr(media, "put", sometimes)
    assert sticks(tmp_path) == [full, free]
    assert put_somewhere(sticks(tmp_path), {"x": b"1"}) == free
    assert (free / "x").read_bytes() == b"1"
    with pytest.raises(StickFault, match="a is full"):
        put_somewhere([full, full], {"x": b"1"})


def test_a_name_is_one_that_every_system_takes() -> None:
    assert part_of_a_name("ნინო ჩხეიძე / =x", 13) == "ნინო"
    assert part_of_a_name("../..", 20) == ""
    assert len(part_of_a_name("ს" * 500, 120).encode()) == 120


# ── By command ───────────────────────────────────────────────────────────────
SCENARIO = [
    {
        "at": 0,
        "do": "open_match",
        "rulebook": "ibgf",
        "length": 3,
        "players": {"left": "Ana", "right": "Boris"},
        "officials": [{"name": "Vera", "role": "referee", "pin": "1234"}],
    },
    {"at": 1, "do": "press", "side": "left"},
    {"at": 30, "do": "sign_in", "pin": "1234"},
    {"at": 31, "do": "suspend"},
    {"at": 32, "do": "open_match", "rulebook": "ibgf", "length": 5, "players": {"left": "C", "right": "D"}},
    {"at": 33, "do": "resign_match", "by": "left"},
    {"at": 34, "do": "take_up"},
    {"at": 35, "do": "resume_match"},
    {"at": 36, "do": "take_up"},
    {"at": 40, "do": "end"},
]


def test_the_word_take_up_and_its_refusal(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in SCENARIO))
    assert run(["simulate", str(file), "--json"]) == 0
    result = json.loads(capfd.readouterr().out)
    assert [(each["line"], each["code"]) for each in result["refused"]] == [(9, "wrong_phase")]
    assert result["phase"] == "stopped"
    assert result["clock"]["reserve_ms"] == {"left": 360000, "right": 360000 - 18000}


def test_a_suspended_match_is_written_by_command(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    table = suspended()
    journal, _ = open_journal(tmp_path / "journal.db", boot="b", wall=lambda: (0, False))
    journal.append([Record(row.type, row.data, row.mono_ns) for row in table.rows()])
    journal.close()
    out = tmp_path / f"m{SUFFIX}"
    assert run(["journal", "hand-over", "last", "--journal", str(tmp_path / "journal.db"), "-o", str(out)]) == 0
    assert from_file(out.read_bytes(), "m").match == "m1"
    capfd.readouterr()
    assert run(["journal", "hand-over", "last", "--journal", str(tmp_path / "journal.db"), "-o", str(tmp_path / "m.txt")]) == 2
    assert SUFFIX in capfd.readouterr().err
