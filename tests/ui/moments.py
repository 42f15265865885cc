"""Moments of a table, each as a desk with a picture to look at: the same set for goldens, contrast, touches and injected faults."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from kiosk.app.barred import barred_words
from kiosk.app.roster import MemoryRoster
from kiosk.books import Library
from kiosk.domain.card import CardEntry
from kiosk.domain.facts import CheckItem, OnPaper, Outcome, Party, Permit, StopReason
from kiosk.domain.officials import Official, Role
from kiosk.domain.rulebook import Kind, Sanction
from kiosk.domain.setup import Options, resolve
from kiosk.domain.state import Place as Place_
from kiosk.domain.types import NS_PER_S, Instant, Pair, Side, Span, seconds
from kiosk.journal import MemoryJournal
from kiosk.play import Board, PlayRules, Step
from kiosk.ports import Earlier, FoundServer, Joined, LinkState, NoUplink, Offer, Row
from kiosk.session import Carried, Session, carried, running_match
from kiosk.session import commands as c
from kiosk.sheets.qr import squares
from kiosk.sync import wire
from kiosk.ui.chronicle import Chronicle
from kiosk.ui.desk import Desk
from kiosk.ui.draw import Scene
from kiosk.ui.page import Place
from kiosk.ui.screens.badge import GiveBadge, WhoseBadge
from kiosk.ui.screens.base import Screen
from kiosk.ui.screens.chouette.clock import WITHOUT, ChouetteClock
from kiosk.ui.screens.chouette.games import ChouetteGames
from kiosk.ui.screens.chouette.more import ChouetteJoins, ChouetteLeaves, ChouetteMore, ChouetteRules
from kiosk.ui.screens.chouette.result import ChouetteResult
from kiosk.ui.screens.chouette.start import ChouetteDice, ChouetteStart
from kiosk.ui.screens.chouette.team_double import TeamDouble
from kiosk.ui.screens.desk_words import WholeMessage
from kiosk.ui.screens.doctor import ButtonTrial, Checkup, PartTrial, TouchTrial, grid
from kiosk.ui.screens.history import History
from kiosk.ui.screens.keyboard import Keyboard
from kiosk.ui.screens.languages import Languages
from kiosk.ui.screens.menu import Menu
from kiosk.ui.screens.offered import Offered, OfferedLate
from kiosk.ui.screens.official.adjourned import Adjourned, AskTakeUp, ChooseAdjourned
from kiosk.ui.screens.official.board import BoardTools, CubeTool, Whole
from kiosk.ui.screens.official.card import Remedy, RuleCard
from kiosk.ui.screens.official.desk import AskForfeit, Officials
from kiosk.ui.screens.official.earlier import EarlierRulings
from kiosk.ui.screens.official.frame import AskAct
from kiosk.ui.screens.official.paper import PaperCheck, PaperEnding, PaperGames, PaperStart
from kiosk.ui.screens.official.permits import Permits
from kiosk.ui.screens.official.ruling import ChooseInfraction, RuleOn
from kiosk.ui.screens.official.rulings import AskAppeal, Decide, OneRuling, Rulings
from kiosk.ui.screens.official.signin import SignPad
from kiosk.ui.screens.official.take_over import AskTakeOver
from kiosk.ui.screens.official.time import Delay, Give, SetBoth, TimeTools
from kiosk.ui.screens.play.attach import AttachTo
from kiosk.ui.screens.play.examine import AskBoard, ChooseDice, ChoosePosition, Examine
from kiosk.ui.screens.play.transcribe import Transcribe, WhichGame
from kiosk.ui.screens.public import PublicPage
from kiosk.ui.screens.questions import AskBreak, AskCaller, AskClaim, AskDouble, AskEndBreak, AskLate, AskResign
from kiosk.ui.screens.record import Correct, Record
from kiosk.ui.screens.server import AskLeave, Code, ServerPage
from kiosk.ui.screens.settings import Settings
from kiosk.ui.screens.sign import SignSheet
from kiosk.ui.screens.sounds import SoundPage
from kiosk.ui.screens.start import ChooseBook, ChooseLength, ChooseTime, MoreOptions, Start
from kiosk.ui.screens.welcome import Welcome
from kiosk.ui.view import Health, Preferences
from kiosk.ui.window import place_for
from kiosk.words import OF_CORRECTIONS as REASONS
from tests.ui.twin_doctor import ILL, PRESSED, WAITING, TwinDoctor

SMALL = place_for(800, 480)
WIDE = place_for(1280, 800)
TALL = place_for(720, 1280)
PLACES = {"800x480": SMALL, "1280x800": WIDE, "720x1280": TALL}

LEFT, RIGHT = Side.LEFT, Side.RIGHT
PLAIN = Preferences()
NAMES = Pair(("Марија Ќосева",), ("Борис Гринько",))
LONG = Pair(("Александра Константиновић-Љубљанска", "Гиоргий Мчедлишвили"), ("ნინო ჩხეიძე", "Łukasz Święcicki-Brzęczyszczykiewicz"))
BOOKS = {name: Library([Path("/nonexistent")]).load(name) for name in Library([]).names()}


class Table:
    """A session played by hand, with its desk."""

    def __init__(self, prefs: Preferences = PLAIN, *, simulated: bool = False, first: Screen | None = None) -> None:
        self.now = 1000 * NS_PER_S
        self.chronicle = Chronicle(lambda: "14:03")
        self.session = Session(MemoryJournal(), [self.chronicle.hear])
        self.pressed: list[tuple[Side, bool]] = []
        press = (lambda side, closed, _at: self.pressed.append((side, closed))) if simulated else None
        matches = iter(range(1, 1000))
        self.desk = Desk(
            self.session,
            BOOKS,
            self.chronicle,
            new_match=lambda: f"m{next(matches)}",
            prefs=prefs,
            table_name="12",
            press=press,
            about=(("Version", "0.1.0"), ("Journal", "/var/lib/tableside/journal.db")),
            first=first,
        )

    def open(self, length: int | None = 7, book: str = "ibgf", players: Pair[tuple[str, ...]] = NAMES, **options: object) -> Table:
        setup = resolve(BOOKS[book], Options(length=length, players=players, **options))  # type: ignore[arg-type]
        return self.do(c.OpenMatch("m0", setup))

    def do(self, command: c.Command) -> Table:
        self.session.command(command, Instant(self.now))
        return self

    def press(self, side: Side, after: float = 0) -> Table:
        self.wait(after)
        self.session.press(side, Instant(self.now))
        return self

    def wait(self, s: float) -> Table:
        self.now += round(s * NS_PER_S)
        self.session.tick(Instant(self.now))
        return self

    def game(self, winner: Side, kind: Kind = Kind.SINGLE, cube: int = 1) -> Table:
        """A whole game, confirmed."""
        self.press(winner, 5).press(winner.other, 9).press(winner, 8)
        self.wait(4).do(c.RecordGame(winner, kind, cube)).wait(3)
        return self.do(c.ConfirmGame(winner.other))

    def show(self, screen: Screen) -> Table:
        self.picture()  # what was open for another game is closed by a look
        self.desk._open.append(screen)
        return self

    def picture(self, place: Place = SMALL) -> Scene:
        return self.desk.scene(place, self.now)

    def touch(self, name: str, place: Place = SMALL) -> Table:
        """Touch what bears a name, a second after it was drawn."""
        scene = self.picture(place)
        found = [control for control in scene.controls if control.name == name]
        assert found, f"{name!r} is not on {scene.name}: {[control.name for control in scene.controls]}"
        self.wait(1)
        self.picture(place)
        rect = found[0].rect
        self.desk.touch(rect.x + rect.w // 2, rect.y + rect.h // 2, self.now)
        self.desk.release(self.now)
        return self


def table(prefs: Preferences = PLAIN, *, simulated: bool = False) -> Table:
    return Table(prefs, simulated=simulated)


def _playing(prefs: Preferences) -> Table:
    match = table(prefs).open().game(LEFT).game(LEFT, Kind.GAMMON).game(RIGHT, Kind.GAMMON)
    return match.press(RIGHT, 20).press(LEFT, 14).press(RIGHT, 6).wait(4)


def _turned(prefs: Preferences) -> Table:
    match = _playing(prefs)
    return match.do(c.Double(LEFT)).wait(2).do(c.Take(RIGHT)).wait(3.3)


def _offer(prefs: Preferences) -> Table:
    return _playing(prefs).do(c.Double(LEFT)).wait(2)


def _early(prefs: Preferences) -> Table:
    return _playing(prefs).do(c.Double(RIGHT)).wait(1)


def _stopped(prefs: Preferences) -> Table:
    return _playing(prefs).do(c.StopClock(None, None)).wait(2)


def _dice(prefs: Preferences) -> Table:
    return _stopped(prefs).do(c.StopClock(None, StopReason.DICE)).wait(7)


def _called(prefs: Preferences) -> Table:
    return _playing(prefs).do(c.CallReferee(None)).wait(3)


def _alert(prefs: Preferences) -> Table:
    return _stopped(prefs).wait(9)


def _tenths(prefs: Preferences) -> Table:
    match = table(prefs).open(reserve=Pair(25 * NS_PER_S, 3 * NS_PER_S)).press(LEFT, 1)
    return match.press(RIGHT, 4).wait(12 + 6.04)


def _flag(prefs: Preferences) -> Table:
    return table(prefs).open(reserve=Pair(25 * NS_PER_S, 3 * NS_PER_S)).press(LEFT, 1).wait(12 + 3 + 8.3)


def _both_flags(prefs: Preferences) -> Table:
    return _flag(prefs).press(RIGHT, 1).wait(12 + 25 + 4.2)


def _recording(prefs: Preferences) -> Table:
    return _turned(prefs).do(c.RecordGame(LEFT, Kind.GAMMON, None)).wait(2)


def _disputed(prefs: Preferences) -> Table:
    return _recording(prefs).do(c.DisputeGame(RIGHT)).wait(1)


def _between(prefs: Preferences) -> Table:
    return table(prefs).open(provide=None).game(LEFT).wait(8)


def _breaks(prefs: Preferences) -> Table:
    from kiosk.domain.rulebook import Provide

    return table(prefs).open(length=11, provide=Provide.BREAKS).game(LEFT).wait(8)


def _break(prefs: Preferences) -> Table:
    return _breaks(prefs).do(c.TakeBreak(RIGHT)).wait(83)


def _overrun(prefs: Preferences) -> Table:
    return _break(prefs).wait(240)


def _late(prefs: Preferences) -> Table:
    return table(prefs).open().do(c.StartLate((RIGHT,))).wait(34)


def _both_late(prefs: Preferences) -> Table:
    return table(prefs).open().do(c.StartLate((LEFT, RIGHT))).wait(34)


def _too_late(prefs: Preferences) -> Table:
    return table(prefs).open(length=1).do(c.StartLate((RIGHT,))).wait(12 + 120 + 40)


def _crawford(prefs: Preferences) -> Table:
    return table(prefs).open(length=3).game(LEFT, Kind.GAMMON).press(LEFT, 9).press(RIGHT, 3).wait(2)


def _dmp(prefs: Preferences) -> Table:
    return table(prefs).open(length=3).game(LEFT, Kind.GAMMON).game(RIGHT, Kind.GAMMON).wait(2)


def _ended(prefs: Preferences) -> Table:
    match = table(prefs).open().game(LEFT, Kind.GAMMON, 2).game(RIGHT, Kind.SINGLE, 2)
    return match.game(LEFT, Kind.SINGLE, 2).game(LEFT).wait(3)


def _to_print(prefs: Preferences) -> Table:
    match = _ended(prefs)
    match.desk.print_sheet = lambda: None
    match.desk.health = Health(devices="The receipt printer is out of paper: put a roll in; the sheet is printed again from the start.")
    return match


def _signed(prefs: Preferences) -> Table:
    strokes = (((100, 300), (160, 80), (220, 300), (300, 120), (380, 280)), ((450, 200), (640, 180), (900, 260)))
    return _ended(prefs).do(c.Sign(LEFT, protest=False, strokes=strokes)).do(c.Sign(RIGHT, protest=True, strokes=strokes)).wait(1)


def _free(prefs: Preferences) -> Table:
    return table(prefs).open(length=None, book="circle").wait(2)


def _free_playing(prefs: Preferences) -> Table:
    return _free(prefs).do(c.AutomaticDoubling()).press(LEFT, 3).press(RIGHT, 4).wait(2)


SIX = ("Марија Ќосева", "Борис Гринько", "Ана", "Łukasz Święcicki", "Вера", "ნინო ჩხეიძე")


def chouette(prefs: Preferences = PLAIN, players: tuple[str, ...] = SIX, *commands: c.Command) -> Table:
    """A chouette after two games: the first of the players was in the box, and lost it to the second."""
    made = table(prefs).do(c.OpenChouette("c0", players, (), jacoby=True, automatic=True, backgammon=3)).wait(1)
    for command in (c.WinChouette(Party.BOX, Kind.GAMMON), c.WinChouette(Party.TEAM, Kind.SINGLE), *commands):
        made.wait(60).do(command)
    return made.wait(2)


def _chouette_asked(prefs: Preferences, players: tuple[str, ...] = SIX) -> Table:
    made = chouette(prefs, players, c.TieChouette(), c.DoubleByBox())
    chouette_now = made.session.table.chouette
    assert chouette_now is not None
    first, second, *_ = chouette_now.team
    return made.do(c.AnswerDouble(first, takes=False)).do(c.AnswerDouble(second, takes=True)).wait(2)


def _chouette_after_a_cut(prefs: Preferences) -> Table:
    before = _chouette_asked(prefs)
    rows = tuple(before.session._journal.rows())
    made = table(prefs)
    made.session = Session(MemoryJournal(rows=rows), [made.chronicle.hear])
    made.desk.take_over(made.session)
    made.session.restore(rows, Instant(made.now), last_beat=Instant(before.now), off=Instant(95 * NS_PER_S))
    return made.wait(1)


CHOUETTE_CLOCK = c.SetChouetteClock(seconds(12), seconds(600))


def _chouette_on_the_clock(prefs: Preferences, players: tuple[str, ...] = SIX) -> Table:
    """The box has pressed, and the team has thought for a while."""
    made = chouette(prefs, players, CHOUETTE_CLOCK)
    made.press(LEFT)
    return made.wait(5)


def _chouette_wanted(prefs: Preferences, n: int) -> Table:
    made = chouette(prefs)
    for name in made.session.table.chouette.team[:n]:  # type: ignore[union-attr]
        made.do(c.WantDouble(name, wants=True))
    return made.wait(2)


TEN = (*SIX, "Александра Ристић", "Горан", "Дина", "Ева")
DICE = ChouetteStart(SIX)


def _free_later(prefs: Preferences) -> Table:
    session = _free_playing(prefs).do(c.Double(LEFT)).wait(1).do(c.Take(RIGHT)).wait(30)
    session.do(c.RecordGame(LEFT, Kind.GAMMON, None)).wait(2).do(c.ConfirmGame(RIGHT)).wait(9)
    return session.game(RIGHT, Kind.GAMMON).wait(6)


def _lost_choice(prefs: Preferences) -> Table:
    return _late(prefs).do(c.Arrive((RIGHT,))).wait(5)


def _fischer(prefs: Preferences) -> Table:
    from kiosk.domain.rulebook import Method

    return table(prefs).open(method=Method.FISCHER).press(LEFT, 1).press(RIGHT, 3).wait(4)


def _hours(prefs: Preferences) -> Table:
    return table(prefs).open(length=99, reserve=Pair(7201 * NS_PER_S, 6000 * NS_PER_S)).press(LEFT, 1).wait(3)


def _power(prefs: Preferences) -> Table:
    from kiosk.journal import MemoryJournal as Memory

    before = _playing(prefs)
    rows = tuple(before.session._journal.rows())
    match = table(prefs)
    match.session = Session(Memory(rows=rows), [match.chronicle.hear])
    match.desk.take_over(match.session)
    match.session.restore(rows, Instant(match.now), last_beat=Instant(before.now), off=Instant(95 * NS_PER_S))
    return match.wait(1)


def _unwell(prefs: Preferences) -> Table:
    match = _playing(prefs)
    match.desk.health = Health(buttons="The GPIO chip does not answer.", journal="The disk is full.")
    return match


def _checkin(prefs: Preferences) -> Table:
    from kiosk.ui.screens.checkin import CheckIn

    match = table(prefs).open()
    return match.do(c.Check(CheckItem.LEFT, done=True)).do(c.Check(CheckItem.DICE, done=True)).show(CheckIn()).wait(1)


def _pairs(prefs: Preferences) -> Table:
    return table(prefs).open(players=LONG).press(LEFT, 1).press(RIGHT, 3).wait(4)


def _suspended(prefs: Preferences) -> Table:
    from dataclasses import replace

    from kiosk.domain.state import Phase

    match = _stopped(prefs)
    match.session._table = replace(match.session._table, phase=Phase.SUSPENDED)
    return match


def _sleeping(prefs: Preferences) -> Table:
    match = _signed(prefs)
    match.picture()
    return match.wait(400)


VERA = Official("Вера Стојанова", Role.CHIEF)
CARD = tuple(
    CardEntry(code, (("en", title),), (("en", remedy),), "000 §11", counter)
    for code, title, remedy, counter in (
        ("cocked", "Die cocked or off the right half", "Both dice are thrown again.", False),
        (
            "on_edge",
            "Die on edge, or stuck in the tower",
            "Count three seconds aloud; what is not flat by then is thrown again.",
            True,
        ),
    )
)


def _in_charge(prefs: Preferences) -> Table:
    match = _called(prefs)
    match.desk.card_for = lambda _rulebook: CARD
    return match.do(c.SignIn(VERA)).wait(1)


PLAYED = Examine(
    PlayRules(),
    board=Board(
        (0, 2, 0, 0, 2, 4, 0, 3, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1),
        (0, 0, 0, 0, 2, 5, 2, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0),
    ),
)
HEAD = Examine(
    PlayRules.of(BOOKS["rus-long"]),
    mover=RIGHT,
    dice=(6, 6),
    ply=2,
    moving=True,
    steps=(Step(24, 18), Step(24, 18), Step(18, 12)),
    agreed=True,
)


def _three_games(prefs: Preferences) -> Table:
    """The first does not come to what was recorded, the second has a turn that cannot have been, the third goes on."""
    made = table(prefs).open().game(LEFT, Kind.GAMMON, 2).game(RIGHT)
    made.do(c.NoteTurn(1, 1, LEFT, "31: 8/5 6/5")).do(c.NoteTurn(1, 2, RIGHT, "62: 24/18 13/11"))
    made.do(c.NoteTurn(1, 3, LEFT, "double")).do(c.NoteTurn(1, 4, RIGHT, "drop"))
    made.do(c.NoteTurn(2, 1, LEFT, "31: 8/5"))
    return made.press(LEFT, 5)


def _written(prefs: Preferences) -> Table:
    match = table(prefs).open().press(LEFT, 20).wait(4).do(c.StopClock(None, None))
    return match.do(c.NoteTurn(1, 1, LEFT, "31: 8/5 6/5")).do(c.NoteTurn(1, 2, RIGHT, "62: 24/18 13/11"))


def _nardy(prefs: Preferences) -> Table:
    match = table(prefs).open(5, "rus-long").press(RIGHT, 5).press(LEFT, 9).wait(4)
    return match.do(c.StopClock(None, None)).wait(2)


def _ruled(prefs: Preferences) -> Table:
    match = _in_charge(prefs).do(c.Rule((RIGHT,), "dice_replaced")).wait(2).do(c.Rule((LEFT,), "eating", note="sandwich"))
    return match.wait(3).do(c.LodgeAppeal(1, RIGHT)).wait(1)


def _late_ruling(prefs: Preferences) -> Table:
    return _in_charge(prefs).do(c.Rule((RIGHT,), "dice_replaced")).wait(3)


def _out(prefs: Preferences) -> Table:
    return _in_charge(prefs).do(c.Allow(LEFT, Permit.LEAVE)).wait(40)


def _locked(prefs: Preferences) -> Table:
    match = _called(prefs)
    for _n in range(5):
        match.do(c.SignIn(None)).wait(1)
    return match.show(SignPad())


def _counting(prefs: Preferences, s: float) -> Table:
    match = _playing(prefs)
    match.desk.card_for = lambda _rulebook: CARD
    return match.show(Remedy("on_edge", match.now)).wait(s)


def _no_delay(prefs: Preferences, turns: int) -> Table:
    match = _in_charge(prefs).do(c.CancelNextDelay(RIGHT)).do(c.Resume()).wait(1)
    return match.press(LEFT, 2).wait(1) if turns else match


def _first_pin(prefs: Preferences) -> Table:
    match = table(prefs)
    match.desk.roster = MemoryRoster()
    return match.show(SignPad("2468", "2468"))


def _whole(prefs: Preferences, number: int) -> Table:
    state = c.SetState(
        Pair(2, 3), Pair(Span(600 * NS_PER_S), Span(500 * NS_PER_S)), LEFT, Span(0), 2, LEFT, 5, crawford_played=False, breaks=Pair(0, 0)
    )
    return _in_charge(prefs).show(Whole(state, number))


def _delay(prefs: Preferences) -> Table:
    match = _in_charge(prefs)
    control = match.session.table.setup.control  # type: ignore[union-attr]
    return match.show(Delay(control.delay, control.method))


def _free_official(prefs: Preferences) -> Table:
    match = table(prefs).do(c.SignIn(VERA)).wait(1)
    match.desk.date_words = lambda _wall_ns: "29.11. 18:40"
    return match


def _carried(number: int) -> Carried:
    match = _called(PLAIN).do(c.SignIn(VERA)).do(c.Suspend("XGID=-b----E-C---eE---c-e----B-:1:1:1:00:0:0:0:7:10"))
    found = carried(str(12 + number), list(match.session._journal.rows()))
    return replace(found, rows=(*found.rows[:-1], replace(found.rows[-1], wall_trusted=True)))


PAPER = PaperStart(
    "ibgf",
    7,
    Pair("Марија Ќосева", "Борис Гринько"),
    games=(
        c.PaperGame(LEFT, Kind.SINGLE, 1),
        c.PaperGame(RIGHT, Kind.SINGLE, 2),
        c.PaperGame(LEFT, Kind.GAMMON, 1),
        c.PaperGame(RIGHT, Kind.BACKGAMMON, 1),
    ),
    played="29.11. 10:30, № 14",
    signed=Pair(OnPaper.YES, OnPaper.PROTEST),
)
"""Four games of a match to 7: 3 – 5."""

PAPER_WON = replace(PAPER, games=(*PAPER.games, c.PaperGame(LEFT, Kind.SINGLE, 2), c.PaperGame(LEFT, Kind.GAMMON, 1)))
PAPER_LONG = replace(
    PAPER_WON, length=25, games=tuple(c.PaperGame((LEFT, RIGHT)[n % 2], Kind.SINGLE, 1) for n in range(49)), names=Pair("Ана", "Борис")
)


def _paper(prefs: Preferences, screen: Screen) -> Table:
    return table(prefs).do(c.SignIn(VERA)).wait(1).show(screen)


def _from_paper(prefs: Preferences) -> Table:
    return table(prefs).do(c.SignIn(VERA)).do(PAPER_WON.command("m0", BOOKS)).wait(1)


OFFICIAL: dict[str, Callable[[Preferences], Table]] = {
    "sign-pad": lambda prefs: _called(prefs).show(SignPad("246")),
    "sign-pad-first": _first_pin,
    "official-signed-in": _in_charge,
    "official-out": _out,
    "playing-out": lambda prefs: _out(prefs).do(c.Resume()).wait(7),
    "suspended-signed-in": lambda prefs: _in_charge(prefs).do(c.Suspend()).wait(1),
    "disputed-signed-in": lambda prefs: _disputed(prefs).do(c.SignIn(VERA)).wait(1),
    "decide-game": lambda prefs: _disputed(prefs).do(c.SignIn(VERA)).show(Record(LEFT, Kind.GAMMON, 2)),
    "officials-undo": lambda prefs: _late_ruling(prefs).show(Officials()),
    "sign-pad-locked": _locked,
    "give-badge": lambda prefs: _in_charge(prefs).show(GiveBadge(VERA, "0F00184C7B")),
    "remedy-counting": lambda prefs: _counting(prefs, 1.4),
    "remedy-counted": lambda prefs: _counting(prefs, 4),
    "no-delay-next": lambda prefs: _no_delay(prefs, 0),
    "no-delay-now": lambda prefs: _no_delay(prefs, 1),
    "officials": lambda prefs: _in_charge(prefs).show(Officials()),
    "choose-infraction": lambda prefs: _in_charge(prefs).show(ChooseInfraction()),
    "rule-on": lambda prefs: _in_charge(prefs).show(RuleOn("dice_replaced")),
    "rule-on-side": lambda prefs: _in_charge(prefs).show(RuleOn("dice_replaced", (RIGHT,))),
    "rule-on-twice": lambda prefs: _late_ruling(prefs).show(RuleOn("dice_replaced", (RIGHT,))),
    "rule-on-expulsion": lambda prefs: _in_charge(prefs).show(RuleOn("match_fixing", (RIGHT,), Sanction.EXPULSION)),
    "rulings": lambda prefs: _ruled(prefs).show(Rulings()),
    "one-ruling": lambda prefs: _ruled(prefs).show(OneRuling(1)),
    "ask-appeal": lambda prefs: _late_ruling(prefs).show(AskAppeal(1, RIGHT)),
    "decide-appeal": lambda prefs: _ruled(prefs).show(Decide(1, Outcome.WARNING)),
    "time-tools": lambda prefs: _in_charge(prefs).show(TimeTools()),
    "give-time": lambda prefs: _in_charge(prefs).show(Give(LEFT, 75 * NS_PER_S)),
    "set-both": lambda prefs: _in_charge(prefs).show(SetBoth(Pair(Span(600 * NS_PER_S), Span(500 * NS_PER_S)))),
    "set-delay": _delay,
    "ask-act": lambda prefs: _in_charge(prefs).show(AskAct("+1:15?", "18:58", "20:13", c.Adjust(LEFT, Span(75 * NS_PER_S), ""), reason="")),
    "board-tools": lambda prefs: _in_charge(prefs).show(BoardTools()),
    "examine-set": lambda prefs: _in_charge(prefs).show(replace(PLAYED, picked=8)),
    "examine-illegal": lambda prefs: _ruled(prefs).show(replace(PLAYED, moving=True, dice=(6, 5), steps=(Step(24, 18), Step(18, 13)))),
    "examine-nardy": lambda prefs: _nardy(prefs).show(HEAD),
    "choose-position": lambda prefs: _nardy(prefs).show(ChoosePosition(HEAD)),
    "choose-dice": lambda prefs: _in_charge(prefs).show(ChooseDice(replace(PLAYED, dice=(5, 3)))),
    "ask-board": lambda prefs: _stopped(prefs).show(AskBoard(PLAYED, left=True)),
    "transcribe": lambda prefs: _written(prefs).show(Transcribe(1, turns=2, dice=(5, 3), steps=(Step(8, 3), Step(6, 3)))),
    "transcribe-which": lambda prefs: _three_games(prefs).show(WhichGame()),
    "transcribe-unfit": lambda prefs: _three_games(prefs).show(Transcribe(1)),
    "transcribe-wrong": lambda prefs: _three_games(prefs).show(Transcribe(2)),
    "attach-to": lambda prefs: _ruled(prefs).show(AttachTo(c.AttachPlay(0, "4HPwATDgc/ABMA", "5-3", "8/3"))),
    "cube-tool": lambda prefs: _in_charge(prefs).show(CubeTool(4, LEFT)),
    "set-table-1": lambda prefs: _whole(prefs, 0),
    "set-table-2": lambda prefs: _whole(prefs, 1),
    "set-table-3": lambda prefs: _whole(prefs, 2),
    "permits": lambda prefs: _out(prefs).show(Permits()),
    "ask-forfeit": lambda prefs: _in_charge(prefs).show(AskForfeit()),
    "adjourned": lambda prefs: _in_charge(prefs).do(c.Suspend()).show(Adjourned()),
    "choose-adjourned": lambda prefs: _free_official(prefs).show(ChooseAdjourned(tuple(_carried(n) for n in range(6)))),
    "choose-adjourned-none": lambda prefs: _free_official(prefs).show(ChooseAdjourned(())),
    "ask-take-up": lambda prefs: _free_official(prefs).show(AskTakeUp(_carried(0))),
    "officials-free": lambda prefs: _free_official(prefs).show(Officials()),
    "paper-start": lambda prefs: _paper(prefs, PaperStart()),
    "paper-start-filled": lambda prefs: _paper(prefs, PAPER),
    "paper-games-none": lambda prefs: _paper(prefs, PaperGames(replace(PAPER, games=()))),
    "paper-games": lambda prefs: _paper(prefs, PaperGames(PAPER, Kind.GAMMON, 2)),
    "paper-games-over": lambda prefs: _paper(prefs, PaperGames(PAPER_WON)),
    "paper-games-long": lambda prefs: _paper(prefs, PaperGames(replace(PAPER_LONG, games=PAPER_LONG.games[:-1]))),
    "paper-ending": lambda prefs: _paper(prefs, PaperEnding(PAPER)),
    "paper-check": lambda prefs: _paper(prefs, PaperCheck(PAPER_WON)),
    "paper-check-ended": lambda prefs: _paper(prefs, PaperCheck(replace(PAPER, end=c.PaperEnd("flag", (RIGHT,))))),
    "paper-check-unplayed": lambda prefs: _paper(prefs, PaperCheck(replace(PAPER, games=(), end=c.PaperEnd("forfeit", (RIGHT,))))),
    "paper-check-long": lambda prefs: _paper(prefs, PaperCheck(PAPER_LONG)),
    "ended-on-paper": _from_paper,
    "rule-card": lambda prefs: _in_charge(prefs).show(RuleCard()),
    "remedy": lambda prefs: _in_charge(prefs).show(Remedy("on_edge")),
}
"""Every officials' screen, at least once."""

