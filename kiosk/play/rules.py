"""Which play rules hold: the game and its options, taken from a rulebook."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.domain.rulebook import BlockRule, HeadRule, RuleText
from kiosk.play.board import Game

if TYPE_CHECKING:
    from kiosk.domain.rulebook import PlayOptions, Rulebook


@dataclass(frozen=True, slots=True)
class PlayRules:
    """The play rules of one regulation. Everything below `text` concerns long nardy only."""

    game: Game = Game.BACKGAMMON
    """Which game."""
    text: RuleText = RuleText.FEDERATION
    """The rule text whose articles are cited."""
    two_from_head: HeadRule = HeadRule.SECOND
    """Who may take two checkers from the head with the first throw of 3-3, 4-4 or 6-6 (004 5.4.11)."""
    block: BlockRule = BlockRule.ON_THE_WAY
    """When a six-block in front of all the opponent's checkers is looked for (004 5.4.13)."""
    bear_off_any_lower: bool = False
    """Whether a checker may leave from below the number thrown although higher points are held (004 5.4.37 by the letter)."""
    last_roll: bool = False
    """Whether the second player has a last roll after the first has borne off everything, and with it a draw."""

    @classmethod
    def of(cls, book: Rulebook) -> PlayRules:
        """The play rules of a rulebook."""
        return cls.chosen(book.game, book.play)

    @classmethod
    def chosen(cls, game_word: str, play: PlayOptions) -> PlayRules:
        """The play rules of a game with its options.

        Args:
            game_word: `backgammon` or `long`.
            play: The options.
        """
        game, text = (Game.BACKGAMMON, RuleText.FEDERATION) if game_word == "backgammon" else (Game.LONG_NARDY, RuleText.NATIONAL)
        return cls(game, play.text or text, play.two_from_head, play.block, play.bear_off_any_lower, play.last_roll)
