"""Measure what knowing the patrons is worth: `learned` plays bots that were trained without them.

The weights of the patrons are set to 0, the rest is trained in games without patrons, from which the bot learns nothing
about them. The results are written into docs/river-of-gold.md: with patrons dealt, against a bot whose evaluation knows
no patrons and against one that ignores them in all it does; and with patrons that the players draft.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import rogsim
from rogsim.base.files import REPORTS
from rogsim.bots.loading import find_bot
from rogsim.bots.weights import weights_text
from rogsim.cli.outcome import guarded
from rogsim.experiments.continued import write_text
from rogsim.experiments.train import LEARNED, request_training, train
from rogsim.game.registry import get_game
from rogsim.games.river_of_gold.components.names import PATRONS
from scripts.measure_ladder import RUNG_CELLS, Rung, climb, ladder_part, run_of, write_rows
from scripts.update_docs import GAME, ROOT

PAGE = ROOT / "docs" / "river-of-gold.md"
FOLDER = REPORTS / "patrons-unknown"
IGNORING = f"{ROOT / 'scripts' / 'patrons_ignored.py'}:choose"
# Parts of the page: how patrons are given out, which bot plays with the trained weights, and what the page calls it.
PARTS = {
    "patrons": ("dealt", LEARNED, f"{LEARNED} without patrons"),
    "patrons-ignored": ("dealt", IGNORING, f"{LEARNED} ignoring patrons"),
    "patrons-drafted": ("draft", LEARNED, f"{LEARNED} without patrons"),
}


def without_patrons(folder: Path) -> Path:
    """Write the weights of `learned` with 0 for each patron, and return the file."""
    source = find_bot(get_game(GAME), LEARNED, Path())
    weights = [
        0.0 if name.endswith(PATRONS) else weight
        for name, weight in zip(source.weight_names, source.weights.tolist(), strict=True)
    ]
    path = folder / "start.toml"
    write_text(path, weights_text(LEARNED, weights, source.weight_names, {"patrons": "set to 0"}))
    return path


def trained_without_patrons(asked: argparse.Namespace) -> Path:
    """Train `learned` in games without patrons, and return the file of weights."""
    start = without_patrons(FOLDER)
    request = request_training(
        ["seat-order"],
        bot=f"{LEARNED}@{start}",
        overrides={"players": asked.players},
        games=asked.train,
        generations=asked.generations,
        seed=asked.seed,
        out=FOLDER / "trained.toml",
    )
    train(request, asked.jobs)
    return request.out


def main() -> None:
    """Train the bot that does not know patrons, play against it, print the table, and write it to the page."""
    asked = parser().parse_args()
    path = asked.trained or trained_without_patrons(asked)
    note = (
        f"The bot without patrons was trained for {asked.generations} generations of {asked.train:,} games with each "
        f"number of players. Measured with rogsim {rogsim.__version__}, rules version {get_game(GAME).version}."
    )
    for part in asked.parts:
        mode, bot, name = PARTS[part]
        rung = Rung(LEARNED, f"{bot}@{path}")
        measures = [climb(GAME, rung, players, asked.games, asked.seed, {"patrons": mode}) for players in asked.players]
        text = ladder_part(measures, run_of(asked.seed), note).replace(rung.below, name)
        print(text)
        if not asked.dry:
            write_rows(PAGE, {part: text}, RUNG_CELLS)


def parser() -> argparse.ArgumentParser:
    """Return the options of the command line."""
    options = argparse.ArgumentParser(prog="scripts/measure-patrons", description="Is it worth it to know the patrons?")
    options.add_argument("--players", type=int, nargs="+", default=[2, 3, 4], help="player counts [2 3 4]")
    options.add_argument("--games", type=int, default=8_000, help="games for each player count [%(default)s]")
    options.add_argument("--train", type=int, default=1_000, help="games of a generation [%(default)s]")
    options.add_argument("--generations", type=int, default=2, help="number of generations [%(default)s]")
    options.add_argument("--trained", type=Path, help="weights that an earlier call trained, to play with at once")
    options.add_argument("--parts", nargs="+", choices=PARTS, default=list(PARTS), help="parts of the page [all]")
    options.add_argument("--seed", type=int, default=1, help="root of all chance [%(default)s]")
    options.add_argument("--jobs", type=int, help="worker processes")
    options.add_argument("--dry", action="store_true", help="only print; write nothing to the page")
    return options


if __name__ == "__main__":
    sys.exit(guarded(main))
