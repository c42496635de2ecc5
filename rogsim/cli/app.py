"""The command line. Nothing heavy is imported until a command needs it, so that help comes at once."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from rogsim.base.errors import RogsimError
from rogsim.base.plain_text import safe
from rogsim.base.version import __version__
from rogsim.cli.commands.balance import balance
from rogsim.cli.commands.compare import compare
from rogsim.cli.commands.facts import facts
from rogsim.cli.commands.scenario import scenario_app
from rogsim.cli.commands.sweep import sweep
from rogsim.cli.options import CELLS, CellsOption, ChangeOption, ChunkOption, GameOption, check_cells, typed_changes
from rogsim.game.registry import game_commands

FOUND, BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 1, 2, 130, 141  # exit codes; 128 and the signal, as in a shell
REPORTS = Path("reports")
# typer brings its own click and names only this one of its usage errors.
USAGE_ERROR = cast("type[Exception]", typer.BadParameter.__base__)

app = typer.Typer(
    name="rogsim",
    help="Monte Carlo balance analysis for board games.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

FoldersArgument = Annotated[list[Path], typer.Argument(help="Results folders of one game.", metavar="DIR...")]
CsvOption = Annotated[
    str | None, typer.Option("--csv", help="Write the first table to a file instead; - prints it.", metavar="FILE")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")]


def main() -> None:
    """Run the command line: errors that the user can put right end in a line each and exit code 2."""
    sys.exit(_guarded(lambda: app(prog_name="rogsim", standalone_mode=False)))


def _guarded(command: Callable[[], Any]) -> int:
    try:
        _check_words(sys.argv[1:])
        code = command()
        sys.stdout.flush()
    except RogsimError as fault:
        return _fail(str(fault))
    except BrokenPipeError:
        return _unheard()
    except SystemExit as stop:
        # click and rich end a program with code 1 where nobody reads its output any more
        if isinstance(stop.__context__, BrokenPipeError):
            return _unheard()
        raise
    except OSError as fault:
        return _fail(f"{fault.filename}: {fault.strerror}" if fault.filename else fault.strerror or str(fault))
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except USAGE_ERROR as fault:
        return _fail(_usage(fault))
    return code if isinstance(code, int) else 0


def _fail(text: str) -> int:
    for line in safe(text).splitlines():
        print(f"rogsim: error: {line}", file=sys.stderr)
    return BAD_INPUT


def _check_words(words: list[str]) -> None:
    """Refuse a name that is not UTF-8: it could be neither written into a file nor printed."""
    for word in words:
        if not word.isascii() and word != word.encode(errors="replace").decode():
            raise RogsimError(f"{word!a}: is not text in UTF-8")


def _unheard() -> int:
    """End quietly where nobody reads the output any more, as with `rogsim ... | head`: nothing is left to flush."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # in tests a stream is no file
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    return BROKEN_PIPE


def _usage(fault: Any) -> str:
    """Return what is wrong with the command line, and where to look it up."""
    text = " ".join(fault.format_message().split())
    if not text:
        return "name a command (see rogsim --help)"
    command = fault.ctx.command_path if fault.ctx else "rogsim"
    return f"{text.rstrip('.')} (see {command} --help)"


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"rogsim {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    pass


