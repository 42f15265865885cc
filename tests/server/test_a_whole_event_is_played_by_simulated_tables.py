"""A whole event through the real protocol: a server with TLS, tables that join by a code, and a desk that does everything by its own forms.

128 players play a Swiss stage and a knock-out of the best with a match for the third place: late entries, withdrawals between rounds, after
the draw, at a table where nobody has sat down and in the middle of a match, players who do not come, and results that are corrected at a
table and at the desk. There are fewer tables than pairs. In the end all of it must follow from the tables' journals.

With every change 128 players play (15 s of one core); `TABLESIDE_PLAYERS=32` plays a small event of the same kind while one works on it.
"""

from __future__ import annotations

import csv
import html
import io
import os
import re
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx
import pytest

from kiosk.domain.rulebook import Kind
from kiosk.domain.types import Side
from kiosk.server import audit, results, tournament
from kiosk.server.enrolment import make_code
from kiosk.session import commands as c
from kiosk.tournament import bracket as br
from kiosk.tournament.stages import fixtures
from tests.server.event_tables import EventTable, Tables
from tests.server.served import Served, csrf_of, served

PLAYERS = int(os.environ.get("TABLESIDE_PLAYERS", "128"))
ROUNDS, BEST, TABLES = (7, 16, 32) if PLAYERS > 64 else (4, 8, 8)
AT = "/desk/tournament"
LENGTH = 3

Pairing = tuple[int, str]
"""A stage and a match's key."""


@dataclass
class Desk:
    """The organizer, with a browser."""

    server: Served
    client: httpx.Client
    csrf: str

    def get(self, path: str) -> str:
        """A page's text."""
        answer = self.client.get(path)
        assert answer.status_code == 200, answer.text
        return answer.text

    def send(self, path: str, status: int = 303, **fields: object) -> str:
        """A form, as its page has it."""
        answer = self.client.post(path, data={"csrf": self.csrf, **{name: str(value) for name, value in fields.items()}})
        assert answer.status_code == status, (path, fields, answer.status_code, plain(answer.text))
        return answer.text

    def now(self) -> tournament.Now:
        """The event as it stands."""
        with self.server.house.store.read() as connection:
            return tournament.standing_now(connection)

    def rows(self, path: str) -> list[list[str]]:
        """A public file."""
        return list(csv.reader(io.StringIO(self.client.get(path).content.decode("utf-8-sig"))))


