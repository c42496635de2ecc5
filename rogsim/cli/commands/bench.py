"""`rogsim bench`: measures the speed of play, and compares it with a stored benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rogsim.cli.options import GameOption, print_json


def bench(
    game: GameOption = None,
    out: Annotated[
        Path | None, typer.Option(help="Store the results in a file, for --against.", metavar="FILE")
    ] = None,
    against: Annotated[
        Path | None, typer.Option(help="Show what is faster or slower than in a file that --out wrote.", metavar="FILE")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
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
