"""Rulings and appeals: the table suggests, the referee decides (domain rules 4.1 to 4.5, 4.7)."""

from __future__ import annotations

from kiosk.domain import facts as f
from kiosk.domain.asked import double_match_point
from kiosk.domain.errors import CommandRefused, Refusal, mark
from kiosk.domain.flow import setup_of
from kiosk.domain.flow_ruling import voided
from kiosk.domain.officials import Official, Role
from kiosk.domain.rulebook import Kind, Sanction
from kiosk.domain.rulings import Suggestion
from kiosk.domain.setup import bad_value
from kiosk.domain.state import OVER, Appeal, Phase, Ruling, Table
from kiosk.domain.types import Instant, present
from kiosk.session import commands as c
from kiosk.session.advice import appeal_goes_to, same_within_a_minute, suggestion
from kiosk.session.authority import HEAVY, may_take_back, official_of, require
from kiosk.session.decide_games import refuse_without_reason


def rule(table: Table, command: c.Rule, at: Instant) -> tuple[f.Fact, ...]:
    """The table suggests, the referee decides (domain rule 4.2)."""
    if command.record_only and command.sanction is not None:
        raise bad_value("A ruling for the record only has no sanction; leave one of the two away.")
    official = present(official_of(table))
    advice = suggestion(table, command.sides, command.infraction, affects_play=command.affects_play)
    twin = same_within_a_minute(table, command.sides, command.infraction, at)
    if twin is not None and command.duplicate == "merge":
        return _merged(command, twin, at)
    sanction = advice.sanction if command.sanction is None and not command.record_only else command.sanction
    _refuse_sanction(table, command, sanction, advice, official)
    if twin is not None and command.duplicate is None:
        raise CommandRefused(
            Refusal.DUPLICATE_RULING, "The same was entered less than a minute ago (ruling {n}): keep both, or merge.", n=twin.id
        )
    made = f.RulingMade(
        at,
        command.sides,
        command.infraction,
        sanction,
        command.kind,
        advice.sanction,
        advice.ground,
        advice.earlier,
        command.note,
        command.panel,
        None if twin is None else twin.id,
    )
    if twin is None:
        return (made,)
    side = command.sides[0] if len(command.sides) == 1 else None
    return (made, f.AlertRaised(at, "duplicate_ruling", side, f"{twin.id}"))


def _merged(command: c.Rule, twin: Ruling, at: Instant) -> tuple[f.Fact, ...]:
    """Only what is the same is merged: nothing that was ruled may get lost."""
    if set(command.sides) != set(twin.sides):
        raise bad_value("Ruling {n} names other players; keep both, or take it back and rule anew.", n=twin.id)
    if (command.record_only or command.sanction is not None) and command.sanction is not twin.sanction:
        raise bad_value("Ruling {n} gave another sanction; keep both, or take it back and rule anew.", n=twin.id)
    return (f.RulingMerged(at, twin.id, command.note),)


def _refuse_nameless(names: tuple[str, ...], template: str) -> None:
    """Refuse a decision of several without the names of those who decided."""
    if not names or not all(any(letter.isalpha() for letter in name) for name in names):
        raise CommandRefused(Refusal.BAD_VALUE, template)


def _refuse_sanction(table: Table, command: c.Rule, sanction: Sanction | None, advice: Suggestion, official: Official) -> None:
    heavy = sanction in HEAVY
    named_by_article = sanction is Sanction.MATCH_LOSS and advice.sanction is Sanction.MATCH_LOSS
    if heavy and not named_by_article and not official.role.at_least(Role.CHIEF):
        raise CommandRefused(Refusal.NOT_AUTHORISED, "A match loss and an expulsion are the chief referee's; sign in as chief.")
    if table.phase in OVER and sanction in {Sanction.PENALTY_POINT, Sanction.GAME_LOSS}:
        raise CommandRefused(Refusal.MATCH_OVER, "The match is over: no point and no game can be lost any more.")
    if table.phase is Phase.LATE and sanction is Sanction.GAME_LOSS:
        # Decision: whoever is late loses points, or the match; a lost game would start the next one without him.
        raise CommandRefused(Refusal.WRONG_PHASE, "A game can be lost when both are here; give a point, or the match.")
    if setup_of(table).length is None and sanction is Sanction.MATCH_LOSS:
        raise bad_value("A free session has no match to lose.")
    if sanction is Sanction.EXPULSION or command.panel:
        _refuse_nameless(command.panel, mark("An expulsion is the panel's: give the names of those who decided."))
    if sanction is Sanction.PENALTY_POINT and len(command.sides) > 1 and double_match_point(table):
        raise bad_value("At double match point a penalty point for both would win the match for both; choose another sanction.")
    if sanction is Sanction.GAME_LOSS and len(command.sides) > 1:
        raise bad_value("A game can be lost by one side only.")
    if command.kind is not None and (
        sanction is not Sanction.GAME_LOSS or command.kind is Kind.PASS or command.kind not in dict(setup_of(table).kinds)
    ):
        raise bad_value(
            "A lost game counts as {kinds}; no other sanction has a kind.", kinds=tuple(kind for kind, _ in setup_of(table).kinds)
        )


