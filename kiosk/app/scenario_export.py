"""A match of the journal as a scenario: what people did at the table, line by line, so that playing it gives the same result.

Only inputs are written. What follows from them (flags, refills, alerts, points for lateness, why a press did nothing) comes by itself
when they are played. Instants of several boots are moved onto one axis that begins with the match's opening: a power cut lies at the
last instant that was lived through and lasts as long as it is known to have lasted. Where no clock can tell, the dates say it as well as
they can, else it lasts 0 s; nothing but later instants depends on that.

What was wrong with the box itself is no input: a button source that died, an edge that came too late and a recovered PIN are not played.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from hardware.debounce import CHATTER_NS
from kiosk import codec
from kiosk.app.roster import MemoryRoster
from kiosk.app.scenario import OPENINGS, Step, parse, to_command
from kiosk.app.scenario_facts import NOT_PLAYED, is_no_input, seconds_of, sides_of, words_of
from kiosk.app.simulate import PRESS_HELD
from kiosk.app.table import HOLD_LIMIT
from kiosk.domain import facts as f
from kiosk.domain.errors import CommandRefused, KioskError
from kiosk.domain.officials import Official, Role
from kiosk.domain.rulebook import Kind
from kiosk.domain.state import Phase, Table
from kiosk.domain.table import evolve
from kiosk.domain.types import NS_PER_S, Side
from kiosk.say import _
from kiosk.session import commands as c
from kiosk.session.limits import SIGNED_IN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kiosk.books import Library
    from kiosk.domain.rulebook import Infraction
    from kiosk.domain.setup import MatchSetup
    from kiosk.ports import Row
    from kiosk.sheets import ScoreSheet

LONGEST_GUESS = 24 * 3600 * NS_PER_S
"""How far dates that nobody has set are believed to tell how long a table was off."""

WRONG_PIN = "0000"
FIRST_PIN = 7001
"""Nobody's PIN is in the journal; officials get 7001, 7002 … in the scenario."""

_UNLIKE = frozenset({"bonus", "warnings", "round_start", "infractions", "ladder", "clocks", "sounds", "play"})
"""What may differ in a setup without changing how the match is played; of the catalogue only what was ruled on is asked for."""


class CannotBeWritten(KioskError):
    """The world failed: this match cannot be written as a scenario on this table."""


def scenario_of(rows: Sequence[Row], sheet: ScoreSheet, library: Library) -> str:
    """A match as the text of a scenario.

    Args:
        rows: The whole journal.
        sheet: The match.
        library: The rulebooks that this table knows.

    Raises:
        CannotBeWritten: Its rulebook is not known or has been changed, or a newer Tableside has written entries of it.
    """
    lines = _Export(sheet.number, _before(rows[: sheet.first_seq - 1])).lines(rows[sheet.first_seq - 1 : sheet.last_seq])
    opening = next(line for line in lines if line["do"] in OPENINGS)
    _check_rulebook(opening, sheet, rows[sheet.first_seq - 1], library)
    return "".join(text_of(line) + "\n" for line in lines)


def text_of(value: Any) -> str:
    """A value as JSON, with numbers written out to the last decimal."""
    match value:
        case dict():
            return "{" + ", ".join(f"{json.dumps(key)}: {text_of(inner)}" for key, inner in value.items()) + "}"
        case list() | tuple():
            return "[" + ", ".join(text_of(inner) for inner in value) + "]"
        case Decimal():
            return f"{value.normalize():f}"
        case _:
            return json.dumps(value, ensure_ascii=False)


def _before(rows: Sequence[Row]) -> Table:
    """What outlives a match: the desk's orders; and who was signed in and how many wrong PINs had been given, but for a power cut."""
    table, boot = Table(), ""
    for row in rows:
        fact = codec.decode(row.type, row.data)
        if row.boot != boot or isinstance(fact, f.PowerRestored):
            table, boot = Table(hall=table.hall, house=table.house), row.boot
        if isinstance(fact, _OUTLASTS):
            table = evolve(table, fact)
        elif isinstance(fact, f.MatchOpened):
            table = replace(table, house=table.hall)
        elif isinstance(fact, f.MatchTakenUp | f.MatchTakenOver):  # what was ordered at the table that it came from
            table = replace(table, hall=table.house)
    return table


