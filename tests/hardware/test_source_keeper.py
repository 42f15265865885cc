"""The keeper restarts a bad source, loudly, without waiting and without losing what was delivered."""

from __future__ import annotations

import threading

import pytest
from puppets import MS, Puppet, S, Stage

from hardware import Debouncer, Edge, HardwareFault, Pressed, SimulatedBox, SourceKeeper


@pytest.fixture
def stage() -> Stage:
    return Stage()


def test_missing_source_at_the_start_is_an_error_and_no_notice() -> None:
    def refuse() -> Puppet:
        raise HardwareFault("No chip; start with --simulate.")

    with pytest.raises(HardwareFault, match="--simulate"):
        SourceKeeper(refuse).start(0)


def test_source_whose_levels_cannot_be_read_at_the_start_is_let_go() -> None:
    puppet = Puppet(unreadable=True)
    with pytest.raises(HardwareFault):
        SourceKeeper(lambda: puppet).start(0)
    assert puppet.closed == 1


def test_edges_are_handed_over_by_stamp_and_once(stage: Stage) -> None:
    edges = [Edge("left", True, 30), Edge("right", True, 10), Edge("left", False, 30), Edge("right", False, 20)]
    for edge in edges:
        stage.puppet.deliver(edge)
    assert stage.keeper.drain() == [edges[1], edges[3], edges[0], edges[2]]
    assert stage.keeper.drain() == []
    assert stage.woken == 4


