"""`python -m tests.bench [NAME …]`: takes each figure and says whether it is within its budget.

Exit codes: 0 all are; 1 one is over, or could not be taken; 2 there is no such bench.
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import sys

from tests.bench.figures import Bench, CannotMeasure

BENCHES = (
    "charged_error",
    "long_clock",
    "press_path",
    "box_error",
    "start",
    "memory",
    "reopen",
    "back_again",
    "simulate",
    "sheet_pdf",
    "press_to_pixels",
    "redraw",
    "redraw_dirty",
    "redraw_turned",
    "first_frame",
    "screen_cpu",
    "screen_still",
    "screen_memory",
    "long_use",
    "event_xlsx",
    "event_memory",
    "hall_load",
    "hall_board",
    "hall_lost",
    "hall_memory",
    "hall_catch_up",
    "hall_catch_up_pg",
    "hall_page",
    "hall_page_size",
    "tournament_pages",
    "card_wear",
    "swiss_round",
    "swiss_round_200",
    "swiss_table",
    "play_doubles",
    "play_judge",
    "board_touch",
)
"""Every bench in the order in which they run; each is a module beside this one with a `BENCH`."""


def load(name: str) -> Bench:
    """Import one bench."""
    found = importlib.import_module(f"tests.bench.{name}").BENCH
    if not isinstance(found, Bench):
        raise TypeError(f"tests.bench.{name}.BENCH is no Bench")
    return found


def run(name: str) -> bool:
    """Take one figure, print its line, and say whether it is all right."""
    bench = load(name)
    try:
        figure = bench.measure()
    except CannotMeasure as error:
        print(f"{name:14} could not be taken: {error}", flush=True)
        return False
    within = figure <= bench.budget
    line = f"{name:14} {_number(figure):>10} {bench.unit:3} budget {_number(bench.budget):>5}  {'ok' if within else 'OVER'}"
    beside = bench.beside()
    print(f"{line}  ({beside})" if beside else line, flush=True)
    return within


def _number(figure: float) -> str:
    return f"{figure:.3f}".rstrip("0").rstrip(".") if isinstance(figure, float) else str(figure)


def main(arguments: list[str] | None = None) -> int:
    """Run the benches that were asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Takes figures and compares them with their budgets.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="which figures; all when none is named")
    parser.add_argument("--list", action="store_true", help="list the figures and their budgets, measure nothing")
    wanted = parser.parse_args(arguments)
    for name in wanted.names:
        if name not in BENCHES:
            near = difflib.get_close_matches(name, BENCHES, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(BENCHES)}."
            print(f"tests.bench: there is no bench {name!r}; {hint}", file=sys.stderr)
            return 2
    names = wanted.names or BENCHES
    if wanted.list:
        for name in names:
            bench = load(name)
            print(f"{name:14} {_number(bench.budget):>5} {bench.unit:3} {bench.what}")
        return 0
    results = [run(name) for name in names]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