_OUTLASTS = f.OfficialSignedIn | f.OfficialSignedOut | f.SignInFailed | f.HallPaused | f.HallPauseLifted | f.MessageShown | f.MessageRead


# ── One axis ─────────────────────────────────────────────────────────────────
@dataclass
class _Axis:
    """Nanoseconds since the opening, whatever boot an instant belongs to."""

    boot: str
    shift: int
    date: int | None = None
    """Date minus monotonic clock in this boot, as far as entries were dated at once."""
    unknown: bool = False
    """No entry has said when this boot began: what the next one says of the time before it is an older boot's."""

    def of(self, at: int) -> int:
        return at + self.shift

    def see(self, row: Row) -> None:
        seen = row.wall_ns - row.mono_ns
        self.date = seen if self.date is None else min(self.date, seen)

    def step(self, row: Row) -> int:
        """By how much the date has jumped when it was set."""
        return 0 if self.date is None else row.wall_ns - row.mono_ns - self.date

    def off(self, row: Row, at: int, last: int) -> int:
        """How long the table was off by its dates: on again at `at` in the row's boot, alive until `last` in this one."""
        if self.date is None:
            return 0
        guess = (row.wall_ns - row.mono_ns + at) - (self.date + last)
        return guess if 0 <= guess <= LONGEST_GUESS else 0

    def cut(self, row: Row, at: int, back: int, *, unknown: bool = False) -> None:
        """From here on instants are the row's boot's, whose `at` lies `back` after the opening."""
        self.boot, self.shift, self.date, self.unknown = row.boot, back - at, None, unknown


# ── Lines ────────────────────────────────────────────────────────────────────
@dataclass
class _Line:
    at: int
    plain: dict[str, Any]
    press: Side | None = None


