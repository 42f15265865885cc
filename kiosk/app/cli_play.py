"""`kiosk simulate` and `kiosk demo`."""

from __future__ import annotations

import contextlib
import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kiosk.app.lines import ended_by
from kiosk.app.scenario import Step, load
from kiosk.app.simulate import Simulation, WindowClosed
from kiosk.app.sizes import read_size
from kiosk.books import Library
from kiosk.domain.text import escaped
from kiosk.domain.types import NS_PER_S
from kiosk.say import _, mark, n_
from kiosk.words import signed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from kiosk.app.config import Config
    from kiosk.app.demo_hall import DemoServer, DemoTable
    from kiosk.app.show import Show

DEMO = Path(__file__).with_name("demo.jsonl")
"""The sample match."""


@click.command(short_help="Play a scenario file.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.option("--speed", type=click.FloatRange(0.01, 1000), help="Show it in a window, this many times as fast as it was played.")
@click.option("--size", callback=read_size, metavar="WxH", help="The window's size in pixels, as in 1280x800.")
@click.pass_obj
def simulate(config: Config, file: Path, as_json: bool, speed: float | None, size: tuple[int, int] | None) -> None:  # noqa: FBT001 - click hands flags over so
    """Play the scenario FILE through the whole kiosk in virtual time and print what came of it.

    FILE is JSON Lines: timed inputs for one table. A line that is wrong ends the run before anything is played,
    with exit code 2 and the line's number. With --speed it is played in a window at that pace (1 is real time).
    """
    if size is not None and speed is None:
        raise click.UsageError(_("--size is the window's; say how fast with --speed, as in --speed 1."))
    library = Library([config.rulebooks])
    steps = load(file, library.names())
    with contextlib.ExitStack() as parts:
        folder = parts.enter_context(tempfile.TemporaryDirectory(prefix="tableside-"))
        show = None if speed is None else _show(config, library, speed, size, parts)
        outcome = _play(steps, library, Path(folder) / "journal.db", show=show)
    if outcome is not None:
        click.echo(json.dumps(outcome, ensure_ascii=False) if as_json else summary(outcome))


def _show(config: Config, library: Library, speed: float, size: tuple[int, int] | None, parts: contextlib.ExitStack) -> Show:
    from kiosk.app.show import Show
    from kiosk.ui.window import Window

    window = Window(size=size, inch=config.inch, mount=config.mount)
    parts.callback(window.close)
    return Show(window, library, speed)


def _play(
    steps: Sequence[Step],
    library: Library,
    journal: Path,
    progress: Callable[[int, int], None] | None = None,
    show: Show | None = None,
    *,
    table: DemoTable | None = None,
) -> dict[str, Any] | None:
    """Play a scenario; where it has a table at the demo's server, what that one was assigned.

    Returns:
        Its result, or None where whoever watched has left before its end.
    """
    simulation = Simulation(steps, library, journal, progress or _silent, show)
    try:
        if table is not None:
            simulation.opening = table.opening(simulation)
        shot = simulation.run()
        if show is not None:
            show.stay(shot.at, shot.journal)
        return simulation.result(shot)
    except WindowClosed:
        return None
    finally:
        simulation.close()


@click.command(short_help="Try a table, or watch a sample match.")
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where sheet, pictures and journal go; default: ./tableside-demo.",
)
@click.option("--window/--no-window", default=None, help="In a window (default where there is a display), or without one.")
@click.option("--size", callback=read_size, metavar="WxH", help="The window's size in pixels, as in 1280x800.")
@click.option("--server/--no-server", default=None, help="With a tournament server (default where the extra `server` is installed).")
@click.pass_obj
def demo(config: Config, folder: Path | None, window: bool | None, size: tuple[int, int] | None, server: bool | None) -> None:  # noqa: FBT001 - click hands flags over so
    """Try a table on this computer: play on it with two keys and the mouse, or watch a sample match of 7 points.

    Where there is a display a window opens that explains the keys. Without one the sample match is played in fast virtual time
    through the simulated box: delay and reserve, a bouncing button, doubles, a gammon, the Crawford game, a break, a power cut;
    then it says where the match's score sheet, its journal and pictures of the screen are.

    With the extra `server` a tournament server is started beside it, as a process of its own: the table joins it by a code, gets the match
    from its organizer, and sends what is played; the end says where the hall board and the event's workbook are.
    """
    target = (folder or Path("tableside-demo")).resolve()
    target.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        hall = _demo_server(target, stack, wanted=server)
        if window is False or not _demo_window(config, target, size, hall, needed=window is True):
            _demo_match(config, target, None, hall)
        if hall is not None:
            _say_board(hall)
    if hall is not None and hall.export.exists():
        click.echo(_("The event's workbook: {path}", path=hall.export))