def test_edges_from_many_threads_all_arrive(stage: Stage) -> None:
    def deliver(first: int) -> None:
        for at in range(first, 4_000, 4):
            stage.puppet.deliver(Edge("left", True, at))

    threads = [threading.Thread(target=deliver, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [edge.at_ns for edge in stage.keeper.drain()] == list(range(4_000))


def test_healthy_source_is_nothing_to_tell(stage: Stage) -> None:
    assert stage.check(1_000) == []
    assert stage.keeper.next_check() is None
    assert not stage.keeper.wants_resync()


def test_dead_source_is_restarted_loudly_and_asks_for_the_levels_once(stage: Stage) -> None:
    stage.puppet.alive, stage.puppet.fault = False, "The reader has ended."
    dead, restarted = stage.check(1_000)
    assert (dead.code, dead.at_ns) == ("source_dead", S)
    assert "The reader has ended." in dead.sentence
    assert (restarted.code, restarted.at_ns) == ("source_restarted", S)
    assert (len(stage.built), stage.built[0].closed) == (2, 1)
    assert stage.keeper.wants_resync()
    assert not stage.keeper.wants_resync()


def test_source_whose_pins_cannot_be_read_is_dead(stage: Stage) -> None:
    stage.puppet.unreadable = True
    dead, restarted = stage.check(1_000)
    assert "cannot be read" in dead.sentence
    assert restarted.code == "source_restarted"


def test_edges_delivered_before_a_restart_can_still_be_drained_and_later_ones_are_dropped(stage: Stage) -> None:
    old = stage.puppet
    old.deliver(Edge("left", True, 1))
    old.alive = False
    stage.check(1_000)
    old.deliver(Edge("left", False, 2))
    stage.puppet.deliver(Edge("right", True, 3))
    assert stage.keeper.drain() == [Edge("left", True, 1), Edge("right", True, 3)]


def test_failed_restarts_are_told_and_tried_again_after_growing_pauses(stage: Stage) -> None:
    stage.puppet.alive = False
    stage.refusals = [HardwareFault(f"Refusal {n}.") for n in range(7)]
    tried, at = [], 0
    assert stage.codes(0) == ["source_dead", "source_dead"]
    while stage.refusals:
        at += 100
        tried += [at] if stage.check(at) else []
    assert tried == [500, 1_500, 3_500, 7_500, 15_500, 23_500]
    assert stage.codes(31_400) == []
    assert stage.keeper.next_check() == 31_500 * MS
    assert stage.codes(31_500) == ["source_restarted"]
    assert stage.keeper.next_check() is None


def test_whatever_a_restart_raises_is_told_and_the_clock_goes_on(stage: Stage) -> None:
    stage.puppet.alive = False
    stage.refusals = [ZeroDivisionError("driver bug")]
    assert "driver bug" in stage.check(1_000)[1].sentence


def test_while_there_is_no_source_the_levels_are_those_last_known(stage: Stage) -> None:
    stage.puppet.deliver(Edge("left", True, 1))
    stage.puppet.alive = False
    stage.refusals = [HardwareFault("Gone.")]
    stage.check(1_000)
    assert stage.keeper.levels() == {"left": True, "right": False}


def test_levels_that_cannot_be_read_are_those_last_known(stage: Stage) -> None:
    stage.puppet.deliver(Edge("left", True, 1))
    stage.puppet.unreadable = True
    assert stage.keeper.levels() == {"left": True, "right": False}


def test_source_that_keeps_dying_is_restarted_less_and_less_often(stage: Stage) -> None:
    restarts = []
    for at in range(0, 20_000, 100):
        stage.puppet.alive = False
        restarts += [at] if "source_restarted" in stage.codes(at) else []
    assert restarts == [0, 500, 1_500, 3_500, 7_500, 15_500]


def test_a_minute_of_health_earns_the_first_pause_again(stage: Stage) -> None:
    for at in (0, 500, 1_500):
        stage.puppet.alive = False
        stage.check(at)
    stage.check(61_500)
    stage.puppet.alive = False
    assert stage.codes(61_600) == ["source_dead", "source_restarted"]
    stage.puppet.alive = False
    assert stage.codes(61_700) == ["source_dead"]
    assert stage.codes(62_100) == ["source_restarted"]


def test_lost_edges_are_counted_and_the_source_is_restarted(stage: Stage) -> None:
    stage.puppet.lost = 3
    lost, restarted = stage.check(1_000)
    assert (lost.code, restarted.code) == ("edges_lost", "source_restarted")
    assert "lost 3 edges" in lost.sentence
    assert stage.keeper.wants_resync()
    assert stage.check(2_000) == []


def test_source_that_loses_edges_right_after_a_restart_is_kept_and_its_levels_are_taken_over(stage: Stage) -> None:
    stage.puppet.lost = 1
    stage.check(1_000)
    stage.keeper.wants_resync()
    stage.puppet.lost = 2
    assert stage.codes(1_100) == ["edges_lost"]
    assert stage.keeper.wants_resync()
    assert (len(stage.built), stage.puppet.closed) == (2, 0)


def test_source_that_mends_itself_is_kept_when_it_lost_edges_and_its_levels_are_taken_over(stage: Stage) -> None:
    stage.puppet.mends_itself = True
    stage.puppet.lost = 1
    assert stage.codes(1_000) == ["edges_lost"]
    assert stage.keeper.wants_resync()
    stage.puppet.contacts["left"] = True
    assert stage.codes(2_000) == []
    assert stage.codes(2_100) == ["level_mismatch"]
    assert stage.keeper.wants_resync()
    assert stage.keeper.levels() == {"left": True, "right": False}
    assert stage.codes(3_000) == []
    assert len(stage.built) == 1


def test_edges_that_were_stamped_by_arrival_are_told_and_the_source_is_kept(stage: Stage) -> None:
    stage.puppet.by_arrival = 2
    (notice,) = stage.check(1_000)
    assert (notice.code, notice.sentence[:1]) == ("stamps_by_arrival", "2")
    stage.puppet.by_arrival = 9
    assert stage.check(2_000) == []
    assert stage.check(60_900) == []
    (notice,) = stage.check(61_000)
    assert notice.sentence[:1] == "7"
    assert stage.check(200_000) == []
    assert len(stage.built) == 1


def test_the_same_failure_of_a_restart_is_told_once_until_the_source_works_again(stage: Stage) -> None:
    stage.puppet.alive = False
    stage.refusals = [HardwareFault("Unplugged.")] * 4 + [HardwareFault("Not allowed.")]
    told = [(at, stage.codes(at)) for at in (0, 500, 1_500, 3_500, 7_500, 15_500)]
    assert [at for at, codes in told if codes] == [0, 7_500, 15_500]
    assert told[-1][1] == ["source_restarted"]
    stage.puppet.alive = False
    stage.refusals = [HardwareFault("Not allowed.")]
    assert stage.codes(23_500) == ["source_dead", "source_dead"]


def test_the_longest_pause_may_be_shorter() -> None:
    stage = Stage(longest_pause_ns=S)
    stage.puppet.alive = False
    stage.refusals = [HardwareFault(f"Refusal {n}.") for n in range(5)]
    assert [at for at in range(0, 4_000, 100) if stage.check(at)] == [0, 500, 1_500, 2_500, 3_500]


def test_strange_stamps_are_told_and_the_source_is_kept(stage: Stage) -> None:
    stage.puppet.strange = 2
    (notice,) = stage.check(1_000)
    assert (notice.code, notice.sentence[:1]) == ("strange_stamps", "2")
    assert stage.check(2_000) == []
    assert len(stage.built) == 1


def test_level_that_differs_once_may_be_an_edge_on_its_way(stage: Stage) -> None:
    stage.puppet.contacts["left"] = True
    assert stage.check(1_000) == []
    assert stage.keeper.next_check() == 1_100 * MS
    assert stage.check(1_099) == []
    stage.puppet.deliver(Edge("left", True, 1_000 * MS))
    assert stage.check(2_000) == []
    assert stage.keeper.next_check() is None


def test_level_that_differs_for_100_ms_is_told_and_the_source_is_restarted(stage: Stage) -> None:
    stage.puppet.contacts["right"] = True
    stage.check(1_000)
    mismatch, restarted = stage.check(1_100)
    assert (mismatch.code, restarted.code) == ("level_mismatch", "source_restarted")
    assert "right" in mismatch.sentence
    assert stage.keeper.wants_resync()
    assert stage.keeper.levels() == {"left": False, "right": True}
    assert stage.check(3_000) == []


def test_edge_that_came_in_between_makes_it_a_new_doubt(stage: Stage) -> None:
    stage.puppet.contacts["left"] = True
    stage.check(1_000)
    stage.now = 1_050 * MS
    stage.puppet.deliver(Edge("left", False, 1_050 * MS))
    assert stage.check(1_120) == []
    assert stage.codes(1_220) == ["level_mismatch", "source_restarted"]


def test_levels_handed_over_are_believed_from_then_on(stage: Stage) -> None:
    stage.puppet.contacts["left"] = True
    stage.check(1_000)
    assert stage.keeper.levels() == {"left": True, "right": False}
    assert stage.check(2_000) == []


def test_closed_keeper_lets_the_source_go_and_may_be_closed_again(stage: Stage) -> None:
    stage.keeper.close()
    stage.keeper.close()
    assert stage.puppet.closed == 1


def test_press_lost_by_the_simulated_box_is_found_by_its_level() -> None:
    clock = [0]
    box = SimulatedBox(now_ns=lambda: clock[0])
    keeper, buttons = SourceKeeper(box.source, now_ns=lambda: clock[0]), Debouncer()
    keeper.start(0)
    buttons.initial(keeper.levels())
    box.loses_edges = True
    box.drive("right", True, 0)
    codes = []
    for clock[0] in (10 * MS, 110 * MS):
        codes += [notice.code for notice in keeper.check(clock[0])]
    assert codes == ["level_mismatch", "source_restarted"]
    assert keeper.wants_resync()
    assert buttons.resync(keeper.levels(), clock[0]) == [Pressed("right", 110 * MS)]


def test_dead_simulated_box_is_restarted_and_the_next_press_counts() -> None:
    clock = [5 * S]
    box = SimulatedBox(now_ns=lambda: clock[0])
    keeper, buttons = SourceKeeper(box.source, now_ns=lambda: clock[0]), Debouncer()
    keeper.start(clock[0])
    box.fail()
    assert [notice.code for notice in keeper.check(clock[0])] == ["source_dead", "source_restarted"]
    assert buttons.resync(keeper.levels(), clock[0]) == []
    box.drive("left", True, clock[0] + 1)
    assert [event for edge in keeper.drain() for event in buttons.feed(edge)] == [Pressed("left", clock[0] + 1)]
