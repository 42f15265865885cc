"""One family of errors, three reasons: you erred, the peer erred, the world failed.

Each child is also the builtin that a stranger would expect to catch.
"""

from __future__ import annotations

from enum import StrEnum


class KioskError(Exception):
    """Anything that Tableside raises on purpose; its text is one sentence a person can act on."""


class Refusal(StrEnum):
    """Why a command was refused, in the order in which reasons are reported when several apply."""

    NOT_AUTHORISED = "not_authorised"
    MATCH_OVER = "match_over"
    WRONG_PHASE = "wrong_phase"
    NO_CUBE = "no_cube"
    CRAWFORD_GAME = "crawford_game"
    CUBE_FROZEN = "cube_frozen"
    NOT_YOUR_TURN = "not_your_turn"
    FIRST_TURN = "first_turn"
    CUBE_NOT_YOURS = "cube_not_yours"
    CUBE_AT_LIMIT = "cube_at_limit"
    NO_BREAKS_LEFT = "no_breaks_left"
    BREAKS_NOT_PROVIDED = "breaks_not_provided"
    WINDOW_CLOSED = "window_closed"
    FLAG_NOT_DOWN = "flag_not_down"
    NOT_THE_LOSER = "not_the_loser"
    UNKNOWN_INFRACTION = "unknown_infraction"
    DUPLICATE_RULING = "duplicate_ruling"
    ALREADY_USED = "already_used"
    NOTHING_TO_UNDO = "nothing_to_undo"
    BAD_VALUE = "bad_value"


class CommandRefused(KioskError, ValueError):
    """You erred: the table refuses this now, and nothing has changed."""

    def __init__(self, code: Refusal, message: str) -> None:
        """Keep the code for programs and the sentence for people."""
        super().__init__(message)
        self.code = code
        self.message = message


class RulebookError(KioskError, ValueError):
    """You erred: a rulebook file says something that cannot be; the text names file, line and key."""


class JournalUnavailable(KioskError, OSError):
    """The world failed: the journal cannot be opened, read or written."""


class JournalDamaged(KioskError, ValueError):
    """The world failed: the journal's rows do not hold together; the text names the row."""
