"""The referee's pages, made for a phone in one hand: calls by waiting time, a match with its rulings and its history, and a ruling.

A ruling takes three touches from its match: whom it names, what it was, and the button that sends what the ladder suggests. The ladder is
shown before that, with the entry that it rests on. What is sent is what was shown: where the table has moved on meanwhile, it says so.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from kiosk import codec
from kiosk.domain import facts as f
from kiosk.domain.errors import CommandRefused
from kiosk.domain.officials import Role
from kiosk.domain.rulebook import Sanction
from kiosk.domain.rulings import Earlier, Suggestion, find, suggest
from kiosk.domain.setup import bad_value
from kiosk.domain.state import OVER
from kiosk.domain.types import NS_PER_MS, NS_PER_S, SIDES, Pair, Side
from kiosk.say import _, language
from kiosk.server import desk, faces, matches, receiving
from kiosk.server.assignments import natural
from kiosk.server.history import dates_of
from kiosk.server.login import Checked, Who
from kiosk.server.pages_desk import Referee, act_of, back, common, house_of, number, sentence, text
from kiosk.server.plans import folded
from kiosk.server.problems import not_there
from kiosk.server.rendering import render
from kiosk.server.schema import orders as given
from kiosk.sheets.when import when_of
from kiosk.words import capital, fact_words, ground_words, infraction_words, reason_told, sanction_words
from kiosk.words.reasons import OF_VOIDS

if TYPE_CHECKING:
    from sqlalchemy import Connection
    from starlette.datastructures import FormData

    from kiosk.domain.setup import MatchSetup
    from kiosk.server.matches import Kept
    from kiosk.sheets import ScoreSheet

router = APIRouter(prefix="/referee", include_in_schema=False)

SAME_NS = 60 * NS_PER_S
"""The same ruling within this time is asked about (domain rule 4.7)."""
QUIET = (f.TurnEnded, f.PressIgnored, f.TurnNoted)
"""Entries by the dozen: told only where everything is wanted."""
MOST_ENTRIES = 400
OF_REFEREES = ("referee_coming", "rule_at", "void_at", "receive_sheet")
"""What referees order; what became of it is shown to whoever did."""


# ── Calls ────────────────────────────────────────────────────────────────────
@router.get("")
def calls(request: Request, who: Referee) -> Response:
    """Who waits for a referee, the longest first; and every table."""
    house = house_of(request)
    names = folded(request.query_params.get("q", "")[:100])
    with house.store.read() as connection:
        seen = faces.faces(connection)
        mine = desk.orders_told(connection, given.c.by == who.called, given.c.kind.in_(OF_REFEREES), most=5)
        pause, signed = desk.pause_now(connection), receiving.waiting(connection)
    waiting = sorted((face for face in seen if face["call"]), key=lambda face: face["call"]["since_ms"])
    tables = [face for face in sorted(seen, key=lambda face: natural(face["table"])) if names in folded(_line(face))]
    shown = common(
        request, waiting=waiting, tables=tables, signed=signed, mine=mine, pause=pause, q=request.query_params.get("q", "")[:100]
    )
    return render(request, "referee.html", who=who, now_ms=house.now_ns() // NS_PER_MS, **shown)


def _line(face: dict[str, Any]) -> str:
    players = face["players"] or {"left": [], "right": []}
    return " ".join((face["table"], *players["left"], *players["right"]))


@router.post("/coming/{device}")
def coming(request: Request, who: Referee, device: str, _form: Checked) -> Response:
    """Say that one is on the way."""
    with act_of(request, who) as act:
        desk.coming(act, device[:64])
    return back("/referee", "coming")


# ── A match ──────────────────────────────────────────────────────────────────
@dataclass(frozen=True, slots=True)
class Seen:
    """A match as a referee looks at it."""

    kept: Kept
    sheet: ScoreSheet
    dates: dict[str, int]
    orders: list[desk.Told]
    earlier: list[Any]
    """Rulings on the same players in other matches."""

    def at_ns(self, ruling: int) -> int:
        """When a ruling was made, by the house's clock: a table's date may be years off."""
        return next((int(one["at_ns"]) for one in self.kept.summary["rulings"] if one["n"] == ruling), 0)

    @property
    def names(self) -> Pair[str]:
        """Who sits where now."""
        players = self.sheet.setup.players
        return Pair(" / ".join(players.left), " / ".join(players.right))


def _look(connection: Connection, match: str) -> Seen:
    """Look at a match.

    Raises:
        CommandRefused: There is none, or its entries cannot be read.
    """
    kept = matches.find(connection, match)
    sheet = None if kept is None else matches.sheet_at(connection, kept, 1)
    if kept is None or sheet is None:
        raise not_there("There is no such match, or its entries cannot be read.")
    players = [*sheet.setup.players.left, *sheet.setup.players.right]
    earlier = [one for one in matches.earlier_rulings(connection, players) if one.match != match]
    told = desk.orders_of(connection, kept.device, match, kept.opened_ns)
    return Seen(kept, sheet, dates_of(connection, kept.journal), told, earlier)


@router.get("/match/{match}")
def match(request: Request, who: Referee, match: str) -> Response:
    """A match: where it stands, its rulings, what was sent to its table, earlier rulings on its players."""
    house = house_of(request)
    with house.store.read() as connection:
        seen = _look(connection, match)
        face = next((each for each in faces.faces(connection, [seen.kept.device]) if each["match"] == match), None)
    setup, spoken = seen.sheet.setup, language()
    rulings = [
        (line, _title(setup, line.ruling.infraction, spoken), _who(seen, line.ruling.sides)) for line in reversed(seen.sheet.rulings)
    ]
    earlier = [(one, _title(setup, one.infraction, spoken), sanction_words(one.sanction)) for one in reversed(seen.earlier)]
    over = seen.sheet.table.phase in OVER
    shown: dict[str, Any] = common(request, seen=seen, face=face, rulings=rulings, earlier=earlier, over=over)
    shown |= {"sanction_words": sanction_words, "describe": _describe(seen, spoken), "now_ms": house.now_ns() // NS_PER_MS}
    shown["reasons"] = [(reason, reason_told(reason)) for reason in OF_VOIDS]
    return render(request, "referee_match.html", who=who, **shown)


def _title(setup: MatchSetup, code: str, spoken: str) -> str:
    return infraction_words(setup, code, spoken)


def _who(seen: Seen, sides: tuple[Side, ...]) -> str:
    return " & ".join(seen.names[side] for side in sides)


def _describe(seen: Seen, spoken: str) -> dict[int, str]:
    """What each order to the table was, in words, by its number."""
    made = {}
    for one in seen.orders:
        if one.kind == "rule_at":
            sides = tuple(Side(side) for side in one.data["sides"])
            sanction = None if one.data["sanction"] is None else Sanction(one.data["sanction"])
            what = f", {sanction_words(sanction)}" if not one.data["suggested"] else ""
            made[one.n] = f"{_who(seen, sides)}: {_title(seen.sheet.setup, one.data['infraction'], spoken)}{what}"
        elif one.kind == "void_at":
            made[one.n] = f"№ {one.data['ruling']}: {reason_told(one.data['reason'])}"
        elif one.kind in OF_REFEREES:
            made[one.n] = _("a referee is on the way") if one.kind == "referee_coming" else _("the sheet was received")
    return made


@router.get("/match/{match}/history")
def history(request: Request, who: Referee, match: str) -> Response:
    """Every entry of a match in words, the newest first."""
    everything = bool(request.query_params.get("all"))
    with house_of(request).store.read() as connection:
        seen = _look(connection, match)
        rows = matches.rows(connection, match)
    entries = _entries(seen, rows, everything=everything)
    return render(
        request, "referee_history.html", who=who, **common(request, seen=seen, entries=entries[::-1][:MOST_ENTRIES], everything=everything)
    )


def _entries(seen: Seen, rows: list[Any], *, everything: bool) -> list[tuple[int, str, str]]:
    """When, whether the date can be trusted, and what; each with the names of the seats at the time."""
    setup, names, made = None, seen.names, []
    for row in rows:
        fact = codec.decode(row.type, row.data)
        if isinstance(fact, f.MatchOpened):
            setup = fact.setup
            names = Pair(" / ".join(setup.players.left), " / ".join(setup.players.right))
        if isinstance(fact, f.SeatsSwapped | f.SeatsExchanged):
            names = names.swapped()
        if setup is None or isinstance(fact, codec.UnknownFact) or (isinstance(fact, QUIET) and not everything):
            continue
        when = when_of(row, fact.at, seen.dates)
        made.append((when.wall_ns, when.trust, fact_words(fact, names, setup, language())))
    return made


# ── A ruling ─────────────────────────────────────────────────────────────────
@router.get("/match/{match}/rule")
def rule(request: Request, who: Referee, match: str) -> Response:
    """Whom, and what was it? Then: what follows?"""
    asked = request.query_params
    with house_of(request).store.read() as connection:
        seen = _look(connection, match)
    sides, code = _sides(asked.getlist("side")), asked.get("infraction", "")
    if not code or not sides:
        return _choose(request, who, seen, sides, missing=bool(code))
    return _confirm(request, who, seen, sides, code)


def _choose(request: Request, who: Who, seen: Seen, sides: tuple[Side, ...], *, missing: bool) -> Response:
    infractions = seen.sheet.setup.infractions
    spoken = language()
    lists = [[(one, one.title(spoken)) for one in infractions if one.serious is serious] for serious in (False, True)]
    wrong = sentence(bad_value("Say whom the ruling names.")) if missing else ""
    shown = common(request, seen=seen, minor=lists[0], serious=lists[1], sides=sides) | {"wrong": wrong}
    return render(request, "referee_rule.html", who=who, status=400 if missing else 200, **shown)


def _confirm(  # noqa: PLR0917 - what the page holds
    request: Request, who: Who, seen: Seen, sides: tuple[Side, ...], code: str, form: FormData | None = None, wrong: str = ""
) -> Response:
    setup = seen.sheet.setup
    infraction = find(setup, code)
    said = suggestion(seen.sheet, sides, code)
    rests_on = next((line for line in seen.sheet.rulings if line.ruling.id == said.earlier), None)
    shown = common(
        request,
        seen=seen,
        sides=sides,
        code=code,
        title=infraction.title(language()),
        article=infraction.article,
        whom=_who(seen, sides),
        said=said,
        said_words=capital(sanction_words(said.sanction)),
        ground=ground_words(said.ground),
        rests_on=rests_on,
        others=[(one, capital(sanction_words(one))) for one in _offered(who, said.sanction)],
        recorded=said.sanction is not None,
        same=_same(house_of(request).now_ns(), seen, sides, code),
        sanction_words=sanction_words,
        note="" if form is None else text(form, "note")[:500],
        panel="" if form is None else text(form, "panel")[:500],
    ) | {"wrong": wrong}
    return render(request, "referee_confirm.html", who=who, status=400 if wrong else 200, **shown)


def _offered(who: Who, suggested: Sanction | None) -> list[Sanction]:
    """What else may be imposed: the heaviest two are the chief's."""
    heavy = () if who.role.at_least(Role.CHIEF) else (Sanction.MATCH_LOSS, Sanction.EXPULSION)
    return [one for one in Sanction if one is not suggested and one not in heavy]


