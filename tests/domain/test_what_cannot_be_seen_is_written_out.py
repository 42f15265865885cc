"""What people typed and files bring, as it is read."""

from __future__ import annotations

import pytest

from kiosk.domain.text import escaped, seen


@pytest.mark.parametrize("text", ["", "Ann", "Марија Ќосева", "a\u00a0b", "ნინო", "e\u0301", "100 %", "C:\\x"])
def test_what_can_be_seen_stays_as_it_is(text: str) -> None:
    assert seen(text)
    assert escaped(text) == text


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("a\nb", "a\\nb"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\x07\0", "\\x07\\x00"),
        ("\x9b2J", "\\x9b2J"),
        ("Ана\u202egnp\u2028", "Ана\\u202egnp\\u2028"),
        ("\ud800", "\\ud800"),
        ("\u200fa\u00a0b", "\\u200fa\u00a0b"),
    ],
)
def test_what_breaks_a_line_drives_a_terminal_or_turns_the_reading_around_is_written_out(text: str, read: str) -> None:
    assert not seen(text)
    assert escaped(text) == read
