"""Boundary sheets: the shortest, the longest, the widest, and those that read strangely."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from evenings import line, opened, sheet_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from kiosk.sheets import ScoreSheet

OFFICIALS = [{"name": "Vera Љубојевић", "role": "referee", "pin": "2468"}, {"name": "Cvetko", "role": "chief", "pin": "1357"}]
WIDE = "Wolfeschlegelsteinhausenbergerdorff-Wüst"
"""40 letters without a space."""
DRAWN = [[[10, 390], [500, 12], [700, 300]], [[1000, 0]]]

Lines = list[dict[str, Any]]


def game(at: float, winner: str, kind: str = "single", **more: Any) -> Lines:
    loser = "right" if winner == "left" else "left"
    return [line(at, "game", winner=winner, kind=kind, **more), line(at + 1, "confirm", by=loser)]


def many(count: int, length: int = 25) -> Lines:
    """So many games, won in turn."""
    lines = [opened(length, players={"left": "Ana", "right": "Boris"})]
    for n in range(count):
        lines += game(10 * n + 1, ("left", "right")[n % 2])
    return lines


def names(left: Any, right: Any) -> Lines:
    return [opened(3, players={"left": left, "right": right}), *game(5, "left"), *game(9, "right", "gammon")]


def busy() -> Lines:
    """Whatever officials can do, with hundreds of lines of what else happened."""
    lines = [
        opened(7, officials=OFFICIALS, reserve_s=600, provide="breaks", players={"left": [WIDE, "José Łęcki"], "right": ["ნინო", "Ґанна"]}),
        line(0, "start_late", side="right"),
        line(3, "arrive", side="right"),
        line(4, "press", side="right"),
        line(5, "call_referee", by="left"),
        line(6, "sign_in", pin="2468"),
        line(7, "penalty", side="right", infraction="dice_replaced", note="took the other pair"),
        line(8, "penalty", side="right", infraction="dice_replaced", duplicate="merge", note="twice seen"),
        line(9, "penalty", side="both", infraction="eating"),
        line(10, "void", ruling=2, reason="the wrong table"),
        line(11, "sign_in", pin="1357"),
        line(12, "adjust", side="left", seconds=30, reason="a phone rang"),
        line(13, "set_control", delay_s=20, method="bronstein", reason="wrong setting"),
        line(14, "set_cube", value=2, owner="right", reason="as on the board"),
        line(15, "appeal", ruling=1, by="right"),
        line(16, "suspend", position="XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", note="the hall closes"),
        line(20, "resume_match"),
        line(21, "resume"),
        line(22, "sign_out"),
        *game(30, "left", "gammon"),
        line(32, "break", by="right"),
        line(40, "end_break", by="right"),
        *game(41, "right"),
        line(43, "correct", game=2, winner="left", kind="single", cube=1, reason="wrong winner"),
    ]
    lines.append(line(45, "press", side="left"))
    for n in range(150):
        lines += [line(50 + n, "call_referee", by=("left", "right")[n % 2]), line(50.5 + n, "resume")]
    lines += [line(300, "resign_match", by="right"), line(301, "sign", side="left", strokes=DRAWN), line(302, "sign", side="right")]
    return lines


def corrected() -> Lines:
    return [
        opened(1),
        *game(5, "left"),
        line(7, "sign", side="left", strokes=DRAWN),
        line(9, "correct", game=1, winner="left", kind="gammon", cube=1, reason="gammon"),
        line(12, "sign", side="right", strokes=DRAWN),
    ]


def from_paper() -> Lines:
    """A match that was entered from paper."""
    games = [{"winner": "left", "kind": "gammon", "cube": 2}, {"winner": "right", "kind": "single"}, {"winner": "left", "kind": "single"}]
    more = {"played": "29 Nov, sheet 14", "signed": {"left": "yes", "right": "protest"}}
    given = {"rulebook": "ibgf", "length": 5, "players": {"left": "Ana", "right": "Boris"}, "officials": OFFICIALS, "games": games, **more}
    return [line(0, "sign_in", pin="1357"), line(1, "enter_paper", **given), line(2, "end")]


def session() -> Lines:
    """A free session, ended with one side ahead."""
    return [opened(None, rulebook="circle"), *game(5, "left", "gammon"), line(9, "press", side="left"), line(12, "end_session")]


BOUNDARY: dict[str, Callable[[], Lines]] = {
    "no game": lambda: [opened(5)],
    "one game": lambda: many(1),
    "a match of 25 points in 49 games": lambda: many(49),
    "names of 40 letters": lambda: names(WIDE, WIDE[::-1]),
    "pairs of long names": lambda: names([WIDE, "Ана Љубовић-Константиновска Вучковиќ"], ["ნინო ბერიძე-წერეთელი", WIDE]),
    "Cyrillic": lambda: names("Ґанна Їжакевич", "Ѓорѓи Њујоров"),
    "Georgian": lambda: names("ნინო ბერიძე", "გიორგი წერეთელი"),
    "Latin with diacritics": lambda: names("Łukasz Żółć", "Şükrü Çelik Ğ İı Õ Ř ů ž đ ß æ ø þ"),
    "letters that no face has": lambda: names("山田 太郎", "مريم 🎲"),
    "names like formulas": lambda: names("=cmd()", ["+1", "@SUM(A1)"]),
    "names like figures": lambda: names("12", "-1e5"),
    "a free session without clock": session,
    "long nardy": lambda: [opened(3, rulebook="rus-long"), *game(5, "left", "mars"), *game(8, "left", "oin")],
    "forfeit": lambda: [opened(reserve_s=5, delay_s=0), line(0, "start_late", side="right"), line(9, "claim_flag", by="left")],
    "double forfeit": lambda: [opened(reserve_s=5, delay_s=0), line(0, "start_late", side="both"), line(9, "claim_flag", by="referee")],
    "revision 2": corrected,
    "hundreds of events": busy,
    "entered from paper": from_paper,
    "a date that was set on the way": lambda: [opened(3), *game(5, "left"), line(20, "wall_clock", step_s=10_800), *game(30, "right")],
}  # fmt: skip


@cache
def boundary(name: str) -> ScoreSheet:
    """One of them."""
    return sheet_of(*BOUNDARY[name]())
