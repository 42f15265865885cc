"""Whatever a file says, the answer is a rulebook or a sentence."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import event, given, settings
from hypothesis import strategies as st

from kiosk import rulebooks
from kiosk.books import Library, check_file
from kiosk.domain.errors import RulebookError
from kiosk.domain.rulebook import Rulebook
from tests.often import often

PIECES = [
    *("true", "false", "nan", "inf", "-1", "0", "1e999", "1e-12", "[]", "{}", '""', '"x"', "[[1]]", "1979-05-27", "07:32:00"),
    *("[control]", "[kinds]", "[[presets]]", "[[control]]", "[presets]", "x = 1", "control.x = 1", "kinds = 3", "game = 'long'"),
    *("[control.table_s]", "[a.b.c.d.e.f.g.h]", '"""', "'''", "\0", "\r", "\ufeff", "é", "=", "#", "]", "0x" + "f" * 5000),
    *('extends = "ibgf-blitz"', 'extends = "mutant"', 'name = "ibgf"', "'\"' = 1", "\\", "blitz = true", "cube = false"),
]
VALUES = st.sampled_from(PIECES) | st.text(max_size=6) | st.integers().map(str) | st.floats().map(str)


@st.composite
def mutants(draw: st.DrawFn) -> str:
    lines = rulebooks.text(draw(st.sampled_from(rulebooks.NAMES))).splitlines()
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(lines) - 1))
        match draw(st.sampled_from(["drop", "double", "value", "insert", "move", "cut"])):
            case "drop":
                lines[at] = ""
            case "double":
                lines.insert(at, lines[draw(st.integers(0, len(lines) - 1))])
            case "value":
                lines[at] = lines[at].split("=")[0] + "= " + draw(VALUES)
            case "insert":
                lines.insert(at, draw(VALUES))
            case "move":
                lines.append(lines.pop(at))
            case "cut":
                lines[at] = lines[at][: draw(st.integers(0, 40))]
    return "\n".join(lines)


def judge(raw: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mutant.toml"
        path.write_bytes(raw)
        problems = check_file(path, Library([Path(folder)]))
        lines = raw.count(b"\n") + raw.count(b"\r") + 1
        assert all(1 <= problem.line <= lines and problem.sentence.endswith((".", "?", '"')) for problem in problems)
        errors = [problem for problem in problems if not problem.warning]
        event("faulty" if errors else "good")
        library = Library([Path(folder)])
        try:
            book = library.load("mutant")
        except RulebookError as error:
            refused = str(error)
        else:
            refused = ""
            assert isinstance(book, Rulebook)
        # A mutant may have got another name, and is then not found by this one.
        assert bool(refused) == bool(errors) or "no rulebook" in refused


@settings(max_examples=often(50), deadline=None)
@given(mutants())
def test_a_mutated_rulebook_is_good_or_has_problems(text: str) -> None:
    judge(text.encode("utf-8", "surrogatepass"))


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=80))
def test_any_bytes_are_good_or_have_problems(raw: bytes) -> None:
    judge(raw)