def plain(page: str) -> str:
    """A page without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


@dataclass
class Event:
    """The event as it goes on, and what no journal can tell of it."""

    desk: Desk
    tables: Tables
    chance: Random
    not_played: dict[Pairing, int | None] = field(default_factory=dict)
    """Who won what was decided without a table; None: nobody."""
    said: dict[Pairing, int] = field(default_factory=dict)
    """Who won by a correction at the desk."""
    events: Counter[str] = field(default_factory=Counter)

    # ── The desk ─────────────────────────────────────────────────────────────
    def enter(self) -> None:
        """The entry list, as a file, and the Swiss stage."""
        rows = "\n".join(f"P{n:03};Club {n % 12};{2000 - n}" for n in range(1, PLAYERS + 1))
        shown = self.desk.send(f"{AT}/import", 200, pasted=f"Name;Club;Rating\n{rows}")
        listed = html.unescape(shown.split('name="list" value="')[1].split('"')[0])
        self.desk.send(f"{AT}/import/do", list=listed)
        order = "\n".join(str(n) for n in range(1, PLAYERS + 1))
        breaks = {"tiebreak1": "buchholz", "tiebreak2": "direct", "tiebreak3": "lots"}
        self.desk.send(
            f"{AT}/stages/new",
            seen=0,
            name="Swiss",
            system="swiss",
            rounds=ROUNDS,
            seed="27 October",
            first="halves",
            entrants=order,
            **breaks,
        )

    def come_late(self, name: str) -> None:
        """Somebody enters when the stage has begun."""
        self.desk.send(f"{AT}/entrants", name=name)
        self.desk.send(f"{AT}/stage/1/join", entrant=max(self.desk.now().event.entrants))
        self.events["came late"] += 1

    def leave(self, entrant: int, when: str) -> None:
        """Somebody plays no more."""
        self.desk.send(f"{AT}/entrants/{entrant}/leave", why="withdrawn")
        self.events[f"left {when}"] += 1

    def draw(self) -> None:
        """The next round is shown, and published as it was shown."""
        seen = self.desk.get(f"{AT}/stage/1/draw").split('name="seen" value="')[1].split('"')[0]
        self.desk.send(f"{AT}/stage/1/draw", seen=seen)

    def release(self, stage: int) -> dict[str, str]:
        """As many matches as there are free tables go to them, as the desk's page proposes: their keys by their tables."""
        form = self.desk.get(f"{AT}/stage/{stage}/release")
        asked = {name: table for name, table in re.findall(r'name="(table-[^"]+)" value="([^"]*)"', form) if table}
        if asked:
            self.desk.send(f"{AT}/stage/{stage}/release", rulebook="ibgf", length=LENGTH, **asked)
            released = self.desk.now().released
            waits = {table: released[stage, name.removeprefix("table-")] for name, table in asked.items()}
            self.tables.until(lambda: all(ident in self.tables.by_name[table].offered for table, ident in waits.items()))
        return {table: name.removeprefix("table-") for name, table in asked.items()}

    def free(self) -> Iterator[int]:
        """Players who have not left, by chance."""
        event = self.desk.now().event
        here = [each for each in event.entrants if each not in event.left]
        self.chance.shuffle(here)
        yield from here

    # ── A round ──────────────────────────────────────────────────────────────
    def play(self, stage: int, unusual: list[str]) -> None:
        """Everything that can be played now, several matches a table; the first ones go otherwise than usual."""
        while given := self.release(stage):
            for table, key in given.items():
                what = unusual.pop(0) if unusual else "played"
                getattr(self, what)(self.tables.by_name[table], (stage, key))
                self.events[what] += 1
            self.tables.settle()

    def of(self, where: Pairing) -> tuple[int, int]:
        """Who plays."""
        now = self.desk.now().event
        (found,) = [each for each in fixtures(now, now.stage(where[0])) if each.key == where[1]]
        assert found.left is not None
        assert found.right is not None
        return found.left, found.right

    def played(self, table: EventTable, _where: Pairing) -> None:
        table.open(table.offered[0], turned=self.chance.random() < 0.3)
        table.finish(self.chance.choice(list(Side)))

    def corrected(self, table: EventTable, where: Pairing) -> None:
        """The sheet was sent, and then its last game turns out to have been the other one's: revision 2, another winner."""
        table.open(table.offered[0])
        table.game(Side.RIGHT, Kind.GAMMON)
        table.game(Side.LEFT, Kind.GAMMON)
        table.game(Side.LEFT)
        table.sign()
        self.tables.settle()
        assert self.desk.now().event.stage(where[0]).ended[where[1]].outcome == "left"
        table.as_chief(c.CorrectGame(3, Side.RIGHT, Kind.SINGLE, None, "misread"))
        table.sign()

    def absent(self, table: EventTable, where: Pairing) -> None:
        """The right one does not come."""
        left, _right = self.of(where)
        self._not_played(table, where, "left_forfeit", left)

    def both_absent(self, table: EventTable, where: Pairing) -> None:
        """Neither comes."""
        self._not_played(table, where, "both_forfeit", None)

    def _not_played(self, table: EventTable, where: Pairing, outcome: str, winner: int | None) -> None:
        stage, key = where
        self.desk.send(f"{AT}/stage/{stage}/match/{key}", outcome=outcome)
        self.not_played[where] = winner
        self.tables.until(lambda: not table.offered)

    def left_waiting(self, table: EventTable, where: Pairing) -> None:
        """The left one withdraws before they have sat down: his match is taken from the table."""
        left, right = self.of(where)
        self.leave(left, "at a table")
        self.not_played[where] = right
        self.tables.until(lambda: not table.offered)
        assert where not in self.desk.now().released

    def left_playing(self, table: EventTable, where: Pairing) -> None:
        """The right one withdraws in the middle of a match: the chief ends it at the table."""
        _left, right = self.of(where)
        table.open(table.offered[0])
        table.game(Side.RIGHT)
        self.tables.settle()
        self.leave(right, "in a match")
        table.as_chief(c.Forfeit((Side.RIGHT,), "withdrawn"), c.Receive())


