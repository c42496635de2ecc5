"""`rogsim games` lists the games, `rogsim parameters` what can be changed in one; `rogsim bench` measures its speed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rogsim.base.text import write
from rogsim.cli import completion
from rogsim.cli.options import Option, options, print_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rogsim.game.parameters import Parameter, ParameterGroup
    from rogsim.game.spec import GameSpec


def games() -> None:
    """List the installed games."""
    from rogsim.base.text import write_pairs
    from rogsim.game.registry import RegistryError, game_names, get_game

    broken, listed = [], []
    for name in game_names():
        try:
            spec = get_game(name)
        except RegistryError as fault:
            broken.append(str(fault))
            continue
        listed.append((name, f"{spec.title}, {', '.join(map(str, spec.players))} players, rules {spec.version}"))
    write_pairs(listed)
    if broken:
        raise RegistryError("\n".join(broken))


@options(
    "game bots players seconds out against json",
    bots="those that the game names for this",
    players="all that the game allows",
    json=Option(bool, None, "Print one JSON object.", False),
)
def bench(
    game: Any = None,
    bots: Any = None,
    players: Any = None,
    seconds: Annotated[
        float | None,
        typer.Option(help="Seconds of play with each bot and player count.  [default: 4.4]", metavar="SECONDS"),
    ] = None,
    json: Any = False,
    out: Annotated[
        Path | None, typer.Option(help="Store the results in a file, for --against.", metavar="FILE")
    ] = None,
    against: Annotated[
        Path | None, typer.Option(help="Show what is faster or slower than in a file that --out wrote.", metavar="FILE")
    ] = None,
) -> None:
    """Measure the speed of play on one core."""
    from rogsim.experiments import benchmark_comparison as comparison
    from rogsim.experiments.requests import check_compiled, check_range
    from rogsim.game.registry import get_game
    from rogsim.report.console.bench_tables import print_benchmark, print_compared
    from rogsim.scenario.arguments import read_names, read_players
    from rogsim.simulation.benchmark import measure
    from rogsim.stats.time_ratios import DRIFT

    spec = get_game(game)
    names, counts = read_names(bots), None if players is None else read_players(spec, players)
    check_compiled("--bots", spec, names or ())
    check_range("--seconds", seconds, 1, 600)
    before = None if against is None else comparison.read_benchmark(against, spec.id)
    if out is not None:
        comparison.check_target(out)
    results = measure(spec, names, counts, seconds)
    if out is not None:
        comparison.write_benchmark(out, results)
    after = comparison.StoredBenchmark.model_validate(results)
    compared = [] if before is None else comparison.compare_benchmarks(before, after)
    if json:
        print_json(results | ({"against": comparison.as_data(compared)} if before else {}))
        return
    print_benchmark(results)
    if before is not None:
        print_compared(compared)
        print(f"Runs at different times can differ by {DRIFT:.0%} although nothing changed, so less gets no verdict.")
        if before.signature != after.signature:
            print("The games differ, too: the signature is another one.")


MOST_LISTED = 12  # parameters; a larger section is summarized
EXAMPLES = 3  # names shown of a section that is summarized
MARK = "*"  # behind a value that is reconstructed


@options("every game json")
def parameters(
    game: Any,
    json: Any,
    name: Annotated[
        str | None,
        typer.Argument(
            help='A parameter, a section such as "setup", or a pattern such as "*bonus*".',
            metavar="NAME",
            autocompletion=completion.parameter,
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="List every parameter, including those that are 0.")] = False,
) -> None:
    """List the parameters that a scenario can change.

    Each parameter comes with its value, its allowed values and its meaning. Values that are not from a source are
    marked with *. With NAME, the reason is shown, and whom a parameter favours if that is known.
    """
    from rogsim.game.parameters import find_parameters
    from rogsim.game.registry import get_game

    spec = get_game(game)
    if json:
        found = find_parameters(spec, name) if name else spec.facts()
        data = {"game": spec.id, "facts": [as_data(parameter) for parameter in found]}
        print_json(data)
    elif name:
        _print_found(name, find_parameters(spec, name), every)
    elif every:
        _print_all(spec.facts())
    else:
        _print_overview(spec)


def as_data(parameter: Parameter) -> dict[str, Any]:
    """Return a parameter as an object for scripts."""
    return {
        "name": parameter.name,
        "value": parameter.value,
        "allowed": parameter.allowed,
        "meaning": parameter.meaning,
        "low": parameter.low,
        "high": parameter.high,
        "words": list(parameter.words),
        "places": list(parameter.places),
        "label": parameter.label,
        "reconstructed": parameter.reconstructed,
        "favours": parameter.favours,
    }


def _print_overview(spec: GameSpec) -> None:
    """Print small sections in full, and a summary of the large ones."""
    from rogsim.game.parameters import sections

    found = sections(spec.facts())
    if not found:
        write(f"{spec.title} has no parameters that can be changed.")
        return
    total = sum(len(section.facts) for section in found)
    write(f"{spec.title}: {total:,} parameters that can be changed. rogsim parameters NAME lists those of a section.")
    if marked := _marked(spec.facts()):
        write(f"{_share(marked, total)} reconstructed, not from a source ({MARK}); NAME shows why.")
    write("")
    _print_table([parameter for section in found if len(section.facts) <= MOST_LISTED for parameter in section.facts])
    _print_sections([section for section in found if len(section.facts) > MOST_LISTED])


def _print_sections(large: Sequence[ParameterGroup]) -> None:
    if not large:
        return
    write("\nMore parameters, by section:\n")
    marked = [_marked(section.facts) for section in large]
    header = ("section", "parameters", *(["reconstructed"] if any(marked) else []), "such as")
    rows = [
        (
            section.name,
            f"{len(section.facts):,}",
            *([f"{count:,}"] if any(marked) else []),
            f"{', '.join(section.examples(EXAMPLES))}, …",
        )
        for section, count in zip(large, marked, strict=True)
    ]
    _print_rows(header, rows)


def _print_found(name: str, found: Sequence[Parameter], every: bool) -> None:
    from rogsim.game.parameters import is_zero

    shown = [parameter for parameter in found if parameter.name == name or not is_zero(parameter)]
    if every or len(found) <= MOST_LISTED or not shown:
        shown = list(found)
    _print_table(shown, more=True)
    _print_total(found)
    if folded := len(found) - len(shown):
        write(f"\nand {folded:,} more that are 0: --all shows them")


def _print_all(parameters: Sequence[Parameter]) -> None:
    _print_table(parameters)
    _print_total(parameters)


def _print_total(parameters: Sequence[Parameter]) -> None:
    """Print how many values are reconstructed, if any are."""
    if marked := _marked(parameters):
        write(f"\n{_share(marked, len(parameters))} reconstructed, not from a source ({MARK}).")


def _share(marked: int, total: int) -> str:
    return f"{marked:,} of {total:,} value{'s' * (total != 1)} {'is' if marked == 1 else 'are'}"


def _marked(parameters: Sequence[Parameter]) -> int:
    """Return how many values are reconstructed."""
    return sum(bool(parameter.reconstructed) for parameter in parameters)


def _print_table(parameters: Sequence[Parameter], more: bool = False) -> None:
    """Print parameters; with `more`, also whom they favour and why they are reconstructed, if either is known."""
    from rogsim.base.validation import show
    from rogsim.game.parameters import allowed_words, favours_words

    favoured = more and any(parameter.favours for parameter in parameters)
    reasons = more and any(parameter.reconstructed for parameter in parameters)
    header = ("name", "value", "allowed", "meaning", *["favours"] * favoured, *["reconstructed because"] * reasons)
    rows = [
        (
            parameter.name,
            show(parameter.value) + f" {MARK}" * bool(parameter.reconstructed),
            allowed_words(parameter),
            parameter.meaning,
            *[favours_words(parameter)] * favoured,
            *[parameter.reconstructed] * reasons,
        )
        for parameter in parameters
    ]
    if rows:
        _print_rows(header, rows)


def _print_rows(header: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    from rogsim.report.console.text_table import Table, print_table

    print_table(Table("", header, tuple(rows), of_text=True))
