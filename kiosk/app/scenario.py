"""Scenarios: one table's evening as JSON Lines. Reading and checking them, and turning their lines into commands.

A line that is wrong ends everything before anything is played, with `FILE:LINE: what is wrong`. Whether a value of the right kind
fits the match is not asked here: the table refuses it at play.
"""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from kiosk.app.scenario_kinds import duration, text
from kiosk.app.scenario_words import WORDS, Word, documented_words
from kiosk.domain.errors import CommandRefused, KioskError, Refusal
from kiosk.domain.facts import OnPaper
from kiosk.domain.officials import badge_secret
from kiosk.domain.setup import Options, resolve
from kiosk.domain.state import Place
from kiosk.domain.types import Instant, Pair, Span
from kiosk.say import _
from kiosk.session import commands as c
from kiosk.session.decide_clock import all_sides

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from kiosk.books import Library
    from kiosk.domain.facts import Fact
    from kiosk.domain.rulebook import OnFlag
    from kiosk.domain.setup import MatchSetup
    from kiosk.ports import Roster
    from kiosk.session import Session


OPENINGS = ("open_match", "enter_paper")
"""Words that bring a match to the table."""


class ScenarioError(KioskError, ValueError):
    """You erred: a scenario file is wrong; the text is `FILE:LINE: what`."""


@dataclass(frozen=True)
class Step:
    """One line of a scenario."""

    line: int
    """Its number in the file, from 1."""
    at_ns: int
    """Nanoseconds since the scenario's start."""
    word: str
    """What is done."""
    args: dict[str, Any]
    """With what; absent arguments are absent."""


def load(path: Path, rulebooks: Collection[str]) -> list[Step]:
    """Read a whole scenario.

    Args:
        path: The file.
        rulebooks: The rulebooks that this table knows.

    Raises:
        ScenarioError: The file or one of its lines is wrong.
    """
    return parse(str(path), _read(path), rulebooks)