@app.command()
def run(
    scenario: Annotated[Path, typer.Argument(help="Scenario file (TOML).")],
    games: Annotated[int | None, typer.Option(help="Games for each player count.")] = None,
    seed: Annotated[int | None, typer.Option(help="Root of all chance.")] = None,
    change: ChangeOption = None,
    until: Annotated[
        list[str] | None,
        typer.Option(help='Stop once intervals are this narrow: "seat_share ± 0.5 pp" (again for several).'),
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Workers [default: one a processor].")] = None,
    chunk: Annotated[
        int | None, typer.Option(help="Games a worker plays at a time [default: about two seconds' worth].")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Results folder [default: reports/<scenario>].")] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Throw away rows of another run that lie in the results folder.")
    ] = False,
    backend: Annotated[
        str | None, typer.Option(help="threads, processes, dask or ray [default: what suits the bots].")
    ] = None,
    scheduler: Annotated[str | None, typer.Option(help="Address of a running Dask cluster.")] = None,
    address: Annotated[str | None, typer.Option(help="Address of a running Ray cluster.")] = None,
    game_seconds: Annotated[
        str | None, typer.Option(help="Stop if a game with bots of your own takes longer [default: 600].")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")] = False,
) -> None:
    """Play a scenario, write the results, and print its tables.

    Games of the same run that are there already are not played again: a run that was stopped goes on, and with more
    --games it is extended.
    """
    from rogsim.base.progress import say
    from rogsim.experiments.run import play
    from rogsim.report.console.run_report import print_run, run_as_data
    from rogsim.scenario.model import load
    from rogsim.simulation.batch import check_positive
    from rogsim.simulation.executors.backends import choose_backend
    from rogsim.simulation.executors.foreign_bots import limit_games

    check_positive("--jobs", jobs)
    check_positive("--chunk", chunk)
    limit_games(game_seconds)
    chosen = choose_backend(backend, scheduler, address, option_prefix="--")
    asked = {"games": games, "seed": seed, "until": until or None, "change": typed_changes(change) or None}
    experiment = load(scenario, asked, option_prefix="--")
    if experiment.scenario.sweep is not None:
        say(f"This plays the scenario itself; rogsim sweep {scenario} plays its [sweep].")
    if experiment.scenario.balance is not None:
        say(f"This plays the scenario itself; rogsim balance {scenario} searches what its [balance] asks for.")
    folder = out or REPORTS / experiment.name
    done = play(experiment, jobs=jobs, chunk=chunk, out=folder, replace=replace, backend=chosen)
    if json:
        _print_json(run_as_data(done))
        return
    print_run(done)
    print(safe(f"\nRows and manifest: {folder}"))


app.command()(sweep)


@app.command()
def status(
    folder: Annotated[Path, typer.Argument(help="Results folder.")],
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Tell what a results folder holds: games done, missing and broken. Exit code 1 if it is not complete."""
    from rogsim.results.verify import status_as_data, status_lines, status_of

    found = status_of(folder)
    if json:
        _print_json(status_as_data(found))
    else:
        print(safe("\n".join(status_lines(found))))
    return 0 if found.is_complete else FOUND


@app.command()
def verify(
    folder: Annotated[Path, typer.Argument(help="Results folder.")],
    games: Annotated[int, typer.Option(help="Games to replay for each player count.")] = 200,
    seed: Annotated[int, typer.Option(help="Which games: another seed, another sample.")] = 1,
    bots_from: Annotated[
        Path | None, typer.Option(help="Folder where paths of bots start: needed to run bots that are files.")
    ] = None,
) -> int:
    """Play a sample of the stored games again and compare all their rows. Exit code 1 if any differs."""
    from rogsim.results.verify import verify as replay_sample
    from rogsim.results.verify import verify_lines

    found = replay_sample(folder, games, seed, bots_from)
    print(safe("\n".join(verify_lines(folder, found))))
    return FOUND if found.differing else 0


@app.command()
def report(
    folders: FoldersArgument,
    out: Annotated[Path | None, typer.Option(help="Folder to write [default: reports/report].")] = None,
) -> None:
    """Write a report on results: what is out of line, how sure that is, whether it holds for all bots.

    The folder holds one page (HTML), the same as Markdown and JSON, and all figures as PNG and SVG.
    """
    from rogsim.base.progress import doing
    from rogsim.report.render.write import PAGE, make_report

    target = out or REPORTS / "report"
    with doing() as tell:
        make_report(folders, target, tell)
    print(safe(f"Report: {target / PAGE}"))


@app.command()
def seats(folders: FoldersArgument, csv: CsvOption = None, json: JsonOption = False) -> None:
    """Tell how often each seat wins, and whether any is favoured."""
    _answer("seats", folders, csv, json)


app.command()(compare)


def _answer(name: str, folders: list[Path], csv: str | None, json: bool) -> None:
    from rogsim.base.progress import doing
    from rogsim.report.console.answers import answer, answer_as_json, check_csv, print_answer, write_csv

    if csv is not None and json:
        raise RogsimError("--json: does not go with --csv")
    if csv is not None:
        check_csv(csv)
    with doing() as tell:
        section = answer(folders, name, tell)
    if csv is not None:
        write_csv(section, csv)
    elif json:
        sys.stdout.write(answer_as_json(section))
    else:
        print_answer(section)


def _add_game_commands() -> None:
    """Add the commands that games bring along; none takes the place of another."""
    taken = {command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands}
    for name, told in game_commands().items():
        if name not in taken:
            app.command(name, help=told)(_topic_command(name))


def _topic_command(topic: str) -> Callable[..., None]:
    def show_topic(folders: FoldersArgument, csv: CsvOption = None, json: JsonOption = False) -> None:
        _answer(topic, folders, csv, json)

    return show_topic


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def trace(
    context: typer.Context,
    players: Annotated[int, typer.Option(help="Number of players.")],
    bots: Annotated[str, typer.Option(help="One bot for all seats, or one for each: a,b,c.")],
    games: Annotated[int, typer.Option(help="Number of games.")] = 1,
    seed: Annotated[int, typer.Option(help="Root of all chance.")] = 1,
    change: ChangeOption = None,
    out: Annotated[Path | None, typer.Option(help="File to write [default: standard output].")] = None,
    game: GameOption = None,
) -> None:
    """Write whole games as JSON Lines. Any further --name VALUE is an option of the game."""
    from rogsim.base.output_paths import check_file
    from rogsim.base.progress import say
    from rogsim.simulation.traces import request_traces, to_line, write_lines

    if out is not None:
        check_file(out)
    words = _game_options(context.args)
    seated = [name.strip() for name in bots.split(",")]
    request = request_traces(game, players, seated, games, seed, words, change or [])
    for note in request.notes:
        say(note)
    if out is not None:
        write_lines(iter(request.traces()), out)
        return
    for line in map(to_line, request.traces()):
        sys.stdout.write(line)


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def tournament(
    context: typer.Context,
    bots: Annotated[
        str, typer.Option(help="Two bots or more: a,b,c. Two at a table of four play abbb, aabb and aaab.")
    ],
    games: Annotated[int, typer.Option(help="Games for each player count.")] = 2_000,
    players: Annotated[
        str | None, typer.Option(help="Number of players, or several: 2,3 [default: the most there may be].")
    ] = None,
    seed: Annotated[int, typer.Option(help="Root of all chance.")] = 1,
    jobs: Annotated[int | None, typer.Option(help="Workers [default: one a processor].")] = None,
    chunk: ChunkOption = None,
    cells: CellsOption = CELLS,
    out: Annotated[Path | None, typer.Option(help="Folder to write [default: reports/tournament].")] = None,
    sprt: Annotated[
        str | None, typer.Option(help="Of two bots: stop as soon as one Elo lead is likelier.", metavar="ELO0,ELO1")
    ] = None,
    game: GameOption = None,
) -> None:
    """Play bots against each other and rate them. Any further --name VALUE is an option of the game.

    Games that were played before are not played again: a tournament that was stopped goes on.
    """
    from rogsim.experiments.tournament.tournament_request import arrange
    from rogsim.report.console.text_table import show_tables
    from rogsim.report.tournament.standings_tables import build_tables
    from rogsim.report.tournament.tournament_folder import heading, hold

    words = _game_options(context.args)
    arranged = arrange(bots, games=games, players=players, seed=seed, game=game, words=words, sprt=sprt)
    folder = out or REPORTS / "tournament"
    check_cells(cells)
    outcome = hold(arranged, folder, jobs, chunk, cells)
    show_tables(heading(arranged, outcome), build_tables(outcome.standings))
    print(safe(f"\nTables and plots: {folder}"))


@app.command()
def show(
    file: Annotated[Path, typer.Argument(help="File of traces (JSON Lines).")],
    game: Annotated[int, typer.Option(help="Which game: its number in the trace.")] = 0,
) -> None:
    """Tell one recorded game, turn by turn."""
    from rogsim.simulation.traces import find_trace, tell

    print(safe(tell(find_trace(file, game), file)))


@app.command(name="bots", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def list_bots(
    context: typer.Context,
    profile: Annotated[bool, typer.Option("--profile", help="Play them, and show what each does.")] = False,
    bots: Annotated[str | None, typer.Option(help="Which: a,b,c [default: all that come with the game].")] = None,
    games: Annotated[
        int | None, typer.Option(help="Games of each bot for each player count [default: 1000, of slow bots fewer].")
    ] = None,
    players: Annotated[str | None, typer.Option(help="Player counts: 2,3,4 [default: the most].")] = None,
    against: Annotated[
        str | None, typer.Option(help="Who sits in the other seats [default: copies of the bot].", metavar="BOT")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Root of all chance.")] = None,
    jobs: Annotated[int | None, typer.Option(help="Workers [default: one a processor].")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder to write the figures to, with a plot.")] = None,
    game: GameOption = None,
) -> None:
    """List the bots: those that come with a game and what they try to do, then those of installed packages.

    With --profile any further --name VALUE is an option of the game.
    """
    words = _game_options(context.args)
    if profile:
        _profile_bots(
            jobs, out, bots=bots, games=games, players=players, seed=seed, against=against, game=game, words=words
        )
        return
    from rogsim.bots.loading import listed_bots
    from rogsim.game.registry import get_game

    given = {
        "bots": bots,
        "games": games,
        "players": players,
        "against": against,
        "seed": seed,
        "jobs": jobs,
        "out": out,
    }
    for name in [name for name, value in given.items() if value is not None] + list(words):
        raise RogsimError(f"--{name}: goes with --profile only")
    known = listed_bots(get_game(game))
    width = max((len(name) for name, _ in known), default=0)
    for name, plan in known:
        print(safe(f"{name:<{width}}  {plan}"))


def _profile_bots(jobs: int | None, out: Path | None, **asked: Any) -> None:
    from rogsim.experiments.profile.profiles import make_profile, request_profile
    from rogsim.report.console.text_table import show_tables
    from rogsim.report.profile.profile_folder import heading, write_profile
    from rogsim.report.profile.profile_tables import profile_tables

    request = request_profile(**asked)
    profile = write_profile(request, out, jobs) if out else make_profile(request, jobs)
    show_tables(heading(request), profile_tables(profile))
    if out:
        print(safe(f"\nFigures and plot: {out}"))


@app.command()
def check_bot(
    bot: Annotated[str, typer.Argument(help="Bot to check: path/to/file.py:name, or any other.")],
    games: Annotated[int, typer.Option(help="Games at each table.")] = 4,
    limit: Annotated[float, typer.Option(help="Seconds that one choice may take.")] = 1.0,
    seed: Annotated[int, typer.Option(help="Root of all chance.")] = 1,
    game: GameOption = None,
) -> int:
    """Play a bot in every way there is, and tell what it does wrong: exit code 1 if anything."""
    from rogsim.experiments.bot_check.bot_check import check_bot as check
    from rogsim.experiments.bot_check.bot_check import report_lines

    report = check(bot, game, games, seed, limit)
    print(safe("\n".join(report_lines(report))))
    return FOUND if report.findings else 0


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def tune(
    context: typer.Context,
    bot: Annotated[str, typer.Argument(help="Whose weights to tune.")],
    against: Annotated[str, typer.Option(help="The pool of opponents: a,b,c.")],
    players: Annotated[str | None, typer.Option(help="Player counts: 2,3,4 [default: the most].")] = None,
    games: Annotated[int, typer.Option(help="Games of a candidate, for each player count.")] = 400,
    generations: Annotated[int, typer.Option(help="Generations.")] = 50,
    held_out: Annotated[int, typer.Option(help="Games of the check at the end, for each player count.")] = 4_000,
    keep: Annotated[str | None, typer.Option(help="Weights that stay as they are: a,b,c.")] = None,
    seed: Annotated[int, typer.Option(help="Root of all chance.")] = 1,
    jobs: Annotated[int | None, typer.Option(help="Workers [default: one a processor].")] = None,
    out: Annotated[Path | None, typer.Option(help="File to write [default: reports/<bot>-tuned.toml].")] = None,
    game: GameOption = None,
) -> None:
    """Tune a bot's weights against others. Any further --name VALUE is an option of the game."""
    from rogsim.experiments.tuning.tune import tune as tune_bot
    from rogsim.experiments.tuning.tune_report import print_result
    from rogsim.experiments.tuning.tune_request import request_tuning

    request = request_tuning(
        bot,
        _names(against),
        game=game,
        players=players,
        words=_game_options(context.args),
        keep=_names(keep or ""),
        games=games,
        generations=generations,
        held_out=held_out,
        seed=seed,
        out=out or REPORTS / f"{re.sub(r'[^A-Za-z0-9]+', '-', Path(bot).name)}-tuned.toml",
    )
    print_result(request, *tune_bot(request, jobs))


@app.command()
def games() -> None:
    """List the games."""
    from rogsim.game.registry import game_names, get_game

    for name in game_names():
        spec = get_game(name)
        print(f"{name}  {spec.title}, {', '.join(map(str, spec.players))} players, rules {spec.version}")


@app.command()
def bench(
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Measure the speed of play on one core."""
    from rogsim.simulation import benchmark as module

    module.bench(json=json)


def _print_json(data: Any) -> None:
    import json

    print(safe(json.dumps(data, indent=1, ensure_ascii=False)))


def _names(text: str) -> list[str]:
    """Split a list such as a,b,c."""
    return [name.strip() for name in text.split(",") if name.strip()]


def _game_options(words: list[str]) -> dict[str, str]:
    """Read what is left of a command line as `--name value` or `--name=value` pairs."""
    options: dict[str, str] = {}
    left = list(words)
    while left:
        word = left.pop(0)
        if not word.startswith("--") or word == "--":
            raise RogsimError(f'"{word}" is not expected here: write an option of the game as --name VALUE')
        name, equals, value = word[2:].partition("=")
        if not equals:
            if not left:
                raise RogsimError(f"--{name}: needs a value")
            value = left.pop(0)
        key = name.replace("-", "_")
        if key in options:
            raise RogsimError(f"--{name}: stands there twice")
        options[key] = value
    return options


app.command()(balance)
app.command()(facts)
app.add_typer(scenario_app)
_add_game_commands()
