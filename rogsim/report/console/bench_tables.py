"""What `rogsim bench` prints: speeds and times, and how they compare with stored ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from rogsim.base.text import write
from rogsim.experiments.benchmark_comparison import TimedTwice
from rogsim.report.console.text_table import Table, show_tables
from rogsim.simulation.benchmark import GAMES

MILLISECOND = 1e-3


def print_benchmark(results: Mapping[str, Any]) -> None:
    """Print a benchmark."""
    write(f"{results['game']}, rules version {results['rules_version']}, one core")
    header = ("bot in every seat", "players", "games/s", "decisions/s", "decisions/game")
    rows = tuple(
        (
            speed["bot"],
            str(speed["players"]),
            f"{speed['games_per_second']:,.0f}",
            f"{speed['decisions_per_second']:,.0f}",
            f"{speed['decisions_per_game']:.1f}",
        )
        for speed in results["speeds"]
    )
    show_tables("", [Table("", header, rows)])
    sizes = ", ".join(f"{size:,} ({players} players)" for players, size in results["bytes_per_game_in_rows"].items())
    shown = {
        "start, nothing compiled": f"{results['cold_start_seconds']:.1f} s",
        "start, already compiled": f"{results['warm_start_seconds']:.1f} s",
        "one game in memory": f"{results['bytes_per_game_in_memory']:,} bytes",
        "its rows in memory": f"{sizes} bytes",
        f"signature of {GAMES:,} games": results["signature"],
    }
    width = max(map(len, shown))
    write("\n".join(["", *(f"{name:<{width}}  {value}" for name, value in shown.items())]))


def print_compared(found: Iterable[TimedTwice]) -> None:
    """Print what became faster and what slower."""
    rows = tuple(
        (
            timed.name,
            _time(timed.before),
            _time(timed.after),
            f"{timed.ratio.value:.2f} ({timed.ratio.low:.2f} to {timed.ratio.high:.2f})",
            timed.ratio.verdict,
        )
        for timed in found
    )
    show_tables("", [Table("", ("CPU time", "before", "after", "ratio (95%)", "verdict"), rows)])


def _time(seconds: float) -> str:
    return f"{seconds * 1e6:,.2f} µs" if seconds < MILLISECOND else f"{seconds:.2f} s"
