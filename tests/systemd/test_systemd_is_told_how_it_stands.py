from __future__ import annotations

from pathlib import Path

import pytest
from supervisor import Supervisor

from kiosk.shell.notify import LONGEST_STATUS, Notifier


@pytest.mark.parametrize("abstract", [False, True])
def test_readiness_a_status_and_the_end_are_told(tmp_path: Path, abstract: bool) -> None:  # noqa: FBT001
    there = Supervisor(tmp_path, abstract=abstract)
    notifier = Notifier(there.environment)
    notifier.ready("no match")
    assert there.hear(5) == ["READY=1", "STATUS=no match"]
    notifier.status("playing")
    assert there.hear(5) == ["STATUS=playing"]
    notifier.stopping()
    assert there.hear(5) == ["STOPPING=1"]
    notifier.close()
    there.close()


def test_a_status_is_one_line_of_bounded_length(supervisor: Supervisor) -> None:
    notifier = Notifier(supervisor.environment)
    notifier.ready("two\nlines\nREADY=0" + "x" * 500)
    ready, status = supervisor.hear(5)
    assert ready == "READY=1"
    assert status.startswith("STATUS=two lines READY=0xx")
    assert len(status) == len("STATUS=") + LONGEST_STATUS
    notifier.close()


def test_the_watchdog_is_fed_twice_as_often_as_it_must(supervisor: Supervisor) -> None:
    notifier = Notifier(supervisor.environment)
    assert notifier.feed_ns == 200_000_000
    notifier.alive()
    assert supervisor.hear(5) == ["WATCHDOG=1"]
    notifier.close()


@pytest.mark.parametrize("said", ["", "0", "-5", "soon", "٣"])
def test_a_watchdog_that_cannot_be_is_none(supervisor: Supervisor, said: str) -> None:
    assert Notifier({**supervisor.environment, "WATCHDOG_USEC": said}).feed_ns is None


def test_another_processs_watchdog_is_not_fed(supervisor: Supervisor) -> None:
    meant = {**supervisor.environment, "WATCHDOG_PID": "100"}
    assert Notifier(meant, pid=101).feed_ns is None
    assert Notifier(meant, pid=100).feed_ns == 200_000_000
    other = Notifier(meant, pid=101)
    other.alive()
    other.ready("")
    assert supervisor.hear(5) == ["READY=1"]
    other.close()


@pytest.mark.parametrize("named", ["", "relative", "/nobody/listens/there"])
def test_where_nobody_listens_nothing_happens(named: str) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": named, "WATCHDOG_USEC": "1000"})
    notifier.ready("no match")
    notifier.alive()
    notifier.close()
    assert notifier.told == named.startswith("/")


def test_a_supervisor_that_does_not_read_holds_nobody_up(supervisor: Supervisor) -> None:
    notifier = Notifier(supervisor.environment)
    for _ in range(5000):
        notifier.status("x" * LONGEST_STATUS)
    assert supervisor.hear(5)
    notifier.close()
