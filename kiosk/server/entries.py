"""An entry list that is imported: read from CSV or a workbook, checked row by row, shown, and then entered in one transaction.

Somebody who is on the entry list already, by his name, is left alone where nothing differs, else changed to what the list says; an empty
cell says nothing. New ones are entered in the order of their seeds, those without one behind.
"""

from __future__ import annotations

import io
import json
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from kiosk.domain.errors import CommandRefused, KioskError
from kiosk.domain.setup import bad_value
from kiosk.say import _, language, mark, refusal
from kiosk.server import columns, lists, plans, tournament
from kiosk.server.tournament_forms import entrant_of, whole
from kiosk.sheets.spreadsheet import to_table
from kiosk.tournament import happened as h
from kiosk.tournament.plan import Entrant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kiosk.server.acts import Act
    from kiosk.tournament.event import Event

COLUMNS: dict[str, dict[str, tuple[str, ...]]] = {
    "name": {
        "en": ("Name", "Player", "Entrant", "Full name"),
        "ru": ("Имя", "Игрок", "Участник", "ФИО", "Фамилия имя"),
        "uk": ("Ім'я", "Ім’я", "Імя", "Гравець", "Учасник", "ПІБ"),
        "mk": ("Име", "Играч", "Учесник", "Име и презиме"),
    },
    "second": {
        "en": ("Partner", "Second name", "Second player"),
        "ru": ("Партнёр", "Партнер", "Второй игрок"),
        "uk": ("Партнер", "Другий гравець"),
        "mk": ("Партнер", "Втор играч"),
    },
    "club": {"en": ("Club", "Team"), "ru": ("Клуб", "Команда"), "uk": ("Клуб", "Команда"), "mk": ("Клуб", "Тим")},
    "country": {
        "en": ("Country", "Federation", "Nation"),
        "ru": ("Страна", "Федерация"),
        "uk": ("Країна", "Федерація"),
        "mk": ("Држава", "Земја", "Федерација"),
    },
    "rating": {"en": ("Rating", "Elo"), "ru": ("Рейтинг", "Эло"), "uk": ("Рейтинг", "Ело"), "mk": ("Рејтинг", "Ело")},
    "experience": {
        "en": ("Experience", "Exp", "Rated points"),
        "ru": ("Опыт", "Стаж"),
        "uk": ("Досвід", "Стаж"),
        "mk": ("Искуство", "Стаж"),
    },
    "seed": {
        "en": ("Seed", "No", "Nr", "Number", "Seed number"),
        "ru": ("Посев", "Номер", "Номер посева", "№"),
        "uk": ("Посів", "Номер", "Номер посіву", "№"),
        "mk": ("Носител", "Број", "Реден број", "№"),  # noqa: RUF001 - the word is Cyrillic
    },
}
"""Every column of an entry list: the first name of a language heads the list that is to be filled in."""

_KNOWN = {columns.plain(name): column for column, spoken in COLUMNS.items() for names in spoken.values() for name in names}
_KNOWN |= {column: column for column in COLUMNS}

NEW, SAME, CHANGED, WRONG = "new", "same", "changed", "wrong"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the list, and what it comes to."""

    n: int
    """Its number in the file."""
    state: str
    entrant: Entrant | None
    """Its number is 0 while it is new."""
    seed: int
    """0: none."""
    sentence: str = ""
    """What is wrong, or is to be looked at."""


def heads() -> dict[str, str]:
    """What the columns are called in the language spoken."""
    return {column: spoken.get(language(), spoken["en"])[0] for column, spoken in COLUMNS.items()}


KIND = lists.Kind(lambda head: _KNOWN.get(columns.plain(head)), ("name",), heads)
"""How such a list is read."""


def preview(event: Event, raw: lists.RawList) -> list[Row]:
    """What a list comes to; nothing is changed.

    Args:
        event: As it stands.
        raw: The list.
    """
    there = {_who(each): each for each in event.entrants.values() if each.again is None}
    seen: set[frozenset[str]] = set()
    made = []
    for row in raw.rows:
        one = _row(row, there)
        if one.entrant is not None and _who(one.entrant) in seen:
            one = Row(row.n, WRONG, None, 0, _("{name} stands twice in this list.", name=one.entrant.name))
        if one.entrant is not None:
            seen.add(_who(one.entrant))
        made.append(one)
    return _marked(made)


def _marked(rows: list[Row]) -> list[Row]:
    """With a word where several new ones have the same seed: which of them is the stronger is a person's to say."""
    seeds = Counter(one.seed for one in rows if one.state == NEW and one.seed)
    text = mark("The seed {seed} stands twice: the rows are entered in the order of the file.")
    return [replace(one, sentence=_(text, seed=one.seed)) if one.state == NEW and seeds[one.seed] > 1 else one for one in rows]


