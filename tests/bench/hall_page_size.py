"""How large the hall's page with 200 tables is, not compressed, in the language in which it is largest."""

from __future__ import annotations

from tests.bench.figures import Bench
from tests.bench.hall_page import pages


def measure() -> float:
    _spent, largest = pages()
    return largest / 1000


BENCH = Bench("KB", 300, measure, "the hall's page of 200 tables, not compressed")
