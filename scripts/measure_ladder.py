"""Measure the ladder of bots: each rung against the rung below, the personas against each other, and the speed.

The results are written into the parts of docs/ladder.md, or docs/<game>-ladder.md for another game, as
scripts/update-docs does for the other pages. They take many games, so only this script rewrites these pages.
"""

from __future__ import annotations

import argparse
import functools
import math
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

import rogsim
from rogsim.base.progress import say
from rogsim.bots.loading import compile_bot, find_bot
from rogsim.bots.names import read_bot_name
from rogsim.cli.outcome import guarded
from rogsim.game import compiler
from rogsim.game.batches import Batch
from rogsim.game.columns import row_dtype
from rogsim.game.registry import RegistryError, get_game
from rogsim.game.spec import GameSpec
from rogsim.report.console.text_table import percentage
from rogsim.stats import Estimate, clusters, share
from scripts.measure_rollouts import PASSES, fastest, rollouts_per_second
from scripts.merged_tables import merged
from scripts.update_docs import GAME, PART, ROOT, filled, table

PAGE = ROOT / "docs" / "ladder.md"
PARTS = ("ladder", "personas", "speed")
GAMES, SLOW_GAMES = 4_000, 400
RUNG_CELLS = 2  # of a row: what it is about
CHUNKS = 32  # slow bots keep all workers busy
TIMED_SECONDS, RUN_SECONDS, FEWEST_RUNS = 10.0, 0.05, 3  # of one speed: in total, of one run, runs of whole games


@dataclass(frozen=True)
class Rung:
    """One bot that should be stronger than another; games of slow ones take long, so there are fewer."""

    bot: str
    below: str
    slow: bool = False


RUNGS = (
    Rung("balanced", "random"),
    Rung("tuned", "balanced"),
    Rung("learned", "tuned"),
    Rung("planner", "learned"),
    Rung("search", "planner", slow=True),
)
NO_PERSONAS = ("random", "tuned", "learned", "planner", "search")


@dataclass(frozen=True)
class Measure:
    """How often a bot won, in how many games, and against whom."""

    bot: str
    others: str
    players: int
    games: int
    won: Estimate

    @property
    def fair(self) -> float:
        """Return the share that equal bots would have."""
        return 1 / self.players

    @property
    def verdict(self) -> str:
        """Return whether the whole interval is on one side of the fair share."""
        if self.won.low > self.fair:
            return "above fair"
        return "below fair" if self.won.high < self.fair else "not distinguishable from fair"


@dataclass(frozen=True)
class Persona:
    """How often a persona won against three others: over all choices of opponents, and in the worst and the best."""

    name: str
    won: Estimate
    worst: Measure
    best: Measure


def climb(
    game: str, rung: Rung, players: int, games: int, seed: int, options: Mapping[str, str] | None = None
) -> Measure:
    """Play one bot of a rung against bots of the rung below, with seats rotated on the same deals."""
    say(f"{rung.bot} against {rung.below}, {players} players…")
    seats = played(game, [rung.bot, *[rung.below] * (players - 1)], players, games, seed, options)
    ((_, groups),) = clusters(seats.filter(pl.col("bot") == rung.bot).lazy(), ["win_share"], ["players"]).items()
    return Measure(rung.bot, rung.below, players, seats["game"].n_unique(), share(groups["win_share"]))


def meet(game: str, personas: Sequence[str], games: int, seed: int, players: int = 4) -> list[Persona]:
    """Play each line-up of different personas, with seats rotated on the same deals; return what each persona won."""
    line_ups = math.comb(len(personas), players)
    say(f"{line_ups} line-ups of {players} personas…")
    seats = played(game, personas, players, games * line_ups, seed).with_columns(pl.col("bot").cast(pl.String))
    line_up = seats.group_by("game").agg(pl.col("bot").sort().alias("line_up"))
    others = pl.col("line_up").list.set_difference(pl.concat_list("bot")).list.sort().list.join(", ")
    seats = seats.join(line_up, on="game").with_columns(others=others)
    overall = clusters(seats.lazy(), ["win_share"], ["bot"])
    measures = [
        Measure(bot, others, players, group["win_share"].rows, share(group["win_share"]))
        for (bot, others), group in clusters(seats.lazy(), ["win_share"], ["bot", "others"]).items()
    ]
    return [
        Persona(
            name,
            share(overall[name,]["win_share"]),
            min((measure for measure in measures if measure.bot == name), key=lambda measure: measure.won.value),
            max((measure for measure in measures if measure.bot == name), key=lambda measure: measure.won.value),
        )
        for name in personas
    ]


