"""`kiosk-server ratings FILE`: everybody's rating before and after an event, from its file, without a server.

FILE is an event's file (`kiosk.tournament.file`), or a whole tournament's (`kiosk.server.tournament_file`).
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kiosk.domain.setup import LONGEST_MATCH
from kiosk.say import _, n_
from kiosk.server.cli_standings import plain_of
from kiosk.server.problems import WrongUse
from kiosk.shell.lines import say
from kiosk.tournament.file import event_from_plain
from kiosk.tournament.rated import as_plain, rated_event
from kiosk.tournament.ratings import Ramp
from kiosk.tournament.results import TournamentError

if TYPE_CHECKING:
    from kiosk.tournament.rated import Rated
    from kiosk.tournament.results import Player


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--length", type=click.IntRange(1, LONGEST_MATCH), help="To how many points was played where a result does not tell it.")
@click.option("--ramp", type=click.Choice([str(each) for each in Ramp]), help="How experience counts; else as the file says.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, for programs.")
def ratings(file: Path, length: int | None, ramp: str | None, as_json: bool) -> None:  # noqa: FBT001 - click hands flags over so
    """Work out everybody's rating after the matches of the event in FILE."""
    plain = plain_of(file)
    try:
        made, names = _rated(plain, length, None if ramp is None else Ramp(ramp))
    except TournamentError as error:
        raise WrongUse(f"{file}: {error}") from error
    if made.without_length:
        said = n_(
            "{n} match is not rated: nobody tells to how many points it was played. Give --length.",
            "{n} matches are not rated: nobody tells to how many points they were played. Give --length.",
            made.without_length,
        )
        say(said, err=True)
    if as_json:
        say(json.dumps([as_plain(each, names[each.player]) for each in made.changes], ensure_ascii=False))
        return
    say(f"{_('Rating'):>10} {_('Change'):>9} {_('Matches'):>8} {_('Experience'):>11}  {_('Name')}")
    for each in made.changes:
        say(f"{each.after.value:10.2f} {each.change:+9.2f} {each.matches:8} {each.after.experience:11}  {names[each.player]}")


def _rated(plain: object, length: int | None, ramp: Ramp | None) -> tuple[Rated, dict[Player, str]]:
    """The ratings, and what everybody is called."""
    if isinstance(plain, dict) and "format" in plain:
        from kiosk.server.tournament_file import read_plain  # it brings the database's library along
        from kiosk.tournament.fold import fold

        event = fold(each.what for each in read_plain(plain).happened)
        event = replace(event, rating=replace(event.rating, length=event.rating.length or length or 0, ramp=ramp or event.rating.ramp))
        return rated_event(event), {each.ident: each.name for each in event.entrants.values()}
    told = event_from_plain(plain)
    told = replace(told, length=told.length or length or 0, ramp=ramp or told.ramp)
    return told.ratings(), {each.ident: each.name for each in told.players}
