from __future__ import annotations

import re

from reference import PATH, rows

from kiosk.books import Library, documented


def test_every_key_of_an_infraction_and_of_the_ladder_stands_in_the_reference() -> None:
    assert list(rows("Infractions")) == sorted(
        (key for key in documented() if key.startswith(("infractions.", "ladder."))),
        key=lambda key: (key.startswith("ladder."), list(documented()).index(key)),
    )


def test_every_code_stands_there_as_what_it_is() -> None:
    section = PATH.read_text(encoding="utf-8").split("\n## Infractions\n")[1].split("\n## ")[0]
    minor, serious = section.split("Minor in the bundled rulebooks:")[1].split("Serious:")
    told = [set(re.findall(r"`(\w+)`", part)) for part in (minor, serious)]
    catalogue = Library().load("ibgf").infractions
    assert told == [{one.code for one in catalogue if one.serious is wanted} for wanted in (False, True)]
