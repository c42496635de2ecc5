"""Each question in one call, from its arguments to its page: commands and Python call the same functions.

Each function loads what its question needs: a report is written without what plays searches or tournaments.
In messages an argument has the name of its option, which is right for a command. `_for_python` changes that for Python.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from inspect import signature
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ParamSpec, TypedDict, Unpack

from threadpoolctl import threadpool_limits

from rogsim.base.errors import RogsimError
from rogsim.base.output_paths import REPORTS, as_path, check_writable
from rogsim.base.progress import doing, say
from rogsim.base.validation import not_allowed
from rogsim.base.whole_numbers import as_whole
from rogsim.experiments.design_points import Resources
from rogsim.experiments.ladder import FIRST_LOOK
from rogsim.report.document import Report
from rogsim.report.provenance import toml
from rogsim.report.render.write import check_place, write_report
from rogsim.report.words import portable_path
from rogsim.results.manifest import MANIFEST
from rogsim.results.results import Results
from rogsim.scenario.arguments import ArgumentError, read_changes, read_names, read_numbers, repeated_changes
from rogsim.scenario.axes import as_list, change_words, value_words
from rogsim.scenario.model import AnyScenario, Scenario, load
from rogsim.scenario.no_effect import change_notes
from rogsim.scenario.scenario_files import file_of, find_scenario
from rogsim.simulation.batch import check_positive, check_workers
from rogsim.simulation.executors.backends import choose_backend

Names = str | Sequence[str]  # "a,b" or ["a", "b"]
Counts = int | str | Sequence[int]  # 4, "2,4" or [2, 4]
Values = Mapping[str, Any] | str | Sequence[str]  # {"hand": 3}, "hand = 3", or several such lines
Folder = str | Path

P = ParamSpec("P")


class Asked(TypedDict, total=False):
    """Arguments that several questions have: keys that replace those of the scenario, and who plays."""

    change: Values | None
    components: Folder | None
    seed: int | None
    players: Counts | None
    bots: Names | None
    jobs: int | None
    chunk: int | None
    backend: str | None
    scheduler: str | None
    address: str | None
    store: Folder | None


def _for_python(question: Callable[P, Report]) -> Callable[P, Report]:
    """Let errors name arguments as Python does; a command calls the function inside, which `inspect.unwrap` returns."""
    options = {name.replace("_", "-"): name for name in (*signature(question).parameters, *Asked.__annotations__)}
    typed = re.compile(rf"(?<![\w-])--({'|'.join(sorted(options, key=len, reverse=True))})(?![\w-])")

    @wraps(question)
    def ask(*given: P.args, **named: P.kwargs) -> Report:
        try:
            return question(*given, **named)
        except RogsimError as fault:
            fault.args = (typed.sub(lambda found: options[found[1]], str(fault.args[0])),)
            raise

    return ask


@_for_python
def report(
    *results: Results | Folder,
    against: Folder | Sequence[Folder] = (),
    settled: Folder | Sequence[Folder] = (),
    out: Folder | None = None,
) -> Report:
    """Say what is out of balance in some results, or what changed between two of them: `rogsim report`.

    Parameters
    ----------
    results
        Results of the same game, or their folders. Of two runs under different rules, the report says what changed.
    against
        Results folders: the report says what changed since these.
    settled
        Folders that `settle` wrote for the same game: the report says what holds with stronger bots.
    out
        A folder for the page. By default nothing is written; `Report.write` does it later.

    Returns
    -------
    Report
        The page, which notebooks show.

    Raises
    ------
    RogsimError
        If results cannot be read, or do not belong together.

    Examples
    --------
    >>> results = rogsim.run("seat-order", games=2_000)
    >>> rogsim.report(results).answer
    """
    from rogsim.report import changes_page
    from rogsim.report.balance.build import build_report
    from rogsim.report.balance.sources import gather

    if not results:
        raise RogsimError("results: name results or their folder")
    runs = [one if isinstance(one, Results) else as_path("results", one) for one in results]
    before, ladders = _paths("--against", against), _paths("--settled", settled)
    sides = changes_page.two_sides(runs, before, ladders)
    folder = _place(out, "changes" if sides else "report")
    with doing() as notify, threadpool_limits(limits=1, user_api="blas"):  # for small matrices threads cost more
        if sides:
            made = changes_page.make_changes(sides, folder, notify)
        else:
            made = build_report(gather(runs, notify=notify, settled=ladders), folder)
        return _written(made, out, notify)


@_for_python
def compare(
    base: AnyScenario,
    *variants: AnyScenario,
    games: int | None = None,
    retrain: float | None = None,
    retrain_generations: int | None = None,
    retrain_games: int | None = None,
    out: Folder | None = None,
    **asked: Unpack[Asked],
) -> Report:
    """Compare a scenario with its variants on the same deals: `rogsim compare`.

    Parameters
    ----------
    base, variants
        Scenarios, each as `run` takes it.
    change
        Parameters by name: they make one more variant of the base.
    components, games, seed, players, bots
        Replace the keys of the scenarios, as for `run`.
    retrain, retrain_generations
        Also play with bots trained for each set of rules, for at most so many minutes or generations.
    retrain_games
        Games of a generation, for each player count.
    jobs, chunk, backend, scheduler, address
        As for `run`.
    store
        A folder of stored games, which are not played again. By default games are not kept.
    out
        A folder for the page. By default nothing is written; `Report.write` does it later.

    Returns
    -------
    Report
        The page, which notebooks show.

    Raises
    ------
    RogsimError
        If an argument is not allowed, or a scenario cannot be played.

    Examples
    --------
    >>> rogsim.compare("seat-order", "no-end-bonus", games=1_000).answer
    """
    from rogsim.experiments import comparison as comparisons
    from rogsim.experiments.retraining import check_learners
    from rogsim.experiments.retraining import retrain as retrain_players
    from rogsim.report.compare_page import command_of, make_comparison

    with _as_asked(asked) as (keys, resources):
        retraining = _retraining(retrain, retrain_generations, retrain_games)
        change = keys.pop("change")
        comparison = comparisons.arrange(base, variants, change or {}, games, keys.pop("seed"), keys)
        folder = _place(out, "compare")
        if retraining:
            check_learners((point.experiment for point in comparison.design_points), "--")
        for note in comparison.notes:
            say(note)
        given = _words(**keys, change=change) + (retraining.words if retraining else [])
        command = command_of(file_of(base), [file_of(one) for one in variants], given, comparison, folder)
        first = comparison.base.experiment.scenario.seed
        moves = retraining if comparison.variants else None  # without a variant there is no verdict to move
        trained = retrain_players(comparison.design_points, moves, resources, first) if moves else ()
        with doing() as notify:
            return _written(make_comparison(comparison, resources, command, notify, trained), out, notify)


@_for_python
def optimize(
    scenario: AnyScenario,
    *,
    goal: str | Sequence[str] = (),
    over: Values | None = None,
    games: int | None = None,
    confirm: int | None = None,
    out: Folder | None = None,
    **asked: Unpack[Asked],
) -> Report:
    """Find the smallest change that reaches a goal: `rogsim optimize`.

    Parameters
    ----------
    scenario
        As for `run`.
    goal
        One or several, such as "seat_share equal ± 2 pp"; by default those of the scenario, or a fair game.
    over
        Values to try by the name of the parameter: a list, or {"from": 5, "to": 12}; by default the scenario's.
    games
        The most games of the search, for each player count; by default what the goals need.
    confirm
        Games that confirm the answer on new deals; by default what the goals need.
    change, components, seed, players, bots
        Replace the keys of the scenario, as for `run`.
    jobs, chunk, backend, scheduler, address, store, out
        As for `compare`.

    Returns
    -------
    Report
        The page, which notebooks show.

    Raises
    ------
    RogsimError
        If an argument is not allowed, or the scenario cannot be played.

    Examples
    --------
    >>> rogsim.optimize("fair-start-2", games=20_000).answer
    """
    from rogsim.experiments.optimize import find_optimum
    from rogsim.experiments.optimize_request import request_optimum
    from rogsim.report.optimize_page import optimize_report

    with _as_asked(asked) as (keys, resources):
        request = request_optimum(
            scenario,
            goal=as_list(goal),
            over=_values("--over", over),
            games=_whole("--games", games),
            confirm=_whole("--confirm", confirm),
            option_prefix="--",
            **keys,
        )
        folder = _place(out, f"balance-{request.experiment.name}")
        with doing() as notify:
            outcome = find_optimum(request, resources, notify)
            source = [file_of(scenario).as_posix(), *_words(**keys)]
            return _written(optimize_report(outcome, portable_path(folder), source), out, notify)


@_for_python
def sweep(
    scenario: AnyScenario,
    *,
    over: Values | None = None,
    games: int | None = None,
    out: Folder | None = None,
    **asked: Unpack[Asked],
) -> Report:
    """Play every setting on the same deals, and say which is fairest and what matters: `rogsim sweep`.

    Parameters
    ----------
    scenario
        As for `run`.
    over
        Values to play by the name of the parameter: a list, or {"from": 5, "to": 12}; by default the scenario's.
    change, components, games, seed, players, bots
        Replace the keys of the scenario, as for `run`.
    jobs, chunk, backend, scheduler, address, store, out
        As for `compare`.

    Returns
    -------
    Report
        The page, which notebooks show.

    Raises
    ------
    RogsimError
        If an argument is not allowed, or the scenario cannot be played.

    Examples
    --------
    >>> rogsim.sweep("sweep-start", games=500).answer
    """
    from rogsim.experiments.sweep import play_sweep
    from rogsim.experiments.sweep_design import idle_axes, make_design
    from rogsim.report.sweep_page import build_sweep

    with _as_asked(asked) as (keys, resources):
        values, file = _values("--over", over), file_of(scenario)
        given = {"games": games, **keys, "sweep": {"over": values} if values else None}
        with doing() as notify:
            notify("checking all settings")
            named = "--over" if values else str(file) if isinstance(scenario, str | Path) else "scenario"
            design = make_design(load(scenario, given, option_prefix="--"), named)
        folder = _place(out, f"sweep-{design.experiment.name}")
        for note in (*design.notes, *change_notes(design.experiment), *idle_axes(design)):
            say(note)
        outcome = play_sweep(design, resources)
        with doing() as notify:
            notify("comparing")
            made = build_sweep(outcome, file, _text(scenario), games, _words(**keys, over=values), folder)
            return _written(made, out, notify)


@_for_python
def settle(
    scenario: AnyScenario,
    *,
    claims: Names | None = None,
    margin: float | None = None,
    first_look: int = FIRST_LOOK,
    games: int | None = None,
    minutes: float | None = None,
    out: Folder | None = None,
    **asked: Unpack[Asked],
) -> Report:
    """Say whether effects hold as the bots get stronger: `rogsim settle`.

    Parameters
    ----------
    scenario
        As for `run`.
    bots
        The bots, the weakest first; by default the game's ladder.
    claims
        What to judge, such as "seats"; by default the seats and all that is dealt to them.
    margin
        The largest change that does not matter, in percentage points; by default the scenario's.
    first_look
        Games of each bot and player count before the first verdict.
    games
        The most games for each player count, of all bots together; by default there is no limit.
    minutes
        No more games are begun after so many minutes; by default there is no limit.
    change, components, seed, players
        Replace the keys of the scenario, as for `run`.
    jobs, chunk, backend, scheduler, address, store, out
        As for `compare`.

    Returns
    -------
    Report
        The page, which notebooks show. `report` reads its folder with `settled`.

    Raises
    ------
    RogsimError
        If an argument is not allowed, or the scenario cannot be played.

    Examples
    --------
    >>> rogsim.settle("seat-order", minutes=30).answer
    """
    from rogsim.experiments.ladder import arrange_ladder
    from rogsim.experiments.settle import play_ladder
    from rogsim.report.settle.settle_page import settle_report

    if minutes is not None and not minutes >= 0:
        raise ArgumentError(f"--minutes: {minutes} is not allowed: must be 0 or more")
    with _as_asked(asked) as (keys, resources):
        judged = _names("--claims", claims)
        request = arrange_ladder(
            scenario,
            bots=keys.pop("bots"),
            claims=judged,
            margin=margin,
            first_look=_whole("--first-look", first_look) or 0,
            most_games=_whole("--games", games),
            replaced=keys,
        )
        folder = _place(out, f"settle-{request.experiment.name}")
        for note in change_notes(request.experiment):
            say(note)
        with doing() as notify:
            outcome = play_ladder(request, resources, minutes, notify)
        command = ["rogsim", "settle", portable_path(file_of(scenario)), "--bots", ",".join(request.bots)]
        command += _words(first_look=first_look, claims=judged, margin=margin, games=games, **keys)
        with doing() as notify:
            return _written(settle_report(outcome, [*command, "--out", portable_path(folder)]), out, notify)


@_for_python
def tournament(
    *,
    bots: Names,
    games: int = 2_000,
    players: Counts | None = None,
    seed: int = 1,
    game: str | None = None,
    options: Mapping[str, Any] | None = None,
    jobs: int | None = None,
    chunk: int | None = None,
    store: Folder | None = None,
    out: Folder | None = None,
) -> Report:
    """Play bots against each other and rate them: `rogsim tournament`.

    Parameters
    ----------
    bots
        Two or more. Two bots with four players play abbb, aabb and aaab.
    games
        Games for each player count.
    players
        Player counts; by default the largest that the game allows.
    seed
        Determines all chance.
    game
        The id of the game; by default the first.
    options
        Options of the game by name.
    jobs, chunk, store, out
        As for `compare`.

    Returns
    -------
    Report
        The page, which notebooks show.

    Raises
    ------
    RogsimError
        If an argument is not allowed.

    Examples
    --------
    >>> rogsim.tournament(bots=["tuned", "random"], players=2, games=500).answer
    """
    from rogsim.experiments import tournament as tournaments
    from rogsim.report.tournament_page import play_and_write

    counts = _counts(players)
    arranged = tournaments.arrange(
        ",".join(_names("--bots", bots) or ()),
        games=games,
        players=None if counts is None else ",".join(map(str, counts)),
        seed=seed,
        game=game,
        words={name: value_words(value) for name, value in (options or {}).items()},
    )
    kept = None if store is None else _store(store)
    return play_and_write(arranged, None if out is None else as_path("out", out), jobs, chunk, kept)


def _written(made: Report, out: Folder | None, notify: Callable[[str], None]) -> Report:
    """Write a page if it has a folder."""
    if out is not None:
        write_report(made, as_path("out", out), notify)
    return made


def _place(out: Folder | None, usual: str) -> Path:
    """Return the folder of a page, checked if it will be written; else the one that a command would write."""
    if out is None:
        return REPORTS / usual
    check_place(folder := as_path("out", out))
    return folder


@contextmanager
def _as_asked(asked: Asked) -> Iterator[tuple[dict[str, Any], Resources]]:
    """Provide the keys that replace those of a scenario, and workers with a folder for games.

    Without a store the games are gone in the end.
    """
    if unknown := set(asked) - set(Asked.__annotations__):
        raise TypeError(f"unexpected argument: {', '.join(sorted(unknown))}")
    jobs, chunk = check_workers("--jobs", asked.get("jobs")), check_positive("--chunk", asked.get("chunk"))
    backend = choose_backend(asked.get("backend"), asked.get("scheduler"), asked.get("address"), option_prefix="--")
    keys: dict[str, Any] = {"seed": asked.get("seed"), "players": _counts(asked.get("players"))}
    keys |= {"bots": _names("--bots", asked.get("bots")), "change": _values("--change", asked.get("change")) or None}
    keys["components"] = None if asked.get("components") is None else str(asked.get("components"))
    if (store := asked.get("store")) is not None:
        yield keys, Resources(_store(store), jobs, chunk, backend)
        return
    with TemporaryDirectory(prefix="rogsim-") as folder:
        yield keys, Resources(Path(folder), jobs, chunk, backend)


def _store(given: Folder) -> Path:
    """Return a folder of stored games; RogsimError if games cannot be stored in it."""
    store = as_path("--store", given)
    if store.exists() and not store.is_dir():
        raise RogsimError(f"--store: {store} is a file; name a folder")
    if (store / MANIFEST).exists():
        raise RogsimError(f"--store: {store} holds the results of a run; name another folder")
    check_writable(store, inside=True)
    return store


def _retraining(minutes: float | None, generations: int | None, games: int | None) -> Any:
    from rogsim.experiments.retraining import request_retraining

    whole = _whole("--retrain-generations", generations), _whole("--retrain-games", games)
    return request_retraining(minutes, *whole, option_prefix="--")


def _counts(given: Counts | None) -> list[int] | None:
    """Return player counts; whether a scenario allows them is checked with its other keys."""
    if given is None or isinstance(given, str):
        return read_numbers(given, "--players")
    return [given] if isinstance(given, int) else list(given)


def _names(option: str, given: Names | None) -> list[str] | None:
    if given is None or isinstance(given, str):
        return read_names(given)
    if not isinstance(given, Sequence) or not all(isinstance(name, str) for name in given):
        raise ArgumentError(f"{option}: {not_allowed(given, 'must be a list of names')}")
    return list(given)


def _values(option: str, given: Values | None) -> dict[str, Any]:
    """Return values by name: changes, or the values of axes."""
    if isinstance(given, Mapping):
        return dict(given)
    lines = as_list(given or [])
    for line in repeated_changes(lines, option) if option == "--change" else ():
        say(line)
    return read_changes(lines, option)


def _whole(option: str, given: object) -> int | None:
    if given is None or (count := as_whole(given)) is not None:
        return None if given is None else count
    raise ArgumentError(f"{option}: {not_allowed(given, 'must be a whole number')}")


def _paths(option: str, given: Folder | Sequence[Folder]) -> list[Path]:
    return [as_path(option, one) for one in ([given] if isinstance(given, str | Path) else given)]


def _text(scenario: AnyScenario) -> str:
    """Return the text of a scenario's file, also of one that was given as keys."""
    if isinstance(scenario, str | Path):
        return find_scenario(Path(scenario)).read_text(encoding="utf-8")
    keys = scenario.model_dump(mode="json", exclude_unset=True) if isinstance(scenario, Scenario) else scenario
    return "".join(f"{key} = {toml(value)}\n" for key, value in keys.items())


def _words(
    change: Mapping[str, Any] | None = None,
    over: Mapping[str, Any] | None = None,
    components: Folder | None = None,
    **given: Any,
) -> list[str]:
    """Return arguments as options of a command line, without those that were not given."""
    words = [
        f"--{name.replace('_', '-')}={','.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in (given | {"components": components and portable_path(Path(components))}).items()
        if value is not None
    ]
    for name, value in (change or {}).items():
        words += ["--change", change_words({name: value})]
    for name, value in (over or {}).items():
        words += ["--over", f"{name} = {toml(value)}"]
    return words