@dataclass
class _Export:
    """Walks over one match."""

    number: int
    table: Table
    pins: dict[Official, str] = field(default_factory=dict)
    found: list[_Line] = field(default_factory=list)
    held: set[tuple[Side, int]] = field(default_factory=set)
    """(side, first edge) of presses that lasted too long."""
    end: int = 0
    last: int = 0
    away: bool = False
    """In the scenario the official has been signed out: at the table he had touched the panel, which is in no journal."""
    paper: dict[str, Any] | None = None
    """The line that enters the match from paper, while what follows belongs to it."""
    phone: Official | None = None
    """Who does from elsewhere what follows."""
    signatures: int = 0
    """How many signatures of that line are to come."""

    def lines(self, rows: Sequence[Row]) -> list[dict[str, Any]]:
        axis = _Axis(rows[0].boot, -rows[0].mono_ns)
        for row in rows:
            fact = codec.decode(row.type, row.data)
            if isinstance(fact, codec.UnknownFact):
                raise CannotBeWritten(
                    _(
                        "Entry {seq} ({type}) was written by a newer Tableside; update this one to write the match.",
                        seq=row.seq,
                        type=row.type,
                    )
                )
            self._take(row, fact, axis)
        self.found.sort(key=lambda line: line.at)  # an edge may be told after something that came later
        self._hold()
        opening = next(line.plain for line in self.found if line.plain["do"] in OPENINGS)
        opening["officials"] = self._officials()
        lines = [{"at": seconds_of(line.at), **line.plain} for line in self.found]
        return [*lines, {"at": seconds_of(self.end), "do": "end"}]

    def _take(self, row: Row, fact: f.Fact, axis: _Axis) -> None:
        duty = None if self.phone is not None else self.table.official
        self.away = self.away if self.phone is not None else duty is not None and (self.away or fact.at >= duty.touched + SIGNED_IN)
        if isinstance(fact, f.PowerRestored):
            last = self.last - axis.shift if axis.unknown else fact.last_known
            off = axis.off(row, fact.at, last) if fact.off is None or axis.unknown else fact.off
            if duty is not None and self.table.phase is Phase.RECEIVED:  # the cut is on record because he was signed in
                self._sign_in(axis.of(last), duty.official)
            axis.cut(row, fact.at, self._cut(axis.of(last), off))
        elif isinstance(fact, f.MatchTakenUp | f.MatchTakenOver):
            back = max(self.end, self.last + axis.off(row, fact.at, self.last - axis.shift))
            axis.cut(row, fact.at, back)
            self._come_here(back, fact)
        elif self._on_paper(fact):
            pass
        elif is_no_input(fact):
            self._note_held(axis, fact)
        else:
            if row.boot != axis.boot:  # a sheet that was handed in is not taken up again, so nothing says that the power was gone
                off = axis.off(row, fact.at, self.last - axis.shift)
                axis.cut(row, fact.at, self._cut(self.last, off), unknown=True)
            self._write(axis, row, fact)
        if row.boot == axis.boot:
            axis.see(row)
        at = axis.of(fact.at)
        self.end = max(self.end, at + isinstance(fact, f.AlertRaised))  # a limit must be passed
        self.last = max(self.last, at)
        if isinstance(fact, f.MatchOpened):
            self._opened()
        if not isinstance(fact, NOT_PLAYED):  # it has kept nobody signed in there
            self.table = evolve(self.table, fact)

    def _come_here(self, at: int, fact: f.MatchTakenUp | f.MatchTakenOver) -> None:
        """The match goes on at another table."""
        official = Official(fact.name, fact.role)
        if isinstance(fact, f.MatchTakenUp):
            self._sign_in(at, official)
            self.found.append(_Line(at, {"do": "take_up"}))
            return
        self.away = False
        doubt = None if fact.uncertain is None else seconds_of(fact.uncertain)
        self.found.append(_Line(at, {"do": "take_over", "table": fact.table, "pin": self._pin(official), "uncertain_s": doubt}))

    def _note_held(self, axis: _Axis, fact: f.Fact) -> None:
        if isinstance(fact, f.AlertRaised) and fact.code == "button_held" and fact.side is not None:
            self.held.add((fact.side, axis.of(fact.at) - HOLD_LIMIT))

    def _cut(self, alive: int, off: int) -> int:
        """The power is gone: after the last entry, which may be an alert that is younger than the last sign of life.

        Args:
            alive: When the table was last known to be alive.
            off: How long it was off from then on.

        Returns:
            When it was on again.
        """
        at = max(alive, self.end)
        back = max(at, alive + off)
        self.found.append(_Line(at, {"do": "power_cut", "off_s": seconds_of(back - at), "beat_s": seconds_of(at - alive)}))
        return back

    def _write(self, axis: _Axis, row: Row, fact: f.Fact) -> None:
        at = axis.of(fact.at)
        match fact:
            case f.MatchOpened():
                self.found.append(_Line(at, _opening(fact)))
            case f.MatchPlaced():
                where = {"event": fact.event, "round": fact.round, "table": fact.table, "practice": fact.practice}
                next(line for line in self.found if line.plain["do"] == "open_match").plain.update(where)
            case f.SignInFailed():
                self.found.append(_Line(at, {"do": "sign_in", "pin": WRONG_PIN}))
            case f.WallClockTrusted():
                self.found.append(_Line(at, {"do": "wall_clock", "step_s": seconds_of(axis.step(row))}))
            case f.RoundStartMoved():
                start = None if fact.start is None else seconds_of(max(0, axis.of(fact.start)))
                self.found.append(_Line(at, {"do": "move_start", "by": fact.by, "start_s": start}))
            case f.GameStarted() | f.TurnEnded():
                self.found.append(_Line(at, {}, fact.by))
            case f.ChouettePressed():
                self.found.append(_Line(at, {}, fact.party.side))
            case f.PressIgnored():
                self.found.append(_Line(at, {}, fact.side))
            case _ if not self._comes_or_goes(at, fact):
                self._act(at, fact)

    def _comes_or_goes(self, at: int, fact: f.Fact) -> bool:
        """Whether an official signs in, or does something from elsewhere, or is done with that."""
        match fact:
            case f.OfficialSignedIn(how=f.SignedInBy.PHONE):
                self.phone = Official(fact.name, fact.role)
            case f.OfficialSignedIn(how=f.SignedInBy.AGAIN):
                pass  # as he was before the act from elsewhere
            case f.OfficialSignedIn():
                self._sign_in(at, Official(fact.name, fact.role))
            case f.OfficialSignedOut() if self.phone is not None:
                self.phone = None
            case _:
                return False
        return True

    def _act(self, at: int, fact: f.Fact) -> None:
        plain = words_of(self.table, fact)
        if plain is None:
            return
        if self.phone is not None:
            plain["phone"] = self._pin(self.phone)
        elif self.away and self.table.official is not None:
            self._sign_in(at, self.table.official.official)
        side = fact.by if isinstance(fact, f.DoubleTaken) else None  # by the button, if it was held down too long
        self.found.append(_Line(at, plain, side))

    def _on_paper(self, fact: f.Fact) -> bool:
        """Whether a fact belongs to the one line that enters the match from paper."""
        if isinstance(fact, f.PaperEntered):
            first = next(line for line in self.found if line.plain["do"] == "open_match")
            self.found.remove(first)  # who enters it signs in before it
            self.found.append(first)
            signed = {"left": fact.signed.left, "right": fact.signed.right}
            first.plain |= {"do": "enter_paper", "games": [], "played": fact.played, "signed": signed}
            self.paper, self.signatures = first.plain, sum(each is not f.OnPaper.NO for each in signed.values())
            return True
        if self.paper is None or (self.table.ended is not None and not self.signatures):
            self.paper = None
            return False
        match fact:
            case f.PaperGameEntered():
                self.paper["games"].append({"winner": fact.winner, "kind": fact.kind, "cube": fact.cube})
            case f.MatchResigned():
                self.paper["end"] = {"how": "resignation", "side": fact.by}
            case f.FlagFell():
                self.paper["end"] = {"how": "flag", "side": fact.side}
            case f.MatchForfeited():
                self.paper["end"] = {"how": "forfeit", "side": "both" if len(fact.sides) > 1 else fact.sides[0]}
            case f.SheetSigned():
                self.signatures -= 1
            case _:
                pass  # the session's end and the flag's claim follow from the line
        return True

    def _opened(self) -> None:
        """Who was signed in before is signed in after the opening; so are wrong PINs that were given."""
        for _wrong in range(self.table.lockout.count):
            self.found.append(_Line(0, {"do": "sign_in", "pin": WRONG_PIN}))
        if self.table.official is not None:
            self._sign_in(0, self.table.official.official)
        hall = self.table.hall
        if hall.pause is not None:
            self.found.append(_Line(0, {"do": "pause_hall", **({"by": hall.pause.by} if hall.pause.by else {}), "why": hall.pause.why}))
        for each in hall.messages:
            self.found.append(_Line(0, {"do": "message", "n": each.n, "by": each.by, "text": each.text}))

    def _sign_in(self, at: int, official: Official) -> None:
        self.away = False
        self.found.append(_Line(at, {"do": "sign_in", "pin": self._pin(official)}))

    def _pin(self, official: Official) -> str:
        return self.pins.setdefault(official, str(FIRST_PIN + len(self.pins)))

    def _officials(self) -> list[dict[str, str]]:
        """Everybody who signed in; an organizer may do what a chief may, and who had two roles is two people here."""
        people: list[Official] = []
        for official in self.pins:
            role = Role.CHIEF if official.role is Role.ORGANIZER else official.role
            name, taken = official.name, 1
            while any(other.is_called(name) for other in people):
                taken += 1
                name = f"{official.name[:90]} ({taken})"
            people.append(Official(name, role))
        return [{"name": one.name, "role": one.role, "pin": pin} for one, pin in zip(people, self.pins.values(), strict=True)]

    def _hold(self) -> None:
        """A press lasts as long as it usually does, or longer where that was noticed, and is over before the next one."""
        following: dict[Side, int] = {}
        for line in reversed(self.found):
            side = line.press
            if side is None:
                continue
            held = (side, line.at) in self.held
            if line.plain and not held:  # a take on the screen
                continue
            wanted = PRESS_HELD + (HOLD_LIMIT if held else 0)
            room = following.get(side, line.at + 10 * wanted) - line.at - CHATTER_NS - 1
            line.plain = {"do": "press", "side": side}
            if held or room < wanted:
                line.plain["held_s"] = seconds_of(max(0, min(wanted, room)))
            following[side] = line.at


