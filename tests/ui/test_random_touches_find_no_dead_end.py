"""Whatever is touched while any scenario is played: nothing fails, every touch is answered, there is a way back and a way on.

`python -m tests.ui.random_touches SECONDS` touches for longer. Nothing grows meanwhile.
"""

from __future__ import annotations

import gettext
import random
from pathlib import Path

import pygame
import pytest

from kiosk import say
from kiosk.domain.facts import MatchOpened
from kiosk.ui import type as ty
from kiosk.ui.paint import Painter
from tests.ui.moments import MOMENTS, PLAIN, Table
from tests.ui.random_touches import SCENARIOS, Player, evening, some_place


@pytest.mark.no_cover  # chance is not what the gates are held by
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem.split("-")[0])
def test_every_scenario(path: Path) -> None:
    evening(path, 0, 3)


@pytest.mark.no_cover
@pytest.mark.parametrize("seed", range(6))
def test_an_evening_of_touches_alone(seed: int) -> None:
    rng = random.Random(seed)
    Player(rng, some_place(rng)).play([], 60)


def test_nothing_grows_with_the_touches() -> None:
    """Hundreds of touches with painting leave no more behind than a match's entries and the caches' rims."""
    rng = random.Random(7)
    player = Player(rng, some_place(random.Random(3)))
    painter = Painter(pygame.Surface((player.place.w, player.place.h)))
    for i in range(180):
        player.pass_time(player.now + 100_000_000)
        player.touch()
        if i % 8 == 0:
            painter.paint(player.look())
    assert len(painter._words._kept) <= ty.KEPT
    assert ty.fitted.cache_info().currsize <= 1024
    desk = player.desk
    assert len(desk._seen) <= len(desk.session.table.alerts)
    assert len(desk._open) <= 12
    assert len(desk._asked) <= 60
    assert len(desk._holding) <= 1
    assert len(player.chronicle.entries) <= player.chronicle.count


def test_the_page_of_what_happened_costs_the_same_after_a_thousand_entries() -> None:
    """Only the lines that are shown are put into words."""
    match = MOMENTS["history"](PLAIN)
    spoken = words_spoken(match)
    for entry in list(match.chronicle.entries) * 60:
        if not isinstance(entry.fact, MatchOpened):
            match.chronicle._add(entry)
    assert len(match.chronicle.entries) > 1000
    assert words_spoken(match) <= spoken + 10


def words_spoken(match: Table) -> int:
    count = 0

    class Counting(gettext.NullTranslations):
        def gettext(self, message: str) -> str:
            nonlocal count
            count += 1
            return message

    say.install(Counting())
    try:
        match.picture()
    finally:
        say.install(gettext.NullTranslations())
    return count
