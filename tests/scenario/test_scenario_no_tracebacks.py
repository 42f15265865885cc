"""Whatever a file holds, the answer is a list of steps or a ScenarioError."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import event, given
from hypothesis import strategies as st

from kiosk.app.scenario import ScenarioError, load
from kiosk.books import Library

EXAMPLES = sorted((Path(__file__).parents[1] / "scenarios").glob("*.jsonl"))
KNOWN = Library().names()
PIECES = st.sampled_from(
    [
        *("null", "true", "-1", "0", "1e999", "1e9999999999999999999", "1e-99999", "9" * 5000, "NaN", "-Infinity", '""'),
        *("[]", "{}", "[[]]", "[[0,1]]", '{"left":1,"right":{}}', '{"policy":[]}', '"left"', '"both"', '"end"'),
        *('"\\ud800"', "\ufeff", "\0", "\r"),
    ]
)


@st.composite
def mutants(draw: st.DrawFn) -> bytes:
    raw = draw(st.sampled_from(EXAMPLES)).read_bytes()
    for _ in range(draw(st.integers(1, 4))):
        cut = sorted(draw(st.tuples(*[st.integers(0, len(raw))] * 2)))
        piece = draw(PIECES.map(lambda text: text.encode()) | st.binary(max_size=4))
        match draw(st.sampled_from(["insert", "replace", "double", "value"])):
            case "insert":
                raw = raw[: cut[0]] + piece + raw[cut[0] :]
            case "replace":
                raw = raw[: cut[0]] + piece + raw[cut[1] :]
            case "double":
                raw = raw[: cut[1]] + raw[cut[0] :]
            case "value":
                before, colon, after = raw[cut[0] :].partition(b": ")
                rest = after[len(after.split(b",")[0].split(b"}")[0]) :]
                raw = raw[: cut[0]] + before + colon + piece + rest
    return raw


def judge(raw: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mutant.jsonl"
        path.write_bytes(raw)
        try:
            steps = load(path, KNOWN)
        except ScenarioError as error:
            event("refused")
            line, _, sentence = str(error).removeprefix(f"{path}:").partition(": ")
            assert 1 <= int(line) <= raw.count(b"\n") + 1
            assert sentence.endswith(".")
            str(error).encode("utf-8")
        else:
            event("read")
            times = [step.at_ns for step in steps]
            assert times == sorted(times)


@given(mutants())
def test_a_damaged_example_is_read_or_refused(raw: bytes) -> None:
    judge(raw)


@given(st.binary(max_size=200) | st.text(max_size=100).map(lambda text: text.encode()))
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    judge(raw)
