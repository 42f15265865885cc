"""How this table looks, kept beside its journal as `screen.json`: set on the screen, so it is no file that people write."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from kiosk.app.logs import log
from kiosk.ui.theme import THEMES
from kiosk.ui.view import SLEEPS, Preferences

if TYPE_CHECKING:
    from pathlib import Path

FILE = "screen.json"


def load(folder: Path) -> Preferences:
    """What was set last; what cannot be read is as it comes from the box, and is said in the log."""
    path = folder / FILE
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Preferences()
    except (OSError, ValueError, RecursionError) as error:
        log.warning("%s cannot be read (%s); the screen looks as it comes from the box.", path, error)
        return Preferences()
    return _checked(plain if isinstance(plain, dict) else {})


def _checked(plain: dict[str, Any]) -> Preferences:
    default = Preferences()
    good: dict[str, Any] = {}
    for field in fields(Preferences):
        value = plain.get(field.name)
        if type(value) is type(getattr(default, field.name)):
            good[field.name] = value
    if good.get("theme") not in THEMES:
        good.pop("theme", None)
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
