"""The words of the scenario format as data: each word's arguments and of what kind each is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kiosk.app.scenario_kinds import (
    Read,
    both,
    contact,
    date_step,
    duration,
    flag_policy,
    names,
    nanoseconds,
    officials,
    or_null,
    paper_end,
    paper_games,
    pixels,
    png,
    same_or_both,
    strokes,
    text,
    texts,
    throws,
    truth,
    whole,
    word_of,
)
from kiosk.domain.facts import AppealTo, CheckItem, OnPaper, Outcome, Party, Permit, StopReason
from kiosk.domain.rulebook import Kind, Method, Provide, Sanction
from kiosk.domain.types import Side

if TYPE_CHECKING:
    from collections.abc import Mapping

SIDE = word_of(*Side, read=Side)
SIDE_OR_BOTH = word_of("left", "right", "both")
SIDE_OR_REFEREE = word_of("left", "right", "referee")
KIND = word_of(*(kind for kind in Kind if kind is not Kind.PASS), read=Kind)
SANCTION = word_of(*Sanction, read=Sanction)


@dataclass(frozen=True)
class Word:
    """One word of the format."""

    needed: Mapping[str, Read] = field(default_factory=dict)
    """Arguments that must be there."""
    optional: Mapping[str, Read] = field(default_factory=dict)
    """Arguments that may be there."""


_BY = {"by": SIDE}
_REASON = {"reason": text}

_MATCH: dict[str, Read] = {"rulebook": text, "length": or_null(whole), "players": both(names)}
_AS_AGREED: dict[str, Read] = {
    "reserve_s": same_or_both(nanoseconds),
    "delay_s": nanoseconds,
    "method": word_of(*Method, read=Method),
    "provide": word_of(*Provide, read=Provide),
    "crawford": truth,
    "crawford_played": truth,
    "cube": truth,
    "jacoby": truth,
    "backgammon_counts": whole,
    "on_flag": flag_policy,
    "score": both(whole),
    "officials": officials,
    "round_start_s": duration,
}

_PLACE: dict[str, Read] = {"event": text, "round": text, "table": text, "practice": truth}

_FROM = {"phone": text}
"""The PIN of an official who does it from elsewhere."""

_CHOUETTE_CLOCK = {"delay_s": nanoseconds, "reserve_s": nanoseconds}

WORDS: dict[str, Word] = {
    "open_match": Word(_MATCH, {**_AS_AGREED, **_PLACE}),
    "enter_paper": Word(
        {**_MATCH, "games": paper_games},
        {"end": or_null(paper_end), "played": text, "signed": both(word_of(*OnPaper, read=OnPaper)), **_AS_AGREED},
    ),
    "press": Word({"side": SIDE}, {"held_s": duration}),
    "edges": Word({"side": SIDE, "edges": contact}),
    "stop": Word({}, {"reason": word_of(*StopReason, read=StopReason), "by": SIDE_OR_REFEREE}),
    "resume": Word(),
    "double": Word(_BY),
    "take": Word(_BY),
    "pass": Word(_BY),
    "automatic_double": Word(),
    "game": Word({"winner": SIDE, "kind": KIND}, {"cube": whole}),
    "confirm": Word(_BY),
    "dispute": Word(_BY),
    "correct": Word({"game": whole, "winner": SIDE, "kind": KIND}, {"cube": whole, **_REASON}),
    "break": Word(_BY),
    "end_break": Word(_BY),
    "claim_flag": Word({"by": SIDE_OR_REFEREE}),
    "start_late": Word({"side": SIDE_OR_BOTH}),
    "arrive": Word({"side": SIDE_OR_BOTH}),
    "press_back": Word({"by": SIDE_OR_REFEREE}),
    "swap_start": Word({"by": SIDE_OR_REFEREE}),
    "swap_seats": Word(),
    "check": Word({"item": word_of(*CheckItem, read=CheckItem)}, {"done": truth}),
    "resign_match": Word(_BY),
    "end_session": Word(),
    "call_referee": Word(_BY),
    "undo": Word({}, {"of": word_of("last", "play", "act")}),
    "sign": Word({"side": SIDE}, {"protest": truth, "strokes": strokes}),
    "wall_clock": Word({"step_s": date_step}),
    "power_cut": Word({"off_s": duration}, {"beat_s": duration}),
    "render": Word({"file": png}, {"size": pixels, "theme": word_of("dark", "light")}),
    "end": Word(),
    "forfeit": Word({"side": SIDE_OR_BOTH, **_REASON}),
    "sign_in": Word({"pin": text}),
    "badge": Word({"number": text}),
    "sign_out": Word(),
    "penalty": Word(
        {"side": SIDE_OR_BOTH, "infraction": text},
        {
            "sanction": SANCTION,
            "kind": KIND,
            "note": text,
            "panel": texts,
            "duplicate": word_of("keep", "merge"),
            "affects_play": truth,
            "record_only": truth,
            **_FROM,
        },
    ),
    "attach_play": Word(
        {"ruling": whole, "position": text}, {"dice": text, "move": text, "verdict": text, "article": text, "mover": or_null(SIDE)}
    ),
    "note_turn": Word({"game": whole, "n": whole, "side": SIDE, "what": text}),
    "void": Word({"ruling": whole, **_REASON}, _FROM),
    "adjust": Word({"side": SIDE, "seconds": nanoseconds, **_REASON}),
    "set_reserves": Word({"left": nanoseconds, "right": nanoseconds, **_REASON}),
    "set_control": Word({}, {"delay_s": nanoseconds, "method": word_of(*Method, read=Method), **_REASON}),
    "restart_delay": Word(),
    "clear_flag": Word({"side": SIDE, **_REASON}),
    "cancel_next_delay": Word({"side": SIDE}),
    "set_cube": Word({"value": whole, "owner": or_null(SIDE), **_REASON}),
    "restart_game": Word(_REASON),
    "set_state": Word(
        {
            "score": both(whole),
            "reserve_s": same_or_both(nanoseconds),
            "turn": or_null(SIDE),
            "delay_used_s": nanoseconds,
            "cube": whole,
            "owner": or_null(SIDE),
            "game": whole,
            "crawford_played": truth,
            "breaks": both(whole),
        }
    ),
    "suspend": Word({}, {"position": text, "note": text}),
    "resume_match": Word(),
    "take_up": Word({}, {"match": text}),
    "dice_change": Word(_BY),
    "permit": Word({"side": SIDE, "what": word_of(*Permit, read=Permit)}, {"until_s": duration}),
    "back": Word({"side": SIDE, "what": word_of(*Permit, read=Permit)}),
    "appeal": Word({"ruling": whole, "by": SIDE}, {"to": word_of(*AppealTo, read=AppealTo)}),
    "decide_appeal": Word(
        {
            "appeal": whole,
            "outcome": word_of(*Outcome, read=Outcome),
        },
        {"names": texts},
    ),
    "receive": Word({}, _FROM),
    "pause_hall": Word({"why": text}, {"by": text}),
    "lift_pause": Word({}, {"by": text}),
    "message": Word({"n": whole, "by": text, "text": text}),
    "read_message": Word({"n": whole}),
    "confirm_seat": Word({"match": text, "version": whole, "side": SIDE, "here": truth}),
    "move_start": Word({"by": text, "start_s": or_null(duration)}),
    "referee_coming": Word({"by": text}),
    "chouette_open": Word(
        {"players": texts}, {"throws": throws, "jacoby": truth, "automatic": truth, "backgammon_counts": whole, **_CHOUETTE_CLOCK}
    ),
    "chouette_tie": Word(),
    "chouette_want": Word({"by": text}, {"wants": truth}),
    "chouette_double": Word(),
    "chouette_answer": Word({"by": text, "takes": truth}),
    "chouette_win": Word({"by": word_of(*Party, read=Party), "kind": KIND}),
    "chouette_join": Word({"player": text}),
    "chouette_leave": Word({"player": text}),
    "chouette_end": Word(),
    "chouette_undo": Word(),
    "chouette_clock": Word({}, _CHOUETTE_CLOCK),
    "chouette_stop": Word(),
    "chouette_resume": Word(),
    "take_over": Word({"table": text, "pin": text}, {"uncertain_s": or_null(duration)}),
}
"""Every word of the format."""


def documented_words() -> dict[str, tuple[str, ...]]:
    """Every word with the names of its arguments, the needed ones first."""
    return {name: (*word.needed, *word.optional) for name, word in WORDS.items()}
