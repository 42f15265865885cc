"""A match told turn by turn, and checked turn by turn.

**The machine.** A game is in one of four states; each kind of turn is possible in one of them only, everything else is refused and changes
nothing.

| state | `move` | `double` | `take`, `pass` | `resign` | `result` |
|---|---|---|---|---|---|
| nobody has moved yet | opens the game: two different dice (000 §2) | – | – | either side | either side |
| a side is to roll | that side's | that side's, if the cube allows it (000 §7) | – | either side | – |
| a double is offered | – | – | the other side's: it goes on at twice the value, or the game is lost at the value before | – | – |
| over | – | – | – | – | – |

A game whose moves nobody wrote down has one turn, its `result`.

**How a program enters one** (the touch board, for instance): `begin(…)` gives a game's first `Progress`, `progress.add(turn)` the next
one, or a `TranscriptError` with the sentence to show. `Turn(side, dice=(3, 1), steps=…)` is a move; its steps are what was moved in the
mover's own numbering, as `read_move` reads them and as `Verdict.made` and `Play.steps` have them; none, if nothing can be played.
`progress.acting` says who is to act, `progress.board` what `progress.side` sees. `Transcript` is the whole match: its games are tuples of
such turns, the last may be unfinished; `told(transcript)` checks all of it, `kiosk.play.mat` writes it for GNU Backgammon, and
`transcript_file` as JSON.

A move that was illegal and was left to stand cannot be told: no program reads it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, assert_never

from kiosk.domain.rulebook import Kind
from kiosk.domain.types import Pair, Side
from kiosk.play.board import Board, BoardError, Game, Step, start_board
from kiosk.play.judge import judge
from kiosk.play.result import Player, winner, winning_kind
from kiosk.play.rules import PlayRules
from kiosk.say import _

if TYPE_CHECKING:
    from kiosk.domain.rulebook import Rulebook

LARGEST_CUBE = 64
"""The cube goes no higher (domain rule 3.3)."""


_judged = lru_cache(512)(judge)
"""A match is told anew with each turn that is added."""


class Act(StrEnum):
    """What a turn is."""

    MOVE = "move"
    """A roll, and what was moved by it."""
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"
    """The double is refused, and the game lost; in a .mat file `Drops`."""
    RESIGN = "resign"
    RESULT = "result"
    """The game was not written down; of it is known who won, how, and with which cube."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One act of a side."""

    side: Side
    """Whose."""
    act: Act = Act.MOVE
    """What it is."""
    dice: tuple[int, int] | None = None
    """`move`: the two numbers thrown."""
    steps: tuple[Step, ...] = ()
    """`move`: what was moved, in the mover's own numbering; empty, if nothing could be."""
    kind: Kind = Kind.SINGLE
    """`resign`: as what the game is given up; `result`: how it was won."""
    cube: int = 1
    """`result`: the cube at the end of the game that `side` has won; of a pass, before the refused double."""


class TranscriptError(BoardError):
    """You erred: a match told turn by turn does not hold together; the sentence says what is wrong, and where."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a match is played by."""

    rules: PlayRules = PlayRules()
    """How moves are judged."""
    worth: tuple[tuple[Kind, int], ...] = ((Kind.SINGLE, 1), (Kind.GAMMON, 2), (Kind.BACKGAMMON, 3))
    """What each kind of win multiplies."""
    cube: bool = True
    """Whether there is a cube."""
    crawford: bool = True
    """Whether the Crawford rule holds in matches."""
    jacoby: bool = False
    """Whether in sessions gammons count only if the cube was turned."""

    @classmethod
    def of(cls, book: Rulebook) -> Terms:
        """The terms of a rulebook.

        Raises:
            TranscriptError: It is one of long nardy: no .mat file holds that game.
        """
        rules = PlayRules.of(book)
        if rules.game is not Game.BACKGAMMON:
            raise TranscriptError(_("A match of long nardy cannot be told in this way: no other program reads it."))
        return cls(rules, tuple(book.kinds.items()), book.cube, book.crawford, book.jacoby)