# ── The hall ─────────────────────────────────────────────────────────────────
EVENT = "Отворено првенство 2026"
ONLINE = LinkState(
    joined=True, connected=True, since=Instant(900 * NS_PER_S), unsynced=2, event=EVENT, table="12", address="https://192.168.1.20:8443"
)
OFFLINE = replace(ONLINE, connected=False, since=Instant(1003 * NS_PER_S), unsynced=1204)
WAITS = replace(ONLINE, takes_over="m1")
BARRED = replace(OFFLINE, trouble=barred_words(wire.REPLACED))
EARLIER = tuple(
    Earlier(player, table, "m", 0, code, sanction, by, note)
    for player, table, code, sanction, by, note in (
        ("Борис Гринько", "7", "dice_replaced", Sanction.PENALTY_POINT, "Vera Stojanova", "second time"),
        ("Марија Ќосева", "3", "eating", None, "Dan", ""),
        ("Борис Гринько", "12", "device", Sanction.WARNING, "Вера Стојанова", "an alarm went off"),
    )
)


class Wire(NoUplink):
    """A connection that is as it is told to be."""

    def __init__(self, state: LinkState, earlier: tuple[Earlier, ...] | None = None) -> None:
        self.now = state
        self.known = earlier

    def state(self) -> LinkState:
        return self.now

    def earlier(self, _match: str) -> tuple[Earlier, ...] | None:
        return self.known


