"""Fit the evaluation of planner or search to games of a plain bot, and write it as a weights file.

docs/tuning.md describes the method. The same command gives the same file, except for its date, with any `--jobs`.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import rogsim
from rogsim.base.errors import RogsimError
from rogsim.base.validation import show
from rogsim.bots.loading import BotSource, find_bot
from rogsim.bots.weights import read_file, weights_text
from rogsim.experiments.tuning.evolution import write_text
from rogsim.game import compiler
from rogsim.game.kit.search.settings import SETTINGS
from rogsim.game.registry import RegistryError, get_game
from rogsim.games.river_of_gold.bots import evaluation, plan
from rogsim.games.river_of_gold.bots import weights as plain_weights
from rogsim.scenario.axes import MOST_GAMES
from rogsim.scenario.model import MOST_SEEDS
from scripts.fit_weights import HELD_OUT, LOGIT_PER_POINT, Fit, Sample, fit
from scripts.positions import Sampling, collect

GAME = "river-of-gold"
BOTS = ("planner", "search")
GAMES, FEWEST, STEPS, MOST_STEPS = 40_000, HELD_OUT + 1, 60, 10_000
DIGITS = 5  # of a weight


def main(arguments: list[str] | None = None) -> None:
    """Play games, fit, print how well held-out games are predicted, and write the file."""
    asked = parser().parse_args(arguments)
    try:
        run(asked)
    except RogsimError as fault:
        sys.stderr.write(f"rogsim: error: {fault}\n")
        raise SystemExit(2) from None


def run(asked: argparse.Namespace) -> None:
    """Carry out the command line; RogsimError if it is invalid."""
    check_target(asked.out)
    bot, plain = (find_bot(get_game(GAME), name, Path()) for name in (asked.bot, asked.plain))
    if plain.weight_names != plain_weights.NAMES:
        raise RogsimError(f"--plain: {show(asked.plain)} is not allowed: must be a bot with named weights")
    sampling, fits = Sampling(), {}
    for players in sorted(set(asked.players)):
        say(f"{players} players: {asked.games:,} games of {plain.name}…")
        recorded = collect(plain, players, asked.games, root_of(asked.seed), asked.jobs, sampling)
        fits[players] = fit(sample_of(recorded, players), asked.steps)
        print(report(players, fits[players]), flush=True)
    settings = {name: getattr(asked, name) for name in SETTINGS if getattr(asked, name) is not None}
    weights = weights_with(bot, plain, settings, fits)
    write_text(asked.out, weights_text(asked.bot, weights, plan.NAMES, origin(asked, bot, plain, sampling, fits)))
    print(f"Weights: {asked.out}, for use as {asked.bot}@{asked.out}")


def root_of(seed: int) -> int:
    """Return the seed of the games to fit to, which no run or tuning with the same seed plays."""
    return int.from_bytes(hashlib.sha256(f"fitting {seed}".encode()).digest()[:8], "big") % MOST_SEEDS


def sample_of(recorded: NDArray[np.void], players: int) -> Sample:
    """Convert the recorded positions to a sample for the fit."""
    features, points, win_share = (recorded[name][:, :players] for name in ("features", "points", "win_share"))
    return Sample(features, recorded["left"], points, win_share, recorded["game"])


def report(players: int, found: Fit) -> str:
    """Return a summary of how well the weights predict games that they were not fitted to."""
    return (
        f"{players} players: fitted to {len(found.fitted.left):,} positions of {found.fitted.games:,} games; "
        f"held out {len(found.held_out.left):,} of {found.held_out.games:,}\n"
        f"  R2 of points {found.r2:.4f}; log loss {found.log_loss:.4f} "
        f"(least squares {found.before:.4f}, equal probabilities {found.even:.4f})"
    )


def weights_with(
    bot: BotSource, plain: BotSource, settings: Mapping[str, float], fits: Mapping[int, Fit]
) -> list[float]:
    """Return all weights of the bot: given or fitted ones, those of the plain bot, and otherwise the current ones."""
    found = dict(zip(plan.NAMES, bot.weights.tolist(), strict=True))
    found |= {name: float(value) for name, value in settings.items()}
    for players, result in fits.items():
        first = plan.EVALUATION + evaluation.PLAYER_COUNTS.index(players) * evaluation.SET
        names = plan.NAMES[first : first + evaluation.SET]
        found |= zip(names, np.round(result.weights, DIGITS).ravel().tolist(), strict=True)
    found |= {f"play-{name}": value for name, value in zip(plain.weight_names, plain.weights.tolist(), strict=True)}
    return list(found.values())


def origin(
    asked: argparse.Namespace, bot: BotSource, plain: BotSource, sampling: Sampling, fits: Mapping[int, Fit]
) -> dict[str, Any]:
    """Return where the weights come from, for their file."""
    return {
        "made_by": f"rogsim {rogsim.__version__}, scripts/fit-evaluation",
        "method": "least squares on points" + (", then conditional logit on win shares" if asked.steps else ""),
        "date": datetime.now(UTC).date().isoformat(),
        "game": GAME,
        "rules_version": get_game(GAME).version,
        "sources": compiler.source_hash(),
        "versions": {name: version(name) for name in ("numpy", "scipy")},
        "plain": plain.name,
        "plain_hash": f"{plain.source_hash}-{plain.weights_hash}",
        "settings_from": bot.name,
        "settings_given": [name for name in SETTINGS if getattr(asked, name) is not None],
        "seed": asked.seed,
        "games": asked.games,
        "noise": sampling.noise,
        "random_turns_of_1000": sampling.random_turns,
        "own_turns_of_1000": sampling.own_turns,
        "logit_per_point": LOGIT_PER_POINT,
        "logit_steps_at_most": asked.steps,
        "fitted": {
            f"{players}-players": {"games": result.fitted.games, "positions": len(result.fitted.left)}
            for players, result in fits.items()
        },
        "held_out": {f"{players}-players": held_out(result) for players, result in fits.items()},
    }


def held_out(found: Fit) -> dict[str, float]:
    """Return the results on the held-out games."""
    return {
        "games": found.held_out.games,
        "positions": len(found.held_out.left),
        "r2_of_points": round(found.r2, 4),
        "log_loss": round(found.log_loss, 4),
        "log_loss_of_least_squares": round(found.before, 4),
        "log_loss_of_equal_chances": round(found.even, 4),
    }


def check_target(out: Path) -> None:
    """Refuse to overwrite anything but older weights, before anything is played."""
    if out.is_dir():
        raise RogsimError(f"--out: {out} is a folder, name a file")
    if out.exists():
        try:
            read_file(out)
        except RegistryError as fault:
            raise RogsimError(f"--out: {out} already exists and holds no weights; choose another name") from fault


def say(line: str) -> None:
    """Print a status line to standard error."""
    print(line, file=sys.stderr, flush=True)


def parser() -> argparse.ArgumentParser:
    """Return the options of the command line."""
    about = "Fit the evaluation of planner or search to games of a plain bot."
    options = argparse.ArgumentParser(prog="scripts/fit-evaluation", description=about)
    options.add_argument("--bot", choices=BOTS, default=BOTS[0], help="whose weights to write [%(default)s]")
    options.add_argument("--plain", default="tuned", help="bot whose games and weights to use [%(default)s]")
    counts = evaluation.PLAYER_COUNTS
    options.add_argument(
        "--players", type=int, nargs="+", choices=counts, default=counts, help="player counts to fit, by default all"
    )
    options.add_argument(
        "--games", type=between(FEWEST, MOST_GAMES), default=GAMES, help="for each player count [%(default)s]"
    )
    options.add_argument("--seed", type=between(0, MOST_SEEDS - 1), default=1, help="root of all chance [%(default)s]")
    options.add_argument(
        "--steps", type=between(0, MOST_STEPS), default=STEPS, help="most steps of the logit [%(default)s]"
    )
    options.add_argument("--jobs", type=between(1, 1024), help="workers, by default one per processor")
    options.add_argument("--out", type=Path, required=True, help="output file; may replace only older weights")
    for name in SETTINGS:
        options.add_argument(f"--{name}", type=between(0, 1_000), help=f"setting, by default the bot's {name}")
    return options


def between(least: int, most: int) -> Any:
    """Return a parser for whole numbers in a range."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit()) or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f'"{text}" is not allowed: must be {least} to {most}')
        return int(text)

    return read


if __name__ == "__main__":
    main()
