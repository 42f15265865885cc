"""What becomes of an event by what happens, one thing after the other; what cannot happen is refused and changes nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kiosk.domain.setup import LONGEST_MATCH
from kiosk.say import _
from kiosk.tournament.event import KNOCK_OUT, Event, Stage
from kiosk.tournament.happened import (
    CameBack,
    DrawTakenBack,
    Ended,
    Entered,
    Happened,
    Joined,
    Left,
    RatingsPlanned,
    Reopened,
    RoundDrawn,
    SeatAsked,
    StageOpened,
    StagesApart,
    StageTakenBack,
    Struck,
)
from kiosk.tournament.plan import Entrant, RatingPlan, System, check_plan
from kiosk.tournament.results import TournamentError
from kiosk.tournament.stages import WINNER, fixture, fixtures, following, free_places

if TYPE_CHECKING:
    from collections.abc import Iterable


def fold(happened: Iterable[Happened], event: Event | None = None, *, checked: bool = False) -> Event:
    """The event after all of it.

    Args:
        happened: In their order.
        event: As it was before; None: nothing has happened yet.
        checked: All of it was checked when it was entered, and its results need not be checked once more.

    Raises:
        TournamentError: One of them cannot have happened.
    """
    made = Event() if event is None else event
    results: list[Ended | Reopened] = []
    for each in happened:
        if checked and isinstance(each, Ended | Reopened):
            results.append(each)
            continue
        made = after(_told(made, results), each)
        results = []
    return _told(made, results)


def _told(event: Event, told: Iterable[Ended | Reopened]) -> Event:
    """With results that were checked; many at once, for each costs as much as all that are there already."""
    stages: dict[int, dict[str, Ended]] = {}
    if not (told := tuple(told)):
        return event
    first = dict(event.first)
    for each in told:
        first.setdefault((each.stage, each.key), len(first))
        ended = stages.setdefault(each.stage, dict(event.stage(each.stage).ended))
        ended.pop(each.key, None)
        if isinstance(each, Ended):
            ended[each.key] = each
    for number, ended in stages.items():
        event = _with(event, replace(event.stage(number), ended=ended))
    return replace(event, first=first)


def after(event: Event, happened: Happened) -> Event:
    """The event after one more thing.

    Raises:
        TournamentError: It cannot happen; the event is as it was.
    """
    match happened:
        case Entered():
            return _entered(event, happened.entrant)
        case Struck():
            return _struck(event, happened.entrant)
        case Left():
            _known(event, happened.entrant)
            return replace(event, left={**event.left, happened.entrant: happened.why})
        case CameBack():
            return _back(event, happened.entrant)
        case SeatAsked():
            return _seat(event, happened)
        case StageOpened():
            return _opened(event, happened)
        case Joined():
            return _joined(event, happened)
        case RatingsPlanned():
            return replace(event, rating=_checked_rating(happened.plan))
        case StagesApart():
            return replace(event, apart=frozenset(event.stage(number).number for number in happened.stages))
        case _:
            return _in_stage(event, happened)


def _known(event: Event, entrant: int) -> None:
    if entrant not in event.entrants:
        raise TournamentError(_("Nobody on the entry list has the number {number}.", number=entrant))


def _entered(event: Event, entrant: Entrant) -> Event:
    if not 1 <= len(entrant.names) <= 2 or not all(name.strip() for name in entrant.names):
        raise TournamentError(_("An entrant has one name, or two for a pair."))
    if entrant.again is not None:
        _known(event, entrant.again)
    for other in event.entrants.values():
        if other.ident != entrant.ident and other.names == entrant.names and entrant.again is None and other.again is None:
            raise TournamentError(_("{name} is on the entry list already.", name=entrant.name))
    return replace(event, entrants={**event.entrants, entrant.ident: entrant})


def _struck(event: Event, entrant: int) -> Event:
    _known(event, entrant)
    if any(entrant in stage.entrants for stage in event.stages):
        raise TournamentError(_("{name} is in a stage: he can withdraw, and stays on the list.", name=event.name(entrant)))
    seats = {who: each for who, each in event.seats.items() if who != entrant}
    stay = {ident: each for ident, each in event.entrants.items() if ident != entrant}
    return replace(event, entrants=stay, gone={**event.gone, entrant: event.entrants[entrant]}, seats=seats)


def _back(event: Event, entrant: int) -> Event:
    _known(event, entrant)
    made = replace(event, left={who: why for who, why in event.left.items() if who != entrant})
    for stage in made.stages:
        try:
            fixtures(made, stage)
        except TournamentError as error:
            text = _("{name} cannot come back: others have gone on in his place, and have played.", name=event.name(entrant))
            raise TournamentError(text) from error
    return made


def _seat(event: Event, asked: SeatAsked) -> Event:
    _known(event, asked.entrant)
    others = {who: each for who, each in event.seats.items() if who != asked.entrant}
    return replace(event, seats={**others, asked.entrant: asked} if asked.table or asked.accessible else others)


def _opened(event: Event, opened: StageOpened) -> Event:
    check_plan(opened.plan)
    if opened.stage != len(event.stages) + 1:
        raise TournamentError(_("The next stage is number {number}.", number=len(event.stages) + 1))
    for entrant in opened.entrants:
        _known(event, entrant)
    if len(set(opened.entrants)) != len(opened.entrants):
        raise TournamentError(_("Somebody is in the stage twice."))
    if opened.plan.of is not None:
        if event.stage(opened.plan.of).plan.system not in KNOCK_OUT:
            raise TournamentError(_("Only a knock-out has losers for a consolation."))
    elif len(opened.entrants) < 2 * opened.plan.groups:
        raise TournamentError(_("A stage needs two players at least, and so does each of its groups."))
    return replace(event, stages=(*(_settled(event, stage) for stage in event.stages), Stage(opened.stage, opened.plan, opened.entrants)))


def _unopened(event: Event, stage: Stage) -> Event:
    """Without its last stage; what the opening has settled in earlier ones stays settled."""
    if stage.number != len(event.stages):
        raise TournamentError(_("Only the stage that was opened last can be taken back."))
    if stage.draws or stage.ended:
        raise TournamentError(_("{stage} has draws or results: take those back first.", stage=stage.plan.name))
    kept = (match for match in sorted(event.first, key=event.first.__getitem__) if match[0] != stage.number)
    first = {match: n for n, match in enumerate(kept)}
    return replace(event, stages=event.stages[:-1], apart=event.apart - {stage.number}, first=first)


def _settled(event: Event, stage: Stage) -> Stage:
    """With what follows from who has left for good, where nothing is left to be played; a knock-out keeps whoever has gone on anyway."""
    played = () if stage.plan.system in KNOCK_OUT else fixtures(event, stage)
    if any(each.ready for each in played):
        return stage
    fresh = {each.key: each.outcome for each in played if each.outcome is not None and not each.entered}
    return replace(stage, settled={**stage.settled, **fresh}) if fresh else stage


def _joined(event: Event, joined: Joined) -> Event:
    stage = event.stage(joined.stage)
    _known(event, joined.entrant)
    if joined.entrant in stage.entrants:
        raise TournamentError(_("{name} is in this stage already.", name=event.name(joined.entrant)))
    if stage.plan.system not in {System.SWISS, System.SINGLE, System.DOUBLE}:
        raise TournamentError(_("Nobody can join this stage any more."))
    if stage.plan.system is not System.SWISS and not free_places(event, stage):
        raise TournamentError(_("The first round of this stage has no free place any more."))
    first = {**stage.joined, joined.entrant: len(stage.draws) + 1}
    return _with(event, replace(stage, entrants=(*stage.entrants, joined.entrant), joined=first))


def _checked_rating(plan: RatingPlan) -> RatingPlan:
    if not 0 <= plan.length <= LONGEST_MATCH:
        raise TournamentError(_("A match is played to 1 to {most} points.", most=LONGEST_MATCH))
    return plan


def _with(event: Event, stage: Stage) -> Event:
    return replace(event, stages=(*event.stages[: stage.number - 1], stage, *event.stages[stage.number :]))


def _in_stage(event: Event, happened: StageTakenBack | RoundDrawn | DrawTakenBack | Ended | Reopened) -> Event:
    stage = event.stage(happened.stage)
    match happened:
        case StageTakenBack():
            return _unopened(event, stage)
        case RoundDrawn():
            drawn = _checked_draw(event, stage, happened)
            return _with(event, replace(_settled(event, stage), draws=(*stage.draws, drawn)))
        case DrawTakenBack():
            if not stage.draws or happened.round != len(stage.draws):
                raise TournamentError(_("Only the last round that was drawn can be taken back."))
            if any(key.startswith(f"R{happened.round}.") for key in stage.ended):
                raise TournamentError(_("The round has results already."))
            return _with(event, replace(stage, draws=stage.draws[:-1]))
        case Ended():
            _check_ended(event, stage, happened)
            return _told(event, [happened])
        case _:
            if happened.key not in stage.ended:
                raise TournamentError(_("Match {key} has no result.", key=happened.key))
            _check_nothing_follows(event, stage, happened)
            return _told(event, [happened])


def _checked_draw(event: Event, stage: Stage, drawn: RoundDrawn) -> RoundDrawn:
    if stage.plan.system is not System.SWISS:
        raise TournamentError(_("Only Swiss rounds are drawn one by one."))
    if drawn.round != len(stage.draws) + 1:
        raise TournamentError(_("The next round is {number}.", number=len(stage.draws) + 1))
    seated = [each for both in drawn.pairs for each in both] + ([] if drawn.bye is None else [drawn.bye])
    for each in seated:
        if each not in stage.entrants:
            raise TournamentError(_("Somebody is drawn who is not in this stage."))
    if len(set(seated)) != len(seated):
        raise TournamentError(_("{name} is drawn twice.", name=event.name(next(each for each in seated if seated.count(each) > 1))))
    return drawn


def _check_ended(event: Event, stage: Stage, ended: Ended) -> None:
    found = fixture(event, stage, ended.key)
    if not 0 <= ended.length <= LONGEST_MATCH:
        raise TournamentError(_("A match is played to 1 to {most} points.", most=LONGEST_MATCH))
    if found.left is None or found.right is None:
        raise TournamentError(_("Nobody knows yet who plays match {key}.", key=ended.key))
    if found.outcome is not None and WINNER[found.outcome] is not WINNER[ended.outcome]:  # also one that followed from who has left
        _check_nothing_follows(event, stage, ended)


def _check_nothing_follows(event: Event, stage: Stage, changed: Ended | Reopened) -> None:
    """In a knock-out, whoever has gone on has perhaps played: those matches are to be opened again first."""
    if stage.plan.system not in KNOCK_OUT:
        return
    played = [f"{number}/{key}" for number, key in following(event, stage, changed.key) if key in event.stage(number).ended]
    if played:
        text = _("Match {key} decides who played {keys}: open those again first.", key=changed.key, keys=", ".join(played))
        raise TournamentError(text)
