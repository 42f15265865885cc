"""How the columns of a list of matches may be called, in each language: capitals, spaces and signs make no difference."""

from __future__ import annotations

import re

from kiosk.server.plans import folded

COLUMNS: dict[str, dict[str, tuple[str, ...]]] = {
    "left": {
        "en": ("Left", "Player 1", "Player A", "White", "First player"),
        "ru": ("Слева", "Игрок 1", "Левый", "Первый игрок"),
        "uk": ("Ліворуч", "Гравець 1", "Лівий", "Перший гравець"),
        "mk": ("Лево", "Играч 1", "Лев", "Прв играч"),
    },
    "right": {
        "en": ("Right", "Player 2", "Player B", "Black", "Second player"),
        "ru": ("Справа", "Игрок 2", "Правый", "Второй игрок"),
        "uk": ("Праворуч", "Гравець 2", "Правий", "Другий гравець"),
        "mk": ("Десно", "Играч 2", "Десен", "Втор играч"),
    },
    "round": {"en": ("Round", "Stage"), "ru": ("Тур", "Раунд", "Круг"), "uk": ("Тур", "Раунд"), "mk": ("Коло", "Рунда", "Круг")},
    "table": {"en": ("Table", "Board"), "ru": ("Стол",), "uk": ("Стіл",), "mk": ("Маса",)},
    "length": {
        "en": ("Length", "Points", "Match length"),
        "ru": ("Длина", "Очки", "Длина матча"),
        "uk": ("Довжина", "Очки", "Довжина матчу"),
        "mk": ("Должина", "Поени", "Должина на мечот"),
    },
    "rulebook": {
        "en": ("Rulebook", "Rules", "Regulation"),
        "ru": ("Регламент", "Правила"),
        "uk": ("Регламент", "Правила"),
        "mk": ("Правилник", "Правила"),
    },
    "start": {
        "en": ("Start", "Starts", "Start time", "Time"),
        "ru": ("Начало", "Старт", "Время"),
        "uk": ("Початок", "Старт", "Час"),
        "mk": ("Почеток", "Старт", "Време"),
    },
    "reserve": {
        "en": ("Reserve", "Reserve time", "Minutes"),
        "ru": ("Основное время", "Резерв", "Минуты"),
        "uk": ("Основний час", "Резерв", "Хвилини"),
        "mk": ("Основно време", "Резерва", "Минути"),
    },
    "delay": {"en": ("Delay", "Seconds"), "ru": ("Задержка", "Секунды"), "uk": ("Затримка", "Секунди"), "mk": ("Одложување", "Секунди")},
    "practice": {
        "en": ("Practice", "Training"),
        "ru": ("Тренировка",),
        "uk": ("Тренування",),
        "mk": ("Вежбање", "Тренинг"),
    },
}
"""Every column: the first name of a language heads the list that is to be filled in."""

NEEDED = ("left", "right")

YES = frozenset(map(folded, ("yes", "y", "x", "1", "true", "да", "так", "+", "✓")))
NO = frozenset(map(folded, ("", "no", "n", "0", "false", "нет", "ні", "не", "-", "–")))


def _plain(text: str) -> str:
    """A head as it is compared."""
    return re.sub(r"[\s._:*()\-]+", " ", folded(text)).strip()


_KNOWN = {_plain(name): column for column, languages in COLUMNS.items() for names in languages.values() for name in names}
_KNOWN |= {column: column for column in COLUMNS}


def column_of(head: str) -> str | None:
    """Which column a head names, or None."""
    return _KNOWN.get(_plain(head))


def heads(language: str) -> dict[str, str]:
    """The heads of a list to be filled in."""
    return {column: names.get(language, names["en"])[0] for column, names in COLUMNS.items()}
