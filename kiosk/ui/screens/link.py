"""The connection to the tournament server in words: on every screen of a table that belongs to one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.say import _, n_
from kiosk.ui.changes import next_second
from kiosk.ui.view import ago

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kiosk.ui.draw import Align, Rect
    from kiosk.ui.page import Page
    from kiosk.ui.view import View


def link_words(view: View) -> str:
    """Connected or offline since when, and how much waits to be sent; nothing at a table that belongs to no server."""
    link = view.link
    if not link.joined:
        return ""
    if link.connected:
        words = _("Connected")
    elif link.since is None:
        words = _("Offline")
    else:
        words = _("Offline {time}", time=ago(link.since, view.shot.at))
    return words + " · " + n_("{n} unsent", "{n} unsent", link.unsynced) if link.unsynced else words


def link_changes(view: View) -> Iterator[int]:
    """Each second while it is offline."""
    link = view.link
    if link.joined and not link.connected and link.since is not None:
        yield next_second(link.since, view.shot.at)


def link_part(page: Page, rect: Rect, view: View) -> Rect:
    """The words at the right end of a title line.

    Returns:
        What is left of the line.
    """
    words = link_words(view)
    if not words:
        return rect
    end, rest = rect.cut_right(max(rect.w * (30 if page.place.portrait else 22) // 100, page.place.touch * 2), page.place.gap)
    link_text(page, end, view, align_right=True)
    return rest


def link_text(page: Page, rect: Rect, view: View, *, align_right: bool) -> None:
    """The words; offline stands out."""
    words = link_words(view).replace(" · ", "\n")
    align: Align = "right" if align_right else "left"
    if view.link.connected:
        page.text(rect, words, page.place.em(0.34), page.theme.quiet, align=align, lines=2)
    else:
        page.text(rect, words, page.place.em(0.34), page.theme.ink, face="bold", align=align, lines=2)
