"""What is played, and what is not right with the box, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.say import _, n_

if TYPE_CHECKING:
    from kiosk.ui.view import View


def troubles(view: View) -> list[tuple[str, str]]:
    """What is not right with the box, the worst first: (a few words, the whole sentence)."""
    health, journal = view.health, view.shot.journal
    found = []
    if health.journal or journal.fault:
        waiting = (
            _("Not saving") if not journal.pending else n_("Not saving · {n} entry waits", "Not saving · {n} entries wait", journal.pending)
        )
        found.append((waiting, health.journal or journal.fault or ""))
    if health.buttons:
        found.append((_("Buttons do not work"), health.buttons))
    if health.data:
        found.append((_("Forgets all at switch-off"), health.data))
    if view.link.trouble:
        found.append((_("Trouble with the server"), view.link.trouble))
    if health.devices:
        found.append((_("A device does not work"), health.devices))
    if health.screen:
        found.append((_("Fault in the screen"), health.screen))
    return found


def where_words(view: View) -> str:
    """The table, and the round where the organizer has placed the match; a panel that stands upright has no room for it."""
    place = view.shot.table.place
    parts = [_("Table {name}", name=view.table_name) if view.table_name else ""]
    if place is not None and place.round and not view.place.portrait:
        parts.append(_("round {round}", round=place.round))
    return " · ".join(part for part in parts if part)


def what_is_played(view: View) -> str:
    """The match in a few words; a practice match says so, for it never counts."""
    words = _played(view)
    place = view.shot.table.place
    return f"{words} · " + _("practice") if place is not None and place.practice else words


def _played(view: View) -> str:
    shot, table = view.shot, view.shot.table
    if view.setup.length is None:
        if view.setup.jacoby:
            return _("Free session · Jacoby · game {n}", n=table.game)
        return _("Free session · game {n}", n=table.game)
    if shot.is_crawford_game:
        return _("{n}-point match · Crawford game", n=view.setup.length)
    if shot.double_match_point:
        return _("{n}-point match · double match point", n=view.setup.length)
    return _("{n}-point match · game {game}", n=view.setup.length, game=table.game)
