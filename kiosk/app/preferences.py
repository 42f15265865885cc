"""How this table looks, kept beside its journal as `screen.json`: set on the screen, so it is no file that people write."""

from __future__ import annotations

import json
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING, Any

from kiosk.app.logs import log
from kiosk.ports import Volumes
from kiosk.say import LANGUAGES
from kiosk.ui.theme import THEMES
from kiosk.ui.view import SLEEPS, VOLUMES, Preferences

if TYPE_CHECKING:
    from pathlib import Path

FILE = "screen.json"


def load(folder: Path, language: str = "en", volumes: Volumes = Volumes()) -> Preferences:  # noqa: B008 - a frozen value
    """What was set last; what cannot be read is as it comes from the box, and is said in the log.

    Args:
        folder: The data folder.
        language: What is spoken where nobody has chosen a language.
        volumes: How loud it is where nobody has chosen that.
    """
    path = folder / FILE
    default = _default(language, volumes)
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return default
    except (OSError, ValueError, RecursionError) as error:
        log.warning("%s cannot be read (%s); the screen looks as it comes from the box.", path, error)
        return default
    return _checked(plain if isinstance(plain, dict) else {}, default)


def _default(language: str, volumes: Volumes) -> Preferences:
    return Preferences(
        language=language,
        volume_press=volumes.press,
        volume_alert=volumes.alert,
        volume_last_seconds=volumes.last_seconds,
        volume_flag=volumes.flag,
        quiet=volumes.quiet,
    )


def _checked(plain: dict[str, Any], default: Preferences) -> Preferences:
    good: dict[str, Any] = {}
    for field in fields(Preferences):
        value = plain.get(field.name)
        if type(value) is type(getattr(default, field.name)):
            good[field.name] = value
    if good.get("theme") not in THEMES:
        good.pop("theme", None)
    if good.get("language") not in LANGUAGES:
        good.pop("language", None)
    for side in ("left", "right"):
        if good.get(side) not in {"", *LANGUAGES}:
            good.pop(side, None)
    if good.get("sleep") not in SLEEPS:
        good.pop("sleep", None)
    for volume in (name for name in list(good) if name.startswith("volume_")):
        if good[volume] not in VOLUMES:
            good.pop(volume)
    return replace(default, **good)


def save(folder: Path, prefs: Preferences) -> None:
    """Keep what is set now; a disk that cannot take it changes nothing but that."""
    path = folder / FILE
    new = path.with_suffix(".new")
    try:
        new.write_text(json.dumps(asdict(prefs), indent=1) + "\n", encoding="utf-8")
        new.replace(path)
    except OSError as error:
        log.warning("%s cannot be written (%s); the screen is as set until the next start.", path, error)