class Servers:
    """Joining that answers at once."""

    def __init__(self, takes_over: str = "") -> None:
        self.takes_over = takes_over
        self.joined: list[tuple[str, str, bool]] = []

    def find(self) -> tuple[FoundServer, ...]:
        return FOUND

    def join(self, address: str, code: str, *, replaces: bool) -> Joined:
        self.joined.append((address, code, replaces))
        return Joined(EVENT, "12", self.takes_over)

    def running(self) -> tuple[str, tuple[Row, ...]]:
        return "12", tuple(_playing(PLAIN).session._journal.rows())

    def leave(self) -> None:
        self.joined.clear()


FOUND = (FoundServer(EVENT, "https://192.168.1.20:8443"), FoundServer("Blitz side event", "https://192.168.1.31:8443"))


def online(match: Table, state: LinkState = ONLINE, earlier: tuple[Earlier, ...] | None = None) -> Table:
    """The table with a server."""
    match.desk.uplink = Wire(state, earlier)
    match.desk.squares = squares
    match.desk.joining = Servers()
    return match


def offer(number: int = 1, version: int = 1, players: Pair[tuple[str, ...]] = NAMES, *, start: int | None = 1254) -> Offer:
    begins = None if start is None else Instant(start * NS_PER_S)
    setup = resolve(BOOKS["ibgf"], Options(length=7, players=players, round_start=begins))
    return Offer(f"m{number}", version, setup, Place_(EVENT, "3", "12", practice=number == 2))


