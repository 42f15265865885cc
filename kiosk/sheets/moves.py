"""A match's moves, as they were written down at its table, as the text that GNU Backgammon imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.play.mat import mat
from kiosk.play.noted import LeftOut, noted_match

if TYPE_CHECKING:
    from kiosk.sheets.walk import ScoreSheet


def to_mat(sheet: ScoreSheet) -> tuple[bytes, tuple[LeftOut, ...]]:
    """The match as .mat, in UTF-8, and the games whose moves are not in it.

    Args:
        sheet: The match.

    Raises:
        TranscriptError: It is long nardy, or of no game the moves can be told.
    """
    found = noted_match(sheet.table, sheet.noted)
    return mat(found.transcript).encode(), found.left_out