def played(
    game: str, bots: Sequence[str], players: int, games: int, seed: int, options: Mapping[str, str] | None = None
) -> pl.DataFrame:
    """Play a scenario and return who won, one row for each game and seat."""
    keys = {"game": game, "players": [players], "games": games, "seed": seed, "bots": list(bots)}
    keys["options"] = dict(options or {})
    chunk = min(5_000, max(1, games // CHUNKS))
    return rogsim.run(keys, chunk=chunk).seats().select("players", "game", "block", "bot", "win_share").collect()


def speed_of(game: str, bot: str, players: int) -> tuple[float, int]:
    """Return the games per second of one core with a bot in every seat, and how many different games were timed."""
    say(f"speed of {bot}…")
    timed(game, bot, players, 0, 1)  # compiles
    games = 1
    while (seconds := timed(game, bot, players, 0, games)) < RUN_SECONDS / 2:
        games *= 2
    runs = max(FEWEST_RUNS, round(TIMED_SECONDS / (PASSES * seconds)))
    seconds = fastest([timed(game, bot, players, run * games, games) for run in range(runs)] for _ in range(PASSES))
    return runs * games / seconds, runs * games


def timed(game: str, bot: str, players: int, first: int, games: int) -> float:
    """Return the processor seconds of playing some games, and of nothing else: no rows, no other program."""
    spec = get_game(game)
    line_up = tuple(compile_bot(spec, find_bot(spec, bot, Path())) for _ in range(players))
    setup = spec.prepare(spec.options.model_validate({}), players)
    seating = np.tile(np.arange(players, dtype=np.int8), (games, 1))
    batch = Batch(1, players, np.arange(first, first + games), seating, line_up)
    seats, rows = (
        np.zeros(count, row_dtype(columns))
        for count, columns in ((games * players, spec.seat_columns), (games, spec.game_columns))
    )
    begin = time.thread_time()
    spec.play(setup, batch, seats, rows)
    return time.thread_time() - begin


def ladder_part(measures: Sequence[Measure], run: str, note: str) -> str:
    """Return the table of rungs; each row names its run."""
    rows = [
        (
            f"`{measure.bot}` against `{measure.others}`",
            str(measure.players),
            f"{measure.games:,}",
            percentage(measure.won),
            f"{measure.fair:.1%}",
            measure.verdict,
            run,
        )
        for measure in measures
    ]
    header = ("one bot against the others", "players", "games", "win share (95%)", "fair", "verdict", "sources, seed")
    return f"{table(header, rows)}\n\n{note}"


def personas_part(personas: Sequence[Persona], games: int, note: str) -> str:
    """Return the table of personas, strongest first."""
    rows = [
        (
            f"`{persona.name}`",
            percentage(persona.won),
            percentage(persona.worst.won),
            persona.worst.others,
            percentage(persona.best.won),
        )
        for persona in sorted(personas, key=lambda persona: -persona.won.value)
    ]
    header = ("persona", "mean win share (95%)", "lowest (95%)", "against", "highest (95%)")
    return f"{table(header, rows)}\n\nEach line-up of four played {games:,} games or a few more. {note}"


def speed_part(speeds: Mapping[str, tuple[float, int]], rollouts: tuple[float, int] | None, note: str) -> str:
    """Return the table of speeds, and how fast `search` plays rollouts if that was measured."""
    rows = []
    for bot, (speed, games) in speeds.items():
        rows.append((f"`{bot}`", f"{speed:,.0f}" if speed >= 100 else f"{speed:.3g}", f"{games:,}"))
    paragraphs = [table(("bot in every seat", "games/s", "games timed"), rows)]
    if rollouts:
        played, timed_ones = rollouts
        paragraphs.append(
            f"`search` plays {played:,.0f} rollouts/s ({timed_ones:,} timed, its own settings, one core)."
        )
    return "\n\n".join([*paragraphs, note])


def page_of(game: str) -> Path:
    """Return the page of a game."""
    return PAGE if game == GAME else PAGE.with_name(f"{game}-{PAGE.name}")


def version_of(spec: GameSpec) -> str:
    """Return what the measured numbers belong to."""
    return f"rogsim {rogsim.__version__}, rules version {spec.version}, sources {compiler.source_hash()[:8]}"


def run_of(seed: int) -> str:
    """Return what tells the rows of one run from those of another: the version of the sources, and the seed."""
    return f"{compiler.source_hash()[:8]}, {seed}"


def write(page: Path, parts: Mapping[str, str]) -> None:
    """Rewrite parts of the page; the others do not change."""
    written = {name: functools.partial(str, text) for name, text in parts.items()}
    page.write_text(filled(page.read_text(encoding="utf-8"), written), encoding="utf-8")


def write_rows(page: Path, parts: Mapping[str, str], keys: int) -> None:
    """Rewrite the rows of parts that this run measured; `keys` is how many cells say what a row is about."""
    found = {part[2]: part for part in PART.finditer(page.read_text(encoding="utf-8"))}
    old = {name: found[name][0].removeprefix(found[name][1]) for name in parts if name in found}
    write(page, {name: merged(old.get(name, ""), text, keys) for name, text in parts.items()})


def main(words: Sequence[str] | None = None) -> None:
    """Measure the parts on the command line, print them, and write them to the page."""
    asked = parser().parse_args(words)
    spec = get_game(asked.game)
    known = [bot.name for bot in spec.bots]
    version = version_of(spec)
    options = dict(asked.option)
    parts, rungs_part = {}, {}
    if "ladder" in asked.parts:
        rungs = asked.rungs or RUNGS
        # Only rungs that nobody typed are left out.
        missing = [] if asked.rungs else [r.bot for r in rungs if not {base(r.bot), base(r.below)} <= {*known}]
        if missing:
            say(f"left out, because a bot is missing: {', '.join(missing)}")
        for climber in rungs:  # before anything is played
            for bot in (climber.bot, climber.below) if climber.bot not in missing else ():
                find_bot(spec, bot, Path())
        measures = [
            climb(asked.game, rung, players, asked.slow_games if rung.slow else asked.games, asked.seed, options)
            for rung in rungs
            if rung.bot not in missing
            for players in asked.players
        ]
        note = f"Measured with rogsim {rogsim.__version__}, rules version {spec.version}."
        rungs_part["-".join(["ladder", *options.values()])] = ladder_part(measures, run_of(asked.seed), note)
    if "personas" in asked.parts:
        note = f"Measured with seed {asked.seed} ({version})."
        personas = [name for name in known if name not in NO_PERSONAS]
        parts["personas"] = personas_part(meet(asked.game, personas, asked.games, asked.seed), asked.games, note)
    if "speed" in asked.parts:
        note = f"Four players, one core, on the machine that measured the page ({version})."
        speeds = {name: speed_of(asked.game, name, 4) for name in known}
        parts["speed"] = speed_part(speeds, rollouts_per_second() if asked.game == GAME else None, note)
    for text in (*rungs_part.values(), *parts.values()):
        print(f"{text}\n")
    if not asked.dry:
        write_rows(page_of(asked.game), rungs_part, RUNG_CELLS)
        write(page_of(asked.game), parts)


def parser() -> argparse.ArgumentParser:
    """Return the options of the command line."""
    options = argparse.ArgumentParser(prog="scripts/measure-ladder", description="Measure the bots for docs/ladder.md.")
    options.add_argument("--game", default=GAME, help="whose bots [%(default)s]")
    options.add_argument("--rungs", type=rung, nargs="+", metavar="BOT:BELOW", help="who plays whom")
    options.add_argument(
        "--games", type=positive, default=GAMES, help="games for each rung and player count [%(default)s]"
    )
    options.add_argument("--slow-games", type=positive, default=SLOW_GAMES, help="games for slow rungs [%(default)s]")
    options.add_argument(
        "--players", type=int, nargs="+", choices=(2, 3, 4), default=(2, 3, 4), help="player counts of the rungs"
    )
    options.add_argument(
        "--option", type=pair, nargs="*", default=[], metavar="NAME=VALUE", help="options of the game, for the rungs"
    )
    options.add_argument("--seed", type=int, default=1, help="root of all chance [%(default)s]")
    options.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS, help="what to measure")
    options.add_argument("--dry", action="store_true", help="only print; write nothing")
    return options


def rung(text: str) -> Rung:
    """Read a rung: the bot, a colon, and the bot below it."""
    bot, colon, below = text.partition(":")
    if not (bot and colon and below):
        raise argparse.ArgumentTypeError(f'"{text}" is not allowed: must be BOT:BELOW')
    try:
        return Rung(bot, below, slow=base(bot) == "search")
    except RegistryError as fault:
        raise argparse.ArgumentTypeError(str(fault)) from None


def base(bot: str) -> str:
    """Return the name of a bot without its weights."""
    return read_bot_name(bot).base


def pair(text: str) -> tuple[str, str]:
    """Read an option of the game: its name, an equals sign, and its value."""
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        raise argparse.ArgumentTypeError(f'"{text}" is not allowed: must be NAME=VALUE')
    return name, value


def positive(text: str) -> int:
    """Read a number of games."""
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f'"{text}" is not allowed: must be 1 or more')
    return int(text)


if __name__ == "__main__":
    sys.exit(guarded(main))
