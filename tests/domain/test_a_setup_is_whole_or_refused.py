"""Time controls and setups (domain rules 2.6–2.8, 3.1): every known control can be said, what cannot be is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from kiosk.books import Library
from kiosk.domain.errors import CommandRefused
from kiosk.domain.rulebook import ControlKind, FlagPolicy, Infraction, Kind, LateStart, Method, OnFlag, Provide, Rulebook, Sounds, StopRule
from kiosk.domain.setup import Control, MatchSetup, Options, check_setup, resolve
from kiosk.domain.types import Pair, Span, seconds

LIBRARY = Library()
NAMES = Pair(("Ann",), ("Bo",))


def made(length: int | None, rulebook: str | Rulebook = "ibgf", **options: Any) -> MatchSetup:
    book = LIBRARY.load(rulebook) if isinstance(rulebook, str) else rulebook
    return resolve(book, Options(length, options.pop("players", NAMES), **options))


@pytest.mark.parametrize(
    ("rulebook", "length", "reserve_s", "delay_s"),
    [
        ("ibgf", 5, 600, 12),
        ("ibgf", 7, 840 + 300, 12),
        ("ibgf", 1, 120, 12),
        ("ibgf-blitz", 1, 30, 10),
        ("ibgf-blitz", 3, 60, 10),
        ("ibgf-blitz", 5, 120, 10),
        ("ibgf-blitz", 7, 180, 10),
        ("rus-long", 3, 360, 8),
        ("circle", 7, 840, 12),
        ("yellowclub", 5, 600, 12),
    ],
)
def test_2_6_what_a_rulebook_gives(rulebook: str, length: int, reserve_s: int, delay_s: int) -> None:
    whole = made(length, rulebook)
    assert whole.reserve == Pair(seconds(reserve_s), seconds(reserve_s))
    assert whole.control.delay == seconds(delay_s)
    assert whole.warnings == ()


@pytest.mark.parametrize(
    ("length", "reserve_s", "delay_s"), [(9, 1080, 8), (7, 840, 14), (3, 60, 10), (5, 120, 9), (5, 600, 15), (5, 750, 18), (13, 3900, 0)]
)
def test_2_6_known_real_controls_can_be_said(length: int, reserve_s: int, delay_s: int) -> None:
    reserve = Pair(seconds(reserve_s), seconds(reserve_s))
    whole = made(length, reserve=reserve, delay=seconds(delay_s))
    assert (whole.reserve, whole.control.delay, whole.bonus) == (reserve, seconds(delay_s), 0)
    assert bool(whole.warnings) is (delay_s < 5)


def test_2_6_flat_and_per_point_in_a_regulation_of_ones_own() -> None:
    book = LIBRARY.load("circle")
    flat = replace(book, control=replace(book.control, kind=ControlKind.FLAT, flat=seconds(3900), delay=Span(0)))
    assert made(11, flat).reserve.left == seconds(3900)


@pytest.mark.parametrize(
    ("length", "score", "reserve_s"),
    [(7, (0, 0), 1140), (7, (3, 2), 540 + 300), (5, (4, 4), 120), (5, (3, 0), 420), (11, (10, 0), 720 + 300)],
)
def test_2_6_a_clock_brought_in_late_has_the_time_for_what_is_left(length: int, score: tuple[int, int], reserve_s: int) -> None:
    assert made(length, score=Pair(*score)).reserve.left == seconds(reserve_s)


@pytest.mark.parametrize(
    ("rulebook", "length", "provide", "bonus_s", "breaks"),
    [
        ("ibgf", 7, None, 300, 0),
        ("ibgf", 5, None, 0, 0),
        ("ibgf", 7, Provide.BREAKS, 0, 1),
        ("ibgf", 7, Provide.NEITHER, 0, 0),
        ("ibgf-blitz", 7, Provide.BONUS, 0, 0),
        ("ibgf-blitz", 7, Provide.BREAKS, 0, 0),
        ("circle", 7, None, 0, 0),
    ],
)
def test_2_7_bonus_or_breaks(rulebook: str, length: int, provide: Provide | None, bonus_s: int, breaks: int) -> None:
    whole = made(length, rulebook, provide=provide)
    assert (whole.bonus, whole.breaks) == (seconds(bonus_s), breaks)


def test_2_6_a_free_session_runs_unclocked_unless_a_reserve_is_given() -> None:
    assert not made(None, "circle").control.clocked
    assert made(None, "circle", reserve=Pair(seconds(60), seconds(90))).control.clocked


REFUSED: list[tuple[str, int | None, str, dict[str, Any]]] = [
    ("nine points in blitz", 9, "ibgf-blitz", {}),
    ("length 0", 0, "ibgf", {}),
    ("length 100", 100, "ibgf", {}),
    ("a score at the length", 5, "ibgf", {"score": Pair(5, 0)}),
    ("a score below 0", 5, "ibgf", {"score": Pair(0, -1)}),
    ("a score below 0 in a session", None, "circle", {"score": Pair(0, -1)}),
    ("no name", 5, "ibgf", {"players": Pair((), ("Bo",))}),
    ("an empty name", 5, "ibgf", {"players": Pair(("Ann",), (" ",))}),
    ("three names", 5, "ibgf", {"players": Pair(("A", "B", "C"), ("Bo",))}),
    ("a negative delay", 5, "ibgf", {"delay": Span(-1)}),
    ("a negative reserve", 5, "ibgf", {"reserve": Pair(Span(-1), Span(5))}),
    ("no time at all", 5, "ibgf", {"reserve": Pair(Span(0), Span(5)), "delay": Span(0)}),
    ("Bronstein without a reserve", 5, "ibgf", {"reserve": Pair(Span(0), Span(5)), "method": Method.BRONSTEIN}),
    ("a backgammon of 4", 5, "ibgf", {"backgammon_counts": 4}),
    ("no penalty points", 5, "ibgf", {"on_flag": OnFlag(FlagPolicy.PENALTY_POINTS, points=0)}),
    ("no overtime", 5, "ibgf", {"on_flag": OnFlag(FlagPolicy.OVERTIME, extra=Span(0))}),
    ("an empty refill", 5, "ibgf", {"on_flag": OnFlag(FlagPolicy.GAME_LOSS, refill=Span(0))}),
    ("a score beyond all measure in a session", None, "circle", {"score": Pair(10**40, 0)}),
    ("a delay beyond all measure", 5, "ibgf", {"delay": Span(10**40)}),
    ("a reserve beyond all measure", 5, "ibgf", {"reserve": Pair(Span(10**40), Span(5))}),
    ("a hundred penalty points", 5, "ibgf", {"on_flag": OnFlag(FlagPolicy.PENALTY_POINTS, points=100)}),
    ("overtime beyond all measure", 5, "ibgf", {"on_flag": OnFlag(FlagPolicy.OVERTIME, extra=Span(10**40))}),
    ("a refill beyond all measure", 5, "ibgf", {"on_flag": OnFlag(FlagPolicy.GAME_LOSS, refill=Span(10**40))}),
    ("a null character in a name", 5, "ibgf", {"players": Pair(("A\0",), ("Bo",))}),
]


@pytest.mark.parametrize(("length", "rulebook", "options"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_cannot_be_is_refused_with_bad_value(length: int | None, rulebook: str, options: dict[str, Any]) -> None:
    with pytest.raises(CommandRefused) as refused:
        made(length, rulebook, **options)
    assert refused.value.code == "bad_value"
    assert refused.value.message.endswith(".")


CHANGED: list[tuple[str, dict[str, Any]]] = [
    ("the length", {"length": 10**30}),
    ("the score", {"score": Pair(4, 9)}),
    ("a name", {"players": Pair(("",), ("Bo",))}),
    ("a match without clocks", {"control": Control(Method.DELAY, Span(0), clocked=False)}),
    ("a game", {"game": "chess"}),
    ("no kinds of win", {"kinds": ()}),
    ("no plain win", {"kinds": ((Kind.GAMMON, 2),)}),
    ("a kind twice", {"kinds": ((Kind.SINGLE, 1), (Kind.SINGLE, 2))}),
    ("a kind of another game", {"kinds": ((Kind.SINGLE, 1), (Kind.KOKS, 3))}),
    ("a kind that is worth nothing", {"kinds": ((Kind.SINGLE, 0),)}),
    ("Jacoby in a match", {"jacoby": True}),
    ("automatic doubles in a match", {"automatic_doubles": True}),
    ("breaks below 0", {"breaks": -1}),
    ("a bonus below 0", {"bonus": Span(-1)}),
    ("a round that never begins", {"round_start": 2**63}),
    ("breaks without length", {"break_longest": Span(0)}),
    ("penalty points without end", {"late": LateStart(interval=Span(0))}),
    ("stops that last for ever", {"stops": StopRule(allowed=Span(10**30))}),
    ("a code twice", {"infractions": (Infraction("a", (), serious=False, article=""),) * 2}),
    ("no code", {"infractions": (Infraction("A b", (), serious=False, article=""),)}),
    ("a title that cannot be seen", {"infractions": (Infraction("a", (("en", "x\u202e"),), serious=False, article=""),)}),
    ("an endless article", {"infractions": (Infraction("a", (), serious=False, article="x" * 201),)}),
    ("a warning with a line break", {"warnings": ("a\nb",)}),
    ("a rulebook's word that drives a terminal", {"rulebook": "\x1b[31m"}),
]


@pytest.mark.parametrize("changes", [row[1] for row in CHANGED], ids=[row[0] for row in CHANGED])
def test_a_setup_that_no_table_would_open_is_refused_wherever_it_comes_from(changes: dict[str, Any]) -> None:
    good = made(5)
    check_setup(good)
    with pytest.raises(CommandRefused) as refused:
        check_setup(replace(good, **changes))
    assert refused.value.code == "bad_value"
    assert refused.value.message.endswith(".")


def test_a_free_session_without_clocks_has_no_time_and_no_breaks() -> None:
    session = made(None, "circle")
    check_setup(session)
    for changes in ({"reserve": Pair(Span(1), Span(0))}, {"breaks": 1}):
        with pytest.raises(CommandRefused):
            check_setup(replace(session, **changes))  # type: ignore[arg-type]


def test_2_11_the_last_seconds_are_silent_unless_the_regulation_wants_them_heard() -> None:
    assert made(5).sounds == Sounds(0, flag=False)
    book = LIBRARY.load("ibgf")
    assert made(5, replace(book, sounds=Sounds(10, flag=True))).sounds == Sounds(10, flag=True)


@pytest.mark.parametrize("last", [-1, 3601, 10**30])
def test_2_11_last_seconds_that_cannot_be_are_refused(last: int) -> None:
    whole = made(5)
    check_setup(replace(whole, sounds=Sounds(3600)))
    with pytest.raises(CommandRefused, match="0 to 3600"):
        check_setup(replace(whole, sounds=Sounds(last)))
