"""Every scenario of `tests/scenarios` that has an expectation comes out so; a range is {"min": a, "max": b}."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from kiosk.app.main import run

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parents[1] / "scenarios"
EXPECTED = sorted(FOLDER.glob("*.expect.json"))


def differences(want: Any, got: Any, where: str = "") -> Iterator[str]:
    """What differs: every key that is wanted must come out so, others may be there."""
    if isinstance(want, dict) and want and set(want) <= {"min", "max"}:
        if not isinstance(got, int | float) or not want.get("min", got) <= got <= want.get("max", got):
            yield f"{where}: {got!r} is outside {want}"
    elif isinstance(want, dict) and isinstance(got, dict):
        for key, value in want.items():
            if key not in got:
                yield f"{where}.{key}: missing"
            else:
                yield from differences(value, got[key], f"{where}.{key}")
    elif isinstance(want, list) and isinstance(got, list) and len(want) == len(got):
        for index, (each, other) in enumerate(zip(want, got, strict=True)):
            yield from differences(each, other, f"{where}[{index}]")
    elif want != got:
        yield f"{where}: expected {want!r}, got {got!r}"


def names_of(files: list[Path]) -> list[str]:
    return [file.name.removesuffix(".expect.json") for file in files]


@pytest.mark.parametrize("name", names_of(EXPECTED))
def test_a_scenario_comes_out_as_expected(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    want = json.loads((FOLDER / f"{name}.expect.json").read_text(encoding="utf-8"))
    code = run(["simulate", "--json", str(FOLDER / f"{name}.jsonl")])
    out, err = capsys.readouterr()
    assert code == want.pop("exit", 0), err
    assert list(differences(want, json.loads(out) if want else {})) == []


def test_no_scenario_lacks_its_expectation() -> None:
    scenarios = {file.name.removesuffix(".jsonl") for file in FOLDER.glob("*.jsonl")}
    assert scenarios == set(names_of(EXPECTED))
