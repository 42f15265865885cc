"""One family of errors, three reasons: you erred, the peer erred, the world failed.

Each child is also the builtin that a stranger would expect to catch.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

Value: TypeAlias = str | int | tuple[str, ...]
"""What a sentence's `{name}` stands for."""


def mark(text: str) -> str:
    """Mark a text for the catalogue where it is kept to be filled into a sentence later."""
    return text


def told(value: Value) -> str:
    """A value as a sentence tells it; several texts are told with commas."""
    return ", ".join(value) if isinstance(value, tuple) else str(value)


class KioskError(Exception):
    """Anything that Tableside raises on purpose; its text is one sentence a person can act on."""


class Refusal(StrEnum):
    """Why a command was refused, in the order in which reasons are reported when several apply."""

    NOT_AUTHORISED = "not_authorised"
    MATCH_OVER = "match_over"
    WRONG_PHASE = "wrong_phase"
    PAUSED = "paused"
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
    """You erred: the table refuses this now, and nothing has changed.

    `code` is for programs. People read `template` with `values` filled in: in English that is `message`, in their own language what
    the screen makes of the two. A value that is a text, or a tuple of texts, is translated like the template.
    """

    def __init__(self, code: Refusal, template: str, /, **values: Value) -> None:
        """Keep the code, the sentence and what goes into it.

        Args:
            code: Which refusal.
            template: The sentence in English, with `{name}` where a value goes; a literal, so that the catalogue finds it.
            values: What goes there; a tuple is told with commas.
        """
        self.code = code
        self.template = template
        self.values = values
        self.message = template.format(**{name: told(value) for name, value in values.items()})
        super().__init__(self.message)


class RulebookError(KioskError, ValueError):
    """You erred: a rulebook file says something that cannot be; the text names file, line and key."""


class JournalUnavailable(KioskError, OSError):
    """The world failed: the journal cannot be opened, read or written."""


class JournalDamaged(KioskError, ValueError):
    """The world failed: the journal's rows do not hold together; the text names the row."""


class PeerError(KioskError, ValueError):
    """The peer erred: what came over the network is not what the protocol says; nothing of it was taken."""


class RosterError(KioskError, ValueError):
    """You erred: no such official, or one that must stay; nothing has changed."""


class RosterUnavailable(KioskError, OSError):
    """The world failed: who the officials are cannot be read or written."""