def offered(prefs: Preferences, *offers: Offer) -> Table:
    match = online(table(prefs))
    match.desk.offers = lambda: offers
    return match


def _one_is_here(prefs: Preferences) -> Table:
    return offered(prefs, offer()).do(c.ConfirmSeat("m1", 1, LEFT, here=True))


def paused(match: Table, s: float = 65) -> Table:
    return match.do(c.PauseHall("Eva Petrova", "fire alarm, leave the hall by the doors behind table 9")).wait(s)


def _placed(prefs: Preferences) -> Table:
    match = table(prefs)
    placed = offer(2)
    return match.do(c.OpenMatch(placed.match, placed.setup, placed.place)).press(LEFT, 3).wait(2)


def running(spare: Table) -> Carried:
    """The match that plays at table 12, as a server hands it over."""
    del spare
    return running_match("12", Servers().running()[1])


def _known(match: Table) -> Table:
    match.desk.fetch_running = lambda: (running(match), Span(NS_PER_S))
    match.desk.look_what_waits(match.now)
    return match


LINE = "The buffet is open until two."
LETTER = (
    "Players of tables 1 to 20: the fourth round begins at a quarter past three, after the hall has been aired. Please leave boards and "
    "dice as they are, sign your sheets, and be seated five minutes before. Whoever plays on table 7 or 8 is asked to come to the desk "
    "first, because these two tables are moved to the stage for the cameras. Thank you for your patience."
)


