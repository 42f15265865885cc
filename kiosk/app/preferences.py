"""How this table looks, kept beside its journal as `screen.json`: set on the screen, so it is no file that people write."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from kiosk.app.logs import log
from kiosk.say import LANGUAGES
from kiosk.ui.theme import THEMES
from kiosk.ui.view import SLEEPS, Preferences

if TYPE_CHECKING:
    from pathlib import Path

FILE = "screen.json"


def load(folder: Path, language: str = "en") -> Preferences:
    """What was set last; what cannot be read is as it comes from the box, and is said in the log.

    Args:
        folder: The data folder.
        language: What is spoken where nobody has chosen a language.
    """
    path = folder / FILE
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Preferences(language=language)
    except (OSError, ValueError, RecursionError) as error:
        log.warning("%s cannot be read (%s); the screen looks as it comes from the box.", path, error)
        return Preferences(language=language)
    return _checked(plain if isinstance(plain, dict) else {}, language)


def _checked(plain: dict[str, Any], language: str) -> Preferences:
    default = Preferences(language=language)
    good: dict[str, Any] = {}
    for field in fields(Preferences):
        value = plain.get(field.name)
        if type(value) is type(getattr(default, field.name)):
            good[field.name] = value
    if good.get("theme") not in THEMES:
        good.pop("theme", None)
    if good.get("language") not in LANGUAGES:
        good["language"] = language
    for side in ("left", "right"):
        if good.get(side) not in {"", *LANGUAGES}:
            good.pop(side, None)
    if good.get("sleep") not in SLEEPS:
        good.pop("sleep", None)
    return Preferences(**good)


def save(folder: Path, prefs: Preferences) -> None:
    """Keep what is set now; a disk that cannot take it changes nothing but that."""
    path = folder / FILE
    new = path.with_suffix(".new")
    try:
        new.write_text(json.dumps(asdict(prefs), indent=1) + "\n", encoding="utf-8")
        new.replace(path)
    except OSError as error:
        log.warning("%s cannot be written (%s); the screen is as set until the next start.", path, error)
