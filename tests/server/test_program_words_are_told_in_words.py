from __future__ import annotations

import ast
from datetime import UTC
from pathlib import Path

import pytest

from kiosk import say
from kiosk.server import told
from kiosk.server.audit import COMMAND_LINE
from kiosk.sheets.verify import ITEMS
from kiosk.sync.wire import KINDS

ROOM = Path(told.__file__).parent


def notes() -> tuple[set[str], set[str]]:
    """Every act that the server writes into its audit, and what each is told with."""
    acts, names = set[str](), set[str]()
    for path in ROOM.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "note":
                found = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
                acts |= set(found[:1])
                names |= {each.arg for each in node.keywords if each.arg} if found else set()
    return acts, names


def test_every_order_to_a_table_has_words() -> None:
    assert set(told.ORDERS) == set(KINDS)
    assert told.order_words("lift_pause") == "the pause is over"
    assert told.order_words("of_a_newer_server") == "of_a_newer_server"


def test_every_act_of_the_audit_and_every_detail_of_it_has_words() -> None:
    acts, names = notes()
    assert len(acts) > 30
    assert acts == set(told.ACTS)
    assert names <= set(told.DETAILS)
    assert told.act_words("hall_paused") == "clocks paused"
    assert told.act_words("of_a_newer_server") == "of a newer server"


@pytest.mark.parametrize(
    ("who", "words"),
    [
        (COMMAND_LINE, "command line"),
        ("Eva (chief)", "Eva (chief referee)"),
        ("Ana (Skopje) (referee)", "Ana (Skopje) (referee)"),
        ("192.0.2.1", "192.0.2.1"),
        ("Eva (guest)", "Eva (guest)"),
    ],
)
def test_whoever_acted_is_told_with_the_role_in_words(who: str, words: str) -> None:
    assert told.who_words(who) == words


def test_what_an_act_was_done_to_is_told_in_words_with_times_and_dates() -> None:
    what = {
        "starts_ns": 1_700_000_000_000_000_000,
        "reserve_ms": {"left": 1_080_000, "right": 900_000},
        "delay_ms": 12_000,
        "players": {"left": ["Ana"], "right": ["Boris", "Vera"]},
        "practice": True,
        "pin": False,
        "reason": "",
        "old": "referee",
        "new": "chief",
        "sides": ["left"],
        "sanction": "penalty_point",
        "infraction": "illegal_move",
        "n": 3,
        "table": "12",
    }
    assert told.details(what, UTC) == [
        ("start", "2023-11-14 22:13"),
        ("reserve", "left 18:00; right 15:00"),
        ("delay", "0:12.0"),
        ("players", "left Ana; right Boris, Vera"),
        ("practice", "yes"),
        ("old", "referee"),
        ("new", "chief referee"),
        ("who", "left"),
        ("sanction", "penalty point"),
        ("infraction", "illegal move"),
        ("n", "3"),
        ("table", "12"),
    ]


def test_words_are_asked_for_in_the_language_of_the_page() -> None:
    with say.speaking("uk"):
        spoken = told.who_words("Eva (organizer)")
    assert spoken != "Eva (organizer)"


def test_a_detail_of_the_audit_shares_no_text_with_an_entry_of_a_sheet_that_means_something_else() -> None:
    assert told.DETAILS["event"] not in ITEMS.values(), "a tournament is no thing that happened: other languages have two words"
