"""The final ranking over all stages: what prizes are given from."""

from __future__ import annotations

import pytest

from kiosk.tournament import happened as h
from kiosk.tournament.event import Event
from kiosk.tournament.final import final_ranking
from kiosk.tournament.fold import after, fold
from kiosk.tournament.happened import Leave, Outcome
from kiosk.tournament.plan import Entrant, StagePlan, System
from kiosk.tournament.results import TournamentError
from kiosk.tournament.stages import fixtures, proposed


def plan(system: System, **more: object) -> StagePlan:
    return StagePlan(**{"name": "S", "system": system, "seed": "x", "rounds": 2} | more)  # type: ignore[arg-type]


def entered(count: int) -> list[h.Happened]:
    return [h.Entered(Entrant(n, (f"P{n}",))) for n in range(1, count + 1)]


def stage(event: Event, made: StagePlan, *entrants: int) -> Event:
    return after(event, h.StageOpened(len(event.stages) + 1, made, entrants))


def played(event: Event, number: int | None = None) -> Event:
    """The stage to its end, whoever has the lower number winning."""
    number = number or len(event.stages)
    while True:
        ready = [each for each in fixtures(event, event.stage(number)) if each.ready]
        for each in ready:
            won = Outcome.LEFT if (each.left or 0) < (each.right or 0) else Outcome.RIGHT
            event = after(event, h.Ended(number, each.key, won))
        if event.stage(number).plan.system is System.SWISS:
            try:
                event = after(event, proposed(event, event.stage(number)))
            except TournamentError:
                return event
        elif not ready:
            return event


def ranks(event: Event, *stages: int) -> list[tuple[int | None, int]]:
    return [(each.rank, each.entrant) for each in final_ranking(event, stages or None)]


def swiss(count: int = 8) -> Event:
    """A Swiss stage in which the ranks are 1, 2, 3 … by the numbers."""
    return played(stage(fold(entered(count)), plan(System.ROUND_ROBIN), *range(1, count + 1)))


def test_the_last_stage_decides_and_those_who_went_out_before_stand_behind_it() -> None:
    event = stage(swiss(), plan(System.SINGLE), 4, 3, 2, 1)
    event = after(event, h.Ended(2, "M1.1", Outcome.LEFT))
    event = after(event, h.Ended(2, "M1.2", Outcome.LEFT))
    event = after(event, h.Ended(2, "M2.1", Outcome.RIGHT))
    assert ranks(event) == [(1, 3), (2, 4), (3, 1), (3, 2), (5, 5), (6, 6), (7, 7), (8, 8)]
    assert [each.stage for each in final_ranking(event)] == [2, 2, 2, 2, 1, 1, 1, 1]
    assert [None if each.row is None else each.row.rank for each in final_ranking(event)] == [1, 2, 3, 3, 5, 6, 7, 8]


def test_a_second_final_decides_about_its_own_places() -> None:
    event = stage(swiss(), plan(System.ROUND_ROBIN), 6, 5)
    event = after(event, h.Ended(2, "G1.1.1", Outcome.LEFT))
    assert ranks(event)[4:] == [(5, 6), (6, 5), (7, 7), (8, 8)], "nobody else has moved"
    event = played(stage(event, plan(System.SINGLE), 1, 2))
    assert ranks(event)[:5] == [(1, 1), (2, 2), (3, 3), (4, 4), (5, 6)]


def test_stages_beside_each_other_and_groups_share_places_until_a_final() -> None:
    event = fold(entered(9))
    event = played(stage(event, plan(System.ROUND_ROBIN), 1, 2, 3))
    event = played(stage(event, plan(System.ROUND_ROBIN, groups=2), 4, 5, 6, 7))
    assert [rank for rank, _who in ranks(event)] == [1, 1, 1, 4, 4, 4, 7]
    event = played(stage(event, plan(System.SINGLE), 1, 4, 5))
    assert ranks(event)[:3] == [(1, 1), (2, 4), (3, 5)]
    assert {who for _rank, who in ranks(event)} == {1, 2, 3, 4, 5, 6, 7}, "8 and 9 played nowhere"


