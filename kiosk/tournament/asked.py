"""What is refused when somebody enters it, beyond what can never have happened.

`kiosk.tournament.fold` tells what cannot be: what is kept has to fold, also what an earlier version has taken in. Here stands what nobody
should enter any more: `check_asked` for what a person does now, `check_told` for that and for what an event's file says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.domain.setup import LONGEST_NAME
from kiosk.domain.text import seen
from kiosk.say import _
from kiosk.tournament.event import KNOCK_OUT, Event
from kiosk.tournament.fold import fold
from kiosk.tournament.happened import Ended, Entered, Happened, Joined, RoundDrawn, StageOpened
from kiosk.tournament.results import TournamentError
from kiosk.tournament.stages import out_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kiosk.tournament.plan import Entrant

MOST_POINTS = 9999
"""Nobody wins more in one match."""
LONGEST_SHORT = 60
"""A club and a country have no more characters."""


def check_asked(event: Event, what: Sequence[Happened]) -> None:
    """Refuse what nobody should enter.

    Args:
        event: Before it.
        what: What somebody does, in order.

    Raises:
        TournamentError: One of them should not happen, or cannot.
    """
    done = 0
    for n, each in enumerate(what):
        if isinstance(each, RoundDrawn | StageOpened | Joined):
            event, done = fold(what[done:n], event), n
        check_told(event, each)
        match each:
            case StageOpened():
                _check_opened(event, each)
            case Joined():
                _check_joined(event, each)
            case _:
                pass


def check_told(event: Event, happened: Happened) -> None:
    """Refuse texts that cannot be read, points that nobody wins, and a Swiss round in which two meet again.

    Args:
        event: Before it, where it is a round that is drawn.
        happened: What somebody does, or an event's file tells.

    Raises:
        TournamentError: It should not be entered.
    """
    match happened:
        case Entered():
            _check_entrant(happened.entrant)
            _check_new(event, happened.entrant)
        case Ended():
            if not all(0 <= points <= MOST_POINTS for points in (happened.left_points, happened.right_points)):
                raise TournamentError(_("Match {key}: points are a number from 0 to {most}.", key=happened.key, most=MOST_POINTS))
        case RoundDrawn():
            stage = event.stage(happened.stage)
            met = {frozenset(pair) for draw in stage.draws for pair in draw.pairs}
            again = next((pair for pair in happened.pairs if frozenset(pair) in met), None)
            if again is not None and not stage.plan.losses:  # that one goes on until one is left, and then they may
                one, other = (event.name(each) for each in again)
                raise TournamentError(_("{one} and {other} have met in this stage already.", one=one, other=other))
        case _:
            pass


def _check_new(event: Event, entrant: Entrant) -> None:
    """Nobody is entered twice by another spelling of his name, or with the pair the other way round."""
    who = _folded(entrant)
    for other in event.entrants.values():
        if other.ident != entrant.ident and entrant.again is None and other.again is None and _folded(other) == who:
            raise TournamentError(_("{name} is on the entry list already.", name=other.name))


def _folded(entrant: Entrant) -> list[str]:
    return sorted(" ".join(name.split()).casefold() for name in entrant.names)


def _check_entrant(entrant: Entrant) -> None:
    for text in entrant.names:
        if len(text) > LONGEST_NAME or not seen(text):
            raise TournamentError(_("A name is one line of at most {longest} characters, each of which can be seen.", longest=LONGEST_NAME))
    for text in (entrant.club, entrant.country):
        if len(text) > LONGEST_SHORT or (text and not seen(text)):
            raise TournamentError(
                _("A club and a country have at most {longest} characters, each of which can be seen.", longest=LONGEST_SHORT)
            )


def _check_opened(event: Event, opened: StageOpened) -> None:
    told: set[frozenset[int]] = set()
    for pair in opened.plan.forbidden:
        for each in pair:
            if each not in event.entrants:
                raise TournamentError(_("Must not meet: nobody on the entry list has the number {number}.", number=each))
        if frozenset(pair) in told:
            raise TournamentError(_("Must not meet: {one}-{other} stands there twice.", one=pair[0], other=pair[1]))
        told.add(frozenset(pair))
    entries: dict[int, int] = {}
    for each in opened.entrants:
        if each in event.entrants and entries.setdefault(event.first_entry(each), each) != each:
            other = entries[event.first_entry(each)]
            text = _(
                "{name} is in the stage twice, as {one} and as {other}: take one of them out.", name=event.name(each), one=other, other=each
            )
            raise TournamentError(text)


def _check_joined(event: Event, joined: Joined) -> None:
    """Who has lost a knock-out may come in again, and then plays by one entry only; in a Swiss stage everybody has one.

    Raises:
        TournamentError: As `check_asked` does.
    """
    stage = event.stage(joined.stage)
    if joined.entrant not in event.entrants or joined.entrant in stage.entrants:
        return  # the fold tells it
    name, who = event.name(joined.entrant), event.first_entry(joined.entrant)
    mine = [each for each in stage.entrants if event.first_entry(each) == who]
    if any(each in event.left for each in (joined.entrant, *mine)):
        raise TournamentError(_("{name} plays no more: let him play again first.", name=name))
    if mine and stage.plan.system not in KNOCK_OUT:
        raise TournamentError(_("{name} is in this stage already.", name=name))
    if mine and not set(mine) <= out_of(event, stage):
        raise TournamentError(_("{name} is not out of this stage: only who is can enter it again.", name=name))
