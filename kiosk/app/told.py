"""What officials did, and what happened in a chouette, in a sentence each, for whoever reads the journal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, get_args

from kiosk.domain import facts as f
from kiosk.domain.asked import play_line
from kiosk.domain.state import Table
from kiosk.domain.table import evolve
from kiosk.domain.types import NS_PER_S
from kiosk.words import chouette_words

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.domain.officials import Official
    from kiosk.domain.types import Side


@dataclass
class Teller:
    """Goes through a match and tells what officials and appellants did; who did it is whoever was signed in. Of a chouette it tells all."""

    table: Table = field(default_factory=Table)
    official: Official | None = None

    def tell(self, fact: f.Fact) -> str | None:
        """One fact in words, or None where it is no official's.

        Args:
            fact: The next one, in the journal's order.
        """
        before, by = self.table, self.official
        self.table = evolve(before, fact)
        self.official = None if self.table.official is None else self.table.official.official
        write = _WORDS.get(type(fact))
        if write is None:
            return None
        words = write(fact, before)
        return words if isinstance(fact, _NOBODYS) or by is None else f"{by.name} ({by.role}): {words}"


_FROM_THE_HALL = get_args(f.HallFact)

_CHOUETTE = get_args(f.ChouetteFact)

_NOBODYS = (
    f.OfficialSignedIn,
    f.OfficialSignedOut,
    f.SignInFailed,
    f.PinRecovered,
    f.AppealLodged,
    f.MatchTakenUp,
    *_FROM_THE_HALL,
    *_CHOUETTE,
)
"""What no signed-in official did, or whoever did it is named there."""


def _s(span: int) -> str:
    return f"{span / NS_PER_S:.3f}".rstrip("0").rstrip(".") + " s"


def _sides(sides: tuple[Side, ...]) -> str:
    return " and ".join(sides)


def _because(reason: str) -> str:
    return f"; reason: {reason}" if reason else ""


def _title(table: Table, code: str) -> str:
    known = () if table.setup is None else table.setup.infractions
    return next((f"{code} ({one.title('en')})" for one in known if one.code == code), code)


def _ruled(fact: f.RulingMade, table: Table) -> str:
    kind = "" if fact.kind is None else f" as {fact.kind}"
    words = f"ruling {len(table.rulings) + 1}: {_sides(fact.sides)}, {_title(table, fact.infraction)}, "
    words += f"{fact.sanction or 'on record only'}{kind}"
    words += f"; suggested: {fact.suggested or 'on record only'} ({fact.ground.replace('_', ' ')}"
    words += ")" if fact.earlier is None else f", ruling {fact.earlier})"
    words += f"; panel: {', '.join(fact.panel)}" if fact.panel else ""
    words += "" if fact.duplicate is None else f"; beside ruling {fact.duplicate} on purpose"
    return words + (f"; note: {fact.note}" if fact.note else "")


def _state(fact: f.StateSet, _: Table) -> str:
    turn = "before a game" if fact.turn is None else f"{fact.turn} to move, {_s(fact.delay_used)} of the delay used"
    crawford = ", Crawford game played" if fact.crawford_played else ""
    return (
        f"set the whole table: {fact.score.left}:{fact.score.right}, game {fact.game}{crawford}, "
        f"reserves {_s(fact.reserve.left)} and {_s(fact.reserve.right)}, {turn}, cube {fact.cube} ({fact.owner or 'centred'}), "
        f"breaks taken {fact.breaks.left} and {fact.breaks.right}"
    )


def _signed_in(fact: f.OfficialSignedIn, _: Table) -> str:
    how = {f.SignedInBy.PIN: "signed in", f.SignedInBy.PHONE: "acts from elsewhere", f.SignedInBy.AGAIN: "is signed in as before"}[fact.how]
    return f"{fact.name} {how} as {fact.role}"


def _over(fact: f.MatchTakenOver, _: Table) -> str:
    doubt = "how long its clock ran on is not known" if fact.uncertain is None else f"{_s(fact.uncertain)} in doubt, not charged"
    place = f"it came from table {fact.table or '–'}, hash {fact.digest}"
    return f"{fact.name} ({fact.role}) took the running match over here; {place}; {doubt}"


def _message(text: str) -> str:
    return " ".join(text.split())


def _signed_out(fact: f.OfficialSignedOut, table: Table) -> str:
    name = "the official" if table.official is None else table.official.official.name
    return f"{name} was signed out after a minute without touch" if fact.idle else f"{name} signed out"


def _recovered(fact: f.PinRecovered, _: Table) -> str:
    by = f" by {fact.by}" if fact.by else ""
    return f"the PIN of {fact.name or 'somebody (the mark was damaged)'} was set anew at the table itself{by}"


def _merged(fact: f.RulingMerged, _: Table) -> str:
    return f"ruling {fact.ruling} was entered again and merged" + (f"; note: {fact.note}" if fact.note else "")


def _decided(fact: f.AppealDecided, _: Table) -> str:
    return f"appeal {fact.appeal} decided: {fact.outcome}" + (f"; by {', '.join(fact.names)}" if fact.names else "")


def _attached(fact: f.PlayAttached, _: Table) -> str:
    return f"a position goes with ruling {fact.ruling}: {play_line(fact)}"


def _suspended(fact: f.MatchSuspended, _: Table) -> str:
    return "suspended the match" + (f"; position: {fact.position}" if fact.position else "") + (f"; note: {fact.note}" if fact.note else "")


def _undone(_: f.ActUndone, table: Table) -> str:
    return f"undid the last act ({type(table.acts[-1].fact).__name__})" if table.acts else "undid the last act"


def _paper(fact: f.PaperEntered, _: Table) -> str:
    signed = f"signed by left: {fact.signed.left}, by right: {fact.signed.right}"
    return "entered the match from its paper sheet" + (f" ({fact.played})" if fact.played else "") + f"; {signed}"


def _chouette(fact: f.ChouetteFact, _: Table) -> str:
    return chouette_words(fact)


_WORDS: dict[type[f.Fact], Callable[[Any, Table], str]] = {
    f.OfficialSignedIn: _signed_in,
    f.OfficialSignedOut: _signed_out,
    f.SignInFailed: lambda _, __: "a wrong PIN or an unknown badge",
    f.PinRecovered: _recovered,
    f.MatchTakenUp: lambda x, _: f"{x.name} ({x.role}) took the match up here; it came from table {x.table or '–'}, hash {x.digest}",
    f.RulingMade: _ruled,
    f.RulingMerged: _merged,
    f.RulingVoided: lambda x, _: f"took ruling {x.ruling} back; reason: {x.reason}",
    f.PlayAttached: _attached,
    f.AppealLodged: lambda x, _: f"{x.by} appealed against ruling {x.ruling} to the {x.to}",
    f.AppealDecided: _decided,
    f.TimeAdjusted: lambda x, _: f"{x.side}'s reserve {'+' if x.span > 0 else '−'}{_s(abs(x.span))}; reason: {x.reason}",
    f.ReservesSet: lambda x, _: f"reserves set to {_s(x.reserve.left)} and {_s(x.reserve.right)}; reason: {x.reason}",
    f.ControlChanged: lambda x, _: f"time control set to {x.method}, {_s(x.delay)}{_because(x.reason)}",
    f.DelayRestarted: lambda _, __: "gave the whole delay again",
    f.NextDelayCancelled: lambda x, _: f"{x.side}'s next turn has no delay",
    f.FlagCleared: lambda x, _: f"took {x.side}'s flag back; reason: {x.reason}",
    f.CubeSet: lambda x, _: f"cube set to {x.value} ({x.owner or 'centred'}){_because(x.reason)}",
    f.SeatsExchanged: lambda _, __: "exchanged the seats",
    f.GameRestarted: lambda x, _: f"restarted the game{_because(x.reason)}",
    f.GameRuled: lambda x, _: f"decided the disputed game: {x.winner} wins, {x.kind}, cube {x.cube}",
    f.StateSet: _state,
    f.MatchForfeited: lambda x, _: f"match forfeited by {_sides(x.sides)}; reason: {x.reason}",
    f.MatchSuspended: _suspended,
    f.MatchResumed: lambda _, __: "resumed the match",
    f.DiceChanged: lambda x, _: f"{x.by} had the dice changed",
    f.PermissionGiven: lambda x, _: f"{x.side} may: {x.what}" + ("" if x.until is None else f", for {_s(x.until)}"),
    f.PermissionEnded: lambda x, _: f"{x.side} no longer: {x.what}",
    f.SheetReceived: lambda _, __: "the sheet was handed in",
    f.PaperEntered: _paper,
    f.PaperGameEntered: lambda x, table: f"game {table.game} on the paper: {x.winner} wins, {x.kind}, cube {x.cube}",
    f.ActUndone: _undone,
    f.MatchPlaced: lambda x, _: f"the organizer's match: {x.event}, round {x.round or '–'}" + (", practice" if x.practice else ""),
    f.HallPaused: lambda x, _: f"{x.by} paused the hall: {_message(x.why)}" if x.by else f"stopped here: {_message(x.why)}",
    f.HallPauseLifted: lambda x, _: f"{x.by} lifted the pause of the hall",
    f.MessageShown: lambda x, _: f"message {x.n} from {x.by}: {_message(x.text)}",
    f.MessageRead: lambda x, _: f"message {x.n} was read",
    f.SeatConfirmed: lambda x, _: f"{x.side} {'has confirmed' if x.here else 'has not confirmed'} the next match",
    f.RoundStartMoved: lambda x, _: f"{x.by} moved the start of the round",
    f.RefereeOnTheWay: lambda x, _: f"{x.by} is on the way",
    f.MatchTakenOver: _over,
    **dict.fromkeys(_CHOUETTE, _chouette),
}
