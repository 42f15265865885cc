"""What was done, in the words of whoever reads it: acts of the audit with their details, and orders to the tables.

The database keeps program words, in one language for all (`hall_paused`, `starts_ns`); here is what people read instead. A word that
a newer server has written stands as it is.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from kiosk.domain.officials import Role
from kiosk.domain.rulebook import Sanction
from kiosk.domain.types import NS_PER_MS, Span, clock_text
from kiosk.say import _, mark
from kiosk.server.audit import A_SHEET, COMMAND_LINE
from kiosk.server.rendering import local
from kiosk.words import role_words, sanction_words

if TYPE_CHECKING:
    from datetime import tzinfo

ORDERS = {
    "assign_match": mark("a match is offered"),
    "withdraw_match": mark("a match is withdrawn"),
    "pause_hall": mark("all clocks stop"),
    "lift_pause": mark("the pause is over"),
    "delay_start": mark("another start"),
    "show_message": mark("a message"),
    "referee_coming": mark("a referee is on the way"),
    "rule_at": mark("a ruling"),
    "void_at": mark("a ruling taken back"),
    "receive_sheet": mark("the sheet was received"),
    "fetch_roster": mark("the officials have changed"),
    "rename_table": mark("another name of the table"),
}
"""Every order to a table."""

ACTS = {
    "badge_changed": mark("badge changed"),
    "backup_fetched": mark("backup fetched"),
    "backup_made": mark("backup made"),
    "backup_restored": mark("backup restored"),
    "call_answered": mark("call answered"),
    "certificate_renewed": mark("certificate renewed"),
    "code_dropped": mark("code made worthless"),
    "code_made": mark("code made"),
    "conflict_settled": mark("conflict settled"),
    "device_enrolled": mark("device enrolled"),
    "device_revoked": mark("device revoked"),
    "enrolment_refused": mark("device refused"),
    "event_renamed": mark("event renamed"),
    "hall_paused": mark("clocks paused"),
    "list_imported": mark("list imported"),
    "logged_in": mark("logged in"),
    "logged_out": mark("logged out"),
    "login_refused": mark("login refused"),
    "match_assigned": mark("match made"),
    "match_attached": mark("match counted for its assignment"),
    "match_changed": mark("match changed"),
    "match_counted": mark("match counted as one of its own"),
    "match_counted_again": mark("match counted again"),
    "match_left_out": mark("match left out"),
    "match_offered_again": mark("match offered again"),
    "match_planned_again": mark("match planned again"),
    "match_taken_away": mark("match taken from its assignment"),
    "match_withdrawn": mark("match withdrawn"),
    "message_sent": mark("message sent"),
    "money_changed": mark("money entered"),
    "password_changed": mark("password changed"),
    "pause_lifted": mark("pause lifted"),
    "person_added": mark("official entered"),
    "person_removed": mark("official taken out"),
    "pin_changed": mark("PIN changed"),
    "practice_set": mark("practice set"),
    "result_changed": mark("result changed"),
    "role_changed": mark("role changed"),
    "ruling_sent": mark("ruling sent"),
    "round_started": mark("round begun"),
    "server_made": mark("server made"),
    "sheet_received": mark("sheet received"),
    "start_delayed": mark("start changed"),
    "stream_chosen": mark("matches chosen for the stream"),
    "table_renamed": mark("table renamed"),
    "tables_marked": mark("tables marked"),
    "tournament_changed": mark("tournament changed"),
    "tournament_opened": mark("tournament opened from a file"),
    "void_sent": mark("ruling taken back"),
}
"""Every act of the audit."""

DETAILS = {
    "accessible": mark("accessible"),
    "address": mark("address"),
    "amount": mark("amount"),
    "attached": mark("counted for"),
    "badge": mark("badge"),
    "by": mark("by"),
    "changed": mark("changed"),
    "code": mark("code"),
    "conflict": mark("conflict"),
    "days": mark("days"),
    "delay_ms": mark("delay"),
    "device": mark("device"),
    "differences": mark("differences"),
    "entrant": mark("entrant"),
    "entry": mark("entry"),
    "event": mark("the event's name"),
    "fee": mark("fee"),
    "file": mark("file"),
    "fund": mark("fund"),
    "happened": mark("entries"),
    "how": mark("how"),
    "infraction": mark("infraction"),
    "key": mark("history"),
    "kind": mark("kind"),
    "left": mark("left"),
    "length": mark("length"),
    "logins_ended": mark("logins ended"),
    "match": mark("match"),
    "matches": mark("matches"),
    "method": mark("method"),
    "money": mark("entries of the ledger"),
    "name": mark("name"),
    "new": mark("new"),
    "old": mark("old"),
    "order": mark("order"),
    "password": mark("password"),
    "pin": mark("PIN"),
    "players": mark("players"),
    "practice": mark("practice"),
    "provide": mark("provided"),
    "reason": mark("reason"),
    "replaces": mark("replaces"),
    "reserve_ms": mark("reserve"),
    "right": mark("right"),
    "role": mark("role"),
    "round": mark("round"),
    "rulebook": mark("rulebook"),
    "ruling": mark("ruling"),
    "sanction": mark("sanction"),
    "score": mark("score"),
    "server": mark("server"),
    "share": mark("share"),
    "shares": mark("payout table"),
    "sides": mark("who"),
    "since_ns": mark("since"),
    "standing": mark("standing"),
    "stream": mark("stream"),
    "starts_ns": mark("start"),
    "table": mark("table"),
    "tables": mark("tables"),
    "takes_over": mark("takes over"),
    "text": mark("text"),
    "to": mark("for"),
    "uses": mark("uses"),
    "version": mark("version"),
    "was": mark("before"),
    "what": mark("what"),
    "why": mark("why"),
    "winner": mark("winner"),
}
"""What an act is told with."""

NOTHING: tuple[object, ...] = (None, "", [], {}, False)
"""Nothing is said of what was empty."""
_WITH_ROLE = re.compile(rf"(?P<name>.*) \((?P<role>{'|'.join(Role)})\)", re.DOTALL)


def order_words(kind: str) -> str:
    """An order to a table."""
    return _(ORDERS[kind]) if kind in ORDERS else kind


def act_words(act: str) -> str:
    """An act of the audit."""
    return _(ACTS[act]) if act in ACTS else act.replace("_", " ")


def who_words(who: str) -> str:
    """Who acted: somebody with a role, a device's table or an address as they are, the command line, or a sheet."""
    if who == COMMAND_LINE:
        return _("command line")
    if who == A_SHEET:
        return _("signed sheet")
    named = _WITH_ROLE.fullmatch(who)
    return who if named is None else f"{named['name']} ({role_words(Role(named['role']))})"


