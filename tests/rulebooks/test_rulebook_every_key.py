"""Every key is documented, and every field of the shape can be set from a file."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from kiosk.books import Library, documented
from kiosk.books.keys import INFRACTION, PRESET, RECORDS, SECTIONS, TOP
from kiosk.domain.rulebook import Infraction, Kind, Preset, Rulebook, Sanction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

EVERYTHING = """
extends = "ibgf"
name = "other"
title = "Other"
game = "long"
lengths = [2, 4]
cube = false
crawford = false
jacoby = false
automatic_doubles = false
blitz = true
provide = "neither"
bonus_s = 1
bonus_from = 9
[kinds]
single = 0
gammon = 0
backgammon = 0
oin = 1
mars = 2
koks = 4
[control]
kind = "table"
per_point_s = 1
table_s = { 2 = 10, 4 = 20 }
flat_s = 7
delay_s = 4
delay_range_s = [1, 9]
method = "bronstein"
[breaks]
table = { 6 = 1 }
longest_s = 240
[on_flag]
policy = "game_loss"
extra_s = 90
points = 2
refill_s = 30
[late]
rule = "points"
interval_s = 120
[stops]
allowed_s = 20
unexplained_s = 5
[sounds]
last_seconds = 10
flag = true
[public]
clocks = "flags"
[play]
text = "003"
two_from_head = "both"
block = "none"
bear_off_any_lower = true
last_roll = true
[ladder]
first_minor = "warning"
first_serious = "penalty_point"
same_game = "match_loss"
later_game = "remark"
note_later = false
[infractions.late]
title = { en = "Tardy", uk = "Пізно" }
serious = true
article = "house rule 3"
sanction = "penalty_point"
repeat = "game_loss"
both = true
[infractions.illegal_move]
recorded_only = false
[infractions.stop_accidental]
sanction = "ladder"
[infractions.phone_rang]
title = "Phone rang"
article = "house rule 4"
[[presets]]
name = "Preset"
length = 4
reserve_s = 33
delay_s = 3
"""


def spelled(names: Iterable[str]) -> set[str]:
    return {name.removesuffix("_s") for name in names}


def test_every_field_has_its_key_and_every_key_its_field() -> None:
    records = {*RECORDS, "kinds", "presets", "infractions"}
    assert spelled(TOP) - {"extends", "title"} | records | {"titles"} == {field.name for field in fields(Rulebook)}
    for section, record in RECORDS.items():
        assert spelled(SECTIONS[section]) == {field.name for field in fields(record)}
    assert spelled(PRESET) - {"name"} | {"names"} == {field.name for field in fields(Preset)}
    assert set(SECTIONS["kinds"]) == set(Kind) - {Kind.PASS}
    assert {*INFRACTION} - {"title"} | {"titles", "code"} == {field.name for field in fields(Infraction)}


def test_every_field_can_be_set_from_a_file(write: Callable[[str, str], Path], tmp_path: Path) -> None:
    write("everything.toml", EVERYTHING)
    library = Library([tmp_path])
    unlike = replace(library.load("ibgf"), jacoby=True, automatic_doubles=True)
    book = library.load("other")

    def same(one: Any, other: Any) -> list[str]:
        return [field.name for field in fields(one) if getattr(one, field.name) == getattr(other, field.name)]

    assert same(unlike, book) == []
    for section in RECORDS:
        assert same(getattr(unlike, section), getattr(book, section)) == []
    assert same(unlike.presets[0], book.presets[0]) == []
    late, *_ = book.infractions
    assert late == Infraction(
        "late",
        (("en", "Tardy"), ("uk", "Пізно")),
        serious=True,
        article="house rule 3",
        sanction=Sanction.PENALTY_POINT,
        repeat=Sanction.GAME_LOSS,
        both=True,
    )
    by_code = {infraction.code: infraction for infraction in book.infractions}
    assert by_code["illegal_move"].recorded_only is False
    assert by_code["stop_accidental"].sanction is None
    assert book.infractions[-1] == Infraction("phone_rang", (("en", "Phone rang"),), serious=False, article="house rule 4")


def test_every_key_is_documented_by_a_sentence_that_says_what_fits() -> None:
    told = documented()
    assert len(told) == len(TOP) + len(PRESET) + len(INFRACTION) + sum(map(len, SECTIONS.values()))
    for key, sentence in told.items():
        assert sentence[0].isupper() or ": " in sentence, key
        assert ". Give " in sentence, key
        assert sentence.endswith("."), key