def _row(row: lists.RawRow, there: dict[frozenset[str], Entrant]) -> Row:
    cells = dict(row.cells)
    if cells.get("second"):
        cells["name"] = f"{cells.get('name', '')} / {cells['second']}"
    try:
        if row.unworked:
            raise bad_value("A formula without a value. Open the file in a spreadsheet program, save it there, and choose it again.")
        new = entrant_of(0, lambda name: cells.get(name, ""))
        seed = whole(cells.get("seed", ""), mark("A seed"))
    except KioskError as error:
        return Row(row.n, WRONG, None, 0, refusal(error) if isinstance(error, CommandRefused) else str(error))
    old = there.get(_who(new))
    if old is None:
        return Row(row.n, NEW, new, seed)
    kept = replace(
        old,
        club=new.club or old.club,
        country=new.country or old.country,
        rating=old.rating if new.rating is None else new.rating,
        experience=old.experience if new.experience is None else new.experience,
    )
    return Row(row.n, SAME if kept == old else CHANGED, kept, seed)


def _who(entrant: Entrant) -> frozenset[str]:
    return frozenset(plans.folded(name) for name in entrant.names)


# ── Doing it ─────────────────────────────────────────────────────────────────
def to_text(rows: Sequence[Row]) -> str:
    """What was shown, to be sent back by whoever agrees to it: new ones in the order of their seeds."""
    told = [one for one in rows if one.entrant is not None and one.state in {NEW, CHANGED}]
    told.sort(key=lambda one: (one.seed == 0, one.seed))
    return json.dumps([_plain(one.entrant) for one in told if one.entrant is not None], ensure_ascii=False)


def _plain(entrant: Entrant) -> dict[str, str]:
    return {"name": entrant.name, "club": entrant.club, "country": entrant.country, **numbers(entrant)}


def numbers(entrant: Entrant) -> dict[str, str]:
    """Rating and experience as a form has them; empty: nobody told."""
    rating = "" if entrant.rating is None else f"{entrant.rating:.3f}".rstrip("0").rstrip(".")
    return {"rating": rating, "experience": "" if entrant.experience is None else str(entrant.experience)}


def apply(act: Act, text: str) -> tuple[int, int]:
    """Enter and change what was agreed to: all of it, or nothing.

    Args:
        act: Who does it.
        text: As `to_text` wrote it; checked anew, for it went through a browser.

    Returns:
        How many are new, and how many were changed.

    Raises:
        CommandRefused: It is no such text.
        TournamentError: It cannot be entered.
    """
    wanted = _read(text)
    event = tournament.standing_now(act.connection).event
    there = {_who(each): each for each in event.entrants.values() if each.again is None}
    number, what, new = tournament.next_entrant(act.connection), list[h.Happened](), 0
    for each in wanted:
        old = there.get(_who(each))
        made = replace(each, ident=number + new) if old is None else replace(each, ident=old.ident, names=old.names)
        new += old is None
        if made != old:
            what.append(h.Entered(made))
    tournament.happen(act, what)
    return new, len(what) - new


def _read(text: str) -> list[Entrant]:
    broken = bad_value("What was to be imported did not come back whole; import the file again.")
    try:
        plain = json.loads(text)
        if not isinstance(plain, list) or len(plain) > lists.MOST_ROWS:
            raise broken
        return [entrant_of(0, _text_of(one)) for one in plain]
    except (ValueError, TypeError, RecursionError) as error:
        raise broken from error


def _text_of(one: Any) -> Any:  # noqa: ANN401 - whatever a browser sent
    if not isinstance(one, dict) or not all(isinstance(value, str) for value in one.values()):
        raise TypeError
    return lambda name: one.get(name, "")


def template(form: str) -> bytes:
    """An entry list to be filled in, with one example, in the language spoken.

    Args:
        form: `csv` or `xlsx`.
    """
    example = {"name": "Ana", "club": "Skopje", "country": "MK", "rating": "1620", "experience": "250", "seed": "1"}
    names = list(heads().values())
    values = [example.get(column, "") for column in COLUMNS]
    if form == "csv":
        return to_table(names, [dict(zip(names, values, strict=True))])
    from openpyxl import Workbook

    book = Workbook()
    page = book.active
    assert page is not None  # noqa: S101 - a new workbook has a page
    page.append(names)
    page.append([int(value) if value.isdigit() else value for value in values])
    page.freeze_panes = "A2"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
