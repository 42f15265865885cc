"""Verdicts on what is around the table: the date, the tournament server, what runs here, panel and letters. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kiosk.app.doctor.judge_store import ms_words
from kiosk.ports import Finding
from kiosk.say import _, n_

if TYPE_CHECKING:
    from kiosk.app.doctor.figures import FontFigures, PanelFigures, ServerFigures, TimeFigures, VersionFigures

FINGER_MM = 12.0
"""No target is to be smaller."""

SOON_DAYS = 14
"""Decision: an event is over within two weeks; a certificate that ends later is none of its worries."""

SLOW_TRIP_NS = 500_000_000
"""Decision: beyond half a second people see the board lag behind the table."""


def judge_time(found: TimeFigures) -> list[Finding]:
    """Whether the date is right, and who says so."""
    name, what = "time", _("Date and time")
    battery = _("battery clock {name}", name=found.battery) if found.battery else _("no battery clock")
    if found.synchronised:
        figure = _("{shown}, kept by {source}; {battery}", shown=found.shown, source=found.source or "–", battery=battery)
        return [Finding(name, what, figure, "good")]
    figure = _("{shown}, not synchronised; {battery}", shown=found.shown, battery=battery)
    if found.battery:
        advice = _("Right if the battery clock was once set from the network; sheets mark times as not yet trusted until it is.")
    else:
        advice = _(
            "Clocks are right all the same, but sheets mark times as not yet trusted. Connect a network, or fit a battery clock (DS3231)."
        )
    return [Finding(name, what, figure, "doubt", advice)]


def judge_server(found: ServerFigures) -> list[Finding]:
    """Whether the server is reached, and whether it is the one that was joined."""
    name, what = "server", _("Tournament server")
    if not found.url:
        return [Finding(name, what, _("none was joined"), "off")]
    if found.fault:
        advice = _("The table plays on and keeps everything; check the network, then `kiosk server status`.")
        return [Finding(name, what, found.fault, "wrong", advice), *_certificate(found)]
    trip = "–" if found.trip_ns is None else ms_words(found.trip_ns)
    figure = _("{event} at {url}, answers in {ms} ms", event=found.event, url=found.url, ms=trip)
    if found.trip_ns is not None and found.trip_ns > SLOW_TRIP_NS:
        return [Finding(name, what, figure, "doubt", _("Slow; a cable is better than Wi-Fi in a full hall.")), *_certificate(found)]
    return [Finding(name, what, figure, "good"), *_certificate(found)]


def _certificate(found: ServerFigures) -> list[Finding]:
    name, what = "certificate", _("Its certificate")
    if found.trip_ns is None and found.days is None:
        return []
    if found.days is None:
        return [Finding(name, what, _("the one that was joined; when it ends cannot be read"), "doubt")]
    advice = _("Tables know it by its fingerprint and go on; browsers will warn. The organizer renews it between two events.")
    if found.days < 0:
        return [Finding(name, what, n_("ended {n} day ago", "ended {n} days ago", -found.days), "doubt", advice)]
    left = n_("the one that was joined, good for {n} day", "the one that was joined, good for {n} days", found.days)
    return [Finding(name, what, left, "doubt", advice) if found.days < SOON_DAYS else Finding(name, what, left, "good")]


def judge_panel(found: tuple[PanelFigures, ...]) -> list[Finding]:
    """Whether a finger can hit what is shown."""
    if not found:
        return [Finding("panel", _("Display panel"), _("none is connected"), "off", _("Without one a table runs from its console."))]
    return [_panel(panel) for panel in found]


def _panel(panel: PanelFigures) -> Finding:
    pixels = f"{panel.connector}: {panel.w}×{panel.h}"
    if panel.mm is None:
        advice = _("Set `inch` in kiosk.toml to the panel's diagonal, so that targets are {n} mm.", n=round(FINGER_MM))
        return Finding("panel", _("Display panel"), _("{pixels}, its size is not known", pixels=pixels), "doubt", advice)
    target = panel.target_px * panel.mm[0] / panel.w
    said = {"EDID": _("it says so itself"), "inch": _("by kiosk.toml"), "usual": _("as is usual for its pixels")}[panel.source]
    figure = _(
        "{pixels}, {w}×{h} mm ({said}), targets {target} mm", pixels=pixels, w=panel.mm[0], h=panel.mm[1], said=said, target=f"{target:.1f}"
    )
    if target < FINGER_MM - 0.05:
        advice = _(
            "Too small for {n} mm targets: take a panel of 7 inches or more, or one with its sides less unequal.", n=round(FINGER_MM)
        )
        return Finding("panel", _("Display panel"), figure, "doubt", advice)
    return Finding("panel", _("Display panel"), figure, "good")


def judge_fonts(found: FontFigures) -> list[Finding]:
    """Whether every letter of every language can be drawn."""
    what = _("Letters")
    if found.lacking:
        figure = "; ".join(_("{language} lacks {letters}", language=language, letters=letters) for language, letters in found.lacking)
        return [Finding("fonts", what, figure, "wrong", _("The program's own fonts are damaged or missing: install Tableside again."))]
    figure = _("every letter of {languages} in {n} faces", languages=", ".join(found.languages), n=found.faces)
    return [Finding("fonts", what, figure, "good")]


def judge_versions(found: VersionFigures) -> list[Finding]:
    """What runs here: nothing to judge, but the first thing that is asked for."""
    parts = (
        f"Tableside {found.tableside}",
        f"Python {found.python}",
        f"SDL {found.sdl}",
        f"SQLite {found.sqlite}",
        f"Linux {found.kernel}",
    )
    return [
        Finding("versions", _("Versions"), ", ".join(parts), "good"),
        Finding("system", _("Computer"), ", ".join(part for part in (found.model, found.system) if part), "good"),
    ]