def test_whoever_comes_late_into_the_last_stage_is_ranked_by_it() -> None:
    event = stage(swiss(4), plan(System.SWISS, rounds=1), 1, 2)
    event = after(event, h.Entered(Entrant(9, ("Late",))))
    event = played(after(event, h.Joined(2, 9)))
    assert {who for _rank, who in ranks(event)[:3]} == {1, 2, 9}
    assert ranks(event)[3:] == [(4, 3), (5, 4)]


def test_a_consolation_has_a_ranking_of_its_own() -> None:
    event = played(stage(fold(entered(8)), plan(System.SINGLE), *range(1, 9)))
    before = ranks(event)
    event = played(stage(event, plan(System.CONSOLATION, of=1)))
    assert ranks(event) == before
    assert [rank for rank, _who in before] == [1, 2, 3, 3, 5, 5, 5, 5]
    assert ranks(event, 2)[0] == (1, 5)
    with pytest.raises(TournamentError, match="no stage 7"):
        final_ranking(event, [1, 7])


def test_a_side_event_does_not_count() -> None:
    event = played(stage(swiss(4), plan(System.ROUND_ROBIN), 3, 4))
    event = after(event, h.Ended(2, "G1.1.1", Outcome.RIGHT))
    assert ranks(event) == [(1, 1), (2, 2), (3, 4), (4, 3)]
    apart = after(event, h.StagesApart((2,)))
    assert ranks(apart) == [(1, 1), (2, 2), (3, 3), (4, 4)]
    assert ranks(apart, 2) == [(1, 4), (2, 3)], "it has a ranking of its own"
    assert ranks(after(apart, h.StagesApart(()))) == ranks(event)
    with pytest.raises(TournamentError, match="no stage 3"):
        after(event, h.StagesApart((3,)))


def test_whoever_was_sent_away_has_no_place_and_the_others_move_up() -> None:
    event = swiss(4)
    event = fold([h.Left(1, Leave.DISQUALIFIED), h.Left(3, Leave.FIXING), h.Left(4, Leave.WITHDRAWN)], event)
    assert ranks(event) == [(1, 2), (2, 4), (None, 1), (None, 3)]


def test_whoever_is_struck_out_of_a_stage_stands_as_those_before_left_him() -> None:
    event = stage(swiss(5), plan(System.ROUND_ROBIN), 1, 2, 3)
    event = played(after(event, h.Left(1, Leave.WITHDRAWN)))
    assert ranks(event) == [(1, 2), (2, 3), (3, 1), (4, 4), (5, 5)]
    alone = played(after(stage(fold(entered(4)), plan(System.ROUND_ROBIN), 1, 2, 3, 4), h.Left(2, Leave.WITHDRAWN)))
    assert ranks(alone) == [(1, 1), (2, 3), (3, 4), (None, 2)]
    assert final_ranking(alone)[-1].row is None


def test_whoever_enters_again_stands_where_the_better_entry_does() -> None:
    event = stage(fold(entered(3)), plan(System.SINGLE), 1, 2, 3)
    event = after(event, h.Ended(1, "M1.2", Outcome.RIGHT))
    event = fold([h.Entered(Entrant(4, ("P2",), again=2)), h.Joined(1, 4)], event)
    event = fold([h.Ended(1, "M1.1", Outcome.RIGHT), h.Ended(1, "M2.1", Outcome.LEFT)], event)
    assert ranks(event) == [(1, 4), (2, 3), (3, 1)]
    assert ranks(after(event, h.Left(2, Leave.DISQUALIFIED)))[-1] == (None, 4), "under whichever of his entries"


def test_an_event_without_stages_has_no_ranking() -> None:
    assert final_ranking(fold(entered(2))) == ()
