"""`rogsim games` lists the games, and `rogsim bench` measures how fast one is played."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rogsim.cli.options import Option, options, print_json


def games() -> None:
    """List the installed games."""
    from rogsim.base.prose import write_pairs
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


@options("game out against json", json=Option(bool, None, "Print one JSON object.", False))
def bench(
    game: Any = None,
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
    from rogsim.game.registry import get_game
    from rogsim.report.console.bench_tables import print_benchmark, print_compared
    from rogsim.simulation.benchmark import measure
    from rogsim.stats.time_ratios import DRIFT

    spec = get_game(game)
    before = None if against is None else comparison.read_benchmark(against, spec.id)
    if out is not None:
        comparison.check_target(out)
    results = measure(spec)
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