@dataclass(frozen=True, slots=True)
class Start:
    """With what a game began, where that does not follow from the games before it."""

    score: Pair[int] | None = None
    """The score before it, penalty points included; None: as the games before it have left it."""
    cube: int = 1
    """2 after an automatic double."""
    crawford: bool | None = None
    """Whether it is the Crawford game; None: as the score has it."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """A match, or a session, told turn by turn."""

    names: Pair[str]
    """Who sits where."""
    length: int
    """Points of the match; 0 is a session without end."""
    games: tuple[tuple[Turn, ...], ...]
    """Its games in order; the last may be unfinished."""
    terms: Terms = Terms()
    """What it is played by."""
    score: Pair[int] = field(default_factory=lambda: Pair(0, 0))
    """The score before the first of these games."""
    crawford_played: bool = False
    """Whether the Crawford game was played before them."""
    starts: tuple[Start, ...] = ()
    """Of each game; fewer than there are games: the others began as they do."""
    first: int = 1
    """The number by which its first game is called where something is wrong with it."""

    def start(self, index: int) -> Start:
        """With what a game began; the first has the index 0."""
        return self.starts[index] if index < len(self.starts) else Start()


@dataclass(frozen=True, slots=True)
class Progress:
    """How a game stands after some turns."""

    terms: Terms
    """What it is played by."""
    turned: bool
    """Whether the cube may be turned in it: there is one, and it is no Crawford game."""
    counts: bool = True
    """Whether gammons count although the cube was not turned (no Jacoby)."""
    board: Board = start_board(Game.BACKGAMMON)
    """The position, as `side` sees it."""
    side: Side | None = None
    """Who is to roll, or has offered the double; None before the first move."""
    offered: bool = False
    """Whether a double waits for its answer."""
    cube: int = 1
    """The cube's value."""
    owner: Side | None = None
    """Whose the cube is; None: nobody's."""
    turns: tuple[Turn, ...] = ()
    """What has been told; each move's steps are one a die, with their hits."""
    winner: Side | None = None
    """Who has won; None while the game goes on."""
    points: int = 0
    """What the winner gets."""

    @property
    def acting(self) -> Side | None:
        """Who is to act: to roll, or to answer a double; None: either, or the game is over."""
        if self.side is None or self.winner:
            return None
        return self.side.other if self.offered else self.side

    def add(self, turn: Turn) -> Progress:
        """The game after one turn more.

        Args:
            turn: What was done.

        Raises:
            TranscriptError: It cannot have been; the game stays as it is.
        """
        self._refuse(turn)
        match turn.act:
            case Act.MOVE:
                return self._moved(turn)
            case Act.DOUBLE:
                return self._doubled(turn)
            case Act.TAKE:
                return replace(self, offered=False, cube=self.cube * 2, owner=turn.side, turns=(*self.turns, turn))
            case Act.PASS:
                return self._won(turn, turn.side.other, Kind.PASS)
            case Act.RESIGN:
                return self._won(turn, turn.side.other, turn.kind)
            case Act.RESULT:
                return self._won(turn, turn.side, turn.kind, turn.cube)
            case _ as never:
                assert_never(never)

    def _refuse(self, turn: Turn) -> None:
        """Refuse what cannot come now, whatever it is in itself."""
        if self.winner:
            raise TranscriptError(_("The game is over."))
        if turn.act is Act.RESULT and self.turns:
            raise TranscriptError(_("Only a game without any other turn is told by its result."))
        if turn.act is Act.RESULT and turn.cube > self.cube and not self.turned:
            raise TranscriptError(_("This game is played without the cube."))
        if turn.act is not Act.RESIGN and turn.side is not (self.acting or turn.side):
            raise TranscriptError(_("It is the other side's turn: {side}.", side=_(turn.side.other)))
        if self.offered is not (turn.act in {Act.TAKE, Act.PASS}):
            raise TranscriptError(
                _("A double is offered: the other side takes or passes.")
                if self.offered
                else _("No double is offered that could be answered.")
            )

    def _moved(self, turn: Turn) -> Progress:
        if turn.dice is None:
            raise TranscriptError(_("The dice are missing."))
        if self.side is None and len(set(turn.dice)) == 1:
            raise TranscriptError(_("A game begins with two different dice (000 §2)."))
        verdict = _judged(self.board, turn.dice, turn.steps, self.terms.rules)
        if not verdict.legal or verdict.final is None:
            raise TranscriptError(verdict.sentence + (f" ({verdict.article})" if verdict.article else ""))
        turn = replace(turn, steps=verdict.made)
        if winner(verdict.final) is Player.ME:
            kind = winning_kind(verdict.final, Game.BACKGAMMON)
            return self._won(turn, turn.side, kind if kind in dict(self.terms.worth) else Kind.SINGLE)  # 003: every win is a plain one
        return replace(self, board=verdict.final.turned(), side=turn.side.other, turns=(*self.turns, turn))

    def _doubled(self, turn: Turn) -> Progress:
        if not self.turned:
            raise TranscriptError(_("This game is played without the cube."))
        if self.side is None:
            raise TranscriptError(_("Nobody doubles on a game's first turn (000 §7)."))
        if self.owner not in {None, turn.side}:
            raise TranscriptError(_("The cube belongs to the other side."))
        if self.cube >= LARGEST_CUBE:
            raise TranscriptError(_("The cube stands at {most} and goes no higher.", most=LARGEST_CUBE))
        return replace(self, offered=True, turns=(*self.turns, turn))

    def _won(self, turn: Turn, side: Side, kind: Kind, cube: int | None = None) -> Progress:
        worth = {**dict(self.terms.worth), Kind.PASS: 1}
        if kind not in worth:
            raise TranscriptError(_("By these rules no game is lost as {kind}.", kind=_(kind)))
        cube = self.cube if cube is None else cube
        times = worth[kind] if self.counts or self.owner or cube > self.cube else 1
        return replace(self, cube=cube, winner=side, points=cube * times, turns=(*self.turns, turn))