def _read(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise ScenarioError(_("{path}: the scenario cannot be read: {why}.", path=path, why=why)) from error
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ScenarioError(_("{path}:{line}: this is not UTF-8 text; save the file as UTF-8.", path=path, line=line)) from error


def parse(name: str, contents: str, rulebooks: Collection[str]) -> list[Step]:
    """Check every line of a scenario's text.

    Args:
        name: The file's name, for messages.
        contents: Its text.
        rulebooks: The rulebooks that this table knows.

    Raises:
        ScenarioError: A line is wrong.
    """
    steps: list[Step] = []
    for line, raw in enumerate(contents.split("\n"), start=1):
        if not raw.strip():
            continue
        try:
            steps.append(_step(line, raw, steps[-1].at_ns if steps else 0, rulebooks))
        except ValueError as error:
            raise ScenarioError(f"{name}:{line}: {error}") from error
    return steps


def _step(line: int, raw: str, earliest: int, rulebooks: Collection[str]) -> Step:
    plain = _object(raw)
    at = earliest
    if "at" in plain:
        at = _checked("at", duration, plain.pop("at"))
        if at < earliest:
            raise ValueError(_("time runs backwards: 'at' is earlier than in the line before."))
    if "do" not in plain:
        raise ValueError(_("'do' is missing, the word that says what is done."))
    word = _checked("do", text, plain.pop("do"))
    if word not in WORDS:
        raise ValueError(_("{shown} is no word of the scenario format{nearest}.", shown=_shown(word), nearest=_nearest(word, WORDS)))
    args = _arguments(word, WORDS[word], plain)
    if word in OPENINGS and args["rulebook"] not in rulebooks:
        raise ValueError(
            _("there is no rulebook {shown}{nearest}.", shown=_shown(args["rulebook"]), nearest=_nearest(args["rulebook"], rulebooks))
        )
    return Step(line, at, word, args)


def _object(raw: str) -> dict[str, Any]:
    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in items:
            if key in found:
                raise ValueError(_("{key} stands twice in this line.", key=repr(key)))
            found[key] = value
        return found

    try:
        plain = json.loads(raw, object_pairs_hook=pairs, parse_int=_integer, parse_float=_decimal, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        raise ValueError(_("this is not JSON ({msg} at column {colno}).", msg=error.msg, colno=error.colno)) from error
    except RecursionError as error:
        raise ValueError(_("this is nested too deeply.")) from error
    if not isinstance(plain, dict):
        raise ValueError(_("each line must be an object in braces."))
    return plain


def _integer(digits: str) -> int:
    if len(digits) > 100:
        raise ValueError(_("{digits}… is too large a number.", digits=digits[:20]))
    return int(digits)


def _decimal(digits: str) -> Decimal:
    try:
        return Decimal(digits)
    except ArithmeticError as error:
        raise ValueError(_("{digits} is too large or too small a number.", digits=digits[:20])) from error


def _no_constant(word: str) -> None:
    raise ValueError(_("{word} is not a number that a scenario can have.", word=word))


def _arguments(name: str, word: Word, plain: dict[str, Any]) -> dict[str, Any]:
    known = {**word.needed, **word.optional}
    for key in plain:
        if key not in known:
            raise ValueError(
                _("{name} has no argument {shown}{nearest}.", name=repr(name), shown=_shown(key), nearest=_nearest(key, known))
            )
    for key in word.needed:
        if key not in plain:
            raise ValueError(_("{name} needs the argument {key}.", name=repr(name), key=repr(key)))
    return {key: _checked(key, known[key], value) for key, value in plain.items()}


def _checked(key: str, read: Callable[[Any], Any], value: Any) -> Any:
    try:
        return read(value)
    except ValueError as error:
        raise ValueError(_("{key} must be {error}; not {shown}.", key=repr(key), error=error, shown=_shown(value))) from error


def _shown(value: Any) -> str:
    shown = str(value) if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False, default=str)
    shown = shown.encode("utf-8", "backslashreplace").decode()
    return shown if len(shown) <= 60 else shown[:57] + "..."


def _nearest(word: str, words: Collection[str]) -> str:
    near = difflib.get_close_matches(word, words, n=1)
    if near:
        return _(" (did you mean {word}?)", word=repr(near[0]))
    return _("; known are {names}", names=", ".join(words)) if words else ""


# ── Lines as commands ────────────────────────────────────────────────────────
def to_command(step: Step, library: Library, match: str, origin: int, roster: Roster) -> c.Command:
    """The command that a line stands for.

    Args:
        step: A line whose word is a command (not `press`, `edges`, `wall_clock`, `power_cut` or `end`).
        library: Rulebooks, for `open_match` and `enter_paper`.
        match: The id that a match gets which begins so.
        origin: The instant that the scenario calls 0.
        roster: Who can sign in.

    Raises:
        CommandRefused: `bad_value`: a value does not fit.
    """
    args = step.args
    if step.word in OPENINGS:
        book = library.load(args["rulebook"])
        setup = resolve(book, _options(args, book.on_flag, origin))
        return c.OpenMatch(match, setup, _place(args)) if step.word == "open_match" else _paper(match, setup, args)
    if step.word == "chouette_open":
        return _chouette(library, match, args)
    if step.word == "sign_in":
        return c.SignIn(roster.find(args["pin"]))
    if step.word == "badge":
        return c.SignIn(roster.find(badge_secret(args["number"])))
    if step.word == "move_start":
        start = args["start_s"]
        return c.MoveRoundStart(args["by"], None if start is None else Instant(origin + start))
    return _COMMANDS[step.word](args)


def do(session: Session, step: Step, command: c.Command, at: Instant, roster: Roster) -> tuple[Fact, ...]:
    """Do what a line stands for: at the table, or as its official does it from elsewhere.

    Returns:
        Every fact that it led to.

    Raises:
        CommandRefused: It cannot be done now.
    """
    if "phone" not in step.args:
        return session.command(command, at)
    official = roster.find(step.args["phone"])
    if official is None:
        raise CommandRefused(Refusal.NOT_AUTHORISED, "This PIN is nobody's.")
    return session.command_as(official, command, at, match=session.table.match)


def _place(args: dict[str, Any]) -> Place | None:
    if not _PLACE & args.keys():
        return None
    return Place(args.get("event", ""), args.get("round", ""), args.get("table", ""), args.get("practice", False))


_PLACE = {"event", "round", "table", "practice"}


def _options(args: dict[str, Any], on_flag: OnFlag, origin: int) -> Options:
    start = args.get("round_start_s")
    return Options(
        length=args["length"],
        players=args["players"],
        reserve=args.get("reserve_s"),
        delay=args.get("delay_s"),
        on_flag=replace(on_flag, **args["on_flag"]) if "on_flag" in args else None,  # the rest is the rulebook's
        round_start=None if start is None else Instant(origin + start),
        **{key: args.get(key) for key in _SAME},
    )


def _paper(match: str, setup: MatchSetup, args: dict[str, Any]) -> c.EnterPaper:
    games = tuple(c.PaperGame(**game) for game in args["games"])
    end = args.get("end")
    how = None if end is None else c.PaperEnd(end["how"], all_sides(end["side"]))
    signed = args.get("signed", Pair(OnPaper.NO, OnPaper.NO))
    return c.EnterPaper(match, setup, games, how, args.get("played", ""), signed)


def _chouette(library: Library, match: str, args: dict[str, Any]) -> c.OpenChouette:
    """A chouette is free play: what is not said is as the club's rules have it."""
    book = library.load("circle")
    return c.OpenChouette(
        match,
        args["players"],
        args.get("throws", ()),
        jacoby=args.get("jacoby", book.jacoby),
        automatic=args.get("automatic", book.automatic_doubles),
        backgammon=args.get("backgammon_counts", 3),
        clock=_chouette_clock(args) if {"delay_s", "reserve_s"} & args.keys() else None,
    )


def _chouette_clock(args: dict[str, Any]) -> c.SetChouetteClock:
    return c.SetChouetteClock(args.get("delay_s", Span(0)), args.get("reserve_s", Span(0)))


_SAME = ("method", "provide", "crawford", "crawford_played", "cube", "jacoby", "backgammon_counts", "score")

_STATE = {"reserve_s": "reserve", "delay_used_s": "delay_used"}

_COMMANDS: dict[str, Callable[[dict[str, Any]], c.Command]] = {
    "stop": lambda a: c.StopClock(a.get("by"), a.get("reason")),
    "resume": lambda _: c.Resume(),
    "double": lambda a: c.Double(a["by"]),
    "take": lambda a: c.Take(a["by"]),
    "pass": lambda a: c.Pass(a["by"]),
    "automatic_double": lambda _: c.AutomaticDoubling(),
    "game": lambda a: c.RecordGame(a["winner"], a["kind"], a.get("cube")),
    "confirm": lambda a: c.ConfirmGame(a["by"]),
    "dispute": lambda a: c.DisputeGame(a["by"]),
    "correct": lambda a: c.CorrectGame(a["game"], a["winner"], a["kind"], a.get("cube"), a.get("reason", "")),
    "break": lambda a: c.TakeBreak(a["by"]),
    "end_break": lambda a: c.EndBreak(a["by"]),
    "claim_flag": lambda a: c.ClaimFlag(a["by"]),
    "start_late": lambda a: c.StartLate(all_sides(a["side"])),
    "arrive": lambda a: c.Arrive(all_sides(a["side"])),
    "press_back": lambda a: c.PressBack(a["by"]),
    "swap_start": lambda a: c.SwapStart(a["by"]),
    "swap_seats": lambda _: c.SwapSeats(),
    "check": lambda a: c.Check(a["item"], done=a.get("done", True)),
    "resign_match": lambda a: c.ResignMatch(a["by"]),
    "end_session": lambda _: c.EndSession(),
    "call_referee": lambda a: c.CallReferee(a["by"]),
    "undo": lambda a: c.Undo(a.get("of", "last")),
    "sign_out": lambda _: c.SignOut(),
    "penalty": lambda a: c.Rule(
        all_sides(a["side"]),
        a["infraction"],
        a.get("sanction"),
        a.get("kind"),
        a.get("note", ""),
        a.get("panel", ()),
        a.get("duplicate"),
        a.get("affects_play", False),
        a.get("record_only", False),
    ),
    "void": lambda a: c.Void(a["ruling"], a["reason"]),
    "attach_play": lambda a: c.AttachPlay(
        *(a["ruling"], a["position"], a.get("dice", ""), a.get("move", ""), a.get("verdict", ""), a.get("article", ""), a.get("mover")),
    ),
    "note_turn": lambda a: c.NoteTurn(a["game"], a["n"], a["side"], a["what"]),
    "appeal": lambda a: c.LodgeAppeal(a["ruling"], a["by"], a.get("to")),
    "decide_appeal": lambda a: c.DecideAppeal(a["appeal"], a["outcome"], a.get("names", ())),
    "adjust": lambda a: c.Adjust(a["side"], a["seconds"], a["reason"]),
    "set_reserves": lambda a: c.SetReserves(Pair(a["left"], a["right"]), a["reason"]),
    "set_control": lambda a: c.SetControl(a.get("delay_s"), a.get("method"), a.get("reason", "")),
    "restart_delay": lambda _: c.RestartDelay(),
    "cancel_next_delay": lambda a: c.CancelNextDelay(a["side"]),
    "clear_flag": lambda a: c.ClearFlag(a["side"], a["reason"]),
    "set_cube": lambda a: c.SetCube(a["value"], a["owner"], a["reason"]),
    "restart_game": lambda a: c.RestartGame(a["reason"]),
    "set_state": lambda a: c.SetState(**{_STATE.get(key, key): value for key, value in a.items()}),
    "forfeit": lambda a: c.Forfeit(all_sides(a["side"]), a["reason"]),
    "suspend": lambda a: c.Suspend(a.get("position", ""), a.get("note", "")),
    "resume_match": lambda _: c.ResumeMatch(),
    "dice_change": lambda a: c.ChangeDice(a["by"]),
    "permit": lambda a: c.Allow(a["side"], a["what"], a.get("until_s")),
    "back": lambda a: c.Back(a["side"], a["what"]),
    "receive": lambda _: c.Receive(),
    "pause_hall": lambda a: c.PauseHall(a.get("by"), a["why"]),
    "lift_pause": lambda a: c.LiftPause(a.get("by")),
    "message": lambda a: c.ShowMessage(a["n"], a["by"], a["text"]),
    "read_message": lambda a: c.ReadMessage(a["n"]),
    "confirm_seat": lambda a: c.ConfirmSeat(a["match"], a["version"], a["side"], a["here"]),
    "referee_coming": lambda a: c.RefereeComing(a["by"]),
    "chouette_tie": lambda _: c.TieChouette(),
    "chouette_want": lambda a: c.WantDouble(a["by"], a.get("wants", True)),
    "chouette_double": lambda _: c.DoubleByBox(),
    "chouette_answer": lambda a: c.AnswerDouble(a["by"], a["takes"]),
    "chouette_win": lambda a: c.WinChouette(a["by"], a["kind"]),
    "chouette_join": lambda a: c.JoinChouette(a["player"]),
    "chouette_leave": lambda a: c.LeaveChouette(a["player"]),
    "chouette_end": lambda _: c.EndChouette(),
    "chouette_undo": lambda _: c.UndoChouette(),
    "chouette_clock": _chouette_clock,
    "chouette_stop": lambda _: c.StopChouetteClock(),
    "chouette_resume": lambda _: c.ResumeChouetteClock(),
    "sign": lambda a: c.Sign(a["side"], protest=a.get("protest", False), strokes=a.get("strokes", ())),
}

__all__ = ["ScenarioError", "Step", "do", "documented_words", "load", "parse", "to_command"]