# ── The opening ──────────────────────────────────────────────────────────────
def _opening(fact: f.MatchOpened) -> dict[str, Any]:
    """Everything said, whatever the rulebook says."""
    setup = fact.setup
    plain: dict[str, Any] = {
        "do": "open_match",
        "rulebook": setup.rulebook,
        "length": setup.length,
        "players": {"left": list(setup.players.left), "right": list(setup.players.right)},
    }
    if setup.control.clocked:
        plain["reserve_s"] = {"left": seconds_of(setup.reserve.left), "right": seconds_of(setup.reserve.right)}
        plain["delay_s"] = seconds_of(setup.control.delay)
    plain |= {
        "method": setup.control.method,
        "provide": setup.provide,
        "crawford": setup.crawford,
        "crawford_played": setup.crawford_played,
        "cube": setup.cube,
        "jacoby": setup.jacoby,
    }
    backgammon = dict(setup.kinds).get(Kind.BACKGAMMON, 1)
    if backgammon > 1:
        plain["backgammon_counts"] = backgammon
    on_flag = setup.on_flag
    minutes = Decimal(on_flag.extra) / (60 * NS_PER_S)
    plain["on_flag"] = {"policy": on_flag.policy, "minutes": minutes, "points": on_flag.points}
    if on_flag.refill is not None:
        plain["on_flag"]["refill_s"] = seconds_of(on_flag.refill)
    plain["score"] = sides_of(setup.score)
    plain["officials"] = []
    if setup.round_start is not None:
        plain["round_start_s"] = seconds_of(max(0, setup.round_start - fact.at))
    return plain