# ── The stages ───────────────────────────────────────────────────────────────
UNUSUAL = {
    1: ["absent"],
    2: ["left_playing", "both_absent"],
    3: ["corrected", "left_waiting"],
    4: ["absent", "left_playing"],
    6: ["left_waiting", "absent", "corrected"],
}
"""What happens in the rounds of the Swiss stage beside matches that are simply played."""


def swiss(event: Event) -> None:
    """The first stage, round by round."""
    for number in range(1, ROUNDS + 1):
        if number == 2:
            event.come_late("Late One")
            event.come_late("Late Two")
            event.leave(next(event.free()), "between rounds")
        if number == 3:
            event.leave(next(event.free()), "between rounds")
        event.draw()
        if number == 4:
            left = event.desk.now().event.stage(1).draws[-1].pairs[0]
            event.leave(left[0], "after the draw")
            event.not_played[1, "R4.1"] = left[1]
        event.play(1, list(UNUSUAL.get(number, [])))
        if number == 3:
            correct_at_the_desk(event, (1, "R2.3"))


def correct_at_the_desk(event: Event, where: Pairing) -> None:
    """A result of an earlier round is turned round, after its consequences were shown."""
    stage, key = where
    now = event.desk.now()
    won_left = now.event.stage(stage).ended[key].outcome == "left"
    outcome, score = ("right", {"left": 1, "right": 3}) if won_left else ("left", {"left": 3, "right": 1})
    at = f"{AT}/stage/{stage}/match/{key}"
    assert "Nothing has changed yet" in event.desk.send(at, 200, outcome=outcome, **score)
    event.desk.send(at, outcome=outcome, sure="yes", seen=now.n, reason="misheard", **score)
    event.said[where] = event.of(where)[won_left]
    event.events["corrected at the desk"] += 1


def knock_out(event: Event) -> None:
    """The second stage; a semi-final's sheet is corrected when the final and the match for the third place wait at their tables."""
    form = event.desk.get(f"{AT}/stages/new?from=1&count={BEST}")
    best = form.split("<textarea")[1].split(">", 1)[1].split("</textarea")[0].strip()
    event.desk.send(f"{AT}/stages/new", seen=1, name="Best", system="single", third="yes", seed="28 October", entrants=html.unescape(best))
    rounds = BEST.bit_length() - 1
    for number in range(1, rounds - 1):
        given = event.release(2)
        for table, key in given.items():
            unusual = number == 1 and key == "M1.2"
            (event.absent if unusual else event.played)(event.tables.by_name[table], (2, key))
        event.tables.settle()
    semis = event.release(2)
    for table in semis:
        at = event.tables.by_name[table]
        at.open(at.offered[0])
        at.game(Side.RIGHT, Kind.GAMMON)
        at.game(Side.LEFT, Kind.GAMMON)
        at.finish(Side.LEFT)
    event.tables.settle()
    finals = event.release(2)
    before = {key: event.of((2, key)) for key in finals.values()}
    late = event.tables.by_name[next(iter(semis))]
    late.as_chief(c.CorrectGame(3, Side.RIGHT, Kind.SINGLE, None, "misread"))
    late.sign()
    event.tables.settle()
    event.tables.until(lambda: not any(event.tables.by_name[table].offered for table in finals))
    event.events["finals taken back"] += 1
    event.play(2, [])
    assert all(event.of((2, key)) != players for key, players in before.items())