def _demo_server(target: Path, stack: contextlib.ExitStack, *, wanted: bool | None) -> DemoServer | None:
    """The demo's tournament server, or None where there is none."""
    from kiosk.app.demo_hall import can_serve, serving

    if wanted is False:
        return None
    if not can_serve():
        if wanted:
            raise click.UsageError(_("--server needs the extra `server`: pip install 'tableside[server]'."))
        click.echo(_("Without a tournament server, for the extra `server` is not installed: pip install 'tableside[server]'."))
        return None
    click.echo(_("Starting a tournament server …"))
    hall = stack.enter_context(serving(target))
    click.echo(_("The hall board is at {address} (your browser asks once: the server made its certificate itself).", address=hall.address))
    return hall


def _say_board(hall: DemoServer) -> None:
    """Let whoever sits at a terminal look at the server's pages before it goes."""
    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
        click.echo(
            _(
                "\nThe hall board is at {address}; log in as {name} with the password {password}.",
                address=hall.address,
                name=hall.name,
                password=hall.password,
            )
        )
        click.pause(_("Press any key to end the server."))
    port = hall.address.rstrip("/").rpartition(":")[2]
    click.echo(
        _(
            "The hall board was at {address}; it is there again with: kiosk-server --data {folder} run --host 127.0.0.1 --port {port}",
            address=hall.address,
            folder=hall.folder,
            port=port,
        )
    )


def _demo_window(config: Config, target: Path, size: tuple[int, int] | None, hall: DemoServer | None, *, needed: bool) -> bool:
    """The demo in a window: first a table to play on; where that is wanted, the sample match; then the table again.

    Returns:
        False where there is no display.
    """
    from kiosk.ui.window import NoDisplayError, drivers

    if not needed and not drivers():
        return False
    from kiosk.app.cli_run import Shape, run_table
    from kiosk.ui.screens.welcome import Welcome

    table = replace(config, data=target / "table")
    if hall is not None:
        from kiosk.app.demo_hall import join_anew

        join_anew(table.data, hall, "1")
    watch: list[bool] = []
    try:
        while True:
            watch.clear()
            run_table(table, simulate=True, shape=Shape(size), first=Welcome(), on_watch=lambda: watch.append(True))
            if not watch:
                break
            _demo_match(config, target, size or (800, 480), hall)
    except NoDisplayError:
        if needed:
            raise
        return False
    if table.journal.exists():
        click.echo(_("What you played is in {journal}; see it with: kiosk journal list --journal {journal}", journal=table.journal))
    return True


WATCH_SPEED = 25.0
"""How much faster than it was played the sample match is shown."""


def _demo_match(config: Config, target: Path, size: tuple[int, int] | None, hall: DemoServer | None) -> None:
    """Play the sample match, in a window of this size or without one, and say what is where."""
    journal = target / "journal.db"
    _forget(journal)
    library = Library([config.rulebooks])
    steps = load(DEMO, library.names())
    if size is None:
        steps = _with_pictures(steps, target)
    click.echo(_("Playing a 7-point match between Марија Ќосева and Борис Гринько on a simulated table …"))
    with contextlib.ExitStack() as parts:
        show = None if size is None else _show(config, library, WATCH_SPEED, size, parts)
        table = None if hall is None else _demo_table(hall, target, library, parts)
        outcome = _play(steps, library, journal, _progress if size is None else None, show, table=table)
        if table is not None:
            _say_confirmed(*table.settle())
    if outcome is None:
        click.echo(_("You have left before the end of the match."))
        return
    click.echo(summary(outcome))
    paths = _write_sheets(journal, target)
    click.echo(_("\nScore sheet: {paths}\n             {paths2}\nJournal:     {journal}", paths=paths[0], paths2=paths[1], journal=journal))
    pictures = sorted(target.glob("screen-*.png")) if size is None else []
    if pictures:
        click.echo(_("Pictures:    {path}", path=pictures[0]) + "".join(f"\n             {path}" for path in pictures[1:]))
    click.echo(_("See every entry with: kiosk journal show 1 --journal {journal}", journal=journal))


def _demo_table(hall: DemoServer, target: Path, library: Library, parts: contextlib.ExitStack) -> DemoTable:
    from kiosk.app.demo_hall import DemoTable

    table = DemoTable(hall, target / "table-2", library)
    parts.callback(table.close)
    table.wait_for_match()
    click.echo(_("The table has joined the server by its code, and was assigned this match."))
    return table


