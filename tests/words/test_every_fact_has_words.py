"""Every fact, alert and word of the domain can be told in a sentence."""

from __future__ import annotations

import gettext
import json
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from kiosk import codec, say, words
from kiosk.books import Library
from kiosk.domain import facts as f
from kiosk.domain.facts import AppealTo, CheckItem, Outcome, Permit, StopReason
from kiosk.domain.officials import Role
from kiosk.domain.rulebook import FlagPolicy, Kind, Method, Sanction
from kiosk.domain.rulings import Ground
from kiosk.domain.state import Halt
from kiosk.domain.types import Instant, Pair, Side, Span, seconds

GOLDEN: dict[str, list[str]] = json.loads((Path(__file__).parents[1] / "codec" / "golden.json").read_text(encoding="utf-8"))
FACTS = [(name, text) for name, texts in GOLDEN.items() for text in texts]
NAMES = Pair("Ana", "Boris")
OPENED = codec.decode("match_opened", GOLDEN["match_opened"][0])
assert isinstance(OPENED, f.MatchOpened)
SETUP = replace(OPENED.setup, infractions=Library([]).load("ibgf").infractions)


def told(fact: Any) -> str:
    return words.fact_words(fact, NAMES, SETUP, "en")


def otherwise(fact: Any) -> list[Any]:
    """The fact with each of its choices taken the other way."""
    assert is_dataclass(fact)
    other: list[Any] = []
    for each in fields(fact):
        value: Any = getattr(fact, each.name)
        if isinstance(value, bool):
            other.append(replace(fact, **{each.name: not value}))
        elif isinstance(value, Side):
            other.append(replace(fact, **{each.name: value.other}))
        elif each.name == "by" and isinstance(value, str) and not isinstance(fact, f.HallFact):  # there it is a person's name
            other.append(replace(fact, by="referee"))
    return other


@pytest.mark.parametrize(("name", "text"), FACTS)
def test_every_fact_is_told_and_so_is_its_opposite(name: str, text: str) -> None:
    fact: Any = codec.decode(name, text)
    for each in (fact, *otherwise(fact)):
        sentence = told(each)
        assert sentence[0].isupper() or sentence.startswith(("15", "Not"))
        assert "{" not in sentence
        assert "_" not in sentence


def test_a_match_that_was_taken_over_says_what_is_in_doubt() -> None:
    at = Instant(0)

    def taken(uncertain: Span | None) -> str:
        return told(f.MatchTakenOver(at, at, uncertain, "12", "ab", "Vera", Role.REFEREE))

    first = "Vera took the running match over here; it came from table 12."
    assert taken(Span(0)) == first
    assert taken(seconds(2.5)) == f"{first} At most 3 s are in doubt and are not charged."
    assert taken(None) == f"{first} How long its clock ran on there is not known; nothing of that is charged."


def test_a_placed_match_says_where() -> None:
    assert words.placed_words("Open", "3", "12", practice=True) == "Open · round 3 · table 12 · practice"
    assert words.placed_words("", "", "", practice=False) == ""


def test_what_a_fact_leaves_open_is_said() -> None:
    at = Instant(0)
    assert told(f.ClockStopped(at, None, None)) == "Stopped"
    assert told(f.ClockStopped(at, None, StopReason.DICE)) == "Stopped: Dice fell"
    assert told(f.CubeSet(at, 2, None, "")) == "The cube was set: 2, in the middle"
    assert told(f.CubeSet(at, 2, Side.LEFT, "")) == "The cube was set: 2, Ana"
    assert told(f.TimeAdjusted(at, Side.LEFT, Span(-seconds(30)), "")).endswith("−30 s")
    assert told(f.MatchOpened(at, "m", replace(SETUP, length=None))).startswith("Opened: free session")
    assert told(f.PowerRestored(at, at, None, Span(0))) == "The power was off; nobody knows how long."
    assert (
        told(f.PowerRestored(at, at, seconds(90), seconds(0.5)))
        == "The power was off for 1:30. At most 1 s is in doubt and is not charged."
    )
    refills = [
        told(f.TimeRefilled(at, Side.LEFT, policy, seconds(60)))
        for policy in (FlagPolicy.OVERTIME, FlagPolicy.GAME_LOSS, FlagPolicy.PENALTY_POINTS)
    ]
    assert len(set(refills)) == 3


def test_every_alert_is_told() -> None:
    for code in words.ALERTS:
        assert "{" not in words.alert_words(code, Side.LEFT, "", NAMES)
    assert words.alert_words("button_held", None, "", NAMES).startswith("Somebody")
    assert [words.alert_words("new_one", None, "what it says", NAMES), words.alert_words("new_one", None, "", NAMES)] == [
        "what it says",
        "new_one",
    ]
    assert len({words.refilled_words(policy, "Ana") for policy in FlagPolicy}) == 3


def test_a_pause_that_nobody_ordered_says_only_why() -> None:
    assert words.hall_words(f.HallPaused(Instant(0), "Eva", "fire\nalarm")) == "Eva paused the hall: fire alarm"
    assert words.hall_words(f.HallPaused(Instant(0), "", "Go elsewhere.")) == "The clocks were stopped here: Go elsewhere."


def test_every_word_of_the_domain_is_told() -> None:
    assert len(set(map(words.reason_words, (*StopReason, *Halt)))) == len(StopReason) + len(Halt)
    assert all(map(words.role_words, Role))
    assert all(map(words.sanction_words, (None, *Sanction)))
    assert len(set(map(words.outcome_words, Outcome))) == len(Outcome)
    assert len(set(map(words.appeal_to_words, AppealTo))) == 2
    assert all(map(words.permit_words, Permit))
    assert all(map(words.method_words, Method))
    assert all(map(words.ground_words, Ground))
    assert all(map(words.kind_words, Kind))
    assert words.capital("warning") == "Warning"
    assert words.result_words(replace(SETUP, cube=False), Kind.GAMMON, 1) == "gammon"
    assert words.infraction_words(None, "eating", "en") == "eating"
    assert all(all(words.item_words(replace(SETUP, game=game), item, NAMES)) for game in ("long", "backgammon") for item in CheckItem)


def test_how_a_match_ended_is_told() -> None:
    assert words.how_words("flag", "Ana") == "Ana wins by the flag"
    assert words.how_words("ruling", "") == "Both lost the match by a ruling"


def test_a_reason_of_the_tables_own_is_told_in_the_language_spoken_and_a_typed_one_as_it_was_typed() -> None:
    class Loud(gettext.NullTranslations):
        def gettext(self, message: str) -> str:
            return message if "{" in message else message.upper()

    try:
        say.install(Loud())
        assert [words.reason_told("wrong cube"), words.reason_told("gammon"), words.reason_told("")] == ["WRONG CUBE", "gammon", ""]
        assert told(f.GameRestarted(Instant(0), "position lost")).endswith("POSITION LOST")
    finally:
        say.use("en")