def suggestion(sheet: ScoreSheet, sides: tuple[Side, ...], code: str) -> Suggestion:
    """What the ladder suggests after what stands on the sheet; for both sides the heavier of the two.

    Raises:
        CommandRefused: `unknown_infraction`.
    """
    table = sheet.table
    earlier = [Earlier(r.id, r.sides, r.infraction, r.sanction, r.game, r.void) for r in table.rulings]
    found = [suggest(sheet.setup, earlier, side, code, table.game) for side in sides]
    return max(found, key=lambda one: -1 if one.sanction is None else list(Sanction).index(one.sanction))


def _same(now_ns: int, seen: Seen, sides: tuple[Side, ...], code: str) -> Any:  # noqa: ANN401 - a line of the sheet, or None
    """The same ruling within the last minute, by anyone."""
    for line in reversed(seen.sheet.rulings):
        ruling = line.ruling
        if not ruling.void and ruling.infraction == code and set(ruling.sides) & set(sides) and now_ns - seen.at_ns(ruling.id) <= SAME_NS:
            return line
    return None


def _sides(typed: list[Any]) -> tuple[Side, ...]:
    wanted = {side for value in typed for side in (("left", "right") if value == "both" else (value,))}
    return tuple(side for side in SIDES if str(side) in wanted)


