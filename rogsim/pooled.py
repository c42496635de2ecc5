"""Results of several folders that hold the same bots and settings, as one: other seeds are just more games."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from rogsim.results import Results, ResultsError

Shifts = Mapping[int, tuple[int, int]]  # by player count: how many games and blocks come before


@dataclass(frozen=True)
class Pooled(Results):
    """Rows of several results, one after the other; games and blocks are numbered on.

    parts: the results, with the games and blocks that come before each.
    """

    parts: Sequence[tuple[Results, Shifts]] = ()

    def seats(self) -> pl.LazyFrame:
        """Return one row for each game and seat."""
        return pl.concat([_shifted(part.seats(), shifts) for part, shifts in self.parts])

    def games(self) -> pl.LazyFrame:
        """Return one row for each game."""
        return pl.concat([_shifted(part.games(), shifts) for part, shifts in self.parts])


def pool(parts: Sequence[Results]) -> Results:
    """Return several results with the same bots and settings, and seeds of their own, as one."""
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
    return Pooled(manifest, None, (), placed)


def sets_of_bots(opened: Sequence[Results]) -> list[list[Results]]:
    """Return results grouped by bots and settings, each group in the order that they came in.

    Results without a player count in common stay by themselves. ResultsError if two of them hold the same games.
    """
    groups: list[list[Results]] = []
    for results in opened:
        alike = [any(_alike(results, one) for one in group) for group in groups]
        joined = [one for group, is_alike in zip(groups, alike, strict=True) if is_alike for one in group]
        for one in joined:
            _refuse_same(results, one)
        # Results with more player counts join groups that had none in common before.
        groups = [group for group, is_alike in zip(groups, alike, strict=True) if not is_alike]
        groups.append([*joined, results])
    places = {id(results): place for place, results in enumerate(opened)}
    ordered = [sorted(group, key=lambda one: places[id(one)]) for group in groups]
    return sorted(ordered, key=lambda group: places[id(group[0])])


def _alike(one: Results, other: Results) -> bool:
    """Return whether two results differ in nothing but seed, number of games, and perhaps some player counts."""
    return _settings(one) == _settings(other) and _share_players(one, other)


def _share_players(one: Results, other: Results) -> bool:
    return bool(set(one.manifest["games"]) & set(other.manifest["games"]))


def _settings(results: Results) -> str:
    kept = {key: value for key, value in results.manifest["identity"].items() if key not in ("seed", "players")}
    return json.dumps(kept, sort_keys=True)


def _refuse_same(one: Results, other: Results) -> None:
    if one.manifest["identity"]["seed"] != other.manifest["identity"]["seed"] or not _share_players(one, other):
        return
    names = [str(results.folder or results.manifest["name"]) for results in (one, other)]
    raise ResultsError(
        f"{names[0]}: holds the same games as {names[1]} (same bots, settings and seed): name one of them, or play "
        "other games with --seed"
    )


def _shifted(rows: pl.LazyFrame, shifts: Shifts) -> pl.LazyFrame:
    """Return rows with games and blocks numbered on."""

    def later(place: int) -> pl.Expr:
        by_players = {players: shift[place] for players, shift in shifts.items()}
        return pl.col("players").replace_strict(by_players, default=0, return_dtype=pl.UInt32)

    if not shifts:
        return rows
    return rows.with_columns(pl.col("game") + later(0), pl.col("block") + later(1))
