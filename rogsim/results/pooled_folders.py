"""Pooling the results of several folders with the same bots and settings, and how often they could be seen so far.

Different seeds simply add games. But anyone who keeps playing until an effect appears will find one by chance. So a
folder records its looks, and every look has a share of the error rate (`stats.alpha_spending`). A look is a number of
games at which a run ended: only then are there results to see. The rounds of a run with a precision target are one
look, because nothing is shown before its end, and only the width of intervals decides when it ends.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from rogsim.base.errors import ResultsError
from rogsim.results.results import Results


def look_of(manifest: Mapping[str, Any], players: int) -> int:
    """Return the number of the look at these results with one player count, from 1.

    The same number of games is the same look; results without a history are the first one.

    Parameters
    ----------
    manifest
        The manifest, as `Results.manifest`.
    """
    key = str(players)
    current = manifest["games"].get(key, 0)
    seen = list(dict.fromkeys(look[key] for look in manifest.get("looks", ()) if look.get(key)))
    return seen.index(current) + 1 if current in seen else len(seen) + 1


def pooled_look(looks: Sequence[int]) -> int:
    """Return the number of the look at pooled folders, which add games to each other like further games of one.

    Nothing shows whether anyone looked before a folder was added, so each folder counts as a look of its own.

    Parameters
    ----------
    looks
        The number of the look at each folder, from 1.
    """
    return sum(looks)


def joint_look(looks: Sequence[int]) -> int:
    """Return the number of the look at folders that are compared, where each new look at any of them counts.

    Parameters
    ----------
    looks
        The number of the look at each folder, from 1.
    """
    return sum(looks) - len(looks) + 1


Shifts = Mapping[int, tuple[int, int]]  # by player count: the number of preceding games and blocks


@dataclass(frozen=True)
class PooledFolders(Results):
    """Rows of several results, one after the other, with games and blocks numbered consecutively.

    Attributes
    ----------
    parts
        The results, each with the number of preceding games and blocks by player count.
    """

    parts: Sequence[tuple[Results, Shifts]] = ()

    def seats(self) -> pl.LazyFrame:
        """Return one row for each game and seat."""
        return pl.concat([_shifted(part.seats(), shifts) for part, shifts in self.parts])

    def games(self) -> pl.LazyFrame:
        """Return one row for each game."""
        return pl.concat([_shifted(part.games(), shifts) for part, shifts in self.parts])


def pool_folders(parts: Sequence[Results]) -> Results:
    """Return several results with the same bots and settings, but different seeds, as one."""
    if len(parts) == 1:
        return parts[0]
    before: dict[int, tuple[int, int]] = {}
    placed: list[tuple[Results, Shifts]] = []
    for part in parts:
        placed.append((part, dict(before)))
        sizes = part.games().group_by("players").agg(pl.len().alias("games"), pl.col("block").max() + 1)
        for players, games, blocks in sizes.collect().iter_rows():
            done = before.get(players, (0, 0))
            before[players] = (done[0] + games, done[1] + blocks)
    names = [part.folder.name if part.folder else str(part.manifest["name"]) for part in parts]
    games_in_all = {str(players): games for players, (games, _) in sorted(before.items())}
    manifest = {**parts[0].manifest, "name": " + ".join(dict.fromkeys(names)), "games": games_in_all}
    return PooledFolders(manifest, None, (), placed)


def sets_of_bots(opened: Sequence[Results]) -> list[list[Results]]:
    """Return results grouped by bots and settings, each group in the given order.

    Results without a common player count are not grouped. ResultsError if two of them hold the same games.
    """
    groups: list[list[Results]] = []
    for place, results in enumerate(opened):
        for earlier in opened[:place]:
            _refuse_reordered(results, earlier)
        alike = [any(_alike(results, other) for other in group) for group in groups]
        joined = [other for group, is_alike in zip(groups, alike, strict=True) if is_alike for other in group]
        for other in joined:
            _refuse_same(results, other)
        # Results with more player counts can join groups that had none in common before.
        groups = [group for group, is_alike in zip(groups, alike, strict=True) if not is_alike]
        groups.append([*joined, results])
    places = {id(results): place for place, results in enumerate(opened)}
    ordered = [sorted(group, key=lambda results: places[id(results)]) for group in groups]
    return sorted(ordered, key=lambda group: places[id(group[0])])


def _alike(first: Results, second: Results) -> bool:
    """Return whether two results differ only in seed, number of games, and possibly some player counts."""
    return _settings(first) == _settings(second) and _share_players(first, second)


def _share_players(first: Results, second: Results) -> bool:
    return bool(set(first.manifest["games"]) & set(second.manifest["games"]))


def _settings(results: Results, *without: str) -> str:
    apart = {"seed", "players", *without}
    kept = {key: value for key, value in results.manifest["identity"].items() if key not in apart}
    return json.dumps(kept, sort_keys=True)


def _refuse_reordered(first: Results, second: Results) -> None:
    """Refuse results with the same bots in another order: only the order of the games in a block differs."""
    bots = [sorted(json.dumps(bot) for bot in results.manifest["identity"]["bots"]) for results in (first, second)]
    if bots[0] == bots[1] and _settings(first, "bots") == _settings(second, "bots"):
        _refuse_same(first, second)


def _refuse_same(first: Results, second: Results) -> None:
    seeds = {results.manifest["identity"]["seed"] for results in (first, second)}
    if len(seeds) > 1 or not _share_players(first, second):
        return
    names = [str(results.folder or results.manifest["name"]) for results in (first, second)]
    raise ResultsError(
        f"{names[0]}: holds the same games as {names[1]} (same bots, settings and seed): name only one of them, or "
        "play other games with --seed"
    )


def _shifted(rows: pl.LazyFrame, shifts: Shifts) -> pl.LazyFrame:
    """Return rows with games and blocks numbered consecutively."""

    def later(place: int) -> pl.Expr:
        by_players = {players: shift[place] for players, shift in shifts.items()}
        return pl.col("players").replace_strict(by_players, default=0, return_dtype=pl.UInt32)

    if not shifts:
        return rows
    return rows.with_columns(pl.col("game") + later(0), pl.col("block") + later(1))