@router.post("/match/{match}/rule")
def ruled(request: Request, who: Referee, match: str, form: Checked) -> Response:
    """Send a ruling to its table."""
    with house_of(request).store.read() as connection:
        seen = _look(connection, match)
    sides, code = _sides(form.getlist("side")), text(form, "infraction")
    try:
        ruling = _ruling(form, sides, code)
        find(seen.sheet.setup, code)
        with act_of(request, who) as act:
            desk.rule(act, seen.kept.device, match, who, ruling)
    except CommandRefused as error:
        if not sides or not any(one.code == code for one in seen.sheet.setup.infractions):
            raise
        return _confirm(request, who, seen, sides, code, form, sentence(error))
    return back(f"/referee/match/{match}", "ruled")


def _ruling(form: FormData, sides: tuple[Side, ...], code: str) -> desk.Ruling:
    sanction = text(form, "sanction")
    if sanction not in {*Sanction, "record", "suggested"}:
        raise bad_value("Choose what follows: one of the sanctions, or on record only.")
    panel = tuple(name for name in (part.strip() for part in text(form, "panel").split(",")) if name)
    return desk.Ruling(
        sides=sides,
        infraction=code,
        suggested=sanction == "suggested",
        sanction=Sanction(sanction) if sanction in set(Sanction) else None,
        note=text(form, "note"),
        again=text(form, "again") == "yes",
        panel=panel,
    )


@router.post("/match/{match}/void")
def void(request: Request, who: Referee, match: str, form: Checked) -> Response:
    """Take a ruling back."""
    with act_of(request, who) as act:
        seen = _look(act.connection, match)
        ruling = number(form, "ruling")
        if all(line.ruling.id != ruling for line in seen.sheet.rulings):
            raise bad_value("There is no ruling {n} in this match.", n=ruling)
        reason = text(form, "typed").strip() or text(form, "reason")
        desk.void(act, seen.kept.device, match, who, ruling=ruling, reason=reason)
    return back(f"/referee/match/{match}", "voided")
