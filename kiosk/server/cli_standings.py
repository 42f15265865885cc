"""`kiosk-server standings FILE` and `kiosk-server pair FILE`: an event's table and its next round, from a file, without a server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kiosk.say import _
from kiosk.server.problems import WrongUse
from kiosk.shell.lines import say
from kiosk.tournament.file import check_text, event_from_plain
from kiosk.tournament.results import TournamentError
from kiosk.tournament.standings import standings as table_of
from kiosk.tournament.swiss import pair as paired

if TYPE_CHECKING:
    from kiosk.tournament.file import Event
    from kiosk.tournament.standings import Place

LARGEST = 64_000_000
"""A file has no more bytes."""

_JSON = click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
_FILE = click.argument("file", type=click.Path(path_type=Path))


@click.command()
@_FILE
@_JSON
def standings(file: Path, as_json: bool) -> None:  # noqa: FBT001 - click hands flags over so
    """Work out the table of the event in FILE."""
    event = _read(file)
    places = table_of(event.record, event.tiebreaks, unplayed=event.unplayed, seed=event.seed)
    if as_json:
        say(json.dumps([_plain(place) for place in places], ensure_ascii=False))
        return
    names = {each.ident: each.name for each in event.players}
    for place in places:
        decided = "" if place.decided_by is None else f"  ({place.decided_by})"
        say(f"{place.rank:4} {place.has.points:5g}  {names[place.player]}{decided}")


def _plain(place: Place) -> dict[str, object]:
    has = place.has
    return {
        "player": place.player,
        "rank": place.rank,
        "points": has.points,
        "wins": has.wins,
        "buchholz": has.buchholz,
        "buchholz_cut1": has.buchholz_cut1,
        "sonneborn_berger": has.sonneborn_berger,
        "direct": place.direct,
        "decided_by": place.decided_by,
    }


@click.command()
@_FILE
@_JSON
def pair(file: Path, as_json: bool) -> None:  # noqa: FBT001 - as above
    """Pair the next round of the Swiss event in FILE."""
    event = _read(file)
    number = event.record.rounds + 1
    try:
        made = paired(event.record, event.playing, number, seed=event.seed, wishes=event.wishes)
    except TournamentError as error:
        raise WrongUse(f"{file}: {error}") from error
    rows = [(n, left, right) for n, (left, right) in enumerate([*made.pairs, *([(made.bye, None)] if made.bye is not None else [])], 1)]
    if as_json:
        say(json.dumps([{"table": n, "left": left, "right": right} for n, left, right in rows], ensure_ascii=False))
        return
    names = {each.ident: each.name for each in event.players}
    say(_("Round {number}", number=number))
    for n, left, right in rows:
        say(f"{n:4}  {names[left]} – {_('bye') if right is None else names[right]}")


def _read(file: Path) -> Event:
    try:
        return event_from_plain(plain_of(file))
    except TournamentError as error:
        raise WrongUse(f"{file}: {error}") from error


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _value in pairs]
        raise ValueError(_("{key} stands twice in one object", key=next(key for key in keys if keys.count(key) > 1)))
    return made


def plain_of(file: Path) -> object:
    """What a JSON file holds.

    Raises:
        WrongUse: It cannot be read, is too large, is no JSON, or names a key twice.
    """
    try:
        if file.stat().st_size > LARGEST:
            raise WrongUse(_("{file} is larger than any event's file.", file=file))
        plain: object = json.loads(file.read_text(encoding="utf-8-sig"), object_pairs_hook=_once)  # some editors begin with a mark
    except OSError as error:
        raise WrongUse(_("{file} cannot be read: {why}.", file=file, why=error.strerror or error)) from error
    except (ValueError, RecursionError) as error:
        raise WrongUse(_("{file} is no JSON file: {why}.", file=file, why=error)) from error
    try:
        check_text(plain)
    except TournamentError as error:
        raise WrongUse(f"{file}: {error}") from error
    return plain