def _offered_next(prefs: Preferences) -> Table:
    match = online(_signed(prefs))
    match.desk.offers = lambda: (offer(),)
    return match.show(Offered())


BEGUN = 900
"""An offered match's start, in seconds: every moment lies behind it."""


def _begun(prefs: Preferences) -> Table:
    return offered(prefs, offer(start=BEGUN))


def _due_next(prefs: Preferences) -> Table:
    match = online(_signed(prefs))
    match.desk.offers = lambda: (offer(start=BEGUN),)
    return match


HALL: dict[str, Callable[[Preferences], Table]] = {
    "offered": lambda prefs: offered(prefs, offer()),
    "offered-one-here": _one_is_here,
    "offered-begun": _begun,
    "offered-begun-one-here": lambda prefs: _begun(prefs).do(c.ConfirmSeat("m1", 1, LEFT, here=True)),
    "offered-begun-after-a-match": _due_next,
    "offered-who-is-missing": lambda prefs: _begun(prefs).show(OfferedLate("m1", 1)),
    "offered-who-is-missing-in-a-pause": lambda prefs: paused(_begun(prefs)).show(OfferedLate("m1", 1)),
    "waiting": lambda prefs: online(table(prefs), WAITS),
    "waiting-known": lambda prefs: _known(online(table(prefs), WAITS)),
    "waiting-after-a-match": lambda prefs: online(_signed(prefs), WAITS),
    "barred": lambda prefs: online(_playing(prefs), BARRED).do(c.PauseHall(None, barred_words(wire.REPLACED))).wait(65),
    "barred-with-an-official": lambda prefs: online(_in_charge(prefs), BARRED).do(c.PauseHall(None, barred_words(wire.REPLACED))).wait(5),
    "offered-several": lambda prefs: offered(prefs, offer(2, players=LONG, start=None), offer(1)),
    "offered-after-a-match": _offered_next,
    "online": lambda prefs: online(_playing(prefs)),
    "online-placed": lambda prefs: online(_placed(prefs)),
    "break-in-a-pause": lambda prefs: paused(_break(prefs)),
    "offline": lambda prefs: online(_playing(prefs), OFFLINE),
    "offline-told": lambda prefs: online(_alert(prefs), OFFLINE),
    "offline-elsewhere": lambda prefs: online(_playing(prefs), OFFLINE).show(Menu()),
    "revoked": lambda prefs: online(_playing(prefs), replace(OFFLINE, trouble="The organizer has revoked this table; join it again.")),
    "paused": lambda prefs: paused(online(_playing(prefs))),
    "pause-lifted": lambda prefs: paused(online(_playing(prefs)), 30).do(c.LiftPause("Eva")).wait(5),
    "paused-opening": lambda prefs: paused(table(prefs).open()),
    "paused-while-late": lambda prefs: paused(_late(prefs)),
    "paused-with-an-official": lambda prefs: paused(_in_charge(prefs), 5),
    "paused-recording": lambda prefs: paused(_recording(prefs)),
    "paused-before-a-match": lambda prefs: paused(offered(prefs, offer())),
    "paused-with-a-message": lambda prefs: paused(online(offered(prefs, offer()))).do(c.ShowMessage(4, "Desk", LINE)),
    "paused-signed": lambda prefs: paused(_signed(prefs)),
    "message": lambda prefs: online(_playing(prefs)).do(c.ShowMessage(4, "Desk", LINE)).do(c.ShowMessage(5, "Desk", LETTER)),
    "message-long": lambda prefs: online(_playing(prefs)).do(c.ShowMessage(5, "Desk", LETTER)),
    "message-whole": lambda prefs: online(_playing(prefs)).do(c.ShowMessage(5, "Desk", LETTER)).show(WholeMessage(5)),
    "referee-coming": lambda prefs: online(_called(prefs)).do(c.RefereeComing("Vera Stojanova")).wait(2),
    "public-page": lambda prefs: online(_playing(prefs)).show(PublicPage()),
    "menu-online": lambda prefs: online(_playing(prefs)).show(Menu()),
    "signed-online": lambda prefs: online(_signed(prefs)),
    "settings-online": lambda prefs: online(_playing(prefs)).show(Settings()),
    "server-looking": lambda prefs: online(table(prefs), LinkState()).show(ServerPage()),
    "server-found": lambda prefs: online(table(prefs), LinkState()).show(ServerPage(FOUND, "10.0.0.7:8443")),
    "server-none": lambda prefs: online(table(prefs), LinkState()).show(ServerPage(())),
    "server-joined": lambda prefs: online(table(prefs), OFFLINE).show(ServerPage()),
    "server-code": lambda prefs: online(table(prefs), LinkState()).show(Code(FOUND[0].address, EVENT)),
    "server-code-typed": lambda prefs: online(table(prefs), LinkState()).show(Code(FOUND[0].address, EVENT, "7KQ2M4XD", replaces=True)),
    "keyboard-code": lambda prefs: online(table(prefs), LinkState()).show(Keyboard(Code(FOUND[0].address, EVENT), "code", "7KQ2")),
    "keyboard-address": lambda prefs: online(table(prefs), LinkState()).show(Keyboard(ServerPage(FOUND), "address", "192.168.")),
    "ask-leave": lambda prefs: online(_free_official(prefs), OFFLINE).show(AskLeave()),
    "ask-take-over": lambda prefs: online(table(prefs)).show(AskTakeOver(running(table(prefs)), Span(42 * NS_PER_S))),
    "ask-take-over-signed-in": lambda prefs: online(_free_official(prefs)).show(AskTakeOver(running(table(prefs)), None)),
    "officials-earlier": lambda prefs: online(_in_charge(prefs), ONLINE, EARLIER).show(Officials()),
    "officials-earlier-unknown": lambda prefs: online(_in_charge(prefs), OFFLINE).show(Officials()),
    "earlier-rulings": lambda prefs: online(_in_charge(prefs), ONLINE, EARLIER).show(EarlierRulings()),
    "earlier-rulings-unknown": lambda prefs: online(_in_charge(prefs), OFFLINE).show(EarlierRulings()),
    "rule-on-earlier": lambda prefs: online(_in_charge(prefs), ONLINE, EARLIER).show(RuleOn("dice_replaced", (RIGHT,))),
}
"""Every screen of a table that belongs to a hall."""