def _say_confirmed(confirmed: int, left: int) -> None:
    click.echo(n_("The server has confirmed {n} entry.", "The server has confirmed {n} entries.", confirmed))
    if left:
        click.echo(n_("{n} entry is not confirmed.", "{n} entries are not confirmed.", left))


PICTURES = {"check": "check-in", "double": "double", "game": "record", "break": "break", "power_cut": "power", "end": "sheet"}
"""Words of the sample match after whose first use the demo takes a picture, and what the picture is called."""


def _with_pictures(steps: list[Step], target: Path) -> list[Step]:
    """The sample match with pictures taken on its way: one of each screen, a moment after it came up."""
    wanted = dict(PICTURES)
    found: list[Step] = []
    for step, after in zip(steps, [*steps[1:], steps[-1]], strict=True):
        name = wanted.pop(step.word, None)
        at = min(step.at_ns + 3 * NS_PER_S + step.args.get("off_s", 0), after.at_ns)
        picture = [] if name is None else [Step(step.line, at, "render", {"file": target / f"screen-{name}.png"})]
        found += [*picture, step] if step.word == "end" else [step, *picture]
    return found


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


PHASES = (
    mark("opening"),
    mark("late"),
    mark("playing"),
    mark("stopped"),
    mark("recording"),
    mark("break"),
    mark("suspended"),
    mark("ended"),
    mark("signed"),
    mark("received"),
)
"""How a table's phase is told at the end of a run."""


def summary(outcome: dict[str, Any]) -> str:
    """A run's result for people."""
    match, clock = outcome["match"], outcome["clock"]
    if outcome["chouette"] is not None:
        lines = _chouette_lines(outcome["chouette"])
        if clock is not None:
            lines.append(_("Clocks: {left} – {right}", left=clock["shown"]["left"], right=clock["shown"]["right"]))
    elif match is None:
        lines = [_("No match was opened.")]
    else:
        score = match["score"]
        length = _("free session") if match["length"] is None else _("{n}-point match", n=match["length"])
        score_words = _("{left} – {right} (left – right)", left=score["left"], right=score["right"])
        lines = [f"{length}: {score_words}, {_(outcome['phase'])}"]
        lines += [_game_line(game) for game in match["games"]]
        if match["ended"] is not None:
            winner = match["ended"]["winner"]
            lines.append(_("Ended by {how}; winner: {winner}.", how=ended_by(match["ended"]["how"]), winner=_(winner or NOBODY)))
        if clock["shown"]["left"] is not None:
            lines.append(_("Clocks: {left} – {right}", left=clock["shown"]["left"], right=clock["shown"]["right"]))
    lines += [_("Alert at {time}: {code}", time=_at(a["at_ms"]), code=a["code"]) + _whose(a["side"]) for a in outcome["alerts"]]
    lines += [
        _("Line {n}: press of {side} without effect ({reason})", n=i["line"], side=_(i["side"]), reason=i["reason"])
        for i in outcome["ignored"]
    ]
    lines += [_("Line {n}: refused ({code}): {message}", n=r["line"], code=r["code"], message=r["message"]) for r in outcome["refused"]]
    return "\n".join(map(escaped, lines))


def _chouette_lines(chouette: dict[str, Any]) -> list[str]:
    points = ", ".join(f"{name} {signed(total)}" for name, total in chouette["totals"].items())
    lines = [_("Chouette: {points}", points=points)]
    for game in chouette["games"]:
        gains = ", ".join(f"{name} {signed(gain)}" for name, gain in game["gains"].items())
        won = _("box") if game["winner"] == "box" else _("team")
        n, kind, cube = game["n"], _(game["kind"]), game["cube"]
        lines.append("  " + _("game {n}: the {who} won, {kind}, cube {cube}: {gains}", n=n, who=won, kind=kind, cube=cube, gains=gains))
    lines.append(_("In the box: {box}; the team: {team}", box=chouette["box"], team=", ".join(chouette["team"])))
    return lines


NOBODY = mark("nobody")


def _game_line(game: dict[str, Any]) -> str:
    return "  " + n_(
        "game {number}: {winner} wins by {kind}, cube {cube}: {n} point",
        "game {number}: {winner} wins by {kind}, cube {cube}: {n} points",
        game["points"],
        number=game["n"],
        winner=_(game["winner"]),
        kind=_(game["kind"]),
        cube=game["cube"],
    )


def _at(ms: int) -> str:
    return f"{ms // 60000}:{ms // 1000 % 60:02d}.{ms % 1000:03d}"


def _whose(side: str | None) -> str:
    return "" if side is None else f" ({_(side)})"
