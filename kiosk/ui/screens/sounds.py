"""How loud each sound of this table is, and whether the hall is to be quiet. What is chosen is heard at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from kiosk.say import _
from kiosk.ui.actions import Prefer
from kiosk.ui.screens.base import Screen, sheet
from kiosk.ui.view import VOLUMES

if TYPE_CHECKING:
    from kiosk.ui.draw import Rect
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


@dataclass(frozen=True, slots=True)
class SoundPage(Screen):
    """Sounds."""

    def stays(self, view: View) -> bool:
        """It has a meaning where the table can be heard."""
        return view.sounds

    def draw(self, page: Page, view: View) -> None:
        """Each row a sound, each tile a volume; below, the quiet hall."""
        body, beside = sheet(page, view, _("Sounds"))
        place, prefs = page.place, view.prefs
        rows = (
            (_("A press"), "volume_press", prefs.volume_press),
            (_("An alert"), "volume_alert", prefs.volume_alert),
            (_("Last seconds"), "volume_last_seconds", prefs.volume_last_seconds),
            (_("A flag"), "volume_flag", prefs.volume_flag),
        )
        high = min(place.touch * 5 // 4, (body.h - 4 * place.gap) // 4)
        for label, name, chosen in rows:
            row, body = body.cut_top(max(place.touch, high), place.gap)
            head, cells = row.cut_left(row.w * 26 // 100, place.gap)
            page.text(head, label, place.em(0.4), page.theme.quiet, align="left", lines=2)
            for volume, cell in zip(VOLUMES, cells.columns(len(VOLUMES), place.gap), strict=True):
                page.choice(
                    cell, _volume_words(volume), Prefer({name: volume}), chosen=chosen == volume, size=0.3 if place.portrait else 0.38
                )
        if body.h >= place.touch:
            page.text(body, _rule(view), place.em(0.36), page.theme.quiet, lines=3)
        _quiet(page, beside, view)


def _volume_words(volume: int) -> str:
    return (_("Off"), _("Soft"), _("Medium"), _("Loud"))[volume]


def _rule(view: View) -> str:
    setup = view.shot.table.setup
    if setup is not None and (setup.sounds.flag or setup.sounds.last_seconds):
        return _("In this match the regulation lets the time be heard.")
    return _("Last seconds and flag are heard only where the regulation of the match says so.")


def _quiet(page: Page, rect: Rect, view: View) -> None:
    words = _("Quiet hall: nothing is more than soft, and no time is heard.")
    on, text = rect.cut_right(rect.w * 36 // 100, page.place.gap)
    page.text(text, words, page.place.em(0.34), page.theme.quiet, lines=3)
    page.choice(on, _("Quiet hall"), Prefer({"quiet": not view.prefs.quiet}), chosen=view.prefs.quiet, size=0.38)
