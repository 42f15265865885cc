"""Every text in every language: there, with the same braces, and compiled as it stands in the `.po`."""

from __future__ import annotations

import re

import pytest

from kiosk import say
from tests.locale.catalogue import LANGUAGES, POT, brought_in_line, compiled, fields, languages, read

TYPED = (
    r"\{\w+\}|`[^`]*`|\w+_\w+|--[\w-]+|https?://\S*|postgresql://\S*"
    r"|pip install '[^']*'|\b[A-Z]{2,}:|\b(xlsx|csv|kiosk\.toml|kB)\b|kiosk-server restore"
)
"""What people type, or a name of a file's kind: it stands in Latin letters in every language."""
COMMAND_LINE = (
    "kiosk/app/",
    "kiosk/books/",
    "kiosk/journal/",
    "kiosk/play/anyid.py",  # ids, moves and transcripts are typed in Latin letters
    "kiosk/play/notation.py",
    "kiosk/play/noted.py",
    "kiosk/play/transcript_file.py",
    "kiosk/play/turn.py",
    "kiosk/play/xgid.py",
    "kiosk/server/asking.py",
    "kiosk/server/cli_",
    "kiosk/server/main.py",
    "kiosk/server/settings.py",
    "kiosk/shell/",
)
FOREIGN = {
    "true",
    "false",
    "server",
    "toml",
    "SHA",
    "audio",
    "id",
    "players",
    "MB",
    "TLS",
    "UTF",
    "SQLite",
    "PostgreSQL",
    "createdb",
    "log",
    "zeroconf",
    "Jacoby",
    "Backgammon",
    "Crawford",
    "gammon",
    "backgammon",
    "Tableside",
    "OK",
    "PIN",
    "Tab",
    "Enter",
    "Esc",
    "Backspace",
    "QR",
    "PDF",
    "USB",
    "CSV",
    "JSON",
    "XLSX",
    "EUR",
    "GNU",
    "XGID",
    "beaver",
}
"""Words that stand in Latin letters in every language."""


def po(language: str) -> str:
    return (LANGUAGES / language / "LC_MESSAGES" / "tableside.po").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", languages())
def test_nothing_is_missing_and_the_files_are_current(language: str) -> None:
    text, missing = brought_in_line(language, po(language), POT.read_text(encoding="utf-8"))
    assert missing == 0, "translate what `python -m tests.locale` counts"
    assert text == po(language), "run `python -m tests.locale` and commit what it writes"
    assert (LANGUAGES / language / "LC_MESSAGES" / "tableside.mo").read_bytes() == compiled(text, language)


@pytest.mark.parametrize("language", languages())
def test_every_translation_has_the_texts_braces(language: str) -> None:
    for message in read(po(language), language):
        if not message.id:
            continue
        ids = message.id if isinstance(message.id, tuple | list) else (message.id,)
        strings = message.string if isinstance(message.string, tuple | list) else (message.string,)
        wanted = fields(ids[-1])
        for string in strings:
            assert fields(string) <= wanted, message.id
            assert fields(string) | ({"n"} if len(ids) > 1 else set()) >= wanted, message.id
            assert string == string.strip() or ids[0] != ids[0].strip(), message.id


@pytest.mark.parametrize("language", languages())
def test_nothing_english_is_left_on_the_screen(language: str) -> None:
    left = {}
    for message in read(po(language), language):
        if not message.id or all(path.startswith(COMMAND_LINE) for path, _ in message.locations):
            continue  # what is typed at the command line stands in Latin letters
        for string in message.string if isinstance(message.string, tuple | list) else (message.string,):
            latin = set(re.findall(r"[A-Za-z]{2,}", re.sub(TYPED, "", string))) - FOREIGN
            if latin:
                left[str(message.id)] = latin
    assert left == {}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("ru", {1: "1 очко", 2: "2 очка", 5: "5 очков", 11: "11 очков", 21: "21 очко", 22: "22 очка"}),
        ("uk", {1: "1 очко", 2: "2 очки", 5: "5 очок", 11: "11 очок", 21: "21 очко", 22: "22 очки"}),
        ("mk", {1: "1 поен", 2: "2 поени", 5: "5 поени", 11: "11 поени", 21: "21 поен"}),
        ("en", {1: "1 point", 2: "2 points"}),
    ],
)
def test_counts_are_told_in_the_right_form(language: str, said: dict[int, str]) -> None:
    with say.speaking(language):
        assert {n: say.n_("{n} point", "{n} points", n) for n in said} == said


def test_a_language_is_spoken_inside_only() -> None:
    with say.speaking("ru"):
        outer = say._("Score sheet")
        with say.speaking("mk"):
            inner = say._("Score sheet")
        with say.speaking(None):
            assert say._("Score sheet") == outer
    assert len({outer, inner, say._("Score sheet"), "Score sheet"}) == 3