def details(what: dict[str, Any], zone: tzinfo) -> list[tuple[str, str]]:
    """What an act was done to, as pairs of words.

    Args:
        what: As the audit has it.
        zone: In which its dates are told.
    """
    return [(_name(name), _value(name, value, zone)) for name, value in what.items() if value not in NOTHING]


def _name(name: str) -> str:
    return _(DETAILS[name]) if name in DETAILS else name.replace("_", " ")


def _value(name: str, value: object, zone: tzinfo) -> str:
    match value:
        case dict():
            told = [(each, name if name.endswith("_ms") else each, inner) for each, inner in value.items() if inner not in NOTHING]
            return "; ".join(f"{_name(each)} {_value(unit, inner, zone)}" for each, unit, inner in told)
        case list():
            return ", ".join(_value(name, each, zone) for each in value)
        case True:
            return _("yes")
        case int() if name.endswith("_ns"):
            return local(value, zone).strftime("%Y-%m-%d %H:%M")
        case int() if name.endswith("_ms"):
            return clock_text(Span(value * NS_PER_MS))
        case str():
            return _word(name, value)
        case _:
            return str(value)


def _word(name: str, value: str) -> str:
    if name in {"role", "old", "new"} and value in set(Role):
        return role_words(Role(value))
    if name in {"sides", "winner"} and value in DETAILS:
        return _name(value)
    if name == "sanction" and value in set(Sanction):
        return sanction_words(Sanction(value))
    return value.replace("_", " ") if name in {"infraction", "kind", "method"} else value
