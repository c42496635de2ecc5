"""Checks that the requests of several commands share; each raises a RogsimError of one line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel

from rogsim.base.errors import RogsimError
from rogsim.base.files import check_file
from rogsim.base.text import counted
from rogsim.base.validation import not_allowed, show
from rogsim.bots.loading import BotSource, find_bot
from rogsim.bots.weights import read_file
from rogsim.game.registry import RegistryError, get_game
from rogsim.game.spec import GameSpec
from rogsim.scenario.model import MOST_SEEDS, Experiment, load


def check_range(name: str, value: float | None, least: int, most: int) -> None:
    """Refuse a number that is not in its range; None is not given."""
    if value is not None and not least <= value <= most:
        raise RogsimError(f"{name}: {not_allowed(value, f'must be from {least:,} to {most:,}')}")


def check_rivals(spec: GameSpec, players: Sequence[int], command: str, bots: bool = False) -> None:
    """Refuse a command that compares seats of one game, or their bots, if they win or lose together."""
    for count in players:
        sides = spec.sides(count)
        if sides.is_one:
            who = "there is nobody to play against" if count == 1 else "all seats win or lose together"
            rule = f"with {counted(count, 'player')} {who}, so nothing is compared: use run, or compare"
            raise RogsimError(f"{command}: {rule}")
        if bots and not sides.are_seats:
            raise RogsimError(f"{command}: with {count} players seats win in teams, so bots cannot be told apart")


def check_seed(seed: int) -> None:
    """Refuse a seed that no run can have."""
    check_range("--seed", seed, 0, MOST_SEEDS - 1)


def check_distinct(option: str, names: Sequence[str]) -> None:
    """Refuse a list that has the same name twice."""
    for name in names:
        if names.count(name) > 1:
            raise RogsimError(f'{option}: "{name}" is listed twice')


def check_target(out: Path) -> None:
    """Refuse a file of weights that would overwrite anything but older weights."""
    if out.is_dir():
        raise RogsimError(f"--out: {show(str(out))} is a folder; name a file")
    if out.exists():
        try:
            read_file(out)
        except RegistryError as fault:
            raise RogsimError(f"--out: {out} already exists and holds no weights; choose another name") from fault
    check_file(out)


def named_game(game: str | None) -> GameSpec:
    """Return the game of --game."""
    try:
        return get_game(game)
    except RegistryError as fault:
        raise RogsimError(f"--game: {fault}") from fault


def check_compiled(option: str, spec: GameSpec, names: Sequence[str]) -> None:
    """Refuse bots that do not exist, or that rogsim does not compile, and a list that has the same name twice."""
    check_distinct(option, names)
    for name in names:
        if named_bot(option, spec, name).function is None:
            raise RogsimError(f"{option}: {not_allowed(name, 'must be a bot that rogsim compiles')}")


def described(
    spec: GameSpec, players: Sequence[int], bots: Sequence[str], games: int, seed: int, options: BaseModel
) -> Experiment:
    """Return the scenario that the options of a command describe."""
    keys = {"game": spec.id, "players": players, "games": games, "seed": seed, "bots": bots}
    return load({}, {**keys, "options": options.model_dump(mode="json")}, option_prefix="--")


def named_bot(option: str, spec: GameSpec, name: str) -> BotSource:
    """Return a bot that an option names."""
    try:
        return find_bot(spec, name, Path())
    except RegistryError as fault:
        raise RogsimError(f"{option}: {fault}") from fault
