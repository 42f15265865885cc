"""The button beside Save: it is there where a printer is, and what came of it is said."""

from __future__ import annotations

import pytest

from kiosk.domain.errors import CommandRefused, KioskError, Refusal
from kiosk.ui.actions import PrintSheet
from kiosk.ui.view import Health
from tests.ui.moments import MOMENTS, PLAIN, Table


def ended(*, printer: bool = True, error: KioskError | None = None) -> tuple[Table, list[str]]:
    match, handed = MOMENTS["ended"](PLAIN), list[str]()

    def hand() -> None:
        if error is not None:
            raise error
        handed.append("receipt")

    match.desk.print_sheet = hand if printer else None
    return match, handed


def said(match: Table) -> str:
    told = match.desk._said
    return "" if told is None else told[0].text


def test_without_a_printer_there_is_no_button() -> None:
    match, _ = ended(printer=False)
    assert not any(isinstance(control.action, PrintSheet) for control in match.picture().controls)
    match.desk._act(PrintSheet(), 0, 0, match.now, 0)
    assert said(match) == "No receipt can be printed here."


def test_a_touch_hands_the_receipt_to_the_printer() -> None:
    match, handed = ended()
    match.touch("Print")
    assert handed == ["receipt"]
    assert said(match) == "Printing …"


def test_a_printer_that_cannot_print_says_why() -> None:
    match, handed = ended()
    match.desk.health = Health(devices="The receipt printer is out of paper: put a roll in.")
    match.touch("Print")
    assert handed == ["receipt"]
    assert said(match) == "The receipt printer is out of paper: put a roll in."


@pytest.mark.parametrize("error", [CommandRefused(Refusal.BAD_VALUE, "There is no match."), KioskError("There is no match.")])
def test_why_there_is_no_receipt_is_said(error: KioskError) -> None:
    match, _ = ended(error=error)
    match.touch("Print")
    assert said(match) == "There is no match."
