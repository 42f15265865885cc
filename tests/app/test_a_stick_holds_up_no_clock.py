"""A stick that takes its time, or fails, is waited for beside the loop."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any, cast

from kiosk.app.panel import Panel
from kiosk.domain.errors import KioskError
from tests.patience import Stopwatch
from tests.ui.moments import Table


def panel() -> tuple[Panel, Table, threading.Event]:
    table, woken = Table(), threading.Event()
    made = Panel(cast("Any", SimpleNamespace()), table.desk, table.chronicle, None)
    made.work_beside(woken.set)
    return made, table, woken


def test_the_answer_comes_with_the_loop_after_it_was_woken() -> None:
    made, table, woken = panel()
    let_go, heard = threading.Event(), list[object]()

    def work() -> str:
        assert let_go.wait(60)
        return "done"

    table.desk.beside(work, lambda answer, at: heard.append((answer, at)), 5)
    assert heard == []
    let_go.set()
    assert woken.wait(60)
    made.hear(7)
    assert heard == [("done", 7)]
    made.close()


def test_what_goes_wrong_there_is_told() -> None:
    made, table, woken = panel()
    heard = list[object]()

    def fails(error: Exception) -> None:
        def work() -> str:
            raise error

        woken.clear()
        table.desk.beside(work, lambda answer, _at: heard.append(answer), 5)
        assert woken.wait(60)
        made.hear(7)

    fails(KioskError("The stick is full."))
    fails(RuntimeError("odd"))
    assert [str(error) for error in heard] == ["The stick is full.", "This could not be done (RuntimeError: odd)."]
    assert all(isinstance(error, KioskError) for error in heard)
    made.close()


def test_a_stick_that_hangs_holds_up_no_end() -> None:
    made, table, _ = panel()
    let_go = threading.Event()
    table.desk.beside(lambda: let_go.wait(60), lambda _answer, _at: None, 5)
    watch = Stopwatch()
    made.close()
    assert watch.seconds() < 5
    let_go.set()
