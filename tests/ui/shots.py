"""Pictures of all moments as PNG files, to be looked at: `python -m tests.ui.shots FOLDER [SIZE…] [--light] [--facing] [--language=ru]`."""

from __future__ import annotations

import sys
from pathlib import Path

import pygame

from kiosk.say import use
from kiosk.ui.paint import Painter
from kiosk.ui.view import Preferences
from tests.ui.moments import MOMENTS, PLACES


def main(arguments: list[str]) -> None:
    flags = {word for word in arguments if word.startswith("--")}
    folder, *wanted = [word for word in arguments if word not in flags]
    names = [word for word in wanted if word not in PLACES] or list(MOMENTS)
    sizes = [word for word in wanted if word in PLACES] or list(PLACES)
    Path(folder).mkdir(parents=True, exist_ok=True)
    language = next((flag.partition("=")[2] for flag in flags if flag.startswith("--language=")), "en")
    use(language)
    prefs = Preferences(theme="light" if "--light" in flags else "dark", facing="--facing" in flags, language=language)
    for size in sizes:
        place = PLACES[size]
        for name in names:
            surface = pygame.Surface((place.w, place.h))

            def fault(where: str, error: Exception, name: str = name) -> None:
                print(f"{name}: {where}: {error!r}")

            table = MOMENTS[name](prefs)
            table.desk.on_fault = fault
            Painter(surface, fault).paint(table.picture(place))
            pygame.image.save(surface, str(Path(folder) / f"{name}-{size}.png"))


if __name__ == "__main__":
    main(sys.argv[1:])
