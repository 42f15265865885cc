"""Boards, legal plays and why a move is not legal, of backgammon and long nardy: values in, values out (domain rule 5)."""

from kiosk.play.anyid import Named, id_of, read_id
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
from kiosk.play.drawing import drawing
from kiosk.play.gnuid import GnuId, from_gnu, to_gnu
from kiosk.play.ids import IdError, position_id, read_position_id
from kiosk.play.judge import judge, judge_final
from kiosk.play.legal import plays
from kiosk.play.longid import LongPosition, is_long_id, read_long_id
from kiosk.play.mat import mat
from kiosk.play.matchid import MatchId, read_match_id
from kiosk.play.notation import NotationError, read_move, written
from kiosk.play.result import Player, winner, winning_kind
from kiosk.play.rules import PlayRules
from kiosk.play.transcript import Act, Progress, Terms, Told, Transcript, TranscriptError, Turn, begin, told
from kiosk.play.transcript_file import transcript_from_plain, transcript_to_plain
from kiosk.play.verdict import WORDS, Reason, Verdict, article
from kiosk.play.xgid import Xgid, read_xgid

__all__ = [
    "BAR",
    "CHECKERS",
    "HOME",
    "OFF",
    "POINTS",
    "WORDS",
    "Act",
    "Board",
    "BoardError",
    "Game",
    "GnuId",
    "IdError",
    "LongPosition",
    "MatchId",
    "Named",
    "NotationError",
    "Play",
    "PlayRules",
    "Player",
    "Progress",
    "Reason",
    "Step",
    "Terms",
    "Told",
    "Transcript",
    "TranscriptError",
    "Turn",
    "Verdict",
    "Xgid",
    "across",
    "article",
    "begin",
    "check_board",
    "drawing",
    "entries",
    "from_gnu",
    "id_of",
    "is_long_id",
    "judge",
    "judge_final",
    "mat",
    "plays",
    "position_id",
    "read_id",
    "read_long_id",
    "read_match_id",
    "read_move",
    "read_position_id",
    "read_xgid",
    "start_board",
    "to_gnu",
    "told",
    "transcript_from_plain",
    "transcript_to_plain",
    "winner",
    "winning_kind",
    "written",
]
