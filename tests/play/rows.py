"""The rows of the play files: expected results that none of us computed."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from kiosk.domain.rulebook import BlockRule, HeadRule, RuleText
from kiosk.play import Board, Game, PlayRules

DATA = Path(__file__).parent / "data"
BACKGAMMON = PlayRules()
COMMON = PlayRules(Game.LONG_NARDY, RuleText.NATIONAL, two_from_head=HeadRule.BOTH)
"""Long nardy as the file's `finals` read it."""
VARIANTS = {
    "head_second_player_only": replace(COMMON, two_from_head=HeadRule.SECOND),
    "bearoff_any_lower": replace(COMMON, bear_off_any_lower=True),
    "block_checked_at_end_only": replace(COMMON, block=BlockRule.AT_THE_END),
    "no_block_rule": replace(COMMON, block=BlockRule.NONE),
}


@cache
def rows(name: str) -> tuple[dict[str, Any], ...]:
    """The rows of a file; not to be changed."""
    with gzip.open(DATA / f"{name}_plays.jsonl.gz", "rt", encoding="utf-8") as lines:
        return tuple(json.loads(line) for line in lines)


def board_of(row: dict[str, Any]) -> Board:
    """The position of a row, or of one of the entries of backgammon's `finals` and `illegal`."""
    return Board(tuple(row["me"]), tuple(row["opp"]))
