"""An organizer's file extends a rulebook and overrides single keys."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from kiosk.books import Library, check_file
from kiosk.domain.errors import KioskError, RulebookError
from kiosk.domain.rulebook import ControlKind, FlagPolicy, Kind, Method, OnFlag, Preset
from kiosk.domain.types import seconds

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Write = Callable[[str, str], Path]


def test_it_overrides_single_keys_and_inherits_the_rest(write: Write, tmp_path: Path) -> None:
    write("open.toml", 'extends = "ibgf"\ntitle = "City Open"\n[control]\ndelay_s = 15\n[on_flag]\npolicy = "auto"\n')
    library = Library([tmp_path])
    ibgf = library.load("ibgf")
    assert library.names()[-1] == "open"
    assert library.load("open") == replace(
        ibgf,
        name="open",
        titles=(("en", "City Open"),),
        control=replace(ibgf.control, delay=seconds(15)),
        on_flag=OnFlag(FlagPolicy.AUTO),
    )


def test_kinds_are_merged_and_zero_takes_one_off(write: Write, tmp_path: Path) -> None:
    write("koks.toml", 'extends = "rus-long"\n[kinds]\nkoks = 3\n')
    write("no-mars.toml", 'extends = "koks"\nkinds.mars = 0\n')
    library = Library([tmp_path])
    assert dict(library.load("koks").kinds) == {Kind.OIN: 1, Kind.MARS: 2, Kind.KOKS: 3}
    assert dict(library.load("no-mars").kinds) == {Kind.OIN: 1, Kind.KOKS: 3}


def test_tables_by_length_lists_and_presets_are_replaced_whole(write: Write, tmp_path: Path) -> None:
    write(
        "other.toml",
        'extends = "ibgf-blitz"\nlengths = [3, 5]\n[control]\ntable_s = { 5 = 150, 3 = 90 }\n[breaks.table]\n6 = 1\n'
        '[[presets]]\nname = "x"\nlength = 3\nreserve_s = 90.5\ndelay_s = 9\n',
    )
    book = Library([tmp_path]).load("other")
    assert book.control.table == ((3, seconds(90)), (5, seconds(150)))
    assert book.breaks.table == ((6, 1),)
    assert book.breaks.longest == seconds(300)
    assert book.lengths == (3, 5)
    assert book.presets == (Preset((("en", "x"),), 3, seconds(90.5), seconds(9)),)


def test_a_file_may_give_its_own_name(write: Write, tmp_path: Path) -> None:
    write("Городской турнир.toml", 'extends = "ibgf"\nname = "city"\n')
    library = Library([tmp_path])
    assert library.names()[-1] == "city"
    assert library.load("city").name == "city"


def test_a_file_may_stand_alone(write: Write, tmp_path: Path) -> None:
    write("own.toml", 'title = "Own"\ngame = "long"\n[kinds]\noin = 1\n[control]\nkind = "flat"\nflat_s = 600\n')
    assert check_file(tmp_path / "own.toml", Library()) == []
    assert Library([tmp_path]).load("own").control.flat == seconds(600)


@pytest.mark.parametrize(
    ("control", "kind", "warnings"),
    [
        ("per_point_s = 120\ndelay_s = 15", ControlKind.PER_POINT, 0),
        ("per_point_s = 150\ndelay_s = 18", ControlKind.PER_POINT, 0),
        ('kind = "flat"\nflat_s = 3900\ndelay_s = 0', ControlKind.FLAT, 1),
    ],
    ids=["2 min a point + 15 s", "doubles", "65 min flat"],
)
def test_the_known_real_controls_can_be_said(write: Write, control: str, kind: ControlKind, warnings: int) -> None:
    path = write("real.toml", f'extends = "ibgf"\n[control]\n{control}\n')
    problems = check_file(path, Library())
    assert [problem.warning for problem in problems] == [True] * warnings
    assert Library([path.parent]).load("real").control.kind is kind


def test_a_mark_in_front_and_foreign_line_ends_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "desk.toml").write_bytes(b'\xef\xbb\xbfextends = "ibgf"\r\n[control]\r\nmethod = "fischer"\r\n')
    assert Library([tmp_path]).load("desk").control.method is Method.FISCHER


def test_a_delay_outside_the_usual_range_is_a_warning_and_loads(write: Write, tmp_path: Path) -> None:
    path = write("fast.toml", 'extends = "ibgf"\n[control]\ndelay_s = 2\n')
    (problem,) = check_file(path, Library())
    assert (problem.warning, problem.line, problem.key) == (True, 3, "control.delay_s")
    assert Library([tmp_path]).load("fast").control.delay == seconds(2)


def test_a_rule_inherited_without_its_cube_sleeps(write: Write) -> None:
    assert check_file(write("plain.toml", 'extends = "ibgf"\ncube = false\n'), Library()) == []


def test_a_bundled_word_cannot_be_taken(write: Write, tmp_path: Path) -> None:
    write("sly.toml", 'extends = "circle"\nname = "ibgf"\n')
    library = Library([tmp_path])
    assert library.names().count("ibgf") == 1
    (problem,) = check_file(tmp_path / "sly.toml", library)
    assert (problem.line, problem.key) == (2, "name")
    assert library.load("ibgf").jacoby is False
    write("ibgf.toml", 'extends = "circle"\n')
    with pytest.raises(RulebookError, match="bundled"):
        Library([tmp_path]).load("ibgf")


def test_two_files_of_one_word_are_refused(write: Write, tmp_path: Path) -> None:
    write("a.toml", 'extends = "ibgf"\nname = "city"\n')
    path = write("city.toml", 'extends = "ibgf"\n')
    library = Library([tmp_path])
    with pytest.raises(RulebookError, match="rename one"):
        library.load("city")
    (problem,) = check_file(path, library)
    assert (problem.key, problem.warning) == ("name", False)


def test_a_circle_of_files_is_refused(write: Write, tmp_path: Path) -> None:
    write("a.toml", 'extends = "b"\n')
    write("b.toml", '\nextends = "c"\n')
    write("c.toml", 'extends = "a"\n')
    write("self.toml", 'extends = "self"\n')
    library = Library([tmp_path])
    with pytest.raises(RulebookError, match='"a" extends "b", that extends "c", that extends "a": a circle'):
        library.load("a")
    with pytest.raises(RulebookError, match='"self" extends "self"'):
        library.load("self")


def test_a_fault_in_the_extended_file_is_told_with_both_places(write: Write, tmp_path: Path) -> None:
    write("base.toml", 'extends = "ibgf"\ncube = 1\n')
    path = write("top.toml", '\nextends = "base"\nblitz = "no"\n')
    problems = check_file(path, Library([tmp_path]))
    assert [(problem.line, problem.key) for problem in problems] == [(2, "extends"), (3, "blitz")]
    assert "base.toml, line 2, cube" in problems[0].sentence


def test_an_unknown_word_is_told_with_the_known_ones() -> None:
    with pytest.raises(KioskError, match=r'no rulebook "ibfg"; there are ibgf, ibgf-blitz.*Did you mean "ibgf"\?'):
        Library().load("ibfg")


def test_a_mended_file_can_be_asked_for_again(write: Write, tmp_path: Path) -> None:
    library = Library([tmp_path])
    write("late.toml", "cube = \n")
    assert "late" in library.names()
    with pytest.raises(RulebookError, match=r"late\.toml, line 1, cube"):
        library.load("late")
    write("late.toml", 'extends = "ibgf"\n')
    assert library.load("late").cube


def test_a_load_says_how_many_problems_there_are(write: Write, tmp_path: Path) -> None:
    write("two.toml", 'extends = "ibgf"\ncube = 1\nblitz = 1\n')
    with pytest.raises(RulebookError, match="1 more"):
        Library([tmp_path]).load("two")


def test_a_folder_that_does_not_exist_holds_nothing(tmp_path: Path) -> None:
    assert Library([tmp_path / "none"]).names() == Library().names()


def test_a_title_in_a_language_that_the_screen_does_not_speak_is_a_warning(write: Write, tmp_path: Path) -> None:
    path = write("far.toml", 'extends = "ibgf"\n[infractions.late.title]\nen = "Late"\nxx = "Laat"\nmk = "Доцна"\n')
    (problem,) = check_file(path, Library())
    assert (problem.warning, problem.line, problem.key) == (True, 4, "infractions.late.title.xx")
    assert problem.sentence.endswith("it speaks en, ru, uk, mk.")
    assert Library([tmp_path]).load("far").title("en")
