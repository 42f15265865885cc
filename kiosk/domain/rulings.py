"""What the table suggests for an infraction; an official decides (domain rule 4.2).

`suggest` knows nothing but the catalogue and what stands on the sheet. "Again" is the same side and code, not void.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from kiosk.domain.errors import CommandRefused, Refusal
from kiosk.domain.rulebook import Infraction, Ladder, Sanction
from kiosk.domain.types import Side


class Catalogue(Protocol):
    """Whatever carries a catalogue and a ladder: a match's setup, or a rulebook."""

    @property
    def infractions(self) -> tuple[Infraction, ...]:
        """The entries."""

    @property
    def ladder(self) -> Ladder:
        """The usual sanctions."""


class Ground(StrEnum):
    """Why a sanction is suggested."""

    ARTICLE = "article"
    """The first time; the article names the sanction."""
    FIRST_MINOR = "first_minor"
    FIRST_SERIOUS = "first_serious"
    REPEATED_SAME_GAME = "repeated_same_game"
    AFFECTS_PLAY = "affects_play"
    REPEATED_LATER = "repeated_later"
    ARTICLE_REPEAT = "article_repeat"
    """Again; the article names the sanction for that."""
    RECORDED_ONLY = "recorded_only"
    """It is put right, not punished."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """An entry that stands on the sheet already."""

    ruling: int
    """Its id; a later entry has a higher one."""
    sides: tuple[Side, ...]
    """Whom it names."""
    code: str
    """The infraction."""
    sanction: Sanction | None
    """What was decided; an entry without a sanction counts as well."""
    game: int
    """In which game."""
    void: bool = False
    """Whether it was taken back or superseded, and counts no more."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What the table suggests, and on what it rests."""

    sanction: Sanction | None
    """The sanction; None: to be recorded only."""
    ground: Ground
    """Why."""
    earlier: int | None
    """The earlier entry's id, where there is one: what makes it a repetition, or a case for the panel."""
    article: str
    """The infraction's article."""
    panel: bool
    """Whether it may be referred to the panel: systematic, or deliberate after a sanction."""


def find(catalogue: Catalogue, code: str) -> Infraction:
    """An infraction by its code.

    Args:
        catalogue: A match's setup, or a rulebook.
        code: The infraction's word.

    Raises:
        CommandRefused: `unknown_infraction`.
    """
    for infraction in catalogue.infractions:
        if infraction.code == code:
            return infraction
    if not catalogue.infractions:
        raise CommandRefused(Refusal.UNKNOWN_INFRACTION, "This match was opened without a catalogue of infractions; note it on paper.")
    raise CommandRefused(
        Refusal.UNKNOWN_INFRACTION, 'The catalogue of this match has no infraction "{code}"; choose one that it has.', code=code
    )


def suggest(
    catalogue: Catalogue, earlier: Sequence[Earlier], side: Side, code: str, game: int, *, affects_play: bool = False
) -> Suggestion:
    """Suggest a sanction.

    Args:
        catalogue: The match's setup (what was agreed), or a rulebook.
        earlier: The entries that stand on the sheet; void ones and those about others are passed over.
        side: Whom the new entry would name.
        code: The infraction.
        game: The number of the game in which it happened.
        affects_play: Whether it directly affected the play.

    Raises:
        CommandRefused: `unknown_infraction`.
    """
    infraction, ladder = find(catalogue, code), catalogue.ladder
    same = [entry for entry in earlier if side in entry.sides and entry.code == code and not entry.void]
    # The entry in this game weighs more than a newer one about another game.
    last = max(same, key=lambda entry: (entry.game == game, entry.ruling), default=None)

    def because(ground: Ground, sanction: Sanction | None, *, panel: bool = False) -> Suggestion:
        rests_on = None if last is None or ground is Ground.RECORDED_ONLY else last.ruling
        return Suggestion(sanction, ground, rests_on, infraction.article, panel)

    if infraction.recorded_only:
        return because(Ground.RECORDED_ONLY, None)
    if last is None:
        # Decision: an article's own sanction comes before all else, also where play was affected; the official may say more.
        if infraction.sanction is not None:
            return because(Ground.ARTICLE, infraction.sanction)
        if affects_play:
            return because(Ground.AFFECTS_PLAY, ladder.same_game)
        if infraction.serious:
            return because(Ground.FIRST_SERIOUS, ladder.first_serious)
        return because(Ground.FIRST_MINOR, ladder.first_minor)
    if infraction.repeat is not None:
        return because(Ground.ARTICLE_REPEAT, infraction.repeat)
    if last.game == game:
        return because(Ground.REPEATED_SAME_GAME, ladder.same_game)
    # Decision: a repetition in a later game remains one for the panel's note when it also affects play.
    if affects_play:
        return because(Ground.AFFECTS_PLAY, ladder.same_game, panel=ladder.note_later)
    return because(Ground.REPEATED_LATER, ladder.later_game, panel=ladder.note_later)