def seen_by(match: Table, doctor: TwinDoctor | None = None) -> Table:
    """A table whose box somebody can look at."""
    match.desk.doctor = TwinDoctor() if doctor is None else doctor
    return match


def _touched(place: Place, off: tuple[int, int] = (0, 0), *, turned: bool = False) -> TouchTrial:
    points = [(place.w - 1 - x, place.h - 1 - y) if turned else (x, y) for x, y in grid(place, 0)]
    return TouchTrial(tuple((x + off[0], y + off[1]) for x, y in points))


def _shining(prefs: Preferences) -> Table:
    """The right one of two simulated lamps is lit."""
    match = table(prefs)
    match.desk.lamps = lambda: Pair(left=False, right=True)
    return match


CHECKUPS: dict[str, Callable[[Preferences], Table]] = {
    "settings-with-a-doctor": lambda prefs: online(seen_by(table(prefs)), LinkState()).show(Settings()),
    "checkup-not-yet": lambda prefs: seen_by(table(prefs), TwinDoctor(())).show(Checkup()),
    "checkup-waiting": lambda prefs: seen_by(table(prefs), TwinDoctor(WAITING, working=True)).show(Checkup()),
    "checkup-ill": lambda prefs: seen_by(table(prefs), TwinDoctor(ILL, parts=())).show(Checkup()),
    "checkup-second-page": lambda prefs: seen_by(table(prefs)).show(Checkup(1)),
    "checkup-in-a-match": lambda prefs: seen_by(_in_charge(prefs), TwinDoctor(ILL)).show(Checkup()),
    "buttons-untried": lambda prefs: seen_by(table(prefs)).show(ButtonTrial()),
    "buttons-tried": lambda prefs: seen_by(table(prefs), TwinDoctor(seen=PRESSED)).show(ButtonTrial()),
    "touch-begun": lambda prefs: seen_by(table(prefs)).show(TouchTrial()),
    "touch-in-a-match": lambda prefs: seen_by(_in_charge(prefs)).show(TouchTrial(((10, 10),) * 5)),
    "touch-turned": lambda prefs: seen_by(table(prefs)).show(_touched(SMALL, turned=True)),
    "parts-asked": lambda prefs: seen_by(_shining(prefs)).show(PartTrial("lamp_right")),
}
"""The doctor and his trials."""


