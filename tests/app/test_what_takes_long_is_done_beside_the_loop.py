"""One thread that does one thing after the other: in order, the newest where they pile up, faults kept, a hang noticed."""

from __future__ import annotations

import threading

from kiosk.app.beside import STUCK_NS, Beside


class Doing:
    """What is to be done, with a gate before it."""

    def __init__(self) -> None:
        self.done: list[int] = []
        self.gate = threading.Event()
        self.inside = threading.Event()
        self.fault: Exception | None = None
        self.woken = threading.Event()

    def __call__(self, thing: int) -> None:
        self.inside.set()
        self.gate.wait(60)
        if self.fault is not None:
            raise self.fault
        self.done.append(thing)


def test_of_what_piles_up_only_the_newest_is_done() -> None:
    doing = Doing()
    beside = Beside("things", doing, doing.woken.set, most=2)
    beside.put(1, 0)
    assert doing.inside.wait(60)
    for thing in (2, 3, 4):
        beside.put(thing, 0)
    doing.gate.set()
    assert beside.settled(60)
    assert doing.done == [1, 3, 4]
    assert not doing.woken.is_set()  # nothing to tell
    beside.close()


def test_a_fault_is_kept_and_the_next_that_works_takes_it_back() -> None:
    doing = Doing()
    doing.gate.set()
    beside = Beside("things", doing, doing.woken.set)
    doing.fault = ValueError()
    beside.put(1, 0)
    assert beside.settled(60)
    assert beside.fault(1) == "ValueError"
    assert doing.woken.wait(60)
    doing.woken.clear()
    doing.fault = None
    beside.put(2, 2)
    assert beside.settled(60)
    assert doing.woken.wait(60)
    assert beside.fault(3) == ""
    beside.close()


def test_what_does_not_come_back_is_told_and_holds_up_no_end() -> None:
    doing = Doing()
    beside = Beside("things", doing, doing.woken.set)
    beside.put(1, 1000)
    assert doing.inside.wait(60)
    assert beside.fault(1000 + STUCK_NS) == ""
    assert beside.fault(1001 + STUCK_NS) == "There has been no answer for 3 s."
    assert not beside.settled(0)
    beside.put(2, 2000)
    beside.close(timeout_s=0)
    doing.gate.set()
    beside.close(timeout_s=60)
    assert doing.done == [1]  # what waited was dropped