@dataclass(frozen=True, slots=True)
class Told:
    """One game of a match that was checked."""

    before: Pair[int]
    """The score before it."""
    crawford: bool
    """Whether it is the Crawford game."""
    progress: Progress
    """How it ended, or how it stands."""
    last: bool
    """Whether the match is over with it."""
    cube: int = 1
    """The cube with which it began."""

    @property
    def score(self) -> Pair[int]:
        """The score after it."""
        points = {self.progress.winner: self.progress.points}
        return Pair(*(self.before[side] + points.get(side, 0) for side in (Side.LEFT, Side.RIGHT)))


def begin(transcript: Transcript) -> Told:
    """The next game of a match: nothing of it has been told.

    Args:
        transcript: The match with all its finished games.

    Raises:
        TranscriptError: A game before it is wrong or unfinished, or the match is over.
    """
    return told(replace(transcript, games=(*transcript.games, ())))[-1]


def told(transcript: Transcript) -> tuple[Told, ...]:
    """Check a match from its first turn to its last.

    Args:
        transcript: The match.

    Raises:
        TranscriptError: Something in it cannot have been; game and turn are named.
    """
    terms, length = transcript.terms, transcript.length
    score, played = transcript.score, transcript.crawford_played
    if length and played and max(score.left, score.right) < length - 1:
        raise TranscriptError(
            _(
                "At {left} to {right} the Crawford game of a match of {length} points cannot have been played.",
                left=score.left,
                right=score.right,
                length=length,
            )
        )
    done: list[Told] = []
    for index, turns in enumerate(transcript.games):
        where, start = _("Game {n}", n=transcript.first + index), transcript.start(index)
        score = score if start.score is None else start.score
        if done and not done[-1].progress.winner:
            raise TranscriptError(_("{where}: the game before it has no end.", where=where))
        if length and max(score.left, score.right) >= length:
            raise TranscriptError(
                _("{where}: the match was over before it, {left} to {right}.", where=where, left=score.left, right=score.right)
            )
        # 000 §8: the game after a side first stands one point from winning; domain rule 3.4: not where both stand there at once.
        away = sorted((length - score.left, length - score.right))
        crawford = bool(length) and terms.crawford and not played and away[0] == 1 < away[1]
        crawford = crawford if start.crawford is None else start.crawford
        played = played or crawford or (start.crawford is None and bool(length) and away[0] == 1)
        cube = terms.cube and not crawford and length != 1  # domain rule 3.4: in a match of one point there is no use for it
        game = _game(turns, Progress(terms, cube, bool(length) or not terms.jacoby, cube=start.cube), where)
        done.append(Told(score, crawford, game, last=False, cube=start.cube))
        score = done[-1].score
        done[-1] = replace(done[-1], last=bool(length) and max(score.left, score.right) >= length)
    return tuple(done)


def _game(turns: tuple[Turn, ...], progress: Progress, where: str) -> Progress:
    for number, turn in enumerate(turns, start=1):
        try:
            progress = progress.add(turn)
        except BoardError as error:
            raise TranscriptError(_("{where}, turn {n}: {error}", where=where, n=number, error=error)) from error
    return progress