def _with_lamps(prefs: Preferences) -> Table:
    """A simulated box: its lamps are drawn, and it can be heard."""
    match = _playing(prefs)
    match.desk.press = lambda side, closed, _at: match.pressed.append((side, closed))
    match.desk.lamps, match.desk.sounds = lambda: Pair(left=True, right=False), True
    return match


SIGNALS: dict[str, Callable[[Preferences], Table]] = {
    "lamps": _with_lamps,
    "lamps-stopped": lambda prefs: _with_lamps(prefs).do(c.StopClock(None, None)).wait(2),
    "lamps-flag": lambda prefs: _with_lamps(prefs).wait(1300),
    "sounds": lambda prefs: _with_lamps(replace(prefs, volume_press=3, volume_alert=1, volume_flag=0)).show(SoundPage()),
    "sounds-quiet": lambda prefs: _with_lamps(replace(prefs, quiet=True)).show(SoundPage()),
    "settings-sounds": lambda prefs: online(_with_lamps(replace(prefs, quiet=True))).show(Settings()),
}
"""Lamps and sounds."""


START = Start("ibgf", 7, Pair("Марија Ќосева", ""))

CHOUETTE: dict[str, Callable[[Preferences], Table]] = {
    "chouette-names-none": lambda prefs: table(prefs).show(ChouetteStart()),
    "chouette-names": lambda prefs: table(prefs).show(ChouetteStart(SIX[:5], jacoby=False)),
    "chouette-names-ten": lambda prefs: table(prefs).show(ChouetteStart(TEN)),
    "chouette-dice": lambda prefs: table(prefs).show(ChouetteDice(DICE, ((4,), (6,), (4,), (), (), ()))),
    "chouette-dice-level": lambda prefs: table(prefs).show(ChouetteDice(DICE, ((4,), (6,), (4,), (1,), (2,), (5,)))),
    "chouette-dice-done": lambda prefs: table(prefs).show(ChouetteDice(DICE, ((4, 1), (6,), (4, 3), (1,), (2,), (5,)))),
    "chouette": chouette,
    "chouette-three": lambda prefs: chouette(prefs, SIX[:3]),
    "chouette-ten": lambda prefs: chouette(prefs, TEN),
    "chouette-playing": lambda prefs: _chouette_wanted(prefs, 2),
    "chouette-asked": _chouette_asked,
    "chouette-asked-ten": lambda prefs: _chouette_asked(prefs, TEN),
    "chouette-box-asked": lambda prefs: _chouette_wanted(prefs, 5),
    "chouette-team-double": lambda prefs: _chouette_wanted(prefs, 2).show(TeamDouble()),
    "chouette-result": lambda prefs: chouette(prefs).show(ChouetteResult()),
    "chouette-result-filled": lambda prefs: chouette(prefs, TEN).show(ChouetteResult(Party.TEAM, Kind.GAMMON)),
    "chouette-games": lambda prefs: chouette(prefs).show(ChouetteGames()),
    "chouette-more": lambda prefs: chouette(prefs).show(ChouetteMore()),
    "chouette-joins": lambda prefs: chouette(prefs).show(ChouetteJoins("Дина")),
    "chouette-leaves": lambda prefs: chouette(prefs).show(ChouetteLeaves()),
    "chouette-rules": lambda prefs: chouette(prefs).show(ChouetteRules()),
    "chouette-power-restored": _chouette_after_a_cut,
    "chouette-clock-before": lambda prefs: chouette(prefs, SIX, CHOUETTE_CLOCK),
    "chouette-clock-runs": _chouette_on_the_clock,
    "chouette-clock-ten": lambda prefs: _chouette_on_the_clock(prefs, TEN),
    "chouette-clock-flag": lambda prefs: _chouette_on_the_clock(prefs).wait(700),
    "chouette-clock-stopped": lambda prefs: _chouette_on_the_clock(prefs).do(c.StopChouetteClock()),
    "chouette-clock-asked": lambda prefs: _chouette_on_the_clock(prefs, TEN).press(RIGHT).do(c.DoubleByBox()),
    "chouette-clock-more": lambda prefs: _chouette_on_the_clock(prefs).show(ChouetteMore()),
    "chouette-clock-set": lambda prefs: chouette(prefs).show(ChouetteClock(c.SetChouetteClock(seconds(10), seconds(300)))),
    "chouette-clock-agreed": lambda prefs: table(prefs).show(ChouetteClock(WITHOUT, ChouetteStart(SIX))),
    "chouette-names-clock": lambda prefs: table(prefs).show(ChouetteStart(SIX[:5], clock=CHOUETTE_CLOCK)),
    "chouette-paused": lambda prefs: chouette(prefs, SIX, c.PauseHall("Eva", "lunch")),
    "chouette-ended": lambda prefs: chouette(prefs, SIX, c.EndChouette()),
}

