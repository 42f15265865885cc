"""Every key a rulebook may say, as data: what it holds and what it means.

A key is named as the field of `kiosk.domain.rulebook` that it fills, with `_s` behind it where it counts seconds. The sections
are the records inside a `Rulebook`; `[kinds]`, `[infractions.CODE]` and `[[presets]]` have their own form.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kiosk.books.values import Lengths, Rows, Seconds, Sort, SpanRange, Text, Titles, Whole, Word, YesNo
from kiosk.domain.rulebook import (
    BlockRule,
    BreakRule,
    ControlKind,
    FlagPolicy,
    HeadRule,
    Ladder,
    LateRule,
    LateStart,
    Method,
    OnFlag,
    PlayOptions,
    Provide,
    Public,
    PublicClocks,
    RuleText,
    Sanction,
    Sounds,
    StopRule,
    TimeControl,
)


class Game(StrEnum):
    """Which play rules hold."""

    BACKGAMMON = "backgammon"
    LONG = "long"


@dataclass(frozen=True, slots=True)
class Key:
    """One key."""

    sort: Sort
    """What it may hold."""
    doc: str
    """What it means, in one sentence."""


_NAME = Text(r"[a-z0-9]+(-[a-z0-9]+)*", 'a word of small letters, digits and single hyphens in quotes, like "city-open"')

TOP = {
    "extends": Key(_NAME, "The rulebook whose keys hold wherever this file says nothing."),
    "name": Key(_NAME, "The rulebook's word in commands and files; without it the file's name holds."),
    "title": Key(Titles(Text()), "What people call it. Replaced whole."),
    "game": Key(Word(Game), "Which play rules the legality tool uses."),
    "lengths": Key(Lengths(), "Match lengths offered; any from 1 to 99 remains possible."),
    "cube": Key(YesNo(), "Whether the cube is used."),
    "crawford": Key(YesNo(), "Whether the Crawford rule holds in matches."),
    "jacoby": Key(YesNo(), "Whether the Jacoby rule holds in free sessions; never in matches."),
    "automatic_doubles": Key(YesNo(), "Whether tied opening rolls may double the cube in free sessions; never in matches."),
    "blitz": Key(YesNo(), "Whether this is blitz, which has neither bonus nor breaks."),
    "provide": Key(Word(Provide), "What a match offers besides its clock, unless the organizer says otherwise."),
    "bonus_s": Key(Seconds(), "The bonus time of each side, where it is provided."),
    "bonus_from": Key(Whole(1, 99), "The shortest match that has the bonus."),
}
"""Keys that stand before the first section."""

SECTIONS = {
    "control": {
        "kind": Key(Word(ControlKind), "Which of per_point_s, table_s and flat_s gives the reserve."),
        "per_point_s": Key(Seconds(), "Reserve per point of match length."),
        "table_s": Key(Rows(Seconds()), "Reserve by match length; other lengths are refused. Replaced whole."),
        "flat_s": Key(Seconds(), "One reserve for every length."),
        "delay_s": Key(Seconds(3600), "Delay, give-back or increment per turn."),
        "delay_range_s": Key(SpanRange(Seconds(3600)), "The usual delays; another one is accepted with a warning."),
        "method": Key(Word(Method), "How the delay is granted."),
    },
    "breaks": {
        "table": Key(Rows(Whole(0, 99)), "Breaks per player from a match length on. Replaced whole."),
        "longest_s": Key(Seconds(above_zero=True), "How long a break may last."),
    },
    "on_flag": {
        "policy": Key(Word(FlagPolicy), "What follows when a side's time is used up."),
        "extra_s": Key(Seconds(above_zero=True), "overtime: the extra time a side gets once per match."),
        "points": Key(Whole(1, 99), "penalty_points: what the opponent gets."),
        "refill_s": Key(Seconds(above_zero=True, half=True), "penalty_points, game_loss: the side's new reserve."),
    },
    "late": {
        "rule": Key(Word(LateRule), "How a late start is charged: the clock runs, or points are given."),
        "interval_s": Key(Seconds(above_zero=True), "points: one penalty point per full interval."),
    },
    "stops": {
        "allowed_s": Key(Seconds(above_zero=True), "How long a stop for set-up or fallen dice may last before the table alerts."),
        "unexplained_s": Key(Seconds(), "How long a stop may stand without a reason before the table alerts."),
    },
    "sounds": {
        "last_seconds": Key(Whole(0, 3600), "Ticks in the last seconds of a reserve; 0 is silent."),
        "flag": Key(YesNo(), "Whether the flag is heard."),
    },
    "public": {
        "clocks": Key(Word(PublicClocks), "What people beside the table see of running clocks: times without flags, none, or flags too."),
    },
    "play": {
        "text": Key(Word(RuleText), "The rule text whose articles are cited where a move is judged."),
        "two_from_head": Key(Word(HeadRule), "long: who may take two checkers from the head with the first throw of 3-3, 4-4 or 6-6."),
        "block": Key(Word(BlockRule), "long: when a six-block in front of all the opponent's checkers is looked for."),
        "bear_off_any_lower": Key(YesNo(), "long: whether a checker may be borne off from below the number while higher points are held."),
        "last_roll": Key(YesNo(), "long: whether the second player has a last roll, and with it a draw."),
    },
    "ladder": {
        "first_minor": Key(Word(Sanction), "What is suggested for the first minor infraction of its code."),
        "first_serious": Key(Word(Sanction), "What is suggested for the first serious infraction of its code."),
        "same_game": Key(Word(Sanction), "What is suggested for the same again in the same game, or where play was directly affected."),
        "later_game": Key(Word(Sanction), "What is suggested for the same again in a later game."),
        "note_later": Key(YesNo(), "Whether the same again in a later game is noted as a case for the panel."),
    },
    "kinds": {
        "single": Key(Whole(0, 99), "backgammon: what a plain win multiplies."),
        "gammon": Key(Whole(0, 99), "backgammon: what a gammon multiplies; 0 takes it off the list."),
        "backgammon": Key(Whole(0, 99), "backgammon: what a backgammon multiplies; 0 takes it off the list."),
        "oin": Key(Whole(0, 99), "long: what a plain win multiplies."),
        "mars": Key(Whole(0, 99), "long: what a mars multiplies; 0 takes it off the list."),
        "koks": Key(Whole(0, 99), "long: what a koks multiplies; 0 takes it off the list."),
    },
}
"""Keys by section."""

PRESET = {
    "name": Key(Titles(Text()), "What the organizer reads."),
    "length": Key(Whole(1, 99), "Match length."),
    "reserve_s": Key(Seconds(), "Whole reserve per side; no bonus is added."),
    "delay_s": Key(Seconds(3600), "Delay per turn."),
}
"""Keys of each of the `[[presets]]`; all four are needed."""

CODE = Text(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", "a code of small letters, digits and single underscores, like my_code", longest=40)
"""The word of an infraction."""

INFRACTION = {
    "title": Key(Titles(Text(longest=40)), "What people call it. Replaced whole."),
    "serious": Key(YesNo(), "Whether it is serious; without this key it is minor."),
    "article": Key(Text(), "The text that it rests on."),
    "sanction": Key(Word(Sanction, none="ladder"), "The article's own usual sanction the first time."),
    "repeat": Key(Word(Sanction, none="ladder"), "The article's own sanction for a repetition."),
    "recorded_only": Key(YesNo(), "Whether it is put right and written down, and never punished."),
    "both": Key(YesNo(), "Whether a sanction for both sides is usual."),
}
"""Keys of each of the `[infractions.CODE]`; title and article are needed, said or inherited."""

RECORDS = {
    "control": TimeControl,
    "breaks": BreakRule,
    "on_flag": OnFlag,
    "late": LateStart,
    "stops": StopRule,
    "sounds": Sounds,
    "public": Public,
    "play": PlayOptions,
    "ladder": Ladder,
}
"""The record that a section fills."""

REQUIRED = (("title",), ("game",), ("kinds",), ("control",), ("control", "kind"))
"""What a rulebook must have, said or inherited."""


def documented() -> dict[str, str]:
    """Every key with its sentence and what fits, in the order of a file; tables within as `presets.name`, `infractions.CODE.title`."""
    keys = dict(TOP)
    for section, inside in {**SECTIONS, "presets": PRESET, "infractions.CODE": INFRACTION}.items():
        keys |= {f"{section}.{name}": key for name, key in inside.items()}
    return {name: f"{key.doc} Give {key.sort.wants}." for name, key in keys.items()}
