"""A match's moves, as they were written down at its table, as the text that GNU Backgammon imports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.play.mat import mat
from kiosk.play.noted import transcript_of

if TYPE_CHECKING:
    from kiosk.sheets.walk import ScoreSheet


def to_mat(sheet: ScoreSheet) -> bytes:
    """The match as .mat, in UTF-8.

    Args:
        sheet: The match.

    Raises:
        TranscriptError: Nothing was written down, it is long nardy, or the turns do not come to what was recorded.
    """
    return mat(transcript_of(sheet.table, sheet.noted)).encode()