MOMENTS: dict[str, Callable[[Preferences], Table]] = (
    {
        "start": table,
        "start-filled": lambda prefs: table(prefs).show(START),
        "choose-book": lambda prefs: table(prefs).show(ChooseBook(START)),
        "choose-length": lambda prefs: table(prefs).show(ChooseLength(START)),
        "choose-time": lambda prefs: table(prefs).show(ChooseTime(START)),
        "more-options": lambda prefs: table(prefs).show(MoreOptions(START)),
        "keyboard-latin": lambda prefs: table(prefs).show(Keyboard(START, LEFT, "Jo")),
        "keyboard-diacritics": lambda prefs: table(prefs).show(Keyboard(START, LEFT, "Jo", 1)),
        "keyboard-cyrillic": lambda prefs: table(prefs).show(Keyboard(START, LEFT, "Љу", 3)),
        "keyboard-macedonian": lambda prefs: table(prefs).show(Keyboard(START, LEFT, "Љу", 4)),
        "keyboard-georgian": lambda prefs: table(prefs).show(Keyboard(START, LEFT, "ნი", 5)),
        "welcome": lambda prefs: table(prefs, simulated=True).show(Welcome()),
        "checkin": _checkin,
        "whose-badge": lambda prefs: _checkin(prefs).show(WhoseBadge("0F00184C7B")),
        "opening": lambda prefs: table(prefs).open().wait(3),
        "opening-between-games": _between,
        "opening-simulated": lambda prefs: table(prefs, simulated=True).open().press(LEFT, 2).wait(1),
        "playing": _playing,
        "playing-cube-owned": _turned,
        "playing-first-turn": lambda prefs: table(prefs).open().press(LEFT, 2).wait(5),
        "playing-tenths": _tenths,
        "playing-pairs": _pairs,
        "playing-crawford": _crawford,
        "playing-fischer": _fischer,
        "playing-hours": _hours,
        "double-match-point": _dmp,
        "double-offered": _offer,
        "double-early": _early,
        "stopped": _stopped,
        "stopped-dice": _dice,
        "stopped-referee": _called,
        "stopped-alert": _alert,
        "stopped-with-offer": lambda prefs: _offer(prefs).do(c.StopClock(None, None)).wait(1),
        "suspended": _suspended,
        "flag": _flag,
        "both-flags": _both_flags,
        "flag-stopped": lambda prefs: _flag(prefs).do(c.StopClock(None, None)).wait(1),
        "recording": _recording,
        "disputed": _disputed,
        "break": _break,
        "break-overrun": _overrun,
        "opening-round-begun": lambda prefs: table(prefs).open(round_start=Instant(BEGUN * NS_PER_S)),
        "late": _late,
        "both-late": _both_late,
        "too-late": _too_late,
        "lost-choice": _lost_choice,
        "power-restored": _power,
        "unwell": _unwell,
        "unwell-elsewhere": lambda prefs: _unwell(prefs).show(Record()),
        "free-session": _free,
        "free-session-playing": _free_playing,
        "free-session-later": _free_later,
        "free-session-record": lambda prefs: _free_later(prefs).press(LEFT, 2).show(Record(LEFT, Kind.GAMMON)),
        "start-free-session": lambda prefs: table(prefs).show(Start("circle", None)),
        "ended": _ended,
        "signed": _signed,
        "to-print": _to_print,
        "asleep": _sleeping,
        "ask-double": lambda prefs: _playing(prefs).show(AskDouble()),
        "ask-break": lambda prefs: _breaks(prefs).show(AskBreak()),
        "ask-end-break": lambda prefs: _break(prefs).show(AskEndBreak()),
        "languages": lambda prefs: _playing(prefs).show(Languages()),
        "ask-caller": lambda prefs: _called(prefs).show(AskCaller()),
        "ask-late": lambda prefs: table(prefs).open().show(AskLate()),
        "ask-claim": lambda prefs: _flag(prefs).show(AskClaim(LEFT)),
        "ask-resign": lambda prefs: _playing(prefs).show(AskResign()),
        "ask-resign-twice": lambda prefs: _playing(prefs).show(AskResign(LEFT)),
        "record": lambda prefs: _playing(prefs).show(Record()),
        "record-filled": lambda prefs: _playing(prefs).show(Record(LEFT, Kind.GAMMON, 2)),
        "correct": lambda prefs: _between(prefs).show(Correct(1, RIGHT, Kind.GAMMON, 2, REASONS[1])),
        "menu": lambda prefs: _playing(prefs).show(Menu()),
        "settings": lambda prefs: _playing(prefs).show(Settings()),
        "history": lambda prefs: _recording(prefs).show(History()),
        "sign": lambda prefs: _ended(prefs).show(SignSheet(LEFT)),
        "sign-drawn": lambda prefs: _ended(prefs).show(SignSheet(LEFT, (((200, 200), (260, 150), (300, 220), (420, 160)),), protest=True)),
    }
    | CHOUETTE
    | OFFICIAL
    | HALL
    | CHECKUPS
    | SIGNALS
)
"""Every screen and every phase, at least once."""
