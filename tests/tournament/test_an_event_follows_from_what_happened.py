"""Whole events: stages of every system, played by chance, with drop-outs, late entries, corrections."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from kiosk import codec
from kiosk.tournament import happened as h
from kiosk.tournament.event import Event, Stage
from kiosk.tournament.fold import after, fold
from kiosk.tournament.happened import Leave, Outcome
from kiosk.tournament.plan import Entrant, StagePlan, System
from kiosk.tournament.results import TournamentError
from kiosk.tournament.stages import Fixture, fixture, fixtures, following, free_places, grouped, proposed, seeds, still_in, swiss_record
from kiosk.tournament.swiss import NoPairing, pair
from kiosk.tournament.tables import consequences, qualifiers, tables
from tests.often import often


def entered(count: int, **more: Any) -> list[h.Happened]:
    return [h.Entered(Entrant(n, (f"P{n}",), **more)) for n in range(1, count + 1)]


def opened(count: int, plan: StagePlan, number: int = 1) -> h.StageOpened:
    return h.StageOpened(number, plan, tuple(range(1, count + 1)))


def plan(system: System, **more: Any) -> StagePlan:
    return StagePlan("Main", system, **({"seed": "27 October", "rounds": 5} | more))


def begun(count: int, made: StagePlan, **more: Any) -> Event:
    return fold([*entered(count, **more), opened(count, made)])


def ready(event: Event, number: int = 1) -> list[Fixture]:
    return [each for each in fixtures(event, event.stage(number)) if each.ready]


def played(event: Event, chance: Random, number: int = 1) -> Event:
    """Play a stage to its end."""
    while True:
        stage = event.stage(number)
        for each in ready(event, number):
            event = after(event, h.Ended(number, each.key, chance.choice(list(Outcome)[:2]), chance.randrange(8), chance.randrange(8)))
        if stage.plan.system is System.SWISS:
            try:
                event = after(event, proposed(event, event.stage(number)))
            except TournamentError:
                return event
        elif not ready(event, number):
            return event


def rows(event: Event, number: int = 1, group: int = 0) -> list[tuple[int, int]]:
    return [(row.rank, row.entrant) for row in tables(event, event.stage(number))[group].rows]


PLANS = [
    plan(System.ROUND_ROBIN),
    plan(System.ROUND_ROBIN, laps=2, groups=2),
    plan(System.SWISS),
    plan(System.SWISS, losses=2, avoid_club=True, avoid_floats=True),
    plan(System.SINGLE, third=True),
    plan(System.SINGLE, seeded=False),
    plan(System.DOUBLE),
    plan(System.DOUBLE, second_final=False),
]


@pytest.mark.parametrize("made", PLANS, ids=lambda made: f"{made.system} {made.groups} {made.losses} {made.seeded} {made.third}")
def test_every_system_is_played_to_its_end_whoever_leaves(made: StagePlan) -> None:
    for luck in range(often(6)):
        chance = Random(luck)
        count = chance.randrange(4, 14)
        event = begun(count, made, club="X" if luck % 2 else "")
        leaving = chance.sample(range(1, count + 1), luck % 3)
        for each in ready(event)[: chance.randrange(4)]:
            event = after(event, h.Ended(1, each.key, Outcome.LEFT))
        for each in leaving:
            event = after(event, h.Left(each, chance.choice(list(Leave))))
        event = played(event, chance)
        assert ready(event) == []
        everybody = [row.entrant for table in tables(event, event.stage(1)) for row in table.rows]
        struck = [each for table in tables(event, event.stage(1)) for each in table.struck]
        assert sorted([*everybody, *struck]) == list(range(1, count + 1))
        assert all(each in leaving for each in struck)


def test_the_whole_event_is_told_and_read_again_without_loss() -> None:
    story: list[h.Happened] = [*entered(5, club="X", rating=1500.5), opened(5, plan(System.SWISS, forbidden=((1, 2),)))]
    event = fold(story)
    story.append(proposed(event, event.stage(1)))
    story += [h.Ended(1, "R1.1", Outcome.LEFT, 7, 3), h.Left(3, Leave.WITHDRAWN), h.CameBack(3), h.Joined(1, 9), h.SeatAsked(9, "3", True)]
    story.insert(0, h.Entered(Entrant(9, ("Late", "Pair"), country="mk")))
    again = [codec.from_plain(type(each), json.loads(json.dumps(codec.to_plain(each)))) for each in story]
    assert again == story
    assert fold(again) == fold(story)


# ── Swiss ────────────────────────────────────────────────────────────────────
def test_a_swiss_stage_ends_after_its_rounds() -> None:
    event = played(begun(8, plan(System.SWISS, rounds=3)), Random(1))
    assert len(event.stage(1).draws) == 3
    with pytest.raises(TournamentError, match="The stage is over"):
        proposed(event, event.stage(1))


def test_no_round_is_drawn_while_a_match_is_open() -> None:
    event = begun(4, plan(System.SWISS))
    event = after(event, proposed(event, event.stage(1)))
    with pytest.raises(TournamentError, match=r"still open: R1\.1, R1\.2"):
        proposed(event, event.stage(1))


@pytest.mark.parametrize(("players", "losses"), [(2, 3), (8, 2), (9, 2), (9, 3), (16, 2)])
def test_a_swiss_stage_with_elimination_goes_on_until_one_is_left(players: int, losses: int) -> None:
    for luck in range(often(2)):
        event = played(begun(players, plan(System.SWISS, losses=losses)), Random(luck))
        stage = event.stage(1)
        (left,) = still_in(event, stage)
        table = tables(event, stage)[0].rows
        assert table[0].entrant == left
        went = [row.out for row in table if row.out]
        assert went == sorted(went, reverse=True)
        assert [row.rank for row in table] == sorted(row.rank for row in table)
        first = next((n for n in range(len(stage.draws)) if met_again(stage.draws, n)), len(stage.draws))
        if first < len(stage.draws):  # before anybody met again there was no other way
            then = replace(event, stages=(replace(stage, draws=stage.draws[:first], plan=replace(stage.plan, losses=0, rounds=99)),))
            playing = [each for draw in stage.draws[first : first + 1] for both in draw.pairs for each in both]
            playing += [each for draw in stage.draws[first : first + 1] for each in (draw.bye,) if each is not None]
            with pytest.raises(NoPairing):
                pair(swiss_record(then, then.stage(1)), playing, first + 1, seed="x")


def met_again(draws: tuple[h.RoundDrawn, ...], n: int) -> bool:
    before = {frozenset(both) for draw in draws[:n] for both in draw.pairs}
    return any(frozenset(both) in before for both in draws[n].pairs)


def test_those_who_must_not_meet_do_not_meet_at_the_end_either() -> None:
    event = begun(2, plan(System.SWISS, losses=2, forbidden=((1, 2),)))
    with pytest.raises(NoPairing):
        proposed(event, event.stage(1))


def test_who_comes_late_was_absent_before_and_who_leaves_is_not_drawn() -> None:
    event = fold([h.Entered(Entrant(9, ("Late",)))], begun(4, plan(System.SWISS)))
    event = after(event, proposed(event, event.stage(1)))
    for each in ready(event):
        event = after(event, h.Ended(1, each.key, Outcome.LEFT))
    event = after(after(event, h.Joined(1, 9)), h.Left(2, Leave.WITHDRAWN))
    draw = proposed(event, event.stage(1))
    seated = {each for both in draw.pairs for each in both} | {draw.bye}
    assert 9 in seated
    assert 2 not in seated
    assert event.stage(1).joined == {9: 2}


def test_a_draw_is_taken_back_as_long_as_nothing_was_played() -> None:
    event = begun(4, plan(System.SWISS))
    drawn = after(event, proposed(event, event.stage(1)))
    assert after(drawn, h.DrawTakenBack(1, 1)) == event
    ended = after(drawn, h.Ended(1, "R1.2", Outcome.RIGHT))
    with pytest.raises(TournamentError, match="has results already"):
        after(ended, h.DrawTakenBack(1, 1))
    for wrong in (0, 2):
        with pytest.raises(TournamentError, match="Only the last round"):
            after(drawn, h.DrawTakenBack(1, wrong))
    with pytest.raises(TournamentError, match="Only the last round"):
        after(event, h.DrawTakenBack(1, 0))


@pytest.mark.parametrize(
    ("drawn", "says"),
    [
        (h.RoundDrawn(1, 2, ((1, 2),), None), "The next round is 1"),
        (h.RoundDrawn(1, 1, ((1, 9),), None), "not in this stage"),
        (h.RoundDrawn(1, 1, ((1, 2), (1, 3)), 4), "P1 is drawn twice"),
    ],
)
def test_a_draw_that_cannot_be_is_refused(drawn: h.RoundDrawn, says: str) -> None:
    with pytest.raises(TournamentError, match=says):
        after(begun(4, plan(System.SWISS)), drawn)


def test_only_swiss_rounds_are_drawn() -> None:
    with pytest.raises(TournamentError, match="Only Swiss rounds"):
        after(begun(4, plan(System.SINGLE)), h.RoundDrawn(1, 1, ((1, 2),), None))


# ── Round robin ──────────────────────────────────────────────────────────────
def test_who_leaves_a_round_robin_early_is_struck_out_with_all_results() -> None:
    event = begun(5, plan(System.ROUND_ROBIN))
    first = ready(event)[0]
    event = after(event, h.Ended(1, first.key, Outcome.RIGHT))
    left = first.left
    assert left is not None
    event = played(after(event, h.Left(left, Leave.WITHDRAWN)), Random(1))
    table = tables(event, event.stage(1))[0]
    assert table.struck == (left,)
    assert all(row.place is not None and row.place.has.points <= 3 for row in table.rows)
    assert sum(row.place.has.points for row in table.rows if row.place is not None) == 6


def test_who_leaves_a_round_robin_late_keeps_his_results_and_loses_the_rest() -> None:
    event = begun(4, plan(System.ROUND_ROBIN))
    own = [each for each in fixtures(event, event.stage(1)) if 1 in {each.left, each.right}][:2]
    for each in own:
        event = after(event, h.Ended(1, each.key, Outcome.LEFT if each.left == 1 else Outcome.RIGHT))
    event = after(event, h.Left(1, Leave.DISQUALIFIED))
    rows_ = {row.entrant: row for row in tables(event, event.stage(1))[0].rows}
    assert rows_[1].place is not None
    assert rows_[1].place.has.points == 2
    assert rows_[1].left is Leave.DISQUALIFIED
    rest = [each for each in fixtures(event, event.stage(1)) if 1 in {each.left, each.right} and not each.entered]
    assert [each.outcome for each in rest] == [Outcome.RIGHT_FORFEIT if rest[0].left == 1 else Outcome.LEFT_FORFEIT]


def test_who_fixed_matches_has_all_results_annulled_and_nobody_else_loses_by_it() -> None:
    swiss = begun(4, plan(System.SWISS))
    swiss = after(swiss, proposed(swiss, swiss.stage(1)))
    (one, other), _second = swiss.stage(1).draws[0].pairs
    swiss = after(swiss, h.Ended(1, "R1.1", Outcome.LEFT, 7, 2))
    swiss = after(swiss, h.Left(one, Leave.FIXING))
    points = {row.entrant: row.place.has for row in tables(swiss, swiss.stage(1))[0].rows if row.place is not None}
    assert (points[one].points, points[other].points, points[other].points_difference) == (0, 1, 0)
    both = after(swiss, h.Left(other, Leave.FIXING))
    assert all(row.place is not None and row.place.has.points == 0 for row in tables(both, both.stage(1))[0].rows)
    robin = begun(3, plan(System.ROUND_ROBIN))
    for each in ready(robin):
        robin = after(robin, h.Ended(1, each.key, Outcome.LEFT))
    robin = after(robin, h.Left(1, Leave.FIXING))
    assert tables(robin, robin.stage(1))[0].struck == (1,)


def test_groups_are_drawn_by_pots_and_their_best_go_on_in_turn() -> None:
    event = begun(8, plan(System.ROUND_ROBIN, groups=2))
    groups = grouped(event.stage(1))
    assert all(len({1, 2} & set(group)) == 1 for group in groups)
    event = played(event, Random(3))
    firsts, seconds = ([tables(event, event.stage(1))[n].rows[k].entrant for n in (0, 1)] for k in (0, 1))
    assert qualifiers(event, event.stage(1), 2).entrants == (*firsts, *seconds)
    gone = after(event, h.Left(firsts[0], Leave.WITHDRAWN))
    assert qualifiers(gone, gone.stage(1), 1).entrants[0] != firsts[0]
    assert len(qualifiers(event, event.stage(1), 9).entrants) == 8


# ── Knock-outs ───────────────────────────────────────────────────────────────
def test_a_knock_out_ranks_by_how_far_everybody_came() -> None:
    event = begun(8, plan(System.SINGLE, third=True))
    while ready(event):
        for each in ready(event):
            event = after(event, h.Ended(1, each.key, Outcome.LEFT))  # the better seed sits left, or the upper half's winner
    assert rows(event)[:4] == [(1, 1), (2, 2), (3, 4), (4, 3)]
    assert [rank for rank, _entrant in rows(event)[4:]] == [5, 5, 5, 5]
    assert [row.out for row in tables(event, event.stage(1))[0].rows] == [0, 3, 2, 2, 1, 1, 1, 1]
    plain = played(begun(8, plan(System.SINGLE)), Random(1))
    assert [rank for rank, _entrant in rows(plain)] == [1, 2, 3, 3, 5, 5, 5, 5]
    twice = played(begun(4, plan(System.DOUBLE)), Random(2))
    assert [rank for rank, _entrant in rows(twice)] == [1, 2, 3, 4]


def test_while_a_knock_out_goes_on_those_who_play_on_stand_first() -> None:
    event = begun(4, plan(System.DOUBLE))
    event = after(event, h.Ended(1, "M1.1", Outcome.LEFT))
    assert rows(event) == [(1, 1), (2, 2), (2, 3), (4, 4)]


def test_who_leaves_a_knock_out_has_lost_what_he_has_not_played() -> None:
    event = after(begun(4, plan(System.SINGLE)), h.Left(1, Leave.WITHDRAWN))
    assert fixture(event, event.stage(1), "M1.1").outcome is Outcome.RIGHT_FORFEIT
    assert fixture(event, event.stage(1), "M2.1").left == 4
    both = after(event, h.Left(4, Leave.WITHDRAWN))
    assert fixture(both, both.stage(1), "M1.1").outcome is Outcome.RIGHT_FORFEIT, "he had gone on by then"
    final = after(both, h.Ended(1, "M1.2", Outcome.LEFT))
    assert fixture(final, final.stage(1), "M2.1").outcome is Outcome.RIGHT_FORFEIT


def test_whoever_goes_on_by_a_walk_over_and_plays_can_leave() -> None:
    event = after(begun(4, plan(System.SINGLE)), h.Left(1, Leave.WITHDRAWN))
    for told in (h.Ended(1, "M1.2", Outcome.LEFT), h.Ended(1, "M2.1", Outcome.LEFT), h.Left(4, Leave.WITHDRAWN)):
        event = after(event, told)
    assert rows(event)[0] == (1, 4)


@pytest.mark.parametrize("system", [System.SINGLE, System.DOUBLE, System.SWISS])
def test_whoever_leaves_or_comes_back_at_whatever_time_the_event_can_be_played_on(system: System) -> None:
    for seed in range(often(8)):
        chance = Random(seed)
        event = begun(chance.randint(3, 9), plan(system, third=True))
        for _step in range(60):
            who = chance.choice(list(event.entrants))
            if chance.random() < 0.15:
                event = after(event, h.Left(who, chance.choice(list(Leave))))
            if chance.random() < 0.1 and who in event.left:
                with suppress(TournamentError):  # others have gone on
                    event = after(event, h.CameBack(who))
            stage = event.stage(1)
            open_ = ready(event)
            if open_:
                event = after(event, h.Ended(1, chance.choice(open_).key, chance.choice(list(Outcome)[:2])))
            elif system is System.SWISS:
                with suppress(TournamentError):  # it is over, or has no pairing any more
                    event = after(event, proposed(event, stage))
            assert sorted(row.entrant for table in tables(event, event.stage(1)) for row in table.rows) == sorted(event.entrants)
        assert ready(event) == []


def test_in_a_swiss_stage_a_walk_over_stays_won_whoever_leaves_or_comes_back_later() -> None:
    event = begun(6, plan(System.SWISS))
    event = after(event, proposed(event, event.stage(1)))
    first = event.stage(1).draws[0].pairs[0]
    event = after(event, h.Left(first[0], Leave.WITHDRAWN))
    for key in ("R1.2", "R1.3"):
        event = after(event, h.Ended(1, key, Outcome.LEFT))
    again = after(event, h.CameBack(first[0]))
    assert fixture(again, again.stage(1), "R1.1").outcome is None, "while the round is played he may be there after all"
    event = after(event, proposed(event, event.stage(1)))
    for what in (h.Left(first[1], Leave.WITHDRAWN), h.CameBack(first[0])):
        event = after(event, what)
        assert fixture(event, event.stage(1), "R1.1").outcome is Outcome.RIGHT_FORFEIT
    told = after(event, h.Ended(1, "R1.1", Outcome.LEFT))
    assert fixture(told, told.stage(1), "R1.1").outcome is Outcome.LEFT, "what somebody says counts"


def test_what_followed_from_leaving_is_settled_when_the_next_stage_opens_and_all_is_played() -> None:
    event = after(begun(3, plan(System.ROUND_ROBIN)), h.Left(1, Leave.WITHDRAWN))
    more = after(event, opened(2, plan(System.SINGLE), 2))
    back = after(more, h.CameBack(1))
    assert len(ready(back)) == 3, "the stage was not over"
    (last,) = ready(event)
    over = after(after(event, h.Ended(1, last.key, Outcome.LEFT)), opened(2, plan(System.SINGLE), 2))
    assert ready(after(over, h.CameBack(1))) == []


def test_two_who_have_left_a_round_robin_have_both_lost_their_match() -> None:
    event = begun(3, plan(System.ROUND_ROBIN))
    for each in (1, 2):
        event = after(event, h.Left(each, Leave.WITHDRAWN))
    (both,) = [each for each in fixtures(event, event.stage(1)) if {each.left, each.right} == {1, 2}]
    assert both.outcome is Outcome.BOTH_FORFEIT


def test_who_left_comes_back_only_where_nobody_has_gone_on_in_his_place() -> None:
    event = after(begun(4, plan(System.SINGLE)), h.Left(1, Leave.WITHDRAWN))
    assert fixture(after(event, h.CameBack(1)), event.stage(1), "M1.1").outcome is None
    event = after(after(event, h.Ended(1, "M1.2", Outcome.LEFT)), h.Ended(1, "M2.1", Outcome.LEFT))
    with pytest.raises(TournamentError, match="P1 cannot come back"):
        after(event, h.CameBack(1))


def test_a_sheet_does_not_turn_over_what_followed_from_leaving_and_was_played_on() -> None:
    event = after(begun(4, plan(System.SINGLE)), h.Left(1, Leave.WITHDRAWN))
    event = after(after(event, h.Ended(1, "M1.2", Outcome.LEFT)), h.Ended(1, "M2.1", Outcome.LEFT))
    with pytest.raises(TournamentError, match="open those again first"):
        after(event, h.Ended(1, "M1.1", Outcome.LEFT, 7, 5))
    told = after(event, h.Ended(1, "M1.1", Outcome.RIGHT, 3, 7))
    assert fixture(told, told.stage(1), "M2.1") == fixture(event, event.stage(1), "M2.1"), "the same one has gone on"


def test_a_result_whose_winner_has_played_on_is_not_turned_over() -> None:
    event = begun(4, plan(System.SINGLE))
    for key in ("M1.1", "M1.2", "M2.1"):
        event = after(event, h.Ended(1, key, Outcome.LEFT, 7, 0))
    with pytest.raises(TournamentError, match=r"decides who played 1/M2\.1: open those again first"):
        after(event, h.Ended(1, "M1.1", Outcome.RIGHT))
    with pytest.raises(TournamentError, match=r"decides who played 1/M2\.1"):
        after(event, h.Reopened(1, "M1.1"))
    same = after(event, h.Ended(1, "M1.1", Outcome.LEFT, 7, 5))  # only the score was wrong
    assert same.stage(1).ended["M1.1"].right_points == 5
    again = after(after(event, h.Reopened(1, "M2.1")), h.Ended(1, "M1.1", Outcome.RIGHT))
    assert fixture(again, again.stage(1), "M2.1").left == 4


def test_a_result_is_entered_only_where_both_are_known() -> None:
    event = begun(4, plan(System.SINGLE))
    with pytest.raises(TournamentError, match=r"Nobody knows yet who plays match M2\.1"):
        after(event, h.Ended(1, "M2.1", Outcome.LEFT))
    with pytest.raises(TournamentError, match="There is no match M7"):
        after(event, h.Ended(1, "M7", Outcome.LEFT))
    with pytest.raises(TournamentError, match=r"Match M1\.1 has no result"):
        after(event, h.Reopened(1, "M1.1"))


def test_who_lost_early_comes_in_again_where_a_place_is_free_far_from_his_first() -> None:
    event = begun(6, plan(System.SINGLE))
    assert free_places(event, event.stage(1)) == 2
    event = after(event, h.Ended(1, "M1.2", Outcome.LEFT))  # 4 – 5
    event = after(event, h.Entered(Entrant(20, ("P5",), again=5)))
    event = after(event, h.Joined(1, 20))
    order = seeds(event, event.stage(1))
    assert order[:6] == (1, 2, 3, 4, 5, 6)
    assert order.index(20) == 6  # against 2, in the other half
    event = after(event, h.Entered(Entrant(21, ("New",))))
    event = after(event, h.Joined(1, 21))
    assert free_places(event, event.stage(1)) == 0
    event = after(event, h.Entered(Entrant(22, ("Too late",))))
    with pytest.raises(TournamentError, match="no free place"):
        after(event, h.Joined(1, 22))
    assert Counter(seeds(event, event.stage(1))) == Counter([1, 2, 3, 4, 5, 6, 20, 21])


def test_a_place_is_free_only_until_its_neighbour_has_played_on() -> None:
    event = begun(3, plan(System.SINGLE))
    event = after(event, h.Ended(1, "M1.2", Outcome.LEFT))
    event = after(event, h.Ended(1, "M2.1", Outcome.LEFT))
    assert free_places(event, event.stage(1)) == 0


def test_a_consolation_is_played_by_those_who_lost() -> None:
    event = begun(8, plan(System.SINGLE))
    event = after(event, h.StageOpened(2, plan(System.CONSOLATION, of=1, losers=(1, 2)), ()))
    assert ready(event, 2) == []
    event = played(event, Random(1))
    losers = {each.loser for each in ()} or {row.entrant for row in tables(event, event.stage(1))[0].rows if row.out in {1, 2}}
    event = played(event, Random(2), 2)
    assert {row.entrant for row in tables(event, event.stage(2))[0].rows} == losers
    with pytest.raises(TournamentError, match="decides who played"):
        after(event, h.Reopened(1, "M2.1"))
    assert (2, "C1.1") in following(event, event.stage(1), "M1.1") or (2, "C1.2") in following(event, event.stage(1), "M1.1")
    assert following(event, event.stage(2), "C1.1")[0][0] == 2


# ── What cannot happen ───────────────────────────────────────────────────────
BASE = begun(4, plan(System.ROUND_ROBIN))


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        (h.Entered(Entrant(9, ())), "one name, or two"),
        (h.Entered(Entrant(9, (" ",))), "one name, or two"),
        (h.Entered(Entrant(9, ("P1",))), "P1 is on the entry list already"),
        (h.Entered(Entrant(9, ("P1",), again=77)), "Nobody on the entry list has the number 77"),
        (h.Struck(77), "Nobody on the entry list"),
        (h.Struck(1), "P1 is in a stage"),
        (h.Left(77, Leave.WITHDRAWN), "Nobody on the entry list"),
        (h.CameBack(77), "Nobody on the entry list"),
        (opened(4, plan(System.SWISS), 3), "The next stage is number 2"),
        (opened(5, plan(System.SWISS), 2), "Nobody on the entry list"),
        (h.StageOpened(2, plan(System.SWISS), (1, 1)), "in the stage twice"),
        (h.StageOpened(2, plan(System.SWISS), (1,)), "two players at least"),
        (h.StageOpened(2, plan(System.ROUND_ROBIN, groups=3), (1, 2, 3, 4)), "two players at least"),
        (h.StageOpened(2, plan(System.CONSOLATION, of=1), ()), "Only a knock-out has losers"),
        (h.StageOpened(2, plan(System.CONSOLATION, of=9), ()), "There is no stage 9"),
        (h.StageOpened(2, plan(System.CONSOLATION), ()), "names the stage whose losers play"),
        (h.StageOpened(2, plan(System.SWISS, of=1), (1, 2)), "names the stage whose losers play"),
        (h.StageOpened(2, plan(System.SWISS, seed=" "), (1, 2)), "needs a seed"),
        (h.StageOpened(2, StagePlan(" ", System.SWISS), (1, 2)), "needs a name"),
        (h.StageOpened(2, plan(System.SWISS, rounds=0), (1, 2)), "1 to 60 rounds"),
        (h.StageOpened(2, plan(System.ROUND_ROBIN, laps=0), (1, 2)), "laps: a number from 1 to 8"),
        (h.StageOpened(2, plan(System.SWISS, forbidden=((1, 1),)), (1, 2)), "forbidden to meet himself"),
        (h.Joined(1, 1), "P1 is in this stage already"),
        (h.SeatAsked(77, "3", accessible=False), "Nobody on the entry list"),
        (h.Joined(1, 77), "Nobody on the entry list"),
        (h.Joined(0, 1), "There is no stage 0"),
    ],
)
def test_what_cannot_happen_is_refused(wrong: h.Happened, says: str) -> None:
    with pytest.raises(TournamentError, match=says):
        after(BASE, wrong)


def test_nobody_joins_a_round_robin_that_has_begun() -> None:
    with pytest.raises(TournamentError, match="Nobody can join"):
        fold([h.Entered(Entrant(9, ("Late",))), h.Joined(1, 9)], BASE)


def test_who_is_in_no_stage_can_be_struck_off_the_list() -> None:
    assert 9 not in fold([h.Entered(Entrant(9, ("New",))), h.Struck(9)], BASE).entrants


def test_where_somebody_has_to_sit_is_kept_until_he_may_sit_anywhere_or_is_off_the_list() -> None:
    asked = fold([h.Entered(Entrant(9, ("New",))), h.SeatAsked(1, "3", accessible=False), h.SeatAsked(9, "", accessible=True)], BASE)
    assert asked.seats == {1: h.SeatAsked(1, "3", accessible=False), 9: h.SeatAsked(9, "", accessible=True)}
    assert list(fold([h.Struck(9)], asked).seats) == [1]
    again = fold([h.SeatAsked(1, "4", accessible=True)], asked)
    assert again.seats[1].table == "4"
    assert list(fold([h.SeatAsked(1, "", accessible=False)], again).seats) == [9]


# ── What a change would change ───────────────────────────────────────────────
def test_what_a_correction_would_change_is_told_before_it_is_made() -> None:
    event = played(begun(6, plan(System.SWISS, rounds=3)), Random(4))
    event = after(event, h.StageOpened(2, plan(System.SINGLE), qualifiers(event, event.stage(1), 2).entrants))
    first = event.stage(1).ended["R1.1"]
    turned = Outcome.LEFT if first.outcome is Outcome.RIGHT else Outcome.RIGHT
    told = consequences(event, h.Ended(1, "R1.1", turned))
    assert {each.stage for each in told.moved} == {1}
    assert told.drawn == ((1, 2), (1, 3))
    assert told.entrants == (2,)
    nothing = consequences(event, first)
    assert (nothing.moved, nothing.drawn, nothing.entrants) == ((), (), ())
    last = event.stage(1).ended["R3.1"]
    assert consequences(event, h.Ended(1, "R3.1", last.outcome, 1, 0)).drawn == ()


def test_who_falls_out_of_a_table_is_told_as_well() -> None:
    event = begun(4, plan(System.ROUND_ROBIN))
    gone = next(each for each in consequences(event, h.Left(1, Leave.WITHDRAWN)).moved if each.entrant == 1)
    assert (gone.before, gone.after) == (1, None)


def test_a_stage_is_known_by_its_number() -> None:
    assert isinstance(BASE.stage(1), Stage)
    with pytest.raises(TournamentError, match="There is no stage 2"):
        BASE.stage(2)


def test_what_was_checked_before_folds_to_the_same() -> None:
    happened = [
        *(h.Entered(Entrant(n, (f"P{n}",))) for n in range(1, 5)),
        h.StageOpened(1, StagePlan("Main", System.SINGLE, seed="x"), (1, 2, 3, 4)),
        h.Ended(1, "M1.1", Outcome.LEFT),
        h.Ended(1, "M1.2", Outcome.LEFT, 7, 3),
        h.Reopened(1, "M1.1"),
        h.Ended(1, "M1.1", Outcome.RIGHT),
        h.Left(2, Leave.WITHDRAWN),
        h.Reopened(1, "M1.2"),
    ]
    assert fold(happened, checked=True) == fold(happened)
