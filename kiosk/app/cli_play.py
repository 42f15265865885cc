"""`kiosk simulate` and `kiosk demo`."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kiosk.app.rulebooks import Library
from kiosk.app.scenario import load
from kiosk.app.simulate import Simulation

if TYPE_CHECKING:
    from kiosk.app.config import Config

DEMO = Path(__file__).with_name("demo.jsonl")
"""The sample match."""


@click.command(short_help="Play a scenario file.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.pass_obj
def simulate(config: Config, file: Path, as_json: bool) -> None:  # noqa: FBT001 - click hands flags over so
    """Play the scenario FILE through the whole kiosk in virtual time and print what came of it.

    FILE is JSON Lines: timed inputs for one table. A line that is wrong ends the run before anything is played,
    with exit code 2 and the line's number.
    """
    library = Library([config.rulebooks])
    steps = load(file, library.names())
    with tempfile.TemporaryDirectory(prefix="tableside-") as folder:
        simulation = Simulation(steps, library, Path(folder) / "journal.db", _silent)
        try:
            outcome = simulation.result(simulation.run())
        finally:
            simulation.close()
    click.echo(json.dumps(outcome, ensure_ascii=False) if as_json else summary(outcome))


@click.command(short_help="Play a sample match.")
@click.option(
    "--to", "folder", type=click.Path(path_type=Path, file_okay=False), help="Where sheet and journal go; default: ./tableside-demo."
)
@click.pass_obj
def demo(config: Config, folder: Path | None) -> None:
    """Play a sample match of 7 points through the simulated box, and say where its sheet and journal are.

    A real evening in fast virtual time: delay and reserve, a bouncing button, doubles, a gammon, the Crawford game,
    a break, a power cut. Nothing is shown on a screen yet.
    """
    target = (folder or Path("tableside-demo")).resolve()
    target.mkdir(parents=True, exist_ok=True)
    journal = target / "journal.db"
    _forget(journal)
    library = Library([config.rulebooks])
    steps = load(DEMO, library.names())
    click.echo("Playing a 7-point match between Марија Ќосева and Борис Гринько on a simulated table …")
    simulation = Simulation(steps, library, journal, _progress)
    try:
        outcome = simulation.result(simulation.run())
    finally:
        simulation.close()
    click.echo(summary(outcome))
    paths = _write_sheets(journal, target)
    click.echo(f"\nScore sheet: {paths[0]}\n             {paths[1]}\nJournal:     {journal}")
    click.echo(f"See every entry with: kiosk journal show 1 --journal {journal}")


def _forget(journal: Path) -> None:
    """The demo's own journal is made anew each time; nothing else in the folder is touched."""
    for ending in ("", "-wal", "-shm", ".lock"):
        journal.with_name(journal.name + ending).unlink(missing_ok=True)


def _write_sheets(journal: Path, target: Path) -> list[Path]:
    from kiosk.journal import read_rows
    from kiosk.sheets import sheets, to_csv, to_json

    paths: list[Path] = []
    for sheet in sheets(list(read_rows(journal))):
        for ending, render in (("csv", to_csv), ("json", to_json)):
            path = target / f"match-{sheet.number}.{ending}"
            path.write_bytes(render(sheet))
            paths.append(path)
    return paths


def _silent(_played: int, _of: int) -> None:
    return None


def _progress(played: int, of: int) -> None:
    step = max(1, of // 20)
    if played % step and played != of:
        return
    share = 100 * played // of
    if sys.stdout.isatty():
        click.echo(f"\r  {share:3d} % " + "█" * (share // 5), nl=played == of)
    elif share % 25 == 0 or played == of:
        click.echo(f"  {share:3d} %")


def summary(outcome: dict[str, Any]) -> str:
    """A run's result for people."""
    match, clock = outcome["match"], outcome["clock"]
    if match is None:
        lines = ["No match was opened."]
    else:
        score = match["score"]
        length = "free session" if match["length"] is None else f"{match['length']}-point match"
        lines = [f"{length}: {score['left']} – {score['right']} (left – right), {outcome['phase']}"]
        lines += [_game_line(game) for game in match["games"]]
        if match["ended"] is not None:
            lines.append(f"Ended by {match['ended']['how']}; winner: {match['ended']['winner'] or 'nobody'}.")
        if clock["shown"]["left"] is not None:
            lines.append(f"Clocks: {clock['shown']['left']} – {clock['shown']['right']}")
    lines += [f"Alert at {_at(a['at_ms'])}: {a['code']}{_whose(a['side'])}" for a in outcome["alerts"]]
    lines += [f"Line {i['line']}: press of {i['side']} without effect ({i['reason']})" for i in outcome["ignored"]]
    lines += [f"Line {r['line']}: refused ({r['code']}): {r['message']}" for r in outcome["refused"]]
    return "\n".join(lines)


def _game_line(game: dict[str, Any]) -> str:
    return f"  game {game['n']}: {game['winner']} wins by {game['kind']}, cube {game['cube']}: {game['points']} points"


def _at(ms: int) -> str:
    return f"{ms // 60000}:{ms // 1000 % 60:02d}.{ms % 1000:03d}"


def _whose(side: str | None) -> str:
    return "" if side is None else f" ({side})"
