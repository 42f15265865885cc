"""Boards, legal plays and why a move is not legal, of backgammon and long nardy: values in, values out (domain rule 5)."""

from kiosk.play.board import (
    BAR,
    CHECKERS,
    HOME,
    OFF,
    POINTS,
    Board,
    BoardError,
    Game,
    Play,
    Step,
    across,
    check_board,
    entries,
    start_board,
)
from kiosk.play.result import Player, winner, winning_kind
from kiosk.play.rules import PlayRules
from kiosk.play.verdict import WORDS, Reason, Verdict, article

__all__ = [
    "BAR",
    "CHECKERS",
    "HOME",
    "OFF",
    "POINTS",
    "WORDS",
    "Board",
    "BoardError",
    "Game",
    "Play",
    "PlayRules",
    "Player",
    "Reason",
    "Step",
    "Verdict",
    "across",
    "article",
    "check_board",
    "entries",
    "start_board",
    "winner",
    "winning_kind",
]
