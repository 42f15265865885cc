"""How the columns of a list of matches may be called, in each language: capitals, spaces and signs make no difference."""

from __future__ import annotations

import re

from kiosk.server.plans import folded

COLUMNS: dict[str, dict[str, tuple[str, ...]]] = {
    "left": {
        "en": ("Left", "Player 1", "Player A", "White", "First player"),
        "ru": ("Слева", "Игрок 1", "Левый", "Первый игрок", "Лево"),
        "uk": ("Ліворуч", "Гравець 1", "Лівий", "Перший гравець", "Зліва"),
        "mk": ("Лево", "Играч 1", "Лев", "Прв играч", "Левиот", "Одлево"),
    },
    "right": {
        "en": ("Right", "Player 2", "Player B", "Black", "Second player"),
        "ru": ("Справа", "Игрок 2", "Правый", "Второй игрок"),
        "uk": ("Праворуч", "Гравець 2", "Правий", "Другий гравець", "Справа"),
        "mk": ("Десно", "Играч 2", "Десен", "Втор играч", "Десниот", "Оддесно"),
    },
    "round": {"en": ("Round", "Stage"), "ru": ("Тур", "Раунд", "Круг"), "uk": ("Тур", "Раунд"), "mk": ("Коло", "Рунда", "Круг")},
    "table": {"en": ("Table", "Board"), "ru": ("Стол", "Стола"), "uk": ("Стіл", "Стола", "Столу"), "mk": ("Маса", "Масата")},
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


def plain(text: str) -> str:
    """A head as it is compared."""
    return re.sub(r"[\s.,;_:*()\-]+", " ", folded(text)).strip()


_KNOWN = {plain(name): column for column, languages in COLUMNS.items() for names in languages.values() for name in names}
_KNOWN |= {column: column for column in COLUMNS}


BESIDE = frozenset(
    map(
        folded,
        (
            *("player", "players", "name", "names", "side", "sits", "no", "nr", "number", "of", "the", "in", "at"),
            *("игрок", "игрока", "имя", "сторона", "сидит", "номер", "в", "матча"),
            *("гравець", "гравця", "ім'я", "ім’я", "імя", "сторона", "сидить", "номер", "у", "матчу"),
            *("играч", "играчот", "име", "страна", "седи", "број", "во", "мечот"),
            *(
                "min",
                "minutes",
                "s",
                "sec",
                "seconds",
                "points",
                "pts",
                "мин",
                "минуты",
                "минут",
                "сек",
                "секунды",
                "секунд",
                "очки",
                "очков",
            ),
            *("хв", "хвилини", "хвилин", "секунди", "очок", "минути", "секунди", "поени"),
        ),
    )
)
"""Words that may stand beside a column's name and change nothing: “Left player”, “Table no.”, “Delay (s)”."""


def column_of(head: str) -> str | None:
    """Which column a head names, or None."""
    bare = plain(head)
    return _KNOWN.get(bare) or _KNOWN.get(" ".join(word for word in bare.split() if word not in BESIDE))


def heads(language: str) -> dict[str, str]:
    """The heads of a list to be filled in."""
    return {column: names.get(language, names["en"])[0] for column, names in COLUMNS.items()}
