"""The hall's page with 200 tables, asked for over the wire again and again while the tables go on."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from tests.bench.figures import Bench, CannotMeasure

TABLES = 200
ASKED = 60


def pages() -> tuple[list[float], int]:
    """How long each answer took, in milliseconds, and the largest page in bytes."""
    import httpx

    from tests.server import faces
    from tests.server.serving import serving

    spent, largest = [], 0
    with tempfile.TemporaryDirectory(prefix="tableside-bench-") as folder, serving(Path(folder)) as server:
        faces.show(server.house, *faces.variety(TABLES, faces.now_ms(server.house)))
        with httpx.Client(base_url=server.url, headers={"accept-encoding": "identity"}) as client:
            for n in range(ASKED + 5):
                faces.show(server.house, faces.playing(str(20 + n), faces.now_ms(server.house)))
                began = time.perf_counter()
                answer = client.get("/", headers={"accept-language": ("en", "ru", "uk", "mk")[n % 4]})
                spent.append((time.perf_counter() - began) * 1000)
                if answer.text.count('<li class="table"') != TABLES + 1:  # the blank one for tables that come
                    raise CannotMeasure("a page did not hold every table.")
                largest = max(largest, len(answer.content))
    return spent[5:], largest


def measure() -> float:
    spent, _largest = pages()
    return sorted(spent)[int(len(spent) * 0.95)]


BENCH = Bench("ms", 100, measure, "the hall's page of 200 tables, 95th percentile, asked for over the wire")