# ── What must be so in the end ───────────────────────────────────────────────
def winners(event: Event) -> dict[Pairing, int | None]:
    """Who won every match, by the tables' journals, and by what was decided at the desk alone."""
    now = event.desk.now()
    by_name = {each.name: ident for ident, each in now.event.entrants.items()}
    where = {ident: pairing for pairing, ident in now.released.items()}
    made: dict[Pairing, int | None] = dict(event.not_played)
    for table in event.tables:
        for sheet in table.played():
            assert sheet.winner is not None
            assert sheet.match in where, "what was played stands at the desk"
            made[where[sheet.match]] = by_name[" / ".join(sheet.setup.players[sheet.winner])]
    return {**made, **event.said}


def check_swiss(event: Event, won: dict[Pairing, int | None]) -> None:
    stage = event.desk.now().event.stage(1)
    name = event.desk.now().event.name
    points: Counter[str] = Counter()
    met: set[frozenset[int]] = set()
    byes: list[int] = []
    for draw in stage.draws:
        for n, pair in enumerate(draw.pairs, 1):
            winner = won.pop((1, f"R{draw.round}.{n}"))
            points[name(winner) if winner is not None else ""] += 1
            assert winner is None or winner in pair
            assert frozenset(pair) not in met, "nobody meets twice"
            met.add(frozenset(pair))
        if draw.bye is not None:
            byes.append(draw.bye)
            points[name(draw.bye)] += 1
    assert len(byes) == len(set(byes)), "one bye each at most"
    heads, *rows = event.desk.rows("/tournament/1/standings.csv")[-len(stage.entrants) - 1 :]
    assert {row[heads.index("Name")]: float(row[heads.index("Points")]) for row in rows} == {
        name(each): float(points[name(each)]) for each in stage.entrants
    }
    assert [int(row[heads.index("Rank")]) for row in rows] == list(range(1, len(rows) + 1)), "lots leave nobody level"


def check_knock_out(event: Event, won: dict[Pairing, int | None]) -> None:
    now = event.desk.now()
    stage = now.event.stage(2)
    lost: Counter[int] = Counter()
    for each in fixtures(now.event, stage):
        winner = won.pop((2, each.key))
        assert each.left is not None
        assert each.right is not None
        assert winner in {each.left, each.right}
        lost[each.right if winner == each.left else each.left] += 1
    unbeaten = [each for each in stage.entrants if not lost[each]]
    _heads, first, *_rows = [
        row for row in event.desk.rows("/tournament/2/standings.csv") if row and (row[0].isdigit() or row[0] == "Rank")
    ]
    assert [now.event.name(each) for each in unbeaten] == [first[1]]
    assert len(fixtures(now.event, stage)) == len(br.single(BEST, third=True).matches)


@contextmanager
def begun(folder: Path) -> Iterator[Event]:
    """A server, a hall of tables, an organizer."""
    with served(folder / "server") as server, server.logged_in() as client:
        tables = Tables(server, make_code(server.house, "a test", uses=TABLES).code, TABLES, folder)
        try:
            yield Event(Desk(server, client, csrf_of(client.get("/account").text)), tables, Random(27))
        finally:
            tables.close()


@pytest.mark.no_cover  # an evening of what others measure one by one
def test_a_whole_event_is_played_to_its_end_through_the_real_protocol(tmp_path: Path, record_property: pytest.RecordProperty) -> None:
    began = time.process_time()
    with begun(tmp_path) as event:
        event.enter()
        swiss(event)
        knock_out(event)
        for n in (1, 2):
            assert "over" in plain(event.desk.get(f"{AT}/stage/{n}"))
        won = winners(event)
        check_swiss(event, won)
        check_knock_out(event, won)
        assert won == {}, "every match is in a draw or in the bracket"
        with event.desk.server.house.store.read() as connection:
            assert audit.fault(connection) is None
            assert results.conflicts(connection) == []
            assert results.unattached(connection) == []
        rows = sum(table.journal.state().accepted for table in event.tables)
    record_property("event", f"{dict(event.events)}, {rows} entries, {time.process_time() - began:.1f} s of CPU time")
