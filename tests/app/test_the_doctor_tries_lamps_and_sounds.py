from __future__ import annotations

from pathlib import Path

import pytest

from hardware import HardwareFault, SimulatedLamps, SimulatedSounder
from kiosk.app.config import Config
from kiosk.app.doctor import outputs
from kiosk.app.doctor.figures import PartFigures
from kiosk.app.doctor.outputs import look_at_outputs
from kiosk.app.signal_parts import Outputs

ON = Config(Path(), Path(), lamps=True, sound="gpio")


class Lamps:
    """Real ones as far as the doctor can tell."""

    def __init__(self, fault: str = "") -> None:
        self.fault, self.lit, self.closed = fault, [(False, False)], False

    def light(self, *, left: bool, right: bool) -> None:
        if self.fault:
            raise HardwareFault(self.fault)
        self.lit.append((left, right))

    def close(self) -> None:
        self.closed = True


class Sounder:
    def __init__(self, fault: str = "") -> None:
        self.fault, self.played, self.closed = fault, 0, False

    def play(self, notes: object, volume: int) -> None:
        del notes, volume
        if self.fault:
            raise HardwareFault(self.fault)
        self.played += 1

    def close(self) -> None:
        self.closed = True


def looked(monkeypatch: pytest.MonkeyPatch, made: Outputs | Exception, answers: list[bool] | None = None) -> list[tuple[str, str]]:
    """(what was found, what is wrong) of lamps and sounder; the answers that somebody at the terminal gives, or nobody."""

    def build(_config: Config, **_options: object) -> Outputs:
        if isinstance(made, Exception):
            raise made
        return made

    monkeypatch.setattr(outputs, "outputs", build)
    monkeypatch.setattr(outputs, "LIT_S", 0)
    given = iter(answers or [])
    found = look_at_outputs(ON, simulate=False, runtime=Path, ask=None if answers is None else lambda _question: next(given))
    return [(part.detail, part.fault) for part in found]


def test_what_is_not_configured_is_not_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outputs, "outputs", None)
    found = look_at_outputs(Config(Path(), Path()), simulate=False, runtime=Path, ask=None)
    assert found == (PartFigures("lamps", "Lamps"), PartFigures("sound", "Sound"))


def test_simulated_ones_do_what_they_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Outputs(SimulatedLamps(), SimulatedSounder(wait=lambda _: None))
    monkeypatch.setattr(outputs, "outputs", lambda *_, **__: made)
    lamps, sound = look_at_outputs(Config(Path(), Path()), simulate=True, runtime=Path, ask=None)
    assert (lamps.detail, sound.detail) == ("simulated; it did what it was told",) * 2


def test_simulated_ones_that_fail_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    lamps, sounder = SimulatedLamps(), SimulatedSounder(wait=lambda _: None)
    lamps.fail("broken lamp")
    sounder.fail("broken sounder")
    assert looked(monkeypatch, Outputs(lamps, sounder)) == [("", "broken lamp"), ("", "broken sounder")]


def test_a_simulated_part_that_keeps_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    lamps, sounder = SimulatedLamps(), SimulatedSounder(wait=lambda _: None)
    monkeypatch.setattr(lamps, "lit", dict)
    sounder.played.append(((), 1))
    assert looked(monkeypatch, Outputs(lamps, sounder)) == [
        ("", "a simulated lamp does not follow its pin"),
        ("", "the simulated sounder kept no sound"),
    ]


def test_each_is_lit_and_heard_and_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    lamps, sounder = Lamps(), Sounder()
    assert looked(monkeypatch, Outputs(lamps, sounder), [True, True, True]) == [("was noticed", "")] * 2
    assert lamps.lit[1:] == [(True, False), (False, True)]
    assert (sounder.played, lamps.closed, sounder.closed) == (1, True, True)


@pytest.mark.parametrize(
    ("answers", "faults"),
    [
        ([False, True], ["the left one was not seen", ""]),
        ([True, False, True], ["the right one was not seen", ""]),
        ([True, True, False], ["", "it was not heard"]),
    ],
)
def test_what_nobody_noticed_is_wrong(monkeypatch: pytest.MonkeyPatch, answers: list[bool], faults: list[str]) -> None:
    assert [fault for _detail, fault in looked(monkeypatch, Outputs(Lamps(), Sounder()), answers)] == faults


def test_without_anybody_only_the_pins_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    sounder = Sounder()
    found = looked(monkeypatch, Outputs(Lamps(), sounder))
    assert found == [("its pins can be had; not tried, for nobody is at a terminal", "")] * 2
    assert not sounder.played


def test_a_part_that_fails_is_told_and_the_other_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Outputs(Lamps("The left lamp cannot be switched."), Sounder("The pin cannot be driven."))
    assert looked(monkeypatch, made, [True]) == [("", "The left lamp cannot be switched."), ("", "The pin cannot be driven.")]
    assert looked(monkeypatch, Outputs(None, Sounder()), [True]) == [("", ""), ("was noticed", "")]


def test_pins_that_cannot_be_had_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert looked(monkeypatch, HardwareFault("busy")) == [("", "busy")] * 2