def _check_rulebook(opening: dict[str, Any], sheet: ScoreSheet, row: Row, library: Library) -> None:
    """Refuse what this table would play otherwise."""
    book, known = opening["rulebook"], library.names()
    match = _("Match {n}", n=sheet.number)
    if book not in known:
        have = ", ".join(known)
        raise CannotBeWritten(
            _(
                "{match} was played under {book}, a rulebook that this table does not know; it knows {have}.",
                match=match,
                book=repr(book),
                have=have,
            )
        )
    (step,) = parse("journal", text_of(opening), known)
    fact = codec.decode(row.type, row.data)
    try:
        setup = _setup(step, library)
    except CommandRefused as error:
        raise CannotBeWritten(
            _("{match} cannot be opened under today's rulebook {book}: {message}", match=match, book=book, message=error.message)
        ) from error
    if not isinstance(fact, f.MatchOpened) or setup is None:  # pragma: no cover - a match begins with its opening
        return
    names = [each.name for each in fields(setup) if each.name not in _UNLIKE]
    unlike = [name for name in names if getattr(setup, name) != getattr(fact.setup, name)]
    ruled = {ruling.infraction for ruling in sheet.table.rulings}
    unlike += sorted(code for code in ruled if _entry(setup, code) != _entry(fact.setup, code))
    if unlike:
        raise CannotBeWritten(
            _(
                "{match} was played under another {book} than this table has now ({names} differ).",
                match=match,
                book=book,
                names=", ".join(unlike),
            )
        )


def _entry(setup: MatchSetup, code: str) -> Infraction | None:
    """An entry of the catalogue, whatever it is called."""
    found = next((one for one in setup.infractions if one.code == code), None)
    return None if found is None else replace(found, titles=(), article="")


def _setup(step: Step, library: Library) -> MatchSetup | None:
    command = to_command(step, library, "scenario", 0, MemoryRoster())
    return command.setup if isinstance(command, c.OpenMatch | c.EnterPaper) else None