def void(table: Table, command: c.Void, at: Instant) -> tuple[f.Fact, ...]:
    """Whoever made it, or somebody above; each only once."""
    official = present(official_of(table))
    ruling = ruling_of(table, command.ruling)
    if ruling.void:
        raise CommandRefused(Refusal.ALREADY_USED, "Ruling {n} has been taken back already.", n=ruling.id)
    if not may_take_back(official, ruling.by):
        raise CommandRefused(
            Refusal.NOT_AUTHORISED, "Ruling {n} is {name}'s; only {name} or the chief can take it back.", n=ruling.id, name=ruling.by.name
        )
    if table.phase is Phase.RECEIVED:
        require(table, Role.CHIEF)
    refuse_without_reason(command.reason)
    return (f.RulingVoided(at, ruling.id, command.reason),)


def ruling_of(table: Table, number: int) -> Ruling:
    """A ruling of this match by its number.

    Raises:
        CommandRefused: `bad_value`: there is none.
    """
    if not 1 <= number <= len(table.rulings):
        raise bad_value("There is no ruling {n}.", n=number)
    return table.rulings[number - 1]


def lodge(table: Table, command: c.LodgeAppeal, at: Instant) -> tuple[f.Fact, ...]:
    """Where it goes, unless the command says so: `appeal_goes_to`."""
    ruling = ruling_of(table, command.ruling)
    if ruling.void:
        raise CommandRefused(Refusal.ALREADY_USED, "Ruling {n} has been taken back; there is nothing to appeal against.", n=ruling.id)
    if any((appeal.ruling, appeal.by, appeal.outcome) == (ruling.id, command.by, None) for appeal in table.appeals):
        raise CommandRefused(
            Refusal.ALREADY_USED, "The {side} side's appeal against ruling {n} is open already.", side=command.by, n=ruling.id
        )
    above = appeal_goes_to(table, ruling)
    to = above if command.to is None else command.to
    if to is f.AppealTo.CHIEF and above is f.AppealTo.COMMITTEE:
        raise bad_value("The chief has decided already; the appeal goes to the committee.")
    return (f.AppealLodged(at, ruling.id, command.by, to),)


def decide_appeal(table: Table, command: c.DecideAppeal, at: Instant) -> tuple[f.Fact, ...]:
    """By the deputy or chief; the committee's decision is entered by the chief, with names (domain rule 4.5)."""
    if not 1 <= command.appeal <= len(table.appeals):
        raise bad_value("There is no appeal {n}.", n=command.appeal)
    appeal = table.appeals[command.appeal - 1]
    if appeal.outcome is not None:
        raise CommandRefused(Refusal.ALREADY_USED, "Appeal {n} has been decided.", n=appeal.id)
    if appeal.to is f.AppealTo.COMMITTEE or command.names:
        _refuse_nameless(command.names, mark("The committee's decision needs the names of those who decided."))
    _refuse_outcome(table, appeal, command, at)
    return (f.AppealDecided(at, appeal.id, command.outcome, command.names),)


def _refuse_outcome(table: Table, appeal: Appeal, command: c.DecideAppeal, at: Instant) -> None:
    ruling = table.rulings[appeal.ruling - 1]
    if command.outcome is f.Outcome.EXPULSION:
        _refuse_nameless(command.names, mark("An expulsion is the panel's: give the names of those who decided."))
    if command.outcome is f.Outcome.PENALTY_POINT and len(ruling.sides) > 1 and double_match_point(voided(table, ruling.id, "", at)):
        raise bad_value("At double match point a penalty point for both would win the match for both; choose another sanction.")
    if command.outcome in {f.Outcome.PENALTY_POINT, f.Outcome.GAME_LOSS} and voided(table, ruling.id, "", at).phase in OVER:
        raise CommandRefused(Refusal.MATCH_OVER, "The match is over: no point and no game can be lost any more.")
    if command.outcome is f.Outcome.GAME_LOSS and len(ruling.sides) > 1:
        raise bad_value("A game can be lost by one side only.")
    if command.outcome is f.Outcome.MATCH_LOSS and setup_of(table).length is None:
        raise bad_value("A free session has no match to lose.")
